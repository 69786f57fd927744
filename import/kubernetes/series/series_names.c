/* import/kubernetes/series/series_names.c - see series_names.h. */
#include "import/kubernetes/series/series_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/series/kube_series.h"

#define NAMES_MAX 1000 /* that nodes have and texts are compared with */

/* Beside tiers.  Sources: the well-known labels of Kubernetes, and the
 * documents of the systems that set them.
 */
static const char *const keys[] = {
    "kubernetes.io/hostname",
    "kubernetes.io/arch",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "beta.kubernetes.io/instance-type",
    "node.kubernetes.io/npu.chip.name",
    "nvidia.com/gpu.product",
    "nvidia.com/gpu.memory",
    "nvidia.com/gpu.count",
    "nvidia.com/gpu.replicas",
    "nvidia.com/gpu.family",
    "nvidia.com/gpu.present",
    "nvidia.com/mig.strategy",
    "cloud.google.com/gke-accelerator",
    "cloud.google.com/gke-tpu-accelerator",
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "karpenter.sh/nodepool",
    "karpenter.k8s.aws/instance-gpu-name",
    "karpenter.k8s.aws/instance-gpu-memory",
    "volcano.sh/job-name",
    "volcano.sh/queue-name",
    "scheduling.volcano.sh/queue-name",
    "scheduling.volcano.sh/group-name",
    "scheduling.k8s.io/group-name",
    "pod-group.scheduling.sigs.k8s.io",
    "pod-group.scheduling.sigs.k8s.io/name",
    "scheduling.x-k8s.io/pod-group",
    "pod-group-name",
    "kueue.x-k8s.io/queue-name",
    "kueue.x-k8s.io/pod-group-name",
    "kai.scheduler/queue",
    "kai.scheduler/preemptibility",
    "runai/queue",
    "yunikorn.apache.org/queue",
    "gsim/duration",
};

/* Do they have the same letters and digits?  kube-state-metrics writes others
 * as '_', which it also puts before capital letters, and these as small ones.
 */
static bool is_alike(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a && !isalnum((unsigned char)*a))
            a++;
        while (*b && !isalnum((unsigned char)*b))
            b++;
        if (!*a || !*b
            || tolower((unsigned char)*a) != tolower((unsigned char)*b))
            return *a == *b;
    }
}

static uint32_t seen_find(const struct kube *k, const struct gs_numbers *seen,
                          const char *text)
{
    for (uint32_t i = 0; i < seen->count; i++) {
        if (is_alike(kube_str(k, seen->at[i]), text))
            return seen->at[i];
    }
    return 0;
}

/* "nvidia.com/mig-1g.10gb" of "nvidia_com_mig_1g_10gb". */
static bool mig_make(const char *text, char *name, size_t size)
{
    int slices, bytes, end = 0;

    if (sscanf(text, "nvidia_com_mig_%2dg_%4dgb%n", &slices, &bytes, &end) != 2
        || end == 0)
        return false;
    (void)snprintf(name, size, "nvidia.com/mig-%dg.%dgb%s%s", slices, bytes,
                   strcmp(text + end, "_me") == 0 ? ".me" : "",
                   strcmp(text + end, "_me") == 0 ? "" : text + end);
    return true;
}

/* "vendor.com/thing" of "vendor_com_thing", "hugepages-2Mi" of "hugepages_2Mi".
 */
static void resource_guess(char *name)
{
    static const char *const ends[] = { "_com_", "_io_",  "_ai_",  "_sh_",
                                        "_cn_",  "_org_", "_net_", "_dev_" };
    char *domain = NULL;

    if (strncmp(name, "hugepages_", 10) == 0) {
        name[9] = '-';
        return;
    }
    if (strncmp(name, "rdma_", 5) == 0) {
        name[4] = '/';
        return;
    }
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        char *at = strstr(name, ends[i]);

        at = at ? at + strlen(ends[i]) - 1 : NULL;
        domain = at && (!domain || at < domain) ? at : domain;
    }
    if (!domain)
        return;
    *domain = '/';
    for (char *c = name; c < domain; c++)
        *c = *c == '_' ? '.' : *c;
}

static uint32_t resource_find(struct kube *k, const char *text)
{
    static const char *const plain[] = { "ephemeral-storage" };
    const uint32_t seen = seen_find(k, &k->series->resources, text);
    char name[320];

    if (seen)
        return seen;
    for (size_t i = 0; kube_device_pattern(i); i++) {
        if (is_alike(kube_device_pattern(i), text)
            && !strchr(kube_device_pattern(i), '*'))
            return kube_put(k, kube_device_pattern(i));
    }
    if (is_alike(plain[0], text))
        return kube_put(k, plain[0]);
    if (!mig_make(text, name, sizeof(name))) {
        (void)snprintf(name, sizeof(name), "%.316s", text);
        resource_guess(name);
    }
    return kube_put(k, name);
}

static uint32_t key_find(struct kube *k, const char *text)
{
    const uint32_t seen = seen_find(k, &k->series->keys, text);

    if (seen)
        return seen;
    for (size_t i = 0; kube_tier_known(i); i++) {
        if (is_alike(kube_tier_known(i), text))
            return kube_put(k, kube_tier_known(i));
    }
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        if (is_alike(keys[i], text))
            return kube_put(k, keys[i]);
    }
    return kube_put(k, text);
}

/* What `find` says of the text, which is asked once. */
static uint32_t name_of(struct kube *k, struct kube_index *known,
                        const char *text,
                        uint32_t (*find)(struct kube *k, const char *text))
{
    const uint32_t id = kube_put(k, text);
    uint32_t name = kube_index_get(known, id);

    if (name || !id)
        return name ? name - 1 : 0;
    name = find(k, text);
    kube_index_put(known, id, name);
    return name;
}

uint32_t kube_series_resource(struct kube *k, const char *text)
{
    return name_of(k, &k->series->resource_of, text, resource_find);
}

uint32_t kube_series_key(struct kube *k, const char *text)
{
    return name_of(k, &k->series->key_of, text, key_find);
}

/* Append a name that is new; a source has few. */
static void see(struct gs_numbers *names, uint8_t *seen, uint8_t bit,
                uint32_t name)
{
    if (!(seen[name] & bit) && names->count < NAMES_MAX)
        (void)gs_numbers_add(names, name);
    seen[name] |= bit;
}

void kube_series_names_see(struct kube *k)
{
    struct kube_series *s = k->series;
    uint8_t *seen = gs_array_new(gs_strtab_count(k->names), sizeof(*seen));

    for (uint32_t i = 0; i < k->nodes->count; i++) {
        const struct kube_node *n = &k->nodes->at[i];

        for (uint32_t a = 0; a < n->amounts.count; a++)
            see(&s->resources, seen, 1, n->amounts.at[a].name);
        for (uint32_t l = 0; l < n->labels.count; l++)
            see(&s->keys, seen, 2, n->labels.at[l].key);
    }
    gs_array_free(seen);
}
