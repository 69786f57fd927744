/* reports/store/store_placements.c - the table of placements: by job, those of
 * a job by time.
 */
#include <stdlib.h>

#include "base/array.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"
#include "topology/mig.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

typedef const struct report_placement *placement_ref;

/* Rows to be inserted. */
struct placements {
    const struct report_writing *w;
    const uint32_t *seq; /* [row] number within the job */
};

static int placement_compare(const void *pa, const void *pb)
{
    const placement_ref a = *(const placement_ref *)pa;
    const placement_ref b = *(const placement_ref *)pb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->first_task != b->first_task)
        return a->first_task < b->first_task ? -1 : 1;
    return a < b ? -1 : 1; /* released earlier */
}

/* They are in reverse order unless the job was evicted. */
void store_placements_sort(const struct report_placement **at, size_t n)
{
    size_t sorted = 1;

    for (size_t i = 0; i < n / 2; i++) {
        const placement_ref swap = at[i];

        at[i] = at[n - 1 - i];
        at[n - 1 - i] = swap;
    }
    while (sorted < n && placement_compare(&at[sorted - 1], &at[sorted]) < 0)
        sorted++;
    if (sorted < n)
        qsort(at, n, sizeof(*at), placement_compare);
}

static void seq_put(const struct store_row *r, sqlite3_context *out)
{
    const struct placements *all = r->self;

    sqlite3_result_int64(out, all->seq[r->number]);
}

/* The request of the tasks. */
static const struct topo_request *request_of(const struct store_row *r)
{
    const struct placements *all = r->self;
    const struct trace_workload *t = all->w->work;
    const struct report_placement *p = r->at;

    return &t->shape[trace_group_at(t, t->job[p->job].first_group + p->group)
                         ->shape];
}

static void share_put(const struct store_row *r, sqlite3_context *out)
{
    const struct topo_request *q = request_of(r);
    const struct report_placement *p = r->at;

    if (p->devices && !q->mig)
        sqlite3_result_int64(out, q->share ? q->share : TOPO_SHARE_ONE);
}

static void slices_put(const struct store_row *r, sqlite3_context *out)
{
    const struct placements *all = r->self;
    const struct topo *t = all->w->topo;
    const struct topo_request *q = request_of(r);
    const struct report_placement *p = r->at;

    if (p->devices && q->mig)
        sqlite3_result_int64(
            out,
            topo_mig_slices(
                topo_mig_profile(t->klass[t->node_class[p->node]].mig, q->mig),
                p->slice));
}

static const struct store_column placements[] = {
    STORE_RUN,
    { "job", "INTEGER NOT NULL", "number of the job",
      STORE_FIELD(STORE_NUMBER, struct report_placement, job) },
    { "seq", "INTEGER NOT NULL", "number within the job, in time",
      STORE_BY(seq_put) },
    { "task_group", "INTEGER NOT NULL", "number of its group of tasks, from 0",
      STORE_FIELD(STORE_NUMBER, struct report_placement, group) },
    { "first_task", "INTEGER NOT NULL",
      "number of the first of consecutive tasks",
      STORE_FIELD(STORE_NUMBER, struct report_placement, first_task) },
    { "tasks", "INTEGER NOT NULL", "that stand there",
      STORE_FIELD(STORE_NUMBER, struct report_placement, tasks) },
    { "node", "INTEGER NOT NULL", "number of the node",
      STORE_FIELD(STORE_NUMBER, struct report_placement, node) },
    { "devices", "INTEGER NOT NULL",
      "bit i: they hold GPU i of the node, or part of it",
      STORE_FIELD(STORE_NUMBER, struct report_placement, devices) },
    { "start_us", "INTEGER NOT NULL", "held from",
      STORE_FIELD(STORE_NUMBER, struct report_placement, start) },
    { "end_us", "INTEGER", "held to; NULL: when the run ended, too",
      STORE_FIELD(STORE_TIME, struct report_placement, end) },
    { "share", "INTEGER",
      "of each of these GPUs, thousandths; NULL: no GPU, or a MIG instance",
      STORE_BY(share_put), .is_later = true },
    { "slices", "INTEGER",
      "bit i: their MIG instance holds memory slice i; NULL: no instance",
      STORE_BY(slices_put), .is_later = true },
};

const struct store_table store_table_placements = {
    "placements", STORE_COLUMNS(placements), STORE_KEY("run_id, job, seq"),
    false
};

int store_placements_insert(const struct report_writing *w, uint32_t count,
                            const struct report_placement *const *at,
                            const uint32_t *seq)
{
    const struct placements all = { w, seq };

    return store_rows_insert(
        w->db, &(struct store_rows){ &store_table_placements, w->run, count, at,
                                     0, &all });
}

int store_placements_write(const struct report_writing *w)
{
    const struct report_log *l = w->log;
    placement_ref *at = gs_array_new(l->placement_count, sizeof(*at));
    uint32_t *seq = gs_array_new(l->placement_count, sizeof(*seq));
    uint32_t *end = gs_array_new((size_t)l->job_count + 1, sizeof(*end));
    int rc;

    for (uint32_t i = 0; i < l->placement_count; i++)
        end[l->placement[i].job + 1]++;
    for (uint32_t j = 0; j < l->job_count; j++)
        end[j + 1] += end[j];
    for (uint32_t i = 0; i < l->placement_count; i++)
        at[end[l->placement[i].job]++] = &l->placement[i];
    for (uint32_t j = 0, from = 0; j < l->job_count; from = end[j++]) {
        if (end[j] - from > 1)
            store_placements_sort(at + from, end[j] - from);
        for (uint32_t i = from; i < end[j]; i++)
            seq[i] = i - from;
    }
    rc = store_placements_insert(w, l->placement_count, at, seq);
    gs_array_free(at);
    gs_array_free(seq);
    gs_array_free(end);
    return rc;
}
