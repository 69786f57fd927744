/* topology/transaction.c - changes that can be undone: within a transaction
 * each change of a node is logged.
 */
#include <assert.h>

#include "base/array.h"
#include "base/hash.h"
#include "topology/cluster_private.h"

void topo_change_log(struct topo_cluster *c, const struct topo_grant *g,
                     const struct topo_request *r, bool taken)
{
    if (c->depth == 0)
        return;
    c->log = gs_array_grow(c->log, &c->log_cap, c->log_count + 1,
                           sizeof(*c->log));
    c->log[c->log_count++] = (struct topo_change){ *g, r, taken };
}

uint32_t topo_cluster_begin(struct topo_cluster *c)
{
    assert(c->depth < UINT32_MAX);
    assert(c->depth > 0 || c->log_count == 0);
    c->depth++;
    return c->log_count;
}

void topo_cluster_rollback(struct topo_cluster *c, uint32_t mark)
{
    assert(c->depth > 0 && mark <= c->log_count);
    while (c->log_count > mark) {
        const struct topo_change *last = &c->log[--c->log_count];

        topo_node_change(c, &last->grant, last->request, !last->taken);
    }
    c->depth--;
}

#ifndef NDEBUG
/* 0 when each change since the mark has its opposite. */
static uint64_t log_sum(const struct topo_cluster *c, uint32_t mark)
{
    uint64_t sum = 0;

    for (uint32_t i = mark; i < c->log_count; i++) {
        const struct topo_grant *g = &c->log[i].grant;
        const uint64_t h = gs_hash_mix(
            gs_hash_mix(g->devices + g->slice,
                        (uint64_t)g->node << 32 | g->tasks),
            topo_request_hash(c->log[i].request));

        sum += c->log[i].taken ? h : -h;
    }
    return sum;
}
#endif

void topo_cluster_forget(struct topo_cluster *c, uint32_t mark)
{
    assert(c->depth > 0 && mark <= c->log_count && log_sum(c, mark) == 0);
    c->log_count = mark;
    c->depth--;
}

void topo_cluster_commit(struct topo_cluster *c, uint32_t mark)
{
    assert(c->depth > 0 && mark <= c->log_count);
    if (--c->depth == 0)
        c->log_count = mark;
}
