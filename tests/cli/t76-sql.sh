#!/bin/sh
# Databases by SQL: what columns mean, older schemas.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# --- a database with rows in every view (the queries of docs/results.md: t92-docs.sh)
"$gsim" replay traces/samples/philly.csv.gz \
    --topology topology/samples/philly-tight.yaml \
    --policy spread --policy binpack --policy kube-default --db "$tmp/gsim.db" >"$out" 2>"$errs"

# --- columns
db=$tmp/gsim.db
sql () { sqlite3 "$db" "$1"; }
there='SELECT t.name, c.name FROM pragma_table_list t, pragma_table_info(t.name) c
    WHERE t.schema = "main" AND t.type = "view" AND t.name GLOB "v_*"'
is 'every column of a view is documented' \
    "$(sql "$there EXCEPT SELECT \"view\", \"column\" FROM v_columns")" ''
is 'every documented column is one' \
    "$(sql "SELECT \"view\", \"column\" FROM v_columns EXCEPT $there")" ''
is 'once' \
    "$(sql 'SELECT * FROM v_columns GROUP BY 1, 2 HAVING count(*) > 1')" ''
is 'with a meaning'                 "$(sql "SELECT * FROM v_columns WHERE meaning = ''")" ''
is 'docs/schema.md has every view' "$(sql 'SELECT DISTINCT "view" FROM v_columns' |
    while read -r v; do grep -q "^### $v$" docs/schema.md || echo "$v"; done)" ''
ok 'gsim prints them'               exits 0 "$gsim" export "$db" --what columns
is 'all'                            "$(tail -n +2 "$out" | wc -l)" "$(sql 'SELECT count(*) FROM v_columns')"
ok 'of no run'                      exits 2 "$gsim" export "$db" --what columns --run spread
ok 'which is said'                  says "'--what columns' goes without '--run'"

# --- views say what tables and metrics do
is 'hours add up to the whole' "$(sql 'SELECT count(*) FROM v_runs r WHERE
    abs((SELECT sum(busy_gpu_hours) FROM v_hours h WHERE h.run = r.run)
        / (r.gpus * r.[end] / 3600) - r.gpu_busy) < 1e-9')" 3
is 'and to what is allocated' "$(sql "SELECT count(*) FROM v_metrics m JOIN v_runs r
    USING (run) WHERE m.name = 'gpu.allocated' AND m.scope = 'cluster' AND
    abs((SELECT sum(allocated_gpu_hours) FROM v_hours h WHERE h.run = m.run)
        / (r.gpus * r.[end] / 3600) - m.value) < 1e-9")" 3
is 'no hour is missing' "$(sql 'SELECT count(*) = max(hour) + 1 AND
    max(hour) = (SELECT max(end_us) / 3600000000 FROM runs WHERE name = run)
    FROM v_hours GROUP BY run' | sort -u)" 1
is 'shares are some' "$(sql 'SELECT count(*) FROM v_hours WHERE
    NOT (busy_share BETWEEN 0 AND allocated_share AND allocated_share <= 1.0000001)')" 0
is 'queues have all jobs' "$(sql 'SELECT DISTINCT sum(jobs) FROM v_queues GROUP BY run')" 82247
is 'and a share each'     "$(sql 'SELECT count(share) FROM v_queues')" 45
is 'a change is one of two' "$(sql 'SELECT DISTINCT count(*) = (SELECT count(*)
    FROM metrics WHERE run_id = 1) FROM v_changes GROUP BY base, run')" 1
is 'there and back'       "$(sql 'SELECT sum(change) FROM v_changes WHERE metric = "jobs.done"')" 0.0
is 'nodes by name'        "$(sql 'SELECT count(DISTINCT node) FROM v_nodes WHERE run = "spread"')" 88

# --- a database of schema 3, as gsim of that time left it
db=$tmp/3.db
sqlite3 "$db" <tests/data/schema/version-3.sql
cp "$db" "$tmp/3.kept"
for what in runs jobs samples metrics placements evictions waits deadlocks columns; do
    ok "schema 3: $what"            exits 0 "$gsim" export "$db" --what $what
done
ok 'compare'                        exits 0 "$gsim" compare "$db"
ok 'explain'                        exits 0 "$gsim" explain "$db" kube-default first
echo 'jobs.done: {equal: 2}' >"$tmp/rules.yaml"
ok 'gate'                           exits 0 "$gsim" gate "$db" --rules "$tmp/rules.yaml"
ok 'report'                         exits 0 "$gsim" report "$db" -o "$tmp/r.html"
ok 'read, it is as it was'          cmp "$db" "$tmp/3.kept"
mkdir "$tmp/ro"
cp "$db" "$tmp/ro/"
chmod 444 "$tmp/ro/3.db"
chmod 555 "$tmp/ro"
ok 'a file that may not be written' exits 0 "$gsim" export "$tmp/ro/3.db" --what columns
chmod 755 "$tmp/ro"
rows () {
    for t in runs jobs samples metrics placements evictions waits deadlocks nodes \
        events fills fill_points; do
        sqlite3 "$1" "SELECT '$t'; SELECT $(sqlite3 "$tmp/3.kept" \
            "SELECT group_concat(name) FROM pragma_table_info('$t')") FROM $t"
    done
}
rows "$db" >"$tmp/before"
ok 'a name that is taken'           exits 2 "$gsim" replay traces/samples/drf.yaml \
    --policy kube-default --db "$db"
is 'changes nothing'                "$(sql 'PRAGMA user_version')" 3
ok 'a run more'                     exits 0 "$gsim" replay traces/samples/drf.yaml \
    --policy drf --db "$db"
is 'makes it schema 9'              "$(sql 'PRAGMA user_version')" 9
rows "$db" >"$tmp/after"
is 'whose old rows are there'       "$(grep -Fxvc -f "$tmp/after" "$tmp/before")" 0
is 'and whose schema is that of a new one' \
    "$(sql 'SELECT type, name, sql FROM sqlite_schema ORDER BY name')" \
    "$(sqlite3 "$tmp/gsim.db" 'SELECT type, name, sql FROM sqlite_schema ORDER BY name')"
is 'experiments are there'          "$(sql 'SELECT count(*) > 0 FROM v_fills')" 1
is 'the database is sound'          "$(sql 'PRAGMA integrity_check')" ok

# --- jobs of schema 8: the table, its rows, and what the view says of them
db=$tmp/8.db
cp "$tmp/3.kept" "$db"
"$gsim" replay traces/samples/deadlock.yaml --policy fifo --db "$db" -q
jobs='SELECT * FROM jobs ORDER BY run_id, job; SELECT * FROM v_jobs ORDER BY run, job'
sql "$jobs" >"$tmp/jobs"
sql 'CREATE TEMP TABLE kept AS SELECT * FROM jobs; DROP VIEW jobs;
    CREATE TABLE jobs AS SELECT * FROM kept; DROP TABLE job_rows;
    DROP TABLE job_kinds; PRAGMA user_version = 8'
ok 'schema 8: jobs'                 exits 0 "$gsim" export "$db" --what jobs
cp "$out" "$tmp/8.csv"
ok 'a run more'                     exits 0 "$gsim" replay traces/samples/drf.yaml \
    --policy drf --db "$db"
is 'makes it schema 9'              "$(sql 'PRAGMA user_version')" 9
is 'in which jobs is a view'        "$(sql "SELECT type FROM sqlite_schema WHERE name = 'jobs'")" view
sql "$jobs" >"$tmp/now"
is 'that has the old rows'          "$(grep -Fxvc -f "$tmp/now" "$tmp/jobs")" 0
ok 'schema 9: jobs'                 exits 0 "$gsim" export "$db" --what jobs
is 'says the same'                  "$(grep -Fxvc -f "$out" "$tmp/8.csv")" 0

# --- a database of schema 4: no outages
db=$tmp/4.db
cp "$tmp/3.kept" "$db"
"$gsim" replay traces/samples/speed.yaml --speed all-reduce --db "$db" >"$out"
sql 'DROP VIEW v_outages; DROP TABLE outages; CREATE TEMP TABLE kept AS SELECT * FROM jobs;
    DROP VIEW jobs; CREATE TABLE jobs AS SELECT * FROM kept; DROP TABLE job_rows;
    DROP TABLE job_kinds; PRAGMA user_version = 4'
cp "$db" "$tmp/4.kept"
legs=$(sql 'SELECT count(*) FROM legs')
for what in runs legs outages columns; do
    ok "schema 4: $what"            exits 0 "$gsim" export "$db" --what $what
    test $what != legs || is 'which are there' "$(tail -n +2 "$out" | wc -l)" "$legs"
done
ok 'report'                         exits 0 "$gsim" report "$db" -o "$tmp/r.html"
ok 'read, it is as it was'          cmp "$db" "$tmp/4.kept"
ok 'a run more'                     exits 0 "$gsim" replay traces/samples/drf.yaml \
    --policy drf --db "$db"
is 'makes it schema 9'              "$(sql 'PRAGMA user_version')" 9
is 'which keeps its legs'           "$(sql 'SELECT count(*) FROM legs')" "$legs"
is 'and whose schema is that of a new one' \
    "$(sql 'SELECT type, name, sql FROM sqlite_schema ORDER BY name')" \
    "$(sqlite3 "$tmp/gsim.db" 'SELECT type, name, sql FROM sqlite_schema ORDER BY name')"

# --- what cannot be brought up to date stays what it is
db=$tmp/3.db
cp "$tmp/3.kept" "$db"
sql 'CREATE TABLE v_hours (x)'
cp "$db" "$tmp/3.kept"
ok 'a table called as a view'       exits 3 "$gsim" replay traces/samples/drf.yaml \
    --policy drf --db "$db"
ok 'is named'                       says 'v_hours'
is 'in one line'                    "$(wc -l <"$errs")" 1
is 'and nothing is changed'         "$(sql 'PRAGMA user_version; SELECT count(*) FROM runs' | tr '\n' ' ')" '3 1 '
for v in 2 10; do
    cp "$tmp/3.kept" "$db"
    sql "PRAGMA user_version = $v"
    ok "schema $v"                  exits 3 "$gsim" compare "$db"
    ok 'is refused'                 says "has schema version $v of"
    is 'in one line of its own'     "$(wc -l <"$errs")" 1
    ok 'for writing too'            exits 3 "$gsim" replay traces/samples/drf.yaml --policy drf --db "$db"
done
done_testing
