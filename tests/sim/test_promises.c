/* tests/sim/test_promises.c - reservations are kept, on random workloads
 * whose jobs run no longer than estimated.
 *
 * EASY: the blocked head never starts later than the earliest start that it
 * was promised while it was the head.  A job that goes before it by the
 * profile's order, having come later, voids the promise: it was made for the
 * queue as it was.  Reservations know nothing of rules between jobs, so that a
 * head that has such rules may start later; no workload here has any.
 *
 * Conservative, `keep`: no job starts later than its first reservation, nor
 * is any reservation ever moved back.  With `replan` that is so for the first
 * in the queue only: when a job ends early others before it may take what it
 * was to have, and no more is promised than what the plan says now.
 */
#include "base/rng.h"
#include "tests/lib/live_world.h"
#include "traces/workload/reservations.h"

#define EASY_BY(order)                \
    "actions: [allocate, backfill]\n" \
    "modules: [" order "gang, {backfill: {mode: easy}}]\n"
#define PLAN_BY(order, plan)                                               \
    "actions: [allocate, backfill]\n"                                      \
    "modules: [" order "gang, {backfill: {mode: conservative, plan: " plan \
    "}}]\n"

enum kind { EASY, KEEP, REPLAN };

static const struct live_case cases[] = {
    { "EASY, tasks that are counted", "easy",
      RANDOM_ESTIMATES | RANDOM_ONE_KIND | RANDOM_EQUAL, EASY },
    { "EASY, several shapes", "easy",
      RANDOM_ESTIMATES | RANDOM_ALIKE | RANDOM_EQUAL, EASY },
    { "EASY, several groups", "easy", RANDOM_ESTIMATES | RANDOM_EQUAL, EASY },
    { "EASY by priority", EASY_BY("priority, "), RANDOM_ESTIMATES, EASY },
    { "EASY, fullest nodes first", EASY_BY("binpack, "),
      RANDOM_ESTIMATES | RANDOM_EQUAL, EASY },
    { "EASY, emptiest nodes first", EASY_BY("least-allocated, "),
      RANDOM_ESTIMATES | RANDOM_EQUAL, EASY },
    { "EASY, elastic", "easy", RANDOM_ESTIMATES | RANDOM_ELASTIC, EASY },
    { "EASY, within racks", EASY_BY("topology, binpack, "),
      RANDOM_ESTIMATES | RANDOM_WITHIN, EASY },
    { "conservative", "conservative",
      RANDOM_ESTIMATES | RANDOM_ONE_KIND | RANDOM_EQUAL, KEEP },
    { "conservative by priority", PLAN_BY("priority, ", "keep"),
      RANDOM_ESTIMATES | RANDOM_ONE_KIND, KEEP },
    { "conservative, elastic", "conservative",
      RANDOM_ESTIMATES | RANDOM_ONE_KIND | RANDOM_ELASTIC, KEEP },
    { "conservative, several shapes", "conservative",
      RANDOM_ESTIMATES | RANDOM_WHOLE | RANDOM_ALIKE | RANDOM_EQUAL, KEEP },
    { "conservative, several groups, elastic", "conservative",
      RANDOM_ESTIMATES | RANDOM_WHOLE | RANDOM_EQUAL | RANDOM_ELASTIC, KEEP },
    { "conservative, within racks, fullest nodes first",
      PLAN_BY("topology, binpack, ", "keep"),
      RANDOM_ESTIMATES | RANDOM_WHOLE | RANDOM_WITHIN, KEEP },
    { "replanned, several groups", PLAN_BY("binpack, ", "replan"),
      RANDOM_ESTIMATES | RANDOM_WHOLE | RANDOM_EQUAL, REPLAN },
    { "replanned", PLAN_BY("", "replan"),
      RANDOM_ESTIMATES | RANDOM_ONE_KIND | RANDOM_EQUAL, REPLAN },
    { "replanned by priority", PLAN_BY("priority, ", "replan"),
      RANDOM_ESTIMATES | RANDOM_ONE_KIND, REPLAN },
};

/* The promise to each job. */
struct promises {
    uint32_t head; /* TRACE_NONE */
    bool by_priority;
    int64_t *at; /* [job] LIVE_NEVER: nothing yet */
    bool *is_told;
    uint64_t count; /* promises looked at */
    uint64_t drawn; /* worlds with drains */
};

/* Does `a` go before `b` in the queue? */
static bool goes_before(const struct live_world *l, uint32_t a, uint32_t b)
{
    const struct promises *p = l->kept;
    const int32_t x = live_value(l, a), y = live_value(l, b);

    return p->by_priority && x != y ? x > y : a < b;
}

static void note(struct live_world *l, uint32_t job)
{
    struct promises *p = l->kept;
    const int64_t at = gsched_promised(l->sched, job);

    /* Several groups may fit in no way that is found. */
    if (at == GSCHED_NEVER && !p->is_told[job]
        && l->w->work->job[job].group_count > 1)
        return;
    if (at == GSCHED_NEVER
        && (l->turns || l->w->work->reservations->reservation_count))
        return; /* what it needs may be closed, or kept for others for ever */
    LIVE_FAULT(l, at == GSCHED_NEVER);
    LIVE_FAULT(l, at < l->now);
    LIVE_FAULT(l, p->is_told[job] && at > p->at[job]);
    if (!p->is_told[job] || at < p->at[job])
        p->at[job] = at;
    p->is_told[job] = true;
    p->count++;
}

/* A promise to the head is void when another goes before it. */
static void promise_decided(struct live_world *l,
                            const struct gsched_decision *d)
{
    const struct live_case *c = l->it;
    struct promises *p = l->kept;

    if (d->kind != GSCHED_PLACE || live_since(l, d->job) != LIVE_NEVER)
        return;
    LIVE_FAULT(l, p->is_told[d->job] && l->now > p->at[d->job]);
    if (c->kind != KEEP && p->head != TRACE_NONE
        && goes_before(l, d->job, p->head)) {
        p->is_told[p->head] = false;
        p->head = TRACE_NONE;
    }
}

/* The one with the reservation, or the first in the queue. */
static uint32_t head_of(const struct live_world *l)
{
    const struct live_case *c = l->it;
    uint32_t head = TRACE_NONE;

    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        if (live_waits(l, j)
            && (c->kind == REPLAN
                || gsched_promised(l->sched, j) != GSCHED_NEVER)
            && (head == TRACE_NONE || goes_before(l, j, head)))
            head = j;
    }
    return head;
}

/* Does one that waits go before the job now? */
static bool is_overtaken(const struct live_world *l, uint32_t job)
{
    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        if (live_waits(l, j) && goes_before(l, j, job))
            return true;
    }
    return false;
}

static void head_cycled(struct live_world *l)
{
    struct promises *p = l->kept;
    const uint32_t head = head_of(l);

    if (p->head != TRACE_NONE && p->head != head && live_waits(l, p->head)) {
        LIVE_FAULT(l, !is_overtaken(l, p->head));
        p->is_told[p->head] = false;
    }
    p->head = head;
    if (head != TRACE_NONE)
        note(l, head);
}

static void all_cycled(struct live_world *l)
{
    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        if (live_waits(l, j))
            note(l, j);
    }
}

static void promises_open(struct live_world *l)
{
    const struct live_case *c = l->it;
    struct promises *p = l->kept;
    const uint32_t jobs = l->w->work->job_count;

    p->head = TRACE_NONE;
    p->by_priority = strstr(c->profile, "priority") != NULL;
    p->at = gs_arena_alloc(l->w->arena, jobs, sizeof(*p->at));
    p->is_told = gs_arena_alloc(l->w->arena, jobs, sizeof(*p->is_told));
    l->decided = promise_decided;
    l->cycled = c->kind == KEEP ? all_cycled : head_cycled;
}

/* Promises are void; new ones are made in the next cycle. */
static void promises_void(struct live_world *l)
{
    struct promises *p = l->kept;

    for (uint32_t j = 0; j < l->w->work->job_count; j++)
        p->is_told[j] = false;
    p->head = TRACE_NONE;
}

/* Nodes are drained for a while; some for ever. */
static void drains_open(struct live_world *l)
{
    struct promises *p = l->kept;
    struct gs_rng r;
    int64_t at = 0;

    promises_open(l);
    l->cordoned = promises_void;
    gs_rng_init(&r, ++p->drawn, "drains");
    l->turns = 2 + below(&r, LIVE_TURNS - 1);
    for (uint32_t i = 0; i < l->turns; i++) {
        at += INT64_C(1000000) * below(&r, 60);
        l->turn[i].at = at;
        l->turn[i].node = below(&r, l->w->topo->node_count);
        l->turn[i].opens = below(&r, 2);
    }
}

/* A node that closes voids all promises; those made since are kept.  Plans
 * where nodes matter sum shares of GPUs up, and may slip for that.
 */
static void test_drains(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct live_case c = cases[i];
        struct promises kept = { .count = 0 };
        int faulty;

        c.features |= c.kind == EASY ? 0 : RANDOM_WHOLE;
        faulty = live_rounds(&c, seeds, &kept, drains_open);
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty || kept.count >= seeds);
    }
}

/* Nodes are kept for some jobs at some times, which is known before. */
static void test_booked(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct live_case c = cases[i];
        struct promises kept = { .count = 0 };
        int faulty;

        c.features |= RANDOM_BOOKED | (c.kind == EASY ? 0 : RANDOM_WHOLE);
        faulty = live_rounds(&c, seeds, &kept, promises_open);
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty || kept.count >= seeds);
    }
}

static void test_promises(void)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct promises kept = { .count = 0 };
        int faulty;

        faulty = live_rounds(&cases[i], seeds, &kept, promises_open);
        CU_ASSERT_EQUAL(faulty, 0);
        CU_ASSERT(faulty || kept.count >= seeds); /* it is not idle */
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "no start is later than promised", test_promises },
        { "a drain voids promises, later ones are kept", test_drains },
        { "nodes that are kept for some jobs are known before", test_booked },
    };

    return suite_run("sim/promises", suite, N_ELEMENTS(suite));
}
