/* policies/modules/best-fit.c - prefers the node with the least left, a
 * baseline of "Beware of Fragmentation" (ATC'23).
 *
 *   score = floor(100 x (1 - (CPU left / 128 + GPU left / 8) / 2))
 *
 * after placing; for nodes of at most 128 cores and 8 GPUs.
 */
#include "policies/policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static void best_fit_score(void *self, const struct gsp_view *v,
                           const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *m = self;
    const int64_t *cpu = m->host->free(v, GSP_CPU);
    const int64_t *gpu = m->host->free(v, GSP_GPU);
    const int64_t asked_cpu = m->host->amount(t, GSP_CPU);
    const int64_t asked_gpu = m->host->amount(t, GSP_GPU);

    for (uint32_t i = 0; i < v->states; i++) {
        /* both in 1/128,000 */
        const int64_t left = cpu[i] - asked_cpu + 16 * (gpu[i] - asked_gpu);
        const int64_t lost = (100 * left + 2 * 128000 - 1) / (2 * 128000);

        score[i] += m->value[WEIGHT].whole * GSP_POINT * (100 - lost);
    }
}

extern const struct gsp_module gsp_module_best_fit;
const struct gsp_module gsp_module_best_fit = {
    GSP_ABI,
    .name = "best-fit",
    .summary = "nodes with the least CPU and GPU left",
    GSP_PARAMS(params),
    .promises = GSP_SCORE_RISES,
    .score = best_fit_score,
};
