/* topology/cluster.c - allocations on nodes: allocate, release.
 *
 * Every change of a node moves it from one state group to another and updates
 * the sums of the domains above it.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "topology/cluster_private.h"
#include "topology/topology.h"

/* --- making --------------------------------------------------------------- */

/* Add `by` to the free amounts of the domains of the node. */
static void domains_free(struct topo_cluster *c, uint32_t node,
                         const int64_t *by)
{
    const struct topo_domain *domain = c->topo->domain;
    uint32_t d = c->topo->node_domain[node];

    assert(node < c->topo->node_count);
    for (;; d = domain[d].parent) {
        int64_t *free = c->domain_free + (size_t)d * TOPO_DIMS_MAX;

        for (uint32_t i = 0; i < c->topo->dims->count; i++)
            free[i] += by[i];
        if (d == 0)
            return;
    }
}

/* Add (by = 1) or remove (-1) a node with `free` of its `all` thousandths in
 * the totals.
 */
static void totals_count(struct topo_totals *t, int64_t all, int64_t free,
                         int by)
{
    assert(by == 1 || by == -1);
    assert(free >= 0); /* above `all` while a GPU is being marked as failed */
    if (all == 0)
        return;
    t->empty_nodes += (uint32_t)(free == all ? by : 0);
    if (free > 0 && free < all) {
        t->partial_nodes += (uint32_t)by;
        t->partial_free_milli += by * free;
    }
}

static void node_set_up(struct topo_cluster *c, uint32_t node)
{
    const uint32_t klass = c->topo->node_class[node];
    const struct topo_class *k = &c->topo->klass[klass];
    const int64_t milli = k->capacity[TOPO_GPU];
    struct topo_state s = { .klass = klass, .gpus_free = k->gpus };

    assert(k->gpus <= TOPO_DEVICES_MAX);
    memcpy(s.free, k->capacity, sizeof(s.free));
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        c->class_free[klass * TOPO_DIMS_MAX + d] += k->capacity[d];
    c->node_group[node] = topo_groups_find(&c->groups, &s);
    topo_groups_add(&c->groups, c->node_group[node], node);
    c->gpus_free[node] = topo_lowest_bits(~UINT64_C(0), k->gpus);
    for (uint32_t i = 0; i < k->gpus; i++)
        c->share[c->first_device[node] + i] = TOPO_SHARE_ONE;
    c->totals.gpu_milli += milli;
    c->totals.gpu_free_milli += milli;
    c->totals.gpu_nodes += k->gpus > 0;
    c->class_open[klass]++;
    totals_count(&c->totals, milli, milli, 1);
    domains_free(c, node, k->capacity);
}

struct topo_cluster *topo_cluster_create(const struct topo *t)
{
    struct topo_cluster *c = gs_array_new(1, sizeof(*c));
    uint32_t devices = 0;
    bool is_cut = false, is_limited = false;

    assert(t && t->node_count > 0 && !t->build); /* the topology is finished */
    c->topo = t;
    topo_groups_init(&c->groups, t);
    c->node_group = gs_array_new(t->node_count, sizeof(*c->node_group));
    c->gpus_free = gs_array_new(t->node_count, sizeof(*c->gpus_free));
    c->first_device = gs_array_new(t->node_count, sizeof(*c->first_device));
    for (uint32_t node = 0; node < t->node_count; node++) {
        const struct topo_class *k = &t->klass[t->node_class[node]];

        is_limited |= k->gpu_tasks != 0;
        is_cut |= k->mig != NULL;
        c->first_device[node] = devices;
        devices += k->gpus;
    }
    c->share = gs_array_new(devices + 1, sizeof(*c->share));
    if (is_limited)
        c->tasks = gs_array_new(devices + 1, sizeof(*c->tasks));
    if (is_cut)
        c->cut = gs_array_new(devices + 1, sizeof(*c->cut));
    c->class_free = gs_array_new((size_t)t->class_count * TOPO_DIMS_MAX,
                                 sizeof(*c->class_free));
    c->domain_free = gs_array_new((size_t)t->domain_count * TOPO_DIMS_MAX,
                                  sizeof(*c->domain_free));
    c->touched = gs_array_new(t->class_count, sizeof(*c->touched));
    c->is_touched = gs_array_new(t->class_count, sizeof(*c->is_touched));
    c->class_open = gs_array_new(t->class_count, sizeof(*c->class_open));
    for (uint32_t node = 0; node < t->node_count; node++)
        node_set_up(c, node);
    return c;
}

void topo_cluster_destroy(struct topo_cluster *c)
{
    if (!c)
        return;
    topo_groups_fini(&c->groups);
    gs_array_free(c->node_group);
    gs_array_free(c->gpus_free);
    gs_array_free(c->share);
    gs_array_free(c->cut);
    gs_array_free(c->tasks);
    gs_array_free(c->first_device);
    gs_array_free(c->class_free);
    gs_array_free(c->kinds);
    gs_array_free(c->domain_free);
    gs_array_free(c->class_open);
    gs_array_free(c->touched);
    gs_array_free(c->is_touched);
    gs_array_free(c->kept);
    gs_array_free(c->broken);
    gs_array_free(c->log);
    gs_array_free(c);
}

/* --- asking --------------------------------------------------------------- */

const struct topo *topo_cluster_topology(const struct topo_cluster *c)
{
    return c->topo;
}

const struct topo_groups *topo_cluster_groups(const struct topo_cluster *c)
{
    return &c->groups.view;
}

const struct topo_totals *topo_cluster_totals(const struct topo_cluster *c)
{
    return &c->totals;
}

uint64_t topo_cluster_version(const struct topo_cluster *c)
{
    return c->version;
}

uint32_t topo_cluster_group_of(const struct topo_cluster *c, uint32_t node)
{
    assert(node < c->topo->node_count);
    return c->node_group[node];
}

uint32_t topo_group_first(const struct topo_cluster *c, uint32_t group,
                          uint32_t from, uint32_t end)
{
    assert(group < c->groups.view.count);
    assert(end <= c->topo->node_count);
    return gs_bitsets_first(&c->groups.members, group, from, end);
}

uint32_t topo_group_select(const struct topo_cluster *c, uint32_t group,
                           uint32_t k)
{
    assert(group < c->groups.view.count && k < c->groups.nodes[group]);
    return gs_bitsets_select(&c->groups.members, group, k);
}

uint32_t topo_group_fit(const struct topo_cluster *c, uint32_t group,
                        const struct topo_request *r)
{
    assert(group < c->groups.view.count && r);
    return topo_groups_fit(&c->groups, group, r);
}

int64_t topo_domain_free(const struct topo_cluster *c, uint32_t domain,
                         uint32_t dim)
{
    assert(domain < c->topo->domain_count && dim < TOPO_DIMS_MAX);
    return c->domain_free[(size_t)domain * TOPO_DIMS_MAX + dim];
}

uint32_t topo_cluster_touched(struct topo_cluster *c, const uint32_t **klass)
{
    const uint32_t count = c->touched_count;

    for (uint32_t i = 0; i < count; i++)
        c->is_touched[c->touched[i]] = 0;
    c->touched_count = 0;
    *klass = c->touched;
    return count;
}

int64_t topo_class_free(const struct topo_cluster *c, uint32_t klass,
                        uint32_t dim)
{
    assert(klass < c->topo->class_count);
    assert(dim < TOPO_DIMS_MAX);
    return c->class_free[klass * TOPO_DIMS_MAX + dim];
}

uint32_t topo_class_open(const struct topo_cluster *c, uint32_t klass)
{
    assert(klass < c->topo->class_count);
    return c->class_open[klass];
}

void topo_free_of(const struct topo_cluster *c, uint32_t group,
                  struct topo_free *out)
{
    const struct topo_groups *g = &c->groups.view;

    assert(group < g->count && out);
    out->klass = g->klass[group];
    out->gpus_free = g->gpus_free[group];
    out->part_count = topo_groups_shares(&c->groups, group);
    out->part = c->groups.part + c->groups.part_at[group];
    out->cut_count = c->groups.part_count[group] - out->part_count;
    out->cut = out->part + out->part_count;
    for (uint32_t d = 0; d < c->topo->dims->count; d++)
        out->free[d] = g->free[d][group];
}

bool topo_group_has_room(const struct topo_cluster *c, uint32_t group,
                         const struct topo_request *r)
{
    const struct topo_groups *g = &c->groups.view;

    assert(group < g->count && r);
    if (r->gpus > g->gpus_free[group] || r->share > g->share_max[group]
        || (g->kinds[group] & TOPO_CLOSED))
        return false;
    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        if (r->amount[d] > g->free[d][group])
            return false;
    }
    return (r->mig == 0
            && (r->model_count == 0
                || c->topo->klass[g->klass[group]].model_count == 0))
           || topo_groups_fit(&c->groups, group, r) > 0;
}

/* --- changing ------------------------------------------------------------- */

/* Thousandths of the working GPUs of the node. */
static int64_t milli_in_order(const struct topo_cluster *c, uint32_t node)
{
    return c->topo->klass[c->topo->node_class[node]].capacity[TOPO_GPU]
           - (int64_t)TOPO_SHARE_ONE
                 * __builtin_popcountll(topo_cluster_failed(c, node));
}

void topo_totals_order(struct topo_cluster *c, uint32_t node, int by)
{
    totals_count(&c->totals, milli_in_order(c, node),
                 c->groups.free[TOPO_GPU][c->node_group[node]], by);
}

/* Update the totals: the free GPU thousandths of the node changed from `before`
 * to `after`.
 */
static void totals_move(struct topo_cluster *c, uint32_t node, int64_t before,
                        int64_t after)
{
    const int64_t all = milli_in_order(c, node);

    assert(after <= all);
    c->totals.gpu_free_milli += after - before;
    totals_count(&c->totals, all, before, -1);
    totals_count(&c->totals, all, after, 1);
    assert(c->totals.gpu_free_milli >= 0);
    assert(c->totals.gpu_free_milli <= c->totals.gpu_milli);
    assert(c->totals.empty_nodes + c->totals.partial_nodes
           <= c->totals.gpu_nodes);
    assert(c->totals.partial_free_milli <= c->totals.gpu_free_milli);
}

static enum topo_kind kind_of(const struct topo_request *r)
{
    static const uint8_t by_gpus[] = { TOPO_KINDS,      TOPO_KIND_1,
                                       TOPO_KIND_2,     TOPO_KIND_OTHER,
                                       TOPO_KIND_4,     TOPO_KIND_OTHER,
                                       TOPO_KIND_OTHER, TOPO_KIND_OTHER,
                                       TOPO_KIND_8 };

    assert(!topo_request_is_part(r) || r->gpus == 0);
    if (topo_request_is_part(r))
        return TOPO_KIND_SHARE;
    return r->gpus < sizeof(by_gpus) ? (enum topo_kind)by_gpus[r->gpus]
                                     : TOPO_KIND_OTHER;
}

void topo_cluster_follow_kinds(struct topo_cluster *c)
{
    assert(c->version == 0 || c->kinds); /* no change was made before */
    if (!c->kinds)
        c->kinds = gs_array_new((size_t)c->topo->node_count * TOPO_KINDS,
                                sizeof(*c->kinds));
}

uint8_t topo_node_kinds(const struct topo_cluster *c, uint32_t node)
{
    const uint32_t *n = c->kinds + (size_t)node * TOPO_KINDS;
    uint8_t set = 0;

    assert(c->kinds && node < c->topo->node_count);
    for (uint32_t i = 0; i < TOPO_KINDS; i++)
        set |= (uint8_t)((n[i] > 0) << i);
    return set;
}

/* Count `tasks` tasks placed on the node (released: below 0). */
static void kinds_count(struct topo_cluster *c, uint32_t node,
                        const struct topo_request *r, int64_t tasks)
{
    const enum topo_kind kind = kind_of(r);
    uint32_t *n = c->kinds + (size_t)node * TOPO_KINDS + kind;

    if (kind < TOPO_KINDS) {
        assert((int64_t)*n + tasks >= 0); /* each task is released once */
        *n = (uint32_t)((int64_t)*n + tasks);
    }
}

/* Move the node from the state of a group to another state. */
static void free_move(struct topo_cluster *c, uint32_t node, uint32_t from,
                      const struct topo_state *after)
{
    int64_t by[TOPO_DIMS_MAX];
    bool any = false;

    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        by[d] = after->free[d] - c->groups.free[d][from];
        any |= by[d] != 0;
    }
    if (any)
        domains_free(c, node, by);
}

void topo_node_move(struct topo_cluster *c, uint32_t node,
                    const struct topo_state *after)
{
    const uint32_t from = c->node_group[node];
    const int64_t free_before = c->groups.free[TOPO_GPU][from];
    const uint32_t to = topo_groups_find(&c->groups, after);

    assert(node < c->topo->node_count);
    assert(after->klass == c->topo->node_class[node]);
    free_move(c, node, from, after);
    topo_groups_remove(&c->groups, from, node);
    topo_groups_add(&c->groups, to, node);
    c->node_group[node] = to;
    if (after->free[TOPO_GPU] != free_before)
        totals_move(c, node, free_before, after->free[TOPO_GPU]);
    if (!c->is_touched[after->klass]) {
        c->is_touched[after->klass] = 1;
        c->touched[c->touched_count++] = after->klass;
    }
    c->version++;
}

void topo_node_change(struct topo_cluster *c, const struct topo_grant *g,
                      const struct topo_request *r, bool take)
{
    const int64_t sign = take ? -(int64_t)g->tasks : (int64_t)g->tasks;
    struct topo_state s;
    int64_t *class_free;

    assert(g->node < c->topo->node_count && g->tasks > 0);
    topo_devices_move(c, g, r, take);
    if (c->kinds)
        kinds_count(c, g->node, r, -sign);
    if (topo_cluster_is_cordoned(c, g->node)) {
        topo_closed_change(c, g, r, sign);
        return;
    }
    topo_groups_state(&c->groups, c->node_group[g->node], &s);
    class_free = c->class_free + (size_t)s.klass * TOPO_DIMS_MAX;
    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        s.free[d] += sign * r->amount[d];
        class_free[d] += sign * r->amount[d];
    }
    topo_models_set(c, g->node, s.free, class_free);
    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        assert(s.free[d] >= 0); /* never more than the capacity */
        assert(s.free[d] <= c->topo->klass[s.klass].capacity[d]);
        assert(class_free[d] >= s.free[d]);
    }
    if (r->gpus) {
        s.gpus_free = (uint32_t)((int64_t)s.gpus_free + sign * r->gpus);
    } else if (topo_request_is_part(r)) {
        s.gpus_free = (uint32_t)__builtin_popcountll(c->gpus_free[g->node]);
        topo_devices_state(c, g->node, &s);
    }
    if (c->kinds)
        s.kinds = topo_node_kinds(c, g->node);
    assert(s.gpus_free
           == (uint32_t)__builtin_popcountll(c->gpus_free[g->node]));
    assert(s.gpus_free <= c->topo->klass[s.klass].gpus);
    topo_node_move(c, g->node, &s);
}

struct topo_grant topo_cluster_allocate(struct topo_cluster *c, uint32_t node,
                                        const struct topo_request *r,
                                        uint32_t tasks, uint32_t device)
{
    struct topo_grant g = { .node = node, .tasks = tasks };

    assert(node < c->topo->node_count && tasks > 0);
    assert(tasks == 1 || !topo_request_is_part(r));
    assert(!topo_cluster_is_cordoned(c, node));
    topo_devices_choose(c, &g, r, device);
    topo_cluster_take(c, r, &g);
    return g;
}

void topo_cluster_take(struct topo_cluster *c, const struct topo_request *r,
                       const struct topo_grant *g)
{
    assert(topo_cluster_could_take(c, r, g));
    topo_node_change(c, g, r, true);
    topo_change_log(c, g, r, true);
}

void topo_cluster_release(struct topo_cluster *c, const struct topo_request *r,
                          const struct topo_grant *g)
{
    assert(g->node < c->topo->node_count && g->tasks > 0);
    topo_node_change(c, g, r, false);
    topo_change_log(c, g, r, false);
}

const uint32_t *topo_cluster_sweep(struct topo_cluster *c)
{
    assert(c->depth == 0);
    if (c->groups.view.count < c->groups.view.live_count * 3 + 1024)
        return NULL;
    topo_groups_compact(&c->groups, c->node_group);
    return c->groups.map;
}
