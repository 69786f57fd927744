/* policies/solver/moves.c - what moves cost, and carrying them out. */
#include <assert.h>
#include <string.h>

#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/commit.h"
#include "policies/lifecycle/grace_ends.h"
#include "policies/pending/pending.h"
#include "policies/solver/solver.h"
#include "policies/state/grace.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"

/* --- what is lost --------------------------------------------------------- */

/* The work that tasks placed at `since` lose: all of it, or that since the
 * job's last checkpoint.
 */
static int64_t work_lost(const struct gsched *s, uint32_t job, int64_t since)
{
    const struct trace_job *j = &s->work->job[job];
    const int64_t run = s->now - since;

    if (j->aside->resumes || run <= 0)
        return 0;
    return j->aside->checkpoint > 0 ? run % j->aside->checkpoint : run;
}

double gsched_unit_loss(const struct gsched *s, const struct unit *u)
{
    const double restart = (double)s->modules->consolidation.restart;
    const struct allocation *all = s->allocations->allocation;
    const struct trace_job *j = &s->work->job[u->job];
    const bool is_whole = u->allocation == NONE;
    int64_t amount[TOPO_DIMS_MAX];
    double loss = 0;

    if (!is_whole && !j->aside->completions)
        return 0; /* the job runs on */
    for (uint32_t a = is_whole ? gsched_job(s, u->job)->first_allocation
                               : u->allocation;
         a != NONE; a = is_whole ? all[a].next : NONE) {
        const int64_t since = j->aside->completions
                                  ? all[a].placed_at
                                  : gsched_job(s, u->job)->allocated_since;

        gsched_victim_amount(s, u->job, a, amount);
        loss += ((double)work_lost(s, u->job, since) + restart)
                * (double)amount[s->solver->dim];
    }
    return loss;
}

/* --- carrying out --------------------------------------------------------- */

static struct gsched_decision why_of(const struct gsched *s,
                                     const struct unit *u)
{
    const struct gsched_solver *v = s->solver;

    return (struct gsched_decision){
        .reason = u->fate == UNIT_MOVES      ? GSCHED_RELOCATED
                  : v->goal == SOLVE_PREEMPT ? GSCHED_PREEMPTED
                                             : GSCHED_RECLAIMED,
        .by = v->it->job,
    };
}

/* Evict the unit. */
static void unit_evict(struct gsched *s, const struct unit *u)
{
    const struct gsched_solver *v = s->solver;
    struct gsched_decision why = why_of(s, u);

    assert(u->fate != UNIT_STAYS);
    if (u->allocation != NONE) {
        gsched_release_allocation(s, u->allocation, &why);
        return;
    }
    if (u->fate == UNIT_GOES) {
        gsched_return(s, u->job, gsched_since_again(s, u->job), &why);
        /* it may evict others in turn, of lower priority */
        s->early.is_early |= v->goal == SOLVE_PREEMPT
                             && gsched_value_of(s, u->job, NONE)
                                    > s->running->place_value[0];
        return;
    }
    why.kind = GSCHED_EVICT; /* it does not back off */
    gsched_wait_again(s, u->job, gsched_since_again(s, u->job), &why);
    why.kind = GSCHED_RETURN;
    why.job = u->job;
    gsched_decide(s, &why);
}

/* Place tasks of one job and unit, v->place[from, to). */
static void places_commit(struct gsched *s, uint32_t from, uint32_t to)
{
    struct gsched_solver *v = s->solver;
    struct gsched_evict *e = s->evict;
    const uint32_t job = v->place[from].d.job, unit = v->place[from].unit;
    const bool is_gang = unit == NONE ? v->it->group == NONE
                                      : v->unit[unit].allocation == NONE;

    e->proposal_count = to - from;
    e->proposal = gs_array_grow(e->proposal, &e->proposal_cap,
                                e->proposal_count, sizeof(*e->proposal));
    for (uint32_t i = from; i < to; i++)
        e->proposal[i - from] = v->place[i].d;
    if (is_gang && s->modules->subtree)
        gsched_order_ranks(e->proposal, e->proposal_count);
    if (unit != NONE)
        gsched_pending_drop(s, job);
    for (uint32_t i = 0; i < e->proposal_count; i++) {
        const struct gsched_decision *d = &e->proposal[i];
        const uint32_t task = is_gang ? d->first_task
                                      : gsched_task_next(s, job, d->group);

        topo_cluster_take(s->cluster, gsched_request(s, job, d->group),
                          &d->grant);
        gsched_propose(s, job, d->group, task, &d->grant);
        gsched_allocation_add(s, job, d->group, task, &d->grant, s->now);
    }
    if (unit != NONE)
        gsched_pending_add(s, job);
}

/* The claim on all places of the solution, where a victim has a grace time;
 * NONE.
 */
static uint32_t claim_open(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    struct gsched_evict *e = s->evict;
    bool any = false;

    for (uint32_t i = 0; i < v->recorded_count && s->grace && !any; i++)
        any = gsched_grace_of(s, v->unit[v->recorded[i]].job) > 0;
    if (!any)
        return NONE;
    e->proposal_count = v->place_count;
    e->proposal = gs_array_grow(e->proposal, &e->proposal_cap,
                                e->proposal_count, sizeof(*e->proposal));
    for (uint32_t i = 0; i < v->place_count; i++)
        e->proposal[i] = v->place[i].d;
    return gsched_claim_open(s, v->it->job, v->it->group, e->proposal,
                             e->proposal_count);
}

/* Evict the victims, those with a grace time later: then the others wait, too,
 * for their new places.
 */
static void victims_warn(struct gsched *s, uint32_t claim)
{
    const struct gsched_solver *v = s->solver;

    for (uint32_t i = 0; i < v->recorded_count; i++) {
        const struct unit *u = &v->unit[v->recorded[i]];
        const struct gsched_decision why = why_of(s, u);
        const int64_t grace = gsched_grace_of(s, u->job);

        if (grace)
            gsched_grace_begin(s, claim, u->job, u->allocation, grace, &why);
        else
            unit_evict(s, u);
        s->early.has_evicted |= !grace;
    }
}

bool gsched_solution_carry_out(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    const uint32_t claim = claim_open(s);

    if (claim != NONE) {
        victims_warn(s, claim);
        return false;
    }
    for (uint32_t i = 0; i < v->recorded_count; i++) {
        assert(v->unit[v->recorded[i]].is_recorded);
        unit_evict(s, &v->unit[v->recorded[i]]);
    }
    for (uint32_t from = 0, to; from < v->place_count; from = to) {
        to = from + 1;
        while (to < v->place_count && v->place[to].d.job == v->place[from].d.job
               && v->place[to].unit == v->place[from].unit)
            to++;
        places_commit(s, from, to);
    }
    s->early.has_evicted |= v->recorded_count > 0;
    return true;
}
