/* policies/state/jobs.h - the state of jobs and their groups. */
#ifndef POLICIES_STATE_JOBS_H
#define POLICIES_STATE_JOBS_H

#include <assert.h>

#include "policies/state/module_calls.h"
#include "policies/state/state.h"

enum job_phase {
    JOB_UNKNOWN,
    JOB_SUBMITTED, /* submitted, not yet enqueued */
    JOB_WAITING,   /* nothing placed */
    JOB_PARTIAL,   /* fewer tasks placed than its gang */
    JOB_RUNNING,
    JOB_OVER,
    JOB_ELSEWHERE, /* another scheduler serves it, see lifecycle/others.c */
};

struct job_state {
    int64_t since;             /* when it entered the queue */
    int64_t submitted;         /* as the workload says; with dependencies, when
                                  the host submitted it */
    int64_t allocated_since;   /* when it became partially allocated or
                                  started */
    int64_t estimate;          /* us of remaining run time */
    uint32_t first_allocation; /* head of its list of allocations; NONE */
    uint32_t created, placed;  /* tasks */
    uint32_t partial_at;       /* index in gsched_allocations.partial; NONE */
    uint32_t deadline_at;      /* index in a heap, see deadlines.c; NONE */
    uint32_t wait;             /* index of its wait clock; NONE */
    uint32_t older, newer;     /* neighbours in the list by start of its
                                  queue and priority; NONE */
    uint32_t placed_in;        /* cycle that last placed tasks of it */
    uint32_t life;             /* number of its submission, from 1: another
                                  one when the job's number is reused */
    uint32_t low_class, high_class; /* of its tasks by which it competes */
    uint32_t end_at;                /* index in a heap of estimated ends, see
                                  job_ends.c */
    uint32_t submitted_at; /* index among those submitted since the last cycle;
                              NONE */
    bool is_listed;
    bool gave_back;   /* since its gang was not complete in time */
    bool has_classes; /* some group has a priority class of its own */
    bool has_gaps;    /* its tasks may not have the lowest numbers */
    bool is_sample;   /* a request class uses it as its sample */
    bool never_fits;  /* it was adopted although an empty cluster does not
                        hold all of it */
    uint8_t phase;    /* enum job_phase */
    uint8_t cause;    /* enum gsched_cause */
};

/* What most profiles need for no job. */
struct job_aside {
    int64_t limit_end;  /* its estimated end, for limit_checks.c */
    int64_t away_until; /* it is not queued before, see back_off.c */
    int64_t back_at;    /* when it was queued again so, at last */
    uint32_t limit_set; /* see limit_sets.h; 0: none */
};

/* What the scheduler knows of each job. */
struct gsched_jobs {
    uint32_t *of;         /* [job] index into at[] */
    struct job_state *at; /* of jobs that are known; the first are of all that
                             are not */
    uint32_t at_count, at_cap;
    uint32_t at_free;        /* list of free entries; 0: none */
    uint32_t lives;          /* submissions so far */
    struct job_aside *aside; /* [job]; those beyond aside_cap are zero */
    uint32_t aside_cap;
    uint32_t job_count, job_cap;
    uint32_t *group_placed; /* [workload group] tasks placed */
    uint32_t *group_gang;   /* [workload group] tasks in the gang; for jobs
                               with several groups */
    uint32_t *group_order;  /* [workload group] groups of a job that
                               has_classes, the most important first */
    uint64_t *sort_key;
    uint32_t group_cap;
    uint32_t group_gang_cap, group_order_cap, sort_key_cap;
    uint32_t waiting;
    bool any_classes; /* a job had classes */
};

/* The state of a job; of one that is not known, that of all such jobs, to be
 * read only.  Valid until a job is submitted.
 */
static inline struct job_state *gsched_job(const struct gsched *s, uint32_t job)
{
    assert(job < s->jobs->job_count);
    return &s->jobs->at[s->jobs->of[job]];
}

/* The job has a state of its own from now on; and no longer. */
struct job_state *gsched_job_begin(struct gsched *s, uint32_t job);
void gsched_job_forget(struct gsched *s, uint32_t job);

/* What is kept aside of the job. */
static inline struct job_aside gsched_job_aside(const struct gsched *s,
                                                uint32_t job)
{
    return job < s->jobs->aside_cap ? s->jobs->aside[job]
                                    : (struct job_aside){ .limit_set = 0 };
}

/* ... to be written; valid until a job is submitted. */
struct job_aside *gsched_job_aside_put(struct gsched *s, uint32_t job);

/* Number of tasks of group `g` in the gang: its own minimum, and the rest of
 * the gang in the order of groups, as far as an empty cluster holds them.
 */
uint32_t gsched_gang_of(const struct gsched *s, uint32_t job, uint32_t g);
/* Number of tasks of its gang that must fit at once: all of them, with
 * module retry a part.
 */
uint32_t gsched_gang_enough(const struct gsched *s, uint32_t job);
/* The scope of all nodes, subject to the rules of the job. */
struct scope gsched_scope_all(const struct gsched *s, uint32_t job,
                              uint32_t group);
/* True when `amount` is zero except for pods. */
bool gsched_asks_nothing(const struct gsched *s, const int64_t *amount);
/* Do all tasks of the job ask for GPUs, or for a part of one? */
bool gsched_asks_gpus(const struct gsched *s, uint32_t job);
static inline const struct trace_group *gsched_group(const struct gsched *s,
                                                     uint32_t job,
                                                     uint32_t group)
{
    assert(job < s->work->job_count);
    assert(group < s->work->job[job].group_count);
    return trace_group_at(s->work, s->work->job[job].first_group + group);
}

/* The request of one task of the group. */
static inline const struct topo_request *gsched_request(const struct gsched *s,
                                                        uint32_t job,
                                                        uint32_t group)
{
    return &s->work->shape[gsched_group(s, job, group)->shape];
}

/* The priority class by which tasks of the group (NONE: the most important of
 * the job) compete with other jobs: with unit pod their own, else the job's.
 */
uint32_t gsched_class_of(const struct gsched *s, uint32_t job, uint32_t group);
/* The k-th group of the job in the order in which its gang is placed: by the
 * priority of their tasks, then as the job lists them.
 */
static inline uint32_t gsched_group_at(const struct gsched *s, uint32_t job,
                                       uint32_t k)
{
    return gsched_job(s, job)->has_classes
               ? s->jobs->group_order[s->work->job[job].first_group + k]
               : k;
}
/* Priority of tasks of the group among those of their job. */
int32_t gsched_task_value(const struct gsched *s, uint32_t job, uint32_t group);
/* True when tasks of the group (NONE: any of the job) may evict others. */
bool gsched_preempts(const struct gsched *s, uint32_t job, uint32_t group);
/* Set the classes of a job that is submitted. */
void gsched_classes_find(struct gsched *s, uint32_t job);
/* Number of tasks of the group that are created and not placed. */
uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group);
/* Number of placed tasks of the group whose number is below `end`. */
uint32_t gsched_tasks_placed(const struct gsched *s, uint32_t job,
                             uint32_t group, uint32_t end);
/* The lowest number of a task of the group that is not placed. */
uint32_t gsched_task_next(const struct gsched *s, uint32_t job, uint32_t group);
bool gsched_has_action(const struct gsched *s, enum gsched_action a);
/* The queue that a job belongs to; 0 when no module distinguishes queues. */
static inline uint32_t gsched_queue_of(const struct gsched *s, uint32_t job)
{
    assert(job < s->work->job_count);
    return s->modules->has_queues ? s->work->job[job].queue : 0;
}

void gsched_jobs_open(struct gsched *s);
void gsched_jobs_free(struct gsched *s);

#endif /* POLICIES_STATE_JOBS_H */
