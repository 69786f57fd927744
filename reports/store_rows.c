/* reports/store_rows.c - the rows of a run, table by table. */
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "reports/store_private.h"
#include "topology/topology.h"
#include "traces/workload.h"

static const char *const state_names[REPORT_STATES] = {
    [REPORT_PENDING] = "pending", [REPORT_PARTLY] = "partly placed",
    [REPORT_RUNNING] = "running", [REPORT_DONE] = "done",
    [REPORT_FAILED] = "failed",   [REPORT_REJECTED] = "rejected",
};

static const char *const cause_names[REPORT_CAUSES] = {
    [REPORT_NO_CAUSE] = "",         [REPORT_QUOTA] = "quota",
    [REPORT_CAPACITY] = "capacity", [REPORT_FRAGMENTATION] = "fragmentation",
    [REPORT_TOPOLOGY] = "topology", [REPORT_CONSTRAINT] = "constraint",
    [REPORT_HOARDING] = "hoarding", [REPORT_ORDER] = "order",
    [REPORT_LATENCY] = "latency",
};

static const char *const event_names[REPORT_EVENTS] = {
    [REPORT_EVENT_SUBMIT] = "submit", [REPORT_EVENT_PLACE] = "place",
    [REPORT_EVENT_START] = "start",   [REPORT_EVENT_RELEASE] = "release",
    [REPORT_EVENT_EVICT] = "evict",   [REPORT_EVENT_END] = "end",
};

/* --- statements -------------------------------------------------------------- */

static sqlite3_stmt *prepare(const struct report_writing *w, const char *sql)
{
    sqlite3_stmt *st = NULL;

    if (sqlite3_prepare_v2(w->db, sql, -1, &st, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_int64(st, 1, w->run);
    return st;
}

static int row(sqlite3_stmt *st)
{
    const int rc = sqlite3_step(st);

    sqlite3_reset(st);
    return rc == SQLITE_DONE ? 0 : -1;
}

static int finish(sqlite3_stmt *st, int rc)
{
    return sqlite3_finalize(st) == SQLITE_OK ? rc : -1;
}

static void bind_text(sqlite3_stmt *st, int i, const char *s)
{
    sqlite3_bind_text(st, i, s, -1, SQLITE_STATIC);
}

/* A time, NULL when negative. */
static void bind_time(sqlite3_stmt *st, int i, int64_t us)
{
    if (us < 0)
        sqlite3_bind_null(st, i);
    else
        sqlite3_bind_int64(st, i, us);
}

/* --- nodes ------------------------------------------------------------------- */

/* "spine/rack" of a node, into a buffer that grows. */
static char *domain_path(const struct topo *t, uint32_t node, char *buf,
                         uint32_t *cap)
{
    uint32_t len = 0;

    for (uint32_t level = 1; level <= t->tier_count; level++) {
        const uint32_t d = topo_domain_of(t, node, level);
        const char *name = gs_strtab_str(t->names, t->domain[d].name);
        const uint32_t n = (uint32_t)strlen(name);

        buf = gs_array_grow(buf, cap, len + n + 2, 1);
        if (len)
            buf[len++] = '/';
        memcpy(buf + len, name, n + 1);
        len += n;
    }
    return buf;
}

int report_write_nodes(const struct report_writing *w)
{
    const struct topo *t = w->topo;
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO nodes VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    uint32_t cap = 0;
    char *path = gs_array_grow(NULL, &cap, 64, 1);
    int rc = st ? 0 : -1;

    for (uint32_t n = 0; rc == 0 && n < t->node_count; n++) {
        const struct topo_class *k = &t->klass[t->node_class[n]];

        path = domain_path(t, n, path, &cap);
        sqlite3_bind_int64(st, 2, n);
        bind_text(st, 3, gs_strtab_str(t->names, t->node_name[n]));
        bind_text(st, 4, gs_strtab_str(t->names, k->type));
        bind_text(st, 5, path);
        sqlite3_bind_int64(st, 6, k->gpus);
        bind_text(st, 7, gs_strtab_str(t->names, k->model));
        rc = row(st);
    }
    gs_array_free(path);
    return finish(st, rc);
}

/* --- jobs -------------------------------------------------------------------- */

int report_write_jobs(const struct report_writing *w)
{
    const struct trace_workload *t = w->work;
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO jobs VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
           " ?10, ?11, ?12, ?13, ?14, ?15, ?16)");
    int rc = st ? 0 : -1;

    for (uint32_t i = 0; rc == 0 && i < t->job_count; i++) {
        const struct trace_job *j = &t->job[i];
        const struct report_job *r = &w->log->job[i];

        sqlite3_bind_int64(st, 2, i);
        bind_text(st, 3, gs_strtab_str(t->names, j->name));
        bind_text(st, 4, gs_strtab_str(t->names, t->queue[j->queue].name));
        bind_text(st, 5, gs_strtab_str(t->names, j->user));
        bind_text(st, 6, gs_strtab_str(t->names, t->klass[j->klass].name));
        sqlite3_bind_int64(st, 7, j->tasks);
        sqlite3_bind_int64(st, 8, j->gang);
        sqlite3_bind_int64(st, 9, trace_job_gpu_milli(t, i));
        sqlite3_bind_int64(st, 10, j->submit);
        bind_time(st, 11, r->start);
        bind_time(st, 12, r->end);
        bind_text(st, 13, state_names[r->state]);
        bind_text(st, 14, cause_names[r->cause]);
        sqlite3_bind_int64(st, 15, r->evictions);
        if (r->level == UINT32_MAX)
            sqlite3_bind_null(st, 16);
        else
            bind_text(st, 16, topo_level_name(w->topo, r->level));
        rc = row(st);
    }
    return finish(st, rc);
}

/* --- placements --------------------------------------------------------------- */

/* Positions in the log by job, in each job by time and then node. */
static uint32_t *placements_order(const struct report_log *l)
{
    uint32_t *at = gs_array_new(l->job_count + 1, sizeof(*at));
    uint32_t *order = gs_array_new(l->placement_count, sizeof(*order));

    for (uint32_t i = 0; i < l->placement_count; i++)
        at[l->placement[i].job + 1]++;
    for (uint32_t j = 0; j < l->job_count; j++)
        at[j + 1] += at[j];
    for (uint32_t i = 0; i < l->placement_count; i++)
        order[at[l->placement[i].job]++] = i;
    gs_array_free(at);
    return order;
}

static bool placement_before(const struct report_placement *a,
                             const struct report_placement *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    if (a->group != b->group)
        return a->group < b->group;
    return a->first_task < b->first_task;
}

/* Insertion sort of a job's placements: they come nearly in reverse. */
static void job_sort(const struct report_log *l, uint32_t *order, uint32_t n)
{
    for (uint32_t i = 0; i < n / 2; i++) {
        const uint32_t swap = order[i];

        order[i] = order[n - 1 - i];
        order[n - 1 - i] = swap;
    }
    for (uint32_t i = 1; i < n; i++) {
        const uint32_t one = order[i];
        uint32_t k = i;

        for (; k > 0
               && placement_before(&l->placement[one],
                                   &l->placement[order[k - 1]]);
             k--)
            order[k] = order[k - 1];
        order[k] = one;
    }
}

static int placement_row(sqlite3_stmt *st, const struct report_placement *p,
                         uint32_t seq)
{
    sqlite3_bind_int64(st, 2, p->job);
    sqlite3_bind_int64(st, 3, seq);
    sqlite3_bind_int64(st, 4, p->group);
    sqlite3_bind_int64(st, 5, p->first_task);
    sqlite3_bind_int64(st, 6, p->tasks);
    sqlite3_bind_int64(st, 7, p->node);
    sqlite3_bind_int64(st, 8, (int64_t)p->devices);
    sqlite3_bind_int64(st, 9, p->start);
    bind_time(st, 10, p->end);
    return row(st);
}

int report_write_placements(const struct report_writing *w)
{
    const struct report_log *l = w->log;
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO placements VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
           " ?9, ?10)");
    uint32_t *order = placements_order(l);
    int rc = st ? 0 : -1;

    for (uint32_t i = 0; rc == 0 && i < l->placement_count;) {
        const uint32_t job = l->placement[order[i]].job;
        uint32_t n = 1;

        while (i + n < l->placement_count
               && l->placement[order[i + n]].job == job)
            n++;
        if (n > 1)
            job_sort(l, order + i, n);
        for (uint32_t k = 0; rc == 0 && k < n; k++)
            rc = placement_row(st, &l->placement[order[i + k]], k);
        i += n;
    }
    gs_array_free(order);
    return finish(st, rc);
}

/* --- the smaller ones ---------------------------------------------------------- */

int report_write_events(const struct report_writing *w)
{
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO events VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    int rc = st ? 0 : -1;

    for (uint32_t i = 0; rc == 0 && i < w->log->event_count; i++) {
        const struct report_event *e = &w->log->event[i];

        sqlite3_bind_int64(st, 2, i);
        sqlite3_bind_int64(st, 3, e->at);
        bind_text(st, 4, event_names[e->kind]);
        sqlite3_bind_int64(st, 5, e->job);
        bind_time(st, 6, e->node == UINT32_MAX ? -1 : (int64_t)e->node);
        sqlite3_bind_int64(st, 7, e->tasks);
        rc = row(st);
    }
    return finish(st, rc);
}

int report_write_deadlocks(const struct report_writing *w)
{
    const struct report_log *l = w->log;
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO deadlocks VALUES (?1, ?2, ?3, ?4, ?5)");
    int rc = st ? 0 : -1;

    for (uint32_t i = 0; i < l->episode_count; i++) {
        const struct report_episode *e = &l->episode[i];

        for (uint32_t k = 0; rc == 0 && k < e->job_count; k++) {
            sqlite3_bind_int64(st, 2, i);
            sqlite3_bind_int64(st, 3, l->episode_job[e->first_job + k]);
            sqlite3_bind_int64(st, 4, e->start);
            bind_time(st, 5, e->end);
            rc = row(st);
        }
    }
    return finish(st, rc);
}

int report_write_samples(const struct report_writing *w,
                         const struct report_samples *s)
{
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO samples VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
           " ?10)");
    int rc = st ? 0 : -1;

    for (uint32_t i = 0; rc == 0 && i < s->count; i++) {
        sqlite3_bind_int64(st, 2, (int64_t)i * s->span);
        for (int k = 0; k < REPORT_SERIES; k++)
            sqlite3_bind_double(
                st, 3 + k, report_samples_value(s, i, (enum report_series)k));
        rc = row(st);
    }
    return finish(st, rc);
}

int report_write_metrics(const struct report_writing *w,
                         const struct report_metric *m, uint32_t count)
{
    sqlite3_stmt *st = prepare(
        w, "INSERT INTO metrics VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
    int rc = st ? 0 : -1;

    for (uint32_t i = 0; rc == 0 && i < count; i++) {
        bind_text(st, 2, m[i].name);
        bind_text(st, 3, m[i].scope);
        bind_text(st, 4, m[i].label);
        bind_text(st, 5, report_unit_name(m[i].unit));
        sqlite3_bind_double(st, 6, m[i].value);
        rc = row(st);
    }
    return finish(st, rc);
}
