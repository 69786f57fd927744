/* sim/cli/cmd_trace_edit.c - gsim trace sample, scale and merge: traces from
 * traces.
 */
#include <stddef.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/trace_verbs.h"
#include "sim/study/inputs.h"
#include "traces/edit/merge.h"
#include "traces/edit/sample.h"
#include "traces/edit/scale.h"
#include "traces/workload/workload.h"

#define TRACES_MAX 64
#define NOT_GIVEN (-1.0)

struct options {
    struct trace_verb verb;
    double fraction, rate, durations;
    uint64_t seed;
    int64_t from, until;
    struct cmd_texts queue;
};

#define AT(field) offsetof(struct options, field)

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

/* --- what they do ----------------------------------------------------------------- */

static int sample(struct inputs *in, const struct options *o,
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
    /* of all, nothing is drawn */
    s.fraction = o->fraction < 1 ? o->fraction : 0;
    if (trace_workload_sample(in->work, &s, err) < 0)
        return -1;
    if (in->facts.epoch)
        in->facts.epoch += o->from;
    return 0;
}

static int scale(struct inputs *in, const struct options *o, struct gs_err *err)
{
    if ((o->rate != NOT_GIVEN
         && trace_workload_scale_load(in->work, o->rate, err) < 0)
        || (o->durations != NOT_GIVEN
            && trace_workload_scale_durations(in->work, o->durations, err) < 0))
        return -1;
    return 0;
}

/* --- merge ------------------------------------------------------------------------ */

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

/* The trace at `path` beside what `in` has; times of both are since one day, if
 * both say since when theirs are.
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
        for (uint32_t i = 0; apart < 0 && i < all->job_count; i++)
            all->job[i].submit -= apart;
        rc = trace_workload_merge(all, in->work, apart > 0 ? apart : 0, err);
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

static int merge(struct inputs *in, const struct trace_verb *o,
                 const char **path, size_t count, struct gs_err *err)
{
    if (trace_verb_read(in, o, path[0], err) < 0)
        return -1;
    for (size_t i = 1; i < count; i++) {
        if (merge_one(in, o, path[0], path[i], err) < 0)
            return -1;
    }
    trace_workload_finish(in->work, 0);
    return 0;
}

/* --- the verbs ---------------------------------------------------------------------- */

static int edit(const struct cmd *c, struct inputs *in, const struct options *o,
                const char **path, size_t count, struct gs_err *err)
{
    if (c == &cmd_trace_merge)
        return merge(in, &o->verb, path, count, err);
    if (trace_verb_read(in, &o->verb, path[0], err) < 0)
        return -1;
    return c == &cmd_trace_sample ? sample(in, o, err) : scale(in, o, err);
}

static enum cmd_status run(const struct cmd *c, int argc, char **argv)
{
    struct options o = {
        .seed = 42, .fraction = 1, .rate = NOT_GIVEN, .durations = NOT_GIVEN
    };
    struct gs_err err = { 0 };
    const char *path[TRACES_MAX];
    struct inputs in;
    size_t count;
    int done, rc;
    const size_t least = c == &cmd_trace_merge ? 2 : 1;
    enum cmd_status status = cmd_parse(
        c, argc, argv, &o, path, least > 1 ? TRACES_MAX : 1, &count, &done);

    if (status != CMD_OK || done)
        return status;
    if (count < least)
        return cmd_usage(c, least > 1 ? "two traces or more are needed"
                                      : "a trace is needed");
    if (c == &cmd_trace_scale && o.rate == NOT_GIVEN
        && o.durations == NOT_GIVEN)
        return cmd_usage(c, "'--rate' or '--durations' is needed");
    if (o.until > 0 && o.until <= o.from)
        return cmd_usage(c, "'--until' must be later than '--from'");
    inputs_init(&in);
    rc = edit(c, &in, &o, path, count, &err);
    if (rc == 0)
        rc = trace_verb_write(&in, &o.verb, &err);
    inputs_fini(&in);
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_trace_sample = {
    .name = "trace sample",
    .args = "TRACE -o FILE [OPTION]...",
    .summary = "a part of a trace: a fraction of its jobs, a window of time, "
               "some queues",
    .take = sample_take,
    .takes = sizeof(sample_take) / sizeof(sample_take[0]),
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
    .summary = "the jobs of several traces in the order they are submitted",
    .take = merge_take,
    .takes = sizeof(merge_take) / sizeof(merge_take[0]),
    .help = "Queues and priority classes are united by name.  Times count from "
            "each trace's\nown start, or, where both have dates, by these.\n\n"
            "Example:\n"
            "  gsim trace merge training.csv services.yaml -o all.yaml\n",
    .run = run,
};

const struct cmd cmd_trace_scale = {
    .name = "trace scale",
    .args = "TRACE --rate X -o FILE [OPTION]...",
    .summary = "a trace that comes faster or slower, or runs longer or shorter",
    .take = scale_take,
    .takes = sizeof(scale_take) / sizeof(scale_take[0]),
    .help = "Example:\n"
            "  gsim trace scale philly.csv.gz --rate 1.5 -o busy.yaml\n",
    .run = run,
};
