/* tests/policies/test_over_quota_order.c - the order of queues of module
 * over-quota is one: it has no cycles, and agrees with KAI Scheduler's where
 * that has none.
 */
#include "base/rng.h"
#include "policies/modules/over_quota.h"
#include "tests/lib/suite.h"

#define QUEUES 12u
#define DIMS 3u
#define ROUNDS 300

static const double total[DIMS] = { 8, 8, 8 };

/* Few values, so that many are equal. */
static void queue_draw(struct gs_rng *r, struct over_quota_queue *q)
{
    *q = (struct over_quota_queue){ .parent = OVER_QUOTA_NONE,
                                    .priority = (int32_t)gs_rng_below(r, 2) };
    for (uint32_t d = 0; d < DIMS; d++) {
        const double deserved = (double)gs_rng_below(r, 4);

        q->of[d] = (struct over_quota){
            .deserved = deserved ? deserved : OVER_QUOTA_ALL,
            .limit = gs_rng_below(r, 3) ? OVER_QUOTA_ALL : 4,
            .fair = (double)gs_rng_below(r, 4),
            .used = gs_rng_below(r, 4) ? 0 : (double)gs_rng_below(r, 3),
        };
    }
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static int compare(const struct over_quota_queue *a,
                   const struct over_quota_queue *b)
{
    const struct over_quota_side x = { .queue = a }, y = { .queue = b };

    return sign(over_quota_compare(&x, &y, total, DIMS));
}

/* May `a` hold less of some resource, and more of none? */
static bool is_smaller(const struct over_quota_queue *a,
                       const struct over_quota_queue *b)
{
    bool less = false, more = false;

    for (uint32_t d = 0; d < DIMS; d++) {
        const double x = over_quota_allocatable(&a->of[d]);
        const double y = over_quota_allocatable(&b->of[d]);

        less |= x != y && over_quota_within(x, y);
        more |= !over_quota_within(x, y);
    }
    return less && !more;
}

static bool are_keys_equal(const struct over_quota_queue *a,
                           const struct over_quota_queue *b)
{
    const struct over_quota_side x = { .queue = a }, y = { .queue = b };
    double of[2][OVER_QUOTA_KEYS];
    bool equal = true;

    over_quota_key(&x, total, DIMS, of[0]);
    over_quota_key(&y, total, DIMS, of[1]);
    for (uint32_t i = 0; i < OVER_QUOTA_KEYS; i++)
        equal &= of[0][i] == of[1][i];
    return equal;
}

static void test_order(void)
{
    struct over_quota_queue q[QUEUES];
    uint32_t faults = 0, smaller = 0, neither = 0;
    struct gs_rng r;

    gs_rng_init(&r, 1, "over-quota order");
    for (uint64_t n = 0; n < suite_rounds(ROUNDS); n++) {
        for (uint32_t i = 0; i < QUEUES; i++)
            queue_draw(&r, &q[i]);
        for (uint32_t a = 0; a < QUEUES; a++) {
            for (uint32_t b = 0; b < QUEUES; b++) {
                const int ab = compare(&q[a], &q[b]);
                const bool alike = are_keys_equal(&q[a], &q[b]);

                faults += ab != -compare(&q[b], &q[a]);
                smaller += alike && is_smaller(&q[a], &q[b]);
                neither += alike && !is_smaller(&q[a], &q[b])
                           && !is_smaller(&q[b], &q[a]) && ab < 0;
                faults += alike && is_smaller(&q[a], &q[b]) && ab >= 0;
                for (uint32_t c = 0; c < QUEUES; c++) {
                    const int bc = compare(&q[b], &q[c]);

                    /* before and equal are both transitive */
                    faults += ab <= 0 && bc <= 0
                              && compare(&q[a], &q[c]) != (ab < bc ? ab : bc);
                }
            }
        }
    }
    CU_ASSERT_EQUAL(faults, 0);
    CU_ASSERT(smaller > 0 && neither > 0);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "queues at random have an order, which is KAI's where it has one",
          test_order },
    };

    return suite_run("policies/over-quota order", cases, N_ELEMENTS(cases));
}
