#!/bin/sh
# The documents: every command in them is run, every example is read, generated
# tables are as the program has them, every link and every file that is named
# exists, and every key that a reader knows stands in its document.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

# Side by side, as each has a folder of its own.
# shellcheck disable=SC2016 # for the shells of xargs
printf '%s\n' README.md CONTRIBUTING.md docs/*.md | xargs -P "$(nproc)" -I{} \
    sh -c 'scripts/docs "$1" "$2" 2>"$3/${2##*/}.err"; echo $? >"$3/${2##*/}.rc"' \
    docs "$gsim" {} "$tmp"
for doc in README.md CONTRIBUTING.md docs/*.md; do
    cp "$tmp/${doc##*/}.err" "$errs"
    ok "$doc shows what is printed (make docs)" test "$(cat "$tmp/${doc##*/}.rc")" -eq 0
done

# --- a reader finds every document, in 150 lines
ok 'the README is short'        test "$(wc -l <README.md)" -le 150
for doc in CONTRIBUTING.md docs/*.md; do
    ok "the README leads to $doc" grep -q "($doc)" README.md
done

# --- the kubectl line collects each kind that has a reader, and no secrets
collects () {                   # collects RESOURCE...: those it leaves out
    printf '%s\n' "$@" | grep -v metrics | grep -vE "$(sed -n "/^kubectl get/,/^ *| paste/s/^ *'\(.*\)' .*/\1/p" docs/importing.md)"
}
# shellcheck disable=SC2046 # names without blanks
is 'the kubectl line has all kinds' "$(collects $(perl -ne '
    next unless /^    \{ (?:NULL|"([^"]*)"), "(\w+)",/ .. /\},$/;
    ($group, $kind) = ($1 // "scheduling.volcano.sh", $2) if /^    \{ (?:NULL|"([^"]*)"), "(\w+)",/;
    next unless /kube_\w+_read/ && $kind !~ /^(ConfigMap|Policy|Configuration|KubeSchedulerConfiguration)$/;
    $kind = lc $kind; $kind =~ s/y$/ies/ || $kind =~ s/ss$/sses/ || $kind =~ s/$/s/;
    print $kind, $group ? ".$group" : "", "\n"' import/kubernetes/kinds.c))" ''
is '... and no secrets'         "$(collects secrets configmaps secrets.k8s.io |
    tr '\n' ' ')" 'secrets configmaps secrets.k8s.io '

# --- keys: those of the readers' tables, and those of the documents' tables
keys_read () {                  # keys_read FILE...: names in tables of fields
    perl -0777 -ne 'while (/struct (?:gs_yfield|trace_job_key) \w+\[[^\]]*\] = \{(.*?)\n *\};/gs) {
            my $table = $1;
            print "$1\n" while $table =~ /(?:\{|IN\()\s*"(\w+)"/g;
        }
        print "$1\n" while /\bX\(\w+, *"(\w+)"/g;
        print "$1\n" while /TRACE_TASK_FIELD\(\w+, "(\w+)"/g' "$@" | sort -u
}
keys_told () {                  # keys_told DOCUMENT HEADING: first cells
    awk -v heading="$2" '/^\|/ && !on { on = 1; told = index($0, "| " heading) == 1; next }
        !/^\|/ { on = 0 }
        told && match($0, /^\| `[a-z_]+`/) { print substr($0, 4, RLENGTH - 4) }' "$1" |
        sort -u
}
same () {                       # same NAME DOCUMENT HEADING KEYS
    echo "$4" | sort -u >"$tmp/read"
    keys_told "$2" "$3" >"$tmp/told"
    ok "$1: there are some"     test "$(wc -l <"$tmp/read")" -ge 3
    is "$1: none is missing"    "$(comm -23 "$tmp/read" "$tmp/told" | tr '\n' ' ')" ''
    is "$1: none is made up"    "$(comm -13 "$tmp/read" "$tmp/told" | tr '\n' ' ')" ''
}
same traces docs/traces.md key "$(keys_read traces/formats/native_*.[ch] traces/formats/job_keys.c \
    traces/formats/terms.c traces/formats/class_terms.c \
    traces/formats/limit_terms.c traces/workload/queue_terms.h)"
columns_read () {               # rows of tables, but for what is YAML's alone
    perl -0777 -ne 'next if !/(?:columns|trace_job_key keys)\[\] = \{(.*?)\n\};/s;
        print map { /^(\w+)/ && !/yaml_only/ ? "$1\n" : () } split /\{ "/, $1' "$@"
}
same columns docs/traces.md column \
    "$(columns_read traces/formats/csv_row.c traces/formats/job_keys.c)"
same topologies docs/topologies.md key "$(keys_read topology/native*.c)"
same scenarios docs/scenarios.md key "$(keys_read sim/scenario/scenario_*.c)"
same profiles docs/policies.md key "$(keys_read policies/profile/profile*.c)"
same speeds docs/speed.md key "$(keys_read sim/speed/speed_file.c)"
same sweeps docs/planning.md key "$(keys_read sim/study/sweep_file.c
    sed -n 's/^    KEY(\([a-z_]*\),.*/\1/p' sim/study/sweep_file.c)"
same models docs/trace-models.md key "$(keys_read traces/model/*.c)"
same suites docs/ci-gate.md key "$(keys_read sim/cli/gate_suite.c)"
same extensions docs/modules.md 'extension point' "$(sed -n '/^struct gsp_module {/,/^};/p' \
    policies/policy/module.h | grep -o '(\*[a-z_]*)(' | tr -d '(*)')"

# --- an unknown column is answered with those that there are
echo 'submit,duration,zzzzzzzzz' >"$tmp/x.csv"
ok 'an unknown column'          exits 3 "$gsim" validate "$tmp/x.csv"
for column in $(keys_told docs/traces.md column); do
    ok "lists $column"          says "$column"
done

# --- the checker itself: what is wrong is found
cat >"$tmp/wrong.md" <<'END'
```console
$ gsim --version
gsim 9.9.9
```
END
ok 'other output'               exits 1 scripts/docs "$gsim" "$tmp/wrong.md"
ok 'is shown'                   says 'is not what is printed now'
cp "$tmp/wrong.md" "$tmp/mended.md"
ok 'and mended'                 exits 0 scripts/docs "$gsim" --update "$tmp/mended.md"
ok 'for good'                   exits 0 scripts/docs "$gsim" "$tmp/mended.md"
# shellcheck disable=SC2016 # Markdown
printf '```console\n$ gsim replay nothing.yaml\n```\n' >"$tmp/fails.md"
ok 'a command that fails'       exits 1 scripts/docs "$gsim" "$tmp/fails.md"
# shellcheck disable=SC2016
printf '```yaml\njobs: []\n```\n' >"$tmp/loose.md"
ok 'an example that nothing reads' exits 1 scripts/docs "$gsim" "$tmp/loose.md"
cat >"$tmp/links.md" <<'END'
See [this](nowhere.md), [that](links.md#no-such-heading), `sim/nothing.c`, `gsched_nothing()`.
<!-- made: terms -->
<!-- end -->
END
ok 'broken links and names'     exits 1 scripts/docs "$gsim" "$tmp/links.md"
ok 'a file'                     says 'a link to nowhere.md'
ok 'a heading'                  says 'no heading #no-such-heading'
ok 'a source'                   says 'sim/nothing.c is not there'
ok 'a function'                 says 'no function gsched_nothing'
ok 'a table that is old'        says "table 'terms' is not as the program has it"
done_testing
