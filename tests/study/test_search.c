/* tests/study/test_search.c - where a metric begins, or ceases, to be fine. */
#include "sim/study/search.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "tests/lib/suite.h"

#define POINTS 200

/* What a replay of each point would say. */
struct truth {
    struct study_search s;
    bool known[POINTS];
    double value[POINTS], of[POINTS];
    uint32_t calls[POINTS];
};

static int replay(void *ctx, const uint32_t *point, uint32_t count)
{
    struct truth *t = ctx;

    for (uint32_t i = 0; i < count; i++) {
        t->known[point[i]] = true;
        t->value[point[i]] = t->of[point[i]];
        t->calls[point[i]]++;
    }
    return 0;
}

static void truth_search(struct truth *t, uint32_t count, bool at_most,
                         double limit)
{
    t->s = (struct study_search){ .count = count,
                                  .is_known = t->known,
                                  .value = t->value,
                                  .at_most = at_most,
                                  .limit = limit };
    CU_ASSERT_EQUAL(study_search_run(&t->s, replay, t), 0);
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT(t->calls[i] <= 1);
}

static void monotone_cases(void)
{
    static const struct {
        double first, step; /* value of point i: first + i x step */
        bool at_most;
        double limit;
        uint32_t from, to; /* expected */
    } cases[] = {
        { 100, -1, true, 40, 60, STUDY_NO_POINT },
        { 100, -1, true, 40.5, 60, STUDY_NO_POINT },
        { 100, -1, true, 100, 0, 99 },
        { 100, -1, true, 1, 99, STUDY_NO_POINT },
        { 100, -1, true, 0, STUDY_NO_POINT, STUDY_NO_POINT },
        { 0, 1, true, 30, STUDY_NO_POINT, 30 },
        { 0, 1, true, 0, STUDY_NO_POINT, 0 },
        { 0, 1, false, 30, 30, STUDY_NO_POINT },
        { 0, 0, true, 0, 0, 99 },
        { 0, 0, true, -1, STUDY_NO_POINT, STUDY_NO_POINT },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct truth t = { .known = { false } };

        for (uint32_t k = 0; k < 100; k++)
            t.of[k] = cases[i].first + cases[i].step * k;
        truth_search(&t, 100, cases[i].at_most, cases[i].limit);
        CU_ASSERT_EQUAL(t.s.first, cases[i].from);
        CU_ASSERT_EQUAL(t.s.last, cases[i].to);
        CU_ASSERT(t.s.is_monotone);
        CU_ASSERT(t.s.replayed <= 20);
    }
}

/* What goes up and down is replayed in full, and what holds is from where it
 * holds to the end.
 */
static void wavy(void)
{
    struct truth t = { .known = { false } };

    for (uint32_t i = 0; i < 100; i++)
        t.of[i] = 100 - (double)i + (i == 47 ? 40 : 0);
    truth_search(&t, 100, true, 55);
    CU_ASSERT(!t.s.is_monotone);
    CU_ASSERT_EQUAL(t.s.replayed, 100);
    CU_ASSERT_EQUAL(t.s.first, 48);
    CU_ASSERT_EQUAL(t.s.last, STUDY_NO_POINT);
    CU_ASSERT(study_search_is_met(&t.s, 46));
    CU_ASSERT(!study_search_is_met(&t.s, 47));
}

/* A run without the metric meets nothing, and ends the search. */
static void absent(void)
{
    struct truth t = { .known = { false } };

    for (uint32_t i = 0; i < 100; i++)
        t.of[i] = i < 1 ? (double)NAN : 1;
    truth_search(&t, 100, true, 5);
    CU_ASSERT_EQUAL(t.s.replayed, 100);
    CU_ASSERT_EQUAL(t.s.first, 1);
    CU_ASSERT(!study_search_is_met(&t.s, 0));
}

static void few(void)
{
    for (uint32_t n = 1; n <= 9; n++) {
        struct truth t = { .known = { false } };

        for (uint32_t i = 0; i < n; i++)
            t.of[i] = -(double)i;
        truth_search(&t, n, true, -1);
        CU_ASSERT_EQUAL(t.s.first, n > 1 ? 1 : STUDY_NO_POINT);
    }
}

/* The same as looking at all, for steps of any width. */
static void random_stairs(void)
{
    struct gs_rng rng;

    gs_rng_init(&rng, 7, "stairs");
    for (int round = 0; round < 2000; round++) {
        const uint32_t n = 1 + (uint32_t)gs_rng_below(&rng, POINTS);
        const bool at_most = gs_rng_below(&rng, 2);
        const double sign = gs_rng_below(&rng, 2) ? 1 : -1;
        struct truth t = { .known = { false } };
        uint32_t first = STUDY_NO_POINT, last = STUDY_NO_POINT;
        double v = 0, limit;

        for (uint32_t i = 0; i < n; i++) {
            v += sign * (double)gs_rng_below(&rng, 3);
            t.of[i] = v;
        }
        limit = t.of[gs_rng_below(&rng, n)] + (double)gs_rng_below(&rng, 3) - 1;
        truth_search(&t, n, at_most, limit);
        for (uint32_t i = n;
             i-- > 0 && (at_most ? t.of[i] <= limit : t.of[i] >= limit);)
            first = i;
        for (uint32_t i = 0;
             i < n && (at_most ? t.of[i] <= limit : t.of[i] >= limit); i++)
            last = i;
        CU_ASSERT_EQUAL(t.s.first, first);
        CU_ASSERT_EQUAL(t.s.last, last);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a search finds the answer of what only rises or falls",
          monotone_cases },
        { "what goes up and down is replayed in full", wavy },
        { "runs without the metric meet no target", absent },
        { "few points are all replayed", few },
        { "a search equals a full look on random stairs", random_stairs },
    };

    return suite_run("study/search", cases, N_ELEMENTS(cases));
}
