/* tests/sim/test_blocked.c - is the first job of some queue kept by
 * fragmentation?  Against all waiting jobs looked at one by one, on random
 * workloads.
 */
#include "tests/lib/live_world.h"

enum kind { BY_TIME = 0, BY_PRIORITY = 1, BY_QUEUE = 2 };

static const struct live_case cases[] = {
    { "by time", "gang", 0, BY_TIME },
    { "by time, the head blocks",
      "actions: [allocate]\nhead: block\nmodules: [gang]\n", 0, BY_TIME },
    { "by time, several groups, rules", "gang,constraints", RANDOM_RULES,
      BY_TIME },
    { "by priority", "priority,gang,binpack", 0, BY_PRIORITY },
    { "by priority, the head blocks",
      "actions: [allocate]\nhead: block\nmodules: [priority, gang, least-allocated]\n",
      0, BY_PRIORITY },
    { "by queue",
      "actions: [allocate]\nmodules: [gang, {queue: {mode: proportion}}]\n",
      RANDOM_QUEUES, BY_QUEUE },
    { "by queue and priority",
      "actions: [allocate]\nmodules: [priority, gang, {queue: {mode: proportion}}]\n",
      RANDOM_QUEUES, BY_QUEUE | BY_PRIORITY },
    { "conservative", "conservative", RANDOM_ESTIMATES, BY_TIME },
    { "EASY", "easy", RANDOM_ESTIMATES, BY_TIME },
};

struct seen {
    uint64_t blocked, not_blocked; /* while some wait */
};

static bool goes_before(const struct live_world *l, uint32_t a, uint32_t b)
{
    const struct live_case *c = l->it;
    const int32_t x = live_value(l, a), y = live_value(l, b);

    return (c->kind & BY_PRIORITY) && x != y ? x > y : a < b;
}

static void cycled(struct live_world *l)
{
    const struct live_case *c = l->it;
    const struct trace_workload *w = l->w->work;
    const uint32_t queues = c->kind & BY_QUEUE ? w->queue_count : 1;
    struct seen *seen = l->kept;
    bool blocked = false, waits = false;

    for (uint32_t q = 0; q < queues; q++) {
        uint32_t first = TRACE_NONE;

        for (uint32_t j = 0; j < w->job_count; j++) {
            if (live_waits(l, j) && (queues == 1 || live_spec(l, j)->queue == q)
                && (first == TRACE_NONE || goes_before(l, j, first)))
                first = j;
        }
        waits |= first != TRACE_NONE;
        blocked |= first != TRACE_NONE
                   && gsched_wait_cause(l->sched, first)
                          == GSCHED_FRAGMENTATION;
    }
    LIVE_FAULT(l, gsched_is_blocked(l->sched) != blocked);
    seen->blocked += blocked;
    seen->not_blocked += waits && !blocked;
}

static void open(struct live_world *l)
{
    l->cycled = cycled;
}

static void test_blocked(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct seen seen = { 0 };
        int faulty;

        faulty = live_rounds(&cases[i], seeds, &seen, open);
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(
            faulty
            || (seen.blocked > seeds / 3 && seen.not_blocked > seeds / 3));
    }
}

/* --- by hand -------------------------------------------------------------- */

/* a1 and a2 ask for the same, so that a2 stands first in their bin when a1
 * goes; but b, for which too little is free, is first in the queue then.
 */
static const char nodes[] = "node_types: {g: {gpus: 8}}\n"
                            "nodes: [{name: 'n[1-3]', type: g}]\n";
static const char jobs[] =
    "jobs:\n"
    "- {name: s1, submit: 0, duration: 100, gpus: 4}\n"
    "- {name: s2, submit: 0, duration: 1000, gpus: 4}\n"
    "- {name: s3, submit: 0, duration: 1000, gpus: 4}\n"
    "- {name: a1, submit: 10, duration: 5000, gpus: 8}\n"
    "- {name: b, submit: 20, duration: 10, replicas: 2, gang: 2, gpus: 8}\n"
    "- {name: a2, submit: 30, duration: 10, gpus: 8}\n";

struct told {
    uint32_t count;
    bool is_blocked[16]; /* after each cycle */
};

static void note(struct live_world *l)
{
    struct told *t = l->kept;

    if (t->count < N_ELEMENTS(t->is_blocked))
        t->is_blocked[t->count++] = gsched_is_blocked(l->sched);
}

static void test_by_hand(void)
{
    /* at 0, 10, 20, 30, 100, 1000, 1010, 1020, 5100 */
    static const bool expected[] = { false, true,  true,  true, false,
                                     false, false, false, false };
    const struct trace_options o = { 0 };
    struct told told = { 0 };
    struct live_world l = { .kept = &told, .cycled = note };
    struct world w;

    world_init(&w);
    CU_ASSERT_EQUAL_FATAL(world_load(&w, nodes, jobs, &o), 0);
    l.w = &w;
    live_run(&l, "spread");
    CU_ASSERT_EQUAL(l.faults, 0);
    CU_ASSERT_EQUAL(told.count, N_ELEMENTS(expected));
    for (size_t i = 0; i < N_ELEMENTS(expected); i++)
        CU_ASSERT_EQUAL(told.is_blocked[i], expected[i]);
    world_fini(&w);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a job is blocked when one before it takes its place", test_blocked },
        { "blocked jobs are those worked out by hand", test_by_hand },
    };

    return suite_run("sim/blocked", suite, N_ELEMENTS(suite));
}
