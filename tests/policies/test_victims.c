/* tests/policies/test_victims.c - victims by priority, gang and run time; and
 * limits of admission.
 */
#include "tests/lib/fake_host.h"

#define N 3u /* victims in a case */

static void show(const struct gsp_module *m, void *self, enum gsp_why why,
                 const struct gsp_job *j, const struct gsp_victims *v,
                 char *out)
{
    uint8_t spared[N] = { 0 };
    const bool answers = m->victims(self, why, j, v, spared);

    for (uint32_t i = 0; i < N; i++)
        out[i] = !answers && !spared[i] ? '-' : spared[i] ? '.' : 'v';
    out[N] = '\0';
}

/* v: victim, .: protected, -: no opinion */
static const struct {
    enum gsp_why why;
    int32_t priority, victim[N];
    bool never;
    const char *expect;
} priority_cases[] = {
    { GSP_PREEMPT, 10, { 9, 10, 11 }, false, "v.." },
    { GSP_PREEMPT, 0, { -1, 0, 1 }, false, "v.." },
    { GSP_PREEMPT, 100, { 1, 2, 3 }, false, "vvv" },
    { GSP_PREEMPT, INT32_MAX, { INT32_MAX, INT32_MIN, 0 }, false, ".vv" },
    { GSP_PREEMPT, 100, { 1, 2, 3 }, true, "..." },
    { GSP_RECLAIM, 0, { 1, 2, 3 }, false, "---" },
    { GSP_RECLAIM, 9, { 1, 2, 3 }, true, "..." },
};

static void test_priority(void)
{
    const struct gsp_module *m = gsched_module_find("priority");

    for (size_t i = 0; i < N_ELEMENTS(priority_cases); i++) {
        struct gsp_job j = { .id = 1,
                             .priority = priority_cases[i].priority,
                             .never = priority_cases[i].never };
        struct gsp_job other[N] = { { .id = 2 }, { .id = 3 }, { .id = 4 } };
        struct fake_victims v = { .count = N };
        struct fake f;
        char got[N + 1];

        fake_start(&f);
        for (uint32_t k = 0; k < N; k++) {
            other[k].priority = priority_cases[i].victim[k];
            v.one[k].job = &other[k];
        }
        show(m, fake_module(&f, m, NULL), priority_cases[i].why, &j,
             fake_shown(&v), got);
        CU_ASSERT_STRING_EQUAL(got, priority_cases[i].expect);
        /* tasks of its own job alike */
        for (uint32_t k = 0; k < N; k++)
            other[k].id = j.id;
        show(m, fake_module(&f, m, NULL), priority_cases[i].why, &j,
             fake_shown(&v), got);
        if (!j.never)
            CU_ASSERT_STRING_EQUAL(got, priority_cases[i].expect);
        fake_end(&f);
    }
}

static const struct {
    int64_t choice; /* 0: whole, 1: surplus */
    enum gsp_why why;
    bool whole[N];
    const char *expect;
    uint32_t placed; /* of a gang of 3; 0: all and some */
} gang_cases[] = {
    { 0, GSP_PREEMPT, { true, false, true }, "---" },
    { 0, GSP_RECLAIM, { true, true, true }, "---" },
    { 1, GSP_PREEMPT, { true, false, true }, ".v." },
    { 1, GSP_RECLAIM, { false, false, true }, "vv." },
    { 1, GSP_RECLAIM, { true, true, true }, "..." },
    { 1, GSP_PREEMPT, { false, false, false }, "...", 2 }, /* not all of it */
    { 0, GSP_PREEMPT, { false, false, false }, "---", 2 },
};

static void test_gang(void)
{
    const struct gsp_module *m = gsched_module_find("gang");

    for (size_t i = 0; i < N_ELEMENTS(gang_cases); i++) {
        const union gsp_value value[GSCHED_PARAMS_MAX] = {
            { .whole = 0 }, { .whole = gang_cases[i].choice }
        };
        const struct gsp_job j = {
            .gang = 3, .placed = gang_cases[i].placed ? gang_cases[i].placed : 5
        };
        struct fake_victims v = { .count = N };
        struct fake f;
        char got[N + 1];

        fake_start(&f);
        for (uint32_t k = 0; k < N; k++)
            v.one[k] =
                (struct fake_victim){ &j, gang_cases[i].whole[k], { 0 } };
        show(m, fake_module(&f, m, value), gang_cases[i].why, &j,
             fake_shown(&v), got);
        CU_ASSERT_STRING_EQUAL(got, gang_cases[i].expect);
        fake_end(&f);
    }
}

static const struct {
    int64_t time, now, started[N];
    const char *expect;
} runtime_cases[] = {
    { 0, 100, { 0, 99, 100 }, "---" },
    { 10, 100, { 89, 90, 91 }, "vv." },
    { 10, 100, { 0, 100, GSP_NEVER }, "v.." },
    { GSP_NEVER, 100, { 0, 50, 100 }, "..." },
    { 1, 100, { 100, 99, 98 }, ".vv" },
};

static void test_min_runtime(void)
{
    const struct gsp_module *m = gsched_module_find("min-runtime");

    for (size_t i = 0; i < N_ELEMENTS(runtime_cases); i++) {
        const union gsp_value value[GSCHED_PARAMS_MAX] = {
            { .whole = runtime_cases[i].time }
        };
        const struct gsp_job j = { .id = 0 };
        struct gsp_job other[N] = { { .id = 1 } };
        struct fake_victims v = { .count = N };
        struct fake f;
        char got[N + 1];
        void *self;

        fake_start(&f);
        f.now = runtime_cases[i].now;
        for (uint32_t k = 0; k < N; k++) {
            other[k].started = runtime_cases[i].started[k];
            v.one[k].job = &other[k];
        }
        self = fake_module(&f, m, value);
        show(m, self, GSP_PREEMPT, &j, fake_shown(&v), got);
        CU_ASSERT_STRING_EQUAL(got, runtime_cases[i].expect);
        show(m, self, GSP_RECLAIM, &j, fake_shown(&v), got);
        CU_ASSERT_STRING_EQUAL(got, runtime_cases[i].expect);
        fake_end(&f);
    }
}

#define G INT64_C(1000000000)
#define GI (INT64_C(1) << 30)

/* cpu in thousandths, memory in bytes, gpu in thousandths */
static const struct {
    double factor;
    int64_t total[3], used[3], entered[3], minimum[3];
    bool expect;
} overcommit_cases[] = {
    /* vc-overcommit-01, -02, -04 */
    { 1.2, { 6000, 20 * GI, 0 }, { 0 }, { 0 }, { 2000, 2 * G, 0 }, true },
    { 0.8, { 6000, 20 * GI, 0 }, { 0 }, { 0 }, { 2000, 2 * G, 0 }, true },
    { 1.2, { 6000, 20 * GI, 0 }, { 0 }, { 0 }, { 0 }, true },
    /* 10 x 1.2 = 12 */
    { 1.2, { 0, 0, 10000 }, { 0 }, { 0 }, { 0, 0, 12000 }, true },
    { 1.2, { 0, 0, 10000 }, { 0 }, { 0 }, { 0, 0, 12001 }, false },
    { 1.2, { 0, 0, 10000 }, { 0, 0, 8000 }, { 0 }, { 0, 0, 4000 }, true },
    { 1.2, { 0, 0, 10000 }, { 0, 0, 8000 }, { 0 }, { 0, 0, 5000 }, false },
    { 1.2,
      { 0, 0, 10000 },
      { 0, 0, 8000 },
      { 0, 0, 2000 },
      { 0, 0, 2000 },
      true },
    { 1.2,
      { 0, 0, 10000 },
      { 0, 0, 8000 },
      { 0, 0, 3000 },
      { 0, 0, 2000 },
      false },
    /* below 1 is 1.2; 1 and 2 are what they say */
    { 0.8, { 0, 0, 10000 }, { 0 }, { 0 }, { 0, 0, 12001 }, false },
    { 1, { 0, 0, 10000 }, { 0 }, { 0 }, { 0, 0, 10001 }, false },
    { 2, { 0, 0, 10000 }, { 0 }, { 0 }, { 0, 0, 20000 }, true },
    /* cpu is full, but not asked for */
    { 1.2, { 1000, 0, 10000 }, { 9000, 0, 0 }, { 0 }, { 0, 0, 1000 }, true },
    /* resources that no node has are not refused by a queue */
    { 1.2, { 1000, 0, 0 }, { 0 }, { 0 }, { 0, 0, 1000 }, true },
};

static void test_overcommit(void)
{
    const struct gsp_module *m = gsched_module_find("overcommit");

    for (size_t i = 0; i < N_ELEMENTS(overcommit_cases); i++) {
        const union gsp_value value[GSCHED_PARAMS_MAX] = {
            { .real = overcommit_cases[i].factor }
        };
        struct gsp_job j = { .id = 0 };
        struct fake f;

        fake_start(&f);
        fake_put(f.total, overcommit_cases[i].total);
        fake_add(&f, GSP_NONE, 1);
        fake_add(&f, 0, 1); /* what is below a queue is in its own amounts */
        fake_add(&f, GSP_NONE, 1);
        fake_put(f.queue[0].used, overcommit_cases[i].used);
        fake_put(f.queue[1].used, overcommit_cases[i].used);
        fake_put(f.queue[2].entered, overcommit_cases[i].entered);
        fake_put(j.minimum, overcommit_cases[i].minimum);
        CU_ASSERT_EQUAL(m->enqueue(fake_module(&f, m, value), &j),
                        overcommit_cases[i].expect);
        fake_end(&f);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "priority protects its equals and betters", test_priority },
        { "gang protects gangs at their minimum", test_gang },
        { "min-runtime protects young jobs", test_min_runtime },
        { "overcommit admits up to its factor", test_overcommit },
    };

    return suite_run("policies/victims", suite, N_ELEMENTS(suite));
}
