/* sim/study/pool.h - many points, each in a process of its own, several at a
 * time.
 *
 * A point sees what the caller had read, changes it as it likes, and no
 * other notices; one that crashes, is killed or runs out of memory is reported
 * like one that fails, and the others go on.  No database may be open in the
 * caller meanwhile: SQLite does not survive a fork.
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
    size_t answer;  /* bytes that a point hands back, may be 0 */
    /* In the caller's process, before point `i` begins; may be NULL.  -1 ends
     * the others.
     */
    int (*begin)(void *ctx, uint32_t i, struct gs_err *err);
    /* In a process of its own: point `i`; `answer` is zeroed. */
    int (*point)(void *ctx, uint32_t i, void *answer, struct gs_err *err);
    /* In the caller's again, as each is over, in any order: `failure` is NULL
     * when it did what it should, as always where `needs_all` is set.  -1 ends
     * the others.
     */
    int (*over)(void *ctx, uint32_t i, const void *answer,
                const struct gs_err *failure, struct gs_err *err);
    /* Every now and then, and after each point; may be NULL. */
    void (*tick)(void *ctx);
    void *ctx;
    bool needs_all; /* a point that fails ends the others; of several failures
                       that of the first point is the pool's */
    int signal; /* out: which ended it, of SIGINT, SIGTERM and SIGHUP; or 0 */
};

/* -1 when `over` said so, when a point failed that was needed, when the system
 * would not start a process, or on a signal; the processes are gone then, too.
 */
int study_pool_run(struct study_pool *p, struct gs_err *err);

/* SIGINT, SIGTERM and SIGHUP without those that the parent, such as nohup,
 * asked to ignore.
 */
void study_signals_heeded(sigset_t *set);

/* As many as there are cores. */
uint32_t study_pool_cores(void);

#endif /* STUDY_POOL_H */
