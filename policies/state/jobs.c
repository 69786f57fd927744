/* policies/state/jobs.c - the state of jobs and their groups */
#include "policies/state/jobs.h"

#include <assert.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/far.h"
#include "base/heap.h"
#include "policies/state/job_labels.h"
#include "policies/state/module_calls.h"
#include "policies/state/quota_holds.h"
#include "policies/state/spans.h"
#include "policies/state/state.h"

uint32_t gsched_group_missing(const struct gsched *s, uint32_t job,
                              uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    const uint32_t placed = s->jobs->group_placed[j->first_group + group];
    uint32_t created = gsched_job(s, job)->created;

    for (uint32_t g = 0; g < group; g++) {
        const uint32_t n = gsched_group(s, job, g)->replicas;

        created -= n < created ? n : created;
    }
    if (created > gsched_group(s, job, group)->replicas)
        created = gsched_group(s, job, group)->replicas;
    if (created > gsched_quota_tasks(s, job, group))
        created = gsched_quota_tasks(s, job, group);
    return created > placed ? created - placed : 0;
}

uint32_t gsched_tasks_placed(const struct gsched *s, uint32_t job,
                             uint32_t group, uint32_t end)
{
    const uint32_t first = gsched_job(s, job)->first_allocation;
    uint32_t n = 0;

    for (const struct allocation *a = gsched_allocation_at(s, first); a;
         a = gsched_allocation_at(s, a->next)) {
        if (a->group == group && a->first_task < end)
            n += a->grant.tasks < end - a->first_task ? a->grant.tasks
                                                      : end - a->first_task;
    }
    return n;
}

uint32_t gsched_task_next(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    uint32_t low = 0, high = s->jobs->group_placed[j->first_group + group];

    if (!gsched_job(s, job)->has_gaps)
        return high;
    while (low < high) { /* all below `low` are placed */
        const uint32_t middle = low + (high - low) / 2 + 1;

        if (gsched_tasks_placed(s, job, group, middle) == middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

uint32_t gsched_class_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    return group == NONE || s->profile->unit != GSCHED_UNIT_POD
               ? gsched_job(s, job)->high_class
               : trace_group_class(&s->work->job[job],
                                   gsched_group(s, job, group));
}

int32_t gsched_task_value(const struct gsched *s, uint32_t job, uint32_t group)
{
    return s->work
        ->klass[trace_group_class(&s->work->job[job],
                                  gsched_group(s, job, group))]
        .value;
}

bool gsched_preempts(const struct gsched *s, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &s->work->job[job];
    bool any = false;

    if (group != NONE)
        return s->work->klass[trace_group_class(j, gsched_group(s, job, group))]
            .preempts;
    if (!gsched_job(s, job)->has_classes)
        return s->work->klass[j->klass].preempts;
    for (uint32_t g = 0; g < j->group_count && !any; g++)
        any = gsched_preempts(s, job, g);
    return any;
}

static bool key_before(const void *of, uint32_t a, uint32_t b)
{
    const uint64_t *key = of;

    return key[a] < key[b];
}

GS_HEAP_SWAP(key_swap, uint64_t)

static void groups_order(struct gsched *s, uint32_t job)
{
    static const struct gs_heap by_key = { key_before, key_swap };
    const struct trace_job *j = &s->work->job[job];
    struct gsched_jobs *all = s->jobs;

    all->group_order = gs_far_grow(s->work->far, all->group_order,
                                   &all->group_order_cap, s->work->group_count,
                                   sizeof(*all->group_order));
    all->sort_key = gs_array_grow(all->sort_key, &all->sort_key_cap,
                                  j->group_count, sizeof(*all->sort_key));
    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t value = (uint32_t)gsched_task_value(s, job, g);

        all->sort_key[g] = (uint64_t)(UINT32_C(0x7fffffff) - value) << 32 | g;
    }
    gs_heap_build(&by_key, all->sort_key, j->group_count);
    for (uint32_t k = 0, left = j->group_count; k < j->group_count; k++) {
        all->group_order[j->first_group + k] = (uint32_t)all->sort_key[0];
        all->sort_key[0] = all->sort_key[--left];
        (void)gs_heap_sink(&by_key, all->sort_key, left, 0);
    }
}

void gsched_classes_find(struct gsched *s, uint32_t job)
{
    const struct trace_class *klass = s->work->klass;
    const struct trace_job *j = &s->work->job[job];
    struct job_state *js = gsched_job(s, job);

    js->low_class = js->high_class = j->klass;
    js->has_classes = false;
    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t c = trace_group_class(j, gsched_group(s, job, g));

        js->has_classes |= c != j->klass;
        if (s->profile->unit != GSCHED_UNIT_POD)
            continue;
        if (g == 0 || klass[c].value < klass[js->low_class].value)
            js->low_class = c;
        if (g == 0 || klass[c].value > klass[js->high_class].value)
            js->high_class = c;
    }
    s->jobs->any_classes |= js->has_classes;
    if (js->has_classes)
        groups_order(s, job);
}

bool gsched_has_action(const struct gsched *s, enum gsched_action a)
{
    for (uint32_t i = 0; i < s->profile->action_count; i++) {
        if (s->profile->action[i] == a)
            return true;
    }
    return false;
}

/* Indices of the states of all jobs that are not known. */
enum { NEVER_KNOWN, FORGOTTEN, KNOWN };

struct job_state *gsched_job_begin(struct gsched *s, uint32_t job)
{
    struct gsched_jobs *j = s->jobs;
    uint32_t at = j->at_free;

    assert(job < j->job_count && j->of[job] < KNOWN);
    /* attempts that were noted for the number were those of another job */
    if (j->of[job] == FORGOTTEN)
        s->allocations->allocation_changes++;
    if (at) {
        j->at_free = j->at[at].created;
    } else {
        j->at = gs_array_grow(j->at, &j->at_cap, j->at_count + 1,
                              sizeof(*j->at));
        at = j->at_count++;
    }
    j->at[at] = j->at[NEVER_KNOWN];
    j->at[at].life = ++j->lives;
    j->of[job] = at;
    return &j->at[at];
}

void gsched_job_forget(struct gsched *s, uint32_t job)
{
    struct gsched_jobs *j = s->jobs;
    const uint32_t at = j->of[job];

    assert(at >= KNOWN && !j->at[at].is_sample);
    j->at[at].created = j->at_free; /* links the entries that are free */
    j->at_free = at;
    j->of[job] = FORGOTTEN;
}

struct job_aside *gsched_job_aside_put(struct gsched *s, uint32_t job)
{
    assert(job < s->jobs->job_count);
    s->jobs->aside = gs_far_grow(s->work->far, s->jobs->aside,
                                 &s->jobs->aside_cap, s->jobs->job_count,
                                 sizeof(*s->jobs->aside));
    return &s->jobs->aside[job];
}

uint32_t gsched_gang_of(const struct gsched *s, uint32_t job, uint32_t g)
{
    const struct trace_job *j = &s->work->job[job];

    assert(g < j->group_count);
    return j->group_count == 1 ? j->gang
                               : s->jobs->group_gang[j->first_group + g];
}

uint32_t gsched_gang_enough(const struct gsched *s, uint32_t job)
{
    const uint64_t gang = s->work->job[job].gang;
    const uint32_t part = s->modules->retry.part;

    return part ? (uint32_t)((gang * part + 99) / 100) : (uint32_t)gang;
}

struct scope gsched_scope_all(const struct gsched *s, uint32_t job,
                              uint32_t group)
{
    assert(job < s->jobs->job_count);
    return (struct scope){ .end = s->topo->node_count,
                           .job = job,
                           .group = group,
                           .has_rules = gsched_has_rules(s, job) };
}

bool gsched_asks_nothing(const struct gsched *s, const int64_t *amount)
{
    for (uint32_t d = 0; d < s->topo->dims->count; d++) {
        if (d != TOPO_PODS && amount[d] > 0)
            return false;
    }
    return true;
}

bool gsched_asks_gpus(const struct gsched *s, uint32_t job)
{
    for (uint32_t g = 0; g < s->work->job[job].group_count; g++) {
        const struct topo_request *r = gsched_request(s, job, g);

        if (r->gpus == 0 && r->share_memory == 0 && !topo_request_is_part(r))
            return false;
    }
    return true;
}

void gsched_jobs_open(struct gsched *s)
{
    struct gsched_jobs *j = gs_arena_alloc(s->arena, 1, sizeof(*j));

    s->jobs = j;
    j->at = gs_array_grow(j->at, &j->at_cap, KNOWN, sizeof(*j->at));
    for (; j->at_count < KNOWN; j->at_count++)
        j->at[j->at_count] = (struct job_state){ .first_allocation = NONE,
                                                 .partial_at = NONE,
                                                 .deadline_at = NONE,
                                                 .wait = NONE,
                                                 .older = NONE,
                                                 .newer = NONE,
                                                 .end_at = NONE,
                                                 .submitted_at = NONE };
}

void gsched_jobs_free(struct gsched *s)
{
    gs_far_free(s->work->far, s->jobs->of);
    gs_array_free(s->jobs->at);
    gs_far_free(s->work->far, s->jobs->aside);
    gs_far_free(s->work->far, s->jobs->group_placed);
    gs_far_free(s->work->far, s->jobs->group_gang);
    gs_far_free(s->work->far, s->jobs->group_order);
    gs_array_free(s->jobs->sort_key);
}
