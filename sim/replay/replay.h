/* sim/replay/replay.h - replay a workload on a cluster under a profile. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/scenario/scenario.h"

struct gs_err;
struct gsched_profile;
struct report_observer;
struct sim_speed;
struct topo;
struct trace_workload;

struct sim_options {
    uint64_t seed;
    const struct sim_speed *speed; /* NULL: 1 but for the node types' */
    /* us.  The run ends at `until`, though nothing happens then; with
     * SIM_FOREVER when nothing can help a job any more, but not before `through`.
     */
    int64_t until, through;
    /* What happens to nodes; NULL: nothing.  The run ends when nothing that
     * is known to come can help a job any more (sim/replay/ending.h).
     */
    const struct sim_scenario *scenario;
    /* End at `until` or when no event is left, and not before: shows in tests
     * that sim/replay/ending.h ends no run too early.
     */
    bool is_patient;
    /* Called now and then with the simulated time and the jobs that were
     * submitted and are over; NULL: never.
     */
    void (*progress)(void *ctx, int64_t now, uint32_t submitted, uint32_t over);
    void *progress_ctx;
    /* Reads a clock in microseconds, to time cycles; NULL: do not.  What it
     * says touches nothing but sim_stats.
     */
    int64_t (*clock)(void);
};

/* Why a run ended; sim/replay/ending.h is the rule. */
enum sim_ended {
    SIM_ENDED_DONE,     /* nothing more could help any job */
    SIM_ENDED_UNTIL,    /* at the stated time */
    SIM_ENDED_CHANCE,   /* only chance might still help a job that waits */
    SIM_ENDED_LIVELOCK, /* jobs gave back and began anew, without progress */
};

struct sim_stats {
    uint64_t cycles;    /* scheduling cycles run */
    uint64_t decisions; /* taken in them */
    uint64_t tasks;     /* placed */
    int64_t cycle_us;   /* spent in them, by sim_options.clock */
    int64_t end;        /* simulated time at which the run ended */
    enum sim_ended ended;
};

/* Run to the end, telling each of `count` observers.  -1 when the profile
 * does not suit the cluster; nothing was observed then.
 */
int sim_replay(const struct topo *t, const struct trace_workload *w,
               const struct gsched_profile *p, const struct sim_options *o,
               const struct report_observer *const *observer, size_t count,
               struct sim_stats *stats, struct gs_err *err);

#endif /* SIM_REPLAY_REPLAY_H */
