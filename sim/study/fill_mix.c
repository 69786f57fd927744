/* sim/study/fill_mix.c - the sum of F over the nodes; a placement changes the F
 * of one node. /
 */
#include "sim/study/fill_mix.h"

#include <assert.h>

#include "base/arena.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "topology/topology.h"

struct fill_fragments {
    struct topo_mix *mix;
    int64_t *node; /* [node] F */
    int64_t sum;
};

struct fill_fragments *fill_fragments_create(struct topo_mix *m,
                                             const struct topo_cluster *c,
                                             struct gs_arena *arena)
{
    const uint32_t nodes = topo_cluster_topology(c)->node_count;
    struct fill_fragments *f = gs_arena_alloc(arena, 1, sizeof(*f));

    assert(m && c);
    f->mix = m;
    f->node = gs_arena_alloc(arena, nodes, sizeof(*f->node));
    for (uint32_t n = 0; n < nodes; n++)
        (void)fill_fragment(f, c, n); /* adds the node to f->sum */
    return f;
}

int64_t fill_fragment(struct fill_fragments *f, const struct topo_cluster *c,
                      uint32_t node)
{
    struct topo_free now;

    if (node == UINT32_MAX)
        return f->sum;
    topo_free_of(c, topo_cluster_group_of(c, node), &now);
    f->sum -= f->node[node];
    f->node[node] = topo_mix_fragment(f->mix, &now);
    f->sum += f->node[node];
    return f->sum;
}
