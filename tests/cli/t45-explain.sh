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

sqlite3 "$db" 'PRAGMA user_version = 1'
ok 'an older database'    exits 3 "$gsim" explain "$db" spread big
ok 'is told from ours'    says 'has schema version 1 of an older gsim'
done_testing
