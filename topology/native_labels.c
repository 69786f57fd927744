/* topology/native_labels.c - labels and taints of a native topology file. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strtab.h"
#include "base/text.h"
#include "topology/native_private.h"

#define LABELS_MAX 1024u
#define TAINTS_MAX 64u

int topo_read_key(const struct gs_yctx *c, const struct gs_ynode *key,
                  uint32_t *name, struct gs_err *err)
{
    const struct topo_loading *l = c->user;

    if (key->len == 0 || !gs_text_is_clean(key->text, key->len))
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, key),
                       "a name must be a text without control characters (got "
                       "'%.60s')",
                       key->text);
    *name = gs_strtab_put(l->topo->names, key->text, key->len);
    return 0;
}

static int by_key(const void *a, const void *b)
{
    const struct topo_label *x = a, *y = b;

    return (x->key > y->key) - (x->key < y->key);
}

/* Add a label to the class, or replace its value.  `label` has room for all. */
static int label_put(const struct gs_yctx *c, const struct gs_ynode *at,
                     struct topo_label *label, uint32_t *n, uint32_t key,
                     uint32_t value, struct gs_err *err)
{
    uint32_t i = 0;

    while (i < *n && label[i].key != key)
        i++;
    if (i == LABELS_MAX)
        return gs_fail(err, GS_LIMIT, gs_ynode_mark(c, at),
                       "a node may have at most %u labels", LABELS_MAX);
    *n += i == *n;
    label[i] = (struct topo_label){ key, value };
    return 0;
}

static struct topo_label *labels_grow(const struct topo_loading *l,
                                      const struct topo_class *k, uint32_t more)
{
    const uint32_t n = k->label_count;
    struct topo_label *label = gs_arena_alloc(
        l->arena, more < LABELS_MAX - n ? n + more : LABELS_MAX,
        sizeof(*label));

    if (n)
        memcpy(label, k->label, n * sizeof(*label));
    return label;
}

int topo_read_labels(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *klass, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_class *k = klass;
    struct topo_label *label;
    uint32_t n = k->label_count;
    int rc = 0;

    if (v->kind != GS_YMAP)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'labels' must be a mapping of names to values");
    label = labels_grow(l, k, v->len);
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        uint32_t key = 0;

        if (topo_read_key(c, e->key, &key, err) < 0)
            rc = -1;
        if (e->kind != GS_YSCALAR || gs_ynode_is_null(e)
            || !gs_text_is_clean(e->text, e->len))
            rc = gs_yread_refuse(c, e, "a text without control characters",
                                 err);
        if (rc == 0
            && label_put(c, e, label, &n, key,
                         gs_strtab_put(l->topo->names, e->text, e->len), err)
                   < 0)
            return -1;
    }
    qsort(label, n, sizeof(*label), by_key);
    k->label = label;
    k->label_count = n;
    return rc;
}

/* Read a number as the label "generation", for numeric selectors. */
int topo_read_generation(const struct gs_yctx *c, const struct gs_ynode *v,
                         void *klass, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_class *k = klass;
    struct topo_label *label;
    uint32_t number = 0;

    if (gs_yread_u32(c, v, &number, err) < 0)
        return -1;
    label = labels_grow(l, k, 1);
    if (label_put(c, v, label, &k->label_count,
                  gs_strtab_put(l->topo->names, "generation", 10),
                  gs_strtab_put(l->topo->names, v->text, v->len), err)
        < 0)
        return -1;
    qsort(label, k->label_count, sizeof(*label), by_key);
    k->label = label;
    return 0;
}

static int taint_read(const struct gs_yctx *c, const struct gs_ynode *v,
                      struct topo_taint *out, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    const char *text = NULL;

    if (gs_yread_text(c, v, &text, err) < 0)
        return -1;
    if (topo_taint_parse(l->topo->names, text, out) < 0)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "a taint must look like key=value:NoSchedule, "
                       "key:NoExecute or key:PreferNoSchedule (got '%.60s')",
                       text);
    if (out->effect == TOPO_ANY_EFFECT)
        out->effect = TOPO_NO_SCHEDULE;
    return 0;
}

int topo_read_taints(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *klass, struct gs_err *err)
{
    const struct topo_loading *l = c->user;
    struct topo_class *k = klass;
    struct topo_taint *taint;
    uint32_t n = k->taint_count;
    int rc = 0;

    if (v->kind != GS_YSEQ || n + v->len > TAINTS_MAX)
        return gs_fail(err, GS_INPUT, gs_ynode_mark(c, v),
                       "'taints' must be a list of at most %u taints",
                       TAINTS_MAX);
    taint = gs_arena_alloc(l->arena, n + v->len, sizeof(*taint));
    if (n)
        memcpy(taint, k->taint, n * sizeof(*taint));
    for (const struct gs_ynode *e = v->child; e; e = e->next) {
        if (taint_read(c, e, &taint[n++], err) < 0)
            rc = -1;
    }
    k->taint = taint;
    k->taint_count = n;
    return rc;
}
