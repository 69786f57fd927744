/* tests/traces/test_sample.c - parts of a workload, and two as one. */
#include "base/duration.h"
#include "tests/lib/load_trace.h"
#include "traces/edit/merge.h"
#include "traces/edit/sample.h"

#define TEXT                                                       \
    "jobs:\n"                                                      \
    "- {name: a, submit: 0, duration: 10, gpus: 1}\n"              \
    "- {name: b, submit: 50, duration: 10, gpus: 1, queue: x}\n"   \
    "- {name: c, submit: 60, duration: 10, gpus: 1, queue: x/y}\n" \
    "- {name: d, submit: 99, duration: 10, gpus: 1, queue: xy}\n"

/* The jobs' names and submit times, "b50 c60". */
static const char *told(const struct trace_workload *w, char *buf, size_t size)
{
    size_t at = 0;

    buf[0] = '\0';
    for (uint32_t i = 0; i < w->job_count; i++)
        at += (size_t)snprintf(buf + at, size - at, "%s%s%lld", i ? " " : "",
                               gs_strtab_str(w->names, w->job[i].name),
                               (long long)(w->job[i].submit / GS_SECOND));
    return buf;
}

static void test_windows(void)
{
    static const char *const x[] = { "x" }, *const both[] = { "x/y", "xy" },
                             *const none[] = { "z" };
    static const struct {
        struct trace_sample s;
        const char *left; /* or the error */
        int rc;
    } cases[] = {
        { { .seed = 1 }, "a0 b50 c60 d99", 0 },
        { { .from = 50 * GS_SECOND }, "b0 c10 d49", 0 },
        { { .from = 50 * GS_SECOND, .to = 60 * GS_SECOND }, "b0", 0 },
        { { .to = 60 * GS_SECOND }, "a0 b50", 0 },
        { { .queue = x, .queue_count = 1 }, "b50 c60", 0 },
        { { .queue = both, .queue_count = 2 }, "c60 d99", 0 },
        { { .queue = none, .queue_count = 1 },
          "the trace has no queue 'z'",
          -1 },
        { { .from = 100 * GS_SECOND },
          "none of the 4 jobs is in the sample",
          -1 },
        { { .fraction = 1.5 },
          "a fraction must be more than 0 and at most 1 (got 1.5)",
          -1 },
        { { .fraction = 1 }, "a0 b50 c60 d99", 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct load_trace l;
        char buf[512];

        CU_ASSERT_EQUAL_FATAL(
            load_trace_bytes(&l, "t", TEXT, strlen(TEXT), NULL), 0);
        CU_ASSERT_EQUAL(trace_workload_sample(l.w, &cases[i].s, &l.err),
                        cases[i].rc);
        if (cases[i].rc == 0)
            CU_ASSERT_STRING_EQUAL(told(l.w, buf, sizeof(buf)), cases[i].left)
        else
            CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                                   cases[i].left)
        load_trace_fini(&l);
    }
}

/* A tenth of many, whichever seed; and the same jobs of a shorter trace. */
static void test_fraction(void)
{
    static char text[400000];
    size_t at = (size_t)snprintf(text, sizeof(text), "jobs:\n");
    uint32_t first = 0;

    for (int i = 0; i < 6000; i++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "- {name: job-%d, submit: %d, duration: 1, "
                               "gpus: 1}\n",
                               i, i);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const struct trace_sample s = { .fraction = 0.1, .seed = seed };
        const struct trace_options half = { .limit = 3000 };
        struct load_trace l, part;
        uint32_t early = 0;

        CU_ASSERT_EQUAL_FATAL(load_trace_bytes(&l, "t", text, at, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(load_trace_bytes(&part, "t", text, at, &half), 0);
        CU_ASSERT_EQUAL(trace_workload_sample(l.w, &s, &l.err), 0);
        CU_ASSERT_EQUAL(trace_workload_sample(part.w, &s, &l.err), 0);
        /* within four standard deviations */
        CU_ASSERT_TRUE(l.w->job_count > 507 && l.w->job_count < 693);
        while (l.w->job[early].submit < 3000 * GS_SECOND)
            early++;
        CU_ASSERT_EQUAL(early, part.w->job_count);
        CU_ASSERT_TRUE(seed == 1
                       || first != (uint32_t)(l.w->job[0].submit + early));
        first = (uint32_t)(l.w->job[0].submit + early);
        load_trace_fini(&l);
        load_trace_fini(&part);
    }
}

/* --- merging -------------------------------------------------------------- */

static struct trace_workload *read_more(struct load_trace *l, const char *text)
{
    struct gs_input *in = gs_input_open_memory("u", text, strlen(text));
    const struct trace_options none = { .format = TRACE_AUTO };
    struct trace_workload *w = trace_workload_create(l->arena, l->names,
                                                     &l->dims);
    struct trace_facts facts = { 0 };

    CU_ASSERT_EQUAL_FATAL(trace_read(in, &none, w, &facts, &l->err), 0);
    gs_input_close(in);
    return w;
}

static void test_merge(void)
{
    static const char other[] =
        "priority_classes: {high: {value: 9}}\n"
        "queues: [{name: x, weight: 3}, {name: z, limit: {gpu: 4}}]\n"
        "accounts: [{name: k, parent: l, users: {u: 2}}, {name: l}]\n"
        "qos: {q: {priority: 3}}\n"
        "partitions: {p: {tier: 2}}\n"
        "jobs:\n"
        "- {name: e, submit: 55, duration: 10, queue: z, priority: high, "
        "labels: {app: web}, anti_affinity: [{jobs: {app: web}, within: "
        "rack}], tasks: [{replicas: 2, gpus: 4, cpu: 2}, {gpus: 1, cpu: 2}]}\n"
        "- {name: f, submit: 60, duration: 10, gpus: 1, queue: x}\n";
    struct trace_workload *w;
    struct load_trace l;
    char buf[512], *yaml;

    CU_ASSERT_EQUAL_FATAL(load_trace_bytes(&l, "t", TEXT, strlen(TEXT), NULL),
                          0);
    w = read_more(&l, other);
    CU_ASSERT_EQUAL(trace_workload_merge(l.w, w, GS_SECOND, &l.err), 0);
    trace_workload_destroy(w);
    trace_workload_finish(l.w, 0);
    CU_ASSERT_STRING_EQUAL(told(l.w, buf, sizeof(buf)),
                           "a0 b50 e56 c60 f61 d99");
    yaml = load_trace_yaml(&l);
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "name: x, weight: 3"));
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "limit: {gpu: 4}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "high: {value: 9}"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(yaml, "name: k, parent: l, shares: 1, users: {u: 2}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "q: {priority: 3}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "p: {tier: 2, factor: 1}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "labels: {app: web}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(yaml, "replicas: 2, gpus: 4, cpu: 2"));
    CU_ASSERT_EQUAL(l.w->job[2].tasks, 3);
    free(yaml);
    load_trace_fini(&l);
}

static void test_clash(void)
{
    static const char base[] =
        "priority_classes: {high: {value: 9}}\n"
        "flavors: [{name: f, nodes: {l: v}}]\n"
        "queues: [{name: x, weight: 3},\n"
        "  {name: y, flavors: [{name: f, guarantee: {gpu: 1}}], max_jobs: 2,\n"
        "   user_limits: [{users: [u], max_jobs: 1}]}]\n"
        "accounts: [{name: k, users: {u: 2}}]\n"
        "qos: {q: {priority: 3}}\n"
        "partitions: {p: {tier: 2}}\n"
        "jobs: [{name: a, submit: 0, duration: 1, gpus: 1, queue: x}]\n";
    static const struct {
        const char *text, *error;
    } clash[] = {
        { "queues: [{name: x, weight: 4}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1, queue: x}]\n",
          "the traces define queue 'x' differently" },
        { "flavors: [{name: f, nodes: {l: v}, topology: true}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define flavor 'f' differently" },
        { "flavors: [{name: f, nodes: {l: w}}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define flavor 'f' differently" },
        { "flavors: [{name: f, nodes: {l: v}}]\n"
          "queues: [{name: y, flavors: [{name: f, guarantee: {gpu: 2}}],\n"
          "  max_jobs: 2, user_limits: [{users: [u], max_jobs: 1}]}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define queue 'y' differently" },
        { "flavors: [{name: f, nodes: {l: v}}]\n"
          "queues: [{name: y, flavors: [{name: f, guarantee: {gpu: 1}}],\n"
          "  max_jobs: 2, user_limits: [{groups: [u], max_jobs: 1}]}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define queue 'y' differently" },
        { "priority_classes: {high: {value: 9, preemption: [low]}, low: {value: "
          "1}}\n"
          "jobs: [{name: z, submit: 0, duration: 1, priority: high}]\n",
          "the traces define priority class 'high' differently" },
        { "priority_classes: {high: {value: 8}}\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define priority class 'high' differently" },
        { "accounts: [{name: k, users: {u: 3}}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define a user of account 'k' differently" },
        { "accounts: [{name: k, shares: parent}]\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define account 'k' differently" },
        { "qos: {q: {usage_factor: 2}}\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define QOS 'q' differently" },
        { "partitions: {p: {factor: 2}}\n"
          "jobs: [{name: g, submit: 0, duration: 1, gpus: 1}]\n",
          "the traces define partition 'p' differently" },
        { "jobs: [{name: a, submit: 0, duration: 1, gpus: 1}]\n",
          "both traces have a job called 'a'" },
    };

    for (size_t i = 0; i < N_ELEMENTS(clash); i++) {
        struct trace_workload *w;
        struct load_trace l;
        char buf[512];

        CU_ASSERT_EQUAL_FATAL(
            load_trace_bytes(&l, "t", base, strlen(base), NULL), 0);
        w = read_more(&l, clash[i].text);
        CU_ASSERT_EQUAL(trace_workload_merge(l.w, w, 0, &l.err), -1);
        CU_ASSERT_STRING_EQUAL(gs_err_format(&l.err, 0, buf, sizeof(buf)),
                               clash[i].error);
        CU_ASSERT_EQUAL(l.w->job_count, 1);
        trace_workload_destroy(w);
        load_trace_fini(&l);
    }
}

static const struct suite_case cases[] = {
    { "a window keeps its jobs", test_windows },
    { "a fraction keeps the same jobs of any length", test_fraction },
    { "merged traces keep all jobs", test_merge },
    { "traces that clash are refused", test_clash },
};

int main(void)
{
    return suite_run("traces: sample and merge", cases, N_ELEMENTS(cases));
}
