/* traces/workload/workload_mix.h - the task mix of a workload, see topology/task_mix.h. */
#ifndef TRACES_WORKLOAD_MIX_H
#define TRACES_WORKLOAD_MIX_H

#include <stdint.h>

struct gs_err;
struct gs_input;
struct topo;
struct topo_mix;
struct trace_workload;

enum trace_mix_kind {
    /* Kinds differ by all that a task asks of a node. */
    TRACE_MIX_FULL,
    /* As published with the measure (ATC'23): by CPU, GPUs, share and model
     * alone.
     */
    TRACE_MIX_PUBLISHED,
    /* As full, and to the last task. */
    TRACE_MIX_WHOLE,
};

/* Kinds of tasks by how often they come, the most frequent first (then the one
 * that came first), until they are 95 % of all.  Where that leaves more than
 * 2,048, amounts are rounded down first: to 8 steps in each doubling, or 4, 2, 1,
 * until it does not.  For topo_mix_destroy.
 */
struct topo_mix *trace_mix_create(const struct trace_workload *w,
                                  const struct topo *t,
                                  enum trace_mix_kind kind);

/* The same of jobs [first, end) alone. */
struct topo_mix *trace_workload_mix(const struct trace_workload *w,
                                    const struct topo *t,
                                    enum trace_mix_kind kind, uint32_t first,
                                    uint32_t end);

/* The mix that a file states, in terms of the workload's names and in its
 * arena; `in` is not taken.  NULL on failure.
 */
struct topo_mix *trace_mix_read(struct gs_input *in, struct trace_workload *w,
                                const struct topo *t, struct gs_err *err);

#endif /* TRACES_WORKLOAD_MIX_H */
