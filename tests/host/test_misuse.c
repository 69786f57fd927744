/* tests/host/test_misuse.c - mistakes of a host: each is refused in every
 * build, says why and changes nothing.
 */
#include <string.h>

#include "base/array.h"
#include "policies/profile/profile.h"
#include "tests/host/caller.h"

#define REFUSED(h, call, why)                                              \
    do {                                                                   \
        const uint64_t version = topo_cluster_version((h)->cluster);       \
        CU_ASSERT_EQUAL((call), -1);                                       \
        CU_ASSERT_PTR_NOT_NULL_FATAL(gsched_refusal((h)->sched));          \
        CU_ASSERT_PTR_NOT_NULL(strstr(gsched_refusal((h)->sched), (why))); \
        CU_ASSERT_EQUAL(topo_cluster_version((h)->cluster), version);      \
        CU_ASSERT(caller_agrees(h));                                       \
    } while (0)

/* Jobs: one runs on n0, one is pending, one is over and one does not exist. */
enum { RUNS, WAITS, OVER, ABSENT, UNKNOWN };

static void stage(struct caller *h, const char *preset)
{
    caller_init(h, preset, 1);
    (void)caller_add(h, 1, 4, 0, 2); /* of the five pairs there are */
    (void)caller_add(h, 1, 2, 0, 2);
    (void)caller_add(h, 1, 1, 0, 1);
    (void)caller_add(h, 1, 2, 0, 1);
    CU_ASSERT_EQUAL(caller_submit(h, OVER, 1, 5), 0);
    CU_ASSERT_EQUAL(caller_end(h, OVER, 5), 0);
    CU_ASSERT_EQUAL(caller_submit(h, RUNS, 4, 10), 0);
    h->now = 10;
    (void)caller_cycle(h);
    CU_ASSERT_EQUAL(h->job[RUNS].placed, 4);
    CU_ASSERT_EQUAL(caller_submit(h, WAITS, 1, 10), 0);
    CU_ASSERT(caller_agrees(h));
}

static void jobs_refused(struct caller *h)
{
    REFUSED(h, gsched_submit(h->sched, RUNS, 4, 10), "submitted before");
    REFUSED(h, gsched_submit(h->sched, WAITS, 1, 10), "submitted before");
    REFUSED(h, gsched_submit(h->sched, OVER, 1, 10), "submitted before");
    REFUSED(h, gsched_submit(h->sched, UNKNOWN, 1, 10), "no such job");
    REFUSED(h, gsched_submit(h->sched, UINT32_MAX, 1, 10), "no such job");
    REFUSED(h, gsched_submit(h->sched, ABSENT, 3, 10), "more tasks");
    REFUSED(h, gsched_submit(h->sched, ABSENT, 2, 9), "backwards");
    REFUSED(h, gsched_submit(h->sched, ABSENT, 2, INT64_MAX), "too late");
    REFUSED(h, gsched_tasks_created(h->sched, WAITS, 3, 10), "more tasks");
    REFUSED(h, gsched_tasks_created(h->sched, WAITS, 1, 10), "than before");
    REFUSED(h, gsched_tasks_created(h->sched, WAITS, 2, 9), "backwards");
    REFUSED(h, gsched_tasks_created(h->sched, OVER, 1, 10), "over");
    REFUSED(h, gsched_tasks_created(h->sched, ABSENT, 1, 10), "not submitted");
    REFUSED(h, gsched_task_ended(h->sched, WAITS, 0, 1, 10), "one by one");
    REFUSED(h, gsched_task_ended(h->sched, RUNS, 999, 4, 10), "one by one");
    REFUSED(h, gsched_task_ended(h->sched, OVER, 0, 1, 10), "over");
    REFUSED(h, gsched_end(h->sched, OVER, 10), "over");
    REFUSED(h, gsched_end(h->sched, ABSENT, 10), "not submitted");
    REFUSED(h, gsched_end(h->sched, UNKNOWN, 10), "not submitted");
    REFUSED(h, gsched_end(h->sched, RUNS, 9), "backwards");
    CU_ASSERT(gsched_is_over(h->sched, OVER));
    CU_ASSERT(!gsched_is_over(h->sched, RUNS));
    CU_ASSERT(!gsched_is_over(h->sched, ABSENT));
    REFUSED(h, gsched_estimate(h->sched, OVER, 1), "over");
    REFUSED(h, gsched_estimate(h->sched, ABSENT, 1), "not submitted");
    REFUSED(h, gsched_estimate(h->sched, RUNS, -1), "below 0");
    REFUSED(h, gsched_lost(h->sched, WAITS, 10), "nothing");
    REFUSED(h, gsched_lost(h->sched, OVER, 10), "over");
    REFUSED(h, gsched_lost(h->sched, UNKNOWN, 10), "not submitted");
    REFUSED(h, gsched_lost_part(h->sched, RUNS, CALLER_NODES, 0, 10),
            "nothing there");
    REFUSED(h,
            gsched_lost_part(h->sched, RUNS, h->job[RUNS].span[0].node, 0, 10),
            "cannot spare");
}

static void nodes_refused(struct caller *h)
{
    const struct caller_holding *held = &h->job[RUNS].span[0];
    const uint32_t taken = (uint32_t)__builtin_ctzll(held->devices);

    REFUSED(h, gsched_node_cordoned(h->sched, CALLER_NODES, 10),
            "no such node");
    REFUSED(h, gsched_node_uncordoned(h->sched, UINT32_MAX, 10),
            "no such node");
    REFUSED(h, gsched_node_cordoned(h->sched, 0, 9), "backwards");
    REFUSED(h, gsched_gpu_failed(h->sched, 2, 2, 10), "no such GPU");
    REFUSED(h, gsched_gpu_failed(h->sched, 0, 64, 10), "no such GPU");
    REFUSED(h, gsched_gpu_repaired(h->sched, 0, 4, 10), "no such GPU");
    REFUSED(h, gsched_gpu_failed(h->sched, held->node, taken, 10), "hold");
    REFUSED(h, gsched_mix_set(h->sched, NULL), "first cycle");
}

static void adopts_refused(struct caller *h)
{
    const struct caller_holding *held = &h->job[RUNS].span[0];
    uint32_t node = 0;
    struct topo_grant g = { .tasks = 1 }, bad;

    while (topo_domain_free(h->cluster, 0, TOPO_GPU) == 0
           || !topo_device_is_free(h->cluster, node, 0)) {
        if (topo_device_is_free(h->cluster, node, caller_gpus[node] - 1))
            break;
        node++;
    }
    g.node = node;
    g.devices = UINT64_C(3) << (caller_gpus[node] - 2);
    bad = (struct topo_grant){ held->node, 1, held->devices, 0, false };
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10), "somebody");
    bad = (struct topo_grant){ CALLER_NODES, 1, 3, 0, false };
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10),
            "no such node");
    bad = (struct topo_grant){ 2, 1, 6, 0, false };
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10), "somebody");
    bad = (struct topo_grant){ node, 1, 1, 0, false };
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10), "somebody");
    bad = g;
    bad.tasks = 0;
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10), "nothing");
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, NULL, 10, 10), "nothing");
    bad.tasks = 2;
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10),
            "do not exist");
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 1, &g, 10, 10), "do not exist");
    REFUSED(h, gsched_adopt(h->sched, WAITS, 1, 0, &g, 10, 10),
            "no such group");
    REFUSED(h, gsched_adopt(h->sched, RUNS, 0, 0, &g, 10, 10), "once");
    REFUSED(h, gsched_adopt(h->sched, RUNS, 0, 4, &g, 10, 10), "do not exist");
    REFUSED(h, gsched_adopt(h->sched, OVER, 0, 0, &g, 10, 10), "over");
    REFUSED(h, gsched_adopt(h->sched, ABSENT, 0, 0, &g, 10, 10),
            "not submitted");
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &g, 9, 9), "backwards");
}

static void asked_of_nobody(struct caller *h)
{
    uint32_t count = 7, at = GSCHED_FIRST;
    struct gsched_decision d;

    CU_ASSERT_PTR_NULL(gsched_cycle(h->sched, 9, &count));
    CU_ASSERT_EQUAL(count, 0);
    CU_ASSERT_PTR_NULL(gsched_cycle(h->sched, 10, NULL));
    for (uint32_t step = 0; step < 4; step++) {
        static const uint32_t job[] = { RUNS,   WAITS,   OVER,
                                        ABSENT, UNKNOWN, UINT32_MAX };

        for (size_t i = 0; i < N_ELEMENTS(job); i++)
            gsched_expect_end(h->sched, job[i], step);
        gsched_expect_end(NULL, RUNS, step);
    }
    CU_ASSERT_PTR_NULL(gsched_waits(h->sched, UNKNOWN, 10));
    CU_ASSERT_PTR_NULL(gsched_waits(h->sched, WAITS, 9));
    CU_ASSERT_PTR_NOT_NULL(gsched_waits(h->sched, WAITS, 10));
    CU_ASSERT_EQUAL(gsched_placed(h->sched, UNKNOWN), 0);
    CU_ASSERT_EQUAL(gsched_placed(h->sched, UINT32_MAX), 0);
    CU_ASSERT_EQUAL(gsched_wait_cause(h->sched, UNKNOWN), GSCHED_NO_CAUSE);
    CU_ASSERT_EQUAL(gsched_promised(h->sched, UNKNOWN), GSCHED_NEVER);
    CU_ASSERT(!gsched_can_spare(h->sched, UNKNOWN, 0, 0));
    CU_ASSERT(!gsched_could_place(h->sched, h->work->shape_count));
    CU_ASSERT(!gsched_next_allocation(h->sched, UNKNOWN, &at, &d));
    at = 1u << 20;
    CU_ASSERT(!gsched_next_allocation(h->sched, RUNS, &at, &d));
    CU_ASSERT(!gsched_next_on(h->sched, CALLER_NODES, &at, &d));
    CU_ASSERT_PTR_NULL(gsched_queue_used(h->sched, h->late_queue));
    CU_ASSERT_PTR_NULL(gsched_queue_asked(h->sched, UINT32_MAX));
    CU_ASSERT_EQUAL(gsched_nodes_wanted(h->sched, UINT32_MAX, 5), 0);
    CU_ASSERT(caller_agrees(h));
}

static void test_refused(void)
{
    for (size_t i = 0; i < CALLER_PRESETS; i++) {
        struct caller h;

        stage(&h, caller_presets[i]);
        jobs_refused(&h);
        nodes_refused(&h);
        adopts_refused(&h);
        asked_of_nobody(&h);
        CU_ASSERT_EQUAL(caller_end(&h, RUNS, 20), 0);
        h.now = 20;
        CU_ASSERT_EQUAL(gsched_tasks_created(h.sched, WAITS, 2, 20), 0);
        (void)caller_cycle(&h);
        CU_ASSERT_EQUAL(h.job[WAITS].placed, 2);
        caller_fini(&h);
    }
}

/* A queue, a class and a resource after the scheduler was made. */
static void test_workload_grew(void)
{
    for (size_t i = 0; i < CALLER_PRESETS; i++) {
        struct caller h;
        uint32_t job;

        caller_init(&h, caller_presets[i], 1);
        for (uint32_t q = 0; q < 40; q++) {
            const char text[] = { 'q', (char)('0' + q), '\0' };

            (void)trace_queue_put(h.work, caller_name(&h, text));
            (void)trace_class_value(h.work, (int32_t)q + 100);
        }
        job = caller_add(&h, 1, 1, 0, 1);
        h.work->job[job].queue = h.work->queue_count - 1;
        REFUSED(&h, caller_submit(&h, job, 1, 0), "queue was added after");
        h.work->job[job].queue = 0;
        h.work->job[job].klass = h.work->class_count - 1;
        REFUSED(&h, caller_submit(&h, job, 1, 0), "class was added after");
        h.work->job[job].klass = h.late_class - 1;
        CU_ASSERT_EQUAL(caller_submit(&h, job, 1, 0), 0);
        (void)caller_cycle(&h);
        CU_ASSERT_EQUAL(h.job[job].placed, 1);
        job = caller_add(&h, 2, 2, 0, 0); /* a request that no job had yet */
        h.work->job[job].queue = h.late_queue - 1;
        CU_ASSERT_EQUAL(caller_submit(&h, job, 4, 0), 0);
        (void)caller_cycle(&h);
        CU_ASSERT_EQUAL(h.job[job].placed, 4);
        CU_ASSERT(caller_agrees(&h));
        (void)topo_dims_put(&h.dims, caller_name(&h, "licences"));
        CU_ASSERT_EQUAL(gsched_end(h.sched, job, 0), -1);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(gsched_refusal(h.sched), "resource was declared"));
        caller_fini(&h);
    }
}

/* Each field of a job, overwritten on its own, and the message. */
static const struct {
    size_t offset; /* of 32 bits in this: */
    enum { JOB, ASIDE, GROUP } in;
    uint32_t value;
    const char *why;
} overwritten[] = {
#define OF_JOB(field) offsetof(struct trace_job, field), JOB
#define OF_ASIDE(field) offsetof(struct trace_job_aside, field), ASIDE
#define OF_GROUP(field) offsetof(struct trace_group, field), GROUP
    { OF_JOB(tasks), 0, "add up" },
    { OF_JOB(tasks), 3, "add up" },
    { OF_JOB(tasks), 5, "add up" },
    { OF_JOB(gang), 0, "add up" },
    { OF_JOB(gang), 5, "add up" },
    { OF_JOB(gang), UINT32_MAX, "add up" },
    { OF_JOB(group_count), 0, "no groups" },
    { OF_JOB(group_count), 3, "no groups" },
    { OF_JOB(group_count), UINT32_MAX, "no groups" },
    { OF_JOB(first_group), 1, "no groups" },
    { OF_JOB(first_group), UINT32_MAX, "no groups" },
    { OF_ASIDE(label_count), 1, "labels" },
    { OF_ASIDE(label_count), UINT32_MAX, "labels" },
    { OF_JOB(queue), UINT32_MAX, "queue was added after" },
    { OF_JOB(klass), UINT32_MAX, "class was added after" },
    { OF_GROUP(shape), 1, "no request" },
    { OF_GROUP(shape), UINT32_MAX, "no request" },
    { OF_GROUP(replicas), 0, "no tasks" },
    { OF_GROUP(replicas), 1, "add up" },
    { OF_GROUP(replicas), UINT32_MAX, "add up" },
    { OF_GROUP(min), 3, "minimum" },
    { OF_GROUP(rule_count), 1, "rules" },
    { OF_GROUP(rule_count), UINT32_MAX, "rules" },
    { OF_GROUP(label_count), 1, "labels" },
    { OF_GROUP(label_count), UINT32_MAX, "labels" },
#undef OF_JOB
#undef OF_ASIDE
#undef OF_GROUP
};

static void test_bad_jobs(void)
{
    struct caller h;
    uint32_t job;

    caller_init(&h, "volcano", 1);
    job = caller_add(&h, 2, 2, 0, 1);
    for (size_t i = 0; i < N_ELEMENTS(overwritten); i++) {
        struct trace_job *j = &h.work->job[job];
        unsigned char *const start[] = {
            [JOB] = (void *)j,
            [ASIDE] = (void *)j->aside,
            [GROUP] =
                (void *)&h.work->group_kind[h.work->group[j->first_group]],
        };
        unsigned char *at = start[overwritten[i].in];
        uint32_t was;

        at += overwritten[i].offset;
        memcpy(&was, at, sizeof(was));
        memcpy(at, &overwritten[i].value, sizeof(was));
        CU_ASSERT_EQUAL(gsched_submit(h.sched, job, 1, 0), -1);
        memcpy(at, &was, sizeof(was));
        CU_ASSERT_PTR_NOT_NULL_FATAL(gsched_refusal(h.sched));
        if (!strstr(gsched_refusal(h.sched), overwritten[i].why)) {
            printf("case %zu: %s\n", i, gsched_refusal(h.sched));
            CU_FAIL("another refusal");
        }
        CU_ASSERT(caller_agrees(&h));
    }
    CU_ASSERT_EQUAL(caller_submit(&h, job, 4, 0), 0);
    (void)caller_cycle(&h);
    CU_ASSERT_EQUAL(h.job[job].placed, 4);
    caller_fini(&h);
}

static void test_nobody(void)
{
    struct caller h;
    struct gs_err err = { 0 };
    uint32_t count = 1;

    CU_ASSERT_PTR_NULL(gsched_create(NULL, NULL, NULL, 0, &err));
    CU_ASSERT_PTR_NULL(gsched_create(NULL, NULL, NULL, 0, NULL));
    CU_ASSERT_EQUAL(gsched_submit(NULL, 0, 0, 0), -1);
    CU_ASSERT_EQUAL(gsched_end(NULL, 0, 0), -1);
    CU_ASSERT_PTR_NULL(gsched_cycle(NULL, 0, &count));
    CU_ASSERT_EQUAL(count, 0);
    CU_ASSERT_EQUAL(gsched_next_wake(NULL), GSCHED_NEVER);
    CU_ASSERT_PTR_NOT_NULL(gsched_refusal(NULL));
    caller_init(&h, "fifo", 1);
    CU_ASSERT_PTR_NULL(gsched_refusal(h.sched));
    h.work->dims = NULL; /* another's */
    CU_ASSERT_PTR_NULL(gsched_create(h.cluster, h.work, h.profile, 1, &err));
    h.work->dims = &h.dims;
    caller_fini(&h);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "calls that make no sense are refused", test_refused },
        { "what the workload gained too late is refused", test_workload_grew },
        { "jobs that do not add up are refused", test_bad_jobs },
        { "no scheduler, no cluster, another's names", test_nobody },
    };

    return suite_run("misuse", suite, N_ELEMENTS(suite));
}
