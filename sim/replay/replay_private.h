/* sim/replay/replay_private.h - the state of a run, shared by the files of this
 * folder.
 */
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
#include "sim/replay/held.h"
#include "sim/replay/observer.h"
#include "sim/replay/quota.h"
#include "sim/replay/recording.h"
#include "sim/replay/replay.h"
#include "sim/replay/schedulers.h"
#include "sim/replay/tell.h"
#include "sim/replay/warm.h"
#include "sim/speed/speed.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* The latest simulated time; later events are clamped to it. */
#define SIM_LAST (INT64_C(1) << 62)

/* `by` us after `at`, at most SIM_LAST. */
static inline int64_t sim_later(int64_t at, int64_t by)
{
    return by < SIM_LAST - at ? at + by : SIM_LAST;
}

/* Assert that the scheduler accepted a call: the simulator makes no invalid
 * ones.
 */
static inline void sim_accepted(int status)
{
    assert(status == 0);
    (void)status;
}

/* The part since time 0 of what began at `at`. */
static inline int64_t sim_in_run(int64_t at)
{
    return at > 0 ? at : 0;
}

#define SIM_REFUSALS (GSCHED_GATES + 1)

struct sim_job {
    int64_t eligible;        /* when it was submitted to the scheduler; -1: not
                                yet */
    int64_t start;           /* first start; -1: never */
    int64_t run_start;       /* of this attempt; below 0: it ran before */
    int64_t allocated_milli; /* GPU thousandths it holds */
    int64_t ran;             /* run time in us, without the present attempt */
    int64_t ready_at; /* when the GPUs cut for this attempt are ready, at the
                         earliest */
    uint32_t placed;  /* tasks */
    uint32_t due;     /* tasks that should exist by now */
    uint32_t created; /* tasks that do: as many as its quotas allow; 0: the
                         scheduler does not know the job yet */
    uint32_t begun;   /* of a job with completions: tasks started so far */
    uint32_t ended;   /* ... and tasks completed */
    uint32_t evictions, preemptions;
    uint32_t speed;     /* millionths, by the present placement */
    uint32_t level;     /* as in struct report_job */
    uint32_t attempt;   /* events of other attempts are out of date */
    uint32_t past;      /* index into sim->past; 0: nothing */
    uint8_t state;      /* enum report_state */
    bool is_starting;   /* its start is decided, not yet effective */
    bool is_touched;    /* in sim->touched */
    bool is_given_back; /* all of it, in this cycle, by a conflict */
};

/* The state of jobs, by job, see lives.c. */
struct sim_lives {
    uint32_t *of; /* [job] index into at[] */
    struct sim_job *at;
    uint32_t count, cap;
    uint32_t free;  /* list of free entries; 0: none */
    uint32_t *over; /* jobs over in this instant */
    uint32_t over_count, over_cap;
};

/* What a job keeps of attempts that ended early; few jobs have any. */
struct sim_job_past {
    int64_t saved;   /* us of saved work, which need not be repeated */
    int64_t lost_us; /* part of `ran` that is repeated or to be repeated */
    int64_t lost_gpu_us;
    int64_t noticed; /* us of work that it saved at the notice of its node;
                        with checkpoints */
};

/* The product of work and time needs more than 64 bits. */
__extension__ typedef unsigned __int128 sim_wide;

/* A job's speed and its factors. */
struct sim_job_speed {
    uint32_t speed; /* millionths; nodes x model x factor of the tasks */
    uint32_t nodes; /* thousandths, by the type of the slowest node */
    uint32_t model; /* millionths */
    enum report_speed_by by;
    bool scales;           /* with the number of its tasks */
    uint32_t tasks, level; /* running tasks; level of their subtree */
};

/* The current run segment of a job: since the last change of its speed. */
struct sim_run_segment {
    int64_t start;
    int64_t work;  /* us of work done before in this attempt ... */
    uint32_t rest; /* ... and millionths of a us */
    struct sim_job_speed at;
};

/* Sums over the allocations released by an eviction in progress. */
struct sim_evicted {
    uint32_t tasks;
    int64_t milli;
    int64_t us, gpu_us; /* run time of tasks with completions: the longest,
                           and the sum */
};

/* Tasks of a job with completions that were placed together. */
struct sim_run {
    int64_t placed_at;
    uint64_t devices;
    uint32_t job, node, tasks;
    uint32_t number; /* number of the first task, in order of starts */
    uint32_t next;   /* list of the node, earlier; or the free list;
                        UINT32_MAX */
    uint32_t before; /* list of the node, later; UINT32_MAX */
    uint8_t slice;
    bool is_over; /* evicted or lost before its end */
};

struct gs_err;

struct sim {
    const struct topo *topo;
    const struct trace_workload *work;
    const struct sim_options *options;
    const struct report_observer *const *observer;
    size_t observer_count;

    struct topo_cluster *cluster;
    struct sim_schedulers schedulers;
    struct deadlock *deadlock;
    struct sim_nodes *nodes; /* NULL: no scenario */
    struct event_queue queue;
    struct sim_lives lives;
    struct sim_job_past *past; /* 0 is that of all jobs that have none */
    uint32_t past_count, past_cap;
    struct sim_run_segment *segment; /* [job]; NULL: no speed model */
    uint32_t next_submit;            /* job to be submitted next */
    int64_t first;                   /* us; the first submission */
    int64_t now;
    bool is_dirty; /* an event happened since the last cycle */

    uint32_t *touched; /* jobs whose holdings changed in a cycle */
    uint32_t touched_count, touched_cap;
    uint32_t *episode; /* jobs of the last reported deadlock, ascending */
    uint32_t episode_count, episode_cap;
    struct report_instant instant;
    int64_t *cut_at; /* [first_device of node + i] when the device is cut;
                        NULL */
    uint32_t *first_device; /* [node] index of its first device */
    int64_t told_waits[REPORT_CAUSES];
    int64_t told_quota;  /* part of told_waits: by quotas of the trace */
    struct sim_run *run; /* tasks that end by themselves */
    uint32_t run_count, run_cap, free_run;
    uint32_t *node_run; /* [node] the latest on the node; NULL: none ran yet */
    struct sim_evicted evicted;
    struct sim_warm warm; /* until they are adopted */
    uint32_t *failing;    /* jobs evicted too often in this cycle */
    uint32_t failing_count, failing_cap;
    uint32_t share_dim; /* dimension of queue shares: GPUs, else CPU */
    int64_t *queue_used, *queue_asked;
    struct free_rest {
        int64_t milli;
        uint64_t division; /* that it is of; 0: none */
    } * class_rest;        /* [class] scratch of free_gpus.c */
    uint64_t divisions;
    uint32_t over; /* jobs that ended or were rejected */
    struct sim_ending ending;
    struct sim_recording recording;
    struct sim_held held;
    struct sim_quotas quotas;
    struct sim_start_costs *start_costs; /* NULL: starting costs nothing */
    struct sim_stats stats;
};

/* The state of the job; of one that is not submitted yet, or was over before
 * this instant, that of all such jobs, to be read only.  Valid until the next
 * submission.
 */
static inline struct sim_job *sim_life(const struct sim *s, uint32_t job)
{
    return &s->lives.at[s->lives.of[job]];
}

static inline const struct sim_job_past *sim_past(const struct sim *s,
                                                  uint32_t job)
{
    return &s->past[sim_life(s, job)->past];
}

/* The scheduler of the job. */
static inline struct gsched *sim_sched(const struct sim *s, uint32_t job)
{
    const struct sim_schedulers *all = &s->schedulers;

    return all->at[all->of_job ? all->of_job[job] : 0].sched;
}

/* The profile of that scheduler. */
static inline const struct gsched_profile *sim_profile(const struct sim *s,
                                                       uint32_t job)
{
    const struct sim_schedulers *all = &s->schedulers;

    return all->at[all->of_job ? all->of_job[job] : 0].profile;
}

/* lives.c */
void sim_lives_open(struct sim *s);
void sim_lives_free(struct sim *s);
/* The job is submitted now: it has a state of its own. */
struct sim_job *sim_life_begin(struct sim *s, uint32_t job);
/* It is over: its state may be forgotten at the end of the instant. */
void sim_life_end(struct sim *s, uint32_t job);
void sim_lives_forget(struct sim *s);

/* expected.c: no effect but on time */
/* Fetch memory of the jobs that end next; and the rest of it of the job that
 * ends now.
 */
void sim_ends_expect(const struct sim *s);
void sim_end_reach(const struct sim *s);

/* start_cost.c */
void sim_start_costs_open(struct sim *s);
void sim_start_costs_free(struct sim *s);
/* The tasks of the decision were placed: their job is ready no earlier than
 * they are.
 */
void sim_start_cost(struct sim *s, const struct gsched_decision *d);
/* Time from when all tasks of the job's gang are ready until it runs. */
int64_t sim_start_meet(const struct sim *s, uint32_t job);

/* job_speed.c */
/* The speed of the job at its present placement: that of its slowest node. */
struct sim_job_speed sim_job_speed_of(const struct sim *s, uint32_t job);
/* The time for `work`, rounded up; the work done in `time`. */
int64_t sim_time_for(const struct sim_job *j, int64_t work);
int64_t sim_work_in(const struct sim_job *j, int64_t time);

/* run_segment.c: no effect without a speed model, unless stated */
/* The job starts: set its speed, with or without a model. */
void sim_segment_open(struct sim *s, uint32_t job);
/* Call it before the allocations of the job change, or the run ends. */
void sim_segment_close(struct sim *s, uint32_t job);
/* Call it after a cycle that may have changed its allocations: sets its speed
 * and its end.
 */
void sim_segment_change(struct sim *s, uint32_t job);
/* Work done in this attempt until now, with or without a model. */
int64_t sim_work_done(const struct sim *s, uint32_t job);
/* True when the job has work left: an event of its end is out of date. */
bool sim_segment_goes_on(const struct sim *s, uint32_t job);

/* warm.c: jobs that run when time begins */
int sim_warm_open(struct sim *s, struct gs_err *err);
void sim_warm_begin(struct sim *s);

/* task.c: tasks of jobs with completions */
/* The tasks start, `delay` us from now. */
void sim_run_begin(struct sim *s, const struct gsched_decision *d,
                   int64_t delay);
/* The tasks were evicted or lost; they will run again. */
void sim_run_stop(struct sim *s, const struct gsched_decision *d);
/* The number of the first task, as reported to observers: its position in the
 * group, or with completions its position in the order of starts.
 */
uint32_t sim_task_number(const struct sim *s, const struct gsched_decision *d);
/* The tasks end; false: they were evicted before. */
bool sim_run_end(struct sim *s, uint32_t run);
/* Time for the remaining rounds, when each takes `each` us. */
int64_t sim_rounds_time(const struct sim *s, uint32_t job, int64_t each);

/* life.c: effects of events and decisions on a job */
/* The job is over. */
void sim_job_over(struct sim *s, uint32_t job);
void sim_job_submit(struct sim *s, uint32_t job);
void sim_job_task(struct sim *s, uint32_t job);
/* Create the job's tasks that are due, as far as its quotas allow; false: none.
 */
bool sim_tasks_create(struct sim *s, uint32_t job);
void sim_job_start(struct sim *s, uint32_t job);
/* Tell the scheduler that the job, whose estimate has an end, needs `left` us
 * more by it.
 */
void sim_job_estimate(struct sim *s, uint32_t job, int64_t left);
/* Push the event of its end, in `left` us; a job that is withdrawn serves until
 * then, whatever the speed of its nodes.  No effect for a job without end.
 */
void sim_end_push(struct sim *s, uint32_t job, int64_t left);
void sim_job_end(struct sim *s, uint32_t job);
void sim_job_leave(struct sim *s, uint32_t job);
/* Carry out a decision, which takes effect after `delay` us. */
void sim_job_decided(struct sim *s, const struct gsched_decision *d,
                     int64_t delay);
void sim_jobs_fail(struct sim *s);
/* Report a job without an end when the run ends. */
void sim_job_close(struct sim *s, uint32_t job);
/* Move the job, with its GPUs, to the totals of the new state. */
void sim_state_set(struct sim *s, uint32_t job, enum report_state to);
/* GPU thousandths of the decision's tasks. */
int64_t sim_milli_of(const struct sim *s, const struct gsched_decision *d);
/* Add to the job's GPU thousandths. */
void sim_allocated_add(struct sim *s, uint32_t job, int64_t milli);
/* Record that the allocations of the job changed in this cycle. */
void sim_touch(struct sim *s, uint32_t job);
/* A decision to start the job was made and is not yet effective. */
void sim_starting_set(struct sim *s, uint32_t job, bool is_starting);

/* evict.c */
/* The job was evicted from one allocation; sim_job_returned() follows for the
 * last one.
 */
void sim_job_gave_back(struct sim *s, const struct gsched_decision *d);
/* The job was evicted from all allocations: it waits again, or fails. */
void sim_job_returned(struct sim *s, const struct gsched_decision *d);
/* The job loses all that it holds, for the reason of `d`. */
void sim_job_take(struct sim *s, uint32_t job, const struct gsched_decision *d);
/* A task above the job's gang was evicted. */
void sim_job_shrank(struct sim *s, const struct gsched_decision *d);
/* The job lost its allocations on these devices of the node (0: on the node),
 * and with them all others, unless its gang is complete without them.
 */
void sim_job_lost(struct sim *s, uint32_t job, uint32_t node, uint64_t devices);
/* Its node was given notice: a job with checkpoints makes one. */
void sim_job_warned(struct sim *s, uint32_t job);

/* free_gpus.c: set instant.free_milli */
void sim_free_divide(struct sim *s);

/* waits.c; sim_job_refusals after sim_job_waits */
/* Time in us that the job waited so far, before its first start and after each
 * eviction, by enum report_cause.  The sum is the time since its submission
 * less its run time.  NULL: unknown.  Valid until the next call.
 */
const int64_t *sim_job_waits(struct sim *s, uint32_t job);
#define SIM_LACK 600 /* bytes */
/* What quota the job lacked when it waited for it at last; "": not known. */
void sim_job_lack(struct sim *s, uint32_t job, char *buf, size_t size);
/* Fill `out`, [SIM_REFUSALS], with the modules, and the quota, that refused the
 * job.  Returns their number.  Valid until the next call.
 */
uint32_t sim_job_refusals(struct sim *s, uint32_t job,
                          struct report_refusal *out);
/* The cause of the longest of these waits; of a pending job the present cause;
 * of a rejected job the reason.
 */
enum report_cause sim_job_cause(const struct sim *s, uint32_t job,
                                const int64_t *waits);
/* Run time of the job so far, in us. */
int64_t sim_job_ran(const struct sim *s, uint32_t job);

/* nodes.c: node events; no effect without a scenario */
void sim_nodes_open(struct sim *s);
void sim_nodes_free(struct sim *s);
void sim_nodes_event(struct sim *s, uint32_t index);
/* True when it is known that the cordoned node will be uncordoned, or the
 * failed device repaired.  `ctx` is the struct sim.
 */
bool sim_node_returns(const void *ctx, uint32_t node, uint32_t device);
/* True while an event of the scenario, or the end of one, is still to come. */
bool sim_nodes_recorded(const struct sim *s);
/* True when the autoscaler may help a pending job; when random failures and
 * repairs may.
 */
bool sim_nodes_scaling(const struct sim *s);
bool sim_nodes_chance(const struct sim *s);

/* autoscaler.c */
/* Compute which nodes the autoscaler may add, and tell the deadlock detector
 * about each change.
 */
void sim_scale_expect(struct sim *s);
void sim_nodes_scale(struct sim *s);
void sim_nodes_tasks(struct sim *s, uint32_t node, uint32_t tasks, bool comes);

#endif /* SIM_REPLAY_REPLAY_PRIVATE_H */
