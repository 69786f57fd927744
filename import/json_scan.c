/* import/json_scan.c - bytes and ends of values, see json_scan.h. */
#include "import/json_scan.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/input.h"
#include "import/objects.h"

#define BUFFER_SIZE (1u << 19)

/* --- bytes ---------------------------------------------------------------- */

void json_window_open(struct json_window *w, struct gs_input *in,
                      struct gs_err *err)
{
    *w = (struct json_window){ .in = in, .err = err, .line = 1, .column = 1 };
    w->buf = gs_array_grow(NULL, &w->cap, BUFFER_SIZE, 1);
}

void json_window_close(struct json_window *w)
{
    gs_array_free(w->buf);
    w->buf = NULL;
}

int json_columns(const char *at, const char *end)
{
    int columns = 0;

    while (end - at >= 8) { /* bytes 10xxxxxx go on a character */
        const uint64_t ones = UINT64_C(0x0101010101010101);
        uint64_t eight;

        memcpy(&eight, at, 8);
        columns +=
            8 - (int)((((eight >> 7) & ~(eight >> 6)) & ones) * ones >> 56);
        at += 8;
    }
    for (; at < end; at++)
        columns += ((unsigned char)*at & 0xc0) != 0x80;
    return columns;
}

void json_place(const struct json_window *w, size_t offset, int *line,
                int *column)
{
    const char *at = w->buf + w->from, *const end = at + offset;
    const char *lf;

    *line = w->line;
    *column = w->column;
    while ((lf = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        ++*line;
        *column = 1;
        at = lf + 1;
    }
    *column += json_columns(at, end);
}

void json_pin(struct json_window *w)
{
    assert(w->from <= w->at && w->at <= w->to);
    json_place(w, w->at - w->from, &w->line, &w->column);
    w->from = w->at;
}

/* Have a byte at `at`; false at the end. */
static bool fill(struct json_window *w)
{
    size_t got;

    if (w->at < w->to)
        return true;
    if (w->has_ended || w->has_failed)
        return false;
    if (w->to - w->from >= JSON_ITEM_MAX)
        w->drops = true;
    if (w->drops)
        json_pin(w);
    if (w->from && w->cap - w->to < BUFFER_SIZE / 2) {
        memmove(w->buf, w->buf + w->from, w->to - w->from);
        w->at -= w->from;
        w->to -= w->from;
        w->from = 0;
    }
    if (w->cap - w->to < BUFFER_SIZE / 2)
        w->buf = gs_array_grow(w->buf, &w->cap, w->cap + BUFFER_SIZE, 1);
    if (gs_input_read(w->in, w->buf + w->to, w->cap - w->to, &got, w->err)
        < 0) {
        w->has_failed = true;
        return false;
    }
    w->to += got;
    w->has_ended = got == 0;
    return got > 0;
}

int json_blanks(struct json_window *w)
{
    while (fill(w)) {
        const char c = w->buf[w->at];

        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return (unsigned char)c;
        w->at++;
    }
    return -1;
}

/* --- values --------------------------------------------------------------- */

static const unsigned char is_special[256] = {
    ['"'] = 1, ['{'] = 1, ['['] = 1, ['}'] = 1, [']'] = 1, [','] = 1, [':'] = 1,
};

/* From a quote to behind the one that ends the string. */
static bool string_scan(struct json_window *w)
{
    for (w->at++; fill(w);) {
        const char *at = w->buf + w->at;
        const size_t left = w->to - w->at;
        const char *quote = memchr(at, '"', left);
        const char *escape = memchr(at, '\\',
                                    quote ? (size_t)(quote - at) : left);

        if (escape) {
            w->at = (size_t)(escape + 1 - w->buf);
            if (!fill(w))
                return false;
            w->at++;
        } else if (quote) {
            w->at = (size_t)(quote + 1 - w->buf);
            return true;
        } else {
            w->at = w->to;
        }
    }
    return false;
}

static size_t offset(const struct json_window *w)
{
    return w->at - w->from;
}

static bool part_is(const struct json_window *w, const struct json_part *p,
                    const char *text)
{
    const size_t len = strlen(text);

    return p->to - p->from == len
           && memcmp(w->buf + w->from + p->from, text, len) == 0;
}

/* Which path the value behind the key of this depth is left out by;
 * unread_count: it is not.
 */
static size_t unread_of(const struct json_window *w, const struct json_scan *s)
{
    size_t i;

    for (i = 0; i < s->unread_count; i++) {
        const char *const *key = s->unread[i].key;
        int k = 0;

        while (k < s->depth && key[k] && part_is(w, &s->key[k], key[k]))
            k++;
        if (k == s->depth && (k == GS_YPATH_MAX || !key[k]))
            break;
    }
    return i;
}

/* Is the key that of a list's items, or of an answer's series? */
static bool is_items_key(const struct json_window *w, const struct json_scan *s)
{
    if (s->depth == 1)
        return part_is(w, &s->key[0], "items")
               || part_is(w, &s->key[0], "result");
    return s->depth == 2 && part_is(w, &s->key[0], "data")
           && part_is(w, &s->key[1], "result");
}

bool json_scan_key_is(const struct json_window *w, const struct json_scan *s,
                      const char *key)
{
    return part_is(w, &s->key[0], key);
}

/* Is this one of the arrays that are asked for? */
static bool array_begins(struct json_window *w, const struct json_scan *s)
{
    if (s->depth != 1 || w->drops)
        return false;
    for (const char *const *key = s->arrays; *key; key++) {
        if (part_is(w, &s->key[0], *key))
            return json_blanks(w) == '[' && !w->drops;
    }
    return false;
}

/* Are these the items of a list? */
static bool items_begin(struct json_window *w, const struct json_scan *s)
{
    char kind[256];
    const size_t len = s->kind.to - s->kind.from;

    if (s->arrays)
        return array_begins(w, s);
    if (!s->stops_at_items || s->cut_depth || w->drops || !is_items_key(w, s)
        || json_blanks(w) != '[' || w->drops || len >= sizeof(kind))
        return false;
    memcpy(kind, w->buf + w->from + s->kind.from, len);
    kind[len] = '\0';
    return import_kind_is_list(kind);
}

/* At a colon: the string before it is a key. */
static void key_take(struct json_window *w, struct json_scan *s)
{
    size_t unread;

    w->at++;
    if (s->cut_depth || s->depth < 1 || s->depth > GS_YPATH_MAX || w->drops)
        return;
    s->key[s->depth - 1] = s->text;
    unread = unread_of(w, s);
    if (unread == s->unread_count)
        return;
    s->cut = gs_array_grow(s->cut, &s->cut_cap, s->cuts + 1, sizeof(*s->cut));
    s->cut[s->cuts].from = offset(w);
    s->cut[s->cuts].unread = (uint32_t)unread;
    s->cut_depth = s->depth;
}

/* A string that may be the kind of the object. */
static void text_take(const struct json_window *w, struct json_scan *s,
                      size_t from)
{
    s->text = (struct json_part){ from + 1, offset(w) - 1 };
    if (s->depth != 1 || s->cut_depth || w->drops)
        return;
    if (part_is(w, &s->key[0], "kind"))
        s->kind = s->text;
    else if (part_is(w, &s->key[0], "apiVersion"))
        s->api_version = s->text;
}

/* At a comma or the bracket that ends a collection. */
static void value_end(struct json_window *w, struct json_scan *s)
{
    if (s->cut_depth && s->cut_depth == s->depth) {
        s->cut[s->cuts++].to = offset(w);
        s->cut_depth = 0;
    }
    if (s->depth >= 1 && s->depth <= GS_YPATH_MAX)
        s->key[s->depth - 1] = (struct json_part){ 0, 0 };
}

static void bracket_open(struct json_window *w, struct json_scan *s)
{
    w->at++;
    if (++s->depth > JSON_DEPTH_MAX && !s->cut_depth)
        s->limit = "nested too deep";
    if (s->depth <= GS_YPATH_MAX)
        s->key[s->depth - 1] = (struct json_part){ 0, 0 };
}

/* A number or a word, which no bracket ends. */
static enum json_found word_scan(struct json_window *w)
{
    while (fill(w) && !strchr(" \n\t\r,]}[{:\"", w->buf[w->at]))
        w->at++;
    return w->has_failed ? JSON_FAILED : JSON_VALUE;
}

enum json_found json_scan_value(struct json_window *w, struct json_scan *s)
{
    w->drops = false;
    if (!fill(w))
        return JSON_FAILED;
    if (!is_special[(unsigned char)w->buf[w->at]])
        return word_scan(w);
    while (fill(w)) {
        const char *at = w->buf + w->at, *const end = w->buf + w->to;
        size_t from;

        while (at < end && !is_special[(unsigned char)*at])
            at++;
        w->at = (size_t)(at - w->buf);
        if (at == end)
            continue;
        switch (*at) {
        case '"':
            from = offset(w);
            if (!string_scan(w))
                return JSON_FAILED;
            text_take(w, s, from);
            break;
        case ':':
            key_take(w, s);
            if (items_begin(w, s))
                return JSON_ITEMS;
            break;
        case ',':
            value_end(w, s);
            w->at++;
            s->values += !s->cut_depth;
            break;
        case '{':
        case '[':
            bracket_open(w, s);
            s->values += !s->cut_depth;
            break;
        default:
            value_end(w, s);
            s->depth--;
            w->at++;
        }
        if (s->depth <= 0) {
            s->limit = w->drops ? "too large" : s->limit;
            if (s->values > JSON_VALUES_MAX)
                s->limit = "of too many values";
            return JSON_VALUE;
        }
    }
    return JSON_FAILED;
}

void json_scan_reset(struct json_scan *s)
{
    *s = (struct json_scan){
        .unread = s->unread,
        .unread_count = s->unread_count,
        .cut = s->cut,
        .cut_cap = s->cut_cap,
    };
}

void json_scan_free(struct json_scan *s)
{
    gs_array_free(s->cut);
    s->cut = NULL;
}
