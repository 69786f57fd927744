/* reports/measure/log.h - the record of a run.
 *
 * One observer collects jobs, placements, run segments, evictions, outages and
 * deadlocks; metrics and the store read them after the run.
 */
#ifndef REPORTS_MEASURE_LOG_H
#define REPORTS_MEASURE_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/replay/observer.h"

struct gs_strtab;
struct trace_workload;

/* Tasks on a node, from their placement to their release. */
struct report_placement {
    uint64_t devices;
    int64_t start, end; /* end -1: held when the run ended */
    uint32_t job, node, first_task, tasks;
    uint32_t group;
    uint8_t slice; /* memory slice a MIG instance begins at */
};

static inline struct report_placement report_placement_of(
    const struct report_allocation *s, int64_t end)
{
    return (struct report_placement){
        .devices = s->devices,
        .start = s->placed_at,
        .end = end,
        .job = s->job,
        .node = s->node,
        .first_task = s->first_task,
        .tasks = s->tasks,
        .group = s->group,
        .slice = s->slice,
    };
}

struct report_episode {
    int64_t start, end;            /* end -1: lasted to the end of the run */
    uint32_t first_job, job_count; /* range in log->episode_job */
    bool is_endless; /* no event known to come could end it; false without an
                        end: the run was cut off before */
};

/* A wait of a job by cause; most jobs have none or two. */
struct report_wait {
    int64_t us;    /* above 0 */
    int64_t first; /* of that: before its first start */
    uint32_t job;
    enum report_cause cause;
};

/* The part of the wait of a job for REPORT_QUOTA that one module caused. */
struct report_refused {
    int64_t us; /* above 0 */
    uint32_t job;
    const char *module; /* lives as long as the log */
};

/* The outcome of a job, as far as most jobs have one: of a job that ran from
 * its start to its end and lost nothing.
 */
struct report_outcome {
    int64_t start, end; /* as in struct report_job */
    uint32_t rest;      /* index into rest[] and 1; 0: it has none */
    uint16_t level;     /* as in struct report_job; UINT16_MAX: never started */
    uint8_t state, cause;
};

/* The other members of struct report_job. */
struct report_rest {
    int64_t ran, held, work, lost_gpu_us;
    const char *scheduler, *reason; /* live as long as the log */
    uint32_t evictions, preemptions;
};

struct report_evicted {
    int64_t at;
    struct report_eviction what;
    uint32_t placements; /* of the log so far, its own among them */
};

/* Tasks that a node refused. */
struct report_conflicted {
    int64_t at;
    uint32_t job, tasks;
    const char *scheduler; /* lives as long as the log */
};

struct report_outage {
    int64_t at;
    struct report_node what;
};

enum report_event_kind {
    REPORT_EVENT_SUBMIT,
    REPORT_EVENT_PLACE,
    REPORT_EVENT_START,
    REPORT_EVENT_RELEASE,
    REPORT_EVENT_EVICT,
    REPORT_EVENT_CONFLICT,
    REPORT_EVENT_END,
    REPORT_EVENTS
};

struct report_event {
    int64_t at;
    uint32_t job, node; /* node UINT32_MAX: none */
    uint32_t tasks;
    enum report_event_kind kind;
};

/* Only log.c writes it. */
struct report_log {
    struct report_observer observer;
    const struct trace_workload *work;
    struct report_outcome *outcome; /* [job]; see report_log_job */
    struct report_rest *rest;       /* of jobs that have more than an outcome */
    uint32_t rest_count, rest_cap;
    uint32_t job_count;       /* jobs of the workload; those never submitted
                                 are pending */
    struct gs_strtab *reason; /* texts of reasons */
    bool has_waits;           /* waits were reported, even if all are 0 */
    struct report_wait *wait; /* by end of the job, then by cause */
    uint32_t wait_count, wait_cap;
    uint32_t *first_of; /* [job] index and 1 in `first`; 0: never evicted; NULL:
                           no job was */
    int64_t (*first)[REPORT_CAUSES]; /* first waits of jobs that were evicted */
    uint32_t first_count, first_cap;
    struct report_refused *refused; /* by end of the job, then by module */
    uint32_t refused_count, refused_cap;
    struct report_evicted *eviction; /* in order of time */
    uint32_t eviction_count, eviction_cap;
    struct report_conflicted *conflict; /* in order of time */
    uint32_t conflict_count, conflict_cap;
    const char **scheduler; /* names, as far as jobs were served by them;
                               none: there is only one */
    uint32_t scheduler_count, scheduler_cap;
    struct report_outage *outage; /* in order of time */
    uint32_t outage_count, outage_cap;
    struct report_run_segment *segment; /* in order of end */
    uint32_t segment_count, segment_cap;
    /* In order of release.  With `placements_leave`, which is set before the
     * run, only those that metrics need are sure to be there: those before the
     * last eviction, and of jobs that are withdrawn.
     */
    bool placements_leave;
    struct report_placement *placement;
    uint32_t placement_count, placement_cap;
    struct report_episode *episode;
    uint32_t *episode_job;
    uint32_t episode_count, episode_cap, episode_job_count, episode_job_cap;
    bool keeps_events;
    struct report_event *event;
    uint32_t event_count, event_cap;
    int64_t end; /* of the run */
};

struct report_log *report_log_create(const struct trace_workload *w,
                                     bool keeps_events);
/* The outcome of a job, in full; `waits` and `refusal` are NULL, see above; its
 * texts live as long as the log.  A job that was never submitted is pending.
 */
static inline struct report_job report_log_job(const struct report_log *l,
                                               uint32_t job)
{
    const struct report_outcome *o = &l->outcome[job];
    struct report_job j = { .job = job,
                            .state = o->state,
                            .cause = o->cause,
                            .level = o->level == UINT16_MAX ? UINT32_MAX
                                                            : o->level,
                            .start = o->start,
                            .end = o->end };

    if (o->rest) {
        const struct report_rest *r = &l->rest[o->rest - 1];

        j.ran = r->ran;
        j.held = r->held;
        j.work = r->work;
        j.lost_gpu_us = r->lost_gpu_us;
        j.scheduler = r->scheduler;
        j.reason = r->reason;
        j.evictions = r->evictions;
        j.preemptions = r->preemptions;
    } else if (o->start >= 0 && o->end >= 0) {
        j.ran = j.work = o->end - o->start;
    }
    return j;
}

/* Set the reason why the job failed or was rejected; the text is copied. */
void report_log_reason(struct report_log *l, uint32_t job, const char *reason);
void report_log_destroy(struct report_log *l); /* NULL is fine */

#endif /* REPORTS_MEASURE_LOG_H */
