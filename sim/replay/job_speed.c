/* sim/replay/job_speed.c - the speed of a job at its placement.
 *
 * Durations and checkpoints are work, in microseconds at full speed.  The speed
 * depends on the node type, which may state speeds for classes of jobs, and on
 * the speed model (sim/speed/speed.h).
 */
#include "sim/replay/replay_private.h"

#include <assert.h>

#define SPEED_MAX 4000000000u /* millionths */

/* The model of its GPUs: on nodes with several the one that it asks for. */
static uint32_t model_of(const struct sim *s, uint32_t job, uint32_t klass)
{
    const struct topo_class *k = &s->topo->klass[klass];
    const struct trace_job *w = &s->work->job[job];
    const struct topo_request *r =
        &s->work->shape[trace_group_at(s->work, w->first_group)->shape];

    return k->model_count > 1 && r->model_count == 1 ? r->model[0] : k->model;
}

/* The factor of the model, in millionths, for a job on such nodes. */
static uint32_t model_speed(const struct sim *s, uint32_t job, uint32_t klass,
                            uint32_t level, struct sim_job_speed *p)
{
    const struct sim_speed *m = s->options->speed;
    const struct sim_speed_row *r;

    p->by = REPORT_SPEED_NODES;
    p->scales = m && m->is_linear;
    if (!m)
        return SIM_FULL_SPEED;
    r = sim_speed_find(m, s->work, job, model_of(s, job, klass),
                       sim_life(s, job)->allocated_milli, level);
    if (r) {
        p->by = REPORT_SPEED_TABLE;
        p->scales = m->is_linear && !r->gpus;
        return r->milli * 1000;
    }
    if (!m->is_all_reduce || !s->work->job[job].aside->communication)
        return SIM_FULL_SPEED;
    p->by = REPORT_SPEED_ALL_REDUCE;
    return sim_speed_reduce(s->topo, s->work, job, level);
}

/* The speed on nodes of class `klass`. */
static struct sim_job_speed speed_on(const struct sim *s, uint32_t job,
                                     uint32_t klass, uint32_t level)
{
    const struct trace_job *w = &s->work->job[job];
    struct sim_job_speed p = { .level = level,
                               .tasks = sim_life(s, job)->placed };
    sim_wide speed, whole = 1000;

    assert(klass < s->topo->class_count && w->tasks > 0);
    p.nodes = topo_class_speed(&s->topo->klass[klass],
                               trace_job_labels(s->work, w),
                               w->aside->label_count);
    p.model = model_speed(s, job, klass, level, &p);
    assert(p.nodes > 0 && p.model > 0);
    speed = (sim_wide)p.nodes * p.model;
    if (p.scales) {
        speed *= p.tasks;
        whole *= w->tasks;
    }
    speed = (speed + whole / 2) / whole;
    p.speed = speed < 1 ? 1 : speed > SPEED_MAX ? SPEED_MAX : (uint32_t)speed;
    return p;
}

struct sim_job_speed sim_job_speed_of(const struct sim *s, uint32_t job)
{
    uint32_t at = GSCHED_FIRST, low = UINT32_MAX, high = 0, last = UINT32_MAX;
    struct sim_job_speed least = { .speed = UINT32_MAX };
    struct gsched_decision d;
    uint32_t level;

    while (gsched_next_allocation(sim_sched(s, job), job, &at, &d)) {
        low = d.grant.node < low ? d.grant.node : low;
        high = d.grant.node > high ? d.grant.node : high;
    }
    if (low == UINT32_MAX)
        return (struct sim_job_speed){ .speed = SIM_FULL_SPEED };
    level = topo_level_between(s->topo, low, high);
    for (at = GSCHED_FIRST;
         gsched_next_allocation(sim_sched(s, job), job, &at, &d);) {
        const uint32_t klass = s->topo->node_class[d.grant.node];
        struct sim_job_speed p;

        if (klass == last)
            continue;
        p = speed_on(s, job, klass, level);
        least = p.speed < least.speed ? p : least;
        last = klass;
    }
    return least;
}

int64_t sim_time_for(const struct sim_job *j, int64_t work)
{
    assert(work >= 0 && j->speed > 0);
    sim_wide time;

    if (j->speed == SIM_FULL_SPEED)
        return work;
    time = ((sim_wide)(uint64_t)work * SIM_FULL_SPEED + j->speed - 1)
           / j->speed;
    return time < SIM_LAST ? (int64_t)time : SIM_LAST;
}

int64_t sim_work_in(const struct sim_job *j, int64_t time)
{
    assert(time >= 0);
    if (j->speed == SIM_FULL_SPEED)
        return time;
    return (int64_t)((sim_wide)(uint64_t)time * j->speed / SIM_FULL_SPEED);
}
