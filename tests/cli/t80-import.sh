#!/bin/sh
# gsim import: objects of other systems as native files.  Each folder of
# tests/data/import holds objects.* and the files that are made of them.
# shellcheck source=tests/cli/harness.sh disable=SC2016
. "$(dirname "$0")/harness.sh"

for case in tests/data/import/*/; do
    dir=$(basename "$case")
    ok "$dir: is read"         exits 0 "$gsim" import kubernetes \
        "$case"objects.* -o "$tmp/$dir"
    for file in topology.yaml trace.yaml profile.yaml account.txt \
        $(cd "$tmp/$dir" && ls profile-*.yaml 2>/dev/null); do
        [ -n "${ACCEPT:-}" ] && [ -f "$tmp/$dir/$file" ] \
            && cp "$tmp/$dir/$file" "$case"
        [ -f "$case$file" ] || [ -f "$tmp/$dir/$file" ] || continue
        ok "$dir: $file"       cmp "$case$file" "$tmp/$dir/$file"
    done
    is "$dir: the account is told" "$(cat "$out")" "$(cat "$tmp/$dir/account.txt")"
    for file in topology.yaml trace.yaml \
        $(cd "$case" && ls profile*.yaml 2>/dev/null); do
        [ -f "$case$file" ] || continue
        ok "$dir: gsim reads $file" exits 0 "$gsim" validate "$tmp/$dir/$file"
    done
done

# gangs that YuniKorn is told not to have
{
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs}\ndata:\n'
    printf '  service.disableGangScheduling: "true"\n'
    printf '  queues.yaml: "partitions: [{name: default, queues: [{name: root}]}]"\n---\n'
    cat tests/data/import/yunikorn-gangs/objects.yaml
} >"$tmp/no-gangs.yaml"
ok 'YuniKorn without gangs'     exits 0 "$gsim" import kubernetes "$tmp/no-gangs.yaml" -o "$tmp/no-gangs"
ok '... pods start one by one'  grep -q 'lab/workers.*gang: 1,.*completions: 4' "$tmp/no-gangs/trace.yaml"
ok '... nor are they timed'     sh -c "! grep -q gang_timeout '$tmp/no-gangs/trace.yaml'"
{
    printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-defaults}\n'
    printf 'data: {service.disableGangScheduling: "true"}\n---\n'
    sed 's/^  service.disable.*$/  service.schedulingInterval: 1s/; s/schedulerName: yunikorn, //' "$tmp/no-gangs.yaml"
} >"$tmp/defaults.yaml"
ok 'gangs are off by default'   exits 0 "$gsim" import kubernetes "$tmp/defaults.yaml" -o "$tmp/defaults"
ok '... pods start one by one'  grep -q 'lab/workers.*gang: 1,.*completions: 4' "$tmp/defaults/trace.yaml"
ok '... pods without a scheduler are served by YuniKorn'  grep -q 'lab/alone.*scheduler: yunikorn' "$tmp/defaults/trace.yaml"
ok '... which is the only one'  grep -q '^name: yunikorn' "$tmp/defaults/profile.yaml"

# sizes that no cluster has: told, in memory of the file's size
perl -e 'print "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\nspec: {resourceGroups: [{flavors: [",
    join(", ", map "{name: f$_, resources: [{name: r$_, nominalQuota: 1}]}", 1 .. 60000), "]}]}\n"' >"$tmp/flavors.yaml"
ok 'a queue of 60,000 flavors'  exits 0 "$gsim" import kubernetes "$tmp/flavors.yaml" -o "$tmp/x"
ok '... has as many as fit'     grep -q "flavors of queue 'q' beyond 64" "$out"
ok '... and resources'          grep -q 'resources of one object beyond 256' "$out"
perl -e 'print "partitions:\n- name: default\n  queues:\n", map "  - {name: q$_, limits: [{users: [u$_], maxapplications: 1}]}\n", 1 .. 50000' \
    >"$tmp/queues.yaml"
ok 'YuniKorn: 50,000 queues'    exits 0 "$gsim" import kubernetes "$tmp/queues.yaml" -o "$tmp/x"
rm -r "$tmp/x"

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

# pods of one name with uids of their own are several
awk '/uid: u-1/ && n++ { sub("u-1", "u-2") } 1' tests/data/import/again/objects.yaml \
    >"$tmp/reborn.yaml"
ok 'a pod that was made again'  exits 0 "$gsim" import kubernetes "$tmp/reborn.yaml" \
    -o "$tmp/reborn" -q
ok '... is two by its uids'     [ "$(grep -c a/solo "$tmp/reborn/trace.yaml")" = 2 ]
ok '... and one by its uid'     [ "$(grep -c a/solo "$tmp/again/trace.yaml")" = 1 ]

# names that native files refuse
printf 'apiVersion: v1\nkind: Node\nmetadata: {name: n, labels: {"a\357\273\277b": c}}\nstatus: {allocatable: {cpu: 4}}\n' \
    >"$tmp/mark.yaml"
ok 'a mark in a label'          exits 0 "$gsim" import kubernetes "$tmp/mark.yaml" \
    -o "$tmp/mark" -q
ok '... is none in the file'    exits 0 "$gsim" validate "$tmp/mark/topology.yaml"

# groups of nodes
sed 's/strict: false/strict: true/' tests/data/import/node-groups/objects.yaml \
    >"$tmp/strict.yaml"
ok 'groups of nodes are strict' exits 0 "$gsim" import kubernetes "$tmp/strict.yaml" \
    -o "$tmp/strict" -q
ok '... a queue without one has no node' grep -q \
    'of-free.*op: Exists.*op: DoesNotExist' "$tmp/strict/trace.yaml"

# what runs at time 0
running=tests/data/import/running/objects.yaml
ok 'what runs at time 0 plays'  exits 0 "$gsim" replay "$tmp/running/trace.yaml" \
    --policy volcano --until 1d --no-db -q
ok 'a time 0 is stated'         exits 0 "$gsim" import kubernetes "$running" \
    --at 2026-03-01T13:00:00Z -o "$tmp/at" -q
ok '... an hour less is left'   grep -q 'research/train.*running_since: -9000' "$tmp/at/trace.yaml"
ok 'a history'                  exits 0 "$gsim" import kubernetes "$running" \
    --history -o "$tmp/history" -q
ok '... begins empty'           [ "$(grep -c running_ "$tmp/history/trace.yaml")" = 0 ]
ok '... with what is over'      grep -q 'research/done' "$tmp/history/trace.yaml"
ok 'a bad date'                 exits 2 "$gsim" import kubernetes "$running" \
    --at soon -o "$tmp/x"
ok '... is told'                says '--at is a date'
sed 's/nvidia.com.gpu: "8"/nvidia.com\/gpu: "4"/' "$running" >"$tmp/small.yaml"
ok 'a node that is too full'    exits 0 "$gsim" import kubernetes "$tmp/small.yaml" \
    -o "$tmp/small"
ok '... is told'                grep -q 'whose node has no room' "$tmp/small/account.txt"
ok '... and plays'              exits 0 "$gsim" replay "$tmp/small/trace.yaml" \
    --policy volcano --until 1d --no-db -q
# amounts that no trace can state, wherever they stand, are the most that one can
sed -e 's/memory: 512Gi/memory: 90Pi/' -e 's/cpu: "2"/cpu: "4611686018427387904m"/' \
    "$running" >"$tmp/vast.yaml"
ok 'vast amounts'               exits 0 "$gsim" import kubernetes "$tmp/vast.yaml" -o "$tmp/vast"
ok '... are told'               grep -q 'amounts beyond those that a trace can state.*vast.yaml:[0-9]' \
    "$tmp/vast/account.txt"
ok '... and play'               exits 0 "$gsim" replay "$tmp/vast/trace.yaml" \
    --policy volcano --until 1d --no-db -q
ok 'the source itself plays'    exits 0 "$gsim" replay "$running" \
    --policy volcano --until 1d --no-db -q

# a history in other forms: in two pieces, the later one first; as v1 of
# kube-state-metrics has it, without uids but in kube_pod_info, renamed by
# Prometheus; as bare series
past=tests/data/import/history/objects.json
"$gsim" import kubernetes "$past" -o "$tmp/history-plain" -q
mkdir "$tmp/pieces"
perl -MJSON::PP -e 'use strict;
    my $json = JSON::PP->new->canonical; local $/; my @answers = $json->incr_parse(<STDIN>);
    my @all = map { $_->{data} ? @{$_->{data}{result}} : $_ } @answers;
    my $middle = 1761955200 + 3 * 3600;
    sub put { open my $out, ">", "$ARGV[0]/$_[0].json" or die; print $out $_[1]; close $out }
    sub piece { my ($which) = @_; my @some;
        for my $s (@all) {
            if ($s->{value} || $s->{timestamps}) { push @some, $s if $which eq "b"; next; }
            my @v = grep { ($_->[0] < $middle) == ($which eq "b") } @{$s->{values}};
            push @some, { %$s, values => \@v } if @v;
        }
        return { status => "success", data => { resultType => "matrix", result => \@some } };
    }
    put("pieces/1", $json->encode(piece("a"))); put("pieces/2", $json->encode(piece("b")));
    put("series", join "\n", map { $json->encode($_) } @all);
    my %unit = (cpu => "cpu_cores", memory => "memory_bytes", nvidia_com_gpu => "nvidia_gpu_devices");
    for my $s (@all) { my $m = $s->{metric};
        delete $m->{uid} if $m->{__name__} =~ /^kube_pod_/ && $m->{__name__} ne "kube_pod_info" && $m->{pod} ne "solo";
        for (qw(pod namespace node)) { $m->{"exported_$_"} = delete $m->{$_} if exists $m->{$_}; $m->{$_} = "monitoring" }
        my $u = $unit{$m->{resource} // ""};
        $m->{__name__} .= "_$u" if $u && $m->{__name__} eq "kube_pod_container_resource_requests";
    }
    put("v1", $json->encode(\@all));' "$tmp" <"$past" || echo 'Bail out! no pieces'
for form in pieces series.json v1.json; do
    ok "a history: $form"       exits 0 "$gsim" import kubernetes "$tmp/$form" \
        -o "$tmp/past-$form" -q
    ok '... is the same'        cmp "$tmp/history-plain/trace.yaml" \
        "$tmp/past-$form/trace.yaml"
done
grep -v kube_node_ "$past" | tr -d '\n' | sed 's/,\]/]/g;s/,,*/,/g' >"$tmp/pods.json"
ok 'pods without nodes'         exits 0 "$gsim" import kubernetes "$tmp/pods.json" \
    -o "$tmp/no-nodes" -q
ok '... have the rest to run'   grep -q 'research/old, submit: 0, duration: 7200,' \
    "$tmp/no-nodes/trace.yaml"
ok 'a history from its begin'   exits 0 "$gsim" import kubernetes "$past" --history \
    -o "$tmp/from-begin" -q
ok '... is whole'               grep -q 'research/old, submit: 75600, duration: 14400,' \
    "$tmp/from-begin/trace.yaml"
ok 'a history from a date'      exits 0 "$gsim" import kubernetes "$past" \
    --at '2025-11-01 02:30' -o "$tmp/from-date" -q
ok '... leaves out what is over' sh -c '! grep -q research/old "$1"' - \
    "$tmp/from-date/trace.yaml"
ok '... and keeps what runs'    grep -q 'web/web, submit: 0, .*running_since: -95390' \
    "$tmp/from-date/trace.yaml"
printf '{"status":"error","errorType":"bad_data","error":"too many points"}' >"$tmp/error.json"
ok 'an answer that is an error' exits 3 "$gsim" replay "$tmp/error.json" --policy binpack
ok '... is told'                says 'an answer of Prometheus is an error: bad_data: too many points'

# CronJobs
cron() { # schedule, options of import: when its runs are submitted
    schedule=$1; shift
    printf 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec:\n  schedule: "%s"\n  jobTemplate: {spec: {template: {spec: {containers: [{name: c}]}}}}\n' \
        "$schedule" >"$tmp/cron.yaml"
    rm -rf "$tmp/cron"
    "$gsim" import kubernetes "$tmp/cron.yaml" -o "$tmp/cron" -q "$@" 2>/dev/null
    [ ! -f "$tmp/cron/trace.yaml" ] || sed -n 's/.*submit: \([^,]*\),.*/\1/p' "$tmp/cron/trace.yaml" | tr '\n' ' '
}
is 'a schedule within --span'   "$(cron '*/20 1 * * *' --span 2d)" \
    '3600 4800 6000 90000 91200 92400 '
is 'time 0 is a Thursday'       "$(cron '0 0 * * thu,6' --span 7d)" '0 172800 '
is 'one of both days holds'     "$(cron '0 0 2 * thu' --span 3d)" '0 86400 '
is 'a step restricts the days'  "$(cron '0 0 */2 * thu' --span 3d)" '0 172800 '
is 'no run within --span'       "$(cron '0 0 1 feb ?')" ''
is 'a name'                     "$(cron '@weekly' --span 4d)" '259200 '
is 'a leap day'                 "$(cron '0 0 29 2 *' --span 800d)" '68169600 '
for bad in '' '* * * *' '* * * * * *' '60 * * * *' '* * * * 7' '5-1 * * * *' \
    '*/0 * * * *' '1, * * * *' '@soon' '@every -1h' '99999999999 * * * *'; do
    printf 'apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: c}\nspec: {schedule: "%s"}\n' \
        "$bad" >"$tmp/cron.yaml"
    ok "no schedule: '$bad'"    exits 3 "$gsim" import kubernetes "$tmp/cron.yaml" -o "$tmp/x"
done

# configurations of schedulers as policies
conf=tests/data/import/volcano-conf/objects.conf
kube=tests/data/import/scheduler-policy/objects.json
ok 'a configuration of Volcano' exits 0 "$gsim" validate "$conf"
ok '... is told'                prints "objects.conf: ok (configuration of Volcano)"
ok '... with its settings'      prints "plugin 'magic': gsim does not know it"
ok '... of kube-scheduler'      exits 0 "$gsim" validate "$kube"
ok '... is told'                prints 'ok (configuration of kube-scheduler)'
ok 'as policies'                exits 0 "$gsim" replay traces/samples/drf.yaml -q --no-db \
    --policy "$conf" --policy "$kube"
ok 'settings without effect'    exits 0 "$gsim" replay traces/samples/drf.yaml --no-db --policy "$kube"
ok '... are told'               says 'of the scheduler have no effect here: '
ok '... and refused'            exits 3 "$gsim" replay traces/samples/drf.yaml --no-db \
    --policy "$kube" --strict
for file in "$tmp"/volcano-conf/profile.yaml "$tmp"/scheduler-policy/profile.yaml; do
    of=$conf
    [ "$file" = "$tmp/volcano-conf/profile.yaml" ] || of=$kube
    "$gsim" policies "$file" | tail -n +2 >"$tmp/written"
    "$gsim" policies "$of" | tail -n +2 >"$tmp/read"
    ok 'the same is written'    cmp "$tmp/written" "$tmp/read"
done
ok 'of several schedulers'      exits 3 "$gsim" replay traces/samples/drf.yaml -q \
    --policy tests/data/import/schedulers/objects.yaml
ok '... two of one name'        says "scheduler 'gangs' is there twice"
printf 'actions: "elect"\ntiers: [{plugins: [{name: gang}]}]\n' >"$tmp/elect.conf"
ok 'without an action'          exits 3 "$gsim" validate "$tmp/elect.conf"
ok '... it is refused'          says 'names no action that gsim knows'

# dates that no object has: before 1970, and an end before the start
cat >"$tmp/dates.yaml" <<'END'
apiVersion: v1
kind: Pod
metadata: {name: old, creationTimestamp: "1013-03-01T11:00:00Z"}
spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}
---
apiVersion: v1
kind: Pod
metadata: {name: new, creationTimestamp: "2026-03-01T11:00:00Z", deletionTimestamp: "2026-03-01T09:00:00Z"}
spec: {nodeName: n1, containers: [{name: c, resources: {requests: {cpu: 1}}}]}
status: {phase: Running, startTime: "2026-03-01T11:00:00Z"}
END
ok 'dates that cannot be'       exits 0 "$gsim" import kubernetes "$tmp/dates.yaml" -q -o "$tmp/dates"
ok '... make a trace'           exits 0 "$gsim" validate "$tmp/dates/trace.yaml"

# --- on a terminal of 60 columns ------------------------------------------------

if command -v script >/dev/null; then
    account () {                # account DIR OPTIONS: as a terminal shows it
        script -qec "stty cols 60; '$gsim' import kubernetes \
            tests/data/import/kinds/objects.yaml -o '$1'" /dev/null </dev/null \
            | tr -d '\r' >"$out"
    }
    account "$tmp/narrow"
    ok 'no line is wider, but for a long word' \
        sh -c "! grep -E '^.{61}' '$out' | grep -q ' .* '"
    ok '... what is joined again is the account' \
        sh -c "sed -e ':a' -e 'N' -e '\$!ba' -e 's/\n      \([^ ]\)/ \1/g' \
            '$out' | cmp - '$tmp/narrow/account.txt'"
fi

done_testing
