/* policies/pending/roused.c - see roused.h.
 *
 * A class that fell for want of room has none until something is freed, and has
 * it then only if a freed node holds one of its tasks: the first, quick test.
 * Whether the room is enough is found when it is woken, once for each class
 * that comes first, not for each that waits.
 *
 * Shapes with several classes are left alone: what is beside the head decides
 * for those of its own shape, whether there is room for them or not.
 */
#include "policies/pending/roused.h"

#include <assert.h>

#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/placement/candidates.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

/* Modules that refuse jobs, limits and evictions depend on the moment at which
 * a class becomes active.
 */
bool gsched_may_rouse(const struct gsched *s)
{
    const struct gsched_modules *m = s->modules;

    return m->depth == 1 && m->keeps_order && !m->has_quota && !m->filter_opens
           && !s->sample && !s->early.has_evicted
           && s->decision_limit == UINT32_MAX
           && s->allocations->partial.count == 0;
}

/* True when a freed node may hold a task of the shape. */
static bool is_helped(const struct gsched *s, uint32_t shape)
{
    const struct gs_numbers *freed = &s->allocations->freed;
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const struct topo_request *r = &s->work->shape[shape];
    bool helped = false;

    for (uint32_t i = 0; i < freed->count && !helped; i++)
        helped = topo_group_has_gpus(g, freed->at[i], r)
                 && topo_group_has_room(s->cluster, freed->at[i], r);
    return helped;
}

/* True when the class lacks room, and its cause says so: that of a job which
 * came after all others of its class had left may be of an earlier time.
 */
static bool lacks_room(const struct shape_view *sv,
                       const struct request_class *a)
{
    return a->lacks_room && a->kind == REQUEST_GANG && a->waiting > 0
           && (sv->enough_for == UINT64_MAX /* to be computed */
               || (a->need > sv->enough_for) == a->is_short)
           && a->cause
                  == (a->is_short ? GSCHED_CAPACITY : GSCHED_FRAGMENTATION);
}

bool gsched_rouse(struct gsched *s, uint32_t shape)
{
    const struct shape_view *sv = gsched_shape_seen(s, shape);
    const uint32_t rclass = sv->parked.at[0];
    struct request_class *a = &s->pending->rclass[rclass];

    assert(sv->parked.count > 0);
    if (!is_helped(s, shape))
        return true;
    if (sv->classes != 1 || !lacks_room(sv, a))
        return false;
    if (a->roused_at == NONE)
        a->roused_at = gs_numbers_add(&s->pending->roused, rclass);
    return true;
}

void gsched_rclass_settle(struct gsched *s, uint32_t rclass)
{
    struct gsched_pending *p = s->pending;
    const uint32_t i = p->rclass[rclass].roused_at;

    assert(i == NONE || p->roused.at[i] == rclass);
    if (i == NONE)
        return;
    p->rclass[gs_numbers_take(&p->roused, i)].roused_at = i;
    p->rclass[rclass].roused_at = NONE;
}

void gsched_rclass_wake(struct gsched *s, uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];

    if (a->roused_at == NONE)
        return;
    gsched_rclass_settle(s, rclass);
    if (s->allocations->partial.count
        || gsched_shape_has_room(s, a->shape, a->need))
        gsched_rclass_activate(s, rclass);
}

void gsched_rclass_lacks(struct gsched *s, uint32_t rclass,
                         enum gsched_cause why)
{
    struct request_class *a = &s->pending->rclass[rclass];

    a->lacks_room = gsched_may_rouse(s) && a->is_simple
                    && (why == GSCHED_CAPACITY
                        || (why == GSCHED_FRAGMENTATION
                            && !gsched_shape_has_room(s, a->shape, a->need)));
}

void gsched_roused_end(struct gsched *s)
{
    while (s->pending->roused.count)
        gsched_rclass_wake(s,
                           s->pending->roused.at[s->pending->roused.count - 1]);
}
