/* import/slurm/switches.c - files of topologies, see switches.h. */
#include "import/slurm/switches.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "import/slurm/conf_lines.h"
#include "import/slurm/conf_records.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"

#define TREES_MAX 256
#define SWITCHES_MAX (1u << 20)

static struct slurm_tree *tree_add(struct slurm *s, const char *name,
                                   const char *kind,
                                   const struct slurm_place *at)
{
    s->tree = gs_array_grow(s->tree, &s->tree_cap, s->trees + 1,
                            sizeof(*s->tree));
    s->tree[s->trees] = (struct slurm_tree){
        .name = name ? slurm_put_text(s, name) : 0, .kind = kind, .at = *at
    };
    return &s->tree[s->trees++];
}

static struct slurm_switch *switch_add(struct slurm *s, struct slurm_tree *t,
                                       const char *name,
                                       const struct slurm_place *at)
{
    t->at_switch = gs_arena_grow(s->arena, t->at_switch, &t->cap, t->count,
                                 sizeof(*t->at_switch));
    t->at_switch[t->count] = (struct slurm_switch){
        .name = slurm_put_text(s, name), .at = *at, .parent = UINT32_MAX
    };
    return &t->at_switch[t->count++];
}

/* --- topology.conf -------------------------------------------------------- */

static int sizes_read(struct slurm *s, struct slurm_tree *t, const char *text,
                      const struct slurm_place *at, struct gs_err *err)
{
    const char *p = text, *end = text + strlen(text), *part;
    size_t len;

    while ((part = slurm_part_next(&p, end, ',', &len)) != NULL) {
        uint64_t size;

        if (gs_quantity_parse_u64(part, len, &size) < 0 || size == 0
            || size > 1 << 20 || t->block_sizes == 16)
            return gs_fail(err, GS_INPUT, slurm_mark(s, at),
                           "sizes of blocks are at most 16 whole numbers (got "
                           "'%.60s')",
                           text);
        t->block_size[t->block_sizes++] = (int64_t)size;
    }
    return 0;
}

static struct slurm_tree *conf_tree(struct slurm *s, const char *kind,
                                    const struct slurm_place *at)
{
    for (uint32_t i = 0; i < s->trees; i++) {
        if (s->tree[i].name == 0)
            return &s->tree[i];
    }
    return tree_add(s, NULL, kind, at);
}

static int pairs_take(void *ctx, const struct slurm_pair *p, uint32_t n,
                      struct gs_err *err)
{
    struct slurm *s = ctx;
    const struct slurm_place at = slurm_place_at(s, p->line, p->column);
    const bool is_block = strcasecmp(p->key, "BlockName") == 0;
    struct slurm_switch *w;
    struct slurm_tree *t;

    if (strcasecmp(p->key, "BlockSizes") == 0)
        return sizes_read(s, conf_tree(s, "block", &at), p->value, &at, err);
    if (!is_block && strcasecmp(p->key, "SwitchName") != 0) {
        slurm_pair_unknown(s, p, "topology.conf", NULL, 0);
        return 0;
    }
    t = conf_tree(s, is_block ? "block" : "tree", &at);
    if (t->count >= SWITCHES_MAX)
        return gs_fail(err, GS_LIMIT, slurm_mark(s, &at), "too many switches");
    w = switch_add(s, t, p->value, &at);
    for (uint32_t i = 1; i < n; i++) {
        if (strcasecmp(p[i].key, "Nodes") == 0)
            w->nodes = slurm_copy(s, p[i].value);
        else if (strcasecmp(p[i].key, "Switches") == 0 && !is_block)
            w->children = slurm_copy(s, p[i].value);
        else if (strcasecmp(p[i].key, "LinkSpeed") != 0)
            slurm_pair_unknown(s, &p[i], "topology.conf", NULL, 0);
    }
    if (w->nodes && w->children)
        return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                       "switch '%.60s' has both Nodes and Switches", p->value);
    return 0;
}

int slurm_topology_conf_read(struct slurm *s, struct gs_input *in,
                             struct gs_err *err)
{
    const struct slurm_line_taker t = { pairs_take, NULL, s };

    assert(s && in);
    if (slurm_conf_lines(in, &t, err) < 0)
        return -1;
    import_account_count(s->account, "topology.conf", IMPORT_USED);
    return 0;
}

/* --- topology.yaml -------------------------------------------------------- */

static int node_refuse(struct slurm *s, const struct gs_ynode *n,
                       const char *what, const char *allowed,
                       struct gs_err *err)
{
    static const char *const kinds[] = {
        [GS_YSCALAR] = "a scalar", [GS_YMAP] = "a mapping", [GS_YSEQ] = "a list"
    };

    return gs_fail(err, GS_INPUT,
                   (struct gs_mark){ s->source, n->line, n->column },
                   "'%s' must be %s (got %s)", what, allowed, kinds[n->kind]);
}

static const char *text_of(const struct gs_ynode *map, const char *key)
{
    const struct gs_ynode *v = gs_ynode_find(map, key);

    return v && v->kind == GS_YSCALAR && !gs_ynode_is_null(v) ? v->text : NULL;
}

static int switches_read(struct slurm *s, struct slurm_tree *t,
                         const struct gs_ynode *list, const char *name_key,
                         const char *children_key, struct gs_err *err)
{
    for (const struct gs_ynode *v = list->child; v; v = v->next) {
        const struct slurm_place at = slurm_place_at(s, v->line, v->column);
        const char *name, *nodes, *children;
        struct slurm_switch *w;

        if (v->kind != GS_YMAP)
            return node_refuse(s, v, name_key, "a mapping", err);
        name = text_of(v, name_key);
        nodes = text_of(v, "nodes");
        children = children_key ? text_of(v, children_key) : NULL;
        if (!name)
            return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                           "the key '%s' is needed", name_key);
        if (nodes && children)
            return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                           "switch '%.60s' has both 'nodes' and 'children'",
                           name);
        w = switch_add(s, t, name, &at);
        w->nodes = nodes ? slurm_copy(s, nodes) : NULL;
        w->children = children ? slurm_copy(s, children) : NULL;
    }
    return 0;
}

/* The list under `key` of the kind's mapping; a list may be one mapping. */
static int list_read(struct slurm *s, struct slurm_tree *t,
                     const struct gs_ynode *kind, const char *key,
                     const char *name_key, const char *children_key,
                     struct gs_err *err)
{
    const struct gs_ynode *list = gs_ynode_find(kind, key);
    struct gs_ynode one = { 0 };

    if (!list)
        return 0;
    if (list->kind == GS_YMAP) {
        struct gs_ynode item = *list;

        item.next = NULL;
        one.kind = GS_YSEQ;
        one.child = &item;
        return switches_read(s, t, &one, name_key, children_key, err);
    }
    if (list->kind != GS_YSEQ)
        return node_refuse(s, list, key, "a list", err);
    return switches_read(s, t, list, name_key, children_key, err);
}

static int block_read(struct slurm *s, struct slurm_tree *t,
                      const struct gs_ynode *kind, struct gs_err *err)
{
    const struct gs_ynode *sizes = gs_ynode_find(kind, "block_sizes");

    for (const struct gs_ynode *v = sizes ? sizes->child : NULL; v;
         v = v->next) {
        const struct slurm_place at = slurm_place_at(s, v->line, v->column);

        if (v->kind != GS_YSCALAR || sizes_read(s, t, v->text, &at, err) < 0)
            return v->kind != GS_YSCALAR
                       ? node_refuse(s, v, "block_sizes", "whole numbers", err)
                       : -1;
    }
    return list_read(s, t, kind, "blocks", "block", NULL, err);
}

static int entry_read(struct slurm *s, const struct gs_ynode *v,
                      struct gs_err *err)
{
    static const char *const kinds[] = { "block", "tree", "flat", "ring",
                                         "torus3d" };
    const struct slurm_place at = slurm_place_at(s, v->line, v->column);
    const struct gs_ynode *kind = NULL;
    const char *first, *name;
    struct slurm_tree *t;

    if (v->kind != GS_YMAP)
        return node_refuse(s, v, "topology", "a mapping", err);
    name = text_of(v, "topology");
    for (size_t i = 0; i < 5; i++) {
        const struct gs_ynode *k = gs_ynode_find(v, kinds[i]);

        if (k && kind)
            return gs_fail(err, GS_INPUT,
                           (struct gs_mark){ s->source, k->line, k->column },
                           "a topology has one kind: '%s' follows '%s'",
                           kinds[i], kind->key->text);
        kind = k ? k : kind;
    }
    if (!name || !kind)
        return gs_fail(err, GS_INPUT, slurm_mark(s, &at),
                       "a topology has a name ('topology') and one of block, "
                       "tree, flat, ring, torus3d");
    if (s->trees >= TREES_MAX)
        return gs_fail(err, GS_LIMIT, slurm_mark(s, &at),
                       "more than %d topologies", TREES_MAX);
    t = tree_add(s, name, slurm_copy(s, kind->key->text), &at);
    first = text_of(v, "cluster_default");
    t->is_default = first
                    && (strcasecmp(first, "true") == 0
                        || strcasecmp(first, "yes") == 0);
    if (strcmp(t->kind, "flat") == 0)
        return 0;
    if (kind->kind != GS_YMAP)
        return node_refuse(s, kind, t->kind, "a mapping", err);
    if (strcmp(t->kind, "tree") == 0)
        return list_read(s, t, kind, "switches", "switch", "children", err);
    return strcmp(t->kind, "block") == 0 ? block_read(s, t, kind, err) : 0;
}

int slurm_topology_yaml_read(struct slurm *s, struct gs_input *in,
                             struct gs_err *err)
{
    struct gs_arena *arena = gs_arena_create(1 << 16);
    const struct gs_ynode *root = gs_yaml_read(in, arena, NULL, err);
    int rc = root ? 0 : -1;

    assert(s && in);
    if (root && root->kind == GS_YMAP && gs_ynode_find(root, "topology"))
        rc = entry_read(s, root, err);
    else if (root && root->kind != GS_YSEQ)
        rc = gs_fail(err, GS_INPUT,
                     (struct gs_mark){ s->source, root->line, root->column },
                     "topology.yaml must be a list of topologies");
    else
        for (const struct gs_ynode *v = root ? root->child : NULL; rc == 0 && v;
             v = v->next)
            rc = entry_read(s, v, err);
    if (rc == 0)
        import_account_count(s->account, "topology.yaml", IMPORT_USED);
    gs_arena_destroy(arena);
    return rc;
}
