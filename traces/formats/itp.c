/* traces/formats/itp.c - Microsoft's ITP jobs (seconds), and the lists of
 * Muri's artifact (the same in milliseconds).
 */
#include "base/duration.h"
#include "traces/formats/reading.h"
#include "traces/formats/table.h"

enum { NAME, SUBMIT, DURATION, GPUS };

static const char *const itp_columns[] = { "job_id", "submission_time",
                                           "duration", "num_gpu", NULL };
static const char *const muri_columns[] = { "job_id", "submit_time", "duration",
                                            "num_gpu", NULL };

#define UNITS_MAX (INT64_C(1) << 40)

struct itp {
    struct trace_reading *r;
    int64_t unit; /* microseconds */
};

static int add_row(void *ctx, const struct trace_table *t, uint32_t row,
                   struct gs_err *err)
{
    const struct itp *itp = ctx;
    struct trace_reading *r = itp->r;
    struct trace_job job = { .retries = TRACE_NONE };
    int64_t gpus;

    (void)row;
    if (trace_cell_text(t, NAME, r->w->names, &job.name, err) < 0
        || trace_cell_time(t, SUBMIT, itp->unit, &job.submit, err) < 0
        || trace_cell_time(t, DURATION, itp->unit, &job.duration, err) < 0
        || trace_cell_whole(t, GPUS, 0, UNITS_MAX, &gpus, err) < 0)
        return -1;
    job.estimate = job.duration;
    return trace_reading_add_units(r, &job, (uint64_t)gpus, trace_table_mark(t),
                                   err);
}

static int read_with(struct trace_reading *r, const char *const *columns,
                     int64_t unit, struct gs_err *err)
{
    struct itp itp = { r, unit };
    struct trace_table t = {
        .column = columns, .required = 0xf, .row = add_row, .ctx = &itp
    };

    return trace_table_read(&t, r->in, err);
}

int trace_read_itp(struct trace_reading *r, struct gs_err *err)
{
    return read_with(r, itp_columns, GS_SECOND, err);
}

int trace_read_muri(struct trace_reading *r, struct gs_err *err)
{
    return read_with(r, muri_columns, GS_SECOND / 1000, err);
}
