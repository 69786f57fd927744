/* tests/lib/cluster_check.c - checks sums and groups of a cluster, see
 * cluster_check.h.
 *
 * Reads the private state of the cluster, and calls nothing but what a host
 * may.
 */
#include "tests/lib/cluster_check.h"

#include <string.h>

#include "topology/cluster_private.h"
#include "topology/mig.h"

/* Parts of devices as the node's state tells of them, by part << 8 | room. */
struct parts {
    uint32_t count;
    uint32_t part[TOPO_DEVICES_MAX];
};

static const struct topo_class *class_of(const struct topo_cluster *c,
                                         uint32_t node)
{
    return &c->topo->klass[c->topo->node_class[node]];
}

static void part_add(struct parts *p, uint32_t part)
{
    uint32_t at = p->count++;

    for (; at > 0 && p->part[at - 1] > part; at--)
        p->part[at] = p->part[at - 1];
    p->part[at] = part;
}

static struct parts parts_of(const struct topo_cluster *c, uint32_t node)
{
    const struct topo_class *k = class_of(c, node);
    struct parts p = { 0 };

    for (uint32_t i = 0; i < k->gpus; i++) {
        const uint32_t device = c->first_device[node] + i;
        const uint32_t held = k->gpu_tasks ? c->tasks[device] : 0;
        const uint32_t room = k->gpu_tasks - held;
        const uint8_t taken = k->mig ? c->cut[device].taken : 0;
        const uint32_t share = k->gpu_tasks && room == 0 ? 0 : c->share[device];

        if (taken && topo_mig_choices(k->mig, taken))
            part_add(&p, (uint32_t)(TOPO_PART_CUT + taken) << 8 | room);
        else if (share && share < TOPO_SHARE_ONE)
            part_add(&p, share << 8 | room);
    }
    return p;
}

static bool parts_are_right(const struct topo_cluster *c, uint32_t node)
{
    const struct topo_group_table *t = &c->groups;
    const uint32_t g = c->node_group[node];
    const struct parts p = parts_of(c, node);

    if (t->part_count[g] != p.count)
        return false;
    for (uint32_t i = 0; i < p.count; i++) {
        const uint32_t at = t->part_at[g] + i;

        if (((uint32_t)t->part[at] << 8 | t->room[at]) != p.part[i])
            return false;
    }
    return true;
}

/* Free thousandths of the devices of the node; -1: inconsistent. */
static int64_t devices_free(const struct topo_cluster *c, uint32_t node)
{
    const struct topo_class *k = class_of(c, node);
    int64_t milli = 0;

    for (uint32_t i = 0; i < k->gpus; i++) {
        const uint32_t device = c->first_device[node] + i;
        const struct topo_cut cut = k->mig ? c->cut[device]
                                           : (struct topo_cut){ 0, 0 };

        milli += c->share[device];
        milli += cut.taken ? TOPO_SHARE_ONE - cut.milli : 0;
        if ((cut.taken == 0) != (cut.milli == 0) || cut.milli > TOPO_SHARE_ONE
            || (cut.taken && c->share[device])
            || (k->gpu_tasks && c->tasks[device] > k->gpu_tasks)
            || (c->share[device] == TOPO_SHARE_ONE)
                   != (c->gpus_free[node] >> i & 1))
            return -1;
    }
    return milli;
}

/* Free amount of the node if it were open. */
static int64_t free_of(const struct topo_cluster *c, uint32_t node,
                       uint32_t dim)
{
    return topo_cluster_is_cordoned(c, node)
               ? c->kept[(size_t)node * TOPO_DIMS_MAX + dim]
               : c->groups.free[dim][c->node_group[node]];
}

/* What is free of each model is what the devices of the model have free. */
static bool models_are_right(const struct topo_cluster *c, uint32_t node)
{
    const struct topo_class *k = class_of(c, node);
    uint32_t device = 0;

    for (uint32_t i = 0; i < k->model_count; i++) {
        int64_t whole = 0;

        for (uint32_t n = 0; n < k->models[i].gpus; n++, device++)
            whole += (int64_t)(c->gpus_free[node] >> device & 1);
        if (free_of(c, node, k->models[i].dim) != whole * TOPO_SHARE_ONE)
            return false;
    }
    return true;
}

static bool node_is_right(const struct topo_cluster *c, uint32_t node)
{
    const bool is_closed = topo_cluster_is_cordoned(c, node);
    const uint32_t g = c->node_group[node];
    const uint32_t whole = (uint32_t)__builtin_popcountll(c->gpus_free[node]);

    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        const int64_t free = free_of(c, node, d);

        if (free < 0 || free > class_of(c, node)->capacity[d]
            || (is_closed && c->groups.free[d][g] != 0))
            return false;
    }
    if (is_closed
            ? c->groups.gpus_free[g] || c->groups.part_count[g]
            : c->groups.gpus_free[g] != whole || !parts_are_right(c, node))
        return false;
    return models_are_right(c, node)
           && devices_free(c, node) == free_of(c, node, TOPO_GPU)
           && topo_group_first(c, g, node, node + 1) == node;
}

static bool totals_are_right(const struct topo_cluster *c)
{
    struct topo_totals t = { .gpu_milli = c->totals.gpu_milli,
                             .gpu_nodes = c->totals.gpu_nodes };

    for (uint32_t node = 0; node < c->topo->node_count; node++) {
        const int64_t failed =
            TOPO_SHARE_ONE * __builtin_popcountll(topo_cluster_failed(c, node));
        const int64_t whole = class_of(c, node)->capacity[TOPO_GPU];
        const int64_t free = c->groups.free[TOPO_GPU][c->node_group[node]];

        t.gpu_free_milli += free;
        t.out_milli += failed;
        if (topo_cluster_is_cordoned(c, node)) {
            t.closed_nodes += whole > 0;
            t.out_milli += free_of(c, node, TOPO_GPU);
        }
        t.empty_nodes += whole > failed && free == whole - failed;
        if (free > 0 && free < whole - failed) {
            t.partial_nodes++;
            t.partial_free_milli += free;
        }
    }
    return t.gpu_free_milli == c->totals.gpu_free_milli
           && t.empty_nodes == c->totals.empty_nodes
           && t.partial_nodes == c->totals.partial_nodes
           && t.partial_free_milli == c->totals.partial_free_milli
           && t.closed_nodes == c->totals.closed_nodes
           && t.out_milli == c->totals.out_milli
           && topo_domain_free(c, 0, TOPO_GPU) == t.gpu_free_milli;
}

static bool groups_are_right(const struct topo_cluster *c)
{
    const struct topo_groups *g = &c->groups.view;

    for (uint32_t i = 0; i < g->count; i++) {
        if (g->first[i] != topo_group_first(c, i, 0, c->topo->node_count))
            return false;
    }
    for (uint32_t k = 0; k < c->topo->class_count; k++) {
        for (uint32_t d = 0; d < c->topo->dims->count; d++) {
            int64_t sum = 0;

            for (uint32_t i = 0; i < g->count; i++)
                sum += g->klass[i] == k ? g->nodes[i] * g->free[d][i] : 0;
            if (sum != topo_class_free(c, k, d))
                return false;
        }
    }
    return true;
}

static bool domain_is_right(const struct topo_cluster *c, uint32_t domain)
{
    const struct topo_domain *d = &c->topo->domain[domain];

    for (uint32_t dim = 0; dim < c->topo->dims->count; dim++) {
        int64_t free = 0;

        for (uint32_t i = 0; i < d->node_count; i++)
            free += c->groups.free[dim][c->node_group[d->first_node + i]];
        if (free != topo_domain_free(c, domain, dim))
            return false;
    }
    return true;
}

bool cluster_is_right(const struct topo_cluster *c)
{
    for (uint32_t node = 0; node < c->topo->node_count; node++) {
        if (!node_is_right(c, node))
            return false;
    }
    for (uint32_t d = 0; d < c->topo->domain_count; d++) {
        if (!domain_is_right(c, d))
            return false;
    }
    return groups_are_right(c) && totals_are_right(c);
}
