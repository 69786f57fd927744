#!/bin/sh
# gsim replay of several runs at once: as if they were made one after another.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

rows () { sqlite3 "$1" .dump; }

both () {                       # both STATUS ARGUMENT...: one at a time, and four
    want=$1
    shift
    rm -f "$tmp"/one.db* "$tmp"/four.db*
    exits "$want" "$gsim" replay "$@" --db "$tmp/one.db" --jobs 1 || return 1
    sed "s/one\.db/DB/" "$out" >"$tmp/one.out"
    sed "s/one\.db/DB/" "$errs" >"$tmp/one.err"
    exits "$want" "$gsim" replay "$@" --db "$tmp/four.db" --jobs 4 || return 1
    sed "s/four\.db/DB/" "$out" | cmp - "$tmp/one.out" || return 1
    sed "s/four\.db/DB/" "$errs" | cmp - "$tmp/one.err" || return 1
    if [ -e "$tmp/one.db" ] || [ -e "$tmp/four.db" ]; then
        rows "$tmp/one.db" >"$tmp/one.sql"
        rows "$tmp/four.db" | cmp - "$tmp/one.sql"
    fi
}

cat >"$tmp/fail.yaml" <<'YAML'
events:
  - {at: 2d, rack: r01, what: fail, for: 5h}
  - {at: 3d, node: n12, what: remove}
YAML
# of all presets only `recorded` asks for something of the trace
presets=$("$gsim" policies | sed -n '2,/^$/s/^  \([a-z-]*\) .*/--policy \1/p' |
    grep -v recorded)
philly='traces/samples/philly.csv.gz --topology topology/samples/philly-tight.yaml'
# shellcheck disable=SC2086
{
ok 'all presets, several seeds' both 0 $philly --limit 400 $presets --seeds 3
is 'all are stored, in order' "$(sqlite3 "$tmp/four.db" 'SELECT count(*), min(id),
    max(id) FROM runs')" "$(echo "$presets" | awk '{ n += 3 } END { print n "|1|" n }')"
ok 'one stores while it replays: the rows are the same' both 0 $philly \
    --policy binpack --policy spread
ok 'every event, estimates that the seed draws' both 0 $philly --limit 400 --events \
    --seeds 4 --estimates uniform:1..6 --policy easy --policy random
ok 'nodes that fail, a window'  both 0 $philly --limit 400 --policy easy \
    --policy hybrid --scenario "$tmp/fail.yaml" --from 1d --warmup 1h
ok 'a failure: the runs before it' both 3 $philly --limit 400 --policy binpack \
    --policy random --policy recorded --policy spread --policy fifo
ok 'with its reason'            says "policy 'recorded' follows"
is 'are stored, and no other'   "$(sqlite3 "$tmp/four.db" \
    'SELECT id, name FROM runs' | tr '\n' ' ')" '1|binpack 2|random '
}
for t in fragmentation preemption reclaim deadlock hoarding; do
    ok "$t" both 0 "traces/samples/$t.yaml" --policy binpack --policy volcano \
        --policy kube-default --policy kai
done

cat >"$tmp/lost.yaml" <<YAML
topology: $root/topology/samples/fragmentation.yaml
priority_classes: {high: {value: 100}, low: {value: 1}}
jobs:
  - {name: web, submit: 0, duration: 9h, gpus: 2, replicas: 3, priority: low, withdraw: true}
  - {name: train, submit: 1m, duration: 5h, gpus: 4, priority: low, checkpoint: 20m}
  - {name: urgent, submit: 50m, duration: 1h, gpus: 8, replicas: 2, priority: high}
  - {name: short, submit: 51m, duration: 5m, gpus: 1, priority: low}
  - {name: again, submit: 3h, duration: 10m, gpus: 8, replicas: 2, priority: high}
YAML
ok 'lost work, and services that are withdrawn' both 0 "$tmp/lost.yaml" \
    --policy priority-preempt --policy spread
is '... which there were'       "$(sqlite3 "$tmp/one.db" "SELECT name, value > 0 FROM metrics
    WHERE run_id = 1 AND name IN ('gpu_time.repeated', 'service.unserved_hours')
    ORDER BY name" | tr '\n' ' ')" 'gpu_time.repeated|1 service.unserved_hours|1 '
ok '... without a database'     exits 0 "$gsim" replay "$tmp/lost.yaml" --no-db \
    --policy priority-preempt --policy spread
ok '... the metrics are the same' cmp -s "$out" "$tmp/one.out"

cat >"$tmp/big.yaml" <<YAML
topology: $root/topology/samples/fragmentation.yaml
jobs:
  - {name: fits, submit: 0, duration: 10, gpus: 8}
  - {name: too-big, submit: 0, duration: 10, gpus: 16}
YAML
ok 'notices'                    both 0 "$tmp/big.yaml" --seeds 3
is 'stand in the order of the runs' "$(sed -n 's/^gsim: \(.*\): 1 jobs rejected.*/\1/p' \
    "$errs" | tr '\n' ' ')" 'binpack-s42 binpack-s43 binpack-s44 '
ok 'with --strict the first fails' both 3 "$tmp/big.yaml" --seeds 3 --strict
ok 'and no file is there'       test ! -e "$tmp/four.db"
ok 'a run is replaced'          exits 0 "$gsim" replay "$tmp/big.yaml" --seeds 3 \
    --db "$tmp/again.db" --jobs 3
ok 'where that is allowed'      exits 0 "$gsim" replay "$tmp/big.yaml" --seeds 3 \
    --db "$tmp/again.db" --jobs 3 --replace
ok 'else it is refused'         exits 2 "$gsim" replay "$tmp/big.yaml" --seeds 3 \
    --db "$tmp/again.db" --jobs 3
is 'three runs are there'       "$(sqlite3 "$tmp/again.db" \
    'SELECT group_concat(id) FROM runs')" '4,5,6'

mkdir "$tmp/scratch"
for jobs in 1 3; do
    ok "--no-db, $jobs at once" exits 0 env TMPDIR="$tmp/scratch" "$gsim" replay \
        "$tmp/big.yaml" --seeds 3 --no-db --jobs "$jobs"
    cp "$out" "$tmp/no-db.$jobs"
done
ok 'prints the same'            cmp "$tmp/no-db.1" "$tmp/no-db.3"
is 'and leaves nothing'         "$(ls "$tmp/scratch")" ''

# --- ended in the middle ------------------------------------------------------
ending () {                     # ending SIGNAL VALUE: the exit status of a replay
    # shellcheck disable=SC2086
    env --default-signal=INT TMPDIR="$tmp/scratch" "$gsim" replay $philly \
        --policy binpack --policy random --seeds 8 --jobs 3 "$keep" "$2" \
        >"$out" 2>"$errs" &
    pid=$!
    sleep 0.7
    kill -"$1" $pid
    status=0
    wait $pid 2>/dev/null || status=$?
    echo $status
}
for signal in HUP INT KILL TERM; do
    db=$tmp/$signal.db
    keep=--db
    got=$(ending $signal "$db")
    case $signal in HUP) want=129 ;; INT) want=130 ;; KILL) want=137 ;; *) want=143 ;; esac
    is "$signal ends it"        "$got" $want
    is '... without a word'     "$(cat "$errs")" ''
    sleep 0.5                   # the kernel ends those that KILL orphaned
    printf '%s' "$db" >"$tmp/name"
    is '... and its processes'  "$(grep -lasF -f "$tmp/name" /proc/[0-9]*/cmdline)" ''
    if [ -e "$db" ]; then
        is '... in a whole database' "$(sqlite3 "$db" 'PRAGMA integrity_check')" ok
        is '... of the first runs' "$(sqlite3 "$db" 'SELECT count(*) - max(id) FROM runs' \
            2>/dev/null | tr -d 0)" ''
    fi
done
keep=--no-db
is 'TERM, without a database'   "$(ending TERM --quiet)" 143
is 'leaves nothing either'      "$(ls "$tmp/scratch")" ''
done_testing
