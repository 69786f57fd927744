/* policies/preemption/bundles.c - victims in bundles, for a whole gang.
 *
 * A bundle is either the tasks of a job that may go without the others, or the
 * whole job.  In a domain bundles are evicted one after another until the entry
 * fits there: those that break no rule first; then those of tasks that may go
 * alone; then those of the jobs, or queues, that are served last; then those
 * that free most of what is asked for, of all that the job holds.  Nothing is
 * reprieved.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/lifecycle/allocations.h"
#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/preemption/preemption.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

/* So many placements are tried, one after each bundle; then one after every
 * second, fourth ... bundle.
 */
#define TRIES 32u

/* What is sorted, and the attempt for which it is. */
struct sorting {
    struct gsched *s;
    const struct attempt *a;
};

/* Sort `count` elements, where "before" of `h` is "after" in the result. */
static void sort(const struct gs_heap *h, struct sorting *of, uint32_t count)
{
    gs_heap_build(h, of, count);
    while (count-- > 1) {
        h->swap(of, 0, count);
        (void)gs_heap_sink(h, of, count, 0);
    }
}

/* --- tasks ---------------------------------------------------------------- */

static bool task_after(const void *of, uint32_t a, uint32_t b)
{
    const struct sorting *o = of;
    const struct allocation *all = o->s->allocations->allocation;
    const uint32_t x = o->s->evict->standing[a], y = o->s->evict->standing[b];

    return all[x].job == all[y].job ? gsched_task_compare(o->s, x, y) > 0
                                    : all[x].job > all[y].job;
}

static void task_swap(void *of, uint32_t a, uint32_t b)
{
    uint32_t *at = ((struct sorting *)of)->s->evict->standing;
    const uint32_t swap = at[a];

    at[a] = at[b];
    at[b] = swap;
}

/* Collect the tasks in the domain that may be victims, job by job, the least
 * important tasks first.
 */
static void standing_gather(struct gsched *s, const struct attempt *a)
{
    static const struct gs_heap order = { task_after, task_swap };
    struct gsched_evict *e = s->evict;
    const struct allocation *all = s->allocations->allocation;
    uint32_t n = 0;

    for (uint32_t node = a->scope.from; node < a->scope.end; node++) {
        for (uint32_t i = s->allocations->node_allocation[node]; i != NONE;
             i = all[i].after) {
            if (all[i].leaver
                || !gsched_is_eligible(
                    s, a, all[i].job,
                    gsched_class_of(s, all[i].job, all[i].group)))
                continue;
            e->standing = gs_array_grow(e->standing, &e->standing_cap, n + 1,
                                        sizeof(*e->standing));
            e->standing[n++] = i;
        }
    }
    e->standing_count = n;
    sort(&order, &(struct sorting){ s, a }, n);
}

/* --- bundles -------------------------------------------------------------- */

/* What `here` frees of the amounts `need`, each at most once, out of all that
 * the job holds.
 */
static double gain_of(const struct gsched *s, uint32_t job, const int64_t *here,
                      const int64_t *need)
{
    int64_t all[TOPO_DIMS_MAX];
    double part = 0, whole = 0;

    gsched_victim_amount(s, job, NONE, all);
    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        if (need[d] <= 0)
            continue;
        part += (double)(here[d] < need[d] ? here[d] : need[d])
                / (double)need[d];
        whole += (double)all[d] / (double)need[d];
    }
    return whole > 0 ? part / whole : (double)INFINITY;
}

/* Add the candidates from `first` on as a bundle. */
static void bundle_add(struct gsched *s, uint32_t first, double gain)
{
    struct gsched_evict *e = s->evict;

    assert(first < e->victim_count);
    e->bundle = gs_array_grow(e->bundle, &e->bundle_cap, e->bundle_count + 1,
                              sizeof(*e->bundle));
    e->bundle[e->bundle_count++] = (struct bundle){
        .first = first,
        .count = e->victim_count - first,
        .job = e->victim[first].job,
        .is_whole = e->victim[first].is_whole,
        .gain = gain,
    };
}

/* Add the bundles of one job, whose tasks in the domain are [from, end): those
 * that may go alone, and the whole job for the others.
 */
static void job_add(struct gsched *s, const struct attempt *a, uint32_t from,
                    uint32_t end, const int64_t *need)
{
    const struct allocation *all = s->allocations->allocation;
    const uint32_t *at = s->evict->standing;
    const uint32_t job = all[at[from]].job, first = s->evict->victim_count;
    uint32_t of_job = 0, of_group = 0, group = NONE, node = NONE;
    int64_t here[TOPO_DIMS_MAX] = { 0 }, one[TOPO_DIMS_MAX];

    for (uint32_t k = from; k < end; k++) {
        const struct allocation *x = &all[at[k]];

        of_group = x->group == group ? of_group : 0;
        group = x->group;
        if (gsched_may_go_alone(s, at[k], of_job, of_group)) {
            of_job += x->grant.tasks;
            of_group += x->grant.tasks;
            gsched_victim_add(s, x->grant.node, job, at[k]);
            continue;
        }
        node = x->grant.node;
        gsched_victim_amount(s, job, at[k], one);
        for (uint32_t d = 0; d < s->topo->dims->count; d++)
            here[d] += one[d];
    }
    if (s->evict->victim_count > first)
        bundle_add(s, first, (double)INFINITY);
    if (node == NONE || s->profile->keeps_gangs || gsched_is_fixed(s, job)
        || gsched_any_leaves(s, job)
        || !gsched_is_eligible(s, a, job, gsched_job(s, job)->high_class))
        return;
    gsched_victim_add(s, node, job, NONE);
    bundle_add(s, s->evict->victim_count - 1, gain_of(s, job, here, need));
}

/* < 0: job `a` is evicted before job `b`: it, or its queue, is served later. */
static int job_compare(const struct gsched *s, const struct attempt *at,
                       uint32_t a, uint32_t b)
{
    const struct queue_entry x = { .job = a,
                                   .group = NONE,
                                   .since = gsched_job(s, a)->submitted };
    const struct queue_entry y = { .job = b,
                                   .group = NONE,
                                   .since = gsched_job(s, b)->submitted };

    return at->why == GSP_PREEMPT
               ? gsched_entry_compare(s, &y, &x)
               : gsched_queue_compare(s, gsched_queue_of(s, b),
                                      gsched_queue_of(s, a));
}

static bool bundle_after(const void *of, uint32_t a, uint32_t b)
{
    const struct sorting *o = of;
    const struct bundle *x = &o->s->evict->bundle[a];
    const struct bundle *y = &o->s->evict->bundle[b];
    int order;

    if (x->breaks != y->breaks)
        return x->breaks;
    if (x->is_whole != y->is_whole)
        return x->is_whole;
    order = x->job == y->job ? 0 : job_compare(o->s, o->a, x->job, y->job);
    if (order != 0)
        return order > 0;
    if (x->gain < y->gain || x->gain > y->gain)
        return x->gain < y->gain;
    return x->job > y->job;
}

static void bundle_swap(void *of, uint32_t a, uint32_t b)
{
    struct bundle *at = ((struct sorting *)of)->s->evict->bundle;
    const struct bundle swap = at[a];

    at[a] = at[b];
    at[b] = swap;
}

/* Sort the bundles, and the candidates as they stand in them. */
static void bundles_sort(struct gsched *s, const struct attempt *a)
{
    static const struct gs_heap order = { bundle_after, bundle_swap };
    struct gsched_evict *e = s->evict;
    uint32_t n = 0;

    sort(&order, &(struct sorting){ s, a }, e->bundle_count);
    e->ordered = gs_array_grow(e->ordered, &e->ordered_cap, e->victim_count,
                               sizeof(*e->ordered));
    for (uint32_t k = 0; k < e->bundle_count; k++) {
        struct bundle *b = &e->bundle[k];

        memcpy(e->ordered + n, e->victim + b->first,
               b->count * sizeof(*e->victim));
        b->first = n;
        n += b->count;
    }
    assert(n == e->victim_count);
    memcpy(e->victim, e->ordered, n * sizeof(*e->victim));
}

/* Drop the candidates that modules protect, and bundles without candidates. */
static void bundles_limit(struct gsched *s)
{
    struct gsched_evict *e = s->evict;
    uint32_t bundles = 0, n = 0;

    for (uint32_t k = 0; k < e->bundle_count; k++) {
        struct bundle b = e->bundle[k];
        const uint32_t first = n;

        for (uint32_t i = b.first; i < b.first + b.count; i++) {
            if (!e->protected[i])
                e->victim[n++] = e->victim[i];
        }
        b.first = first;
        b.count = n - first;
        if (b.count)
            e->bundle[bundles++] = b;
    }
    e->bundle_count = bundles;
    e->victim_count = n;
}

/* Find the bundles of the domain, in the order of eviction. */
static void bundles_gather(struct gsched *s, const struct attempt *a,
                           const int64_t *need)
{
    struct gsched_evict *e = s->evict;
    const struct allocation *all = s->allocations->allocation;

    standing_gather(s, a);
    e->victim_count = e->bundle_count = 0;
    for (uint32_t from = 0, end; from < e->standing_count; from = end) {
        const uint32_t job = all[e->standing[from]].job;

        for (end = from + 1;
             end < e->standing_count && all[e->standing[end]].job == job;)
            end++;
        job_add(s, a, from, end, need);
    }
    if (!e->victim_count)
        return;
    bundles_sort(s, a);
    if (!gsched_victims_protect(s, a)) {
        e->bundle_count = 0;
        return;
    }
    bundles_limit(s);
    if (!gsched_victims_break(s, a))
        return;
    for (uint32_t k = 0; k < e->bundle_count; k++) {
        struct bundle *b = &e->bundle[k];

        for (uint32_t i = b->first; i < b->first + b->count; i++)
            b->breaks |= e->victim[i].breaks;
    }
    bundles_sort(s, a);
}

/* --- a domain ------------------------------------------------------------- */

/* Place all tasks of the entry in the domain; or nothing. */
static bool entry_try(struct gsched *s, const struct attempt *a,
                      const struct queue_entry *it)
{
    const struct topo_request *r;
    struct scope w = a->scope;
    struct node_fit best;
    struct topo_grant g;

    if (!gsched_entry_allocatable(s, it))
        return false;
    if (it->group == NONE)
        return gsched_gang_try(s, it->job, &w);
    w.group = it->group;
    r = gsched_request(s, it->job, it->group);
    if (!gsched_shape_best(s, gsched_group(s, it->job, it->group)->shape, &w,
                           &best))
        return false;
    g = gsched_take(s, best.node, r, 1);
    gsched_propose(s, it->job, it->group,
                   gsched_task_next(s, it->job, it->group), &g);
    return true;
}

/* Is the sum of what is free there enough? */
static bool has_enough(const struct gsched *s, const struct attempt *a,
                       uint32_t domain, const int64_t *need)
{
    const struct topo_groups *groups = topo_cluster_groups(s->cluster);
    const uint32_t group = topo_cluster_group_of(s->cluster, a->scope.from);
    bool has = true;

    for (uint32_t d = 0; d < s->topo->dims->count && has; d++)
        has = need[d] <= 0
              || (domain == NONE ? groups->free[d][group]
                                 : topo_domain_free(s->cluster, domain, d))
                     >= need[d];
    return has;
}

/* Evict bundles of the domain a->scope (its number; NONE: a node) until the
 * entry, which asks for `need` by dimension, fits there, and propose its tasks.
 * False: it does not fit; the caller undoes what was tried in either case.
 */
static bool bundles_clear(struct gsched *s, const struct attempt *a,
                          uint32_t domain, const struct queue_entry *it,
                          const int64_t *need)
{
    struct gsched_evict *e = s->evict;
    uint32_t tries = 0, step = 1, next = 0;

    assert(a->by_bundle && a->scope.from < a->scope.end);
    bundles_gather(s, a, need);
    for (uint32_t k = 0; k < e->bundle_count; k++) {
        const struct bundle *b = &e->bundle[k];

        for (uint32_t i = b->first; i < b->first + b->count; i++)
            gsched_evict(s, b->job, e->victim[i].allocation,
                         e->victim[i].breaks);
        if ((k < next && k + 1 < e->bundle_count)
            || !has_enough(s, a, domain, need))
            continue;
        if (entry_try(s, a, it))
            return true;
        step *= ++tries < TRIES ? 1 : 2;
        next = k + step;
    }
    return false;
}

/* --- all domains ---------------------------------------------------------- */

/* Make room in the domain a->scope (its number; NONE: a node). */
static bool domain_try(struct gsched *s, const struct attempt *a,
                       uint32_t domain, const struct queue_entry *it)
{
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    int64_t need[TOPO_DIMS_MAX];
    bool fits;

    gsched_entry_amount(s, it, need);
    s->evict->evicted_count = 0;
    fits = bundles_clear(s, a, domain, it, need);
    gsched_attempt_remember(s, first);
    gsched_attempt_undo(s, mark, first);
    return fits;
}

bool gsched_bundles_place(struct gsched *s, struct attempt *a,
                          const struct queue_entry *it)
{
    const uint32_t level = gsched_bound_level(s, it->job);
    const bool is_on_node = level > s->topo->tier_count;
    const uint32_t most = s->profile->domains;
    int64_t asked[TOPO_DIMS_MAX];

    if (level > 0 && !is_on_node
        && gsched_job(s, it->job)->first_allocation == NONE) {
        gsched_job_minimum(s, it->job, asked);
        for (uint32_t i = 0, n = gsched_domains_wide(s->topo, level, asked,
                                                     most, s->evict->domain);
             i < n; i++) {
            const uint32_t d = s->evict->domain[i];

            a->scope = gsched_scope_domain(s, it->job, d);
            if (a->scope.from < a->scope.end && domain_try(s, a, d, it))
                return true;
        }
        return false;
    }
    for (uint32_t at = NONE;
         gsched_topology_next(s, it->job, &at, &a->scope);) {
        if (domain_try(s, a, is_on_node ? NONE : 0, it))
            return true;
    }
    return false;
}
