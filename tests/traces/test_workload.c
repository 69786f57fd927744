/* tests/traces/test_workload.c - jobs, shapes, queues and classes. */
#include <string.h>

#include "tests/lib/load_trace.h"

static uint32_t id(const struct load_trace *l, const char *s)
{
    return gs_strtab_put(l->names, s, strlen(s));
}

static void test_fresh(void)
{
    struct load_trace l;

    load_trace_init(&l);
    CU_ASSERT_EQUAL(l.w->job_count, 0);
    CU_ASSERT_EQUAL(l.w->queue_count, 1);
    CU_ASSERT_EQUAL(trace_queue_find(l.w, id(&l, "default")), 0);
    CU_ASSERT_EQUAL(l.w->queue[0].parent, TRACE_NONE);
    CU_ASSERT_EQUAL(l.w->class_count, 1);
    CU_ASSERT_EQUAL(trace_class_find(l.w, 0), 0);
    CU_ASSERT_TRUE(l.w->klass[0].preempts);
    trace_workload_finish(l.w, 0);
    load_trace_fini(&l);
    trace_workload_destroy(NULL);
}

/* Equal requests are one shape, whatever owns their lists. */
static void test_shapes(void)
{
    struct load_trace l;
    uint32_t shape[200];

    load_trace_init(&l);
    for (uint32_t i = 0; i < 200; i++) {
        uint32_t model = id(&l, "T4");
        const struct topo_request q = { .gpus = i % 50,
                                        .model_count = i % 2,
                                        .model = &model };

        shape[i] = trace_workload_shape(l.w, &q);
        CU_ASSERT_EQUAL(l.w->shape[shape[i]].amount[TOPO_GPU], i % 50 * 1000);
    }
    CU_ASSERT_EQUAL(l.w->shape_count, 50);
    for (uint32_t i = 50; i < 200; i++)
        CU_ASSERT_EQUAL(shape[i], shape[i - 50]);
    CU_ASSERT_EQUAL(l.w->shape[shape[1]].model[0], id(&l, "T4"));
    load_trace_fini(&l);
}

static void test_share(void)
{
    const struct topo_request q = { .share = 250 };
    struct load_trace l;
    uint32_t shape;

    load_trace_init(&l);
    shape = trace_workload_shape(l.w, &q);
    CU_ASSERT_EQUAL(l.w->shape[shape].amount[TOPO_GPU], 250);
    load_trace_fini(&l);
}

static void test_add(void)
{
    const struct topo_request one = { .gpus = 1 }, eight = { .gpus = 8 };
    struct trace_group group[2] = { { .replicas = 3 }, { .replicas = 2 } };
    struct trace_job job = { .group_count = 2 };
    struct load_trace l;

    load_trace_init(&l);
    group[0].shape = trace_workload_shape(l.w, &one);
    group[1].shape = trace_workload_shape(l.w, &eight);
    CU_ASSERT_EQUAL(trace_workload_add(l.w, &job, group), 0);
    job.gang = 4;
    CU_ASSERT_EQUAL(trace_workload_add(l.w, &job, group), 1);
    CU_ASSERT_EQUAL(l.w->job[0].tasks, 5);
    CU_ASSERT_EQUAL(l.w->job[0].gang, 5);
    CU_ASSERT_EQUAL(l.w->job[1].gang, 4);
    CU_ASSERT_EQUAL(l.w->job[1].first_group, 2);
    CU_ASSERT_EQUAL(trace_job_gpu_milli(l.w, 1), 19000);
    load_trace_fini(&l);
}

/* Any order of submission ends sorted, equal times in the order of adding. */
static void test_sort(void)
{
    for (uint32_t n = 1; n < 70; n++) {
        struct load_trace l;
        const struct trace_group group = { .replicas = 1 };
        const struct topo_request none = { .gpus = 0 };

        load_trace_init(&l);
        trace_workload_shape(l.w, &none);
        for (uint32_t i = 0; i < n; i++) {
            const struct trace_job job = { .submit = i * 37 % 11,
                                           .user = i,
                                           .group_count = 1 };

            trace_workload_add(l.w, &job, &group);
        }
        trace_workload_finish(l.w, 0);
        CU_ASSERT_EQUAL(l.w->job_count, n);
        for (uint32_t i = 1; i < n; i++) {
            const struct trace_job *a = &l.w->job[i - 1], *b = a + 1;

            CU_ASSERT_TRUE(a->submit < b->submit
                           || (a->submit == b->submit && a->user < b->user));
        }
        load_trace_fini(&l);
    }
}

/* What is stated aside is kept once, and what one job states is not changed
 * with another's.
 */
static void test_asides(void)
{
    static const struct trace_job_aside aside[] = {
        { .max_wait = 0 }, { .max_wait = 5 },
        { .nice = 5 },     { .max_wait = 5 },
        { .nice = 0 },     { .max_wait = 5, .admitted = true },
    };
    const struct trace_group group = { .replicas = 1 };
    const struct topo_request none = { .gpus = 0 };
    struct trace_job_aside other = { .qos = 7 };
    struct load_trace l;

    load_trace_init(&l);
    trace_workload_shape(l.w, &none);
    for (uint32_t i = 0; i < N_ELEMENTS(aside); i++) {
        struct trace_job_aside own = aside[i];
        const struct trace_job job = { .aside = i ? &own : NULL,
                                       .group_count = 1 };

        CU_ASSERT_EQUAL(trace_workload_add(l.w, &job, &group), i);
    }
    for (uint32_t i = 0; i < N_ELEMENTS(aside); i++) {
        CU_ASSERT_EQUAL(memcmp(l.w->job[i].aside, &aside[i], sizeof(*aside)),
                        0);
        for (uint32_t k = 0; k < N_ELEMENTS(aside); k++)
            CU_ASSERT_EQUAL(l.w->job[i].aside == l.w->job[k].aside,
                            memcmp(&aside[i], &aside[k], sizeof(*aside)) == 0);
    }
    trace_job_aside_set(l.w, 1, &other);
    CU_ASSERT_EQUAL(l.w->job[1].aside->qos, 7);
    CU_ASSERT_EQUAL(l.w->job[3].aside->qos, 0);
    CU_ASSERT_EQUAL(l.w->job[3].aside->max_wait, 5);
    trace_job_aside_set(l.w, 1, NULL);
    CU_ASSERT_PTR_EQUAL(l.w->job[1].aside, l.w->job[0].aside);
    load_trace_fini(&l);
}

static void test_queues(void)
{
    struct load_trace l;
    uint32_t z, b;
    const struct trace_group group = { .replicas = 1 };
    const struct topo_request none = { .gpus = 0 };
    struct trace_job job = { .group_count = 1 };

    load_trace_init(&l);
    z = trace_queue_put(l.w, id(&l, "z"));
    b = trace_queue_put(l.w, id(&l, "a/b/c"));
    CU_ASSERT_EQUAL(l.w->queue_count, 5);
    CU_ASSERT_EQUAL(trace_queue_put(l.w, id(&l, "z")), z);
    CU_ASSERT_EQUAL(l.w->queue[b].parent, trace_queue_find(l.w, id(&l, "a/b")));
    CU_ASSERT_EQUAL(trace_queue_find(l.w, id(&l, "nope")), TRACE_NONE);
    trace_workload_shape(l.w, &none);
    job.queue = z;
    trace_workload_add(l.w, &job, &group);
    trace_workload_finish(l.w, 0);

    /* default, a, a/b, a/b/c, z */
    CU_ASSERT_EQUAL(trace_queue_find(l.w, id(&l, "default")), 0);
    CU_ASSERT_EQUAL(trace_queue_find(l.w, id(&l, "a")), 1);
    CU_ASSERT_EQUAL(trace_queue_find(l.w, id(&l, "a/b/c")), 3);
    CU_ASSERT_EQUAL(l.w->queue[3].parent, 2);
    CU_ASSERT_EQUAL(l.w->queue[1].parent, TRACE_NONE);
    CU_ASSERT_EQUAL(l.w->job[0].queue, 4);
    load_trace_fini(&l);
}

static void test_queue_names(void)
{
    static const struct {
        const char *name;
        bool ok;
    } names[] = {
        { "a", true },
        { "a/b/c", true },
        { "", false },
        { "/a", false },
        { "a/", false },
        { "a//b", false },
        { "/", false },
        { "1/2/3/4/5/6/7/8", true },
        { "1/2/3/4/5/6/7/8/9", false },
    };

    for (size_t i = 0; i < N_ELEMENTS(names); i++)
        CU_ASSERT_EQUAL(trace_queue_name_ok(names[i].name), names[i].ok);
}

static void test_classes(void)
{
    struct load_trace l;
    uint32_t k;

    load_trace_init(&l);
    k = trace_class_put(l.w, id(&l, "production"));
    CU_ASSERT_EQUAL(trace_class_put(l.w, id(&l, "production")), k);
    CU_ASSERT_EQUAL(trace_class_value(l.w, 0), 0);
    k = trace_class_value(l.w, INT32_MIN);
    CU_ASSERT_EQUAL(l.w->klass[k].value, INT32_MIN);
    CU_ASSERT_EQUAL(l.w->klass[k].name, id(&l, "-2147483648"));
    CU_ASSERT_EQUAL(trace_class_value(l.w, INT32_MIN), k);
    load_trace_fini(&l);
}

static const struct suite_case cases[] = {
    { "a fresh workload is empty", test_fresh },
    { "equal requests are one request class", test_shapes },
    { "a share counts in thousandths", test_share },
    { "jobs are added with their tasks and gang", test_add },
    { "jobs are sorted by submission", test_sort },
    { "what is stated aside is kept once", test_asides },
    { "queues form a tree", test_queues },
    { "names of queues are found", test_queue_names },
    { "priority classes are found", test_classes },
};

int main(void)
{
    return suite_run("traces: workload", cases, N_ELEMENTS(cases));
}
