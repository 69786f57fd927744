/* sim/study/search.h - finds where along an axis a metric begins, or ceases, to
 * meet a target, with few replays.
 *
 * While the metric is monotone over all replayed points, the search bisects,
 * and two points on either side of the result are replayed, too; otherwise all
 * points are replayed.  The choice of points depends on the values only, not on
 * the number of processors.
 */
#ifndef STUDY_SEARCH_H
#define STUDY_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#define STUDY_NO_POINT UINT32_MAX

/* The metric is NAN for a point that was not replayed, and for a run without
 * it.
 */
struct study_search {
    uint32_t count; /* points of the axis */
    bool *is_known; /* [point] */
    double *value;  /* [point] */
    bool at_most;   /* the target is an upper limit, else a lower one */
    double limit;
    bool looks_at_all; /* replay all points */

    /* the outcome */
    bool is_monotone;  /* over the replayed points */
    uint32_t replayed; /* points */
    uint32_t first;    /* the target is met at all replayed points from this
                          one to the end; STUDY_NO_POINT */
    uint32_t last;     /* the target is met at all replayed points up to this
                          one; STUDY_NO_POINT */
};

/* Replays points[0..count) and sets is_known and value of each; 0 or -1. */
typedef int study_replay_fn(void *ctx, const uint32_t *point, uint32_t count);

/* Run the search.  The caller sets count, limit and zeroed arrays in `s`. */
int study_search_run(struct study_search *s, study_replay_fn *replay,
                     void *ctx);

bool study_search_is_met(const struct study_search *s, uint32_t point);

#endif /* STUDY_SEARCH_H */
