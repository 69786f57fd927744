/* policies/modules/remaining.c - nodes with little of one resource left, or
 * with much of it.
 *
 * What counts is GPUs that no task has a part of, for tasks that ask for GPUs
 * or parts of them, else CPUs (KAI Scheduler's plugin nodeplacement):
 *   binpack  score = weight x (1 - free / most), with the most that a node of
 *            the cluster has when it is empty; 0 on nodes that have none
 *   spread   score = weight x free / capacity of the node
 */
#include "policies/policy.h"

#define DEVICE 1000 /* thousandths */

enum { WEIGHT, GPU, CPU };
enum { BINPACK, SPREAD };

static const char *const ways[] = { "binpack", "spread", NULL };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "9", 0, 1000, "factor of the score", NULL },
    { "gpu", GSP_CHOICE, "binpack", 0, 0,
      "of tasks that ask for GPUs: binpack or spread", ways },
    { "cpu", GSP_CHOICE, "binpack", 0, 0, "of the others: binpack or spread",
      ways },
};

struct remaining {
    const struct gsp_host *host;
    int64_t weight;
    int way[2];      /* of GPUs, of CPUs */
    int64_t most[2]; /* that a node has */
};

static int remaining_open(const struct gsp_host *host, void *ctx,
                          const union gsp_value *value, void **self)
{
    struct remaining *r = host->keep(ctx, sizeof(*r));
    const uint32_t nodes = host->domains(ctx, host->levels(ctx) - 1);

    r->host = host;
    r->weight = value[WEIGHT].whole;
    r->way[0] = (int)value[GPU].whole;
    r->way[1] = (int)value[CPU].whole;
    for (uint32_t n = 0; n < nodes; n++) {
        const int64_t *has = host->node_capacity(ctx, n);

        r->most[0] = has[GSP_GPU] > r->most[0] ? has[GSP_GPU] : r->most[0];
        r->most[1] = has[GSP_CPU] > r->most[1] ? has[GSP_CPU] : r->most[1];
    }
    *self = r;
    return 0;
}

static void remaining_score(void *self, const struct gsp_view *v,
                            const struct gsp_task *t, int64_t *score)
{
    const struct remaining *r = self;
    const int which = r->host->amount(t, GSP_GPU) > 0 ? 0 : 1;
    const uint32_t dim = which == 0 ? GSP_GPU : GSP_CPU;
    const int64_t *free = r->host->free(v, dim);
    const bool whole = dim == GSP_GPU;
    const int64_t *capacity = r->host->capacity(v, dim);

    for (uint32_t i = 0; i < v->states; i++) {
        const int64_t now = whole ? (int64_t)v->gpus_free[i] * DEVICE : free[i];
        const double left = now > 0 ? (double)now : 0;
        double part;

        if (capacity[i] <= 0)
            continue;
        part = r->way[which] == SPREAD ? left / (double)capacity[i]
                                       : 1 - left / (double)r->most[which];
        score[i] += (int64_t)(part * (double)(r->weight * GSP_POINT) + 0.5);
    }
}

extern const struct gsp_module gsp_module_remaining;
const struct gsp_module gsp_module_remaining = {
    GSP_ABI,
    .name = "remaining",
    .summary = "nodes with little left of GPUs, or of CPUs, or with much",
    GSP_PARAMS(params),
    .open = remaining_open,
    .score = remaining_score,
};
