/* tests/topology/test_outage.c - nodes that are closed, GPUs out of order.
 * Random walks with outages are in test_cluster_walk.c.
 */
#include "tests/lib/load_cluster.h"

static const char text[] = "tiers: [{name: rack}]\n"
                           "node_types: {g: {gpus: 4, cpu: 8}, c: {cpu: 16}}\n"
                           "nodes:\n"
                           "  - {name: \"g[1-2]\", type: g, rack: r1}\n"
                           "  - {name: c1, type: c, rack: r1}\n";

enum { G1, G2, C1, NODES };

static const struct topo_request one = { .gpus = 1,
                                         .amount[TOPO_GPU] = 1000,
                                         .amount[TOPO_CPU] = 1000 };
static const struct topo_request half = { .share = 500,
                                          .amount[TOPO_GPU] = 500 };
static const struct topo_request nothing;

/* What stands on a closed node stays, and is free once it opens. */
static void test_drain(void)
{
    const struct topo_totals *t;
    struct topo_grant g;
    struct load_cluster w;

    load_cluster_init(&w, text);
    t = topo_cluster_totals(w.c);
    g = topo_cluster_allocate(w.c, G1, &one, 3, ANY);
    topo_cluster_cordon(w.c, G1);
    topo_cluster_cordon(w.c, G1);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_TRUE(topo_cluster_is_cordoned(w.c, G1));
    CU_ASSERT_FALSE(topo_cluster_is_cordoned(w.c, G2));
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 0);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &half), 0);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &nothing), 0);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G2, &one), 4);
    CU_ASSERT_EQUAL(topo_class_open(w.c, w.l.t->node_class[G1]), 1);
    CU_ASSERT_EQUAL(topo_class_free(w.c, w.l.t->node_class[G1], TOPO_CPU),
                    8000);
    CU_ASSERT_EQUAL(topo_domain_free(w.c, 0, TOPO_GPU), 4000);
    CU_ASSERT_EQUAL(t->gpu_free_milli, 4000);
    CU_ASSERT_EQUAL(t->out_milli, 1000); /* three are held still */
    CU_ASSERT_EQUAL(t->closed_nodes, 1);
    CU_ASSERT_EQUAL(t->partial_nodes, 0);
    CU_ASSERT_EQUAL(t->empty_nodes, 1);
    topo_cluster_release(w.c, &one, &g);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_EQUAL(t->out_milli, 4000);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 0);
    topo_cluster_uncordon(w.c, G1);
    topo_cluster_uncordon(w.c, G1);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 4);
    CU_ASSERT_EQUAL(t->out_milli, 0);
    CU_ASSERT_EQUAL(t->gpu_free_milli, 8000);
    topo_cluster_cordon(w.c, C1); /* without GPUs */
    CU_ASSERT_EQUAL(t->closed_nodes, 0);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, C1, &nothing), 0);
    load_cluster_fini(&w);
}

/* A transaction may look at what a closed node would have. */
static void test_rollback(void)
{
    struct topo_grant g;
    struct load_cluster w;
    uint32_t mark;

    load_cluster_init(&w, text);
    g = topo_cluster_allocate(w.c, G1, &one, 4, ANY);
    topo_cluster_cordon(w.c, G1);
    mark = topo_cluster_begin(w.c);
    topo_cluster_release(w.c, &one, &g);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 0);
    topo_cluster_rollback(w.c, mark);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    topo_cluster_uncordon(w.c, G1);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 0);
    load_cluster_fini(&w);
}

/* A GPU out of order is not a used one: its node is as empty as it was, and
 * what is free there is not scattered.
 */
static void test_not_scattered(void)
{
    const struct topo_totals *t;
    struct topo_grant g;
    struct load_cluster w;

    load_cluster_init(&w, text);
    t = topo_cluster_totals(w.c);
    for (uint32_t i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(t->empty_nodes, 2);
        CU_ASSERT_EQUAL(t->partial_nodes + t->partial_free_milli, 0);
        topo_cluster_fail(w.c, G1, i);
        CU_ASSERT_TRUE(cluster_is_right(w.c));
    }
    CU_ASSERT_EQUAL(t->empty_nodes, 1);
    topo_cluster_cordon(w.c, G1);
    topo_cluster_repair(w.c, G1, 2);
    topo_cluster_repair(w.c, G1, 3);
    topo_cluster_uncordon(w.c, G1);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_EQUAL(t->empty_nodes, 2);
    g = topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    CU_ASSERT_EQUAL(t->partial_nodes, 1);
    CU_ASSERT_EQUAL(t->partial_free_milli, 1000);
    topo_cluster_repair(w.c, G1, 0);
    CU_ASSERT_EQUAL(t->partial_free_milli, 2000);
    topo_cluster_release(w.c, &one, &g);
    CU_ASSERT_EQUAL(t->partial_nodes, 0);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    load_cluster_fini(&w);
}

/* A GPU that is out of order, on a node that opens and closes. */
static void test_gpu(void)
{
    const struct topo_totals *t;
    struct topo_grant g;
    struct load_cluster w;

    load_cluster_init(&w, text);
    t = topo_cluster_totals(w.c);
    topo_cluster_fail(w.c, G1, 0);
    topo_cluster_fail(w.c, G1, 0);
    CU_ASSERT_EQUAL(topo_cluster_failed(w.c, G1), 1);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 3);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &half), 6);
    CU_ASSERT_EQUAL(t->out_milli, 1000);
    CU_ASSERT_EQUAL(t->gpu_free_milli, 7000);
    g = topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    CU_ASSERT_EQUAL(g.devices, 2);
    topo_cluster_cordon(w.c, G1);
    CU_ASSERT_EQUAL(t->out_milli, 3000);
    topo_cluster_repair(w.c, G1, 0);
    topo_cluster_repair(w.c, G1, 0);
    topo_cluster_fail(w.c, G1, 3);
    CU_ASSERT_EQUAL(t->out_milli, 3000);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    topo_cluster_uncordon(w.c, G1);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 2);
    topo_cluster_repair(w.c, G1, 3);
    CU_ASSERT_EQUAL(load_cluster_fit(&w, G1, &one), 3);
    CU_ASSERT_EQUAL(t->out_milli, 0);
    load_cluster_fini(&w);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a job stays on a cordoned node", test_drain },
        { "a rollback restores a cordoned node", test_rollback },
        { "a failed GPU is no fragmentation", test_not_scattered },
        { "a GPU fails and is repaired on any node", test_gpu },
    };

    return suite_run("topology/outage", cases, N_ELEMENTS(cases));
}
