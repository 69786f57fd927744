/* reports/diff/diff_rows.c - when two runs part about each job.
 *
 * Rows of placements come by job and time in both runs, so that one walk over
 * both finds for each job the first that is not equal.  The rows are not
 * trusted: numbers are limited, texts cleaned.
 */
#include <string.h>

#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "reports/diff/diff_private.h"
#include "reports/store/store_private.h"

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* A time; DIFF_NEVER for NULL. */
static int64_t time_at(sqlite3_stmt *st, int column)
{
    const int64_t t = sqlite3_column_int64(st, column);

    if (sqlite3_column_type(st, column) == SQLITE_NULL)
        return DIFF_NEVER;
    return t < 0 ? 0 : t > GS_TIME_MAX ? GS_TIME_MAX : t;
}

static uint32_t name_at(struct diff_rows *r, sqlite3_stmt *st, int column)
{
    const char *text = (const char *)sqlite3_column_text(st, column);

    return gs_strtab_put(r->names, text ? text : "", text ? strlen(text) : 0);
}

/* --- jobs ----------------------------------------------------------------- */

/* Time in which it did not run, from its submission to its end or `run_end`. */
static int64_t waited_of(sqlite3_stmt *st, const struct diff_job *j,
                         int64_t run_end)
{
    const int64_t eligible = sqlite3_column_int64(st, 7);
    const int64_t ran = time_at(st, 8);
    const int64_t until = j->end == DIFF_NEVER ? run_end : j->end;
    const int64_t from = eligible > j->submit ? eligible : j->submit;
    int64_t waited = until - from;

    if (j->is_rejected || eligible < 0)
        return 0;
    if (j->start != DIFF_NEVER)
        waited -= ran != DIFF_NEVER ? ran : until - j->start;
    return waited > 0 ? waited : 0;
}

static int jobs_read(struct diff_rows *r, int side, struct gs_err *err)
{
    struct report_store *s = r->run[side]->store;
    sqlite3_stmt *st = store_ask(
        s,
        "SELECT j.name, j.queue, j.cause, j.gpu_milli, j.submit_us, j.start_us,"
        " j.end_us, j.eligible_us, j.ran_us, j.state = 'rejected', r.end_us"
        " FROM jobs j JOIN runs r ON r.id = j.run_id WHERE j.run_id = ?1"
        " ORDER BY j.job",
        r->run[side]->run.id, 0, 0);
    uint32_t count = 0, cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        struct diff_job *j;

        r->job[side] = gs_array_grow(r->job[side], &cap, count + 1, sizeof(*j));
        j = &r->job[side][count++];
        *j = (struct diff_job){
            .name = name_at(r, st, 0),
            .queue = name_at(r, st, 1),
            .cause = name_at(r, st, 2),
            .gpu_milli = sqlite3_column_int64(st, 3),
            .submit = time_at(st, 4),
            .start = time_at(st, 5),
            .end = time_at(st, 6),
            .is_rejected = sqlite3_column_int(st, 9),
        };
        j->waited = waited_of(st, j, time_at(st, 10));
    }
    if (store_answered(st) < 0)
        return store_fail(s, "cannot read the jobs", err);
    if (count == 0)
        return gs_fail(
            err, GS_INPUT, (struct gs_mark){ .source = report_store_path(s) },
            "run '%.60s' has no jobs stored", r->run[side]->run.name);
    if (side == 0)
        r->jobs = count;
    else if (count != r->jobs)
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "the runs are of different jobs: '%.60s' has %u, "
                       "'%.60s' %u",
                       r->run[0]->run.name, r->jobs, r->run[1]->run.name,
                       count);
    return 0;
}

/* When the submission, the start or the refusal of the job differs. */
static int64_t job_parts(const struct diff_job *a, const struct diff_job *b)
{
    int64_t at = DIFF_NEVER;

    if (a->submit != b->submit)
        at = earlier(a->submit, b->submit);
    if (a->start != b->start)
        at = earlier(at, earlier(a->start, b->start));
    if (a->is_rejected != b->is_rejected) {
        const struct diff_job *no = a->is_rejected ? a : b;

        at = earlier(at, no->end == DIFF_NEVER ? no->submit : no->end);
    }
    return at;
}

static int jobs_compare(struct diff_rows *r, struct gs_err *err)
{
    r->at = gs_array_new(r->jobs, sizeof(*r->at));
    for (uint32_t i = 0; i < r->jobs; i++) {
        const struct diff_job *a = &r->job[0][i], *b = &r->job[1][i];

        if (a->name != b->name)
            return gs_fail(
                err, GS_USAGE, (struct gs_mark){ 0 },
                "the runs are of different jobs: job %u is '%.60s' "
                "in '%.60s' and '%.60s' in '%.60s'",
                i, gs_strtab_str(r->names, a->name), r->run[0]->run.name,
                gs_strtab_str(r->names, b->name), r->run[1]->run.name);
        r->at[i] = job_parts(a, b);
    }
    return 0;
}

/* --- placements ----------------------------------------------------------- */

static int nodes_read(struct diff_rows *r, int side, struct gs_err *err)
{
    struct report_store *s = r->run[side]->store;
    sqlite3_stmt *st = store_ask(
        s, "SELECT name FROM nodes WHERE run_id = ?1 ORDER BY node",
        r->run[side]->run.id, 0, 0);
    uint32_t cap = 0;

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        r->node[side] = gs_array_grow(r->node[side], &cap, r->nodes[side] + 1,
                                      sizeof(*r->node[side]));
        r->node[side][r->nodes[side]++] = name_at(r, st, 0);
    }
    return store_answered(st) < 0 ? store_fail(s, "cannot read the nodes", err)
                                  : 0;
}

/* Tasks of a job on a node, from one time to another. */
struct placed {
    uint32_t job; /* UINT32_MAX: after the last */
    uint32_t node;
    int64_t start, end, group, first, tasks, devices, slices;
};

/* Walks over the placements of a run. */
struct cursor {
    sqlite3_stmt *st;
    int side;
    struct placed at, ahead; /* the next row */
};

static struct placed placed_read(const struct diff_rows *r,
                                 const struct cursor *c)
{
    struct placed p = { .job = UINT32_MAX };
    int64_t job, node;

    if (!c->st || sqlite3_step(c->st) != SQLITE_ROW)
        return p;
    job = sqlite3_column_int64(c->st, 0);
    if (job < 0 || job >= r->jobs) /* damaged: of none of the jobs */
        return p;
    node = sqlite3_column_int64(c->st, 3);
    return (struct placed){
        .job = (uint32_t)job,
        .node = node >= 0 && node < r->nodes[c->side] ? r->node[c->side][node]
                                                      : GS_STRTAB_NONE,
        .start = time_at(c->st, 1),
        .end = time_at(c->st, 2),
        .group = sqlite3_column_int64(c->st, 4),
        .first = sqlite3_column_int64(c->st, 5),
        .tasks = sqlite3_column_int(c->st, 6),
        .devices = sqlite3_column_int64(c->st, 7),
        .slices = sqlite3_column_int64(c->st, 8),
    };
}

/* True when `b` are the next tasks of `a`, in the same place. */
static bool goes_on(const struct placed *a, const struct placed *b)
{
    return a->job != UINT32_MAX && a->job == b->job && a->node == b->node
           && a->start == b->start && a->end == b->end && a->group == b->group
           && b->first - a->tasks == a->first && !a->slices && !b->slices;
}

/* Go to the next placement: tasks that were placed one by one, or all at once,
 * are the same.
 */
static void cursor_next(const struct diff_rows *r, struct cursor *c)
{
    c->at = c->ahead;
    if (c->at.job == UINT32_MAX)
        return;
    c->ahead = placed_read(r, c);
    for (; goes_on(&c->at, &c->ahead); c->ahead = placed_read(r, c)) {
        c->at.tasks += c->ahead.tasks;
        c->at.devices |= c->ahead.devices;
    }
}

static struct cursor cursor_open(const struct diff_rows *r, int side)
{
    struct cursor c = {
        .side = side,
        .st = store_ask(
            r->run[side]->store,
            "SELECT job, start_us, end_us, node, task_group, first_task, tasks,"
            " devices, slices FROM placements WHERE run_id = ?1"
            " ORDER BY job, seq",
            r->run[side]->run.id, 0, 0),
    };

    c.ahead = placed_read(r, &c);
    cursor_next(r, &c);
    return c;
}

static bool begins_equal(const struct placed *a, const struct placed *b)
{
    return a->start == b->start && a->node == b->node && a->group == b->group
           && a->first == b->first && a->tasks == b->tasks
           && a->devices == b->devices && a->slices == b->slices;
}

static void placed_add(struct diff_rows *r, int64_t at)
{
    r->placed_at = gs_array_grow(r->placed_at, &r->placed_cap, r->placed + 1,
                                 sizeof(*r->placed_at));
    r->placed_at[r->placed++] = at;
}

/* Compare the placements of `job`, and leave both cursors behind them. */
static void job_compare(struct diff_rows *r, uint32_t job, struct cursor *a,
                        struct cursor *b)
{
    int64_t *at = &r->at[job];

    while (a->at.job == job && b->at.job == job
           && begins_equal(&a->at, &b->at)) {
        placed_add(r, a->at.start);
        if (a->at.end != b->at.end)
            *at = earlier(*at, earlier(a->at.end, b->at.end));
        cursor_next(r, a);
        cursor_next(r, b);
    }
    if (a->at.job == job)
        *at = earlier(*at, a->at.start);
    if (b->at.job == job)
        *at = earlier(*at, b->at.start);
    while (a->at.job == job)
        cursor_next(r, a);
    while (b->at.job == job)
        cursor_next(r, b);
}

static int placements_compare(struct diff_rows *r, struct gs_err *err)
{
    struct cursor a = cursor_open(r, 0), b = cursor_open(r, 1);
    int rc;

    while (a.at.job != UINT32_MAX || b.at.job != UINT32_MAX)
        job_compare(r, a.at.job < b.at.job ? a.at.job : b.at.job, &a, &b);
    rc = store_answered(a.st) < 0
             ? store_fail(r->run[0]->store, "cannot read the placements", err)
             : 0;
    if (store_answered(b.st) < 0)
        rc = store_fail(r->run[1]->store, "cannot read the placements", err);
    return rc;
}

/* --- all ------------------------------------------------------------------ */

int diff_rows_read(struct diff_rows *r, const struct report_choice *a,
                   const struct report_choice *b, struct gs_err *err)
{
    *r = (struct diff_rows){ .run = { a, b }, .names = gs_strtab_create() };
    for (int side = 0; side < 2; side++) {
        if (jobs_read(r, side, err) < 0 || nodes_read(r, side, err) < 0)
            return -1;
    }
    return jobs_compare(r, err) < 0 ? -1 : placements_compare(r, err);
}

void diff_rows_free(struct diff_rows *r)
{
    for (int side = 0; side < 2; side++) {
        gs_array_free(r->job[side]);
        gs_array_free(r->node[side]);
    }
    gs_array_free(r->at);
    gs_array_free(r->placed_at);
    gs_strtab_destroy(r->names);
}
