/* tests/topology/test_cluster.c - allocations on nodes: allocate, release,
 * transactions, sums, groups.
 */
#include "base/array.h"
#include "tests/lib/load_cluster.h"
#include "topology/mig.h"

#define TWO_RACKS                                         \
    "tiers: [{name: rack}]\n"                             \
    "node_types: {g: {gpus: 4, cpu: 8}, c: {cpu: 16}}\n"  \
    "nodes:\n"                                            \
    "  - {name: \"g[1-4]\", type: g, rack: \"r[1-2]\"}\n" \
    "  - {name: \"c[1-2]\", type: c, rack: \"r[1-2]\"}\n"

/* Nodes by number: r1 holds g1 g2 c1, r2 holds g3 g4 c2. */
enum { G1, G2, C1, G3, G4, C2, NODES };

/* --- devices -------------------------------------------------------------- */

static const struct {
    uint32_t gpus, share, tasks, device; /* asked for */
    uint64_t devices;                    /* granted */
} grants[] = {
    /* on one node of 4, one after another */
    { 0, 300, 1, ANY, 1 }, /* nothing is shared yet: the lowest */
    { 0, 300, 1, ANY, 1 }, /* then the fullest that fits */
    { 0, 500, 1, ANY, 2 }, /* 400 left on device 0 */
    { 0, 450, 1, ANY, 2 }, /* device 1 */
    { 0, 60, 1, ANY, 1 },  /* 50 left on 1, 340 on 0 */
    { 0, 50, 1, ANY, 2 },  /* exactly what is left on 1 */
    { 0, 340, 1, 3, 8 },   /* where the caller says */
    { 0, 340, 1, ANY, 1 }, /* 340 left on 0, 660 on 3 */
    { 1, 0, 1, ANY, 4 },   /* whole: only device 2 is */
    { 0, 660, 1, ANY, 8 },
};

static void test_devices(void)
{
    struct topo_grant g[N_ELEMENTS(grants)];
    struct topo_request r[N_ELEMENTS(grants)];
    struct load_cluster w;

    load_cluster_init(
        &w, "node_types: {g: {gpus: 4}}\nnodes: [{name: a, type: g}]");
    for (size_t i = 0; i < N_ELEMENTS(grants); i++) {
        r[i] = ask_for(grants[i].gpus, grants[i].share, 0);
        g[i] = topo_cluster_allocate(w.c, 0, &r[i], grants[i].tasks,
                                     grants[i].device);
        CU_ASSERT_EQUAL(g[i].node, 0);
        CU_ASSERT_EQUAL(g[i].tasks, grants[i].tasks);
        CU_ASSERT_EQUAL(g[i].devices, grants[i].devices);
        CU_ASSERT_TRUE(cluster_is_right(w.c));
    }
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->gpu_free_milli, 0);
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->partial_nodes, 0);
    for (size_t i = 0; i < N_ELEMENTS(grants); i++) {
        topo_cluster_release(w.c, &r[i], &g[i]);
        CU_ASSERT_TRUE(cluster_is_right(w.c));
    }
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->empty_nodes, 1);
    CU_ASSERT_EQUAL(topo_cluster_group_of(w.c, 0), 0);
    load_cluster_fini(&w);
}

/* Equal shares left: the lowest device. */
static void test_tie(void)
{
    const struct topo_request half = ask_for(0, 500, 0);
    struct load_cluster w;

    load_cluster_init(
        &w, "node_types: {g: {gpus: 4}}\nnodes: [{name: a, type: g}]");
    (void)topo_cluster_allocate(w.c, 0, &half, 1, 3);
    (void)topo_cluster_allocate(w.c, 0, &half, 1, 1);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, 0, &half, 1, ANY).devices, 2);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, 0, &half, 1, ANY).devices, 8);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, 0, &half, 1, ANY).devices, 1);
    load_cluster_fini(&w);
}

/* Whole devices of several tasks, up to the 64 that a node may have. */
static void test_whole(void)
{
    static const struct {
        uint32_t gpus, tasks;
        uint64_t devices;
    } whole[] = {
        { 1, 3, 0x7 },
        { 4, 1, 0x78 },
        { 8, 2, 0x7fff80 },
        { 1, 41, UINT64_C(0xffffffffff800000) },
    };
    struct topo_request r[N_ELEMENTS(whole)];
    struct topo_grant g[N_ELEMENTS(whole)];
    const struct topo_request all = ask_for(64, 0, 0);
    struct load_cluster w;

    load_cluster_init(
        &w, "node_types: {g: {gpus: 64}}\nnodes: [{name: a, type: g}]");
    for (size_t i = 0; i < N_ELEMENTS(whole); i++) {
        r[i] = ask_for(whole[i].gpus, 0, 0);
        g[i] = topo_cluster_allocate(w.c, 0, &r[i], whole[i].tasks, ANY);
        CU_ASSERT_EQUAL(g[i].devices, whole[i].devices);
        CU_ASSERT_TRUE(cluster_is_right(w.c));
    }
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->gpu_free_milli, 0);
    /* a hole in the middle is what is lowest now */
    topo_cluster_release(w.c, &r[1], &g[1]);
    g[1] = topo_cluster_allocate(w.c, 0, &r[0], 2, ANY);
    CU_ASSERT_EQUAL(g[1].devices, 0x18);
    topo_cluster_release(w.c, &r[0], &g[1]);
    for (size_t i = 0; i < N_ELEMENTS(whole); i++) {
        if (i != 1)
            topo_cluster_release(w.c, &r[i], &g[i]);
    }
    g[0] = topo_cluster_allocate(w.c, 0, &all, 1, ANY);
    CU_ASSERT_EQUAL(g[0].devices, UINT64_MAX);
    load_cluster_fini(&w);
}

/* Taken again as it was, wherever "lowest" would be. */
static void test_take(void)
{
    const struct topo_request r = ask_for(2, 0, 1000);
    const struct topo_request part = ask_for(0, 250, 0);
    const struct topo_grant g = { .node = G2, .tasks = 1, .devices = 0xa };
    const struct topo_grant h = { .node = G2, .tasks = 1, .devices = 0x4 };
    struct load_cluster w;

    load_cluster_init(&w, TWO_RACKS);
    topo_cluster_take(w.c, &r, &g);
    topo_cluster_take(w.c, &part, &h);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->gpu_free_milli, 13750);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, G2, &part, 1, ANY).devices, 0x4);
    topo_cluster_release(w.c, &r, &g);
    load_cluster_fini(&w);
}

/* --- sums ----------------------------------------------------------------- */

static void check_totals(const struct load_cluster *w, int64_t free,
                         uint32_t empty, uint32_t partial, int64_t partial_free)
{
    const struct topo_totals want = { 16000,   free,         4, empty,
                                      partial, partial_free, 0, 0 };

    CU_ASSERT_TRUE(same_totals(topo_cluster_totals(w->c), &want));
}

static void test_sums(void)
{
    const struct topo_request one = ask_for(1, 0, 1000),
                              cpu = ask_for(0, 0, 4000);
    const struct topo_request part = ask_for(0, 250, 0);
    const uint32_t *touched;
    struct topo_grant g, h;
    struct load_cluster w;

    load_cluster_init(&w, TWO_RACKS);
    check_totals(&w, 16000, 4, 0, 0);
    CU_ASSERT_EQUAL(topo_cluster_touched(w.c, &touched), 0);
    CU_ASSERT_EQUAL(topo_domain_free(w.c, 0, TOPO_GPU), 16000);
    CU_ASSERT_EQUAL(topo_domain_free(w.c, 1, TOPO_GPU), 8000);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_GPU), 16000);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_CPU), 32000);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 1, TOPO_CPU), 32000);

    g = topo_cluster_allocate(w.c, G3, &one, 3, ANY);
    check_totals(&w, 13000, 3, 1, 1000);
    CU_ASSERT_EQUAL(topo_domain_free(w.c, 1, TOPO_GPU), 8000);
    CU_ASSERT_EQUAL(topo_domain_free(w.c, 2, TOPO_GPU), 5000);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_CPU), 29000);

    h = topo_cluster_allocate(w.c, G3, &part, 1, ANY);
    check_totals(&w, 12750, 3, 1, 750);
    topo_cluster_release(w.c, &part, &h);
    h = topo_cluster_allocate(w.c, G3, &one, 1, ANY);
    check_totals(&w, 12000, 3, 0, 0);
    topo_cluster_release(w.c, &one, &h);
    topo_cluster_release(w.c, &one, &g);

    /* CPUs leave what is said of GPUs alone */
    g = topo_cluster_allocate(w.c, C1, &cpu, 4, ANY);
    h = topo_cluster_allocate(w.c, G1, &cpu, 2, ANY);
    CU_ASSERT_EQUAL(g.devices, 0);
    check_totals(&w, 16000, 4, 0, 0);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_CPU), 24000);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 1, TOPO_CPU), 16000);
    /* some of a grant goes back */
    g.tasks = 3;
    topo_cluster_release(w.c, &cpu, &g);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 1, TOPO_CPU), 28000);
    CU_ASSERT_EQUAL(topo_cluster_touched(w.c, &touched), 2);
    CU_ASSERT_EQUAL(touched[0], 0);
    CU_ASSERT_EQUAL(touched[1], 1);
    g.tasks = 1;
    topo_cluster_release(w.c, &cpu, &g);
    CU_ASSERT_EQUAL(topo_cluster_touched(w.c, &touched), 1);
    CU_ASSERT_EQUAL(touched[0], 1);
    load_cluster_fini(&w);
}

/* As much as a topology may add up to. */
static void test_large_sums(void)
{
    struct topo_request pod = ask_for(1, 0, 0);
    struct topo_grant g;
    struct load_cluster w;
    int64_t before;

    pod.amount[TOPO_PODS] = 1;
    pod.amount[TOPO_MEMORY] = INT64_C(1) << 52;
    load_cluster_init(&w, "node_types: {g: {gpus: 8, memory: 16PiB}}\n"
                          "nodes: [{name: \"n[1-64]\", type: g}]");
    before = topo_class_free(w.c, 0, TOPO_PODS);
    CU_ASSERT_EQUAL(before, 64 * TOPO_PODS_UNLIMITED);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_MEMORY), TOPO_SUM_MAX);
    g = topo_cluster_allocate(w.c, 5, &pod, 4, ANY);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_PODS), before - 4);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    topo_cluster_release(w.c, &pod, &g);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_PODS), before);
    load_cluster_fini(&w);
}

/* --- groups --------------------------------------------------------------- */

static void test_groups(void)
{
    const struct topo_request one = ask_for(1, 0, 2000),
                              part = ask_for(0, 400, 0);
    const struct topo_groups *g;
    struct load_cluster w;
    uint32_t a, b;

    load_cluster_init(&w, TWO_RACKS);
    g = topo_cluster_groups(w.c);
    CU_ASSERT_PTR_EQUAL(topo_cluster_topology(w.c), w.t);
    CU_ASSERT_EQUAL(g->count, 2);
    a = topo_cluster_group_of(w.c, G1);
    CU_ASSERT_EQUAL(g->nodes[a], 4);
    CU_ASSERT_EQUAL(g->gpus_free[a], 4);
    CU_ASSERT_EQUAL(g->share_max[a], 1000);
    CU_ASSERT_EQUAL(g->free[TOPO_CPU][a], 8000);
    CU_ASSERT_EQUAL(topo_group_first(w.c, a, 0, NODES), G1);
    CU_ASSERT_EQUAL(topo_group_first(w.c, a, C1, NODES), G3);
    CU_ASSERT_EQUAL(topo_group_first(w.c, a, C1, G3), UINT32_MAX);
    CU_ASSERT_EQUAL(topo_group_first(w.c, a, C2, NODES), UINT32_MAX);
    CU_ASSERT_EQUAL(topo_group_select(w.c, a, 0), G1);
    CU_ASSERT_EQUAL(topo_group_select(w.c, a, 3), G4);

    (void)topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    (void)topo_cluster_allocate(w.c, G4, &one, 1, ANY);
    b = topo_cluster_group_of(w.c, G1);
    CU_ASSERT_EQUAL(b, topo_cluster_group_of(w.c, G4));
    CU_ASSERT_EQUAL(g->nodes[a], 2);
    CU_ASSERT_EQUAL(g->nodes[b], 2);
    CU_ASSERT_EQUAL(g->first[a], G2);
    CU_ASSERT_EQUAL(g->first[b], G1);
    CU_ASSERT_EQUAL(g->gpus_free[b], 3);
    CU_ASSERT_EQUAL(g->free[TOPO_CPU][b], 6000);
    CU_ASSERT_EQUAL(g->capacity[TOPO_CPU][b], 8000);
    CU_ASSERT_EQUAL(g->free[TOPO_GPU][b], 3000);

    /* which devices are shared does not matter, how much is left does */
    (void)topo_cluster_allocate(w.c, G1, &part, 1, 1);
    (void)topo_cluster_allocate(w.c, G4, &part, 1, 3);
    CU_ASSERT_EQUAL(topo_cluster_group_of(w.c, G1),
                    topo_cluster_group_of(w.c, G4));
    (void)topo_cluster_allocate(w.c, G1, &part, 1, 1);
    (void)topo_cluster_allocate(w.c, G4, &part, 1, 1);
    CU_ASSERT_NOT_EQUAL(topo_cluster_group_of(w.c, G1),
                        topo_cluster_group_of(w.c, G4));
    CU_ASSERT_EQUAL(g->nodes[b], 0);
    CU_ASSERT_EQUAL(g->first[b], UINT32_MAX);
    load_cluster_fini(&w);
}

/* The most that is free on one device. */
static void test_share_max(void)
{
    const struct topo_request one = ask_for(1, 0, 0), part = ask_for(0, 400, 0);
    const struct topo_groups *g;
    struct load_cluster w;

    load_cluster_init(
        &w, "node_types: {g: {gpus: 2}}\nnodes: [{name: a, type: g}]");
    g = topo_cluster_groups(w.c);
    (void)topo_cluster_allocate(w.c, 0, &part, 1, ANY);
    CU_ASSERT_EQUAL(g->share_max[topo_cluster_group_of(w.c, 0)], 1000);
    (void)topo_cluster_allocate(w.c, 0, &one, 1, ANY);
    CU_ASSERT_EQUAL(g->share_max[topo_cluster_group_of(w.c, 0)], 600);
    (void)topo_cluster_allocate(w.c, 0, &part, 1, ANY);
    CU_ASSERT_EQUAL(g->share_max[topo_cluster_group_of(w.c, 0)], 200);
    load_cluster_fini(&w);
}

/* Thousands of states come and go; the rest are renumbered in order. */
static void test_sweep(void)
{
    const struct topo_request hold = ask_for(0, 700, 1);
    struct topo_request r = ask_for(0, 300, 0);
    const uint32_t *map;
    const struct topo_groups *g;
    uint32_t before[NODES], count;
    struct load_cluster w;

    load_cluster_init(&w, TWO_RACKS);
    g = topo_cluster_groups(w.c);
    CU_ASSERT_PTR_NULL(topo_cluster_sweep(w.c));
    for (uint32_t i = 1; i <= 3000; i++) {
        struct topo_grant x;

        r.amount[TOPO_CPU] = i;
        x = topo_cluster_allocate(w.c, G2, &r, 1, ANY);
        if (i == 1500)
            (void)topo_cluster_allocate(w.c, G3, &hold, 1, ANY);
        if (i == 2000)
            (void)topo_cluster_allocate(w.c, G4, &r, 1, ANY);
        topo_cluster_release(w.c, &r, &x);
    }
    CU_ASSERT_TRUE(g->count > 3000);
    for (uint32_t n = 0; n < NODES; n++)
        before[n] = topo_cluster_group_of(w.c, n);
    CU_ASSERT_EQUAL(g->sweep, 0);
    count = g->count;
    map = topo_cluster_sweep(w.c);
    CU_ASSERT_PTR_NOT_NULL_FATAL(map);
    CU_ASSERT_EQUAL(g->sweep, 1);
    CU_ASSERT_EQUAL(g->count, 4);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    for (uint32_t n = 0; n < NODES; n++)
        CU_ASSERT_EQUAL(topo_cluster_group_of(w.c, n), map[before[n]]);
    for (uint32_t i = 0, next = 0; i < count; i++)
        CU_ASSERT_TRUE(map[i] == UINT32_MAX || map[i] == next++);
    CU_ASSERT_PTR_NULL(topo_cluster_sweep(w.c));
    /* states that were forgotten come back */
    for (uint32_t i = 1; i <= 100; i++) {
        struct topo_grant x;

        r.amount[TOPO_CPU] = i;
        x = topo_cluster_allocate(w.c, G1, &r, 1, ANY);
        CU_ASSERT_TRUE(cluster_is_right(w.c));
        topo_cluster_release(w.c, &r, &x);
    }
    load_cluster_fini(&w);
}

/* --- transactions --------------------------------------------------------- */

static void test_rollback(void)
{
    const struct topo_request one = ask_for(1, 0, 1000),
                              part = ask_for(0, 700, 0);
    struct snapshot before, within;
    struct topo_grant g, h;
    struct load_cluster w;
    uint32_t outer, inner;

    load_cluster_init(&w, TWO_RACKS);
    g = topo_cluster_allocate(w.c, G1, &one, 2, ANY);
    snapshot_take(&w, &before);

    outer = topo_cluster_begin(w.c);
    topo_cluster_release(w.c, &one, &g);
    h = topo_cluster_allocate(w.c, G2, &part, 1, ANY);
    (void)topo_cluster_allocate(w.c, G1, &one, 4, ANY);
    snapshot_take(&w, &within);
    inner = topo_cluster_begin(w.c);
    topo_cluster_release(w.c, &part, &h);
    (void)topo_cluster_allocate(w.c, G3, &part, 1, ANY);
    topo_cluster_rollback(w.c, inner);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_TRUE(snapshot_is(&w, &within));
    /* an inner transaction that was kept goes with the outer one */
    inner = topo_cluster_begin(w.c);
    (void)topo_cluster_allocate(w.c, G4, &part, 1, ANY);
    topo_cluster_commit(w.c, inner);
    topo_cluster_rollback(w.c, outer);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_TRUE(snapshot_is(&w, &before));
    /* the devices are the same ones, too */
    h = topo_cluster_allocate(w.c, G1, &one, 2, ANY);
    CU_ASSERT_EQUAL(h.devices, 0xc);
    load_cluster_fini(&w);
}

/* Changes that were undone by their opposites are forgotten, in a transaction
 * that is rolled back afterwards.
 */
static void test_forget(void)
{
    const struct topo_request one = ask_for(1, 0, 1000),
                              part = ask_for(0, 700, 0);
    struct snapshot before, within;
    struct topo_grant g, h, k;
    struct load_cluster w;
    uint32_t outer, inner;

    load_cluster_init(&w, TWO_RACKS);
    g = topo_cluster_allocate(w.c, G1, &one, 2, ANY);
    k = topo_cluster_allocate(w.c, G2, &part, 1, ANY);
    snapshot_take(&w, &before);
    outer = topo_cluster_begin(w.c);
    (void)topo_cluster_allocate(w.c, G3, &one, 1, ANY);
    snapshot_take(&w, &within);
    inner = topo_cluster_begin(w.c);
    topo_cluster_release(w.c, &one, &g);
    topo_cluster_release(w.c, &part, &k);
    h = topo_cluster_allocate(w.c, G1, &one, 4, ANY);
    topo_cluster_release(w.c, &one, &h);
    topo_cluster_take(w.c, &part, &k);
    topo_cluster_take(w.c, &one, &g);
    topo_cluster_forget(w.c, inner);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_TRUE(snapshot_is(&w, &within));
    topo_cluster_rollback(w.c, outer);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_TRUE(snapshot_is(&w, &before));
    load_cluster_fini(&w);
}

static void test_commit(void)
{
    const struct topo_request one = ask_for(1, 0, 1000);
    struct snapshot kept;
    struct load_cluster w;
    uint32_t outer, inner;

    load_cluster_init(&w, TWO_RACKS);
    outer = topo_cluster_begin(w.c);
    inner = topo_cluster_begin(w.c);
    (void)topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    topo_cluster_commit(w.c, inner);
    topo_cluster_commit(w.c, outer);
    snapshot_take(&w, &kept);
    CU_ASSERT_EQUAL(kept.totals.gpu_free_milli, 15000);
    /* a later one does not reach back */
    outer = topo_cluster_begin(w.c);
    (void)topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    topo_cluster_rollback(w.c, outer);
    CU_ASSERT_TRUE(snapshot_is(&w, &kept));
    /* nor does an empty one */
    outer = topo_cluster_begin(w.c);
    topo_cluster_rollback(w.c, outer);
    CU_ASSERT_TRUE(snapshot_is(&w, &kept));
    load_cluster_fini(&w);
}

/* Equal versions mean equal states. */
static void test_version(void)
{
    const struct topo_request one = ask_for(1, 0, 1000);
    struct topo_grant g;
    struct load_cluster w;
    uint64_t v[4];
    uint32_t mark;

    load_cluster_init(&w, TWO_RACKS);
    v[0] = topo_cluster_version(w.c);
    g = topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    v[1] = topo_cluster_version(w.c);
    topo_cluster_release(w.c, &one, &g);
    v[2] = topo_cluster_version(w.c);
    mark = topo_cluster_begin(w.c);
    CU_ASSERT_EQUAL(topo_cluster_version(w.c), v[2]);
    (void)topo_cluster_allocate(w.c, G1, &one, 1, ANY);
    topo_cluster_rollback(w.c, mark);
    v[3] = topo_cluster_version(w.c);
    CU_ASSERT_TRUE(v[0] < v[1] && v[1] < v[2] && v[2] < v[3]);
    load_cluster_fini(&w);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "a share takes the tightest device", test_devices },
        { "equal devices: the lowest is taken", test_tie },
        { "whole devices are taken, up to 64", test_whole },
        { "devices are taken again as they were", test_take },
        { "sums of free amounts follow allocations", test_sums },
        { "the largest sums do not overflow", test_large_sums },
        { "nodes of one state are one group", test_groups },
        { "the largest free share is known", test_share_max },
        { "states that are gone are renumbered in order", test_sweep },
        { "a rollback restores the cluster", test_rollback },
        { "what was undone by hand is forgotten", test_forget },
        { "a commit keeps the changes", test_commit },
        { "equal versions mean equal states", test_version },
    };

    return suite_run("topology/cluster", cases, N_ELEMENTS(cases));
}
