/* scripts/bench-floor.c - what a replay of a trace costs at the least: its CSV
 * is read, a plain loop starts jobs first come first served on a number of
 * GPUs, and the rows that gsim stores of jobs and placements are inserted.
 * scripts/bench builds it and counts processor time in it.
 *
 *     bench-floor TRACE.csv GPUS DATABASE
 */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 12 /* of each table */
#define NONE (-1)  /* NULL */
#define NODES 4096

struct job {
    char *name;
    int64_t submit, duration, start; /* us */
    int64_t gpus, replicas;          /* gpus: of all replicas */
};

struct end {
    int64_t at;
    int64_t gpus;
};

static void die(const char *what)
{
    fprintf(stderr, "bench-floor: %s\n", what);
    exit(1);
}

/* name,submit,duration,replicas,gpus: times in seconds. */
static struct job *jobs_read(const char *path, size_t *count)
{
    FILE *in = fopen(path, "r");
    struct job *all = NULL;
    size_t n = 0, cap = 0, size = 0;
    char *line = NULL;

    if (!in || getline(&line, &size, in) < 0)
        die(path);
    while (getline(&line, &size, in) > 0) {
        char *at = strchr(line, ',');
        struct job *j;

        if (n == cap)
            all = realloc(all, (cap = cap ? 2 * cap : 1024) * sizeof(*all));
        if (!at || !all)
            die("a line without a comma, or no memory");
        j = &all[n++];
        *at++ = '\0';
        j->name = strdup(line);
        j->submit = (int64_t)(strtod(at, &at) * 1e6);
        at += strcspn(at, ",") + 1;
        j->duration = (int64_t)(strtod(at, &at) * 1e6);
        at += strcspn(at, ",") + 1;
        j->replicas = strtol(at, &at, 10);
        j->gpus = j->replicas * strtol(at + 1, NULL, 10);
    }
    free(line);
    fclose(in);
    *count = n;
    return all;
}

static void heap_push(struct end *heap, size_t n, struct end e)
{
    for (; n && e.at < heap[(n - 1) / 2].at; n = (n - 1) / 2)
        heap[n] = heap[(n - 1) / 2];
    heap[n] = e;
}

/* Takes the first of n out. */
static struct end heap_pop(struct end *heap, size_t n)
{
    struct end first = heap[0], e = heap[--n];
    size_t i = 0;

    for (size_t c; (c = 2 * i + 1) < n; i = c) {
        c += c + 1 < n && heap[c + 1].at < heap[c].at;
        if (e.at <= heap[c].at)
            break;
        heap[i] = heap[c];
    }
    heap[i] = e;
    return first;
}

static void jobs_run(struct job *job, size_t n, int64_t gpus)
{
    struct end *heap = malloc((n + 1) * sizeof(*heap));
    size_t running = 0;
    int64_t now = 0;

    if (!heap)
        die("no memory");
    for (size_t i = 0; i < n; i++) {
        struct job *j = &job[i];

        if (j->gpus > gpus && !running)
            die("a job that is larger than the cluster");
        now = j->submit > now ? j->submit : now;
        while (running && (heap[0].at <= now || j->gpus > gpus)) {
            struct end e = heap_pop(heap, running--);

            gpus += e.gpus;
            now = e.at > now ? e.at : now;
        }
        gpus -= j->gpus;
        j->start = now;
        heap_push(heap, running++,
                  (struct end){ .at = now + j->duration, .gpus = j->gpus });
    }
    free(heap);
}

/* Make a table as gsim has it, and the statement that inserts its rows. */
static sqlite3_stmt *table_make(sqlite3 *db, const char *name, const char *key)
{
    char sql[400];
    sqlite3_stmt *put;

    sprintf(sql,
            "CREATE TABLE %s (run, job, c2, c3, c4, c5, c6, c7, c8, c9, c10,"
            " c11, PRIMARY KEY (%s)) WITHOUT ROWID",
            name, key);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL))
        die(sqlite3_errmsg(db));
    sprintf(sql, "INSERT INTO %s VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", name);
    if (sqlite3_prepare_v2(db, sql, -1, &put, NULL))
        die(sqlite3_errmsg(db));
    return put;
}

/* `name` is in place of the third value, if there is one. */
static void row_insert(sqlite3 *db, sqlite3_stmt *put, const char *name,
                       const int64_t value[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        if (value[c] != NONE)
            sqlite3_bind_int64(put, c + 1, value[c]);
    }
    if (name)
        sqlite3_bind_text(put, 3, name, -1, SQLITE_STATIC);
    if (sqlite3_step(put) != SQLITE_DONE)
        die(sqlite3_errmsg(db));
    sqlite3_reset(put);
}

/* Name, kind, and times as the time since the one before. */
static void jobs_insert(sqlite3 *db, const struct job *job, size_t n)
{
    sqlite3_stmt *put = table_make(db, "job_rows", "run, job");

    for (size_t i = 0; i < n; i++) {
        const struct job *j = &job[i];

        row_insert(db, put, j->name,
                   (int64_t[]){ 1, (int64_t)i, NONE, j->replicas, j->submit,
                                j->start - j->submit, j->duration, 0, NONE,
                                NONE, NONE, NONE });
    }
    sqlite3_finalize(put);
}

/* A row for each replica: its task, node, devices and times. */
static void placements_insert(sqlite3 *db, const struct job *job, size_t n)
{
    sqlite3_stmt *put = table_make(db, "placements", "run, job, c2");

    for (size_t i = 0; i < n; i++) {
        const struct job *j = &job[i];

        for (int64_t r = 0; r < j->replicas; r++)
            row_insert(db, put, NULL,
                       (int64_t[]){ 1, (int64_t)i, r, 0, r, 1,
                                    (int64_t)(i % NODES), 255, j->start,
                                    j->start + j->duration, 1000, NONE });
    }
    sqlite3_finalize(put);
}

static void rows_insert(const struct job *job, size_t n, const char *path)
{
    sqlite3 *db;

    remove(path);
    if (sqlite3_open(path, &db)
        || sqlite3_exec(db,
                        "PRAGMA page_size = 16384;"
                        "PRAGMA synchronous = NORMAL; BEGIN",
                        NULL, NULL, NULL))
        die(sqlite3_errmsg(db));
    jobs_insert(db, job, n);
    placements_insert(db, job, n);
    if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL))
        die(sqlite3_errmsg(db));
    sqlite3_close(db);
}

int main(int argc, char **argv)
{
    struct job *job;
    size_t n;

    if (argc != 4)
        die("usage: bench-floor TRACE.csv GPUS DATABASE");
    job = jobs_read(argv[1], &n);
    jobs_run(job, n, strtoll(argv[2], NULL, 10));
    rows_insert(job, n, argv[3]);
    for (size_t i = 0; i < n; i++)
        free(job[i].name);
    free(job);
    return 0;
}
