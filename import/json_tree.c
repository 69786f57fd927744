/* import/json_tree.c - bytes and what Jansson makes of them, side by side: see
 * json_tree.h.
 */
#include "import/json_tree.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"

void json_tree_open(struct json_tree *t)
{
    *t = (struct json_tree){ .arena = gs_arena_create(1 << 18) };
}

void json_tree_close(struct json_tree *t)
{
    json_decref(t->value);
    gs_arena_destroy(t->arena);
    gs_array_free(t->text);
}

/* --- by Jansson ----------------------------------------------------------- */

static void text_add(struct json_tree *t, const char *bytes, size_t len)
{
    t->text = gs_array_grow(t->text, &t->text_cap,
                            (uint32_t)(t->text_len + len), 1);
    if (len)
        memcpy(t->text + t->text_len, bytes, len);
    t->text_len += len;
}

/* The bytes with a 0 in place of each value that is left out, between
 * `before` and `behind`.
 */
static void text_make(struct json_tree *t, const char *before,
                      const struct json_window *w, const struct json_scan *s,
                      const char *behind)
{
    const char *bytes = w->buf + w->from;
    size_t from = 0;

    t->text_len = 0;
    text_add(t, before, strlen(before));
    for (uint32_t i = 0; i < s->cuts; i++) {
        text_add(t, bytes + from, s->cut[i].from - from);
        text_add(t, "0", 1);
        from = s->cut[i].to;
    }
    text_add(t, bytes + from, w->at - w->from - from);
    text_add(t, behind, strlen(behind));
}

/* The offset in the file's bytes of one in the shortened bytes. */
static size_t offset_in_file(const struct json_scan *s, size_t offset)
{
    for (uint32_t i = 0; i < s->cuts && offset > s->cut[i].from; i++)
        offset += s->cut[i].to - s->cut[i].from - 1;
    return offset;
}

/* Jansson tells the place behind the token that it names. */
static int fail(const struct json_window *w, const struct json_scan *s,
                const json_error_t *why, size_t before, struct gs_err *err)
{
    const char *near = strstr(why->text, " near '");
    const size_t token = near ? strlen(near) - strlen(" near ''") : 0;
    const size_t end = (size_t)why->position;
    struct gs_mark mark = { gs_input_name(w->in), 0, 0 };
    size_t at = end > token + before ? end - token - before : 0;

    at = offset_in_file(s, at);
    at = at < w->at - w->from ? at : w->at - w->from;
    json_place(w, at, &mark.line, &mark.column);
    return gs_fail(err, GS_INPUT, mark, "not valid JSON: %s", why->text);
}

json_t *json_tree_load(struct json_tree *t, const char *before,
                       const struct json_window *w, const struct json_scan *s,
                       const char *behind, struct gs_err *err)
{
    const char *text = w->buf + w->from;
    size_t len = w->at - w->from;
    json_error_t why;
    json_t *value;

    if (s->cuts || *before || *behind) {
        text_make(t, before, w, s, behind);
        text = t->text;
        len = t->text_len;
    }
    /* all numbers as reals: none is too large, and the walk has their texts */
    value = json_loadb(text, len,
                       JSON_REJECT_DUPLICATES | JSON_DECODE_ANY
                           | JSON_DECODE_INT_AS_REAL,
                       &why);
    if (!value && json_error_code(&why) == json_error_out_of_memory)
        gs_no_memory();
    if (!value)
        fail(w, s, &why, strlen(before), err);
    return value;
}

/* --- places --------------------------------------------------------------- */

struct walk {
    struct gs_arena *arena;
    const char *at;             /* the next byte */
    const char *seen;           /* as far as `line` and `column` are */
    int line, column;           /* of `seen` */
    const char *bytes;          /* the first */
    const char *end;            /* behind the last */
    const struct json_cut *cut; /* the next one */
    uint32_t cuts;              /* left */
};

static void place(struct walk *k, const char *to)
{
    for (; k->seen < to; k->seen++) {
        if (*k->seen == '\n') {
            k->line++;
            k->column = 1;
        } else {
            k->column += ((unsigned char)*k->seen & 0xc0) != 0x80;
        }
    }
}

static void blanks(struct walk *k)
{
    while (*k->at == ' ' || *k->at == '\n' || *k->at == '\t' || *k->at == '\r')
        k->at++;
}

/* Past the value that is left out here, if one is. */
static bool cut_skip(struct walk *k)
{
    const char *to, *lf;

    if (k->cuts == 0 || k->at != k->bytes + k->cut->from)
        return false;
    to = k->bytes + k->cut->to;
    place(k, k->at);
    while ((lf = memchr(k->seen, '\n', (size_t)(to - k->seen))) != NULL) {
        k->line++;
        k->column = 1;
        k->seen = lf + 1;
    }
    k->column += json_columns(k->seen, to);
    k->seen = to;
    k->at = to;
    k->cut++;
    k->cuts--;
    return true;
}

/* Past the string that begins here and has `len` bytes, fewer than are written
 * where some are escaped.
 */
static void string_skip(struct walk *k, size_t len)
{
    k->at++;
    if (memchr(k->at, '\\', len)) {
        while (*k->at != '"')
            k->at += *k->at == '\\' ? 2 : 1;
    } else {
        k->at += len;
    }
    assert(*k->at == '"');
    k->at++;
}

/* --- nodes ---------------------------------------------------------------- */

static struct gs_ynode *node_make(struct walk *k, enum gs_ykind kind)
{
    struct gs_ynode *n = gs_arena_alloc(k->arena, 1, sizeof(*n));

    place(k, k->at);
    n->kind = kind;
    n->line = k->line;
    n->column = k->column;
    return n;
}

static struct gs_ynode *string_make(struct walk *k, const char *text,
                                    size_t len)
{
    struct gs_ynode *n = node_make(k, GS_YSCALAR);

    n->quoted = true;
    n->text = text;
    n->len = (uint32_t)len;
    string_skip(k, len);
    return n;
}

/* A number, true, false or null, as it is written. */
static struct gs_ynode *word_make(struct walk *k)
{
    struct gs_ynode *n = node_make(k, GS_YSCALAR);
    const char *from = k->at;

    while (k->at < k->end && !strchr(" \n\t\r,]}", *k->at))
        k->at++;
    n->text = gs_arena_strndup(k->arena, from, (size_t)(k->at - from));
    n->len = (uint32_t)(k->at - from);
    return n;
}

static struct gs_ynode *node_of(struct walk *k, json_t *value);

static struct gs_ynode *array_make(struct walk *k, json_t *value)
{
    struct gs_ynode *n = node_make(k, GS_YSEQ);
    const struct gs_ynode **next = &n->child;

    k->at++;
    for (size_t i = 0; i < json_array_size(value); i++) {
        struct gs_ynode *item;

        blanks(k);
        item = node_of(k, json_array_get(value, i));
        *next = item;
        next = &item->next;
        n->len++;
        blanks(k);
        k->at += *k->at == ',';
    }
    blanks(k);
    assert(*k->at == ']');
    k->at++;
    return n;
}

/* Jansson keeps the keys in the order of the file. */
static struct gs_ynode *object_make(struct walk *k, json_t *value)
{
    struct gs_ynode *n = node_make(k, GS_YMAP);
    const struct gs_ynode **next = &n->child;

    k->at++;
    for (void *i = json_object_iter(value); i;
         i = json_object_iter_next(value, i)) {
        const char *name = json_object_iter_key(i);
        struct gs_ynode *key, *item;

        blanks(k);
        key = string_make(k, name, strlen(name));
        blanks(k);
        assert(*k->at == ':');
        k->at++;
        if (!cut_skip(k)) {
            blanks(k);
            item = node_of(k, json_object_iter_value(i));
            item->key = key;
            *next = item;
            next = &item->next;
            n->len++;
            blanks(k);
        }
        k->at += *k->at == ',';
    }
    blanks(k);
    assert(*k->at == '}');
    k->at++;
    return n;
}

static struct gs_ynode *node_of(struct walk *k, json_t *value)
{
    if (json_is_object(value))
        return object_make(k, value);
    if (json_is_array(value))
        return array_make(k, value);
    if (json_is_string(value))
        return string_make(k, json_string_value(value),
                           json_string_length(value));
    return word_make(k);
}

const struct gs_ynode *json_tree_make(struct json_tree *t,
                                      const struct json_window *w,
                                      const struct json_scan *s,
                                      struct gs_err *err)
{
    const char *const bytes = w->buf + w->from, *const end = w->buf + w->at;
    struct walk k = {
        .arena = t->arena,
        .at = bytes,
        .seen = bytes,
        .line = w->line,
        .column = w->column,
        .bytes = bytes,
        .end = end,
        .cut = s->cut,
        .cuts = s->cuts,
    };

    gs_arena_rewind(t->arena);
    json_decref(t->value);
    t->value = json_tree_load(t, "", w, s, "", err);
    return t->value ? node_of(&k, t->value) : NULL;
}
