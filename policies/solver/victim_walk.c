/* policies/solver/victim_walk.c - begins the walk over running jobs that may be
 * victims of a search: with what the last searches for the same goal know, but
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

/* --- which jobs ----------------------------------------------------------- */

static struct victims_kept *kept_of(struct gsched_solver *v)
{
    return &v->kept[v->goal];
}

/* The answer may be another next time. */
static bool is_left_out(struct gsched *s, uint32_t job)
{
    const bool is = !gsched_is_possible(s, job);

    if (is)
        (void)gs_numbers_add(&kept_of(s->solver)->again,
                             gsched_queue_of(s, job));
    return is;
}

/* The next jobs of its queue come in as the job leaves the first place. */
static uint32_t below(struct gsched *s, uint32_t job, uint32_t *next)
{
    return gsched_heaps_below(&s->solver->heaps, job, next);
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

static void queue_fill(struct gsched *s, uint32_t queue,
                       struct gs_numbers *jobs)
{
    if (is_open(s, queue))
        queue_list(s, queue, jobs);
}

/* Do queues keep their order but for those that modules say, or that hold
 * another amount?
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

void gsched_victims_open(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    gsched_heaps_open(s, &v->heaps);
    for (uint32_t i = 0; i < SOLVE_GOALS; i++) {
        struct kept_walk *w = &v->kept[i].walk;

        gsched_kept_walk_open(s, w);
        w->fill = queue_fill;
        w->below = below;
        w->is_left_out = is_left_out;
        w->rest = gsched_job_rest;
    }
    v->may_keep = orders_stay(s);
    if (v->may_keep)
        s->queue_keys->is_followed = true;
}

void gsched_victims_free(struct gsched_solver *v)
{
    gsched_heaps_free(&v->heaps);
    for (uint32_t i = 0; i < SOLVE_GOALS; i++) {
        gsched_kept_walk_free(&v->kept[i].walk);
        gs_array_free(v->kept[i].again.at);
    }
}

static void queues_note(const struct gsched *s, struct kept_walk *w,
                        const struct gs_numbers *queue)
{
    for (uint32_t i = 0; i < queue->count; i++)
        gsched_kept_walk_note(s, w, queue->at[i]);
}

/* Note queues that modules or amounts moved, and in which jobs started or
 * ended.
 */
static void changes_note(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    struct gsched_queue_keys *k = s->queue_keys;

    gsched_queue_keys_follow(s);
    for (uint32_t i = 0; i < SOLVE_GOALS; i++)
        queues_note(s, &v->kept[i].walk, &v->heaps.stirred);
    for (uint32_t i = 0; i < k->forgotten.count; i++) {
        const uint32_t queue = k->forgotten.at[i];
        struct queue_key *of = &k->of[queue];

        for (uint32_t g = 0; g < SOLVE_GOALS; g++) {
            if (of->is_held)
                gsched_kept_walk_note(s, &v->kept[g].walk, queue);
            else
                gsched_kept_walk_note_place(s, &v->kept[g].walk, queue);
        }
        of->is_listed = of->is_held = false;
    }
    k->forgotten.count = 0;
}

/* Note where victims may differ from those of the last search for this goal,
 * for the job that the search is for.
 */
static void own_note(struct gsched *s)
{
    struct gsched_solver *v = s->solver;
    struct victims_kept *k = kept_of(v);
    const uint32_t own = gsched_queue_of(s, v->it->job);

    queues_note(s, &k->walk, &k->again);
    k->again.count = 0;
    if (v->goal == SOLVE_MOVE
        && gsched_job(s, v->it->job)->phase != JOB_RUNNING)
        return;
    /* it is no victim itself; none, or only those, of its queue are */
    (void)gs_numbers_add(&k->again, own);
    gsched_kept_walk_note(s, &k->walk, own);
}

void gsched_victims_forget(struct gsched *s)
{
    for (uint32_t q = 0; q < s->queue_count; q++)
        gsched_kept_walk_note(s, &kept_of(s->solver)->walk, q);
}

void gsched_victims_begin(struct gsched *s)
{
    struct gsched_solver *v = s->solver;

    v->unit_count = v->returned = 0;
    v->has_all_units = false;
    gsched_heaps_follow(s, &v->heaps);
    if (v->may_keep)
        changes_note(s);
    v->heaps.stirred.count = 0;
    if (!v->may_keep || s->grace)
        gsched_victims_forget(s);
    own_note(s);
    gsched_kept_walk_begin(s, &kept_of(v)->walk);
}
