/* scripts/bench-floor.c - what a replay of a trace costs at the least: its CSV
 * is read, a plain loop starts jobs first come first served on a number of
 * GPUs, and a row of as many columns as gsim stores is inserted for each.
 * scripts/bench builds it and counts processor time in it.
 *
 *     bench-floor TRACE.csv GPUS DATABASE
 */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 25

struct job {
    char *name;
    int64_t submit, duration, start; /* us */
    int64_t gpus;
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
        long replicas;

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
        replicas = strtol(at, &at, 10);
        j->gpus = replicas * strtol(at + 1, NULL, 10);
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

static void rows_insert(const struct job *job, size_t n, const char *path)
{
    char sql[COLUMNS * 8 + 64] = "INSERT INTO jobs VALUES (?";
    char table[COLUMNS * 8 + 64] = "CREATE TABLE jobs (c0";
    sqlite3 *db;
    sqlite3_stmt *put;

    for (int c = 1; c < COLUMNS; c++) {
        strcat(sql, ",?");
        sprintf(table + strlen(table), ",c%d", c);
    }
    strcat(sql, ")");
    strcat(table, ")");
    remove(path);
    if (sqlite3_open(path, &db) || sqlite3_exec(db, table, NULL, NULL, NULL)
        || sqlite3_exec(db, "BEGIN", NULL, NULL, NULL)
        || sqlite3_prepare_v2(db, sql, -1, &put, NULL))
        die(sqlite3_errmsg(db));
    for (size_t i = 0; i < n; i++) {
        sqlite3_bind_text(put, 1, job[i].name, -1, SQLITE_STATIC);
        sqlite3_bind_int64(put, 2, job[i].submit);
        sqlite3_bind_int64(put, 3, job[i].start);
        sqlite3_bind_int64(put, 4, job[i].start + job[i].duration);
        for (int c = 5; c <= COLUMNS; c++)
            sqlite3_bind_int64(put, c, job[i].gpus);
        if (sqlite3_step(put) != SQLITE_DONE)
            die(sqlite3_errmsg(db));
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
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
