/* tests/policies/test_vectors_remaining.c - vectors of KAI Scheduler about the
 * choice of nodes and devices, and about the order of jobs, each by one module.
 *
 * Points decide nothing but an order: it is compared, and points themselves
 * where the module has the same.
 */
#include <math.h>
#include <stdlib.h>

#include "tests/lib/fake_nodes.h"
#include "tests/lib/vectors.h"

#define DEVICE 1000 /* thousandths */

static double number(const struct gs_ynode *map, const char *key,
                     double fallback)
{
    const struct gs_ynode *n = gs_ynode_find(map, key);

    return n ? strtod(n->text, NULL) : fallback;
}

/* --- nodes ---------------------------------------------------------------- */

/* A node with GPUs, of which some are left. */
static uint32_t node_add(struct gsp_states *s, double left, double total)
{
    const uint32_t i = s->count++;

    CU_ASSERT_FATAL(i < FAKE_NODES);
    s->free[GSP_GPU][i] = (int64_t)(left * DEVICE);
    s->capacity[GSP_GPU][i] = (int64_t)(total * DEVICE);
    s->gpus_free[i] = (uint32_t)left;
    return i;
}

static int sign(double x)
{
    return (x > 1e-9) - (x < -1e-9);
}

/* Every two nodes on which a task fits compare as expected. */
static void order_check(const struct vector *v, const struct gsp_states *s,
                        const struct gs_ynode *want, const double *points)
{
    uint32_t a = 0;

    for (const struct gs_ynode *x = want->child; x; x = x->next, a++) {
        uint32_t b = 0;

        for (const struct gs_ynode *y = want->child; y; y = y->next, b++) {
            const double by = strtod(x->text, NULL) - strtod(y->text, NULL);

            if (s->capacity[GSP_GPU][a] > 0 && s->capacity[GSP_GPU][b] > 0
                && sign(by) != sign(points[a] - points[b]))
                vector_fails(v, x->key->text, y->key->text);
        }
    }
}

static void pack_run(const struct vector *v)
{
    static const struct fake_use use = { "remaining", { "weight=9" } };
    const struct gsp_task task = { .amount = { [GSP_GPU] = DEVICE } };
    struct gsp_states s = { .count = 0 };
    double points[FAKE_NODES];

    for (const struct gs_ynode *n = vector_in(v, "nodes")->child; n;
         n = n->next)
        node_add(&s, number(n, "idle", 0), number(n, "total", 0));
    fake_scores(&use, &s, &task, points);
    order_check(v, &s, gs_ynode_find(v->expected, "scores"), points);
}

static void spread_run(const struct vector *v)
{
    static const struct fake_use use = { "remaining",
                                         { "weight=1", "gpu=spread" } };
    const struct gsp_task task = { .amount = { [GSP_GPU] = DEVICE } };
    struct gsp_states s = { .count = 0 };
    double points[FAKE_NODES];

    node_add(&s, number(v->in, "not_allocated", 0), number(v->in, "count", 0));
    fake_scores(&use, &s, &task, points);
    if (fabs(points[0] - number(v->expected, "score", -1)) > 1e-5)
        vector_fails(v, "score", "another");
}

/* The sum: a shared device that fits, then what is left.  A node without room
 * now is none here, where nothing waits for a release.
 */
static void sum_run(const struct vector *v)
{
    static const struct fake_use use[] = {
        { "gpu-sharing", { "mode=used", "weight=10" } },
        { "scarce", { "weight=1" } },
        { "remaining", { "weight=9" } },
    };
    const struct gsp_task task = { .amount = { [GSP_GPU] = DEVICE / 2 },
                                   .share = DEVICE / 2,
                                   .share_exact = 500000 };
    double points[FAKE_NODES], sum[FAKE_NODES] = { 0 };
    const struct gs_ynode *want = gs_ynode_find(v->expected, "order")->child;
    struct gsp_states s = { .count = 0 };
    const char *name[FAKE_NODES];
    bool is_done[FAKE_NODES] = { false };

    for (const struct gs_ynode *n = vector_in(v, "nodes")->child; n;
         n = n->next) {
        const struct gs_ynode *shared = gs_ynode_find(n,
                                                      "shared_gpu_that_fits");
        const uint32_t i = node_add(&s, number(n, "idle_gpus", 0),
                                    number(n, "total_gpus", 0));

        name[i] = n->key->text;
        if (shared && strcmp(shared->text, "true") == 0)
            s.part[i] = DEVICE / 2;
        is_done[i] = s.free[GSP_GPU][i] == 0;
    }
    for (size_t k = 0; k < N_ELEMENTS(use); k++) {
        fake_scores(&use[k], &s, &task, points);
        for (uint32_t i = 0; i < s.count; i++)
            sum[i] += points[i];
    }
    for (; want; want = want->next) {
        uint32_t best = s.count;

        for (uint32_t i = 0; i < s.count; i++) {
            if (!is_done[i] && (best == s.count || sum[i] > sum[best]))
                best = i;
        }
        if (best < s.count && strcmp(name[best], want->text) != 0)
            vector_fails(v, "first:", name[best]);
        if (best < s.count)
            is_done[best] = true;
    }
}

/* --- devices -------------------------------------------------------------- */

/* Beside a device that is half used: which one takes a small share? */
static void device_run(const struct vector *v)
{
    const double memory = number(v->in, "gpu_memory", 0);
    const double used = number(v->in, "used_memory", 0) / memory;
    const uint16_t left[2] = { DEVICE / 2, (uint16_t)(DEVICE * (1 - used)) };
    const double want = number(v->expected, "spread", -1) - 0.5;
    static const struct fake_use use = { "gpu-sharing", { "mode=spread" } };
    const struct gsp_task task = { .share = 1, .share_exact = 1000 };
    union gsp_value value[GSCHED_PARAMS_MAX];
    const struct gsp_module *m = NULL;
    struct gs_err err = { 0 };
    struct fake f;
    uint32_t at;

    if (gs_ynode_find(v->expected, "error")) {
        vector_not_run(v, "a device of less than 100 MB: read as one without "
                          "memory, see import/test_vectors_kai");
        return;
    }
    fake_start(&f);
    CU_ASSERT_EQUAL_FATAL(fake_values(&use, f.arena, value, &m, &err), 0);
    at = m->device(fake_module(&f, m, value), NULL, &task, left, 2);
    if (sign(want) != 0 && at != (want > 0))
        vector_fails(v, "device", at ? "the one in question" : "the other");
    fake_end(&f);
}

/* --- jobs ----------------------------------------------------------------- */

static struct gsp_job job_read(const struct vector *v, const char *side)
{
    const struct gs_ynode *n = vector_in(v, side);

    return (struct gsp_job){ .placed = (uint32_t)number(n, "allocated", 0),
                             .gang = (uint32_t)number(n, "min", 0) };
}

static void elastic_run(const struct vector *v)
{
    const struct gsp_job l = job_read(v, "left"), r = job_read(v, "right");
    const struct gsp_module *m = gsched_module_find("elastic");
    const char *want = gs_ynode_find(v->expected, "first")->text;
    union gsp_value none[GSCHED_PARAMS_MAX] = { { .whole = 0 } };
    struct fake f;
    int order;

    fake_start(&f);
    order = m->job_order(fake_module(&f, m, none), &l, &r);
    if (strcmp(want, order < 0 ? "left" : order > 0 ? "right" : "equal") != 0)
        vector_fails(v, "first:", order < 0 ? "left" : "not left");
    fake_end(&f);
}

static struct gsp_part part_read(const struct vector *v, const char *side)
{
    const struct gs_ynode *n = vector_in(v, side);

    return (struct gsp_part){ .placed = (uint32_t)number(n, "allocated", 0),
                              .least = (uint32_t)number(n, "min", 0) };
}

static void sub_group_run(const struct vector *v)
{
    const struct gsp_part l = part_read(v, "left"), r = part_read(v, "right");
    const struct gsp_module *m = gsched_module_find("elastic");
    const char *want = gs_ynode_find(v->expected, "first")->text;
    const int order = m->group_order(NULL, &l, &r);

    if (strcmp(want, order < 0 ? "left" : order > 0 ? "right" : "equal") != 0)
        vector_fails(v, "first:", order < 0 ? "left" : "not left");
}

/* --- domains -------------------------------------------------------------- */

/* Domains of one node each at level 1; the n-th has n + 1 free. */
static uint32_t domains_in;

static uint32_t one_tier(void *ctx)
{
    (void)ctx;
    return 3;
}

static uint32_t domains_at(void *ctx, uint32_t level)
{
    (void)ctx;
    return level ? domains_in : 1;
}

static uint32_t domain_at(void *ctx, uint32_t node, uint32_t level)
{
    (void)ctx;
    return level ? node : 0;
}

static int64_t domain_room(void *ctx, uint32_t node, uint32_t level,
                           uint32_t dim)
{
    (void)ctx;
    return dim != GSP_GPU ? 0
           : level        ? (int64_t)(node + 1) * DEVICE
                          : (int64_t)domains_in * domains_in * DEVICE;
}

static uint32_t prefers_tier(const struct gsp_job *j)
{
    (void)j;
    return 1;
}

static void domains_run(const struct vector *v)
{
    const struct gsp_job job = { .id = 1, .minimum = { [GSP_GPU] = DEVICE } };
    const struct gsp_module *m = gsched_module_find("full-domains");
    const struct gs_ynode *want = gs_ynode_find(v->expected, "scores")->child;
    union gsp_value none[GSCHED_PARAMS_MAX] = { { .whole = 0 } };
    uint32_t node[64];
    int64_t score[64] = { 0 };
    struct gsp_host host;
    struct fake f;
    void *self;

    domains_in = (uint32_t)number(v->in, "domains_in_plugin_order", 0);
    CU_ASSERT_FATAL(domains_in > 0 && domains_in <= N_ELEMENTS(node));
    for (uint32_t i = 0; i < domains_in; i++)
        node[i] = i;
    fake_start(&f);
    host = fake_host;
    host.levels = one_tier;
    host.domains = domains_at;
    host.domain_of = domain_at;
    host.domain_free = domain_room;
    host.job_prefers_tier = prefers_tier;
    CU_ASSERT_EQUAL_FATAL(m->open(&host, &f, none, &self), 0);
    m->prefer(self, &job, 0, &(struct gsp_nodes){ domains_in, node }, score);
    for (uint32_t i = 0; i < domains_in; i++, want = want->next) {
        CU_ASSERT_FATAL(want != NULL);
        if (score[i] != strtol(want->text, NULL, 10) * GSP_POINT)
            vector_fails(v, "not the points of a domain:", want->text);
    }
    fake_end(&f);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "kai-nodepack-", pack_run },     { "kai-nodespread-", spread_run },
        { "kai-score-sum-", sum_run },     { "kai-gpupack-", device_run },
        { "kai-elastic-", elastic_run },   { "kai-subgroup-", sub_group_run },
        { "kai-toposcore-", domains_run },
    };
    static const struct vector_listed listed[] = {
        { "kai-gpupack-6",
          "a device of less than 100 MB: a matter of the reader of nodes" },
    };

    return vectors_main(&(struct vector_suite){
        .name = "vectors of KAI Scheduler: nodes, devices, jobs",
        .file = "tests/data/vectors/kai.yaml",
        .group = groups,
        .groups = N_ELEMENTS(groups),
        .listed = listed,
        .listed_count = N_ELEMENTS(listed),
    });
}
