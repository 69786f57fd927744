/* base/worker.h - a thread that takes blocks of work from a bounded queue.
 *
 * One thread gives blocks, the worker takes them in the same order. What the
 * giver wrote before it gave a block is seen by the worker; what the worker
 * wrote, by the giver after gs_worker_finish().
 */
#ifndef GS_WORKER_H
#define GS_WORKER_H

#include <stdint.h>

struct gs_worker; /* opaque */

/* Start a worker that calls `take` for each block; at most `limit` (above 0)
 * blocks wait for it. No signal is delivered to its thread. If the system has
 * no thread left, gs_worker_give() calls `take` itself.
 */
struct gs_worker *gs_worker_start(uint32_t limit,
                                  void (*take)(void *ctx, void *block),
                                  void *ctx);
/* Give a block, which now belongs to `take`; waits while the queue is full. */
void gs_worker_give(struct gs_worker *w, void *block);
/* Wait until all blocks are taken; ends the thread and frees `w`.  NULL is
 * fine.
 */
void gs_worker_finish(struct gs_worker *w);

#endif /* GS_WORKER_H */
