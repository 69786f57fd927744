/* policies/admission/quota_sleepers.c - see quota_sleepers.h. */
#include "policies/admission/quota_sleepers.h"

#include <assert.h>

#include "base/heap.h"

/* --- one list ------------------------------------------------------------- */

struct wants {
    struct quota_sleepers *z;
    struct quota_wants *l;
};

static bool wants_less(const void *of, uint32_t a, uint32_t b)
{
    const struct wants *w = of;
    const uint32_t *at = w->l->heap.at;

    return w->z->wanted[at[a]].amount < w->z->wanted[at[b]].amount;
}

static void wants_put(const struct wants *w, uint32_t i, uint32_t wanted)
{
    w->l->heap.at[i] = wanted;
    w->z->wanted[wanted].at = i;
}

static void wants_swap(void *of, uint32_t a, uint32_t b)
{
    const struct wants *w = of;
    const uint32_t it = w->l->heap.at[a];

    wants_put(w, a, w->l->heap.at[b]);
    wants_put(w, b, it);
}

static const struct gs_heap smallest_first = { wants_less, wants_swap };

/* Put the want into the heap of its list, unless it is there; take it out. */
static void wanted_enter(struct quota_sleepers *z, uint32_t i)
{
    struct wants w = { z, &z->list[z->wanted[i].list] };

    if (z->wanted[i].at != QUOTA_NONE)
        return;
    z->wanted[i].at = gs_numbers_add(&w.l->heap, i);
    (void)gs_heap_rise(&smallest_first, &w, z->wanted[i].at);
}

static void wanted_leave(struct quota_sleepers *z, uint32_t i)
{
    struct wants w = { z, &z->list[z->wanted[i].list] };
    const uint32_t at = z->wanted[i].at;
    uint32_t last;

    if (at == QUOTA_NONE)
        return;
    assert(w.l->heap.at[at] == i);
    last = gs_numbers_take(&w.l->heap, at);
    if (at < w.l->heap.count) {
        wants_put(&w, at, last);
        (void)gs_heap_settle(&smallest_first, &w, w.l->heap.count, at);
    }
    z->wanted[i].at = QUOTA_NONE;
}

static void wanted_add(struct quota_sleepers *z, uint32_t sleeper,
                       const struct quota_want *of)
{
    const uint32_t list = quotas_node(z->q, of->node)->first + of->cell;
    uint32_t i = z->free;

    if (i == QUOTA_NONE) {
        z->wanted = gs_array_grow(z->wanted, &z->wanted_cap,
                                  z->wanted_count + 1, sizeof(*z->wanted));
        i = z->wanted_count++;
    } else {
        z->free = z->wanted[i].next;
    }
    z->wanted[i] = (struct quota_wanted){ .amount = of->amount,
                                          .sleeper = sleeper,
                                          .next = z->first[sleeper],
                                          .list = list,
                                          .at = QUOTA_NONE };
    z->first[sleeper] = i;
    z->list[list].node = of->node;
    z->list[list].cell = of->cell;
    wanted_enter(z, i);
}

static void wanted_drop(struct quota_sleepers *z, uint32_t i)
{
    wanted_leave(z, i);
    z->wanted[i].next = z->free;
    z->free = i;
}

/* --- the door ------------------------------------------------------------- */

void quota_sleepers_open(struct quota_sleepers *z, const struct quotas *q)
{
    for (uint32_t n = 0; n < quotas_nodes(q); n++)
        z->lists += quotas_tree(q, quotas_node(q, n)->tree)->cells;
    z->q = q;
    z->list = gs_array_new(z->lists + 1, sizeof(*z->list));
    z->free = QUOTA_NONE;
}

void quota_sleepers_free(struct quota_sleepers *z)
{
    for (uint32_t i = 0; i < z->lists; i++)
        gs_array_free(z->list[i].heap.at);
    gs_array_free(z->list);
    gs_array_free(z->wanted);
    gs_array_free(z->first);
    gs_array_free(z->eased.at);
    gs_array_free(z->next.at);
}

void quota_sleep_end(struct quota_sleepers *z, uint32_t sleeper)
{
    if (sleeper >= z->sleepers)
        return;
    while (z->first[sleeper] != QUOTA_NONE) {
        const uint32_t i = z->first[sleeper];

        z->first[sleeper] = z->wanted[i].next;
        wanted_drop(z, i);
    }
}

void quota_sleep(struct quota_sleepers *z, uint32_t sleeper,
                 const struct quota_want *want, uint32_t wants)
{
    z->first = gs_array_grow(z->first, &z->first_cap, sleeper + 1,
                             sizeof(*z->first));
    while (z->sleepers <= sleeper)
        z->first[z->sleepers++] = QUOTA_NONE;
    quota_sleep_end(z, sleeper);
    for (uint32_t i = 0; i < wants; i++)
        wanted_add(z, sleeper, &want[i]);
}

bool quota_sleeper_want(const struct quota_sleepers *z, uint32_t sleeper,
                        struct quota_want *out)
{
    const uint32_t i = sleeper < z->sleepers ? z->first[sleeper] : QUOTA_NONE;
    const struct quota_wants *l;

    if (i == QUOTA_NONE || z->wanted[i].next != QUOTA_NONE)
        return false;
    l = &z->list[z->wanted[i].list];
    *out = (struct quota_want){ l->node, l->cell, z->wanted[i].amount };
    return true;
}

void quota_sleep_apart(struct quota_sleepers *z, uint32_t sleeper)
{
    for (uint32_t i = z->first[sleeper]; i != QUOTA_NONE; i = z->wanted[i].next)
        wanted_leave(z, i);
}

void quota_sleep_together(struct quota_sleepers *z, uint32_t sleeper)
{
    for (uint32_t i = z->first[sleeper]; i != QUOTA_NONE; i = z->wanted[i].next)
        wanted_enter(z, i);
}

void quota_sleepers_ease(struct quota_sleepers *z, uint32_t node, uint32_t cell)
{
    for (uint32_t n = node; n != QUOTA_NONE; n = quotas_node(z->q, n)->parent) {
        const uint32_t list = quotas_node(z->q, n)->first + cell;
        struct quota_wants *l = &z->list[list];

        if (l->heap.count && !l->is_eased)
            (void)gs_numbers_add(&z->eased, list);
        l->is_eased |= l->heap.count > 0;
    }
}

bool quota_sleeper_lacks(const struct quota_sleepers *z, uint32_t sleeper)
{
    uint32_t i = sleeper < z->sleepers ? z->first[sleeper] : QUOTA_NONE;
    bool lacks = i != QUOTA_NONE;

    for (; lacks && i != QUOTA_NONE; i = z->wanted[i].next) {
        const struct quota_wants *l = &z->list[z->wanted[i].list];

        lacks = z->wanted[i].amount > quotas_room(z->q, l->node, l->cell);
    }
    return lacks;
}

/* The want at the place of the open list, if it is met; those below it are
 * next then.
 */
static const struct quota_wanted *met_at(struct quota_sleepers *z, uint32_t at)
{
    const struct quota_wants *l = &z->list[z->open];
    const struct quota_wanted *w;

    if (at >= l->heap.count)
        return NULL;
    w = &z->wanted[l->heap.at[at]];
    if (w->amount > quotas_room(z->q, l->node, l->cell))
        return NULL;
    (void)gs_numbers_add(&z->next, 2 * at + 1);
    (void)gs_numbers_add(&z->next, 2 * at + 2);
    return w;
}

uint32_t quota_sleepers_next(struct quota_sleepers *z)
{
    for (;;) {
        while (z->next.count) {
            const struct quota_wanted *w = met_at(z,
                                                  z->next.at[--z->next.count]);

            if (w)
                return w->sleeper;
        }
        if (z->eased.count == 0)
            return QUOTA_NONE;
        z->open = z->eased.at[--z->eased.count];
        z->list[z->open].is_eased = false;
        (void)gs_numbers_add(&z->next, 0);
    }
}
