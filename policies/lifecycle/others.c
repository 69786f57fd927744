/* policies/lifecycle/others.c - other schedulers of the cluster, and devices
 * that nodes choose.
 *
 * gsched_taken() records tasks of a job that another scheduler serves, from its
 * first task on in phase JOB_ELSEWHERE; gsched_released() removes them.  They
 * take capacity, and rules about other jobs see them.  They are in no queue, no
 * victims, and reservations know no end of them.
 */
#include <assert.h>

#include "policies/lifecycle/admission.h"
#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/label_naming.h"
#include "policies/reservation/reservation.h"
#include "policies/state/budget_counts.h"
#include "policies/state/check.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "topology/cluster.h"

static bool is_elsewhere(const struct gsched *s, uint32_t job)
{
    return job < s->jobs->job_count
           && gsched_job(s, job)->phase == JOB_ELSEWHERE;
}

static int check_taken(struct gsched *s, uint32_t job, uint32_t group,
                       const struct topo_grant *g)
{
    if (!is_elsewhere(s, job) && gsched_check_new(s, job, 0) < 0)
        return -1;
    if (group >= s->work->job[job].group_count)
        return gsched_refuse(s, "the job has no such group");
    if (!g || g->tasks == 0)
        return gsched_refuse(s, "nothing is taken");
    if (gsched_check_node(s, g->node) < 0)
        return -1;
    if (!topo_cluster_could_take(
            s->cluster, &s->work->shape[gsched_group(s, job, group)->shape], g))
        return gsched_refuse(s, "the node has not what is taken, or a job"
                                " holds it");
    return 0;
}

/* Count tasks as held by the job, or no longer (sign -1). */
static void count(struct gsched *s, uint32_t job, uint32_t group,
                  uint32_t tasks, int sign)
{
    const uint32_t by = sign > 0 ? tasks : (uint32_t)0 - tasks;

    gsched_job(s, job)->placed += by;
    s->jobs->group_placed[s->work->job[job].first_group + group] += by;
    gsched_budgets_placed(s, job, group, sign * (int64_t)tasks);
    gsched_budgets_asked(s, job, group, sign * (int64_t)tasks);
    s->allocations->allocation_changes++;
    s->nodes_change = true; /* tasks are no longer only counted */
}

int gsched_taken(struct gsched *s, uint32_t job, uint32_t group,
                 const struct topo_grant *g, int64_t now)
{
    if (gsched_check_now(s, now) < 0 || check_taken(s, job, group, g) < 0)
        return -1;
    s->now = now;
    gsched_jobs_grow(s);
    if (!is_elsewhere(s, job)) {
        gsched_job_begin(s, job)->phase = JOB_ELSEWHERE;
        gsched_rules_submit(s, job);
    }
    topo_cluster_take(s->cluster, gsched_request(s, job, group), g);
    gsched_tell(s, job, group, g->node, g->tasks, TOLD_PLACED);
    gsched_allocation_link(
        s, &(struct allocation){
               .group = group, .grant = *g, .placed_at = now, .job = job });
    count(s, job, group, g->tasks, 1);
    gsched_reservations_others(s, job, group, g, true);
    return 0;
}

int gsched_released(struct gsched *s, uint32_t job, uint32_t group,
                    const struct topo_grant *g, int64_t now)
{
    struct gsched_decision d = { .job = job, .group = group };
    struct topo_grant held;
    uint32_t i;

    if (gsched_check_now(s, now) < 0)
        return -1;
    if (!g || !is_elsewhere(s, job))
        return gsched_refuse(s, "no other scheduler took this");
    d.grant = *g;
    i = gsched_allocation_of(s, &d);
    if (i == NONE)
        return gsched_refuse(s, "no other scheduler took this");
    s->now = now;
    held = s->allocations->allocation[i].grant;
    topo_cluster_release(s->cluster, gsched_request(s, job, group), &held);
    s->allocations->releases++;
    gsched_freed_add(s, held.node);
    gsched_tell(s, job, group, held.node, held.tasks, TOLD_RELEASED);
    gsched_allocation_drop(s, i);
    assert(gsched_job(s, job)->placed >= held.tasks);
    count(s, job, group, held.tasks, -1);
    gsched_reservations_others(s, job, group, &held, false);
    return 0;
}

/* --- devices -------------------------------------------------------------- */

/* Marks the allocation of the decision. */
static int check_chosen(struct gsched *s, const struct gsched_decision *d,
                        const struct topo_grant *g)
{
    uint32_t i;

    if (d->kind != GSCHED_PLACE || g->node != d->grant.node
        || g->tasks != d->grant.tasks)
        return gsched_refuse(s, "only tasks that were placed get other devices"
                                " of their node");
    if (gsched_check_live(s, d->job) < 0)
        return -1;
    i = gsched_allocation_of(s, d);
    if (i == NONE)
        return gsched_refuse(s, "the job does not hold these tasks any more");
    if (s->allocations->allocation[i].is_chosen)
        return gsched_refuse(s, "a decision is named twice");
    s->allocations->allocation[i].is_chosen = true;
    return 0;
}

static void unmark(struct gsched *s, const struct gsched_decision *d,
                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        s->allocations->allocation[gsched_allocation_of(s, &d[i])].is_chosen =
            false;
}

/* Exchange the devices on the cluster: all are given back before any is taken,
 * since tasks may get those of others.
 */
static bool exchange(struct gsched *s, const struct gsched_decision *d,
                     const struct topo_grant *g, uint32_t count)
{
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool can = true;

    for (uint32_t i = 0; i < count; i++)
        topo_cluster_release(
            s->cluster, gsched_request(s, d[i].job, d[i].group), &d[i].grant);
    for (uint32_t i = 0; i < count && can; i++) {
        const struct topo_request *r = gsched_request(s, d[i].job, d[i].group);

        can = topo_cluster_could_take(s->cluster, r, &g[i]);
        if (can)
            topo_cluster_take(s->cluster, r, &g[i]);
    }
    if (can)
        topo_cluster_commit(s->cluster, mark);
    else
        topo_cluster_rollback(s->cluster, mark);
    return can;
}

int gsched_devices_chosen(struct gsched *s, const struct gsched_decision *d,
                          const struct topo_grant *g, uint32_t count,
                          int64_t now)
{
    uint32_t checked = 0;

    if (gsched_check_now(s, now) < 0)
        return -1;
    if ((!d || !g) && count)
        return gsched_refuse(s, "no devices are stated");
    while (checked < count && check_chosen(s, &d[checked], &g[checked]) == 0)
        checked++;
    unmark(s, d, checked);
    if (checked < count)
        return -1;
    if (!exchange(s, d, g, count))
        return gsched_refuse(s, "the node has not these devices, or a job"
                                " holds them");
    s->now = now;
    gsched_reservations_exchanged(s, d, g, count);
    for (uint32_t i = 0; i < count; i++) {
        s->allocations->allocation[gsched_allocation_of(s, &d[i])].grant = g[i];
        s->allocations->releases++;
        gsched_freed_add(s, g[i].node);
    }
    return 0;
}
