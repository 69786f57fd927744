/* topology/tree.c - construction and queries of a topology, see topology.h.
 *
 * During construction the domains form a trie by name; topo_finish walks it
 * depth first, so the nodes of a domain get consecutive numbers.
 */
#include "topology/topology.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/strtab.h"

#define NONE UINT32_MAX

const char *const topo_fabric_names[TOPO_FABRICS] = {
    [TOPO_NVLINK] = "nvlink",
    [TOPO_PCIE] = "pcie",
    [TOPO_RDMA_FABRIC] = "rdma",
    [TOPO_TCP] = "tcp",
};

struct build_domain {
    uint32_t name, parent, level;
    uint32_t first_child, last_child, next; /* by first appearance */
    uint32_t first_node, last_node;         /* in order of addition */
};

struct build_node {
    uint32_t name, klass, next;
};

struct topo_build {
    struct build_domain *domain;
    struct build_node *node;
    struct topo_class *klass;
    uint32_t domain_count, domain_cap, node_count, node_cap;
    uint32_t class_count, class_cap;
    uint32_t *seen; /* bitmap of string ids that name nodes */
    uint32_t seen_cap;
    struct gs_hash domains, classes; /* by (parent, name); by same_class */
};

static uint32_t domain_make(struct topo_build *b, uint32_t name,
                            uint32_t parent, uint32_t level)
{
    b->domain = gs_array_grow(b->domain, &b->domain_cap, b->domain_count + 1,
                              sizeof(*b->domain));
    b->domain[b->domain_count] = (struct build_domain){ name, parent, level,
                                                        NONE, NONE,   NONE,
                                                        NONE, NONE };
    return b->domain_count++;
}

struct topo *topo_create(struct gs_arena *arena, struct gs_strtab *names,
                         struct topo_dims *dims)
{
    struct topo *t = gs_arena_alloc(arena, 1, sizeof(*t));

    assert(arena && names && dims && dims->count <= TOPO_DIMS_MAX);
    t->arena = arena;
    t->names = names;
    t->dims = dims;
    t->cluster = gs_strtab_put(names, "cluster", 7);
    t->node_tier.name = gs_strtab_put(names, "node", 4);
    t->build = gs_array_new(1, sizeof(*t->build));
    (void)domain_make(t->build, t->cluster, 0, 0); /* domain 0 */
    return t;
}

struct topo *topo_create_like(const struct topo *t, struct gs_arena *arena)
{
    struct topo *to = topo_create(arena, t->names, t->dims);

    to->cluster = t->cluster;
    to->node_tier = t->node_tier;
    to->tier_count = t->tier_count;
    memcpy(to->tier, t->tier, sizeof(to->tier));
    return to;
}

static void build_free(struct topo *t)
{
    struct topo_build *b = t->build;

    assert(b);
    gs_array_free(b->domain);
    gs_array_free(b->node);
    gs_array_free(b->klass);
    gs_array_free(b->seen);
    gs_hash_free(&b->domains);
    gs_hash_free(&b->classes);
    gs_array_free(b);
    t->build = NULL;
}

int topo_add_tier(struct topo *t, const struct topo_tier *tier,
                  struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    assert(t->build && t->build->node_count == 0);
    assert(tier->bandwidth >= 0 && tier->latency >= 0);
    if (t->tier_count == TOPO_TIERS_MAX)
        return gs_fail(err, GS_LIMIT, nowhere,
                       "at most %d tiers may stand above the node",
                       TOPO_TIERS_MAX);
    t->tier[t->tier_count++] = *tier;
    return 0;
}

/* --- classes -------------------------------------------------------------- */

static bool same_models(const struct topo_class *a, const struct topo_class *b)
{
    for (uint32_t i = 0; i < a->model_count && i < b->model_count; i++) {
        if (a->models[i].name != b->models[i].name
            || a->models[i].gpus != b->models[i].gpus)
            return false;
    }
    return a->model_count == b->model_count;
}

static bool same_class(const struct topo_class *a, const struct topo_class *b)
{
    return a->type == b->type && a->model == b->model && a->gpus == b->gpus
           && a->numa == b->numa && a->gpu_memory == b->gpu_memory
           && a->gpu_tasks == b->gpu_tasks && a->mig == b->mig
           && a->mig_only == b->mig_only && a->mig_delay == b->mig_delay
           && a->label_count == b->label_count
           && a->taint_count == b->taint_count
           && a->speed_count == b->speed_count && same_models(a, b)
           && gs_array_same(a->load, b->load, TOPO_LOADS, sizeof(*a->load))
           && gs_array_same(a->capacity, b->capacity, TOPO_DIMS_MAX,
                            sizeof(*a->capacity))
           && gs_array_same(a->label, b->label, a->label_count,
                            sizeof(*a->label))
           && gs_array_same(a->taint, b->taint, a->taint_count,
                            sizeof(*a->taint))
           && gs_array_same(a->speed, b->speed, a->speed_count,
                            sizeof(*a->speed));
}

static uint64_t class_hash(const struct topo_class *c)
{
    uint64_t h = gs_hash_mix(c->type, (uint64_t)c->model << 32 | c->gpus);

    h = gs_hash_mix(gs_hash_mix(h, c->numa | (uint64_t)c->mig_only << 32
                                       | (uint64_t)c->gpu_tasks << 40),
                    (uint64_t)c->gpu_memory);
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        h = gs_hash_mix(h, (uint64_t)c->capacity[d]);
    h = gs_hash_mix(h,
                    (uint64_t)c->load[TOPO_CPU] << 32 | c->load[TOPO_MEMORY]);
    for (uint32_t i = 0; i < c->label_count; i++)
        h = gs_hash_mix(h, (uint64_t)c->label[i].key << 32 | c->label[i].value);
    for (uint32_t i = 0; i < c->taint_count; i++)
        h = gs_hash_mix(h, (uint64_t)c->taint[i].key << 32 | c->taint[i].value);
    return h;
}

struct sought_class {
    const struct topo_build *b;
    const struct topo_class *c;
};

static bool is_class(const void *of, uint32_t at)
{
    const struct sought_class *k = of;

    return same_class(&k->b->klass[at], k->c);
}

uint32_t topo_add_class(struct topo *t, const struct topo_class *c)
{
    struct topo_build *b = t->build;
    const struct sought_class sought = { b, c };
    const uint64_t hash = class_hash(c);
    const uint32_t i = gs_hash_find(&b->classes, hash, is_class, &sought);
    struct topo_class *k;

    assert(b && c->gpus <= TOPO_DEVICES_MAX);
    assert(c->capacity[TOPO_GPU] == (int64_t)c->gpus * TOPO_SHARE_ONE);
    assert(!c->mig || c->gpus > 0);
    assert(c->model_count <= TOPO_MODELS_MAX);
    if (i != GS_HASH_NONE)
        return i;
    gs_hash_put(&b->classes, hash, b->class_count);
    b->klass = gs_array_grow(b->klass, &b->class_cap, b->class_count + 1,
                             sizeof(*b->klass));
    k = &b->klass[b->class_count];
    *k = *c;
    k->label = gs_arena_memdup(t->arena, c->label,
                               c->label_count * sizeof(*c->label));
    k->taint = gs_arena_memdup(t->arena, c->taint,
                               c->taint_count * sizeof(*c->taint));
    k->models = gs_arena_memdup(t->arena, c->models,
                                c->model_count * sizeof(*c->models));
    k->speed = gs_arena_memdup(t->arena, c->speed,
                               c->speed_count * sizeof(*c->speed));
    return b->class_count++;
}

uint32_t topo_class_speed(const struct topo_class *k, const uint32_t *label,
                          uint32_t count)
{
    uint32_t milli = 1000;

    assert(k && (label || count == 0));
    for (uint32_t i = 0; i < k->speed_count; i++) {
        if (k->speed[i].label == 0)
            milli = k->speed[i].milli;
        for (uint32_t l = 0; l < count; l++) {
            if (label[l] == k->speed[i].label)
                return k->speed[i].milli;
        }
    }
    return milli;
}

/* --- nodes ---------------------------------------------------------------- */

struct sought_domain {
    const struct topo_build *b;
    uint32_t parent, name;
};

static bool is_domain(const void *of, uint32_t at)
{
    const struct sought_domain *k = of;

    return k->b->domain[at].parent == k->parent
           && k->b->domain[at].name == k->name;
}

/* The domain `name` below `parent`, created when new. */
static uint32_t domain_put(struct topo_build *b, uint32_t parent, uint32_t name)
{
    const struct sought_domain k = { b, parent, name };
    const uint64_t hash = gs_hash_mix(parent, name);
    uint32_t d = gs_hash_find(&b->domains, hash, is_domain, &k);
    struct build_domain *p;

    assert(parent < b->domain_count);
    if (d != GS_HASH_NONE)
        return d;
    d = domain_make(b, name, parent, b->domain[parent].level + 1);
    gs_hash_put(&b->domains, hash, d);
    p = &b->domain[parent];
    if (p->last_child == NONE)
        p->first_child = d;
    else
        b->domain[p->last_child].next = d;
    p->last_child = d;
    return d;
}

static bool name_seen(struct topo_build *b, uint32_t name)
{
    const uint32_t bit = UINT32_C(1) << name % 32;
    bool seen;

    b->seen = gs_array_grow(b->seen, &b->seen_cap, name / 32 + 1,
                            sizeof(*b->seen));
    seen = b->seen[name / 32] & bit;
    b->seen[name / 32] |= bit;
    return seen;
}

int topo_add_node(struct topo *t, uint32_t name, uint32_t klass,
                  const uint32_t *path, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    struct topo_build *b = t->build;
    struct build_domain *last;
    uint32_t d = 0;

    assert(b && klass < b->class_count);
    assert(path || t->tier_count == 0);
    if (b->node_count == TOPO_NODES_MAX)
        return gs_fail(err, GS_LIMIT, nowhere, "more than %u nodes",
                       TOPO_NODES_MAX);
    if (name_seen(b, name))
        return gs_fail(err, GS_INPUT, nowhere, "two nodes are called '%s'",
                       gs_strtab_str(t->names, name));
    for (uint32_t i = 0; i < t->tier_count; i++)
        d = domain_put(b, d, path[i]);
    b->node = gs_array_grow(b->node, &b->node_cap, b->node_count + 1,
                            sizeof(*b->node));
    b->node[b->node_count] = (struct build_node){ name, klass, NONE };
    last = &b->domain[d];
    if (last->last_node == NONE)
        last->first_node = b->node_count;
    else
        b->node[last->last_node].next = b->node_count;
    last->last_node = b->node_count++;
    return 0;
}

int topo_add_beside(struct topo *to, uint32_t name, uint32_t klass,
                    const struct topo *t, uint32_t beside, struct gs_err *err)
{
    uint32_t path[TOPO_TIERS_MAX] = { 0 };

    assert(to->tier_count == t->tier_count);
    for (uint32_t l = 0; l < t->tier_count; l++)
        path[l] = t->domain[topo_domain_of(t, beside, l + 1)].name;
    return topo_add_node(to, name, klass, path, err);
}

/* --- finishing ------------------------------------------------------------ */

static void nodes_number(struct topo *t, uint32_t from, uint32_t domain)
{
    const struct topo_build *b = t->build;

    assert(domain < t->domain_count);
    for (uint32_t n = b->domain[from].first_node; n != NONE;
         n = b->node[n].next) {
        t->node_name[t->node_count] = b->node[n].name;
        t->node_class[t->node_count] = b->node[n].klass;
        t->node_domain[t->node_count] = domain;
        t->gpu_count += t->klass[b->node[n].klass].gpus;
        t->node_count++;
    }
}

/* Number domain `from` of the build and all below it; at most
 * TOPO_TIERS_MAX deep.
 */
static void domain_number(struct topo *t, uint32_t from, uint32_t parent)
{
    const struct build_domain *b = &t->build->domain[from];
    const uint32_t d = t->domain_count++;

    assert(b->level <= TOPO_TIERS_MAX);
    assert(d == 0 || parent < d);
    t->domain[d] = (struct topo_domain){ .name = b->name,
                                         .parent = parent,
                                         .level = b->level,
                                         .first_node = t->node_count };
    nodes_number(t, from, d);
    for (uint32_t c = b->first_child; c != NONE; c = t->build->domain[c].next)
        domain_number(t, c, d);
    t->domain[d].node_count = t->node_count - t->domain[d].first_node;
}

/* Sums over all nodes must stay within 64 bits. */
static int sums_check(const struct topo *t, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };

    for (uint32_t d = 0; d < t->dims->count; d++) {
        int64_t sum = 0;

        for (uint32_t n = 0; n < t->node_count; n++) {
            const int64_t more = t->klass[t->node_class[n]].capacity[d];

            if (more > TOPO_SUM_MAX - sum)
                return gs_fail(err, GS_LIMIT, nowhere,
                               "the nodes' '%s' adds up to more than 2^60",
                               gs_strtab_str(t->names, t->dims->name[d]));
            sum += more;
        }
    }
    return 0;
}

int topo_finish(struct topo *t, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const struct topo_build *b = t->build;
    const uint32_t nodes = b->node_count;

    assert(t->build); /* finished only once */
    assert(t->node_count == 0 && t->domain_count == 0);
    if (nodes == 0)
        gs_fail(err, GS_INPUT, nowhere, "the topology has no nodes");
    t->class_count = b->class_count;
    t->klass = gs_arena_memdup(t->arena, b->klass,
                               b->class_count * sizeof(*t->klass));
    t->domain = gs_arena_alloc(t->arena, b->domain_count, sizeof(*t->domain));
    t->node_name = gs_arena_alloc(t->arena, nodes, sizeof(*t->node_name));
    t->node_class = gs_arena_alloc(t->arena, nodes, sizeof(*t->node_class));
    t->node_domain = gs_arena_alloc(t->arena, nodes, sizeof(*t->node_domain));
    domain_number(t, 0, 0);
    t->domain[0].name = t->cluster;
    assert(t->node_count == nodes && t->domain_count == b->domain_count);
    build_free(t);
    if (nodes == 0 || topo_models_finish(t, err) < 0)
        return -1;
    return sums_check(t, err);
}

/* --- asking --------------------------------------------------------------- */

uint32_t topo_domain_of(const struct topo *t, uint32_t node, uint32_t level)
{
    uint32_t d = t->node_domain[node];

    assert(node < t->node_count && level <= t->tier_count);
    while (t->domain[d].level > level)
        d = t->domain[d].parent;
    return d;
}

int topo_level_find(const struct topo *t, uint32_t name)
{
    for (uint32_t i = 0; i < t->tier_count; i++) {
        if (t->tier[i].name == name)
            return (int)i + 1;
    }
    return name == t->node_tier.name ? (int)t->tier_count + 1 : -1;
}

const char *topo_level_name(const struct topo *t, uint32_t level)
{
    assert(level <= t->tier_count + 1);
    if (level == 0)
        return "cluster";
    return gs_strtab_str(t->names, level <= t->tier_count
                                       ? t->tier[level - 1].name
                                       : t->node_tier.name);
}

uint32_t topo_level_between(const struct topo *t, uint32_t a, uint32_t b)
{
    uint32_t level = t->tier_count;

    assert(a < t->node_count && b < t->node_count);
    if (a == b)
        return t->tier_count + 1;
    while (level && topo_domain_of(t, a, level) != topo_domain_of(t, b, level))
        level--;
    return level;
}
