/* policies/modules/least-allocated.c - prefer nodes with the most left.
 *
 * kube-scheduler's NodeResourcesFit, LeastAllocated, in integers:
 *   score = sum of w_r x floor(100 x (capacity - used - asked) / capacity)
 *           / sum of w_r
 * 0 for a resource that is over.  What the node lacks is left out, and so is
 * a resource other than cpu and memory that the task does not ask for.
 */
#include "policies/policy.h"

#define DIMS_MAX 64u

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

/* A resource that counts for the task asked about. */
struct counted {
    const int64_t *capacity, *free; /* columns */
    int64_t asked, weight;
};

static uint32_t resources_counted(const struct least_allocated *l,
                                  const struct gsp_view *v,
                                  const struct gsp_task *t, struct counted *out)
{
    const uint32_t dims = l->host->dims(l->ctx);
    uint32_t n = 0;

    for (uint32_t d = 0; d < dims && n < DIMS_MAX; d++) {
        const int64_t asked = l->host->amount(t, d);

        if (l->resources[d] > 0 && (d <= GSP_MEMORY || asked > 0))
            out[n++] = (struct counted){ l->host->capacity(v, d),
                                         l->host->free(v, d), asked,
                                         (int64_t)l->resources[d] };
    }
    return n;
}

/* Points of state `i`, without the factor; what the node lacks is left out. */
static int64_t state_score(const struct counted *c, uint32_t n, uint32_t i)
{
    int64_t sum = 0, weights = 0;

    for (uint32_t k = 0; k < n; k++) {
        const int64_t capacity = c[k].capacity[i];

        if (capacity <= 0)
            continue;
        weights += c[k].weight;
        sum += c[k].weight
               * resource_score(capacity, capacity - c[k].free[i] + c[k].asked);
    }
    return weights > 0 ? sum / weights : 0;
}

static void least_allocated_score(void *self, const struct gsp_view *v,
                                  const struct gsp_task *t, int64_t *score)
{
    const struct least_allocated *l = self;
    const uint32_t states = l->host->states(v);
    struct counted counted[DIMS_MAX];
    const uint32_t n = resources_counted(l, v, t, counted);

    for (uint32_t i = 0; i < states; i++)
        score[i] += state_score(counted, n, i) * l->weight * GSP_POINT;
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
