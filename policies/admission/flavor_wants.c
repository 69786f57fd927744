/* policies/admission/flavor_wants.c - what refuses a job whatever is evicted,
 * see flavors.h.
 *
 * A job of which no flavor of a set may be had, nor may others be evicted for
 * it, does not fit, and takes no part in anything.  What is kept for queues
 * below a root counts as if none of it were used, so that only the room of one
 * queue has to be watched.
 */
#include "policies/admission/flavors.h"

/* Could the quota of the node, or of one above it below the root, ever hold the
 * amount?
 */
static bool may_hold(const struct quotas *q, uint32_t node, uint32_t cell,
                     int64_t amount)
{
    for (uint32_t n = node; !quotas_is_root(quotas_node(q, n));
         n = quotas_node(q, n)->parent) {
        const struct quota_amount *a = quotas_amount(q, n, cell);

        if (amount <= a->subtree)
            return true;
        amount -= a->local;
    }
    return false;
}

/* The node on the way up that has too little room. */
static bool want_find(const struct quotas *q, uint32_t node, uint32_t cell,
                      int64_t amount, struct quota_want *out)
{
    for (uint32_t n = node; n != QUOTA_NONE; n = quotas_node(q, n)->parent) {
        if (!quotas_is_root(quotas_node(q, n)))
            amount -= quotas_amount(q, n, cell)->local;
        *out = (struct quota_want){ n, cell, amount };
        if (amount > quotas_room(q, n, cell))
            return true;
    }
    return false;
}

/* Is the amount refused?  A want that can never be met is not added. */
static bool cell_wants(const struct flavor_query *f, uint32_t cell,
                       int64_t amount, struct quota_want *want, uint32_t *wants)
{
    const struct quota_amount *a;

    if (cell == QUOTA_NONE)
        return true;
    a = quotas_amount(f->q, f->node, cell);
    if (amount > a->potential)
        return true;
    if (a->nominal >= amount || flavor_may_borrow(f)
        || may_hold(f->q, f->node, cell, amount)
        || !want_find(f->q, f->node, cell, amount, &want[*wants]))
        return false;
    ++*wants;
    return true;
}

static bool flavor_refused(const struct flavor_query *f, uint32_t kind,
                           uint32_t flavor, struct quota_want *want,
                           uint32_t *wants)
{
    const struct flavor_tasks *k = &f->kind[kind];

    for (uint32_t d = 0; d < f->dims; d++) {
        const int64_t amount = flavor_amount(k, d, k->least);

        if (f->list->set_of_dim[d] == f->list->set[flavor] && amount > 0
            && cell_wants(f, f->list->cell[(size_t)flavor * f->dims + d],
                          amount, want, wants))
            return true;
    }
    return false;
}

/* Are all flavors of the set refused?  *others: it has more than one, so that a
 * job goes on with the next one in the next round.
 */
static bool set_refused(const struct flavor_query *f, uint32_t kind,
                        uint32_t set, struct quota_want *want, uint32_t *wants,
                        bool *others)
{
    uint32_t flavors = 0;
    bool all = true;

    *wants = 0;
    for (uint32_t i = 0; i < f->list->count; i++) {
        if (f->list->set[i] != set)
            continue;
        flavors++;
        if (all && (f->kind[kind].allowed >> i & 1))
            all = flavor_refused(f, kind, i, want, wants);
    }
    *others = flavors > 1;
    return all;
}

/* Does the kind ask for resources of the set? */
static bool asks(const struct flavor_query *f, uint32_t kind, uint32_t set)
{
    bool asks = false;

    for (uint32_t d = 0; d < f->dims && !asks; d++)
        asks = f->list->set_of_dim[d] == set && f->kind[kind].amount[d] > 0;
    return asks;
}

bool flavor_wants(const struct flavor_query *f, struct quota_want *want,
                  uint32_t *wants)
{
    const uint32_t tree = quotas_node(f->q, f->node)->tree;
    const uint32_t root = quotas_tree(f->q, tree)->root;
    bool others = false;

    *wants = 0;
    /* a first job that does not fit hides others of its cohort */
    if (f->search->shares && quotas_node(f->q, root)->height > 1)
        return false;
    for (uint32_t k = 0; k < f->kinds; k++) {
        if (flavor_is_uncovered(f, k))
            return true;
        for (uint32_t g = 0; g < f->list->sets; g++) {
            if (!asks(f, k, g))
                continue;
            if (f->kind[k].least > 0
                && set_refused(f, k, g, want, wants, &others))
                return true;
            if (f->kind[k].least == 0 || others)
                return false;
        }
    }
    return false;
}
