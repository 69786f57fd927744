/* tests/reports/test_log.c - the log gives back what it was told of a job. */
#include <string.h>

#include "tests/lib/rig.h"
#include "tests/lib/suite.h"

static bool is_same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_same(const struct report_job *a, const struct report_job *b)
{
    return a->job == b->job && a->state == b->state && a->cause == b->cause
           && a->evictions == b->evictions && a->preemptions == b->preemptions
           && a->level == b->level && a->start == b->start && a->end == b->end
           && is_same_text(a->scheduler, b->scheduler)
           && is_same_text(a->reason, b->reason) && a->ran == b->ran
           && a->held == b->held && a->work == b->work
           && a->lost_gpu_us == b->lost_gpu_us;
}

/* A job that ran from 2 to 9, but for one member. */
#define RAN .state = REPORT_DONE, .level = 1, .start = 2, .end = 9
#define ALL .ran = 7, .work = 7

static const struct report_job told[] = {
    { RAN, ALL },
    { RAN, ALL, .cause = REPORT_ORDER },
    { RAN, .ran = 6, .work = 7 },
    { RAN, .ran = 7, .work = 6 },
    { RAN, ALL, .held = 3 },
    { RAN, ALL, .lost_gpu_us = 8 },
    { RAN, ALL, .evictions = 1 },
    { RAN, ALL, .preemptions = 1 },
    { RAN, ALL, .scheduler = "other" },
    { RAN, ALL, .reason = "withdrawn" },
    { .state = REPORT_RUNNING, .start = 2, .end = -1, .ran = 7, .work = 7 },
    { .state = REPORT_RUNNING, .start = 2, .end = -1 },
    { .state = REPORT_PENDING,
      .level = UINT32_MAX,
      .start = -1,
      .end = -1,
      .held = INT64_MAX },
    { .state = REPORT_FAILED, .level = UINT32_MAX, .start = -1, .end = 0 },
};

static void test_outcomes(void)
{
    struct rig r;

    rig_init(&r);
    for (size_t i = 0; i <= N_ELEMENTS(told); i++)
        rig_job(&r, "a", 0, 7, 1, 1);
    rig_begin(&r, false);
    for (size_t i = N_ELEMENTS(told); i-- > 0;) { /* in any order */
        struct report_job j = told[i];

        j.job = (uint32_t)i;
        r.log->observer.ended(r.log, 9, &j);
    }
    for (size_t i = 0; i < N_ELEMENTS(told); i++) {
        struct report_job j = told[i];
        struct report_job got = report_log_job(r.log, (uint32_t)i);

        j.job = (uint32_t)i;
        CU_ASSERT(is_same(&got, &j));
        if (!is_same(&got, &j))
            printf("  outcome %zu differs\n", i);
        report_log_reason(r.log, (uint32_t)i, "another");
        got = report_log_job(r.log, (uint32_t)i);
        j.reason = "another";
        CU_ASSERT(is_same(&got, &j));
    }
    CU_ASSERT_EQUAL(report_log_job(r.log, (uint32_t)N_ELEMENTS(told)).state,
                    REPORT_PENDING);
    CU_ASSERT_EQUAL(report_log_job(r.log, (uint32_t)N_ELEMENTS(told)).level,
                    UINT32_MAX);
    rig_fini(&r);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "an outcome is what was told, whatever is rare", test_outcomes },
    };

    return suite_run("reports/log", cases, N_ELEMENTS(cases));
}
