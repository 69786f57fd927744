/* traces/formats/writer.h - writes a workload as a native trace with exact
 * times.
 */
#ifndef TRACES_FORMATS_WRITER_H
#define TRACES_FORMATS_WRITER_H

#include <stdint.h>
#include <stdio.h>

struct gs_err;
struct trace_facts;
struct trace_workload;

/* Called now and then with how many of `all` jobs are written. */
struct trace_writer_watch {
    void (*tell)(void *ctx, uint32_t written, uint32_t all);
    void *ctx;
};

/* Jobs between two calls. */
#define TRACE_WRITER_EVERY 4096u

/* Write native YAML.  `watch` may be NULL; topology and epoch are taken from
 * `facts`, which may be NULL.
 */
int trace_write_yaml(FILE *out, const struct trace_workload *w,
                     const struct trace_facts *facts,
                     const struct trace_writer_watch *watch,
                     struct gs_err *err);

/* Write native CSV.  A workload that CSV has no columns for is refused before
 * anything is written: several task groups, named ones, labels, tolerations,
 * other resources, queues with weights or limits, classes that never preempt.
 */
int trace_write_csv(FILE *out, const struct trace_workload *w,
                    const struct trace_writer_watch *watch, struct gs_err *err);

/* The checks of the writers, for a caller that must know before a file is
 * emptied.
 */
int trace_check_yaml(const struct trace_workload *w, struct gs_err *err);
int trace_check_csv(const struct trace_workload *w, struct gs_err *err);

#endif /* TRACES_FORMATS_WRITER_H */
