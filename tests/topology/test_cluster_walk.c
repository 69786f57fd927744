/* tests/topology/test_cluster_walk.c - random walks of allocations,
 * transactions and outages: sums always add up, and a rollback restores all of
 * it.
 */
#include "base/array.h"
#include "base/rng.h"
#include "tests/lib/load_cluster.h"

#define HELD_MAX 256
#define DEPTH_MAX 5
#define REQUESTS 12

struct walk_grant {
    struct topo_grant grant;
    const struct topo_request *request;
};

/* What is held, and what was when each open transaction began. */
struct walk {
    struct load_cluster w;
    struct gs_rng rng;
    struct topo_request request[REQUESTS];
    struct walk_grant held[HELD_MAX];
    uint32_t held_count;
    struct {
        struct snapshot snapshot;
        struct walk_grant held[HELD_MAX];
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
    load_cluster_init(&k->w, text);
    for (uint32_t i = 0; i < REQUESTS; i++) {
        const uint32_t kind = below(k, 4);
        const uint32_t gpus = kind == 0 ? 1 + below(k, 4) : 0;
        const uint32_t share = kind == 1 ? 1 + below(k, 999) : 0;

        /* one draw a statement: C leaves the order within one open */
        k->request[i] = ask_for(gpus, share, below(k, 2) ? below(k, 6000) : 0);
        if (kind == 3) {
            const int64_t cpu = k->request[i].amount[TOPO_CPU];

            k->request[i] = ask_instance(
                profiles[below(k, N_ELEMENTS(profiles))]);
            k->request[i].amount[TOPO_CPU] = cpu;
        }
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
    k->held[k->held_count++] = (struct walk_grant){
        topo_cluster_allocate(k->w.c, node, r, tasks, ANY), r
    };
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
    load_cluster_fini(&k->w);
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
        { "random walks keep all sums", test_random },
    };

    return suite_run("topology/cluster_walk", cases, N_ELEMENTS(cases));
}
