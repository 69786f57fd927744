#!/bin/sh
# Modules in shared objects: the same rows as built in; the example, built as a
# user would; and whatever may be wrong with one.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

cc=${CC:-cc}
build=$(dirname "$gsim")
objects=$build/modules
this_make () {                  # this_make GOAL...: make in the mode of gsim
    mode=$(basename "$build")
    env -u MAKEFLAGS make "MODE=${mode%%-*}" "CC=${mode#*-}" "$@" >"$tmp/log" 2>&1
}
small=traces/samples/fragmentation.yaml

# --- built in and shared -------------------------------------------------------

# Queues, priorities, rules, elastic gangs, CPU jobs: something for each module.
awk 'BEGIN {
    print "topology: two-racks.yaml"
    print "priority_classes: {high: {value: 10}, low: {value: 1}}"
    print "queues: [{name: a, weight: 1}, {name: b, weight: 2, guarantee: {gpu: 16}}, {name: c, limit: {gpu: 0}}]"
    print "budgets: [{name: l1, jobs: {app: l1}, max_unavailable: 0}]"
    print "quotas: [{name: q, limit: {gpu: 40}}]"
    print "accounts: [{name: x, shares: 3}, {name: y, parent: x, shares: parent}]"
    print "qos: {q: {limits: {user: {gpu: 24}}}, r: {}, fast: {priority: 9, usage_factor: 2}, slow: {priority: 1}}"
    print "partitions: {main: {tier: 1}, head: {tier: 2, factor: 3}}"
    print "jobs:"
    print "  - {name: run, submit: 0, duration: 3h, gpus: 1, queue: c, running_on: [n005]}"
    for (i = 0; i < 240; i++) {
        printf "  - {name: j%d, submit: %d, duration: %d, estimate: %d, queue: %s, user: u%d, priority: %s, labels: {app: l%d}", \
            i, i * 45, 300 + i * 7919 % 5000, 300 + i * 7919 % 5000, \
            i % 3 ? "a" : "b", i % 5, i % 4 ? "low" : "high", i % 6
        if (i % 60 == 6) {
            print ", task_affinity: {apart: [[w]]}, tasks: [{name: w, replicas: 4, gpus: 1, cpu: 8}]}"
            continue
        }
        if (i % 10 == 9)
            printf ", cpu: 4"
        else if (i % 12 == 8)
            printf ", gpu_share: 0.%d", 2 + i % 5
        else
            printf ", replicas: %s, gpus: %d, cpu: %d, memory: %dGiB", \
                i % 7 == 2 ? "{min: 2, max: 6}" : 1 + i % 9, 1 + i % 8, 8, 64
        if (i % 11 == 3)
            printf ", anti_affinity: [{jobs: {app: l%d}, within: node}]", i % 6
        if (i % 13 == 5)
            printf ", spread: {over: rack, max_skew: 1}"
        if (i % 13 == 6)
            printf ", spread: {over: node, mode: preferred}"
        if (i % 7 == 3)
            printf ", prefer: [{nodes: {rack: r2}, weight: 10}]"
        if (i % 11 == 5)
            printf ", affinity: [{jobs: {app: l%d}, within: node, weight: 9}]", (i + 1) % 6
        if (i % 17 == 4)
            printf ", max_wait: 20m"
        if (i % 19 == 7)
            printf ", quotas: q"
        printf ", account: %s, qos: %s", i % 5 < 2 ? "x" : "y", \
            i % 4 == 2 ? "q" : i % 6 ? "slow" : "fast"
        if (i % 9 == 2)
            printf ", partition: head, nice: %d", i
        if (i % 5 == 2)
            printf ", tolerations: [zone]"
        print "}"
    }
}' >"$tmp/mixed.yaml"
sed 's/"n\[001-016\]", \(.*\)"r\[1-2\]"}/"n[001-008]", \1r1, taints: ["old:PreferNoSchedule"], load: {cpu: 30%}}\
  - {name: "n[009-015]", \1r2}\
  - {name: n016, type: large, spine: s1, rack: r2, taints: ["zone=z:NoSchedule"]}/
s/^nodes:/  large: {gpus: 8, model: H100-80GB, cpu: 128, memory: 3TiB, rdma: 8}\
&/' topology/samples/two-racks.yaml >"$tmp/two-racks.yaml"

profile () {                    # profile NAME ENTRY: a profile with the module
    case $1 in
    fifo) set -- "$2" gang fit ;;
    gang) set -- fifo "$2" fit ;;
    fit) set -- fifo gang "$2" ;;
    priority) set -- "$2" gang fit ;;
    drf) set -- "$2" gang fit ;;
    queue) set -- fifo gang fit "$2" ;;
    overcommit) set -- fifo gang fit queue "$2: {factor: 1}" ;;
    budgets) set -- priority gang fit "$2: {mode: forbid}" ;;
    exempt) set -- priority gang fit "$2: {users: 'u1,u2'}" ;;
    limits) set -- fifo gang fit "$2" ;;
    preemption) set -- priority gang fit "$2: {search: order, delay: 10m}" ;;
    min-runtime) set -- priority gang fit "$2: {time: 10m}" ;;
    consolidate) set -- fifo gang fit "$2: {tier: rack}" ;;
    scarce) set -- fifo gang fit "$2: {keep_cpu: {gpu: 8}}" ;;
    node-size) set -- fifo gang fit "$2: {mode: most}" ;;
    gpu-sharing) set -- fifo gang fit "$2: {mode: spread}" ;;
    multifactor) set -- "$2: {age: 100, qos: 50, job_size: 1000}" gang fit ;;
    fairshare) set -- "$2" gang fit ;;
    elastic) set -- "$2" fifo gang fit ;;
    full-domains) set -- fifo gang fit topology "$2" ;;
    limit-victims) set -- fifo gang fit "$2: {delay: 10m}" ;;
    moves) set -- priority gang fit "$2: {price: 10h}" ;;
    rebalance) set -- fifo gang fit \
        "$2: {low: {cpu: 10, memory: 10}, high: {cpu: 20, memory: 20}}" ;;
    load) set -- fifo gang fit "$2: {limits: {cpu: 50}}" ;;
    balanced) set -- fifo gang fit least-allocated "$2: {weight: 3}" ;;
    *) set -- fifo gang fit "$2" ;;
    esac
    echo 'name: p'
    echo 'actions: [enqueue, allocate, backfill, preempt, reclaim, shuffle, gang-preempt, gang-reclaim, consolidate]'
    echo 'unit: gang'
    echo 'modules:'
    printf '  - %s\n' "$@"
}

replay () {                     # replay FILE: its rows but what names modules
    rm -f "$tmp/m.db"*
    "$gsim" replay "$tmp/mixed.yaml" --policy "$1" --run mixed \
        --db "$tmp/m.db" --events >/dev/null 2>"$errs" &&
        "$gsim" replay traces/samples/philly.csv.gz --limit 800 \
            --topology topology/samples/two-racks.yaml --policy "$1" \
            --run philly --db "$tmp/m.db" --events >/dev/null 2>"$errs" &&
        sqlite3 "$tmp/m.db" "SELECT policy, profile FROM runs" >"$tmp/profiles" &&
        sqlite3 "$tmp/m.db" "UPDATE runs SET policy = '', profile = ''" .dump
}

same_rows () {                  # same_rows NAME
    profile "$1" "$1" >"$tmp/in.yaml"
    profile "$1" "$objects/$1.so" >"$tmp/out.yaml"
    replay "$tmp/in.yaml" >"$tmp/in.sql" &&
        replay "$tmp/out.yaml" >"$tmp/out.sql" &&
        grep -qF "/$1.so" "$tmp/profiles" &&
        [ "$(grep -c '^INSERT INTO job_rows' "$tmp/in.sql")" -eq 1041 ] &&
        cmp -s "$tmp/in.sql" "$tmp/out.sql"
}

ok 'make modules-so' this_make modules-so
"$gsim" policies | sed -n '/^Modules/,$s/^  \([a-z][a-z-]*\)\( .*\)*$/\1/p' >"$tmp/all"
is 'every module is there as a shared object' \
    "$(for m in "$objects"/*.so; do basename "$m" .so; done | sort)" \
    "$(sort "$tmp/all")"
while read -r m; do
    ok "$m: the same rows" same_rows "$m"
    cksum <"$tmp/in.sql" >>"$tmp/sums"
done <"$tmp/all"
# fifo, gang and fit are tried in one and the same profile; full-domains orders
# as topology does where a tier has one domain of the next
is 'which are different rows for different modules' \
    "$(sort -u "$tmp/sums" | wc -l)" $(($(wc -l <"$tmp/all") - 3))

# --- the example, as a user builds and uses it ---------------------------------

ok 'make install' this_make install PREFIX="$tmp/usr"
ok 'the header is installed'   test -f "$tmp/usr/include/gsim/policy.h"
ok 'and the library'           test -f "$tmp/usr/lib/libgsched.a"
mkdir "$tmp/my"
cp policies/example/snug.c policies/example/Makefile "$tmp/my"
my_make () { (cd "$tmp/my" && env -u MAKEFLAGS -u MFLAGS make "$@"); }
ok 'the example builds with that alone' exits 0 my_make PREFIX="$tmp/usr" \
    CFLAGS='-Wall -Wextra -Wpedantic -Werror'
cd "$tmp" || exit 1
cp "$root/topology/samples/fragmentation.yaml" "$tmp/t.yaml"
small=$root/$small

ok 'policies tells what it is' exits 0 "$gsim" policies my/snug.so
is 'as of the others' "$(cat "$out")" \
'  snug             nodes on which the task leaves the fewest GPUs free
                     weight: 1
                       factor of the score'
ok 'and what a list stands for' exits 0 "$gsim" policies fifo,my/snug.so+gang
ok 'with path and name'        prints '  - my/snug.so: {weight: 1} # snug'
"$gsim" policies fifo,gang,./my/snug.so >"$tmp/printed.yaml"
ok 'what is printed reads back' exits 0 "$gsim" policies ./printed.yaml
ok 'as the same'               cmp -s "$tmp/printed.yaml" "$out"

ok 'alone and in a list' exits 0 "$gsim" replay "$small" --db s.db \
    --policy my/snug.so --policy fifo,gang,./my/snug.so --set snug.weight=7
ok 'beside a preset' exits 0 "$gsim" replay "$small" --db s.db \
    --policy spread --policy gang+my/snug.so
is 'with what the command line says of it' "$(sqlite3 s.db \
    "SELECT name, policy, instr(profile, 'my/snug.so: {weight: 7} # snug') > 0
     FROM runs WHERE id < 3" | tr '\n' ' ')" \
    'snug.so|my/snug.so|1 fifo,gang,snug.so|fifo,gang,./my/snug.so|1 '
is 'it packs'                  "$(sqlite3 s.db \
    "SELECT run, wait FROM v_jobs WHERE name = 'big' AND run != 'snug.so'
     ORDER BY run" | tr '\n' ' ')" \
    'fifo,gang,snug.so|0.0 gang+snug.so|0.0 spread|7140.0 '
is 'alone it has the defaults of a list of one' \
    "$(sqlite3 s.db "SELECT profile FROM runs WHERE id = 1" | head -n 6)" \
    "$("$gsim" policies fifo | sed 's/^head: .*/head: skip/; s/^name: .*/name: snug.so/
        s/^unit: .*/unit: pod/; s/^requeue: .*/requeue: last/
        s/^actions: .*/actions: [enqueue, allocate]/' | head -n 6)"
ok 'a parameter that it has not' exits 2 "$gsim" replay "$small" \
    --policy my/snug.so --set snug.wieght=7
ok 'names the nearest'         says "did you mean 'weight'?"
ok 'a value that it refuses'   exits 3 "$gsim" replay "$small" \
    --policy my/snug.so --set snug.weight=-7
ok 'is said'                   says "'weight' must be a whole number from 0"

mkdir 'my/a b'
cp my/snug.so "my/a b/it's.so"
cp my/snug.so "my/a,b.so"
cat >my/p.yaml <<'YAML'
actions: [allocate]
unit: gang
modules:
  - gang
  - ./snug.so: {weight: 3}
YAML
ok 'in a profile file, from its folder' exits 0 "$gsim" policies my/p.yaml
ok 'as written'                prints '  - ./snug.so: {weight: 3} # snug'
ok 'validate looks at it, too' exits 0 "$gsim" validate my/p.yaml
ok 'and at a module itself'    exits 0 "$gsim" validate my/snug.so
ok 'that it names so'          prints 'my/snug.so: ok (module)'
sed "s|./snug.so|$tmp/my/snug.so|" my/p.yaml >abs.yaml
ok 'an absolute path'          exits 0 "$gsim" policies ./abs.yaml
sed "s|./snug.so|\"a,b.so\"|" my/p.yaml >my/comma.yaml
ok 'a comma in a file'         exits 0 "$gsim" policies my/comma.yaml
ok 'not on the command line'   exits 2 "$gsim" policies 'my/a,b.so'
ok 'blanks and quotes'         exits 0 "$gsim" policies "gang,my/a b/it's.so"
ok 'as they are'               prints "\"my/a b/it's.so\": {weight: 1} # snug"
cp my/snug.so here.so
ok 'here, without a slash'     exits 0 "$gsim" policies here.so
ok 'in a list, too'            exits 0 "$gsim" policies gang,here.so

# --- refusals ------------------------------------------------------------------

# refused FILE TEXT: one line of error, nothing printed, no database
refused () {
    exits 3 "$gsim" policies "$1" && says "$2" &&
        [ "$(wc -l <"$errs")" -eq 1 ] && [ ! -s "$out" ] &&
        [ "$(LC_ALL=C tr -d '\n' <"$errs" | LC_ALL=C grep -c '[[:cntrl:]]')" -eq 0 ] &&
        exits 3 "$gsim" replay "$small" --policy "gang,$1" --db no.db &&
        says "$2" && [ ! -e no.db ]
}

# built NAME: the shared object of the C on standard input
built () {
    { echo '#include "policy.h"'; cat; } >"$1.c"
    "$cc" -std=c11 -fPIC -shared -I"$root/policies" -o "$1.so" "$1.c" \
        >"$tmp/log" 2>&1 || sed 's/^/# cc: /' "$tmp/log"
}

# module NAME FIELDS [BEFORE]: one that is right but for what FIELDS say
module () {
    built "$1" <<C
static uint64_t pick(void *self, uint64_t n) { (void)self; return n - 1; }
static int start(const struct gsp_host *host, void *ctx,
                 const union gsp_value *value, void **self)
{ (void)value; *self = 0; return host->fail(ctx, "is never in the", "mood"); }
extern int (*const keep)(const struct gsp_host *, void *,
                         const union gsp_value *, void **);
int (*const keep)(const struct gsp_host *, void *, const union gsp_value *,
                  void **) = start;
${3-}
const struct gsp_module gsp_module = {
    GSP_ABI, .name = "mine", .summary = "a test", .pick = pick, $2
};
C
}

# bad NAME FIELDS TEXT [BEFORE]: such a module is refused
bad () {
    module "$1" "$2" "${4-}"
    ok "refused: $1" refused "./$1.so" "'./$1.so'$3"
}

# param NAME ENTRY TEXT [BEFORE]: one whose only parameter is refused
param () {
    bad "$1" '.open = start, .param = p, .param_count = sizeof(p) / sizeof(p[0])' \
        "$3" "${4-}
static const struct gsp_param p[] = { $2 };"
}

ok 'none is there'             refused ./none.so "'./none.so': cannot open: No such file"
mkdir folder.so
ok 'a folder'                  refused ./folder.so "'./folder.so' is not a file"
mkfifo pipe.so
ok 'a pipe'                    refused ./pipe.so "'./pipe.so' is not a file"
echo 'int main(void) { return 0; }' >text.so
ok 'a text'                    refused ./text.so "'./text.so' is no module: "
: >empty.so
ok 'an empty file'             refused ./empty.so "'./empty.so' is no module: "
cp "$gsim" program.so
ok 'a program'                 refused ./program.so "'./program.so' is no module: "
cut=0
for size in 10 63 64 100 600 1000 4096 8192 12288; do
    head -c $size my/snug.so >cut.so
    refused ./cut.so "'./cut.so' is " || cut=$((cut + 1))
done
is 'cut short, anywhere' $cut 0

built lib <<C
int nothing(void);
int nothing(void) { return 0; }
C
ok 'a library'                 refused ./lib.so "is no module: it exports no 'gsp_module'"
built needs <<C
int nowhere(void);
int gsp_nothing(void);
int gsp_nothing(void) { return nowhere(); }
C
ok 'what cannot be linked'     refused ./needs.so "is no module: undefined symbol: nowhere"
for kind in 'int gsp_module(void); int gsp_module(void) { return 0; }' \
    'extern short gsp_module; short gsp_module = 1;' \
    'extern _Thread_local long gsp_module[99]; _Thread_local long gsp_module[99];'; do
    echo "$kind" >kind.c
    "$cc" -fPIC -shared -o kind.so kind.c
    ok "another ${kind%% gsp*}" refused ./kind.so \
        "its 'gsp_module' is not a struct gsp_module"
done
abi() { sed -n "s/^#define GSP_ABI_$1 \([0-9]*\).*/\1/p" "$root/policies/policy.h"; }
major=$(abi MAJOR)
minor=$(abi MINOR)
echo "extern unsigned gsp_module[2]; unsigned gsp_module[2] = { $major, 4096 };" >kind.c
"$cc" -fPIC -shared -o kind.so kind.c
ok 'one that is too short'     refused ./kind.so 'its struct gsp_module has 4096 bytes, ABI'
size=$(echo '#include "policy.h"
enum { SIZE = sizeof(struct gsp_module) }; char a[SIZE]; int main(void) { return SIZE != sizeof(a); }' |
    "$cc" -I"$root/policies" -x c - -o size.out && ./size.out && nm -S size.out |
    sed -n 's/^[0-9a-f]* 0*\([0-9a-f]*\) [A-Z] a$/0x\1/p')
echo "extern unsigned gsp_module[2]; unsigned gsp_module[2] = { $major, $size };" >kind.c
"$cc" -fPIC -shared -o kind.so kind.c
ok 'one that lies about it'    refused ./kind.so 'bytes, but it has 8'
echo "extern unsigned gsp_module[999]; unsigned gsp_module[999] = { $major, $size, 1, 1, 1, 1, 1, 1, 1 };" >kind.c
"$cc" -fPIC -shared -o kind.so kind.c
ok 'one of rubbish'            refused ./kind.so "'./kind.so': its name must be"

bad major '.abi_major = 7' " is built for ABI 7.$minor, this program has $major.$minor"
bad old '.abi_major = 0, .abi_minor = 9' " is built for ABI 0.9, this program has $major.$minor"
bad minor ".abi_minor = $((minor + 1))" " needs ABI $major.$((minor + 1)), this program has $major.$minor: it is too old"
bad size '.size = sizeof(struct gsp_module) - 8' ' says that its struct gsp_module has '
bad no-name '.name = 0' ": its name must be a letter"
bad empty-name '.name = ""' ": its name must be"
bad evil-name '.name = "evil\033[31m\n"' ": its name must be"
bad loud-name '.name = "Mine"' ": its name must be a letter, then letters, digits, '-' or '_', all lower case, at most 31 (got 'Mine')"
bad yaml-name '.name = "a: {b"' ": its name must be"
bad long-name '.name = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"' \
    ": its name must be"
bad wild-name '.name = (const char *)16' ": its name must be"
bad no-summary '.summary = 0' ' must have a summary: a line of text'
bad two-lines '.summary = "one\ntwo"' ' must have a summary'
bad no-utf8 '.summary = "\377\376"' ' must have a summary'
bad idle '.pick = 0, .open = start' ' has no extension point: it would do nothing'
bad wild '.pick = (uint64_t (*)(void *, uint64_t))16' ' is no module: a function of its struct gsp_module is nowhere'
bad no-table '.open = start, .param_count = 2' ' says it has 2 parameters, but has no table'
bad many '.open = start, .param = p, .param_count = 25' ' has 25 parameters, more than 24' \
    'static const struct gsp_param p[25];'

param p-name '{ "A", GSP_WHOLE, "1", 0, 9, "x", 0 }' ": a parameter's name must be"
param p-null '{ 0 }' ": a parameter's name must be"
param p-twice '{ "a", GSP_WHOLE, "1", 0, 9, "x", 0 }, { "a", GSP_WHOLE, "1", 0, 9, "x", 0 }' \
    " has two parameters 'a'"
param p-type '{ "a", (enum gsp_param_type)77, "1", 0, 9, "x", 0 }' \
    ": parameter 'a' has the unknown type 77"
param p-negative '{ "a", (enum gsp_param_type)-1, "1", 0, 9, "x", 0 }' \
    ": parameter 'a' has the unknown type"
param p-default '{ "a", GSP_WHOLE, 0, 0, 9, "x", 0 }' \
    ": parameter 'a' must have a default and a summary"
param p-summary '{ "a", GSP_WHOLE, "1", 0, 9, 0, 0 }' \
    ": parameter 'a' must have a default and a summary"
param p-range '{ "a", GSP_WHOLE, "1", 9, 0, "x", 0 }' ": parameter 'a' must have min <= max"
for d in '10' 'many' '[1]' '' '1, b: 2' '1}' '1 # one' '&x 1, *x'; do
    param p-fallback "{ \"a\", GSP_WHOLE, \"$d\", 0, 9, \"x\", 0 }" ": parameter 'a' "
done
param p-time '{ "a", GSP_TIME, "soon", 0, 9, "x", 0 }' ": parameter 'a' has a default that it would refuse ('soon')"
param p-yesno '{ "a", GSP_YESNO, "7", 0, 1, "x", 0 }' ": parameter 'a' has a default that it would refuse ('7')"
param p-real '{ "a", GSP_REAL, "nan", 0, 1, "x", 0 }' ": parameter 'a' has a default that it would refuse ('nan')"
param p-weights '{ "a", GSP_WEIGHTS, "3", 0, 1, "x", 0 }' ": parameter 'a' has a default that it would refuse ('3')"
param p-choices '{ "a", GSP_CHOICE, "b", 0, 0, "x", 0 }' ": parameter 'a' must have 1 to 31 choices"
param p-endless '{ "a", GSP_CHOICE, "b", 0, 0, "x", c }' ": parameter 'a' must have 1 to 31 choices" \
    'static const char *const c[] = { "b", (const char *)1 };'
param p-choice '{ "a", GSP_CHOICE, "d", 0, 0, "x", c }' ": parameter 'a' has a default that it would refuse ('d')" \
    'static const char *const c[] = { "b", 0 };'

# --- clashes -------------------------------------------------------------------

module mine ''
module also ''
ok 'two of one name' exits 3 "$gsim" policies ./mine.so,./also.so
ok 'are said'        says "gsim: module 'mine' is listed twice: as './mine.so' and as './also.so'"
module fifo '.name = "fifo"'
ok 'one that is called as a built-in one takes its place' \
    exits 0 "$gsim" policies gang,./fifo.so
ok 'and shows it'    prints '  - ./fifo.so # fifo'
ok 'not beside it'   exits 3 "$gsim" policies fifo,gang,./fifo.so
ok 'which is said'   says "module 'fifo' is listed twice: as 'fifo' and as './fifo.so'"
ok 'the other way, too' exits 3 "$gsim" policies ./fifo.so,fifo
ok 'which is said'   says "module 'fifo' is listed twice: as './fifo.so' and as 'fifo'"
printf 'actions: [allocate]\nmodules:\n  - ./mine.so\n  - ./major.so\n' >bad.yaml
ok 'in a file'       exits 3 "$gsim" policies ./bad.yaml
ok 'with its line'   says "bad.yaml:4:5: '././major.so' is built for ABI 7.$minor"
ok 'a path that ends otherwise is a profile' exits 3 "$gsim" policies ./mine
ok 'which is missing' says './mine: cannot open'
ok 'a hostile path'  exits 2 "$gsim" policies "$(printf 'gang,a\033[31m\n.so')"
is 'is harmless'     "$(tr -d '\n' <"$errs" | LC_ALL=C grep -c '[[:cntrl:]]')" 0

# --- the bounds, and answers beyond them ----------------------------------------

i=0
# fit comes last; retry goes not with passes
grep -vxE 'fit|retry' "$tmp/all" | sed 's/^/  - /' >list
while [ $(($(wc -l <list))) -lt 65 ]; do
    i=$((i + 1))
    module m$i ".name = \"m$i\""
    echo "  - ./m$i.so" >>list
done
profile_of () { echo 'actions: [allocate]'; echo 'modules:'; head -n "$1" list; }
profile_of 64 >most.yaml
ok 'as many as there may be, and fit'  exits 0 "$gsim" replay mixed.yaml \
    --policy ./most.yaml --db most.db
profile_of 65 >more.yaml
ok 'one more'        exits 3 "$gsim" policies ./more.yaml
ok 'is too many'     says "more.yaml:67:5: too many modules at './m"

module last '.pick = beyond' \
    'static uint64_t beyond(void *s, uint64_t n) { (void)s; return n + 7; }'
module hasty '.hold_time = never' \
    'static gsp_time never(void *s) { (void)s; return 0; }'
module nowhere '.subtree = none' 'static bool none(void *s, const struct gsp_job *j,
    struct gsp_subtree *out) { (void)s; (void)j;
    *out = (struct gsp_subtree){ GSP_NONE, GSP_NONE, GSP_FIRST }; return true; }'
module refusing '.refuses = all' 'static uint32_t all(void *s,
    const struct gsp_job *j, uint32_t group, uint32_t node)
    { (void)s; (void)j; (void)group; (void)node; return GSP_NONE; }'
for m in last hasty nowhere refusing; do
    ok "$m: no answer does harm" exits 0 timeout 60 "$gsim" replay mixed.yaml \
        --policy "priority,./$m.so" --policy "gang,./$m.so" --db $m.db
done

module wavering '.victims = turns' 'static bool turns(void *s, enum gsp_why why,
    const struct gsp_job *j, const struct gsp_victims *v, uint8_t *spared)
    { static unsigned n; (void)s; (void)why; (void)j; (void)v;
    spared[0] = n++ & 1; return true; }'
printf 'actions: [allocate, reclaim]\nmodules: [queue, ./wavering.so]\n' >waver.yaml
module loud '.score = most' 'static void most(void *s, const struct gsp_view *v,
    const struct gsp_task *t, int64_t *score) { (void)s; (void)v; (void)t;
    score[0] = score[0] < 0 ? INT64_MIN : INT64_MAX; }'
ok 'victims that differ from call to call' exits 0 timeout 60 "$gsim" replay \
    "$root/traces/samples/reclaim.yaml" --policy ./waver.yaml --no-db
ok 'scores beyond the bounds' exits 0 timeout 60 "$gsim" replay mixed.yaml \
    --policy ./loud.so,binpack --policy "binpack,./loud.so" --no-db

module moody '.open = start'
ok 'one that does not start' exits 3 "$gsim" replay "$small" --policy ./moody.so --db no.db
ok 'says why'        says "module 'mine': is never in the 'mood'"
ok 'and leaves nothing' test ! -e no.db
done_testing
