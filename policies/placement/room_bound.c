/* policies/placement/room_bound.c - see room_bound.h. */
#include "policies/placement/room_bound.h"

#include <assert.h>

#include "topology/cluster.h"

/* Make the rows up to `gpus`, of no node yet. */
static void rows_make(struct room_bound *b, uint32_t gpus, uint32_t dims)
{
    for (; b->rows <= gpus; b->rows++) {
        for (uint32_t d = 0; d < dims; d++)
            b->most[b->rows][d] = -1;
    }
}

void gsched_room_bound(const struct gsched *s, struct room_bound *b)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t dims = s->topo->dims->count;

    b->rows = 0;
    rows_make(b, 0, dims);
    for (uint32_t i = 0; i < g->live_count; i++) {
        const uint32_t group = g->live[i];
        int64_t *most;

        if (g->kinds[group] & TOPO_CLOSED)
            continue;
        rows_make(b, g->gpus_free[group], dims);
        most = b->most[g->gpus_free[group]];
        for (uint32_t d = 0; d < dims; d++)
            most[d] = g->free[d][group] > most[d] ? g->free[d][group] : most[d];
    }
    for (uint32_t k = b->rows - 1; k-- > 0;) {
        for (uint32_t d = 0; d < dims; d++)
            b->most[k][d] = b->most[k + 1][d] > b->most[k][d]
                                ? b->most[k + 1][d]
                                : b->most[k][d];
    }
}

bool gsched_room_bound_allows(const struct gsched *s,
                              const struct room_bound *b, uint32_t shape)
{
    const struct topo_request *r = &s->work->shape[shape];

    assert(b->rows > 0);
    if (r->gpus >= b->rows)
        return false;
    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        if (r->amount[d] > b->most[r->gpus][d])
            return false;
    }
    return true;
}
