/* import/kubernetes/series/past_node.c - what series tell of nodes and quotas,
 * and the objects that these make.
 */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/quantity.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/made.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/past_objects.h"
#include "import/kubernetes/series/series_rows.h"
#include "import/source.h"

#define TAINTS_MAX 256 /* of a node */

/* --- nodes ---------------------------------------------------------------- */

static struct past_node *node_of(struct kube *k, const struct series *s)
{
    struct kube_series *all = k->series;
    const uint32_t name = kube_series_label(k, s, "node");
    uint32_t at = kube_index_get(&all->node_at, name);
    struct past_node *n;

    if (!name)
        return NULL;
    if (!at) {
        kube_index_put(&all->node_at, name, all->nodes);
        all->node = gs_array_grow(all->node, &all->node_cap, all->nodes + 1,
                                  sizeof(*all->node));
        all->node[all->nodes++] = (struct past_node){
            .name = name,
            .source = kube_put(k, s->o->source),
            .line = s->o->root->line,
            .created = KUBE_UNKNOWN,
            .first = s->samples.first,
            .last = s->samples.last,
        };
        at = all->nodes;
    }
    n = &all->node[at - 1];
    n->first = kube_series_earlier(n->first, s->samples.first);
    n->last = kube_series_later(n->last, s->samples.last);
    return n;
}

void past_node_take(struct kube *k, const struct series *s, const char *what)
{
    struct past_node *n = node_of(k, s);

    if (n && what)
        n->created = kube_series_earlier(n->created, kube_series_time(s));
}

static void amount_take(struct kube *k, const struct series *s,
                        const char *resource, struct kube_amounts *to)
{
    const uint32_t name = resource ? kube_put(k, resource)
                                   : kube_series_label(k, s, "resource");

    if (name)
        kube_amount_raise(k, to, name, s->samples.milli);
}

void past_node_take_amount(struct kube *k, const struct series *s,
                           const char *what)
{
    struct past_node *n = node_of(k, s);

    if (n)
        amount_take(k, s, what, &n->allocatable);
}

void past_node_take_capacity(struct kube *k, const struct series *s,
                             const char *what)
{
    struct past_node *n = node_of(k, s);

    if (n)
        amount_take(k, s, what, &n->capacity);
}

void past_node_take_labels(struct kube *k, const struct series *s,
                           const char *what)
{
    struct past_node *n = node_of(k, s);

    (void)what;
    if (n)
        kube_series_labels_add(k, &n->labels, s, "label_");
}

void past_node_take_taint(struct kube *k, const struct series *s,
                          const char *what)
{
    const struct past_taint x = { .key = kube_series_label(k, s, "key"),
                                  .value = kube_series_label(k, s, "value"),
                                  .effect = kube_series_label(k, s, "effect") };
    struct past_node *n = node_of(k, s);
    struct past_taint *at;
    uint32_t i;

    (void)what;
    if (!n || !x.key)
        return;
    for (i = 0; i < n->taints; i++) {
        at = &n->taint[i];
        if (at->key == x.key && at->value == x.value && at->effect == x.effect)
            break;
    }
    if (i == TAINTS_MAX)
        return;
    if (i == n->taints) {
        at = gs_arena_alloc(k->arena, n->taints + 1, sizeof(*at));
        if (n->taints)
            memcpy(at, n->taint, n->taints * sizeof(*at));
        n->taint = at;
        at[n->taints++] = x;
    }
    n->taint[i].samples += s->samples.on;
}

void past_node_take_cordon(struct kube *k, const struct series *s,
                           const char *what)
{
    struct past_node *n = node_of(k, s);

    (void)what;
    if (!n)
        return;
    n->samples += s->samples.count;
    n->cordoned += s->samples.on;
}

void past_node_take_condition(struct kube *k, const struct series *s,
                              const char *what)
{
    const char *condition = kube_text(s->labels, "condition");
    const char *status = kube_text(s->labels, "status");
    struct past_node *n = node_of(k, s);

    (void)what;
    if (!n || !condition || !status || strcmp(condition, "Ready") != 0)
        return;
    if (strcmp(status, "true") == 0)
        n->ready += s->samples.on;
    else
        n->unready += s->samples.on;
}

/* --- nodes as objects ----------------------------------------------------- */

static void taints_make(struct past_made *m, struct gs_ynode *spec,
                        const struct past_node *n)
{
    const uint64_t all = n->samples ? n->samples : n->ready + n->unready;
    struct gs_ynode *list = past_list(m, spec, "taints");

    for (uint32_t i = 0; i < n->taints; i++) {
        const struct past_taint *t = &n->taint[i];
        struct gs_ynode *taint;

        if (t->samples < all - t->samples && t->samples < all) {
            import_account_tell(m->k->account, IMPORT_ASSUMED, NULL, NULL,
                                "taints of nodes that they had for less than "
                                "half of the time are none");
            continue;
        }
        taint = past_item(m, list);
        past_text(m, taint, "key", t->key);
        past_text(m, taint, "value", t->value);
        past_text(m, taint, "effect", t->effect);
    }
}

static void node_make(struct past_made *m, const struct past_node *n)
{
    struct gs_ynode *root = past_begin(m, n->source, n->line);
    struct gs_ynode *meta = past_map(m, root, "metadata");
    struct gs_ynode *spec = past_map(m, root, "spec");
    struct gs_ynode *status = past_map(m, root, "status");

    past_text(m, meta, "name", n->name);
    past_labels_put(m, past_map(m, meta, "labels"), &n->labels);
    taints_make(m, spec, n);
    if (n->cordoned && n->cordoned >= n->samples - n->cordoned)
        past_word(m, spec, "unschedulable", "true");
    if (n->unready > n->ready) {
        struct gs_ynode *c = past_item(m, past_list(m, status, "conditions"));

        past_word(m, c, "type", "Ready");
        past_word(m, c, "status", "False");
    }
    past_amounts_put(m, past_map(m, status, "allocatable"),
                     n->allocatable.count ? &n->allocatable : &n->capacity);
    past_read(m, "v1", "Node", root, kube_node_read);
}

/* Nodes that are objects of the source are these. */
void past_nodes_make(struct kube *k)
{
    const struct kube_series *all = k->series;
    const struct kube_range *r = &all->of_nodes;
    struct past_order *order = gs_array_new(all->nodes, sizeof(*order));
    struct kube_index known = { 0 };
    struct past_made m;

    for (uint32_t i = 0; i < k->nodes->count; i++)
        kube_index_put(&known, k->nodes->at[i].name, i);
    for (uint32_t i = 0; i < all->nodes; i++)
        order[i] = (struct past_order){ .space = "",
                                        .name = kube_str(k, all->node[i].name),
                                        .uid = "",
                                        .at = i };
    past_order_sort(order, all->nodes);
    past_open(&m, k);
    for (uint32_t i = 0; i < all->nodes; i++) {
        const struct past_node *n = &all->node[order[i].at];
        const struct gs_ynode at = { .line = n->line, .column = 1 };

        if (kube_index_get(&known, n->name))
            continue;
        if (n->allocatable.count == 0 && n->capacity.count == 0) {
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, n->source),
                                &at,
                                "nodes of which no series of "
                                "kube_node_status_allocatable is there");
            continue;
        }
        if (r->step
            && (n->first > r->first + 2 * r->step
                || n->last < r->last - 2 * r->step))
            import_account_tell(k->account, IMPORT_ASSUMED,
                                kube_str(k, n->source), &at,
                                "nodes that were there for a part of the time "
                                "are there all the time");
        node_make(&m, n);
    }
    past_close(&m);
    gs_array_free(order);
    gs_array_free(known.at);
}

/* --- quotas --------------------------------------------------------------- */

/* Append an amount behind those of the same quota, which is called `full`. */
static void quota_add(struct kube *k, const char *full,
                      const struct past_quota *q)
{
    struct kube_series *all = k->series;
    const uint32_t name = kube_put(k, full);
    const uint32_t last = kube_index_get(&all->quota_last, name);

    all->quota = gs_array_grow(all->quota, &all->quota_cap, all->quotas + 1,
                               sizeof(*all->quota));
    all->quota[all->quotas] = *q;
    all->quota[all->quotas].is_later = last != 0;
    if (last)
        all->quota[last - 1].next = all->quotas + 1;
    kube_index_put(&all->quota_last, name, all->quotas++);
}

/* kube_resourcequota{resource="requests.cpu",type="hard"} */
void past_quota_take(struct kube *k, const struct series *s, const char *what)
{
    struct kube_series *all = k->series;
    const char *type = kube_text(s->labels, "type");
    struct past_quota q = {
        .space = kube_series_label(k, s, "namespace"),
        .name = kube_series_label(k, s, "resourcequota"),
        .resource = kube_series_label(k, s, "resource"),
        .milli = s->samples.milli,
        .at = s->samples.last,
    };
    uint32_t key, at;
    char full[600], text[920];

    (void)what;
    if (!type || strcmp(type, "hard") != 0 || !q.name || !q.resource)
        return;
    (void)snprintf(full, sizeof(full), "%.253s/%.253s", kube_str(k, q.space),
                   kube_str(k, q.name));
    (void)snprintf(text, sizeof(text), "%s/%.300s", full,
                   kube_str(k, q.resource));
    key = kube_put(k, text);
    at = kube_index_get(&all->quota_at, key);
    if (!at) {
        kube_index_put(&all->quota_at, key, all->quotas);
        quota_add(k, full, &q);
    } else if (all->quota[at - 1].at <= q.at) {
        all->quota[at - 1].milli = q.milli;
        all->quota[at - 1].at = q.at;
    }
}

void past_quotas_make(struct kube *k)
{
    const struct kube_series *all = k->series;
    struct past_made m;

    past_open(&m, k);
    for (uint32_t i = 0; i < all->quotas; i++) {
        struct gs_ynode *root, *meta, *hard;

        if (all->quota[i].is_later)
            continue;
        root = past_begin(&m, 0, 0);
        meta = past_map(&m, root, "metadata");
        hard = past_map(&m, past_map(&m, root, "spec"), "hard");
        past_text(&m, meta, "namespace", all->quota[i].space);
        past_text(&m, meta, "name", all->quota[i].name);
        for (uint32_t at = i + 1; at; at = all->quota[at - 1].next) {
            const struct past_quota *q = &all->quota[at - 1];
            char milli[32];

            past_word(&m, hard, kube_str(k, q->resource),
                      gs_quantity_format_milli(q->milli, milli, sizeof(milli)));
        }
        past_read(&m, "v1", "ResourceQuota", root, kube_quota_read);
    }
    past_close(&m);
}
