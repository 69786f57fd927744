#!/bin/sh
# gsim validate: every kind of file, told by its content, and all its mistakes.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

kind () {                       # kind NAME FILE [OPTION]...
    name=$1
    shift
    if exits 0 "$gsim" validate "$@"; then
        is "$1 is a $name" "$(cat "$out")" "$1: ok ($name)"
    else
        report 1 "$1 is a $name"
    fi
}

wrong () {                      # wrong FILE LINE...: all of standard error
    file=$1
    shift
    printf '%s\n' "$@" >"$tmp/want"
    exits 3 "$gsim" validate "$tmp/$file" && [ ! -s "$out" ] \
        && sed "s|^gsim: $tmp/||" "$errs" | diff - "$tmp/want"
    report $? "$file is wrong so often"
}

# --- what there is -------------------------------------------------------------

mkdir "$tmp/d" || exit 1
cat >"$tmp/speed" <<'YAML'
# no tail to its name
table:
  - {class: bert, tier: rack, speed: 0.7}
YAML
printf -- '- {gpus: 1, weight: 3}\n- {gpu_share: 0.5, weight: 1}\n' >"$tmp/mix"
printf '[{gpus: 1, weight: 3}]\n' >"$tmp/flow-mix"
printf 'goodput: {min: 95%%}\n' >"$tmp/rules"
printf "'wait.mean[queue=a]': {max: 1h}\n" >"$tmp/scoped"
printf '{\n  "jobs": [{"name": "a", "submit": 0, "duration": 5}]}\n' \
    >"$tmp/json-trace"
gzip -c policies/samples/reclaim.yaml >"$tmp/profile.gz"
printf '%%YAML 1.1\n---\n# a head\nevents: []\n' >"$tmp/world"
"$gsim" replay traces/samples/deadlock.yaml --db "$tmp/r.db" >"$out" || exit 1

kind 'trace'       traces/samples/deadlock.yaml
kind 'trace'       traces/samples/philly.csv.gz
kind 'trace'       traces/samples/tiny.swf
kind 'trace'       "$tmp/json-trace"
kind 'topology'    topology/samples/philly-tight.yaml
kind 'topology'    topology/samples/openb-nodes.csv
kind 'profile'     policies/samples/reclaim.yaml
kind 'profile'     "$tmp/profile.gz"
kind 'scenario'    "$tmp/world" --topology topology/samples/one-node.yaml
kind 'speed model' "$tmp/speed" --topology topology/samples/itp-cluster06.yaml
kind 'trace model' tests/data/model/weekly.yaml
kind 'sweep'       examples/sweep.yaml
kind 'rules'       examples/ci/rules.yaml
kind 'rules'       "$tmp/rules"
kind 'rules'       "$tmp/scoped"
kind 'suite'       tests/gate/suite.yaml
kind 'mix'         "$tmp/mix"
kind 'mix'         "$tmp/flow-mix"
kind 'baseline'    tests/gate/baseline.json
kind 'database'    "$tmp/r.db"

# --- whatever its style and its writer ----------------------------------------

blanks=$(printf '%80s' '')
comments () { yes "# $blanks" | head -n 2000; }    # more than 64 KiB

printf '{name: x, actions: [allocate], modules: [fifo, fit]}\n' >"$tmp/flow"
printf '# c\n\n{name: x,\n actions: [allocate],\n\n modules: [fit]}\n' \
    >"$tmp/flow-lines"
{ comments; cat traces/samples/deadlock.yaml; } >"$tmp/remarks"
{ comments; cat topology/samples/one-node.yaml; } >"$tmp/remarks-topology"
{ printf '\357\273\277# mark\r\n'; sed 's/$/\r/' policies/samples/reclaim.yaml; } \
    >"$tmp/mark"
printf '\357\273\277submit,duration,gpus\r\n0,5,1\r\n' >"$tmp/mark.csv"
kind 'profile'     "$tmp/flow"
kind 'profile'     "$tmp/flow-lines"
kind 'topology'    "$tmp/remarks-topology"
kind 'profile'     "$tmp/mark"
kind 'trace'       "$tmp/mark.csv"
ok 'remarks before a trace' exits 0 "$gsim" replay "$tmp/remarks" \
    --topology topology/samples/one-node.yaml --db "$tmp/remarks.db"

foreign () {                    # foreign WHAT TEXT
    printf '%b' "$2" >"$tmp/foreign.yaml"
    exits 3 "$gsim" validate "$tmp/foreign.yaml" && says ": is $1" \
        && exits 3 "$gsim" replay "$tmp/foreign.yaml" && says ": is $1" \
        && exits 3 "$gsim" replay traces/samples/drf.yaml --policy "$tmp/foreign.yaml" \
        && says ": is $1"
    report $? "$1"
}

# ... and those that it reads
printf 'actions: "enqueue, allocate"\ntiers:\n- plugins:\n  - name: gang\n' >"$tmp/volcano"
ok 'a configuration of Volcano' exits 0 "$gsim" validate "$tmp/volcano"
ok '... is told'                prints 'volcano: ok (configuration of Volcano)'
printf 'partitions:\n- name: default\n  queues: [{name: a}]\n' >"$tmp/queues"
ok 'a configuration of YuniKorn' exits 0 "$gsim" validate "$tmp/queues"
ok '... is told'                prints 'queues: ok (configuration of YuniKorn)'
printf 'partitions:\n- name: default\n' >"$tmp/queues"
ok '... with a mistake'         exits 3 "$gsim" validate "$tmp/queues"
ok '... is told with its place' says "queues:2:3: a partition has 'queues'"
printf 'kind: Pod\napiVersion: v1\nmetadata: {name: x}\n' >"$tmp/pod"
ok 'a pod without a spec'   exits 3 "$gsim" validate "$tmp/pod"
ok '... is told'                says 'pods without a spec'
printf '{"apiVersion": "v1", "items": [], "kind": "List"}' >"$tmp/empty"
ok 'an empty list of Kubernetes' exits 3 "$gsim" validate "$tmp/empty"
ok '... is told'                says 'holds no objects'
foreign 'a table that kubectl printed' 'NAME    READY   STATUS\ntrain-0   1/1   Running\n'
foreign 'a description that kubectl printed' 'Name:     gpu-1\nLabels:   a=b\n  c=d: e\n'
foreign 'a copy of a terminal' '$ kubectl get pods\nNAME    READY\n'
foreign 'a copy of a terminal' 'cat <<EOF | kubectl apply -f -\nkind: Pod\nEOF\n'
foreign 'a file of values of Helm' 'replicaCount: 3\nresources: {}\n'
foreign 'a file of values of Helm' 'image: {tag: a}\nnodeSelector: {}\n'
foreign 'the head of a chart of Helm' 'apiVersion: v2\nname: a\nversion: 1.0.0\n'
foreign 'a template' '{{- if .Values.x }}\nkind: Pod\n{{- end }}\n'
foreign 'metrics as text' '# HELP up Up.\n# TYPE up gauge\nup{job="a"} 1\n'
foreign 'metrics as text' 'kube_pod_info{pod="a"} => 1 @[1700000000]\n'
foreign 'a recipe of Kustomize' 'namePrefix: dev-\nresources: [a.yaml]\n'

awk 'BEGIN { print "jobs:"; while (n++ < 30000) print "- {submit: 0, duration: 1, gpus: 1}" }' >"$tmp/long"
ok 'a trace with one key, of more than 1 MiB' exits 0 "$gsim" validate "$tmp/long"
ok '... is one'                 grep -q 'long: ok (trace)' "$out"

bad () {                        # bad MESSAGE TEXT
    printf '%b' "$2" >"$tmp/bad"
    exits 3 "$gsim" validate "$tmp/bad" && says "bad$1"
    report $? "bad$1"
}

bad ':2:1: not valid YAML: a tab where blanks are needed' 'jobs:\n\t- {submit: 0}\n'
bad ':2:1: not valid YAML: a tab where blanks are needed' 'name: x\n\tjobs: []\n'
bad ':1:1: is text in UTF-16: save it as UTF-8'    '\0377\0376j\0000'
bad ':2:13: not valid YAML: invalid'   'jobs:\n  - {name: "\0344", submit: 0}\n'
bad ': the file is empty, or holds comments only'  '# nothing\n\n'
bad ': is no file that gsim reads'     'name: x\n'
bad ":2:10: 'name' must be a text without" 'jobs:\n- {name: "a\0342\0200\0256b", submit: 0, duration: 1}\n'

# --- as a replay would take it -----------------------------------------------------

printf 'actions: [allocate]\nmodules:\n- gang: {victims: nonsense}\n- binpack: {weight: x}\n' \
    >"$tmp/params.yaml"
wrong params.yaml \
    "params.yaml:3:19: 'victims' must be one of: whole, surplus (got 'nonsense')" \
    "params.yaml:4:21: 'weight' must be a whole number (got 'x')"
printf 'actions: [allocate]\nmodules:\n- consolidate: {tier: nowhere}\n' >"$tmp/tier.yaml"
kind 'profile' "$tmp/tier.yaml"
printf 'actions: [allocate]\nmodules:\n- binpack: {resources: {foo: 1}}\n' >"$tmp/foo.yaml"
kind 'profile' "$tmp/foo.yaml"
printf 'jobs:\n- {name: big, submit: 0, duration: 1, gpus: 64}\n- {name: many, submit: 0,
   duration: 1, gpus: 1, replicas: 1000}\n- {submit: 0, duration: 1, gpus: 1}\n' >"$tmp/big.yaml"
kind 'trace' "$tmp/big.yaml"
one="$root/topology/samples/one-node.yaml"
refuses () {                    # refuses NAME FILE MESSAGE: with a topology
    exits 3 "$gsim" validate "$2" --topology "$one" && says "$3"
    report $? "$1"
}
refuses 'a tier'           "$tmp/tier.yaml" "tier.yaml:3:3: module 'consolidate': no tier above the nodes is called 'nowhere'"
refuses 'a resource'       "$tmp/foo.yaml" "foo.yaml:3:25: no resource is called 'foo'"
refuses 'a job'            "$tmp/big.yaml" "big.yaml: job 'big' could never run: asks for 64 GPUs a task"
ok 'and the other'         says "job 'many' could never run: asks for 1000 GPUs at once"
is 'of three' "$(wc -l <"$errs" | tr -d ' ')" 2
cat >"$tmp/three.yaml" <<'YAML'
tiers: [{name: rack}, {name: node}]
node_types: {t: {gpus: eight, modl: x}, u: {cpu: 4}}
nodes:
  - {name: "n[4-1]", type: u, rack: r1}
  - {name: m, type: v, rack: r1}
YAML
ok 'a topology'               exits 3 "$gsim" validate "$tmp/three.yaml"
ok 'all its parts'            says "three.yaml:4:12: a pattern must look like"
is 'all mistakes' "$(wc -l <"$errs" | tr -d ' ')" 4
printf 'tiers: [{name: rack, speed: 1}]\nnode_types: {t: {gpus: x}}\nnodes: [{name: n, type: t, rack: r}]\n' >"$tmp/part.yaml"
ok 'wrong tiers'              exits 3 "$gsim" validate "$tmp/part.yaml"
is 'blame no node' "$(wc -l <"$errs" | tr -d ' ')" 2
printf 'jobs:\n- {submit: 0, duration: 1, gpus: 1, nodes: {a: b}}\n' >"$tmp/label.yaml"
refuses 'a label'          "$tmp/label.yaml" "could never run: no node has"
printf 'Name,Start\na,0\n' >"$tmp/foreign.csv"
ok 'a foreign header'         exits 3 "$gsim" validate "$tmp/foreign.csv"
ok 'what it needs'            says "names the columns 'submit' and 'duration'"
for f in tier foo; do           # a replay says the same
    exits 3 "$gsim" validate "$tmp/$f.yaml" --topology "$one"
    cp "$errs" "$tmp/said"
    exits 3 "$gsim" replay traces/samples/tiny.swf --policy "$tmp/$f.yaml" \
        --topology "$one" --db "$tmp/said.db"
    is "$f, as in a replay" "$(grep -v "^gsim: note: " "$errs")" "$(cat "$tmp/said")"
done

ok 'a scenario without its topology'  exits 0 "$gsim" validate sim/samples/outages.yaml
ok 'what was not checked'   prints 'ok (scenario; whether its nodes, types and tiers exist: see --topology)'
ok 'a speed model, likewise' exits 0 "$gsim" validate "$tmp/speed"
ok 'and of it'              prints 'ok (speed model; whether its tiers exist'
ok 'with its topology'      exits 0 "$gsim" validate sim/samples/outages.yaml \
    --topology topology/samples/"$(sed -n 's/^topology:.*samples.//p' traces/samples/outages.yaml)"

# --- all mistakes of a file --------------------------------------------------------

for f in tests/data/mistakes/*.yaml; do
    exits 3 "$gsim" validate "$f"
    report $? "$f is refused"
    sed -n "s|^gsim: $f:\([0-9]*\):.*|\1|p" "$errs" >"$tmp/said"
    grep -n '# mistake' "$f" | cut -d: -f1 | diff - "$tmp/said"
    report $? "$f: each mistake, in the order of the lines"
done

# --- what is wrong with it ------------------------------------------------------

cat >"$tmp/events.yaml" <<'YAML'
events:
  - {at: 1h, node: n1, what: drian}
  - {at: 1h, nod: n1, what: fail}
  - {at: 1h, rack: r1, what: fail, gpu: 1}
  - {at: 1h, rack: r1, row: r2, what: fail}
  - {at: 1h, node: "n[5-2]", what: fail}
  - {at: 1h, anything: r1, what: fail}
failures:
  - {what: pod, mtbf: 0s}
  - {what: rack, of: h100, mtbf: 1d}
  - {what: node, of: h100, mtbf: 1d}
autoscale: {type: spot, min: 3, max: 2}
YAML
wrong events.yaml \
    "events.yaml:2:30: 'what' must be one of: drain, fail, repair, add, remove (got 'drian')" \
    "events.yaml:3:14: unknown key 'nod' in event (did you mean 'node'?)" \
    "events.yaml:4:5: 'gpu' is for 'what: fail' and 'what: repair' of a node" \
    "events.yaml:5:24: unknown key 'row' in event (known: at, node, gpu, what, for, notice, rack)" \
    "events.yaml:6:20: a pattern must look like n[001-016] or gpu-[a,b,7-9] (got 'n[5-2]')" \
    "events.yaml:9:23: 'mtbf' must be a time of 1s or more (got '0s')" \
    "events.yaml:10:5: 'of' is for 'what: node' and 'what: gpu'" \
    "events.yaml:12:12: 'min' must not be above 'max' (got 3, 2)"
printf 'events:\n  - {at: 1h, node: gone, what: fail}\n  - {at: 1h, row: x, what: fail}\n' \
    >"$tmp/gone.yaml"
ok 'against a topology'     exits 3 "$gsim" validate "$tmp/gone.yaml" \
    --topology topology/samples/one-node.yaml
ok 'its nodes'              says "gone.yaml:2:20: the topology has no node 'gone'"
ok 'its tiers'              says "gone.yaml:3:14: unknown key 'row' in event"

cat >"$tmp/table.yaml" <<'YAML'
table:
  - {class: a, speed: 2}
  - {klass: a, speed: 2}
  - {class: a, tier: rack, speed: 0}
YAML
wrong table.yaml \
    "table.yaml:3:6: unknown key 'klass' in row (did you mean 'class'?)" \
    "table.yaml:4:35: 'speed' must be a number from 0.001 to 1000 (got '0')"
printf 'table:\n  - {tier: a, speed: 2}\n  - {tier: b, speed: 2}\n  - {tier: a, speed: 2}\n' \
    >"$tmp/twice.yaml"
wrong twice.yaml 'twice.yaml:4:5: row 1 of the table is of the same jobs'

cat >"$tmp/model.yaml" <<'YAML'
span: 1d
arrivals: {process: poisson, rate: 10}
sizes:
  - {gpus: 0, weight: 1, duration: {constant: 5}}
  - {gpus: 1, weight: -1, duration: {lognormal: {mu: 1, sigma: 1}}}
YAML
ok 'a model'                exits 3 "$gsim" validate "$tmp/model.yaml"
ok 'its first size'         says "model.yaml:4:12: 'gpus' must be 1 to"
ok 'and its second'         says "model.yaml:5:23: 'weight' must be"

printf 'traces: [gone.csv, %s]\ntopologies: away.yaml\npolicies: [binpack, bnpack]\n' \
    "$root/traces/samples/tiny.swf" >"$tmp/d/sweep.yaml"
ok 'a sweep'                exits 3 "$gsim" validate "$tmp/d/sweep.yaml"
ok 'its traces, from where it is' says "d/gone.csv: cannot open"
ok 'its topologies'         says "d/away.yaml: cannot open"
ok 'its policies'           says "d/sweep.yaml: no policy is called 'bnpack'"
is 'and no more' "$(wc -l <"$errs" | tr -d ' ')" 3
for set in 'nodes.nosuch: [1, 2]' 'load: [1, x]' 'queues.nosuch.limit.gpu: [1]' 'binpack.wieght: [1, 2]'; do
    printf 'traces: %s\ntopologies: %s\npolicies: binpack\nset: {"%s": %s}\n' \
        "$root/traces/samples/tiny.swf" "$root/topology/samples/two-by-two.yaml" \
        "${set%%: *}" "${set#*: }" >"$tmp/d/set.yaml"
    ok "a change, ${set%%: *}" exits 3 "$gsim" validate "$tmp/d/set.yaml"
    cp "$errs" "$tmp/said"
    exits 3 "$gsim" sweep "$tmp/d/set.yaml" --db "$tmp/d/set.db"
    sed -i '/^gsim: note: /d' "$errs"
    ok 'as the sweep says'   cmp "$errs" "$tmp/said"
done

cat >"$tmp/d/suite.yaml" <<YAML
runs:
  - {name: a, trace: $root/traces/samples/deadlock.yaml, policy: nothing-such,
     rules: {wait.max: {max: 0s}}}
  - {name: a, trace: gone.yaml, policy: binpack, rules: {wait.max: {max: 0s}}}
  - {name: b, trace: gone.yaml, policy: binpack, rules: {wait.mx: {max: 0s}}}
  - {name: c, trace: gone.yaml, policy: binpack, rules: {wait.max: {max: 0s}}}
YAML
ok 'a suite'                exits 3 "$gsim" validate "$tmp/d/suite.yaml"
ok 'its policies'           says "d/suite.yaml: no policy is called 'nothing-such'"
ok 'its names'              says "suite.yaml:4:5: two runs are called 'a'"
ok 'its rules'              says "suite.yaml:5:58: no metric is called 'wait.mx'"
ok 'its traces'             says "d/gone.yaml: cannot open"
is 'and no more' "$(wc -l <"$errs" | tr -d ' ')" 4

printf 'wait.p59: {max: 1h}\njobs.done: {mx: 1}\n' >"$tmp/rules.yaml"
ok 'rules'                  exits 3 "$gsim" validate "$tmp/rules.yaml"
ok 'of no metric'           says "rules.yaml:1:1: no metric is called 'wait.p59'"
ok 'of no kind'             says "rules.yaml:2:13: no rule is called 'mx'"
printf -- '- {gpus: 1}\n- {gpus: 1, weight: 0}\n' >"$tmp/mix.yaml"
ok 'a mix'                  exits 3 "$gsim" validate "$tmp/mix.yaml"
is 'has two mistakes' "$(wc -l <"$errs" | tr -d ' ')" 2
printf '{"baseline": 1, "runs": {"a": {"wait.p95": "x"}}}' >"$tmp/base"
ok 'a baseline'             exits 3 "$gsim" validate "$tmp/base"
ok 'holds numbers'          says 'base: is no baseline: figures must be numbers'
printf 'actions: [allocate]\nmodules: [gang]\nuse: x\n' >"$tmp/p.yaml"
ok 'a profile'              exits 3 "$gsim" validate "$tmp/p.yaml"

cat >"$tmp/within.yaml" <<'YAML'
jobs:
  - {name: a, submit: 0, duration: 5, topology: {within: galaxy}}
YAML
kind 'trace' "$tmp/within.yaml"
ok 'a trace against a topology' exits 3 "$gsim" validate "$tmp/within.yaml" \
    --topology topology/samples/one-node.yaml
ok 'that lacks its tiers'   says "job 'a' names tier 'galaxy'"
for level in shelf node; do
    cat >"$tmp/prefers.yaml" <<YAML
jobs:
  - name: a
    submit: 0
    duration: 5
    topology: {within: node, prefers: $level}
YAML
    ok "a trace that prefers $level" exits 3 "$gsim" validate "$tmp/prefers.yaml" \
        --topology topology/samples/one-node.yaml
done
ok 'inside what it requires' says "job 'a' prefers 'node', which is not inside 'node'"
sed 's/prefers: node/prefers: shelf/' "$tmp/prefers.yaml" >"$tmp/shelf.yaml"
ok 'a tier that is not there' exits 3 "$gsim" replay "$tmp/shelf.yaml" \
    --topology topology/samples/one-node.yaml --no-db
ok 'is told with the job'   says "job 'a' names tier 'shelf'"

echo 'hello: world' >"$tmp/hello"
ok 'what is nothing of it'  exits 3 "$gsim" validate "$tmp/hello"
ok 'is told what there is'  says 'is no file that gsim reads; gsim recognizes files by these keys: trace (jobs), topology (nodes), profile (modules), scenario (events), speed model (table), trace model (arrivals), sweep (traces), rules (wait.p95), suite (runs), mix (- gpus), baseline (baseline), and traces in CSV or SWF'
is 'once' "$(wc -l <"$errs" | tr -d ' ')" 1
: >"$tmp/empty"
ok 'an empty file'          exits 3 "$gsim" validate "$tmp/empty"
ok 'is said to be'          says 'empty: the file is empty'
head -c 4096 /dev/zero >"$tmp/zero"
ok 'and nothing at all'     exits 3 "$gsim" validate "$tmp/zero"
ok 'a topology that is not there' exits 3 "$gsim" validate "$tmp/world" \
    --topology "$tmp/gone"
ok 'standard input'         exits 2 "$gsim" validate -
ok 'is no file'             says 'standard input is not checked: give a file'
ok 'several files, one wrong' exits 3 "$gsim" validate "$tmp/mix" "$tmp/hello"
ok 'and the others are checked' prints 'mix: ok (mix)'

# each job is asked about and forgotten
awk 'BEGIN { print "name,submit,duration,gpus"
    for (i = 0; i < 200000; i++) printf "j%d,%d,60,1\n", i, i }' >"$tmp/many.csv"
case $gsim in
*asan*) ;;                      # takes memory of its own
*)
    ok 'many jobs in little memory' exits 0 sh -c "ulimit -v 90000
        exec '$gsim' validate '$tmp/many.csv' \
            --topology topology/samples/one-node.yaml" ;;
esac

done_testing
