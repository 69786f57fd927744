/* tests/sim/test_deadlock.c - what is a deadlock, and what is none, since help
 * is known to come.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "tests/sim/world.h"
#include "tests/suite.h"

#define TOPOLOGY                   \
    "node_types: {t: {gpus: 6}}\n" \
    "nodes: [{name: 'n[1-3]', type: t}]\n"
#define GANGS(more)                                                              \
    "jobs:\n"                                                                    \
    "  - {submit: 0, duration: 1h, replicas: 4, gpus: 2, task_interval: 1s"      \
    "}\n"                                                                        \
    "  - {submit: 0, duration: 1h, replicas: 4, gpus: 2, task_interval: 1s" more \
    "}\n"

static const struct {
    const char *what, *trace, *world;
    uint32_t episodes;
} cases[] = {
    { "two gangs that fit in no order", GANGS(""),
      "- {at: 0, node: n3, what: fail}", 1 },
    { "a node that is repaired", GANGS(""),
      "- {at: 0, node: n3, what: fail, for: 1000s}", 0 },
    { "a node that is repaired, as is said apart", GANGS(""),
      "- {at: 0, node: n3, what: fail}\n"
      "  - {at: 1000, node: n3, what: repair}",
      0 },
    { "a node that is drained for a while", GANGS(""),
      "- {at: 0, node: n3, what: drain, for: 1000s}", 0 },
    { "a node that comes", GANGS(""), "- {at: 1000, node: n3, what: add}", 0 },
    { "a node that goes and comes back", GANGS(""),
      "- {at: 0, node: n3, what: remove, for: 1000s}", 0 },
    { "a node that goes", GANGS(""), "- {at: 0, node: n3, what: remove}", 1 },
    { "an outage with an end within one without", GANGS(""),
      "- {at: 0, node: n3, what: fail, for: 1000s}\n"
      "  - {at: 2, node: n3, what: drain}",
      1 },
    { "GPUs that are mended", GANGS(""),
      "- {at: 0, node: n3, what: fail, gpu: 0, for: 1000s}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 1, for: 1000s}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 2}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 3}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 5}\n"
      "  - {at: 1000, node: n3, what: repair, gpu: 5}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 4, for: 1000s}",
      0 },
    { "GPUs that are mended with their node", GANGS(""),
      "- {at: 0, node: n3, what: fail, gpu: 0}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 1}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 2}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 3}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 4}\n"
      "  - {at: 1000, node: n3, what: repair}",
      0 },
    { "GPUs that are out for good", GANGS(""),
      "- {at: 0, node: n3, what: fail, gpu: 0}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 1}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 2}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 3}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 4, for: 1000s}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 5, for: 1000s}",
      0 },
    { "five GPUs that are out for good", GANGS(""),
      "- {at: 0, node: n3, what: fail, gpu: 0}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 1}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 2}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 3}\n"
      "  - {at: 0, node: n3, what: fail, gpu: 4}",
      1 },
    { "a node that the autoscaler brings", GANGS(""),
      "[]\nautoscale: [{type: t, min: 2, max: 3, delay: 5m}]", 0 },
    { "an autoscaler that has brought all it may", GANGS(""),
      "[]\nautoscale: [{type: t, min: 1, max: 2, delay: 5m}]", 1 },
    { "a gang that is withdrawn", GANGS(", withdraw: true"),
      "- {at: 0, node: n3, what: fail}", 0 },
    { "a gang that any of its tasks completes",
      "jobs:\n"
      "  - {submit: 0, duration: forever, replicas: 2, gpus: 6}\n"
      "  - {submit: 1, duration: 1h, gpus: 3}\n"
      "  - {submit: 1, duration: 1h, gang: 2, tasks: [{gpus: 6},"
      " {replicas: 2, gpus: 3}]}\n",
      "[]", 0 },
};

static void test_cases(void)
{
    const struct trace_options o = { 0 };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char outages[500];
        struct world w;
        bool is_right;

        snprintf(outages, sizeof(outages), "events:%s%s\n",
                 cases[i].world[0] == '[' ? " " : "\n  ", cases[i].world);
        world_init(&w);
        is_right = world_load(&w, TOPOLOGY, cases[i].trace, &o) == 0
                   && world_outages(&w, outages) == 0
                   && world_run(&w, "kube-default", NULL, NULL) == 0
                   && w.log->episode_count == cases[i].episodes;
        if (!is_right)
            printf("%s: %u episodes, %s\n", cases[i].what,
                   w.log ? w.log->episode_count : 0,
                   w.err.count ? w.err.problem[0].text : "");
        CU_ASSERT_TRUE(is_right);
        world_fini(&w);
    }
}

/* --- all futures of small worlds ---------------------------------------------- */

#define NODES 3u
#define JOBS 5u

struct future {
    struct report_observer observer;
    unsigned capacity, tasks[JOBS], gpus[JOBS]; /* of a node; of a job */
    bool serves[JOBS];
    unsigned on[JOBS][NODES];                   /* tasks there now */
    unsigned told, instants, deadlocks, faults; /* told: jobs, as bits */
};

static void on_span(struct future *f, const struct report_span *s, int by)
{
    f->on[s->job][s->node] += (unsigned)by * s->tasks;
}

static void on_placed(void *self, int64_t now, const struct report_span *s)
{
    (void)now;
    on_span(self, s, 1);
}

static void on_released(void *self, int64_t now, const struct report_span *s)
{
    (void)now;
    on_span(self, s, -1);
}

static void on_deadlocked(void *self, int64_t now, const uint32_t *job,
                          uint32_t count)
{
    struct future *f = self;

    (void)now;
    f->told = 0;
    for (uint32_t i = 0; i < count; i++)
        f->told |= 1u << job[i];
}

static void on_over(void *self, int64_t now)
{
    (void)now;
    ((struct future *)self)->told = 0;
}

static unsigned placed_of(const struct future *f, unsigned job)
{
    unsigned n = 0;

    for (unsigned k = 0; k < NODES; k++)
        n += f->on[job][k];
    return n;
}

/* Can the job complete in some future, `gone` (bits) having given back?  All
 * orders are played in which others complete before it.
 */
static bool may_complete(const struct future *f, unsigned job, unsigned gone)
{
    for (unsigned j = 0; j < JOBS; j++) {
        const unsigned placed = placed_of(f, j);
        unsigned room = 0;

        if ((gone >> j & 1) || placed == 0 || placed == f->tasks[j])
            continue;
        for (unsigned k = 0; k < NODES; k++) {
            unsigned used = 0;

            for (unsigned i = 0; i < JOBS; i++)
                used += gone >> i & 1 ? 0 : f->on[i][k] * f->gpus[i];
            room += (f->capacity - used) / f->gpus[j];
        }
        if (room < f->tasks[j] - placed)
            continue;
        if (j == job || (!f->serves[j] && may_complete(f, job, gone | 1u << j)))
            return true;
    }
    return false;
}

static void on_instant(void *self, int64_t now, const struct report_instant *i)
{
    struct future *f = self;
    unsigned ends = 0, stuck = 0;

    (void)now;
    (void)i;
    for (unsigned j = 0; j < JOBS; j++)
        ends |= (unsigned)(placed_of(f, j) == f->tasks[j] && !f->serves[j])
                << j;
    for (unsigned j = 0; j < JOBS; j++) {
        const unsigned placed = placed_of(f, j);
        bool has_room = false;

        for (unsigned k = 0; k < NODES; k++) {
            unsigned used = 0;

            for (unsigned n = 0; n < JOBS; n++)
                used += f->on[n][k] * f->gpus[n];
            has_room |= f->capacity - used >= f->gpus[j];
        }
        if (placed && placed < f->tasks[j] && !has_room
            && !may_complete(f, j, ends))
            stuck |= 1u << j;
    }
    f->instants++;
    f->deadlocks += stuck != 0;
    f->faults += stuck != f->told;
}

static unsigned future_faults(uint64_t seed, unsigned *deadlocks)
{
    const struct trace_options o = { 0 };
    struct future f = { .observer = { .placed = on_placed,
                                      .released = on_released,
                                      .deadlocked = on_deadlocked,
                                      .deadlock_over = on_over,
                                      .instant = on_instant } };
    char topology[200], trace[1000];
    struct gs_rng r;
    struct world w;
    int n;

    gs_rng_init(&r, seed, "futures");
    f.observer.self = &f;
    f.capacity = 2 + (unsigned)gs_rng_below(&r, 4);
    snprintf(topology, sizeof(topology),
             "node_types: {t: {gpus: %u}}\n"
             "nodes: [{name: 'n[1-3]', type: t}]\n",
             f.capacity);
    n = snprintf(trace, sizeof(trace), "jobs:\n");
    for (unsigned j = 0; j < JOBS; j++) {
        const unsigned at = j; /* so that their order is theirs here */

        f.tasks[j] = 1 + (unsigned)gs_rng_below(&r, 5);
        f.gpus[j] = 1 + (unsigned)gs_rng_below(&r, 2);
        f.serves[j] = gs_rng_below(&r, 6) == 0;
        n += snprintf(trace + n, sizeof(trace) - (size_t)n,
                      "  - {submit: %u, duration: %s, replicas: %u, gpus: %u, "
                      "task_interval: 2s}\n",
                      at, f.serves[j] ? "forever" : "20", f.tasks[j],
                      f.gpus[j]);
    }
    world_init(&w);
    if (world_load(&w, topology, trace, &o) < 0
        || world_run(&w, "kube-default", NULL, &f.observer) < 0)
        f.faults++;
    if (f.faults)
        printf("seed %llu: %u of %u instants\n%s%s", (unsigned long long)seed,
               f.faults, f.instants, topology, trace);
    *deadlocks += f.deadlocks > 0;
    world_fini(&w);
    return f.faults;
}

static void test_futures(void)
{
    const char *asked = getenv("SEEDS");
    const uint64_t seeds = asked ? strtoull(asked, NULL, 10) : 500;
    unsigned faulty = 0, deadlocks = 0;

    for (uint64_t seed = 1; seed <= seeds && faulty < 3; seed++)
        faulty += future_faults(seed, &deadlocks) > 0;
    CU_ASSERT_EQUAL(faulty, 0);
    CU_ASSERT_TRUE(deadlocks > seeds / 50);
    if (asked)
        printf("%u worlds of %llu had deadlocks\n", deadlocks,
               (unsigned long long)seeds);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "help that is known to come", test_cases },
        { "all futures of small worlds", test_futures },
    };

    return suite_run("sim/deadlock", suite, N_ELEMENTS(suite));
}
