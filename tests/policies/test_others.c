/* tests/policies/test_others.c - what other schedulers take and release, and
 * devices that nodes choose, by the public functions.
 */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "policies/scheduler.h"
#include "tests/lib/suite.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define GPUS 4

/* Two nodes of four GPUs. */
struct host {
    struct gs_arena *arena;
    struct gs_strtab *names;
    struct topo_dims dims;
    struct topo *topo;
    struct trace_workload *work;
    struct topo_cluster *cluster;
    struct gsched *sched;
    const struct gsched_decision *d;
    uint32_t count;
};

static uint32_t id(struct host *h, const char *text)
{
    return gs_strtab_put(h->names, text, strlen(text));
}

static void host_init(struct host *h)
{
    struct topo_class k = { .gpus = GPUS };
    struct gs_err err = { 0 };

    *h = (struct host){ .arena = gs_arena_create(1 << 14),
                        .names = gs_strtab_create() };
    topo_dims_init(&h->dims, h->names);
    h->topo = topo_create(h->arena, h->names, &h->dims);
    k.type = id(h, "t");
    k.capacity[TOPO_GPU] = GPUS * TOPO_SHARE_ONE;
    topo_add_node(h->topo, id(h, "n1"), topo_add_class(h->topo, &k), NULL,
                  &err);
    topo_add_node(h->topo, id(h, "n2"), 0, NULL, &err);
    CU_ASSERT_EQUAL_FATAL(topo_finish(h->topo, &err), 0);
    h->work = trace_workload_create(h->arena, h->names, &h->dims);
}

/* The jobs are there. */
static void host_start(struct host *h, const char *policy)
{
    struct gs_err err = { 0 };
    struct gsched_profile *p = gsched_profile_named(policy, h->arena, &err);

    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    h->cluster = topo_cluster_create(h->topo);
    h->sched = gsched_create(h->cluster, h->work, p, 1, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(h->sched);
    CU_ASSERT_EQUAL(gsched_follow_nodes(h->sched), 0);
}

static void host_fini(struct host *h)
{
    gsched_destroy(h->sched);
    topo_cluster_destroy(h->cluster);
    trace_workload_destroy(h->work);
    gs_strtab_destroy(h->names);
    gs_arena_destroy(h->arena);
}

/* A job of `replicas` tasks of `gpus`, with the label (NULL: none), and away
 * from jobs with `apart` (NULL: beside any).
 */
static uint32_t job_add(struct host *h, uint32_t replicas, uint32_t gpus,
                        const char *label, const char *apart)
{
    const struct topo_request r = { .gpus = gpus };
    struct trace_group g = { .replicas = replicas };
    struct trace_job_aside aside = { 0 };
    struct trace_job j = { .aside = &aside,
                           .duration = 100,
                           .estimate = 100,
                           .group_count = 1,
                           .retries = TRACE_NONE };

    g.shape = trace_workload_shape(h->work, &r);
    if (label) {
        const uint32_t text = id(h, label);

        aside.first_label = trace_workload_labels(h->work, &text, 1);
        aside.label_count = 1;
    }
    if (apart) {
        const struct trace_rule rule = { .kind = TRACE_APART,
                                         .label = id(h, apart),
                                         .tier = id(h, "node") };

        g.first_rule = trace_workload_rules(h->work, &rule, 1);
        g.rule_count = 1;
    }
    return trace_workload_add(h->work, &j, &g);
}

static void cycle(struct host *h, int64_t now)
{
    h->d = gsched_cycle(h->sched, now, &h->count);
}

static struct topo_grant gpus_of(uint32_t node, uint64_t devices,
                                 uint32_t tasks)
{
    return (
        struct topo_grant){ .node = node, .tasks = tasks, .devices = devices };
}

static bool refused(struct host *h, int status, const char *why)
{
    const char *said = status < 0 ? gsched_refusal(h->sched) : "accepted";

    if (!strstr(said, why))
        printf("'%s' is no '%s'\n", said, why);
    return strstr(said, why) != NULL;
}

/* --- capacity ------------------------------------------------------------- */

static void test_capacity(void)
{
    struct topo_grant g = gpus_of(0, 0x3, 1);
    struct host h;
    uint32_t ours, theirs;

    host_init(&h);
    ours = job_add(&h, 2, GPUS, NULL, NULL);
    theirs = job_add(&h, 2, 2, NULL, NULL);
    host_start(&h, "binpack");
    CU_ASSERT_EQUAL(gsched_taken(h.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.sched, ours, 2, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL(h.count, 0); /* one node is left */
    CU_ASSERT_EQUAL(gsched_wait_cause(h.sched, ours), GSCHED_CAPACITY);
    CU_ASSERT_EQUAL(gsched_queue_used(h.sched, 0)[TOPO_GPU], 0);
    CU_ASSERT_EQUAL(gsched_placed(h.sched, theirs), 1);
    CU_ASSERT_EQUAL(gsched_released(h.sched, theirs, 0, &g, 5), 0);
    cycle(&h, 5);
    CU_ASSERT_EQUAL(h.count, 2); /* it is activated */
    CU_ASSERT_EQUAL(gsched_end(h.sched, ours, 9), 0);
    CU_ASSERT_EQUAL(gsched_forget(h.sched, theirs), 0);
    host_fini(&h);
}

static void test_refused(void)
{
    struct topo_grant g = gpus_of(0, 0x3, 1), other = gpus_of(0, 0xc, 1);
    struct gsched_decision on;
    uint32_t ours, theirs, at = GSCHED_FIRST;
    struct host h;

    host_init(&h);
    ours = job_add(&h, 1, 2, NULL, NULL);
    theirs = job_add(&h, 4, 2, NULL, NULL);
    host_start(&h, "binpack");
    CU_ASSERT_EQUAL(gsched_submit(h.sched, ours, 1, 1), 0);
    CU_ASSERT(
        refused(&h, gsched_taken(h.sched, ours, 0, &g, 1), "submitted before"));
    CU_ASSERT(
        refused(&h, gsched_taken(h.sched, theirs, 1, &g, 1), "no such group"));
    CU_ASSERT(refused(&h, gsched_taken(h.sched, 7, 0, &g, 1), "no such job"));
    CU_ASSERT(refused(&h, gsched_taken(h.sched, theirs, 0, NULL, 1),
                      "nothing is taken"));
    CU_ASSERT_EQUAL(gsched_taken(h.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT(refused(&h, gsched_taken(h.sched, theirs, 0, &g, 1),
                      "or a job holds it"));
    CU_ASSERT(
        refused(&h, gsched_submit(h.sched, theirs, 4, 1), "submitted before"));
    CU_ASSERT(refused(&h, gsched_end(h.sched, theirs, 1),
                      "another scheduler serves"));
    CU_ASSERT(refused(&h, gsched_lost(h.sched, theirs, 1),
                      "another scheduler serves"));
    CU_ASSERT(refused(&h, gsched_released(h.sched, theirs, 0, &other, 1),
                      "no other scheduler took this"));
    CU_ASSERT(refused(&h, gsched_released(h.sched, ours, 0, &g, 1),
                      "no other scheduler took this"));
    CU_ASSERT_EQUAL(gsched_forget(h.sched, theirs),
                    -1); /* it holds something */
    CU_ASSERT_PTR_NULL(gsched_waits(h.sched, theirs, 1));
    CU_ASSERT_FALSE(gsched_next_on(h.sched, 0, &at, &on));
    host_fini(&h);
}

static void test_rules(void)
{
    struct topo_grant g = gpus_of(0, 0x1, 1);
    uint32_t ours, theirs;
    struct host h;

    host_init(&h);
    theirs = job_add(&h, 1, 1, "app=x", NULL);
    ours = job_add(&h, 1, 1, NULL, "app=x");
    host_start(&h, "gang,constraints,binpack");
    CU_ASSERT_EQUAL(gsched_taken(h.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.sched, ours, 1, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL_FATAL(h.count, 1);
    CU_ASSERT_EQUAL(h.d[0].grant.node, 1); /* not on the fuller one */
    host_fini(&h);
}

static void test_no_victims(void)
{
    struct topo_grant g = gpus_of(0, 0xf, 1);
    uint32_t ours, theirs;
    struct host h;

    host_init(&h);
    theirs = job_add(&h, 2, GPUS, NULL, NULL);
    ours = job_add(&h, 1, GPUS, NULL, NULL);
    h.work->job[ours].klass = trace_class_value(h.work, 9);
    host_start(&h, "priority-preempt");
    CU_ASSERT_EQUAL(gsched_taken(h.sched, theirs, 0, &g, 1), 0);
    g = gpus_of(1, 0xf, 1);
    CU_ASSERT_EQUAL(gsched_taken(h.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.sched, ours, 1, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL(h.count, 0);
    host_fini(&h);
}

/* Reservations, of both depths, know no end of what others hold; what is taken
 * from a reservation moves it.
 */
static void test_reservations(void)
{
    static const char *const policies[] = { "easy", "conservative" };

    for (size_t i = 0; i < N_ELEMENTS(policies); i++) {
        struct topo_grant g = gpus_of(0, 0xf, 1);
        uint32_t first, second, theirs;
        struct host h;

        host_init(&h);
        theirs = job_add(&h, 1, GPUS, NULL, NULL);
        first = job_add(&h, 1, GPUS, NULL, NULL);
        second = job_add(&h, 2, GPUS, NULL, NULL);
        host_start(&h, policies[i]);
        CU_ASSERT_EQUAL(gsched_submit(h.sched, first, 1, 1), 0);
        cycle(&h, 1);
        CU_ASSERT_EQUAL_FATAL(h.count, 1);
        g.node = 1 - h.d[0].grant.node;
        CU_ASSERT_EQUAL(gsched_submit(h.sched, second, 2, 2), 0);
        cycle(&h, 2);
        CU_ASSERT_EQUAL(gsched_promised(h.sched, second), 101);
        CU_ASSERT_EQUAL(gsched_taken(h.sched, theirs, 0, &g, 3), 0);
        cycle(&h, 3);
        CU_ASSERT_EQUAL(gsched_promised(h.sched, second), GSCHED_NEVER);
        CU_ASSERT_EQUAL(gsched_released(h.sched, theirs, 0, &g, 4), 0);
        cycle(&h, 4);
        CU_ASSERT_EQUAL(gsched_promised(h.sched, second), 101);
        CU_ASSERT_EQUAL(gsched_end(h.sched, first, 5), 0);
        cycle(&h, 5);
        CU_ASSERT_EQUAL(h.count, 2);
        host_fini(&h);
    }
}

/* --- devices -------------------------------------------------------------- */

static void test_devices(void)
{
    struct gsched_decision d[2];
    struct topo_grant g[2];
    uint32_t a, b, c;
    struct host h;

    host_init(&h);
    a = job_add(&h, 1, 1, NULL, NULL);
    b = job_add(&h, 1, 2, NULL, NULL);
    c = job_add(&h, 1, 1, NULL, NULL);
    host_start(&h, "easy");
    CU_ASSERT_EQUAL(gsched_submit(h.sched, a, 1, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.sched, b, 1, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL_FATAL(h.count, 2);
    memcpy(d, h.d, sizeof(d));
    CU_ASSERT_EQUAL(d[0].grant.devices, 0x1);
    CU_ASSERT_EQUAL(d[1].grant.devices, 0x6);
    g[0] = gpus_of(d[0].grant.node, 0x4, 1); /* the other's: they exchange */
    g[1] = gpus_of(d[1].grant.node, 0x3, 1);
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.sched, d, g, 1, 1),
                      "or a job holds them"));
    CU_ASSERT_EQUAL(gsched_devices_chosen(h.sched, d, g, 2, 1), 0);
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.sched, d, g, 2, 1),
                      "does not hold these tasks"));
    d[0].grant = g[0];
    d[1] = d[0];
    g[0].devices = g[1].devices = 0x8;
    g[1].tasks = 1;
    CU_ASSERT(
        refused(&h, gsched_devices_chosen(h.sched, d, g, 2, 1), "named twice"));
    g[0].node = 1 - g[0].node;
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.sched, d, g, 1, 1),
                      "of their node"));
    CU_ASSERT_EQUAL(gsched_submit(h.sched, c, 1, 2), 0);
    cycle(&h, 2);
    CU_ASSERT_EQUAL_FATAL(h.count, 1);
    CU_ASSERT_EQUAL(h.d[0].grant.devices, 0x8);
    CU_ASSERT_EQUAL(gsched_end(h.sched, a, 3), 0);
    CU_ASSERT_EQUAL(gsched_end(h.sched, b, 3), 0);
    CU_ASSERT_EQUAL(gsched_end(h.sched, c, 3), 0);
    CU_ASSERT_EQUAL(topo_cluster_totals(h.cluster)->gpu_free_milli, 8000);
    host_fini(&h);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "what others hold is not free", test_capacity },
        { "calls that are refused", test_refused },
        { "rules see tasks of others", test_rules },
        { "jobs of others are no victims", test_no_victims },
        { "reservations know no end of what others hold", test_reservations },
        { "nodes choose devices", test_devices },
    };

    return suite_run("policies/others", suite, N_ELEMENTS(suite));
}
