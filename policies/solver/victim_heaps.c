/* policies/solver/victim_heaps.c - see victim_heaps.h. */
#include "policies/solver/victim_heaps.h"

#include <assert.h>

#include "base/arena.h"
#include "base/heap.h"
#include "policies/pending/pending.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/running_index.h"

void gsched_heaps_open(struct gsched *s, struct victim_heaps *h)
{
    h->heaps = s->queue_count * s->running->place_count;
    h->heap = gs_arena_alloc(s->arena, h->heaps, sizeof(*h->heap));
    s->running->is_followed = true;
}

void gsched_heaps_free(struct victim_heaps *h)
{
    for (uint32_t i = 0; i < h->heaps; i++)
        gs_array_free(h->heap[i].at);
    gs_array_free(h->place);
    gs_array_free(h->stirred.at);
}

/* One of the heaps. */
struct heap_of {
    const struct gsched *s;
    struct victim_place *place;
    struct gs_numbers *heap;
};

static struct heap_of heap_of(const struct gsched *s, struct victim_heaps *h,
                              uint32_t heap)
{
    assert(heap < h->heaps);
    return (struct heap_of){ s, h->place, &h->heap[heap] };
}

/* Jobs that moved come first, as they are about to leave the heap: where they
 * belong in it is not known any more.  Each rises above all others, so that
 * those that rose stay together on top.
 */
static bool goes_before(const void *of, uint32_t a, uint32_t b)
{
    const struct heap_of *h = of;
    const uint32_t x = h->heap->at[a], y = h->heap->at[b];
    const uint8_t *is_moved = h->s->running->is_moved;
    const struct queue_entry p = { gsched_job(h->s, x)->submitted, 0, x, NONE };
    const struct queue_entry q = { gsched_job(h->s, y)->submitted, 0, y, NONE };

    if (is_moved[x] || is_moved[y])
        return is_moved[x];
    return gsched_entry_compare(h->s, &p, &q) > 0;
}

static void put(const struct heap_of *h, uint32_t at, uint32_t job)
{
    h->heap->at[at] = job;
    h->place[job].at = at;
}

static void swap(void *of, uint32_t a, uint32_t b)
{
    const struct heap_of *h = of;
    const uint32_t job = h->heap->at[a];

    put(h, a, h->heap->at[b]);
    put(h, b, job);
}

static const struct gs_heap latest_first = { goes_before, swap };

/* Take the jobs that moved, which are on top, out of the heap. */
static void moved_drop(struct heap_of *h)
{
    const uint8_t *is_moved = h->s->running->is_moved;

    while (h->heap->count && is_moved[h->heap->at[0]]) {
        h->place[h->heap->at[0]].heap = 0;
        put(h, 0, h->heap->at[h->heap->count - 1]);
        h->heap->count--;
        (void)gs_heap_sink(&latest_first, h, h->heap->count, 0);
    }
}

static void job_add(const struct gsched *s, struct victim_heaps *h,
                    uint32_t job)
{
    const uint32_t heap = (uint32_t)(gsched_running_of(s, job)
                                     - s->running->running_list);
    struct heap_of of = heap_of(s, h, heap);
    const uint32_t at = gs_numbers_add(of.heap, job);

    of.place[job] = (struct victim_place){ heap + 1, at };
    (void)gs_heap_rise(&latest_first, &of, at);
}

/* Modules changed the order of all jobs. */
static void reorder(const struct gsched *s, struct victim_heaps *h)
{
    for (uint32_t i = 0; i < h->heaps; i++) {
        struct heap_of of = heap_of(s, h, i);

        gs_heap_build(&latest_first, &of, of.heap->count);
        if (i % s->running->place_count == 0)
            (void)gs_numbers_add(&h->stirred, i / s->running->place_count);
    }
    h->reorders = s->pending->reorders;
}

void gsched_heaps_follow(struct gsched *s, struct victim_heaps *h)
{
    struct gsched_running *r = s->running;

    h->place = gs_array_grow(h->place, &h->place_cap, s->jobs->job_count + 1,
                             sizeof(*h->place));
    if (h->reorders != s->pending->reorders)
        reorder(s, h);
    for (uint32_t i = 0; i < r->moved.count; i++) {
        const struct victim_place *p = &h->place[r->moved.at[i]];

        if (p->heap) {
            struct heap_of of = heap_of(s, h, p->heap - 1);

            (void)gs_heap_rise(&latest_first, &of, p->at);
        }
    }
    for (uint32_t i = 0; i < r->moved.count; i++) {
        const struct victim_place *p = &h->place[r->moved.at[i]];

        if (p->heap) {
            struct heap_of of = heap_of(s, h, p->heap - 1);

            moved_drop(&of);
        }
    }
    for (uint32_t i = 0; i < r->moved.count; i++) {
        r->is_moved[r->moved.at[i]] = 0;
        (void)gs_numbers_add(&h->stirred, gsched_queue_of(s, r->moved.at[i]));
    }
    for (uint32_t i = 0; i < r->moved.count; i++) {
        if (gsched_job(s, r->moved.at[i])->is_listed)
            job_add(s, h, r->moved.at[i]);
    }
    r->moved.count = 0;
}

uint32_t gsched_heaps_below(const struct victim_heaps *h, uint32_t job,
                            uint32_t *next)
{
    const struct victim_place *p = &h->place[job];
    const struct gs_numbers *heap = &h->heap[p->heap - 1];
    uint32_t count = 0;

    assert(p->heap && heap->at[p->at] == job);
    for (uint32_t k = 2 * p->at + 1; k < heap->count && count < 2; k++)
        next[count++] = heap->at[k];
    return count;
}
