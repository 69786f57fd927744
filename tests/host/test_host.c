/* tests/host/test_host.c - a live host on libgsched.a decides as the simulator
 * does, deterministically, and survives restarts, limits and refused
 * placements.
 */
#include <stdio.h>
#include <string.h>

#include "base/input.h"
#include "tests/host/drive.h"
#include "tests/host/stream.h"
#include "tests/lib/suite.h"

#define FOLDER "tests/data/host/"
#define SEEDS 8
#define JOBS 60 /* of a random stream */

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
        CU_ASSERT(decisions > 40); /* the recording is not trivial */
        cases++;
    }
    gs_input_close(in);
    CU_ASSERT_EQUAL(faults, 0);
    CU_ASSERT(cases >= 18);
}

/* --- random streams ------------------------------------------------------- */

enum {
    STEADY = 1,   /* decisions depend on running and pending jobs only */
    MAY_WAIT = 2, /* some jobs wait for ever: gangs above the share of their
                     queue, or pods that give up in turns */
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

/* Drive with options `o`: no faults, and all jobs end. */
static struct drive_result drive_kind(const struct kind *k,
                                      struct drive_options o)
{
    struct drive_result r;
    bool is_right;

    o.jobs = o.jobs ? o.jobs : JOBS;
    r = drive(&o);
    is_right = r.faults == 0 && ((k->is & MAY_WAIT) || r.left == 0);
    CU_ASSERT(is_right);
    if (!is_right)
        printf("  %s, seed %u, restart %u, limit %u, refuse %u: "
               "%u faults, %u jobs left\n",
               o.preset, (unsigned)o.seed, o.restart, o.limit, o.refuse,
               r.faults, r.left);
    return r;
}

static struct drive_options options_of(size_t kind, uint64_t seed)
{
    struct drive_options o = kinds[kind].o;

    o.seed = seed;
    return o;
}

/* The undisturbed run, computed once. */
static const struct drive_result *undisturbed(size_t kind, uint64_t seed)
{
    static struct drive_result run[N_ELEMENTS(kinds)][SEEDS + 1];
    static bool is_made[N_ELEMENTS(kinds)][SEEDS + 1];

    if (!is_made[kind][seed])
        run[kind][seed] = drive_kind(&kinds[kind], options_of(kind, seed));
    is_made[kind][seed] = true;
    return &run[kind][seed];
}

/* A policy without memory decides as in the undisturbed run. */
static void check_steady(size_t kind, const struct drive_options *o,
                         const struct drive_result *r)
{
    const bool differs = r->decisions != undisturbed(kind, o->seed)->decisions;

    if (!(kinds[kind].is & STEADY))
        return;
    CU_ASSERT(!differs);
    if (differs)
        printf("  %s, seed %u, restart %u, limit %u: decides otherwise\n",
               o->preset, (unsigned)o->seed, o->restart, o->limit);
}

static void test_twice(void)
{
    uint32_t evictions = 0;

    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            const struct drive_result *a = undisturbed(k, seed);
            const struct drive_result b = drive_kind(&kinds[k],
                                                     options_of(k, seed));

            CU_ASSERT_EQUAL(a->decisions, b.decisions);
            CU_ASSERT_EQUAL(a->count, b.count);
            CU_ASSERT((kinds[k].is & MAY_WAIT) || b.count >= JOBS);
            evictions += b.evictions;
        }
    }
    CU_ASSERT(evictions > 100);
}

static void test_restarts(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = options_of(k, seed);
            struct drive_result a;

            o.restart = 3 + (uint32_t)seed * 5;
            a = drive_kind(&kinds[k], o);
            CU_ASSERT(a.restarts > 0);
            if (kinds[k].is & STEADY)
                check_steady(k, &o, &a);
            else
                CU_ASSERT_EQUAL(drive_kind(&kinds[k], o).decisions,
                                a.decisions);
        }
    }
}

static void test_limits(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = options_of(k, seed);
            struct drive_result r;

            o.limit = 1 + (uint32_t)seed % 3;
            r = drive_kind(&kinds[k], o);
            check_steady(k, &o, &r);
        }
    }
}

static void test_given_back(void)
{
    uint32_t refused = 0;

    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = options_of(k, seed);

            o.refuse = 2 + (uint32_t)seed;
            refused += drive_kind(&kinds[k], o).refused;
        }
    }
    CU_ASSERT(refused > 500);
}

/* The number of a forgotten job is reused. */
static void test_forgotten(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = options_of(k, seed);

            o.jobs = 2 * JOBS;
            o.forget = true;
            CU_ASSERT(drive_kind(&kinds[k], o).numbers
                      < (o.alike ? 100 : 2 * JOBS + 1));
        }
    }
}

static void test_taken_over(void)
{
    for (size_t k = 0; k < N_ELEMENTS(kinds); k++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct drive_options o = options_of(k, seed);
            struct drive_result r;

            o.takes_over = true;
            o.restart = 2 + (uint32_t)seed;
            r = drive_kind(&kinds[k], o);
            CU_ASSERT(r.restarts > 0);
            check_steady(k, &o, &r);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "recordings of the simulator give the same decisions",
          test_recordings },
        { "a random stream gives the same decisions twice", test_twice },
        { "a cycle that stops at its bound goes on in the next", test_limits },
        { "a placement that failed is given back", test_given_back },
        { "the number of a forgotten job is given to another", test_forgotten },
        { "another scheduler takes over", test_taken_over },
        { "a restarted scheduler adopts running jobs and goes on",
          test_restarts },
    };

    return suite_run("host", suite, N_ELEMENTS(suite));
}
