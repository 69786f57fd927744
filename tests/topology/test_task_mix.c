/* tests/topology/test_task_mix.c - fragmentation: the published vectors
 * (tests/data/vectors/fgd.yaml), and against the definition on random nodes.
 */
#include <math.h>

#include "base/array.h"
#include "base/rng.h"
#include "base/yamldoc.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "topology/mig.h"
#include "topology/task_mix.h"

#define KINDS 64u

static const char models[] = "node_types:\n"
                             "  a: {gpus: 8, cpu: 128, model: '1080'}\n"
                             "  b: {gpus: 8, cpu: 128, model: '2080'}\n"
                             "  c: {gpus: 8, cpu: 128, model: T4}\n"
                             "  d: {gpus: 8, cpu: 128, model: P100}\n"
                             "  e: {gpus: 8, cpu: 128, model: V100M16}\n"
                             "nodes:\n"
                             "  - {name: a, type: a}\n"
                             "  - {name: b, type: b}\n"
                             "  - {name: c, type: c}\n"
                             "  - {name: d, type: d}\n"
                             "  - {name: e, type: e}\n";

/* --- vectors -------------------------------------------------------------- */

static const struct gs_ynode *vectors_read(struct load_topo *l)
{
    struct gs_input *in = gs_input_open("tests/data/vectors/fgd.yaml", &l->err);
    const struct gs_ynode *root;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    root = gs_yaml_read(in, l->arena, NULL, &l->err);
    gs_input_close(in);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    return root;
}

static double number(const struct gs_ynode *n)
{
    return strtod(n->text, NULL);
}

static struct topo_request task(int64_t cpu, uint32_t gpus, uint32_t milli)
{
    struct topo_request r = { .amount = { [TOPO_CPU] = cpu } };

    if (gpus && milli < TOPO_SHARE_ONE)
        r.share = milli;
    else
        r.gpus = gpus;
    r.amount[TOPO_GPU] = (int64_t)gpus * milli;
    return r;
}

/* Rows of cpu, GPUs, milli, model, popularity; weights in 1/100 percent. */
static struct topo_mix *mix_of(struct load_topo *l, const struct gs_ynode *rows)
{
    struct topo_mix_kind kind[KINDS];
    uint32_t id[KINDS], n = 0;

    for (const struct gs_ynode *r = rows->child; r; r = r->next) {
        const struct gs_ynode *cpu = r->child, *gpus = cpu->next,
                              *milli = gpus->next, *model = milli->next;

        CU_ASSERT_FATAL(n < KINDS);
        kind[n].request = task((int64_t)number(cpu), (uint32_t)number(gpus),
                               (uint32_t)number(milli));
        kind[n].weight = (int64_t)lround(100 * number(model->next));
        if (model->len) {
            id[n] = load_topo_id(l, model->text);
            kind[n].request.model = &id[n];
            kind[n].request.model_count = 1;
        }
        n++;
    }
    return topo_mix_create(l->t, kind, n);
}

/* Devices with these shares left. */
static void devices_set(struct topo_free *f, const struct gs_ynode *left,
                        uint16_t *part)
{
    f->part = part;
    f->part_count = f->gpus_free = 0;
    for (const struct gs_ynode *n = left->child; n; n = n->next) {
        const uint16_t share = (uint16_t)number(n);
        uint32_t i = f->part_count;

        f->free[TOPO_GPU] += share;
        f->gpus_free += share == TOPO_SHARE_ONE;
        if (share == 0 || share == TOPO_SHARE_ONE)
            continue;
        for (; i > 0 && part[i - 1] > share; i--)
            part[i] = part[i - 1];
        part[i] = share;
        f->part_count++;
    }
}

static uint32_t class_of(const struct load_topo *l, const char *model)
{
    const uint32_t id = load_topo_id(l, model);

    for (uint32_t k = 0; k < l->t->class_count; k++) {
        if (l->t->klass[k].model == id)
            return k;
    }
    CU_FAIL_FATAL("a model that no node has");
    return 0;
}

static void test_nodes(void)
{
    const struct gs_ynode *root, *mixes;
    uint32_t run = 0;
    struct load_topo l;

    load_topo_text(&l, "models", models);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    root = vectors_read(&l);
    mixes = gs_ynode_find(root, "mixes");
    for (const struct gs_ynode *v =
             gs_ynode_find(root, "node_fragmentation")->child;
         v; v = v->next, run++) {
        struct topo_mix *m = mix_of(
            &l, gs_ynode_find(mixes, gs_ynode_find(v, "mix")->text));
        struct topo_free f = { 0 };
        uint16_t part[TOPO_DEVICES_MAX];

        f.klass = class_of(&l, gs_ynode_find(v, "model")->text);
        f.free[TOPO_CPU] = (int64_t)number(gs_ynode_find(v, "cpu"));
        devices_set(&f, gs_ynode_find(v, "left"), part);
        CU_ASSERT_DOUBLE_EQUAL((double)topo_mix_fragment(m, &f) / 10000,
                               number(gs_ynode_find(v, "expect")), 0.01);
        topo_mix_destroy(m);
    }
    CU_ASSERT_EQUAL(run, 7);
    load_topo_fini(&l);
}

/* One kind that fits: what is left are the devices too small for it. */
static void test_devices(void)
{
    const struct gs_ynode *root;
    uint32_t run = 0;
    struct load_topo l;

    load_topo_text(&l, "models", models);
    root = vectors_read(&l);
    for (const struct gs_ynode *v =
             gs_ynode_find(root, "device_fragments")->child;
         v; v = v->next, run++) {
        const uint32_t milli = (uint32_t)number(gs_ynode_find(v, "milli"));
        const uint32_t gpus = (uint32_t)number(gs_ynode_find(v, "gpus"));
        const struct topo_mix_kind kind = {
            /* several shares are as small as one */
            task(0, milli < TOPO_SHARE_ONE ? 1 : gpus, milli), 1
        };
        struct topo_mix *m = topo_mix_create(l.t, &kind, 1);
        struct topo_free f = { 0 };
        uint16_t part[TOPO_DEVICES_MAX];

        devices_set(&f, gs_ynode_find(v, "left"), part);
        CU_ASSERT_EQUAL(topo_mix_fragment(m, &f),
                        (int64_t)number(gs_ynode_find(v, "expect")));
        topo_mix_destroy(m);
    }
    CU_ASSERT_EQUAL(run, 3);
    load_topo_fini(&l);
}

/* --- the definition ------------------------------------------------------- */

/* What an instance could use of the devices that are cut. */
static int64_t plain_cuts(const struct topo *t, const struct topo_free *f,
                          uint32_t mig)
{
    const struct topo_mig_model *model = t->klass[f->klass].mig;
    int64_t sum = 0;

    for (uint32_t k = 0; k < f->cut_count; k++) {
        const uint8_t taken = (uint8_t)(f->cut[k] - TOPO_SHARE_ONE);
        int64_t slices = 0;

        for (uint32_t i = 0; i < 7; i++)
            slices += !(taken >> i & 1);
        if (topo_mig_starts(topo_mig_profile(model, mig), taken))
            sum += slices * 1000 / 7;
    }
    return sum;
}

static int64_t plain_fragment(const struct topo *t, const struct topo_free *f,
                              const struct topo_mix_kind *kind, uint32_t count)
{
    int64_t sum = 0, all = (int64_t)f->gpus_free * TOPO_SHARE_ONE;

    for (uint32_t k = 0; k < f->part_count; k++)
        all += f->part[k];
    if (f->cut_count)
        all = f->free[TOPO_GPU];
    for (uint32_t i = 0; i < count; i++) {
        const struct topo_request *r = &kind[i].request;
        const uint32_t milli = r->share ? r->share : TOPO_SHARE_ONE;
        int64_t used = 0;
        bool fits = topo_class_misfit(t, f->klass, r) == TOPO_FITS
                    && r->gpus <= f->gpus_free
                    && r->gpus + r->share + r->mig > 0;

        for (uint32_t d = 0; d < t->dims->count; d++)
            fits = fits && (d == TOPO_GPU || r->amount[d] <= f->free[d]);
        if (fits)
            used = (int64_t)f->gpus_free * TOPO_SHARE_ONE;
        if (fits && r->mig)
            used += plain_cuts(t, f, r->mig);
        for (uint32_t k = 0; k < f->part_count && fits && !r->mig; k++)
            used += f->part[k] >= milli ? f->part[k] : 0;
        sum += kind[i].weight * (all - used);
    }
    return sum;
}

static struct topo_request draw(struct gs_rng *r)
{
    struct topo_request q = task(
        (int64_t)gs_rng_below(r, 9) * 2000,
        gs_rng_below(r, 8) ? 1 + (uint32_t)gs_rng_below(r, 4) : 0,
        TOPO_SHARE_ONE);

    if (q.gpus && gs_rng_below(r, 2))
        q = task(q.amount[TOPO_CPU], 1, 1 + (uint32_t)gs_rng_below(r, 999));
    else if (gs_rng_below(r, 2)) {
        q = task(q.amount[TOPO_CPU], 0, TOPO_SHARE_ONE);
        q.mig = topo_mig_model_at(0)->profile[gs_rng_below(r, 6)].kind;
        q.amount[TOPO_GPU] = topo_mig_kind_milli(q.mig);
    }
    q.amount[TOPO_MEMORY] = (int64_t)gs_rng_below(r, 4) << 30;
    return q;
}

/* The device on which a share was put: what it had left. */
static uint32_t device_draw(struct gs_rng *r, const struct topo_cluster *c,
                            uint32_t node, uint32_t share)
{
    uint16_t left[TOPO_DEVICES_MAX];
    uint32_t device;

    topo_node_shares(c, node, left);
    do
        device = (uint32_t)gs_rng_below(r, 8);
    while (left[device] < share);
    return device;
}

static void test_definition(void)
{
    static const char text[] =
        "node_types:\n"
        "  a: {gpus: 8, cpu: 40, memory: 20GiB, model: A}\n"
        "  b: {gpus: 8, cpu: 20, memory: 40GiB, model: A100-40, mig: yes}\n"
        "nodes: [{name: a, type: a}, {name: b, type: b}]\n";
    struct load_topo l;

    load_topo_text(&l, "two", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct topo_cluster *c = topo_cluster_create(l.t);
        const uint32_t model = load_topo_id(&l, "A");
        struct topo_mix_kind kind[20];
        struct topo_mix *m;
        struct gs_rng r;

        gs_rng_init(&r, seed, "mix");
        for (uint32_t i = 0; i < 20; i++) {
            kind[i].request = draw(&r);
            kind[i].weight = 1 + (int64_t)gs_rng_below(&r, 100);
            if (gs_rng_below(&r, 4) == 0) {
                kind[i].request.model = &model;
                kind[i].request.model_count = 1;
            }
        }
        m = topo_mix_create(l.t, kind, 20);
        for (int step = 0; step < 30; step++) {
            const uint32_t node = (uint32_t)gs_rng_below(&r, 2);
            const uint32_t group = topo_cluster_group_of(c, node);
            const struct topo_request q = draw(&r);
            struct topo_free f;
            uint16_t left[TOPO_DEVICES_MAX];
            uint32_t device = UINT32_MAX;
            int64_t with;

            topo_free_of(c, group, &f);
            CU_ASSERT_EQUAL(topo_mix_fragment(m, &f),
                            plain_fragment(l.t, &f, kind, 20));
            if (!topo_group_has_room(c, group, &q))
                continue;
            if (q.share)
                device = device_draw(&r, c, node, q.share);
            topo_node_shares(c, node, left);
            with = topo_mix_fragment_with(
                m, &f, &q, q.share ? left[device] : TOPO_SHARE_ONE);
            topo_cluster_allocate(c, node, &q, 1, device);
            topo_free_of(c, topo_cluster_group_of(c, node), &f);
            CU_ASSERT_EQUAL(with, plain_fragment(l.t, &f, kind, 20));
        }
        topo_mix_destroy(m);
        topo_cluster_destroy(c);
    }
    load_topo_fini(&l);
}

/* Rows of 999 shares for more pairs of amounts than there is room for. */
static void test_many_rows(void)
{
    static const char text[] = "node_types: {a: {gpus: 8, cpu: 200, memory: "
                               "200GiB}}\n"
                               "nodes: [{name: a, type: a}]\n";
    enum { COUNT = 999 + 400 };
    struct topo_mix_kind *kind = gs_array_new(COUNT, sizeof(*kind));
    struct topo_mix *m;
    struct gs_rng r;
    struct load_topo l;
    int wrong = 0;

    load_topo_text(&l, "one", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (uint32_t i = 0; i < COUNT; i++) {
        kind[i].weight = 1 + i % 7;
        kind[i].request = task(0, 1, i < 999 ? 1 + i : TOPO_SHARE_ONE);
        if (i >= 999 + 200)
            kind[i].request.amount[TOPO_CPU] = (i - 1198) * 1000;
        else if (i >= 999)
            kind[i].request.amount[TOPO_MEMORY] = (int64_t)(i - 998) << 30;
    }
    m = topo_mix_create(l.t, kind, COUNT);
    gs_rng_init(&r, 1, "rows");
    for (int step = 0; step < 20000; step++) {
        const uint16_t part = (uint16_t)(1 + gs_rng_below(&r, 999));
        struct topo_free f = { .gpus_free = (uint32_t)gs_rng_below(&r, 8),
                               .part_count = 1,
                               .part = &part };

        f.free[TOPO_CPU] = (int64_t)gs_rng_below(&r, 200) * 1000;
        f.free[TOPO_MEMORY] = (int64_t)gs_rng_below(&r, 200) << 30;
        if (step % 64 < 2) /* the others only make rows */
            wrong += topo_mix_fragment(m, &f)
                     != plain_fragment(l.t, &f, kind, COUNT);
        else
            (void)topo_mix_fragment(m, &f);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    topo_mix_destroy(m);
    gs_array_free(kind);
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "fragmentation of the published nodes", test_nodes },
        { "fragmentation of the published devices", test_devices },
        { "fragmentation equals its definition on random nodes",
          test_definition },
        { "fragmentation holds with more rows than are kept", test_many_rows },
    };

    return suite_run("topology/mix", suite, N_ELEMENTS(suite));
}
