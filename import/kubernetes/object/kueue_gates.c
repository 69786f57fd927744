/* import/kubernetes/object/kueue_gates.c - see kueue_gates.h. */
#include "import/kubernetes/object/kueue_gates.h"

#include <assert.h>
#include <string.h>

#include "base/text.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"

static const struct {
    const char *name;
    bool is_open; /* unless stated */
} followed[KUBE_GATES] = {
    [KUBE_GATE_TOPOLOGY] = { "TopologyAwareScheduling", true },
    [KUBE_GATE_LAYERS] = { "TASMultiLayerTopology", true },
    [KUBE_GATE_BALANCED] = { "TASBalancedPlacement", false },
    [KUBE_GATE_PARTIAL] = { "PartialAdmission", true },
    [KUBE_GATE_FUNGIBILITY] = { "FlavorFungibility", true },
    [KUBE_GATE_FAIR_ORDER] = { "AdmissionFairSharing", true },
    [KUBE_GATE_QUOTA_CHECK] = { "QuotaCheckStrategy", true },
    [KUBE_GATE_READY_OFF] = { "DisableWaitForPodsReady", false },
    [KUBE_GATE_BOOST] = { "PriorityBoost", false },
    [KUBE_GATE_GATED] = { "AdmissionGatedBy", true },
    [KUBE_GATE_PRIORITY] = { "PrioritySortingWithinCohort", true },
    [KUBE_GATE_OWN_FIRST] = { "FairSharingPrioritizeNonBorrowing", true },
    [KUBE_GATE_OWN_EVICTS] = { "FairSharingPreemptWithinNominal", true },
};

/* These decide nothing that is replayed: metrics, names, checks of objects,
 * caches, other clusters.
 */
static const char *const idle[] = {
    "AssignQueueLabelsForPods",
    "CleanupProvisioningRequestsOnEviction",
    "CustomMetricLabels",
    "DeferRayServiceFinalizationForRedisCleanup",
    "FinishOrphanedWorkloads",
    "LWSImmutableGroupSize",
    "LocalQueueMetrics",
    "ManagedJobsNamespaceSelectorAlwaysRespected",
    "MetricForWorkloadCreationLatency",
    "MetricsForCohorts",
    "MultiKueue",
    "MultiKueueAdaptersForCustomJobs",
    "MultiKueueClusterProfile",
    "MultiKueueIncrementalDispatcherConfig",
    "MultiKueueIncrementalDispatcherRespectConfigOrder",
    "MultiKueueKubeConfigPathValidation",
    "MultiKueueManagerQuotaAutomation",
    "MultiKueueOrchestratedPreemption",
    "MultiKueueRemoteSpecSync",
    "PodIntegrationValidateGroupOwner",
    "RejectUpdatesToCQWithInvalidOnFlavors",
    "RemoveFinalizersWithStrictPatch",
    "ShortWorkloadNames",
    "SkipAncestorCheckForDeletedWorkloads",
    "SparkApplicationIntegration",
    "TASAssignmentsEncodingByHostnamePrefix",
    "TASCacheNodeMatchResults",
    "TASCacheTopologyTree",
    "TASCachingRemainingResources",
    "TASValidateWorkloadSliceSize",
    "TLSOptions",
    "UnadmittedWorkloadsExplicitStatus",
    "UnadmittedWorkloadsObservability",
    "ValidateRayAndSparkJobUpdates",
    "VectorizedResourceRequests",
    "VisibilityOnDemand",
    "WorkloadIdentifierAnnotations",
    "WorkloadRequestUseMergePatch",
    "WorkloadValidateResourcesAreNonNegative",
    "WorkloadValidationForPodSetMetadata",
};

/* It is as here that these are open, and those shut. */
static const char *const as_open[] = {
    "FastQuotaReleaseInPodIntegration",
    "FlavorFungibilityPreserveScanProgress",
    "ReclaimablePods",
    "RecomputeAssignmentUponPreemptionTargetsOverlap",
    "SchedulingEquivalenceHashing",
    "TASHandleOverlappingFlavors",
    "TASProfileMixed",
    "TASRecomputeAssignmentWithinSchedulingCycle",
};
static const char *const as_shut[] = {
    "ConcurrentAdmission",
    "ElasticJobsViaWorkloadSlices",
    "ElasticJobsViaWorkloadSlicesWithTAS",
    "PrioritizePreemptorWorkloads",
    "SchedulerLibraryIntegration",
    "TASRespectNodeAffinityPreferred",
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))
#define LISTS(list, name) \
    (gs_text_find((name), (list), COUNT(list)) < COUNT(list))

static void gate_take(struct kube *k, const struct gs_ynode *at,
                      const char *name, bool is_open)
{
    const bool opens = LISTS(as_open, name), shuts = LISTS(as_shut, name);

    for (uint32_t i = 0; i < KUBE_GATES; i++) {
        if (strcmp(followed[i].name, name) == 0) {
            k->kueue_gate[i] = is_open ? KUBE_GATE_OPEN : KUBE_GATE_SHUT;
            return;
        }
    }
    if (!LISTS(idle, name) && !(is_open ? opens : shuts))
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at,
                            "featureGates, %.60s: %s", name,
                            opens   ? "it is open here"
                            : shuts ? "it is shut here"
                                    : "it is not known here");
}

void kube_gates_read(struct kube *k, const struct gs_ynode *root)
{
    assert(k);
    for (const struct gs_ynode *n = kube_map(root, "featureGates"); n;
         n = n->next)
        gate_take(k, n, n->key->text,
                  n->kind == GS_YSCALAR && kube_go_true(n->text));
    for (const struct gs_ynode *n =
             kube_list(root, "controllerManager.featureGates");
         n; n = n->next) {
        const char *name = kube_text(n, "name");

        if (name)
            gate_take(k, n, name, kube_flag(n, "enabled", false));
    }
}

bool kube_gate_is_stated(const struct kube *k, enum kube_gate gate)
{
    assert(gate < KUBE_GATES);
    return k->kueue_gate[gate] != KUBE_GATE_UNSTATED;
}

bool kube_gate_is_open(const struct kube *k, enum kube_gate gate)
{
    return kube_gate_is_stated(k, gate) ? k->kueue_gate[gate] == KUBE_GATE_OPEN
                                        : followed[gate].is_open;
}
