/* policies/admission/quotas.h - quotas of a forest of queues, by resource and
 * flavor.
 *
 * A cell is a resource of a flavor; each tree of queues numbers its own.  Jobs
 * are held by queues at any height.  What a queue uses above what it keeps for
 * itself counts in its parent, too.  Formulas: Kueue's resource nodes and
 * dominant resource shares.  Amounts are at least 0 and saturate at
 * QUOTA_UNLIMITED.
 *
 * Life cycle: quotas_create(), quotas_cell() for all cells,
 * quotas_cells_done(), quotas_amount_set(), quotas_settle(); then jobs come
 * (quotas_job_add) and go (quotas_job_drop).
 */
#ifndef POLICIES_ADMISSION_QUOTAS_H
#define POLICIES_ADMISSION_QUOTAS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/numbers.h"

#define QUOTA_NONE UINT32_MAX
#define QUOTA_UNLIMITED INT64_MAX

/* Which jobs may be evicted for a job. */
enum quota_victims_of {
    QUOTA_NEVER,
    QUOTA_LOWER,          /* jobs of lower priority */
    QUOTA_LOWER_OR_NEWER, /* and those of equal priority that came later */
    QUOTA_ANY,
};

/* What a queue states. */
struct quota_policy {
    enum quota_victims_of within;  /* in its own queue */
    enum quota_victims_of reclaim; /* in other queues of its tree */
    bool borrows;  /* it evicts jobs of lower priority elsewhere even if it
                          borrows then */
    bool has_most; /* only those of at most this priority */
    int64_t most;
    bool next_if_borrows;  /* a flavor in which it must borrow, or evict, is
                            not */
    bool next_if_preempts; /* taken before all others are tried */
    bool borrows_last;     /* of these a flavor in which it evicts is better */
    bool is_strict;        /* its first job blocks the others */
};

/* Amounts of a queue in a cell. */
struct quota_amount {
    int64_t nominal;
    int64_t borrow;    /* the most above it; below 0: no limit */
    int64_t lend;      /* the most of it that others may use; below 0: all */
    int64_t subtree;   /* quota of the queue and those below it */
    int64_t local;     /* the part of it that others never get */
    int64_t potential; /* the most that it could ever use */
    int64_t lendable;  /* potential of all cells of this resource; of the
                          first of them */
    int64_t usage;     /* of its jobs, and what the queues below it use above
                          their local quota */
};

struct quota_node {
    uint32_t parent; /* QUOTA_NONE: a root */
    uint32_t tree;
    uint32_t first;  /* its amount[] of cell 0 of its tree */
    uint32_t height; /* 0: nothing below it */
    uint32_t first_child, next_child;
    double weight; /* at least 0 */
    struct quota_policy policy;
    struct gs_numbers jobs;
};

struct quota_cell {
    uint32_t flavor, dim;
};

/* Cells are ordered by resource. */
struct quota_tree {
    uint32_t root, first_cell, cells;
};

/* What a job asks for in a cell of its tree. */
struct quota_ask {
    uint32_t cell;
    bool is_short; /* there is less left: others must be evicted */
    int64_t amount;
};

/* A job that holds quota. */
struct quota_job {
    uint32_t node; /* QUOTA_NONE: it holds none */
    uint32_t at;   /* index in quota_node.jobs */
    uint32_t need; /* what it holds, see quotas_need() */
    int32_t priority;
    bool is_hidden;          /* no candidate for eviction */
    bool stays;              /* it is never evicted */
    int64_t since, reserved; /* when it came; got its quota */
};

struct gs_far;
struct quotas;

struct quotas *quotas_create(uint32_t nodes, const uint32_t *parent);
void quotas_free(struct quotas *q); /* NULL is fine */

/* The node's tree has this cell. */
void quotas_cell(struct quotas *q, uint32_t node, uint32_t flavor,
                 uint32_t dim);
void quotas_cells_done(struct quotas *q);
/* The number of the cell in the tree of the node; QUOTA_NONE. */
uint32_t quotas_cell_find(const struct quotas *q, uint32_t node,
                          uint32_t flavor, uint32_t dim);
void quotas_amount_set(struct quotas *q, uint32_t node, uint32_t cell,
                       int64_t nominal, int64_t borrow, int64_t lend);
void quotas_settle(struct quotas *q);

struct quota_node *quotas_node(const struct quotas *q, uint32_t node);
const struct quota_tree *quotas_tree(const struct quotas *q, uint32_t tree);
const struct quota_cell *quotas_cell_at(const struct quotas *q, uint32_t tree,
                                        uint32_t cell);
const struct quota_amount *quotas_amount(const struct quotas *q, uint32_t node,
                                         uint32_t cell);
uint32_t quotas_nodes(const struct quotas *q);
uint32_t quotas_trees(const struct quotas *q);
static inline bool quotas_is_root(const struct quota_node *n)
{
    return n->parent == QUOTA_NONE;
}

/* --- usage ---------------------------------------------------------------- */

/* Add the amount to what the node uses, or remove it. */
void quotas_use(struct quotas *q, uint32_t node, uint32_t cell, int64_t amount);
void quotas_unuse(struct quotas *q, uint32_t node, uint32_t cell,
                  int64_t amount);
void quotas_use_all(struct quotas *q, uint32_t node,
                    const struct quota_ask *ask, uint32_t asks);
void quotas_unuse_all(struct quotas *q, uint32_t node,
                      const struct quota_ask *ask, uint32_t asks);

/* What is left for the node, at least 0, and its part that its parent does not
 * see.
 */
int64_t quotas_left(const struct quotas *q, uint32_t node, uint32_t cell);
int64_t quotas_left_local(const struct quotas *q, uint32_t node, uint32_t cell);
/* What the node may still take beyond what it, and those below it, keep for
 * themselves: of a root what is left, else by its borrowing limit, without one
 * QUOTA_UNLIMITED.  Below 0 where more is used.
 */
int64_t quotas_room(const struct quotas *q, uint32_t node, uint32_t cell);
/* Would it use more than the quota of its subtree with `amount` more? */
bool quotas_borrows(const struct quotas *q, uint32_t node, uint32_t cell,
                    int64_t amount);
/* The height of the lowest subtree around the node that could hold `amount`
 * more without borrowing, or of the whole tree; *is_below: it is not the whole
 * tree.
 */
uint32_t quotas_level(const struct quotas *q, uint32_t node, uint32_t cell,
                      int64_t amount, bool *is_below);

/* The dominant share of what a node borrows in what its parent could lend. */
struct quota_share {
    double ratio;  /* thousandths, without the weight */
    double weight; /* of the node */
    bool borrows;
};

struct quota_share quotas_share(const struct quotas *q, uint32_t node);
/* < 0: `a` is the smaller one. */
int quota_share_compare(const struct quota_share *a,
                        const struct quota_share *b);
/* Divided by the weight; infinite where that is 0. */
double quota_share_value(const struct quota_share *s);

/* --- jobs ----------------------------------------------------------------- */

/* The number of these amounts, each list once. */
uint32_t quotas_need(struct quotas *q, const struct quota_ask *ask,
                     uint32_t asks);
const struct quota_ask *quotas_need_at(const struct quotas *q, uint32_t need,
                                       uint32_t *asks);
/* The state of job `job`; there is room for all numbers below `jobs` after
 * quotas_jobs_grow().
 */
void quotas_jobs_grow(struct quotas *q, struct gs_far *far, uint32_t jobs);
const struct quota_job *quotas_job(const struct quotas *q, uint32_t job);
void quotas_job_add(struct quotas *q, uint32_t job, const struct quota_job *of);
void quotas_job_drop(struct quotas *q, uint32_t job);
/* It holds `need` in place of what it held. */
void quotas_job_change(struct quotas *q, uint32_t job, uint32_t need);
/* Only what it uses: as if it were gone. */
void quotas_job_hide(struct quotas *q, uint32_t job);
void quotas_job_show(struct quotas *q, uint32_t job);

#endif /* POLICIES_ADMISSION_QUOTAS_H */
