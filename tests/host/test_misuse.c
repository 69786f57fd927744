/* tests/host/test_misuse.c - a host that makes mistakes: each is refused in
 * every build, says why and changes nothing; and a random caller, whose calls
 * are right or wrong by chance, beside a plain model of what then holds.
 *
 * SEEDS=n plays n random hosts a preset instead of a few.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/suite.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define NODES 3u
#define JOBS_MAX 64u
#define SPANS_MAX 64u

static const char *const presets[] = { "fifo",  "kube-default", "drf",
                                       "easy",  "conservative", "volcano",
                                       "hybrid" };
static const uint32_t gpus_of[NODES] = { 4, 4, 2 };

/* What a job holds, as decided. */
struct holding {
    uint32_t group, node, tasks;
    uint64_t devices;
};

struct known {
    bool is_there, is_over, is_running;
    uint32_t created, placed, count;
    struct holding span[SPANS_MAX];
};

struct host {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct gsched_profile *profile;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct gs_rng rng;
    int64_t now, told; /* to the scheduler */
    bool is_closed[NODES];
    uint64_t broken[NODES];
    uint32_t late_queue, late_class; /* the first added too late */
    struct known job[JOBS_MAX];
};

static uint32_t name(struct host *h, const char *text)
{
    return gs_strtab_put(h->names, text, strlen(text));
}

static void host_init(struct host *h, const char *preset, uint64_t seed)
{
    struct gs_err err = { 0 };

    memset(h, 0, sizeof(*h));
    h->arena = gs_arena_create(1 << 14);
    h->names = gs_strtab_create();
    gs_rng_init(&h->rng, seed, preset);
    topo_dims_init(&h->dims, h->names);
    h->topo = topo_create(h->arena, h->names, &h->dims);
    for (uint32_t n = 0; n < NODES; n++) {
        const char text[] = { 'n', (char)('0' + n), '\0' };
        struct topo_class k = { .type = name(h, text), .gpus = gpus_of[n] };

        k.capacity[TOPO_GPU] = gpus_of[n] * (int64_t)TOPO_SHARE_ONE;
        k.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
        CU_ASSERT_EQUAL(topo_add_node(h->topo, name(h, text),
                                      topo_add_class(h->topo, &k), NULL, &err),
                        0);
    }
    CU_ASSERT_EQUAL(topo_finish(h->topo, &err), 0);
    h->work = trace_workload_create(h->arena, h->names, &h->dims);
    (void)trace_queue_put(h->work, name(h, "root/a"));
    (void)trace_class_value(h->work, 7);
    h->late_queue = h->work->queue_count;
    h->late_class = h->work->class_count;
    h->profile = gsched_profile_named(preset, h->arena, &err);
    h->cluster = topo_cluster_create(h->topo);
    h->sched = gsched_create(h->cluster, h->work, h->profile, 1, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(h->sched);
}

static void host_fini(struct host *h)
{
    gsched_destroy(h->sched);
    topo_cluster_destroy(h->cluster);
    trace_workload_destroy(h->work);
    gs_strtab_destroy(h->names);
    gs_arena_destroy(h->arena);
}

/* A job of tasks of `gpus` GPUs, or of 300 thousandths of one with 0. */
static uint32_t job_add(struct host *h, uint32_t groups, uint32_t replicas,
                        uint32_t gang, uint32_t gpus)
{
    const struct trace_job j = { .duration = 1000000,
                                 .estimate = 1000000,
                                 .gang = gang,
                                 .retries = TRACE_NONE,
                                 .group_count = groups };
    struct topo_request r = { .gpus = gpus, .share = gpus ? 0 : 300 };
    struct trace_group g[2] = { { .replicas = replicas },
                                { .replicas = replicas } };

    r.amount[TOPO_PODS] = 1;
    g[0].shape = g[1].shape = trace_workload_shape(h->work, &r);
    return trace_workload_add(h->work, &j, g);
}

/* --- what is true --------------------------------------------------------- */

static void span_add(struct host *h, uint32_t job, const struct holding *at)
{
    struct known *k = &h->job[job];

    CU_ASSERT_FATAL(k->count < SPANS_MAX);
    k->span[k->count++] = *at;
    k->placed += at->tasks;
    k->is_running |= k->placed >= h->work->job[job].gang;
}

static bool span_drop(struct known *k, const struct holding *at)
{
    for (uint32_t i = 0; i < k->count; i++) {
        if (k->span[i].group != at->group || k->span[i].node != at->node
            || k->span[i].devices != at->devices
            || k->span[i].tasks != at->tasks)
            continue;
        k->span[i] = k->span[--k->count];
        k->placed -= at->tasks;
        return true;
    }
    return false;
}

static struct holding holding_of(const struct gsched_decision *d)
{
    return (struct holding){ .group = d->group,
                             .node = d->grant.node,
                             .tasks = d->grant.tasks,
                             .devices = d->grant.devices };
}

static bool is_live(const struct host *h, uint32_t job)
{
    return job < JOBS_MAX && h->job[job].is_there && !h->job[job].is_over;
}

static bool runs(const struct host *h, uint32_t job)
{
    return is_live(h, job) && h->job[job].is_running;
}

static int64_t share_held(const struct host *h, uint32_t node, uint32_t device)
{
    int64_t milli = 0;

    for (uint32_t j = 0; j < h->work->job_count; j++) {
        const struct known *k = &h->job[j];

        for (uint32_t i = 0; i < k->count; i++) {
            const struct trace_group *g =
                &h->work->group[h->work->job[j].first_group + k->span[i].group];
            const struct topo_request *r = &h->work->shape[g->shape];

            if (k->span[i].node == node && (k->span[i].devices >> device & 1))
                milli += r->gpus ? TOPO_SHARE_ONE : (int64_t)r->share;
        }
    }
    return milli;
}

/* The scheduler knows what the model knows. */
static bool agrees(struct host *h)
{
    uint32_t waiting = 0;

    for (uint32_t j = 0; j < h->work->job_count; j++) {
        struct known left = h->job[j];
        uint32_t at = GSCHED_FIRST;
        struct gsched_decision d;

        if (gsched_placed(h->sched, j) != left.placed)
            return false;
        while (gsched_next_allocation(h->sched, j, &at, &d)) {
            const struct holding held = holding_of(&d);

            if (!span_drop(&left, &held))
                return false;
        }
        if (left.count)
            return false;
        waiting += is_live(h, j) && !runs(h, j);
    }
    return gsched_waiting(h->sched) == waiting && cluster_is_right(h->cluster);
}

static void carry_out(struct host *h, const struct gsched_decision *d)
{
    struct known *k = &h->job[d->job];
    const struct holding at = holding_of(d);

    CU_ASSERT(is_live(h, d->job));
    switch (d->kind) {
    case GSCHED_PLACE:
        CU_ASSERT(!h->is_closed[at.node]);
        CU_ASSERT((at.devices & h->broken[at.node]) == 0);
        span_add(h, d->job, &at);
        break;
    case GSCHED_EVICT:
    case GSCHED_SHRINK:
        CU_ASSERT(span_drop(k, &at));
        break;
    case GSCHED_RETURN:
        CU_ASSERT_EQUAL(k->placed, 0);
        k->is_running = false;
        break;
    case GSCHED_REJECT:
        k->is_over = true;
        break;
    }
}

/* The call's status; the scheduler knows the time when it took it. */
static int took(struct host *h, int status, int64_t now)
{
    if (status == 0)
        h->told = now;
    return status;
}

static uint32_t cycle(struct host *h)
{
    uint32_t count = 99;
    const struct gsched_decision *d = gsched_cycle(h->sched, h->now, &count);

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    h->told = h->now;
    for (uint32_t i = 0; i < count; i++)
        carry_out(h, &d[i]);
    return count;
}

static int submit(struct host *h, uint32_t job, uint32_t created, int64_t now)
{
    const int status = took(h, gsched_submit(h->sched, job, created, now), now);

    if (status == 0) {
        h->job[job].is_there = true;
        h->job[job].created = created;
    }
    return status;
}

static int end(struct host *h, uint32_t job, int64_t now)
{
    const int status = took(h, gsched_end(h->sched, job, now), now);

    if (status == 0) {
        h->job[job].is_over = true;
        h->job[job].placed = h->job[job].count = 0;
    }
    return status;
}

/* --- one by one ----------------------------------------------------------- */

#define REFUSED(h, call, why)                                              \
    do {                                                                   \
        const uint64_t version = topo_cluster_version((h)->cluster);       \
        CU_ASSERT_EQUAL((call), -1);                                       \
        CU_ASSERT_PTR_NOT_NULL_FATAL(gsched_refusal((h)->sched));          \
        CU_ASSERT_PTR_NOT_NULL(strstr(gsched_refusal((h)->sched), (why))); \
        CU_ASSERT_EQUAL(topo_cluster_version((h)->cluster), version);      \
        CU_ASSERT(agrees(h));                                              \
    } while (0)

/* On n0 a job runs, another one waits, one is over and one is not there. */
enum { RUNS, WAITS, OVER, ABSENT, UNKNOWN };

static void stage(struct host *h, const char *preset)
{
    host_init(h, preset, 1);
    (void)job_add(h, 1, 4, 0, 2); /* of the five pairs there are */
    (void)job_add(h, 1, 2, 0, 2);
    (void)job_add(h, 1, 1, 0, 1);
    (void)job_add(h, 1, 2, 0, 1);
    CU_ASSERT_EQUAL(submit(h, OVER, 1, 5), 0);
    CU_ASSERT_EQUAL(end(h, OVER, 5), 0);
    CU_ASSERT_EQUAL(submit(h, RUNS, 4, 10), 0);
    h->now = 10;
    (void)cycle(h);
    CU_ASSERT_EQUAL(h->job[RUNS].placed, 4);
    CU_ASSERT_EQUAL(submit(h, WAITS, 1, 10), 0);
    CU_ASSERT(agrees(h));
}

static void jobs_refused(struct host *h)
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
    REFUSED(h, gsched_estimate(h->sched, OVER, 1), "over");
    REFUSED(h, gsched_estimate(h->sched, ABSENT, 1), "not submitted");
    REFUSED(h, gsched_estimate(h->sched, RUNS, -1), "below 0");
    REFUSED(h, gsched_lost(h->sched, WAITS, 10), "nothing");
    REFUSED(h, gsched_lost(h->sched, OVER, 10), "over");
    REFUSED(h, gsched_lost(h->sched, UNKNOWN, 10), "not submitted");
    REFUSED(h, gsched_lost_part(h->sched, RUNS, NODES, 0, 10), "nothing there");
    REFUSED(h,
            gsched_lost_part(h->sched, RUNS, h->job[RUNS].span[0].node, 0, 10),
            "cannot spare");
}

static void nodes_refused(struct host *h)
{
    const struct holding *held = &h->job[RUNS].span[0];
    const uint32_t taken = (uint32_t)__builtin_ctzll(held->devices);

    REFUSED(h, gsched_node_cordoned(h->sched, NODES, 10), "no such node");
    REFUSED(h, gsched_node_uncordoned(h->sched, UINT32_MAX, 10),
            "no such node");
    REFUSED(h, gsched_node_cordoned(h->sched, 0, 9), "backwards");
    REFUSED(h, gsched_gpu_failed(h->sched, 2, 2, 10), "no such GPU");
    REFUSED(h, gsched_gpu_failed(h->sched, 0, 64, 10), "no such GPU");
    REFUSED(h, gsched_gpu_repaired(h->sched, 0, 4, 10), "no such GPU");
    REFUSED(h, gsched_gpu_failed(h->sched, held->node, taken, 10), "hold");
    REFUSED(h, gsched_mix_set(h->sched, NULL), "first cycle");
}

static void adopts_refused(struct host *h)
{
    const struct holding *held = &h->job[RUNS].span[0];
    uint32_t node = 0;
    struct topo_grant g = { .tasks = 1 }, bad;

    while (topo_domain_free(h->cluster, 0, TOPO_GPU) == 0
           || !topo_device_is_free(h->cluster, node, 0)) {
        if (topo_device_is_free(h->cluster, node, gpus_of[node] - 1))
            break;
        node++;
    }
    g.node = node;
    g.devices = UINT64_C(3) << (gpus_of[node] - 2);
    bad = (struct topo_grant){ held->node, 1, held->devices, 0, false };
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &bad, 10, 10), "somebody");
    bad = (struct topo_grant){ NODES, 1, 3, 0, false };
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
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 1, &g, 10, 10), "in order");
    REFUSED(h, gsched_adopt(h->sched, WAITS, 1, 0, &g, 10, 10),
            "no such group");
    REFUSED(h, gsched_adopt(h->sched, RUNS, 0, 0, &g, 10, 10), "in order");
    REFUSED(h, gsched_adopt(h->sched, RUNS, 0, 4, &g, 10, 10), "do not exist");
    REFUSED(h, gsched_adopt(h->sched, OVER, 0, 0, &g, 10, 10), "over");
    REFUSED(h, gsched_adopt(h->sched, ABSENT, 0, 0, &g, 10, 10),
            "not submitted");
    REFUSED(h, gsched_adopt(h->sched, WAITS, 0, 0, &g, 9, 9), "backwards");
}

static void asked_of_nobody(struct host *h)
{
    uint32_t count = 7, at = GSCHED_FIRST;
    struct gsched_decision d;

    CU_ASSERT_PTR_NULL(gsched_cycle(h->sched, 9, &count));
    CU_ASSERT_EQUAL(count, 0);
    CU_ASSERT_PTR_NULL(gsched_cycle(h->sched, 10, NULL));
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
    CU_ASSERT(!gsched_next_on(h->sched, NODES, &at, &d));
    CU_ASSERT_PTR_NULL(gsched_queue_used(h->sched, h->late_queue));
    CU_ASSERT_PTR_NULL(gsched_queue_asked(h->sched, UINT32_MAX));
    CU_ASSERT_EQUAL(gsched_nodes_wanted(h->sched, UINT32_MAX, 5), 0);
    CU_ASSERT(agrees(h));
}

static void test_refused(void)
{
    for (size_t i = 0; i < N_ELEMENTS(presets); i++) {
        struct host h;

        stage(&h, presets[i]);
        jobs_refused(&h);
        nodes_refused(&h);
        adopts_refused(&h);
        asked_of_nobody(&h);
        CU_ASSERT_EQUAL(end(&h, RUNS, 20), 0);
        h.now = 20;
        CU_ASSERT_EQUAL(gsched_tasks_created(h.sched, WAITS, 2, 20), 0);
        (void)cycle(&h);
        CU_ASSERT_EQUAL(h.job[WAITS].placed, 2);
        host_fini(&h);
    }
}

/* A queue, a class and a resource after the scheduler was made. */
static void test_workload_grew(void)
{
    for (size_t i = 0; i < N_ELEMENTS(presets); i++) {
        struct host h;
        uint32_t job;

        host_init(&h, presets[i], 1);
        for (uint32_t q = 0; q < 40; q++) {
            const char text[] = { 'q', (char)('0' + q), '\0' };

            (void)trace_queue_put(h.work, name(&h, text));
            (void)trace_class_value(h.work, (int32_t)q + 100);
        }
        job = job_add(&h, 1, 1, 0, 1);
        h.work->job[job].queue = h.work->queue_count - 1;
        REFUSED(&h, submit(&h, job, 1, 0), "queue was added after");
        h.work->job[job].queue = 0;
        h.work->job[job].klass = h.work->class_count - 1;
        REFUSED(&h, submit(&h, job, 1, 0), "class was added after");
        h.work->job[job].klass = h.late_class - 1;
        CU_ASSERT_EQUAL(submit(&h, job, 1, 0), 0);
        (void)cycle(&h);
        CU_ASSERT_EQUAL(h.job[job].placed, 1);
        job = job_add(&h, 2, 2, 0, 0); /* a request that no job had yet */
        h.work->job[job].queue = h.late_queue - 1;
        CU_ASSERT_EQUAL(submit(&h, job, 4, 0), 0);
        (void)cycle(&h);
        CU_ASSERT_EQUAL(h.job[job].placed, 4);
        CU_ASSERT(agrees(&h));
        (void)topo_dims_put(&h.dims, name(&h, "licences"));
        CU_ASSERT_EQUAL(gsched_end(h.sched, job, 0), -1);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(gsched_refusal(h.sched), "resource was declared"));
        host_fini(&h);
    }
}

/* Each field of a job that was written over, on its own, and what is said. */
static const struct {
    size_t offset; /* of 32 bits in the job, or in its first group */
    bool is_group;
    uint32_t value;
    const char *why;
} overwritten[] = {
#define OF_JOB(field) offsetof(struct trace_job, field), false
#define OF_GROUP(field) offsetof(struct trace_group, field), true
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
    { OF_JOB(label_count), 1, "labels" },
    { OF_JOB(label_count), UINT32_MAX, "labels" },
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
#undef OF_JOB
#undef OF_GROUP
};

static void test_bad_jobs(void)
{
    struct host h;
    uint32_t job;

    host_init(&h, "volcano", 1);
    job = job_add(&h, 2, 2, 0, 1);
    for (size_t i = 0; i < N_ELEMENTS(overwritten); i++) {
        struct trace_job *j = &h.work->job[job];
        unsigned char *at = overwritten[i].is_group
                                ? (void *)&h.work->group[j->first_group]
                                : (void *)j;
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
        CU_ASSERT(agrees(&h));
    }
    CU_ASSERT_EQUAL(submit(&h, job, 4, 0), 0);
    (void)cycle(&h);
    CU_ASSERT_EQUAL(h.job[job].placed, 4);
    host_fini(&h);
}

static void test_nobody(void)
{
    struct host h;
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
    host_init(&h, "fifo", 1);
    CU_ASSERT_PTR_NULL(gsched_refusal(h.sched));
    h.work->dims = NULL; /* another's */
    CU_ASSERT_PTR_NULL(gsched_create(h.cluster, h.work, h.profile, 1, &err));
    h.work->dims = &h.dims;
    host_fini(&h);
}

/* --- by chance ------------------------------------------------------------ */

static uint32_t below(struct host *h, uint32_t n)
{
    return (uint32_t)gs_rng_below(&h->rng, n);
}

static uint32_t any_job(struct host *h)
{
    return below(h, h->work->job_count + 1);
}

/* Most calls tell the time as it is, some go back. */
static int64_t any_time(struct host *h)
{
    if (below(h, 16) == 0)
        return h->told - 1;
    h->now += below(h, 3) == 0 ? below(h, 100) : 0;
    return h->now;
}

static void play_submit(struct host *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const struct trace_job *j = job < h->work->job_count ? &h->work->job[job]
                                                         : NULL;
    const uint32_t created = j ? below(h, j->tasks + 2) : 1;
    const bool is_right = j && now >= h->told && !h->job[job].is_there
                          && created <= j->tasks && j->queue < h->late_queue
                          && j->klass < h->late_class;

    CU_ASSERT_EQUAL(submit(h, job, created, now), is_right ? 0 : -1);
}

static void play_created(struct host *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const uint32_t created = below(h, 6);
    const bool is_right = now >= h->told && is_live(h, job)
                          && created > h->job[job].created
                          && created <= h->work->job[job].tasks;

    CU_ASSERT_EQUAL(
        took(h, gsched_tasks_created(h->sched, job, created, now), now),
        is_right ? 0 : -1);
    if (is_right)
        h->job[job].created = created;
}

static void play_end(struct host *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && is_live(h, job);

    CU_ASSERT_EQUAL(end(h, job, now), is_right ? 0 : -1);
}

/* Tasks of the group that are placed, and that exist. */
static uint32_t placed_of(const struct host *h, uint32_t job, uint32_t group)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->job[job].count; i++)
        n += h->job[job].span[i].group == group ? h->job[job].span[i].tasks : 0;
    return n;
}

static uint32_t created_of(const struct host *h, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &h->work->job[job];
    const uint32_t each = h->work->group[j->first_group].replicas;
    const uint32_t before = group * each, created = h->job[job].created;

    return created < before          ? 0
           : created - before < each ? created - before
                                     : each;
}

static bool may_adopt(const struct host *h, uint32_t job, uint32_t group,
                      uint32_t first, const struct topo_grant *g)
{
    const struct trace_job *j = &h->work->job[job];
    const struct topo_request *r;
    uint32_t devices = 0;

    if (!is_live(h, job) || group >= j->group_count || g->tasks == 0
        || first != placed_of(h, job, group)
        || first + g->tasks > created_of(h, job, group) || g->node >= NODES
        || g->devices >> gpus_of[g->node])
        return false;
    r = &h->work->shape[h->work->group[j->first_group + group].shape];
    for (uint32_t d = 0; d < gpus_of[g->node]; d++) {
        if (!(g->devices >> d & 1))
            continue;
        devices++;
        if ((h->broken[g->node] >> d & 1)
            || share_held(h, g->node, d)
                   > TOPO_SHARE_ONE
                         - (r->gpus ? TOPO_SHARE_ONE : (int64_t)r->share))
            return false;
    }
    return r->gpus ? devices == r->gpus * g->tasks
                   : devices == 1 && g->tasks == 1;
}

static void play_adopt(struct host *h)
{
    const uint32_t job = any_job(h);
    const uint32_t group = below(h, 8) ? 0 : below(h, 3);
    const int64_t now = any_time(h);
    const bool is_known = job < h->work->job_count;
    const uint32_t first = is_known && below(h, 4) ? placed_of(h, job, group)
                                                   : below(h, 4);
    const struct topo_grant g = { .node = below(h, NODES + 1),
                                  .tasks = below(h, 8) ? 1 : below(h, 3),
                                  .devices = UINT64_C(1) << below(h, 4)
                                             | (UINT64_C(1) << below(h, 5)) };
    const bool is_right = now >= h->told && is_known
                          && may_adopt(h, job, group, first, &g);

    CU_ASSERT_EQUAL(
        took(h, gsched_adopt(h->sched, job, group, first, &g, now, now), now),
        is_right ? 0 : -1);
    if (is_right) {
        const struct holding at = { group, g.node, g.tasks, g.devices };

        span_add(h, job, &at);
    }
}

static void play_lost(struct host *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && is_live(h, job)
                          && h->job[job].placed;

    CU_ASSERT_EQUAL(took(h, gsched_lost(h->sched, job, now), now),
                    is_right ? 0 : -1);
    if (is_right) {
        h->job[job].placed = h->job[job].count = 0;
        h->job[job].is_running = false;
    }
}

static void play_task(struct host *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const uint32_t created = below(h, 6);
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;
    struct holding held;
    bool is_right;

    if (!gsched_next_allocation(h->sched, job, &at, &d))
        at = below(h, 100);
    held = holding_of(&d);
    is_right = now >= h->told && is_live(h, job) && runs(h, job)
               && h->job[job].placed && h->work->job[job].group_count == 1
               && h->work->job[job].gang == 1 && created <= h->job[job].created
               && created + held.tasks >= h->job[job].created;
    CU_ASSERT_EQUAL(
        took(h, gsched_task_ended(h->sched, job, at, created, now), now),
        is_right ? 0 : -1);
    if (is_right) {
        h->job[job].created = created;
        CU_ASSERT(span_drop(&h->job[job], &held));
    }
}

static bool is_hit(const struct holding *at, uint32_t node, uint64_t devices)
{
    return at->node == node && (devices == 0 || (at->devices & devices));
}

static void play_lost_part(struct host *h)
{
    const uint32_t job = any_job(h), node = below(h, NODES + 1);
    const uint64_t devices = below(h, 2) ? 0 : UINT64_C(1) << below(h, 4);
    const int64_t now = any_time(h);
    struct known *k = is_live(h, job) ? &h->job[job] : NULL;
    uint32_t lost = 0;
    bool is_right;

    for (uint32_t i = 0; k && i < k->count; i++)
        lost += is_hit(&k->span[i], node, devices) ? k->span[i].tasks : 0;
    is_right = k && k->is_running && now >= h->told && lost
               && k->placed >= h->work->job[job].gang + lost;
    CU_ASSERT_EQUAL(
        took(h, gsched_lost_part(h->sched, job, node, devices, now), now),
        is_right ? 0 : -1);
    for (uint32_t i = 0; is_right && i < k->count;) {
        const struct holding at = k->span[i];

        if (is_hit(&at, node, devices))
            CU_ASSERT(span_drop(k, &at));
        i += !is_hit(&at, node, devices);
    }
}

static void play_node(struct host *h)
{
    const uint32_t node = below(h, NODES + 1);
    const bool closes = below(h, 3) == 0;
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && node < NODES;

    CU_ASSERT_EQUAL(took(h,
                         closes ? gsched_node_cordoned(h->sched, node, now)
                                : gsched_node_uncordoned(h->sched, node, now),
                         now),
                    is_right ? 0 : -1);
    if (is_right)
        h->is_closed[node] = closes;
}

static void play_gpu(struct host *h)
{
    const uint32_t node = below(h, NODES + 1), device = below(h, 5);
    const bool breaks = below(h, 3) == 0;
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && node < NODES
                          && device < gpus_of[node]
                          && (!breaks || share_held(h, node, device) == 0);

    CU_ASSERT_EQUAL(took(h,
                         breaks
                             ? gsched_gpu_failed(h->sched, node, device, now)
                             : gsched_gpu_repaired(h->sched, node, device, now),
                         now),
                    is_right ? 0 : -1);
    if (is_right && breaks)
        h->broken[node] |= UINT64_C(1) << device;
    else if (is_right)
        h->broken[node] &= ~(UINT64_C(1) << device);
}

static void play_estimate(struct host *h)
{
    const uint32_t job = any_job(h);
    const int64_t us = (int64_t)below(h, 2000) - 100;

    CU_ASSERT_EQUAL(gsched_estimate(h->sched, job, us),
                    us >= 0 && is_live(h, job) ? 0 : -1);
}

static void play_cycle(struct host *h)
{
    const int64_t now = any_time(h);
    uint32_t count = 5;

    if (now >= h->told) {
        h->now = now;
        (void)cycle(h);
        return;
    }
    CU_ASSERT_PTR_NULL(gsched_cycle(h->sched, now, &count));
    CU_ASSERT_EQUAL(count, 0);
}

static void play_add(struct host *h)
{
    const uint32_t groups = 1 + below(h, 2), replicas = 1 + below(h, 3);
    uint32_t job;

    if (h->work->job_count == JOBS_MAX)
        return;
    job = job_add(h, groups, replicas, below(h, groups * replicas + 1),
                  below(h, 3));
    h->work->job[job].queue = below(h, h->late_queue);
    h->work->job[job].klass = below(h, h->late_class);
    if (below(h, 8) == 0) {
        const char text[] = { (char)('a' + below(h, 26)), '\0' };

        h->work->job[job].queue = trace_queue_put(h->work, name(h, text));
        h->work->job[job].klass = trace_class_value(h->work,
                                                    (int32_t)below(h, 9));
    }
}

static void (*const plays[])(struct host *h) = {
    play_submit, play_submit,   play_created,   play_end,  play_adopt,
    play_adopt,  play_lost,     play_lost_part, play_node, play_gpu,
    play_cycle,  play_estimate, play_cycle,     play_add,  play_task,
};

/* All comes back, and all that waits is served in the end. */
static bool is_drained(struct host *h)
{
    for (uint32_t n = 0; n < NODES; n++) {
        CU_ASSERT_EQUAL(gsched_node_uncordoned(h->sched, n, h->now), 0);
        h->is_closed[n] = false;
        for (uint32_t d = 0; d < gpus_of[n]; d++)
            CU_ASSERT_EQUAL(gsched_gpu_repaired(h->sched, n, d, h->now), 0);
        h->broken[n] = 0;
    }
    for (uint32_t j = 0; j < h->work->job_count; j++) {
        const uint32_t tasks = h->work->job[j].tasks;

        if (is_live(h, j) && h->job[j].created < tasks) {
            CU_ASSERT_EQUAL(gsched_tasks_created(h->sched, j, tasks, h->now),
                            0);
            h->job[j].created = tasks;
        }
    }
    for (uint32_t round = 0; round < 4 * JOBS_MAX; round++) {
        uint32_t live = 0, held_back = h->work->job_count;
        bool is_idle;

        h->now += 1000000;
        is_idle = cycle(h) == 0;
        for (uint32_t j = 0; j < h->work->job_count; j++) {
            live += is_live(h, j);
            if (is_live(h, j) && gsched_wait_cause(h->sched, j) == GSCHED_QUOTA)
                held_back = j; /* as two queues may do to each other */
            if (is_live(h, j) && (h->job[j].placed || runs(h, j)))
                CU_ASSERT_EQUAL(end(h, j, h->now), 0);
        }
        if (is_idle && is_live(h, held_back))
            CU_ASSERT_EQUAL(end(h, held_back, h->now), 0);
        if (!agrees(h))
            return false;
        if (live == 0)
            return true;
    }
    return false;
}

static unsigned seeds(void)
{
    const char *text = getenv("SEEDS");

    return text ? (unsigned)strtoul(text, NULL, 10) : 12;
}

static void test_random_caller(void)
{
    for (size_t i = 0; i < N_ELEMENTS(presets); i++) {
        for (unsigned seed = 0; seed < seeds(); seed++) {
            struct host h;
            bool good = true;

            host_init(&h, presets[i], seed);
            for (uint32_t n = 0; n < 400 && good; n++) {
                plays[below(&h, N_ELEMENTS(plays))](&h);
                good = agrees(&h);
            }
            if (seed % 4) /* others are destroyed in the middle */
                good = good && is_drained(&h);
            if (!good)
                printf("  %s, seed %u\n", presets[i], seed);
            CU_ASSERT(good);
            host_fini(&h);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "calls that make no sense are refused", test_refused },
        { "what the workload gained too late is refused", test_workload_grew },
        { "jobs that do not add up are refused", test_bad_jobs },
        { "no scheduler, no cluster, another's names", test_nobody },
        { "right and wrong calls by chance", test_random_caller },
    };

    return suite_run("misuse", suite, N_ELEMENTS(suite));
}
