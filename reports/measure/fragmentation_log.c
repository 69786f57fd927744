/* reports/measure/fragmentation_log.c - sums over nodes of which few change,
 * see fragmentation_log.h.
 *
 * Results are cached by state group until the groups are renumbered.
 */
#include "reports/measure/fragmentation_log.h"

#include <assert.h>
#include <stdbool.h>

#include "base/array.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "topology/topology.h"

#define UNKNOWN (-1)

struct node_loss {
    int64_t fragment; /* F */
    uint32_t gangs;   /* GPUs that tasks of whole nodes could get */
    bool is_touched;
};

struct report_fragments {
    const struct topo *topo;
    struct topo_mix *mix;
    struct node_loss *node; /* [node] */
    uint32_t *touched;      /* nodes */
    uint32_t touched_count;
    int64_t *known; /* [group] F, or UNKNOWN */
    uint32_t known_count, known_cap;
    uint32_t sweep; /* sweep whose group numbers `known` uses */
    double weight;  /* of the mix */
    report_fragment sum;
    int64_t gang_gpus;
};

/* GPUs of a node that tasks of whole nodes could get; on a node with fewer than
 * REPORT_GANG_GPUS working GPUs these are all of them.  Nodes of one state
 * group may differ: a failed GPU and one in use are both not free.
 */
static uint32_t gangs_of(uint32_t in_order, uint32_t free)
{
    const uint32_t one = in_order < REPORT_GANG_GPUS ? in_order
                                                     : REPORT_GANG_GPUS;

    assert(free <= in_order);
    return one ? free / one * one : 0;
}

static void node_set(struct report_fragments *f, uint32_t node,
                     int64_t fragment, uint32_t gangs)
{
    struct node_loss *n = &f->node[node];

    /* Unsigned arithmetic: a difference may be negative, the sum is not. */
    f->sum += (report_fragment)fragment - (report_fragment)n->fragment;
    f->gang_gpus += (int64_t)gangs - n->gangs;
    n->fragment = fragment;
    n->gangs = gangs;
}

struct report_fragments *report_fragments_create(const struct topo *t,
                                                 struct topo_mix *m)
{
    struct report_fragments *f = gs_array_new(1, sizeof(*f));
    int64_t *empty = gs_array_new(t->class_count, sizeof(*empty));

    assert(t);
    f->topo = t;
    f->mix = m;
    f->weight = (double)topo_mix_weight(m);
    f->node = gs_array_new(t->node_count, sizeof(*f->node));
    f->touched = gs_array_new(t->node_count, sizeof(*f->touched));
    for (uint32_t k = 0; k < t->class_count; k++) {
        struct topo_free all = { .klass = k, .gpus_free = t->klass[k].gpus };

        for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
            all.free[d] = t->klass[k].capacity[d];
        empty[k] = topo_mix_fragment(m, &all);
    }
    for (uint32_t n = 0; n < t->node_count; n++) {
        const uint32_t gpus = t->klass[t->node_class[n]].gpus;

        node_set(f, n, empty[t->node_class[n]], gangs_of(gpus, gpus));
    }
    gs_array_free(empty);
    return f;
}

void report_fragments_destroy(struct report_fragments *f)
{
    if (!f)
        return;
    gs_array_free(f->node);
    gs_array_free(f->touched);
    gs_array_free(f->known);
    gs_array_free(f);
}

void report_fragments_touch(struct report_fragments *f, uint32_t node)
{
    assert(f);
    if (f->node[node].is_touched)
        return;
    f->node[node].is_touched = true;
    f->touched[f->touched_count++] = node;
}

void report_fragments_mix_set(struct report_fragments *f, struct topo_mix *m)
{
    f->mix = m;
    f->weight = (double)topo_mix_weight(m);
    f->known_count = 0;
    for (uint32_t n = 0; n < f->topo->node_count; n++)
        report_fragments_touch(f, n);
}

/* Make room for all groups; clear the cache when groups were renumbered. */
static void known_grow(struct report_fragments *f, const struct topo_groups *g)
{
    if (f->sweep != g->sweep) {
        f->sweep = g->sweep;
        f->known_count = 0;
    }
    if (g->count <= f->known_count)
        return;
    f->known = gs_array_grow(f->known, &f->known_cap, g->count,
                             sizeof(*f->known));
    while (f->known_count < g->count)
        f->known[f->known_count++] = UNKNOWN;
}

static int64_t fragment_of(struct report_fragments *f,
                           const struct topo_cluster *c, uint32_t group)
{
    struct topo_free now;

    if (f->known[group] == UNKNOWN) {
        topo_free_of(c, group, &now);
        f->known[group] = topo_mix_fragment(f->mix, &now);
    }
    return f->known[group];
}

static uint32_t gpus_in_order(const struct report_fragments *f,
                              const struct topo_cluster *c, uint32_t node)
{
    return f->topo->klass[f->topo->node_class[node]].gpus
           - (uint32_t)__builtin_popcountll(topo_cluster_failed(c, node));
}

void report_fragments_update(struct report_fragments *f,
                             const struct topo_cluster *c)
{
    const struct topo_groups *g = topo_cluster_groups(c);

    if (f->touched_count == 0)
        return;
    known_grow(f, g);
    for (uint32_t i = 0; i < f->touched_count; i++) {
        const uint32_t node = f->touched[i];
        const uint32_t group = topo_cluster_group_of(c, node);

        f->node[node].is_touched = false;
        node_set(f, node, fragment_of(f, c, group),
                 gangs_of(gpus_in_order(f, c, node), g->gpus_free[group]));
    }
    f->touched_count = 0;
}

report_fragment report_fragments_sum(const struct report_fragments *f)
{
    assert(f);
    return f->sum;
}

double report_fragments_demand(const struct report_fragments *f,
                               int64_t free_milli)
{
    /* The sum is usually small; then the conversion to double is ten times as
     * fast.
     */
    const double sum = f->sum <= INT64_MAX ? (double)(int64_t)f->sum
                                           : (double)f->sum;

    return f->sum && free_milli ? sum / (f->weight * (double)free_milli) : 0;
}

int64_t report_fragments_gangs(const struct report_fragments *f)
{
    return f->gang_gpus;
}
