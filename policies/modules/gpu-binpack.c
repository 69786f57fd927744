/* policies/modules/gpu-binpack.c - prefers the node with the largest share of
 * its GPUs in use.
 *
 * score = 10 x gpus used / gpus in all, before placing: 6 of 8 used gives 7.5,
 * 2 of 8 gives 2.5.  A device partly used counts as used.
 */
#include "policies/policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static void gpu_binpack_score(void *self, const struct gsp_view *v,
                              const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *b = self;
    const int64_t *capacity = b->host->capacity(v, GSP_GPU);

    (void)t; /* scored before placing */
    for (uint32_t i = 0; i < v->states; i++) {
        const int64_t all = capacity[i] / 1000;

        if (all > 0)
            score[i] += b->value[WEIGHT].whole * 10 * GSP_POINT
                        * (all - (int64_t)v->gpus_free[i]) / all;
    }
}

extern const struct gsp_module gsp_module_gpu_binpack;
const struct gsp_module gsp_module_gpu_binpack = {
    GSP_ABI,
    .name = "gpu-binpack",
    .summary = "nodes with the most GPUs in use first",
    GSP_PARAMS(params),
    .promises = GSP_SCORE_RISES,
    .score = gpu_binpack_score,
};
