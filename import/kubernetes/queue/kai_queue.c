/* import/kubernetes/queue/kai_queue.c - kind Queue of KAI: quota, limit and
 * weight of each of GPUs, thousandths of CPUs and 10^6 bytes of memory; -1 is
 * all.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/source.h"

#define MEGABYTE 1000000

static bool is_all(const struct gs_ynode *n)
{
    return n && n->kind == GS_YSCALAR && n->text[0] == '-';
}

/* The number at `key` in thousandths of `name`'s own unit; 0: none. */
static int64_t amount_of(struct kube *k, const struct gs_ynode *r,
                         const char *key, const char *name)
{
    const struct gs_ynode *v = kube_at(r, key);
    int64_t milli;

    if (!v || kube_quantity_read(k, v, &milli) < 0)
        return 0;
    if (strcmp(name, "cpu") == 0)
        return milli / 1000;
    if (strcmp(name, "memory") == 0)
        return milli < INT64_MAX / MEGABYTE ? milli * MEGABYTE : INT64_MAX;
    return milli;
}

static void resource_read(struct kube *k, struct kube_queue *q,
                          const struct gs_ynode *resources, const char *key,
                          const char *name)
{
    const struct gs_ynode *r = kube_key(resources, key);
    const uint32_t id = kube_put(k, name);

    if (is_all(kube_at(r, "quota")))
        import_account_tell(k->account, IMPORT_IGNORED, k->source,
                            kube_at(r, "quota"),
                            "quota -1 of a queue of KAI: no 'deserved'");
    else
        kube_amount_add(k, &q->deserved, id, amount_of(k, r, "quota", name));
    if (!kube_at(r, "limit"))
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            r ? r : resources,
                            "a limit that a queue of KAI does not state is 0");
    if (!is_all(kube_at(r, "limit")))
        kube_amount_add(k, &q->limit, id, amount_of(k, r, "limit", name));
}

/* The weight of GPUs, else of CPUs; those of the others are told. */
static double weight_read(struct kube *k, const struct gs_ynode *resources)
{
    const struct gs_ynode *gpu = kube_at(resources, "gpu.overQuotaWeight");
    const struct gs_ynode *cpu = kube_at(resources, "cpu.overQuotaWeight");
    const struct gs_ynode *w = gpu ? gpu : cpu;
    int64_t milli = 0;

    if (gpu && cpu && gpu->kind == GS_YSCALAR && cpu->kind == GS_YSCALAR
        && strcmp(gpu->text, cpu->text) != 0)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, cpu,
                            "overQuotaWeight of KAI by resource: that of GPUs");
    if (!w || kube_quantity_read(k, w, &milli) < 0 || milli == 0) {
        import_account_tell(k->account, IMPORT_IGNORED, k->source,
                            w ? w : resources,
                            "overQuotaWeight 0 of KAI: taken as 0.001");
        return 0.001;
    }
    return (double)milli / 1000;
}

int kube_kai_queue_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    static const char *const runtimes[] = { "preemptMinRuntime",
                                            "reclaimMinRuntime" };
    const struct gs_ynode *resources = kube_at(spec, "resources");
    struct kube_queue q = {
        .name = kube_name(k, o->root, "metadata.name"),
        .parent = kube_name(k, spec, "parentQueue"),
        .weight = 1,
        .priority = kube_number(k, spec, "priority", 100, INT32_MIN, INT32_MAX),
    };

    for (size_t i = 0; i < sizeof(runtimes) / sizeof(runtimes[0]); i++) {
        if (kube_at(spec, runtimes[i]))
            import_account_tell(k->account, IMPORT_IGNORED, k->source,
                                kube_at(spec, runtimes[i]),
                                "%s of a queue of KAI: module min-runtime has "
                                "one time for all",
                                runtimes[i]);
    }
    if (resources) {
        resource_read(k, &q, resources, "gpu", "nvidia.com/gpu");
        resource_read(k, &q, resources, "cpu", "cpu");
        resource_read(k, &q, resources, "memory", "memory");
        q.weight = weight_read(k, resources);
    }
    return kube_queue_add(k, &q);
}
