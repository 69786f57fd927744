# tests/cli/offers.zsh HOW FOLDER LINE...: what zsh offers in the folder at the
# end of each line, "line: a b c -> the line after a press of Tab".  HOW is the
# completion script itself, to be sourced, or a folder to find it in as _gsim.
#
# The shell that completes is one on a pseudo-terminal; its compadd also tells
# what it was given.
zmodload zsh/zpty || exit 1
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
cat >"$here/init" <<INIT
PROMPT= RPROMPT= TERM=dumb
how=${(q)1:a}
[[ -d \$how ]] && fpath=(\$how \$fpath)
autoload -Uz compinit && compinit -u -d ${(q)here}/dump
[[ -d \$how ]] || source \$how
cd ${(q)2}
compadd () {
    local -a hits
    if [[ " \${(j: :)@[1,(i)(-|--)]} " == *\ -(O|A|D)\ * ]]; then
        builtin compadd "\$@"
        return
    fi
    builtin compadd -O hits "\$@"
    print -rl -- "\$hits[@]" >>${(q)here}/hits
    builtin compadd "\$@"
}
ask () {
    zle complete-word
    print -r -- "\$BUFFER" >${(q)here}/line
    BUFFER=
    print DONE
}
zle -N ask
bindkey '^T' ask
print READY
INIT
zpty z zsh -f -i
zpty -w z "source ${(q)here}/init"
zpty -r z said '*READY*' || exit 1
for line in "${@[3,-1]}"; do
    : >"$here/hits"
    zpty -w -n z "$line"$'\x14'
    zpty -r z said '*DONE*' || exit 1
    hits=("${(@f)$(<$here/hits)}")
    print -r -- "$line: ${(j: :)${(@ou)hits}} -> $(<$here/line)"
done
zpty -d z
