/* tests/traces/test_generate.c - generated workloads: load, mix, and the same
 * jobs on every machine.
 */
#include "base/duration.h"
#include "tests/lib/load_trace.h"
#include "traces/edit/describe.h"
#include "traces/model/generate.h"

static void generate(struct load_trace *l, const struct trace_generator *g)
{
    load_trace_init(l);
    CU_ASSERT_EQUAL(trace_generate(g, l->w, &l->err), 0);
}

/* FNV-1a 64 over the numbers that make a job. */
static uint64_t fingerprint(const struct trace_workload *w)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const uint64_t v[4] = { (uint64_t)j->submit, (uint64_t)j->duration,
                                j->tasks, (uint64_t)trace_job_gpu_milli(w, i) };

        for (size_t k = 0; k < 32; k++)
            h = (h ^ (v[k / 8] >> k % 8 * 8 & 0xff)) * UINT64_C(0x100000001b3);
    }
    return h;
}

static void test_load(void)
{
    const struct trace_generator g = {
        .jobs = 20000, .gpus = 512, .load_milli = 900, .seed = 1
    };
    struct trace_summary s;
    struct load_trace l;

    generate(&l, &g);
    trace_describe(l.w, &s);
    CU_ASSERT_EQUAL(s.jobs, 20000);
    CU_ASSERT_TRUE(s.mean_gpus > 0.97 * 460.8 && s.mean_gpus < 1.03 * 460.8);
    CU_ASSERT_TRUE(s.size[TRACE_SIZE_1].jobs > 9700
                   && s.size[TRACE_SIZE_1].jobs < 10300);
    CU_ASSERT_TRUE(s.size[TRACE_SIZE_8].jobs > 4200
                   && s.size[TRACE_SIZE_8].jobs < 4600);
    /* the median that was asked for, a tenth of the jobs beyond 5.9 times */
    CU_ASSERT_TRUE(s.p50 > 1140 * GS_SECOND && s.p50 < 1260 * GS_SECOND);
    CU_ASSERT_TRUE(s.p90 > 6600 * GS_SECOND && s.p90 < 7600 * GS_SECOND);
    CU_ASSERT_EQUAL(s.largest_milli, 64000);
    load_trace_fini(&l);
}

static void test_same(void)
{
    const struct trace_generator g = { .jobs = 500, .seed = 42 };
    const struct trace_generator other = { .jobs = 500, .seed = 43 };
    struct load_trace a, b, c;

    generate(&a, &g);
    generate(&b, &g);
    generate(&c, &other);
    CU_ASSERT_EQUAL(fingerprint(a.w), fingerprint(b.w));
    CU_ASSERT_NOT_EQUAL(fingerprint(a.w), fingerprint(c.w));
    /* whatever the machine and the compiler */
    CU_ASSERT_EQUAL(fingerprint(a.w), UINT64_C(0x102305c4473ee82f));
    for (uint32_t i = 0; i < a.w->job_count; i++) {
        CU_ASSERT_EQUAL(a.w->job[i].submit % 1000, 0);
        CU_ASSERT_EQUAL(a.w->job[i].duration % 1000, 0);
        CU_ASSERT_TRUE(a.w->job[i].duration > 0);
    }
    load_trace_fini(&a);
    load_trace_fini(&b);
    load_trace_fini(&c);
}

static void test_refused(void)
{
    static const struct trace_mix odd[] = { { 12, 1 } };
    static const struct trace_mix nothing[] = { { 8, 0 } };
    static const struct {
        struct trace_generator g;
        const char *error;
    } refused[] = {
        { { .mix = odd, .mix_count = 1 },
          "a generated job has 1 to 8 GPUs or a multiple of 8 up to 4096 (got "
          "12)" },
        { { .mix = nothing, .mix_count = 1 }, "the mix of sizes is empty" },
        { { .jobs = 300000000 }, "more than 200000000 jobs" },
        { { .median = 1 },
          "durations must have a median of 1 ms to 30 days and a spread of at "
          "most 8" },
    };

    for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
        char buf[512];
        struct load_trace l;

        load_trace_init(&l);
        CU_ASSERT_EQUAL(trace_generate(&refused[i].g, l.w, &l.err), -1);
        CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                               refused[i].error);
        load_trace_fini(&l);
    }
}

static const struct suite_case cases[] = {
    { "a generated trace has the load", test_load },
    { "the same seed generates the same trace", test_same },
    { "bad requests are refused", test_refused },
};

int main(void)
{
    return suite_run("traces: generate", cases, N_ELEMENTS(cases));
}
