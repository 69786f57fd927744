#!/bin/sh
# examples/headline/run.sh [FOLDER] - a week of 1,280 GPUs under four policies: four
# figures side by side, and a page.  FOLDER takes headline.db and headline.html.
set -e
here=$(dirname "$0")
to=${1:-.}
gsim replay "$here/trace.yaml.gz" --scenario "$here/world.yaml" --until 7d \
    --policy kube-default --policy hybrid --policy volcano --policy easy \
    --db "$to/headline.db" --replace --quiet
gsim report "$to/headline.db" -o "$to/headline.html" --quiet
gsim compare "$to/headline.db" --metric wait.mean --metric 'wait.mean[size=512+]' \
    --metric frag.capacity_share --metric large.success --format markdown
