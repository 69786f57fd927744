/* policies/modules/node-usage.c - the nodes that are used the least, or the
 * most, before the task is placed:
 *
 *   usage = sum of w_r x used_r / capacity_r, / sum of w_r
 *
 * over the weighted resources that the node has; a point for each hundredth.
 * YuniKorn's nodesortpolicy fair and binpacking.
 */
#include "policies/policy.h"

static const char *const ways[] = { "least", "most", NULL };

enum { FIRST, RESOURCES };

static const struct gsp_param params[] = {
    { "first", GSP_CHOICE, "least", 0, 0,
      "least: the least used node first; most: the most used one", ways },
    { "resources", GSP_WEIGHTS, "{cpu: 1, memory: 1}", 0, 0,
      "weight of each resource", NULL },
};

/* From 0 to 1. */
static double usage_of(const struct gsp_self *s, const struct gsp_view *v,
                       uint32_t i)
{
    const uint32_t dims = s->host->dims(s->ctx);
    double sum = 0, weights = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const double w = s->value[RESOURCES].weights[d];
        const int64_t capacity = s->host->capacity(v, d)[i];

        if (!(w > 0) || capacity <= 0)
            continue;
        weights += w;
        sum += w * (double)(capacity - s->host->free(v, d)[i])
               / (double)capacity;
    }
    return weights > 0 ? sum / weights : 0;
}

static void node_usage_score(void *self, const struct gsp_view *v,
                             const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *s = self;

    (void)t;
    for (uint32_t i = 0; i < v->states; i++) {
        const double usage = usage_of(s, v, i);
        const double part = s->value[FIRST].whole ? usage : 1 - usage;

        score[i] += (int64_t)(part * 100 * (double)GSP_POINT + 0.5);
    }
}

extern const struct gsp_module gsp_module_node_usage;
const struct gsp_module gsp_module_node_usage = {
    GSP_ABI,
    .name = "node-usage",
    .summary = "the least or the most used nodes first (YuniKorn)",
    GSP_PARAMS(params),
    .score = node_usage_score,
};
