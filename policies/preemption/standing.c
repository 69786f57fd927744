/* policies/preemption/standing.c - see standing.h. */
#include "policies/preemption/standing.h"

#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/preemption/preemption.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

static void placed_add(struct gsched *s, struct standing *m, uint32_t i)
{
    const struct allocation *a = gsched_allocation_at(s, i);
    const struct job_state *j = gsched_job(s, a->job);
    const bool is_new = j->placed_in == (uint32_t)s->cycle;
    const uint32_t n = m->count++;

    m->has_new |= is_new;
    m->at = gs_array_grow(m->at, &m->at_cap, n + 1, sizeof(*m->at));
    m->job = gs_array_grow(m->job, &m->job_cap, n + 1, sizeof(*m->job));
    m->allocation = gs_array_grow(m->allocation, &m->allocation_cap, n + 1,
                                  sizeof(*m->allocation));
    m->allocation[n] = i;
    m->job[n] = (struct gsp_job){ .s = s, .id = a->job, .group = a->group };
    m->at[n] = (struct gsp_placed){
        .group = a->group,
        .node = a->grant.node,
        .tasks = a->grant.tasks,
        .may_go = !is_new && !a->leaver && !gsched_is_fixed(s, a->job),
    };
}

static struct victim victim_of(const struct gsched *s, uint32_t i)
{
    const uint32_t job = gsched_allocation_at(s, i)->job;

    return (struct victim){ .job = job,
                            .allocation = i,
                            .is_whole = !gsched_may_go_alone(s, i, 0, 0),
                            .value = gsched_victim_value(s, job, i) };
}

/* Sort the tasks from `first` on, of one node, in the order of eviction. */
static void node_sort(struct gsched *s, struct standing *m, uint32_t first)
{
    for (uint32_t i = first + 1; i < m->count; i++) {
        const uint32_t it = m->allocation[i];
        const struct gsp_placed placed = m->at[i];
        const struct gsp_job job = m->job[i];
        const struct victim v = victim_of(s, it);
        uint32_t k = i;

        for (; k > first; k--) {
            const struct victim u = victim_of(s, m->allocation[k - 1]);

            if (gsched_victim_compare(s, &u, &v) <= 0)
                break;
            m->allocation[k] = m->allocation[k - 1];
            m->at[k] = m->at[k - 1];
            m->job[k] = m->job[k - 1];
        }
        m->allocation[k] = it;
        m->at[k] = placed;
        m->job[k] = job;
    }
}

void gsched_standing_gather(struct gsched *s, struct standing *m, bool partial)
{
    const struct allocation *all = s->allocations->allocation;

    m->count = 0;
    m->has_new = false;
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        const uint32_t first = m->count;

        for (uint32_t i = s->allocations->node_allocation[n]; i != NONE;
             i = all[i].after) {
            const uint8_t phase = gsched_job(s, all[i].job)->phase;

            if (phase == JOB_RUNNING || (partial && phase == JOB_PARTIAL))
                placed_add(s, m, i);
        }
        node_sort(s, m, first);
    }
    for (uint32_t i = 0; i < m->count; i++)
        m->at[i].job = &m->job[i];
}

void gsched_standing_free(struct standing *m)
{
    gs_array_free(m->at);
    gs_array_free(m->job);
    gs_array_free(m->allocation);
}
