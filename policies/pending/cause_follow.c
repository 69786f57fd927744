/* policies/pending/cause_follow.c - updates of the wait reason of unschedulable
 * request classes.
 */
#include "policies/pending/cause_follow.h"

#include <assert.h>

#include "policies/pending/listed_shapes.h"
#include "policies/pending/pending.h"
#include "policies/pending/ruled_turns.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/entry.h"
#include "policies/state/spans.h"

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

static void follow_simple(struct gsched *s, uint32_t shape, bool all)
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

static void follow_complex(struct gsched *s, struct request_class *a)
{
    struct queue_entry it;

    if (sample_of(s, a, &it))
        gsched_cause_follow(s, a, !gsched_has_capacity(s, &it));
}

void gsched_causes_follow(struct gsched *s)
{
    const bool all = s->pending->causes_hoarded
                     && s->allocations->partial.count == 0;
    const struct gs_numbers *shapes;

    if (s->pending->causes_followed == s->allocations->allocation_changes)
        return;
    s->pending->causes_followed = s->allocations->allocation_changes;
    s->pending->causes_hoarded = s->allocations->partial.count > 0;
    shapes = gsched_listed_changed(s, all);
    for (uint32_t i = 0; i < shapes->count; i++)
        follow_simple(s, shapes->at[i], all);
    for (uint32_t i = 0; i < s->pending->complex.count; i++)
        follow_complex(s, &s->pending->rclass[s->pending->complex.at[i]]);
    gsched_ruled_follow(s);
}
