/* policies/preemption/victims.c - victims on one node, so that one task fits */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/pending/service_order.h"
#include "policies/preemption/preemption.h"
#include "policies/reservation/reservation.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

/* --- victims on a node ---------------------------------------------------- */

int32_t gsched_value_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    assert(job < s->jobs->job_count);
    return s->work->klass[gsched_class_of(s, job, group)].value;
}

int32_t gsched_victim_value(const struct gsched *s, uint32_t job,
                            uint32_t allocation)
{
    const struct allocation *a = gsched_allocation_at(s, allocation);

    return gsched_value_of(s, job, a ? a->group : NONE);
}

/* An entry that asks for nothing evicts only such entries: a rule of Volcano
 * that kube-scheduler does not have.
 */
static bool is_too_much(const struct gsched *s, const struct attempt *a,
                        uint32_t job)
{
    int64_t used[TOPO_DIMS_MAX];

    if (a->why != GSP_PREEMPT || a->by_bundle || !a->asks_nothing
        || s->profile->unit == GSCHED_UNIT_POD)
        return false;
    gsched_job_used(s, job, used);
    return !gsched_asks_nothing(s, used);
}

/* Priority holds, whatever the modules, where whole gangs go: modules that
 * permit all of them would let jobs evict one another for ever.
 */
static bool is_too_important(const struct gsched *s, const struct attempt *a,
                             uint32_t klass)
{
    if (a->by_bundle)
        return !trace_class_evicts(s->work,
                                   gsched_class_of(s, a->job, a->group), klass);
    return s->modules->victims_are_lower
           && s->work->klass[klass].value >= a->value;
}

/* True when the job is one whose tasks may be victims, as far as their queue
 * and priority go.
 */
static bool is_other(const struct gsched *s, const struct attempt *a,
                     uint32_t job, uint32_t klass)
{
    const bool same_queue = gsched_queue_of(s, job)
                            == gsched_queue_of(s, a->job);

    if (a->within)
        return job == a->job && s->work->klass[klass].value < a->value;
    if (job == a->job)
        return false;
    return a->why == GSP_PREEMPT
               ? same_queue && !is_too_important(s, a, klass)
               : !same_queue && !s->work->queue[s->work->job[job].queue].keeps;
}

bool gsched_is_eligible(struct gsched *s, const struct attempt *a, uint32_t job,
                        uint32_t klass)
{
    if (!is_other(s, a, job, klass) || s->work->job[job].fixed /* all of it */
        || gsched_job(s, job)->phase == JOB_ELSEWHERE)
        return false;
    if (is_too_much(s, a, job))
        return false;
    if (gsched_job(s, job)->placed_in == (uint32_t)s->cycle) {
        s->early.is_early = true; /* decisions of this cycle are not undone
                                     in it */
        return false;
    }
    return true;
}

void gsched_victim_add(struct gsched *s, uint32_t node, uint32_t job,
                       uint32_t allocation)
{
    struct gsched_evict *e = s->evict;
    struct victim *v;

    e->victim = gs_array_grow(e->victim, &e->victim_cap, e->victim_count + 1,
                              sizeof(*e->victim));
    v = &e->victim[e->victim_count++];
    v->job = job;
    v->allocation = allocation;
    v->node = node;
    v->is_whole = allocation == NONE;
    v->value = gsched_victim_value(s, job, allocation);
    v->breaks = false;
    gsched_victim_amount(s, job, allocation, v->amount);
}

/* Number of tasks of the job, for unit pod: as in kube-scheduler single pods
 * are evicted before those of groups, and small groups before large ones.
 */
static uint32_t group_of(const struct gsched *s, uint32_t job)
{
    return s->profile->unit == GSCHED_UNIT_POD ? s->work->job[job].tasks : 1;
}

int gsched_task_compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    const struct allocation *x = gsched_allocation_at(s, a);
    const struct allocation *y = gsched_allocation_at(s, b);

    const int32_t p = gsched_task_value(s, x->job, x->group);
    const int32_t q = gsched_task_value(s, y->job, y->group);

    if (p != q)
        return p < q ? -1 : 1;
    if (x->group != y->group)
        return x->group > y->group ? -1 : 1;
    return x->first_task > y->first_task ? -1 : 1;
}

/* Order of eviction: the queue that is served last; then the lower priority,
 * the single pod, the task that goes alone, the smaller group, the latest
 * start.
 */
int gsched_victim_compare(const struct gsched *s, const struct victim *a,
                          const struct victim *b)
{
    const int order = gsched_queue_compare(s, gsched_queue_of(s, b->job),
                                           gsched_queue_of(s, a->job));
    const int32_t x = a->value, y = b->value;
    const uint32_t m = group_of(s, a->job), n = group_of(s, b->job);
    const int64_t p = gsched_job(s, a->job)->allocated_since;
    const int64_t q = gsched_job(s, b->job)->allocated_since;

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
    if (a->job != b->job || a->is_whole)
        return (a->job < b->job) - (a->job > b->job);
    return gsched_task_compare(s, a->allocation, b->allocation);
}

static bool is_victim(const struct gsched_evict *e, uint32_t job)
{
    uint32_t k = 0;

    while (k < e->victim_count && e->victim[k].job != job)
        k++;
    return k < e->victim_count;
}

/* Drop tasks that would leave their job less than its gang after those before
 * them.
 */
static void victims_limit(struct gsched *s)
{
    struct gsched_evict *e = s->evict;
    uint32_t n = 0;

    for (uint32_t i = 0; i < e->victim_count; i++) {
        const struct victim v = e->victim[i];
        const struct allocation *x = gsched_allocation_at(s, v.allocation);
        uint32_t of_job = 0, of_group = 0;

        for (uint32_t k = 0; k < n && x; k++) {
            const struct allocation *y = gsched_allocation_at(
                s, e->victim[k].allocation);

            if (e->victim[k].job != v.job)
                continue;
            of_job += y->grant.tasks;
            of_group += y->group == x->group ? y->grant.tasks : 0;
        }
        if (!x || gsched_may_go_alone(s, v.allocation, of_job, of_group))
            e->victim[n++] = v;
    }
    e->victim_count = n;
}

/* The class of an allocation that counts for the attempt: within a job that of
 * its tasks.
 */
static uint32_t class_of(const struct gsched *s, const struct attempt *a,
                         const struct allocation *x)
{
    return a->within ? trace_group_class(&s->work->job[x->job],
                                         gsched_group(s, x->job, x->group))
                     : gsched_class_of(s, x->job, x->group);
}

/* Collect the victims on the node, in the order of eviction: of a job the tasks
 * that may go alone, else all of it.
 */
static void victims_gather(struct gsched *s, const struct attempt *a,
                           uint32_t node)
{
    struct gsched_evict *e = s->evict;
    const struct allocation *all = s->allocations->allocation;
    const uint32_t first = s->allocations->node_allocation[node];

    assert(node < s->topo->node_count && s->allocations->node_allocation);
    e->victim_count = 0;
    for (uint32_t i = first; i != NONE; i = all[i].after) {
        if (!all[i].is_evicted && !all[i].leaver
            && gsched_may_go_alone(s, i, 0, 0)
            && gsched_is_eligible(s, a, all[i].job, class_of(s, a, &all[i])))
            gsched_victim_add(s, node, all[i].job, i);
    }
    for (uint32_t i = first; i != NONE && !a->within; i = all[i].after) {
        if (!all[i].is_evicted
            && gsched_is_eligible(s, a, all[i].job,
                                  gsched_job(s, all[i].job)->high_class)
            && !is_victim(e, all[i].job) && !gsched_is_fixed(s, all[i].job)
            && !gsched_any_leaves(s, all[i].job))
            gsched_victim_add(s, node, all[i].job, NONE);
    }
    for (uint32_t i = 1; i < e->victim_count; i++) {
        const struct victim it = e->victim[i];
        uint32_t k = i;

        for (; k > 0 && gsched_victim_compare(s, &it, &e->victim[k - 1]) < 0;
             k--)
            e->victim[k] = e->victim[k - 1];
        e->victim[k] = it;
    }
    victims_limit(s);
}

void gsched_spared_note(struct gsched *s, enum gsp_why why, uint32_t job,
                        uint32_t victim)
{
    const int64_t since = gsched_job(s, victim)->allocated_since;
    const int64_t time = s->modules->min_runtime > 0
                             ? gsched_modules_spare_time(s, why, job, victim)
                             : 0;
    const int64_t over = gsched_later(since, time);

    if (gsched_job(s, victim)->phase == JOB_RUNNING && s->now < over
        && over <= s->early.min_runtime_at)
        s->early.min_runtime_at = over;
}

/* Show the victims to modules. */
struct gsp_victims gsched_victims_show(struct gsched *s)
{
    struct gsched_evict *e = s->evict;

    e->job = gs_array_grow(e->job, &e->job_cap, e->victim_count,
                           sizeof(*e->job));
    e->shown = gs_array_grow(e->shown, &e->shown_cap, e->victim_count,
                             sizeof(*e->shown));
    for (uint32_t i = 0; i < e->victim_count; i++) {
        const struct victim *it = &e->victim[i];
        const struct allocation *a = gsched_allocation_at(s, it->allocation);

        e->job[i] = (struct gsp_job){ s, it->job, a ? a->group : NONE,
                                      a ? a->grant.tasks : 0, it->node };
        e->shown[i] = (struct gsp_victim){ &e->job[i], it->amount,
                                           it->is_whole };
    }
    return (struct gsp_victims){ e->victim_count, e->shown };
}

uint32_t gsched_victims_protect(struct gsched *s, const struct attempt *a)
{
    struct gsched_evict *e = s->evict;
    struct gsp_victims v;
    uint32_t n;

    e->protected = gs_array_grow(e->protected, &e->protected_cap,
                                 e->victim_count, 1);
    e->scratch = gs_array_grow(e->scratch, &e->scratch_cap, e->victim_count, 1);
    v = gsched_victims_show(s);
    e->may_protect = true;
    n = a->by_trials && a->why == GSP_RECLAIM && s->modules->judges > 0
            ? gsched_modules_spare(s, a->why, a->job, &v, e->protected,
                                   e->scratch, &e->may_protect)
            : gsched_modules_protect(s, a->why, a->by_bundle, a->job, a->group,
                                     &v, e->protected, e->scratch);
    for (uint32_t i = 0; i < e->victim_count && s->modules->min_runtime; i++) {
        if (e->protected[i])
            gsched_spared_note(s, a->why, a->job, e->victim[i].job);
    }
    return n;
}

bool gsched_victims_ok(struct gsched *s, const struct attempt *a,
                       const int64_t *asked)
{
    const struct gsp_victims v = gsched_victims_show(s);

    return gsched_modules_victims_ok(s, a->why, a->job, asked, &v);
}

uint32_t gsched_victims_break(struct gsched *s, const struct attempt *a)
{
    struct gsched_evict *e = s->evict;
    struct gsp_victims v;
    uint32_t n;

    if (!s->modules->may_break)
        return 0;
    v = gsched_victims_show(s);
    n = gsched_modules_break(s, a->job, &v, e->scratch);
    for (uint32_t i = 0; i < e->victim_count && n; i++)
        e->victim[i].breaks = e->scratch[i];
    return n;
}

/* Drop the protected victims, and put those that break rules last. */
static void victims_part(struct gsched *s, const struct attempt *a)
{
    struct gsched_evict *e = s->evict;
    uint32_t n = 0;

    for (uint32_t i = 0; i < e->victim_count; i++) {
        if (!e->protected[i])
            e->victim[n++] = e->victim[i];
    }
    e->victim_count = n;
    memset(e->protected, 0, n);
    if (!gsched_victims_break(s, a))
        return;
    for (uint32_t i = 1; i < n; i++) {
        const struct victim it = e->victim[i];
        uint32_t k = i;

        for (; k > 0 && !it.breaks && e->victim[k - 1].breaks; k--)
            e->victim[k] = e->victim[k - 1];
        e->victim[k] = it;
    }
}

/* --- one task on one node ------------------------------------------------- */

bool gsched_quota_allows(struct gsched *s, const struct attempt *a)
{
    int64_t asked[TOPO_DIMS_MAX];

    if (!s->modules->has_quota)
        return true;
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        asked[d] = a->asked[d] + a->request->amount[d];
    return gsched_modules_allocatable(s, a->job, asked);
}

bool gsched_node_fits(struct gsched *s, const struct attempt *a, uint32_t node)
{
    return topo_group_fit(s->cluster, topo_cluster_group_of(s->cluster, node),
                          a->request)
               > 0
           && gsched_modules_allow_node(s, &a->scope, node) == node
           && gsched_quota_allows(s, a);
}

/* Undo the eviction at index `at` if the task fits without it. */
static void victim_reprieve(struct gsched *s, const struct attempt *a,
                            uint32_t node, uint32_t at)
{
    struct gsched_evict *e = s->evict;
    const struct evicted g = e->evicted[at];

    if (gsched_evicted_later(e->evicted, e->evicted_count, at))
        return;
    gsched_restore_one(s, at);
    if (gsched_node_fits(s, a, node))
        return;
    gsched_evict(s, g.job, g.is_whole ? NONE : g.head, g.breaks);
    memmove(e->evicted + at + 1, e->evicted + at,
            (e->evicted_count - 1 - at) * sizeof(*e->evicted));
    e->evicted[at] = g;
}

bool gsched_node_may_do(struct gsched *s, const struct attempt *a,
                        uint32_t node)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t group = topo_cluster_group_of(s->cluster, node);
    const struct allocation *all = s->allocations->allocation;
    int64_t lacks[TOPO_DIMS_MAX];
    bool does = true;

    assert(node < s->topo->node_count);
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        lacks[d] = a->request->amount[d] - g->free[d][group];
    for (uint32_t i = s->allocations->node_allocation[node]; i != NONE;
         i = all[i].after) {
        if (all[i].is_evicted || all[i].leaver
            || !gsched_is_eligible(s, a, all[i].job,
                                   a->within
                                       ? class_of(s, a, &all[i])
                                       : gsched_job(s, all[i].job)->low_class))
            continue;
        topo_grant_add(s->topo, gsched_request(s, all[i].job, all[i].group),
                       &all[i].grant, -1, lacks);
    }
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        does = does && (a->request->amount[d] <= 0 || lacks[d] <= 0);
    return does;
}

bool gsched_node_clear(struct gsched *s, const struct attempt *a, uint32_t node)
{
    struct gsched_evict *e = s->evict;
    const uint32_t first = e->evicted_count;
    uint32_t more = 1;
    bool fits = false;

    assert(a->request && node < s->topo->node_count);
    while (more && !fits) {
        bool is_whole = true;

        victims_gather(s, a, node);
        more = e->victim_count ? gsched_victims_protect(s, a) : 0;
        if (more && s->modules->may_break)
            victims_part(s, a);
        /* After a task above a gang, the next task of its job may be the next
         * victim.
         */
        for (uint32_t i = 0; i < e->victim_count && more && !fits && is_whole;
             i++) {
            if (e->protected[i])
                continue;
            is_whole = e->victim[i].is_whole;
            gsched_evict(s, e->victim[i].job, e->victim[i].allocation,
                         e->victim[i].breaks);
            fits = gsched_node_fits(s, a, node);
        }
    }
    if (!fits) {
        gsched_restore(s, first);
        return false;
    }
    for (uint32_t i = e->evicted_count - 1; i-- > first;)
        victim_reprieve(s, a, node, i);
    return true;
}

struct cost gsched_preemption_cost(const struct gsched *s, uint32_t first)
{
    const struct gsched_evict *e = s->evict;
    const struct allocation *all = s->allocations->allocation;
    struct cost t = { .highest = INT32_MIN, .start = INT64_MAX };

    for (uint32_t i = first; i < e->evicted_count; i++) {
        const struct evicted *g = &e->evicted[i];
        const int32_t value = gsched_victim_value(s, g->job,
                                                  g->is_whole ? NONE : g->head);
        const int64_t start = gsched_job(s, g->job)->allocated_since;
        uint32_t tasks = all[g->head].grant.tasks;

        for (uint32_t k = all[g->head].next; g->is_whole && k != NONE;
             k = all[k].next)
            tasks += all[k].grant.tasks;
        t.broken += g->breaks;
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
