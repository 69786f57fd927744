/* tests/policies/test_others.c - what other schedulers take and release, and
 * devices that nodes choose, by the public functions.
 */
#include <string.h>

#include "tests/lib/bare_host.h"
#include "tests/lib/suite.h"

#define GPUS 4

struct host {
    struct bare_host b;
    const struct gsched_decision *d; /* of the last cycle */
    uint32_t count;
};

/* Two nodes of four GPUs. */
static void host_init(struct host *h)
{
    *h = (struct host){ .count = 0 };
    bare_host_init(&h->b, 2, GPUS);
}

/* The jobs are there. */
static void host_start(struct host *h, const char *policy)
{
    bare_host_start(&h->b, policy);
    CU_ASSERT_EQUAL(gsched_follow_nodes(h->b.sched), 0);
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

    g.shape = trace_workload_shape(h->b.work, &r);
    if (label) {
        const uint32_t text = bare_host_id(&h->b, label);

        aside.first_label = trace_workload_labels(h->b.work, &text, 1);
        aside.label_count = 1;
    }
    if (apart) {
        const struct trace_rule rule = { .kind = TRACE_APART,
                                         .label = bare_host_id(&h->b, apart),
                                         .tier = bare_host_id(&h->b, "node") };

        g.first_rule = trace_workload_rules(h->b.work, &rule, 1);
        g.rule_count = 1;
    }
    return trace_workload_add(h->b.work, &j, &g);
}

static void cycle(struct host *h, int64_t now)
{
    h->d = gsched_cycle(h->b.sched, now, &h->count);
}

static struct topo_grant gpus_of(uint32_t node, uint64_t devices,
                                 uint32_t tasks)
{
    return (
        struct topo_grant){ .node = node, .tasks = tasks, .devices = devices };
}

static bool refused(struct host *h, int status, const char *why)
{
    const char *said = status < 0 ? gsched_refusal(h->b.sched) : "accepted";

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
    CU_ASSERT_EQUAL(gsched_taken(h.b.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, ours, 2, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL(h.count, 0); /* one node is left */
    CU_ASSERT_EQUAL(gsched_wait_cause(h.b.sched, ours), GSCHED_CAPACITY);
    CU_ASSERT_EQUAL(gsched_queue_used(h.b.sched, 0)[TOPO_GPU], 0);
    CU_ASSERT_EQUAL(gsched_placed(h.b.sched, theirs), 1);
    CU_ASSERT_EQUAL(gsched_released(h.b.sched, theirs, 0, &g, 5), 0);
    cycle(&h, 5);
    CU_ASSERT_EQUAL(h.count, 2); /* it is activated */
    CU_ASSERT_EQUAL(gsched_end(h.b.sched, ours, 9), 0);
    CU_ASSERT_EQUAL(gsched_forget(h.b.sched, theirs), 0);
    bare_host_fini(&h.b);
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
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, ours, 1, 1), 0);
    CU_ASSERT(refused(&h, gsched_taken(h.b.sched, ours, 0, &g, 1),
                      "submitted before"));
    CU_ASSERT(refused(&h, gsched_taken(h.b.sched, theirs, 1, &g, 1),
                      "no such group"));
    CU_ASSERT(refused(&h, gsched_taken(h.b.sched, 7, 0, &g, 1), "no such job"));
    CU_ASSERT(refused(&h, gsched_taken(h.b.sched, theirs, 0, NULL, 1),
                      "nothing is taken"));
    CU_ASSERT_EQUAL(gsched_taken(h.b.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT(refused(&h, gsched_taken(h.b.sched, theirs, 0, &g, 1),
                      "or a job holds it"));
    CU_ASSERT(refused(&h, gsched_submit(h.b.sched, theirs, 4, 1),
                      "submitted before"));
    CU_ASSERT(refused(&h, gsched_end(h.b.sched, theirs, 1),
                      "another scheduler serves"));
    CU_ASSERT(refused(&h, gsched_lost(h.b.sched, theirs, 1),
                      "another scheduler serves"));
    CU_ASSERT(refused(&h, gsched_released(h.b.sched, theirs, 0, &other, 1),
                      "no other scheduler took this"));
    CU_ASSERT(refused(&h, gsched_released(h.b.sched, ours, 0, &g, 1),
                      "no other scheduler took this"));
    CU_ASSERT_EQUAL(gsched_forget(h.b.sched, theirs),
                    -1); /* it holds something */
    CU_ASSERT_PTR_NULL(gsched_waits(h.b.sched, theirs, 1));
    CU_ASSERT_FALSE(gsched_next_on(h.b.sched, 0, &at, &on));
    bare_host_fini(&h.b);
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
    CU_ASSERT_EQUAL(gsched_taken(h.b.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, ours, 1, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL_FATAL(h.count, 1);
    CU_ASSERT_EQUAL(h.d[0].grant.node, 1); /* not on the fuller one */
    bare_host_fini(&h.b);
}

static void test_no_victims(void)
{
    struct topo_grant g = gpus_of(0, 0xf, 1);
    uint32_t ours, theirs;
    struct host h;

    host_init(&h);
    theirs = job_add(&h, 2, GPUS, NULL, NULL);
    ours = job_add(&h, 1, GPUS, NULL, NULL);
    h.b.work->job[ours].klass = trace_class_value(h.b.work, 9);
    host_start(&h, "priority-preempt");
    CU_ASSERT_EQUAL(gsched_taken(h.b.sched, theirs, 0, &g, 1), 0);
    g = gpus_of(1, 0xf, 1);
    CU_ASSERT_EQUAL(gsched_taken(h.b.sched, theirs, 0, &g, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, ours, 1, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL(h.count, 0);
    bare_host_fini(&h.b);
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
        CU_ASSERT_EQUAL(gsched_submit(h.b.sched, first, 1, 1), 0);
        cycle(&h, 1);
        CU_ASSERT_EQUAL_FATAL(h.count, 1);
        g.node = 1 - h.d[0].grant.node;
        CU_ASSERT_EQUAL(gsched_submit(h.b.sched, second, 2, 2), 0);
        cycle(&h, 2);
        CU_ASSERT_EQUAL(gsched_promised(h.b.sched, second), 101);
        CU_ASSERT_EQUAL(gsched_taken(h.b.sched, theirs, 0, &g, 3), 0);
        cycle(&h, 3);
        CU_ASSERT_EQUAL(gsched_promised(h.b.sched, second), GSCHED_NEVER);
        CU_ASSERT_EQUAL(gsched_released(h.b.sched, theirs, 0, &g, 4), 0);
        cycle(&h, 4);
        CU_ASSERT_EQUAL(gsched_promised(h.b.sched, second), 101);
        CU_ASSERT_EQUAL(gsched_end(h.b.sched, first, 5), 0);
        cycle(&h, 5);
        CU_ASSERT_EQUAL(h.count, 2);
        bare_host_fini(&h.b);
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
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, a, 1, 1), 0);
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, b, 1, 1), 0);
    cycle(&h, 1);
    CU_ASSERT_EQUAL_FATAL(h.count, 2);
    memcpy(d, h.d, sizeof(d));
    CU_ASSERT_EQUAL(d[0].grant.devices, 0x1);
    CU_ASSERT_EQUAL(d[1].grant.devices, 0x6);
    g[0] = gpus_of(d[0].grant.node, 0x4, 1); /* the other's: they exchange */
    g[1] = gpus_of(d[1].grant.node, 0x3, 1);
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.b.sched, d, g, 1, 1),
                      "or a job holds them"));
    CU_ASSERT_EQUAL(gsched_devices_chosen(h.b.sched, d, g, 2, 1), 0);
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.b.sched, d, g, 2, 1),
                      "does not hold these tasks"));
    d[0].grant = g[0];
    d[1] = d[0];
    g[0].devices = g[1].devices = 0x8;
    g[1].tasks = 1;
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.b.sched, d, g, 2, 1),
                      "named twice"));
    g[0].node = 1 - g[0].node;
    CU_ASSERT(refused(&h, gsched_devices_chosen(h.b.sched, d, g, 1, 1),
                      "of their node"));
    CU_ASSERT_EQUAL(gsched_submit(h.b.sched, c, 1, 2), 0);
    cycle(&h, 2);
    CU_ASSERT_EQUAL_FATAL(h.count, 1);
    CU_ASSERT_EQUAL(h.d[0].grant.devices, 0x8);
    CU_ASSERT_EQUAL(gsched_end(h.b.sched, a, 3), 0);
    CU_ASSERT_EQUAL(gsched_end(h.b.sched, b, 3), 0);
    CU_ASSERT_EQUAL(gsched_end(h.b.sched, c, 3), 0);
    CU_ASSERT_EQUAL(topo_cluster_totals(h.b.cluster)->gpu_free_milli, 8000);
    bare_host_fini(&h.b);
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
