/* reports/measure/flow_bound.c - one machine instead of a cluster; see
 * flow_bound.h.  Its clock counts amount x us: a job takes its work.
 */
#include "reports/measure/flow_bound.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/heap.h"

typedef report_flow_wide wide;

/* Jobs that are released and not done. */
struct machine {
    const struct report_flow_job *job;
    uint32_t *waiting; /* a heap of jobs */
    uint32_t count;
    wide *left;   /* [job] work */
    bool by_left; /* the least that is left first; else the least work */
};

static bool goes_before(const void *of, uint32_t a, uint32_t b)
{
    const struct machine *m = of;
    const uint32_t i = m->waiting[a], k = m->waiting[b];
    const wide x = m->by_left ? m->left[i] : m->job[i].work;
    const wide y = m->by_left ? m->left[k] : m->job[k].work;

    return x != y ? x < y : i < k;
}

static void places_swap(void *of, uint32_t a, uint32_t b)
{
    struct machine *m = of;
    const uint32_t it = m->waiting[a];

    m->waiting[a] = m->waiting[b];
    m->waiting[b] = it;
}

static const struct gs_heap order = { goes_before, places_swap };

static void machine_take(struct machine *m, uint32_t job)
{
    m->left[job] = m->job[job].work;
    m->waiting[m->count] = job;
    (void)gs_heap_rise(&order, m, m->count++);
}

static void machine_drop(struct machine *m)
{
    m->waiting[0] = m->waiting[--m->count];
    (void)gs_heap_sink(&order, m, m->count, 0);
}

/* Let the first job run for `span` from `now`, and return what that adds to the
 * sum of times since release: of ends, or of mean busy times.
 */
static double machine_run(struct machine *m, wide now, wide span,
                          uint64_t capacity)
{
    const uint32_t job = m->waiting[0];
    const struct report_flow_job *j = &m->job[job];
    const double since = (double)(now - (wide)(uint64_t)j->release * capacity);

    m->left[job] -= span;
    if (!m->by_left)
        return (double)span / (double)j->work * (since + (double)span / 2);
    return m->left[job] ? 0 : since + (double)span;
}

/* Run all jobs; waits[period] becomes at least what the jobs of each busy period
 * wait.  Returns the number of periods.
 */
static uint32_t machine_pass(struct machine *m, uint32_t jobs,
                             uint64_t capacity, double *waits)
{
    const double part = m->by_left ? 1 : 0.5; /* of a length, to the end */
    uint32_t next = 0, period = 0;

    while (next < jobs) {
        wide now = (wide)(uint64_t)m->job[next].release * capacity;
        double sum = 0, lengths = 0;

        do {
            wide span;

            for (; next < jobs
                   && (wide)(uint64_t)m->job[next].release * capacity <= now;
                 next++) {
                machine_take(m, next);
                lengths += (double)m->job[next].length;
            }
            span = m->left[m->waiting[0]];
            if (next < jobs
                && (wide)(uint64_t)m->job[next].release * capacity - now < span)
                span = (wide)(uint64_t)m->job[next].release * capacity - now;
            sum += machine_run(m, now, span, capacity);
            now += span;
            if (m->left[m->waiting[0]] == 0)
                machine_drop(m);
        } while (m->count);
        sum = sum / (double)capacity - part * lengths;
        if (sum > waits[period])
            waits[period] = sum;
        period++;
    }
    return period;
}

static int release_compare(const void *pa, const void *pb)
{
    const struct report_flow_job *a = pa, *b = pb;

    if (a->release != b->release)
        return (a->release > b->release) - (a->release < b->release);
    return (a->work > b->work) - (a->work < b->work);
}

double report_flow_bound(struct report_flow_job *job, uint32_t jobs,
                         uint64_t capacity)
{
    double *waits = gs_array_new(jobs + 1, sizeof(*waits)), sum = 0;
    struct machine m = { .job = job,
                         .waiting = gs_array_new(jobs + 1, sizeof(uint32_t)),
                         .left = gs_array_new(jobs + 1, sizeof(wide)) };
    uint32_t periods = 0;

    assert(capacity > 0);
    qsort(job, jobs, sizeof(*job), release_compare);
    for (int pass = 0; pass < 2; pass++) {
        m.by_left = pass == 0;
        periods = machine_pass(&m, jobs, capacity, waits);
    }
    for (uint32_t i = 0; i < periods; i++)
        sum += waits[i];
    gs_array_free(m.waiting);
    gs_array_free(m.left);
    gs_array_free(waits);
    return sum;
}
