/* policies/shape.c - which nodes suit a kind of task, and the best of them.
 *
 * Modules are asked once for each state a node can be in, not for each node
 * and not at each decision: a placement makes at most two states new.
 */
#include <string.h>

#include "base/array.h"
#include "policies/scheduler_private.h"
#include "topology/cluster.h"

static void scratch_grow(struct gsched *s, uint32_t n)
{
    s->score = gs_array_grow(s->score, &s->batch_cap, n, sizeof(*s->score));
    s->fits = gs_array_grow(s->fits, &s->fits_cap, n, sizeof(*s->fits));
    s->refusal = gs_array_grow(s->refusal, &s->refusal_cap, n,
                               sizeof(*s->refusal));
    s->hardware = gs_array_grow(s->hardware, &s->hardware_cap, n,
                                sizeof(*s->hardware));
}

/* Ask the modules about the states in `v`; answers in s->refusal, s->score. */
static void modules_ask(struct gsched *s, const struct gsp_view *v,
                        const struct topo_request *r)
{
    const struct gsp_task *task = (const struct gsp_task *)(const void *)r;

    memset(s->refusal, GSP_ACCEPTED, v->count * sizeof(*s->refusal));
    memset(s->score, 0, v->count * sizeof(*s->score));
    for (uint32_t i = 0; i < s->module_count; i++) {
        const struct gsp_module *m = s->module[i].module;

        if (m->filter)
            m->filter(s->module[i].self, v, task, s->refusal);
        if (m->score)
            m->score(s->module[i].self, v, task, s->score);
    }
}

/* Look at the states made since the last time. */
static void shape_catch_up(struct gsched *s, struct shape_view *sv,
                           const struct topo_request *r,
                           const struct topo_groups *g)
{
    const uint32_t n = g->count - sv->seen;
    const struct gsp_view v = { .groups = g, .first = sv->seen, .count = n };
    struct gsp_view view = v;

    scratch_grow(s, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t klass = g->klass[sv->seen + i];

        s->hardware[i] = topo_class_misfit(s->topo, klass, r) == TOPO_FITS
                             ? GSP_ACCEPTED
                             : GSP_WRONG_NODE;
        s->fits[i] = s->hardware[i] == GSP_ACCEPTED
                         ? topo_group_fit(s->cluster, sv->seen + i, r)
                         : 0;
    }
    view.fits = s->fits;
    view.hardware = s->hardware;
    modules_ask(s, &view, r);
    for (uint32_t i = 0; i < n; i++) {
        if (s->refusal[i] != GSP_ACCEPTED || s->fits[i] == 0)
            continue;
        sv->candidate = gs_array_grow(sv->candidate, &sv->cap, sv->count + 1,
                                      sizeof(*sv->candidate));
        sv->candidate[sv->count++] =
            (struct candidate){ sv->seen + i, s->fits[i], s->score[i] };
    }
    sv->seen = g->count;
}

/* Tasks that a cluster with nothing on it would hold. */
static uint64_t shape_most(const struct gsched *s, const struct topo_request *r)
{
    uint64_t n = 0;

    for (uint32_t node = 0; node < s->topo->node_count; node++)
        n += topo_class_fit(s->topo, s->topo->node_class[node], r);
    return n;
}

struct shape_view *gsched_shape(struct gsched *s, uint32_t shape)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const struct topo_request *r = &s->work->shape[shape];
    struct shape_view *sv;

    s->shape = gs_array_grow(s->shape, &s->shape_cap, shape + 1,
                             sizeof(*s->shape));
    if (shape >= s->shape_count)
        s->shape_count = shape + 1;
    sv = &s->shape[shape];
    if (!sv->known) {
        sv->known = true;
        sv->most = shape_most(s, r);
        sv->room_at = UINT64_MAX;
    }
    if (sv->sweep != g->sweep) {
        sv->sweep = g->sweep;
        sv->seen = sv->count = 0;
    }
    if (sv->seen < g->count)
        shape_catch_up(s, sv, r, g);
    return sv;
}

/* Among equals the lowest node of all, or the one that a module picks. */
static uint32_t tie_break(struct gsched *s, const struct shape_view *sv,
                          uint32_t from, uint32_t end, int64_t score)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    uint32_t lowest = NONE;
    uint64_t count = 0, k;

    for (uint32_t i = 0; i < sv->count; i++) {
        const struct candidate *c = &sv->candidate[i];
        uint32_t node;

        if (c->score != score || g->nodes[c->group] == 0)
            continue;
        count += g->nodes[c->group];
        node = topo_group_first(s->cluster, c->group, from, end);
        lowest = node < lowest ? node : lowest;
    }
    if (!s->pick || end - from < s->topo->node_count)
        return lowest;
    k = s->pick->module->pick(s->pick->self, count);
    for (uint32_t i = 0; i < sv->count; i++) {
        const struct candidate *c = &sv->candidate[i];

        if (c->score != score)
            continue;
        if (k < g->nodes[c->group])
            return topo_group_select(s->cluster, c->group, (uint32_t)k);
        k -= g->nodes[c->group];
    }
    return lowest;
}

bool gsched_shape_best(struct gsched *s, uint32_t shape, uint32_t from,
                       uint32_t end, struct choice *best)
{
    const struct shape_view *sv = gsched_shape(s, shape);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const bool whole = from == 0 && end == s->topo->node_count;
    const struct candidate *top = NULL;
    uint32_t ties = 0;

    for (uint32_t i = 0; i < sv->count; i++) {
        const struct candidate *c = &sv->candidate[i];

        if (g->nodes[c->group] == 0 || (top && c->score < top->score)
            || (!whole
                && topo_group_first(s->cluster, c->group, from, end)
                       == UINT32_MAX))
            continue;
        ties = top && c->score == top->score ? ties + 1 : 1;
        top = c;
    }
    if (!top)
        return false;
    if (ties == 1 && !s->pick) {
        best->node = topo_group_first(s->cluster, top->group, from, end);
        best->fits = top->fits;
        return true;
    }
    best->node = tie_break(s, sv, from, end, top->score);
    best->fits = topo_group_fit(s->cluster,
                                topo_cluster_group_of(s->cluster, best->node),
                                &s->work->shape[shape]);
    return true;
}

uint64_t gsched_shape_room(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape(s, shape);
    const uint64_t version = topo_cluster_version(s->cluster);
    const struct topo_groups *g = topo_cluster_groups(s->cluster);

    if (sv->room_at == version)
        return sv->room;
    sv->room = 0;
    for (uint32_t i = 0; i < sv->count; i++)
        sv->room += (uint64_t)g->nodes[sv->candidate[i].group]
                    * sv->candidate[i].fits;
    sv->room_at = version;
    return sv->room;
}

bool gsched_shape_suits(struct gsched *s, uint32_t shape, uint32_t group)
{
    const struct shape_view *sv = gsched_shape(s, shape);
    uint32_t low = 0, high = sv->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (sv->candidate[mid].group < group)
            low = mid + 1;
        else
            high = mid;
    }
    return low < sv->count && sv->candidate[low].group == group;
}
