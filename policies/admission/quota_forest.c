/* policies/admission/quota_forest.c - the forest of queues, its cells, and the
 * amounts that they state; see quotas.h.
 */
#include "policies/admission/quota_forest.h"

#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/heap.h"

/* --- the forest ----------------------------------------------------------- */

static uint32_t depth_of(const struct quotas *q, uint32_t node)
{
    uint32_t depth = 0;

    for (; !quotas_is_root(&q->node[node]); node = q->node[node].parent)
        depth++;
    return depth;
}

/* Parents before their children; equal depths by number. */
static void depths_sort(struct quotas *q)
{
    uint32_t put = 0, left = q->nodes;

    for (uint32_t depth = 0; left > 0; depth++) {
        for (uint32_t n = 0; n < q->nodes; n++) {
            if (depth_of(q, n) != depth)
                continue;
            q->by_depth[put++] = n;
            left--;
        }
    }
}

struct quotas *quotas_create(uint32_t nodes, const uint32_t *parent)
{
    struct quotas *q = gs_array_new(1, sizeof(*q));

    q->nodes = nodes;
    q->node = gs_array_new(nodes, sizeof(*q->node));
    q->tree = gs_array_new(nodes, sizeof(*q->tree));
    q->by_depth = gs_array_new(nodes, sizeof(*q->by_depth));
    for (uint32_t n = 0; n < nodes; n++) {
        q->node[n].parent = parent[n];
        q->node[n].first_child = q->node[n].next_child = QUOTA_NONE;
        q->node[n].weight = 1;
    }
    depths_sort(q);
    for (uint32_t i = 0; i < nodes; i++) {
        struct quota_node *n = &q->node[q->by_depth[i]];

        if (quotas_is_root(n)) {
            n->tree = q->trees;
            q->tree[q->trees++].root = q->by_depth[i];
        } else {
            n->tree = q->node[n->parent].tree;
        }
    }
    for (uint32_t i = nodes; i-- > 0;) { /* children in order of number */
        struct quota_node *n = &q->node[q->by_depth[i]];
        struct quota_node *up = quotas_is_root(n) ? NULL : &q->node[n->parent];

        if (!up)
            continue;
        n->next_child = up->first_child;
        up->first_child = q->by_depth[i];
        if (up->height < n->height + 1)
            up->height = n->height + 1;
    }
    return q;
}

void quotas_free(struct quotas *q)
{
    if (!q)
        return;
    for (uint32_t n = 0; n < q->nodes; n++)
        gs_array_free(q->node[n].jobs.at);
    gs_array_free(q->node);
    gs_array_free(q->tree);
    gs_array_free(q->by_depth);
    gs_array_free(q->stated);
    gs_array_free(q->amount);
    gs_array_free(q->need);
    gs_array_free(q->ask);
    gs_hash_free(&q->needs);
    gs_far_free(q->far, q->job);
    gs_array_free(q);
}

/* --- cells ---------------------------------------------------------------- */

void quotas_cell(struct quotas *q, uint32_t node, uint32_t flavor, uint32_t dim)
{
    assert(node < q->nodes && !q->amount);
    q->stated = gs_array_grow(q->stated, &q->stated_cap, q->stated_count + 1,
                              sizeof(*q->stated));
    q->stated[q->stated_count++] = (struct stated_cell){ q->node[node].tree,
                                                         { flavor, dim } };
}

static int stated_compare(const struct stated_cell *a,
                          const struct stated_cell *b)
{
    if (a->tree != b->tree)
        return a->tree < b->tree ? -1 : 1;
    if (a->cell.dim != b->cell.dim)
        return a->cell.dim < b->cell.dim ? -1 : 1;
    return (a->cell.flavor > b->cell.flavor)
           - (a->cell.flavor < b->cell.flavor);
}

static bool stated_after(const void *of, uint32_t a, uint32_t b)
{
    const struct stated_cell *s = of;

    return stated_compare(&s[a], &s[b]) > 0;
}

GS_HEAP_SWAP(stated_swap, struct stated_cell)

static void stated_sort(struct quotas *q)
{
    static const struct gs_heap last_first = { stated_after, stated_swap };
    uint32_t kept = 0;

    gs_heap_sort(&last_first, q->stated, q->stated_count);
    for (uint32_t i = 0; i < q->stated_count; i++) {
        if (kept == 0 || stated_compare(&q->stated[kept - 1], &q->stated[i]))
            q->stated[kept++] = q->stated[i];
    }
    q->stated_count = kept;
}

void quotas_cells_done(struct quotas *q)
{
    size_t amounts = 0;

    stated_sort(q);
    for (uint32_t i = q->stated_count; i-- > 0;) {
        struct quota_tree *t = &q->tree[q->stated[i].tree];

        t->first_cell = i;
        t->cells++;
    }
    for (uint32_t n = 0; n < q->nodes; n++) {
        q->node[n].first = (uint32_t)amounts;
        amounts += q->tree[q->node[n].tree].cells;
    }
    q->amount = gs_array_new(amounts + 1, sizeof(*q->amount));
    for (size_t i = 0; i < amounts; i++)
        q->amount[i].borrow = q->amount[i].lend = -1;
}

uint32_t quotas_cell_find(const struct quotas *q, uint32_t node,
                          uint32_t flavor, uint32_t dim)
{
    const struct quota_tree *t = &q->tree[q->node[node].tree];
    const struct stated_cell sought = { q->node[node].tree, { flavor, dim } };
    uint32_t low = 0, high = t->cells;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = stated_compare(&q->stated[t->first_cell + middle],
                                         &sought);

        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return QUOTA_NONE;
}

void quotas_amount_set(struct quotas *q, uint32_t node, uint32_t cell,
                       int64_t nominal, int64_t borrow, int64_t lend)
{
    struct quota_amount *a = quota_amount_of(q, node, cell);

    assert(nominal >= 0);
    a->nominal = nominal;
    a->borrow = borrow;
    a->lend = lend;
}

static void subtree_set(struct quotas *q, uint32_t node, uint32_t cell)
{
    struct quota_amount *a = quota_amount_of(q, node, cell);

    a->subtree = a->nominal;
    for (uint32_t c = q->node[node].first_child; c != QUOTA_NONE;
         c = q->node[c].next_child) {
        const struct quota_amount *below = quota_amount_of(q, c, cell);

        a->subtree = quota_sum(a->subtree,
                               quota_less(below->subtree, below->local));
    }
    a->local = a->lend < 0 || quotas_is_root(&q->node[node])
                   ? 0
                   : quota_above_zero(quota_less(a->subtree, a->lend));
}

static void potential_set(struct quotas *q, uint32_t node, uint32_t cell)
{
    const struct quota_node *n = &q->node[node];
    struct quota_amount *a = quota_amount_of(q, node, cell);

    a->potential = a->subtree;
    if (quotas_is_root(n))
        return;
    a->potential = quota_sum(a->local,
                             quota_amount_of(q, n->parent, cell)->potential);
    if (a->borrow >= 0)
        a->potential = quota_least(quota_sum(a->subtree, a->borrow),
                                   a->potential);
}

const struct quota_cell *quotas_cell_at(const struct quotas *q, uint32_t tree,
                                        uint32_t cell)
{
    assert(cell < q->tree[tree].cells);
    return &q->stated[q->tree[tree].first_cell + cell].cell;
}

static void lendable_set(struct quotas *q, uint32_t node)
{
    const uint32_t tree = q->node[node].tree;
    uint32_t first = 0;

    for (uint32_t c = 0; c < q->tree[tree].cells; c++) {
        if (quotas_cell_at(q, tree, c)->dim
            != quotas_cell_at(q, tree, first)->dim)
            first = c;
        quota_amount_of(q, node, first)->lendable = quota_sum(
            c == first ? 0 : quota_amount_of(q, node, first)->lendable,
            quota_amount_of(q, node, c)->potential);
    }
}

void quotas_settle(struct quotas *q)
{
    for (uint32_t i = q->nodes; i-- > 0;) {
        const uint32_t node = q->by_depth[i];

        for (uint32_t c = 0; c < q->tree[q->node[node].tree].cells; c++)
            subtree_set(q, node, c);
    }
    for (uint32_t i = 0; i < q->nodes; i++) {
        const uint32_t node = q->by_depth[i];

        for (uint32_t c = 0; c < q->tree[q->node[node].tree].cells; c++)
            potential_set(q, node, c);
        lendable_set(q, node);
    }
}

struct quota_node *quotas_node(const struct quotas *q, uint32_t node)
{
    assert(node < q->nodes);
    return &q->node[node];
}

const struct quota_tree *quotas_tree(const struct quotas *q, uint32_t tree)
{
    assert(tree < q->trees);
    return &q->tree[tree];
}

const struct quota_amount *quotas_amount(const struct quotas *q, uint32_t node,
                                         uint32_t cell)
{
    return quota_amount_of(q, node, cell);
}

uint32_t quotas_nodes(const struct quotas *q)
{
    return q->nodes;
}

uint32_t quotas_trees(const struct quotas *q)
{
    return q->trees;
}
