/* traces/model/arrivals.h - times at which jobs come, by a rate that changes over
 * the day, the week, and from day to day.
 *
 * With R(t) the expected number of jobs until t, a job comes at R^-1(s) where
 * the s are the points of a renewal process of rate 1 (time rescaling: Cox and
 * Lewis 1966).
 */
#ifndef TRACES_MODEL_ARRIVALS_H
#define TRACES_MODEL_ARRIVALS_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_arrivals;

/* The rate at `us` over the mean rate, by its hour and day. */
double trace_arrivals_weight(const struct trace_arrivals *a, int64_t us);

/* The expected share of the jobs by hour: part[i] of them come before hour
 * i, counted from the one in which time 0 is.
 */
struct trace_profile {
    double *part;   /* hours + 1 values, from 0 to 1 */
    uint32_t hours; /* the first and the last may be cut short */
    int64_t offset; /* us of the first hour that were over at time 0 */
    int64_t span;   /* us */
    double total;   /* the mean weight; 0: no job ever comes */
};

/* For trace_profile_fini.  `span` > 0. */
void trace_profile_init(struct trace_profile *p, const struct trace_arrivals *a,
                        int64_t span);
void trace_profile_fini(struct trace_profile *p);
/* The share before `us`, and back. */
double trace_profile_part(const struct trace_profile *p, int64_t us);
int64_t trace_profile_time(const struct trace_profile *p, double part);

/* `jobs` times, rising, into `at`; balanced: each day's number is as expected,
 * but for a rounding.
 */
void trace_arrivals_draw(const struct trace_arrivals *a,
                         const struct trace_profile *p, bool balanced,
                         gsl_rng *rng, uint32_t jobs, int64_t *at);

/* The number of jobs that come when `mean` are expected. */
uint32_t trace_arrivals_count(const struct trace_arrivals *a, double mean,
                              gsl_rng *rng, uint32_t most);

#endif /* TRACES_MODEL_ARRIVALS_H */
