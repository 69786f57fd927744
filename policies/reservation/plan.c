/* policies/reservation/plan.c - the start that is planned for every job.
 *
 * What is free where and when: by the estimated ends of what runs, less the
 * planned starts.  gsched_plan_add() queues a job without a start; the action
 * (actions/conservative.c) finds one, takes its room with
 * gsched_plan_reserve(), and gives it back with gsched_plan_forget() or, as the
 * job starts, gsched_plan_drop().  Where a node closes, jobs that were to stand
 * there lose their start, and others keep theirs.
 */
#include "policies/reservation/plan.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/state/entry.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"

static int64_t later(int64_t at, int64_t by)
{
    assert(at >= 0 && by >= 0);
    return by < GSCHED_NEVER - at ? at + by : GSCHED_NEVER;
}

/* For how long the job is planned: it takes its room, however briefly. */
int64_t gsched_plan_time(const struct gsched *s, uint32_t job)
{
    return s->jobs->job[job].estimate > 0 ? s->jobs->job[job].estimate : 1;
}

/* When what runs gives back. */
static int64_t planned_end(const struct gsched *s, uint32_t job)
{
    return later(s->jobs->job[job].allocated_since, gsched_plan_time(s, job));
}

static const int64_t one_task = 1;

const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group)
{
    return s->plan->counts
               ? &one_task
               : s->work->shape[gsched_group(s, job, group)->shape].amount;
}

/* --- availability profiles ------------------------------------------------ */

static struct availability *places_open(struct gsched *s,
                                        const struct gsched_plan *p)
{
    const int64_t most = p->counts ? (int64_t)gsched_shape(s, 0)->most : 0;
    struct availability *t = gs_array_new(p->places, sizeof(*t));

    for (uint32_t i = 0; i < p->places; i++) {
        availability_open(
            &t[i], p->dims,
            p->counts ? &most
                      : s->topo->klass[s->topo->node_class[i]].capacity);
        if (!p->counts)
            t[i].free[TOPO_GPU] -= TOPO_SHARE_ONE
                                   * __builtin_popcountll(
                                       topo_cluster_failed(s->cluster, i));
    }
    return t;
}

static void availability_open_all(struct gsched *s, struct gsched_plan *p)
{
    p->counts = s->work->shape_count == 1 && !s->modules->subtree
                && !s->nodes_change;
    p->places = p->counts ? 1 : s->topo->node_count;
    p->dims = p->counts ? 1 : s->topo->dims->count;
    p->all = places_open(s, p);
    if (s->modules->backfill.replan)
        p->running = places_open(s, p);
}

struct gsched_plan *gsched_plan_of(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (p)
        return p;
    p = s->plan = gs_array_new(1, sizeof(*p));
    p->next = GSCHED_NEVER;
    availability_open_all(s, p);
    return p;
}

static void availability_close_all(struct availability *t, uint32_t count)
{
    for (uint32_t i = 0; t && i < count; i++)
        availability_close(&t[i]);
    gs_array_free(t);
}

void gsched_plan_free(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (!p)
        return;
    availability_close_all(p->all, p->places);
    availability_close_all(p->running, p->places);
    for (uint32_t i = 0; i < p->count; i++)
        gs_array_free(p->queue[i].slot);
    gs_array_free(p->queue);
    gsched_earliest_slot_free(p);
    gs_array_free(p);
}

/* Tasks of the job take from a place, or give back, from now until `end`. */
static void change(struct gsched *s, uint32_t job, uint32_t group,
                   uint32_t node, int64_t end, int64_t times)
{
    struct gsched_plan *p = gsched_plan_of(s);
    const uint32_t i = p->counts ? 0 : node;
    const int64_t *amount = gsched_plan_amount(s, job, group);

    assert(p->counts || node < s->topo->node_count);
    availability_trim(&p->all[i], p->dims, s->now);
    availability_add(&p->all[i], p->dims, s->now, end, amount, times);
    if (!p->running)
        return;
    availability_trim(&p->running[i], p->dims, s->now);
    availability_add(&p->running[i], p->dims, s->now, end, amount, times);
}

/* All that the job holds. */
static void change_all(struct gsched *s, uint32_t job, int64_t end, int sign)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    if (gsched_plan_of(s)->counts) {
        change(s, job, 0, 0, end, (int64_t)sign * s->jobs->job[job].placed);
        return;
    }
    while (gsched_next_allocation(s, job, &at, &d))
        change(s, job, d.group, d.grant.node, end,
               (int64_t)sign * d.grant.tasks);
}

void gsched_plan_started(struct gsched *s, uint32_t job)
{
    assert(s->modules->is_planned && s->jobs->job[job].phase == JOB_RUNNING);
    change_all(s, job, planned_end(s, job), -1);
}

void gsched_plan_ended(struct gsched *s, uint32_t job)
{
    const int64_t end = planned_end(s, job);

    assert(s->plan && s->jobs->job[job].phase == JOB_RUNNING);
    change_all(s, job, end, 1);
    s->plan->has_gap |= end > s->now;
}

void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g)
{
    assert(g->tasks > 0);
    change(s, job, group, g->node, planned_end(s, job), -(int64_t)g->tasks);
}

/* --- the queue ------------------------------------------------------------ */

void gsched_plan_add(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = gsched_plan_of(s);
    const struct queue_entry it = { s->jobs->job[job].since, 0, job, NONE };
    uint32_t i = p->count++;

    p->queue = gs_array_grow(p->queue, &p->cap, p->count, sizeof(*p->queue));
    for (; i > 0; i--) {
        const uint32_t other = p->queue[i - 1].job;
        const struct queue_entry before = { s->jobs->job[other].since, 0, other,
                                            NONE };

        if (gsched_entry_compare(s, &before, &it) < 0)
            break;
        p->queue[i] = p->queue[i - 1];
    }
    p->queue[i] = (struct planned){ .job = job, .start = GSCHED_NEVER };
}

/* What is planned for the job takes its room, or does so no longer; what is
 * past of a start that did not come about is forgotten already.
 */
void gsched_plan_reserve(struct gsched *s, const struct planned *j, int sign)
{
    struct gsched_plan *p = s->plan;
    const int64_t end = later(j->start, gsched_plan_time(s, j->job));

    assert(sign == 1 || sign == -1);
    for (uint32_t i = 0; i < j->slots; i++) {
        const struct plan_slot *c = &j->slot[i];
        struct availability *t = &p->all[c->place];

        availability_trim(t, p->dims, s->now);
        availability_add(t, p->dims, j->start > s->now ? j->start : s->now, end,
                         gsched_plan_amount(s, j->job, c->group),
                         (int64_t)sign * c->tasks);
    }
}

/* What was planned for it is planned for it no longer. */
void gsched_planned_forget(struct gsched *s, struct planned *j)
{
    gsched_plan_reserve(s, j, 1);
    j->slots = 0;
    j->start = GSCHED_NEVER;
}

/* Where the job stands in the queue; its length when it is not planned. */
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
    gsched_planned_forget(s, &p->queue[i]);
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
    gs_array_free(p->queue[i].slot);
    memmove(p->queue + i, p->queue + i + 1,
            (p->count - i - 1) * sizeof(*p->queue));
    p->count--;
}

/* --- promises ------------------------------------------------------------- */

/* Do these decisions leave to others what is promised to them? */
bool gsched_plan_respects(struct gsched *s, uint32_t job, uint32_t first)
{
    struct gsched_plan *p = s->plan;
    const int64_t end = later(s->now, gsched_plan_time(s, job));
    int64_t low[TOPO_DIMS_MAX];
    bool fine = true;

    assert(first <= s->decision_count);
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision *d = &s->decision[i];
        struct availability *t = &p->all[p->counts ? 0 : d->grant.node];

        availability_trim(t, p->dims, s->now);
        availability_add(t, p->dims, s->now, end,
                         gsched_plan_amount(s, job, d->group),
                         -(int64_t)d->grant.tasks);
        availability_low(t, p->dims, 0, end, low);
        for (uint32_t k = 0; k < p->dims; k++)
            fine = fine && low[k] >= 0;
    }
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision *d = &s->decision[i];

        availability_add(&p->all[p->counts ? 0 : d->grant.node], p->dims,
                         s->now, end, gsched_plan_amount(s, job, d->group),
                         d->grant.tasks);
    }
    return fine;
}

/* The first of those that are to start, and have no slots; NULL. */
static struct planned *unslotted(struct gsched_plan *p)
{
    struct planned *first = NULL;

    for (uint32_t i = 0; i < p->count; i++) {
        struct planned *j = &p->queue[i];

        if (j->slots == 0 && j->start != GSCHED_NEVER
            && (!first || j->start < first->start))
            first = j;
    }
    return first;
}

/* A job came whose tasks ask for something else, or nodes change: from now on
 * places are nodes.
 * By rising start each job keeps its start, for tasks that were all alike:
 * what is free when one starts stays so.
 */
void gsched_plan_by_nodes(struct gsched *s)
{
    struct gsched_plan *p = s->plan;
    struct planned *j;

    availability_close_all(p->all, p->places);
    availability_close_all(p->running, p->places);
    availability_open_all(s, p);
    for (uint32_t job = 0; job < s->jobs->job_count; job++) {
        if (s->jobs->job[job].phase == JOB_RUNNING)
            gsched_plan_started(s, job);
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->queue[i].slots = 0;
    while ((j = unslotted(p))) {
        if (gsched_earliest_slot_at(s, j,
                                    j->start > s->now ? j->start : s->now))
            gsched_plan_reserve(s, j, -1);
        else
            j->start = GSCHED_NEVER;
    }
}

/* What was to stand on the node is planned anew. */
static void leave(struct gsched *s, uint32_t node)
{
    struct gsched_plan *p = s->plan;

    assert(!p->counts);
    for (uint32_t i = 0; i < p->count; i++) {
        struct planned *j = &p->queue[i];
        uint32_t k = 0;

        while (k < j->slots && j->slot[k].place != node)
            k++;
        if (k < j->slots)
            gsched_planned_forget(s, j);
    }
}

void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli)
{
    struct gsched_plan *p = s->plan;
    int64_t amount[TOPO_DIMS_MAX] = { 0 };

    if (!p)
        return;
    p->has_gap = true;
    if (p->counts) {
        gsched_plan_by_nodes(s);
        return;
    }
    if (milli < 0 || topo_cluster_is_cordoned(s->cluster, node))
        leave(s, node);
    amount[TOPO_GPU] = milli;
    availability_trim(&p->all[node], p->dims, s->now);
    availability_add(&p->all[node], p->dims, s->now, GSCHED_NEVER, amount, 1);
    if (p->running) {
        availability_trim(&p->running[node], p->dims, s->now);
        availability_add(&p->running[node], p->dims, s->now, GSCHED_NEVER,
                         amount, 1);
    }
}

int64_t gsched_plan_next(const struct gsched *s)
{
    return s->plan ? s->plan->next : GSCHED_NEVER;
}

int64_t gsched_planned(const struct gsched *s, uint32_t job)
{
    for (uint32_t i = 0; s->plan && i < s->plan->count; i++) {
        if (s->plan->queue[i].job == job)
            return s->plan->queue[i].start;
    }
    return GSCHED_NEVER;
}
