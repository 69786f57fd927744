/* policies/preemption/standing.c - see standing.h. */
#include "policies/preemption/standing.h"

#include "base/array.h"
#include "policies/lifecycle/allocations.h"
#include "policies/preemption/preemption.h"
#include "policies/state/grace.h"
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

/* Add `v` to the `count` of `m->victim`, in the order of eviction. */
static void victim_put(struct gsched *s, struct standing *m, uint32_t count,
                       struct victim v)
{
    uint32_t k = count;

    m->victim = gs_array_grow(m->victim, &m->victim_cap, count + 1,
                              sizeof(*m->victim));
    for (; k > 0 && gsched_victim_compare(s, &m->victim[k - 1], &v) > 0; k--)
        m->victim[k] = m->victim[k - 1];
    m->victim[k] = v;
}

static bool is_known(const struct gsched *s, const struct standing *m,
                     bool partial)
{
    return m->cycle == s->cycle
           && m->changes == s->allocations->allocation_changes
           && m->partial == partial && !(s->grace && s->grace->leavers);
}

void gsched_standing_gather(struct gsched *s, struct standing *m, bool partial)
{
    const struct allocation *all = s->allocations->allocation;

    if (is_known(s, m, partial))
        return;
    m->count = 0;
    m->has_new = false;
    for (uint32_t n = 0; n < s->topo->node_count; n++) {
        uint32_t victims = 0;

        for (uint32_t i = s->allocations->node_allocation[n]; i != NONE;
             i = all[i].after) {
            const uint8_t phase = gsched_job(s, all[i].job)->phase;

            if (phase == JOB_RUNNING || (partial && phase == JOB_PARTIAL))
                victim_put(s, m, victims++, victim_of(s, i));
        }
        for (uint32_t i = 0; i < victims; i++)
            placed_add(s, m, m->victim[i].allocation);
    }
    for (uint32_t i = 0; i < m->count; i++)
        m->at[i].job = &m->job[i];
    m->cycle = s->cycle;
    m->changes = s->allocations->allocation_changes;
    m->partial = partial;
}

void gsched_standing_free(struct standing *m)
{
    gs_array_free(m->at);
    gs_array_free(m->job);
    gs_array_free(m->allocation);
    gs_array_free(m->victim);
}
