#!/bin/sh
# gsim export: CSV, JSON and Prometheus, with names that mean no good.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
"$gsim" replay traces/samples/preemption.yaml --policy priority-preempt \
    --speed all-reduce --db "$db" >/dev/null
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default \
    --db "$db" >/dev/null
"$gsim" replay traces/samples/outages.yaml --scenario sim/samples/outages.yaml \
    --db "$tmp/outages.db" >/dev/null

csv () {                        # csv WHAT: rows of it, the header aside
    "$gsim" export "$from" --what "$1" | tail -n +2 | wc -l
}

for what in runs jobs samples metrics placements evictions waits outages legs deadlocks; do
    from=$db
    test $what != outages || from=$tmp/outages.db
    ok "$what as JSON"              exits 0 "$gsim" export "$from" --what $what --format json
    n=$(sqlite3 "$from" "SELECT count(*) FROM $what")
    is "$what: every row"           "$(jq length "$out")" "$n"
    is "$what: in CSV too"          "$(csv $what)" "$n"
    "$gsim" export "$from" --what $what --format json >"$tmp/again"
    ok "$what: twice the same"      cmp -s "$out" "$tmp/again"
    is "$what: the header is JSON's keys" \
        "$("$gsim" export "$from" --what $what | head -n 1)" \
        "$(jq -r 'map(keys_unsorted)[0] | join(",")' "$out")"
done
ok 'metrics unless told otherwise'  exits 0 "$gsim" export "$db"
ok 'in CSV'                         prints 'run,name,scope,label,unit,value'
ok 'one run'                        exits 0 "$gsim" export "$db" --what jobs --run kube-default
is 'alone'                          "$(wc -l <"$out")" 3
ok 'values are exact' sh -c "'$gsim' export '$db' --format json |
    jq -e '.[] | select(.name == \"preempt.lost_gpu_hours\" and .value == 0.8666666666666667)' >/dev/null"

"$gsim" export "$tmp/outages.db" --format prometheus >"$tmp/again"
is 'no two series of one name' "$(sed 's/ [^ ]*$//' "$tmp/again" | grep -v '^#' | sort | uniq -d)" ''
ok 'one of a node type'             grep -q '^gsim_node_hours_paid{run="binpack",type="spot"} ' "$tmp/again"

# --- files and mistakes
ok '-o writes a file'               exits 0 "$gsim" export "$db" -o "$tmp/m.csv"
"$gsim" export "$db" >"$tmp/again"
ok 'of the same'                    cmp -s "$tmp/m.csv" "$tmp/again"
ok 'an unknown run'                 exits 2 "$gsim" export "$db" --run nope -o "$tmp/n.csv"
ok 'lists those there are'          says '(there are: priority-preempt, kube-default)'
ok 'and leaves no file'             test ! -e "$tmp/n.csv"
ok 'in Prometheus too'              exits 2 "$gsim" export "$db" --run nope --format prometheus
ok 'the database is not overwritten' exits 2 "$gsim" export "$db" -o "$db"
ok 'and is still one'               exits 0 "$gsim" compare "$db"
ok 'an unknown table'               exits 2 "$gsim" export "$db" --what nodes
ok 'lists those there are'          says 'placements, evictions'
ok 'an unknown format'              exits 2 "$gsim" export "$db" --format xml
ok 'prometheus is for metrics'      exits 2 "$gsim" export "$db" --what jobs --format prometheus
ok 'no database'                    exits 2 "$gsim" export
ok 'a missing one'                  exits 3 "$gsim" export "$tmp/nope.db"
ok 'no folder'                      exits 4 "$gsim" export "$db" -o "$tmp/no/x.csv"
if [ -e /dev/full ]; then
    ok 'a full disk'                exits 4 "$gsim" export "$db" --what samples -o /dev/full
    ok 'the device is still there'  test -e /dev/full
fi

# --- Prometheus
prometheus () {                 # a checker of the text format
    awk '
    /^# HELP / || /^# TYPE / {
        if ($2 == "HELP" && seen[$3]++) { print "twice: " $0; bad = 1 }
        if ($2 == "TYPE" && $4 != "gauge") { print "type: " $0; bad = 1 }
        family = $3
        next
    }
    {
        name = $0
        sub(/[{].*/, "", name)
        if (name != family) { print "astray: " $0; bad = 1 }
        if (series[$0]++) { print "twice: " $0; bad = 1 }
        if ($0 !~ /^[a-z_][a-z0-9_]*[{]([a-z]+="([^"\\]|\\["\\n])*",?)+[}] [-+0-9.eInfNa]+$/) {
            print "syntax: " $0; bad = 1
        }
    }
    END { exit bad }' "$1"
}

ok 'Prometheus'                     exits 0 "$gsim" export "$db" --format prometheus
ok 'units are in names'             prints '# TYPE gsim_wait_p95_seconds gauge'
ok 'help is the definition'         prints '# HELP gsim_gpu_busy share of GPU time held by running jobs'
ok 'queues are labels'              prints 'gsim_wait_mean_seconds{run="priority-preempt",queue="default"} 1650'
ok 'causes too'                     prints 'gsim_wait_by_cause_seconds{run="priority-preempt",cause="capacity"} 6600'
cp "$out" "$tmp/m.prom"
ok 'it is well formed'              prometheus "$tmp/m.prom"
is 'every metric is there' \
    "$(grep -vc '^#' "$tmp/m.prom")" "$(sqlite3 "$db" 'SELECT count(*) FROM metrics')"

# --- hostile names
evil=$tmp/evil.db
cat >"$tmp/evil.yaml" <<EVIL
topology: $root/topology/samples/two-nodes.yaml
queues:
  - {name: "<script>alert(1)</script>"}
  - {name: '\\"} 1'}
  - {name: "=cmd|' /C calc'!A0"}
jobs:
  - {name: "\`touch $tmp/x\`", submit: 0, duration: 1h, gpus: 1, queue: "<script>alert(1)</script>"}
  - {name: '=HYPERLINK("http://x","y")', submit: 0, duration: 1h, gpus: 1, queue: '\\"} 1'}
  - {name: "@SUM(1,1)", submit: 0, duration: 1h, gpus: 1, queue: "=cmd|' /C calc'!A0"}
  - {name: "-2+3", submit: 0, duration: 1h, gpus: 1, queue: "<script>alert(1)</script>"}
  - {name: "+1", submit: 0, duration: 1h, gpus: 1, queue: "<script>alert(1)</script>"}
EVIL
for run in '<script>alert(1)</script>' "'; drop table jobs; --" "\`touch $tmp/x\`" \
    '=1+1' 'a"} 1'; do
    "$gsim" replay "$tmp/evil.yaml" --policy binpack --run "$run" --db "$evil" >/dev/null
done
# what no trace may bring, a database may
sqlite3 "$evil" "UPDATE job_rows SET name = 'a' || char(10) || '=1' || char(27) || 'b'
                 WHERE run_id = 1 AND job = 4;
                 UPDATE metrics SET value = 9e999 WHERE run_id = 1 AND name = 'makespan'"
for what in runs jobs metrics placements; do
    ok "$what with hostile names"   exits 0 "$gsim" export "$evil" --what $what
    ok "... have no formula" \
        sh -c "! grep -Eq '(^|,)\"?[=+@]|(^|,)\"?-[^0-9]|(^|,)\"?-[0-9.]*[^0-9.e,-]' '$out'"
    is "... nor more lines"         "$(wc -l <"$out")" \
        "$(($(sqlite3 "$evil" "SELECT count(*) FROM $what") + 1))"
    ok "... in JSON"                exits 0 "$gsim" export "$evil" --what $what --format json
    ok "... which jq reads"         sh -c "jq . '$out' >/dev/null"
done
ok 'a name stays one cell'          exits 0 "$gsim" export "$evil" --what jobs --run '=1+1'
ok 'in quotes'                      prints "'=1+1,1,\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\","
ok 'control characters are none'    exits 0 "$gsim" export "$evil" --what jobs --run '<script>alert(1)</script>'
ok 'but question marks'             prints ',a?=1?b,'
ok 'a run is found by its name'     exits 0 "$gsim" export "$evil" --run "'; drop table jobs; --"
ok 'which is no SQL'                test "$(wc -l <"$out")" -gt 10
ok 'Prometheus'                     exits 0 "$gsim" export "$evil" --format prometheus
cp "$out" "$tmp/m.prom"
ok 'is well formed'                 prometheus "$tmp/m.prom"
ok 'labels are escaped'             prints 'run="a\"} 1",queue="\\\"} 1"}'
ok 'what is infinite too'           prints ' +Inf'
ok 'nothing was run'                test ! -e "$tmp/x"
: >"$tmp/empty.db"
ok 'an empty file'                  exits 3 "$gsim" export "$tmp/empty.db"
ok 'is told to be one'              says 'empty.db: holds no runs'
# --- a trace for viewers: the rules of perfetto's reader of JSON
# The faults of a trace: keys of events, numbers, slices of a thread that overlap
# in part, threads of two processes, names that are missing.
faults () {                     # faults FILE
    jq -r '.traceEvents[] | [.ph, .pid, .tid // 0, .ts // -1, .dur // -1,
        (.name | length), ([.. | arrays] | length),
        (if .ph == "C" then ([.args[] | numbers] | length) else 1 end)] | @tsv' "$1" |
        perl -e '
        while (<>) {
            my ($ph, $pid, $tid, $ts, $dur, $name, $arrays, $values) = split;
            print "$ph\n" if $ph !~ /^[MXC]$/;
            print "pid $pid tid $tid\n" if $pid !~ /^[1-9]\d*$/ || $tid !~ /^\d+$/;
            print "no name, or an array\n" if !$name || $arrays || !$values;
            print "ts $ts\n" if $ph ne "M" && $ts !~ /^\d+$/;
            $named{$ph eq "M" ? $tid || "p$pid" : 0} = 1;
            next if $ph ne "X";
            print "dur $dur\n" if $dur !~ /^\d+$/;
            print "thread $tid\n" if $tid == 0 || $tid == $pid || ($of{$tid} //= $pid) != $pid;
            print "no name of $pid or $tid\n" if !$named{$tid} || !$named{"p$pid"};
            push @{$slice{$tid}}, [$ts, $ts + $dur];
        }
        for my $tid (keys %slice) {
            my @open;
            for my $s (sort { $a->[0] <=> $b->[0] || $b->[1] <=> $a->[1] } @{$slice{$tid}}) {
                pop @open while @open && $open[-1][1] <= $s->[0];
                print "overlap on $tid\n" if @open && $open[-1][1] < $s->[1];
                push @open, $s;
            }
        }'
}
held () { jq '[.traceEvents[] | select(.cat == "job") | .args | "\(.job).\(.placement)"] | unique | length' "$1"; }
slices () { jq '[.traceEvents[] | select(.cat == "job")] | length' "$1"; }
bits () {                       # bits DATABASE RUN: GPUs of placements, 1 where none
    sqlite3 "$1" "SELECT devices FROM placements p JOIN runs r ON r.id = run_id WHERE name = '$2'" |
        perl -ne '$n += (sprintf("%b", $_) =~ tr/1//) || 1; END { print $n + 0 }'
}
"$gsim" replay traces/samples/mig.yaml --policy binpack --db "$tmp/mig.db" -q
"$gsim" replay traces/samples/philly.csv.gz --topology topology/samples/philly-tight.yaml \
    --limit 3000 --policy kube-default --db "$tmp/philly.db" -q
"$gsim" replay traces/samples/openb-pods.csv --topology topology/samples/openb-nodes.csv \
    --limit 1500 --policy binpack --db "$tmp/openb.db" -q
for from in "$db deadlock.yaml kube-default" "$db preemption.yaml priority-preempt" \
    "$tmp/mig.db mig.yaml binpack" "$tmp/philly.db philly kube-default" \
    "$tmp/openb.db openb binpack" "$tmp/outages.db outages binpack"; do
    # shellcheck disable=SC2086 # three words
    set -- $from
    ok "$2 for viewers"         exits 0 "$gsim" export "$1" --format perfetto --run "$3"
    is "$2: no fault"           "$(faults "$out" | head -3)" ''
    is "$2: every placement"    "$(held "$out")" "$(sqlite3 "$1" "SELECT count(*) FROM placements p
        JOIN runs r ON r.id = p.run_id WHERE r.name = '$3'")"
    is "$2: on every GPU"       "$(slices "$out")" "$(bits "$1" "$3")"
done
"$gsim" export "$tmp/philly.db" --format perfetto >"$tmp/philly.json"
is 'queues: nobody waits at last' "$(jq -r '[.traceEvents[] | select(.ph == "C")] | group_by(.name) |
    map(last.args.jobs) | add' "$tmp/philly.json")" 0
is 'queues: none is below 0'    "$(jq '[.traceEvents[] | select(.ph == "C" and .args.jobs < 0)] | length' \
    "$tmp/philly.json")" 0
"$gsim" export "$db" --format perfetto --run priority-preempt >"$tmp/pre.json"
is 'evicted jobs wait again'    "$(jq -c '[.traceEvents[] | select(.ph == "C") | [.ts / 60e6, .args.jobs]]' \
    "$tmp/pre.json")" '[[0,0],[10,2],[40,0],[50,1],[100,0]]'
ok 'one run only'               exits 2 "$gsim" export "$db" --format perfetto
ok 'tells which there are'      says 'choose it with --run (there are: priority-preempt, kube-default)'
ok 'all of it'                  exits 2 "$gsim" export "$db" --format perfetto --what jobs --run kube-default
cp "$tmp/mig.db" "$tmp/odd.db"
sqlite3 "$tmp/odd.db" "UPDATE placements SET start_us = -5, end_us = 9223372036854775807 WHERE seq = 0;
    UPDATE placements SET node = 99 WHERE job = 1; UPDATE job_rows SET name = char(1) || '\"\\'; UPDATE job_kinds SET queue = ''"
ok 'damaged rows'               exits 0 "$gsim" export "$tmp/odd.db" --format perfetto
ok 'are JSON'                   jq -e .traceEvents "$out" >"$tmp/again"

done_testing
