#!/bin/sh
# gsim replay --speed: placement and replicas change how fast jobs run.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/s.db
sql () { sqlite3 "$db" "$1"; }
metric () {                     # metric RUN NAME
    sql "SELECT value FROM v_metrics WHERE run = '$1' AND name = '$2'
         AND scope = 'cluster'"
}

# --- the sample ------------------------------------------------------------------
ok 'the sample' exits 0 "$gsim" replay traces/samples/speed.yaml \
    --policy topology --policy spread --speed all-reduce --db "$db"
ok 'shows the metrics'      prints 'speed.stretch'
is 'topology: as measured'  "$(metric topology speed.mean)" 1.0
is 'topology: no stretch'   "$(metric topology speed.stretch)" 1.0
is 'spread is slower' \
    "$(sql "SELECT round(value, 3) FROM v_metrics WHERE run = 'spread'
            AND name LIKE 'speed.%' ORDER BY name" | tr '\n' ' ')" \
    '0.679 2.274 '
# 8 ranks: 2 us + 2 GB / 8 / 450 GB/s in a node, 5 us + 2 GB / 8 / 50 GB/s in a
# rack: 8.976 times; 1 / (0.7 + 0.3 x 8.976) = 0.294724
is 'by the formula' \
    "$(sql "SELECT tier, speed, source FROM v_legs
            WHERE run = 'spread' AND job = 'dense-1'")" \
    'rack|0.294724|all-reduce'
is 'and the last waits' \
    "$(sql "SELECT run, wait FROM v_jobs WHERE name = 'last' ORDER BY run" |
        tr '\n' ' ')" 'spread|6720.0 topology|3300.0 '
is 'no bound is passed' \
    "$(sql "SELECT count(*) FROM v_metrics a JOIN v_metrics b
            ON a.run = b.run AND a.name = 'makespan'
            AND b.name = 'bound.makespan' AND a.value < b.value")" 0
ok 'explain' exits 0 "$gsim" explain "$db" spread dense-1
ok 'says how fast and why'  prints 'rack  0.2947  all-reduce 0.294724'
ok 'explain as json' exits 0 "$gsim" explain "$db" spread dense-1 --format json
is 'has the legs'           "$(jq -c '.legs[0] | [.tier, .source, .tasks]' \
    "$out")" '["rack","all-reduce",4]'
is 'the model is kept'      "$(sql "SELECT DISTINCT options ->> 'speed'
    FROM runs")" all-reduce

# --- a model of 1 changes nothing ---------------------------------------------------
cat >"$tmp/ones.yaml" <<'END'
placement: all-reduce
replicas: linear
table:
  - {speed: 1}
  - {gpus: 8, speed: 1}
  - {name: "*", speed: 1}
END
rows () {                       # rows DB: all but what only models write, and notes on keys that they read
    sqlite3 "$1" "DELETE FROM legs; DELETE FROM metrics WHERE name LIKE 'speed.%';
                  UPDATE runs SET notes = NULL, options = json_remove(options, '\$.speed',
                      '\$.speed_hash')" .dump
}
for sample in speed preemption reclaim topology fragmentation hoarding service; do
    for policy in binpack kube-default priority-preempt hybrid easy; do
        set -- replay "traces/samples/$sample.yaml" --policy "$policy" --events
        rm -f "$tmp"/[012].db*
        ok "$sample under $policy" exits 0 "$gsim" "$@" --db "$tmp/0.db"
        exits 0 "$gsim" "$@" --db "$tmp/1.db" --speed none
        exits 0 "$gsim" "$@" --db "$tmp/2.db" --speed "$tmp/ones.yaml"
        sqlite3 "$tmp/0.db" .dump >"$tmp/0.sql"
        sqlite3 "$tmp/1.db" .dump >"$tmp/1.sql"
        ok '... and with none' cmp -s "$tmp/0.sql" "$tmp/1.sql"
        rows "$tmp/0.db" >"$tmp/0.sql"
        rows "$tmp/2.db" >"$tmp/2.sql"
        ok '... and all ones' cmp -s "$tmp/0.sql" "$tmp/2.sql"
    done
done

exits 0 "$gsim" replay traces/samples/speed.yaml --policy spread --db "$tmp/3.db"
is 'without a model nobody tells of speeds' \
    "$(sqlite3 "$tmp/3.db" "SELECT count(*) FROM metrics WHERE name LIKE 'speed%'
                            UNION ALL SELECT count(*) FROM legs" | tr '\n' ' ')" \
    '0 0 '

# --- elastic jobs --------------------------------------------------------------------
cat >"$tmp/elastic.yaml" <<END
topology: $root/topology/samples/two-racks.yaml
jobs:
  - {name: first, submit: 0, duration: 1h, replicas: 15, gpus: 8}
  - {name: grows, submit: 1m, duration: 2h, replicas: {min: 1, max: 16}, gpus: 8}
END
echo 'replicas: linear' >"$tmp/linear.yaml"
ok 'an elastic job' exits 0 "$gsim" replay "$tmp/elastic.yaml" \
    --policy binpack --speed "$tmp/linear.yaml" --run grows --db "$db"
# 59 m at a sixteenth, then all of the rest
is 'runs by its tasks' \
    "$(sql "SELECT tasks, run_time, speed FROM v_legs
            WHERE run = 'grows' AND job = 'grows' ORDER BY start" | tr '\n' ' ')" \
    '1|3540.0|0.0625 16|6978.75|1.0 '
ok 'explain' exits 0 "$gsim" explain "$db" grows grows
ok 'says why'               prints '0.0625  1 of 16 tasks'

# --- what is refused ---------------------------------------------------------------------
refused () {                    # refused NAME TEXT ARGUMENT...
    name=$1 text=$2
    shift 2
    ok "$name" exits 3 "$gsim" replay "$@" --db "$tmp/no.db"
    ok '... says why' says "$text"
    is '... in one line' "$(wc -l <"$errs")" 1
    is '... and writes nothing' "$([ -e "$tmp/no.db" ] && echo there)" ''
}
refused 'no such model' 'all-reduces' traces/samples/speed.yaml \
    --speed all-reduces
echo 'table: [{class: a, tier: rak, speed: 1}]' >"$tmp/bad.yaml"
refused 'no such tier' "bad.yaml:1:26: the topology has no tier 'rak'" \
    traces/samples/speed.yaml --speed "$tmp/bad.yaml"
printf 'tiers: [{name: rack}]\nnode_types: {a: {gpus: 8}}
nodes: [{name: "n[1-2]", type: a, rack: r}]\n' >"$tmp/slow.yaml"
printf 'jobs: [{name: j, submit: 0, duration: 1, communication: 0.1}]\n' \
    >"$tmp/j.yaml"
refused 'no bandwidth' "slow.yaml: all-reduce needs the 'bandwidth' of tier 'rack'" \
    "$tmp/j.yaml" --topology "$tmp/slow.yaml" --speed all-reduce
printf 'jobs: [{name: j, submit: 0, duration: 1, communication: 0.1, measured_on: pod}]\n' \
    >"$tmp/j.yaml"
refused 'measured nowhere' "job 'j' names tier 'pod', which $tmp/slow.yaml does not have" \
    "$tmp/j.yaml" --topology "$tmp/slow.yaml"

done_testing
