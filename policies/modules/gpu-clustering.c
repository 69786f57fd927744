/* policies/modules/gpu-clustering.c - prefers nodes with tasks of the same kind
 * (a share; 1, 2, 4 or 8 GPUs), a baseline of "Beware of Fragmentation"
 * (ATC'23).
 *
 *   only the same kind there   75
 *   the same among others      50
 *   nothing there              25
 *   others only                 0
 *
 * plus 25 x (8 - GPUs left) / 8, in whole numbers.
 */
#include "policies/policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static uint8_t kind_of(const struct gsp_self *m, const struct gsp_task *t)
{
    if (m->host->share(t))
        return 1;
    switch (m->host->gpus(t)) {
    case 0:
        return 0;
    case 1:
        return 2;
    case 2:
        return 4;
    case 4:
        return 8;
    case 8:
        return 16;
    default:
        return 32;
    }
}

static int64_t beside(uint8_t kinds, uint8_t own)
{
    if (kinds == 0)
        return 25;
    if (kinds == own)
        return 75;
    return kinds & own ? 50 : 0;
}

static void gpu_clustering_score(void *self, const struct gsp_view *v,
                                 const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *m = self;
    const int64_t *gpu = m->host->free(v, GSP_GPU);
    const uint8_t own = kind_of(m, t);

    if (own == 0) /* all nodes score alike */
        return;
    for (uint32_t i = 0; i < v->states; i++)
        score[i] += m->value[WEIGHT].whole * GSP_POINT
                    * (beside(v->kinds[i], own) + 25 * (8000 - gpu[i]) / 8000);
}

extern const struct gsp_module gsp_module_gpu_clustering;
const struct gsp_module gsp_module_gpu_clustering = {
    GSP_ABI,
    .name = "gpu-clustering",
    .summary = "beside tasks of the same kind",
    GSP_PARAMS(params),
    .promises = GSP_FOLLOWS_KINDS,
    .score = gpu_clustering_score,
};
