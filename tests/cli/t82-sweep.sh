#!/bin/sh
# gsim sweep: grids, what goes wrong in them, and going on where one was ended.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

cd "$tmp" || exit 1
cp "$root/topology/samples/two-nodes.yaml" nodes.yaml
cat >a.csv <<'EOF'
name,submit,duration,gpus
j1,0,1h,4
j2,60,2h,8
j3,120,30m,2
j4,180,1h,8
EOF
sed 's/^j4.*/j4,180,1h,16/' a.csv >b.csv
cat >s.yaml <<'EOF'
traces: [a.csv, b.csv]
topologies: nodes.yaml
policies: [binpack, spread]
seeds: [3, 1]
set:
  load: [1, 2.5]
  cluster: {as-is: [], three: [nodes.gpu8=3, "gang.timeout=5m"]}
EOF
rows () {                       # rows DB: all that it holds, in SQL
    sqlite3 "$1" .dump
}
ask () {                        # ask DB SQL
    sqlite3 "$1" "$2"
}

ok 'a grid'                     exits 0 "$gsim" sweep s.yaml --jobs 1 --db one.db
ok 'says what it made'          prints 's: 32 runs, 32 done'
is 'every combination is a run' "$(ask one.db "SELECT count(*), count(DISTINCT
    (SELECT group_concat(value) FROM sweep_values v WHERE v.point = p.point))
    FROM sweep_points p")" '32|32'
is 'names in the order of the axes' "$(ask one.db 'SELECT name FROM runs
    WHERE id IN (1, 2, 32) ORDER BY id')" 'a/binpack/load=1/cluster=as-is/s3
a/binpack/load=1/cluster=as-is/s1
b/spread/load=2.5/cluster=three/s1'
is 'runs know their changes'    "$(ask one.db "SELECT json_extract(options, '\$.set')
    FROM runs WHERE id = 32")" '["load=2.5","nodes.gpu8=3","gang.timeout=5m"]'
is 'which were made'            "$(ask one.db 'SELECT count(DISTINCT gpus) FROM runs')" 2
ok 'axes can be asked for'      test "$(ask one.db "SELECT count(*) FROM v_sweeps
    WHERE axis = 'load' AND value = '2.5'")" = 16
for jobs in 2 7; do
    ok "with $jobs jobs"        exits 0 "$gsim" sweep s.yaml --jobs $jobs --db $jobs.db
    rows one.db >one.sql
    rows $jobs.db >$jobs.sql
    ok "the same rows with $jobs jobs" cmp one.sql $jobs.sql
done
ok 'again: nothing to do'       exits 0 "$gsim" sweep s.yaml --db one.db
ok 'says so'                    prints '32 done (32 before)'
rows one.db >again.sql
ok 'and nothing is changed'     cmp one.sql again.sql
"$gsim" replay a.csv --topology nodes.yaml --policy spread --set load=2.5 \
    --seed 1 --db single.db >"$out" 2>"$errs"
is 'a point is what replay makes of it' \
    "$(ask one.db "SELECT name, label, value FROM v_metrics WHERE run =
        'a/spread/load=2.5/cluster=as-is/s1' ORDER BY 1, 2")" \
    "$(ask single.db 'SELECT name, label, value FROM v_metrics ORDER BY 1, 2')"
ok 'compare reads it'           exits 0 "$gsim" compare one.db \
    --run a/binpack/load=1/cluster=as-is/s1 --run a/spread/load=1/cluster=as-is/s1

# --- what is kept ---
{ echo 'keep: metrics'; sed 's/seeds.*/name: small/' s.yaml; } >small.yaml
ok 'metrics only'               exits 0 "$gsim" sweep small.yaml --db small.db
is 'leave out jobs'             "$(ask small.db 'SELECT (SELECT count(*) FROM runs),
    (SELECT count(*) FROM jobs), (SELECT count(*) > 0 FROM samples)')" '16|0|1'

# --- two sweeps and a replay in one database ---
{ echo 'name: other'; sed 's/seeds.*/seeds: 7..8/' s.yaml; } >other.yaml
ok 'another sweep beside it'    exits 0 "$gsim" sweep other.yaml --db one.db
ok 'a replay beside them'       exits 0 "$gsim" replay a.csv --topology nodes.yaml --db one.db
is 'all are there'              "$(ask one.db 'SELECT count(*), max(id) FROM runs')" '65|65'

# --- a run that fails ---
# Only one of the traces has the queue.
sed '/cluster:/d; s/^traces.*/traces: [a.csv, c.yaml]/' s.yaml >fail.yaml
echo '  queues.x.weight: [2]' >>fail.yaml
cat >c.yaml <<'EOF'
jobs: [{name: j, submit: 0, duration: 1h, gpus: 1}]
EOF
sed 's/gpus/gpus,queue/; s/^\(j.*\)/\1,x/' a.csv >x.csv && mv x.csv a.csv
ok 'points that fail'           exits 4 "$gsim" sweep fail.yaml --db fail.db
ok 'are reported'               says 'c/binpack/load=1/s3 failed: '
ok 'and counted'                prints '16 runs, 8 done, 8 failed'
is 'and noted'                  "$(ask fail.db "SELECT state, count(*), count(error)
    FROM sweep_points GROUP BY 1")" 'done|8|0
failed|8|8'
ok 'not tried again'            exits 4 "$gsim" sweep fail.yaml --db fail.db
ok 'unless told to'             exits 4 "$gsim" sweep fail.yaml --db fail.db --retry
ok 'what is done stays'         prints '8 done (8 before), 8 failed'

# --- inputs that change ---
cp one.db changed.db
printf 'j5,200,1h,1,\n' >>a.csv
ok 'a changed trace'            exits 2 "$gsim" sweep fail.yaml --db fail.db
ok 'is named'                   says 'a.csv has changed since'
sed 's/seeds.*/seeds: 1/' fail.yaml >fail2.yaml && mv fail2.yaml fail.yaml
ok 'a changed sweep'            exits 2 "$gsim" sweep fail.yaml --db fail.db
ok 'is named, too'              says 'fail.yaml has changed since'
sed '1d' s.yaml | sed '1i traces: b.csv' >s2.yaml
sed -i '1i name: elsewhere' s2.yaml
ok 'another database'           exits 0 "$gsim" sweep s2.yaml --db else.db
sed 's/elsewhere/third/' s2.yaml >s3.yaml
ok 'names that are taken'       exits 2 "$gsim" sweep s3.yaml --db else.db
ok 'are named'                  says "has a run 'binpack/load=1/cluster=as-is/s3' already"

# --- hostile files: exit 3 and one line, nothing written ---
bad () {                        # bad NAME TEXT: standard input is the sweep
    cat >bad.yaml
    ok "$1"                     exits 3 "$gsim" sweep bad.yaml --db bad.db
    ok "$1: is told"            says "$2"
    is "$1: in one line"        "$(wc -l <"$errs")" 1
    ok "$1: nothing is written" test ! -e bad.db
}
head='{traces: b.csv, topologies: nodes.yaml, '
bad 'no traces' "a sweep needs 'traces'" <<EOF
{policies: fifo}
EOF
bad 'an empty list' "'traces' needs at least one value" <<EOF
{traces: []}
EOF
bad 'too many runs' 'makes more than 100000 runs' <<EOF
$head seeds: 1..50000, policies: [fifo, binpack, spread]}
EOF
bad 'a product that overflows' 'makes more than 100000 runs' <<EOF
$head seeds: 1..100000, set: {$(for i in 1 2 3 4 5 6 7 8 9 10 11; do
    printf 'x%d.y: [%s], ' $i "$(seq -s, 1 200)"; done)}}
EOF
bad 'seeds that fall' "'seeds' must be" <<EOF
$head seeds: 9..2}
EOF
bad 'seeds without end' "'seeds' must be" <<EOF
$head seeds: 0..18446744073709551615}
EOF
bad 'a seed twice' "'seed' is there twice: 's4'" <<EOF
$head seeds: [4, 5, 4]}
EOF
bad 'a policy twice' "'policy' is there twice: 'fifo'" <<EOF
$head policies: [fifo, fifo]}
EOF
bad 'an axis twice' 'load' <<EOF
$head set: {load: [1], load: [2]}}
EOF
bad 'a path on two axes' "'load' is set by axis 'load' and by axis 'x'" <<EOF
$head set: {load: [1], x: {a: [load=2], b: []}}}
EOF
bad 'an axis called as ours' "an axis is called 'seed' already" <<EOF
$head set: {seed: [1, 2]}}
EOF
bad 'a path that is none' "'lood=1': " <<EOF
$head set: {lood: [1]}}
EOF
bad 'a value that is none' "'load=no': " <<EOF
$head set: {load: [1, no]}}
EOF
bad 'no PATH=VALUE' "'c=a': must be PATH=VALUE" <<EOF
$head set: {c: {a: [load]}}}
EOF
bad 'an unknown policy' 'binpakc' <<EOF
$head policies: [binpakc]}
EOF
bad 'an unknown key' "unknown key 'trace' in a sweep (did you mean 'traces'?)" <<EOF
{trace: b.csv}
EOF
bad 'no such trace' 'nowhere.csv' <<EOF
{traces: nowhere.csv, topologies: nodes.yaml}
EOF
bad 'keep what' "'keep' must be all or metrics (got 'jobs')" <<EOF
$head keep: jobs}
EOF
bad 'names that a terminal would act on' 'control' <<EOF
$head set: {c: {"a\\e[2J": [load=1]}}}
EOF
bad 'two runs of one name' "two runs would be called 'a=1/b=1/b=1'" <<EOF
$head set: {a: {1/b=1: [], 1: []}, b: {1: [], 1/b=1: []}}}
EOF
cat >quotes.yaml <<EOF
$head name: "'; DROP TABLE runs; --", set: {"<b>\$(id)'": {"'x\"": [], "|y": [load=2]}}}
EOF
ok 'quotes'                     exits 0 "$gsim" sweep quotes.yaml --db quotes.db
is 'are only text'              "$(ask quotes.db 'SELECT name FROM runs ORDER BY id')" \
    "<b>\$(id)'='x\"
<b>\$(id)'=|y"
ok 'no sweep'                   exits 2 "$gsim" sweep
ok 'standard input'             exits 2 "$gsim" sweep -
ok 'too many jobs'              exits 2 "$gsim" sweep s.yaml --jobs 5000
ok 'a database of others'       exits 3 "$gsim" sweep s2.yaml --db a.csv

# --- ended at any moment ---
"$gsim" trace generate --count 1000 --gpus 64 --load 95% --seed 1 \
    --format csv -o big.csv >"$out" 2>&1
sed 's/n\[1-2\]/n[1-8]/' nodes.yaml >eight.yaml
cat >big.yaml <<'EOF'
{traces: big.csv, topologies: eight.yaml, policies: [binpack, random], seeds: 1..60}
EOF
"$gsim" sweep big.yaml --db whole.db >"$out" 2>"$errs"
rows whole.db >whole.sql
kills=0
before=0
less=0
for signal in KILL TERM KILL INT KILL HUP KILL KILL; do
    "$gsim" sweep big.yaml --jobs $((kills % 2 + 1)) --db killed.db >"$out" 2>"$errs" &
    pid=$!
    sleep 0.0$((kills % 3 * 3 + 2))
    kill -$signal $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
    [ -e killed.db ] || continue
    now=$(ask killed.db "SELECT count(*) FROM sweep_points WHERE state = 'done'" 2>/dev/null)
    runs=$(ask killed.db 'SELECT count(*) FROM runs' 2>/dev/null)
    [ "${now:-0}" -ge "$before" ] && [ "${now:-0}" = "${runs:-0}" ] || less=1
    before=${now:-0}
done
ok 'sweeps were killed'         test $kills -ge 3
is 'what was done stayed, and is whole' $less 0
ok 'the rest is done'           exits 0 "$gsim" sweep big.yaml --db killed.db
rows killed.db >killed.sql
ok 'as if nothing had happened' cmp whole.sql killed.sql
is 'no run was left over'       "$(ask killed.db "SELECT count(*) FROM sweep_points
    WHERE state != 'done'")" 0

cp "$root/sim/samples/outages.yaml" world.yaml
cat >worlds.yaml <<EOF
traces: $root/traces/samples/outages.yaml
speed: all-reduce
world: world.yaml
set: {load: [1, 2]}
EOF
ok 'a world and a speed model'  exits 0 "$gsim" sweep worlds.yaml --db worlds.db
"$gsim" replay "$root/traces/samples/outages.yaml" --scenario world.yaml \
    --speed all-reduce --set load=2 --run alone --db worlds.db >/dev/null
is 'are those of a replay'      "$(ask worlds.db "SELECT group_concat(value) FROM
    (SELECT value FROM v_metrics WHERE run = 'load=2' ORDER BY name, scope, label)")" \
    "$(ask worlds.db "SELECT group_concat(value) FROM
    (SELECT value FROM v_metrics WHERE run = 'alone' ORDER BY name, scope, label)")"
ok 'of which there are some'    test "$(ask worlds.db "SELECT value FROM v_metrics
    WHERE run = 'load=2' AND name = 'failure.restarts'")" = 3.0
echo '# changed' >>world.yaml
ok 'a world that has changed'   exits 2 "$gsim" sweep worlds.yaml --db worlds.db
ok 'is another sweep'           says 'world.yaml has changed'
ok 'one that is not there'      exits 3 sh -c "sed 's/world.yaml/no.yaml/' worlds.yaml >w2.yaml &&
    '$gsim' sweep w2.yaml --db w2.db"

ok 'the sample'                 exits 0 "$gsim" sweep "$root/examples/sweep.yaml" --db sample.db
ok 'makes what its comment says'     prints '24 runs, 24 done'
# two sweeps of one grid under two names, begun together on a new database: one
# is refused before it makes any run
printf 'traces: %s\npolicies: [binpack, spread]\nseeds: 1..10\n' \
    "$root/traces/samples/fragmentation.yaml" >"$tmp/one.yaml"
cp "$tmp/one.yaml" "$tmp/two.yaml"
one_status=0
two_status=0
"$gsim" sweep "$tmp/one.yaml" --db "$tmp/both.db" >"$out" 2>"$errs" &
"$gsim" sweep "$tmp/two.yaml" --db "$tmp/both.db" >"$tmp/two.out" \
    2>"$tmp/two.err" || two_status=$?
wait $! || one_status=$?
is 'of two sweeps that want the same runs one is refused' \
    "$((one_status + two_status))" 2
is '... and the other makes all' "$(sqlite3 "$tmp/both.db" \
    "SELECT count(*) FROM sweep_points WHERE state = 'done';
     SELECT count(*) FROM sweeps" | tr '\n' ' ')" '20 1 '
is '... with a remedy' "$(cat "$errs" "$tmp/two.err" | grep -c \
    'of the sweep .*: give the sweep another --db')" 1
done_testing
