#!/bin/sh
# The samples about fairness, preemption and topology, as their heads tell.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/s.db
sql () { sqlite3 "$db" "$1"; }
replays () {                    # replays SAMPLE POLICY RUN
    ok "$1 under $2" exits 0 "$gsim" replay "traces/samples/$1.yaml" \
        --policy "$2" --run "$3" --db "$db"
}

replays drf drf drf
is 'drf: three tasks of A and two of B at first' \
    "$(sql "SELECT job, sum(tasks) FROM v_placements
            WHERE run = 'drf' AND start = 0 GROUP BY job" | tr '\n' ' ')" \
    'A|3 B|2 '

replays preemption priority-preempt preempt
is 'preemption: the high one starts at once' \
    "$(sql "SELECT wait FROM v_jobs WHERE run = 'preempt' AND name = 'high'")" \
    0.0
is 'whose class never preempts waits' \
    "$(sql "SELECT wait, cause FROM v_jobs
            WHERE run = 'preempt' AND name = 'modest'")" '3000.0|capacity'
is 'lost work is what no checkpoint saved' \
    "$(sql "SELECT job, kind, \"by\", lost_gpu_hours FROM v_evictions
            WHERE run = 'preempt' ORDER BY job" | tr '\n' ' ')" \
    'low-1|preempt|high|0.666666666666667 low-2|preempt|high|0.2 '
is 'and metrics have it' \
    "$(sql "SELECT name, round(value, 4) FROM v_metrics WHERE run = 'preempt'
            AND name LIKE 'preempt.%' ORDER BY name" | tr '\n' ' ')" \
    'preempt.count|2.0 preempt.jobs|2.0 preempt.lost_gpu_hours|0.8667 '

replays reclaim policies/samples/reclaim.yaml reclaim
is 'reclaim: b gets its eight GPUs, and not more' \
    "$(sql "SELECT count(*) FROM v_jobs
            WHERE run = 'reclaim' AND queue = 'b' AND start = 3600")" 8
is 'from eight jobs of a' \
    "$(sql "SELECT count(*), count(DISTINCT job), min(kind), max(kind)
            FROM v_evictions WHERE run = 'reclaim'")" '8|8|reclaim|reclaim'
is 'as the profile stored with the run tells' \
    "$(sql "SELECT profile FROM runs WHERE name = 'reclaim'" | sed -n 2p)" \
    'actions: [enqueue, allocate, reclaim]'

replays topology topology topology
is 'topology: the free rack' \
    "$(sql "SELECT DISTINCT node FROM v_placements
            WHERE run = 'topology' AND job = 'first'" | tr '\n' ' ')" 'n3 n4 '
is 'the second waits until it is free again' \
    "$(sql "SELECT wait, cause FROM v_jobs
            WHERE run = 'topology' AND name = 'second'")" '3600.0|topology'

replays fragmentation spread frag-spread
replays fragmentation binpack frag-binpack
# 8 of 9 tasks ask for one GPU: the ninth can use none of the 4 + 4 GPUs that
# are free for two of three hours, and waits for them less one minute.
is 'fragmentation: what the mix loses, and gangs may have' \
    "$(sql "SELECT run, name, round(value, 12) FROM v_metrics
            WHERE name IN ('frag.blocked', 'frag.demand', 'frag.largest_gang')
            AND run LIKE 'frag-%' ORDER BY run DESC, name" | tr '\n' ' ')" \
    "frag-spread|frag.blocked|0.661111111111 \
frag-spread|frag.demand|0.074074074074 \
frag-spread|frag.largest_gang|0.333333333333 \
frag-binpack|frag.blocked|0.0 frag-binpack|frag.demand|0.0 \
frag-binpack|frag.largest_gang|1.0 "
is 'and over time' \
    "$(sql "SELECT round(max(frag_demand), 12), min(frag_demand) FROM v_samples
            WHERE run = 'frag-spread'")" '0.111111111111|0.0'

cat >"$tmp/mix.yaml" <<'YAML'
- {gpus: 8, weight: 1}
- {gpus: 1, cpu: 8, weight: 3}  # no node has a CPU
YAML
ok 'another mix' exits 0 "$gsim" replay traces/samples/fragmentation.yaml \
    --policy spread --run mixed --mix "$tmp/mix.yaml" --db "$db"
# Three quarters of it can use nothing, ever.
is 'loses what it loses' \
    "$(sql "SELECT round(value, 12) FROM v_metrics
            WHERE run = 'mixed' AND name = 'frag.demand'")" 0.916666666667
is 'and is told of' \
    "$(sql "SELECT json_extract(options, '\$.mix') FROM runs
            WHERE name = 'mixed'")" "$tmp/mix.yaml"
replays mig spread mig-spread
replays mig binpack mig-packed
is 'mig: spread over positions, small instances strand a wide one' \
    "$(sql "SELECT wait, cause FROM v_jobs
            WHERE run = 'mig-spread' AND name = 'wide'")" '7140.0|fragmentation'
is 'packed, they do not' \
    "$(sql "SELECT wait, cause FROM v_jobs
            WHERE run = 'mig-packed' AND name = 'wide'")" '0.0|'
is 'and two jobs share its device' \
    "$(sql "SELECT job, devices FROM v_placements
            WHERE run = 'mig-packed' AND node = 'n2' ORDER BY job" | tr '\n' ' ')" \
    'small-8|1 wide|1 '
replays mig-order fifo order-fifo
replays mig-order priority,fifo,fit,gang order-wide
is 'in the order in which they come, it waits' \
    "$(sql "SELECT name, wait, cause FROM v_jobs
            WHERE run = 'order-fifo' AND wait > 0")" 'wide|7200.0|fragmentation'
is 'first, all start at once' \
    "$(sql "SELECT count(*), max(wait) FROM v_jobs WHERE run = 'order-wide'")" \
    '5|0.0'
sed 's/mig: true/mig: {delay: 30s}/' topology/samples/mig-one.yaml >"$tmp/slow.yaml"
cat >"$tmp/delay.yaml" <<YAML
topology: slow.yaml
jobs:
  - {name: a, submit: 0, duration: 1m, mig: 1g.10gb}
  - {name: b, submit: 10, duration: 1m, mig: 1g.10gb}
  - {name: c, submit: 70, duration: 1m, mig: 1g.10gb}
  - {name: d, submit: 200, duration: 1m, mig: 7g.80gb}
YAML
ok 'a GPU that takes its time to be cut' exits 0 "$gsim" replay \
    "$tmp/delay.yaml" --policy fifo --run delay --db "$db"
is 'is waited for by the first, and who comes meanwhile' \
    "$(sql "SELECT name, wait FROM v_jobs WHERE run = 'delay'" | tr '\n' ' ')" \
    'a|30.0 b|20.0 c|0.0 d|30.0 '
is 'for cause latency' \
    "$(sql "SELECT value FROM v_metrics
            WHERE run = 'delay' AND name = 'wait.by_cause.latency'")" 80.0
cat >"$tmp/memory.yaml" <<YAML
topology: $PWD/topology/samples/mig.yaml
jobs:
  - {name: a, submit: 0, duration: 1m, replicas: 4, gpu_memory: 40GiB}
  - {name: b, submit: 1, duration: 1m, gpu_memory: 1MiB}
YAML
ok 'shares by memory' exits 0 "$gsim" replay "$tmp/memory.yaml" \
    --policy binpack --run memory --db "$db"
is 'four halves leave nothing' \
    "$(sql "SELECT name, wait, cause, gpus FROM v_jobs
            WHERE run = 'memory'" | tr '\n' ' ')" 'a|0.0||2.0 b|59.0|capacity|0.001 '
cat >"$tmp/sliced.yaml" <<YAML
node_types: {a: {gpus: 1, tasks_per_gpu: 2}}
nodes: [{name: a, type: a}]
YAML
cat >"$tmp/slices.yaml" <<YAML
topology: sliced.yaml
jobs:
  - {name: a, submit: 0, duration: 1m, gpu_share: 0.1}
  - {name: b, submit: 0, duration: 1m, gpu_share: 0.1}
  - {name: c, submit: 0, duration: 1m, gpu_share: 0.1}
YAML
ok 'time slices' exits 0 "$gsim" replay "$tmp/slices.yaml" \
    --policy binpack --run slices --db "$db"
is 'are so many, whatever is left' \
    "$(sql "SELECT name, wait, cause FROM v_jobs WHERE run = 'slices'" \
    | tr '\n' ' ')" 'a|0.0| b|0.0| c|60.0|fragmentation '
cat >"$tmp/two.yaml" <<YAML
node_types: {a: {gpus: 1, gpu_memory: 40GiB}, b: {gpus: 1, gpu_memory: 80GiB}}
nodes: [{name: a, type: a}, {name: b, type: b}]
YAML
ok 'of GPUs that differ' exits 3 "$gsim" replay "$tmp/memory.yaml" \
    --topology "$tmp/two.yaml" --policy binpack --db "$tmp/never.db"
ok 'which is said' says \
    "job 'a' asks for 'gpu_memory' of GPUs that have 40GiB or 80GiB in"
cat >"$tmp/never.yaml" <<YAML
topology: $PWD/topology/samples/mig-one.yaml
jobs:
  - {name: a, submit: 0, duration: 1h, mig: 1g.5gb}
YAML
ok 'a profile that no node has is told when strict' exits 3 "$gsim" replay \
    "$tmp/never.yaml" --policy fifo --strict --db "$tmp/never.db"
ok 'which job'  says "'a'"
ok 'else it is rejected' exits 0 "$gsim" replay "$tmp/never.yaml" \
    --policy fifo --run never --db "$db"
is 'for want of such a node' \
    "$(sql "SELECT state, cause FROM v_jobs WHERE run = 'never'")" \
    'rejected|constraint'

cat >"$tmp/window.yaml" <<'YAML'
jobs:
  - {name: a, submit: 0, duration: 10h, gpus: 4}
  - {name: b, submit: 2h, duration: 8h, gpus: 8}
  - {name: c, submit: 5h, duration: 5h, gpus: 1}
  - {name: d, submit: 5h30m, duration: 1h, gpus: 8}
YAML
ok 'a mix of the last hour' exits 0 "$gsim" replay "$tmp/window.yaml" \
    --topology topology/samples/fragmentation.yaml --mix window:1h \
    --run window --db "$db"
# From b to c the 4 GPUs beside a are lost to b.  d does not count: it comes
# within an hour of c, and at 10h, when it starts, the window is empty.
is 'is what it was then' \
    "$(sql "SELECT round(value * 11, 12) FROM v_metrics
            WHERE run = 'window' AND name = 'frag.demand'")" 3.0
ok 'a window of no time is refused' exits 2 "$gsim" replay "$tmp/window.yaml" \
    --topology topology/samples/fragmentation.yaml --mix window:0 --db "$db"
ok 'and said' says "'--mix' must be a file, or window: and a time"

done_testing
