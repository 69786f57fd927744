/* traces/formats/philly.c - Microsoft's Philly jobs: unordered civil
 * timestamps, of which the earliest becomes time 0; a virtual cluster is a
 * queue.
 */
#include "base/duration.h"
#include "base/strtab.h"
#include "traces/formats/reading.h"
#include "traces/formats/table.h"

enum { TIMESTAMP, DURATION, GPUS, CLUSTER };

static const char *const columns[] = { "timestamp", "duration", "num_gpus",
                                       "cluster", NULL };

#define UNITS_MAX (INT64_C(1) << 40)

static int add_row(void *ctx, const struct trace_table *t, uint32_t row,
                   struct gs_err *err)
{
    struct trace_reading *r = ctx;
    struct trace_job job = { .retries = TRACE_NONE };
    const struct gs_csv_field *at = trace_cell(t, TIMESTAMP);
    int64_t gpus;
    uint32_t queue;

    if (!at || gs_date_parse(at->text, at->len, &job.submit) < 0)
        return trace_cell_bad(t, TIMESTAMP,
                              "a time such as 2017-10-09 07:01:55", err);
    if (trace_cell_time(t, DURATION, GS_SECOND, &job.duration, err) < 0
        || trace_cell_whole(t, GPUS, 0, UNITS_MAX, &gpus, err) < 0)
        return -1;
    if (trace_cell(t, CLUSTER)) {
        if (trace_cell_text(t, CLUSTER, r->w->names, &queue, err) < 0)
            return -1;
        if (!trace_queue_name_ok(gs_strtab_str(r->w->names, queue)))
            return trace_cell_bad(t, CLUSTER, TRACE_QUEUE_ALLOWED, err);
        job.queue = trace_queue_put(r->w, queue);
    }
    job.estimate = job.duration;
    job.name = trace_number_name(r->w->names, "job-", row);
    return trace_reading_add_units(r, &job, (uint64_t)gpus, trace_table_mark(t),
                                   err);
}

int trace_read_philly(struct trace_reading *r, struct gs_err *err)
{
    struct trace_table t = {
        .column = columns, .required = 0x7, .row = add_row, .ctx = r
    };
    struct trace_workload *w = r->w;
    int64_t epoch = INT64_MAX;

    if (trace_table_read(&t, r->in, err) < 0)
        return -1;
    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].submit < epoch)
            epoch = w->job[i].submit;
    }
    for (uint32_t i = 0; i < w->job_count; i++)
        w->job[i].submit -= epoch;
    r->facts->epoch = w->job_count ? epoch : 0;
    return 0;
}
