#!/bin/sh
# --scratch: the same results from files; --metrics-only: no rows of jobs.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

mkdir "$tmp/scratch"
printf '%s\n' 'node_types: {gpu8: {gpus: 8, cpu: 64}}' \
    'nodes: [{name: "n[1-16]", type: gpu8}]' >"$tmp/nodes.yaml"

# Rows of 40,000 jobs, a class and a queue each; with $1 in an order of their own.
jobs () {
    awk -v mixed="$1" 'BEGIN {
        print "name,submit,duration,gpus,priority,queue,user"
        for (i = 1; i <= 40000; i++) {
            seed = (seed * 1103515245 + 12345) % 2147483648
            draw = int(seed / 65536)
            at = mixed ? (i * 7919) % 40000 : i
            printf "%s%d,%d,%d,%d,%d,q%d,u%d\n", mixed ? "x" : "job-",
                mixed ? (i * 31337) % 40009 : i, at * 30,
                1 + draw % 3000, 2 ^ (draw % 4), draw % 3 ? 0 : 5, draw % 5,
                draw % 97
        }
    }'
}

for order in '' mixed; do
    jobs $order >"$tmp/jobs.csv"
    for policy in binpack priority-preempt drf; do
        for where in "" "--scratch $tmp/scratch"; do
            # shellcheck disable=SC2086 # two words
            ok "${order:-in order} $policy $where" exits 0 "$gsim" replay \
                "$tmp/jobs.csv" --topology "$tmp/nodes.yaml" --policy $policy \
                --db "$tmp/${where:+far}.db" $where
            cp "$tmp/out" "$tmp/table${where:+far}"
            for what in jobs placements metrics; do
                "$gsim" export "$tmp/${where:+far}.db" --what $what --run $policy \
                    -o "$tmp/$what${where:+far}" -q
            done
        done
        for what in table jobs placements metrics; do
            ok "${order:-in order} $policy: the same $what" cmp "$tmp/$what" \
                "$tmp/${what}far"
        done
    done
    rm -f "$tmp/.db" "$tmp/far.db"
done
is 'no file is left in the folder' "$(ls -A "$tmp/scratch")" ''

printf 'job-7,2000000,1,1,0,q1,u1\n' >>"$tmp/jobs.csv"
printf 'x17,2000000,1,1,0,q1,u1\n' >>"$tmp/jobs.csv"
ok 'a name that comes again' exits 3 "$gsim" replay "$tmp/jobs.csv" \
    --topology "$tmp/nodes.yaml" --no-db --scratch "$tmp/scratch"
ok '... is an error with its line' says "jobs.csv:40003: two jobs are called 'x17'"

# --- what it is not for ----------------------------------------------------------
run () {
    "$gsim" replay traces/samples/fragmentation.yaml "$@"
}
ok 'a folder that is not there' exits 3 run --no-db --scratch "$tmp/nowhere"
ok '... is told' says 'nowhere: cannot make a file in this folder: No such file'
ok 'two policies' exits 2 run --no-db --scratch "$tmp" --policy binpack --policy drf
ok '... are two runs' says "'--scratch' is for one run (got 2)"
ok 'ten seeds' exits 2 run --no-db --scratch "$tmp" --seeds 10

# --- metrics only ----------------------------------------------------------------
ok 'metrics only' exits 0 run --metrics-only --db "$tmp/m.db"
ok 'all rows' exits 0 run --db "$tmp/a.db"
sql () { sqlite3 "$1" "$2"; }
is 'no jobs and placements' "$(sql "$tmp/m.db" 'SELECT (SELECT count(*) FROM jobs),
    (SELECT count(*) FROM placements)')" '0|0'
is 'all metrics' "$(sql "$tmp/m.db" 'SELECT * FROM metrics')" \
    "$(sql "$tmp/a.db" 'SELECT * FROM metrics')"
ok 'a comparison of both' exits 0 "$gsim" compare "$tmp/m.db" "$tmp/a.db"
ok 'events are rows' exits 2 run --metrics-only --events --db "$tmp/b.db"
ok '... which is told' says 'leave out '
ok 'nothing is no metrics' exits 2 run --metrics-only --no-db

# --- a full disk -----------------------------------------------------------------
mkdir "$tmp/full"
if mount -t tmpfs -o size=4m tmpfs "$tmp/full" 2>/dev/null; then
    trap 'umount "$tmp/full"; rm -rf "$tmp"' EXIT
    ok 'a scratch folder that is full' exits 4 "$gsim" replay "$tmp/jobs.csv" \
        --topology "$tmp/nodes.yaml" --db "$tmp/c.db" --scratch "$tmp/full"
    ok '... is told' says "$tmp/full: No space left on device"
    is '... and nothing is stored' "$(ls "$tmp"/c.db* 2>/dev/null)" ''
else
    skip 'a full scratch folder' 'needs root to mount a tmpfs'
fi

done_testing
