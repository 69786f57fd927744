#!/bin/sh
# Files of all sizes, plain and packed, to every command that reads them; and
# what cannot be unpacked is called what it is.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

trace () {                      # trace JOBS
    echo 'topology: topology.yaml'
    echo 'jobs:'
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
        printf "  - {name: j%06d, submit: %ds, duration: 60s, gpus: 1}\n", i,
            i * 7 }'
}

reads () {                      # reads FILE: each command takes it
    for words in validate 'trace info' 'replay --db again.db' \
        'trace convert -o -' 'trace sample --fraction 0.5' 'trace fit' \
        'whatif --set load=1.1'; do
        rm -f again.db
        # shellcheck disable=SC2086 # words
        "$gsim" $words "$1" >"$out" 2>"$errs" </dev/null || return 1
    done
}

cd "$tmp" || exit 1
echo '{node_types: {t: {gpus: 8}}, nodes: [{name: "n[1-4]", type: t}]}' \
    >topology.yaml
# below and above 64, 128 and 256 KiB
for jobs in 10 1000 1300 2500 3000 5000; do
    trace $jobs >trace.yaml
    gzip -kf trace.yaml
    xz -kf trace.yaml
    zstd -qf trace.yaml
    for end in '' .gz .xz .zst; do
        ok "$jobs jobs in trace.yaml$end are read" reads trace.yaml$end
    done
done
{ seq -f '# a remark, number %06.0f' 3000; cat topology.yaml; } >large.yaml
gzip -kf large.yaml
for file in large.yaml large.yaml.gz; do
    ok "$file is a topology" exits 0 "$gsim" replay trace.yaml --topology \
        $file --db remark.db --run $file
done

# --- what cannot be unpacked ---------------------------------------------------

xz -kf --lzma2=dict=1GiB trace.yaml
ok 'a dictionary above the limit' exits 3 "$gsim" validate trace.yaml.xz
ok 'is told for what it is' says 'trace.yaml.xz: needs 1025 MiB of memory to '\
'unpack, where 512 MiB are allowed (xz): pack it with a smaller dictionary'
zstd -q --ultra --long=29 -c <trace.yaml >long.zst
ok 'so is a window above the limit' exits 3 "$gsim" validate long.zst
ok 'of zstd' says 'long.zst: needs more memory to unpack, where 128 MiB'
xz -kf --lzma2=dict=256MiB trace.yaml
if prlimit --as=120000000 "$gsim" --version >"$out" 2>"$errs"; then
    ok 'no memory to unpack' exits 4 prlimit --as=120000000 "$gsim" validate \
        trace.yaml.xz
    ok 'is told for what it is' says 'cannot unpack: out of memory (xz)'
else
    skip 'no memory to unpack' 'sanitizers need more'
fi
cp trace.yaml.xz cut.xz
dd if=trace.yaml.xz of=cut.xz bs=1000 count=2 status=none
ok 'a file cut short' exits 3 "$gsim" validate cut.xz
ok 'is told for what it is' says 'damaged or cut short (xz)'
# --- files that are given where others belong -----------------------------------

printf 'actions: "allocate"\ntiers:\n- plugins:\n  - name: gang\n' >volcano.conf
printf 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: %s\n' \
    KubeSchedulerConfiguration >kube.yaml
printf 'SchedulerType=sched/backfill\nSchedulerPort=7\n' >slurm.conf
printf 'actions: [allocate]\nmodules: [fifo, gang, fit]\n' >mine.yaml
printf 'node_types: {t: {gpus: 8}}\nnodes: [{name: n1, type: t}]\n' >nodes.yaml
printf 'jobs: [{submit: 0, duration: 1h, gpus: 1}]\n' >work.yaml
printf 'submit,duration\n0,1\n' >work.csv
printf 'JobID|Submit|State|Partition\n1|2026-03-02T08:00:00|PENDING|gpu\n' \
    >sacct.txt
printf 'apiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: 1}}\n' >node.yaml
given () {                      # given TRACE TOPOLOGY POLICY
    "$gsim" replay "$1" --topology "$2" --policy "$3" --no-db -q
}
misplaced () {                  # misplaced TRACE TOPOLOGY POLICY FILE WHAT
    ok "$4 among $1, $2, $3" exits 3 given "$1" "$2" "$3"
    ok '... is told where it belongs' says "gsim: $4: $5"
}
misplaced volcano.conf nodes.yaml fifo volcano.conf \
    'is a configuration of Volcano, no trace: give it as --policy'
misplaced kube.yaml nodes.yaml fifo kube.yaml \
    'is a configuration of kube-scheduler, no trace: give it as --policy'
misplaced slurm.conf nodes.yaml fifo slurm.conf \
    'is a configuration of Slurm, no trace: give it as --topology or --policy'
misplaced mine.yaml nodes.yaml fifo mine.yaml \
    'is a profile, no trace: give it as --policy'
misplaced nodes.yaml nodes.yaml fifo nodes.yaml \
    'is a topology, no trace: give it as --topology'
for f in volcano.conf kube.yaml mine.yaml; do
    ok "$f as a topology" exits 3 given work.yaml $f fifo
    ok '... is told where it belongs' says 'no topology: give it as --policy'
done
for f in work.yaml work.csv sacct.txt; do
    ok "$f as a topology" exits 3 given work.yaml $f fifo
    ok '... is told where it belongs' says 'no topology: give it as TRACE'
    ok "$f as a policy" exits 3 given work.yaml nodes.yaml $f
    ok '... is told where it belongs' says 'no policy: give it as TRACE'
done
misplaced work.yaml nodes.yaml ./nodes.yaml ./nodes.yaml \
    'is a topology, no policy: give it as --topology'
misplaced work.yaml nodes.yaml node.yaml node.yaml 'configures no scheduler: '

mkfifo pipe
piped () {                      # piped FILE: it is the trace, through a pipe
    cat "$1" >pipe &
    timeout 20 "$gsim" replay pipe --topology nodes.yaml --policy fifo --no-db -q
}
ok 'a pipe is not read twice' exits 3 piped mine.yaml

# --- many of everything: seconds of processor time, whatever is many -----------

cat >few.yaml <<'YAML'
{node_types: {t: {gpus: 8}}, nodes: [{name: "n[1-4]", type: t}]}
YAML
many () {                       # many FORM LAST: the form for each of 100,000
    seq -f "$1," 99999
    echo "$2"
}
job='jobs: [{submit: 0, duration: 1h, gpus: 1}]'
{ echo 'queues: ['; many '{name: q%.0f}' '{name: q}]'; echo "$job"; } >queues
{ echo 'queues: ['; many '{name: p%.0f/c}' '{name: q}]'; echo "$job"; } >nested
{ echo 'priority_classes: {'; many 'c%.0f: {value: 1}' 'c: {value: 2}}'
    echo "$job"; } >classes
{ echo 'jobs: [{submit: 0, duration: 1h, tasks: ['
    many '{name: k%.0f, gpus: 1}' '{name: k}]}]'; } >kinds
{ echo 'jobs: ['; many '{submit: %.0f, duration: 0.1, gpus: 1}' \
    '{submit: 0, duration: 1h}]'; } >single
for what in queues nested classes kinds single; do
    for policy in volcano drf hybrid kube-default; do
        ok "100,000 $what under $policy" exits 0 prlimit --cpu=15 "$gsim" \
            replay $what --topology few.yaml --policy $policy --no-db -q
    done
done

done_testing
