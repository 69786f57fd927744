/* policies/modules/gpu-packing.c - prefers used GPUs, then free GPUs of used
 * nodes, then empty nodes, a baseline of "Beware of Fragmentation" (ATC'23).
 *
 *   all GPUs of the node are free    max(33 - GPUs, GPUs)
 *   it has to open k free GPUs       max(50 - k, 33)
 *   used GPUs will do                max(100 - percent free on them / 10, 50)
 */
#include "policies/policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Thousandths left on the fullest used device that has room; 0: none has room.
 */
static uint32_t tightest(const struct gsp_self *m, const struct gsp_view *v,
                         uint32_t i, uint32_t share)
{
    const uint16_t *left;
    const uint32_t n = m->host->parts(v, i, &left);
    uint32_t k = 0;

    while (k < n && left[k] < share)
        k++;
    return share && k < n ? left[k] : 0;
}

static void gpu_packing_score(void *self, const struct gsp_view *v,
                              const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *m = self;
    const int64_t *capacity = m->host->capacity(v, GSP_GPU);
    const uint32_t share = m->host->share(t), gpus = m->host->gpus(t);

    for (uint32_t i = 0; i < v->states; i++) {
        const int64_t all = capacity[i] / 1000;
        const uint32_t left = tightest(m, v, i, share);
        int64_t points;

        if (all == 0 || gpus + share == 0)
            continue;
        if (v->gpus_free[i] == all)
            points = most(33 - all, all);
        else if (left)
            points = most(100 - left / 100, 50);
        else
            points = most(50 - (int64_t)(share ? 1 : gpus), 33);
        score[i] += m->value[WEIGHT].whole * GSP_POINT * points;
    }
}

extern const struct gsp_module gsp_module_gpu_packing;
const struct gsp_module gsp_module_gpu_packing = {
    GSP_ABI,
    .name = "gpu-packing",
    .summary = "used GPUs first, then free ones, then empty nodes",
    GSP_PARAMS(params),
    .score = gpu_packing_score,
};
