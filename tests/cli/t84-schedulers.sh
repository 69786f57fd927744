#!/bin/sh
# Several schedulers on one cluster: policies of them, their jobs, what is told.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

both=examples/schedulers/both.yaml trace=examples/schedulers/trace.yaml
db=$tmp/both.db

sql () {                        # sql QUERY
    sqlite3 "$db" "$1"
}

# --- rows ---------------------------------------------------------------------------
ok 'a policy of two'            exits 0 "$gsim" replay $trace --policy $both \
    --run file --db "$db" --events -q
ok '... on the command line'    exits 0 "$gsim" replay $trace --run line \
    --policy default-scheduler=kube-default,volcano=volcano --db "$db" --events -q
is '... the same jobs' "$(sql "SELECT count(*) FROM (SELECT job, start_us, end_us,
    scheduler FROM jobs WHERE run_id = 1 EXCEPT SELECT job, start_us, end_us,
    scheduler FROM jobs WHERE run_id = 2)")" 0
is 'each job has its scheduler' "$(sql "SELECT scheduler, count(*) FROM v_jobs
    WHERE run = 'file' GROUP BY 1" | tr '\n' ' ')" 'default-scheduler|30 volcano|10 '
is 'jobs.total of each' "$(sql "SELECT label, value FROM metrics WHERE run_id = 1
    AND name = 'jobs.total' AND scope = 'scheduler'" | tr '\n' ' ')" \
    'default-scheduler|30.0 volcano|10.0 '
is 'conflicts add up' "$(sql "SELECT sum(value) - (SELECT value FROM metrics
    WHERE run_id = 1 AND name = 'conflicts' AND scope = 'cluster') FROM metrics
    WHERE run_id = 1 AND name = 'conflicts' AND scope = 'scheduler'")" 0.0
is '... and are events' "$(sql "SELECT sum(tasks) = (SELECT value FROM metrics
    WHERE run_id = 1 AND name = 'conflicts' AND scope = 'cluster') FROM events
    WHERE run_id = 1 AND kind = 'conflict'")" 1
ok 'a gate of conflicts'        exits 0 "$gsim" compare "$db" \
    --metric 'conflicts[scheduler=volcano]'
ok '... has it'                 prints 'conflicts [volcano]'
is 'no GPU is held twice' "$(sql "SELECT count(*) FROM v_placements a JOIN v_placements b
    ON a.run = b.run AND a.node = b.node AND (a.job, a.first_task) < (b.job, b.first_task)
    AND a.devices & b.devices AND a.start < b.\"end\" AND b.start < a.\"end\"")" 0
sed 's/kube-default/{process: one, actions: [allocate], modules: [fit]}/
s/volcano: volcano/volcano: {process: one, actions: [allocate], modules: [fit]}/' \
    $both >"$tmp/one.yaml"
ok 'of one process'             exits 0 "$gsim" replay $trace --policy "$tmp/one.yaml" \
    --run one --db "$db" -q
is '... no conflicts' "$(sql "SELECT value FROM metrics m JOIN runs r ON r.id = m.run_id
    WHERE r.name = 'one' AND m.name = 'conflicts' AND scope = 'cluster'")" 0.0

printf '%s\n' 'apiVersion: kubescheduler.config.k8s.io/v1' 'kind: KubeSchedulerConfiguration' \
    'profiles: [{schedulerName: default-scheduler}, {schedulerName: volcano}]' \
    >"$tmp/kube.yaml"
ok 'profiles of kube-scheduler' exits 0 "$gsim" replay $trace --policy "$tmp/kube.yaml" \
    --run kube --db "$db" -q
is '... are of one process' "$(sql "SELECT scope, value FROM metrics m JOIN runs r
    ON r.id = m.run_id WHERE r.name = 'kube' AND m.name = 'conflicts'" | tr '\n' ' ')" \
    'cluster|0.0 scheduler|0.0 scheduler|0.0 '

# --- with outages, an autoscaler, a state at time 0 -----------------------------------
cat >"$tmp/world.yaml" <<'YAML'
checkpoint: 10m
events:
  - {at: 40m, node: node-2, what: fail, for: 20m}
  - {at: 50m, node: node-3, what: drain, for: 1h}
  - {at: 70m, node: node-4, gpu: 1, what: fail, for: 30m}
YAML
ok 'nodes that fail'            exits 0 "$gsim" replay $trace --policy $both -q \
    --scenario "$tmp/world.yaml" --run world --db "$db"
is '... all jobs end' "$(sql "SELECT count(*) FROM v_jobs WHERE run = 'world'
    AND state <> 'done'")" 0
printf 'autoscale:\n  - {type: gpu8, min: 1, max: 8, delay: 2m, idle: 10m}\n' \
    >"$tmp/scale.yaml"
ok 'an autoscaler'              exits 0 "$gsim" replay $trace --policy $both -q \
    --scenario "$tmp/scale.yaml" --run scale --db "$db"
is '... all jobs end' "$(sql "SELECT count(*) FROM v_jobs WHERE run = 'scale'
    AND state <> 'done'")" 0
sed '/^jobs:/a\  - {name: old, submit: 0s, duration: 1h, gpus: 8, running_on: [node-1], scheduler: volcano}' \
    $trace >"$tmp/warm.yaml"
cp examples/schedulers/cluster.yaml "$tmp"
ok 'a state at time 0'          exits 0 "$gsim" replay "$tmp/warm.yaml" --policy $both \
    -q --run warm --db "$db"
is '... both see it' "$(sql "SELECT count(*) FROM v_placements WHERE run = 'warm'
    AND node = 'node-1' AND start < 3600 AND job <> 'old'")" 0
ok 'explained'                  exits 0 "$gsim" explain "$db" file training-1
is '... with its scheduler'     "$(grep '^scheduler' "$out")" 'scheduler  volcano'

# --- settings -------------------------------------------------------------------------
ok 'a setting of one'           exits 0 "$gsim" replay $trace --policy $both -q --no-db \
    --set volcano:trigger.period=1s
ok 'a setting of none'          exits 2 "$gsim" replay $trace --policy $both -q --no-db \
    --set decision_cost=1s
ok '... is told'                says 'names no scheduler of both'
ok 'printed'                    exits 0 "$gsim" policies $both
cp "$out" "$tmp/printed.yaml"
ok '... is a file'              exits 0 "$gsim" policies "$tmp/printed.yaml"
ok '... of the same'            cmp "$out" "$tmp/printed.yaml"
ok 'one alone'                  exits 0 "$gsim" replay $trace --policy volcano --no-db
ok '... reads no scheduler'     says "'scheduler' of jobs has no effect under volcano"

# --- mistakes -------------------------------------------------------------------------
bad () {                        # bad NAME TEXT MESSAGE
    printf '%s\n' "$2" >"$tmp/bad.yaml"
    ok "$1" exits 3 "$gsim" validate "$tmp/bad.yaml"
    ok '... is told' says "$3"
}
bad 'a list'        'schedulers: [a, b]'         "must be a mapping of names"
bad 'a bad name'    'schedulers: {a b: fifo}'    "is no name of a scheduler"
bad 'beside'        'schedulers: {a: fifo}
unit: pod'                                       "may not stand beside 'schedulers'"
bad 'in itself'     'schedulers: {a: bad.yaml}'  "of a policy of several is one"
bad 'a profile'     'schedulers: {a: {unit: pod}}' "profile needs 'actions'"
bad 'no policy'     'schedulers: {a: [fifo]}'    "must be a profile, or the name"
bad 'alone'         'process: one
actions: [allocate]
modules: [fit]'                                  "'process' is of schedulers"
ok 'a name twice'               exits 3 "$gsim" replay $trace --no-db --policy a=fifo,a=drf
ok '... is told'                says "scheduler 'a' is there twice"
ok 'no name'                    exits 2 "$gsim" replay $trace --no-db --policy fit,a=drf
ok '... is told'                says "'fit' needs a name"
ok 'another scheduler'          exits 3 "$gsim" replay $trace --no-db --policy a=fifo,b=drf
ok '... is told'                says "waits for scheduler 'volcano'; the policy has only: a, b"
ok '... before a replay'        exits 3 "$gsim" validate $trace --policy a=fifo,b=drf
ok 'fill'                       exits 2 "$gsim" fill examples/schedulers/cluster.yaml $trace \
    --policy $both
ok '... takes one'              says "fill takes one scheduler; 'both' has several"

done_testing
