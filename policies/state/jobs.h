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
    JOB_PARTIAL,   /* less than its gang placed */
    JOB_RUNNING,
    JOB_OVER,
};

struct job_state {
    int64_t since;             /* in the queue */
    int64_t allocated_since;   /* partly placed, or running */
    int64_t estimate;          /* us of run time still expected */
    uint32_t first_allocation; /* what it holds; NONE */
    uint32_t created, placed;  /* tasks */
    uint32_t partial_at;       /* place in s->partial; NONE */
    uint32_t wait;             /* place in s->wait; NONE */
    uint32_t older, newer;     /* of the same queue and priority, by start;
                                  NONE */
    uint32_t placed_in;        /* cycle that last gave it something */
    uint32_t life;             /* times that the number was forgotten */
    uint32_t end_at;           /* place in a heap of ends; see easy_shadow.c */
    bool is_listed;
    bool is_sample;  /* a request class is known by it */
    bool never_fits; /* it was adopted though no cluster would hold it all */
    uint8_t phase;   /* enum job_phase */
    uint8_t cause;   /* enum gsched_cause */
};

/* What the scheduler knows of each job. */
struct gsched_jobs {
    struct job_state *job;
    uint32_t job_count, job_cap;
    uint32_t *group_placed; /* [workload group] tasks placed */
    uint32_t *group_gang;   /* [workload group] tasks of the gang; of jobs with
                               more than one group */
    uint32_t group_cap;
    uint32_t group_gang_cap;
    uint32_t waiting;
};

/* Tasks of group `g` that the gang needs: the group's own minimum, and the rest
 * of the gang in the order of groups, as far as an empty cluster holds them.
 */
uint32_t gsched_gang_of(const struct gsched *s, uint32_t job, uint32_t g);
/* All nodes, where the job's rules allow. */
struct scope gsched_scope_all(const struct gsched *s, uint32_t job,
                              uint32_t group);
/* Is there nothing in `amount`, but pods? */
bool gsched_asks_nothing(const struct gsched *s, const int64_t *amount);
static inline const struct trace_group *gsched_group(const struct gsched *s,
                                                     uint32_t job,
                                                     uint32_t group)
{
    assert(job < s->work->job_count);
    assert(group < s->work->job[job].group_count);
    return &s->work->group[s->work->job[job].first_group + group];
}

/* What each task of the group asks for. */
static inline const struct topo_request *gsched_request(const struct gsched *s,
                                                        uint32_t job,
                                                        uint32_t group)
{
    return &s->work->shape[gsched_group(s, job, group)->shape];
}

/* Tasks of a group that exist and are not placed. */
uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group);
bool gsched_has_action(const struct gsched *s, enum gsched_action a);
/* The queue a job counts for: its own, or 0 when no module tells them apart. */
static inline uint32_t gsched_queue_of(const struct gsched *s, uint32_t job)
{
    assert(job < s->work->job_count);
    return s->modules->has_queues ? s->work->job[job].queue : 0;
}

void gsched_jobs_open(struct gsched *s);
void gsched_jobs_free(struct gsched *s);

#endif /* POLICIES_STATE_JOBS_H */
