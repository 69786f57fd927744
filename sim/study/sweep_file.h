/* sim/study/sweep_file.h - the file of a sweep.
 *
 *     name: packing                      the file's name
 *     traces: [a.csv, b.yaml.gz]         beside the file; or one
 *     topologies: [small.yaml]           what each trace names
 *     policies: [binpack, mine.yaml]     binpack
 *     seeds: 1..10                       42; or a list
 *     limit: 10000                       jobs of each trace
 *     until: 7d
 *     from: 1d                           the first submission
 *     to: 6d                             the end of the run
 *     warmup: 12h                        0s; see reports/measure/window.h
 *     format: csv                        of the traces
 *     task_size: 8
 *     large: 64                          GPUs from which a job is large
 *     keep: metrics                      all
 *     speed: all-reduce                  none; or a file beside this one
 *     world: outages.yaml                nothing happens to nodes
 *     set:                               more axes:
 *       load: [0.8, 1.2]                 PATH: values (sim/study/change.h)
 *       cluster:                         or a name: named lists of PATH=VALUE
 *         as-is: []
 *         half: [nodes.gpu8=16, gang.timeout=5m]
 *
 * The axes are trace, topology, policy, those of `set`, and seed.
 */
#ifndef STUDY_SWEEP_FILE_H
#define STUDY_SWEEP_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/measure/window.h"
#include "sim/study/grid.h"
#include "sim/study/source_options.h"
#include "traces/formats/reader.h"

struct gs_arena;
struct gs_err;

enum sweep_axis { SWEEP_TRACE, SWEEP_TOPOLOGY, SWEEP_POLICY, SWEEP_SET };

struct sweep_file {
    const char *path, *name;
    uint64_t hash;
    struct grid grid; /* seeds are its last axis */
    struct trace_options trace;
    struct source_options sources;
    struct report_window_request window;
    int64_t until;
    uint32_t large;
    const char *speed, *scenario; /* as for replay; NULL */
    bool metrics_only;            /* store metrics only, no jobs and
                                     placements */
};

/* Read the sweep at `path`, without checks that need its traces and topologies.
 * Texts live in `arena`.  On failure (-1) *f has the traces, topologies and
 * policies that could be read.
 */
int sweep_file_read(struct sweep_file *f, const char *path,
                    struct gs_arena *arena, struct gs_err *err);

/* Check that its traces and topologies exist, and that its policies are valid;
 * also for a sweep that sweep_file_read() refused.
 */
int sweep_file_check(const struct sweep_file *f, struct gs_err *err);

#endif /* STUDY_SWEEP_FILE_H */
