/* policies/admission/quotas.c - see quotas.h. */
#include "policies/admission/quotas.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/heap.h"

struct need {
    uint32_t first, count;
};

struct quotas {
    struct quota_node *node;
    struct quota_tree *tree;
    uint32_t nodes, trees;
    struct stated_cell {
        uint32_t tree;
        struct quota_cell cell;
    } * stated; /* as they are named; in order, each once, when done */
    uint32_t stated_count, stated_cap;
    uint32_t *by_depth; /* nodes, parents first */
    struct quota_amount *amount;
    struct need *need;
    uint32_t need_count, need_cap;
    struct quota_ask *ask;
    uint32_t ask_count, ask_cap;
    struct gs_hash needs;
    struct quota_job *job;
    uint32_t job_count, job_cap;
};

static int64_t sum(int64_t a, int64_t b)
{
    int64_t out;

    return __builtin_add_overflow(a, b, &out) ? QUOTA_UNLIMITED : out;
}

static int64_t less(int64_t a, int64_t b)
{
    return a == QUOTA_UNLIMITED ? a : a - b;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t above_zero(int64_t a)
{
    return a > 0 ? a : 0;
}

static struct quota_amount *amount_of(const struct quotas *q, uint32_t node,
                                      uint32_t cell)
{
    assert(node < q->nodes && cell < q->tree[q->node[node].tree].cells);
    return &q->amount[q->node[node].first + cell];
}

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
    gs_array_free(q->job);
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

static void stated_swap(void *of, uint32_t a, uint32_t b)
{
    struct stated_cell *s = of;
    const struct stated_cell it = s[a];

    s[a] = s[b];
    s[b] = it;
}

static void stated_sort(struct quotas *q)
{
    static const struct gs_heap last_first = { stated_after, stated_swap };
    uint32_t kept = 0;

    gs_heap_build(&last_first, q->stated, q->stated_count);
    for (uint32_t n = q->stated_count; n > 1; n--) {
        stated_swap(q->stated, 0, n - 1);
        (void)gs_heap_sink(&last_first, q->stated, n - 1, 0);
    }
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
    struct quota_amount *a = amount_of(q, node, cell);

    assert(nominal >= 0);
    a->nominal = nominal;
    a->borrow = borrow;
    a->lend = lend;
}

static void subtree_set(struct quotas *q, uint32_t node, uint32_t cell)
{
    struct quota_amount *a = amount_of(q, node, cell);

    a->subtree = a->nominal;
    for (uint32_t c = q->node[node].first_child; c != QUOTA_NONE;
         c = q->node[c].next_child) {
        const struct quota_amount *below = amount_of(q, c, cell);

        a->subtree = sum(a->subtree, less(below->subtree, below->local));
    }
    a->local = a->lend < 0 || quotas_is_root(&q->node[node])
                   ? 0
                   : above_zero(less(a->subtree, a->lend));
}

static void potential_set(struct quotas *q, uint32_t node, uint32_t cell)
{
    const struct quota_node *n = &q->node[node];
    struct quota_amount *a = amount_of(q, node, cell);

    a->potential = a->subtree;
    if (quotas_is_root(n))
        return;
    a->potential = sum(a->local, amount_of(q, n->parent, cell)->potential);
    if (a->borrow >= 0)
        a->potential = least(sum(a->subtree, a->borrow), a->potential);
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
        amount_of(q, node, first)->lendable = sum(
            c == first ? 0 : amount_of(q, node, first)->lendable,
            amount_of(q, node, c)->potential);
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
    return amount_of(q, node, cell);
}

uint32_t quotas_nodes(const struct quotas *q)
{
    return q->nodes;
}

uint32_t quotas_trees(const struct quotas *q)
{
    return q->trees;
}

/* --- usage ---------------------------------------------------------------- */

int64_t quotas_left_local(const struct quotas *q, uint32_t node, uint32_t cell)
{
    const struct quota_amount *a = amount_of(q, node, cell);

    return above_zero(less(a->local, a->usage));
}

void quotas_use(struct quotas *q, uint32_t node, uint32_t cell, int64_t amount)
{
    assert(amount >= 0);
    while (node != QUOTA_NONE && amount > 0) {
        const int64_t local = quotas_left_local(q, node, cell);
        struct quota_amount *a = amount_of(q, node, cell);

        a->usage = sum(a->usage, amount);
        amount = above_zero(amount - local);
        node = q->node[node].parent;
    }
}

void quotas_unuse(struct quotas *q, uint32_t node, uint32_t cell,
                  int64_t amount)
{
    while (node != QUOTA_NONE && amount > 0) {
        struct quota_amount *a = amount_of(q, node, cell);
        const int64_t beyond = above_zero(a->usage - a->local);

        assert(a->usage >= amount);
        a->usage -= amount;
        amount = least(amount, beyond);
        node = q->node[node].parent;
    }
}

void quotas_use_all(struct quotas *q, uint32_t node,
                    const struct quota_ask *ask, uint32_t asks)
{
    for (uint32_t i = 0; i < asks; i++)
        quotas_use(q, node, ask[i].cell, ask[i].amount);
}

void quotas_unuse_all(struct quotas *q, uint32_t node,
                      const struct quota_ask *ask, uint32_t asks)
{
    for (uint32_t i = 0; i < asks; i++)
        quotas_unuse(q, node, ask[i].cell, ask[i].amount);
}

/* What is left; below 0 where more is used than there is. */
static int64_t left(const struct quotas *q, uint32_t node, uint32_t cell)
{
    const struct quota_amount *a = amount_of(q, node, cell);
    int64_t up;

    if (quotas_is_root(&q->node[node]))
        return less(a->subtree, a->usage);
    up = left(q, q->node[node].parent, cell);
    if (a->borrow >= 0) {
        const int64_t lent = less(a->subtree, a->local);
        const int64_t used = above_zero(a->usage - a->local);

        up = least(sum(less(lent, used), a->borrow), up);
    }
    return sum(quotas_left_local(q, node, cell), up);
}

int64_t quotas_left(const struct quotas *q, uint32_t node, uint32_t cell)
{
    return above_zero(left(q, node, cell));
}

bool quotas_borrows(const struct quotas *q, uint32_t node, uint32_t cell,
                    int64_t amount)
{
    const struct quota_amount *a = amount_of(q, node, cell);

    return sum(a->usage, amount) > a->subtree;
}

uint32_t quotas_level(const struct quotas *q, uint32_t node, uint32_t cell,
                      int64_t amount, bool *is_below)
{
    uint32_t n = node;

    while (quotas_borrows(q, n, cell, amount) && !quotas_is_root(&q->node[n])) {
        amount = less(amount, quotas_left_local(q, n, cell));
        n = q->node[n].parent;
    }
    /* of the whole tree, too, when nothing below it is enough */
    *is_below = !quotas_is_root(&q->node[n]);
    return n == node ? 0 : q->node[n].height;
}

struct quota_share quotas_share(const struct quotas *q, uint32_t node)
{
    const struct quota_node *n = &q->node[node];
    struct quota_share s = { .weight = n->weight };
    uint32_t first = 0;
    int64_t borrowed = 0;

    for (uint32_t c = 0; !quotas_is_root(n) && c < q->tree[n->tree].cells;
         c++) {
        const struct quota_amount *a = amount_of(q, node, c);
        const int64_t more = above_zero(a->usage - a->subtree);
        int64_t lendable;
        double ratio;

        if (quotas_cell_at(q, n->tree, c)->dim
            != quotas_cell_at(q, n->tree, first)->dim) {
            first = c;
            borrowed = 0;
        }
        borrowed = sum(borrowed, more);
        s.borrows |= more > 0;
        lendable = amount_of(q, n->parent, first)->lendable;
        if (borrowed == 0 || lendable <= 0)
            continue;
        ratio = (double)borrowed * 1000.0 / (double)lendable;
        if (ratio > s.ratio)
            s.ratio = ratio;
    }
    return s;
}

/* It borrows without a right to any. */
static bool is_beyond(const struct quota_share *s)
{
    return s->weight <= 0 && s->ratio > 0;
}

double quota_share_value(const struct quota_share *s)
{
    if (s->ratio <= 0)
        return 0;
    return s->weight > 0 ? s->ratio / s->weight : (double)INFINITY;
}

int quota_share_compare(const struct quota_share *a,
                        const struct quota_share *b)
{
    const bool x = is_beyond(a), y = is_beyond(b);
    const double v = x ? a->ratio : quota_share_value(a);
    const double w = y ? b->ratio : quota_share_value(b);

    if (x != y)
        return x ? 1 : -1;
    return (v > w) - (v < w);
}

/* --- jobs ----------------------------------------------------------------- */

struct sought_need {
    const struct quotas *q;
    const struct quota_ask *ask;
    uint32_t asks;
};

static bool is_need(const void *of, uint32_t at)
{
    const struct sought_need *k = of;
    const struct need *n = &k->q->need[at];
    bool same = n->count == k->asks;

    for (uint32_t i = 0; same && i < k->asks; i++) {
        const struct quota_ask *it = &k->q->ask[n->first + i];

        same = it->cell == k->ask[i].cell && it->amount == k->ask[i].amount;
    }
    return same;
}

uint32_t quotas_need(struct quotas *q, const struct quota_ask *ask,
                     uint32_t asks)
{
    const struct sought_need k = { q, ask, asks };
    uint64_t hash = asks;
    uint32_t found;

    for (uint32_t i = 0; i < asks; i++)
        hash = gs_hash_mix(gs_hash_mix(hash, ask[i].cell),
                           (uint64_t)ask[i].amount);
    found = gs_hash_find(&q->needs, hash, is_need, &k);
    if (found != GS_HASH_NONE)
        return found;
    q->need = gs_array_grow(q->need, &q->need_cap, q->need_count + 1,
                            sizeof(*q->need));
    q->ask = gs_array_grow(q->ask, &q->ask_cap, q->ask_count + asks,
                           sizeof(*q->ask));
    q->need[q->need_count] = (struct need){ q->ask_count, asks };
    for (uint32_t i = 0; i < asks; i++)
        q->ask[q->ask_count++] = (struct quota_ask){ .cell = ask[i].cell,
                                                     .amount = ask[i].amount };
    gs_hash_put(&q->needs, hash, q->need_count);
    return q->need_count++;
}

const struct quota_ask *quotas_need_at(const struct quotas *q, uint32_t need,
                                       uint32_t *asks)
{
    assert(need < q->need_count);
    *asks = q->need[need].count;
    return q->ask + q->need[need].first;
}

void quotas_jobs_grow(struct quotas *q, uint32_t jobs)
{
    if (jobs <= q->job_count)
        return;
    q->job = gs_array_grow(q->job, &q->job_cap, jobs, sizeof(*q->job));
    for (; q->job_count < jobs; q->job_count++)
        q->job[q->job_count].node = QUOTA_NONE;
}

const struct quota_job *quotas_job(const struct quotas *q, uint32_t job)
{
    assert(job < q->job_count);
    return &q->job[job];
}

void quotas_job_show(struct quotas *q, uint32_t job)
{
    uint32_t asks;
    const struct quota_ask *ask = quotas_need_at(q, q->job[job].need, &asks);

    q->job[job].is_hidden = false;
    quotas_use_all(q, q->job[job].node, ask, asks);
}

void quotas_job_hide(struct quotas *q, uint32_t job)
{
    uint32_t asks;
    const struct quota_ask *ask = quotas_need_at(q, q->job[job].need, &asks);

    assert(!q->job[job].is_hidden);
    q->job[job].is_hidden = true;
    quotas_unuse_all(q, q->job[job].node, ask, asks);
}

void quotas_job_add(struct quotas *q, uint32_t job, const struct quota_job *of)
{
    assert(job < q->job_count && q->job[job].node == QUOTA_NONE);
    q->job[job] = *of;
    q->job[job].at = gs_numbers_add(&q->node[of->node].jobs, job);
    quotas_job_show(q, job);
}

void quotas_job_drop(struct quotas *q, uint32_t job)
{
    struct quota_job *j = &q->job[job];
    struct gs_numbers *jobs = &q->node[j->node].jobs;

    quotas_job_hide(q, job);
    assert(jobs->at[j->at] == job);
    q->job[gs_numbers_take(jobs, j->at)].at = j->at;
    j->node = QUOTA_NONE;
}
