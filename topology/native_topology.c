/* topology/native_topology.c - reads native topology files in YAML. */
#include "topology/native_topology.h"

#include <string.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/strtab.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "topology/native_private.h"
#include "topology/pattern.h"
#include "topology/topology.h"

#define TYPES_MAX 65536u

static bool may_go_on(int rc, const struct gs_err *err)
{
    return rc == 0 || gs_err_wants_more(err);
}

static uint32_t intern(const struct topo_loading *l, const char *s)
{
    return gs_strtab_put(l->topo->names, s, strlen(s));
}

/* --- keys without effect ---------------------------------------------------- */

/* Record the name and place of the first such key. */
static void unused_note(struct topo_unused *u, uint32_t name,
                        const struct gs_ynode *at)
{
    if (!u->line)
        *u = (struct topo_unused){ name, at->line, at->column };
}

/* --- tiers ------------------------------------------------------------------ */

static int read_fabric(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    const int i = gs_yread_word(c, v, topo_fabric_names, TOPO_FABRICS, err);

    *(enum topo_fabric *)dest = i < 0 ? TOPO_TCP : (enum topo_fabric)i;
    return i < 0 ? -1 : 0;
}

static int read_name(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    const char *text = NULL;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    *(uint32_t *)dest = intern(c->user, text);
    return 0;
}

static const struct gs_yfield tier_fields[] = {
    { "name", read_name, offsetof(struct topo_tier, name), true },
    { "fabric", read_fabric, offsetof(struct topo_tier, fabric), false },
    { "bandwidth", gs_yread_rate, offsetof(struct topo_tier, bandwidth),
      false },
    { "latency", gs_yread_duration, offsetof(struct topo_tier, latency),
      false },
};

/* Keys of a node entry; no tier may have such a name. */
static const char *const node_keys[] = { "name", "type", "labels", "taints",
                                         "load" };
#define NODE_KEYS (sizeof(node_keys) / sizeof(node_keys[0]))

static int tier_name_check(const struct gs_yctx *c, const struct gs_ynode *n,
                           const struct topo_tier *tier, struct gs_err *err)
{
    struct topo_loading *l = c->user;
    const char *name = gs_strtab_str(l->topo->names, tier->name);
    bool taken = strcmp(name, "cluster") == 0;

    for (size_t i = 0; i < NODE_KEYS; i++)
        taken = taken || strcmp(name, node_keys[i]) == 0;
    for (uint32_t i = 0; i < l->tier_count; i++) {
        if (l->tier_name[i] == tier->name)
            return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                           "two tiers are called '%s'", name);
    }
    if (taken)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "a tier may not be called '%s'", name);
    if (l->tier_count == TOPO_LISTED_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, n), "more than %u tiers",
                       TOPO_LISTED_MAX);
    l->tier_name[l->tier_count++] = tier->name;
    return 0;
}

/* Read the tiers.  Those above "node" become domains, "node" describes the
 * connection of its devices, and those below describe only the inside of a
 * node.
 */
static int tiers_read(const struct gs_yctx *c, struct topo_loading *l,
                      struct gs_err *err)
{
    const struct gs_ynode *n = l->tiers;
    const uint32_t node = l->topo->node_tier.name;
    bool below = false;
    int rc = 0;

    if (!n)
        return 0;
    l->tiers_unknown = n->kind != GS_YSEQ;
    if (n->kind != GS_YSEQ)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "'tiers' must be a list, outermost first");
    for (n = n->child; n && may_go_on(rc, err); n = n->next) {
        struct topo_tier tier = { .fabric = TOPO_TCP };
        struct gs_err inner = { 0 };

        if (gs_ynode_fields(c, n, "tier", tier_fields, 4, &tier, err) < 0)
            rc = -1;
        if (tier.name == 0 || tier_name_check(c, n, &tier, err) < 0) {
            l->tiers_unknown = true;
            rc = -1;
            continue;
        }
        if (tier.name == node) {
            l->topo->node_tier = tier;
            below = true;
        } else if (below) {
            unused_note(&l->topo->below, tier.name, n);
        } else if (topo_add_tier(l->topo, &tier, &inner) < 0) {
            l->tiers_unknown = true;
            rc = gs_fail(err, inner.code, gs_ynode_mark(c, n), "%s",
                         inner.problem[0].text);
        }
    }
    return rc;
}

/* --- node types ------------------------------------------------------------- */

static int read_gpus(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    struct topo_class *k = dest;
    const int rc = gs_yread_whole(c, v, 0, TOPO_DEVICES_MAX, &k->gpus, err);

    k->capacity[TOPO_GPU] = (int64_t)k->gpus * TOPO_SHARE_ONE;
    return rc;
}

static int read_pods(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err)
{
    uint32_t n = 0;

    if (gs_yread_u32(c, v, &n, err) < 0)
        return -1;
    *(int64_t *)dest = n;
    return 0;
}

static int read_gpu_tasks(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    return gs_yread_whole(c, v, 1, TOPO_GPU_TASKS_MAX, dest, err);
}

static int read_resources(const struct gs_yctx *c, const struct gs_ynode *v,
                          void *dest, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_class *k = dest;
    int rc = 0;

    if (v->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'resources' must be a mapping of names to amounts");
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        uint32_t name;
        int d;

        if (topo_read_key(c, e->key, &name, err) < 0) {
            rc = -1;
            continue;
        }
        d = topo_dims_put(l->topo->dims, name);
        if (d < 0)
            return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, e->key),
                           "more than %d kinds of resources", TOPO_DIMS_MAX);
        if (d < TOPO_DIMS_FIXED)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, e->key),
                         "'%s' is stated beside 'resources', not in it",
                         e->key->text);
        else if (gs_yread_milli(c, e, &k->capacity[d], err) < 0)
            rc = -1;
    }
    return rc;
}

#define CLASS(member) offsetof(struct topo_node_type, klass.member)
#define CAPACITY(dim) (CLASS(capacity) + (dim) * sizeof(int64_t))
#define WHOLE_CLASS offsetof(struct topo_node_type, klass)

static const struct gs_yfield type_fields[] = {
    { "gpus", read_gpus, WHOLE_CLASS, false },
    { "model", read_name, CLASS(model), false },
    { "gpu_memory", gs_yread_bytes, CLASS(gpu_memory), false },
    { "tasks_per_gpu", read_gpu_tasks, CLASS(gpu_tasks), false },
    { "mig", gs_yread_node, offsetof(struct topo_node_type, mig), false },
    { "cpu", gs_yread_milli, CAPACITY(TOPO_CPU), false },
    { "memory", gs_yread_bytes, CAPACITY(TOPO_MEMORY), false },
    { "rdma", gs_yread_milli, CAPACITY(TOPO_RDMA), false },
    { "pods", read_pods, CAPACITY(TOPO_PODS), false },
    { "numa", gs_yread_u32, CLASS(numa), false },
    { "generation", topo_read_generation, WHOLE_CLASS, false },
    { "speed", topo_read_speed, WHOLE_CLASS, false },
    { "labels", topo_read_labels, WHOLE_CLASS, false },
    { "taints", topo_read_taints, WHOLE_CLASS, false },
    { "resources", read_resources, WHOLE_CLASS, false },
    { "load", topo_read_load, WHOLE_CLASS, false },
};

#define N_TYPE_FIELDS (sizeof(type_fields) / sizeof(type_fields[0]))

/* Index the types by string id: there may be a million entries. */
static void types_index(struct topo_loading *l)
{
    l->type_ids = gs_strtab_count(l->topo->names);
    l->type_of = gs_arena_alloc(l->arena, l->type_ids, sizeof(*l->type_of));
    for (uint32_t i = 0; i < l->type_count; i++)
        l->type_of[l->type[i].klass.type] = i + 1;
}

static int types_read(const struct gs_yctx *c, struct topo_loading *l,
                      struct gs_err *err)
{
    const struct gs_ynode *n = l->types;
    int rc = 0;

    if (n->kind != GS_YMAP || n->len == 0 || n->len > TYPES_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "'node_types' must be a mapping of 1 to %u names to "
                       "types",
                       TYPES_MAX);
    l->type = gs_arena_alloc(l->arena, n->len, sizeof(*l->type));
    for (n = n->child; n; n = n->next) {
        struct topo_node_type *t = &l->type[l->type_count++];

        t->klass.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
        t->name = "";
        if (gs_yread_text(c, n->key, &t->name, NULL) < 0)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, n->key),
                         "a node type needs a printable name");
        t->klass.type = intern(l, t->name);
        if (gs_ynode_fields(c, n, "node type", type_fields, N_TYPE_FIELDS, t,
                            err)
                < 0
            || (t->mig && topo_read_mig(c, t->mig, &t->klass, err) < 0))
            rc = -1;
        if (t->klass.numa)
            unused_note(&l->topo->numa, t->klass.type,
                        gs_ynode_find(n, "numa")->key);
        if (t->klass.gpus == 0)
            t->klass.model = 0; /* no GPUs, no model */
        if (rc < 0 && !gs_err_wants_more(err))
            return -1;
    }
    types_index(l);
    return rc;
}

static int type_unknown(const struct gs_yctx *c, const struct topo_loading *l,
                        const struct gs_ynode *v, const char *text,
                        struct gs_err *err)
{
    const char **known = gs_arena_alloc(l->arena, l->type_count,
                                        sizeof(*known));
    const char *near;

    for (uint32_t i = 0; i < l->type_count; i++)
        known[i] = l->type[i].name;
    near = gs_nearest(text, known, l->type_count);
    return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                   "no node type is called '%.60s' (%s '%s'%s)", text,
                   near ? "did you mean" : "known are", near ? near : known[0],
                   near                ? "?"
                   : l->type_count > 1 ? " and others"
                                       : "");
}

static int type_find(const struct gs_yctx *c, const struct topo_loading *l,
                     const struct gs_ynode *v, struct topo_class *out,
                     struct gs_err *err)
{
    const char *text = NULL;
    uint32_t id;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    id = gs_strtab_find(l->topo->names, text, v->len);
    if (id >= l->type_ids || l->type_of[id] == 0)
        return type_unknown(c, l, v, text, err);
    *out = l->type[l->type_of[id] - 1].klass;
    return 0;
}

/* --- nodes ------------------------------------------------------------------ */

/* One entry of `nodes`: a pattern, and patterns of the domains above it. */
struct node_entry {
    const struct gs_ynode *name, *type, *labels, *taints, *load;
    const struct gs_ynode *tier[TOPO_TIERS_MAX];
};

/* The number of domains of each tier that the entry names; `nodes` is below 0
 * when that is unknown.
 */
static int domain_counts(const struct gs_yctx *c, const struct topo_loading *l,
                         const struct node_entry *e, int64_t nodes,
                         int64_t *count, struct gs_err *err)
{
    int rc = 0;

    for (uint32_t i = 0; i < l->topo->tier_count; i++) {
        const struct gs_ynode *v = e->tier[i];
        const char *text = NULL;

        count[i] = 1;
        if (!v) /* one domain, named after its tier */
            continue;
        if (gs_yread_text(c, v, &text, err) == 0)
            count[i] = topo_pattern_count(text, gs_ynode_mark(c, v), err);
        if (!text || count[i] < 0)
            rc = -1;
        else if (nodes >= 0 && nodes % count[i] != 0)
            rc = gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                         "%lld nodes cannot be spread evenly over the %lld "
                         "of '%s'",
                         (long long)nodes, (long long)count[i], text);
    }
    return rc;
}

static int nodes_add(const struct gs_yctx *c, struct topo_loading *l,
                     const struct node_entry *e, uint32_t klass,
                     struct gs_err *err)
{
    struct gs_err inner = { 0 };
    int64_t nodes = -1, count[TOPO_TIERS_MAX];
    const char *text = NULL;
    char buf[TOPO_NAME_MAX];

    if (e->name && gs_yread_text(c, e->name, &text, err) == 0)
        nodes = topo_pattern_count(text, gs_ynode_mark(c, e->name), err);
    if (domain_counts(c, l, e, nodes, count, err) < 0 || nodes < 0)
        return -1;
    for (int64_t i = 0; i < nodes; i++) {
        uint32_t path[TOPO_TIERS_MAX];
        size_t len;

        for (uint32_t k = 0; k < l->topo->tier_count; k++) {
            path[k] = l->topo->tier[k].name;
            if (!e->tier[k])
                continue;
            len = topo_pattern_name(e->tier[k]->text,
                                    (uint32_t)(i / (nodes / count[k])), buf);
            path[k] = gs_strtab_put(l->topo->names, buf, len);
        }
        len = topo_pattern_name(text, (uint32_t)i, buf);
        if (topo_add_node(l->topo, gs_strtab_put(l->topo->names, buf, len),
                          klass, path, &inner)
            < 0) {
            l->is_full = inner.code == GS_LIMIT;
            return gs_fail(err, inner.code, gs_ynode_mark(c, e->name), "%s",
                           inner.problem[0].text);
        }
    }
    return 0;
}

/* The keys of an entry; those of tiers are unknown when a tier has no name. */
static int entry_fields(const struct gs_yctx *c, const struct topo_loading *l,
                        const struct gs_ynode *n, struct node_entry *e,
                        struct gs_err *err)
{
    const uint32_t tiers = l->topo->tier_count;
    struct gs_yfield f[NODE_KEYS + TOPO_TIERS_MAX] = {
        { "name", gs_yread_node, offsetof(struct node_entry, name), true },
        { "type", gs_yread_node, offsetof(struct node_entry, type), true },
        { "labels", gs_yread_node, offsetof(struct node_entry, labels), false },
        { "taints", gs_yread_node, offsetof(struct node_entry, taints), false },
        { "load", gs_yread_node, offsetof(struct node_entry, load), false },
    };

    if (l->tiers_unknown) {
        *e = (struct node_entry){
            gs_ynode_find(n, "name"),   gs_ynode_find(n, "type"),
            gs_ynode_find(n, "labels"), gs_ynode_find(n, "taints"),
            gs_ynode_find(n, "load"),   { NULL }
        };
        return 0;
    }
    for (uint32_t i = 0; i < tiers; i++)
        f[NODE_KEYS + i] = (struct gs_yfield){
            gs_strtab_str(l->topo->names, l->topo->tier[i].name), gs_yread_node,
            offsetof(struct node_entry, tier) + i * sizeof(e->tier[0]),
            i + 1 == tiers /* outer tiers are optional */
        };
    return gs_ynode_fields(c, n, "node entry", f, NODE_KEYS + tiers, e, err);
}

/* Read an entry.  After a mistake its nodes are still added, with any class, so
 * that duplicate names are reported.
 */
static int entry_read(const struct gs_yctx *c, struct topo_loading *l,
                      const struct gs_ynode *n, struct gs_err *err)
{
    const struct topo_class none = { 0 };
    struct node_entry e = { 0 };
    struct topo_class k = none;
    int rc = entry_fields(c, l, n, &e, err);

    if (rc < 0 && !gs_err_wants_more(err))
        return -1;
    if (e.type && l->type_of && type_find(c, l, e.type, &k, err) < 0)
        rc = -1;
    if (e.labels && topo_read_labels(c, e.labels, &k, err) < 0)
        rc = -1;
    if (e.taints && topo_read_taints(c, e.taints, &k, err) < 0)
        rc = -1;
    if (e.load && topo_read_load(c, e.load, &k, err) < 0)
        rc = -1;
    if (nodes_add(c, l, &e, topo_add_class(l->topo, rc < 0 ? &none : &k), err)
        < 0)
        rc = -1;
    return rc;
}

static int nodes_read(const struct gs_yctx *c, struct topo_loading *l,
                      struct gs_err *err)
{
    const struct gs_ynode *n = l->nodes;
    int rc = 0;

    if (n->kind != GS_YSEQ || n->len == 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, n),
                       "'nodes' must be a list of {name, type, ...}");
    for (n = n->child; n; n = n->next) {
        if (entry_read(c, l, n, err) < 0)
            rc = -1;
        if (!may_go_on(rc, err) || l->is_full)
            return -1;
    }
    return rc;
}

/* --- the file --------------------------------------------------------------- */

static const struct gs_yfield fields[] = {
    { "cluster", gs_yread_node, offsetof(struct topo_loading, cluster), false },
    { "tiers", gs_yread_node, offsetof(struct topo_loading, tiers), false },
    { "node_types", gs_yread_node, offsetof(struct topo_loading, types), true },
    { "nodes", gs_yread_node, offsetof(struct topo_loading, nodes), true },
};

static int file_read(struct gs_input *in, struct topo_loading *l,
                     struct gs_err *err)
{
    const struct gs_yctx c = { gs_input_name(in), l };
    const struct gs_ynode *root = gs_yaml_read(in, l->arena, NULL, err);
    int rc;

    if (!root)
        return -1;
    rc = gs_ynode_fields(&c, root, "topology", fields, 4, l, err);
    if (may_go_on(rc, err) && l->cluster
        && read_name(&c, l->cluster, &l->topo->cluster, err) < 0)
        rc = -1;
    if (may_go_on(rc, err) && tiers_read(&c, l, err) < 0)
        rc = -1;
    if (may_go_on(rc, err) && l->types && types_read(&c, l, err) < 0)
        rc = -1;
    if (may_go_on(rc, err) && l->nodes && nodes_read(&c, l, err) < 0)
        rc = -1;
    return rc;
}

int topo_native_read(struct gs_input *in, struct topo *t, struct gs_err *err)
{
    struct topo_loading l = { .topo = t, .arena = gs_arena_create(1 << 14) };
    const int rc = file_read(in, &l, err);

    gs_arena_destroy(l.arena);
    return rc;
}
