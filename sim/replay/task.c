/* sim/replay/task.c - tasks of a job with completions, which start and end one
 * by one.
 *
 * sim_run_begin starts tasks that were placed together.  sim_run_end ends them
 * after the job's duration on that node; tasks that were evicted or lost before
 * (sim_run_stop) run again from the beginning.  New tasks replace those that
 * ended; the job is done after the last task.
 */
#include "base/array.h"

#include <assert.h>

#include "sim/replay/replay_private.h"

int64_t sim_rounds_time(const struct sim *s, uint32_t job, int64_t each)
{
    const struct trace_job *w = &s->work->job[job];
    const uint32_t left = trace_job_runs(w) - sim_life(s, job)->ended;

    assert(w->aside->completions
           && sim_life(s, job)->ended < trace_job_runs(w));
    assert(each >= 0);
    return trace_rounds_time(each, (left - 1) / w->tasks + 1);
}

/* Run time of a task on the node. */
static int64_t time_on(const struct sim *s, uint32_t job, uint32_t node)
{
    const struct trace_job *w = &s->work->job[job];
    const sim_wide speed = topo_class_speed(
        &s->topo->klass[s->topo->node_class[node]],
        trace_job_labels(s->work, w), w->aside->label_count);
    const sim_wide time = ((sim_wide)(uint64_t)w->duration * 1000 + speed - 1)
                          / speed;

    assert(speed > 0 && w->duration >= 0);
    return time < SIM_LAST ? (int64_t)time : SIM_LAST;
}

/* The latest run on the node. */
static uint32_t *runs_on(struct sim *s, uint32_t node)
{
    if (!s->node_run) {
        s->node_run = gs_array_new(s->topo->node_count, sizeof(*s->node_run));
        for (uint32_t n = 0; n < s->topo->node_count; n++)
            s->node_run[n] = UINT32_MAX;
    }
    return &s->node_run[node];
}

void sim_run_begin(struct sim *s, const struct gsched_decision *d,
                   int64_t delay)
{
    struct sim_job *j = sim_life(s, d->job);
    uint32_t i = s->free_run, *first = runs_on(s, d->grant.node);
    int64_t ends;

    assert(d->kind == GSCHED_PLACE && d->grant.tasks > 0);
    assert(delay >= 0 && (i == UINT32_MAX || i < s->run_count));
    if (i != UINT32_MAX) {
        s->free_run = s->run[i].next;
    } else {
        s->run = gs_array_grow(s->run, &s->run_cap, s->run_count + 1,
                               sizeof(*s->run));
        i = s->run_count++;
    }
    s->run[i] = (struct sim_run){ .placed_at = d->placed_at,
                                  .devices = d->grant.devices,
                                  .job = d->job,
                                  .node = d->grant.node,
                                  .tasks = d->grant.tasks,
                                  .number = j->begun,
                                  .next = *first,
                                  .before = UINT32_MAX,
                                  .slice = d->grant.slice };
    if (*first != UINT32_MAX)
        s->run[*first].before = i;
    *first = i;
    j->begun += d->grant.tasks;
    ends = sim_later(sim_later(d->placed_at, delay),
                     time_on(s, d->job, d->grant.node));
    event_push(&s->queue, ends > s->now ? ends : s->now, EVENT_TASK_END, i, 0);
}

static bool is_same(const struct sim_run *r, const struct gsched_decision *d)
{
    return d->job == r->job && d->placed_at == r->placed_at
           && d->grant.node == r->node && d->grant.devices == r->devices
           && d->grant.slice == r->slice && d->grant.tasks == r->tasks;
}

/* The run of these tasks; UINT32_MAX: they are not tasks with completions. */
static uint32_t run_of(const struct sim *s, const struct gsched_decision *d)
{
    uint32_t i = s->node_run ? s->node_run[d->grant.node] : UINT32_MAX;

    while (i != UINT32_MAX && !is_same(&s->run[i], d))
        i = s->run[i].next;
    return i;
}

uint32_t sim_task_number(const struct sim *s, const struct gsched_decision *d)
{
    const uint32_t i = run_of(s, d);

    return i == UINT32_MAX ? d->first_task : s->run[i].number;
}

/* Remove the run from the list of its node. */
static void unlink_run(struct sim *s, uint32_t run)
{
    const struct sim_run *r = &s->run[run];

    assert(run < s->run_count);
    assert(r->before != UINT32_MAX || s->node_run[r->node] == run);
    if (r->next != UINT32_MAX)
        s->run[r->next].before = r->before;
    if (r->before != UINT32_MAX)
        s->run[r->before].next = r->next;
    else
        s->node_run[r->node] = r->next;
}

/* Remove the run.  Observers know the number of the first run that equals it,
 * so the two exchange their numbers.
 */
static void drop_run(struct sim *s, uint32_t run,
                     const struct gsched_decision *d)
{
    const uint32_t told = run_of(s, d);
    const uint32_t number = s->run[run].number;

    assert(told != UINT32_MAX && s->run[told].job == s->run[run].job);
    s->run[run].number = s->run[told].number;
    s->run[told].number = number;
    unlink_run(s, run);
}

void sim_run_stop(struct sim *s, const struct gsched_decision *d)
{
    const uint32_t i = run_of(s, d);

    if (i == UINT32_MAX)
        return;
    unlink_run(s, i);
    s->run[i].is_over = true; /* its event is out of date */
}

/* The iterator (gsched_next_allocation) of the allocation of these tasks. */
static uint32_t allocation_of(const struct sim *s, const struct sim_run *r,
                              struct gsched_decision *d)
{
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_allocation(sim_sched(s, r->job), r->job, &at, d)
           && !is_same(r, d))
        ;
    assert(at != GSCHED_FIRST);
    return at;
}

bool sim_run_end(struct sim *s, uint32_t run)
{
    const struct sim_run r = s->run[run];
    const struct trace_job *w = &s->work->job[r.job];
    struct sim_job *j = sim_life(s, r.job);
    struct gsched_decision d;
    uint32_t at, left;

    assert(run < s->run_count);
    if (!r.is_over) {
        at = allocation_of(s, &r, &d);
        assert(j->state == REPORT_RUNNING);
        assert(j->ended + r.tasks <= w->aside->completions);
        j->ended += r.tasks;
        if (j->ended == w->aside->completions) {
            sim_job_over(s, r.job);
        } else {
            left = trace_job_left(w, j->ended);
            j->due = j->due < left ? j->due : left;
            left = j->created < left ? j->created : left;
            sim_quota_give(s, r.job, left);
            j->created = left;
            j->placed -= r.tasks;
            assert(j->placed <= w->tasks && j->created <= w->tasks);
            sim_allocated_add(s, r.job, -sim_milli_of(s, &d));
            sim_tell_allocation(s, &d, ALLOCATION_RELEASED);
            sim_accepted(gsched_task_ended(sim_sched(s, r.job), r.job, at,
                                           j->created, s->now));
            drop_run(s, run, &d);
            sim_touch(s, r.job);
            sim_ending_progress(s);
        }
    }
    s->run[run].next = s->free_run;
    s->free_run = run;
    return !r.is_over;
}
