#!/bin/sh
# Files that are written: whole or not at all, whatever happens, and what stood
# there stays until then.
# shellcheck source=tests/cli/harness.sh
. "$(dirname "$0")/harness.sh"

ok 'ended, or starved, at any moment: old files or new ones' \
    exits 0 scripts/output-test "$gsim" "${KILLS:-12}"

cd "$tmp" || exit 1
trace=$root/traces/samples/fragmentation.yaml
"$gsim" replay "$trace" --policy binpack --policy spread --db a.db >"$out" \
    2>"$errs" || exit 1
keep () { [ "$(cat keep 2>/dev/null)" = kept ]; }

# --- where it goes -------------------------------------------------------------

for words in 'export a.db' "trace convert $trace" "trace fit $trace" \
    'trace generate --jobs 10' 'report a.db'; do
    rm -f ./-
    # shellcheck disable=SC2086 # words
    ok "$words -o -" exits 0 "$gsim" $words -o -
    ok '... prints' [ -s "$out" ]
    is '... and makes no file of that name' "$(find . -name '-*')" ''
    # shellcheck disable=SC2086 # words
    "$gsim" $words -o file >"$out" 2>"$errs"
    # shellcheck disable=SC2086 # words
    { echo before; "$gsim" $words -o /dev/stdout; echo after; } >both \
        2>"$errs"
    { echo before; cat file; case $words in *fit*) cat "$out" ;; esac
        echo after; } >want
    ok '... /dev/stdout is where it is' cmp both want
    mkfifo pipe
    cat pipe >piped &
    # shellcheck disable=SC2086 # words
    ok '... a pipe is written' exits 0 "$gsim" $words -o pipe
    wait
    ok '... the same' cmp piped file
    rm pipe file
done
mkdir folder
echo kept >folder/target
ln -s folder/target link
chmod 640 folder/target
ok 'a link is written' exits 0 "$gsim" export a.db -o link
is 'and stays a link' "$(readlink link)" folder/target
is 'its file is the new one' "$(head -c 4 folder/target)" 'run,'
is 'with the mode of the old one' "$(stat -c %a folder/target)" 640
ln -s folder/new dangling
ok 'a link to nothing makes the file' exits 0 "$gsim" export a.db -o dangling
ok '... there' [ -s folder/new ]
ln -s circle circle
ok 'a link to itself' exits 4 "$gsim" export a.db -o circle
ok 'a folder' exits 4 "$gsim" export a.db -o folder
ok 'is told' says 'folder: cannot write: Is a directory'
ok 'no folder' exits 4 "$gsim" export a.db -o nosuch/file
(umask 027; "$gsim" export a.db -o masked)
is 'a new file heeds the umask' "$(stat -c %a masked)" 640

# --- what fails takes nothing away ---------------------------------------------

echo kept >keep
ok 'a run that is not there' exits 2 "$gsim" export a.db --run nosuch -o keep
ok '... keeps the file' keep
ok 'a trace that is not there' exits 3 "$gsim" trace convert nosuch -o keep
ok '... keeps the file' keep
echo rubbish >rubbish
ok 'a trace that is none' exits 3 "$gsim" trace sample rubbish -o keep
ok '... keeps the file' keep
ok 'a report of nothing' exits 2 "$gsim" report a.db --run nosuch -o keep
ok '... keeps the file' keep
echo 'wait.mean: {max: 1h}' >rules
ok 'a full device' exits 4 "$gsim" export a.db -o /dev/full
ok 'standard output that is closed' exits 4 sh -c "'$gsim' export a.db >&-"

# --- what is read is not written -----------------------------------------------

cp "$trace" t.yaml
cp a.db b.db
ln t.yaml t2.yaml
echo 'jobs.done: {equal: baseline}' >r.yaml
for words in 'trace convert t.yaml -o t.yaml' 'trace fit t.yaml -o ./t.yaml' \
    'trace sample t.yaml -o t2.yaml' 'trace scale t.yaml --load 2 -o t.yaml' \
    'trace merge rubbish t.yaml -o t.yaml' 'export b.db -o b.db' \
    'report b.db -o b.db' 'gate b.db --rules r.yaml --junit r.yaml' \
    'gate b.db --rules r.yaml --junit b.db' \
    'gate b.db --rules r.yaml --junit x --summary x' \
    'gate b.db --rules r.yaml --update --baseline r.yaml' \
    'gate b.db --rules r.yaml --update --baseline b.db' \
    'whatif t.yaml --vary load=1,2 --plot t.yaml'; do
    : >x
    cksum t.yaml b.db r.yaml >before
    # shellcheck disable=SC2086 # words
    ok "$words" exits 2 "$gsim" $words
    ok '... says so' says 'would overwrite'
    ok '... and does not' sh -c 'cksum t.yaml b.db r.yaml | cmp -s - before'
done
is 'a run may be called like a file' "$("$gsim" export a.db --run binpack \
    -o binpack && "$gsim" export a.db --run binpack -o binpack && echo twice)" \
    twice

# --- appending -----------------------------------------------------------------

echo first >summary
exits 0 "$gsim" gate a.db --rules rules --run binpack --summary summary
is 'a summary is appended' "$(head -n 1 summary)" first
exits 4 prlimit --fsize=10 "$gsim" gate a.db --rules rules --run binpack \
    --summary summary
ok '... as a whole or not' [ "$(wc -l <summary)" -gt 1 ]

# --- no room -------------------------------------------------------------------

mkdir full
if command -v gnuplot >"$out" && mount -t tmpfs -o size=64k tmpfs full 2>"$errs"
then
    trap 'umount "$tmp/full"; rm -rf "$tmp"' EXIT
    ok 'pictures on a full disk' exits 4 "$gsim" report a.db --plots full/p
    is '... leave nothing' "$(find full -mindepth 1)" ''
    head -c 40000 /dev/zero >full/ballast
    ok 'a page on a full disk' exits 4 "$gsim" report a.db -o full/page.html
    ok '... says so' says 'No space left on device'
    is '... leaves nothing' "$(ls full)" ballast
else
    skip 'a full disk' 'needs root to mount a tmpfs, and gnuplot'
fi
if command -v gnuplot >"$out" && unshare -m true 2>"$errs"; then
    # gnuplot does not notice that there is no room for its pictures
    far=$(mktemp -d /var/tmp/gsim-test-XXXXXX)
    trap 'umount "$tmp/full" 2>"$errs"; rm -rf "$tmp" "$far"' EXIT
    cp a.db keep "$far"
    cp "$gsim" "$far/gsim"      # which may be in /tmp itself
    exits 4 unshare -m sh -c "mount -t tmpfs -o size=8k tmpfs /tmp \
        && exec '$far/gsim' report '$far/a.db' -o '$far/keep'" >"$out"
    ok 'no room in /tmp' says 'waiting: '
    is '... keeps the page' "$(cat "$far/keep")" kept
else
    skip 'no room in /tmp' 'needs root, a mount namespace and gnuplot'
fi

# --- signals that the parent asked to ignore ----------------------------------

cat >sweep.yaml <<YAML
traces: $root/traces/samples/fragmentation.yaml
policies: [binpack, spread]
seeds: 1..40
YAML
status_of () {                  # status_of SIGNAL COMMAND: ended at its start
    signal=$1
    shift
    rm -f s.db
    "$@" >"$out" 2>"$errs" &
    pid=$!
    while [ ! -s s.db ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
    kill "-$signal" $pid
    wait $pid
    echo $?
}
for signal in HUP INT TERM; do
    is "a sweep that was asked to ignore SIG$signal" "$(status_of $signal \
        sh -c "trap '' $signal; exec '$gsim' sweep sweep.yaml --db s.db")" 0
    is '... makes all its runs' \
        "$(sqlite3 s.db 'SELECT count(*) FROM runs')" 80
done
is 'another one is ended by SIGHUP' "$(status_of HUP "$gsim" sweep \
    sweep.yaml --db s.db)" 129
done_testing
