/* tests/topology/test_resize.c - more nodes, fewer nodes, none of a rack. */
#include "tests/lib/load_topo.h"
#include "topology/resize.h"

static const char text[] =
    "cluster: c\n"
    "tiers:\n"
    "  - {name: rack, fabric: rdma, bandwidth: 50GB/s, latency: 5us}\n"
    "node_types:\n"
    "  big: {gpus: 8, cpu: 96}\n"
    "  small: {gpus: 2}\n"
    "nodes:\n"
    "  - {name: \"a[1-4]\", type: big, rack: \"r[1-2]\"}\n"
    "  - {name: \"b[1-2]\", type: small, rack: r2}\n"
    "  - {name: \"d[1-1]\", type: small, rack: r3}\n";

/* "a1@r1 a2@r1 ..." */
static const char *nodes_text(const struct load_topo *l, const struct topo *t)
{
    static char out[512];
    size_t len = 0;

    out[0] = '\0';
    for (uint32_t i = 0; t && i < t->node_count; i++)
        len += (size_t)snprintf(
            out + len, sizeof(out) - len, "%s%s@%s", i ? " " : "",
            gs_strtab_str(l->names, t->node_name[i]),
            gs_strtab_str(l->names, t->domain[t->node_domain[i]].name));
    return out;
}

static void resize_cases(void)
{
    static const struct {
        const char *type;
        uint32_t count;
        const char *nodes; /* NULL: refused */
        uint32_t gpus;
    } cases[] = {
        { "big", 4, "a1@r1 a2@r1 a3@r2 a4@r2 b1@r2 b2@r2 d1@r3", 38 },
        { "big", 2, "a1@r1 a2@r1 b1@r2 b2@r2 d1@r3", 22 },
        { "big", 0, "b1@r2 b2@r2 d1@r3", 6 },
        { "big", 7,
          "a1@r1 a2@r1 big+1@r1 big+3@r1 a3@r2 a4@r2 b1@r2 b2@r2 big+2@r2 "
          "d1@r3",
          62 },
        { "small", 5,
          "a1@r1 a2@r1 a3@r2 a4@r2 b1@r2 b2@r2 small+2@r2 d1@r3 small+1@r3",
          42 },
        { "none", 1, NULL, 0 },
        { "big", TOPO_NODES_MAX, NULL, 0 },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct topo *t;
        struct load_topo l;

        load_topo_text(&l, "t.yaml", text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
        t = topo_resize(l.t, load_topo_id(&l, cases[i].type), cases[i].count,
                        l.arena, &l.err);
        CU_ASSERT_EQUAL(t == NULL, cases[i].nodes == NULL);
        if (t) {
            CU_ASSERT_STRING_EQUAL(nodes_text(&l, t), cases[i].nodes);
            CU_ASSERT_EQUAL(t->gpu_count, cases[i].gpus);
            CU_ASSERT_EQUAL(topo_type_count(t, load_topo_id(&l, cases[i].type)),
                            cases[i].count);
        }
        /* the first stays as it was, and classes keep their numbers */
        CU_ASSERT_EQUAL(l.t->node_count, 7);
        for (uint32_t k = 0; t && k < t->class_count; k++)
            CU_ASSERT_EQUAL(t->klass[k].type, l.t->klass[k].type);
        load_topo_fini(&l);
    }
}

static void without_cases(void)
{
    static const struct {
        const char *name, *nodes; /* NULL: refused */
    } cases[] = {
        { "r2", "a1@r1 a2@r1 d1@r3" },
        { "r1", "a3@r2 a4@r2 b1@r2 b2@r2 d1@r3" },
        { "a3", "a1@r1 a2@r1 a4@r2 b1@r2 b2@r2 d1@r3" },
        { "r4", NULL },
        { "", NULL },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        const struct topo *t;
        struct load_topo l;

        load_topo_text(&l, "t.yaml", text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
        t = topo_without(l.t, load_topo_id(&l, cases[i].name), l.arena, &l.err);
        CU_ASSERT_EQUAL(t == NULL, cases[i].nodes == NULL);
        if (t)
            CU_ASSERT_STRING_EQUAL(nodes_text(&l, t), cases[i].nodes);
        load_topo_fini(&l);
    }
}

static void nothing_left(void)
{
    const struct topo *t;
    struct load_topo l;

    load_topo_text(
        &l, "t.yaml",
        "node_types: {g: {gpus: 8}}\nnodes: [{name: n1, type: g}]\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(l.t);
    t = topo_without(l.t, load_topo_id(&l, "n1"), l.arena, &l.err);
    CU_ASSERT_PTR_NULL(t);
    CU_ASSERT_EQUAL(l.err.count, 1);
    load_topo_fini(&l);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "nodes of a type come and go", resize_cases },
        { "a node or a rack is left out", without_cases },
        { "a topology of nothing is refused", nothing_left },
    };

    return suite_run("topology/resize", cases, N_ELEMENTS(cases));
}
