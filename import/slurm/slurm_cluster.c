/* import/slurm/slurm_cluster.c - see slurm_cluster.h. */
#include "import/slurm/slurm_cluster.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/numbers.h"
#include "base/strtab.h"
#include "import/slurm/conf_nodes.h"
#include "import/slurm/slurm_state.h"
#include "import/slurm/slurm_values.h"
#include "import/slurm/switches.h"
#include "topology/topology.h"

#define LABELS_MAX 4096 /* of one node */

/* --- what is allocated ---------------------------------------------------- */

bool slurm_is_linear(const struct slurm *s)
{
    const struct slurm_option *o = slurm_option_find(s, "SelectType");

    return o && strcasecmp(o->value, "select/linear") == 0;
}

bool slurm_allocates_nodes(const struct slurm *s)
{
    for (uint32_t i = 0; i < s->partitions; i++) {
        if (s->partition[i].sharing == SLURM_WHOLE_NODES)
            return true;
    }
    for (uint32_t i = 0; i < s->jobs; i++) {
        if (s->job[i].is_exclusive)
            return true;
    }
    return slurm_is_linear(s);
}

bool slurm_allocates_memory(const struct slurm *s)
{
    static const char *const with[] = { "CR_Memory", "CR_CPU_Memory",
                                        "CR_Core_Memory", "CR_Socket_Memory" };
    const struct slurm_option *o = slurm_option_find(s, "SelectTypeParameters");
    bool yes = !o && s->has_conf && !slurm_is_linear(s);

    for (size_t i = 0; o && i < sizeof(with) / sizeof(with[0]); i++)
        yes = yes || slurm_list_has(o->value, with[i]);
    if (!s->has_conf)
        yes = true;
    for (uint32_t i = 0; yes && i < s->nodes; i++)
        yes = s->hardware[s->node[i].hardware].memory > 1;
    return yes;
}

int slurm_partitions_resolve(struct slurm *s, struct gs_err *err)
{
    for (uint32_t i = 0; i < s->partitions; i++) {
        struct slurm_partition *q = &s->partition[i];
        char what[160];

        if (!q->nodes || s->nodes == 0)
            continue;
        (void)snprintf(what, sizeof(what), "partition '%.100s'",
                       slurm_str(s, q->name));
        if (slurm_nodes_resolve(s, q->nodes, &q->nodes_at, what, &q->node,
                                &q->node_count, err)
            < 0)
            return -1;
        if (q->state && strcasecmp(q->state, "DRAIN") == 0)
            slurm_tell(
                s, IMPORT_ASSUMED, &q->at,
                "State=DRAIN of a partition: all jobs of the export were "
                "accepted");
    }
    return 0;
}

void slurm_cluster_resources(struct slurm *s)
{
    if (slurm_allocates_nodes(s)
        && topo_dims_put(s->dims, slurm_put_text(s, SLURM_NODE_RESOURCE)) < 0)
        slurm_tell(s, IMPORT_LEFT, NULL, "nodes that are allocated as a whole");
    for (uint32_t i = 0; i < s->hardwares; i++) {
        const struct slurm_hardware *h = &s->hardware[i];

        for (uint32_t k = 0; k < h->gres_count; k++) {
            const char *name = slurm_str(s, h->gres[k].name);

            if (strcasecmp(name, "gpu") != 0
                && topo_dims_put(s->dims, h->gres[k].name) < TOPO_DIMS_FIXED)
                slurm_tell(s, IMPORT_LEFT, &h->at,
                           "gres '%.40s': a cluster has at most %d resources",
                           name, TOPO_DIMS_MAX);
        }
    }
}

bool slurm_has_type(const struct slurm *s, uint32_t type)
{
    for (uint32_t i = 0; i < s->hardwares; i++) {
        for (uint32_t k = 0; k < s->hardware[i].gres_count; k++) {
            if (s->hardware[i].gres[k].type == type)
                return true;
        }
    }
    for (uint32_t i = 0; i < s->gres_records; i++) {
        if (s->gres_record[i].type == type)
            return true;
    }
    return false;
}

/* --- the order of nodes --------------------------------------------------- */

/* Names with numbers compared as numbers. */
static int natural(const char *a, const char *b)
{
    while (*a && *b) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            size_t m, n;
            int order;

            while (*a == '0' && isdigit((unsigned char)a[1]))
                a++;
            while (*b == '0' && isdigit((unsigned char)b[1]))
                b++;
            m = strspn(a, "0123456789");
            n = strspn(b, "0123456789");
            if (m != n)
                return m < n ? -1 : 1;
            order = strncmp(a, b, m);
            if (order)
                return order;
            a += m;
            b += n;
        } else if (*a != *b) {
            return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
        } else {
            a++;
            b++;
        }
    }
    return *a ? 1 : *b ? -1 : 0;
}

struct order {
    const char *name;
    uint32_t node;
};

static int by_name(const void *a, const void *b)
{
    const struct order *x = a, *y = b;
    const int order = natural(x->name, y->name);

    return order ? order : x->node < y->node ? -1 : x->node > y->node;
}

/* --- labels --------------------------------------------------------------- */

struct cluster_making {
    struct slurm *s;
    struct topo *t;
    struct slurm_tiers tiers;
    struct gs_numbers *in; /* [node] its partitions */
    const struct slurm_mark *mark;
    uint32_t marks;
    struct gs_strtab *types; /* hardware that has a name, and the names */
    uint32_t *type_name;
    uint32_t type_cap;
    uint32_t yes;             /* string id */
    bool has_weights;         /* nodes differ by Weight= */
    struct topo_label *label; /* of the node that is made */
    struct topo_model model[TOPO_MODELS_MAX];
};

static void label_put(struct cluster_making *m, struct topo_label *l,
                      uint32_t *n, const char *before, const char *name,
                      size_t len)
{
    char key[300];

    if (*n == LABELS_MAX || len > 250)
        return;
    (void)snprintf(key, sizeof(key), "%s%.*s", before, (int)len, name);
    l[(*n)++] = (struct topo_label){ slurm_put_text(m->s, key), m->yes };
}

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

static bool is_in(const struct cluster_making *m, uint32_t node,
                  const char *partitions)
{
    const struct gs_numbers *in = &m->in[node];

    for (uint32_t i = 0; i < in->count; i++) {
        if (slurm_list_has(partitions,
                           slurm_str(m->s, m->s->partition[in->at[i]].name)))
            return true;
    }
    return false;
}

/* As module node-choice reads it. */
static struct topo_label weight_label(struct slurm *s, uint32_t node)
{
    char number[24];

    (void)snprintf(number, sizeof(number), "%lld",
                   (long long)s->hardware[s->node[node].hardware].weight);
    return (struct topo_label){ slurm_put_text(s, "weight"),
                                slurm_put_text(s, number) };
}

static bool weights_differ(const struct slurm *s)
{
    for (uint32_t i = 1; i < s->hardwares; i++) {
        if (s->hardware[i].weight != s->hardware[0].weight)
            return true;
    }
    return false;
}

static uint32_t labels_make(struct cluster_making *m, uint32_t node,
                            struct topo_label *l)
{
    const struct slurm *s = m->s;
    const char *features = s->hardware[s->node[node].hardware].features;
    const char *p = features, *end = p ? p + strlen(p) : NULL, *part;
    uint32_t n = 0, kept = 0;
    size_t len;

    while (p && (part = slurm_part_next(&p, end, ',', &len)) != NULL)
        label_put(m, l, &n, SLURM_LABEL_FEATURE, part, len);
    for (uint32_t i = 0; i < m->in[node].count; i++) {
        const char *name = slurm_str(s, s->partition[m->in[node].at[i]].name);

        label_put(m, l, &n, SLURM_LABEL_PARTITION, name, strlen(name));
    }
    for (uint32_t i = 0; i < m->marks && n < LABELS_MAX; i++) {
        const struct slurm_mark *k = &m->mark[i];

        if ((!k->partition || is_in(m, node, k->partition))
            && (!k->features || slurm_features_match(features, k->features)))
            l[n++] = (struct topo_label){ k->label, m->yes };
    }
    if (m->has_weights && n < LABELS_MAX)
        l[n++] = weight_label(m->s, node);
    if (n)
        qsort(l, n, sizeof(*l), by_key);
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || l[i].key != l[kept - 1].key)
            l[kept++] = l[i];
    }
    return kept;
}

/* --- hardware ------------------------------------------------------------- */

/* Add GPUs of a type to the models of the node; those of no type (0) are of the
 * model "gpu".
 */
static void model_add(struct cluster_making *m, uint32_t *count, uint32_t type,
                      int64_t gpus, const struct slurm_place *at)
{
    uint32_t i = 0;

    while (i < *count && m->model[i].name != type)
        i++;
    if (i == TOPO_MODELS_MAX) {
        slurm_tell(m->s, IMPORT_ASSUMED, at,
                   "GPUs of a node of more than %d types: the others are of "
                   "the last",
                   TOPO_MODELS_MAX);
        i--;
    }
    if (i == *count)
        m->model[(*count)++] = (struct topo_model){ .name = type };
    m->model[i].gpus += (uint32_t)gpus;
}

/* The name of all models of a node, as topology.h says. */
static uint32_t models_name(struct cluster_making *m, uint32_t count)
{
    char name[512];
    size_t at = 0;

    for (uint32_t i = 0; i < count && at < sizeof(name); i++)
        at += (size_t)snprintf(name + at, sizeof(name) - at, "%s%.60s",
                               i ? "+" : "", slurm_str(m->s, m->model[i].name));
    return slurm_put_text(m->s, name);
}

static void gpus_take(struct cluster_making *m, const struct slurm_node *node,
                      const struct slurm_hardware *h, struct topo_class *c)
{
    /* types that only gres.conf states */
    const struct slurm_gres *types = node->gres_count ? node->gres : h->gres;
    const uint32_t entries = node->gres_count ? node->gres_count
                                              : h->gres_count;
    struct slurm *s = m->s;
    int64_t gpus = 0, left;
    uint32_t models = 0;
    bool has_types = false;

    for (uint32_t i = 0; i < h->gres_count; i++) {
        if (strcasecmp(slurm_str(s, h->gres[i].name), "gpu") == 0
            && h->gres[i].count > 0)
            gpus += h->gres[i].count < INT64_C(1) << 40 ? h->gres[i].count
                                                        : INT64_C(1) << 40;
    }
    if (gpus > TOPO_DEVICES_MAX) {
        slurm_tell(s, IMPORT_LEFT, &h->at, "GPUs of a node beyond 64");
        gpus = TOPO_DEVICES_MAX;
    }
    left = gpus;
    for (uint32_t i = 0; i < entries; i++) {
        const int64_t n = types[i].count < left ? types[i].count : left;

        if (strcasecmp(slurm_str(s, types[i].name), "gpu") != 0
            || !types[i].type || n <= 0)
            continue;
        has_types = true;
        model_add(m, &models, types[i].type, n, &h->at);
        left -= n;
    }
    if (has_types && left > 0)
        model_add(m, &models, slurm_put_text(s, "gpu"), left, &h->at);
    c->gpus = (uint32_t)gpus;
    c->capacity[TOPO_GPU] = gpus * TOPO_SHARE_ONE;
    c->model = models == 1 ? m->model[0].name
               : models    ? models_name(m, models)
                           : 0;
    c->models = m->model;
    c->model_count = models > 1 ? models : 0;
}

static void others_take(struct cluster_making *m,
                        const struct slurm_hardware *h, struct topo_class *c)
{
    struct slurm *s = m->s;

    for (uint32_t i = 0; i < h->gres_count; i++) {
        const struct slurm_gres *g = &h->gres[i];
        int dim;

        if (strcasecmp(slurm_str(s, g->name), "gpu") == 0)
            continue;
        dim = topo_dims_find(s->dims, g->name);
        if (dim >= TOPO_DIMS_FIXED && g->count < INT64_C(1) << 40)
            c->capacity[dim] += g->count * 1000;
    }
}

/* A name of the type that no other hardware has. */
static uint32_t type_of(struct cluster_making *m, const struct topo_class *c)
{
    const char *base = c->model  ? slurm_str(m->s, c->model)
                       : c->gpus ? "gpu"
                                 : "cpu";
    char key[1024], name[300];
    size_t at = (size_t)snprintf(key, sizeof(key), "%u", c->model);
    const uint32_t before = gs_strtab_count(m->types);
    uint32_t id;

    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        at += (size_t)snprintf(key + at, sizeof(key) - at, " %" PRId64,
                               c->capacity[d]);
    for (uint32_t i = 0; i < c->model_count; i++)
        at += (size_t)snprintf(key + at, sizeof(key) - at, " %u*%u",
                               c->models[i].name, c->models[i].gpus);
    assert(at < sizeof(key));
    id = gs_strtab_put(m->types, key, at);
    m->type_name = gs_array_grow(m->type_name, &m->type_cap, id + 1,
                                 sizeof(*m->type_name));
    if (id != before)
        return m->type_name[id];
    (void)snprintf(name, sizeof(name), "%.250s", base);
    for (uint32_t again = 2;; again++) {
        (void)snprintf(key, sizeof(key), "name %s", name);
        if (gs_strtab_find(m->types, key, strlen(key)) == GS_STRTAB_NONE)
            break;
        (void)snprintf(name, sizeof(name), "%.250s-%u", base, again);
    }
    (void)gs_strtab_put(m->types, key, strlen(key));
    return m->type_name[id] = slurm_put_text(m->s, name);
}

static int64_t above_zero(int64_t v)
{
    return v > 0 ? v : 0;
}

static int node_add(struct cluster_making *m, uint32_t i, int whole,
                    struct gs_err *err)
{
    struct slurm *s = m->s;
    const struct slurm_node *node = &s->node[i];
    const struct slurm_hardware *h = &s->hardware[node->hardware];
    struct topo_taint taint;
    struct topo_class c = { 0 };

    c.capacity[TOPO_CPU] = above_zero(h->cpus - h->cpus_kept) * 1000;
    c.capacity[TOPO_MEMORY] = above_zero(h->memory - h->memory_kept) << 20;
    c.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
    if (h->memory <= 1)
        c.capacity[TOPO_MEMORY] = 0;
    if (whole >= 0)
        c.capacity[whole] = 1000;
    others_take(m, h, &c);
    gpus_take(m, node, h, &c);
    c.label_count = labels_make(m, i, m->label);
    c.label = m->label;
    if (node->state) {
        taint = (struct topo_taint){ slurm_put_text(s, "state"),
                                     slurm_put_text(s, node->state),
                                     TOPO_NO_SCHEDULE };
        c.taint = &taint;
        c.taint_count = 1;
        slurm_tell(s, IMPORT_ASSUMED, &h->at,
                   "nodes that are %.30s take no jobs", node->state);
    }
    c.type = type_of(m, &c);
    return topo_add_node(
        m->t, node->name, topo_add_class(m->t, &c),
        m->tiers.count ? m->tiers.path + i * m->tiers.count : NULL, err);
}

static void partitions_of(struct cluster_making *m)
{
    struct slurm *s = m->s;

    for (uint32_t i = 0; i < s->partitions; i++) {
        for (uint32_t k = 0; k < s->partition[i].node_count; k++)
            gs_numbers_add(&m->in[s->partition[i].node[k]], i);
    }
}

int slurm_cluster_make(struct slurm *s, const struct slurm_mark *mark,
                       uint32_t marks, struct topo *t, struct gs_err *err)
{
    struct gs_err none = { 0 };
    struct cluster_making m = { .s = s, .t = t, .mark = mark, .marks = marks };
    struct order *order = gs_array_new(s->nodes + 1, sizeof(*order));
    const struct slurm_option *name = slurm_option_find(s, "ClusterName");
    const int whole = slurm_allocates_nodes(s) ? topo_dims_find(
                          s->dims, slurm_put_text(s, SLURM_NODE_RESOURCE))
                                               : -1;
    int rc;

    assert(s && t);
    m.in = gs_array_new(s->nodes + 1, sizeof(*m.in));
    m.types = gs_strtab_create();
    m.label = gs_array_new(LABELS_MAX, sizeof(*m.label));
    m.yes = slurm_put_text(s, SLURM_LABEL_VALUE);
    m.has_weights = weights_differ(s);
    if (name)
        t->cluster = slurm_put_text(s, name->value);
    for (uint32_t i = 0; i < s->nodes; i++)
        order[i] = (struct order){ slurm_str(s, s->node[i].name), i };
    if (s->nodes)
        qsort(order, s->nodes, sizeof(*order), by_name);
    rc = slurm_tiers_make(s, t, &m.tiers, err);
    partitions_of(&m);
    for (uint32_t i = 0; rc == 0 && i < s->nodes; i++) {
        const struct slurm_node *n = &s->node[order[i].node];

        if (slurm_node_is_future(s, order[i].node))
            slurm_tell(s, IMPORT_LEFT, &s->hardware[n->hardware].at,
                       "nodes that are FUTURE");
        else
            rc = node_add(&m, order[i].node, whole, err);
    }
    for (uint32_t i = 0; i < s->nodes; i++)
        gs_array_free(m.in[i].at);
    gs_array_free(m.in);
    gs_array_free(m.type_name);
    gs_array_free(m.label);
    gs_array_free(order);
    gs_strtab_destroy(m.types);
    if (topo_finish(t, rc < 0 ? &none : err) < 0) /* frees what it is made by */
        return -1;
    return rc;
}
