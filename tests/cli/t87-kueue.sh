#!/bin/sh
# The loads of Kueue's scalability tests under preset kueue, held to what Kueue asks of
# itself; and the example of docs/kueue.md.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

for load in baseline large-scale topology; do
    policy=kueue
    perl scripts/kueue-load "$load" >"$tmp/$load.yaml"
    ok "$load: it is read"      exits 0 "$gsim" import kubernetes "$tmp/$load.yaml" \
        -o "$tmp/$load"
    [ ! -f "$tmp/$load/profile.yaml" ] || policy=$tmp/$load/profile.yaml
    ok '... and replayed'       exits 0 "$gsim" replay "$tmp/$load/trace.yaml" \
        --policy "$policy" --db "$tmp/$load.db" -q
    ok '... within the thresholds of its rangespec' \
        exits 0 "$gsim" gate "$tmp/$load.db" --rules "examples/kueue/$load.rules.yaml"
done
ok 'the topology has a profile' grep -q 'by: domains' "$tmp/topology/profile.yaml"

done_testing
