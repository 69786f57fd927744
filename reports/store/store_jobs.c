/* reports/store/store_jobs.c - the rows of jobs, in two tables: job_kinds has
 * what jobs have in common (store_kinds.c), job_rows the rest.  Jobs is a view
 * of both.
 */
#include "base/array.h"
#include "base/strtab.h"
#include "reports/store/store_private.h"
#include "reports/store/tables.h"
#include "traces/workload/workload.h"

#define JOBS_AT_ONCE 4096u

/* --- rows ----------------------------------------------------------------- */

static const struct trace_job *job_of(const struct store_row *r)
{
    const struct report_writing *w = r->self;
    const struct store_job_row *j = r->at;

    return &w->work->job[j->job];
}

static void name_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_writing *w = r->self;

    store_text_put(out, gs_strtab_str(w->work->names, job_of(r)->name));
}

static void submit_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_int64(out, job_of(r)->submit);
}

static void until_start_put(const struct store_row *r, sqlite3_context *out)
{
    const struct store_job_row *j = r->at;

    if (j->start >= 0)
        sqlite3_result_int64(out, j->start - job_of(r)->submit);
}

static void until_end_put(const struct store_row *r, sqlite3_context *out)
{
    const struct store_job_row *j = r->at;

    if (j->end >= 0)
        sqlite3_result_int64(
            out, j->end - (j->start >= 0 ? j->start : job_of(r)->submit));
}

static void ran_put(const struct store_row *r, sqlite3_context *out)
{
    const struct store_job_row *j = r->at;

    if (j->start >= 0 && (j->end < 0 || j->ran != j->end - j->start))
        sqlite3_result_int64(out, j->ran);
}

static void work_put(const struct store_row *r, sqlite3_context *out)
{
    const struct store_job_row *j = r->at;

    if (j->start >= 0 && j->work != j->ran)
        sqlite3_result_int64(out, j->work);
}

/* When its dependencies were met. */
static void eligible_put(const struct store_row *r, sqlite3_context *out)
{
    const struct store_job_row *j = r->at;

    if (job_of(r)->aside->dependency_count)
        sqlite3_result_int64(
            out, j->held == INT64_MAX ? -1 : job_of(r)->submit + j->held);
}

/* Since when tasks of it ran, when the trace began. */
static void since_put(const struct store_row *r, sqlite3_context *out)
{
    if (job_of(r)->aside->stand_count)
        sqlite3_result_int64(out, job_of(r)->aside->since);
}

static const struct store_column job_rows[] = {
    STORE_RUN,
    { "job", "INTEGER NOT NULL", "number of the job, by submit time, from 0",
      STORE_FIELD(STORE_NUMBER, struct store_job_row, job) },
    { "name", "TEXT NOT NULL", "of the job", STORE_BY(name_put) },
    { "kind", "INTEGER NOT NULL", "number of its kind",
      STORE_FIELD(STORE_NUMBER, struct store_job_row, kind) },
    { "submit_us", "INTEGER NOT NULL", "when it was submitted",
      STORE_BY(submit_put) },
    { "until_start_us", "INTEGER",
      "from its submission to its first start; NULL: it never started",
      STORE_BY(until_start_put) },
    { "until_end_us", "INTEGER",
      "from its first start, or if it never started its submission, to its"
      " end; NULL: it had not ended when the run did",
      STORE_BY(until_end_put) },
    { "lost_gpu_us", "INTEGER NOT NULL",
      "GPU time whose work evictions made it repeat",
      STORE_FIELD(STORE_NUMBER, struct store_job_row, lost_gpu_us) },
    { "ran_us", "INTEGER",
      "time in which it ran; NULL: from its first start to its end",
      STORE_BY(ran_put) },
    { "work_us", "INTEGER", "of that: not to be repeated; NULL: all",
      STORE_BY(work_put) },
    { "eligible_us", "INTEGER",
      "when its dependencies were met and it began to wait; -1: they were not;"
      " NULL: it has none",
      STORE_BY(eligible_put) },
    { "since_us", "INTEGER",
      "at most 0: since when tasks of it ran that stood at time 0; NULL: none "
      "did",
      STORE_BY(since_put) },
};

const struct store_table store_table_job_rows = {
    "job_rows", STORE_COLUMNS(job_rows), STORE_KEY("run_id, job"), true
};

/* --- the view ------------------------------------------------------------- */

#define SHOWN(name, type, sql, later)                                  \
    {                                                                  \
        name, type, .kind = STORE_UNSET, .now = sql, .is_later = later \
    }
#define RAN                                             \
    "coalesce(j.ran_us, iif(j.until_start_us IS NULL, " \
    "NULL, j.until_end_us))"

static const struct store_column jobs[] = {
    STORE_RUN,
    SHOWN("job", "INTEGER NOT NULL", NULL, false),
    SHOWN("name", "TEXT NOT NULL", NULL, false),
    SHOWN("queue", "TEXT NOT NULL", "k.queue", false),
    SHOWN("user", "TEXT NOT NULL", "k.user", false),
    SHOWN("priority", "TEXT NOT NULL", "k.priority", false),
    SHOWN("tasks", "INTEGER NOT NULL", "k.tasks", false),
    SHOWN("gang", "INTEGER NOT NULL", "k.gang", false),
    SHOWN("gpu_milli", "INTEGER NOT NULL", "k.gpu_milli", false),
    SHOWN("submit_us", "INTEGER NOT NULL", NULL, false),
    SHOWN("start_us", "INTEGER", "j.submit_us + j.until_start_us", false),
    SHOWN("end_us", "INTEGER",
          "j.submit_us + coalesce(j.until_start_us, 0)"
          " + j.until_end_us",
          false),
    SHOWN("state", "TEXT NOT NULL", "k.state", false),
    SHOWN("cause", "TEXT NOT NULL", "k.cause", false),
    SHOWN("evictions", "INTEGER NOT NULL", "k.evictions", false),
    SHOWN("tier", "TEXT", "k.tier", false),
    SHOWN("preemptions", "INTEGER NOT NULL", "k.preemptions", false),
    SHOWN("reason", "TEXT", "k.reason", false),
    SHOWN("lost_gpu_us", "INTEGER NOT NULL", NULL, false),
    SHOWN("ran_us", "INTEGER", RAN, true),
    SHOWN("work_us", "INTEGER", "coalesce(j.work_us, " RAN ")", true),
    SHOWN("completions", "INTEGER", "k.completions", true),
    SHOWN("eligible_us", "INTEGER", NULL, true),
    SHOWN("scheduler", "TEXT", "k.scheduler", true),
    SHOWN("since_us", "INTEGER", NULL, true),
};

#define KIND_COLUMNS                                                     \
    "queue, user, priority, tasks, gang, gpu_milli, state, cause, tier," \
    " reason, evictions, preemptions, completions, scheduler"
#define OF_ALL                                                  \
    " FROM main.jobs WINDOW k AS (PARTITION BY run_id ORDER BY" \
    " " KIND_COLUMNS ") ORDER BY 1, 2"

const struct store_table store_table_jobs = {
    "jobs",
    STORE_COLUMNS(jobs),
    STORE_KEY("run_id, job"),
    false,
    /* left: a job is one row, and SQLite begins with the jobs */
    .from = " FROM job_rows j LEFT JOIN job_kinds k"
            " ON k.id = (j.run_id << 32) + j.kind",
    .take = "INSERT INTO main.job_kinds SELECT DISTINCT (run_id << 32)"
            " + dense_rank() OVER k - 1, run_id, " KIND_COLUMNS OF_ALL ";"
            "INSERT INTO main.job_rows SELECT run_id, job, name,"
            " dense_rank() OVER k - 1, submit_us, start_us - submit_us,"
            " end_us - coalesce(start_us, submit_us),"
            " lost_gpu_us, nullif(ran_us, end_us - start_us),"
            " nullif(work_us, ran_us), eligible_us, since_us" OF_ALL ";"
            "DROP TABLE main.jobs",
};

/* --- writing -------------------------------------------------------------- */

struct store_job_row store_job_row(const struct report_job *j, uint32_t kind)
{
    return (struct store_job_row){ .start = j->start,
                                   .end = j->end,
                                   .ran = j->ran,
                                   .held = j->held,
                                   .work = j->work,
                                   .lost_gpu_us = j->lost_gpu_us,
                                   .job = j->job,
                                   .kind = kind };
}

int store_job_rows_write(const struct report_writing *w, uint32_t count,
                         const void *row, size_t size)
{
    return store_array_write(w, &store_table_job_rows, count, row, size);
}

int store_jobs_write(const struct report_writing *w)
{
    struct store_kinds *kinds = store_kinds_create(w);
    uint32_t *of = store_kinds_find(kinds);
    struct store_job_row *row = gs_array_new(JOBS_AT_ONCE, sizeof(*row));
    int rc = store_kinds_write(kinds);

    for (uint32_t from = 0; rc == 0 && from < w->log->job_count;) {
        uint32_t n = 0;

        for (; n < JOBS_AT_ONCE && from < w->log->job_count; n++, from++) {
            const struct report_job j = report_log_job(w->log, from);

            row[n] = store_job_row(&j, of[from]);
        }
        rc = store_job_rows_write(w, n, row, sizeof(*row));
    }
    gs_array_free(row);
    gs_array_free(of);
    store_kinds_free(kinds);
    return rc;
}
