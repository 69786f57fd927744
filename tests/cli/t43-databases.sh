#!/bin/sh
# Databases that gsim did not make: nothing in them runs, each command ends.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

cd "$tmp" || exit 1
trace=$root/traces/samples/fragmentation.yaml
exits 0 "$gsim" replay "$trace" --policy spread --policy binpack --db ours.db \
    || exit 1
endless='WITH RECURSIVE x(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM x)
    SELECT i AS id, i AS name, i AS run_id, i AS value FROM x'

each () {                       # each WHAT: every command ends within seconds
    for words in 'compare x.db' 'export x.db --what jobs' \
        'export x.db --format prometheus' 'report x.db -o page' \
        'explain x.db spread job' 'validate x.db' \
        "replay $trace --policy fifo --db x.db" \
        'gate x.db --rules rules --baseline x.db'; do
        cp x.db.was x.db
        status=0
        # shellcheck disable=SC2086 # words
        timeout 20 "$gsim" $words >"$out" 2>"$errs" </dev/null || status=$?
        case $status in [0-4]) ;; *) false ;; esac
        report $? "$1: ${words%% *} ends"
        lines=$(wc -l <"$errs")
        [ "$2" = refused ] && is '... refused in one line' "$status $lines" \
            '3 1'
    done
}

echo 'wait.mean: {max: 100d}' >rules
for table in runs job_rows job_kinds metrics samples placements nodes; do
    cp ours.db x.db
    sqlite3 x.db "PRAGMA legacy_alter_table = 1; ALTER TABLE $table RENAME TO other;
        CREATE VIEW $table AS $endless"
    mv x.db x.db.was
    each "a view in place of $table" refused
done
cp ours.db x.db
sqlite3 x.db 'DROP TABLE job_rows'
mv x.db x.db.was
each 'a table that is missing' refused
cp ours.db x.db
sqlite3 x.db "SELECT 'DROP VIEW ' || name || ';' FROM sqlite_schema
    WHERE type = 'view'" | sqlite3 x.db
sqlite3 ours.db "SELECT name FROM sqlite_schema WHERE type = 'view'" |
    while read -r view; do
        echo "CREATE VIEW $view AS $endless;"
    done | sqlite3 x.db
mv x.db x.db.was
each 'endless views of our names' read
for what in jobs samples metrics; do
    cp x.db.was x.db
    is "... and $what are the true ones" \
        "$("$gsim" export x.db --what $what | cksum)" \
        "$("$gsim" export ours.db --what $what | cksum)"
done
cp ours.db x.db
sqlite3 x.db 'CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM job_rows; END'
ok 'a replay into a database with a trigger' exits 0 "$gsim" replay "$trace" \
    --policy fifo --db x.db
is '... does not run it' "$(sqlite3 x.db 'SELECT count(DISTINCT run_id)
    FROM jobs')" 3
for pragma in 'application_id = 7' 'user_version = 99' 'user_version = 1'; do
    cp ours.db x.db
    sqlite3 x.db "PRAGMA $pragma"
    cp x.db x.db.was
    ok "$pragma is refused" exits 3 "$gsim" replay "$trace" --policy fifo \
        --db x.db
    ok '... and left as it was' cmp x.db x.db.was
done
if [ "$(id -u)" = 0 ]; then
    nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
    nobody=
fi
cp ours.db x.db
chmod 444 x.db
chmod 711 .
# shellcheck disable=SC2086 # words
if $nobody "$gsim" validate "$trace" >"$out" 2>&1; then
    ok 'a read-only database' exits 4 $nobody "$gsim" replay "$trace" \
        --policy fifo --db x.db
    ok '... is told before anything is replayed' \
        says 'x.db: cannot write: the file is read-only'
    ok '... and is read' exits 0 $nobody "$gsim" compare x.db
else
    skip 'a read-only database' 'nobody cannot run the program'
fi
chmod 644 x.db
sqlite3 foreign.db 'CREATE TABLE t(x)'
cp foreign.db was
ok 'a database of others' exits 3 "$gsim" replay "$trace" --db foreign.db
ok '... is left as it was' cmp foreign.db was
head -c 6000 ours.db >cut.db
cp cut.db was
ok 'half a database' exits 3 "$gsim" compare cut.db
ok '... is left as it was' cmp cut.db was
done_testing
