/* tests/policies/test_submitted.c - jobs that end before the first cycle after
 * their submission, in any order, by the public functions.
 */
#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "tests/lib/suite.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define GPUS 64
#define MANY 100000

/* One node, on which all jobs that are not ended fit. */
struct host {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct topo_cluster *cluster;
    struct gsched *sched;
};

static void host_init(struct host *h, uint32_t jobs)
{
    struct topo_class k = { .gpus = GPUS };
    const struct topo_request r = { .gpus = 1 };
    struct gs_err err = { 0 };
    struct gsched_profile *p;

    *h = (struct host){ .arena = gs_arena_create(1 << 14),
                        .names = gs_strtab_create() };
    topo_dims_init(&h->dims, h->names);
    h->topo = topo_create(h->arena, h->names, &h->dims);
    k.type = gs_strtab_put(h->names, "t", 1);
    k.capacity[TOPO_GPU] = GPUS * TOPO_SHARE_ONE;
    topo_add_node(h->topo, gs_strtab_put(h->names, "n", 1),
                  topo_add_class(h->topo, &k), NULL, &err);
    CU_ASSERT_EQUAL_FATAL(topo_finish(h->topo, &err), 0);
    h->work = trace_workload_create(h->arena, h->names, &h->dims);
    for (uint32_t i = 0; i < jobs; i++) {
        struct trace_group g = { .replicas = 1 };
        struct trace_job_aside aside = { 0 };
        struct trace_job j = { .aside = &aside,
                               .duration = 100,
                               .group_count = 1,
                               .retries = TRACE_NONE };

        g.shape = trace_workload_shape(h->work, &r);
        (void)trace_workload_add(h->work, &j, &g);
    }
    p = gsched_profile_named("fifo", h->arena, &err);
    h->cluster = topo_cluster_create(h->topo);
    h->sched = gsched_create(h->cluster, h->work, p, 1, &err);
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

static void submit_all(struct host *h, uint32_t jobs)
{
    for (uint32_t i = 0; i < jobs; i++)
        CU_ASSERT_EQUAL_FATAL(gsched_submit(h->sched, i, 1, 0), 0);
}

/* Put the numbers below `count` into a random order. */
static void shuffle(struct gs_rng *r, uint32_t *at, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t k = (uint32_t)gs_rng_below(r, i + 1);

        at[i] = at[k];
        at[k] = i;
    }
}

/* Those that are left are placed in the order of their submission. */
static void test_any_order(void)
{
    const uint64_t rounds = suite_rounds(200);
    struct gs_rng r;

    gs_rng_init(&r, 7, "submitted");
    for (uint64_t n = 0; n < rounds; n++) {
        const uint32_t jobs = 1 + (uint32_t)gs_rng_below(&r, GPUS);
        const uint32_t ended = (uint32_t)gs_rng_below(&r, jobs + 1);
        bool is_over[GPUS] = { false };
        uint32_t order[GPUS], count, at = 0;
        const struct gsched_decision *d;
        struct host h;

        host_init(&h, jobs);
        shuffle(&r, order, jobs);
        submit_all(&h, jobs);
        for (uint32_t i = 0; i < ended; i++) {
            CU_ASSERT_EQUAL(gsched_end(h.sched, order[i], 0), 0);
            is_over[order[i]] = true;
        }
        CU_ASSERT_EQUAL(gsched_waiting(h.sched), jobs - ended);
        d = gsched_cycle(h.sched, 1, &count);
        CU_ASSERT_EQUAL(count, jobs - ended);
        for (uint32_t i = 0; i < jobs && at < count; i++) {
            if (is_over[i])
                continue;
            CU_ASSERT_EQUAL(d[at].job, i);
            at++;
        }
        CU_ASSERT_EQUAL(at, count);
        CU_ASSERT_EQUAL(gsched_waiting(h.sched), 0);
        host_fini(&h);
    }
}

/* Each costs the same, however many came before or after it: with a search it
 * would be 5 billion steps in all.
 */
static void test_many(void)
{
    const struct gsched_decision *d;
    uint32_t count;
    struct host h;

    host_init(&h, MANY);
    submit_all(&h, MANY);
    for (uint32_t i = 0; i + 1 < MANY; i++)
        CU_ASSERT_EQUAL_FATAL(gsched_end(h.sched, i, 0), 0);
    d = gsched_cycle(h.sched, 1, &count);
    CU_ASSERT_EQUAL_FATAL(count, 1);
    CU_ASSERT_EQUAL(d[0].job, MANY - 1);
    host_fini(&h);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "jobs end before a cycle in any order", test_any_order },
        { "so many in the order of their submission", test_many },
    };

    return suite_run("policies/submitted", suite, N_ELEMENTS(suite));
}
