/* policies/hold.c - who holds what, span by span, and who holds too little.
 *
 * A job that holds less than its gang is partly placed; it is listed, and has
 * a deadline when a module limits how long it may hold.
 */
#include "base/array.h"
#include "policies/scheduler_private.h"

bool gsched_next_span(const struct gsched *s, uint32_t job, uint32_t *at,
                      struct gsched_decision *out)
{
    const uint32_t i = *at == GSCHED_FIRST ? s->job[job].first_span
                                           : s->span[*at].next;

    if (i == NONE)
        return false;
    *at = i;
    *out = (struct gsched_decision){ GSCHED_PLACE,     job,
                                     s->span[i].group, s->span[i].first_task,
                                     s->span[i].grant, s->span[i].placed_at };
    return true;
}

static uint32_t span_take(struct gsched *s)
{
    const uint32_t i = s->free_span;

    if (i != NONE) {
        s->free_span = s->span[i].next;
        return i;
    }
    s->span = gs_array_grow(s->span, &s->span_cap, s->span_count + 1,
                            sizeof(*s->span));
    return s->span_count++;
}

static void partly_add(struct gsched *s, uint32_t job)
{
    struct job_state *j = &s->job[job];

    j->phase = JOB_PARTLY;
    j->held_since = s->now;
    s->partly = gs_array_grow(s->partly, &s->partly_cap, s->partly_count + 1,
                              sizeof(*s->partly));
    s->partly[j->partly_at = s->partly_count++] = job;
    if (s->hold_time == GSCHED_NEVER)
        return;
    s->deadline = gs_array_grow(s->deadline, &s->deadline_cap,
                                s->deadline_count + 1, sizeof(*s->deadline));
    s->deadline[s->deadline_count++] = (struct deadline){ s->now + s->hold_time,
                                                          job };
}

static void partly_drop(struct gsched *s, uint32_t job)
{
    const uint32_t last = s->partly[--s->partly_count];

    s->partly[s->job[job].partly_at] = last;
    s->job[last].partly_at = s->job[job].partly_at;
    s->job[job].partly_at = NONE;
}

void gsched_hold(struct gsched *s, uint32_t job, uint32_t group,
                 uint32_t first_task, const struct topo_grant *g)
{
    const struct trace_job *spec = &s->work->job[job];
    const uint32_t i = span_take(s);
    struct job_state *j = &s->job[job];

    s->span[i] = (struct span){ j->first_span, group, first_task, *g, s->now };
    j->first_span = i;
    j->placed += g->tasks;
    s->group_placed[spec->first_group + group] += g->tasks;
    if (j->phase == JOB_RUNNING)
        return;
    if (j->placed < spec->gang) {
        if (j->phase != JOB_PARTLY)
            partly_add(s, job);
        return;
    }
    if (j->phase == JOB_PARTLY)
        partly_drop(s, job);
    j->phase = JOB_RUNNING;
    s->waiting--;
}

static void freed_add(struct gsched *s, uint32_t group)
{
    if (s->freed_count && s->freed[s->freed_count - 1] == group)
        return;
    s->freed = gs_array_grow(s->freed, &s->freed_cap, s->freed_count + 1,
                             sizeof(*s->freed));
    s->freed[s->freed_count++] = group;
}

void gsched_release_all(struct gsched *s, uint32_t job, bool evicted)
{
    const struct trace_job *spec = &s->work->job[job];
    struct job_state *j = &s->job[job];
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_span(s, job, &at, &d)) {
        topo_cluster_release(
            s->cluster, &s->work->shape[gsched_group(s, job, d.group)->shape],
            &d.grant);
        freed_add(s, topo_cluster_group_of(s->cluster, d.grant.node));
        s->group_placed[spec->first_group + d.group] -= d.grant.tasks;
        d.kind = GSCHED_EVICT;
        if (evicted)
            gsched_decide(s, &d);
    }
    if (at != GSCHED_FIRST) {
        s->span[at].next = s->free_span;
        s->free_span = j->first_span;
    }
    j->first_span = NONE;
    j->placed = 0;
    if (j->phase == JOB_PARTLY)
        partly_drop(s, job);
}
