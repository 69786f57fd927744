/* traces/workload/slices.h - where tasks of a job stand together: in a domain,
 * and in slices, of which so many tasks at a time stand in one domain of a
 * tier.
 */
#ifndef TRACES_WORKLOAD_SLICES_H
#define TRACES_WORKLOAD_SLICES_H

#include "traces/workload/workload.h"

#define TRACE_SLICES_MAX 3u /* layers */

/* From wide to narrow: the size of a layer is a multiple of the next one's. */
struct trace_slices {
    uint32_t layers; /* 1 or more */
    struct trace_slice {
        uint32_t size; /* tasks */
        uint32_t tier; /* string id */
    } layer[TRACE_SLICES_MAX];
};

/* Append slices of a job, for trace_job.slices; those appended last are shared
 * if they are equal.
 */
uint32_t trace_workload_slices(struct trace_workload *w,
                               const struct trace_slices *slices);

/* The slices of the job; NULL: none. */
const struct trace_slices *trace_job_slices(const struct trace_workload *w,
                                            const struct trace_job *j);

/* Of a job, or of a group in place of its job. */
struct trace_topology {
    uint32_t tier; /* string id; 0: none */
    enum trace_within within;
    uint32_t slices;   /* index into slices[] and 1; 0: none */
    uint32_t prefers;  /* string id of a tier inside `tier`; 0: none */
    uint32_t together; /* of a group: string id of the name by which it shares
                          its domain with others of its job; 0: none */
};

/* Append one for trace_group.topology; the one appended last is shared if it is
 * equal.
 */
uint32_t trace_workload_topology(struct trace_workload *w,
                                 const struct trace_topology *t);

/* What holds for tasks of the group. */
struct trace_topology trace_group_topology(const struct trace_workload *w,
                                           const struct trace_job *j,
                                           const struct trace_group *g);
/* The first of the groups that a name joins with the one, by its number in the
 * job; the group itself where none does.
 */
uint32_t trace_groups_first(const struct trace_workload *w,
                            const struct trace_job *j, uint32_t group);
/* Does a name join two groups of a job, by their numbers in it, or are they the
 * same?
 */
bool trace_groups_join(const struct trace_workload *w,
                       const struct trace_job *j, uint32_t a, uint32_t b);
static inline struct trace_topology trace_job_topology(
    const struct trace_job *j)
{
    return (struct trace_topology){ .tier = j->aside->within_tier,
                                    .within = j->aside->within,
                                    .slices = j->aside->slices,
                                    .prefers = j->aside->prefers };
}

#endif /* TRACES_WORKLOAD_SLICES_H */
