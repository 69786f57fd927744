/* sim/study/search.c - the search along an axis, see search.h. */
#include "sim/study/search.h"

#include <math.h>

#include "base/array.h"

#define PROBES 3u /* points replayed at a time within a gap */
#define AROUND 2u /* points on either side of the answer */
#define SMALL 8u  /* up to so many points all are replayed */

bool study_search_is_met(const struct study_search *s, uint32_t point)
{
    if (!s->is_known[point] || isnan(s->value[point]))
        return false;
    return s->at_most ? s->value[point] <= s->limit
                      : s->value[point] >= s->limit;
}

/* Do the known values only rise, or only fall? */
static bool is_monotone(const struct study_search *s)
{
    bool rises = false, falls = false;
    double before = (double)NAN;

    for (uint32_t i = 0; i < s->count; i++) {
        if (!s->is_known[i])
            continue;
        if (isnan(s->value[i]))
            return false;
        rises = rises || s->value[i] > before;
        falls = falls || s->value[i] < before;
        before = s->value[i];
    }
    return !(rises && falls);
}

/* --- replaying ------------------------------------------------------------ */

static int replay(struct study_search *s, const uint32_t *point, uint32_t count,
                  study_replay_fn *fn, void *ctx)
{
    if (count && fn(ctx, point, count) < 0)
        return -1;
    s->replayed += count;
    return 0;
}

static int replay_all(struct study_search *s, study_replay_fn *fn, void *ctx)
{
    uint32_t *point = gs_array_new(s->count, sizeof(*point)), n = 0;
    int rc;

    for (uint32_t i = 0; i < s->count; i++) {
        if (!s->is_known[i])
            point[n++] = i;
    }
    rc = replay(s, point, n, fn, ctx);
    gs_array_free(point);
    return rc;
}

/* Up to PROBES points spread evenly between two. */
static uint32_t probes_take(uint32_t low, uint32_t high, uint32_t *point)
{
    const uint32_t between = high - low - 1;
    const uint32_t n = between < PROBES ? between : PROBES;

    for (uint32_t i = 0; i < n; i++)
        point[i] = low + (uint32_t)((uint64_t)(high - low) * (i + 1) / (n + 1));
    return n;
}

/* Find two neighbouring known points, one of which meets the target; false when
 * there are none.
 */
static bool edge_find(const struct study_search *s, uint32_t *low,
                      uint32_t *high)
{
    uint32_t before = STUDY_NO_POINT;

    for (uint32_t i = 0; i < s->count; i++) {
        if (!s->is_known[i])
            continue;
        if (before != STUDY_NO_POINT
            && study_search_is_met(s, i) != study_search_is_met(s, before)) {
            *low = before;
            *high = i;
            return true;
        }
        before = i;
    }
    return false;
}

/* The unknown points around the answer: a metric that rises and falls there
 * could change the answer. /
 */
static uint32_t around_take(const struct study_search *s, uint32_t *point)
{
    uint32_t low, high, n = 0;

    if (!edge_find(s, &low, &high))
        return 0;
    for (uint32_t by = 1; by <= AROUND; by++) {
        if (low >= by && !s->is_known[low - by])
            point[n++] = low - by;
        if (high + by < s->count && !s->is_known[high + by])
            point[n++] = high + by;
    }
    return n;
}

static int narrow(struct study_search *s, study_replay_fn *fn, void *ctx)
{
    uint32_t point[PROBES + 2 * AROUND] = { 0, s->count - 1 }, low, high, n = 2;

    n += probes_take(0, s->count - 1, point + 2);
    while (n) {
        if (replay(s, point, n, fn, ctx) < 0)
            return -1;
        if (!is_monotone(s))
            return replay_all(s, fn, ctx);
        n = edge_find(s, &low, &high) ? probes_take(low, high, point) : 0;
    }
    n = around_take(s, point);
    if (replay(s, point, n, fn, ctx) < 0)
        return -1;
    return is_monotone(s) ? 0 : replay_all(s, fn, ctx);
}

/* --- the outcome ---------------------------------------------------------- */

static void conclude(struct study_search *s)
{
    bool all = true;

    s->is_monotone = is_monotone(s);
    s->first = s->last = STUDY_NO_POINT;
    for (uint32_t i = s->count; i-- > 0 && all;) {
        if (!s->is_known[i])
            continue;
        all = study_search_is_met(s, i);
        s->first = all ? i : s->first;
    }
    all = true;
    for (uint32_t i = 0; i < s->count && all; i++) {
        if (!s->is_known[i])
            continue;
        all = study_search_is_met(s, i);
        s->last = all ? i : s->last;
    }
}

int study_search_run(struct study_search *s, study_replay_fn *fn, void *ctx)
{
    const bool is_small = s->count <= SMALL || s->looks_at_all;
    const int rc = is_small ? replay_all(s, fn, ctx) : narrow(s, fn, ctx);

    if (rc < 0)
        return -1;
    conclude(s);
    return 0;
}
