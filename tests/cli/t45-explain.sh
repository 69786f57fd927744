#!/bin/sh
# gsim explain: one job of one run.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --db "$db" >/dev/null

ok 'a job by name'        exits 0 "$gsim" explain "$db" spread big
ok 'what it asked'        prints 'asked      1 task, 8 GPUs in all'
ok 'when it started'      prints 'started    2h, 1h59m later'
ok 'how long it waited'   prints 'Waited 1h59m for'
ok 'where it ran'         prints '0-7'
is 'nothing after a line' "$(grep -c ' $' "$tmp/out")" 0
ok 'a job by number'      exits 0 "$gsim" explain "$db" binpack 0
ok 'which is named'       prints 'small-1 (job 0) in run binpack'
is 'it did not wait'      "$(grep -c Waited "$tmp/out")" 0
ok 'a number for sure'    exits 0 "$gsim" explain "$db" binpack '#8'
ok 'json'                 exits 0 "$gsim" explain "$db" spread big --format json
is 'that jq reads'        "$(jq -r '.name, .waited_us, .placements[0].devices' \
    "$tmp/out" | tr '\n' ' ')" 'big 7140000000 0-7 '
is 'waits that add up'    "$(jq '[.waits[].us] | add' "$tmp/out")" 7140000000

ok 'an unknown run'       exits 3 "$gsim" explain "$db" sprad big
ok 'names the nearest'    says "did you mean 'spread'?"
ok 'an unknown job'       exits 3 "$gsim" explain "$db" spread small-11
ok 'names the nearest'    says "did you mean 'small-1'?"
ok 'a number too high'    exits 3 "$gsim" explain "$db" spread 9
ok 'tells which there are' says 'numbered 0 to 8'
ok 'a hostile name'       exits 3 "$gsim" explain "$db" spread "'; drop table jobs; --"
ok 'does no harm'         exits 0 "$gsim" explain "$db" spread big
ok 'no job'               exits 2 "$gsim" explain "$db" spread
ok 'shows the usage'      says 'usage: gsim explain DB RUN JOB'
ok 'an unknown format'    exits 2 "$gsim" explain "$db" spread big --format xml
ok 'no such database'     exits 3 "$gsim" explain "$tmp/none.db" spread big
ok 'no colour in a pipe'  sh -c "! '$gsim' explain '$db' spread big | grep -q '\\['"

# names that a terminal would act on
sqlite3 "$db" "UPDATE job_kinds SET queue = char(155), user = char(7);
    UPDATE job_rows SET name = char(27) || '[31m' || char(10) WHERE job = 8"
ok 'an odd name'          exits 0 "$gsim" explain "$db" spread '#8'
is 'is harmless'          "$(tr -d '\n' <"$tmp/out" | LC_ALL=C grep -c '[[:cntrl:]]')" 0

# --- the time line
export LC_ALL=C
unset COLUMNS NO_COLOR
db=$tmp/b.db
"$gsim" replay traces/samples/preemption.yaml --policy priority-preempt \
    --db "$db" >/dev/null
line () { exits 0 "$@" "$gsim" explain "$db" priority-preempt low-1; }

ok 'docs/results.md shows it'  line env
awk '/^\$ gsim explain .* low-1/ { on = 1; next } /^```/ { on = 0 } on' docs/results.md |
    grep -v '^\.\.\.$' >"$tmp/shown"
is 'as it is'             "$(cat "$tmp/shown")" "$(sed -n '/^Time/,/^$/{/./p}' "$out")"
ok 'plain unless told'    sh -c "! LC_ALL=C grep -q '[^ -~]' '$out'"
ok 'blocks in UTF-8'      line env LC_ALL=C.UTF-8
ok 'are drawn'            prints '█░'
ok 'LC_ALL comes first'   line env LC_ALL=C LANG=C.UTF-8
ok 'before the others'    prints '#.'
ok 'then LC_CTYPE'        line env LC_ALL= LC_CTYPE=en_US.utf8 LANG=C
ok 'before LANG'          prints '█░'
for n in 40 79 200; do
    ok "$n columns"       line env COLUMNS=$n
    is 'are used'         "$(awk '/^  [|]-/ { print length }' "$out")" $((n - 2))
    is 'by no line more'  "$(sed -n '/^Time/,/^$/p' "$out" | awk -v n=$n 'length > n' | wc -l)" 0
done
ok '20 are too few'       line env COLUMNS=20
is 'and not believed'     "$(awk '/^  [|]-/ { print length }' "$out")" 78
if command -v script >/dev/null; then
    tty () {              # tty COMMAND...: on a terminal of 60 columns
        script -qec "stty cols 60; $*" /dev/null </dev/null | tr -d '\r' >"$out"
    }
    tty "'$gsim' explain '$db' priority-preempt low-1"
    is 'on a terminal, its width' "$(awk '/^  [|]-/ { print length }' "$out")" 58
    ok 'and colours'      sh -c "grep -q '\\[32m####*.\\[0m' '$out'"
    tty "NO_COLOR=1 '$gsim' explain '$db' priority-preempt low-1"
    ok 'but with NO_COLOR' sh -c "! grep -q '\\[' '$out'"
else
    skip 'on a terminal'  'there is no script'
fi

# --- the show piece: two gangs that wait for each other -----------------------------
dead=$tmp/dead.db
said='deadlocked since 4s for ever; left holds 5 GPUs and lacks 3, right holds 5 and lacks 3'
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default --db "$dead" >"$out" 2>/dev/null
ok 'replay tells a deadlock'   prints "kube-default: $said."
ok 'so does the table'         exits 0 "$gsim" compare "$dead"
ok 'in these words'            prints "kube-default: $said."
ok 'unless others are asked'   sh -c "! '$gsim' compare '$dead' --metric 'wait.*' | grep -q deadlocked"
for job in left right; do
    ok "explain $job"          exits 0 "$gsim" explain "$dead" kube-default $job
    ok 'tells both jobs'       prints "$said"
done
ok 'the page'                  exits 0 "$gsim" report "$dead" -o -
ok 'too'                       prints 'Deadlocked since 4s for ever; left holds 5 GPUs and lacks 3'
is 'as JSON' "$("$gsim" explain "$dead" kube-default left --format json |
    jq -c '.deadlocks[0] | [.endless, .jobs[].lacked]')" '[true,3,3]'
# other sizes, one GPU alone in each; three gangs; GPUs by two; a cut run
cat >"$tmp/three.yaml" <<'TRACE'
topology: ten.yaml
jobs:
  - {name: a, submit: 100, duration: 1h, replicas: 4, gpus: 2, task_interval: 1s}
  - {name: b, submit: 100, duration: 1h, replicas: 4, gpus: 2, task_interval: 1s}
  - {name: c, submit: 2h, duration: 1h, gpus: 1}
TRACE
cp topology/samples/ten-gpus.yaml "$tmp/ten.yaml"
"$gsim" replay "$tmp/three.yaml" --policy kube-default --db "$tmp/three.db" >"$out" 2>/dev/null
ok 'GPUs, not tasks'           grep -Eq 'deadlocked since [0-9a-z]+ for ever; a holds [46] GPUs and lacks [24], b holds [46] and lacks [24]' "$out"
ok 'who is in none'            sh -c "! '$gsim' explain '$tmp/three.db' kube-default c | grep -q deadlocked"
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default --until 6s --db "$tmp/cut.db" >"$out" 2>/dev/null
ok 'a cut run does not know'   prints 'deadlocked since 4s, still when the run was cut'
# what is endless is so before the end of a run, whatever the window shows of it
mkdir -p "$tmp/world"
cat >"$tmp/world/p.yaml" <<'TOPOLOGY'
node_types: {g: {gpus: 11}}
nodes: [{name: n1, type: g}]
TOPOLOGY
cat >"$tmp/world/t.yaml" <<'TRACE'
topology: p.yaml
jobs:
  - {name: beside, submit: 0, duration: 10h, gpus: 1}
  - {name: a, submit: 100, duration: 1h, replicas: 8, gpus: 1, task_interval: 1s}
  - {name: b, submit: 100, duration: 1h, replicas: 8, gpus: 1, task_interval: 1s}
TRACE
{ cat "$tmp/world/t.yaml"; echo '  - {name: later, submit: 9h, duration: 1h, gpus: 1}'; } >"$tmp/world/more.yaml"
endless () { # trace option...
    rm -f "$tmp/e.db"
    "$gsim" replay "$@" --policy kube-default --db "$tmp/e.db" >"$out" 2>/dev/null
    sqlite3 "$tmp/e.db" "SELECT group_concat(endless) FROM (SELECT DISTINCT endless FROM v_deadlocks)" \
        "SELECT value FROM metrics WHERE name = 'deadlock.endless'" | tr '\n' ' '
}
is 'jobs that run do not help' "$(endless "$tmp/world/t.yaml" --until 1h)" '1 1.0 '
is 'nor does a window'         "$(endless "$tmp/world/t.yaml" --to 1h)" '1 1.0 '
is 'more jobs might'           "$(endless "$tmp/world/more.yaml" --until 1h)" '0 0.0 '
is 'and do not'                "$(endless "$tmp/world/more.yaml" --to 1h)" '1 1.0 '
is 'tasks to be created might' "$(endless "$tmp/world/t.yaml" --until 106s)" '0 0.0 '
is 'so does a gang timeout'    "$(endless "$tmp/world/t.yaml" --set gang.timeout=2h --until 1h)" '0 0.0 '
# rules on how long deadlocks last, and the marks of compare
for m in seconds gpu_hours; do
    echo "deadlock.$m: {max: 100000}" >"$tmp/max.yaml"
    echo "deadlock.$m: {max_rise: 100%}" >"$tmp/rise.yaml"
    rm -f "$tmp"/[xy].db "$tmp/base.json"
    "$gsim" replay "$tmp/world/t.yaml" --policy kube-default --set gang.timeout=10m \
        --until 1h --run r --db "$tmp/x.db" >"$out" 2>/dev/null
    "$gsim" replay "$tmp/world/t.yaml" --policy kube-default --to 110s --run r \
        --db "$tmp/y.db" >"$out" 2>/dev/null
    "$gsim" gate "$tmp/x.db" --rules "$tmp/rise.yaml" --baseline "$tmp/base.json" --update >"$out" 2>&1
    ok "$m of one that ends"   exits 0 "$gsim" gate "$tmp/x.db" --rules "$tmp/max.yaml"
    ok 'no limit is endless'   exits 1 "$gsim" gate "$tmp/y.db" --rules "$tmp/max.yaml"
    ok 'which is said'         says 'to the end of the window, but deadlocks are endless (1), which rule'
    ok 'nor is a rise'         exits 1 "$gsim" gate "$tmp/y.db" --rules "$tmp/rise.yaml" --baseline "$tmp/base.json"
    "$gsim" gate "$tmp/y.db" --rules "$tmp/rise.yaml" --baseline "$tmp/base.json" --update >"$out" 2>&1
    ok 'it can be accepted'    exits 0 "$gsim" gate "$tmp/y.db" --rules "$tmp/rise.yaml" --baseline "$tmp/base.json"
    "$gsim" replay "$tmp/world/t.yaml" --policy kube-default --run endless --to 1h \
        --db "$tmp/y.db" >"$out" 2>/dev/null
    "$gsim" replay "$tmp/world/t.yaml" --policy kube-default --run ends --to 1h \
        --set gang.timeout=30m --db "$tmp/y.db" >"$out" 2>/dev/null
    ok 'compare'               exits 0 "$gsim" compare "$tmp/y.db" --run ends --run endless --metric "deadlock.$m"
    ok 'calls it worse'        grep -Eq "^deadlock.$m .* -$" "$out"
done

# --- rejections say which amount no node has -----------------------------------------
cat >"$tmp/never.yaml" <<TRACE
topology: $PWD/topology/samples/one-node.yaml
jobs:
  - {name: gpus, submit: 0, duration: 1h, gpus: 9}
  - {name: cpu, submit: 0, duration: 1h, gpus: 1, cpu: 9999}
  - {name: memory, submit: 0, duration: 1h, gpus: 1, memory: 9999GiB}
  - {name: label, submit: 0, duration: 1h, gpus: 1, nodes: {x: y}}
  - {name: model, submit: 0, duration: 1h, gpus: 1, model: B200}
  - {name: gang, submit: 0, duration: 1h, gpus: 8, replicas: 3}
  - {name: second, submit: 0, duration: 1h, tasks: [{name: a, gpus: 1}, {name: b, gpus: 16}]}
TRACE
"$gsim" replay "$tmp/never.yaml" --db "$tmp/never.db" >/dev/null 2>"$errs"
ok 'told at once'              says "'gpus': asks for 9 GPUs a task, the largest node has 8 GPUs"
because () {                   # because JOB TEXT
    "$gsim" explain "$tmp/never.db" binpack "$1" >"$out"
    is "$1"                    "$(sed -n 's/^because *//p' "$out")" "$2"
}
because gpus    'asks for 9 GPUs a task, the largest node has 8 GPUs'
because cpu     'asks for 9999 cpu a task, the largest node has 64 cpu'
because memory  'asks for 9999 GiB of memory a task, the largest node has 512 GiB of memory'
because label   'no node has the labels that it asks for'
because model   'no node has the GPU model that it asks for (B200)'
because gang    'asks for 24 GPUs at once, the cluster has 8 GPUs'
because second  'asks for 16 GPUs a task, the largest node has 8 GPUs'
cat >"$tmp/tiers.yaml" <<YAML
topology: $root/topology/samples/two-by-two.yaml
jobs:
  - {name: wide, submit: 1763683200, duration: 1h, gpus: 8, replicas: 3, topology: {within: rack}}
  - {name: date, submit: 1763683200, duration: 1h, gpus: 1}
YAML
"$gsim" replay "$tmp/tiers.yaml" --policy topology --run binpack \
    --db "$tmp/tiers.db" >/dev/null 2>&1
cp "$tmp/tiers.db" "$tmp/never.db"
because wide    'asks for 24 GPUs within one rack, the largest has 16 GPUs'
ok 'Unix times'           exits 0 "$gsim" explain "$tmp/tiers.db" binpack date
ok 'are dates'            prints 'ended      2025-11-21 01:00:00, 1h later'
is 'everywhere'           "$(grep -c '20413d' "$out")" 0

# --- a refused wait names the module that refused, and for how long each did
cat >"$tmp/gates.yaml" <<'EOT'
topology: gates-nodes.yaml
queues: [{name: a, limit: {gpu: 4}}, {name: b}]
jobs:
  - {name: other, submit: 0, duration: 3h, gpus: 1, replicas: 2, queue: b}
  - {name: first, submit: 0, duration: 1h, gpus: 1, replicas: 4, queue: a}
  - {name: quota, submit: 1m, duration: 1h, gpus: 1, replicas: 2, queue: a}
  - {name: load, submit: 2m, duration: 1h, gpus: 1, replicas: 6, queue: b}
  - {name: both, submit: 3m, duration: 2h, gpus: 1, replicas: 4, queue: a}
EOT
cat >"$tmp/gates-nodes.yaml" <<'EOT'
node_types: {t: {gpus: 8}}
nodes: [{name: n, type: t}]
EOT
cat >"$tmp/gated.yaml" <<'EOT'
name: gated
actions: [enqueue, allocate]
modules: [priority, gang, fit, {overcommit: {factor: 1.0}}, {queue: {mode: capacity}}, binpack]
EOT
ok 'two modules that refuse' exits 0 "$gsim" replay "$tmp/gates.yaml" \
    --policy "$tmp/gated.yaml" --db "$tmp/gates.db"
why () { "$gsim" explain "$tmp/gates.db" gated "$1" --format json |
    jq -c '[.refusals[] | [.module, .us / 60000000]], ([.waits[] | select(.cause == "quota").us / 60000000] | add)' | tr '\n' ' '; }
is 'its queue is full'    "$(why quota)" '[["queue",59]] 59 '
is 'too much is admitted' "$(why load)" '[["overcommit",238]] 238 '
is 'one after the other'  "$(why both)" '[["queue",60],["overcommit",57]] 117 '
ok 'the page, too'        exits 0 "$gsim" explain "$tmp/gates.db" gated load
ok 'names one'            prints 'module overcommit refused it'
ok 'or both'              exits 0 "$gsim" explain "$tmp/gates.db" gated both
ok 'with their times'     prints 'module queue refused it for 1h, module overcommit refused it for 57m'
is 'SQL'                  "$(sqlite3 "$tmp/gates.db" \
    "SELECT module, wait FROM v_refusals WHERE job = 'both'")" 'overcommit|3420.0
queue|3600.0'

# what stood when the trace began
cat >"$tmp/stood.yaml" <<'EOT'
jobs:
  - {name: ran, submit: 0, duration: 2h, gpus: 8, running_since: -30m, running_on: [n001]}
  - {name: part, submit: 0, duration: 1h, gpus: 8, replicas: 16, running_on: [n002]}
EOT
ok 'it ran before'        exits 0 "$gsim" replay "$tmp/stood.yaml" \
    --topology topology/samples/two-racks.yaml --policy fifo --db "$tmp/stood.db"
ok 'a job that ran'       exits 0 "$gsim" explain "$tmp/stood.db" fifo ran
ok '... for so long'      prints 'submitted  before the trace began, when it held nodes for 30m'
ok '... began by time 0'  prints 'started    by 0s, within one node'
ok '... is drawn'         prints 'Time line from the begin at 0s'
ok 'one that held a part' exits 0 "$gsim" explain "$tmp/stood.db" fifo part
ok '... started later'    prints 'started    1h30m, within one spine'
is '... and in SQL'       "$(sqlite3 "$tmp/stood.db" \
    'SELECT name, since FROM v_jobs ORDER BY job' | tr '\n' ' ')" 'ran|-1800.0 part|0.0 '

db=$tmp/a.db
sqlite3 "$db" 'PRAGMA user_version = 1'
ok 'an older database'    exits 3 "$gsim" explain "$db" spread big
ok 'is told from ours'    says 'has schema version 1 of an older gsim'
# the first wait, and those after evictions
awk 'BEGIN { srand(7); print "jobs:"
    for (i = 0; i < 300; i++)
        printf "- {submit: %ds, duration: %ds, gpus: %d, replicas: %d, priority: %d}\n",
            i * 40, 200 + rand() * 3000, 1 + rand() * 8, 1 + rand() * 3, rand() * 4 }' \
    >"$tmp/many.yaml"
ok 'many evictions'       exits 0 "$gsim" replay "$tmp/many.yaml" -q --db "$tmp/many.db" \
    --topology topology/samples/two-racks.yaml --set nodes.h100=4 \
    --policy priority-preempt --policy kube-default --policy hybrid
is 'there are some'       "$(sqlite3 "$tmp/many.db" \
    "SELECT sum(preemptions) > 100 FROM jobs")" 1
is 'first waits end with the first start' "$(sqlite3 "$tmp/many.db" \
    "SELECT count(*) FROM jobs j WHERE start_us IS NOT NULL AND start_us - submit_us <>
    coalesce((SELECT sum(first_us) FROM waits w WHERE w.run_id = j.run_id AND w.job = j.job), 0)")" 0
ok 'the page'             exits 0 "$gsim" explain "$tmp/many.db" hybrid "#$(sqlite3 "$tmp/many.db" \
    "SELECT w.job FROM waits w JOIN runs r ON r.id = w.run_id WHERE r.name = 'hybrid' AND first_us < us LIMIT 1")"
ok 'has both'             prints 'of which after evictions '

# the decision itself
db=$tmp/at.db
"$gsim" replay traces/samples/fragmentation.yaml --policy spread --db "$db" -q
ok 'a time'               exits 0 "$gsim" explain "$db" spread big --at 1h
ok 'has the module and the setting' prints 'fit: gpu: asks for 8 GPUs, 4 GPUs free'
ok 'its JSON'             exits 0 "$gsim" explain "$db" spread big --at 2h --format json
is 'has where it was placed' "$(jq -r '.groups[0][] | select(.placed == 1).refused_by' "$out")" null
ok 'a time when it was over' exits 2 "$gsim" explain "$db" spread big --at 100d
ok 'is told'              says "job 'big' does not wait or run at 100d"

# b is admitted and does not run: c is held, d comes during the hold
cat >"$tmp/hold.yaml" <<'END'
topology: hold-cluster.yaml
queues: [{name: q, guarantee: {gpu: 12}}]
jobs:
  - {name: a, queue: q, submit: 0, duration: 100, gpus: 5}
  - {name: b, queue: q, submit: 1, duration: 10, gpus: 4}
  - {name: c, queue: q, submit: 2, duration: 10, gpus: 1}
  - {name: d, queue: q, submit: 3, duration: 10, gpus: 2}
END
echo '{node_types: {n: {gpus: 8}}, nodes: [{name: n, type: n}]}' >"$tmp/hold-cluster.yaml"
ok 'jobs are held'        exits 0 "$gsim" replay "$tmp/hold.yaml" --policy kueue \
    --set quota.one_by_one=yes --set quota.ready=20s --db "$tmp/hold.db" --run r -q
for job in c d; do
    ok "$job"             exits 0 "$gsim" explain "$tmp/hold.db" r $job
    ok '... waited for that' prints 'refused it: a job that was admitted did not run yet'
    is '... and not for a cycle' "$(grep -c 'latency   ' "$out")" 0
done
# b is the head of its queue and does not fit; c comes behind it
cat >"$tmp/behind.yaml" <<'END'
topology: hold-cluster.yaml
queues: [{name: q, guarantee: {gpu: 8}, head_blocks: true}]
jobs:
  - {name: a, queue: q, submit: 0, duration: 100, gpus: 6}
  - {name: b, queue: q, submit: 10, duration: 10, gpus: 8}
  - {name: c, queue: q, submit: 20, duration: 10, gpus: 1}
END
ok 'a head blocks its queue' exits 0 "$gsim" replay "$tmp/behind.yaml" --policy kueue \
    --db "$tmp/behind.db" --run r -q
ok 'c, which came later'    exits 0 "$gsim" explain "$tmp/behind.db" r c
ok '... waited for its turn' prints 'order                 1m20s'
is '... and for no cycle'   "$(grep -c 'latency   ' "$out")" 0

done_testing
