/* import/kubernetes/workload.c - the workloads: objects that make pods. */
#include "import/kubernetes/workload.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/kube.h"
#include "import/kubernetes/pod_template.h"
#include "import/source.h"

/* The uid of the owner that controls the object; 0. */
static uint32_t owner_of(struct kube *k, const struct gs_ynode *object)
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
    const int64_t deadline = kube_number(k, o->root,
                                         "spec.activeDeadlineSeconds", 0, 0,
                                         GS_TIME_MAX / GS_SECOND);

    return (struct kube_workload){
        .kind = kube_put(k, o->kind),
        .name = kube_full_name(k, o->root),
        .space = kube_put(k, space ? space : "default"),
        .uid = kube_name(k, o->root, "metadata.uid"),
        .owner = owner_of(k, o->root),
        .source = kube_put(k, o->source),
        .line = o->root->line,
        .column = o->root->column,
        .life = life,
        .copies = 1,
        .queue = queue_of(k, o->root),
        .submit = kube_date(o->root, "metadata.creationTimestamp"),
        .start = date_first(o->root, starts),
        .end = date_first(o->root, ends),
        .deadline = deadline ? deadline * GS_SECOND : KUBE_UNKNOWN,
        .is_named = kube_at(o->root, "metadata.name") != NULL,
        .is_suspended = kube_flag(o->root, "spec.suspend", false)
                        || kube_flag(o->root, "spec.runPolicy.suspend", false),
    };
}

void kube_member_add(struct kube *k, struct kube_workload *w,
                     const struct kube_member *m)
{
    struct kube_member *at;

    if (!m->pods || m->replicas == 0)
        return;
    assert(m->min <= m->replicas);
    at = gs_arena_alloc(k->arena, w->members + 1, sizeof(*at));
    if (w->members)
        memcpy(at, w->member, w->members * sizeof(*at));
    at[w->members++] = *m;
    w->member = at;
}

int kube_workload_add(struct kube *k, const struct kube_workload *w)
{
    struct kube_workloads *all = k->workloads;

    if (w->members == 0 || w->copies == 0) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, NULL,
                            "%s without pods", kube_str(k, w->kind));
        return -1;
    }
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = *w;
    return 0;
}
