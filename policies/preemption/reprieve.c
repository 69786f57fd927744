/* policies/preemption/reprieve.c - reprieve of victims that a whole gang does
 * not need.
 *
 * Room is made for one task after the other.  The room made for one task may
 * suffice for others, or the sum may be more than all need.  As with pod groups
 * in kube-scheduler, a victim is reprieved when the whole gang can be placed
 * without evicting it.
 */
#include "policies/placement/placement.h"
#include "policies/preemption/preemption.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"

#define TRIES_MAX 32u /* each costs as much as placing the gang */

static uint32_t allocation_of(const struct evicted *g)
{
    return g->is_whole ? NONE : g->head;
}

/* Sort the victims in the order of eviction, those that break rules last; those
 * of one job keep their order.
 */
static void tentative_sort(struct gsched *s)
{
    struct gsched_evict *e = s->evict;

    for (uint32_t i = 1; i < e->tentative_count; i++) {
        const struct evicted g = e->tentative[i];
        const struct victim v = { .job = g.job,
                                  .is_whole = g.is_whole,
                                  .value = gsched_victim_value(
                                      s, g.job, allocation_of(&g)) };
        uint32_t k = i;

        for (; k > 0; k--) {
            const struct evicted *h = &e->tentative[k - 1];
            const struct victim u = { .job = h->job,
                                      .is_whole = h->is_whole,
                                      .value = gsched_victim_value(
                                          s, h->job, allocation_of(h)) };

            if (h->job == g.job || h->breaks < g.breaks
                || (h->breaks == g.breaks
                    && gsched_victim_compare(s, &u, &v) <= 0))
                break;
            e->tentative[k] = *h;
        }
        e->tentative[k] = g;
    }
}

/* True when the gang fits without evicting the k-th victim; then that is kept.
 */
static bool fits_without(struct gsched *s, const struct attempt *a,
                         const struct queue_entry *it, uint32_t k)
{
    struct gsched_evict *e = s->evict;
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits;

    e->evicted_count = 0;
    for (uint32_t i = 0; i < e->tentative_count; i++) {
        if (i != k)
            gsched_evict(s, e->tentative[i].job,
                         allocation_of(&e->tentative[i]),
                         e->tentative[i].breaks);
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
        gsched_victim_amount(s, e->tentative[i].job,
                             allocation_of(&e->tentative[i]), amount);
        for (uint32_t d = 0; d < dims; d++)
            spare[d] += amount[d];
    }
    tentative_sort(s);
    for (uint32_t k = e->tentative_count; k-- > 0 && tries < TRIES_MAX;) {
        bool may = !gsched_evicted_later(e->tentative, e->tentative_count, k);

        gsched_victim_amount(s, e->tentative[k].job,
                             allocation_of(&e->tentative[k]), amount);
        for (uint32_t d = 0; d < dims; d++)
            may = may && amount[d] <= spare[d];
        if (!may)
            continue;
        tries++;
        if (!fits_without(s, a, it, k))
            continue;
        for (uint32_t d = 0; d < dims; d++)
            spare[d] -= amount[d];
    }
}
