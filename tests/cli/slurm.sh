# tests/cli/slurm.sh - a Slurm of two nodes on this machine, without systemd;
# sourced by the tests that need one, after harness.sh.  Works as root.
# shellcheck shell=sh disable=SC2154,SC2013

# Why there can be none here; nothing when there can.
slurm_lacks () {
    for c in munged munge slurmctld slurmd sbatch squeue scontrol scancel sinfo; do
        command -v $c >/dev/null || { echo "no $c: scripts/install-deps long"; return; }
    done
    [ "$(id -u)" -eq 0 ] || echo 'slurmd needs root'
}

# A port without a listener, above $1.
slurm_port () {
    port=$(($1 + $$ % 1000))
    while ss -Hltn 2>/dev/null | grep -q ":$port " ||
        grep -qi ":$(printf %04X "$port") " /proc/net/tcp; do
        port=$((port + 1))
    done
    echo "$port"
}

slurm_node () {                 # slurm_node NAME: start its slurmd
    slurmd -D -N "$1" >>"$slurm/slurmd-$1.out" 2>&1 &
    eval "slurmd_$1=$!"
}

# Are both nodes ready?  Waits a minute at most.
slurm_wait () {
    for _ in $(seq 120); do
        [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c '^idle$')" = 2 ] && return
        sleep 0.5
    done
    return 1
}

slurm_start () {
    slurm=$tmp/slurm
    mkdir -m 755 "$slurm" "$slurm/state" "$slurm/run"
    chmod 755 "$tmp"
    dd if=/dev/urandom of="$slurm/munge.key" bs=1024 count=1 2>/dev/null
    chmod 600 "$slurm/munge.key"
    munged --foreground --force --key-file="$slurm/munge.key" --num-threads=2 \
        --socket="$slurm/run/munge" --pid-file="$slurm/run/munged.pid" \
        --seed-file="$slurm/run/munge.seed" --log-file="$slurm/munged.log" \
        >"$slurm/munged.out" 2>&1 &
    munged=$!
    cat >"$slurm/slurm.conf" <<EOF
ClusterName=gsim-test
SlurmctldHost=localhost
SlurmctldPort=$(slurm_port 21000)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/run/munge
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
SlurmctldPidFile=$slurm/run/slurmctld.pid
SlurmdPidFile=$slurm/run/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=5
InactiveLimit=0
KillWait=2
MinJobAge=5
SchedulerParameters=sched_interval=1,bf_interval=1
JobRequeue=1
NodeName=n1 NodeHostname=localhost Port=$(slurm_port 22000) CPUs=2
NodeName=n2 NodeHostname=localhost Port=$(slurm_port 23100) CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
${slurm_more-}
EOF
    version=v1
    [ ! -e /sys/fs/cgroup/cgroup.controllers ] || version=v2
    echo "CgroupPlugin=cgroup/$version" >"$slurm/cgroup.conf"
    export SLURM_CONF="$slurm/slurm.conf"
    for _ in $(seq 50); do
        [ -S "$slurm/run/munge" ] && break
        sleep 0.1
    done
    slurmctld -D >"$slurm/slurmctld.out" 2>&1 &
    slurmctld=$!
    slurm_node n1
    slurm_node n2
    slurm_wait
}

# End what was started here, and nothing else: also the steps of nodes that
# were killed, which are told by their configuration.
slurm_stop () {
    [ -n "${slurm-}" ] || return 0
    scancel --quiet --full -u root 2>/dev/null
    for pid in ${slurmd_n1-} ${slurmd_n2-} ${slurmctld-} ${munged-}; do
        kill "$pid" 2>/dev/null
    done
    for pid in ${slurmd_n1-} ${slurmd_n2-} ${slurmctld-} ${munged-}; do
        for _ in $(seq 50); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$pid" 2>/dev/null
        wait "$pid" 2>/dev/null
    done
    # shellcheck disable=SC2013 # paths of processes have no blanks
    for pid in $(grep -lsF "SLURM_CONF=$slurm/" /proc/[0-9]*/environ |
        sed 's|/proc/\([0-9]*\)/.*|\1|'); do
        [ "$pid" = $$ ] || { [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = slurmstepd ] &&
            kill -KILL "$pid" 2>/dev/null; }
    done
    slurm=
}

# shellcheck disable=SC2154 # the harness' folder
trap 'slurm_stop; rm -rf "$tmp"' EXIT
