/* policies/pending/ruled_turns.c - see ruled_turns.h.
 *
 * Each placement of a job with rules is a reason to try all classes whose turn
 * comes, in that pass or the next.  The number of such changes at the last
 * attempt, made or not, is kept for each class, so that what is left out is
 * known to the turn.  With assertions each attempt that is left out is made.
 */
#include "policies/pending/ruled_turns.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/pending/cause_follow.h"
#include "policies/pending/pending.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/kept_nodes.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

#define UNKNOWN UINT64_MAX
#define FREED_MANY 32u /* an attempt looks at fewer states */

struct turn {
    uint32_t rclass, shape;
    uint64_t rule_changes; /* at its last attempt, made or not */
    uint64_t label_moves;  /* of its labels at the last that was made; UNKNOWN:
                              something else decided, too */
    uint64_t had_in;       /* pass in which it had its turn */
};

struct gsched_ruled {
    struct turn *at;     /* by the first entry of each */
    struct turn *lifted; /* that get another place */
    uint32_t count, cap, lifted_count, lifted_cap;
    uint32_t next;           /* in a pass: those before have had their turn */
    bool is_open;            /* a pass begins, or goes on */
    uint64_t pass;           /* its number */
    uint64_t rule_changes;   /* when it began */
    struct gs_numbers freed; /* nodes, until then */
    uint64_t looks;          /* number of times that the state may be another */
};

/* --- what decides --------------------------------------------------------- */

/* Do room and rules alone decide which node may take a task? */
static bool do_rules_decide(const struct gsched *s)
{
    return s->allocations->partial.count == 0 && !s->booked
           && !gsched_has_claims(s) && !gsched_has_kept(s);
}

/* Does an attempt for the class change nothing when it fails, and follow its
 * turn from the order of entries alone?
 */
static bool has_turns(const struct gsched *s, const struct request_class *a)
{
    const struct gsched_modules *m = s->modules;

    return a->kind == REQUEST_TASK && a->alone == NONE && m->refuses_by_labels
           && !m->has_quota && !m->has_queues && !m->keeps_order && !m->reorders
           && !m->filter_opens && !m->has_passes && !m->retries
           && !m->is_planned && !m->has_choice && !m->pick && !s->sample
           && !s->quotas && !s->limits && !s->depths
           && gsched_has_action(s, GSCHED_ALLOCATE) && a->filled.count == 1
           && s->work->job[a->sample].group_count == 1
           && gsched_bound_level(s, a->sample) == 0
           && gsched_has_label_rules(s, a->sample);
}

static const struct queue_entry *head_of(const struct gsched *s,
                                         uint32_t rclass)
{
    const struct request_class *a = &s->pending->rclass[rclass];

    assert(a->filled.count == 1);
    return &s->pending->cqueue[a->filled.at[0]].heap[0];
}

/* The number of placements and releases that concern labels of the task. */
static uint64_t moves_of(const struct gsched *s, const struct queue_entry *it)
{
    const struct trace_group *g = gsched_group(s, it->job, it->group);
    uint64_t moves = 0;

    for (uint32_t i = 0; i < gsched_label_count(s, it->job, it->group); i++)
        moves += gsched_label_moves(s,
                                    gsched_label_of(s, it->job, it->group, i));
    for (uint32_t i = 0; i < g->rule_count; i++)
        moves += gsched_label_moves(s, s->work->rule[g->first_rule + i].label);
    return moves;
}

/* --- what is the same for all tasks of a shape ---------------------------- */

static bool has_room(struct gsched *s, uint32_t shape)
{
    struct shape_turns *v = &gsched_shape_seen(s, shape)->turns;

    if (v->room_at != s->pending->ruled->looks) {
        const bool room = gsched_shape_has_room(s, shape, 1);

        v = &gsched_shape_seen(s, shape)->turns;
        v->has_room = room;
        v->room_at = s->pending->ruled->looks;
    }
    return v->has_room;
}

static bool is_short(struct gsched *s, const struct turn *t)
{
    struct shape_turns *v = &gsched_shape_seen(s, t->shape)->turns;

    if (v->short_at != s->pending->ruled->looks) {
        v->is_short = !gsched_has_capacity(s, head_of(s, t->rclass));
        v->short_at = s->pending->ruled->looks;
    }
    return v->is_short;
}

static enum gsched_cause cause_of(struct gsched *s, const struct turn *t)
{
    struct shape_turns *v = &gsched_shape_seen(s, t->shape)->turns;

    if (v->cause_at != s->pending->ruled->looks) {
        const enum gsched_cause why = gsched_cause_of(s, head_of(s, t->rclass));

        v = &gsched_shape_seen(s, t->shape)->turns;
        v->cause = (uint8_t)why;
        v->cause_at = s->pending->ruled->looks;
    }
    return (enum gsched_cause)v->cause;
}

/* --- the list ------------------------------------------------------------- */

/* The place of the first class whose first entry is not before `it`. */
static uint32_t place_of(const struct gsched *s, const struct queue_entry *it)
{
    const struct gsched_ruled *l = s->pending->ruled;
    uint32_t low = 0, high = l->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (gsched_entry_compare(s, head_of(s, l->at[mid].rclass), it) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static uint32_t index_of(const struct gsched_ruled *l, uint32_t rclass)
{
    uint32_t i = 0;

    while (i < l->count && l->at[i].rclass != rclass)
        i++;
    return i;
}

static struct turn remove_at(struct gsched_ruled *l, uint32_t i)
{
    const struct turn t = l->at[i];

    assert(i < l->count);
    memmove(&l->at[i], &l->at[i + 1], (--l->count - i) * sizeof(*l->at));
    l->next -= i < l->next;
    return t;
}

static void insert(struct gsched *s, const struct turn *t)
{
    struct gsched_ruled *l = s->pending->ruled;
    const uint32_t i = place_of(s, head_of(s, t->rclass));

    l->at = gs_array_grow(l->at, &l->cap, l->count + 1, sizeof(*l->at));
    memmove(&l->at[i + 1], &l->at[i], (l->count++ - i) * sizeof(*l->at));
    l->at[i] = *t;
    l->next += i < l->next || (i == l->next && t->had_in == l->pass);
}

bool gsched_ruled_add(struct gsched *s, uint32_t rclass)
{
    struct request_class *a = &s->pending->rclass[rclass];
    const struct gsched_ruled *l = s->pending->ruled;

    if (!has_turns(s, a))
        return false;
    assert(!a->has_turn && a->waiting > 0);
    a->has_turn = true;
    a->unschedulable_at = 0; /* its place changes with each that comes */
    insert(s, &(struct turn){ .rclass = rclass,
                              .shape = a->shape,
                              .rule_changes = s->allocations->rule_changes,
                              .label_moves = do_rules_decide(s) ? moves_of(
                                                 s, head_of(s, rclass))
                                                                : UNKNOWN,
                              .had_in = l->pass });
    return true;
}

static struct turn take(struct gsched *s, uint32_t rclass)
{
    struct request_class *a = &s->pending->rclass[rclass];
    const struct turn t = remove_at(s->pending->ruled,
                                    index_of(s->pending->ruled, rclass));

    assert(a->has_turn);
    a->has_turn = false;
    a->rule_changes = t.rule_changes;
    return t;
}

void gsched_ruled_take(struct gsched *s, uint32_t rclass)
{
    (void)take(s, rclass);
}

/* Does the class have a turn in this pass that is to come? */
static bool has_turn_left(const struct gsched *s, const struct turn *t)
{
    const struct gsched_ruled *l = s->pending->ruled;
    const struct shape_view *sv = gsched_shape_seen(s, t->shape);

    return l->is_open && t->had_in != l->pass
           && (t->rule_changes != l->rule_changes
               || (sv->activated_in == s->pending->activations
                   && sv->activated));
}

static void lift(struct gsched *s, uint32_t rclass)
{
    struct gsched_ruled *l = s->pending->ruled;
    const uint32_t i = index_of(l, rclass);

    if (i == l->count)
        return; /* it is lifted */
    l->lifted = gs_array_grow(l->lifted, &l->lifted_cap, l->lifted_count + 1,
                              sizeof(*l->lifted));
    l->lifted[l->lifted_count++] = remove_at(l, i);
}

void gsched_ruled_lift(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const struct gsched_pending *p = s->pending;

    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (p->group_cqueue[g] != NONE
            && p->rclass[p->cqueue[p->group_cqueue[g]].rclass].has_turn)
            lift(s, p->cqueue[p->group_cqueue[g]].rclass);
    }
}

void gsched_ruled_land(struct gsched *s)
{
    struct gsched_ruled *l = s->pending->ruled;

    for (uint32_t i = 0; i < l->lifted_count; i++)
        insert(s, &l->lifted[i]);
    for (uint32_t i = 0; i < l->lifted_count; i++) {
        if (has_turn_left(s, &l->lifted[i])
            && index_of(l, l->lifted[i].rclass) < l->next)
            gsched_rclass_activate(s, l->lifted[i].rclass); /* it is next */
    }
    l->lifted_count = 0;
}

void gsched_ruled_moved(struct gsched *s, uint32_t rclass)
{
    struct request_class *a = &s->pending->rclass[rclass];
    struct turn t;

    if (!a->has_turn)
        return;
    if (a->waiting > 0) {
        lift(s, rclass);
        gsched_ruled_land(s);
        return;
    }
    t = take(s, rclass);
    a->unschedulable_at = has_turn_left(s, &t)
                              ? NONE
                              : gs_numbers_add(&s->pending->complex, rclass);
}

/* --- a pass --------------------------------------------------------------- */

/* May the class be placed, which could not at its last attempt?  Only on a node
 * that was freed since, or where its labels are others.
 */
static bool may_fit(struct gsched *s, const struct turn *t)
{
    const struct gsched_ruled *l = s->pending->ruled;
    const struct queue_entry *it;
    const struct shape_view *sv;
    struct scope w;

    if (!has_room(s, t->shape))
        return false;
    it = head_of(s, t->rclass);
    if (t->label_moves == UNKNOWN || t->label_moves != moves_of(s, it))
        return true;
    sv = gsched_shape_seen(s, t->shape);
    if (sv->activated_in != s->pending->activations || !sv->activated)
        return false;
    if (l->freed.count > FREED_MANY)
        return true;
    w = gsched_scope_all(s, it->job, it->group);
    for (uint32_t i = 0; i < l->freed.count; i++) {
        const uint32_t node = l->freed.at[i];

        if (gsched_shape_suits(s, t->shape,
                               topo_cluster_group_of(s->cluster, node))
            && gsched_modules_allow_node(s, &w, node) == node)
            return true;
    }
    return false;
}

#ifndef NDEBUG
/* Make the attempt that is left out. */
static void check_left_out(struct gsched *s, const struct turn *t,
                           enum gsched_cause why)
{
    const struct queue_entry *it = head_of(s, t->rclass);
    const struct scope w = gsched_scope_all(s, it->job, it->group);

    assert(!gsched_shape_fits(s, t->shape, &w));
    assert(gsched_cause_of(s, it) == why);
    assert(s->pending->rclass[t->rclass].is_short
           == !gsched_has_capacity(s, it));
}

static void check_order(const struct gsched *s)
{
    const struct gsched_ruled *l = s->pending->ruled;

    for (uint32_t i = 1; i < l->count; i++)
        assert(gsched_entry_compare(s, head_of(s, l->at[i - 1].rclass),
                                    head_of(s, l->at[i].rclass))
               < 0);
}
#endif

/* The turn of the class comes, in vain. */
static void fail(struct gsched *s, struct turn *t)
{
    const enum gsched_cause why = cause_of(s, t);
    struct request_class *a = &s->pending->rclass[t->rclass];

    t->had_in = s->pending->ruled->pass;
    t->rule_changes = s->allocations->rule_changes;
    gsched_rclass_waits_for(s, a, why);
    a->is_short = is_short(s, t);
#ifndef NDEBUG
    check_left_out(s, t, why);
#endif
}

bool gsched_ruled_reach(struct gsched *s, uint32_t cqueue)
{
    struct gsched_ruled *l = s->pending->ruled;
    uint32_t end;
    bool by_rules;

    if (!l->is_open)
        return false;
    end = cqueue == NONE ? l->count
                         : place_of(s, &s->pending->cqueue[cqueue].heap[0]);
    by_rules = do_rules_decide(s);
    for (l->looks++; l->next < end; l->next++) {
        struct turn *t = &l->at[l->next];

        if (!has_turn_left(s, t))
            continue;
        if (!by_rules || may_fit(s, t)) {
            gsched_rclass_activate(s, t->rclass);
            return true;
        }
        fail(s, t);
    }
    l->is_open = cqueue != NONE;
    return false;
}

void gsched_ruled_flush(struct gsched *s)
{
    struct gsched_ruled *l = s->pending->ruled;

    for (uint32_t i = l->count; l->is_open && i-- > 0;) {
        if (has_turn_left(s, &l->at[i]))
            gsched_rclass_activate(s, l->at[i].rclass);
    }
    l->is_open = false;
}

void gsched_ruled_begin(struct gsched *s)
{
    struct gsched_ruled *l = s->pending->ruled;
    struct gsched_allocations *a = s->allocations;
    const struct gs_numbers freed = l->freed;

#ifndef NDEBUG
    check_order(s);
#endif
    l->pass++;
    l->next = 0;
    l->is_open = l->count > 0;
    for (uint32_t i = 0; a->freed.count && i < l->count; i++)
        (void)gsched_shape_activated(s, l->at[i].shape);
    l->rule_changes = a->rule_changes;
    l->freed = a->freed_nodes;
    a->freed_nodes = freed;
    a->freed_nodes.count = 0;
}

/* --- between passes ------------------------------------------------------- */

bool gsched_ruled_are_due(const struct gsched *s)
{
    const struct gsched_ruled *l = s->pending->ruled;
    uint32_t i = 0;

    while (i < l->count
           && l->at[i].rule_changes == s->allocations->rule_changes)
        i++;
    return i < l->count;
}

void gsched_ruled_follow(struct gsched *s)
{
    struct gsched_ruled *l = s->pending->ruled;

    l->looks++;
    for (uint32_t i = 0; i < l->count; i++)
        gsched_cause_follow(s, &s->pending->rclass[l->at[i].rclass],
                            is_short(s, &l->at[i]));
}

void gsched_ruled_open(struct gsched *s)
{
    s->pending->ruled = gs_arena_alloc(s->arena, 1, sizeof(*s->pending->ruled));
}

void gsched_ruled_free(struct gsched *s)
{
    if (!s->pending->ruled)
        return;
    gs_array_free(s->pending->ruled->at);
    gs_array_free(s->pending->ruled->lifted);
    gs_array_free(s->pending->ruled->freed.at);
}
