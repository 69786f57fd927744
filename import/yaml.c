/* import/yaml.c - objects in YAML documents, see formats.h. */
#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "base/input.h"
#include "base/yamldoc.h"
#include "import/formats.h"
#include "import/objects.h"

/* --- templates ------------------------------------------------------------ */

/* The column that a text below this line is deeper than: of its key, or of the
 * dash of "- |".
 */
static size_t indent_of(const char *line, size_t len)
{
    size_t n = 0, dash = 0;

    for (; n < len && (line[n] == ' ' || line[n] == '-'); n++)
        dash = line[n] == '-' ? n : dash;
    return n < len && (line[n] == '|' || line[n] == '>') ? dash : n;
}

/* Does a text begin behind this line, by "key: |" or "- >-"? */
static bool opens_text(const char *line, size_t len)
{
    while (len && strchr(" \t\r", line[len - 1]))
        len--;
    while (len && strchr("+-0123456789", line[len - 1]))
        len--;
    return len >= 2 && (line[len - 1] == '|' || line[len - 1] == '>')
           && (line[len - 2] == ' ' || line[len - 2] == '\t');
}

/* A "{{" or "{%" of a template, outside of quotes and comments.  *quote is the
 * one that is open, also over the ends of lines; '\0': none.
 */
static const char *template_in(const char *line, size_t len, char *quote)
{
    for (size_t i = 0; i < len; i++) {
        const char c = line[i], next = i + 1 < len ? line[i + 1] : '\0';

        if (*quote) {
            i += *quote == '"' && c == '\\';
            *quote = c == *quote ? '\0' : *quote;
        } else if ((c == '"' || c == '\'')
                   && (i == 0 || strchr(" \t-[{,:", line[i - 1]))) {
            *quote = c;
        } else if (c == '#' && (i == 0 || strchr(" \t", line[i - 1]))) {
            return NULL;
        } else if (c == '{' && (next == '{' || next == '%')) {
            return line + i;
        }
    }
    return NULL;
}

/* The first template in the file's first bytes, with its place. */
static bool template_find(const char *head, size_t size, int *line, int *column)
{
    const char *at = head, *const end = head + size;
    bool is_text = false; /* below "key: |" */
    size_t above = 0;     /* indentation of that line */
    char quote = '\0';

    for (*line = 1; at < end; ++*line) {
        const char *lf = memchr(at, '\n', (size_t)(end - at));
        const size_t len = (size_t)((lf ? lf : end) - at);
        size_t blanks = 0;

        while (blanks < len && at[blanks] == ' ')
            blanks++;
        if (is_text && blanks < len && at[blanks] != '\r' && blanks <= above)
            is_text = false;
        if (len >= 3 && memcmp(at, "---", 3) == 0)
            quote = '\0';
        if (!is_text) {
            const char *found = template_in(at, len, &quote);

            *column = found ? (int)(found - at) + 1 : 0;
            if (found)
                return true;
            is_text = !quote && opens_text(at, len);
            above = is_text ? indent_of(at, len) : 0;
        }
        at += len + 1;
    }
    return false;
}

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
    size_t size;
    const char *head = gs_input_head(in, &size, err);
    const char *printed;
    int line, column, rc;

    if (!head)
        return -1;
    printed = import_printed(head, size);
    if (printed)
        return import_objects_refuse_at(
            o, 1, 1,
            "is %s, without the objects: 'kubectl get -o json' prints them",
            printed);
    if (template_find(head, size, &line, &column))
        return import_objects_refuse_at(
            o, line, column,
            "is a template: import the manifests that are made of it (such as "
            "those of 'helm template')");
    rc = gs_yaml_documents(in, &docs, err);
    if (d.is_list)
        (void)import_list_close(o, &d.list, NULL, NULL, true);
    return rc;
}
