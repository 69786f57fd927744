/* import/kubernetes/pod/zone.c - Volcano's revocable zones, see zone.h. */
#include "import/kubernetes/pod/zone.h"

#include <string.h>

#include "base/arena.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"

/* The annotation is "*"; without it preemptable pods may use zones. */
bool kube_zone_is_for(struct kube *k, const struct kube_labels *annotations)
{
    const uint32_t zone = kube_put(k, KUBE_ZONE);
    const uint32_t yields = kube_put(k, "volcano.sh/preemptable");

    if (kube_label_has(annotations, zone))
        return strcmp(kube_str(k, kube_label_value(annotations, zone)), "*")
               == 0;
    return kube_label_has(annotations, yields)
           && kube_go_true(kube_str(k, kube_label_value(annotations, yields)));
}

void kube_zone_tolerate(struct kube *k, struct kube_template *t)
{
    const struct topo_taint zone = { .key = kube_put(k, KUBE_ZONE),
                                     .effect = TOPO_NO_SCHEDULE };
    struct topo_taint *more;

    if (!t)
        return;
    for (uint32_t i = 0; i < t->tolerations; i++) {
        if (t->toleration[i].key == zone.key)
            return;
    }
    more = gs_arena_alloc(k->arena, t->tolerations + 1, sizeof(*more));
    if (t->tolerations)
        memcpy(more, t->toleration, t->tolerations * sizeof(*more));
    more[t->tolerations++] = zone;
    t->toleration = more;
}
