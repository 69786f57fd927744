/* reports/measure/bound.c - work over capacity, the longest job, the least sum
 * of waits; see bound.h.
 */
#include "reports/measure/bound.h"

#include <assert.h>

#include "base/array.h"
#include "base/far.h"
#include "reports/measure/flow_bound.h"
#include "reports/measure/log.h"
#include "reports/measure/window.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

/* Amounts x microseconds need more than 64 bits. */
__extension__ typedef unsigned __int128 wide;

/* Tasks that stand at time 0: how long they still run is not counted. */
static uint32_t standing_of(const struct trace_workload *w,
                            const struct trace_job *j)
{
    uint32_t tasks = 0;

    for (uint32_t i = 0; i < j->aside->stand_count; i++)
        tasks += w->stand[j->aside->first_stand + i].tasks;
    return tasks;
}

/* The smallest amount that the job holds while it runs.  A job that starts with
 * fewer than all tasks may never get the others: its smallest tasks count.
 */
static wide amount_least(const struct trace_workload *w,
                         const struct trace_job *j, enum topo_dim dim)
{
    uint64_t smallest = UINT64_MAX;
    wide sum = 0;

    for (uint32_t g = 0; g < j->group_count; g++) {
        const struct trace_group *gr = trace_group_at(w, j->first_group + g);
        const uint64_t amount = (uint64_t)w->shape[gr->shape].amount[dim];

        sum += (wide)amount * gr->replicas;
        smallest = amount < smallest ? amount : smallest;
    }
    if (j->aside->completions)
        sum = (wide)smallest * (j->aside->completions - standing_of(w, j));
    else if (j->gang < j->tasks)
        sum = (wide)smallest * j->gang;
    return sum;
}

/* The factor of the fastest node for jobs with these labels. */
static uint64_t fastest_of(const struct topo *t, const uint32_t *label,
                           uint32_t labels)
{
    uint64_t fastest = 1;

    for (uint32_t k = 0; k < t->class_count; k++) {
        const uint32_t speed = topo_class_speed(&t->klass[k], label, labels);

        fastest = speed > fastest ? speed : fastest;
    }
    return fastest;
}

/* What the times of jobs follow from. */
struct pace {
    const struct topo *t;
    const struct trace_workload *w;
    const struct report_log *log;
    uint32_t speed_most;
    uint64_t fastest; /* for jobs without labels */
};

static struct pace pace_of(const struct topo *t, const struct trace_workload *w,
                           const struct report_log *log, uint32_t speed_most)
{
    return (struct pace){ t, w, log, speed_most, fastest_of(t, NULL, 0) };
}

/* The shortest time in which a job can do its work on any node. */
static uint64_t time_least(const struct pace *p, const struct trace_job *j)
{
    const uint64_t fastest = j->aside->label_count ? fastest_of(
                                 p->t, p->w->label + j->aside->first_label,
                                 j->aside->label_count)
                                                   : p->fastest;

    return (uint64_t)((wide)j->duration * 1000 * 1000000
                      / ((wide)fastest * p->speed_most));
}

static enum topo_dim dim_of(const struct topo *t)
{
    return t->gpu_count ? TOPO_GPU : TOPO_CPU;
}

static wide capacity_of(const struct topo *t)
{
    wide sum = 0;

    for (uint32_t n = 0; n < t->node_count; n++)
        sum += (uint64_t)t->klass[t->node_class[n]].capacity[dim_of(t)];
    return sum;
}

/* Time that is left after so much before time 0. */
static int64_t left_of(int64_t us, int64_t before)
{
    return us > before ? us - before : 0;
}

double report_bound_makespan(const struct topo *t,
                             const struct trace_workload *w,
                             const struct report_log *log,
                             const struct report_window *window,
                             uint32_t speed_most)
{
    const struct pace pace = pace_of(t, w, log, speed_most);
    const wide capacity = capacity_of(t);
    int64_t first = -1, longest = -1; /* from the first submit */
    wide work = 0;

    assert(t);
    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const struct report_job end = report_log_job(log, i);
        int64_t least;

        if (end.held == INT64_MAX
            || !report_window_has(window, j->submit + end.held)
            || j->submit + end.held > log->end)
            continue;
        first = first < 0 ? j->submit : first;
        if (j->duration == TRACE_FOREVER || end.state == REPORT_REJECTED)
            continue;
        least = (int64_t)time_least(&pace, j);
        if (!j->aside->completions)
            least = left_of(least, trace_job_ran_before(w, j));
        if (!j->aside->withdraws) /* else it may end without */
            work += amount_least(w, j, dim_of(t)) * (uint64_t)least;
        least = trace_rounds_time(least, trace_job_rounds(j));
        if (j->aside->completions)
            least = left_of(least, -j->aside->since);
        if (j->submit - first + least > longest)
            longest = j->submit - first + least;
    }
    if (longest >= 0 && capacity && work / capacity >= (uint64_t)longest)
        return (double)work / (double)capacity;
    return (double)longest;
}

/* The job, as long and as large as it is at least. */
static void flow_job(const void *of, uint32_t job, struct report_flow_job *out)
{
    const struct pace *p = of;
    const struct trace_job *j = &p->w->job[job];
    const uint64_t length = time_least(p, j);

    *out = (struct report_flow_job){
        .release = j->submit + report_log_job(p->log, job).held,
        .length = (int64_t)length,
        .work = amount_least(p->w, j, dim_of(p->t)) * length,
    };
}

void report_bound_waits(const struct topo *t, const struct trace_workload *w,
                        const struct report_log *log,
                        const struct report_window *window, uint32_t speed_most,
                        struct report_bound_waits *out)
{
    uint32_t *flow = gs_far_new(w->far, log->job_count + 1, sizeof(*flow));
    const struct pace pace = pace_of(t, w, log, speed_most);
    const wide capacity = capacity_of(t);
    uint32_t count = 0;

    *out = (struct report_bound_waits){ 0 };
    for (uint32_t i = 0; i < log->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const struct report_job end = report_log_job(log, i);
        const int64_t release = end.held == INT64_MAX ? INT64_MAX
                                                      : j->submit + end.held;
        int64_t length;

        if (j->aside->stand_count || end.start < 0
            || !report_window_has(window, release) || release > log->end)
            continue;
        out->started++;
        if (end.state != REPORT_DONE)
            continue;
        out->done++;
        if (j->aside->withdraws || j->duration == TRACE_FOREVER)
            continue;
        length = (int64_t)time_least(&pace, j);
        out->run += (double)trace_rounds_time(length, trace_job_rounds(j));
        if (!j->aside->completions && length && amount_least(w, j, dim_of(t)))
            flow[count++] = i;
    }
    if (capacity)
        out->waited = report_flow_bound(flow_job, &pace, flow, count,
                                        (uint64_t)capacity, w->far);
    gs_far_free(w->far, flow);
}
