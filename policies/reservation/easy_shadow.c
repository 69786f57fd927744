/* policies/reservation/easy_shadow.c - the cluster at the shadow time
 *
 * Each running job is in one of two heaps: jobs that end by the shadow time are
 * removed from the shadow cluster (`ended`, the latest on top), the others keep
 * their allocations (`kept`, the earliest on top).  gsched_shadow_reserve()
 * changes the shadow time by moving jobs between the heaps, when an end, a
 * start or a new head may have changed it.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/reservation/reservation.h"
#include "policies/state/booked_nodes.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

/* --- what is held then ---------------------------------------------------- */

static bool is_counted(const struct gsched *s)
{
    return gsched_tasks_are_alike(s) && !s->labels->has_rules;
}

uint32_t gsched_shadow_fit(struct gsched *s, uint32_t group, uint32_t shape)
{
    const struct topo_cluster *c = s->shadow->cluster;
    const struct topo_groups *g = topo_cluster_groups(c);

    assert(s->shadow && s->shadow->cluster);
    if (!g->nodes[group]
        || !class_set_has(&gsched_shape_known(s, shape)->suits,
                          g->klass[group]))
        return 0;
    return topo_group_fit(c, group, &s->work->shape[shape]);
}

/* The room is that of room_shape, as long as one is known. */
static int64_t room_on(struct gsched *s, uint32_t node)
{
    const struct shadow_state *f = s->shadow;

    return f->room_shape == NONE
               ? 0
               : gsched_shadow_fit(s, topo_cluster_group_of(f->cluster, node),
                                   f->room_shape);
}

static void grant_then(struct gsched *s, uint32_t job, uint32_t group,
                       const struct topo_grant *g, bool holds)
{
    struct shadow_state *f = s->shadow;
    const struct topo_request *r = gsched_request(s, job, group);

    if (!f->cluster) {
        f->room += holds ? -(int64_t)g->tasks : (int64_t)g->tasks;
        return;
    }
    f->room -= room_on(s, g->node);
    if (holds)
        topo_cluster_take(f->cluster, r, g);
    else
        topo_cluster_release(f->cluster, r, g);
    f->room += room_on(s, g->node);
}

static void job_then(struct gsched *s, uint32_t job, bool holds)
{
    const struct allocation *all = s->allocations->allocation;

    for (uint32_t i = gsched_job(s, job)->first_allocation; i != NONE;
         i = all[i].next)
        grant_then(s, job, all[i].group, &all[i].grant, holds);
}

/* With what other schedulers took, the end of which is not known. */
static void cluster_open(struct gsched *s)
{
    s->shadow->cluster = topo_cluster_create_like(s->cluster);
    s->shadow->room_shape = NONE;
    for (uint32_t job = 0; s->nodes_change && job < s->jobs->job_count; job++) {
        if (gsched_job(s, job)->phase == JOB_ELSEWHERE)
            job_then(s, job, true);
    }
}

static void shadow_open(struct gsched *s)
{
    struct shadow_state *f = gs_array_new(1, sizeof(*f));

    s->shadow = f;
    f->head = f->found.job = f->room_shape = NONE;
    f->ended.is_max = true;
    f->shadow_time = s->now;
    f->avoid = gs_array_new(s->topo->node_count, 1);
    if (is_counted(s))
        f->room = (int64_t)gsched_shape(s, 0)->most;
    else
        cluster_open(s);
}

void gsched_shadow_free(struct gsched *s)
{
    struct shadow_state *f = s->shadow;

    if (!f)
        return;
    topo_cluster_destroy(f->cluster);
    gs_array_free(f->ended.job);
    gs_array_free(f->kept.job);
    gs_array_free(f->found.slot);
    gs_array_free(f->draft.slot);
    gs_array_free(f->avoid);
    gs_array_free(f->chance);
    gs_array_free(f);
}

/* Stop counting tasks, since a second shape was submitted or nodes change: from
 * now on nodes matter.
 */
static void stop_counting(struct gsched *s)
{
    struct shadow_state *f = s->shadow;

    cluster_open(s);
    for (uint32_t i = 0; i < f->kept.count; i++)
        job_then(s, f->kept.job[i], true);
    f->is_stale = true;
}

static struct shadow_state *shadow_of(struct gsched *s)
{
    if (!s->shadow)
        shadow_open(s);
    else if (!s->shadow->cluster && !is_counted(s))
        stop_counting(s);
    return s->shadow;
}

void gsched_shadow_started(struct gsched *s, uint32_t job)
{
    struct shadow_state *f = shadow_of(s);

    if (f->head == job)
        f->head = NONE;
    if (gsched_estimated_end(s, job) <= f->shadow_time) {
        gsched_ends_add(s, &f->ended, job);
        return;
    }
    gsched_ends_add(s, &f->kept, job);
    job_then(s, job, true);
    f->is_stale |= !f->is_beside;
}

void gsched_shadow_ended(struct gsched *s, uint32_t job)
{
    struct shadow_state *f = s->shadow;

    f->version++;
    if (gsched_estimated_end(s, job) <= f->shadow_time) {
        f->is_stale |= gsched_estimated_end(s, job) == f->shadow_time;
        gsched_ends_drop(s, &f->ended, job);
        return;
    }
    f->is_stale = true;
    gsched_ends_drop(s, &f->kept, job);
    job_then(s, job, false);
}

void gsched_shadow_grew(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g)
{
    if (gsched_estimated_end(s, job) > s->shadow->shadow_time) {
        grant_then(s, job, group, g, true);
        s->shadow->is_stale = true;
    }
}

void gsched_shadow_changed(struct gsched *s, uint32_t node)
{
    struct shadow_state *f = s->shadow;

    f->room_shape = NONE;
    if (f->cluster)
        topo_cluster_imitate(f->cluster, s->cluster, node);
    else
        stop_counting(s);
    f->is_stale = true;
    f->version++;
}

void gsched_shadow_hold(struct gsched *s, uint32_t job, uint32_t group,
                        const struct topo_grant *g, bool holds)
{
    struct shadow_state *f = s->shadow;
    const uint8_t phase = gsched_job(s, job)->phase;

    if (phase == JOB_ELSEWHERE && !f->cluster)
        stop_counting(s);
    else if (phase == JOB_ELSEWHERE
             || (f->cluster && phase == JOB_RUNNING
                 && gsched_estimated_end(s, job) > f->shadow_time))
        grant_then(s, job, group, g, holds);
    f->is_stale = true;
    f->version++;
}

/* --- the head then -------------------------------------------------------- */

static int64_t room_count(struct gsched *s, uint32_t shape)
{
    const struct topo_groups *g = topo_cluster_groups(s->shadow->cluster);
    int64_t room = 0;

    for (uint32_t i = 0; i < g->live_count; i++)
        room += (int64_t)g->nodes[g->live[i]]
                * gsched_shadow_fit(s, g->live[i], shape);
    return room;
}

static int64_t room_then(struct gsched *s, uint32_t shape)
{
    struct shadow_state *f = s->shadow;

    if (f->cluster && f->room_shape != shape) {
        f->room = room_count(s, shape);
        f->room_shape = shape;
    }
    assert(!f->cluster || f->room == room_count(s, shape));
    return f->room;
}

/* True when all tasks of the job have the same request. */
static bool is_of_one_shape(const struct gsched *s, uint32_t job)
{
    for (uint32_t g = 1; g < s->work->job[job].group_count; g++) {
        if (gsched_group(s, job, g)->shape != gsched_group(s, job, 0)->shape)
            return false;
    }
    return true;
}

static bool has_bound_parts(const struct gsched *s, uint32_t job)
{
    uint32_t g = 0;

    while (g < s->work->job[job].group_count
           && !gsched_group_bound_level(s, job, g))
        g++;
    return g < s->work->job[job].group_count;
}

/* True when the head fits at the shadow time.  Sets the slack; slots are found
 * if `needs_slots`, or if the slack does not decide.
 */
static bool head_fits(struct gsched *s, bool needs_slots)
{
    struct shadow_state *f = s->shadow;
    const uint32_t job = f->head;
    struct scope w;
    uint32_t at = NONE;
    bool fits;

    assert(job != NONE);
    f->has_slack = is_of_one_shape(s, job) && !gsched_bound_level(s, job)
                   && !has_bound_parts(s, job);
    if (f->has_slack) {
        f->slack_shape = gsched_group(s, job, 0)->shape;
        f->slack = room_then(s, f->slack_shape) - s->work->job[job].gang;
        if (f->slack < 0 || ((!needs_slots || !f->cluster) && !s->booked))
            return f->slack >= 0;
        f->has_slack &= !s->booked; /* room that is not for all */
    }
    fits = gsched_head_slots_stand(s, job);
    while (!fits && gsched_topology_next(s, job, &at, &w))
        fits = gsched_head_slots_find(s, job, &w);
    return fits;
}

/* Move the jobs with the first end of `from` to the other heap. */
static void ends_move(struct gsched *s, struct ends *from, struct ends *to)
{
    const int64_t end = gsched_ends_first(s, from);

    assert(from->count > 0);
    while (from->count && gsched_ends_first(s, from) == end) {
        const uint32_t job = from->job[0];

        gsched_ends_drop(s, from, job);
        gsched_ends_add(s, to, job);
        job_then(s, job, to == &s->shadow->kept);
    }
}

/* The next time after the shadow time at which the head may fit: an end, or a
 * turn of nodes that are kept for some jobs; GSCHED_NEVER.
 */
static int64_t next_time(const struct gsched *s)
{
    const struct shadow_state *f = s->shadow;
    const int64_t end = gsched_ends_first(s, &f->kept);
    const int64_t turn = gsched_booked_next(s, f->shadow_time);

    return turn < end ? turn : end;
}

/* Move the shadow time to that. */
static void extend(struct gsched *s)
{
    struct shadow_state *f = s->shadow;

    f->shadow_time = next_time(s);
    if (gsched_ends_first(s, &f->kept) == f->shadow_time)
        ends_move(s, &f->kept, &f->ended);
}

/* The latest end among `ended`: the shadow time is not before it. */
static int64_t last_ended(const struct gsched *s)
{
    const struct ends *e = &s->shadow->ended;
    const int64_t last = e->count ? gsched_ends_first(s, e) : s->now;

    return last > s->now ? last : s->now;
}

/* Move the shadow time to the previous end; false when it is now. */
static bool shrink(struct gsched *s)
{
    struct shadow_state *f = s->shadow;
    const bool is_later = last_ended(s) > s->now;

    if (is_later)
        ends_move(s, &f->ended, &f->kept);
    f->shadow_time = last_ended(s);
    return is_later;
}

int64_t gsched_shadow_reserve(struct gsched *s, uint32_t job)
{
    struct shadow_state *f = shadow_of(s);
    const int64_t reached = f->shadow_time > s->now ? f->shadow_time : s->now;

    assert(job < s->jobs->job_count && s->modules->keeps_order);
    f->is_stale |= gsched_ends_first(s, &f->kept)
                   <= s->now; /* it runs for longer */
    if (f->head == job && !f->is_stale)
        return f->is_hopeless ? GSCHED_NEVER : reached;
    f->head = job;
    f->is_stale = false;
    f->version++;
    while (gsched_ends_first(s, &f->kept) <= reached)
        extend(s);
    f->shadow_time = reached; /* later than the last end in `ended` */
    while ((s->booked || head_fits(s, false)) && shrink(s))
        continue; /* what fits later may fit before, but not in between */
    while (!head_fits(s, false) && next_time(s) != GSCHED_NEVER)
        extend(s);
    f->is_hopeless = !head_fits(s, false);
    if (f->is_hopeless)
        return GSCHED_NEVER;
    if (f->cluster)
        topo_cluster_sweep(f->cluster);
    return f->shadow_time;
}

int64_t gsched_shadow_next(const struct gsched *s)
{
    const struct shadow_state *f = s->shadow;
    const int64_t end = f && f->head != NONE ? gsched_ends_first(s, &f->kept)
                                             : GSCHED_NEVER;

    return end > s->now ? end : GSCHED_NEVER;
}

bool gsched_shadow_respects(struct gsched *s, uint32_t first)
{
    const struct gsched_decision *d = s->decision;
    const int64_t slack = s->shadow->slack;
    bool fits;

    assert(s->shadow && first <= s->decision_count);
    for (uint32_t i = first; i < s->decision_count; i++)
        grant_then(s, d[i].job, d[i].group, &d[i].grant, true);
    fits = head_fits(s, false);
    for (uint32_t i = s->decision_count; i-- > first;)
        grant_then(s, d[i].job, d[i].group, &d[i].grant, false);
    if (!fits)
        s->shadow->slack = slack; /* the placements were undone */
    return fits;
}

const uint8_t *gsched_shadow_avoid(struct gsched *s)
{
    struct shadow_state *f = s->shadow;

    memset(f->avoid, 0, s->topo->node_count);
    if (head_fits(s, true)) {
        for (uint32_t i = 0; i < f->found.slots; i++)
            f->avoid[f->found.slot[i].node] = 1;
    }
    return f->avoid;
}
