/* policies/modules/keep-nodes.c - a node is kept for each task that fits
 * nowhere.
 *
 * As YuniKorn's reservations (scheduler/objects/application.go): a pod that has
 * waited for `delay` and fits on no node gets one on which no other pod is
 * placed from then on, and is placed before all that has none: on its node or
 * on one that is not kept.  Of the nodes that could hold it when empty it gets
 * the one that lacks least, guarantee_misfit().
 */
#include "policies/modules/guarantee_share.h"

enum { DELAY, MOST };

static const struct gsp_param params[] = {
    { "delay", GSP_TIME, "2s", 0, INT64_MAX,
      "a task waits for that long before a node is kept for it", NULL },
    { "most", GSP_TIME, "2h", 0, INT64_MAX,
      "after that a node opens again if the task's queue may hold no more",
      NULL },
};

static bool keep_nodes_keep(void *self, struct gsp_keep *out)
{
    const struct gsp_self *k = self;

    out->delay = k->value[DELAY].whole;
    out->most = k->value[MOST].whole;
    return true;
}

static double keep_nodes_misfit(void *self, const struct gsp_view *v,
                                const struct gsp_task *t)
{
    const struct gsp_self *k = self;
    const uint32_t dims = k->host->dims(k->ctx);
    int64_t free[GUARANTEE_DIMS], asked[GUARANTEE_DIMS];

    assert(v->states == 1 && dims <= GUARANTEE_DIMS);
    for (uint32_t d = 0; d < dims; d++) {
        free[d] = k->host->free(v, d)[0];
        asked[d] = k->host->amount(t, d);
    }
    return guarantee_misfit(dims, free, asked);
}

extern const struct gsp_module gsp_module_keep_nodes;
const struct gsp_module gsp_module_keep_nodes = {
    GSP_ABI,
    .name = "keep-nodes",
    .summary = "a node is kept for each task that fits nowhere (YuniKorn)",
    GSP_PARAMS(params),
    .keep = keep_nodes_keep,
    .misfit = keep_nodes_misfit,
};
