/* policies/modules/most-allocated.c - kube-scheduler's MostAllocated: prefer
 * the nodes with the least left.
 *
 *   points_r = floor(100 x min(used + asked, capacity) / capacity)
 */
#include "policies/modules/allocated.h"

static int64_t most_points(int64_t capacity, int64_t used)
{
    return (used > capacity ? capacity : used) * 100 / capacity;
}

static void most_score(void *self, const struct gsp_view *v,
                       const struct gsp_task *t, int64_t *score)
{
    allocated_score(self, v, t, most_points, score);
}

extern const struct gsp_module gsp_module_most_allocated;
const struct gsp_module gsp_module_most_allocated = {
    GSP_ABI,
    .name = "most-allocated",
    .summary = "pack: nodes with the least left first (kube-scheduler)",
    GSP_PARAMS(allocated_params),
    .promises = GSP_SCORE_RISES,
    .score = most_score,
};
