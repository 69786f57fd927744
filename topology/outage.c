/* topology/outage.c - nodes that are cordoned, GPUs that failed.
 *
 * All closed nodes of a class are in one state group, in which nothing is free;
 * the free amounts of each node are kept separately.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "topology/cluster_private.h"

static int64_t *kept_of(struct topo_cluster *c, uint32_t node)
{
    assert(c->kept && node < c->topo->node_count);
    return c->kept + (size_t)node * TOPO_DIMS_MAX;
}

bool topo_cluster_is_cordoned(const struct topo_cluster *c, uint32_t node)
{
    assert(node < c->topo->node_count);
    return c->groups.kinds[c->node_group[node]] & TOPO_CLOSED;
}

/* --- nodes ---------------------------------------------------------------- */

/* Add the free amounts of the node to those of its class (sign 1), or subtract
 * them (-1).
 */
static void class_count(struct topo_cluster *c, uint32_t klass,
                        const int64_t *free, int sign)
{
    int64_t *sum = c->class_free + (size_t)klass * TOPO_DIMS_MAX;

    assert(sign == 1 || sign == -1);
    assert(sign > 0 || c->class_open[klass] > 0);
    for (uint32_t d = 0; d < c->topo->dims->count; d++)
        sum[d] += sign * free[d];
    c->class_open[klass] += (uint32_t)sign;
}

void topo_cluster_cordon(struct topo_cluster *c, uint32_t node)
{
    const uint32_t klass = c->topo->node_class[node];
    const struct topo_state closed = { .klass = klass, .kinds = TOPO_CLOSED };
    struct topo_state s;

    assert(c->depth == 0 && node < c->topo->node_count);
    if (topo_cluster_is_cordoned(c, node))
        return;
    if (!c->kept)
        c->kept = gs_array_new((size_t)c->topo->node_count * TOPO_DIMS_MAX,
                               sizeof(*c->kept));
    topo_groups_state(&c->groups, c->node_group[node], &s);
    memcpy(kept_of(c, node), s.free, c->topo->dims->count * sizeof(s.free[0]));
    class_count(c, klass, s.free, -1);
    c->totals.closed_nodes += c->topo->klass[klass].gpus > 0;
    c->totals.out_milli += s.free[TOPO_GPU];
    topo_node_move(c, node, &closed);
}

void topo_cluster_uncordon(struct topo_cluster *c, uint32_t node)
{
    const uint32_t klass = c->topo->node_class[node];
    struct topo_state s = { .klass = klass };

    assert(c->depth == 0 && node < c->topo->node_count);
    if (!topo_cluster_is_cordoned(c, node))
        return;
    memcpy(s.free, kept_of(c, node), c->topo->dims->count * sizeof(s.free[0]));
    s.gpus_free = (uint32_t)__builtin_popcountll(c->gpus_free[node]);
    topo_devices_state(c, node, &s);
    if (c->kinds)
        s.kinds = topo_node_kinds(c, node);
    class_count(c, klass, s.free, 1);
    assert(c->totals.closed_nodes >= (c->topo->klass[klass].gpus > 0));
    assert(c->totals.out_milli >= s.free[TOPO_GPU]);
    c->totals.closed_nodes -= c->topo->klass[klass].gpus > 0;
    c->totals.out_milli -= s.free[TOPO_GPU];
    topo_node_move(c, node, &s);
}

void topo_closed_change(struct topo_cluster *c, const struct topo_grant *g,
                        const struct topo_request *r, int64_t sign)
{
    int64_t *kept = kept_of(c, g->node);

    assert(topo_cluster_is_cordoned(c, g->node));
    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        kept[d] += sign * r->amount[d];
        assert(kept[d] >= 0);
        assert(kept[d]
               <= c->topo->klass[c->topo->node_class[g->node]].capacity[d]);
    }
    topo_models_set(c, g->node, kept, NULL);
    c->totals.out_milli += sign * r->amount[TOPO_GPU];
    c->version++;
}

/* --- GPUs ----------------------------------------------------------------- */

uint64_t topo_cluster_failed(const struct topo_cluster *c, uint32_t node)
{
    assert(node < c->topo->node_count);
    return c->broken ? c->broken[node] : 0;
}

/* Remove the device from the free ones (sign -1), or add it again (1). */
static void device_move(struct topo_cluster *c, uint32_t node, uint32_t device,
                        int sign)
{
    const struct topo_request one = { .gpus = 1 };
    const struct topo_grant g = { .node = node,
                                  .tasks = 1,
                                  .devices = UINT64_C(1) << device };
    const int64_t milli = sign * (int64_t)TOPO_SHARE_ONE;
    struct topo_state s;

    assert(device < c->topo->klass[c->topo->node_class[node]].gpus);
    assert(sign == 1 || sign == -1);
    topo_devices_move(c, &g, &one, sign < 0);
    topo_totals_order(c, node, -1);
    c->broken[node] ^= g.devices;
    topo_totals_order(c, node, 1);
    if (topo_cluster_is_cordoned(c, node)) { /* the node is closed in any
                                                case */
        kept_of(c, node)[TOPO_GPU] += milli;
        topo_models_set(c, node, kept_of(c, node), NULL);
        c->version++;
        return;
    }
    topo_groups_state(&c->groups, c->node_group[node], &s);
    s.free[TOPO_GPU] += milli;
    s.gpus_free += (uint32_t)sign;
    c->class_free[(size_t)s.klass * TOPO_DIMS_MAX + TOPO_GPU] += milli;
    topo_models_set(c, node, s.free,
                    c->class_free + (size_t)s.klass * TOPO_DIMS_MAX);
    c->totals.out_milli -= milli;
    topo_node_move(c, node, &s);
}

void topo_cluster_fail(struct topo_cluster *c, uint32_t node, uint32_t device)
{
    assert(c->depth == 0 && node < c->topo->node_count);
    assert((topo_cluster_failed(c, node) >> device & 1)
           || topo_device_is_free(c, node, device)); /* no part of it is held */
    if (!c->broken)
        c->broken = gs_array_new(c->topo->node_count, sizeof(*c->broken));
    if (!(c->broken[node] >> device & 1))
        device_move(c, node, device, -1);
}

void topo_cluster_repair(struct topo_cluster *c, uint32_t node, uint32_t device)
{
    assert(c->depth == 0 && node < c->topo->node_count);
    if (topo_cluster_failed(c, node) >> device & 1)
        device_move(c, node, device, 1);
}

/* --- another cluster ------------------------------------------------------ */

void topo_cluster_imitate(struct topo_cluster *c,
                          const struct topo_cluster *like, uint32_t node)
{
    const uint64_t broken = topo_cluster_failed(like, node);
    uint64_t differ = broken ^ topo_cluster_failed(c, node);

    assert(c->topo == like->topo && c != like);
    if (topo_cluster_is_cordoned(like, node))
        topo_cluster_cordon(c, node);
    else
        topo_cluster_uncordon(c, node);
    for (; differ; differ &= differ - 1) {
        const uint32_t device = (uint32_t)__builtin_ctzll(differ);

        if (broken >> device & 1)
            topo_cluster_fail(c, node, device);
        else
            topo_cluster_repair(c, node, device);
    }
}

struct topo_cluster *topo_cluster_create_like(const struct topo_cluster *like)
{
    struct topo_cluster *c = topo_cluster_create(like->topo);

    for (uint32_t n = 0;
         (like->kept || like->broken) && n < like->topo->node_count; n++)
        topo_cluster_imitate(c, like, n);
    return c;
}
