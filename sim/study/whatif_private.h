/* sim/study/whatif_private.h - the points of a line, whatif_point.c. */
#ifndef STUDY_WHATIF_PRIVATE_H
#define STUDY_WHATIF_PRIVATE_H

#include <stddef.h>

#include "sim/study/whatif.h"

/* Points of a line to replay: those with the values at[] of the first axis. */
struct whatif_batch {
    struct whatif *w;
    struct whatif_line *line;
    const uint32_t *at;
    struct gs_err *err;
};

/* Bytes of an answer, and callbacks for a struct study_pool with needs_all; the
 * context is a struct whatif_batch.
 */
size_t whatif_answer_size(const struct whatif *w);
int whatif_point_replay(void *ctx, uint32_t i, void *answer,
                        struct gs_err *err);
int whatif_point_over(void *ctx, uint32_t i, const void *answer,
                      const struct gs_err *failure, struct gs_err *err);

#endif /* STUDY_WHATIF_PRIVATE_H */
