/* policies/placement/choice_balanced.c - nodes by domains, each with about as
 * many tasks, see choice_levels.h.
 *
 * As balanced placement of Kueue (findBestDomainsForBalancedPlacement()):
 * 1. The domains of the preferred level inside one domain above it are a set.
 *    The threshold of a set: largest first, so many of its parts are enough;
 *    the slices divided by their number, or what the last one has if that is
 *    less.  Parts are the domains, or where slices are of a lower level what is
 *    inside them.
 * 2. What has less than the threshold counts as full.  Of the sets that are
 *    still enough the one with the highest threshold is taken, then the one of
 *    which the fewest domains are enough.
 * 3. Of it as few domains as are enough, with the least room (domain_set.h),
 *    then likewise their parts.  Each takes the threshold, and the first ones
 *    the rest.
 * Below these each one's tasks are divided as elsewhere.
 */
#include <assert.h>
#include <string.h>

#include "policies/placement/choice_levels.h"
#include "policies/placement/domain_set.h"

__extension__ typedef unsigned __int128 wide;

/* What is sought: the set that is best so far. */
struct balance {
    const struct level_search *f;
    struct choice_levels *l;
    uint32_t level; /* preferred */
    bool has_parts; /* slices are of a lower level */
    uint64_t slices;
    uint64_t threshold; /* of the best; 0: none */
    uint32_t set, domains;
};

/* Units, the largest first, until they are enough. */
struct greedy {
    bool fits;
    uint32_t used;
    uint32_t last_led, last; /* units; NONE */
};

/* --- lists ---------------------------------------------------------------- */

static void list_clear(const struct balance *b)
{
    b->l->count = 0;
    b->l->leading = b->f->ask->leader != NULL;
}

/* The domains of the set, or the parts of them. */
static void set_list(const struct balance *b, uint32_t set, bool parts)
{
    const struct level_unit *x = &b->l->unit[set];

    list_clear(b);
    if (!parts) {
        gsched_list_add_children(b->l, set);
        return;
    }
    for (uint32_t i = 0; i < x->count; i++)
        gsched_list_add_children(b->l, b->l->child[x->first + i]);
}

static void list_order(const struct balance *b, bool led)
{
    b->l->led_order = led;
    gs_heap_build(&gsched_units_by_room, b->l, b->l->count);
}

static struct greedy greedy_take(const struct balance *b)
{
    struct choice_levels *l = b->l;
    struct greedy g = { .last_led = NONE, .last = NONE };
    uint64_t got = 0;

    list_order(b, l->leading);
    if (l->leading) {
        if (l->count == 0 || !l->unit[l->at[0]].leads)
            return g;
        g.last_led = gsched_list_remove(l, &gsched_units_by_room, 0);
        got = l->unit[g.last_led].led_slices;
        g.used = 1;
        list_order(b, false);
    }
    while (got < b->slices && l->count > 0 && l->unit[l->at[0]].slices > 0) {
        g.last = gsched_list_remove(l, &gsched_units_by_room, 0);
        got += l->unit[g.last].slices;
        g.used++;
    }
    g.fits = got >= b->slices && g.used > 0;
    return g;
}

/* --- thresholds ----------------------------------------------------------- */

static void leader_clear(struct choice_levels *l, uint32_t unit)
{
    struct level_unit *x = &l->unit[unit];

    x->led = x->led_slices = 0;
    x->leads = false;
    for (uint32_t i = 0; i < x->count; i++)
        leader_clear(l, l->child[x->first + i]);
}

static void unit_clear(struct choice_levels *l, uint32_t unit)
{
    struct level_unit *x = &l->unit[unit];

    x->tasks = x->slices = x->led = x->led_slices = 0;
    x->leads = false;
    for (uint32_t i = 0; i < x->count; i++)
        unit_clear(l, l->child[x->first + i]);
}

static void unit_prune(const struct balance *b, uint32_t unit,
                       uint64_t threshold)
{
    const struct level_unit *x = &b->l->unit[unit];

    if (x->slices < threshold)
        unit_clear(b->l, unit);
    else if (x->leads && x->led_slices < threshold)
        leader_clear(b->l, unit);
}

static void set_prune(const struct balance *b, uint32_t set, uint64_t threshold)
{
    const struct level_unit *of = &b->l->unit[set];

    for (uint32_t i = 0; i < of->count; i++) {
        const uint32_t u = b->l->child[of->first + i];
        const struct level_unit *x = &b->l->unit[u];

        for (uint32_t k = 0; k < x->count; k++)
            unit_prune(b, b->l->child[x->first + k], threshold);
        gsched_units_recount(b->f, u, b->level);
        unit_prune(b, u, threshold);
    }
}

static void unit_restore(struct choice_levels *l, uint32_t unit)
{
    const uint32_t first = l->unit[unit].first, count = l->unit[unit].count;

    l->unit[unit] = l->kept[unit];
    for (uint32_t i = 0; i < count; i++)
        unit_restore(l, l->child[first + i]);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Is it better than the best?  `threshold`: with which it was pruned. */
static void set_compare(struct balance *b, uint32_t set, uint64_t threshold,
                        uint32_t domains)
{
    if (threshold > b->threshold
        || (threshold == b->threshold && domains < b->domains)) {
        b->threshold = threshold;
        b->domains = domains;
        b->set = set;
    }
}

static struct greedy set_pruned(const struct balance *b, uint32_t set,
                                uint64_t threshold)
{
    set_prune(b, set, threshold);
    set_list(b, set, false);
    return greedy_take(b);
}

static void set_try(struct balance *b, uint32_t set)
{
    const struct level_unit *unit = b->l->unit;
    struct greedy g;
    uint64_t threshold, beside;

    set_list(b, set, b->has_parts);
    g = greedy_take(b);
    if (!g.fits)
        return;
    threshold = b->slices / g.used;
    if (g.last_led != NONE)
        threshold = least(threshold, unit[g.last_led].led_slices);
    if (g.last != NONE)
        threshold = least(threshold, unit[g.last].slices);
    beside = g.last != NONE && b->f->ask->leader
                 ? least(threshold, unit[g.last].led_slices)
                 : threshold;
    if (threshold == 0 || threshold < b->threshold)
        return;
    g = set_pruned(b, set, threshold);
    if (!g.fits && beside < threshold) {
        if (beside == 0 || beside < b->threshold)
            return;
        threshold = beside;
        unit_restore(b->l, set);
        g = set_pruned(b, set, threshold);
    }
    if (g.fits)
        set_compare(b, set, threshold, g.used);
}

/* Domains of which what is inside may be a set, by names. */
static uint32_t sets_list(const struct balance *b)
{
    const struct topo *t = b->f->s->topo;
    struct choice_levels *l = b->l;
    uint32_t sets = 0;

    l->count = 0;
    for (uint32_t d = 0; d < t->domain_count; d++) {
        if (t->domain[d].level + 1 == b->level
            && l->unit[d].tasks + l->unit[d].leads > 0)
            l->at[l->count++] = d;
    }
    gs_heap_build(&gsched_units_by_rank, l, l->count);
    while (l->count > 0)
        l->sets[sets++] = gsched_list_remove(l, &gsched_units_by_rank, 0);
    return sets;
}

/* --- the order of domains ------------------------------------------------- */

/* -log2(p / 2^62) for p in [1, 2^62], with 48 bits of fraction. */
static uint64_t neg_log2(uint64_t p)
{
    uint64_t log = 0, whole = 0;

    while (!(p >> 62)) {
        p <<= 1;
        whole++;
    }
    for (uint32_t i = 0; i < 48; i++) {
        p = (uint64_t)((wide)p * p >> 62);
        log = log << 1 | p >> 63;
        p >>= p >> 63;
    }
    return (whole << 48) - log;
}

/* The entropy of the room of its children, with 58 bits of fraction: high for
 * those that have about as much each.
 */
static uint64_t evenness_of(const struct choice_levels *l, uint32_t unit)
{
    const struct level_unit *x = &l->unit[unit];
    uint64_t all = 0, sum = 0;

    for (uint32_t i = 0; i < x->count; i++)
        all += l->unit[l->child[x->first + i]].tasks;
    for (uint32_t i = 0; i < x->count; i++) {
        const uint64_t tasks = l->unit[l->child[x->first + i]].tasks;
        const uint64_t part = tasks ? (uint64_t)(((wide)tasks << 62) / all) : 0;

        if (part)
            sum += (uint64_t)((wide)part * neg_log2(part) >> 52);
    }
    return sum;
}

static bool even_before(const void *of, uint32_t a, uint32_t b)
{
    const struct choice_levels *l = of;
    const uint32_t u = l->at[a], v = l->at[b];
    const struct level_unit *x = &l->unit[u], *y = &l->unit[v];

    if (x->leads != y->leads)
        return x->leads;
    if (x->led_slices != y->led_slices)
        return x->led_slices > y->led_slices;
    return l->evenness[u] != l->evenness[v] ? l->evenness[u] > l->evenness[v]
                                            : x->rank < y->rank;
}

static void at_swap(void *of, uint32_t a, uint32_t b)
{
    gsched_units_by_rank.swap(of, a, b);
}

/* --- what each takes ------------------------------------------------------ */

/* Of the list, in the order of the heap, a set that is enough: into l->now. */
static bool list_choose(const struct balance *b, const struct gs_heap *order)
{
    struct choice_levels *l = b->l;
    const uint32_t count = l->count;
    struct domain_item *item = domain_sets_items(l->of, count);
    uint32_t *ordered = l->after; /* nothing is in it yet */
    struct greedy g;

    gs_heap_build(order, l, l->count);
    for (uint32_t i = 0; l->count > 0; i++) {
        const uint32_t u = gsched_list_remove(l, order, 0);
        const struct level_unit *x = &l->unit[u];

        ordered[i] = u;
        item[i] = (struct domain_item){ .tasks = x->tasks,
                                        .led = x->led,
                                        .holds = x->slices > 0,
                                        .leads = x->leads };
    }
    memcpy(l->at, ordered, count * sizeof(*l->at));
    l->count = count;
    g = greedy_take(b);
    if (!g.fits
        || !domain_sets_choose(l->of, count, g.used, b->f->ask->need,
                               b->f->ask->leader != NULL, l->now))
        return false;
    l->now_count = g.used;
    for (uint32_t i = 0; i < g.used; i++)
        l->now[i] = ordered[l->now[i]];
    return true;
}

/* Divide all tasks among the chosen units: the threshold for each, more for the
 * first ones.
 */
static bool chosen_divide(const struct balance *b)
{
    struct choice_levels *l = b->l;
    const uint64_t all = l->now_count * b->threshold;
    uint64_t extra = b->slices - all;

    if (b->slices < all)
        return false;
    l->count = l->now_count;
    memcpy(l->at, l->now, l->count * sizeof(*l->at));
    list_order(b, l->leading);
    for (uint32_t i = 0; l->count > 0; i++) {
        const uint32_t u = gsched_list_remove(l, &gsched_units_by_room, 0);
        struct level_unit *x = &l->unit[u];
        const bool leads = i == 0 && b->f->ask->leader;
        const uint64_t has = leads ? x->led_slices : x->slices;
        const uint64_t more = least(has - b->threshold, extra);

        assert(has >= b->threshold); /* others count as full */
        x->takes = (b->threshold + more) * b->f->size;
        x->takes_leader = leads;
        extra -= more;
    }
    return extra == 0;
}

static bool set_divide(const struct balance *b)
{
    static const struct gs_heap even = { even_before, at_swap };
    struct choice_levels *l = b->l;

    set_list(b, b->set, false);
    if (b->has_parts) {
        for (uint32_t i = 0; i < l->count; i++)
            l->evenness[l->at[i]] = evenness_of(l, l->at[i]);
        if (!list_choose(b, &even))
            return false;
        list_clear(b);
        for (uint32_t i = 0; i < l->now_count; i++)
            gsched_list_add_children(l, l->now[i]);
    }
    return list_choose(b, &gsched_units_by_rank) && chosen_divide(b);
}

uint32_t gsched_balanced_begin(const struct level_search *f, uint32_t level)
{
    struct choice_levels *l = f->l;
    struct balance b = { .f = f,
                         .l = l,
                         .level = level,
                         .has_parts = level < f->slice_level,
                         .slices = f->ask->need / f->size,
                         .set = NONE };
    uint32_t sets;

    assert(level > 0 && level <= f->slice_level);
    memcpy(l->kept, l->unit, l->units * sizeof(*l->kept));
    sets = sets_list(&b);
    for (uint32_t i = 0; i < sets; i++)
        set_try(&b, l->sets[i]);
    memcpy(l->unit, l->kept, l->units * sizeof(*l->kept));
    if (b.threshold == 0)
        return NONE;
    set_prune(&b, b.set, b.threshold);
    if (set_divide(&b)) {
        l->led_order = false;
        return b.has_parts ? level + 1 : level;
    }
    memcpy(l->unit, l->kept, l->units * sizeof(*l->kept));
    return NONE;
}
