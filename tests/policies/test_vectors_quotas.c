/* tests/policies/test_vectors_quotas.c - what Kueue's tests say of the amounts
 * that queues of a tree may use, and of their dominant shares
 * (tests/data/vectors/kueue.yaml), as policies/admission/quotas.h computes
 * them.
 */
#include <math.h>
#include <stdlib.h>

#include "policies/admission/quotas.h"
#include "policies/modules/account_usage.h"
#include "tests/lib/vectors.h"

#define OWN "tests/data/vectors/kueue.yaml"
#define NODES 16
#define CELLS 8
#define UNIT 1000 /* amounts of the vectors are numbers such as 2.5 */

/* A tree of the vector: nodes with amounts of each cell, a flavor of a
 * resource.
 */
static struct {
    const char *name[NODES], *cell[CELLS];
    uint32_t parent[NODES], nodes, cells;
    int64_t nominal[NODES][CELLS], borrow[NODES][CELLS], lend[NODES][CELLS];
    int64_t usage[NODES][CELLS];
    double weight[NODES];
    bool by_flavor; /* cells are flavors of one resource */
} t;

static const struct gs_ynode *at(const struct gs_ynode *map, const char *key)
{
    return map && map->kind == GS_YMAP ? gs_ynode_find(map, key) : NULL;
}

static int64_t amount(const struct gs_ynode *map, const char *key, int64_t none)
{
    static const double most = 0x1p60; /* such as 1E: as good as no end */
    const struct gs_ynode *n = at(map, key);

    return n ? (int64_t)llround(fmin(strtod(n->text, NULL) * UNIT, most))
             : none;
}

static uint32_t node_find(const char *name)
{
    for (uint32_t i = 0; i < t.nodes; i++) {
        if (strcmp(t.name[i], name) == 0)
            return i;
    }
    return QUOTA_NONE;
}

static uint32_t cell_of(const char *name)
{
    for (uint32_t c = 0; c < t.cells; c++) {
        if (strcmp(t.cell[c], name) == 0)
            return c;
    }
    CU_ASSERT_FATAL(t.cells < CELLS);
    t.cell[t.cells] = name;
    return t.cells++;
}

static uint32_t node_add(const char *name, const char *parent)
{
    CU_ASSERT_FATAL(t.nodes < NODES);
    t.name[t.nodes] = name;
    t.parent[t.nodes] = node_find(parent);
    t.weight[t.nodes] = 1;
    for (uint32_t c = 0; c < CELLS; c++)
        t.borrow[t.nodes][c] = t.lend[t.nodes][c] = -1;
    return t.nodes++;
}

/* Add the amounts of `map` to those of a node, by cell. */
static void amounts_add(const struct gs_ynode *map, int64_t *to)
{
    for (const struct gs_ynode *n = map ? map->child : NULL; n; n = n->next)
        to[cell_of(n->key->text)] += amount(map, n->key->text, 0);
}

static struct quotas *tree_make(void)
{
    struct quotas *q = quotas_create(t.nodes, t.parent);

    for (uint32_t i = 0; i < t.nodes; i++) {
        for (uint32_t c = 0; c < t.cells; c++)
            quotas_cell(q, i, t.by_flavor ? c : 0, t.by_flavor ? 0 : c);
    }
    quotas_cells_done(q);
    for (uint32_t i = 0; i < t.nodes; i++) {
        quotas_node(q, i)->weight = t.weight[i];
        for (uint32_t c = 0; c < t.cells; c++)
            quotas_amount_set(q, i,
                              quotas_cell_find(q, i, t.by_flavor ? c : 0,
                                               t.by_flavor ? 0 : c),
                              t.nominal[i][c], t.borrow[i][c], t.lend[i][c]);
    }
    quotas_settle(q);
    for (uint32_t i = 0; i < t.nodes; i++) {
        for (uint32_t c = 0; c < t.cells; c++)
            quotas_use(q, i,
                       quotas_cell_find(q, i, t.by_flavor ? c : 0,
                                        t.by_flavor ? 0 : c),
                       t.usage[i][c]);
    }
    return q;
}

/* A tree of one resource as the vector lists it. */
static struct quotas *tree_read(const struct vector *v)
{
    (void)cell_of("cpu");
    for (const struct gs_ynode *n = vector_in(v, "tree")->child; n;
         n = n->next) {
        const struct gs_ynode *parent = at(n, "parent");
        const uint32_t i = node_add(at(n, "name")->text,
                                    parent ? parent->text : "");

        t.nominal[i][0] = amount(n, "nominal", 0);
        t.borrow[i][0] = amount(n, "borrowing_limit", -1);
        t.lend[i][0] = amount(n, "lending_limit", -1);
        t.usage[i][0] = amount(n, "usage", 0);
        t.weight[i] = (double)amount(n, "weight", UNIT) / UNIT;
    }
    return tree_make();
}

/* Compare what is expected of each node with what it is. */
static void nodes_check(const struct vector *v, const char *key,
                        const struct quotas *q,
                        double (*got)(const struct quotas *q, uint32_t node))
{
    const struct gs_ynode *want = at(v->expected, key);

    CU_ASSERT_FATAL(want && want->child);
    for (const struct gs_ynode *n = want->child; n; n = n->next) {
        const double is = got(q, node_find(n->key->text));

        if (fabs(is - strtod(n->text, NULL)) > 1e-9) {
            printf("  %s of %s: %g\n", key, n->key->text, is);
            vector_fails(v, "another amount:", key);
        }
    }
}

static double available(const struct quotas *q, uint32_t node)
{
    return (double)quotas_left(q, node, 0) / UNIT;
}

static double potential(const struct quotas *q, uint32_t node)
{
    return (double)quotas_amount(q, node, 0)->potential / UNIT;
}

static double share(const struct quotas *q, uint32_t node)
{
    const struct quota_share s = quotas_share(q, node);

    return quota_share_value(&s);
}

static void quota_run(const struct vector *v)
{
    struct quotas *q;

    memset(&t, 0, sizeof(t));
    q = tree_read(v);
    nodes_check(v, "available", q, available);
    nodes_check(v, "potential", q, potential);
    quotas_free(q);
}

/* A queue beside one that lends, in a cohort without quota of its own. */
static struct quotas *pair_read(const struct vector *v, uint32_t *queue)
{
    const struct gs_ynode *cq = vector_in(v, "cq");
    const uint32_t root = node_add("cohort", "");
    const uint32_t of = node_add("cq", "cohort");
    const uint32_t lender = node_add("lender", "cohort");

    (void)root;
    t.by_flavor = at(cq, "nominal") != NULL;
    t.weight[of] = (double)amount(v->in, "weight", UNIT) / UNIT;
    if (t.by_flavor) {
        amounts_add(at(cq, "nominal"), t.nominal[of]);
        amounts_add(at(cq, "usage"), t.usage[of]);
    }
    for (const struct gs_ynode *n = t.by_flavor ? NULL : cq->child; n;
         n = n->next) {
        t.nominal[of][cell_of(n->key->text)] = amount(n, "nominal", 0);
        t.usage[of][cell_of(n->key->text)] = amount(n, "usage", 0);
    }
    amounts_add(vector_in(v, "lender"), t.nominal[lender]);
    amounts_add(vector_in(v, "workload"), t.usage[of]);
    *queue = of;
    return tree_make();
}

/* Shares are shown rounded up; an infinite one as the largest number. */
static void share_run(const struct vector *v)
{
    const struct gs_ynode *want = at(v->expected, "weighted_share");
    struct quotas *q;
    uint32_t queue;
    double is;

    memset(&t, 0, sizeof(t));
    if (!want) {
        q = tree_read(v);
        nodes_check(v, "share", q, share);
        quotas_free(q);
        return;
    }
    q = pair_read(v, &queue);
    is = share(q, queue);
    if (strcmp(want->text, "MaxInt64") == 0
            ? !isinf(is)
            : ceil(is) != strtod(want->text, NULL)) {
        printf("  %s: share %g\n", v->id, is);
        vector_fails(v, "another share than", want->text);
    }
    quotas_free(q);
}

/* The weighted amounts of what a LocalQueue used, over its weight. */
static void usage_run(const struct vector *v)
{
    const struct gs_ynode *of[] = { at(v->in, "consumed"),
                                    at(v->in, "entry_penalty") };
    const struct gs_ynode *weights = at(v->in, "resource_weights");
    const struct gs_ynode *want = at(v->expected, "usage");
    const double shares = (double)amount(v->in, "lq_weight", UNIT) / UNIT;
    struct account_usage u = { .average = 0 };
    double weight[CELLS], got;
    int64_t amounts[CELLS] = { 0 };

    if (!want) {
        vector_not_run(v, "it expects no usage");
        return;
    }
    memset(&t, 0, sizeof(t));
    for (int i = 0; i < 2; i++)
        amounts_add(of[i], amounts);
    for (uint32_t c = 0; c < t.cells; c++)
        weight[c] = weights ? (double)amount(weights, t.cell[c], -UNIT) / UNIT
                            : -1;
    for (uint32_t c = 0; c < t.cells; c++)
        u.average += account_sum(&weight[c], &amounts[c], 1);
    got = account_level(&u, shares);
    if (strchr(want->text, 'n') || strchr(want->text, 'M')
            ? !isinf(got)
            : fabs(got - strtod(want->text, NULL)) > 1e-9)
        vector_fails(v, "another usage than", want->text);
}

static const struct vector_group groups[] = {
    { "kueue-quota", quota_run },
    { "kueue-fair-share", share_run },
    { "kueue-admission-fair-sharing", usage_run },
};

int main(void)
{
    static const struct vector_suite suite = {
        "quotas", OWN, groups, sizeof(groups) / sizeof(groups[0]), NULL, 0,
    };

    return vectors_main(&suite);
}
