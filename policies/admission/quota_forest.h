/* policies/admission/quota_forest.h - what a forest of queues with quotas
 * holds, for quotas.c and quota_forest.c.
 */
#ifndef POLICIES_ADMISSION_QUOTA_FOREST_H
#define POLICIES_ADMISSION_QUOTA_FOREST_H

#include <assert.h>

#include "base/hash.h"
#include "policies/admission/quotas.h"

struct quota_need {
    uint32_t first, count;
};

struct quotas {
    struct gs_far *far; /* where job[] lies */
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
    struct quota_need *need;
    uint32_t need_count, need_cap;
    struct quota_ask *ask;
    uint32_t ask_count, ask_cap;
    struct gs_hash needs;
    struct quota_job *job;
    uint32_t job_count, job_cap;
};

static inline int64_t quota_sum(int64_t a, int64_t b)
{
    int64_t out;

    return __builtin_add_overflow(a, b, &out) ? QUOTA_UNLIMITED : out;
}

static inline int64_t quota_less(int64_t a, int64_t b)
{
    return a == QUOTA_UNLIMITED ? a : a - b;
}

static inline int64_t quota_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t quota_above_zero(int64_t a)
{
    return a > 0 ? a : 0;
}

static inline struct quota_amount *quota_amount_of(const struct quotas *q,
                                                   uint32_t node, uint32_t cell)
{
    assert(node < q->nodes && cell < q->tree[q->node[node].tree].cells);
    return &q->amount[q->node[node].first + cell];
}

#endif /* POLICIES_ADMISSION_QUOTA_FOREST_H */
