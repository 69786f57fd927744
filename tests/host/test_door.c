/* tests/host/test_door.c - guarantees of the scheduler to a host, on one node
 * of 8 GPUs with jobs of 1-GPU pods.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strtab.h"
#include "policies/scheduler.h"
#include "tests/lib/live_host.h"
#include "tests/lib/suite.h"

#define SECOND INT64_C(1000000)

static struct live *small_host(const char *preset, const char *setting)
{
    struct live *l = live_create();
    struct topo_class k = { .gpus = 8 };
    struct trace_queue q = { .weight = 1 };
    const struct trace_class c[2] = {
        { .value = 0, .preempts = true },
        { .name = gs_strtab_put(l->names, "high", 4),
          .value = 1,
          .preempts = true },
    };

    k.type = gs_strtab_put(l->names, "n", 1);
    k.capacity[TOPO_GPU] = 8 * TOPO_SHARE_ONE;
    k.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
    live_class(l, &k);
    live_node(l, "n0", 0, NULL);
    q.name = gs_strtab_put(l->names, "default", 7);
    live_queue(l, &q);
    live_priority(l, &c[0]);
    live_priority(l, &c[1]);
    CU_ASSERT_EQUAL_FATAL(live_start(l, preset, setting), 0);
    return l;
}

static struct live_job *put_as(struct live *l, const char *name, uint32_t klass,
                               uint32_t pods, uint32_t gang, int64_t estimate,
                               int64_t now)
{
    const struct trace_job spec = { .duration = TRACE_FOREVER,
                                    .estimate = estimate * SECOND,
                                    .klass = klass,
                                    .gang = gang,
                                    .retries = TRACE_NONE,
                                    .group_count = 1 };
    struct live_group g = { .replicas = pods, .asks = { .gpus = 1 } };

    g.asks.amount[TOPO_GPU] = TOPO_SHARE_ONE;
    g.asks.amount[TOPO_PODS] = 1;
    return live_submit(l, name, &spec, &g, pods, now * SECOND);
}

/* Submit a job of `pods` pods with its estimate; `now` in seconds. */
static struct live_job *put(struct live *l, const char *name, uint32_t pods,
                            uint32_t gang, int64_t estimate, int64_t now)
{
    return put_as(l, name, 0, pods, gang, estimate, now);
}

static void cycle(struct live *l, int64_t now)
{
    uint32_t count;

    (void)live_cycle(l, now * SECOND, &count);
    CU_ASSERT(live_consistent(l));
    CU_ASSERT_EQUAL(l->faults, 0);
}

/* The reserved start of the job, in seconds. */
static int64_t promised(const struct live *l, const struct live_job *j)
{
    const int64_t at = gsched_promised(l->sched, j->id);

    return at == GSCHED_NEVER ? -1 : at / SECOND;
}

static const char *const reserving[] = { "easy", "conservative" };

static void test_estimate_of_running(void)
{
    for (size_t i = 0; i < N_ELEMENTS(reserving); i++) {
        struct live *l = small_host(reserving[i], NULL);
        struct live_job *a = put(l, "a", 8, 8, 100, 0), *b;

        cycle(l, 0);
        b = put(l, "b", 8, 8, 10, 10);
        cycle(l, 10);
        CU_ASSERT_EQUAL(promised(l, b), 100);
        gsched_estimate(l->sched, a->id, 20 * SECOND);
        cycle(l, 10);
        CU_ASSERT_EQUAL(promised(l, b), 30);
        gsched_estimate(l->sched, a->id, 50 * SECOND);
        cycle(l, 10);
        live_ended(l, a, 40 * SECOND);
        cycle(l, 40);
        CU_ASSERT_EQUAL(b->phase, LIVE_RUNNING);
        live_destroy(l);
    }
}

static void test_estimate_of_planned(void)
{
    struct live *l = small_host("conservative", NULL);
    struct live_job *b, *c;

    (void)put(l, "a", 8, 8, 100, 0);
    b = put(l, "b", 8, 8, 50, 0);
    c = put(l, "c", 8, 8, 10, 0);
    cycle(l, 0);
    CU_ASSERT_EQUAL(promised(l, c), 150);
    gsched_estimate(l->sched, b->id, 20 * SECOND);
    cycle(l, 0);
    CU_ASSERT_EQUAL(promised(l, b), 100);
    CU_ASSERT_EQUAL(promised(l, c), 120);
    live_destroy(l);
}

/* A job that exceeds its estimate delays the reserved starts of others. */
static void test_start_missed(void)
{
    struct live *l = small_host("conservative", NULL);
    struct live_job *a, *b, *c;

    a = put(l, "a", 8, 8, 10, 0);
    b = put(l, "b", 8, 8, 10, 0);
    cycle(l, 0);
    CU_ASSERT_EQUAL(promised(l, b), 10);
    c = put(l, "c", 8, 8, 10, 15);
    cycle(l, 15);
    CU_ASSERT_EQUAL(promised(l, b), 15);
    CU_ASSERT_EQUAL(promised(l, c), 25);
    live_ended(l, a, 30 * SECOND);
    cycle(l, 30);
    CU_ASSERT_EQUAL(b->phase, LIVE_RUNNING);
    CU_ASSERT_EQUAL(c->phase, LIVE_PENDING);
    CU_ASSERT_EQUAL(promised(l, c), 40);
    live_destroy(l);
}

/* Pods above a gang get resources that no gang waits for, in the cycle in which
 * it starts.
 */
static void test_elastic_after_gangs(void)
{
    struct live *l = small_host("conservative", NULL);
    struct live_job *a = put(l, "a", 8, 4, 100, 0), *b, *c;

    b = put(l, "b", 2, 2, 10, 0);
    cycle(l, 0);
    CU_ASSERT_EQUAL(a->bound, 6);
    CU_ASSERT_EQUAL(b->bound, 2);
    c = put(l, "c", 4, 4, 10, 1);
    live_ended(l, b, 2 * SECOND);
    cycle(l, 2);
    CU_ASSERT_EQUAL(a->bound, 6);
    CU_ASSERT_EQUAL(promised(l, c), 100);
    live_destroy(l);
}

/* Equal jobs share a class queue; their order changes when one gets its first
 * pod, and there is room for each of them once more.
 */
static void test_twins_by_share(void)
{
    struct live *l = small_host("drf", NULL);
    struct live_job *twin[3];

    for (uint32_t i = 0; i < N_ELEMENTS(twin); i++) {
        const char name[] = { (char)('a' + i), '\0' };
        const struct trace_job spec = { .duration = TRACE_FOREVER,
                                        .retries = TRACE_NONE,
                                        .group_count = 2 };
        struct live_group g[2] = { { .replicas = 1, .asks = { .gpus = 1 } },
                                   { .replicas = 1, .asks = { .gpus = 1 } } };

        for (int k = 0; k < 2; k++) {
            g[k].asks.amount[TOPO_GPU] = TOPO_SHARE_ONE;
            g[k].asks.amount[TOPO_PODS] = 1;
        }
        twin[i] = live_submit(l, name, &spec, g, 2, 0);
    }
    cycle(l, 0);
    cycle(l, 1);
    for (uint32_t i = 0; i < N_ELEMENTS(twin); i++)
        CU_ASSERT_EQUAL(twin[i]->bound, 2);
    live_destroy(l);
}

/* A job that waits for admission has a wait reason, too. */
static void test_cause_at_the_gate(void)
{
    struct live *l = small_host("volcano-default", NULL);
    struct live_job *b;

    (void)put(l, "a", 8, 8, 10, 0);
    cycle(l, 0);
    b = put(l, "b", 8, 8, 10, 1);
    cycle(l, 1);
    CU_ASSERT_EQUAL(gsched_wait_cause(l->sched, b->id), GSCHED_QUOTA);
    live_destroy(l);
}

/* Cycles before the first job make no decisions. */
static void test_nothing_yet(void)
{
    static const char *const preset[] = { "fifo", "easy", "conservative",
                                          "volcano" };

    for (size_t i = 0; i < N_ELEMENTS(preset); i++) {
        struct live *l = small_host(preset[i], NULL);
        struct live_job *a;

        cycle(l, 0);
        CU_ASSERT_EQUAL(live_restart(l, SECOND), 0);
        cycle(l, 1);
        a = put(l, "a", 8, 8, 10, 2);
        cycle(l, 2);
        CU_ASSERT_EQUAL(live_restart(l, 3 * SECOND), 0);
        cycle(l, 3);
        CU_ASSERT_EQUAL(a->bound, 8);
        CU_ASSERT_EQUAL(gsched_waiting(l->sched), 0);
        live_destroy(l);
    }
}

/* Adopted tasks count from their placement: for reservations, and for the
 * choice of victims.
 */
static void test_adopted_since(void)
{
    for (size_t i = 0; i < N_ELEMENTS(reserving); i++) {
        struct live *l = small_host(reserving[i], NULL);
        struct live_job *b;
        struct gsched_decision d;
        uint32_t at = GSCHED_FIRST;
        struct live_job *a = put(l, "a", 8, 8, 100, 0);

        cycle(l, 0);
        b = put(l, "b", 8, 8, 10, 10);
        CU_ASSERT_EQUAL(live_restart(l, 40 * SECOND), 0);
        CU_ASSERT(gsched_next_allocation(l->sched, a->id, &at, &d));
        CU_ASSERT_EQUAL(d.placed_at, 0);
        cycle(l, 40);
        CU_ASSERT_EQUAL(promised(l, b), 100);
        live_destroy(l);
    }
    /* the youngest is evicted first, whatever the order of adoption */
    for (int first = 0; first < 2; first++) {
        struct live *l = small_host("priority-preempt", NULL);
        struct live_job *j[2];

        j[0] = put(l, "old", 4, 4, 100, 0);
        cycle(l, 0);
        j[1] = put(l, "young", 4, 4, 100, 5);
        cycle(l, 5);
        if (first) { /* adopted in the order of the list */
            struct live_job *t = l->job[0];

            l->job[0] = l->job[1];
            l->job[1] = t;
            l->job[0]->spec.submit = l->job[1]->spec.submit = 0;
        }
        CU_ASSERT_EQUAL(live_restart(l, 10 * SECOND), 0);
        (void)put_as(l, "high", 1, 4, 4, 10, 10);
        cycle(l, 10);
        CU_ASSERT_EQUAL(j[0]->phase, LIVE_RUNNING);
        CU_ASSERT_EQUAL(j[1]->phase, LIVE_PENDING);
        live_destroy(l);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "a running job's estimate moves promises", test_estimate_of_running },
        { "a planned job's estimate moves the plan", test_estimate_of_planned },
        { "a planned start that is missed is planned anew", test_start_missed },
        { "elastic pods come after all gangs", test_elastic_after_gangs },
        { "jobs alike are placed once each", test_twins_by_share },
        { "what waits to enter its queue has a cause", test_cause_at_the_gate },
        { "what is adopted runs since it was placed", test_adopted_since },
        { "cycles and restarts without jobs", test_nothing_yet },
    };

    return suite_run("door", suite, N_ELEMENTS(suite));
}
