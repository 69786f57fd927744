/* sim/speed.c - how fast a job runs where it was placed.
 *
 * Durations and checkpoints are work, in microseconds at full speed; node types
 * may be faster or slower, also for some classes of jobs only.
 */
#include "sim/sim_private.h"

uint32_t sim_speed_of(const struct sim *s, uint32_t job)
{
    const struct trace_job *w = &s->work->job[job];
    uint32_t at = GSCHED_FIRST, least = UINT32_MAX;
    struct gsched_decision d;

    while (gsched_next_span(s->sched, job, &at, &d)) {
        const uint32_t klass = s->topo->node_class[d.grant.node];
        const uint32_t speed = topo_class_speed(&s->topo->klass[klass],
                                                s->work->label + w->first_label,
                                                w->label_count);

        least = speed < least ? speed : least;
    }
    return least == UINT32_MAX ? SIM_FULL_SPEED : least;
}

int64_t sim_time_for(const struct sim_job *j, int64_t work)
{
    if (j->speed == SIM_FULL_SPEED)
        return work;
    if (work > SIM_LAST / SIM_FULL_SPEED)
        return SIM_LAST;
    return (work * SIM_FULL_SPEED + j->speed - 1) / j->speed;
}

int64_t sim_work_in(const struct sim_job *j, int64_t time)
{
    if (j->speed == SIM_FULL_SPEED)
        return time;
    return time / SIM_FULL_SPEED * j->speed
           + time % SIM_FULL_SPEED * j->speed / SIM_FULL_SPEED;
}
