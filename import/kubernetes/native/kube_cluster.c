/* import/kubernetes/native/kube_cluster.c - the nodes as a topology. */
#include "import/kubernetes/native/kube_cluster.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/daemon.h"
#include "import/kubernetes/native/gpu_memory.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "topology/topology.h"

#define MIB (INT64_C(1) << 20)

static void tell(struct kube *k, enum import_note note,
                 const struct kube_node *n, const char *text)
{
    const struct gs_ynode at = { .line = n->line, .column = n->column };

    import_account_tell(k->account, note, kube_str(k, n->source), &at, "%s",
                        text);
}

/* --- hardware ------------------------------------------------------------- */

/* The value of the first of `keys` that is a label of the node; 0. */
static uint32_t label_first(struct kube *k, const struct kube_node *n,
                            const char *const *keys)
{
    uint32_t value = 0;

    for (; *keys && !value; keys++)
        value = kube_label_value(&n->labels, kube_put(k, *keys));
    return value;
}

static uint32_t model_of(struct kube *k, const struct kube_node *n)
{
    static const char *const keys[] = {
        "nvidia.com/gpu.product",
        "amd.com/gpu.product-name",
        "gpu.intel.com/product",
        "cloud.google.com/gke-accelerator",
        "cloud.google.com/gke-tpu-accelerator",
        "karpenter.k8s.aws/instance-gpu-name",
        "karpenter.k8s.aws/instance-accelerator-name",
        "aliyun.accelerator/nvidia_name",
        "alibabacloud.com/gpu-card-model",
        "gpu.nvidia.com/model",
        "node.kubernetes.io/npu.chip.name",
        NULL,
    };
    const uint32_t model = label_first(k, n, keys);

    return model ? model : n->product ? n->product : n->device;
}

/* Tell what the devices of a node are that are parts of others. */
static void parts_tell(struct kube *k, const struct kube_node *n)
{
    const uint32_t product = kube_label_value(
        &n->labels, kube_put(k, "nvidia.com/gpu.product"));
    const uint32_t replicas = kube_label_value(
        &n->labels, kube_put(k, "nvidia.com/gpu.replicas"));
    int64_t each;

    for (uint32_t i = 0; i < n->amounts.count; i++) {
        if (strncmp(kube_str(k, n->amounts.at[i].name), "nvidia.com/mig-", 15)
                == 0
            && n->amounts.at[i].milli)
            tell(k, IMPORT_ASSUMED, n,
                 "MIG instances (strategy mixed) are counted as nodes are cut "
                 "now; figures of GPUs leave them out");
    }
    if (product && strstr(kube_str(k, product), "-MIG-"))
        tell(k, IMPORT_ASSUMED, n,
             "MIG instances (strategy single) are GPUs, as nodes are cut now");
    if (replicas && topo_label_number(kube_str(k, replicas), &each) && each > 1)
        tell(k, IMPORT_ASSUMED, n,
             "replicas of GPUs that are shared (time slicing, MPS) are GPUs");
}

static void gpus_take(struct kube *k, const struct kube_node *n,
                      const struct kube_amounts *left, struct topo_class *c)
{
    int64_t gpus = n->device
                       ? kube_device_count(kube_str(k, n->device),
                                           kube_amount_of(left, n->device))
                             / 1000
                       : 0;

    if (gpus > TOPO_DEVICES_MAX) {
        tell(k, IMPORT_LEFT, n, "GPUs of a node beyond 64");
        gpus = TOPO_DEVICES_MAX;
    }
    parts_tell(k, n);
    c->gpus = (uint32_t)gpus;
    c->capacity[TOPO_GPU] = gpus * TOPO_SHARE_ONE;
    if (c->gpus == 0)
        return;
    c->model = model_of(k, n);
    c->gpu_memory = kube_gpu_memory(k, n, c->gpus);
}

/* What is left on the node for pods that a scheduler places. */
static void amounts_take(struct kube *k, const struct kube_node *n,
                         const struct kube_amounts *left, struct topo_class *c)
{
    const struct gs_ynode at = { .line = n->line, .column = n->column };
    int64_t unit;

    c->capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
    for (uint32_t i = 0; i < left->count; i++) {
        const struct kube_amount *a = &left->at[i];
        const char *name = kube_str(k, a->name);
        const int64_t units = kube_units(k, name, a->milli, false, n->source,
                                         &at);
        int dim;

        switch (kube_device_of(name, &unit)) {
        case KUBE_CPU:
            c->capacity[TOPO_CPU] = units;
            break;
        case KUBE_RAM:
            c->capacity[TOPO_MEMORY] = units;
            break;
        case KUBE_PODS:
            if (units / 1000 < TOPO_PODS_UNLIMITED)
                c->capacity[TOPO_PODS] = units / 1000;
            break;
        case KUBE_NIC:
            c->capacity[TOPO_RDMA] += units;
            break;
        case KUBE_WHOLE:
            if (a->name != n->device && a->milli
                && strcmp(kube_device_name(name),
                          kube_device_name(kube_str(k, n->device)))
                       != 0)
                tell(k, IMPORT_LEFT, n, "devices of a second vendor on a node");
            break;
        case KUBE_COUNTED:
            dim = topo_dims_find(k->dims, a->name);
            if (dim >= 0)
                c->capacity[dim] = units;
            break;
        default:
            break;
        }
    }
    gpus_take(k, n, left, c);
}

/* --- names of types ------------------------------------------------------- */

/* Types are told apart by their hardware, which `keys` numbers. */
struct types {
    struct gs_strtab *keys;
    uint32_t *name; /* [key] string id */
    uint32_t cap;
};

/* A name of the type that no other type has. */
static uint32_t name_make(struct kube *k, struct types *t,
                          const struct kube_node *n, const struct topo_class *c)
{
    static const char *const keys[] = { "node.kubernetes.io/instance-type",
                                        "beta.kubernetes.io/instance-type",
                                        NULL };
    const uint32_t instance = label_first(k, n, keys);
    const char *base = instance   ? kube_str(k, instance)
                       : c->model ? kube_str(k, c->model)
                                  : "cpu";
    char name[300];

    (void)snprintf(name, sizeof(name), "%.250s", base);
    for (uint32_t again = 2;; again++) {
        char key[310];

        (void)snprintf(key, sizeof(key), "name %s", name);
        if (gs_strtab_find(t->keys, key, strlen(key)) == GS_STRTAB_NONE) {
            (void)gs_strtab_put(t->keys, key, strlen(key));
            return kube_put(k, name);
        }
        (void)snprintf(name, sizeof(name), "%.250s-%u", base, again);
    }
}

static uint32_t type_of(struct kube *k, struct types *t,
                        const struct kube_node *n, const struct topo_class *c)
{
    char key[1024];
    size_t at = (size_t)snprintf(key, sizeof(key), "%u %" PRId64, c->model,
                                 c->gpu_memory);
    uint32_t id, before = gs_strtab_count(t->keys);

    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        at += (size_t)snprintf(key + at, sizeof(key) - at, " %" PRId64,
                               c->capacity[d]);
    assert(at < sizeof(key));
    id = gs_strtab_put(t->keys, key, at);
    t->name = gs_array_grow(t->name, &t->cap, id + 1, sizeof(*t->name));
    if (id == before)
        t->name[id] = name_make(k, t, n, c);
    return t->name[id];
}

/* --- nodes ---------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* Its labels and, where the cluster has several, the name of its devices. */
static void labels_take(struct kube *k, const struct kube_node *n,
                        struct topo_class *c)
{
    struct topo_label *l = gs_arena_alloc(
        k->arena, n->labels.count + n->marks + 2, sizeof(*l));

    if (n->labels.count)
        memcpy(l, n->labels.at, n->labels.count * sizeof(*l));
    c->label_count = n->labels.count;
    if (k->nodes->has_vendors && n->device)
        l[c->label_count++] = (struct topo_label){
            kube_put(k, KUBE_DEVICE_LABEL),
            kube_put(k, kube_device_name(kube_str(k, n->device)))
        };
    if (c->gpu_memory && kube_gpu_label_needed(k)) {
        char mib[24];

        (void)snprintf(mib, sizeof(mib), "%" PRId64, c->gpu_memory >> 20);
        l[c->label_count++] = (struct topo_label){
            kube_put(k, KUBE_MEMORY_LABEL), kube_put(k, mib)
        };
    }
    for (uint32_t i = 0; i < n->marks; i++)
        l[c->label_count++] = (struct topo_label){ n->mark[i], 0 };
    if (c->label_count)
        qsort(l, c->label_count, sizeof(*l), by_key);
    c->label = l;
}

static void path_take(struct kube *k, const struct kube_node *n, uint32_t *path)
{
    for (uint32_t i = 0; i < k->tiers->count; i++) {
        const uint32_t label = k->tiers->at[i].label;
        const uint32_t value = kube_tier_domain(k, &k->tiers->at[i],
                                                (uint32_t)(n - k->nodes->at));

        if (!value)
            import_account_tell(
                k->account, IMPORT_ASSUMED, kube_str(k, n->source),
                &(struct gs_ynode){ .line = n->line, .column = n->column },
                "nodes without label %s stand in domain 'none'",
                kube_str(k, label));
        path[i] = value ? value : kube_put(k, "none");
    }
}

static int node_add(struct kube *k, struct topo *t, struct types *types,
                    struct kube_node *n, struct gs_err *err)
{
    const struct kube_amounts left = kube_daemons_left(k, n);
    uint32_t path[TOPO_TIERS_MAX];
    struct topo_class c = { 0 };

    amounts_take(k, n, &left, &c);
    labels_take(k, n, &c);
    c.taint = n->taint;
    c.taint_count = n->taints;
    c.type = type_of(k, types, n, &c);
    path_take(k, n, path);
    return topo_add_node(t, n->name, topo_add_class(t, &c), path, err);
}

/* Of another domain than Kubernetes' own: vendor.com/device. */
static bool is_extended(const char *name)
{
    const char *slash = strchr(name, '/');
    const char *own = strstr(name, "kubernetes.io/");

    return slash && !(own && own < slash);
}

/* What nodes have and no pod of the source asks for, as far as there is room: a
 * trace that is replayed on them may.
 */
static void resources_declare(struct kube *k)
{
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        const struct kube_node *n = &k->nodes->at[i];
        int64_t unit;

        for (uint32_t a = 0; a < n->amounts.count; a++) {
            const struct kube_amount *r = &n->amounts.at[a];
            const char *name = kube_str(k, r->name);

            if (r->milli && is_extended(name)
                && kube_device_of(name, &unit) == KUBE_COUNTED
                && topo_dims_put(k->dims, r->name) < 0)
                tell(k, IMPORT_LEFT, n,
                     "resources of nodes that no pod asks for, beyond 16 in "
                     "all");
        }
    }
}

int kube_cluster_make(struct kube *k, struct topo *t, struct gs_err *err)
{
    struct types types = { .keys = gs_strtab_create() };
    int rc = 0;

    if (k->nodes->count == 0)
        rc = gs_fail(err, GS_INPUT, (struct gs_mark){ 0 },
                     "no object of kind Node in the source");
    for (uint32_t i = 0; rc == 0 && i < k->tiers->count; i++)
        rc = topo_add_tier(
            t, &(struct topo_tier){ .name = k->tiers->at[i].name }, err);
    resources_declare(k);
    for (uint32_t i = 0; rc == 0 && i < k->nodes->count; i++)
        rc = node_add(k, t, &types, &k->nodes->at[i], err);
    gs_strtab_destroy(types.keys);
    gs_array_free(types.name);
    return rc < 0 ? -1 : topo_finish(t, err);
}
