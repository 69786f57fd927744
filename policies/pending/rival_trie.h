/* policies/pending/rival_trie.h - the trie of quota_rivals.h: a node is a
 * request class behind those on the way to it, its members are the class queues
 * that wait so.
 */
#ifndef POLICIES_PENDING_RIVAL_TRIE_H
#define POLICIES_PENDING_RIVAL_TRIE_H

#include "policies/admission/contest.h"
#include "policies/pending/pending.h"
#include "policies/state/quota_holds.h"

/* Class queues that ask for the same, of queues in which the same wait before
 * them.
 */
struct rival_node {
    uint32_t up, rclass, cell;
    int64_t want;  /* of the cell, at the root */
    int64_t least; /* of the wants here and below: no more than that */
    uint32_t first_child, next, before; /* with members; NONE */
    struct gs_numbers member; /* class queues: a heap, the first in the order of
                                 the contest on top */
    struct quota_lack lack;   /* of its members, when one lost at last */
    uint64_t noted;           /* gsched_rivals.notes then */
};

/* A class queue in the trie. */
struct rival {
    uint32_t node, at;
    uint64_t since; /* gsched_rivals.notes when it came */
    uint8_t rigid;  /* 1: asks for one amount of one flavor, 2: not so; 0: not
                       known */
};

struct rival_tree {
    bool is_plain;         /* all quota is the root's, and no job is evicted */
    uint32_t top;          /* node of no class */
    struct gs_numbers new; /* queues that went to sleep */
};

struct gsched_rivals {
    struct rival_tree *tree;
    struct rival_node *node;
    uint32_t nodes, node_cap, live;
    struct gs_numbers free;
    struct gs_hash index; /* of nodes */
    struct rival *rival;  /* [class queue] */
    uint32_t rivals, rival_cap;
    uint64_t notes;
    struct gs_numbers turn, next; /* nodes to be tried in this round, in the
                                     next one */
    struct gs_numbers tried;      /* that fit: a heap, the first on top */
    struct gs_numbers lost;
    struct flavor_choice choice;
};

static inline uint32_t gsched_tree_of(const struct gsched *s, uint32_t queue)
{
    return quotas_node(s->quotas->q, queue)->tree;
}

static inline uint32_t gsched_root_of(const struct gsched *s, uint32_t tree)
{
    return quotas_tree(s->quotas->q, tree)->root;
}

static inline uint32_t gsched_first_of(const struct gsched *s, uint32_t cqueue)
{
    return s->pending->cqueue[cqueue].heap[0].job;
}

/* The first job of the class queue, in the contest. */
void gsched_rival_entry(const struct gsched *s, uint32_t cqueue,
                        struct contest_entry *out);
/* Does that of class queue `a` go before that of `b`? */
bool gsched_rival_before(const struct gsched *s, uint32_t a, uint32_t b);
/* A new node of no class. */
uint32_t gsched_trie_top(struct gsched_rivals *r);
/* Room for all class queues; nodes without members are forgotten when there are
 * many, and none of them is in a list.
 */
void gsched_trie_grow(struct gsched *s);
/* Put the sleeping class queues of the queue, of one want each, in the order in
 * which they are tried, and into the trie.
 */
void gsched_trie_add(struct gsched *s, uint32_t queue);
/* Take the class queue out: before those that come before it in its queue. */
void gsched_trie_drop(struct gsched *s, uint32_t cqueue);

#endif /* POLICIES_PENDING_RIVAL_TRIE_H */
