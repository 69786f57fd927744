/* reports/store/store_rows.c - the rows of a run, table by table. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "reports/store/row_source.h"
#include "reports/store/store_private.h"
#include "reports/store/stored_names.h"
#include "topology/mig.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

static const char *const event_names[REPORT_EVENTS] = {
    [REPORT_EVENT_SUBMIT] = "submit", [REPORT_EVENT_PLACE] = "place",
    [REPORT_EVENT_START] = "start",   [REPORT_EVENT_RELEASE] = "release",
    [REPORT_EVENT_EVICT] = "evict",   [REPORT_EVENT_END] = "end",
};

/* --- values ------------------------------------------------------------------ */

static void text(sqlite3_context *out, const char *s)
{
    sqlite3_result_text(out, s, -1, SQLITE_STATIC);
}

/* A time, NULL when negative. */
static void time_us(sqlite3_context *out, int64_t us)
{
    if (us >= 0)
        sqlite3_result_int64(out, us);
}

/* --- nodes ------------------------------------------------------------------- */

/* "spine/rack" of a node. */
static void domain_path(sqlite3_context *out, const struct topo *t,
                        uint32_t node)
{
    const char *part[TOPO_TIERS_MAX];
    size_t size = 1;
    char *path;

    for (uint32_t level = 1; level <= t->tier_count; level++) {
        const uint32_t d = topo_domain_of(t, node, level);

        part[level - 1] = gs_strtab_str(t->names, t->domain[d].name);
        size += strlen(part[level - 1]) + 1;
    }
    path = gs_array_new(size, 1);
    for (uint32_t i = 0; i < t->tier_count; i++)
        strcat(strcat(path, i ? "/" : ""), part[i]);
    sqlite3_result_text(out, path, -1, SQLITE_TRANSIENT);
    gs_array_free(path);
}

static void node_value(const void *self, int64_t row, int column,
                       sqlite3_context *out)
{
    const struct report_writing *w = self;
    const struct topo *t = w->topo;
    const struct topo_class *k = &t->klass[t->node_class[row]];

    switch (column) {
    case 1:
        sqlite3_result_int64(out, row);
        break;
    case 2:
        text(out, gs_strtab_str(t->names, t->node_name[row]));
        break;
    case 3:
        text(out, gs_strtab_str(t->names, k->type));
        break;
    case 4:
        domain_path(out, t, (uint32_t)row);
        break;
    case 5:
        sqlite3_result_int64(out, k->gpus);
        break;
    case 6:
        text(out, gs_strtab_str(t->names, k->model));
        break;
    }
}

int report_write_nodes(const struct report_writing *w)
{
    const struct report_row_source source = { "nodes", 7,
                                              w->run,  w->topo->node_count,
                                              w,       node_value };

    return report_rows_insert(w->db, &source);
}

/* --- placements --------------------------------------------------------------- */

typedef const struct report_placement *placement_ref;

/* Placements by job, in each job by time. */
struct placements {
    const struct report_writing *w;
    placement_ref *at;
    uint32_t *end; /* [job] where those of the job end in at[] */
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
    return a < b ? -1 : 1; /* given back earlier */
}

/* They come in reverse, but where a job was evicted. */
static void job_sort(placement_ref *at, size_t n)
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

static struct placements placements_sort(const struct report_log *l)
{
    struct placements p = {
        .at = gs_array_new(l->placement_count, sizeof(placement_ref)),
        .end = gs_array_new((size_t)l->job_count + 1, sizeof(*p.end)),
    };

    for (uint32_t i = 0; i < l->placement_count; i++)
        p.end[l->placement[i].job + 1]++;
    for (uint32_t j = 0; j < l->job_count; j++)
        p.end[j + 1] += p.end[j];
    for (uint32_t i = 0; i < l->placement_count; i++)
        p.at[p.end[l->placement[i].job]++] = &l->placement[i];
    for (uint32_t j = 0, from = 0; j < l->job_count; from = p.end[j++]) {
        if (p.end[j] - from > 1)
            job_sort(p.at + from, p.end[j] - from);
    }
    return p;
}

/* What the tasks hold of each device: a share, or slices of an instance. */
static void device_value(const struct report_writing *w,
                         const struct report_placement *p, bool slices,
                         sqlite3_context *out)
{
    const struct trace_workload *t = w->work;
    const struct trace_group *g = &t->group[t->job[p->job].first_group];
    const struct topo_request *q = &t->shape[g[p->group].shape];
    const struct topo_class *k = &w->topo->klass[w->topo->node_class[p->node]];

    if (p->devices == 0 || slices != (q->mig > 0))
        return;
    if (slices)
        sqlite3_result_int64(
            out, topo_mig_slices(topo_mig_profile(k->mig, q->mig), p->slice));
    else
        sqlite3_result_int64(out, q->share ? q->share : TOPO_SHARE_ONE);
}

static void placement_value(const void *self, int64_t row, int column,
                            sqlite3_context *out)
{
    const struct placements *all = self;
    const struct report_placement *p = all->at[row];

    switch (column) {
    case 1:
        sqlite3_result_int64(out, p->job);
        break;
    case 2:
        sqlite3_result_int64(out, row - (p->job ? all->end[p->job - 1] : 0));
        break;
    case 3:
        sqlite3_result_int64(out, p->group);
        break;
    case 4:
        sqlite3_result_int64(out, p->first_task);
        break;
    case 5:
        sqlite3_result_int64(out, p->tasks);
        break;
    case 6:
        sqlite3_result_int64(out, p->node);
        break;
    case 7:
        sqlite3_result_int64(out, (int64_t)p->devices);
        break;
    case 8:
        sqlite3_result_int64(out, p->start);
        break;
    case 9:
        time_us(out, p->end);
        break;
    case 10:
    case 11:
        device_value(all->w, p, column == 11, out);
        break;
    }
}

int report_write_placements(const struct report_writing *w)
{
    struct placements p = placements_sort(w->log);
    const struct report_row_source source = {
        "placements", 12, w->run, w->log->placement_count, &p, placement_value
    };
    int rc;

    p.w = w;
    rc = report_rows_insert(w->db, &source);
    gs_array_free(p.at);
    gs_array_free(p.end);
    return rc;
}

/* --- the smaller ones ---------------------------------------------------------- */

static void event_value(const void *self, int64_t row, int column,
                        sqlite3_context *out)
{
    const struct report_event *e = (const struct report_event *)self + row;

    switch (column) {
    case 1:
        sqlite3_result_int64(out, row);
        break;
    case 2:
        sqlite3_result_int64(out, e->at);
        break;
    case 3:
        text(out, event_names[e->kind]);
        break;
    case 4:
        sqlite3_result_int64(out, e->job);
        break;
    case 5:
        if (e->node != UINT32_MAX)
            sqlite3_result_int64(out, e->node);
        break;
    case 6:
        sqlite3_result_int64(out, e->tasks);
        break;
    }
}

int report_write_events(const struct report_writing *w)
{
    const struct report_row_source source = {
        "events", 7, w->run, w->log->event_count, w->log->event, event_value
    };

    return report_rows_insert(w->db, &source);
}

/* Rows are the jobs of episodes; `first_job` of an episode never falls. */
static void deadlock_value(const void *self, int64_t row, int column,
                           sqlite3_context *out)
{
    const struct report_log *l = self;
    uint32_t low = 0, high = l->episode_count - 1;

    while (low < high) {
        const uint32_t mid = low + (high - low + 1) / 2;

        if (l->episode[mid].first_job <= row)
            low = mid;
        else
            high = mid - 1;
    }
    switch (column) {
    case 1:
        sqlite3_result_int64(out, low);
        break;
    case 2:
        sqlite3_result_int64(out, l->episode_job[row]);
        break;
    case 3:
        sqlite3_result_int64(out, l->episode[low].start);
        break;
    case 4:
        time_us(out, l->episode[low].end);
        break;
    case 5:
        sqlite3_result_int(out, l->episode[low].is_endless);
        break;
    }
}

int report_write_deadlocks(const struct report_writing *w)
{
    const struct report_row_source source = {
        "deadlocks",   6, w->run, w->log->episode_job_count, w->log,
        deadlock_value
    };

    return report_rows_insert(w->db, &source);
}

static void sample_value(const void *self, int64_t row, int column,
                         sqlite3_context *out)
{
    const struct report_samples *s = self;

    if (column == 1)
        sqlite3_result_int64(out, s->from + row * s->span);
    else
        sqlite3_result_double(
            out, report_samples_value(s, (uint32_t)row,
                                      (enum report_series)(column - 2)));
}

int report_write_samples(const struct report_writing *w,
                         const struct report_samples *s)
{
    const struct report_row_source source = { "samples", 2 + REPORT_SERIES,
                                              w->run,    s->count,
                                              s,         sample_value };

    return report_rows_insert(w->db, &source);
}

static void metric_value(const void *self, int64_t row, int column,
                         sqlite3_context *out)
{
    const struct report_metric *m = (const struct report_metric *)self + row;

    switch (column) {
    case 1:
        text(out, m->name);
        break;
    case 2:
        text(out, m->scope);
        break;
    case 3:
        text(out, m->label);
        break;
    case 4:
        text(out, report_unit_name(m->unit));
        break;
    case 5:
        sqlite3_result_double(out, m->value);
        break;
    }
}

int report_write_metrics(const struct report_writing *w,
                         const struct report_metric *m, uint32_t count)
{
    const struct report_row_source source = { "metrics", 6, w->run,
                                              count,     m, metric_value };

    return report_rows_insert(w->db, &source);
}
