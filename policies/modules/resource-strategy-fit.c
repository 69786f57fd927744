/* policies/modules/resource-strategy-fit.c - packs some resources, spreads
 * others.
 *
 * Volcano's plugin (pkg/scheduler/plugins/resource-strategy-fit):
 *   score = weight x 100 x sum over resources asked for and weighted of
 *           w_r x f_r, / sum of w_r
 * where f_r is u = (used_r + asked_r) / capacity_r for resources to pack
 * (`most`) and 1 - u for resources to spread (`least`); 0 when one of them does
 * not fit. A resource that the node lacks adds 0 points, but its weight counts.
 */
#include "policies/policy.h"

enum { WEIGHT, MOST, LEAST };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "10", 0, 1000, "factor of the score", NULL },
    { "most", GSP_WEIGHTS, "{}", 0, 0, "weight of each resource to be packed",
      NULL },
    { "least", GSP_WEIGHTS, "{cpu: 1, memory: 1}", 0, 0,
      "weight of each resource to be spread", NULL },
};

static double positive(double weight)
{
    return weight > 0 ? weight : 0;
}

/* Points of state `i`, without the weight of the module. */
static double strategy_state(const struct gsp_self *s, const struct gsp_view *v,
                             const struct gsp_task *t, uint32_t i)
{
    const uint32_t dims = s->host->dims(s->ctx);
    double sum = 0, weights = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const double most = positive(s->value[MOST].weights[d]),
                     least = positive(s->value[LEAST].weights[d]);
        const int64_t asked = s->host->amount(t, d);
        const int64_t capacity = s->host->capacity(v, d)[i];
        const int64_t left = s->host->free(v, d)[i] - asked;
        double part;

        if (asked <= 0 || most + least <= 0)
            continue;
        weights += most + least;
        if (capacity <= 0)
            continue;
        if (left < 0)
            return 0;
        part = (double)left / (double)capacity;
        sum += most * (1 - part) + least * part;
    }
    return weights > 0 ? sum / weights * 100 : 0;
}

static void strategy_score(void *self, const struct gsp_view *v,
                           const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *s = self;

    for (uint32_t i = 0; i < v->states; i++)
        score[i] += (int64_t)(strategy_state(s, v, t, i)
                                  * (double)s->value[WEIGHT].whole
                                  * (double)GSP_POINT
                              + 0.5);
}

extern const struct gsp_module gsp_module_resource_strategy_fit;
const struct gsp_module gsp_module_resource_strategy_fit = {
    GSP_ABI,
    .name = "resource-strategy-fit",
    .summary = "pack some resources and spread others (Volcano's plugin)",
    GSP_PARAMS(params),
    .score = strategy_score,
};
