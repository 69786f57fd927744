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

ok 'trace info'           exits 0 "$gsim" trace info traces/samples/philly.csv.gz
ok 'counts the jobs'      prints '82247 jobs'
ok 'and the GPUs'         prints '374.2 GPUs on average'
ok 'trace generate'       exits 0 "$gsim" trace generate --jobs 500 -o "$tmp/g.csv"
is 'makes so many jobs'   "$(wc -l <"$tmp/g.csv")" 501
ok 'topology show'        exits 0 "$gsim" topology show topology/samples/philly-tight.yaml
ok 'folds equal racks'    prints 'rack r01 .. r11: each 8 nodes, 64 GPUs'
done_testing
