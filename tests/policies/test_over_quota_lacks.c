/* tests/policies/test_over_quota_lacks.c - queues that lack a unit
 * (over_quota_lacks()) before and after they ask for more or less do not change
 * the shares of their siblings: random siblings, in whole units and in tenths.
 */
#include "base/rng.h"
#include "policies/modules/over_quota.h"
#include "tests/lib/suite.h"

#define QUEUES 6u

static struct over_quota_queue queue[QUEUES];
static uint32_t at[QUEUES], heap[QUEUES];
static double scale;

static double number(struct gs_rng *r, uint32_t most)
{
    return (double)gs_rng_below(r, most + 1) * scale;
}

/* By priority, as over_quota_divide() wants them. */
static void queues_draw(struct gs_rng *r)
{
    int32_t priority = 9;

    memset(queue, 0, sizeof(queue));
    for (uint32_t q = 0; q < QUEUES; q++) {
        priority -= gs_rng_below(r, 4) == 0;
        at[q] = q;
        queue[q].priority = priority;
        queue[q].of[0] = (struct over_quota){
            .deserved = gs_rng_below(r, 5) ? number(r, 4) : OVER_QUOTA_ALL,
            .limit = gs_rng_below(r, 3) ? OVER_QUOTA_ALL : number(r, 20),
            .weight = (double)gs_rng_below(r, 4),
            .history = number(r, 1) / 10,
            .asked = number(r, 30),
        };
    }
}

static void divide(double amount, double k)
{
    const struct over_quota_siblings s = { queue, at, QUEUES, heap };

    (void)over_quota_divide(&s, 0, amount, k);
}

/* Let some that lack a unit ask for another amount with which they do. */
static uint32_t ask_otherwise(struct gs_rng *r)
{
    uint32_t changed = 0;

    for (uint32_t q = 0; q < QUEUES; q++) {
        struct over_quota *of = &queue[q].of[0];
        const double asked = of->asked;

        if (!over_quota_lacks(of) || gs_rng_below(r, 3) == 0)
            continue;
        of->asked = number(r, 60);
        if (over_quota_lacks(of))
            changed += of->asked < asked || of->asked > asked;
        else
            of->asked = asked;
    }
    return changed;
}

static void shares_test(void)
{
    struct gs_rng r;
    uint32_t changed = 0;

    gs_rng_init(&r, 1, "over-quota lacks");
    for (uint32_t n = 0; n < 20000; n++) {
        double amount, k, before[QUEUES];

        scale = gs_rng_below(&r, 2) ? 1 : 0.1;
        queues_draw(&r);
        amount = number(&r, 60);
        k = (double)gs_rng_below(&r, 3);
        divide(amount, k);
        for (uint32_t q = 0; q < QUEUES; q++)
            before[q] = queue[q].of[0].fair;
        changed += ask_otherwise(&r);
        divide(amount, k);
        for (uint32_t q = 0; q < QUEUES; q++)
            CU_ASSERT_TRUE(before[q] == queue[q].of[0].fair);
    }
    CU_ASSERT_TRUE(changed > 10000); /* else it shows nothing */
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "shares stay while those that ask otherwise lack a unit",
          shares_test },
    };

    return suite_run("policies/over_quota_lacks", cases, N_ELEMENTS(cases));
}
