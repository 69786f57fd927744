/* tests/policies/test_balanced.c - balanced on both scales, by hand. */
#include "tests/lib/fake_nodes.h"

/* One node of cpu, memory and GPUs, and what a task asks of it. */
static const struct {
    const char *what;
    int64_t capacity[3], used[3], asked[3];
    double classic, relative;
} cases[] = {
    /* two resources: 100 - 50 x |f1 - f2|; 75 is neutral from 1.36 on */
    { "even", { 1000, 1000 }, { 0 }, { 500, 500 }, 100, 75 },
    { "0.6 and 0.2", { 1000, 1000 }, { 0 }, { 600, 200 }, 80, 65 },
    { "95 before", { 1000, 1000 }, { 100 }, { 500, 200 }, 80, 67 },
    { "all of one, none of the other: the lowest score",
      { 1000, 1000 },
      { 0 },
      { 1000, 0 },
      50,
      50 },
    { "more than all counts as all",
      { 1000, 1000 },
      { 900, 0 },
      { 900, 0 },
      50,
      72 },
    { "memory catches up", { 1000, 1000 }, { 500 }, { 0, 500 }, 100, 87 },
    { "cpu catches up", { 1000, 1000 }, { 0, 500 }, { 500 }, 100, 87 },
    { "from worst to best: the largest score",
      { 1000, 1000 },
      { 0, 1000 },
      { 1000 },
      100,
      100 },
    { "stays even", { 1000, 1000 }, { 250, 250 }, { 250, 250 }, 100, 75 },
    { "even, then not", { 1000, 1000 }, { 500, 500 }, { 500 }, 75, 62 },
    { "both over", { 1000, 1000 }, { 1000, 1000 }, { 1, 1 }, 100, 75 },
    { "thirds", { 300, 300 }, { 0 }, { 100, 200 }, 83, 66 },
    { "unequal sizes", { 4000, 10000 }, { 0 }, { 3000, 5000 }, 87, 68 },
    { "unequal sizes, even", { 6000, 10000 }, { 0 }, { 3000, 5000 }, 100, 75 },
    { "0.6 and 0.25, from 85",
      { 10000, 20000 },
      { 3000, 0 },
      { 3000, 5000 },
      82,
      73 },
    { "0.6 and 0.5, from 97.5",
      { 10000, 20000 },
      { 3000, 5000 },
      { 3000, 5000 },
      95,
      73 },
    { "very large",
      { INT64_C(1) << 60, INT64_C(1) << 60 },
      { INT64_C(1) << 59 },
      { 0, INT64_C(1) << 58 },
      87,
      81 },
    /* three: the population's deviation */
    { "0.3, 0.6, 0.9: 0.2449",
      { 1000, 1000, 1000 },
      { 0 },
      { 300, 600, 900 },
      75,
      62 },
    { "all of all three", { 10, 10, 10 }, { 0 }, { 10, 10, 10 }, 100, 75 },
    { "0, 0, 1: 0.4714", { 10, 10, 10 }, { 0 }, { 0, 0, 10 }, 52, 51 },
    { "GPUs catch up, from 76.4",
      { 10, 10, 10 },
      { 5, 5, 0 },
      { 0, 0, 5 },
      100,
      86 },
    /* left out */
    { "a GPU not asked for",
      { 1000, 1000, 1000 },
      { 0, 0, 900 },
      { 600, 200 },
      80,
      65 },
    { "a GPU the node lacks", { 1000, 1000 }, { 0 }, { 600, 200, 1 }, 80, 65 },
    { "memory the node lacks", { 1000 }, { 0 }, { 1000, 500 }, 100, 75 },
    { "nothing but GPUs", { 0, 0, 1000 }, { 0 }, { 0, 0, 500 }, 100, 75 },
    { "all that the task names is lacking", { 0 }, { 0 }, { 1, 1 }, 100, 75 },
    { "a task that asks for nothing", { 10, 10 }, { 5 }, { 0 }, 0, 0 },
};

static double score(size_t i, const char *scale, const char *weight)
{
    static const uint32_t dim[] = { GSP_CPU, GSP_MEMORY, GSP_GPU };
    const struct fake_use u = { "balanced", { scale, weight } };
    struct gsp_states v = { .count = 1 };
    struct gsp_task t = { { 0 } };
    double points[FAKE_NODES];

    for (size_t k = 0; k < N_ELEMENTS(dim); k++) {
        v.capacity[dim[k]][0] = cases[i].capacity[k];
        v.free[dim[k]][0] = cases[i].capacity[k] - cases[i].used[k];
        t.amount[dim[k]] = cases[i].asked[k];
    }
    fake_scores(&u, &v, &t, points);
    return points[0];
}

static void test_cases(void)
{
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const double classic = score(i, "scale=classic", NULL);
        const double relative = score(i, "scale=relative", NULL);

        if (classic != cases[i].classic || relative != cases[i].relative)
            printf("%s: %g and %g\n", cases[i].what, classic, relative);
        CU_ASSERT_EQUAL(classic, cases[i].classic);
        CU_ASSERT_EQUAL(relative, cases[i].relative);
    }
}

static void test_weight(void)
{
    CU_ASSERT_EQUAL(score(1, "weight=3", NULL), 240); /* classic by default */
    CU_ASSERT_EQUAL(score(1, "weight=3", "scale=relative"), 195);
    CU_ASSERT_EQUAL(score(1, "weight=0", NULL), 0);
    CU_ASSERT_EQUAL(score(1, "resources={cpu: 1}", NULL), 100);
    /* no matter how much each weighs */
    CU_ASSERT_EQUAL(score(1, "resources={cpu: 7, memory: 1}", NULL), 80);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "scores hold on both scales", test_cases },
        { "weight and resources change the score", test_weight },
    };

    return suite_run("policies/balanced", suite, N_ELEMENTS(suite));
}
