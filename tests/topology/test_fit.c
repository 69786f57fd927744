/* tests/topology/test_fit.c - which tasks a node may hold, and how many. */
#include "tests/lib/cluster_check.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"

#define GIB (INT64_C(1) << 30)

static const char hardware[] =
    "node_types:\n"
    "  g: {gpus: 8, model: A, cpu: 16, memory: 64GiB, rdma: 2, pods: 12,\n"
    "      labels: {tier: high, zone: z1}, resources: {fpga: 3}}\n"
    "  h: {gpus: 2, model: B, cpu: 16, labels: {tier: low},\n"
    "      taints: [\"team=a:NoSchedule\", \"drain:NoExecute\"]}\n"
    "  c: {cpu: 4, labels: {tier: high}}\n"
    "  u: {gpus: 4}\n"
    "nodes:\n"
    "  - {name: g1, type: g}\n"
    "  - {name: h1, type: h}\n"
    "  - {name: c1, type: c}\n"
    "  - {name: u1, type: u}\n";

enum { G, H, C, U };

/* A request as a row: names are looked up, "" ends a list. */
struct row {
    uint32_t klass;
    uint32_t gpus, share;
    int64_t cpu, memory, rdma, pods, fpga;
    const char *models[3];
    const char *labels[3][2];
    struct {
        const char *key, *value;
        enum topo_effect effect;
    } tolerations[3];
    enum topo_misfit misfit;
    uint32_t fit; /* on an empty node */
};

static const struct row rows[] = {
    /* whole devices */
    { .klass = G, .gpus = 1, .fit = 8 },
    { .klass = G, .gpus = 2, .fit = 4 },
    { .klass = G, .gpus = 3, .fit = 2 },
    { .klass = G, .gpus = 8, .fit = 1 },
    { .klass = G, .gpus = 9, .misfit = TOPO_TOO_SMALL },
    { .klass = G, .gpus = 64, .misfit = TOPO_TOO_SMALL },
    { .klass = U, .gpus = 4, .fit = 1 },
    { .klass = C, .gpus = 1, .misfit = TOPO_TOO_SMALL },
    /* shares of one device */
    { .klass = G, .share = 1, .fit = 8000 },
    { .klass = G, .share = 250, .fit = 32 },
    { .klass = G, .share = 334, .fit = 16 },
    { .klass = G, .share = 500, .fit = 16 },
    { .klass = G, .share = 501, .fit = 8 },
    { .klass = G, .share = 999, .fit = 8 },
    { .klass = C, .share = 1, .misfit = TOPO_TOO_SMALL },
    /* amounts */
    { .klass = G, .cpu = 16000, .fit = 1 },
    { .klass = G, .cpu = 16001, .misfit = TOPO_TOO_SMALL },
    { .klass = G, .cpu = 5000, .fit = 3 },
    { .klass = G, .cpu = 1, .fit = 16000 },
    { .klass = G, .memory = 64 * GIB, .fit = 1 },
    { .klass = G, .memory = 64 * GIB + 1, .misfit = TOPO_TOO_SMALL },
    { .klass = G, .rdma = 500, .fit = 4 },
    { .klass = G, .pods = 1, .fit = 12 },
    { .klass = G, .pods = 13, .misfit = TOPO_TOO_SMALL },
    { .klass = G, .fpga = 1000, .fit = 3 },
    { .klass = G, .fpga = 3001, .misfit = TOPO_TOO_SMALL },
    { .klass = U, .fpga = 1, .misfit = TOPO_TOO_SMALL },
    { .klass = U, .cpu = 1, .misfit = TOPO_TOO_SMALL },
    { .klass = C, .cpu = 1500, .fit = 2 },
    /* the scarcest decides */
    { .klass = G, .gpus = 1, .cpu = 4000, .fit = 4 },
    { .klass = G, .gpus = 2, .cpu = 4000, .fit = 4 },
    { .klass = G, .gpus = 4, .cpu = 4000, .memory = GIB, .fit = 2 },
    { .klass = G, .share = 100, .pods = 1, .fit = 12 },
    { .klass = G, .share = 100, .cpu = 1000, .rdma = 700, .fit = 2 },
    /* nothing asked for */
    { .klass = G, .fit = 1000000 },
    { .klass = C, .fit = 1000000 },
    { .klass = U, .pods = 1, .fit = 1000000 },
    /* models */
    { .klass = G, .gpus = 1, .models = { "A" }, .fit = 8 },
    { .klass = G, .gpus = 1, .models = { "B", "A" }, .fit = 8 },
    { .klass = G, .gpus = 1, .models = { "B" }, .misfit = TOPO_NO_MODEL },
    { .klass = G, .gpus = 9, .models = { "B" }, .misfit = TOPO_NO_MODEL },
    { .klass = U, .gpus = 1, .models = { "A" }, .misfit = TOPO_NO_MODEL },
    { .klass = C, .models = { "A" }, .misfit = TOPO_NO_MODEL },
    { .klass = G, .share = 500, .models = { "A" }, .fit = 16 },
    /* labels: all of them */
    { .klass = G, .gpus = 8, .labels = { { "tier", "high" } }, .fit = 1 },
    { .klass = C, .cpu = 4000, .labels = { { "tier", "high" } }, .fit = 1 },
    { .klass = G,
      .gpus = 8,
      .labels = { { "tier", "high" }, { "zone", "z1" } },
      .fit = 1 },
    { .klass = G,
      .gpus = 8,
      .labels = { { "zone", "z1" }, { "tier", "low" } },
      .misfit = TOPO_NO_LABEL },
    { .klass = C,
      .labels = { { "tier", "high" }, { "zone", "z1" } },
      .misfit = TOPO_NO_LABEL },
    { .klass = U, .labels = { { "tier", "high" } }, .misfit = TOPO_NO_LABEL },
    { .klass = H, .labels = { { "tier", "high" } }, .misfit = TOPO_NO_LABEL },
    /* taints: each must be tolerated */
    { .klass = H, .gpus = 1, .misfit = TOPO_TAINTED },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "team", "a", TOPO_NO_SCHEDULE } },
      .misfit = TOPO_TAINTED },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "team", "a", TOPO_NO_SCHEDULE },
                       { "drain", "", TOPO_NO_EXECUTE } },
      .fit = 2 },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "drain", "", TOPO_ANY_EFFECT },
                       { "x", "y", TOPO_ANY_EFFECT },
                       { "team", "", TOPO_ANY_EFFECT } },
      .fit = 2 },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "team", "b", TOPO_ANY_EFFECT },
                       { "drain", "", TOPO_ANY_EFFECT } },
      .misfit = TOPO_TAINTED },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "team", "a", TOPO_NO_EXECUTE },
                       { "drain", "", TOPO_ANY_EFFECT } },
      .misfit = TOPO_TAINTED },
    { .klass = H,
      .gpus = 3,
      .tolerations = { { "team", "", TOPO_ANY_EFFECT },
                       { "drain", "", TOPO_ANY_EFFECT } },
      .misfit = TOPO_TOO_SMALL },
    { .klass = G,
      .gpus = 8,
      .tolerations = { { "team", "a", TOPO_ANY_EFFECT } },
      .fit = 1 },
    /* every key; of one effect; only taints without a value */
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "", "", TOPO_ANY_EFFECT } },
      .fit = 2 },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "", "", TOPO_NO_SCHEDULE } },
      .misfit = TOPO_TAINTED },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "team", "a", TOPO_ANY_EFFECT },
                       { "drain", NULL, TOPO_ANY_EFFECT } },
      .fit = 2 },
    { .klass = H,
      .gpus = 1,
      .tolerations = { { "team", NULL, TOPO_ANY_EFFECT },
                       { "drain", "", TOPO_ANY_EFFECT } },
      .misfit = TOPO_TAINTED },
    /* the first reason: model, label, taint, size */
    { .klass = H,
      .gpus = 9,
      .models = { "A" },
      .labels = { { "tier", "high" } },
      .misfit = TOPO_NO_MODEL },
    { .klass = H,
      .gpus = 9,
      .labels = { { "tier", "high" } },
      .misfit = TOPO_NO_LABEL },
    { .klass = H, .gpus = 9, .misfit = TOPO_TAINTED },
};

/* The lists of a request. */
struct lists {
    uint32_t model[3];
    struct topo_condition selector[3];
    uint32_t value[3];
    struct topo_taint toleration[3];
};

static struct topo_request request(const struct load_topo *l,
                                   const struct row *row, struct lists *s)
{
    struct topo_request r = { .gpus = row->gpus,
                              .share = row->share,
                              .model = s->model,
                              .selector = s->selector,
                              .toleration = s->toleration };

    r.amount[TOPO_CPU] = row->cpu;
    r.amount[TOPO_MEMORY] = row->memory;
    r.amount[TOPO_RDMA] = row->rdma;
    r.amount[TOPO_PODS] = row->pods;
    r.amount[TOPO_GPU] = row->gpus * TOPO_SHARE_ONE + row->share;
    r.amount[topo_dims_find(&l->dims, load_topo_id(l, "fpga"))] = row->fpga;
    for (uint32_t i = 0; i < 3 && row->models[i]; i++)
        s->model[r.model_count++] = load_topo_id(l, row->models[i]);
    for (uint32_t i = 0; i < 3 && row->labels[i][0]; i++) {
        s->value[i] = load_topo_id(l, row->labels[i][1]);
        s->selector[r.selector_count++] = (struct topo_condition){
            .key = load_topo_id(l, row->labels[i][0]),
            .op = TOPO_IN,
            .value_count = 1,
            .value = &s->value[i],
        };
    }
    for (uint32_t i = 0; i < 3 && row->tolerations[i].key; i++)
        s->toleration[r.toleration_count++] = (struct topo_taint){
            load_topo_id(l, row->tolerations[i].key),
            row->tolerations[i].value
                ? load_topo_id(l, row->tolerations[i].value)
                : TOPO_NO_VALUE,
            row->tolerations[i].effect
        };
    return r;
}

/* The classes, and a cluster of empty nodes, agree. */
static void test_empty(void)
{
    struct topo_cluster *c;
    struct load_topo l;

    load_topo_text(&l, "t.yaml", hardware);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    c = topo_cluster_create(l.t);
    for (size_t i = 0; i < N_ELEMENTS(rows); i++) {
        const struct row *row = &rows[i];
        struct lists lists;
        const struct topo_request r = request(&l, row, &lists);
        const uint32_t group = topo_cluster_group_of(c, row->klass);
        const enum topo_misfit misfit = topo_class_misfit(l.t, row->klass, &r);
        const uint32_t fit = topo_class_fit(l.t, row->klass, &r);

        if (misfit != row->misfit || fit != row->fit)
            printf("\nrow %zu: misfit %d, fit %u\n", i, misfit, fit);
        CU_ASSERT_EQUAL(misfit, row->misfit);
        CU_ASSERT_EQUAL(fit, row->fit);
        if (misfit == TOPO_FITS)
            CU_ASSERT_EQUAL(topo_group_fit(c, group, &r), row->fit);
        if (misfit == TOPO_FITS || misfit == TOPO_TOO_SMALL)
            CU_ASSERT_EQUAL(topo_group_has_room(c, group, &r), row->fit > 0);
    }
    topo_cluster_destroy(c);
    load_topo_fini(&l);
}

/* What still fits on a node of class g once others hold some of it. */
static void test_partly_used(void)
{
    static const struct {
        struct row held[3], asked;
    } uses[] = {
        { { { .gpus = 1 } }, { .gpus = 1, .fit = 7 } },
        { { { .gpus = 1 } }, { .gpus = 4, .fit = 1 } },
        { { { .gpus = 5 } }, { .gpus = 4, .fit = 0 } },
        { { { .gpus = 8 } }, { .share = 1, .fit = 0 } },
        { { { .gpus = 8 } }, { .cpu = 1000, .fit = 16 } },
        /* a device with a share taken is not whole */
        { { { .share = 100 } }, { .gpus = 1, .fit = 7 } },
        { { { .share = 100 } }, { .gpus = 8, .fit = 0 } },
        { { { .gpus = 7 }, { .share = 300 } }, { .share = 300, .fit = 2 } },
        { { { .gpus = 7 }, { .share = 300 } }, { .share = 700, .fit = 1 } },
        { { { .gpus = 7 }, { .share = 300 } }, { .share = 701, .fit = 0 } },
        /* shares of two devices do not add up */
        { { { .gpus = 6 }, { .share = 501 }, { .share = 502 } },
          { .share = 499, .fit = 1 } },
        { { { .gpus = 6 }, { .share = 501 }, { .share = 502 } },
          { .share = 249, .fit = 4 } },
        { { { .gpus = 6 }, { .share = 501 }, { .share = 502 } },
          { .share = 500, .fit = 0 } },
        { { { .gpus = 5 }, { .share = 600 } }, { .share = 400, .fit = 5 } },
        { { { .cpu = 15500 } }, { .gpus = 1, .cpu = 500, .fit = 1 } },
        { { { .cpu = 16000 } }, { .gpus = 1, .cpu = 500, .fit = 0 } },
        { { { .cpu = 16000 } }, { .gpus = 1, .fit = 8 } },
        { { { .pods = 11 } }, { .share = 10, .pods = 1, .fit = 1 } },
        { { { .fpga = 3000 } }, { .fpga = 1, .fit = 0 } },
    };
    struct load_topo l;

    load_topo_text(&l, "t.yaml", hardware);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (size_t i = 0; i < N_ELEMENTS(uses); i++) {
        struct topo_cluster *c = topo_cluster_create(l.t);
        struct lists lists;
        struct topo_request r;
        uint32_t fit;

        for (size_t k = 0; k < 3; k++) {
            r = request(&l, &uses[i].held[k], &lists);
            (void)topo_cluster_allocate(c, G, &r, 1, UINT32_MAX);
        }
        r = request(&l, &uses[i].asked, &lists);
        fit = topo_group_fit(c, topo_cluster_group_of(c, G), &r);
        if (fit != uses[i].asked.fit)
            printf("\nuse %zu: fit %u\n", i, fit);
        CU_ASSERT_EQUAL(fit, uses[i].asked.fit);
        CU_ASSERT_EQUAL(topo_group_has_room(c, topo_cluster_group_of(c, G), &r),
                        fit > 0);
        CU_ASSERT_TRUE(cluster_is_right(c));
        topo_cluster_destroy(c);
    }
    load_topo_fini(&l);
}

/* Requests that differ anywhere differ, and equal ones hash alike. */
static void test_equal(void)
{
    static const struct row different[] = {
        { .gpus = 0 },
        { .gpus = 1 },
        { .gpus = 2 },
        { .share = 1 },
        { .cpu = 1 },
        { .memory = 1 },
        { .fpga = 1 },
        { .models = { "A" } },
        { .models = { "B" } },
        { .models = { "A", "B" } },
        { .models = { "B", "A" } },
        { .labels = { { "a", "b" } } },
        { .labels = { { "a", "c" } } },
        { .labels = { { "b", "b" } } },
        { .labels = { { "a", "b" }, { "b", "b" } } },
        { .tolerations = { { "a", "b", TOPO_NO_SCHEDULE } } },
        { .tolerations = { { "a", "b", TOPO_NO_EXECUTE } } },
        { .tolerations = { { "a", "b", TOPO_ANY_EFFECT } } },
        { .tolerations = { { "a", "", TOPO_ANY_EFFECT } } },
        { .tolerations = { { "b", "", TOPO_ANY_EFFECT } } },
    };
    struct load_topo l;

    load_topo_text(&l, "t.yaml", hardware);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (size_t i = 0; i < N_ELEMENTS(different); i++) {
        for (size_t k = 0; k < N_ELEMENTS(different); k++) {
            struct lists a, b;
            const struct topo_request p = request(&l, &different[i], &a);
            const struct topo_request q = request(&l, &different[k], &b);

            CU_ASSERT_EQUAL(topo_request_equal(&p, &q), i == k);
            if (i == k)
                CU_ASSERT_EQUAL(topo_request_hash(&p), topo_request_hash(&q));
        }
    }
    load_topo_fini(&l);
}

/* Kubernetes' matchExpressions, on a node with labels, one with labels that
 * are no numbers, and one without any.
 */
static const char labelled[] =
    "node_types:\n"
    "  n: {labels: {tier: high, gen: \"3\", min: \"-9223372036854775808\"}}\n"
    "  w: {labels: {tier: low, gen: 3a, min: \"9223372036854775808\"}}\n"
    "  u: {}\n"
    "nodes:\n"
    "  - {name: n1, type: n}\n"
    "  - {name: w1, type: w}\n"
    "  - {name: u1, type: u}\n";

struct condition_row {
    const char *key;
    enum topo_op op;
    const char *values[2];
    int64_t number;
    bool holds[3]; /* of n, w, u */
};

static const struct condition_row conditions[] = {
    { "tier", TOPO_IN, { "high" }, 0, { true, false, false } },
    { "tier", TOPO_IN, { "low", "high" }, 0, { true, true, false } },
    { "tier", TOPO_IN, { "x" }, 0, { false, false, false } },
    { "tier", TOPO_NOT_IN, { "high" }, 0, { false, true, true } },
    { "tier", TOPO_NOT_IN, { "low", "high" }, 0, { false, false, true } },
    { "zone", TOPO_NOT_IN, { "x" }, 0, { true, true, true } },
    { "tier", TOPO_EXISTS, { NULL }, 0, { true, true, false } },
    { "tier", TOPO_ABSENT, { NULL }, 0, { false, false, true } },
    { "gen", TOPO_GT, { NULL }, 2, { true, false, false } },
    { "gen", TOPO_GT, { NULL }, 3, { false, false, false } },
    { "gen", TOPO_LT, { NULL }, 4, { true, false, false } },
    { "gen", TOPO_LT, { NULL }, 3, { false, false, false } },
    { "gen", TOPO_GT, { NULL }, -5, { true, false, false } },
    { "min", TOPO_LT, { NULL }, -INT64_MAX, { true, false, false } },
    { "min", TOPO_GT, { NULL }, INT64_MIN, { false, false, false } },
};

static struct topo_request condition_request(const struct load_topo *l,
                                             const struct condition_row *row,
                                             struct lists *s)
{
    uint32_t n = 0;

    for (; n < 2 && row->values[n]; n++)
        s->value[n] = load_topo_id(l, row->values[n]);
    s->selector[0] = (struct topo_condition){
        .key = load_topo_id(l, row->key),
        .op = row->op,
        .value_count = n,
        .value = s->value,
        .number = row->number,
    };
    return (struct topo_request){ .selector_count = 1,
                                  .selector = s->selector };
}

static void test_conditions(void)
{
    struct load_topo l;

    load_topo_text(&l, "t.yaml", labelled);
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (size_t i = 0; i < N_ELEMENTS(conditions); i++) {
        struct lists a, b;
        const struct topo_request r = condition_request(&l, &conditions[i], &a);

        for (uint32_t k = 0; k < 3; k++) {
            const bool fits = topo_class_misfit(l.t, k, &r) == TOPO_FITS;

            if (fits != conditions[i].holds[k])
                printf("\ncondition %zu, class %u\n", i, k);
            CU_ASSERT_EQUAL(fits, conditions[i].holds[k]);
        }
        for (size_t k = 0; k < N_ELEMENTS(conditions); k++) {
            const struct topo_request q = condition_request(&l, &conditions[k],
                                                            &b);

            CU_ASSERT_EQUAL(topo_request_equal(&r, &q), i == k);
            if (i == k)
                CU_ASSERT_EQUAL(topo_request_hash(&r), topo_request_hash(&q));
        }
    }
    load_topo_fini(&l);
}

/* --- shares by memory ----------------------------------------------------- */

static const struct {
    int64_t asked;
    const char *model; /* NULL: any */
    int64_t size;      /* of the devices it is settled on */
    uint32_t share, gpus;
    int64_t other; /* it is not settled, another class has this */
} settled[] = {
    { 1, "small", 4000, 1, 0, 0 },      /* a fraction is rounded up */
    { 4, "small", 4000, 1, 0, 0 },      /* exactly a thousandth */
    { 5, "small", 4000, 2, 0, 0 },      /* one byte more */
    { 3996, "small", 4000, 999, 0, 0 }, /* all but a thousandth */
    { 3997, "small", 4000, 0, 1, 0 },   /* all of it: whole */
    { 4000, "small", 4000, 0, 1, 0 },
    { 4001, "small", INT64_MAX, 999, 0, 0 }, /* on none */
    { 4001, NULL, 9999, 401, 0, 0 },         /* on the larger only */
    { 4000, NULL, 4000, 0, 0, 9999 },        /* on either: on which? */
    { 5000, "large", 9999, 501, 0, 0 },      /* 500 are 4999 */
    { 4999, "large", 9999, 500, 0, 0 },
    { 1, "plain", INT64_MAX, 999, 0, 0 }, /* it does not say */
};

static void test_settle(void)
{
    struct load_topo l;

    load_topo_text(&l, "t.yaml",
                   "node_types:\n"
                   "  a: {gpus: 2, model: small, gpu_memory: 4000}\n"
                   "  b: {gpus: 2, model: large, gpu_memory: 9999}\n"
                   "  c: {gpus: 2, model: plain}\n"
                   "  d: {cpu: 1, gpu_memory: 5000}\n"
                   "nodes: [{name: a, type: a}, {name: b, type: b},\n"
                   "        {name: c, type: c}, {name: d, type: d}]\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    for (size_t i = 0; i < N_ELEMENTS(settled); i++) {
        const uint32_t model = settled[i].model
                                   ? load_topo_id(&l, settled[i].model)
                                   : 0;
        struct topo_request r = { .share_memory = settled[i].asked,
                                  .model = &model,
                                  .model_count = model != 0 };
        int64_t other = 0;

        CU_ASSERT_EQUAL(topo_request_resolve(l.t, &r, &other),
                        settled[i].other ? -1 : 0);
        CU_ASSERT_EQUAL(other, settled[i].other);
        CU_ASSERT_EQUAL(r.device_memory, settled[i].size);
        CU_ASSERT_EQUAL(r.share, settled[i].share);
        CU_ASSERT_EQUAL(r.gpus, settled[i].gpus);
        for (uint32_t k = 0; k < l.t->class_count && !other; k++) {
            const bool fits = l.t->klass[k].gpu_memory == settled[i].size
                              && l.t->klass[k].gpus;

            CU_ASSERT_EQUAL(topo_class_fit(l.t, k, &r) > 0, fits);
        }
    }
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "node types and empty nodes agree on what fits", test_empty },
        { "partly used nodes hold what is left", test_partly_used },
        { "equal requests are equal, others are not", test_equal },
        { "conditions of a request are kept", test_conditions },
        { "a share stated as GPU memory is resolved", test_settle },
    };

    return suite_run("topology/fit", cases, N_ELEMENTS(cases));
}
