/* tests/reports/test_vectors_blocks.c - how broken blocks of nodes are, as
 * Slurm reckons it (tests/data/vectors/slurm.yaml): nodes in blocks of each
 * size that are not wholly free, summed over the sizes and the nodes.
 */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "import/slurm/hostlist.h"
#include "tests/lib/rig.h"
#include "tests/lib/vectors.h"

#define OWN "tests/data/vectors/slurm.yaml"
#define NODES_MAX 4096u

struct blocks {
    char name[NODES_MAX][SLURM_HOST_MAX + 1];
    uint32_t nodes;
    uint32_t size[TOPO_TIERS_MAX + 1]; /* the innermost first */
    uint32_t sizes;
    bool has_cluster; /* the last size is that of the cluster */
};

static int name_add(void *ctx, const char *name, size_t len)
{
    struct blocks *b = ctx;

    CU_ASSERT_FATAL(b->nodes < NODES_MAX && len <= SLURM_HOST_MAX);
    memcpy(b->name[b->nodes], name, len);
    b->name[b->nodes++][len] = '\0';
    return 0;
}

/* Its own topology, or that of the vector it names. */
static const struct gs_ynode *topology_of(const struct vector *v,
                                          struct gs_arena *arena)
{
    const struct gs_ynode *t = vector_in(v, "topology");
    const struct gs_ynode *all, *id;

    if (t->kind != GS_YSCALAR || strncmp(t->text, "as ", 3) != 0)
        return t;
    all = vectors_read(OWN, "vectors", arena);
    for (const struct gs_ynode *n = all ? all->child : NULL; n; n = n->next) {
        id = gs_ynode_find(n, "id");
        if (id && strcmp(id->text, t->text + 3) == 0)
            return gs_ynode_find(gs_ynode_find(n, "inputs"), "topology");
    }
    return NULL;
}

/* "b1..b8, 4 nodes each (node[01-32])" and a list of sizes.  False: told. */
static bool blocks_read(const struct vector *v, const struct gs_ynode *t,
                        struct blocks *b)
{
    const struct gs_ynode *name = gs_ynode_find(t, "BlockName");
    const struct gs_ynode *sizes = gs_ynode_find(t, "BlockSizes");
    const char *open = name ? strchr(name->text, '(') : NULL;
    const char *close = open ? strrchr(open, ')') : NULL, *why = NULL;

    b->nodes = b->sizes = 0;
    b->has_cluster = false;
    if (!close || !sizes
        || slurm_hostlist_read(open + 1, (size_t)(close - open) - 1, name_add,
                               b, &why)
               < 0) {
        vector_not_run(v, "blocks told in other words");
        return false;
    }
    for (const struct gs_ynode *n = sizes->child; n && !b->has_cluster;
         n = n->next) {
        const uint32_t size = (uint32_t)strtoul(n->text, NULL, 10);

        if (size > b->nodes)
            continue; /* no block of that size is whole */
        if (b->nodes % size) {
            vector_not_run(v, "nodes beyond the blocks of a size");
            return false;
        }
        CU_ASSERT_FATAL(b->sizes <= TOPO_TIERS_MAX);
        b->has_cluster = size == b->nodes;
        b->size[b->sizes++] = size;
    }
    return true;
}

static struct topo *topology_make(struct rig *r, const struct blocks *b)
{
    const uint32_t tiers = b->sizes - b->has_cluster;
    struct topo_class k = { .type = rig_name(r, "node") };
    struct topo *t = topo_create(r->arena, r->names, &r->dims);
    uint32_t klass;
    char text[32];

    t->node_tier.name = rig_name(r, "node");
    for (uint32_t l = tiers; l-- > 0;) {
        struct topo_tier tier = { 0 };

        (void)snprintf(text, sizeof(text), "of%u", b->size[l]);
        tier.name = rig_name(r, text);
        topo_add_tier(t, &tier, NULL);
    }
    k.capacity[TOPO_CPU] = 1000;
    klass = topo_add_class(t, &k);
    for (uint32_t n = 0; n < b->nodes; n++) {
        uint32_t path[TOPO_TIERS_MAX];

        for (uint32_t l = 0; l < tiers; l++) {
            const uint32_t size = b->size[tiers - 1 - l];

            (void)snprintf(text, sizeof(text), "of%u-%u", size, n / size);
            path[l] = rig_name(r, text);
        }
        topo_add_node(t, rig_name(r, b->name[n]), klass, path, NULL);
    }
    topo_finish(t, NULL);
    return t;
}

/* The nodes for which the metrics count, summed. */
static double broken_sum(struct rig *r, const struct blocks *b)
{
    const char *cluster = "frag.tier_share.cluster";
    double sum = 0;
    uint32_t count;
    const struct report_metric *row = report_metrics_rows(r->metrics, r->log,
                                                          64, r->arena, &count);

    for (uint32_t i = 0; i < count; i++) {
        if (strncmp(row[i].name, "frag.tier_share.", 16) == 0
            && (b->has_cluster || strcmp(row[i].name, cluster) != 0))
            sum += row[i].value * b->nodes;
    }
    return sum;
}

static void node_drain(struct rig *r, uint32_t node)
{
    const struct report_observer *o = report_metrics_observer(r->metrics);

    o->node(o->self, 0,
            &(struct report_node){ .node = node,
                                   .device = UINT32_MAX,
                                   .state = REPORT_NODE_DRAINED });
}

static void blocks_run(const struct vector *v)
{
    const struct gs_ynode *off = vector_in(v, "unavailable_nodes_0based");
    const struct gs_ynode *want = gs_ynode_find(v->expected, "fragmentation");
    const bool all = off->kind == GS_YSCALAR && strcmp(off->text, "all") == 0;
    struct gs_arena *arena = gs_arena_create(1 << 16);
    const struct gs_ynode *t = topology_of(v, arena);
    static struct blocks b;
    struct rig r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(want);
    if (!t)
        vector_fails(v, "no topology", vector_in(v, "topology")->text);
    else if (blocks_read(v, t, &b)) {
        rig_init(&r);
        r.topo = topology_make(&r, &b);
        rig_job(&r, "q", 0, 40, 1, 0);
        rig_begin(&r, false);
        for (uint32_t n = 0; all && n < b.nodes; n++)
            node_drain(&r, n);
        for (const struct gs_ynode *n = off->child; n; n = n->next)
            node_drain(&r, (uint32_t)strtoul(n->text, NULL, 10));
        rig_instant(&r, 0);
        rig_finished(&r, 40);
        if (fabs(broken_sum(&r, &b) - strtod(want->text, NULL)) > 1e-6)
            vector_fails(v, "another number than", want->text);
        rig_fini(&r);
    }
    gs_arena_destroy(arena);
}

int main(void)
{
    static const struct vector_group groups[] = {
        { "slurm-fragmentation", blocks_run },
    };

    return vectors_main(
        &(struct vector_suite){ "reports/vectors of broken blocks", OWN, groups,
                                N_ELEMENTS(groups), NULL, 0 });
}
