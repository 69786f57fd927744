#!/bin/sh
# gsim explain: one job of one run.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --db "$db" >/dev/null

ok 'a job by name'        exits 0 "$gsim" explain "$db" spread big
ok 'what it asked'        prints 'asked      1 task, 8 GPUs in all'
ok 'when it started'      prints 'started    2h, 1h59m later'
ok 'how long it waited'   prints 'Waited 1h59m for'
ok 'where it ran'         prints '0-7'
is 'nothing after a line' "$(grep -c ' $' "$tmp/out")" 0
ok 'a job by number'      exits 0 "$gsim" explain "$db" binpack 0
ok 'which is named'       prints 'small-1 (job 0) in run binpack'
is 'it did not wait'      "$(grep -c Waited "$tmp/out")" 0
ok 'a number for sure'    exits 0 "$gsim" explain "$db" binpack '#8'
ok 'json'                 exits 0 "$gsim" explain "$db" spread big --format json
is 'that jq reads'        "$(jq -r '.name, .waited_us, .placements[0].devices' \
    "$tmp/out" | tr '\n' ' ')" 'big 7140000000 0-7 '
is 'waits that add up'    "$(jq '[.waits[].us] | add' "$tmp/out")" 7140000000

ok 'an unknown run'       exits 3 "$gsim" explain "$db" sprad big
ok 'names the nearest'    says "did you mean 'spread'?"
ok 'an unknown job'       exits 3 "$gsim" explain "$db" spread small-11
ok 'names the nearest'    says "did you mean 'small-1'?"
ok 'a number too high'    exits 3 "$gsim" explain "$db" spread 9
ok 'tells which there are' says 'numbered 0 to 8'
ok 'a hostile name'       exits 3 "$gsim" explain "$db" spread "'; drop table jobs; --"
ok 'does no harm'         exits 0 "$gsim" explain "$db" spread big
ok 'no job'               exits 2 "$gsim" explain "$db" spread
ok 'shows the usage'      says 'usage: gsim explain DB RUN JOB'
ok 'an unknown format'    exits 2 "$gsim" explain "$db" spread big --format xml
ok 'no such database'     exits 3 "$gsim" explain "$tmp/none.db" spread big
ok 'no colour in a pipe'  sh -c "! '$gsim' explain '$db' spread big | grep -q '\\['"

# names that a terminal would act on
sqlite3 "$db" "UPDATE jobs SET name = char(27) || '[31m' || char(10),
    queue = char(155), user = char(7) WHERE job = 8"
ok 'an odd name'          exits 0 "$gsim" explain "$db" spread '#8'
is 'is harmless'          "$(tr -d '\n' <"$tmp/out" | LC_ALL=C grep -c '[[:cntrl:]]')" 0

# --- the time line
export LC_ALL=C
unset COLUMNS NO_COLOR
db=$tmp/b.db
"$gsim" replay traces/samples/preemption.yaml --policy priority-preempt \
    --db "$db" >/dev/null
line () { exits 0 "$@" "$gsim" explain "$db" priority-preempt low-1; }

ok 'README.md shows it'   line env
awk '/^### One job/ { on = 1 } on && /^```/ { n++; next } on && n == 1' README.md |
    tail -n +2 >"$tmp/shown"
is 'as it is'             "$(cat "$tmp/shown")" "$(sed -n '/^Time/,/^$/{/./p}' "$out")"
ok 'plain unless told'    sh -c "! LC_ALL=C grep -q '[^ -~]' '$out'"
ok 'blocks in UTF-8'      line env LC_ALL=C.UTF-8
ok 'are drawn'            prints '█░'
ok 'LC_ALL comes first'   line env LC_ALL=C LANG=C.UTF-8
ok 'before the others'    prints '#.'
ok 'then LC_CTYPE'        line env LC_ALL= LC_CTYPE=en_US.utf8 LANG=C
ok 'before LANG'          prints '█░'
for n in 40 79 200; do
    ok "$n columns"       line env COLUMNS=$n
    is 'are used'         "$(awk '/^  [|]-/ { print length }' "$out")" $((n - 2))
    is 'by no line more'  "$(sed -n '/^Time/,/^$/p' "$out" | awk -v n=$n 'length > n' | wc -l)" 0
done
ok '20 are too few'       line env COLUMNS=20
is 'and not believed'     "$(awk '/^  [|]-/ { print length }' "$out")" 78
if command -v script >/dev/null; then
    tty () {              # tty COMMAND...: on a terminal of 60 columns
        script -qec "stty cols 60; $*" /dev/null </dev/null | tr -d '\r' >"$out"
    }
    tty "'$gsim' explain '$db' priority-preempt low-1"
    is 'on a terminal, its width' "$(awk '/^  [|]-/ { print length }' "$out")" 58
    ok 'and colours'      sh -c "grep -q '\\[32m####*.\\[0m' '$out'"
    tty "NO_COLOR=1 '$gsim' explain '$db' priority-preempt low-1"
    ok 'but with NO_COLOR' sh -c "! grep -q '\\[' '$out'"
else
    skip 'on a terminal'  'there is no script'
fi

db=$tmp/a.db
sqlite3 "$db" 'PRAGMA user_version = 1'
ok 'an older database'    exits 3 "$gsim" explain "$db" spread big
ok 'is told from ours'    says 'has schema version 1 of an older gsim'
done_testing
