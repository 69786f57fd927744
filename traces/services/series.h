/* traces/services/series.h - a recorded series: what a service was asked for
 * over time.
 */
#ifndef TRACES_SERVICES_SERIES_H
#define TRACES_SERVICES_SERIES_H

#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_input;

#define TRACE_SERIES_UNIT INT64_C(1000000)    /* of values: millionths */
#define TRACE_SERIES_MOST INT64_C(1000000000) /* largest value, in ones */

/* Samples in order of time, the first at time 0.  A value holds until the next
 * sample; the last one as long as the one before it.
 */
struct trace_series {
    uint32_t count;       /* at least 1 */
    const int64_t *time;  /* us, rising */
    const int64_t *value; /* millionths, 0 to the most */
    int64_t length;       /* us; 0 of a single sample */
};

/* Which series of a file with several. */
struct trace_series_pick {
    const char *column; /* of CSV; NULL: the one beside the time */
    const char *const *label, *const *is; /* of Prometheus: pairs that the
                                             series has among its labels */
    uint32_t label_count;
};

/* Read one series of `in`, which stays open, into `arena`.  The file is CSV
 * with a column `time` (or `timestamp`: seconds, a duration, or a date), or the
 * JSON of Prometheus' query_range, whole or its array of results alone.
 * Samples without a value (empty, NaN) are left out.  -1 on failure: no series
 * or several are meant, times that do not rise, a value out of range.
 */
int trace_series_read(struct gs_input *in, const struct trace_series_pick *pick,
                      struct gs_arena *arena, struct trace_series *out,
                      struct gs_err *err);

/* The value at `time` (us, at least 0), millionths; a series that is over
 * begins again.
 */
int64_t trace_series_at(const struct trace_series *s, int64_t time);

#endif /* TRACES_SERVICES_SERIES_H */
