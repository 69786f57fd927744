/* traces/formats/native_csv.c - one job per row; the header has native field
 * names in any order.  An empty cell is the default.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "traces/formats/csv_row.h"
#include "traces/workload/dependencies.h"

#define MEMO 256 /* cache of recent shapes; a power of two */
#define REQUIRED \
    (UINT64_C(1) << TRACE_CSV_SUBMIT | UINT64_C(1) << TRACE_CSV_DURATION)

struct loader {
    struct trace_reading *r;
    const struct trace_job_key *key[TRACE_COLUMNS_MAX];
    struct trace_csv_row unset; /* a row with empty cells only */
    struct trace_csv_row row;   /* the current one */
    struct trace_shape_key memo[MEMO];
    struct trace_place *needed; /* [w->dependency] its row */
    uint32_t needed_cap;
};

static uint32_t models_of(const struct loader *l, uint32_t *model)
{
    const char *text = gs_strtab_str(l->r->w->names, l->row.key.model);

    return l->row.key.model
               ? trace_models_parse(l->r->w->names, text, strlen(text), model)
               : 0;
}

static uint32_t shape_of(struct loader *l)
{
    const struct trace_shape_key *k = &l->row.key;
    const uint64_t hash = ((uint64_t)k->cpu * 31 + (uint64_t)k->memory * 131
                           + (uint64_t)k->rdma * 7
                           + (uint64_t)k->gpu_memory * 61
                           + k->gpus * UINT64_C(257) + k->share * 17
                           + k->mig * 8191 + k->model * UINT64_C(65537))
                          * UINT64_C(0x9e3779b97f4a7c15);
    struct trace_shape_key *m = &l->memo[hash >> 56];
    struct topo_request q = { .gpus = k->gpus,
                              .share = k->share,
                              .mig = k->mig,
                              .share_memory = k->gpu_memory };
    uint32_t model[TRACE_MODELS_MAX];

    if (m->shape && memcmp(m, k, offsetof(struct trace_shape_key, shape)) == 0)
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
    const struct topo_request q = { .mig = l->row.key.mig,
                                    .model_count = models_of(l, model),
                                    .model = model };

    return trace_mig_check(l->r->w->names, &q, at, err);
}

/* Fail unless the row asks for GPUs in only one way. */
static int check_ways(const struct loader *l, struct gs_mark at,
                      struct gs_err *err)
{
    static const char *const name[] = { "gpus", "gpu_share", "gpu_memory",
                                        "mig" };
    const struct trace_shape_key *k = &l->row.key;
    const bool is_there[] = { k->gpus > 0, k->share > 0, k->gpu_memory > 0,
                              k->mig > 0 };
    const char *first = NULL;

    for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
        if (is_there[i] && first)
            return gs_fail(err, GS_INPUT, at,
                           "'%s' and '%s' exclude each other", first, name[i]);
        first = is_there[i] ? name[i] : first;
    }
    return 0;
}

/* Check cells of the row against each other. */
static int check_row(const struct loader *l, bool has_mode, struct gs_mark at,
                     struct gs_err *err)
{
    const struct trace_csv_row *row = &l->row;

    if (check_ways(l, at, err) < 0)
        return -1;
    if (row->key.mig && check_mig(l, at, err) < 0)
        return -1;
    if (trace_communication_check(&row->own.job, at, err) < 0)
        return -1;
    if (has_mode && !row->within)
        return gs_fail(err, GS_INPUT, at, "'mode' needs 'within'");
    if (row->gang > row->replicas)
        return gs_fail(err, GS_INPUT, at,
                       "'gang' (%u) is more than the job's tasks (%u)",
                       row->gang, row->replicas);
    if (row->least > row->replicas)
        return gs_fail(err, GS_INPUT, at,
                       "'min_replicas' (%u) is more than 'replicas' (%u)",
                       row->least, row->replicas);
    if (row->gang && row->gang < row->least)
        return gs_fail(err, GS_INPUT, at,
                       "'gang' (%u) is less than 'min_replicas' (%u)",
                       row->gang, row->least);
    return 0;
}

/* Set the members of the job from the other cells of its row. */
static void job_finish(struct trace_workload *w, struct trace_csv_row *row)
{
    struct trace_job *job = &row->own.job;

    job->group_count = 1;
    job->queue = row->queue ? trace_queue_put(w, row->queue) : 0;
    job->klass = trace_class_value(w, (int32_t)row->priority);
    job->aside->within_tier = row->within;
    if (row->within)
        job->aside->within = row->is_preferred ? TRACE_PREFERRED
                                               : TRACE_REQUIRED;
    if (job->estimate < 0)
        job->estimate = job->duration;
    job->gang = row->gang ? row->gang : row->least;
    if (job->gang == 0 && job->aside->completions)
        job->gang = 1;
}

/* Read the dependencies of the row, and note where they are. */
static int after_take(struct loader *l, struct gs_mark at, struct gs_err *err)
{
    struct trace_workload *w = l->r->w;
    const uint32_t first = w->dependencies->dependency_count;

    if (trace_csv_after_read(w, &l->row, at, err) < 0)
        return -1;
    for (uint32_t i = first; i < w->dependencies->dependency_count; i++) {
        l->needed = gs_array_grow(l->needed, &l->needed_cap, i + 1,
                                  sizeof(*l->needed));
        l->needed[i] = (struct trace_place){ at.line, at.column };
    }
    return 0;
}

static int add_row(void *ctx, const struct trace_table *t, uint32_t number,
                   struct gs_err *err)
{
    struct loader *l = ctx;
    struct gs_strtab *names = l->r->w->names;
    const struct gs_mark mark = trace_table_mark(t);
    struct trace_job *job = &l->row.own.job;
    struct trace_group group;
    int rc = 0;

    l->row = l->unset;
    job->aside = &l->row.own.aside;
    for (int k = 0; k < t->given_count; k++) {
        const int i = t->given[k];

        if (trace_cell(t, i)
                ? trace_key_cell(l->key[i], t, i, names, &l->row, err) < 0
                : (REQUIRED >> i & 1) && trace_cell_bad(t, i, "given", err) < 0)
            rc = -1;
    }
    if (rc < 0
        || check_row(l, trace_cell(t, TRACE_CSV_MODE) != NULL, mark, err) < 0)
        return -1;
    if (!job->name)
        job->name = trace_number_name(names, "job-", number);
    if (trace_reading_claim(l->r, job->name, mark.line, mark, err) < 0)
        return -1;
    job_finish(l->r->w, &l->row);
    if (trace_csv_records_read(l->r->w, &l->row, mark, err) < 0
        || after_take(l, mark, err) < 0)
        return -1;
    group = (struct trace_group){ .shape = shape_of(l),
                                  .replicas = l->row.replicas,
                                  .min = l->row.least };
    return trace_reading_add(l->r, job, &group, mark, err);
}

int trace_read_csv(struct trace_reading *r, struct gs_err *err)
{
    struct loader l = { .r = r };
    const char *column[TRACE_COLUMNS_MAX + 1] = { NULL };
    const struct trace_job_key *k;
    int columns = 0, rc;
    struct trace_table t = {
        .column = column,
        .required = REQUIRED,
        .closed = true,
        .row = add_row,
        .ctx = &l,
    };

    for (; (k = trace_csv_column((size_t)columns)); columns++) {
        assert(columns < TRACE_COLUMNS_MAX);
        trace_key_clear(k, &l.unset);
        l.key[columns] = k;
        column[columns] = k->name;
    }
    rc = trace_table_read(&t, r->in, err);
    if (rc == 0)
        rc = trace_after_check(r, l.needed, err);
    gs_array_free(l.needed);
    return rc;
}
