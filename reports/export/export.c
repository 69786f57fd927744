/* reports/export/export.c - rows of the views, run by run, as CSV and JSON. */
#include "reports/export/export.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/csv_write.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/store/choose.h"
#include "reports/store/store_private.h"
#include "reports/table/cell_text.h"

/* Each query orders its rows completely, so that exports are deterministic. */
static const struct source {
    const char *name;
    const char *sql; /* ?1: the run; without it, of no run */
} sources[] = {
    { "runs", "SELECT name AS run, status, version, policy, topology,"
              " topology_hash, trace, trace_hash, seed, gpus,"
              " end_us / 1e6 AS \"end\", options FROM runs WHERE name = ?1" },
    { "jobs", "SELECT * FROM v_jobs WHERE run = ?1 ORDER BY job" },
    { "samples", "SELECT * FROM v_samples WHERE run = ?1 ORDER BY at" },
    { "metrics", "SELECT * FROM v_metrics WHERE run = ?1"
                 " ORDER BY name, scope, label" },
    { "placements", "SELECT * FROM v_placements WHERE run = ?1"
                    " ORDER BY start, job, task_group, first_task, node,"
                    " devices" },
    { "evictions", "SELECT * FROM v_evictions WHERE run = ?1"
                   " ORDER BY at, job, kind, tasks, \"by\", lost" },
    { "waits", "SELECT * FROM v_waits WHERE run = ?1 ORDER BY job, cause" },
    { "outages", "SELECT * FROM v_outages WHERE run = ?1"
                 " ORDER BY at, node, device, \"end\" IS NULL, \"end\","
                 " state" },
    { "legs", "SELECT * FROM v_legs WHERE run = ?1"
              " ORDER BY start, job, run_time" },
    { "deadlocks", "SELECT * FROM v_deadlocks WHERE run = ?1"
                   " ORDER BY episode, job" },
    { "columns", "SELECT * FROM v_columns" },
};

#define N_SOURCES (sizeof(sources) / sizeof(sources[0]))

struct exporting {
    struct report_store *store;
    struct gs_arena *arena; /* of one row */
    sqlite3_stmt *st;
    enum report_export_format format;
    FILE *out;
    bool has_begun; /* a row was written */
};

const char *report_export_name(size_t i)
{
    return i < N_SOURCES ? sources[i].name : NULL;
}

/* --- CSV ------------------------------------------------------------------ */

static void csv_header(const struct exporting *e)
{
    for (int c = 0; c < sqlite3_column_count(e->st); c++) {
        if (c)
            fputc(',', e->out);
        fputs(sqlite3_column_name(e->st, c), e->out);
    }
    fputc('\n', e->out);
}

static void csv_row(const struct exporting *e)
{
    for (int c = 0; c < sqlite3_column_count(e->st); c++) {
        const int type = sqlite3_column_type(e->st, c);
        const double d = sqlite3_column_double(e->st, c);

        if (c)
            fputc(',', e->out);
        if (type == SQLITE_INTEGER)
            fprintf(e->out, "%lld", (long long)sqlite3_column_int64(e->st, c));
        else if (type == SQLITE_FLOAT && isfinite(d))
            fprintf(e->out, "%.17g", d);
        else if (type == SQLITE_TEXT)
            gs_csv_put_cell(store_clean_text(e->st, c, e->arena), e->out);
    }
    fputc('\n', e->out);
}

/* --- JSON ----------------------------------------------------------------- */

static json_t *json_value(const struct exporting *e, int c)
{
    const double d = sqlite3_column_double(e->st, c);

    switch (sqlite3_column_type(e->st, c)) {
    case SQLITE_INTEGER:
        return json_integer(sqlite3_column_int64(e->st, c));
    case SQLITE_FLOAT:
        return isfinite(d) ? json_real(d) : json_null();
    case SQLITE_TEXT:
        return json_string(store_clean_text(e->st, c, e->arena));
    default:
        return json_null();
    }
}

static void json_row(const struct exporting *e)
{
    json_t *row = json_object();

    for (int c = 0; c < sqlite3_column_count(e->st); c++)
        json_object_set_new(row, sqlite3_column_name(e->st, c),
                            json_value(e, c));
    fputs(e->has_begun ? ",\n" : "\n", e->out);
    json_dumpf(row, e->out, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(row);
}

/* --- runs ----------------------------------------------------------------- */

static int run_export(struct exporting *e, const char *run, struct gs_err *err)
{
    int rc;

    sqlite3_reset(e->st);
    sqlite3_bind_text(e->st, 1, run, -1, SQLITE_TRANSIENT);
    while ((rc = sqlite3_step(e->st)) == SQLITE_ROW) {
        if (e->format == REPORT_ROWS_JSON)
            json_row(e);
        else
            csv_row(e);
        e->has_begun = true;
        gs_arena_rewind(e->arena);
    }
    return rc == SQLITE_DONE
               ? 0
               : store_fail(e->store, "cannot read the rows", err);
}

static int runs_export(struct exporting *e, const char *run,
                       struct gs_arena *arena, struct gs_err *err)
{
    struct report_choice *choice;
    uint32_t count;

    if (report_choose(&e->store, 1, &run, run ? 1 : 0, arena, &choice, &count,
                      err)
        < 0)
        return -1;
    for (uint32_t i = 0; i < count; i++) {
        if (run_export(e, choice[i].run.name, err) < 0)
            return -1;
    }
    return 0;
}

int report_export_rows(struct report_store *s, size_t what, const char *run,
                       enum report_export_format format, FILE *out,
                       struct gs_err *err)
{
    struct exporting e = { .store = s, .format = format, .out = out };
    struct gs_arena *arena;
    int64_t version;
    int rc;

    assert(s && out);
    if (store_number(s, "PRAGMA user_version", &version) < 0)
        return store_fail(s, "cannot read the rows", err);
    if (version == 0) /* an empty file */
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = s->path },
                       "holds no runs");
    if (sqlite3_prepare_v2(s->db, sources[what].sql, -1, &e.st, NULL)
        != SQLITE_OK)
        return store_fail(s, "cannot read the rows", err);
    arena = gs_arena_create(1 << 14);
    e.arena = gs_arena_create(1 << 14);
    if (format == REPORT_ROWS_JSON)
        fputc('[', out);
    else
        csv_header(&e);
    rc = sqlite3_bind_parameter_count(e.st) == 0
             ? run_export(&e, "", err)
             : runs_export(&e, run, arena, err);
    if (format == REPORT_ROWS_JSON)
        fputs(e.has_begun ? "\n]\n" : "]\n", out);
    sqlite3_finalize(e.st);
    gs_arena_destroy(e.arena);
    gs_arena_destroy(arena);
    return rc;
}
