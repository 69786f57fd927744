/* policies/modules/scarce.c - keeps tasks off nodes with scarce resources.
 *
 * Volcano's plugin resource-strategy-fit has both parts.  The score, its `sra`:
 *   score = weight x 100 x (1 - w(node) / w(all))
 * where w(all) is the sum of the weights of `resources`, w(node) of those that
 * the node has; 0 where the node lacks a resource that the task asks for.
 *
 * The filter, its `proportional`: a task that asks for none of the resources in
 * `cpu` and `memory` must leave, for each unit of them that is idle, so many
 * cores and so many GB (10^9 bytes) free.
 */
#include "policies/policy.h"

enum { WEIGHT, RESOURCES, KEEP_CPU, KEEP_MEMORY };

#define UNIT INT64_C(1000)       /* of a resource, in thousandths */
#define CORE INT64_C(1000)       /* in millicores */
#define GIGA INT64_C(1000000000) /* in bytes */

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score; 0: none", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 1}", 0, 0,
      "weight of each scarce resource", NULL },
    { "keep_cpu", GSP_WEIGHTS, "{}", 0, 0,
      "cores that others leave for each idle unit: {gpu: 4}", NULL },
    { "keep_memory", GSP_WEIGHTS, "{}", 0, 0,
      "GB that others leave for each idle unit: {gpu: 8}", NULL },
};

/* --- the score ------------------------------------------------------------ */

/* The part of the weights that are of resources which state `i` has, as its
 * points of 100; 0 when it lacks what the task asks for.
 */
static double points_of(const struct gsp_self *s, const struct gsp_view *v,
                        const struct gsp_task *t, uint32_t i)
{
    const uint32_t dims = s->host->dims(s->ctx);
    double has = 0, all = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const double weight = s->value[RESOURCES].weights[d];
        const int64_t capacity = s->host->capacity(v, d)[i];

        if (capacity <= 0 && s->host->amount(t, d) > 0)
            return 0;
        if (weight <= 0)
            continue;
        all += weight;
        has += capacity > 0 ? weight : 0;
    }
    return all > 0 ? 100 * (1 - has / all) : 0;
}

static void scarce_score(void *self, const struct gsp_view *v,
                         const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *s = self;
    const double weight = (double)s->value[WEIGHT].whole * (double)GSP_POINT;

    for (uint32_t i = 0; i < v->states; i++)
        score[i] += (int64_t)(points_of(s, v, t, i) * weight + 0.5);
}

/* --- the filter ----------------------------------------------------------- */

static double kept(const struct gsp_self *s, int which, uint32_t dim)
{
    const double each = s->value[which].weights[dim];

    return each > 0 ? each : 0;
}

/* Does the task ask for a resource that others leave cores or memory for? */
static bool asks_for_kept(const struct gsp_self *s, const struct gsp_task *t)
{
    for (uint32_t d = 0; d < s->host->dims(s->ctx); d++) {
        if (s->host->amount(t, d) > 0
            && kept(s, KEEP_CPU, d) + kept(s, KEEP_MEMORY, d) > 0)
            return true;
    }
    return false;
}

/* Would the task leave enough of state `i` for what is idle there? */
static bool leaves_enough(const struct gsp_self *s, const struct gsp_view *v,
                          const struct gsp_task *t, uint32_t i)
{
    const struct gsp_host *h = s->host;
    const int64_t cpu = h->free(v, GSP_CPU)[i] - h->amount(t, GSP_CPU);
    const int64_t memory = h->free(v, GSP_MEMORY)[i] - h->amount(t, GSP_MEMORY);

    for (uint32_t d = 0; d < h->dims(s->ctx); d++) {
        const double idle = (double)h->free(v, d)[i] / (double)UNIT;

        if ((double)cpu < idle * kept(s, KEEP_CPU, d) * (double)CORE
            || (double)memory < idle * kept(s, KEEP_MEMORY, d) * (double)GIGA)
            return false;
    }
    return true;
}

static void scarce_filter(void *self, const struct gsp_view *v,
                          const struct gsp_task *t, uint8_t *refusal)
{
    const struct gsp_self *s = self;

    if (asks_for_kept(s, t))
        return;
    for (uint32_t i = 0; i < v->states; i++) {
        if (refusal[i] == GSP_ACCEPTED && !leaves_enough(s, v, t, i))
            refusal[i] = GSP_NO_ROOM;
    }
}

extern const struct gsp_module gsp_module_scarce;
const struct gsp_module gsp_module_scarce = {
    GSP_ABI,
    .name = "scarce",
    .summary = "nodes with scarce resources are kept for tasks that need them",
    GSP_PARAMS(params),
    .score = scarce_score,
    .filter = scarce_filter,
};
