/* sim/replay/ending.h - when a replay is over.
 *
 * A replay goes on as long as anything that is known to come can help a job:
 *
 * 1. Of some things there are only so many: submissions, tasks to be created,
 *    withdrawals, and, while a job waits, events of the scenario file and their
 *    ends.  They are always waited for.
 * 2. A job with an end that runs, or is about to, is waited for, unless such
 *    jobs lose their runs again and again, and none was left alone since the
 *    last progress.
 * 3. What may go on for ever is waited for as long as it may help, and not too
 *    much of it was in vain since the last progress: cycles that the scheduler
 *    asked for (gang timeouts, planned starts) and, while a job waits, nodes of
 *    the autoscaler, and chance: repairs at random, and failures at random
 *    (which free what a partly placed job or a service holds).  Chance is waited
 *    for as long as the run took until then, and at least 64 mean repair times.
 *    In a run with a stated end neither is limited, and services that run go on.
 *
 * Progress is a submission, a task created, work saved, a job's end.  A replay
 * that ends although jobs would give back and begin anew for ever is a
 * livelock.  One that waited for chance for long enough says so, too.
 */
#ifndef SIM_REPLAY_ENDING_H
#define SIM_REPLAY_ENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/replay/replay.h"

struct sim;

/* What happened in vain counts so much.  A loss by chance proves little, and
 * so does an instant at which nothing came of an event.
 */
#define SIM_VAIN_EVICTION 16u
#define SIM_VAIN_LOSS 1u

struct sim_ending {
    uint32_t active;      /* jobs with an end that run or are about to */
    uint32_t creating;    /* jobs, not over, with tasks to be created */
    uint32_t leaving;     /* jobs, not over, that will be withdrawn */
    int64_t progress_at;  /* us; the last progress */
    int64_t quiet_at;     /* us; since then rule 3 alone goes on; -1 */
    int64_t chance_least; /* us; 64 mean repair times */
    uint64_t vain;        /* since then: what may go on for ever */
    uint64_t vain_runs;   /* since then: runs that were lost */
    uint64_t vain_most;   /* so much of either is enough */
    uint64_t runs_most;   /* vain_runs at the next look for jobs left alone */
    bool has_evicted;     /* since then: in vain, by the scheduler */
    enum sim_ended ended; /* why, once it is */
};

/* The job was submitted; it is over, or rejected; all its tasks exist. */
void sim_ending_submitted(struct sim *s, uint32_t job);
void sim_ending_job_over(struct sim *s, uint32_t job);
void sim_ending_created(struct sim *s);
/* A job that has an end came to run or to be about to (by 1), or stopped (-1);
 * nothing for services.
 */
void sim_ending_active(struct sim *s, uint32_t job, int by);

void sim_ending_progress(struct sim *s);
/* A job gave back, having run (`ran`) or not, by `weight`: SIM_VAIN_*. */
void sim_ending_vain(struct sim *s, bool ran, unsigned weight);

/* Is nothing known to come but the ends of jobs that run?  Then what these
 * cannot end lasts for ever, whenever the replay stops.
 */
bool sim_ending_nothing_comes(const struct sim *s);

/* Is the replay over, though the next event or cycle is due at `at` (us;
 * SIM_FOREVER: none)?  Asked once an instant.
 */
bool sim_ending_reached(struct sim *s, int64_t at);

#endif /* SIM_REPLAY_ENDING_H */
