/* import/kubernetes/pod/name_space.c - kind Namespace. */
#include "import/kubernetes/pod/name_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

void kube_spaces_free(struct kube_spaces *all)
{
    gs_array_free(all->at);
    gs_array_free(all->by_name.at);
}

/* The labels with that of the name among them, in the order of keys. */
static struct kube_labels with_name(const struct kube *k,
                                    const struct kube_labels *l, uint32_t name)
{
    const struct topo_label own = { kube_put(k, "kubernetes.io/metadata.name"),
                                    name };
    struct kube_labels all = { .at = gs_arena_alloc(k->arena, l->count + 1,
                                                    sizeof(*all.at)) };

    for (uint32_t i = 0; i <= l->count; i++) {
        if (all.count == i && (i == l->count || l->at[i].key >= own.key))
            all.at[all.count++] = own;
        if (i < l->count && l->at[i].key != own.key)
            all.at[all.count++] = l->at[i];
    }
    return all;
}

static void space_put(struct kube *k, uint32_t name, struct kube_labels l,
                      const struct kube_space_terms *terms)
{
    struct kube_spaces *all = k->spaces;

    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    kube_index_put(&all->by_name, name, all->count);
    all->at[all->count++] = (struct kube_space){
        .labels = with_name(k, &l, name),
        .terms = *terms,
    };
}

/* --- annotations of YuniKorn ---------------------------------------------- */

static void refused(struct kube *k, const struct gs_ynode *n)
{
    import_account_tell(k->account, IMPORT_LEFT, k->source, n,
                        "annotation %.80s: '%.80s' is none that YuniKorn takes",
                        n->key->text, n->text);
}

static const struct gs_ynode *annotation(const struct gs_ynode *object,
                                         const char *key)
{
    const struct gs_ynode *n = kube_key(kube_at(object, "metadata.annotations"),
                                        key);

    return n && n->kind == GS_YSCALAR && n->len ? n : NULL;
}

/* A text of JSON: names and amounts, which are texts.  One that is 0 in all is
 * not stated.
 */
static struct kube_amounts amounts_of(struct kube *k, const struct gs_ynode *n)
{
    struct gs_err why = { 0 };
    const struct gs_ynode *root =
        n ? gs_yaml_parse("annotation", n->text, k->arena, &why) : NULL;
    struct kube_amounts a = { 0 };
    int64_t milli = 0, most = 0;
    bool is_bad = n && (!root || root->kind != GS_YMAP);

    for (const struct gs_ynode *v = is_bad || !root ? NULL : root->child; v;
         v = v->next) {
        is_bad |= v->kind != GS_YSCALAR || !v->quoted
                  || kube_quantity_parse(v->text, &milli) < 0;
        if (is_bad)
            break;
        kube_amount_add(k, &a, kube_put(k, v->key->text), milli);
        most = milli > most ? milli : most;
    }
    if (is_bad)
        refused(k, n);
    return !is_bad && most ? a : (struct kube_amounts){ 0 };
}

/* The annotations before there was namespace.quota. */
static struct kube_amounts maxima_of(struct kube *k,
                                     const struct gs_ynode *object)
{
    static const struct {
        const char *key, *name;
    } all[] = { { "yunikorn.apache.org/namespace.max.cpu", "cpu" },
                { "yunikorn.apache.org/namespace.max.memory", "memory" } };
    struct kube_amounts a = { 0 };

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const struct gs_ynode *n = annotation(object, all[i].key);
        int64_t milli;

        if (!n)
            continue;
        if (kube_quantity_parse(n->text, &milli) < 0) {
            refused(k, n);
            return (struct kube_amounts){ 0 };
        }
        kube_amount_add(k, &a, kube_put(k, all[i].name), milli);
    }
    return a;
}

static struct kube_space_terms terms_read(struct kube *k,
                                          const struct gs_ynode *object)
{
    const struct gs_ynode *quota = annotation(
        object, "yunikorn.apache.org/namespace.quota");
    const struct gs_ynode *jobs = annotation(
        object, "yunikorn.apache.org/namespace.maxApps");
    const struct gs_ynode *parent = annotation(
        object, "yunikorn.apache.org/parentqueue");
    struct kube_space_terms t = {
        .guaranteed = amounts_of(
            k, annotation(object, "yunikorn.apache.org/namespace.guaranteed")),
        .quota = quota ? amounts_of(k, quota) : maxima_of(k, object),
        .parent = parent ? kube_put(k, parent->text) : 0,
    };
    char *end = NULL;
    const long long n = jobs ? strtoll(jobs->text, &end, 10) : 0;

    if (jobs && (*end || n < 0))
        refused(k, jobs);
    else
        t.jobs = (uint64_t)n;
    return t;
}

/* --- spaces --------------------------------------------------------------- */

int kube_space_read(struct kube *k, const struct import_object *o)
{
    const uint32_t name = kube_name(k, o->root, "metadata.name");
    const struct kube_space_terms terms = terms_read(k, o->root);

    if (name)
        space_put(k, name,
                  kube_labels_read(k, kube_at(o->root, "metadata.labels")),
                  &terms);
    return 0;
}

const struct kube_space_terms *kube_space_terms_of(const struct kube *k,
                                                   uint32_t space)
{
    const uint32_t at = kube_index_get(&k->spaces->by_name, space);

    return at ? &k->spaces->at[at - 1].terms : NULL;
}

bool kube_space_meets(struct kube *k, uint32_t space,
                      const struct kube_conditions *c)
{
    if (!kube_index_get(&k->spaces->by_name, space)) {
        space_put(k, space, (struct kube_labels){ .count = 0 },
                  &(struct kube_space_terms){ .jobs = 0 });
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "namespace '%s' has no object: no label but its "
                            "name",
                            kube_str(k, space));
    }
    return kube_conditions_hold(
        k, c,
        &k->spaces->at[kube_index_get(&k->spaces->by_name, space) - 1].labels);
}
