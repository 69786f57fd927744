/* policies/modules/least-allocated.c - kube-scheduler's LeastAllocated: prefer
 * the nodes with the most left.
 *
 *   points_r = floor(100 x (capacity - used - asked) / capacity)
 *
 * and 0 for a resource that is over.
 */
#include "policies/modules/allocated.h"

static int64_t least_points(int64_t capacity, int64_t used)
{
    return used > capacity ? 0 : (capacity - used) * 100 / capacity;
}

static void least_score(void *self, const struct gsp_view *v,
                        const struct gsp_task *t, int64_t *score)
{
    allocated_score(self, v, t, least_points, score);
}

extern const struct gsp_module gsp_module_least_allocated;
const struct gsp_module gsp_module_least_allocated = {
    GSP_ABI,
    .name = "least-allocated",
    .summary = "spread: nodes with the most left first (kube-scheduler)",
    GSP_PARAMS(allocated_params),
    .score = least_score,
};
