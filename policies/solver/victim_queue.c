/* policies/solver/victim_queue.c - running jobs in the order in which they
 * become victims of a search.
 *
 * The order is that of service, turned around: the queue that is served last,
 * in it the job that is served last.  Queues compare as if the victims so far,
 * and the next one, were gone (gsched_queue_change()).  Of a job the tasks
 * above its gang are units of their own, the latest first; then the rest is
 * one.  After a unit its job goes back into the order.
 */
#include <assert.h>
#include <string.h>

#include "policies/lifecycle/allocations.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/grace.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"

#define BATCH 8u /* units found at a time */

/* --- marks of this search ------------------------------------------------- */

static uint32_t mark_of(const struct gsched_solver *v,
                        const struct solver_mark *m, uint32_t cap, uint32_t at)
{
    return at < cap && m[at].stamp == v->stamp ? m[at].unit : NONE;
}

static struct solver_mark *mark_set(const struct gsched_solver *v,
                                    struct solver_mark *m, uint32_t *cap,
                                    uint32_t at, uint32_t unit)
{
    m = gs_array_grow(m, cap, at + 1, sizeof(*m));
    m[at] = (struct solver_mark){ v->stamp, unit };
    return m;
}

uint32_t gsched_unit_of(const struct gsched *s, uint32_t allocation)
{
    const struct gsched_solver *v = s->solver;

    return mark_of(v, v->of_allocation, v->of_allocation_cap, allocation);
}

uint32_t gsched_unit_last(const struct gsched *s, uint32_t job)
{
    const struct gsched_solver *v = s->solver;

    return mark_of(v, v->job_last, v->job_last_cap, job);
}

uint32_t gsched_unit_next(const struct gsched *s, uint32_t unit, uint32_t at)
{
    const struct unit *u = &s->solver->unit[unit];
    const struct allocation *all = s->allocations->allocation;

    if (u->only != NONE)
        return at == NONE ? u->only : NONE;
    at = at == NONE ? gsched_job(s, u->job)->first_allocation : all[at].next;
    while (at != NONE && gsched_unit_of(s, at) != unit)
        at = all[at].next;
    return at;
}

const int64_t *gsched_unit_frees(const struct gsched *s, uint32_t unit,
                                 uint32_t at, int64_t *room)
{
    const struct gsched_solver *v = s->solver;

    if (v->unit[unit].only != NONE)
        return v->unit_amount + (size_t)unit * s->dims;
    gsched_victim_amount(s, v->unit[unit].job, at, room);
    return room;
}

void gsched_unit_evict(struct gsched *s, uint32_t at)
{
    const struct unit *u = &s->solver->unit[at];

    gsched_evict(s, u->job, u->allocation, false);
}

/* --- jobs ----------------------------------------------------------------- */

void gsched_job_rest(const struct gsched *s, uint32_t job, int64_t *amount)
{
    const struct gsched_solver *v = s->solver;
    int64_t one[TOPO_DIMS_MAX];

    gsched_victim_amount(s, job, NONE, amount);
    for (uint32_t u = gsched_unit_last(s, job); u != NONE;
         u = v->unit[u].before) {
        if (v->unit[u].allocation == NONE)
            continue;
        gsched_victim_amount(s, job, v->unit[u].allocation, one);
        for (uint32_t d = 0; d < s->dims; d++)
            amount[d] -= one[d];
    }
}

bool gsched_is_possible(struct gsched *s, uint32_t job)
{
    const struct gsched_solver *v = s->solver;
    const struct job_state *j = gsched_job(s, job);

    if (gsched_any_leaves(s, job))
        return false;
    if (v->goal != SOLVE_MOVE)
        return gsched_is_eligible(s, &v->attempt, job, j->low_class)
               && !s->work->job[job].fixed;
    if (job == v->attempt.job || gsched_is_fixed(s, job) || j->never_fits
        || j->phase != JOB_RUNNING)
        return false;
    if (j->placed_in == (uint32_t)s->cycle) {
        s->early.is_early = true; /* as in gsched_is_eligible */
        return false;
    }
    return true;
}

bool gsched_search_is_put_off(const struct gsched *s)
{
    const struct gsched_early *e = &s->early;
    const uint32_t cycles = e->early_at == s->now ? e->early_count : 0;

    return e->is_early && cycles + 1 <= s->running->place_count + 2;
}

/* --- units ---------------------------------------------------------------- */

static void tasks_count(struct gsched *s, const struct allocation *a, int sign)
{
    const uint32_t tasks = a->grant.tasks;
    uint32_t *placed = &gsched_job(s, a->job)->placed;
    uint32_t *group_placed =
        &s->jobs->group_placed[s->work->job[a->job].first_group + a->group];

    *placed = sign < 0 ? *placed - tasks : *placed + tasks;
    *group_placed = sign < 0 ? *group_placed - tasks : *group_placed + tasks;
}

/* Count the tasks of the first `count` units that go alone as gone (sign -1),
 * or not (1), since they decide on the order and on what may go next.
 */
static void units_count(struct gsched *s, uint32_t count, int sign)
{
    const struct gsched_solver *v = s->solver;

    for (uint32_t i = 0; i < count; i++) {
        const struct allocation *a = gsched_allocation_at(
            s, v->unit[i].allocation);

        if (a)
            tasks_count(s, a, sign);
    }
}

/* The latest task of the job that may go alone; NONE. */
static uint32_t task_alone(const struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;
    const struct job_state *j = gsched_job(s, job);
    uint32_t best = NONE;

    if (j->phase != JOB_PARTIAL && j->placed <= s->work->job[job].gang)
        return NONE; /* its gang stays whole */
    for (uint32_t i = j->first_allocation; i != NONE; i = all[i].next) {
        if (gsched_unit_of(s, i) == NONE && gsched_may_go_alone(s, i, 0, 0)
            && (best == NONE || gsched_task_compare(s, i, best) < 0))
            best = i;
    }
    return best;
}

/* True when all that the job holds is in units. */
static bool is_all_found(const struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;
    uint32_t i = gsched_job(s, job)->first_allocation;

    while (i != NONE && gsched_unit_of(s, i) != NONE)
        i = all[i].next;
    return i == NONE;
}

/* Add the next unit of the job: an allocation, or NONE: what is left of it.
 * False: it has none.
 */
static bool unit_add(struct gsched *s, uint32_t job, uint32_t alone)
{
    struct gsched_solver *v = s->solver;
    const uint32_t n = v->unit_count, before = gsched_unit_last(s, job);
    const struct allocation *all = s->allocations->allocation;

    if (before == NONE) {
        if (v->jobs == 0)
            return false;
        v->jobs--;
    }
    if (alone == NONE && (gsched_is_fixed(s, job) || is_all_found(s, job)))
        return false;
    v->unit = gs_array_grow(v->unit, &v->unit_cap, n + 1, sizeof(*v->unit));
    v->unit[n] = (struct unit){
        .job = job, .allocation = alone, .before = before, .only = alone
    };
    v->job_last = mark_set(v, v->job_last, &v->job_last_cap, job, n);
    if (alone != NONE)
        v->of_allocation = mark_set(v, v->of_allocation, &v->of_allocation_cap,
                                    alone, n);
    for (uint32_t i = gsched_job(s, job)->first_allocation, count = 0;
         alone == NONE && i != NONE; i = all[i].next) {
        if (gsched_unit_of(s, i) != NONE)
            continue;
        v->of_allocation = mark_set(v, v->of_allocation, &v->of_allocation_cap,
                                    i, n);
        v->unit[n].only = count++ ? NONE : i;
    }
    v->unit_amount = gs_array_grow(v->unit_amount, &v->unit_amount_cap,
                                   (n + 1) * s->dims, sizeof(*v->unit_amount));
    if (v->unit[n].only != NONE)
        gsched_victim_amount(s, job, v->unit[n].only,
                             v->unit_amount + (size_t)n * s->dims);
    v->unit_count++;
    return true;
}

/* Find one more unit; false: there is none. */
static bool unit_find(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    struct kept_walk *walk = &v->kept[v->goal].walk;
    uint32_t queue, job;

    while (gsched_kept_walk_first(s, walk, &queue, &job)) {
        const bool is_known = gsched_unit_last(s, job) != NONE;
        const bool is_too_many = !is_known && v->jobs == 0;
        const struct allocation *a = NULL;
        bool found;

        assert(gsched_is_possible(s, job));
        if (v->jobs == 0 && v->returned == 0)
            return false;
        found = !is_too_many && unit_add(s, job, task_alone(s, job));
        if (found)
            a = gsched_allocation_at(s, v->unit[v->unit_count - 1].allocation);
        if (a)
            tasks_count(s, a, -1);
        v->returned += (uint32_t)(a != NULL) - (uint32_t)is_known;
        gsched_kept_walk_next(s, walk,
                              a                      ? KEPT_RESTS
                              : found || is_too_many ? KEPT_GOES
                                                     : KEPT_STAYS);
        if (found)
            return true;
    }
    return false;
}

/* Let modules protect units from `first` on.  A job with a protected task keeps
 * those before it, too.
 */
static void units_protect(struct gsched *s, uint32_t first)
{
    struct gsched_solver *v = s->solver;
    struct gsched_evict *e = s->evict;

    if (v->goal == SOLVE_MOVE || !v->may_protect || first == v->unit_count)
        return;
    e->victim_count = 0;
    for (uint32_t i = first; i < v->unit_count; i++) {
        const uint32_t a = gsched_unit_next(s, i, NONE);

        gsched_victim_add(s, gsched_allocation_at(s, a)->grant.node,
                          v->unit[i].job, v->unit[i].allocation);
    }
    (void)gsched_victims_protect(s, &v->attempt);
    v->may_protect = e->may_protect;
    for (uint32_t i = first; i < v->unit_count; i++) {
        const uint32_t before = v->unit[i].before;

        v->unit[i].is_protected = e->protected[i - first]
                                  || (before != NONE
                                      && v->unit[before].is_protected);
    }
}

bool gsched_unit_exists(struct gsched *s, uint32_t at)
{
    struct gsched_solver *v = s->solver;
    const uint32_t first = v->unit_count;
    const uint32_t most = first < BATCH ? BATCH : 2 * first;

    if (at < v->unit_count || v->has_all_units)
        return at < v->unit_count;
    units_count(s, first, -1);
    while (v->unit_count < most && unit_find(s)) {
    }
    v->has_all_units = v->unit_count < most;
    units_count(s, v->unit_count, 1);
    units_protect(s, first);
    return at < v->unit_count;
}

bool gsched_units_on(struct gsched *s, uint32_t node)
{
    struct gsched_solver *v = s->solver;
    const struct allocation *all = s->allocations->allocation;
    bool may = true;

    v->stamp++;
    v->unit_count = 0;
    v->has_all_units = true;
    for (uint32_t i = s->allocations->node_allocation[node]; i != NONE && may;
         i = all[i].after) {
        const uint32_t job = all[i].job;

        if (gsched_request(s, job, all[i].group)->amount[TOPO_GPU] == 0)
            continue;
        may = gsched_is_possible(s, job);
        if (!may || gsched_unit_of(s, i) != NONE)
            continue;
        if (gsched_may_go_alone(s, i, 0, 0)) {
            may = unit_add(s, job, i);
            if (may)
                tasks_count(s, &all[i], -1);
        } else {
            may = unit_add(s, job, NONE);
        }
    }
    units_count(s, v->unit_count, 1);
    return may && v->unit_count > 0;
}
