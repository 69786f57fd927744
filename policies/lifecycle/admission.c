/* policies/lifecycle/admission.c - admission of jobs, and rejection of those
 * that can never run.
 *
 * A submitted job is examined once, at the begin of the next cycle
 * (gsched_admit_submitted): it is rejected, admitted, or queued for admission
 * when modules decide about that; then the action enqueue asks them
 * (gsched_enqueue).
 */
#include "policies/lifecycle/admission.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "base/numbers.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/pending.h"
#include "policies/pending/refusals.h"
#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"
#include "policies/state/transaction.h"
#include "policies/state/usage.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

struct gsched_admission {
    struct gs_numbers
        submitted; /* since the last cycle, in order; NONE: over */
};

/* True when some domain of the level, when empty, has the sum of what the gang
 * asks for.
 */
static bool level_has(const struct gsched *s, uint32_t job, uint32_t level)
{
    const struct topo *t = s->topo;
    int64_t asked[TOPO_DIMS_MAX], here[TOPO_DIMS_MAX] = { 0 };

    gsched_job_minimum(s, job, asked);
    for (uint32_t n = 0; n < t->node_count; n++) {
        const struct topo_class *k = &t->klass[t->node_class[n]];
        bool enough = true;

        if (n > 0
            && (level > t->tier_count
                || topo_domain_of(t, n, level)
                       != topo_domain_of(t, n - 1, level)))
            memset(here, 0, sizeof(here));
        for (uint32_t d = 0; d < t->dims->count; d++) {
            here[d] += k->capacity[d];
            enough = enough && here[d] >= asked[d];
        }
        if (enough)
            return true;
    }
    return false;
}

/* Number of tasks in the gang with the same request as group `g`; with `near`
 * of those groups that share its domain.
 */
static uint32_t alike(const struct gsched *s, uint32_t job, uint32_t g,
                      bool near)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t n = 0;

    for (uint32_t k = 0; k < j->group_count; k++) {
        if (gsched_group(s, job, k)->shape == gsched_group(s, job, g)->shape
            && (!near || trace_groups_join(s->work, j, k, g)))
            n += gsched_gang_of(s, job, k);
    }
    return n;
}

/* Could a domain hold a slice of the group, in each layer? */
static bool slices_fit(struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_group *g = gsched_group(s, job, group);
    const uint32_t at =
        trace_group_topology(s->work, &s->work->job[job], g).slices;
    const struct trace_slices *slices = at ? &s->work->slices[at - 1] : NULL;

    for (uint32_t i = 0; slices && i < slices->layers; i++) {
        const int level = topo_level_find(s->topo, slices->layer[i].tier);
        const uint32_t size = slices->layer[i].size;

        if (level >= 0 && size <= g->replicas
            && gsched_shape_most_in(s, g->shape, (uint32_t)level) < size)
            return false;
    }
    return true;
}

enum gsched_cause gsched_never_fits(struct gsched *s, uint32_t job)
{
    const bool by_domains = s->modules->has_choice
                            && s->modules->choice.by == GSP_CHOOSE_DOMAINS;
    const uint32_t level = gsched_bound_level(s, job);

    assert(job < s->jobs->job_count);
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        const uint32_t n = alike(s, job, g, false);
        const uint32_t own = gsched_group_bound_level(s, job, g);
        const uint64_t most =
            n ? gsched_shape_known(s, gsched_group(s, job, g)->shape)->most : 0;

        if (most < n)
            return most == 0 ? GSCHED_CONSTRAINT : GSCHED_CAPACITY;
        if (level && n
            && gsched_shape_most_in(s, gsched_group(s, job, g)->shape, level)
                   < n)
            return GSCHED_TOPOLOGY;
        if (own
            && gsched_shape_most_in(s, gsched_group(s, job, g)->shape, own)
                   < alike(s, job, g, true))
            return GSCHED_TOPOLOGY;
        if (n && by_domains && !slices_fit(s, job, g))
            return GSCHED_TOPOLOGY;
    }
    if (s->work->job[job].group_count > 1) {
        if (!level_has(s, job, 0))
            return GSCHED_CAPACITY;
        if (level && !level_has(s, job, level))
            return GSCHED_TOPOLOGY;
    }
    return GSCHED_NO_CAUSE;
}

enum gsched_cause gsched_never(struct gsched *s, uint32_t job)
{
    return gsched_never_fits(s, job);
}

enum gsched_cause gsched_unfit(struct gsched *s, uint32_t job)
{
    return s->quotas && s->quotas->how.unfit_waits ? GSCHED_NO_CAUSE
                                                   : gsched_never_fits(s, job);
}

void gsched_jobs_grow(struct gsched *s)
{
    const struct trace_workload *w = s->work;

    if (s->jobs->job_count >= w->job_count)
        return;
    s->jobs->of = gs_far_grow(s->work->far, s->jobs->of, &s->jobs->job_cap,
                              w->job_count, sizeof(*s->jobs->of));
    s->jobs->group_placed = gs_far_grow(s->work->far, s->jobs->group_placed,
                                        &s->jobs->group_cap, w->group_count,
                                        sizeof(*s->jobs->group_placed));
    s->jobs->group_gang = gs_far_grow(s->work->far, s->jobs->group_gang,
                                      &s->jobs->group_gang_cap, w->group_count,
                                      sizeof(*s->jobs->group_gang));
    if (s->jobs->aside_cap)
        s->jobs->aside = gs_far_grow(s->work->far, s->jobs->aside,
                                     &s->jobs->aside_cap, w->job_count,
                                     sizeof(*s->jobs->aside));
    gsched_pending_grow(s);
    gsched_quotas_grow(s);
    s->jobs->job_count = w->job_count;
}

void gsched_submitted_add(struct gsched *s, uint32_t job)
{
    assert(gsched_job(s, job)->phase == JOB_SUBMITTED);
    gsched_job(s, job)->submitted_at = gs_numbers_add(&s->admission->submitted,
                                                      job);
}

void gsched_submitted_drop(struct gsched *s, uint32_t job)
{
    struct gs_numbers *l = &s->admission->submitted;
    const uint32_t i = gsched_job(s, job)->submitted_at;

    if (i == NONE) /* a cycle has seen it, and it waits for admission */
        return;
    assert(i < l->count && l->at[i] == job);
    gsched_job(s, job)->submitted_at = l->at[i] = NONE;
    while (l->count > 0 && l->at[l->count - 1] == NONE)
        l->count--;
}

static void reject(struct gsched *s, uint32_t job, enum gsched_cause why,
                   enum gsched_reason reason)
{
    const struct gsched_decision d = { .kind = GSCHED_REJECT,
                                       .job = job,
                                       .reason = reason };

    assert(gsched_job(s, job)->phase == JOB_SUBMITTED && s->jobs->waiting > 0);
    assert(gsched_job(s, job)->placed == 0 && why != GSCHED_NO_CAUSE);
    gsched_quota_drop(s, job);
    gsched_wait_close(s, job);
    gsched_usage_requested(s, job, 0, gsched_job(s, job)->created, -1);
    gsched_job(s, job)->phase = JOB_OVER;
    gsched_job(s, job)->cause = (uint8_t)why;
    s->jobs->waiting--;
    gsched_decide(s, &d);
}

void gsched_give_up(struct gsched *s, uint32_t job, enum gsched_reason reason)
{
    gsched_quota_end(s, job);
    gsched_pending_drop(s, job);
    if (gsched_job(s, job)->phase == JOB_WAITING) {
        gsched_usage_admitted(s, job, -1);
        gsched_job(s, job)->phase = JOB_SUBMITTED;
    }
    reject(s, job, GSCHED_CAPACITY, reason);
}

static void enter(struct gsched *s, uint32_t job)
{
    assert(gsched_job(s, job)->phase == JOB_SUBMITTED
           && gsched_job(s, job)->placed == 0);
    gsched_job(s, job)->phase = JOB_WAITING;
    gsched_usage_admitted(s, job, 1);
}

void gsched_admit_submitted(struct gsched *s)
{
    for (uint32_t i = 0; i < s->admission->submitted.count; i++) {
        const uint32_t job = s->admission->submitted.at[i];
        enum gsched_cause never;

        if (job == NONE)
            continue;
        gsched_job(s, job)->submitted_at = NONE;
        never = gsched_unfit(s, job);
        if (never != GSCHED_NO_CAUSE && !s->profile->is_recorded) {
            reject(s, job, never, GSCHED_TIMEOUT);
            continue;
        }
        gsched_job(s, job)->never_fits = never != GSCHED_NO_CAUSE;
        if (gsched_quota_is_given(s, job))
            gsched_quota_adopt(s, job, NONE, NONE, s->now);
        if (!s->modules->needs_admission || gsched_quota_is_given(s, job))
            enter(s, job);
        gsched_pending_add(s, job);
    }
    s->admission->submitted.count = 0;
}

/* Nothing is asked of the modules about a job that they refused, until
 * something is released or its time comes.
 */
static bool is_refused(struct gsched *s, uint32_t cqueue, uint32_t job)
{
    const struct class_queue *q = &s->pending->cqueue[cqueue];
    const int64_t at = gsched_modules_admit_at(s, job);

    if (at > s->now && at < s->early.admits_at)
        s->early.admits_at = at;
    return q->asked_at == s->allocations->releases && at > s->now;
}

void gsched_enqueue(struct gsched *s)
{
    uint32_t cqueue;

    s->early.admits_at = GSCHED_NEVER;
    gsched_service_begin(s, QUEUE_ADMISSION);
    while ((cqueue = gsched_service_next(s, QUEUE_ADMISSION)) != NONE) {
        const struct queue_entry it = s->pending->cqueue[cqueue].heap[0];
        const uint32_t queue = s->pending->cqueue[cqueue].queue;

        if (is_refused(s, cqueue, it.job)) {
            s->modules->blocker = NONE; /* they were not asked */
            gsched_active_defer(s, cqueue, s->pending->cqueue[cqueue].gate);
        } else if (!s->work->job[it.job].aside->admitted
                   && !gsched_modules_enqueue(s, it.job)) {
            s->pending->cqueue[cqueue].asked_at = s->allocations->releases;
            gsched_active_defer(s, cqueue, s->modules->refuser);
            gsched_refusal_spread(s, cqueue);
        } else {
            enter(s, it.job);
            gsched_entry_served(s, &it);
        }
        gsched_service_taken(s, queue);
    }
}

void gsched_admit_job(struct gsched *s, uint32_t job)
{
    const struct queue_entry it = { .job = job, .group = NONE };

    enter(s, job);
    gsched_entry_served(s, &it);
}

void gsched_admission_open(struct gsched *s)
{
    s->admission = gs_arena_alloc(s->arena, 1, sizeof(*s->admission));
}

void gsched_admission_free(struct gsched *s)
{
    gs_array_free(s->admission->submitted.at);
}
