#!/bin/sh
# The table of options as a user meets it: one form and meaning in all commands,
# old spellings, options given twice, help, --quiet, progress.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"
trace=traces/samples/fragmentation.yaml
db=$tmp/a.db
cp traces/samples/deadlock.yaml "$tmp/t.yaml"

# --- help and version, wherever they are asked for
for c in replay compare report explain export gate fill whatif sweep validate \
    policies topology completion trace 'trace fit' 'trace scale'; do
    # shellcheck disable=SC2086
    "$gsim" $c --help >"$tmp/help"
    # shellcheck disable=SC2086
    ok "help $c"                    exits 0 "$gsim" help $c
    ok '... is its --help'          cmp -s "$out" "$tmp/help"
    # shellcheck disable=SC2086
    ok "$c -h"                      exits 0 "$gsim" $c -h
    ok '... too'                    cmp -s "$out" "$tmp/help"
    for v in -V --version; do
        # shellcheck disable=SC2086
        ok "$c $v"                  exits 0 "$gsim" $c $v
        is '... is the version'     "$(cat "$out")" "$("$gsim" --version)"
    done
done
ok 'help alone'                     exits 0 "$gsim" help
ok 'is the list of commands'        prints 'usage: gsim COMMAND'
ok 'help for no command'            exits 2 "$gsim" help repaly
ok 'names the nearest'              says "did you mean 'replay'?"
ok 'help for no verb'               exits 2 "$gsim" help trace fitt
ok '-V alone'                       exits 0 "$gsim" -V

# --- given twice
for twice in 'replay x --db a --db b' 'replay x --seed 1 --seed 1' \
    'compare x --format csv --format=json' 'fill a b --load 1 --load 2' \
    'whatif x --target a<=1 --target b<=2' 'export x -o a --out b' \
    'trace convert x --to csv --format yaml' 'sweep x --db a --db b' \
    'replay x --format swf --from-format swf' 'report x --by seed --by run'; do
    # shellcheck disable=SC2086
    ok "refused: $twice"            exits 2 "$gsim" $twice
    ok '... as given twice'         says 'is given twice'
done
ok 'nothing was made'               test ! -e a
ok 'others may be repeated'         exits 0 "$gsim" replay $trace --db "$db" \
    --policy binpack --policy spread --set gang.timeout=10m --set unit=gang

# --- formats: of the output, of the trace, of pictures
ok 'a format of the output'         exits 0 "$gsim" replay $trace --db "$tmp/f.db" \
    --format json
ok 'is JSON'                        jq -e . "$out"
ok 'the old name of --from-format'  exits 0 "$gsim" trace info --format yaml $trace
ok 'in replay, too'                 exits 3 "$gsim" replay $trace --format swf \
    --db "$tmp/no.db"
ok 'which takes it for SWF'         says 'fragmentation.yaml'
ok 'in whatif, too'                 exits 3 "$gsim" whatif $trace --format swf \
    --vary load=1
ok 'a wrong format'                 exits 2 "$gsim" whatif $trace --format xml
ok 'tells those of the output'      says "'--format' must be table"
ok 'a wrong format of the trace'    exits 2 "$gsim" whatif $trace --from-format xml
ok 'tells those'                    says "'--from-format' must be yaml, csv, swf, openb, philly, itp or muri (got 'xml')"
"$gsim" whatif $trace --vary load=1,2 --format csv >"$tmp/new.csv"
"$gsim" whatif $trace --vary load=1,2 --show csv >"$tmp/old.csv"
ok 'whatif --show'                  cmp -s "$tmp/new.csv" "$tmp/old.csv"
"$gsim" trace convert $trace --format yaml >"$tmp/new.yaml"
"$gsim" trace convert $trace --to yaml >"$tmp/old.yaml"
ok 'convert --to'                   cmp -s "$tmp/new.yaml" "$tmp/old.yaml"
ok 'pictures without a folder'      exits 2 "$gsim" report "$db" -o "$tmp/x.html" \
    --format png
ok 'are told so'                    says "'--plot-format' needs '--plots DIR'"
ok 'the new name is offered'        exits 2 "$gsim" trace info --from-fromat x $trace
ok 'by itself'                      says "did you mean '--from-format'?"

# --- seeds: N or A..B, wherever seeds are taken
seeds_of () { sqlite3 "$1" "SELECT group_concat(seed, ' ') FROM (SELECT seed FROM runs ORDER BY seed)"; }
"$gsim" replay $trace --policy random --seeds 3 --db "$tmp/n.db" >"$out"
is 'N seeds'                        "$(seeds_of "$tmp/n.db")" '42 43 44'
"$gsim" replay $trace --policy random --seeds 3 --seed 7 --db "$tmp/s.db" >"$out"
is 'from --seed on'                 "$(seeds_of "$tmp/s.db")" '7 8 9'
"$gsim" replay $trace --policy random --seeds 7..9 --db "$tmp/r.db" >"$out"
is 'A..B'                           "$(seeds_of "$tmp/r.db")" '7 8 9'
nodes=topology/samples/openb-nodes.csv
pods=traces/samples/openb-pods.csv
"$gsim" fill $nodes $pods --seeds 3 --seed 7 --format csv >"$tmp/n.csv"
"$gsim" fill $nodes $pods --seeds 7..9 --format csv >"$tmp/r.csv"
ok 'fill takes both'                cmp -s "$tmp/n.csv" "$tmp/r.csv"
for bad in 0 9..7 x 1..x .. 1.. ..2 -1; do
    ok "no seeds: $bad"             exits 2 "$gsim" replay $trace --seeds=$bad
    ok '... in fill'                exits 2 "$gsim" fill $nodes $pods --seeds=$bad
done
ok 'A..B beside --seed'             exits 2 "$gsim" replay $trace --seeds 1..2 --seed 3

# --- load of the cluster, rate of a trace
load () { "$gsim" trace generate --count 50 --load "$1" --format csv; }
load 0.5 >"$tmp/half"
for same in 50% 50 0.50; do
    ok "a load of $same"            sh -c "'$gsim' trace generate --jobs 50 --load '$same' --to csv | cmp -s - '$tmp/half'"
done
"$gsim" fill $nodes $pods --seeds 1 --load 0.5 --format csv >"$tmp/l1"
"$gsim" fill $nodes $pods --seeds 1 --load 50% --format csv >"$tmp/l2"
ok 'the same in fill'               cmp -s "$tmp/l1" "$tmp/l2"
for bad in 0 nan -1 0.001 2000 1001% x%; do
    ok "no load: $bad"              exits 2 "$gsim" fill $nodes $pods --load=$bad
done
"$gsim" trace scale $trace --rate 2 >"$tmp/r1"
for same in '--rate 200%' '--load 2'; do
    # shellcheck disable=SC2086
    "$gsim" trace scale $trace $same >"$tmp/r2"
    ok "a rate by $same"            cmp -s "$tmp/r1" "$tmp/r2"
done

# --- quiet, progress
ok 'a quiet replay'                 exits 0 "$gsim" replay "$tmp/t.yaml" --db "$tmp/q.db" \
    --topology topology/samples/two-racks.yaml -q
is 'prints nothing'                 "$(cat "$out" "$errs")" ''
ok 'a quiet check'                  exits 0 "$gsim" validate --quiet $trace
is 'neither'                        "$(cat "$out" "$errs")" ''
ok 'but errors'                     exits 3 "$gsim" validate --quiet README.md
ok 'are printed'                    test -s "$errs"
ok 'what was asked for, too'        exits 0 "$gsim" compare -q "$db"
ok 'is there'                       test -s "$out"
ok '--progress is still read'       exits 0 "$gsim" replay $trace --progress --db "$tmp/p.db"
is 'nothing on what is no terminal' "$(cat "$errs")" ''
# progress TIMES WORDS PATTERN: a line of it on a terminal.  It is drawn from the
# first half second on, so the work grows until the command takes as long.
progress () {
    n=$1
    for _ in 1 2 3 4; do
        # shellcheck disable=SC2059 # the command is a format
        script -qec "$(printf "$2" "$n")" /dev/null </dev/null >"$tmp/typed"
        grep -q "$3" "$tmp/typed" && return 0
        n=$((n * 4))
    done
    return 1
}
if command -v script >/dev/null; then
    philly="traces/samples/philly.csv.gz --topology topology/samples/philly-tight.yaml"
    ok 'progress of replay' progress 40000 \
        "'$gsim' replay $philly --limit %d --policy conservative --no-db" 'jobs/s'
    ok 'of whatif' progress 20000 \
        "'$gsim' whatif $philly --limit %d --vary load=1,1.1,1.2,1.3,1.4" 'replays/s'
    ok 'of fill' progress 3000 "'$gsim' fill $nodes $pods --seeds %d" 'experiments/s'
    ok 'of trace generate' progress 500000 \
        "'$gsim' trace generate --count %d -o $tmp/g.csv" 'jobs'
    ok 'none when quiet' sh -c "! script -qec '$gsim fill $nodes $pods --seeds 3000 --quiet' /dev/null </dev/null | grep -q 'experiments/s'"
else
    skip 'progress' 'there is no script(1)'
fi
done_testing
