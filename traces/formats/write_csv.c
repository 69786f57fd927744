/* traces/formats/write_csv.c - native CSV: a row a job, the columns that some job
 * needs.
 */
#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/csv_write.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "topology/mig.h"
#include "traces/formats/job_keys.h"
#include "traces/formats/writer.h"
#include "traces/formats/writing.h"

enum {
    NAME,
    SUBMIT,
    DURATION,
    ESTIMATE,
    QUEUE,
    PRIORITY,
    USER,
    GANG,
    REPLICAS,
    GPUS,
    SHARE,
    MIG,
    GPU_MEMORY,
    CPU,
    MEMORY,
    RDMA,
    MODEL,
    INTERVAL,
    WITHIN,
    MODE,
    LEAST,
    KEYS, /* job_keys.h: those and the following */
    COLUMNS_MAX = 32
};

static const char *const column_name[KEYS] = {
    "name",         "submit", "duration",      "estimate", "queue",
    "priority",     "user",   "gang",          "replicas", "gpus",
    "gpu_share",    "mig",    "gpu_memory",    "cpu",      "memory",
    "rdma",         "model",  "task_interval", "within",   "mode",
    "min_replicas",
};

/* The key of a column from KEYS on; NULL past the last. */
static const struct trace_job_key *key_of(int column)
{
    const struct trace_job_key *k = trace_job_key_at((size_t)(column - KEYS));

    assert(!k || column < COLUMNS_MAX);
    return k && !k->yaml_only ? k : NULL;
}

#define ALWAYS \
    (1u << NAME | 1u << SUBMIT | 1u << DURATION | 1u << REPLICAS | 1u << GPUS)

static const struct topo_request *request_of(const struct trace_workload *w,
                                             const struct trace_job *j)
{
    return &w->shape[w->group[j->first_group].shape];
}

/* Bit c: column c of the job says something. */
static uint32_t columns_of(const struct trace_workload *w,
                           const struct trace_job *j)
{
    const struct topo_request *q = request_of(w, j);
    const uint32_t min = w->group[j->first_group].min;
    const bool says[KEYS] = {
        [ESTIMATE] = j->estimate != j->duration,
        [QUEUE] = j->queue != 0,
        [PRIORITY] = w->klass[j->klass].value != 0,
        [USER] = j->user != 0,
        [GANG] = j->gang != (min ? min : j->tasks),
        [SHARE] = q->share != 0,
        [MIG] = q->mig != 0,
        [GPU_MEMORY] = q->share_memory != 0,
        [CPU] = q->amount[TOPO_CPU] != 0,
        [MEMORY] = q->amount[TOPO_MEMORY] != 0,
        [RDMA] = q->amount[TOPO_RDMA] != 0,
        [MODEL] = q->model_count != 0,
        [INTERVAL] = j->task_interval != 0,
        [WITHIN] = j->within != TRACE_ANYWHERE,
        [MODE] = j->within == TRACE_PREFERRED,
        [LEAST] = min != 0,
    };
    uint32_t bits = ALWAYS;

    for (int c = 0; c < KEYS; c++)
        bits |= (uint32_t)says[c] << c;
    for (int c = KEYS; key_of(c); c++)
        bits |= (uint32_t)trace_job_key_stated(key_of(c), j) << c;
    return bits;
}

static void put_text(FILE *out, const char *s)
{
    if (strpbrk(s, ",\" "))
        gs_csv_put_quoted(s, out);
    else
        fputs(s, out);
}

static void put_cell(FILE *out, const struct trace_workload *w,
                     const struct trace_job *j, int column)
{
    const struct topo_request *q = request_of(w, j);
    char buf[32];

    switch (column) {
    case NAME:
        put_text(out, gs_strtab_str(w->names, j->name));
        break;
    case SUBMIT:
        trace_put_time(out, j->submit);
        break;
    case DURATION:
        trace_put_time(out, j->duration);
        break;
    case ESTIMATE:
        trace_put_time(out, j->estimate);
        break;
    case QUEUE:
        put_text(out, gs_strtab_str(w->names, w->queue[j->queue].name));
        break;
    case PRIORITY:
        fprintf(out, "%" PRId32, w->klass[j->klass].value);
        break;
    case USER:
        put_text(out, gs_strtab_str(w->names, j->user));
        break;
    case GANG:
        fprintf(out, "%" PRIu32, j->gang);
        break;
    case REPLICAS:
        fprintf(out, "%" PRIu32, j->tasks);
        break;
    case GPUS:
        fprintf(out, "%" PRIu32, q->gpus);
        break;
    case SHARE:
        fputs(gs_quantity_format_milli(q->share, buf, sizeof(buf)), out);
        break;
    case MIG:
        fputs(topo_mig_kind_name(q->mig), out);
        break;
    case GPU_MEMORY:
        fputs(gs_quantity_format_bytes(q->share_memory, buf, sizeof(buf)), out);
        break;
    case CPU:
        fputs(gs_quantity_format_milli(q->amount[TOPO_CPU], buf, sizeof(buf)),
              out);
        break;
    case MEMORY:
        fputs(
            gs_quantity_format_bytes(q->amount[TOPO_MEMORY], buf, sizeof(buf)),
            out);
        break;
    case RDMA:
        fputs(gs_quantity_format_milli(q->amount[TOPO_RDMA], buf, sizeof(buf)),
              out);
        break;
    case MODEL:
        trace_put_models(out, w, q);
        break;
    case INTERVAL:
        trace_put_time(out, j->task_interval);
        break;
    case WITHIN:
        put_text(out, gs_strtab_str(w->names, j->within_tier));
        break;
    case MODE:
        fputs(trace_within_mode(j->within), out);
        break;
    case LEAST:
        fprintf(out, "%" PRIu32, w->group[j->first_group].min);
        break;
    default:
        trace_job_key_put(key_of(column), out, w, j, put_text);
        break;
    }
}

/* What of the job has no column; NULL when it fits. */
static const char *unfit(const struct trace_workload *w,
                         const struct trace_job *j)
{
    const struct topo_request *q = request_of(w, j);

    if (j->group_count != 1)
        return "several task groups";
    if (w->group[j->first_group].name)
        return "a named task group";
    if (q->selector_count)
        return "node labels";
    if (q->toleration_count)
        return "tolerations";
    if (j->label_count)
        return "labels";
    if (w->group[j->first_group].rule_count)
        return "an affinity or a spread";
    if (j->withdraws)
        return "'withdraw'";
    if (!w->klass[j->klass].preempts)
        return "a class that never preempts";
    for (int d = TOPO_DIMS_FIXED; d < TOPO_DIMS_MAX; d++) {
        if (q->amount[d])
            return "other resources";
    }
    return NULL;
}

int trace_check_csv(const struct trace_workload *w, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const char *why = unfit(w, j);

        if (why)
            return gs_fail(err, GS_INPUT, nowhere,
                           "CSV cannot express job '%s': it has %s (write "
                           "YAML instead)",
                           gs_strtab_str(w->names, j->name), why);
    }
    for (uint32_t i = 0; i < w->queue_count; i++) {
        if (trace_queue_has_terms(&w->queue[i]))
            return gs_fail(err, GS_INPUT, nowhere,
                           "CSV cannot express queue '%s': it has a weight, "
                           "limits or other terms (write YAML instead)",
                           gs_strtab_str(w->names, w->queue[i].name));
    }
    return trace_writing_check(w, err);
}

int trace_write_csv(FILE *out, const struct trace_workload *w,
                    const struct trace_writer_watch *watch, struct gs_err *err)
{
    uint32_t used = ALWAYS;

    assert(out && w);
    if (trace_check_csv(w, err) < 0)
        return -1;
    for (uint32_t i = 0; i < w->job_count; i++)
        used |= columns_of(w, &w->job[i]);
    for (int c = 0; c < KEYS || key_of(c); c++) {
        if (used >> c & 1)
            fprintf(out, "%s%s", c ? "," : "",
                    c < KEYS ? column_name[c] : key_of(c)->name);
    }
    putc('\n', out);
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const uint32_t bits = columns_of(w, j);

        if (watch && i % TRACE_WRITER_EVERY == 0)
            watch->tell(watch->ctx, i, w->job_count);
        for (int c = 0; c < KEYS || key_of(c); c++) {
            if (c && used >> c & 1)
                putc(',', out);
            if (bits >> c & 1)
                put_cell(out, w, j, c);
        }
        putc('\n', out);
    }
    return trace_writing_finish(out, err);
}
