/* tests/topology/test_labels.c - tiers as labels, and classes by the labels
 * that requests ask for: every node suits a request exactly when it does by its
 * own labels and the names of its domains, counted anew.
 */
#include "base/rng.h"
#include "tests/lib/load_topo.h"
#include "topology/cluster.h"
#include "topology/labels.h"
#include "topology/resize.h"

#define TOPOLOGY                                                              \
    "tiers: [{name: zone}, {name: rack}, {name: node}]\n"                     \
    "node_types:\n"                                                           \
    "  a: {gpus: 8, labels: {gen: 3, disk: ssd}}\n"                           \
    "  b: {gpus: 8, labels: {gen: 12}}\n"                                     \
    "  c: {cpu: 8}\n"                                                         \
    "nodes:\n"                                                                \
    "- {name: 'a[1-4]', type: a, zone: z1, rack: 'r[1-2]'}\n"                 \
    "- {name: b1, type: b, zone: z2, rack: '10'}\n"                           \
    "- {name: b2, type: b, zone: z2, rack: '9', labels: {host: b2}}\n"        \
    "- {name: b3, type: b, zone: z2, rack: '9', labels: {rack: elsewhere}}\n" \
    "- {name: c1, type: c, zone: z1, rack: r2, labels: {disk: hdd}}\n"

#define NODES_ALL "a1 a2 a3 a4 c1 b1 b2 b3"

/* --- worked out by hand --------------------------------------------------- */

/* "a1 a2 ...": the nodes that suit the request. */
static const char *suited(const struct topo *t, const struct topo_request *r)
{
    static char out[256];
    size_t len = 0;

    out[0] = '\0';
    for (uint32_t n = 0; n < t->node_count; n++) {
        if (topo_class_misfit(t, t->node_class[n], r) == TOPO_FITS)
            len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s",
                                    len ? " " : "",
                                    gs_strtab_str(t->names, t->node_name[n]));
    }
    return out;
}

static const struct {
    const char *key;
    enum topo_op op;
    const char *value; /* or NULL */
    int64_t number;
    const char *nodes;
    uint32_t classes; /* of those, nodes alike are of one */
} by_hand[] = {
    { "zone", TOPO_IN, "z1", 0, "a1 a2 a3 a4 c1", 3 },
    { "zone", TOPO_NOT_IN, "z1", 0, "b1 b2 b3", 3 },
    { "zone", TOPO_EXISTS, NULL, 0, NODES_ALL, 3 },
    { "zone", TOPO_ABSENT, NULL, 0, "", 3 },
    /* a name that a pattern made; a1, a2; a3, a4; c; b */
    { "rack", TOPO_IN, "r2", 0, "a3 a4 c1", 4 },
    /* 10 alone is above 9 */
    { "rack", TOPO_GT, NULL, 9, "b1", 6 },
    { "rack", TOPO_LT, NULL, 10, "b2", 6 },
    /* what the node states itself goes before its domain's name */
    { "rack", TOPO_IN, "elsewhere", 0, "b3", 4 },
    { "rack", TOPO_IN, "9", 0, "b2", 4 },
    { "node", TOPO_IN, "a2", 0, "a2", 4 },
    { "node", TOPO_NOT_IN, "a2", 0, "a1 a3 a4 c1 b1 b2 b3", 4 },
    { "gen", TOPO_GT, NULL, 3, "b1 b2 b3", 3 },
    { "disk", TOPO_IN, "hdd", 0, "c1", 3 },
    { "disk", TOPO_EXISTS, NULL, 0, "a1 a2 a3 a4 c1", 3 },
    /* of which there is none */
    { "pod", TOPO_IN, "z1", 0, "", 3 },
    { "pod", TOPO_ABSENT, NULL, 0, NODES_ALL, 3 },
};

static const struct topo *relabelled(const struct load_topo *l,
                                     const struct topo_request *r,
                                     uint32_t count)
{
    return topo_relabel(l->t, topo_label_use(l->t, r, count, l->arena),
                        l->arena);
}

static void test_by_hand(void)
{
    for (size_t i = 0; i < N_ELEMENTS(by_hand); i++) {
        struct topo_condition c = { .op = by_hand[i].op,
                                    .number = by_hand[i].number };
        struct topo_request r = { .selector_count = 1, .selector = &c };
        const struct topo *t;
        uint32_t value;
        struct load_topo l;

        load_topo_text(&l, "t.yaml", TOPOLOGY);
        CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
        c.key = load_topo_id(&l, by_hand[i].key);
        if (by_hand[i].value) {
            value = load_topo_id(&l, by_hand[i].value);
            c.value = &value;
            c.value_count = 1;
        }
        t = relabelled(&l, &r, 1);
        load_topo_same(suited(t, &r), by_hand[i].nodes);
        CU_ASSERT_EQUAL(t->class_count, by_hand[i].classes);
        CU_ASSERT_EQUAL(t->gpu_count, l.t->gpu_count);
        load_topo_fini(&l);
    }
}

static void test_unused(void)
{
    static const struct topo_request nothing = { .gpus = 1 };
    const struct topo *t;
    struct load_topo l;

    load_topo_text(&l, "t.yaml",
                   "tiers: [{name: rack}]\nnode_types: {a: {gpus: 1}}\nnodes:\n"
                   "- {name: n1, type: a, rack: r1, labels: {host: n1}}\n"
                   "- {name: n2, type: a, rack: r2, labels: {host: n2}}\n"
                   "- {name: n3, type: a, rack: r3}\n");
    CU_ASSERT_EQUAL(l.t->class_count, 3);
    t = relabelled(&l, &nothing, 1);
    CU_ASSERT_EQUAL(t->class_count, 1);
    CU_ASSERT_PTR_EQUAL(t->stated, l.t);
    load_topo_fini(&l);
    load_topo_text(&l, "t.yaml",
                   "tiers: [{name: rack}]\nnode_types: {a: {gpus: 1}}\nnodes:\n"
                   "- {name: n1, type: a, rack: r1}\n");
    CU_ASSERT_PTR_EQUAL(relabelled(&l, &nothing, 1), l.t);
    load_topo_fini(&l);
}

/* --- against a plain look at each node ------------------------------------ */

/* The node's own label, else its domain's name; 0. */
static uint32_t plain_label(const struct topo *t, uint32_t node, uint32_t key)
{
    const struct topo_class *k = &t->klass[t->node_class[node]];
    const int level = topo_level_find(t, key);

    for (uint32_t i = 0; i < k->label_count; i++) {
        if (k->label[i].key == key)
            return k->label[i].value;
    }
    if (level < 0)
        return 0;
    return (uint32_t)level > t->tier_count
               ? t->node_name[node]
               : t->domain[topo_domain_of(t, node, (uint32_t)level)].name;
}

static bool plain_holds(const struct topo *t, uint32_t node,
                        const struct topo_condition *c)
{
    const uint32_t value = plain_label(t, node, c->key);
    bool is_in = false;
    int64_t n = 0;
    const bool is_number =
        value && topo_label_number(gs_strtab_str(t->names, value), &n);

    for (uint32_t i = 0; i < c->value_count; i++)
        is_in |= value && c->value[i] == value;
    switch (c->op) {
    case TOPO_IN:
        return is_in;
    case TOPO_NOT_IN:
        return !is_in;
    case TOPO_EXISTS:
        return value;
    case TOPO_ABSENT:
        return !value;
    case TOPO_GT:
        return is_number && n > c->number;
    case TOPO_LT:
        return is_number && n < c->number;
    }
    return false;
}

#define REQUESTS 4
#define CONDITIONS 2

struct drawn {
    struct topo_request request[REQUESTS];
    struct topo_condition condition[REQUESTS][CONDITIONS];
    uint32_t value[REQUESTS][CONDITIONS][2];
};

static void draw(const struct load_topo *l, struct gs_rng *rng, struct drawn *d)
{
    static const char *const keys[] = { "zone", "rack", "node", "gen",
                                        "disk", "host", "none" };
    static const char *const values[] = { "z1", "z2", "r1",  "9",  "a3",
                                          "3",  "12", "ssd", "b2", "" };

    memset(d, 0, sizeof(*d));
    for (uint32_t i = 0; i < REQUESTS; i++) {
        d->request[i].selector = d->condition[i];
        d->request[i].selector_count = (uint32_t)gs_rng_below(rng, 3);
        for (uint32_t k = 0; k < CONDITIONS; k++) {
            struct topo_condition *c = &d->condition[i][k];

            c->op = (enum topo_op)gs_rng_below(rng, 6);
            c->key = load_topo_id(l, keys[gs_rng_below(rng, N_ELEMENTS(keys))]);
            c->number = (int64_t)gs_rng_below(rng, 13);
            c->value = d->value[i][k];
            c->value_count = c->op > TOPO_NOT_IN ? 0 : 2;
            for (uint32_t v = 0; v < 2; v++)
                d->value[i][k][v] = load_topo_id(
                    l, values[gs_rng_below(rng, N_ELEMENTS(values))]);
        }
    }
}

static void plain_check(const struct topo *t, const struct topo_request *r)
{
    for (uint32_t n = 0; n < t->node_count; n++) {
        bool holds = true;

        for (uint32_t i = 0; i < r->selector_count; i++)
            holds = holds && plain_holds(t->stated, n, &r->selector[i]);
        CU_ASSERT_EQUAL(topo_class_misfit(t, t->node_class[n], r) == TOPO_FITS,
                        holds);
    }
}

/* The walk leaves out no class that suits. */
static void walk_check(const struct topo *t, const struct topo_request *r)
{
    struct topo_class_walk w = topo_classes_walk(t, r);
    bool found[64] = { false };

    CU_ASSERT_FATAL(t->class_count <= N_ELEMENTS(found));
    for (uint32_t k; topo_classes_next(&w, &k);) {
        CU_ASSERT_FATAL(k < t->class_count);
        found[k] = true;
    }
    for (uint32_t k = 0; k < t->class_count; k++)
        CU_ASSERT(found[k] || topo_class_misfit(t, k, r) != TOPO_FITS);
}

/* It finds only those with the label of which there are fewest. */
static void test_walk(void)
{
    struct topo_condition c[2] = { { .op = TOPO_IN, .value_count = 1 },
                                   { .op = TOPO_IN, .value_count = 1 } };
    struct topo_request r = { .selector = c, .selector_count = 2 };
    struct topo_class_walk w;
    struct load_topo l;
    uint32_t value[2], k = 0;
    const struct topo *t;

    load_topo_text(&l, "t.yaml", TOPOLOGY);
    value[0] = load_topo_id(&l, "z1");
    value[1] = load_topo_id(&l, "a2");
    c[0].key = load_topo_id(&l, "zone");
    c[0].value = &value[0];
    c[1].key = load_topo_id(&l, "node");
    c[1].value = &value[1];
    t = relabelled(&l, &r, 1);
    w = topo_classes_walk(t, &r);
    CU_ASSERT(topo_classes_next(&w, &k));
    CU_ASSERT_STRING_EQUAL(suited(t, &r), "a2");
    CU_ASSERT_EQUAL(topo_class_misfit(t, k, &r), TOPO_FITS);
    CU_ASSERT_FALSE(topo_classes_next(&w, &k));
    load_topo_fini(&l);
}

static void test_plain(void)
{
    struct gs_rng rng;
    struct load_topo l;

    load_topo_text(&l, "t.yaml", TOPOLOGY);
    gs_rng_init(&rng, 1, "labels");
    for (uint32_t round = 0; round < 500; round++) {
        const struct topo *t, *more;
        struct drawn d;

        draw(&l, &rng, &d);
        t = relabelled(&l, d.request, REQUESTS);
        CU_ASSERT(t->class_count <= l.t->node_count + 1);
        more = topo_resize(t, load_topo_id(&l, "a"), 6, l.arena, &l.err);
        CU_ASSERT_PTR_NOT_NULL_FATAL(more);
        for (uint32_t i = 0; i < REQUESTS; i++) {
            plain_check(t, &d.request[i]);
            plain_check(more, &d.request[i]);
            walk_check(t, &d.request[i]);
            walk_check(more, &d.request[i]);
        }
    }
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "labels decide as worked out by hand", test_by_hand },
        { "what nothing asks for costs nothing", test_unused },
        { "groups of labels equal a look at each node", test_plain },
        { "a walk finds the classes of the rarest label", test_walk },
    };

    return suite_run("topology/labels", suite, N_ELEMENTS(suite));
}
