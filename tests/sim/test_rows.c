/* tests/sim/test_rows.c - metrics are what the stored rows say.
 *
 * Random worlds are replayed under presets, in windows drawn at random, and
 * stored; tests/data/rows.sql computes their metrics from the rows alone.
 */
#include <sqlite3.h>
#include <stdlib.h>

#include "reports/measure/metrics.h"
#include "reports/store/store.h"
#include "sim/speed/speed.h"
#include "tests/lib/database.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define WORLDS 4
#define FIRST 1

static struct drawn_text topology, trace, outages, speeds;

/* Jobs whose tasks end each by itself. */
static void completions_make(struct gs_rng *r)
{
    for (unsigned n = below(r, 4), i = 0; i < n; i++) {
        PUT(&trace, "  - {name: c%u, submit: %u, ", i, below(r, 200));
        PUT(&trace, "duration: %u, gpus: %u, ", 1 + below(r, 60),
            1 + below(r, 3));
        PUT(&trace, "replicas: %u, ", 1 + below(r, 4));
        PUT(&trace, "completions: %u}\n", 4 + below(r, 9));
    }
}

static int speed_draw(struct world *w, struct gs_rng *r)
{
    struct gs_input *in;

    if (below(r, 2))
        speed_make(r, &speeds);
    else
        PUT(&speeds, "replicas: none\ntable: [{gpus: 1, speed: 1}]\n");
    in = gs_input_open_memory("drawn", speeds.at, speeds.len);
    w->speed = sim_speed_read(in, w->topo, w->arena, &w->err);
    gs_input_close(in);
    return w->speed ? 0 : -1;
}

static bool world_draw(struct world *w, struct gs_rng *r, unsigned features)
{
    const struct trace_options o = { 0 };
    const bool has_speed = below(r, 2);

    topology.len = trace.len = outages.len = speeds.len = 0;
    topology_make(r, &topology, features);
    trace_make(r, &trace, features);
    if (!has_speed) /* no speed model knows them */
        completions_make(r);
    outages_make(r, &outages);
    world_init(w);
    if (world_load(w, topology.at, trace.at, &o) == 0
        && (below(r, 3) == 0 || world_outages(w, outages.at) == 0)
        && (!has_speed || speed_draw(w, r) == 0))
        return true;
    printf("%s\n%s\n", w->err.problem[0].text, trace.at);
    return false;
}

/* In whole seconds, so that events fall on its ends. */
static struct report_window_request window_draw(struct gs_rng *r)
{
    struct report_window_request ask = REPORT_WINDOW_WHOLE;

    if (below(r, 2))
        ask.from = below(r, 120) * INT64_C(1000000);
    if (below(r, 3) == 0)
        ask.to = (ask.from > 0 ? ask.from : 0)
                 + (1 + below(r, 300)) * INT64_C(1000000);
    if (below(r, 3) == 0)
        ask.warmup = below(r, 40) * INT64_C(1000000);
    return ask;
}

/* Replay under a preset and store what happened; 0, 1 if it cannot, or -1. */
static int run_store(struct world *w, struct report_store *store,
                     const char *name, const char *policy,
                     const struct report_window_request *ask)
{
    struct report_metrics *m = report_metrics_create(w->topo, w->work, NULL);
    const struct report_metric *row;
    struct report_window window;
    uint32_t count;
    struct report_run run = {
        .name = name,
        .status = "done",
        .version = "0",
        .policy = policy,
        .profile = "",
        .topology = "topology.yaml",
        .trace = "trace.yaml",
        .options = "{\"large\": 6}",
        .window = &window,
    };
    int rc = 1;

    report_metrics_measure(m, ask);
    if (world_run(w, policy, NULL, report_metrics_observer(m)) == 0) {
        row = report_metrics_rows(m, w->log, 6, w->arena, &count);
        window = report_window_closed(report_metrics_window(m), w->log->end);
        /* the window's end is the run's: rows do not tell which was meant */
        rc = ask->to == w->log->end
                 ? 1
                 : report_store_write(store, &run, w->topo, w->work, w->log,
                                      row, count, report_metrics_samples(m),
                                      &w->err);
    }
    report_metrics_destroy(m);
    if (rc < 0)
        printf("%s\n", w->err.problem[0].text);
    return rc;
}

/* Some presets on the world of a seed; how many runs it stored, or -1. */
static int world_store(uint64_t seed, struct report_store *store)
{
    static const unsigned kinds[] = { 0,
                                      RANDOM_QUEUES | RANDOM_CLASSES,
                                      RANDOM_SAVES | RANDOM_ELASTIC,
                                      RANDOM_ALL,
                                      RANDOM_ALL | RANDOM_LEAVES,
                                      RANDOM_ALL | RANDOM_MIG };
    struct gs_rng r;
    struct world w;
    int stored = 0;

    gs_rng_init(&r, seed, "rows");
    if (!world_draw(&w, &r, kinds[seed % N_ELEMENTS(kinds)]))
        stored = -1;
    for (size_t i = 0; stored >= 0 && gsched_preset_at(i); i++) {
        const char *policy = gsched_preset_at(i)->name;
        const struct report_window_request ask = window_draw(&r);
        char name[80];
        int rc;

        w.until = below(&r, 4) ? 0 : (50 + below(&r, 300)) * INT64_C(1000000);
        if (below(&r, 6))
            continue;
        snprintf(name, sizeof(name), "%llu %s", (unsigned long long)seed,
                 policy);
        rc = run_store(&w, store, name, policy, &ask);
        stored = rc < 0 ? -1 : stored + (rc == 0);
    }
    if (stored < 0)
        printf("seed %llu\n", (unsigned long long)seed);
    world_fini(&w);
    return stored;
}

static int row_print(void *ctx, int n, char **value, char **name)
{
    int *rows = ctx;

    (void)name;
    if ((*rows)++ < 20) {
        for (int i = 0; i < n; i++)
            printf("%s%s", i ? "|" : "", value[i] ? value[i] : "NULL");
        printf("\n");
    }
    return 0;
}

static char *text_read(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "r");

    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
    fclose(f);
    return text;
}

/* The rows of `differs`, printed; -1: the SQL failed. */
static int differ(const char *path, const char *change)
{
    sqlite3 *db = NULL;
    char *why = NULL;
    int rows = 0;

    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK
        || sqlite3_exec(db, change, NULL, NULL, &why) != SQLITE_OK
        || sqlite3_exec(db, text_read("tests/data/rows.sql"), NULL, NULL, &why)
               != SQLITE_OK
        || sqlite3_exec(db, "SELECT * FROM differs ORDER BY run, name",
                        change[0] ? NULL : row_print, &rows, &why)
               != SQLITE_OK
        || (change[0]
            && sqlite3_exec(db, "SELECT * FROM differs LIMIT 1", row_print,
                            &rows, &why)
                   != SQLITE_OK)) {
        printf("%s\n", why ? why : "no database");
        rows = -1;
    }
    sqlite3_free(why);
    sqlite3_close(db);
    return rows;
}

/* A database of WORLDS worlds. */
static void round_test(uint64_t first)
{
    struct gs_err err = { 0 };
    struct report_store *store;
    struct database d;
    int runs = 0;

    database_init(&d);
    store = report_store_open(d.path, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(store);
    for (uint64_t seed = first; seed < first + WORLDS; seed++) {
        const int stored = world_store(seed, store);

        CU_ASSERT_FATAL(stored >= 0);
        runs += stored;
    }
    report_store_close(store);
    CU_ASSERT_TRUE(runs > 2 * WORLDS);
    CU_ASSERT_EQUAL(differ(d.path, ""), 0);
    if (first == FIRST) /* and it would tell */
        CU_ASSERT_EQUAL(differ(d.path,
                               "UPDATE metrics SET value = value + 1e-5"
                               " WHERE run_id = 1 AND name = 'gpu.allocated'"),
                        1);
    database_fini(&d);
}

static void test_rows(void)
{
    for (uint64_t i = 0; i < suite_rounds(1); i++)
        round_test(FIRST + i * WORLDS);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "metrics equal those computed from stored rows", test_rows },
    };

    return suite_run("sim/rows", suite, N_ELEMENTS(suite));
}
