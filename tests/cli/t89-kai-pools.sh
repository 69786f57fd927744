#!/bin/sh
# Shards of KAI Scheduler: each is imported alone, with the nodes, queues and jobs of
# its pool; together each is a scheduler, whose jobs stay in its pool.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

cat >"$tmp/pools.yaml" <<'END'
apiVersion: kai.scheduler/v1
kind: SchedulingShard
metadata: {name: default}
---
apiVersion: kai.scheduler/v1
kind: SchedulingShard
metadata: {name: red}
spec: {partitionLabelValue: red, placementStrategy: {gpu: spread}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: 8, memory: 64Gi, nvidia.com/gpu: 4, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: r1, labels: {kai.scheduler/node-pool: red}}
status: {allocatable: {cpu: 8, memory: 64Gi, nvidia.com/gpu: 8, pods: "110"}}
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: team-a}
spec: {resources: {gpu: {quota: 4, limit: -1}, cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}}}
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: team-r, labels: {kai.scheduler/node-pool: red}}
spec: {resources: {gpu: {quota: 8, limit: -1}, cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: plain, labels: {kai.scheduler/queue: team-a}}
spec:
  template:
    spec: {schedulerName: kai-scheduler, containers: [{name: a, resources: {limits: {nvidia.com/gpu: 4}}}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: wide}
spec:
  template:
    metadata: {labels: {kai.scheduler/queue: team-r, kai.scheduler/node-pool: red}}
    spec: {schedulerName: kai-scheduler, containers: [{name: a, resources: {limits: {nvidia.com/gpu: 8}}}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: other}
spec:
  template:
    spec: {containers: [{name: a, resources: {requests: {cpu: 1}}}]}
END
ok 'two pools together'         exits 0 "$gsim" import kubernetes "$tmp/pools.yaml" -o "$tmp/all"
is '... are two schedulers'     "$(grep -E '^  [a-z-]+:|shares_of' "$tmp/all/profile.yaml" | tr -d ' \n')" \
    'kai-scheduler:shares_of:"!kai.scheduler/node-pool"kai-scheduler-red:shares_of:"kai.scheduler/node-pool=red"default-scheduler:kube-default'
ok '... with settings each'     grep -q 'mode: spread' "$tmp/all/profile-kai-scheduler-red.yaml"
is '... and jobs each'          "$(grep -o 'default/[a-z]*\|scheduler: [a-z-]*' "$tmp/all/trace.yaml" | tr '\n' ' ')" \
    'default/plain scheduler: kai-scheduler default/wide scheduler: kai-scheduler-red default/other '
ok '... which play'             exits 0 "$gsim" replay "$tmp/all/trace.yaml" \
    --policy "$tmp/all/profile.yaml" --db "$tmp/all.db" --run r -q
ok '... the wide one'           exits 0 "$gsim" explain "$tmp/all.db" r default/wide
ok '... in its pool'            prints 'r1'
ok 'as a source and a policy'   exits 0 "$gsim" replay "$tmp/pools.yaml" \
    --policy "$tmp/pools.yaml" --no-db -q
ok 'under one scheduler'        exits 0 "$gsim" replay "$tmp/pools.yaml" --policy kai --no-db
ok '... which is told'          says "'scheduler' of jobs has no effect under kai"

sed 's/node-pool: red}}$/node-pool: blue}}/;/^kind: Job/,$s/node-pool: red/node-pool: blue/' \
    "$tmp/pools.yaml" >"$tmp/blue.yaml"
ok 'a pool without a shard'     exits 0 "$gsim" import kubernetes "$tmp/blue.yaml" -o "$tmp/blue"
ok '... is told'                grep -q "pods of node pool 'blue', of which there is no SchedulingShard" \
    "$tmp/blue/account.txt"
ok '... and has one'            grep -q '^  kai-scheduler-blue:$' "$tmp/blue/profile.yaml"
ok '... with its nodes'         grep -q 'shares_of: "kai.scheduler/node-pool=blue"' "$tmp/blue/profile.yaml"

pool () {                       # pool NAME VALUE NODES JOBS QUEUES
    ok "$1: is read"            exits 0 "$gsim" import kubernetes --node-pool "$2" \
        "$tmp/pools.yaml" -o "$tmp/$1"
    is '... its nodes'          "$(grep -o 'name: [nr]1' "$tmp/$1/topology.yaml" | tr '\n' ' ')" "$3"
    is '... its jobs, and those of others' \
        "$(grep -o 'default/[a-z]*' "$tmp/$1/trace.yaml" | sort | tr '\n' ' ')" "$4"
    is '... its queues'         "$(grep -o 'name: team-[ar]' "$tmp/$1/trace.yaml" | tr '\n' ' ')" "$5"
    ok '... others are told'    grep -q 'Node: it is of another node pool' "$tmp/$1/account.txt"
    ok '... and it plays'       exits 0 "$gsim" replay "$tmp/$1/trace.yaml" \
        --policy "$tmp/$1/profile.yaml" --db "$tmp/$1.db" --run r -q
}
pool plain '' 'name: n1 ' 'default/other default/plain ' 'name: team-a '
ok '... its shard packs'        grep -q 'consolidate' "$tmp/plain/profile.yaml"
pool red red 'name: r1 ' 'default/other default/wide ' 'name: team-r '
ok '... its shard spreads'      sh -c '! grep -q consolidate "$1"' - "$tmp/red/profile.yaml"
ok 'all of a wide job runs'     exits 0 "$gsim" explain "$tmp/red.db" r default/wide
ok '... on its node'            prints 'r1'

# a pod group prefers a spine of four GPUs, each of its two groups of three pods a rack of two:
# each fills the emptier rack of a spine first, as in KAI's own test of it
groups=tests/data/import/kai-groups
ok 'groups with topologies'     exits 0 "$gsim" import kubernetes $groups/objects.yaml \
    -o "$tmp/groups" -q
ok '... are replayed'           exits 0 "$gsim" replay "$tmp/groups/trace.yaml" \
    --policy kai --db "$tmp/groups.db" -q
is '... each near its rack'     "$(sqlite3 "$tmp/groups.db" "SELECT task_group, node
    FROM v_placements WHERE job = 'team/two' ORDER BY 1, 2" | tr '\n' ' ')" \
    '0|n0 0|n2 0|n3 1|n4 1|n6 1|n7 '

# a PodGang: all its pods are one job, of which leader and workers stand in one rack
grove=tests/data/import/kai-grove
ok 'a PodGang of Grove'         exits 0 "$gsim" import kubernetes $grove/objects.yaml \
    -o "$tmp/grove" -q
ok '... is replayed'            exits 0 "$gsim" replay "$tmp/grove/trace.yaml" \
    --policy kai --db "$tmp/grove.db" -q
is '... as one job'             "$(sqlite3 "$tmp/grove.db" "SELECT name, tasks FROM v_jobs")" 'team/llm-0|6'
is '... its prefill in a rack'  "$(sqlite3 "$tmp/grove.db" "SELECT count(DISTINCT domain)
    FROM v_placements WHERE task_group < 2")" 1

done_testing
