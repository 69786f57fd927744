/* base/yamlline.c - items on one plain line each, read without libyaml.
 *
 * Most of a long trace are lines such as "- {name: j1, submit: 5, gpus: 2}".  When
 * libyaml has passed the dash of such an item, and nothing behind it, the item is
 * read here from its buffer, and its scanner is set behind the dash of the next
 * line, where it would be after the same item.  Anything else is libyaml's: the last
 * item, a text with a blank, a sign or a letter that is not listed below, a comment,
 * an anchor, a line that its buffer does not hold to the end.
 */
#include <assert.h>
#include <string.h>

#include "base/yamlreader.h"

#define PLAIN_MAX 1000 /* bytes; libyaml has keys of at most 1,024 characters */
#define NESTED_MAX 4   /* collections in one item */
#define AHEAD 32       /* bytes that libyaml may look at behind the next dash */

/* --- is it plain? ----------------------------------------------------------- */

static bool begins_plain(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
           || (c >= '0' && c <= '9') || c == '_' || c == '/' || c == '.';
}

static bool is_plain(unsigned char c)
{
    return begins_plain(c) || c == '-' || c == '+' || c == '%';
}

static const unsigned char *blanks_skip(const unsigned char *c)
{
    while (*c == ' ')
        c++;
    return c;
}

/* Behind a text that begins at `c`; NULL: not a plain one. */
static const unsigned char *text_skip(const unsigned char *c)
{
    if (!begins_plain(*c))
        return NULL;
    while (is_plain(*c))
        c++;
    return c;
}

static const unsigned char *quoted_skip(const unsigned char *c)
{
    for (c++; *c != '"'; c++) {
        if (*c < ' ' || *c > '~' || *c == '\\')
            return NULL;
    }
    return c + 1;
}

/* Behind a value that begins at `c`, in a line that ends with '\n'; NULL: not a
 * plain one.
 */
static const unsigned char *value_skip(const unsigned char *c, int nested)
{
    const unsigned char end = *c == '{' ? '}' : ']';

    if (*c == '"')
        return quoted_skip(c);
    if (*c != '{' && *c != '[')
        return text_skip(c);
    if (nested == NESTED_MAX)
        return NULL;
    do {
        c = blanks_skip(c + 1);
        if (end == '}') {
            c = text_skip(c);
            if (!c || c[0] != ':' || c[1] != ' ')
                return NULL;
            c = blanks_skip(c + 1);
        }
        c = value_skip(c, nested + 1);
        if (!c)
            return NULL;
        c = blanks_skip(c);
    } while (*c == ',');
    return *c == end ? c + 1 : NULL;
}

/* --- its nodes -------------------------------------------------------------- */

/* A plain line: its bytes are its characters. */
struct plain_line {
    struct gs_yreader *r;
    const unsigned char *at, *from;
    yaml_mark_t mark; /* of `from` */
};

static yaml_mark_t mark_at(const struct plain_line *l)
{
    yaml_mark_t m = l->mark;

    m.column += (size_t)(l->at - l->from);
    m.index += (size_t)(l->at - l->from);
    return m;
}

static struct gs_ynode *text_take(struct plain_line *l)
{
    const yaml_mark_t m = mark_at(l);
    const bool quoted = *l->at == '"';
    const unsigned char *end = quoted ? quoted_skip(l->at) : text_skip(l->at);
    const unsigned char *from = l->at + quoted;
    struct gs_ynode *n = gs_yreader_scalar(l->r, (const char *)from,
                                           (size_t)(end - from) - quoted, &m);

    l->at = end;
    if (n)
        n->quoted = quoted;
    return n;
}

static struct gs_ynode *value_take(struct plain_line *l)
{
    const bool is_map = *l->at == '{';
    const yaml_mark_t m = mark_at(l);
    const struct gs_ynode **end;
    struct gs_ynode *n;

    if (!is_map && *l->at != '[')
        return text_take(l);
    n = gs_yreader_make(l->r, is_map ? GS_YMAP : GS_YSEQ, &m);
    if (!n)
        return NULL;
    end = &n->child;
    do {
        struct gs_ynode *key = NULL, *value;

        l->at = blanks_skip(l->at + 1);
        if (is_map) {
            key = text_take(l);
            if (!key || gs_ykey_check(l->r, n, key) < 0)
                return NULL;
            l->at = blanks_skip(l->at + 1);
        }
        value = value_take(l);
        if (!value)
            return NULL;
        value->key = key;
        *end = value;
        end = &value->next;
        n->len++;
        l->at = blanks_skip(l->at);
    } while (*l->at == ',');
    l->at++;
    return is_map && gs_ykeys_end(l->r, n, end, NULL) < 0 ? NULL : n;
}

/* --- where libyaml stands --------------------------------------------------- */

/* Has libyaml passed the dash of an item of a block sequence, and nothing else? */
static bool stands_at_item(const yaml_parser_t *p)
{
    return p->error == YAML_NO_ERROR && p->flow_level == 0
           && (p->state == YAML_PARSE_BLOCK_SEQUENCE_ENTRY_STATE
               || p->state == YAML_PARSE_INDENTLESS_SEQUENCE_ENTRY_STATE)
           && p->tokens.tail - p->tokens.head == 1
           && p->tokens.head->type == YAML_BLOCK_ENTRY_TOKEN
           && p->tokens.head->end_mark.index == p->mark.index
           && p->simple_key_allowed && !p->simple_keys.top[-1].possible;
}

/* Behind the dash of the next item, in the line from `line`; NULL: there is none
 * in the same column that may be one of these.
 */
static const unsigned char *dash_of(const yaml_parser_t *p,
                                    const unsigned char *line)
{
    const size_t column = p->tokens.head->start_mark.column;

    if ((size_t)(p->buffer.last - line) < column + AHEAD)
        return NULL;
    for (size_t i = 0; i < column; i++) {
        if (line[i] != ' ')
            return NULL;
    }
    return line[column] == '-' && line[column + 1] == ' ' ? line + column + 1
                                                          : NULL;
}

/* Set libyaml behind the next dash. */
static void parser_move(yaml_parser_t *p, const unsigned char *dash)
{
    yaml_token_t *entry = p->tokens.head;
    const size_t bytes = (size_t)(dash - p->buffer.pointer);

    assert(bytes <= p->unread
           && p->mark.column == entry->start_mark.column + 1);
    p->buffer.pointer += bytes;
    p->unread -= bytes;
    p->mark.index += bytes;
    p->mark.line++;
    entry->start_mark = entry->end_mark = p->mark;
    entry->start_mark.index--;
    entry->start_mark.column--;
}

int gs_yline_read(struct gs_yreader *r, int depth, struct gs_ynode **n)
{
    yaml_parser_t *p = &r->events.parser;
    const unsigned char *from = p->buffer.pointer, *item, *end, *dash;

    assert(n && depth >= 0);
    if (r->is_foreign || !stands_at_item(p) || *from != ' ')
        return 0;
    end = memchr(from, '\n', (size_t)(p->buffer.last - from));
    if (!end || end - from > PLAIN_MAX
        || depth + 2 * NESTED_MAX > r->limits->depth)
        return 0;
    dash = dash_of(p, end + 1);
    item = blanks_skip(from);
    if (!dash || *item != '{')
        return 0;
    item = value_skip(item, 0);
    if (!item || blanks_skip(item) != end)
        return 0;
    *n = value_take(
        &(struct plain_line){ r, blanks_skip(from), from, p->mark });
    parser_move(p, dash);
    return *n ? 1 : -1;
}
