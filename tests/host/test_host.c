/* tests/host/test_host.c - a live scheduler with objects of its own takes the
 * simulator's decisions, the same ones twice, and outlives a restart.
 */
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "tests/host/drive.h"
#include "tests/host/stream.h"
#include "tests/lib/suite.h"

#define FOLDER "tests/data/host/"
#define SEEDS 8

/* --- recordings ----------------------------------------------------------- */

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
        printf("  %s: %u faults; `make golden` shows what moved\n", path,
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
    CU_ASSERT(cases >= 18);
}

/* --- random streams ------------------------------------------------------- */

enum {
    STEADY = 1,   /* what runs and what waits says it all */
    MAY_WAIT = 2, /* for ever: gangs that pass their queue's share, or pods that
                     take turns at giving up */
};

static const struct kind {
    struct drive_options o;
    int is;
} kinds[] = {
    { { .preset = "binpack" }, STEADY },
    { { .preset = "fifo" }, STEADY },
    { { .preset = "spread", .one_group = true }, STEADY },
    { { .preset = "consolidated" }, STEADY },
    { { .preset = "topology" }, STEADY },
    { { .preset = "drf" }, STEADY },
    { { .preset = "easy", .alike = true }, STEADY },
    { { .preset = "conservative",
        .setting = "backfill.plan=replan",
        .alike = true },
      STEADY },
    { { .preset = "conservative", .alike = true }, 0 },
    { { .preset = "easy" }, 0 },
    { { .preset = "hybrid" }, 0 },
    { { .preset = "priority-preempt" }, 0 },
    { { .preset = "priority-preempt", .setting = "trigger.period=7s" }, 0 },
    { { .preset = "volcano" }, MAY_WAIT },
    { { .preset = "volcano-default" }, MAY_WAIT },
    { { .preset = "volcano",
        .setting = "actions=[enqueue,allocate,backfill,preempt,reclaim]" },
      MAY_WAIT },
    { { .preset = "kube-default", .singles = true }, 0 },
    { { .preset = "kube-default",
        .setting = "gang.timeout=20s",
        .instants = 1000 },
      MAY_WAIT },
    { { .preset = "random" }, MAY_WAIT },
};

static struct drive_result drive_one(const struct kind *k, uint64_t seed,
                                     uint32_t restart)
{
    struct drive_options o = k->o;
    struct drive_result r;

    o.seed = seed;
    o.jobs = 60;
    o.restart = restart;
    r = drive(&o);
    CU_ASSERT_EQUAL(r.faults, 0);
    CU_ASSERT((k->is & MAY_WAIT) || r.left == 0);
    if (r.faults || (r.left && !(k->is & MAY_WAIT)))
        printf("  %s, seed %u, restart %u: %u faults, %u jobs left\n", o.preset,
               (unsigned)seed, restart, r.faults, r.left);
    return r;
}

static void test_twice(void)
{
    uint32_t evictions = 0;

    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct drive_result a = drive_one(&kinds[k], seed, 0);
            const struct drive_result b = drive_one(&kinds[k], seed, 0);

            CU_ASSERT_EQUAL(a.decisions, b.decisions);
            CU_ASSERT_EQUAL(a.count, b.count);
            CU_ASSERT((kinds[k].is & MAY_WAIT) || a.count >= 60);
            evictions += a.evictions;
        }
    }
    CU_ASSERT(evictions > 100);
}

/* Where only what runs and waits matters, it cannot be told that it died. */
static void test_restarts(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const uint32_t every = 3 + (uint32_t)seed * 5;
            const struct drive_result a = drive_one(&kinds[k], seed, every);
            const struct drive_result b = drive_one(
                &kinds[k], seed, kinds[k].is & STEADY ? 0 : every);

            CU_ASSERT_EQUAL(a.decisions, b.decisions);
            CU_ASSERT(a.restarts > 0);
        }
    }
}

/* A cycle that stops goes on in the next, which comes to the same. */
static void test_limits(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct drive_result all = drive_one(&kinds[k], seed, 0);
            struct drive_options o = kinds[k].o;
            struct drive_result r;

            o.seed = seed;
            o.jobs = 60;
            o.limit = 1 + (uint32_t)seed % 3;
            r = drive(&o);
            CU_ASSERT_EQUAL(r.faults, 0);
            CU_ASSERT((kinds[k].is & MAY_WAIT) || r.left == 0);
            CU_ASSERT(!(kinds[k].is & STEADY) || r.decisions == all.decisions);
            if (r.faults
                || ((kinds[k].is & STEADY) && r.decisions != all.decisions))
                printf("  %s, seed %u, limit %u\n", o.preset, (unsigned)seed,
                       o.limit);
        }
    }
}

/* What a node refuses is given back, and placed again. */
static void test_given_back(void)
{
    uint32_t refused = 0;

    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = kinds[k].o;
            struct drive_result r;

            o.seed = seed;
            o.jobs = 60;
            o.refuse = 2 + (uint32_t)seed;
            r = drive(&o);
            CU_ASSERT_EQUAL(r.faults, 0);
            CU_ASSERT((kinds[k].is & MAY_WAIT) || r.left == 0);
            if (r.faults || (r.left && !(kinds[k].is & MAY_WAIT)))
                printf("  %s, seed %u: %u faults, %u left\n", o.preset,
                       (unsigned)seed, r.faults, r.left);
            refused += r.refused;
        }
    }
    CU_ASSERT(refused > 500);
}

static struct drive_result drive_as(const struct kind *k,
                                    const struct drive_options *o)
{
    const struct drive_result r = drive(o);

    CU_ASSERT_EQUAL(r.faults, 0);
    CU_ASSERT((k->is & MAY_WAIT) || r.left == 0);
    if (r.faults || (r.left && !(k->is & MAY_WAIT)))
        printf("  %s, seed %u: %u faults, %u left\n", o->preset,
               (unsigned)o->seed, r.faults, r.left);
    return r;
}

/* Numbers of jobs that are forgotten are given to others. */
static void test_forgotten(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = kinds[k].o;

            o.seed = seed;
            o.jobs = 120;
            o.forget = true;
            CU_ASSERT(drive_as(&kinds[k], &o).numbers < (o.alike ? 100 : 121));
        }
    }
}

/* Another scheduler goes on as the first would. */
static void test_taken_over(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct drive_result all = drive_one(&kinds[k], seed, 0);
            struct drive_options o = kinds[k].o;
            struct drive_result r;

            o.seed = seed;
            o.jobs = 60;
            o.takes_over = true;
            o.restart = 2 + (uint32_t)seed;
            r = drive_as(&kinds[k], &o);
            CU_ASSERT(r.restarts > 0);
            CU_ASSERT(!(kinds[k].is & STEADY) || r.decisions == all.decisions);
            if ((kinds[k].is & STEADY) && r.decisions != all.decisions)
                printf("  %s, seed %u: goes on in another way\n", o.preset,
                       (unsigned)seed);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "the simulator's decisions, on recordings", test_recordings },
        { "random streams, twice the same decisions", test_twice },
        { "a bound on a cycle: the next goes on", test_limits },
        { "placements that fail are given back", test_given_back },
        { "jobs that are over are forgotten", test_forgotten },
        { "another scheduler takes over", test_taken_over },
        { "restarts: what runs is adopted, the rest goes on", test_restarts },
    };

    return suite_run("host", suite, N_ELEMENTS(suite));
}
