/* policies/state/running_index.c - running jobs by queue, priority and start,
 * so that preemption finds the least important first.
 */
#include "policies/state/running_index.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_properties.h"

struct running_list *gsched_running_of(const struct gsched *s, uint32_t job)
{
    const uint32_t place =
        s->running->class_place[gsched_job(s, job)->low_class];

    assert(job < s->jobs->job_count && s->running->may_evict);
    return &s->running
                ->running_list[gsched_queue_of(s, job) * s->running->place_count
                               + place];
}

void gsched_running_moved(struct gsched *s, uint32_t job)
{
    struct gsched_running *r = s->running;

    assert(job < s->jobs->job_count);
    if (!r->is_followed)
        return;
    r->is_moved = gs_array_grow(r->is_moved, &r->is_moved_cap, job + 1,
                                sizeof(*r->is_moved));
    if (r->is_moved[job])
        return;
    r->is_moved[job] = 1;
    (void)gs_numbers_add(&r->moved, job);
}

void gsched_running_add(struct gsched *s, uint32_t job)
{
    struct job_state *j = gsched_job(s, job);
    struct running_list *r;

    assert(job < s->jobs->job_count
           && gsched_job(s, job)->first_allocation != NONE);
    if (!s->running->may_evict || j->is_listed)
        return;
    gsched_running_moved(s, job);
    r = gsched_running_of(s, job);
    j->is_listed = true;
    j->older = r->newest;
    j->newer = NONE;
    while (j->older != NONE /* it may be adopted late */
           && gsched_job(s, j->older)->allocated_since > j->allocated_since) {
        j->newer = j->older;
        j->older = gsched_job(s, j->older)->older;
    }
    if (j->older != NONE)
        gsched_job(s, j->older)->newer = job;
    else
        r->oldest = job;
    if (j->newer != NONE)
        gsched_job(s, j->newer)->older = job;
    else
        r->newest = job;
}

void gsched_running_drop(struct gsched *s, uint32_t job)
{
    struct job_state *j = gsched_job(s, job);
    struct running_list *r;

    if (!j->is_listed)
        return;
    gsched_running_moved(s, job);
    r = gsched_running_of(s, job);
    assert(j->older != NONE || r->oldest == job);
    assert(j->newer != NONE || r->newest == job);
    j->is_listed = false;
    if (j->older != NONE)
        gsched_job(s, j->older)->newer = j->newer;
    else
        r->oldest = j->newer;
    if (j->newer != NONE)
        gsched_job(s, j->newer)->older = j->older;
    else
        r->newest = j->older;
}

/* Rank the values of the priority classes, the lowest 0. */
static void places_open(struct gsched *s)
{
    struct gsched_running *run = s->running;
    const struct trace_workload *w = s->work;

    assert(w->class_count > 0);
    run->class_place = gs_arena_alloc(s->arena, w->class_count,
                                      sizeof(*run->class_place));
    run->place_value = gs_arena_alloc(s->arena, w->class_count,
                                      sizeof(*run->place_value));
    for (uint32_t k = 0; k < w->class_count; k++) {
        uint32_t i = run->place_count;

        while (i > 0 && run->place_value[i - 1] > w->klass[k].value)
            i--;
        if (i > 0 && run->place_value[i - 1] == w->klass[k].value)
            continue;
        memmove(run->place_value + i + 1, run->place_value + i,
                (run->place_count - i) * sizeof(*run->place_value));
        run->place_value[i] = w->klass[k].value;
        run->place_count++;
    }
    for (uint32_t k = 0; k < w->class_count; k++) {
        while (run->place_value[run->class_place[k]] != w->klass[k].value)
            run->class_place[k]++;
    }
}

void gsched_running_open(struct gsched *s)
{
    uint32_t n;

    s->running = gs_arena_alloc(s->arena, 1, sizeof(*s->running));
    s->running->may_evict = gsched_has_action(s, GSCHED_PREEMPT)
                            || gsched_has_action(s, GSCHED_RECLAIM)
                            || gsched_has_action(s, GSCHED_SHUFFLE)
                            || gsched_has_action(s, GSCHED_CONSOLIDATE)
                            || gsched_has_action(s, GSCHED_GANG_PREEMPT)
                            || gsched_has_action(s, GSCHED_GANG_RECLAIM)
                            || gsched_has_action(s, GSCHED_ADMIT);
    if (s->running->may_evict || gsched_modules_promise(s, GSP_FOLLOWS_WAITING))
        places_open(s);
    if (!s->running->may_evict)
        return;
    n = s->queue_count * s->running->place_count;
    s->running->running_list = gs_arena_alloc(
        s->arena, n, sizeof(*s->running->running_list));
    for (uint32_t i = 0; i < n; i++)
        s->running->running_list[i].oldest =
            s->running->running_list[i].newest = NONE;
}

void gsched_running_close(struct gsched *s)
{
    if (!s->running)
        return;
    gs_array_free(s->running->is_moved);
    gs_array_free(s->running->moved.at);
}
