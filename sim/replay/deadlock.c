/* sim/replay/deadlock.c - the banker's reduction, see deadlock.h.
 *
 * A shadow cluster has only allocations that waiting alone does not release:
 * those of partially allocated jobs and services.  It changes rarely, and so
 * does the result.
 */
#include "sim/replay/deadlock.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "policies/scheduler.h"
#include "sim/scenario/scenario.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

struct holding {
    uint32_t group; /* position in the job */
    struct topo_grant grant;
};

struct holder {
    uint32_t job;
    bool is_partly, is_done; /* is_done: finished in the reduction */
    uint32_t count, cap;
    struct holding *held;
};

/* How many tasks of a shape fit in the shadow cluster, and when that was. */
struct shape_room {
    uint64_t version; /* of the cluster, plus 1; 0: not counted yet */
    uint64_t tasks;
};

struct deadlock {
    const struct topo *topo;
    const struct trace_workload *work;
    deadlock_scheduler_fn *scheduler;
    const void *ctx;
    const struct topo_cluster *real;
    struct topo_cluster *cluster;
    uint32_t *changed; /* nodes of the real cluster that changed since the
                          last update */
    uint32_t changed_count, changed_cap;
    struct holder *holder; /* ascending by job */
    uint32_t count, cap;
    struct shape_room *room; /* [shape] */
    uint32_t *late;          /* holders that complete in the reduction, and have
                                not given back yet */
    uint32_t late_count, late_cap;
    bool is_stale;    /* `unsafe` is out of date */
    uint32_t *unsafe; /* jobs that never complete, rising */
    uint32_t unsafe_count, unsafe_cap;
    uint32_t *stuck; /* those of `unsafe` that are stuck */
    uint32_t stuck_cap;
};

struct deadlock *deadlock_create(const struct topo *t,
                                 const struct trace_workload *w,
                                 deadlock_scheduler_fn *scheduler,
                                 const void *ctx,
                                 const struct topo_cluster *real)
{
    struct deadlock *d = gs_array_new(1, sizeof(*d));

    assert(t && w && scheduler && real);
    d->topo = t;
    d->work = w;
    d->scheduler = scheduler;
    d->ctx = ctx;
    d->real = real;
    d->room = gs_array_new(w->shape_count + 1, sizeof(*d->room));
    return d;
}

void deadlock_destroy(struct deadlock *d)
{
    if (!d)
        return;
    for (uint32_t i = 0; i < d->count; i++)
        gs_array_free(d->holder[i].held);
    gs_array_free(d->holder);
    gs_array_free(d->room);
    gs_array_free(d->late);
    gs_array_free(d->unsafe);
    gs_array_free(d->stuck);
    gs_array_free(d->changed);
    topo_cluster_destroy(d->cluster);
    gs_array_free(d);
}

/* --- allocations of jobs -------------------------------------------------- */

static const struct trace_group *group_of(const struct deadlock *d,
                                          uint32_t job, uint32_t group)
{
    assert(job < d->work->job_count);
    assert(group < d->work->job[job].group_count);
    return trace_group_at(d->work, d->work->job[job].first_group + group);
}

static const struct topo_request *request_of(const struct deadlock *d,
                                             uint32_t job, uint32_t group)
{
    return &d->work->shape[group_of(d, job, group)->shape];
}

/* Index of `job` among the holders, or where to insert it. */
static uint32_t place_of(const struct deadlock *d, uint32_t job)
{
    uint32_t low = 0, high = d->count;

    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;

        if (d->holder[mid].job < job)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static void give_back(struct deadlock *d, const struct holder *h)
{
    for (uint32_t i = 0; i < h->count; i++)
        topo_cluster_release(d->cluster,
                             request_of(d, h->job, h->held[i].group),
                             &h->held[i].grant);
}

/* Allocate in the shadow cluster what the job holds in the real one, device by
 * device.
 */
static void mirror(struct deadlock *d, struct holder *h)
{
    const struct gsched *s = d->scheduler(d->ctx, h->job);
    struct gsched_decision span;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_allocation(s, h->job, &at, &span)) {
        topo_cluster_take(d->cluster, request_of(d, h->job, span.group),
                          &span.grant);
        h->held = gs_array_grow(h->held, &h->cap, h->count + 1,
                                sizeof(*h->held));
        h->held[h->count++] = (struct holding){ span.group, span.grant };
    }
}

void deadlock_hold(struct deadlock *d, uint32_t job, bool is_partly)
{
    const uint32_t i = place_of(d, job);

    assert(i == d->count || d->holder[i].job != job); /* not yet in the set */
    if (!d->cluster) {
        d->cluster = topo_cluster_create_like(d->real);
        for (uint32_t n = 0; n < d->topo->node_count; n++) {
            if (topo_cluster_is_cordoned(d->real, n)
                || topo_cluster_failed(d->real, n))
                deadlock_node(d, n);
        }
    }
    d->holder = gs_array_grow(d->holder, &d->cap, d->count + 1,
                              sizeof(*d->holder));
    memmove(&d->holder[i + 1], &d->holder[i],
            (d->count++ - i) * sizeof(*d->holder));
    d->holder[i] = (struct holder){ .job = job, .is_partly = is_partly };
    mirror(d, &d->holder[i]);
    d->is_stale = true;
}

void deadlock_drop(struct deadlock *d, uint32_t job)
{
    const uint32_t i = place_of(d, job);

    if (i == d->count || d->holder[i].job != job)
        return;
    give_back(d, &d->holder[i]);
    gs_array_free(d->holder[i].held);
    memmove(&d->holder[i], &d->holder[i + 1],
            (--d->count - i) * sizeof(*d->holder));
    d->is_stale = true;
}

void deadlock_node(struct deadlock *d, uint32_t node)
{
    assert(node < d->topo->node_count);
    if (!d->cluster)
        return; /* it was created as a copy of the real one */
    d->changed = gs_array_grow(d->changed, &d->changed_cap,
                               d->changed_count + 1, sizeof(*d->changed));
    d->changed[d->changed_count++] = node;
}

void deadlock_follow(struct deadlock *d, deadlock_returns_fn *returns,
                     const void *ctx)
{
    assert(d->cluster || d->changed_count == 0);
    d->is_stale |= d->changed_count > 0;
    while (d->changed_count) {
        const uint32_t node = d->changed[--d->changed_count];
        const uint64_t broken = topo_cluster_failed(d->real, node);

        topo_cluster_imitate(d->cluster, d->real, node);
        if (topo_cluster_is_cordoned(d->real, node)
            && returns(ctx, node, SIM_WHOLE))
            topo_cluster_uncordon(d->cluster, node);
        for (uint32_t i = 0; i < 64 && broken >> i; i++) {
            if ((broken >> i & 1) && returns(ctx, node, i))
                topo_cluster_repair(d->cluster, node, i);
        }
    }
}

/* --- the reduction -------------------------------------------------------- */

/* A state group of the shadow cluster with room for such a task.  Returns how
 * many fit there.
 */
static uint32_t find_room(const struct deadlock *d,
                          const struct topo_request *r, uint32_t *group)
{
    const struct topo_groups *g = topo_cluster_groups(d->cluster);

    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t n;

        if (g->nodes[i] == 0
            || topo_class_misfit(d->topo, g->klass[i], r) != TOPO_FITS)
            continue;
        n = topo_group_fit(d->cluster, i, r);
        if (n) {
            *group = i;
            return n;
        }
    }
    return 0;
}

/* Place at most `count` tasks.  Returns how many were placed. */
static uint32_t place_most(struct deadlock *d, const struct topo_request *r,
                           uint32_t count)
{
    uint32_t left = count;

    assert(r);
    while (left) {
        uint32_t group = 0, room = find_room(d, r, &group), n = 1;

        if (room == 0)
            break;
        if (!topo_request_is_part(r))
            n = room < left ? room : left;
        (void)topo_cluster_allocate(
            d->cluster,
            topo_group_first(d->cluster, group, 0, d->topo->node_count), r, n,
            UINT32_MAX);
        left -= n;
    }
    return count - left;
}

/* Number of tasks that the job holds, of the group or (UINT32_MAX) of all. */
static uint32_t held_tasks(const struct holder *h, uint32_t group)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->count; i++) {
        if (group == UINT32_MAX || h->held[i].group == group)
            n += h->held[i].grant.tasks;
    }
    return n;
}

/* The number of tasks of the shape that fit in the shadow cluster. */
static uint64_t room_for(struct deadlock *d, uint32_t shape)
{
    const uint64_t version = topo_cluster_version(d->cluster) + 1;
    const struct topo_groups *g = topo_cluster_groups(d->cluster);
    const struct topo_request *r = &d->work->shape[shape];
    struct shape_room *known = &d->room[shape];

    assert(shape < d->work->shape_count);
    if (known->version == version)
        return known->tasks;
    *known = (struct shape_room){ .version = version };
    for (uint32_t i = 0; i < g->live_count; i++) {
        const uint32_t k = g->live[i];

        if (topo_class_misfit(d->topo, g->klass[k], r) == TOPO_FITS)
            known->tasks += (uint64_t)g->nodes[k]
                            * topo_group_fit(d->cluster, k, r);
    }
    return known->tasks;
}

/* True when all tasks of the job are of one kind, of which the number that fits
 * does not depend on where they are put: no trial is needed.
 */
static bool has_one_kind(const struct deadlock *d, uint32_t job)
{
    return d->work->job[job].group_count == 1
           && !topo_request_is_part(request_of(d, job, 0));
}

/* True when the job could complete its gang, with tasks of any groups, with
 * what is free in the shadow cluster.
 */
static bool completes(struct deadlock *d, const struct holder *h)
{
    const struct trace_job *j = &d->work->job[h->job];
    uint32_t mark, left = j->gang - held_tasks(h, UINT32_MAX);

    assert(held_tasks(h, UINT32_MAX) <= j->gang || !h->is_partly);
    if (has_one_kind(d, h->job))
        return room_for(d, group_of(d, h->job, 0)->shape) >= left;
    mark = topo_cluster_begin(d->cluster);
    for (uint32_t g = 0; g < j->group_count && left; g++) {
        const uint32_t n = group_of(d, h->job, g)->replicas - held_tasks(h, g);

        left -= place_most(d, request_of(d, h->job, g), n < left ? n : left);
    }
    topo_cluster_rollback(d->cluster, mark);
    return left == 0;
}

/* The same with what jobs that completed give back.  That is released only as
 * far as the job needs it: mostly all complete with what is free.  Where the
 * order of placements could matter, all is released first.
 */
static bool completes_late(struct deadlock *d, const struct holder *h)
{
    bool does = has_one_kind(d, h->job) && completes(d, h);

    while (!does && d->late_count) {
        give_back(d, &d->holder[d->late[--d->late_count]]);
        does = has_one_kind(d, h->job) && completes(d, h);
    }
    return does || completes(d, h);
}

/* True when the job is withdrawn at a known time, whether it completes or not.
 */
static bool is_withdrawn(const struct deadlock *d, uint32_t job)
{
    return d->work->job[job].aside->withdraws
           && d->work->job[job].duration != TRACE_FOREVER;
}

static void reduce(struct deadlock *d)
{
    const uint32_t mark = topo_cluster_begin(d->cluster);
    bool moved = true;

    d->late = gs_array_grow(d->late, &d->late_cap, d->count, sizeof(*d->late));
    d->late_count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        const bool leaves = is_withdrawn(d, d->holder[i].job);

        d->holder[i].is_done = !d->holder[i].is_partly || leaves;
        if (leaves)
            d->late[d->late_count++] = i;
    }
    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < d->count; i++) {
            struct holder *h = &d->holder[i];

            if (h->is_done || !completes_late(d, h))
                continue;
            if (d->work->job[h->job].duration != TRACE_FOREVER)
                d->late[d->late_count++] = i;
            h->is_done = moved = true;
        }
    }
    topo_cluster_rollback(d->cluster, mark);
    d->unsafe_count = 0;
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->holder[i].is_done)
            continue;
        d->unsafe = gs_array_grow(d->unsafe, &d->unsafe_cap,
                                  d->unsafe_count + 1, sizeof(*d->unsafe));
        d->unsafe[d->unsafe_count++] = d->holder[i].job;
    }
    d->is_stale = false;
    (void)topo_cluster_sweep(d->cluster);
}

/* True when none of the tasks that the job lacks can be placed now. */
static bool is_stuck(const struct deadlock *d, uint32_t job)
{
    const struct trace_job *j = &d->work->job[job];
    const struct holder *h = &d->holder[place_of(d, job)];

    assert(place_of(d, job) < d->count && h->job == job);
    for (uint32_t g = 0; g < j->group_count; g++) {
        if (held_tasks(h, g) < group_of(d, job, g)->replicas
            && gsched_could_place(d->scheduler(d->ctx, job),
                                  group_of(d, job, g)->shape))
            return false;
    }
    return true;
}

const uint32_t *deadlock_find(struct deadlock *d, uint32_t *count)
{
    assert(count);
    *count = 0;
    if (d->is_stale)
        reduce(d);
    d->stuck = gs_array_grow(d->stuck, &d->stuck_cap, d->unsafe_count + 1,
                             sizeof(*d->stuck));
    for (uint32_t i = 0; i < d->unsafe_count; i++) {
        if (is_stuck(d, d->unsafe[i]))
            d->stuck[(*count)++] = d->unsafe[i];
    }
    return d->stuck;
}
