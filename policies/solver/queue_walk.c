/* policies/solver/queue_walk.c - see queue_walk.h. */
#include "policies/solver/queue_walk.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "policies/lifecycle/allocations.h"
#include "policies/pending/service_order.h"
#include "policies/state/entry.h"

void gsched_walk_open(struct gsched *s, struct queue_walk *w)
{
    w->queue = gs_arena_alloc(s->arena, s->queue_count + 1, sizeof(*w->queue));
    w->child = gs_arena_alloc(s->arena, s->queue_count + 1, sizeof(*w->child));
    w->change = gs_arena_alloc(s->arena, (size_t)s->queue_count * s->dims,
                               sizeof(*w->change));
}

void gsched_walk_free(struct queue_walk *w)
{
    for (uint32_t d = 0; d <= TRACE_QUEUE_DEPTH_MAX; d++)
        gs_array_free(w->at[d].at);
    gs_array_free(w->job);
}

/* --- heaps ------------------------------------------------------------------ */

/* A heap of jobs of a queue, or of children of one. */
struct heap_of {
    const struct gsched *s;
    const struct queue_walk *w;
    uint32_t *at;
};

static void at_swap(void *of, uint32_t a, uint32_t b)
{
    uint32_t *at = ((struct heap_of *)of)->at;
    const uint32_t swap = at[a];

    at[a] = at[b];
    at[b] = swap;
}

/* The job as an entry: victims by their submission, since they run; others as
 * they would wait.
 */
static struct queue_entry entry_of(const struct heap_of *h, uint32_t job)
{
    const struct job_state *j = &h->s->jobs->job[job];

    return (struct queue_entry){
        .job = job,
        .group = NONE,
        .since = h->w->is_reversed         ? j->submitted
                 : j->phase == JOB_WAITING ? j->since
                                           : gsched_since_again(h->s, job),
    };
}

static bool job_before(const void *of, uint32_t a, uint32_t b)
{
    const struct heap_of *h = of;
    const struct queue_entry x = entry_of(h, h->at[a]);
    const struct queue_entry y = entry_of(h, h->at[b]);

    return (gsched_entry_compare(h->s, &x, &y) < 0) != h->w->is_reversed;
}

static bool queue_before(const void *of, uint32_t a, uint32_t b)
{
    const struct heap_of *h = of;
    const uint32_t x = h->at[a], y = h->at[b];
    const int order = gsched_modules_compare_queues(h->s, x, y);

    return (order ? order < 0 : x < y) != h->w->is_reversed;
}

static const struct gs_heap by_job = { job_before, at_swap };
static const struct gs_heap by_queue = { queue_before, at_swap };

static struct heap_of jobs_of(const struct gsched *s,
                              const struct queue_walk *w, uint32_t queue)
{
    return (struct heap_of){ s, w, w->job + w->queue[queue].first };
}

static struct heap_of children_of(const struct gsched *s,
                                  const struct queue_walk *w, uint32_t queue)
{
    return (struct heap_of){ s, w,
                             w->child + s->order->queue[queue].first_child };
}

/* --- the walk ----------------------------------------------------------------- */

/* A queue changes by its next job; a queue above others by that of its first
 * child.
 */
static void change_set(struct gsched *s, const struct queue_walk *w,
                       uint32_t queue)
{
    int64_t *change = w->change + (size_t)queue * s->dims;

    if (w->queue[queue].children) {
        const uint32_t child = *children_of(s, w, queue).at;

        memcpy(change, w->change + (size_t)child * s->dims,
               s->dims * sizeof(*change));
        return;
    }
    w->change_by(s, queue, *jobs_of(s, w, queue).at, change);
}

/* Begin with the queue and those above it in this walk. */
static void queue_touch(struct gsched *s, struct queue_walk *w, uint32_t queue)
{
    while (w->queue[queue].walk != w->walk) {
        const struct queue *q = &s->order->queue[queue];

        w->queue[queue] = (struct walk_queue){ .walk = w->walk };
        if (queue == s->queue_count)
            return;
        gs_numbers_add(&w->at[q->depth], queue);
        queue = q->parent;
    }
}

/* Sort the jobs by queue. */
static void jobs_part(struct gsched *s, struct queue_walk *w,
                      const uint32_t *job, uint32_t count)
{
    uint32_t first = 0;

    w->job = gs_array_grow(w->job, &w->job_cap, count + 1, sizeof(*w->job));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t queue = gsched_queue_of(s, job[i]);

        queue_touch(s, w, queue);
        w->queue[queue].room++;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct walk_queue *q = &w->queue[gsched_queue_of(s, job[i])];

        if (q->count == 0) {
            q->first = first;
            first += q->room;
        }
        w->job[q->first + q->count++] = job[i];
    }
}

/* Order what is in and below the queue, whose children are ready. */
static void queue_ready(struct gsched *s, struct queue_walk *w, uint32_t queue)
{
    const struct walk_queue *q = &w->queue[queue];
    struct heap_of children = children_of(s, w, queue);

    if (q->children > 1)
        gs_heap_build(&by_queue, &children, q->children);
    if (queue == s->queue_count)
        return;
    if (q->count > 1) {
        struct heap_of jobs = jobs_of(s, w, queue);

        gs_heap_build(&by_job, &jobs, q->count);
    }
    change_set(s, w, queue);
    queue = s->order->queue[queue].parent;
    children = children_of(s, w, queue);
    children.at[w->queue[queue].children++] = (uint32_t)(q - w->queue);
}

void gsched_walk_begin(struct gsched *s, struct queue_walk *w,
                       const uint32_t *job, uint32_t count)
{
    w->walk++;
    queue_touch(s, w, s->queue_count);
    jobs_part(s, w, job, count);
    s->order->change = w->change;
    for (uint32_t d = TRACE_QUEUE_DEPTH_MAX + 1; d-- > 0;) {
        for (uint32_t i = 0; i < w->at[d].count; i++)
            queue_ready(s, w, w->at[d].at[i]);
        w->at[d].count = 0;
    }
    queue_ready(s, w, s->queue_count);
    s->order->change = NULL;
}

bool gsched_walk_first(struct gsched *s, const struct queue_walk *w,
                       uint32_t *queue, uint32_t *job)
{
    uint32_t q = s->queue_count;

    if (!w->queue[q].children)
        return false;
    while (w->queue[q].children)
        q = *children_of(s, w, q).at;
    *queue = q;
    *job = *jobs_of(s, w, q).at;
    return true;
}

void gsched_walk_next(struct gsched *s, struct queue_walk *w, uint32_t queue,
                      bool drop)
{
    struct heap_of jobs = jobs_of(s, w, queue);
    struct walk_queue *q = &w->queue[queue];

    assert(q->count > 0 && !q->children);
    if (drop)
        jobs.at[0] = jobs.at[--q->count];
    (void)gs_heap_sink(&by_job, &jobs, q->count, 0);
    s->order->change = w->change;
    while (queue != s->queue_count) {
        const uint32_t parent = s->order->queue[queue].parent;
        struct walk_queue *up = &w->queue[parent];
        struct heap_of siblings = children_of(s, w, parent);

        assert(*siblings.at == queue);
        if (!w->queue[queue].count && !w->queue[queue].children)
            siblings.at[0] = siblings.at[--up->children];
        else
            change_set(s, w, queue);
        (void)gs_heap_sink(&by_queue, &siblings, up->children, 0);
        queue = parent;
    }
    s->order->change = NULL;
}
