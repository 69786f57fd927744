#!/bin/sh
# gsim report: a page that opens anywhere, whatever the names are.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
page=$tmp/page.html
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --db "$db" >/dev/null
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default \
    --db "$db" >/dev/null

# --- usage ---------------------------------------------------------------------
ok 'a database is needed'     exits 2 "$gsim" report -o "$page"
ok 'and something to write'   exits 2 "$gsim" report "$db"
ok 'says so'                  says "'-o FILE' is needed"
ok 'an unknown run'           exits 2 "$gsim" report "$db" --run spraed -o "$page"
ok 'an unknown format'        exits 2 "$gsim" report "$db" --plots "$tmp/p" --plot-format gif
ok 'a format without plots'   exits 2 "$gsim" report "$db" -o "$page" --plot-format png
ok 'no database'              exits 3 "$gsim" report "$tmp/none.db" -o "$page"
ok 'nothing was written'      test ! -e "$page"
ok 'not over the database'    exits 2 "$gsim" report "$db" -o "$db"
ok 'which is as it was'       exits 0 "$gsim" compare "$db"
ok 'no such folder'           exits 4 "$gsim" report "$db" -o "$tmp/no/page.html"

# --- where runs part ------------------------------------------------------------
ok 'runs of the same jobs'    exits 0 "$gsim" report "$db" --run spread --run binpack -o "$page"
ok 'the first decision'       grep -q '<td class="text">0.0s: small-2 (#1)</td><td class="text">it is placed on n2 (GPU 0)</td>' "$page"
ok 'is led to'                grep -q 'href="#parting"' "$page"
ok 'runs of other jobs'       exits 0 "$gsim" report "$db" --run spread --run kube-default -o "$page"
ok 'do not part'              sh -c "! grep -q parting '$page'"
rm "$page"

# --- hostile names ---------------------------------------------------------------
tag='<script>alert(1)</script>'
# shellcheck disable=SC2016 # as it is
tick='`touch x`'
cat >"$tmp/bad.yaml" <<YAML
topology: $root/topology/samples/two-racks.yaml
queues:
  - name: "$tag"
  - name: "\"; system \"id"
  - name: "5%d %s @x \$x {/a}_b^c \\\\ 2-7"
jobs:
  - {name: "$tag", queue: "$tag", submit: 0, duration: 1h, gpus: 8, replicas: 3}
  - {name: "'; drop table jobs; --", queue: "\"; system \"id", submit: 1, duration: 1h, gpus: 8, replicas: 3}
  - {name: "$tick", queue: "5%d %s @x \$x {/a}_b^c \\\\ 2-7", submit: 2, duration: 1h, gpus: 8, replicas: 3}
YAML
bad=$tmp/bad.db
for name in "$tag" "'; drop table jobs; --" "$tick" '"; system "id' '=1+1'; do
    "$gsim" replay "$tmp/bad.yaml" --policy binpack --run "$name" \
        --db "$bad" >"$out" 2>"$errs" || report 1 "a run called $name"
done
mkdir "$tmp/cwd"
# shellcheck disable=SC2016 # for the inner shell
ok 'hostile names'            exits 0 sh -c 'cd "$1" && "$2" report "$3" -o "$4"' \
    - "$tmp/cwd" "$gsim" "$bad" "$page"
ok 'ran nothing'              test -z "$(ls -A "$tmp/cwd")"
is 'one script, which is ours' "$(grep -ci '<script' "$page")" 1
ok 'the tag is text'          grep -q '&lt;script&gt;alert(1)' "$page"
ok 'the database is whole'    exits 0 "$gsim" compare "$bad"
ok 'no link leads outside'    sh -c "! grep -E '(src|href)=\"(https?:)?//' '$page'"
# shellcheck disable=SC2016 # of perl
is 'bars are whole'           "$(perl -0ne 'while (/<div class="bar".*?<\/div>/gs) { my ($b, $sum) = ($&, 0);
    $sum += $1 while $b =~ /flex-grow:([0-9.]+)/g; printf "%.3f ", $sum }' "$page")" \
    '100.000 100.000 100.000 100.000 100.000 '
ok 'formulas are quoted'      grep -q '%27%3D1%2B1' "$page"
if command -v xmllint >/dev/null; then
    ok 'is well-formed'       exits 0 xmllint --noout "$page"
else
    skip 'is well-formed'     'no xmllint'
fi
is 'tags are closed'          "$(grep -c '<figure>' "$page")" \
    "$(grep -c '</figure>' "$page")"
is 'columns have a scope'     "$(grep -o '<th[ >]' "$page" | wc -l)" \
    "$(grep -o '<th scope=' "$page" | wc -l)"
is 'tables have a caption'    "$(grep -c '<table' "$page")" \
    "$(grep -c '<caption>' "$page")"

# --- what is on it ------------------------------------------------------------------
ok 'several runs'             exits 0 "$gsim" report "$db" -o "$page"
ok 'a verdict'                grep -q 'is best at the mean wait' "$page"
ok 'why'                      grep -q 'of the waiting is <i>fragmentation</i>' "$page"
ok 'the deadlock'             grep -q '2 jobs were deadlocked' "$page"
ok 'inputs differ'            grep -q 'The runs differ in trace' "$page"
"$gsim" replay traces/samples/deadlock.yaml --policy binpack --policy kube-default \
    --db "$tmp/dead.db" >/dev/null
ok 'of one trace'             sh -c "'$gsim' report '$tmp/dead.db' -o - |
    grep -q 'so the run is not ranked by means'"
ok 'the glossary'             grep -q 'bounded slowdown' "$page"
ok 'data to take away'        grep -q 'download="wait-cdf.csv" href="data:text/csv' "$page"
ok 'is small'                 test "$(wc -c <"$page")" -lt 3000000
ok 'one run'                  exits 0 "$gsim" report "$db" --run binpack -o -
ok 'to standard output'       prints '</html>'
ok 'two databases'            exits 0 "$gsim" report "$db" "$bad" -o "$page"

# --- where time 0 is does not matter ---------------------------------------------------
# shifted AT: the data of all pictures of a run whose trace begins then
shifted() {
    cat >"$tmp/s.yaml" <<YAML
topology: s-cluster.yaml
priority_classes: {high: {value: 9}}
jobs:
  - {name: a, submit: $1, duration: 1h, gpus: 1, replicas: 3, task_interval: 1s}
  - {name: b, submit: $1, duration: 1h, gpus: 1, replicas: 3, task_interval: 1s}
  - {name: c, submit: $(($1 + 600)), duration: 1h, gpus: 2, priority: high}
YAML
    cat >"$tmp/s-world.yaml" <<YAML
events: [{at: $(($1 + 300)), node: n1, what: fail, for: 1h}]
YAML
    rm -f "$tmp/s.db"
    "$gsim" replay "$tmp/s.yaml" --policy kube-default --set gang.timeout=30m \
        --scenario "$tmp/s-world.yaml" --until $(($1 + 86400)) --db "$tmp/s.db" \
        >/dev/null 2>&1
    "$gsim" report "$tmp/s.db" -o "$tmp/s.html" 2>/dev/null
    grep -o 'download="[^"]*" href="data:[^"]*"' "$tmp/s.html"
}
cat >"$tmp/s-cluster.yaml" <<YAML
node_types: {g: {gpus: 2}}
nodes: [{name: "n[1-2]", type: g}]
YAML
shifted 0 >"$tmp/at-0"
shifted 1763683200 >"$tmp/at-unix"
ok 'pictures of a run'        test "$(wc -l <"$tmp/at-0")" -ge 8
ok 'the same by Unix times'   cmp "$tmp/at-0" "$tmp/at-unix"

# --- metrics by axis --------------------------------------------------------------------
cat >"$tmp/sweep.yaml" <<YAML
traces: $root/traces/samples/fragmentation.yaml
policies: [spread, binpack]
seeds: 1..2
set:
  load: [1.0, 0.5, 2.0]
  gang.timeout: [10m, 90s]
YAML
"$gsim" sweep "$tmp/sweep.yaml" --db "$tmp/sweep.db" -q >/dev/null
ok 'a sweep'                  exits 0 "$gsim" report "$tmp/sweep.db" -o "$page"
# cells NAME: the rows of the tables of an axis, without tags
cells() {
    sed -n "/^<h3>By $1</,/^<\/details>/p" "$page" | grep -v '<svg' |
        sed -n 's/<\/t[hd]>/ /g; s/<[^>]*>//g; /^[0-9]/p'
}
is 'by each numeric axis'     "$(grep -c '^<h3>By ' "$page")" 2
is 'values are in order'      "$(cells load | cut -d' ' -f1 | uniq | tr '\n' ' ')" \
    '0.5 1.0 2.0 0.5 1.0 2.0 '
is 'of durations, too'        "$(cells gang.timeout | cut -d' ' -f1 | tr '\n' ' ')" \
    '90s 10m 90s 10m '
ok 'says what is averaged'    grep -q 'Averaged over gang.timeout (90s, 10m), 2 seeds' "$page"
ok 'and what is fixed'        grep -q 'Fixed at trace fragmentation.yaml' "$page"
# the curves say what compare says of the runs behind them
mean=$("$gsim" compare "$tmp/sweep.db" --rows load --cols policy --metric makespan \
    --where gang.timeout=90s --format csv | sed -n '/^0.5,.*binpack/p')
ok 'metrics are chosen'       exits 0 "$gsim" report "$tmp/sweep.db" --metric makespan \
    --metric gpu.busy -o "$page"
csv=$(grep -o 'download="curves-2.csv" href="data:[^"]*"' "$page" |
    sed 's/.*utf-8,//; s/"$//; s/%0A/\n/g; s/%/\\x/g')
half=$(printf '%b' "$csv" | sed -n 's/^0.5,binpack,makespan,//p')
ok 'the same as compare says' sh -c "case '$mean' in *'$half'*) ;; *) exit 1;; esac"
ok 'no metric of this name'   exits 2 "$gsim" report "$tmp/sweep.db" --metric nix -o "$page"
ok 'tells where there are'    says 'compare --explain'
ok 'a verdict for each load'  grep -q '^<h3>load 0.5 (8 runs)</h3>' "$page"
is 'none over all of them'    "$(grep -c 'class="lead"' "$page")" 3
ok 'axes are columns'         grep -q 'class="text">load</th>' "$page"
ok 'one policy'               exits 0 "$gsim" report "$tmp/sweep.db" --by policy \
    --run spread/load=0.5/gang.timeout=90s/s1 --run spread/load=1.0/gang.timeout=90s/s1 \
    -o "$page"
is 'no axis, no curves'       "$("$gsim" report "$db" -o - | grep -c 'Metrics by axis')" 0
"$gsim" report "$tmp/sweep.db" --run spread/load=0.5/gang.timeout=90s/s1 \
    --run spread/load=1.0/gang.timeout=90s/s1 -o "$page"
ok 'no verdict over loads'    grep -q 'none is called best' "$page"

# --- with and without gnuplot --------------------------------------------------------
if command -v gnuplot >/dev/null; then
    ok 'pictures'             grep -q '<svg role="img"' "$page"
    is 'all are drawn'        "$(grep -c 'could not draw' "$page")" 0
    is 'ids are unique'       "$(grep -o " id=['\"][^'\"]*" "$page" | sort | uniq -d)" ''
    ok 'as files'             exits 0 "$gsim" report "$bad" --plots "$tmp/plots" \
        --plot-format png,svg,pdf
    is 'in each format'       "$(find "$tmp/plots" -name 'gpu-map-1.*' -o -name 'wait-cdf.*' | wc -l)" 6
    ok 'which it is'          sh -c "head -c 4 '$tmp/plots/wait-cdf.png' | grep -q PNG"
    # shellcheck disable=SC2016 # as it is
    ok 'labels as they are'   grep -qF '5%d %s @x $x {/a}_b^c \ 2-7' \
        "$tmp/plots/queue-shares.svg"
    ok 'and no tags'          grep -qF '&lt;script>alert(1)' "$tmp/plots/wait-cdf.svg"
else
    skip 'pictures'           'no gnuplot'
fi
mkdir "$tmp/empty"
ok 'no gnuplot: the page'     exits 0 env PATH="$tmp/empty" "$gsim" report "$db" -o "$page"
ok 'says so'                  grep -q 'gnuplot is not installed' "$page"
ok 'has the data'             grep -q 'download="wait-cdf.csv"' "$page"
is 'and no picture'           "$(grep -c '<svg' "$page")" 0
ok 'plots cannot be'          exits 4 env PATH="$tmp/empty" "$gsim" report "$db" \
    --plots "$tmp/plots2"
ok 'names the package'        says 'gnuplot-nox'
done_testing
