/* policies/pending/unschedulable.c - request classes that cannot be placed, and
 * their activation.
 *
 * An unschedulable request class for tasks of one shape is parked with that
 * shape, the fewest tasks first.  It is activated when a node was freed that
 * could take such a task and there is room for all its tasks.  Other classes
 * are activated when any of their shapes could use a freed node; classes of
 * jobs with rules whenever a job with rules was placed or released, those of
 * ruled_turns.h only if that may help.
 */
#include "policies/pending/unschedulable.h"

#include <assert.h>

#include "base/heap.h"
#include "policies/pending/back_off.h"
#include "policies/pending/cause_follow.h"
#include "policies/pending/listed_shapes.h"
#include "policies/pending/pending.h"
#include "policies/pending/refusals.h"
#include "policies/pending/roused.h"
#include "policies/pending/ruled_turns.h"
#include "policies/pending/service_order.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"

bool gsched_rclass_is_unschedulable(const struct gsched *s, uint32_t rclass)
{
    assert(rclass < s->pending->rclass_count);
    return s->pending->rclass[rclass].unschedulable_at != NONE;
}

bool gsched_rclass_is_served(const struct gsched *s, uint32_t rclass)
{
    return !gsched_rclass_is_unschedulable(s, rclass)
           || (s->modules->keeps_order
               && s->pending->rclass[rclass].kind != REQUEST_ELASTIC);
}

void gsched_rclass_list(struct gsched *s, uint32_t rclass)
{
    struct request_class *a = &s->pending->rclass[rclass];

    if (s->modules->keeps_order && a->active_at == NONE
        && a->kind != REQUEST_ADMISSION && a->kind != REQUEST_ELASTIC)
        a->active_at = gs_numbers_add(&s->pending->active, rclass);
}

void gsched_rclass_unlist(struct gsched *s, uint32_t rclass)
{
    struct gsched_pending *p = s->pending;
    const uint32_t i = p->rclass[rclass].active_at;

    assert(i == NONE || p->active.at[i] == rclass);
    if (i == NONE)
        return;
    p->rclass[gs_numbers_take(&p->active, i)].active_at = i;
    p->rclass[rclass].active_at = NONE;
}

static void parked_put(struct gsched *s, struct shape_view *sv, uint32_t i,
                       uint32_t rclass)
{
    sv->parked.at[i] = rclass;
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

    return rclass[p->sv->parked.at[a]].need < rclass[p->sv->parked.at[b]].need;
}

static void parked_swap(void *of, uint32_t a, uint32_t b)
{
    const struct parked *p = of;
    const uint32_t rclass = p->sv->parked.at[a];

    parked_put(p->s, p->sv, a, p->sv->parked.at[b]);
    parked_put(p->s, p->sv, b, rclass);
}

static void parked_settle(struct gsched *s, struct shape_view *sv, uint32_t i)
{
    static const struct gs_heap by_need = { parked_before, parked_swap };
    struct parked p = { s, sv };

    (void)gs_heap_settle(&by_need, &p, sv->parked.count, i);
}

static void park_simple(struct gsched *s, uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];
    struct shape_view *sv = gsched_shape_known(s, a->shape);

    assert(a->need > 0);
    parked_put(s, sv, gs_numbers_add(&sv->parked, rclass), rclass);
    parked_settle(s, sv, sv->parked.count - 1);
    if (sv->listed == NONE)
        gsched_shape_list(s, a->shape);
}

void gsched_rclass_unschedulable(struct gsched *s, uint32_t rclass,
                                 enum gsched_cause why)
{
    struct gsched_pending *p = s->pending;
    struct request_class *a = &p->rclass[rclass];

    assert(why != GSCHED_NO_CAUSE && why < GSCHED_CAUSES);
    if (a->kind != REQUEST_ANY)
        gsched_rclass_waits_for(s, a, why);
    gsched_cause_found(s, rclass, why);
    if (a->unschedulable_at != NONE)
        return;
    a->rule_changes = s->allocations->rule_changes;
    gsched_pause_begin(s, rclass);
    gsched_rclass_lacks(s, rclass, why);
    if (a->is_simple)
        park_simple(s, rclass);
    else if (!gsched_ruled_add(s, rclass))
        a->unschedulable_at = gs_numbers_add(&p->complex, rclass);
    gsched_rclass_unlist(s, rclass);
    a->falls++;
    gsched_active_sleep(s, rclass);
}

static void unpark_simple(struct gsched *s, const struct request_class *a)
{
    struct shape_view *sv = gsched_shape_seen(s, a->shape);
    const uint32_t i = a->unschedulable_at;
    const uint32_t last = gs_numbers_take(&sv->parked, i);

    assert(sv->listed != NONE);
    if (i < sv->parked.count) {
        parked_put(s, sv, i, last);
        parked_settle(s, sv, i);
    }
    if (sv->parked.count == 0)
        gsched_shape_unlist(s, a->shape);
}

void gsched_rclass_activate(struct gsched *s, uint32_t rclass)
{
    struct gsched_pending *p = s->pending;
    struct request_class *a = &p->rclass[rclass];
    const uint32_t i = a->unschedulable_at;

    assert(i == NONE || a->is_simple || a->has_turn
           || p->complex.at[i] == rclass);
    if (i == NONE)
        return;
    gsched_rclass_settle(s, rclass);
    if (a->is_simple)
        unpark_simple(s, a);
    else if (a->has_turn)
        gsched_ruled_take(s, rclass);
    else
        p->rclass[gs_numbers_take(&p->complex, i)].unschedulable_at = i;
    a->unschedulable_at = NONE;
    a->is_due = false;
    gsched_rclass_list(s, rclass);
    gsched_active_wake(s, rclass);
}

bool gsched_shape_activated(struct gsched *s, uint32_t shape)
{
    struct shape_view *sv = gsched_shape_known(s, shape);
    bool activated = false;

    assert(shape < s->work->shape_count);
    if (sv->activated_in == s->pending->activations)
        return sv->activated;
    for (uint32_t i = 0; i < s->allocations->freed.count && !activated; i++)
        activated = gsched_shape_suits(s, shape, s->allocations->freed.at[i]);
    sv = gsched_shape_seen(s, shape);
    sv->activated_in = s->pending->activations;
    sv->activated = activated;
    return activated;
}

/* Activate the parked classes of the shape for which there is room, or rouse
 * them if they may be.
 */
static void activate_simple(struct gsched *s, uint32_t shape, bool may_rouse)
{
    const struct request_class *rclass = s->pending->rclass;
    const struct gs_numbers *parked;
    uint64_t room;

    if ((may_rouse && gsched_rouse(s, shape))
        || !gsched_shape_activated(s, shape))
        return;
    room = gsched_shape_room(s, shape, UINT64_MAX);
    parked = &gsched_shape_seen(s, shape)->parked;
    while (parked->count && rclass[parked->at[0]].need <= room)
        gsched_rclass_activate(s, parked->at[0]);
}

/* A job with the request of the class: its sample, or its first entry. */
static uint32_t asking(const struct gsched *s, const struct request_class *a)
{
    assert(a->first_cqueue != NONE);
    return a->kind == REQUEST_ANY && s->pending->cqueue[a->first_cqueue].count
               ? s->pending->cqueue[a->first_cqueue].heap[0].job
               : a->sample;
}

/* True when jobs with rules were placed or released since, and the job of the
 * entry has rules.
 */
static bool rules_moved(const struct gsched *s, const struct request_class *a)
{
    return a->rule_changes != s->allocations->rule_changes
           && gsched_has_rules(s, asking(s, a));
}

/* True when freed nodes, or moved jobs with rules, could help the first entry.
 */
static bool complex_activated(struct gsched *s, const struct request_class *a)
{
    const struct class_queue *b = &s->pending->cqueue[a->first_cqueue];
    const uint32_t job = asking(s, a);

    if (rules_moved(s, a))
        return true;
    if (a->kind == REQUEST_ANY && b->count && b->heap[0].group != NONE)
        return gsched_shape_activated(
            s, gsched_group(s, job, b->heap[0].group)->shape);
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        if (gsched_shape_activated(s, gsched_group(s, job, g)->shape))
            return true;
    }
    return false;
}

/* --- with pauses between attempts ----------------------------------------- */

/* True when something was freed on a node with hardware that suits the shape,
 * whether a task fits there now or not.
 */
static bool shape_is_freed(struct gsched *s, uint32_t shape)
{
    const struct shape_view *sv = gsched_shape_known(s, shape);
    const uint32_t *klass = topo_cluster_groups(s->cluster)->klass;

    for (uint32_t i = 0; i < s->allocations->freed.count; i++) {
        if (class_set_has(&sv->suits, klass[s->allocations->freed.at[i]]))
            return true;
    }
    return false;
}

/* Something was freed that jobs of the class ask for: a reason for an attempt,
 * now or when its pause is over.  Without room the attempt fails.
 */
static void rclass_freed(struct gsched *s, uint32_t rclass, bool has_room)
{
    struct request_class *a = &s->pending->rclass[rclass];

    if (a->waiting == 0 || a->retry_at <= s->now) {
        if (has_room)
            gsched_rclass_activate(s, rclass);
        else
            gsched_pause_begin(s, rclass);
        return;
    }
    a->is_due = true;
    if (has_room && a->kind != REQUEST_ANY)
        gsched_rclass_waits_for(s, a, GSCHED_LATENCY);
}

static bool rclass_has_room(struct gsched *s, const struct request_class *a)
{
    return !a->is_simple || gsched_shape_has_room(s, a->shape, a->need);
}

void gsched_rclass_retry(struct gsched *s, uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];

    if (a->unschedulable_at != NONE && a->is_due)
        rclass_freed(s, rclass, rclass_has_room(s, a));
}

static void retry_simple(struct gsched *s, uint32_t shape)
{
    struct gs_numbers *l = &s->pending->freed_for;
    const struct gs_numbers *parked;

    if (!shape_is_freed(s, shape))
        return;
    parked = &gsched_shape_seen(s, shape)->parked;
    l->count = 0;
    for (uint32_t i = 0; i < parked->count; i++)
        (void)gs_numbers_add(l, parked->at[i]);
    for (uint32_t i = 0; i < l->count; i++)
        rclass_freed(s, l->at[i],
                     rclass_has_room(s, &s->pending->rclass[l->at[i]]));
}

static void retry_complex(struct gsched *s, uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];
    const struct trace_job *j = &s->work->job[asking(s, a)];
    bool is_freed = false;

    for (uint32_t g = 0; g < j->group_count && !is_freed; g++)
        is_freed = shape_is_freed(
            s, trace_group_at(s->work, j->first_group + g)->shape);
    if (is_freed || rules_moved(s, a))
        rclass_freed(s, rclass, complex_activated(s, a));
}

void gsched_pending_activate(struct gsched *s)
{
    const bool retries = s->modules->retries, may_rouse = gsched_may_rouse(s);
    const struct gs_numbers *freed_for;

    if (s->allocations->freed.count == 0
        && s->allocations->rule_changes == s->pending->rule_changes_seen)
        return;
    gsched_ruled_flush(s);
    s->pending->activations++;
    freed_for = gsched_listed_freed(s, !retries);
    for (uint32_t i = freed_for->count; i-- > 0;) {
        if (retries)
            retry_simple(s, freed_for->at[i]);
        else
            activate_simple(s, freed_for->at[i], may_rouse);
    }
    for (uint32_t i = s->pending->complex.count; i-- > 0;) {
        if (retries)
            retry_complex(s, s->pending->complex.at[i]);
        else if (complex_activated(
                     s, &s->pending->rclass[s->pending->complex.at[i]]))
            gsched_rclass_activate(s, s->pending->complex.at[i]);
    }
    gsched_ruled_begin(s);
    s->allocations->freed.count = 0;
    s->pending->rule_changes_seen = s->allocations->rule_changes;
}

bool gsched_pending_may_activate(const struct gsched *s)
{
    if (s->modules->filter_opens && s->allocations->freed.count
        && s->pending->unschedulable.count + s->pending->complex.count)
        return true;
    if (s->allocations->rule_changes == s->pending->rule_changes_seen)
        return false;
    for (uint32_t i = 0; i < s->pending->complex.count; i++) {
        if (rules_moved(s, &s->pending->rclass[s->pending->complex.at[i]]))
            return true;
    }
    return gsched_ruled_are_due(s);
}
