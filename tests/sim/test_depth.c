/* tests/sim/test_depth.c - the depth of reservations: with one reservation the
 * plan, which searches availability profiles, starts the same jobs at the same
 * times as EASY, which keeps the cluster at the shadow time instead.
 */
#include "policies/state/module_calls.h"
#include "tests/lib/live_world.h"

#define CONSERVATIVE(plan)            \
    "actions: [allocate, backfill]\n" \
    "modules: [gang, {backfill: {mode: conservative, plan: " plan "}}]\n"

/* The depth that is set, 0: the profile's; a sum of all starts. */
struct starts {
    uint32_t depth;
    uint64_t sum;
};

static void depth_set(struct live_world *l)
{
    const struct starts *t = l->kept;

    if (t->depth)
        l->sched->modules->depth = t->depth;
}

static void start_note(struct live_world *l, const struct gsched_decision *d)
{
    struct starts *t = l->kept;

    t->sum += d->grant.tasks * ((uint64_t)l->now + 1) * (d->job + 1)
              * (d->job + 1);
}

static void starts_open(struct live_world *l)
{
    l->opened = depth_set;
    l->decided = start_note;
}

/* Starts of the workload that `seed` draws, in which all tasks are alike. */
static uint64_t starts_of(const char *profile, uint32_t depth, uint64_t seed)
{
    const struct live_case c = {
        profile, profile, RANDOM_ESTIMATES | RANDOM_ONE_KIND | RANDOM_EQUAL, 0
    };
    struct starts t = { .depth = depth };
    struct live_world l = { .kept = &t };

    CU_ASSERT_EQUAL(live_faults(&c, seed, &l, starts_open), 0);
    return t.sum;
}

static void check_same(const char *a, const char *b, uint32_t depth)
{
    const uint64_t seeds = suite_rounds(WORKLOADS);
    uint64_t equal = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++)
        equal += starts_of(a, 0, seed) == starts_of(b, depth, seed);
    CU_ASSERT_EQUAL(equal, seeds);
}

static void test_one(void)
{
    check_same("easy", CONSERVATIVE("keep"), 1);
    check_same("easy", CONSERVATIVE("replan"), 1);
}

static void test_all(void)
{
    check_same("conservative", CONSERVATIVE("keep"), 1000);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a plan of depth 1 starts jobs when EASY does", test_one },
        { "a plan as deep as the queue is conservative", test_all },
    };

    return suite_run("sim/depth", suite, N_ELEMENTS(suite));
}
