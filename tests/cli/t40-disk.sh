#!/bin/sh
# A full disk, a killed replay: whole runs or nothing.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

mkdir "$tmp/full"
if mount -t tmpfs -o size=2m tmpfs "$tmp/full" 2>/dev/null; then
    trap 'umount "$tmp/full"; rm -rf "$tmp"' EXIT
    ok 'a small run fits on a small disk' exits 0 "$gsim" replay \
        traces/samples/deadlock.yaml --db "$tmp/full/a.db"
    ok 'a large one does not' exits 4 "$gsim" replay \
        traces/samples/philly.csv.gz --run large --db "$tmp/full/a.db" \
        --topology topology/samples/philly-tight.yaml
    ok 'and says why' says "cannot store run 'large': database or disk is full"
    is 'the first run is whole' "$(sqlite3 "$tmp/full/a.db" \
        'PRAGMA integrity_check; SELECT name FROM runs; SELECT count(*) FROM jobs' |
        tr '\n' ' ')" 'ok binpack 2 '
    rm -f "$tmp"/full/*
    ok 'a database that got no run is not left behind' exits 4 "$gsim" \
        replay traces/samples/philly.csv.gz --db "$tmp/full/b.db" \
        --topology topology/samples/philly-tight.yaml
    is 'no file is left' "$(ls "$tmp/full")" ''
    ok 'a run, then a disk without room' exits 0 "$gsim" replay \
        traces/samples/deadlock.yaml --db "$tmp/full/a.db"
    "$gsim" export "$tmp/full/a.db" --what jobs -o "$tmp/before" 2>/dev/null
    cat /dev/zero >"$tmp/full/rest" 2>/dev/null
    ok '... compare reads the run' exits 0 "$gsim" compare "$tmp/full/a.db"
    ok '... explain too' exits 0 "$gsim" explain "$tmp/full/a.db" binpack left
    ok '... report too' exits 0 "$gsim" report "$tmp/full/a.db" -o "$tmp/page"
    ok '... export too' exits 0 "$gsim" export "$tmp/full/a.db" --what jobs \
        -o "$tmp/after"
    ok '... the same rows' cmp "$tmp/before" "$tmp/after"
    truncate -s -16K "$tmp/full/rest"
    head -c 4096 /dev/zero >"$tmp/full/a.db-wal"
    cat /dev/zero >"$tmp/full/more" 2>/dev/null
    ok '... a run that is half in its log is not read' exits 4 "$gsim" \
        compare "$tmp/full/a.db"
else
    skip 'a full disk' 'needs root to mount a tmpfs'
fi

ok 'killed at 10 moments, the database holds whole runs' \
    exits 0 scripts/kill-test "$gsim" 10
done_testing
