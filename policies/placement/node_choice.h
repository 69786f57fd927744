/* policies/placement/node_choice.h - the nodes of a gang, chosen together.
 *
 * With a module that states a choice (gsp_choice) the nodes of a whole group of
 * tasks are one decision: not the best node for one task after another.  What
 * fits on each node, and what it means to take tasks, is the caller's: the
 * cluster now (gsched_group_choose()), or as running jobs end
 * (reservation/window_start.c).
 *
 * A node has a weight, the number in one of its labels; no node is used while
 * nodes of lower weight suffice.  In what follows "enough" means enough for all
 * tasks that are left.
 */
#ifndef POLICIES_PLACEMENT_NODE_CHOICE_H
#define POLICIES_PLACEMENT_NODE_CHOICE_H

#include "base/heap.h"
#include "policies/state/state.h"

/* What to choose for: `need` tasks of a group of the job, on nodes [from, end).
 */
struct choice_ask {
    uint32_t job, group, need;
    uint32_t from, end;
    const uint64_t *among; /* [node / 64] bits: the only ones; NULL: all */
    void *of;
    /* Tasks of the group that fit on the node, 0 where none may run; those
     * above `need` do not count.
     */
    uint32_t (*fit)(void *of, uint32_t node);
    /* True for nodes that go before others of their weight; NULL: none do. */
    bool (*first)(void *of, uint32_t node);
    /* Free amount of a dimension on it. */
    int64_t (*idle)(void *of, uint32_t node, uint32_t dim);
    /* Take tasks, at most as many as fit; called once for a node. */
    void (*take)(void *of, uint32_t node, uint32_t tasks);
    /* A task of another group that stands in the same domain, and the tasks
     * that fit on the node beside it; NULL: none, see gsched_leader_of().
     */
    const struct choice_ask *leader;
    uint32_t (*fit_beside)(void *of, uint32_t node);
};

/* Neighbours on which tasks fit, of equal weight. */
struct node_run {
    int64_t weight;
    uint32_t node, nodes;
    uint64_t tasks, size; /* that fit; by which it compares */
    uint64_t most;        /* tasks of it, or of one behind it of its weight */
};

/* A node, or whatever is to be sorted by weight, and by the largest free part
 * of all: see gsched_idle_first.
 */
struct idle_node {
    int64_t weight, free, all;
    uint32_t node;
};

extern const struct gs_heap gsched_idle_first;

/* Scratch memory, and what is known of nodes. */
struct node_choice {
    int64_t *weight; /* [node] */
    uint32_t *fits;  /* [node that is asked about] tasks; 0: none, or taken */
    struct node_run *run;
    struct idle_node *idle;
    uint32_t runs, run_cap;
    struct chosen_domain *domain; /* [domain], see choice_domains.c */
    struct choice_levels *levels; /* private to choice_levels.c */
    uint32_t *state_fits;         /* [state group] tasks that fit */
    uint64_t *state_seen;         /* [state group] call that set it */
    uint32_t state_fits_cap, state_seen_cap;
    uint64_t calls;
};

void gsched_choice_open(struct gsched *s);
void gsched_choice_free(struct gsched *s);

/* Choose nodes as the profile says, and take them.  False: they are not enough,
 * whatever was taken.
 */
bool gsched_nodes_choose(struct gsched *s, const struct choice_ask *ask);
/* The same on the cluster as it is: tasks are allocated and proposed. */
bool gsched_group_choose(struct gsched *s, uint32_t count,
                         const struct scope *w);
/* True when the nodes of the group's tasks are chosen together: a module says
 * so, and no rule of the job but a spread over nodes is in the way.
 */
bool gsched_is_chosen(const struct gsched *s, uint32_t job, uint32_t group);
/* True when groups of the job have domains of their own, which are chosen group
 * by group.
 */
bool gsched_groups_have_domains(const struct gsched *s, uint32_t job);
/* True when the domain of the gang is chosen with its nodes. */
bool gsched_domain_is_chosen(const struct gsched *s, uint32_t job);
/* A gang of one task, the leader, and of others that stand in one domain with
 * it: their groups.  Of two single tasks the second is the leader.  Groups with
 * a domain of their own may stand beside them.
 */
bool gsched_leader_of(const struct gsched *s, uint32_t job, uint32_t *leader,
                      uint32_t *others);
/* The same of a group with a domain of its own, and the one that shares it by
 * name.
 */
bool gsched_pair_of(const struct gsched *s, uint32_t job, uint32_t group,
                    uint32_t *leader, uint32_t *others);
/* Do names join the group with others that are no leader and workers: more than
 * one, or one of which neither is a single task?  They are placed as the gang
 * is, in one domain.
 */
bool gsched_joins_many(const struct gsched *s, uint32_t job, uint32_t group);
bool gsched_pair_choose(struct gsched *s, uint32_t leader, uint32_t others,
                        const struct scope *w);
/* The most tasks of the group on one node, by its own spread over nodes. */
uint32_t gsched_most_on_node(const struct gsched *s, uint32_t job,
                             uint32_t group);

/* --- the ways, for gsched_nodes_choose() ---------------------------------- */

static inline int64_t gsched_weight_of(const struct gsched *s, uint32_t node)
{
    return s->choice->weight[node];
}

/* The first node from `node` on that is asked about; ask->end or above: none.
 */
static inline uint32_t gsched_asked_next(const struct choice_ask *ask,
                                         uint32_t node)
{
    uint32_t word = node / 64;
    uint64_t bits;

    if (!ask->among || node >= ask->end)
        return node;
    bits = ask->among[word] >> node % 64 << node % 64;
    while (bits == 0 && ++word * 64 < ask->end)
        bits = ask->among[word];
    return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : ask->end;
}

#define EACH_ASKED(n, ask)                            \
    uint32_t n = gsched_asked_next(ask, (ask)->from); \
    n < (ask)->end;                                   \
    n = gsched_asked_next(ask, n + 1)

/* Take up to `need` tasks on the node.  Returns how many are left. */
uint32_t gsched_choice_take(struct gsched *s, const struct choice_ask *ask,
                            uint32_t node, uint32_t need);

/* The weight up to which nodes are enough; false: all are not. */
bool gsched_choice_limit(struct gsched *s, const struct choice_ask *ask,
                         int64_t *limit);

/* --- by domains: choice_domains.c, choice_tree.c, choice_blocks.c --------- */

/* Of the nodes in question in a domain. */
struct chosen_domain {
    uint64_t tasks;
    uint64_t distance; /* of a leaf: from all leaves that are used */
    uint64_t usable;   /* nodes of a block that one gang may use */
    int64_t weight;    /* the lowest */
    uint32_t nodes;
    bool is_used;
};

/* Count tasks and nodes of weight `limit` at most in all domains, of which none
 * is used.
 */
void gsched_domains_count(struct gsched *s, const struct choice_ask *ask,
                          int64_t limit);
/* Take the nodes of weight below `limit`, then those of `limit` in domains of
 * the innermost tier that are used now, as far as needed.  Returns the tasks
 * that are left.
 */
uint32_t gsched_domains_begin(struct gsched *s, const struct choice_ask *ask,
                              int64_t limit);
/* Take up to `need` tasks in the domain, in the order of nodes. */
uint32_t gsched_domain_take(struct gsched *s, const struct choice_ask *ask,
                            uint32_t domain, int64_t limit, uint32_t need);
/* The part of what is asked that concerns nodes of the domain. */
struct choice_ask gsched_ask_within(const struct gsched *s,
                                    const struct choice_ask *ask,
                                    uint32_t domain);

/* Level by level: choice_levels.c.  gsched_levels_ask(): true for groups whose
 * nodes are chosen so.
 */
void gsched_levels_open(struct gsched *s);
void gsched_levels_free(struct gsched *s);
bool gsched_levels_ask(const struct gsched *s, uint32_t job, uint32_t group);
bool gsched_choose_levels(struct gsched *s, const struct choice_ask *ask);

bool gsched_choose_tree(struct gsched *s, const struct choice_ask *ask);
bool gsched_choose_blocks(struct gsched *s, const struct choice_ask *ask);

#endif /* POLICIES_PLACEMENT_NODE_CHOICE_H */
