#!/bin/sh
# gsim audit against a real Slurm of two nodes, started here: twenty short jobs, and
# what gsim would have decided in the state that each decision was made in.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"
# shellcheck source=tests/cli/slurm.sh
. "$(dirname "$0")/slurm.sh"

lacks=$(slurm_lacks)
if [ -n "$lacks" ]; then
    skip 'an audit of Slurm' "$lacks"
    done_testing
    exit
fi
# shellcheck disable=SC2034 # for slurm_start
slurm_more="JobCompType=jobcomp/filetxt
JobCompLoc=$tmp/jobs.txt"
ok 'a Slurm of two nodes'       slurm_start
[ "$failed" -eq 0 ] || { tail -n 20 "$slurm"/*.log "$slurm"/*.out | sed 's/^/# /'; done_testing; exit 1; }

# nodes, CPUs, seconds, minutes of the limit: small jobs pass large ones
cd "$tmp" || exit 1
jobs=0
for job in 1,2,9,1 2,4,4,1 1,1,3,1 1,2,7,2 1,1,12,1 2,4,3,2 1,1,2,1 1,2,5,1 1,1,4,5 2,2,6,1 \
    1,2,3,1 1,1,8,1 1,1,2,1 2,4,5,1 1,2,4,1 1,1,6,2 1,1,1,1 2,2,3,1 1,2,2,1 1,1,5,1; do
    nodes=${job%%,*} rest=${job#*,}
    cpus=${rest%%,*} rest=${rest#*,}
    sbatch -Q -o /dev/null -J "j$jobs" -N "$nodes" -n "$cpus" -t "${rest#*,}" \
        --wrap "exec sleep ${rest%,*}" >"$out" 2>"$errs" || break
    jobs=$((jobs + 1))
    sleep 1
done
is 'twenty jobs'                "$jobs" 20
for _ in $(seq 120); do
    [ -n "$(squeue -h)" ] || break
    sleep 1
done
sleep 1
is 'have ended'                 "$(grep -c JobState=COMPLETED jobs.txt)" 20
# what the plugin wrote, in the columns of sacct
awk 'BEGIN { print "JobID|Submit|Start|End|State|Timelimit|NNodes|NCPUS|NodeList|Partition" } {
        for (i = 1; i <= NF; i++) { at = index($i, "="); of[substr($i, 1, at - 1)] = substr($i, at + 1) }
        printf "%s|%s|%s|%s|%s|%s|%s|%s|%s|%s\n", of["JobId"], of["SubmitTime"], of["StartTime"],
            of["EndTime"], of["JobState"], of["TimeLimit"], of["NodeCnt"], of["ProcCnt"],
            of["NodeList"], of["Partition"]
    }' jobs.txt >sacct.txt
# a decision takes it two or three seconds, on a busy machine longer; of forty
# points each is 2.5 %
ok 'decisions are compared'     exits 0 "$gsim" audit sacct.txt --topology "$SLURM_CONF" \
    --policy "$SLURM_CONF" --latency 10s --at-least 90% --list 40
sed 's/^/# /' "$out"
ok 'all starts are on record'   prints 'of 20 recorded starts'
# shellcheck disable=SC2016
ok 'all nodes are known'        sh -c '! grep -q "runs name no nodes\|had no room" "$1"' - "$out"
slurm_stop
done_testing
