/* policies/pending/refusals.c - see refusals.h. */
#include "policies/pending/refusals.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/placement/placement.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"

/* Class queues of a request class that one queue refuses. */
struct refusal_group {
    uint32_t queue;
    uint32_t rclass;     /* NONE: of any class, since the queue is overused */
    uint32_t prev, next; /* of the same queue and kind, with members; NONE */
    int kind;            /* of their active queues */
    struct gs_numbers members;
};

struct gsched_refusals {
    uint32_t *first_group[ACTIVE_QUEUES]; /* [queue], the last one the cluster:
                                             the first with members; NONE */
    struct refusal_group *group;
    uint32_t group_count, group_cap;
    struct gs_hash groups;           /* by queue, class, kind */
    uint64_t eases[ACTIVE_QUEUES];   /* gsched_usage_eases() when groups of the
                                      kind were followed */
    bool is_followed[ACTIVE_QUEUES]; /* in this cycle */
    bool is_noted;                   /* `was_over` is that of this cycle */
    bool *was_over; /* [queue] it got nothing more before the evictions of the
                       cycle; NULL: no module says so */
    uint64_t releases; /* when groups of admission were followed */
    uint64_t told_at;  /* changes of usage when modules told the last time */
};

/* --- groups --------------------------------------------------------------- */

struct sought_group {
    const struct gsched_refusals *r;
    uint32_t queue, rclass;
    int kind;
};

static bool is_group(const void *of, uint32_t at)
{
    const struct sought_group *k = of;
    const struct refusal_group *g = &k->r->group[at];

    return g->queue == k->queue && g->rclass == k->rclass && g->kind == k->kind;
}

static uint32_t group_for(struct gsched_refusals *r, uint32_t queue,
                          uint32_t rclass, int kind)
{
    const struct sought_group k = { r, queue, rclass, kind };
    const uint64_t hash = gs_hash_mix(gs_hash_mix(queue, rclass),
                                      (uint64_t)kind);
    const uint32_t found = gs_hash_find(&r->groups, hash, is_group, &k);

    if (found != GS_HASH_NONE)
        return found;
    r->group = gs_array_grow(r->group, &r->group_cap, r->group_count + 1,
                             sizeof(*r->group));
    r->group[r->group_count] = (struct refusal_group){ .queue = queue,
                                                       .rclass = rclass,
                                                       .kind = kind };
    gs_hash_put(&r->groups, hash, r->group_count);
    return r->group_count++;
}

/* The group has its first member: list it. */
static void group_list(struct gsched_refusals *r, uint32_t group)
{
    struct refusal_group *g = &r->group[group];
    uint32_t *first = &r->first_group[g->kind][g->queue];

    g->prev = NONE;
    g->next = *first;
    if (g->next != NONE)
        r->group[g->next].prev = group;
    *first = group;
}

static void group_unlist(struct gsched_refusals *r, uint32_t group)
{
    const struct refusal_group *g = &r->group[group];

    if (g->prev == NONE)
        r->first_group[g->kind][g->queue] = g->next;
    else
        r->group[g->prev].next = g->next;
    if (g->next != NONE)
        r->group[g->next].prev = g->prev;
}

static void join(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(b->group == NONE && b->at == NONE && b->count > 0);
    b->group = group_for(s->refusals, b->blocker, b->is_over ? NONE : b->rclass,
                         gsched_active_kind(s, cqueue));
    b->group_at = gs_numbers_add(&s->refusals->group[b->group].members, cqueue);
    if (s->refusals->group[b->group].members.count == 1)
        group_list(s->refusals, b->group);
}

static void leave(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    struct gs_numbers *l = &s->refusals->group[b->group].members;

    assert(l->at[b->group_at] == cqueue);
    s->pending->cqueue[gs_numbers_take(l, b->group_at)].group_at = b->group_at;
    if (l->count == 0)
        group_unlist(s->refusals, b->group);
    b->group = b->blocker = NONE;
}

/* --- a class queue -------------------------------------------------------- */

/* Is the request of the entry that of its class? */
static bool is_alike(const struct gsched *s, const struct class_queue *b)
{
    const uint8_t kind = s->pending->rclass[b->rclass].kind;

    return kind != REQUEST_ANY
           && (kind != REQUEST_GANG
               || gsched_job(s, b->heap[0].job)->placed == 0);
}

void gsched_refusal_note(struct gsched *s, uint32_t cqueue, bool is_over)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(b->group == NONE);
    b->blocker = s->refusals && is_alike(s, b) ? s->modules->blocker : NONE;
    b->blocked_at = gsched_usage_eases(s);
    b->is_over = is_over;
}

bool gsched_refusal_stands(const struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    const int kind = gsched_active_kind(s, cqueue);

    return b->group != NONE
           && (!s->refusals->is_followed[kind]
               || gsched_queue_eased_at(s, b->blocker)
                      <= s->refusals->eases[kind]);
}

/* Was the queue, or one above it, overused before the evictions? */
static bool was_over(const struct gsched *s, uint32_t queue)
{
    bool was = false;

    for (uint32_t q = queue;
         s->refusals->is_noted && q != s->queue_count && !was;
         q = s->order->queue[q].parent)
        was = s->refusals->was_over[q];
    return was;
}

bool gsched_refusal_is_asked(const struct gsched *s, uint32_t cqueue)
{
    return s->refusals->is_followed[gsched_active_kind(s, cqueue)]
           && !was_over(s, s->pending->cqueue[cqueue].queue);
}

/* May the queue that refuses the class queue refuse it no longer?  Of
 * admission, it is not asked before something is released.
 */
static bool is_eased(const struct gsched *s, const struct class_queue *b)
{
    return gsched_queue_eased_at(s, b->blocker) > b->blocked_at
           && (s->pending->rclass[b->rclass].kind != REQUEST_ADMISSION
               || b->asked_at != s->allocations->releases);
}

bool gsched_refusal_stays(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    if (b->blocker == NONE || b->group != NONE)
        return b->group != NONE;
    if (!gsched_rclass_is_served(s, b->rclass))
        gsched_active_drop(s, cqueue);
    if (b->at != NONE || b->count == 0 || is_eased(s, b)) {
        b->blocker = NONE;
        return false;
    }
    join(s, cqueue);
    return true;
}

void gsched_refusal_spread(struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];
    const struct gs_numbers *l = &s->pending->rclass[b->rclass].filled;

    assert(s->pending->rclass[b->rclass].kind == REQUEST_ADMISSION);
    if (b->blocker != s->queues)
        return;
    for (uint32_t i = 0; i < l->count; i++) {
        struct class_queue *c = &s->pending->cqueue[l->at[i]];

        if (c->at == NONE || c->asked_at == b->asked_at
            || s->work->job[c->heap[0].job].aside->admitted)
            continue;
        c->asked_at = b->asked_at;
        gsched_active_defer(s, l->at[i], s->modules->refuser);
    }
}

void gsched_refusal_end(struct gsched *s, uint32_t cqueue)
{
    if (s->pending->cqueue[cqueue].group != NONE)
        leave(s, cqueue);
    s->pending->cqueue[cqueue].blocker = NONE;
}

/* --- what is eased -------------------------------------------------------- */

/* Is the first entry of the class queue refused?  s->modules tells why. */
static bool is_refused(struct gsched *s, const struct refusal_group *g,
                       const struct class_queue *b)
{
    const uint32_t job = b->heap[0].job;

    if (g->rclass == NONE)
        return gsched_modules_overused(s, g->queue);
    if (s->pending->rclass[b->rclass].kind == REQUEST_ADMISSION)
        return !s->work->job[job].aside->admitted
               && !gsched_modules_enqueue(s, job);
    return !gsched_entry_allocatable(s, &b->heap[0]);
}

static void ask_again(struct gsched *s, uint32_t cqueue)
{
    if (gsched_rclass_is_served(s, s->pending->cqueue[cqueue].rclass))
        gsched_active_add(s, cqueue);
}

/* Another queue refuses it now. */
static void join_now(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];

    if (gsched_rclass_is_served(s, b->rclass))
        gsched_cqueue_refused(s, b, s->modules->refuser);
    else
        b->gate = s->modules->refuser;
    join(s, cqueue);
}

/* Ask about one class queue of the group after the other, until one is refused
 * as before; those refused by another queue join its group.  When one is
 * accepted, all are active.
 */
static void group_follow(struct gsched *s, uint32_t group)
{
    for (;;) {
        const struct refusal_group *g = &s->refusals->group[group];
        uint32_t cqueue;

        if (g->members.count == 0)
            return;
        cqueue = g->members.at[g->members.count - 1];
        if (!is_refused(s, g, &s->pending->cqueue[cqueue]))
            break;
        if (s->modules->blocker == g->queue)
            return;
        leave(s, cqueue);
        gsched_refusal_note(s, cqueue, false);
        if (s->pending->cqueue[cqueue].blocker == NONE)
            ask_again(s, cqueue);
        else
            join_now(s, cqueue);
    }
    while (s->refusals->group[group].members.count) {
        const struct gs_numbers *l = &s->refusals->group[group].members;
        const uint32_t cqueue = l->at[l->count - 1];

        leave(s, cqueue);
        ask_again(s, cqueue);
    }
}

/* --- after evictions ------------------------------------------------------ */

void gsched_refusals_evict(struct gsched *s)
{
    struct gsched_refusals *r = s->refusals;

    if (!r || !r->was_over || r->is_noted || !r->is_followed[QUEUE_GANGS])
        return;
    r->is_noted = true;
    for (uint32_t q = 0; q < s->queue_count; q++)
        r->was_over[q] = gsched_modules_overused(s, q);
}

/* Make active the class queues of the group that the first pass did not ask
 * about, since their queues were overused then.
 */
static void group_reopen(struct gsched *s, uint32_t group)
{
    const struct gs_numbers *l = &s->refusals->group[group].members;

    for (uint32_t i = l->count; i-- > 0;) {
        const uint32_t cqueue = l->at[i];

        if (!was_over(s, s->pending->cqueue[cqueue].queue))
            continue;
        leave(s, cqueue);
        ask_again(s, cqueue);
    }
}

/* Each group of the queue that has members, of which it may lose them. */
static void groups_do(struct gsched *s, uint32_t queue, int kind,
                      void (*action)(struct gsched *, uint32_t))
{
    uint32_t next;

    for (uint32_t g = s->refusals->first_group[kind][queue]; g != NONE;
         g = next) {
        next = s->refusals->group[g].next;
        action(s, g);
    }
}

/* A second pass in the cycle: the same of all groups of queues eased since, and
 * of class queues that join a group in the next cycle.
 */
static void follow_again(struct gsched *s, int kind)
{
    const struct gsched_refusals *r = s->refusals;
    const struct gs_numbers *l = &s->order->deferred;

    if (!r->is_noted)
        return;
    for (uint32_t i = 0; i < l->count; i++) {
        const struct class_queue *b = &s->pending->cqueue[l->at[i]];

        if (b->blocker != NONE && b->group == NONE && b->is_over && b->count
            && gsched_active_kind(s, l->at[i]) == kind
            && gsched_queue_eased_at(s, b->blocker) > b->blocked_at)
            ask_again(s, l->at[i]);
    }
    for (uint32_t q = gsched_queue_eased(s, r->eases[kind], NONE); q != NONE;
         q = gsched_queue_eased(s, r->eases[kind], q))
        groups_do(s, q, kind, group_reopen);
}

/* --- in a cycle ----------------------------------------------------------- */

void gsched_refusals_begin(struct gsched *s)
{
    struct gsched_refusals *r = s->refusals;

    if (!r)
        return;
    memset(r->is_followed, 0, sizeof(r->is_followed));
    r->is_noted = false;
}

void gsched_refusals_follow(struct gsched *s, int active_queue)
{
    struct gsched_refusals *r = s->refusals;
    uint64_t since;

    if (!r)
        return;
    if (r->is_followed[active_queue]) {
        follow_again(s, active_queue);
        return;
    }
    r->is_followed[active_queue] = true;
    if (active_queue == QUEUE_ADMISSION
        && r->releases == s->allocations->releases)
        return;
    if (active_queue == QUEUE_ADMISSION)
        r->releases = s->allocations->releases;
    if (r->group_count && r->told_at != gsched_usage_changes(s)) {
        r->told_at = gsched_usage_changes(s);
        gsched_modules_ease(s);
    }
    since = r->eases[active_queue];
    r->eases[active_queue] = gsched_usage_eases(s);
    for (uint32_t q = gsched_queue_eased(s, since, NONE);
         r->group_count && q != NONE; q = gsched_queue_eased(s, since, q))
        groups_do(s, q, active_queue, group_follow);
}

/* Passes with an order of their own ask about every job anew. */
void gsched_refusals_open(struct gsched *s)
{
    const struct gsched_modules *m = s->modules;
    bool is_over = false;

    if (!m->has_queues || m->keeps_order || m->has_passes || m->is_planned
        || m->is_windowed || m->may_admit)
        return;
    s->refusals = gs_arena_alloc(s->arena, 1, sizeof(*s->refusals));
    for (int k = 0; k < ACTIVE_QUEUES; k++) {
        uint32_t *first = gs_arena_alloc(s->arena, s->queues + 1,
                                         sizeof(*first));

        for (uint32_t q = 0; q <= s->queues; q++)
            first[q] = NONE;
        s->refusals->first_group[k] = first;
    }
    for (uint32_t i = 0; i < m->module_count; i++)
        is_over |= m->module[i].module->overused != NULL;
    if (is_over && s->running->may_evict)
        s->refusals->was_over = gs_arena_alloc(s->arena, s->queues,
                                               sizeof(bool));
}

void gsched_refusals_free(struct gsched *s)
{
    struct gsched_refusals *r = s->refusals;

    if (!r)
        return;
    for (uint32_t g = 0; g < r->group_count; g++)
        gs_array_free(r->group[g].members.at);
    gs_array_free(r->group);
    gs_hash_free(&r->groups);
}
