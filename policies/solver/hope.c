/* policies/solver/hope.c - which trials cannot succeed, by the sums of what
 * would be free.
 */
#include <assert.h>
#include <string.h>

#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"

uint32_t gsched_tasks_of(const struct gsched *s, const struct queue_entry *it,
                         uint32_t g, uint32_t tasks)
{
    const uint32_t groups = s->work->job[it->job].group_count;

    for (uint32_t k = 0; k < groups && it->group == NONE; k++) {
        const uint32_t at = gsched_group_at(s, it->job, k);
        const uint32_t n = gsched_gang_of(s, it->job, at);

        if (at == g)
            return tasks < n ? tasks : n;
        tasks -= tasks < n ? tasks : n;
    }
    return g == it->group;
}

void gsched_asked_by(const struct gsched *s, uint32_t tasks, int64_t *asked)
{
    const struct queue_entry *it = s->solver->it;

    memset(asked, 0, s->dims * sizeof(*asked));
    for (uint32_t g = 0; g < s->work->job[it->job].group_count; g++) {
        const uint32_t n = gsched_tasks_of(s, it, g, tasks);

        for (uint32_t d = 0; d < s->dims && n; d++)
            asked[d] += n * gsched_request(s, it->job, g)->amount[d];
    }
}

static bool has_amounts(const struct gsched *s, const struct topo_class *k,
                        const struct topo_request *r)
{
    bool has = true;

    for (uint32_t d = 0; d < s->dims && has; d++)
        has = k->capacity[d] >= r->amount[d];
    return has;
}

/* Do tasks that ask for as much as the shape take its room wherever they are?
 * On a class of nodes that has the amounts, but not for the shape, they do not.
 */
static bool rooms_count(struct gsched *s, uint32_t shape)
{
    const struct topo_request *r = &s->work->shape[shape];
    bool all = !topo_request_is_part(r);

    for (uint32_t k = 0; k < s->topo->class_count && all; k++)
        all = class_set_has(&gsched_shape_known(s, shape)->suits, k)
              || !has_amounts(s, &s->topo->klass[k], r);
    return all;
}

/* The most that recorded units leave of what is lacking: those of queues that
 * give any.
 */
static int64_t recorded_give(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    int64_t sum = 0, one[TOPO_DIMS_MAX];

    for (uint32_t i = 0; i < v->recorded_count; i++) {
        const uint32_t unit = v->recorded[i];

        for (uint32_t a = NONE; gsched_gives_any(s, v->unit[unit].job)
                                && (a = gsched_unit_next(s, unit, a)) != NONE;)
            sum += gsched_unit_frees(s, unit, a, one)[v->dim];
    }
    return sum;
}

void gsched_step_begin(struct gsched *s, uint32_t tasks)
{
    struct gsched_solver *v = s->solver;
    const struct queue_entry *it = v->it;
    const uint32_t shape = gsched_group(s, it->job, 0)->shape;

    v->step++;
    gsched_asked_by(s, tasks, v->asked);
    v->lacking = v->goal == SOLVE_RECLAIM && s->modules->bounds_gifts
                     ? v->asked[v->dim]
                           - topo_domain_free(s->cluster, 0, v->dim)
                     : 0;
    v->given = v->lacking > 0 ? recorded_give(s) : 0;
    v->missing = v->room = v->wanted = 0;
    if (s->work->job[it->job].group_count > 1)
        return;
    v->room = gsched_shape_room(s, shape, tasks);
    v->wanted = v->room < tasks ? tasks : v->room;
    if (v->recorded_count == 0)
        v->missing = v->wanted - v->room;
    if (v->wanted > v->room
        && (v->goal == SOLVE_PREEMPT || !rooms_count(s, shape)))
        v->wanted = v->room;
}

/* --- what nodes have ------------------------------------------------------ */

/* Tasks of the shape that fit on the node at most once `freed` is. */
static uint64_t fits_freed(const struct gsched *s, uint32_t shape,
                           const struct shape_view *of, uint32_t node,
                           const int64_t *freed)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t group = topo_cluster_group_of(s->cluster, node);
    const struct topo_request *r = &s->work->shape[shape];
    uint64_t most = UINT32_MAX;

    if (!class_set_has(&of->suits, g->klass[group]))
        return 0;
    for (uint32_t d = 0; d < s->dims; d++) {
        const int64_t has = g->free[d][group] + freed[d];
        const uint64_t n = r->amount[d] > 0 && has > 0
                               ? (uint64_t)(has / r->amount[d])
                           : r->amount[d] > 0 ? 0
                                              : most;

        most = n < most ? n : most;
    }
    return most;
}

/* Tasks of the shape that fit at most on the nodes that units of the trial
 * free.
 */
static uint64_t rooms_freed(struct gsched *s, uint32_t shape)
{
    const struct shape_view *of = gsched_shape(s, shape);
    const struct freed *f = &s->solver->freed;
    uint64_t room = 0;

    for (uint32_t i = 0; i < f->count; i++)
        room += fits_freed(s, shape, of, f->node[i], gsched_freed_on(s, i));
    return room;
}

static bool has_one_node(const struct gsched *s, uint32_t job)
{
    const struct allocation *all = s->allocations->allocation;
    const uint32_t first = gsched_job(s, job)->first_allocation;
    uint32_t a = all[first].next;

    while (a != NONE && all[a].grant.node == all[first].grant.node)
        a = all[a].next;
    return a == NONE;
}

void gsched_unit_count(struct gsched *s, uint32_t unit)
{
    struct gsched_solver *v = s->solver;
    const uint32_t job = v->unit[unit].job;
    bool is_wide, gives;

    if (!v->missing && v->lacking <= 0)
        return;
    is_wide = !has_one_node(s, job);
    gives = v->lacking > 0 && gsched_gives_any(s, job);
    for (uint32_t a = NONE; (a = gsched_unit_next(s, unit, a)) != NONE;) {
        const uint32_t node = gsched_allocation_at(s, a)->grant.node;
        struct node_sum *n = &v->sum[node];
        int64_t *freed = v->sum_freed + (size_t)node * s->dims;
        int64_t room[TOPO_DIMS_MAX];
        const int64_t *one = gsched_unit_frees(s, unit, a, room);

        if (n->step != v->step) {
            *n = (struct node_sum){ .step = v->step };
            memset(freed, 0, s->dims * sizeof(*freed));
        }
        n->is_wide |= is_wide;
        n->gives += gives ? one[v->dim] : 0;
        for (uint32_t d = 0; d < s->dims; d++)
            freed[d] += one[d];
    }
}

bool gsched_node_is_hopeful(struct gsched *s, uint32_t node)
{
    const struct gsched_solver *v = s->solver;
    const uint32_t shape = gsched_group(s, v->it->job, 0)->shape;
    const struct node_sum *n = &v->sum[node];

    if ((!v->missing && v->lacking <= 0) || n->is_wide)
        return true;
    if (v->lacking > 0 && v->given + n->gives < v->lacking)
        return false;
    return !v->missing
           || fits_freed(s, shape, gsched_shape(s, shape), node,
                         v->sum_freed + (size_t)node * s->dims)
                  >= v->missing;
}

/* --- trials --------------------------------------------------------------- */

/* Could the first `tasks` tasks of the entry fit, each group by itself?  In a
 * step for as many.
 */
static bool have_room(struct gsched *s, const struct queue_entry *it,
                      uint32_t tasks)
{
    struct gsched_solver *v = s->solver;
    const uint32_t groups = s->work->job[it->job].group_count;

    if (groups == 1) {
        if (v->room >= tasks && v->room == v->wanted)
            return true; /* no unit takes room of it */
        v->freed_room = rooms_freed(s, gsched_group(s, it->job, 0)->shape);
        return v->room + v->freed_room >= tasks;
    }
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t shape = gsched_group(s, it->job, g)->shape;
        const uint64_t need = gsched_tasks_of(s, it, g, tasks);
        const uint64_t room = need ? gsched_shape_room(s, shape, need) : 0;

        if (room < need && room + rooms_freed(s, shape) < need)
            return false;
    }
    return true;
}

bool gsched_trial_is_hopeful(struct gsched *s, uint32_t tasks)
{
    const struct gsched_solver *v = s->solver;

    gsched_freed_sum(s);
    return (v->lacking <= 0 || gsched_gifts_are_enough(s))
           && have_room(s, v->it, tasks);
}

/* Tasks too many for the room that all units leave, where the entry may fit
 * (have_room()): so many of those that take room of the entry must go.
 */
static uint64_t rooms_short(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    const uint32_t shape = gsched_group(s, v->it->job, 0)->shape;
    const uint64_t room = v->room + v->freed_room;
    uint64_t need = v->wanted;

    if (v->wanted == v->room)
        return 0;
    for (uint32_t i = 0; i < v->chosen_count; i++)
        need += gsched_room_taken(s, &v->unit[v->chosen[i]],
                                  &s->work->shape[shape]);
    return need > room ? need - room : 0;
}

bool gsched_trial_may_fit(struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    const uint64_t tasks = rooms_short(s);

    assert(v->chosen_count > 0);
    if (v->goal == SOLVE_MOVE)
        return tasks == 0;
    return (tasks == 0 && v->lacking <= 0) || gsched_gifts_may_go(s, tasks);
}

/* --- moves for any entry -------------------------------------------------- */

bool gsched_moves_begin(struct gsched *s, const struct queue_entry *it)
{
    struct gsched_solver *v = s->solver;
    const bool was_early = s->early.is_early;

    if (s->modules->consolidation.jobs == 0
        || s->modules->consolidation.keeps_off)
        return false;
    s->early.is_early = false;
    gsched_search_begin(s, SOLVE_MOVE, it);
    gsched_victims_begin(s);
    v->chosen_count = 0;
    for (uint32_t u = 0; gsched_unit_exists(s, u); u++)
        gsched_unit_choose(v, u);
    v->moves_are_early = s->early.is_early;
    s->early.is_early = was_early;
    v->lacking = 0;
    gsched_freed_sum(s);
    return true;
}

bool gsched_moves_may_help(struct gsched *s, const struct queue_entry *it)
{
    struct gsched_solver *v = s->solver;
    const uint32_t all = it->group == NONE ? s->work->job[it->job].gang : 1;

    v->it = it;
    gsched_step_begin(s, all);
    return have_room(s, it, all) && rooms_short(s) == 0;
}
