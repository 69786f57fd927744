/* import/kubernetes/object/shapes.c - see shapes.h.
 *
 * A place is a path of keys; '*' stands for all items of a list, or values of a
 * mapping.  A mapping at a place that has no row may have any key.
 */
#include "import/kubernetes/object/shapes.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/source.h"

#define GROUPS "spec.resourceGroups"
#define SHARES                       \
    {                                \
        "spec.fairSharing", "weight" \
    }
#define QUOTAS                                              \
    { GROUPS ".*", "coveredResources flavors" },            \
        { GROUPS ".*.flavors.*", "name resources" },        \
    {                                                       \
        GROUPS ".*.flavors.*.resources.*",                  \
            "name nominalQuota borrowingLimit lendingLimit" \
    }
#define AMOUNTS "quota limit overQuotaWeight"
#define PLACES_MAX 10

static const struct shape {
    const char *group, *kind;
    struct place {
        const char *path, *keys; /* path NULL: no more */
    } place[PLACES_MAX];
} shapes[] = {
    { "kueue.x-k8s.io",
      "ClusterQueue",
      { { "spec",
          "resourceGroups cohort cohortName queueingStrategy "
          "namespaceSelector flavorFungibility preemption admissionChecks "
          "admissionChecksStrategy stopPolicy fairSharing admissionScope" },
        QUOTAS,
        { "spec.flavorFungibility", "whenCanBorrow whenCanPreempt preference" },
        { "spec.preemption",
          "withinClusterQueue reclaimWithinCohort borrowWithinCohort" },
        { "spec.preemption.borrowWithinCohort", "policy maxPriorityThreshold" },
        SHARES,
        { "spec.admissionScope", "admissionMode" } } },
    { "kueue.x-k8s.io",
      "Cohort",
      { { "spec", "parent parentName resourceGroups fairSharing" },
        QUOTAS,
        SHARES } },
    { "kueue.x-k8s.io",
      "LocalQueue",
      { { "spec", "clusterQueue stopPolicy fairSharing" }, SHARES } },
    { "kueue.x-k8s.io",
      "ResourceFlavor",
      { { "spec", "nodeLabels nodeTaints tolerations topologyName" } } },
    { "kueue.x-k8s.io",
      "Workload",
      { { "spec",
          "podSets queueName priorityClassRef priorityClassName "
          "priorityClassSource priority active maximumExecutionTimeSeconds "
          "preemptionGates" /* unless a feature gate is open, which is told */ },
        { "spec.podSets.*", "name template count minCount topologyRequest" },
        { "spec.podSets.*.topologyRequest",
          "required preferred unconstrained podIndexLabel subGroupIndexLabel "
          "subGroupCount podSetGroupName podSetSliceRequiredTopology "
          "podSetSliceSize podsetSliceRequiredTopologyConstraints" } } },
    { "kueue.x-k8s.io",
      "Topology",
      { { "spec", "levels" }, { "spec.levels.*", "nodeLabel" } } },
    { "config.kueue.x-k8s.io",
      "Configuration",
      { { "fairSharing", "enable preemptionStrategies" },
        { "waitForPodsReady",
          "enable timeout blockAdmission requeuingStrategy recoveryTimeout" },
        { "waitForPodsReady.requeuingStrategy",
          "timestamp backoffLimitCount backoffBaseSeconds backoffMaxSeconds" },
        { "admissionFairSharing",
          "usageHalfLifeTime usageSamplingInterval resourceWeights" },
        { "resources",
          "excludeResourcePrefixes transformations quotaCheckStrategy "
          "deviceClassMappings" } } },
    { "scheduling.run.ai",
      "Queue",
      { { "spec",
          "displayName parentQueue resources priority preemptMinRuntime "
          "reclaimMinRuntime" },
        { "spec.resources", "gpu cpu memory" },
        { "spec.resources.*", AMOUNTS } } },
    { "scheduling.run.ai",
      "PodGroup",
      { { "spec.topologyConstraint",
          "topology requiredTopologyLevel preferredTopologyLevel" },
        { "spec.subGroups.*",
          "name minMember parent topologyConstraint minSubGroup" },
        { "spec.subGroups.*.topologyConstraint",
          "topology requiredTopologyLevel preferredTopologyLevel" } } },
    { "kai.scheduler",
      "Topology",
      { { "spec", "levels" }, { "spec.levels.*", "nodeLabel" } } },
    { "kai.scheduler",
      "SchedulingShard",
      { { "spec",
          "goMemLimitRatio goMemLimit args placementStrategy partitionLabelValue minRuntime "
          "queueDepthPerAction kValue usageDBConfig plugins actions" },
        { "spec.placementStrategy", "gpu cpu" },
        { "spec.minRuntime", "preemptMinRuntime reclaimMinRuntime" },
        { "spec.usageDBConfig",
          "clientType connectionString connectionStringEnvVar usageParams" },
        { "spec.usageDBConfig.usageParams",
          "halfLifePeriod windowSize windowType fetchInterval "
          "stalenessPeriod waitTimeout extraParams" },
        { "spec.plugins.*", "enabled priority arguments" },
        { "spec.actions.*", "enabled priority" } } },
};

/* Is the key a word of `keys`, which blanks separate? */
static bool is_among(const char *keys, const char *key)
{
    const size_t len = strlen(key);

    for (const char *at = len ? strstr(keys, key) : NULL; at;
         at = strstr(at + 1, key)) {
        if ((at == keys || at[-1] == ' ')
            && (at[len] == ' ' || at[len] == '\0'))
            return true;
    }
    return false;
}

static void keys_check(struct kube *k, const struct gs_ynode *n,
                       const char *kind, const char *keys)
{
    for (const struct gs_ynode *v = kube_map(n, ""); v; v = v->next) {
        if (!gs_ynode_is_null(v) && !is_among(keys, v->key->text))
            import_account_tell(k->account, IMPORT_IGNORED, k->source, v,
                                "'%.60s' of a %s", v->key->text, kind);
    }
}

/* Check each mapping that `path` leads to from `n`. */
static void place_check(struct kube *k, const struct gs_ynode *n,
                        const char *path, const char *kind, const char *keys)
{
    const char *star = strstr(path, "*");
    char before[80];
    size_t len = star ? (size_t)(star - path) : strlen(path);

    assert(strlen(path) < sizeof(before));
    memcpy(before, path, len);
    len -= len && before[len - 1] == '.';
    before[len] = '\0';
    n = kube_at(n, before);
    if (!star) {
        keys_check(k, n, kind, keys);
        return;
    }
    for (n = n && n->kind != GS_YSCALAR ? n->child : NULL; n; n = n->next)
        place_check(k, n, star + 1 + (star[1] == '.'), kind, keys);
}

void kube_shape_check(struct kube *k, const struct import_object *o)
{
    const char *slash = strchr(o->api_version, '/');
    const size_t len = slash ? (size_t)(slash - o->api_version) : 0;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        const struct shape *s = &shapes[i];

        if (strcmp(s->kind, o->kind) != 0 || strlen(s->group) != len
            || memcmp(s->group, o->api_version, len) != 0)
            continue;
        for (size_t p = 0; p < PLACES_MAX && s->place[p].path; p++)
            place_check(k, o->root, s->place[p].path, s->kind,
                        s->place[p].keys);
    }
}
