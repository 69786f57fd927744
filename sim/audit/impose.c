/* sim/audit/impose.c - carries out the record, see audit_private.h. */
#include <assert.h>

#include "base/array.h"
#include "sim/audit/audit_private.h"
#include "traces/workload/records.h"

/* The scheduler accepts all that the audit tells it. */
static void accepted(int status)
{
    assert(status == 0);
    (void)status;
}

bool audit_adopt(struct auditing *a, uint32_t job)
{
    const struct audit_job *j = &a->job[job];

    for (uint32_t i = 0; i < j->grants; i++) {
        const struct sim_recorded_grant *g = &a->held[j->first_grant + i];

        if (gsched_adopt(a->sched, job, g->group, g->first_task, &g->grant,
                         j->since, a->now)
            < 0)
            return false;
    }
    return true;
}

static void submit(struct auditing *a, uint32_t job)
{
    accepted(gsched_submit(a->sched, job, a->work->job[job].tasks, a->now));
    a->job[job].state = AUDIT_WAITS;
}

static void hold(struct auditing *a, uint32_t job,
                 const struct sim_recorded_grant *at, uint32_t count)
{
    struct audit_job *j = &a->job[job];

    j->first_grant = a->held_count;
    j->grants = count;
    a->held = gs_array_grow(a->held, &a->held_cap, a->held_count + count,
                            sizeof(*a->held));
    for (uint32_t i = 0; i < count; i++)
        a->held[a->held_count++] = at[i];
}

static void start(struct auditing *a, const struct audit_event *e)
{
    struct audit_job *j = &a->job[e->job];
    const struct trace_job *t = &a->work->job[e->job];
    const enum sim_recorded_place how = sim_recorded_find(
        &a->recorded, a->cluster, e->job,
        &a->work->records->record[t->first_record + e->run]);

    j->state = AUDIT_RUNS;
    j->since = a->now;
    a->out->unknown += how == SIM_RECORDED_UNKNOWN;
    a->out->elsewhere += how == SIM_RECORDED_ELSEWHERE;
    a->out->nowhere += how == SIM_RECORDED_NOWHERE;
    hold(a, e->job, a->recorded.at, a->recorded.count);
    if (j->is_rejected)
        return;
    if (how != SIM_RECORDED_NOWHERE && audit_adopt(a, e->job))
        return;
    /* it is not imposed, and must not wait any more */
    accepted(gsched_end(a->sched, e->job, a->now));
    j->is_rejected = true;
}

static void end(struct auditing *a, uint32_t job)
{
    struct audit_job *j = &a->job[job];

    if (j->state == AUDIT_OVER)
        return;
    j->grants = 0;
    if (!j->is_rejected)
        accepted(gsched_end(a->sched, job, a->now));
    j->state = AUDIT_OVER;
}

static void evict(struct auditing *a, uint32_t job)
{
    struct audit_job *j = &a->job[job];

    j->grants = 0;
    if (!j->is_rejected && gsched_placed(a->sched, job))
        accepted(gsched_lost(a->sched, job, a->now));
    j->state = AUDIT_WAITS;
}

/* The record has whole seconds: which runs of one instant came first is not
 * known, so that this one is not judged; its job is away as after any eviction.
 */
static void start_and_evict(struct auditing *a, const struct audit_event *e)
{
    const struct trace_job *t = &a->work->job[e->job];

    if (a->job[e->job].is_rejected
        || sim_recorded_find(
               &a->recorded, a->cluster, e->job,
               &a->work->records->record[t->first_record + e->run])
               == SIM_RECORDED_NOWHERE)
        return;
    a->job[e->job].since = a->now;
    hold(a, e->job, a->recorded.at, a->recorded.count);
    if (audit_adopt(a, e->job))
        evict(a, e->job);
    a->job[e->job].grants = 0;
}

void audit_impose(struct auditing *a, const struct audit_event *e)
{
    assert(e->job < a->work->job_count && e->at == a->now);
    switch (e->kind) {
    case AUDIT_SUBMIT:
        if (a->job[e->job].state == AUDIT_ABSENT)
            submit(a, e->job);
        break;
    case AUDIT_BRIEF:
        start_and_evict(a, e);
        break;
    case AUDIT_START:
        start(a, e);
        break;
    case AUDIT_END:
        end(a, e->job);
        break;
    case AUDIT_EVICT:
        evict(a, e->job);
        break;
    }
}

void audit_warm(struct auditing *a)
{
    for (uint32_t i = 0; i < a->warm.count; i++) {
        const struct sim_warm_grant *g = &a->warm.at[i];
        const struct sim_recorded_grant one = { g->group, g->first_task,
                                                g->grant };
        const struct trace_job *t = &a->work->job[g->job];
        struct audit_job *j = &a->job[g->job];

        if (j->state == AUDIT_ABSENT)
            submit(a, g->job);
        accepted(gsched_adopt(a->sched, g->job, g->group, g->first_task,
                              &g->grant, t->aside->since, a->now));
        if (j->state == AUDIT_RUNS) {
            a->held[a->held_count++] = one;
            j->grants++;
        } else {
            hold(a, g->job, &one, 1);
        }
        a->held = gs_array_grow(a->held, &a->held_cap, a->held_count + 1,
                                sizeof(*a->held));
        j->state = AUDIT_RUNS;
        j->since = t->aside->since;
    }
}
