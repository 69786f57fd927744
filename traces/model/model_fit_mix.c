/* traces/model/model_fit_mix.c - sizes and durations of a fit: the weight of
 * each size, the distribution of its durations, their correlation within a run.
 */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/quantity.h"
#include "traces/model/fitting.h"

#define STAY_MAX 0.999
#define RUN_ROUNDS 50
#define CORRELATION_MAX 0.99

double trace_fit_round(double x)
{
    char text[32];

    snprintf(text, sizeof(text), "%.6g", x);
    (void)gs_quantity_parse_double(text, strlen(text), &x);
    return x;
}

int trace_fit_rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* --- one distribution ----------------------------------------------------- */

void trace_fit_round_all(struct trace_distribution *d, struct gs_arena *arena)
{
    struct trace_knot *k = d->knot_count ? gs_arena_memdup(
                               arena, d->knot, d->knot_count * sizeof(*k))
                                         : NULL;

    for (uint32_t i = 0; i < d->knot_count; i++) {
        k[i].p = trace_fit_round(k[i].p);
        k[i].x = trace_fit_round(k[i].x);
    }
    d->knot = k;
    for (uint32_t i = 0; i < TRACE_PARAMS_MAX; i++)
        d->param[i] = trace_fit_round(d->param[i]);
    d->min = trace_fit_round(d->min);
    d->max = trace_fit_round(d->max);
}

/* Choose the best of the allowed kinds; false when none fits. */
static bool choose(const struct fitting *f, const double *x, uint32_t n,
                   struct trace_distribution *best)
{
    double least = HUGE_VAL;

    for (int k = 0; k < TRACE_QUANTILES && n >= TRACE_FIT_JOBS_MIN; k++) {
        const enum trace_distribution_kind kind =
            (enum trace_distribution_kind)k;
        struct trace_distribution d;
        double aic;

        if ((f->o->only != TRACE_DISTRIBUTIONS && f->o->only != kind)
            || !trace_distribution_fit(kind, x, n, &d))
            continue;
        aic = trace_distribution_aic(&d, x, n);
        if (aic < least) {
            least = aic;
            *best = d;
        }
    }
    return isfinite(least);
}

void trace_fit_add_row(struct fitting *f, const struct trace_fit_row *row,
                       const double *x, uint32_t n,
                       const struct trace_distribution *found)
{
    struct trace_fit *fit = f->fit;
    struct trace_fit_row *r;

    fit->row = gs_array_grow(fit->row, &f->row_cap, fit->row_count + 1,
                             sizeof(*fit->row));
    r = &fit->row[fit->row_count++];
    *r = *row;
    r->jobs = n;
    r->distance = trace_distribution_distance(found, x, n);
    r->p = trace_distance_p(r->distance, n);
    r->found = gs_arena_memdup(f->arena, found, sizeof(*found));
}

void trace_fit_describe(struct fitting *f, const double *x, uint32_t n,
                        const struct trace_fit_row *row,
                        struct trace_distribution *out)
{
    struct trace_fit_row r = *row;
    bool found = choose(f, x, n, out);

    r.refused = TRACE_DISTRIBUTIONS;
    if (found && f->o->only == TRACE_DISTRIBUTIONS) {
        r.refused_distance = trace_distribution_distance(out, x, n);
        r.refused_p = trace_distance_p(r.refused_distance, n);
        if (r.refused_p < TRACE_FIT_P
            && r.refused_distance > TRACE_FIT_DISTANCE) {
            r.refused = out->kind;
            found = false;
        }
    }
    if (!found)
        trace_distribution_tabulate(x, n, f->arena, out);
    trace_fit_round_all(out, f->arena);
    trace_fit_add_row(f, &r, x, n, out);
}

/* --- cells: the jobs of one size in one stretch --------------------------- */

struct entry {
    double seconds;
    uint32_t stretch, size, point;
};

static int by_cell(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;

    if (x->stretch != y->stretch)
        return x->stretch < y->stretch ? -1 : 1;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->seconds != y->seconds)
        return x->seconds < y->seconds ? -1 : 1;
    return x->point < y->point ? -1 : 1;
}

/* Set the normal scores of the `n` sorted entries by rank; equal entries get
 * equal scores.
 */
static void score(struct fitting *f, const struct entry *e, uint32_t n)
{
    for (uint32_t i = 0, end; i < n; i = end) {
        double z;

        for (end = i + 1; end < n && e[end].seconds <= e[i].seconds;)
            end++;
        z = gsl_cdf_ugaussian_Pinv((i + end) / 2.0 / n);
        for (uint32_t k = i; k < end; k++)
            f->point[e[k].point].score = z;
    }
}

/* Fit the cell that begins at `e` and has `n` jobs. */
static void fit_cell(struct fitting *f, const struct entry *e, uint32_t n,
                     struct trace_model_size *size)
{
    const struct trace_fit_row row = { .what = TRACE_FIT_DURATION,
                                       .gpu_milli = f->milli[e->size],
                                       .stretch = e->stretch };
    double *x = gs_array_new(n, sizeof(*x));

    for (uint32_t i = 0; i < n; i++)
        x[i] = e[i].seconds;
    *size = (struct trace_model_size){ .gpu_milli = f->milli[e->size],
                                       .weight = n };
    trace_fit_describe(f, x, n, &row, &size->duration);
    score(f, e, n);
    gs_array_free(x);
}

/* Fit the entries from `e` to `end` that are in one stretch.  Returns the begin
 * of the next.
 */
static const struct entry *fit_stretch(struct fitting *f, const struct entry *e,
                                       const struct entry *end,
                                       const double *run,
                                       struct trace_model_stretch *s)
{
    struct trace_model_size *size = gs_arena_alloc(f->arena, f->size_count,
                                                   sizeof(*size));
    const uint32_t stretch = e->stretch;

    s->size = size;
    while (e < end && e->stretch == stretch) {
        const struct entry *next = e;

        while (next < end && next->stretch == stretch && next->size == e->size)
            next++;
        fit_cell(f, e, (uint32_t)(next - e), &size[s->size_count]);
        size[s->size_count++].run = run[e->size];
        e = next;
    }
    return e;
}

/* --- runs ----------------------------------------------------------------- */

/* One step of a fixed-point iteration for stay[].  A job has the size of its
 * predecessor because it is in the same run, or because the next run has the
 * same size: stay + (1 - stay) x the share of the size among the runs of the
 * stretch.
 */
static void runs_round(const struct fitting *f, double *stay)
{
    const uint32_t n = f->size_count;
    double *part = gs_array_new(n, sizeof(*part));
    double *same = gs_array_new(n, sizeof(*same));
    double *ended = gs_array_new(n, sizeof(*ended));

    for (uint32_t i = 0, end; i < f->count; i = end) {
        double runs = 0;

        memset(part, 0, n * sizeof(*part));
        for (end = i;
             end < f->count && f->point[end].stretch == f->point[i].stretch;
             end++) {
            part[f->point[end].size] += 1 - stay[f->point[end].size];
            runs += 1 - stay[f->point[end].size];
        }
        for (uint32_t k = i; k + 1 < end; k++) {
            const uint32_t size = f->point[k].size;
            const double chance = part[size] / runs;

            same[size] += (f->point[k + 1].size == size) - chance;
            ended[size] += 1 - chance;
        }
    }
    for (uint32_t k = 0; k < n; k++)
        stay[k] = ended[k] > 1e-9 ? fmin(fmax(same[k] / ended[k], 0), STAY_MAX)
                                  : 0;
    gs_array_free(part);
    gs_array_free(same);
    gs_array_free(ended);
}

/* The mean length of the runs of each size. */
static void fit_runs(const struct fitting *f, double *run)
{
    double *stay = gs_array_new(f->size_count, sizeof(*stay));

    for (int i = 0; i < RUN_ROUNDS; i++)
        runs_round(f, stay);
    for (uint32_t k = 0; k < f->size_count; k++)
        run[k] = trace_fit_round(1 / (1 - stay[k]));
    gs_array_free(stay);
}

/* The correlation of the scores of neighbouring jobs of one size. */
static double fit_correlation(const struct fitting *f)
{
    double both = 0, own = 0;

    for (uint32_t i = 0; i + 1 < f->count; i++) {
        const struct fit_point *p = &f->point[i];

        if (p[0].size == p[1].size && p[0].stretch == p[1].stretch) {
            both += p[0].score * p[1].score;
            own += (p[0].score * p[0].score + p[1].score * p[1].score) / 2;
        }
    }
    return own > 0 ? trace_fit_round(fmin(fmax(both / own, 0), CORRELATION_MAX))
                   : 0;
}

/* --- all of it ------------------------------------------------------------ */

void trace_fit_mixes(struct fitting *f)
{
    struct trace_model *m = &f->fit->model;
    struct entry *e = gs_array_new(f->count, sizeof(*e));
    double *run = gs_array_new(f->size_count, sizeof(*run));
    const uint32_t stretches = f->point[f->count - 1].stretch + 1;
    struct trace_model_stretch *s = gs_arena_alloc(f->arena, stretches,
                                                   sizeof(*s));
    const struct entry *at = e;

    for (uint32_t i = 0; i < f->count; i++)
        e[i] = (struct entry){ f->point[i].seconds, f->point[i].stretch,
                               f->point[i].size, i };
    qsort(e, f->count, sizeof(*e), by_cell);
    fit_runs(f, run);
    /* a stretch without jobs is merged into the one before */
    while (at < e + f->count) {
        const uint32_t stretch = at->stretch;
        struct trace_model_stretch *to = &s[m->stretch_count++];

        at = fit_stretch(f, at, e + f->count, run, to);
        to->length = ((at < e + f->count ? at->stretch : stretch + 1)
                      - (int64_t)stretch)
                     * f->o->stretch;
        if (to == s && f->o->stretch) /* the first stretch begins with the
                                         trace */
            to->length -= m->arrivals.start % (24 * 3600 * GS_SECOND);
    }
    m->stretch = s;
    m->correlation = fit_correlation(f);
    gs_array_free(run);
    gs_array_free(e);
}
