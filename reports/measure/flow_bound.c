/* reports/measure/flow_bound.c - one machine instead of a cluster; see
 * flow_bound.h.  Its clock counts amount x us: a job takes its work.
 */
#include "reports/measure/flow_bound.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/far.h"
#include "base/heap.h"

typedef report_flow_wide wide;

/* The jobs, in order. */
struct jobs {
    report_flow_job_fn get;
    const void *of;
    uint32_t *at, count;
    struct gs_far *far;
};

/* A job that is released and not done. */
struct waiting {
    wide left, work;
    int64_t release;
    uint32_t number; /* in order */
};

struct machine {
    struct waiting *waiting; /* a heap */
    uint32_t count, cap;
    bool by_left; /* the least that is left first; else the least work */
};

static bool goes_before(const void *of, uint32_t a, uint32_t b)
{
    const struct machine *m = of;
    const struct waiting *i = &m->waiting[a], *k = &m->waiting[b];
    const wide x = m->by_left ? i->left : i->work;
    const wide y = m->by_left ? k->left : k->work;

    return x != y ? x < y : i->number < k->number;
}

static void places_swap(void *of, uint32_t a, uint32_t b)
{
    struct machine *m = of;
    const struct waiting it = m->waiting[a];

    m->waiting[a] = m->waiting[b];
    m->waiting[b] = it;
}

static const struct gs_heap order = { goes_before, places_swap };

static void machine_take(struct machine *m, const struct report_flow_job *job,
                         uint32_t number)
{
    m->waiting = gs_array_grow(m->waiting, &m->cap, m->count + 1,
                               sizeof(*m->waiting));
    m->waiting[m->count] = (struct waiting){ .left = job->work,
                                             .work = job->work,
                                             .release = job->release,
                                             .number = number };
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
    struct waiting *j = &m->waiting[0];
    const double since = (double)(now - (wide)(uint64_t)j->release * capacity);

    j->left -= span;
    if (!m->by_left)
        return (double)span / (double)j->work * (since + (double)span / 2);
    return j->left ? 0 : since + (double)span;
}

/* What the jobs of each busy period wait at least. */
struct periods {
    double *waits;
    uint32_t cap;
};

static struct report_flow_job job_at(const struct jobs *all, uint32_t i)
{
    struct report_flow_job job = { 0 };

    if (i < all->count)
        all->get(all->of, all->at[i], &job);
    return job;
}

/* Run all jobs, and raise what those of each busy period wait.  Returns the
 * number of periods.
 */
static uint32_t machine_pass(struct machine *m, const struct jobs *all,
                             uint64_t capacity, struct periods *of)
{
    const double part = m->by_left ? 1 : 0.5; /* of a length, to the end */
    struct report_flow_job job = job_at(all, 0);
    uint32_t next = 0, period = 0;

    while (next < all->count) {
        wide now = (wide)(uint64_t)job.release * capacity;
        double sum = 0, lengths = 0;

        do {
            wide span;

            while (next < all->count
                   && (wide)(uint64_t)job.release * capacity <= now) {
                machine_take(m, &job, next);
                lengths += (double)job.length;
                job = job_at(all, ++next);
            }
            span = m->waiting[0].left;
            if (next < all->count
                && (wide)(uint64_t)job.release * capacity - now < span)
                span = (wide)(uint64_t)job.release * capacity - now;
            sum += machine_run(m, now, span, capacity);
            now += span;
            if (m->waiting[0].left == 0)
                machine_drop(m);
        } while (m->count);
        sum = sum / (double)capacity - part * lengths;
        of->waits = gs_far_grow(all->far, of->waits, &of->cap, period + 1,
                                sizeof(*of->waits));
        if (sum > of->waits[period])
            of->waits[period] = sum;
        period++;
    }
    return period;
}

/* --- the order ------------------------------------------------------------ */

struct place {
    int64_t release;
    wide work;
    uint32_t number, at; /* number: in the order of the caller */
};

static int place_compare(const void *pa, const void *pb)
{
    const struct place *a = pa, *b = pb;

    if (a->release != b->release)
        return (a->release > b->release) - (a->release < b->release);
    if (a->work != b->work)
        return (a->work > b->work) - (a->work < b->work);
    return (a->number > b->number) - (a->number < b->number);
}

/* Sort jobs [from, to) by release, those of one time by work. */
static void part_sort(const struct jobs *all, uint32_t from, uint32_t to)
{
    struct place *place = gs_far_new(all->far, to - from, sizeof(*place));

    for (uint32_t i = from; i < to; i++) {
        const struct report_flow_job job = job_at(all, i);

        place[i - from] = (struct place){ job.release, job.work, i,
                                          all->at[i] };
    }
    qsort(place, to - from, sizeof(*place), place_compare);
    for (uint32_t i = from; i < to; i++)
        all->at[i] = place[i - from].at;
    gs_far_free(all->far, place);
}

/* They are mostly in order of release, so that only those of one time are
 * sorted, and little memory is needed.
 */
static void jobs_sort(const struct jobs *all)
{
    int64_t last = INT64_MIN;
    uint32_t from = 0;

    for (uint32_t i = 0; i < all->count; i++) {
        const int64_t release = job_at(all, i).release;

        if (release < last) {
            part_sort(all, 0, all->count);
            return;
        }
        if (release > last && i - from > 1)
            part_sort(all, from, i);
        from = release > last ? i : from;
        last = release;
    }
    if (all->count - from > 1)
        part_sort(all, from, all->count);
}

double report_flow_bound(report_flow_job_fn job, const void *of, uint32_t *at,
                         uint32_t jobs, uint64_t capacity, struct gs_far *far)
{
    const struct jobs all = { job, of, at, jobs, far };
    struct machine m = { .waiting = NULL };
    struct periods p = { .waits = NULL };
    uint32_t periods = 0;
    double sum = 0;

    assert(job && capacity > 0);
    jobs_sort(&all);
    for (int pass = 0; pass < 2; pass++) {
        m.by_left = pass == 0;
        periods = machine_pass(&m, &all, capacity, &p);
    }
    for (uint32_t i = 0; i < periods; i++)
        sum += p.waits[i];
    gs_array_free(m.waiting);
    gs_far_free(far, p.waits);
    return sum;
}
