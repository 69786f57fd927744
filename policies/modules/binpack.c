/* policies/modules/binpack.c - fill nodes before opening new ones.
 *
 * Volcano's plugin (pkg/scheduler/plugins/binpack):
 *   score = weight x 100 x sum over resources asked for and weighted of
 *           w_r x (used_r + asked_r) / capacity_r, / sum of w_r
 * and 0 when one of them does not fit.  A resource without a weight is left
 * out; a resource that the node lacks adds 0 points, but its weight counts.
 */
#include "policies/policy.h"

enum { WEIGHT, RESOURCES };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 5, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource; one left out is not packed", NULL },
};

/* Points of state `i`, without the weight of the module. */
static double binpack_state(const struct gsp_self *b, const struct gsp_view *v,
                            const struct gsp_task *t, uint32_t i)
{
    const uint32_t dims = b->host->dims(b->ctx);
    double sum = 0, weights = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const int64_t asked = b->host->amount(t, d);
        int64_t capacity, used;

        if (asked <= 0 || b->value[RESOURCES].weights[d] < 0)
            continue;
        weights += b->value[RESOURCES].weights[d];
        capacity = b->host->capacity(v, d)[i];
        used = capacity - b->host->free(v, d)[i] + asked;
        if (capacity > 0 && used > capacity)
            return 0;
        if (capacity > 0)
            sum += b->value[RESOURCES].weights[d] * (double)used
                   / (double)capacity;
    }
    return weights > 0 ? sum / weights * 100 : 0;
}

static void binpack_score(void *self, const struct gsp_view *v,
                          const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *b = self;

    for (uint32_t i = 0; i < v->states; i++)
        score[i] += (int64_t)(binpack_state(b, v, t, i)
                                  * (double)b->value[WEIGHT].whole
                                  * (double)GSP_POINT
                              + 0.5);
}

extern const struct gsp_module gsp_module_binpack;
const struct gsp_module gsp_module_binpack = {
    GSP_ABI,
    .name = "binpack",
    .summary = "fill nodes before opening new ones (Volcano's binpack)",
    GSP_PARAMS(params),
    .promises = GSP_SCORE_RISES,
    .score = binpack_score,
};
