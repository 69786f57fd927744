/* traces/edit/merge.c - two workloads as one, see merge.h. */
#include "traces/edit/merge.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "traces/edit/merge_check.h"
#include "traces/formats/writing.h"
#include "traces/workload/accounts.h"
#include "traces/workload/budgets.h"
#include "traces/workload/dependencies.h"
#include "traces/workload/limits.h"
#include "traces/workload/pools.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/quotas.h"
#include "traces/workload/records.h"
#include "traces/workload/reservations.h"
#include "traces/workload/slices.h"
#include "traces/workload/task_rules.h"
#include "traces/workload/workload.h"

/* The queue of `w` that is queue `i` of `from`, added when new. */
static uint32_t take_queue(struct trace_workload *w,
                           const struct trace_workload *from, uint32_t i)
{
    const struct trace_queue *q = &from->queue[i];
    const uint32_t to = trace_queue_put(w, q->name);
    const uint32_t parent = w->queue[to].parent;

    assert(i < from->queue_count);
    if (trace_queue_has_terms(q)) {
        w->queue[to] = *q;
        w->queue[to].parent = parent;
        w->queue[to].extra = 0;
        w->queue[to].amounts = NULL;
        if (q->amounts)
            *trace_queue_amounts_put(w, &w->queue[to]) = *q->amounts;
        trace_queue_extra_take(w, &w->queue[to], from, q);
    }
    return to;
}

static uint32_t take_class(struct trace_workload *w,
                           const struct trace_workload *from, uint32_t i)
{
    const uint32_t to = trace_class_put(w, from->klass[i].name);

    assert(i < from->class_count);
    w->klass[to] = from->klass[i];
    if (w->klass[to].victim_count)
        w->klass[to].first_victim = trace_workload_victims(
            w, from->victim + from->klass[i].first_victim,
            from->klass[i].victim_count);
    return to;
}

/* Define what jobs name where only one of the traces has definitions. */
static void define_named(struct trace_workload *w)
{
    const bool has_accounts = w->accounts->account_count,
               has_qos = w->accounts->qos_count;
    const bool has_partitions = w->accounts->partition_count;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const struct trace_account a = { .name = j->aside->account,
                                         .shares = 1 };

        if (has_accounts && j->aside->account
            && trace_account_find(w, j->aside->account, 0) == TRACE_NONE)
            trace_account_add(w, &a);
        if (has_qos && j->aside->qos)
            (void)trace_qos_put(w, j->aside->qos);
        if (has_partitions && j->aside->partition)
            (void)trace_partition_put(w, j->aside->partition);
    }
}

/* Accounts of both are in one tree; parents are names. */
static void take_accounts(struct trace_workload *w,
                          const struct trace_workload *from)
{
    for (uint32_t i = 0; i < from->accounts->account_count; i++) {
        struct trace_account a = from->accounts->account[i];

        if (trace_account_find(w, a.name, a.user) != TRACE_NONE)
            continue;
        a.limits = trace_limits_take(w, from, a.limits);
        trace_account_add(w, &a);
    }
    for (uint32_t i = 0; i < from->accounts->qos_count; i++) {
        const uint32_t at = trace_qos_put(w, from->accounts->qos[i].name);

        w->accounts->qos[at] = from->accounts->qos[i];
        w->accounts->qos[at].limits = trace_limits_take(
            w, from, from->accounts->qos[i].limits);
    }
    for (uint32_t i = 0; i < from->accounts->partition_count; i++) {
        const uint32_t at = trace_partition_put(
            w, from->accounts->partition[i].name);

        w->accounts->partition[at] = from->accounts->partition[i];
    }
    define_named(w);
}

static uint32_t take_quotas(struct trace_workload *w,
                            const struct trace_workload *from, uint32_t set)
{
    const struct trace_quota_set *s = &from->quotas->quota_set[set - 1];
    uint32_t quota[TRACE_QUOTAS_MAX];

    for (uint32_t i = 0; i < s->count; i++) {
        const struct trace_quota *q =
            &from->quotas->quota[from->quotas->quota_of[s->first + i]];
        const uint32_t known = w->quotas->quota_count;

        quota[i] = trace_quota_put(w, q->name);
        if (quota[i] == known)
            w->quotas->quota[quota[i]] = *q;
    }
    return trace_quota_set_put(w, quota, s->count);
}

static uint32_t take_pools(struct trace_workload *w,
                           const struct trace_workload *from, uint32_t pools)
{
    struct trace_tokens tokens[TRACE_POOLS_MAX];
    uint32_t n;
    const struct trace_tokens *t = trace_pool_tokens(from, pools, &n);

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = trace_pool_put(w,
                                           from->pools->pool[t[i].pool].name);

        w->pools->pool[at] = from->pools->pool[t[i].pool];
        tokens[i] = (struct trace_tokens){ at, t[i].count };
    }
    return trace_pool_set_put(w, tokens, n);
}

static uint32_t take_records(struct trace_workload *w,
                             const struct trace_workload *from,
                             const struct trace_job *j)
{
    const uint32_t first = w->records->record_count;

    for (uint32_t i = 0; i < j->record_count; i++) {
        struct trace_record r = from->records->record[j->first_record + i];
        const struct trace_spot *s = from->records->spot + r.first_spot;

        r.first_spot = w->records->spot_count;
        for (uint32_t k = 0; k < r.spot_count; k++)
            (void)trace_workload_spot(w, s[k].node, s[k].tasks);
        (void)trace_workload_record(w, &r);
    }
    return first;
}

static uint32_t take_topology(struct trace_workload *w,
                              const struct trace_workload *from,
                              const struct trace_topology *of)
{
    struct trace_topology t = *of;

    if (t.slices)
        t.slices = trace_workload_slices(w, &from->slices[t.slices - 1]);
    return trace_workload_topology(w, &t);
}

static void take_job(struct trace_workload *w,
                     const struct trace_workload *from, uint32_t i,
                     struct trace_group *group)
{
    struct trace_job job = from->job[i];
    struct trace_job_aside aside = *job.aside;

    for (uint32_t k = 0; k < job.group_count; k++) {
        group[k] = *trace_group_at(from, job.first_group + k);
        group[k].shape = trace_workload_shape(w, &from->shape[group[k].shape]);
        if (group[k].rule_count + group[k].soft_count)
            group[k].first_rule = trace_workload_rules(
                w, from->rule + group[k].first_rule,
                group[k].rule_count + group[k].soft_count);
        if (group[k].label_count)
            group[k].first_label = trace_workload_labels(
                w, from->label + group[k].first_label, group[k].label_count);
        if (group[k].topology)
            group[k].topology = take_topology(
                w, from, &from->topology[group[k].topology - 1]);
        if (group[k].held_count)
            group[k].first_held = trace_workload_held(
                w, from->held + group[k].first_held, group[k].held_count);
    }
    if (aside.label_count)
        aside.first_label = trace_workload_labels(
            w, trace_job_labels(from, &job), aside.label_count);
    if (aside.stand_count)
        aside.first_stand = trace_workload_stands(
            w, from->stand + aside.first_stand, aside.stand_count);
    if (job.record_count)
        job.first_record = take_records(w, from, &job);
    if (aside.dependency_count)
        aside.first_dependency = trace_workload_dependencies(
            w, from->dependencies->dependency + aside.first_dependency,
            aside.dependency_count);
    if (aside.task_rules)
        aside.task_rules = trace_workload_task_rules(
            w, &from->task_rules[aside.task_rules - 1]);
    if (aside.slices)
        aside.slices = trace_workload_slices(w, trace_job_slices(from, &job));
    if (aside.minimum)
        aside.minimum = trace_workload_minimum(
            w, &from->minimum[aside.minimum - 1]);
    if (aside.quotas)
        aside.quotas = take_quotas(w, from, aside.quotas);
    if (aside.pools)
        aside.pools = take_pools(w, from, aside.pools);
    job.aside = &aside;
    trace_workload_add(w, &job, group);
}

static void take_jobs(struct trace_workload *w,
                      const struct trace_workload *from, int64_t later,
                      const uint32_t *queue, const uint32_t *klass)
{
    struct trace_group *group = NULL;
    uint32_t cap = 0;

    for (uint32_t i = 0; i < from->job_count; i++) {
        struct trace_job *j;

        group = gs_array_grow(group, &cap, from->job[i].group_count,
                              sizeof(*group));
        take_job(w, from, i, group);
        j = &w->job[w->job_count - 1];
        j->submit += later;
        j->queue = queue[j->queue];
        j->klass = klass[j->klass];
        for (uint32_t k = 0; k < j->group_count; k++) {
            struct trace_group g = *trace_group_at(w, j->first_group + k);

            g.klass = g.klass ? klass[g.klass - 1] + 1 : 0;
            trace_group_set(w, j->first_group + k, &g);
        }
    }
    gs_array_free(group);
}

/* Equal budgets are one. */
static void take_budgets(struct trace_workload *w,
                         const struct trace_workload *from)
{
    const uint32_t before = w->budgets->budget_count;

    for (uint32_t i = 0; i < from->budgets->budget_count; i++) {
        const struct trace_budget *b = &from->budgets->budget[i];
        const uint32_t *label = from->label + b->first_label;
        bool is_there = false;

        for (uint32_t k = 0; k < before && !is_there; k++) {
            const struct trace_budget *o = &w->budgets->budget[k];

            is_there = o->name == b->name && o->kind == b->kind
                       && o->amount == b->amount && o->is_part == b->is_part
                       && o->label_count == b->label_count
                       && memcmp(w->label + o->first_label, label,
                                 o->label_count * sizeof(*label))
                              == 0;
        }
        if (!is_there) {
            struct trace_budget add = *b;

            add.first_label = trace_workload_labels(w, label, b->label_count);
            trace_workload_budget(w, &add);
        }
    }
}

/* As much later as the jobs; those that `w` has already are one. */
static void take_reservations(struct trace_workload *w,
                              const struct trace_workload *from, int64_t later)
{
    const uint32_t before = w->reservations->reservation_count;

    for (uint32_t i = 0; i < from->reservations->reservation_count; i++) {
        struct trace_reservation r = from->reservations->reservation[i];
        const uint32_t *node = from->reservations->reserved_node + r.first_node;
        bool is_there = false;

        r.start += later;
        r.end += later;
        for (uint32_t k = 0; k < before && !is_there; k++)
            is_there = w->reservations->reservation[k].name == r.name
                       && w->reservations->reservation[k].start == r.start
                       && w->reservations->reservation[k].end == r.end;
        if (!is_there)
            (void)trace_reservation_add(w, &r, node, r.node_count);
    }
}

int trace_workload_merge(struct trace_workload *w,
                         const struct trace_workload *from, int64_t later,
                         struct gs_err *err)
{
    uint32_t *queue, *klass;

    assert(w && from && w != from && later >= 0);
    assert(w->names == from->names);
    if (trace_merge_check(w, from, later, err) < 0)
        return -1;
    queue = gs_array_new(from->queue_count, sizeof(*queue));
    klass = gs_array_new(from->class_count, sizeof(*klass));
    for (uint32_t i = 0; i < from->terms->flavor_count; i++)
        trace_flavor_take(w, &from->terms->flavor[i]);
    for (uint32_t i = 0; i < from->queue_count; i++)
        queue[i] = take_queue(w, from, i);
    for (uint32_t i = 0; i < from->class_count; i++)
        klass[i] = take_class(w, from, i);
    take_jobs(w, from, later, queue, klass);
    take_budgets(w, from);
    take_reservations(w, from, later);
    take_accounts(w, from);
    gs_array_free(queue);
    gs_array_free(klass);
    return 0;
}
