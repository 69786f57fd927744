/* import/objects.c - objects and lists of them, see objects.h. */
#include "import/objects.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"

#define LISTS_DEEP 4           /* lists within lists */
#define HELD_NODES_MAX 1000000 /* values that wait for the kind of a list */

struct import_held {
    struct import_held *next;
    const struct gs_ynode *item;
};

/* --- what cannot be read -------------------------------------------------- */

int import_objects_refuse(struct import_objects *o, const struct gs_err *why)
{
    assert(why->count > 0);
    o->found++;
    if (!o->taker->skip) {
        gs_err_append(o->err, why);
        return gs_err_wants_more(o->err) ? 0 : -1;
    }
    o->taker->skip(o->taker->ctx, why);
    return 0;
}

int import_objects_refuse_at(struct import_objects *o, int line, int column,
                             const char *fmt, ...)
{
    struct gs_err why = { 0 };
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    gs_fail(&why, GS_INPUT, (struct gs_mark){ o->source, line, column }, "%s",
            text);
    return import_objects_refuse(o, &why);
}

/* --- objects -------------------------------------------------------------- */

/* The text under `key`; NULL when there is none. */
static const char *text_of(const struct gs_ynode *map, const char *key)
{
    const struct gs_ynode *v = gs_ynode_find(map, key);

    return v && v->kind == GS_YSCALAR && v->len && !gs_ynode_is_null(v)
               ? v->text
               : NULL;
}

bool import_kind_is_list(const char *kind)
{
    const size_t len = kind ? strlen(kind) : 0;

    return len == 0 || (len >= 4 && strcmp(kind + len - 4, "List") == 0);
}

static int object_take(struct import_objects *o, const char *api_version,
                       const char *kind, const struct gs_ynode *root)
{
    const struct import_object object = { .source = o->source,
                                          .api_version = api_version,
                                          .kind = kind,
                                          .root = root,
                                          .cut = o->cut,
                                          .cuts = o->cuts };

    o->found++;
    if (o->taker->take(o->taker->ctx, &object, o->err) == 0)
        return 0;
    return gs_err_wants_more(o->err) ? 0 : -1;
}

static int objects_put(struct import_objects *o, struct import_list *l,
                       const struct gs_ynode *root, int depth);

/* The items of a sequence that stands as a tree. */
static int items_put(struct import_objects *o, const struct gs_ynode *seq,
                     const char *api_version, const char *kind, int depth)
{
    struct import_list l;
    int rc = 0;

    import_list_open(&l, api_version, kind ? kind : "");
    for (const struct gs_ynode *i = seq->child; i && rc == 0; i = i->next)
        rc = objects_put(o, &l, i, depth);
    return import_list_close(o, &l, api_version, kind, rc < 0);
}

/* The kind of the items of a list, into `buf`: that of a NodeList is Node, that
 * of a List is not known.
 */
static const char *item_kind(const struct import_list *l, char *buf,
                             size_t size)
{
    const char *kind = l && l->kind ? l->kind : "";
    const size_t len = strlen(kind);

    if (len <= 4 || len - 4 >= size || !import_kind_is_list(kind))
        return "";
    memcpy(buf, kind, len - 4);
    buf[len - 4] = '\0';
    return buf;
}

/* A value at the top of a document (`l` is NULL), or an item of `l`. */
static int objects_put(struct import_objects *o, struct import_list *l,
                       const struct gs_ynode *root, int depth)
{
    const char *kind = text_of(root, "kind");
    const char *api_version = text_of(root, "apiVersion");
    const struct gs_ynode *items = gs_ynode_find(root, "items");
    const char *of_list;
    char buf[256];

    if (root->kind == GS_YSEQ && !l)
        return items_put(o, root, NULL, NULL, depth + 1);
    if (root->kind != GS_YMAP && l) {
        if (l->others++ == 0) {
            l->line = root->line;
            l->column = root->column;
        }
        return 0;
    }
    if (root->kind != GS_YMAP)
        return import_objects_refuse_at(o, root->line, root->column,
                                        "is a text, not an object");
    if (items && items->kind == GS_YSEQ && import_kind_is_list(kind)) {
        if (depth < LISTS_DEEP)
            return items_put(o, items, api_version, kind, depth + 1);
        return import_objects_refuse_at(
            o, items->line, items->column,
            "lists are read %d deep, this one is deeper", LISTS_DEEP);
    }
    if (kind && import_kind_is_list(kind)
        && (items ? gs_ynode_is_null(items) : strcmp(kind, "List") == 0))
        return 0; /* an empty list, as Go writes it */
    if (kind && strcmp(kind, "Table") == 0)
        return import_objects_refuse_at(
            o, root->line, root->column,
            "is a table as it was printed (kind Table), without the objects: "
            "get these with 'kubectl get -o json'");
    of_list = item_kind(l, buf, sizeof(buf));
    if (!api_version)
        api_version = *of_list && l->api_version ? l->api_version : "";
    return object_take(o, api_version, kind ? kind : of_list, root);
}

int import_objects_put(struct import_objects *o, const struct gs_ynode *root)
{
    return objects_put(o, NULL, root, 0);
}

/* --- lists ---------------------------------------------------------------- */

void import_list_open(struct import_list *l, const char *api_version,
                      const char *kind)
{
    *l = (struct import_list){ .api_version = api_version, .kind = kind };
    l->end = &l->first;
}

/* A copy of `n` and all below it. */
static struct gs_ynode *copy_of(struct import_list *l, const struct gs_ynode *n)
{
    struct gs_ynode *copy = gs_arena_memdup(l->arena, n, sizeof(*n));
    const struct gs_ynode **end = &copy->child;

    l->held_nodes++;
    copy->next = NULL;
    if (n->kind == GS_YSCALAR)
        copy->text = gs_arena_strndup(l->arena, n->text, n->len);
    for (const struct gs_ynode *c = n->child; c; c = c->next) {
        struct gs_ynode *k = copy_of(l, c);

        if (c->key)
            k->key = copy_of(l, c->key);
        *end = k;
        end = &k->next;
    }
    return copy;
}

static int item_hold(struct import_objects *o, struct import_list *l,
                     const struct gs_ynode *item)
{
    if (l->held_nodes >= HELD_NODES_MAX) {
        import_objects_refuse_at(o, item->line, item->column,
                                 "too many items state no kind before their "
                                 "list states its own: put 'kind' first");
        return -1;
    }
    if (!l->arena)
        l->arena = gs_arena_create(1 << 16);
    *l->end = gs_arena_alloc(l->arena, 1, sizeof(**l->end));
    (*l->end)->item = copy_of(l, item);
    l->end = &(*l->end)->next;
    return 0;
}

int import_list_put(struct import_objects *o, struct import_list *l,
                    const struct gs_ynode *item)
{
    const bool states_both = text_of(item, "kind")
                             && text_of(item, "apiVersion");

    /* a NodeList may state its apiVersion last, a List tells none */
    if (item->kind == GS_YMAP && !states_both
        && (!l->kind || (!l->api_version && strlen(l->kind) > strlen("List"))))
        return item_hold(o, l, item);
    return objects_put(o, l, item, 1);
}

int import_list_close(struct import_objects *o, struct import_list *l,
                      const char *api_version, const char *kind, bool stopped)
{
    int rc = stopped ? -1 : 0;

    l->api_version = api_version ? api_version : l->api_version;
    l->kind = kind ? kind : l->kind;
    for (const struct import_held *h = l->first; h && rc == 0; h = h->next)
        rc = objects_put(o, l, h->item, 1);
    if (rc == 0 && l->others)
        rc = import_objects_refuse_at(
            o, l->line, l->column,
            "items that are no objects are left out: %u, the first is here",
            l->others);
    gs_arena_destroy(l->arena);
    l->arena = NULL;
    return rc;
}
