/* policies/pending/quota_lacks.c - see quota_lacks.h. */
#include "policies/pending/quota_lacks.h"

#include <assert.h>

#include "policies/pending/pending.h"
#include "policies/pending/quota_rivals.h"
#include "policies/state/jobs.h"
#include "policies/state/quota_holds.h"

/* The flavor that suits the kind of tasks, covers the dim, and has most left
 * beside taken[flavor]; FLAVOR_NONE.
 */
static uint8_t most_left(const struct flavor_query *f, uint32_t kind,
                         uint32_t dim, const int64_t *taken, int64_t *left)
{
    uint8_t best = FLAVOR_NONE;

    for (uint32_t i = 0; i < f->list->count; i++) {
        const uint32_t cell = f->list->cell[(size_t)i * f->dims + dim];
        int64_t is;

        if (cell == QUOTA_NONE || !(f->kind[kind].allowed >> i & 1))
            continue;
        is = quotas_left(f->q, f->node, cell) - taken[i];
        if (best == FLAVOR_NONE || is > *left) {
            best = (uint8_t)i;
            *left = is;
        }
    }
    return best;
}

/* The part of `left` that is the queue's own. */
static int64_t own_left(const struct flavor_query *f, uint32_t cell,
                        int64_t left)
{
    const struct quota_amount *a = quotas_amount(f->q, f->node, cell);
    const int64_t own = a->subtree > a->usage ? a->subtree - a->usage : 0;

    return own < left ? own : left;
}

/* True when the tasks of one kind lack the dim beside what others take. */
static bool kind_lacks(const struct flavor_query *f, uint32_t kind,
                       uint32_t dim, int64_t *taken, struct gsched_lack *out)
{
    const struct flavor_tasks *k = &f->kind[kind];
    const int64_t asked = k->amount[dim] * k->least;
    int64_t left = 0;
    uint8_t flavor;
    uint32_t cell;

    if (asked == 0
        || (dim == f->pods && f->list->set_of_dim[dim] == FLAVOR_NONE)
        || (f->list->set_of_dim[dim] == FLAVOR_NONE && !f->refuses_uncovered))
        return false;
    flavor = most_left(f, kind, dim, taken, &left);
    *out = (struct gsched_lack){ .queue = f->node,
                                 .flavor = UINT32_MAX,
                                 .dim = dim,
                                 .asked = asked,
                                 .suits = flavor != FLAVOR_NONE };
    if (flavor == FLAVOR_NONE)
        return true;
    cell = f->list->cell[(size_t)flavor * f->dims + dim];
    taken[flavor] += asked;
    if (left >= asked)
        return false;
    out->flavor = f->list->flavor[flavor] == QUOTA_PLAIN
                      ? UINT32_MAX
                      : f->list->flavor[flavor] - 1;
    out->asked = taken[flavor];
    out->left = quotas_left(f->q, f->node, cell);
    out->own = own_left(f, cell, out->left);
    return true;
}

static bool lacks(struct gsched *s, uint32_t job, struct gsched_lack *out)
{
    const struct flavor_query f = gsched_quota_query(s, job);

    for (uint32_t d = 0; d < f.dims; d++) {
        int64_t taken[FLAVORS_MAX] = { 0 };

        for (uint32_t k = 0; k < f.kinds; k++) {
            if (kind_lacks(&f, k, d, taken, out))
                return true;
        }
    }
    return false;
}

static struct quota_lack *lack_at(struct gsched *s, uint32_t cqueue)
{
    struct gsched_quotas *q = s->quotas;
    const uint32_t count = s->pending->cqueue_count;

    assert(cqueue < count);
    if (q->queue_lacks < count) {
        q->queue_lacks = count;
        q->queue_lack = gs_array_grow(q->queue_lack, &q->queue_lack_cap, count,
                                      sizeof(*q->queue_lack));
    }
    return &q->queue_lack[cqueue];
}

void gsched_lack_note(struct gsched *s, uint32_t cqueue, uint32_t job)
{
    struct quota_lack *l = lack_at(s, cqueue);

    l->is_there = lacks(s, job, &l->what);
    l->at = s->now;
    if (!l->is_there && s->quotas->is_held)
        gsched_lack_hold(s, cqueue);
}

void gsched_lack_hold(struct gsched *s, uint32_t cqueue)
{
    struct quota_lack *l = lack_at(s, cqueue);

    *l = (struct quota_lack){ .at = s->now,
                              .is_there = true,
                              .what = { .held = true } };
}

bool gsched_lack_is_hold(const struct gsched *s, uint32_t cqueue)
{
    return cqueue < s->quotas->queue_lacks
           && s->quotas->queue_lack[cqueue].is_there
           && s->quotas->queue_lack[cqueue].what.held;
}

void gsched_lack_again(struct gsched *s, uint32_t cqueue, uint32_t job)
{
    struct gsched_quotas *q = s->quotas;

    if (cqueue < q->queue_lacks && q->queue_lack[cqueue].is_there)
        q->queue_lack[cqueue].at = s->now;
    else
        gsched_lack_note(s, cqueue, job);
}

void gsched_lack_stayed(struct gsched *s, uint32_t cqueue, int64_t at)
{
    struct gsched_quotas *q = s->quotas;

    if (cqueue < q->queue_lacks && q->queue_lack[cqueue].at < at)
        q->queue_lack[cqueue].at = at;
}

/* Of the class queue, as refused at last while the job waited there.  While it
 * is set aside, freed quota was not enough either.
 */
static struct quota_lack lack_in(const struct gsched *s, uint32_t job,
                                 uint32_t cqueue)
{
    struct quota_lack l = { .is_there = false };
    const struct quota_lack *alike;
    const struct class_queue *b;
    const struct quota_wake *w;

    if (cqueue >= s->quotas->queue_lacks)
        return l;
    b = &s->pending->cqueue[cqueue];
    alike = gsched_rivals_lack(s, cqueue);
    l = alike ? *alike : s->quotas->queue_lack[cqueue];
    l.what.queue = b->queue;
    w = &s->quotas->wake[quotas_node(s->quotas->q, b->queue)->tree];
    if (b->aside_at && w->freed_at > l.at)
        l.at = w->freed_at;
    l.is_there &= l.at >= gsched_job(s, job)->since;
    return l;
}

void gsched_lack_keep(struct gsched *s, uint32_t cqueue, uint32_t job)
{
    const struct quota_lack l = lack_in(s, job, cqueue);

    if (l.is_there)
        s->quotas->hold[job].lack = l;
}

bool gsched_quota_lack(const struct gsched *s, uint32_t job,
                       struct gsched_lack *out)
{
    struct quota_lack l = { .is_there = false };
    uint32_t cqueue;

    if (!s || !s->quotas || job >= s->quotas->hold_count)
        return false;
    cqueue = gsched_job(s, job)->phase == JOB_SUBMITTED
                 ? gsched_cqueue_of(s, job)
                 : NONE;
    if (cqueue != NONE)
        l = lack_in(s, job, cqueue);
    if (!l.is_there)
        l = s->quotas->hold[job].lack;
    *out = l.what;
    return l.is_there && l.at >= gsched_job(s, job)->submitted;
}
