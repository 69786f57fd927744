/* tests/reports/test_fragments.c - the sums of fragmentation_log.h, by hand and
 * against a computation over all nodes.
 */
#include "base/array.h"
#include "base/rng.h"
#include "reports/measure/fragmentation_log.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"

/* Two nodes; one in four tasks asks for 8 GPUs, one for half a GPU, two for
 * one GPU and 2 CPUs.
 */
static const char two[] = "node_types: {a: {gpus: 8, cpu: 8}}\n"
                          "nodes: [{name: n1, type: a}, {name: n2, type: a}]\n";

static const struct topo_mix_kind kinds[] = {
    { { .gpus = 8, .amount = { [TOPO_GPU] = 8000 } }, 1 },
    { { .share = 500, .amount = { [TOPO_GPU] = 500 } }, 1 },
    { { .gpus = 1, .amount = { [TOPO_CPU] = 2000, [TOPO_GPU] = 1000 } }, 2 },
};

static void test_by_hand(void)
{
    static const struct {
        uint32_t node, kind;
        int64_t sum, free, gangs;
    } steps[] = {
        { 0, 2, 7000, 15000, 8 }, /* 8 GPUs no longer fit */
        { 0, 2, 6000, 14000, 8 },
        { 0, 2, 5000, 13000, 8 },
        { 0, 2, 4 * 4000 - 4000, 12000, 8 }, /* no CPU: only shares fit */
        { 1, 1, 3 * 4000 + 7500 + 2 * 500, 11500, 0 }, /* half a GPU is left */
    };
    struct report_fragments *f;
    struct topo_cluster *c;
    struct topo_mix *m;
    struct load_topo l;

    load_topo_text(&l, "two", two);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    c = topo_cluster_create(l.t);
    m = topo_mix_create(l.t, kinds, N_ELEMENTS(kinds));
    f = report_fragments_create(l.t, m);
    CU_ASSERT(report_fragments_sum(f) == 0);
    CU_ASSERT_EQUAL(report_fragments_gangs(f), 16);
    CU_ASSERT_EQUAL(report_fragments_demand(f, 16000), 0);
    for (size_t i = 0; i < N_ELEMENTS(steps); i++) {
        topo_cluster_allocate(c, steps[i].node, &kinds[steps[i].kind].request,
                              1, UINT32_MAX);
        report_fragments_touch(f, steps[i].node);
        report_fragments_touch(f, steps[i].node);
        report_fragments_update(f, c);
        CU_ASSERT_EQUAL((int64_t)report_fragments_sum(f), steps[i].sum);
        CU_ASSERT_EQUAL(report_fragments_gangs(f), steps[i].gangs);
        CU_ASSERT_EQUAL(topo_cluster_totals(c)->gpu_free_milli, steps[i].free);
        CU_ASSERT_EQUAL(report_fragments_demand(f, steps[i].free),
                        (double)steps[i].sum / 4 / (double)steps[i].free);
    }
    CU_ASSERT_EQUAL(report_fragments_demand(f, 0), 0);
    report_fragments_destroy(f);
    topo_mix_destroy(m);
    topo_cluster_destroy(c);
    load_topo_fini(&l);
}

/* Whole nodes of 8, of less, and two in one. */
static void test_gangs(void)
{
    static const char text[] =
        "node_types: {a: {gpus: 16}, b: {gpus: 4}, c: {cpu: 4}, d: {gpus: 8}}\n"
        "nodes: [{name: a, type: a}, {name: b, type: b}, {name: c, type: c},\n"
        "        {name: d, type: d}]\n";
    static const int64_t gangs[] = { 8 + 4 + 8, 8 + 8, 8 };
    const struct topo_request one = { .gpus = 1,
                                      .amount = { [TOPO_GPU] = 1000 } };
    static const char *const node[] = { "a", "b", "d" };
    struct report_fragments *f;
    struct topo_cluster *c;
    struct topo_mix *m;
    struct load_topo l;

    load_topo_text(&l, "sizes", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    c = topo_cluster_create(l.t);
    m = topo_mix_create(l.t, NULL, 0);
    f = report_fragments_create(l.t, m);
    CU_ASSERT_EQUAL(report_fragments_gangs(f), 16 + 4 + 8);
    for (size_t i = 0; i < N_ELEMENTS(node); i++) {
        uint32_t n = 0;

        while (strcmp(gs_strtab_str(l.names, l.t->node_name[n]), node[i]) != 0)
            n++;
        topo_cluster_allocate(c, n, &one, 1, UINT32_MAX);
        report_fragments_touch(f, n);
        report_fragments_update(f, c);
        CU_ASSERT_EQUAL(report_fragments_gangs(f), gangs[i]);
    }
    CU_ASSERT_EQUAL(report_fragments_demand(f, 1000), 0); /* no job asks */
    report_fragments_destroy(f);
    topo_mix_destroy(m);
    topo_cluster_destroy(c);
    load_topo_fini(&l);
}

/* A failed GPU makes its node smaller; it is not in use. */
static void test_gpu_out_of_order(void)
{
    static const char text[] =
        "node_types: {a: {gpus: 16}, b: {gpus: 4}, d: {gpus: 8}, e: {gpus: 1}}\n"
        "nodes: [{name: a, type: a}, {name: b, type: b}, {name: d, type: d},\n"
        "        {name: e, type: e}]\n";
    /* In turn: fail (count > 0) or take (count < 0) so many on a node. */
    static const struct {
        const char *node;
        int count;
        int64_t gangs;
    } steps[] = {
        { "d", 1, 16 + 4 + 7 + 1 }, /* one of 8 fails: 7 are a whole node */
        { "d", -1, 16 + 4 + 0 + 1 },
        { "a", 8, 8 + 4 + 0 + 1 }, /* 8 of 16 are left */
        { "a", 9, 7 + 4 + 0 + 1 },
        { "a", -1, 0 + 4 + 0 + 1 },
        { "b", 1, 0 + 3 + 0 + 1 },
        { "e", 1, 0 + 3 + 0 + 0 }, /* none is left */
    };
    const struct topo_request one = { .gpus = 1,
                                      .amount = { [TOPO_GPU] = 1000 } };
    struct report_fragments *f;
    struct topo_cluster *c;
    struct topo_mix *m;
    struct load_topo l;

    load_topo_text(&l, "sizes", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    c = topo_cluster_create(l.t);
    m = topo_mix_create(l.t, NULL, 0);
    f = report_fragments_create(l.t, m);
    for (size_t i = 0; i < N_ELEMENTS(steps); i++) {
        uint32_t n = 0;

        while (strcmp(gs_strtab_str(l.names, l.t->node_name[n]), steps[i].node)
               != 0)
            n++;
        if (steps[i].count < 0)
            topo_cluster_allocate(c, n, &one, 1, UINT32_MAX);
        for (int d = 0; d < steps[i].count; d++) {
            if (!(topo_cluster_failed(c, n) >> d & 1))
                topo_cluster_fail(c, n, (uint32_t)d);
        }
        report_fragments_touch(f, n);
        report_fragments_update(f, c);
        CU_ASSERT_EQUAL(report_fragments_gangs(f), steps[i].gangs);
    }
    report_fragments_destroy(f);
    topo_mix_destroy(m);
    topo_cluster_destroy(c);
    load_topo_fini(&l);
}

/* --- at random ------------------------------------------------------------ */

#define GRANTS 40

struct held {
    struct topo_request request;
    struct topo_grant grant; /* no tasks: free */
};

static struct topo_request draw(struct gs_rng *r)
{
    struct topo_request q = { .gpus = 1 + (uint32_t)gs_rng_below(r, 4) };

    if (gs_rng_below(r, 2))
        q = (struct topo_request){ .share = 1
                                            + (uint32_t)gs_rng_below(r, 999) };
    q.amount[TOPO_GPU] = q.gpus * TOPO_SHARE_ONE + q.share;
    q.amount[TOPO_CPU] = (int64_t)gs_rng_below(r, 2000);
    return q;
}

/* A GPU that is free fails, or one that failed is mended. */
static void device_turn(struct gs_rng *r, struct topo_cluster *c, uint32_t node)
{
    const uint32_t device = (uint32_t)gs_rng_below(r, 4);

    if (topo_cluster_failed(c, node) >> device & 1)
        topo_cluster_repair(c, node, device);
    else if (topo_device_is_free(c, node, device))
        topo_cluster_fail(c, node, device);
}

/* Take an amount that fits, or release a grant. */
static void turn(struct gs_rng *r, struct topo_cluster *c, struct held *h,
                 struct report_fragments *f)
{
    const uint32_t node = (uint32_t)gs_rng_below(r, 6);

    if (h->grant.tasks) {
        topo_cluster_release(c, &h->request, &h->grant);
        report_fragments_touch(f, h->grant.node);
        h->grant.tasks = 0;
        return;
    }
    h->request = draw(r);
    if (gs_rng_below(r, 16) == 0) {
        device_turn(r, c, node);
        report_fragments_touch(f, node);
        return;
    }
    if (!topo_group_has_room(c, topo_cluster_group_of(c, node), &h->request))
        return;
    h->grant = topo_cluster_allocate(c, node, &h->request, 1, UINT32_MAX);
    report_fragments_touch(f, node);
}

/* F of a node by its definition, device by device. */
static int64_t node_anew(const struct load_topo *l,
                         const struct topo_cluster *c, const struct topo_mix *m,
                         uint32_t node)
{
    const struct topo_groups *g = topo_cluster_groups(c);
    const uint32_t group = topo_cluster_group_of(c, node);
    const uint32_t gpus = l->t->klass[l->t->node_class[node]].gpus;
    uint16_t left[TOPO_DEVICES_MAX];
    int64_t all = 0, sum = 0;
    uint32_t free = 0;

    topo_node_shares(c, node, left);
    for (uint32_t d = 0; d < gpus; d++) {
        const bool is_out = topo_cluster_failed(c, node) >> d & 1;

        left[d] = is_out ? 0 : left[d];
        free += left[d] == TOPO_SHARE_ONE;
        all += left[d];
    }
    for (uint32_t i = 0; i < topo_mix_kinds(m); i++) {
        const struct topo_mix_kind *k = topo_mix_kind_at(m, i);
        const bool has_cpu = k->request.amount[TOPO_CPU]
                             <= g->free[TOPO_CPU][group];
        int64_t lost = 0;
        bool fits = has_cpu && k->request.gpus && free >= k->request.gpus;

        for (uint32_t d = 0; d < gpus; d++) {
            const bool is_small = left[d] < (k->request.share ? k->request.share
                                                              : TOPO_SHARE_ONE);

            fits |= has_cpu && k->request.share && !is_small;
            lost += is_small ? left[d] : 0;
        }
        sum += k->weight * (fits ? lost : all);
    }
    return sum;
}

static int64_t anew(const struct load_topo *l, const struct topo_cluster *c,
                    const struct topo_mix *m, int64_t *gangs)
{
    int64_t sum = 0;

    *gangs = 0;
    for (uint32_t n = 0; n < l->t->node_count; n++) {
        const uint32_t gpus = l->t->klass[l->t->node_class[n]].gpus;
        uint32_t in_order = gpus, free = 0;

        for (uint32_t d = 0; d < gpus; d++) {
            in_order -= (uint32_t)(topo_cluster_failed(c, n) >> d & 1);
            free += topo_device_is_free(c, n, d);
        }
        *gangs += in_order && free == in_order ? in_order : 0; /* at most 8 */
        sum += node_anew(l, c, m, n);
    }
    return sum;
}

/* Random changes; state groups are swept and renumbered now and then. */
static void test_random(void)
{
    static const char text[] = "node_types:\n"
                               "  a: {gpus: 8, cpu: 16}\n"
                               "  b: {gpus: 4, cpu: 8}\n"
                               "nodes:\n"
                               "  - {name: 'a[1-3]', type: a}\n"
                               "  - {name: 'b[1-3]', type: b}\n";
    struct topo_mix_kind kind[20];
    struct load_topo l;
    int sweeps = 0;

    load_topo_text(&l, "six", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct topo_cluster *c = topo_cluster_create(l.t);
        struct held held[GRANTS] = { 0 };
        struct report_fragments *f;
        struct topo_mix *m;
        struct gs_rng r;

        gs_rng_init(&r, seed, "fragments");
        for (uint32_t i = 0; i < N_ELEMENTS(kind); i++) {
            kind[i].request = draw(&r);
            kind[i].weight = 1 + (int64_t)gs_rng_below(&r, 100);
        }
        m = topo_mix_create(l.t, kind, N_ELEMENTS(kind));
        f = report_fragments_create(l.t, m);
        for (int step = 0; step < 4000; step++) {
            int64_t sum, gangs;

            for (uint64_t n = 1 + gs_rng_below(&r, 4); n > 0; n--)
                turn(&r, c, &held[gs_rng_below(&r, GRANTS)], f);
            report_fragments_update(f, c);
            sum = anew(&l, c, m, &gangs);
            CU_ASSERT_EQUAL_FATAL((int64_t)report_fragments_sum(f), sum);
            CU_ASSERT_EQUAL_FATAL(report_fragments_gangs(f), gangs);
            sweeps += topo_cluster_sweep(c) != NULL;
        }
        report_fragments_destroy(f);
        topo_mix_destroy(m);
        topo_cluster_destroy(c);
    }
    CU_ASSERT(sweeps > 20);
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "figures of two nodes are those by hand", test_by_hand },
        { "nodes of 16, 4, 0 and 8 GPUs", test_gangs },
        { "a GPU out of order makes its node smaller", test_gpu_out_of_order },
        { "against all nodes, at random", test_random },
    };

    return suite_run("reports/fragments", suite, N_ELEMENTS(suite));
}
