/* tests/policies/test_late_rules.c - adding jobs one by one gives the same
 * decisions as knowing all at the start: rules may name labels of earlier jobs.
 */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/suite.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define NODES 6
#define JOBS 60
#define ROUNDS 40

struct host {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct topo_cluster *cluster;
    struct gsched *sched;
    int64_t end[JOBS]; /* 0: does not run */
    uint64_t told;     /* hash of all decisions */
    uint32_t tasks;    /* placed */
};

static uint32_t id(struct host *h, const char *text)
{
    return gs_strtab_put(h->names, text, strlen(text));
}

static void nodes_make(struct host *h)
{
    struct topo_class k = { .gpus = 4 };
    struct gs_err err = { 0 };

    h->topo = topo_create(h->arena, h->names, &h->dims);
    k.type = id(h, "t");
    k.capacity[TOPO_GPU] = 4000;
    for (uint32_t n = 0; n < NODES; n++) {
        char name[3] = { 'n', (char)('0' + n) };

        topo_add_node(h->topo, id(h, name), topo_add_class(h->topo, &k), NULL,
                      &err);
    }
    CU_ASSERT_EQUAL_FATAL(topo_finish(h->topo, &err), 0);
}

static uint32_t drawn_label(struct host *h, struct gs_rng *r)
{
    char text[5] = "app=";

    text[3] = (char)('a' + gs_rng_below(r, 4));
    return gs_strtab_put(h->names, text, 4);
}

/* One task, often labelled; now and then with a rule about a label or a spread
 * of its tasks.
 */
static void job_add(struct host *h, struct gs_rng *r, uint32_t i)
{
    struct topo_request request = { .gpus = 1 };
    struct trace_group g = { .replicas = 1 + (uint32_t)gs_rng_below(r, 2) };
    struct trace_job_aside aside = { 0 };
    struct trace_job j = { .aside = &aside,
                           .submit = i,
                           .duration = 1,
                           .group_count = 1,
                           .retries = TRACE_NONE };

    g.shape = trace_workload_shape(h->work, &request);
    if (gs_rng_below(r, 3)) {
        const uint32_t label = drawn_label(h, r);

        aside.first_label = trace_workload_labels(h->work, &label, 1);
        aside.label_count = 1;
    }
    if (gs_rng_below(r, 5) == 0) {
        struct trace_rule rule = { .kind = (enum trace_rule_kind)gs_rng_below(
                                       r, 3),
                                   .label = drawn_label(h, r),
                                   .tier = id(h, "node"),
                                   .max_skew = 1 };

        g.first_rule = trace_workload_rules(h->work, &rule, 1);
        g.rule_count = 1;
    }
    (void)trace_workload_add(h->work, &j, &g);
}

static void host_init(struct host *h, const char *policy, uint64_t seed,
                      uint32_t known, struct gs_rng *r)
{
    struct gs_err err = { 0 };
    struct gsched_profile *p;

    *h = (struct host){ .arena = gs_arena_create(1 << 14),
                        .names = gs_strtab_create() };
    topo_dims_init(&h->dims, h->names);
    nodes_make(h);
    h->work = trace_workload_create(h->arena, h->names, &h->dims);
    gs_rng_init(r, seed, "jobs");
    for (uint32_t i = 0; i < known; i++)
        job_add(h, r, i);
    p = gsched_profile_named(policy, h->arena, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
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

static void tell(struct host *h, uint64_t x)
{
    h->told = (h->told ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    h->told ^= h->told >> 29;
}

/* One cycle; jobs run for 9 more. */
static void cycle(struct host *h, int64_t now)
{
    uint32_t count;
    const struct gsched_decision *d = gsched_cycle(h->sched, now, &count);

    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t t = 0; t < d[i].grant.tasks; t++) {
            tell(h, (uint64_t)now << 32 | d[i].job);
            tell(h, (uint64_t)d[i].grant.node << 32 | (d[i].first_task + t));
            tell(h, d[i].kind);
        }
        h->tasks += d[i].kind == GSCHED_PLACE ? d[i].grant.tasks : 0;
        if (gsched_placed(h->sched, d[i].job) == h->work->job[d[i].job].tasks)
            h->end[d[i].job] = now + 9;
    }
    for (uint32_t i = 0; i < h->work->job_count; i++) {
        if (h->end[i] == now && now) {
            gsched_end(h->sched, i, now);
            h->end[i] = 0;
        }
    }
}

/* `known` jobs are in the workload from the start, the others come later. */
static void play(struct host *h, const char *policy, uint64_t seed,
                 uint32_t known)
{
    struct gs_rng r;

    host_init(h, policy, seed, known, &r);
    for (uint32_t i = 0; i < JOBS; i++) {
        if (i >= known)
            job_add(h, &r, i);
        gsched_submit(h->sched, i, h->work->job[i].tasks, i + 1);
        cycle(h, i + 1);
    }
    for (int64_t now = JOBS + 1; now < 3 * JOBS; now++)
        cycle(h, now);
}

static void test_late(void)
{
    static const char *const policies[] = { "kube-default", "volcano",
                                            "gang,constraints,binpack" };

    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        for (size_t i = 0; i < N_ELEMENTS(policies); i++) {
            struct host all, some, none;

            play(&all, policies[i], seed, JOBS);
            play(&some, policies[i], seed, JOBS / 3);
            play(&none, policies[i], seed, 0);
            CU_ASSERT(all.tasks > JOBS / 2);
            CU_ASSERT_EQUAL(some.tasks, all.tasks);
            CU_ASSERT_EQUAL(some.told, all.told);
            CU_ASSERT_EQUAL(none.tasks, all.tasks);
            CU_ASSERT_EQUAL(none.told, all.told);
            CU_ASSERT(cluster_is_right(none.cluster));
            host_fini(&all);
            host_fini(&some);
            host_fini(&none);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "rules that come later find earlier jobs", test_late },
    };

    return suite_run("policies/late_rules", suite, N_ELEMENTS(suite));
}
