/* policies/lifecycle/allocations.c - allocations of jobs, and partially
 * allocated jobs.
 *
 * A job that holds fewer tasks than its gang is partially allocated.  It is
 * listed, and has a deadline (deadlines.h) when a module limits how long it may
 * hold.
 */
#include "policies/lifecycle/allocations.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/lifecycle/admission.h"
#include "policies/lifecycle/deadlines.h"
#include "policies/pending/back_off.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/pending/refusals.h"
#include "policies/reservation/reservation.h"
#include "policies/state/check.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"
#include "policies/state/usage.h"

static void partial_add(struct gsched *s, uint32_t job)
{
    struct job_state *j = gsched_job(s, job);

    assert(j->partial_at == NONE && j->phase != JOB_RUNNING);
    assert(j->placed > 0 && j->placed < s->work->job[job].gang);
    j->phase = JOB_PARTIAL;
    j->allocated_since = s->now;
    j->partial_at = gs_numbers_add(&s->allocations->partial, job);
    gsched_deadline_add(s, job);
}

static void partial_drop(struct gsched *s, uint32_t job)
{
    const uint32_t i = gsched_job(s, job)->partial_at;

    assert(s->allocations->partial.at[i] == job);
    gsched_job(s, gs_numbers_take(&s->allocations->partial, i))->partial_at = i;
    gsched_job(s, job)->partial_at = NONE;
    gsched_deadline_drop(s, job);
}

/* The latest time at which any of its tasks was placed. */
static int64_t last_placed(const struct gsched *s, uint32_t job)
{
    const uint32_t first = gsched_job(s, job)->first_allocation;
    int64_t last = INT64_MIN;

    for (const struct allocation *a = gsched_allocation_at(s, first); a;
         a = gsched_allocation_at(s, a->next))
        last = a->placed_at > last ? a->placed_at : last;
    return last;
}

/* GPU thousandths of the tasks. */
static int64_t milli_of(const struct gsched *s, uint32_t job, uint32_t group,
                        uint32_t tasks)
{
    return gsched_request(s, job, group)->amount[TOPO_GPU] * tasks;
}

static void run(struct gsched *s, uint32_t job, int64_t since)
{
    struct job_state *j = gsched_job(s, job);

    assert(s->jobs->waiting > 0);
    assert(j->placed >= s->work->job[job].gang);
    assert(j->first_allocation != NONE && j->created >= j->placed);
    if (j->phase == JOB_PARTIAL)
        partial_drop(s, job);
    j->phase = JOB_RUNNING;
    gsched_deadline_follow(s, job);
    j->allocated_since = since == s->now ? since : last_placed(s, job);
    s->jobs->waiting--;
    gsched_quota_ready(s, job);
    gsched_wait_end(s, job);
    gsched_running_drop(s, job);
    gsched_running_add(s, job);
    gsched_reservations_started(s, job);
}

void gsched_allocation_add(struct gsched *s, uint32_t job, uint32_t group,
                           uint32_t first_task, const struct topo_grant *g,
                           int64_t since)
{
    const struct trace_job *spec = &s->work->job[job];
    struct job_state *j = gsched_job(s, job);

    assert(group < spec->group_count && g->tasks > 0);
    assert(j->phase == JOB_WAITING || j->phase == JOB_PARTIAL
           || j->phase == JOB_RUNNING);
    assert(g->node < s->topo->node_count && since <= s->now);
    if (gsched_has_claims(s))
        gsched_claims_met(s, job, group, g->tasks);
    if (j->phase == JOB_RUNNING)
        gsched_reservations_grew(s, job, group, g);
    else
        gsched_usage_admitted(s, job, -1);
    gsched_allocation_link(s, &(struct allocation){ .group = group,
                                                    .first_task = first_task,
                                                    .grant = *g,
                                                    .placed_at = since,
                                                    .job = job });
    j->placed += g->tasks;
    j->placed_in = (uint32_t)s->cycle;
    s->jobs->group_placed[spec->first_group + group] += g->tasks;
    assert(j->placed <= j->created); /* only created tasks are placed */
    assert(s->jobs->group_placed[spec->first_group + group]
           <= gsched_group(s, job, group)->replicas);
    if (gsched_has_kept(s))
        gsched_kept_met(s, job, group, g->node,
                        gsched_group_missing(s, job, group));
    gsched_usage_allocated(s, job, group, g->tasks, 1);
    gsched_wait_holds(s, job, milli_of(s, job, group, g->tasks));
    if (j->phase == JOB_RUNNING) {
        gsched_deadline_follow(s, job);
        gsched_quota_ready(s, job);
        gsched_pending_moved(s, job);
        return;
    }
    if (j->placed >= spec->gang) {
        run(s, job, since);
        return;
    }
    gsched_usage_admitted(s, job, 1);
    if (j->phase != JOB_PARTIAL) {
        partial_add(s, job);
        gsched_running_add(s, job);
    }
    gsched_pending_moved(s, job);
}

static void add_other(struct gs_numbers *l, uint32_t number)
{
    if (l->count == 0 || l->at[l->count - 1] != number)
        (void)gs_numbers_add(l, number);
}

void gsched_freed_add(struct gsched *s, uint32_t node)
{
    assert(node < s->topo->node_count);
    add_other(&s->allocations->freed, topo_cluster_group_of(s->cluster, node));
    if (s->labels->has_rules)
        add_other(&s->allocations->freed_nodes, node);
}

/* --- giving back ---------------------------------------------------------- */

/* Release an allocation of the job. */
static void allocation_release(struct gsched *s, uint32_t job, uint32_t i,
                               const struct gsched_decision *evicted)
{
    const struct trace_job *spec = &s->work->job[job];
    struct job_state *j = gsched_job(s, job);
    const struct allocation sp = s->allocations->allocation[i];

    assert(sp.job == job && sp.grant.tasks > 0 && !sp.is_evicted);
    assert(j->placed >= sp.grant.tasks);
    assert(s->jobs->group_placed[spec->first_group + sp.group]
           >= sp.grant.tasks);
    if (sp.leaver)
        gsched_leaver_left(s, i);
    topo_cluster_release(s->cluster,
                         &s->work->shape[gsched_group(s, job, sp.group)->shape],
                         &sp.grant);
    s->allocations->releases++;
    gsched_freed_add(s, sp.grant.node);
    gsched_tell(s, job, sp.group, sp.grant.node, sp.grant.tasks, TOLD_RELEASED);
    gsched_allocation_drop(s, i);
    j->placed -= sp.grant.tasks;
    s->jobs->group_placed[spec->first_group + sp.group] -= sp.grant.tasks;
    gsched_usage_allocated(s, job, sp.group, sp.grant.tasks, -1);
    gsched_wait_holds(s, job, -milli_of(s, job, sp.group, sp.grant.tasks));
    if (evicted) {
        struct gsched_decision d = *evicted;

        d.job = job;
        d.group = sp.group;
        d.first_task = sp.first_task;
        d.grant = sp.grant;
        d.placed_at = sp.placed_at;
        gsched_decide(s, &d);
    }
}

bool gsched_may_go_alone(const struct gsched *s, uint32_t i, uint32_t of_job,
                         uint32_t of_group)
{
    const struct allocation *sp = &s->allocations->allocation[i];
    const struct trace_job *j = &s->work->job[sp->job];
    const struct trace_group *g = gsched_group(s, sp->job, sp->group);

    if (g->fixed)
        return false;
    gsched_leaving_count(s, sp->job, sp->group, &of_job, &of_group);
    return gsched_job(s, sp->job)->phase == JOB_PARTIAL
           || (s->jobs->group_placed[j->first_group + sp->group]
                   >= g->min + sp->grant.tasks + of_group
               && gsched_job(s, sp->job)->placed
                      >= j->gang + sp->grant.tasks + of_job);
}

bool gsched_is_fixed(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    assert(job < s->jobs->job_count);
    for (uint32_t g = 0; g < j->group_count; g++) {
        if (gsched_group(s, job, g)->fixed
            && s->jobs->group_placed[j->first_group + g])
            return true;
    }
    return j->fixed;
}

/* Tasks of a running job were released: queue them again as waiting from now
 * on, unless others of the job wait already.
 */
static void requeue_part(struct gsched *s, uint32_t job)
{
    if (gsched_requeues_last(s->profile)
        && gsched_job(s, job)->placed >= gsched_job(s, job)->created)
        gsched_job(s, job)->since = s->now;
}

/* The job runs on with fewer tasks. */
static void go_on(struct gsched *s, uint32_t job)
{
    gsched_reservations_started(s, job);
    gsched_pending_moved(s, job);
    gsched_pending_add(s, job);
}

/* A job without its gang keeps its other allocations. */
static void partial_release(struct gsched *s, uint32_t job, uint32_t i,
                            const struct gsched_decision *why)
{
    gsched_usage_admitted(s, job, -1);
    allocation_release(s, job, i, why);
    gsched_usage_admitted(s, job, 1);
    gsched_pending_moved(s, job);
    gsched_pending_add(s, job);
}

void gsched_release_allocation(struct gsched *s, uint32_t i,
                               const struct gsched_decision *evicted)
{
    const uint32_t job = s->allocations->allocation[i].job;
    const uint32_t tasks = s->allocations->allocation[i].grant.tasks;
    struct job_state *j = gsched_job(s, job);
    struct gsched_decision why = *evicted;

    assert(evicted && gsched_may_go_alone(s, i, 0, 0));
    gsched_refusals_evict(s);
    why.kind = GSCHED_SHRINK;
    if (j->phase == JOB_PARTIAL && j->placed == tasks) {
        gsched_wait_again(s, job, j->since, &why);
        return;
    }
    j->has_gaps = true;
    if (j->phase == JOB_PARTIAL) {
        partial_release(s, job, i, &why);
        return;
    }
    requeue_part(s, job);
    gsched_reservations_ended(s, job);
    allocation_release(s, job, i, &why);
    go_on(s, job);
}

/* Renumber the later tasks of the group, from now on. */
static void move_up(struct gsched *s, const struct allocation *gone)
{
    const uint32_t first = gsched_job(s, gone->job)->first_allocation;

    for (struct allocation *a = gsched_allocation_at(s, first); a;
         a = gsched_allocation_at(s, a->next)) {
        if (a->group != gone->group || a->first_task <= gone->first_task)
            continue;
        a->first_task -= gone->grant.tasks;
        if (!s->work->job[gone->job].aside->completions)
            a->placed_at = s->now;
    }
}

void gsched_release_on(struct gsched *s, uint32_t job, uint32_t node,
                       uint64_t devices)
{
    uint32_t next;

    assert(gsched_job(s, job)->phase == JOB_RUNNING);
    assert(gsched_can_spare(s, job, node, devices));
    requeue_part(s, job);
    gsched_reservations_ended(s, job);
    for (uint32_t i = gsched_job(s, job)->first_allocation; i != NONE;
         i = next) {
        const struct allocation sp = s->allocations->allocation[i];

        next = sp.next;
        if (!gsched_stands_on(&sp.grant, node, devices))
            continue;
        allocation_release(s, job, i, NULL);
        move_up(s, &sp);
    }
    go_on(s, job);
}

void gsched_release_part(struct gsched *s, uint32_t job, uint32_t i,
                         bool moves_up)
{
    const struct allocation sp = s->allocations->allocation[i];

    assert(sp.job == job && gsched_job(s, job)->phase == JOB_RUNNING);
    gsched_reservations_ended(s, job);
    allocation_release(s, job, i, NULL);
    if (moves_up)
        move_up(s, &sp);
    else
        gsched_job(s, job)->has_gaps = true;
    go_on(s, job);
}

void gsched_release_all(struct gsched *s, uint32_t job,
                        const struct gsched_decision *evicted)
{
    const uint8_t phase = gsched_job(s, job)->phase;

    assert(phase != JOB_OVER && phase != JOB_UNKNOWN);
    if (phase == JOB_RUNNING) {
        gsched_reservations_ended(s, job);
    } else if (phase == JOB_WAITING || phase == JOB_PARTIAL) {
        gsched_usage_admitted(s, job, -1);
    }
    gsched_running_drop(s, job);
    if (gsched_has_claims(s))
        gsched_claims_close(s, job);
    if (gsched_has_kept(s))
        gsched_kept_close(s, job);
    while (gsched_job(s, job)->first_allocation != NONE)
        allocation_release(s, job, gsched_job(s, job)->first_allocation,
                           evicted);
    assert(gsched_job(s, job)->placed == 0 && !gsched_job(s, job)->is_listed);
    gsched_job(s, job)->has_gaps = false;
    if (phase == JOB_PARTIAL)
        partial_drop(s, job);
    else
        gsched_deadline_drop(s, job);
}

int64_t gsched_since_again(const struct gsched *s, uint32_t job)
{
    assert(job < s->jobs->job_count);
    return gsched_requeues_last(s->profile) ? s->now
                                            : gsched_job(s, job)->submitted;
}

void gsched_wait_again(struct gsched *s, uint32_t job, int64_t since,
                       const struct gsched_decision *evicted)
{
    const int64_t estimate = gsched_estimate_before(s, job);

    assert(since <= s->now);
    assert(gsched_job(s, job)->phase == JOB_RUNNING
           || gsched_job(s, job)->phase == JOB_PARTIAL);
    s->jobs->waiting += gsched_job(s, job)->phase == JOB_RUNNING;
    gsched_pending_drop(s, job);
    gsched_release_all(s, job, evicted);
    gsched_job(s, job)->estimate = estimate;
    gsched_job(s, job)->since = since;
    gsched_wait_resume(s, job, GSCHED_LATENCY);
    if (gsched_job(s, job)->never_fits) { /* to be rejected */
        gsched_job(s, job)->phase = JOB_SUBMITTED;
        gsched_submitted_add(s, job);
        return;
    }
    if (s->quotas && !gsched_quota_holds(s, job)) { /* to be admitted */
        gsched_job(s, job)->phase = JOB_SUBMITTED;
    } else {
        gsched_job(s, job)->phase = JOB_WAITING;
        gsched_usage_admitted(s, job, 1);
        gsched_quota_lost(s, job);
    }
    gsched_pending_add(s, job);
}

void gsched_return(struct gsched *s, uint32_t job, int64_t since,
                   const struct gsched_decision *why)
{
    struct gsched_decision back = *why;

    assert(why);
    gsched_refusals_evict(s);
    back.kind = GSCHED_EVICT;
    if (why->reason != GSCHED_TIMEOUT && why->reason != GSCHED_RELOCATED)
        gsched_back_off(s, job);
    gsched_wait_again(s, job, since, &back);
    back.kind = GSCHED_RETURN;
    back.job = job;
    gsched_decide(s, &back);
}

void gsched_put_back(struct gsched *s, uint32_t job, int64_t since,
                     const struct gsched_decision *why)
{
    struct job_state *j = gsched_job(s, job);

    gsched_quota_drop(s, job);
    if (j->placed) {
        gsched_return(s, job, since, why);
        return;
    }
    assert(j->phase == JOB_WAITING); /* it holds no node */
    gsched_pending_drop(s, job);
    gsched_usage_admitted(s, job, -1);
    j->phase = JOB_SUBMITTED;
    j->since = since;
    gsched_wait_for(s, job, GSCHED_LATENCY);
    gsched_pending_add(s, job);
}

void gsched_allocations_open(struct gsched *s)
{
    s->allocations = gs_arena_alloc(s->arena, 1, sizeof(*s->allocations));
    s->allocations->free_allocation = NONE;
}

void gsched_allocations_free(struct gsched *s)
{
    struct gsched_allocations *a = s->allocations;

    gs_array_free(a->allocation);
    gs_array_free(a->partial.at);
    gs_array_free(a->deadline);
    gs_array_free(a->freed.at);
    gs_array_free(a->freed_nodes.at);
}
