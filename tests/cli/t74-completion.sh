#!/bin/sh
# gsim completion: every command and option in every shell, harmlessly.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

for shell in bash zsh fish; do
    ok "$shell"                     exits 0 "$gsim" completion $shell
    cp "$out" "$tmp/$shell"
    if command -v $shell >/dev/null; then
        ok "$shell can read it"     exits 0 $shell -n "$tmp/$shell"
    else
        skip "$shell can read it"   "there is no $shell"
    fi
done
ok 'no shell'                       exits 2 "$gsim" completion
ok 'an unknown one'                 exits 2 "$gsim" completion csh
ok 'is named'                       says "(got 'csh')"

commands=$("$gsim" --help | sed -n '/^  gsim/d; s/^  \([a-z]*\) .*/\1/p')
missing=
for c in $commands; do
    grep -q "^        '$c:" "$tmp/zsh" || missing="$missing zsh:$c"
    grep -q -e "-a $c -d" "$tmp/fish" || missing="$missing fish:$c"
    grep -q "^    $c)" "$tmp/bash" || missing="$missing bash:$c"
    for o in $("$gsim" "$c" --help | sed -n 's/^  --\([a-z-]*\).*/\1/p'); do
        sed -n "/^    $c)/,/;;/p" "$tmp/bash" | grep -q -e " --$o\\b" ||
            missing="$missing bash:$c:$o"
        sed -n "/^        $c)/,/;;/p" "$tmp/zsh" | grep -q -e "--${o}[=[]" ||
            missing="$missing zsh:$c:$o"
        grep -q "is $c' -l $o " "$tmp/fish" ||
            missing="$missing fish:$c:$o"
    done
done
ok 'there are commands'             test "$(echo "$commands" | wc -w)" -ge 11
is 'no command or option is missing' "$missing" ''

if ! command -v bash >/dev/null; then
    skip 'what bash offers' 'there is no bash'
    done_testing
    exit
fi
offers () {                     # offers WORD...: for the last of them
    # shellcheck disable=SC2016 # bash expands it
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
             _gsim; echo "${COMPREPLY[*]}"' - "$tmp/bash" "$@"
}

is 'commands'                       "$(offers gsim ex)" 'explain export'
is 'options'                        "$(offers gsim gate --r)" '--rules --run'
is 'options after operands'         "$(offers gsim gate a.db --upd)" '--update'
is 'formats'                        "$(offers gsim compare a.db --format m)" 'markdown'
is 'formats after ='                "$(offers gsim compare --format = j)" 'json'
is 'all of them'                    "$(offers gsim export --format =)" 'csv json prometheus perfetto'
is 'presets'                        "$(offers gsim replay --policy kube)" 'kube-default'
is 'verbs'                          "$(offers gsim trace '')" 'info convert fit generate sample merge scale'
is 'options of the verbs'             "$(offers gsim trace fit --st)" '--stretch'
is 'and their words'                "$(offers gsim trace fit --profile '')" 'none week day'
is 'files are left to bash'         "$(offers gsim replay tra)" ''
is 'nothing for no command'         "$(offers gsim nope --x)" ''

# Words that a shell would run, in every place, in a folder of such files.
mkdir "$tmp/evil"
cd "$tmp/evil" || exit 1
# shellcheck disable=SC2016 # that is the point
for name in '`touch x`' '$(touch x)' "'; touch x; '" '<script>alert(1)<' \
    "'; drop table jobs; --" '*' 'a b' '-rf' 'x[$(touch x)]'; do
    : >"$tmp/evil/$name"
    {
        offers gsim "$name"
        offers gsim replay "$name"
        offers gsim gate --run "$name"
        offers gsim "$name" --
        offers gsim replay --policy "$name"
        offers gsim gate --format = "$name"
    } >>"$tmp/offered" 2>&1
done
is 'hostile words are offered nothing' \
    "$(tr -d '\n' <"$tmp/offered")" ''
ok 'and nothing is run'             test ! -e "$tmp/evil/x"
cd "$root" || exit 1

# --- make install puts them where shells look
ok 'make install'                   exits 0 make -s -o all install DESTDIR="$tmp/root" \
    PREFIX=/usr B="${gsim%/gsim}"
share=$tmp/root/usr/share
ok 'for bash'                       cmp -s "$tmp/bash" "$share/bash-completion/completions/gsim"
ok 'for zsh'                        cmp -s "$tmp/zsh" "$share/zsh/site-functions/_gsim"
ok 'for fish'                       cmp -s "$tmp/fish" "$share/fish/vendor_completions.d/gsim.fish"
done_testing
