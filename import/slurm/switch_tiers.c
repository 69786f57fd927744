/* import/slurm/switch_tiers.c - switches as tiers, see switches.h. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/strtab.h"
#include "import/slurm/hostlist.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/switches.h"
#include "topology/topology.h"

#define NOWHERE UINT32_MAX

struct tier_making {
    struct slurm *s;
    struct slurm_tree *tree;
    struct gs_strtab *keys; /* names of switches: their numbers + 1 */
    uint32_t *leaf;         /* [node] switch */
    uint32_t current;       /* switch whose list is read */
    struct gs_err *err;
};

/* --- links -------------------------------------------------------------- */

static struct slurm_switch *current(const struct tier_making *m)
{
    return &m->tree->at_switch[m->current];
}

static int over(struct tier_making *m)
{
    return m->s->expanded++ < SLURM_NAMES_MAX
               ? 0
               : gs_fail(m->err, GS_LIMIT, slurm_mark(m->s, &current(m)->at),
                         "the lists of nodes have more than %u names",
                         SLURM_NAMES_MAX);
}

static int node_take(void *ctx, const char *name, size_t len)
{
    struct tier_making *m = ctx;
    struct slurm *s = m->s;
    const uint32_t n = slurm_node_find(s, slurm_put(s, name, len));

    if (over(m) < 0)
        return -1;
    if (n == UINT32_MAX)
        slurm_tell(s, IMPORT_LEFT, &current(m)->at,
                   "nodes of a switch or block that no NodeName describes");
    else if (m->leaf[n] == NOWHERE)
        m->leaf[n] = m->current;
    else if (m->leaf[n] != m->current)
        slurm_tell(s, IMPORT_LEFT, &current(m)->at,
                   "a second switch or block of a node");
    return 0;
}

static int child_take(void *ctx, const char *name, size_t len)
{
    struct tier_making *m = ctx;
    struct slurm *s = m->s;
    const uint32_t id = gs_strtab_find(m->keys, name, len);
    struct slurm_switch *child;

    if (over(m) < 0)
        return -1;
    if (id == GS_STRTAB_NONE || id == 0)
        return gs_fail(m->err, GS_INPUT, slurm_mark(s, &current(m)->at),
                       "switch '%s' has child '%.60s', which is no switch",
                       slurm_str(s, current(m)->name), name);
    child = &m->tree->at_switch[id - 1];
    if (child->parent != NOWHERE && child->parent != m->current)
        return gs_fail(m->err, GS_INPUT, slurm_mark(s, &current(m)->at),
                       "switch '%.60s' has two parents: '%s' and '%s'", name,
                       slurm_str(s, m->tree->at_switch[child->parent].name),
                       slurm_str(s, current(m)->name));
    child->parent = m->current;
    return 0;
}

static int list_take(struct tier_making *m, const char *list,
                     slurm_host_fn take)
{
    const char *why = NULL;
    const int rc = list ? slurm_hostlist_read(list, strlen(list), take, m, &why)
                        : 0;

    return rc == -2
               ? gs_fail(m->err, GS_INPUT, slurm_mark(m->s, &current(m)->at),
                         "no list: %s (got '%.80s')", why, list)
               : rc;
}

static int links_make(struct tier_making *m)
{
    struct slurm_tree *t = m->tree;
    int rc = 0;

    for (uint32_t i = 0; i < t->count; i++) {
        const char *name = slurm_str(m->s, t->at_switch[i].name);
        const uint32_t id = gs_strtab_put(m->keys, name, strlen(name));

        if (id != i + 1)
            return gs_fail(m->err, GS_INPUT,
                           slurm_mark(m->s, &t->at_switch[i].at),
                           id ? "switch or block '%.60s' is described twice"
                              : "a switch or block has no name%.0s",
                           name);
    }
    for (m->current = 0; rc == 0 && m->current < t->count; m->current++) {
        rc = list_take(m, current(m)->nodes, node_take);
        if (rc == 0)
            rc = list_take(m, current(m)->children, child_take);
    }
    return rc;
}

/* The height of each switch above the nodes; -1 for a loop. */
static int levels_make(struct tier_making *m, uint32_t *levels)
{
    struct slurm_tree *t = m->tree;

    *levels = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        uint32_t level = 0;

        if (t->at_switch[i].children)
            continue;
        for (uint32_t w = i; w != NOWHERE; w = t->at_switch[w].parent) {
            if (level > t->count || level > TOPO_TIERS_MAX)
                return gs_fail(
                    m->err, GS_INPUT, slurm_mark(m->s, &t->at_switch[i].at),
                    "more than %d switches are above switch '%s', "
                    "or they form a loop",
                    TOPO_TIERS_MAX, slurm_str(m->s, t->at_switch[i].name));
            if (t->at_switch[w].level < level)
                t->at_switch[w].level = level;
            if (*levels < level + 1)
                *levels = level + 1;
            level++;
        }
    }
    for (uint32_t i = 0; i < t->count; i++) {
        if (t->at_switch[i].children && t->at_switch[i].level == 0)
            return gs_fail(m->err, GS_INPUT,
                           slurm_mark(m->s, &t->at_switch[i].at),
                           "switch '%s' is above itself",
                           slurm_str(m->s, t->at_switch[i].name));
    }
    return 0;
}

/* Is one switch above all nodes? */
static bool has_one_root(const struct tier_making *m, uint32_t level)
{
    const struct slurm_tree *t = m->tree;
    uint32_t root = NOWHERE;

    for (uint32_t n = 0; n < m->s->nodes; n++) {
        uint32_t w = m->leaf[n];

        if (w == NOWHERE && slurm_node_is_future(m->s, n))
            continue;
        if (w == NOWHERE)
            return false;
        while (t->at_switch[w].parent != NOWHERE)
            w = t->at_switch[w].parent;
        if ((root != NOWHERE && root != w) || t->at_switch[w].level != level)
            return false;
        root = w;
    }
    return true;
}

/* --- tiers ---------------------------------------------------------------- */

static int tier_add(struct slurm *s, struct topo *t, const char *name,
                    struct gs_err *err)
{
    return topo_add_tier(
        t, &(struct topo_tier){ .name = slurm_put_text(s, name) }, err);
}

static int tree_make(struct tier_making *m, struct topo *t,
                     struct slurm_tiers *out)
{
    struct slurm *s = m->s;
    const struct slurm_tree *tree = m->tree;
    uint32_t levels;

    if (levels_make(m, &levels) < 0)
        return -1;
    while (levels > 0 && has_one_root(m, levels - 1))
        levels--;
    out->count = levels;
    for (uint32_t i = 0; i < levels; i++) {
        char name[24] = "switch";

        if (levels - i > 1)
            (void)snprintf(name, sizeof(name), "switch%u", levels - i);
        if (tier_add(s, t, name, m->err) < 0)
            return -1;
    }
    out->path = gs_arena_alloc(s->arena, (size_t)s->nodes * levels + 1,
                               sizeof(*out->path));
    for (uint32_t n = 0; n < s->nodes; n++) {
        uint32_t w = m->leaf[n];

        for (uint32_t level = 0; level < levels; level++) {
            /* a tree of less height goes on above with its own root */
            while (w != NOWHERE && tree->at_switch[w].parent != NOWHERE
                   && tree->at_switch[tree->at_switch[w].parent].level <= level)
                w = tree->at_switch[w].parent;
            out->path[n * levels + levels - 1 - level] =
                w == NOWHERE ? slurm_put_text(s, "none")
                             : tree->at_switch[w].name;
        }
    }
    return 0;
}

/* Blocks that are part of an aggregated one of `size` nodes. */
static uint32_t blocks_in(const struct slurm_tree *t, int64_t size)
{
    return (uint32_t)(size / t->block_size[0]);
}

static int blocks_make(struct tier_making *m, struct topo *t,
                       struct slurm_tiers *out)
{
    struct slurm *s = m->s;
    struct slurm_tree *tree = m->tree;
    uint32_t sizes = 1;

    if (tree->block_sizes == 0)
        tree->block_size[tree->block_sizes++] = 1;
    for (uint32_t i = 1; i < tree->block_sizes; i++) {
        const int64_t size = tree->block_size[i], base = tree->block_size[0];

        if (size % base || size <= tree->block_size[i - 1]
            || ((size / base) & (size / base - 1)))
            return gs_fail(m->err, GS_INPUT, slurm_mark(s, &tree->at),
                           "a size of blocks is the first one times a power "
                           "of two, and they rise (got %lld)",
                           (long long)size);
        if (blocks_in(tree, size) < tree->count && sizes < TOPO_TIERS_MAX)
            sizes = i + 1;
    }
    out->count = sizes;
    for (uint32_t i = sizes; i-- > 0;) {
        char name[32] = "block";

        if (i)
            (void)snprintf(name, sizeof(name), "block%lld",
                           (long long)tree->block_size[i]);
        if (tier_add(s, t, name, m->err) < 0)
            return -1;
    }
    out->path = gs_arena_alloc(s->arena, (size_t)s->nodes * sizes + 1,
                               sizeof(*out->path));
    for (uint32_t n = 0; n < s->nodes; n++) {
        const uint32_t w = m->leaf[n];

        for (uint32_t i = 0; i < sizes; i++) {
            /* an aggregated block is named after its first */
            const uint32_t per = i ? blocks_in(tree, tree->block_size[i]) : 1;

            out->path[n * sizes + sizes - 1 - i] =
                w == NOWHERE ? slurm_put_text(s, "none")
                             : tree->at_switch[w - w % per].name;
        }
    }
    return 0;
}

/* The topology that holds for the cluster; NULL: it is flat. */
static struct slurm_tree *tree_used(struct slurm *s)
{
    const struct slurm_option *o = slurm_option_find(s, "TopologyPlugin");
    struct slurm_tree *t = s->trees ? &s->tree[0] : NULL;

    for (uint32_t i = s->trees; i-- > 0;) {
        if (s->tree[i].is_default)
            t = &s->tree[i];
    }
    if (s->trees > 1)
        slurm_tell(s, IMPORT_IGNORED, &t->at,
                   "topologies beside that of the cluster");
    if (t && t->name == 0 && o
        && (strcasecmp(o->value, "topology/none") == 0
            || strcasecmp(o->value, "topology/flat") == 0
            || strcasecmp(o->value, "topology/default") == 0))
        return NULL;
    if (t && t->name == 0 && !o && s->has_conf) {
        slurm_tell(s, IMPORT_LEFT, &t->at,
                   "topology.conf, as slurm.conf states no TopologyPlugin");
        return NULL;
    }
    if (!t || strcmp(t->kind, "flat") == 0)
        return NULL;
    if (strcmp(t->kind, "tree") != 0 && strcmp(t->kind, "block") != 0) {
        slurm_tell(s, IMPORT_IGNORED, &t->at, "topology of kind %s", t->kind);
        return NULL;
    }
    return t->count ? t : NULL;
}

void slurm_tree_use(struct slurm *s)
{
    assert(s);
    s->used_tree = tree_used(s);
}

int slurm_tiers_make(struct slurm *s, struct topo *t, struct slurm_tiers *out,
                     struct gs_err *err)
{
    struct tier_making m = { .s = s, .tree = s->used_tree, .err = err };
    int rc;

    *out = (struct slurm_tiers){ 0 };
    if (!m.tree)
        return 0;
    m.keys = gs_strtab_create();
    m.leaf = gs_array_new(s->nodes + 1, sizeof(*m.leaf));
    memset(m.leaf, 0xff, s->nodes * sizeof(*m.leaf));
    rc = links_make(&m);
    if (rc == 0)
        rc = strcmp(m.tree->kind, "block") == 0 ? blocks_make(&m, t, out)
                                                : tree_make(&m, t, out);
    gs_strtab_destroy(m.keys);
    gs_array_free(m.leaf);
    return rc;
}
