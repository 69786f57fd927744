/* traces/formats/writer.h - a workload as a native trace, times exact. */
#ifndef TRACES_FORMATS_WRITER_H
#define TRACES_FORMATS_WRITER_H

#include <stdint.h>
#include <stdio.h>

struct gs_err;
struct trace_facts;
struct trace_workload;

/* Told now and then how many of `all` jobs are written. */
struct trace_writer_watch {
    void (*tell)(void *ctx, uint32_t written, uint32_t all);
    void *ctx;
};

/* Every so many jobs. */
#define TRACE_WRITER_EVERY 4096u

/* Native YAML; `watch` may be NULL; topology and epoch are taken from `facts`,
 * which may be NULL.
 */
int trace_write_yaml(FILE *out, const struct trace_workload *w,
                     const struct trace_facts *facts,
                     const struct trace_writer_watch *watch,
                     struct gs_err *err);

/* Native CSV.  What it has no column for is refused before anything is
 * written: several task groups, named ones, labels, tolerations, other
 * resources, queues with weights or limits, classes that never preempt.
 */
int trace_write_csv(FILE *out, const struct trace_workload *w,
                    const struct trace_writer_watch *watch, struct gs_err *err);

/* What the writers refuse, for a caller that must know before a file is
 * emptied.
 */
int trace_check_yaml(const struct trace_workload *w, struct gs_err *err);
int trace_check_csv(const struct trace_workload *w, struct gs_err *err);

#endif /* TRACES_FORMATS_WRITER_H */
