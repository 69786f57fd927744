#include "tests/lib/database.h"

#include "tests/lib/suite.h"

#define DATABASE_FOLDER "/tmp/gsim-test-XXXXXX"

void database_init(struct database *d)
{
    strcpy(d->path, DATABASE_FOLDER);
    if (!mkdtemp(d->path))
        abort();
    strcat(d->path, "/results.db");
}

void database_fini(struct database *d)
{
    static const char *const suffix[] = { "", "-wal", "-shm", "-journal" };

    for (size_t i = 0; i < sizeof(suffix) / sizeof(suffix[0]); i++) {
        char path[96];

        snprintf(path, sizeof(path), "%.63s%s", d->path, suffix[i]);
        (void)unlink(path);
    }
    *strrchr(d->path, '/') = '\0';
    if (rmdir(d->path) != 0)
        abort();
}

const char *database_ask(const struct database *d, const char *sql)
{
    static char text[1 << 20];
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    size_t len = 0;

    text[0] = '\0';
    if (sqlite3_open_v2(d->path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK
        && sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK) {
        while (sqlite3_step(st) == SQLITE_ROW) {
            for (int i = 0; i < sqlite3_column_count(st); i++) {
                const unsigned char *s = sqlite3_column_text(st, i);

                len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s",
                                        i ? "|" : "",
                                        s ? (const char *)s : "NULL");
            }
            len += (size_t)snprintf(text + len, sizeof(text) - len, "\n");
        }
    } else
        snprintf(text, sizeof(text), "%s", sqlite3_errmsg(db));
    sqlite3_finalize(st);
    sqlite3_close(db);
    return text;
}

void database_make_old(const struct database *d)
{
    sqlite3 *db = NULL;

    if (sqlite3_open_v2(d->path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || sqlite3_exec(db,
                        "CREATE TEMP TABLE kept AS SELECT * FROM jobs;"
                        "DROP VIEW jobs;"
                        "CREATE TABLE jobs AS SELECT * FROM kept;"
                        "DROP TABLE job_rows; DROP TABLE job_kinds;"
                        "PRAGMA user_version = 8",
                        NULL, NULL, NULL)
               != SQLITE_OK)
        abort();
    sqlite3_close(db);
}

int database_put(struct report_store *s, struct rig *r, const char *name,
                 struct gs_err *err)
{
    const struct report_run run = {
        .name = name,
        .status = "done",
        .version = "0",
        .policy = "binpack",
        .profile = "order: fifo\n",
        .topology = "topology.yaml",
        .trace = "trace.yaml",
        .topology_hash = 1,
        .trace_hash = UINT64_MAX,
        .seed = 42,
        .options = "{}",
    };
    uint32_t count;
    const struct report_metric *row = report_metrics_rows(r->metrics, r->log, 8,
                                                          r->arena, &count);

    return report_store_write(s, &run, r->topo, r->work, r->log, row, count,
                              report_metrics_samples(r->metrics), err);
}

void database_put_all(const struct database *d, const char *const *name)
{
    struct gs_err err = { 0 };
    struct report_store *s = report_store_open(d->path, &err);
    struct rig r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    rig_run(&r);
    for (; *name; name++)
        CU_ASSERT_EQUAL(database_put(s, &r, *name, &err), 0);
    CU_ASSERT_EQUAL(err.code, GS_OK);
    report_store_close(s);
    rig_fini(&r);
}

const struct database_run database_ten[] = {
    { "a-s1", "a", "t", 1, NULL },
    { "a-s2", "a", "t", 2, NULL },
    { "a-s3", "a", "t", 3, NULL },
    { "a-s4", "a", "t", 4, NULL },
    { "a-s5", "a", "t", 5, NULL },
    { "b-s1", "b", "t", 1, NULL },
    { "b-s2", "b", "t", 2, NULL },
    { "b-s3", "b", "t", 3, NULL },
    { "b-s4", "b", "t", 4, NULL },
    { "b-s5", "b", "t", 5, NULL },
    { 0 },
};

void database_put_runs(const struct database *d, const struct database_run *run)
{
    struct report_store *s = report_store_open(d->path, NULL);
    char sql[1024];
    struct rig r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    rig_run(&r);
    CU_ASSERT_EQUAL(database_put(s, &r, "first", NULL), 0);
    report_store_close(s);
    rig_fini(&r);
    for (int i = 0; run[i].name; i++) {
        snprintf(
            sql, sizeof(sql),
            "INSERT INTO runs (id, name, status, version, policy, profile,"
            " topology, topology_hash, trace, trace_hash, seed, options, gpus,"
            " end_us)"
            " SELECT %d, '%s', status, version, '%.1s', "
            "'%s', topology, topology_hash, trace, '%s', %d, '%s', gpus, "
            "end_us FROM runs WHERE id = 1",
            i + 2, run[i].name, run[i].profile, run[i].profile, run[i].trace,
            run[i].seed, run[i].options ? run[i].options : "{}");
        CU_ASSERT_STRING_EQUAL(database_ask(d, sql), "");
    }
    database_ask(d, "DELETE FROM runs WHERE id = 1");
}

void database_put_metric(const struct database *d, const char *name,
                         const double *value, int count)
{
    char sql[256];

    for (int i = 0; i < count; i++) {
        snprintf(sql, sizeof(sql),
                 "INSERT INTO metrics " METRIC_COLUMNS
                 " VALUES (%d, '%s', 'cluster', '', 's', "
                 "%.17g)",
                 i + 2, name, value[i]);
        CU_ASSERT_STRING_EQUAL(database_ask(d, sql), "");
    }
}

struct report_comparison *database_compared(const struct database *d,
                                            struct gs_arena *arena)
{
    struct report_comparison *c = report_compare_create(arena);
    struct report_store *s = report_store_open_readonly(d->path, NULL);

    CU_ASSERT_EQUAL(report_compare_add(c, s, NULL, 0, NULL), 0);
    report_store_close(s);
    return c;
}
