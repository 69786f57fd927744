/* policies/lifecycle/deadlines.c - see deadlines.h. */
#include "policies/lifecycle/deadlines.h"

#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/scheduler.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"

static bool goes_before(const void *of, uint32_t a, uint32_t b)
{
    const struct gsched *s = of;
    const struct deadline *x = &s->allocations->deadline[a];
    const struct deadline *y = &s->allocations->deadline[b];

    return x->at != y->at ? x->at < y->at : x->order < y->order;
}

static void swap(void *of, uint32_t a, uint32_t b)
{
    struct gsched *s = of;
    struct deadline *all = s->allocations->deadline, x = all[a];

    all[a] = all[b];
    all[b] = x;
    gsched_job(s, all[a].job)->deadline_at = a;
    gsched_job(s, all[b].job)->deadline_at = b;
}

static const struct gs_heap heap = { goes_before, swap };

void gsched_deadline_add(struct gsched *s, uint32_t job)
{
    struct gsched_allocations *all = s->allocations;
    const int64_t own = s->work->job[job].aside->gang_timeout;
    struct job_state *j = gsched_job(s, job);
    const int64_t hold = own ? own : s->modules->hold_time;

    assert(j->deadline_at == NONE && own >= 0);
    if (!s->modules->limits_hold || hold >= GSCHED_NEVER - s->now
        || (s->modules->holds_once && j->gave_back))
        return;
    all->deadline = gs_array_grow(all->deadline, &all->deadline_cap,
                                  all->deadline_count + 1,
                                  sizeof(*all->deadline));
    all->deadline[all->deadline_count] =
        (struct deadline){ s->now + hold, all->deadlines++, job };
    j->deadline_at = all->deadline_count++;
    (void)gs_heap_rise(&heap, s, j->deadline_at);
}

void gsched_deadline_drop(struct gsched *s, uint32_t job)
{
    struct gsched_allocations *all = s->allocations;
    const uint32_t at = gsched_job(s, job)->deadline_at;

    if (at == NONE)
        return;
    assert(at < all->deadline_count && all->deadline[at].job == job);
    swap(s, at, --all->deadline_count);
    gsched_job(s, job)->deadline_at = NONE;
    if (at < all->deadline_count)
        (void)gs_heap_settle(&heap, s, all->deadline_count, at);
}

/* Has a group of the running job less than its minimum? */
static bool is_torn(const struct gsched *s, uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];

    for (uint32_t g = 0; g < j->group_count; g++) {
        if (s->jobs->group_placed[j->first_group + g]
            < gsched_group(s, job, g)->min)
            return true;
    }
    return false;
}

void gsched_deadline_follow(struct gsched *s, uint32_t job)
{
    bool torn;

    assert(gsched_job(s, job)->phase == JOB_RUNNING);
    if (!s->modules->limits_hold || s->profile->unit != GSCHED_UNIT_GANG
        || s->work->job[job].group_count < 2)
        return;
    torn = is_torn(s, job);
    if (torn && gsched_job(s, job)->deadline_at == NONE)
        gsched_deadline_add(s, job);
    else if (!torn)
        gsched_deadline_drop(s, job);
}

int64_t gsched_deadline_next(const struct gsched *s)
{
    return s->allocations->deadline_count ? s->allocations->deadline[0].at
                                          : GSCHED_NEVER;
}

uint32_t gsched_deadline_passed(const struct gsched *s)
{
    return gsched_deadline_next(s) <= s->now ? s->allocations->deadline[0].job
                                             : NONE;
}
