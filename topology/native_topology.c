/* topology/native_topology.c - reads native topology files in YAML. */
#include "topology/native_topology.h"

#include <string.h>

#include "base/arena.h"
#include "base/input.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "topology/native_private.h"
#include "topology/pattern.h"
#include "topology/topology.h"

static bool may_go_on(int rc, const struct gs_err *err)
{
    return rc == 0 || gs_err_wants_more(err);
}

static uint32_t intern(const struct topo_loading *l, const char *s)
{
    return gs_strtab_put(l->topo->names, s, strlen(s));
}

/* --- keys without effect -------------------------------------------------- */

void topo_unused_note(struct topo_unused *u, uint32_t name,
                      const struct gs_ynode *at)
{
    if (!u->line)
        *u = (struct topo_unused){ name, at->line, at->column };
}

/* --- tiers ---------------------------------------------------------------- */

static int read_fabric(const struct gs_yctx *c, const struct gs_ynode *v,
                       void *dest, struct gs_err *err)
{
    const int i = gs_yread_word(c, v, topo_fabric_names, TOPO_FABRICS, err);

    *(enum topo_fabric *)dest = i < 0 ? TOPO_TCP : (enum topo_fabric)i;
    return i < 0 ? -1 : 0;
}

int topo_read_name(const struct gs_yctx *c, const struct gs_ynode *v,
                   void *dest, struct gs_err *err)
{
    const char *text = NULL;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    *(uint32_t *)dest = intern(c->user, text);
    return 0;
}

static const struct gs_yfield tier_fields[] = {
    { "name", topo_read_name, offsetof(struct topo_tier, name), true },
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
            topo_unused_note(&l->topo->below, tier.name, n);
        } else if (topo_add_tier(l->topo, &tier, &inner) < 0) {
            l->tiers_unknown = true;
            rc = gs_fail(err, inner.code, gs_ynode_mark(c, n), "%s",
                         inner.problem[0].text);
        }
    }
    return rc;
}

/* --- nodes ---------------------------------------------------------------- */

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
    if (e.type && l->type_of && topo_type_find(c, l, e.type, &k, err) < 0)
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

/* --- the file ------------------------------------------------------------- */

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
        && topo_read_name(&c, l->cluster, &l->topo->cluster, err) < 0)
        rc = -1;
    if (may_go_on(rc, err) && tiers_read(&c, l, err) < 0)
        rc = -1;
    if (may_go_on(rc, err) && l->types && topo_types_read(&c, l, err) < 0)
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
