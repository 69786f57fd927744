/* tests/sim/test_gpu_time.c - gpu_time.*: parts worked out by hand, and at
 * random that they are all GPU time.
 */
#include <stdlib.h>

#include "reports/measure/metrics.h"
#include "tests/lib/random_world.h"
#include "tests/lib/suite.h"
#include "tests/lib/world.h"

#define WORLDS 6
#define ENDLESS_ONCE \
    204 /* a world in which a cycle of admissions did not end */
#define SECOND INT64_C(1000000)

enum {
    USEFUL,
    REPEATED,
    STARTING,
    HOARDED,
    FRAGMENTED,
    SHORT,
    QUOTA,
    ORDER,
    IDLE,
    DOWN,
    PARTS
};

static const char *const names[PARTS] = {
    "gpu_time.useful",  "gpu_time.repeated",   "gpu_time.starting",
    "gpu_time.hoarded", "gpu_time.fragmented", "gpu_time.short",
    "gpu_time.quota",   "gpu_time.order",      "gpu_time.idle",
    "gpu_time.down",
};

/* The parts of a run, in GPU us; false when a row lacks. */
static bool parts_of(const struct report_metric *row, uint32_t count,
                     int64_t *part)
{
    int found = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (!row[i].has_gpu_us)
            continue;
        for (int k = 0; k < PARTS; k++) {
            if (strcmp(row[i].name, names[k]) == 0) {
                part[k] = row[i].gpu_us;
                found++;
            }
        }
    }
    return found == PARTS;
}

/* Replay and measure; 0, or -1 when the policy cannot run. */
static int measured(struct world *w, const char *policy,
                    const struct report_window_request *ask, int64_t *part,
                    struct report_window *window)
{
    struct report_metrics *m = report_metrics_create(w->topo, w->work, NULL);
    const struct report_metric *row;
    uint32_t count;
    int rc;

    report_metrics_measure(m, ask);
    rc = world_run(w, policy, NULL, report_metrics_observer(m));
    if (rc == 0) {
        row = report_metrics_rows(m, w->log, 64, w->arena, &count);
        *window = report_window_closed(report_metrics_window(m), w->log->end);
        if (!parts_of(row, count, part))
            part[USEFUL] = -1;
    }
    report_metrics_destroy(m);
    return rc;
}

/* --- by hand -------------------------------------------------------------- */

#define TWO "node_types: {t: {gpus: 8}}\nnodes: [{name: 'n[1-2]', type: t}]\n"
#define MODELS                                                             \
    "node_types: {a: {gpus: 8, model: A100}, v: {gpus: 8, model: V100}}\n" \
    "nodes: [{name: n1, type: a}, {name: n2, type: v}]\n"

static const struct by_hand {
    const char *what, *topology, *policy, *outages, *trace;
    int64_t from, to, until; /* s; `to` and `until` 0: the end */
    int64_t part[PARTS];     /* GPU s */
} cases[] = {
    { "half of the GPUs, and nobody waits",
      TWO,
      "binpack",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n",
      0,
      0,
      0,
      { [USEFUL] = 80, [IDLE] = 80 } },
    { "a window",
      TWO,
      "binpack",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n"
      "  - {submit: 0, duration: 20, gpus: 1}\n",
      5,
      15,
      0,
      { [USEFUL] = 50, [IDLE] = 110 } },
    { "4 are asked for, 2 + 2 are free",
      TWO,
      "binpack",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 6}\n"
      "  - {submit: 0, duration: 10, gpus: 6}\n"
      "  - {submit: 0, duration: 10, gpus: 4}\n",
      0,
      10,
      0,
      { [USEFUL] = 120, [FRAGMENTED] = 40 } },
    { "4 are asked for from 1 s on, 1 + 3 are free",
      TWO,
      "binpack",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 7}\n"
      "  - {submit: 0, duration: 10, gpus: 5}\n"
      "  - {submit: 1, duration: 10, gpus: 4}\n",
      0,
      10,
      0,
      { [USEFUL] = 120, [FRAGMENTED] = 36, [IDLE] = 4 } },
    { "16 are asked for, 8 are free",
      TWO,
      "binpack",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n"
      "  - {submit: 0, duration: 10, replicas: 2, gpus: 8}\n",
      0,
      10,
      0,
      { [USEFUL] = 80, [SHORT] = 80 } },
    { "the same, and one of 3 that may not overtake",
      TWO,
      "fifo",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n"
      "  - {submit: 0, duration: 10, replicas: 2, gpus: 8}\n"
      "  - {submit: 0, duration: 10, gpus: 3}\n",
      0,
      10,
      0,
      { [USEFUL] = 80, [SHORT] = 50, [ORDER] = 30 } },
    { "a limit",
      TWO,
      "volcano",
      NULL,
      "queues: [{name: a, limit: {gpu: 4}}]\n"
      "jobs:\n  - {submit: 0, duration: 10, gpus: 4, queue: a}\n"
      "  - {submit: 0, duration: 10, gpus: 3, queue: a}\n",
      0,
      10,
      0,
      { [USEFUL] = 40, [QUOTA] = 30, [IDLE] = 90 } },
    { "5 of 8 tasks hoard",
      "topology/samples/ten-gpus.yaml",
      "kube-default",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 5}\n"
      "  - {submit: 0, duration: 10, replicas: 8, gpus: 1}\n",
      0,
      10,
      0,
      { [USEFUL] = 50, [HOARDED] = 50 } },
    { "other models are free",
      MODELS,
      "binpack",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8, model: A100}\n"
      "  - {submit: 0, duration: 10, gpus: 8, model: A100}\n",
      0,
      10,
      0,
      { [USEFUL] = 80, [IDLE] = 80 } },
    { "of two models one is asked for, and some of any",
      MODELS,
      "fifo",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8, model: A100}\n"
      "  - {submit: 0, duration: 10, gpus: 8, model: A100}\n"
      "  - {submit: 0, duration: 10, gpus: 6}\n",
      0,
      10,
      0,
      { [USEFUL] = 80, [ORDER] = 60, [IDLE] = 20 } },
    { "a failure without checkpoints, and one node less",
      TWO,
      "binpack",
      "events:\n  - {at: 6, node: n1, what: fail, for: 4}\n",
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n",
      0,
      0,
      0,
      { [USEFUL] = 80, [REPEATED] = 48, [IDLE] = 96, [DOWN] = 32 } },
    { "the same in a window that ends before it",
      TWO,
      "binpack",
      "events:\n  - {at: 6, node: n1, what: fail, for: 4}\n",
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n",
      2,
      5,
      0,
      { [REPEATED] = 24, [IDLE] = 24 } },
    { "a failure with checkpoints",
      TWO,
      "binpack",
      "events:\n  - {at: 6, node: n1, what: fail, for: 4}\n",
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8, checkpoint: 4}\n",
      0,
      0,
      0,
      { [USEFUL] = 80, [REPEATED] = 16, [IDLE] = 64, [DOWN] = 32 } },
    { "tasks that end by themselves, of which two are lost",
      TWO,
      "binpack",
      "events:\n  - {at: 6, node: n1, what: fail, for: 100}\n",
      "jobs:\n  - {submit: 0, duration: 4, gpus: 4, replicas: 2,"
      " completions: 4}\n",
      0,
      0,
      0,
      { [USEFUL] = 64, [REPEATED] = 16, [IDLE] = 48, [DOWN] = 32 } },
    { "a pass is 2 s late",
      TWO,
      "start_latency: 2s\nactions: [allocate]\nmodules: [fifo, gang, fit]\n",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n",
      0,
      0,
      0,
      { [USEFUL] = 80, [ORDER] = 16, [IDLE] = 128 } },
    { "a decision takes 2 s",
      TWO,
      "decision_cost: 2s\nactions: [allocate]\nmodules: [fifo, gang, fit]\n",
      NULL,
      "jobs:\n  - {submit: 0, duration: 10, gpus: 8}\n",
      0,
      0,
      0,
      { [USEFUL] = 80, [STARTING] = 16, [IDLE] = 96 } },
};

static void case_check(const struct by_hand *c)
{
    const struct trace_options o = { 0 };
    const struct report_window_request ask = {
        c->from * SECOND, c->to ? c->to * SECOND : REPORT_WINDOW_OPEN, 0
    };
    int64_t part[PARTS] = { 0 };
    struct report_window window;
    struct world w;

    world_init(&w);
    if (world_load(&w, c->topology, c->trace, &o) < 0
        || (c->outages && world_outages(&w, c->outages) < 0)
        || measured(&w, c->policy, &ask, part, &window) < 0) {
        printf("\n%s: %s\n", c->what, w.err.problem[0].text);
        CU_FAIL("it does not run");
    }
    for (int k = 0; k < PARTS; k++) {
        if (part[k] != c->part[k] * SECOND)
            printf("\n%s: %s is %g GPU s, not %g", c->what, names[k],
                   (double)part[k] / 1e6, (double)c->part[k]);
        CU_ASSERT_EQUAL(part[k], c->part[k] * SECOND);
    }
    world_fini(&w);
}

static void test_by_hand(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++)
        case_check(&cases[i]);
}

/* --- at random ------------------------------------------------------------ */

static struct drawn_text topology, trace, outages;

/* Thousandths of GPUs x us that jobs held in the window, by the log. */
static int64_t held(const struct world *w, const struct report_window *window)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        const struct report_placement *p = &w->log->placement[i];
        const uint32_t at = w->work->job[p->job].first_group + p->group;

        sum +=
            w->work->shape[trace_group_at(w->work, at)->shape].amount[TOPO_GPU]
            * p->tasks
            * report_window_overlap(window, p->start,
                                    p->end < 0 ? w->log->end : p->end);
    }
    return sum;
}

/* True when what evictions lost, of jobs that always hold all their tasks, is
 * repeated as far as it is rounded.
 */
static bool is_repeated(const struct world *w, int64_t gpu_us)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < w->log->eviction_count; i++)
        sum += w->log->eviction[i].what.lost_gpu_us;
    return llabs(sum - gpu_us) <= w->log->eviction_count + 1;
}

/* Parts are 0 or more, add up to all GPU time, and those of jobs to what jobs
 * held.
 */
static bool adds_up(const struct world *w, const int64_t *part,
                    const struct report_window *window)
{
    const int64_t gpu_us = held(w, window) / 1000;
    int64_t all = 0;
    bool is_right = true;

    for (int k = 0; k < PARTS; k++) {
        is_right &= part[k] >= 0;
        all += part[k];
    }
    all -= (int64_t)w->topo->gpu_count * (window->to - window->from);
    is_right &= all == 0;
    /* each part is rounded by less than one GPU microsecond */
    all = part[USEFUL] + part[REPEATED] + part[STARTING] + part[HOARDED];
    return is_right && all - gpu_us <= 1 && gpu_us - all <= 1;
}

static struct report_window_request window_draw(struct gs_rng *r)
{
    struct report_window_request ask = REPORT_WINDOW_WHOLE;

    if (below(r, 2))
        ask.from = below(r, 120) * SECOND;
    if (below(r, 3) == 0)
        ask.to = (1 + below(r, 400)) * SECOND;
    return ask;
}

/* All presets on one world; the runs, or -1 after a fault. */
static int world_check(uint64_t seed)
{
    static const unsigned kinds[] = { RANDOM_ALL, RANDOM_ALL | RANDOM_LEAVES,
                                      RANDOM_QUEUES | RANDOM_CLASSES
                                          | RANDOM_SAVES,
                                      RANDOM_SAVES | RANDOM_ELASTIC,
                                      RANDOM_ALL | RANDOM_MIG };
    const unsigned features = kinds[seed % N_ELEMENTS(kinds)];
    const struct trace_options o = { 0 };
    struct gs_rng r;
    struct world w;
    int runs = 0;

    topology.len = trace.len = outages.len = 0;
    gs_rng_init(&r, seed, "gpu time");
    topology_make(&r, &topology, features);
    trace_make(&r, &trace, features);
    outages_make(&r, &outages);
    world_init(&w);
    if (world_load(&w, topology.at, trace.at, &o) < 0
        || (below(&r, 2) && world_outages(&w, outages.at) < 0))
        runs = -1;
    for (size_t i = 0; runs >= 0 && gsched_preset_at(i); i++) {
        const struct report_window_request ask = window_draw(&r);
        struct report_window window;
        int64_t part[PARTS];

        w.until = below(&r, 4) ? 0 : (50 + below(&r, 300)) * SECOND;
        if (measured(&w, gsched_preset_at(i)->name, &ask, part, &window) < 0)
            continue;
        runs++;
        if ((window.to > window.from && !adds_up(&w, part, &window))
            || ((features & RANDOM_RIGID) && ask.from < 0
                && ask.to == REPORT_WINDOW_OPEN
                && !is_repeated(&w, part[REPEATED]))) {
            printf("\nseed %llu, %s\n", (unsigned long long)seed,
                   gsched_preset_at(i)->name);
            runs = -1;
        }
    }
    world_fini(&w);
    return runs;
}

static void test_at_random(void)
{
    int runs = world_check(ENDLESS_ONCE);

    CU_ASSERT_FATAL(runs >= 0);
    for (uint64_t seed = 1; seed <= suite_rounds(WORLDS); seed++) {
        const int n = world_check(seed);

        CU_ASSERT_FATAL(n >= 0);
        runs += n;
    }
    CU_ASSERT(runs > 10 * WORLDS);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "parts are those worked out by hand", test_by_hand },
        { "parts are all GPU time of random worlds under all presets",
          test_at_random },
    };

    return suite_run("sim/gpu time", suite, N_ELEMENTS(suite));
}
