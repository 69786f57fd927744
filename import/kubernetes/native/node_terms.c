/* import/kubernetes/native/node_terms.c - node selectors and required node
 * affinity.
 */
#include "import/kubernetes/native/node_terms.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"

#define NAMES_MAX 16      /* nodes that are named; more have a label */
#define MARKS_MAX 512     /* labels "affinity-N" */
#define CONDITIONS_MAX 56 /* of a task; native files have room for 64 */
#define VALUES_MAX 200    /* likewise, 256 */

/* Pods whose conditions on nodes were looked up, by these. */
struct kube_terms {
    struct looked_up {
        const struct kube_template *of;
        struct topo_condition nodes;
    } * at;
    uint32_t count, cap;
    struct gs_hash index;
    uint32_t marks;
};

void kube_node_terms_free(struct kube_terms *t)
{
    if (!t)
        return;
    gs_array_free(t->at);
    gs_hash_free(&t->index);
    gs_array_free(t);
}

static void tell(struct kube *k, enum import_note note,
                 const struct kube_template *t, const char *text)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    import_account_tell(k->account, note, kube_str(k, t->source), &at, "%s",
                        text);
}

/* --- the same conditions again -------------------------------------------- */

static uint64_t mix(uint64_t h, const struct kube_conditions *c)
{
    h = gs_hash_mix(h, c->count);
    for (uint32_t i = 0; i < c->count; i++) {
        h = gs_hash_mix(h, c->at[i].key | (uint64_t)c->at[i].op << 32);
        h = gs_hash_mix(h, (uint64_t)c->at[i].number);
        for (uint32_t v = 0; v < c->at[i].value_count; v++)
            h = gs_hash_mix(h, c->at[i].value[v]);
    }
    return h;
}

struct sought {
    const struct kube_terms *all;
    const struct kube_template *t;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct kube_template *a = ((const struct sought *)of)->t;
    const struct kube_template *b = ((const struct sought *)of)->all->at[at].of;

    if (a->terms != b->terms || !kube_conditions_equal(&a->nodes, &b->nodes))
        return false;
    for (uint32_t i = 0; i < a->terms; i++) {
        if (!kube_conditions_equal(&a->term[i], &b->term[i]))
            return false;
    }
    return true;
}

/* --- nodes ---------------------------------------------------------------- */

static bool holds(const struct kube *k, const struct kube_template *t,
                  const struct kube_node *n)
{
    bool any = t->terms == 0;

    for (uint32_t i = 0; i < t->terms && !any; i++)
        any = kube_conditions_hold(k, &t->term[i], &n->fields);
    return any && kube_conditions_hold(k, &t->nodes, &n->fields);
}

static int by_id(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* node[0 .. count) by their names. */
static struct topo_condition named(struct kube *k, const uint32_t *node,
                                   uint32_t count)
{
    uint32_t *value = gs_arena_alloc(k->arena, count + 1, sizeof(*value));

    for (uint32_t i = 0; i < count; i++)
        value[i] = k->nodes->at[node[i]].name;
    if (count)
        qsort(value, count, sizeof(*value), by_id);
    else
        value[count++] = kube_put(k, "(no such node)");
    return (struct topo_condition){ .key = kube_put(k, "node"),
                                    .op = TOPO_IN,
                                    .value = value,
                                    .value_count = count };
}

/* ... by a label that they are given. */
static struct topo_condition marked(struct kube *k, const uint32_t *node,
                                    uint32_t count)
{
    char text[32];
    uint32_t key;

    (void)snprintf(text, sizeof(text), "affinity-%u", ++k->terms->marks);
    key = kube_put(k, text);
    for (uint32_t i = 0; i < count; i++) {
        struct kube_node *n = &k->nodes->at[node[i]];

        if (!n->mark)
            n->mark = gs_arena_alloc(k->arena, MARKS_MAX, sizeof(*n->mark));
        n->mark[n->marks++] = key;
    }
    return (struct topo_condition){ .key = key, .op = TOPO_EXISTS };
}

static struct topo_condition look_up(struct kube *k,
                                     const struct kube_template *t)
{
    const uint32_t nodes = k->nodes->count;
    uint32_t *node = gs_array_new(nodes, sizeof(*node)), count = 0;
    struct topo_condition one;

    for (uint32_t n = 0; n < nodes; n++) {
        if (holds(k, t, &k->nodes->at[n]))
            node[count++] = n;
    }
    if (count <= NAMES_MAX || (k->is_native && count <= VALUES_MAX)) {
        one = named(k, node, count);
    } else if (k->is_native) {
        one = named(k, node, VALUES_MAX);
        tell(k, IMPORT_LEFT, t,
             "nodes of affinities of several terms beyond 200: a native "
             "topology gets no labels");
    } else if (k->terms->marks < MARKS_MAX) {
        one = marked(k, node, count);
        tell(k, IMPORT_ASSUMED, t,
             "node affinity of several terms, or with many values, is a label "
             "'affinity-N' of the nodes that it selects now");
    } else {
        one = named(k, node, VALUES_MAX);
        tell(k, IMPORT_LEFT, t,
             "nodes of affinities of several terms beyond 512 of these");
    }
    gs_array_free(node);
    return one;
}

/* One condition for all of what the pods say of nodes. */
static struct kube_conditions looked_up(struct kube *k,
                                        const struct kube_template *t)
{
    struct kube_terms *all = k->terms;
    uint64_t hash = mix(t->terms, &t->nodes);
    struct kube_conditions c = { 0 };
    uint32_t at;

    if (!all)
        all = k->terms = gs_array_new(1, sizeof(*all));
    for (uint32_t i = 0; i < t->terms; i++)
        hash = mix(hash, &t->term[i]);
    at = gs_hash_find(&all->index, hash, is_same, &(struct sought){ all, t });
    if (at == GS_HASH_NONE) {
        at = all->count;
        all->at = gs_array_grow(all->at, &all->cap, at + 1, sizeof(*all->at));
        all->at[at] = (struct looked_up){ t, look_up(k, t) };
        all->count++;
        gs_hash_put(&all->index, hash, at);
    }
    kube_conditions_append(k, &c, &all->at[at].nodes, 1);
    return c;
}

/* A native topology calls the labels of tiers by the names of these. */
static void native_keys(const struct kube *k, struct kube_conditions *c)
{
    for (uint32_t i = 0; k->is_native && i < c->count; i++) {
        const uint32_t tier = kube_tier_of(k, c->at[i].key);

        c->at[i].key = tier ? tier : c->at[i].key;
    }
}

/* --- all of it ------------------------------------------------------------ */

static bool is_long(const struct kube_conditions *c)
{
    uint32_t values = 0;

    for (uint32_t i = 0; i < c->count; i++)
        values += c->at[i].value_count;
    return c->count > CONDITIONS_MAX || values > VALUES_MAX;
}

struct kube_conditions kube_node_terms(struct kube *k,
                                       const struct kube_template *t)
{
    const uint32_t field = kube_put(k, "metadata.name");
    struct kube_conditions c = { 0 };

    kube_conditions_append(k, &c, t->nodes.at, t->nodes.count);
    if (t->terms == 1)
        kube_conditions_append(k, &c, t->term[0].at, t->term[0].count);
    for (uint32_t i = 0; i < c.count; i++) {
        if (c.at[i].key == field)
            c.at[i].key = kube_put(k, "node");
    }
    native_keys(k, &c);
    if (t->terms <= 1 && !is_long(&c))
        return c;
    if (k->nodes->count)
        return looked_up(k, t);
    tell(
        k, IMPORT_LEFT, t,
        "node affinity of several terms, or with many values, without nodes in "
        "the source");
    c.count = t->terms <= 1 ? 0 : t->nodes.count;
    return c;
}
