/* tests/policies/test_drf.c - dominant shares, worked out by hand. */
#include "tests/lib/fake_host.h"

static const union gsp_value both[GSCHED_PARAMS_MAX] = { { .whole = 1 },
                                                         { .whole = 1 } };
static const union gsp_value neither[GSCHED_PARAMS_MAX] = { { .whole = 0 },
                                                            { .whole = 0 } };

static const struct gsp_module *drf(void)
{
    return gsched_module_find("drf");
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

#define BIG (INT64_C(1) << 62)

/* cpu, memory, gpu */
static const struct {
    int64_t total[3], a[3], b[3];
    int expect;
} job_cases[] = {
    /* 1/9 and 4/18 against 3/9 and 1/18: the paper's users after one task */
    { { 9, 18, 0 }, { 1, 4, 0 }, { 3, 1, 0 }, -1 },
    /* 2/9, 8/18 against 3/9, 1/18 */
    { { 9, 18, 0 }, { 2, 8, 0 }, { 3, 1, 0 }, 1 },
    /* 3/9, 12/18 against 6/9, 2/18: both 2/3, in different resources */
    { { 9, 18, 0 }, { 3, 12, 0 }, { 6, 2, 0 }, 0 },
    { { 10, 10, 10 }, { 0, 0, 0 }, { 0, 0, 0 }, 0 },
    { { 10, 10, 10 }, { 0, 0, 0 }, { 0, 0, 1 }, -1 },
    { { 10, 10, 10 }, { 5, 0, 0 }, { 0, 5, 0 }, 0 },
    { { 10, 10, 10 }, { 5, 4, 3 }, { 4, 4, 4 }, 1 },
    /* a resource that the cluster lacks does not count */
    { { 10, 10, 0 }, { 1, 0, 99 }, { 2, 0, 0 }, -1 },
    { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 }, 0 },
    /* 1/3 is 2/6 exactly, and 333333/1000000 is less */
    { { 3, 6, 0 }, { 1, 0, 0 }, { 0, 2, 0 }, 0 },
    { { 3, 1000000, 0 }, { 1, 0, 0 }, { 0, 333333, 0 }, 1 },
    { { 3, 1000000, 0 }, { 1, 0, 0 }, { 0, 333334, 0 }, -1 },
    /* where a double would see no difference */
    { { BIG, BIG, 1 }, { BIG - 1, 0, 0 }, { BIG - 2, 0, 0 }, 1 },
    { { BIG, BIG - 1, 1 }, { BIG / 2, 0, 0 }, { 0, BIG / 2, 0 }, -1 },
    /* more than there is: still compared */
    { { 4, 4, 4 }, { 8, 0, 0 }, { 0, 6, 0 }, 1 },
};

static void test_job_order(void)
{
    for (size_t i = 0; i < N_ELEMENTS(job_cases); i++) {
        struct fake f;
        struct gsp_job a = { .id = 0 }, b = { .id = 1 };
        void *self;

        fake_start(&f);
        fake_put(f.total, job_cases[i].total);
        f.total[GSP_PODS] = 100;
        a.used[GSP_PODS] = 50; /* pods do not count */
        fake_put(a.used, job_cases[i].a);
        fake_put(b.used, job_cases[i].b);
        self = fake_module(&f, drf(), both);
        CU_ASSERT_EQUAL(sign(drf()->job_order(self, &a, &b)),
                        job_cases[i].expect);
        CU_ASSERT_EQUAL(sign(drf()->job_order(self, &b, &a)),
                        -job_cases[i].expect);
        self = fake_module(&f, drf(), neither);
        CU_ASSERT_EQUAL(drf()->job_order(self, &a, &b), 0);
        fake_end(&f);
    }
}

static const struct {
    double weight_a, weight_b;
    int64_t a[3], b[3]; /* of 100 each */
    int expect;
} queue_cases[] = {
    { 1, 1, { 10, 0, 0 }, { 20, 0, 0 }, -1 },
    { 1, 1, { 20, 0, 0 }, { 0, 0, 20 }, 0 },
    { 2, 1, { 30, 0, 0 }, { 20, 0, 0 }, -1 }, /* 0.15 and 0.2 */
    { 2, 1, { 50, 0, 0 }, { 20, 0, 0 }, 1 },  /* 0.25 and 0.2 */
    { 2, 1, { 40, 0, 0 }, { 20, 0, 0 }, 0 },
    { 0.5, 1, { 10, 0, 0 }, { 15, 0, 0 }, 1 }, /* 0.2 and 0.15 */
    { 3, 9, { 0, 0, 0 }, { 0, 0, 0 }, 0 },
    { 1, 3, { 0, 1, 30 }, { 90, 0, 0 }, 0 },
};

static void test_queue_order(void)
{
    for (size_t i = 0; i < N_ELEMENTS(queue_cases); i++) {
        struct fake f;
        void *self;

        fake_start(&f);
        fake_put(f.total, (const int64_t[]){ 100, 100, 100 });
        fake_add(&f, GSP_NONE, queue_cases[i].weight_a);
        fake_add(&f, GSP_NONE, queue_cases[i].weight_b);
        fake_put(f.queue[0].used, queue_cases[i].a);
        fake_put(f.queue[1].used, queue_cases[i].b);
        self = fake_module(&f, drf(), both);
        CU_ASSERT_EQUAL(sign(drf()->queue_order(self, 0, 1)),
                        queue_cases[i].expect);
        CU_ASSERT_EQUAL(sign(drf()->queue_order(self, 1, 0)),
                        -queue_cases[i].expect);
        self = fake_module(&f, drf(), neither);
        CU_ASSERT_EQUAL(drf()->queue_order(self, 0, 1), 0);
        fake_end(&f);
    }
}

/* Ghodsi et al., NSDI'11, 4.1: 9 CPUs and 18 GB, A <1, 4>, B <3, 1>; the
 * lowest share takes a task until it does not fit.
 */
static void test_paper(void)
{
    static const int64_t asks[2][3] = { { 1, 4, 0 }, { 3, 1, 0 } };
    /* the job that goes next, and what A and B then hold of their dominant
     * resource
     */
    static const struct {
        int goes;
        int64_t memory_a, cpu_b;
    } steps[] = {
        { 0, 4, 0 },  /* both 0: A is first by time */
        { 1, 4, 3 },  /* 2/9 against 0 */
        { 0, 8, 3 },  /* 2/9 against 1/3 */
        { 1, 8, 6 },  /* 4/9 against 1/3 */
        { 0, 12, 6 }, /* 4/9 against 2/3 */
    };
    struct gsp_job job[2] = { { .id = 0 }, { .id = 1 } };
    struct fake f;
    void *self;

    fake_start(&f);
    fake_put(f.total, (const int64_t[]){ 9, 18, 0 });
    self = fake_module(&f, drf(), both);
    for (size_t i = 0; i < N_ELEMENTS(steps); i++) {
        const int next = drf()->job_order(self, &job[0], &job[1]) > 0;

        CU_ASSERT_EQUAL(next, steps[i].goes);
        job[next].used[GSP_CPU] += asks[next][0];
        job[next].used[GSP_MEMORY] += asks[next][1];
        CU_ASSERT_EQUAL(job[0].used[GSP_MEMORY], steps[i].memory_a);
        CU_ASSERT_EQUAL(job[1].used[GSP_CPU], steps[i].cpu_b);
    }
    /* all 9 CPUs are given; 12/18 is 6/9 */
    CU_ASSERT_EQUAL(job[0].used[GSP_CPU] + job[1].used[GSP_CPU], 9);
    CU_ASSERT_EQUAL(drf()->job_order(self, &job[0], &job[1]), 0);
    fake_end(&f);
}

/* --- victims -------------------------------------------------------------- */

/* GPUs of 100; each victim: its job's place in `held`, and what it gives. */
static const struct {
    int64_t used, minimum; /* of the job that takes */
    int64_t held[3];       /* by jobs 1, 2, 3 */
    uint32_t count;
    struct {
        uint32_t job;
        int64_t amount;
    } victim[5];
    const char *expect; /* v: victim, .: spared */
} preempt_cases[] = {
    { 0, 10, { 40 }, 1, { { 0, 10 } }, "v" },  /* 10 < 30 */
    { 0, 10, { 20 }, 1, { { 0, 10 } }, "v" },  /* 10 = 10 */
    { 0, 10, { 19 }, 1, { { 0, 10 } }, "." },  /* 10 > 9 */
    { 10, 20, { 31 }, 1, { { 0, 10 } }, "v" }, /* has 10, lacks 10 */
    { 10, 20, { 29 }, 1, { { 0, 10 } }, "." },
    { 30, 10, { 45 }, 1, { { 0, 10 } }, "v" }, /* lacks nothing: 30 < 35 */
    /* one after the other from one job: 30, 20, 10, 0 left */
    { 0,
      10,
      { 40 },
      4,
      { { 0, 10 }, { 0, 10 }, { 0, 10 }, { 0, 10 } },
      "vvv." },
    /* each job counts alone */
    { 0,
      10,
      { 20, 20 },
      4,
      { { 0, 10 }, { 1, 10 }, { 0, 10 }, { 1, 10 } },
      "vv.." },
    /* one that is spared is not gone: 12 left after the small one */
    { 0, 10, { 15 }, 3, { { 0, 10 }, { 0, 3 }, { 0, 3 } }, ".v." },
    /* a whole gang leaves nothing, which no share is below */
    { 0, 1, { 90 }, 1, { { 0, 90 } }, "." },
    { 0, 0, { 90 }, 1, { { 0, 90 } }, "v" },
    { 0, 10, { 5, 50, 10 }, 3, { { 0, 5 }, { 1, 5 }, { 2, 10 } }, ".v." },
};

static void test_preempt(void)
{
    for (size_t i = 0; i < N_ELEMENTS(preempt_cases); i++) {
        struct gsp_job job[4] = {
            { .id = 900 }, { .id = 1 }, { .id = 65 }, { .id = 129 }
        };
        struct fake_victims v = { .count = preempt_cases[i].count };
        uint8_t spared[5] = { 0 };
        struct fake f;
        void *self;

        fake_start(&f);
        fake_put(f.total, (const int64_t[]){ 0, 0, 100 });
        job[0].used[GSP_GPU] = preempt_cases[i].used;
        job[0].minimum[GSP_GPU] = preempt_cases[i].minimum;
        for (int k = 0; k < 3; k++)
            job[k + 1].used[GSP_GPU] = preempt_cases[i].held[k];
        for (uint32_t k = 0; k < v.count; k++) {
            v.one[k].job = &job[preempt_cases[i].victim[k].job + 1];
            v.one[k].amount[GSP_GPU] = preempt_cases[i].victim[k].amount;
        }
        self = fake_module(&f, drf(), both);
        for (int again = 0; again < 2; again++) {
            memset(spared, 0, sizeof(spared));
            CU_ASSERT_TRUE(drf()->victims(self, GSP_PREEMPT, &job[0],
                                          fake_shown(&v), spared));
            for (uint32_t k = 0; k < v.count; k++)
                CU_ASSERT_EQUAL(spared[k], preempt_cases[i].expect[k] == '.');
        }
        self = fake_module(&f, drf(), neither);
        CU_ASSERT_FALSE(
            drf()->victims(self, GSP_PREEMPT, &job[0], fake_shown(&v), spared));
        fake_end(&f);
    }
}

/* Queues 0 and 1 at the top, 2 and 3 in 0, 4 and 5 in 1; GPUs of 100. */
static const struct {
    double weight[6];
    int64_t used[6]; /* of the leaves 2..5; above them is summed */
    uint32_t to;
    int64_t minimum;
    uint32_t count;
    struct {
        uint32_t from;
        int64_t amount;
    } victim[4];
    const char *expect;
} reclaim_cases[] = {
    /* 0 + 10 against 100 - 10: between 0 and 1 */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 0, 0, 100, 0 },
      2,
      10,
      1,
      { { 4, 10 } },
      "v" },
    /* 40 + 10 against 60 - 10 */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 0, 40, 60, 0 },
      2,
      10,
      1,
      { { 4, 10 } },
      "v" },
    /* 41 + 10 against 59 - 10, though queue 2 itself holds nothing */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 0, 41, 59, 0 },
      2,
      10,
      1,
      { { 4, 10 } },
      "." },
    /* beside it in queue 0: 10 against 31 */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 0, 41, 59, 0 },
      2,
      10,
      1,
      { { 3, 10 } },
      "v" },
    /* by weight: (10 + 10) / 1 against (90 - 10) / 4 */
    { { 1, 4, 1, 1, 1, 1 },
      { 0, 0, 10, 0, 90, 0 },
      2,
      10,
      1,
      { { 4, 10 } },
      "v" },
    { { 1, 5, 1, 1, 1, 1 },
      { 0, 0, 10, 0, 90, 0 },
      2,
      10,
      1,
      { { 4, 10 } },
      "." },
    /* what is gone from 4 and 5 is gone from 1: 70, 60, 50, then 40 */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 20, 0, 80, 0 },
      2,
      30,
      4,
      { { 4, 10 }, { 4, 10 }, { 4, 10 }, { 4, 10 } },
      "vvv." },
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 20, 0, 60, 20 },
      2,
      30,
      4,
      { { 4, 20 }, { 5, 10 }, { 4, 5 }, { 5, 5 } },
      "vv.." },
    /* its own queue is not reclaimed from */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 90, 0, 0, 0 },
      2,
      1,
      1,
      { { 2, 10 } },
      "." },
    /* nor one above it, nor one below it */
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 90, 0, 0, 0 },
      2,
      1,
      1,
      { { 0, 10 } },
      "." },
    { { 1, 1, 1, 1, 1, 1 },
      { 0, 0, 90, 0, 0, 0 },
      0,
      1,
      1,
      { { 2, 10 } },
      "." },
};

static void test_reclaim(void)
{
    static const uint32_t parent[] = { GSP_NONE, GSP_NONE, 0, 0, 1, 1 };

    for (size_t i = 0; i < N_ELEMENTS(reclaim_cases); i++) {
        struct gsp_job taker = { .id = 9, .queue = reclaim_cases[i].to };
        struct gsp_job job[4] = { { .id = 0 } };
        struct fake_victims v = { .count = reclaim_cases[i].count };
        uint8_t spared[4] = { 0 };
        struct fake f;
        void *self;

        fake_start(&f);
        fake_put(f.total, (const int64_t[]){ 0, 0, 100 });
        for (uint32_t q = 0; q < 6; q++)
            fake_add(&f, parent[q], reclaim_cases[i].weight[q]);
        for (uint32_t q = 0; q < 6; q++)
            FAKE_BOOK(&f, q, used, GSP_GPU, reclaim_cases[i].used[q]);
        taker.minimum[GSP_GPU] = reclaim_cases[i].minimum;
        for (uint32_t k = 0; k < v.count; k++) {
            job[k] = (struct gsp_job){
                .id = k, .queue = reclaim_cases[i].victim[k].from
            };
            v.one[k].job = &job[k];
            v.one[k].amount[GSP_GPU] = reclaim_cases[i].victim[k].amount;
        }
        self = fake_module(&f, drf(), both);
        CU_ASSERT_TRUE(
            drf()->victims(self, GSP_RECLAIM, &taker, fake_shown(&v), spared));
        for (uint32_t k = 0; k < v.count; k++)
            CU_ASSERT_EQUAL(spared[k], reclaim_cases[i].expect[k] == '.');
        self = fake_module(&f, drf(), neither);
        CU_ASSERT_FALSE(
            drf()->victims(self, GSP_RECLAIM, &taker, fake_shown(&v), spared));
        fake_end(&f);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs go by dominant share", test_job_order },
        { "queues go by dominant share", test_queue_order },
        { "shares are those of the paper's example", test_paper },
        { "victims within a queue have the larger share", test_preempt },
        { "victims in other queues have the larger share", test_reclaim },
    };

    return suite_run("policies/drf", suite, N_ELEMENTS(suite));
}
