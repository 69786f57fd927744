#!/bin/sh
# Action consolidate, added to presets that pack and that spread: b leaves n2 for
# n1, where a is, so that `whole` has n2.  b worked 5 minutes since its checkpoint
# on 2 GPUs, 10 GPU minutes; `whole` asks for 4 GPUs, at 3 minutes each 12.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

cat >"$tmp/two.yaml" <<'END'
node_types: {g: {gpus: 4, cpu: 32, memory: 64Gi}}
nodes: [{name: "n[1-2]", type: g}]
END
cat >"$tmp/halves.yaml" <<'END'
topology: two.yaml
jobs:
  - {name: a, submit: 0, duration: 1h, gpus: 2, checkpoint: 10m, running_on: [n1]}
  - {name: b, submit: 0, duration: 1h, gpus: 2, checkpoint: 10m, running_on: [n2]}
  - {name: whole, submit: 15m, duration: 10m, gpus: 4}
END
for preset in binpack spread kube-default volcano yunikorn kueue; do
    "$gsim" policies "$preset" \
        | sed -e 's/^name: .*/name: moves/' -e '/^actions:/s/allocate/allocate, consolidate/' \
            -e 's/^modules:/&\n  - moves: {price: 3m}/' >"$tmp/moves.yaml"
    sed 's/price: 3m/price: 2m/; s/^name: .*/name: stays/' "$tmp/moves.yaml" >"$tmp/stays.yaml"
    rm -f "$tmp/m.db"
    ok "$preset: is replayed"   exits 0 "$gsim" replay "$tmp/halves.yaml" -q \
        --policy "$tmp/moves.yaml" --policy "$tmp/stays.yaml" --db "$tmp/m.db"
    "$gsim" export "$tmp/m.db" --what metrics >"$tmp/metrics.csv"
    is '... one job moves, for the higher price' \
        "$(grep -c ',moves\.count,' "$tmp/metrics.csv")" 1
    ok '... b'                  exits 0 "$gsim" explain "$tmp/m.db" moves b
    ok '... for the other'      prints '15m  move: all its 1 task, for whole'
    ok '... which starts'       exits 0 "$gsim" explain "$tmp/m.db" moves whole
    ok '... at once'            prints 'started    15m, 0s later'
    ok '... else not'           exits 0 "$gsim" explain "$tmp/m.db" stays whole
    ok '... before a has ended' prints 'started    1h, 45m later'
done

done_testing
