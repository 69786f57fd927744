/* policies/modules/dot-product.c - the node whose rest is least like the request,
 * as compared with in "Beware of Fragmentation" (ATC'23).
 *
 *   score = floor(100 x (1 - (CPU left x asked + GPU left x asked) / 2))
 *
 * before placing, in units of 128 cores and 8 GPUs.
 */
#include "policies/policy.h"

struct dot_product {
    const struct gsp_host *host;
    int64_t weight;
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

static int dot_product_open(const struct gsp_host *host, void *ctx,
                            const union gsp_value *value, void **self)
{
    struct dot_product *m = host->keep(ctx, sizeof(*m));

    m->host = host;
    m->weight = value[0].whole;
    *self = m;
    return 0;
}

/* x / 128,000 x y / 128,000 and so on: all in 1/128,000^2, exactly. */
static int64_t product(int64_t x, int64_t y, int64_t a, int64_t b)
{
    return x * y + 16 * a * 16 * b;
}

static void dot_product_score(void *self, const struct gsp_view *v,
                              const struct gsp_task *t, int64_t *score)
{
    const struct dot_product *m = self;
    const int64_t *cpu = m->host->free(v, GSP_CPU);
    const int64_t *gpu = m->host->free(v, GSP_GPU);
    const int64_t asked_cpu = m->host->amount(t, GSP_CPU);
    const int64_t asked_gpu = m->host->amount(t, GSP_GPU);
    const int64_t one = INT64_C(2) * 128000 * 128000;
    const uint32_t n = m->host->states(v);

    for (uint32_t i = 0; i < n; i++) {
        const int64_t alike = product(cpu[i], asked_cpu, gpu[i], asked_gpu);

        score[i] += m->weight * GSP_POINT
                    * (100 - (100 * alike + one - 1) / one);
    }
}

extern const struct gsp_module gsp_module_dot_product;
const struct gsp_module gsp_module_dot_product = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "dot-product",
    .summary = "nodes whose rest is least like the request",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = dot_product_open,
    .score = dot_product_score,
};
