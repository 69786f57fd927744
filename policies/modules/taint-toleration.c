/* policies/modules/taint-toleration.c - nodes with taints to be avoided last.
 *
 * kube-scheduler's TaintToleration: with n the number of a node's taints
 * PreferNoSchedule that the task does not tolerate,
 *   score = 100 - floor(100 x n / the largest n of the nodes where it fits)
 * Taints NoSchedule and NoExecute are what `fit` refuses.
 */
#include "policies/policy.h"

struct taints {
    const struct gsp_host *host;
    int64_t weight;
    bool any; /* of all nodes */
};

static const struct gsp_param params[] = {
    { "weight", GSP_WHOLE, "3", 0, 1000, "factor of the score", NULL },
};

static int taints_open(const struct gsp_host *host, void *ctx,
                       const union gsp_value *value, void **self)
{
    struct taints *t = host->keep(ctx, sizeof(*t));

    *t = (struct taints){ host, value->whole, host->soft_taints(ctx) > 0 };
    *self = t;
    return 0;
}

static enum gsp_regard taints_regards(void *self, const struct gsp_job *j,
                                      uint32_t group)
{
    const struct taints *t = self;

    (void)j, (void)group;
    return t->any && t->weight ? GSP_BY_CLASS : GSP_NO_REGARD;
}

static void taints_prefer(void *self, const struct gsp_job *j, uint32_t group,
                          const struct gsp_nodes *n, int64_t *score)
{
    const struct taints *t = self;
    int64_t most = 0;

    for (uint32_t i = 0; i < n->count; i++) {
        const int64_t bad = t->host->job_soft_taints(j, group, n->node[i]);

        most = bad > most ? bad : most;
    }
    for (uint32_t i = 0; i < n->count && most; i++) {
        const int64_t bad = t->host->job_soft_taints(j, group, n->node[i]);

        score[i] += t->weight * (100 - bad * 100 / most) * GSP_POINT;
    }
}

extern const struct gsp_module gsp_module_taint_toleration;
const struct gsp_module gsp_module_taint_toleration = {
    GSP_ABI,
    .name = "taint-toleration",
    .summary = "nodes with taints PreferNoSchedule last (kube-scheduler)",
    GSP_PARAMS(params),
    .open = taints_open,
    .regards = taints_regards,
    .prefer = taints_prefer,
};
