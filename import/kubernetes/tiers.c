/* import/kubernetes/tiers.c - which labels of nodes are tiers of the cluster. */
#include "import/kubernetes/tiers.h"

#include <assert.h>
#include <string.h>

#include "import/account.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/node.h"

#define HOSTNAME "kubernetes.io/hostname"

/* Outermost first.  Sources: the well-known labels of Kubernetes, and the
 * documents of NVIDIA's topograph, EKS, GKE and OKE.
 */
static const struct known {
    const char *label, *name;
} known[] = {
    { "topology.kubernetes.io/region", "region" },
    { "failure-domain.beta.kubernetes.io/region", "region" },
    { "topology.kubernetes.io/zone", "zone" },
    { "failure-domain.beta.kubernetes.io/zone", "zone" },
    { "topology.k8s.aws/network-node-layer-1", "layer-1" },
    { "topology.k8s.aws/network-node-layer-2", "layer-2" },
    { "topology.k8s.aws/network-node-layer-3", "layer-3" },
    { "network.topology.nvidia.com/core", "core" },
    { "network.topology.nvidia.com/datacenter", "core" },
    { "network.topology.nvidia.com/spine", "spine" },
    { "network.topology.nvidia.com/block", "spine" },
    { "network.topology.nvidia.com/leaf", "leaf" },
    { "network.topology.kubernetes.io/datacenter", "datacenter" },
    { "network.topology.kubernetes.io/spine", "spine" },
    { "network.topology.kubernetes.io/block", "block" },
    { "network.topology.kubernetes.io/leaf", "leaf" },
    { "network.topology.nvidia.com/accelerator", "accelerator" },
    { "network.topology.kubernetes.io/accelerator", "accelerator" },
    { "cloud.google.com/gce-topology-block", "block" },
    { "cloud.google.com/gce-topology-subblock", "subblock" },
    { "cloud.provider.com/topology-block", "block" },
    { "topology.kubernetes.io/block", "block" },
    { "cloud.provider.com/topology-rack", "rack" },
    { "topology.kubernetes.io/rack", "rack" },
    { "kubernetes.io/rack", "rack" },
    { "rack", "rack" },
    { "cloud.google.com/gce-topology-host", "host" },
};

static bool is_taken(const struct kube_tiers *t, uint32_t label,
                     const char *name, const struct kube *k)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->at[i].label == label
            || strcmp(kube_str(k, t->at[i].name), name) == 0)
            return true;
    }
    return false;
}

void kube_tier_add(struct kube *k, uint32_t label, const char *name)
{
    struct kube_tiers *t = k->tiers;

    if (strcmp(kube_str(k, label), HOSTNAME) == 0
        || is_taken(t, label, name, k))
        return;
    if (t->count == TOPO_TIERS_MAX) {
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "tier '%s': %d stand above the node already", name,
                            TOPO_TIERS_MAX);
        return;
    }
    t->at[t->count++] = (struct kube_tier){ label, kube_put(k, name) };
}

static bool is_label(const struct kube *k, uint32_t label)
{
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        if (kube_label_has(&k->nodes->at[i].labels, label))
            return true;
    }
    return false;
}

void kube_tiers_find(struct kube *k)
{
    if (k->tiers->count)
        return;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const uint32_t label = kube_put(k, known[i].label);

        if (is_label(k, label))
            kube_tier_add(k, label, known[i].name);
    }
    for (uint32_t i = 0; i < k->tiers->count; i++)
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "label %s is tier '%s' (--tier states others)",
                            kube_str(k, k->tiers->at[i].label),
                            kube_str(k, k->tiers->at[i].name));
}

uint32_t kube_tier_of(const struct kube *k, uint32_t label)
{
    if (strcmp(kube_str(k, label), HOSTNAME) == 0)
        return kube_put(k, "node");
    for (uint32_t i = 0; i < k->tiers->count; i++) {
        if (k->tiers->at[i].label == label)
            return k->tiers->at[i].name;
    }
    return 0;
}
