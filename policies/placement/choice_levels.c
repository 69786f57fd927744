/* policies/placement/choice_levels.c - nodes by domains, level by level, see
 * node_choice.h.
 *
 * As findTopologyAssignment() of Kueue chooses them:
 * 1. Count the tasks and slices that fit, from the nodes upwards.
 * 2. At the level that the job states: the domain with the fewest slices that
 *    is enough.  If none is, a required level fails; a preferred one is tried
 *    one level higher, up to the one inside which it is preferred if there is
 *    one; at the outermost tier several domains are used, the largest first,
 *    and the last one is the smallest that is enough.  A job without a level
 *    has the nodes with the least room first.
 * 3. Down to the nodes in the same way.  Down to the level of slices all
 *    domains of a level are looked at together, below it those of each domain.
 * Of equals the one with less room for single tasks, then the first by name.
 *
 * With `balanced` preferred levels are first tried as choice_balanced.c says.
 *
 * A leader is one task of another group, in the domain of the others: the first
 * in order with which the others are still enough.
 */
#include <assert.h>
#include <string.h>

#include "policies/placement/choice_levels.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"
#include "traces/workload/slices.h"

/* --- one level ------------------------------------------------------------ */

/* How a list is divided: by slices, as they were counted or in parts of `size`,
 * or by single tasks.
 */
struct dividing {
    bool by_slices;
    uint32_t parts; /* 0: as they were counted */
};

/* What a unit has for the tasks that are left, without the leader or beside it.
 */
static uint64_t has_of(const struct level_unit *x, struct dividing how,
                       bool beside)
{
    const uint64_t tasks = beside ? x->led : x->tasks;

    if (!how.by_slices)
        return tasks;
    if (how.parts)
        return tasks / how.parts;
    return beside ? x->led_slices : x->slices;
}

static uint64_t has(const struct choice_levels *l, uint32_t unit,
                    struct dividing how)
{
    return has_of(&l->unit[unit], how, l->leading);
}

/* The place of the unit with the least that is enough; of equals the one at
 * place `first`, then the first in order.  NONE: none is enough.
 */
static uint32_t best_find(const struct choice_levels *l, uint64_t need,
                          struct dividing how, uint32_t first)
{
    uint32_t best = NONE;

    for (uint32_t i = 0; i < l->count; i++) {
        const uint64_t n = has(l, l->at[i], how);
        uint64_t least;

        if (n < need || (l->leading && !l->unit[l->at[i]].leads))
            continue;
        least = best == NONE ? UINT64_MAX : has(l, l->at[best], how);
        if (best == NONE || n < least
            || (n == least && best != first
                && (i == first
                    || gsched_unit_before(l, l->at[i], l->at[best]))))
            best = i;
    }
    return best;
}

/* The place of the first unit for the leader with which the others are still
 * enough; 0 if there is none.
 */
static uint32_t leader_find(const struct choice_levels *l, uint64_t need,
                            struct dividing how)
{
    uint64_t all = 0;
    uint32_t first = NONE;

    for (uint32_t i = 0; i < l->count; i++)
        all += has_of(&l->unit[l->at[i]], how, false);
    for (uint32_t i = 0; i < l->count; i++) {
        const struct level_unit *x = &l->unit[l->at[i]];
        const uint64_t cost = has_of(x, how, false) - has_of(x, how, true);

        if (x->leads && all >= cost && all - cost >= need
            && (first == NONE || gsched_unit_before(l, l->at[i], l->at[first])))
            first = i;
    }
    return first == NONE ? 0 : first;
}

/* The unit of the list to use next, for `need` more slices or tasks. */
static uint32_t list_next(struct choice_levels *l, uint64_t need,
                          struct dividing how, bool prefers_leader)
{
    uint32_t i = 0;

    if (l->leading && prefers_leader)
        i = leader_find(l, need, how);
    if (!l->least && has(l, l->at[i], how) >= need
        && (!l->leading || l->unit[l->at[i]].leads))
        i = best_find(l, need, how, i);
    return gsched_list_remove(l, &gsched_units_by_room, i);
}

/* Divide `tasks`, in slices of `size`, and the leader if `leads` among the
 * units of the list, and append those used to the chosen ones of the next
 * level.
 */
static bool list_divide(struct choice_levels *l, uint64_t tasks, uint32_t size,
                        struct dividing how, bool leads)
{
    const uint64_t each = how.by_slices ? size : 1;
    uint64_t left = tasks / each;
    bool is_first = true;

    l->leading = leads;
    gs_heap_build(&gsched_units_by_room, l, l->count);
    while (l->count > 0 && (left > 0 || l->leading)) {
        const uint32_t u = list_next(l, left, how, is_first);
        struct level_unit *x = &l->unit[u];
        const uint64_t most = has(l, u, how);

        is_first = false;
        x->takes = (most < left ? most : left) * each;
        x->takes_leader = l->leading && x->leads;
        left -= x->takes / each;
        if (x->takes > 0 || x->takes_leader)
            l->after[l->after_count++] = u;
        if (x->takes_leader) {
            l->leading = false;
            if (l->led_order) {
                l->led_order = false;
                gs_heap_build(&gsched_units_by_room, l, l->count);
            }
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

/* --- levels --------------------------------------------------------------- */

#define SLICES ((struct dividing){ .by_slices = true })

/* The units at `level`, or above it up to `widest`, that hold all tasks; at
 * `widest` 0 several ones may.  Returns their level; NONE: there are none.
 */
static uint32_t level_begin(const struct level_search *f, uint32_t level,
                            uint32_t widest)
{
    const bool leads = f->ask->leader != NULL;
    struct choice_levels *l = f->l;

    for (;; level--) {
        uint32_t best;

        l->leading = l->led_order = leads;
        gsched_list_level(f, level);
        best = best_find(l, f->ask->need / f->size, SLICES, NONE);
        if (best != NONE) {
            struct level_unit *x = &l->unit[l->at[best]];

            x->takes = f->ask->need;
            x->takes_leader = leads;
            l->now[0] = l->at[best];
            l->now_count = 1;
            return level;
        }
        if (level == widest)
            return NONE;
        if (level <= 1 || l->least)
            break;
    }
    l->after_count = 0;
    if (!list_divide(l, f->ask->need, f->size, SLICES, leads))
        return NONE;
    level_next(l);
    return level;
}

/* From the units of a level to those of the next, all together. */
static bool level_down(const struct level_search *f)
{
    struct choice_levels *l = f->l;

    l->count = 0;
    l->leading = f->ask->leader != NULL;
    l->led_order = false;
    l->after_count = 0;
    for (uint32_t i = 0; i < l->now_count; i++)
        gsched_list_add_children(l, l->now[i]);
    if (!list_divide(l, f->ask->need, f->size, SLICES, l->leading))
        return false;
    level_next(l);
    return true;
}

/* The same for each unit by itself; `level`: of its children. */
static bool level_split(const struct level_search *f, uint32_t level)
{
    const uint32_t at = level <= f->slice_level ? f->size : f->size_at[level];
    const struct dividing how = { .by_slices = at > 1, .parts = at };
    struct choice_levels *l = f->l;

    l->led_order = false;
    l->after_count = 0;
    for (uint32_t i = 0; i < l->now_count; i++) {
        const struct level_unit *x = &l->unit[l->now[i]];

        l->count = 0;
        l->leading = x->takes_leader;
        gsched_list_add_children(l, l->now[i]);
        if (!list_divide(l, x->takes, at, how, x->takes_leader))
            return false;
    }
    level_next(l);
    return true;
}

/* Take what was chosen, in the order of names. */
static void nodes_take(const struct level_search *f)
{
    const uint32_t first = f->s->topo->domain_count;
    const struct choice_ask *ask = f->ask;
    struct choice_levels *l = f->l;

    l->count = l->now_count;
    memcpy(l->at, l->now, l->count * sizeof(*l->at));
    gs_heap_build(&gsched_units_by_rank, l, l->count);
    while (l->count > 0) {
        const uint32_t u = gsched_list_remove(l, &gsched_units_by_rank, 0);
        const struct level_unit *x = &l->unit[u];

        if (x->takes_leader)
            ask->leader->take(ask->leader->of, u - first, 1);
        if (x->takes > 0)
            ask->take(ask->of, u - first, (uint32_t)x->takes);
    }
}

/* --- what a job states, or a group ---------------------------------------- */

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
static bool slices_take(struct level_search *f, const struct trace_topology *t)
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

/* From the units of a level, which hold all tasks, to nodes.  With `by_unit`
 * each divides what it takes from there on, else the levels down to that of
 * slices are divided all together.
 */
static bool levels_down(const struct level_search *f, uint32_t level,
                        bool by_unit)
{
    for (; !by_unit && level < f->nodes && level < f->slice_level; level++) {
        if (!level_down(f))
            return false;
    }
    for (; level < f->nodes; level++) {
        if (!level_split(f, level + 1))
            return false;
    }
    return true;
}

static bool balanced_choose(const struct level_search *f, uint32_t level)
{
    level = gsched_balanced_begin(f, level);
    if (level == NONE)
        return false;
    if (levels_down(f, level, true))
        return true;
    gsched_units_count(f); /* slices do not fit in parts of what is chosen */
    return false;
}

bool gsched_choose_levels(struct gsched *s, const struct choice_ask *ask)
{
    const struct trace_topology t = stated(s, ask->job, ask->group);
    struct level_search f = { .s = s,
                              .ask = ask,
                              .l = s->choice->levels,
                              .nodes = s->topo->tier_count + 1 };
    const bool has_slices = slices_take(&f, &t);
    uint32_t level = t.tier ? level_of(s, t.tier) : has_slices ? 1 : f.nodes;
    const uint32_t widest = t.within == TRACE_REQUIRED ? level : 0;

    f.l->least = t.tier == 0;
    gsched_units_count(&f);
    if (!s->modules->choice.balanced || t.tier == 0
        || t.within != TRACE_PREFERRED || !balanced_choose(&f, level)) {
        level = level_begin(&f, t.prefers ? level_of(s, t.prefers) : level,
                            widest);
        if (level == NONE || !levels_down(&f, level, false))
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
