/* policies/placement/level_units.c - the tree of domains and nodes, and what
 * fits in each, see choice_levels.h.
 *
 * A domain counts the tasks that fit beside the leader where that costs the
 * fewest.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/placement/choice_levels.h"
#include "policies/placement/domain_set.h"
#include "policies/state/module_calls.h"

/* --- the tree ------------------------------------------------------------- */

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
    gsched_units_by_rank.swap(((struct names *)of)->l, a, b);
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
    if (s->modules->choice.balanced) {
        l->kept = gs_array_new(units, sizeof(*l->kept));
        l->evenness = gs_array_new(units, sizeof(*l->evenness));
        l->sets = gs_array_new(t->domain_count, sizeof(*l->sets));
        l->of = domain_sets_new();
    }
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
    gs_array_free(l->kept);
    gs_array_free(l->evenness);
    gs_array_free(l->sets);
    domain_sets_free(l->of);
    gs_array_free(l);
}

/* --- counts --------------------------------------------------------------- */

/* Count a unit, of the level, in its parent. */
static void parent_add(const struct level_search *f, uint32_t u, uint32_t level)
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

static void node_count(const struct level_search *f, uint32_t node)
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
static void domain_finish(const struct level_search *f, uint32_t d)
{
    struct level_unit *x = &f->l->unit[d];
    const uint32_t level = f->s->topo->domain[d].level;
    const bool any = x->gap != UINT64_MAX;

    x->led = any ? x->tasks - x->gap : 0;
    x->led_slices = any ? x->slices - x->slice_gap : 0;
    if (level == f->slice_level)
        slices_count(x, f->size);
}

static void domain_begin(struct level_unit *x)
{
    x->tasks = x->slices = 0;
    x->gap = x->slice_gap = UINT64_MAX;
    x->leads = false;
}

void gsched_units_count(const struct level_search *f)
{
    const uint32_t domains = f->s->topo->domain_count;

    for (uint32_t d = 0; d < domains; d++)
        domain_begin(&f->l->unit[d]);
    for (uint32_t n = 0; n < f->s->topo->node_count; n++) {
        f->l->unit[domains + n].tasks = 0;
        f->l->unit[domains + n].leads = false;
    }
    for (EACH_ASKED(n, f->ask))
        node_count(f, n);
    for (uint32_t d = domains; d-- > 0;) {
        domain_finish(f, d);
        if (d > 0 && f->l->unit[d].tasks + f->l->unit[d].leads > 0)
            parent_add(f, d, f->s->topo->domain[d].level);
    }
}

/* Depth: the tiers. */
static void subtree_count(const struct level_search *f, uint32_t unit,
                          uint32_t level)
{
    struct level_unit *x = &f->l->unit[unit];

    if (level == f->nodes) {
        if (level == f->slice_level)
            slices_count(x, f->size);
        return;
    }
    domain_begin(x);
    for (uint32_t i = 0; i < x->count; i++) {
        const uint32_t c = f->l->child[x->first + i];

        subtree_count(f, c, level + 1);
        if (f->l->unit[c].tasks > 0 || f->l->unit[c].leads)
            parent_add(f, c, level + 1);
    }
    domain_finish(f, unit);
}

void gsched_units_recount(const struct level_search *f, uint32_t unit,
                          uint32_t level)
{
    struct level_search plain = *f;

    memset(plain.size_at, 0, sizeof(plain.size_at));
    subtree_count(&plain, unit, level);
}
