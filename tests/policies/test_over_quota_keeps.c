/* tests/policies/test_over_quota_keeps.c - a victim that its queue must keep
 * whatever goes with it (over_quota_keeps()) is in no set that may be
 * reclaimed, and no such set takes more from a queue than that yields
 * (over_quota_yields()): random trees of queues, holdings and claims, in whole
 * units and in tenths, against all sets.
 */
#include "base/rng.h"
#include "policies/modules/over_quota_reclaim.h"
#include "tests/lib/suite.h"

#define DIMS 2u
#define QUEUES 7u /* 0 and 1 on top, below each two or three */
#define GROUPS 5u

static struct over_quota_queue queue[QUEUES];
static struct over_quota_mark mark[QUEUES];
static uint32_t marked[QUEUES], from[GROUPS], next_of[GROUPS];
static double asked[DIMS], amount[GROUPS][DIMS];
static bool is_whole;

static double number(struct gs_rng *r, uint32_t most)
{
    const double n = (double)gs_rng_below(r, most + 1);

    return is_whole ? n : n / 10;
}

static void queues_draw(struct gs_rng *r)
{
    memset(queue, 0, sizeof(queue));
    for (uint32_t q = 0; q < QUEUES; q++) {
        queue[q].parent = q < 2 ? OVER_QUOTA_NONE : q % 2;
        for (uint32_t d = 0; d < DIMS; d++)
            queue[q].of[d] = (struct over_quota){
                .deserved = gs_rng_below(r, 4) ? number(r, 2) : OVER_QUOTA_ALL,
                .limit = OVER_QUOTA_ALL,
                .fair = number(r, 8),
                .used = q < 2 ? 0 : number(r, 9),
            };
    }
    for (uint32_t q = 2; q < QUEUES; q++) {
        for (uint32_t d = 0; d < DIMS; d++)
            queue[q % 2].of[d].used += queue[q].of[d].used;
    }
}

/* Victims of queues below the top ones, other than the one that asks. */
static void victims_draw(struct gs_rng *r, uint32_t by)
{
    for (uint32_t i = 0; i < GROUPS; i++) {
        do {
            from[i] = 2 + (uint32_t)gs_rng_below(r, QUEUES - 2);
        } while (from[i] == by);
        for (uint32_t d = 0; d < DIMS; d++)
            amount[i][d] = number(r, 3);
    }
}

/* May the victims of the set, as bits, go? */
static bool may_go(struct over_quota_tree *t, uint32_t by, uint32_t set)
{
    double part[GROUPS][DIMS];
    uint32_t of[GROUPS];
    struct over_quota_claim c = { .by = by,
                                  .multiplier = 1,
                                  .asked = asked,
                                  .from = of,
                                  .amount = part[0],
                                  .next = next_of };

    for (uint32_t i = 0; i < GROUPS; i++) {
        if (!(set >> i & 1))
            continue;
        of[c.count] = from[i];
        memcpy(part[c.count++], amount[i], sizeof(part[0]));
    }
    return over_quota_reclaims(t, &c);
}

/* Begin a claim as if all victims left. */
static struct over_quota_claim claim_all(struct over_quota_tree *t, uint32_t by)
{
    over_quota_begin(t);
    for (uint32_t i = 0; i < GROUPS; i++)
        over_quota_leaves(t, from[i], amount[i]);
    return (struct over_quota_claim){
        .by = by, .is_whole = is_whole, .multiplier = 1, .asked = asked
    };
}

/* The victims that are kept, as bits. */
static uint32_t kept_of(struct over_quota_tree *t, uint32_t by)
{
    const struct over_quota_claim c = claim_all(t, by);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < GROUPS; i++) {
        uint32_t to = by, at = from[i];

        over_quota_level(queue, &to, &at);
        kept |= (uint32_t)over_quota_keeps(t, &c, to, at, amount[i]) << i;
    }
    return kept;
}

static struct yield {
    uint32_t queue;
    double most[DIMS];
} yield[GROUPS];

/* Set yield[]; true when there is a bound above 0. */
static bool yields_find(struct over_quota_tree *t, uint32_t by)
{
    const struct over_quota_claim c = claim_all(t, by);
    bool any = false;

    for (uint32_t i = 0; i < GROUPS; i++) {
        uint32_t to = by;

        yield[i].queue = from[i];
        over_quota_level(queue, &to, &yield[i].queue);
        for (uint32_t d = 0; d < DIMS; d++) {
            yield[i].most[d] = over_quota_yields(t, &c, to, yield[i].queue, d);
            any |= yield[i].most[d] > 0;
        }
    }
    return any;
}

/* Does the set take more from the queue of the victim than that yields? */
static bool exceeds(uint32_t set, uint32_t victim, uint32_t d)
{
    double sum = 0;

    for (uint32_t i = 0; i < GROUPS; i++) {
        if ((set >> i & 1) && yield[i].queue == yield[victim].queue)
            sum += amount[i][d];
    }
    return yield[victim].most[d] >= 0 && sum > yield[victim].most[d] + 1e-12;
}

static void all_sets_test(void)
{
    struct over_quota_tree t = { .queue = queue,
                                 .queues = QUEUES,
                                 .dims = DIMS,
                                 .mark = mark,
                                 .marked = marked };
    uint64_t kept_count = 0, went = 0, bounds = 0, bounded = 0;
    struct gs_rng r;

    gs_rng_init(&r, 7, "kept victims");
    for (uint64_t round = suite_rounds(2000); round-- > 0;) {
        const uint32_t by = 2 + (uint32_t)gs_rng_below(&r, QUEUES - 2);
        uint32_t kept;

        is_whole = round % 2;
        queues_draw(&r);
        victims_draw(&r, by);
        for (uint32_t d = 0; d < DIMS; d++)
            asked[d] = number(&r, 3);
        kept = kept_of(&t, by);
        bounds += yields_find(&t, by);
        for (uint32_t set = 1; set < 1u << GROUPS; set++) {
            const bool may = may_go(&t, by, set);

            CU_ASSERT_FALSE(may && (set & kept));
            went += may;
            for (uint32_t i = 0; i < GROUPS * DIMS; i++) {
                const bool is = exceeds(set, i / DIMS, i % DIMS);

                CU_ASSERT_FALSE(may && is);
                bounded += is && !(set & kept);
            }
        }
        kept_count += kept != 0;
    }
    /* else it shows nothing */
    CU_ASSERT_TRUE(kept_count > 0 && went > 0 && bounds > 0 && bounded > 0);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a kept victim is in no set that may go", all_sets_test },
    };

    return suite_run("policies/over_quota_keeps", cases, N_ELEMENTS(cases));
}
