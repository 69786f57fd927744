#!/bin/sh
# The Makefile asks for the packages that a goal needs before it uses them,
# whatever was built or installed before.  What is tested asserts what it relies
# on, what is released does not.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    skip 'the Makefile in a bare root' 'needs a checkout to copy'
    done_testing
    exit
fi
mkdir "$tmp/copy" "$tmp/bin"
git ls-files -z | xargs -0 tar -cf - 2>/dev/null | tar -xf - -C "$tmp/copy"
log=$tmp/log
# Tools that only say that they were called, and with what packages installed.
printf '#!/bin/sh\necho "deps $*" >>%s\n' "$log" \
    >"$tmp/copy/scripts/install-deps"
for tool in gcc clang ar pkg-config; do
    cat >"$tmp/bin/$tool" <<TOOL
#!/bin/sh
echo "$tool" >>$log
while [ \$# -gt 0 ]; do
    if [ "\$1" = -o ]; then : >"\$2"; fi
    case "$tool \$1" in 'ar '*.a) : >"\$1" ;; esac
    shift
done
TOOL
done
for script in demo train; do
    printf '#!/bin/sh\necho %s >>%s\n' "$script" "$log" \
        >"$tmp/copy/scripts/$script"
done
chmod +x "$tmp/bin"/* "$tmp/copy/scripts"/*

make_here () {                  # make_here ARGUMENT...: in the copy
    : >"$log"
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MODE -u WERROR -u CLI PATH="$tmp/bin:$PATH" \
        make -C "$tmp/copy" "$@" >"$tmp/said" 2>&1
}

asks () {                       # asks WHEN PACKAGES GOAL...: for those first
    when=$1
    packages=$2
    shift 2
    for goal in "$@"; do
        # the plan alone: what they run would take its time
        # shellcheck disable=SC2086 # words
        make_here -n $goal
        is "make $goal $when asks for the packages: build $packages" \
            "$(grep -m1 -v '^make' "$tmp/said")" \
            "scripts/install-deps${packages:+ $packages}"
    done
}

goals () {                      # goals WHEN
    asks "$1" '' all gate
    asks "$1" test test
    asks "$1" check check 'CC=clang all'
    asks "$1" long check-long
}

goals 'in a fresh checkout'
make_here -s demo
is 'make demo asks for the packages of a build' "$(sed -n 1p "$log")" 'deps '
is 'and shows the demo' "$(tail -n 1 "$log")" demo
goals 'after make demo'
asks 'now' '' install modules-so
asks 'now' test 'MODE=asan test' 'MODE=debug test'
asks 'now' check check-cli lint fmt golden bench asan
asks 'now' long fuzz
# What is built may come from another machine.
make_here -s all
is 'a second make still asks' "$(sed -n 1p "$log")" 'deps '
is 'and compiles nothing again' "$(grep -c gcc "$log")" 0

asserts () {                    # asserts yes|no ARGUMENT...: what make compiles
    want=$1
    shift
    make_here -n V=1 "$@"
    got=$(grep -E ' -c -o build/' "$tmp/said" >"$tmp/compiled"
        grep -q DNDEBUG "$tmp/compiled" && echo no
        grep -qv DNDEBUG "$tmp/compiled" && echo yes)
    is "make $*: are assertions on? $want" "$got" "$want"
}

# What a release is optimized by is made once, and by gcc only.
make_here clean
make_here all
is 'a first make of a release replays what counts' "$(grep -c train "$log")" 1
touch "$tmp/copy/base/ring.c"
make_here all
is 'another does not' "$(grep -c train "$log")" 0
make_here clean
make_here TRAIN= all
is 'nor does make TRAIN=' "$(grep -c train "$log")" 0
make_here CC=clang all
is 'nor does one by clang' "$(grep -c train "$log")" 0
make_here clean
asserts no all
asserts no CC=clang all
for goal in test check-cli asan 'MODE=debug all' 'MODE=debug test' 'MODE=asan check-cli'; do
    # shellcheck disable=SC2086 # words
    asserts yes $goal
done
# The program under test, as it was built.
case $gsim in */release-*) want='' ;; *) want=__assert_fail ;; esac
is "assertions in $(basename "$(dirname "$gsim")")" \
    "$(nm -Du "$gsim" | grep -o '__assert_fail')" "$want"
done_testing
