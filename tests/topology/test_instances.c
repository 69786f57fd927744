/* tests/topology/test_instances.c - GPUs cut into instances: where the cluster
 * puts them, what still fits, and that no layout is ever illegal.
 */
#include "base/array.h"
#include "base/rng.h"
#include "tests/lib/load_cluster.h"
#include "topology/mig.h"

/* "2" GPUs, "0.300" of one, or an instance. */
static struct topo_request ask(const char *what)
{
    if (strchr(what, 'g'))
        return ask_instance(what);
    if (what[1] == '.')
        return ask_for(0, (uint32_t)atoi(what + 2), 0);
    return ask_for((uint32_t)atoi(what), 0, 0);
}

static uint32_t fit(const struct load_cluster *w, uint32_t node,
                    const char *what)
{
    const struct topo_request r = ask(what);

    return load_cluster_fit(w, node, &r);
}

static struct topo_grant put(struct load_cluster *w, uint32_t node,
                             const char *what, uint32_t device)
{
    const struct topo_request r = ask(what);
    const struct topo_grant g = topo_cluster_allocate(w->c, node, &r, 1,
                                                      device);

    CU_ASSERT_TRUE(cluster_is_right(w->c));
    return g;
}

static void take_back(struct load_cluster *w, const char *what,
                      struct topo_grant g)
{
    const struct topo_request r = ask(what);

    topo_cluster_release(w->c, &r, &g);
    CU_ASSERT_TRUE(cluster_is_right(w->c));
}

#define PAIR                                                  \
    "node_types: {a: {gpus: 2, model: A100-80, mig: true}}\n" \
    "nodes: [{name: a, type: a}]\n"

/* --- where they go -------------------------------------------------------- */

static const struct {
    const char *ask;
    uint64_t devices;
    uint8_t slice;
} order[] = {
    { "1g.10gb", 1, 6 }, /* opens the lowest GPU, where it harms least */
    { "1g.10gb", 1, 5 }, /* one that is cut before one that is free */
    { "3g.40gb", 1, 0 }, /* 4 is taken */
    { "2g.20gb", 2, 4 }, /* no room on the first */
    { "1g.10gb", 1, 4 }, /* costs fewest choices */
    { "1g.10gb", 2, 6 }, /* the first is full */
    { "4g.40gb", 2, 0 },
};

static void test_order(void)
{
    struct topo_grant g[N_ELEMENTS(order)];
    struct load_cluster w;

    load_cluster_init(&w, PAIR);
    for (size_t i = 0; i < N_ELEMENTS(order); i++) {
        CU_ASSERT_NOT_EQUAL_FATAL(fit(&w, 0, order[i].ask), 0);
        g[i] = put(&w, 0, order[i].ask, ANY);
        CU_ASSERT_EQUAL(g[i].devices, order[i].devices);
        CU_ASSERT_EQUAL(g[i].slice, order[i].slice);
    }
    CU_ASSERT_EQUAL(fit(&w, 0, "1g.10gb"), 0);
    for (size_t i = 0; i < N_ELEMENTS(order); i++)
        take_back(&w, order[i].ask, g[i]);
    CU_ASSERT_EQUAL(fit(&w, 0, "2"), 1);
    g[0] = put(&w, 0, "1g.10gb", 1); /* where the caller says */
    CU_ASSERT_EQUAL(g[0].devices, 2);
    load_cluster_fini(&w);
}

/* --- what fits ------------------------------------------------------------ */

static void test_fit(void)
{
    struct topo_grant one, share;
    struct load_cluster w;

    load_cluster_init(&w, PAIR);
    CU_ASSERT_EQUAL(fit(&w, 0, "1g.10gb"), 14);
    CU_ASSERT_EQUAL(fit(&w, 0, "1g.20gb"), 8);
    CU_ASSERT_EQUAL(fit(&w, 0, "2g.20gb"), 6);
    CU_ASSERT_EQUAL(fit(&w, 0, "3g.40gb"), 4);
    CU_ASSERT_EQUAL(fit(&w, 0, "4g.40gb"), 2);
    CU_ASSERT_EQUAL(fit(&w, 0, "7g.80gb"), 2);
    one = put(&w, 0, "1g.10gb", ANY); /* cut: neither whole nor shared */
    CU_ASSERT_EQUAL(fit(&w, 0, "1"), 1);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.300"), 3);
    CU_ASSERT_EQUAL(fit(&w, 0, "3g.40gb"), 3);
    CU_ASSERT_EQUAL(fit(&w, 0, "7g.80gb"), 1);
    share = put(&w, 0, "0.300", ANY); /* shared: not to be cut */
    CU_ASSERT_EQUAL(share.devices, 2);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.300"), 2);
    CU_ASSERT_EQUAL(fit(&w, 0, "1g.10gb"), 6);
    CU_ASSERT_EQUAL(fit(&w, 0, "1"), 0);
    take_back(&w, "1g.10gb", one);
    CU_ASSERT_EQUAL(fit(&w, 0, "1"), 1);
    take_back(&w, "0.300", share);
    load_cluster_fini(&w);
}

static void test_classes(void)
{
    static const char text[] =
        "node_types:\n"
        "  cut: {gpus: 2, model: A100-80, mig: {repartition: no}}\n"
        "  any: {gpus: 2, model: a100-80gb, mig: true}\n"
        "  off: {gpus: 2, model: A100-80, mig: false}\n"
        "  old: {gpus: 2, model: V100}\n"
        "nodes: [{name: a, type: cut}, {name: b, type: any},\n"
        "        {name: c, type: off}, {name: d, type: old}]\n";
    static const struct {
        const char *ask;
        uint32_t fit[4]; /* by node */
    } rows[] = {
        { "1", { 0, 2, 2, 2 } },         { "0.500", { 0, 4, 4, 4 } },
        { "1g.10gb", { 14, 14, 0, 0 } }, { "3g.40gb", { 4, 4, 0, 0 } },
        { "1g.5gb", { 0, 0, 0, 0 } }, /* no profile of this model */
    };
    struct load_cluster w;

    load_cluster_init(&w, text);
    for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
        const struct topo_request r = ask(rows[i].ask);

        for (uint32_t node = 0; node < 4; node++) {
            const uint32_t klass = w.t->node_class[node];

            CU_ASSERT_EQUAL(topo_class_fit(w.t, klass, &r), rows[i].fit[node]);
            CU_ASSERT_EQUAL(topo_class_misfit(w.t, klass, &r),
                            rows[i].fit[node] ? TOPO_FITS : TOPO_TOO_SMALL);
        }
    }
    load_cluster_fini(&w);
}

static void test_free(void)
{
    uint16_t left[TOPO_DEVICES_MAX];
    struct topo_free f;
    struct load_cluster w;

    load_cluster_init(&w, PAIR);
    (void)put(&w, 0, "3g.40gb", 0);
    (void)put(&w, 0, "0.400", 1);
    topo_free_of(w.c, topo_cluster_group_of(w.c, 0), &f);
    CU_ASSERT_EQUAL(f.gpus_free, 0);
    CU_ASSERT_EQUAL(f.part_count, 1);
    CU_ASSERT_EQUAL(f.part[0], 600);
    CU_ASSERT_EQUAL_FATAL(f.cut_count, 1);
    CU_ASSERT_EQUAL(f.cut[0], 1000 + 0xf0);
    CU_ASSERT_EQUAL(f.free[TOPO_GPU], 600 + 572);
    topo_node_shares(w.c, 0, left);
    CU_ASSERT_EQUAL(left[0], 0);
    CU_ASSERT_EQUAL(left[1], 600);
    CU_ASSERT_EQUAL(
        topo_cluster_groups(w.c)->share_max[topo_cluster_group_of(w.c, 0)],
        600);
    (void)put(&w, 0, "4g.40gb", 0); /* full: not told any more */
    topo_free_of(w.c, topo_cluster_group_of(w.c, 0), &f);
    CU_ASSERT_EQUAL(f.cut_count, 0);
    load_cluster_fini(&w);
}

/* --- so many tasks on a device -------------------------------------------- */

static void test_limit(void)
{
    struct topo_grant g[3];
    struct load_cluster w;
    uint16_t left[TOPO_DEVICES_MAX];

    load_cluster_init(&w, "node_types: {a: {gpus: 2, tasks_per_gpu: 2}}\n"
                          "nodes: [{name: a, type: a}]\n");
    CU_ASSERT_EQUAL(fit(&w, 0, "0.100"), 4);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.600"), 2);
    g[0] = put(&w, 0, "0.100", ANY);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.100"), 3);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.950"), 1);
    g[1] = put(&w, 0, "0.200", ANY); /* full, though 0.7 are left */
    CU_ASSERT_EQUAL(g[1].devices, 1);
    topo_node_shares(w.c, 0, left);
    CU_ASSERT_EQUAL(left[0], 0);
    CU_ASSERT_EQUAL(left[1], 1000);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.100"), 2);
    g[2] = put(&w, 0, "0.100", ANY);
    CU_ASSERT_EQUAL(g[2].devices, 2);
    take_back(&w, "0.100", g[0]);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.100"), 2);
    CU_ASSERT_EQUAL(put(&w, 0, "0.100", ANY).devices, 1); /* the fullest */
    CU_ASSERT_EQUAL(put(&w, 0, "0.100", ANY).devices, 2);
    CU_ASSERT_EQUAL(fit(&w, 0, "0.100"), 0);
    load_cluster_fini(&w);
}

/* --- random walks --------------------------------------------------------- */

#define HELD 96
#define NODES 3

struct instance_held {
    const char *ask;
    struct topo_grant g;
};

/* The placements that the vendor's lists allow, by what a name begins with. */
static bool is_listed(const char *profile, const char *small, uint32_t slice,
                      int *memory)
{
    const int g = profile[0] - '0';

    *memory = g == 7 ? 8 : g > 2 ? 4 : g;
    if (g == 1 && strcmp(profile, small) != 0)
        *memory = 2;
    switch (g) {
    case 1:
        return *memory == 1 ? slice <= 6 : slice % 2 == 0 && slice <= 6;
    case 2:
        return slice % 2 == 0 && slice <= 4;
    case 3:
        return slice == 0 || slice == 4;
    default:
        return slice == 0;
    }
}

/* No device serves two kinds of use, and slices do not overlap. */
static bool layout_is_legal(const struct instance_held *held, uint32_t count,
                            const char *small)
{
    static int slices[NODES][8][8], milli[NODES][8], compute[NODES][8];

    memset(slices, 0, sizeof(slices));
    memset(milli, 0, sizeof(milli));
    memset(compute, 0, sizeof(compute));
    for (uint32_t i = 0; i < count; i++) {
        const struct instance_held *h = &held[i];
        const struct topo_request r = ask(h->ask);
        int memory = 0;

        for (uint32_t d = 0; d < 8; d++) {
            if (!(h->g.devices >> d & 1))
                continue;
            if (r.mig && !is_listed(h->ask, small, h->g.slice, &memory))
                return false;
            for (int k = 0; k < memory; k++) {
                if (h->g.slice + k > 7
                    || slices[h->g.node][d][h->g.slice + k]++)
                    return false;
            }
            compute[h->g.node][d] += r.mig ? h->ask[0] - '0' : 0;
            milli[h->g.node][d] += r.gpus  ? TOPO_SHARE_ONE
                                   : r.mig ? 0
                                           : (int)r.share;
            if (milli[h->g.node][d] > TOPO_SHARE_ONE
                || compute[h->g.node][d] > 7)
                return false;
        }
    }
    for (uint32_t n = 0; n < NODES; n++) {
        for (uint32_t d = 0; d < 8; d++) {
            if (milli[n][d] && compute[n][d])
                return false;
        }
    }
    return true;
}

static void walk(const char *model, const char *const *asks, uint32_t n,
                 uint64_t seed)
{
    struct instance_held held[HELD], before[HELD];
    uint32_t count = 0, kept = 0, mark = 0;
    bool right = true, is_open = false;
    char text[200];
    struct gs_rng rng;
    struct load_cluster w;

    gs_rng_init(&rng, seed, "test_instances");
    sprintf(text,
            "node_types: {a: {gpus: %u, model: %s, mig: yes}}\n"
            "nodes: [{name: \"n[1-3]\", type: a}]\n",
            1 + (unsigned)gs_rng_below(&rng, 8), model);
    load_cluster_init(&w, text);
    for (int step = 0; step < 150 && right; step++) {
        const char *what = asks[gs_rng_below(&rng, n)];
        const uint32_t node = (uint32_t)gs_rng_below(&rng, NODES);
        const uint64_t draw = gs_rng_below(&rng, 12);

        if (draw == 0 && !is_open) {
            mark = topo_cluster_begin(w.c);
            memcpy(before, held, sizeof(held));
            kept = count;
            is_open = true;
        } else if (draw == 0) {
            topo_cluster_rollback(w.c, mark);
            memcpy(held, before, sizeof(held));
            count = kept;
            is_open = false;
        } else if (draw < 4 && count && !is_open) {
            const uint32_t i = (uint32_t)gs_rng_below(&rng, count);

            take_back(&w, held[i].ask, held[i].g);
            held[i] = held[--count];
        } else if (count < HELD && fit(&w, node, what)) {
            const uint32_t left = fit(&w, node, what) - 1;
            const struct topo_request r = ask(what);

            /* the log of a transaction points at them */
            static struct topo_request lives[HELD];

            lives[count] = r;
            held[count] = (struct instance_held){
                what, topo_cluster_allocate(w.c, node, &lives[count], 1, ANY)
            };
            count++;
            CU_ASSERT_EQUAL(fit(&w, node, what), left);
        }
        right = cluster_is_right(w.c) && layout_is_legal(held, count, asks[0]);
    }
    if (!right)
        printf("\n%s, seed %u\n", model, (unsigned)seed);
    CU_ASSERT_TRUE(right);
    if (is_open)
        topo_cluster_commit(w.c, mark);
    while (count) {
        count--;
        take_back(&w, held[count].ask, held[count].g);
    }
    CU_ASSERT_EQUAL(topo_cluster_totals(w.c)->empty_nodes, NODES);
    load_cluster_fini(&w);
}

static void test_walks(void)
{
    static const struct {
        const char *model, *ask[8];
    } models[] = {
        { "A100-40",
          { "1g.5gb", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb",
            "1", "0.400" } },
        { "H100-80",
          { "1g.10gb", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb",
            "1", "0.250" } },
        { "H200",
          { "1g.18gb", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb",
            "1", "0.700" } },
        { "B200",
          { "1g.23gb", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb",
            "1", "0.100" } },
    };

    for (size_t i = 0; i < N_ELEMENTS(models); i++) {
        for (uint64_t seed = 1; seed <= 60; seed++)
            walk(models[i].model, models[i].ask, 8, seed);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "instances are placed in the best order", test_order },
        { "instances fit as long as slices are free", test_fit },
        { "instances fit only where MIG is on", test_classes },
        { "freed slices are used again", test_free },
        { "no more tasks share a device than it may hold", test_limit },
        { "random walks keep the slices", test_walks },
    };

    return suite_run("topology/instances", cases, N_ELEMENTS(cases));
}
