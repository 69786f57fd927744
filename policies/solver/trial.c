/* policies/solver/trial.c - tries to place a job, and its victims elsewhere.
 *
 * All of it is tentative: evictions, placements, and what queues and jobs hold
 * meanwhile, so that modules answer as if it were final.  Then a victim that
 * found its own place again is left where it is, and the rest is tried once
 * more without it: what others took of its devices, they get elsewhere on the
 * node.
 */
#include <assert.h>
#include <string.h>

#include "policies/lifecycle/allocations.h"
#include "policies/pending/pending.h"
#include "policies/pending/service_order.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/spans.h"
#include "policies/state/transaction.h"
#include "policies/state/usage.h"

/* --- placing -------------------------------------------------------------- */

/* Count the tasks of a tentative decision as held (sign 1), or not (-1). */
static void hold(struct gsched *s, const struct gsched_decision *d, int sign)
{
    const uint32_t tasks = d->grant.tasks;
    uint32_t *placed = &gsched_job(s, d->job)->placed;
    uint32_t *group_placed =
        &s->jobs->group_placed[s->work->job[d->job].first_group + d->group];

    *placed = sign < 0 ? *placed - tasks : *placed + tasks;
    *group_placed = sign < 0 ? *group_placed - tasks : *group_placed + tasks;
    gsched_usage_allocated(s, d->job, d->group, tasks, sign);
}

/* Record the decisions from `from` on as places of the unit. */
static void places_add(struct gsched *s, uint32_t from, uint32_t unit)
{
    struct gsched_solver *v = s->solver;

    for (uint32_t i = from; i < s->decision_count; i++) {
        hold(s, &s->decision[i], 1);
        v->place = gs_array_grow(v->place, &v->place_cap, v->place_count + 1,
                                 sizeof(*v->place));
        v->place[v->place_count++] = (struct solver_place){ s->decision[i],
                                                            unit };
    }
}

static bool may_take(struct gsched *s, uint32_t job, const int64_t *asked)
{
    return !s->modules->has_quota || gsched_modules_allocatable(s, job, asked);
}

/* Place one task of the scope's group. */
static bool task_place(struct gsched *s, struct scope *w, uint32_t task)
{
    const uint32_t shape = gsched_group(s, w->job, w->group)->shape;
    struct node_fit best;
    struct topo_grant g;

    if (!gsched_shape_best(s, shape, w, &best))
        return false;
    g = gsched_take(s, best.node, &s->work->shape[shape], 1);
    gsched_propose(s, w->job, w->group, task, &g);
    return true;
}

/* Place the first `tasks` tasks of the gang on the nodes of the scope. */
static bool part_place(struct gsched *s, struct scope *w, uint32_t tasks)
{
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    bool fits = true;

    s->attempts++;
    for (uint32_t k = 0; k < s->work->job[w->job].group_count && fits; k++) {
        uint32_t n;

        w->group = gsched_group_at(s, w->job, k);
        n = gsched_tasks_of(s, s->solver->it, w->group, tasks);
        for (uint32_t t = 0; t < n && fits; t++)
            fits = task_place(s, w, t);
    }
    if (fits)
        topo_cluster_commit(s->cluster, mark);
    else
        gsched_undo(s, mark, first);
    return fits;
}

/* Place the first `tasks` tasks of the entry. */
static bool entry_place(struct gsched *s, uint32_t tasks)
{
    const struct queue_entry *it = s->solver->it;
    const uint32_t from = s->decision_count;
    int64_t asked[TOPO_DIMS_MAX];
    struct scope w;
    bool fits = false;

    gsched_asked_by(s, tasks, asked);
    if (!may_take(s, it->job, asked))
        return false;
    if (it->group != NONE) {
        w = gsched_scope_all(s, it->job, it->group);
        gsched_topology_stay(s, &w);
        fits = task_place(s, &w, gsched_task_next(s, it->job, it->group));
    } else if (tasks == s->work->job[it->job].gang) {
        fits = gsched_gang_place(s, it->job, NULL);
    } else {
        for (uint32_t d = NONE;
             !fits && gsched_topology_next(s, it->job, &d, &w);)
            fits = part_place(s, &w, tasks);
    }
    places_add(s, from, NONE);
    return fits;
}

/* Nodes on which the victim is not placed; NULL.  Without GPUs it does not go
 * where no GPU is idle, and no victim was.
 */
static const uint8_t *avoid_of(const struct gsched *s, uint32_t job)
{
    const struct gsched_solver *v = s->solver;

    if (v->avoid || !v->is_of_gpus || !s->modules->preemption.to_gpus
        || gsched_asks_gpus(s, job))
        return v->avoid;
    return v->closed;
}

static bool is_closed(const struct gsched *s, uint32_t node)
{
    const struct topo_groups *g = topo_cluster_groups(s->cluster);
    const uint32_t at = topo_cluster_group_of(s->cluster, node);

    return g->gpus_free[at] == 0 && g->share_max[at] == 0;
}

/* Find the nodes that are closed to victims without GPUs, if the trial has one:
 * not those of its victims.  False: it has none.
 */
static bool closed_find(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    uint32_t i = 0;

    while (i < v->chosen_count
           && avoid_of(s, v->unit[v->chosen[i]].job) != v->closed)
        i++;
    if (i == v->chosen_count)
        return false;
    for (uint32_t n = 0; v->closed_in != v->stamp && n < s->topo->node_count;
         n++)
        v->closed[n] = is_closed(s, n);
    v->closed_in = v->stamp;
    return true;
}

/* Visit the nodes of the trial's units, some more than once; not while these
 * are evicted.
 */
static void nodes_visit(struct gsched *s,
                        void (*visit)(struct gsched *s, uint32_t node))
{
    const struct gsched_solver *v = s->solver;

    for (uint32_t i = 0; i < v->chosen_count; i++) {
        for (uint32_t a = NONE;
             (a = gsched_unit_next(s, v->chosen[i], a)) != NONE;)
            visit(s, gsched_allocation_at(s, a)->grant.node);
    }
}

static void node_open(struct gsched *s, uint32_t node)
{
    s->solver->closed[node] = 0;
}

static void node_close(struct gsched *s, uint32_t node)
{
    s->solver->closed[node] = is_closed(s, node);
}

/* Place the evicted tasks of a unit that went alone. */
static bool alone_place(struct gsched *s, uint32_t unit)
{
    const struct unit *u = &s->solver->unit[unit];
    const struct allocation *a = gsched_allocation_at(s, u->allocation);
    const uint32_t from = s->decision_count;
    struct scope w = gsched_scope_all(s, u->job, a->group);
    int64_t asked[TOPO_DIMS_MAX];
    uint32_t n = 0;

    gsched_victim_amount(s, u->job, u->allocation, asked);
    if (!may_take(s, u->job, asked))
        return false;
    gsched_topology_stay(s, &w);
    w.avoid = avoid_of(s, u->job);
    while (n < a->grant.tasks && task_place(s, &w, a->first_task + n))
        n++;
    places_add(s, from, unit);
    return n == a->grant.tasks;
}

/* Place what was evicted of the job: its gang, or a task above it; where jobs
 * move all of it, unless they do so by turn.
 */
static void victim_place(struct gsched *s, uint32_t job)
{
    const struct gsched_solver *v = s->solver;
    const bool all = v->goal == SOLVE_MOVE
                     && !s->modules->consolidation.by_turn;
    const uint32_t from = s->decision_count;
    int64_t asked[TOPO_DIMS_MAX];
    uint32_t i = v->chosen_count;

    if (gsched_job(s, job)->first_allocation == NONE) {
        while (v->unit[v->chosen[--i]].job != job) {
        }
        gsched_job_minimum(s, job, asked);
        if (gsched_job(s, job)->never_fits || !may_take(s, job, asked)
            || !gsched_gang_place(s, job, avoid_of(s, job)))
            return;
        places_add(s, from, v->chosen[i]);
        if (!all)
            return;
    }
    while (i-- > 0) {
        if (v->unit[v->chosen[i]].job == job
            && (!alone_place(s, v->chosen[i]) || !all))
            return;
    }
}

/* --- in order ------------------------------------------------------------- */

/* Items of the walk from here on are class queues, BESIDE + their number, which
 * are not of the trial; those before are jobs that are placed.  Entries of a
 * class queue ask for the same, so that its first one stands for all.
 */
#define BESIDE (UINT32_MAX / 2)

static const struct queue_entry *entry_beside(const struct gsched *s,
                                              uint32_t item)
{
    return &s->pending->cqueue[item - BESIDE].heap[0];
}

/* What the item asks for next. */
static void change_by_placing(struct gsched *s, uint32_t queue, uint32_t item,
                              int64_t *change)
{
    const struct gsched_solver *v = s->solver;

    (void)queue;
    if (item >= BESIDE)
        gsched_entry_amount(s, entry_beside(s, item), change);
    else if (item == v->it->job)
        gsched_asked_by(s, v->tasks, change);
    else if (gsched_job(s, item)->first_allocation == NONE)
        gsched_job_minimum(s, item, change);
    else
        gsched_victim_amount(
            s, item, v->unit[gsched_unit_last(s, item)].allocation, change);
}

static struct queue_entry entry_of(const struct gsched *s, uint32_t item)
{
    const struct job_state *j;

    if (item >= BESIDE)
        return *entry_beside(s, item);
    j = gsched_job(s, item);
    return (struct queue_entry){
        .job = item,
        .group = NONE,
        .since = j->phase == JOB_WAITING ? j->since
                                         : gsched_since_again(s, item),
    };
}

static bool is_placing(const struct gsched_solver *v, uint32_t job)
{
    return job < v->seen_job_cap && v->seen_job[job] == v->trial_stamp;
}

static void item_add(struct gsched_solver *v, uint32_t item)
{
    v->placing = gs_array_grow(v->placing, &v->placing_cap,
                               v->placing_count + 1, sizeof(*v->placing));
    v->placing[v->placing_count++] = item;
}

static void placing_add(struct gsched *s, uint32_t job)
{
    struct gsched_solver *v = s->solver;

    assert(job < BESIDE);
    v->seen_job = gs_array_grow(v->seen_job, &v->seen_job_cap, job + 1,
                                sizeof(*v->seen_job));
    if (is_placing(v, job))
        return;
    v->seen_job[job] = v->trial_stamp;
    item_add(v, job);
}

/* Queues take turns by the jobs that they would serve next, whether or not
 * these are of the trial: add what waits in the queues of the first `jobs`
 * items, if these are several.
 */
static void beside_list(struct gsched *s, uint32_t jobs)
{
    struct gsched_solver *v = s->solver;
    bool several = false;

    v->queue_stamp++;
    for (uint32_t i = 1; i < jobs && !several; i++)
        several = gsched_queue_of(s, v->placing[i])
                  != gsched_queue_of(s, v->placing[0]);
    for (uint32_t i = 0; i < jobs && several; i++) {
        const uint32_t queue = gsched_queue_of(s, v->placing[i]);
        const struct gs_numbers *waiting = &s->order->queue[queue].waiting;

        if (v->seen_queue[queue] == v->queue_stamp)
            continue;
        v->seen_queue[queue] = v->queue_stamp;
        for (uint32_t k = 0; k < waiting->count; k++) {
            const uint32_t item = BESIDE + waiting->at[k];

            if (!is_placing(v, entry_beside(s, item)->job))
                item_add(v, item);
        }
    }
}

/* Place the pending job and those of evicted units in service order.  False:
 * the pending job has no place.
 */
static bool all_place(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    uint32_t queue, item, left;

    v->trial_stamp++;
    v->placing_count = 0;
    if (v->it->job != NONE)
        placing_add(s, v->it->job);
    for (uint32_t i = 0; i < v->chosen_count; i++)
        placing_add(s, v->unit[v->chosen[i]].job);
    left = v->placing_count;
    if (v->it->job != NONE)
        beside_list(s, left);
    v->served.entry_of = entry_of;
    v->served.change_by = change_by_placing;
    gsched_walk_begin(s, &v->served, v->placing, v->placing_count);
    while (left > 0 && gsched_walk_first(s, &v->served, &queue, &item)) {
        left -= item < BESIDE;
        if (item == v->it->job) {
            if (!entry_place(s, v->tasks))
                return false;
        } else if (item < BESIDE) {
            victim_place(s, item);
        }
        gsched_walk_next(s, &v->served, queue, true);
    }
    return true;
}

/* Undo what was tried from decision `first` and `mark` on. */
static void trial_undo(struct gsched *s, uint32_t mark, uint32_t first)
{
    for (uint32_t i = s->decision_count; i-- > first;)
        hold(s, &s->decision[i], -1);
    gsched_attempt_undo(s, mark, first);
}

/* --- the verdict ---------------------------------------------------------- */

/* No victim is lost, and moves lose no more than the price. */
static bool moves_are_worth(const struct gsched *s)
{
    const struct gsched_solver *v = s->solver;
    double loss = 0;

    for (uint32_t i = 0; i < v->chosen_count; i++) {
        const struct unit *u = &v->unit[v->chosen[i]];

        if (u->fate == UNIT_GOES)
            return false;
        if (u->fate == UNIT_MOVES)
            loss += gsched_unit_loss(s, u);
    }
    return v->price < 0 || loss <= v->price;
}

/* Do the modules let the units go that found no place? */
static bool victims_may_go(struct gsched *s, uint32_t tasks)
{
    const struct gsched_solver *v = s->solver;
    int64_t asked[TOPO_DIMS_MAX];

    s->evict->victim_count = 0;
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        const struct unit *u = &v->unit[v->chosen[i]];
        const uint32_t a = gsched_unit_next(s, v->chosen[i], NONE);

        if (u->fate == UNIT_GOES)
            gsched_victim_add(s, gsched_allocation_at(s, a)->grant.node, u->job,
                              u->allocation);
    }
    gsched_asked_by(s, tasks, asked);
    return gsched_victims_ok(s, &v->attempt, asked);
}

enum trial_result gsched_trial(struct gsched *s, uint32_t tasks)
{
    struct gsched_solver *v = s->solver;
    const uint32_t first = s->decision_count;
    const uint32_t mark = topo_cluster_begin(s->cluster);
    const bool closes = closed_find(s);
    bool fits;

    if (closes)
        nodes_visit(s, node_open);
    if (s->late)
        nodes_visit(s, gsched_late_note);
    s->evict->evicted_count = 0;
    v->place_count = 0;
    v->tasks = tasks;
    gsched_queue_keys_listen(s, false); /* all amounts come back */
    for (uint32_t i = 0; i < v->chosen_count; i++)
        gsched_unit_evict(s, v->chosen[i]);
    fits = all_place(s);
    if (fits)
        gsched_fates_find(s);
    trial_undo(s, mark, first);
    gsched_late_end(s);
    if (closes)
        nodes_visit(s, node_close);
    if (fits)
        gsched_fates_settle(s);
    gsched_queue_keys_listen(s, v->may_keep);
    if (!fits)
        return TRIAL_FAILED;
    fits = v->goal == SOLVE_MOVE ? moves_are_worth(s)
                                 : victims_may_go(s, tasks);
    return fits ? TRIAL_FITS : TRIAL_REFUSED;
}
