/* import/kubernetes/native/gpu_memory.c - the memory of GPUs. */
#include "import/kubernetes/native/gpu_memory.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/pod/pod_template.h"

#define MIB (INT64_C(1) << 20)
#define SIZES_MAX 64

/* --- of a node ------------------------------------------------------------ */

/* Bytes that a label states, a plain number in `unit`, or with a unit of its
 * own ("81251MiB", "64G"); 0.
 */
static int64_t label_bytes(const char *text, int64_t unit)
{
    char plain[32];
    size_t len = strlen(text);
    int64_t milli;

    if (len > 2 && strcmp(text + len - 2, "iB") == 0) /* "MiB" is "Mi" */
        len--;
    if (len == 0 || len >= sizeof(plain))
        return 0;
    memcpy(plain, text, len);
    plain[len] = '\0';
    if (kube_quantity_parse(plain, &milli) < 0 || milli < 1000)
        return 0;
    if (strspn(plain, "0123456789") == len)
        return milli / 1000 < (INT64_C(1) << 50) / unit ? milli / 1000 * unit
                                                        : 0;
    return milli / 1000;
}

static int64_t label_memory(struct kube *k, const struct kube_node *n)
{
    static const struct {
        const char *key;
        int64_t unit;
    } rows[] = {
        { "nvidia.com/gpu.memory", MIB },
        { "amd.com/gpu.vram", MIB << 10 },
        { "gpu.intel.com/memory.max", 1 },
        { "karpenter.k8s.aws/instance-gpu-memory", MIB },
        { "karpenter.k8s.aws/instance-accelerator-memory", MIB },
        { "aliyun.accelerator/nvidia_mem", MIB },
        { "gpu.nvidia.com/vram", MIB << 10 },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t v = kube_label_value(&n->labels,
                                            kube_put(k, rows[i].key));
        const int64_t bytes = v ? label_bytes(kube_str(k, v), rows[i].unit) : 0;

        if (bytes) /* KAI Scheduler cuts the first to hundreds of MiB */
            return i == 0 && k->has_kai ? bytes - bytes % (100 * MIB) : bytes;
    }
    return 0;
}

/* Bytes that the name of a model states, "A100-SXM4-40GB"; 0. */
static int64_t model_memory(struct kube *k, const struct kube_node *n)
{
    const uint32_t v = kube_label_value(&n->labels,
                                        kube_put(k, "nvidia.com/gpu.product"));
    const char *s = kube_str(k, v);

    if (strstr(s, "-MIG-"))
        return 0;
    for (s = strchr(s, '-'); s; s = strchr(s + 1, '-')) {
        int64_t gib = 0;
        const char *d = s + 1;

        for (; *d >= '0' && *d <= '9' && gib < 10000; d++)
            gib = gib * 10 + (*d - '0');
        if (gib && d[0] == 'G' && d[1] == 'B'
            && (d[2] == '\0' || d[2] == '-')) {
            import_account_tell(
                k->account, IMPORT_ASSUMED, kube_str(k, n->source),
                &(struct gs_ynode){ .line = n->line, .column = n->column },
                "GPUs of nodes without a label of their memory have what the "
                "name of their model says");
            return gib * (MIB << 10);
        }
    }
    return 0;
}

int64_t kube_gpu_memory(struct kube *k, const struct kube_node *n,
                        uint32_t gpus)
{
    int64_t unit, bytes;

    assert(gpus > 0);
    for (uint32_t i = 0; i < n->amounts.count; i++) {
        const struct kube_amount *a = &n->amounts.at[i];

        if (kube_device_of(kube_str(k, a->name), &unit) == KUBE_PART
            && a->milli / 1000 < INT64_MAX / unit)
            return a->milli / 1000 * unit / gpus;
    }
    bytes = label_memory(k, n);
    bytes = bytes ? bytes : n->device_memory;
    return bytes || !k->gpu_sizes ? bytes : model_memory(k, n);
}

/* --- of all nodes --------------------------------------------------------- */

/* The sizes of GPUs, and for each label "key value" the nodes of which sizes
 * have it, as a set of bits.
 */
struct kube_gpu_sizes {
    int64_t size[SIZES_MAX];
    uint32_t count;
    bool is_needed;
    struct gs_strtab *labels;
    uint64_t *with;
    uint32_t cap;
};

void kube_gpu_sizes_free(struct kube_gpu_sizes *s)
{
    if (!s)
        return;
    gs_strtab_destroy(s->labels);
    gs_array_free(s->with);
    gs_array_free(s);
}

bool kube_gpu_label_needed(const struct kube *k)
{
    return k->gpu_sizes && k->gpu_sizes->is_needed;
}

static int64_t size_of(struct kube *k, const struct kube_node *n)
{
    const int64_t gpus = n->device ? kube_device_count(
                                         kube_str(k, n->device),
                                         kube_amount_of(&n->amounts, n->device))
                                         / 1000
                                   : 0;

    return gpus > 0 && gpus <= UINT32_MAX
               ? kube_gpu_memory(k, n, (uint32_t)gpus)
               : 0;
}

/* The number of the size; SIZES_MAX: none, or no room. */
static uint32_t size_put(struct kube_gpu_sizes *s, int64_t size)
{
    uint32_t i = 0;

    if (size == 0)
        return SIZES_MAX;
    while (i < s->count && s->size[i] != size)
        i++;
    if (i == s->count && i < SIZES_MAX)
        s->size[s->count++] = size;
    return i;
}

static uint32_t label_id(struct kube_gpu_sizes *s, uint32_t key, uint32_t value,
                         bool puts)
{
    char text[32];
    const int len = snprintf(text, sizeof(text), "%u %u", key, value);

    return puts ? gs_strtab_put(s->labels, text, (size_t)len)
                : gs_strtab_find(s->labels, text, (size_t)len);
}

static void label_add(struct kube_gpu_sizes *s, uint32_t key, uint32_t value,
                      uint32_t size)
{
    const uint32_t id = label_id(s, key, value, true);

    s->with = gs_array_grow(s->with, &s->cap, id + 1, sizeof(*s->with));
    s->with[id] |= UINT64_C(1) << size;
}

static void sizes_find(struct kube *k)
{
    struct kube_gpu_sizes *s = gs_array_new(1, sizeof(*s));

    k->gpu_sizes = s;
    s->labels = gs_strtab_create();
    for (uint32_t i = 0; i < k->nodes->count; i++) {
        const struct kube_node *n = &k->nodes->at[i];
        const uint32_t size = size_put(s, size_of(k, n));

        for (uint32_t l = 0; size < SIZES_MAX && l < n->fields.count; l++)
            label_add(s, n->fields.at[l].key, n->fields.at[l].value, size);
        if (size < SIZES_MAX)
            label_add(s, kube_put(k, KUBE_DEVICE_LABEL),
                      kube_put(k, kube_device_name(kube_str(k, n->device))),
                      size);
    }
}

/* Sizes on nodes that meet the conditions, as far as these name values. */
static uint64_t sizes_with(struct kube_gpu_sizes *s,
                           const struct kube_conditions *c)
{
    uint64_t all = UINT64_MAX;

    for (uint32_t i = 0; i < c->count; i++) {
        uint64_t any = 0;

        for (uint32_t v = 0; v < c->at[i].value_count; v++) {
            const uint32_t id = label_id(s, c->at[i].key, c->at[i].value[v],
                                         false);

            any |= id != GS_STRTAB_NONE ? s->with[id] : 0;
        }
        all &= c->at[i].op == TOPO_IN ? any : UINT64_MAX;
    }
    return all;
}

static uint64_t sizes_for(struct kube_gpu_sizes *s,
                          const struct kube_template *t)
{
    uint64_t any = t->terms ? 0 : UINT64_MAX;

    for (uint32_t i = 0; i < t->terms; i++)
        any |= sizes_with(s, &t->term[i]);
    return any & sizes_with(s, &t->nodes);
}

/* The smallest share of `size` bytes that holds `part` of them. */
static uint32_t thousandths(int64_t part, int64_t size)
{
    const int64_t step = size / TOPO_SHARE_ONE, rest = size % TOPO_SHARE_ONE;
    uint32_t n = 1;

    assert(part <= size);
    while (n < TOPO_SHARE_ONE && step * n + rest * n / TOPO_SHARE_ONE < part)
        n++;
    return n;
}

void kube_gpu_part(struct kube *k, const struct kube_template *t, int64_t bytes,
                   struct topo_request *r, struct kube_conditions *nodes)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };
    struct kube_gpu_sizes *s;
    uint64_t suit;
    uint32_t fit = 0, small = 0, share;
    int64_t least = INT64_MAX;

    assert(bytes > 0);
    if (!k->gpu_sizes)
        sizes_find(k);
    s = k->gpu_sizes;
    suit = sizes_for(s, t) & sizes_with(s, nodes);
    for (uint32_t i = 0; i < s->count; i++) {
        if (!(suit >> i & 1))
            continue;
        fit += s->size[i] >= bytes;
        small += s->size[i] < bytes;
        if (s->size[i] >= bytes && s->size[i] < least)
            least = s->size[i];
    }
    if (fit <= 1) {
        r->share_memory = bytes;
        return;
    }
    import_account_tell(k->account, IMPORT_ASSUMED, kube_str(k, t->source), &at,
                        "parts of GPUs by their memory, where GPUs of several "
                        "sizes suit, are shares of the smallest");
    share = thousandths(bytes, least);
    r->gpus = share == TOPO_SHARE_ONE;
    r->share = share < TOPO_SHARE_ONE ? share : 0;
    if (!small)
        return;
    s->is_needed = true;
    kube_conditions_append(
        k, nodes,
        &(struct topo_condition){ .key = kube_put(k, KUBE_MEMORY_LABEL),
                                  .op = TOPO_GT,
                                  .number = (bytes + MIB - 1) / MIB - 1 },
        1);
}
