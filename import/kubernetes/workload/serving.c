/* import/kubernetes/workload/serving.c - kind Service of Knative, and others
 * that make replicas of one pod which run until they are deleted.
 */
#include <stdlib.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/source.h"

/* The number that the annotation says, by its name of now or of before; -1. */
static int64_t annotated(const struct gs_ynode *template, const char *name,
                         const char *before)
{
    const struct gs_ynode *a = kube_at(template, "metadata.annotations");
    const struct gs_ynode *v = kube_key(a, name) ? kube_key(a, name)
                                                 : kube_key(a, before);
    char *end;
    long long n;

    if (!v || v->kind != GS_YSCALAR || v->len == 0)
        return -1;
    n = strtoll(v->text, &end, 10);
    return *end || n < 0 ? -1 : n;
}

int kube_knative_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_SERVICE);
    const struct gs_ynode *template = kube_at(o->root, "spec.template");
    const int64_t least = annotated(template,
                                    "autoscaling.knative.dev/min-scale",
                                    "autoscaling.knative.dev/minScale");
    const int64_t first = annotated(template,
                                    "autoscaling.knative.dev/initial-scale",
                                    "autoscaling.knative.dev/initialScale");
    const int64_t scale = first >= 0 ? first : 1;
    struct kube_template *pods = kube_template_read(k, template, w.space);
    const struct kube_member m = {
        .replicas = kube_clip(k, (uint64_t)(least > scale ? least : scale)),
        .pods = pods,
    };

    if (pods) {
        pods->is_replica = true;
        pods->is_single = m.replicas < 2;
    }

    import_account_tell(k->account, IMPORT_ASSUMED, o->source, o->root,
                        "services of Knative stay at the greater of min-scale "
                        "and initial-scale (1)");
    w.gang = 1;
    kube_member_add(k, &w, &m);
    if (w.members && least > 1 && kube_workload_is_kai(k, &w))
        w.gang = m.replicas < least ? m.replicas : (uint32_t)least;
    return kube_workload_add(k, &w);
}

/* A pod that runs by itself: kind Notebook of Kubeflow. */
int kube_notebook_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_SERVICE);
    const struct kube_member m = {
        .replicas = 1,
        .pods = kube_template_read(k, kube_at(o->root, "spec.template"),
                                   w.space),
    };

    kube_member_add(k, &w, &m);
    return kube_workload_add(k, &w);
}
