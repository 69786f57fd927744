/* base/worker.c - see worker.h. */
#include "base/worker.h"

#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

#include "base/array.h"

struct gs_worker {
    void (*take)(void *ctx, void *block);
    void *ctx;
    bool has_thread;
    pthread_t thread;
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t given, taken;
    void **block; /* [limit] a ring */
    uint32_t limit, first, count;
    bool is_over; /* no more will be given */
};

/* The next block; NULL: there are no more. */
static void *block_next(struct gs_worker *w)
{
    void *block = NULL;

    pthread_mutex_lock(&w->mutex);
    while (w->count == 0 && !w->is_over)
        pthread_cond_wait(&w->given, &w->mutex);
    if (w->count) {
        block = w->block[w->first];
        w->first = (w->first + 1) % w->limit;
        w->count--;
        pthread_cond_signal(&w->taken);
    }
    pthread_mutex_unlock(&w->mutex);
    return block;
}

static void *work(void *self)
{
    struct gs_worker *w = self;
    void *block;

    while ((block = block_next(w)))
        w->take(w->ctx, block);
    return NULL;
}

/* Signals are for the thread that was there before. */
static bool thread_start(struct gs_worker *w)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    rc = pthread_create(&w->thread, NULL, work, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0;
}

struct gs_worker *gs_worker_start(uint32_t limit,
                                  void (*take)(void *ctx, void *block),
                                  void *ctx)
{
    struct gs_worker *w = gs_array_new(1, sizeof(*w));

    assert(limit > 0 && take);
    w->take = take;
    w->ctx = ctx;
    w->limit = limit;
    w->block = gs_array_new(limit, sizeof(*w->block));
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->given, NULL);
    pthread_cond_init(&w->taken, NULL);
    w->has_thread = thread_start(w);
    return w;
}

void gs_worker_give(struct gs_worker *w, void *block)
{
    assert(w && block);
    if (!w->has_thread) {
        w->take(w->ctx, block);
        return;
    }
    pthread_mutex_lock(&w->mutex);
    assert(!w->is_over);
    while (w->count == w->limit)
        pthread_cond_wait(&w->taken, &w->mutex);
    w->block[(w->first + w->count++) % w->limit] = block;
    pthread_cond_signal(&w->given);
    pthread_mutex_unlock(&w->mutex);
}

void gs_worker_finish(struct gs_worker *w)
{
    if (!w)
        return;
    if (w->has_thread) {
        pthread_mutex_lock(&w->mutex);
        w->is_over = true;
        pthread_cond_signal(&w->given);
        pthread_mutex_unlock(&w->mutex);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->taken);
    pthread_cond_destroy(&w->given);
    pthread_mutex_destroy(&w->mutex);
    gs_array_free(w->block);
    gs_array_free(w);
}
