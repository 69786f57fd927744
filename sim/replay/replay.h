/* sim/replay/replay.h - replay a workload on a cluster under a profile. */
#ifndef SIM_REPLAY_REPLAY_H
#define SIM_REPLAY_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/replay/observer.h"
#include "sim/scenario/scenario.h"

struct gs_err;
struct gsched;
struct gsched_decision;
struct gsched_profile;
struct report_observer;
struct sim_speed;
struct topo;
struct trace_workload;

/* Looks at the schedulers at one instant, before and after each of their
 * cycles; it must not change what they decide before the end of the run.
 */
struct sim_watch {
    void *self;
    int64_t at;
    void (*before)(void *self, struct gsched *s);
    void (*after)(void *self, struct gsched *s, const struct gsched_decision *d,
                  uint32_t count);
    /* When the run ends, with the only scheduler, or the first of them; NULL:
     * not called.
     */
    void (*ended)(void *self, int64_t now, struct gsched *s);
};

struct sim_options {
    const char *source; /* of the workload, for messages; NULL */
    uint64_t seed;
    const struct sim_speed *speed; /* NULL: speeds of the node types only */
    /* us.  The run ends exactly at `until`; with SIM_FOREVER when nothing can
     * help a job any more, but not before `through`.
     */
    int64_t until, through;
    /* Node events; NULL: none.  See sim/replay/ending.h for when a run ends. */
    const struct sim_scenario *scenario;
    /* For tests that sim/replay/ending.h ends no run too early: end only at
     * `until` or when no event is left.
     */
    bool is_patient;
    /* Called now and then with the simulated time and the number of jobs
     * submitted and of jobs over; NULL: never.
     */
    void (*progress)(void *ctx, int64_t now, uint32_t submitted, uint32_t over);
    void *progress_ctx;
    const struct sim_watch *watch; /* NULL: none */
    /* A clock in microseconds, to time cycles; NULL: none.  Its values affect
     * only sim_stats.
     */
    int64_t (*clock)(void);
};

/* Why a run ended; sim/replay/ending.h is the rule. */
enum sim_ended {
    SIM_ENDED_DONE,     /* nothing more could help any job */
    SIM_ENDED_UNTIL,    /* at the stated time */
    SIM_ENDED_CHANCE,   /* only random events might still help a pending job */
    SIM_ENDED_LIVELOCK, /* jobs were evicted and started again, without
                           progress */
};

/* A replay of the record. */
struct sim_recorded_stats {
    uint32_t runs;      /* that were started */
    uint32_t late;      /* ... later than recorded, since nothing had room */
    uint32_t unknown;   /* ... whose nodes are not on record */
    uint32_t elsewhere; /* ... whose nodes had no room */
    uint32_t waiting;   /* runs that should have started when the run ended */
    uint32_t without;   /* jobs without a record, which never start */
    int64_t latest;     /* us; of `late` */
};

struct sim_stats {
    struct sim_recorded_stats recorded;
    uint64_t cycles;    /* scheduling cycles run */
    uint64_t decisions; /* taken in them */
    uint64_t tasks;     /* placed */
    int64_t cycle_us;   /* spent in them, by sim_options.clock */
    int64_t end;        /* simulated time at which the run ended */
    enum sim_ended ended;
};

/* Run the replay and report its events to each of `count` observers.  -1 when
 * the profile does not suit the cluster; then nothing was reported.
 */
int sim_replay(const struct topo *t, const struct trace_workload *w,
               const struct gsched_profile *p, const struct sim_options *o,
               const struct report_observer *const *observer, size_t count,
               struct sim_stats *stats, struct gs_err *err);

/* The cause of a wait as reports name it, of an enum gsched_cause. */
enum report_cause sim_cause_of(unsigned cause);

#endif /* SIM_REPLAY_REPLAY_H */
