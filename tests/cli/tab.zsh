# tests/cli/tab.zsh SCRIPT FOLDER LINE...: the line that bash has, in the folder
# and with the completion script, after a press of Tab at the end of each line.
# zsh only holds the pseudo-terminal.
zmodload zsh/zpty || exit 1
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
cat >"$here/init" <<INIT
PS1= TERM=dumb HISTFILE=
. ${(q)1:a}
cd ${(q)2}
ask () {
    printf '%s\n' "\$READLINE_LINE" >${(q)here}/line
    READLINE_LINE=
    echo DONE
}
bind -x '"\C-t": ask'
echo READY
INIT
zpty z bash --norc -i
zpty -w z ". ${(q)here}/init"
zpty -r z said '*READY*' || exit 1
for line in "${@[3,-1]}"; do
    zpty -w -n z "$line"$'\t\x14'
    zpty -r z said '*DONE*' || exit 1
    print -r -- "$(<$here/line)|"
done
zpty -d z
