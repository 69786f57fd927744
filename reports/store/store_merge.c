/* reports/store/store_merge.c - merges the database of a part of a sweep. */
#include "base/err.h"
#include "reports/store/store_private.h"
#include "reports/store/sweeps.h"

static const char what[] = "cannot merge a part of the sweep";

static int rows_copy(struct report_store *s, const char *table,
                     const char *column, const void *run)
{
    char *sql = sqlite3_mprintf("INSERT INTO main.\"%w\" SELECT * FROM"
                                " part.\"%w\" WHERE %s = %lld",
                                table, table, column,
                                (long long)*(const int64_t *)run);
    const int rc = sql ? store_exec(s, sql) : -1;

    sqlite3_free(sql);
    return rc;
}

/* Copy all rows of a run, which has the same number in both. */
static int tables_copy(struct report_store *s, int64_t run)
{
    return rows_copy(s, "runs", "id", &run) < 0
               ? -1
               : store_run_tables(s, rows_copy, &run);
}

/* Copy the state of the point in st's row, and the rows of its run. */
static int point_merge(struct report_store *s, sqlite3_stmt *st,
                       const struct report_sweep_place *place)
{
    const uint32_t point = (uint32_t)sqlite3_column_int64(st, 0);
    sqlite3_stmt *to = NULL;

    if (sqlite3_column_int(st, 1) == REPORT_POINT_DONE) {
        if (tables_copy(s, place->first_run + point) < 0)
            return -1;
        return store_point_done(s, place, point);
    }
    to = store_ask(s,
                   "UPDATE main.sweep_points SET state = 'failed',"
                   " error = ?3 WHERE sweep_id = ?1 AND point = ?2",
                   place->sweep, point, 0);
    sqlite3_bind_value(to, 3, sqlite3_column_value(st, 2));
    sqlite3_step(to);
    return store_answered(to);
}

/* Merge the points that are over in the part and pending here, in order. */
static int points_merge(struct report_store *s, const struct report_sweep *w,
                        const struct report_sweep_place *place, int64_t there,
                        enum report_point_state *state)
{
    sqlite3_stmt *st;
    uint32_t i = 0;
    int rc = 0;

    st = store_ask(s,
                   "SELECT p.point,"
                   " CASE p.state WHEN 'done' THEN 1 ELSE 2 END,"
                   " p.error FROM part.sweep_points p"
                   " JOIN main.sweep_points m ON m.point = p.point"
                   " WHERE p.sweep_id = ?1 AND m.sweep_id = ?2"
                   " AND p.state != 'pending' AND m.state = 'pending'"
                   " ORDER BY p.point",
                   there, place->sweep, 0);
    while (rc == 0 && sqlite3_step(st) == SQLITE_ROW) {
        rc = point_merge(s, st, place);
        while (i < w->points && w->point[i].point < sqlite3_column_int64(st, 0))
            i++;
        if (i < w->points)
            state[i] = (enum report_point_state)sqlite3_column_int(st, 1);
    }
    return store_answered(st) == 0 ? rc : -1;
}

static int part_check(struct report_store *s, const struct report_sweep *w,
                      const struct report_sweep_place *place, const char *part,
                      int64_t *there, struct gs_err *err)
{
    struct report_sweep_place its;
    char version[32];
    const int rc = store_sweep_find(s, "part", w->name, &its, version);

    if (rc < 0)
        return store_fail(s, what, err);
    if (rc == 0)
        return 0; /* it had not begun yet */
    if (its.first_run != place->first_run)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = part },
                       "is no part of the sweep '%.60s'", w->name);
    *there = its.sweep;
    return store_sweep_compare(s, "part", its.sweep, version, part, w, err);
}

static int attach(struct report_store *s, const char *part)
{
    sqlite3_stmt *st = store_ask(s, "ATTACH ?1 AS part", 0, 0, 0);

    sqlite3_bind_text(st, 1, part, -1, SQLITE_STATIC);
    sqlite3_step(st);
    return store_answered(st);
}

static int merge(struct report_store *s, const struct report_sweep *w,
                 const struct report_sweep_place *place, const char *part,
                 enum report_point_state *state, struct gs_err *err)
{
    int64_t there = 0;
    int rc;

    if (store_begin(s, what, err) < 0)
        return -1;
    rc = part_check(s, w, place, part, &there, err);
    if (rc == 0 && points_merge(s, w, place, there, state) < 0)
        rc = store_fail(s, what, err);
    return store_end(s, rc, what, err);
}

int report_store_sweep_merge(struct report_store *s,
                             const struct report_sweep *w,
                             const struct report_sweep_place *place,
                             const char *part, enum report_point_state *state,
                             struct gs_err *err)
{
    /* check that it is a database of gsim, and get its path for SQLite */
    struct report_store *p = report_store_open_readonly(part, err);
    int is_empty, rc = -1;

    if (!p)
        return -1;
    is_empty = store_is_empty(p);
    if (is_empty < 0)
        store_fail(p, what, err);
    else if (is_empty)
        rc = 0; /* it had not begun yet */
    else if (attach(s, p->file) < 0)
        store_fail(s, what, err);
    else {
        rc = merge(s, w, place, part, state, err);
        (void)store_exec(s, "DETACH part"); /* closing does, too */
    }
    report_store_close(p);
    return rc;
}
