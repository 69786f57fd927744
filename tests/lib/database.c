#include "tests/lib/database.h"

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
