/* policies/placement/choice_levels.c - nodes by domains, level by level, see
 * node_choice.h.
 *
 * As findTopologyAssignment() of Kueue chooses them:
 * 1. Count the tasks and slices that fit, from the nodes upwards.
 * 2. At the level that the job states: the domain with the fewest slices that
 *    is enough.  If none is, a required level fails; a preferred one is tried
 *    one level higher; at the outermost tier several domains are used, the
 *    largest first, and the last one is the smallest that is enough.  A job
 *    without a level has the nodes with the least room first.
 * 3. Down to the nodes in the same way.  Down to the level of slices all
 *    domains of a level are looked at together, below it those of each domain.
 * Of equals the one with less room for single tasks, then the first by name.
 *
 * A leader is one task of another group, in the domain of the others.  A domain
 * counts the tasks that fit beside the leader where that costs the fewest.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/placement/node_choice.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

/* A domain, or with a number from domain_count on a node. */
struct level_unit {
    uint64_t tasks, slices;   /* that fit */
    uint64_t led, led_slices; /* ... beside the leader */
    uint64_t gap, slice_gap;  /* the least that the leader costs a child */
    uint64_t takes;           /* tasks that it is to take */
    uint32_t parent, rank;    /* rank: by names, level by level */
    uint32_t first, count;    /* children, in child[] */
    bool leads;               /* the leader fits */
    bool takes_leader;
};

/* What is known of the levels, and scratch memory. */
struct choice_levels {
    uint32_t units;
    struct level_unit *unit;
    uint32_t *child;       /* of all domains */
    uint32_t *at;          /* list that is chosen from: a heap */
    uint32_t *now, *after; /* chosen units of a level, and of the next */
    uint32_t count, now_count, after_count;
    bool least;   /* little room goes first */
    bool leading; /* the leader is still to be placed */
};

/* One search. */
struct search {
    struct gsched *s;
    const struct choice_ask *ask;
    struct choice_levels *l;
    uint32_t nodes, slice_level, size;    /* level of nodes; of slices */
    uint32_t size_at[TOPO_TIERS_MAX + 2]; /* of inner layers, by level; 0 */
};

/* --- order ---------------------------------------------------------------- */

static bool unit_before(const struct choice_levels *l, uint32_t a, uint32_t b)
{
    const struct level_unit *x = &l->unit[a], *y = &l->unit[b];
    const uint64_t of_x = l->leading ? x->led_slices : x->slices;
    const uint64_t of_y = l->leading ? y->led_slices : y->slices;
    const uint64_t room_x = l->leading ? x->led : x->tasks;
    const uint64_t room_y = l->leading ? y->led : y->tasks;

    if (l->leading && x->leads != y->leads)
        return x->leads;
    if (of_x != of_y)
        return l->least ? of_x < of_y : of_x > of_y;
    return room_x != room_y ? room_x < room_y : x->rank < y->rank;
}

static bool at_before(const void *of, uint32_t a, uint32_t b)
{
    const struct choice_levels *l = of;

    return unit_before(l, l->at[a], l->at[b]);
}

static void at_swap(void *of, uint32_t a, uint32_t b)
{
    struct choice_levels *l = of;
    const uint32_t it = l->at[a];

    l->at[a] = l->at[b];
    l->at[b] = it;
}

static const struct gs_heap by_room = { at_before, at_swap };

static bool rank_before(const void *of, uint32_t a, uint32_t b)
{
    const struct choice_levels *l = of;

    return l->unit[l->at[a]].rank < l->unit[l->at[b]].rank;
}

static const struct gs_heap by_rank = { rank_before, at_swap };

/* Remove the unit at place `i` of the list. */
static uint32_t list_remove(struct choice_levels *l, const struct gs_heap *h,
                            uint32_t i)
{
    const uint32_t unit = l->at[i];

    assert(i < l->count);
    l->at[i] = l->at[--l->count];
    if (i < l->count)
        (void)gs_heap_settle(h, l, l->count, i);
    return unit;
}

/* --- the tree ---------------------------------------------------------------- */

struct names {
    const struct topo *t;
    struct choice_levels *l;
};

static const char *name_of(const struct topo *t, uint32_t unit)
{
    return gs_strtab_str(t->names, unit < t->domain_count
                                       ? t->domain[unit].name
                                       : t->node_name[unit - t->domain_count]);
}

static bool name_before(const void *of, uint32_t a, uint32_t b)
{
    const struct names *n = of;
    const uint32_t x = n->l->at[a], y = n->l->at[b];
    const struct level_unit *unit = n->l->unit;

    if (unit[x].parent != unit[y].parent)
        return unit[unit[x].parent].rank < unit[unit[y].parent].rank;
    return strcmp(name_of(n->t, x), name_of(n->t, y)) < 0;
}

static void name_swap(void *of, uint32_t a, uint32_t b)
{
    at_swap(((struct names *)of)->l, a, b);
}

/* Rank the units of a level, whose parents are ranked. */
static void level_rank(const struct topo *t, struct choice_levels *l,
                       uint32_t level)
{
    static const struct gs_heap by_name = { name_before, name_swap };
    struct names names = { t, l };

    l->count = 0;
    for (uint32_t u = 0; u < l->units; u++) {
        const uint32_t of = u < t->domain_count ? t->domain[u].level
                                                : t->tier_count + 1;

        if (of == level)
            l->at[l->count++] = u;
    }
    gs_heap_build(&by_name, &names, l->count);
    for (uint32_t rank = 0; l->count > 0; rank++) {
        l->unit[l->at[0]].rank = rank;
        l->at[0] = l->at[--l->count];
        (void)gs_heap_sink(&by_name, &names, l->count, 0);
    }
}

static void children_link(const struct topo *t, struct choice_levels *l)
{
    uint32_t next = 0;

    for (uint32_t u = 1; u < l->units; u++) {
        l->unit[u].parent = u < t->domain_count
                                ? t->domain[u].parent
                                : t->node_domain[u - t->domain_count];
        assert(l->unit[u].parent < u && l->unit[u].parent < t->domain_count);
        l->unit[l->unit[u].parent].count++;
    }
    for (uint32_t u = 0; u < t->domain_count; u++) {
        l->unit[u].first = next;
        next += l->unit[u].count;
        l->unit[u].count = 0;
    }
    for (uint32_t u = 1; u < l->units; u++) {
        struct level_unit *p = &l->unit[l->unit[u].parent];

        l->child[p->first + p->count++] = u;
    }
}

void gsched_levels_open(struct gsched *s)
{
    const struct topo *t = s->topo;
    const uint32_t units = t->domain_count + t->node_count;
    struct choice_levels *l = s->choice->levels = gs_array_new(1, sizeof(*l));

    l->units = units;
    l->unit = gs_array_new(units, sizeof(*l->unit));
    l->child = gs_array_new(units, sizeof(*l->child));
    l->at = gs_array_new(units, sizeof(*l->at));
    l->now = gs_array_new(units, sizeof(*l->now));
    l->after = gs_array_new(units, sizeof(*l->after));
    children_link(t, l);
    for (uint32_t level = 1; level <= t->tier_count + 1; level++)
        level_rank(t, l, level);
}

void gsched_levels_free(struct gsched *s)
{
    struct choice_levels *l = s->choice->levels;

    if (!l)
        return;
    gs_array_free(l->unit);
    gs_array_free(l->child);
    gs_array_free(l->at);
    gs_array_free(l->now);
    gs_array_free(l->after);
    gs_array_free(l);
}

/* --- counts ---------------------------------------------------------------------- */

/* Count a unit, of the level, in its parent. */
static void parent_add(const struct search *f, uint32_t u, uint32_t level)
{
    struct level_unit *x = &f->l->unit[u], *p = &f->l->unit[x->parent];
    const uint32_t size = f->size_at[level];
    const uint64_t tasks = size ? x->tasks / size * size : x->tasks;
    const uint64_t led = size ? x->led / size * size : x->led;

    p->tasks += tasks;
    p->slices += x->slices;
    if (f->ask->leader && !x->leads)
        return;
    p->leads = x->leads;
    if (tasks - led < p->gap)
        p->gap = tasks - led;
    if (x->slices - x->led_slices < p->slice_gap)
        p->slice_gap = x->slices - x->led_slices;
}

static void slices_count(struct level_unit *x, uint32_t size)
{
    x->slices = x->tasks / size;
    x->led_slices = x->led / size;
}

static void node_count(const struct search *f, uint32_t node)
{
    const struct choice_ask *ask = f->ask;
    const uint32_t u = f->s->topo->domain_count + node;
    struct level_unit *x = &f->l->unit[u];

    x->tasks = x->led = ask->fit(ask->of, node);
    x->slices = x->led_slices = 0;
    x->leads = ask->leader && ask->leader->fit(ask->leader->of, node) > 0;
    if (x->leads)
        x->led = ask->fit_beside(ask->of, node);
    if (f->slice_level == f->nodes)
        slices_count(x, f->size);
    if (x->tasks > 0 || x->leads)
        parent_add(f, u, f->nodes);
}

/* What the domain has beside the leader is known when its children are. */
static void domain_finish(const struct search *f, uint32_t d)
{
    struct level_unit *x = &f->l->unit[d];
    const uint32_t level = f->s->topo->domain[d].level;
    const bool any = x->gap != UINT64_MAX;

    x->led = any ? x->tasks - x->gap : 0;
    x->led_slices = any ? x->slices - x->slice_gap : 0;
    if (level == f->slice_level)
        slices_count(x, f->size);
}

static void units_count(const struct search *f)
{
    const uint32_t domains = f->s->topo->domain_count;

    for (uint32_t d = 0; d < domains; d++) {
        struct level_unit *x = &f->l->unit[d];

        x->tasks = x->slices = 0;
        x->gap = x->slice_gap = UINT64_MAX;
        x->leads = false;
    }
    for (uint32_t n = 0; n < f->s->topo->node_count; n++)
        f->l->unit[domains + n].tasks = 0;
    for (EACH_ASKED(n, f->ask))
        node_count(f, n);
    for (uint32_t d = domains; d-- > 0;) {
        domain_finish(f, d);
        if (d > 0 && f->l->unit[d].tasks + f->l->unit[d].leads > 0)
            parent_add(f, d, f->s->topo->domain[d].level);
    }
}

/* --- one level ------------------------------------------------------------------- */

static void list_begin(struct choice_levels *l)
{
    l->count = 0;
}

static void list_add(struct choice_levels *l, uint32_t unit)
{
    const struct level_unit *x = &l->unit[unit];

    if (x->tasks > 0 || (l->leading && x->leads))
        l->at[l->count++] = unit;
}

static void list_add_children(struct choice_levels *l, uint32_t unit)
{
    for (uint32_t i = 0; i < l->unit[unit].count; i++)
        list_add(l, l->child[l->unit[unit].first + i]);
}

/* What a unit has for the tasks that are left: slices, or single tasks. */
static uint64_t has(const struct choice_levels *l, uint32_t unit,
                    bool by_slices)
{
    const struct level_unit *x = &l->unit[unit];

    if (l->leading)
        return by_slices ? x->led_slices : x->led;
    return by_slices ? x->slices : x->tasks;
}

/* The place of the unit with the least that is enough; NONE. */
static uint32_t best_find(const struct choice_levels *l, uint64_t need,
                          bool by_slices)
{
    uint32_t best = NONE;

    for (uint32_t i = 0; i < l->count; i++) {
        const uint64_t n = has(l, l->at[i], by_slices);
        uint64_t least;

        if (n < need || (l->leading && !l->unit[l->at[i]].leads))
            continue;
        least = best == NONE ? UINT64_MAX : has(l, l->at[best], by_slices);
        if (best == NONE || n < least
            || (n == least && unit_before(l, l->at[i], l->at[best])))
            best = i;
    }
    return best;
}

/* The place of the first unit for the leader with which the others are still
 * enough; 0 if there is none.
 */
static uint32_t leader_find(const struct choice_levels *l, uint64_t need,
                            bool by_slices)
{
    uint64_t all = 0;
    uint32_t first = NONE;

    for (uint32_t i = 0; i < l->count; i++)
        all += by_slices ? l->unit[l->at[i]].slices : l->unit[l->at[i]].tasks;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct level_unit *x = &l->unit[l->at[i]];
        const uint64_t cost = by_slices ? x->slices - x->led_slices
                                        : x->tasks - x->led;

        if (x->leads && all >= cost && all - cost >= need
            && (first == NONE || unit_before(l, l->at[i], l->at[first])))
            first = i;
    }
    return first == NONE ? 0 : first;
}

/* The unit of the list to use next, for `need` more slices or tasks. */
static uint32_t list_next(struct choice_levels *l, uint64_t need,
                          bool by_slices, bool prefers_leader)
{
    uint32_t i = 0;

    if (l->leading && prefers_leader)
        i = leader_find(l, need, by_slices);
    if (!l->least && has(l, l->at[i], by_slices) >= need
        && (!l->leading || l->unit[l->at[i]].leads))
        i = best_find(l, need, by_slices);
    return list_remove(l, &by_room, i);
}

/* Divide `tasks`, in slices of `size`, and the leader if `leads` among the units
 * of the list, and append those used to the chosen ones of the next level.
 */
static bool list_divide(struct choice_levels *l, uint64_t tasks, uint32_t size,
                        bool leads)
{
    const bool by_slices = size > 0;
    const uint64_t each = by_slices ? size : 1;
    uint64_t left = tasks / each;
    bool is_first = true;

    l->leading = leads;
    gs_heap_build(&by_room, l, l->count);
    while (l->count > 0 && (left > 0 || l->leading)) {
        const uint32_t u = list_next(l, left, by_slices, is_first);
        struct level_unit *x = &l->unit[u];
        const uint64_t most = has(l, u, by_slices);

        is_first = false;
        x->takes = (most < left ? most : left) * each;
        x->takes_leader = l->leading && x->leads;
        left -= x->takes / each;
        if (x->takes > 0 || x->takes_leader)
            l->after[l->after_count++] = u;
        if (x->takes_leader) {
            l->leading = false;
            gs_heap_build(&by_room, l, l->count);
        }
    }
    return left == 0 && !l->leading;
}

/* The chosen units of the next level are those of this one. */
static void level_next(struct choice_levels *l)
{
    uint32_t *was = l->now;

    l->now = l->after;
    l->now_count = l->after_count;
    l->after = was;
    l->after_count = 0;
}

/* --- levels ------------------------------------------------------------------------ */

static void level_list(const struct search *f, uint32_t level)
{
    const struct topo *t = f->s->topo;

    list_begin(f->l);
    if (level > t->tier_count) {
        for (EACH_ASKED(n, f->ask))
            list_add(f->l, t->domain_count + n);
        return;
    }
    for (uint32_t d = 0; d < t->domain_count; d++) {
        if (t->domain[d].level == level)
            list_add(f->l, d);
    }
}

/* The units at `level`, or above it if the job allows that, that hold all tasks.
 * Returns their level; NONE: there are none.
 */
static uint32_t level_begin(const struct search *f, uint32_t level,
                            bool is_required)
{
    const bool leads = f->ask->leader != NULL;
    struct choice_levels *l = f->l;

    for (;; level--) {
        uint32_t best;

        l->leading = leads;
        level_list(f, level);
        best = best_find(l, f->ask->need / f->size, true);
        if (best != NONE) {
            struct level_unit *x = &l->unit[l->at[best]];

            x->takes = f->ask->need;
            x->takes_leader = leads;
            l->now[0] = l->at[best];
            l->now_count = 1;
            return level;
        }
        if (is_required)
            return NONE;
        if (level <= 1 || l->least)
            break;
    }
    l->after_count = 0;
    if (!list_divide(l, f->ask->need, f->size, leads))
        return NONE;
    level_next(l);
    return level;
}

/* From the units of a level to those of the next, all together. */
static bool level_down(const struct search *f)
{
    struct choice_levels *l = f->l;

    list_begin(l);
    l->leading = f->ask->leader != NULL;
    l->after_count = 0;
    for (uint32_t i = 0; i < l->now_count; i++)
        list_add_children(l, l->now[i]);
    if (!list_divide(l, f->ask->need, f->size, f->ask->leader != NULL))
        return false;
    level_next(l);
    return true;
}

/* The same for each unit by itself; `level`: of its children. */
static bool level_split(const struct search *f, uint32_t level)
{
    const uint32_t size = f->size_at[level] > 1 ? f->size_at[level] : 0;
    struct choice_levels *l = f->l;

    l->after_count = 0;
    for (uint32_t i = 0; i < l->now_count; i++) {
        const struct level_unit *x = &l->unit[l->now[i]];

        list_begin(l);
        l->leading = x->takes_leader;
        list_add_children(l, l->now[i]);
        for (uint32_t k = 0; size && k < l->count; k++)
            slices_count(&l->unit[l->at[k]], size);
        if (!list_divide(l, x->takes, size, x->takes_leader))
            return false;
    }
    level_next(l);
    return true;
}

/* Take what was chosen, in the order of names. */
static void nodes_take(const struct search *f)
{
    const uint32_t first = f->s->topo->domain_count;
    const struct choice_ask *ask = f->ask;
    struct choice_levels *l = f->l;

    l->count = l->now_count;
    memcpy(l->at, l->now, l->count * sizeof(*l->at));
    gs_heap_build(&by_rank, l, l->count);
    while (l->count > 0) {
        const uint32_t u = list_remove(l, &by_rank, 0);
        const struct level_unit *x = &l->unit[u];

        if (x->takes_leader)
            ask->leader->take(ask->leader->of, u - first, 1);
        if (x->takes > 0)
            ask->take(ask->of, u - first, (uint32_t)x->takes);
    }
}

/* --- what a job states, or a group ----------------------------------------------------------- */

static uint32_t level_of(const struct gsched *s, uint32_t tier)
{
    const int level = topo_level_find(s->topo, tier);

    assert(level >= 0); /* the door checks the tiers of jobs */
    return (uint32_t)level;
}

static struct trace_topology stated(const struct gsched *s, uint32_t job,
                                    uint32_t group)
{
    return trace_group_topology(
        s->work, &s->work->job[job],
        trace_group_at(s->work, s->work->job[job].first_group + group));
}

/* Slices, if all tasks are in whole ones; else each task is one. */
static bool slices_take(struct search *f, const struct trace_topology *t)
{
    const struct trace_slices *slices = t->slices
                                            ? &f->s->work->slices[t->slices - 1]
                                            : NULL;
    uint32_t level;

    f->slice_level = f->nodes;
    f->size = 1;
    if (!slices || f->ask->need % slices->layer[0].size != 0)
        return false;
    f->size = slices->layer[0].size;
    level = f->slice_level = level_of(f->s, slices->layer[0].tier);
    for (uint32_t i = 1; i < slices->layers; i++) {
        const uint32_t end = level_of(f->s, slices->layer[i].tier);

        while (level < end)
            f->size_at[++level] = slices->layer[i].size;
    }
    return true;
}

bool gsched_choose_levels(struct gsched *s, const struct choice_ask *ask)
{
    const struct trace_topology t = stated(s, ask->job, ask->group);
    struct search f = { .s = s,
                        .ask = ask,
                        .l = s->choice->levels,
                        .nodes = s->topo->tier_count + 1 };
    const bool has_slices = slices_take(&f, &t);
    uint32_t level = t.tier ? level_of(s, t.tier) : has_slices ? 1 : f.nodes;

    f.l->least = t.tier == 0;
    units_count(&f);
    level = level_begin(&f, level, t.within == TRACE_REQUIRED);
    if (level == NONE)
        return false;
    for (; level < f.nodes && level < f.slice_level; level++) {
        if (!level_down(&f))
            return false;
    }
    for (; level < f.nodes; level++) {
        if (!level_split(&f, level + 1))
            return false;
    }
    nodes_take(&f);
    return true;
}

bool gsched_levels_ask(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_topology t = stated(s, job, group);

    return s->modules->choice.all || t.within != TRACE_ANYWHERE || t.slices;
}
