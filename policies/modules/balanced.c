/* policies/modules/balanced.c - prefers nodes whose resources are evenly used.
 *
 * kube-scheduler's NodeResourcesBalancedAllocation.  With the fractions f_r =
 * min(1, (used_r + asked_r) / capacity_r) over the resources listed that the
 * node has:
 *   std = |f_1 - f_2| / 2 for two, else the population standard deviation
 *   classic (to 1.35):    score = floor(100 x (1 - std))
 *   relative (from 1.36): score = floor(50 + (50 + with - without) / 2), where
 *                         with and without are 100 x (1 - std) after and
 *                         before placing
 * A resource other than cpu and memory that the task does not ask for is left
 * out.  A task that asks for nothing scores 0 on every node.
 */
#include <math.h>

#include "policies/policy.h"

#define DIMS_MAX 64u

enum { CLASSIC, RELATIVE };

static const char *const scales[] = { "classic", "relative", NULL };

enum { WEIGHT, RESOURCES, SCALE };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "1", 0, 1000, "factor of the score", NULL },
    { "resources", GSP_WEIGHTS, "{gpu: 1, cpu: 1, memory: 1}", 0, 0,
      "the resources looked at; the weights do not matter", NULL },
    { "scale", GSP_CHOICE, "classic", 0, 0,
      "classic: kube-scheduler to 1.35; relative: from 1.36", scales },
};

static double deviation(const double *f, uint32_t n)
{
    double mean = 0, sum = 0;

    if (n < 2)
        return 0;
    if (n == 2)
        return fabs(f[0] - f[1]) / 2;
    for (uint32_t i = 0; i < n; i++)
        mean += f[i];
    mean /= n;
    for (uint32_t i = 0; i < n; i++)
        sum += (f[i] - mean) * (f[i] - mean);
    return sqrt(sum / n);
}

/* 1 - std of state `i`, with or without the task. */
static double balance(const struct gsp_self *b, const struct gsp_view *v,
                      const struct gsp_task *t, uint32_t i, bool with)
{
    const uint32_t dims = b->host->dims(b->ctx);
    double f[DIMS_MAX];
    uint32_t n = 0;

    for (uint32_t d = 0; d < dims && n < DIMS_MAX; d++) {
        const int64_t capacity = b->host->capacity(v, d)[i];
        const int64_t asked = b->host->amount(t, d);
        int64_t used;

        if (b->value[RESOURCES].weights[d] < 0 || capacity <= 0
            || (d > GSP_MEMORY && asked == 0))
            continue;
        used = capacity - b->host->free(v, d)[i] + (with ? asked : 0);
        f[n++] = used > capacity ? 1 : (double)used / (double)capacity;
    }
    return 1 - deviation(f, n);
}

static int64_t state_score(const struct gsp_self *b, const struct gsp_view *v,
                           const struct gsp_task *t, uint32_t i)
{
    const double with = balance(b, v, t, i, true) * 100;

    if (b->value[SCALE].whole == CLASSIC)
        return (int64_t)with;
    return (int64_t)(50 + (50 + with - balance(b, v, t, i, false) * 100) / 2);
}

static bool asks_for_some(const struct gsp_self *b, const struct gsp_task *t)
{
    for (uint32_t d = 0; d < b->host->dims(b->ctx); d++) {
        if (d != GSP_PODS && b->host->amount(t, d) > 0)
            return true;
    }
    return false;
}

static void balanced_score(void *self, const struct gsp_view *v,
                           const struct gsp_task *t, int64_t *score)
{
    const struct gsp_self *b = self;
    const uint32_t n = asks_for_some(b, t) ? v->states : 0;

    for (uint32_t i = 0; i < n; i++)
        score[i] += state_score(b, v, t, i) * b->value[WEIGHT].whole
                    * GSP_POINT;
}

extern const struct gsp_module gsp_module_balanced;
const struct gsp_module gsp_module_balanced = {
    GSP_ABI,
    .name = "balanced",
    .summary = "nodes whose resources are used alike first (kube-scheduler)",
    GSP_PARAMS(params),
    .score = balanced_score,
};
