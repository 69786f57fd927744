/* sim/study/search.h - where along an axis a metric begins, or ceases, to meet
 * a target, with few replays.
 *
 * As long as the metric only rises, or only falls, over all points that were
 * replayed, the place is narrowed down, and two points beside it on either side
 * are looked at too; once it does not, all are replayed.
 * Which points are looked at depends on the values alone, never on how many
 * processors there are.
 */
#ifndef STUDY_SEARCH_H
#define STUDY_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#define STUDY_NO_POINT UINT32_MAX

/* Metric of a point that was not replayed, or of a run without it: NAN. */
struct study_search {
    uint32_t count; /* points of the axis */
    bool *is_known; /* [point] */
    double *value;  /* [point] */
    bool at_most;   /* the target is an upper limit, else a lower one */
    double limit;
    bool looks_at_all; /* asked for */

    /* the outcome */
    bool is_monotone;  /* over what was replayed */
    uint32_t replayed; /* points */
    uint32_t first;    /* met from here on to the end, all that were replayed;
                          STUDY_NO_POINT */
    uint32_t last;     /* met from the beginning to here; STUDY_NO_POINT */
};

/* Replays points[0..count) and sets is_known and value of each; 0 or -1. */
typedef int study_replay_fn(void *ctx, const uint32_t *point, uint32_t count);

/* Search; `s` has count, limit and room for the arrays, zeroed. */
int study_search_run(struct study_search *s, study_replay_fn *replay,
                     void *ctx);

bool study_search_is_met(const struct study_search *s, uint32_t point);

#endif /* STUDY_SEARCH_H */
