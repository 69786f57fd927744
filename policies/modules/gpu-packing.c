/* policies/modules/gpu-packing.c - used GPUs first, then free ones of used nodes,
 * then empty nodes, as compared with in "Beware of Fragmentation" (ATC'23).
 *
 *   all GPUs of the node are free    max(33 - GPUs, GPUs)
 *   it has to open k free GPUs       max(50 - k, 33)
 *   used GPUs will do                max(100 - percent free on them / 10, 50)
 */
#include "policies/policy.h"

struct gpu_packing {
    const struct gsp_host *host;
    int64_t weight;
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static int gpu_packing_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct gpu_packing *m = host->keep(ctx, sizeof(*m));

    m->host = host;
    m->weight = value[0].whole;
    *self = m;
    return 0;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What is left on the tightest used device that has room; 0: none has. */
static uint32_t tightest(const struct gpu_packing *m, const struct gsp_view *v,
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
    const struct gpu_packing *m = self;
    const uint32_t *gpus_free = m->host->gpus_free(v);
    const int64_t *capacity = m->host->capacity(v, GSP_GPU);
    const uint32_t share = m->host->share(t), gpus = m->host->gpus(t);
    const uint32_t n = m->host->states(v);

    for (uint32_t i = 0; i < n; i++) {
        const int64_t all = capacity[i] / 1000;
        const uint32_t left = tightest(m, v, i, share);
        int64_t points;

        if (all == 0 || gpus + share == 0)
            continue;
        if (gpus_free[i] == all)
            points = most(33 - all, all);
        else if (left)
            points = most(100 - left / 100, 50);
        else
            points = most(50 - (int64_t)(share ? 1 : gpus), 33);
        score[i] += m->weight * GSP_POINT * points;
    }
}

extern const struct gsp_module gsp_module_gpu_packing;
const struct gsp_module gsp_module_gpu_packing = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "gpu-packing",
    .summary = "used GPUs first, then free ones, then empty nodes",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = gpu_packing_open,
    .score = gpu_packing_score,
};
