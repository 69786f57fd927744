/* policies/modules/load.c - nodes with little load first, none on hot ones.
 *
 * Volcano's plugin usage, where the topology states the load of nodes beside
 * tasks (`load: {cpu: 40%, memory: 60%}`).  With the tasks that run there a
 * resource of a node has the load
 *   l_r = stated_r + request x used_r / capacity_r, at most 1
 * and the node
 *   score = weight x 100 x sum of w_r x (1 - l_r) / sum of w_r
 * A node with a load above a limit is refused.  Nodes whose load is not stated
 * have 0 points, and no limits.
 */
#include "policies/policy.h"

enum { WEIGHT, RESOURCES, LIMITS, REQUEST };

#define LOADS 2 /* GSP_CPU, GSP_MEMORY */

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "5", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{cpu: 1, memory: 1}", 0, 0,
      "weight of the load of cpu and of memory", NULL },
    { "limits", GSP_WEIGHTS, "{cpu: 80, memory: 80}", 0, 0,
      "percent of load above which a node is refused", NULL },
    { "request", GSP_REAL, "0.7", 0, 1, "load of a task, of its request",
      NULL },
};

/* The load of a resource of state `i`, from 0 to 1; below 0: not stated. */
static double load_of(const struct gsp_self *s, const struct gsp_view *v,
                      uint32_t i, uint32_t dim)
{
    const int32_t stated = s->host->class_load(s->ctx, v->klass[i], dim);
    const int64_t capacity = s->host->capacity(v, dim)[i];
    const int64_t used = capacity - s->host->free(v, dim)[i];
    double load;

    if (stated < 0 || capacity <= 0)
        return -1;
    load = (double)stated / 1000
           + s->value[REQUEST].real * (double)used / (double)capacity;
    return load < 1 ? load : 1;
}

static bool is_known(const struct gsp_self *s, const struct gsp_view *v,
                     uint32_t i)
{
    return load_of(s, v, i, GSP_CPU) >= 0 || load_of(s, v, i, GSP_MEMORY) >= 0;
}

static void load_filter(void *self, const struct gsp_view *v,
                        const struct gsp_task *t, uint8_t *refusal)
{
    const struct gsp_self *s = self;

    (void)t;
    for (uint32_t i = 0; i < v->states; i++) {
        for (uint32_t d = 0; d < LOADS; d++) {
            const double limit = s->value[LIMITS].weights[d];

            if (refusal[i] == GSP_ACCEPTED && limit >= 0
                && load_of(s, v, i, d) * 100 > limit)
                refusal[i] = GSP_NO_ROOM;
        }
    }
}

static void load_score(void *self, const struct gsp_view *v,
                       const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *s = self;
    const double weight = (double)s->value[WEIGHT].whole * (double)GSP_POINT;

    (void)t;
    for (uint32_t i = 0; i < v->states; i++) {
        double sum = 0, weights = 0;

        for (uint32_t d = 0; d < LOADS && is_known(s, v, i); d++) {
            const double w = s->value[RESOURCES].weights[d];
            const double load = load_of(s, v, i, d);

            if (w <= 0)
                continue;
            sum += w * (1 - (load > 0 ? load : 0));
            weights += w;
        }
        if (weights > 0)
            score[i] += (int64_t)(sum / weights * 100 * weight + 0.5);
    }
}

extern const struct gsp_module gsp_module_load;
const struct gsp_module gsp_module_load = {
    GSP_ABI,
    .name = "load",
    .summary = "nodes with little load first, none on hot ones (Volcano)",
    GSP_PARAMS(params),
    .promises = GSP_FILTER_STAYS,
    .filter = load_filter,
    .score = load_score,
};
