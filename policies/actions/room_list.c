/* policies/actions/room_list.c - see room_list.h. */
#include "policies/actions/room_list.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/heap.h"
#include "policies/pending/back_off.h"
#include "policies/pending/queue_head.h"
#include "policies/pending/service_order.h"
#include "policies/placement/placement.h"
#include "policies/preemption/preemption.h"
#include "policies/state/grace.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "policies/state/usage.h"

/* --- an entry ------------------------------------------------------------- */

/* True when the less important jobs of the queue and the free resources could
 * be enough.
 */
static bool is_hopeful(const struct gsched *s, const struct queue_entry *it)
{
    const struct running_list *list =
        &s->running->running_list[gsched_queue_of(s, it->job)
                                  * s->running->place_count];
    const int32_t value = gsched_value_of(s, it->job, it->group);
    int64_t asked[TOPO_DIMS_MAX];

    gsched_entry_amount(s, it, asked);
    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        int64_t sum = 0;

        if (asked[d] <= 0 || s->topo->model_dims >> d & 1)
            continue;
        for (uint32_t k = 0; k < s->topo->class_count; k++)
            sum += topo_class_free(s->cluster, k, d);
        for (uint32_t p = 0; p < s->running->place_count; p++) {
            if (!s->modules->victims_are_lower
                || s->running->place_value[p] < value)
                sum += list[p].used[d];
        }
        if (sum < asked[d])
            return false;
    }
    return true;
}

/* Because of what a queue holds, its own or one above, if the module named it.
 */
static void wait_for_queue(const struct gsched *s, const struct queue_entry *it,
                           struct room_wait *wait)
{
    uint32_t q = gsched_queue_of(s, it->job);

    while (q != s->queue_count && q != s->modules->blocker)
        q = s->order->queue[q].parent;
    wait->is_known = q != s->queue_count;
    wait->queue = wait->is_known ? q : NONE;
}

static bool may_reclaim(struct gsched *s, const struct queue_entry *it,
                        struct room_wait *wait)
{
    int64_t asked[TOPO_DIMS_MAX];
    bool may = !gsched_modules_overused(s, s->work->job[it->job].queue);

    /* queues above it may be full of jobs about to be evicted */
    gsched_entry_amount(s, it, asked);
    may = may && gsched_modules_preemptive(s, it->job, asked);
    if (!may)
        wait_for_queue(s, it, wait);
    return may;
}

/* Does the module that makes room try now? */
static bool is_due(struct gsched *s, const struct queue_entry *it,
                   struct room_wait *wait)
{
    s->modules->blocker = NONE;
    wait->at = gsched_room_at(s, it->job, it->group);
    if (wait->at <= s->now)
        return true;
    wait_for_queue(s, it, wait);
    wait->is_known |= wait->at < GSCHED_NEVER;
    return false;
}

/* A job with a complete gang evicts less important jobs only: otherwise equals
 * would evict surplus tasks of one another for ever.
 */
static bool may_preempt(const struct gsched *s, const struct queue_entry *it)
{
    return (s->modules->victims_are_lower
            || gsched_job(s, it->job)->phase != JOB_RUNNING || s->modules->room)
           && (s->modules->room || is_hopeful(s, it));
}

/* Does a less important task of the job, which runs, stand anywhere? */
static bool may_take_own(const struct gsched *s, const struct queue_entry *it)
{
    const struct trace_job *j = &s->work->job[it->job];
    bool any = false;

    if (it->group == NONE || !gsched_job(s, it->job)->has_classes
        || gsched_job(s, it->job)->phase != JOB_RUNNING)
        return false;
    for (uint32_t g = 0; g < j->group_count && !any; g++)
        any = s->jobs->group_placed[j->first_group + g] > 0
              && gsched_task_value(s, it->job, g)
                     < gsched_task_value(s, it->job, it->group);
    return any;
}

bool gsched_room_may(struct gsched *s, struct way way,
                     const struct queue_entry *it, struct room_wait *wait)
{
    struct room_wait ignored;

    wait = wait ? wait : &ignored;
    *wait = (struct room_wait){ false, NONE, GSCHED_NEVER };
    if (way.moves)
        return !s->modules->consolidation.for_preemptible
               || !s->work->job[it->job].fixed;
    if (!gsched_preempts(s, it->job, it->group)) {
        wait->is_known = true;
        return false;
    }
    return way.within               ? may_take_own(s, it)
           : way.why == GSP_PREEMPT ? may_preempt(s, it) && is_due(s, it, wait)
                                    : may_reclaim(s, it, wait);
}

/* --- the list ------------------------------------------------------------- */

/* What is known of a queue, for one way: nothing, or why none of its class
 * queues has a chance.
 */
struct room_queue {
    bool is_idle;
    uint64_t firsts; /* changes of first entries */
    uint64_t eases;  /* of queues */
    uint32_t upmost; /* of those that refuse */
    int64_t at;      /* GSCHED_NEVER, or when one may be tried */
};

struct room_pass {
    struct gsched *s;
    struct way way;
    uint32_t count;
    bool any;   /* may be tried now */
    bool more;  /* behind others: not those that were evicted in this pass */
    bool ruled; /* only jobs with rules about others */
};

/* Class queues to be sorted. */
struct cqueue_list {
    uint32_t *at;
    const struct gsched *s;
};

static bool cqueue_after(const void *of, uint32_t a, uint32_t b)
{
    const struct cqueue_list *l = of;

    return gsched_cqueue_compare(l->s, l->at[a], l->at[b]) > 0;
}

/* Sort what is listed from place `from` on. */
static void list_sort(struct gsched *s, uint32_t from, uint32_t count)
{
    static const struct gs_heap last_first = { cqueue_after,
                                               gs_heap_swap_numbers };
    struct cqueue_list list = { s->evict->cqueue + from, s };

    gs_heap_sort(&last_first, &list, count - from);
}

/* List the class queue, unless its first entry is known to have no chance. */
static void list_add(struct room_pass *p, uint32_t cqueue,
                     struct room_wait *wait)
{
    struct gsched *s = p->s;
    struct class_queue *b = &s->pending->cqueue[cqueue];
    const uint32_t i = gsched_room_entry(s, b);

    *wait = (struct room_wait){ false, NONE, GSCHED_NEVER };
    if (b->listed_in == s->pending->room_passes
        || (p->more && b->filled_in == s->pending->room_passes)
        || !gsched_room_is_open(s, b, i, p->way)
        || (p->ruled && !gsched_has_rules(s, b->heap[i].job)))
        return;
    if (!gsched_room_is_of_kind(s, b, p->way)) {
        wait->is_known = true;
    } else if (gsched_room_may(s, p->way, &b->heap[i], wait)) {
        wait->is_known = false;
        p->any = true;
    }
    if (wait->is_known)
        return;
    b->listed_in = s->pending->room_passes;
    s->evict->cqueue[p->count++] = cqueue;
}

/* Is what is known of the queue still so?  A time is then due for all of it. */
static bool stays_idle(struct gsched *s, uint32_t queue,
                       const struct room_queue *r)
{
    bool is = r->is_idle && r->firsts == s->order->queue[queue].firsts
              && r->at > s->now;

    if (!is)
        return false;
    if (r->at < s->early.min_runtime_at)
        s->early.min_runtime_at = r->at;
    for (uint32_t q = queue; is && r->upmost != NONE;
         q = s->order->queue[q].parent) {
        is = gsched_queue_eased_at(s, q) <= r->eases;
        if (q == r->upmost)
            break;
    }
    return is;
}

/* The upper one of two queues on the way up from a third; NONE is below all. */
static uint32_t upper(const struct gsched *s, uint32_t a, uint32_t b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    return s->order->queue[a].depth < s->order->queue[b].depth ? a : b;
}

static struct room_queue *known_of(const struct room_pass *p, uint32_t queue)
{
    const struct gsched *s = p->s;

    return s->evict->queue_of_way
           + (size_t)gsched_room_number(p->way) * s->queue_count + queue;
}

static void queue_list(struct room_pass *p, uint32_t queue)
{
    struct gsched *s = p->s;
    const struct queue *q = &s->order->queue[queue];
    struct room_queue *r = known_of(p, queue);

    if (s->modules->has_queues && stays_idle(s, queue, r))
        return;
    *r = (struct room_queue){ true, q->firsts, gsched_usage_eases(s), NONE,
                              GSCHED_NEVER };
    for (uint32_t i = 0; i < q->waiting.count; i++) {
        struct room_wait wait;

        list_add(p, q->waiting.at[i], &wait);
        r->is_idle &= wait.is_known && !gsched_has_claims(s);
        r->upmost = upper(s, r->upmost, wait.queue);
        r->at = wait.at < r->at ? wait.at : r->at;
    }
}

/* The queue need not be looked at before gsched_head_news(), or before it is
 * eased.
 */
static bool may_sleep(const struct room_pass *p, uint32_t queue)
{
    const struct room_queue *r = known_of(p, queue);

    return p->s->order->queue[queue].waiting.count == 0
           || (p->s->modules->has_queues && r->is_idle && r->at == GSCHED_NEVER
               && (r->upmost == NONE || r->upmost == queue));
}

/* Look at queues again that were eased since the last time. */
static void looks_follow(struct gsched *s, uint32_t way)
{
    struct room_looks *l = &s->order->looks[way];
    const uint64_t since = l->eases;

    l->eases = gsched_usage_eases(s);
    for (uint32_t q = gsched_queue_eased(s, since, NONE); q != NONE;
         q = gsched_queue_eased(s, since, q)) {
        if (q < s->queue_count && s->order->queue[q].waiting.count)
            gsched_room_look(s, q, way);
    }
}

/* Are tasks of one priority all that there are, so that none may evict another?
 */
static bool are_equals(const struct gsched *s, struct way way)
{
    return s->modules->victims_are_lower && way.why != GSP_RECLAIM
           && s->running->place_count == 1;
}

/* List those that are not listed yet. */
static void list_all(struct room_pass *p)
{
    struct gsched *s = p->s;
    struct gsched_evict *e = s->evict;
    const uint32_t way = gsched_room_number(p->way);
    struct room_looks *l = &s->order->looks[way];

    assert(way < ROOM_REASONS);
    e->cqueue = gs_array_grow(e->cqueue, &e->cqueue_cap,
                              s->pending->cqueue_count + 1, sizeof(*e->cqueue));
    gsched_claims_count_own(s, true);
    if (s->modules->has_queues) {
        gsched_modules_ease(s);
        looks_follow(s, way);
    }
    for (uint32_t i = are_equals(s, p->way) ? 0 : l->count; i-- > 0;) {
        const uint32_t q = l->at[i];

        if (s->order->queue[q].waiting.count)
            queue_list(p, q);
        if (may_sleep(p, q)) {
            s->order->queue[q].looked_at &= (uint8_t) ~(1u << way);
            l->at[i] = l->at[--l->count];
        }
    }
    gsched_claims_count_own(s, false);
}

void gsched_room_list_open(struct gsched *s)
{
    struct gsched_order *o = s->order;

    if (!s->evict)
        return;
    s->evict->queue_of_way = gs_arena_alloc(
        s->arena, (size_t)ROOM_REASONS * s->queue_count,
        sizeof(*s->evict->queue_of_way));
    o->looks = gs_arena_alloc(s->arena, ROOM_REASONS, sizeof(*o->looks));
    o->looks_count = ROOM_REASONS;
    for (uint32_t w = 0; w < ROOM_REASONS; w++)
        o->looks[w].at = gs_arena_alloc(s->arena, s->queue_count,
                                        sizeof(*o->looks[w].at));
}

uint32_t gsched_room_list(struct gsched *s, struct way way)
{
    struct room_pass p = { .s = s, .way = way };

    s->pending->room_passes++;
    s->evict->rules_listed = s->allocations->rule_changes;
    list_all(&p);
    for (uint32_t i = 0; i < p.count && !p.any; i++) {
        const struct class_queue *b = &s->pending->cqueue[s->evict->cqueue[i]];

        gsched_room_tried(s, s->evict->cqueue[i],
                          b->heap[gsched_room_entry(s, b)].job, way);
    }
    if (!p.any)
        return 0;
    list_sort(s, 0, p.count);
    return p.count;
}

uint32_t gsched_room_list_more(struct gsched *s, struct way way, uint32_t done,
                               uint32_t count)
{
    struct room_pass p = { .s = s,
                           .way = way,
                           .count = count,
                           .more = true,
                           .ruled = !s->modules->has_queues };

    assert(done <= count);
    if (p.ruled && s->evict->rules_listed == s->allocations->rule_changes)
        return count; /* no module refuses a queue, and no rule a node */
    s->evict->rules_listed = s->allocations->rule_changes;
    list_all(&p);
    if (p.any)
        list_sort(s, done, p.count);
    return p.any ? p.count : count;
}
