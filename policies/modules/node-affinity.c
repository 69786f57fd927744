/* policies/modules/node-affinity.c - the nodes that a task prefers.
 *
 * kube-scheduler's NodeAffinity: with p the sum of the weights of the
 * preferences that a node meets,
 *   score = floor(100 x p / the largest p of the nodes where the task fits)
 * Volcano's nodeorder takes p as it is: `normalize: no`.
 */
#include "policies/policy.h"

enum { WEIGHT, NORMALIZE };

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "2", 0, 1000, "factor of the score", NULL },
    { "normalize", GSP_YESNO, "yes", 0, 1,
      "100 points for the best; no: weights as they are (Volcano)", NULL },
};

static enum gsp_regard affinity_regards(void *self, const struct gsp_job *j,
                                        uint32_t group)
{
    const struct gsp_self *a = self;

    return a->value[WEIGHT].whole && a->host->job_prefers(j, group)
               ? GSP_BY_CLASS
               : GSP_NO_REGARD;
}

static void affinity_prefer(void *self, const struct gsp_job *j, uint32_t group,
                            const struct gsp_nodes *n, int64_t *score)
{
    const struct gsp_self *a = self;
    const int64_t weight = a->value[WEIGHT].whole * GSP_POINT;
    int64_t most = 0;

    for (uint32_t i = 0; i < n->count; i++) {
        const int64_t p = a->host->job_points(j, group, n->node[i]);

        most = p > most ? p : most;
    }
    for (uint32_t i = 0; i < n->count && most; i++) {
        const int64_t p = a->host->job_points(j, group, n->node[i]);

        score[i] += weight * (a->value[NORMALIZE].whole ? p * 100 / most : p);
    }
}

static uint32_t affinity_unread(const union gsp_value *value)
{
    return value[WEIGHT].whole ? 0 : GSP_READS_PREFER;
}

extern const struct gsp_module gsp_module_node_affinity;
const struct gsp_module gsp_module_node_affinity = {
    GSP_ABI,
    .name = "node-affinity",
    .summary = "nodes that the task prefers first (kube-scheduler)",
    GSP_PARAMS(params),
    .reads = GSP_READS_PREFER,
    .unread = affinity_unread,
    .regards = affinity_regards,
    .prefer = affinity_prefer,
};
