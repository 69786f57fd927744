/* reports/store/deadlocks.h - stored deadlocks as texts: begin, jobs, and the
 * GPUs or tasks that each job held and lacked at that time.
 */
#ifndef REPORTS_STORE_DEADLOCKS_H
#define REPORTS_STORE_DEADLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct gs_arena;
struct gs_err;
struct report_store;

struct report_deadlocked {
    int64_t job;
    const char *name; /* clean text */
    /* At the begin of the episode: GPUs (in_gpus) or tasks. */
    int64_t held, lacked;
    bool in_gpus;
    bool is_known; /* placements were stored, so both are known */
};

struct report_deadlock {
    int64_t episode, start, end; /* us; end -1: not ended */
    bool is_endless;             /* no event known to come could end it;
                                    false without an end: the run was cut off
                                    before */
    struct report_deadlocked *job;
    uint32_t jobs;
};

/* The episodes of a run, of all jobs or with `job` among them (-1: all), in
 * time and in `arena`.  -1 on failure.
 */
int report_deadlocks_read(struct report_store *s, int64_t run, int64_t job,
                          struct gs_arena *arena, struct report_deadlock **out,
                          uint32_t *count, struct gs_err *err);

/* "deadlocked since 4s for ever; left holds 5 GPUs and lacks 3, right holds 5
 * and lacks 3", of each of `count`, in `arena`.
 */
const char **report_deadlock_texts(const struct report_deadlock *d,
                                   uint32_t count, struct gs_arena *arena);

#endif /* REPORTS_STORE_DEADLOCKS_H */
