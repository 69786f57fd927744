/* policies/pending/rival_trie.c - see rival_trie.h. */
#include "policies/pending/rival_trie.h"

#include <assert.h>

#include "base/heap.h"
#include "policies/state/jobs.h"

#define SPARE_NODES 1024u /* that may be empty beside as many as are not */

/* --- members -------------------------------------------------------------- */

void gsched_rival_entry(const struct gsched *s, uint32_t cqueue,
                        struct contest_entry *e)
{
    const uint32_t job = gsched_first_of(s, cqueue),
                   queue = s->work->job[job].queue;

    e->job = job;
    e->node = queue;
    e->priority = s->work->klass[s->work->job[job].klass].value;
    e->since = gsched_job(s, job)->since;
    e->choice.level = quotas_node(s->quotas->q,
                                  gsched_root_of(s, gsched_tree_of(s, queue)))
                          ->height;
}

bool gsched_rival_before(const struct gsched *s, uint32_t a, uint32_t b)
{
    struct contest_entry x, y;

    gsched_rival_entry(s, a, &x);
    gsched_rival_entry(s, b, &y);
    return contest_compare(&x, &y) < 0;
}

struct members {
    struct gsched *s;
    uint32_t *at;
};

static bool member_before(const void *of, uint32_t i, uint32_t k)
{
    const struct members *m = of;

    return gsched_rival_before(m->s, m->at[i], m->at[k]);
}

static void member_put(const struct members *m, uint32_t i, uint32_t cqueue)
{
    m->at[i] = cqueue;
    m->s->rivals->rival[cqueue].at = i;
}

static void member_swap(void *of, uint32_t i, uint32_t k)
{
    const struct members *m = of;
    const uint32_t cqueue = m->at[i];

    member_put(m, i, m->at[k]);
    member_put(m, k, cqueue);
}

static const struct gs_heap by_contest = { member_before, member_swap };

struct sought_node {
    const struct gsched_rivals *r;
    uint32_t up, rclass, cell;
};

static bool is_node(const void *of, uint32_t at)
{
    const struct sought_node *k = of;
    const struct rival_node *n = &k->r->node[at];

    return n->up == k->up && n->rclass == k->rclass && n->cell == k->cell;
}

static uint64_t hash_of(uint32_t up, uint32_t rclass, uint32_t cell)
{
    return gs_hash_mix(gs_hash_mix(gs_hash_mix(up, 1), rclass), cell);
}

/* --- nodes ---------------------------------------------------------------- */

static void nodes_sweep(struct gsched_rivals *r)
{
    if (r->next.count || r->nodes - r->free.count < 2 * r->live + SPARE_NODES)
        return;
    gs_hash_clear(&r->index);
    r->free.count = 0;
    for (uint32_t i = 0; i < r->nodes; i++) {
        const struct rival_node *n = &r->node[i];

        if (n->member.count)
            gs_hash_put(&r->index, hash_of(n->up, n->rclass, n->cell), i);
        else if (n->rclass != NONE)
            (void)gs_numbers_add(&r->free, i);
    }
}

static uint32_t node_new(struct gsched_rivals *r)
{
    if (r->free.count)
        return r->free.at[--r->free.count];
    r->node = gs_array_grow(r->node, &r->node_cap, r->nodes + 1,
                            sizeof(*r->node));
    return r->nodes++;
}

/* The child of the node for the request class, which wants so much. */
static uint32_t node_of(struct gsched_rivals *r, uint32_t up, uint32_t rclass,
                        const struct quota_want *want)
{
    const struct sought_node k = { r, up, rclass, want->cell };
    const uint64_t hash = hash_of(up, rclass, want->cell);
    uint32_t i = gs_hash_find(&r->index, hash, is_node, &k);
    struct rival_node *n;

    if (i == GS_HASH_NONE) {
        i = node_new(r);
        r->node[i].up = up;
        r->node[i].rclass = rclass;
        r->node[i].cell = want->cell;
        gs_hash_put(&r->index, hash, i);
    }
    n = &r->node[i];
    if (n->member.count)
        return i;
    n->want = n->least = want->amount;
    n->noted = 0;
    n->first_child = n->before = NONE;
    n->next = r->node[up].first_child;
    if (n->next != NONE)
        r->node[n->next].before = i;
    r->node[up].first_child = i;
    r->live++;
    return i;
}

/* The node has no members any more. */
static void node_end(struct gsched_rivals *r, uint32_t i)
{
    const struct rival_node *n = &r->node[i];

    assert(n->first_child == NONE);
    if (n->before == NONE)
        r->node[n->up].first_child = n->next;
    else
        r->node[n->before].next = n->next;
    if (n->next != NONE)
        r->node[n->next].before = n->before;
    r->live--;
}

/* --- into it and out ------------------------------------------------------ */

struct in_queue {
    uint32_t *at;
    struct gsched *s;
};

/* Later, so that sinking sorts. */
static bool cqueue_after(const void *of, uint32_t i, uint32_t k)
{
    const struct in_queue *q = of;

    return gsched_cqueue_before(q->s, q->at[k], q->at[i]);
}

void gsched_trie_add(struct gsched *s, uint32_t queue)
{
    static const struct gs_heap last_first = { cqueue_after,
                                               gs_heap_swap_numbers };
    struct gsched_rivals *r = s->rivals;
    struct quota_queue *q = &s->quotas->queue[queue];
    struct in_queue of = { q->sleeping.at, s };
    uint32_t node = r->tree[gsched_tree_of(s, queue)].top;
    int64_t least = INT64_MAX;

    gs_heap_sort(&last_first, &of, q->sleeping.count);
    for (uint32_t i = 0; i < q->sleeping.count; i++) {
        const uint32_t cqueue = q->sleeping.at[i];
        struct quota_want want;
        struct members m;

        (void)quota_sleeper_want(&s->quotas->sleepers, cqueue, &want);
        node = node_of(r, node, s->pending->cqueue[cqueue].rclass, &want);
        r->rival[cqueue].node = node;
        r->rival[cqueue].since = r->notes;
        r->rival[cqueue].at = gs_numbers_add(&r->node[node].member, cqueue);
        m = (struct members){ s, r->node[node].member.at };
        (void)gs_heap_rise(&by_contest, &m, r->rival[cqueue].at);
        quota_sleep_apart(&s->quotas->sleepers, cqueue);
    }
    for (uint32_t i = q->sleeping.count; i-- > 0;) {
        struct rival_node *n = &r->node[r->rival[q->sleeping.at[i]].node];

        least = n->want < least ? n->want : least;
        n->least = n->least < least ? n->least : least;
    }
    q->is_filed = true;
}

void gsched_trie_drop(struct gsched *s, uint32_t cqueue)
{
    struct gsched_rivals *r = s->rivals;
    struct rival *it = &r->rival[cqueue];
    struct rival_node *n = &r->node[it->node];
    struct members m = { s, n->member.at };
    const uint32_t at = it->at;
    uint32_t last;

    assert(n->member.at[at] == cqueue);
    last = gs_numbers_take(&n->member, at);
    if (at < n->member.count) {
        member_put(&m, at, last);
        (void)gs_heap_settle(&by_contest, &m, n->member.count, at);
    }
    if (n->member.count == 0)
        node_end(r, it->node);
    it->node = NONE;
    quota_sleep_together(&s->quotas->sleepers, cqueue);
}

uint32_t gsched_trie_top(struct gsched_rivals *r)
{
    const uint32_t top = node_new(r);

    r->node[top].up = r->node[top].rclass = r->node[top].first_child = NONE;
    return top;
}

void gsched_trie_grow(struct gsched *s)
{
    struct gsched_rivals *r = s->rivals;

    nodes_sweep(r);
    r->rival = gs_array_grow(r->rival, &r->rival_cap, s->pending->cqueue_count,
                             sizeof(*r->rival));
    for (; r->rivals < s->pending->cqueue_count; r->rivals++)
        r->rival[r->rivals].node = NONE;
}
