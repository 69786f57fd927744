/* policies/solver/kept_jobs.c - see kept_jobs.h. */
#include "policies/solver/kept_jobs.h"

#include <assert.h>
#include <string.h>

#include "base/heap.h"
#include "policies/pending/service_order.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"

/* A heap of jobs of a queue. */
struct job_heap {
    uint32_t *at;
    const struct gsched *s;
};

/* Jobs are ordered by their submission, since they run. */
static struct queue_entry entry_of(const struct gsched *s, uint32_t job)
{
    return (struct queue_entry){
        .job = job,
        .group = NONE,
        .since = gsched_job(s, job)->submitted,
    };
}

/* What is served last comes first. */
static bool job_before(const void *of, uint32_t a, uint32_t b)
{
    const struct job_heap *h = of;
    const struct queue_entry x = entry_of(h->s, h->at[a]);
    const struct queue_entry y = entry_of(h->s, h->at[b]);

    return gsched_entry_compare(h->s, &x, &y) > 0;
}

static const struct gs_heap by_job = { job_before, gs_heap_swap_numbers };

static struct job_heap jobs_of(const struct gsched *s,
                               const struct kept_walk *w, uint32_t queue)
{
    return (struct job_heap){ w->queue[queue].jobs.at, s };
}

static void jobs_add(struct gsched *s, struct kept_walk *w, uint32_t queue,
                     uint32_t job)
{
    const uint32_t at = gs_numbers_add(&w->queue[queue].jobs, job);
    struct job_heap jobs = jobs_of(s, w, queue);

    (void)gs_heap_rise(&by_job, &jobs, at);
}

/* Those below the job come in as it is first, once in a filling. */
static void below_add(struct gsched *s, struct kept_walk *w, uint32_t queue,
                      uint32_t job)
{
    uint32_t next[2], count;

    w->came_in = gs_array_grow(w->came_in, &w->came_in_cap, job + 1,
                               sizeof(*w->came_in));
    if (w->came_in[job] == w->queue[queue].filled)
        return;
    w->came_in[job] = w->queue[queue].filled;
    count = w->below(s, job, next);
    for (uint32_t i = 0; i < count; i++)
        jobs_add(s, w, queue, next[i]);
}

static void job_drop(struct gsched *s, struct kept_walk *w, uint32_t queue)
{
    struct gs_numbers *l = &w->queue[queue].jobs;
    struct job_heap jobs = jobs_of(s, w, queue);

    (void)gs_numbers_take(l, 0);
    (void)gs_heap_sink(&by_job, &jobs, l->count, 0);
}

/* Drop jobs that are left out while they are first. */
static void jobs_settle(struct gsched *s, struct kept_walk *w, uint32_t queue)
{
    const struct gs_numbers *l = &w->queue[queue].jobs;

    while (l->count && w->is_left_out(s, l->at[0])) {
        const uint32_t job = l->at[0];

        job_drop(s, w, queue);
        below_add(s, w, queue, job);
    }
}

void gsched_kept_jobs_begin(struct gsched *s, struct kept_walk *w,
                            uint32_t queue)
{
    struct kept_queue *q = &w->queue[queue];
    struct job_heap jobs;

    q->jobs.count = 0;
    q->filled = ++w->fillings;
    memset(w->gone + (size_t)queue * s->dims, 0, s->dims * sizeof(*w->gone));
    w->fill(s, queue, &q->jobs);
    jobs = jobs_of(s, w, queue);
    gs_heap_build(&by_job, &jobs, q->jobs.count);
    jobs_settle(s, w, queue);
}

void gsched_kept_jobs_next(struct gsched *s, struct kept_walk *w,
                           uint32_t queue, enum kept_step how)
{
    const struct kept_queue *q = &w->queue[queue];
    const uint32_t job = q->jobs.at[0];
    int64_t *gone = w->gone + (size_t)queue * s->dims;

    assert(q->jobs.count > 0 && q->count > 0);
    if (how != KEPT_STAYS) {
        const int64_t *last = q->change + (size_t)(q->count - 1) * s->dims;

        for (uint32_t d = 0; d < s->dims; d++)
            gone[d] = -last[d];
    }
    if (how == KEPT_RESTS) {
        struct job_heap jobs = jobs_of(s, w, queue);

        (void)gs_heap_sink(&by_job, &jobs, q->jobs.count, 0);
    } else {
        job_drop(s, w, queue);
    }
    below_add(s, w, queue, job);
    jobs_settle(s, w, queue);
}
