#!/bin/sh
# --anonymize: other names, the same decisions.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

rows () {                       # rows TRACE TOPOLOGY: all but texts
    rm -f "$tmp/r.db"
    "$gsim" replay "$1" ${2:+--topology "$2"} --policy volcano --run r \
        --db "$tmp/r.db" --events -q </dev/null 2>"$errs" || return
    sqlite3 "$tmp/r.db" .dump | grep -v '^INSERT INTO runs VALUES' \
        | sed "s/'[^']*'/''/g"
}

same () {                       # same NAME TRACE OTHER [TOPOLOGY]
    rows "$2" "${4:-}" >"$tmp/a.sql"
    rows "$3" "${4:-}" >"$tmp/b.sql"
    : >"$out"
    ok "$1: rows are written"   grep -q '^INSERT INTO job_rows ' "$tmp/a.sql"
    ok "$1: the same rows"      cmp "$tmp/a.sql" "$tmp/b.sql"
}

import () {                     # import NAME SOURCE...: plain and without names
    name=$1
    shift
    "$gsim" import kubernetes "$@" -o "$tmp/$name" -q 2>"$errs" || return
    [ -f "$tmp/$name/trace.yaml" ] || return
    "$gsim" import kubernetes "$@" -o "$tmp/$name.anon" --anonymize -q
}

# each case of t80-import.sh, on nodes of its own or those of `cluster`
nodes=tests/data/import/cluster/objects.yaml
played=0
for case in tests/data/import/*/; do
    dir=$(basename "$case")
    set -- "$case"objects.*
    [ -f "$case/topology.yaml" ] || set -- "$1" "$nodes"
    import "$dir" "$@" || continue
    same "$dir" "$tmp/$dir/trace.yaml" "$tmp/$dir.anon/trace.yaml"
    played=$((played + 1))
done
ok 'cases were played'          [ "$played" -gt 0 ]

cat >"$tmp/objects.yaml" <<'EOF'
apiVersion: v1
kind: Node
metadata:
  name: hush-node-1
  labels: {topology.kubernetes.io/rack: hush-rack-b, hush.example/owner: hush-team,
    nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3, nvidia.com/gpu.memory: "81559"}
spec:
  taints: [{key: hush.example/only, value: hush-team, effect: NoSchedule}]
status:
  allocatable: {cpu: 64, memory: 512Gi, nvidia.com/gpu: "8", pods: "110"}
---
apiVersion: v1
kind: Node
metadata:
  name: hush-node-2
  labels: {topology.kubernetes.io/rack: hush-rack-a, nvidia.com/gpu.memory: "40960",
    nvidia.com/gpu.product: NVIDIA-A100-SXM4-40GB}
status:
  allocatable: {cpu: 64, memory: 512Gi, nvidia.com/gpu: "8", pods: "110"}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: hush-dept}
spec: {weight: 3}
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: hush-lab}
spec: {weight: 1, parent: hush-dept, capability: {nvidia.com/gpu: 8}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: hush-first}
value: 1000
---
apiVersion: batch.volcano.sh/v1alpha1
kind: Job
metadata: {name: hush-run, namespace: hush-space}
spec:
  queue: hush-lab
  priorityClassName: hush-first
  minAvailable: 2
  tasks:
    - name: hush-worker
      replicas: 2
      template:
        metadata: {labels: {app: hush-app}}
        spec:
          tolerations: [{key: hush.example/only, operator: Equal, value: hush-team}]
          affinity:
            nodeAffinity:
              requiredDuringSchedulingIgnoredDuringExecution:
                nodeSelectorTerms:
                  - matchExpressions:
                      - {key: hush.example/owner, operator: In, values: [hush-team]}
                      - {key: nvidia.com/gpu.memory, operator: Gt, values: ["50000"]}
          containers: [{name: c, resources: {limits: {nvidia.com/gpu: 2}}}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: hush-serve, namespace: hush-space}
spec:
  replicas: 2
  template:
    metadata: {labels: {app: hush-serve}}
    spec:
      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
            - labelSelector: {matchLabels: {app: hush-app}}
              topologyKey: topology.kubernetes.io/rack
      containers: [{name: c, resources: {limits: {nvidia.com/gpu: 1}}}]
EOF
ok 'objects'                    import hush "$tmp/objects.yaml"
same 'objects' "$tmp/hush/trace.yaml" "$tmp/hush.anon/trace.yaml"
ok 'they have names'            grep -q hush "$tmp/hush/trace.yaml"
ok 'none is left'               sh -c '! grep -rn hush "$1"' - "$tmp/hush.anon"
ok 'there is no account'        [ ! -e "$tmp/hush.anon/account.txt" ]
ok 'models stay'                grep -q 'model: NVIDIA-H100-80GB-HBM3' \
    "$tmp/hush.anon/topology.yaml"
ok 'known keys stay'            grep -q 'nvidia.com/gpu.memory: "81559"' \
    "$tmp/hush.anon/topology.yaml"
ok 'the files are valid'        exits 0 "$gsim" validate -q \
    "$tmp/hush.anon/trace.yaml" "$tmp/hush.anon/topology.yaml"
ok 'again'                      import again "$tmp/objects.yaml"
ok '... the same names'         cmp "$tmp/hush.anon/trace.yaml" "$tmp/again.anon/trace.yaml"

perl scripts/kube-dump 80 400 >"$tmp/dump.json"
ok 'a dump'                     import dump "$tmp/dump.json"
same 'a dump' "$tmp/dump/trace.yaml" "$tmp/dump.anon/trace.yaml"
ok 'no name is left'            sh -c '! grep -rnE "team-|gpu-0|train-|serve-|rack-0" "$1"' \
    - "$tmp/dump.anon"

# without nodes
cat >"$tmp/alone.yaml" <<'EOF'
apiVersion: v1
kind: Pod
metadata: {name: hush-pod, namespace: hush-space}
spec:
  nodeSelector: {hush.example/pool: hush-pool, kubernetes.io/hostname: hush-node}
  tolerations: [{key: hush.example/taint, value: hush-value}]
  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: hush.example/memory, operator: Gt, values: ["40"]}]}]}}}
  containers: [{name: c, resources: {requests: {cpu: 1}}}]
EOF
ok 'pods without nodes'         exits 0 "$gsim" import kubernetes --anonymize \
    "$tmp/alone.yaml" -o "$tmp/alone"
ok '... what they ask of nodes is replaced' sh -c '! grep -rn hush "$1"' - "$tmp/alone"
ok '... and stays a condition'  grep -q 'key: kubernetes.io/hostname, op: In, values: .value-' "$tmp/alone/trace.yaml"
ok '... which is told'          says 'names that jobs ask of nodes are replaced'

# traces
for t in fragmentation service topology; do
    ok "$t is converted"        exits 0 "$gsim" trace convert --anonymize \
        traces/samples/$t.yaml -o "$tmp/$t.yaml" -q
    same "$t" traces/samples/$t.yaml "$tmp/$t.yaml"
done
cat >"$tmp/paths.yaml" <<'EOF'
queues: [{name: team}, {name: team-a}, {name: team/x, weight: 2}, {name: team.b/y}]
accounts: [{name: phys, users: {u2: 3}}, {name: root}]
qos: {urgent: {priority: 5}}
partitions: {batch: {tier: 2}}
jobs:
  - {name: b, user: u2, account: phys, qos: urgent, partition: batch, queue: team/x, submit: 0, duration: 1h, gpus: 4, replicas: 4}
  - {name: a, user: u1, queue: team-a, submit: 0, duration: 1h, gpus: 4, replicas: 4, nodes: {zone: q}}
  - {name: c, user: u1, queue: team.b/y, submit: 0, duration: 1h, gpus: 8, labels: {app: web}}
EOF
printf 'node_types: {t: {gpus: 8, labels: {zone: q}}}\nnodes: [{name: "n[1-2]", type: t}]\n' \
    >"$tmp/two.yaml"
ok 'paths of queues'            exits 0 "$gsim" trace convert --anonymize \
    "$tmp/paths.yaml" -o "$tmp/other.yaml"
ok 'conditions on nodes are told' says 'names of nodes, conditions on nodes and tolerations stay'
ok 'accounts'                   exits 0 grep -q 'name: account-1, shares: 1, users: {user-2: 3}' \
    "$tmp/other.yaml"
ok 'jobs of accounts'           exits 0 grep -q 'account: account-1, partition: partition-1, qos: qos-1' \
    "$tmp/other.yaml"
same 'paths of queues' "$tmp/paths.yaml" "$tmp/other.yaml" "$tmp/two.yaml"
ok 'as CSV'                     exits 0 "$gsim" trace convert --anonymize \
    --limit 100 traces/samples/philly.csv.gz -o "$tmp/philly.csv" -q

done_testing
