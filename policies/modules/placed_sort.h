/* policies/modules/placed_sort.h - a stable sort of running tasks, for modules.
 */
#ifndef GSP_PLACED_SORT_H
#define GSP_PLACED_SORT_H

#include <string.h>

#include "policies/policy.h"

struct placed_order {
    /* <= 0: `a` stays before `b`, which comes later. */
    int (*compare)(const void *of, const struct gsp_placed *a,
                   const struct gsp_placed *b);
    const void *of;
};

/* Sort the `count` indices of `v` at `at`; `scratch` has room for as many. */
static inline void placed_sort(const struct placed_order *o,
                               const struct gsp_standing *v, uint32_t *at,
                               uint32_t *scratch, uint32_t count)
{
    uint32_t *from = at, *to = scratch;

    for (uint32_t width = 1; width < count; width *= 2) {
        uint32_t *const other = from;

        for (uint32_t i = 0; i < count; i += 2 * width) {
            const uint32_t mid = i + width < count ? i + width : count;
            const uint32_t end = mid + width < count ? mid + width : count;
            uint32_t a = i, b = mid;

            for (uint32_t n = i; n < end; n++) {
                const bool first = b == end
                                   || (a < mid
                                       && o->compare(o->of, &v->at[from[a]],
                                                     &v->at[from[b]])
                                              <= 0);

                to[n] = from[first ? a++ : b++];
            }
        }
        from = to;
        to = other;
    }
    if (from != at)
        memcpy(at, from, count * sizeof(*at));
}

#endif /* GSP_PLACED_SORT_H */
