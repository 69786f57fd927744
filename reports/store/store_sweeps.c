/* reports/store/store_sweeps.c - sweeps and the state of their points. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/store/store_private.h"
#include "reports/store/sweeps.h"
#include "reports/store/tables.h"

static const char what[] = "cannot store the sweep";

static const char *const state_names[] = {
    [REPORT_POINT_PENDING] = "pending",
    [REPORT_POINT_DONE] = "done",
    [REPORT_POINT_FAILED] = "failed",
};

static enum report_point_state state_of(const char *name)
{
    enum report_point_state s = REPORT_POINT_FAILED;

    while (s != REPORT_POINT_PENDING
           && (!name || strcmp(name, state_names[s]) != 0))
        s--;
    return s;
}

/* Run `sql`, with ?1 the sweep, ?2 a number and ?3 a text (NULL: neither). */
static int change(struct report_store *s, const char *sql, int64_t sweep,
                  int64_t number, const char *text)
{
    sqlite3_stmt *st = store_ask(s, sql, sweep, number, 0);

    if (sqlite3_bind_parameter_count(st) > 2)
        sqlite3_bind_text(st, 3, text, -1, SQLITE_STATIC);
    sqlite3_step(st);
    return store_answered(st);
}

/* --- tables --------------------------------------------------------------- */

#define SWEEP                                                        \
    {                                                                \
        "sweep_id", STORE_OWNED_BY("sweeps"), "number of the sweep", \
            .kind = STORE_OWNER                                      \
    }

static const struct store_column sweeps[] = {
    { "id", "INTEGER PRIMARY KEY", "number of the sweep", .kind = STORE_OWNER },
    { "name", "TEXT NOT NULL UNIQUE", "of the sweep",
      STORE_FIELD(STORE_TEXT, struct report_sweep, name) },
    { "version", "TEXT NOT NULL", "of gsim",
      STORE_FIELD(STORE_TEXT, struct report_sweep, version) },
    { "points", "INTEGER NOT NULL", "of the whole grid",
      STORE_FIELD(STORE_NUMBER, struct report_sweep, grid) },
    { "first_run", "INTEGER NOT NULL",
      "number of point 0's run; those of the others follow",
      STORE_FIELD(STORE_NUMBER, struct report_sweep, first_run) },
};

const struct store_table store_table_sweeps = { "sweeps", STORE_COLUMNS(sweeps),
                                                ") STRICT", true };

static const struct store_column sweep_files[] = {
    SWEEP,
    { "seq", "INTEGER NOT NULL", "the sweep's own file is 0",
      .kind = STORE_ROW },
    { "path", "TEXT NOT NULL", "as given",
      STORE_FIELD(STORE_TEXT, struct report_sweep_file, path) },
    { "hash", "TEXT NOT NULL", "FNV-1a 64 of the unpacked bytes",
      STORE_FIELD(STORE_HASH, struct report_sweep_file, hash) },
};

const struct store_table store_table_sweep_files = {
    "sweep_files", STORE_COLUMNS(sweep_files), STORE_KEY("sweep_id, seq"), true
};

static void pending_put(const struct store_row *r, sqlite3_context *out)
{
    (void)r;
    store_text_put(out, state_names[REPORT_POINT_PENDING]);
}

static const struct store_column sweep_points[] = {
    SWEEP,
    { "point", "INTEGER NOT NULL", "number of the point, from 0",
      STORE_FIELD(STORE_NUMBER, struct report_sweep_point, point) },
    { "run", "TEXT NOT NULL", "name of its run",
      STORE_FIELD(STORE_TEXT, struct report_sweep_point, run) },
    { "state", "TEXT NOT NULL", "pending, done or failed",
      STORE_BY(pending_put) },
    { "error", "TEXT", "why it failed", .kind = STORE_UNSET },
};

const struct store_table store_table_sweep_points = {
    "sweep_points", STORE_COLUMNS(sweep_points), STORE_KEY("sweep_id, point"),
    true
};

/* The point of a row: rows are the axes of the first point, then of the second
 * ...
 */
static const struct report_sweep_point *point_of(const struct store_row *r)
{
    const struct report_sweep *w = r->self;

    return &w->point[r->number / w->axes];
}

static void point_put(const struct store_row *r, sqlite3_context *out)
{
    sqlite3_result_int64(out, point_of(r)->point);
}

static void axis_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_sweep *w = r->self;

    store_text_put(out, w->axis[r->number % w->axes]);
}

static void value_put(const struct store_row *r, sqlite3_context *out)
{
    const struct report_sweep *w = r->self;

    store_text_put(out, point_of(r)->value[r->number % w->axes]);
}

static const struct store_column sweep_values[] = {
    SWEEP,
    { "point", "INTEGER NOT NULL", "number of the point", STORE_BY(point_put) },
    { "axis", "TEXT NOT NULL",
      "trace, topology, policy, seed or what the sweep sets",
      STORE_BY(axis_put) },
    { "value", "TEXT NOT NULL", "of the point on this axis",
      STORE_BY(value_put) },
};

const struct store_table store_table_sweep_values = {
    "sweep_values", STORE_COLUMNS(sweep_values),
    STORE_KEY("sweep_id, point, axis"), true
};

static const struct store_column sweep_jobs[] = {
    SWEEP,
    { "submission", "INTEGER NOT NULL", "number of the submission, from 1",
      .kind = STORE_UNSET },
    { "job", "TEXT NOT NULL",
      "number of the job of a batch system, while it works",
      .kind = STORE_UNSET },
};

const struct store_table store_table_sweep_jobs = {
    "sweep_jobs", STORE_COLUMNS(sweep_jobs), STORE_KEY("sweep_id, submission"),
    true
};

/* --- beginning ------------------------------------------------------------ */

static int sweep_insert(struct report_store *s, const struct report_sweep *w,
                        struct report_sweep_place *place)
{
    struct report_sweep own = *w;

    if (!w->first_run && store_number(s, STORE_NEXT_RUN, &own.first_run) < 0)
        return -1;
    if (store_rows_insert(s->db,
                          &(struct store_rows){ &store_table_sweeps, 0, 1, &own,
                                                sizeof(own), NULL })
        < 0)
        return -1;
    place->first_run = own.first_run;
    place->sweep = sqlite3_last_insert_rowid(s->db);
    return 0;
}

/* Check that names of points are not those of stored runs or of points of other
 * sweeps.
 */
static int names_check(struct report_store *s, const struct report_sweep *w,
                       struct gs_err *err)
{
    sqlite3_stmt *st;
    int rc = 0;

    st = store_ask(s,
                   "SELECT w.name FROM sweep_points p JOIN sweeps w"
                   " ON w.id = p.sweep_id WHERE p.run = ?1"
                   " UNION ALL SELECT NULL FROM runs WHERE name = ?1",
                   0, 0, 0);
    for (uint32_t i = 0; rc == 0 && i < w->points; i++) {
        sqlite3_bind_text(st, 1, w->point[i].run, -1, SQLITE_STATIC);
        if (sqlite3_step(st) == SQLITE_ROW) {
            const char *sweep = (const char *)sqlite3_column_text(st, 0);

            rc = gs_fail(err, GS_USAGE, (struct gs_mark){ .source = s->path },
                         "has a run '%.60s' already%s%.60s%s: give the sweep "
                         "another --db",
                         w->point[i].run, sweep ? ", of the sweep '" : "",
                         sweep ? sweep : "", sweep ? "'" : "");
        }
        sqlite3_reset(st);
    }
    return store_answered(st) == 0 || rc < 0
               ? rc
               : store_fail(s, "cannot read the sweep", err);
}

static int sweep_create(struct report_store *s, const struct report_sweep *w,
                        struct report_sweep_place *place, struct gs_err *err)
{
    /* before the points of this sweep are stored */
    if (names_check(s, w, err) < 0)
        return -1;
    if (sweep_insert(s, w, place) < 0)
        return store_fail(s, what, err);

    const struct store_rows rows[] = {
        { &store_table_sweep_files, place->sweep, w->files, w->file,
          sizeof(*w->file), NULL },
        { &store_table_sweep_points, place->sweep, w->points, w->point,
          sizeof(*w->point), NULL },
        { &store_table_sweep_values, place->sweep, (int64_t)w->points * w->axes,
          NULL, 0, w },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (store_rows_insert(s->db, &rows[i]) < 0)
            return store_fail(s, what, err);
    }
    return 0;
}

/* --- going on ------------------------------------------------------------- */

/* 1 when the sweep `id` of schema `db` has these input files, 0 (with the
 * difference as an error), or -1 on failure.
 */
static int files_compare(struct report_store *s, const char *db, int64_t id,
                         const struct report_sweep *w, const char **differs)
{
    sqlite3_stmt *st;
    uint32_t i = 0;
    char sql[120];

    *differs = NULL;
    snprintf(sql, sizeof(sql),
             "SELECT hash FROM %s.sweep_files WHERE sweep_id = ?1"
             " ORDER BY seq",
             db);
    st = store_ask(s, sql, id, 0, 0);
    for (; sqlite3_step(st) == SQLITE_ROW; i++) {
        const char *hash = (const char *)sqlite3_column_text(st, 0);
        char ours[20];

        if (*differs || i >= w->files)
            continue;
        snprintf(ours, sizeof(ours), "%016llx",
                 (unsigned long long)w->file[i].hash);
        if (!hash || strcmp(hash, ours) != 0)
            *differs = w->file[i].path;
    }
    if (store_answered(st) < 0)
        return -1;
    if (!*differs && i != w->files)
        *differs = w->file[0].path;
    return !*differs;
}

int store_sweep_compare(struct report_store *s, const char *db, int64_t id,
                        const char *version, const char *path,
                        const struct report_sweep *w, struct gs_err *err)
{
    const struct gs_mark at = { .source = path };
    const char *differs;
    const int same = files_compare(s, db, id, w, &differs);

    if (same < 0)
        return store_fail(s, "cannot read the sweep", err);
    if (strcmp(version, w->version) != 0)
        return gs_fail(err, GS_USAGE, at,
                       "has a sweep '%.60s' begun by gsim %.20s, this is %s: "
                       "give another --db, or a name of its own",
                       w->name, version, w->version);
    if (!same)
        return gs_fail(err, GS_USAGE, at,
                       "has a sweep '%.60s', and %.100s has changed since: "
                       "give another --db, or a name of its own",
                       w->name, differs);
    return 0;
}

/* Find sweep `name`: 1, 0 when there is none, -1 on failure. */
int store_sweep_find(struct report_store *s, const char *db, const char *name,
                     struct report_sweep_place *place, char version[32])
{
    sqlite3_stmt *st;
    char sql[120];
    int rc;

    snprintf(sql, sizeof(sql),
             "SELECT id, first_run, version FROM %s.sweeps WHERE name = ?1",
             db);
    st = store_ask(s, sql, 0, 0, 0);
    sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
    rc = sqlite3_step(st);
    if (rc == SQLITE_ROW) {
        const char *v = (const char *)sqlite3_column_text(st, 2);

        place->sweep = sqlite3_column_int64(st, 0);
        place->first_run = sqlite3_column_int64(st, 1);
        snprintf(version, 32, "%s", v ? v : "");
    }
    sqlite3_finalize(st);
    return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : -1;
}

/* Read the states of the points of `w`; points not in the database are pending.
 */
static int states_read(struct report_store *s, const struct report_sweep *w,
                       const struct report_sweep_place *place,
                       enum report_point_state *state)
{
    sqlite3_stmt *st;
    uint32_t i = 0;

    st = store_ask(s,
                   "SELECT point, state FROM sweep_points"
                   " WHERE sweep_id = ?1 ORDER BY point",
                   place->sweep, 0, 0);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const int64_t point = sqlite3_column_int64(st, 0);

        while (i < w->points && w->point[i].point < point)
            i++;
        if (i < w->points && w->point[i].point == point)
            state[i] = state_of((const char *)sqlite3_column_text(st, 1));
    }
    return store_answered(st);
}

int report_store_sweep_begin(struct report_store *s,
                             const struct report_sweep *w,
                             struct report_sweep_place *place,
                             enum report_point_state *state, struct gs_err *err)
{
    char version[32];
    int rc;

    memset(state, 0, w->points * sizeof(*state));
    if (store_begin(s, what, err) < 0)
        return -1;
    rc = store_sweep_find(s, "main", w->name, place, version);
    if (rc < 0)
        rc = store_fail(s, "cannot read the sweep", err);
    else if (rc == 0)
        rc = sweep_create(s, w, place, err);
    else {
        rc = store_sweep_compare(s, "main", place->sweep, version, s->path, w,
                                 err);
        if (rc == 0 && states_read(s, w, place, state) < 0)
            rc = store_fail(s, "cannot read the sweep", err);
    }
    return store_end(s, rc, what, err);
}

/* --- points --------------------------------------------------------------- */

int store_point_is_done(struct report_store *s,
                        const struct report_sweep_place *place, uint32_t point)
{
    sqlite3_stmt *st;
    int rc = -1;

    st = store_ask(s,
                   "SELECT state = 'done' FROM sweep_points"
                   " WHERE sweep_id = ?1 AND point = ?2",
                   place->sweep, point, 0);
    if (sqlite3_step(st) == SQLITE_ROW)
        rc = sqlite3_column_int(st, 0);
    return store_answered(st) == 0 ? rc : -1;
}

int store_point_done(struct report_store *s,
                     const struct report_sweep_place *place, uint32_t point)
{
    return change(s,
                  "UPDATE sweep_points SET state = 'done', error = NULL"
                  " WHERE sweep_id = ?1 AND point = ?2",
                  place->sweep, point, NULL);
}

static int change_alone(struct report_store *s, const char *sql, int64_t sweep,
                        int64_t number, const char *text, struct gs_err *err)
{
    int rc;

    if (store_begin(s, what, err) < 0)
        return -1;
    rc = change(s, sql, sweep, number, text);
    if (rc < 0)
        store_fail(s, what, err);
    return store_end(s, rc, what, err);
}

int report_store_sweep_fail(struct report_store *s,
                            const struct report_sweep_place *place,
                            uint32_t point, const char *why, struct gs_err *err)
{
    return change_alone(s,
                        "UPDATE sweep_points SET state = 'failed', error = ?3"
                        " WHERE sweep_id = ?1 AND point = ?2"
                        " AND state != 'done'",
                        place->sweep, point, why, err);
}

int report_store_sweep_retry(struct report_store *s,
                             const struct report_sweep_place *place,
                             struct gs_err *err)
{
    return change_alone(s,
                        "UPDATE sweep_points SET state = 'pending',"
                        " error = NULL WHERE sweep_id = ?1"
                        " AND state = 'failed'",
                        place->sweep, 0, NULL, err);
}

int report_store_sweep_failures(struct report_store *s,
                                const struct report_sweep_place *place,
                                struct gs_arena *arena,
                                struct report_sweep_failure *failure,
                                uint32_t max, uint32_t *count,
                                struct gs_err *err)
{
    sqlite3_stmt *st;

    *count = 0;
    st = store_ask(s,
                   "SELECT run, error FROM sweep_points WHERE"
                   " sweep_id = ?1 AND state = 'failed' ORDER BY point",
                   place->sweep, 0, 0);
    while (*count < max && sqlite3_step(st) == SQLITE_ROW)
        failure[(*count)++] = (struct report_sweep_failure){
            store_text(st, 0, arena), store_text(st, 1, arena)
        };
    return store_answered(st) == 0
               ? 0
               : store_fail(s, "cannot read the sweep", err);
}

/* --- batch systems -------------------------------------------------------- */

int report_store_sweep_job(struct report_store *s,
                           const struct report_sweep_place *place,
                           struct gs_arena *arena, const char **job,
                           uint32_t *submission, struct gs_err *err)
{
    sqlite3_stmt *st;

    *job = NULL;
    *submission = 0;
    st = store_ask(s,
                   "SELECT job, submission FROM sweep_jobs WHERE"
                   " sweep_id = ?1 ORDER BY submission DESC LIMIT 1",
                   place->sweep, 0, 0);
    if (sqlite3_step(st) == SQLITE_ROW) {
        *job = store_text(st, 0, arena);
        *submission = (uint32_t)sqlite3_column_int64(st, 1);
    }
    return store_answered(st) == 0
               ? 0
               : store_fail(s, "cannot read the sweep", err);
}

int report_store_sweep_submitted(struct report_store *s,
                                 const struct report_sweep_place *place,
                                 uint32_t submission, const char *job,
                                 struct gs_err *err)
{
    return change_alone(
        s,
        job ? "INSERT OR REPLACE INTO sweep_jobs (sweep_id, submission, job)"
              " VALUES (?1, ?2, ?3)"
            : "DELETE FROM sweep_jobs WHERE sweep_id = ?1",
        place->sweep, submission, job, err);
}
