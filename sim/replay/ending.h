/* sim/replay/ending.h - when a replay is over.
 *
 * A replay goes on as long as an event that is known to come can help a job:
 *
 * 1. Events of limited number are always awaited: submissions (of jobs whose
 * dependencies are met), creations of tasks, withdrawals, and, while a job
 * waits, events of the scenario file and their ends. 2. A job with an end that
 * runs, or is about to, is awaited, unless such jobs lose their runs again and
 * again and none has run undisturbed since the last progress. 3. Events without
 * limit are awaited as long as they may help and not too many of them were in
 * vain since the last progress: cycles that the scheduler asked for (gang
 * timeouts, planned starts) and, while a job waits, nodes of the autoscaler and
 * random events: repairs, and failures (which release what a partially
 * allocated job or a service holds).  Random events are awaited for as long as
 * the run took until then, and at least for 64 mean repair times.  In a run
 * with a stated end neither is limited, and services that run go on.
 *
 * Progress is a submission, a created task, saved work, or the end of a job.  A
 * replay that ends although jobs would be evicted and start again for ever is a
 * livelock.  A replay that awaited random events for long enough reports that,
 * too.
 */
#ifndef SIM_REPLAY_ENDING_H
#define SIM_REPLAY_ENDING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/replay/replay.h"

struct sim;

/* Weights of events in vain.  A random loss proves little, and so does an
 * instant at which an event had no effect.
 */
#define SIM_VAIN_EVICTION 16u
#define SIM_VAIN_LOSS 1u

struct sim_ending {
    uint32_t active;      /* jobs with an end that run or are about to start */
    uint32_t creating;    /* jobs, not over, with tasks to be created */
    uint32_t leaving;     /* jobs, not over, that will be withdrawn */
    int64_t progress_at;  /* us; the last progress */
    int64_t quiet_at;     /* us; since when only rule 3 keeps the run going;
                             -1 */
    int64_t chance_least; /* us; 64 mean repair times */
    uint64_t vain;        /* weight of events in vain since the last progress */
    uint64_t vain_runs;   /* lost runs since the last progress */
    uint64_t vain_most;   /* limit of each of these */
    uint64_t runs_most;   /* vain_runs at the next check for undisturbed jobs */
    bool has_evicted;     /* the scheduler evicted in vain since the last
                             progress */
    enum sim_ended ended; /* why the run is over, once it is */
};

/* The job was submitted; the job is over, or rejected; all tasks of a job
 * exist.
 */
void sim_ending_submitted(struct sim *s, uint32_t job);
void sim_ending_job_over(struct sim *s, uint32_t job);
void sim_ending_created(struct sim *s);
/* A job with an end started or is about to (by 1), or stopped (-1); no effect
 * for services.
 */
void sim_ending_active(struct sim *s, uint32_t job, int by);

void sim_ending_progress(struct sim *s);
/* A job was evicted, after it ran (`ran`) or not; `weight` is SIM_VAIN_*. */
void sim_ending_vain(struct sim *s, bool ran, unsigned weight);

/* True when only ends of running jobs are known to come.  A deadlock that these
 * cannot end is endless, whenever the replay stops.
 */
bool sim_ending_nothing_comes(const struct sim *s);

/* True when the replay is over although the next event or cycle is due at `at`
 * (us; SIM_FOREVER: none).  Called once for each instant.
 */
bool sim_ending_reached(struct sim *s, int64_t at);

#endif /* SIM_REPLAY_ENDING_H */
