/* policies/nodes.c - nodes that close and open, GPUs that break, what is lost.
 *
 * The cluster knows which nodes take tasks; what was planned or promised on the
 * others is planned anew, and those that wait are woken when there is more.
 */
#include "base/arena.h"
#include "policies/scheduler_private.h"
#include "topology/cluster.h"

/* The node is another than it was; `milli` more of its GPUs are there. */
static void changed(struct gsched *s, uint32_t node, int64_t milli)
{
    s->nodes_change = true;
    s->holdings++; /* who failed to make room tries again */
    gsched_future_changed(s, node);
    gsched_plan_changed(s, node, milli);
}

/* There is room on the node that was not there. */
static void freed(struct gsched *s, uint32_t node)
{
    s->releases++;
    gsched_freed_add(s, topo_cluster_group_of(s->cluster, node));
}

void gsched_node_closed(struct gsched *s, uint32_t node, int64_t now)
{
    s->now = now;
    if (topo_cluster_is_closed(s->cluster, node))
        return;
    topo_cluster_close(s->cluster, node);
    changed(s, node, 0);
}

void gsched_node_opened(struct gsched *s, uint32_t node, int64_t now)
{
    s->now = now;
    if (!topo_cluster_is_closed(s->cluster, node))
        return;
    topo_cluster_open(s->cluster, node);
    freed(s, node);
    changed(s, node, 0);
}

void gsched_gpu_broken(struct gsched *s, uint32_t node, uint32_t device,
                       int64_t now)
{
    s->now = now;
    if (topo_cluster_broken(s->cluster, node) >> device & 1)
        return;
    topo_cluster_break(s->cluster, node, device);
    changed(s, node, -(int64_t)TOPO_SHARE_ONE);
}

void gsched_gpu_mended(struct gsched *s, uint32_t node, uint32_t device,
                       int64_t now)
{
    s->now = now;
    if (!(topo_cluster_broken(s->cluster, node) >> device & 1))
        return;
    topo_cluster_mend(s->cluster, node, device);
    freed(s, node);
    changed(s, node, TOPO_SHARE_ONE);
}

void gsched_lost(struct gsched *s, uint32_t job, int64_t now)
{
    const uint8_t phase = s->job[job].phase;

    s->now = now;
    if (phase == JOB_RUNNING || phase == JOB_PARTLY)
        gsched_wait_again(s, job, s->work->job[job].submit, NULL);
}

void gsched_follow_nodes(struct gsched *s)
{
    if (s->node_span)
        return;
    s->node_span = gs_arena_alloc(s->arena, s->topo->node_count,
                                  sizeof(*s->node_span));
    for (uint32_t i = 0; i < s->topo->node_count; i++)
        s->node_span[i] = NONE;
}
