/* sim/replay.h - replay a workload on a cluster under a profile. */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include <stddef.h>
#include <stdint.h>

struct gs_err;
struct gsched_profile;
struct report_observer;
struct sim_speed;
struct sim_world;
struct topo;
struct trace_workload;

#define SIM_FOREVER INT64_MAX

struct sim_options {
    uint64_t seed;
    const struct sim_speed *speed; /* NULL: 1 but for the node types' */
    int64_t until;                 /* us; SIM_FOREVER: to the last event */
    /* What happens to nodes; NULL: nothing.  The run ends when nothing happens
     * to jobs any more, whatever nodes do.
     */
    const struct sim_world *world;
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

struct sim_stats {
    uint64_t cycles;    /* scheduling cycles run */
    uint64_t decisions; /* taken in them */
    uint64_t tasks;     /* placed */
    int64_t cycle_us;   /* spent in them, by sim_options.clock */
    int64_t end;        /* simulated time of the last event */
};

/* Run to the end, telling each of `count` observers.  -1 when the profile
 * does not suit the cluster; nothing was observed then.
 */
int sim_replay(const struct topo *t, const struct trace_workload *w,
               const struct gsched_profile *p, const struct sim_options *o,
               const struct report_observer *const *observer, size_t count,
               struct sim_stats *stats, struct gs_err *err);

#endif /* SIM_REPLAY_H */
