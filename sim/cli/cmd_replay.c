/* sim/cli/cmd_replay.c - gsim replay: one trace under one or more policies. */
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/text.h"
#include "policies/profile.h"
#include "reports/compare.h"
#include "reports/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace_flags.h"
#include "sim/study/change.h"
#include "sim/study/inputs.h"
#include "sim/study/run.h"
#include "topology/mix.h"
#include "topology/topology.h"
#include "traces/mix.h"
#include "traces/workload.h"

#define POLICIES_MAX 64
#define NO_SEEDS UINT64_MAX /* --seeds was not given */

struct options {
    struct cmd_trace_flags trace;
    const char *topology, *db, *run, *mix, *speed;
    const char *world;
    struct cmd_texts policy, set;
    uint64_t seed, seeds, large;
    int64_t until;
    bool progress, events, stats, strict;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_option option[] = {
    { "topology", CMD_TEXT, "FILE", "the cluster (default: what TRACE names)",
      AT(topology) },
    { "policy", CMD_TEXTS, "P",
      "preset, modules a,b,./c.so or profile file; may "
      "be repeated (binpack)",
      AT(policy) },
    { "set", CMD_TEXTS, "PATH=VALUE", "what if: " STUDY_CHANGE_HELP, AT(set) },
    { "db", CMD_TEXT, "FILE", "where results go (gsim.db)", AT(db) },
    { "run", CMD_TEXT, "NAME", "name of the run (the policy's)", AT(run) },
    { "seed", CMD_COUNT, "N", "for policies that use chance (42)", AT(seed) },
    { "seeds", CMD_COUNT, "N",
      "a run for each of N seeds, from --seed on: NAME-s42, NAME-s43 ..., which "
      "are compared by their means",
      AT(seeds) },
    { "until", CMD_SPAN, "T", "stop at this simulated time", AT(until) },
    CMD_TRACE_FLAGS(AT(trace)),
    { "mix", CMD_TEXT, "FILE",
      "kinds of tasks with weights, by which frag.demand is measured, or "
      "window:T, what was submitted in the last T (the trace's own tasks)",
      AT(mix) },
    { "speed", CMD_TEXT, "MODEL",
      "how placement and replicas change a job's speed: none, all-reduce or a "
      "file (none)",
      AT(speed) },
    { "world", CMD_TEXT, "FILE",
      "what happens to nodes: drains, failures, spot reclaims, autoscaling",
      AT(world) },
    { "large", CMD_COUNT, "N", "GPUs from which a job is large (64)",
      AT(large) },
    { "events", CMD_FLAG, NULL, "store every event too", AT(events) },
    { "strict", CMD_FLAG, NULL,
      "a job that no node could ever serve is an "
      "error",
      AT(strict) },
    { "stats", CMD_FLAG, NULL, "tell on standard error what cycles cost",
      AT(stats) },
    { "progress", CMD_FLAG, NULL,
      "show how far the replay is (terminal "
      "only)",
      AT(progress) },
};

/* One replay being made. */
struct replay {
    struct inputs in;
    struct options o;
    struct gsched_profile *profile[POLICIES_MAX];
    const char *name[REPORT_COMPARE_RUNS]; /* of the runs: policies x seeds */
    size_t runs;
    struct report_store *store;
    struct topo_mix *mix; /* NULL: the trace's own */
    int64_t mix_window;   /* of what was submitted last; 0: of all */
};

/* --- the clock: only the command line may look at one ------------------------- */

static int64_t clock_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

struct progress {
    int64_t began;
    uint32_t jobs;
};

static void progress_show(void *ctx, int64_t now, uint32_t submitted,
                          uint32_t over)
{
    const struct progress *p = ctx;
    const double spent = (double)(clock_us() - p->began) / 1e6;
    char at[32];

    (void)submitted; /* what is over says more */
    fprintf(stderr, "\r%s simulated, %u of %u jobs, %.0f jobs/s, %.0f s left ",
            gs_duration_human(now, at, sizeof(at)), over, p->jobs,
            over / (spent + 1e-9),
            over ? spent * (p->jobs - over) / over : 0.0);
}

/* --- getting ready -------------------------------------------------------------- */

static const char *run_name(struct replay *r, size_t i)
{
    const char *policy = r->profile[i]->name, *run = r->o.run;
    char *joined;

    if (!run)
        return policy;
    if (r->o.policy.count == 1)
        return run;
    joined = gs_arena_alloc(r->in.arena, strlen(run) + strlen(policy) + 2, 1);
    return strcat(strcat(strcpy(joined, run), "-"), policy);
}

/* How many seeds each policy is replayed under. */
static uint64_t seeds(const struct replay *r)
{
    return r->o.seeds == NO_SEEDS ? 1 : r->o.seeds;
}

static size_t policy_of(const struct replay *r, size_t run)
{
    return run / seeds(r);
}

static uint64_t seed_of(const struct replay *r, size_t run)
{
    return r->o.seed + run % seeds(r);
}

static const char *seed_name(struct replay *r, size_t run, const char *name)
{
    const size_t size = strlen(name) + 32;
    char *text = gs_arena_alloc(r->in.arena, size, 1);

    snprintf(text, size, "%s-s%" PRIu64, name, seed_of(r, run));
    return text;
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
    if (seeds(r) == 0 || seeds(r) > REPORT_COMPARE_RUNS / r->o.policy.count
        || r->o.seed > UINT64_MAX - (seeds(r) - 1))
        return gs_fail(
            err, GS_USAGE, nowhere,
            "'--seeds' must be at least 1, give at most %u runs of "
            "%zu policies, and no seed above 18446744073709551615 (got "
            "%" PRIu64 ")",
            REPORT_COMPARE_RUNS, r->o.policy.count, r->o.seeds);
    for (size_t i = 0; i < r->o.policy.count * seeds(r); i++) {
        const char *name = run_name(r, policy_of(r, i));

        r->name[i] = r->o.seeds != NO_SEEDS ? seed_name(r, i, name) : name;
        r->runs++;
        for (size_t k = 0; k < i; k++) {
            if (strcmp(r->name[k], r->name[i]) == 0)
                return gs_fail(err, GS_USAGE, nowhere,
                               "two runs would be called '%s'", r->name[i]);
        }
    }
    return 0;
}

static int profiles_read(struct replay *r, struct gs_err *err)
{
    for (size_t i = 0; i < r->o.policy.count; i++) {
        struct gsched_profile *p = inputs_policy(&r->in, r->o.policy.text[i],
                                                 err);

        if (!p)
            return -1;
        for (size_t k = 0; k < r->o.set.count; k++) {
            if (study_change_is_policys(r->o.set.text[k])
                && study_change_apply(&r->in, p, r->o.set.text[k], err) < 0)
                return -1;
        }
        if (gsched_profile_check(p, err) < 0)
            return -1;
        r->profile[i] = p;
    }
    return runs_name(r, err);
}

static int store_open(struct replay *r, struct gs_err *err)
{
    r->store = report_store_open(r->o.db, err);
    if (!r->store)
        return -1;
    for (size_t i = 0; i < r->runs; i++) {
        if (report_store_check_name(r->store, r->name[i], err) < 0)
            return -1;
    }
    return 0;
}

/* What else the run depended on, for whoever repeats it. */
static const char *options_json(struct replay *r)
{
    const struct options *o = &r->o;
    json_t *set = json_array(), *all;
    char *text, hash[20];
    const char *kept;

    for (size_t i = 0; i < o->set.count; i++)
        json_array_append_new(set, json_string(o->set.text[i]));
    all = json_pack("{s:I, s:I, s:I, s:b, s:b, s:I, s:o}", "until",
                    (json_int_t)(o->until == SIM_FOREVER ? -1 : o->until),
                    "limit", (json_int_t)o->trace.limit, "task_size",
                    (json_int_t)o->trace.task_size, "gpu_processors",
                    o->trace.processors
                        && strcmp(o->trace.processors, "gpu") == 0,
                    "arrivals_only", o->trace.arrivals_only, "large",
                    (json_int_t)o->large, "set", set);
    if (o->mix)
        json_object_set_new(all, "mix", json_string(o->mix));
    if (r->in.speed)
        json_object_set_new(all, "speed", json_string(o->speed));
    if (r->in.speed_hash) {
        snprintf(hash, sizeof(hash), "%016" PRIx64, r->in.speed_hash);
        json_object_set_new(all, "speed_hash", json_string(hash));
    }
    if (o->world)
        json_object_set_new(all, "world", json_string(o->world));
    if (r->in.world) {
        snprintf(hash, sizeof(hash), "%016" PRIx64, r->in.world_hash);
        json_object_set_new(all, "world_hash", json_string(hash));
    }
    text = json_dumps(all, JSON_SORT_KEYS);
    kept = gs_arena_strndup(r->in.arena, text ? text : "{}",
                            text ? strlen(text) : 2);
    free(text);
    json_decref(all);
    return kept;
}

/* --- one run -------------------------------------------------------------------- */

static void stats_show(const char *name, const struct sim_stats *s)
{
    fprintf(stderr,
            "%s: cycles %" PRIu64 " decisions %" PRIu64 " tasks %" PRIu64
            " in %.6f s\n",
            name, s->cycles, s->decisions, s->tasks, (double)s->cycle_us / 1e6);
}

static int run_one(struct replay *r, size_t i, struct gs_err *err)
{
    struct progress p = { clock_us(), r->in.work->job_count };
    const bool shows = r->o.progress && isatty(STDERR_FILENO);
    const struct study_run run = {
        .name = r->name[i],
        .policy = r->o.policy.text[policy_of(r, i)],
        .profile = r->profile[policy_of(r, i)],
        .sim = { .seed = seed_of(r, i),
                 .speed = r->in.speed,
                 .until = r->o.until,
                 .world = r->in.world,
                 .progress = shows ? progress_show : NULL,
                 .progress_ctx = &p,
                 .clock = r->o.stats ? clock_us : NULL },
        .large = (uint32_t)r->o.large,
        .keeps_events = r->o.events,
        .is_strict = r->o.strict,
        .mix = r->mix,
        .mix_window = r->mix_window,
        .options = options_json(r),
    };
    struct study_outcome out;
    const int rc = study_run(&r->in, &run, r->store, &out, err);

    if (shows)
        fputs("\r\033[K", stderr);
    if (rc < 0)
        return -1;
    if (out.rejected)
        fprintf(stderr, "gsim: %s: %u jobs rejected, the first is %s\n",
                run.name, out.rejected, out.first_rejected);
    if (r->o.stats)
        stats_show(run.name, &out.stats);
    return 0;
}

static int summary_show(struct replay *r, struct gs_err *err)
{
    struct report_comparison *c = report_compare_create(r->in.arena);
    const struct report_layout layout = { REPORT_TABLE, terminal_width(),
                                          terminal_has_colour(),
                                          terminal_has_utf8() };

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
    r->mix = trace_mix_read(in, r->in.work, r->in.topo, err);
    gs_input_close(in);
    return r->mix ? 0 : -1;
}

/* What --set says of the trace and the topology. */
static int inputs_change(struct replay *r, struct gs_err *err)
{
    for (size_t i = 0; i < r->o.set.count; i++) {
        if (!study_change_is_policys(r->o.set.text[i])
            && study_change_apply(&r->in, NULL, r->o.set.text[i], err) < 0)
            return -1;
    }
    return 0;
}

static int large_check(const struct options *o, struct gs_err *err)
{
    if (o->large <= UINT32_MAX)
        return 0;
    return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                   "'--large' must be below 4294967296");
}

static int replay_all(struct replay *r, const char *trace, struct gs_err *err)
{
    struct trace_options t;

    if (cmd_trace_flags_read(&r->o.trace, &t, err) < 0
        || large_check(&r->o, err) < 0 || mix_window_read(r, err) < 0
        || profiles_read(r, err) < 0
        || inputs_read(&r->in, trace, r->o.topology, &t, err) < 0
        || inputs_change(r, err) < 0 || mix_read(r, err) < 0
        || inputs_read_speed(&r->in, r->o.speed, err) < 0
        || inputs_read_world(&r->in, r->o.world, err) < 0
        || store_open(r, err) < 0)
        return -1;
    for (size_t i = 0; i < r->runs; i++) {
        if (run_one(r, i, err) < 0)
            return -1;
    }
    return summary_show(r, err);
}

static enum cmd_status replay_run(const struct cmd *c, int argc, char **argv)
{
    struct replay r = { .o = { .db = "gsim.db",
                               .seed = 42,
                               .seeds = NO_SEEDS,
                               .large = REPORT_LARGE,
                               .until = SIM_FOREVER } };
    struct gs_err err = { 0 };
    const char *trace[1];
    size_t count;
    int done, rc;
    enum cmd_status status = cmd_parse(c, argc, argv, &r.o, trace, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a trace is needed");
    if (r.o.policy.count == 0)
        r.o.policy.text[r.o.policy.count++] = "binpack";
    inputs_init(&r.in);
    rc = replay_all(&r, trace[0], &err);
    report_store_close(r.store);
    topo_mix_destroy(r.mix);
    inputs_fini(&r.in);
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_replay = {
    .name = "replay",
    .args = "TRACE [--topology FILE] [--policy P]... [OPTION]...",
    .summary = "replay a trace under one or more policies and store what "
               "happened",
    .option = option,
    .option_count = sizeof(option) / sizeof(option[0]),
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
