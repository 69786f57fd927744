/* import/kubernetes/queue/kube_quota.c - kind ResourceQuota. */
#include "import/kubernetes/queue/kube_quota.h"

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
#include "import/source.h"

/* --- limits --------------------------------------------------------------- */

static bool is_limit(const char *key)
{
    return strcmp(key, "limits.cpu") == 0 || strcmp(key, "limits.memory") == 0;
}

/* The resource that the key of a quota counts; NULL, told: none. */
static const char *resource_of(struct kube *k, const struct gs_ynode *n)
{
    const char *key = n->key->text;

    if (is_limit(key))
        return key + 7;
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
        const bool is_jobs = strcmp(n->key->text, "count/jobs.batch") == 0;
        const char *resource = is_jobs ? NULL : resource_of(k, n);
        int64_t milli;

        if ((!is_jobs && !resource) || kube_quantity_read(k, n, &milli) < 0)
            continue;
        if (is_jobs)
            q->jobs = milli / 1000 < UINT32_MAX ? milli / 1000 : UINT32_MAX;
        else
            amount_lower(k, &q->limit, kube_put(k, resource), milli);
        if (is_limit(n->key->text) && q->by_limits < 2)
            q->by_limit[q->by_limits++] = kube_put(k, resource);
    }
}

/* --- scopes --------------------------------------------------------------- */

static const struct {
    const char *name;
    enum kube_scope_of of;
    bool is_not;
} scopes[] = {
    { "Terminating", KUBE_SCOPE_ENDS, false },
    { "NotTerminating", KUBE_SCOPE_ENDS, true },
    { "BestEffort", KUBE_SCOPE_BEST_EFFORT, false },
    { "NotBestEffort", KUBE_SCOPE_BEST_EFFORT, true },
    { "PriorityClass", KUBE_SCOPE_CLASS, false },
};

/* The scope of that name; false: it is none that pods tell. */
static bool scope_find(const char *name, struct kube_scope *out)
{
    for (size_t i = 0; name && i < sizeof(scopes) / sizeof(scopes[0]); i++) {
        if (strcmp(scopes[i].name, name) != 0)
            continue;
        *out = (struct kube_scope){ .of = scopes[i].of,
                                    .is_not = scopes[i].is_not };
        return true;
    }
    return false;
}

/* An expression of a scopeSelector, or a text of `scopes`. */
static bool scope_read(struct kube *k, const struct gs_ynode *n,
                       struct kube_scope *out)
{
    const char *op = kube_text(n, "operator");
    const struct gs_ynode *values = kube_at(n, "values");

    if (!scope_find(n->kind == GS_YSCALAR ? n->text : kube_text(n, "scopeName"),
                    out))
        return false;
    if (!op || strcmp(op, "Exists") == 0)
        return true;
    if (out->of != KUBE_SCOPE_CLASS)
        return false;
    out->is_not = strcmp(op, "DoesNotExist") == 0 || strcmp(op, "NotIn") == 0;
    if (strcmp(op, "DoesNotExist") == 0)
        return true;
    if (strcmp(op, "In") != 0 && strcmp(op, "NotIn") != 0)
        return false;
    out->has_values = true;
    out->value = gs_arena_alloc(k->arena, (values ? values->len : 0) + 1,
                                sizeof(*out->value));
    for (const struct gs_ynode *v = kube_list(n, "values"); v; v = v->next) {
        if (v->kind == GS_YSCALAR)
            out->value[out->values++] = kube_put(k, v->text);
    }
    return true;
}

/* All scopes at `path`; false: one is none that pods tell. */
static bool scopes_take(struct kube *k, const struct import_object *o,
                        const char *path, struct kube_quota *q)
{
    for (const struct gs_ynode *n = kube_list(o->root, path); n; n = n->next) {
        struct kube_scope *at = gs_arena_alloc(k->arena, q->scopes + 1,
                                               sizeof(*at));

        if (q->scopes)
            memcpy(at, q->scope, q->scopes * sizeof(*at));
        q->scope = at;
        if (!scope_read(k, n, &at[q->scopes]))
            return false;
        q->scopes++;
    }
    return true;
}

int kube_quota_read(struct kube *k, const struct import_object *o)
{
    const uint32_t space = kube_name(k, o->root, "metadata.namespace");
    struct kube_quotas *all = k->quotas;
    struct kube_quota q = {
        .space = space ? space : kube_put(k, "default"),
        .name = kube_full_name(k, o->root),
        .jobs = -1,
    };

    if (!scopes_take(k, o, "spec.scopes", &q)
        || !scopes_take(k, o, "spec.scopeSelector.matchExpressions", &q)) {
        import_account_tell(k->account, IMPORT_IGNORED, o->source, o->root,
                            "quotas of scopes other than Terminating, "
                            "BestEffort, their opposites and PriorityClass");
        return 0;
    }
    hard_take(k, o, &q);
    if (q.limit.count == 0 && q.jobs < 0)
        return 0;
    q.next = kube_index_get(&all->by_space, q.space);
    kube_index_put(&all->by_space, q.space, all->count);
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = q;
    return 0;
}

/* --- pods ----------------------------------------------------------------- */

static bool asks(struct kube *k, const struct kube_amounts *a)
{
    return kube_amount_of(a, kube_put(k, "cpu")) > 0
           || kube_amount_of(a, kube_put(k, "memory")) > 0;
}

/* Does no container state an amount of CPU or memory? */
static bool is_best_effort(struct kube *k, const struct kube_template *t)
{
    const struct kube_amounts *defaults = kube_limits_of(k, t);

    if (defaults && asks(k, defaults))
        return false;
    for (uint32_t i = 0; i < t->containers; i++) {
        if (asks(k, &t->container[i].request)
            || asks(k, &t->container[i].limit))
            return false;
    }
    return !asks(k, &t->pod);
}

static bool is_in_scope(struct kube *k, const struct kube_scope *s,
                        const struct kube_template *t, uint32_t klass)
{
    bool is = s->of == KUBE_SCOPE_ENDS          ? t->deadline != KUBE_UNKNOWN
              : s->of == KUBE_SCOPE_BEST_EFFORT ? is_best_effort(k, t)
                                                : klass != 0;

    if (s->has_values) {
        is = false;
        for (uint32_t i = 0; i < s->values; i++)
            is = is || s->value[i] == klass;
    }
    return is != s->is_not;
}

bool kube_quota_holds(struct kube *k, const struct kube_quota *q,
                      const struct kube_template *t, uint32_t klass)
{
    for (uint32_t i = 0; i < q->scopes; i++) {
        if (!is_in_scope(k, &q->scope[i], t, klass))
            return false;
    }
    return true;
}

void kube_quotas_charge(struct kube *k, const struct kube_template *t,
                        const struct kube_amounts *a)
{
    for (uint32_t at = kube_index_get(&k->quotas->by_space, t->space); at;
         at = k->quotas->at[at - 1].next) {
        struct kube_quota *q = &k->quotas->at[at - 1];

        if (!kube_quota_holds(k, q, t, t->priority_class))
            continue;
        for (uint32_t i = 0; i < a->count; i++)
            kube_amount_add(k, &q->daemons, a->at[i].name, a->at[i].milli);
        kube_amount_add(k, &q->daemons, kube_put(k, "pods"), 1000);
    }
}
