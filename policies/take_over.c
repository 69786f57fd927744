/* policies/take_over.c - replacement of a job, or of a scheduler, by another.
 *
 * gsched_replace() continues a job as another job of the workload;
 * gsched_take_over() moves all jobs of an old scheduler to a new one with other
 * nodes, queues or priority classes.  Both read what a job holds (holding_of),
 * release it, submit the job again and adopt the allocations with their times
 * of placement.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/pending/back_off.h"
#include "policies/pending/job_waits.h"
#include "policies/reservation/reservation.h"
#include "policies/scheduler.h"
#include "policies/state/check.h"
#include "policies/state/grace.h"
#include "policies/state/jobs.h"
#include "policies/state/running_index.h"
#include "policies/state/state.h"

/* Allocations of a job, in the order in which they can be adopted. */
struct job_holding {
    struct gsched_decision *part;
    uint32_t count, cap;
};

static bool goes_before(const struct gsched_decision *a,
                        const struct gsched_decision *b)
{
    return a->group != b->group ? a->group < b->group
                                : a->first_task < b->first_task;
}

static void holding_of(const struct gsched *s, uint32_t job,
                       struct job_holding *h)
{
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    h->count = 0;
    while (gsched_next_allocation(s, job, &at, &d)) {
        h->part = gs_array_grow(h->part, &h->cap, h->count + 1,
                                sizeof(*h->part));
        h->part[h->count++] = d;
    }
    /* The list has the latest first, which is usually adopted last. */
    for (uint32_t i = 0; i < h->count / 2; i++) {
        d = h->part[i];
        h->part[i] = h->part[h->count - 1 - i];
        h->part[h->count - 1 - i] = d;
    }
    for (uint32_t i = 1; i < h->count; i++) {
        uint32_t k = i;

        d = h->part[i];
        for (; k > 0 && goes_before(&d, &h->part[k - 1]); k--)
            h->part[k] = h->part[k - 1];
        h->part[k] = d;
    }
}

/* Set the start of the job to `start`, not the time of its last placement. */
static void start_set(struct gsched *s, uint32_t job, int64_t start)
{
    gsched_reservations_ended(s, job);
    gsched_running_drop(s, job);
    gsched_job(s, job)->allocated_since = start;
    gsched_running_add(s, job);
    gsched_reservations_started(s, job);
}

/* Adopt all allocations; -1 when one is refused. */
static int holding_adopt(struct gsched *s, uint32_t job,
                         const struct job_holding *h, int64_t now)
{
    for (uint32_t i = 0; i < h->count; i++) {
        if (gsched_adopt(s, job, h->part[i].group, h->part[i].first_task,
                         &h->part[i].grant, h->part[i].placed_at, now)
            < 0)
            return -1;
    }
    return 0;
}

/* --- a job ---------------------------------------------------------------- */

/* One more than the highest number of a placed task of the group; 0: none. */
static uint32_t numbers_end(const struct gsched *s, uint32_t job,
                            uint32_t group)
{
    uint32_t at = GSCHED_FIRST, end = 0;
    struct gsched_decision d;

    while (gsched_next_allocation(s, job, &at, &d)) {
        if (d.group == group && d.first_task + d.grant.tasks > end)
            end = d.first_task + d.grant.tasks;
    }
    return end;
}

/* True when `by`, with its first `created` tasks, has a task with the same
 * request for each task that `job` holds.
 */
static bool can_hold(const struct gsched *s, uint32_t job, uint32_t by,
                     uint32_t created)
{
    const struct trace_job *from = &s->work->job[job], *to = &s->work->job[by];
    uint32_t first = 0;

    for (uint32_t g = 0; g < from->group_count; g++) {
        const uint32_t end = numbers_end(s, job, g);
        const struct trace_group *into = g < to->group_count ? trace_group_at(
                                             s->work, to->first_group + g)
                                                             : NULL;

        if (end
            && (!into || into->shape != gsched_group(s, job, g)->shape
                || end > into->replicas || end > created - first))
            return false;
        if (into)
            first += into->replicas < created - first ? into->replicas
                                                      : created - first;
    }
    return true;
}

int gsched_replace(struct gsched *s, uint32_t job, uint32_t by,
                   uint32_t created, int64_t now)
{
    struct job_holding h = { .part = NULL };
    int64_t since, start;
    bool runs;

    if (gsched_check_now(s, now) < 0 || gsched_check_live(s, job) < 0
        || gsched_check_new(s, by, created) < 0)
        return -1;
    if (!can_hold(s, job, by, created))
        return gsched_refuse(s, "the job holds tasks that the other has not");
    since = gsched_job(s, job)->since;
    start = gsched_job(s, job)->allocated_since;
    runs = gsched_job(s, job)->phase == JOB_RUNNING;
    holding_of(s, job, &h);
    (void)gsched_end(s, job, now);
    (void)gsched_submit(s, by, created, now);
    gsched_job(s, by)->since = since;
    if (holding_adopt(s, by, &h, now) < 0)
        assert(!"what was given back can be adopted");
    if (runs && gsched_job(s, by)->phase == JOB_RUNNING)
        start_set(s, by, start);
    gs_array_free(h.part);
    return 0;
}

/* --- a scheduler ---------------------------------------------------------- */

/* Replace the nodes of the old scheduler by those of `to`; false when one was
 * removed.
 */
static bool nodes_map(const struct gsched *to, const uint32_t *node,
                      struct job_holding *h)
{
    for (uint32_t i = 0; i < h->count; i++) {
        if (node)
            h->part[i].grant.node = node[h->part[i].grant.node];
        if (h->part[i].grant.node >= to->topo->node_count)
            return false;
    }
    return true;
}

static void job_take(struct gsched *to, struct gsched *from, uint32_t job,
                     const uint32_t *node, struct job_holding *h, int64_t now)
{
    const struct job_state *old = gsched_job(from, job);
    const int64_t *us = gsched_waits(from, job, now);

    holding_of(from, job, h);
    (void)gsched_submit(to, job, old->created, now);
    gsched_job(to, job)->since = old->since;
    if (gsched_job_aside(from, job).back_at)
        gsched_job_aside_put(to, job)->back_at =
            gsched_job_aside(from, job).back_at;
    gsched_job(to, job)->submitted = old->submitted;
    gsched_job(to, job)->estimate = gsched_estimate_before(from, job);
    gsched_back_off_until(to, job, gsched_job_aside(from, job).away_until);
    gsched_wait_carry(to, job, us, gsched_refused(from, job, now));
    if (!nodes_map(to, node, h) || holding_adopt(to, job, h, now) < 0) {
        if (gsched_job(to, job)->placed) /* the part that was adopted */
            (void)gsched_lost(to, job, now);
        return;
    }
    if (old->phase == JOB_RUNNING && gsched_job(to, job)->phase == JOB_RUNNING)
        start_set(to, job, old->allocated_since);
}

static int take_over_check(struct gsched *to, struct gsched *from, int64_t now)
{
    if (gsched_check_now(to, now) < 0)
        return -1;
    if (!from || from == to || from->work != to->work
        || from->cluster == to->cluster)
        return gsched_refuse(to, "only jobs of the same workload on another"
                                 " cluster are taken over");
    if (to->jobs->job_count)
        return gsched_refuse(to, "jobs were submitted already");
    if (gsched_check_now(from, now) < 0)
        return gsched_refuse(to, gsched_refusal(from));
    for (uint32_t i = 0; i < from->jobs->job_count; i++) {
        if (gsched_is_live(from, i)
            && gsched_check_new(to, i, gsched_job(from, i)->created) < 0)
            return -1;
    }
    return 0;
}

int gsched_take_over(struct gsched *to, struct gsched *from,
                     const uint32_t *node, int64_t now)
{
    struct job_holding h = { .part = NULL };

    if (take_over_check(to, from, now) < 0)
        return -1;
    to->decision_limit = from->decision_limit;
    for (uint32_t i = 0; i < from->jobs->job_count; i++) {
        if (gsched_is_live(from, i))
            job_take(to, from, i, node, &h, now);
    }
    gs_array_free(h.part);
    return 0;
}
