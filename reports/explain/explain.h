/* reports/explain/explain.h - one job: causes of its waits, placements,
 * evictions.
 */
#ifndef REPORTS_EXPLAIN_EXPLAIN_H
#define REPORTS_EXPLAIN_EXPLAIN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"
#include "reports/store/deadlocks.h"

/* All texts are clean (base/text.h), "" when unknown.  Times are microseconds
 * since the start of the trace, -1 when unknown.
 */
struct report_explained_wait {
    const char *cause; /* "": unknown */
    int64_t us;
    int64_t first; /* of that: before its first start */
};

/* Time for which a module of the profile refused the job because of quota. */
struct report_explained_refusal {
    const char *module;
    int64_t us;
};

struct report_explained_span {
    const char *node, *domain;
    int64_t group, first_task, tasks;
    uint64_t devices;
    int64_t start, end; /* end -1: held when the run ended */
};

struct report_explained_eviction {
    int64_t at;
    const char *kind, *by, *by_queue; /* by "": none */
    int64_t by_job;                   /* -1: none */
    int64_t tasks;
    bool is_whole;
    int64_t lost, lost_gpu_us;
};

/* A run segment; speeds are millionths. */
struct report_explained_segment {
    int64_t start, us, tasks;
    int64_t speed, nodes, model; /* total; factor of the node types; factor
                                    of `source` */
    const char *source, *tier;
};

struct report_explained {
    const char *run, *policy;
    int64_t run_end;
    int64_t job;
    const char *name, *queue, *user, *priority;
    const char *scheduler; /* "": there is only one */
    const char *state, *cause, *reason, *tier;
    int64_t tasks, gang, gpu_milli;
    int64_t completions; /* number of tasks to complete; -1: the job ends as
                            a whole */
    int64_t arrived;     /* submitted */
    int64_t submit;      /* the same, or when its dependencies were met */
    bool has_stood;      /* tasks of it stood at time 0, */
    int64_t before;      /* which had run for so many us; -1 */
    int64_t start, end;
    int64_t preemptions, lost_gpu_us;
    int64_t ran;    /* us in which it ran; -1: never */
    int64_t waited; /* us in which it did not run, from its submission to its
                       end or that of the run */
    struct report_explained_wait *wait;       /* longest first; they add up */
    struct report_explained_refusal *refusal; /* longest first */
    struct report_explained_span *span;       /* in time */
    struct report_explained_eviction *eviction;
    struct report_explained_segment *segment; /* in time; under a speed model */
    struct report_deadlock *deadlock;         /* its episodes, in order of
                                                 time */
    const char **deadlock_text;               /* [deadlocks] */
    const char *quota; /* meaning of the cause quota under this profile, when
                          refusals were not recorded */
    uint32_t waits, refusals, spans, evictions, segments, deadlocks;
};

/* Explain the job named `job`, or with that number if no job has the name; "#7"
 * is always a number.  The result lives in `arena`.  -1 on failure, also when
 * there is no such run or job (GS_INPUT, with the nearest name), or more than
 * one.
 */
int report_explain(struct report_store *s, const char *run, const char *job,
                   struct gs_arena *arena, struct report_explained *out,
                   struct gs_err *err);

/* Print as a page for the terminal (REPORT_TABLE) or as JSON. */
void report_explain_print(const struct report_explained *e,
                          const struct report_layout *layout, FILE *out);

#endif /* REPORTS_EXPLAIN_EXPLAIN_H */
