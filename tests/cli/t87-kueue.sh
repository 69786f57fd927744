#!/bin/sh
# The loads of Kueue's scalability tests under preset kueue, held to what Kueue asks of
# itself; and the example of docs/kueue.md.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

for load in baseline large-scale topology; do
    policy=kueue
    perl scripts/kueue-load "$load" >"$tmp/$load.yaml"
    ok "$load: it is read"      exits 0 "$gsim" import kubernetes "$tmp/$load.yaml" \
        -o "$tmp/$load"
    [ ! -f "$tmp/$load/profile.yaml" ] || policy=$tmp/$load/profile.yaml
    ok '... and replayed'       exits 0 "$gsim" replay "$tmp/$load/trace.yaml" \
        --policy "$policy" --db "$tmp/$load.db" -q
    ok '... within the thresholds of its rangespec' \
        exits 0 "$gsim" gate "$tmp/$load.db" --rules "examples/kueue/$load.rules.yaml"
done
printf 'cmd: {maxWallMs: 1}\nwlClassesMaxAvgTimeToAdmissionMs: {medium: 90_000, small: 1_000}\n' >"$tmp/range.yaml"
ok 'a rangespec gates as it is' exits 1 "$gsim" gate "$tmp/baseline.db" --rules "$tmp/range.yaml"
ok '... by class'               grep -Eq 'qos=small\].*BROKEN.*max: 1000ms' "$out"
ok '... at its lines'           says 'range.yaml:2:'
ok '... and the rest is told'   says "no metric of a run is compared with 'cmd'"
ok '... it is validated'        exits 0 "$gsim" validate "$tmp/range.yaml"
printf 'wlClassesMaxAvgTimeToAdmissionMs: {small: soon}\n' >"$tmp/range.yaml"
ok '... a word is no time'      exits 3 "$gsim" gate "$tmp/baseline.db" --rules "$tmp/range.yaml"
ok '... which is told'          says "range.yaml:1:43: a threshold of"
ok 'the topology has a profile' grep -q 'by: domains' "$tmp/topology/profile.yaml"

# 2 + 4 of the 8 CPUs of spot are held at time 0: `evicted` (8) gets on-demand, `next` (3)
# waits until the 2 of `held` are free
admitted=tests/data/import/kueue-admitted
ok 'admitted Workloads'         exits 0 "$gsim" replay $admitted/objects.yaml \
    --policy kueue --db "$tmp/admitted.db" -q
is '... hold their flavors at time 0' "$(sqlite3 "$tmp/admitted.db" \
    'SELECT name, start FROM v_jobs ORDER BY job' | tr '\n' ' ')" \
    'team/held|0.0 team/owned|0.0 team/evicted|0.0 team/next|3600.0 '

# objects NAME WHAT - the objects of kueue-NAME, imported, and replayed as $tmp/NAME.db
objects () {
    ok "$2"                     exits 0 "$gsim" import kubernetes \
        "tests/data/import/kueue-$1/objects.yaml" -o "$tmp/$1" -q
    ok '... are replayed'       exits 0 "$gsim" replay "$tmp/$1/trace.yaml" \
        --policy "$tmp/$1/profile.yaml" --db "$tmp/$1.db" -q
}

# Workloads without pods stand where their topologyAssignment says: driver and workers of
# `slices`, `domains`, the one of Job `owned`; `partly` with the pods that it asks for
objects assigned 'assigned nodes'
is '... hold the pods at time 0' "$(sqlite3 "$tmp/assigned.db" \
    'SELECT job, task_group, node, sum(tasks) FROM v_placements
     WHERE job NOT LIKE "%racks" GROUP BY 1, 2, 3 ORDER BY 1, 2, 3' \
    | sed 's/team.//' | tr '\n' ' ')" \
    'domains|0|n2|1 domains|0|n3|2 owned|0|n4|2 partly|0|n1|3 slices|0|n1|1 slices|1|n1|1 slices|1|n2|2 slices|1|n3|1 slices|1|n4|1 '

# a node that has shrunk below them has what the pods assigned to it ask for
for shrunk in 'cpu: 10, pods: 2' 'cpu: 1, pods: 110'; do
    sed "s/cpu: 10, pods: 110/$shrunk/" tests/data/import/kueue-assigned/objects.yaml \
        >"$tmp/shrunk.yaml"
    ok "nodes of $shrunk"       exits 0 "$gsim" import kubernetes "$tmp/shrunk.yaml" \
        -o "$tmp/shrunk" -q
    ok '... are told'           grep -q 'pods ask for more .* than they have' "$tmp/shrunk/account.txt"
    is '... with no pod left out' "$(grep -c 'has no room' "$tmp/shrunk/account.txt")" 0
    ok '... are replayed'       exits 0 "$gsim" replay "$tmp/shrunk/trace.yaml" \
        --policy "$tmp/shrunk/profile.yaml" --db "$tmp/shrunk.db" --replace -q
    is '... and hold the pods'  "$(sqlite3 "$tmp/shrunk.db" \
        "SELECT sum(tasks) FROM v_placements WHERE start = 0 AND job NOT LIKE '%racks'")" \
        "$(sqlite3 "$tmp/assigned.db" \
        "SELECT sum(tasks) FROM v_placements WHERE start = 0 AND job NOT LIKE '%racks'")"
done

# the flavor that a Workload holds is one that its ClusterQueue, or the source, has not
sed 's/name: spot, resources/name: other, resources/' $admitted/objects.yaml >"$tmp/less.yaml"
ok 'a flavor that is taken away' exits 0 "$gsim" import kubernetes "$tmp/less.yaml" -o "$tmp/less" -q
ok '... from its queue is told' grep -q "flavor 'spot' of a Workload: its queue no longer has it.*less.yaml:[0-9]" \
    "$tmp/less/account.txt"
sed '/^kind: ResourceFlavor/,/^---/s/name: spot/name: other/' "$tmp/less.yaml" >"$tmp/none.yaml"
ok '... from the source, too'   exits 0 "$gsim" import kubernetes "$tmp/none.yaml" -o "$tmp/less" -q
ok '... is told'                grep -q "flavor 'spot' of a Workload: the source does not.*none.yaml:[0-9]" \
    "$tmp/less/account.txt"

# of victims that are equal otherwise the one that came last where newer ones are evicted,
# the one that got its quota last where one borrows
objects ages 'times before time 0'
is '... decide between victims' "$(sqlite3 "$tmp/ages.db" \
    'SELECT DISTINCT job FROM v_placements WHERE start = 0 AND end > 0 ORDER BY job' \
    | sed 's/team.//' | tr '\n' ' ')" 'between first old owner '

# of flavors with and without a topology tasks have those that are for them: hosts h1 and h2
# with one, l1 without
objects mixed 'flavors of both sorts'
is '... by the topology asked for' "$(sqlite3 "$tmp/mixed.db" \
    'SELECT job, task_group, node FROM v_placements ORDER BY 1, 2' \
    | sed 's/team.//' | tr '\n' ' ')" \
    'asks|0|h1 asks-not|0|l1 both|0|l1 both|1|h1 counted|0|h1 implied|0|h1 '

# each podSet of `apart` (3 and 2 nodes of 3) has a rack of its own; `joined` runs when it
# has ended: its leader and workers in one rack, eval (2) in the other; the workers of
# `sliced` are one slice, for which the node of their leader has no room
objects podsets 'podSets with topologies'
is '... each in a rack of its own' "$(sqlite3 "$tmp/podsets.db" \
    'SELECT job, node FROM placements ORDER BY job, node' | tr '\n' ' ')" \
    '0|0 0|1 0|2 0|3 0|4 1|0 1|1 1|2 1|3 1|4 2|0 2|0 2|1 2|2 2|3 2|3 2|4 2|5 3|0 3|0 3|1 3|2 4|3 4|4 '

# a ClusterQueue one of whose flavors has no object admits nothing
sed 's/^\(metadata: {name: any}\)$/metadata: {name: other}/' docs/kueue.md \
    | sed -n '/^<!-- file: lab.yaml/,/^```$/p' | grep -v -e '^```' -e '^<!--' >"$tmp/none.yaml"
ok 'a flavor without an object' exits 0 "$gsim" import kubernetes "$tmp/none.yaml" \
    -o "$tmp/none"
ok '... is told'                grep -q "queue 'team-a': its flavor 'any' has no" "$out"
ok '... its queues admit nothing' exits 0 "$gsim" replay "$tmp/none/trace.yaml" --policy kueue \
    --db "$tmp/none.db" -q
is '... so that no job starts'  "$(sqlite3 "$tmp/none.db" \
    'SELECT count(*) FROM v_jobs WHERE start IS NOT NULL')" 0

# cluster_queue CPUS - ClusterQueue x of the flavor `any`, and its LocalQueue q
cluster_queue() {
    cat <<END
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: x}
spec:
  namespaceSelector: {}
  resourceGroups:
    - {coveredResources: [cpu], flavors: [{name: any, resources: [{name: cpu, nominalQuota: $1}]}]}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q, namespace: a}, spec: {clusterQueue: x}}
END
}

# a queue of 8 CPUs admits 8 pods of `part`, and none of `more`, whose completions are more
# than its pods
part=$tmp/part.yaml
{
    echo '{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}'
    echo ---
    cluster_queue 8
    cat <<'END'
---
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: 16, pods: "110"}}}
END
} >"$part"
for name in part more; do
    cat >>"$part" <<END
---
apiVersion: batch/v1
kind: Job
metadata:
  name: $name
  namespace: a
  labels: {kueue.x-k8s.io/queue-name: q}
  annotations: {kueue.x-k8s.io/job-min-parallelism: "4"}
spec:
  parallelism: 12
  completions: $([ $name = part ] && echo 12 || echo 20)
  template:
    metadata: {annotations: {gsim/duration: 10m}}
    spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}
END
done
ok 'job-min-parallelism'        exits 0 "$gsim" import kubernetes "$part" -o "$tmp/part"
ok '... of more completions than pods is told' grep -q 'job-min-parallelism of a Job whose' "$out"
ok '... is replayed'            exits 0 "$gsim" replay "$tmp/part/trace.yaml" --policy kueue \
    --db "$tmp/part.db" -q
is '... with as many pods as fit' "$(sqlite3 "$tmp/part.db" \
    'SELECT job, sum(tasks) FROM v_placements GROUP BY job' | tr '\n' ' ')" 'a/part|8 '

# 6 of 8 CPUs are those of `held`, whose LocalQueue is stopped, or gone: `late` (4) waits until it
# has ended; `lost` names no LocalQueue, `astray` one of a ClusterQueue that is not there
for queue in q gone; do
    held=$tmp/held-$queue.yaml
    sed '/^apiVersion: batch/,$d' "$part" | sed "s/spec: {clusterQueue: x}/spec: {clusterQueue: x, stopPolicy: Hold}/" >"$held"
    cat >>"$held" <<END
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: open, namespace: a}, spec: {clusterQueue: x}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: far, namespace: a}, spec: {clusterQueue: y}}
END
    for name in held:$queue late:open lost:none astray:far; do
        cat >>"$held" <<END
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: ${name%:*}, namespace: a}
spec:
  queueName: ${name#*:}
  podSets:
    - name: main
      count: $([ "${name%:*}" = held ] && echo 6 || echo 4)
      template:
        metadata: {annotations: {gsim/duration: 10m}}
        spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}
END
        [ "${name%:*}" != held ] || cat >>"$held" <<END
status:
  admission:
    clusterQueue: x
    podSetAssignments: [{name: main, count: 6, flavors: {cpu: any}, resourceUsage: {cpu: "6"}}]
  conditions: [{type: QuotaReserved, status: "True"}, {type: Admitted, status: "True"}]
END
    done
    ok "admitted, of queue $queue" exits 0 "$gsim" import kubernetes "$held" -o "$tmp/held"
    ok '... no LocalQueue is told' grep -q 'workloads of a LocalQueue without an object' "$out"
    ok '... no ClusterQueue is told' grep -q "queue 'y': its ClusterQueue has no object" "$out"
    ok '... is replayed'        exits 0 "$gsim" replay "$tmp/held/trace.yaml" --policy kueue \
        --db "$tmp/held-$queue.db" -q
    is '... it holds quota of its ClusterQueue' "$(sqlite3 "$tmp/held-$queue.db" \
        'SELECT name, start FROM v_jobs ORDER BY name' | tr '\n' ' ')" \
        'a/astray| a/held|0.0 a/late|600.0 '
done

# of five Workloads of three pods on two nodes of two CPUs in a rack only `fine` is taken
asks=$tmp/asks.yaml
cat >"$asks" <<'END'
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: t}, spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}, spec: {nodeLabels: {all: "yes"}, topologyName: t}}
---
END
cluster_queue 80 >>"$asks"
for name in n1 n2; do
    printf -- '---\n{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {all: "yes", rack: r, kubernetes.io/hostname: %s}}, status: {allocatable: {cpu: 2, pods: "110"}}}\n' \
        $name $name >>"$asks"
done
while read -r name asked; do
    cat >>"$asks" <<END
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: $name, namespace: a}
spec:
  queueName: q
  podSets:
    - name: main
      count: 3
      topologyRequest: $asked
      template:
        metadata: {annotations: {gsim/duration: 10m}}
        spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}
END
done <<'END'
fine {required: rack, podSetSliceRequiredTopology: kubernetes.io/hostname, podSetSliceSize: 1}
far {required: zone}
size {required: rack, podSetSliceRequiredTopology: kubernetes.io/hostname}
above {required: kubernetes.io/hostname, podSetSliceRequiredTopology: rack, podSetSliceSize: 1}
slice {required: rack, podSetSliceRequiredTopology: zone, podSetSliceSize: 1}
END
ok 'topologies that Kueue refuses' exits 0 "$gsim" import kubernetes "$asks" -o "$tmp/asks"
ok '... are told'               grep -q 'topology that Kueue refuses.* and 3 more' "$out"
ok '... with a profile that asks for room' grep -q 'with_room: yes' "$tmp/asks/profile.yaml"
ok '... is replayed'            exits 0 "$gsim" replay "$tmp/asks/trace.yaml" \
    --policy "$tmp/asks/profile.yaml" --db "$tmp/asks.db" -q
is '... none of them runs'      "$(sqlite3 "$tmp/asks.db" \
    'SELECT job, sum(tasks) FROM v_placements GROUP BY job' | tr '\n' ' ')" 'a/fine|3 '

# what waits for pods is the timeout where recoveryTimeout is not stated
printf '%s\n' 'apiVersion: config.kueue.x-k8s.io/v1beta2' 'kind: Configuration' \
    'waitForPodsReady: {timeout: 5m, requeuingStrategy: {timestamp: Never}}' >"$tmp/config.yaml"
ok 'waitForPodsReady'           exits 0 "$gsim" import kubernetes "$part" "$tmp/config.yaml" \
    -o "$tmp/ready"
ok '... recovers in its timeout' grep -q 'ready: 300000ms.*requeue: last.*recovery: 300000ms' \
    "$tmp/ready/profile.yaml"
ok '... a timestamp that is none is told' grep -q 'timestamp that is not Eviction or Creation' "$out"

# slices in slices, as an annotation lists them
gates=tests/data/import/kueue-gates/objects.yaml
sed -e 's/\(TopologyAwareScheduling\|TASBalancedPlacement\): .*/\1: true/' -e "s|kueue.x-k8s.io/podset-required-topology: .*}}\$|\
kueue.x-k8s.io/podset-slice-required-topology-constraints: \
'[{\"topology\": \"example.com/rack\", \"size\": 5}, {\"topology\": \"kubernetes.io/hostname\", \"size\": 1}]'}}|" \
    $gates >"$tmp/layers.yaml"
ok 'layers of slices'           exits 0 "$gsim" import kubernetes "$tmp/layers.yaml" -o "$tmp/layers"
ok '... are slices'             grep -q 'slices: \[{size: 5, within: rack}, {size: 1, within: node}\]' \
    "$tmp/layers/trace.yaml"
sed 's/PriorityBoost: .*/TASMultiLayerTopology: false/' "$tmp/layers.yaml" >"$tmp/flat.yaml"
ok '... with their gate shut'   exits 0 "$gsim" import kubernetes "$tmp/flat.yaml" -o "$tmp/flat"
is '... are none'               "$(grep -c 'slices: ' "$tmp/flat/trace.yaml")" 0

# a LeaderWorkerSet without a leaderTemplate is one podSet of 3 pods, one with it two; a node
# without the label of a level is of no flavor with that Topology
lws=$tmp/lws.yaml
{
    sed -n '/^kind: Topology/,/^kind: LocalQueue/p' $gates | sed -e '1i apiVersion: kueue.x-k8s.io/v1beta2'
    cat <<'END'
metadata: {name: mine, namespace: team}
spec: {clusterQueue: lab}
END
    for node in 'n1 example.com/rack: r1, kubernetes.io/hostname: n1' \
        'n2 example.com/rack: r2, kubernetes.io/hostname: n2' 'n3 example.com/rack: r2' \
        'n4 kubernetes.io/hostname: n4'; do
        echo "---
{apiVersion: v1, kind: Node, metadata: {name: ${node%% *}, labels: {pool: batch, ${node#* }}},
 status: {allocatable: {cpu: 4, pods: 110}}}"
    done
    for set in a b; do
        cat <<END
---
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata: {name: $set, namespace: team, labels: {kueue.x-k8s.io/queue-name: mine}}
spec:
  leaderWorkerTemplate:
    size: 3
    workerTemplate: &pods
      metadata: {annotations: {kueue.x-k8s.io/podset-unconstrained-topology: "true"}}
      spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}
END
        [ $set = a ] || echo '    leaderTemplate: *pods'
    done
} >"$lws"
ok 'LeaderWorkerSets'           exits 0 "$gsim" import kubernetes "$lws" -o "$tmp/lws"
ok '... one without a leader'   grep -q 'name: team/a,.*topology: {mode: unconstrained}.* replicas: 3,' \
    "$tmp/lws/trace.yaml"
ok '... one with it'            grep -q 'name: team/b,.*replicas: 1, name: leader, topology:' \
    "$tmp/lws/trace.yaml"
ok '... nodes that lack a level are told' grep -q "nodes without a label of Topology 'default'" "$out"
ok '... are replayed'           exits 0 "$gsim" replay "$tmp/lws/trace.yaml" --until 1h \
    --policy "$tmp/lws/profile.yaml" --db "$tmp/lws.db" -q
is '... on the nodes of the flavor' "$(sqlite3 "$tmp/lws.db" \
    'SELECT node, sum(tasks) FROM v_placements GROUP BY node' | tr '\n' ' ')" 'n1|4 n2|2 '

# train (12 CPUs, class 1000) is before the pods of web (6 each), of which two fit then
ok 'manifests of several kinds' exits 0 "$gsim" replay \
    tests/data/import/kueue-manifests/objects.yaml --policy kueue --until 1h \
    --db "$tmp/manifests.db" -q
is '... are admitted as there'  "$(sqlite3 "$tmp/manifests.db" \
    'SELECT name, start FROM v_jobs ORDER BY job' | tr '\n' ' ')" \
    'team/web-0|1200.0 team/web-1|1200.0 team/web-2| team/train|0.0 '

# 4 of 8 CPUs each: the second one of LocalQueue q comes after the first of r
fair=$tmp/fair.yaml
{
    sed '/^---$/,$!d' "$part" | sed '1d;/^apiVersion: batch/,$d' | sed 's/^spec:$/spec:\n  admissionScope: {admissionMode: UsageBasedAdmissionFairSharing}/'
    cat <<'END'
{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: r, namespace: a}, spec: {clusterQueue: x},
 status: {fairSharing: {weightedShare: 1, admissionFairSharingStatus: {consumedResources: {memory: 0, cpu: 2}}}}}
---
apiVersion: config.kueue.x-k8s.io/v1beta2
kind: Configuration
admissionFairSharing: {usageHalfLifeTime: 10s, usageSamplingInterval: 1s, resourceWeights: {cpu: 2}}
END
    for job in q1:q q2:q r1:r; do
        cat <<END
---
apiVersion: batch/v1
kind: Job
metadata: {name: ${job%:*}, namespace: a, labels: {kueue.x-k8s.io/queue-name: ${job#*:}}}
spec:
  parallelism: 4
  completions: 4
  template: {spec: {containers: [{name: main, resources: {requests: {cpu: 1}}}]}}
END
    done
} >"$fair"
ok 'admissionFairSharing'       exits 0 "$gsim" import kubernetes "$fair" -o "$tmp/fair"
ok '... what was used before is told' grep -q 'what a LocalQueue used before time 0' "$out"
ok '... is a module of the profile' grep -q 'account-usage: {order: fifo,.*memory: 1073741824' \
    "$tmp/fair/profile.yaml"
ok '... is replayed'            exits 0 "$gsim" replay "$tmp/fair/trace.yaml" \
    --policy "$tmp/fair/profile.yaml" --until 1m --db "$tmp/fair.db" -q
is '... the LocalQueue that used less is first' "$(sqlite3 "$tmp/fair.db" \
    'SELECT name, start FROM v_jobs ORDER BY name' | tr '\n' ' ')" 'a/q1|0.0 a/q2| a/r1|0.0 '

# a Configuration that is read without the objects, and the preset, know no Topologies
printf 'apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n' >"$tmp/conf.yaml"
for policy in "$tmp/conf.yaml" kueue; do
    ok "Topologies under ${policy##*/}" exits 0 "$gsim" replay \
        tests/data/import/kueue-mixed/objects.yaml --policy "$policy" --until 1m --db "$tmp/without.db" --replace
    ok '... are told'           says "$policy: Topologies of the flavors have no effect"
done
ok 'objects without them'       exits 0 "$gsim" replay tests/data/import/kueue-ages/objects.yaml \
    --policy kueue --until 1m --db "$tmp/without.db" --replace
is '... have no such note'      "$(grep -c Topologies "$errs")" 0
sed 's/cpu: 16/cpu: 16, gpu: 8/; s/requests: {cpu: 1}/requests: {cpu: 1, gpu: 2}/' \
    tests/data/import/kueue-ages/objects.yaml >"$tmp/gpu.yaml"
ok 'resource gpu'               exits 0 "$gsim" import kubernetes "$tmp/gpu.yaml" -o "$tmp/gpu" -q
is '... is devices'             "$(grep -c 'gpus: 2' "$tmp/gpu/trace.yaml") $(grep -c 'gpus: 8' "$tmp/gpu/topology.yaml")" '6 1'

# a job that no node could run is the head of its queue: with `unfit: wait` it blocks the
# one behind it, else it is rejected
cat >"$tmp/one.yaml" <<'END'
node_types: {c4: {cpu: 4}}
nodes: [{name: n1, type: c4}]
END
cat >"$tmp/unfit.yaml" <<'END'
topology: one.yaml
queues: [{name: q, guarantee: {cpu: 100}, head_blocks: true}]
jobs:
  - {name: large, submit: 0, duration: 1h, queue: q, cpu: 8}
  - {name: small, submit: 1s, duration: 1h, queue: q, cpu: 1}
END
ok 'a job that no node fits'    exits 0 "$gsim" replay "$tmp/unfit.yaml" --policy "$tmp/mixed/profile.yaml" \
    --until 1m --db "$tmp/unfit.db" -q
is '... blocks its queue'       "$(sqlite3 "$tmp/unfit.db" 'SELECT name, state FROM v_jobs ORDER BY job' \
    | tr '\n' ' ')" 'large|pending small|pending '
ok '... or is rejected'         exits 0 "$gsim" replay "$tmp/unfit.yaml" --policy "$tmp/mixed/profile.yaml" \
    --set quota.unfit=reject --until 1m --db "$tmp/reject.db" -q
is '... and blocks none'        "$(sqlite3 "$tmp/reject.db" 'SELECT name, state FROM v_jobs ORDER BY job' \
    | tr '\n' ' ')" 'large|rejected small|running '

# one that an empty cluster could not hold keeps no quota from others of its cohort
sed 's/n1/"n[1-2]"/' "$tmp/one.yaml" >"$tmp/pairs.yaml"
cat >"$tmp/cohort.yaml" <<'END'
topology: pairs.yaml
queues: [{name: co}, {name: co/a, guarantee: {cpu: 4}}, {name: co/b, guarantee: {cpu: 4}}]
jobs:
  - {name: large, submit: 0, duration: 1h, queue: co/a, priority: 1, cpu: 5}
  - {name: wide, submit: 0, duration: 1h, queue: co/b, replicas: 2, cpu: 3}
END
ok 'a job that no node fits'    exits 0 "$gsim" replay "$tmp/cohort.yaml" --policy "$tmp/mixed/profile.yaml" \
    --until 1m --db "$tmp/cohort.db" -q
is '... reserves no quota'      "$(sqlite3 "$tmp/cohort.db" 'SELECT name, state FROM v_jobs ORDER BY job' \
    | tr '\n' ' ')" 'large|pending wide|running '

# both fit before the round; `first` takes quota and the node of `next`, which is not set aside
# for want of room, but has the other flavor in the next round
cat >"$tmp/n2.yaml" <<'END'
node_types: {c4: {cpu: 4}}
nodes: [{name: n1, type: c4, labels: {f: a}}, {name: n2, type: c4, labels: {f: b}}]
END
cat >"$tmp/turns.yaml" <<'END'
topology: n2.yaml
flavors: [{name: a, nodes: {f: a}}, {name: b, nodes: {f: b}}]
queues:
  - {name: co}
  - {name: co/x, flavors: [{name: a, guarantee: {cpu: 4}}, {name: b, guarantee: {cpu: 2}}]}
  - {name: co/y, flavors: [{name: a, guarantee: {cpu: 0}}, {name: b, guarantee: {cpu: 2}}]}
jobs:
  - {name: first, submit: 0, duration: 1h, queue: co/x, cpu: 2}
  - {name: next, submit: 0, duration: 1h, queue: co/y, replicas: 3, cpu: 1}
END
ok 'a job whose quota others took' exits 0 "$gsim" replay "$tmp/turns.yaml" \
    --policy "$tmp/mixed/profile.yaml" --until 1m --db "$tmp/turns.db" -q
is '... goes on with its next flavor' "$(sqlite3 "$tmp/turns.db" \
    'SELECT job, node FROM v_placements ORDER BY 1' | tr '\n' ' ')" 'first|n1 next|n2 '

# two kinds that share a domain have the nodes of their own flavors: quota for the three of p1
# has fb only, whose node holds one
cat >"$tmp/two.yaml" <<'END'
tiers: [{name: block}, {name: node}]
node_types: {a: {cpu: 8, gpus: 8}, b: {cpu: 4, gpus: 2}}
nodes:
  - {name: x, type: a, block: ab, labels: {pool: a}}
  - {name: y, type: b, block: bb, labels: {pool: b}}
END
for tasks in 3 1; do
    cat >"$tmp/pair$tasks.yaml" <<END
topology: two.yaml
flavors: [{name: fa, nodes: {pool: a}}, {name: fb, nodes: {pool: b}}]
queues: [{name: q, flavors: [{name: fa, guarantee: {cpu: 3, gpu: 2}}, {name: fb, guarantee: {cpu: 8, gpu: 50}}]}]
jobs:
  - {name: j, submit: 0, duration: 1h, queue: q, topology: {within: block, mode: preferred},
     tasks: [{replicas: 1, name: p0, gpus: 1, cpu: 3}, {replicas: $tasks, name: p1, gpus: 2, cpu: 1}]}
END
    ok "a pair of 1 and $tasks" exits 0 "$gsim" replay "$tmp/pair$tasks.yaml" --policy "$tmp/mixed/profile.yaml" \
        --until 1m --db "$tmp/pair$tasks.db" -q
done
is '... waits where one finds no room' "$(sqlite3 "$tmp/pair3.db" 'SELECT state FROM v_jobs')" pending
is '... has the nodes of its flavors' "$(sqlite3 "$tmp/pair1.db" \
    'SELECT task_group, node FROM v_placements ORDER BY 1' | tr '\n' ' ')" '0|x 1|y '

done_testing
