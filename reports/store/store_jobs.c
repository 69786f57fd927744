/* reports/store/store_jobs.c - the rows of jobs: a function for each column. */
#include "base/strtab.h"
#include "reports/store/job_columns.h"
#include "reports/store/row_source.h"
#include "reports/store/store_private.h"
#include "reports/store/stored_names.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

typedef void column_value(const struct report_writing *w, uint32_t job,
                          sqlite3_context *out);

static void text(sqlite3_context *out, const char *s)
{
    sqlite3_result_text(out, s, -1, SQLITE_STATIC);
}

/* The string `id` of the workload's table. */
static void name_of(const struct report_writing *w, uint32_t id,
                    sqlite3_context *out)
{
    text(out, gs_strtab_str(w->work->names, id));
}

/* A time, NULL when negative. */
static void time_us(sqlite3_context *out, int64_t us)
{
    if (us >= 0)
        sqlite3_result_int64(out, us);
}

#define COLUMN(name)                                                     \
    static void job_##name(const struct report_writing *w, uint32_t job, \
                           sqlite3_context *out)

/* --- what the job asks for ----------------------------------------------------- */

COLUMN(job)
{
    (void)w;
    sqlite3_result_int64(out, job);
}

COLUMN(name)
{
    name_of(w, w->work->job[job].name, out);
}

COLUMN(queue)
{
    name_of(w, w->work->queue[w->work->job[job].queue].name, out);
}

COLUMN(user)
{
    name_of(w, w->work->job[job].user, out);
}

COLUMN(priority)
{
    name_of(w, w->work->klass[w->work->job[job].klass].name, out);
}

COLUMN(tasks)
{
    sqlite3_result_int64(out, w->work->job[job].tasks);
}

COLUMN(gang)
{
    sqlite3_result_int64(out, w->work->job[job].gang);
}

COLUMN(gpu_milli)
{
    sqlite3_result_int64(out, trace_job_gpu_milli(w->work, job));
}

COLUMN(submit_us)
{
    sqlite3_result_int64(out, w->work->job[job].submit);
}

COLUMN(completions)
{
    if (w->work->job[job].completions)
        sqlite3_result_int64(out, w->work->job[job].completions);
}

/* --- its outcome ----------------------------------------------------------------- */

COLUMN(start_us)
{
    time_us(out, w->log->job[job].start);
}

COLUMN(end_us)
{
    time_us(out, w->log->job[job].end);
}

COLUMN(state)
{
    text(out, report_state_name(w->log->job[job].state));
}

COLUMN(cause)
{
    text(out, report_cause_name(w->log->job[job].cause));
}

COLUMN(evictions)
{
    sqlite3_result_int64(out, w->log->job[job].evictions);
}

COLUMN(tier)
{
    const uint32_t level = w->log->job[job].level;

    if (level != UINT32_MAX)
        text(out, topo_level_name(w->topo, level));
}

COLUMN(preemptions)
{
    sqlite3_result_int64(out, w->log->job[job].preemptions);
}

COLUMN(reason)
{
    if (w->log->job[job].reason)
        text(out, w->log->job[job].reason);
}

COLUMN(lost_gpu_us)
{
    sqlite3_result_int64(out, w->log->job[job].lost_gpu_us);
}

COLUMN(ran_us)
{
    if (w->log->job[job].start >= 0)
        sqlite3_result_int64(out, w->log->job[job].ran);
}

COLUMN(work_us)
{
    if (w->log->job[job].start >= 0)
        sqlite3_result_int64(out, w->log->job[job].work);
}

/* --- rows ------------------------------------------------------------------------ */

#define VALUE(name, type) job_##name,

static column_value *const values[] = { REPORT_JOB_COLUMNS(VALUE)
                                            REPORT_JOB_COLUMNS_LATER(VALUE) };

#define N_VALUES (int)(sizeof(values) / sizeof(values[0]))

/* Column 0 is the run. */
static void job_value(const void *self, int64_t row, int column,
                      sqlite3_context *out)
{
    values[column - 1](self, (uint32_t)row, out);
}

int report_write_jobs(const struct report_writing *w)
{
    const struct report_row_source source = { "jobs", N_VALUES + 1,
                                              w->run, w->work->job_count,
                                              w,      job_value };

    return report_rows_insert(w->db, &source);
}
