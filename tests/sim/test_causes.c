/* tests/sim/test_causes.c - causes of waits follow what is free while a job is
 * unschedulable; they are not those of the last time it was tried.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define JOBS 30u
#define NODES 3u

/* What is free in sum, and for how long each job waited by which cause. */
struct cause_watch {
    struct report_observer observer;
    unsigned gpus, cpus; /* of a node */
    struct {
        unsigned tasks, gpus, cpus; /* of a task */
        bool waits;
        int64_t capacity, other; /* us, as they must be */
        int64_t told[REPORT_CAUSES];
    } job[JOBS];
    int64_t free_gpus, free_cpus, since;
};

/* What held until now is over. */
static void advance(struct cause_watch *w, int64_t now)
{
    for (unsigned j = 0; j < JOBS; j++) {
        const int64_t gpus = (int64_t)w->job[j].tasks * w->job[j].gpus;
        const int64_t cpus = (int64_t)w->job[j].tasks * w->job[j].cpus;

        if (!w->job[j].waits)
            continue;
        if (w->free_gpus < gpus || w->free_cpus < cpus)
            w->job[j].capacity += now - w->since;
        else
            w->job[j].other += now - w->since;
    }
    w->since = now;
}

static void on_span(struct cause_watch *w, int64_t now,
                    const struct report_allocation *s, int by)
{
    advance(w, now);
    w->free_gpus += by * (int64_t)s->tasks * w->job[s->job].gpus;
    w->free_cpus += by * (int64_t)s->tasks * w->job[s->job].cpus;
}

static void on_placed(void *self, int64_t now,
                      const struct report_allocation *s)
{
    on_span(self, now, s, -1);
}

static void on_released(void *self, int64_t now,
                        const struct report_allocation *s)
{
    on_span(self, now, s, 1);
}

static void on_submitted(void *self, int64_t now, uint32_t job)
{
    advance(self, now);
    ((struct cause_watch *)self)->job[job].waits = true;
}

static void on_started(void *self, int64_t now, uint32_t job)
{
    advance(self, now);
    ((struct cause_watch *)self)->job[job].waits = false;
}

static void on_ended(void *self, int64_t now, const struct report_job *r)
{
    struct cause_watch *w = self;

    advance(w, now);
    w->job[r->job].waits = false;
    for (int c = 0; r->waits && c < REPORT_CAUSES; c++)
        w->job[r->job].told[c] = r->waits[c];
}

static bool run_on(struct cause_watch *watch, const char *topology,
                   const char *policy, const char *trace)
{
    const struct trace_options o = { 0 };
    struct world w;
    bool is_well;

    watch->observer = (struct report_observer){ .self = watch,
                                                .submitted = on_submitted,
                                                .placed = on_placed,
                                                .started = on_started,
                                                .released = on_released,
                                                .ended = on_ended };
    watch->free_gpus = NODES * (int64_t)watch->gpus;
    watch->free_cpus = NODES * (int64_t)watch->cpus;
    world_init(&w);
    is_well = world_load(&w, topology, trace, &o) == 0
              && world_run(&w, policy, NULL, &watch->observer) == 0;
    if (!is_well)
        printf("%s\n", w.err.count ? w.err.problem[0].text : "");
    world_fini(&w);
    return is_well;
}

static bool run(struct cause_watch *watch, const char *policy,
                const char *trace)
{
    char topology[200];

    snprintf(topology, sizeof(topology),
             "node_types: {t: {gpus: %u, cpu: %u}}\n"
             "nodes: [{name: 'n[1-3]', type: t}]\n",
             watch->gpus, watch->cpus);
    return run_on(watch, topology, policy, trace);
}

/* 3 nodes of 8: what is free of 5 + 3, 3 and 3 is scattered, then taken by a
 * job of 3 GPUs and another, and scattered again when that ends.
 */
static void test_by_hand(void)
{
    static const char trace[] =
        "jobs:\n"
        "  - {submit: 0, duration: 1000, gpus: 5}\n"
        "  - {submit: 1, duration: 1000, gpus: 5}\n"
        "  - {submit: 2, duration: 1000, gpus: 5}\n"
        "  - {submit: 10, duration: 10, gpus: 4}\n"  /* 9 are free: 3 + 3 + 3 */
        "  - {submit: 20, duration: 300, gpus: 3}\n" /* 6 are */
        "  - {submit: 30, duration: 100, gpus: 3}\n" /* 3 are, until 130 */
        "  - {submit: 40, duration: 50, gpus: 3}\n"; /* none is, until 90 */
    static const int64_t capacity = 130 - 30;
    struct cause_watch w = { .gpus = 8, .cpus = 64 };

    CU_ASSERT_TRUE_FATAL(run(&w, "binpack", trace));
    CU_ASSERT_EQUAL(w.job[3].told[REPORT_CAPACITY], capacity * 1000000);
    CU_ASSERT_EQUAL(w.job[3].told[REPORT_FRAGMENTATION],
                    (1000 - 10 - capacity) * INT64_C(1000000));
}

/* 3 nodes of 4, of which 3 + 3 + 3 are taken, and all from 6 on but one.  The
 * first of two jobs of 2 GPUs and 1 CPU leaves, and the second comes at 10.  At
 * 20 another kind of job takes what it could have had: 1 is free until 26.
 */
static void test_tried_late(void)
{
    static const char trace[] =
        "jobs:\n"
        "  - {submit: 0, duration: 20, gpus: 2}\n"
        "  - {submit: 0, duration: 1000, gpus: 1}\n"
        "  - {submit: 0, duration: 1000, gpus: 3, replicas: 2}\n"
        "  - {submit: 1, duration: 10, gpus: 4, replicas: 3}\n"
        "  - {submit: 2, duration: 3, gpus: 2, cpu: 1, withdraw: true}\n"
        "  - {submit: 3, duration: 100, gpus: 2, cpu: 2}\n"
        "  - {submit: 6, duration: 20, gpus: 1}\n"
        "  - {submit: 6, duration: 20, gpus: 1}\n"
        "  - {submit: 10, duration: 10, gpus: 2, cpu: 1}\n";
    struct cause_watch w = { .gpus = 4, .cpus = 64 };

    CU_ASSERT_TRUE_FATAL(run(&w, "easy", trace));
    CU_ASSERT_TRUE(w.job[8].told[REPORT_CAPACITY] >= (26 - 20) * 1000000);
    CU_ASSERT_TRUE(w.job[8].told[REPORT_FRAGMENTATION]
                   >= (120 - 26) * INT64_C(1000000));
}

/* What is free on the nodes that a job asks for, few of all that there are. */
static void test_labels(void)
{
    static const char topology[] =
        "node_types: {t: {gpus: 2}}\n"
        "nodes:\n"
        "  - {name: n1, type: t, labels: {host: a}}\n"
        "  - {name: n2, type: t, labels: {host: b}}\n"
        "  - {name: n3, type: t, labels: {host: c}}\n"
        "  - {name: n4, type: t, labels: {host: d}}\n"
        "  - {name: n5, type: t, labels: {host: e}}\n";
    static const char trace[] =
        "jobs:\n"
        "  - {submit: 0, duration: 100, gpus: 1, nodes: {host: a}}\n"
        "  - {submit: 0, duration: 100, gpus: 1, nodes: {host: b}}\n"
        "  - {submit: 5, duration: 10, gpus: 2, nodes: {host: d}}\n"
        "  - {submit: 10, duration: 10, gpus: 2,\n" /* 1 + 1 are free */
        "     nodes: [{key: host, op: In, values: [a, b]}]}\n"
        "  - {submit: 11, duration: 10, gpus: 2, nodes: {host: d}}\n"
        "  - {submit: 20, duration: 30, gpus: 1, nodes: {host: b}}\n" /* 1 is */
        "  - {submit: 30, duration: 10, gpus: 2, nodes: {host: c}}\n";
    struct cause_watch w = { .gpus = 2 };

    CU_ASSERT_TRUE_FATAL(run_on(&w, topology, "binpack", trace));
    CU_ASSERT_EQUAL(w.job[3].told[REPORT_CAPACITY], 30 * INT64_C(1000000));
    CU_ASSERT_EQUAL(w.job[3].told[REPORT_FRAGMENTATION],
                    (100 - 10 - 30) * INT64_C(1000000));
    CU_ASSERT_EQUAL(w.job[4].told[REPORT_CAPACITY], 4 * INT64_C(1000000));
}

static void trace_draw(struct cause_watch *w, struct gs_rng *r, char *text,
                       size_t size)
{
    int n = snprintf(text, size, "jobs:\n");

    w->gpus = 2 + (unsigned)gs_rng_below(r, 7);
    w->cpus = 4 + (unsigned)gs_rng_below(r, 13);
    for (unsigned j = 0; j < JOBS; j++) {
        w->job[j].gpus = 1 + (unsigned)gs_rng_below(r, w->gpus);
        w->job[j].cpus = 1 + (unsigned)gs_rng_below(r, w->cpus);
        w->job[j].tasks = 1 + (unsigned)gs_rng_below(r, NODES);
        if (j > 0 && gs_rng_below(r, 2)) /* as one before asks for */
            w->job[j] = w->job[gs_rng_below(r, j)];
        n += snprintf(text + n, size - (size_t)n,
                      "  - {submit: %u, duration: %u, replicas: %u, gpus: %u, "
                      "cpu: %u%s}\n",
                      3 * j, 1 + (unsigned)gs_rng_below(r, 60), w->job[j].tasks,
                      w->job[j].gpus, w->job[j].cpus,
                      gs_rng_below(r, 3) ? "" : ", withdraw: true");
    }
}

/* A third of the jobs leaves the queue by itself, some before they started.
 * Capacity is when less is free in sum, of any dimension, than a job asks for;
 * else it is fragmentation, since no job has rules or a tier.
 */
static void test_random(void)
{
    static const char *const policies[] = { "binpack", "spread",
                                            "priority-preempt" };
    const uint64_t seeds = suite_rounds(200);
    unsigned faults = 0;
    bool both = false;

    for (uint64_t seed = 1; seed <= seeds && faults < 3; seed++) {
        struct cause_watch w = { 0 };
        char trace[4000];
        struct gs_rng r;

        gs_rng_init(&r, seed, "causes");
        trace_draw(&w, &r, trace, sizeof(trace));
        CU_ASSERT_TRUE_FATAL(
            run(&w, policies[seed % N_ELEMENTS(policies)], trace));
        for (unsigned j = 0; j < JOBS; j++) {
            const int64_t told = w.job[j].told[REPORT_CAPACITY];

            both |= w.job[j].capacity && w.job[j].other;
            if (told == w.job[j].capacity
                && w.job[j].told[REPORT_FRAGMENTATION] == w.job[j].other)
                continue;
            printf("seed %llu, job %u: capacity %lld, not %lld us\n%s",
                   (unsigned long long)seed, j, (long long)told,
                   (long long)w.job[j].capacity, trace);
            faults++;
            break;
        }
    }
    CU_ASSERT_EQUAL(faults, 0);
    CU_ASSERT_TRUE(both);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "causes follow GPUs that are taken and freed", test_by_hand },
        { "a job that is tried late has the cause of that time",
          test_tried_late },
        { "causes follow nodes that few jobs ask for", test_labels },
        { "capacity and fragmentation are told apart at random", test_random },
    };

    return suite_run("sim/causes", suite, N_ELEMENTS(suite));
}
