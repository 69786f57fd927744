/* traces/edit/merge_check.c - see merge_check.h. */
#include "traces/edit/merge_check.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "traces/formats/writing.h"
#include "traces/workload/accounts.h"
#include "traces/workload/limits.h"
#include "traces/workload/pools.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/quotas.h"
#include "traces/workload/workload.h"

static int conflict(const struct trace_workload *w, const char *what,
                    uint32_t name, struct gs_err *err)
{
    return gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                   "the traces define %s '%s' differently", what,
                   gs_strtab_str(w->names, name));
}

static bool same_amounts(const struct trace_queue *a,
                         const struct trace_queue *b)
{
    const struct trace_queue_amounts *x = trace_queue_amounts(a);
    const struct trace_queue_amounts *y = trace_queue_amounts(b);

    return memcmp(x, y, sizeof(*x)) == 0;
}

static bool same_terms(const struct trace_workload *w,
                       const struct trace_queue *a,
                       const struct trace_workload *from,
                       const struct trace_queue *b)
{
    return a->weight <= b->weight && a->weight >= b->weight
           && a->priority == b->priority && a->closed == b->closed
           && a->keeps == b->keeps && same_amounts(a, b)
           && trace_queue_extra_same(w, a, from, b);
}

static int check_queues(const struct trace_workload *w,
                        const struct trace_workload *from, struct gs_err *err)
{
    for (uint32_t i = 0; i < from->queue_count; i++) {
        const struct trace_queue *q = &from->queue[i];
        const uint32_t at = trace_queue_find(w, q->name);

        if (at != TRACE_NONE && trace_queue_has_terms(q)
            && trace_queue_has_terms(&w->queue[at])
            && !same_terms(w, &w->queue[at], from, q))
            return conflict(w, "queue", q->name, err);
    }
    return 0;
}

static int check_flavors(const struct trace_workload *w,
                         const struct trace_workload *from, struct gs_err *err)
{
    for (uint32_t i = 0; i < from->terms->flavor_count; i++) {
        const struct trace_flavor *f = &from->terms->flavor[i];
        const uint32_t at = trace_flavor_find(w, f->name);

        if (at != TRACE_NONE && !trace_flavor_same(f, &w->terms->flavor[at]))
            return conflict(w, "flavor", f->name, err);
    }
    return 0;
}

static bool same_class(const struct trace_workload *w,
                       const struct trace_class *a,
                       const struct trace_workload *from,
                       const struct trace_class *b)
{
    return a->value == b->value && a->preempts == b->preempts
           && a->victim_count == b->victim_count
           && (a->victim_count == 0
               || gs_array_same(w->victim + a->first_victim,
                                from->victim + b->first_victim, a->victim_count,
                                sizeof(*w->victim)));
}

static int check_classes(const struct trace_workload *w,
                         const struct trace_workload *from, struct gs_err *err)
{
    for (uint32_t i = 0; i < from->class_count; i++) {
        const struct trace_class *c = &from->klass[i];
        const uint32_t at = trace_class_find(w, c->name);

        if (at != TRACE_NONE && !same_class(w, &w->klass[at], from, c))
            return conflict(w, "priority class", c->name, err);
    }
    return 0;
}

static int check_quotas(const struct trace_workload *w,
                        const struct trace_workload *from, struct gs_err *err)
{
    for (uint32_t i = 0; i < from->quotas->quota_count; i++) {
        const struct trace_quota *q = &from->quotas->quota[i];
        const uint32_t at = trace_quota_find(w, q->name);

        if (at != TRACE_NONE
            && (q->jobs != w->quotas->quota[at].jobs
                || !gs_array_same(q->limit, w->quotas->quota[at].limit,
                                  TOPO_DIMS_MAX, sizeof(*q->limit))))
            return conflict(w, "quota", q->name, err);
    }
    return 0;
}

static int check_pools(const struct trace_workload *w,
                       const struct trace_workload *from, struct gs_err *err)
{
    for (uint32_t i = 0; i < from->pools->pool_count; i++) {
        const struct trace_pool *p = &from->pools->pool[i];
        const uint32_t at = trace_pool_find(w, p->name);

        if (at != TRACE_NONE
            && (p->size != w->pools->pool[at].size
                || p->reason != w->pools->pool[at].reason))
            return conflict(w, "pool", p->name, err);
    }
    return 0;
}

static bool differs(double a, double b)
{
    return a < b || a > b;
}

static int check_accounts(const struct trace_workload *w,
                          const struct trace_workload *from, struct gs_err *err)
{
    for (uint32_t i = 0; i < from->accounts->account_count; i++) {
        const struct trace_account *a = &from->accounts->account[i];
        const uint32_t at = trace_account_find(w, a->name, a->user);

        if (at != TRACE_NONE
            && (a->parent != w->accounts->account[at].parent
                || a->shares != w->accounts->account[at].shares
                || differs(a->usage, w->accounts->account[at].usage)
                || !trace_limits_same(from, a->limits, w,
                                      w->accounts->account[at].limits)))
            return conflict(w, a->user ? "a user of account" : "account",
                            a->name, err);
    }
    for (uint32_t i = 0; i < from->accounts->qos_count; i++) {
        const struct trace_qos *q = &from->accounts->qos[i];
        const uint32_t at = trace_qos_find(w, q->name);

        if (at != TRACE_NONE
            && (q->priority != w->accounts->qos[at].priority
                || q->over_partition != w->accounts->qos[at].over_partition
                || q->grace != w->accounts->qos[at].grace
                || q->stays != w->accounts->qos[at].stays
                || differs(q->usage_factor, w->accounts->qos[at].usage_factor)
                || !trace_limits_same(from, q->limits, w,
                                      w->accounts->qos[at].limits)))
            return conflict(w, "QOS", q->name, err);
    }
    for (uint32_t i = 0; i < from->accounts->partition_count; i++) {
        const struct trace_partition *p = &from->accounts->partition[i];
        const uint32_t at = trace_partition_find(w, p->name);

        if (at != TRACE_NONE
            && (p->tier != w->accounts->partition[at].tier
                || p->factor != w->accounts->partition[at].factor
                || p->grace != w->accounts->partition[at].grace
                || p->qos != w->accounts->partition[at].qos))
            return conflict(w, "partition", p->name, err);
    }
    return 0;
}

static int check_jobs(const struct trace_workload *w,
                      const struct trace_workload *from, int64_t later,
                      struct gs_err *err)
{
    bool *met = gs_array_new(gs_strtab_count(w->names), sizeof(*met));
    int rc = 0;

    if (from->job_count > TRACE_JOBS_MAX - w->job_count)
        rc = gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                     "the traces have more than %d jobs", TRACE_JOBS_MAX);
    for (uint32_t i = 0; rc == 0 && i < w->job_count; i++)
        met[w->job[i].name] = true;
    for (uint32_t i = 0; rc == 0 && i < from->job_count; i++) {
        const struct trace_job *j = &from->job[i];
        const char *name = gs_strtab_str(w->names, j->name);

        if (met[j->name])
            rc = gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                         "both traces have a job called '%s'", name);
        else if ((j->aside->stand_count || j->aside->queued_since
                  || j->aside->admitted_since)
                 && later > 0)
            rc = gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                         "job '%s' %s when its trace begins, which would be "
                         "later than time 0",
                         name, j->aside->stand_count ? "runs" : "waits");
        else if (j->submit > GS_TIME_MAX - later)
            rc = gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                         "job '%s': its submit time would be more than 36500 "
                         "years",
                         name);
    }
    gs_array_free(met);
    return rc;
}

int trace_merge_check(const struct trace_workload *w,
                      const struct trace_workload *from, int64_t later,
                      struct gs_err *err)
{
    assert(w->names == from->names && later >= 0);
    if (check_queues(w, from, err) < 0 || check_flavors(w, from, err) < 0
        || check_classes(w, from, err) < 0 || check_quotas(w, from, err) < 0
        || check_pools(w, from, err) < 0 || check_accounts(w, from, err) < 0)
        return -1;
    return check_jobs(w, from, later, err);
}
