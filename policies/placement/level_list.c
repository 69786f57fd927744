/* policies/placement/level_list.c - the units that are chosen from, see
 * choice_levels.h.
 */
#include <assert.h>

#include "policies/placement/choice_levels.h"

bool gsched_unit_before(const struct choice_levels *l, uint32_t a, uint32_t b)
{
    const struct level_unit *x = &l->unit[a], *y = &l->unit[b];
    const uint64_t of_x = l->led_order ? x->led_slices : x->slices;
    const uint64_t of_y = l->led_order ? y->led_slices : y->slices;
    const uint64_t room_x = l->led_order ? x->led : x->tasks;
    const uint64_t room_y = l->led_order ? y->led : y->tasks;

    if (l->led_order && x->leads != y->leads)
        return x->leads;
    if (of_x != of_y)
        return l->least ? of_x < of_y : of_x > of_y;
    return room_x != room_y ? room_x < room_y : x->rank < y->rank;
}

static bool at_before(const void *of, uint32_t a, uint32_t b)
{
    const struct choice_levels *l = of;

    return gsched_unit_before(l, l->at[a], l->at[b]);
}

static bool rank_before(const void *of, uint32_t a, uint32_t b)
{
    const struct choice_levels *l = of;

    return l->unit[l->at[a]].rank < l->unit[l->at[b]].rank;
}

static void at_swap(void *of, uint32_t a, uint32_t b)
{
    struct choice_levels *l = of;
    const uint32_t it = l->at[a];

    l->at[a] = l->at[b];
    l->at[b] = it;
}

const struct gs_heap gsched_units_by_room = { at_before, at_swap };
const struct gs_heap gsched_units_by_rank = { rank_before, at_swap };

uint32_t gsched_list_remove(struct choice_levels *l, const struct gs_heap *h,
                            uint32_t i)
{
    const uint32_t unit = l->at[i];

    assert(i < l->count);
    l->at[i] = l->at[--l->count];
    if (i < l->count)
        (void)gs_heap_settle(h, l, l->count, i);
    return unit;
}

void gsched_list_add(struct choice_levels *l, uint32_t unit)
{
    const struct level_unit *x = &l->unit[unit];

    if (x->tasks > 0 || (l->leading && x->leads))
        l->at[l->count++] = unit;
}

void gsched_list_add_children(struct choice_levels *l, uint32_t unit)
{
    for (uint32_t i = 0; i < l->unit[unit].count; i++)
        gsched_list_add(l, l->child[l->unit[unit].first + i]);
}

void gsched_list_level(const struct level_search *f, uint32_t level)
{
    const struct topo *t = f->s->topo;

    f->l->count = 0;
    if (level > t->tier_count) {
        for (EACH_ASKED(n, f->ask))
            gsched_list_add(f->l, t->domain_count + n);
        return;
    }
    for (uint32_t d = 0; d < t->domain_count; d++) {
        if (t->domain[d].level == level)
            gsched_list_add(f->l, d);
    }
}
