/* policies/solver/kept_walk.c - see kept_walk.h. */
#include "policies/solver/kept_walk.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/heap.h"
#include "policies/pending/service_order.h"
#include "policies/solver/kept_jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"

/* Numbers of a queue. */
static uint32_t numbers(const struct gsched *s)
{
    return s->queue_keys ? s->queue_keys->per : 0;
}

void gsched_kept_walk_open(struct gsched *s, struct kept_walk *w)
{
    const size_t queues = s->queue_count;

    w->queue_count = s->queue_count;
    w->queue = gs_arena_alloc(s->arena, queues + 1, sizeof(*w->queue));
    w->child = gs_arena_alloc(s->arena, queues + 1, sizeof(*w->child));
    w->change = gs_arena_alloc(s->arena, queues * s->dims, sizeof(*w->change));
    w->gone = gs_arena_alloc(s->arena, queues * s->dims, sizeof(*w->gone));
    w->key = gs_arena_alloc(s->arena, queues * numbers(s) + 1, sizeof(*w->key));
    for (uint32_t q = 0; q < s->queue_count; q++)
        gsched_kept_walk_note(s, w, q);
}

void gsched_kept_walk_free(struct kept_walk *w)
{
    for (uint32_t d = 0; d <= TRACE_QUEUE_DEPTH_MAX; d++)
        gs_array_free(w->at[d].at);
    for (uint32_t q = 0; q <= w->queue_count; q++) {
        gs_array_free(w->queue[q].entry);
        gs_array_free(w->queue[q].change);
        gs_array_free(w->queue[q].key);
        gs_array_free(w->queue[q].jobs.at);
        gs_array_free(w->queue[q].stepped.at);
    }
    gs_array_free(w->wrong.at);
    gs_array_free(w->came_in);
}

/* --- tapes ---------------------------------------------------------------- */

static bool has_entry(const struct kept_queue *q)
{
    return q->at < q->count;
}

static const int64_t *change_at(const struct gsched *s,
                                const struct kept_queue *q)
{
    return q->change + (size_t)q->at * s->dims;
}

/* The numbers of the present entry; NULL: queues have none. */
static double *key_at(const struct gsched *s, const struct kept_walk *w,
                      uint32_t queue)
{
    return numbers(s) ? w->key + (size_t)queue * numbers(s) : NULL;
}

/* Make the entry at that place the present one; its numbers are known or made.
 */
static void entry_show(const struct gsched *s, struct kept_walk *w,
                       uint32_t queue, uint32_t at)
{
    struct kept_queue *q = &w->queue[queue];
    const size_t per = numbers(s), size = per * sizeof(*q->key);

    q->at = at;
    if (!has_entry(q))
        return;
    memcpy(w->change + (size_t)queue * s->dims, change_at(s, q),
           s->dims * sizeof(*w->change));
    if (per == 0)
        return;
    if (at < q->keys) {
        memcpy(key_at(s, w, queue), q->key + at * per, size);
        return;
    }
    assert(at == q->keys);
    q->key = gs_array_grow(q->key, &q->key_cap, (at + 1) * (uint32_t)per,
                           sizeof(*q->key));
    gsched_queue_key_make(s, queue, key_at(s, w, queue));
    memcpy(q->key + at * per, key_at(s, w, queue), size);
    q->keys = at + 1;
}

/* --- heaps ---------------------------------------------------------------- */

/* A heap of children of a queue. */
struct child_heap {
    uint32_t *at;
    const struct gsched *s;
    const struct kept_walk *w;
};

static void queue_swap(void *of, uint32_t a, uint32_t b)
{
    const struct child_heap *h = of;

    gs_heap_swap_numbers(of, a, b);
    h->w->queue[h->at[a]].place = a + 1;
    h->w->queue[h->at[b]].place = b + 1;
}

static bool queue_before(const void *of, uint32_t a, uint32_t b)
{
    const struct child_heap *h = of;
    const uint32_t x = h->at[a], y = h->at[b];
    const int order = gsched_queue_keys_compare(h->s, x, key_at(h->s, h->w, x),
                                                y, key_at(h->s, h->w, y));

    return order ? order > 0 : x > y;
}

static const struct gs_heap by_queue = { queue_before, queue_swap };

static struct child_heap children_of(const struct gsched *s,
                                     const struct kept_walk *w, uint32_t queue)
{
    return (struct child_heap){ w->child + s->order->queue[queue].first_child,
                                s, w };
}

static uint32_t first_child(const struct gsched *s, const struct kept_walk *w,
                            uint32_t queue)
{
    return w->child[s->order->queue[queue].first_child];
}

/* Take the child out of the heap of its parent, or put it in, without regard to
 * the order: as it has a present entry or not.
 */
static void child_list(struct gsched *s, struct kept_walk *w, uint32_t queue,
                       uint32_t child)
{
    struct kept_queue *up = &w->queue[queue], *q = &w->queue[child];
    const struct child_heap all = children_of(s, w, queue);

    if (has_entry(q) && !q->place) {
        all.at[up->children++] = child;
        q->place = up->children;
    } else if (!has_entry(q) && q->place) {
        const uint32_t last = all.at[--up->children];

        all.at[q->place - 1] = last;
        w->queue[last].place = q->place;
        q->place = 0;
    }
}

/* --- the end of a tape ---------------------------------------------------- */

/* Add what comes first of the queue, not the root, at the end of its tape: jobs
 * below it before its own.
 */
static void entry_add(struct gsched *s, struct kept_walk *w, uint32_t queue)
{
    struct kept_queue *q = &w->queue[queue];
    const uint32_t n = q->count;
    struct kept_entry e;
    int64_t *change;

    assert(q->at == q->count);
    q->is_over = !q->children && !q->jobs.count;
    if (q->is_over)
        return;
    q->entry = gs_array_grow(q->entry, &q->entry_cap, n + 1, sizeof(e));
    q->change = gs_array_grow(q->change, &q->change_cap, (n + 1) * s->dims,
                              sizeof(*q->change));
    change = q->change + (size_t)n * s->dims;
    if (q->children) {
        const struct kept_queue *c = &w->queue[first_child(s, w, queue)];

        e = c->entry[c->at];
        memcpy(change, change_at(s, c), s->dims * sizeof(*change));
    } else {
        const int64_t *gone = w->gone + (size_t)queue * s->dims;

        e = (struct kept_entry){ queue, q->jobs.at[0] };
        w->rest(s, e.job, change);
        for (uint32_t d = 0; d < s->dims; d++)
            change[d] = -(gone[d] + change[d]);
    }
    q->entry[n] = e;
    q->count++;
    entry_show(s, w, queue, n);
}

/* The queue is not where it was among its siblings when the walk began. */
static void step_note(const struct gsched *s, struct kept_walk *w,
                      uint32_t queue)
{
    if (w->queue[queue].is_stepped)
        return;
    w->queue[queue].is_stepped = true;
    (void)gs_numbers_add(&w->queue[s->order->queue[queue].parent].stepped,
                         queue);
}

/* The first child, or the first of the queue's own jobs, is done. */
static void queue_next(struct gsched *s, struct kept_walk *w, uint32_t queue,
                       enum kept_step how);

/* The present entry of the queue, not the root, is done. */
static void entry_next(struct gsched *s, struct kept_walk *w, uint32_t queue,
                       enum kept_step how)
{
    struct kept_queue *q = &w->queue[queue];

    step_note(s, w, queue);
    entry_show(s, w, queue, q->at + 1);
    if (has_entry(q) || q->is_over)
        return;
    queue_next(s, w, queue, how);
    entry_add(s, w, queue);
}

static void queue_next(struct gsched *s, struct kept_walk *w, uint32_t queue,
                       enum kept_step how)
{
    if (w->queue[queue].children) {
        const uint32_t child = first_child(s, w, queue);

        struct child_heap all = children_of(s, w, queue);

        entry_next(s, w, child, how);
        child_list(s, w, queue, child);
        (void)gs_heap_sink(&by_queue, &all, w->queue[queue].children, 0);
    } else {
        gsched_kept_jobs_next(s, w, queue, how);
    }
}

/* --- the walk ------------------------------------------------------------- */

void gsched_kept_walk_note(const struct gsched *s, struct kept_walk *w,
                           uint32_t queue)
{
    while (queue != s->queue_count && !w->queue[queue].is_noted) {
        w->queue[queue].is_noted = true;
        (void)gs_numbers_add(&w->at[s->order->queue[queue].depth], queue);
        queue = s->order->queue[queue].parent;
    }
}

void gsched_kept_walk_note_place(const struct gsched *s, struct kept_walk *w,
                                 uint32_t queue)
{
    w->queue[queue].keys = 0;
    step_note(s, w, queue);
    gsched_kept_walk_note(s, w, s->order->queue[queue].parent);
}

/* Places of a heap, the last ones first. */
static bool place_before(const void *of, uint32_t a, uint32_t b)
{
    const struct gs_numbers *l = of;

    return l->at[a] < l->at[b];
}

static const struct gs_heap by_place = { place_before, gs_heap_swap_numbers };

/* Restore the heap of children of which these places are wrong: they, and those
 * above them, sink, the last ones first.
 */
static void children_sink(struct gsched *s, struct kept_walk *w, uint32_t queue)
{
    struct child_heap all = children_of(s, w, queue);
    struct gs_numbers *l = &w->wrong;
    uint32_t before = NONE;

    for (uint32_t i = 0, n = l->count; i < n; i++) {
        for (uint32_t at = l->at[i]; at > 0; at = (at - 1) / 2)
            (void)gs_numbers_add(l, (at - 1) / 2);
    }
    gs_heap_sort(&by_place, l, l->count);
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->at[i] != before)
            (void)gs_heap_sink(&by_queue, &all, w->queue[queue].children,
                               l->at[i]);
        before = l->at[i];
    }
}

/* Children stand where they were when the walk began again, or, those that were
 * noted, at what comes first of them now.
 */
static void children_rewind(struct gsched *s, struct kept_walk *w,
                            uint32_t queue)
{
    struct kept_queue *q = &w->queue[queue];
    struct child_heap all = children_of(s, w, queue);

    for (uint32_t i = 0; i < q->stepped.count; i++) {
        const uint32_t child = q->stepped.at[i];

        w->queue[child].is_stepped = false;
        entry_show(s, w, child, 0);
    }
    w->wrong.count = 0;
    for (uint32_t i = 0; i < q->stepped.count; i++) {
        const uint32_t child = q->stepped.at[i];
        uint32_t place = w->queue[child].place;

        child_list(s, w, queue, child);
        if (w->queue[child].place)
            place = w->queue[child].place;
        if (place && place <= q->children)
            (void)gs_numbers_add(&w->wrong, place - 1);
    }
    q->stepped.count = 0;
    if (w->wrong.count > q->children / 8)
        gs_heap_build(&by_queue, &all, q->children);
    else
        children_sink(s, w, queue);
}

/* Begin the tape of the queue anew; those of its children are ready. */
static void tape_begin(struct gsched *s, struct kept_walk *w, uint32_t queue)
{
    struct kept_queue *q = &w->queue[queue];

    children_rewind(s, w, queue);
    q->is_noted = false;
    q->count = q->keys = q->at = 0;
    gsched_kept_jobs_begin(s, w, queue);
    entry_add(s, w, queue);
    step_note(s, w, queue);
}

static void changes_state(struct gsched *s, const struct kept_walk *w)
{
    s->order->change = w ? w->change : NULL;
}

#ifndef NDEBUG
/* Have all queues, looked at in some walks, the numbers of their present
 * entries?
 */
static bool have_keys(struct gsched *s, const struct kept_walk *w)
{
    double key[GSP_QUEUE_KEYS * GSCHED_MODULES_MAX];
    const size_t size = numbers(s) * sizeof(*key);
    bool have = size <= sizeof(key);

    for (uint32_t q = 0; have && q < s->queue_count && size; q++) {
        if (!has_entry(&w->queue[q]) || w->fillings % 8)
            continue;
        gsched_queue_key_make(s, q, key);
        have = memcmp(key, key_at(s, w, q), size) == 0;
    }
    return have;
}
#endif

void gsched_kept_walk_begin(struct gsched *s, struct kept_walk *w)
{
    changes_state(s, w);
    for (uint32_t d = TRACE_QUEUE_DEPTH_MAX + 1; d-- > 0;) {
        for (uint32_t i = 0; i < w->at[d].count; i++)
            tape_begin(s, w, w->at[d].at[i]);
        w->at[d].count = 0;
    }
    children_rewind(s, w, s->queue_count);
    assert(have_keys(s, w));
    changes_state(s, NULL);
}

bool gsched_kept_walk_first(const struct gsched *s, const struct kept_walk *w,
                            uint32_t *queue, uint32_t *job)
{
    const struct kept_queue *c;

    if (!w->queue[s->queue_count].children)
        return false;
    c = &w->queue[first_child(s, w, s->queue_count)];
    *queue = c->entry[c->at].queue;
    *job = c->entry[c->at].job;
    return true;
}

void gsched_kept_walk_next(struct gsched *s, struct kept_walk *w,
                           enum kept_step how)
{
    if (s->queue_keys)
        gsched_queue_keys_follow(s);
    changes_state(s, w);
    assert(w->queue[s->queue_count].children);
    queue_next(s, w, s->queue_count, how);
    changes_state(s, NULL);
}
