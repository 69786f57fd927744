/* policies/modules/binpack.c - fill nodes before opening new ones.
 *
 * Volcano's plugin (pkg/scheduler/plugins/binpack):
 *   score = weight x 100 x sum over resources asked for and weighted of
 *           w_r x (used_r + asked_r) / capacity_r, / sum of w_r
 * and 0 when one of them does not fit.  A resource without a weight is left
 * out; one that the node lacks adds nothing but its weight counts.
 */
#include "policies/policy.h"

struct binpack {
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    const double *resources; /* by dimension; < 0: left out */
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 5, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource; one left out is not packed", NULL },
};

static int binpack_open(const struct gsp_host *host, void *ctx,
                        const union gsp_value *value, void **self)
{
    struct binpack *b = host->keep(ctx, sizeof(*b));

    b->host = host;
    b->ctx = ctx;
    b->weight = value[0].whole;
    b->resources = value[1].weights;
    *self = b;
    return 0;
}

/* Points of state `i`, without the factor. */
static double binpack_state(const struct binpack *b, const struct gsp_view *v,
                            const struct gsp_task *t, uint32_t i)
{
    const uint32_t dims = b->host->dims(b->ctx);
    double sum = 0, weights = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const int64_t asked = b->host->amount(t, d);
        int64_t capacity, used;

        if (asked <= 0 || b->resources[d] < 0)
            continue;
        weights += b->resources[d];
        capacity = b->host->capacity(v, d)[i];
        used = capacity - b->host->free(v, d)[i] + asked;
        if (capacity > 0 && used > capacity)
            return 0;
        if (capacity > 0)
            sum += b->resources[d] * (double)used / (double)capacity;
    }
    return weights > 0 ? sum / weights * 100 : 0;
}

static void binpack_score(void *self, const struct gsp_view *v,
                          const struct gsp_task *t, int64_t *score)
{
    const struct binpack *b = self;
    const uint32_t n = b->host->states(v);

    for (uint32_t i = 0; i < n; i++)
        score[i] += (int64_t)(binpack_state(b, v, t, i) * (double)b->weight
                                  * (double)GSP_POINT
                              + 0.5);
}

extern const struct gsp_module gsp_module_binpack;
const struct gsp_module gsp_module_binpack = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "binpack",
    .summary = "fill nodes before opening new ones (Volcano's binpack)",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .promises = GSP_SCORE_RISES,
    .open = binpack_open,
    .score = binpack_score,
};
