/* tests/topology/test_models.c - nodes with GPUs of several models. */
#include "base/rng.h"
#include "tests/lib/cluster_check.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "topology/labels.h"
#include "topology/task_mix.h"

static const char hardware[] = "node_types:\n"
                               "  two: {gpus: {A: 4, B: 2}, cpu: 16}\n"
                               "  three: {gpus: {B: 1, C: 3, A: 2}, cpu: 16}\n"
                               "  one: {gpus: 4, model: A, cpu: 16}\n"
                               "  none: {cpu: 16}\n"
                               "nodes:\n"
                               "  - {name: \"t[1-3]\", type: two}\n"
                               "  - {name: \"h[1-2]\", type: three}\n"
                               "  - {name: \"o[1-2]\", type: one}\n"
                               "  - {name: n1, type: none}\n";

enum { TWO, THREE, ONE, NO_GPUS };

/* A request as a row; models as letters. */
struct row {
    uint32_t klass;
    uint32_t gpus, share;
    const char *models;
    enum topo_misfit misfit;
    uint32_t fit; /* on an empty node */
    uint64_t devices;
};

static const struct row rows[] = {
    { TWO, 1, 0, "", TOPO_FITS, 6, 0x3f },
    { TWO, 6, 0, "", TOPO_FITS, 1, 0x3f },
    { TWO, 1, 0, "A", TOPO_FITS, 4, 0x0f },
    { TWO, 4, 0, "A", TOPO_FITS, 1, 0x0f },
    { TWO, 5, 0, "A", TOPO_TOO_SMALL, 0, 0x0f },
    { TWO, 2, 0, "B", TOPO_FITS, 1, 0x30 },
    { TWO, 3, 0, "B", TOPO_TOO_SMALL, 0, 0x30 },
    { TWO, 6, 0, "AB", TOPO_FITS, 1, 0x3f },
    { TWO, 2, 0, "BC", TOPO_FITS, 1, 0x30 },
    { TWO, 1, 0, "C", TOPO_NO_MODEL, 0, 0 },
    { TWO, 0, 0, "B", TOPO_FITS, 1000000, 0x30 },
    { TWO, 0, 500, "", TOPO_FITS, 12, 0x3f },
    { TWO, 0, 500, "AB", TOPO_FITS, 12, 0x3f },
    { TWO, 0, 500, "A", TOPO_NO_MODEL, 0, 0 },
    { THREE, 3, 0, "C", TOPO_FITS, 1, 0x0e },
    { THREE, 3, 0, "AB", TOPO_FITS, 1, 0x31 },
    { THREE, 4, 0, "AB", TOPO_TOO_SMALL, 0, 0x31 },
    { ONE, 4, 0, "A", TOPO_FITS, 1, 0x0f },
    { ONE, 0, 500, "A", TOPO_FITS, 8, 0x0f },
    { ONE, 1, 0, "B", TOPO_NO_MODEL, 0, 0 },
    { NO_GPUS, 1, 0, "A", TOPO_NO_MODEL, 0, 0 },
};

/* Set `r` to the row; models[] are the ids. */
static void row_request(const struct load_topo *l, uint32_t gpus,
                        uint32_t share, const char *letters, uint32_t *models,
                        struct topo_request *r)
{
    *r = (struct topo_request){ .gpus = gpus, .share = share, .model = models };
    for (; *letters; letters++) {
        const char name[2] = { *letters, '\0' };

        models[r->model_count++] = load_topo_id(l, name);
    }
    r->amount[TOPO_GPU] = gpus ? (int64_t)gpus * TOPO_SHARE_ONE : share;
    topo_models_ask(l->t, r);
}

static void test_empty(void)
{
    struct load_topo l;

    load_topo_text(&l, "t.yaml", hardware);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
        const struct row *row = &rows[i];
        uint32_t models[4];
        struct topo_request r;

        row_request(&l, row->gpus, row->share, row->models, models, &r);
        CU_ASSERT_EQUAL(topo_class_misfit(l.t, row->klass, &r), row->misfit);
        CU_ASSERT_EQUAL(topo_class_fit(l.t, row->klass, &r), row->fit);
        if (row->klass != NO_GPUS)
            CU_ASSERT_EQUAL(
                topo_class_devices(&l.t->klass[row->klass], &r)
                    & (topo_class_misfit(l.t, row->klass, &r) == TOPO_NO_MODEL
                           ? 0
                           : ~UINT64_C(0)),
                row->devices);
    }
    load_topo_fini(&l);
}

/* Number of tasks that the free devices of an open node can hold, by hand. */
static uint32_t held_by_hand(const struct topo_cluster *c, uint32_t node,
                             const struct topo_request *r)
{
    const struct topo *t = topo_cluster_topology(c);
    const struct topo_class *k = &t->klass[t->node_class[node]];
    uint32_t devices = 0, at = 0, n = 0;

    for (uint32_t m = 0; m < (k->model_count ? k->model_count : 1); m++) {
        const uint32_t gpus = k->model_count ? k->models[m].gpus : k->gpus;
        const uint32_t name = k->model_count ? k->models[m].name : k->model;

        for (uint32_t i = 0; i < gpus; i++, at++)
            n += topo_request_takes(r, name)
                 && topo_device_is_free(c, node, at);
    }
    devices = n / r->gpus;
    return devices;
}

#define HELD_MAX 64

struct walk {
    struct load_topo l;
    struct topo_cluster *c;
    struct gs_rng rng;
    struct topo_request request[7];
    uint32_t models[7][4];
    struct held {
        struct topo_grant grant;
        uint32_t request;
    } held[HELD_MAX];
    uint32_t count;
};

static uint32_t below(struct walk *w, uint32_t n)
{
    return (uint32_t)gs_rng_below(&w->rng, n);
}

static void walk_step(struct walk *w)
{
    const uint32_t node = below(w, w->l.t->node_count);
    const uint32_t i = below(w, N_ELEMENTS(w->request));
    const struct topo_request *r = &w->request[i];
    const uint32_t group = topo_cluster_group_of(w->c, node);
    const bool suits = topo_class_misfit(w->l.t, w->l.t->node_class[node], r)
                       == TOPO_FITS;

    if (w->count && (w->count == HELD_MAX || below(w, 3) == 0)) {
        const uint32_t at = below(w, w->count);

        topo_cluster_release(w->c, &w->request[w->held[at].request],
                             &w->held[at].grant);
        w->held[at] = w->held[--w->count];
    } else if (below(w, 8) == 0) {
        if (topo_cluster_is_cordoned(w->c, node))
            topo_cluster_uncordon(w->c, node);
        else
            topo_cluster_cordon(w->c, node);
    } else if (below(w, 8) == 0 && w->l.t->node_class[node] == TWO) {
        const uint32_t device = below(w, 6);

        if (topo_cluster_failed(w->c, node) >> device & 1)
            topo_cluster_repair(w->c, node, device);
        else if (topo_device_is_free(w->c, node, device))
            topo_cluster_fail(w->c, node, device);
    } else if (suits && topo_group_fit(w->c, group, r)) {
        const uint32_t mark = topo_cluster_begin(w->c);
        const struct topo_grant g = topo_cluster_allocate(w->c, node, r, 1,
                                                          UINT32_MAX);

        if (below(w, 4) == 0) {
            topo_cluster_rollback(w->c, mark);
        } else {
            topo_cluster_commit(w->c, mark);
            w->held[w->count++] = (struct held){ g, i };
        }
    }
}

static void fits_check(struct walk *w)
{
    for (uint32_t node = 0; node < w->l.t->node_count; node++) {
        for (uint32_t i = 0; i < 6; i++) { /* the last is a share */
            const struct topo_request *r = &w->request[i];
            const uint32_t group = topo_cluster_group_of(w->c, node);

            if (topo_cluster_is_cordoned(w->c, node)
                || topo_class_misfit(w->l.t, w->l.t->node_class[node], r)
                       != TOPO_FITS)
                continue;
            CU_ASSERT_EQUAL(topo_group_fit(w->c, group, r),
                            held_by_hand(w->c, node, r));
            CU_ASSERT_EQUAL(topo_group_has_room(w->c, group, r),
                            held_by_hand(w->c, node, r) > 0);
        }
    }
}

static void test_walk(void)
{
    struct walk w = { 0 };

    gs_rng_init(&w.rng, 7, "models");
    load_topo_text(&w.l, "t.yaml", hardware);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w.l.t);
    row_request(&w.l, 1, 0, "A", w.models[0], &w.request[0]);
    row_request(&w.l, 2, 0, "B", w.models[1], &w.request[1]);
    row_request(&w.l, 1, 0, "", w.models[2], &w.request[2]);
    row_request(&w.l, 3, 0, "", w.models[3], &w.request[3]);
    row_request(&w.l, 2, 0, "AC", w.models[4], &w.request[4]);
    row_request(&w.l, 1, 0, "C", w.models[5], &w.request[5]);
    row_request(&w.l, 0, 300, "", w.models[6], &w.request[6]);
    w.c = topo_cluster_create(w.l.t);
    for (int i = 0; i < 4000; i++) {
        walk_step(&w);
        if (i % 8 == 0) {
            fits_check(&w);
            CU_ASSERT(cluster_is_right(w.c));
        }
    }
    while (w.count--)
        topo_cluster_release(w.c, &w.request[w.held[w.count].request],
                             &w.held[w.count].grant);
    CU_ASSERT(cluster_is_right(w.c));
    topo_cluster_destroy(w.c);
    load_topo_fini(&w.l);
}

/* Free GPUs of other models are fragments for tasks that ask for a model. */
static void test_fragments(void)
{
    struct topo_mix_kind kind[2] = { { .weight = 1 }, { .weight = 1 } };
    struct topo_cluster *c;
    uint32_t models[2][4];
    struct topo_free f;
    struct topo_mix *m;
    struct load_topo l;

    load_topo_text(&l, "t.yaml", hardware);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    row_request(&l, 2, 0, "B", models[0], &kind[0].request);
    row_request(&l, 1, 0, "", models[1], &kind[1].request);
    m = topo_mix_create(l.t, kind, 2);
    c = topo_cluster_create(l.t);
    topo_free_of(c, topo_cluster_group_of(c, 0), &f);
    CU_ASSERT_EQUAL(topo_mix_fragment(m, &f), 4000); /* A for the first */
    CU_ASSERT_EQUAL(topo_mix_fragment_with(m, &f, &kind[1].request, 0), 3000);
    CU_ASSERT_EQUAL(topo_mix_fragment_with(m, &f, &kind[0].request, 0), 4000);
    (void)topo_cluster_allocate(c, 0, &kind[0].request, 1, UINT32_MAX);
    topo_free_of(c, topo_cluster_group_of(c, 0), &f);
    CU_ASSERT_EQUAL(topo_mix_fragment(m, &f), 4000);
    topo_mix_destroy(m);
    topo_cluster_destroy(c);
    load_topo_fini(&l);
}

/* A limit that names a model gives it a dimension, in all classes. */
static void test_named(void)
{
    static const char text[] =
        "node_types:\n"
        "  a: {gpus: 4, model: A}\n"
        "  b: {gpus: 2, model: B}\n"
        "nodes: [{name: a, type: a}, {name: b, type: b}]\n";
    struct load_topo l;
    const struct topo *t;
    int dim;

    load_topo_text(&l, "t.yaml", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    CU_ASSERT_EQUAL(l.t->model_dims, 0);
    CU_ASSERT_FALSE(topo_models_are_new(l.t));
    dim = topo_dims_put(&l.dims, gs_strtab_put(l.names, "gpu:A", 5));
    CU_ASSERT_TRUE(topo_models_are_new(l.t));
    t = topo_relabel(l.t, topo_label_use(l.t, NULL, 0, l.arena), l.arena);
    CU_ASSERT_EQUAL(t->model_dims, 1u << dim);
    CU_ASSERT_EQUAL(t->klass[0].capacity[dim], 4000);
    CU_ASSERT_EQUAL(t->klass[1].capacity[dim], 0);
    CU_ASSERT_EQUAL(t->klass[1].model_count, 0);
    load_topo_fini(&l);
}

static void test_refused(void)
{
    static const struct {
        const char *type, *error;
    } bad[] = {
        { "{gpus: {A: 4, B: 0}}", "'B' must be a whole number from 1 to 60" },
        { "{gpus: {A: 60, B: 20}}", "'B' must be a whole number from 1 to 4" },
        { "{gpus: [1, 2]}", "'gpus' must be a number, or a mapping" },
        { "{gpus: {}}", "'gpus' must be a number, or a mapping" },
        { "{gpus: {A: 4, B: 1}, model: A}", "'model' cannot stand beside" },
        { "{gpus: {A: 4}, model: A}", "'model' cannot stand beside" },
        { "{gpus: {A100-80: 4, B: 1}, mig: true}", "GPUs of one model" },
        { "{resources: {\"gpu:A\": 1}}", "stated as 'gpus'" },
        { "{gpus: {A: 1, B: 1, C: 1, D: 1, E: 1, F: 1, G: 1, H: 1, I: 1}}",
          "mapping of 1 to 8 models" },
    };

    for (size_t i = 0; i < N_ELEMENTS(bad); i++) {
        struct load_topo l;
        char text[800];

        snprintf(text, sizeof(text),
                 "node_types:\n  t: %s\nnodes: [{name: n, type: t}]\n",
                 bad[i].type);
        load_topo_text(&l, "t.yaml", text);
        CU_ASSERT_PTR_NULL(l.t);
        gs_err_format(&l.err, 0, text, sizeof(text));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, bad[i].error));
        load_topo_fini(&l);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "which devices suit which models", test_empty },
        { "the devices say what is free of each model", test_walk },
        { "GPUs of other models are fragments", test_fragments },
        { "a model that a limit names has a dimension", test_named },
        { "node types that are none", test_refused },
    };

    return suite_run("topology/models", cases, N_ELEMENTS(cases));
}
