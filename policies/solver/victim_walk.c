/* policies/solver/victim_walk.c - begins the walk over running jobs that may be
 * victims of a search: anew, or where the last search for the same goal began, but
 * for the queues that changed since.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "policies/lifecycle/allocations.h"
#include "policies/solver/solver.h"
#include "policies/state/entry.h"
#include "policies/state/queue_keys.h"
#include "policies/state/running_index.h"
#include "policies/state/spans.h"

/* --- the change of queues --------------------------------------------------- */

/* A queue changes by its victims so far and the next one. */
static void change_by_victim(struct gsched *s, uint32_t queue, uint32_t job,
                             int64_t *change)
{
    const int64_t *gone = s->solver->gone + (size_t)queue * s->dims;

    gsched_job_rest(s, job, change);
    for (uint32_t d = 0; d < s->dims; d++)
        change[d] = -(gone[d] + change[d]);
}

/* --- which jobs ------------------------------------------------------------- */

static struct victims_kept *kept_of(struct gsched_solver *v)
{
    return &v->kept[v->goal];
}

/* The same for a walk that is kept: the answer may be another next time. */
static bool is_left_out_now(struct gsched *s, uint32_t job)
{
    const bool is = !gsched_is_possible(s, job);

    if (is)
        (void)gs_numbers_add(&kept_of(s->solver)->again,
                             gsched_queue_of(s, job));
    return is;
}

/* Victims are ordered by their submission, since they run. */
static struct queue_entry entry_of(const struct gsched *s, uint32_t job)
{
    return (struct queue_entry){
        .job = job,
        .group = NONE,
        .since = gsched_job(s, job)->submitted,
    };
}

static bool is_left_out(struct gsched *s, uint32_t job)
{
    return !gsched_is_possible(s, job);
}

/* The next jobs of its queue come in as the job leaves the first place, once. */
static uint32_t below(struct gsched *s, uint32_t job, uint32_t *next)
{
    struct gsched_solver *v = s->solver;

    if (v->came_in[job] == v->stamp)
        return 0;
    v->came_in[job] = v->stamp;
    return gsched_heaps_below(&v->heaps, job, next);
}

/* List the first possible victims of a queue. */
static void queue_list(struct gsched *s, uint32_t queue,
                       struct gs_numbers *first)
{
    struct gsched_solver *v = s->solver;
    const struct gsched_running *r = s->running;
    const bool is_lower = v->goal == SOLVE_PREEMPT
                          && s->modules->victims_are_lower;

    for (uint32_t p = 0; p < r->place_count; p++) {
        const struct gs_numbers *heap =
            &v->heaps.heap[queue * r->place_count + p];

        if (is_lower && r->place_value[p] >= v->attempt.value)
            break;
        if (heap->count)
            (void)gs_numbers_add(first, heap->at[0]);
    }
}

/* May jobs of the queue be victims? */
static bool is_open(const struct gsched *s, uint32_t queue)
{
    const struct gsched_solver *v = s->solver;
    const uint32_t own = v->it->job == NONE ? NONE
                                            : gsched_queue_of(s, v->it->job);

    return v->goal == SOLVE_MOVE
           || (v->goal == SOLVE_PREEMPT) == (queue == own);
}

/* The same for a walk that is kept: no unit of the queue is found yet. */
static void queue_fill(struct gsched *s, uint32_t queue,
                       struct gs_numbers *items)
{
    memset(s->solver->gone + (size_t)queue * s->dims, 0,
           s->dims * sizeof(*s->solver->gone));
    if (is_open(s, queue))
        queue_list(s, queue, items);
}

/* Do queues keep their order but for those that modules say, or that hold another
 * amount?
 */
static bool orders_stay(const struct gsched *s)
{
    const struct gsched_modules *m = s->modules;
    bool stays = s->queue_keys != NULL;

    for (uint32_t i = 0; i < m->module_count; i++) {
        const struct gsp_module *by = m->module[i].module;

        stays &= !by->queue_order
                 || (by->queue_key && (by->promises & GSP_ORDER_OF_HOLDINGS));
    }
    return stays;
}

static void victims_open(struct gsched *s, struct queue_walk *w)
{
    gsched_walk_open(s, w);
    w->is_reversed = true;
    w->entry_of = entry_of;
    w->change_by = change_by_victim;
    w->below = below;
    w->is_left_out = is_left_out;
}

static int64_t *gone_open(struct gsched *s)
{
    return gs_arena_alloc(s->arena, (size_t)s->queue_count * s->dims,
                          sizeof(*s->solver->gone));
}

static void kept_open(struct gsched *s, struct victims_kept *k)
{
    victims_open(s, &k->walk);
    k->walk.fill = queue_fill;
    k->walk.is_left_out = is_left_out_now;
    k->gone = gone_open(s);
    for (uint32_t q = 0; q < s->queue_count; q++)
        gsched_walk_note(s, &k->walk, q);
}

void gsched_victims_open(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    gsched_heaps_open(s, &v->heaps);
    victims_open(s, &v->anew);
    v->gone_anew = gone_open(s);
    v->may_keep = orders_stay(s);
    if (!v->may_keep)
        return;
    for (uint32_t i = 0; i < SOLVE_KEPT; i++)
        kept_open(s, &v->kept[i]);
    s->queue_keys->is_followed = true;
}

void gsched_victims_free(struct gsched_solver *v)
{
    gsched_walk_free(&v->anew);
    gsched_heaps_free(&v->heaps);
    for (uint32_t i = 0; i < SOLVE_KEPT && v->may_keep; i++) {
        gsched_walk_free(&v->kept[i].walk);
        gs_array_free(v->kept[i].again.at);
    }
}

/* List the first victims of all queues that may have some. */
static void victims_list(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    v->victims = &v->anew;
    v->gone = v->gone_anew;
    memset(v->gone, 0, (size_t)s->queue_count * s->dims * sizeof(*v->gone));
    v->first.count = 0;
    for (uint32_t q = 0; q < s->queue_count; q++) {
        if (is_open(s, q))
            queue_list(s, q, &v->first);
    }
    gsched_walk_begin(s, &v->anew, v->first.at, v->first.count);
}

static void queues_note(struct gsched *s, struct queue_walk *w,
                        const struct gs_numbers *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        gsched_walk_note(s, w, queue->at[i]);
}

/* Note queues that modules or amounts moved, and in which jobs started or ended.
 */
static void changes_note(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    struct gsched_queue_keys *k = s->queue_keys;

    gsched_queue_keys_follow(s);
    for (uint32_t i = 0; i < SOLVE_KEPT; i++) {
        queues_note(s, &v->kept[i].walk, &v->heaps.stirred);
        queues_note(s, &v->kept[i].walk, &k->forgotten);
    }
    for (uint32_t i = 0; i < k->forgotten.count; i++)
        k->of[k->forgotten.at[i]].is_listed = false;
    k->forgotten.count = 0;
}

/* Take up the walk of the last search for this goal where victims may differ from
 * those of that: where units were found, in queues that changed, and where one was
 * left out for the time being.
 */
static void victims_follow(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    struct victims_kept *k = kept_of(v);

    v->victims = &k->walk;
    v->gone = k->gone;
    queues_note(s, &k->walk, &k->again);
    k->again.count = 0;
    if (v->goal == SOLVE_RECLAIM
        || gsched_job(s, v->it->job)->phase == JOB_RUNNING) {
        /* it is no victim itself, or none in its queue is */
        const uint32_t own = gsched_queue_of(s, v->it->job);

        (void)gs_numbers_add(&k->again, own);
        gsched_walk_note(s, &k->walk, own);
    }
    gsched_walk_again(s, &k->walk);
}

#ifndef NDEBUG
/* Does the walk that was taken up begin as one anew? */
static bool begins_as_anew(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    uint32_t queue[2] = { NONE, NONE }, job[2] = { NONE, NONE };
    const struct victims_kept *k = kept_of(v);
    const bool any = gsched_walk_first(s, &k->walk, &queue[0], &job[0]);
    bool any_anew;

    v->stamp++; /* those below jobs that are left out come in once more */
    victims_list(s);
    any_anew = gsched_walk_first(s, &v->anew, &queue[1], &job[1]);
    v->victims = &kept_of(v)->walk;
    v->gone = kept_of(v)->gone;
    return any == any_anew && queue[0] == queue[1] && job[0] == job[1];
}
#endif

void gsched_victims_begin(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    v->unit_count = v->returned = 0;
    v->has_all_units = false;
    gsched_heaps_follow(s, &v->heaps);
    if (v->may_keep)
        changes_note(s);
    v->heaps.stirred.count = 0;
    v->came_in = gs_array_grow(v->came_in, &v->came_in_cap,
                               s->jobs->job_count + 1, sizeof(*v->came_in));
    if (v->goal < SOLVE_KEPT && v->may_keep && !s->grace)
        victims_follow(s);
    else
        victims_list(s);
    assert(v->victims == &v->anew || begins_as_anew(s));
}
