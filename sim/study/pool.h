/* sim/study/pool.h - many points, each in its own process, several at a time.
 *
 * A point has a copy of the data of the caller and may change it without effect
 * on others.  A point that crashes, is killed or runs out of memory is reported
 * like one that fails; the others go on.  The caller must not have a database
 * open: SQLite does not survive a fork.
 */
#ifndef STUDY_POOL_H
#define STUDY_POOL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_err;

#define STUDY_JOBS_MAX 1024u

struct study_pool {
    uint32_t jobs;  /* at a time, 1 to STUDY_JOBS_MAX */
    uint32_t count; /* points, begun in their order */
    size_t answer;  /* bytes of the answer of a point, may be 0 */
    /* Called in the process of the caller before point `i` begins; may be NULL.
     * -1 ends the others.
     */
    int (*begin)(void *ctx, uint32_t i, struct gs_err *err);
    /* May point `i` begin already?  It is asked again when a process ends or
     * sends SIGCHLD; it must not be false while no point runs.  May be NULL.
     */
    bool (*may_begin)(void *ctx, uint32_t i);
    /* Called in its own process: runs point `i`; `answer` is zeroed. */
    int (*point)(void *ctx, uint32_t i, void *answer, struct gs_err *err);
    /* Called in the process of the caller when a point is over, in any order.
     * `failure` is NULL on success, and always with `needs_all`.  -1 ends the
     * others.
     */
    int (*over)(void *ctx, uint32_t i, const void *answer,
                const struct gs_err *failure, struct gs_err *err);
    /* Called now and then, and after each point; may be NULL. */
    void (*tick)(void *ctx);
    void *ctx;
    bool needs_all; /* a failed point ends the others; the failure of the
                       first point is reported */
    int signal;     /* out: the signal that ended it, SIGINT, SIGTERM or SIGHUP;
                   or 0 */
};

/* Run all points.  -1 when a callback returned -1, a needed point failed, the
 * system could not start a process, or on a signal; no process is left then.
 */
int study_pool_run(struct study_pool *p, struct gs_err *err);

/* Set *set to SIGINT, SIGTERM and SIGHUP, except those that the parent, such as
 * nohup, ignores.
 */
void study_signals_heeded(sigset_t *set);

/* The number of cores. */
uint32_t study_pool_cores(void);

#endif /* STUDY_POOL_H */
