/* base/ring.h - a bounded queue of blocks between two threads: one puts them
 * in, the other takes them out in the same order.
 *
 * What the one wrote before it put a block in is seen by the other once that
 * has taken it, or has found the queue closed.
 */
#ifndef GS_RING_H
#define GS_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct gs_ring {
    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t given, taken;
    void **block; /* [limit] */
    uint32_t limit, first, count;
    bool is_closed;
};

/* A queue of at most `limit` (above 0) blocks. */
void gs_ring_open(struct gs_ring *r, uint32_t limit);
/* No thread may use it any more; blocks in it are the caller's to free. */
void gs_ring_free(struct gs_ring *r);
/* Put a block in; waits while the queue is full.  False: it is closed. */
bool gs_ring_put(struct gs_ring *r, void *block);
/* Take the next block out; waits while there is none.  NULL: the queue is
 * closed, and empty.
 */
void *gs_ring_take(struct gs_ring *r);
/* Nothing is put in from now on. */
void gs_ring_close(struct gs_ring *r);

/* Start a thread to which no signal is delivered: these are for the threads
 * that were there before.  False: the system has none left.
 */
bool gs_thread_start(pthread_t *thread, void *(*run)(void *ctx), void *ctx);

#endif /* GS_RING_H */
