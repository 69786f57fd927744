/* sim/study/turns.h - runs made at once, stored one after another.
 *
 * Each run has a process of its own (sim/study/pool.h).  It is made there
 * beside others, waits until the runs before it are stored, and is stored: the
 * database, and the caller, see the runs in their order, as if they had been
 * made one after another.  After a failure no later run is stored.
 *
 * A run that waits to be stored does not keep the next one from being made, as
 * long as not more than `jobs` wait.
 */
#ifndef STUDY_TURNS_H
#define STUDY_TURNS_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct study_turn; /* opaque: of one run, shared by the processes */

struct study_turns {
    uint32_t jobs;  /* runs made at a time, 1 to STUDY_JOBS_MAX */
    uint32_t count; /* runs */
    size_t answer;  /* bytes of the answer of a run, may be 0 */
    /* Called in the process of run `i`; `answer` is zeroed.  What it leaves in
     * `ctx` is for the `store` of this run alone.
     */
    int (*make)(void *ctx, uint32_t i, void *answer, struct gs_err *err);
    /* Called there, when all runs before it are stored. */
    int (*store)(void *ctx, uint32_t i, struct gs_err *err);
    /* Called in the process of the caller, in the order of the runs, when run
     * `i` is stored.
     */
    void (*over)(void *ctx, uint32_t i, const void *answer);
    /* Called there now and then, with the sum of all study_turns_step(); may be
     * NULL.
     */
    void (*tick)(void *ctx, uint64_t steps);
    void *ctx;
    int signal; /* out: as that of a pool */
    struct study_turn *turn;
};

/* Make and store all runs.  -1 on the failure of the first run that failed, or
 * as study_pool_run() fails; then the runs before it are stored, and `over` was
 * called for them, unless a signal ended it.
 */
int study_turns_run(struct study_turns *t, struct gs_err *err);

/* For `make`: run `i` is at `steps` now. */
void study_turns_step(const struct study_turns *t, uint32_t i, uint32_t steps);

#endif /* STUDY_TURNS_H */
