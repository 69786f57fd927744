/* sim/cli/cmd_replay.c - gsim replay: one trace under one or more policies. */
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile/profile.h"
#include "reports/compare/compare.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/replay_runs.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/inputs_policy.h"
#include "sim/study/notes.h"
#include "sim/study/pool.h"
#include "sim/study/run.h"
#include "sim/study/scratch_db.h"
#include "topology/task_mix.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"
#include "traces/workload/workload_mix.h"

#define DATABASE "gsim.db" /* without --db */

struct replay_options {
    struct cmd_trace_flags trace;
    const char *topology, *db, *run, *mix, *speed;
    const char *scenario, *format, *estimates, *scratch;
    struct cmd_texts policy, set;
    uint64_t seed, large, jobs;
    struct cmd_seeds seeds;
    struct report_window_request window;
    int64_t until;
    bool no_db, replace, metrics_only, events, stats, strict;
};

#define AT(field) offsetof(struct replay_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_TOPOLOGY, AT(topology) },
    { .id = OPT_POLICY, AT(policy), "binpack", .repeats = true },
    { .id = OPT_SET, AT(set), .repeats = true },
    { .id = OPT_DB, AT(db), "gsim.db, where runs are replaced" },
    { .id = OPT_NO_DB, AT(no_db) },
    { .id = OPT_REPLACE, AT(replace) },
    { .id = OPT_METRICS_ONLY, AT(metrics_only) },
    { .id = OPT_SCRATCH, AT(scratch), "memory" },
    { .id = OPT_RUN, AT(run), "the policy's name" },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_ESTIMATES, AT(estimates), "the trace's" },
    { .id = OPT_SEEDS, AT(seeds) },
    { .id = OPT_JOBS, AT(jobs), .max = STUDY_JOBS_MAX },
    { .id = OPT_UNTIL, AT(until) },
    { .id = OPT_FROM, AT(window.from), "the first submission" },
    { .id = OPT_TO, AT(window.to) },
    { .id = OPT_WARMUP, AT(window.warmup), "0s" },
    CMD_TRACE_TAKES(AT(trace)),
    { .id = OPT_MIX, AT(mix) },
    { .id = OPT_SPEED, AT(speed) },
    { .id = OPT_SCENARIO, AT(scenario), .alias = "world" },
    { .id = OPT_LARGE, AT(large), "64", .max = UINT32_MAX },
    { .id = OPT_EVENTS, AT(events) },
    { .id = OPT_STRICT, AT(strict) },
    { .id = OPT_STATS, AT(stats) },
    { .id = OPT_FORMAT, AT(format), "table", "table json csv markdown" },
    { .id = OPT_PROGRESS, CMD_NOWHERE },
};

static const struct replay_options defaults = {
    .trace = CMD_TRACE_NONE,
    .policy = { { "binpack" }, 1 },
    .seed = 42,
    .seeds = { .count = 1 },
    .format = "table",
    .large = REPORT_LARGE,
    .window = { .from = -1, .to = REPORT_WINDOW_OPEN },
    .until = SIM_FOREVER,
};

/* The runs of one command line. */
struct replay {
    struct inputs *in;
    struct replay_options o;
    bool is_quiet;
    struct gsched_profile *profile[CMD_TEXTS_MAX];
    const char *notes[CMD_TEXTS_MAX]; /* JSON of the notes of each policy */
    const char *name[REPORT_COMPARE_RUNS]; /* of the runs: policies x seeds */
    size_t runs;
    struct report_store *store; /* NULL: each run opens the database */
    const char *scratch;        /* the database, if none is kept; or NULL */
    int signal;                 /* that ended the runs; 0 */
    struct topo_mix *mix;       /* NULL: the trace's own */
    int64_t mix_window; /* us: mix of the tasks submitted last; 0: of all */
};

/* --- getting ready -------------------------------------------------------- */

/* The name of policy `i`.  If an earlier policy has the same name and `i` is a
 * file, the name of the file.
 */
static const char *policy_name(const struct replay *r, size_t i)
{
    const char *name = r->profile[i]->name, *spec = r->o.policy.text[i];
    const char *slash = strrchr(spec, '/');

    for (size_t k = 0; k < i; k++) {
        if (strcmp(r->profile[k]->name, name) == 0
            && inputs_policy_is_file(spec))
            return slash && slash[1] ? slash + 1 : spec;
    }
    return name;
}

static size_t policy_of(const struct replay *r, size_t run)
{
    return run / r->o.seeds.count;
}

static uint64_t seed_of(const struct replay *r, size_t run)
{
    return r->o.seeds.first + run % r->o.seeds.count;
}

/* "binpack", "mine-binpack" with --run mine, "binpack-s42" with --seeds. */
static const char *run_name(struct replay *r, size_t i)
{
    const bool is_one = r->o.run && r->o.policy.count == 1;
    const char *policy = policy_name(r, policy_of(r, i));
    const char *name = !r->o.run ? policy
                       : is_one  ? r->o.run
                                 : gs_arena_printf(r->in->arena, "%s-%s",
                                                   r->o.run, policy);

    return r->o.seeds.is_given ? gs_arena_printf(r->in->arena, "%s-s%" PRIu64,
                                                 name, seed_of(r, i))
                               : name;
}

/* Name the runs of all policies. */
static int runs_name(struct replay *r, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const char *run = r->o.run;

    if (run && (!*run || !gs_text_is_clean(run, strlen(run))))
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--run' must be a name without control characters "
                       "(got '%s')",
                       run);
    if (r->o.seeds.count > REPORT_COMPARE_RUNS / r->o.policy.count
        || r->o.seeds.first > UINT64_MAX - (r->o.seeds.count - 1))
        return gs_fail(
            err, GS_USAGE, nowhere,
            "'--seeds' must give at most %u runs of "
            "%zu policies, and no seed above 18446744073709551615 (got "
            "%" PRIu64 ")",
            REPORT_COMPARE_RUNS, r->o.policy.count, r->o.seeds.count);
    for (size_t i = 0; i < r->o.policy.count * r->o.seeds.count; i++) {
        r->name[i] = run_name(r, i);
        r->runs++;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(r->name[k], r->name[i]) == 0)
                return gs_fail(err, GS_USAGE, nowhere,
                               "two runs would be called '%s': give each "
                               "policy once, and each profile its own 'name'",
                               r->name[i]);
        }
    }
    return 0;
}

static int profiles_read(struct replay *r, struct gs_err *err)
{
    return study_policies_read(r->in, r->o.policy.text, r->o.policy.count,
                               r->o.set.text, r->o.set.count, r->profile, err)
                   < 0
               ? -1
               : runs_name(r, err);
}

static int store_open(struct replay *r, struct gs_err *err)
{
    uint32_t replaced = 0;
    bool is_default;

    is_default = !r->o.db;
    r->o.db = is_default ? DATABASE : r->o.db;
    r->store = r->o.no_db ? report_store_open_memory(err)
                          : report_store_open(r->o.db, err);
    if (!r->store)
        return -1;
    /* runs in a database that --db names are kept, unless --replace is given */
    r->o.replace = r->o.replace || is_default;
    for (size_t i = 0; i < r->runs; i++) {
        const int rc = r->o.replace
                           ? report_store_check_replace(r->store, r->name[i],
                                                        err)
                           : report_store_check_name(r->store, r->name[i], err);

        if (rc < 0)
            return -1;
        replaced += rc > 0;
    }
    if (replaced && !r->is_quiet)
        fprintf(stderr, "gsim: %s: replacing %u run%s of the same name%s\n",
                r->o.db, replaced, replaced == 1 ? "" : "s",
                is_default ? " (--db FILE keeps results)" : "");
    return 0;
}

/* Choose how many runs are made at once.  Several processes write a file that
 * is closed here, also where none is kept.
 */
static int jobs_choose(struct replay *r, struct gs_err *err)
{
    const uint64_t wanted = r->o.jobs ? r->o.jobs : study_pool_cores();

    r->o.jobs = wanted < r->runs ? wanted : r->runs;
    if (r->o.jobs == 1)
        return 0;
    report_store_close(r->store);
    r->store = NULL;
    if (!r->o.no_db)
        return 0;
    r->o.db = r->scratch = study_scratch_db(r->in->arena, err);
    return r->scratch ? 0 : -1;
}

/* All options that the run depends on, as JSON, so that it can be repeated. */
static const char *options_json(struct replay *r, const struct study_run *run)
{
    const struct replay_options *o = &r->o;
    const struct trace_options t = cmd_trace_options(&o->trace);
    json_t *set = json_array(), *all;

    for (size_t i = 0; i < o->set.count; i++)
        json_array_append_new(set, json_string(o->set.text[i]));
    all = study_options_json(r->in, run, &t, set);
    json_object_set_new(all, "gpu_processors",
                        json_boolean(t.processors_are_gpus));
    json_object_set_new(all, "arrivals_only", json_boolean(t.arrivals_only));
    if (o->mix)
        json_object_set_new(all, "mix", json_string(o->mix));
    if (o->estimates)
        json_object_set_new(all, "estimates", json_string(o->estimates));
    return study_json_keep(r->in->arena, all);
}

/* --- the runs ------------------------------------------------------------- */

static struct study_run run_of(struct replay *r, size_t i)
{
    const size_t policy = policy_of(r, i);
    struct study_run run = {
        .name = r->name[i],
        .policy = r->o.policy.text[policy],
        .profile = r->profile[policy],
        .sim = { .seed = seed_of(r, i),
                 .speed = r->in->speed,
                 .until = r->o.until,
                 .scenario = r->in->scenario },
        .window = r->o.window,
        .large = (uint32_t)r->o.large,
        .keeps_events = r->o.events,
        .is_strict = r->o.strict,
        .replaces = r->o.replace,
        .metrics_only = r->o.metrics_only || r->o.no_db, /* the summary's */
        .mix = r->mix,
        .mix_window = r->mix_window,
        .notes = r->notes[policy],
    };

    run.options = options_json(r, &run);
    return run;
}

static int runs_make(struct replay *r, struct gs_err *err)
{
    struct replay_runs runs = {
        .in = r->in,
        .run = gs_arena_alloc(r->in->arena, r->runs, sizeof(*runs.run)),
        .count = (uint32_t)r->runs,
        .jobs = (uint32_t)r->o.jobs,
        .store = r->store,
        .db = r->o.db,
        .is_quiet = r->is_quiet,
        .tells_stats = r->o.stats,
    };
    int rc;

    for (size_t i = 0; i < r->runs; i++)
        runs.run[i] = run_of(r, i);
    rc = replay_runs_make(&runs, err);
    r->signal = runs.signal;
    return rc;
}

static int summary_show(struct replay *r, struct gs_err *err)
{
    struct report_comparison *c = report_compare_create(r->in->arena);
    const struct report_layout layout = terminal_layout(r->o.format);

    if (!r->store)
        r->store = report_store_open_readonly(r->o.db, err);
    if (!r->store)
        return -1;
    if (report_compare_add(c, r->store, r->name, r->runs, err) < 0)
        return -1;
    report_compare_select(c, NULL);
    report_compare_print(c, &layout, stdout);
    return 0;
}

/* window:T */
static int mix_window_read(struct replay *r, struct gs_err *err)
{
    static const char prefix[] = "window:";
    const size_t n = sizeof(prefix) - 1;
    const struct gs_mark nowhere = { 0 };

    if (!r->o.mix || strncmp(r->o.mix, prefix, n) != 0)
        return 0;
    if (gs_duration_parse(r->o.mix + n, strlen(r->o.mix + n), &r->mix_window)
            < 0
        || r->mix_window <= 0)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--mix' must be a file, or window: and a time such as "
                       "window:1d (got '%s')",
                       r->o.mix);
    return 0;
}

static int mix_read(struct replay *r, struct gs_err *err)
{
    struct gs_input *in;

    if (!r->o.mix || r->mix_window)
        return 0;
    in = gs_input_open(r->o.mix, err);
    if (!in)
        return -1;
    r->mix = trace_mix_read(in, r->in->work, r->in->topo, err);
    gs_input_close(in);
    if (r->mix)
        r->mix = inputs_relabel_mix(r->in, r->mix);
    return r->mix ? 0 : -1;
}

/* Apply --estimates, and the changes of --set to the trace and the topology. */
static int inputs_change(struct replay *r, struct gs_err *err)
{
    if (r->o.estimates && study_estimates_set(r->in, r->o.estimates, err) < 0)
        return -1;
    return study_changes_apply(r->in, r->o.set.text, r->o.set.count, err);
}

static int notes_tell(struct replay *r, struct gs_err *err)
{
    const struct gs_mark at = { .source = r->in->trace_path };
    const size_t policies = r->o.policy.count;
    struct study_notes n;

    if (study_notes(r->in, r->profile, policies, &n, err) < 0)
        return -1;
    if (n.idle && r->o.strict)
        return gs_fail(err, GS_INPUT, at, "%s", n.text[0]);
    if (!r->is_quiet) {
        inputs_tell_sources(r->in);
        study_notes_show(&n);
    }
    if (!r->is_quiet)
        study_window_tell(r->in, &r->o.window, r->o.until);
    for (size_t i = 0; i < policies; i++) {
        if (policies > 1 && study_notes(r->in, &r->profile[i], 1, &n, err) < 0)
            return -1;
        r->notes[i] = study_notes_json(r->in, &n);
    }
    return 0;
}

/* Options that are for rows which are not stored. */
static int stored_check(const struct replay *r, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    if (r->o.no_db && (r->o.db || r->o.replace || r->o.metrics_only))
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--no-db' stores nothing: leave out '--db', "
                       "'--replace' and '--metrics-only'");
    if (r->o.metrics_only && r->o.events)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--metrics-only' stores no events: leave out "
                       "'--events'");
    return 0;
}

/* Processes would write what one wrote for itself. */
static int scratch_take(struct replay *r, struct gs_err *err)
{
    const uint64_t runs = r->o.policy.count * r->o.seeds.count;

    if (!r->o.scratch)
        return 0;
    if (runs > 1)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--scratch' is for one run (got %" PRIu64 ")", runs);
    return inputs_lie_in(r->in, r->o.scratch, err);
}

static int replay_all(struct replay *r, const char *trace, struct gs_err *err)
{
    const struct trace_options t = cmd_trace_options(&r->o.trace);

    if (stored_check(r, err) < 0 || scratch_take(r, err) < 0
        || study_window_check(&r->o.window, r->o.until, err) < 0
        || mix_window_read(r, err) < 0 || profiles_read(r, err) < 0
        || cmd_source_take(&r->o.trace.source, r->in, err) < 0
        || inputs_read(r->in, trace, r->o.topology, &t, err) < 0
        || inputs_change(r, err) < 0 || mix_read(r, err) < 0
        || inputs_read_speed(r->in, r->o.speed, err) < 0
        || inputs_read_scenario(r->in, r->o.scenario, err) < 0
        || notes_tell(r, err) < 0 || store_open(r, err) < 0
        || jobs_choose(r, err) < 0)
        return -1;
    if (runs_make(r, err) < 0)
        return -1;
    return r->is_quiet ? 0 : summary_show(r, err);
}

static int replay_run(const struct cmd_call *call, struct gs_err *err)
{
    struct replay r = { .in = call->in,
                        .o = *(const struct replay_options *)call->options,
                        .is_quiet = call->is_quiet };
    const int rc = replay_all(&r, call->operand[0], err);

    report_store_close(r.store);
    study_scratch_db_remove(r.scratch);
    topo_mix_destroy(r.mix);
    if (r.signal)
        raise(r.signal); /* as if it had not been waited for */
    return rc;
}

const struct cmd cmd_replay = {
    .name = "replay",
    .args = "TRACE [--topology FILE] [--policy P]... [OPTION]...",
    .summary = "replay a trace under one or more policies and store the runs",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
    .help =
        "Examples:\n"
        "  gsim replay trace.yaml --policy binpack\n"
        "  gsim replay philly.csv.gz --topology cluster.yaml \\\n"
        "      --policy spread --policy kube-default\n"
        "  gsim replay trace.yaml --policy binpack --policy random --seeds 10\n"
        "  gsim replay jobs.swf --topology flat.yaml --policy fifo --db a.db\n"
        "  gsim replay trace.yaml --policy kube-default \\\n"
        "      --set gang.timeout=10m --run timeout\n",
    .run = replay_run,
};
