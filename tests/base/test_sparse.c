/* tests/base/test_sparse.c - a sparse table holds what a plain one does. */
#include "base/sparse.h"

#include "base/array.h"
#include "base/rng.h"
#include "tests/lib/suite.h"

#define COUNT (5 * GS_SPARSE_PART + 7)
#define STEPS 200000u

static uint32_t set_in(const uint32_t *plain, uint32_t part)
{
    uint32_t n = 0;

    for (uint32_t i = part * GS_SPARSE_PART;
         i < COUNT && i < (part + 1) * GS_SPARSE_PART; i++)
        n += plain[i] != 0;
    return n;
}

static void compare(const struct gs_sparse *t, const uint32_t *plain)
{
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < COUNT; i++)
        wrong += gs_sparse_get(t, i) != plain[i];
    CU_ASSERT_EQUAL(wrong, 0);
    for (uint32_t part = 0; part * GS_SPARSE_PART < COUNT; part++)
        CU_ASSERT_EQUAL(t->part[part] ? t->part[part]->set : 0,
                        set_in(plain, part));
}

/* Numbers come and go in a part that moves on, as those of jobs do. */
static void test_random(void)
{
    for (uint64_t round = 0; round < suite_rounds(3); round++) {
        uint32_t *plain = gs_array_new(COUNT, sizeof(*plain));
        struct gs_sparse t;
        struct gs_rng rng;

        gs_rng_init(&rng, round, "sparse");
        gs_sparse_init(&t, COUNT);
        for (uint32_t i = 0; i < STEPS; i++) {
            const uint32_t most = 1 + (uint32_t)((uint64_t)i * COUNT / STEPS);
            const uint32_t at = (uint32_t)gs_rng_below(&rng, most);
            const uint32_t number = (uint32_t)gs_rng_below(&rng, 3);

            plain[at] = number;
            gs_sparse_set(&t, at, number);
            if (i % (STEPS / 20) == 0)
                compare(&t, plain);
        }
        compare(&t, plain);
        for (uint32_t i = 0; i < COUNT; i++)
            gs_sparse_set(&t, i, 0);
        for (uint32_t part = 0; part * GS_SPARSE_PART < COUNT; part++)
            CU_ASSERT_PTR_NULL(t.part[part]); /* it takes no memory */
        gs_sparse_free(&t);
        gs_array_free(plain);
    }
}

static void test_bounds(void)
{
    struct gs_sparse t;

    gs_sparse_init(&t, GS_SPARSE_PART);
    gs_sparse_set(&t, GS_SPARSE_PART - 1, 7);
    CU_ASSERT_EQUAL(gs_sparse_get(&t, GS_SPARSE_PART - 1), 7);
    gs_sparse_free(&t);
    gs_sparse_init(&t, 0);
    gs_sparse_free(&t);
    gs_sparse_free(&t);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "it holds what a plain table does; parts of 0 take no memory",
          test_random },
        { "its last place, and a table of none", test_bounds },
    };

    return suite_run("base/sparse", cases, N_ELEMENTS(cases));
}
