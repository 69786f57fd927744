# bash completion for gsim, made by `gsim completion bash`.
# Where it has no word to offer, bash completes files.
_gsim() {
    local cur=${COMP_WORDS[COMP_CWORD]} words='' options='' verbs=''
    local prev=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]}
    COMPREPLY=()
    # --format=json comes as three words
    if [[ $cur == = ]]; then
        cur=''
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if ((COMP_CWORD == 1)); then
@words@
        COMPREPLY=($(compgen -W "$words" -- "$cur"))
        return
    fi
    case "$command $prev" in
@values@
    esac
    case $command in
@options@
    esac
    if [[ -z $words && $cur == -* ]]; then
        words=$options
    elif [[ -z $words ]] && ((COMP_CWORD == 2)); then
        words=$verbs
    fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o bashdefault -o default -F _gsim gsim
