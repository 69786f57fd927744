#!/bin/sh
# gsim completion in the shells themselves, among files that mean no good.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

export HOME="$tmp/home" XDG_CONFIG_HOME="$tmp/home/config" XDG_DATA_HOME="$tmp/home/data"
export LC_ALL=C.UTF-8
mkdir -p "$tmp/bin" "$tmp/zsh.d" "$XDG_CONFIG_HOME/fish/completions" "$XDG_DATA_HOME" "$tmp/w"
ln -s "$gsim" "$tmp/bin/gsim"
PATH=$tmp/bin:$PATH
for shell in bash zsh fish; do
    "$gsim" completion $shell >"$tmp/$shell"
done
cp "$tmp/zsh" "$tmp/zsh.d/_gsim"
cp "$tmp/fish" "$XDG_CONFIG_HOME/fish/completions/gsim.fish"
# shellcheck disable=SC2016 # names that a shell would run
touch "$tmp/w/a.yaml" "$tmp/w/"'`touch x`' "$tmp/w/"'$(touch x)' "$tmp/w/(touch x)"

commands=$("$gsim" --help | sed -n '/^  gsim/d; s/^  \([a-z]*\) .*/\1/p' | LC_ALL=C sort | tr '\n' ' ')
commands=${commands% }
# shellcheck disable=SC2016
files='$(touch x) (touch x) `touch x` a.yaml'
# LINE|WORDS: what is offered at the end of the line, sorted; "files" are all of
# the folder.
cat >"$tmp/lines" <<LINES
gsim |$commands
gsim ex|explain export
gsim --v|--version
gsim gate --r|--rules --run
gsim gate a.db --upd|--update
gsim gate a.db --run x --upd|--update
gsim compare --format |csv json markdown table
gsim compare a.db --format m|markdown
gsim replay --policy kube|kube-default
gsim replay --policy fifo --policy hyb|hybrid
gsim export --what col|columns
gsim trace |convert fit generate info merge sample scale
gsim trace info |files
gsim trace info --from-f|--from-format
gsim topology sh|show
gsim completion |bash fish zsh
gsim policies vol|volcano volcano-default
gsim replay a|a.yaml
gsim replay |files
gsim replay --db |files
gsim export a.db -o |files
gsim export trace --t|
gsim explain report --pl|
gsim nope --upd|
gsim gate --run "'; drop table jobs; --" --upd|--update
gsim gate --run "\`touch x\`" --upd|--update
gsim gate --run "\"; system \"id" --upd|--update
gsim gate --run "\$(touch x)" --upd|--update
gsim gate "\$(touch x)" --upd|--update
gsim "\$(touch x)" --upd|
gsim trace "\`touch x\`" --from-f|--from-format
LINES

# --- fish
fish_offers () {                # fish_offers LINE
    # shellcheck disable=SC2016 # fish expands it
    (cd "$tmp/w" && timeout 60 fish --no-config \
        -c 'source $argv[1]; complete -C $argv[2]' "$tmp/fish" "$1" </dev/null |
        cut -f 1 | LC_ALL=C sort | tr '\n' ' ' | sed 's/ $//')
}
if command -v fish >/dev/null; then
    while IFS='|' read -r line want; do
        [ "$want" = files ] && want=$files
        is "fish: $line" "$(fish_offers "$line")" "$want"
    done <"$tmp/lines"
    is 'fish: a value after =' "$(fish_offers 'gsim compare --format=m')" '--format=markdown'
    # shellcheck disable=SC2016
    for evil in '(touch x)' '$(touch x)' '"$(touch x)"' '(touch x' '"(touch x)"'; do
        is "fish: after $evil" "$(fish_offers "gsim gate --run $evil --upd")" \
            "$(case $evil in *\)*) echo --update ;; esac)"
        fish_offers "gsim gate --run $evil" >/dev/null
    done
    is 'fish: where it looks for it' "$(timeout 60 fish -c "complete -C 'gsim ex'" </dev/null |
        cut -f 1 | LC_ALL=C sort | tr '\n' ' ')" 'explain export '
else
    skip 'what fish offers' 'there is no fish'
fi

# --- zsh
if command -v zsh >/dev/null; then
    set --
    while IFS='|' read -r line want; do
        set -- "$@" "$line"
    done <"$tmp/lines"
    timeout 300 zsh -f tests/cli/offers.zsh "$tmp/zsh" "$tmp/w" "$@" >"$tmp/offered" 2>"$tmp/said"
    is 'zsh answers every line' "$(wc -l <"$tmp/offered")" "$(wc -l <"$tmp/lines")"
    is 'and has no complaint'   "$(cat "$tmp/said")" ''
    while IFS='|' read -r line want; do
        IFS= read -r got <&3
        got=${got#"$line: "}
        # zsh has them as they would be typed
        got=$(printf '%s\n' "${got%% -> *}" | sed 's/[\]//g')
        [ "$want" = files ] && want=$files
        is "zsh: $line" "$got" "$want"
    done <"$tmp/lines" 3<"$tmp/offered"
    # shellcheck disable=SC2016
    timeout 60 zsh -f tests/cli/offers.zsh "$tmp/zsh.d" "$tmp/w" 'gsim ex' 'gsim report --ru' \
        'gsim replay \$' 'gsim gate --run "$(touch x)" --upd' 'gsim gate --run $(touch x' \
        'gsim gate --format=j' >"$tmp/offered"
    # shellcheck disable=SC2016
    is 'zsh: where it looks for it' "$(cat "$tmp/offered")" \
'gsim ex: explain export -> gsim exp
gsim report --ru: --run -> gsim report --run=
gsim replay \$: \$\(touch\ x\) -> gsim replay \$\(touch\ x\) 
gsim gate --run "$(touch x)" --upd: --update -> gsim gate --run "$(touch x)" --update 
gsim gate --run $(touch x:  -> gsim gate --run $(touch x
gsim gate --format=j:  -> gsim gate --format=j'
else
    skip 'what zsh offers' 'there is no zsh'
fi
# --- bash: what it makes of a line
if command -v bash >/dev/null && command -v zsh >/dev/null; then
    # shellcheck disable=SC2016
    timeout 60 zsh -f tests/cli/tab.zsh "$tmp/bash" "$tmp/w" 'gsim expl' 'gsim compare --format=m' \
        'gsim replay a' 'gsim replay \`' 'gsim replay \$' 'gsim gate --run "$(touch x)" --upd' \
        "gsim gate --run \"'; drop table jobs; --\" --upd" 'gsim gate --run "`touch x`" --upd' \
        'gsim gate --run "\"; system \"id" --upd' 'gsim "$(touch x)" --upd' \
        'gsim trace "`touch x`" --form' 'gsim gate --run $(touch x' 'gsim nope --upd' >"$tmp/offered"
    # shellcheck disable=SC2016
    is 'bash: a press of Tab' "$(cat "$tmp/offered")" \
'gsim explain |
gsim compare --format=markdown |
gsim replay a.yaml |
gsim replay \`touch\ x\` |
gsim replay \$\(touch\ x\) |
gsim gate --run "$(touch x)" --update |
gsim gate --run "'"'; drop table jobs; --"'" --update |
gsim gate --run "`touch x`" --upd|
gsim gate --run "\"; system \"id" --update |
gsim "$(touch x)" --upd|
gsim trace "`touch x`" --form|
gsim gate --run $(touch x|
gsim nope --upd|'
else
    skip 'bash: a press of Tab' 'there is no bash, or no zsh to hold its terminal'
fi

ok 'nothing was run' test ! -e "$tmp/w/x"
done_testing
