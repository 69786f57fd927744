/* base/ahead.c - see ahead.h. */
#include "base/ahead.h"

#include <assert.h>

#include "base/array.h"
#include "base/ring.h"

struct gs_ahead {
    bool (*fill)(void *ctx, void *block);
    void *ctx;
    pthread_t thread;
    struct gs_ring filled, spare;
    void *read; /* the block that is read; NULL */
};

static void *work(void *self)
{
    struct gs_ahead *a = self;
    bool goes_on = true;
    void *block;

    while (goes_on && (block = gs_ring_take(&a->spare))) {
        goes_on = a->fill(a->ctx, block);
        goes_on &= gs_ring_put(&a->filled, block);
    }
    gs_ring_close(&a->filled);
    return NULL;
}

struct gs_ahead *gs_ahead_start(void *block[GS_AHEAD_BLOCKS],
                                bool (*fill)(void *ctx, void *block), void *ctx)
{
    struct gs_ahead *a = gs_array_new(1, sizeof(*a));

    assert(fill);
    a->fill = fill;
    a->ctx = ctx;
    gs_ring_open(&a->filled, GS_AHEAD_BLOCKS);
    gs_ring_open(&a->spare, GS_AHEAD_BLOCKS);
    for (uint32_t i = 0; i < GS_AHEAD_BLOCKS; i++)
        (void)gs_ring_put(&a->spare, block[i]);
    if (gs_thread_start(&a->thread, work, a))
        return a;
    gs_ring_free(&a->filled);
    gs_ring_free(&a->spare);
    gs_array_free(a);
    return NULL;
}

void *gs_ahead_next(struct gs_ahead *a)
{
    if (a->read)
        (void)gs_ring_put(&a->spare, a->read);
    a->read = gs_ring_take(&a->filled);
    return a->read;
}

void gs_ahead_finish(struct gs_ahead *a)
{
    if (!a)
        return;
    gs_ring_close(&a->spare);
    gs_ring_close(&a->filled);
    pthread_join(a->thread, NULL);
    gs_ring_free(&a->filled);
    gs_ring_free(&a->spare);
    gs_array_free(a);
}
