/* tests/sim/test_sweep_file.c - sweeps as grids of points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "sim/replay/replay.h"
#include "sim/study/sweep_file.h"
#include "tests/lib/suite.h"

struct sweep_inputs {
    struct gs_arena *arena;
    struct gs_err err;
    char path[64];
    struct sweep_file file;
    int rc;
};

static void world_init(struct sweep_inputs *w, const char *yaml)
{
    FILE *f;

    *w = (struct sweep_inputs){ .arena = gs_arena_create(4096) };
    strcpy(w->path, "/tmp/gsim-sweep-XXXXXX");
    if (!mkdtemp(w->path))
        abort();
    strcat(w->path, "/s.yaml");
    f = fopen(w->path, "w");
    if (!f)
        abort();
    fputs(yaml, f);
    fclose(f);
    w->rc = sweep_file_read(&w->file, w->path, w->arena, &w->err);
}

static void world_fini(struct sweep_inputs *w)
{
    (void)unlink(w->path);
    *strrchr(w->path, '/') = '\0';
    if (rmdir(w->path) != 0)
        abort();
    gs_arena_destroy(w->arena);
}

static const struct {
    const char *yaml;
    uint32_t points;
    struct {
        uint32_t point;
        const char *name;
    } expect[4];
} grids[] = {
    { "traces: a.csv\n", 1, { { 0, "s" } } },
    { "{name: all, traces: a.csv}\n", 1, { { 0, "all" } } },
    { "{traces: a.csv, seeds: 7}\n", 1, { { 0, "s" } } },
    { "{traces: a.csv, seeds: 3..5}\n",
      3,
      { { 0, "s3" }, { 1, "s4" }, { 2, "s5" } } },
    { "{traces: a.csv, seeds: [9, 2]}\n", 2, { { 0, "s9" }, { 1, "s2" } } },
    { "{traces: [x/a.csv.gz, y/b.csv], policies: [fifo, mine.yaml]}\n",
      4,
      { { 0, "a/fifo" }, { 1, "a/mine" }, { 2, "b/fifo" }, { 3, "b/mine" } } },
    /* stems that are the same are of no use */
    { "{traces: [x/a.csv, y/a.csv, b.csv]}\n",
      3,
      { { 0, "x/a.csv" }, { 1, "y/a.csv" }, { 2, "b.csv" } } },
    { "{traces: a.csv, topologies: [t.yaml, u.yaml], policies: [fifo, spread],"
      " seeds: 1..2}\n",
      8,
      { { 0, "t/fifo/s1" }, { 3, "t/spread/s2" }, { 4, "u/fifo/s1" } } },
    { "{traces: a.csv, set: {load: [1, 1.5], gang.timeout: [0s]}}\n",
      2,
      { { 0, "load=1" }, { 1, "load=1.5" } } },
    { "{traces: a.csv, set: {c: {small: [nodes.a=1], big: [nodes.a=2, load=2]},"
      " head: [block, skip]}, seeds: 1..3}\n",
      12,
      { { 0, "c=small/head=block/s1" },
        { 5, "c=small/head=skip/s3" },
        { 11, "c=big/head=skip/s3" } } },
    { "{traces: a.csv, set: {c: {as-is: , half: nodes.a=1}}}\n",
      2,
      { { 0, "c=as-is" }, { 1, "c=half" } } },
    { "{traces: a.csv, seeds: 1..100000}\n",
      100000,
      { { 0, "s1" }, { 99999, "s100000" } } },
};

static void test_grids(void)
{
    for (size_t i = 0; i < N_ELEMENTS(grids); i++) {
        struct sweep_inputs w;

        world_init(&w, grids[i].yaml);
        CU_ASSERT_EQUAL_FATAL(w.rc, 0);
        CU_ASSERT_EQUAL(grid_points(&w.file.grid), grids[i].points);
        for (size_t k = 0; k < 4 && grids[i].expect[k].name; k++)
            CU_ASSERT_STRING_EQUAL(grid_name(&w.file.grid,
                                             grids[i].expect[k].point,
                                             w.file.name, w.arena),
                                   grids[i].expect[k].name);
        world_fini(&w);
    }
}

static void test_changes(void)
{
    const struct grid_choice *c;
    struct sweep_inputs w;

    world_init(&w, "{traces: a.csv, set: {load: [2], c: {x: [nodes.a=1, "
                   "head=block], y: []}}}\n");
    CU_ASSERT_EQUAL_FATAL(w.rc, 0);
    CU_ASSERT_EQUAL_FATAL(w.file.grid.axis_count, 6);
    c = grid_choice(&w.file.grid, 0, SWEEP_SET);
    CU_ASSERT_EQUAL(c->change_count, 1);
    CU_ASSERT_STRING_EQUAL(c->change[0], "load=2");
    c = grid_choice(&w.file.grid, 0, SWEEP_SET + 1);
    CU_ASSERT_EQUAL(c->change_count, 2);
    CU_ASSERT_STRING_EQUAL(c->change[1], "head=block");
    CU_ASSERT_EQUAL(grid_choice(&w.file.grid, 1, SWEEP_SET + 1)->change_count,
                    0);
    world_fini(&w);
}

static void test_options(void)
{
    struct sweep_inputs w;

    world_init(&w, "{traces: sub/a.csv, limit: 10, until: 1h, format: swf, "
                   "task_size: 4, large: 16, keep: metrics}\n");
    CU_ASSERT_EQUAL_FATAL(w.rc, 0);
    CU_ASSERT_EQUAL(w.file.trace.limit, 10);
    CU_ASSERT_EQUAL(w.file.until, INT64_C(3600000000));
    CU_ASSERT_EQUAL(w.file.trace.format, TRACE_SWF);
    CU_ASSERT_EQUAL(w.file.trace.task_size, 4);
    CU_ASSERT_EQUAL(w.file.large, 16);
    CU_ASSERT(w.file.metrics_only);
    /* seen from the sweep's folder */
    CU_ASSERT_PTR_NOT_NULL(
        strstr(w.file.grid.axis[SWEEP_TRACE].choice[0].value, "/sub/a.csv"));
    CU_ASSERT_EQUAL(w.file.grid.axis[SWEEP_TRACE].choice[0].value[0], '/');
    world_fini(&w);
    world_init(&w, "{traces: a.csv}\n");
    CU_ASSERT_EQUAL(w.file.until, SIM_FOREVER);
    CU_ASSERT(!w.file.metrics_only);
    world_fini(&w);
}

static const struct suite_case cases[] = {
    { "every combination is a point with a name of its own", test_grids },
    { "a choice makes all its changes", test_changes },
    { "options of a sweep are read or refused", test_options },
};

int main(void)
{
    return suite_run("sweep files", cases, N_ELEMENTS(cases));
}
