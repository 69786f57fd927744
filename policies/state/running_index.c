/* policies/state/running_index.c - who runs, by queue, priority and start: those who may have
 * to make room, the least important first.
 */
#include "policies/state/running_index.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "policies/state/jobs.h"

struct rank *gsched_rank_of(const struct gsched *s, uint32_t job)
{
    const uint32_t place = s->class_place[s->work->job[job].klass];

    assert(job < s->job_count && s->may_evict);
    return &s->rank[gsched_queue_of(s, job) * s->place_count + place];
}

void gsched_rank_add(struct gsched *s, uint32_t job)
{
    struct job_state *j = &s->job[job];
    struct rank *r;

    assert(job < s->job_count && s->job[job].first_span != NONE);
    if (!s->may_evict || j->is_ranked)
        return;
    r = gsched_rank_of(s, job);
    j->is_ranked = true;
    j->older = r->newest;
    j->newer = NONE;
    if (r->newest != NONE)
        s->job[r->newest].newer = job;
    else
        r->oldest = job;
    r->newest = job;
}

void gsched_rank_drop(struct gsched *s, uint32_t job)
{
    struct job_state *j = &s->job[job];
    struct rank *r;

    if (!j->is_ranked)
        return;
    r = gsched_rank_of(s, job);
    assert(j->older != NONE || r->oldest == job);
    assert(j->newer != NONE || r->newest == job);
    j->is_ranked = false;
    if (j->older != NONE)
        s->job[j->older].newer = j->newer;
    else
        r->oldest = j->newer;
    if (j->newer != NONE)
        s->job[j->newer].older = j->older;
    else
        r->newest = j->older;
}

/* Number the priorities of the classes, the lowest 0. */
static void places_open(struct gsched *s)
{
    const struct trace_workload *w = s->work;

    assert(w->class_count > 0);
    s->class_place = gs_arena_alloc(s->arena, w->class_count,
                                    sizeof(*s->class_place));
    s->place_value = gs_arena_alloc(s->arena, w->class_count,
                                    sizeof(*s->place_value));
    for (uint32_t k = 0; k < w->class_count; k++) {
        uint32_t i = s->place_count;

        while (i > 0 && s->place_value[i - 1] > w->klass[k].value)
            i--;
        if (i > 0 && s->place_value[i - 1] == w->klass[k].value)
            continue;
        memmove(s->place_value + i + 1, s->place_value + i,
                (s->place_count - i) * sizeof(*s->place_value));
        s->place_value[i] = w->klass[k].value;
        s->place_count++;
    }
    for (uint32_t k = 0; k < w->class_count; k++) {
        while (s->place_value[s->class_place[k]] != w->klass[k].value)
            s->class_place[k]++;
    }
}

void gsched_rank_open(struct gsched *s)
{
    uint32_t n;

    s->may_evict = gsched_has_action(s, GSCHED_PREEMPT)
                   || gsched_has_action(s, GSCHED_RECLAIM);
    if (!s->may_evict)
        return;
    places_open(s);
    n = s->queue_count * s->place_count;
    s->rank = gs_arena_alloc(s->arena, n, sizeof(*s->rank));
    for (uint32_t i = 0; i < n; i++)
        s->rank[i].oldest = s->rank[i].newest = NONE;
}
