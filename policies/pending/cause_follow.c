/* policies/pending/cause_follow.c - updates of the wait reason of unschedulable
 * request classes.
 */
#include "policies/pending/cause_follow.h"

#include <assert.h>

#include "policies/pending/job_waits.h"
#include "policies/pending/listed_shapes.h"
#include "policies/pending/pending.h"
#include "policies/pending/ruled_turns.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

/* An entry that represents the class in the search for its cause; false: none.
 */
static bool sample_of(const struct gsched *s, const struct request_class *a,
                      struct queue_entry *out)
{
    uint32_t b = a->first_cqueue;

    if (a->waiting == 0)
        return false;
    while (b != NONE && s->pending->cqueue[b].count == 0)
        b = s->pending->cqueue[b].next;
    if (b == NONE)
        return false;
    *out = s->pending->cqueue[b].heap[0];
    return true;
}

static bool is_simply_short(const struct gsched *s,
                            const struct request_class *a)
{
    return a->need > gsched_shape_seen(s, a->shape)->enough_for;
}

void gsched_cause_found(struct gsched *s, uint32_t rclass,
                        enum gsched_cause why)
{
    struct request_class *a = &s->pending->rclass[rclass];
    struct queue_entry it;

    /* gsched_cause_of() has checked the capacity before these causes */
    if (why == GSCHED_CAPACITY)
        a->is_short = a->waiting > 0;
    else if (why == GSCHED_TOPOLOGY || why == GSCHED_FRAGMENTATION)
        a->is_short = false;
    else
        a->is_short = sample_of(s, a, &it) && !gsched_has_capacity(s, &it);
    if (a->is_simple)
        gsched_shape_due(s, a->shape);
}

static void find_anew(struct gsched *s, struct request_class *a, bool is_short)
{
    struct queue_entry it;
    enum gsched_cause why;

    assert(a->unschedulable_at != NONE);
    if (!sample_of(s, a, &it) || (a->is_due && a->cause == GSCHED_LATENCY))
        return; /* it waits for the end of its pause */
    a->is_short = is_short;
    why = gsched_cause_of(s, &it);
    if (a->kind == REQUEST_ANY)
        gsched_wait_head(s, it.job, why);
    else
        gsched_rclass_waits_for(s, a, why);
}

static bool is_hoarded_no_more(const struct gsched *s,
                               const struct request_class *a)
{
    return a->cause == GSCHED_HOARDING && s->allocations->partial.count == 0;
}

void gsched_cause_follow(struct gsched *s, struct request_class *a,
                         bool is_short)
{
    if (is_short != a->is_short || is_hoarded_no_more(s, a))
        find_anew(s, a, is_short);
}

/* Upper bound of the tasks of the shape, by the sum of what is free anywhere.
 */
static uint64_t enough_for(struct gsched *s, uint32_t shape)
{
    const struct topo_request *r = &s->work->shape[shape];
    uint64_t most = UINT32_MAX;

    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        uint64_t n;

        if (r->amount[d] <= 0)
            continue;
        n = (uint64_t)gsched_suitable_free(s, shape, d)
            / (uint64_t)r->amount[d];
        most = n < most ? n : most;
    }
    return most;
}

/* True when `free` in all, by dimension, is too little for the only class
 * parked with the shape, or not, as it was: then nothing changes for it.
 */
static bool is_as_before(const struct gsched *s, const struct shape_view *sv,
                         const int64_t *free)
{
    const int64_t *amount = s->work->shape[sv->shape].amount;
    const struct request_class *a;
    bool is_short = false;

    if (sv->parked.count != 1 || !class_set_is_all(&sv->suits)
        || sv->enough_for == UINT64_MAX)
        return false;
    a = &s->pending->rclass[sv->parked.at[0]];
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        is_short |= amount[d] > 0 && a->need * amount[d] > free[d];
    return a->cause != GSCHED_HOARDING && is_short == a->is_short
           && is_simply_short(s, a) == is_short;
}

static void follow_parked(struct gsched *s, uint32_t shape, bool all)
{
    struct shape_view *sv = gsched_shape_seen(s, shape);
    const uint64_t enough = enough_for(s, shape);

    if (enough == sv->enough_for && !all)
        return;
    sv->enough_for = enough;
    for (uint32_t k = 0; k < gsched_shape_seen(s, shape)->parked.count; k++) {
        struct request_class *a =
            &s->pending->rclass[gsched_shape_seen(s, shape)->parked.at[k]];

        gsched_cause_follow(s, a, is_simply_short(s, a));
    }
}

/* `free`: in all, by dimension. */
static void follow_simple(struct gsched *s, uint32_t shape, bool all,
                          const int64_t *free)
{
    const struct shape_view *sv;
    const struct request_class *a;

    follow_parked(s, shape, all);
    sv = gsched_shape_seen(s, shape);
    if (!is_as_before(s, sv, free))
        return;
    a = &s->pending->rclass[sv->parked.at[0]];
    gsched_shape_stays(s, shape, a->need, a->is_short, free);
}

static void follow_complex(struct gsched *s, struct request_class *a)
{
    struct queue_entry it;

    if (sample_of(s, a, &it))
        gsched_cause_follow(s, a, !gsched_has_capacity(s, &it));
}

#ifndef NDEBUG
/* True when the sums last noted say of each parked class, as those of now do,
 * whether it is short.
 */
static bool sums_are_noted(struct gsched *s)
{
    const struct gs_numbers *listed = &s->pending->unschedulable;
    bool are = true;

    for (uint32_t i = 0; i < listed->count; i++) {
        const struct shape_view *sv = gsched_shape_seen(s, listed->at[i]);
        const uint64_t enough = enough_for(s, listed->at[i]);

        for (uint32_t k = 0; k < sv->parked.count; k++) {
            const struct request_class *a =
                &s->pending->rclass[sv->parked.at[k]];

            are &= is_simply_short(s, a) == (a->need > enough);
        }
    }
    return are;
}
#endif

void gsched_causes_follow(struct gsched *s)
{
    const bool all = s->pending->causes_hoarded
                     && s->allocations->partial.count == 0;
    const struct gs_numbers *shapes;
    int64_t free[TOPO_DIMS_MAX];

    if (s->pending->causes_followed == s->allocations->allocation_changes)
        return;
    s->pending->causes_followed = s->allocations->allocation_changes;
    s->pending->causes_hoarded = s->allocations->partial.count > 0;
    for (uint32_t d = 0; d < s->topo->dims->count; d++)
        free[d] = topo_domain_free(s->cluster, 0, d);
    shapes = gsched_listed_changed(s, all, free);
    for (uint32_t i = 0; i < shapes->count; i++)
        follow_simple(s, shapes->at[i], all, free);
    assert(sums_are_noted(s));
    for (uint32_t i = 0; i < s->pending->complex.count; i++)
        follow_complex(s, &s->pending->rclass[s->pending->complex.at[i]]);
    gsched_ruled_follow(s);
}
