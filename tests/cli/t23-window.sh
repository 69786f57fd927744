#!/bin/sh
# The window of metrics: --from, --to and --warmup of replay, what compare and gate
# make of it, and its metrics computed again from the rows.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
sql () { sqlite3 -batch "$db" "$1"; }
metric () {                     # metric RUN NAME
    sql "SELECT value FROM v_metrics WHERE run = '$1' AND name = '$2'
        AND scope = 'cluster'"
}
cat >"$tmp/p.yaml" <<'EOF'
node_types: {g: {gpus: 4}}
nodes: [{name: "n[1-2]", type: g}]
EOF
cat >"$tmp/t.yaml" <<'EOF'
topology: p.yaml
jobs:
  - {name: a, submit: 10m, duration: 20m, gpus: 4}
  - {name: b, submit: 20m, duration: 30m, gpus: 4}
  - {name: c, submit: 25m, duration: 15m, gpus: 4, replicas: 2}
  - {name: d, submit: 40m, duration: 10m, gpus: 2}
EOF
window () {                     # window RUN OPTION...
    run=$1
    shift
    "$gsim" replay "$tmp/t.yaml" --run "$run" --db "$db" "$@" >"$out" 2>"$errs"
}
measured () {
    sql "SELECT measured_from || ' ' || measured_to FROM v_runs WHERE run = '$1'"
}

# --- from, to, warm-up ---------------------------------------------------------
ok 'the whole'                exits 0 window whole
is 'is from the first submission to the end' "$(measured whole)" '600.0 3900.0'
is 'has all jobs'             "$(metric whole jobs.total)" 4.0
ok 'from'                     exits 0 window from --from 20m
is 'begins there'             "$(measured from)" '1200.0 3900.0'
is 'with the jobs from then on' "$(metric from jobs.total)" 3.0
ok 'to'                       exits 0 window to --to 40m
is 'ends there'               "$(measured to)" '600.0 2400.0'
is 'without the job submitted then' "$(metric to jobs.total)" 3.0
is 'which are told to their ends' "$(metric to jobs.done)" 3.0
ok 'warm-up'                  exits 0 window warm --warmup 10m
is 'begins later'             "$(measured warm)" "$(measured from)"
is 'and gives the same' \
    "$(sql "SELECT name, scope, label, value FROM v_metrics WHERE run = 'from' EXCEPT
        SELECT name, scope, label, value FROM v_metrics WHERE run = 'warm'")" ''
ok 'before all'               exits 0 window early --from 0
is 'begins there'             "$(measured early)" '0.0 3900.0'
is 'and has GPUs that wait for jobs' "$(sql "SELECT a.value * 3900 = b.value * 3300
    FROM v_metrics a JOIN v_metrics b USING (name, scope) WHERE a.run = 'early'
    AND b.run = 'whole' AND name = 'gpu.busy'")" 1
ok 'after all'                exits 0 window late --from 2h
ok 'is told'                  says 'no job'
ok 'to before from'           exits 2 window none --from 30m --to 20m
ok 'a window without length'  exits 2 window none --from 30m --to 30m
ok 'no time'                  exits 2 window none --from yesterday
ok 'what one is'              says "'--from' must be a time such as 90s or 2d (got 'yesterday')"
is 'makes no run'             "$(sql "SELECT count(*) FROM runs WHERE name = 'none'")" 0

# --- windows side by side have each job and each event once ------------------------
for w in '0 25m' '25m 40m' '40m 2h'; do
    window "part $w" --from "${w% *}" --to "${w#* }"
done
for m in jobs.total jobs.done preempt.count; do
    is "$m adds up" "$(sql "SELECT sum(value) FROM v_metrics WHERE name = '$m'
        AND scope = 'cluster' AND run LIKE 'part %'")" "$(metric whole $m)"
done

# --- the rows give the same metrics ----------------------------------------------------
is 'as computed from the rows' "$( { cat tests/data/rows.sql
    echo 'SELECT * FROM differs;'; } | sqlite3 -batch "$db" 2>&1)" ''

# --- compare and gate --------------------------------------------------------------------
ok 'compare'                  exits 0 "$gsim" compare "$db" --run whole --run from
ok 'tells of windows'         prints 'differ in window: none is better or worse'
is 'and marks nothing'        "$(grep -c ' [-+=]$' "$out")" 0
ok 'of one window'            exits 0 "$gsim" compare "$db" --run from --run warm
echo 'jobs.total: {equal: 3}' >"$tmp/rules"
ok 'gate'                     exits 0 "$gsim" gate "$db" --run from --rules "$tmp/rules"
ok 'of the whole'             exits 1 "$gsim" gate "$db" --run whole --rules "$tmp/rules"
done_testing
