/* tests/traces/test_model_fit.c - what a workload was drawn from comes back
 * from its fit.
 */
#include <math.h>

#include "base/duration.h"
#include "tests/lib/load_trace.h"
#include "traces/model/model_fit.h"

#define DAY (86400 * GS_SECOND)

#define MODEL                                                                \
    "span: 140d\n"                                                           \
    "arrivals: {process: weibull, shape: 0.6, rate: 10, start: 2d,\n"        \
    "  daily: [1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1, " \
    "1, 1, 1, 1], weekly: [2, 2, 2, 2, 2, 1, 1]}\n"                          \
    "sizes:\n"                                                               \
    "- {gpus: 1, weight: 6, run: 5, duration: {lognormal: {mu: 7, sigma: "   \
    "1.5}}}\n"                                                               \
    "- {gpus: 8, weight: 3, duration: {weibull: {scale: 7200, shape: "       \
    "0.7}}}\n"                                                               \
    "- {gpus: 16, weight: 1, duration: {pareto: {scale: 60, shape: 2}}}\n"   \
    "correlation: 0.6\n"                                                     \
    "estimates: {lognormal: {mu: 1, sigma: 0.3}}\n"                          \
    "queues: [{name: a, weight: 3}, {name: b, weight: 1}]\n"

static void load_model(struct load_trace *l, const char *text, uint64_t seed)
{
    const struct trace_model_draw o = { .seed = seed };
    struct gs_input *in = gs_input_open_memory("m", text, strlen(text));
    const struct trace_model *m;

    load_trace_init(l);
    m = trace_model_read(in, l->arena, &l->err);
    gs_input_close(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    CU_ASSERT_EQUAL_FATAL(trace_model_generate(m, &o, l->w, &l->err), 0);
}

static void near_to(const char *what, double got, double want, double within)
{
    if (!(fabs(got - want) <= within)) {
        printf("\n%s: got %g, want %g\n", what, got, want);
        CU_FAIL("not near");
    }
}

/* Some 33,600 jobs. */
static void test_recovered(void)
{
    const struct trace_fit_options o = { .profile = TRACE_PROFILE_WEEK,
                                         .only = TRACE_DISTRIBUTIONS };
    struct load_trace l;
    struct trace_fit fit;
    const struct trace_model *m = &fit.model;
    const struct trace_model_size *s;

    load_model(&l, MODEL, 3);
    CU_ASSERT_EQUAL_FATAL(trace_fit(l.w, &o, l.arena, &fit, &l.err), 0);
    near_to("rate", m->arrivals.rate, 10, 0.5);
    near_to("shape", m->arrivals.shape, 0.6, 0.02);
    near_to("days", m->arrivals.daily.at[10] / m->arrivals.daily.at[2], 4, 0.6);
    CU_ASSERT_EQUAL(m->task_gpus, 8);
    CU_ASSERT_EQUAL(m->stretch_count, 1);
    CU_ASSERT_EQUAL_FATAL(m->stretch[0].size_count, 3);
    s = m->stretch[0].size;
    near_to("weight", s[0].weight / fit.jobs, 0.6, 0.02);
    near_to("run", s[0].run, 5, 0.4);
    near_to("no run", s[1].run, 1, 0.1);
    CU_ASSERT_EQUAL(s[1].duration.kind, TRACE_WEIBULL);
    near_to("weibull scale", s[1].duration.param[0], 7200, 300);
    near_to("weibull shape", s[1].duration.param[1], 0.7, 0.02);
    CU_ASSERT_EQUAL(s[2].duration.kind, TRACE_PARETO);
    near_to("pareto scale", s[2].duration.param[0], 60, 0.1);
    near_to("pareto shape", s[2].duration.param[1], 2, 0.1);
    near_to("correlation", m->correlation, 0.6 * 0.8, 0.15);
    CU_ASSERT_TRUE(m->has_estimates);
    CU_ASSERT_EQUAL_FATAL(m->queue_count, 2);
    near_to("queue", m->queue[0].weight / fit.jobs, 0.75, 0.01);
    for (uint32_t i = 0; i < fit.row_count; i++) {
        CU_ASSERT_EQUAL(fit.row[i].refused, TRACE_DISTRIBUTIONS);
        CU_ASSERT_TRUE(fit.row[i].distance < 0.03);
    }
    load_trace_fini(&l);
}

/* With only the kind that is asked for. */
static void test_lognormal(void)
{
    const struct trace_fit_options o = { .profile = TRACE_PROFILE_NONE,
                                         .only = TRACE_LOGNORMAL };
    struct load_trace l;
    struct trace_fit fit;
    const struct trace_model_size *s;

    load_model(&l, MODEL, 4);
    CU_ASSERT_EQUAL_FATAL(trace_fit(l.w, &o, l.arena, &fit, &l.err), 0);
    s = fit.model.stretch[0].size;
    CU_ASSERT_EQUAL(s[0].duration.kind, TRACE_LOGNORMAL);
    near_to("mu", s[0].duration.param[0], 7, 0.05);
    near_to("sigma", s[0].duration.param[1], 1.5, 0.04);
    CU_ASSERT_EQUAL(s[2].duration.kind, TRACE_LOGNORMAL);
    CU_ASSERT_EQUAL(fit.model.arrivals.daily.count, 0);
    near_to("mu", fit.model.estimates.param[0], 1, 0.02);
    load_trace_fini(&l);
}

/* Two weeks that differ, and days with many and few. */
static void test_stretches(void)
{
    static const char text[] =
        "span: 14d\n"
        "arrivals: {rate: 60, days: [1, 9, 1, 1, 1, 1, 1]}\n"
        "stretches:\n"
        "- {for: 7d, sizes: [{gpus: 1, weight: 1, duration: {lognormal: {mu: "
        "4, sigma: 1}}}]}\n"
        "- {for: 7d, sizes: [{gpus: 1, weight: 1, duration: {lognormal: {mu: "
        "8, sigma: 1}}}, {gpus: 4, weight: 1, duration: {lognormal: {mu: 2, "
        "sigma: 1}}}]}\n";
    const struct trace_fit_options o = { .profile = TRACE_PROFILE_DAY,
                                         .stretch = 7 * DAY,
                                         .only = TRACE_LOGNORMAL };
    struct load_trace l;
    struct trace_fit fit;
    const struct trace_model *m = &fit.model;

    load_model(&l, text, 1);
    CU_ASSERT_EQUAL_FATAL(trace_fit(l.w, &o, l.arena, &fit, &l.err), 0);
    CU_ASSERT_EQUAL_FATAL(m->stretch_count, 2);
    /* cut at midnight; the trace begins with its first job */
    CU_ASSERT_EQUAL(m->stretch[0].length + m->arrivals.start, 7 * DAY);
    CU_ASSERT_EQUAL(m->stretch[1].length, 7 * DAY);
    CU_ASSERT_EQUAL_FATAL(m->stretch[1].size_count, 2);
    CU_ASSERT_EQUAL(m->task_gpus, 4);
    near_to("first", m->stretch[0].size[0].duration.param[0], 4, 0.1);
    near_to("second", m->stretch[1].size[0].duration.param[0], 8, 0.1);
    near_to("gangs", m->stretch[1].size[1].duration.param[0], 2, 0.1);
    CU_ASSERT_EQUAL_FATAL(m->arrivals.days.count, 14);
    near_to("busy day", m->arrivals.days.at[8] / m->arrivals.days.at[9], 9,
            0.8);
    CU_ASSERT_EQUAL(m->arrivals.process, TRACE_POISSON);
    load_trace_fini(&l);
}

/* What no distribution fits is a table, and the row says which was refused. */
static void test_poor(void)
{
    const struct trace_fit_options o = { .only = TRACE_DISTRIBUTIONS };
    char text[20000] = "jobs:\n";
    struct load_trace l;
    struct trace_fit fit;
    size_t at = strlen(text);

    for (int i = 0; i < 300; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "- {submit: %d, duration: %d, gpus: 1}\n",
                               i * 60,
                               i % 3 == 0   ? 10
                               : i % 3 == 1 ? 500
                                            : 90000);
    CU_ASSERT_EQUAL_FATAL(load_trace_bytes(&l, "t", text, at, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(trace_fit(l.w, &o, l.arena, &fit, &l.err), 0);
    CU_ASSERT_EQUAL_FATAL(fit.row_count, 2);
    CU_ASSERT_EQUAL(fit.row[1].what, TRACE_FIT_DURATION);
    CU_ASSERT_NOT_EQUAL(fit.row[1].refused, TRACE_DISTRIBUTIONS);
    CU_ASSERT_TRUE(fit.row[1].refused_distance > TRACE_FIT_DISTANCE);
    CU_ASSERT_EQUAL(fit.row[1].found->kind, TRACE_QUANTILES);
    CU_ASSERT_FALSE(fit.model.has_estimates);
    load_trace_fini(&l);
}

static void test_refused(void)
{
    static const struct {
        const char *text, *error;
    } refused[] = {
        { "jobs: [{submit: 0, duration: 5, gpus: 1}]",
          "a fit needs two jobs with GPUs that end and come at different times "
          "(for an SWF log: --processors gpu)" },
        { "jobs: [{submit: 0, duration: 5, cpu: 1}, {submit: 5, duration: 5, "
          "cpu: 1}]",
          "a fit needs two jobs with GPUs that end and come at different times "
          "(for an SWF log: --processors gpu)" },
        { "jobs: [{submit: 0, duration: 5, gpus: 1}, {submit: 9000d, duration: "
          "5, gpus: 1}]",
          "the jobs come over more than 3660 days" },
    };
    const struct trace_fit_options o = { .only = TRACE_DISTRIBUTIONS };

    for (size_t i = 0; i < N_ELEMENTS(refused); i++) {
        struct trace_fit fit;
        struct load_trace l;
        char buf[512];

        CU_ASSERT_EQUAL_FATAL(load_trace_bytes(&l, "t", refused[i].text,
                                               strlen(refused[i].text), NULL),
                              0);
        CU_ASSERT_EQUAL(trace_fit(l.w, &o, l.arena, &fit, &l.err), -1);
        CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                               refused[i].error);
        load_trace_fini(&l);
    }
}

static const struct suite_case cases[] = {
    { "a model recovers its parameters", test_recovered },
    { "a fit keeps to the kind that is asked for", test_lognormal },
    { "days and weeks that differ are told", test_stretches },
    { "a poor fit becomes a table", test_poor },
    { "traces that cannot be fitted are refused", test_refused },
};

int main(void)
{
    return suite_run("traces: fit", cases, N_ELEMENTS(cases));
}
