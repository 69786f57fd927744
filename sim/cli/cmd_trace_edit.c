/* sim/cli/cmd_trace_edit.c - gsim trace sample, scale and merge: traces from
 * traces.
 */
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "base/strtab.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/inputs.h"
#include "traces/edit/merge.h"
#include "traces/edit/sample.h"
#include "traces/edit/scale.h"
#include "traces/workload/workload.h"

#define TRACES_MAX 64
#define NOT_GIVEN (-1.0)
#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

struct trace_edit {
    struct trace_verb verb;
    double fraction, rate, durations;
    uint64_t seed;
    int64_t from, until;
    struct cmd_texts queue;
};

#define AT(field) offsetof(struct trace_edit, field)

static const struct trace_edit defaults = { .verb = TRACE_VERB_NONE,
                                            .seed = 42,
                                            .fraction = 1,
                                            .rate = NOT_GIVEN,
                                            .durations = NOT_GIVEN };

static const struct cmd_take sample_take[] = {
    TRACE_VERB_WRITES,
    { .id = OPT_FRACTION, AT(fraction) },
    { .id = OPT_SEED, AT(seed), "42" },
    { .id = OPT_FROM, AT(from) },
    { .id = OPT_UNTIL, AT(until) },
    { .id = OPT_QUEUE, AT(queue), .repeats = true },
    TRACE_VERB_READS,
};

static const struct cmd_take scale_take[] = {
    TRACE_VERB_WRITES,
    { .id = OPT_RATE, AT(rate), .alias = "load" },
    { .id = OPT_DURATIONS, AT(durations) },
    TRACE_VERB_READS,
};

static const struct cmd_take merge_take[] = { TRACE_VERB_WRITES,
                                              TRACE_VERB_READS };

/* --- what they do --------------------------------------------------------- */

static int sample(struct inputs *in, const struct trace_edit *o,
                  struct gs_err *err)
{
    struct trace_sample s = { .seed = o->seed,
                              .from = o->from,
                              .to = o->until,
                              .queue = o->queue.text,
                              .queue_count = (uint32_t)o->queue.count };

    if (!(o->fraction > 0 && o->fraction <= 1))
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "'--fraction' must be more than 0 and at most 1 "
                       "(got '%g')",
                       o->fraction);
    /* 1 keeps all jobs: nothing is drawn */
    s.fraction = o->fraction < 1 ? o->fraction : 0;
    if (trace_workload_sample(in->work, &s, err) < 0)
        return -1;
    if (in->facts.epoch)
        in->facts.epoch += o->from;
    return 0;
}

static int scale(struct inputs *in, const struct trace_edit *o,
                 struct gs_err *err)
{
    if ((o->rate != NOT_GIVEN
         && trace_workload_scale_load(in->work, o->rate, err) < 0)
        || (o->durations != NOT_GIVEN
            && trace_workload_scale_durations(in->work, o->durations, err) < 0))
        return -1;
    return 0;
}

/* --- merge ---------------------------------------------------------------- */

static int same_topology(const struct trace_facts *all, const char *first,
                         const struct trace_facts *one, const char *path,
                         struct gs_err *err)
{
    if (!all->topology || !one->topology
        || strcmp(all->topology, one->topology) == 0)
        return 0;
    return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                   "names topology '%.80s', where %.80s names '%.80s'",
                   one->topology, first, all->topology);
}

/* Jobs that run at time 0 cannot come later. */
static int check_earlier(const struct trace_workload *w, const char *path,
                         struct gs_err *err)
{
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].aside->stand_count)
            return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                           "begins before the trace of job '%s', which runs "
                           "when that begins",
                           gs_strtab_str(w->names, w->job[i].name));
    }
    return 0;
}

/* Add the trace at `path` to the trace of `in`.  If both have an epoch, submit
 * times are converted to the earlier one.
 */
static int merge_one(struct inputs *in, const struct trace_verb *o,
                     const char *first, const char *path, struct gs_err *err)
{
    const struct trace_facts before = in->facts;
    struct trace_workload *all = in->work;
    struct trace_workload *one;
    int64_t apart = 0;
    int rc = -1;

    in->work = NULL;
    if (trace_verb_read(in, o, path, err) == 0
        && same_topology(&before, first, &in->facts, path, err) == 0) {
        if (before.epoch && in->facts.epoch)
            apart = in->facts.epoch - before.epoch;
        rc = apart < 0 ? check_earlier(all, path, err) : 0;
        for (uint32_t i = 0; rc == 0 && apart < 0 && i < all->job_count; i++)
            all->job[i].submit -= apart;
        if (rc == 0)
            rc = trace_workload_merge(all, in->work, apart > 0 ? apart : 0,
                                      err);
    }
    one = in->work;
    in->work = all;
    trace_workload_destroy(one);
    if (before.epoch && (!in->facts.epoch || apart > 0))
        in->facts.epoch = before.epoch;
    if (before.topology)
        in->facts.topology = before.topology;
    return rc;
}

static int merge(const struct cmd_call *call, struct gs_err *err)
{
    const char *const *path = call->operand;
    struct inputs *in = call->in;
    const struct trace_verb *o = call->options;

    if (trace_verb_read(in, o, path[0], err) < 0)
        return -1;
    for (size_t i = 1; i < call->count; i++) {
        if (merge_one(in, o, path[0], path[i], err) < 0)
            return -1;
    }
    trace_workload_finish(in->work, 0);
    return 0;
}

/* --- the verbs ------------------------------------------------------------ */

static int edit(const struct cmd_call *call, struct gs_err *err)
{
    const struct trace_edit *o = call->options;

    if (call->cmd == &cmd_trace_merge)
        return merge(call, err);
    if (trace_verb_read(call->in, &o->verb, call->operand[0], err) < 0)
        return -1;
    return call->cmd == &cmd_trace_sample ? sample(call->in, o, err)
                                          : scale(call->in, o, err);
}

static int run(const struct cmd_call *call, struct gs_err *err)
{
    const struct trace_edit *o = call->options;

    if (call->cmd == &cmd_trace_scale && o->rate == NOT_GIVEN
        && o->durations == NOT_GIVEN)
        return cmd_usage(call->cmd, "'--rate' or '--durations' is needed");
    if (o->until > 0 && o->until <= o->from)
        return cmd_usage(call->cmd, "'--until' must be later than '--from'");
    if (edit(call, err) < 0)
        return -1;
    if (!call->is_quiet)
        inputs_tell_sources(call->in);
    return trace_verb_write(call, err);
}

const struct cmd cmd_trace_sample = {
    .name = "trace sample",
    .args = "TRACE -o FILE [OPTION]...",
    .summary = "a part of a trace: a fraction of its jobs, a window of time, "
               "some queues",
    .take = sample_take,
    .takes = N_ELEMENTS(sample_take),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
    .help = "Whether a job is kept depends on its name and the seed alone.\n\n"
            "Examples:\n"
            "  gsim trace sample philly.csv.gz --fraction 0.1 -o tenth.yaml\n"
            "  gsim trace sample philly.csv.gz --from 28d --until 35d "
            "-o week.yaml\n",
    .run = run,
};

const struct cmd cmd_trace_merge = {
    .name = "trace merge",
    .args = "TRACE TRACE... -o FILE [OPTION]...",
    .summary = "the jobs of several traces in the order of their submission",
    .take = merge_take,
    .takes = N_ELEMENTS(merge_take),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 2,
    .most = TRACES_MAX,
    .needs = "two traces or more are needed",
    .help =
        "Queues and priority classes are united by name.  Times count from "
        "the start of\neach trace, or, where all traces have an epoch, from "
        "the earliest epoch.\n\n"
        "Example:\n"
        "  gsim trace merge training.csv services.yaml -o all.yaml\n",
    .run = run,
};

const struct cmd cmd_trace_scale = {
    .name = "trace scale",
    .args = "TRACE --rate X -o FILE [OPTION]...",
    .summary = "a trace with another rate of submissions or other durations",
    .take = scale_take,
    .takes = N_ELEMENTS(scale_take),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = 1,
    .needs = "a trace is needed",
    .help = "Example:\n"
            "  gsim trace scale philly.csv.gz --rate 1.5 -o busy.yaml\n",
    .run = run,
};
