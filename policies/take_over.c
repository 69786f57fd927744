/* policies/take_over.c - what a job, or a scheduler, hands on to another.
 *
 * gsched_replace lets a job go on as another one of the workload; for
 * gsched_take_over a new scheduler, of other nodes, queues or priority classes,
 * gets all jobs of an old one.  Both read what a job holds (holding_of), let it
 * go, submit it again and adopt what it held since it was placed there.
 */
#include <assert.h>

#include "base/array.h"
#include "policies/pending/wait_clock.h"
#include "policies/reservation/reservation.h"
#include "policies/scheduler.h"
#include "policies/state/check.h"
#include "policies/state/jobs.h"
#include "policies/state/running_index.h"
#include "policies/state/state.h"

/* What a job holds, in the order in which it can be adopted. */
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
    /* The latest comes first, which is the last to be adopted, mostly. */
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

/* The job runs since `start`, not since the last of its tasks was placed. */
static void start_set(struct gsched *s, uint32_t job, int64_t start)
{
    gsched_reservations_ended(s, job);
    gsched_running_drop(s, job);
    s->jobs->job[job].allocated_since = start;
    gsched_running_add(s, job);
    gsched_reservations_started(s, job);
}

/* Adopt all of it; -1 when something is refused. */
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

/* --- a job ------------------------------------------------------------------ */

/* Has `by`, with its first `created` tasks, a task for each that `job` holds,
 * and do they ask for the same?
 */
static bool can_hold(const struct gsched *s, uint32_t job, uint32_t by,
                     uint32_t created)
{
    const struct trace_job *from = &s->work->job[job], *to = &s->work->job[by];
    uint32_t first = 0;

    for (uint32_t g = 0; g < from->group_count; g++) {
        const uint32_t placed = s->jobs->group_placed[from->first_group + g];
        const struct trace_group *into =
            g < to->group_count ? &s->work->group[to->first_group + g] : NULL;

        if (placed
            && (!into || into->shape != gsched_group(s, job, g)->shape
                || placed > into->replicas || placed > created - first))
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
    since = s->jobs->job[job].since;
    start = s->jobs->job[job].allocated_since;
    runs = s->jobs->job[job].phase == JOB_RUNNING;
    holding_of(s, job, &h);
    (void)gsched_end(s, job, now);
    (void)gsched_submit(s, by, created, now);
    s->jobs->job[by].since = since;
    if (holding_adopt(s, by, &h, now) < 0)
        assert(!"what was given back can be adopted");
    if (runs && s->jobs->job[by].phase == JOB_RUNNING)
        start_set(s, by, start);
    gs_array_free(h.part);
    return 0;
}

/* --- a scheduler ------------------------------------------------------------ */

/* The nodes of `to`, in place of those of the old scheduler; false when one of
 * them is gone.
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
    const struct job_state *old = &from->jobs->job[job];
    const int64_t *us = gsched_waits(from, job, now);

    holding_of(from, job, h);
    (void)gsched_submit(to, job, old->created, now);
    to->jobs->job[job].since = old->since;
    to->jobs->job[job].estimate = old->estimate;
    gsched_wait_carry(to, job, us, gsched_refused(from, job, now));
    if (!nodes_map(to, node, h) || holding_adopt(to, job, h, now) < 0) {
        if (to->jobs->job[job].placed) /* as far as it got */
            (void)gsched_lost(to, job, now);
        return;
    }
    if (old->phase == JOB_RUNNING && to->jobs->job[job].phase == JOB_RUNNING)
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
            && gsched_check_new(to, i, from->jobs->job[i].created) < 0)
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
