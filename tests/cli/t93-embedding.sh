#!/bin/sh
# A scheduler of one's own: the host of docs/embedding.md is built against the
# installed files alone, with the shared library and with the static one.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

mode=$(basename "$(dirname "$gsim")")
case $mode in asan-*|fuzz-*)
    skip 'a host without sanitizers' 'the library needs their runtime'
    done_testing
    exit
esac
make install MODE="${mode%-*}" CC="${mode##*-}" PREFIX="$tmp/usr" >"$out" 2>"$errs"
report $? 'it installs'
export PKG_CONFIG_PATH="$tmp/usr/lib/pkgconfig" LD_LIBRARY_PATH="$tmp/usr/lib"
include=$tmp/usr/include/gsim
lib=$tmp/usr/lib
strict='-std=c11 -Wall -Wextra -Wpedantic -Werror'

# --- headers: those that are there compile alone, with nothing else of ours
for h in $(cd "$include" && find . -name '*.h' | sed 's,^\./,,'); do
    printf '#include "%s"\nextern int alone;\n' "$h" >"$tmp/alone.c"
    # shellcheck disable=SC2086 # words
    ok "$h compiles alone" exits 0 cc $strict -I"$include" -fsyntax-only "$tmp/alone.c"
done

# --- the library: what headers declare, and nothing else
find "$include" -name '*.h' ! -name policy.h -exec cat {} + |
    perl -0777 -pe 's,/\*.*?\*/,,gs; s,\bstatic inline .*?^\},,gms' |
    grep -oE '\b(gsched|topo|trace|gs)_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$tmp/declared"
nm -D --defined-only "$lib/libgsched.so" | awk '{ print $3 }' | sort -u >"$tmp/exported"
ok 'functions are exported'     test "$(wc -l <"$tmp/exported")" -ge 50
is 'none that no header declares, but tables' \
    "$(comm -13 "$tmp/declared" "$tmp/exported" | grep -vE '_(names|info)$')" ''
is 'its name' "$(objdump -p "$lib/libgsched.so" | awk '$1 == "SONAME" { print $2 }')" \
    libgsched.so.0
is 'it needs the C library alone' \
    "$(objdump -p "$lib/libgsched.so" | awk '$1 == "NEEDED" { print $2 }' |
        grep -vE '^lib(c|m|dl)\.so')" ''

# --- the host
# shellcheck disable=SC2016 # a fence
sed -n '/^```c$/,/^```$/{/^```/d;p}' docs/embedding.md >"$tmp/host.c"
# shellcheck disable=SC2016 # a fence
sed -n '/^```text$/,/^```$/{/^```/d;p}' docs/embedding.md >"$tmp/want"
ok 'it has less than 210 lines' test "$(wc -l <"$tmp/host.c")" -lt 210
ok 'and more than 100'          test "$(wc -l <"$tmp/host.c")" -gt 100
cd "$tmp" || exit 1
# shellcheck disable=SC2046,SC2086 # words
ok 'it builds with the shared library' exits 0 cc $strict host.c \
    $(pkg-config --cflags --libs libgsched) -o shared
ok 'and runs'                   exits 0 ./shared
is 'as the document shows'      "$(cat "$out")" "$(cat want)"
rm "$lib/libgsched.so" "$lib"/libgsched.so.*
# shellcheck disable=SC2046,SC2086 # words
ok 'it builds with the static library' exits 0 cc $strict host.c \
    $(pkg-config --static --cflags --libs libgsched) -o static
ok 'and runs'                   exits 0 ./static
is 'all the same'               "$(cat "$out")" "$(cat want)"
done_testing
