/* import/kubernetes/workload/ray.c - kinds of group ray.io: a head and groups
 * of workers, of min to max where the cluster scales itself.
 *
 * Source of the defaults: the API and the operator of KubeRay.
 */
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/made.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/within.h"
#include "import/source.h"
#include "traces/workload/workload.h"

static void told(struct kube *k, enum import_note note,
                 const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, note, k->source, at, "%s", text);
}

/* --- workers -------------------------------------------------------------- */

/* Replicas of a group and how many of them there are at least; with KAI those
 * above minReplicas are above the gang.
 */
static void range_read(struct kube *k, const struct gs_ynode *group,
                       bool scales, bool is_kai, uint64_t *least,
                       uint64_t *most)
{
    const uint32_t min = kube_count(k, group, "minReplicas", 0);
    const bool has_max = kube_at(group, "maxReplicas") != NULL;
    const uint32_t max = (uint32_t)kube_number(k, group, "maxReplicas",
                                               INT32_MAX, 0, INT32_MAX);
    uint32_t now = kube_count(k, group, "replicas", min);

    now = now < min ? min : now;
    now = now > max ? max : now;
    if (kube_flag(group, "suspend", false))
        now = 0;
    *least = *most = now;
    if (is_kai && min > 0)
        *least = now ? min : 0;
    if (!scales || now == 0)
        return;
    *least = min;
    *most = has_max && max <= TRACE_REPLICAS_MAX ? max : now;
    told(k, IMPORT_ASSUMED, group,
         "groups of Ray that scale themselves grow to maxReplicas where there "
         "is room");
}

/* With KAI each group stands in a domain that its pods' annotations say. */
static void inside_take(struct kube *k, const struct kube_workload *w,
                        const struct gs_ynode *template, struct kube_member *m)
{
    const struct kube_within own = kube_within_kai_annotated(k, template);

    if (!kube_within_says(&own) || !kube_pods_are_kai(k, w, m->pods))
        return;
    m->within = gs_arena_memdup(k->arena, &own, sizeof(own));
    m->is_inside = true;
}

static void workers_read(struct kube *k, struct kube_workload *w,
                         const struct gs_ynode *spec)
{
    const bool scales = kube_flag(spec, "enableInTreeAutoscaling", false);

    for (const struct gs_ynode *g = kube_list(spec, "workerGroupSpecs"); g;
         g = g->next) {
        const uint32_t hosts = kube_count(k, g, "numOfHosts", 1);
        uint64_t least, most;
        struct kube_member m = { .name = kube_name(k, g, "groupName") };

        range_read(k, g, scales, w->members && kube_workload_is_kai(k, w),
                   &least, &most);
        m.replicas = kube_clip(k, most * hosts);
        m.min = kube_clip(k, least * hosts);
        m.pods = kube_template_read(k, kube_at(g, "template"), w->space);
        inside_take(k, w, kube_at(g, "template"), &m);
        kube_member_add(k, w, &m);
    }
}

/* --- head ----------------------------------------------------------------- */

/* The template of the head, with the container of the autoscaler. */
static const struct gs_ynode *head_of(struct kube *k,
                                      const struct gs_ynode *spec)
{
    const struct gs_ynode *head = kube_at(spec, "headGroupSpec.template");
    const struct gs_ynode *stated = kube_at(spec,
                                            "autoscalerOptions.resources");
    struct gs_ynode *pod, *inner, *list, *scaler, *requests, *resources;

    if (!kube_flag(spec, "enableInTreeAutoscaling", false)
        || !kube_list(head, "spec.containers"))
        return head;
    resources = kube_made_copy(k, stated, head);
    if (!stated) {
        requests = kube_made_map(k, head);
        kube_made_text(k, requests, "cpu", "500m");
        kube_made_text(k, requests, "memory", "512Mi");
        kube_made_put(k, resources, "requests", requests);
    }
    scaler = kube_made_map(k, head);
    kube_made_put(k, scaler, "resources", resources);
    list = kube_made_list(k, head);
    list->child = kube_list(head, "spec.containers");
    list->len = kube_at(head, "spec.containers")->len;
    kube_made_put(k, list, NULL, scaler);
    inner = kube_made_copy(k, kube_at(head, "spec"), head);
    kube_made_put(k, inner, "containers", list);
    pod = kube_made_copy(k, head, head);
    kube_made_put(k, pod, "spec", inner);
    return pod;
}

static void cluster_fill(struct kube *k, struct kube_workload *w,
                         const struct gs_ynode *spec)
{
    struct kube_member head = {
        .name = kube_put(k, "head"),
        .replicas = 1,
        .min = 1,
        .pods = kube_template_read(k, head_of(k, spec), w->space),
    };

    inside_take(k, w, kube_at(spec, "headGroupSpec.template"), &head);
    kube_member_add(k, w, &head);
    workers_read(k, w, spec);
}

/* --- kinds ---------------------------------------------------------------- */

/* Labels that the operator hands on to the scheduler. */
static void labels_read(struct kube *k, struct kube_workload *w,
                        const struct gs_ynode *object)
{
    const struct gs_ynode *labels = kube_at(object, "metadata.labels");
    const struct gs_ynode *v = kube_key(labels, "ray.io/priority-class-name");

    if (v && v->kind == GS_YSCALAR && !w->priority_class)
        w->priority_class = kube_put(k, v->text);
    v = kube_key(labels, "ray.io/scheduler-name");
    if (v && v->kind == GS_YSCALAR)
        w->scheduler = kube_put(k, v->text);
}

int kube_ray_cluster_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_SERVICE);

    labels_read(k, &w, o->root);
    cluster_fill(k, &w, kube_at(o->root, "spec"));
    return kube_workload_add(k, &w);
}

int kube_ray_service_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_SERVICE);
    const struct gs_ynode *spec = kube_at(o->root, "spec");

    labels_read(k, &w, o->root);
    cluster_fill(k, &w,
                 kube_at(spec, "rayClusterConfig")
                     ? kube_at(spec, "rayClusterConfig")
                     : kube_at(spec, "rayClusterSpec"));
    return kube_workload_add(k, &w);
}

/* The pod that submits the entry point and waits for its end. */
static void submitter_add(struct kube *k, struct kube_workload *w,
                          const struct gs_ynode *spec)
{
    const char *mode = kube_text(spec, "submissionMode");
    const struct gs_ynode *stated = kube_at(spec, "submitterPodTemplate");
    struct kube_member m = { .name = kube_put(k, "submitter"),
                             .replicas = 1,
                             .min = 1 };

    if (mode && strcmp(mode, "K8sJobMode") != 0)
        return;
    if (!stated) {
        struct gs_ynode *requests = kube_made_map(k, spec);

        kube_made_text(k, requests, "cpu", "500m");
        kube_made_text(k, requests, "memory", "200Mi");
        stated = kube_made_pod(k, NULL, NULL, requests);
    }
    m.pods = kube_template_read(k, stated, w->space);
    kube_member_add(k, w, &m);
}

int kube_ray_job_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");

    labels_read(k, &w, o->root);
    if (kube_at(spec, "rayClusterSpec"))
        cluster_fill(k, &w, kube_at(spec, "rayClusterSpec"));
    else
        told(k, IMPORT_ASSUMED, spec,
             "a RayJob without a cluster of its own: its submitter alone");
    submitter_add(k, &w, spec);
    return kube_workload_add(k, &w);
}
