/* tests/policies/test_vectors.c - scores that the live schedulers' tests expect
 * (tests/data/vectors/volcano-kube.yaml), from the modules alone.  What they
 * decide is looked at in tests/sim, and so is that no vector is left out.
 */
#include <math.h>
#include <stdlib.h>

#include "tests/lib/fake_nodes.h"
#include "tests/lib/vectors.h"
#include "tests/lib/vectors_listed.h"

#define TEXT 256 /* of a setting */

static void check(const struct vector *v, double got, double expected)
{
    if (fabs(got - expected) > 1e-4) {
        printf("%s: %g instead of %g\n", v->id, got, expected);
        CU_FAIL("a vector");
    }
}

static void check_scores(const struct vector *v, const double *points)
{
    uint32_t i = 0;

    for (const struct gs_ynode *n = gs_ynode_find(v->expected, "scores")->child;
         n; n = n->next)
        check(v, points[i++], fake_number(n));
}

/* --- kube-scheduler ------------------------------------------------------- */

/* The nodes' points for the pod. */
static void kube_run(const struct vector *v, const struct fake_use *u)
{
    const struct gs_ynode *used = vector_in(v, "existing")->child;
    struct gsp_states view = { 0 };
    struct gsp_task task = { { 0 } };
    double points[FAKE_NODES];

    fake_amounts_add(vector_in(v, "pod"), task.amount);
    for (const struct gs_ynode *n = vector_in(v, "nodes")->child; n;
         n = n->next) {
        fake_node_add(&view, n, used);
        used = used->next;
    }
    fake_scores(u, &view, &task, points);
    check_scores(v, points);
}

static void allocated_run(const struct vector *v, const char *module)
{
    struct fake_use u = { module, { NULL } };
    char resources[TEXT];

    fake_resources(vector_in(v, "weights"), resources, sizeof(resources));
    u.set[0] = resources;
    if (!gs_ynode_find(vector_in(v, "pod"), "cpu")) /* not even that it is 0 */
        u.set[1] = "defaults=yes";
    kube_run(v, &u);
}

static void least_run(const struct vector *v)
{
    allocated_run(v, "least-allocated");
}

static void most_run(const struct vector *v)
{
    allocated_run(v, "most-allocated");
}

/* "shape=\"0=0,100=10\"" of a list of pairs. */
static void shape_text(const struct gs_ynode *shape, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "shape=\"");

    for (const struct gs_ynode *p = shape->child; p; p = p->next)
        n += (size_t)snprintf(out + n, size - n, "%s%s=%s",
                              p == shape->child ? "" : ",", p->child->text,
                              p->child->next->text);
    CU_ASSERT_FATAL(n + 2 < size);
    (void)strcat(out, "\"");
}

/* The function by itself: of a node of 100, so much is used; `expected` is
 * what a shape says, of 10.
 */
static void shape_run(const struct vector *v, const char *shape)
{
    const struct fake_use u = { "requested-to-capacity-ratio",
                                { "resources={cpu: 1}", shape } };
    const struct gs_ynode *e = gs_ynode_find(v->expected, "score")->child;

    for (const struct gs_ynode *n = vector_in(v, "utilisation")->child; n;
         n = n->next, e = e->next) {
        struct gsp_states view = { .count = 1 };
        const struct gsp_task task = { { 0 } };
        double points[FAKE_NODES];

        view.capacity[GSP_CPU][0] = 100;
        view.free[GSP_CPU][0] = 100 - (int64_t)fake_number(n);
        fake_scores(&u, &view, &task, points);
        check(v, floor(points[0] / 10), fake_number(e));
    }
}

static void ratio_run(const struct vector *v)
{
    struct fake_use u = { "requested-to-capacity-ratio", { NULL } };
    char resources[TEXT], shape[TEXT];

    shape_text(vector_in(v, "shape"), shape, sizeof(shape));
    if (gs_ynode_find(v->in, "utilisation")) {
        shape_run(v, shape);
        return;
    }
    fake_resources(vector_in(v, "weights"), resources, sizeof(resources));
    u.set[0] = resources;
    u.set[1] = shape;
    kube_run(v, &u);
}

static void balanced_run(const struct vector *v)
{
    struct fake_use u = { "balanced", { NULL } };
    char resources[TEXT];

    fake_resources(vector_in(v, "resources"), resources, sizeof(resources));
    u.set[0] = resources;
    kube_run(v, &u);
}

/* A node of cpu 100 whose scores without and with the task are as said:
 * memory stays free, so that the score is 100 - cpu / 2.
 */
static void relative_run(const struct vector *v)
{
    const struct fake_use u = {
        "balanced", { "resources={cpu: 1, memory: 1}", "scale=relative" }
    };
    const double without = fake_number(vector_in(v, "score_without_pod"));
    const double with = fake_number(vector_in(v, "score_with_pod"));
    struct gsp_states view = { .count = 1 };
    struct gsp_task task = { { 0 } };
    double points[FAKE_NODES];

    view.capacity[GSP_CPU][0] = view.capacity[GSP_MEMORY][0] = 100;
    view.free[GSP_CPU][0] = 100 - (int64_t)(2 * (100 - without));
    view.free[GSP_MEMORY][0] = 100;
    task.amount[GSP_CPU] = (int64_t)(2 * (without - with));
    task.amount[GSP_RDMA] = 1; /* it asks for something */
    fake_scores(&u, &view, &task, points);
    check(v, points[0], fake_number(gs_ynode_find(v->expected, "score")));
}

/* A placement, which is several nodes for a group, scored as one node. */
/* GPUs, as "A+B capacity, group asks C". */
static void gpus_add(const char *text, int64_t *has, int64_t *asks)
{
    const uint32_t d = fake_dim_of("gpu");
    const char *asked = strstr(text, "asks ");
    char *end;

    CU_ASSERT_PTR_NOT_NULL_FATAL(asked);
    for (const char *at = text; at; at = *end == '+' ? end + 1 : NULL)
        has[d] += 1000 * strtol(at, &end, 10);
    asks[d] += 1000 * strtol(asked + 5, NULL, 10);
}

static void placement_run(const struct vector *v)
{
    const struct gs_ynode *gpus = gs_ynode_find(v->in, "gpu");
    static const char *const strategies[][2] = {
        { "MostAllocated", "most-allocated" },
        { "most", "most-allocated" },
        { "least", "least-allocated" },
        { "rtcr", "requested-to-capacity-ratio" },
    };
    struct fake_use u = { NULL, { NULL } };
    char resources[TEXT], shape[TEXT];
    struct gsp_states view = { .count = 1 };
    struct gsp_task task = { { 0 } };
    int64_t has[FAKE_DIMS] = { 0 };
    double points[FAKE_NODES];

    for (size_t i = 0; i < N_ELEMENTS(strategies); i++) {
        if (strcmp(vector_in(v, "strategy")->text, strategies[i][0]) == 0)
            u.name = strategies[i][1];
    }
    fake_resources(vector_in(v, "weights"), resources, sizeof(resources));
    u.set[0] = resources;
    if (strcmp(vector_in(v, "strategy")->text, "rtcr") == 0) {
        shape_text(vector_in(v, "shape"), shape, sizeof(shape));
        u.set[1] = shape;
    }
    for (const struct gs_ynode *n = vector_in(v, "placement_nodes")->child; n;
         n = n->next)
        fake_amounts_add(n, has);
    for (const struct gs_ynode *n = vector_in(v, "group_pods")->child; n;
         n = n->next)
        fake_amounts_add(n, task.amount);
    if (gpus)
        gpus_add(gpus->text, has, task.amount);
    for (uint32_t d = 0; d < FAKE_DIMS; d++)
        view.free[d][0] = view.capacity[d][0] = has[d];
    fake_scores(&u, &view, &task, points);
    check(v, points[0], fake_number(gs_ynode_find(v->expected, "score")));
}

/* --- Volcano -------------------------------------------------------------- */

static void binpack_run(const struct vector *v)
{
    struct fake_use u = { "binpack", { NULL } };
    char resources[TEXT], weight[TEXT];
    struct gsp_states view = { 0 };
    struct gsp_task task = { { 0 } };
    double points[FAKE_NODES];

    fake_resources(vector_in(v, "resource_weights"), resources,
                   sizeof(resources));
    (void)snprintf(weight, sizeof(weight), "weight=%s",
                   vector_in(v, "binpack_weight")->text);
    u.set[0] = resources;
    u.set[1] = weight;
    fake_amounts_add(vector_in(v, "request"), task.amount);
    for (const struct gs_ynode *n = vector_in(v, "nodes")->child; n;
         n = n->next)
        fake_node_add(&view, gs_ynode_find(n, "allocatable"),
                      gs_ynode_find(n, "used"));
    fake_scores(&u, &view, &task, points);
    check_scores(v, points);
}

/* The weights of resources that have a strategy: "least={cpu: 1}". */
static void strategy_text(const struct vector *v, const char *type,
                          const char *key, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "%s={", key);
    const char *between = "";

    for (const struct gs_ynode *r = vector_in(v, "resources")->child; r;
         r = r->next) {
        if (strcmp(gs_ynode_find(r, "type")->text, type) != 0)
            continue;
        n += (size_t)snprintf(
            out + n, size - n, "%s%s: %s", between,
            fake_dim_names[fake_dim_of(gs_ynode_find(r, "name")->text)],
            gs_ynode_find(r, "weight")->text);
        between = ", ";
    }
    CU_ASSERT_FATAL(n + 2 < size);
    (void)strcat(out, "}");
}

static void strategy_run(const struct vector *v)
{
    struct fake_use u = { "resource-strategy-fit", { NULL } };
    char weight[TEXT], most[TEXT], least[TEXT];
    int64_t taken[FAKE_DIMS] = { 0 };
    struct gsp_states view = { .count = 1 };
    struct gsp_task task = { { 0 } };
    double points[FAKE_NODES];

    (void)snprintf(weight, sizeof(weight), "weight=%s",
                   vector_in(v, "plugin_weight")->text);
    strategy_text(v, "Most", "most", most, sizeof(most));
    strategy_text(v, "Least", "least", least, sizeof(least));
    u.set[0] = weight;
    u.set[1] = most;
    u.set[2] = least;
    fake_amounts_add(vector_in(v, "request"), task.amount);
    fake_amounts_add(vector_in(v, "used"), taken);
    for (const struct gs_ynode *r = vector_in(v, "resources")->child; r;
         r = r->next) {
        const uint32_t d = fake_dim_of(gs_ynode_find(r, "name")->text);
        const double has = fake_number(gs_ynode_find(r, "allocatable"));

        view.capacity[d][0] = (int64_t)has * (d == GSP_MEMORY ? 1 : 1000);
        view.free[d][0] = view.capacity[d][0] - taken[d];
    }
    fake_scores(&u, &view, &task, points);
    check(v, points[0], fake_number(gs_ynode_find(v->expected, "score")));
}

/* --- all of them ---------------------------------------------------------- */

int main(void)
{
    static const struct vector_group groups[] = {
        { "least", least_run },
        { "most", most_run },
        { "rtcr", ratio_run },
        { "rtcrext", ratio_run },
        { "balanced-old", balanced_run },
        { "balanced-new", relative_run },
        { "placement-binpack", placement_run },
        { "vc-binpack-args", NULL }, /* tests/import */
        { "binpack", binpack_run },
        { "vc-sra-", NULL }, /* test_vectors_nodes.c */
        { "resource-strategy-fit", strategy_run },
    };

    return vectors_main(&(struct vector_suite){ "policies/vectors", VECTORS,
                                                groups, N_ELEMENTS(groups),
                                                listed, N_ELEMENTS(listed) });
}
