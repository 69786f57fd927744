#!/bin/sh
# gsim gate: rules, baselines, what CI reads, hostile names.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

old=$tmp/old.db
new=$tmp/new.db
base=$tmp/base.json
rules=$tmp/rules.yaml
trace=traces/samples/fragmentation.yaml
"$gsim" replay $trace --policy binpack --run r --db "$old" >/dev/null
"$gsim" replay $trace --policy spread --run r --db "$new" >/dev/null

gate () {                       # gate DB OPTION...
    "$gsim" gate "$@" --rules "$rules"
}

# --- verdicts
cat >"$rules" <<'RULES'
frag.capacity_share: {max_rise: 2pt}
wait.p95: {max: 30m}
deadlock.episodes: {max: 0}
'wait.mean[queue=default]': {max_rise: 5m}
jobs.done: {equal: baseline}
RULES
ok 'a database against itself'      exits 0 gate "$old" --baseline "$old"
ok 'says that all hold'             prints '5 of 5 rules hold.'
ok 'and nothing else'               test ! -s "$errs"
ok 'a worse one misses'             exits 1 gate "$new" --baseline "$old"
ok 'shows what moved' \
    grep -Eq '^frag.capacity_share +0.00 % +33.33 % +[+]33pt +BROKEN +max_rise: 2pt' "$out"
ok 'counts what broke'              prints '3 of 5 rules broken.'
ok 'says by how much'               says "31.33 points above the 2.00 % that rule 'max_rise: 2pt' allows"
ok 'where the rule stands'          says "$rules:1:23: run 'r': frag.capacity_share is 33.33 %"
ok 'and how to accept it'           says 'accept it with --update'
ok 'names the first decision that moved' \
    says "run 'r': the first decision that moved is at 0s: job small-2 (#1) is placed on n1 (GPU 1) in the baseline, and now is placed on n2 (GPU 0)"
ok 'limits are not accepted so'     says 'wait.p95 is 1h59m, 1h29m above the 30m'
is 'in 80 columns'                  "$(awk 'length > 80' "$out")" ''
ok 'only limits need no baseline'   exits 1 gate "$new"
ok 'others say that they lack it'   says 'the baseline has no frag.capacity_share of this run'

ok 'the rules of the example hold'  exits 0 "$gsim" gate "$old" --baseline "$old" \
    --rules examples/ci/rules.yaml

# --- the first placement that moved, by digests
ok 'a baseline of digests'          sh -c "'$gsim' gate '$old' --baseline '$tmp/digests.json' --update >/dev/null"
ok 'the same'                       exits 0 "$gsim" gate "$old" --baseline "$tmp/digests.json"
ok 'is not told'                    sh -c "! grep -q placement '$errs'"
ok 'another'                        exits 1 "$gsim" gate "$new" --baseline "$tmp/digests.json"
ok 'is named' \
    says "run 'r': the first placement that is not as in the baseline is number 2, at 0s: job small-2 (#1) on n2"
jq 'del(.decisions)' "$tmp/digests.json" >"$tmp/figures.json"
ok 'figures alone'                  exits 1 "$gsim" gate "$new" --baseline "$tmp/figures.json"
ok 'tell none'                      sh -c "! grep -q placement '$errs'"
mkdir "$tmp/moved"
sed "s|\.\./\.\.|$root|" tests/gate/suite.yaml | awk '/name: fragmentation-binpack/ { exit } { print }' |
    sed 's/policy: spread/policy: binpack/' >"$tmp/moved/suite.yaml"
cp tests/gate/baseline.json "$tmp/moved"
ok 'a suite'                        exits 1 "$gsim" gate --suite "$tmp/moved"
ok 'tells its own' \
    says "run 'fragmentation-spread': the first placement that is not as in the baseline is number 2, at 0s: job small-2"

# --- baselines
ok '--update writes one'            exits 0 gate "$old" --baseline "$base" --update
ok 'and says what it holds'         says 'holds 5 figures of 1 runs now'
ok 'with it all holds'              exits 0 gate "$old" --baseline "$base"
ok 'it is JSON'                     exits 0 jq -e '.baseline == 1' "$base"
is 'of what rules name' \
    "$(jq -r '.runs.r | keys | join(" ")' "$base")" \
    'deadlock.episodes frag.capacity_share jobs.done wait.mean[queue=default] wait.p95'
ok 'the worse one misses it'        exits 1 gate "$new" --baseline "$base"
ok '--update accepts, but for limits' exits 1 gate "$new" --baseline "$base" --update
is 'which are told'                 "$(grep -c 'rule .max: 30m' "$errs")" 1
ok 'what compares holds now'        exits 1 gate "$new" --baseline "$base"
is 'and only limits are left'       "$(grep -c BROKEN "$out")" 1
cp "$old" "$tmp/kept.db"
ok 'a database is not rewritten'    exits 2 gate "$new" --baseline "$old" --update
ok 'and says so'                    says 'which --update does not rewrite'
ok 'nor touched'                    cmp -s "$old" "$tmp/kept.db"
"$gsim" replay $trace --policy fifo --run two --db "$old" >/dev/null
ok 'a run that the baseline lacks'  exits 1 gate "$old" --baseline "$base"
ok 'is named'                       says "run 'two': the baseline has no"
ok 'unless others are gated'        exits 1 gate "$new" --baseline "$base" --run r
ok '--update --run adds one'        exits 0 gate "$old" --baseline "$base" --run two --update
is 'and keeps others'               "$(jq -r '.runs | keys | join(" ")' "$base")" 'r two'
ok 'a baseline in no folder'        exits 4 gate "$old" --baseline "$tmp/no/b.json" --update
ok 'is told'                        says 'cannot write'

# --- without rules: all stays as it is
equal=$tmp/equal.json
rm -f "$tmp/one.db"
"$gsim" replay $trace --policy binpack --run r --db "$tmp/one.db" >/dev/null
ok 'neither rules nor baseline'     exits 2 "$gsim" gate "$tmp/one.db"
ok '--update writes all'            exits 0 "$gsim" gate "$tmp/one.db" --baseline "$equal" --update
ok 'prints no broken rule'          sh -c "! grep -q broken '$out'"
ok 'says that they hold'            grep -q '^All [0-9]* metrics are as in the baseline' "$out"
ok 'says what was written'          grep -Eq 'holds [0-9]+ figures of 1 runs now; [0-9]+ are new' "$errs"
is 'all metrics'                    "$(jq '.runs.r | length' "$equal")" \
    "$(sqlite3 "$tmp/one.db" 'SELECT count(*) FROM metrics')"
ok 'the same is equal'              exits 0 "$gsim" gate "$tmp/one.db" --baseline "$equal"
ok 'an old database is a baseline'  exits 0 "$gsim" gate "$tmp/one.db" --baseline "$tmp/one.db"
ok 'what moved is not'              exits 1 "$gsim" gate "$new" --baseline "$equal"
ok 'and alone is shown'             sh -c "! grep -q ' holds ' '$out'"
ok 'and how to accept it'           says 'accept it with --update'
ok '--update accepts it'            exits 0 "$gsim" gate "$new" --baseline "$equal" --update
ok 'for good'                       exits 0 "$gsim" gate "$new" --baseline "$equal"
jq '.runs.r["wait.mean"] *= 1.004' "$equal" >"$tmp/off.json"
ok 'nearly equal'                   exits 1 "$gsim" gate "$new" --baseline "$tmp/off.json"
ok 'is enough within a tolerance'   exits 0 "$gsim" gate "$new" --baseline "$tmp/off.json" --tolerance 0.5%
ok 'but not beyond it'              exits 1 "$gsim" gate "$new" --baseline "$tmp/off.json" --tolerance 0.3%
for bad in 2 % -1% 101% x%; do
    ok "no tolerance: $bad"         exits 2 "$gsim" gate "$new" --baseline "$equal" --tolerance=$bad
done
ok 'nor beside rules'               exits 2 gate "$new" --baseline "$equal" --tolerance 1%
jq '.runs.gone = .runs.r | .runs.other = .runs.r' "$equal" >"$tmp/gone.json"
ok 'a run that is gone'             exits 1 "$gsim" gate "$new" --baseline "$tmp/gone.json"
ok 'is told'                        says "run 'gone': the baseline has this run"
ok 'unless others are gated'        exits 0 "$gsim" gate "$new" --baseline "$tmp/gone.json" --run r
ok '--update --run keeps it'        exits 0 "$gsim" gate "$new" --baseline "$tmp/gone.json" --run r --update
is 'as it was'                      "$(jq '.runs | length' "$tmp/gone.json")" 3
ok 'a new run'                      exits 1 "$gsim" gate "$old" --baseline "$tmp/gone.json"
ok 'is told once'                   test "$(grep -c "run 'two'" "$errs")" -eq 1
ok 'GitHub has no line 0'           sh -c "'$gsim' gate '$old' --baseline '$equal' --format github |
    grep -v 'line=0' | grep -q '^::error title='"

# --- another trace
sed 's/2h/3h/' $trace >"$tmp/longer.yaml"
"$gsim" replay "$tmp/longer.yaml" --topology topology/samples/fragmentation.yaml \
    --policy binpack --run r --db "$tmp/longer.db" >/dev/null
ok 'another trace is judged'        exits 0 gate "$tmp/longer.db" --baseline "$base"
ok 'and marked'                     prints '(the baseline is of another trace)'
ok 'from databases too'             exits 0 gate "$tmp/longer.db" --baseline "$old" --run r
ok 'and marked'                     prints '(the baseline is of another trace)'
ok 'on GitHub it is a warning'      exits 0 gate "$tmp/longer.db" --baseline "$old" --run r --format github
ok 'of the run'                     prints '::warning title=gsim gate%3A run r::the baseline'
ok 'the same trace is not marked'   exits 1 gate "$new" --baseline "$base"
ok 'in either'                      sh -c "! grep -q another '$out'"

# --- bad input
ok 'an unknown run'                 exits 2 gate "$old" --baseline "$base" --run nope
ok 'lists those there are'          says "no run is called 'nope' (there are: r, two)"
ok 'a folder is no baseline'        exits 3 gate "$old" --baseline "$tmp"
ok 'a missing baseline'             exits 3 gate "$old" --baseline "$tmp/nope.json"
ok 'is told how to make one'        says 'create it with --update'
echo '{"baseline": 7, "runs": {}}' >"$tmp/b.json"
ok 'a baseline of another version'  exits 3 gate "$old" --baseline "$tmp/b.json"
ok 'says which'                     says 'is a baseline of version 7, this gsim reads 1'
echo '{"baseline": 1, "runs": {"r": {"wait.max": "x"}}}' >"$tmp/b.json"
ok 'figures must be numbers'        exits 3 gate "$old" --baseline "$tmp/b.json"
ok 'and it says so'                 says 'figures must be numbers'
for bad in '' '{' '[]' '{"baseline": 1}' '{"a": 1, "a": 2}' 'x' \
    '{"baseline": 1, "runs": []}' '{"baseline": 1, "runs": {"r": 3}}'; do
    printf '%s' "$bad" >"$tmp/b.json"
    ok "'$bad' is no baseline"      exits 3 gate "$old" --baseline "$tmp/b.json"
done
cp "$old" "$tmp/v2.db"
sqlite3 "$tmp/v2.db" 'PRAGMA user_version = 2'
ok 'a baseline of an older schema'  exits 3 gate "$old" --baseline "$tmp/v2.db"
ok 'says which'                     says 'has schema version 2 of an older gsim'
sqlite3 "$tmp/none.db" 'CREATE TABLE x(y)'
ok 'a database of others'           exits 3 gate "$tmp/none.db"
rules=$tmp/bad.yaml
printf 'jobs.done: {max: 1}\nwait.p59: {max: 1}\n' >"$rules"
ok 'an unknown metric'              exits 3 gate "$old"
ok 'has a place and a neighbour'    says "bad.yaml:2:1: no metric is called 'wait.p59' (did you mean 'wait.p50'?)"
printf 'jobs.done: {maximum: 1}\n' >"$rules"
ok 'an unknown rule'                exits 3 gate "$old"
ok 'lists those there are'          says 'there are: max, min, max_rise, max_fall, equal'
rules=$tmp/nope.yaml
ok 'no rules'                       exits 3 gate "$old"
ok 'no --rules'                     exits 2 "$gsim" gate "$old"
ok 'no database'                    exits 2 "$gsim" gate --rules x
ok 'an unknown format'              exits 2 "$gsim" gate "$old" --rules x --format xml
ok 'a suite has its own rules'      exits 2 "$gsim" gate --suite --rules x

# --- hostile names
rules=$tmp/rules.yaml
evil=$tmp/evil.db
cat >"$tmp/evil.yaml" <<EVIL
topology: $root/topology/samples/two-nodes.yaml
queues:
  - {name: "<script>alert(1)</script>"}
  - {name: "'; drop table jobs; --"}
jobs:
  - {name: "\`touch $tmp/x\`", submit: 0, duration: 1h, gpus: 1, queue: "<script>alert(1)</script>"}
  - {name: "=1+1", submit: 0, duration: 1h, gpus: 1, queue: "'; drop table jobs; --"}
EVIL
for run in '<script>alert(1)</script>' "'; drop table jobs; --" "\`touch $tmp/x\`" \
    '|x|%0A::error::,:' '::add-mask::x'; do
    "$gsim" replay "$tmp/evil.yaml" --policy binpack --run "$run" --db "$evil" >/dev/null
done
cat >"$rules" <<'RULES'
'wait.mean[queue=<script>alert(1)</script>]': {max: 1h}
'wait.mean[queue=''; drop table jobs; --]': {max: 1h}
makespan: {max: 1m}
RULES
ok 'hostile names pass'             exits 1 gate "$evil" --junit "$tmp/j.xml" --summary "$tmp/s.md"
is 'every run is judged'            "$(grep -c '^run ' "$out")" 5
ok 'JUnit is XML' sh -c "! command -v xmllint >/dev/null || xmllint --noout '$tmp/j.xml'"
ok 'without elements of others'     sh -c "! grep -q '<script' '$tmp/j.xml'"
is 'with every verdict'             "$(grep -c '<testcase ' "$tmp/j.xml")" 15
is 'and every failure'              "$(grep -c '<failure ' "$tmp/j.xml")" 5
ok 'Markdown has no elements'       sh -c "! grep -q '<script' '$tmp/s.md'"
ok 'and as many rows'               test "$(grep -c '^| .* |$' "$tmp/s.md")" -eq 17
is 'and columns'                    "$(sed -n 's/\\|//g; /^|/p' "$tmp/s.md" | awk -F'|' '{print NF}' | sort -u)" 9
gate "$evil" --summary "$tmp/s.md" >/dev/null 2>&1
is 'a summary is added to'          "$(grep -c '^### gsim gate' "$tmp/s.md")" 2
ok 'GitHub commands'                exits 1 gate "$evil" --format github
is 'one for each that broke'        "$(grep -c '^::error title=gsim gate%3A run ' "$out")" 5
is 'and no line more'               "$(grep -cv '^::error title=gsim gate%3A run ' "$out")" 0
ok 'and are escaped'                prints 'run |x|%250A%3A%3Aerror%3A%3A%2C%3A%3A makespan,file='
ok 'commands of names are none'     test ! -s "$errs"
ok '--update stores them'           exits 1 gate "$evil" --baseline "$tmp/e.json" --update
ok 'as they are'                    exits 0 jq -e '.runs["'"'"'; drop table jobs; --"]["wait.mean[queue=<script>alert(1)</script>]"] == 0' "$tmp/e.json"
ok 'and reads them'                 exits 1 gate "$evil" --baseline "$tmp/e.json"
ok 'nothing was run'                test ! -e "$tmp/x"
ok 'a summary that cannot be'       exits 4 gate "$evil" --summary "$tmp/no/s.md"
if [ -e /dev/full ]; then
    ok 'a full disk is told'        exits 4 gate "$evil" --junit /dev/full
fi

# --- the suite
ok 'the shipped suite holds'        exits 0 "$gsim" gate --suite
ok 'each rule of it'                prints 'rules hold.'
ok 'named by its folder too'        exits 0 "$gsim" gate --suite tests/gate
is 'it has every policy that heads name' \
    "$(sed -n 's/^#     gsim replay \([a-z]*\)\.yaml/\1/p' traces/samples/*.yaml |
        awk '{ for (i = 3; i <= NF; i += 2)
            if ($(i - 1) == "--policy") print $1, $i }' |
        sed 's,\.\./\.\./policies,../../policies,' | sort)" \
    "$(sed -n '/name: headline/,/policy:/d; s,^    trace: .*/\([a-z]*\)\.yaml$,\1,p; s/^    policy: //p' \
        tests/gate/suite.yaml | paste -d' ' - - | sort)"
is '... and those of the week' \
    "$(grep -o -e '--policy [a-z-]*' examples/headline/run.sh | cut -d' ' -f2)" \
    "$(sed -n '/trace:.*headline/{n;s/^    policy: //p;}' tests/gate/suite.yaml)"
mkdir "$tmp/suite"
sed "s,\.\./\.\./,$root/,; s/max: 0s/max: 1s/; s/equal: 1}/equal: 9}/" \
    tests/gate/suite.yaml >"$tmp/suite/suite.yaml"
ok 'a suite without a baseline'     exits 3 "$gsim" gate --suite "$tmp/suite"
cp tests/gate/baseline.json "$tmp/suite"
ok 'a suite can fail'               exits 1 "$gsim" gate --suite "$tmp/suite" --format github
ok 'with annotations'               prints '::error title=gsim gate%3A run deadlock-kube-default%3A deadlock.episodes'
printf 'runs:\n  - {name: a, trace: x.yaml, polcy: b, rules: {}}\n' >"$tmp/suite/suite.yaml"
ok 'a bad suite'                    exits 3 "$gsim" gate --suite "$tmp/suite"
ok 'is told where'                  says "suite.yaml:2:30: unknown key 'polcy' in run (did you mean 'policy'?)"
done_testing
