/* tests/sim/test_grace.c - grace times of victims: worked out by hand, and
 * rules that hold on random workloads.
 */
#include "base/array.h"
#include "tests/lib/cases.h"
#include "tests/lib/live_world.h"

#define GRACE INT64_C(7000000)

static const char two[] = "node_types: {g: {gpus: 8, cpu: 64}}\n"
                          "nodes: [{name: 'n[1-2]', type: g}]\n";

#define CLASSES                                             \
    "priority_classes: {low: {value: 0}, high: {value: 5}," \
    " top: {value: 9}}\n"
#define JOB(name, submit, duration, gpus, more)                  \
    "- {name: " name ", submit: " submit ", duration: " duration \
    ", gpus: " gpus more "}\n"
#define LOW ", priority: low"
#define HIGH ", priority: high"

#define X ", queue: x"
#define Y ", queue: y"

#define PREEMPT(more)                            \
    "actions: [allocate, preempt]\nunit: gang\n" \
    "modules: [priority, gang, fit, {preemption: {grace: 30s" more "}}]\n"
#define PODS                                    \
    "actions: [allocate, preempt]\nunit: pod\n" \
    "modules: [priority, fit, {preemption: {grace: 30s}}]\n"
#define EASY                                                            \
    "actions: [allocate, preempt, backfill]\nunit: gang\n"              \
    "modules: [priority, fifo, gang, fit, {preemption: {grace: 30s}}, " \
    "{backfill: {mode: easy}}]\n"
#define CONSERVATIVE                                                    \
    "actions: [allocate, preempt, backfill]\nunit: gang\n"              \
    "modules: [priority, fifo, gang, fit, {preemption: {grace: 30s}}, " \
    "{backfill: {mode: conservative}}]\n"
#define WINDOWED                                                              \
    "actions: [allocate, preempt, backfill]\nunit: gang\n"                    \
    "modules: [priority, fifo, gang, fit, {passes: {interval: 60s}},\n"       \
    "  {preemption: {search: order, grace: 30s}},\n"                          \
    "  {backfill: {mode: windowed, interval: 1s, window: 1d, resolution: 1s}" \
    "}]\n"

#define TRIALS(more)                                        \
    "actions: [allocate, preempt]\nunit: gang\n"            \
    "modules: [priority, gang, fit, binpack, {preemption: " \
    "{search: trials, grace: 30s" more "}}]\n"
#define CONSOLIDATES                                      \
    "actions: [allocate, consolidate]\nunit: gang\n"      \
    "modules: [gang, fit, binpack, {moves: {price: 10h, " \
    "restart: 0s}}, {preemption: {grace: 30s}}]\n"
#define EMPTIES                                                     \
    "actions: [allocate, consolidate]\nunit: gang\n"                \
    "modules: [gang, fit, binpack, {moves: {price: 10h, nodes: 1, " \
    "period: 1s}}, {preemption: {grace: 30s}}]\n"
#define ADMITS                                                     \
    "actions: [admit, allocate]\nunit: gang\nrequeue: submitted\n" \
    "modules: [quota, priority, gang, fit, {preemption: {grace: 30s}}]\n"

#define STARTS(name, start)                              \
    {                                                    \
        name, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 0 \
    }
#define EVICTED(name, start)                             \
    {                                                    \
        name, (start)*S, REPORT_DONE, ANY_CAUSE, NULL, 1 \
    }

#define FULL_IN_X                                                 \
    CLASSES "jobs:\n" JOB("a", "0", "100", "8", ", queue: x" LOW) \
        JOB("b", "0", "100", "8", ", queue: x" LOW)
/* Two nodes are full; p needs one or both of them. */
#define FULL                                         \
    CLASSES "jobs:\n" JOB("a", "0", "100", "8", LOW) \
        JOB("b", "0", "100", "8", LOW)
#define EARLY                                        \
    CLASSES "jobs:\n" JOB("a", "0", "100", "8", LOW) \
        JOB("b", "0", "25", "8", LOW)
#define BOTH(submit, more) \
    JOB("p", submit, "50", "8", ", replicas: 2" HIGH more)

static const struct case_world cases[] = {
    { "victims go on for their grace time, and the job waits",
      two,
      FULL BOTH("10", ""),
      PREEMPT(""),
      { EVICTED("a", 0), EVICTED("b", 0), STARTS("p", 40) } },
    { "a victim that ends before is not evicted",
      two,
      CLASSES "jobs:\n" JOB("a", "0", "100", "8", HIGH)
          JOB("b", "0", "25", "8", LOW) JOB("p", "10", "50", "8", HIGH),
      PREEMPT(""),
      { STARTS("a", 0), STARTS("b", 0), STARTS("p", 25) } },
    { "nobody takes what was freed before",
      two,
      EARLY BOTH("10", "") JOB("q", "12", "20", "4", LOW),
      PREEMPT(""),
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 40), STARTS("q", 90) } },
    { "these wait because of the order",
      two,
      EARLY JOB("p", "10", "5", "8", ", replicas: 2" HIGH)
          JOB("q", "24", "20", "4", LOW),
      PREEMPT(""),
      { EVICTED("a", 0),
        STARTS("b", 0),
        STARTS("p", 40),
        { "q", 45 * S, REPORT_DONE, REPORT_ORDER, NULL, 0 } } },
    { "what the job does not need is free for others",
      two,
      EARLY JOB("p", "10", "50", "6", HIGH ", replicas: 2")
          JOB("q", "12", "20", "2", LOW),
      PREEMPT(""),
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 40), STARTS("q", 25) } },
    { "a more important job takes it",
      two,
      EARLY BOTH("10", "") JOB("q", "12", "20", "8", ", priority: top"),
      PREEMPT(""),
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 45), STARTS("q", 25) } },
    { "the job is withdrawn: others have the room",
      two,
      FULL JOB("p", "10", "10", "8", HIGH ", replicas: 2, withdraw: true")
          JOB("q", "12", "20", "8", LOW),
      PREEMPT(""),
      { EVICTED("a", 0),
        EVICTED("b", 0),
        { "p", NEVER, REPORT_FAILED, ANY_CAUSE, NULL, 0 },
        STARTS("q", 140) } },
    { "of a partition, of a QOS",
      two,
      "partitions: {x: {grace: 10s}}\nqos: {y: {grace: 20s}}\n" CLASSES
      "jobs:\n" JOB("a", "0", "100", "8", LOW ", partition: x")
          JOB("b", "0", "100", "8", LOW ", partition: x, qos: y")
              JOB("p", "10", "50", "8", HIGH) JOB("q", "40", "50", "8", HIGH),
      PREEMPT(""),
      { EVICTED("a", 0), EVICTED("b", 0), STARTS("p", 20), STARTS("q", 60) } },
    { "pods of one job evict at once",
      two,
      FULL BOTH("10", ", gang: 1"),
      PODS,
      { EVICTED("a", 0), EVICTED("b", 0), STARTS("p", 40) } },
    { "a reservation sees the end of the grace time",
      two,
      EARLY BOTH("10", "") JOB("q", "12", "10", "8", LOW),
      EASY,
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 40), STARTS("q", 90) } },
    { "with a plan of all jobs",
      two,
      EARLY BOTH("10", "") JOB("q", "12", "10", "8", LOW),
      CONSERVATIVE,
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 40), STARTS("q", 90) } },
    { "in passes",
      two,
      EARLY BOTH("10", "") JOB("q", "12", "10", "8", LOW),
      WINDOWED,
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 40), STARTS("q", 90) } },
    { "by trials victims go on, and the job waits",
      two,
      FULL BOTH("10", ""),
      TRIALS(""),
      { EVICTED("a", 0), EVICTED("b", 0), STARTS("p", 40) } },
    { "by trials nobody takes what was freed before",
      two,
      EARLY BOTH("10", "") JOB("q", "12", "20", "4", LOW),
      TRIALS(""),
      { EVICTED("a", 0), STARTS("b", 0), STARTS("p", 40), STARTS("q", 90) } },
    { "by trials two that are alike have victims each",
      two,
      FULL JOB("p", "10", "50", "8", HIGH) JOB("q", "10", "50", "8", HIGH),
      TRIALS(""),
      { EVICTED("a", 0), EVICTED("b", 0), STARTS("p", 40), STARTS("q", 40) } },
    /* from 5 s on a and c hold half a node each: c moves beside a for p */
    { "a job that moves goes on, and its new place is kept for it",
      two,
      "jobs:\n" JOB("a", "0", "100", "4", "") JOB("b", "0", "5", "4", "")
          JOB("c", "0", "100", "4", "") JOB("d", "0", "5", "4", "")
              JOB("p", "10", "50", "8", "") JOB("q", "12", "20", "4", ""),
      CONSOLIDATES,
      { STARTS("a", 0), EVICTED("c", 0), STARTS("p", 40), STARTS("q", 90) } },
    { "a node is left empty after the grace time",
      two,
      "jobs:\n" JOB("a", "0", "100", "4", "") JOB("b", "0", "5", "4", "")
          JOB("c", "0", "100", "4", ""),
      EMPTIES,
      { EVICTED("a", 0), STARTS("c", 0) } },
    /* each queue is to have 4 of 8 GPUs: y takes no more back, and at 100 it is
     * the turn of x
     */
    { "queues count what is claimed as held, and what leaves as gone",
      "node_types: {g: {gpus: 8}}\nnodes: [{name: n, type: g}]\n",
      "queues: [{name: x}, {name: y}]\njobs:\n" JOB("a", "0", "100", "2", X)
          JOB("b", "0", "100", "2", X) JOB("c", "1", "100", "2", X)
              JOB("d", "1", "100", "2", X) JOB("p", "10", "100", "2", Y)
                  JOB("q", "10", "100", "2", Y) JOB("r", "10", "9", "2", Y)
                      JOB("s", "10", "9", "2", Y),
      "kai; preemption.grace=30s",
      { STARTS("a", 0), EVICTED("c", 1), STARTS("p", 40), STARTS("r", 140) } },
    { "quota is free at once, nodes after the grace time",
      two,
      "queues: [{name: x, guarantee: {gpu: 16}, evicts_own: lower}]\n" FULL_IN_X
          JOB("p", "10", "50", "8", ", queue: x, replicas: 2" HIGH)
              JOB("q", "12", "20", "4", ", queue: x" LOW),
      ADMITS,
      { EVICTED("a", 0), EVICTED("b", 0), STARTS("p", 40), STARTS("q", 190) } },
    { "a victim that ends before frees its nodes then",
      two,
      "queues: [{name: x, guarantee: {gpu: 16}, evicts_own: lower}]\n" CLASSES
      "jobs:\n" JOB("a", "0", "100", "8", ", queue: x" HIGH)
          JOB("b", "0", "25", "8", ", queue: x" LOW)
              JOB("p", "10", "50", "8", ", queue: x" HIGH),
      ADMITS,
      { STARTS("a", 0), STARTS("b", 0), STARTS("p", 25) } },
    /* of 4 tasks of 20 s two ran to their end: the other two come later */
    { "a victim with completions starts no more tasks",
      two,
      "queues: [{name: x, guarantee: {gpu: 16}, evicts_own: lower}]\n" CLASSES
      "jobs:\n" JOB("a", "0", "20", "8",
                    ", queue: x, replicas: 2, completions: 4" LOW)
          JOB("p", "10", "50", "8", ", queue: x, replicas: 2" HIGH),
      ADMITS,
      { EVICTED("a", 0), STARTS("p", 20) } },
};

static void test_cases(void)
{
    cases_run(cases, N_ELEMENTS(cases));
}

/* --- at random ------------------------------------------------------------ */

#define MODULES(actions, unit, more)                          \
    "actions: [" actions "]\nunit: " unit "\nmodules: [" more \
    ", {preemption: "                                         \
    "{grace: 7s}}]\n"
#define ORDERED(actions, more)                                              \
    "actions: [" actions "]\nunit: gang\nmodules: [" more ", {preemption: " \
    "{grace: 7s, search: order}}]\n"
#define ALL "enqueue, allocate, preempt, reclaim, backfill"

enum { FEW = 1 }; /* evictions are rare */

static const struct live_case at_random[] = {
    { "gangs", MODULES("allocate, preempt", "gang", "priority, gang, binpack"),
      RANDOM_CLASSES, 0 },
    { "elastic jobs",
      MODULES("allocate, preempt", "gang", "priority, gang, binpack"),
      RANDOM_CLASSES | RANDOM_ELASTIC, 0 },
    { "pods", MODULES("allocate, preempt", "pod", "priority, binpack"),
      RANDOM_CLASSES | RANDOM_ELASTIC, 0 },
    { "in one order", ORDERED("allocate, preempt", "priority, gang, binpack"),
      RANDOM_CLASSES, 0 },
    { "reclaim",
      MODULES(
          ALL, "gang",
          "priority, gang, {queue: {mode: capacity}}, constraints, binpack"),
      RANDOM_ALL, 0 },
    { "bundles",
      MODULES("allocate, gang-preempt, gang-reclaim", "gang",
              "priority, gang, {queue: {mode: capacity}}, binpack"),
      RANDOM_ALL, 0 },
    { "easy",
      MODULES("allocate, preempt, backfill", "gang",
              "priority, fifo, gang, binpack, {backfill: {mode: easy}}"),
      RANDOM_CLASSES | RANDOM_ELASTIC | RANDOM_ESTIMATES, 0 },
    { "conservative",
      MODULES(
          "allocate, preempt, backfill", "gang",
          "priority, fifo, gang, binpack, {backfill: {mode: conservative}}"),
      RANDOM_CLASSES | RANDOM_ESTIMATES, 0 },
    { "by trials",
      "actions: [allocate, consolidate, reclaim, preempt]\nunit: gang\n"
      "modules: [{preemption: {search: trials, grace: 7s}}, {moves: {price: "
      "10h}}, priority, gang, {queue: {mode: capacity}}, binpack]\n",
      RANDOM_ALL, 0 },
    { "quota",
      "actions: [admit, allocate]\nunit: gang\nmodules: [quota, priority, "
      "gang, binpack, {preemption: {grace: 7s}}]\n",
      RANDOM_ALL, FEW },
};

struct warned {
    uint32_t job, by;
    int64_t at;
};

struct seen {
    struct warned *list;
    uint32_t count, cap;
    uint64_t warnings, evictions, waits;
};

static bool was_warned(const struct seen *seen, uint32_t job, int64_t at)
{
    for (uint32_t i = seen->count; i-- > 0;) {
        if (seen->list[i].job == job && seen->list[i].at == at)
            return true;
    }
    return false;
}

/* Victims are warned, and go when their time is over, not before, not later. */
static void grace_decided(struct live_world *l, const struct gsched_decision *d)
{
    struct seen *seen = l->kept;

    if (d->kind == GSCHED_WARN) {
        LIVE_FAULT(l, d->leaves_at != l->now + GRACE);
        LIVE_FAULT(l, live_placed(l, d->job) == 0 || d->by == UINT32_MAX);
        seen->list = gs_array_grow(seen->list, &seen->cap, seen->count + 1,
                                   sizeof(*seen->list));
        seen->list[seen->count++] = (struct warned){ d->job, d->by,
                                                     d->leaves_at };
        seen->warnings++;
    } else if ((d->kind == GSCHED_RETURN || d->kind == GSCHED_SHRINK)
               && d->reason != GSCHED_TIMEOUT) {
        LIVE_FAULT(l, !was_warned(seen, d->job, l->now));
        seen->evictions++;
    }
}

/* The job for which victims went starts with that, but for a few: more
 * important jobs took the room, or their quotas were used up.
 */
static void grace_cycled(struct live_world *l)
{
    struct seen *seen = l->kept;

    for (uint32_t i = 0; i < seen->count; i++)
        seen->waits += seen->list[i].at == l->now
                       && live_waits(l, seen->list[i].by)
                       && live_placed(l, seen->list[i].by) == 0;
}

static void grace_open(struct live_world *l)
{
    struct seen *seen = l->kept;

    seen->count = 0;
    l->decided = grace_decided;
    l->cycled = grace_cycled;
}

static void test_random(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(at_random); i++) {
        struct seen seen = { .count = 0 };
        const int faulty = live_rounds(&at_random[i], seeds, &seen, grace_open);

        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty
                  || seen.evictions
                         >= seeds / (at_random[i].kind == FEW ? 60 : 10));
        CU_ASSERT(seen.warnings >= seen.evictions);
        CU_ASSERT(seen.waits * 3 <= seen.warnings);
        gs_array_free(seen.list);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "victims leave after their grace time", test_cases },
        { "victims at random are warned, and go in time", test_random },
    };

    return suite_run("sim/grace", suite, N_ELEMENTS(suite));
}
