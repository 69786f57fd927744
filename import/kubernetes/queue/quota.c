/* import/kubernetes/queue/quota.c - kinds ResourceQuota and LimitRange. */
#include "import/kubernetes/queue/quota.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/source.h"
#include "traces/workload/workload.h"

static uint32_t space_of(const struct kube *k, const struct import_object *o)
{
    const uint32_t space = kube_name(k, o->root, "metadata.namespace");

    return space ? space : kube_put(k, "default");
}

/* --- ResourceQuota -------------------------------------------------------- */

/* The resource that the key of a quota counts; NULL, told: none. */
static const char *resource_of(struct kube *k, const struct gs_ynode *n)
{
    const char *key = n->key->text;

    if (strncmp(key, "limits.", 7) == 0) {
        import_account_tell(k->account, IMPORT_IGNORED, k->source, n,
                            "quotas of limits: gsim counts requests");
        return NULL;
    }
    if (strcmp(key, "count/pods") == 0)
        return "pods";
    if (strcmp(key, "requests.storage") != 0
        && strncmp(key, "requests.", 9) == 0)
        return key + 9;
    if (strcmp(key, "cpu") == 0 || strcmp(key, "memory") == 0
        || strcmp(key, "pods") == 0 || strcmp(key, "ephemeral-storage") == 0
        || strncmp(key, "hugepages-", 10) == 0)
        return key;
    import_account_tell(k->account, IMPORT_IGNORED, k->source, n,
                        "quotas of what pods do not ask for, as '%.100s'", key);
    return NULL;
}

/* The amount of `name` becomes `milli`, unless it is less already. */
static void amount_lower(struct kube *k, struct kube_amounts *a, uint32_t name,
                         int64_t milli)
{
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->at[i].name == name) {
            a->at[i].milli = milli < a->at[i].milli ? milli : a->at[i].milli;
            return;
        }
    }
    kube_amount_add(k, a, name, milli);
}

static void hard_take(struct kube *k, const struct import_object *o,
                      struct kube_quota *q)
{
    for (const struct gs_ynode *n = kube_map(o->root, "spec.hard"); n;
         n = n->next) {
        const char *resource = resource_of(k, n);
        int64_t milli;

        if (resource && kube_quantity_read(k, n, &milli) == 0)
            amount_lower(k, &q->limit, kube_put(k, resource), milli);
    }
}

/* The classes of a scope "priority class is one of these"; false for another
 * scope.
 */
static bool scope_take(struct kube *k, const struct gs_ynode *scope,
                       struct kube_quota *q)
{
    const char *name = kube_text(scope, "scopeName");
    const char *op = kube_text(scope, "operator");

    if (!name || !op || strcmp(name, "PriorityClass") != 0
        || strcmp(op, "In") != 0 || q->class_count)
        return false;
    q->classes = gs_arena_alloc(
        k->arena,
        (kube_at(scope, "values") ? kube_at(scope, "values")->len : 0) + 1,
        sizeof(*q->classes));
    for (const struct gs_ynode *v = kube_list(scope, "values"); v;
         v = v->next) {
        if (v->kind == GS_YSCALAR)
            q->classes[q->class_count++] = kube_put(k, v->text);
    }
    return q->class_count > 0;
}

static bool scopes_take(struct kube *k, const struct import_object *o,
                        struct kube_quota *q)
{
    bool is_understood = !kube_list(o->root, "spec.scopes");

    for (const struct gs_ynode *s =
             kube_list(o->root, "spec.scopeSelector.matchExpressions");
         s; s = s->next)
        is_understood = is_understood && scope_take(k, s, q);
    return is_understood;
}

/* The quota without classes of the namespace; NULL. */
static struct kube_quota *plain_find(const struct kube *k, uint32_t space)
{
    uint32_t at = kube_index_get(&k->quotas->by_space, space);

    while (at && k->quotas->at[at - 1].class_count)
        at = k->quotas->at[at - 1].next;
    return at ? &k->quotas->at[at - 1] : NULL;
}

int kube_quota_read(struct kube *k, const struct import_object *o)
{
    struct kube_quotas *all = k->quotas;
    struct kube_quota q = { .space = space_of(k, o),
                            .name = kube_name(k, o->root, "metadata.name") };
    struct kube_quota *same;

    if (!scopes_take(k, o, &q)) {
        import_account_tell(k->account, IMPORT_IGNORED, o->source, o->root,
                            "quotas of scopes other than priority classes");
        return 0;
    }
    hard_take(k, o, &q);
    if (q.limit.count == 0)
        return 0;
    same = q.class_count ? NULL : plain_find(k, q.space);
    if (same) {
        for (uint32_t i = 0; i < q.limit.count; i++)
            amount_lower(k, &same->limit, q.limit.at[i].name,
                         q.limit.at[i].milli);
        return 0;
    }
    q.next = kube_index_get(&all->by_space, q.space);
    kube_index_put(&all->by_space, q.space, all->count);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = q;
    import_account_tell(k->account, IMPORT_ASSUMED, o->source, o->root,
                        "a quota is the limit of a queue called as its "
                        "namespace: its jobs wait (there they are refused), "
                        "under policies with module queue");
    return 0;
}

uint32_t kube_quota_path(const struct kube *k, const struct kube_quota *q)
{
    const char *space = kube_str(k, q->space);
    const bool is_taken = strcmp(space, "default") == 0
                          || kube_queue_find(k, q->space);
    char path[600];

    (void)snprintf(path, sizeof(path), "%.253s%s%s%.253s", space,
                   is_taken ? "-quota" : "", q->class_count ? "/" : "",
                   q->class_count ? kube_str(k, q->name) : "");
    return trace_queue_name_ok(path) ? kube_put(k, path) : 0;
}

const struct kube_quota *kube_quota_of(const struct kube *k, uint32_t space,
                                       uint32_t klass)
{
    for (uint32_t at = kube_index_get(&k->quotas->by_space, space); at && klass;
         at = k->quotas->at[at - 1].next) {
        const struct kube_quota *q = &k->quotas->at[at - 1];

        for (uint32_t i = 0; i < q->class_count; i++) {
            if (q->classes[i] == klass)
                return q;
        }
    }
    return plain_find(k, space);
}

/* --- LimitRange ----------------------------------------------------------- */

/* Amounts that are not stated yet. */
static void amounts_fill(struct kube *k, struct kube_amounts *to,
                         const struct gs_ynode *from)
{
    const struct kube_amounts a = kube_amounts_read(k, from);
    const uint32_t stated = to->count;

    for (uint32_t i = 0; i < a.count; i++) {
        bool is_stated = false;

        for (uint32_t s = 0; s < stated; s++)
            is_stated = is_stated || to->at[s].name == a.at[i].name;
        if (!is_stated)
            kube_amount_add(k, to, a.at[i].name, a.at[i].milli);
    }
}

int kube_limits_read(struct kube *k, const struct import_object *o)
{
    const uint32_t space = space_of(k, o);
    struct kube_limits *all = k->limits;
    uint32_t at = kube_index_get(&all->by_space, space);

    for (const struct gs_ynode *l = kube_list(o->root, "spec.limits"); l;
         l = l->next) {
        const char *type = kube_text(l, "type");

        if (type && strcmp(type, "PersistentVolumeClaim") == 0)
            continue;
        if (kube_at(l, "max") || kube_at(l, "min")
            || kube_at(l, "maxLimitRequestRatio"))
            import_account_tell(k->account, IMPORT_IGNORED, o->source, l,
                                "least and greatest requests of a LimitRange: "
                                "there, other pods are refused");
        if (!type || strcmp(type, "Container") != 0)
            continue;
        if (!at) {
            kube_index_put(&all->by_space, space, all->count);
            all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                                    sizeof(*all->at));
            at = ++all->count;
        }
        amounts_fill(k, &all->at[at - 1], kube_at(l, "defaultRequest"));
        amounts_fill(k, &all->at[at - 1], kube_at(l, "default"));
        amounts_fill(k, &all->at[at - 1], kube_at(l, "max"));
        amounts_fill(k, &all->at[at - 1], kube_at(l, "min"));
    }
    return 0;
}

const struct kube_amounts *kube_limits_of(const struct kube *k,
                                          const struct kube_template *t)
{
    const uint32_t at = t->is_admitted
                            ? 0
                            : kube_index_get(&k->limits->by_space, t->space);

    return at ? &k->limits->at[at - 1] : NULL;
}
