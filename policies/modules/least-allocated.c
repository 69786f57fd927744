/* policies/modules/least-allocated.c - prefer nodes with the most left.
 *
 * kube-scheduler's NodeResourcesFit, LeastAllocated, in integers:
 *   score = sum of w_r x floor(100 x (capacity - used - asked) / capacity)
 *           / sum of w_r
 * 0 for a resource that is over.  What the node lacks is left out, and so is
 * a resource other than cpu and memory that the task does not ask for.
 */
#include "policies/policy.h"

struct least_allocated {
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    const double *resources; /* by dimension; < 0: left out */
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score" },
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource, whole numbers" },
};

static int least_allocated_open(const struct gsp_host *host, void *ctx,
                                const union gsp_value *value, void **self)
{
    struct least_allocated *l = host->keep(ctx, sizeof(*l));

    l->host = host;
    l->ctx = ctx;
    l->weight = value[0].whole;
    l->resources = value[1].weights;
    *self = l;
    return 0;
}

static int64_t resource_score(int64_t capacity, int64_t used)
{
    return used > capacity ? 0 : (capacity - used) * 100 / capacity;
}

/* Points of state `i`, without the factor. */
static int64_t state_score(const struct least_allocated *l,
                           const struct gsp_view *v, const struct gsp_task *t,
                           uint32_t i)
{
    const uint32_t dims = l->host->dims(l->ctx);
    int64_t sum = 0, weights = 0;

    for (uint32_t d = 0; d < dims; d++) {
        const int64_t asked = l->host->amount(t, d);
        const int64_t weight = (int64_t)l->resources[d];
        const int64_t capacity = l->host->capacity(v, d)[i];

        if (weight <= 0 || capacity <= 0 || (d > GSP_MEMORY && asked == 0))
            continue;
        weights += weight;
        sum += weight
               * resource_score(capacity,
                                capacity - l->host->free(v, d)[i] + asked);
    }
    return weights > 0 ? sum / weights : 0;
}

static void least_allocated_score(void *self, const struct gsp_view *v,
                                  const struct gsp_task *t, int64_t *score)
{
    const struct least_allocated *l = self;
    const uint32_t n = l->host->states(v);

    for (uint32_t i = 0; i < n; i++)
        score[i] += state_score(l, v, t, i) * l->weight * GSP_POINT;
}

extern const struct gsp_module gsp_module_least_allocated;
const struct gsp_module gsp_module_least_allocated = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "least-allocated",
    .summary = "spread: nodes with the most left first (kube-scheduler)",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = least_allocated_open,
    .score = least_allocated_score,
};
