#!/bin/sh
# gsim probe: would a job start, and what would help.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

cat >"$tmp/trace.yaml" <<YAML
topology: $root/topology/samples/two-racks.yaml
epoch: 2026-11-16
queues: [{name: a, limit: {gpu: 24}}, {name: b}]
jobs: [{name: one, submit: 0, duration: 2h, gpus: 8, replicas: 3, queue: a}]
YAML
printf 'jobs: [{name: %s, submit: 0, duration: 1h, gpus: 8, replicas: 2, queue: a}]\n' \
    one >"$tmp/job.yaml"
cat >"$tmp/pod.yaml" <<'YAML'
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: ml}
spec:
  containers: [{name: c, resources: {limits: {nvidia.com/gpu: 4}}}]
YAML
probes () { status=$1; shift; exits "$status" "$gsim" probe "$tmp/trace.yaml" "$tmp/job.yaml" "$@"; }

ok 'a job that starts'        probes 0 --at 1h
ok 'is said to'               prints "one' at 1h under binpack: would start now"
ok 'one that waits'           probes 1 --at 1h --policy volcano
ok 'names the module'         prints 'refused by  queue'
ok 'the setting, and by how much' prints 'queue a: limit 24 GPUs, 24 GPUs held, 16 GPUs asked for'
ok 'what would help'          prints 'starts with queue: b instead of a'
ok 'and how little'           prints 'queues.a.limit.gpu: 40 GPUs instead of 24 GPUs'
ok 'when'                     probes 1 --at 1h --policy volcano --set queues.a.limit.gpu=30
ok 'it starts else'           prints 'earliest    2h, in 1h, if jobs end by their estimates'
ok 'JSON'                     probes 1 --at 1h --policy volcano --format json
is 'that jq reads' "$(jq -r '.outcome, .why.refused_by, .changes[0].to' "$out" | tr '\n' ' ')" \
    'waits queue b '
ok 'a date'                   probes 0 --at '2026-11-16 03:00'
ok 'is a time'                prints 'at 3h under'
ok 'no time'                  probes 2 --at soon
ok 'a date too early'         probes 2 --at 2026-11-15
ok 'a job too large'          exits 1 "$gsim" probe "$tmp/trace.yaml" "$tmp/job.yaml" --at 1h \
    --set nodes.h100=1 --policy fifo
ok 'is rejected'              prints 'would be rejected'
ok 'and told why'             prints 'because     asks for 16 GPUs'

printf 'events: [{at: 10m, node: "n[004-016]", what: drain, for: 5h}]\n' >"$tmp/world.yaml"
ok 'closed nodes'             probes 1 --at 1h --policy volcano --scenario "$tmp/world.yaml"
ok 'stay closed with each change' prints 'no change of one kind lets it start'

ok 'a manifest'               exits 0 "$gsim" probe "$tmp/trace.yaml" "$tmp/pod.yaml" -q \
    --policy kube-default
ok 'is a job'                 prints 'ml/p at 0s under kube-default: would start now'
ok 'a dump'                   exits 1 "$gsim" probe tests/data/import/running/objects.yaml \
    "$tmp/pod.yaml" -q --policy kube-default
ok 'has what runs'            prints '4 GPUs on the 2 nodes that suit'

"$gsim" replay "$tmp/trace.yaml" --policy volcano --policy binpack --db "$tmp/a.db" -q
db () { status=$1; shift; exits "$status" "$gsim" probe "$tmp/a.db" "$tmp/job.yaml" "$@"; }
ok 'a stored run'             db 1 --at 1h --run volcano
ok 'is replayed'              prints 'under volcano: would wait'
ok 'which one'                db 2 --at 1h
ok 'must be told'             says 'name a run with --run (there are: volcano, binpack)'
ok 'of a trace there is none' probes 2 --run volcano
echo '# changed' >>"$tmp/trace.yaml"
ok 'a changed trace'          db 3 --at 1h --run volcano
ok 'is told'                  says 'trace.yaml: the trace is not the one that the run was made of'

ok 'several jobs'             exits 3 "$gsim" probe "$tmp/trace.yaml" traces/samples/deadlock.yaml
ok 'are too many'             says 'it must hold one'
printf 'jobs: [{submit: 0, duration: 1h, resources: {foo: 1}}]\n' >"$tmp/foo.yaml"
ok 'an unknown resource'      exits 3 "$gsim" probe "$tmp/trace.yaml" "$tmp/foo.yaml"
ok 'no job'                   exits 2 "$gsim" probe "$tmp/trace.yaml"

done_testing
