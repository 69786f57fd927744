/* import/kubernetes/conf/scheduler_plugins.c - kube-scheduler's plugins,
 * and those of scheduler-plugins and of simulators of Alibaba's cluster.
 */
#include "import/kubernetes/conf/scheduler_plugins.h"

#include <string.h>

#define SORT (1u << KUBE_QUEUE_SORT)
#define FILTER (1u << KUBE_FILTER)
#define SCORE (1u << KUBE_SCORE)
#define POST (1u << KUBE_POST_FILTER)
#define PERMIT (1u << KUBE_PERMIT)
#define ALL (1u << KUBE_V1BETA1 | 1u << KUBE_V1BETA2 | 1u << KUBE_V1)
#define OLD (1u << KUBE_V1BETA1)

#define NUMA "nodes are not divided by NUMA"
#define LOAD "the load of nodes is not known"
#define NET "costs of the network are not known"

const struct kube_plugin_row kube_plugin_rows[] = {
    { "PrioritySort", SORT, ALL, 0, 0, NULL, NULL },
    { "SchedulingGates", 0, ALL, 0, 0, NULL, NULL },
    { "DefaultBinder", 0, ALL, 0, 0, NULL, NULL },
    { "DefaultPreBind", 0, 0, 0, 0, NULL, NULL }, /* Koordinator's */
    { "NodeUnschedulable", FILTER, ALL, 0, 0, NULL, NULL },
    { "NodeName", FILTER, ALL, 0, 0, NULL, NULL },
    { "NodePorts", FILTER, ALL, 0, 0, NULL, NULL },
    { "DynamicResources", FILTER, ALL, 0, 0, NULL, NULL },
    { "VolumeRestrictions", FILTER, ALL, 0, 0, NULL, NULL },
    { "VolumeBinding", FILTER | SCORE, ALL, 0, 0, NULL, NULL },
    { "VolumeZone", FILTER, ALL, 0, 0, NULL, NULL },
    { "NodeVolumeLimits", FILTER, ALL, 0, 0, NULL, NULL },
    { "EBSLimits", FILTER, ALL, 0, 0, NULL, NULL },
    { "GCEPDLimits", FILTER, ALL, 0, 0, NULL, NULL },
    { "AzureDiskLimits", FILTER, ALL, 0, 0, NULL, NULL },
    { "DefaultPreemption", POST, ALL, 0, 0, NULL, NULL },
    { "NodeResourcesFit", FILTER | SCORE, ALL, 1, 1, NULL, NULL },
    { "NodeResourcesLeastAllocated", SCORE, OLD, 1, 1, NULL, NULL },
    { "NodeResourcesMostAllocated", SCORE, 0, 1, 1, NULL, NULL },
    { "RequestedToCapacityRatio", SCORE, 0, 1, 1, NULL, NULL },
    { "NodeResourcesBalancedAllocation", SCORE, ALL, 1, 1, NULL, NULL },
    { "NodeAffinity", FILTER | SCORE, ALL, 2, 1, "node-affinity",
      "preferred terms of node affinity" },
    { "TaintToleration", FILTER | SCORE, ALL, 3, 1, "taint-toleration",
      "taints of effect PreferNoSchedule" },
    { "InterPodAffinity", FILTER | SCORE, ALL, 2, 1, "pod-affinity",
      "preferred terms of pod affinity" },
    { "PodTopologySpread", FILTER | SCORE, ALL, 2, 2, "topology-spread",
      "constraints that pods may break (ScheduleAnyway)" },
    { "ImageLocality", SCORE, ALL, 1, 1, "image-locality",
      "images of nodes are not known" },
    { "NodePreferAvoidPods", SCORE, 0, 1, 1, "", "annotations of nodes" },
    { "SelectorSpread", SCORE, 0, 1, 1, "",
      "pods of a service are not spread" },
    { "NodeLabel", FILTER | SCORE, 0, 1, 1, "",
      "labels that nodes should have" },
    { "ServiceAffinity", FILTER | SCORE, 0, 1, 1, "",
      "pods of a service are not kept together" },
    { "Coscheduling", SORT | POST | PERMIT, 0, 0, 0, NULL, NULL },
    { "CapacityScheduling", FILTER | POST, 0, 0, 0, NULL, NULL },
    { "NodeResourcesAllocatable", SCORE, 0, 1, 1, NULL, NULL },
    { "NodeResourceTopologyMatch", FILTER | SCORE, 0, 1, 1, "", NUMA },
    { "NetworkOverhead", FILTER | SCORE, 0, 1, 1, "", NET },
    { "TopologicalSort", SORT, 0, 0, 0, "", NET },
    { "TargetLoadPacking", SCORE, 0, 1, 1, "", LOAD },
    { "LoadVariationRiskBalancing", SCORE, 0, 1, 1, "", LOAD },
    { "LowRiskOverCommitment", SCORE, 0, 1, 1, "", LOAD },
    { "Peaks", SCORE, 0, 1, 1, "", LOAD },
    { "SySched", SCORE, 0, 1, 1, "", "system calls are not known" },
    { "PodState", SCORE, 0, 1, 1, "", "pods that end are not counted" },
    { "QOSSort", SORT, 0, 0, 0, "", "classes of quality of service" },
    { "PreemptionToleration", POST, 0, 0, 0, "",
      "pods that tolerate preemption; module min-runtime does the like" },
    { "Open-Gpu-Share", FILTER | SCORE, 0, 1, 1, NULL, NULL },
    { "FGDScore", SCORE, 0, 1, 1, "fgd", NULL },
    { "BestFitScore", SCORE, 0, 1, 1, "best-fit", NULL },
    { "DotProductScore", SCORE, 0, 1, 1, "dot-product", NULL },
    { "GpuPackingScore", SCORE, 0, 1, 1, "gpu-packing", NULL },
    { "GpuClusteringScore", SCORE, 0, 1, 1, "gpu-clustering", NULL },
    { "RandomScore", SCORE, 0, 1, 1, "random", NULL },
};
const size_t kube_plugin_count = sizeof(kube_plugin_rows)
                                 / sizeof(kube_plugin_rows[0]);

_Static_assert(sizeof(kube_plugin_rows) / sizeof(kube_plugin_rows[0])
                   <= KUBE_PLUGINS_MAX,
               "a profile has room for all plugins");

size_t kube_plugin_find(const char *name)
{
    size_t i = 0;

    while (i < kube_plugin_count && strcmp(kube_plugin_rows[i].name, name) != 0)
        i++;
    return i;
}

void kube_plugins_init(struct kube_plugins *p, enum kube_scheduler_age age,
                       bool packs)
{
    *p = (struct kube_plugins){ 0 };
    for (size_t i = 0; i < kube_plugin_count; i++) {
        const struct kube_plugin_row *r = &kube_plugin_rows[i];

        p->at[i].on = r->by_default >> age & 1 ? r->points : 0;
        p->at[i].weight = age == KUBE_V1 ? r->weight : r->old_weight;
    }
    if (age == KUBE_V1BETA1) /* a score of its own */
        p->at[kube_plugin_find("NodeResourcesFit")].on &= ~SCORE;
    if (!packs)
        return;
    p->at[kube_plugin_find("NodeResourcesLeastAllocated")].on = 0;
    p->at[kube_plugin_find("NodeResourcesMostAllocated")].on = SCORE;
}
