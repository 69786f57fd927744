/* reports/explain/explain_find.c - finds the run and the job. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/quantity.h"
#include "base/text.h"
#include "reports/explain/explain_private.h"
#include "reports/store/store_private.h"

/* --- runs ----------------------------------------------------------------- */

static int run_unknown(struct report_store *s, const char *name,
                       const char *near, struct gs_err *err)
{
    const struct gs_mark at = { .source = report_store_path(s) };
    char names[120];

    report_store_names(s, names, sizeof(names));
    if (names[0] == '\0')
        return gs_fail(err, GS_INPUT, at, "holds no runs");
    if (near)
        return gs_fail(err, GS_INPUT, at,
                       "no run is called '%.60s' (did you mean '%.60s'?)", name,
                       near);
    return gs_fail(err, GS_INPUT, at,
                   "no run is called '%.60s' (there are: %s)", name, names);
}

int explain_find_run(struct report_store *s, const char *name,
                     struct gs_arena *arena, struct report_stored_run *out,
                     struct gs_err *err)
{
    struct report_stored_run *run;
    const char **known;
    uint32_t runs;

    if (report_store_runs(s, arena, &run, &runs, err) < 0)
        return -1;
    known = gs_arena_alloc(arena, (size_t)runs + 1, sizeof(*known));
    for (uint32_t i = 0; i < runs; i++) {
        if (strcmp(run[i].name, name) == 0) {
            *out = run[i];
            return 0;
        }
        known[i] = run[i].name;
    }
    return run_unknown(s, name, gs_nearest(name, known, runs), err);
}

/* --- jobs ----------------------------------------------------------------- */

/* The number of jobs of this name, at most 5; -1 on failure. */
static int jobs_named(struct report_store *s, int64_t run, const char *name,
                      int64_t *job)
{
    sqlite3_stmt *st = store_ask(s,
                                 "SELECT job FROM jobs WHERE run_id = ?1 "
                                 "AND name = ?2 ORDER BY job LIMIT 5",
                                 run, 0, 0);
    int n = 0;

    if (!st)
        return -1;
    sqlite3_bind_text(st, 2, name, -1, SQLITE_STATIC);
    for (; sqlite3_step(st) == SQLITE_ROW; n++)
        job[n] = sqlite3_column_int64(st, 0);
    return sqlite3_finalize(st) == SQLITE_OK ? n : -1;
}

/* 1 when the run has a job of this number, 0 when not, -1 on failure. */
static int is_job(struct report_store *s, int64_t run, int64_t job)
{
    sqlite3_stmt *st = store_ask(
        s, "SELECT 1 FROM jobs WHERE run_id = ?1 AND job = ?2", run, job, 0);
    const int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

    sqlite3_finalize(st);
    return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : -1;
}

static int job_ambiguous(const struct report_store *s, const char *name,
                         const int64_t *job, int n, struct gs_err *err)
{
    const struct gs_mark at = { .source = report_store_path(s) };
    char numbers[128] = "";

    for (int i = 0; i < n && i < 4; i++)
        gs_text_add(numbers, sizeof(numbers), "%s#%lld", i ? ", " : "",
                    (long long)job[i]);
    return gs_fail(err, GS_INPUT, at,
                   "several jobs are called '%.60s': give a number (%s%s)",
                   name, numbers, n > 4 ? ", ..." : "");
}

/* The nearest name of a job, or NULL. */
static const char *job_near(struct report_store *s, int64_t run,
                            const char *name, struct gs_arena *arena)
{
    sqlite3_stmt *st = store_ask(s, "SELECT name FROM jobs WHERE run_id = ?1",
                                 run, 0, 0);
    const char *pair[2] = { NULL }; /* the best so far, and the next */

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        pair[1] = (const char *)sqlite3_column_text(st, 0);
        if (pair[1]
            && gs_nearest(name, pair + !pair[0], 1 + (pair[0] != NULL))
                   == pair[1])
            pair[0] = store_text(st, 0, arena);
    }
    sqlite3_finalize(st);
    return pair[0];
}

static int job_unknown(struct report_store *s,
                       const struct report_stored_run *run, const char *name,
                       struct gs_arena *arena, struct gs_err *err)
{
    const struct gs_mark at = { .source = report_store_path(s) };
    const char *near = job_near(s, run->id, name, arena);
    sqlite3_stmt *st;
    long long last = -1;

    if (near)
        return gs_fail(err, GS_INPUT, at,
                       "run '%.40s' has no job '%.60s' (did you mean "
                       "'%.60s'?)",
                       run->name, name, near);
    st = store_ask(s,
                   "SELECT coalesce(max(job), -1) FROM jobs "
                   "WHERE run_id = ?1",
                   run->id, 0, 0);
    if (st && sqlite3_step(st) == SQLITE_ROW)
        last = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    if (last < 0)
        return gs_fail(err, GS_INPUT, at, "run '%.40s' has no jobs", run->name);
    return gs_fail(err, GS_INPUT, at,
                   "run '%.40s' has no job '%.60s' (its jobs are numbered 0 "
                   "to %lld)",
                   run->name, name, last);
}

int explain_find_job(struct report_store *s,
                     const struct report_stored_run *run, const char *text,
                     struct gs_arena *arena, int64_t *out, struct gs_err *err)
{
    const char *digits = text + (text[0] == '#');
    int64_t job[5] = { 0 };
    int n = jobs_named(s, run->id, text, job);
    uint64_t number;

    if (n > 1)
        return job_ambiguous(s, text, job, n, err);
    if (n == 0 && gs_quantity_parse_u64(digits, strlen(digits), &number) == 0
        && number <= INT64_MAX) {
        job[0] = (int64_t)number;
        n = is_job(s, run->id, job[0]);
    }
    if (n < 0)
        return store_fail(s, "cannot read the jobs", err);
    if (n == 0)
        return job_unknown(s, run, text, arena, err);
    *out = job[0];
    return 0;
}
