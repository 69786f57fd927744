/* tests/host/test_host.c - a live scheduler with objects of its own takes the
 * simulator's decisions, the same ones twice, and outlives a restart.
 */
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "tests/host/drive.h"
#include "tests/host/stream.h"
#include "tests/suite.h"

#define FOLDER "tests/data/host/"
#define SEEDS 12

/* --- recordings ------------------------------------------------------------------ */

/* Faults and differences in one recording. */
static unsigned play(const char *name, unsigned *decisions)
{
    unsigned differs = 0, faults;
    char path[256];
    struct live *l;

    (void)snprintf(path, sizeof(path), FOLDER "%s.txt", name);
    l = stream_play(path, &differs, decisions);
    faults = l ? l->faults + differs : 1;
    if (faults)
        printf("  %s: %u faults; `make record-host` writes it anew\n", path,
               faults);
    live_destroy(l);
    return faults;
}

/* Every case of the list, which names its recording first. */
static void test_recordings(void)
{
    struct gs_input *in = gs_input_open(FOLDER "cases", NULL);
    unsigned faults = 0, cases = 0;
    char *line;
    size_t len;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    while (gs_input_line(in, &line, &len, NULL) == 1) {
        unsigned decisions = 0;

        line[strcspn(line, " ")] = '\0';
        faults += play(line, &decisions);
        CU_ASSERT(decisions > 40); /* it is worth playing */
        cases++;
    }
    gs_input_close(in);
    CU_ASSERT_EQUAL(faults, 0);
    CU_ASSERT(cases >= 8);
}

/* --- random streams ---------------------------------------------------------------- */

static const struct drive_options kinds[] = {
    { .preset = "binpack" },
    { .preset = "fifo" },
    { .preset = "spread" },
    { .preset = "topology" },
    { .preset = "easy" },
    { .preset = "hybrid" },
    { .preset = "priority-preempt" },
    { .preset = "priority-preempt", .setting = "trigger.period=7s" },
    { .preset = "conservative", .alike = true },
    { .preset = "kube-default", .singles = true },
    { .preset = "kube-default", .setting = "gang.timeout=20s" },
    { .preset = "random" },
};

static struct drive_result drive_one(size_t kind, uint64_t seed,
                                     uint32_t restart)
{
    struct drive_options o = kinds[kind];

    o.seed = seed;
    o.jobs = 60;
    o.restart = restart;
    return drive(&o);
}

static void test_twice(void)
{
    uint32_t evictions = 0;

    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct drive_result a = drive_one(k, seed, 0);
            const struct drive_result b = drive_one(k, seed, 0);

            CU_ASSERT_EQUAL(a.faults + b.faults, 0);
            CU_ASSERT_EQUAL(a.left, 0);
            CU_ASSERT_EQUAL(a.decisions, b.decisions);
            CU_ASSERT_EQUAL(a.count, b.count);
            CU_ASSERT(a.count > 60);
            evictions += a.evictions;
        }
    }
    CU_ASSERT(evictions > 100);
}

static void test_restarts(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const uint32_t every = 3 + (uint32_t)seed * 5;
            const struct drive_result a = drive_one(k, seed, every);
            const struct drive_result b = drive_one(k, seed, every);

            CU_ASSERT_EQUAL(a.faults + b.faults, 0);
            CU_ASSERT_EQUAL(a.left, 0);
            CU_ASSERT_EQUAL(a.decisions, b.decisions);
            CU_ASSERT(a.restarts > 0);
            if (a.faults || a.left)
                printf("  %s, seed %u: %u faults, %u jobs left\n",
                       kinds[k].preset, (unsigned)seed, a.faults, a.left);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the simulator's decisions, on recordings", test_recordings },
        { "random streams, twice the same decisions", test_twice },
        { "restarts: what runs is adopted, and every job ends", test_restarts },
    };

    return suite_run("host", suite, N_ELEMENTS(suite));
}
