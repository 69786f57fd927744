/* import/kubernetes/workload/kubeflow.c - training jobs: replicas of roles,
 * all of which make up the job, or with elasticPolicy so many workers.
 */
#include <stdio.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/segments.h"
#include "import/source.h"

/* Roles stand in a mapping by their names; in the first versions of the API in
 * a list, `replicaSpecs`, with the name under `type`.
 */
static const struct kind {
    const char *name, *roles, *type;
} kinds[] = {
    { "PyTorchJob", "spec.pytorchReplicaSpecs", "replicaType" },
    { "TFJob", "spec.tfReplicaSpecs", "tfReplicaType" },
    { "MPIJob", "spec.mpiReplicaSpecs", NULL },
    { "XGBoostJob", "spec.xgbReplicaSpecs", NULL },
    { "PaddleJob", "spec.paddleReplicaSpecs", NULL },
    { "JAXJob", "spec.jaxReplicaSpecs", NULL },
    { "MXJob", "spec.mxReplicaSpecs", "mxReplicaType" },
    { "AITrainingJob", "spec.replicaSpecs", NULL },
};

static const struct kind *kind_of(const struct import_object *o)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(o->kind, kinds[i].name) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* The role `r`, of which some may be workers of which so many as `elastic`
 * (NULL: none) says must run; as many as that says at most where something
 * scales them.  `object` (NULL: none) may say segments of them.
 */
static void role_add(struct kube *k, struct kube_workload *w,
                     const struct gs_ynode *r, const char *name,
                     const struct gs_ynode *elastic, bool scales,
                     const struct gs_ynode *object)
{
    struct kube_segments segments = { .size = 0 };
    struct kube_member m = {
        .name = name ? kube_put(k, name) : 0,
        .replicas = kube_count(k, r, "replicas", 1),
        .pods = kube_template_read(k, kube_at(r, "template"), w->space),
    };

    m.min = m.replicas;
    if (elastic) {
        m.min = kube_count(k, elastic, "minReplicas", m.replicas);
        if (scales)
            m.replicas = kube_count(k, elastic, "maxReplicas", m.replicas);
        m.min = m.min < m.replicas ? m.min : m.replicas;
    }
    if (object && m.pods && kube_is_kai(kube_str(k, m.pods->scheduler)))
        segments = kube_segments_read(k, kube_at(r, "template"), object);
    if (segments.size)
        kube_segments_add(k, w, &m, &segments, 0);
    else
        kube_member_add(k, w, &m);
}

static void roles_add(struct kube *k, struct kube_workload *w,
                      const struct kind *kind, const struct import_object *o)
{
    const struct gs_ynode *elastic = kube_at(o->root, "spec.elasticPolicy");
    const struct gs_ynode *r = kind ? kube_map(o->root, kind->roles) : NULL;

    for (; r; r = r->next) {
        const bool is_worker = strcmp(r->key->text, "Worker") == 0;

        role_add(k, w, r, r->key->text,
                 kube_at(r, "maxReplicas") ? r
                 : is_worker               ? elastic
                                           : NULL,
                 kube_at(r, "maxReplicas") || kube_at(elastic, "metrics"),
                 is_worker && strcmp(o->kind, "PyTorchJob") == 0 ? o->root
                                                                 : NULL);
    }
    if (!kind || !kind->type)
        return;
    for (r = kube_list(o->root, "spec.replicaSpecs"); r; r = r->next)
        role_add(k, w, r, kube_text(r, kind->type), NULL, false, NULL);
}

static void told(struct kube *k, const struct gs_ynode *policy)
{
    if (policy && policy->kind == GS_YSCALAR
        && strcmp(policy->text, "WaitForWorkersReady") == 0)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, policy,
                            "launcherCreationPolicy WaitForWorkersReady: the "
                            "launcher starts with the workers");
}

/* KAI's gang of a PyTorchJob: all masters, and of `least` pods the rest. */
static void kai_gang_take(struct kube *k, struct kube_workload *w,
                          uint32_t least)
{
    uint32_t masters = 0;

    for (uint32_t i = 0; i < w->members; i++) {
        if (strcmp(kube_str(k, w->member[i].name), "Master") == 0)
            masters += w->member[i].replicas;
    }
    for (uint32_t i = 0; i < w->members; i++) {
        struct kube_member *m = &w->member[i];
        const uint32_t rest = least > masters ? least - masters : 0;

        if (strcmp(kube_str(k, m->name), "Worker") == 0 && !m->is_whole)
            m->min = rest < m->replicas ? rest : m->replicas;
    }
    w->gang = 0; /* their sum */
}

int kube_kubeflow_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    static const char *const known[] = { "minAvailable", "queue",
                                         "priorityClass", NULL };
    const struct gs_ynode *policy = kube_at(o->root, "spec.runPolicy");
    uint32_t least;

    kube_keys_check(k, kube_at(policy, "schedulingPolicy"),
                    "schedulingPolicy of a job of Kubeflow", known);
    roles_add(k, &w, kind_of(o), o);
    w.queue = kube_at(policy, "schedulingPolicy.queue")
                  ? kube_name(k, policy, "schedulingPolicy.queue")
                  : w.queue;
    w.gang = kube_count(k, policy, "schedulingPolicy.minAvailable", 0);
    least = w.gang
                ? w.gang
                : kube_count(k, o->root, "spec.elasticPolicy.minReplicas", 0);
    if (least && w.members && strcmp(o->kind, "PyTorchJob") == 0
        && kube_workload_is_kai(k, &w))
        kai_gang_take(k, &w, least);
    told(k, kube_at(o->root, "spec.launcherCreationPolicy"));
    if (!w.priority_class)
        w.priority_class = kube_name(k, policy,
                                     "schedulingPolicy.priorityClass");
    return kube_workload_add(k, &w);
}

/* Devices that one worker of the first MPIJob takes; as its operator does, all
 * of them when they are fewer than a node has (8 unless stated).
 */
static uint32_t units_take(struct kube *k, const struct gs_ynode *spec,
                           struct kube_member *m)
{
    const uint32_t units = kube_count(k, spec, "processingUnits",
                                      kube_count(k, spec, "gpus", 0));
    const uint32_t stated = kube_count(k, spec, "processingUnitsPerNode",
                                       kube_count(k, spec, "gpusPerNode", 8));
    const uint32_t node = stated ? stated : 8;

    if (units == 0)
        return 0;
    m->replicas = units <= node ? 1 : (units + node - 1) / node;
    return units < node ? units : node;
}

/* The first MPIJob: so many GPUs, or replicas, of one template, and a launcher
 * that asks for none.
 */
int kube_mpi_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const char *type = kube_text(spec, "processingResourceType");
    struct kube_member m = { .name = kube_put(k, "worker") };
    struct kube_template *pods;
    uint32_t units;

    if (!kube_at(spec, "template"))
        return kube_kubeflow_read(k, o);
    m.replicas = kube_count(k, spec, "replicas", 1);
    units = units_take(k, spec, &m);
    pods = kube_template_read(k, kube_at(spec, "template"), w.space);
    if (pods && pods->containers && units)
        kube_amount_add(k, &pods->container[0].limit,
                        kube_put(k, type && strchr(type, '/') ? type
                                    : type && strcmp(type, "cpu") == 0
                                        ? "cpu"
                                        : "nvidia.com/gpu"),
                        (int64_t)units * 1000);
    m.pods = pods;
    kube_member_add(k, &w, &m);
    return kube_workload_add(k, &w);
}

/* PaddleJob of PaddlePaddle's own operator: two roles under the spec. */
int kube_paddle_read(struct kube *k, const struct import_object *o)
{
    struct kube_workload w = kube_workload_begin(k, o, KUBE_BATCH);
    static const char *const roles[] = { "ps", "worker", "heter" };

    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
        const struct gs_ynode *r = kube_key(kube_at(o->root, "spec"), roles[i]);

        if (r)
            role_add(k, &w, r, roles[i], NULL, false, NULL);
    }
    return kube_workload_add(k, &w);
}
