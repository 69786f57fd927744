/* tests/policies/test_domain_set.c - sets of domains that are enough for a
 * gang, against cases of Kueue (TestSelectOptimalDomainSetToFit) and all sets
 * there are.
 */
#include <string.h>

#include "base/rng.h"
#include "policies/placement/domain_set.h"
#include "tests/lib/suite.h"

#define ITEMS 9u

struct sought {
    struct domain_item item[ITEMS];
    uint32_t count, used;
    uint64_t need;
    bool leads;
};

/* Places of a set, and which of them holds the leader; used if there is none.
 */
struct chosen {
    uint32_t place[ITEMS];
    uint32_t leader;
    uint64_t tasks;
    bool any;
};

static bool choose(const struct sought *x, uint32_t *place)
{
    struct domain_sets *d = domain_sets_new();
    bool fits;

    memcpy(domain_sets_items(d, x->count), x->item,
           x->count * sizeof(*x->item));
    fits = domain_sets_choose(d, x->count, x->used, x->need, x->leads, place);
    domain_sets_free(d);
    return fits;
}

/* --- cases of Kueue ------------------------------------------------------- */

/* Domains d1 to d4 hold 9, 6, 4 and 2 tasks; a leader stands in d1 or d3. */
struct kueue_case {
    uint64_t need;
    bool leads;
    uint32_t used; /* so many, the largest first, are enough */
    const char *want;
};

static void test_kueue(void)
{
    static const struct kueue_case cases[] = {
        { 21, false, 4, "1 2 3 4 " }, { 5, true, 1, "1 " },
        { 9, true, 2, "2 3 " },       { 10, true, 2, "1 4 " },
        { 5, false, 1, "2 " },        { 22, false, 4, "" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct sought x = {
            .item = { { 9, 8, true, true },
                      { 6, 6, true, false },
                      { 4, 3, true, true },
                      { 2, 2, true, false } },
            .count = 4,
            .used = cases[i].used,
            .need = cases[i].need,
            .leads = cases[i].leads,
        };
        uint32_t place[ITEMS];
        char got[40] = "";

        for (uint32_t k = 0; k < x.used && choose(&x, place); k++)
            got[2 * k] = (char)('1' + place[k]), got[2 * k + 1] = ' ';
        CU_ASSERT_STRING_EQUAL(got, cases[i].want);
    }
}

/* --- all sets ------------------------------------------------------------- */

/* Is the set allowed, and what does it hold? */
static bool set_holds(const struct sought *x, struct chosen *set)
{
    bool led = !x->leads;

    set->tasks = 0;
    for (uint32_t k = 0; k < x->used; k++) {
        const struct domain_item *d = &x->item[set->place[k]];

        if (led && set->tasks >= x->need)
            return false;
        if (k == set->leader ? !d->leads : !d->holds)
            return false;
        led |= k == set->leader;
        set->tasks += k == set->leader ? d->led : d->tasks;
    }
    return led && set->tasks >= x->need;
}

/* By the last place, then the one before. */
static bool set_before(const struct sought *x, const struct chosen *a,
                       const struct chosen *b)
{
    if (a->tasks != b->tasks)
        return a->tasks < b->tasks;
    for (uint32_t k = x->used; k-- > 0;) {
        if (a->place[k] != b->place[k])
            return a->place[k] < b->place[k];
        if ((a->leader == k) != (b->leader == k))
            return b->leader == k;
    }
    return false;
}

static struct chosen best_of_all(const struct sought *x)
{
    struct chosen best = { .any = false };

    for (uint32_t bits = 0; bits < 1u << x->count; bits++) {
        const uint32_t leaders = x->leads ? x->used : 1;
        struct chosen set = { .any = true };
        uint32_t n = 0;

        for (uint32_t i = 0; i < x->count; i++) {
            if (bits >> i & 1)
                set.place[n++] = i;
        }
        for (uint32_t k = 0; n == x->used && k < leaders; k++) {
            set.leader = x->leads ? k : x->used;
            if (set_holds(x, &set) && (!best.any || set_before(x, &set, &best)))
                best = set;
        }
    }
    return best;
}

static void test_random(void)
{
    struct gs_rng r;
    uint64_t found = 0;

    gs_rng_init(&r, 7, "sets of domains");
    for (uint64_t i = 0; i < suite_rounds(3000); i++) {
        struct sought x = { .count = 1 + (uint32_t)gs_rng_below(&r, ITEMS) };
        struct chosen want;
        uint32_t place[ITEMS];
        bool fits;

        for (uint32_t k = 0; k < x.count; k++) {
            struct domain_item *d = &x.item[k];

            d->tasks = gs_rng_below(&r, 1 + i % 40);
            d->led = gs_rng_below(&r, d->tasks + 1);
            d->holds = d->tasks > 0;
            d->leads = gs_rng_below(&r, 2) == 0;
        }
        x.used = 1 + (uint32_t)gs_rng_below(&r, x.count);
        x.need = 1 + gs_rng_below(&r, 1 + i % 90);
        x.leads = gs_rng_below(&r, 2) == 0;
        want = best_of_all(&x);
        fits = choose(&x, place);
        CU_ASSERT_EQUAL_FATAL(fits, want.any);
        found += fits;
        if (fits)
            CU_ASSERT_EQUAL_FATAL(
                memcmp(place, want.place, x.used * sizeof(*place)), 0);
    }
    CU_ASSERT(found > 0);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "cases of Kueue", test_kueue },
        { "the best of all sets", test_random },
    };

    return suite_run("policies/domain_set", cases, N_ELEMENTS(cases));
}
