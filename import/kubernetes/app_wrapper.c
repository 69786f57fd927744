/* import/kubernetes/app_wrapper.c - kind AppWrapper: objects in an object, each
 * read as its own kind.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/kinds.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"

#define DEPTH_MAX 4 /* wrappers in wrappers */

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

static uint32_t inner_take(struct kube *k, const char *source,
                           const struct gs_ynode *n)
{
    const char *api = kube_text(n, "apiVersion"), *kind = kube_text(n, "kind");
    const struct import_object o = { .source = source,
                                     .api_version = api ? api : "",
                                     .kind = kind ? kind : "",
                                     .root = n };

    if (!n || n->kind != GS_YMAP)
        return 0;
    kube_object_take(k, &o);
    return 1;
}

/* Hand over the objects of a list, under `key` of each; how many. */
static uint32_t items_take(struct kube *k, const struct import_object *o,
                           const char *path, const char *key)
{
    uint32_t count = 0;

    for (const struct gs_ynode *i = kube_list(o->root, path); i; i = i->next) {
        if (kube_number(k, i, "replicas", 1, 0, INT32_MAX) > 1)
            ignored(k, kube_at(i, "replicas"),
                    "replicas of an AppWrapper's items: one of each");
        count += inner_take(k, o->source, kube_at(i, key));
    }
    return count;
}

int kube_app_wrapper_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    const struct kube_wrapper *above = k->wrapper;
    const char *name = strchr(kube_str(k, meta.name), '/');
    const struct kube_wrapper wrap = {
        .uid = above && !meta.uid ? above->uid : meta.uid,
        .space = meta.space,
        .queue = meta.queue,
        .name = kube_put(k, name ? name + 1 : ""),
        .submit = meta.submit,
        .is_suspended = meta.is_suspended,
        .depth = above ? above->depth + 1 : 0,
    };
    uint32_t count;

    if (wrap.depth >= DEPTH_MAX) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "wrappers in wrappers beyond %d", DEPTH_MAX);
        return -1;
    }
    k->wrapper = &wrap;
    count = items_take(k, o, "spec.components", "template");
    count += items_take(k, o, "spec.resources.GenericItems", "generictemplate");
    count += items_take(k, o, "spec.resources.Items", "template");
    k->wrapper = above;
    ignored(k, kube_at(o->root, "spec.schedulingSpec.minAvailable"),
            "minAvailable of an AppWrapper: gangs are those of its objects");
    ignored(k, kube_at(o->root, "spec.priority"),
            "priority of an AppWrapper in its queue");
    if (count == 0)
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "an AppWrapper without objects");
    return count ? 0 : -1;
}
