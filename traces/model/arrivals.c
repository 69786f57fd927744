/* traces/model/arrivals.c - varying arrival rates, and arrival times; see
 * arrivals.h.
 */
#include "traces/model/arrivals.h"

#include <assert.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "base/array.h"
#include "base/duration.h"
#include "traces/model/model.h"

#define HOUR (3600 * GS_SECOND)
#define DAY (24 * HOUR)

/* --- the profile ---------------------------------------------------------- */

/* Start of hour `i`.  Hours are those of the clock: the first hour of a trace
 * that starts at half past ten is half as long.
 */
static int64_t hour_start(const struct trace_profile *p, uint32_t i)
{
    const int64_t at = (int64_t)i * HOUR - p->offset;

    return at < 0 ? 0 : at < p->span ? at : p->span;
}

double trace_arrivals_weight(const struct trace_arrivals *a, int64_t us)
{
    const int64_t hour = (a->start + us) / HOUR;
    double weight = 1;

    assert(us >= 0);
    if (a->daily.count)
        weight *= a->daily.at[hour % 24];
    if (a->weekly.count)
        weight *= a->weekly.at[hour / 24 % 7];
    if (a->days.count)
        weight *= a->days.at[(a->start % DAY + us) / DAY % a->days.count];
    return weight;
}

void trace_profile_init(struct trace_profile *p, const struct trace_arrivals *a,
                        int64_t span)
{
    *p = (struct trace_profile){ .span = span, .offset = a->start % HOUR };
    p->hours = (uint32_t)((p->offset + span + HOUR - 1) / HOUR);
    p->part = gs_array_new((size_t)p->hours + 1, sizeof(*p->part));
    for (uint32_t i = 0; i < p->hours; i++) {
        const int64_t from = hour_start(p, i), to = hour_start(p, i + 1);

        p->part[i + 1] = p->part[i]
                         + trace_arrivals_weight(a, from) * (double)(to - from);
    }
    p->total = p->part[p->hours] / (double)span;
    for (uint32_t i = 0; i <= p->hours && p->total > 0; i++)
        p->part[i] /= p->total * (double)span;
}

void trace_profile_fini(struct trace_profile *p)
{
    gs_array_free(p->part);
}

double trace_profile_part(const struct trace_profile *p, int64_t us)
{
    const uint32_t i = us >= p->span ? p->hours - 1
                                     : (uint32_t)((us + p->offset) / HOUR);
    const int64_t from = hour_start(p, i), to = hour_start(p, i + 1);

    assert(us >= 0);
    return p->part[i]
           + (p->part[i + 1] - p->part[i]) * (double)(us - from)
                 / (double)(to - from);
}

int64_t trace_profile_time(const struct trace_profile *p, double part)
{
    uint32_t lo = 0, hi = p->hours - 1;
    double step;

    assert(part >= 0 && part <= 1);
    /* find the first hour that ends beyond `part` */
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;

        if (p->part[mid + 1] > part)
            hi = mid;
        else
            lo = mid + 1;
    }
    step = p->part[lo + 1] - p->part[lo];
    if (step > 0) {
        const int64_t from = hour_start(p, lo), to = hour_start(p, lo + 1);
        const double share = fmin(fmax((part - p->part[lo]) / step, 0), 1);

        return from + (int64_t)(share * (double)(to - from));
    }
    return hour_start(p, lo);
}

/* --- drawing -------------------------------------------------------------- */

/* Draw a gap with mean 1. */
static double draw_gap(const struct trace_arrivals *a, gsl_rng *rng)
{
    if (a->process == TRACE_POISSON)
        return gsl_ran_exponential(rng, 1);
    return gsl_ran_weibull(rng, 1 / gsl_sf_gamma(1 + 1 / a->shape), a->shape);
}

uint32_t trace_arrivals_count(const struct trace_arrivals *a, double mean,
                              gsl_rng *rng, uint32_t most)
{
    uint32_t count = 0;

    for (double at = draw_gap(a, rng); at <= mean && count < most; count++)
        at += draw_gap(a, rng);
    return count;
}

/* Draw `jobs` times between the shares `lo` and `hi`: gaps in the proportions
 * that the process draws, with one more gap at the end.
 */
static void draw_between(const struct trace_arrivals *a,
                         const struct trace_profile *p, double lo, double hi,
                         gsl_rng *rng, uint32_t jobs, int64_t *at)
{
    double *gap = gs_array_new((size_t)jobs + 1, sizeof(*gap));
    double sum = 0, so_far = 0;

    for (uint32_t i = 0; i <= jobs; i++)
        sum += gap[i] = draw_gap(a, rng);
    for (uint32_t i = 0; i < jobs; i++) {
        so_far += gap[i];
        at[i] = trace_profile_time(p, lo + (hi - lo) * so_far / sum);
    }
    gs_array_free(gap);
}

void trace_arrivals_draw(const struct trace_arrivals *a,
                         const struct trace_profile *p, bool balanced,
                         gsl_rng *rng, uint32_t jobs, int64_t *at)
{
    const double phase = balanced ? gsl_rng_uniform(rng) : 0;
    const int64_t first = DAY - a->start % DAY;
    uint32_t done = 0;
    double lo = 0;

    for (int64_t end = balanced ? first : p->span; lo < 1; end += DAY) {
        const double hi = end < p->span ? trace_profile_part(p, end) : 1;
        const uint32_t until = end < p->span ? (uint32_t)(hi * jobs + phase)
                                             : jobs;
        const uint32_t n = (until < jobs ? until : jobs) - done;

        draw_between(a, p, lo, hi, rng, n, at + done);
        done += n;
        lo = hi;
        if (end >= p->span)
            break;
    }
}
