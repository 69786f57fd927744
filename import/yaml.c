/* import/yaml.c - objects in YAML documents, see formats.h. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "import/formats.h"
#include "import/objects.h"

/* --- documents ------------------------------------------------------------ */

struct documents {
    struct import_objects *o;
    struct import_list list;
    bool is_list; /* items of this document were handed over */
};

static const char *text_of(const struct gs_ynode *root, const char *key)
{
    const struct gs_ynode *v = gs_ynode_find(root, key);

    return v && v->kind == GS_YSCALAR ? v->text : NULL;
}

static bool list_begins(void *ctx, const struct gs_ynode *root)
{
    struct documents *d = ctx;
    const char *kind = text_of(root, "kind");

    if (d->is_list || !import_kind_is_list(kind))
        return false;
    d->is_list = true;
    import_list_open(&d->list, text_of(root, "apiVersion"), kind);
    return true;
}

static int item_take(void *ctx, const struct gs_ynode *item, struct gs_err *err)
{
    struct documents *d = ctx;

    (void)err; /* of the document; the taker's is in d->o */
    return import_list_put(d->o, &d->list, item);
}

static int document_take(void *ctx, const struct gs_ynode *root)
{
    struct documents *d = ctx;

    if (!d->is_list)
        return import_objects_put(d->o, root);
    d->is_list = false;
    return import_list_close(d->o, &d->list, text_of(root, "apiVersion"),
                             text_of(root, "kind"), false);
}

static int document_refused(void *ctx, const struct gs_err *why)
{
    struct documents *d = ctx;
    int rc = 0;

    if (d->is_list) {
        d->is_list = false;
        rc = import_list_close(d->o, &d->list, NULL, NULL, false);
    }
    return rc < 0 ? -1 : import_objects_refuse(d->o, why);
}

static void key_replaced(void *ctx, const struct gs_ynode *key)
{
    const struct documents *d = ctx;

    d->o->taker->replaced(d->o->taker->ctx, d->o->source, key);
}

int import_yaml_read(struct import_objects *o, struct gs_input *in,
                     struct gs_err *err)
{
    struct documents d = { .o = o };
    const struct gs_ystream stream = { "items", item_take, &d };
    const struct gs_ydocuments docs = {
        .stream = &stream,
        .wants = list_begins,
        .unread = o->taker->unread,
        .unread_count = o->taker->unread_count,
        .document = document_take,
        .refused = document_refused,
        .replaced = o->taker->replaced ? key_replaced : NULL,
        .ctx = &d,
    };
    struct gs_err why = { 0 };
    int rc;

    if (import_foreign_check(in, &why) < 0)
        return import_objects_refuse(o, &why);
    rc = gs_yaml_documents(in, &docs, err);
    if (d.is_list)
        (void)import_list_close(o, &d.list, NULL, NULL, true);
    return rc;
}
