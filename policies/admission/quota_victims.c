/* policies/admission/quota_victims.c - see quota_victims.h; victims by priority
 * and by what is borrowed.
 *
 * Candidates stand in three lists, one after another: those over which the
 * preemptor has an advantage of place (its request fits the quota of a subtree
 * that does not hold them), those of other queues by priority, and those of its
 * own queue.
 */
#include "policies/admission/quota_victims.h"

#include <assert.h>

#include "base/heap.h"

enum { BY_PLACE, BY_PRIORITY, IN_QUEUE };

/* --- what both ways share ------------------------------------------------- */

bool quota_fits(const struct quotas *q, const struct quota_request *r,
                bool borrows)
{
    for (uint32_t i = 0; i < r->asks; i++) {
        if (!borrows
            && quotas_borrows(q, r->node, r->ask[i].cell, r->ask[i].amount))
            return false;
        if (r->ask[i].amount > quotas_left(q, r->node, r->ask[i].cell))
            return false;
    }
    return true;
}

bool quota_evicts(enum quota_victims_of which, const struct quota_request *r,
                  const struct quota_job *c)
{
    switch (which) {
    case QUOTA_ANY:
        return true;
    case QUOTA_LOWER_OR_NEWER:
        return c->priority < r->priority
               || (c->priority == r->priority && r->since < c->since);
    case QUOTA_LOWER:
        return c->priority < r->priority;
    case QUOTA_NEVER:
        break;
    }
    return false;
}

bool quota_uses_short(const struct quotas *q, const struct quota_request *r,
                      const struct quota_job *c)
{
    uint32_t asks;
    const struct quota_ask *of = quotas_need_at(q, c->need, &asks);

    for (uint32_t i = 0; i < r->asks; i++) {
        for (uint32_t k = 0; r->ask[i].is_short && k < asks; k++) {
            if (of[k].cell == r->ask[i].cell)
                return true;
        }
    }
    return false;
}

bool quota_is_within(const struct quotas *q, const struct quota_request *r,
                     uint32_t node)
{
    for (uint32_t i = 0; i < r->asks; i++) {
        if (r->ask[i].is_short && quotas_borrows(q, node, r->ask[i].cell, 0))
            return false;
    }
    return true;
}

void quota_candidate_put(struct quota_search *s,
                         const struct quota_candidate *c)
{
    s->candidate = gs_array_grow(s->candidate, &s->candidate_cap,
                                 s->candidates + 1, sizeof(*s->candidate));
    s->candidate[s->candidates++] = *c;
}

struct sorted {
    const struct quotas *q;
    struct quota_candidate *at;
};

/* Later: reversed, so that sinking makes the first the last. */
static bool candidate_after(const void *of, uint32_t i, uint32_t k)
{
    const struct sorted *l = of;
    const struct quota_candidate *x = &l->at[i], *y = &l->at[k];
    const struct quota_job *a = quotas_job(l->q, x->job);
    const struct quota_job *b = quotas_job(l->q, y->job);

    if (x->kind != y->kind)
        return x->kind > y->kind;
    if (x->usage < y->usage || x->usage > y->usage)
        return x->usage < y->usage;
    if (a->priority != b->priority)
        return a->priority > b->priority;
    if (a->reserved != b->reserved)
        return a->reserved < b->reserved;
    return x->job > y->job;
}

static void candidate_swap(void *of, uint32_t a, uint32_t b)
{
    struct quota_candidate *c = ((struct sorted *)of)->at;
    const struct quota_candidate it = c[a];

    c[a] = c[b];
    c[b] = it;
}

void quota_candidates_sort(const struct quotas *q, struct quota_search *s)
{
    static const struct gs_heap last_first = { candidate_after,
                                               candidate_swap };
    struct sorted l = { q, s->candidate };

    gs_heap_sort(&last_first, &l, s->candidates);
}

bool quota_search_fits(const struct quotas *q, const struct quota_search *s,
                       const struct quota_request *r, bool borrows)
{
    return quota_fits(q, r, borrows)
           && (!s->room || s->room->fits(s->room->of));
}

static void victim_hide(struct quotas *q, const struct quota_search *s,
                        uint32_t job)
{
    quotas_job_hide(q, job);
    if (s->room)
        s->room->hide(s->room->of, job);
}

static void victim_show(struct quotas *q, const struct quota_search *s,
                        uint32_t job)
{
    quotas_job_show(q, job);
    if (s->room)
        s->room->show(s->room->of, job);
}

void quota_victim_put(struct quotas *q, struct quota_search *s, uint32_t job,
                      enum quota_reason reason)
{
    s->victim = gs_array_grow(s->victim, &s->victim_cap, s->victims + 1,
                              sizeof(*s->victim));
    s->victim[s->victims++] = (struct quota_victim){ job, reason };
    victim_hide(q, s, job);
}

void quota_reprieve(struct quotas *q, struct quota_search *s,
                    const struct quota_request *r, bool borrows)
{
    for (uint32_t i = s->victims; i-- > 0;) {
        if (i + 1 == s->victims)
            continue; /* the last one was needed */
        victim_show(q, s, s->victim[i].job);
        if (quota_search_fits(q, s, r, borrows))
            s->victim[i] = s->victim[--s->victims];
        else
            victim_hide(q, s, s->victim[i].job);
    }
}

void quota_victims_show(struct quotas *q, const struct quota_search *s)
{
    for (uint32_t i = s->victims; i-- > 0;)
        victim_show(q, s, s->victim[i].job);
}

/* --- by priority and by what is borrowed ---------------------------------- */

/* The jobs of one queue, all of which are in the list of `like`. */
static void queue_collect(const struct quotas *q, struct quota_search *s,
                          const struct quota_request *r, uint32_t node,
                          const struct quota_candidate *like)
{
    const struct quota_policy *p = &quotas_node(q, r->node)->policy;
    const struct gs_numbers *jobs = &quotas_node(q, node)->jobs;
    const enum quota_victims_of which = node == r->node ? p->within
                                                        : p->reclaim;

    for (uint32_t i = 0; i < jobs->count; i++) {
        const struct quota_job *c = quotas_job(q, jobs->at[i]);
        struct quota_candidate it = *like;

        if (c->is_hidden || c->stays || !quota_evicts(which, r, c)
            || !quota_uses_short(q, r, c))
            continue;
        it.job = jobs->at[i];
        if (node == r->node)
            it.usage = quota_usage(s, it.job);
        if (it.kind == BY_PRIORITY && p->borrows && c->priority < r->priority
            && (!p->has_most || c->priority <= p->most)) {
            it.reason = QUOTA_RECLAIMED_BORROWING;
            it.borrows = true;
        }
        quota_candidate_put(s, &it);
    }
}

/* The jobs of the subtree at `node`, but not of that at `skip`. */
static void subtree_collect(const struct quotas *q, struct quota_search *s,
                            const struct quota_request *r, uint32_t node,
                            uint32_t skip, const struct quota_candidate *like)
{
    for (uint32_t c = quotas_node(q, node)->first_child; c != QUOTA_NONE;
         c = quotas_node(q, c)->next_child) {
        if (c != skip && !quota_is_within(q, r, c))
            subtree_collect(q, s, r, c, QUOTA_NONE, like);
    }
    if (!quota_is_within(q, r, node))
        queue_collect(q, s, r, node, like);
}

/* The part of the asked amounts that the parent of the node sees; *fits: the
 * node's own quota holds all of them.
 */
static void rest_set(const struct quotas *q, uint32_t node,
                     const struct quota_request *r, int64_t *rest, bool *fits)
{
    *fits = true;
    for (uint32_t i = 0; i < r->asks; i++) {
        const int64_t local = quotas_left_local(q, node, r->ask[i].cell);

        if (quotas_borrows(q, node, r->ask[i].cell, rest[i]))
            *fits = false;
        rest[i] = rest[i] > local ? rest[i] - local : 0;
    }
}

/* The jobs of other queues of the tree; from the parent of the queue upward. */
static void others_collect(const struct quotas *q, struct quota_search *s,
                           const struct quota_request *r)
{
    int64_t *rest;
    uint32_t below = r->node;
    bool fits, has_place;

    s->rest = rest = gs_array_grow(s->rest, &s->rest_cap, r->asks,
                                   sizeof(*s->rest));
    for (uint32_t i = 0; i < r->asks; i++)
        rest[i] = r->ask[i].amount;
    rest_set(q, r->node, r, rest, &has_place);
    for (uint32_t n = quotas_node(q, r->node)->parent; n != QUOTA_NONE;
         n = quotas_node(q, n)->parent) {
        const struct quota_candidate like = {
            .stop = n,
            .kind = has_place ? BY_PLACE : BY_PRIORITY,
            .reason = QUOTA_RECLAIMED,
            .borrows = has_place,
        };

        subtree_collect(q, s, r, n, below, &like);
        rest_set(q, n, r, rest, &fits);
        has_place |= fits;
        below = n;
    }
}

/* The own queue is strictly below its quota in all that it lacks. */
static bool is_under(const struct quotas *q, const struct quota_request *r)
{
    for (uint32_t i = 0; i < r->asks; i++) {
        const struct quota_amount *a = quotas_amount(q, r->node,
                                                     r->ask[i].cell);

        if (r->ask[i].is_short && a->subtree <= a->usage)
            return false;
    }
    return true;
}

/* May it still be taken, after those that were taken before? */
static bool is_valid(const struct quotas *q, const struct quota_request *r,
                     const struct quota_candidate *c, bool borrows)
{
    if (c->stop == QUOTA_NONE)
        return true;
    if (borrows && !c->borrows)
        return false;
    for (uint32_t n = quotas_job(q, c->job)->node; n != QUOTA_NONE;
         n = quotas_node(q, n)->parent) {
        if (quota_is_within(q, r, n))
            return false;
        if (n == c->stop || quotas_node(q, n)->parent == c->stop)
            break;
    }
    return true;
}

static bool try(struct quotas *q, struct quota_search *s,
                const struct quota_request *r, bool borrows)
{
    bool found = false;

    s->victims = 0;
    for (uint32_t i = 0; i < s->candidates && !found; i++) {
        const struct quota_candidate *c = &s->candidate[i];

        if (!is_valid(q, r, c, borrows))
            continue;
        quota_victim_put(q, s, c->job, c->reason);
        found = quota_search_fits(q, s, r, borrows);
    }
    if (found)
        quota_reprieve(q, s, r, borrows);
    quota_victims_show(q, s);
    return found;
}

bool quota_victims_borrowing(struct quotas *q, struct quota_search *s,
                             const struct quota_request *r)
{
    const struct quota_policy *p = &quotas_node(q, r->node)->policy;
    const struct quota_candidate own = { .stop = QUOTA_NONE,
                                         .kind = IN_QUEUE,
                                         .reason = QUOTA_IN_QUEUE,
                                         .borrows = true };
    bool from_others, by_place = false;

    s->candidates = 0;
    if (p->reclaim != QUOTA_NEVER)
        others_collect(q, s, r);
    from_others = s->candidates > 0;
    for (uint32_t i = 0; i < s->candidates && !by_place; i++)
        by_place = s->candidate[i].kind == BY_PLACE;
    if (p->within != QUOTA_NEVER)
        queue_collect(q, s, r, r->node, &own);
    quota_candidates_sort(q, s);
    if (!from_others || (!p->borrows && !is_under(q, r)))
        return try(q, s, r, true);
    if (!p->borrows && !by_place)
        return try(q, s, r, false) || try(q, s, r, true);
    return try(q, s, r, true) || try(q, s, r, false);
}

bool quota_victims_find(struct quotas *q, struct quota_search *search,
                        const struct quota_request *r)
{
    bool found;

    assert(r->asks > 0);
    search->victims = 0;
    found = search->shares ? quota_victims_sharing(q, search, r)
                           : quota_victims_borrowing(q, search, r);
    if (!found)
        search->victims = 0;
    return found;
}

void quota_search_free(struct quota_search *s)
{
    gs_array_free(s->victim);
    gs_array_free(s->candidate);
    gs_array_free(s->rest);
    gs_array_free(s->kept);
    gs_array_free(s->target);
    gs_array_free(s->listed.at);
}
