#!/bin/sh
# What is stated without effect is told once, before the first run, and stored.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

cat >"$tmp/top.yaml" <<'YAML'
tiers: [{name: rack}, {name: node}]
node_types: {t: {gpus: 8}}
nodes: [{name: "n[1-2]", type: t, rack: r1}]
YAML
cat >"$tmp/inside.yaml" <<'YAML'
tiers: [{name: rack}, {name: node}, {name: socket}, {name: core}]
node_types: {t: {gpus: 8, numa: 2}}
nodes: [{name: "n[1-2]", type: t, rack: r1}]
YAML
cat >"$tmp/t.yaml" <<'YAML'
queues: [{name: a, limit: {gpu: 4}}, {name: b}]
jobs:
  - {submit: 0, duration: 1h, gpus: 1, queue: a}
  - {submit: 0, duration: 1h, gpus: 1, queue: b, estimate: 2h}
YAML
cat >"$tmp/exact.yaml" <<'YAML'
jobs: [{submit: 0, duration: 1h, gpus: 1}]
YAML
cat >"$tmp/dots.yaml" <<'YAML'
jobs:
  - {submit: 0, duration: 1h, gpus: 1, queue: root.a}
  - {submit: 0, duration: 1h, gpus: 1, queue: root.b.c}
YAML
run () { exits 0 "$gsim" replay "$@" --topology "$tmp/top.yaml" --db "$tmp/r.db"; }
# t.yaml states an estimate so that none is missed; of that below
notes () { grep '^gsim: note: ' "$errs" | grep -vc "^gsim: note: 'estimate' of jobs"; }

limit="note: 'limit' of queues has no effect under"
ok 'a limit under fifo'       run "$tmp/t.yaml" --policy fifo --run a
ok 'is told'                  says "$limit fifo: nothing there reads it (1 queue states it: 'a', $tmp/t.yaml:1)"
ok 'and what would read it'   says "); modules that do: queue, over-quota"
is 'and nothing else' "$(notes)" 1
for p in binpack spread kube-default consolidated drf easy conservative topology \
    priority-preempt hybrid random fgd best-fit; do
    ok "under $p"             run "$tmp/t.yaml" --policy $p --run "p-$p"
    ok 'too'                  says "$limit $p"
done
for p in volcano volcano-default policies/samples/reclaim.yaml fifo,queue; do
    ok "not under $p"         run "$tmp/t.yaml" --policy "$p" --run "q-$p"
    is 'which reads it' "$(notes)" 0
done
ok 'several policies'         run "$tmp/t.yaml" --policy fifo --policy volcano --policy drf --run m
ok 'are told of in one line'  says "$limit fifo, drf:"
is 'one' "$(notes)" 1
ok 'seeds'                    run "$tmp/t.yaml" --policy random --seeds 3
is 'once' "$(notes)" 1
is 'each run has its own' "$(sqlite3 "$tmp/r.db" "SELECT count(*) FROM runs, \
json_each(notes) WHERE name LIKE 'm-%' AND json_each.value LIKE '%''limit''%'")" 2
ok '--quiet'                  run "$tmp/t.yaml" --policy fifo --quiet --run quiet
is 'says nothing' "$(wc -c <"$errs" | tr -d ' ')" 0
# --- lines, validate, the page, sweeps

cat >"$tmp/lines.yaml" <<'YAML'
jobs:
  - {submit: 0, duration: 1h, gpus: 1, queue: a, estimate: 2h}
  - submit: 0
    duration: 1h
    gpus: 1
    queue: b
    priority: hi
    topology: {within: rack}
priority_classes:
  lo: {value: 1}
  hi: {value: 5, preemption: never}
queues:
  - name: a
  - name: b
    limit: {gpu: 4}
YAML
printf 'submit,duration,gpus,queue,priority,estimate\n0,1h,1,a,,2h\n0,1h,1,a,7,1h\n' \
    >"$tmp/lines.csv"
check () {
    want=$1
    shift
    exits "$want" "$gsim" validate "$tmp/lines.yaml" --topology "$tmp/top.yaml" "$@"
}
ok 'validate under a policy'  check 0 --policy=fifo --policy=volcano --policy=drf --policy=topology
ok 'tells the line of a queue' says "under fifo, drf, topology: nothing there reads it (1 queue states it: 'b', $tmp/lines.yaml:14)"
ok 'of a class'               says "(1 job states it: 'job-2', $tmp/lines.yaml:11)"
ok 'of a job'                 says "fifo, volcano, drf: nothing there reads it (1 job states it: 'job-2', $tmp/lines.yaml:3)"
cp "$errs" "$tmp/validated"
ok 'as a replay does'         run "$tmp/lines.yaml" --policy fifo --policy volcano --policy drf \
    --policy topology --run l
ok 'word for word'            cmp -s "$errs" "$tmp/validated"
ok 'what --set says'          check 0 --policy fifo --set queues.b.limit.gpu=3
ok 'stands on no line'        says "(1 queue states it: 'b')"
ok 'quietly'                  check 0 --policy fifo --policy drf -q
is 'nothing' "$(cat "$errs" "$out")" ''
ok 'jobs that --set leaves no node for' check 3 --policy fifo --set nodes.t=0
ok 'a parameter'              check 3 --policy binpack --set gang.timeout=x
ok 'a profile that is wrong'  check 2 --policy nope --policy fifo
ok '--set without a policy'   exits 2 "$gsim" validate "$tmp/lines.yaml" --set load=2
ok 'no trace'                 exits 2 "$gsim" validate "$tmp/top.yaml" --policy fifo
ok 'is told'                  says "'--policy' is for traces"
ok 'no topology'              exits 2 "$gsim" validate "$tmp/lines.yaml" --policy fifo
ok 'is told'                  says 'names no topology'
ok 'of CSV'                   exits 0 "$gsim" validate "$tmp/lines.csv" --topology "$tmp/top.yaml" \
    --policy fifo
ok 'the line, too'            says "(1 job states it: 'job-2', $tmp/lines.csv:3)"

ok 'the page'                 exits 0 "$gsim" report "$tmp/r.db" --run l-fifo --run l-drf \
    -o "$tmp/notes.html"
ok 'has them'                 grep -q "of queues has no effect under fifo: nothing" "$tmp/notes.html"
is 'each once' "$(grep -o 'of queues has no effect under drf' "$tmp/notes.html" | wc -l)" 1

cp "$tmp/t.yaml" "$tmp/t2.yaml"
printf 'traces: [t.yaml, t2.yaml]\ntopologies: [top.yaml, inside.yaml]\npolicies: fifo\n' \
    >"$tmp/two.yaml"
ok 'a sweep of two traces'    exits 0 "$gsim" sweep "$tmp/two.yaml" --db "$tmp/two.db"
is 'tells each once' "$(grep -c "'limit' of queues" "$errs")" 2
ok 'by its name'              says "note: $tmp/t2.yaml: 'limit' of queues has no effect under fifo"
ok 'quietly'                  exits 0 "$gsim" sweep "$tmp/two.yaml" --db "$tmp/two-q.db" --quiet
is 'it tells nothing' "$(cat "$errs" "$out")" ''

ok '--strict' exits 3 "$gsim" replay "$tmp/t.yaml" --topology "$tmp/top.yaml" \
    --policy fifo --strict --db "$tmp/s.db"
ok 'refuses it'               says "t.yaml: 'limit' of queues has no effect under fifo"
sed 's/, estimate: 2h//' "$tmp/t.yaml" >"$tmp/strict.yaml"
ok '--strict of what is read' run "$tmp/strict.yaml" --policy volcano --strict --run strict

ok 'whatif'  exits 0 "$gsim" whatif "$tmp/exact.yaml" --topology "$tmp/top.yaml" \
    --vary queues.default.limit.gpu=1..2 --policy hybrid
ok 'of what nothing reads'    says "'queues.default.limit.gpu' has no effect under hybrid"
ok 'whatif'  exits 0 "$gsim" whatif "$tmp/exact.yaml" --topology "$tmp/top.yaml" \
    --vary queues.default.limit.gpu=1..2 --policy volcano
is 'of what is read' "$(notes)" 0

ok 'another policy' exits 0 "$gsim" whatif "$tmp/t.yaml" --topology "$tmp/top.yaml" \
    --policy volcano --set policy=fifo
ok 'is the one told of'       says "$limit fifo"

printf 'traces: t.yaml\ntopologies: top.yaml\npolicies: [fifo, volcano]\nseeds: 1..3\n' \
    >"$tmp/sweep.yaml"
ok 'a sweep' exits 0 "$gsim" sweep "$tmp/sweep.yaml" --db "$tmp/sweep.db"
is 'tells it once' "$(grep -c "$limit fifo" "$errs")" 1

# --- estimates --------------------------------------------------------------------

ok 'exact estimates'          run "$tmp/exact.yaml" --policy easy --policy fifo --run e
ok 'are told of'              says "no job has an 'estimate' other than its duration: easy knows"
ok 'not where nothing reads'  run "$tmp/exact.yaml" --policy binpack --run e2
is 'them' "$(notes)" 0
ok 'nor where some differ'    run "$tmp/t.yaml" --policy easy --run e3
is 'from durations' "$(notes)" 1
ok 'nor with --estimates'     run "$tmp/exact.yaml" --policy easy --estimates factor:3 --run e4
is 'given' "$(notes)" 0
is 'which is stored' "$(sqlite3 "$tmp/r.db" "SELECT options ->> 'estimates' FROM runs \
WHERE name = 'e4'")" factor:3
ok 'a wrong one' exits 2 "$gsim" replay "$tmp/exact.yaml" --topology "$tmp/top.yaml" \
    --estimates twice
ok 'says which there are'     says 'estimates must be exact, factor:X, uniform:A..B or classes'
ok 'as a change' exits 0 "$gsim" whatif traces/samples/tiny.swf \
    --topology topology/samples/one-node.yaml --policy easy --vary estimates=exact,factor:9

ok 'estimates under binpack'  run "$tmp/t.yaml" --policy binpack --policy easy --run e5
ok 'have no effect'           says "'estimate' of jobs has no effect under binpack: nothing there reads it (1 job states it: 'job-2', $tmp/t.yaml:4)"

# --- modules, weights, classes --------------------------------------------------------

printf 'actions: [allocate]\nunit: gang\nmodules: [fifo, gang, overcommit, binpack: {weight: 7}]\n' \
    >"$tmp/idle.yaml"
ok 'parts of a policy'        exits 0 "$gsim" validate "$tmp/t.yaml" --topology "$tmp/top.yaml" \
    --policy "$tmp/idle.yaml"
ok 'that no action asks'      says "note: module 'overcommit' has no effect under idle.yaml: it is asked by actions that the policy lacks (enqueue)"
ok 'and weights of nothing'   says "note: 'weight' of module 'binpack' has no effect under idle.yaml: no other module scores nodes"
ok 'of a preset'              run "$tmp/exact.yaml" --policy binpack --set binpack.weight=3 --run w
ok 'too'                      says "'weight' of module 'binpack' has no effect under binpack: no other"
ok 'but its own'              run "$tmp/exact.yaml" --policy binpack --run w2
is 'not' "$(notes)" 0
printf 'priority_classes: {hi: {value: 5}}\njobs:\n- {submit: 0, duration: 1h, gpus: 1}\n%s\n' \
    '- {submit: 0, duration: 1h, gpus: 1, priority: hi, communication: 0.2}' >"$tmp/hi.yaml"
ok 'classes that evict none'  run "$tmp/hi.yaml" --policy volcano --policy priority-preempt --run hi
ok 'are told of'              says "jobs of higher priority evict no others under volcano: the policy has no action preempt (1 priority class states it: 'hi', $tmp/hi.yaml:1)"
ok 'communication'            says "'communication' or 'gradient' of jobs has no effect without --speed (1 job states it: 'job-2', $tmp/hi.yaml:4)"

for label in pool=blue '!pool' pool=red; do
    printf 'actions: [allocate]\nunit: gang\nmodules: [over-quota, gang, binpack]\nshares_of: "%s"\n' \
        "$label" >"$tmp/pool.yaml"
    sed 's/rack: r1/rack: r1, labels: {pool: red}/' "$tmp/top.yaml" >"$tmp/pools.yaml"
    exits 0 "$gsim" validate "$tmp/exact.yaml" --topology "$tmp/pools.yaml" \
        --policy "$tmp/pool.yaml"
    cp "$errs" "$tmp/pool-$label"
done
ok 'nodes to share that are not' grep -qF "note: $tmp/pool.yaml:4:12: 'shares_of' leaves queues nothing to share under pool.yaml: no node is of label 'pool=blue'" "$tmp/pool-pool=blue"
ok 'nor without a label'         grep -qF "no node is without label 'pool'" "$tmp/pool-!pool"
is 'but where there are some' "$(grep -c shares_of "$tmp/pool-pool=red")" 0

# --- resources ---------------------------------------------------------------------
sed 's/gpu: 4/gpu: 4, licence: 2/' "$tmp/t.yaml" >"$tmp/licence.yaml"
ok 'a resource that nothing has' run "$tmp/licence.yaml" --policy volcano --run nothing
ok 'is told of'               says "resource 'licence' has no effect: no node has it, and no job asks for it (1 queue states it: 'a', $tmp/licence.yaml:1)"
sed 's/gpus: 8/&, resources: {licence: 1}/' "$tmp/top.yaml" >"$tmp/licences.yaml"
ok 'one that nodes have' exits 0 "$gsim" replay "$tmp/licence.yaml" --policy volcano \
    --topology "$tmp/licences.yaml" --db "$tmp/r.db" --run has
is 'is not' "$(notes)" 0

# --- queues and tiers ---------------------------------------------------------------

ok 'names with dots'          run "$tmp/dots.yaml" --policy binpack --run d
ok 'are told of'              says "queues 'root.a' and 'root.b.c' are not parts of one tree"
ok 'tiers below the node' exits 0 "$gsim" replay "$tmp/exact.yaml" --policy binpack \
    --topology "$tmp/inside.yaml" --db "$tmp/r.db" --run tiers
ok 'are told of'              says "inside.yaml:1:37: tier 'socket' has no effect"
ok 'and numa'                 says "inside.yaml:2:27: 'numa' of node type 't' has no effect"

# --- times ------------------------------------------------------------------------
printf 'jobs: [{submit: 1763683200, duration: 1h, gpus: 1}]\n' >"$tmp/unix.yaml"
ok 'nothing up to --until'    run "$tmp/unix.yaml" --policy fifo --until 2h --run unix
ok 'is told'                  says 'up to --until 2h: the first one is at 2025-11-21 00:00:00'
is 'once' "$(notes)" 1
ok 'no job too late'          run "$tmp/unix.yaml" --policy fifo --run unix2
is 'no note' "$(notes)" 0
for w in '--from 2000000000' '--to 5' '--warmup 2h'; do
    # shellcheck disable=SC2086
    ok "a window without jobs, $w" run "$tmp/unix.yaml" --policy fifo --replace --run w $w
    ok 'is told'              says 'no job is submitted in the window of the metrics, from '
    is 'once' "$(notes)" 1
done
ok 'several policies'         run "$tmp/exact.yaml" --policy easy --policy hybrid --run two
ok 'know'                     says 'easy, hybrid know when jobs end'

done_testing
