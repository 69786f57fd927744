/* policies/admission/quotas.c - what jobs use of the quotas of a forest; see
 * quotas.h.
 */
#include "policies/admission/quotas.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "policies/admission/quota_forest.h"

/* --- usage ---------------------------------------------------------------- */

int64_t quotas_left_local(const struct quotas *q, uint32_t node, uint32_t cell)
{
    const struct quota_amount *a = quota_amount_of(q, node, cell);

    return quota_above_zero(quota_less(a->local, a->usage));
}

void quotas_use(struct quotas *q, uint32_t node, uint32_t cell, int64_t amount)
{
    assert(amount >= 0);
    while (node != QUOTA_NONE && amount > 0) {
        const int64_t local = quotas_left_local(q, node, cell);
        struct quota_amount *a = quota_amount_of(q, node, cell);

        a->usage = quota_sum(a->usage, amount);
        amount = quota_above_zero(amount - local);
        node = q->node[node].parent;
    }
}

void quotas_unuse(struct quotas *q, uint32_t node, uint32_t cell,
                  int64_t amount)
{
    while (node != QUOTA_NONE && amount > 0) {
        struct quota_amount *a = quota_amount_of(q, node, cell);
        const int64_t beyond = quota_above_zero(a->usage - a->local);

        assert(a->usage >= amount);
        a->usage -= amount;
        amount = quota_least(amount, beyond);
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

int64_t quotas_room(const struct quotas *q, uint32_t node, uint32_t cell)
{
    const struct quota_amount *a = quota_amount_of(q, node, cell);

    if (quotas_is_root(&q->node[node]))
        return quota_less(a->subtree, a->usage);
    return a->borrow < 0
               ? QUOTA_UNLIMITED
               : quota_sum(quota_less(quota_less(a->subtree, a->local),
                                      quota_above_zero(a->usage - a->local)),
                           a->borrow);
}

/* What is left; below 0 where more is used than there is. */
static int64_t left(const struct quotas *q, uint32_t node, uint32_t cell)
{
    const uint32_t up = q->node[node].parent;
    const int64_t room = quotas_room(q, node, cell);

    return up == QUOTA_NONE ? room
                            : quota_sum(quotas_left_local(q, node, cell),
                                        quota_least(room, left(q, up, cell)));
}

int64_t quotas_left(const struct quotas *q, uint32_t node, uint32_t cell)
{
    return quota_above_zero(left(q, node, cell));
}

bool quotas_borrows(const struct quotas *q, uint32_t node, uint32_t cell,
                    int64_t amount)
{
    const struct quota_amount *a = quota_amount_of(q, node, cell);

    return quota_sum(a->usage, amount) > a->subtree;
}

uint32_t quotas_level(const struct quotas *q, uint32_t node, uint32_t cell,
                      int64_t amount, bool *is_below)
{
    uint32_t n = node;

    while (quotas_borrows(q, n, cell, amount) && !quotas_is_root(&q->node[n])) {
        amount = quota_less(amount, quotas_left_local(q, n, cell));
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
        const struct quota_amount *a = quota_amount_of(q, node, c);
        const int64_t more = quota_above_zero(a->usage - a->subtree);
        int64_t lendable;
        double ratio;

        if (quotas_cell_at(q, n->tree, c)->dim
            != quotas_cell_at(q, n->tree, first)->dim) {
            first = c;
            borrowed = 0;
        }
        borrowed = quota_sum(borrowed, more);
        s.borrows |= more > 0;
        lendable = quota_amount_of(q, n->parent, first)->lendable;
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
    const struct quota_need *n = &k->q->need[at];
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
    q->need[q->need_count] = (struct quota_need){ q->ask_count, asks };
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

void quotas_jobs_grow(struct quotas *q, struct gs_far *far, uint32_t jobs)
{
    assert(q->far == far || q->job_count == 0);
    q->far = far;
    if (jobs <= q->job_count)
        return;
    q->job = gs_far_grow(q->far, q->job, &q->job_cap, jobs, sizeof(*q->job));
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

void quotas_job_change(struct quotas *q, uint32_t job, uint32_t need)
{
    quotas_job_hide(q, job);
    q->job[job].need = need;
    quotas_job_show(q, job);
}
