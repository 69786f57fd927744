/* import/kubernetes/node/node.c - the nodes of a cluster. */
#include "import/kubernetes/node/node.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/device.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/source.h"

/* The taints that Kubernetes itself puts on nodes, which a manifest may lack.
 */
#define CORDONED "node.kubernetes.io/unschedulable"
#define NOT_READY "node.kubernetes.io/not-ready"

static bool has_taint(const struct kube_node *n, uint32_t key)
{
    for (uint32_t i = 0; i < n->taints; i++) {
        if (n->taint[i].key == key)
            return true;
    }
    return false;
}

static void taint_put(struct kube_node *n, uint32_t key, uint32_t value,
                      enum topo_effect effect)
{
    n->taint[n->taints++] = (struct topo_taint){ key, value, effect };
}

static void taint_read(struct kube *k, struct kube_node *n,
                       const struct gs_ynode *t)
{
    const char *effect = kube_text(t, "effect");
    const char *value = kube_text(t, "value");
    const uint32_t key = kube_name(k, t, "key");

    if (!key || !effect) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, t,
                            "a taint without key and effect");
    } else {
        taint_put(n, key, value && value[0] ? kube_put(k, value) : 0,
                  strcmp(effect, "NoExecute") == 0 ? TOPO_NO_EXECUTE
                  : strcmp(effect, "PreferNoSchedule") == 0
                      ? TOPO_PREFER_NO_SCHEDULE
                      : TOPO_NO_SCHEDULE);
    }
}

static bool is_ready(const struct gs_ynode *node)
{
    for (const struct gs_ynode *c = kube_list(node, "status.conditions"); c;
         c = c->next) {
        const char *type = kube_text(c, "type");
        const char *status = kube_text(c, "status");

        if (type && status && strcmp(type, "Ready") == 0)
            return strcmp(status, "True") == 0;
    }
    return true;
}

/* Only some tasks may use the nodes of a zone, see pod/zone.h. */
static void zone_read(struct kube *k, struct kube_node *n,
                      const struct gs_ynode *node)
{
    const uint32_t key = kube_put(k, KUBE_ZONE);
    const uint32_t zone = kube_label_value(&n->labels, key);

    if (!zone || !*kube_str(k, zone) || has_taint(n, key))
        return;
    taint_put(n, key, zone, TOPO_NO_SCHEDULE);
    import_account_tell(k->account, IMPORT_ASSUMED, k->source, node,
                        "only pods with the annotation " KUBE_ZONE
                        " use nodes with that label, as with plugin tdm");
}

static void taints_read(struct kube *k, struct kube_node *n,
                        const struct gs_ynode *node)
{
    const struct gs_ynode *list = kube_at(node, "spec.taints");

    n->taint = gs_arena_alloc(k->arena, (list ? list->len : 0) + 3,
                              sizeof(*n->taint));
    for (list = kube_list(node, "spec.taints"); list; list = list->next)
        taint_read(k, n, list);
    if (kube_flag(node, "spec.unschedulable", false)) {
        import_account_tell(k->account, IMPORT_ASSUMED, k->source, node,
                            "cordoned nodes stay so: taint " CORDONED);
        if (!has_taint(n, kube_put(k, CORDONED)))
            taint_put(n, kube_put(k, CORDONED), 0, TOPO_NO_SCHEDULE);
    }
    if (!is_ready(node)) {
        import_account_tell(
            k->account, IMPORT_ASSUMED, k->source, node,
            "nodes that are not ready stay so: taint " NOT_READY);
        if (!has_taint(n, kube_put(k, NOT_READY)))
            taint_put(n, kube_put(k, NOT_READY), 0, TOPO_NO_SCHEDULE);
    }
    zone_read(k, n, node);
}

/* A node that the API server names gets a number. */
static uint32_t name_of(const struct kube *k, const struct gs_ynode *node)
{
    const char *prefix = kube_text(node, "metadata.generateName");

    return kube_at(node, "metadata.name") || !prefix
               ? kube_name(k, node, "metadata.name")
               : kube_put(k, gs_arena_printf(k->arena, "%.253s%u", prefix,
                                             k->nodes->count + 1));
}

int kube_node_read(struct kube *k, const struct import_object *o)
{
    const uint32_t name = name_of(k, o->root);
    const struct gs_ynode *amounts = kube_at(o->root, "status.allocatable");
    struct kube_nodes *all = k->nodes;
    struct kube_node *n;

    if (!name) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "a node without a name");
        return -1;
    }
    if (!amounts)
        amounts = kube_at(o->root, "status.capacity");
    if (!amounts) {
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "nodes without status.allocatable and "
                            "status.capacity");
        return -1;
    }
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    n = &all->at[all->count++];
    *n = (struct kube_node){
        .name = name,
        .source = kube_put(k, o->source),
        .line = o->root->line,
        .column = o->root->column,
        .labels = kube_labels_read(k, kube_at(o->root, "metadata.labels")),
        .amounts = kube_amounts_read(k, amounts),
    };
    taints_read(k, n, o->root);
    return 0;
}

/* --- all of them ---------------------------------------------------------- */

/* The name of the resource of that sort that the node has most devices of; 0.
 */
static uint32_t most_of(const struct kube *k, const struct kube_node *n,
                        enum kube_device device)
{
    uint32_t name = 0;
    int64_t most = 0, unit;

    for (uint32_t i = 0; i < n->amounts.count; i++) {
        const struct kube_amount *a = &n->amounts.at[i];

        if (a->milli > most
            && kube_device_of(kube_str(k, a->name), &unit) == device) {
            most = a->milli;
            name = a->name;
        }
    }
    return name;
}

/* The name of the resource that counts the node's devices; 0: it has none. */
static uint32_t device_of(const struct kube *k, const struct kube_node *n)
{
    const uint32_t whole = most_of(k, n, KUBE_WHOLE);

    return whole ? whole : most_of(k, n, KUBE_HUNDREDTHS);
}

/* Drop all but the last node of each name. */
static void names_unite(struct kube *k)
{
    struct kube_nodes *all = k->nodes;
    uint32_t *last = gs_array_new(gs_strtab_count(k->names), sizeof(*last));
    uint32_t kept = 0;

    for (uint32_t i = 0; i < all->count; i++)
        last[all->at[i].name] = i;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct kube_node *n = &all->at[i];
        const struct gs_ynode at = { .line = n->line, .column = n->column };

        if (last[n->name] == i)
            all->at[kept++] = *n;
        else
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, n->source),
                                &at, "a node that comes again later");
    }
    all->count = kept;
    gs_array_free(last);
}

/* One taint of each key that a node has. */
static void taints_unite(struct kube *k)
{
    struct kube_nodes *all = k->nodes;
    uint8_t *seen = gs_array_new(gs_strtab_count(k->names), sizeof(*seen));
    uint32_t cap = 0;
    struct topo_taint *taint = NULL;

    for (uint32_t i = 0; i < all->count; i++) {
        for (uint32_t t = 0; t < all->at[i].taints; t++) {
            const uint32_t key = all->at[i].taint[t].key;

            if (seen[key])
                continue;
            seen[key] = 1;
            taint = gs_array_grow(taint, &cap, all->taints + 1, sizeof(*taint));
            taint[all->taints++] = (struct topo_taint){ key, 0,
                                                        TOPO_ANY_EFFECT };
        }
    }
    all->taint = gs_arena_memdup(k->arena, taint, all->taints * sizeof(*taint));
    gs_array_free(taint);
    gs_array_free(seen);
}

/* Its labels, and its name as field metadata.name, which selectors match. */
static struct kube_labels fields_of(struct kube *k, const struct kube_node *n)
{
    const uint32_t field = kube_put(k, "metadata.name");
    struct kube_labels l = {
        gs_arena_alloc(k->arena, n->labels.count + 1, sizeof(*l.at)), 0
    };
    uint32_t i = 0;

    for (; i < n->labels.count && n->labels.at[i].key < field; i++)
        l.at[l.count++] = n->labels.at[i];
    l.at[l.count++] = (struct topo_label){ field, n->name };
    for (; i < n->labels.count; i++)
        l.at[l.count++] = n->labels.at[i];
    return l;
}

void kube_nodes_finish(struct kube *k)
{
    struct kube_nodes *all = k->nodes;
    uint32_t first = 0;

    names_unite(k);
    taints_unite(k);
    for (uint32_t i = 0; i < all->count; i++) {
        struct kube_node *n = &all->at[i];

        n->fields = fields_of(k, n);
        n->device = device_of(k, n);
        first = first ? first : n->device;
        all->has_vendors = all->has_vendors
                           || (n->device && n->device != first);
    }
}

void kube_nodes_index_hosts(const struct kube *k, struct kube_index *hosts)
{
    const uint32_t key = kube_put(k, "kubernetes.io/hostname");

    for (uint32_t i = 0; i < k->nodes->count; i++) {
        const struct kube_node *n = &k->nodes->at[i];
        const uint32_t host = kube_label_value(&n->labels, key);

        kube_index_put(hosts, host ? host : n->name, i);
    }
}
