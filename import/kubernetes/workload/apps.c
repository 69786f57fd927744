/* import/kubernetes/workload/apps.c - kinds of group apps: pods that run until
 * they are deleted.
 */
#include <string.h>

#include "base/yamldoc.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"
#include "traces/workload/workload.h"

static int read_as(struct kube *k, const struct import_object *o,
                   enum kube_life life)
{
    struct kube_workload w = kube_workload_begin(k, o, life);
    struct kube_template *pods = kube_template_read(
        k, kube_at(o->root, "spec.template"), w.space);
    const struct kube_member m = {
        .replicas = (uint32_t)kube_number(k, o->root, "spec.replicas", 1, 0,
                                          TRACE_REPLICAS_MAX),
        .min = 0,
        .pods = pods,
    };

    if (pods) {
        pods->is_replica = strncmp(o->api_version, "apps.kruise.io/", 15) != 0;
        pods->is_single = m.replicas < 2;
    }

    w.gang = kube_gang_of(o->root, KUBE_VOLCANO_GANG);
    kube_member_add(k, &w, &m);
    return kube_workload_add(k, &w);
}

int kube_service_read(struct kube *k, const struct import_object *o)
{
    return read_as(k, o, KUBE_SERVICE);
}

int kube_daemon_read(struct kube *k, const struct import_object *o)
{
    return read_as(k, o, KUBE_DAEMON);
}
