#!/bin/sh
# gsim whatif: changes, searches, targets, costs; and replay --set.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

philly=traces/samples/philly.csv.gz
tight=topology/samples/philly-tight.yaml
whatif () { "$gsim" whatif "$philly" --topology "$tight" "$@"; }

# --- a planner's question: the answer of a search is that of looking at all
ok 'a search'                       exits 0 whatif --set load=1.5 \
    --vary nodes.gpu8=150..166:2 --target 'wait.p95<=10m' --plot "$tmp/n.svg"
ok 'tells the fewest nodes that do' prints \
    'from nodes.gpu8=158 on: 8m44s (1264 GPUs); with 156 it is 12m58s'
if command -v gnuplot >/dev/null; then
    ok 'and draws'                  grep -q '</svg>' "$tmp/n.svg"
    ok 'the target'                 grep -q '>target 10m<' "$tmp/n.svg"
    ok 'its answer, with its figure' grep -q '>158: 8m44s<' "$tmp/n.svg"
    ok 'the axis'                   grep -q '>nodes.gpu8<' "$tmp/n.svg"
fi
ok 'as CSV'                         exits 0 whatif --set load=1.5 \
    --vary nodes.gpu8=150..166:2 --target 'wait.p95<=10m' --format csv
sed -n 's/,1$//p' "$out" | sort -t, -k2n | head -n 1 >"$tmp/found"
few=$(wc -l <"$out")
ok 'all of it'                      exits 0 whatif --set load=1.5 --full \
    --vary nodes.gpu8=150..166:2 --target 'wait.p95<=10m' --format csv
sed -n 's/,1$//p' "$out" | sort -t, -k2n | head -n 1 >"$tmp/there"
ok 'has the same answer'            cmp "$tmp/found" "$tmp/there"
ok 'and more rows'                  test "$(wc -l <"$out")" -gt "$few"
cp "$out" "$tmp/csv"
ok 'with one process'               exits 0 whatif --set load=1.5 --full --jobs 1 \
    --vary nodes.gpu8=150..166:2 --target 'wait.p95<=10m' --format csv
ok 'the same'                       cmp "$out" "$tmp/csv"

# --- a point is what replay says
value () { sqlite3 "$tmp/r.db" "SELECT value FROM metrics WHERE name = 'wait.mean' AND scope = 'cluster'"; }
point () { whatif --format csv --metric wait.mean "$@" | tail -n 1 | cut -d, -f8; }
for change in load=1.3 durations=0.5 nodes.gpu8=80 nodes.gpu8=+4 nodes.gpu8=-4 \
    without=r03 without=n01 queues.ee9e8c.limit.gpu=64; do
    rm -f "$tmp/r.db"
    ok "replay --set $change"       exits 0 "$gsim" replay "$philly" \
        --topology "$tight" --set $change --db "$tmp/r.db"
    is 'says the same'              "$(printf %.9g "$(point --vary $change)")" \
        "$(printf %.9g "$(value)")"
done
is 'a rack less is eight nodes less' \
    "$(whatif --vary without=r11 --format csv | tail -n 1 | cut -d, -f3,4)" 80,640
"$gsim" replay traces/samples/preemption.yaml --policy priority-preempt \
    --set priority_classes.high.preemption=never --db "$tmp/p.db" >/dev/null
is 'a class that may no more preempt' "$(sqlite3 "$tmp/p.db" \
    "SELECT value FROM metrics WHERE name = 'preempt.count'")" 0.0
"$gsim" replay traces/samples/reclaim.yaml --policy volcano \
    --set queues.a.preemptible=false --db "$tmp/q.db" >/dev/null
is 'jobs that may not be evicted'   "$(sqlite3 "$tmp/q.db" \
    "SELECT value FROM metrics WHERE name = 'preempt.count'")" 0.0

# --- pods are counted once a change limits them
cat >"$tmp/pods.yaml" <<'EOF'
queues: [{name: a}]
jobs: [{name: j, submit: 0, duration: 1h, gpus: 1, queue: a},
       {name: k, submit: 0, duration: 1h, gpus: 1, queue: a}]
EOF
ok 'a limit of pods'                exits 0 "$gsim" whatif "$tmp/pods.yaml" \
    --topology "$tight" --policy volcano --vary queues.a.limit.pods=1,2 \
    --metric wait.max --format csv
is 'holds'                          "$(cut -d, -f8 "$out" | tr '\n' ' ')" \
    'wait.max 3600 0 '

# --- a larger quota
cat >"$tmp/quota.yaml" <<'EOF'
quotas: [{name: a.b, limit: {gpu: 1}}]
jobs: [{name: j, submit: 0, duration: 1h, gpus: 1, quotas: a.b},
       {name: k, submit: 0, duration: 1h, gpus: 1, quotas: a.b}]
EOF
ok 'a limit of a quota'             exits 0 "$gsim" whatif "$tmp/quota.yaml" \
    --topology "$tight" --policy kube-default --vary quotas.a.b.limit.gpu=1,2 \
    --metric wait.max --format csv
is 'holds'                          "$(cut -d, -f8 "$out" | tr '\n' ' ')" \
    'wait.max 3600 0 '
ok 'a quota that is not there'      exits 2 "$gsim" replay "$tmp/quota.yaml" \
    --topology "$tight" --no-db --set quotas.none.jobs=2
ok 'is told'                        says "no quota of the trace is meant by"

# --- other questions
ok 'the most load'                  exits 0 whatif --vary load=0.8..1.4:0.1 \
    --target 'wait.mean<=30m'
ok 'is up to'                       prints 'binpack: up to load=0.9: '
ok 'no value'                       exits 1 whatif --vary nodes.gpu8=80,84 \
    --target 'wait.mean<=1s'
ok 'and the nearest'                prints 'binpack: at no value; the nearest is '
ok 'the cheapest of two axes'       exits 0 whatif --vary load=1,1.4 \
    --vary nodes.gpu8=80..120:20 --target 'wait.mean<=30m' --cost gpu8=2 --cost '*=9'
ok 'with its cost'                  prints \
    'Cheapest: binpack with nodes.gpu8=100 and load=1, 800 GPUs, 1600.00 an hour.'
ok 'the most load at one price'     exits 0 whatif --vary load=0.8..1.4:0.1 \
    --target 'wait.mean<=30m' --cost '*=2'
ok 'is the same'                    prints 'binpack: up to load=0.9: '
ok 'none of those replayed'         exits 1 whatif --vary load=0.8..1.6:0.1 \
    --target 'wait.mean<=0s'
ok 'is not none of all'             prints 'binpack: at no value replayed; the nearest is '
ok 'before and after'               exits 0 whatif --set nodes.gpu8=+8
ok 'side by side'                   prints 'binpack              as it is   changed  difference'
ok 'GPUs too'                       prints 'GPUs                      704       768         +64'
ok 'a target for what is changed'   exits 1 whatif --set nodes.gpu8=+8 --target 'wait.mean<=1m'
ok 'words for values'               exits 0 whatif --vary without=r01,r02 --limit 500
ok 'a table'                        prints 'r01       640'

ok 'another policy'                 exits 0 whatif --set policy=spread --metric wait.mean
is 'is that policy'                 "$(awk '/^wait.mean/ { print $3 }' "$out")" \
    "$(whatif --policy spread --set load=1 --metric wait.mean | sed 's/ (bound [^)]*)//' |
        awk '/^wait.mean/ { print $2 }')"
ok 'policies as an axis'            exits 0 whatif --vary policy=fifo,spread,binpack \
    --target 'wait.mean<=2h'
ok 'have their answer'              prints 'policy=binpack'
for order in binpack,spread,kube-default spread,kube-default,binpack; do
    ok "in whatever order: $order"  exits 0 whatif --vary policy=$order \
        --target 'wait.mean<=2h'
    ok 'the one that meets it'      prints 'binpack: at policy=binpack: 1h (704 GPUs)'
done
ok 'numbers out of order, too'      exits 0 whatif --vary load=1.4,0.9,1.2 \
    --target 'wait.mean<=30m'
ok 'have their answer'              prints 'binpack: at load=0.9: '
ok 'jobs that are left out are told' exits 0 whatif --limit 3000 --vary nodes.gpu8=1,8 \
    --target 'wait.p95<=200d'
ok 'as they flatter it'             prints ' GPUs; but '

# --- mistakes: one line, and nothing is replayed
mistake () {                        # mistake STATUS TEXT OPTION...
    want=$1
    text=$2
    shift 2
    ok "refused: $*"                exits "$want" whatif "$@"
    ok 'in one line, with why'      says "$text"
    is 'and nothing is printed'     "$(cat "$out")" ''
}
mistake 2 'nothing changes' --policy fifo
mistake 2 "at most two '--vary'" --vary a=1 --vary b=1 --vary c=1
mistake 2 'must be PATH=FROM..TO:STEP or PATH=A,B,C' --vary load
mistake 2 'a range is FROM..TO:STEP' --vary load=2..1
mistake 2 'a factor must be 0.001 to 1000 (got 0)' --vary load=0
mistake 2 "'load' must be a number such as 1.2 (got 'x')" --vary load=x
mistake 2 "no node is of the type 'x' (there are: gpu8)" --vary nodes.x=1..3
mistake 2 '+N or -N to change the present 88' --vary nodes.gpu8=-89
mistake 2 'no node and no domain is called' --set without=r99
mistake 2 "no QOS of the trace is meant by 'qos.none.priority'" --set qos.none.priority=2
mistake 2 'no account of the trace is meant by' --set accounts.none.shares=2
mistake 2 'no partition of the trace is meant by' --set partitions.none.tier=2
mistake 2 'no queue of the trace is meant by' --set queues.none.weight=2
mistake 3 "'weight' must be at least 0 and at most 1e9" --set queues.ee9e8c.weight=-2
mistake 2 "neither the trace nor the topology has the resource 'tpu'" \
    --set queues.ee9e8c.limit.tpu=64
mistake 3 "as a resource GPUs are called 'gpu', not 'gpus'" \
    --set queues.ee9e8c.limit.gpus=64
mistake 2 'must be PATH=VALUE' --set "$(printf 'queues.ee9e8c.weight=1\nstate: closed')"
mistake 2 "no setting is called 'foo'" --set foo=1
mistake 2 'no metric is called' --vary load=1 --target 'wait.p59<=1m'
mistake 2 'must be METRIC<=AMOUNT' --vary load=1 --target 'wait.p95=1m'
mistake 2 'must be a time' --vary load=1 --target 'wait.p95<=soon'
mistake 2 'a share such as 20% or 0.2, at most 100%' --vary load=1 \
    --target 'gpu.allocated>=80'
mistake 2 'must be METRIC<=AMOUNT' --vary load=1 --target 'wait.p95<=1m, min: 1m'
mistake 2 'no metric is called' --vary load=1 --metric nope
mistake 2 "'--cost' must be TYPE=PRICE" --vary load=1 --cost gpu8=-1
mistake 2 'no node is of the type' --vary load=1 --cost h100=1 --cost '*=1'
mistake 2 'has two prices of' --vary load=1 --cost gpu8=1 --cost gpu8=2
mistake 2 "must be of two paths (got 'load' twice)" --vary load=1 --vary load=2
mistake 2 "'--plot' must end in" --vary load=1 --plot x.gif
mistake 2 "'--plot' needs '--vary'" --set load=1 --plot x.svg
mistake 2 'at most 100000 replays' --vary load=1..10000 --vary nodes.gpu8=1..100
mistake 3 'no value leaves any node in the topology' --vary nodes.gpu8=0
mistake 2 "did you mean 'binpack'" --vary load=1 --policy binpak
mistake 4 'cannot write' --vary load=1 --limit 10 --plot "$tmp/no/x.svg"

# --- a cluster of two types, of which one has a price
cat >"$tmp/two.yaml" <<'EOF'
node_types: {x: {gpus: 8}, y: {gpus: 4}, z: {gpus: 0}}
nodes: [{name: "x[1-4]", type: x}, {name: "y[1-2]", type: y}, {name: z, type: z}]
EOF
two () { "$gsim" whatif traces/samples/deadlock.yaml --topology "$tmp/two.yaml" \
    --vary load=1 --format csv "$@"; }
ok 'no GPU is free of cost by mistake' exits 2 two --cost x=3
ok 'which is told'                  says "has no price of 'y', and no '*=PRICE'"
ok 'a price of all the others'      exits 0 two --cost '*=1' --cost x=3
is 'counts for them'                "$(tail -n 1 "$out" | cut -d, -f5)" 104

# --- an endless deadlock meets no bound, whatever the window shows of it; one of
# another seed or trace neither
mkdir "$tmp/dead"
cat >"$tmp/dead/p.yaml" <<'EOF'
node_types: {g: {gpus: 11}}
nodes: [{name: n1, type: g}]
EOF
cat >"$tmp/dead/t.yaml" <<'EOF'
topology: p.yaml
jobs:
  - {name: beside, submit: 0, duration: 10h, gpus: 1}
  - {name: a, submit: 100, duration: 1h, replicas: 8, gpus: 1, task_interval: 1s}
  - {name: b, submit: 100, duration: 1h, replicas: 8, gpus: 1, task_interval: 1s}
EOF
sed '/name: b/d' "$tmp/dead/t.yaml" >"$tmp/dead/alone.yaml"
for m in seconds gpu_hours; do
    dead () { "$gsim" whatif "$tmp/dead/t.yaml" --policy kube-default --to 110s \
        --vary nodes.g=1..3:1 --target "deadlock.$m <= 1000000" --full "$@"; }
    ok "deadlock.$m"                exits 0 dead
    ok 'is met without a deadlock'  prints 'from nodes.g=2 on'
    ok 'endless before that'        prints 'with 1 it is endless'
    ok 'CSV'                        exits 0 dead --format csv
    is '... says inf, which does not meet it' \
        "$(awk -F, '$8 == "inf" { print $8 "," $NF }' "$out")" inf,0
    ok 'JSON'                       exits 0 dead --format json
    is '... says so'                "$(jq -c ".points[0] | [.met, .metrics[\"deadlock.$m\"].endless]" "$out")" '[false,true]'
    ok 'in means of seeds'          exits 0 dead --seeds 3
    ok '... too'                    prints 'with 1 it is endless'
    ok 'on one of two traces'       exits 1 "$gsim" whatif "$tmp/dead/alone.yaml" "$tmp/dead/t.yaml" \
        --policy kube-default --vary nodes.g=1,1 --target "deadlock.$m <= 1000000"
    ok '... it is told'             prints 'the nearest is endless'
    ok 'at least so much'           exits 0 "$gsim" whatif "$tmp/dead/t.yaml" --policy kube-default \
        --vary nodes.g=1 --target "deadlock.$m >= 1"
    ok 'without an axis'            exits 1 "$gsim" whatif "$tmp/dead/t.yaml" --policy kube-default \
        --set load=1.1 --target "deadlock.$m <= 1000000"
done

# --- on two nodes the target is met because the largest job is rejected
{
    echo 'jobs:'
    echo '  - {name: big, submit: 0, duration: 2h, gpus: 8, replicas: 3}'
    for i in 1 2 3 4; do
        echo "  - {name: s$i, submit: ${i}m, duration: 10m, gpus: 8}"
    done
} >"$tmp/flatter.yaml"
flatter () { "$gsim" whatif "$tmp/flatter.yaml" --topology "$tight" \
    --target 'wait.mean<=13m' "$@"; }
for cost in --full --cost=gpu8=1; do
    ok "who rejects is no answer: $cost" exits 0 flatter --vary nodes.gpu8=1..8 $cost
    ok 'although it is smaller'     prints 'binpack: from nodes.gpu8=4 on: 10m48s ('
    ok 'and meets the target'       prints ' *4m '
    ok "words are no better: $cost" exits 0 flatter --vary nodes.gpu8=2,1,5,3,4 $cost
    ok 'than numbers'               prints 'binpack: at nodes.gpu8=4: 10m48s ('
done
ok 'one job is told to be one'      exits 0 flatter --vary nodes.gpu8=2
ok 'in the words'                   prints '; but 1 job rejected)'

# --- names that mean no good
cat >"$tmp/bad.yaml" <<'EOF'
node_types: {"<script>alert(1)</script>": {gpus: 8}}
nodes:
  - {name: "`touch x`", type: "<script>alert(1)</script>"}
EOF
cat >"$tmp/bad-trace.yaml" <<'EOF'
queues: [{name: "'; drop table jobs; --"}]
jobs:
  - {name: "\"; system \"touch x\"", submit: 0, duration: 1m, gpus: 8,
     queue: "'; drop table jobs; --"}
EOF
ok 'nothing of it is taken for more' exits 0 "$gsim" whatif "$tmp/bad-trace.yaml" \
    --topology "$tmp/bad.yaml" --vary 'nodes.<script>alert(1)</script>=1,2' \
    --metric "wait.mean[queue='; drop table jobs; --]" --plot "$tmp/bad.svg"
ok 'no script in the picture'       sh -c "! grep -q '<script' '$tmp/bad.svg'"
ok 'and no file'                    test ! -e x
# --- no nodes, no effect, seeds
small=traces/samples/preemption.yaml
ok 'no nodes miss'        exits 0 "$gsim" whatif $small --vary nodes.gpu8=0..3 --target 'wait.p95<=10m'
ok 'and the search goes on' prints 'from nodes.gpu8=2 on'
ok 'and it is said'       prints 'no nodes'
ok 'a limit nobody reads' exits 0 "$gsim" whatif traces/samples/reclaim.yaml --policy hybrid \
    --vary queues.a.limit.gpu=8,16,32
ok 'has no effect'        prints 'queues.a.limit.gpu has no effect'
ok 'nodes have one'       sh -c "! '$gsim' whatif $small --vary nodes.gpu8=1,2 | grep -q 'no effect'"
ok 'seeds'                exits 0 "$gsim" whatif $small --policy random --seeds 4 --vary nodes.gpu8=0,2,3 \
    --format json
is 'give a margin'        "$(jq '.points[1].metrics["wait.mean"].ci_half > 0' "$out")" true
is 'no nodes, no value'   "$(jq '.points[0].metrics["wait.mean"]' "$out")" null
ok 'a mistake of --vary'  exits 2 "$gsim" whatif $small --vary nodes.nosuch=1,2
ok 'is not of --set'      says '--vary: no node is of the type'

# --- several traces: the answer meets the target on each of them
sed "s,\.\./\.\./,$PWD/,; s/submit: 0/submit: 5m/" $small >"$tmp/other.yaml"
several () { "$gsim" whatif "$@" --vary nodes.gpu8=1..4 --target 'wait.mean<=23m'; }
alone () { several "$1" --format json | jq -r .answer.at[]; }
ok 'two traces'           exits 0 several $small "$tmp/other.yaml"
ok 'each of them'         prints 'wait.mean is at most 23m on each of 2 traces:'
is 'one needs less'       "$(alone $small) $(alone "$tmp/other.yaml")" '1 2'
ok 'the other decides'    prints "with 1 it is 25m on $tmp/other.yaml"
ok 'a column for it'      prints ' trace  wait.mean'
ok 'a row each, marked where it meets it' prints '*22m30s'
ok 'before and after'     exits 0 "$gsim" whatif $small "$tmp/other.yaml" --set nodes.gpu8=+1
ok 'of each'              prints "$tmp/other.yaml:"
several $small "$tmp/other.yaml" --format csv >"$tmp/several.csv"
is 'CSV by trace'         "$(sed -n 1p "$tmp/several.csv" | cut -d, -f1-3) $(wc -l <"$tmp/several.csv")" \
    'trace,policy,nodes.gpu8 9'
is 'a row is the trace alone' "$(grep "^$small,binpack,1," "$tmp/several.csv" | cut -d, -f2-)" \
    "$(several $small --format csv | grep '^binpack,1,')"
is 'JSON by trace'        "$(several $small "$tmp/other.yaml" --format json |
    jq -c '.points[0] | [.met, .metrics["wait.mean"].mean, [.traces[].met]]')" \
    '[false,1500,[true,false]]'
ok 'other clusters'       exits 2 several $small traces/samples/deadlock.yaml
ok 'are refused'          says 'the traces must be of one topology'
ok 'twice the same'       exits 2 several $small $small
done_testing
