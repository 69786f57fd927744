# tests/cli/harness.sh - functions of the command-line tests, which source it.
# They print TAP; scripts/run-tests runs them.
# shellcheck shell=sh

root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
gsim=${GSIM:-build/release-gcc/gsim}
case $gsim in /*) ;; *) gsim=$root/$gsim ;; esac
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' HUP INT TERM
out=$tmp/out                    # what the last command printed
errs=$tmp/err                   # ... and said
tests=0
failed=0
[ -x "$gsim" ] || { echo "Bail out! there is no $gsim"; exit 1; }

report () {                     # report STATUS NAME
    tests=$((tests + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tests - $2"
    else
        failed=$((failed + 1))
        echo "not ok $tests - $2"
        sed 's/^/# out: /' "$out" 2>/dev/null | head -n 20
        sed 's/^/# err: /' "$errs" 2>/dev/null | head -n 20
    fi
}

ok () {                         # ok NAME COMMAND...: the command succeeds
    name=$1
    shift
    "$@"
    report $? "$name"
}

exits () {                      # exits STATUS COMMAND...
    want=$1
    shift
    got=0
    "$@" >"$out" 2>"$errs" </dev/null || got=$?
    [ "$got" -eq "$want" ] || ! echo "# exit status $got, not $want: $*"
}

says () {                       # the last command's standard error holds TEXT
    grep -qF -e "$1" "$errs"
}

prints () {                     # ... its standard output
    grep -qF -e "$1" "$out"
}

is () {                         # is NAME GOT WANT
    if [ "$2" = "$3" ]; then
        report 0 "$1"
    else
        printf 'got  %s\nwant %s\n' "$2" "$3" >"$out"
        : >"$errs"
        report 1 "$1"
    fi
}

skip () {                       # skip NAME WHY
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

done_testing () {
    echo "1..$tests"
    [ "$failed" -eq 0 ]
}
