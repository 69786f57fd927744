/* traces/workload/quotas.h - limits on what exists of jobs, and the
 * sets of them that jobs count against.
 */
#ifndef TRACES_WORKLOAD_QUOTAS_H
#define TRACES_WORKLOAD_QUOTAS_H

#include <stdint.h>

#include "traces/workload/workload.h"

#pragma GCC visibility push(default)

/* A limit on what exists of the jobs that count against it: their tasks, placed
 * or not, and the jobs themselves.
 */
struct trace_quota {
    uint32_t name;                /* string id */
    uint32_t line;                /* of the trace file; 0: none */
    int64_t limit[TOPO_DIMS_MAX]; /* of all tasks; -1: none */
    int64_t jobs;                 /* -1: none */
};

/* Quotas that a job counts against, by quota_of[]. */
struct trace_quota_set {
    uint32_t first, count;
};

/* All of a workload. */
struct trace_quotas {
    struct trace_quota *quota;
    struct trace_quota_set *quota_set; /* each set once */
    uint32_t *quota_of; /* indices into quota[], rising in a set */
    uint32_t quota_count, quota_cap, quota_set_count, quota_set_cap;
    uint32_t quota_of_count, quota_of_cap;
    struct gs_hash *quota_index; /* quota_set[]; private */
    uint32_t *quota_by;          /* [string id] index + 1; private */
    uint32_t quota_by_cap;
};

/* The quota called by string id `name`; TRACE_NONE.  Or created, without
 * limits, when new.
 */
uint32_t trace_quota_find(const struct trace_workload *w, uint32_t name);
uint32_t trace_quota_put(struct trace_workload *w, uint32_t name);
/* The number for trace_job.quotas of a job that counts against `quota`, `count`
 * of them, at most TRACE_QUOTAS_MAX; sorts them and drops those that come
 * again.
 */
uint32_t trace_quota_set_put(struct trace_workload *w, uint32_t *quota,
                             uint32_t count);
void trace_quotas_free(struct trace_workload *w);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_QUOTAS_H */
