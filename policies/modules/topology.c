/* policies/modules/topology.c - places a gang in the smallest subtree that
 * holds it.
 *
 * Of the tiers node, NVLink domain, rack, spine ... it uses the lowest of which
 * one domain can hold the whole gang.  Of these domains it uses the one with
 * the fewest free GPUs (for a gang without GPUs: the least free amount of the
 * resource of which it asks for the largest part of the cluster).  In points:
 * 100 x (1 - tier / deepest tier), tiers counted from the node.  The tier of
 * the job, `topology: {within: T, mode: required}`, is never left; with
 * `preferred`, and of a tier that it `prefers` inside T, one domain is only
 * tried first.  A kind of its tasks with a topology of its own looks for it in
 * the domain of the gang.
 *
 * With `preempts: no` a job that states a tier has no victims of its queue but
 * by action gang-preempt, as in Volcano.
 */
#include <string.h>

#include "policies/policy.h"

enum { SMALLEST, PREEMPTS };

static const struct gsp_param params[] = {
    { "smallest", GSP_YESNO, "yes", 0, 0,
      "for every gang; no: only what jobs ask for themselves", NULL },
    { "preempts", GSP_YESNO, "yes", 0, 0,
      "no: action preempt evicts nothing for jobs that state a tier", NULL },
};

static bool topology_subtree(void *self, const struct gsp_job *j,
                             struct gsp_subtree *out)
{
    const struct gsp_self *t = self;
    bool is_required = false;
    const uint32_t within = t->host->job_within(j, &is_required);
    const uint32_t prefers = t->host->job_prefers_tier(j);
    const uint32_t node = t->host->levels(t->ctx) - 1;

    if (within == GSP_NONE && !t->value[SMALLEST].whole)
        return false;
    out->fill = GSP_TIGHTEST;
    out->narrowest = t->value[SMALLEST].whole ? node : within;
    out->widest = is_required ? within : 0;
    if (prefers != GSP_NONE && prefers > out->narrowest)
        out->narrowest = prefers;
    return true;
}

static bool topology_victims(void *self, enum gsp_why why,
                             const struct gsp_job *j,
                             const struct gsp_victims *v, uint8_t *spared)
{
    const struct gsp_self *t = self;
    bool is_required = false;

    if (why != GSP_PREEMPT || t->value[PREEMPTS].whole
        || t->host->job_within(j, &is_required) == GSP_NONE)
        return false;
    memset(spared, 1, v->count);
    return true;
}

extern const struct gsp_module gsp_module_topology;
const struct gsp_module gsp_module_topology = {
    GSP_ABI,
    .name = "topology",
    .summary = "a gang in the smallest subtree that holds it",
    GSP_PARAMS(params),
    .promises = GSP_VICTIMS_ARE_SPARED,
    .reads = GSP_READS_WITHIN,
    .subtree = topology_subtree,
    .victims = topology_victims,
};
