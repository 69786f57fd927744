/* policies/modules/node-size.c - small nodes first, or large ones.
 *
 * scheduler-plugins' NodeResourcesAllocatable: with
 *   size = sum of w_r x capacity_r / sum of w_r
 * in millicores, bytes, and whole units of all else, and the least and the
 * greatest size of the nodes where the task fits,
 *   score = floor(100 x (size - least) / (greatest - least))
 * for large nodes first (`mode: most`); for small ones (`least`) the sizes are
 * negative.  0 where all have one size.
 */
#include "policies/policy.h"

enum { WEIGHT, MODE, RESOURCES };
enum { LEAST, MOST };

#define SIZE_MOST (INT64_MAX / 256) /* a size: differences x 100 fit */

static const char *const modes[] = { "least", "most", NULL };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "mode", GSP_CHOICE, "least", 0, 0,
      "least: small nodes first; most: large", modes },
    { "resources", GSP_WEIGHTS, "{cpu: 1048576, memory: 1}", 0, 0,
      "weight of a millicore, a byte, a GPU ...", NULL },
};

static int64_t size_of(const struct gsp_self *s, uint32_t node)
{
    const double *weight = s->value[RESOURCES].weights;
    const int64_t *has = s->host->node_capacity(s->ctx, node);
    const uint32_t dims = s->host->dims(s->ctx);
    double sum = 0, weights = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const int64_t unit = d == GSP_CPU || d == GSP_MEMORY || d == GSP_PODS
                                 ? 1
                                 : 1000;

        if (weight[d] <= 0)
            continue;
        sum += weight[d] * (double)(has[d] / unit);
        weights += weight[d];
    }
    if (weights <= 0)
        return 0;
    sum /= weights;
    if (sum > (double)SIZE_MOST)
        sum = (double)SIZE_MOST;
    return s->value[MODE].whole == MOST ? (int64_t)sum : -(int64_t)sum;
}

static enum gsp_regard size_regards(void *self, const struct gsp_job *j,
                                    uint32_t group)
{
    const struct gsp_self *s = self;

    (void)j, (void)group;
    return s->value[WEIGHT].whole ? GSP_BY_CLASS : GSP_NO_REGARD;
}

static void size_prefer(void *self, const struct gsp_job *j, uint32_t group,
                        const struct gsp_nodes *n, int64_t *score)
{
    const struct gsp_self *s = self;
    int64_t least = INT64_MAX, greatest = INT64_MIN;

    (void)j, (void)group;
    for (uint32_t i = 0; i < n->count; i++) {
        const int64_t size = size_of(s, n->node[i]);

        least = size < least ? size : least;
        greatest = size > greatest ? size : greatest;
    }
    for (uint32_t i = 0; i < n->count && greatest > least; i++)
        score[i] += (size_of(s, n->node[i]) - least) * 100 / (greatest - least)
                    * s->value[WEIGHT].whole * GSP_POINT;
}

extern const struct gsp_module gsp_module_node_size;
const struct gsp_module gsp_module_node_size = {
    GSP_ABI,
    .name = "node-size",
    .summary = "small or large nodes first (NodeResourcesAllocatable)",
    GSP_PARAMS(params),
    .regards = size_regards,
    .prefer = size_prefer,
};
