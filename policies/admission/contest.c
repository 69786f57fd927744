/* policies/admission/contest.c - see contest.h. */
#include "policies/admission/contest.h"

#include <assert.h>

#include "base/heap.h"

void contest_open(struct contest *c, struct quotas *q, bool shares)
{
    uint32_t slots = 0;

    c->q = q;
    c->shares = shares;
    c->nodes = quotas_nodes(q);
    c->node = gs_array_new(c->nodes, sizeof(*c->node));
    c->slot = gs_array_new(c->nodes, sizeof(*c->slot));
    for (uint32_t n = 0; n < c->nodes; n++) {
        c->node[n].own = c->node[n].winner = c->node[n].at = QUOTA_NONE;
        c->node[n].first = slots;
        for (uint32_t k = quotas_node(q, n)->first_child; k != QUOTA_NONE;
             k = quotas_node(q, k)->next_child)
            slots++;
    }
}

void contest_free(struct contest *c)
{
    gs_array_free(c->order.at);
    gs_array_free(c->listed.at);
    gs_array_free(c->node);
    gs_array_free(c->slot);
}

/* --- entries -------------------------------------------------------------- */

static int by_time(const struct contest_entry *a, const struct contest_entry *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    if (a->since != b->since)
        return a->since < b->since ? -1 : 1;
    return (a->job > b->job) - (a->job < b->job);
}

int contest_compare(const struct contest_entry *a,
                    const struct contest_entry *b)
{
    if (a->choice.level != b->choice.level)
        return a->choice.level < b->choice.level ? -1 : 1;
    return by_time(a, b);
}

/* The last of the order on top, so that sinking sorts. */
static bool entry_after(const void *of, uint32_t i, uint32_t k)
{
    const struct contest *c = of;

    return contest_compare(&c->entry[c->order.at[i]], &c->entry[c->order.at[k]])
           > 0;
}

static bool root_after(const void *of, uint32_t i, uint32_t k)
{
    const struct contest *c = of;

    return c->order.at[i] > c->order.at[k];
}

static void order_swap(void *of, uint32_t i, uint32_t k)
{
    uint32_t *at = ((struct contest *)of)->order.at;
    const uint32_t it = at[i];

    at[i] = at[k];
    at[k] = it;
}

static void order_sort(struct contest *c)
{
    const struct gs_heap last_first = { c->shares ? root_after : entry_after,
                                        order_swap };

    gs_heap_sort(&last_first, c, c->order.count);
}

/* --- the tree ------------------------------------------------------------- */

struct children {
    struct contest *c;
    uint32_t *slot;
};

static bool child_before(const void *of, uint32_t i, uint32_t k)
{
    const struct children *l = of;
    const struct contest_node *a = &l->c->node[l->slot[i]];
    const struct contest_node *b = &l->c->node[l->slot[k]];
    int order;

    if (a->borrows != b->borrows && !l->c->shares_alone)
        return b->borrows;
    order = quota_share_compare(&a->share, &b->share);
    if (order != 0)
        return order < 0;
    return by_time(&l->c->entry[a->winner], &l->c->entry[b->winner]) < 0;
}

static void child_put(const struct children *l, uint32_t i, uint32_t node)
{
    l->slot[i] = node;
    l->c->node[node].at = i;
}

static void child_swap(void *of, uint32_t i, uint32_t k)
{
    const struct children *l = of;
    const uint32_t it = l->slot[i];

    child_put(l, i, l->slot[k]);
    child_put(l, k, it);
}

static const struct gs_heap by_share = { child_before, child_swap };

static struct children children_of(struct contest *c, uint32_t parent)
{
    return (struct children){ c, c->slot + c->node[parent].first };
}

/* The node's share with its winner. */
static void share_set(struct contest *c, uint32_t node)
{
    struct contest_node *n = &c->node[node];
    const struct contest_entry *e = &c->entry[n->winner];

    quotas_use_all(c->q, e->node, e->choice.ask, e->choice.asks);
    n->share = quotas_share(c->q, node);
    n->borrows = false;
    for (uint32_t i = 0; i < e->choice.asks && !n->borrows; i++)
        n->borrows = quotas_borrows(c->q, node, e->choice.ask[i].cell, 0);
    quotas_unuse_all(c->q, e->node, e->choice.ask, e->choice.asks);
}

/* The node's winner: its own job, which borrows nothing from it, or that of the
 * first child.
 */
static void winner_set(struct contest *c, uint32_t node)
{
    struct contest_node *n = &c->node[node];

    n->winner = n->own != QUOTA_NONE ? n->own
                : n->active          ? c->node[c->slot[n->first]].winner
                                     : QUOTA_NONE;
}

/* Put the node into the heap of its parent, to its place there, or out of it.
 */
static void rank(struct contest *c, uint32_t node)
{
    const uint32_t parent = quotas_node(c->q, node)->parent;
    struct contest_node *n = &c->node[node], *up;
    struct children l;

    winner_set(c, node);
    if (parent == QUOTA_NONE)
        return;
    up = &c->node[parent];
    l = children_of(c, parent);
    if (n->winner == QUOTA_NONE) {
        const uint32_t i = n->at;

        if (i == QUOTA_NONE)
            return;
        n->at = QUOTA_NONE;
        if (i == --up->active)
            return;
        child_put(&l, i, l.slot[up->active]);
        (void)gs_heap_settle(&by_share, &l, up->active, i);
        return;
    }
    share_set(c, node);
    if (n->at == QUOTA_NONE)
        child_put(&l, up->active++, node);
    (void)gs_heap_settle(&by_share, &l, up->active, n->at);
}

static void list(struct contest *c, uint32_t node, uint32_t entry)
{
    c->node[node].own = entry;
    for (uint32_t n = node; n != QUOTA_NONE && c->node[n].winner == QUOTA_NONE;
         n = quotas_node(c->q, n)->parent) {
        c->node[n].winner = entry; /* listed */
        (void)gs_numbers_add(&c->listed, n);
        if (quotas_is_root(quotas_node(c->q, n)))
            (void)gs_numbers_add(&c->order, n);
    }
}

void contest_begin(struct contest *c, const struct contest_entry *entry,
                   uint32_t entries)
{
    uint32_t tallest = 0;

    c->entry = entry;
    c->entries = entries;
    c->last = QUOTA_NONE;
    c->order.count = c->next = 0;
    c->listed.count = 0;
    for (uint32_t i = 0; i < entries; i++) {
        if (c->shares)
            list(c, entry[i].node, i);
        else if (entry[i].choice.mode != QUOTA_NO_FIT)
            (void)gs_numbers_add(&c->order, i);
    }
    order_sort(c);
    for (uint32_t i = 0; i < c->listed.count; i++) {
        const uint32_t h = quotas_node(c->q, c->listed.at[i])->height;

        tallest = h > tallest ? h : tallest;
    }
    for (uint32_t h = 0; c->listed.count && h <= tallest; h++) {
        for (uint32_t i = 0; i < c->listed.count; i++) {
            if (quotas_node(c->q, c->listed.at[i])->height == h)
                rank(c, c->listed.at[i]);
        }
    }
}

/* The last winner is out: compare those on its path anew. */
static void winner_drop(struct contest *c, uint32_t entry)
{
    uint32_t n = c->entry[entry].node;

    c->node[n].own = QUOTA_NONE;
    for (; n != QUOTA_NONE; n = quotas_node(c->q, n)->parent)
        rank(c, n);
}

uint32_t contest_next(struct contest *c)
{
    if (!c->shares)
        return c->next < c->order.count ? c->order.at[c->next++] : QUOTA_NONE;
    if (c->last != QUOTA_NONE)
        winner_drop(c, c->last);
    c->last = QUOTA_NONE;
    while (c->next < c->order.count && c->last == QUOTA_NONE) {
        c->last = c->node[c->order.at[c->next]].winner;
        c->next += c->last == QUOTA_NONE;
    }
    return c->last;
}
