/* traces/workload/limits.h - limits on what jobs of an account, of a user of
 * one or of a QOS hold at once.
 */
#ifndef TRACES_WORKLOAD_LIMITS_H
#define TRACES_WORKLOAD_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "topology/resources.h"

#pragma GCC visibility push(default)

struct trace_workload;

/* Of which jobs the sum is limited. */
enum trace_limit_scope {
    TRACE_LIMIT_GROUP,   /* all jobs of the QOS; of the account and below it */
    TRACE_LIMIT_USER,    /* those of one user */
    TRACE_LIMIT_ACCOUNT, /* those of one account */
    TRACE_LIMIT_JOB,     /* one job */
    TRACE_LIMIT_SCOPES
};

/* What is limited of an amount. */
enum trace_limit_kind {
    TRACE_LIMIT_HOLDS,   /* what is held at once */
    TRACE_LIMIT_TASK,    /* what one task asks for; of scope job */
    TRACE_LIMIT_LEAST,   /* what a job asks for at least; of scope job */
    TRACE_LIMIT_MINUTES, /* amount x minutes: of scope group what was used
                            until now, of scope job by its estimate */
    TRACE_LIMIT_RUNNING, /* amount x minutes that running jobs will use until
                            their estimated ends; not of scope job */
    TRACE_LIMIT_KINDS
};

/* -1: no limit. */
struct trace_limits {
    int64_t amount[TRACE_LIMIT_KINDS][TRACE_LIMIT_SCOPES][TOPO_DIMS_MAX];
    int64_t jobs[TRACE_LIMIT_JOB]; /* jobs that run */
    int64_t wall;                  /* us, of the estimate of a job */
    int64_t group_wall; /* us, of the run times of all jobs until now */
};

/* Limits `of` (an index and 1; 0: none): of them, created without any limit
 * when 0, as their new index and 1.
 */
uint32_t trace_limits_put(struct trace_workload *w, uint32_t of);
/* NULL for 0. */
const struct trace_limits *trace_limits_of(const struct trace_workload *w,
                                           uint32_t of);
/* Limits of another workload, copied; 0 for 0. */
uint32_t trace_limits_take(struct trace_workload *w,
                           const struct trace_workload *from, uint32_t of);
bool trace_limits_same(const struct trace_workload *a, uint32_t x,
                       const struct trace_workload *b, uint32_t y);
void trace_limits_free(struct trace_workload *w);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_LIMITS_H */
