/* policies/preemption/best_node.c - the node on which eviction costs least, so
 * that one task fits.
 *
 * The nodes of possible victims are examined, those of the least important
 * victims first, or in their order, until enough are found.  As in
 * kube-scheduler, the node with the lowest cost is chosen: the fewest victims
 * beyond a budget, then the lowest highest priority of a victim, the lowest sum
 * of priorities, the fewest tasks (pod by pod: then the fewest groups), the
 * latest start, the first node.
 */
#include <assert.h>

#include "policies/lifecycle/allocations.h"
#include "policies/placement/candidates.h"
#include "policies/preemption/preemption.h"
#include "policies/preemption/turns.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"
#include "topology/cluster.h"

struct node_search {
    uint32_t node, found; /* the best node; number of suitable nodes */
    uint32_t enough;      /* suitable nodes, if one of them breaks no rule */
    struct cost cost;
};

static bool is_better(const struct node_search *best, uint32_t node,
                      const struct cost *t)
{
    const struct cost *b = &best->cost;

    if (best->node == NONE)
        return true;
    if (t->broken != b->broken)
        return t->broken < b->broken;
    if (t->highest != b->highest)
        return t->highest < b->highest;
    if (t->sum != b->sum)
        return t->sum < b->sum;
    if (t->tasks != b->tasks)
        return t->tasks < b->tasks;
    if (t->groups != b->groups)
        return t->groups < b->groups;
    if (t->start != b->start)
        return t->start > b->start;
    return node < best->node;
}

/* True when no other node can be better: every victim there is at least as
 * important as the job.
 */
static bool is_best(const struct gsched *s, const struct node_search *best,
                    uint32_t job)
{
    const int32_t value = s->work->klass[gsched_job(s, job)->low_class].value;

    return best->node != NONE && best->cost.broken == 0
           && (best->cost.highest < value
               || (best->cost.highest == value && best->cost.tasks == 1
                   && best->cost.groups == 0
                   && best->cost.start > gsched_job(s, job)->allocated_since));
}

/* The last node of a job that was examined: all nodes of a gang that fill them
 * alike are examined as one.
 */
struct last_look {
    uint32_t allocation; /* NONE: none, or it says nothing of other nodes */
    struct cost cost;
    bool fits;
};

/* True when nothing but allocation `i` is on its node, and no task of it may go
 * without the whole job.
 */
static bool is_alone(const struct gsched *s, uint32_t i)
{
    const struct allocation *x = &s->allocations->allocation[i];

    return s->allocations->node_allocation[x->grant.node] == i
           && x->after == NONE && !gsched_may_go_alone(s, i, 0, 0);
}

/* True when the node of allocation `i` must answer as that of the last one: the
 * same job alone, with as many tasks of the same group, and the same is left.
 */
static bool is_alike(const struct gsched *s, const struct attempt *a,
                     uint32_t i, const struct last_look *last)
{
    const struct allocation *all = s->allocations->allocation;
    const struct allocation *x = &all[i], *y;

    if (last->allocation == NONE || a->scope.has_rules || a->scope.avoid
        || !is_alone(s, i))
        return false;
    y = &all[last->allocation];
    assert(x->job == y->job);
    return x->group == y->group && x->grant.tasks == y->grant.tasks
           && topo_cluster_group_of(s->cluster, x->grant.node)
                  == topo_cluster_group_of(s->cluster, y->grant.node);
}

/* Try the eviction on the node, and undo it; false when the task does not fit.
 */
static bool node_look(struct gsched *s, const struct attempt *a, uint32_t node,
                      struct cost *cost)
{
    const uint32_t first = s->evict->evicted_count;

    if (!gsched_node_may_do(s, a, node) || !gsched_node_clear(s, a, node))
        return false;
    *cost = gsched_preemption_cost(s, first);
    gsched_restore(s, first);
    return true;
}

/* True when eviction could help on the node: it suits the task, and is open. */
static bool is_possible(const struct gsched *s, const struct shape_view *sv,
                        const struct attempt *a, uint32_t node)
{
    return node >= a->scope.from && node < a->scope.end
           && !topo_cluster_is_cordoned(s->cluster, node)
           && (!a->scope.avoid || !a->scope.avoid[node])
           && class_set_has(&sv->suits, s->topo->node_class[node]);
}

/* Count a suitable node; false when enough were examined. */
static bool node_count(struct node_search *best, uint32_t node,
                       const struct cost *cost)
{
    if (is_better(best, node, cost)) {
        best->node = node;
        best->cost = *cost;
    }
    return ++best->found < best->enough || best->cost.broken > 0;
}

/* --- by victims ----------------------------------------------------------- */

/* Examine the nodes where the job runs; false when enough were examined. */
static bool job_look(struct gsched *s, const struct attempt *a, uint32_t job,
                     struct node_search *best)
{
    struct gsched_evict *e = s->evict;
    const struct allocation *all = s->allocations->allocation;
    const struct shape_view *sv = gsched_shape(s, a->shape);
    struct last_look last = { .allocation = NONE };

    for (uint32_t i = gsched_job(s, job)->first_allocation; i != NONE;
         i = all[i].next) {
        const uint32_t node = all[i].grant.node;

        if (e->seen[node] == e->stamp || !is_possible(s, sv, a, node))
            continue;
        e->seen[node] = e->stamp;
        if (!is_alike(s, a, i, &last)) {
            last.allocation = is_alone(s, i) ? i : NONE;
            last.fits = node_look(s, a, node, &last.cost);
        }
        sv = gsched_shape(s, a->shape);
        if (last.fits && !node_count(best, node, &last.cost))
            return false;
    }
    return true;
}

/* Examine the nodes of possible victims in one queue, the least important
 * first.
 */
static bool queue_look(struct gsched *s, const struct attempt *a,
                       uint32_t queue, struct node_search *best)
{
    for (uint32_t p = 0; p < s->running->place_count; p++) {
        const struct running_list *r =
            &s->running->running_list[queue * s->running->place_count + p];
        uint32_t older;

        if (a->why == GSP_PREEMPT && s->modules->victims_are_lower
            && s->running->place_value[p] >= a->value)
            break;
        for (uint32_t job = r->newest; job != NONE; job = older) {
            older = gsched_job(s, job)->older;
            if (is_best(s, best, job))
                return true;
            if (gsched_is_eligible(s, a, job, gsched_job(s, job)->low_class)
                && !job_look(s, a, job, best))
                return false;
        }
    }
    return true;
}

/* Does a job of the queue run? */
static bool any_runs(const struct gsched *s, uint32_t queue)
{
    const uint32_t places = s->running->place_count;
    bool any = false;

    for (uint32_t p = 0; p < places && !any; p++)
        any = s->running->running_list[queue * places + p].newest != NONE;
    return any;
}

/* May jobs of the queue be reclaimed by the attempt? */
static bool may_give(const struct gsched *s, const struct attempt *a,
                     uint32_t queue)
{
    return any_runs(s, queue) && queue != gsched_queue_of(s, a->job)
           && !s->work->queue[queue].keeps;
}

static void victims_look(struct gsched *s, const struct attempt *a,
                         struct node_search *best)
{
    bool goes_on = true;

    best->enough = gsched_part_of(&s->profile->candidates, s->topo->node_count);
    s->evict->stamp++;
    if (a->within) {
        (void)job_look(s, a, a->job, best);
        return;
    }
    if (a->why == GSP_PREEMPT) {
        queue_look(s, a, gsched_queue_of(s, a->job), best);
        return;
    }
    gsched_turns_follow(s);
    for (uint32_t q = gsched_turns_next(s, NONE); q != NONE && goes_on;
         q = gsched_turns_next(s, q))
        goes_on = !may_give(s, a, q) || queue_look(s, a, q, best);
}

/* --- in the order of nodes ------------------------------------------------ */

/* Examine the nodes on which eviction could help, from a random or a stated one
 * on, as kube-scheduler does.
 */
static void nodes_look(struct gsched *s, const struct attempt *a,
                       struct node_search *best)
{
    struct gsched_evict *e = s->evict;
    const struct shape_view *sv = gsched_shape(s, a->shape);
    uint32_t count = 0, start;

    for (uint32_t node = a->scope.from; node < a->scope.end; node++) {
        if (is_possible(s, sv, a, node))
            e->possible[count++] = node;
    }
    if (count == 0)
        return;
    best->enough = gsched_part_of(&s->profile->candidates, count);
    start = s->profile->start == GSCHED_START_RANDOM
                ? (uint32_t)gs_rng_below(&e->rng, count)
                : s->profile->start_node % count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t node = e->possible[(start + i) % count];
        struct cost cost;

        if (node_look(s, a, node, &cost) && !node_count(best, node, &cost))
            return;
    }
}

uint32_t gsched_task_clear(struct gsched *s, const struct attempt *a)
{
    struct node_search best = { .node = NONE };

    if (s->modules->room && a->why == GSP_PREEMPT && !a->within)
        return gsched_room_clear(s, a);
    if (a->within || s->profile->start == GSCHED_START_VICTIMS)
        victims_look(s, a, &best);
    else
        nodes_look(s, a, &best);
    /* a module may answer differently the second time */
    if (best.node != NONE && !gsched_node_clear(s, a, best.node))
        return NONE;
    return best.node;
}
