/* tests/policies/test_scores.c - the scores of the live schedulers' own tests
 * (tests/data/vectors/scores.yaml: kubernetes' noderesources, volcano's
 * binpack), through the modules as any host would call them; and cases of
 * our own for what those do not cover.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "policies/policy.h"
#include "policies/registry.h"
#include "tests/suite.h"

/* A host of one node: what the modules see of it. */
#define DIMS 7u

static const char *const dim_names[DIMS] = { "cpu", "memory", "rdma", "pods",
                                             "gpu", "extra",  "foo" };

struct gsp_view {
    int64_t free[DIMS], capacity[DIMS];
    uint32_t gpus_free;
};

struct gsp_task {
    int64_t amount[DIMS];
};

static void *keep(void *ctx, size_t size)
{
    return gs_arena_alloc(ctx, 1, size);
}

static uint32_t dims(void *ctx)
{
    (void)ctx;
    return DIMS;
}

static const char *dim_name(void *ctx, uint32_t d)
{
    (void)ctx;
    return dim_names[d];
}

static uint32_t states(const struct gsp_view *v)
{
    (void)v;
    return 1;
}

static const int64_t *free_of(const struct gsp_view *v, uint32_t d)
{
    return &v->free[d];
}

static const int64_t *capacity_of(const struct gsp_view *v, uint32_t d)
{
    return &v->capacity[d];
}

static const uint32_t *gpus_free(const struct gsp_view *v)
{
    return &v->gpus_free;
}

static int64_t amount(const struct gsp_task *t, uint32_t d)
{
    return t->amount[d];
}

static const struct gsp_host host = {
    .size = sizeof(host),
    .keep = keep,
    .dims = dims,
    .dim_name = dim_name,
    .states = states,
    .free = free_of,
    .capacity = capacity_of,
    .gpus_free = gpus_free,
    .amount = amount,
};

/* Points that a module gives; `value` as its parameter table wants it. */
static double score(const char *module, const union gsp_value *value,
                    const struct gsp_view *v, const struct gsp_task *t)
{
    const struct gsp_module *m = gsched_module_find(module);
    struct gs_arena *arena = gs_arena_create(4096);
    int64_t out = 0;
    void *self = NULL;

    CU_ASSERT_EQUAL_FATAL(m->open(&host, arena, value, &self), 0);
    m->score(self, v, t, &out);
    gs_arena_destroy(arena);
    return (double)out / (double)GSP_POINT;
}

/* --- vectors ------------------------------------------------------------------- */

static uint32_t dim_of(const char *name)
{
    uint32_t d = 0;

    while (d < DIMS && strcmp(dim_names[d], name) != 0)
        d++;
    CU_ASSERT_FATAL(d < DIMS);
    return d;
}

static double number(const struct gs_ynode *n)
{
    double v = 0;

    CU_ASSERT_EQUAL_FATAL(gs_quantity_parse_double(n->text, n->len, &v), 0);
    return v;
}

/* Thousandths of the mapping's numbers, so that halves are whole. */
static void amounts(const struct gs_ynode *map, int64_t *out)
{
    for (uint32_t d = 0; d < DIMS; d++)
        out[d] = 0;
    for (const struct gs_ynode *n = map ? map->child : NULL; n; n = n->next)
        out[dim_of(n->key->text)] = (int64_t)(number(n) * 1000);
}

static void weights_read(const struct gs_ynode *map, double *out)
{
    for (uint32_t d = 0; d < DIMS; d++)
        out[d] = map ? -1 : d <= GSP_MEMORY ? 1 : -1;
    for (const struct gs_ynode *n = map ? map->child : NULL; n; n = n->next)
        out[dim_of(n->key->text)] = number(n);
}

static void node_read(const struct gs_ynode *capacity,
                      const struct gs_ynode *used, struct gsp_view *v)
{
    int64_t u[DIMS];

    amounts(capacity, v->capacity);
    amounts(used, u);
    for (uint32_t d = 0; d < DIMS; d++)
        v->free[d] = v->capacity[d] - u[d];
}

static uint32_t kube_vectors(const struct gs_ynode *list, const char *module)
{
    uint32_t n = 0;

    for (const struct gs_ynode *c = list->child; c; c = c->next, n++) {
        double weight[DIMS];
        const union gsp_value value[] = { { .whole = 1 },
                                          { .weights = weight } };
        struct gsp_view v = { 0 };
        struct gsp_task t;

        amounts(gs_ynode_find(c, "request"), t.amount);
        node_read(gs_ynode_find(c, "node"), gs_ynode_find(c, "used"), &v);
        weights_read(gs_ynode_find(c, "weights"), weight);
        CU_ASSERT_EQUAL(score(module, value, &v, &t),
                        number(gs_ynode_find(c, "expect")));
    }
    return n;
}

static uint32_t volcano_block(const struct gs_ynode *b)
{
    double weight[DIMS];
    const union gsp_value value[] = { { .whole = (int64_t)number(
                                            gs_ynode_find(b, "weight")) },
                                      { .weights = weight } };
    uint32_t n = 0;

    weights_read(gs_ynode_find(b, "weights"), weight);
    for (const struct gs_ynode *c = gs_ynode_find(b, "cases")->child; c;
         c = c->next) {
        struct gsp_task t;

        amounts(gs_ynode_find(c, "request"), t.amount);
        for (const struct gs_ynode *e = gs_ynode_find(c, "expect")->child; e;
             e = e->next, n++) {
            const struct gs_ynode *node = gs_ynode_find(
                gs_ynode_find(b, "nodes"), e->key->text);
            struct gsp_view v = { 0 };

            node_read(gs_ynode_find(node, "capacity"),
                      gs_ynode_find(node, "used"), &v);
            CU_ASSERT(fabs(score("binpack", value, &v, &t) - number(e)) < 1e-6);
        }
    }
    return n;
}

static void test_vectors(void)
{
    struct gs_err err = { 0 };
    struct gs_arena *arena = gs_arena_create(1 << 14);
    struct gs_input *in = gs_input_open("tests/data/vectors/scores.yaml", &err);
    const struct gs_ynode *root;
    uint32_t n = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(in);
    root = gs_yaml_read(in, arena, NULL, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL(
        kube_vectors(gs_ynode_find(root, "least_allocated"), "least-allocated"),
        16);
    CU_ASSERT_EQUAL(
        kube_vectors(gs_ynode_find(root, "most_allocated"), "most-allocated"),
        14);
    for (const struct gs_ynode *b =
             gs_ynode_find(root, "volcano_binpack")->child;
         b; b = b->next)
        n += volcano_block(b);
    CU_ASSERT_EQUAL(n, 24);
    gs_input_close(in);
    gs_arena_destroy(arena);
}

/* --- our own -------------------------------------------------------------------- */

static const struct {
    int64_t used, all; /* GPUs */
    double expect;
} gpu_cases[] = {
    { 6, 8, 7.5 }, { 2, 8, 2.5 }, { 0, 8, 0 }, { 8, 8, 10 }, { 1, 4, 2.5 },
};

static void test_gpu_binpack(void)
{
    const union gsp_value value[] = { { .whole = 1 } };
    const struct gsp_task t = { { 0 } };

    for (size_t i = 0; i < N_ELEMENTS(gpu_cases); i++) {
        struct gsp_view v = { 0 };

        v.capacity[GSP_GPU] = gpu_cases[i].all * 1000;
        v.gpus_free = (uint32_t)(gpu_cases[i].all - gpu_cases[i].used);
        CU_ASSERT_EQUAL(score("gpu-binpack", value, &v, &t),
                        gpu_cases[i].expect);
    }
}

/* Fractions after placing, by hand: cpu, memory, gpu of 1000 each. */
static const struct {
    int64_t used[3], asked[3];
    bool has_gpu, rescaled;
    double expect;
} balanced_cases[] = {
    /* two resources: |f1 - f2| / 2 */
    { { 0, 0, 0 }, { 500, 500, 0 }, false, false, 100 },
    { { 0, 0, 0 }, { 600, 200, 0 }, false, false, 80 },
    { { 100, 0, 0 }, { 500, 200, 0 }, false, false, 80 },
    { { 0, 0, 0 }, { 1000, 0, 0 }, false, false, 50 },
    { { 900, 0, 0 }, { 900, 0, 0 }, false, false, 50 }, /* capped */
    /* three: population deviation of 0.3, 0.6, 0.9 is 0.2449 */
    { { 0, 0, 0 }, { 300, 600, 900 }, true, false, 75 },
    /* a GPU not asked for is left out */
    { { 0, 0, 900 }, { 600, 200, 0 }, true, false, 80 },
    /* from 1.36: 50 + (50 + with - without) / 2 */
    { { 0, 0, 0 }, { 500, 500, 0 }, false, true, 75 },
    { { 0, 0, 0 }, { 1000, 0, 0 }, false, true, 50 },
    { { 500, 0, 0 }, { 0, 500, 0 }, false, true, 87 },
};

static void test_balanced(void)
{
    static const uint32_t dim[] = { GSP_CPU, GSP_MEMORY, GSP_GPU };
    double weight[DIMS] = { 1, 1, -1, -1, 1, -1, -1 };

    for (size_t i = 0; i < N_ELEMENTS(balanced_cases); i++) {
        const union gsp_value value[] = {
            { .whole = 1 },
            { .weights = weight },
            { .whole = balanced_cases[i].rescaled }
        };
        struct gsp_view v = { 0 };
        struct gsp_task t = { { 0 } };

        for (int k = 0; k < 2 + balanced_cases[i].has_gpu; k++) {
            v.capacity[dim[k]] = 1000;
            v.free[dim[k]] = 1000 - balanced_cases[i].used[k];
            t.amount[dim[k]] = balanced_cases[i].asked[k];
        }
        CU_ASSERT_EQUAL(score("balanced", value, &v, &t),
                        balanced_cases[i].expect);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "vectors of kube-scheduler and Volcano", test_vectors },
        { "gpu-binpack", test_gpu_binpack },
        { "balanced", test_balanced },
    };

    return suite_run("policies/scores", suite, N_ELEMENTS(suite));
}
