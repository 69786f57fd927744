/* traces/model/arrivals.h - arrival times of jobs, by a rate that varies over
 * the day, the week, and from day to day.
 *
 * With R(t) the expected number of jobs until t, the jobs arrive at R^-1(s),
 * where the s are the points of a renewal process of rate 1 (time rescaling:
 * Cox and Lewis 1966).
 */
#ifndef TRACES_MODEL_ARRIVALS_H
#define TRACES_MODEL_ARRIVALS_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>
#include <stdint.h>

struct trace_arrivals;

/* The rate at `us` divided by the mean rate, by the hour and the day of `us`.
 */
double trace_arrivals_weight(const struct trace_arrivals *a, int64_t us);

/* The expected share of the jobs by hour: part[i] of them arrive before hour i,
 * where hour 0 is the one that contains time 0.
 */
struct trace_profile {
    double *part;   /* hours + 1 values, from 0 to 1 */
    uint32_t hours; /* the first and the last may be cut short */
    int64_t offset; /* us from the start of hour 0 to time 0 */
    int64_t span;   /* us */
    double total;   /* the mean weight; 0: no job ever arrives */
};

/* Freed by trace_profile_fini.  `span` > 0. */
void trace_profile_init(struct trace_profile *p, const struct trace_arrivals *a,
                        int64_t span);
void trace_profile_fini(struct trace_profile *p);
/* The share of the jobs that arrive before `us`; and its inverse. */
double trace_profile_part(const struct trace_profile *p, int64_t us);
int64_t trace_profile_time(const struct trace_profile *p, double part);

/* Draw `jobs` arrival times, ascending, into `at`.  Balanced: the number of
 * jobs on each day is the expected one, rounded.
 */
void trace_arrivals_draw(const struct trace_arrivals *a,
                         const struct trace_profile *p, bool balanced,
                         gsl_rng *rng, uint32_t jobs, int64_t *at);

/* Draw the number of jobs when `mean` are expected; at most `most`. */
uint32_t trace_arrivals_count(const struct trace_arrivals *a, double mean,
                              gsl_rng *rng, uint32_t most);

#endif /* TRACES_MODEL_ARRIVALS_H */
