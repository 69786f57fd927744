/* sim/replay/tell.c - see tell.h. */
#include "sim/replay/tell.h"

#include <assert.h>

#include "sim/replay/replay_private.h"

void sim_tell_allocation(struct sim *s, const struct gsched_decision *d,
                         enum sim_allocation_event what)
{
    const struct report_allocation span = {
        .job = d->job,
        .group = d->group,
        .node = d->grant.node,
        .first_task = sim_task_number(s, d),
        .tasks = d->grant.tasks,
        .devices = d->grant.devices,
        .slice = d->grant.slice,
        .placed_at = sim_in_run(d->placed_at),
    };

    assert(d->grant.tasks > 0 && d->grant.node < s->topo->node_count);
    assert(d->placed_at <= s->now);
    if (what == ALLOCATION_PLACED || what == ALLOCATION_RELEASED) {
        sim_nodes_tasks(s, span.node, span.tasks, what == ALLOCATION_PLACED);
        sim_others_note(s, d, what == ALLOCATION_RELEASED);
    }
    switch (what) {
    case ALLOCATION_PLACED:
        SIM_TELL(s, placed, &span);
        break;
    case ALLOCATION_RELEASED:
        SIM_TELL(s, released, &span);
        break;
    case ALLOCATION_HELD:
        SIM_TELL(s, held, &span);
        break;
    case ALLOCATION_RENUMBERED:
        SIM_TELL(s, renumbered, &span);
        break;
    }
}

/* Run time without repeated work; for a job with completions the time of its
 * rounds, as if all its tasks ran at once.
 */
static int64_t work_of(const struct sim *s, uint32_t job, int64_t ran)
{
    const struct trace_job *w = &s->work->job[job];
    const int64_t lost = sim_past(s, job)->lost_us;
    int64_t rounds;

    assert(ran >= 0 && lost >= 0);
    if (!w->aside->completions)
        return ran > lost ? ran - lost : 0;
    rounds = trace_rounds_time(w->duration, trace_job_rounds(w));
    return rounds < ran ? rounds : ran;
}

void sim_tell_ended(struct sim *s, uint32_t job, int64_t end,
                    const char *reason)
{
    const struct sim_job *j = sim_life(s, job);
    const int64_t *waits = sim_job_waits(s, job);
    const int64_t ran = sim_job_ran(s, job);
    struct report_refusal refusal[SIM_REFUSALS];
    const uint32_t refusals = sim_job_refusals(s, job, refusal);
    char lack[SIM_LACK] = "";
    struct report_job r = {
        .job = job,
        .state = j->state,
        .cause = (uint8_t)sim_job_cause(s, job, waits),
        .evictions = j->evictions,
        .preemptions = j->preemptions,
        .level = j->level,
        .start = j->start,
        .end = end,
        .scheduler = sim_scheduler_name(s, job),
        .reason = reason,
        .waits = waits,
        .refusal = refusal,
        .refusals = (uint16_t)refusals,
        .ran = ran,
        .held = j->eligible - s->work->job[job].submit,
        .work = work_of(s, job, ran),
        .lost_gpu_us = sim_past(s, job)->lost_gpu_us,
    };

    if (!reason && waits && waits[REPORT_QUOTA] > 0) {
        sim_job_lack(s, job, lack, sizeof(lack));
        r.reason = lack[0] ? lack : NULL;
    }
    assert(end == -1 || end == s->now);
    assert(j->start <= s->now && (end < 0 || r.state >= REPORT_DONE));
    SIM_TELL(s, ended, &r);
}
