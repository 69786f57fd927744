/* traces/edit/describe.c - summary of a workload. */
#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/strtab.h"
#include "traces/edit/describe.h"

#define MILLI_US_PER_HOUR (3600e6 * TOPO_SHARE_ONE)

const char *trace_size_name(enum trace_size s)
{
    static const char *const name[TRACE_SIZES] = {
        "CPU only", "shared", "1", "2-7", "8", "9-64", "65-511", "512+",
    };

    return name[s];
}

static bool shares_devices(const struct trace_workload *w, uint32_t job)
{
    const struct trace_job *j = &w->job[job];

    for (uint32_t i = 0; i < j->group_count; i++) {
        const struct topo_request *r =
            &w->shape[trace_group_at(w, j->first_group + i)->shape];

        if (topo_request_is_part(r) || r->share_memory)
            return true;
    }
    return false;
}

enum trace_size trace_job_size(const struct trace_workload *w, uint32_t job)
{
    const int64_t gpus = trace_job_gpu_milli(w, job) / TOPO_SHARE_ONE;

    assert(job < w->job_count);
    if (shares_devices(w, job))
        return TRACE_SIZE_SHARED;
    return gpus == 0    ? TRACE_SIZE_CPU
           : gpus == 1  ? TRACE_SIZE_1
           : gpus < 8   ? TRACE_SIZE_2_7
           : gpus == 8  ? TRACE_SIZE_8
           : gpus <= 64 ? TRACE_SIZE_9_64
           : gpus < 512 ? TRACE_SIZE_65_511
                        : TRACE_SIZE_512;
}

static int by_value(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Percentile by nearest rank. */
static int64_t rank(const int64_t *sorted, uint32_t n, uint32_t percent)
{
    return sorted[((uint64_t)n * percent + 99) / 100 - 1];
}

static void describe_durations(const struct trace_workload *w,
                               struct trace_summary *s)
{
    int64_t *d = gs_array_new(w->job_count, sizeof(*d));
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->job_count; i++) {
        if (w->job[i].duration != TRACE_FOREVER)
            d[n++] = w->job[i].duration;
    }
    if (n) {
        qsort(d, n, sizeof(*d), by_value);
        s->p50 = rank(d, n, 50);
        s->p90 = rank(d, n, 90);
        s->p99 = rank(d, n, 99);
        s->max = d[n - 1];
    }
    gs_array_free(d);
}

struct load {
    uint32_t jobs;
    double gpu_hours;
};

/* Keep the largest queues, the largest first. */
static void rank_queue(struct trace_summary *s, uint32_t queue,
                       const struct load *l)
{
    uint32_t i = s->top_count;

    if (i == TRACE_TOP_QUEUES && s->top[i - 1].gpu_hours >= l->gpu_hours)
        return;
    if (i < TRACE_TOP_QUEUES)
        s->top_count++;
    else
        i--;
    for (; i > 0 && s->top[i - 1].gpu_hours < l->gpu_hours; i--)
        s->top[i] = s->top[i - 1];
    s->top[i].queue = queue;
    s->top[i].jobs = l->jobs;
    s->top[i].gpu_hours = l->gpu_hours;
}

/* Its duration, less the time that all of it ran before time 0. */
static int64_t left_of(const struct trace_workload *w,
                       const struct trace_job *j)
{
    const int64_t before = j->aside->completions ? 0
                                                 : trace_job_ran_before(w, j);

    return j->duration > before ? j->duration - before : 0;
}

static void count_job(const struct trace_workload *w, uint32_t i,
                      struct load *queue, struct trace_summary *s)
{
    const struct trace_job *j = &w->job[i];
    const int64_t milli = trace_job_gpu_milli(w, i);
    const enum trace_size size = trace_job_size(w, i);
    double hours = 0;

    if (j->duration != TRACE_FOREVER)
        hours = (double)milli * (double)left_of(w, j) / MILLI_US_PER_HOUR
                * trace_job_runs(j) / j->tasks;
    s->begun += j->aside->stand_count > 0;
    s->tasks += j->tasks;
    s->gangs += j->gang > 1;
    s->services += j->duration == TRACE_FOREVER;
    s->gpu_hours += hours;
    s->size[size].jobs++;
    s->size[size].gpu_hours += hours;
    if (milli > s->largest_milli)
        s->largest_milli = milli;
    queue[j->queue].jobs++;
    queue[j->queue].gpu_hours += hours;
}

static uint32_t count_users(const struct trace_workload *w)
{
    bool *met = gs_array_new(gs_strtab_count(w->names), sizeof(*met));
    uint32_t n = 0;

    for (uint32_t i = 0; i < w->job_count; i++) {
        const uint32_t user = w->job[i].user;

        n += user && !met[user];
        met[user] = true;
    }
    gs_array_free(met);
    return n;
}

void trace_describe(const struct trace_workload *w, struct trace_summary *out)
{
    struct trace_summary s = { .jobs = w->job_count, .shapes = w->shape_count };
    struct load *queue = gs_array_new(w->queue_count, sizeof(*queue));

    assert(w && out);
    for (uint32_t i = 0; i < w->job_count; i++)
        count_job(w, i, queue, &s);
    for (uint32_t q = 0; q < w->queue_count; q++) {
        if (queue[q].jobs) {
            s.queues++;
            rank_queue(&s, q, &queue[q]);
        }
    }
    gs_array_free(queue);
    if (w->job_count) {
        s.first_submit = w->job[0].submit;
        s.last_submit = w->job[w->job_count - 1].submit;
        s.span = s.last_submit - s.first_submit;
    }
    if (s.span > 0)
        s.mean_gpus = s.gpu_hours * 3600e6 / (double)s.span;
    s.users = count_users(w);
    describe_durations(w, &s);
    *out = s;
}
