/* tests/traces/test_scale.c - submit times and durations by a factor. */
#include <math.h>

#include "base/duration.h"
#include "tests/lib/load_trace.h"
#include "traces/edit/scale.h"

#define TEXT                                                       \
    "jobs:\n"                                                      \
    "  - {name: a, submit: 0, duration: 1h, gpus: 1}\n"            \
    "  - {name: b, submit: 1us, duration: 1h, gpus: 1}\n"          \
    "  - {name: c, submit: 2us, duration: forever, gpus: 1}\n"     \
    "  - {name: d, submit: 3h, duration: 1h, estimate: 2h, gpus: " \
    "1}\n"

static void read_jobs(struct load_trace *l, const char *text)
{
    CU_ASSERT_EQUAL_FATAL(load_trace_bytes(l, "t", text, strlen(text), NULL),
                          0);
}

static void test_load(void)
{
    static const struct {
        double factor;
        int64_t submit[4];
    } to[] = {
        { 1, { 0, 1, 2, 10800 * GS_SECOND } },
        { 1.5, { 0, 1, 1, 7200 * GS_SECOND } },
        { 0.5, { 0, 2, 4, 21600 * GS_SECOND } },
        { 1000, { 0, 0, 0, 10800 * GS_SECOND / 1000 } },
    };

    for (size_t i = 0; i < N_ELEMENTS(to); i++) {
        struct load_trace l;

        read_jobs(&l, TEXT);
        CU_ASSERT_EQUAL(trace_workload_scale_load(l.w, to[i].factor, &l.err),
                        0);
        for (uint32_t k = 0; k < 4; k++) {
            CU_ASSERT_EQUAL(l.w->job[k].submit, to[i].submit[k]);
            CU_ASSERT_STRING_EQUAL(gs_strtab_str(l.names, l.w->job[k].name),
                                   ((const char[]){ (char)('a' + k), 0 }));
        }
        CU_ASSERT_EQUAL(l.w->job[3].duration, 3600 * GS_SECOND);
        load_trace_fini(&l);
    }
}

static void test_durations(void)
{
    struct load_trace l;

    read_jobs(&l, TEXT);
    CU_ASSERT_EQUAL(trace_workload_scale_durations(l.w, 0.25, &l.err), 0);
    CU_ASSERT_EQUAL(l.w->job[0].duration, 900 * GS_SECOND);
    CU_ASSERT_EQUAL(l.w->job[2].duration, TRACE_FOREVER);
    CU_ASSERT_EQUAL(l.w->job[3].estimate, 1800 * GS_SECOND);
    CU_ASSERT_EQUAL(l.w->job[3].submit, 10800 * GS_SECOND);
    load_trace_fini(&l);
}

static void test_refused(void)
{
    static const double odd[] = { 0, -1, 0.0009, 1001, NAN, INFINITY };
    char buf[512];
    struct load_trace l;

    for (size_t i = 0; i < N_ELEMENTS(odd); i++) {
        read_jobs(&l, TEXT);
        CU_ASSERT_EQUAL(trace_workload_scale_load(l.w, odd[i], &l.err), -1);
        CU_ASSERT_EQUAL(l.err.code, GS_USAGE);
        CU_ASSERT_EQUAL(trace_workload_scale_durations(l.w, odd[i], NULL), -1);
        CU_ASSERT_EQUAL(l.w->job[3].submit, 10800 * GS_SECOND);
        load_trace_fini(&l);
    }
    read_jobs(&l, "jobs: [{name: a, submit: 0, duration: 1, gpus: 1},"
                  "{name: far, submit: 10000000d, duration: 10000000d,"
                  " gpus: 1}]");
    CU_ASSERT_EQUAL(trace_workload_scale_load(l.w, 0.5, &l.err), -1);
    CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                           "job 'far': its submit time would be more than "
                           "36500 years");
    CU_ASSERT_EQUAL(trace_workload_scale_durations(l.w, 2, NULL), -1);
    CU_ASSERT_EQUAL(l.w->job[1].submit, 86400 * GS_SECOND * 10000000);
    CU_ASSERT_EQUAL(l.w->job[0].duration, GS_SECOND);
    load_trace_fini(&l);
}

static const struct suite_case cases[] = {
    { "a load scales arrivals", test_load },
    { "durations are scaled", test_durations },
    { "bad factors are refused", test_refused },
};

int main(void)
{
    return suite_run("traces: scale", cases, N_ELEMENTS(cases));
}
