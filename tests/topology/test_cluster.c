/* tests/topology/test_cluster.c - allocations on nodes: allocate, release,
 * transactions, sums, groups.
 */
#include "base/array.h"
#include "base/rng.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "topology/mig.h"

#define ANY UINT32_MAX

/* A topology and its cluster. */
struct world {
    struct load_topo l;
    const struct topo *t;
    struct topo_cluster *c;
};

static void world_init(struct world *w, const char *text)
{
    load_topo_text(&w->l, "t.yaml", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w->l.t);
    w->t = w->l.t;
    w->c = topo_cluster_create(w->t);
    CU_ASSERT_TRUE(cluster_is_right(w->c));
}

static void world_fini(struct world *w)
{
    CU_ASSERT_TRUE(cluster_is_right(w->c));
    topo_cluster_destroy(w->c);
    load_topo_fini(&w->l);
}

static struct topo_request ask(uint32_t gpus, uint32_t share, int64_t cpu)
{
    struct topo_request r = { .gpus = gpus, .share = share };

    r.amount[TOPO_GPU] = gpus * TOPO_SHARE_ONE + share;
    r.amount[TOPO_CPU] = cpu;
    return r;
}

/* Make `r` ask for an instance instead. */
static void instance(struct topo_request *r, const char *profile)
{
    r->gpus = r->share = 0;
    r->mig = topo_mig_kind_find(profile);
    r->amount[TOPO_GPU] = topo_mig_kind_milli(r->mig);
}

static bool same_totals(const struct topo_totals *a,
                        const struct topo_totals *b)
{
    return a->gpu_milli == b->gpu_milli
           && a->gpu_free_milli == b->gpu_free_milli
           && a->gpu_nodes == b->gpu_nodes && a->empty_nodes == b->empty_nodes
           && a->partial_nodes == b->partial_nodes
           && a->partial_free_milli == b->partial_free_milli
           && a->closed_nodes == b->closed_nodes
           && a->out_milli == b->out_milli;
}

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
    struct world w;

    world_init(&w, "node_types: {g: {gpus: 4}}\nnodes: [{name: a, type: g}]");
    for (size_t i = 0; i < N_ELEMENTS(grants); i++) {
        r[i] = ask(grants[i].gpus, grants[i].share, 0);
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
    world_fini(&w);
}

/* Equal shares left: the lowest device. */
static void test_tie(void)
{
    const struct topo_request half = ask(0, 500, 0);
    struct world w;

    world_init(&w, "node_types: {g: {gpus: 4}}\nnodes: [{name: a, type: g}]");
    (void)topo_cluster_allocate(w.c, 0, &half, 1, 3);
    (void)topo_cluster_allocate(w.c, 0, &half, 1, 1);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, 0, &half, 1, ANY).devices, 2);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, 0, &half, 1, ANY).devices, 8);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, 0, &half, 1, ANY).devices, 1);
    world_fini(&w);
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
    const struct topo_request all = ask(64, 0, 0);
    struct world w;

    world_init(&w, "node_types: {g: {gpus: 64}}\nnodes: [{name: a, type: g}]");
    for (size_t i = 0; i < N_ELEMENTS(whole); i++) {
        r[i] = ask(whole[i].gpus, 0, 0);
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
    world_fini(&w);
}

/* Taken again as it was, wherever "lowest" would be. */
static void test_take(void)
{
    const struct topo_request r = ask(2, 0, 1000);
    const struct topo_request part = ask(0, 250, 0);
    const struct topo_grant g = { .node = G2, .tasks = 1, .devices = 0xa };
    const struct topo_grant h = { .node = G2, .tasks = 1, .devices = 0x4 };
    struct world w;

    world_init(&w, TWO_RACKS);
    topo_cluster_take(w.c, &r, &g);
    topo_cluster_take(w.c, &part, &h);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->gpu_free_milli, 13750);
    CU_ASSERT_EQUAL(topo_cluster_allocate(w.c, G2, &part, 1, ANY).devices, 0x4);
    topo_cluster_release(w.c, &r, &g);
    world_fini(&w);
}

/* --- sums ----------------------------------------------------------------- */

static void check_totals(const struct world *w, int64_t free, uint32_t empty,
                         uint32_t partial, int64_t partial_free)
{
    const struct topo_totals want = { 16000,   free,         4, empty,
                                      partial, partial_free, 0, 0 };

    CU_ASSERT_TRUE(same_totals(topo_cluster_totals(w->c), &want));
}

static void test_sums(void)
{
    const struct topo_request one = ask(1, 0, 1000), cpu = ask(0, 0, 4000);
    const struct topo_request part = ask(0, 250, 0);
    struct topo_grant g, h;
    struct world w;

    world_init(&w, TWO_RACKS);
    check_totals(&w, 16000, 4, 0, 0);
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
    world_fini(&w);
}

/* As much as a topology may add up to. */
static void test_large_sums(void)
{
    struct topo_request pod = ask(1, 0, 0);
    struct topo_grant g;
    struct world w;
    int64_t before;

    pod.amount[TOPO_PODS] = 1;
    pod.amount[TOPO_MEMORY] = INT64_C(1) << 52;
    world_init(&w, "node_types: {g: {gpus: 8, memory: 16PiB}}\n"
                   "nodes: [{name: \"n[1-64]\", type: g}]");
    before = topo_class_free(w.c, 0, TOPO_PODS);
    CU_ASSERT_EQUAL(before, 64 * TOPO_PODS_UNLIMITED);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_MEMORY), TOPO_SUM_MAX);
    g = topo_cluster_allocate(w.c, 5, &pod, 4, ANY);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_PODS), before - 4);
    CU_ASSERT_TRUE(cluster_is_right(w.c));
    topo_cluster_release(w.c, &pod, &g);
    CU_ASSERT_EQUAL(topo_class_free(w.c, 0, TOPO_PODS), before);
    world_fini(&w);
}

/* --- groups --------------------------------------------------------------- */

static void test_groups(void)
{
    const struct topo_request one = ask(1, 0, 2000), part = ask(0, 400, 0);
    const struct topo_groups *g;
    struct world w;
    uint32_t a, b;

    world_init(&w, TWO_RACKS);
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
    world_fini(&w);
}

/* The most that is free on one device. */
static void test_share_max(void)
{
    const struct topo_request one = ask(1, 0, 0), part = ask(0, 400, 0);
    const struct topo_groups *g;
    struct world w;

    world_init(&w, "node_types: {g: {gpus: 2}}\nnodes: [{name: a, type: g}]");
    g = topo_cluster_groups(w.c);
    (void)topo_cluster_allocate(w.c, 0, &part, 1, ANY);
    CU_ASSERT_EQUAL(g->share_max[topo_cluster_group_of(w.c, 0)], 1000);
    (void)topo_cluster_allocate(w.c, 0, &one, 1, ANY);
    CU_ASSERT_EQUAL(g->share_max[topo_cluster_group_of(w.c, 0)], 600);
    (void)topo_cluster_allocate(w.c, 0, &part, 1, ANY);
    CU_ASSERT_EQUAL(g->share_max[topo_cluster_group_of(w.c, 0)], 200);
    world_fini(&w);
}

/* Thousands of states come and go; the rest are renumbered in order. */
static void test_sweep(void)
{
    const struct topo_request hold = ask(0, 700, 1);
    struct topo_request r = ask(0, 300, 0);
    const uint32_t *map;
    const struct topo_groups *g;
    uint32_t before[NODES], count;
    struct world w;

    world_init(&w, TWO_RACKS);
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
    world_fini(&w);
}

/* --- transactions --------------------------------------------------------- */

/* What rolling back must bring back. */
struct snapshot {
    uint32_t group[256];
    struct topo_totals totals;
    int64_t domain_free[64];
};

static void snapshot_take(const struct world *w, struct snapshot *s)
{
    for (uint32_t n = 0; n < w->t->node_count; n++)
        s->group[n] = topo_cluster_group_of(w->c, n);
    for (uint32_t d = 0; d < w->t->domain_count; d++)
        s->domain_free[d] = topo_domain_free(w->c, d, TOPO_GPU);
    s->totals = *topo_cluster_totals(w->c);
}

static bool snapshot_is(const struct world *w, const struct snapshot *s)
{
    for (uint32_t n = 0; n < w->t->node_count; n++) {
        if (s->group[n] != topo_cluster_group_of(w->c, n))
            return false;
    }
    for (uint32_t d = 0; d < w->t->domain_count; d++) {
        if (s->domain_free[d] != topo_domain_free(w->c, d, TOPO_GPU))
            return false;
    }
    return same_totals(&s->totals, topo_cluster_totals(w->c));
}

static void test_rollback(void)
{
    const struct topo_request one = ask(1, 0, 1000), part = ask(0, 700, 0);
    struct snapshot before, within;
    struct topo_grant g, h;
    struct world w;
    uint32_t outer, inner;

    world_init(&w, TWO_RACKS);
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
    world_fini(&w);
}

static void test_commit(void)
{
    const struct topo_request one = ask(1, 0, 1000);
    struct snapshot kept;
    struct world w;
    uint32_t outer, inner;

    world_init(&w, TWO_RACKS);
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
    world_fini(&w);
}

/* Equal versions mean equal states. */
static void test_version(void)
{
    const struct topo_request one = ask(1, 0, 1000);
    struct topo_grant g;
    struct world w;
    uint64_t v[4];
    uint32_t mark;

    world_init(&w, TWO_RACKS);
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
    world_fini(&w);
}

/* --- random walks --------------------------------------------------------- */

#define HELD_MAX 256
#define DEPTH_MAX 5
#define REQUESTS 12

struct held {
    struct topo_grant grant;
    const struct topo_request *request;
};

/* What is held, and what was when each open transaction began. */
struct walk {
    struct world w;
    struct gs_rng rng;
    struct topo_request request[REQUESTS];
    struct held held[HELD_MAX];
    uint32_t held_count;
    struct {
        struct snapshot snapshot;
        struct held held[HELD_MAX];
        uint32_t held_count, mark;
    } open[DEPTH_MAX];
    uint32_t depth;
};

static uint32_t below(struct walk *k, uint32_t n)
{
    return (uint32_t)gs_rng_below(&k->rng, n);
}

static const char *const profiles[] = { "1g.5gb",  "1g.10gb", "2g.10gb",
                                        "3g.20gb", "4g.20gb", "7g.40gb",
                                        "1g.18gb" /* not of this model */ };

/* One to three node types over one to four racks. */
static void walk_init(struct walk *k, uint64_t seed)
{
    char text[2000], *to = text;
    uint32_t types, racks;

    gs_rng_init(&k->rng, seed, "test_cluster");
    types = 1 + below(k, 3);
    racks = 1 + below(k, 4);
    to += sprintf(to, "tiers: [{name: rack}]\nnode_types:\n");
    for (uint32_t i = 0; i < types; i++) {
        const uint32_t gpus = below(k, 9);

        to += sprintf(to, "  t%u: {gpus: %u", i, gpus);
        if (gpus && below(k, 2))
            to += sprintf(to, ", model: A100-40, mig: {repartition: %s}",
                          below(k, 2) ? "yes" : "no");
        if (gpus && below(k, 2))
            to += sprintf(to, ", tasks_per_gpu: %u", 1 + below(k, 3));
        to += sprintf(to, ", cpu: %u}\n", below(k, 33));
    }
    to += sprintf(to, "nodes:\n");
    for (uint32_t i = 0; i < types; i++)
        to += sprintf(to,
                      "  - {name: \"n%u-[1-%u]\", type: t%u, rack: "
                      "\"r[1-%u]\"}\n",
                      i, racks * (1 + below(k, 4)), i, racks);
    world_init(&k->w, text);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t kind = below(k, 4);
        const uint32_t gpus = kind == 0 ? 1 + below(k, 4) : 0;
        const uint32_t share = kind == 1 ? 1 + below(k, 999) : 0;

        /* one draw a statement: C leaves the order within one open */
        k->request[i] = ask(gpus, share, below(k, 2) ? below(k, 6000) : 0);
        if (kind == 3)
            instance(&k->request[i], profiles[below(k, N_ELEMENTS(profiles))]);
    }
    k->held_count = k->depth = 0;
}

static void walk_allocate(struct walk *k)
{
    const struct topo_request *r = &k->request[below(k, REQUESTS)];
    const uint32_t node = below(k, k->w.t->node_count);
    const uint32_t group = topo_cluster_group_of(k->w.c, node);
    const uint32_t fit = topo_group_fit(k->w.c, group, r);
    uint32_t tasks;

    CU_ASSERT_EQUAL(topo_group_has_room(k->w.c, group, r), fit > 0);
    if (fit == 0 || k->held_count == HELD_MAX)
        return;
    tasks = topo_request_is_part(r) ? 1 : 1 + below(k, fit < 4 ? fit : 4);
    k->held[k->held_count++] =
        (struct held){ topo_cluster_allocate(k->w.c, node, r, tasks, ANY), r };
    CU_ASSERT_TRUE(
        topo_group_fit(k->w.c, topo_cluster_group_of(k->w.c, node), r)
        >= (fit == 1000000 ? fit : fit - tasks));
}

static void walk_release(struct walk *k)
{
    const uint32_t i = k->held_count ? below(k, k->held_count) : 0;

    if (k->held_count == 0)
        return;
    topo_cluster_release(k->w.c, k->held[i].request, &k->held[i].grant);
    k->held[i] = k->held[--k->held_count];
}

static void walk_begin(struct walk *k)
{
    if (k->depth == DEPTH_MAX)
        return;
    snapshot_take(&k->w, &k->open[k->depth].snapshot);
    memcpy(k->open[k->depth].held, k->held, sizeof(k->held));
    k->open[k->depth].held_count = k->held_count;
    k->open[k->depth++].mark = topo_cluster_begin(k->w.c);
}

static void walk_rollback(struct walk *k)
{
    if (k->depth == 0)
        return;
    topo_cluster_rollback(k->w.c, k->open[--k->depth].mark);
    CU_ASSERT_TRUE(snapshot_is(&k->w, &k->open[k->depth].snapshot));
    memcpy(k->held, k->open[k->depth].held, sizeof(k->held));
    k->held_count = k->open[k->depth].held_count;
}

static void walk_commit(struct walk *k)
{
    if (k->depth)
        topo_cluster_commit(k->w.c, k->open[--k->depth].mark);
}

/* A node is closed or opened, or a GPU breaks or is mended. */
static void walk_outage(struct walk *k)
{
    const uint32_t node = below(k, k->w.t->node_count);
    const uint32_t gpus = k->w.t->klass[k->w.t->node_class[node]].gpus;
    const uint32_t device = gpus ? below(k, gpus) : 0;
    uint16_t left[TOPO_DEVICES_MAX];

    if (k->depth)
        return;
    topo_node_shares(k->w.c, node, left);
    if (below(k, 2) || gpus == 0) {
        if (topo_cluster_is_cordoned(k->w.c, node))
            topo_cluster_uncordon(k->w.c, node);
        else
            topo_cluster_cordon(k->w.c, node);
    } else if (topo_cluster_failed(k->w.c, node) >> device & 1) {
        topo_cluster_repair(k->w.c, node, device);
    } else if (left[device] == TOPO_SHARE_ONE) {
        topo_cluster_fail(k->w.c, node, device);
    }
}

/* Another, empty cluster has the same out of use. */
static void walk_imitate(struct walk *k)
{
    struct topo_cluster *c = topo_cluster_create_like(k->w.c);

    CU_ASSERT_TRUE(cluster_is_right(c));
    for (uint32_t n = 0; n < k->w.t->node_count; n++) {
        CU_ASSERT_EQUAL(topo_cluster_is_cordoned(c, n),
                        topo_cluster_is_cordoned(k->w.c, n));
        CU_ASSERT_EQUAL(topo_cluster_failed(c, n),
                        topo_cluster_failed(k->w.c, n));
    }
    topo_cluster_destroy(c);
}

/* Close what is open and give all back: the cluster is as it was made. */
static void walk_fini(struct walk *k, const struct snapshot *empty)
{
    struct topo_cluster *whole = topo_cluster_create(k->w.t);

    while (k->depth)
        walk_commit(k);
    walk_imitate(k);
    for (uint32_t n = 0; n < k->w.t->node_count; n++)
        topo_cluster_imitate(k->w.c, whole, n);
    topo_cluster_destroy(whole);
    while (k->held_count)
        walk_release(k);
    CU_ASSERT_TRUE(snapshot_is(&k->w, empty));
    world_fini(&k->w);
}

static void test_random(void)
{
    static void (*const steps[])(struct walk *) = {
        walk_allocate, walk_allocate, walk_allocate, walk_allocate,
        walk_release,  walk_release,  walk_begin,    walk_rollback,
        walk_commit,   walk_outage,
    };
    struct walk *k = gs_array_new(1, sizeof(*k));

    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct snapshot empty;
        bool right = true;

        walk_init(k, seed);
        snapshot_take(&k->w, &empty);
        for (uint32_t i = 0; i < 120 && right; i++) {
            steps[below(k, N_ELEMENTS(steps))](k);
            right = cluster_is_right(k->w.c);
        }
        if (!right)
            printf("\nseed %u\n", (unsigned)seed);
        CU_ASSERT_TRUE(right);
        walk_fini(k, &empty);
    }
    gs_array_free(k);
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
        { "a commit keeps the changes", test_commit },
        { "equal versions mean equal states", test_version },
        { "random walks keep all sums", test_random },
    };

    return suite_run("topology/cluster", cases, N_ELEMENTS(cases));
}
