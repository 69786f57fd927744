#!/bin/sh
# The checks of `make lint` can fail: each finds what was planted for it.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# A house with one file of each kind, which keeps the rules.
house=$tmp/house
for d in base topology traces/formats policies/modules policies/placement \
    reports/store sim/replay sim/cli; do
    mkdir -p "$house/$d"
done
echo '#include "policies/policy.h"' >"$house/policies/modules/fifo.c"
echo '#include <stdio.h>' >"$house/topology/show.c"

layers () {                     # scripts/check-layers in the house
    (cd "$house" && "$root/scripts/check-layers")
}

planted () {                    # planted NAME FILE LINE FAULT
    cp "$house/$2" "$tmp/kept" 2>/dev/null || rm -f "$tmp/kept"
    printf '\n%s\n' "$3" >"$house/$2"
    ok "$1"                             exits 1 layers
    is '... at its place' "$(cat "$out")" "$4"
    rm "$house/$2"
    test ! -e "$tmp/kept" || mv "$tmp/kept" "$house/$2"
}

ok 'this house keeps its layers'        exits 0 scripts/check-layers
ok 'the scratch house too'              exits 0 layers
planted 'a policy may not know the simulator' policies/scheduler.c \
    '#include "sim/replay/event.h"' \
    'policies/scheduler.c:2: policies may not include sim/replay/event.h'
planted 'a module knows policy.h only' policies/modules/fifo.c \
    '#include "base/array.h"' \
    'policies/modules/fifo.c:2: policies/modules may not include base/array.h'
planted 'one header does not open its folder' traces/formats/reader.c \
    '#include "topology/cluster.h"' \
    'traces/formats/reader.c:2: traces/formats may not include topology/cluster.h'
planted 'nor does a folder open those in it' sim/replay/replay.c \
    '#include "sim/cli/cmd.h"' \
    'sim/replay/replay.c:2: sim/replay may not include sim/cli/cmd.h'
planted 'no arrow runs up between rooms' policies/placement/fit.c \
    '#include "policies/actions/allocate.h"' \
    'policies/placement/fit.c:2: policies/placement may not include policies/actions/allocate.h'
planted 'angle brackets hide nothing' base/err.c \
    '#include <sim/replay/event.h>' \
    'base/err.c:2: base may not include sim/replay/event.h'
planted 'SQLite is for reports' sim/replay/replay.c '#include <sqlite3.h>' \
    'sim/replay/replay.c:2: sim/replay may not include sqlite3.h'
planted 'a policy reads no clock' policies/placement/fit.c \
    '# include <time.h>' \
    'policies/placement/fit.c:2: policies/placement may not include time.h'
planted 'the cluster core does not print' topology/cluster.c \
    '#include <stdio.h>' \
    'topology/cluster.c:2: topology may not include stdio.h'
mkdir "$house/utils" "$house/sim/helpers"
ok 'a new folder is refused'            exits 1 layers
ok 'at the top'                         prints 'utils: does not belong'
ok 'and further down'                   prints 'sim/helpers: an unknown folder'

printf '/* who %s */\nconst char *a = "who";\n' waits >"$tmp/person.c"
ok 'a pronoun of a person is found'     exits 1 scripts/check-words "$tmp/person.c"
ok '... in a comment'                   prints "person.c:1: 'who' of a thing"
is '... and only there'                 "$(wc -l <"$out")" 1

headers () {                    # scripts/check-headers in the house
    (cd "$house" && "$root/scripts/check-headers")
}

echo 'struct whole { int n; };' >"$house/base/whole.h"
ok 'a header that stands alone may stay' exits 0 headers
echo 'struct part { size_t n; };' >"$house/base/part.h"
ok 'one that leans on another is found' exits 1 headers
for cc in gcc clang; do
    ok "... by $cc" prints "base/part.h: does not compile alone ($cc)"
done
rm "$house"/base/*.h
ok 'a package that is missing is no success' \
    exits 1 scripts/check-headers no-such-package

# A library of nothing but one source, and the objects of the cycle, empty.
build=$tmp/tree/build
mkdir -p "$build/topology" "$build/traces/workload" "$build/policies"
symbols () { (cd "$tmp/tree" && "$root/scripts/check-symbols" build); }
cc=$(command -v gcc || command -v clang || echo cc)
echo 'extern int nothing;' | "$cc" -xc -c -o "$build/traces/workload/workload.o" -
for o in cluster groups node_fit resources tree; do
    cp "$build/traces/workload/workload.o" "$build/topology/$o.o"
done
for source in policies/x topology/cluster traces/workload/workload; do
    mkdir -p "$tmp/tree/${source%/*}"
    : >"$tmp/tree/$source.c"
done

library () {                    # library SOURCE: libgsched.a of it
    rm -f "$build/libgsched.a"
    printf '%s\n' "$1" |
        "$cc" -O1 -fPIC -fcommon -xc -c -o "$build/policies/x.o" - &&
        ar rcs "$build/libgsched.a" "$build/policies/x.o"
}

found () {                      # found NAME SOURCE FAULT
    library "$2"
    ok "$1"                             exits 1 symbols
    ok '... naming it'                  prints "$3"
}

library 'static const char *const names[] = { "a", "b" };
         const char *name(int i) { return names[i]; }'
ok 'tables of constants may stay'       exits 0 symbols
found 'a writable global is found' 'int calls = 1;' \
    '(x.o): writable global calls'
found 'one that starts as nothing' 'int calls; int f(void) { return calls; }' \
    '(x.o): writable global calls'
found 'one within a function' \
    'int f(void) { static int calls; return ++calls; }' \
    '(x.o): writable global calls'
found 'one for each thread' '_Thread_local int calls = 1;' \
    '(x.o): writable global calls'
found 'a clock is found' \
    'long time(long *); long f(void) { return time(0); }' \
    '(x.o): calls time'
found 'the environment is found' \
    'char *getenv(const char *); char *f(void) { return getenv("X"); }' \
    '(x.o): calls getenv'
found 'SQLite is found' \
    'int sqlite3_step(void *); int f(void) { return sqlite3_step(0); }' \
    '(x.o): calls sqlite3_step'
found 'the heap in a policy is found' \
    'void *malloc(unsigned long); void *f(void) { return malloc(9); }' \
    'policies/x.o: calls malloc'
found 'printing in a policy is found' '#include <stdio.h>
    int f(char *s, int i) { return snprintf(s, 9, "%d", i); }' \
    'policies/x.o: calls snprintf'
library 'extern int nothing;'
echo 'void *malloc(unsigned long); void *f(void) { return malloc(9); }' |
    "$cc" -xc -c -o "$build/policies/gone.o" -
ok 'an object whose source is gone is passed over' exits 0 symbols
rm "$build/topology/node_fit.o"
ok 'an object that moved is missed'     exits 1 symbols
ok '... by its name'                    prints 'topology/node_fit.o: is not there'
done_testing
