/* policies/modules/topology.c - a gang in the smallest subtree that holds it.
 *
 * Node, NVLink domain, rack, spine ...: the narrowest tier of which one
 * domain can hold the whole gang, and of its domains the one with the least
 * free GPUs (for a gang without GPUs: the least free of the resource of which it
 * asks for the largest part of the cluster's).  In points: 100 x (1 - tier / deepest tier), tiers counted from
 * the inside.  A job's own `topology: {within: T, mode: required}` is never
 * left; `preferred` is only where it begins.
 */
#include "policies/policy.h"

struct topology {
    const struct gsp_host *host;
    void *ctx;
    bool is_smallest;
};

static const struct gsp_param params[] = {
    { "smallest", GSP_YESNO, "yes", 0, 0,
      "for every gang; no: only what jobs ask for themselves", NULL },
};

static int topology_open(const struct gsp_host *host, void *ctx,
                         const union gsp_value *value, void **self)
{
    struct topology *t = host->keep(ctx, sizeof(*t));

    t->host = host;
    t->ctx = ctx;
    t->is_smallest = value[0].whole != 0;
    *self = t;
    return 0;
}

static bool topology_subtree(void *self, const struct gsp_job *j,
                             struct gsp_subtree *out)
{
    const struct topology *t = self;
    const uint32_t within = t->host->job_within(j);
    const uint32_t node = t->host->levels(t->ctx) - 1;

    if (within == GSP_NONE && !t->is_smallest)
        return false;
    out->fill = GSP_TIGHTEST;
    out->narrowest = t->is_smallest ? node : within;
    out->widest = within != GSP_NONE && t->host->job_within_required(j) ? within
                                                                        : 0;
    return true;
}

extern const struct gsp_module gsp_module_topology;
const struct gsp_module gsp_module_topology = {
    .abi_major = GSP_ABI_MAJOR,
    .abi_minor = GSP_ABI_MINOR,
    .size = sizeof(struct gsp_module),
    .name = "topology",
    .summary = "a gang in the smallest subtree that holds it",
    .param = params,
    .param_count = sizeof(params) / sizeof(params[0]),
    .reads = GSP_READS_WITHIN,
    .open = topology_open,
    .subtree = topology_subtree,
};
