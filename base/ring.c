/* base/ring.c - see ring.h. */
#include "base/ring.h"

#include <assert.h>
#include <signal.h>

#include "base/array.h"

void gs_ring_open(struct gs_ring *r, uint32_t limit)
{
    assert(limit > 0);
    *r = (struct gs_ring){ .limit = limit };
    r->block = gs_array_new(limit, sizeof(*r->block));
    pthread_mutex_init(&r->mutex, NULL);
    pthread_cond_init(&r->given, NULL);
    pthread_cond_init(&r->taken, NULL);
}

void gs_ring_free(struct gs_ring *r)
{
    pthread_cond_destroy(&r->taken);
    pthread_cond_destroy(&r->given);
    pthread_mutex_destroy(&r->mutex);
    gs_array_free(r->block);
}

bool gs_ring_put(struct gs_ring *r, void *block)
{
    bool is_open;

    assert(block);
    pthread_mutex_lock(&r->mutex);
    while (r->count == r->limit && !r->is_closed)
        pthread_cond_wait(&r->taken, &r->mutex);
    is_open = !r->is_closed;
    if (is_open) {
        r->block[(r->first + r->count++) % r->limit] = block;
        pthread_cond_signal(&r->given);
    }
    pthread_mutex_unlock(&r->mutex);
    return is_open;
}

void *gs_ring_take(struct gs_ring *r)
{
    void *block = NULL;

    pthread_mutex_lock(&r->mutex);
    while (r->count == 0 && !r->is_closed)
        pthread_cond_wait(&r->given, &r->mutex);
    if (r->count) {
        block = r->block[r->first];
        r->first = (r->first + 1) % r->limit;
        r->count--;
        pthread_cond_signal(&r->taken);
    }
    pthread_mutex_unlock(&r->mutex);
    return block;
}

void gs_ring_close(struct gs_ring *r)
{
    pthread_mutex_lock(&r->mutex);
    r->is_closed = true;
    pthread_cond_signal(&r->given);
    pthread_cond_signal(&r->taken);
    pthread_mutex_unlock(&r->mutex);
}

bool gs_thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx)
{
    sigset_t all, before;
    int rc;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    rc = pthread_create(thread, NULL, run, ctx);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0;
}
