/* topology/labels.c - classes by the labels that requests ask for. */
#include "topology/labels.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "topology/topology.h"

#define NONE UINT32_MAX

/* A key that conditions name. */
struct key_use {
    uint32_t key;   /* string id */
    int level;      /* level of the tier of this name; -1: none */
    bool is_number; /* compared by Gt or Lt: every value is distinguished */
};

struct topo_label_use {
    struct key_use *key;
    uint32_t count;
    uint32_t tiers;  /* number of keys that are tiers */
    uint64_t *named; /* index of the key << 32 | value, ascending */
    uint32_t named_count;
};

/* --- what requests ask for ------------------------------------------------ */

struct collected {
    struct key_use *key;
    uint32_t count, cap;
    uint64_t *named;
    uint32_t named_count, named_cap;
    uint32_t *at; /* [string id] index in key[] + 1 */
    uint32_t at_cap;
};

static uint32_t key_put(struct collected *c, const struct topo *t, uint32_t key)
{
    c->at = gs_array_grow(c->at, &c->at_cap, key + 1, sizeof(*c->at));
    if (c->at[key])
        return c->at[key] - 1;
    c->key = gs_array_grow(c->key, &c->cap, c->count + 1, sizeof(*c->key));
    c->key[c->count] = (struct key_use){ .key = key,
                                         .level = topo_level_find(t, key) };
    c->at[key] = ++c->count;
    return c->count - 1;
}

static void condition_add(struct collected *c, const struct topo *t,
                          const struct topo_condition *cond)
{
    const uint32_t k = key_put(c, t, cond->key);

    c->key[k].is_number |= cond->op == TOPO_GT || cond->op == TOPO_LT;
    c->named = gs_array_grow(c->named, &c->named_cap,
                             c->named_count + cond->value_count,
                             sizeof(*c->named));
    for (uint32_t i = 0; i < cond->value_count; i++)
        c->named[c->named_count++] = (uint64_t)k << 32 | cond->value[i];
}

static void preference_add(struct collected *c, const struct topo *t,
                           const struct topo_preference *p)
{
    for (uint32_t i = 0; i < p->condition_count; i++)
        condition_add(c, t, &p->condition[i]);
}

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

const struct topo_label_use *topo_label_use(const struct topo *t,
                                            const struct topo_request *r,
                                            uint32_t count,
                                            struct gs_arena *arena)
{
    struct topo_label_use *use = gs_arena_alloc(arena, 1, sizeof(*use));
    struct collected c = { .count = 0 };

    assert(t && arena && (r || count == 0));
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < r[i].selector_count; k++)
            condition_add(&c, t, &r[i].selector[k]);
        for (uint32_t k = 0; k < r[i].preference_count; k++)
            preference_add(&c, t, &r[i].preference[k]);
    }
    if (c.named_count)
        qsort(c.named, c.named_count, sizeof(*c.named), by_number);
    use->count = c.count;
    use->key = gs_arena_memdup(arena, c.key, c.count * sizeof(*c.key));
    use->named_count = c.named_count;
    use->named = gs_arena_memdup(arena, c.named,
                                 c.named_count * sizeof(*c.named));
    for (uint32_t k = 0; k < c.count; k++)
        use->tiers += c.key[k].level >= 0;
    gs_array_free(c.key);
    gs_array_free(c.named);
    gs_array_free(c.at);
    return use;
}

/* --- labels of nodes ------------------------------------------------------ */

/* A topology being built, and its new labels. */
struct relabelling {
    const struct topo *from;
    struct topo *to;
    const struct topo_label_use *use;
    uint32_t *others;         /* [key] the common value of all values that no
                         condition names; NONE */
    struct topo_label *label; /* room for the labels of one node */
    uint32_t count;
};

/* The value that replaces `value` of the k-th key: values that no condition
 * names are all equal.
 */
static uint32_t value_for(struct relabelling *r, uint32_t k, uint32_t value)
{
    const struct topo_label_use *use = r->use;
    const uint64_t one = (uint64_t)k << 32 | value;

    if (use->key[k].is_number
        || (use->named_count
            && bsearch(&one, use->named, use->named_count, sizeof(one),
                       by_number)))
        return value;
    if (r->others[k] == NONE)
        r->others[k] = value;
    return r->others[k];
}

static const struct topo_label *stated(const struct topo_class *k, uint32_t key)
{
    for (uint32_t i = 0; i < k->label_count; i++) {
        if (k->label[i].key == key)
            return &k->label[i];
    }
    return NULL;
}

/* The name of the node's domain at a level. */
static uint32_t domain_name(const struct topo *t, uint32_t node, int level)
{
    return (uint32_t)level > t->tier_count
               ? t->node_name[node]
               : t->domain[topo_domain_of(t, node, (uint32_t)level)].name;
}

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* The new class of a node of class `klass`; NONE: of such a class without its
 * tiers.
 */
static uint32_t class_for(struct relabelling *r, uint32_t klass, uint32_t node)
{
    struct topo_class k = r->from->klass[klass];

    r->count = 0;
    for (uint32_t i = 0; i < r->use->count; i++) {
        const struct key_use *u = &r->use->key[i];
        const struct topo_label *l = stated(&k, u->key);

        if (l || (u->level >= 0 && node != NONE))
            r->label[r->count++] = (struct topo_label){
                u->key,
                value_for(r, i,
                          l ? l->value : domain_name(r->from, node, u->level))
            };
    }
    if (r->count)
        qsort(r->label, r->count, sizeof(*r->label), by_key);
    k.label = r->label;
    k.label_count = r->count;
    return topo_add_class(r->to, &k);
}

/* --- the topology --------------------------------------------------------- */

/* Nodes in order of their classes; first[class] .. first[class + 1]. */
static uint32_t *nodes_by_class(const struct topo *t, uint32_t *first)
{
    uint32_t *node = gs_array_new(t->node_count, sizeof(*node));

    for (uint32_t n = 0; n < t->node_count; n++)
        first[t->node_class[n] + 1]++;
    for (uint32_t k = 0; k < t->class_count; k++)
        first[k + 1] += first[k];
    for (uint32_t n = 0; n < t->node_count; n++)
        node[first[t->node_class[n]]++] = n;
    for (uint32_t k = t->class_count; k > 0; k--)
        first[k] = first[k - 1];
    first[0] = 0;
    return node;
}

/* klass[node] of the new topology, in the order of the classes of the old. */
static void classes_make(struct relabelling *r, uint32_t *klass)
{
    const struct topo *t = r->from;
    uint32_t *first = gs_array_new(t->class_count + 1, sizeof(*first));
    uint32_t *node = nodes_by_class(t, first);

    for (uint32_t k = 0; k < t->class_count; k++) {
        const bool apart = r->use->tiers && first[k] < first[k + 1];
        uint32_t one = apart ? NONE : class_for(r, k, NONE);

        for (uint32_t i = first[k]; i < first[k + 1]; i++)
            klass[node[i]] = apart ? class_for(r, k, node[i]) : one;
    }
    gs_array_free(node);
    gs_array_free(first);
}

/* Add all nodes; cannot fail, since they were in a topology before. */
static void nodes_add(struct relabelling *r, const uint32_t *klass)
{
    const struct topo *t = r->from;
    int rc = 0;

    for (uint32_t n = 0; n < t->node_count; n++)
        rc |= topo_add_beside(r->to, t->node_name[n], klass[n], t, n, NULL);
    rc |= topo_finish(r->to, NULL);
    assert(rc == 0);
    (void)rc;
}

static bool has_labels(const struct topo *t)
{
    for (uint32_t k = 0; k < t->class_count; k++) {
        if (t->klass[k].label_count)
            return true;
    }
    return false;
}

const struct topo *topo_relabel(const struct topo *t,
                                const struct topo_label_use *use,
                                struct gs_arena *arena)
{
    struct relabelling r = { .from = t->stated ? t->stated : t, .use = use };
    uint32_t *klass;

    assert(t && use && arena);
    if (use->tiers == 0 && !has_labels(r.from) && !topo_models_are_new(r.from))
        return r.from;
    r.to = topo_create_like(r.from, arena);
    r.label = gs_array_new(use->count + 1, sizeof(*r.label));
    r.others = gs_array_new(use->count + 1, sizeof(*r.others));
    memset(r.others, 0xff, use->count * sizeof(*r.others));
    klass = gs_array_new(r.from->node_count, sizeof(*klass));
    classes_make(&r, klass);
    nodes_add(&r, klass);
    gs_array_free(klass);
    gs_array_free(r.others);
    gs_array_free(r.label);
    r.to->stated = r.from;
    r.to->use = use;
    topo_labels_index(r.to);
    return r.to;
}
