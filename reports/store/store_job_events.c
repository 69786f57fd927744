/* reports/store/store_job_events.c - tables of the events of jobs. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "reports/glossary/cause_info.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"
#include "topology/topology.h"

static void cause_put(const struct store_row *r, sqlite3_context *out)
{
    const int64_t cause = store_field_number(
        (const char *)r->at + r->column->at, r->column->size);

    store_text_put(out, report_cause_info((enum report_cause)cause)->name);
}

/* --- waits ---------------------------------------------------------------- */

static const struct store_column waits[] = {
    STORE_RUN,
    { "job", "INTEGER NOT NULL", "number of the job",
      STORE_FIELD(STORE_NUMBER, struct report_wait, job) },
    { "cause", "TEXT NOT NULL", "of all its waiting", STORE_BY(cause_put),
      STORE_AT(struct report_wait, cause) },
    { "us", "INTEGER NOT NULL", "for this cause, above 0",
      STORE_FIELD(STORE_NUMBER, struct report_wait, us) },
    { "first_us", "INTEGER",
      "of that: before its first start; the rest is after evictions",
      STORE_FIELD(STORE_NUMBER, struct report_wait, first), .is_later = true },
};

const struct store_table store_table_waits = { "waits", STORE_COLUMNS(waits),
                                               STORE_KEY("run_id, job, cause"),
                                               false };

/* By job, in each job by name of the cause. */
static int wait_compare(const void *pa, const void *pb)
{
    const struct report_wait *a = pa, *b = pb;

    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return strcmp(report_cause_info(a->cause)->name,
                  report_cause_info(b->cause)->name);
}

int store_waits_write(const struct report_writing *w)
{
    const struct report_log *l = w->log;
    struct report_wait *sorted = gs_array_new(l->wait_count, sizeof(*sorted));
    int rc;

    for (uint32_t i = 0; i < l->wait_count; i++)
        sorted[i] = l->wait[i];
    if (l->wait_count)
        qsort(sorted, l->wait_count, sizeof(*sorted), wait_compare);
    rc = store_array_write(w, &store_table_waits, l->wait_count, sorted,
                           sizeof(*sorted));
    gs_array_free(sorted);
    return rc;
}

static const struct store_column refusals[] = {
    STORE_RUN,
    { "job", "INTEGER NOT NULL", "number of the job",
      STORE_FIELD(STORE_NUMBER, struct report_refused, job) },
    { "module", "TEXT NOT NULL",
      "of the profile, 'quota NAME', or a limit, that refused it",
      STORE_FIELD(STORE_TEXT, struct report_refused, module) },
    { "us", "INTEGER NOT NULL", "of its wait for quota, above 0",
      STORE_FIELD(STORE_NUMBER, struct report_refused, us) },
};

const struct store_table store_table_refusals = {
    "refusals", STORE_COLUMNS(refusals), STORE_KEY("run_id, job, module"), true
};

/* --- evictions ------------------------------------------------------------ */

static const char *const eviction_names[REPORT_EVICTION_KINDS] = {
    [REPORT_TIMEOUT] = "timeout",
    [REPORT_PREEMPT] = "preempt",
    [REPORT_RECLAIM] = "reclaim",
    [REPORT_LOST] = "lost",
    [REPORT_MOVED] = "shuffle",
    [REPORT_RELOCATED] = "move",
    [REPORT_RECLAIM_BORROWING] = "reclaim-borrowing",
    [REPORT_RECLAIM_SHARE] = "reclaim-share",
};

static const struct store_column evictions[] = {
    STORE_RUN,
    { "seq", "INTEGER NOT NULL", "number of the eviction, in time",
      .kind = STORE_ROW },
    { "at_us", "INTEGER NOT NULL", "when",
      STORE_FIELD(STORE_NUMBER, struct report_evicted, at) },
    { "job", "INTEGER NOT NULL", "number of the job that gave back",
      STORE_FIELD(STORE_NUMBER, struct report_evicted, what.job) },
    { "by_job", "INTEGER",
      "number of the job that it made room for; NULL: for none",
      STORE_FIELD(STORE_INDEX, struct report_evicted, what.by) },
    { "kind", "TEXT NOT NULL",
      "timeout, preempt, reclaim, reclaim-borrowing, reclaim-share,"
      " lost, shuffle or move",
      STORE_NAME_OF(eviction_names, struct report_evicted, what.kind) },
    { "tasks", "INTEGER NOT NULL", "given back",
      STORE_FIELD(STORE_NUMBER, struct report_evicted, what.tasks) },
    { "whole", "INTEGER NOT NULL", "0: only tasks above its gang",
      STORE_FIELD(STORE_NUMBER, struct report_evicted, what.is_whole) },
    { "lost_us", "INTEGER NOT NULL", "run time to be repeated",
      STORE_FIELD(STORE_NUMBER, struct report_evicted, what.lost_us) },
    { "lost_gpu_us", "INTEGER NOT NULL", "the same of all its GPUs",
      STORE_FIELD(STORE_NUMBER, struct report_evicted, what.lost_gpu_us) },
};

const struct store_table store_table_evictions = {
    "evictions", STORE_COLUMNS(evictions), STORE_KEY("run_id, seq"), false
};

/* --- run segments --------------------------------------------------------- */

static const char *const speed_names[REPORT_SPEED_SOURCES] = {
    [REPORT_SPEED_NODES] = "nodes",
    [REPORT_SPEED_ALL_REDUCE] = "all-reduce",
    [REPORT_SPEED_TABLE] = "table",
};

static void nodes_ppm_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_run_segment *s = r->at;

    sqlite3_result_int64(out, s->nodes * INT64_C(1000));
}

static void held_tier_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_writing *w = r->self;
    const struct report_run_segment *s = r->at;

    store_text_put(out, topo_level_name(w->topo, s->level));
}

static const struct store_column legs[] = {
    STORE_RUN,
    { "seq", "INTEGER NOT NULL", "number of the run segment, by its end",
      .kind = STORE_ROW },
    { "job", "INTEGER NOT NULL", "number of the job",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, job) },
    { "start_us", "INTEGER NOT NULL", "when it began to run at this speed",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, start) },
    { "us", "INTEGER NOT NULL", "for which it did",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, us) },
    { "tasks", "INTEGER NOT NULL", "that ran",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, tasks) },
    { "gpu_milli", "INTEGER NOT NULL", "they held",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, gpu_milli) },
    { "speed_ppm", "INTEGER NOT NULL", "of that at which it was measured",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, speed) },
    { "nodes_ppm", "INTEGER NOT NULL", "of that: by the slowest node's type",
      STORE_BY(nodes_ppm_put) },
    { "model_ppm", "INTEGER NOT NULL", "of that: by what `source` names",
      STORE_FIELD(STORE_NUMBER, struct report_run_segment, model) },
    { "source", "TEXT NOT NULL", "nodes, all-reduce or table",
      STORE_NAME_OF(speed_names, struct report_run_segment, by) },
    { "tier", "TEXT NOT NULL", "smallest that held them",
      STORE_BY(held_tier_put) },
};

const struct store_table store_table_legs = { "legs", STORE_COLUMNS(legs),
                                              STORE_KEY("run_id, seq"), true };

/* --- deadlocks ------------------------------------------------------------ */

/* A job of an episode. */
struct deadlocked {
    uint32_t episode, job;
    int64_t start, end;
    bool is_endless;
};

static const struct store_column deadlocks[] = {
    STORE_RUN,
    { "episode", "INTEGER NOT NULL", "number of the deadlock, from 0",
      STORE_FIELD(STORE_NUMBER, struct deadlocked, episode) },
    { "job", "INTEGER NOT NULL", "number of a job that could not complete",
      STORE_FIELD(STORE_NUMBER, struct deadlocked, job) },
    { "start_us", "INTEGER NOT NULL", "when it began",
      STORE_FIELD(STORE_NUMBER, struct deadlocked, start) },
    { "end_us", "INTEGER", "when it was over; NULL: it lasted to the end",
      STORE_FIELD(STORE_TIME, struct deadlocked, end) },
    { "endless", "INTEGER", "1: nothing known to come could end it",
      STORE_FIELD(STORE_NUMBER, struct deadlocked, is_endless),
      .is_later = true },
};

const struct store_table store_table_deadlocks = {
    "deadlocks", STORE_COLUMNS(deadlocks), STORE_KEY("run_id, episode, job"),
    false
};

int store_deadlocks_write(const struct report_writing *w)
{
    const struct report_log *l = w->log;
    struct deadlocked *row = gs_array_new(l->episode_job_count, sizeof(*row));
    uint32_t count = 0;
    int rc;

    for (uint32_t i = 0; i < l->episode_count; i++) {
        const struct report_episode *e = &l->episode[i];

        for (uint32_t k = 0; k < e->job_count; k++)
            row[count++] =
                (struct deadlocked){ i, l->episode_job[e->first_job + k],
                                     e->start, e->end, e->is_endless };
    }
    rc = store_array_write(w, &store_table_deadlocks, count, row, sizeof(*row));
    gs_array_free(row);
    return rc;
}
