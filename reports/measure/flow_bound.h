/* reports/measure/flow_bound.h - lower bound of the waits of jobs. */
#ifndef REPORTS_MEASURE_FLOW_BOUND_H
#define REPORTS_MEASURE_FLOW_BOUND_H

#include <stdint.h>

struct gs_far;

__extension__ typedef unsigned __int128 report_flow_wide;

/* A job that holds at least `work` / `length` while it runs. */
struct report_flow_job {
    int64_t release;       /* us, >= 0 */
    int64_t length;        /* us that it runs at least, > 0 */
    report_flow_wide work; /* amount x us, > 0 */
};

/* Write job `at`; `of` is passed through from the caller. */
typedef void (*report_flow_job_fn)(const void *of, uint32_t at,
                                   struct report_flow_job *out);

/* The least sum in us, under any scheduler, of what the jobs at[] wait between
 * release and end, when all that runs at once holds at most `capacity` > 0.
 * Sorts at[]; n log n.  A job is asked for several times, so that none need be
 * kept.
 *
 * Relaxed: jobs share the cluster as one machine of that capacity, without
 * nodes, gangs, queues or preemption cost.  There the shortest remaining work
 * first gives the least sum of ends (Schrage 1968), and an end is a length
 * after the release or later; the least work first gives the least sum of mean
 * busy times (Goemans et al. 2002), and an end is half a length after that or
 * later (Eastman et al. 1964).  Of the two the larger counts, for the jobs of
 * each busy period of the machine apart: no wait is negative.
 *
 * `far`: where what it needs for each job lies (base/far.h).
 */
double report_flow_bound(report_flow_job_fn job, const void *of, uint32_t *at,
                         uint32_t jobs, uint64_t capacity, struct gs_far *far);

#endif /* REPORTS_MEASURE_FLOW_BOUND_H */
