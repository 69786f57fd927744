/* policies/modules/dot-product.c - prefers the node whose free vector has the
 * smallest dot product with the request, a baseline of "Beware of
 * Fragmentation" (ATC'23).
 *
 *   score = floor(100 x (1 - (CPU left x asked + GPU left x asked) / 2))
 *
 * before placing, in units of 128 cores and 8 GPUs.
 */
#include "policies/policy.h"

enum { WEIGHT };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
};

/* x / 128,000 x y / 128,000 and so on, exact in units of 1/128,000^2. */
static int64_t product(int64_t x, int64_t y, int64_t a, int64_t b)
{
    return x * y + 16 * a * 16 * b;
}

static void dot_product_score(void *self, const struct gsp_view *v,
                              const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *m = self;
    const int64_t *cpu = m->host->free(v, GSP_CPU);
    const int64_t *gpu = m->host->free(v, GSP_GPU);
    const int64_t asked_cpu = m->host->amount(t, GSP_CPU);
    const int64_t asked_gpu = m->host->amount(t, GSP_GPU);
    const int64_t one = INT64_C(2) * 128000 * 128000;

    for (uint32_t i = 0; i < v->states; i++) {
        const int64_t alike = product(cpu[i], asked_cpu, gpu[i], asked_gpu);

        score[i] += m->value[WEIGHT].whole * GSP_POINT
                    * (100 - (100 * alike + one - 1) / one);
    }
}

extern const struct gsp_module gsp_module_dot_product;
const struct gsp_module gsp_module_dot_product = {
    GSP_ABI,
    .name = "dot-product",
    .summary = "nodes whose rest is least like the request",
    GSP_PARAMS(params),
    .score = dot_product_score,
};
