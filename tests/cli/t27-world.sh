#!/bin/sh
# gsim replay --scenario: nodes that fail, are drained, go and come.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/w.db
trace=traces/samples/outages.yaml
world=sim/samples/outages.yaml
sql () { sqlite3 "$db" "$1"; }
metrics () {                    # metrics RUN GLOB
    sql "SELECT name, round(value, 4) FROM v_metrics WHERE run = '$1'
         AND scope = 'cluster' AND name GLOB '$2' ORDER BY name" | tr '\n' ' '
}

ok 'the sample'            exits 0 "$gsim" replay "$trace" --scenario "$world" \
    --db "$db" --run w
ok 'the summary tells of it' prints 'failure.lost_gpu_hours'
is 'whoever makes checkpoints loses less' \
    "$(sql "SELECT job, kind, lost, lost_gpu_hours FROM v_evictions
            WHERE run = 'w' ORDER BY \"at\", job" | tr '\n' ' ')" \
    'forgets|lost|10800.0|24.0 saves|lost|1200.0|2.66666666666667 gang|lost|120.0|0.533333333333333 '
is 'the metrics have it'   "$(metrics w 'failure.*')" \
    'failure.jobs|3.0 failure.lost_gpu_hours|27.2 failure.restarts|3.0 '
is 'it is no preemption'   "$(metrics w 'preempt.*')" \
    'preempt.count|0.0 preempt.jobs|0.0 preempt.lost_gpu_hours|0.0 '
is 'two nodes were down for half an hour' "$(metrics w 'node.down_hours')" \
    'node.down_hours|1.0 '
is 'owned nodes are paid all the time' \
    "$(sql "SELECT round(value, 4) FROM v_metrics WHERE run = 'w' AND
            name = 'node.hours_paid' AND label = 'owned'")" \
    "$(sql "SELECT round(4 * \"end\" / 3600, 4) FROM v_runs WHERE run = 'w'")"
is 'spot nodes less'       "$(sql "SELECT count(*) FROM v_metrics WHERE run = 'w'
    AND name = 'node.hours_paid' AND label = 'spot' AND value < 13")" 1
is 'lost work adds up'     "$(sql "SELECT sum(lost_gpu_us) FROM jobs")" \
    "$(sql "SELECT sum(lost_gpu_us) FROM evictions")"
is 'the run says by which world' \
    "$(sql "SELECT json_extract(options, '\$.world') FROM runs")" "$world"

is 'each change is stored' \
    "$(sql "SELECT \"at\", \"end\", node, state, scaled FROM v_outages WHERE run = 'w'
            AND node IN ('n1', 's2') ORDER BY node, \"at\"" | tr '\n' ' ')" \
    '10800.0|12600.0|n1|failed|0 12600.0||n1|open|0 0.0|7500.0|s2|absent|0 7500.0|21480.0|s2|open|1 21480.0|21600.0|s2|drained|0 21600.0||s2|absent|0 '
is 'and adds up to the metric' \
    "$(sql "SELECT sum(\"end\" - \"at\") / 3600 FROM v_outages WHERE run = 'w'
            AND state = 'failed' AND device IS NULL")" 1.0
printf 'events:\n  - {at: 1h, node: n1, gpu: 3, what: fail, for: 2h}\n' >"$tmp/g.yaml"
"$gsim" replay "$trace" --scenario "$tmp/g.yaml" --db "$db" --run gpu >"$tmp/out"
is 'of a GPU, too' \
    "$(sql "SELECT \"at\", \"end\", node, device, state, gpus FROM v_outages
            WHERE run = 'gpu'" | tr '\n' ' ')" \
    '3600.0|10800.0|n1|3|failed|1 10800.0||n1|3|open|1 '

# the picture: GPUs that failed, were drained, are not there
picture () {                    # picture RUN: its rows, of the page's CSV
    awk '/<section id="outages">/ { on = 1 } on; /<\/section>/ { on = 0 }' "$tmp/w.html" |
        sed -n 's/.*href="data:text\/csv[^,]*,\([^"]*\)".*/\1/p' |
        sed 's/%0A/\n/g; s/%2C/,/g; s/%20/ /g' | grep "^$1," | sed "s/^$1,//" | tr '\n' ' '
}
ok 'a page'                exits 0 "$gsim" report "$db" -o "$tmp/w.html"
is 'shows GPUs out of service' "$(picture w | cut -d ' ' -f 1-5)" \
    '0,0,0,16 7500,0,0,0 10800,16,0,0 12600,0,0,0 21480,0,8,0'
is 'and those of GPUs alone' "$(picture gpu | cut -d ' ' -f 1-2)" '3600,1,0,0 10800,0,0,0'
"$gsim" replay "$trace" --db "$tmp/calm.db" >"$tmp/out"
ok 'where nothing happened' exits 0 "$gsim" report "$tmp/calm.db" -o "$tmp/c.html"
ok 'it says so'            grep -q 'Nothing happened to nodes in any run.' "$tmp/c.html"

# a gate of what spot nodes cost
rule () {                       # rule METRIC RULE
    printf "'%s': {%s}\n" "$1" "$2" >"$tmp/rules.yaml"
}
rule 'node.hours_paid[type=spot]' 'max: 13'
ok 'a rule of a node type' exits 0 "$gsim" gate "$db" --run w --rules "$tmp/rules.yaml"
rule 'node.hours_paid[type=spot]' 'max: 12'
ok 'may be broken'         exits 1 "$gsim" gate "$db" --run w --rules "$tmp/rules.yaml"
ok 'and is named'          says 'node.hours_paid[type=spot] is 12.5'
rule 'node.hours_paid[type=sopt]' 'max: 13'
ok 'a type that is not there' exits 1 "$gsim" gate "$db" --run w --rules "$tmp/rules.yaml"
ok 'is asked about'        says "did you mean 'node.hours_paid[type=spot]'?"
rule 'gpu.busy[type=spot]' 'min: 1%'
ok 'a metric without types' exits 3 "$gsim" gate "$db" --run w --rules "$tmp/rules.yaml"
ok 'says so'               says 'gpu.busy is not told by type (its scopes: cluster)'

# random failures: the same twice, others by another seed
echo 'failures: published' >"$tmp/p.yaml"
sed 's/published/[{what: node, mtbf: 12h, repair: 1h}]/' "$tmp/p.yaml" >"$tmp/n.yaml"
for run in a b c; do
    seed=1
    test $run != c || seed=2
    "$gsim" replay "$trace" --scenario "$tmp/n.yaml" --seed $seed --db "$db" \
        --run $run >"$tmp/out" 2>"$tmp/err"
    sql "SELECT job, node, start, \"end\" FROM v_placements
         WHERE run = '$run'" >"$tmp/$run.csv"
done
ok 'the same twice'        cmp -s "$tmp/a.csv" "$tmp/b.csv"
ok 'another seed differs'  sh -c "! cmp -s '$tmp/a.csv' '$tmp/c.csv'"
ok 'published rates'       exits 0 "$gsim" replay "$trace" --db "$db" --run p \
    --scenario "$tmp/p.yaml"

# a world in which nothing happens is none
echo 'events: []' >"$tmp/e.yaml"
"$gsim" replay "$trace" --db "$tmp/0.db" --run r >"$tmp/0"
"$gsim" replay "$trace" --db "$tmp/1.db" --run r --scenario "$tmp/e.yaml" >"$tmp/1"
ok 'nothing happens'       cmp "$tmp/0" "$tmp/1"
for i in 0 1; do
    for table in jobs placements waits evictions outages samples metrics; do
        sqlite3 "$tmp/$i.db" ".dump $table"
    done >"$tmp/$i.sql"
done
ok 'to the rows, either'   cmp "$tmp/0.sql" "$tmp/1.sql"

# services run on, and fail, until it is said
cat >"$tmp/s.yaml" <<EOF
topology: $tmp/t.yaml
jobs: [{name: s, submit: 0, duration: forever, gpus: 1}]
EOF
cat >"$tmp/t.yaml" <<EOF
node_types: {g: {gpus: 1}}
nodes: [{name: n1, type: g}]
EOF
"$gsim" replay "$tmp/s.yaml" --scenario "$tmp/n.yaml" --db "$db" --run s \
    --until 100d >"$tmp/out" 2>"$tmp/err"
is 'a service fails again and again' \
    "$(sql "SELECT (r.\"end\" / 86400) || (evictions > 100) FROM v_runs r
            JOIN v_jobs j USING (run) WHERE run = 's'")" 100.01

ok 'the old name of the option' exits 0 "$gsim" replay "$trace" \
    --world "$tmp/n.yaml" --seed 1 --db "$db" --run old
is 'says the same' "$(sql "SELECT count(*) FROM v_placements WHERE run = 'old'")" \
    "$(sql "SELECT count(*) FROM v_placements WHERE run = 'a'")"

# what it costs to start, by hand: pull + time, then per_task x 2; the second run
# finds the image there; the tasks of a gang are bound one after another
cat >"$tmp/starts.yaml" <<'EOF'
topology: two.yaml
jobs:
  - {name: a, submit: 0, duration: 10m, replicas: 2, gpus: 1, labels: {image: x}}
  - {name: b, submit: 20m, duration: 10m, replicas: 2, gpus: 1, labels: {image: x}}
  - {name: c, submit: 40m, duration: 10m, replicas: 2, gpus: 1, labels: {image: y}}
  - {name: d, submit: 60m, duration: 10m, replicas: 2, gpus: 1}
  - {name: e, submit: 80m, duration: 10m, replicas: 3, gpus: 1, completions: 3}
EOF
cat >"$tmp/two.yaml" <<'EOF'
node_types: {g: {gpus: 1}, h: {gpus: 1}}
nodes: [{name: n1, type: g}, {name: n2, type: h}]
EOF
costs () {                      # costs START: seconds from submission to start
    echo "start: {$1}" >"$tmp/start.yaml"
    "$gsim" replay "$tmp/starts.yaml" --scenario "$tmp/start.yaml" --db "$db" \
        --run starts --replace >"$out" 2>"$errs"
    sql "SELECT group_concat(CAST(round(wait_first) AS INT), ' ') FROM v_jobs
         WHERE run = 'starts'"
}
is 'nothing'               "$(costs 'nodes: []')" '0 0 0 0 0'
is 'pull, come up, meet'   "$(costs 'nodes: [{pull: 3m, time: 20s}], per_task: 1s')" \
    '202 22 22 22 21'
is 'images by label'       "$(costs 'nodes: [{pull: 3m, time: 20s}], image: image')" \
    '200 20 200 200 200'
is 'by node type'          "$(costs 'nodes: [{of: h, time: 1m}, {of: g, time: 20s}]')" \
    '60 60 60 60 20'
is 'the first that fits'   "$(costs 'nodes: [{time: 5s}, {of: g, time: 20s}]')" '5 5 5 5 5'
is 'bound at a rate'       "$(costs 'binding_rate: 0.5')" '4 4 4 4 2'
ok 'a spread'              test "$(costs 'nodes: [{time: 20s, spread: 0.5}]')" != '20 20 20 20 20'
is 'is the same again'     "$(costs 'nodes: [{time: 20s, spread: 0.5}]')" \
    "$(costs 'nodes: [{time: 20s, spread: 0.5}]')"
for wrong in 'per_task: 2h' 'binding_rate: 0' 'nodes: 3' 'nodes: [{of: z}]' \
    'nodes: [{spread: 4}]' 'nodes: [{pull: -1s}]' 'nodes: [{x: 1}]' 'image: ""'; do
    echo "start: {$wrong}" >"$tmp/start.yaml"
    ok "refused: $wrong"   exits 3 "$gsim" validate "$tmp/start.yaml" --topology "$tmp/two.yaml"
    ok 'and says where'    says 'start.yaml:1:'
done

# files that are wrong
printf 'events:\n  - {at: 1h, node: n9, what: fail}\n' >"$tmp/b.yaml"
ok 'a node that is not there' exits 3 "$gsim" replay "$trace" --db "$tmp/b.db" \
    --scenario "$tmp/b.yaml"
ok 'says where'            says "b.yaml:2:20: the topology has no node 'n9'"
ok 'and stores nothing'    test ! -e "$tmp/b.db"
ok 'no such file'          exits 3 "$gsim" replay "$trace" --db "$tmp/b.db" \
    --scenario "$tmp/none.yaml"
done_testing
