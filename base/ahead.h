/* base/ahead.h - a thread that fills blocks before they are asked for.
 *
 * The blocks go round: those that were read are filled again, in the thread, so
 * that what is in them is made and freed there.
 */
#ifndef GS_AHEAD_H
#define GS_AHEAD_H

#include <stdbool.h>

struct gs_ahead; /* opaque */

#define GS_AHEAD_BLOCKS 4u

/* Start a thread that calls `fill` for one of these blocks after the other,
 * until it returns false: the block is the last.  NULL: the system has no
 * thread left.
 */
struct gs_ahead *gs_ahead_start(void *block[GS_AHEAD_BLOCKS],
                                bool (*fill)(void *ctx, void *block),
                                void *ctx);
/* The next block, which may be read until the next call; waits for it.  NULL:
 * the one before was the last, and the thread does nothing more.
 */
void *gs_ahead_next(struct gs_ahead *a);
/* End the thread, wherever it is, and free `a`; NULL is fine. */
void gs_ahead_finish(struct gs_ahead *a);

#endif /* GS_AHEAD_H */
