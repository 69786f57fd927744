/* import/kubernetes/native/request.c - a pod's template as a request. */
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/conf/kai_pool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/gpu_memory.h"
#include "import/kubernetes/native/node_terms.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_quota.h"

#define PREFERRED_MAX 56   /* conditions; native files have room for 64 */
#define TOLERATIONS_MAX 64 /* of a task, see docs/traces.md */
#define MIB (INT64_C(1) << 20)
#define MIB_MILLI (MIB * 1000)

static void tell(struct kube *k, enum import_note note,
                 const struct kube_template *t, const char *text)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    import_account_tell(k->account, note, kube_str(k, t->source), &at, "%s",
                        text);
}

/* --- amounts -------------------------------------------------------------- */

static int64_t divided(int64_t milli, int64_t by, bool up)
{
    return milli / by + (up && milli % by != 0);
}

/* Bytes of disk and pages are counted in MiB: sums of bytes in thousandths
 * would not fit.
 */
static bool is_bytes(const char *name)
{
    return strcmp(name, "ephemeral-storage") == 0
           || strncmp(name, "hugepages-", 10) == 0;
}

int64_t kube_units(struct kube *k, const char *name, int64_t milli,
                   bool is_request, uint32_t source, const struct gs_ynode *at)
{
    int64_t unit;

    if (kube_device_of(name, &unit) == KUBE_RAM)
        return divided(milli, 1000, is_request);
    if (is_bytes(name))
        return divided(milli, MIB_MILLI, is_request) * 1000;
    if (milli <= GS_QUANTITY_MAX)
        return milli;
    kube_quantity_tell_most(k, at ? kube_str(k, source) : NULL, at);
    return GS_QUANTITY_MAX;
}

/* A number is of that unit; an amount with a unit of its own is in bytes. */
static int64_t part_bytes(int64_t milli, int64_t unit)
{
    const int64_t number = divided(milli, 1000, true);

    return number < MIB ? number * unit : number;
}

/* What is said of devices, until all of it is known. */
struct devices {
    uint32_t name;      /* resource of the whole devices */
    int64_t whole;      /* thousandths */
    int64_t hundredths; /* what those are, in thousandths */
    int64_t part;       /* bytes of one device */
    int64_t share;      /* thousandths of one device */
};

static void amount_take(struct kube *k, const struct kube_template *t,
                        const struct kube_amount *a, struct topo_request *r,
                        struct devices *d)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };
    const char *name = kube_str(k, a->name);
    int64_t unit, units;
    int dim;

    if (a->milli == 0)
        return;
    units = kube_units(k, name, a->milli, true, t->source, &at);
    switch (kube_device_of(name, &unit)) {
    case KUBE_CPU:
        r->amount[TOPO_CPU] = units;
        return;
    case KUBE_RAM:
        r->amount[TOPO_MEMORY] = units;
        return;
    case KUBE_NIC:
        r->amount[TOPO_RDMA] += units;
        return;
    case KUBE_PODS:
        return;
    case KUBE_WHOLE:
        d->name = kube_put(k, kube_device_name(name));
        d->whole += a->milli;
        return;
    case KUBE_HUNDREDTHS:
        d->hundredths = kube_device_count(name, a->milli);
        return;
    case KUBE_PART:
        d->part = part_bytes(a->milli, unit);
        return;
    case KUBE_PERCENT:
        d->share = a->milli / 100;
        return;
    case KUBE_CORES:
        tell(k, IMPORT_IGNORED, t, "cores of a part of a GPU");
        return;
    case KUBE_COUNTED:
        break;
    }
    dim = topo_dims_put(k->dims, a->name);
    if (dim < 0)
        import_account_tell(k->account, IMPORT_LEFT, NULL, NULL,
                            "resource %s: a trace knows %d kinds", name,
                            TOPO_DIMS_MAX);
    else
        r->amount[dim] = units;
}

/* Parts that annotations ask for: "gpu-fraction" and "gpu-memory" (MiB) are
 * KAI's, "alibabacloud.com/..." the GPU share extender's.
 */
static void annotations_take(struct kube *k, const struct kube_template *t,
                             struct devices *d)
{
    static const struct {
        const char *key;
        enum kube_device device;
        int64_t unit;
    } rows[] = {
        { "gpu-fraction", KUBE_PERCENT, 1 },
        { "alibabacloud.com/gpu-milli", KUBE_PERCENT, 1000 },
        { "gpu-memory", KUBE_PART, MIB },
        { "alibabacloud.com/gpu-mem", KUBE_PART, 1 },
        { "alibabacloud.com/gpu-count", KUBE_WHOLE, 1 },
        { "gpu-fraction-num-devices", KUBE_WHOLE, 1 },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const uint32_t v = kube_label_value(&t->annotations,
                                            kube_put(k, rows[i].key));
        int64_t milli;

        if (!v || kube_quantity_parse(kube_str(k, v), &milli) < 0 || !milli)
            continue;
        if (rows[i].device == KUBE_PERCENT)
            d->share = milli / rows[i].unit;
        else if (rows[i].device == KUBE_PART)
            d->part = part_bytes(milli, rows[i].unit);
        else
            d->whole = milli;
    }
}

static void devices_take(struct kube *k, const struct kube_template *t,
                         const struct devices *d, struct topo_request *r,
                         struct kube_conditions *nodes)
{
    const int64_t share = d->share ? d->share : d->hundredths;
    const int64_t whole = divided(d->whole ? d->whole : d->hundredths, 1000,
                                  true);

    if ((d->part || (share > 0 && share < TOPO_SHARE_ONE)) && whole <= 1) {
        if (d->part)
            kube_gpu_part(k, t, d->part, r, nodes);
        else
            r->share = (uint32_t)share;
        return;
    }
    if (d->part || share % TOPO_SHARE_ONE)
        tell(k, IMPORT_ASSUMED, t,
             "parts of several GPUs of a pod are whole ones");
    if (whole > TOPO_DEVICES_MAX)
        tell(k, IMPORT_LEFT, t, "more than 64 GPUs of one pod: taken as 64");
    r->gpus = (uint32_t)(whole < TOPO_DEVICES_MAX ? whole : TOPO_DEVICES_MAX);
}

/* --- nodes ---------------------------------------------------------------- */

static int by_key(const void *a, const void *b)
{
    const struct topo_condition *x = a, *y = b;

    return x->key != y->key ? (x->key < y->key ? -1 : 1)
           : x->op != y->op ? (x->op < y->op ? -1 : 1)
                            : 0;
}

static void nodes_require(struct kube *k, const struct kube_template *t,
                          const struct kube_conditions *also,
                          struct topo_request *r)
{
    struct kube_conditions c = kube_node_terms(k, t);

    kube_conditions_append(k, &c, also->at, also->count);
    kube_pool_require(k, t, &c);
    if (c.count)
        qsort(c.at, c.count, sizeof(*c.at), by_key);
    r->selector = c.at;
    r->selector_count = c.count;
}

/* --- tolerations ---------------------------------------------------------- */

static int by_taint(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct topo_taint));
}

/* Keep those of taints that a node has. */
static uint32_t tolerations_needed(const struct kube *k,
                                   struct topo_taint *list, uint32_t count)
{
    const struct kube_nodes *nodes = k->nodes;
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        bool is_needed = false;

        for (uint32_t n = 0; n < nodes->taints && !is_needed; n++)
            is_needed = !list[i].key || nodes->taint[n].key == list[i].key;
        if (is_needed)
            list[kept++] = list[i];
    }
    return kept;
}

static void tolerations_take(struct kube *k, const struct kube_template *t,
                             struct topo_request *r)
{
    const uint32_t count = t->tolerations;
    struct topo_taint *list = gs_arena_alloc(k->arena, count + 1,
                                             sizeof(*list));
    uint32_t kept = 0;

    if (count) {
        memcpy(list, t->toleration, count * sizeof(*list));
        qsort(list, count, sizeof(*list), by_taint);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || memcmp(&list[kept - 1], &list[i], sizeof(*list)) != 0)
            list[kept++] = list[i];
    }
    if (kept > TOLERATIONS_MAX)
        kept = tolerations_needed(k, list, kept);
    if (kept > TOLERATIONS_MAX) {
        tell(k, IMPORT_LEFT, t, "tolerations of a pod beyond 64");
        kept = TOLERATIONS_MAX;
    }
    r->toleration = list;
    r->toleration_count = kept;
}

/* --- preferred nodes ------------------------------------------------------ */

static void preferences_take(struct kube *k, const struct kube_template *t,
                             struct topo_request *r)
{
    struct topo_preference *list = gs_arena_alloc(k->arena, t->prefers + 1,
                                                  sizeof(*list));
    uint32_t count = 0, conditions = 0;

    for (uint32_t i = 0; i < t->prefers; i++) {
        struct kube_template *one = gs_arena_alloc(k->arena, 1, sizeof(*one));
        struct kube_conditions c;

        *one = (struct kube_template){ .source = t->source,
                                       .line = t->line,
                                       .column = t->column,
                                       .nodes = t->prefer[i].nodes };
        c = kube_node_terms(k, one);
        if (c.count == 0 || conditions + c.count > PREFERRED_MAX) {
            tell(k, IMPORT_LEFT, t,
                 "preferred terms of node affinity beyond "
                 "56 conditions");
            continue;
        }
        qsort(c.at, c.count, sizeof(*c.at), by_key);
        conditions += c.count;
        list[count++] = (struct topo_preference){ t->prefer[i].weight, c.count,
                                                  c.at };
    }
    r->preference = list;
    r->preference_count = count;
}

void kube_request_make(struct kube *k, const struct kube_template *t,
                       struct topo_request *r)
{
    const struct kube_amounts a = kube_template_request(k, t,
                                                        kube_limits_of(k, t));
    struct kube_conditions nodes = { 0 };
    struct devices d = { 0 };

    *r = (struct topo_request){ 0 };
    for (uint32_t i = 0; i < a.count; i++)
        amount_take(k, t, &a.at[i], r, &d);
    annotations_take(k, t, &d);
    if (d.name && k->nodes->has_vendors)
        kube_conditions_require(k, &nodes, kube_put(k, KUBE_DEVICE_LABEL),
                                d.name);
    devices_take(k, t, &d, r, &nodes);
    nodes_require(k, t, &nodes, r);
    tolerations_take(k, t, r);
    preferences_take(k, t, r);
}
