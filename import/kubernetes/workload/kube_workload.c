/* import/kubernetes/workload/kube_workload.c - the workloads: objects that
 * make pods.
 */
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/task_order.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/pod/zone.h"
#include "import/kubernetes/workload/within.h"
#include "import/source.h"
#include "traces/workload/workload.h"

#define DURATION "gsim/duration"

uint32_t kube_owner_of(struct kube *k, const struct gs_ynode *object)
{
    for (const struct gs_ynode *o =
             kube_list(object, "metadata.ownerReferences");
         o; o = o->next) {
        if (kube_flag(o, "controller", false))
            return kube_name(k, o, "uid");
    }
    return 0;
}

/* The first of `paths` that states a date. */
static int64_t date_first(const struct gs_ynode *n, const char *const *paths)
{
    int64_t us = KUBE_UNKNOWN;

    for (; *paths && us == KUBE_UNKNOWN; paths++)
        us = kube_date(n, *paths);
    return us;
}

/* What the label or annotation `key` of the object says; 0. */
static uint32_t tag(struct kube *k, const struct gs_ynode *object,
                    const char *key)
{
    const struct gs_ynode *v = kube_key(kube_at(object, "metadata.labels"),
                                        key);

    if (!v)
        v = kube_key(kube_at(object, "metadata.annotations"), key);
    return v && v->kind == GS_YSCALAR ? kube_put(k, v->text) : 0;
}

static uint32_t queue_of(struct kube *k, const struct gs_ynode *object)
{
    static const char *const keys[] = {
        "kueue.x-k8s.io/queue-name",
        "kai.scheduler/queue",
        "runai/queue",
        "scheduling.volcano.sh/queue-name",
        "volcano.sh/queue-name",
        "yunikorn.apache.org/queue",
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        const uint32_t queue = tag(k, object, keys[i]);

        if (queue)
            return queue;
    }
    return 0;
}

/* Seconds in a label; KUBE_UNKNOWN. */
static int64_t label_time(struct kube *k, const struct gs_ynode *object,
                          const char *key)
{
    const uint32_t text = tag(k, object, key);
    int64_t s;

    return text && topo_label_number(kube_str(k, text), &s) && s > 0
                   && s < GS_TIME_MAX / GS_SECOND
               ? s * GS_SECOND
               : KUBE_UNKNOWN;
}

static int64_t deadline_of(struct kube *k, const struct gs_ynode *object)
{
    static const char *const paths[] = {
        "spec.activeDeadlineSeconds",
        "spec.runPolicy.activeDeadlineSeconds",
    };

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
        const int64_t s = kube_number(k, object, paths[i], 0, 0,
                                      GS_TIME_MAX / GS_SECOND);

        if (s)
            return s * GS_SECOND;
    }
    return label_time(k, object, "kueue.x-k8s.io/max-exec-time-seconds");
}

/* Kueue adds a whole number to the priority. */
static int32_t boost_of(struct kube *k, const struct gs_ynode *object)
{
    const uint32_t text = tag(k, object, "kueue.x-k8s.io/priority-boost");
    int64_t boost;

    return text && topo_label_number(kube_str(k, text), &boost)
                   && boost >= INT32_MIN && boost <= INT32_MAX
               ? (int32_t)boost
               : 0;
}

enum kube_yield kube_preemptable(const char *value)
{
    return kube_go_true(value) ? KUBE_YIELDS : KUBE_FIXED;
}

/* Volcano's annotation of the longest wait, in us; 0. */
static int64_t max_wait_of(struct kube *k, const struct gs_ynode *object)
{
    static const char key[] = "sla-waiting-time";
    const struct gs_ynode *v = kube_key(kube_at(object, "metadata.annotations"),
                                        key);
    const int64_t us = v && v->kind == GS_YSCALAR ? kube_go_time(v->text)
                                                  : KUBE_UNKNOWN;

    if (v && us <= 0)
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'%s' that is no time above 0, such as 1h30m", key);
    return us > 0 ? us : 0;
}

/* Kueue suspends what waits in its queues, and resumes it. */
static bool is_suspended(struct kube *k, const struct gs_ynode *object)
{
    return (kube_flag(object, "spec.suspend", false)
            || kube_flag(object, "spec.runPolicy.suspend", false))
           && !tag(k, object, "kueue.x-k8s.io/queue-name");
}

/* "namespace/name"; that of the wrapper where the object states none. */
static uint32_t name_of(const struct kube *k, const struct gs_ynode *object)
{
    const struct kube_wrapper *wrap = k->wrapper;
    const char *space = kube_text(object, "metadata.namespace");
    const char *name = kube_text(object, "metadata.name");
    char full[600];

    if (!wrap)
        return kube_full_name(k, object);
    if (!name)
        name = kube_text(object, "metadata.generateName");
    (void)snprintf(full, sizeof(full), "%.253s/%.253s",
                   space ? space : kube_str(k, wrap->space),
                   name ? name : kube_str(k, wrap->name));
    return kube_put(k, full);
}

/* What the wrapper says of the object that is read now. */
static void wrapper_take(const struct kube *k, struct kube_workload *w)
{
    const struct kube_wrapper *wrap = k->wrapper;

    if (!wrap)
        return;
    w->is_template = true;
    w->wrapper = wrap->uid;
    w->queue = w->queue ? w->queue : wrap->queue;
    w->submit = w->submit != KUBE_UNKNOWN ? w->submit : wrap->submit;
    w->is_suspended = w->is_suspended || wrap->is_suspended;
}

uint32_t kube_gang_of(const struct gs_ynode *object, const char *key)
{
    const struct gs_ynode *least = kube_key(
        kube_at(object, "metadata.annotations"), key);
    const long stated = least && least->kind == GS_YSCALAR
                            ? strtol(least->text, NULL, 10)
                            : 1;

    return stated < 1                    ? 1
           : stated > TRACE_REPLICAS_MAX ? TRACE_REPLICAS_MAX
                                         : (uint32_t)stated;
}

enum kube_yield kube_yield_of(const char *text)
{
    return !text                                  ? KUBE_YIELD_UNSTATED
           : strcmp(text, "preemptible") == 0     ? KUBE_YIELDS
           : strcmp(text, "non-preemptible") == 0 ? KUBE_FIXED
                                                  : KUBE_YIELD_UNSTATED;
}

/* Does the status say that it is over, well or not? */
static bool is_over(const struct gs_ynode *object)
{
    static const char *const words[] = {
        "Complete", "Completed", "Failed", "Succeeded",  "Aborted",
        "Finished", "SUCCEEDED", "FAILED", "Terminated", "STOPPED",
    };
    static const char *const paths[] = { "status.state.phase",
                                         "status.jobStatus", "status.phase" };
    const size_t n = sizeof(words) / sizeof(words[0]);

    for (size_t p = 0; p < sizeof(paths) / sizeof(paths[0]); p++) {
        const char *text = kube_text(object, paths[p]);

        for (size_t i = 0; text && i < n; i++) {
            if (strcmp(text, words[i]) == 0)
                return true;
        }
    }
    for (const struct gs_ynode *c = kube_list(object, "status.conditions"); c;
         c = c->next) {
        const char *type = kube_text(c, "type");
        const char *status = kube_text(c, "status");

        for (size_t i = 0; type && status && i < n; i++) {
            if (strcmp(type, words[i]) == 0 && strcmp(status, "True") == 0)
                return true;
        }
    }
    return false;
}

/* Group extensions had the kinds of apps first. */
static uint32_t group_of(const struct kube *k, const char *api_version)
{
    char group[128];
    const int len = (int)strcspn(api_version, "/");

    if (api_version[len] == '\0' || strncmp(api_version, "apps/", 5) == 0
        || strncmp(api_version, "extensions/", 11) == 0)
        return 0;
    (void)snprintf(group, sizeof(group), "%.*s", len < 120 ? len : 120,
                   api_version);
    return kube_put(k, group);
}

struct kube_workload kube_workload_begin(struct kube *k,
                                         const struct import_object *o,
                                         enum kube_life life)
{
    static const char *const starts[] = { "status.startTime",
                                          "status.jobStartTime", NULL };
    static const char *const ends[] = { "status.completionTime",
                                        "status.jobEndTime", "status.endTime",
                                        NULL };
    const char *space = kube_text(o->root, "metadata.namespace");
    const struct kube_labels annotations = kube_labels_read(
        k, kube_at(o->root, "metadata.annotations"));
    struct kube_workload w = {
        .kind = kube_put(k, o->kind),
        .group = group_of(k, o->api_version),
        .name = name_of(k, o->root),
        .space = space        ? kube_put(k, space)
                 : k->wrapper ? k->wrapper->space
                              : kube_put(k, "default"),
        .uid = kube_name(k, o->root, "metadata.uid"),
        .owner = kube_owner_of(k, o->root),
        .source = kube_put(k, o->source),
        .line = o->root->line,
        .column = o->root->column,
        .life = life,
        .copies = 1,
        .queue = queue_of(k, o->root),
        .project = tag(k, o->root, "project"),
        .priority_class = tag(k, o->root, "kueue.x-k8s.io/priority-class"),
        .has_kueue_class = tag(k, o->root, "kueue.x-k8s.io/priority-class")
                           != 0,
        .boost = boost_of(k, o->root),
        .takes = tag(k, o->root, DURATION),
        .within = kube_within_kai_annotated(k, o->root),
        .kai_class = tag(k, o->root, "priorityClassName"),
        .submit = kube_date(o->root, "metadata.creationTimestamp"),
        .max_wait = max_wait_of(k, o->root),
        .retries = TRACE_NONE,
        .start = date_first(o->root, starts),
        .end = date_first(o->root, ends),
        .deadline = deadline_of(k, o->root),
        .succeeded = kube_count(k, o->root, "status.succeeded", 0),
        .is_over = is_over(o->root),
        .is_named = kube_text(o->root, "metadata.name") != NULL,
        .is_suspended = is_suspended(k, o->root),
        .is_gated = tag(k, o->root, "kueue.x-k8s.io/admission-gated-by") != 0,
        .uses_zones = kube_zone_is_for(k, &annotations),
        .task_rules = kube_task_rules_read(k, o->root),
    };
    const struct gs_ynode *stale = kube_key(
        kube_at(o->root, "metadata.annotations"),
        "kai.scheduler/staleness-grace-period");
    uint32_t preemptable;

    if (stale)
        w.staleness = kube_staleness_read(k, stale);
    preemptable = tag(k, o->root, KUBE_PREEMPTABLE);
    wrapper_take(k, &w);
    w.yield = kube_yield_of(
        kube_str(k, tag(k, o->root, "kai.scheduler/preemptibility")));
    if (w.yield == KUBE_YIELD_UNSTATED && preemptable)
        w.yield = kube_preemptable(kube_str(k, preemptable));
    return w;
}

void kube_workload_refine(struct kube *k, struct kube_workload *w,
                          const struct gs_ynode *n)
{
    if (!w->queue)
        w->queue = queue_of(k, n);
    if (w->deadline == KUBE_UNKNOWN)
        w->deadline = deadline_of(k, n);
    w->is_suspended = w->is_suspended || is_suspended(k, n);
}

uint32_t kube_count(struct kube *k, const struct gs_ynode *n, const char *path,
                    uint32_t fallback)
{
    return (uint32_t)kube_number(k, n, path, fallback, 0, TRACE_REPLICAS_MAX);
}

uint32_t kube_clip(struct kube *k, uint64_t pods)
{
    if (pods > TRACE_REPLICAS_MAX)
        import_account_tell(k->account, IMPORT_LEFT, k->source, NULL,
                            "pods of a workload beyond %d of a kind",
                            TRACE_REPLICAS_MAX);
    return (uint32_t)(pods < TRACE_REPLICAS_MAX ? pods : TRACE_REPLICAS_MAX);
}

bool kube_pods_are_kai(const struct kube *k, const struct kube_workload *w,
                       const struct kube_template *pods)
{
    return pods
           && kube_is_kai(
               kube_str(k, w->scheduler ? w->scheduler : pods->scheduler));
}

bool kube_workload_is_kai(const struct kube *k, const struct kube_workload *w)
{
    assert(w->members > 0);
    return kube_pods_are_kai(k, w, w->member[0].pods);
}

void kube_member_add(struct kube *k, struct kube_workload *w,
                     const struct kube_member *m)
{
    struct kube_member *at;
    uint32_t i = w->members;

    w->is_empty = w->is_empty || (m->pods && m->replicas == 0);
    if (!m->pods || m->replicas == 0)
        return;
    assert(m->min <= m->replicas);
    at = gs_arena_alloc(k->arena, w->members + 1, sizeof(*at));
    if (w->members)
        memcpy(at, w->member, w->members * sizeof(*at));
    for (; i > 0
           && kube_task_place(k, m->pods) < kube_task_place(k, at[i - 1].pods);
         i--)
        at[i] = at[i - 1];
    at[i] = *m;
    w->members++;
    w->member = at;
}

int kube_workload_add(struct kube *k, const struct kube_workload *w)
{
    struct kube_workloads *all = k->workloads;

    if (k->has_mistake)
        return -1;
    if (w->members == 0 || w->copies == 0) {
        const struct gs_ynode at = { .line = w->line, .column = w->column };
        const bool is_empty = w->is_empty || w->members;

        import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source),
                            &at, is_empty ? "%s of 0 pods" : "%s without pods",
                            kube_str(k, w->kind));
        return is_empty ? 0 : -1;
    }
    for (uint32_t i = 0; i < w->members && w->takes; i++) {
        struct kube_template *t = gs_arena_memdup(k->arena, w->member[i].pods,
                                                  sizeof(*t));

        kube_label_add(k, &t->annotations,
                       (struct topo_label){ kube_put(k, DURATION), w->takes });
        w->member[i].pods = t;
    }
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = *w;
    return 0;
}
