/* policies/lifecycle/allocation_lists.c - the list of the allocations of each
 * job, the latest first, and of each node once the host follows nodes.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

/* Fill `out` from allocation `i`; false when `i` is NONE. */
static bool allocation_tell(const struct gsched *s, uint32_t i, uint32_t *at,
                            struct gsched_decision *out)
{
    const struct allocation *a = gsched_allocation_at(s, i);

    if (!a)
        return false;
    assert(a->job != NONE);
    *at = i;
    *out = (struct gsched_decision){ .kind = GSCHED_PLACE,
                                     .job = a->job,
                                     .group = a->group,
                                     .first_task = a->first_task,
                                     .grant = a->grant,
                                     .placed_at = a->placed_at,
                                     .by = NONE };
    return true;
}

bool gsched_next_allocation(const struct gsched *s, uint32_t job, uint32_t *at,
                            struct gsched_decision *out)
{
    if (!s || !at || !out || job >= s->jobs->job_count)
        return false;
    if (*at == GSCHED_FIRST)
        return allocation_tell(s, gsched_job(s, job)->first_allocation, at,
                               out);
    if (*at >= s->allocations->allocation_count
        || s->allocations->allocation[*at].job != job)
        return false;
    return allocation_tell(s, s->allocations->allocation[*at].next, at, out);
}

/* The first allocation from `i` on, in the list of a node, whose job is not
 * served elsewhere; NONE.
 */
static uint32_t own_from(const struct gsched *s, uint32_t i)
{
    const struct allocation *all = s->allocations->allocation;

    while (i != NONE && gsched_job(s, all[i].job)->phase == JOB_ELSEWHERE)
        i = all[i].after;
    return i;
}

bool gsched_next_on(const struct gsched *s, uint32_t node, uint32_t *at,
                    struct gsched_decision *out)
{
    if (!s || !at || !out || !s->allocations->node_allocation
        || node >= s->topo->node_count)
        return false;
    if (*at == GSCHED_FIRST)
        return allocation_tell(
            s, own_from(s, s->allocations->node_allocation[node]), at, out);
    if (*at >= s->allocations->allocation_count
        || s->allocations->allocation[*at].grant.node != node)
        return false;
    return allocation_tell(
        s, own_from(s, s->allocations->allocation[*at].after), at, out);
}

static uint32_t free_take(struct gsched *s)
{
    struct gsched_allocations *all = s->allocations;
    const uint32_t i = all->free_allocation;

    assert(i == NONE
           || (i < all->allocation_count
               && all->allocation[i].job == NONE)); /* it was released */
    if (i != NONE) {
        all->free_allocation = all->allocation[i].next;
        return i;
    }
    all->allocation = gs_array_grow(all->allocation, &all->allocation_cap,
                                    all->allocation_count + 1,
                                    sizeof(*all->allocation));
    return all->allocation_count++;
}

/* Add the allocation to the list of its node. */
static void node_link(struct gsched *s, uint32_t i)
{
    struct allocation *sp = &s->allocations->allocation[i];
    uint32_t *first;

    assert(i < s->allocations->allocation_count
           && sp->grant.node < s->topo->node_count);
    if (!s->allocations->node_allocation)
        return;
    first = &s->allocations->node_allocation[sp->grant.node];
    sp->after = *first;
    sp->before = NONE;
    if (*first != NONE)
        s->allocations->allocation[*first].before = i;
    *first = i;
}

static void node_unlink(struct gsched *s, uint32_t i)
{
    const struct allocation *sp = &s->allocations->allocation[i];

    if (!s->allocations->node_allocation)
        return;
    if (sp->after != NONE)
        s->allocations->allocation[sp->after].before = sp->before;
    if (sp->before != NONE)
        s->allocations->allocation[sp->before].after = sp->after;
    else
        s->allocations->node_allocation[sp->grant.node] = sp->after;
}

/* A job with rules, or tasks with labels that rules name, were placed or
 * released.
 */
static void rules_moved(struct gsched *s, const struct allocation *a)
{
    s->allocations->rule_changes += gsched_has_rules(s, a->job);
    if (s->labels->has_rules)
        gsched_labels_moved(s, a->job, a->group);
}

void gsched_allocation_link(struct gsched *s, const struct allocation *a)
{
    const uint32_t i = free_take(s);
    uint32_t *first = &gsched_job(s, a->job)->first_allocation;

    s->allocations->allocation[i] = *a;
    s->allocations->allocation[i].next = *first;
    s->allocations->allocation[i].newer = NONE;
    if (*first != NONE)
        s->allocations->allocation[*first].newer = i;
    *first = i;
    s->allocations->linked++;
    rules_moved(s, a);
    if (s->modules->filter_opens)
        gsched_freed_add(s, a->grant.node);
    node_link(s, i);
}

uint32_t gsched_allocation_unlink(struct gsched *s, uint32_t i)
{
    const struct allocation *sp = &s->allocations->allocation[i];

    assert(i < s->allocations->allocation_count && sp->job != NONE);
    assert(sp->newer != NONE || gsched_job(s, sp->job)->first_allocation == i);
    if (sp->next != NONE)
        s->allocations->allocation[sp->next].newer = sp->newer;
    if (sp->newer != NONE)
        s->allocations->allocation[sp->newer].next = sp->next;
    else
        gsched_job(s, sp->job)->first_allocation = sp->next;
    return sp->newer;
}

void gsched_allocation_drop(struct gsched *s, uint32_t i)
{
    struct gsched_allocations *all = s->allocations;

    assert(all->linked > 0);
    all->linked--;
    node_unlink(s, i);
    rules_moved(s, &all->allocation[i]);
    (void)gsched_allocation_unlink(s, i); /* it is not linked again */
    all->allocation[i].next = all->free_allocation;
    all->allocation[i].job = all->allocation[i].grant.node = NONE;
    all->free_allocation = i;
}

uint32_t gsched_allocation_of(const struct gsched *s,
                              const struct gsched_decision *d)
{
    uint32_t i = gsched_job(s, d->job)->first_allocation;

    while (i != NONE) {
        const struct allocation *a = &s->allocations->allocation[i];

        if (a->group == d->group && a->first_task == d->first_task
            && a->grant.node == d->grant.node
            && a->grant.tasks == d->grant.tasks
            && a->grant.devices == d->grant.devices
            && a->grant.slice == d->grant.slice)
            break;
        i = a->next;
    }
    return i;
}
