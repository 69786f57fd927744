#!/bin/sh
# gsim replay as a user runs it: tables, rows, the same rows again.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

db=$tmp/a.db
sql () { sqlite3 "$db" "$1"; }

ok 'one trace, three policies' exits 0 "$gsim" replay \
    traces/samples/fragmentation.yaml --policy spread --policy binpack \
    --policy kube-default --db "$db"
ok 'prints a comparison'       prints 'wait.mean'
is 'no line is wider than 80'  "$(awk 'length > 80' "$tmp/out" | wc -l)" 0
is 'three runs are stored'     "$(sql 'SELECT count(*) FROM runs')" 3
is 'with nine jobs each'       "$(sql 'SELECT count(*) FROM jobs')" 27
is 'spread makes the big job wait' \
    "$(sql "SELECT wait, cause FROM v_jobs WHERE run = 'spread' AND name = 'big'")" \
    '7140.0|fragmentation'
is 'binpack starts it at once' \
    "$(sql "SELECT wait, cause FROM v_jobs WHERE run = 'binpack' AND name = 'big'")" \
    '0.0|'
is 'on devices that are its own' \
    "$(sql "SELECT node, devices FROM v_placements WHERE run = 'binpack' AND job = 'big'")" \
    'n2|255'
is 'the profile is kept in full' \
    "$(sql "SELECT profile FROM runs WHERE name = 'binpack'" | head -n 1)" \
    'name: binpack'
is 'tables are strict, the file is WAL and ours' \
    "$(sql 'PRAGMA journal_mode; PRAGMA user_version; PRAGMA application_id;
       SELECT min(strict) FROM pragma_table_list WHERE type = "table"
       AND schema = "main" AND name NOT LIKE "sqlite%"' | tr '\n' ' ')" \
    'wal 9 1735616877 1 '
is 'foreign keys hold'         "$(sql 'PRAGMA foreign_key_check')" ''

ok 'a name that is taken is refused' exits 2 "$gsim" replay \
    traces/samples/fragmentation.yaml --policy spread --db "$db"
ok 'and said'                  says "has a run 'spread' already"
is 'nothing was added'         "$(sql 'SELECT count(*) FROM runs')" 3
ok 'another name is fine'      exits 0 "$gsim" replay \
    traces/samples/fragmentation.yaml --policy spread --run again --db "$db"

# --- a second run of one name --------------------------------------------------
fragmentation=$PWD/traces/samples/fragmentation.yaml
again () {                      # again OPTION...: in a folder of its own
    (cd "$tmp/again" && "$gsim" replay "$fragmentation" --policy spread "$@")
}
mkdir "$tmp/again"
ok 'without --db'              exits 0 again
ok 'the second run works, too' exits 0 again
ok 'and says what it replaces' says 'gsim.db: replacing 1 run of the same name'
is 'one run is there'          "$(sqlite3 "$tmp/again/gsim.db" \
    'SELECT count(*), (SELECT count(DISTINCT run_id) FROM jobs) FROM runs')" '1|1'
ok 'with --db it is refused'   exits 2 again --db gsim.db
ok 'unless --replace is given' exits 0 again --db gsim.db --replace
is 'nothing is left of the old' "$(sqlite3 "$tmp/again/gsim.db" \
    'SELECT count(*) FROM metrics WHERE run_id NOT IN (SELECT id FROM runs);
     PRAGMA foreign_key_check')" 0
rm -f "$tmp/again"/*
ok '--no-db prints'            exits 0 again --no-db
ok 'the results'               prints 'jobs.done'
is 'and leaves no file'        "$(ls "$tmp/again")" ''
ok '--no-db with --db'         exits 2 again --no-db --db a.db
for name in - :memory: ''; do
    ok "--db '$name'"          exits 2 again --db "$name"
    is 'makes no file'         "$(ls -A "$tmp/again")" ''
done
"$gsim" policies spread >"$tmp/again/mine.yaml"
ok 'a policy and a profile of its name' exits 0 again --policy mine.yaml --db a.db
is 'are two runs'              "$(sqlite3 "$tmp/again/a.db" \
    'SELECT name FROM runs ORDER BY id' | tr '\n' ' ')" 'spread mine.yaml '
ok 'a policy given twice'      exits 2 again --policy spread --no-db
ok 'is told'                   says 'give each policy once'

# deadlock and its cure, as docs/examples.md tells
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default \
    --policy binpack --db "$tmp/d.db" >/dev/null
"$gsim" replay traces/samples/deadlock.yaml --policy kube-default \
    --set gang.timeout=10m --run timeout --db "$tmp/d.db" >/dev/null
db=$tmp/d.db
is 'one episode from 4 s on, two jobs, never ends' \
    "$(sql "SELECT job, start, \"end\" FROM v_deadlocks WHERE run = 'kube-default'" | tr '\n' ' ')" \
    'left|4.0| right|4.0| '
is 'none with gangs' \
    "$(sql "SELECT count(*) FROM v_deadlocks WHERE run = 'binpack'")" 0
is 'with a timeout it ends' \
    "$(sql "SELECT DISTINCT \"end\" FROM v_deadlocks WHERE run = 'timeout'")" \
    600.0

# the same rows: twice, from another format, from standard input, unpacked
for i in 1 2; do
    "$gsim" replay traces/samples/philly.csv.gz --limit 3000 --policy random \
        --policy kube-default --topology topology/samples/philly-tight.yaml \
        --db "$tmp/same$i.db" --events >/dev/null
    sqlite3 "$tmp/same$i.db" .dump >"$tmp/same$i.sql"
done
ok 'twice the same rows' cmp -s "$tmp/same1.sql" "$tmp/same2.sql"

rows () {                       # rows DB: all but what names the input
    sqlite3 "$1" 'SELECT * FROM jobs; SELECT * FROM placements;
        SELECT * FROM metrics; SELECT * FROM samples; SELECT * FROM deadlocks'
}
"$gsim" trace convert traces/samples/philly.csv.gz --limit 3000 -o "$tmp/p.yaml"
"$gsim" trace convert "$tmp/p.yaml" -o "$tmp/p.csv"
for f in yaml csv; do
    "$gsim" replay "$tmp/p.$f" --policy binpack \
        --topology topology/samples/philly-tight.yaml --db "$tmp/$f.db" \
        >/dev/null
    rows "$tmp/$f.db" >"$tmp/$f.rows"
done
ok 'from YAML and from the CSV it was converted to' \
    cmp -s "$tmp/yaml.rows" "$tmp/csv.rows"
is 'which are not empty' "$(head -n 3000 "$tmp/csv.rows" | wc -l)" 3000
"$gsim" replay - --policy binpack --db "$tmp/in.db" \
    --topology topology/samples/philly-tight.yaml <"$tmp/p.csv" >/dev/null
rows "$tmp/in.db" >"$tmp/in.rows"
ok 'and from standard input' cmp -s "$tmp/csv.rows" "$tmp/in.rows"

ok 'openb pods on openb nodes' exits 0 "$gsim" replay \
    traces/samples/openb-pods.csv --topology topology/samples/openb-nodes.csv \
    --db "$tmp/o.db"
ok 'an SWF log on a flat machine' exits 0 "$gsim" replay \
    traces/samples/tiny.swf --topology topology/samples/flat-128.yaml \
    --policy fifo --db "$tmp/s.db"
ok '--until cuts a run'        exits 0 "$gsim" replay \
    traces/samples/philly.csv.gz --until 40d --db "$tmp/u.db" \
    --topology topology/samples/philly-tight.yaml
is 'which says so' "$(sqlite3 "$tmp/u.db" 'SELECT status, end_us FROM runs')" \
    'until|3456000000000'
cat >"$tmp/cut.yaml" <<'YAML'
topology: t.yaml
jobs:
  - {name: runs, submit: 0, duration: 1h, gpus: 8, replicas: 2, queue: a}
  - {name: waits, submit: 10m, duration: 1h, gpus: 8, queue: a}
  - {name: last, submit: 30m, duration: 1h, gpus: 8, queue: a}
  - {name: later, submit: 30m1s, duration: 1h, gpus: 8, queue: a}
  - {name: other, submit: 2h, duration: 1h, gpus: 8, queue: b}
YAML
cp topology/samples/fragmentation.yaml "$tmp/t.yaml"
cut () {                        # cut RUN [OPTION...]: jobs and jobs unstarted
    run=$1
    shift
    "$gsim" replay "$tmp/cut.yaml" --policy fifo --db "$tmp/cut.db" --run "$run" \
        "$@" >/dev/null
    sqlite3 "$tmp/cut.db" "SELECT queue, jobs, unstarted FROM v_queues
        WHERE run = '$run'; SELECT name, value FROM v_metrics WHERE run = '$run'
        AND name IN ('jobs.total', 'jobs.unfinished', 'wait.unfinished.count')" |
        tr '\n' ' '
}
is 'a job that was to come later counts nowhere' "$(cut until --until 30m)" \
    'a|3|2 jobs.total|3.0 jobs.unfinished|3.0 wait.unfinished.count|2.0 '
is 'nor does one outside the window' "$(cut part --until 30m --from 1s --to 29m)" \
    'a|1|1 jobs.total|1.0 jobs.unfinished|1.0 wait.unfinished.count|1.0 '
is 'the rows say so' "$(sqlite3 "$tmp/cut.db" "SELECT name, state FROM v_jobs
    WHERE run = 'until'" | tr '\n' ' ')" \
    'runs|running waits|pending last|pending later|unsubmitted other|unsubmitted '
ok 'explain, too' exits 0 "$gsim" explain "$tmp/cut.db" until later
ok 'by when the run ended' prints 'that is after the run, which ended at 30m'

cat >"$tmp/big.yaml" <<'YAML'
topology: t.yaml
jobs:
  - {name: fits, submit: 0, duration: 10, gpus: 8}
  - {name: too-big, submit: 0, duration: 10, gpus: 16}
YAML
cp topology/samples/fragmentation.yaml "$tmp/t.yaml"
ok 'what cannot run is rejected' exits 0 "$gsim" replay "$tmp/big.yaml" \
    --db "$tmp/r.db"
ok 'and said'                    says "the first is 'too-big'"
ok 'with --strict it is an error' exits 3 "$gsim" replay "$tmp/big.yaml" \
    --strict --db "$tmp/strict.db"
ok 'and nothing is written'      test ! -e "$tmp/strict.db"

cat >"$tmp/names.yaml" <<'YAML'
topology: t.yaml
jobs:
  - {name: "'; drop table jobs; --", submit: 0, duration: 10, gpus: 8, queue: "<script>alert(1)</script>"}
  - {name: '`touch x`', submit: 0, duration: 10, gpus: 8, user: '"; system "id'}
YAML
ok 'names are only names'  exits 0 "$gsim" replay "$tmp/names.yaml" \
    --db "$tmp/n.db" --run "x'); drop table runs; --"
is 'and are kept as they are' \
    "$(sqlite3 "$tmp/n.db" 'SELECT name FROM jobs ORDER BY job' | tr '\n' ' ')" \
    "'; drop table jobs; -- \`touch x\` "
for run in '' "$(printf 'a\nb')" "$(printf 'a\033[1m')"; do
    ok 'a run needs a name'         exits 2 "$gsim" replay "$tmp/names.yaml" \
        --db "$tmp/m.db" --run "$run"
    ok 'that can be shown'          says 'must be a name without control characters'
done
ok 'nothing was written'            test ! -e "$tmp/m.db"
done_testing
