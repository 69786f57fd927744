#!/bin/sh
# gsim import: objects of other systems as native files.  Each folder of
# tests/data/import holds objects.* and the files that are made of them.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

for case in tests/data/import/*/; do
    dir=$(basename "$case")
    ok "$dir: is read"         exits 0 "$gsim" import kubernetes \
        "$case"objects.* -o "$tmp/$dir"
    for file in topology.yaml trace.yaml account.txt; do
        [ -n "${ACCEPT:-}" ] && [ -f "$tmp/$dir/$file" ] \
            && cp "$tmp/$dir/$file" "$case"
        [ -f "$case$file" ] || [ -f "$tmp/$dir/$file" ] || continue
        ok "$dir: $file"       cmp "$case$file" "$tmp/$dir/$file"
    done
    is "$dir: the account is told" "$(cat "$out")" "$(cat "$tmp/$dir/account.txt")"
    for file in topology.yaml trace.yaml; do
        [ -f "$case$file" ] || continue
        ok "$dir: gsim reads $file" exits 0 "$gsim" validate "$tmp/$dir/$file"
    done
done

# what is no object
printf 'a,b\n1,2\n' >"$tmp/text.csv"
ok 'a text'                     exits 3 "$gsim" import kubernetes "$tmp/text.csv" -o "$tmp/x"
ok '... is told'                says 'is a text, not an object'
ok 'nothing is written'         [ ! -e "$tmp/x" ]
printf 'apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n' >"$tmp/secret.yaml"
ok 'nothing of use'             exits 3 "$gsim" import kubernetes "$tmp/secret.yaml" -o "$tmp/x"
ok '... is told'                says 'holds no object of Kubernetes that gsim reads'
ok 'no folder'                  exits 2 "$gsim" import kubernetes "$tmp/secret.yaml"
ok 'a bad tier'                 exits 2 "$gsim" import kubernetes --tier = \
    tests/data/import/cluster/objects.yaml -o "$tmp/x"
ok 'standard input'             sh -c '"$1" import kubernetes - -o "$2" -q <"$3"' - \
    "$gsim" "$tmp/in" tests/data/import/cluster/objects.yaml
ok '... makes the same'         cmp "$tmp/in/topology.yaml" "$tmp/cluster/topology.yaml"
ok 'a tier by name'             exits 0 "$gsim" import kubernetes \
    --tier topology.kubernetes.io/rack=row tests/data/import/cluster/objects.yaml \
    -o "$tmp/row" -q
ok '... is there'               grep -q 'tiers: \[{name: row}\]' "$tmp/row/topology.yaml"

done_testing
