/* import/kubernetes/workload/pod_group.c - kind PodGroup, of Volcano,
 * scheduler-plugins and KAI alike, and kind PodGang.
 */
#include "import/kubernetes/workload/pod_group.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/sub_group.h"
#include "import/kubernetes/workload/within.h"
#include "import/source.h"
#include "traces/workload/workload.h"

#define KAI_GROUP "scheduling.run.ai/"

/* minMember, or what Kubernetes' own pod groups say instead. */
static uint32_t least_of(struct kube *k, const struct gs_ynode *spec)
{
    if (kube_at(spec, "schedulingPolicy.basic"))
        return 1;
    return kube_at(spec, "minMember")
               ? kube_count(k, spec, "minMember", 0)
               : kube_count(k, spec, "schedulingPolicy.gang.minCount", 0);
}

static void group_add(struct kube *k, const struct kube_pod_group *g)
{
    struct kube_pod_groups *all = k->pod_groups;

    kube_index_put(&all->by_name, g->name, all->count);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = *g;
}

/* Volcano admits a pod group by its minResources, and one without them at once;
 * so one that it has admitted.
 */
static void minimum_read(struct kube *k, const struct import_object *o,
                         struct kube_pod_group *g)
{
    const char *phase = kube_text(o->root, "status.phase");
    const struct gs_ynode *n = kube_at(o->root, "spec.minResources");

    if (strncmp(o->api_version, "scheduling.volcano.sh/", 22) != 0) {
        if (n)
            import_account_tell(k->account, IMPORT_IGNORED, o->source, n,
                                "minResources of pod groups of other "
                                "schedulers than Volcano");
        return;
    }
    g->has_minimum = true;
    g->minimum = kube_amounts_read(k, n);
    g->is_admitted = phase
                     && (strcmp(phase, "Inqueue") == 0
                         || strcmp(phase, "Running") == 0
                         || strcmp(phase, "Unknown") == 0);
}

/* KAI stops trying a group that it marks after an attempt that failed, and lets
 * one wait before it evicts.
 */
static void pauses_tell(struct kube *k, const struct gs_ynode *spec)
{
    const struct gs_ynode *delay = kube_at(spec, "preemptionDelay");
    const bool marks = kube_flag(spec, "markUnschedulable", false);
    const int64_t attempts = kube_number(k, spec, "schedulingBackoff", -1,
                                         INT32_MIN, INT32_MAX);

    if (marks || attempts > 0)
        import_account_tell(
            k->account, IMPORT_IGNORED, k->source,
            kube_at(spec, marks ? "markUnschedulable" : "schedulingBackoff"),
            "'markUnschedulable' and 'schedulingBackoff' of "
            "pod groups: a job is tried as long as it waits");
    if (delay)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, delay,
                            "'preemptionDelay' of pod groups: a job evicts "
                            "as soon as it waits");
}

int64_t kube_staleness_read(struct kube *k, const struct gs_ynode *n)
{
    const bool is_never = n->kind == GS_YSCALAR && n->text[0] == '-';
    const char *text = n->kind == GS_YSCALAR ? n->text + is_never : "";
    const int64_t us = kube_go_time(text);

    if (us == KUBE_UNKNOWN)
        import_account_tell(k->account, IMPORT_LEFT, k->source, n,
                            "'%.60s' that is no time", n->key->text);
    return us == KUBE_UNKNOWN      ? 0
           : is_never && us != 0   ? KUBE_STALE_NEVER
           : us == 0               ? 1
           : us < KUBE_STALE_NEVER ? us
                                   : KUBE_STALE_NEVER;
}

int kube_pod_group_read(struct kube *k, const struct import_object *o)
{
    static const char *const known[] = { "minMember",
                                         "minTaskMember",
                                         "minResources",
                                         "queue",
                                         "priorityClassName",
                                         "preemptibility",
                                         "networkTopology",
                                         "topologyConstraint",
                                         "subGroupPolicy",
                                         "subGroups",
                                         "minSubGroup",
                                         "schedulingPolicy",
                                         "podGroupTemplateRef",
                                         "resourceClaims",
                                         "markUnschedulable",
                                         "schedulingBackoff",
                                         "scheduleTimeoutSeconds",
                                         "stalenessGracePeriod",
                                         "preemptionDelay",
                                         NULL };
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    struct kube_pod_group g;

    kube_keys_check(k, spec, "pod groups", known);
    pauses_tell(k, spec);
    g = (struct kube_pod_group){
        .name = meta.name,
        .least = least_of(k, spec),
        .queue = kube_at(spec, "queue") ? kube_name(k, spec, "queue")
                                        : meta.queue,
        .priority_class = kube_name(k, spec, "priorityClassName"),
        .submit = meta.submit,
        .max_wait = meta.max_wait,
        .gang_timeout = kube_number(k, spec, "scheduleTimeoutSeconds", 0, 0,
                                    INT32_MAX)
                        * GS_SECOND,
        .task_rules = meta.task_rules,
        .yield = kube_yield_of(kube_text(spec, "preemptibility")),
        .within = kube_at(spec, "networkTopology")
                      ? kube_within_volcano(k, kube_at(spec, "networkTopology"))
                      : kube_within_kai(k, kube_at(spec, "topologyConstraint")),
    };
    if (kube_at(spec, "stalenessGracePeriod"))
        g.gang_timeout = kube_staleness_read(
            k, kube_at(spec, "stalenessGracePeriod"));
    kube_sub_groups_read(k, &g, spec);
    if (g.least == 0
        && strncmp(o->api_version, KAI_GROUP, sizeof(KAI_GROUP) - 1) == 0)
        g.least = 1; /* stated or not, KAI starts what there is room for */
    minimum_read(k, o, &g);
    group_add(k, &g);
    return 0;
}

/* The label of the object; NULL. */
static const char *label_of(const struct import_object *o, const char *name)
{
    const struct gs_ynode *n = kube_key(kube_at(o->root, "metadata.labels"),
                                        name);

    return n && n->kind == GS_YSCALAR ? n->text : NULL;
}

/* Kind PodGang of Grove, as KAI's pod grouper reads it: its groups start
 * together, each with minReplicas of its pods at least.
 */
int kube_pod_gang_read(struct kube *k, const struct import_object *o)
{
    static const char *const known[] = { "podgroups", "topologyConstraint",
                                         "topologyConstraintGroupConfigs",
                                         "priorityClassName", NULL };
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *spec = kube_at(o->root, "spec");
    const char *class = label_of(o, "priorityClassName");
    struct kube_pod_group g = {
        .name = meta.name,
        .queue = meta.queue,
        .priority_class = class ? kube_put(k, class)
                                : kube_name(k, spec, "priorityClassName"),
        .submit = meta.submit,
        .yield = kube_yield_of(label_of(o, "kai.scheduler/preemptibility")),
        .within = kube_within_grove(k, kube_at(spec, "topologyConstraint")),
    };

    kube_keys_check(k, spec, "PodGangs", known);
    if (!kube_within_says(&g.within))
        g.within = kube_within_kai_annotated(k, o->root);
    kube_sub_groups_read(k, &g, spec);
    group_add(k, &g);
    return 0;
}

/* Kind Workload of Kubernetes: pod groups that pods name by its name and
 * theirs, see kube_template_read.
 */
int kube_gang_read(struct kube *k, const struct import_object *o)
{
    const struct kube_workload meta = kube_workload_begin(k, o, KUBE_BATCH);
    const struct gs_ynode *g = kube_list(o->root, "spec.podGroups");

    for (; g; g = g->next) {
        const char *name = kube_text(g, "name");

        group_add(
            k,
            &(struct kube_pod_group){
                .name = kube_put(k, gs_arena_printf(k->arena, "%.300s/%.253s",
                                                    kube_str(k, meta.name),
                                                    name ? name : "")),
                .least = kube_at(g, "policy.basic")
                             ? 1
                             : kube_count(k, g, "policy.gang.minCount", 0),
                .submit = meta.submit,
            });
    }
    return 0;
}

const struct kube_pod_group *kube_pod_group_find(const struct kube *k,
                                                 uint32_t name)
{
    const uint32_t at = kube_index_get(&k->pod_groups->by_name, name);

    return at ? &k->pod_groups->at[at - 1] : NULL;
}

enum kube_yield kube_pods_yield(struct kube *k, const struct kube_template *t)
{
    const uint32_t key = kube_put(k, "volcano.sh/preemptable");
    const struct kube_labels *from = kube_label_has(&t->annotations, key)
                                         ? &t->annotations
                                         : &t->labels;

    return kube_label_has(from, key)
               ? kube_preemptable(kube_str(k, kube_label_value(from, key)))
               : KUBE_YIELD_UNSTATED;
}

bool kube_is_fixed(struct kube *k, enum kube_yield stated,
                   const struct kube_template *t, int32_t priority)
{
    const struct kube_pod_group *g = kube_pod_group_find(
        k, kube_pod_group_of(k, t));
    const uint32_t label = kube_label_value(
        &t->labels, kube_put(k, "kai.scheduler/preemptibility"));

    if (stated == KUBE_YIELD_UNSTATED && g)
        stated = g->yield;
    if (stated == KUBE_YIELD_UNSTATED && label)
        stated = kube_yield_of(kube_str(k, label));
    return stated != KUBE_YIELD_UNSTATED
               ? stated == KUBE_FIXED
               : priority >= 100
                     && strcmp(kube_str(k, t->scheduler), "kai-scheduler") == 0;
}

uint32_t kube_pod_group_of(struct kube *k, const struct kube_template *t)
{
    static const char *const keys[] = {
        "scheduling.k8s.io/group-name",
        "scheduling.volcano.sh/group-name",
        "pod-group.scheduling.sigs.k8s.io",
        "pod-group-name",
        "scheduling.x-k8s.io/pod-group",
        "pod-group.scheduling.sigs.k8s.io/name",
        "kueue.x-k8s.io/pod-group-name",
        "grove.io/podgang",
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const uint32_t key = kube_put(k, keys[i]);
        uint32_t value = kube_label_value(&t->annotations, key);
        char full[600];

        if (t->group)
            value = t->group;
        if (!value)
            value = kube_label_value(&t->labels, key);
        if (!value)
            continue;
        (void)snprintf(full, sizeof(full), "%.253s/%.253s",
                       kube_str(k, t->space), kube_str(k, value));
        return kube_put(k, full);
    }
    return 0;
}
