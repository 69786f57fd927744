/* sim/fill_mix.c - fragmentation as the tasks of a list see it.
 *
 *     F_n = sum over kinds of weight x free GPU share of n that such a task
 *           cannot use: all of it where the task does not fit or asks for no
 *           GPU, else what is free on devices too small for it
 *
 * Weng et al., ATC 2023.  A kind is told by CPU, GPUs, share and model, and
 * the commonest 95 % of the tasks count.
 */
#include "sim/fill_mix.h"

#include <string.h>

#include "base/arena.h"
#include "topology/topology.h"
#include "traces/workload.h"

#define COUNTED 95 /* percent of the tasks */

/* --- the mix ---------------------------------------------------------------- */

struct tally {
    uint32_t kind; /* by first appearance */
    int64_t tasks;
};

static bool tally_before(const struct tally *a, const struct tally *b)
{
    return a->tasks != b->tasks ? a->tasks > b->tasks : a->kind < b->kind;
}

/* Of a heap with the first in order on top all but tally[at] is in place. */
static void tally_sink(struct tally *tally, uint32_t count, uint32_t at)
{
    const struct tally moved = tally[at];

    for (;;) {
        uint32_t child = at * 2 + 1;

        if (child + 1 < count && tally_before(&tally[child + 1], &tally[child]))
            child++;
        if (child >= count || !tally_before(&tally[child], &moved))
            break;
        tally[at] = tally[child];
        at = child;
    }
    tally[at] = moved;
}

/* Of a shape, what tells its kind. */
static struct topo_request kind_of(const struct topo_request *shape)
{
    struct topo_request r = *shape;

    memset(r.amount, 0, sizeof(r.amount));
    r.amount[TOPO_CPU] = shape->amount[TOPO_CPU];
    return r;
}

/* How many tasks are of each kind, a heap; the kinds become shapes of `kinds`.
 */
static struct tally *count_kinds(struct trace_workload *kinds,
                                 const struct trace_workload *w,
                                 const uint32_t *task, uint32_t count,
                                 struct gs_arena *arena)
{
    struct tally *tally = gs_arena_alloc(arena, w->shape_count, sizeof(*tally));

    for (uint32_t i = 0; i < count; i++) {
        const struct topo_request r = kind_of(&w->shape[task[i]]);
        const uint32_t kind = trace_workload_shape(kinds, &r);

        tally[kind].kind = kind;
        tally[kind].tasks++;
    }
    for (uint32_t i = kinds->shape_count / 2; i-- > 0;)
        tally_sink(tally, kinds->shape_count, i);
    return tally;
}

static void suits_fill(struct fill_mix *m, struct gs_arena *arena)
{
    m->suits = gs_arena_alloc(arena, (size_t)m->topo->class_count * m->count,
                              1);
    for (uint32_t k = 0; k < m->topo->class_count; k++) {
        for (uint32_t i = 0; i < m->count; i++)
            m->suits[k * m->count + i] =
                topo_class_misfit(m->topo, k, &m->kind[i].request) == TOPO_FITS;
    }
}

const struct fill_mix *fill_mix_create(const struct topo *t,
                                       const struct trace_workload *w,
                                       const uint32_t *task, uint32_t count,
                                       struct gs_arena *arena)
{
    struct trace_workload *kinds = trace_workload_create(arena, w->names,
                                                         w->dims);
    struct tally *tally = count_kinds(kinds, w, task, count, arena);
    uint32_t left = kinds->shape_count;
    struct fill_mix *m = gs_arena_alloc(arena, 1, sizeof(*m));

    m->topo = t;
    m->kind = gs_arena_alloc(arena, kinds->shape_count, sizeof(*m->kind));
    while (m->weight * 100 < (int64_t)count * COUNTED) {
        m->kind[m->count].request = kinds->shape[tally[0].kind];
        m->kind[m->count++].weight = tally[0].tasks;
        m->weight += tally[0].tasks;
        tally[0] = tally[--left];
        tally_sink(tally, left, 0);
    }
    suits_fill(m, arena);
    trace_workload_destroy(kinds);
    return m;
}

/* --- a cluster seen with it ---------------------------------------------------- */

struct fill_fragments {
    const struct fill_mix *mix;
    uint32_t *first_device; /* [node] in share */
    uint16_t *share;        /* [device] thousandths free */
    int64_t *node;          /* [node] F_n */
    int64_t sum;
};

/* Does a task of the kind fit on the node as it is? */
static bool fits(const struct fill_fragments *f, const struct topo_cluster *c,
                 uint32_t node, uint32_t kind)
{
    const struct fill_mix *m = f->mix;

    return m->suits[m->topo->node_class[node] * m->count + kind]
           && topo_group_has_room(c, topo_cluster_group_of(c, node),
                                  &m->kind[kind].request);
}

/* Free on devices with less than `least` free. */
static int64_t leftover(const uint16_t *share, uint32_t gpus, uint32_t least)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < gpus; i++)
        sum += share[i] < least ? share[i] : 0;
    return sum;
}

static int64_t node_fragment(const struct fill_fragments *f,
                             const struct topo_cluster *c, uint32_t node)
{
    const struct fill_mix *m = f->mix;
    const uint32_t gpus = m->topo->klass[m->topo->node_class[node]].gpus;
    const uint16_t *share = f->share + f->first_device[node];
    const int64_t all = leftover(share, gpus, TOPO_SHARE_ONE + 1);
    int64_t sum = 0;

    for (uint32_t i = 0; all && i < m->count; i++) {
        const struct topo_request *r = &m->kind[i].request;
        const uint32_t least = r->gpus ? TOPO_SHARE_ONE : r->share;

        sum += m->kind[i].weight
               * (least && fits(f, c, node, i) ? leftover(share, gpus, least)
                                               : all);
    }
    return sum;
}

struct fill_fragments *fill_fragments_create(const struct fill_mix *m,
                                             const struct topo_cluster *c,
                                             struct gs_arena *arena)
{
    const struct topo *t = m->topo;
    struct fill_fragments *f = gs_arena_alloc(arena, 1, sizeof(*f));
    uint32_t devices = 0;

    f->mix = m;
    f->first_device = gs_arena_alloc(arena, t->node_count,
                                     sizeof(*f->first_device));
    f->share = gs_arena_alloc(arena, t->gpu_count, sizeof(*f->share));
    f->node = gs_arena_alloc(arena, t->node_count, sizeof(*f->node));
    for (uint32_t i = 0; i < t->gpu_count; i++)
        f->share[i] = TOPO_SHARE_ONE;
    for (uint32_t n = 0; n < t->node_count; n++) {
        f->first_device[n] = devices;
        devices += t->klass[t->node_class[n]].gpus;
        f->node[n] = node_fragment(f, c, n);
        f->sum += f->node[n];
    }
    return f;
}

int64_t fill_fragment(struct fill_fragments *f, const struct topo_cluster *c,
                      const struct topo_request *r, const struct topo_grant *g)
{
    uint16_t *share;

    if (!g)
        return f->sum;
    share = f->share + f->first_device[g->node];
    for (uint32_t i = 0; i < TOPO_DEVICES_MAX; i++) {
        if (g->devices >> i & 1)
            share[i] = (uint16_t)(r->gpus ? 0 : share[i] - r->share);
    }
    f->sum -= f->node[g->node];
    f->node[g->node] = node_fragment(f, c, g->node);
    f->sum += f->node[g->node];
    return f->sum;
}
