/* tests/sim/test_oracles.c - FCFS starts every job exactly when five public
 * simulators do, counting processors and on racks of GPUs (the "yarn"
 * placement of Tiresias' simulator); EASY and, where estimates are exact,
 * conservative backfilling when two of them and independent references do.
 *
 * The logs kept here are the first jobs of longer ones, cut where all of them
 * have started before the next comes: their starts are those in the whole.
 */
#include <stdlib.h>

#include "base/csv.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define FLAT(n)                           \
    "node_types: {flat: {cpu: " #n "}}\n" \
    "nodes: [{name: machine, type: flat}]\n"

/* With exact estimates nothing ends early: both plans are one. */
#define REPLAN                        \
    "actions: [allocate, backfill]\n" \
    "modules: [gang, {backfill: {mode: conservative, plan: replan}}]\n"

static const struct {
    const char *topology, *trace, *policy, *expected;
    bool gpus;
    uint32_t task_size;
    uint32_t jobs;
} cases[] = {
    { FLAT(128), "tests/data/oracles/sdsc-sp2.swf", "fifo",
      "tests/data/oracles/sdsc-sp2.fcfs.csv", false, 1, 600 },
    { FLAT(128), "tests/data/oracles/sdsc-sp2.swf", "easy",
      "tests/data/oracles/sdsc-sp2.easy.csv", false, 1, 600 },
    { FLAT(128), "tests/data/oracles/sdsc-sp2-exact.swf", "easy",
      "tests/data/oracles/sdsc-sp2-exact.easy.csv", false, 1, 890 },
    { FLAT(128), "tests/data/oracles/sdsc-sp2-exact.swf", "conservative",
      "tests/data/oracles/sdsc-sp2-exact.conservative.csv", false, 1, 890 },
    { FLAT(128), "tests/data/oracles/sdsc-sp2-exact.swf", REPLAN,
      "tests/data/oracles/sdsc-sp2-exact.conservative.csv", false, 1, 890 },
    { FLAT(2048), "tests/data/oracles/syn-2048.swf", "fifo",
      "tests/data/oracles/syn-2048.fcfs.csv", false, 1, 2000 },
    { "topology/samples/tiresias.yaml", "tests/data/oracles/gpu1000.swf",
      "fifo", "tests/data/oracles/gpu1000.fcfs.csv", true, 1, 1000 },
    { "topology/samples/tiresias.yaml", "tests/data/oracles/gpu1000.swf",
      "consolidated", "tests/data/oracles/gpu1000.consolidated.csv", true, 8,
      1000 },
};

/* The result of the job called `name`, looked for from *at on. */
static const struct report_job *job_next(const struct world *w,
                                         const char *name, uint32_t *at)
{
    for (uint32_t i = 0; i < w->work->job_count; i++) {
        const uint32_t k = (*at + i) % w->work->job_count;

        if (strcmp(gs_strtab_str(w->names, w->work->job[k].name), name) == 0) {
            *at = k + 1;
            return &w->job[k];
        }
    }
    return NULL;
}

/* Rows of "job_id,start" that the log agrees with. */
static uint32_t agreeing(const struct world *w, const char *path)
{
    struct gs_err err = { 0 };
    struct gs_input *in = gs_input_open(path, &err);
    struct gs_csv csv;
    uint32_t n = 0, next = 0;
    int at;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    CU_ASSERT_EQUAL_FATAL(gs_csv_open(&csv, in, &err), 0);
    at = gs_csv_column(&csv, "start");
    CU_ASSERT_FATAL(at >= 0);
    while (gs_csv_next(&csv, &err) > 0) {
        const struct report_job *j = job_next(w, csv.field[0].text, &next);
        const int64_t start = atoll(csv.field[at].text) * INT64_C(1000000);

        n += j && j->start == start;
    }
    gs_csv_close(&csv);
    gs_input_close(in);
    return n;
}

static void check_starts(const char *topology, const char *trace,
                         const char *policy, const char *expected,
                         const struct trace_options *o, uint32_t jobs)
{
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, topology, trace, o), 0);
    CU_ASSERT_EQUAL_FATAL(world_run(&w, policy, NULL, NULL), 0);
    CU_ASSERT_EQUAL(w.work->job_count, jobs);
    CU_ASSERT_EQUAL(agreeing(&w, expected), jobs);
    world_fini(&w);
}

static void test_starts(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct trace_options o = { .processors_are_gpus = cases[i].gpus,
                                         .task_size = cases[i].task_size };

        check_starts(cases[i].topology, cases[i].trace, cases[i].policy,
                     cases[i].expected, &o, cases[i].jobs);
    }
}

/* The logs in full, where the folder of references is at hand. */
static const struct {
    const char *topology, *trace, *policy, *expected;
    bool gpus;
    uint32_t task_size;
    uint32_t jobs;
} full[] = {
    { FLAT(128), "sdsc-sp2-5k.swf", "fifo", "sdsc-sp2-5k.fcfs", false, 1,
      4961 },
    { FLAT(128), "sdsc-sp2-5k.swf", "easy", "sdsc-sp2-5k.easy", false, 1,
      4961 },
    { FLAT(128), "sdsc-sp2-5k-exact.swf.gz", "easy", "sdsc-sp2-5k-exact.easy",
      false, 1, 4606 },
    { FLAT(128), "sdsc-sp2-5k-exact.swf.gz", "conservative",
      "sdsc-sp2-5k-exact.conservative", false, 1, 4606 },
    { FLAT(128), "sdsc-sp2-5k-exact.swf.gz", REPLAN,
      "sdsc-sp2-5k-exact.conservative", false, 1, 4606 },
    { FLAT(2048), "syn-50k-2048.swf.gz", "fifo", "syn-50k-2048.fcfs", false, 1,
      50000 },
    { FLAT(2048), "syn-50k-2048.swf.gz", "easy", "syn-50k-2048.easy", false, 1,
      50000 },
    { "topology/samples/tiresias.yaml", "gpu2000.swf.gz", "fifo",
      "gpu2000.fcfs", true, 1, 2000 },
    { "topology/samples/tiresias.yaml", "gpu2000.swf.gz", "consolidated",
      "gpu2000.fcfs-consolidated", true, 8, 2000 },
};

static void test_full_logs(void)
{
    const char *folder = getenv("GSIM_SHARED");

    if (!folder) {
        printf("skipped (GSIM_SHARED is not set) ");
        return;
    }
    for (size_t i = 0; i < N_ELEMENTS(full); i++) {
        const struct trace_options o = { .processors_are_gpus = full[i].gpus,
                                         .task_size = full[i].task_size };
        char trace[512], expected[512];

        snprintf(trace, sizeof(trace), "%s/traces/swf/%s", folder,
                 full[i].trace);
        snprintf(expected, sizeof(expected), "%s/oracles/%s.csv.gz", folder,
                 full[i].expected);
        check_starts(full[i].topology, trace, full[i].policy, expected, &o,
                     full[i].jobs);
    }
}

/* Mean waits in tenths of a second on pools of interchangeable GPUs, from
 * two independent programs.
 */
static const struct {
    const char *trace;
    uint32_t gpus;
    int64_t mean;
} pools[] = {
    { "traces/samples/philly.csv.gz", 512, 4757704 },
    { "traces/samples/philly.csv.gz", 768, 13419 },
    { "traces/samples/philly.csv.gz", 1024, 115 },
    { "traces/samples/itp-cluster06.csv.xz", 128, 567771 },
    { "traces/samples/itp-cluster06.csv.xz", 192, 86991 },
};

static void test_pools(void)
{
    for (size_t i = 0; i < N_ELEMENTS(pools); i++) {
        const struct trace_options o = { .task_size = 1 };
        struct world w;
        char pool[128];
        double sum = 0;

        snprintf(pool, sizeof(pool),
                 "node_types: {g: {gpus: 1}}\n"
                 "nodes: [{name: 'g[1-%u]', type: g}]\n",
                 pools[i].gpus);
        world_init(&w);
        CU_ASSERT_EQUAL_FATAL(world_load(&w, pool, pools[i].trace, &o), 0);
        CU_ASSERT_EQUAL_FATAL(world_run(&w, "fifo", NULL, NULL), 0);
        for (uint32_t j = 0; j < w.work->job_count; j++)
            sum += (double)(w.job[j].start - w.work->job[j].submit);
        CU_ASSERT_EQUAL((int64_t)(sum / w.work->job_count / 1e5 + 0.5),
                        pools[i].mean);
        world_fini(&w);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "starts equal the oracles", test_starts },
        { "logs equal the oracles' in full", test_full_logs },
        { "mean waits on pools equal the cross-check", test_pools },
    };

    return suite_run("sim/oracles", suite, N_ELEMENTS(suite));
}
