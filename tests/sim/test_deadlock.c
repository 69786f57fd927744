/* tests/sim/test_deadlock.c - what is a deadlock, and what is none, since help
 * is known to come.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

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
    { "fewer nodes come than are parked",
      "jobs:\n"
      "  - {submit: 0, duration: 1h, replicas: 6, gpus: 3, task_interval: 1s}\n"
      "  - {submit: 0, duration: 1h, replicas: 6, gpus: 3, task_interval: 1s}\n",
      "[]\nautoscale: [{type: t, min: 1, max: 2, delay: 5m}]", 1 },
    { "one that is out for good is not brought, another is", GANGS(""),
      "- {at: 0, node: n2, what: fail}\n"
      "autoscale: [{type: t, min: 1, max: 3, delay: 1m}]",
      1 },
    { "the node that may come comes once it is repaired", GANGS(""),
      "- {at: 0, node: n3, what: fail, for: 1000s}\n"
      "autoscale: [{type: t, min: 2, max: 3, delay: 1m}]",
      0 },
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

/* --- all futures of small worlds ------------------------------------------ */

#define NODES 3u
#define JOBS 5u
#define OUTAGES 6u
#define NEVER INT64_MAX

enum outage_kind { FAIL, DRAIN, REMOVE, GPU };

/* It begins at `at` and ends at `end`, by itself or by a repair. */
struct outage {
    enum outage_kind kind;
    unsigned node, gpu;
    int64_t at, end; /* us */
};

struct future {
    struct report_observer observer;
    unsigned capacity, tasks[JOBS], gpus[JOBS]; /* of a node; of a job */
    bool serves[JOBS];
    struct outage outage[OUTAGES];
    unsigned outages, nodes_most; /* of the autoscaler, or NODES */
    bool is_parked[NODES];
    int64_t now;
    unsigned on[JOBS][NODES];                   /* tasks there now */
    unsigned told, instants, deadlocks, faults; /* told: jobs, as bits */
};

static void on_span(struct future *f, const struct report_allocation *s, int by)
{
    f->on[s->job][s->node] += (unsigned)by * s->tasks;
}

static void on_placed(void *self, int64_t now,
                      const struct report_allocation *s)
{
    (void)now;
    on_span(self, s, 1);
}

static void on_released(void *self, int64_t now,
                        const struct report_allocation *s)
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

static void on_node(void *self, int64_t now, const struct report_node *n)
{
    (void)now;
    if (n->is_scaled || now == 0)
        ((struct future *)self)->is_parked[n->node] = n->state
                                                      == REPORT_NODE_ABSENT;
}

/* GPUs of the node that tasks could be placed on, now or, `then`, when all that
 * is known to end has ended: what is used aside.
 */
static unsigned capacity_of(const struct future *f, unsigned node, bool then)
{
    uint64_t broken = 0;
    unsigned open = 0, rank = 0; /* among those that are parked */

    for (unsigned k = 0; k < NODES; k++) {
        open += !f->is_parked[k];
        rank += f->is_parked[k] && k < node;
    }
    if (f->is_parked[node] && !(then && open + rank < f->nodes_most))
        return 0;
    for (unsigned i = 0; i < f->outages; i++) {
        const struct outage *o = &f->outage[i];

        if (o->node != node || f->now < o->at || f->now >= o->end
            || (then && o->end != NEVER))
            continue;
        if (o->kind != GPU)
            return 0;
        broken |= UINT64_C(1) << o->gpu;
    }
    return f->capacity - (unsigned)__builtin_popcountll(broken);
}

/* Tasks of so many GPUs for which the node has room, the jobs of `gone` (bits)
 * having given back.
 */
static unsigned room_on(const struct future *f, unsigned node, unsigned gpus,
                        unsigned gone, bool then)
{
    const unsigned capacity = capacity_of(f, node, then);
    unsigned used = 0;

    for (unsigned i = 0; i < JOBS; i++)
        used += gone >> i & 1 ? 0 : f->on[i][node] * f->gpus[i];
    return capacity > used ? (capacity - used) / gpus : 0;
}

static unsigned room_for(const struct future *f, unsigned gpus, unsigned gone,
                         bool then)
{
    unsigned room = 0;

    for (unsigned k = 0; k < NODES; k++)
        room += room_on(f, k, gpus, gone, then);
    return room;
}

/* Can the job complete in some future, `gone` (bits) having given back?  All
 * orders are played in which others complete before it.  A timeout is in none:
 * it takes from a job what it holds.
 */
static bool may_complete(const struct future *f, unsigned job, unsigned gone)
{
    for (unsigned j = 0; j < JOBS; j++) {
        const unsigned placed = placed_of(f, j);

        if ((gone >> j & 1) || placed == 0 || placed == f->tasks[j]
            || room_for(f, f->gpus[j], gone, true) < f->tasks[j] - placed)
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

    (void)i;
    f->now = now;
    for (unsigned j = 0; j < JOBS; j++)
        ends |= (unsigned)(placed_of(f, j) == f->tasks[j] && !f->serves[j])
                << j;
    for (unsigned j = 0; j < JOBS; j++) {
        const unsigned placed = placed_of(f, j);

        if (placed && placed < f->tasks[j]
            && room_for(f, f->gpus[j], 0, false) == 0
            && !may_complete(f, j, ends))
            stuck |= 1u << j;
    }
    f->instants++;
    f->deadlocks += stuck != 0;
    f->faults += stuck != f->told;
}

/* Outages, one after another or one in another, of which some end by
 * themselves, some by a repair of all of the node, some never.
 */
static void outages_draw(struct future *f, struct gs_rng *r, char *text,
                         size_t size)
{
    static const char *const what[] = { "fail", "drain", "remove", "fail" };
    int n = snprintf(text, size, "events:\n");

    f->outages = 1 + (unsigned)gs_rng_below(r, OUTAGES);
    for (unsigned i = 0; i < f->outages; i++) {
        struct outage *o = &f->outage[i];
        const unsigned at = (unsigned)gs_rng_below(r, 30);

        *o = (struct outage){ .kind = (enum outage_kind)gs_rng_below(r, 4),
                              .node = (unsigned)gs_rng_below(r, NODES),
                              .gpu = (unsigned)gs_rng_below(r, f->capacity),
                              .at = at * INT64_C(1000000) + 500000 + i,
                              .end = NEVER };
        for (unsigned k = 0; k < i; k++) { /* it goes once */
            if (o->kind == REMOVE && f->outage[k].kind == REMOVE)
                o->kind = DRAIN;
        }
        n += snprintf(text + n, size - (size_t)n,
                      "  - {at: %u.50000%u, node: n%u, what: %s", at, i,
                      o->node + 1, what[o->kind]);
        if (o->kind == GPU)
            n += snprintf(text + n, size - (size_t)n, ", gpu: %u", o->gpu);
        if (gs_rng_below(r, 2)) {
            const unsigned span = 1 + (unsigned)gs_rng_below(r, 60);

            o->end = o->at + span * INT64_C(1000000);
            n += snprintf(text + n, size - (size_t)n, ", for: %u", span);
        }
        n += snprintf(text + n, size - (size_t)n, "}\n");
    }
    for (unsigned node = 0; node < NODES; node++) {
        const unsigned at = (unsigned)gs_rng_below(r, 60);
        const int64_t us = at * INT64_C(1000000) + 700000 + node;

        if (gs_rng_below(r, 3))
            continue;
        n += snprintf(text + n, size - (size_t)n,
                      "  - {at: %u.70000%u, node: n%u, what: repair}\n", at,
                      node, node + 1);
        for (unsigned i = 0; i < f->outages; i++) {
            struct outage *o = &f->outage[i];

            if (o->node == node && o->kind != REMOVE && o->at < us
                && us < o->end)
                o->end = us;
        }
    }
}

static void autoscaler_draw(struct future *f, struct gs_rng *r, char *text,
                            size_t size)
{
    const unsigned least = (unsigned)gs_rng_below(r, NODES);

    f->nodes_most = least + 1 + (unsigned)gs_rng_below(r, NODES - least);
    snprintf(text, size,
             "events: []\nautoscale: [{type: t, min: %u, max: %u, delay: %us,"
             " idle: %us}]\n",
             least, f->nodes_most, 1 + (unsigned)gs_rng_below(r, 20),
             1 + (unsigned)gs_rng_below(r, 30));
}

static void jobs_draw(struct future *f, struct gs_rng *r, char *text,
                      size_t size)
{
    int n = snprintf(text, size, "jobs:\n");

    for (unsigned j = 0; j < JOBS; j++) {
        const unsigned at = j; /* so that their order is theirs here */

        f->tasks[j] = 1 + (unsigned)gs_rng_below(r, 5);
        f->gpus[j] = 1 + (unsigned)gs_rng_below(r, 2);
        f->serves[j] = gs_rng_below(r, 6) == 0;
        n += snprintf(text + n, size - (size_t)n,
                      "  - {submit: %u, duration: %s, replicas: %u, gpus: %u, "
                      "task_interval: 2s}\n",
                      at, f->serves[j] ? "forever" : "20", f->tasks[j],
                      f->gpus[j]);
    }
}

static unsigned future_faults(uint64_t seed, unsigned *deadlocks)
{
    static const char *const timeouts[] = { NULL, NULL, "gang.timeout=5s",
                                            "gang.timeout=20s" };
    const struct trace_options o = { 0 };
    struct future f = { .observer = { .placed = on_placed,
                                      .released = on_released,
                                      .node = on_node,
                                      .deadlocked = on_deadlocked,
                                      .deadlock_over = on_over,
                                      .instant = on_instant },
                        .nodes_most = NODES };
    char topology[200], trace[1000], world[1000] = "";
    const char *timeout;
    struct gs_rng r;
    struct world w;

    gs_rng_init(&r, seed, "futures");
    f.observer.self = &f;
    f.capacity = 2 + (unsigned)gs_rng_below(&r, 4);
    snprintf(topology, sizeof(topology),
             "node_types: {t: {gpus: %u}}\n"
             "nodes: [{name: 'n[1-3]', type: t}]\n",
             f.capacity);
    jobs_draw(&f, &r, trace, sizeof(trace));
    if (seed % 3 == 1)
        outages_draw(&f, &r, world, sizeof(world));
    else if (seed % 3 == 2)
        autoscaler_draw(&f, &r, world, sizeof(world));
    timeout = timeouts[gs_rng_below(&r, N_ELEMENTS(timeouts))];
    world_init(&w);
    if (world_load(&w, topology, trace, &o) < 0
        || (world[0] && world_outages(&w, world) < 0)
        || world_run(&w, "kube-default", timeout, &f.observer) < 0)
        f.faults++;
    if (f.faults)
        printf("seed %llu, %s: %u of %u instants: %s\n%s%s%s",
               (unsigned long long)seed, timeout ? timeout : "no timeout",
               f.faults, f.instants, w.err.count ? w.err.problem[0].text : "",
               topology, trace, world);
    deadlocks[seed % 3] += f.deadlocks > 0;
    world_fini(&w);
    return f.faults;
}

/* A third of the worlds each: nothing happens to nodes; outages; autoscaler. */
static void test_futures(void)
{
    const uint64_t seeds = suite_rounds(1500);
    unsigned faulty = 0, deadlocks[3] = { 0 };

    for (uint64_t seed = 1; seed <= seeds && faulty < 3; seed++)
        faulty += future_faults(seed, deadlocks) > 0;
    CU_ASSERT_EQUAL(faulty, 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_TRUE(deadlocks[i] > seeds / 150);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "help that is known to come ends a deadlock", test_cases },
        { "a deadlock is one in all futures of small scenarios", test_futures },
    };

    return suite_run("sim/deadlock", suite, N_ELEMENTS(suite));
}
