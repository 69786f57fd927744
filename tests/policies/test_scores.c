/* tests/policies/test_scores.c - the scores of the live schedulers' own tests
 * (tests/data/vectors/scores.yaml: kubernetes' noderesources, volcano's
 * binpack), through the modules as any host would call them; and cases of
 * our own for what those do not cover.
 */
#include <math.h>

#include "base/input.h"
#include "policies/policy.h"
#include "tests/lib/fake_nodes.h"

#define TEXT 256 /* of a setting */

/* --- vectors -------------------------------------------------------------- */

static uint32_t kube_vectors(const struct gs_ynode *list, const char *module)
{
    uint32_t n = 0;

    for (const struct gs_ynode *c = list->child; c; c = c->next, n++) {
        struct fake_use u = { module, { NULL } };
        char resources[TEXT];
        struct gsp_states v = { 0 };
        struct gsp_task t = { { 0 } };
        double points[FAKE_NODES];

        fake_resources(gs_ynode_find(c, "weights"), resources,
                       sizeof(resources));
        u.set[0] = resources;
        fake_amounts_add(gs_ynode_find(c, "request"), t.amount);
        fake_node_add(&v, gs_ynode_find(c, "node"), gs_ynode_find(c, "used"));
        fake_scores(&u, &v, &t, points);
        CU_ASSERT_EQUAL(points[0], fake_number(gs_ynode_find(c, "expect")));
    }
    return n;
}

static uint32_t volcano_block(const struct gs_ynode *b)
{
    struct fake_use u = { "binpack", { NULL } };
    char resources[TEXT], weight[TEXT];
    uint32_t n = 0;

    fake_resources(gs_ynode_find(b, "weights"), resources, sizeof(resources));
    (void)snprintf(weight, sizeof(weight), "weight=%s",
                   gs_ynode_find(b, "weight")->text);
    u.set[0] = resources;
    u.set[1] = weight;
    for (const struct gs_ynode *c = gs_ynode_find(b, "cases")->child; c;
         c = c->next) {
        struct gsp_task t = { { 0 } };

        fake_amounts_add(gs_ynode_find(c, "request"), t.amount);
        for (const struct gs_ynode *e = gs_ynode_find(c, "expect")->child; e;
             e = e->next, n++) {
            const struct gs_ynode *node = gs_ynode_find(
                gs_ynode_find(b, "nodes"), e->key->text);
            struct gsp_states v = { 0 };
            double points[FAKE_NODES];

            fake_node_add(&v, gs_ynode_find(node, "capacity"),
                          gs_ynode_find(node, "used"));
            fake_scores(&u, &v, &t, points);
            CU_ASSERT(fabs(points[0] - fake_number(e)) < 1e-6);
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

/* --- our own -------------------------------------------------------------- */

static const struct {
    int64_t used, all; /* GPUs */
    double expect;
} gpu_cases[] = {
    { 6, 8, 7.5 }, { 2, 8, 2.5 }, { 0, 8, 0 }, { 8, 8, 10 }, { 1, 4, 2.5 },
};

static void test_gpu_binpack(void)
{
    const struct fake_use u = { "gpu-binpack", { NULL } };
    const struct gsp_task t = { { 0 } };

    for (size_t i = 0; i < N_ELEMENTS(gpu_cases); i++) {
        struct gsp_states v = { .count = 1 };
        double points[FAKE_NODES];

        v.capacity[GSP_GPU][0] = gpu_cases[i].all * 1000;
        v.gpus_free[0] = (uint32_t)(gpu_cases[i].all - gpu_cases[i].used);
        fake_scores(&u, &v, &t, points);
        CU_ASSERT_EQUAL(points[0], gpu_cases[i].expect);
    }
}

/* A node of 1000m cpu and 1000Mi memory that runs `tasks` tasks, which use so
 * much of it; one more asks.  With `defaults` least and most add up to 100
 * where nothing is over.
 */
static const struct {
    int64_t tasks, used[2], asked[2]; /* millicores, Mi */
    double plain, counted;            /* most-allocated */
} default_cases[] = {
    { 0, { 0, 0 }, { 0, 0 }, 0, 15 }, /* 10 and 20 */
    { 1, { 0, 0 }, { 0, 0 }, 0, 30 },
    { 4, { 0, 0 }, { 0, 0 }, 0, 75 },          /* 50 and 100 */
    { 8, { 0, 0 }, { 0, 0 }, 0, 95 },          /* 90 and over */
    { 2, { 600, 500 }, { 0, 0 }, 55, 70 },     /* they said what they use */
    { 2, { 600, 0 }, { 0, 0 }, 30, 65 },       /* 70 and 60 */
    { 0, { 0, 0 }, { 50, 100 }, 7, 7 },        /* it says little */
    { 0, { 0, 0 }, { 500, 0 }, 25, 35 },       /* 50 and 20 */
    { 3, { 300, 600 }, { 100, 200 }, 60, 60 }, /* just as much */
};

static void test_defaults(void)
{
    static const char *const resources = "resources={cpu: 1, memory: 1}";
    const struct fake_use use[] = {
        { "most-allocated", { resources } },
        { "most-allocated", { resources, "defaults=yes" } },
    };

    for (size_t i = 0; i < N_ELEMENTS(default_cases); i++) {
        struct gsp_states v = { .count = 1 };
        struct gsp_task t = { { 0 } };
        double points[2][FAKE_NODES];

        v.capacity[GSP_PODS][0] = 110;
        v.free[GSP_PODS][0] = 110 - default_cases[i].tasks;
        for (uint32_t d = GSP_CPU; d <= GSP_MEMORY; d++) {
            const int64_t unit = d == GSP_CPU ? 1 : 1 << 20;

            v.capacity[d][0] = 1000 * unit;
            v.free[d][0] = (1000 - default_cases[i].used[d]) * unit;
            t.amount[d] = default_cases[i].asked[d] * unit;
        }
        for (size_t k = 0; k < N_ELEMENTS(use); k++)
            fake_scores(&use[k], &v, &t, points[k]);
        CU_ASSERT_EQUAL(points[0][0], default_cases[i].plain);
        CU_ASSERT_EQUAL(points[1][0], default_cases[i].counted);
    }
}

/* What a shape may not be; and what a parameter with choices may. */
static const struct {
    struct fake_use use;
    const char *error; /* NULL: the module refuses it */
} bad_cases[] = {
    { { "requested-to-capacity-ratio", { "shape=x" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape==1" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=11" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=101=1" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=-1" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=1.5" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=0,0=1" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=50=0,40=1" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=0,100=10," } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=0;100=10" } }, NULL },
    { { "requested-to-capacity-ratio", { "shape=0=99999999999999999999" } },
      NULL },
    { { "balanced", { "scale=new" } },
      "'scale' must be one of: classic, relative (got 'new')" },
    { { "balanced", { "scale=[classic]" } },
      "'scale' must be one of: classic, relative (got a list or mapping)" },
};

static void test_bad(void)
{
    for (size_t i = 0; i < N_ELEMENTS(bad_cases); i++) {
        union gsp_value value[GSCHED_PARAMS_MAX];
        const struct gsp_module *m = NULL;
        struct gs_err err = { 0 };
        void *self = NULL;
        struct fake f;
        int status;

        fake_start(&f);
        status = fake_values(&bad_cases[i].use, f.arena, value, &m, &err);
        CU_ASSERT_EQUAL(status, bad_cases[i].error ? -1 : 0);
        if (status < 0) {
            char text[512];

            CU_ASSERT_PTR_NOT_NULL(
                strstr(gs_err_format(&err, 0, text, sizeof(text)),
                       bad_cases[i].error));
        } else {
            CU_ASSERT_EQUAL(m->open(&fake_host, &f, value, &self), -1);
        }
        fake_end(&f);
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "scores equal the vectors of kube-scheduler and Volcano",
          test_vectors },
        { "gpu-binpack prefers full GPUs", test_gpu_binpack },
        { "tasks without requests get the defaults", test_defaults },
        { "bad settings are refused", test_bad },
    };

    return suite_run("policies/scores", suite, N_ELEMENTS(suite));
}
