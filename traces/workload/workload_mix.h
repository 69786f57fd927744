/* traces/workload/workload_mix.h - the task mix of a workload, see
 * topology/task_mix.h.
 */
#ifndef TRACES_WORKLOAD_MIX_H
#define TRACES_WORKLOAD_MIX_H

#include <stdint.h>

struct gs_err;
struct gs_input;
struct topo;
struct topo_mix;
struct trace_workload;

enum trace_mix_kind {
    /* Kinds differ by the whole request of a task. */
    TRACE_MIX_FULL,
    /* As published with the measure (ATC'23): by CPU, GPUs, share and model
     * alone.
     */
    TRACE_MIX_PUBLISHED,
    /* As full, with all tasks, not 95 %. */
    TRACE_MIX_WHOLE,
};

/* The kinds of tasks by their number, most frequent first (ties: by first
 * appearance), up to 95 % of all tasks.  Where these are more than 2,048 kinds,
 * amounts are rounded down to 8 steps per power of two, or 4, 2, 1, until they
 * are not.  Destroyed by topo_mix_destroy.
 */
struct topo_mix *trace_mix_create(const struct trace_workload *w,
                                  const struct topo *t,
                                  enum trace_mix_kind kind);

/* The same for the jobs [first, end) only. */
struct topo_mix *trace_workload_mix(const struct trace_workload *w,
                                    const struct topo *t,
                                    enum trace_mix_kind kind, uint32_t first,
                                    uint32_t end);

/* Read a mix from a file.  Names are those of the workload, and lists live in
 * its arena; `in` stays open.  NULL on failure.
 */
struct topo_mix *trace_mix_read(struct gs_input *in, struct trace_workload *w,
                                const struct topo *t, struct gs_err *err);

#endif /* TRACES_WORKLOAD_MIX_H */
