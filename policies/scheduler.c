/* policies/scheduler.c - the public functions: events, the cycle, queries. */
#include "policies/scheduler.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/actions/actions.h"
#include "policies/actions/keep_nodes.h"
#include "policies/actions/passes.h"
#include "policies/actions/queue_depth.h"
#include "policies/lifecycle/admission.h"
#include "policies/lifecycle/allocations.h"
#include "policies/lifecycle/deadlines.h"
#include "policies/lifecycle/grace_ends.h"
#include "policies/lifecycle/label_naming.h"
#include "policies/lifecycle/node_windows.h"
#include "policies/pending/back_off.h"
#include "policies/pending/cause_follow.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/pending/roused.h"
#include "policies/pending/ruled_turns.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/reservation/reservation.h"
#include "policies/solver/solver.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/check.h"
#include "policies/state/fragmentation.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/limit_sets.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_properties.h"
#include "policies/state/quota_holds.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"
#include "policies/state/usage.h"

/* --- asking --------------------------------------------------------------- */

uint32_t gsched_placed(const struct gsched *s, uint32_t job)
{
    return s && job < s->jobs->job_count ? gsched_job(s, job)->placed : 0;
}

int64_t gsched_expected_end(const struct gsched *s, uint32_t job)
{
    return s && job < s->jobs->job_count
                   && gsched_job(s, job)->phase == JOB_RUNNING
               ? gsched_estimated_end(s, job)
               : GSCHED_NEVER;
}

const struct topo_cluster *gsched_cluster(const struct gsched *s)
{
    return s ? s->cluster : NULL;
}

uint32_t gsched_waiting(const struct gsched *s)
{
    return s ? s->jobs->waiting : 0;
}

bool gsched_could_place(struct gsched *s, uint32_t shape)
{
    return s && shape < s->work->shape_count
           && gsched_shape_has_room(s, shape, 1);
}

bool gsched_wants_whole_gangs(const struct gsched *s)
{
    return s && gsched_modules_promise(s, GSP_WHOLE_GANGS);
}

/* May a job start because the order changed, and nothing else? */
static bool order_decides(const struct gsched *s)
{
    return s->modules->reorders
           && (s->modules->keeps_order || s->profile->head_blocks
               || (s->quotas && s->quotas->has_strict));
}

static int64_t earliest(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t gsched_next_wake(const struct gsched *s)
{
    int64_t reserved, wake;

    if (!s)
        return GSCHED_NEVER;
    reserved = s->plan     ? gsched_plan_next(s)
               : s->passes ? gsched_passes_next(s)
                           : gsched_shadow_next(s);
    wake = earliest(reserved, s->early.min_runtime_at);
    wake = earliest(wake, s->early.admits_at);
    if (s->jobs->waiting) {
        wake = earliest(wake, gsched_limits_next(s));
        wake = earliest(wake, gsched_booked_next(s, s->now));
    }
    wake = earliest(wake, gsched_back_off_next(s));
    wake = earliest(wake, gsched_grace_next(s));
    wake = earliest(wake, gsched_keep_next(s));
    wake = earliest(wake, gsched_nodes_free_next(s));
    wake = earliest(wake, gsched_quotas_next(s));
    if (s->jobs->waiting > 1 && order_decides(s)) {
        const int64_t at = gsched_modules_reorder_at(s);

        wake = earliest(wake, at > s->now ? at : s->now);
    }
    if (s->allocations->linked)
        wake = earliest(wake, gsched_moves_next(s));
    if (s->jobs->waiting || (s->moves && s->allocations->linked))
        wake = earliest(wake, gsched_windows_next(s));
    wake = earliest(wake, gsched_depths_next(s));
    if (s->early.is_early || s->is_cut)
        return s->now;
    return earliest(wake, gsched_deadline_next(s));
}

/* --- events --------------------------------------------------------------- */

/* Below 0: it was there before time began. */
static int64_t submitted_at(const struct trace_job *j, int64_t now)
{
    return j->aside->dependency_count ? now
           : j->aside->queued_since   ? j->aside->queued_since
                                      : j->submit;
}

int gsched_submit(struct gsched *s, uint32_t job, uint32_t created, int64_t now)
{
    struct job_state *j;
    uint32_t limit_set;

    if (gsched_check_now(s, now) < 0 || gsched_check_new(s, job, created) < 0)
        return -1;
    s->now = now;
    gsched_jobs_grow(s);
    j = gsched_job_begin(s, job);
    j->submitted = submitted_at(&s->work->job[job], now);
    j->since = j->submitted < 0 ? j->submitted : now;
    j->estimate = trace_rounds_time(s->work->job[job].estimate,
                                    trace_job_rounds(&s->work->job[job]));
    j->created = created;
    limit_set = gsched_limits_set(s, job);
    if (limit_set || job < s->jobs->aside_cap)
        *gsched_job_aside_put(
            s, job) = (struct job_aside){ .limit_set = limit_set };
    j->phase = JOB_SUBMITTED;
    gsched_classes_find(s, job);
    if (s->work->job[job].group_count > 1)
        gsched_gang_divide(s, job);
    gsched_rules_submit(s, job);
    s->jobs->waiting++;
    gsched_wait_begin(s, job, GSCHED_LATENCY);
    gsched_usage_requested(s, job, 0, created, 1);
    gsched_submitted_add(s, job);
    return 0;
}

int gsched_tasks_created(struct gsched *s, uint32_t job, uint32_t created,
                         int64_t now)
{
    struct job_state *j;

    if (gsched_check_now(s, now) < 0 || gsched_check_live(s, job) < 0)
        return -1;
    j = gsched_job(s, job);
    if (created <= j->created || created > s->work->job[job].tasks)
        return gsched_refuse(s, created > j->created
                                    ? "more tasks are created than the job has"
                                    : "no more tasks are created than before");
    s->now = now;
    gsched_usage_requested(s, job, j->created, created, 1);
    j->created = created;
    if (j->phase != JOB_SUBMITTED)
        gsched_pending_add(s, job);
    return 0;
}

int gsched_end(struct gsched *s, uint32_t job, int64_t now)
{
    uint8_t phase;

    if (gsched_check_now(s, now) < 0 || gsched_check_live(s, job) < 0)
        return -1;
    phase = gsched_job(s, job)->phase;
    s->now = now;
    if (phase == JOB_SUBMITTED)
        gsched_submitted_drop(s, job);
    gsched_pending_drop(s, job);
    gsched_release_all(s, job, NULL);
    gsched_quota_end(s, job);
    if (phase == JOB_WAITING || phase == JOB_PARTIAL || phase == JOB_SUBMITTED)
        s->jobs->waiting--;
    gsched_wait_close(s, job);
    gsched_usage_requested(s, job, 0, gsched_job(s, job)->created, -1);
    gsched_job(s, job)->phase = JOB_OVER;
    return 0;
}

int gsched_forget(struct gsched *s, uint32_t job)
{
    struct job_state *j;

    if (!s)
        return -1;
    if (job >= s->jobs->job_count
        || (gsched_job(s, job)->phase != JOB_OVER
            && (gsched_job(s, job)->phase != JOB_ELSEWHERE
                || gsched_job(s, job)->placed)))
        return gsched_refuse(s, "only a job that is over is forgotten");
    gsched_waits_free(s);
    j = gsched_job(s, job);
    assert(j->first_allocation == NONE && j->wait == NONE && !j->is_listed);
    assert(j->placed == 0 && j->end_at == NONE && j->partial_at == NONE);
    if (j->is_sample)
        return 1;
    gsched_rules_forget(s, job);
    gsched_job_forget(s, job);
    return 0;
}

int gsched_adopt(struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t first_task, const struct topo_grant *g, int64_t since,
                 int64_t now)
{
    const struct trace_job *j;

    if (gsched_check_now(s, now) < 0
        || gsched_check_adopt(s, job, group, first_task, g) < 0)
        return -1;
    if (since <= -GSCHED_LAST || since > now)
        return gsched_refuse(s, "the job runs since a time to come, or one too"
                                " early");
    j = &s->work->job[job];
    s->now = now;
    if (gsched_job(s, job)->phase == JOB_SUBMITTED) {
        gsched_submitted_drop(s, job);
        gsched_pending_drop(s, job);
        gsched_job(s, job)->phase = JOB_WAITING;
        gsched_job(s, job)->never_fits = gsched_unfit(s, job)
                                         != GSCHED_NO_CAUSE;
        gsched_usage_admitted(s, job, 1);
    }
    topo_cluster_take(
        s->cluster,
        &s->work->shape[trace_group_at(s->work, j->first_group + group)->shape],
        g);
    s->adopts_since = since;
    gsched_tell(s, job, group, g->node, g->tasks, TOLD_PLACED);
    s->adopts_since = GSCHED_NEVER;
    gsched_quota_adopt(s, job, group, g->node, since);
    gsched_pending_drop(s, job);
    gsched_job(s, job)->has_gaps |=
        first_task != s->jobs->group_placed[j->first_group + group];
    gsched_allocation_add(s, job, group, first_task, g, since);
    gsched_pending_add(s, job);
    return 0;
}

bool gsched_is_over(const struct gsched *s, uint32_t job)
{
    return s && job < s->jobs->job_count
           && gsched_job(s, job)->phase == JOB_OVER;
}

int gsched_estimate(struct gsched *s, uint32_t job, int64_t us)
{
    struct job_state *j;

    if (gsched_check_live(s, job) < 0)
        return -1;
    if (us < 0)
        return gsched_refuse(s, "an estimate is below 0");
    j = gsched_job(s, job);
    if (j->phase == JOB_RUNNING) {
        const int64_t past = s->now - j->allocated_since;
        int64_t all = us < GSCHED_NEVER - past ? us + past : GSCHED_NEVER;

        assert(past >= 0);
        all = gsched_estimate_leaving(s, job, all);
        if (all == j->estimate)
            return 0;
        gsched_reservations_ended(s, job); /* it is indexed there by its end */
        j->estimate = all;
        gsched_reservations_started(s, job);
        /* others may start before the blocked jobs now */
        s->early.is_early |= gsched_reservations_stand(s);
        return 0;
    }
    if (s->modules->is_planned)
        gsched_plan_forget(s, job);
    j->estimate = us;
    gsched_pending_moved(s, job);
    return 0;
}

/* --- a cycle -------------------------------------------------------------- */

/* Evict jobs whose deadline has passed; those of style hard are over. */
static void expire(struct gsched *s)
{
    const struct gsched_decision timeout = { .reason = GSCHED_TIMEOUT,
                                             .by = NONE };

    for (uint32_t job; (job = gsched_deadline_passed(s)) != NONE;) {
        gsched_return(s, job, s->now, &timeout);
        gsched_job(s, job)->gave_back = true;
        if (s->work->job[job].aside->fails_late)
            gsched_give_up(s, job, GSCHED_FAILED_LATE);
    }
}

/* Sweep state groups without nodes; groups in `freed` are identified by number.
 */
static void forget(struct gsched *s)
{
    const uint32_t *map = s->allocations->freed.count == 0
                              ? topo_cluster_sweep(s->cluster)
                              : NULL;

    if (!map)
        return;
    gsched_shapes_remap(s, map);
    gsched_fragment_forget(s);
}

static void (*const actions[GSCHED_ACTIONS])(struct gsched *s) = {
    [GSCHED_ENQUEUE] = gsched_enqueue,
    [GSCHED_ALLOCATE] = gsched_allocate,
    [GSCHED_BACKFILL] = gsched_backfill,
    [GSCHED_PREEMPT] = gsched_preempt,
    [GSCHED_RECLAIM] = gsched_reclaim,
    [GSCHED_SHUFFLE] = gsched_shuffle,
    [GSCHED_GANG_PREEMPT] = gsched_gang_preempt,
    [GSCHED_GANG_RECLAIM] = gsched_gang_reclaim,
    [GSCHED_CONSOLIDATE] = gsched_consolidate,
    [GSCHED_ADMIT] = gsched_admit,
};

/* A job may evict a less important one, which may in turn evict another, all at
 * one instant: at most once for each priority.  Jobs that evict equals wait for
 * the next event.
 */
static void limit_early(struct gsched *s)
{
    s->early.early_count = s->early.early_at == s->now
                               ? s->early.early_count + 1
                               : 1;
    s->early.early_at = s->now;
    s->early.is_over = s->early.early_count > s->running->place_count + 2;
    s->early.is_early &= !s->early.is_over;
}

int gsched_limit_decisions(struct gsched *s, uint32_t most)
{
    if (!s)
        return -1;
    if (most == 0)
        return gsched_refuse(s, "a cycle may decide nothing");
    s->decision_limit = most;
    return 0;
}

int gsched_look(struct gsched *s, int64_t now)
{
    if (gsched_check_now(s, now) < 0)
        return -1;
    s->now = now;
    gsched_waits_free(s);
    gsched_active_rejoin(s);
    gsched_admit_submitted(s);
    gsched_pending_activate(s);
    gsched_ruled_flush(s);
    gsched_roused_end(s);
    gsched_wait_reasons_set(s);
    gsched_causes_follow(s);
    return 0;
}

const struct gsched_decision *gsched_cycle(struct gsched *s, int64_t now,
                                           uint32_t *count)
{
    if (count)
        *count = 0;
    if (gsched_check_now(s, now) < 0)
        return NULL;
    if (!count) {
        (void)gsched_refuse(s, "nowhere to count the decisions");
        return NULL;
    }
    /* Tasks placed in a cycle are not evicted in it, nor in its continuation.
     */
    s->cycle += !(s->is_cut && now == s->now
                  && s->cut_changes == s->allocations->allocation_changes);
    s->now = now;
    s->decision_count = 0;
    s->early.has_evicted = s->early.is_early = false;
    gsched_waits_free(s);
    if (gsched_modules_reorder(s))
        gsched_pending_reorder(s);
    gsched_windows_follow(s);
    gsched_limits_follow(s);
    gsched_booked_follow(s);
    gsched_active_rejoin(s);
    expire(s);
    gsched_grace_end(s);
    gsched_back_off_end(s);
    if (s->early.min_runtime_at <= now) {
        s->early.min_runtime_at = GSCHED_NEVER;
        s->allocations
            ->allocation_changes++; /* preemptions that failed are tried
                                       again */
    }
    gsched_admit_submitted(s);
    gsched_claims_serve(s);
    for (uint32_t i = 0; i < s->profile->action_count && !gsched_is_full(s);
         i++)
        actions[s->profile->action[i]](s);
    if (s->early.has_evicted && !gsched_is_full(s)
        && gsched_has_action(s, GSCHED_ALLOCATE))
        gsched_allocate(s); /* an evicted job may fit elsewhere */
    gsched_roused_end(s);
    gsched_grace_follow(s);
    gsched_causes_follow(s);
    limit_early(s);
    s->early.is_early |= gsched_pending_may_activate(s);
    forget(s);
    s->is_cut = gsched_is_full(s);
    s->cut_changes = s->allocations->allocation_changes;
    *count = s->decision_count;
    return s->decision;
}
