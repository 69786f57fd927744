/* policies/modules/allocated.c - kube-scheduler's NodeResourcesFit: prefer the
 * nodes with the most left (least-allocated) or the least (most-allocated).
 *
 * In integers, over the resources with a weight:
 *   score = sum of w_r x points_r / sum of w_r
 *   least: points_r = floor(100 x (capacity - used - asked) / capacity)
 *   most:  points_r = floor(100 x min(used + asked, capacity) / capacity)
 * least gives 0 for a resource that is over.  What the node lacks is left
 * out, and so is a resource other than cpu and memory that the task does not
 * ask for.
 */
#include "policies/policy.h"

#define DIMS_MAX 64u

typedef int64_t (*points_fn)(int64_t capacity, int64_t used);

struct allocated {
    points_fn points;
    const struct gsp_host *host;
    void *ctx;
    int64_t weight;
    const double *resources; /* by dimension; < 0: left out */
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "weight of each resource, whole numbers", NULL },
};

/* Above this a hundred times an amount is too much; its lowest bits do not
 * matter then.
 */
#define LARGE (INT64_MAX / 128)

static int64_t least_points(int64_t capacity, int64_t used)
{
    return used > capacity ? 0 : (capacity - used) * 100 / capacity;
}

static int64_t most_points(int64_t capacity, int64_t used)
{
    return (used > capacity ? capacity : used) * 100 / capacity;
}

static void allocated_open(const struct gsp_host *host, void *ctx,
                           const union gsp_value *value, points_fn points,
                           void **self)
{
    struct allocated *a = host->keep(ctx, sizeof(*a));

    a->points = points;
    a->host = host;
    a->ctx = ctx;
    a->weight = value[0].whole;
    a->resources = value[1].weights;
    *self = a;
}

static int least_open(const struct gsp_host *host, void *ctx,
                      const union gsp_value *value, void **self)
{
    allocated_open(host, ctx, value, least_points, self);
    return 0;
}

static int most_open(const struct gsp_host *host, void *ctx,
                     const union gsp_value *value, void **self)
{
    allocated_open(host, ctx, value, most_points, self);
    return 0;
}

/* A resource that counts for the task asked about. */
struct counted {
    const int64_t *capacity, *free; /* columns */
    int64_t asked, weight;
};

static uint32_t resources_counted(const struct allocated *a,
                                  const struct gsp_view *v,
                                  const struct gsp_task *t, struct counted *out)
{
    const uint32_t dims = a->host->dims(a->ctx);
    uint32_t n = 0;

    for (uint32_t d = 0; d < dims && n < DIMS_MAX; d++) {
        const int64_t asked = a->host->amount(t, d);

        if (a->resources[d] > 0 && (d <= GSP_MEMORY || asked > 0))
            out[n++] = (struct counted){ a->host->capacity(v, d),
                                         a->host->free(v, d), asked,
                                         (int64_t)a->resources[d] };
    }
    return n;
}

/* Points of state `i`, without the factor; what the node lacks is left out. */
static int64_t state_score(points_fn points, const struct counted *c,
                           uint32_t n, uint32_t i)
{
    int64_t sum = 0, weights = 0;

    for (uint32_t k = 0; k < n; k++) {
        const int64_t capacity = c[k].capacity[i];
        const int64_t used = capacity - c[k].free[i] + c[k].asked;
        const int64_t scale = capacity > LARGE ? 128 : 1;

        if (capacity <= 0)
            continue;
        weights += c[k].weight;
        sum += c[k].weight * points(capacity / scale, used / scale);
    }
    return weights > 0 ? sum / weights : 0;
}

static void allocated_score(void *self, const struct gsp_view *v,
                            const struct gsp_task *t, int64_t *score)
{
    const struct allocated *a = self;
    const uint32_t states = a->host->states(v);
    struct counted counted[DIMS_MAX];
    const uint32_t n = resources_counted(a, v, t, counted);

    for (uint32_t i = 0; i < states; i++)
        score[i] += state_score(a->points, counted, n, i) * a->weight
                    * GSP_POINT;
}

extern const struct gsp_module gsp_module_least_allocated,
    gsp_module_most_allocated;

const struct gsp_module gsp_module_least_allocated = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "least-allocated",
    .summary = "spread: nodes with the most left first (kube-scheduler)",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .open = least_open,
    .score = allocated_score,
};

const struct gsp_module gsp_module_most_allocated = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "most-allocated",
    .summary = "pack: nodes with the least left first (kube-scheduler)",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .promises = GSP_SCORE_RISES,
    .open = most_open,
    .score = allocated_score,
};
