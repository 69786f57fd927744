#!/bin/sh
# gsim compare, trace and topology: what they print.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --db "$db" >/dev/null

ok 'a table'              exits 0 "$gsim" compare "$db"
ok 'marks what is better' prints '-100% +'
ok 'the other way round'  exits 0 "$gsim" compare "$db" --run binpack --run spread
ok 'marks what is worse'  grep -q 'makespan .*+50% -' "$tmp/out"
ok 'a glob chooses'       exits 0 "$gsim" compare "$db" --metric 'wait.p9?'
is 'its metrics only'     "$(grep -c '^wait' "$tmp/out")" \
    "$(grep -c '^wait.p9' "$tmp/out")"
ok 'a glob without a metric'  exits 2 "$gsim" compare "$db" --metric 'nope*'
ok 'json'                 exits 0 "$gsim" compare "$db" --format json
is 'that jq reads'        "$(jq -r '.runs | join(" ")' "$tmp/out")" \
    'spread binpack'
ok 'csv'                  exits 0 "$gsim" compare "$db" --format csv --metric '*'
is 'with a header'        "$(head -n 1 "$tmp/out")" \
    'name,scope,label,unit,spread,binpack'
ok 'markdown'             exits 0 "$gsim" compare "$db" --format markdown
ok 'with a rule'          prints '| --- | ---: | ---: |'
ok 'an unknown run'       exits 2 "$gsim" compare "$db" --run spraed
ok 'lists those there are' says '(there are: spread, binpack)'
ok 'an unknown format'    exits 2 "$gsim" compare "$db" --format xml
ok 'no colour in a pipe'  sh -c "! '$gsim' compare '$db' | grep -q '\\['"

# --- bounds stand beside the names
bounded=$tmp/bounded.db
cp "$db" "$bounded"
sqlite3 "$bounded" "UPDATE metrics SET value = 7200 + run_id WHERE name = 'bound.makespan'"
ok 'the least bound of the runs' exits 0 "$gsim" compare "$bounded" --metric makespan
ok 'beside the name'      grep -q '^makespan (bound 2h)  ' "$tmp/out"
ok 'in json'              exits 0 "$gsim" compare "$bounded" --metric makespan --format json
is 'as a number'          "$(jq '.metrics[0].bound' "$tmp/out")" 7201
sqlite3 "$bounded" "UPDATE metrics SET value = 0 WHERE name = 'bound.makespan' AND run_id = 1"
ok 'one of 0 says nothing' exits 0 "$gsim" compare "$bounded" --metric makespan
ok '... and is not shown' grep -q '^makespan   ' "$tmp/out"
sqlite3 "$bounded" "DELETE FROM metrics WHERE name = 'bound.makespan' AND run_id = 1"
ok 'a run without'        exits 0 "$gsim" compare "$bounded" --metric makespan
ok '... has none'         grep -q '^makespan   ' "$tmp/out"

# --- how large a difference is, down to the smallest
small=$tmp/small.db
cp "$db" "$small"
differs () {                    # differs METRIC BASE NOW: as compare tells it
    sqlite3 "$small" "UPDATE metrics SET value = $2 WHERE name = '$1' AND run_id = 1;
        UPDATE metrics SET value = $3 WHERE name = '$1' AND run_id = 2"
    "$gsim" compare "$small" --metric "$1" | sed "s/ (bound [^)]*)//" | sed -n "s/^$1  *[^ ]* %*  *[^ ]* *%* *//p" |
        tr -s ' '
}
while read -r now want; do
    is "a share of 0.5, then $now" "$(differs gpu.busy 0.5 "$now")" "$want"
done <<'EOF'
0.5 =
0.501 +0.1pt +
0.5004 +.04pt +
0.50005 +~0pt +
0.4999999 -~0pt -
0.4996 -.04pt -
0.4995 -.05pt -
0.499 -0.1pt -
0.600 +10pt +
EOF
while read -r now want; do
    is "10000 s, then $now" "$(differs makespan 10000 "$now")" "$want"
done <<'EOF'
10000 =
10000.001 +~0% -
9998 -.02% +
9990 -0.1% +
10 -99.9% +
1 -~100% +
0 -100% +
EOF

# --- several patterns, several databases ------------------------------------------
ok 'two patterns'         exits 0 "$gsim" compare "$db" --metric makespan \
    --metric 'jobs.d*' --metric 'makes?an' --format csv
is 'are both shown'       "$(cut -d, -f1 "$out" | tail -n +2 | uniq | paste -sd ' ')" \
    'makespan jobs.done'
ok 'one that matches none' exits 2 "$gsim" compare "$db" --metric makespan --metric nope
ok 'is named'             says "no metric matches 'nope'"
part=$(sqlite3 "$db" "SELECT format('wait.mean[%s=%s]', scope, label) FROM metrics
    WHERE name = 'wait.mean' AND label <> '' LIMIT 1")
ok 'one of a part'        exits 0 "$gsim" compare "$db" --metric "$part" --format csv
is 'is shown alone'       "$(tail -n +2 "$out" | cut -d, -f1-3 | sort -u | wc -l)" 1
ok 'by axes too'          exits 0 "$gsim" compare "$db" --rows policy --metric "$part"
ok 'one of no part'       exits 2 "$gsim" compare "$db" --metric 'wait.mean[queue=nope]'
other=$tmp/other.db
"$gsim" replay traces/samples/preemption.yaml --policy kube-default \
    --policy volcano-default --policy binpack --db "$other" >/dev/null
ok 'a run of each'        exits 0 "$gsim" compare "$db" "$other" --run kube-default \
    --run spread --format csv
is 'wherever it is'       "$(head -n 1 "$out")" 'name,scope,label,unit,kube-default,spread'
ok 'a page of them, too'  exits 0 "$gsim" report "$db" "$other" --run kube-default \
    --run spread -o -
ok 'a name of both'       exits 0 "$gsim" compare "$db" "$other" --run binpack --format csv
is 'means both'           "$(head -n 1 "$out" | tr ',' '\n' | grep -c '^binpack@')" 2
ok 'a run of a database'  exits 0 "$gsim" compare "$db" "$other" --run other.db:binpack \
    --run "$db:binpack" --format csv
is 'in this order'        "$(head -n 1 "$out")" \
    "name,scope,label,unit,binpack@$other,binpack@$db"
ok 'one that is nowhere'  exits 2 "$gsim" compare "$db" "$other" --run nope
ok 'lists those of all'   says '(there are: spread, binpack; kube-default, volcano-default, binpack)'
mkdir "$tmp/x" && cp "$other" "$tmp/x/a.db"
ok 'one of two databases' exits 2 "$gsim" compare "$db" "$tmp/x/a.db" --run a.db:binpack
ok 'is told'              says 'give the path as DB:RUN'

# --- other inputs: no verdict -----------------------------------------------------
verdicts () {                   # verdicts COMPARE...: how many figures are marked
    "$gsim" compare "$@" >"$out"
    "$gsim" compare "$@" --format markdown | grep -c ' [-+=] |$'
}
is 'of other traces' \
    "$(verdicts "$db" "$other" --run spread --run kube-default)" 0
ok 'says which inputs'    prints 'The runs differ in trace and topology'
for set in load=2 nodes.gpu8=+1 durations=2; do
    rm -f "$tmp/set.db"
    "$gsim" replay traces/samples/preemption.yaml --policy binpack \
        --db "$tmp/set.db" --set "$set" --run changed >/dev/null 2>&1 || continue
    is "of $set" \
        "$(verdicts "$other" "$tmp/set.db" --run binpack --run changed)" 0
    ok "says so of $set"  grep -q 'The runs differ in [tl]o' "$out"
done
rm -f "$tmp/set.db"
"$gsim" replay traces/samples/preemption.yaml --policy binpack --until 30m \
    --db "$tmp/set.db" --run changed >/dev/null
is 'of another window' \
    "$(verdicts "$other" "$tmp/set.db" --run binpack --run changed)" 0
ok 'says that'            prints 'The runs differ in window'
ok 'of the same: marks'   test "$(verdicts "$other")" -gt 5
ok 'and no warning'       sh -c "! grep -q 'differ' '$out'"
ok 'a page of others'     exits 0 "$gsim" report "$db" "$other" --run spread \
    --run kube-default -o -
ok 'crowns none'          sh -c "! grep -q '(best)\|class=\"lead\"' '$out'"
ok 'says why'             prints 'The runs differ in trace and topology'

# --- room -------------------------------------------------------------------------
head_of () { COLUMNS=$1 "$gsim" compare "$other" --metric makespan | head -n 1; }
ok 'two names have room'  sh -c "COLUMNS=80 '$gsim' compare '$other' --metric makespan \
    --run kube-default --run volcano-default | grep -q 'kube-default  *volcano-default'"
is 'three in 140'         "$(head_of 140 | tr -s ' ')" ' kube-default volcano-default binpack'
for i in 1 2; do
    "$gsim" replay traces/samples/preemption.yaml --policy fifo --db "$tmp/long.db" \
        --run "a-run-with-a-long-name-and-a-number-$i-in-the-middle-of-it" >/dev/null
done
COLUMNS=60 "$gsim" compare "$tmp/long.db" --metric makespan >"$out"
is 'cut where alike'      "$(head -n 1 "$out" | tr -s ' ')" ' ~1~ ~2~'

# --- repeated seeds -------------------------------------------------------------
many=$tmp/many.db
philly () {                     # philly ARGUMENT...: a part that has to wait
    exits 0 "$gsim" replay traces/samples/philly.csv.gz --limit 3000 \
        --topology topology/samples/philly-tight.yaml "$@"
}
ok 'a run for each seed'  philly --policy random --policy spread \
    --policy binpack --seeds 6 --seed 7 --db "$many"
ok 'compared as means'    prints 'Means of several runs (random: 6, spread: 6, binpack: 6)'
is 'their names and seeds' "$(sqlite3 "$many" "SELECT name || ' ' || seed FROM
    runs WHERE policy = 'random'" | paste -sd ' ')" \
    'random-s7 7 random-s8 8 random-s9 9 random-s10 10 random-s11 11 random-s12 12'
"$gsim" replay traces/samples/philly.csv.gz --limit 3000 --policy random \
    --topology topology/samples/philly-tight.yaml --seed 9 --run random-s9 \
    --db "$tmp/alone.db" >/dev/null
is 'each is what --seed makes' \
    "$("$gsim" export "$tmp/alone.db" --what metrics | tail -n +2)" \
    "$("$gsim" export "$many" --what metrics --run random-s9 | tail -n +2)"
ok 'chance has a width'   sh -c "'$gsim' compare '$many' --metric jct.mean |
    grep -q '^jct.mean [^±]*  *[0-9hm]* *±[1-9]'"
ok 'the other has none'   sh -c "COLUMNS=200 '$gsim' compare '$many' \
    --metric jct.mean | grep -q '±0  *-.*% +\$'"
ok 'each run by itself'   exits 0 "$gsim" compare "$many" --by run --format csv
is 'is a column'          "$(head -n 1 "$out" | tr ',' '\n' | wc -l)" 22
ok 'all formats'          exits 0 "$gsim" compare "$many" --format json
is 'with tests'           "$(jq '[.metrics[] | .groups[1:][] | .difference.verdict] |
    unique | length > 2' "$out")" true
cp "$out" "$tmp/once.json"
ok 'asked again'          exits 0 "$gsim" compare "$many" --format json
ok 'the same bytes'       cmp -s "$out" "$tmp/once.json"
ok 'too many'             exits 2 "$gsim" replay traces/samples/fragmentation.yaml \
    --policy fifo --policy spread --seeds 129 --db "$tmp/none.db"
ok 'says how many'        says 'at most 256 runs of 2 policies'
ok 'none'                 exits 2 "$gsim" replay traces/samples/fragmentation.yaml \
    --seeds 0 --db "$tmp/none.db"
ok 'says so'              says "'--seeds' must be a number of seeds, at least 1"
ok 'beyond the last seed' exits 2 "$gsim" replay traces/samples/fragmentation.yaml \
    --seeds 2 --seed 18446744073709551615 --db "$tmp/none.db"
ok 'nothing was written'  test ! -e "$tmp/none.db"
ok 'the last one goes'    exits 0 "$gsim" replay traces/samples/fragmentation.yaml \
    --seed 18446744073709551615 --seeds 1 --db "$tmp/last.db"
ok 'a page of means'      exits 0 "$gsim" report "$many" -o "$tmp/page.html"
ok 'tells of what'        grep -q 'means of several runs (random: 6, spread: 6' "$tmp/page.html"
ok 'in words'             grep -q 'no significant difference' "$tmp/page.html"
ok 'and what that is'     grep -q '<dt>p</dt><dd>probability' "$tmp/page.html"
if command -v xmllint >/dev/null; then
    ok 'is well-formed'   exits 0 xmllint --noout "$tmp/page.html"
fi

# --- several traces --------------------------------------------------------------
days=$tmp/days.db
for day in 1 2 3 4 5 6; do
    "$gsim" trace generate --count 200 --gpus 128 --load 120% --seed $day \
        -o "$tmp/day$day.csv"
    "$gsim" replay "$tmp/day$day.csv" --policy spread --policy binpack \
        --topology topology/samples/two-racks.yaml --run "day$day" \
        --db "$days" >/dev/null || report 1 "day $day"
done
ok 'by policy'            exits 0 "$gsim" compare "$days" --by policy
ok 'a column for each'    prints 'Means of several runs (spread: 6, binpack: 6)'
ok 'paired by trace'      sh -c "'$gsim' compare '$days' --by policy --format json |
    jq -e '[.metrics[] | select(.name == \"jct.mean\") | .groups[1].difference] |
        .[0].test == \"paired t\" and .[0].pairs == 6' >/dev/null"
ok 'a page of them'       exits 0 "$gsim" report "$days" --by policy -o -
ok 'says of several'      prints 'day1.csv and other traces on'
ok 'is no unfair one'     sh -c "! grep -q Beware '$out'"
ok 'one policy twice'     exits 2 "$gsim" compare "$days" "$days" --by policy
ok 'is told'              says "are of one policy, trace and seed"
ok 'an unknown way'       exits 2 "$gsim" compare "$days" --by day
ok 'lists those there are' says "must be seed, policy or run (got 'day')"
ok 'on pages too'         exits 2 "$gsim" report "$days" --by day -o -

# --- sweeps by their axes ----------------------------------------------------------
cat >"$tmp/sweep.yaml" <<SWEEP
traces: $PWD/traces/samples/preemption.yaml
topologies: $PWD/topology/samples/one-node.yaml
policies: [binpack, random, priority-preempt]
seeds: [1, 2, 3]
keep: metrics
set:
  load: [10, 0.8, 1.2]
  cluster: {as-is: [], more: [nodes.gpu8=+1]}
SWEEP
"$gsim" sweep "$tmp/sweep.yaml" --db "$tmp/sweep.db" >/dev/null 2>&1
pivot () { exits 0 "$gsim" compare "$tmp/sweep.db" "$@"; }
ok 'rows and columns'     pivot --rows load --cols policy --where cluster=more --metric wait.mean
is 'of the axes'          "$(sed -n 2p "$out" | tr -s ' ')" 'load binpack random priority-preempt'
is 'by size'              "$(sed -n '3,5s/ .*//p' "$out" | paste -sd ' ')" '0.8 1.2 10'
ok 'means of the seeds'   prints 'Means of 3 seeds'
ok 'no verdict'           sh -c "! grep -q ' [-+=]\$' '$out'"
ok 'no such value'        exits 2 "$gsim" compare "$tmp/sweep.db" --rows load --where load=1
ok 'which there are'      says 'there are: '
ok 'for programs'         pivot --rows load --cols policy --where cluster=more --format csv
is 'a line a cell'        "$(tail -n +2 "$out" | cut -d, -f1,2,6 | sort | paste -sd ' ')" \
    '0.8,binpack,3 0.8,priority-preempt,3 0.8,random,3 1.2,binpack,3 1.2,priority-preempt,3 1.2,random,3 10,binpack,3 10,priority-preempt,3 10,random,3'
for load in 0.8 10; do
    is "the mean of load $load" \
        "$(awk -F, -v l=$load '$1 == l && $2 == "random" { print $7 }' "$out")" \
        "$(sqlite3 "$tmp/sweep.db" "SELECT printf('%.17g', avg(m.value)) FROM metrics m
            JOIN runs r ON r.id = m.run_id WHERE m.name = 'wait.mean' AND
            m.scope = 'cluster' AND r.name LIKE '%random%load=$load%more%'" |
            awk '{ print $1 + 0 }')"
done
pivot --rows cluster --rows load --cols policy >/dev/null
cp "$out" "$tmp/twice"
ok 'or by commas'         pivot --rows cluster,load --cols policy
ok 'are the same'         cmp "$out" "$tmp/twice"
ok 'an axis without name' exits 2 "$gsim" compare "$tmp/sweep.db" --rows load,,cluster
ok 'two axes of rows'     pivot --rows cluster --rows load --cols policy --format json
is 'have all cells'       "$(jq '.metrics[0].cells | length' "$out")" 18
ok 'metrics as columns'   pivot --rows policy --where load=10 --where cluster=more \
    --metric wait.mean --metric jct.mean --format markdown
is 'beside each other'    "$(head -n 1 "$out")" '| policy | wait.mean | jct.mean |'
ok 'seeds as columns'     pivot --rows policy --cols seed --where load=10 --where cluster=more
ok 'a cell of two kinds'  exits 2 "$gsim" compare "$tmp/sweep.db" --rows load --cols policy
ok 'is refused'           says "the runs of one cell differ in 'cluster'"
ok 'an unknown axis'      exits 2 "$gsim" compare "$tmp/sweep.db" --rows lod
ok 'lists those there are' says "no axis 'lod' (there are: policy, seed"
ok 'an unknown value'     exits 2 "$gsim" compare "$tmp/sweep.db" --rows load --where load=7
ok 'columns need rows'    exits 2 "$gsim" compare "$tmp/sweep.db" --cols load
ok 'a metric of none'     exits 2 "$gsim" compare "$tmp/sweep.db" --rows policy --cols load \
    --where cluster=more --metric nope
ok 'replays, too'         exits 0 "$gsim" compare "$many" --rows policy

# --- what it all means ------------------------------------------------------------
ok 'the glossary'         exits 0 "$gsim" compare --explain
ok 'has the metrics'      prints 'wait.* (s, lower is better; cluster, queue, size, scheduler, qos)'
ok 'and the marks'        prints 'no significant difference'
is 'in 80 columns'        "$(grep -E '.{81}' "$out")" ''
ok 'of some'              exits 0 "$gsim" compare --explain 'frag.*' goodput
is 'these only'           "$(grep -c '^[a-z]' "$out")" 8
ok 'of none'              exits 2 "$gsim" compare --explain nope
ok 'says so'              says "no metric is called 'nope'"
cp "$many" "$tmp/all.db"
"$gsim" replay traces/samples/preemption.yaml --policy hybrid --db "$tmp/all.db" \
    --run preemption >/dev/null
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default --db "$tmp/all.db" \
    --run deadlock >/dev/null
"$gsim" replay traces/samples/reclaim.yaml --policy volcano --db "$tmp/all.db" \
    --run reclaim >/dev/null
missing=
metrics=$(sqlite3 -separator ' ' "$tmp/all.db" "SELECT DISTINCT name, scope FROM metrics")
while read -r name scope; do
    "$gsim" compare --explain "$name" 2>/dev/null |
        grep -q "(.*[; ]${scope}[,)]" || missing="$missing $name:$scope"
done <<METRICS
$metrics
METRICS
ok 'of many metrics'      test "$(echo "$metrics" | wc -l)" -gt 60
is 'none has no meaning'  "$missing" ''

ok 'trace info'           exits 0 "$gsim" trace info traces/samples/philly.csv.gz
ok 'counts the jobs'      prints '82247 jobs'
ok 'and the GPUs'         prints '374.2 GPUs on average'
ok 'trace generate'       exits 0 "$gsim" trace generate --count 500 -o "$tmp/g.csv"
is 'makes so many jobs'   "$(wc -l <"$tmp/g.csv")" 501
ok 'topology show'        exits 0 "$gsim" topology show topology/samples/philly-tight.yaml
ok 'folds equal racks'    prints 'rack r01 .. r11: each 8 nodes, 64 GPUs'
done_testing
