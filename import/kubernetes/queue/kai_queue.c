/* import/kubernetes/queue/kai_queue.c - kind Queue of KAI: quota, limit and
 * weight of each of GPUs, thousandths of CPUs and 10^6 bytes of memory; -1 is
 * all; minimum run times.
 */
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/source.h"

#define MEGABYTE 1000000
#define WEIGHT_MOST INT64_C(1000000000000) /* thousandths */

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

/* Weights are numbers of any size; one that is none is 0, as where it is not
 * stated.
 */
static double weight_read(struct kube *k, const struct gs_ynode *r)
{
    const struct gs_ynode *v = kube_at(r, "overQuotaWeight");
    int64_t milli;

    if (!v || is_all(v) || kube_quantity_read(k, v, &milli) < 0)
        return 0;
    return milli < WEIGHT_MOST ? (double)milli / 1000
                               : (double)WEIGHT_MOST / 1000;
}

static void resource_read(struct kube *k, struct kube_queue *q,
                          struct kube_kai_terms *terms,
                          const struct gs_ynode *resources,
                          enum kube_kai_resource which)
{
    static const struct {
        const char *key, *name;
    } names[KUBE_KAI] = { { "gpu", "nvidia.com/gpu" },
                          { "cpu", "cpu" },
                          { "memory", "memory" } };
    const char *name = names[which].name;
    const struct gs_ynode *r = kube_key(resources, names[which].key);
    const uint32_t id = kube_put(k, name);

    terms->weight[which] = weight_read(k, r);
    terms->is_all[which] = is_all(kube_at(r, "quota"));
    if (!terms->is_all[which])
        kube_amount_add(k, &q->deserved, id, amount_of(k, r, "quota", name));
    if (!kube_at(r, "limit"))
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            r ? r : resources,
                            "a limit that a queue of KAI does not state is 0");
    if (!is_all(kube_at(r, "limit")))
        kube_amount_add(k, &q->limit, id, amount_of(k, r, "limit", name));
}

static int64_t time_read(struct kube *k, const struct gs_ynode *spec,
                         const char *key)
{
    const struct gs_ynode *v = kube_at(spec, key);
    const int64_t us = v && v->kind == GS_YSCALAR ? kube_go_time(v->text)
                                                  : KUBE_UNKNOWN;

    if (v && (us == KUBE_UNKNOWN || us < 0))
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%s' of a queue that is no time", key);
    return us == KUBE_UNKNOWN || us < 0 ? -1 : us;
}

/* `at` states the queue. */
static void queue_take(struct kube *k, struct kube_queue *q,
                       const struct gs_ynode *at, const struct gs_ynode *spec,
                       const struct gs_ynode *resources)
{
    struct kube_kai_terms *terms = gs_arena_alloc(k->arena, 1, sizeof(*terms));

    k->has_kai = true;
    q->kai = terms;
    q->weight = 1;
    q->priority = kube_number(k, spec, "priority", 100, INT32_MIN, INT32_MAX);
    for (int i = 0; i < KUBE_KAI; i++) {
        terms->weight[i] = 1;
        if (resources)
            resource_read(k, q, terms, resources, (enum kube_kai_resource)i);
    }
    if (!resources)
        import_account_tell(k->account, IMPORT_ASSUMED, k->source, at,
                            "a queue of KAI without 'resources', which its "
                            "webhook refuses, has no limit");
    else if (terms->weight[KUBE_KAI_GPU] > 0)
        q->weight = terms->weight[KUBE_KAI_GPU];
    terms->preempt = time_read(k, spec, "preemptMinRuntime");
    terms->reclaim = time_read(k, spec, "reclaimMinRuntime");
    (void)kube_queue_add(k, q);
}

int kube_kai_queue_read(struct kube *k, const struct import_object *o)
{
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    struct kube_queue q = {
        .name = kube_name(k, o->root, "metadata.name"),
        .parent = kube_name(k, spec, "parentQueue"),
    };

    queue_take(k, &q, o->root, spec, kube_at(spec, "resources"));
    return 0;
}

void kube_kai_default_queues_take(struct kube *k, const struct gs_ynode *n)
{
    static const struct {
        const char *name, *resources, *fallback;
    } queues[] = {
        { "parentName", "parentResources", "default-parent-queue" },
        { "childName", "childResources", "default-queue" },
    };
    uint32_t above = 0;

    for (size_t i = 0; n && kube_flag(n, "createDefaultQueue", true) && i < 2;
         i++) {
        const char *name = kube_text(n, queues[i].name);
        struct kube_queue q = {
            .name = kube_put(k, name && *name ? name : queues[i].fallback),
            .parent = above,
        };

        above = q.name;
        queue_take(k, &q, n, NULL, kube_at(n, queues[i].resources));
    }
}
