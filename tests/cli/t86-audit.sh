#!/bin/sh
# gsim audit: a policy is asked what it would do where a trace recorded what
# another scheduler did.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

cat >"$tmp/two.yaml" <<'END'
node_types: {h100: {gpus: 8, cpu: 64}}
nodes: [{name: "n[1-2]", type: h100}]
END
cat >"$tmp/trace.yaml" <<'END'
jobs:
  - {name: a, submit: 0, duration: 100, gpus: 8, recorded: {start: 1, end: 101, nodes: [n1]}}
  - {name: b, submit: 2, duration: 100, gpus: 8, replicas: 2, recorded: {start: 102, end: 202, nodes: [n1, n2]}}
  - {name: c, submit: 3, duration: 50, gpus: 8, recorded: {start: 4, end: 54, nodes: [n2]}}
END
audit () {
    "$gsim" audit "$@" --topology "$tmp/two.yaml"
}
ok 'a policy that agrees'       exits 0 audit "$tmp/trace.yaml" --policy easy --at-least 100%
ok '... is told'                prints 'easy: 100.00 % of the decisions are equal'
ok 'one that does not'          exits 1 audit "$tmp/trace.yaml" --policy fifo --at-least 97%
ok '... the difference'         prints '  4s           earlier  job c: order, record: n2'
ok 'both'                       exits 1 audit "$tmp/trace.yaml" --policy easy --policy fifo \
    --at-least 0.97 --format json --list 1
ok '... as JSON'                sh -c 'jq -e ".[1].differences | length == 1" <"$1" >"$1.jq"' - "$out"
ok 'without latency'            exits 0 audit "$tmp/trace.yaml" --policy easy --latency 0s
ok '... a second counts'        prints '       3  later '

# the record goes through the forms of a trace
ok 'as CSV'                     exits 0 "$gsim" trace convert "$tmp/trace.yaml" -o "$tmp/t.csv" -q
audit "$tmp/trace.yaml" --policy fifo >"$tmp/yaml.txt"
ok '... the same answer'        sh -c '"$1" audit "$2" --topology "$3" --policy fifo | cmp - "$4"' - \
    "$gsim" "$tmp/t.csv" "$tmp/two.yaml" "$tmp/yaml.txt"
ok 'merged with another'        sh -c 'printf "jobs: [{name: z, submit: 0, duration: 1, recorded: {start: 9, nodes: [n1]}}]\n" >"$2"; "$1" trace merge "$3" "$2" -o "$4" -q' - \
    "$gsim" "$tmp/z.yaml" "$tmp/trace.yaml" "$tmp/m.yaml"
ok '... both are there'         test "$(grep -c recorded: "$tmp/m.yaml")" -eq 4
ok 'a sample from 2s on'        exits 0 "$gsim" trace sample "$tmp/trace.yaml" --from 2s -o "$tmp/s.yaml" -q
ok '... times move along'       grep -q 'name: c, submit: 1, .*start: 2, end: 52' "$tmp/s.yaml"
ok 'another load'               exits 0 "$gsim" trace scale "$tmp/trace.yaml" --rate 2 -o "$tmp/x.yaml" -q
ok '... has no record'          test "$(grep -c recorded: "$tmp/x.yaml")" -eq 0
ok '... which is told'          exits 3 audit "$tmp/x.yaml" --policy fifo
ok '... and why'                says "no job has 'recorded'"
ok 'without names'              sh -c '"$1" trace convert "$2" --anonymize -o "$3" -q' - \
    "$gsim" "$tmp/trace.yaml" "$tmp/a.yaml"

cat >"$tmp/one.yaml" <<'END'
node_types: {cpu: {cpu: 1}}
nodes: [{name: n1, type: cpu}]
END

# an export of sacct, with a job that was requeued
cat >"$tmp/slurm.conf" <<'END'
ClusterName=c
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n[1-2] CPUs=64 Gres=gpu:8
PartitionName=all Nodes=ALL Default=YES
END
cat >"$tmp/sacct.txt" <<'END'
JobID|Submit|Start|End|State|Timelimit|NNodes|NCPUS|ReqTRES|NodeList
1|2026-01-01T00:00:00|2026-01-01T00:00:01|2026-01-01T00:01:00|COMPLETED|5|2|2|cpu=2,gres/gpu=16|n[1-2]
2|2026-01-01T00:00:01|2026-01-01T00:01:01|2026-01-01T00:02:00|PREEMPTED|5|1|1|cpu=1,gres/gpu=8|n1
2|2026-01-01T00:00:01|2026-01-01T00:04:00|2026-01-01T00:05:00|COMPLETED|5|1|1|cpu=1,gres/gpu=8|n2
END
ok 'an export of sacct'         exits 0 "$gsim" audit "$tmp/sacct.txt" \
    --topology "$tmp/slurm.conf" --policy "$tmp/slurm.conf"
ok '... all runs count'         prints '3 of 3 recorded starts'
ok '... an eviction'            prints '0 of 1 recorded evictions'
ok '... as native files'        exits 0 "$gsim" import slurm "$tmp/slurm.conf" "$tmp/sacct.txt" \
    -o "$tmp/native" -q
ok '... with both runs'         grep -q 'recorded: \[{start: 61, end: 120, nodes: \[n1\]}, {start: 240, end: 300, nodes: \[n2\]}\]' \
    "$tmp/native/trace.yaml"
ok 'as it was, beside others'   exits 0 "$gsim" replay "$tmp/sacct.txt" --topology \
    "$tmp/slurm.conf" --policy recorded --policy easy --db "$tmp/was.db"
is '... its starts and ends'    "$(sqlite3 "$tmp/was.db" "SELECT name, CAST(start AS INT),
    CAST(\"end\" AS INT), evictions FROM v_jobs WHERE run = 'recorded' ORDER BY name" | tr '\n' ' ')" '1|1|60|0 2|61|300|1 '
ok 'why jobs waited as it was'  exits 0 "$gsim" replay "$tmp/trace.yaml" --topology \
    "$tmp/two.yaml" --policy recorded --db "$tmp/why.db" -q
is '... no room, or order'      "$(sqlite3 "$tmp/why.db" "SELECT name, CAST(value AS INT) FROM
    metrics WHERE name LIKE 'wait.by_cause.%' AND value > 0" | tr '\n' ' ')" \
    'wait.by_cause.capacity|99 wait.by_cause.order|3 '
ok 'the record is no setting'   exits 2 "$gsim" replay "$tmp/trace.yaml" --topology \
    "$tmp/two.yaml" --policy fifo --set decisions=recorded --no-db
ok 'nor fills it nodes'         exits 2 "$gsim" fill "$tmp/two.yaml" "$tmp/trace.yaml" \
    --policy recorded
ok '... which is told'          says "fill has no times"
ok 'runs without room'          exits 0 "$gsim" replay "$tmp/sacct.txt" --topology \
    "$tmp/one.yaml" --policy recorded --no-db
ok '... are told'               says 'gsim: recorded: 2 runs had no room to the end'
ok 'no audit of the record'     exits 2 audit "$tmp/trace.yaml" --policy recorded
ok '... is told'                says 'it is the record itself'
ok 'a log of waits'             sh -c 'printf "1 0 5 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\\n2 0 65 60 1 -1 -1 1 60 -1 1 1 1 1 1 -1 -1 -1\\n" >"$1"' - \
    "$tmp/log.swf"
ok '... is audited'             exits 0 "$gsim" audit "$tmp/log.swf" --topology "$tmp/one.yaml" \
    --policy fifo --latency 5s
ok '... nodes are not known'    prints '2 runs name no nodes'
# at 100 s job a is older than what counts for b only if the last period began late
cat >"$tmp/late.yaml" <<'END'
qos: {q: {priority: 1}}
jobs:
  - {name: first, submit: 0, duration: 100, cpu: 1, recorded: {start: 0, end: 100, nodes: [n1]}}
  - {name: a, submit: 1, duration: 100, cpu: 1, recorded: {start: 100, end: 200, nodes: [n1]}}
  - {name: b, submit: 95, duration: 100, cpu: 1, qos: q, recorded: {start: 200, end: 300, nodes: [n1]}}
END
cat >"$tmp/number.yaml" <<'END'
actions: [allocate]
modules: [{multifactor: {age: 1000, max_age: 1000s, qos: 75, period: 60s}}, gang]
END
late () {
    "$gsim" audit "$tmp/late.yaml" --topology "$tmp/one.yaml" --policy "$tmp/number.yaml" "$@"
}
ok 'a period that is not known' exits 1 late --at-least 100%
ok '... is fitted'              exits 0 late --fit --at-least 100%
ok '... which is told'          prints '  fitted     multifactor.phase=20s'
ok '... also as JSON'           sh -c '"$@" --format json | jq -e "map(.fitted) == [\"multifactor.phase=20s\"]"' - \
    "$gsim" audit "$tmp/late.yaml" --topology "$tmp/one.yaml" --policy "$tmp/number.yaml" --fit
ok 'what is stated stays'       exits 1 late --fit --set multifactor.phase=1s --at-least 100%

# recordings in a folder
mkdir "$tmp/rec"
cat >"$tmp/rec/workload.csv" <<'END'
job,nodes,gpus,limit,qos
1,4,8,2,low
2,1,8,1,low
3,4,1,1,high
END
cat >"$tmp/rec/fifo.starts.csv" <<'END'
job,submit,start,end,nodes_used,state
1,1,1,60,n[1-4],COMPLETED
2,2,60,100,n1,COMPLETED
3,4,100,130,n[1+2-4],COMPLETED
END
printf 'SchedulerType=sched/builtin\nPriorityType=priority/basic\n' >"$tmp/rec/fifo.conf"
cp "$tmp/rec/fifo.conf" "$tmp/rec/qos.conf"
cp "$tmp/rec/fifo.starts.csv" "$tmp/rec/qos.starts.csv"
echo 'AccountingStorageEnforce=limits' >>"$tmp/rec/qos.conf"
cat >"$tmp/rec/qos.setup" <<'END'
sacctmgr -i add qos low,high priority=3
sacctmgr -i modify qos low set GrpTRES=gres/gpu=31
sacctmgr -i modify qos name=high set MaxTRESPU=gres/gpu=4
END
ok 'recordings in a folder'     exits 0 "$gsim" audit "$tmp/rec" --replay --at-least 100%
ok '... each by its own conf'   prints 'fifo               6  100.00 %      3/3      3/3          -'
ok '... and replayed'           prints 'fifo          51.3 s     51.3 s     +0.0 %   1.000'
ok 'with a policy of all'       exits 0 "$gsim" audit "$tmp/rec" --policy easy --list 3
ok '... has rows of its own'    prints 'qos        easy '
ok 'as JSON'                    sh -c '"$1" audit "$2" --format json --replay |
    jq -e "map(.recording) == [\"fifo\", \"qos\"] and .[0].replay.tau == 1" >"$3"' - "$gsim" "$tmp/rec" "$out"
ok 'one of them as a trace'     exits 0 "$gsim" audit "$tmp/rec/qos.starts.csv" --policy "$tmp/rec/qos.conf"
ok '... a limit it exceeds'     says 'GrpTRES=gres/gpu=31 of QOS low was not in force'
ok 'the folder is no trace'     exits 3 "$gsim" replay "$tmp/rec" --policy fifo --no-db
ok '... and what to do'         says 'fifo.starts.csv, or all to'
ok 'nor a source of one'        exits 3 "$gsim" import slurm "$tmp/rec" -o "$tmp/none"
ok 'not with a topology'        exits 2 "$gsim" audit "$tmp/rec" --topology "$tmp/two.yaml"
# what a real slurmctld 22.05 did
ok 'recordings of slurmctld'    exits 0 "$gsim" audit tests/data/recordings/slurm \
    --at-least 98% --replay --set end_latency=100ms --format json
ok '... all of them'            test "$(jq length <"$out")" -eq 5
ok '... and the order of starts' sh -c 'jq -e "map(select(.recording == \"builtin\" or .recording == \"backfill\") |
    .replay.tau) | length == 2 and min > 0.95" <"$1" >"$1.jq"' - "$out"

ok 'as it was, by QOS'          exits 0 "$gsim" replay tests/data/recordings/slurm/qos.starts.csv \
    --policy recorded --db "$tmp/qos.db" -q
is '... has waits of each'      "$(sqlite3 "$tmp/qos.db" "SELECT label, value > 1 FROM metrics
    WHERE name = 'wait.mean' AND scope = 'qos'" | tr '\n' ' ')" 'high|1 low|1 '

ok 'a job of no workload'       sh -c 'echo 9,1,1,2,n1,COMPLETED >>"$1"' - "$tmp/rec/fifo.starts.csv"
ok '... is told'                exits 3 "$gsim" audit "$tmp/rec"
ok '... with its place'         says 'fifo.starts.csv:5:1: job 9 is not in the workload'

ok 'a policy of several'        exits 2 audit "$tmp/trace.yaml" --policy a=fifo,b=easy
ok 'no trace'                   exits 2 "$gsim" audit

done_testing
