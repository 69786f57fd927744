/* import/kubernetes/node/tiers.c - which labels of nodes are tiers of the
 * cluster.
 */
#include "import/kubernetes/node/tiers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/hyper_node.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

#define HOSTNAME "kubernetes.io/hostname"
#define N_LEVELS (TOPO_TIERS_MAX + 1) /* tiers and the host */

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

/* Tiers around those that objects state. */
#define OUTER 4

static bool is_taken(const struct kube_tiers *t, uint32_t label,
                     const char *name, const struct kube *k)
{
    for (uint32_t i = 0; i < t->count; i++) {
        if ((label && t->at[i].label == label)
            || strcmp(kube_str(k, t->at[i].name), name) == 0)
            return true;
    }
    return false;
}

/* Names that a native topology has for something else. */
static bool is_reserved(const char *name)
{
    static const char *const reserved[] = { "",     "cluster", "node",  "name",
                                            "type", "labels",  "taints" };

    for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
        if (strcmp(name, reserved[i]) == 0)
            return true;
    }
    return false;
}

struct kube_tier *kube_tier_add(struct kube *k, uint32_t label,
                                const char *name)
{
    struct kube_tiers *t = k->tiers;
    char text[300];

    if (is_reserved(name)) {
        (void)snprintf(text, sizeof(text), "tier-%s", name);
        name = text;
    }

    if (strcmp(kube_str(k, label), HOSTNAME) == 0
        || is_taken(t, label, name, k))
        return NULL;
    if (t->count == TOPO_TIERS_MAX) {
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "tier '%s': %d stand above the node already", name,
                            TOPO_TIERS_MAX);
        return NULL;
    }
    t->at[t->count] = (struct kube_tier){ label, kube_put(k, name), NULL };
    return &t->at[t->count++];
}

/* --- levels that objects list --------------------------------------------- */

/* The name of the tier of a label: the known one, else what stands behind '/',
 * without "topology-".
 */
static const char *name_of(const char *label)
{
    const char *slash = strrchr(label, '/');

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i].label, label) == 0)
            return known[i].name;
    }
    label = slash && slash[1] ? slash + 1 : label;
    return strncmp(label, "topology-", 9) == 0 && label[9] ? label + 9 : label;
}

/* What jobs of Kueue may ask for. */
static void levels_list(struct kube *k, uint32_t name,
                        const struct gs_ynode *level)
{
    struct kube_tiers *t = k->tiers;
    struct kube_levels all = { .name = name };

    for (; level && all.labels < N_LEVELS; level = level->next) {
        const char *label = kube_text(level, "nodeLabel");

        if (!label || !label[0])
            continue;
        all.label[all.labels] = kube_put(k, label);
        kube_index_put(&t->listed, all.label[all.labels], all.labels);
        all.labels++;
    }
    t->has_list = true;
    t->of = gs_array_grow(t->of, &t->of_cap, t->ofs + 1, sizeof(*t->of));
    t->of[t->ofs++] = all;
}

int kube_topology_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *level = kube_list(o->root, "spec.levels");
    struct kube_tiers *t = k->tiers;
    const bool is_first = t->levels == 0;

    if (strncmp(o->api_version, "kueue", 5) == 0)
        levels_list(k, kube_name(k, o->root, "metadata.name"), level);
    for (uint32_t i = 0; level; level = level->next) {
        const char *label = kube_text(level, "nodeLabel");

        if (!label || !label[0] || strcmp(label, HOSTNAME) == 0)
            continue;
        if (is_first && t->levels < TOPO_TIERS_MAX)
            t->level[t->levels++] = kube_put(k, label);
        else if (is_first || i >= t->levels
                 || t->level[i] != kube_put(k, label))
            import_account_tell(k->account, IMPORT_LEFT, o->source, level,
                                "levels of a Topology beside those of the "
                                "first one, or beyond %d",
                                TOPO_TIERS_MAX);
        i++;
    }
    return 0;
}

/* --- the tiers of the cluster --------------------------------------------- */

static bool is_label(const struct kube *k, uint32_t label)
{
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        if (kube_label_has(&k->nodes->at[i].labels, label))
            return true;
    }
    return false;
}

static void known_add(struct kube *k, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const uint32_t label = kube_put(k, known[i].label);

        if (is_label(k, label))
            (void)kube_tier_add(k, label, known[i].name);
    }
}

static bool is_level(const struct kube_tiers *t, uint32_t label)
{
    for (uint32_t i = 0; i < t->levels; i++) {
        if (t->level[i] == label)
            return true;
    }
    return false;
}

static void levels_add(struct kube *k)
{
    const struct kube_tiers *t = k->tiers;

    for (size_t i = 0; i < OUTER; i++) {
        if (!is_level(t, kube_put(k, known[i].label)))
            known_add(k, i, i + 1);
    }
    for (uint32_t i = 0; i < t->levels; i++)
        (void)kube_tier_add(k, t->level[i], name_of(kube_str(k, t->level[i])));
    if (kube_hyper_nodes_are(k))
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "HyperNodes beside the levels of a Topology");
}

void kube_tiers_find(struct kube *k)
{
    const struct kube_tiers *t = k->tiers;

    if (t->count) { /* the user's */
        if (t->levels || kube_hyper_nodes_are(k))
            import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                                "levels of Topology and HyperNode objects: "
                                "--tier states the tiers");
        return;
    }
    if (t->levels) {
        levels_add(k);
    } else if (kube_hyper_nodes_are(k)) {
        known_add(k, 0, OUTER);
        kube_hyper_nodes_add(k);
    } else {
        known_add(k, 0, sizeof(known) / sizeof(known[0]));
    }
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->at[i].label)
            import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                                "label %s is tier '%s' (--tier states others)",
                                kube_str(k, t->at[i].label),
                                kube_str(k, t->at[i].name));
    }
}

uint32_t kube_tier_domain(const struct kube *k, const struct kube_tier *t,
                          uint32_t i)
{
    assert(i < k->nodes->count);
    return t->domain ? t->domain[i]
                     : kube_label_value(&k->nodes->at[i].labels, t->label);
}

/* A tier of a native topology has the name that labels are known by. */
static uint32_t native_tier_of(const struct kube *k, const char *label)
{
    const char *name = NULL;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]) && !name; i++)
        name = strcmp(known[i].label, label) == 0 ? known[i].name : NULL;
    for (uint32_t i = 0; name && i < k->tiers->count; i++) {
        if (strcmp(kube_str(k, k->tiers->at[i].name), name) == 0)
            return k->tiers->at[i].name;
    }
    return 0;
}

uint32_t kube_tier_of(const struct kube *k, uint32_t label)
{
    if (strcmp(kube_str(k, label), HOSTNAME) == 0)
        return kube_put(k, "node");
    for (uint32_t i = 0; label && i < k->tiers->count; i++) {
        if (k->tiers->at[i].label == label)
            return k->tiers->at[i].name;
    }
    return label && k->is_native ? native_tier_of(k, kube_str(k, label)) : 0;
}

const char *kube_tier_known(size_t i)
{
    return i < sizeof(known) / sizeof(known[0]) ? known[i].label : NULL;
}

const char *kube_tier_known_name(size_t i)
{
    assert(i < sizeof(known) / sizeof(known[0]));
    return known[i].name;
}
