/* policies/admission/quota_shares.c - victims by dominant shares.
 *
 * The request is added to its queue first.  From the root down the child with
 * the largest share is followed to a queue whose first candidate is tried;
 * queues that do not borrow and queues without candidates are pruned.
 */
#include <assert.h>

#include "policies/admission/quota_victims.h"

enum { IN_OTHERS, IN_OWN };

static void queue_collect(const struct quotas *q, struct quota_search *s,
                          const struct quota_request *r, uint32_t node)
{
    const struct quota_policy *p = &quotas_node(q, r->node)->policy;
    const struct gs_numbers *jobs = &quotas_node(q, node)->jobs;
    const bool own = node == r->node;

    for (uint32_t i = 0; i < jobs->count; i++) {
        const struct quota_job *c = quotas_job(q, jobs->at[i]);

        if (!c->is_hidden && !c->stays
            && quota_evicts(own ? p->within : p->reclaim, r, c)
            && quota_uses_short(q, r, c))
            quota_candidate_put(
                s, &(struct quota_candidate){
                       .job = jobs->at[i],
                       .kind = own ? IN_OWN : IN_OTHERS,
                       .usage = own ? quota_usage(s, jobs->at[i]) : 0 });
    }
}

/* The jobs of all queues of the subtree that borrow, but not of the own one. */
static void subtree_collect(const struct quotas *q, struct quota_search *s,
                            const struct quota_request *r, uint32_t node)
{
    for (uint32_t c = quotas_node(q, node)->first_child; c != QUOTA_NONE;
         c = quotas_node(q, c)->next_child)
        subtree_collect(q, s, r, c);
    if (node != r->node && quotas_node(q, node)->jobs.count
        && !quota_is_within(q, r, node))
        queue_collect(q, s, r, node);
}

/* --- the tree of targets -------------------------------------------------- */

/* List the node below its parent, and its ancestors. */
static void target_list(const struct quotas *q, struct quota_search *s,
                        uint32_t node)
{
    for (uint32_t n = node; n != QUOTA_NONE && !s->target[n].is_listed;) {
        const uint32_t up = quotas_node(q, n)->parent;

        s->target[n].is_listed = true;
        s->target[n].is_pruned = false;
        (void)gs_numbers_add(&s->listed, n);
        if (up != QUOTA_NONE) {
            s->target[n].next_child = s->target[up].first_child;
            s->target[up].first_child = n;
        }
        n = up;
    }
}

/* Candidates `at`, in order, as lists of their queues. */
static void targets_set(const struct quotas *q, struct quota_search *s,
                        const struct quota_request *r, const uint32_t *at,
                        uint32_t count)
{
    s->listed.count = 0;
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t c = at ? at[i] : i;
        const uint32_t node = quotas_job(q, s->candidate[c].job)->node;

        target_list(q, s, node);
        s->candidate[c].next = s->target[node].first;
        s->target[node].first = c;
    }
    for (uint32_t n = r->node; n != QUOTA_NONE; n = quotas_node(q, n)->parent)
        s->target[n].is_above = true;
}

static void targets_clear(const struct quotas *q, struct quota_search *s,
                          const struct quota_request *r)
{
    static const struct quota_target none = { .first = QUOTA_NONE,
                                              .first_child = QUOTA_NONE,
                                              .next_child = QUOTA_NONE };

    for (uint32_t i = 0; i < s->listed.count; i++)
        s->target[s->listed.at[i]] = none;
    for (uint32_t n = r->node; n != QUOTA_NONE; n = quotas_node(q, n)->parent)
        s->target[n] = none;
}

static void targets_grow(const struct quotas *q, struct quota_search *s)
{
    if (s->target_count >= quotas_nodes(q))
        return;
    s->target = gs_array_grow(s->target, &s->target_cap, quotas_nodes(q),
                              sizeof(*s->target));
    for (; s->target_count < quotas_nodes(q); s->target_count++)
        s->target[s->target_count] =
            (struct quota_target){ .first = QUOTA_NONE,
                                   .first_child = QUOTA_NONE,
                                   .next_child = QUOTA_NONE };
}

/* Does the node have jobs of its own left, or others below it?  Prunes it for
 * ever when it does not, or does not borrow.
 */
static bool is_target(struct quota_search *s, uint32_t node,
                      const struct quota_share *share)
{
    struct quota_target *t = &s->target[node];
    const bool is_leaf = t->first_child == QUOTA_NONE;

    if (!t->is_pruned
        && ((!share->borrows && !t->is_above)
            || (is_leaf && t->first == QUOTA_NONE)))
        t->is_pruned = true;
    return !t->is_pruned;
}

/* Of two first candidates of leaves, the one that comes first. */
static bool is_before(const struct quota_search *s, uint32_t a, uint32_t b)
{
    return s->target[a].first < s->target[b].first; /* they are in order */
}

/* The node below `node` with the largest share: a queue with candidates, or
 * QUOTA_NONE after something was pruned.
 */
static uint32_t target_below(const struct quotas *q, struct quota_search *s,
                             uint32_t node)
{
    uint32_t best = QUOTA_NONE;
    struct quota_share most = { .ratio = 0 };

    for (uint32_t c = s->target[node].first_child; c != QUOTA_NONE;
         c = s->target[c].next_child) {
        const struct quota_share share = quotas_share(q, c);
        const bool is_leaf = s->target[c].first_child == QUOTA_NONE;
        int order;

        if (!is_target(s, c, &share))
            continue;
        order = best == QUOTA_NONE ? 1 : quota_share_compare(&share, &most);
        if (order == 0) {
            const bool leaf_best = s->target[best].first_child == QUOTA_NONE;

            if (is_leaf != leaf_best)
                order = is_leaf ? -1 : 1;
            else
                order = is_leaf ? (is_before(s, c, best) ? 1 : -1)
                                : (c > best ? 1 : -1);
        }
        if (order > 0) {
            best = c;
            most = share;
        }
    }
    return best;
}

/* The next queue to take a candidate from; QUOTA_NONE: none is left. */
static uint32_t target_next(const struct quotas *q, struct quota_search *s,
                            const struct quota_request *r)
{
    const uint32_t root = quotas_tree(q, quotas_node(q, r->node)->tree)->root;

    while (!s->target[root].is_pruned) {
        uint32_t n = root;

        for (;;) {
            const uint32_t c = target_below(q, s, n);

            if (c == QUOTA_NONE && s->target[n].first != QUOTA_NONE)
                return n;
            if (c == QUOTA_NONE) {
                s->target[n].is_pruned = true;
                break;
            }
            n = c;
        }
    }
    return QUOTA_NONE;
}

static uint32_t candidate_take(struct quota_search *s, uint32_t node)
{
    const uint32_t c = s->target[node].first;

    s->target[node].first = s->candidate[c].next;
    return c;
}

/* --- strategies ----------------------------------------------------------- */

/* The children, on both sides, of the lowest queue above both, or that queue
 * itself where it is one of both.
 */
static void sides_find(const struct quotas *q, const struct quota_search *s,
                       const struct quota_request *r, uint32_t node,
                       uint32_t *own, uint32_t *other)
{
    uint32_t top;

    *other = node;
    for (top = quotas_node(q, node)->parent;
         top != QUOTA_NONE && !s->target[top].is_above;
         top = quotas_node(q, top)->parent)
        *other = top;
    *own = r->node;
    while (*own != top && quotas_node(q, *own)->parent != top)
        *own = quotas_node(q, *own)->parent;
}

static bool fits(struct quotas *q, const struct quota_search *s,
                 const struct quota_request *r)
{
    bool fits;

    quotas_unuse_all(q, r->node, r->ask, r->asks);
    fits = quota_search_fits(q, s, r, true);
    quotas_use_all(q, r->node, r->ask, r->asks);
    return fits;
}

static struct quota_share share_without(struct quotas *q, uint32_t node,
                                        uint32_t job)
{
    struct quota_share share;

    quotas_job_hide(q, job);
    share = quotas_share(q, node);
    quotas_job_show(q, job);
    return share;
}

/* Does the first strategy allow to take the job of a queue below `other`? */
static bool passes(struct quotas *q, const struct quota_search *s,
                   uint32_t other, uint32_t job, const struct quota_share *mine,
                   const struct quota_share *old)
{
    struct quota_share without;

    if (!s->final_first)
        return quota_share_compare(mine, old) < 0;
    without = share_without(q, other, job);
    return quota_share_compare(mine, &without) <= 0;
}

static void keep(struct quota_search *s, uint32_t candidate)
{
    s->kept = gs_array_grow(s->kept, &s->kept_cap, s->kept_count + 1,
                            sizeof(*s->kept));
    s->kept[s->kept_count++] = candidate;
}

/* Take the first candidate of the queue that the strategy allows; those that it
 * does not allow are kept for the second one.
 */
static bool take_fair(struct quotas *q, struct quota_search *s,
                      const struct quota_request *r, uint32_t node)
{
    uint32_t own, other;
    struct quota_share mine, old;
    bool hopeless;

    sides_find(q, s, r, node, &own, &other);
    mine = quotas_share(q, own);
    old = quotas_share(q, other);
    hopeless = mine.weight <= 0 && mine.ratio > 0
               && !(old.weight <= 0 && old.ratio > 0);
    while (s->target[node].first != QUOTA_NONE) {
        const uint32_t c = candidate_take(s, node);

        if (!hopeless
            && passes(q, s, other, s->candidate[c].job, &mine, &old)) {
            quota_victim_put(q, s, s->candidate[c].job, QUOTA_SHARED);
            return true;
        }
        keep(s, c);
    }
    return false;
}

static bool first_strategy(struct quotas *q, struct quota_search *s,
                           const struct quota_request *r)
{
    const bool is_own = !s->own_is_even && quota_is_within(q, r, r->node);
    uint32_t node;

    while ((node = target_next(q, s, r)) != QUOTA_NONE) {
        bool taken = true;

        if (node == r->node || is_own) {
            const uint32_t c = candidate_take(s, node);

            quota_victim_put(q, s, s->candidate[c].job,
                             node == r->node ? QUOTA_IN_QUEUE
                                             : QUOTA_RECLAIMED);
        } else {
            taken = take_fair(q, s, r, node);
        }
        if (taken && fits(q, s, r))
            return true;
    }
    return false;
}

/* Of each queue at most one candidate. */
static bool second_strategy(struct quotas *q, struct quota_search *s,
                            const struct quota_request *r)
{
    uint32_t node;

    while ((node = target_next(q, s, r)) != QUOTA_NONE) {
        const uint32_t c = candidate_take(s, node);
        struct quota_share mine, old;
        uint32_t own, other;

        sides_find(q, s, r, node, &own, &other);
        mine = quotas_share(q, own);
        old = quotas_share(q, other);
        s->target[node].first = QUOTA_NONE;
        if (quota_share_compare(&mine, &old) >= 0)
            continue;
        quota_victim_put(q, s, s->candidate[c].job, QUOTA_SHARED);
        if (fits(q, s, r))
            return true;
    }
    return false;
}

bool quota_victims_sharing(struct quotas *q, struct quota_search *s,
                           const struct quota_request *r)
{
    const struct quota_node *n = quotas_node(q, r->node);
    bool found;

    s->candidates = s->kept_count = 0;
    if (n->policy.within != QUOTA_NEVER)
        queue_collect(q, s, r, r->node);
    if (n->policy.reclaim != QUOTA_NEVER && !quotas_is_root(n))
        subtree_collect(q, s, r, quotas_tree(q, n->tree)->root);
    if (s->candidates == 0)
        return false;
    quota_candidates_sort(q, s);
    targets_grow(q, s);
    quotas_use_all(q, r->node, r->ask, r->asks);
    targets_set(q, s, r, NULL, s->candidates);
    found = first_strategy(q, s, r);
    targets_clear(q, s, r);
    if (!found && s->then_initial && s->kept_count) {
        targets_set(q, s, r, s->kept, s->kept_count);
        found = second_strategy(q, s, r);
        targets_clear(q, s, r);
    }
    quotas_unuse_all(q, r->node, r->ask, r->asks);
    if (found)
        quota_reprieve(q, s, r, true);
    quota_victims_show(q, s);
    return found;
}
