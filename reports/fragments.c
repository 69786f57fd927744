/* reports/fragments.c - sums over nodes of which few change, see fragments.h.
 *
 * What became of a state is kept by the number of its group, until the cluster
 * numbers groups anew.
 */
#include "reports/fragments.h"

#include <stdbool.h>

#include "base/array.h"
#include "topology/cluster.h"
#include "topology/mix.h"
#include "topology/topology.h"

#define UNKNOWN (-1)

struct report_fragments {
    const struct topo *topo;
    struct topo_mix *mix;
    int64_t *fragment; /* [node] F */
    uint16_t *gangs;   /* [node] GPUs that whole nodes' tasks could have */
    bool *is_touched;  /* [node] */
    uint32_t *touched; /* nodes */
    uint32_t touched_count;
    int64_t *known; /* [group] F, or UNKNOWN */
    uint32_t known_count, known_cap;
    uint32_t sweep; /* whose numbers groups have there */
    report_fragment sum;
    int64_t gang_gpus;
};

static uint32_t gangs_of(const struct topo *t, uint32_t klass, uint32_t free)
{
    const uint32_t all = t->klass[klass].gpus;
    const uint32_t one = all < REPORT_GANG_GPUS ? all : REPORT_GANG_GPUS;

    return one ? free / one * one : 0;
}

static void node_set(struct report_fragments *f, uint32_t node,
                     int64_t fragment, uint32_t gangs)
{
    /* Unsigned: a difference may be below zero, the sum never is. */
    f->sum += (report_fragment)fragment - (report_fragment)f->fragment[node];
    f->gang_gpus += (int64_t)gangs - f->gangs[node];
    f->fragment[node] = fragment;
    f->gangs[node] = (uint16_t)gangs;
}

struct report_fragments *report_fragments_create(const struct topo *t,
                                                 struct topo_mix *m)
{
    struct report_fragments *f = gs_array_new(1, sizeof(*f));
    int64_t *empty = gs_array_new(t->class_count, sizeof(*empty));

    f->topo = t;
    f->mix = m;
    f->fragment = gs_array_new(t->node_count, sizeof(*f->fragment));
    f->gangs = gs_array_new(t->node_count, sizeof(*f->gangs));
    f->is_touched = gs_array_new(t->node_count, sizeof(*f->is_touched));
    f->touched = gs_array_new(t->node_count, sizeof(*f->touched));
    for (uint32_t k = 0; k < t->class_count; k++) {
        struct topo_free all = { .klass = k, .gpus_free = t->klass[k].gpus };

        for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
            all.free[d] = t->klass[k].capacity[d];
        empty[k] = topo_mix_fragment(m, &all);
    }
    for (uint32_t n = 0; n < t->node_count; n++) {
        const uint32_t k = t->node_class[n];

        node_set(f, n, empty[k], gangs_of(t, k, t->klass[k].gpus));
    }
    gs_array_free(empty);
    return f;
}

void report_fragments_destroy(struct report_fragments *f)
{
    if (!f)
        return;
    gs_array_free(f->fragment);
    gs_array_free(f->gangs);
    gs_array_free(f->is_touched);
    gs_array_free(f->touched);
    gs_array_free(f->known);
    gs_array_free(f);
}

void report_fragments_touch(struct report_fragments *f, uint32_t node)
{
    if (f->is_touched[node])
        return;
    f->is_touched[node] = true;
    f->touched[f->touched_count++] = node;
}

/* Make room for all groups; forget what was known under other numbers. */
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

void report_fragments_update(struct report_fragments *f,
                             const struct topo_cluster *c)
{
    const struct topo_groups *g = topo_cluster_groups(c);

    if (f->touched_count)
        known_grow(f, g);
    for (uint32_t i = 0; i < f->touched_count; i++) {
        const uint32_t node = f->touched[i];
        const uint32_t group = topo_cluster_group_of(c, node);

        f->is_touched[node] = false;
        node_set(f, node, fragment_of(f, c, group),
                 gangs_of(f->topo, g->klass[group], g->gpus_free[group]));
    }
    f->touched_count = 0;
}

report_fragment report_fragments_sum(const struct report_fragments *f)
{
    return f->sum;
}

double report_fragments_demand(const struct report_fragments *f,
                               int64_t free_milli)
{
    const int64_t weight = topo_mix_weight(f->mix);

    if (weight == 0 || free_milli == 0)
        return 0;
    return (double)f->sum / ((double)weight * (double)free_milli);
}

int64_t report_fragments_gangs(const struct report_fragments *f)
{
    return f->gang_gpus;
}
