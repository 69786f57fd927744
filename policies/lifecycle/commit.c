/* policies/lifecycle/commit.c - final placement of gangs and single tasks */
#include "policies/lifecycle/commit.h"

#include <assert.h>

#include "policies/lifecycle/allocations.h"
#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"
#include "topology/cluster.h"

/* Ranks follow the order of nodes, which is that of racks and rails, so
 * consecutive tasks are close to each other.
 */
void gsched_order_ranks(struct gsched_decision *d, uint32_t n)
{
    assert(d || n == 0);
    if (n == 0)
        return;
    for (uint32_t i = 1; i < n; i++) {
        const struct gsched_decision it = d[i];
        uint32_t k = i;

        for (; k > 0 && d[k - 1].group == it.group
               && d[k - 1].grant.node > it.grant.node;
             k--)
            d[k] = d[k - 1];
        d[k] = it;
    }
    d[0].first_task = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (d[i].group == d[i - 1].group)
            d[i].first_task = d[i - 1].first_task + d[i - 1].grant.tasks;
        else
            d[i].first_task = 0;
    }
}

void gsched_gang_commit(struct gsched *s, uint32_t job, uint32_t first)
{
    assert(first < s->decision_count);
    if (s->modules->subtree)
        gsched_order_ranks(s->decision + first, s->decision_count - first);
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision d = s->decision[i];

        gsched_allocation_add(s, job, d.group, d.first_task, &d.grant, s->now);
    }
}

bool gsched_place_gang(struct gsched *s, uint32_t job)
{
    const uint32_t first = s->decision_count;
    uint32_t mark;

    if (s->work->job[job].gang > 1 && !s->modules->retry.part
        && !gsched_gang_has_room(s, job))
        return false;
    mark = topo_cluster_begin(s->cluster);
    if (!gsched_gang_place(s, job, NULL)) {
        topo_cluster_rollback(s->cluster, mark);
        return false;
    }
    topo_cluster_commit(s->cluster, mark);
    gsched_gang_commit(s, job, first);
    return true;
}

static bool place_task_in(struct gsched *s, const struct scope *w)
{
    const uint32_t task = gsched_task_next(s, w->job, w->group);
    const uint32_t shape = gsched_group(s, w->job, w->group)->shape;
    struct topo_grant g;
    struct node_fit best;

    assert(task < gsched_group(s, w->job, w->group)->replicas);
    assert(gsched_group_missing(s, w->job, w->group) > 0);
    if (!gsched_shape_best(s, shape, w, &best))
        return false;
    g = gsched_take(s, best.node, &s->work->shape[shape], 1);
    gsched_propose(s, w->job, w->group, task, &g);
    gsched_allocation_add(s, w->job, w->group, task, &g, s->now);
    return true;
}

bool gsched_place_task(struct gsched *s, uint32_t job, uint32_t group)
{
    struct scope w = gsched_scope_all(s, job, group);

    gsched_topology_stay(s, &w);
    return place_task_in(s, &w);
}

bool gsched_place_task_on(struct gsched *s, uint32_t job, uint32_t group,
                          uint32_t node)
{
    struct scope w = gsched_scope_all(s, job, group);

    assert(node < s->topo->node_count);
    gsched_topology_stay(s, &w);
    if (node < w.from || node >= w.end)
        return false;
    w.from = node;
    w.end = node + 1;
    return place_task_in(s, &w);
}

bool gsched_place_entry(struct gsched *s, const struct queue_entry *it)
{
    assert(it->job < s->jobs->job_count);
    return it->group == NONE ? gsched_place_gang(s, it->job)
                             : gsched_place_task(s, it->job, it->group);
}
