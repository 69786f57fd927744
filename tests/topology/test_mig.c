/* tests/topology/test_mig.c - profiles, and where instances may stand.
 *
 * The rules are stated here once more, from the vendor's lists of placements,
 * and every layout that the functions lead to is held to them.
 */

#include <string.h>

#include "base/rng.h"
#include "tests/lib/suite.h"
#include "topology/mig.h"
#include "topology/resources.h"

/* --- the rules, once more ------------------------------------------------- */

/* GPU instance placements: {starts}:memory slices, by the row of a model. */
static const struct {
    int starts[8], size, compute;
} rule[TOPO_MIG_PROFILES] = {
    { { 0, 1, 2, 3, 4, 5, 6, -1 }, 1, 1 },
    { { 0, 2, 4, 6, -1 }, 2, 1 },
    { { 0, 2, 4, -1 }, 2, 2 },
    { { 0, 4, -1 }, 4, 3 },
    { { 0, -1 }, 4, 4 },
    { { 0, -1 }, 8, 7 },
};

static const struct {
    const char *model, *profile[TOPO_MIG_PROFILES];
} model[] = {
    { "A100-40",
      { "1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb" } },
    { "A100-80",
      { "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb" } },
    { "H100-80",
      { "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb" } },
    { "H200",
      { "1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb" } },
    { "B200",
      { "1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb" } },
};

struct instance {
    uint32_t row, start;
};

static bool may_start(uint32_t row, uint32_t start)
{
    for (int i = 0; rule[row].starts[i] >= 0; i++) {
        if (rule[row].starts[i] == (int)start)
            return true;
    }
    return false;
}

/* Each where it may be, none over another, 7 compute slices at most. */
static bool is_legal(const struct instance *it, uint32_t n)
{
    int owner[8] = { 0 }, compute = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (!may_start(it[i].row, it[i].start))
            return false;
        for (int k = 0; k < rule[it[i].row].size; k++) {
            if (it[i].start + (uint32_t)k > 7 || owner[(int)it[i].start + k]++)
                return false;
        }
        compute += rule[it[i].row].compute;
    }
    return compute <= 7;
}

/* --- the table ------------------------------------------------------------ */

static void test_table(void)
{
    for (size_t m = 0; m < N_ELEMENTS(model); m++) {
        const struct topo_mig_model *t = topo_mig_model_find(model[m].model);

        CU_ASSERT_PTR_NOT_NULL_FATAL(t);
        CU_ASSERT_PTR_EQUAL(t, topo_mig_model_at((uint32_t)m));
        CU_ASSERT_PTR_NOT_NULL(strstr(topo_mig_models(), t->name));
        for (uint32_t i = 0; i < TOPO_MIG_PROFILES; i++) {
            const uint32_t kind = topo_mig_kind_find(model[m].profile[i]);
            const struct topo_mig_profile *p = topo_mig_profile(t, kind);

            CU_ASSERT_NOT_EQUAL_FATAL(kind, 0);
            CU_ASSERT_PTR_EQUAL_FATAL(p, &t->profile[i]);
            CU_ASSERT_EQUAL(p->compute, rule[i].compute);
            CU_ASSERT_EQUAL(p->memory, rule[i].size);
            CU_ASSERT_STRING_EQUAL(topo_mig_kind_name(kind),
                                   model[m].profile[i]);
            CU_ASSERT_EQUAL(topo_mig_kind_milli(kind),
                            (uint32_t)rule[i].compute * 1000 / 7);
            for (uint32_t at = 0; at < 8; at++)
                CU_ASSERT_EQUAL(p->starts >> at & 1, may_start(i, at));
        }
    }
    CU_ASSERT_PTR_NULL(topo_mig_model_at(N_ELEMENTS(model)));
}

static void test_names(void)
{
    static const char *const same[] = { "a100-80", "A100-80GB", "A100-80gb" };
    static const char *const none[] = { "",          "A100",     "A100-8",
                                        "A100-80G",  "A100-800", "V100",
                                        "A100-80GBs" };

    for (size_t i = 0; i < N_ELEMENTS(same); i++)
        CU_ASSERT_PTR_EQUAL(topo_mig_model_find(same[i]), topo_mig_model_at(1));
    for (size_t i = 0; i < N_ELEMENTS(none); i++)
        CU_ASSERT_PTR_NULL(topo_mig_model_find(none[i]));
    CU_ASSERT_EQUAL(topo_mig_kind_find("9g.10gb"), 0);
    CU_ASSERT_EQUAL(topo_mig_kind_find(""), 0);
    for (uint32_t k = 1; k <= topo_mig_kinds(); k++)
        CU_ASSERT_EQUAL(topo_mig_kind_find(topo_mig_kind_name(k)), k);
}

/* One name, other slices: 1g.10gb of an A100-40 is half as many as it seems. */
static void test_lacks(void)
{
    const uint32_t shared = topo_mig_kind_find("1g.10gb");
    const struct topo_mig_model *small = topo_mig_model_find("A100-40");
    const struct topo_mig_model *large = topo_mig_model_find("A100-80");

    CU_ASSERT_EQUAL(topo_mig_profile(small, shared)->memory, 2);
    CU_ASSERT_EQUAL(topo_mig_profile(large, shared)->memory, 1);
    CU_ASSERT_PTR_NULL(topo_mig_profile(small, topo_mig_kind_find("3g.40gb")));
    CU_ASSERT_PTR_NULL(topo_mig_profile(large, topo_mig_kind_find("1g.5gb")));
}

/* --- placements ----------------------------------------------------------- */

static const struct {
    const char *ask[8];
    uint8_t starts[8]; /* where they go, one after another */
    uint32_t count;
} order[] = {
    /* of an A100-80 */
    { { "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb" },
      { 6, 5, 4, 3, 2 },
      5 },
    { { "3g.40gb", "3g.40gb" }, { 4, 0 }, 2 },
    { { "3g.40gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb" },
      { 4, 3, 2, 1, 0 },
      5 },
    { { "4g.40gb", "3g.40gb" }, { 0, 4 }, 2 },
    { { "2g.20gb", "2g.20gb", "2g.20gb", "1g.10gb" }, { 4, 2, 0, 6 }, 4 },
    { { "7g.80gb" }, { 0 }, 1 },
};

static void test_starts(void)
{
    const struct topo_mig_model *m = topo_mig_model_find("A100-80");

    for (size_t i = 0; i < N_ELEMENTS(order); i++) {
        uint8_t taken = 0;

        for (uint32_t k = 0; k < order[i].count; k++) {
            const struct topo_mig_profile *p = topo_mig_profile(
                m, topo_mig_kind_find(order[i].ask[k]));
            uint32_t start;

            CU_ASSERT_NOT_EQUAL_FATAL(topo_mig_starts(p, taken), 0);
            start = topo_mig_start(m, p, taken);
            CU_ASSERT_EQUAL(start, order[i].starts[k]);
            taken |= topo_mig_slices(p, start);
        }
    }
}

static void test_tightest(void)
{
    const struct topo_mig_model *m = topo_mig_model_find("H100-80");
    const struct topo_mig_profile *one = &m->profile[0],
                                  *three = &m->profile[3];
    /* with a 3g at 4; with 1g at 6; full; with 1g at 6, 5 */
    const uint8_t taken[] = { 0xf0, 0x40, 0xff, 0x60 };

    /* on the last it takes what only 1g could use */
    CU_ASSERT_EQUAL(topo_mig_tightest(m, one, taken, 4), 3);
    CU_ASSERT_EQUAL(topo_mig_tightest(m, three, taken, 4), 0);
    CU_ASSERT_EQUAL(topo_mig_tightest(m, &m->profile[5], taken, 4), 4);
    CU_ASSERT_EQUAL(topo_mig_tightest(m, one, taken + 2, 1), 1);
}

/* Come and go at random: the layout is legal at each step, the mask is what is
 * there, and a refusal is right: no legal place was left.
 */
static void walk(const struct topo_mig_model *m, uint64_t seed)
{
    struct instance held[9];
    uint32_t count = 0;
    uint8_t taken = 0;
    struct gs_rng rng;

    gs_rng_init(&rng, seed, "test_mig");
    for (int step = 0; step < 200; step++) {
        const uint32_t row = (uint32_t)gs_rng_below(&rng, TOPO_MIG_PROFILES);
        const struct topo_mig_profile *p = &m->profile[row];
        const uint8_t starts = topo_mig_starts(p, taken);

        if (count && gs_rng_below(&rng, 3) == 0) {
            const uint32_t i = (uint32_t)gs_rng_below(&rng, count);

            taken = (uint8_t)(taken
                              & ~topo_mig_slices(&m->profile[held[i].row],
                                                 held[i].start));
            held[i] = held[--count];
            continue;
        }
        for (uint32_t at = 0; at < 8; at++) {
            held[count] = (struct instance){ row, at };
            CU_ASSERT_EQUAL(starts >> at & 1, is_legal(held, count + 1));
        }
        if (starts) {
            const uint32_t at = gs_rng_below(&rng, 2)
                                    ? topo_mig_start(m, p, taken)
                                    : (uint32_t)__builtin_ctz(starts);

            held[count++] = (struct instance){ row, at };
            CU_ASSERT_TRUE(starts >> at & 1);
            CU_ASSERT_EQUAL(topo_mig_slices(p, at) & taken, 0);
            taken |= topo_mig_slices(p, at);
        }
        CU_ASSERT_TRUE(is_legal(held, count));
    }
}

static void test_walks(void)
{
    for (uint32_t i = 0; topo_mig_model_at(i); i++) {
        for (uint64_t seed = 1; seed <= 40; seed++)
            walk(topo_mig_model_at(i), seed);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "the table holds the published instances", test_table },
        { "names of instances are found", test_names },
        { "an instance that a GPU lacks is refused", test_lacks },
        { "instances start only where they may", test_starts },
        { "the tightest start is taken", test_tightest },
        { "random walks keep the slices", test_walks },
    };

    return suite_run("topology/mig", cases, N_ELEMENTS(cases));
}
