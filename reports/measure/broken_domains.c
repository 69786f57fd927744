/* reports/measure/broken_domains.c - nodes in domains that are not wholly free,
 * see broken_domains.h.
 *
 * A domain is broken while a task is on one of its nodes, or one is not open.
 * With blocks of nodes as tiers, the number of nodes in broken domains, summed
 * over the tiers and the nodes, is Slurm's fragmentation of a block topology
 * (src/plugins/topology/block/topology_block.c, topology_p_get_fragmentation).
 */
#include "reports/measure/broken_domains.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "reports/glossary/metric_names.h"
#include "topology/topology.h"

#define LEVELS (TOPO_TIERS_MAX + 2) /* the cluster, tiers, nodes */

struct busy_node {
    int64_t tasks;
    bool is_out; /* not open */
};

struct report_broken {
    const struct topo *topo;
    const struct report_window *window;
    struct busy_node *node; /* [node] */
    uint32_t *broken;       /* [domain] nodes in it that are not free */
    uint32_t nodes[LEVELS]; /* in domains that are broken */
    report_wide us[LEVELS]; /* nodes x us */
    int64_t since;
};

struct report_broken *report_broken_create(const struct topo *t,
                                           const struct report_window *w)
{
    struct report_broken *b;

    assert(t && w);
    if (t->tier_count == 0)
        return NULL;
    b = gs_array_new(1, sizeof(*b));
    b->topo = t;
    b->window = w;
    b->node = gs_array_new(t->node_count, sizeof(*b->node));
    b->broken = gs_array_new(t->domain_count, sizeof(*b->broken));
    return b;
}

void report_broken_destroy(struct report_broken *b)
{
    if (!b)
        return;
    gs_array_free(b->node);
    gs_array_free(b->broken);
    gs_array_free(b);
}

static void advance(struct report_broken *b, int64_t now)
{
    const uint64_t dt = (uint64_t)report_window_overlap(b->window, b->since,
                                                        now);

    b->since = now;
    for (uint32_t l = 0; dt && l < b->topo->tier_count + 2; l++)
        b->us[l] += (report_wide)b->nodes[l] * dt;
}

/* The node is no longer free, or is again. */
static void node_set(struct report_broken *b, int64_t now, uint32_t node,
                     bool is_free)
{
    const struct topo *t = b->topo;
    const uint32_t add = is_free ? UINT32_MAX : 1; /* modulo 2^32 */

    advance(b, now);
    b->nodes[t->tier_count + 1] += add;
    for (uint32_t d = t->node_domain[node];; d = t->domain[d].parent) {
        const bool was_whole = b->broken[d] == 0;

        b->broken[d] += add;
        if (was_whole)
            b->nodes[t->domain[d].level] += t->domain[d].node_count;
        else if (b->broken[d] == 0)
            b->nodes[t->domain[d].level] -= t->domain[d].node_count;
        if (d == 0)
            break;
    }
}

static bool is_free(const struct busy_node *n)
{
    return n->tasks == 0 && !n->is_out;
}

void report_broken_tasks(struct report_broken *b, int64_t now, uint32_t node,
                         int64_t tasks)
{
    struct busy_node *n = &b->node[node];
    const bool was_free = is_free(n);

    n->tasks += tasks;
    assert(n->tasks >= 0);
    if (was_free != is_free(n))
        node_set(b, now, node, is_free(n));
}

void report_broken_node(struct report_broken *b, int64_t now,
                        const struct report_node *n)
{
    struct busy_node *k = &b->node[n->node];
    const bool was_free = is_free(k);

    if (n->device != UINT32_MAX)
        return;
    k->is_out = n->state != REPORT_NODE_OPEN;
    if (was_free != is_free(k))
        node_set(b, now, n->node, is_free(k));
}

void report_broken_put(struct report_broken *b, struct report_metrics *m,
                       int64_t end)
{
    const double span = (double)(m->measured.to - m->measured.from);

    advance(b, end);
    for (uint32_t l = b->topo->tier_count + 2; span > 0 && l-- > 0;)
        report_metrics_put_cluster(
            m,
            gs_arena_printf(m->arena, METRIC_FRAG_TIER_SHARE "%s",
                            topo_level_name(b->topo, l)),
            (double)b->us[l] / span / b->topo->node_count);
}
