/* policies/solver/solve.c - the search for victims that make room for a job.
 *
 * As the solver of KAI Scheduler.  For more and more tasks of the job, with the
 * victims of fewer tasks evicted from the begin, units of running jobs are
 * added in their order.  After each, on each of its nodes: all units so far of
 * the jobs that have one on the node are evicted, and a trial is made.
 *
 * Trials are bounded by parameters, and those that cannot succeed by the sums
 * of what would be free are not made, but counted.  How many they would have
 * been is known between two bounds: a search that finds nothing with the most
 * trials that it may have left has failed; one that finds something only then
 * is made again, with all trials of which the number is not known.  A gang of
 * more tasks than STEPS grows by several at a time.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/placement/candidates.h"
#include "policies/placement/placement.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"

#define STEPS 32u

void gsched_solver_open(struct gsched *s)
{
    struct gsched_solver *v;
    const size_t nodes = s->topo->node_count;

    if (!gsched_has_action(s, GSCHED_CONSOLIDATE)
        && (!s->running->may_evict
            || s->modules->preemption.search != GSP_SEARCH_TRIALS))
        return;
    v = s->solver = gs_arena_alloc(s->arena, 1, sizeof(*v));
    gsched_victims_open(s);
    gsched_freed_open(s);
    gsched_late_open(s);
    gsched_walk_open(s, &v->served);
    gsched_walk_open(s, &v->pending);
    v->seen_queue = gs_arena_alloc(s->arena, s->queue_count,
                                   sizeof(*v->seen_queue));
    v->seen_node = gs_arena_alloc(s->arena, nodes, sizeof(*v->seen_node));
    v->given_node = gs_arena_alloc(s->arena, nodes, sizeof(*v->given_node));
    v->sum = gs_arena_alloc(s->arena, nodes, sizeof(*v->sum));
    v->sum_freed = gs_arena_alloc(s->arena, nodes * s->dims,
                                  sizeof(*v->sum_freed));
    v->node_gift = gs_arena_alloc(s->arena, nodes, sizeof(*v->node_gift));
    v->gift = gs_arena_alloc(s->arena, s->queue_count, sizeof(*v->gift));
    v->part = gs_arena_alloc(s->arena, s->queue_count, sizeof(*v->part));
    v->node = gs_arena_alloc(s->arena, nodes, sizeof(*v->node));
    v->not_on = gs_arena_alloc(s->arena, nodes, 1);
    v->closed = gs_arena_alloc(s->arena, nodes, 1);
    v->idle = UINT64_MAX;
}

void gsched_solver_free(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    if (!v)
        return;
    gsched_victims_free(v);
    gsched_freed_free(&v->freed);
    gsched_walk_free(&v->served);
    gsched_walk_free(&v->pending);
    gs_array_free(v->class_queues.at);
    gsched_alike_free(&v->alike);
    gs_array_free(v->vacated.at);
    gs_array_free(v->unit);
    gs_array_free(v->unit_amount);
    gs_array_free(v->job_last);
    gs_array_free(v->of_allocation);
    gs_array_free(v->chosen);
    gs_array_free(v->last);
    gs_array_free(v->recorded);
    gs_array_free(v->placing);
    gs_array_free(v->place);
    gs_array_free(v->spare);
    gs_array_free(v->seen_job);
    gs_array_free(v->loss);
    gs_array_free(v->keeps);
    gs_array_free(v->keeps_by_one);
    gs_array_free(v->yield);
}

/* --- the units of a trial ------------------------------------------------- */

void gsched_unit_choose(struct gsched_solver *v, uint32_t unit)
{
    v->chosen = gs_array_grow(v->chosen, &v->chosen_cap, v->chosen_count + 1,
                              sizeof(*v->chosen));
    v->chosen[v->chosen_count++] = unit;
}

static void choose_recorded(struct gsched_solver *v)
{
    v->chosen_count = 0;
    for (uint32_t i = 0; i < v->recorded_count; i++)
        gsched_unit_choose(v, v->recorded[i]);
}

static bool is_open(const struct unit *u)
{
    return !u->is_recorded && !u->is_protected;
}

/* Add the units of the job up to `newest`, its first ones first. */
static void choose_job(struct gsched_solver *v, uint32_t last, uint32_t newest)
{
    const uint32_t first = v->chosen_count;
    uint32_t i, k;

    for (uint32_t u = last; u != NONE; u = v->unit[u].before) {
        if (u <= newest && is_open(&v->unit[u]))
            gsched_unit_choose(v, u);
    }
    for (i = first, k = v->chosen_count; i + 1 < k; i++) {
        const uint32_t swap = v->chosen[--k];

        v->chosen[k] = v->chosen[i];
        v->chosen[i] = swap;
    }
}

/* Choose the recorded units, and those up to `newest` of the jobs that have one
 * of them on the node.
 */
static void choose_on(struct gsched *s, uint32_t node, uint32_t newest)
{
    struct gsched_solver *v = s->solver;
    const struct allocation *all = s->allocations->allocation;

    choose_recorded(v);
    v->trial_stamp++;
    for (uint32_t a = s->allocations->node_allocation[node]; a != NONE;
         a = all[a].after) {
        const uint32_t unit = gsched_unit_of(s, a), job = all[a].job;

        if (unit == NONE || unit > newest || !is_open(&v->unit[unit]))
            continue;
        v->seen_job = gs_array_grow(v->seen_job, &v->seen_job_cap, job + 1,
                                    sizeof(*v->seen_job));
        if (v->seen_job[job] == v->trial_stamp)
            continue;
        v->seen_job[job] = v->trial_stamp;
        choose_job(v, gsched_unit_last(s, job), newest);
    }
}

/* List the nodes of the unit. */
static void nodes_list(struct gsched *s, uint32_t unit)
{
    struct gsched_solver *v = s->solver;

    v->trial_stamp++;
    v->node_count = 0;
    for (uint32_t a = NONE; (a = gsched_unit_next(s, unit, a)) != NONE;) {
        const uint32_t node = gsched_allocation_at(s, a)->grant.node;

        if (v->seen_node[node] == v->trial_stamp)
            continue;
        v->seen_node[node] = v->trial_stamp;
        v->node[v->node_count++] = node;
    }
}

/* The victims of the last trial are those with which the next step begins. */
void gsched_units_record(struct gsched_solver *v)
{
    v->recorded_count = 0;
    for (uint32_t i = 0; i < v->chosen_count; i++) {
        struct unit *u = &v->unit[v->chosen[i]];

        u->is_recorded = u->fate != UNIT_STAYS;
        if (!u->is_recorded)
            continue;
        v->recorded = gs_array_grow(v->recorded, &v->recorded_cap,
                                    v->recorded_count + 1,
                                    sizeof(*v->recorded));
        v->recorded[v->recorded_count++] = v->chosen[i];
    }
}

/* --- the search ----------------------------------------------------------- */

/* Mark the nodes that victims are to leave: `node` (NONE) and those of the
 * steps before.
 */
static void vacated_mark(struct gsched_solver *v, uint32_t node, uint8_t mark)
{
    for (uint32_t i = 0; i < v->vacated.count; i++)
        v->not_on[v->vacated.at[i]] = mark;
    if (node != NONE)
        v->not_on[node] = mark;
}

/* Make a trial of room on the node (NONE: of the steps before).  Where the
 * nodes that are best for the victims are those that they leave, as under
 * modules that spread, a second one keeps the victims off these.
 */
static enum trial_result room_try(struct gsched *s, uint32_t tasks,
                                  uint32_t node)
{
    struct gsched_solver *v = s->solver;
    enum trial_result r = gsched_trial(s, tasks);

    if (r != TRIAL_FAILED || v->goal != SOLVE_MOVE || v->trials == 0
        || !s->modules->consolidation.keeps_off)
        return r;
    v->trials--;
    vacated_mark(v, node, 1);
    v->avoid = v->not_on;
    r = gsched_trial(s, tasks);
    v->avoid = NULL;
    vacated_mark(v, node, 0);
    return r;
}

/* What is known of the units that were chosen last. */
static void choice_end(struct gsched_solver *v)
{
    v->last_count = 0;
}

/* Choose units up to `newest` on the node.  True: these were chosen last. */
static bool is_chosen_again(struct gsched *s, uint32_t node, uint32_t newest)
{
    struct gsched_solver *v = s->solver;
    bool is;

    choose_on(s, node, newest);
    is = v->chosen_count == v->last_count
         && memcmp(v->chosen, v->last, v->last_count * sizeof(*v->last)) == 0;
    if (is)
        return true;
    v->last = gs_array_grow(v->last, &v->last_cap, v->chosen_count,
                            sizeof(*v->last));
    v->last_count = v->chosen_count;
    memcpy(v->last, v->chosen, v->chosen_count * sizeof(*v->last));
    return false;
}

/* Choose units up to `newest` on the node; is a trial hopeful?  *again: these
 * were chosen for the node before, and had the same hope.
 */
static bool is_hopeful_on(struct gsched *s, uint32_t tasks, uint32_t node,
                          uint32_t newest, bool *again)
{
    struct gsched_solver *v = s->solver;

    *again = false;
    if (!gsched_node_is_hopeful(s, node))
        return false;
    *again = is_chosen_again(s, node, newest);
    if (!*again)
        v->last_is_hopeful = gsched_trial_is_hopeful(s, tasks);
    return v->last_is_hopeful;
}

/* Could a trial on a hopeful node of the unit fit?  If none can, all count as
 * made; of several the first that is refused would have been the last, so that
 * one was made at least.
 */
static bool any_may_fit(struct gsched *s, uint32_t tasks, uint32_t newest)
{
    struct gsched_solver *v = s->solver;
    uint32_t made = 0;
    bool again;

    if (v->is_doubled || (v->lacking <= 0 && v->wanted == v->room))
        return true;
    choice_end(v);
    for (uint32_t n = 0; n < v->node_count; n++) {
        if (!is_hopeful_on(s, tasks, v->node[n], newest, &again))
            continue;
        if (!again && gsched_trial_may_fit(s))
            return true;
        made++;
    }
    if (made > 1 && v->is_exact)
        return true;
    if (made > 1)
        made = v->is_lenient ? 1 : made < v->trials ? made : v->trials;
    v->overcounted += made > 1 ? made - 1 : 0;
    v->trials -= made;
    return false;
}

/* May trials be made?  Where too many were counted, those are given back once.
 */
static bool has_trials(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    if (v->trials == 0 && v->overcounted > 0) {
        v->trials = v->overcounted;
        v->overcounted = 0;
        v->is_lenient = true;
        v->early_then = s->early;
    }
    return v->trials > 0;
}

/* Try the first `tasks` tasks with units up to `newest`.  The same units fail
 * again, unless they are kept off the node.
 */
static bool scenario_try(struct gsched *s, uint32_t tasks, uint32_t newest)
{
    struct gsched_solver *v = s->solver;
    bool again;

    nodes_list(s, newest);
    gsched_unit_count(s, newest);
    if (!any_may_fit(s, tasks, newest))
        return false;
    choice_end(v);
    for (uint32_t n = 0; n < v->node_count && v->trials > 0; n++) {
        enum trial_result r = TRIAL_FAILED;

        if (!is_hopeful_on(s, tasks, v->node[n], newest, &again))
            continue;
        v->trials--;
        if (!again || v->is_doubled)
            r = room_try(s, tasks, v->node[n]);
        if (r == TRIAL_FITS)
            (void)gs_numbers_add(&v->vacated, v->node[n]);
        if (r != TRIAL_FAILED)
            return r == TRIAL_FITS;
    }
    return false;
}

static bool tasks_solve(struct gsched *s, uint32_t tasks)
{
    struct gsched_solver *v = s->solver;

    gsched_step_begin(s, tasks);
    gsched_freed_begin(&v->freed);
    choose_recorded(v);
    if (v->chosen_count && gsched_trial_is_hopeful(s, tasks)
        && room_try(s, tasks, NONE) == TRIAL_FITS)
        return true;
    for (uint32_t u = 0; has_trials(s) && gsched_unit_exists(s, u); u++) {
        if (is_open(&v->unit[u]) && scenario_try(s, tasks, u))
            return true;
    }
    return false;
}

static uint32_t or_any(uint32_t most)
{
    return most ? most : UINT32_MAX;
}

static uint32_t trials_of(const struct gsched *s, enum solve_goal goal)
{
    return or_any(goal == SOLVE_MOVE ? s->modules->consolidation.trials
                                     : s->modules->preemption.trials);
}

void gsched_search_begin(struct gsched *s, enum solve_goal goal,
                         const struct queue_entry *it)
{
    const struct gsp_consolidation *c = &s->modules->consolidation;
    const struct gsp_preemption *p = &s->modules->preemption;
    const bool moves = goal == SOLVE_MOVE;
    struct gsched_solver *v = s->solver;
    int64_t asked[TOPO_DIMS_MAX];

    v->goal = goal;
    v->it = it;
    v->is_doubled = moves && c->keeps_off;
    v->is_exact = v->is_lenient = false;
    v->may_protect = true;
    v->overcounted = 0;
    v->stamp++;
    v->avoid = NULL;
    v->is_of_gpus = false;
    v->vacated.count = 0;
    v->recorded_count = 0;
    gsched_freed_begin(&v->freed);
    v->attempt = (struct attempt){
        .why = goal == SOLVE_PREEMPT ? GSP_PREEMPT : GSP_RECLAIM,
        .by_trials = true,
        .job = it->job,
        .group = it->group,
    };
    v->jobs = or_any(moves ? c->jobs : p->jobs);
    v->trials = trials_of(s, goal);
    if (it->job == NONE)
        return;
    v->attempt.value = gsched_value_of(s, it->job, it->group);
    gsched_entry_amount(s, it, asked);
    v->attempt.asks_nothing = gsched_asks_nothing(s, asked);
    v->dim = gsched_main_dim(s, asked);
    v->is_of_gpus = gsched_asks_gpus(s, it->job);
    v->price = c->price == GSP_NEVER ? -1
                                     : (double)c->price * (double)asked[v->dim];
}

/* Did the search look at what is due later, since too many trials were given
 * back?
 */
static bool is_noted(const struct gsched *s)
{
    const struct gsched_early *then = &s->solver->early_then;

    return s->early.is_early != then->is_early
           || s->early.min_runtime_at != then->min_runtime_at;
}

/* Search for room for all tasks, `step` more of them at a time. */
static bool all_solve(struct gsched *s, uint32_t all, uint32_t step)
{
    bool fits = true;

    for (uint32_t tasks = 0; tasks < all && fits;) {
        tasks = all - tasks < step ? all : tasks + step;
        fits = tasks_solve(s, tasks);
        if (fits)
            gsched_units_record(s->solver);
    }
    return fits;
}

static uint32_t all_of(const struct gsched *s, const struct queue_entry *it)
{
    return it->group == NONE ? s->work->job[it->job].gang : 1;
}

static uint32_t step_of(uint32_t all)
{
    return (all + STEPS - 1) / STEPS;
}

#ifndef NDEBUG
bool gsched_solves_plainly(struct gsched *s, enum solve_goal goal,
                           const struct queue_entry *it)
{
    const uint64_t changes = s->allocations->allocation_changes;
    const struct gsched_early early = s->early;
    const uint32_t all = all_of(s, it);
    bool fits;

    if (s->modules->pick || s->sample)
        return false; /* which node it is may differ from call to call */
    gsched_search_begin(s, goal, it);
    if (s->solver->stamp % 2)
        gsched_victims_forget(s);
    s->solver->is_doubled = true; /* no trial is left out */
    gsched_victims_begin(s);
    fits = all_solve(s, all, step_of(all));
    s->allocations->allocation_changes = changes;
    s->early = early;
    return fits;
}
#endif

bool gsched_solve(struct gsched *s, enum solve_goal goal,
                  const struct queue_entry *it)
{
    const uint32_t all = all_of(s, it), step = step_of(all);
    const uint64_t changes = s->allocations->allocation_changes;
    const struct gsched_early early = s->early;
    bool fits;

    assert(s->solver && it->job < s->jobs->job_count);
    if (goal == SOLVE_MOVE && !gsched_moves_have_capacity(s, it))
        return false;
    gsched_search_begin(s, goal, it);
    gsched_step_begin(s, all < step ? all : step);
    if (s->solver->lacking > 0 && !gsched_search_is_hopeful(s))
        return false;
    gsched_victims_begin(s);
    if (gsched_search_is_put_off(s))
        return false;
    fits = all_solve(s, all, step);
    if (s->solver->is_lenient && (fits || is_noted(s))) {
        s->early = early;
        gsched_search_begin(s, goal, it);
        s->solver->is_exact = true;
        gsched_victims_begin(s);
        fits = all_solve(s, all, step);
    }
    s->allocations->allocation_changes = changes; /* all were undone */
    assert(fits || !gsched_solves_plainly(s, goal, it));
    return fits && !gsched_search_is_put_off(s) && gsched_solution_carry_out(s);
}
