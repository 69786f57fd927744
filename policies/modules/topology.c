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

enum { SMALLEST };

static const struct gsp_param params[] = {
    { "smallest", GSP_YESNO, "yes", 0, 0,
      "for every gang; no: only what jobs ask for themselves", NULL },
};

static bool topology_subtree(void *self, const struct gsp_job *j,
                             struct gsp_subtree *out)
{
    const struct gsp_self *t = self;
    bool is_required = false;
    const uint32_t within = t->host->job_within(j, &is_required);
    const uint32_t node = t->host->levels(t->ctx) - 1;

    if (within == GSP_NONE && !t->value[SMALLEST].whole)
        return false;
    out->fill = GSP_TIGHTEST;
    out->narrowest = t->value[SMALLEST].whole ? node : within;
    out->widest = is_required ? within : 0;
    return true;
}

extern const struct gsp_module gsp_module_topology;
const struct gsp_module gsp_module_topology = {
    GSP_ABI,
    .name = "topology",
    .summary = "a gang in the smallest subtree that holds it",
    GSP_PARAMS(params),
    .reads = GSP_READS_WITHIN,
    .subtree = topology_subtree,
};
