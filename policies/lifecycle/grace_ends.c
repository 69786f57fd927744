/* policies/lifecycle/grace_ends.c - see grace_ends.h. */
#include "policies/lifecycle/grace_ends.h"

#include <assert.h>

#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/node_windows.h"
#include "policies/reservation/reservation.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/quota_holds.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"

/* Reservations see that the job ends with its grace time. */
static void estimate_shorten(struct gsched *s, uint32_t job)
{
    struct job_state *j = gsched_job(s, job);
    const int64_t us = gsched_estimate_leaving(s, job, j->estimate);

    if (us == j->estimate || j->phase != JOB_RUNNING)
        return;
    gsched_reservations_ended(s, job);
    j->estimate = us;
    gsched_reservations_started(s, job);
    s->early.is_early |= gsched_reservations_stand(s);
}

void gsched_grace_begin(struct gsched *s, uint32_t claim, uint32_t job,
                        uint32_t allocation, int64_t grace,
                        const struct gsched_decision *why)
{
    const struct allocation *a = gsched_allocation_at(s, allocation);
    struct gsched_decision d = *why;

    assert(grace > 0);
    d.kind = GSCHED_WARN;
    d.job = job;
    d.leaves_at = gsched_later(s->now, grace);
    s->nodes_change = true; /* what is free is not free for all */
    gsched_leaver_add(s, claim, allocation, d.leaves_at, &d);
    if (a) {
        d.group = a->group;
        d.first_task = a->first_task;
        d.grant = a->grant;
        d.placed_at = a->placed_at;
    } else {
        estimate_shorten(s, job);
    }
    gsched_decide(s, &d);
}

/* Evict a victim: the tasks alone, if its job can still spare them. */
static void leaver_evict(struct gsched *s, const struct leaver *l)
{
    struct gsched_decision why = l->why;

    why.leaves_at = 0;
    if (l->allocation != NONE) {
        gsched_leaver_left(s, l->allocation);
        if (gsched_may_go_alone(s, l->allocation, 0, 0)) {
            gsched_release_allocation(s, l->allocation, &why);
            return;
        }
    }
    gsched_return(s, why.job, gsched_since_again(s, why.job), &why);
}

/* Victims of action admit whose last tasks ended wait anew. */
static void spent_return(struct gsched *s)
{
    struct gsched_grace *g = s->grace;

    for (uint32_t i = 0; i < g->spent_count; i++) {
        struct gsched_decision why = g->spent[i];
        const struct job_state *j = gsched_job(s, why.job);

        why.leaves_at = 0;
        if (j->phase == JOB_RUNNING && j->placed == 0
            && !gsched_quota_holds(s, why.job))
            gsched_return(s, why.job, gsched_since_again(s, why.job), &why);
    }
    g->spent_count = 0;
}

void gsched_grace_end(struct gsched *s)
{
    uint32_t i;

    if (!s->grace)
        return;
    spent_return(s);
    while ((i = gsched_grace_over(s)) != NONE) {
        const struct leaver l = s->grace->leaver[i];

        leaver_evict(s, &l);
        s->early.has_evicted = true;
    }
}

void gsched_grace_follow(struct gsched *s)
{
    struct gsched_grace *g = s->grace;

    if (!g)
        return;
    gsched_claims_lapse(s);
    if (s->plan && g->reopened.count)
        s->plan->has_gap = true;
    while (g->reopened.count) {
        const uint32_t node = g->reopened.at[--g->reopened.count];

        gsched_node_freed(s, node);
        gsched_node_changed(s, node, 0);
    }
}
