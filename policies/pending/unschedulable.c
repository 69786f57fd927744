/* policies/pending/unschedulable.c - request classes that cannot be placed,
 * until there is room for them.
 *
 * An unschedulable request class for tasks of one shape is parked beside that
 * shape, the fewest tasks first; it is activated when a node was freed that
 * could take such a task and there is room for as many as it asks for.  Others
 * are activated when any of their shapes could use what was freed; those of
 * jobs with rules about others whenever such jobs moved, be it that one was
 * placed.
 */
#include "policies/pending/unschedulable.h"

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/cause_follow.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"

bool gsched_rclass_is_served(const struct gsched *s, uint32_t rclass)
{
    assert(rclass < s->pending->rclass_count);
    return s->pending->rclass[rclass].unschedulable_at == NONE
           || (s->modules->keeps_order
               && s->pending->rclass[rclass].kind != REQUEST_ELASTIC);
}

void gsched_rclass_list(struct gsched *s, uint32_t rclass)
{
    const uint8_t kind = s->pending->rclass[rclass].kind;

    if (!s->modules->keeps_order || s->pending->rclass[rclass].active_at != NONE
        || kind == REQUEST_ADMISSION || kind == REQUEST_ELASTIC)
        return;
    s->pending->active = gs_array_grow(
        s->pending->active, &s->pending->active_cap,
        s->pending->active_count + 1, sizeof(*s->pending->active));
    s->pending->active[s->pending->rclass[rclass].active_at =
                           s->pending->active_count++] = rclass;
}

void gsched_rclass_unlist(struct gsched *s, uint32_t rclass)
{
    const uint32_t i = s->pending->rclass[rclass].active_at;

    assert(
        i == NONE
        || (i < s->pending->active_count && s->pending->active[i] == rclass));
    if (i == NONE)
        return;
    s->pending->active[i] = s->pending->active[--s->pending->active_count];
    s->pending->rclass[s->pending->active[i]].active_at = i;
    s->pending->rclass[rclass].active_at = NONE;
}

bool gsched_rclass_is_unschedulable(const struct gsched *s, uint32_t rclass)
{
    assert(rclass < s->pending->rclass_count);
    return s->pending->rclass[rclass].unschedulable_at != NONE;
}

static void parked_put(struct gsched *s, struct shape_view *sv, uint32_t i,
                       uint32_t rclass)
{
    sv->parked[i] = rclass;
    s->pending->rclass[rclass].unschedulable_at = i;
}

/* The parked classes of one shape. */
struct parked {
    struct gsched *s;
    struct shape_view *sv;
};

static bool parked_before(const void *of, uint32_t a, uint32_t b)
{
    const struct parked *p = of;
    const struct request_class *rclass = p->s->pending->rclass;

    return rclass[p->sv->parked[a]].need < rclass[p->sv->parked[b]].need;
}

static void parked_swap(void *of, uint32_t a, uint32_t b)
{
    const struct parked *p = of;
    const uint32_t rclass = p->sv->parked[a];

    parked_put(p->s, p->sv, a, p->sv->parked[b]);
    parked_put(p->s, p->sv, b, rclass);
}

static void parked_settle(struct gsched *s, struct shape_view *sv, uint32_t i)
{
    static const struct gs_heap by_need = { parked_before, parked_swap };
    struct parked p = { s, sv };

    (void)gs_heap_settle(&by_need, &p, sv->parked_count, i);
}

static void park_simple(struct gsched *s, uint32_t rclass)
{
    const uint32_t shape = s->pending->rclass[rclass].shape;
    struct shape_view *sv = gsched_shape(s, shape);

    assert(s->pending->rclass[rclass].need > 0);
    sv->parked = gs_array_grow(sv->parked, &sv->parked_cap,
                               sv->parked_count + 1, sizeof(*sv->parked));
    parked_put(s, sv, sv->parked_count++, rclass);
    parked_settle(s, sv, sv->parked_count - 1);
    if (sv->listed != NONE)
        return;
    s->pending->unschedulable = gs_array_grow(
        s->pending->unschedulable, &s->pending->unschedulable_cap,
        s->pending->unschedulable_count + 1,
        sizeof(*s->pending->unschedulable));
    s->pending->unschedulable[sv->listed = s->pending->unschedulable_count++] =
        shape;
}

void gsched_rclass_unschedulable(struct gsched *s, uint32_t rclass,
                                 enum gsched_cause why)
{
    struct request_class *a = &s->pending->rclass[rclass];

    assert(why != GSCHED_NO_CAUSE && why < GSCHED_CAUSES);
    if (a->kind != REQUEST_ANY)
        gsched_rclass_waits_for(s, a, why);
    gsched_cause_found(s, rclass, why);
    if (a->unschedulable_at != NONE)
        return;
    a->rule_changes = s->allocations->rule_changes;
    if (a->is_simple) {
        park_simple(s, rclass);
    } else {
        s->pending->complex = gs_array_grow(
            s->pending->complex, &s->pending->complex_cap,
            s->pending->complex_count + 1, sizeof(*s->pending->complex));
        s->pending->complex[s->pending->rclass[rclass].unschedulable_at =
                                s->pending->complex_count++] = rclass;
    }
    gsched_rclass_unlist(s, rclass);
    for (uint32_t b = s->pending->rclass[rclass].first_cqueue; b != NONE;
         b = s->pending->cqueue[b].next) {
        gsched_cqueue_waits_for(s, &s->pending->cqueue[b], GSCHED_NO_CAUSE);
        if (!gsched_rclass_is_served(s, rclass))
            gsched_active_drop(s, b);
    }
}

static void parked_drop(struct gsched *s, const struct request_class *a)
{
    struct shape_view *sv = gsched_shape_seen(s, a->shape);
    const uint32_t i = a->unschedulable_at,
                   last = sv->parked[--sv->parked_count];

    assert(i <= sv->parked_count && sv->listed != NONE);
    assert(&s->pending->rclass[sv->parked[i]] == a || i == sv->parked_count);
    if (i < sv->parked_count) {
        parked_put(s, sv, i, last);
        parked_settle(s, sv, i);
    }
    if (sv->parked_count == 0) {
        const uint32_t shape =
            s->pending->unschedulable[--s->pending->unschedulable_count];

        s->pending->unschedulable[sv->listed] = shape;
        gsched_shape_seen(s, shape)->listed = sv->listed;
        sv->listed = NONE;
    }
}

void gsched_rclass_activate(struct gsched *s, uint32_t rclass)
{
    struct request_class *a = &s->pending->rclass[rclass];

    assert(a->unschedulable_at == NONE || a->is_simple
           || s->pending->complex[a->unschedulable_at] == rclass);
    if (a->unschedulable_at == NONE)
        return;
    if (a->is_simple) {
        parked_drop(s, a);
    } else {
        const uint32_t last = s->pending->complex[--s->pending->complex_count];

        s->pending->complex[a->unschedulable_at] = last;
        s->pending->rclass[last].unschedulable_at = a->unschedulable_at;
    }
    a->unschedulable_at = NONE;
    gsched_rclass_list(s, rclass);
    for (uint32_t b = a->first_cqueue; b != NONE;
         b = s->pending->cqueue[b].next) {
        if (s->pending->cqueue[b].count)
            gsched_active_add(s, b);
    }
}

/* Was a node freed that could take a task of the shape? */
static bool shape_activated(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape(s, shape);
    bool activated = false;

    assert(shape < s->work->shape_count);
    if (sv->activated_in == s->pending->activations)
        return sv->activated;
    for (uint32_t i = 0; i < s->allocations->freed_count && !activated; i++)
        activated = gsched_shape_suits(s, shape, s->allocations->freed[i]);
    sv = gsched_shape_seen(s, shape);
    sv->activated_in = s->pending->activations;
    sv->activated = activated;
    return activated;
}

/* Activate the shape's parked classes that there is room for. */
static void wake_simple(struct gsched *s, uint32_t shape)
{
    uint64_t room;

    if (!shape_activated(s, shape))
        return;
    room = gsched_shape_room(s, shape, UINT64_MAX);
    while (gsched_shape_seen(s, shape)->parked_count
           && s->pending->rclass[gsched_shape_seen(s, shape)->parked[0]].need
                  <= room)
        gsched_rclass_activate(s, gsched_shape_seen(s, shape)->parked[0]);
}

/* The job that the class is known by, or that goes first in it. */
static uint32_t asking(const struct gsched *s, const struct request_class *a)
{
    assert(a->first_cqueue != NONE);
    return a->kind == REQUEST_ANY && s->pending->cqueue[a->first_cqueue].count
               ? s->pending->cqueue[a->first_cqueue].heap[0].job
               : a->sample;
}

/* Could what was freed, or a job that moved, help the first entry? */
static bool complex_activated(struct gsched *s, const struct request_class *a)
{
    const uint32_t job = asking(s, a);

    if (a->rule_changes != s->allocations->rule_changes
        && gsched_has_rules(s, job))
        return true;
    if (a->kind == REQUEST_ANY && s->pending->cqueue[a->first_cqueue].count) {
        const struct queue_entry *top =
            &s->pending->cqueue[a->first_cqueue].heap[0];

        if (top->group != NONE)
            return shape_activated(
                s, gsched_group(s, top->job, top->group)->shape);
    }
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (shape_activated(s, gsched_group(s, job, g)->shape))
            return true;
    }
    return false;
}

void gsched_pending_activate(struct gsched *s)
{
    if (s->allocations->freed_count == 0
        && s->allocations->rule_changes == s->pending->rule_changes_seen)
        return;
    s->pending->activations++;
    for (uint32_t i = s->pending->unschedulable_count; i-- > 0;)
        wake_simple(s, s->pending->unschedulable[i]);
    for (uint32_t i = s->pending->complex_count; i-- > 0;) {
        if (complex_activated(s, &s->pending->rclass[s->pending->complex[i]]))
            gsched_rclass_activate(s, s->pending->complex[i]);
    }
    s->allocations->freed_count = 0;
    s->pending->rule_changes_seen = s->allocations->rule_changes;
}

bool gsched_pending_may_activate(const struct gsched *s)
{
    if (s->allocations->rule_changes == s->pending->rule_changes_seen)
        return false;
    for (uint32_t i = 0; i < s->pending->complex_count; i++) {
        const struct request_class *a =
            &s->pending->rclass[s->pending->complex[i]];

        if (a->rule_changes != s->allocations->rule_changes
            && gsched_has_rules(s, asking(s, a)))
            return true;
    }
    return false;
}
