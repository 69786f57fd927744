/* policies/pending/pending.c - pending jobs by request class and queue.
 *
 * Entries with the same request share a request class, and within a queue a
 * class queue, in order (gsched_pending_add).  A cycle tries the first entry of
 * a class queue; when it cannot be placed, no entry of its request class can,
 * and the class is unschedulable (gsched_rclass_unschedulable) until there is
 * room for it (gsched_pending_activate).  So the cost of a cycle depends on the
 * number of request classes, not on that of pending jobs.
 */
#include "policies/pending/pending.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "policies/pending/entry_heap.h"
#include "policies/pending/job_waits.h"
#include "policies/pending/listed_shapes.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/quota_aside.h"
#include "policies/pending/refusals.h"
#include "policies/pending/ruled_turns.h"
#include "policies/pending/service_order.h"
#include "policies/pending/unschedulable.h"
#include "policies/pending/wait_clock.h"
#include "policies/reservation/reservation.h"
#include "policies/state/entry.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/running_index.h"
#include "policies/state/state.h"
#include "policies/state/waiting_priority.h"

/* --- class queues --------------------------------------------------------- */

/* The class queue has its first entry.  When its class became unschedulable
 * meanwhile, it has no wait reason of its own any more.
 */
static void fill(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    struct request_class *a = &s->pending->rclass[b->rclass];

    b->filled_at = gs_numbers_add(&a->filled, cqueue);
    gsched_cqueue_absent(s, cqueue);
    b->filled_in = s->pending->room_passes;
    if (b->falls != a->falls)
        gsched_cqueue_waits_for(s, b, GSCHED_NO_CAUSE);
}

static void empty(struct gsched *s, uint32_t cqueue)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    struct request_class *a = &s->pending->rclass[b->rclass];

    assert(a->filled.at[b->filled_at] == cqueue);
    gsched_cqueue_present(s, cqueue);
    s->pending->cqueue[gs_numbers_take(&a->filled, b->filled_at)].filled_at =
        b->filled_at;
    b->falls = a->falls;
    if (s->quotas)
        gsched_aside_empty(s, cqueue);
    gsched_refusal_end(s, cqueue);
}

static void push(struct gsched *s, uint32_t cqueue,
                 const struct queue_entry *it)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    struct request_class *a = &s->pending->rclass[b->rclass];

    assert(s->pending->group_cqueue[gsched_entry_key(s, it)]
           == NONE); /* at most one
                                                                entry */
    assert(it->since <= s->now || it->group != NONE);
    b->heap = gs_array_grow(b->heap, &b->cap, b->count + 1, sizeof(*b->heap));
    gsched_entry_put(s, cqueue, b->count++, it);
    gsched_entry_settle(s, cqueue, b->count - 1);
    if (b->count == 1)
        fill(s, cqueue);
    if (a->waiting++ == 0) {
        a->failures = 0;
        gsched_rclass_activate(s, b->rclass); /* its cause was not followed */
    }
    if (a->kind != REQUEST_ADMISSION)
        gsched_waiting_count(s, it->job, it->group, 1);
    s->pending->pushes += a->kind == REQUEST_GANG;
    gsched_head_reason(s, a);
    gsched_head_came(s, cqueue);
    if (s->modules->is_planned && a->kind == REQUEST_GANG)
        gsched_plan_add(s, it->job);
    gsched_wait_in(s, it->job, cqueue);
    if (b->heap[0].job == it->job) {
        a->retry_at = 0; /* the first attempt of the new first */
        gsched_ruled_moved(s, b->rclass);
    }
    if (a->is_due || (a->kind == REQUEST_ANY && b->heap[0].job == it->job))
        gsched_rclass_activate(
            s, b->rclass); /* the new first may ask for something else */
    if (!gsched_rclass_is_unschedulable(s, b->rclass))
        gsched_rclass_list(s, b->rclass);
    if (gsched_rclass_is_served(s, b->rclass))
        gsched_active_add(s, cqueue);
    gsched_active_moved(s, cqueue);
}

/* A module may accept what is first now, which the next pass asks about. */
static void first_changed(struct gsched *s, uint32_t cqueue)
{
    const struct class_queue *b = &s->pending->cqueue[cqueue];

    if (b->group == NONE)
        return;
    gsched_refusal_end(s, cqueue);
    if (gsched_refusal_is_asked(s, cqueue))
        (void)gs_numbers_add(&s->order->deferred, cqueue);
    else if (gsched_rclass_is_served(s, b->rclass))
        gsched_active_add(s, cqueue);
}

/* Remove entry `i`. */
static void pull(struct gsched *s, uint32_t cqueue, uint32_t i)
{
    struct class_queue *b = &s->pending->cqueue[cqueue];
    const struct queue_entry last = b->heap[b->count - 1];

    assert(cqueue < s->pending->cqueue_count && i < b->count);
    assert(s->pending->group_cqueue[gsched_entry_key(s, &b->heap[i])] == cqueue
           && s->pending->group_at[gsched_entry_key(s, &b->heap[i])] == i);
    assert(s->pending->rclass[b->rclass].waiting > 0);
    if (s->modules->is_planned
        && s->pending->rclass[b->rclass].kind == REQUEST_GANG)
        gsched_plan_drop(s, b->heap[i].job);
    s->pending->group_cqueue[gsched_entry_key(s, &b->heap[i])] = NONE;
    if (s->pending->rclass[b->rclass].kind != REQUEST_ADMISSION)
        gsched_waiting_count(s, b->heap[i].job, b->heap[i].group, -1);
    s->pending->rclass[b->rclass].waiting--;
    gsched_head_reason(s, &s->pending->rclass[b->rclass]);
    if (b->count == 1) {
        gsched_active_drop(s, cqueue);
        gsched_head_left(s, cqueue);
        empty(s, cqueue);
    }
    b->count--;
    if (i < b->count) {
        gsched_entry_put(s, cqueue, i, &last);
        gsched_entry_settle(s, cqueue, i);
    } else if (s->modules->keeps_order && i > 0) {
        gsched_entry_settle(s, cqueue, (i - 1) / 2);
    }
    if (i > 0)
        return;
    gsched_ruled_moved(s, b->rclass);
    if (b->count == 0)
        return;
    gsched_active_moved(s, cqueue);
    gsched_head_moved(s, cqueue);
    first_changed(s, cqueue);
    if (s->pending->rclass[b->rclass].kind == REQUEST_ANY)
        gsched_rclass_activate(
            s, b->rclass); /* the new first may ask for something else */
}

/* --- what a job waits for ------------------------------------------------- */

/* True when the gang of a job that holds nothing is one entry. */
static bool is_whole(const struct gsched *s, uint32_t job)
{
    return s->profile->unit == GSCHED_UNIT_GANG
           || (s->modules->retry.part && s->work->job[job].gang > 1);
}

static enum request_kind kind_of(const struct gsched *s, uint32_t job)
{
    const uint8_t phase = gsched_job(s, job)->phase;

    if (phase == JOB_SUBMITTED)
        return REQUEST_ADMISSION;
    if (s->profile->unit == GSCHED_UNIT_GANG
        && (phase == JOB_RUNNING
            || (phase == JOB_PARTIAL && s->modules->is_planned)))
        return REQUEST_ELASTIC; /* a plan has whole gangs only */
    if (s->profile->head_blocks && !s->modules->keeps_order)
        return REQUEST_ANY;
    return phase == JOB_WAITING && is_whole(s, job) ? REQUEST_GANG
                                                    : REQUEST_TASK;
}

/* Since when the first missing task of a group waits. */
static int64_t task_since(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const int64_t first = gsched_job(s, job)->submitted;
    uint32_t task = s->jobs->group_placed[j->first_group + group];
    int64_t made;

    assert(group < j->group_count);
    for (uint32_t g = 0; g < group; g++)
        task += gsched_group(s, job, g)->replicas;
    if (task
        && j->aside->task_interval
               > (INT64_MAX - (first > 0 ? first : 0)) / task)
        return INT64_MAX;
    made = first + (int64_t)task * j->aside->task_interval;
    return made > gsched_job(s, job)->since ? made : gsched_job(s, job)->since;
}

/* Select the clock for the wait of the job. */
static void follow(struct gsched *s, uint32_t job)
{
    const uint32_t cqueue = gsched_cqueue_of(s, job);

    if (cqueue != NONE)
        gsched_wait_in(s, job, cqueue);
    else
        gsched_wait_for(s, job, GSCHED_LATENCY);
}

void gsched_pending_add(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    const struct job_state *js = gsched_job(s, job);
    const enum request_kind kind = kind_of(s, job);
    const uint32_t cqueue = gsched_cqueue_of(s, job);

    assert(js->phase != JOB_OVER && js->phase != JOB_UNKNOWN);
    if (cqueue != NONE && !gsched_cqueue_goes_on(s, cqueue, job))
        gsched_pending_drop(s, job); /* all its groups */
    if ((js->phase == JOB_WAITING || js->phase == JOB_SUBMITTED)
        && gsched_job_aside(s, job).away_until > s->now)
        return;
    if (js->phase == JOB_SUBMITTED
        || (js->phase == JOB_WAITING && is_whole(s, job))) {
        const struct queue_entry it = { js->since, 0, job, NONE };

        if ((js->created >= j->gang || js->phase == JOB_SUBMITTED)
            && s->pending->group_cqueue[j->first_group] == NONE)
            push(s, gsched_cqueue_for(s, kind, job, NONE), &it);
        return;
    }
    for (uint32_t g = 0; g < j->group_count; g++) {
        if (s->pending->group_cqueue[j->first_group + g] == NONE
            && !gsched_quota_is_gone(s, job)
            && gsched_group_missing(s, job, g) > 0) {
            const struct queue_entry it = { task_since(s, job, g), 0, job, g };

            push(s, gsched_cqueue_for(s, kind, job, g), &it);
        }
    }
    follow(s, job);
}

void gsched_entry_served(struct gsched *s, const struct queue_entry *it)
{
    const uint32_t key = gsched_entry_key(s, it), job = it->job,
                   group = it->group;
    const uint32_t cqueue = s->pending->group_cqueue[key],
                   i = s->pending->group_at[key];
    struct class_queue *b = &s->pending->cqueue[cqueue];

    assert(cqueue != NONE && i < s->pending->cqueue[cqueue].count);
    assert(s->pending->cqueue[cqueue].heap[i].job == job);
    if (group != NONE && s->pending->rclass[b->rclass].kind == kind_of(s, job)
        && gsched_group_missing(s, job, group) > 0
        && gsched_cqueue_is_of(s, cqueue, job)) {
        b->heap[i].since = task_since(s, job, group);
        gsched_entry_settle(s, cqueue, i);
        gsched_ruled_moved(s, b->rclass);
        gsched_active_moved(s, cqueue);
        gsched_head_moved(s, cqueue);
        first_changed(s, cqueue);
        follow(s, job);
        return;
    }
    pull(s, cqueue, i);
    if (!gsched_cqueue_is_of(s, cqueue, job))
        gsched_pending_drop(s, job); /* its other groups, too */
    gsched_pending_add(s, job);
}

void gsched_pending_drop(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    assert(job < s->jobs->job_count);
    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (s->pending->group_cqueue[g] != NONE)
            pull(s, s->pending->group_cqueue[g], s->pending->group_at[g]);
    }
}

void gsched_pending_moved(struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    if (s->modules->order_count == 0)
        return;
    gsched_running_moved(s, job);
    gsched_ruled_lift(s, job);
    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (s->pending->group_cqueue[g] != NONE) {
            gsched_entry_settle(s, s->pending->group_cqueue[g],
                                s->pending->group_at[g]);
            gsched_active_moved(s, s->pending->group_cqueue[g]);
            gsched_head_moved(s, s->pending->group_cqueue[g]);
            first_changed(s, s->pending->group_cqueue[g]);
        }
    }
    gsched_ruled_land(s);
}

void gsched_pending_unstick(struct gsched *s, uint32_t job)
{
    const uint32_t g = s->work->job[job].first_group;
    const uint32_t cqueue = s->pending->group_cqueue[g];

    if (cqueue == NONE
        || s->pending->rclass[s->pending->cqueue[cqueue].rclass].kind
               != REQUEST_ADMISSION)
        return;
    gsched_entry_settle(s, cqueue, s->pending->group_at[g]);
    gsched_active_moved(s, cqueue);
}

void gsched_pending_reorder(struct gsched *s)
{
    struct gsched_pending *p = s->pending;

    p->reorders++;
    for (uint32_t b = 0; b < p->cqueue_count; b++)
        p->cqueue[b].is_moved = gsched_entries_reorder(s, b);
    gsched_order_reorder(s);
    for (uint32_t b = 0; b < p->cqueue_count; b++) {
        if (p->cqueue[b].is_moved)
            first_changed(s, b);
        if (p->cqueue[b].is_moved
            && p->rclass[p->cqueue[b].rclass].kind == REQUEST_ANY)
            gsched_rclass_activate(s, p->cqueue[b].rclass);
    }
    if (s->modules->is_planned)
        gsched_plan_reorder(s);
}

uint32_t gsched_cqueue_of(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    assert(job < s->jobs->job_count);
    for (uint32_t g = j->first_group; g < j->first_group + j->group_count;
         g++) {
        if (s->pending->group_cqueue[g] != NONE)
            return s->pending->group_cqueue[g];
    }
    return NONE;
}

void gsched_pending_open(struct gsched *s)
{
    s->pending = gs_arena_alloc(s->arena, 1, sizeof(*s->pending));
    gsched_listed_open(s);
    gsched_ruled_open(s);
}

void gsched_pending_grow(struct gsched *s)
{
    struct gsched_pending *p = s->pending;
    uint32_t i = p->group_count;

    p->group_count = s->work->group_count;
    p->group_cqueue = gs_far_grow(s->work->far, p->group_cqueue,
                                  &p->group_cqueue_cap, p->group_count,
                                  sizeof(*p->group_cqueue));
    p->group_at = gs_far_grow(s->work->far, p->group_at, &p->group_at_cap,
                              p->group_count, sizeof(*p->group_at));
    for (; i < p->group_count; i++)
        p->group_cqueue[i] = NONE;
}

void gsched_pending_free(struct gsched *s)
{
    gs_far_free(s->work->far, s->pending->group_cqueue);
    gs_far_free(s->work->far, s->pending->group_at);
    for (uint32_t b = 0; b < s->pending->cqueue_count; b++)
        gs_array_free(s->pending->cqueue[b].heap);
    gs_hash_free(&s->pending->cqueues);
    for (uint32_t a = 0; a < s->pending->rclass_count; a++) {
        gs_array_free(s->pending->rclass[a].filled.at);
        gs_array_free(s->pending->rclass[a].absent.at);
    }
    gs_array_free(s->pending->rclass);
    gs_hash_free(&s->pending->rclasses);
    gs_array_free(s->pending->complex.at);
    gs_array_free(s->pending->bare.at);
    gs_array_free(s->pending->freed_for.at);
    gs_array_free(s->pending->active.at);
    gs_array_free(s->pending->roused.at);
    gs_array_free(s->pending->unschedulable.at);
    gsched_listed_free(s);
    gsched_ruled_free(s);
}
