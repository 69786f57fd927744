/* policies/pending/quota_rivals.c - see quota_rivals.h. */
#include "policies/pending/quota_rivals.h"

#include <assert.h>

#include "base/arena.h"
#include "base/heap.h"
#include "policies/pending/quota_aside.h"
#include "policies/pending/quota_lacks.h"
#include "policies/pending/rival_trie.h"
#include "policies/state/jobs.h"

/* --- into it and out ------------------------------------------------------ */

bool gsched_rivals_have(const struct gsched *s, uint32_t queue)
{
    return s->quotas->queue[queue].is_filed;
}

void gsched_rivals_slept(struct gsched *s, uint32_t queue)
{
    struct rival_tree *t = &s->rivals->tree[gsched_tree_of(s, queue)];

    if (!t->is_plain || s->quotas->queue[queue].is_new)
        return;
    s->quotas->queue[queue].is_new = true;
    (void)gs_numbers_add(&t->new, queue);
}

const struct quota_lack *gsched_rivals_lack(const struct gsched *s,
                                            uint32_t cqueue)
{
    const struct gsched_rivals *r = s->rivals;
    const uint32_t queue = s->pending->cqueue[cqueue].queue;
    const struct rival_node *n;

    if (!gsched_rivals_have(s, queue) || cqueue >= r->rivals
        || r->rival[cqueue].node == NONE)
        return NULL;
    n = &r->node[r->rival[cqueue].node];
    return n->noted > r->rival[cqueue].since ? &n->lack : NULL;
}

static void rival_leave(struct gsched *s, uint32_t cqueue)
{
    const struct quota_lack *lack = gsched_rivals_lack(s, cqueue);

    if (lack) {
        s->quotas->queue_lack[cqueue] = *lack;
        s->quotas->queue_lack[cqueue].what.queue =
            s->pending->cqueue[cqueue].queue;
    }
    gsched_trie_drop(s, cqueue);
}

void gsched_rivals_leave(struct gsched *s, uint32_t queue)
{
    struct quota_queue *q = &s->quotas->queue[queue];

    if (!q->is_filed)
        return;
    for (uint32_t i = q->sleeping.count; i-- > 0;)
        rival_leave(s, q->sleeping.at[i]);
    q->is_filed = false;
    q->was_filed = true;
    gsched_rivals_slept(s, queue);
}

/* Does every job of the class queue ask for one amount of one flavor? */
static bool is_rigid(struct gsched *s, uint32_t cqueue)
{
    struct rival *it = &s->rivals->rival[cqueue];
    struct flavor_query f;

    if (it->rigid)
        return it->rigid == 1;
    f = gsched_quota_query(s, gsched_first_of(s, cqueue));
    it->rigid = f.list->count == f.list->sets ? 1 : 2;
    for (uint32_t k = 0; k < f.kinds; k++) {
        if (f.kind[k].least < f.kind[k].tasks)
            it->rigid = 2;
    }
    return it->rigid == 1;
}

/* Can the sleeping queue be in the trie? */
static bool may_file(struct gsched *s, uint32_t queue)
{
    const struct quota_queue *q = &s->quotas->queue[queue];
    bool may = q->active.count == 0;
    struct quota_want want;

    for (uint32_t i = 0; i < q->sleeping.count && may; i++)
        may =
            !s->work->job[gsched_first_of(s, q->sleeping.at[i])].aside->admitted
            && quota_sleeper_want(&s->quotas->sleepers, q->sleeping.at[i],
                                  &want)
            && want.node == gsched_root_of(s, gsched_tree_of(s, queue))
            && is_rigid(s, q->sleeping.at[i]);
    return may;
}

/* A job waits at the root itself, whose quota is its own. */
static bool root_waits(const struct gsched *s, uint32_t tree)
{
    const struct quota_queue *q = &s->quotas->queue[gsched_root_of(s, tree)];

    return q->active.count || q->sleeping.count || q->is_roused;
}

/* Wake all that are in the trie of the tree; the nodes of the first class
 * queues have all of them.
 */
static void all_rouse(struct gsched *s, uint32_t tree)
{
    struct gsched_rivals *r = s->rivals;
    const struct rival_node *top = &r->node[r->tree[tree].top];

    while (top->first_child != NONE)
        gsched_aside_rouse(
            s,
            s->pending->cqueue[r->node[top->first_child].member.at[0]].queue);
}

void gsched_rivals_file(struct gsched *s, uint32_t tree)
{
    struct gsched_rivals *r = s->rivals;
    struct rival_tree *t = &r->tree[tree];

    if (!t->is_plain)
        return;
    if (root_waits(s, tree)) {
        t->is_plain = false;
        all_rouse(s, tree);
    }
    gsched_trie_grow(s);
    for (uint32_t i = 0; i < t->new.count; i++) {
        struct quota_queue *q = &s->quotas->queue[t->new.at[i]];

        q->is_new = false;
        if (q->sleeping.count == 0 || q->is_filed)
            continue;
        if (t->is_plain && may_file(s, t->new.at[i]))
            gsched_trie_add(s, t->new.at[i]);
        else if (q->was_filed) /* quota may have been freed meanwhile */
            gsched_aside_rouse(s, t->new.at[i]);
    }
    t->new.count = 0;
}

/* --- a pass --------------------------------------------------------------- */

/* The children of the node come in the next round, but not where all of them
 * want more than is left.
 */
static void children_next(struct gsched *s, uint32_t node, uint32_t root,
                          struct gs_numbers *next)
{
    const struct gsched_rivals *r = s->rivals;
    const struct quota_tree *t = quotas_tree(s->quotas->q,
                                             gsched_tree_of(s, root));
    int64_t most = INT64_MIN;

    for (uint32_t c = 0; c < t->cells; c++) {
        const int64_t room = quotas_room(s->quotas->q, root, c);

        most = room > most ? room : most;
    }
    for (uint32_t i = r->node[node].first_child; i != NONE;
         i = r->node[i].next) {
        if (r->node[i].least <= most)
            (void)gs_numbers_add(next, i);
    }
}

void gsched_rivals_begin(struct gsched *s, uint32_t tree)
{
    if (s->rivals->tree[tree].is_plain)
        children_next(s, s->rivals->tree[tree].top, gsched_root_of(s, tree),
                      &s->rivals->next);
}

static bool tried_before(const void *of, uint32_t i, uint32_t k)
{
    const struct gsched *s = of;
    const struct gsched_rivals *r = s->rivals;

    return gsched_rival_before(s, r->node[r->tried.at[i]].member.at[0],
                               r->node[r->tried.at[k]].member.at[0]);
}

static void tried_swap(void *of, uint32_t i, uint32_t k)
{
    uint32_t *at = ((struct gsched *)of)->rivals->tried.at;
    const uint32_t it = at[i];

    at[i] = at[k];
    at[k] = it;
}

static const struct gs_heap by_first = { tried_before, tried_swap };

/* Its queue is awake from the class queue on; those before it were refused in
 * this pass, and sleep.
 */
static void rival_wake(struct gsched *s, uint32_t cqueue)
{
    const uint32_t queue = s->pending->cqueue[cqueue].queue;
    const struct quota_queue *q = &s->quotas->queue[queue];
    uint32_t i = 0;

    gsched_rivals_leave(s, queue);
    while (q->sleeping.at[i] != cqueue)
        i++;
    gsched_aside_wake_from(s, queue, i);
}

/* The node is tried in this round, if its members fit.  Where they do not
 * although they got what they waited for, they are awake, and find out what
 * else they lack.
 */
static void node_turn(struct gsched *s, uint32_t i)
{
    struct gsched_rivals *r = s->rivals;
    const struct rival_node *n = &r->node[i];
    struct flavor_query f;
    uint32_t root;

    if (n->member.count == 0)
        return;
    root = gsched_root_of(
        s, gsched_tree_of(s, s->pending->cqueue[n->member.at[0]].queue));
    if (n->want > quotas_room(s->quotas->q, root, n->cell)) {
        children_next(s, i, root, &r->next);
        return;
    }
    f = gsched_quota_query(s, gsched_first_of(s, n->member.at[0]));
    flavor_choose(&f, NULL, NULL, &r->choice);
    if (r->choice.mode == QUOTA_FITS) {
        (void)gs_numbers_add(&r->tried, i);
        (void)gs_heap_rise(&by_first, s, r->tried.count - 1);
        return;
    }
    while (n->member.count)
        rival_wake(s, n->member.at[0]);
}

void gsched_rivals_turn(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;
    const struct gs_numbers turn = r->next;

    assert(r->tried.count == 0 && r->lost.count == 0);
    r->next = r->turn;
    r->turn = turn;
    r->next.count = 0;
    for (uint32_t i = 0; i < r->turn.count; i++)
        node_turn(s, r->turn.at[i]);
}

bool gsched_rivals_wait(const struct gsched *s)
{
    return s->rivals->tried.count || s->rivals->next.count;
}

/* The first node of those that are tried has another first member, or none. */
static void tried_settle(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    if (r->node[r->tried.at[0]].member.count == 0)
        (void)gs_numbers_take(&r->tried, 0);
    (void)gs_heap_sink(&by_first, s, r->tried.count, 0);
}

bool gsched_rivals_first(struct gsched *s, struct contest_entry *out)
{
    const struct gsched_rivals *r = s->rivals;

    if (r->tried.count == 0)
        return false;
    gsched_rival_entry(s, r->node[r->tried.at[0]].member.at[0], out);
    return true;
}

void gsched_rivals_won(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    rival_wake(s, r->node[r->tried.at[0]].member.at[0]);
    tried_settle(s);
}

void gsched_rivals_lost(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    (void)gs_numbers_add(&r->lost, r->tried.at[0]);
    (void)gs_numbers_take(&r->tried, 0);
    (void)gs_heap_sink(&by_first, s, r->tried.count, 0);
}

void gsched_rivals_end(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    assert(r->tried.count == 0);
    for (uint32_t i = 0; i < r->lost.count; i++) {
        struct rival_node *n = &r->node[r->lost.at[i]];
        const uint32_t cqueue = n->member.at[0];

        assert(n->member.count);
        gsched_lack_note(s, cqueue, gsched_first_of(s, cqueue));
        n->lack = s->quotas->queue_lack[cqueue];
        n->noted = ++r->notes;
        (void)gs_numbers_add(&r->next, r->lost.at[i]);
    }
    r->lost.count = 0;
}

void gsched_rivals_stop(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    while (r->next.count) {
        const struct rival_node *n = &r->node[r->next.at[--r->next.count]];
        uint32_t tree;

        if (n->member.count == 0)
            continue;
        tree = gsched_tree_of(s, s->pending->cqueue[n->member.at[0]].queue);
        all_rouse(s, tree);
        s->quotas->wake[tree].is_freed = true;
        gsched_quota_moved(s, tree);
    }
}

/* --- open ----------------------------------------------------------------- */

/* Has the queue, unless it is the root, neither quota nor a bound of its own,
 * and does it evict no job?
 */
static bool is_plain(const struct quotas *q, uint32_t node)
{
    const struct quota_node *n = quotas_node(q, node);
    const struct quota_policy *p = &n->policy;
    bool is = p->within == QUOTA_NEVER && p->reclaim == QUOTA_NEVER
              && !p->borrows && !p->is_strict;

    for (uint32_t c = 0;
         c < quotas_tree(q, n->tree)->cells && !quotas_is_root(n) && is; c++) {
        const struct quota_amount *a = quotas_amount(q, node, c);

        is = a->local == 0 && a->subtree == 0 && a->borrow < 0;
    }
    return is;
}

void gsched_rivals_open(struct gsched *s)
{
    const struct gsched_quotas *q = s->quotas;
    struct gsched_rivals *r;
    uint32_t trees;

    if (!q)
        return;
    trees = quotas_trees(q->q);
    r = s->rivals = gs_arena_alloc(s->arena, 1, sizeof(*r));
    r->tree = gs_arena_alloc(s->arena, trees, sizeof(*r->tree));
    for (uint32_t t = 0; t < trees; t++) {
        r->tree[t].is_plain = !q->how.shares && !q->how.one_by_one
                              && !q->how.with_room && !q->how.by_time
                              && !s->modules->usage;
        r->tree[t].top = gsched_trie_top(r);
    }
    for (uint32_t n = 0; n < quotas_nodes(q->q); n++)
        r->tree[gsched_tree_of(s, n)].is_plain &= is_plain(q->q, n);
}

void gsched_rivals_free(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    if (!r)
        return;
    for (uint32_t i = 0; i < r->nodes; i++)
        gs_array_free(r->node[i].member.at);
    for (uint32_t t = 0; t < quotas_trees(s->quotas->q); t++)
        gs_array_free(r->tree[t].new.at);
    gs_array_free(r->node);
    gs_array_free(r->free.at);
    gs_hash_free(&r->index);
    gs_array_free(r->rival);
    gs_array_free(r->turn.at);
    gs_array_free(r->next.at);
    gs_array_free(r->tried.at);
    gs_array_free(r->lost.at);
    flavor_choice_free(&r->choice);
}
