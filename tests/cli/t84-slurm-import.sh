#!/bin/sh
# gsim import slurm: files of Slurm as native files.  Each folder of
# tests/data/import-slurm holds a folder `in` and the files that are made of it;
# `options` are those of the command.
# shellcheck source=tests/cli/harness.sh disable=SC2016,SC2046
. "$(dirname "$0")/harness.sh"
data=tests/data/import-slurm

for case in "$data"/*/; do
    dir=$(basename "$case")
    ok "$dir: is read"         exits 0 "$gsim" import slurm "$case"in \
        -o "$tmp/$dir" $(cat "$case"options 2>/dev/null)
    for file in topology.yaml trace.yaml profile.yaml account.txt; do
        [ -n "${ACCEPT:-}" ] && [ -f "$tmp/$dir/$file" ] \
            && cp "$tmp/$dir/$file" "$case"
        [ -f "$case$file" ] || [ -f "$tmp/$dir/$file" ] || continue
        ok "$dir: $file"       cmp "$case$file" "$tmp/$dir/$file"
    done
    is "$dir: the account is told" "$(cat "$out")" "$(cat "$tmp/$dir/account.txt")"
    for file in topology.yaml trace.yaml profile.yaml; do
        [ -f "$case$file" ] || continue
        ok "$dir: gsim reads $file" exits 0 "$gsim" validate "$tmp/$dir/$file"
    done
done

# a source in the place of the files that are made of it
rows () {                       # rows DB ARGUMENT...: all but the run's own
    db=$1
    shift
    rm -f "$db"
    "$gsim" replay "$@" --run r --db "$db" -q </dev/null 2>"$errs" || return
    sqlite3 "$db" .dump | grep -v '^INSERT INTO runs VALUES'
}
gpus=$data/gpus/in
rows "$tmp/native.db" "$tmp/gpus/trace.yaml" --policy easy >"$tmp/native.sql"
ok 'jobs were replayed'         grep -q '^INSERT INTO job_rows ' "$tmp/native.sql"
rows "$tmp/sources.db" "$gpus" --policy easy >"$tmp/sources.sql"
ok 'a folder: the same rows'    cmp "$tmp/native.sql" "$tmp/sources.sql"
ok 'segments of a job'          exits 0 "$gsim" replay "$tmp/options/trace.yaml" \
    --policy "$tmp/options/profile.yaml" --db "$tmp/options.db"
is '... are each in a block' "$(sqlite3 "$tmp/options.db" "SELECT group_concat(n, ' ') FROM
    (SELECT count(*) AS n FROM v_placements WHERE job = '2'
    GROUP BY cast(substr(node, 5) AS int) > 4)")" '2 2'
models=$tmp/models
ok 'GPUs of two types'          exits 0 "$gsim" replay "$models/trace.yaml" \
    --policy "$models/profile.yaml" --policy volcano-default --db "$tmp/models.db"
is '... are told apart' "$(sqlite3 "$tmp/models.db" "SELECT name, cause FROM jobs
    WHERE run_id = 1 AND start_us > 1e9" | tr '\n' ' ')" \
    '4|capacity 5|quota '
is '... a queue counts all' "$(sqlite3 "$tmp/models.db" "SELECT count(*) FROM jobs
    WHERE state <> 'done'")" 0
ok 'accounting and slurm.conf'  exits 0 "$gsim" replay "$gpus/sacct.txt" \
    --topology "$gpus/slurm.conf" --policy "$gpus/slurm.conf" --policy easy \
    --db "$tmp/both.db"
ok '... and what was left out'  says 'note: left out: '
ok 'numbers of jobs'            exits 0 "$gsim" replay "$data/numbers/in/sacct.txt" \
    --topology "$data/numbers/in/slurm.conf" --policy "$data/numbers/in/slurm.conf" --no-db
ok '... settings are told'      says 'settings of the scheduler have no effect here: '
ok 'on native nodes'            exits 0 "$gsim" replay "$gpus/sacct.txt" \
    --topology "$tmp/json/topology.yaml" --policy easy --db "$tmp/b.db"
ok 'a folder on native nodes'   exits 0 "$gsim" replay "$gpus" \
    --topology "$tmp/json/topology.yaml" --policy easy --db "$tmp/e.db"
ok 'native jobs on its nodes'   exits 0 "$gsim" replay traces/samples/fragmentation.yaml \
    --topology "$gpus/slurm.conf" --policy easy --db "$tmp/c.db"
ok 'without nodes'              exits 2 "$gsim" replay "$gpus/sacct.txt" \
    --policy easy --db "$tmp/d.db"
ok '... is told'                says 'holds no nodes, so there is no topology'
ok 'of two systems'             exits 2 "$gsim" replay "$gpus/sacct.txt" \
    --topology tests/data/import/cluster/objects.yaml --policy easy --no-db
ok '... is told'                says 'are of two systems'
ok 'the account'                exits 0 "$gsim" validate "$gpus/sacct.txt"
ok '... is told'                prints 'sacct.txt: ok (accounting of Slurm)'
ok '... with what is left out'  prints 'rows with fewer fields than columns'
ok 'a slurm.conf'               exits 0 "$gsim" validate "$gpus/slurm.conf"
ok '... is told'                prints 'slurm.conf: ok (configuration of Slurm)'
ok 'a gres.conf'                exits 0 "$gsim" validate "$gpus/gres.conf"
ok '... is told'                prints 'ok (part of a configuration of Slurm)'
ok 'facts of the trace'         exits 0 "$gsim" trace info "$gpus/sacct.txt"
ok '... are of Slurm'           prints 'sacct.txt: files of Slurm, 11 jobs'
ok 'a profile of it'            exits 0 "$gsim" policies "$gpus/slurm.conf"
ok '... is printed'             prints 'mode: windowed, plan: keep, interval: 30s, window: 2880m,'
ok 'strict'                     exits 3 "$gsim" replay "$gpus" --no-db --strict \
    --policy "$gpus/slurm.conf"
bare=$data/bare/in/rows.txt
ok 'columns by option'          exits 0 "$gsim" trace info "$bare" \
    --columns JobID,Submit,Start,ElapsedRaw,State,AllocTRES
ok 'a bad time zone'            exits 2 "$gsim" trace info "$data/gpus/in/sacct.txt" \
    --timezone Mars/Olympus
ok '... is told'                says 'a time zone is an offset'
ok 'standard input'             sh -c '"$1" import slurm - -o "$2" -q <"$3"' - \
    "$gsim" "$tmp/in" "$gpus/sacct.txt"
ok 'packed'                     sh -c 'gzip -c "$3" >"$2/x.gz" && "$1" import slurm "$2/x.gz" -o "$2" -q' - \
    "$gsim" "$tmp/in" "$gpus/sacct.txt"
ok 'without names'              exits 0 "$gsim" import slurm "$gpus" --anonymize -o "$tmp/anon" -q
ok '... no account'             [ ! -e "$tmp/anon/account.txt" ]
ok '... no user'                [ "$(grep -c ada "$tmp/anon/trace.yaml")" = 0 ]

# mistakes: bad TEXT MESSAGE
n=0
bad () {
    n=$((n + 1))
    mkdir -p "$tmp/bad$n"
    # shellcheck disable=SC2059
    printf "$1" >"$tmp/bad$n/slurm.conf"
    ok "refused: $2"           exits 3 "$gsim" import slurm "$tmp/bad$n/slurm.conf" -o "$tmp/x"
    ok '... in one line'       [ "$(grep -c . "$errs")" = 1 ]
    ok '... with its place'    says "bad$n/slurm.conf:$3: $2"
}
bad 'ClusterName=a\nNodeName=n[3-1]\n'       'no list of nodes: the low bound of a range is above the high one' 2:1
bad 'ClusterName=a\nNodeName=n[1,2]x\n'      'no list of nodes: text follows the last bracket' 2:1
bad 'ClusterName=a\nNodeName=n[0-65536]\n'   'no list of nodes: a range has more than 65536 names' 2:1
bad 'ClusterName=a\nNodeName=n1 CPUs=two\n'  "'CPUs' must be a whole number" 2:13
bad 'ClusterName=a\nNodeName=n1\nNodeName=n1\n' "node 'n1' is described twice (first at line 2)" 3:1
bad 'NodeName=n1\nPartitionName=p Nodes=n[1-2]\n' "partition 'p' has node 'n2', which no NodeName describes" 2:17
bad 'NodeName=n1\nPartitionName=p Nodes=n1 \\\n MaxTime=1:\n' "'MaxTime' must be a time such as 30" 3:2
bad 'NodeName=n1\nPartitionName=p\nPartitionName=p\n' "partition 'p' is described twice" 3:1
bad 'ClusterName=a\nthis is no pair\n'       "a line of Slurm's configuration consists of pairs Key=Value" 2:1
bad 'ClusterName=a\nNodeName={{ node }}\n'   'is a template' 2:10
bad 'ClusterName=a\nInclude slurm.conf\n'    "Include of 'slurm.conf' is a loop" 2:1
mkdir "$tmp/loop"
printf 'ClusterName=a\ninclude /etc/slurm/b.conf\n' >"$tmp/loop/slurm.conf"
printf 'Include slurm.conf\n' >"$tmp/loop/b.conf"
ok 'a loop of two files'       exits 3 "$gsim" import slurm "$tmp/loop" -o "$tmp/x"
ok '... is told'               says "b.conf:1:1: Include of 'slurm.conf' is a loop"
printf 'TopologyPlugin=topology/tree\nNodeName=n1\n' >"$tmp/loop/slurm.conf"
topo () {                       # topo TEXT MESSAGE
    # shellcheck disable=SC2059
    printf "$1" >"$tmp/loop/topology.conf"
    ok "refused: $2"           exits 3 "$gsim" import slurm "$tmp/loop" -o "$tmp/x"
    ok '... in one line'       [ "$(grep -c . "$errs")" = 1 ]
    ok '... as it is'          says "topology.conf:$3: $2"
}
topo 'SwitchName=a Switches=b\nSwitchName=b Switches=a\n' "switch 'a' is above itself" 1:1
topo 'SwitchName=a Nodes=n1 Switches=b\n'     "switch 'a' has both Nodes and Switches" 1:1
topo 'SwitchName=a Nodes=n1\nSwitchName=a\n'  "switch or block 'a' is described twice" 2:1
topo 'SwitchName=a Switches=b\n'              "switch 'a' has child 'b', which is no switch" 1:1
topo 'SwitchName=a Nodes=n1\nSwitchName=b Switches=a\nSwitchName=c Switches=a\n' \
    "switch 'a' has two parents: 'b' and 'c'" 3:1
topo 'BlockName=a Nodes=n1\nBlockSizes=4,12\n' 'a size of blocks is the first one times a power of two' 1:1
export_of () {                  # export_of TEXT MESSAGE
    # shellcheck disable=SC2059
    printf "$1" >"$tmp/export.txt"
    ok "refused: $2"           exits 3 "$gsim" import slurm "$tmp/export.txt" -o "$tmp/x"
    ok '... in one line'       [ "$(grep -c . "$errs")" = 1 ]
    ok '... as it is'          says "$2"
}
export_of '1|a|b|COMPLETED|x\n'               'export.txt:1: the rows of sacct have no header: --columns names them'
export_of 'JobID|State|Submit\n1|COMPLETED|2026-01-01T00:00:00\n' \
    'export.txt:1: jobs cannot be replayed without column Elapsed'
export_of 'JobID|Submit|Submit|ElapsedRaw\n'  "column 'Submit' comes twice"
export_of '{"meta":{"Slurm":1},"jobs":[{"job_id":1}'  'not valid JSON'
export_of 'a,b\n1,2\n'                        'is no file of Slurm that gsim reads'
printf 'JobID|Submit|ElapsedRaw|Sate\n1|2026-01-01T00:00:00|5|X\n' >"$tmp/export.txt"
ok 'an unknown column'         exits 0 "$gsim" import slurm "$tmp/export.txt" -o "$tmp/z"
ok '... is told'               prints "unknown column 'Sate' (did you mean 'State'?)"
ok 'no folder'                 exits 2 "$gsim" import slurm "$gpus"

# one slurm.conf, by its folder and by its name
ok 'the configuration twice'   exits 0 "$gsim" import slurm tests/data/import-slurm/limits/in \
    tests/data/import-slurm/limits/in/slurm.conf -o "$tmp/twice" -q
ok '... is one'                cmp "$tmp/twice/trace.yaml" tests/data/import-slurm/limits/trace.yaml
ok '... also of the cluster'   exits 0 "$gsim" replay tests/data/import-slurm/limits/in --no-db -q \
    --topology tests/data/import-slurm/limits/in/slurm.conf

# a weight that is stated twice
printf '%s\n' ClusterName=c PriorityType=priority/multifactor \
    PriorityWeightTRES=CPU=1,cpu=2 'NodeName=n1 CPUs=4' >"$tmp/weights.conf"
ok 'two weights of a resource' exits 0 "$gsim" import slurm "$tmp/weights.conf" -o "$tmp/w" -q
ok '... the later counts'      grep -q 'tres: {cpu: 2}' "$tmp/w/profile.yaml"

# where switches count for jobs that ask for them only
printf '%s\n' ClusterName=c TopologyPlugin=topology/tree \
    TopologyParam=TopoOptional 'NodeName=n1 CPUs=4' >"$tmp/optional.conf"
ok 'an optional tree'          exits 0 "$gsim" import slurm "$tmp/optional.conf" -o "$tmp/o" -q
ok '... chooses runs'          grep -q 'node-choice: {by: runs,' "$tmp/o/profile.yaml"

# every file of other people that is at hand: read, or refused by one line
corpus=${CORPUS:-../shared/corpus}
if [ -d "$corpus/slurm" ]; then
    find "$corpus/slurm" "$corpus/sacct" -type f | sort >"$tmp/all"
    : >"$tmp/broken"
    while read -r file; do
        "$gsim" import slurm "$file" -o "$tmp/corpus" -q >"$out" 2>"$errs"
        case $? in
        0) continue ;;
        3) [ "$(grep -c . "$errs")" = 1 ] || echo "$file" >>"$tmp/broken" ;;
        *) echo "$file" >>"$tmp/broken" ;;
        esac
    done <"$tmp/all"
    is 'each is read or refused in one line' "$(cat "$tmp/broken")" ''
fi

done_testing
