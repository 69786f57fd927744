#!/bin/sh
# What every command says when asked, and when asked wrongly.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

ok 'no command is a usage error'     exits 2 "$gsim"
ok 'and shows the commands'          says 'usage: gsim COMMAND'
ok '--help succeeds'                 exits 0 "$gsim" --help
ok 'and prints the commands'         prints 'replay'
ok '--version prints a version'      exits 0 "$gsim" --version
ok 'with the name'                   prints 'gsim 0.'
# Commands, and those of trace, as --help lists them.
listed () { sed -n '/^  gsim/q; s/^  \([a-z][a-z]*\)  *[a-z].*/\1/p'; }
commands=$("$gsim" --help | listed)
verbs=$(for c in trace import; do
    "$gsim" $c --help | sed '/^Options/q' | listed | sed "s/^/$c /"
done)
ok '--help lists the commands'       test "$(echo "$commands" | wc -l)" -ge 14
ok 'an unknown command is refused'   exits 2 "$gsim" repaly
ok 'naming the nearest'              says "did you mean 'replay'?"
for c in $commands; do
    ok "$c --help succeeds"          exits 0 "$gsim" "$c" --help
    ok "$c --help shows its usage"   prints "usage: gsim $c"
    ok "$c --help has an example"    prints "  gsim $c"
    is "$c --help fits 80 columns"   "$(awk 'length > 80' "$tmp/out")" ''
done

# --- what is typed comes back without what a terminal would act on
seen () { [ "$(LC_ALL=C tr -d '\n[:print:]' <"$errs" | wc -c)" -eq 0 ]; }
odd=$(printf 'a\033[31m\b\342\200\256\342\200\213\303')
"$gsim" "$odd" 2>"$errs"
ok 'an odd command is shown as text' seen
for c in $commands; do
    for arg in "--$odd" "-$odd" "$odd" "--policy=$odd" "--metric=$odd" "--seed=$odd" \
        "--run=$odd" "--set=$odd" "--format=$odd" "--vary=$odd"; do
        "$gsim" "$c" "$arg" </dev/null >"$out" 2>"$errs"
        seen || break
        "$gsim" "$c" traces/samples/tiny.swf "$arg" </dev/null >"$out" 2>"$errs"
        seen || break
    done
    ok "$c shows odd arguments as text" seen
done

# --- the manual has every option of a command in the command's section
section () { awk -v c="$1" '/^\.S[hs]/ { on = $0 == ".Ss " c } on' gsim.1; }
section 'Options of every command' >"$tmp/common"
every () { printf '%s\n' "$commands" "$verbs"; }
while read -r c; do
    # shellcheck disable=SC2086
    "$gsim" $c --help >"$tmp/help"
    { section "gsim ${c%% *}"; grep '^\.It' "$tmp/common"; } >"$tmp/section"
    missing=$(grep -Eo '^ +(-.,? *)?--[a-z-]+' "$tmp/help" | sed 's/.*--//' |
        while read -r o; do
            grep -Eq -- "(Fl Fl|Fl -)$o([ ,;.]|\$)" "$tmp/section" \
                || grep -Eq -- "Fl Fl $o( |\$)" "$tmp/section" || echo "--$o"
        done)
    is "the manual has the options of $c" "$missing" ''
done <<END
$(every | grep -v -e '^trace$' -e '^import$')
END
for c in $commands; do
    ok "the manual has a section of $c" grep -q "^\.Ss gsim $c" gsim.1
    ok "the README names $c"         grep -q "gsim $c" README.md
done
# ... and no option that no command takes
every | while read -r c; do
    # shellcheck disable=SC2086
    "$gsim" $c --help
done >"$tmp/helps"
is 'the manual has no other options' "$(sed -n 's/^\.It //p' gsim.1 |
    grep -o 'Fl Fl [a-z-]*' | sed 's/Fl Fl //' | sort -u | while read -r o; do
        grep -Eq -- "^ +(-., )?--$o( |\$)" "$tmp/helps" || echo "--$o"
    done)" ''
ok 'replay needs a trace'            exits 2 "$gsim" replay
ok 'and says so'                     says 'a trace is needed'
ok 'an unknown option is refused'    exits 2 "$gsim" replay x --polcy y
ok 'naming the nearest'              says "did you mean '--policy'?"
ok 'an option may lack its value'    exits 2 "$gsim" replay x --seed
ok 'which is named'                  says "'--seed' needs a value"
ok 'a count must be a number'        exits 2 "$gsim" replay x --seed y
ok 'and what was seen is shown'      says "(got 'y')"
ok 'a time must be a time'           exits 2 "$gsim" replay x --until soon
ok 'an unknown policy is refused'    exits 2 "$gsim" replay \
    traces/samples/deadlock.yaml --policy binpak --db "$tmp/x.db"
ok 'naming the nearest'              says "did you mean 'binpack'?"
ok 'an unknown setting is refused'   exits 2 "$gsim" replay \
    traces/samples/deadlock.yaml --set binpack.wieght=3 --db "$tmp/x.db"
ok 'naming the nearest parameter'    says "did you mean 'weight'?"
ok 'a parameter out of range too'    exits 3 "$gsim" replay \
    traces/samples/deadlock.yaml --set binpack.weight=-3 --db "$tmp/x.db"
ok 'with its range'                  says 'from 0 to 1000'
ok 'a trace without a topology'      exits 2 "$gsim" replay \
    traces/samples/philly.csv.gz --db "$tmp/x.db"
ok 'is told how to name one'         says '--topology FILE'
ok 'nothing was written by all this' test ! -e "$tmp/x.db"
ok 'policies lists presets'          exits 0 "$gsim" policies
ok 'and modules'                     prints 'least-allocated'
ok 'a preset prints as a profile'    exits 0 "$gsim" policies kube-default
ok 'with its unit'                   prints 'unit: pod'
"$gsim" policies binpack >"$tmp/profile"
sed -n '/^\$ gsim policies binpack$/,/^```/p' docs/policies.md | sed '1d;$d' >"$tmp/want"
ok 'as the documents show it'          cmp -s "$tmp/profile" "$tmp/want"
"$gsim" policies kube-default >"$tmp/mine.yaml"
"$gsim" policies "$tmp/mine.yaml" >"$tmp/again.yaml"
ok 'which reads back as itself'      cmp -s "$tmp/mine.yaml" "$tmp/again.yaml"
done_testing
