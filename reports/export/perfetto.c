/* reports/export/perfetto.c - a run as a trace in Chrome's JSON format.
 *
 * A node is a process, each of its GPUs a thread, a job a slice (ph X) on the
 * threads of the GPUs that it holds; jobs that wait in a queue are a counter
 * (ph C).  Slices of one thread must not overlap in part, so what shares a GPU,
 * or holds none, gets a thread of its own, one of the GPU that is free.
 * Numbers of threads are unique in the file, since viewers look names up by
 * them, and begin behind the processes, since a thread with the number of its
 * process would be its main thread; 0 is the idle process.
 *
 * Events are printed as the rows are read; only the threads are kept.
 */
#include <assert.h>
#include <jansson.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/heap.h"
#include "base/strtab.h"
#include "reports/export/export.h"
#include "reports/store/choose.h"
#include "reports/store/store_private.h"

#define DEVICES 64u       /* of a node */
#define NO_DEVICE DEVICES /* tasks without a GPU */
#define LANES_MOST 1000u  /* threads of a GPU in the order of the viewer */

/* A thread. */
struct lane {
    int64_t free_at, tid;
};

/* The threads of a GPU, a heap: the first to be free on top. */
struct gpu {
    struct lane *lane;
    uint32_t lanes, cap;
};

struct tracing {
    struct report_store *store;
    int64_t run, end; /* when it ended */
    FILE *out;
    struct gs_arena *arena; /* of one row */
    bool has_begun;
    int64_t *node; /* [nodes] number, rising */
    uint32_t nodes, node_cap;
    struct gpu *gpu; /* [nodes * (DEVICES + 1)] */
    uint32_t lanes;  /* of all */
};

/* --- events --------------------------------------------------------------- */

/* Print an event and free it; without arrays, which the reader of perfetto does
 * not take.
 */
static void event_print(struct tracing *t, json_t *event)
{
    fputs(t->has_begun ? ",\n" : "\n", t->out);
    json_dumpf(event, t->out, JSON_COMPACT);
    json_decref(event);
    t->has_begun = true;
}

/* A name, or a place in the order, of a process or thread (tid 0: none). */
static void about_print(struct tracing *t, const char *what, int64_t pid,
                        int64_t tid, const char *key, json_t *value)
{
    json_t *event = json_pack("{s:s, s:s, s:I, s:{s:o}}", "ph", "M", "name",
                              what, "pid", (json_int_t)pid, "args", key, value);

    if (tid)
        json_object_set_new(event, "tid", json_integer(tid));
    event_print(t, event);
}

static int64_t time_at(sqlite3_stmt *st, int column, int64_t otherwise)
{
    const int64_t n = sqlite3_column_int64(st, column);

    if (sqlite3_column_type(st, column) == SQLITE_NULL)
        return otherwise;
    return n < 0 ? 0 : n > GS_TIME_MAX ? GS_TIME_MAX : n;
}

/* --- nodes and their GPUs ------------------------------------------------- */

/* Processes are numbered from 1: the nodes in order, then the queues. */
static int nodes_print(struct tracing *t, struct gs_err *err)
{
    sqlite3_stmt *st = store_ask(
        t->store,
        "SELECT node, name FROM nodes WHERE run_id = ?1 ORDER BY node", t->run,
        0, 0);

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        t->node = gs_array_grow(t->node, &t->node_cap, t->nodes + 1,
                                sizeof(*t->node));
        t->node[t->nodes++] = sqlite3_column_int64(st, 0);
        about_print(t, "process_name", t->nodes, 0, "name",
                    json_string(store_clean_text(st, 1, t->arena)));
        about_print(t, "process_sort_index", t->nodes, 0, "sort_index",
                    json_integer(t->nodes));
        gs_arena_rewind(t->arena);
    }
    t->gpu = gs_array_new(t->nodes * ((size_t)DEVICES + 1) + 1,
                          sizeof(*t->gpu));
    return store_answered(st) < 0
               ? store_fail(t->store, "cannot read the nodes", err)
               : 0;
}

static int node_compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* The index of the node; the number of nodes when there is none. */
static uint32_t node_find(const struct tracing *t, int64_t node)
{
    const int64_t *at = bsearch(&node, t->node, t->nodes, sizeof(node),
                                node_compare);

    return at ? (uint32_t)(at - t->node) : t->nodes;
}

static bool free_before(const void *heap, uint32_t a, uint32_t b)
{
    const struct lane *lane = heap;

    return lane[a].free_at != lane[b].free_at
               ? lane[a].free_at < lane[b].free_at
               : lane[a].tid < lane[b].tid;
}

static void lanes_swap(void *heap, uint32_t a, uint32_t b)
{
    struct lane *lane = heap;
    const struct lane it = lane[a];

    lane[a] = lane[b];
    lane[b] = it;
}

static const struct gs_heap by_free = { free_before, lanes_swap };

/* Add a thread that is taken until `end`. */
static int64_t lane_add(struct tracing *t, uint32_t node, uint32_t device,
                        struct gpu *g, int64_t end)
{
    const int64_t pid = (int64_t)node + 1;
    const int64_t tid = (int64_t)t->nodes + 2 + t->lanes++;
    const uint32_t number = g->lanes < LANES_MOST ? g->lanes : LANES_MOST - 1;
    json_t *name = device == NO_DEVICE ? json_sprintf("no GPU %u", g->lanes + 1)
                   : g->lanes == 0
                       ? json_sprintf("GPU %u", device)
                       : json_sprintf("GPU %u (%u)", device, g->lanes + 1);

    g->lane = gs_array_grow(g->lane, &g->cap, g->lanes + 1, sizeof(*g->lane));
    g->lane[g->lanes] = (struct lane){ end, tid };
    (void)gs_heap_rise(&by_free, g->lane, g->lanes++);
    about_print(t, "thread_name", pid, tid, "name", name);
    about_print(t, "thread_sort_index", pid, tid, "sort_index",
                json_integer((json_int_t)device * LANES_MOST + number));
    return tid;
}

/* A thread of the GPU that is free from `start` on; it is taken until `end`. */
static int64_t lane_take(struct tracing *t, uint32_t node, uint32_t device,
                         int64_t start, int64_t end)
{
    struct gpu *g = &t->gpu[node * ((size_t)DEVICES + 1) + device];
    int64_t tid;

    if (g->lanes == 0 || g->lane[0].free_at > start)
        return lane_add(t, node, device, g, end);
    tid = g->lane[0].tid;
    g->lane[0].free_at = end;
    (void)gs_heap_sink(&by_free, g->lane, g->lanes, 0);
    return tid;
}

/* --- placements ----------------------------------------------------------- */

static void slice_print(struct tracing *t, sqlite3_stmt *st, uint32_t node,
                        uint32_t device, int64_t start, int64_t end)
{
    const int64_t tid = lane_take(t, node, device, start, end);
    const int64_t began = time_at(st, 5, t->end);
    const int64_t idle = began < end ? began : end;
    json_t *args = json_pack(
        "{s:I, s:I, s:s, s:I, s:I, s:I}", "job",
        (json_int_t)sqlite3_column_int64(st, 0), "placement",
        (json_int_t)sqlite3_column_int64(st, 1), "queue",
        store_clean_text(st, 7, t->arena), "task_group",
        (json_int_t)sqlite3_column_int64(st, 8), "first_task",
        (json_int_t)sqlite3_column_int64(st, 9), "tasks",
        (json_int_t)sqlite3_column_int64(st, 10));

    if (sqlite3_column_type(st, 11) != SQLITE_NULL
        && sqlite3_column_int64(st, 11) < 1000)
        json_object_set_new(args, "share",
                            json_real(sqlite3_column_double(st, 11) / 1000));
    event_print(t, json_pack("{s:s, s:I, s:I, s:I, s:I, s:s, s:s, s:o}", "ph",
                             "X", "ts", (json_int_t)start, "dur",
                             (json_int_t)(end - start), "pid",
                             (json_int_t)node + 1, "tid", (json_int_t)tid,
                             "name", store_clean_text(st, 6, t->arena), "cat",
                             "job", "args", args));
    if (idle > start)
        event_print(t, json_pack("{s:s, s:I, s:I, s:I, s:I, s:s, s:s}", "ph",
                                 "X", "ts", (json_int_t)start, "dur",
                                 (json_int_t)(idle - start), "pid",
                                 (json_int_t)node + 1, "tid", (json_int_t)tid,
                                 "name", "not started", "cat", "hold"));
}

static int placements_print(struct tracing *t, struct gs_err *err)
{
    sqlite3_stmt *st = store_ask(
        t->store,
        "SELECT p.job, p.seq, p.node, p.start_us, p.end_us, j.start_us, j.name,"
        " j.queue, p.task_group, p.first_task, p.tasks, p.share, p.devices"
        " FROM placements p CROSS JOIN jobs j"
        " ON j.run_id = ?1 AND j.job = p.job WHERE p.run_id = ?1"
        " ORDER BY p.start_us, p.job, p.seq",
        t->run, 0, 0);

    while (st && sqlite3_step(st) == SQLITE_ROW) {
        const uint32_t node = node_find(t, sqlite3_column_int64(st, 2));
        const uint64_t devices = (uint64_t)sqlite3_column_int64(st, 12);
        const int64_t start = time_at(st, 3, 0);
        const int64_t until = time_at(st, 4, t->end);
        const int64_t end = until > start ? until : start;

        if (node == t->nodes)
            continue; /* damaged: of no node */
        for (uint32_t i = 0; i < DEVICES; i++) {
            if (devices >> i & 1)
                slice_print(t, st, node, i, start, end);
        }
        if (devices == 0)
            slice_print(t, st, node, NO_DEVICE, start, end);
        gs_arena_rewind(t->arena);
    }
    return store_answered(st) < 0
               ? store_fail(t->store, "cannot read the placements", err)
               : 0;
}

/* --- queues --------------------------------------------------------------- */

/* Jobs that wait come and go: submitted (or no longer held), started, or over
 * without a start; evicted as a whole while they ran, and placed again or over.
 */
static const char waiting_sql[] =
    "SELECT at, queue, sum(by) FROM ("
    "SELECT max(submit_us, coalesce(eligible_us, 0)) AS at, queue, 1 AS by"
    " FROM jobs WHERE run_id = ?1 AND submit_us <= ?2"
    " AND coalesce(eligible_us, 0) >= 0"
    " UNION ALL SELECT coalesce(start_us, end_us), queue, -1 FROM jobs"
    " WHERE run_id = ?1 AND submit_us <= ?2 AND coalesce(eligible_us, 0) >= 0"
    " UNION ALL SELECT e.at_us, j.queue, 1 FROM evictions e"
    " CROSS JOIN jobs j ON j.run_id = ?1 AND j.job = e.job"
    " WHERE e.run_id = ?1 AND e.whole AND j.start_us <= e.at_us"
    " UNION ALL SELECT coalesce((SELECT min(p.start_us) FROM placements p"
    " WHERE p.run_id = ?1 AND p.job = e.job AND p.start_us >= e.at_us),"
    " j.end_us), j.queue, -1 FROM evictions e"
    " CROSS JOIN jobs j ON j.run_id = ?1 AND j.job = e.job"
    " WHERE e.run_id = ?1 AND e.whole AND j.start_us <= e.at_us)"
    " WHERE at NOT NULL GROUP BY at, queue ORDER BY at, queue";

static int queues_print(struct tracing *t, struct gs_err *err)
{
    const int64_t pid = (int64_t)t->nodes + 1;
    struct gs_strtab *names = gs_strtab_create();
    int64_t *waiting = NULL; /* [name] jobs */
    uint32_t cap = 0, known = 0;
    sqlite3_stmt *st = store_ask(t->store, waiting_sql, t->run, t->end, 0);

    about_print(t, "process_name", pid, 0, "name",
                json_string("jobs waiting by queue"));
    about_print(t, "process_sort_index", pid, 0, "sort_index", json_integer(0));
    while (st && sqlite3_step(st) == SQLITE_ROW) {
        const char *queue = store_clean_text(st, 1, t->arena);
        const uint32_t q = gs_strtab_put(names, queue, strlen(queue));

        waiting = gs_array_grow(waiting, &cap, q + 1, sizeof(*waiting));
        for (; known <= q; known++)
            waiting[known] = 0;
        waiting[q] += sqlite3_column_int(st, 2);
        event_print(t, json_pack("{s:s, s:I, s:I, s:s, s:{s:I}}", "ph", "C",
                                 "ts", (json_int_t)time_at(st, 0, 0), "pid",
                                 (json_int_t)pid, "name", queue, "args", "jobs",
                                 (json_int_t)waiting[q]));
        gs_arena_rewind(t->arena);
    }
    gs_array_free(waiting);
    gs_strtab_destroy(names);
    return store_answered(st) < 0
               ? store_fail(t->store, "cannot read the queues", err)
               : 0;
}

/* --- a run ---------------------------------------------------------------- */

/* The run to be shown: the only one, unless `name` says which. */
static int run_choose(struct tracing *t, const char *name, struct gs_err *err)
{
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct report_choice *choice;
    uint32_t count;
    char names[160];
    int rc = report_choose(&t->store, 1, &name, name ? 1 : 0, arena, &choice,
                           &count, err);

    if (rc == 0 && count != 1)
        rc = gs_fail(
            err, GS_USAGE, (struct gs_mark){ .source = t->store->path },
            count ? "a trace is of one run: choose it with --run (there "
                    "are: %s)"
                  : "holds no runs%s",
            count ? report_store_names(t->store, names, sizeof(names)) : "");
    if (rc == 0)
        t->run = choice[0].run.id;
    gs_arena_destroy(arena);
    return rc;
}

static int end_read(struct tracing *t, struct gs_err *err)
{
    sqlite3_stmt *st = store_ask(
        t->store, "SELECT end_us FROM runs WHERE id = ?1", t->run, 0, 0);

    if (st && sqlite3_step(st) == SQLITE_ROW)
        t->end = time_at(st, 0, 0);
    return store_answered(st) < 0
               ? store_fail(t->store, "cannot read the run", err)
               : 0;
}

int report_export_perfetto(struct report_store *s, const char *run, FILE *out,
                           struct gs_err *err)
{
    struct tracing t = { .store = s, .out = out };
    int rc;

    assert(s && out);
    if (run_choose(&t, run, err) < 0 || end_read(&t, err) < 0)
        return -1;
    t.arena = gs_arena_create(1 << 14);
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[", out);
    rc = nodes_print(&t, err);
    if (rc == 0)
        rc = placements_print(&t, err);
    if (rc == 0)
        rc = queues_print(&t, err);
    fputs("\n]}\n", out);
    for (size_t i = 0; t.gpu && i < t.nodes * ((size_t)DEVICES + 1); i++)
        gs_array_free(t.gpu[i].lane);
    gs_array_free(t.node);
    gs_array_free(t.gpu);
    gs_arena_destroy(t.arena);
    return rc;
}
