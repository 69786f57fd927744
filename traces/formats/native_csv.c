/* traces/formats/native_csv.c - a job a row, under a header of the native field
 * names in any order.  An empty cell means the default.
 */
#include <assert.h>
#include <string.h>

#include "base/duration.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "topology/mig.h"
#include "traces/formats/job_keys.h"
#include "traces/formats/reading.h"
#include "traces/formats/table.h"

/* What decides the shape of a row's tasks.  No padding: compared as bytes. */
struct shape_key {
    int64_t cpu, memory, rdma, gpu_memory;
    uint32_t gpus, share, mig;
    uint32_t model; /* string id of the whole cell */
    uint32_t shape; /* in the memo: shape + 1; else 0 */
};

#define MEMO 256 /* shapes met lately; a power of two */

struct loader {
    struct trace_reading *r;
    int columns;
    struct trace_job unset; /* a row without a cell */
    struct trace_job job;   /* of the current row */
    struct shape_key key;
    int64_t replicas, least, gang; /* least 0: not stated */
    bool has_mode;
    struct shape_key memo[MEMO];
};

/* Reads cell `i`, which is not empty. */
typedef int (*cell_fn)(struct loader *l, const struct trace_table *t, int i,
                       struct gs_err *err);

static int read_name(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    return trace_cell_text(t, i, l->r->w->names, &l->job.name, err);
}

static int read_submit(struct loader *l, const struct trace_table *t, int i,
                       struct gs_err *err)
{
    return trace_cell_duration(t, i, &l->job.submit, err);
}

static int read_duration(struct loader *l, const struct trace_table *t, int i,
                         struct gs_err *err)
{
    if (strcmp(trace_cell(t, i)->text, "forever") == 0) {
        l->job.duration = TRACE_FOREVER;
        return 0;
    }
    return trace_cell_duration(t, i, &l->job.duration, err);
}

static int read_estimate(struct loader *l, const struct trace_table *t, int i,
                         struct gs_err *err)
{
    return trace_cell_duration(t, i, &l->job.estimate, err);
}

static int read_interval(struct loader *l, const struct trace_table *t, int i,
                         struct gs_err *err)
{
    return trace_cell_duration(t, i, &l->job.task_interval, err);
}

static int read_queue(struct loader *l, const struct trace_table *t, int i,
                      struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    uint32_t name;

    if (!trace_queue_name_ok(trace_cell(t, i)->text))
        return trace_cell_bad(t, i, TRACE_QUEUE_ALLOWED, err);
    if (trace_cell_text(t, i, w->names, &name, err) < 0)
        return -1;
    l->job.queue = trace_queue_put(w, name);
    return 0;
}

static int read_priority(struct loader *l, const struct trace_table *t, int i,
                         struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    int64_t value;

    if (trace_cell_whole(t, i, INT32_MIN, INT32_MAX, &value, err) < 0)
        return -1;
    l->job.klass = trace_class_value(w, (int32_t)value);
    return 0;
}

static int read_user(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    return trace_cell_text(t, i, l->r->w->names, &l->job.user, err);
}

static int read_gang(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    return trace_cell_whole(t, i, 1, TRACE_REPLICAS_MAX, &l->gang, err);
}

static int read_replicas(struct loader *l, const struct trace_table *t, int i,
                         struct gs_err *err)
{
    return trace_cell_whole(t, i, 1, TRACE_REPLICAS_MAX, &l->replicas, err);
}

static int read_least(struct loader *l, const struct trace_table *t, int i,
                      struct gs_err *err)
{
    return trace_cell_whole(t, i, 1, TRACE_REPLICAS_MAX, &l->least, err);
}

static int read_gpus(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    int64_t gpus;

    if (trace_cell_whole(t, i, 0, TOPO_DEVICES_MAX, &gpus, err) < 0)
        return -1;
    l->key.gpus = (uint32_t)gpus;
    return 0;
}

static int read_share(struct loader *l, const struct trace_table *t, int i,
                      struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);
    int64_t milli;

    if (gs_quantity_parse_milli(f->text, f->len, &milli) < 0 || milli <= 0
        || milli >= TOPO_SHARE_ONE)
        return trace_cell_bad(t, i, TRACE_SHARE_ALLOWED, err);
    l->key.share = (uint32_t)milli;
    return 0;
}

static int read_mig(struct loader *l, const struct trace_table *t, int i,
                    struct gs_err *err)
{
    l->key.mig = topo_mig_kind_find(trace_cell(t, i)->text);
    return l->key.mig ? 0 : trace_cell_bad(t, i, TRACE_MIG_ALLOWED, err);
}

static int read_cpu(struct loader *l, const struct trace_table *t, int i,
                    struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);

    if (gs_quantity_parse_milli(f->text, f->len, &l->key.cpu) < 0)
        return trace_cell_bad(t, i, "an amount such as 4, 1.5 or 500m", err);
    return 0;
}

static int read_memory(struct loader *l, const struct trace_table *t, int i,
                       struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);

    if (gs_quantity_parse_bytes(f->text, f->len, &l->key.memory) < 0)
        return trace_cell_bad(t, i, TRACE_BYTES_ALLOWED, err);
    return 0;
}

static int read_gpu_memory(struct loader *l, const struct trace_table *t, int i,
                           struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);

    if (gs_quantity_parse_bytes(f->text, f->len, &l->key.gpu_memory) < 0)
        return trace_cell_bad(t, i, TRACE_BYTES_ALLOWED, err);
    return 0;
}

static int read_rdma(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    const struct gs_csv_field *f = trace_cell(t, i);

    if (gs_quantity_parse_milli(f->text, f->len, &l->key.rdma) < 0)
        return trace_cell_bad(t, i, "an amount such as 4, 1.5 or 500m", err);
    return 0;
}

static int read_model(struct loader *l, const struct trace_table *t, int i,
                      struct gs_err *err)
{
    struct gs_strtab *names = l->r->w->names;
    const struct gs_csv_field *f = trace_cell(t, i);
    uint32_t model[TRACE_MODELS_MAX];

    if (trace_models_parse(names, f->text, f->len, model) == 0)
        return trace_cell_bad(t, i, TRACE_MODELS_ALLOWED, err);
    return trace_cell_text(t, i, names, &l->key.model, err);
}

static int read_within(struct loader *l, const struct trace_table *t, int i,
                       struct gs_err *err)
{
    if (l->job.within == TRACE_ANYWHERE)
        l->job.within = TRACE_REQUIRED;
    return trace_cell_text(t, i, l->r->w->names, &l->job.within_tier, err);
}

static int read_mode(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    bool required = false;

    if (trace_cell_choice(t, i, "required", "preferred", &required, err) < 0)
        return -1;
    l->has_mode = true;
    l->job.within = required ? TRACE_REQUIRED : TRACE_PREFERRED;
    return 0;
}

/* Columns beside those of job_keys.h, which follow them. */
static const struct {
    const char *name;
    cell_fn read;
} columns[] = {
    { "submit", read_submit },
    { "duration", read_duration },
    { "name", read_name },
    { "estimate", read_estimate },
    { "queue", read_queue },
    { "priority", read_priority },
    { "user", read_user },
    { "gang", read_gang },
    { "replicas", read_replicas },
    { "gpus", read_gpus },
    { "gpu_share", read_share },
    { "cpu", read_cpu },
    { "memory", read_memory },
    { "rdma", read_rdma },
    { "model", read_model },
    { "task_interval", read_interval },
    { "within", read_within },
    { "mode", read_mode },
    { "min_replicas", read_least },
    { "mig", read_mig },
    { "gpu_memory", read_gpu_memory },
};

#define COLUMNS ((int)(sizeof(columns) / sizeof(columns[0])))
#define REQUIRED 2 /* the first two */

static int read_cell(struct loader *l, const struct trace_table *t, int i,
                     struct gs_err *err)
{
    if (i < COLUMNS)
        return columns[i].read(l, t, i, err);
    return trace_job_key_cell(trace_job_key_at((size_t)(i - COLUMNS)), t, i,
                              l->r->w->names, &l->job, err);
}

static uint32_t models_of(const struct loader *l, uint32_t *model)
{
    const char *text = gs_strtab_str(l->r->w->names, l->key.model);

    return l->key.model
               ? trace_models_parse(l->r->w->names, text, strlen(text), model)
               : 0;
}

static uint32_t shape_of(struct loader *l)
{
    const struct shape_key *k = &l->key;
    const uint64_t hash = ((uint64_t)k->cpu * 31 + (uint64_t)k->memory * 131
                           + (uint64_t)k->rdma * 7
                           + (uint64_t)k->gpu_memory * 61
                           + k->gpus * UINT64_C(257) + k->share * 17
                           + k->mig * 8191 + k->model * UINT64_C(65537))
                          * UINT64_C(0x9e3779b97f4a7c15);
    struct shape_key *m = &l->memo[hash >> 56];
    struct topo_request q = { .gpus = k->gpus,
                              .share = k->share,
                              .mig = k->mig,
                              .share_memory = k->gpu_memory };
    uint32_t model[TRACE_MODELS_MAX];

    if (m->shape && memcmp(m, k, offsetof(struct shape_key, shape)) == 0)
        return m->shape - 1;
    q.amount[TOPO_CPU] = k->cpu;
    q.amount[TOPO_MEMORY] = k->memory;
    q.amount[TOPO_RDMA] = k->rdma;
    q.model_count = models_of(l, model);
    q.model = model;
    *m = *k;
    m->shape = trace_workload_shape(l->r->w, &q) + 1;
    return m->shape - 1;
}

static int check_mig(const struct loader *l, struct gs_mark at,
                     struct gs_err *err)
{
    uint32_t model[TRACE_MODELS_MAX];
    const struct topo_request q = { .mig = l->key.mig,
                                    .model_count = models_of(l, model),
                                    .model = model };

    return trace_mig_check(l->r->w->names, &q, at, err);
}

/* Of what says which part of which GPUs it wants only one may be there. */
static int check_ways(const struct loader *l, struct gs_mark at,
                      struct gs_err *err)
{
    static const char *const name[] = { "gpus", "gpu_share", "gpu_memory",
                                        "mig" };
    const bool is_there[] = { l->key.gpus > 0, l->key.share > 0,
                              l->key.gpu_memory > 0, l->key.mig > 0 };
    const char *first = NULL;

    for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
        if (is_there[i] && first)
            return gs_fail(err, GS_INPUT, at,
                           "'%s' and '%s' exclude each other", first, name[i]);
        first = is_there[i] ? name[i] : first;
    }
    return 0;
}

/* What cells of one row have to do with each other. */
static int check_row(const struct loader *l, struct gs_mark at,
                     struct gs_err *err)
{
    if (check_ways(l, at, err) < 0)
        return -1;
    if (l->key.mig && check_mig(l, at, err) < 0)
        return -1;
    if (trace_communication_check(&l->job, at, err) < 0)
        return -1;
    if (l->has_mode && !l->job.within_tier)
        return gs_fail(err, GS_INPUT, at, "'mode' needs 'within'");
    if (l->gang > l->replicas)
        return gs_fail(err, GS_INPUT, at,
                       "'gang' (%lld) is more than the job's tasks (%lld)",
                       (long long)l->gang, (long long)l->replicas);
    if (l->least > l->replicas)
        return gs_fail(err, GS_INPUT, at,
                       "'min_replicas' (%lld) is more than 'replicas' (%lld)",
                       (long long)l->least, (long long)l->replicas);
    if (l->gang && l->gang < l->least)
        return gs_fail(err, GS_INPUT, at,
                       "'gang' (%lld) is less than 'min_replicas' (%lld)",
                       (long long)l->gang, (long long)l->least);
    return 0;
}

static int add_row(void *ctx, const struct trace_table *t, uint32_t row,
                   struct gs_err *err)
{
    struct loader *l = ctx;
    const struct gs_mark mark = trace_table_mark(t);
    struct trace_group group;
    int rc = 0;

    l->job = l->unset;
    l->key = (struct shape_key){ 0 };
    l->replicas = 1;
    l->least = l->gang = 0;
    l->has_mode = false;
    for (int i = 0; i < l->columns; i++) {
        if (trace_cell(t, i)
                ? read_cell(l, t, i, err) < 0
                : i < REQUIRED && trace_cell_bad(t, i, "given", err) < 0)
            rc = -1;
    }
    if (rc < 0 || check_row(l, mark, err) < 0)
        return -1;
    if (!l->job.name)
        l->job.name = trace_number_name(l->r->w->names, "job-", row);
    if (trace_reading_claim(l->r, l->job.name, mark.line, mark, err) < 0)
        return -1;
    if (l->job.estimate < 0)
        l->job.estimate = l->job.duration;
    l->job.gang = (uint32_t)(l->gang ? l->gang : l->least);
    if (l->job.completions && !l->gang && !l->least)
        l->job.gang = 1;
    group = (struct trace_group){ .shape = shape_of(l),
                                  .replicas = (uint32_t)l->replicas,
                                  .min = (uint32_t)l->least };
    return trace_reading_add(l->r, &l->job, &group, mark, err);
}

int trace_read_csv(struct trace_reading *r, struct gs_err *err)
{
    struct loader l = { .r = r,
                        .columns = COLUMNS,
                        .unset = { .estimate = -1, .group_count = 1 } };
    const char *column[TRACE_COLUMNS_MAX + 1] = { NULL };
    const struct trace_job_key *k;
    struct trace_table t = {
        .column = column,
        .required = REQUIRED,
        .closed = true,
        .row = add_row,
        .ctx = &l,
    };

    for (int i = 0; i < COLUMNS; i++)
        column[i] = columns[i].name;
    for (size_t i = 0; (k = trace_job_key_at(i)); i++) {
        trace_job_key_clear(k, &l.unset);
        if (!k->yaml_only) {
            assert(l.columns < TRACE_COLUMNS_MAX);
            column[l.columns++] = k->name;
        }
    }
    return trace_table_read(&t, r->in, err);
}
