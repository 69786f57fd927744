/* traces/formats/native_recorded.c - the recorded runs of a job, in YAML; and
 * what both native readers check of them.
 */
#include <assert.h>
#include <string.h>

#include "base/duration.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"
#include "traces/workload/records.h"

#define RECORDED_ALLOWED \
    "a mapping with 'start', 'end' and 'nodes', or a list of such"
#define NODES_ALLOWED \
    "a list of nodes, with the number of tasks there, such as [n1, n2*4]"

struct recorded_in {
    const struct gs_ynode *start, *end, *nodes;
};

/* --- shared with CSV ------------------------------------------------------ */

uint32_t trace_node_tasks(const char *text, size_t len, size_t *name_len)
{
    size_t star = len;
    uint32_t n = 0;

    assert(text && name_len);
    while (star > 0 && text[star - 1] != '*')
        star--;
    *name_len = star ? star - 1 : len;
    if (star == 0)
        return 1;
    for (size_t i = star; i < len; i++) {
        if (text[i] < '0' || text[i] > '9' || n > TRACE_REPLICAS_MAX)
            return 0;
        n = n * 10 + (uint32_t)(text[i] - '0');
    }
    return n <= TRACE_REPLICAS_MAX ? n : 0;
}

/* When the runs of the job so far are over, us since its submission; -1: the
 * last one states no end.
 */
static int64_t over_by(const struct trace_workload *w,
                       const struct trace_job *job)
{
    const struct trace_record *r =
        job->record_count
            ? &w->records->record[job->first_record + job->record_count - 1]
            : NULL;

    return !r ? 0 : r->length == TRACE_FOREVER ? -1 : r->wait + r->length;
}

static int spots_check(const struct trace_workload *w,
                       const struct trace_job *job, uint32_t gang,
                       uint32_t first_spot, struct gs_mark at,
                       struct gs_err *err)
{
    uint64_t tasks = 0;

    for (uint32_t i = first_spot; i < w->records->spot_count; i++)
        tasks += w->records->spot[i].tasks;
    if (first_spot == w->records->spot_count
        || (tasks >= gang && tasks <= job->tasks))
        return 0;
    return gs_fail(err, GS_INPUT, at,
                   "the recorded nodes hold %llu tasks, where the job has %u "
                   "and starts with %u",
                   (unsigned long long)tasks, job->tasks, gang);
}

int trace_record_put(struct trace_workload *w, struct trace_job *job,
                     int64_t start, int64_t end, uint32_t first_spot,
                     struct gs_mark at, struct gs_err *err)
{
    const uint32_t gang = job->gang ? job->gang : job->tasks;
    const int64_t before = over_by(w, job);
    const struct trace_record r = {
        .wait = start - job->submit,
        .length = end == TRACE_FOREVER ? TRACE_FOREVER : end - start,
        .first_spot = first_spot,
        .spot_count = w->records->spot_count - first_spot,
    };

    assert(w && job && first_spot <= w->records->spot_count);
    if (r.wait < 0)
        return gs_fail(err, GS_INPUT, at,
                       "a recorded run starts before the job's 'submit'");
    if (r.length < 0)
        return gs_fail(err, GS_INPUT, at,
                       "a recorded run ends before it starts");
    if (before < 0 || r.wait < before)
        return gs_fail(err, GS_INPUT, at,
                       before < 0 ? "only the last recorded run may have no end"
                                  : "a recorded run starts before the one "
                                    "before it ends");
    if (job->record_count == TRACE_RECORDS_MAX)
        return gs_fail(err, GS_LIMIT, at, "more than %d recorded runs of a job",
                       TRACE_RECORDS_MAX);
    if (job->aside->completions || job->aside->task_interval
        || job->aside->stand_count)
        return gs_fail(err, GS_INPUT, at,
                       "recorded runs and '%s' exclude each other",
                       job->aside->completions     ? "completions"
                       : job->aside->task_interval ? "task_interval"
                                                   : "running_on");
    if (spots_check(w, job, gang, first_spot, at, err) < 0)
        return -1;
    if (job->record_count == 0)
        job->first_record = w->records->record_count;
    (void)trace_workload_record(w, &r);
    job->record_count++;
    return 0;
}

/* --- YAML ----------------------------------------------------------------- */

/* Read a time since the start, or a date if `submit` is one. */
static int read_time(const struct trace_native *l, const struct gs_ynode *v,
                     bool is_dated, int64_t *out, struct gs_err *err)
{
    if (v->kind == GS_YSCALAR
        && (is_dated ? gs_date_parse(v->text, v->len, out)
                     : gs_duration_parse(v->text, v->len, out))
               == 0)
        return 0;
    return gs_yread_refuse(
        &l->c, v, is_dated ? "a date, as 'submit' is one" : TRACE_TIME_ALLOWED,
        err);
}

static int read_nodes(const struct trace_native *l, const struct gs_ynode *v,
                      struct gs_err *err)
{
    struct trace_workload *w = l->r->w;

    if (!v)
        return 0;
    if (v->kind != GS_YSEQ || !v->child)
        return gs_yread_refuse(&l->c, v, NODES_ALLOWED, err);
    for (const struct gs_ynode *x = v->child; x; x = x->next) {
        size_t len = 0;
        const uint32_t tasks = x->kind == GS_YSCALAR && !gs_ynode_is_null(x)
                                   ? trace_node_tasks(x->text, x->len, &len)
                                   : 0;

        if (tasks == 0 || len == 0 || !gs_text_is_clean(x->text, len))
            return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, x),
                           "'nodes' must be " NODES_ALLOWED " (got '%.80s')",
                           x->kind == GS_YSCALAR ? x->text : "a collection");
        (void)trace_workload_spot(w, gs_strtab_put(w->names, x->text, len),
                                  tasks);
    }
    return 0;
}

static int read_run(struct trace_native *l, const struct gs_ynode *v,
                    bool is_dated, struct trace_job *job, struct gs_err *err)
{
    static const struct gs_yfield fields[] = {
        { "start", gs_yread_node, offsetof(struct recorded_in, start), true },
        { "end", gs_yread_node, offsetof(struct recorded_in, end), false },
        { "nodes", gs_yread_node, offsetof(struct recorded_in, nodes), false },
    };
    struct recorded_in in = { 0 };
    int64_t start = 0, end = TRACE_FOREVER;
    const uint32_t first_spot = l->r->w->records->spot_count;

    if (gs_ynode_fields(&l->c, v, "recorded", fields, 3, &in, err) < 0
        || read_time(l, in.start, is_dated, &start, err) < 0
        || (in.end && read_time(l, in.end, is_dated, &end, err) < 0)
        || read_nodes(l, in.nodes, err) < 0)
        return -1;
    return trace_record_put(l->r->w, job, start, end, first_spot,
                            gs_ynode_mark(&l->c, v), err);
}

int trace_read_recorded(struct trace_native *l, const struct gs_ynode *v,
                        const struct gs_ynode *item, bool is_dated,
                        struct trace_job *job, struct gs_err *err)
{
    assert(l && item && job);
    if (!v)
        return 0;
    if (gs_ynode_find(item, "load") || l->stand_count)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'recorded' and '%s' exclude each other",
                       l->stand_count ? "running_on" : "load");
    if (v->kind == GS_YMAP)
        return read_run(l, v, is_dated, job, err);
    if (v->kind != GS_YSEQ || !v->child)
        return gs_yread_refuse(&l->c, v, RECORDED_ALLOWED, err);
    for (const struct gs_ynode *x = v->child; x; x = x->next) {
        if (x->kind != GS_YMAP)
            return gs_yread_refuse(&l->c, x, RECORDED_ALLOWED, err);
        if (read_run(l, x, is_dated, job, err) < 0)
            return -1;
    }
    return 0;
}
