/* tests/topology/test_topology.c - the builder: numbering, domains, levels;
 * what is shown of them.
 */
#include "tests/lib/load_topo.h"
#include "topology/show.h"

/* A topology under construction: `tiers` names, outermost first. */
static struct topo *start(struct load_topo *l, const char *const *tiers)
{
    struct topo *t;

    load_topo_init(l);
    t = topo_create(l->arena, l->names, &l->dims);
    for (; *tiers; tiers++) {
        const struct topo_tier tier = { .name = load_topo_id(l, *tiers) };

        CU_ASSERT_EQUAL(topo_add_tier(t, &tier, &l->err), 0);
    }
    return t;
}

/* Add node "spine/rack/node" with `gpus` devices. */
static int add(struct load_topo *l, struct topo *t, const char *place,
               uint32_t gpus)
{
    struct topo_class k = { .type = load_topo_id(l, "t"), .gpus = gpus };
    uint32_t path[TOPO_TIERS_MAX], n = 0;
    const char *slash;

    k.capacity[TOPO_GPU] = (int64_t)gpus * TOPO_SHARE_ONE;
    for (; (slash = strchr(place, '/')); place = slash + 1)
        path[n++] = gs_strtab_put(l->names, place, (size_t)(slash - place));
    CU_ASSERT_EQUAL(n, t->tier_count);
    return topo_add_node(t, load_topo_id(l, place), topo_add_class(t, &k), path,
                         &l->err);
}

/* "name:parent:level:first+count" of all domains. */
static void domains_text(const struct topo *t, char *to)
{
    for (uint32_t d = 0; d < t->domain_count; d++) {
        const struct topo_domain *k = &t->domain[d];

        to += sprintf(to, "%s%s:%u:%u:%u+%u", d ? " " : "",
                      load_topo_str(t, k->name), k->parent, k->level,
                      k->first_node, k->node_count);
    }
}

static void nodes_text(const struct topo *t, char *to)
{
    for (uint32_t n = 0; n < t->node_count; n++)
        to += sprintf(to, "%s%s", n ? " " : "",
                      load_topo_str(t, t->node_name[n]));
}

static const struct {
    const char *tiers[4];
    const char *places[12]; /* in the order they are added */
    const char *nodes, *domains;
} numberings[] = {
    { { NULL }, { "b", "a", "c" }, "b a c", "cluster:0:0:0+3" },
    { { "rack" },
      { "r1/a", "r1/b", "r2/c" },
      "a b c",
      "cluster:0:0:0+3 r1:0:1:0+2 r2:0:1:2+1" },
    /* racks that are added by turns */
    { { "rack" },
      { "r2/a", "r1/b", "r2/c", "r3/d", "r1/e", "r2/f" },
      "a c f b e d",
      "cluster:0:0:0+6 r2:0:1:0+3 r1:0:1:3+2 r3:0:1:5+1" },
    /* two racks of one name on different spines */
    { { "spine", "rack" },
      { "s1/r1/a", "s2/r1/b", "s1/r2/c", "s2/r1/d", "s1/r1/e" },
      "a e c b d",
      "cluster:0:0:0+5 s1:0:1:0+3 r1:1:2:0+2 r2:1:2:2+1 s2:0:1:3+2 "
      "r1:4:2:3+2" },
    { { "zone", "spine", "rack" },
      { "z/s/r/a", "y/s/r/b", "z/t/r/c", "z/s/r/d" },
      "a d c b",
      "cluster:0:0:0+4 z:0:1:0+3 s:1:2:0+2 r:2:3:0+2 t:1:2:2+1 r:4:3:2+1 "
      "y:0:1:3+1 s:6:2:3+1 r:7:3:3+1" },
    /* a rack may be called like a node, a spine or the cluster */
    { { "spine", "rack" },
      { "a/a/a", "a/cluster/b" },
      "a b",
      "cluster:0:0:0+2 a:0:1:0+2 a:1:2:0+1 cluster:1:2:1+1" },
};

static void test_numbering(void)
{
    for (size_t i = 0; i < N_ELEMENTS(numberings); i++) {
        char text[1024] = "";
        struct load_topo l;
        struct topo *t = start(&l, numberings[i].tiers);

        for (const char *const *p = numberings[i].places; *p; p++)
            CU_ASSERT_EQUAL(add(&l, t, *p, 2), 0);
        CU_ASSERT_EQUAL(topo_finish(t, &l.err), 0);
        nodes_text(t, text);
        load_topo_same(text, numberings[i].nodes);
        domains_text(t, text);
        load_topo_same(text, numberings[i].domains);
        CU_ASSERT_EQUAL(t->gpu_count, 2 * t->node_count);
        CU_ASSERT_EQUAL(t->class_count, 1);
        load_topo_fini(&l);
    }
}

/* Many domains and nodes, by turns; every domain is a run of its own. */
static void test_many(void)
{
    static const char *const tiers[] = { "spine", "rack", NULL };
    struct load_topo l;
    struct topo *t = start(&l, tiers);

    for (uint32_t i = 0; i < 6000; i++) {
        char place[64];

        snprintf(place, sizeof(place), "s%u/r%u/n%u", i % 10, i % 300, i);
        CU_ASSERT_EQUAL(add(&l, t, place, i % 3), 0);
    }
    CU_ASSERT_EQUAL(topo_finish(t, &l.err), 0);
    CU_ASSERT_EQUAL(t->node_count, 6000);
    CU_ASSERT_EQUAL(t->gpu_count, 6000);
    CU_ASSERT_EQUAL(t->class_count, 3);
    CU_ASSERT_EQUAL(t->domain_count, 1 + 10 + 300);
    for (uint32_t d = 0; d < t->domain_count; d++) {
        const struct topo_domain *k = &t->domain[d];

        CU_ASSERT_EQUAL(k->node_count, k->level == 0   ? 6000
                                       : k->level == 1 ? 600
                                                       : 20);
        for (uint32_t n = 0; n < k->node_count; n++)
            CU_ASSERT_EQUAL(topo_domain_of(t, k->first_node + n, k->level), d);
    }
    load_topo_fini(&l);
}

static void test_classes(void)
{
    static const char *const none[] = { NULL };
    static const struct topo_label labels[] = { { 1, 2 }, { 3, 4 }, { 3, 5 } };
    static const struct topo_taint taints[] = { { 1, 2, TOPO_NO_SCHEDULE },
                                                { 1, 2, TOPO_NO_EXECUTE } };
    const struct topo_class k[] = {
        { .type = 1 },
        { .type = 2 },
        { .type = 1, .model = 1 },
        { .type = 1, .gpus = 1, .capacity[TOPO_GPU] = 1000 },
        { .type = 1, .numa = 1 },
        { .type = 1, .gpu_memory = 1 },
        { .type = 1, .capacity[TOPO_DIMS_MAX - 1] = 1 },
        { .type = 1, .label = labels, .label_count = 1 },
        { .type = 1, .label = labels, .label_count = 2 },
        { .type = 1, .label = labels + 2, .label_count = 1 },
        { .type = 1, .taint = taints, .taint_count = 1 },
        { .type = 1, .taint = taints + 1, .taint_count = 1 },
    };
    struct load_topo l;
    struct topo *t = start(&l, none);

    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < N_ELEMENTS(k); i++)
            CU_ASSERT_EQUAL(topo_add_class(t, &k[i]), i);
    }
    CU_ASSERT_EQUAL(topo_add_node(t, load_topo_id(&l, "n"), 8, NULL, NULL), 0);
    CU_ASSERT_EQUAL(topo_finish(t, NULL), 0);
    CU_ASSERT_EQUAL(t->class_count, N_ELEMENTS(k));
    CU_ASSERT_PTR_NOT_EQUAL(t->klass[8].label, labels);
    CU_ASSERT_EQUAL(t->klass[8].label[1].value, 4);
    load_topo_fini(&l);
}

/* As many classes as nodes: each is found again, and not by looking at all. */
static void test_many_classes(void)
{
    static const char *const none[] = { NULL };
    struct load_topo l;
    struct topo *t = start(&l, none);
    uint32_t wrong = 0;

    for (uint32_t i = 0; i < 2 * 65536; i++) {
        struct topo_class k = { .type = 1 };

        k.capacity[TOPO_CPU] = i % 65536;
        wrong += topo_add_class(t, &k) != i % 65536;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_EQUAL(topo_add_node(t, load_topo_id(&l, "n"), 0, NULL, NULL), 0);
    CU_ASSERT_EQUAL(topo_finish(t, NULL), 0);
    CU_ASSERT_EQUAL(t->class_count, 65536);
    load_topo_fini(&l);
}

static void test_levels(void)
{
    static const char *const tiers[] = { "spine", "rack", NULL };
    static const char *const places[] = {
        "s1/r1/a",
        "s1/r1/b",
        "s1/r2/c",
        "s2/r1/d",
    };
    static const struct {
        uint32_t a, b, level;
    } between[] = {
        { 0, 0, 3 }, { 0, 1, 2 }, { 1, 0, 2 }, { 0, 2, 1 },
        { 2, 1, 1 }, { 0, 3, 0 }, { 3, 2, 0 }, { 3, 3, 3 },
    };
    static const struct {
        const char *name;
        int level;
    } names[] = {
        { "spine", 1 },    { "rack", 2 }, { "node", 3 },
        { "cluster", -1 }, { "s1", -1 },  { "zone", -1 },
    };
    struct load_topo l;
    struct topo *t = start(&l, tiers);

    for (size_t i = 0; i < N_ELEMENTS(places); i++)
        CU_ASSERT_EQUAL(add(&l, t, places[i], 8), 0);
    CU_ASSERT_EQUAL(topo_finish(t, &l.err), 0);
    for (size_t i = 0; i < N_ELEMENTS(between); i++)
        CU_ASSERT_EQUAL(topo_level_between(t, between[i].a, between[i].b),
                        between[i].level);
    for (size_t i = 0; i < N_ELEMENTS(names); i++)
        CU_ASSERT_EQUAL(topo_level_find(t, load_topo_id(&l, names[i].name)),
                        names[i].level);
    CU_ASSERT_STRING_EQUAL(topo_level_name(t, 0), "cluster");
    CU_ASSERT_STRING_EQUAL(topo_level_name(t, 1), "spine");
    CU_ASSERT_STRING_EQUAL(topo_level_name(t, 2), "rack");
    CU_ASSERT_STRING_EQUAL(topo_level_name(t, 3), "node");
    CU_ASSERT_EQUAL(topo_domain_of(t, 2, 0), 0);
    CU_ASSERT_EQUAL(topo_domain_of(t, 2, 1), 1);
    CU_ASSERT_EQUAL(topo_domain_of(t, 2, 2), 3);
    load_topo_fini(&l);
}

/* Without tiers there are two levels: the cluster and the node. */
static void test_no_tiers(void)
{
    static const char *const none[] = { NULL };
    struct load_topo l;
    struct topo *t = start(&l, none);

    CU_ASSERT_EQUAL(add(&l, t, "a", 0), 0);
    CU_ASSERT_EQUAL(add(&l, t, "b", 0), 0);
    CU_ASSERT_EQUAL(topo_finish(t, &l.err), 0);
    CU_ASSERT_EQUAL(topo_level_between(t, 0, 1), 0);
    CU_ASSERT_EQUAL(topo_level_between(t, 1, 1), 1);
    CU_ASSERT_EQUAL(topo_level_find(t, load_topo_id(&l, "node")), 1);
    CU_ASSERT_STRING_EQUAL(topo_level_name(t, 1), "node");
    CU_ASSERT_EQUAL(t->gpu_count, 0);
    load_topo_fini(&l);
}

static void check_error(const struct load_topo *l, enum gs_code code,
                        const char *want)
{
    char got[512];

    CU_ASSERT_EQUAL(l->err.code, code);
    load_topo_same(gs_err_format(&l->err, 0, got, sizeof(got)), want);
}

static void test_errors(void)
{
    static const char *const none[] = { NULL };
    static const char *const eight[] = { "1", "2", "3", "4", "5",
                                         "6", "7", "8", NULL };
    const struct topo_tier ninth = { 0 };
    struct load_topo l;
    struct topo *t = start(&l, eight);

    CU_ASSERT_EQUAL(topo_add_tier(t, &ninth, &l.err), -1);
    check_error(&l, GS_LIMIT, "at most 8 tiers may stand above the node");
    CU_ASSERT_EQUAL(add(&l, t, "a/b/c/d/e/f/g/h/n", 1), 0);
    CU_ASSERT_EQUAL(topo_finish(t, NULL), 0);
    CU_ASSERT_EQUAL(t->domain[t->node_domain[0]].level, TOPO_TIERS_MAX);
    load_topo_fini(&l);

    t = start(&l, none);
    CU_ASSERT_EQUAL(add(&l, t, "a", 1), 0);
    CU_ASSERT_EQUAL(add(&l, t, "b", 1), 0);
    CU_ASSERT_EQUAL(add(&l, t, "a", 2), -1);
    check_error(&l, GS_INPUT, "two nodes are called 'a'");
    CU_ASSERT_EQUAL(topo_finish(t, NULL), 0);
    CU_ASSERT_EQUAL(t->node_count, 2);
    load_topo_fini(&l);

    t = start(&l, none);
    CU_ASSERT_EQUAL(topo_finish(t, &l.err), -1);
    check_error(&l, GS_INPUT, "the topology has no nodes");
    load_topo_fini(&l);
}

/* One node more than may be. */
static void test_too_many(void)
{
    static const char *const none[] = { NULL };
    const struct topo_class k = { 0 };
    struct load_topo l;
    struct topo *t = start(&l, none);
    uint32_t failed = 0;

    (void)topo_add_class(t, &k);
    for (uint32_t i = 0; i < TOPO_NODES_MAX; i++) {
        char name[16];

        snprintf(name, sizeof(name), "n%u", i);
        failed += topo_add_node(t, load_topo_id(&l, name), 0, NULL, &l.err)
                  != 0;
    }
    CU_ASSERT_EQUAL(failed, 0);
    CU_ASSERT_EQUAL(add(&l, t, "x", 0), -1);
    check_error(&l, GS_LIMIT, "more than 1048576 nodes");
    CU_ASSERT_EQUAL(topo_finish(t, NULL), 0);
    CU_ASSERT_EQUAL(t->node_count, TOPO_NODES_MAX);
    load_topo_fini(&l);
}

#define HEAD \
    "\ntype               nodes  GPUs  model                 cpu    memory\n"

static const struct {
    const char *text, *shown;
} shows[] = {
    /* no tiers; runs of equal nodes */
    { "node_types: {g: {gpus: 8, model: A100, cpu: 1.5, memory: 2TiB}, c: {}}\n"
      "nodes:\n"
      "  - {name: \"n[1-3]\", type: g}\n"
      "  - {name: m, type: c}\n"
      "  - {name: z, type: g}\n",
      "cluster: 5 nodes, 32 GPUs\n"
      "  n1 .. n3: 3 x (g, 8 GPUs)\n"
      "  m: 1 x (c)\n"
      "  z: 1 x (g, 8 GPUs)\n" HEAD
      "g                      4     8  A100                  1.5      2TiB\n"
      "c                      1     0                          -         -\n" },
    /* equal siblings are one line, whatever there are of them */
    { "cluster: big\n"
      "tiers:\n"
      "  - {name: spine, fabric: rdma, bandwidth: 25GB/s, latency: 8us}\n"
      "  - {name: rack}\n"
      "node_types: {g: {gpus: 8}}\n"
      "nodes: [{name: \"n[00000-65535]\", type: g, spine: \"s[01-16]\", "
      "rack: \"r[0001-2048]\"}]\n",
      "big: 65536 nodes, 524288 GPUs\n"
      "  spine s01 .. s16: each 4096 nodes, 32768 GPUs\n"
      "    rack r0001 .. r0128: each 32 nodes, 256 GPUs\n"
      "      n00000 .. n00031: 32 x (g, 8 GPUs)\n"
      "\nwithin a spine: rdma, 25 GB/s, 8us" HEAD
      "g                  65536     8                          -         -\n" },
    /* siblings with the same nodes in other racks are not equal */
    { "tiers: [{name: spine}, {name: rack}]\n"
      "node_types: {g: {gpus: 8}}\n"
      "nodes:\n"
      "  - {name: \"a[1-4]\", type: g, spine: s1, rack: \"r[1-2]\"}\n"
      "  - {name: \"b[1-4]\", type: g, spine: s2, rack: \"r[1-4]\"}\n"
      "  - {name: \"c[1-4]\", type: g, spine: s3, rack: \"r[1-4]\"}\n",
      "cluster: 12 nodes, 96 GPUs\n"
      "  spine s1: 4 nodes, 32 GPUs\n"
      "    rack r1 .. r2: each 2 nodes, 16 GPUs\n"
      "      a1 .. a2: 2 x (g, 8 GPUs)\n"
      "  spine s2 .. s3: each 4 nodes, 32 GPUs\n"
      "    rack r1 .. r4: each 1 nodes, 8 GPUs\n"
      "      b1: 1 x (g, 8 GPUs)\n" HEAD
      "g                     12     8                          -         -\n" },
    /* a name is cut between characters, and columns count characters */
    { "node_types: {\"1234567890123456789\xc3\xa4\xc3\xb6\xc3\xbc+\": {gpus: 1, "
      "model: \"\xc3\xa4\"}}\n"
      "nodes: [{name: n, type: \"1234567890123456789\xc3\xa4\xc3\xb6\xc3\xbc+\"}]\n",
      "cluster: 1 nodes, 1 GPUs\n"
      "  n: 1 x (1234567890123456789\xc3\xa4\xc3\xb6\xc3\xbc+, 1 GPUs)\n\n"
      "type                     nodes  GPUs  model                       cpu"
      "    memory\n"
      "1234567890123456789\xc3\xa4\xc3\xb6\xc3\xbc       1     1  \xc3\xa4"
      "                             -         -\n" },
};

static void test_show(void)
{
    for (size_t i = 0; i < N_ELEMENTS(shows); i++) {
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        struct load_topo l;

        load_topo_text(&l, "t.yaml", shows[i].text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
        topo_show(l.t, out);
        fclose(out);
        load_topo_same(text, shows[i].shown);
        free(text);
        load_topo_fini(&l);
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "nodes are numbered by domain", test_numbering },
        { "every domain is a run of nodes", test_many },
        { "equal nodes are one type", test_classes },
        { "tiers are levels", test_levels },
        { "without tiers there are cluster and node", test_no_tiers },
        { "bad topologies are refused", test_errors },
        { "a node too many is refused", test_too_many },
        { "as many types as nodes are found again", test_many_classes },
        { "a topology is printed as it is", test_show },
    };

    return suite_run("topology/topology", cases, N_ELEMENTS(cases));
}
