#!/bin/sh
# Objects of Kubernetes in the place of a trace and a topology: the rows are
# those of the files that gsim import makes of them.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

rows () {                       # rows DB ARGUMENT...: all but the run's own
    db=$1
    shift
    rm -f "$db"
    "$gsim" replay "$@" --run r --db "$db" --events -q </dev/null 2>"$errs" \
        || return
    sqlite3 "$db" .dump | grep -v '^INSERT INTO runs VALUES'
}

same () {                       # same NAME ARGUMENT...: as those of the files
    name=$1
    shift
    rows "$tmp/sources.db" "$@" >"$tmp/sources.sql"
    : >"$out"
    ok "$name" cmp "$tmp/native.sql" "$tmp/sources.sql"
}

# native DIR POLICY: the rows of the imported files
native () {
    rows "$tmp/native.db" "$1/trace.yaml" --policy "$2" >"$tmp/native.sql"
    grep -q '^INSERT INTO job_rows ' "$tmp/native.sql"
}

# each case of t80-import.sh, on nodes of its own or those of `cluster`
nodes=tests/data/import/cluster/objects.yaml
played=0 several=0
for case in tests/data/import/*/; do
    dir=$(basename "$case")
    set -- "$case"objects.*
    [ -f "$case/topology.yaml" ] || set -- "$1" "$nodes"
    "$gsim" import kubernetes "$@" -o "$tmp/$dir" -q 2>"$errs" || continue
    [ -f "$tmp/$dir/trace.yaml" ] || continue
    native "$tmp/$dir" kube-default || continue
    for source do               # without the schedulers' configurations
        shift
        case $source in *.conf) ;; *) set -- "$@" "$source" ;; esac
    done
    same "$dir: the same rows from the source" "$1" ${2:+--topology "$2"} \
        --policy kube-default
    played=$((played + 1))
    grep -qs '^schedulers:' "$tmp/$dir/profile.yaml" || continue
    several=$((several + 1))
    cp "$tmp/$dir/profile.yaml" "$tmp/several.yaml"
    ok "$dir: several schedulers" native "$tmp/$dir" "$tmp/several.yaml"
    same '... the same from the source' "$1" ${2:+--topology "$2"} \
        --policy "$tmp/several.yaml"
done
ok 'cases were played'          [ "$played" -gt 0 ]
ok '... by several schedulers'  [ "$several" -gt 0 ]

# a dump, in one piece and in several
perl scripts/kube-dump 80 400 >"$tmp/dump.json" || echo 'Bail out! no dump'
ok 'a dump is imported'         exits 0 "$gsim" import kubernetes \
    "$tmp/dump.json" -o "$tmp/dump" -q
mkdir "$tmp/parts"
perl -e 'local $/; $_ = <STDIN>; my ($head, $list) = /\A(.*?\[\n)(.*)\n    \]/s;
    my @item = split /(?<=^ {8}\}),\n/m, $list;
    for my $kind (qw(Node Pod)) {
        open my $to, ">", "$ARGV[0]/$kind.json" or die;
        print $to $head, join(",\n", grep /^ {12}"kind": "$kind"/m, @item), "\n]}\n";
    }' "$tmp/parts" <"$tmp/dump.json"
for policy in kube-default volcano binpack; do
    ok "$policy: native files"  native "$tmp/dump" $policy
    same "$policy: a dump"      "$tmp/dump.json" --policy $policy
done
same 'a folder'                 "$tmp/parts" --policy binpack
same 'trace and topology'       "$tmp/parts/Pod.json" \
    --topology "$tmp/parts/Node.json" --policy binpack
same 'the nodes of a dump'      "$tmp/parts/Pod.json" \
    --topology "$tmp/dump.json" --policy binpack
same 'the pods of a dump'       "$tmp/dump.json" \
    --topology "$tmp/parts/Node.json" --policy binpack
same 'one dump as both'         "$tmp/dump.json" --topology "$tmp/dump.json" \
    --policy binpack
same 'a native trace'           "$tmp/dump/trace.yaml" \
    --topology "$tmp/dump.json" --policy binpack
same 'a native topology'        "$tmp/dump.json" \
    --topology "$tmp/dump/topology.yaml" --policy binpack
ok 'convert'                    exits 0 "$gsim" trace convert \
    "$tmp/dump.json" -o "$tmp/parts/converted.yaml"
ok '... names the dump'         grep -q '^topology: .*\.\./dump.json' \
    "$tmp/parts/converted.yaml"
same '... and plays on it'      "$tmp/parts/converted.yaml" --policy binpack
rm "$tmp/parts/converted.yaml"
tar cf "$tmp/parts.tar" -C "$tmp" parts
same 'an archive'               "$tmp/parts.tar" --policy binpack
ok 'standard input'             sh -c '"$1" replay - --no-db -q <"$2"' - "$gsim" \
    "$tmp/dump.json"
ok '... packed'                 sh -c 'gzip -c "$2" | "$1" replay - --no-db -q' - \
    "$gsim" "$tmp/dump.json"
ok '... as the topology'        sh -c '"$1" replay "$2" --topology - --no-db -q <"$3"' \
    - "$gsim" "$tmp/parts/Pod.json" "$tmp/parts/Node.json"
ok '... serves one of them'     exits 2 "$gsim" replay - --topology - --no-db
ok '... and that is told'       says 'standard input is the trace or the topology, not both'

# a history
perl scripts/kube-series 40 200 3 >"$tmp/series.json" || echo 'Bail out! no series'
ok 'a history is imported'      exits 0 "$gsim" import kubernetes \
    "$tmp/series.json" -o "$tmp/series" -q
ok '... native files'           native "$tmp/series" kube-default
same 'a history'                "$tmp/series.json" --policy kube-default
is '... of all pods'            "$(sqlite3 "$tmp/sources.db" 'SELECT sum(tasks) FROM jobs')" 200

# what is told
ok 'a dump is replayed'         exits 0 "$gsim" replay "$tmp/dump.json" --no-db
ok 'objects are counted'        says 'gsim: note: objects: 480 read'
ok 'assumptions are told'       says "gsim: note: assumed: "
ok '... as far as there is room' says 'more (gsim import shows all)'
ok '-q'                         exits 0 "$gsim" replay "$tmp/dump.json" --no-db -q
ok '... tells nothing'          [ ! -s "$errs" ]
ok 'a dump without nodes'       exits 2 "$gsim" replay "$tmp/parts/Pod.json" --no-db
ok '... is told'                says 'holds no nodes, so there is no topology'
ok 'a dump without jobs'        exits 3 "$gsim" replay "$tmp/parts/Node.json" --no-db
ok '... is told'                says 'holds no workloads and no pods that become jobs'
ok 'no nodes in --topology'     exits 3 "$gsim" replay "$tmp/dump.json" \
    --topology "$tmp/parts/Pod.json" --no-db
ok '... is told'                says 'holds no nodes (objects of kind Node)'

# other commands
ok 'validate'                   exits 0 "$gsim" validate "$tmp/dump.json" \
    "$tmp/parts" "$tmp/parts.tar" "$tmp/dump/trace.yaml"
ok '... tells the kind'         prints 'dump.json: ok (objects of Kubernetes)'
ok '... and the account'        prints '     400  Pod                        read'
ok 'validate -q'                exits 0 "$gsim" validate -q "$tmp/dump.json"
ok '... tells nothing'          [ ! -s "$out" ]
ok 'validate with a topology'   exits 0 "$gsim" validate "$tmp/parts/Pod.json" \
    --topology "$tmp/parts/Node.json" --policy kube-default
printf 'kind: Pod\nmetadata: {name: x}\n' >"$tmp/bad.yaml"
ok 'validate a bad object'      exits 3 "$gsim" validate "$tmp/bad.yaml"
ok '... is told'                says 'bad.yaml:1:1: pods without a spec'
ok 'trace info'                 exits 0 "$gsim" trace info "$tmp/dump.json"
ok '... tells the format'       prints 'dump.json: objects of Kubernetes, '
ok 'trace sample'               exits 0 "$gsim" trace sample "$tmp/dump.json" \
    --fraction 0.5 -o "$tmp/half.yaml" -q
ok '... is valid'               exits 0 "$gsim" validate "$tmp/half.yaml"
ok 'trace merge'                exits 0 "$gsim" trace merge "$tmp/parts/Pod.json" \
    traces/samples/service.yaml -o "$tmp/both.yaml" -q
ok 'topology show'              exits 0 "$gsim" topology show "$tmp/parts"
ok '... shows the nodes'        prints 'cluster: 80 nodes, 640 GPUs'
ok 'fill'                       exits 0 "$gsim" fill "$tmp/parts/Node.json" \
    "$tmp/parts/Pod.json" --seeds 1 --policy binpack
ok 'whatif'                     exits 0 "$gsim" whatif "$tmp/dump.json" \
    --policy binpack --vary nodes.gpu.8x=80,96 -q
printf 'traces: dump.json\npolicies: [binpack]\n' >"$tmp/sweep.yaml"
ok 'sweep'                      exits 0 "$gsim" sweep "$tmp/sweep.yaml" \
    --db "$tmp/sweep.db" -q
printf 'runs:\n  - {name: a, trace: dump.json, policy: binpack, rules: {wait.p95: {max: 99d}}}\n' >"$tmp/suite.yaml"
ok 'gate'                       exits 0 "$gsim" validate "$tmp/suite.yaml"
"$gsim" replay "$tmp/dump.json" --limit 5 --db "$tmp/few.db" -q
is '--limit'                    "$(sqlite3 "$tmp/few.db" 'SELECT count(*) FROM jobs')" 5

# objects beside a native topology
cat >"$tmp/native.yaml" <<'EOF'
tiers: [{name: rack}]
node_types: {h100: {gpus: 8, cpu: 64, memory: 512GiB, labels: {pool: a}}}
nodes:
- {name: "gpu-[1-2]", type: h100, rack: r1}
- {name: gpu-3, type: h100, rack: r2}
EOF
pod () { # NAME SPEC [STATUS]
    printf -- '---\napiVersion: v1\nkind: Pod\nmetadata: {name: %s, creationTimestamp: "2026-01-01T01:00:00Z"}\nspec: {%s, containers: [{name: c, resources: {requests: {cpu: 1, nvidia.com/gpu: 8}}}]}\n%s\n' \
        "$1" "$2" "${3:-}"
}
terms () {
    printf 'affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: %s, operator: In, values: [%s]}]}, {matchExpressions: [{key: pool, operator: In, values: [none]}]}]}}}' "$1" "$2"
}
{
    pod runs 'nodeName: gpu-2' 'status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}'
    pod host 'nodeSelector: {kubernetes.io/hostname: gpu-1}'
    pod rack "$(terms topology.kubernetes.io/rack r2)"
    pod late "$(terms kubernetes.io/hostname gpu-3)"
    pod gone 'nodeName: gpu-7' 'status: {phase: Running, startTime: "2026-01-01T00:00:00Z"}'
} >"$tmp/beside.yaml"
ok 'a native topology'          exits 0 "$gsim" replay "$tmp/beside.yaml" \
    --topology "$tmp/native.yaml" --policy kube-default --db "$tmp/beside.db"
is '... its nodes are known'    "$(sqlite3 "$tmp/beside.db" "SELECT job, node, start FROM v_placements WHERE job <> 'default/gone' ORDER BY job" | tr '\n' ' ')" \
    'default/host|gpu-1|0.0 default/late|gpu-3|3600.0 default/rack|gpu-3|0.0 default/runs|gpu-2|0.0 '
ok '... and one that is not'    says 'where pods run whose node the source does not hold'
ok 'a tier that is not there'   exits 0 "$gsim" replay "$tmp/beside.yaml" \
    --topology "$tmp/native.yaml" --tier pool=row --no-db
ok '... is told'                says '--tier pool=row: the topology has no such tier'

# the options of import
past=tests/data/import/history/objects.json
set -- --duration 5h --tier team_pool=pool --at '2025-11-01 02:30'
ok 'import with options'        exits 0 "$gsim" import kubernetes "$past" \
    "$@" -o "$tmp/past" -q
ok '... native files'           native "$tmp/past" binpack
same 'replay with these'        "$past" "$@" --policy binpack
ok 'what was stated is stored'  [ "$(sqlite3 "$tmp/sources.db" \
    "SELECT json_extract(options, '\$.sources.duration') FROM runs")" = 18000000000 ]
ok 'validate'                   exits 0 "$gsim" validate "$past" "$@"
ok '... tells so'               prints 'time 0 is that of --at'
ok 'trace convert'              exits 0 "$gsim" trace convert "$past" "$@" \
    -o "$tmp/past/converted.yaml" -q
ok '... has the jobs'           [ "$(grep -c '^  - ' "$tmp/past/converted.yaml")" \
    = "$(grep -c '^  - ' "$tmp/past/trace.yaml")" ]
ok 'topology show'              exits 0 "$gsim" topology show "$past" "$@"
ok '... has the tier'           prints 'pool a: 3 nodes'
ok 'whatif'                     exits 0 "$gsim" whatif "$past" "$@" \
    --policy binpack --vary load=1,1.5 -q
ok 'fill'                       exits 0 "$gsim" fill "$past" "$past" \
    --duration 5h --seeds 1 -q
ok 'a date that is none'        exits 2 "$gsim" replay "$past" --at soon --no-db
ok '... is told'                says "--at is a date such as 2026-11-21 07:01:55 (got 'soon')"
ok 'no duration'                exits 2 "$gsim" replay "$past" --duration 0 --no-db
ok '... is told'                says '--duration must be more than 0'
ok 'native files'               exits 0 "$gsim" replay "$tmp/past/trace.yaml" \
    --duration 5h --no-db
ok '... have no use of them'    says 'have no effect: no objects of Kubernetes are read'
cp "$past" "$tmp/past.json"
printf 'traces: past.json\npolicies: [binpack]\nsources: {duration: 5h, at: 2025-11-01 02:30, tiers: [team_pool=pool]}\n' \
    >"$tmp/past-sweep.yaml"
ok 'sweep'                      exits 0 "$gsim" sweep "$tmp/past-sweep.yaml" \
    --db "$tmp/past-sweep.db" -q
figure () { sqlite3 "$1" "SELECT count(*), sum(value) FROM metrics WHERE name LIKE 'duration%' OR name LIKE 'jct%'"; }
is '... the same figures'       "$(figure "$tmp/past-sweep.db")" "$(figure "$tmp/sources.db")"
ok '... which are there'        [ "$(figure "$tmp/past-sweep.db")" != '0|' ]
printf 'traces: past.json\nsources: {at: soon}\n' >"$tmp/past-sweep.yaml"
ok 'a bad key of sources'       exits 3 "$gsim" validate "$tmp/past-sweep.yaml"
ok '... is told'                says "past-sweep.yaml:2:15: 'at' must be a date"
printf 'runs:\n  - {name: a, trace: past.json, policy: binpack, sources: {tiers: [team_pool=pool]}, rules: {wait.p95: {max: 99d}}}\n' >"$tmp/past-suite.yaml"
ok 'gate'                       exits 0 "$gsim" validate "$tmp/past-suite.yaml"

# --- default spreads of a configuration that is the policy ----------------------

cat >"$tmp/spreads.yaml" <<'END'
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- pluginConfig:
  - name: PodTopologySpread
    args:
      defaultingType: List
      defaultConstraints: [{topologyKey: rack, maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]
END
cat >"$tmp/service.yaml" <<'END'
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 4
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
END
for n in 1 2 3 4; do
    printf -- '---\napiVersion: v1\nkind: Node\nmetadata: {name: n%d, labels: {rack: r%d}}\nstatus: {allocatable: {cpu: 64, memory: 64Gi, pods: 110}}\n' $n $((n / 4))
done >"$tmp/racks.yaml"
spread () {                     # spread TRACE POLICY: tasks by node
    rm -f "$tmp/spreads.db"
    "$gsim" replay "$1" --topology "$tmp/racks.yaml" --tier rack --policy "$2" \
        --until 1h --db "$tmp/spreads.db" -q
    sqlite3 "$tmp/spreads.db" \
        'SELECT node, count(*) FROM v_placements GROUP BY 1' | tr '\n' ' '
}
is 'as kube-scheduler has them' "$(spread "$tmp/service.yaml" kube-default)" \
    'n1|1 n2|1 n3|1 n4|1 '
is 'as the policy lists them'   "$(spread "$tmp/service.yaml" "$tmp/spreads.yaml")" \
    'n1|1 n2|1 n4|2 '
ok 'a native trace has its own' exits 0 "$gsim" replay \
    traces/samples/service.yaml --policy "$tmp/spreads.yaml" --no-db
ok '... which is told'          says 'its queues, or defaultConstraints, have no effect here'

# --- queues of a policy: bare, in a ConfigMap, of KAI
printf 'partitions:\n- name: default\n  queues: [{name: root, queues: [{name: default, resources: {max: {vcore: 2}}}]}]\n' \
    >"$tmp/queues.yaml"
{
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: y}\ndata:\n  queues.yaml: |\n'
    sed 's/^/    /' "$tmp/queues.yaml"
} >"$tmp/map.yaml"
printf 'scheduler: {placementStrategy: binpack}\ndefaultQueue: {childResources: {cpu: {quota: -1, limit: 2000}, gpu: {limit: -1}, memory: {limit: -1}}, parentResources: {cpu: {quota: -1, limit: -1}, gpu: {limit: -1}, memory: {limit: -1}}}\n' \
    >"$tmp/values.yaml"
sed 's/web}$/web, labels: {queue: root.default, kai.scheduler\/queue: default-queue}}/' "$tmp/service.yaml" >"$tmp/queued.yaml"
running () {                    # running POLICY: tasks that run
    rm -f "$tmp/queues.db"
    "$gsim" replay "$tmp/queued.yaml" --topology "$tmp/racks.yaml" --policy "$1" \
        --until 1h --db "$tmp/queues.db" -q
    sqlite3 "$tmp/queues.db" 'SELECT count(*) FROM v_placements'
}
is 'a limit of 2 of 4 CPUs'     "$(running "$tmp/queues.yaml")" 2
is '... in a ConfigMap'         "$(running "$tmp/map.yaml")" 2
is '... in values of Helm'      "$(running "$tmp/values.yaml")" 2
# --- ... for a native trace and for accounting of Slurm, which state none
{
    printf 'partitions:\n- name: default\n  placementrules:\n'
    printf '  - {name: provided, create: false}\n'
    printf '  - {name: tag, value: namespace, create: true, parent: {name: fixed, value: teams}}\n'
    printf '  queues:\n  - name: root\n    submitacl: "*"\n    queues:\n'
    printf '    - {name: a, resources: {max: {vcore: 2}}}\n'
    printf '    - {name: teams, parent: true, childtemplate: {resources: {max: {vcore: 3}}}}\n'
} >"$tmp/teams.yaml"
cat >"$tmp/named.yaml" <<EOF
jobs:
  - {name: x, queue: root.A, submit: 0s, duration: 1h, cpu: 2}
  - {name: y, queue: root/a, submit: 0s, duration: 1h, cpu: 1}
  - {name: z, queue: a, submit: 0s, duration: 1h, cpu: 1}
  - {name: lab/u, submit: 0s, duration: 1h, cpu: 3}
  - {name: lab/v, queue: none, submit: 0s, duration: 1h, cpu: 1}
EOF
placed () {                     # placed TRACE POLICY: queue and start of each job
    rm -f "$tmp/named.db"
    "$gsim" replay "$1" --topology "$tmp/roomy.yaml" --policy "$2" --db "$tmp/named.db" -q
    sqlite3 "$tmp/named.db" 'SELECT name, queue, start FROM v_jobs ORDER BY job' | tr '\n' ' '
}
printf 'node_types: {n: {cpu: 64, memory: 64Gi}}\nnodes: [{name: "n[1-2]", type: n}]\n' >"$tmp/roomy.yaml"
is 'placement rules and templates of YuniKorn' "$(placed "$tmp/named.yaml" "$tmp/teams.yaml")" \
    'x|root/a|0.0 y|root/a|3600.0 z|root/a|3600.0 lab/u|root/teams/lab|0.0 lab/v|root/teams/lab|3600.0 '
ok '... which is told'          exits 0 "$gsim" replay "$tmp/named.yaml" \
    --topology "$tmp/roomy.yaml" --policy "$tmp/teams.yaml" --no-db
ok '... with their number'      says "teams.yaml: the trace states no queues: it takes the 3 of this policy"
sed '/name: tag/d' "$tmp/teams.yaml" >"$tmp/rejects.yaml"
is 'jobs that they reject'      "$(placed "$tmp/named.yaml" "$tmp/rejects.yaml")" \
    'x|root/a|0.0 y|root/a|3600.0 z|root/a|3600.0 lab/u|rejected|0.0 lab/v|rejected|0.0 '
ok '... which are told'         exits 0 "$gsim" replay "$tmp/named.yaml" \
    --topology "$tmp/roomy.yaml" --policy "$tmp/rejects.yaml" --no-db
ok '... in one line'            says "rejects.yaml: 2 jobs that its placement rules reject are in queue 'rejected', the first is lab/u"
{
    sed 's/^  - {name: [yz].*//' "$tmp/named.yaml"
    echo 'queues: [{name: root.A}, {name: none}]'
} >"$tmp/stated.yaml"
is 'a trace that states queues keeps them' "$(placed "$tmp/stated.yaml" "$tmp/teams.yaml")" \
    'x|root.A|0.0 lab/u|default|0.0 lab/v|none|0.0 '
cat >"$tmp/cohort.yaml" <<EOF
apiVersion: kueue.x-k8s.io/v1beta1
kind: ResourceFlavor
metadata: {name: any}
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: a}
spec:
  cohort: all
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: any, resources: [{name: cpu, nominalQuota: 2}]}]
---
apiVersion: kueue.x-k8s.io/v1beta1
kind: LocalQueue
metadata: {name: own, namespace: lab}
spec: {clusterQueue: a}
EOF
cat >"$tmp/local.yaml" <<EOF
jobs:
  - {name: lab/x, queue: own, submit: 0s, duration: 1h, cpu: 2}
  - {name: y, queue: lab/own, submit: 0s, duration: 1h, cpu: 1}
  - {name: z, queue: a, submit: 0s, duration: 1h, cpu: 1}
  - {name: u, queue: all/a, submit: 0s, duration: 1h, cpu: 2}
  - {name: v, queue: own, submit: 0s, duration: 1h, cpu: 2}
EOF
is 'LocalQueues and ClusterQueues of Kueue' "$(placed "$tmp/local.yaml" "$tmp/cohort.yaml")" \
    'lab/x|all/a|0.0 y|all/a|3600.0 z|all/a|3600.0 u|all/a|7200.0 v|own|0.0 '
ok '... whose preset serves'    exits 0 "$gsim" replay "$tmp/local.yaml" \
    --topology "$tmp/roomy.yaml" --policy "$tmp/cohort.yaml" --no-db
ok '... which is told'          says 'cohort.yaml: holds queues and no configuration: preset kueue serves them'
ok '... as a queue that it has not' says "cohort.yaml: queue 'own' of the trace is none of these: weight 1, no limits"
printf 'JobID|Submit|Start|End|State|NNodes|NCPUS|ReqTRES|Account|User\n1|2026-11-22T18:00:00|2026-11-22T18:00:00|2026-11-22T19:00:00|COMPLETED|1|2|cpu=2,node=1|a|u\n2|2026-11-22T18:00:00|2026-11-22T19:00:00|2026-11-22T20:00:00|COMPLETED|1|1|cpu=1,node=1|a|u\n' \
    >"$tmp/sacct.txt"
is 'accounts of Slurm that name queues' "$(placed "$tmp/sacct.txt" "$tmp/teams.yaml")" \
    '1|root/a|0.0 2|root/a|3600.0 '

# --- quotas of namespaces, and partitions
space () {                      # space NAME ANNOTATIONS: a namespace and a job of it
    printf 'apiVersion: v1\nkind: Namespace\nmetadata: {name: %s, annotations: {%s}}\n---\n' "$1" "$2"
    printf 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: %s, creationTimestamp: "2026-11-16T08:00:00Z"}\n' "$1"
    printf 'spec: {template: {spec: {schedulerName: yunikorn, containers: [{name: m, resources: {requests: {cpu: 2}}}]}}}\n---\n'
}
y=yunikorn.apache.org
{
    space own "$y/namespace.quota: '{\"cpu\": \"3\", \"memory\": \"1Gi\"}', $y/namespace.max.cpu: \"9\", $y/namespace.maxApps: \"2\""
    space old "$y/namespace.max.cpu: 1500m, $y/namespace.guaranteed: '{\"cpu\": \"1\"}'"
    space bad "$y/namespace.quota: '{\"cpu\": 4}', $y/namespace.max.cpu: \"9\""
    space sub "$y/parentqueue: root.teams.b, $y/namespace.maxApps: \"7\""
    cat "$tmp/teams.yaml"
} | sed 's/parent: {name: fixed, value: teams}/parent: {name: tag, value: namespace.parentqueue, create: true}/
         s/- {name: a, resources.*/- {name: a}/
         /provided/d
         s/^  queues:/  - {name: tag, value: namespace, create: true, parent: {name: fixed, value: teams}}\n  queues:/' \
    >"$tmp/spaces.yaml"
sed 's/childtemplate: {/&maxapplications: 4, /' "$tmp/spaces.yaml" >"$tmp/spaces2.yaml"
rm -rf "$tmp/spaces"
exits 0 "$gsim" import kubernetes "$tmp/spaces2.yaml" -o "$tmp/spaces" >/dev/null
is 'namespaces state the terms of queues that rules make' \
    "$(grep 'root/teams/' "$tmp/spaces/trace.yaml" | grep weight)" \
'  - {name: root/teams/b, weight: 1}
  - {name: root/teams/b/sub, weight: 1, limit: {cpu: 3}, max_jobs: 7}
  - {name: root/teams/bad, weight: 1, limit: {cpu: 3}, max_jobs: 4}
  - {name: root/teams/old, weight: 1, guarantee: {cpu: 1}, limit: {cpu: 1.5}, max_jobs: 4}
  - {name: root/teams/own, weight: 1, limit: {cpu: 3, memory: 1GiB}, max_jobs: 2}'
{
    cat "$tmp/teams.yaml"
    printf -- '- name: gpu\n  queues: [{name: root}]\n'
} >"$tmp/partitions.yaml"
ok 'two partitions'             exits 0 "$gsim" replay "$tmp/named.yaml" \
    --topology "$tmp/roomy.yaml" --policy "$tmp/partitions.yaml" --no-db
ok '... one is used, which is told' says "no effect here: partition 'gpu': Kubernetes uses one, 'default'"
sed 's/name: default/name: other/' "$tmp/partitions.yaml" >"$tmp/others.yaml"
ok '... none is the one'        exits 3 "$gsim" replay "$tmp/named.yaml" \
    --topology "$tmp/roomy.yaml" --policy "$tmp/others.yaml" --no-db
ok '... which is told'          says "others.yaml:2:3: none of 2 partitions is called 'default', the one that Kubernetes uses"

# --- of two policies
ok 'two policies with queues'   exits 0 "$gsim" replay "$tmp/queued.yaml" \
    --topology "$tmp/racks.yaml" --policy "$tmp/queues.yaml" --policy "$tmp/map.yaml" --until 1h --no-db
ok '... the first has them'     says "map.yaml: its queues, or defaultConstraints, have no effect: the trace has those of $tmp/queues.yaml"

done_testing
