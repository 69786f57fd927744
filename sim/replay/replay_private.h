/* sim/replay/replay_private.h - the state of a run, shared by the files of this folder. */
#ifndef SIM_REPLAY_REPLAY_PRIVATE_H
#define SIM_REPLAY_REPLAY_PRIVATE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "policies/scheduler.h"
#include "sim/replay/deadlock.h"
#include "sim/replay/ending.h"
#include "sim/replay/event.h"
#include "sim/replay/observer.h"
#include "sim/replay/replay.h"
#include "sim/speed/speed.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* The latest simulated time; later events are clamped to it. */
#define SIM_LAST (INT64_C(1) << 62)

/* `by` us after `at`. */
static inline int64_t sim_later(int64_t at, int64_t by)
{
    return by < SIM_LAST - at ? at + by : SIM_LAST;
}

/* The scheduler refuses calls that contradict its state; the simulator makes
 * none.
 */
static inline void sim_accepted(int status)
{
    assert(status == 0);
    (void)status;
}

struct sim_job {
    int64_t start;           /* first start; -1: never */
    int64_t run_start;       /* of this attempt */
    int64_t saved;           /* us of work that it need not repeat */
    int64_t allocated_milli; /* GPU thousandths it holds */
    int64_t ran;             /* us in which it ran, this attempt aside */
    int64_t lost_us;         /* of `ran`: work repeated, or to be repeated */
    int64_t lost_gpu_us;
    int64_t noticed;  /* us of work that it saved when its node's end was
                         announced; with checkpoints */
    int64_t ready_at; /* when the GPUs cut for this attempt are, at best */
    uint32_t placed;  /* tasks */
    uint32_t created; /* tasks */
    uint32_t begun;   /* tasks, of a job with completions: started so far, */
    uint32_t ended;   /* ... and run to their end */
    uint32_t evictions, preemptions;
    uint32_t speed;   /* millionths, of this attempt as it is placed */
    uint32_t level;   /* as in struct report_job */
    uint32_t attempt; /* events of others are out of date */
    uint8_t state;    /* enum report_state */
    bool is_starting; /* its start is decided, not yet effective */
    bool is_touched;  /* in sim->touched */
};

/* Work and time outgrow 64 bits when multiplied. */
__extension__ typedef unsigned __int128 sim_wide;

/* A job's speed and its factors. */
struct sim_job_speed {
    uint32_t speed; /* millionths; nodes x model x tasks there are */
    uint32_t nodes; /* thousandths, by the slowest node's type */
    uint32_t model; /* millionths */
    enum report_speed_by by;
    bool scales;           /* with its tasks */
    uint32_t tasks, level; /* that run, within what */
};

/* The current segment of a running job, since its speed changed last. */
struct sim_run_segment {
    int64_t start;
    int64_t work;  /* us done before in this attempt ... */
    uint32_t rest; /* ... and millionths of one */
    struct sim_job_speed at;
};

/* What an eviction under way released so far. */
struct sim_evicted {
    uint32_t tasks;
    int64_t milli;
    int64_t us, gpu_us; /* that tasks which run by themselves had run: the
                           longest, and of all of them */
};

/* Tasks placed together of a job with completions, until they end. */
struct sim_run {
    int64_t placed_at;
    uint64_t devices;
    uint32_t job, node, tasks;
    uint32_t number; /* of the first of them, in the order of their starts */
    uint32_t next;   /* on the same node, earlier, or free; UINT32_MAX */
    uint32_t before; /* on the same node, later; UINT32_MAX */
    uint8_t slice;
    bool is_over; /* evicted or lost before its end */
};

struct sim {
    const struct topo *topo;
    const struct trace_workload *work;
    const struct gsched_profile *profile;
    const struct sim_options *options;
    const struct report_observer *const *observer;
    size_t observer_count;

    struct topo_cluster *cluster;
    struct gsched *sched;
    struct deadlock *deadlock;
    struct sim_nodes *nodes; /* NULL: no scenario */
    struct event_queue queue;
    struct sim_job *job;
    struct sim_run_segment *segment; /* [job]; NULL: no speed model */
    uint32_t next_submit;            /* job to be submitted next */
    int64_t first;                   /* us; the first submission */
    int64_t now;
    bool is_dirty;      /* something happened since the last cycle */
    int64_t busy_until; /* the scheduler decides until then */

    uint32_t *touched; /* jobs whose holdings changed in a cycle */
    uint32_t touched_count, touched_cap;
    uint32_t *episode; /* jobs of the deadlock reported last, rising */
    uint32_t episode_count, episode_cap;
    struct report_instant instant;
    int64_t *cut_at; /* [first_device of node + i] when that is cut; NULL */
    uint32_t *first_device; /* [node] among the devices of all nodes */
    int64_t told_waits[REPORT_CAUSES];
    struct sim_run *run; /* tasks that end by themselves */
    uint32_t run_count, run_cap, free_run;
    uint32_t *node_run; /* [node] the latest there; NULL: none ran yet */
    struct sim_evicted evicted;
    uint32_t *failing; /* evicted too often in this cycle */
    uint32_t failing_count, failing_cap;
    uint32_t share_dim; /* of the queues' shares: GPUs, else CPU */
    int64_t *queue_used, *queue_asked;
    uint32_t over; /* jobs that ended or were rejected */
    struct sim_ending ending;
    struct sim_stats stats;
};

/* job_speed.c */
/* A job is as fast as the slowest node that it stands on. */
struct sim_job_speed sim_job_speed_of(const struct sim *s, uint32_t job);
/* Time that so much work takes, rounded up; work done in so much time. */
int64_t sim_time_for(const struct sim_job *j, int64_t work);
int64_t sim_work_in(const struct sim_job *j, int64_t time);

/* run_segment.c: nothing is done without a speed model, unless stated */
/* The job starts: its speed is set, with or without a model. */
void sim_segment_open(struct sim *s, uint32_t job);
/* Before the job's allocations change, or the run ends. */
void sim_segment_close(struct sim *s, uint32_t job);
/* After a cycle that may have changed its allocations: set its speed and end. */
void sim_segment_change(struct sim *s, uint32_t job);
/* Work done in this attempt until now, with or without a model. */
int64_t sim_work_done(const struct sim *s, uint32_t job);
/* The job has work left, so that an event that says it ends is out of date. */
bool sim_segment_goes_on(const struct sim *s, uint32_t job);

/* task.c: tasks of jobs with completions */
/* The tasks run from now on, `delay` us late. */
void sim_run_begin(struct sim *s, const struct gsched_decision *d,
                   int64_t delay);
/* They were evicted or lost: they are to be run again. */
void sim_run_stop(struct sim *s, const struct gsched_decision *d);
/* The number of the first of the tasks, as observers are told: its place in the
 * group, or with completions its place in the order of starts.
 */
uint32_t sim_task_number(const struct sim *s, const struct gsched_decision *d);
/* They end, unless they were evicted since: false. */
bool sim_run_end(struct sim *s, uint32_t run);
/* Time for the rounds that are left, when each takes so long. */
int64_t sim_rounds_time(const struct sim *s, uint32_t job, int64_t each);

/* life.c: what events and decisions do to a job */
/* It is done. */
void sim_job_over(struct sim *s, uint32_t job);
void sim_job_submit(struct sim *s, uint32_t job);
void sim_job_task(struct sim *s, uint32_t job);
void sim_job_start(struct sim *s, uint32_t job);
/* By its estimate, which has an end, it needs `left` us more. */
void sim_job_estimate(struct sim *s, uint32_t job, int64_t left);
/* Its work is done in `left` us; one that is withdrawn serves until then,
 * however fast its nodes are.  Nothing for a job that runs for ever.
 */
void sim_end_push(struct sim *s, uint32_t job, int64_t left);
void sim_job_end(struct sim *s, uint32_t job);
void sim_job_leave(struct sim *s, uint32_t job);
/* Carry a decision out; `delay` us pass before it takes effect. */
void sim_job_decided(struct sim *s, const struct gsched_decision *d,
                     int64_t delay);
void sim_jobs_fail(struct sim *s);
/* Report a job without an end when the run ends. */
void sim_job_close(struct sim *s, uint32_t job);
/* Move the job, with its GPUs, to the totals of this state. */
void sim_state_set(struct sim *s, uint32_t job, enum report_state to);
/* GPU thousandths of the decision's tasks. */
int64_t sim_milli_of(const struct sim *s, const struct gsched_decision *d);
/* Add to the job's GPU thousandths. */
void sim_allocated_add(struct sim *s, struct sim_job *j, int64_t milli);
/* Note that the job's allocations changed in this cycle. */
void sim_touch(struct sim *s, uint32_t job);
/* A decision was taken that starts it, which is not yet effective. */
void sim_starting_set(struct sim *s, uint32_t job, bool is_starting);
enum sim_allocation_event {
    ALLOCATION_PLACED,
    ALLOCATION_RELEASED,
    ALLOCATION_HELD,
    ALLOCATION_RENUMBERED
};
void sim_tell_allocation(struct sim *s, const struct gsched_decision *d,
                         enum sim_allocation_event what);

/* evict.c */
/* The job released one allocation; sim_job_returned follows when none is left. */
void sim_job_gave_back(struct sim *s, const struct gsched_decision *d);
/* The job released all allocations: it waits again, or fails. */
void sim_job_returned(struct sim *s, const struct gsched_decision *d);
/* A task above the job's gang was evicted. */
void sim_job_shrank(struct sim *s, const struct gsched_decision *d);
/* These devices of the node (0: all of it) are lost, on which tasks of the job
 * stand, and with them all that it holds, unless its gang can do without.
 */
void sim_job_lost(struct sim *s, uint32_t job, uint32_t node, uint64_t devices);
/* Its node has been given notice: a job with checkpoints makes one. */
void sim_job_warned(struct sim *s, uint32_t job);

/* waits.c */
/* Time in us that the job waited so far, before its first start and after each
 * eviction, by enum report_cause; they add up to the time since its submission
 * in which it did not run.  NULL: unknown.  Valid until the next call.
 */
const int64_t *sim_job_waits(struct sim *s, uint32_t job);
/* Which modules refused it, into [GSCHED_GATES] of `out`: how many. */
uint32_t sim_job_refusals(struct sim *s, uint32_t job,
                          struct report_refusal *out);
/* The cause that the job waited for longest, of those times; of a job that
 * waits still, the one it waits for now; of one that was rejected, why.
 */
enum report_cause sim_job_cause(const struct sim *s, uint32_t job,
                                const int64_t *waits);
/* Time in which the job ran so far, in us. */
int64_t sim_job_ran(const struct sim *s, uint32_t job);

/* nodes.c: node events; nothing is done without a scenario */
void sim_nodes_open(struct sim *s);
void sim_nodes_free(struct sim *s);
void sim_nodes_event(struct sim *s, uint32_t index);
/* True when it is known that the cordoned node will be uncordoned, or the failed
 * device repaired.  `ctx`: the run.
 */
bool sim_node_returns(const void *ctx, uint32_t node, uint32_t device);
/* True while an event of the scenario, or the end of one, is still to come. */
bool sim_nodes_recorded(const struct sim *s);
/* True when the autoscaler, or failures and repairs at random, may help a waiting
 * job.
 */
bool sim_nodes_scaling(const struct sim *s);
bool sim_nodes_chance(const struct sim *s);

/* autoscaler.c */
/* Work out which nodes the autoscaler may add, and tell the detector of deadlocks
 * of each change.
 */
void sim_scale_expect(struct sim *s);
void sim_nodes_scale(struct sim *s);
void sim_nodes_tasks(struct sim *s, uint32_t node, uint32_t tasks, bool comes);

#endif /* SIM_REPLAY_REPLAY_PRIVATE_H */
