/* traces/formats/native_running.c - jobs that run when time begins: where their
 * tasks stand, and what may not be said of such a job.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/text.h"
#include "traces/formats/native.h"

#define ON_ALLOWED \
    "a list of nodes, with the number of tasks there, such as [n1, n2*4]"

static int read_stand(struct trace_native *l, const struct gs_ynode *v,
                      uint32_t group, struct gs_err *err)
{
    struct trace_stand s = { .group = group };
    size_t len = 0;

    if (v->kind == GS_YSCALAR)
        s.tasks = trace_node_tasks(v->text, v->len, &len);
    if (s.tasks == 0 || len == 0 || gs_ynode_is_null(v)
        || !gs_text_is_clean(v->text, len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'running_on' must be " ON_ALLOWED " (got '%.80s')",
                       v->kind == GS_YSCALAR ? v->text : "a collection");
    s.node = gs_strtab_put(l->r->w->names, v->text, len);
    l->named = gs_array_grow(l->named, &l->named_cap, s.node + 1,
                             sizeof(*l->named));
    if (l->named[s.node] == l->lists)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'running_on' names node '%.80s' twice (%.80s*2: two "
                       "tasks stand there)",
                       gs_strtab_str(l->r->w->names, s.node),
                       gs_strtab_str(l->r->w->names, s.node));
    l->named[s.node] = l->lists;
    l->stand = gs_array_grow(l->stand, &l->stand_cap, l->stand_count + 1,
                             sizeof(*l->stand));
    l->stand[l->stand_count++] = s;
    return 0;
}

int trace_read_running(struct trace_native *l, const struct gs_ynode *v,
                       uint32_t group, uint32_t replicas, struct gs_err *err)
{
    const uint32_t first = l->stand_count;
    uint64_t tasks = 0;

    assert(l && replicas > 0);
    if (!v)
        return 0;
    if (v->kind != GS_YSEQ || !v->child)
        return gs_yread_refuse(&l->c, v, ON_ALLOWED, err);
    l->lists++;
    for (const struct gs_ynode *x = v->child; x; x = x->next) {
        if (read_stand(l, x, group, err) < 0)
            return -1;
    }
    for (uint32_t i = first; i < l->stand_count; i++)
        tasks += l->stand[i].tasks;
    if (tasks > replicas)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, v),
                       "'running_on' says where %llu tasks stand, of %u "
                       "'replicas'",
                       (unsigned long long)tasks, replicas);
    return 0;
}

/* What is stated of times before 0 must fit the rest of the job. */
static int past_check(const struct trace_native *l, const struct trace_job *job,
                      const struct gs_ynode *item, struct gs_err *err)
{
    const struct gs_ynode *queued = gs_ynode_find(item, "queued_since");
    const struct gs_ynode *admitted = gs_ynode_find(item, "admitted_since");

    if ((queued || admitted) && job->submit != 0)
        return gs_fail(err, GS_INPUT,
                       gs_ynode_mark(&l->c, queued ? queued : admitted),
                       "a job with '%s' is there before time 0, so that its "
                       "'submit' is 0",
                       queued ? "queued_since" : "admitted_since");
    if (admitted && !job->aside->admitted && l->stand_count == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, admitted),
                       "'admitted_since' needs 'admitted: true' or "
                       "'running_on'");
    return 0;
}

int trace_running_check(const struct trace_native *l,
                        const struct trace_job *job,
                        const struct gs_ynode *item, struct gs_err *err)
{
    const struct gs_ynode *since = gs_ynode_find(item, "running_since");
    const struct gs_ynode *submit = gs_ynode_find(item, "submit");
    uint64_t tasks = 0;

    assert(l && job && item);
    if (past_check(l, job, item, err) < 0)
        return -1;
    if (l->stand_count == 0)
        return since ? gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, since),
                               "'running_since' needs 'running_on'")
                     : 0;
    for (uint32_t i = 0; i < l->stand_count; i++)
        tasks += l->stand[i].tasks;
    if (job->submit != 0)
        return gs_fail(err, GS_INPUT,
                       gs_ynode_mark(&l->c, submit ? submit : item),
                       "a job with 'running_on' runs at time 0, so that its "
                       "'submit' is 0 ('running_since' says how long before)");
    if (job->aside->task_interval || gs_ynode_find(item, "load"))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, item),
                       "'running_on' and '%s' exclude each other",
                       job->aside->task_interval ? "task_interval" : "load");
    if (job->aside->completions && tasks > job->aside->completions)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(&l->c, item),
                       "'running_on' says where %llu tasks stand, of %u "
                       "'completions'",
                       (unsigned long long)tasks, job->aside->completions);
    return 0;
}
