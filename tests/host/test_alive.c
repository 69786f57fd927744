/* tests/host/test_alive.c - a long-lived scheduler: jobs change and are
 * forgotten; nodes, queues and priority classes are added and removed.
 */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/suite.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define SECOND INT64_C(1000000)

/* Nodes n0 ... of 8 GPUs. */
struct plant {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct trace_workload *work;
    struct gsched_profile *profile;
    struct topo_cluster *cluster;
    struct gsched *sched;
    struct gs_err err;
};

static uint32_t name(struct plant *p, const char *s)
{
    return gs_strtab_put(p->names, s, strlen(s));
}

/* A scheduler of the nodes [first, end). */
static struct gsched *sched_make(struct plant *p, uint32_t first, uint32_t end,
                                 struct topo_cluster **cluster)
{
    struct topo *t = topo_create(p->arena, p->names, &p->dims);
    struct topo_class k = { .type = name(p, "t"), .gpus = 8 };

    k.capacity[TOPO_GPU] = 8 * TOPO_SHARE_ONE;
    k.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
    for (uint32_t i = first; i < end; i++) {
        char text[16];

        (void)snprintf(text, sizeof(text), "n%u", i);
        CU_ASSERT_EQUAL(topo_add_node(t, name(p, text), topo_add_class(t, &k),
                                      NULL, &p->err),
                        0);
    }
    CU_ASSERT_EQUAL_FATAL(topo_finish(t, &p->err), 0);
    *cluster = topo_cluster_create(t);
    return gsched_create(*cluster, p->work, p->profile, 42, &p->err);
}

static struct plant *plant_make(const char *policy, uint32_t nodes)
{
    uint32_t high;
    struct plant *p = calloc(1, sizeof(*p));

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    p->arena = gs_arena_create(1 << 14);
    p->names = gs_strtab_create();
    topo_dims_init(&p->dims, p->names);
    p->work = trace_workload_create(p->arena, p->names, &p->dims);
    high = trace_class_put(p->work, name(p, "high"));
    p->work->klass[high].value = 10;
    (void)trace_queue_put(p->work, name(p, "a"));
    p->profile = gsched_profile_named(policy, p->arena, &p->err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->profile);
    p->sched = sched_make(p, 0, nodes, &p->cluster);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p->sched);
    return p;
}

static void plant_free(struct plant *p)
{
    gsched_destroy(p->sched);
    topo_cluster_destroy(p->cluster);
    trace_workload_destroy(p->work);
    gs_strtab_destroy(p->names);
    gs_arena_destroy(p->arena);
    free(p);
}

/* A job of `tasks` tasks of so many GPUs in the workload. */
static uint32_t job_add(struct plant *p, uint32_t tasks, uint32_t gang,
                        uint32_t gpus, uint32_t klass, uint32_t queue)
{
    const struct topo_request ask = { .amount = { [TOPO_PODS] = 1 },
                                      .gpus = gpus };
    const struct trace_group g = {
        .replicas = tasks, .shape = trace_workload_shape(p->work, &ask)
    };
    const struct trace_job j = { .duration = TRACE_FOREVER,
                                 .estimate = 100 * SECOND,
                                 .klass = klass,
                                 .queue = queue,
                                 .gang = gang,
                                 .group_count = 1,
                                 .retries = TRACE_NONE };

    return trace_workload_add(p->work, &j, &g);
}

static uint32_t submit(struct plant *p, uint32_t tasks, uint32_t gpus,
                       int64_t now)
{
    const uint32_t job = job_add(p, tasks, tasks, gpus, 0, 0);

    CU_ASSERT_EQUAL(gsched_submit(p->sched, job, tasks, now), 0);
    return job;
}

static uint32_t cycle(struct plant *p, int64_t now)
{
    uint32_t count = 0;

    CU_ASSERT_PTR_NOT_NULL(gsched_cycle(p->sched, now, &count));
    CU_ASSERT(cluster_is_right(p->cluster));
    return count;
}

static uint32_t placed(const struct plant *p, uint32_t job)
{
    return gsched_placed(p->sched, job);
}

/* --- memory --------------------------------------------------------------- */

/* Bytes in use after `jobs` more, 8 of them alive at a time. */
static size_t live_on(struct plant *p, uint32_t jobs, int64_t *now)
{
    uint32_t alive[8], n = 0, kept = 0;

    for (uint32_t i = 0; i < jobs; i++) {
        if (n == 8) {
            int forgotten;

            CU_ASSERT_EQUAL(gsched_end(p->sched, alive[0], *now), 0);
            forgotten = gsched_forget(p->sched, alive[0]);
            CU_ASSERT(forgotten >= 0);
            kept += forgotten == 1;
            if (forgotten == 0)
                trace_workload_remove(p->work, alive[0]);
            memmove(alive, alive + 1, sizeof(alive) - sizeof(*alive));
            n--;
        }
        *now += SECOND;
        alive[n++] = submit(p, 1 + i % 3, 1 + i % 4, *now);
        if (i % 2 == 0)
            (void)gsched_cycle(p->sched, *now, &(uint32_t){ 0 });
    }
    while (n > 0)
        (void)gsched_end(p->sched, alive[--n], *now);
    (void)cycle(p, *now);
    CU_ASSERT(kept <= 64);
    CU_ASSERT(p->work->job_count <= 200);
    return mallinfo2().uordblks;
}

static void test_memory(void)
{
    static const char *const policy[] = { "binpack", "easy",    "conservative",
                                          "volcano", "hybrid",  "kube-default",
                                          "drf",     "topology" };

    for (size_t i = 0; i < N_ELEMENTS(policy); i++) {
        struct plant *p = plant_make(policy[i], 2);
        int64_t now = 0;
        const size_t before = live_on(p, 10000, &now);
        const size_t after = live_on(p, 20000, &now);

        CU_ASSERT(after <= before + 16384);
        if (after > before + 16384)
            printf("  %s: %zu bytes, then %zu\n", policy[i], before, after);
        plant_free(p);
    }
}

/* --- jobs that change ----------------------------------------------------- */

static void test_waiting_changes(void)
{
    struct plant *p = plant_make("hybrid", 1);
    const uint32_t runs = submit(p, 8, 1, 0);
    uint32_t first, second, by;

    cycle(p, 0);
    first = submit(p, 8, 1, SECOND);
    second = submit(p, 8, 1, 2 * SECOND);
    cycle(p, 2 * SECOND);
    by = job_add(p, 4, 4, 1, 1, 1); /* of a higher priority, half as large */
    CU_ASSERT_EQUAL(gsched_replace(p->sched, second, by, 4, 3 * SECOND), 0);
    CU_ASSERT_EQUAL(gsched_end(p->sched, second, 3 * SECOND), -1); /* is over */
    CU_ASSERT_EQUAL(gsched_end(p->sched, runs, 4 * SECOND), 0);
    cycle(p, 4 * SECOND);
    CU_ASSERT_EQUAL(placed(p, by), 4);
    CU_ASSERT_EQUAL(placed(p, first), 0);
    plant_free(p);
}

/* A replaced job keeps its place: an equal job that was submitted in between
 * comes after it.
 */
static void test_place_is_kept(void)
{
    struct plant *p = plant_make("binpack", 1);
    const uint32_t runs = submit(p, 8, 1, 0);
    uint32_t job, twin, by;

    cycle(p, 0);
    job = submit(p, 8, 1, SECOND);
    twin = submit(p, 8, 1, 2 * SECOND);
    cycle(p, 2 * SECOND);
    by = job_add(p, 7, 7, 1, 0, 0);
    CU_ASSERT_EQUAL(gsched_replace(p->sched, job, by, 7, 3 * SECOND), 0);
    CU_ASSERT_EQUAL(gsched_end(p->sched, runs, 4 * SECOND), 0);
    cycle(p, 4 * SECOND);
    CU_ASSERT_EQUAL(placed(p, by), 7);
    CU_ASSERT_EQUAL(placed(p, twin), 0);
    plant_free(p);
}

static void test_running_changes(void)
{
    struct plant *p = plant_make("easy", 1);
    const uint32_t runs = submit(p, 4, 1, 0);
    uint32_t by, other, head;
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    cycle(p, 0);
    other = job_add(p, 2, 2, 1, 0, 1); /* fewer than it holds */
    CU_ASSERT_EQUAL(gsched_replace(p->sched, runs, other, 2, SECOND), -1);
    CU_ASSERT_EQUAL(placed(p, runs), 4);
    other = job_add(p, 4, 4, 2, 0, 1); /* of another request */
    CU_ASSERT_EQUAL(gsched_replace(p->sched, runs, other, 4, SECOND), -1);
    by = job_add(p, 6, 4, 1, 1, 1); /* two tasks more, above its gang */
    CU_ASSERT_EQUAL(gsched_replace(p->sched, runs, by, 6, SECOND), 0);
    CU_ASSERT_EQUAL(placed(p, runs), 0);
    CU_ASSERT_EQUAL(placed(p, by), 4);
    CU_ASSERT(gsched_next_allocation(p->sched, by, &at, &d));
    CU_ASSERT_EQUAL(d.placed_at, 0);
    CU_ASSERT_EQUAL(gsched_queue_used(p->sched, 1)[TOPO_GPU],
                    4 * TOPO_SHARE_ONE);
    cycle(p, SECOND);
    CU_ASSERT_EQUAL(placed(p, by), 6);
    head = submit(p, 8, 1, 2 * SECOND); /* after it, which began at 0 */
    cycle(p, 2 * SECOND);
    CU_ASSERT_EQUAL(gsched_promised(p->sched, head), 100 * SECOND);
    plant_free(p);
}

/* --- nodes, queues and classes -------------------------------------------- */

static void take_over(struct plant *p, uint32_t first, uint32_t end,
                      const uint32_t *node, int64_t now)
{
    struct topo_cluster *cluster;
    struct gsched *to = sched_make(p, first, end, &cluster);

    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    CU_ASSERT_EQUAL(gsched_take_over(to, p->sched, node, now), 0);
    gsched_destroy(p->sched);
    topo_cluster_destroy(p->cluster);
    p->sched = to;
    p->cluster = cluster;
}

static void test_nodes_come_and_go(void)
{
    static const uint32_t less[] = { UINT32_MAX, 0, 1 }; /* n0 is gone */
    static const char *const policy[] = { "fifo", "easy", "conservative",
                                          "priority-preempt" };

    for (size_t i = 0; i < N_ELEMENTS(policy); i++) {
        struct plant *p = plant_make(policy[i], 2);
        const uint32_t a = submit(p, 8, 1, 0), b = submit(p, 8, 1, 0);
        uint32_t c, at = GSCHED_FIRST;
        const int64_t *waits;
        struct gsched_decision d;

        cycle(p, 0);
        c = submit(p, 8, 1, SECOND);
        cycle(p, SECOND);
        CU_ASSERT_EQUAL(placed(p, c), 0);
        take_over(p, 0, 3, NULL, 5 * SECOND); /* n2 comes */
        CU_ASSERT_EQUAL(placed(p, a) + placed(p, b), 16);
        cycle(p, 5 * SECOND);
        CU_ASSERT_EQUAL(placed(p, c), 8);
        waits = gsched_waits(p->sched, c, 5 * SECOND);
        CU_ASSERT_PTR_NOT_NULL_FATAL(waits);
        CU_ASSERT_EQUAL(waits[GSCHED_CAPACITY] + waits[GSCHED_LATENCY]
                            + waits[GSCHED_ORDER],
                        4 * SECOND);
        take_over(p, 1, 3, less, 6 * SECOND);
        CU_ASSERT_EQUAL(placed(p, a), 0);
        CU_ASSERT_EQUAL(gsched_waiting(p->sched), 1);
        CU_ASSERT(gsched_next_allocation(p->sched, b, &at, &d));
        CU_ASSERT_EQUAL(d.grant.node, 0);
        CU_ASSERT_EQUAL(d.placed_at, 0);
        cycle(p, 6 * SECOND);
        CU_ASSERT_EQUAL(gsched_end(p->sched, b, 7 * SECOND), 0);
        cycle(p, 7 * SECOND);
        CU_ASSERT_EQUAL(placed(p, a), 8);
        plant_free(p);
    }
}

static void test_queues_and_classes_come(void)
{
    struct plant *p = plant_make("hybrid", 1);
    const uint32_t runs = submit(p, 8, 1, 0);
    uint32_t queue, klass, job;

    cycle(p, 0);
    queue = trace_queue_put(p->work, name(p, "new"));
    klass = trace_class_put(p->work, name(p, "top"));
    p->work->klass[klass].value = 100;
    job = job_add(p, 8, 8, 1, klass, queue);
    CU_ASSERT_EQUAL(gsched_submit(p->sched, job, 8, SECOND), -1);
    take_over(p, 0, 1, NULL, SECOND);
    CU_ASSERT_EQUAL(gsched_submit(p->sched, job, 8, SECOND), 0);
    CU_ASSERT_EQUAL(gsched_take_over(p->sched, p->sched, NULL, SECOND), -1);
    cycle(p, SECOND);
    CU_ASSERT_EQUAL(placed(p, job), 8); /* it evicts the other */
    CU_ASSERT_EQUAL(placed(p, runs), 0);
    CU_ASSERT_EQUAL(gsched_queue_used(p->sched, queue)[TOPO_GPU],
                    8 * TOPO_SHARE_ONE);
    plant_free(p);
}

/* --- numbers -------------------------------------------------------------- */

static void test_numbers(void)
{
    struct plant *p = plant_make("binpack", 1);
    const uint32_t a = submit(p, 1, 1, 0), b = submit(p, 1, 1, 0);

    cycle(p, 0);
    CU_ASSERT_EQUAL(gsched_forget(p->sched, b), -1); /* it runs */
    CU_ASSERT_EQUAL(gsched_forget(p->sched, 99), -1);
    CU_ASSERT_EQUAL(gsched_end(p->sched, a, 0), 0);
    CU_ASSERT_EQUAL(gsched_end(p->sched, b, 0), 0);
    CU_ASSERT_EQUAL(gsched_forget(p->sched, a), 1); /* others are compared */
    CU_ASSERT_EQUAL(gsched_forget(p->sched, b), 0);
    CU_ASSERT_EQUAL(gsched_forget(p->sched, b), -1);
    trace_workload_remove(p->work, b);
    CU_ASSERT_EQUAL(gsched_submit(p->sched, b, 1, 0), -1); /* there is none */
    CU_ASSERT_EQUAL(submit(p, 8, 1, SECOND), b);
    cycle(p, SECOND);
    CU_ASSERT_EQUAL(placed(p, b), 8);
    plant_free(p);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "memory follows the jobs that are alive", test_memory },
        { "numbers of forgotten jobs are used again", test_numbers },
        { "a job that waits changes", test_waiting_changes },
        { "a job that changes keeps its place", test_place_is_kept },
        { "a job that runs changes", test_running_changes },
        { "nodes come and go", test_nodes_come_and_go },
        { "queues and classes come", test_queues_and_classes_come },
    };

    return suite_run("alive", suite, N_ELEMENTS(suite));
}
