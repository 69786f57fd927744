#!/bin/sh
# gsim sweep --engine slurm, on a Slurm of two nodes that is started here.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/slurm.sh
. "$(dirname "$0")/slurm.sh"

cd "$tmp" || exit 1
mkdir 'it'"'"'s 100%'
cd 'it'"'"'s 100%' || exit 1
sed 's/n\[1-2\]/n[1-8]/' "$root/topology/samples/two-nodes.yaml" >nodes.yaml
"$gsim" trace generate --count 2000 --gpus 64 --load 95% --seed 1 --format csv \
    -o jobs.csv >"$out" 2>&1
cat >s.yaml <<'EOF'
name: array
traces: jobs.csv
topologies: nodes.yaml
policies: [binpack, random]
seeds: 1..10
set:
  load: [0.9, 1.0, 1.1]
EOF
rows () {                       # rows DB: all that it holds, in SQL
    sqlite3 "$1" .dump
}
ask () {                        # ask DB SQL
    sqlite3 "$1" "$2"
}

mkdir empty
ok 'without Slurm'              exits 4 env PATH="$PWD/empty" "$gsim" sweep s.yaml --engine slurm --db none.db
ok 'the package is named'       says 'sbatch is not installed: it is in the package slurm-client'
ok 'an unknown engine'          exits 2 "$gsim" sweep s.yaml --engine sge
ok 'a task of nothing'          exits 3 "$gsim" sweep s.yaml --task empty/7
ok 'which is named'             says 'empty/7.points'
printf '1\n3\n59\n' >empty/7.points
ok 'a task'                     exits 0 "$gsim" sweep s.yaml --task empty/7
is 'does its points'            "$(ask empty/7.db 'SELECT point, state FROM sweep_points')" '3|done
59|done'
is 'with their numbers'         "$(ask empty/7.db 'SELECT group_concat(id) FROM runs')" '4,60'
ok 'again: nothing'             exits 0 "$gsim" sweep s.yaml --task empty/7
printf '1\n60\n' >empty/8.points
ok 'a point too far'            exits 3 "$gsim" sweep s.yaml --task empty/8
printf '1\nx\n' >empty/8.points
ok 'no number'                  exits 3 "$gsim" sweep s.yaml --task empty/8

lacks=$(slurm_lacks)
if [ -n "$lacks" ]; then
    skip 'arrays' "$lacks"
    done_testing
    exit
fi
ok 'a Slurm of two nodes'       slurm_start
[ "$failed" -eq 0 ] || { tail -n 20 "$slurm"/*.log "$slurm"/*.out | sed 's/^/# /'; done_testing; exit 1; }
ok 'here'                       exits 0 "$gsim" sweep s.yaml --db local.db
rows local.db >local.sql

ok '60 runs as an array'        exits 0 "$gsim" sweep s.yaml --engine slurm --db array.db
ok 'all done'                   prints 'array: 60 runs, 60 done'
rows array.db >array.sql
ok 'give the same rows'         cmp local.sql array.sql
ok 'and leave nothing behind'   test ! -e array.db.slurm
ok 'again: nothing to do'       exits 0 "$gsim" sweep s.yaml --engine slurm --db array.db
is 'so no array'                "$(squeue -h | wc -l)" 0

ok 'what sbatch refuses'        exits 4 "$gsim" sweep s.yaml --engine slurm --db bad.db --slurm-option --partition=nope
ok 'is told'                    says 'sbatch refused: sbatch: error: '
is 'in one line'                "$(wc -l <"$errs")" 1
ok 'and leaves nothing'         test ! -e bad.db.slurm
is 'and no array'               "$(ask bad.db 'SELECT count(*) FROM sweep_jobs')" 0
ok 'and can be put right'       exits 0 "$gsim" sweep s.yaml --engine slurm --db bad.db --chunk 20 --slurm-option --partition=all
rows bad.db >bad.sql
ok 'with the same rows'         cmp local.sql bad.sql

# --- the command is killed, the array goes on ---
"$gsim" sweep s.yaml --engine slurm --jobs 2 --chunk 3 --db killed.db >"$out" 2>"$errs" &
pid=$!
for _ in $(seq 100); do
    [ "$(ask killed.db "SELECT count(*) FROM sweep_points WHERE state = 'done'" 2>/dev/null)" -ge 3 ] 2>/dev/null && break
    sleep 0.1
done
kill -KILL $pid
wait $pid 2>/dev/null
ok 'its number is in the database' test -n "$(ask killed.db 'SELECT job FROM sweep_jobs')"
ok 'the same command'           exits 0 "$gsim" sweep s.yaml --engine slurm --db killed.db
rows killed.db >killed.sql
ok 'finds it again'             cmp local.sql killed.sql

# --- ended by a signal: the array goes on, is cancelled, and the rest done here
"$gsim" sweep s.yaml --engine slurm --jobs 1 --chunk 5 --db term.db >"$out" 2>"$errs" &
pid=$!
for _ in $(seq 100); do
    [ -n "$(ask term.db 'SELECT job FROM sweep_jobs' 2>/dev/null)" ] && break
    sleep 0.1
done
sleep 1
kill -TERM $pid
wait $pid 2>/dev/null
ok 'a signal tells how to go on' says 'scancel'
ok 'nobody works beside it'    exits 2 "$gsim" sweep s.yaml --db term.db
ok 'which is told'              says 'works on this sweep'
scancel "$(ask term.db 'SELECT job FROM sweep_jobs')"
ok 'an array that was cancelled' exits 0 "$gsim" sweep s.yaml --engine slurm --chunk 10 --db term.db
rows term.db >term.sql
ok 'is done again, where it was not' cmp local.sql term.sql

# --- a node is lost in the middle ---
"$gsim" trace generate --count 20000 --gpus 64 --load 95% --seed 1 --format csv \
    -o more.csv >"$out" 2>&1
sed 's/^traces.*/traces: more.csv/; s/^name.*/name: lost/' s.yaml >lost.yaml
"$gsim" sweep lost.yaml --db lost-local.db >"$out" 2>&1
"$gsim" sweep lost.yaml --engine slurm --chunk 10 --db lost.db >"$out" 2>"$errs" &
pid=$!
lost=
for _ in $(seq 400); do
    lost=$(squeue -h -r -t RUNNING -w n2 -o %K 2>/dev/null | tr '\n' ' ')
    [ -z "$lost" ] || break
    sleep 0.05
done
# shellcheck disable=SC2154 # set by slurm_node
kill -KILL "$slurmd_n2"
# shellcheck disable=SC2013 # paths of processes have no blanks
for task in $(grep -lsF "SLURM_CONF=$slurm/" /proc/[0-9]*/environ | sed 's|/environ||'); do
    grep -qsF 'SLURMD_NODENAME=n2' "$task/environ" || continue
    parent=$(sed -n 's/^PPid:[[:space:]]*//p' "$task/status" 2>/dev/null)
    [ "$(cat "/proc/$parent/comm" 2>/dev/null)" != slurmstepd ] || kill -KILL "$parent"
    kill -KILL "${task#/proc/}" 2>/dev/null
done
wait $pid
is 'a sweep whose node was lost is done' $? 0
ok 'it had tasks'               test -n "$lost"
# Slurm begins them again unless they were just about to end; then we do.
rows lost-local.db >lost-local.sql
rows lost.db >lost.sql
ok 'with the same rows'         cmp lost-local.sql lost.sql
slurm_node n2
ok 'the node comes back'        slurm_wait

slurm_stop
is 'nothing of it is left'      "$(grep -lsF "$tmp/slurm/slurm.conf" /proc/[0-9]*/cmdline /proc/[0-9]*/environ | grep -v "/$$/" | xargs -r -n1 dirname | while read -r p; do cat "$p/comm" 2>/dev/null; done | grep -E '^(slurm|munge)')" ''
done_testing
