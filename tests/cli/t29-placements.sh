#!/bin/sh
# The stored rows of every sample, under worlds, speeds and completions, and of
# drawn traces are schedules that could have been; what breaks a rule is found.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"
check=scripts/check-placements
rows () { # rows NAME REPLAY-ARGUMENT...: of a database of its own
    db=$tmp/rows.db
    rm -f "$db"
    name=$1
    shift
    ok "$name"         exits 0 "$gsim" replay "$@" --db "$db" -q
    ok '... holds'     exits 0 "$check" "$db"
}
policies="--policy binpack --policy spread --policy kube-default --policy volcano
    --policy hybrid --policy conservative --policy random"

# --- samples
for t in deadlock drf fragmentation hoarding inference mig-order mig outages \
    preemption reclaim service speed topology; do
    # shellcheck disable=SC2086
    rows "$t" traces/samples/$t.yaml $policies
done
# shellcheck disable=SC2086
rows 'tiny.swf' traces/samples/tiny.swf --topology topology/samples/one-node.yaml $policies
rows 'openb' traces/samples/openb-pods.csv --topology topology/samples/openb-nodes.csv \
    --limit 2000 --policy fgd --policy best-fit --policy kube-default
rows 'philly' traces/samples/philly.csv.gz --topology topology/samples/philly-tight.yaml \
    --limit 5000 --policy binpack --policy easy
rows 'itp' traces/samples/itp-cluster06.csv.xz --topology topology/samples/itp-cluster06.yaml \
    --limit 4000 --policy spread
# shellcheck disable=SC2086
rows 'a world' traces/samples/outages.yaml --scenario sim/samples/outages.yaml $policies
# shellcheck disable=SC2086
rows 'a speed model' traces/samples/speed.yaml --speed all-reduce $policies

# --- completions, elastic jobs and outages, drawn
cat >"$tmp/top.yaml" <<'YAML'
tiers: [{name: rack}, {name: node}]
node_types: {t: {gpus: 4}}
nodes:
  - {name: "a[1-3]", type: t, rack: a}
  - {name: "b[1-3]", type: t, rack: b}
YAML
sed 's/1-3/1-8/' "$tmp/top.yaml" >"$tmp/large.yaml"
cat >"$tmp/t.yaml" <<'YAML'
jobs:
  - {name: array, submit: 0, duration: 5m, gpus: 1, replicas: 8, completions: 50}
  - {name: elastic, submit: 1m, duration: 1h, gpus: 2, replicas: {min: 1, max: 6}}
  - {name: gang, submit: 2m, duration: 20m, gpus: 4, replicas: 3}
  - {name: part, submit: 3m, duration: 30m, gpu_share: 0.4, replicas: {min: 1, max: 5}}
  - {name: late, submit: 30m, duration: 10m, gpus: 2, replicas: 4, priority: hi}
priority_classes: {hi: {value: 10}}
YAML
cat >"$tmp/world.yaml" <<'YAML'
events:
  - {at: 200s, node: a1, what: fail, for: 400s}
  - {at: 300s, node: b1, what: drain, for: 1h}
  - {at: 900s, node: a2, what: fail, for: 10m}
failures: {what: node, mtbf: 2h, repair: 10m}
YAML
for seed in $(seq 1 $((2 * ${SEEDS:-1}))); do
    # shellcheck disable=SC2086
    rows "a drawn world, seed $seed" "$tmp/t.yaml" --topology "$tmp/top.yaml" \
        --scenario "$tmp/world.yaml" --seed "$seed" $policies
    "$gsim" trace generate --count 150 --gpus 64 --load 1.2 --seed "$seed" -o "$tmp/g.csv" -q
    # shellcheck disable=SC2086
    rows "a drawn trace, seed $seed" "$tmp/g.csv" --topology "$tmp/large.yaml" \
        --scenario "$tmp/world.yaml" --seed "$seed" $policies
done

# --- what is broken is found
breaks () { # breaks RULE DATABASE SQL
    cp "$2" "$tmp/bad.db"
    sqlite3 "$tmp/bad.db" "$3"
    ok "broken: $3"    exits 1 "$check" "$tmp/bad.db"
    ok "... $1"        says ": $1: "
}
whole=$tmp/whole.db
"$gsim" replay "$tmp/t.yaml" --topology "$tmp/top.yaml" --policy binpack --db "$whole" -q
"$gsim" replay traces/samples/mig.yaml --policy binpack --db "$tmp/mig.db" -q
"$gsim" replay traces/samples/outages.yaml --scenario sim/samples/outages.yaml \
    --policy binpack --db "$tmp/out.db" -q
first='(SELECT min(start_us) FROM placements WHERE job = 0)'
breaks task "$whole" "UPDATE placements SET first_task = 0 WHERE job = 0"
breaks device "$whole" "UPDATE placements SET devices = 1, node = 0"
breaks job "$whole" "UPDATE placements SET tasks = 9 WHERE job = 2"
breaks job "$whole" "UPDATE job_kinds SET tasks = 7 WHERE id & 65535 = (SELECT kind FROM job_rows WHERE job = 0)"
breaks device "$whole" "UPDATE placements SET share = 1001 WHERE share = 400"
breaks device "$whole" "UPDATE placements SET devices = 16 WHERE job = 0"
breaks device "$whole" "UPDATE placements SET share = NULL WHERE job = 0"
breaks job "$whole" "UPDATE placements SET start_us = -1 WHERE start_us = $first"
breaks job "$whole" "UPDATE placements SET end_us = NULL WHERE job = 0"
breaks job "$whole" "UPDATE placements SET job = 99 WHERE job = 0"
breaks job "$whole" "DELETE FROM placements WHERE job = 2 AND first_task = 0"
breaks device "$tmp/mig.db" "UPDATE placements SET slices = 255, devices = 1, node = 0, \
    start_us = 0, end_us = 9 WHERE slices"
breaks outage "$whole" "INSERT INTO outages SELECT 1, 0, $first + 1, node, NULL, 'failed', 0 \
    FROM placements WHERE job = 0 LIMIT 1"
breaks outage "$whole" "INSERT INTO outages SELECT 1, 0, 0, node, 0, 'absent', 0 \
    FROM placements WHERE devices & 1 LIMIT 1"
breaks outage "$whole" "INSERT INTO outages SELECT 1, 0, submit_us - 1, 0, NULL, 'drained', 0 \
    FROM jobs WHERE job = 4"
ok 'no database' exits 2 "$check"

done_testing
