/* policies/lifecycle/node_windows.c - nodes that modules close, see
 * node_windows.h.
 */
#include "policies/lifecycle/node_windows.h"

#include <assert.h>

#include "base/arena.h"
#include "policies/lifecycle/allocations.h"
#include "policies/reservation/reservation.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

struct gsched_windows {
    bool *by_host;   /* [node] it is closed */
    bool *by_module; /* [class] */
    int64_t next;
};

void gsched_windows_open(struct gsched *s)
{
    bool any = false;

    for (uint32_t i = 0; i < s->modules->module_count; i++)
        any |= s->modules->module[i].module->class_open != NULL;
    if (!any)
        return;
    s->windows = gs_arena_alloc(s->arena, 1, sizeof(*s->windows));
    s->windows->by_host = gs_arena_alloc(s->arena, s->topo->node_count,
                                         sizeof(bool));
    s->windows->by_module = gs_arena_alloc(s->arena, s->topo->class_count,
                                           sizeof(bool));
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        s->windows->by_host[n] = topo_cluster_is_cordoned(s->cluster, n);
}

void gsched_node_changed(struct gsched *s, uint32_t node, int64_t milli)
{
    s->nodes_change = true;
    s->allocations
        ->allocation_changes++; /* preemptions that failed are tried again */
    gsched_reservations_node_changed(s, node, milli);
}

void gsched_node_freed(struct gsched *s, uint32_t node)
{
    s->allocations->releases++;
    gsched_freed_add(s, node);
}

/* Close the node, or open it, where it is not so yet. */
static void node_set(struct gsched *s, uint32_t node, bool is_closed)
{
    if (topo_cluster_is_cordoned(s->cluster, node) == is_closed)
        return;
    if (is_closed) {
        topo_cluster_cordon(s->cluster, node);
    } else {
        topo_cluster_uncordon(s->cluster, node);
        gsched_node_freed(s, node);
    }
    gsched_node_changed(s, node, 0);
}

void gsched_node_close(struct gsched *s, uint32_t node)
{
    if (s->windows)
        s->windows->by_host[node] = true;
    node_set(s, node, true);
}

void gsched_node_open(struct gsched *s, uint32_t node)
{
    bool is_closed = false;

    if (s->windows) {
        s->windows->by_host[node] = false;
        is_closed = s->windows->by_module[s->topo->node_class[node]];
    }
    node_set(s, node, is_closed);
}

/* True when a module keeps nodes of the class closed. */
static bool class_is_closed(struct gsched *s, uint32_t klass)
{
    bool is_closed = false;

    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        int64_t until = GSCHED_NEVER;

        if (!m->module->class_open)
            continue;
        is_closed |= !m->module->class_open(m->self, klass, &until);
        assert(until > s->now);
        s->windows->next = until < s->windows->next ? until : s->windows->next;
    }
    return is_closed;
}

void gsched_windows_follow(struct gsched *s)
{
    struct gsched_windows *w = s->windows;

    if (!w || s->now < w->next)
        return;
    w->next = GSCHED_NEVER;
    for (uint32_t k = 0; k < s->topo->class_count; k++)
        w->by_module[k] = class_is_closed(s, k);
    for (uint32_t n = 0; n < s->topo->node_count; n++)
        node_set(s, n, w->by_host[n] || w->by_module[s->topo->node_class[n]]);
}

int64_t gsched_windows_next(const struct gsched *s)
{
    return s->windows ? s->windows->next : GSCHED_NEVER;
}

/* Reservations that began or ended let jobs start that could not before. */
void gsched_booked_follow(struct gsched *s)
{
    if (!s->booked || gsched_booked_next(s, s->booked_seen) > s->now)
        return;
    s->booked_seen = s->now;
    if (s->plan)
        s->plan->has_gap = true;
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        gsched_node_freed(s, n);
        gsched_node_changed(s, n, 0);
    }
}
