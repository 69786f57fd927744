/* traces/model/model_fit.c - fits a model to a workload, see model_fit.h.
 *
 * Arrivals first: the rate as it changes, then the gaps in time rescaled by it.
 * Then the mix of each stretch: the weights of sizes, and for each size its
 * durations, since durations depend on sizes.
 */
#include "traces/model/model_fit.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "traces/model/arrivals.h"
#include "traces/model/fitting.h"
#include "traces/workload/workload.h"

#define HOUR (3600 * GS_SECOND)
#define DAY (24 * HOUR)
#define LEAST 0.001 /* s: duration of a job that takes no time */

/* --- points --------------------------------------------------------------- */

static int64_t milli_of(const struct trace_workload *w, uint32_t job)
{
    const int64_t milli = trace_job_gpu_milli(w, job);

    /* several shares: rounded to whole GPUs */
    return milli <= TOPO_SHARE_ONE
               ? milli
               : (milli + TOPO_SHARE_ONE / 2) / TOPO_SHARE_ONE * TOPO_SHARE_ONE;
}

static int by_milli(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static uint32_t size_of(const struct fitting *f, int64_t milli)
{
    const int64_t *found = bsearch(&milli, f->milli, f->size_count,
                                   sizeof(*f->milli), by_milli);

    return (uint32_t)(found - f->milli);
}

/* Collect the sizes of jobs with GPUs, each once. */
static int gather_sizes(struct fitting *f, struct gs_err *err)
{
    uint32_t n = 0;

    f->milli = gs_array_new(f->w->job_count + 1, sizeof(*f->milli));
    for (uint32_t i = 0; i < f->w->job_count; i++) {
        f->milli[n] = milli_of(f->w, i);
        n += f->milli[n] != 0;
    }
    qsort(f->milli, n, sizeof(*f->milli), by_milli);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || f->milli[i] != f->milli[f->size_count - 1])
            f->milli[f->size_count++] = f->milli[i];
    }
    return f->size_count <= TRACE_MODEL_SIZES_MAX
               ? 0
               : gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                         "the jobs ask for more than %d different numbers of "
                         "GPUs",
                         TRACE_MODEL_SIZES_MAX);
}

/* Time in a week that begins on Monday: 1970 began on a Thursday. */
static int64_t week_time(int64_t epoch, int64_t us)
{
    return epoch ? ((epoch + us) % (7 * DAY) + 10 * DAY) % (7 * DAY)
                 : us % (7 * DAY);
}

/* Stretches begin at midnight, so that each day is in one. */
static uint32_t stretch_of(const struct fitting *f, int64_t submit)
{
    const int64_t today = f->fit->model.arrivals.start % DAY;

    return f->o->stretch ? (uint32_t)((today + submit) / f->o->stretch) : 0;
}

/* Tasks of generated jobs have as many GPUs as the largest task. */
static void note_tasks(struct fitting *f, const struct trace_job *j)
{
    struct trace_model *m = &f->fit->model;

    for (uint32_t i = 0; i < j->group_count; i++) {
        const uint32_t shape = trace_group_at(f->w, j->first_group + i)->shape;

        if (f->w->shape[shape].gpus > m->task_gpus)
            m->task_gpus = f->w->shape[shape].gpus;
    }
}

static int gather(struct fitting *f, struct gs_err *err)
{
    const struct trace_workload *w = f->w;
    int64_t first = -1;

    if (gather_sizes(f, err) < 0)
        return -1;
    f->point = gs_array_new(w->job_count, sizeof(*f->point));
    for (uint32_t i = 0; i < w->job_count; i++) {
        const struct trace_job *j = &w->job[i];
        const int64_t milli = milli_of(w, i);
        struct fit_point *p = &f->point[f->count];

        if (milli == 0 || j->duration == TRACE_FOREVER
            || j->aside->stand_count) {
            f->fit->without += milli == 0;
            f->fit->services += milli != 0 && j->duration == TRACE_FOREVER;
            f->fit->begun += milli != 0 && j->duration != TRACE_FOREVER;
            continue;
        }
        if (first < 0) {
            first = j->submit;
            f->fit->model.arrivals.start = week_time(f->o->epoch, first);
        }
        note_tasks(f, j);
        p->submit = j->submit - first;
        p->seconds = fmax((double)j->duration / GS_SECOND, LEAST);
        p->estimate = j->estimate == TRACE_FOREVER || j->duration == 0
                          ? 0
                          : (double)j->estimate / (double)j->duration;
        p->size = size_of(f, milli);
        p->queue = j->queue;
        p->stretch = stretch_of(f, p->submit);
        f->count++;
    }
    f->fit->jobs = f->count;
    if (f->count < 2 || f->point[f->count - 1].submit == 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                       "a fit needs two jobs with GPUs that end and come at "
                       "different times (for an SWF log: --processors gpu)");
    if (f->point[f->count - 1].submit > TRACE_MODEL_SPAN_MAX)
        return gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                       "the jobs come over more than 3660 days");
    if (f->point[f->count - 1].stretch >= TRACE_MODEL_STRETCHES_MAX)
        return gs_fail(err, GS_LIMIT, (struct gs_mark){ 0 },
                       "the trace has more than %d such stretches",
                       TRACE_MODEL_STRETCHES_MAX);
    return 0;
}

/* --- arrivals ------------------------------------------------------------- */

/* Jobs by `slots` classes of hours over the time that there were such hours:
 * class of an hour is hour / divisor % slots.
 */
static struct trace_weights rates(const struct fitting *f, uint32_t divisor,
                                  uint32_t slots, int64_t start)
{
    const struct trace_model *m = &f->fit->model;
    double *exposed = gs_array_new(slots, sizeof(*exposed));
    double *rate = gs_arena_alloc(f->arena, slots, sizeof(*rate));

    for (uint32_t i = 0; i < f->count; i++)
        rate[(start + f->point[i].submit) / HOUR / divisor % slots]++;
    for (int64_t at = 0, next; at < m->span; at = next) {
        next = (start + at) / HOUR * HOUR + HOUR - start;
        next = next < m->span ? next : m->span;
        /* known weights scale the exposure time */
        exposed[(start + at) / HOUR / divisor % slots] +=
            (double)(next - at) / HOUR
            * trace_arrivals_weight(&m->arrivals, at);
    }
    for (uint32_t i = 0; i < slots; i++)
        rate[i] = exposed[i] > 0
                      ? trace_fit_round(rate[i] / exposed[i] / m->arrivals.rate)
                      : 0;
    gs_array_free(exposed);
    return (struct trace_weights){ rate, slots };
}

static void fit_profile(struct fitting *f)
{
    struct trace_arrivals *a = &f->fit->model.arrivals;
    const int64_t today = a->start % DAY;

    if (f->o->profile == TRACE_PROFILE_NONE)
        return;
    a->daily = rates(f, 1, 24, a->start);
    if (f->o->profile == TRACE_PROFILE_WEEK)
        a->weekly = rates(f, 24, 7, a->start);
    else
        a->days = rates(
            f, 24, (uint32_t)((today + f->fit->model.span + DAY - 1) / DAY),
            today);
}

/* Fit the gaps in rescaled time; equal times are set half a second apart. */
static void fit_gaps(struct fitting *f)
{
    struct trace_model *m = &f->fit->model;
    const double half = 0.5 * GS_SECOND / (double)m->span * f->count;
    double *gap = gs_array_new(f->count, sizeof(*gap));
    struct trace_fit_row row = { .what = TRACE_FIT_GAPS,
                                 .refused = TRACE_DISTRIBUTIONS };
    struct trace_distribution d = { .kind = TRACE_WEIBULL, .param = { 1, 1 } };
    struct trace_profile p;
    uint32_t n = 0;

    trace_profile_init(&p, &m->arrivals, m->span);
    for (uint32_t i = 1; i < f->count; i++)
        gap[n++] = fmax(
            half, f->count
                      * (trace_profile_part(&p, f->point[i].submit)
                         - trace_profile_part(&p, f->point[i - 1].submit)));
    trace_profile_fini(&p);
    qsort(gap, n, sizeof(*gap), trace_fit_rising);
    (void)trace_distribution_fit(TRACE_WEIBULL, gap, n, &d);
    trace_fit_round_all(&d, f->arena);
    d.min = d.max = 0;
    m->arrivals.process = fabs(d.param[1] - 1) < 0.02 ? TRACE_POISSON
                                                      : TRACE_RENEWAL;
    if (m->arrivals.process == TRACE_RENEWAL)
        m->arrivals.shape = fmax(fmin(d.param[1], 100), 0.1);
    trace_fit_add_row(f, &row, gap, n, &d);
    gs_array_free(gap);
}

/* --- the rest ------------------------------------------------------------- */

static void fit_queues(struct fitting *f)
{
    const struct trace_workload *w = f->w;
    struct trace_model *m = &f->fit->model;
    uint32_t *jobs = gs_array_new(w->queue_count, sizeof(*jobs));
    struct trace_model_queue *q = gs_arena_alloc(f->arena, w->queue_count,
                                                 sizeof(*q));

    for (uint32_t i = 0; i < f->count; i++)
        jobs[f->point[i].queue]++;
    for (uint32_t i = 0; i < w->queue_count; i++) {
        if (jobs[i])
            q[m->queue_count++] = (struct trace_model_queue){
                gs_strtab_str(w->names, w->queue[i].name), jobs[i]
            };
    }
    m->queue = q;
    if (m->queue_count == 1 && jobs[0])
        m->queue_count = 0; /* the default queue always exists */
    gs_array_free(jobs);
}

static void fit_estimates(struct fitting *f)
{
    const struct trace_fit_row row = { .what = TRACE_FIT_ESTIMATES };
    double *x = gs_array_new(f->count, sizeof(*x));
    uint32_t n = 0;
    bool differ = false;

    for (uint32_t i = 0; i < f->count; i++) {
        if (f->point[i].estimate > 0) {
            differ = differ || f->point[i].estimate < 1
                     || f->point[i].estimate > 1;
            x[n++] = f->point[i].estimate;
        }
    }
    if (differ) {
        qsort(x, n, sizeof(*x), trace_fit_rising);
        trace_fit_describe(f, x, n, &row, &f->fit->model.estimates);
        f->fit->model.has_estimates = true;
    }
    gs_array_free(x);
}

int trace_fit(const struct trace_workload *w, const struct trace_fit_options *o,
              struct gs_arena *arena, struct trace_fit *out, struct gs_err *err)
{
    struct fitting f = { .w = w, .o = o, .arena = arena, .fit = out };
    struct trace_model *m = &out->model;
    struct trace_fit_row *row;
    int rc;

    assert(w && o);
    *out = (struct trace_fit){ .model = { .task_gpus = 1 } };
    rc = gather(&f, err);
    if (rc == 0) {
        /* whole seconds */
        m->span = (f.point[f.count - 1].submit / GS_SECOND + 1) * GS_SECOND;
        m->span = m->span < HOUR ? HOUR : m->span;
        m->arrivals.rate = trace_fit_round(f.count * (double)HOUR
                                           / (double)m->span);
        fit_profile(&f);
        fit_gaps(&f);
        trace_fit_mixes(&f);
        fit_estimates(&f);
        fit_queues(&f);
    }
    row = out->row_count
              ? gs_arena_memdup(arena, out->row, out->row_count * sizeof(*row))
              : NULL;
    gs_array_free(out->row);
    out->row = row;
    gs_array_free(f.point);
    gs_array_free(f.milli);
    return rc;
}
