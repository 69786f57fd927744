/* traces/formats/openb.c - Alibaba's cluster-trace-gpu-v2023: one pod per row,
 * times in seconds from the start.  A pod is a job of one task.
 *
 * `gpu_milli` is a share of one device, or 1000 for each of several.  Lists for
 * allocation experiments have no times.
 */
#include "base/duration.h"
#include "traces/formats/reading.h"
#include "traces/formats/table.h"
#include "traces/workload/records.h"

enum { NAME, CPU, MEMORY, GPUS, MILLI, CREATED, DELETED, SCHEDULED, SPEC };

static const char *const columns[] = {
    "name",          "cpu_milli",     "memory_mib",     "num_gpu",  "gpu_milli",
    "creation_time", "deletion_time", "scheduled_time", "gpu_spec", NULL,
};

#define REQUIRED ((1u << (MILLI + 1)) - 1)
#define AMOUNT_MAX (INT64_C(1) << 40)

static int read_gpus(const struct trace_table *t, struct topo_request *q,
                     struct gs_err *err)
{
    int64_t gpus, milli;

    if (trace_cell_whole(t, GPUS, 0, TOPO_DEVICES_MAX, &gpus, err) < 0
        || trace_cell_whole(t, MILLI,
                            gpus > 1    ? TOPO_SHARE_ONE
                            : gpus == 1 ? 1
                                        : 0,
                            TOPO_SHARE_ONE, &milli, err)
               < 0)
        return -1;
    if (gpus == 1 && milli < TOPO_SHARE_ONE)
        q->share = (uint32_t)milli;
    else
        q->gpus = (uint32_t)gpus;
    return 0;
}

static int read_request(const struct trace_reading *r,
                        const struct trace_table *t, struct topo_request *q,
                        uint32_t *model, struct gs_err *err)
{
    const struct gs_csv_field *spec = trace_cell(t, SPEC);
    int64_t mib;

    if (trace_cell_whole(t, CPU, 0, AMOUNT_MAX, &q->amount[TOPO_CPU], err) < 0
        || trace_cell_whole(t, MEMORY, 0, AMOUNT_MAX, &mib, err) < 0
        || read_gpus(t, q, err) < 0)
        return -1;
    q->amount[TOPO_MEMORY] = mib << 20;
    if (!spec)
        return 0;
    q->model_count = trace_models_parse(r->w->names, spec->text, spec->len,
                                        model);
    q->model = model;
    if (q->model_count == 0)
        return trace_cell_bad(t, SPEC, TRACE_MODELS_ALLOWED, err);
    return 0;
}

/* Read the times: the duration counts from scheduling, which is then recorded,
 * else from creation.
 */
static int read_times(struct trace_workload *w, const struct trace_table *t,
                      bool arrivals_only, struct trace_job *job,
                      struct gs_err *err)
{
    int64_t begin, end;

    job->duration = TRACE_FOREVER;
    if (t->at[CREATED] < 0 || t->at[DELETED] < 0 || t->at[SCHEDULED] < 0)
        return arrivals_only
                   ? 0
                   : gs_fail(err, GS_INPUT, trace_table_mark(t),
                             "a pod list without times can only be read for "
                             "its arrivals");
    if (trace_cell_time(t, CREATED, GS_SECOND, &job->submit, err) < 0)
        return -1;
    if (arrivals_only)
        return 0;
    begin = job->submit;
    if ((trace_cell(t, SCHEDULED)
         && trace_cell_time(t, SCHEDULED, GS_SECOND, &begin, err) < 0)
        || trace_cell_time(t, DELETED, GS_SECOND, &end, err) < 0)
        return -1;
    if (end < begin)
        return trace_cell_bad(t, DELETED, "no earlier than the pod's start",
                              err);
    job->duration = end - begin;
    if (trace_cell(t, SCHEDULED) && begin >= job->submit) {
        const struct trace_record r = { .wait = begin - job->submit,
                                        .length = job->duration };

        job->first_record = trace_workload_record(w, &r);
        job->record_count = 1;
    }
    return 0;
}

static int add_row(void *ctx, const struct trace_table *t, uint32_t row,
                   struct gs_err *err)
{
    struct trace_reading *r = ctx;
    struct trace_job job = { .group_count = 1, .retries = TRACE_NONE };
    struct trace_group group = { .replicas = 1 };
    struct topo_request q = { 0 };
    uint32_t model[TRACE_MODELS_MAX];

    (void)row;
    if (trace_cell_text(t, NAME, r->w->names, &job.name, err) < 0
        || read_request(r, t, &q, model, err) < 0
        || read_times(r->w, t, r->options->arrivals_only, &job, err) < 0)
        return -1;
    job.estimate = job.duration;
    group.shape = trace_workload_shape(r->w, &q);
    return trace_reading_add(r, &job, &group, trace_table_mark(t), err);
}

int trace_read_openb(struct trace_reading *r, struct gs_err *err)
{
    struct trace_table t = {
        .column = columns,
        .required = REQUIRED,
        .row = add_row,
        .ctx = r,
    };

    return trace_table_read(&t, r->in, err);
}
