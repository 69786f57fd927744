/* tests/traces/test_model.c - models: read and written back, what is refused,
 * and what is drawn from them.
 */
#include <math.h>

#include "base/duration.h"
#include "tests/lib/load_trace.h"
#include "traces/model/model.h"

#define HOUR (3600 * GS_SECOND)
#define DAY (24 * HOUR)

static const struct trace_model *model_read(struct load_trace *l,
                                            const char *text)
{
    struct gs_input *in = gs_input_open_memory("m", text, strlen(text));
    const struct trace_model *m = trace_model_read(in, l->arena, &l->err);

    gs_input_close(in);
    return m;
}

static const struct trace_model *weekly(struct load_trace *l)
{
    struct gs_input *in = gs_input_open("tests/data/model/weekly.yaml",
                                        &l->err);
    const struct trace_model *m = NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    m = trace_model_read(in, l->arena, &l->err);
    gs_input_close(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

static char *written(const struct trace_model *m)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    CU_ASSERT_EQUAL(trace_model_write(out, m, NULL), 0);
    fclose(out);
    return text;
}

static void draw(struct load_trace *l, const char *text,
                 const struct trace_model_draw *o)
{
    const struct trace_model *m;

    load_trace_init(l);
    m = text ? model_read(l, text) : weekly(l);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT_EQUAL(trace_model_generate(m, o, l->w, &l->err), 0);
}

static void test_back(void)
{
    struct load_trace l;
    const struct trace_model *m;
    char *once, *twice;

    load_trace_init(&l);
    m = weekly(&l);
    /* 1 + shape + 23 + 6 + correlation + a queue, a table of 2, sizes 2 + 1,
       durations 2 + 2 + 2 + 2 + 5, a run */
    CU_ASSERT_EQUAL(trace_model_params(m), 33 + 2 + 3 + 13 + 1);
    once = written(m);
    m = model_read(&l, once);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    twice = written(m);
    CU_ASSERT_STRING_EQUAL(once, twice);
    CU_ASSERT_EQUAL(m->stretch_count, 2);
    CU_ASSERT_EQUAL(m->stretch[0].size[2].gpu_milli, 500);
    CU_ASSERT_EQUAL(m->arrivals.start, 30 * HOUR);
    CU_ASSERT_STRING_EQUAL(m->queue[1].name, "speech/asr");
    free(once);
    free(twice);
    load_trace_fini(&l);
}

#define HEAD "span: 1d\narrivals: {rate: 5}\n"
#define SIZE(d) HEAD "sizes: [{gpus: 1, weight: 1, duration: " d "}]\n"

static void test_refused(void)
{
    static const struct {
        const char *text, *error;
    } refused[] = {
        { "span: 1d\n", "m:1:1: a model needs 'arrivals'" },
        { HEAD, "m:1:1: a model needs 'sizes' or 'stretches'" },
        { "span: 0\n", "m:1:7: 'span' must be 1h to 3660d (got '0')" },
        { "span: 9999d\n", "m:1:7: 'span' must be 1h to 3660d (got '9999d')" },
        { "spam: 1d\n",
          "m:1:1: unknown key 'spam' in a model (did you mean 'span'?)" },
        { "arrivals: {rate: -1}\n",
          "m:1:18: 'rate' must be a number of 1e-06 to 1e+09 (got '-1')" },
        { "arrivals: {rate: nan}\n",
          "m:1:18: 'rate' must be a number of 1e-06 to 1e+09 (got 'nan')" },
        { "arrivals: {rate: [1]}\n",
          "m:1:18: 'rate' must be a number of 1e-06 to 1e+09 (got a list)" },
        { "arrivals: {rate: 1, process: weibull}\n",
          "m:1:11: weibull arrivals need a 'shape'" },
        { "arrivals: {rate: 1, shape: 2}\n",
          "m:1:11: only weibull arrivals have a 'shape'" },
        { "arrivals: {rate: 1, process: cox}\n",
          "m:1:30: 'process' must be poisson or weibull (got 'cox')" },
        { "arrivals: {rate: 1, weekly: [1, 2]}\n",
          "m:1:29: 'weekly' must be a list of 7 to 7 weights, of the days from "
          "Monday (got 2)" },
        { "arrivals: {rate: 1, weekly: [0, 0, 0, 0, 0, 0, 0]}\n",
          "m:1:29: 'weekly' must have a weight above 0" },
        { "arrivals: {rate: 1, start: 8d}\n",
          "m:1:28: 'start' must be the time since Monday's midnight, below 7d "
          "(got '8d')" },
        { HEAD "sizes: []\n",
          "m:3:8: 'sizes' must be a list of 1 to 256 sizes (got 0)" },
        { HEAD "sizes: [{gpus: 1.5}]\n",
          "m:3:16: 'gpus' must be 1 to 65536, or a share such as 0.5 (got "
          "'1.5')" },
        { HEAD "sizes: [{gpus: 99999999}]\n",
          "m:3:16: 'gpus' must be 1 to 65536, or a share such as 0.5 (got "
          "'99999999')" },
        { SIZE("3600"),
          "m:3:40: 'duration' must be a distribution, such as {lognormal: "
          "{mu: 7.1, sigma: 2}}" },
        { SIZE("{normal: {mu: 1}}"),
          "m:3:41: a distribution must be lognormal, weibull, pareto, mixture "
          "or quantiles, with min and max (got 'normal')" },
        { SIZE("{lognormal: {mu: 1}}"),
          "m:3:52: 'lognormal' must be a mapping with its 2 parameters" },
        { SIZE("{lognormal: {mu: 1, sigma: 1e9}}"),
          "m:3:67: 'sigma' must be a number of 1e-06 to 20 (got '1e9')" },
        { SIZE("{lognormal: {mu: 1, s: 2}}"),
          "m:3:52: 'lognormal' needs 'sigma'" },
        { SIZE("{quantiles: [[0.5, 9], [0.5, 10]]}"),
          "m:3:63: the points of 'quantiles' must rise" },
        { SIZE("{quantiles: [[0.5, 0]]}"),
          "m:3:59: 'value' must be a number of 1e-09 to 1e+12 (got '0')" },
        { SIZE("{lognormal: {mu: 1, sigma: 2}, min: 5, max: 4}"),
          "m:3:40: 'min' must be at most 'max'" },
        { SIZE("{lognormal: {mu: 1, sigma: 2}}") "task_gpus: 100000\n",
          "m:4:12: 'task_gpus' must be 1 to 64 (got 100000)" },
        { SIZE(
              "{lognormal: {mu: 1, sigma: 2}}") "stretches: [{for: 1d, sizes: []}]\n",
          "m:4:1: a model has 'sizes' or 'stretches', not both" },
        { HEAD "stretches: [{for: 1d, sizes: [{gpus: 1, weight: 1, duration: "
               "{lognormal: {mu: 1, sigma: 2}}}]}]\nsizes: []\n",
          "m:4:1: a model has 'sizes' or 'stretches', not both" },
        { SIZE(
              "{lognormal: {mu: 1, sigma: 2}}") "queues: [{name: a//b, weight: 1}]\n",
          "m:4:17: 'name' must be a path of at most 8 names, such as a/b/c "
          "(got 'a//b')" },
    };

    for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
        char buf[512];
        struct load_trace l;

        load_trace_init(&l);
        CU_ASSERT_PTR_NULL(model_read(&l, refused[i].text));
        gs_err_format(&l.err, 0, buf, sizeof(buf));
        if (strcmp(buf, refused[i].error) != 0)
            printf("\n got %s\nwant %s\n", buf, refused[i].error);
        CU_ASSERT_STRING_EQUAL(buf, refused[i].error);
        CU_ASSERT_EQUAL(l.err.count, 1);
        load_trace_fini(&l);
    }
}

/* Too many jobs, and none at all. */
static void test_bounded(void)
{
    static const struct {
        const char *text, *error;
    } refused[] = {
        { "span: 3000d\narrivals: {rate: 1e9}\n"
          "sizes: [{gpus: 1, weight: 1, duration: {quantiles: [[1, 1]]}}]\n",
          "the model makes 72000000000000 jobs; the most are 10000000" },
        { "span: 1h\narrivals: {rate: 1, start: 5h, daily: [1, 0, 0, 0, 0, 0, "
          "0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}\n"
          "sizes: [{gpus: 1, weight: 1, duration: {quantiles: [[1, 1]]}}]\n",
          "the weights leave no hour in which jobs could come" },
    };

    for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
        const struct trace_model_draw o = { .seed = 1 };
        const struct trace_model *m;
        struct load_trace l;
        char buf[512];

        load_trace_init(&l);
        m = model_read(&l, refused[i].text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(m);
        CU_ASSERT_EQUAL(trace_model_generate(m, &o, l.w, &l.err), -1);
        CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                               refused[i].error);
        load_trace_fini(&l);
    }
}

static void test_drawn(void)
{
    for (int balanced = 0; balanced < 2; balanced++) {
        const struct trace_model_draw o = {
            .seed = 5, .jobs = 28000, .span = 28 * DAY, .balanced = balanced
        };
        uint32_t second = 0, vision = 0, ones = 0, night = 0, longer = 0;
        struct load_trace l;

        draw(&l, NULL, &o);
        CU_ASSERT_EQUAL_FATAL(l.w->job_count, 28000);
        for (uint32_t i = 0; i < 28000; i++) {
            const struct trace_job *j = &l.w->job[i];
            const int64_t milli = trace_job_gpu_milli(l.w, i);

            CU_ASSERT_TRUE(j->submit >= 0 && j->submit < 28 * DAY);
            CU_ASSERT_EQUAL(j->submit % 1000, 0);
            CU_ASSERT_TRUE(j->estimate >= j->duration);
            CU_ASSERT_EQUAL(j->tasks, milli == 20000 ? 3 : 1);
            second += j->submit >= 14 * DAY;
            CU_ASSERT_EQUAL(j->submit >= 14 * DAY,
                            milli == 20000 || milli == 2000);
            ones += milli == 1000;
            vision += strcmp(gs_strtab_str(l.names, l.w->queue[j->queue].name),
                             "vision")
                      == 0;
            night += (j->submit + 30 * HOUR) / HOUR % 24 < 6;
            longer += milli == 1000 && j->duration > 1097 * GS_SECOND;
        }
        CU_ASSERT_TRUE(second > 13500 && second < 14500);
        CU_ASSERT_TRUE(vision > 20700 && vision < 21300);
        CU_ASSERT_DOUBLE_EQUAL((double)ones / (28000 - second), 0.6, 0.015);
        /* 6 of 96 weights */
        CU_ASSERT_DOUBLE_EQUAL(night / 28000.0, 6 / 96.0, 0.005);
        /* the median is e^7 */
        CU_ASSERT_DOUBLE_EQUAL((double)longer / ones, 0.5, 0.03);
        load_trace_fini(&l);
    }
}

#define PLAIN(rate, mu)                                                    \
    "span: 10d\narrivals: {rate: " rate "}\nsizes:\n"                      \
    "- {gpus: 1, weight: 3, run: 4, duration: {lognormal: {mu: " mu        \
    ", sigma: 1}}}\n- {gpus: 4, weight: 1, duration: {lognormal: {mu: " mu \
    ", sigma: 1}}}\n"

/* The same seed, the same jobs; and each thing has a stream of its own. */
static void test_streams(void)
{
    const struct trace_model_draw o = { .seed = 9, .jobs = 500 };
    const struct trace_model_draw other = { .seed = 10, .jobs = 500 };
    struct load_trace a, b, longer, c;
    uint32_t differ = 0;

    draw(&a, PLAIN("10", "6"), &o);
    draw(&b, PLAIN("10", "6"), &o);
    draw(&longer, PLAIN("10", "8"), &o);
    draw(&c, PLAIN("10", "6"), &other);
    for (uint32_t i = 0; i < 500; i++) {
        const struct trace_job *j = &a.w->job[i], *k = &b.w->job[i];

        CU_ASSERT_EQUAL(j->submit, k->submit);
        CU_ASSERT_EQUAL(j->duration, k->duration);
        k = &longer.w->job[i];
        CU_ASSERT_EQUAL(j->submit, k->submit);
        CU_ASSERT_EQUAL(trace_job_gpu_milli(a.w, i),
                        trace_job_gpu_milli(longer.w, i));
        CU_ASSERT_DOUBLE_EQUAL((double)k->duration / (double)j->duration,
                               exp(2), 0.1);
        differ += j->submit != c.w->job[i].submit;
    }
    CU_ASSERT_TRUE(differ > 490);
    load_trace_fini(&a);
    load_trace_fini(&b);
    load_trace_fini(&longer);
    load_trace_fini(&c);
}

/* Balanced seeds have the same numbers of jobs, and nearly the same work. */
static void test_balanced(void)
{
    for (uint64_t seed = 1; seed < 20; seed++) {
        const struct trace_model_draw o = { .seed = seed, .balanced = true };
        uint32_t ones = 0, day[10] = { 0 };
        double sum = 0;
        struct load_trace l;

        draw(&l, PLAIN("10", "6"), &o);
        CU_ASSERT_EQUAL_FATAL(l.w->job_count, 2400);
        for (uint32_t i = 0; i < 2400; i++) {
            ones += trace_job_gpu_milli(l.w, i) == 1000;
            day[l.w->job[i].submit / DAY]++;
            sum += log((double)l.w->job[i].duration / GS_SECOND);
        }
        CU_ASSERT_TRUE(ones >= 1799 && ones <= 1801);
        for (int d = 0; d < 10; d++)
            CU_ASSERT_TRUE(day[d] >= 239 && day[d] <= 241);
        CU_ASSERT_DOUBLE_EQUAL(sum / 2400, 6, 0.005);
        load_trace_fini(&l);
    }
}

/* As many as rate and time make, more or less; or just so many. */
static void test_counts(void)
{
    const struct trace_model_draw plain = { .seed = 1 };
    const struct trace_model_draw twice = { .seed = 1, .span = 20 * DAY };
    const struct trace_model_draw some = { .seed = 1, .jobs = 240 };
    struct load_trace l;

    draw(&l, PLAIN("10", "6"), &plain);
    CU_ASSERT_TRUE(l.w->job_count > 2250 && l.w->job_count < 2550);
    load_trace_fini(&l);
    draw(&l, PLAIN("10", "6"), &twice);
    CU_ASSERT_TRUE(l.w->job_count > 4600 && l.w->job_count < 5000);
    CU_ASSERT_TRUE(l.w->job[l.w->job_count - 1].submit > 19 * DAY);
    load_trace_fini(&l);
    draw(&l, PLAIN("10", "6"), &some); /* at the model's rate: a day */
    CU_ASSERT_EQUAL(l.w->job_count, 240);
    CU_ASSERT_TRUE(l.w->job[239].submit > 22 * HOUR
                   && l.w->job[239].submit <= DAY);
    load_trace_fini(&l);
}

static const struct suite_case cases[] = {
    { "a model reads back as it was written", test_back },
    { "bad models are refused", test_refused },
    { "too many jobs and none are refused", test_bounded },
    { "jobs are drawn as the model says", test_drawn },
    { "each quantity has a random stream of its own", test_streams },
    { "balanced seeds have nearly the same work", test_balanced },
    { "rate and time give the number of jobs", test_counts },
};

int main(void)
{
    return suite_run("traces: model", cases, N_ELEMENTS(cases));
}
