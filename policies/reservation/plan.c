/* policies/reservation/plan.c - the reservations of all pending jobs.
 *
 * A profile has the free amounts of a place by the estimated ends of running
 * jobs, less the reservations.  gsched_plan_add() queues a job without a
 * reservation; the action (actions/conservative.c) finds one, subtracts it from
 * the profiles with gsched_plan_reserve(), and adds it again with
 * gsched_plan_forget() or, when the job starts, gsched_plan_drop().  Jobs with
 * slots on a node that is cordoned lose their reservation, others keep theirs.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/placement/candidates.h"
#include "policies/reservation/availability.h"
#include "policies/reservation/reservation.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"

int64_t gsched_plan_time(const struct gsched *s, uint32_t job)
{
    return gsched_job(s, job)->estimate > 0 ? gsched_job(s, job)->estimate : 1;
}

const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group)
{
    static const int64_t one_task = 1;

    return s->plan->counts ? &one_task : gsched_request(s, job, group)->amount;
}

/* --- profiles ------------------------------------------------------------- */

/* Take from the profiles, without an end, what the job of another scheduler
 * holds.
 */
static void others_hold(struct gsched *s, uint32_t job)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    while (gsched_next_allocation(s, job, &at, &d)) {
        const int64_t *amount = gsched_request(s, job, d.group)->amount;
        int64_t *free = s->plan->profile[d.grant.node].free;

        for (uint32_t k = 0; k < s->plan->dims; k++)
            free[k] -= amount[k] * d.grant.tasks;
    }
}

static void profiles_open(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    p->counts = gsched_tasks_are_alike(s);
    p->places = p->counts ? 1 : s->topo->node_count;
    p->dims = p->counts ? 1 : s->topo->dims->count;
    p->profile = gs_array_new(p->places, sizeof(*p->profile));
    if (p->counts) {
        const int64_t most = (int64_t)gsched_shape(s, 0)->most;

        availability_open(&p->profile[0], 1, &most);
        return;
    }
    for (uint32_t i = 0; i < p->places; i++) {
        availability_open(&p->profile[i], p->dims,
                          s->topo->klass[s->topo->node_class[i]].capacity);
        p->profile[i].free[TOPO_GPU] -= TOPO_SHARE_ONE
                                        * __builtin_popcountll(
                                            topo_cluster_failed(s->cluster, i));
    }
    for (uint32_t job = 0; s->nodes_change && job < s->jobs->job_count; job++) {
        if (gsched_job(s, job)->phase == JOB_ELSEWHERE)
            others_hold(s, job);
    }
}

static void profiles_close(struct gsched_plan *p)
{
    for (uint32_t i = 0; i < p->places; i++)
        availability_close(&p->profile[i]);
    gs_array_free(p->profile);
}

struct gsched_plan *gsched_plan_of(struct gsched *s)
{
    if (!s->plan) {
        s->plan = gs_array_new(1, sizeof(*s->plan));
        s->plan->next = GSCHED_NEVER;
        profiles_open(s);
    }
    return s->plan;
}

void gsched_plan_free(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (!p)
        return;
    profiles_close(p);
    for (uint32_t i = 0; i < p->count; i++)
        gsched_reservation_close(p, &p->queue[i]);
    gs_array_free(p->queue);
    gsched_slot_search_free(p);
    gsched_whole_free(p);
    gs_array_free(p);
}

/* Add the amounts of tasks of the job to the node from `from` until `end`
 * (times > 0), or subtract them (times < 0).
 */
static void add(struct gsched *s, uint32_t job, uint32_t group, uint32_t node,
                int64_t from, int64_t end, int64_t times)
{
    const struct gsched_plan *p = s->plan;

    availability_add(&p->profile[p->counts ? 0 : node], s->now, from, end,
                     gsched_plan_amount(s, job, group), times);
}

/* Estimated end of a running job. */
static int64_t end_of(const struct gsched *s, uint32_t job)
{
    return gsched_later(gsched_job(s, job)->allocated_since,
                        gsched_plan_time(s, job));
}

/* Add all that a running job holds until its end (sign 1), or subtract it (-1).
 */
static void add_all(struct gsched *s, uint32_t job, int sign)
{
    const int64_t end = end_of(s, job);
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    if (gsched_plan_of(s)->counts) {
        add(s, job, 0, 0, s->now, end,
            (int64_t)sign * gsched_job(s, job)->placed);
        return;
    }
    while (gsched_next_allocation(s, job, &at, &d)) {
        add(s, job, d.group, d.grant.node, s->now, end,
            (int64_t)sign * d.grant.tasks);
        gsched_whole_profile(s, d.grant.node);
    }
    gsched_whole_profiles(s);
}

void gsched_plan_started(struct gsched *s, uint32_t job)
{
    add_all(s, job, -1);
}

void gsched_plan_ended(struct gsched *s, uint32_t job)
{
    add_all(s, job, 1);
    s->plan->has_gap |= end_of(s, job) > s->now;
}

void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g)
{
    add(s, job, group, g->node, s->now, end_of(s, job), -(int64_t)g->tasks);
    gsched_whole_profile(s, g->node);
    gsched_whole_profiles(s);
}

/* --- the queue ------------------------------------------------------------ */

/* The entry of a reservation in the queue. */
static struct queue_entry entry_of(const struct gsched *s,
                                   const struct reservation *r)
{
    return (struct queue_entry){ .since = gsched_job(s, r->job)->since,
                                 .job = r->job,
                                 .group = NONE };
}

void gsched_plan_add(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = gsched_plan_of(s);
    const struct reservation new = { .job = job, .start = GSCHED_NEVER };
    const struct queue_entry it = entry_of(s, &new);
    uint32_t i;

    gsched_whole_joined(s, job);
    i = p->count++;
    p->queue = gs_array_grow(p->queue, &p->cap, p->count, sizeof(*p->queue));
    for (; i > 0; i--) {
        const struct queue_entry before = entry_of(s, &p->queue[i - 1]);

        if (gsched_entry_compare(s, &before, &it) < 0)
            break;
        p->queue[i] = p->queue[i - 1];
    }
    p->queue[i] = new;
}

static bool reserved_after(const void *of, uint32_t a, uint32_t b)
{
    const struct gsched *s = of;
    const struct queue_entry x = entry_of(s, &s->plan->queue[a]),
                             y = entry_of(s, &s->plan->queue[b]);

    return gsched_entry_compare(s, &x, &y) > 0;
}

static void reserved_swap(void *of, uint32_t a, uint32_t b)
{
    struct reservation *queue = ((struct gsched *)of)->plan->queue;
    const struct reservation r = queue[a];

    queue[a] = queue[b];
    queue[b] = r;
}

void gsched_plan_reorder(struct gsched *s)
{
    static const struct gs_heap by_last = { reserved_after, reserved_swap };
    struct gsched_plan *p = s->plan;
    uint32_t in_order = 1;

    while (p && in_order < p->count
           && !reserved_after(s, in_order - 1, in_order))
        in_order++;
    if (!p || in_order >= p->count)
        return;
    gs_heap_build(&by_last, s, p->count);
    for (uint32_t n = p->count; n-- > 1;) {
        reserved_swap(s, 0, n);
        (void)gs_heap_sink(&by_last, s, n, 0);
    }
    p->has_gap = true;
}

void gsched_plan_reserve(struct gsched *s, const struct reservation *r,
                         int sign)
{
    const int64_t end = gsched_later(r->start, gsched_plan_time(s, r->job));

    assert(sign == 1 || sign == -1);
    if (r->nodes)
        gsched_whole_reserve(s, r, sign);
    for (uint32_t i = 0; i < r->slots && !r->nodes; i++)
        add(s, r->job, r->slot[i].group, r->slot[i].node, r->start, end,
            (int64_t)sign * r->slot[i].tasks);
}

void gsched_reservation_forget(struct gsched *s, struct reservation *r)
{
    gsched_plan_reserve(s, r, 1);
    gsched_reservation_close(s->plan, r);
    r->slots = 0;
    r->start = GSCHED_NEVER;
}

/* Place of the job in the queue; the length of the queue when it is not in it.
 */
static uint32_t place_of(const struct gsched_plan *p, uint32_t job)
{
    uint32_t i = 0;

    while (i < p->count && p->queue[i].job != job)
        i++;
    return i;
}

void gsched_plan_forget(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = gsched_plan_of(s);
    const uint32_t i = place_of(p, job);

    if (i == p->count)
        return;
    gsched_reservation_forget(s, &p->queue[i]);
    p->has_gap = true;
}

uint32_t gsched_plan_first(const struct gsched *s)
{
    return s->plan && s->plan->count ? s->plan->queue[0].job : NONE;
}

void gsched_plan_clear(struct gsched *s)
{
    struct gsched_plan *p = gsched_plan_of(s);

    for (uint32_t i = 0; i < p->count; i++)
        gsched_reservation_forget(s, &p->queue[i]);
    p->has_gap = true;
}

void gsched_plan_drop(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = gsched_plan_of(s);
    const uint32_t i = place_of(p, job);

    if (i == p->count)
        return;
    if (!p->is_starting)
        gsched_plan_forget(s, job);
    gsched_reservation_close(p, &p->queue[i]);
    memmove(p->queue + i, p->queue + i + 1,
            (p->count - i - 1) * sizeof(*p->queue));
    p->count--;
}

int64_t gsched_plan_start(const struct gsched *s, uint32_t job)
{
    const uint32_t i = s->plan ? place_of(s->plan, job) : 0;

    return s->plan && i < s->plan->count ? s->plan->queue[i].start
                                         : GSCHED_NEVER;
}

int64_t gsched_plan_next(const struct gsched *s)
{
    return s->plan ? s->plan->next : GSCHED_NEVER;
}

bool gsched_plan_respects(struct gsched *s, uint32_t job, uint32_t first)
{
    const struct gsched_plan *p = s->plan;
    const int64_t end = gsched_later(s->now, gsched_plan_time(s, job));
    int64_t low[TOPO_DIMS_MAX];
    bool respects = true;

    assert(first <= s->decision_count);
    if (p->whole)
        return gsched_whole_respects(s, job, first);
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision *d = &s->decision[i];

        add(s, job, d->group, d->grant.node, s->now, end,
            -(int64_t)d->grant.tasks);
        availability_low(&p->profile[p->counts ? 0 : d->grant.node], 0, end,
                         low);
        for (uint32_t k = 0; k < p->dims; k++)
            respects = respects && low[k] >= 0;
    }
    for (uint32_t i = first; i < s->decision_count; i++)
        add(s, job, s->decision[i].group, s->decision[i].grant.node, s->now,
            end, s->decision[i].grant.tasks);
    return respects;
}

/* --- nodes ---------------------------------------------------------------- */

/* The first in order of start that has no slots; NULL. */
static struct reservation *without_slots(struct gsched_plan *p)
{
    struct reservation *first = NULL;

    for (uint32_t i = 0; i < p->count; i++) {
        struct reservation *r = &p->queue[i];

        if (r->slots == 0 && r->start != GSCHED_NEVER
            && (!first || r->start < first->start))
            first = r;
    }
    return first;
}

/* Slots are found in ascending order of start: while all tasks were alike, the
 * free amount at a start did not change later.
 */
void gsched_plan_by_nodes(struct gsched *s)
{
    struct gsched_plan *p = s->plan;
    struct reservation *r;

    profiles_close(p);
    profiles_open(s);
    for (uint32_t job = 0; job < s->jobs->job_count; job++) {
        if (gsched_job(s, job)->phase == JOB_RUNNING)
            gsched_plan_started(s, job);
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->queue[i].slots = 0;
    while ((r = without_slots(p))) {
        if (gsched_slot_at(s, r, r->start > s->now ? r->start : s->now))
            gsched_plan_reserve(s, r, -1);
        else
            r->start = GSCHED_NEVER;
    }
}

/* Cancel the reservations with slots on the node. */
static void forget_on(struct gsched *s, uint32_t node)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        struct reservation *r = &p->queue[i];
        uint32_t k = 0;

        while (k < r->slots && r->slot[k].node != node)
            k++;
        if (k < r->slots)
            gsched_reservation_forget(s, r);
    }
}

void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli)
{
    struct gsched_plan *p = s->plan;
    int64_t amount[TOPO_DIMS_MAX] = { 0 };

    p->has_gap = true;
    if (p->counts) {
        gsched_plan_by_nodes(s);
        return;
    }
    gsched_whole_end(s);
    if (milli < 0 || topo_cluster_is_cordoned(s->cluster, node))
        forget_on(s, node);
    amount[TOPO_GPU] = milli;
    availability_add(&p->profile[node], s->now, s->now, GSCHED_NEVER, amount,
                     1);
}

void gsched_plan_others(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g, bool holds)
{
    struct gsched_plan *p = s->plan;

    p->has_gap = true;
    if (p->counts) {
        gsched_plan_by_nodes(s);
        return;
    }
    gsched_whole_end(s);
    if (holds)
        forget_on(s, g->node);
    add(s, job, group, g->node, s->now, GSCHED_NEVER,
        holds ? -(int64_t)g->tasks : (int64_t)g->tasks);
}
