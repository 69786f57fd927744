#compdef gsim
# zsh completion for gsim, made by `gsim completion zsh`.
_gsim() {
    local curcontext=$curcontext state line
    typeset -A opt_args
    local -a commands
    commands=(
@commands@
    )
    _arguments -C '(-)--help[the commands]' '(-)--version[the version]' \
        '1: :->command' '*:: :->rest'
    case $state in
    command) _describe -t commands command commands ;;
    rest)
        case $words[1] in
@options@
        esac ;;
    esac
}
if [[ $funcstack[1] == _gsim ]]; then
    _gsim "$@"
else
    compdef _gsim gsim
fi
