# fish completion for gsim, made by `gsim completion fish`.
# __gsim_is: no command stands before the cursor
# __gsim_is COMMAND [WORDS]: this one does, in so many words
function __gsim_is
    set -l words (commandline -opc)
    if not set -q argv[1]
        test (count $words) -eq 1
        return
    end
    set -q words[2]; and test "$words[2]" = $argv[1]; or return 1
    not set -q argv[2]; or test (count $words) -eq $argv[2]
end
complete -c gsim -n __gsim_is -l help -s h -d 'the commands'
complete -c gsim -n __gsim_is -l version -s V -d 'the version'
@commands@
