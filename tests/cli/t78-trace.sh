#!/bin/sh
# gsim trace: fit and generate, sample, merge and scale as a user runs them.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

philly=traces/samples/philly.csv.gz
jobs () { echo $(($(wc -l <"$1") - 1)); }

# a model and back
ok 'a trace is fitted'        exits 0 "$gsim" trace fit $philly --queue b436b2 \
    -o "$tmp/model.yaml"
ok 'what was found'           prints '7423 jobs over 92d13h, 3.34 an hour'
ok 'how well'                 prints 'KS D'
ok 'what fits nothing'        prints 'fit no distribution well'
ok 'how many numbers'         prints 'numbers; the trace 22269 (times, sizes, durations)'
is 'no line is wider than 80' "$(awk 'length > 80' "$out")" ''
cp "$tmp/model.yaml" "$tmp/again.yaml"
"$gsim" trace fit $philly --queue b436b2 -o "$tmp/again.yaml" >/dev/null
ok 'twice the same'           cmp "$tmp/model.yaml" "$tmp/again.yaml"
ok 'by days and weeks'        exits 0 "$gsim" trace fit $philly --queue ee9e8c \
    --profile day --stretch 7d --kind quantiles -o "$tmp/days.yaml"
is 'each week has its mix'    "$(grep -c 'for: 7d' "$tmp/days.yaml")" 13
ok 'jobs are drawn'           exits 0 "$gsim" trace generate "$tmp/model.yaml" \
    --seed 3 --count 500 -o "$tmp/a.csv"
is 'so many'                  "$(jobs "$tmp/a.csv")" 500
"$gsim" trace generate "$tmp/model.yaml" --seed 3 --count 500 -o "$tmp/b.csv"
"$gsim" trace generate "$tmp/model.yaml" --seed 4 --count 500 -o "$tmp/c.csv"
ok 'the same again'           cmp "$tmp/a.csv" "$tmp/b.csv"
ok 'another seed, others'     sh -c '! cmp -s "$1" "$2"' - "$tmp/a.csv" "$tmp/c.csv"
ok 'for a while'              exits 0 "$gsim" trace generate "$tmp/days.yaml" \
    --for 7d --balanced -o "$tmp/week.yaml"
ok 'they replay'              exits 0 "$gsim" replay "$tmp/week.yaml" \
    --topology topology/samples/philly-tight.yaml --policy binpack \
    --db "$tmp/w.db"
ok 'without a model too'      exits 0 "$gsim" trace generate --count 10 -o "$tmp/d.csv"
is 'ten jobs'                 "$(jobs "$tmp/d.csv")" 10

# parts
ok 'a tenth'                  exits 0 "$gsim" trace sample $philly --fraction 0.1 \
    --seed 1 -o "$tmp/tenth.csv"
n=$(jobs "$tmp/tenth.csv")
ok 'about that'               test "$n" -gt 7900 -a "$n" -lt 8550
ok 'a window'                 exits 0 "$gsim" trace sample $philly --from 28d \
    --until 35d --queue ee9e8c -o "$tmp/w.yaml"
"$gsim" trace info "$tmp/w.yaml" >"$out"
ok 'from its start'           prints 'submits      24m1s to 7d'
"$gsim" trace sample $philly --until 10d -o "$tmp/p1.csv"
"$gsim" trace sample $philly --queue ee9e8c -o "$tmp/ee.csv"
"$gsim" trace sample $philly --queue 7f04ca -o "$tmp/7f.csv"
ok 'merged'                   exits 0 "$gsim" trace merge "$tmp/ee.csv" "$tmp/7f.csv" \
    -o "$tmp/m1.csv"
"$gsim" trace sample $philly --queue ee9e8c --queue 7f04ca -o "$tmp/m2.csv"
ok 'parts make the whole'     sh -c 'sort "$1" >"$1.s"; sort "$2" | cmp - "$1.s"' - \
    "$tmp/m1.csv" "$tmp/m2.csv"
ok 'half as much again'       exits 0 "$gsim" trace scale "$tmp/ee.csv" --rate 1.5 \
    --durations 2 -o "$tmp/busy.csv"
is 'the last comes sooner' \
    "$(tail -n 1 "$tmp/ee.csv" | cut -d, -f2 | awk '{ printf "%.0f", $1 / 1.5 }')" \
    "$(tail -n 1 "$tmp/busy.csv" | cut -d, -f2 | awk '{ printf "%.0f", $1 }')"

"$gsim" trace generate "$tmp/days.yaml" --prefix a- -o "$tmp/x.csv"
"$gsim" trace generate "$tmp/model.yaml" --prefix b- -o "$tmp/y.csv"
ok 'drawn ones, too'          exits 0 "$gsim" trace merge "$tmp/x.csv" "$tmp/y.csv" \
    -o "$tmp/z.csv"
is 'all of them'              "$(jobs "$tmp/z.csv")" \
    "$(($(jobs "$tmp/x.csv") + $(jobs "$tmp/y.csv")))"

# mistakes
refused () {                    # refused NAME STATUS TEXT COMMAND...
    what=$1 status=$2 text=$3
    shift 3
    rm -f "$tmp/no"
    ok "refused: $what"       exits "$status" "$@"
    ok "$what: said"          says "$text"
    ok "$what: one problem"   sh -c '[ "$(grep -c "^gsim:" "$1")" = 1 ]' - "$errs"
    ok "$what: no file"       test ! -e "$tmp/no"
}
refused 'a verb' 2 "what to do must be info, convert, fit, generate, sample, merge or scale (got 'draw')" \
    "$gsim" trace draw
refused 'a profile' 2 "'--profile' must be none, week or day (got 'year')" \
    "$gsim" trace fit $philly --profile year -o "$tmp/no"
refused 'stretches of hours' 2 "'--stretch' must be whole days, such as 7d" \
    "$gsim" trace fit $philly --stretch 12h -o "$tmp/no"
refused 'stretches without days' 2 "'--stretch' needs '--profile day'" \
    "$gsim" trace fit $philly --stretch 7d --profile week -o "$tmp/no"
refused 'a kind' 2 "'--kind' must be best, lognormal" \
    "$gsim" trace fit $philly --kind normal -o "$tmp/no"
refused 'a queue' 2 "the trace has no queue 'q'" \
    "$gsim" trace fit $philly --queue q -o "$tmp/no"
refused 'no GPUs' 3 'for an SWF log: --processors gpu' \
    "$gsim" trace fit traces/samples/tiny.swf -o "$tmp/no"
refused 'a trace as a model' 3 "unknown key 'topology' in a model" \
    "$gsim" trace generate traces/samples/deadlock.yaml -o "$tmp/no"
refused 'an option out of place' 2 "'--gpus' goes without a model" \
    "$gsim" trace generate "$tmp/model.yaml" --gpus 64 -o "$tmp/no"
refused 'too many' 2 "'--count' must be 1 to 10000000" \
    "$gsim" trace generate "$tmp/model.yaml" --count 10000001 -o "$tmp/no"
refused 'a prefix' 2 "'--prefix' must be 1 to 11 letters" \
    "$gsim" trace generate "$tmp/model.yaml" --prefix 'a b' -o "$tmp/no"
refused 'a fraction' 2 "'--fraction' must be more than 0 and at most 1 (got '2')" \
    "$gsim" trace sample $philly --fraction 2 -o "$tmp/no"
refused 'a window' 2 "'--until' must be later than '--from'" \
    "$gsim" trace sample $philly --from 2d --until 1d -o "$tmp/no"
refused 'no number' 2 "'--rate' must be a number such as 0.5 or 50% (got 'nan')" \
    "$gsim" trace scale $philly --rate nan -o "$tmp/no"
refused 'a factor' 2 'a factor must be 0.001 to 1000 (got 0)' \
    "$gsim" trace scale $philly --rate 0 -o "$tmp/no"
refused 'one alone' 2 'two traces or more are needed' \
    "$gsim" trace merge $philly -o "$tmp/no"
refused 'the same twice' 3 "both traces have a job called 'job-" \
    "$gsim" trace merge $philly $philly -o "$tmp/no"
refused 'two topologies' 3 'names topology' \
    "$gsim" trace merge traces/samples/drf.yaml traces/samples/deadlock.yaml -o "$tmp/no"
refused 'what CSV cannot hold' 3 '' \
    "$gsim" trace sample traces/samples/topology.yaml -o "$tmp/no.csv"

cp traces/samples/mig.yaml "$tmp/mine.csv"
for verb in convert sample 'scale --rate 2'; do
    # shellcheck disable=SC2086
    ok "$verb cannot"           exits 3 "$gsim" trace $verb \
        traces/samples/topology.yaml -o "$tmp/mine.csv"
    ok 'and what was there stays' cmp -s "$tmp/mine.csv" traces/samples/mig.yaml
done

# each verb tells its own
for verb in info convert fit generate sample merge scale; do
    ok "$verb --help"         exits 0 "$gsim" trace $verb --help
    ok "$verb: usage"         prints "usage: gsim trace $verb"
    is "$verb: 80 columns"    "$(awk 'length > 80' "$out")" ''
done

# --- the topology that a trace names, from another folder ------------------------

mkdir -p "$tmp/way/in/deep" "$tmp/way/out" "$tmp/way/clusters" "$tmp/way/inner"
echo '{node_types: {t: {gpus: 8}}, nodes: [{name: n1, type: t}]}' \
    >"$tmp/way/clusters/c.yaml"
cat >"$tmp/way/in/t.yaml" <<'YAML'
topology: ../clusters/c.yaml
jobs: [{name: a, submit: 0, duration: 1h, gpus: 1}]
YAML
sed 's/name: a/name: b/; s,\.\./,../../,' "$tmp/way/in/t.yaml" \
    >"$tmp/way/in/deep/u.yaml"
way () {                        # way FILE: where its topology is said to be
    sed -n 's/^topology: *//p' "$1" | tr -d "\"'"
}
(
    cd "$tmp/way" || exit 1
    mkdir -p a/b
    for file in in/new.yaml in/deep/new.yaml out/new.yaml a/b/new.yaml new.yaml \
        clusters/new.yaml "$tmp/new.yaml"; do
        for words in 'convert in/t.yaml' 'sample in/t.yaml --fraction 1' \
            'scale in/t.yaml --load 2' 'merge in/t.yaml in/deep/u.yaml'; do
            # shellcheck disable=SC2086 # words
            ok "$words into $file" exits 0 "$gsim" trace $words -o "$file"
            ok '... leads to its topology' exits 0 "$gsim" replay "$file" \
                --no-db
        done
        echo "# $file: $(way "$file")"
    done
    is 'the same folder keeps the text' "$(way in/new.yaml)" ../clusters/c.yaml
    is 'another has its own way' "$(way a/b/new.yaml)" ../../clusters/c.yaml
    is 'beside it' "$(way clusters/new.yaml)" c.yaml
    "$gsim" trace convert in/t.yaml -o - >"$out"
    is 'standard output is here' "$(way "$out")" clusters/c.yaml
    ok 'a CSV trace' exits 0 "$gsim" trace convert in/t.yaml -o in/t.csv
    ok '... is said to name no topology' \
        says 'note: a CSV trace names no topology: replay needs --topology'
    ok '... but not with -q' exits 0 "$gsim" trace convert in/t.yaml \
        -o in/t.csv -q
    is '... at all' "$(cat "$errs")" ''
    { echo 'epoch: 2026-01-02T03:04:05Z'; cat in/t.yaml; } >in/e.yaml
    for words in 'convert in/e.yaml' 'scale in/e.yaml --rate 2'; do
        # shellcheck disable=SC2086 # words
        ok "$words" exits 0 "$gsim" trace $words -o in/t.csv
        ok '... is said to have no epoch' says \
            'note: a CSV trace has no epoch: its time 0 was 2026-01-02 03:04:05'
    done
    ok 'YAML has both' exits 0 "$gsim" trace convert in/e.yaml -o in/f.yaml
    is '... and nothing is said' "$(cat "$errs")" ''
    odd=$(printf 'odd\377')
    mkdir "$odd"
    cp in/t.yaml "$odd"
    cp clusters/c.yaml "$odd"
    sed -i 's,^topology: .*,topology: c.yaml,' "$odd/t.yaml"
    ok 'a folder that is no text' exits 3 "$gsim" trace convert "$odd/t.yaml" \
        -o odd.yaml
    ok '... is told' says "the path of the topology, 'odd?/c.yaml', cannot"
    ok '... and nothing written' [ ! -e odd.yaml ]
    ok '... but beside its topology' exits 0 "$gsim" trace convert \
        "$odd/t.yaml" -o "$odd/u.yaml"
    : >a/b/linked.yaml
    ln -s "$tmp/way/a/b/linked.yaml" out/link.yaml
    "$gsim" trace convert in/t.yaml -o out/link.yaml
    is 'a link leads on' "$(way a/b/linked.yaml)" ../../clusters/c.yaml
    [ "$failed" -eq 0 ]
) >"$tmp/ways"
status=$?
grep '^not ok' "$tmp/ways"
report $status 'a topology is found from every folder'
done_testing
