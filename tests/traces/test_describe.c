/* tests/traces/test_describe.c - a workload in a few numbers. */
#include "tests/lib/load_trace.h"
#include "traces/edit/describe.h"

static bool near(double a, double b)
{
    return a - b < 1e-9 && b - a < 1e-9;
}

static void test_numbers(void)
{
    static const char text[] =
        "name,submit,duration,queue,user,replicas,gpus,gpu_share\n"
        "a,0,1h,x,ann,1,1,\n"
        "b,0,2h,x,bob,2,8,\n"
        "c,10,forever,y,ann,1,5,\n"
        "d,1h,30m,y,,1,,0.5\n"
        "e,2h,10s,,,4,,\n";
    struct trace_summary s;
    struct load_trace l;

    CU_ASSERT_EQUAL(load_trace_bytes(&l, "t.csv", text, sizeof(text) - 1, NULL),
                    0);
    trace_describe(l.w, &s);
    CU_ASSERT_EQUAL(s.jobs, 5);
    CU_ASSERT_EQUAL(s.tasks, 9);
    CU_ASSERT_EQUAL(s.gangs, 2);
    CU_ASSERT_EQUAL(s.services, 1);
    CU_ASSERT_EQUAL(s.users, 2);
    CU_ASSERT_EQUAL(s.queues, 3);
    CU_ASSERT_EQUAL(s.span, INT64_C(7200000000));
    CU_ASSERT_EQUAL(s.p50, INT64_C(1800000000));
    CU_ASSERT_EQUAL(s.p90, INT64_C(7200000000));
    CU_ASSERT_EQUAL(s.max, INT64_C(7200000000));
    CU_ASSERT_TRUE(near(s.gpu_hours, 1 + 32 + 0.25));
    CU_ASSERT_TRUE(near(s.mean_gpus, 33.25 / 2));
    CU_ASSERT_EQUAL(s.largest_milli, 16000);
    CU_ASSERT_EQUAL(s.size[TRACE_SIZE_CPU].jobs, 1);
    CU_ASSERT_EQUAL(s.size[TRACE_SIZE_SHARED].jobs, 1);
    CU_ASSERT_EQUAL(s.size[TRACE_SIZE_1].jobs, 1);
    CU_ASSERT_EQUAL(s.size[TRACE_SIZE_2_7].jobs, 1);
    CU_ASSERT_EQUAL(s.size[TRACE_SIZE_9_64].jobs, 1);
    CU_ASSERT_EQUAL(s.top_count, 3);
    CU_ASSERT_STRING_EQUAL(
        gs_strtab_str(l.names, l.w->queue[s.top[0].queue].name), "x");
    CU_ASSERT_TRUE(near(s.top[0].gpu_hours, 33));
    CU_ASSERT_EQUAL(s.top[2].queue, 0);
    load_trace_fini(&l);
}

static void test_sizes(void)
{
    static const struct {
        uint32_t replicas, gpus;
        enum trace_size size;
    } sizes[] = {
        { 1, 0, TRACE_SIZE_CPU },      { 1, 1, TRACE_SIZE_1 },
        { 2, 1, TRACE_SIZE_2_7 },      { 1, 7, TRACE_SIZE_2_7 },
        { 1, 8, TRACE_SIZE_8 },        { 9, 1, TRACE_SIZE_9_64 },
        { 8, 8, TRACE_SIZE_9_64 },     { 65, 1, TRACE_SIZE_65_511 },
        { 511, 1, TRACE_SIZE_65_511 }, { 64, 8, TRACE_SIZE_512 },
    };

    for (size_t i = 0; i < N_ELEMENTS(sizes); i++) {
        char text[100];
        struct load_trace l;

        snprintf(text, sizeof(text), "submit,duration,replicas,gpus\n0,1,%u,%u",
                 sizes[i].replicas, sizes[i].gpus);
        CU_ASSERT_EQUAL(load_trace_bytes(&l, "t.csv", text, strlen(text), NULL),
                        0);
        CU_ASSERT_EQUAL(trace_job_size(l.w, 0), sizes[i].size);
        load_trace_fini(&l);
    }
}

/* The ten largest queues, largest first. */
static void test_top(void)
{
    char text[2000] = "submit,duration,gpus,queue\n";
    struct trace_summary s;
    struct load_trace l;

    for (int i = 0; i < 20; i++)
        snprintf(text + strlen(text), 40, "0,%dh,1,q%02d\n", i * 7 % 20 + 1, i);
    CU_ASSERT_EQUAL(load_trace_bytes(&l, "t.csv", text, strlen(text), NULL), 0);
    trace_describe(l.w, &s);
    CU_ASSERT_EQUAL(s.queues, 20);
    CU_ASSERT_EQUAL(s.top_count, TRACE_TOP_QUEUES);
    for (int i = 0; i < TRACE_TOP_QUEUES; i++)
        CU_ASSERT_TRUE(near(s.top[i].gpu_hours, 20 - i));
    load_trace_fini(&l);
}

static const struct suite_case cases[] = {
    { "a description counts jobs and GPUs", test_numbers },
    { "jobs are counted by size", test_sizes },
    { "the ten largest queues, largest first", test_top },
};

int main(void)
{
    return suite_run("traces: describe", cases, N_ELEMENTS(cases));
}
