/* policies/preemption/reprieve.c - the victims of a whole gang: remembered,
 * undone, and reduced to those that it needs.
 *
 * Room is made for one task after the other.  What is freed for one may do for
 * the others, or be more than all of them need: as with kube-scheduler's
 * groups, victims stay when all of the gang is placed without them.
 */
#include "policies/preemption/reprieve.h"

#include <string.h>

#include "base/array.h"
#include "policies/placement/gang_fit.h"
#include "policies/preemption/victims.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"

#define TRIES_MAX 32u /* each costs as much as placing the gang */

void gsched_attempt_remember(struct gsched *s, uint32_t first)
{
    struct gsched_evict *e = s->evict;
    const uint32_t n = s->decision_count - first;

    e->proposal = gs_array_grow(e->proposal, &e->proposal_cap, n,
                                sizeof(*e->proposal));
    if (n)
        memcpy(e->proposal, s->decision + first, n * sizeof(*e->proposal));
    e->proposal_count = n;
    e->tentative = gs_array_grow(e->tentative, &e->tentative_cap,
                                 e->evicted_count, sizeof(*e->tentative));
    if (e->evicted_count)
        memcpy(e->tentative, e->evicted,
               e->evicted_count * sizeof(*e->tentative));
    e->tentative_count = e->evicted_count;
}

void gsched_attempt_undo(struct gsched *s, uint32_t mark, uint32_t first)
{
    while (s->decision_count > first) {
        const struct gsched_decision *d = &s->decision[--s->decision_count];
        const struct topo_request *r =
            &s->work->shape[gsched_group(s, d->job, d->group)->shape];

        topo_cluster_release(s->cluster, r, &d->grant);
        gsched_tell_released(s, d->job, d->group, d->grant.node,
                             d->grant.tasks);
    }
    gsched_restore(s, 0);
    topo_cluster_rollback(s->cluster, mark);
}

/* The victims in the order of going, those of one job as they were. */
static void going_sort(struct gsched *s)
{
    struct gsched_evict *e = s->evict;

    for (uint32_t i = 1; i < e->tentative_count; i++) {
        const struct evicted g = e->tentative[i];
        const struct victim v = { .job = g.job, .is_whole = g.is_whole };
        uint32_t k = i;

        for (; k > 0; k--) {
            const struct evicted *h = &e->tentative[k - 1];
            const struct victim u = { .job = h->job, .is_whole = h->is_whole };

            if (h->job == g.job || gsched_victim_compare(s, &u, &v) <= 0)
                break;
            e->tentative[k] = *h;
        }
        e->tentative[k] = g;
    }
}

/* What the i-th of them holds. */
static void going_amount(const struct gsched *s, uint32_t i, int64_t *amount)
{
    const struct evicted *g = &s->evict->tentative[i];
    const struct allocation *sp = &s->allocations->allocation[g->head];

    if (g->is_whole) {
        gsched_job_used(s, g->job, amount);
        return;
    }
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        amount[d] =
            s->work->shape[gsched_group(s, g->job, sp->group)->shape].amount[d]
            * sp->grant.tasks;
}

/* Does one that was placed before it go, too?  Then it cannot stay: the tasks
 * of a group go latest first.
 */
static bool has_later(const struct gsched *s, uint32_t k)
{
    const struct gsched_evict *e = s->evict;

    for (uint32_t i = k + 1; i < e->tentative_count; i++) {
        if (e->tentative[i].job == e->tentative[k].job)
            return true;
    }
    return false;
}

/* Does the gang fit when the k-th stays?  That is remembered then. */
static bool fits_without(struct gsched *s, const struct attempt *a,
                         const struct queue_entry *it, uint32_t k)
{
    struct gsched_evict *e = s->evict;
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits;

    e->evicted_count = 0;
    for (uint32_t i = 0; i < e->tentative_count; i++) {
        const struct victim v = { .job = e->tentative[i].job,
                                  .is_whole = e->tentative[i].is_whole,
                                  .allocation = e->tentative[i].head };

        if (i != k)
            gsched_victim_evict(s, &v);
    }
    fits = gsched_entry_allocatable(s, it)
           && gsched_gang_try(s, it->job, &a->scope);
    if (fits)
        gsched_attempt_remember(s, first);
    gsched_attempt_undo(s, mark, first);
    return fits;
}

void gsched_attempt_reprieve(struct gsched *s, const struct attempt *a,
                             const struct queue_entry *it)
{
    struct gsched_evict *e = s->evict;
    const uint32_t dims = s->topo->dims->count;
    int64_t spare[TOPO_DIMS_MAX], amount[TOPO_DIMS_MAX];
    uint32_t tries = 0;

    for (uint32_t d = 0; d < dims; d++) {
        spare[d] = -a->asked[d];
        for (uint32_t k = 0; k < s->topo->class_count; k++)
            spare[d] += topo_class_free(s->cluster, k, d);
    }
    for (uint32_t i = 0; i < e->tentative_count; i++) {
        going_amount(s, i, amount);
        for (uint32_t d = 0; d < dims; d++)
            spare[d] += amount[d];
    }
    going_sort(s);
    for (uint32_t k = e->tentative_count; k-- > 0 && tries < TRIES_MAX;) {
        bool may = true;

        going_amount(s, k, amount);
        for (uint32_t d = 0; d < dims; d++)
            may &= amount[d] <= spare[d];
        if (!may || has_later(s, k))
            continue;
        tries++;
        if (!fits_without(s, a, it, k))
            continue;
        for (uint32_t d = 0; d < dims; d++)
            spare[d] -= amount[d];
    }
}
