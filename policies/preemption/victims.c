/* policies/preemption/victims.c - who would have to go on one node for one task to fit.
 *
 * Evictions are counted as done on the cluster, in the ledger and for the
 * modules, so that all of them answer as they would after it.
 */
#include "policies/preemption/victims.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/pending/service_order.h"
#include "policies/preemption/reprieve.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

/* --- trying an eviction ------------------------------------------------------ */

/* Count tasks of a span as given back (sign -1), or as held again (1). */
static void span_count(struct gsched *s, uint32_t i, int sign)
{
    struct span *sp = &s->allocations->span[i];
    const struct trace_job *spec = &s->work->job[sp->job];
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, sp->job, sp->group)->shape];

    assert(sign == 1 || sign == -1);
    assert(sp->is_gone == (sign > 0));
    assert(sign > 0 || s->jobs->job[sp->job].placed >= sp->grant.tasks);
    sp->is_gone = sign < 0;
    if (sign < 0) {
        topo_cluster_release(s->cluster, r, &sp->grant);
        gsched_tell_released(s, sp->job, sp->group, sp->grant.node,
                             sp->grant.tasks);
        s->jobs->job[sp->job].placed -= sp->grant.tasks;
        s->jobs->group_placed[spec->first_group + sp->group] -= sp->grant.tasks;
    } else {
        topo_cluster_take(s->cluster, r, &sp->grant);
        gsched_tell_placed(s, sp->job, sp->group, sp->grant.node,
                           sp->grant.tasks);
        s->jobs->job[sp->job].placed += sp->grant.tasks;
        s->jobs->group_placed[spec->first_group + sp->group] += sp->grant.tasks;
    }
    gsched_ledger_used(s, sp->job, sp->group, sp->grant.tasks, sign);
}

/* Its spans are kept from its head on. */
void gsched_unit_evict(struct gsched *s, const struct victim *v)
{
    struct gsched_evict *e = s->evict;
    struct job_state *j = &s->jobs->job[v->job];
    const uint32_t head = v->is_whole ? j->first_span : v->span;
    struct gone *g;

    assert(v->job < s->jobs->job_count && head != NONE);
    e->gone = gs_array_grow(e->gone, &e->gone_cap, e->gone_count + 1,
                            sizeof(*e->gone));
    g = &e->gone[e->gone_count++];
    *g = (struct gone){ v->job, head, NONE, v->is_whole };
    if (!v->is_whole) {
        g->newer = gsched_span_unlink(s, head);
        span_count(s, head, -1);
        return;
    }
    j->first_span = NONE;
    for (uint32_t i = head; i != NONE; i = s->allocations->span[i].next)
        span_count(s, i, -1);
}

/* Take back the eviction at place `at`. */
static void unit_restore(struct gsched *s, uint32_t at)
{
    struct gsched_evict *e = s->evict;
    const struct gone g = e->gone[at];

    assert(at < e->gone_count);
    e->gone_count--;
    memmove(e->gone + at, e->gone + at + 1,
            (e->gone_count - at) * sizeof(*e->gone));
    if (g.newer == NONE)
        s->jobs->job[g.job].first_span = g.head;
    else
        s->allocations->span[g.newer].next = g.head;
    s->allocations->span[g.head].newer = g.newer;
    if (!g.is_whole && s->allocations->span[g.head].next != NONE)
        s->allocations->span[s->allocations->span[g.head].next].newer = g.head;
    for (uint32_t i = g.head; i != NONE; i = s->allocations->span[i].next) {
        if (s->allocations->span[i].is_gone)
            span_count(s, i, 1);
        if (!g.is_whole)
            break;
    }
}

void gsched_restore(struct gsched *s, uint32_t at)
{
    assert(s->evict);
    while (s->evict->gone_count > at)
        unit_restore(s, s->evict->gone_count - 1);
}

/* --- victims on a node ------------------------------------------------------- */

int32_t gsched_value_of(const struct gsched *s, uint32_t job)
{
    assert(job < s->jobs->job_count);
    return s->work->klass[s->work->job[job].klass].value;
}

/* What asks for nothing takes the place of its like only: Volcano's rule, which
 * kube-scheduler does not have.
 */
static bool is_too_much(const struct gsched *s, const struct attempt *a,
                        uint32_t job)
{
    int64_t used[TOPO_DIMS_MAX];

    if (a->why != GSP_PREEMPT || !a->asks_nothing
        || s->profile->unit == GSCHED_UNIT_POD)
        return false;
    gsched_job_used(s, job, used);
    return !gsched_asks_nothing(s, used);
}

bool gsched_is_eligible(struct gsched *s, const struct attempt *a, uint32_t job)
{
    const bool same_queue = gsched_queue_of(s, job)
                            == gsched_queue_of(s, a->job);

    if (job == a->job || s->work->job[job].fixed) /* all of it */
        return false;
    if (a->why == GSP_PREEMPT
            ? !same_queue
                  || (s->modules->victims_are_lower
                      && gsched_value_of(s, job) >= gsched_value_of(s, a->job))
            : same_queue || s->work->queue[s->work->job[job].queue].keeps)
        return false;
    if (is_too_much(s, a, job))
        return false;
    if (s->jobs->job[job].placed_in == (uint32_t)s->cycle) {
        s->early.is_early = true; /* what was decided now is not undone now */
        return false;
    }
    return true;
}

/* All of the job, or, unless it is NONE, a span of it. */
static void unit_add(struct gsched *s, uint32_t job, uint32_t span)
{
    struct gsched_evict *e = s->evict;
    struct victim *v;

    assert(span == NONE || s->allocations->span[span].job == job);
    e->unit = gs_array_grow(e->unit, &e->unit_cap, e->unit_count + 1,
                            sizeof(*e->unit));
    v = &e->unit[e->unit_count++];
    *v = (struct victim){ .job = job, .is_whole = span == NONE, .span = span };
    if (v->is_whole) {
        gsched_job_used(s, job, v->amount);
    } else {
        const struct span *sp = &s->allocations->span[span];
        const struct topo_request *r =
            &s->work->shape[gsched_group(s, job, sp->group)->shape];

        for (uint32_t d = 0; d < s->topo->dims->count; d++)
            v->amount[d] = r->amount[d] * sp->grant.tasks;
    }
}

/* Tasks of the job, where that matters: pod by pod, as with kube-scheduler,
 * single pods go before those of groups, and small groups before large ones.
 */
static uint32_t group_of(const struct gsched *s, uint32_t job)
{
    return s->profile->unit == GSCHED_UNIT_POD ? s->work->job[job].tasks : 1;
}

/* That of the queue that is served last, or would be; then the lower priority,
 * the single pod, the surplus, the smaller group, the latest.
 */
int gsched_unit_compare(const struct gsched *s, const struct victim *a,
                        const struct victim *b)
{
    const int order = gsched_queue_compare(s, gsched_queue_of(s, b->job),
                                           gsched_queue_of(s, a->job));
    const int32_t x = gsched_value_of(s, a->job),
                  y = gsched_value_of(s, b->job);
    const uint32_t m = group_of(s, a->job), n = group_of(s, b->job);
    const int64_t p = s->jobs->job[a->job].held_since;
    const int64_t q = s->jobs->job[b->job].held_since;

    assert(a->job != b->job || a->span != b->span || a == b);
    if (order != 0)
        return order;
    if (x != y)
        return x < y ? -1 : 1;
    if ((m == 1) != (n == 1))
        return m == 1 ? -1 : 1;
    if (a->is_whole != b->is_whole)
        return a->is_whole ? 1 : -1;
    if (a->is_whole && m != n)
        return m < n ? -1 : 1;
    if (p != q)
        return p > q ? -1 : 1;
    return a->job > b->job ? -1 : 1;
}

/* Those on the node that may be asked to go, in the order of going. */
static void units_gather(struct gsched *s, const struct attempt *a,
                         uint32_t node)
{
    struct gsched_evict *e = s->evict;

    assert(node < s->topo->node_count && s->allocations->node_span);
    e->unit_count = 0;
    for (uint32_t i = s->allocations->node_span[node]; i != NONE;
         i = s->allocations->span[i].after) {
        const uint32_t job = s->allocations->span[i].job;
        uint32_t surplus;
        bool is_new = !s->allocations->span[i].is_gone
                      && gsched_is_eligible(s, a, job);

        for (uint32_t k = 0; k < e->unit_count && is_new; k++)
            is_new = e->unit[k].job != job;
        if (!is_new)
            continue;
        surplus = gsched_surplus_on(s, job, node);
        if (surplus != NONE || !gsched_is_fixed(s, job))
            unit_add(s, job, surplus);
    }
    for (uint32_t i = 1; i < e->unit_count; i++) {
        const struct victim it = e->unit[i];
        uint32_t k = i;

        for (; k > 0 && gsched_unit_compare(s, &it, &e->unit[k - 1]) < 0; k--)
            e->unit[k] = e->unit[k - 1];
        e->unit[k] = it;
    }
}

/* When is a job no longer spared because it has just started? */
static void ripe_note(struct gsched *s, uint32_t job)
{
    const int64_t since = s->jobs->job[job].held_since;

    if (s->jobs->job[job].phase == JOB_RUNNING
        && s->now - since < s->modules->spare_time
        && s->modules->spare_time <= s->early.ripe_at - since)
        s->early.ripe_at = since + s->modules->spare_time;
}

/* What the modules make of them; the number that may go. */
static uint32_t units_vote(struct gsched *s, const struct attempt *a)
{
    struct gsched_evict *e = s->evict;
    struct gsp_victims v = { .s = s, .count = e->unit_count };
    uint32_t n;

    e->job = gs_array_grow(e->job, &e->job_cap, e->unit_count, sizeof(*e->job));
    e->spared = gs_array_grow(e->spared, &e->spared_cap, e->unit_count, 1);
    e->scratch = gs_array_grow(e->scratch, &e->scratch_cap, e->unit_count, 1);
    for (uint32_t i = 0; i < e->unit_count; i++)
        e->job[i] = (struct gsp_job){ s, e->unit[i].job };
    v.victim = e->unit;
    v.job = e->job;
    n = gsched_vote_victims(s, a->why, a->job, &v, e->spared, e->scratch);
    for (uint32_t i = 0; i < e->unit_count && s->modules->spare_time; i++) {
        if (e->spared[i])
            ripe_note(s, e->unit[i].job);
    }
    return n;
}

/* --- one task on one node ----------------------------------------------------- */

/* Do the quotas allow the task, besides what is proposed already? */
bool gsched_quota_allows(struct gsched *s, const struct attempt *a)
{
    int64_t asked[TOPO_DIMS_MAX];

    if (!s->modules->has_quota)
        return true;
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        asked[d] = a->asked[d] + a->request->amount[d];
    return gsched_vote_allocatable(s, a->job, asked);
}

static bool task_fits(struct gsched *s, const struct attempt *a, uint32_t node)
{
    return topo_group_fit(s->cluster, topo_cluster_group_of(s->cluster, node),
                          a->request)
               > 0
           && gsched_vote_node(s, &a->where, node) == node
           && gsched_quota_allows(s, a);
}

/* Was more of the job evicted after the eviction at place `at`? */
static bool has_later(const struct gsched_evict *e, uint32_t at)
{
    for (uint32_t i = at + 1; i < e->gone_count; i++) {
        if (e->gone[i].job == e->gone[at].job)
            return true;
    }
    return false;
}

/* Take back the eviction at place `at` if the task fits without it. */
static void unit_spare(struct gsched *s, const struct attempt *a, uint32_t node,
                       uint32_t at)
{
    struct gsched_evict *e = s->evict;
    const struct gone g = e->gone[at];
    const struct victim v = { .job = g.job,
                              .is_whole = g.is_whole,
                              .span = g.head };

    assert(at < e->gone_count);
    if (has_later(e, at))
        return; /* a job's tasks go latest first */
    unit_restore(s, at);
    if (task_fits(s, a, node))
        return;
    gsched_unit_evict(s, &v);
    e->gone_count--;
    memmove(e->gone + at + 1, e->gone + at,
            (e->gone_count - at) * sizeof(*e->gone));
    e->gone[at] = g;
    e->gone_count++;
}

bool gsched_node_may_do(struct gsched *s, const struct attempt *a,
                        uint32_t node)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t group = topo_cluster_group_of(s->cluster, node);
    int64_t lacks[TOPO_DIMS_MAX];
    bool does = true;

    assert(node < s->topo->node_count);
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        lacks[d] = a->request->amount[d] - g->free[d][group];
    for (uint32_t i = s->allocations->node_span[node]; i != NONE;
         i = s->allocations->span[i].after) {
        const struct span *sp = &s->allocations->span[i];
        const struct topo_request *r =
            &s->work->shape[gsched_group(s, sp->job, sp->group)->shape];

        if (sp->is_gone || !gsched_is_eligible(s, a, sp->job))
            continue;
        for (uint32_t d = 0; d < s->topo->dims->count; d++)
            lacks[d] -= r->amount[d] * sp->grant.tasks;
    }
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        does &= a->request->amount[d] <= 0 || lacks[d] <= 0;
    return does;
}

/* Evict on the node until the task fits, then spare whom that does not need,
 * the most important first.  False, with nothing evicted, when it cannot fit.
 */
bool gsched_node_clear(struct gsched *s, const struct attempt *a, uint32_t node)
{
    struct gsched_evict *e = s->evict;
    const uint32_t first = e->gone_count;
    uint32_t more = 1;
    bool fits = false;

    assert(a->request && node < s->topo->node_count);
    while (more && !fits) {
        bool is_whole = true;

        units_gather(s, a, node);
        more = e->unit_count ? units_vote(s, a) : 0;
        /* After a task above a gang its job's next may be the next to go. */
        for (uint32_t i = 0; i < e->unit_count && more && !fits && is_whole;
             i++) {
            if (e->spared[i])
                continue;
            is_whole = e->unit[i].is_whole;
            gsched_unit_evict(s, &e->unit[i]);
            fits = task_fits(s, a, node);
        }
    }
    if (!fits) {
        gsched_restore(s, first);
        return false;
    }
    for (uint32_t i = e->gone_count - 1; i-- > first;)
        unit_spare(s, a, node, i);
    return true;
}

/* What the evictions from `first` on cost. */
struct toll gsched_toll_of(const struct gsched *s, uint32_t first)
{
    const struct gsched_evict *e = s->evict;
    struct toll t = { .highest = INT32_MIN, .start = INT64_MAX };

    for (uint32_t i = first; i < e->gone_count; i++) {
        const struct gone *g = &e->gone[i];
        const int32_t value = gsched_value_of(s, g->job);
        const int64_t start = s->jobs->job[g->job].held_since;
        uint32_t tasks = 0;

        for (uint32_t k = g->head; k != NONE;
             k = s->allocations->span[k].next) {
            tasks += s->allocations->span[k].grant.tasks;
            if (!g->is_whole)
                break;
        }
        if (value > t.highest)
            t.start = INT64_MAX;
        if (value >= t.highest) {
            t.highest = value;
            t.start = start < t.start ? start : t.start;
        }
        t.sum += tasks * ((int64_t)value + (INT64_C(1) << 31));
        t.tasks += tasks;
        t.groups += g->is_whole && group_of(s, g->job) > 1;
    }
    return t;
}
