/* policies/state/transaction.c - tentative decisions, which are committed or
 * undone
 */
#include "policies/state/transaction.h"

#include <assert.h>

#include "base/array.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

void gsched_decide(struct gsched *s, const struct gsched_decision *d)
{
    assert(d->job < s->jobs->job_count);
    s->decision = gs_array_grow(s->decision, &s->decision_cap,
                                s->decision_count + 1, sizeof(*s->decision));
    s->decision[s->decision_count++] = *d;
}

void gsched_propose(struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t first_task, const struct topo_grant *g)
{
    const struct gsched_decision d = { .kind = GSCHED_PLACE,
                                       .job = job,
                                       .group = group,
                                       .first_task = first_task,
                                       .grant = *g,
                                       .placed_at = s->now,
                                       .by = NONE };

    assert(job < s->jobs->job_count && group < s->work->job[job].group_count);
    assert(g->tasks > 0 && g->node < s->topo->node_count);
    assert(first_task + g->tasks <= gsched_group(s, job, group)->replicas);
    gsched_decide(s, &d);
    gsched_tell(s, job, group, g->node, g->tasks, TOLD_PLACED);
}

void gsched_undo(struct gsched *s, uint32_t mark, uint32_t first)
{
    assert(first <= s->decision_count);
    topo_cluster_rollback(s->cluster, mark);
    while (s->decision_count > first) {
        const struct gsched_decision *d = &s->decision[--s->decision_count];

        gsched_tell(s, d->job, d->group, d->grant.node, d->grant.tasks,
                    TOLD_RELEASED);
    }
}

/* The device for a share that the first module with an opinion picks. */
static uint32_t device_pick(struct gsched *s, uint32_t node,
                            const struct topo_request *r)
{
    static const uint8_t room = 1, accepted = GSP_ACCEPTED;
    const uint32_t group = topo_cluster_group_of(s->cluster, node);
    const struct gsp_view v = gsched_view(s, group, 1, &room, &accepted);
    const struct gsp_task *task = (const struct gsp_task *)(const void *)r;
    const uint32_t n = s->topo->klass[*v.klass].gpus;
    uint16_t left[TOPO_DEVICES_MAX];

    topo_node_shares(s->cluster, node, left);
    for (uint32_t i = 0; i < s->modules->module_count; i++) {
        const struct gsched_module *m = &s->modules->module[i];
        uint32_t device = GSP_NONE;

        if (m->module->device)
            device = m->module->device(m->self, &v, task, left, n);
        if (device < n)
            return device;
    }
    return UINT32_MAX;
}

struct topo_grant gsched_take(struct gsched *s, uint32_t node,
                              const struct topo_request *r, uint32_t tasks)
{
    return topo_cluster_allocate(s->cluster, node, r, tasks,
                                 s->modules->picks_devices && r->share
                                     ? device_pick(s, node, r)
                                     : UINT32_MAX);
}
