#!/bin/sh
# gsim diff: the first decision in which two runs part.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --db "$db" -q

ok 'two runs'                   exits 1 "$gsim" diff "$db" spread binpack
ok 'when, after what'           prints 'differs: at 0s, after 0 equal placements'
ok 'which job'                  prints 'job small-2 (#1), 1 GPU, queue default; 6 more'
ok 'what one did'               prints 'A  it is placed on n2 (GPU 0)'
ok 'what the other did'         prints 'B  it is placed on n1 (GPU 1)'
ok 'points of modules'          prints '  binpack                  250.000       125.000'
ok 'the queue'                  prints '  default                 1            8'
ok 'the profiles'               prints 'A  least-allocated: {weight: 1'
ok 'the waits'                  prints '  of 9 jobs 1 waits less under B, 0 more'
ok 'who gained'                 prints '  big                    8  default            1h59m'
is 'in 80 columns'              "$(awk 'length > 80' "$out")" ''
is 'nothing after a line'       "$(grep -c ' $' "$out")" 0
ok 'no colour in a pipe'        sh -c "! LC_ALL=C grep -q '[^ -~]' '$out'"
ok 'the same runs'              exits 0 "$gsim" diff "$db" spread spread
ok 'no decision differs'        prints 'No decision differs: 9 jobs, 9 placements'
ok 'as JSON'                    exits 1 "$gsim" diff "$db" spread binpack --format json
is 'that jq reads'              "$(jq -r '.first | .job.name, .at_us, .deeds[1].places[0].node,
    .reasons[1].nodes[0].points.binpack, .together | if type == "array" then length else . end' \
    "$out" | tr '\n' ' ')" 'small-2 0 n1 250 7 '

cp "$db" "$tmp/b.db"
ok 'of two databases'           exits 1 "$gsim" diff "$db:spread" "$tmp/b.db:binpack"
ok 'the same'                   prints 'job small-2 (#1)'
ok 'the same run of both'       exits 0 "$gsim" diff "$db:spread" "$tmp/b.db:spread"
ok 'no database'                exits 2 "$gsim" diff nix.db:a "$db:spread"
ok 'no run'                     exits 2 "$gsim" diff "$db" spread nix
ok 'tells which there are'      says 'there are: spread, binpack'
ok 'one run'                    exits 2 "$gsim" diff "$db" spread
ok 'other jobs'                 sh -c "'$gsim' replay traces/samples/preemption.yaml \
    --policy priority-preempt --policy fifo --db '$tmp/p.db' -q"
ok 'are not compared'           exits 2 "$gsim" diff "$db:spread" "$tmp/p.db:fifo"
ok 'and told'                   says "of different jobs: 'spread' has 9, 'fifo' 4"

# --- evictions, order, quota, inputs
ok 'an eviction'                exits 1 "$gsim" diff "$tmp/p.db" priority-preempt fifo
ok 'is of the job it is for'    prints 'A  it is placed on n1 (GPU 0-7), evicting low-2, low-1'
ok 'why the other waits'        prints 'B  it waits: capacity'
"$gsim" replay traces/samples/drf.yaml --policy drf --policy fifo --db "$tmp/d.db" -q
ok 'an order'                   exits 1 "$gsim" diff "$tmp/d.db" drf fifo
ok 'names the module'           prints 'and goes before A, by drf'
ok '... or none'                prints 'after A, by order of submission'
"$gsim" replay traces/samples/fragmentation.yaml --policy binpack+queue+gang --run free \
    --db "$tmp/q.db" -q
"$gsim" replay traces/samples/fragmentation.yaml --policy binpack+queue+gang --run bound \
    --set queues.default.limit.gpu=4 --db "$tmp/q.db" -q
ok 'a limit'                    exits 1 "$gsim" diff "$tmp/q.db" free bound
ok 'names what refuses'         prints 'B  it waits: quota, refused by queue'
"$gsim" replay traces/samples/fragmentation.yaml --policy binpack --set load=0.5 \
    --db "$db" --run slow -q
ok 'another load'               exits 1 "$gsim" diff "$db" binpack slow
ok 'is told'                    prints 'The runs differ in their inputs: load'

# --- inputs that are gone
mkdir -p "$tmp/gone/traces" "$tmp/gone/topology/samples"
cp -r traces/samples "$tmp/gone/traces"
cp topology/samples/*.yaml "$tmp/gone/topology/samples"
cd "$tmp/gone" || exit 1
"$gsim" replay traces/samples/fragmentation.yaml --policy spread \
    --policy binpack --db a.db -q
ok 'relative paths'             exits 1 "$gsim" diff a.db spread binpack
ok 'are found'                  prints 'Points of nodes'
echo '# changed' >>traces/samples/fragmentation.yaml
ok 'a trace that changed'       exits 1 "$gsim" diff a.db spread binpack
ok 'what the rows tell'         prints 'A  it is placed on n2 (GPU 0)'
is 'one line says so'           "$(grep -c 'not the one that the run was made of' "$out")" 1
is 'no points'                  "$(grep -c Points "$out")" 0
rm traces/samples/fragmentation.yaml
"$gsim" replay traces/samples/preemption.yaml --policy priority-preempt --policy fifo \
    --db waits.db -q && rm traces/samples/preemption.yaml
ok 'a job that waits'           exits 1 "$gsim" diff waits.db priority-preempt fifo
ok 'for what, by its row'       prints ' it is evicted (preempt for high)'
ok 'a trace that is gone'       exits 1 "$gsim" diff a.db spread binpack
is 'one line says so'           "$(grep -c 'not replayed' "$out")" 1
cd "$root" || exit 1

# --- recordings of the scheduler's door
rec=tests/data/host
ok 'two recordings'             exits 1 "$gsim" diff $rec/binpack.txt $rec/spread.txt
ok 'the cycle'                  prints 'answers that differ: in the cycle at 5s (lines 26 and 26)'
ok 'what came before'           prints 'the last call before: submit 5000000 j0'
ok 'one answer'                 prints '  A  place j0 0 0+1 c1 0'
ok 'the other'                  prints '  B  place j0 0 0+1 a1 0'
ok 'the same recording'         exits 0 "$gsim" diff $rec/fifo.txt $rec/fifo.txt
ok 'no answer differs'          prints 'No answer differs: '
grep -n '^ place' $rec/fifo.txt | sed -n '9{s/:.*//;p;}' >"$tmp/at"
sed "$(cat "$tmp/at")d" $rec/fifo.txt >"$tmp/less.txt"
ok 'an answer less'             exits 1 "$gsim" diff "$tmp/less.txt" $rec/fifo.txt
ok 'is found'                   prints "(lines $(cat "$tmp/at") and $(cat "$tmp/at"))"
ok 'after those that are there' prints '  after 8 equal decisions'
ok 'other calls'                exits 1 "$gsim" diff $rec/binpack.txt $rec/binpack-period.txt
ok 'are told as such'           prints 'The first calls that differ: after the cycle at 5s'
ok 'as JSON'                    exits 1 "$gsim" diff $rec/fifo.txt $rec/drf.txt --format json
is 'that jq reads'              "$(jq -r '.by, .at_us, .sides[1].profile' "$out" | tr '\n' ' ')" 'answers 5000000 drf - '
ok 'no recording'               exits 3 "$gsim" diff $rec/fifo.txt $rec/cases
ok 'says so'                    says 'cases: is no recording'
ok 'nor is a database'          exits 3 "$gsim" diff "$db" $rec/fifo.txt

done_testing
