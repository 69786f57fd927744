#!/bin/sh
# Every malformed file: its one error, status 3, and no database.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

bad () {                        # bad FILE COMMAND...
    file=$1
    shift
    message="gsim: $(head -n 1 "$file.expect")"
    if exits 3 "$@" && [ "$(head -n 1 "$tmp/err")" = "$message" ] \
        && [ "$(wc -l <"$tmp/err")" -eq 1 ] && [ ! -s "$tmp/out" ] \
        && [ ! -e "$tmp/x.db" ]; then
        report 0 "$(basename "$file")"
    else
        echo "# want: $message"
        report 1 "$(basename "$file")"
    fi
}

for f in tests/data/bad/traces/*; do
    case $f in
    *.expect) ;;
    *)  # forced, where the name says so: recognising is not the point
        format=$(basename "$f")
        format=${format%%-*}
        case $format in unknown) force= ;; *) force="--from-format $format" ;; esac
        # shellcheck disable=SC2086 # two words, or none
        bad "$f" "$gsim" replay "$f" $force --db "$tmp/x.db" \
            --topology topology/samples/fragmentation.yaml ;;
    esac
done
for f in tests/data/bad/topology/*; do
    case $f in
    *.expect) ;;
    *) test -e "$f" && bad "$f" "$gsim" replay \
        traces/samples/fragmentation.yaml --topology "$f" --db "$tmp/x.db" ;;
    esac
done
for f in tests/data/bad/profiles/*; do
    case $f in
    *.expect) ;;
    *) bad "$f" "$gsim" replay traces/samples/fragmentation.yaml --policy "$f" \
        --db "$tmp/x.db" ;;
    esac
done
for f in tests/data/bad/mixes/*; do
    case $f in
    *.expect) ;;
    *) bad "$f" "$gsim" replay traces/samples/fragmentation.yaml --mix "$f" \
        --db "$tmp/x.db" ;;
    esac
done

cat >"$tmp/many.yaml" <<'YAML'
jobs:
  - {name: a, submit: -1, duration: 5}
  - {nme: b, submit: 1, duration: 5}
  - {name: c, submit: 1, duration: 5, gpus: 0}
YAML
ok 'validate finds all mistakes at once' exits 3 "$gsim" validate "$tmp/many.yaml"
is 'three'      "$(wc -l <"$tmp/err")" 3
ok 'the first'  says "many.yaml:2:23: 'submit' must be"
ok 'the second' says "many.yaml:3:6: unknown key 'nme' in job (did you mean 'name'?)"
ok 'the third'  says "many.yaml:4:45: 'gpus' must be a whole number from 1 to 64"
ok 'good files are ok' exits 0 "$gsim" validate traces/samples/deadlock.yaml \
    topology/samples/philly-tight.yaml
ok 'and said to be'    prints 'deadlock.yaml: ok (trace)'

echo 'this is no database, but a text that is long enough to be read' >"$tmp/t.db"
cp "$tmp/t.db" "$tmp/t.copy"
ok 'a file that is no database is refused' exits 3 "$gsim" replay \
    traces/samples/deadlock.yaml --db "$tmp/t.db"
ok 'and said'       says 'file is not a database'
ok 'and left alone' cmp -s "$tmp/t.db" "$tmp/t.copy"
sqlite3 "$tmp/alien.db" 'CREATE TABLE t (x); PRAGMA application_id = 7'
ok "somebody else's database is refused" exits 3 "$gsim" compare "$tmp/alien.db"
ok 'and said'       says "not one of gsim's"
ok 'a trace that is not there' exits 3 "$gsim" replay "$tmp/nothing.yaml"
ok 'is said'        says 'cannot open: No such file'
ok 'a folder is no trace' exits 3 "$gsim" replay "$tmp"
gzip -c traces/samples/deadlock.yaml | head -c 100 >"$tmp/cut.yaml.gz"
ok 'a cut archive'  exits 3 "$gsim" replay "$tmp/cut.yaml.gz"
ok 'is said to be'  says 'damaged or cut short'
ok 'no such folder for the database' exits 4 "$gsim" replay \
    traces/samples/deadlock.yaml --db "$tmp/no/where.db"
ok 'is said'        says 'cannot be made: No such file'

if [ -w /dev/full ]; then
    ln -s /dev/full "$tmp/full"
    ok 'a trace that cannot be written' exits 4 "$gsim" trace generate \
        --count 1000 -o "$tmp/full"
    ok 'leaves what is no plain file'   test -w "$tmp/full"
    for words in policies 'policies volcano' help 'help replay' --help --version \
        'replay --help' 'completion bash'; do
        ok "$words: a full standard output is an error" \
            exits 4 sh -c "'$gsim' $words >/dev/full"
        ok '... and a closed one' exits 4 sh -c "'$gsim' $words >&-"
    done
fi
done_testing
