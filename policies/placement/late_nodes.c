/* policies/placement/late_nodes.c - tasks go first to nodes on which they fit
 * without what was evicted tentatively.
 *
 * A search by trials counts victims as gone.  Nodes on which a task fits only
 * for that are late: it goes there when it fits on no other one.  What the
 * trial itself placed does not matter to this, nor do parts of GPUs, and tasks
 * for which nodes are ranked by more than their state.
 *
 * Source: KAI Scheduler's plugin nodeavailability.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "policies/placement/candidates.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

struct gsched_late {
    uint32_t *node, count; /* those that are noted */
    uint32_t *group_of;    /* [node] its state group before */
    uint8_t *is_noted;     /* [node] */
    uint8_t *mask;         /* [node] for a scope */
};

void gsched_late_open(struct gsched *s)
{
    const size_t nodes = s->topo->node_count;
    struct gsched_late *l;

    if (!s->modules->preemption.idle_first)
        return;
    l = s->late = gs_arena_alloc(s->arena, 1, sizeof(*l));
    l->node = gs_arena_alloc(s->arena, nodes, sizeof(*l->node));
    l->group_of = gs_arena_alloc(s->arena, nodes, sizeof(*l->group_of));
    l->is_noted = gs_arena_alloc(s->arena, nodes, 1);
    l->mask = gs_arena_alloc(s->arena, nodes, 1);
}

void gsched_late_note(struct gsched *s, uint32_t node)
{
    struct gsched_late *l = s->late;

    assert(node < s->topo->node_count);
    if (!l || l->is_noted[node])
        return;
    l->is_noted[node] = 1;
    l->node[l->count++] = node;
    l->group_of[node] = topo_cluster_group_of(s->cluster, node);
}

void gsched_late_end(struct gsched *s)
{
    struct gsched_late *l = s->late;

    for (uint32_t i = 0; l && i < l->count; i++)
        l->is_noted[l->node[i]] = 0;
    if (l)
        l->count = 0;
}

bool gsched_late_is(const struct gsched *s, uint32_t shape, uint32_t node)
{
    const struct topo_request *r = &s->work->shape[shape];
    const struct gsched_late *l = s->late;

    return l->count && l->is_noted[node] && !topo_request_is_part(r)
           && topo_group_fit(s->cluster, l->group_of[node], r) == 0;
}

struct scope gsched_late_scope(struct gsched *s, uint32_t shape,
                               const struct scope *w)
{
    struct gsched_late *l = s->late;
    struct scope without = *w;

    if (w->avoid)
        memcpy(l->mask, w->avoid, s->topo->node_count);
    for (uint32_t i = 0; i < l->count; i++)
        l->mask[l->node[i]] |= gsched_late_is(s, shape, l->node[i]);
    without.avoid = l->mask;
    return without;
}

void gsched_late_scope_end(struct gsched *s, const struct scope *w)
{
    struct gsched_late *l = s->late;

    if (w->avoid)
        memset(l->mask, 0, s->topo->node_count);
    for (uint32_t i = 0; i < l->count; i++)
        l->mask[l->node[i]] = 0;
}
