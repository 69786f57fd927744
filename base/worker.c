/* base/worker.c - see worker.h. */
#include "base/worker.h"

#include <assert.h>

#include "base/array.h"
#include "base/ring.h"

struct gs_worker {
    void (*take)(void *ctx, void *block);
    void *ctx;
    bool has_thread;
    pthread_t thread;
    struct gs_ring given;
};

static void *work(void *self)
{
    struct gs_worker *w = self;
    void *block;

    while ((block = gs_ring_take(&w->given)))
        w->take(w->ctx, block);
    return NULL;
}

struct gs_worker *gs_worker_start(uint32_t limit,
                                  void (*take)(void *ctx, void *block),
                                  void *ctx)
{
    struct gs_worker *w = gs_array_new(1, sizeof(*w));

    assert(take);
    w->take = take;
    w->ctx = ctx;
    gs_ring_open(&w->given, limit);
    w->has_thread = gs_thread_start(&w->thread, work, w);
    return w;
}

void gs_worker_give(struct gs_worker *w, void *block)
{
    assert(w && block);
    if (!w->has_thread || !gs_ring_put(&w->given, block))
        w->take(w->ctx, block);
}

void gs_worker_finish(struct gs_worker *w)
{
    if (!w)
        return;
    gs_ring_close(&w->given);
    if (w->has_thread)
        pthread_join(w->thread, NULL);
    gs_ring_free(&w->given);
    gs_array_free(w);
}
