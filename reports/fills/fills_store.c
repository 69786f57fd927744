/* reports/fills/fills_store.c - allocation experiments in the database. */
#include <stdio.h>

#include "base/err.h"
#include "reports/fills/fills.h"
#include "reports/store/row_source.h"
#include "reports/store/store_private.h"

static const char what[] = "cannot store the experiments";

/* --- one experiment ------------------------------------------------------- */

struct experiment {
    const struct report_fills *fills;
    const struct report_fill_list *list;
    const struct report_fill_policy *policy;
    const struct report_fill_point *point;
    uint64_t seed;
};

static struct experiment experiment_at(const struct report_fills *f, uint32_t i)
{
    const uint32_t seed = i % f->seeds, policy = i / f->seeds % f->policies,
                   list = i / f->seeds / f->policies;

    return (struct experiment){ f, &f->list[list], &f->policy[policy],
                                f->point
                                    ? report_fill_run(f, list, policy, seed)
                                    : NULL,
                                f->first_seed + seed };
}

/* What tells experiments apart: ?1 to ?5. */
static void identity_bind(sqlite3_stmt *st, const struct experiment *e)
{
    char hash[20];

    snprintf(hash, sizeof(hash), "%016llx", (unsigned long long)e->list->hash);
    sqlite3_bind_text(st, 1, hash, -1, SQLITE_TRANSIENT);
    snprintf(hash, sizeof(hash), "%016llx",
             (unsigned long long)e->fills->topology_hash);
    sqlite3_bind_text(st, 2, hash, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(st, 3, (int64_t)e->seed);
    sqlite3_bind_int64(st, 4, e->fills->load);
    sqlite3_bind_text(st, 5, e->policy->profile, -1, SQLITE_STATIC);
}

static void point_value(const void *self, int64_t row, int column,
                        sqlite3_context *out)
{
    const struct experiment *e = self;

    switch (column) {
    case 1:
        sqlite3_result_int64(out, row + 1);
        break;
    case 2:
        sqlite3_result_int64(out, e->point[row].allocated);
        break;
    case 3:
        sqlite3_result_double(out, e->point[row].fragmented);
        break;
    }
}

static int points_insert(struct report_store *s, int64_t fill,
                         const struct experiment *e)
{
    const struct report_row_source source = {
        "fill_points", 4, fill, e->fills->points, e, point_value
    };

    return report_rows_insert(s->db, &source);
}

static int experiment_insert(struct report_store *s, sqlite3_stmt *st,
                             const struct experiment *e)
{
    const char *const text[] = { e->fills->version, e->list->name,
                                 e->list->path, e->policy->name,
                                 e->fills->topology };

    sqlite3_reset(st);
    identity_bind(st, e);
    for (int i = 0; i < 5; i++)
        sqlite3_bind_text(st, 6 + i, text[i], -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 11, e->list->tasks);
    sqlite3_bind_int64(st, 12, e->fills->gpu_milli);
    if (sqlite3_step(st) != SQLITE_DONE)
        return -1;
    return points_insert(s, sqlite3_last_insert_rowid(s->db), e);
}

/* --- all of them ---------------------------------------------------------- */

static uint32_t experiments(const struct report_fills *f)
{
    return f->lists * f->policies * f->seeds;
}

/* 0 when none is there, -1 when one is, or on failure. */
static int check_all(struct report_store *s, sqlite3_stmt *st,
                     const struct report_fills *f, struct gs_err *err)
{
    for (uint32_t i = 0; i < experiments(f); i++) {
        const struct experiment e = experiment_at(f, i);
        int rc;

        sqlite3_reset(st);
        identity_bind(st, &e);
        rc = sqlite3_step(st);
        if (rc == SQLITE_ROW)
            return gs_fail(err, GS_USAGE, (struct gs_mark){ .source = s->path },
                           "has an experiment with list '%.60s', policy "
                           "'%.60s', seed %llu and this load already: give "
                           "another --db, or other --seeds",
                           e.list->name, e.policy->name,
                           (unsigned long long)e.seed);
        if (rc != SQLITE_DONE)
            return store_fail(s, "cannot read the experiments", err);
    }
    return 0;
}

int report_store_check_fills(struct report_store *s,
                             const struct report_fills *f, struct gs_err *err)
{
    sqlite3_stmt *st = NULL;
    int64_t tables;
    int rc;

    if (store_number(s, "SELECT count(*) FROM sqlite_schema", &tables) < 0
        || (tables
            && sqlite3_prepare_v2(s->db,
                                  "SELECT 1 FROM fills WHERE list_hash = ?1"
                                  " AND topology_hash = ?2 AND seed = ?3"
                                  " AND load_milli = ?4 AND profile = ?5",
                                  -1, &st, NULL)
                   != SQLITE_OK))
        return store_fail(s, "cannot read the experiments", err);
    rc = st ? check_all(s, st, f, err) : 0;
    sqlite3_finalize(st);
    return rc;
}

static int insert_all(struct report_store *s, const struct report_fills *f,
                      struct gs_err *err)
{
    sqlite3_stmt *st = NULL;
    int rc = sqlite3_prepare_v2(
        s->db,
        "INSERT INTO fills (list_hash, topology_hash, seed, load_milli,"
        " profile, version, list, list_path, policy, topology, tasks,"
        " gpu_milli) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
        " ?12)",
        -1, &st, NULL);

    for (uint32_t i = 0; rc == SQLITE_OK && i < experiments(f); i++) {
        const struct experiment e = experiment_at(f, i);

        rc = experiment_insert(s, st, &e);
    }
    if (rc != SQLITE_OK)
        rc = store_fail(s, what, err); /* before the handle forgets it */
    sqlite3_finalize(st);
    return rc;
}

int report_store_write_fills(struct report_store *s,
                             const struct report_fills *f, struct gs_err *err)
{
    int rc;

    if (store_begin(s, what, err) < 0)
        return -1;
    rc = report_store_check_fills(
        s, f, err); /* another process may have been faster */
    if (rc == 0)
        rc = insert_all(s, f, err);
    return store_end(s, rc, what, err);
}
