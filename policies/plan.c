/* policies/plan.c - conservative backfilling: a start planned for every job.
 *
 * A job that comes gets the earliest time at which there is room for it for
 * as long as it may run; so nobody delays anybody who came before.  When a
 * job ends early the plan has a hole:
 *
 *   keep    planned jobs move up into it, in queue order, never back
 *   replan  all starts are planned anew, in queue order, at every instant
 *
 * The modules choose the nodes of a job that starts, unless that would take
 * what is promised to others: then it stands where it was planned.  Shares of
 * a GPU are summed up by node, so a start may slip when no device has enough.
 * Where a node closes, what was to stand there is planned anew, and others keep
 * what they have.
 */
#include "policies/plan.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "topology/cluster.h"

static int64_t later(int64_t at, int64_t by)
{
    assert(at >= 0 && by >= 0);
    return by < GSCHED_NEVER - at ? at + by : GSCHED_NEVER;
}

/* For how long the job is planned: it takes its room, however briefly. */
int64_t gsched_plan_time(const struct gsched *s, uint32_t job)
{
    return s->job[job].estimate > 0 ? s->job[job].estimate : 1;
}

/* When what runs gives back. */
static int64_t planned_end(const struct gsched *s, uint32_t job)
{
    return later(s->job[job].held_since, gsched_plan_time(s, job));
}

static const int64_t one_task = 1;

const int64_t *gsched_plan_amount(const struct gsched *s, uint32_t job,
                                  uint32_t group)
{
    return s->plan->counts
               ? &one_task
               : s->work->shape[gsched_group(s, job, group)->shape].amount;
}

/* --- timelines ---------------------------------------------------------------- */

static struct timeline *places_open(struct gsched *s,
                                    const struct gsched_plan *p)
{
    const int64_t most = p->counts ? (int64_t)gsched_shape(s, 0)->most : 0;
    struct timeline *t = gs_array_new(p->places, sizeof(*t));

    for (uint32_t i = 0; i < p->places; i++) {
        timeline_open(&t[i], p->dims,
                      p->counts
                          ? &most
                          : s->topo->klass[s->topo->node_class[i]].capacity);
        if (!p->counts)
            t[i].free[TOPO_GPU] -= TOPO_SHARE_ONE
                                   * __builtin_popcountll(
                                       topo_cluster_broken(s->cluster, i));
    }
    return t;
}

static void timelines_open(struct gsched *s, struct gsched_plan *p)
{
    p->counts = s->work->shape_count == 1 && !s->subtree && !s->nodes_change;
    p->places = p->counts ? 1 : s->topo->node_count;
    p->dims = p->counts ? 1 : s->topo->dims->count;
    p->all = places_open(s, p);
    if (s->backfill.replan)
        p->running = places_open(s, p);
}

static struct gsched_plan *plan_of(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (p)
        return p;
    p = s->plan = gs_array_new(1, sizeof(*p));
    p->next = GSCHED_NEVER;
    timelines_open(s, p);
    return p;
}

static void timelines_close(struct timeline *t, uint32_t count)
{
    for (uint32_t i = 0; t && i < count; i++)
        timeline_close(&t[i]);
    gs_array_free(t);
}

void gsched_plan_free(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    if (!p)
        return;
    timelines_close(p->all, p->places);
    timelines_close(p->running, p->places);
    for (uint32_t i = 0; i < p->count; i++)
        gs_array_free(p->queue[i].seat);
    gs_array_free(p->queue);
    gsched_opening_free(p);
    gs_array_free(p);
}

/* Tasks of the job take from a place, or give back, from now until `end`. */
static void change(struct gsched *s, uint32_t job, uint32_t group,
                   uint32_t node, int64_t end, int64_t times)
{
    struct gsched_plan *p = plan_of(s);
    const uint32_t i = p->counts ? 0 : node;
    const int64_t *amount = gsched_plan_amount(s, job, group);

    assert(p->counts || node < s->topo->node_count);
    timeline_trim(&p->all[i], p->dims, s->now);
    timeline_add(&p->all[i], p->dims, s->now, end, amount, times);
    if (!p->running)
        return;
    timeline_trim(&p->running[i], p->dims, s->now);
    timeline_add(&p->running[i], p->dims, s->now, end, amount, times);
}

/* All that the job holds. */
static void change_all(struct gsched *s, uint32_t job, int64_t end, int sign)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    if (plan_of(s)->counts) {
        change(s, job, 0, 0, end, (int64_t)sign * s->job[job].placed);
        return;
    }
    while (gsched_next_span(s, job, &at, &d))
        change(s, job, d.group, d.grant.node, end,
               (int64_t)sign * d.grant.tasks);
}

void gsched_plan_started(struct gsched *s, uint32_t job)
{
    assert(s->is_planned && s->job[job].phase == JOB_RUNNING);
    change_all(s, job, planned_end(s, job), -1);
}

void gsched_plan_ended(struct gsched *s, uint32_t job)
{
    const int64_t end = planned_end(s, job);

    assert(s->plan && s->job[job].phase == JOB_RUNNING);
    change_all(s, job, end, 1);
    s->plan->has_hole |= end > s->now;
}

void gsched_plan_grew(struct gsched *s, uint32_t job, uint32_t group,
                      const struct topo_grant *g)
{
    assert(g->tasks > 0);
    change(s, job, group, g->node, planned_end(s, job), -(int64_t)g->tasks);
}

/* --- the queue ------------------------------------------------------------------ */

void gsched_plan_add(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = plan_of(s);
    const struct item it = { s->job[job].since, 0, job, NONE };
    uint32_t i = p->count++;

    p->queue = gs_array_grow(p->queue, &p->cap, p->count, sizeof(*p->queue));
    for (; i > 0; i--) {
        const uint32_t other = p->queue[i - 1].job;
        const struct item before = { s->job[other].since, 0, other, NONE };

        if (gsched_item_compare(s, &before, &it) < 0)
            break;
        p->queue[i] = p->queue[i - 1];
    }
    p->queue[i] = (struct planned){ .job = job, .start = GSCHED_NEVER };
}

/* What is planned for the job takes its room, or does so no longer; what is
 * past of a start that did not come about is forgotten already.
 */
static void reserve(struct gsched *s, const struct planned *j, int sign)
{
    struct gsched_plan *p = s->plan;
    const int64_t end = later(j->start, gsched_plan_time(s, j->job));

    assert(sign == 1 || sign == -1);
    for (uint32_t i = 0; i < j->seats; i++) {
        const struct plan_seat *c = &j->seat[i];
        struct timeline *t = &p->all[c->place];

        timeline_trim(t, p->dims, s->now);
        timeline_add(t, p->dims, j->start > s->now ? j->start : s->now, end,
                     gsched_plan_amount(s, j->job, c->group),
                     (int64_t)sign * c->tasks);
    }
}

/* What was planned for it is planned for it no longer. */
static void forget(struct gsched *s, struct planned *j)
{
    reserve(s, j, 1);
    j->seats = 0;
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
    struct gsched_plan *p = plan_of(s);
    const uint32_t i = place_of(p, job);

    if (i == p->count)
        return;
    forget(s, &p->queue[i]);
    p->has_hole = true;
}

void gsched_plan_drop(struct gsched *s, uint32_t job)
{
    struct gsched_plan *p = plan_of(s);
    const uint32_t i = place_of(p, job);

    if (i == p->count)
        return;
    if (!p->is_starting)
        gsched_plan_forget(s, job);
    gs_array_free(p->queue[i].seat);
    memmove(p->queue + i, p->queue + i + 1,
            (p->count - i - 1) * sizeof(*p->queue));
    p->count--;
}

/* --- starting ------------------------------------------------------------------- */

/* Do these decisions leave to others what is promised to them? */
static bool bears(struct gsched *s, uint32_t job, uint32_t first)
{
    struct gsched_plan *p = s->plan;
    const int64_t end = later(s->now, gsched_plan_time(s, job));
    int64_t low[TOPO_DIMS_MAX];
    bool fine = true;

    assert(first <= s->decision_count);
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision *d = &s->decision[i];
        struct timeline *t = &p->all[p->counts ? 0 : d->grant.node];

        timeline_trim(t, p->dims, s->now);
        timeline_add(t, p->dims, s->now, end,
                     gsched_plan_amount(s, job, d->group),
                     -(int64_t)d->grant.tasks);
        timeline_low(t, p->dims, 0, end, low);
        for (uint32_t k = 0; k < p->dims; k++)
            fine = fine && low[k] >= 0;
    }
    for (uint32_t i = first; i < s->decision_count; i++) {
        const struct gsched_decision *d = &s->decision[i];

        timeline_add(&p->all[p->counts ? 0 : d->grant.node], p->dims, s->now,
                     end, gsched_plan_amount(s, job, d->group), d->grant.tasks);
    }
    return fine;
}

/* The tasks of one seat, as far as the cluster really has room. */
static bool seat_take(struct gsched *s, uint32_t job, const struct plan_seat *c,
                      uint32_t *task)
{
    const struct topo_request *r =
        &s->work->shape[gsched_group(s, job, c->group)->shape];
    const uint32_t step = topo_request_is_part(r) ? 1 : c->tasks;

    assert(c->tasks > 0 && step > 0);
    for (uint32_t done = 0; done < c->tasks; done += step) {
        struct topo_grant g;

        if (topo_group_fit(s->cluster,
                           topo_cluster_group_of(s->cluster, c->place), r)
            < step)
            return false;
        g = gsched_take(s, c->place, r, step);
        gsched_propose(s, job, c->group, *task, &g);
        *task += step;
    }
    return true;
}

/* Where it was planned. */
static bool take_seats(struct gsched *s, const struct planned *j)
{
    uint32_t group = 0, task = 0;

    if (s->plan->counts || j->start > s->now || j->seats == 0
        || gsched_has_rules(s, j->job))
        return false;
    for (uint32_t i = 0; i < j->seats; i++) {
        task = j->seat[i].group == group ? task : 0;
        group = j->seat[i].group;
        if (!seat_take(s, j->job, &j->seat[i], &task))
            return false;
    }
    return true;
}

/* The job, whose own reservation is not in the plan, starts now. */
static bool start(struct gsched *s, const struct planned *j)
{
    const uint32_t first = s->decision_count, job = j->job;
    const struct item it = { 0, 0, job, NONE };
    uint32_t mark;

    assert(s->job[job].phase == JOB_WAITING);
    if (!gsched_item_allocatable(s, &it) || !gsched_gang_has_room(s, job))
        return false;
    mark = topo_cluster_begin(s->cluster);
    if (!gsched_gang_place(s, job, NULL) || !bears(s, job, first)) {
        gsched_undo(s, mark, first);
        mark = topo_cluster_begin(s->cluster);
        if (!take_seats(s, j)) {
            gsched_undo(s, mark, first);
            return false;
        }
    }
    topo_cluster_commit(s->cluster, mark);
    s->plan->is_starting = true;
    gsched_gang_commit(s, job, first);
    gsched_item_served(s, &it);
    s->plan->is_starting = false;
    return true;
}

/* --- planning ------------------------------------------------------------------- */

/* The earliest start; not later than it was, if that is still to come. */
static void plan_start(struct gsched *s, struct planned *j)
{
    struct planned anew = { .job = j->job, .is_missed = j->is_missed };

    assert(anew.seats == 0);
    anew.start = gsched_opening_find(s, &anew);
    if (j->seats > 0 && j->start >= s->now && anew.start > j->start) {
        gs_array_free(anew.seat);
        return;
    }
    gs_array_free(j->seat);
    *j = anew;
}

static void seats_drop(struct gsched_plan *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        p->queue[i].seats = 0;
        p->queue[i].start = GSCHED_NEVER;
    }
}

/* The first of those that are to start, and have no seats; NULL. */
static struct planned *unseated(struct gsched_plan *p)
{
    struct planned *first = NULL;

    for (uint32_t i = 0; i < p->count; i++) {
        struct planned *j = &p->queue[i];

        if (j->seats == 0 && j->start != GSCHED_NEVER
            && (!first || j->start < first->start))
            first = j;
    }
    return first;
}

/* A job came whose tasks ask for something else, or nodes change: from now on
 * places are nodes.
 * By rising start everyone keeps his, for tasks that were all alike: what is
 * free when one starts stays so.
 */
static void count_no_longer(struct gsched *s)
{
    struct gsched_plan *p = s->plan;
    struct planned *j;

    timelines_close(p->all, p->places);
    timelines_close(p->running, p->places);
    timelines_open(s, p);
    for (uint32_t job = 0; job < s->job_count; job++) {
        if (s->job[job].phase == JOB_RUNNING)
            gsched_plan_started(s, job);
    }
    for (uint32_t i = 0; i < p->count; i++)
        p->queue[i].seats = 0;
    while ((j = unseated(p))) {
        if (gsched_opening_at(s, j, j->start > s->now ? j->start : s->now))
            reserve(s, j, -1);
        else
            j->start = GSCHED_NEVER;
    }
}

static void replan(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    assert(p->running);
    for (uint32_t i = 0; i < p->count; i++)
        p->queue[i].is_missed |= p->queue[i].start <= s->now;
    for (uint32_t i = 0; i < p->places; i++) {
        timeline_trim(&p->running[i], p->dims, s->now);
        timeline_copy(&p->all[i], &p->running[i], p->dims);
    }
    seats_drop(p);
}

/* Those that could not start when it was time are planned anew, in order. */
static void forget_missed(struct gsched *s)
{
    struct gsched_plan *p = s->plan;

    for (uint32_t i = 0; i < p->count; i++) {
        if (p->queue[i].start < s->now) {
            forget(s, &p->queue[i]);
            p->queue[i].is_missed = true;
        }
    }
}

/* In queue order: start those whose time has come, plan those that are new;
 * with `anew`, all, moving up.
 */
static void plan_all(struct gsched *s, bool anew)
{
    struct gsched_plan *p = s->plan;

    p->next = GSCHED_NEVER;
    for (uint32_t i = 0; i < p->count;) {
        struct planned *j = &p->queue[i];

        if (anew || j->seats == 0 || j->start <= s->now) {
            reserve(s, j, 1);
            if (start(s, j))
                continue;
            j->is_missed |= j->start <= s->now;
            plan_start(s, j);
            if (j->start <= s->now && start(s, j)) /* there, then */
                continue;
            reserve(s, j, -1);
        }
        if (!j->is_missed && j->start > s->now && j->start < p->next)
            p->next = j->start;
        i++;
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

        while (k < j->seats && j->seat[k].place != node)
            k++;
        if (k < j->seats)
            forget(s, j);
    }
}

void gsched_plan_changed(struct gsched *s, uint32_t node, int64_t milli)
{
    struct gsched_plan *p = s->plan;
    int64_t amount[TOPO_DIMS_MAX] = { 0 };

    if (!p)
        return;
    p->has_hole = true;
    if (p->counts) {
        count_no_longer(s);
        return;
    }
    if (milli < 0 || topo_cluster_is_closed(s->cluster, node))
        leave(s, node);
    amount[TOPO_GPU] = milli;
    timeline_trim(&p->all[node], p->dims, s->now);
    timeline_add(&p->all[node], p->dims, s->now, GSCHED_NEVER, amount, 1);
    if (p->running) {
        timeline_trim(&p->running[node], p->dims, s->now);
        timeline_add(&p->running[node], p->dims, s->now, GSCHED_NEVER, amount,
                     1);
    }
}

/* Why the others wait: no room for them, or those before them. */
static void blame(struct gsched *s)
{
    for (uint32_t i = s->awake_count; i-- > 0;) {
        const uint32_t ask = s->awake[i], bin = s->ask[ask].first_bin;

        if (s->ask[ask].waiting == 0) {
            gsched_ask_rest(s, ask);
        } else if (s->bin[bin].count
                   && !gsched_gang_has_room(s, s->bin[bin].heap[0].job)) {
            gsched_ask_sleep(s, ask, gsched_cause_of(s, &s->bin[bin].heap[0]));
        } else {
            for (uint32_t b = bin; b != NONE; b = s->bin[b].next)
                gsched_bin_blames(s, &s->bin[b], GSCHED_ORDER);
        }
    }
}

/* Is room kept for any of them, from some time on? */
static bool has_promised(const struct gsched *s)
{
    const struct gsched_plan *p = s->plan;
    uint32_t i = 0;

    while (
        i < p->count
        && (p->queue[i].start <= s->now || p->queue[i].start == GSCHED_NEVER))
        i++;
    return i < p->count;
}

void gsched_plan_run(struct gsched *s)
{
    struct gsched_plan *p = plan_of(s);

    assert(s->is_planned);
    if (p->counts && s->work->shape_count > 1)
        count_no_longer(s);
    if (s->backfill.replan)
        replan(s);
    else
        forget_missed(s);
    plan_all(s, s->backfill.replan || p->has_hole);
    p->has_hole = false;
    if (!has_promised(s)) /* what is left is for those that are planned */
        gsched_grow(s);
    blame(s);
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
