/* base/yamlplain.c - parser of short YAML texts, see yamlplain.h. */
#include "base/yamlplain.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"

struct plain {
    const char *name, *text, *at; /* name, text, next byte */
    struct gs_arena *arena;
    struct gs_err *err;
};

/* --- places --------------------------------------------------------------- */

static void place_of(const struct plain *p, const char *at, int *line,
                     int *column)
{
    *line = *column = 1;
    for (const char *c = p->text; c < at; c++) {
        const bool is_end = *c == '\n';

        *line += is_end;
        *column = is_end ? 1 : *column + (((unsigned char)*c & 0xc0) != 0x80);
    }
}

static struct gs_ynode *refuse(const struct plain *p, const char *at,
                               const char *why)
{
    struct gs_mark mark = { .source = p->name };

    place_of(p, at, &mark.line, &mark.column);
    gs_fail(p->err, GS_INPUT, mark, "not valid YAML: %s", why);
    return NULL;
}

static struct gs_ynode *node_make(const struct plain *p, enum gs_ykind kind,
                                  const char *at)
{
    struct gs_ynode *n = gs_arena_alloc(p->arena, 1, sizeof(*n));

    n->kind = kind;
    place_of(p, at, &n->line, &n->column);
    return n;
}

/* Bytes from the start of the line to `at`. */
static size_t indent_of(const struct plain *p, const char *at)
{
    const char *from = at;

    while (from > p->text && from[-1] != '\n')
        from--;
    return (size_t)(at - from);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool ends_word(char c)
{
    return c == '\0' || c == '\n' || is_blank(c);
}

/* Skip blanks and a comment, at most to the end of the line. */
static void skip_blanks(struct plain *p)
{
    while (is_blank(*p->at))
        p->at++;
    if (*p->at == '#' && (p->at == p->text || ends_word(p->at[-1]))) {
        while (*p->at && *p->at != '\n')
            p->at++;
    }
}

/* Skip these and line ends. */
static void skip_lines(struct plain *p)
{
    for (skip_blanks(p); *p->at == '\n'; skip_blanks(p))
        p->at++;
}

/* --- texts ---------------------------------------------------------------- */

static int hex_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The byte of an escape after a backslash; 0: not supported. */
static char escaped(struct plain *p)
{
    static const char from[] = "\"\\/ntr", to[] = "\"\\/\n\t\r";
    const char *known = *p->at ? strchr(from, *p->at) : NULL;

    if (known)
        return to[known - from];
    if (*p->at == 'x' && hex_of(p->at[1]) >= 0 && hex_of(p->at[1]) < 8
        && hex_of(p->at[2]) >= 0) {
        p->at += 2;
        return (char)(hex_of(p->at[-1]) * 16 + hex_of(p->at[0]));
    }
    return '\0';
}

static struct gs_ynode *quoted_read(struct plain *p)
{
    const char *const start = p->at;
    const char quote = *p->at++;
    struct gs_ynode *n = node_make(p, GS_YSCALAR, start);
    char *text = gs_arena_alloc(p->arena, strlen(p->at) + 1, 1);

    n->text = text;
    n->quoted = true;
    for (; *p->at != quote || (quote == '\'' && p->at[1] == '\''); p->at++) {
        char c = *p->at;

        if (c == '\0' || c == '\n')
            return refuse(p, start, "a quoted text has no end in its line");
        if (c == quote) {
            p->at++;
        } else if (c == '\\' && quote == '"') {
            p->at++;
            c = escaped(p);
            if (c == '\0')
                return refuse(p, p->at, "an escape that is not read here");
        }
        text[n->len++] = c;
    }
    p->at++;
    return n;
}

/* True when a plain scalar ends before `at`. */
static bool ends_plain(const char *at, bool in_flow)
{
    if (*at == '\0' || *at == '\n')
        return true;
    if (*at == ':')
        return ends_word(at[1]) || (in_flow && at[1] && strchr(",[]{}", at[1]));
    if (*at == '#')
        return is_blank(at[-1]);
    return in_flow && strchr(",[]{}", *at);
}

static struct gs_ynode *plain_read(struct plain *p, bool in_flow)
{
    const char *const start = p->at;
    const char *end;
    struct gs_ynode *n = node_make(p, GS_YSCALAR, start);

    if (*start && strchr("&*!|>%@`#", *start))
        return refuse(p, start, "no text that is read here begins like this");
    if (ends_plain(start, in_flow) || strchr(",]}", *start)
        || ((*start == '-' || *start == '?') && ends_word(start[1])))
        return refuse(p, start, "a value was expected here");
    if (indent_of(p, start) == 0
        && (strncmp(start, "---", 3) == 0 || strncmp(start, "...", 3) == 0)
        && ends_word(start[3]))
        return refuse(p, start, "a text of several documents");
    while (!ends_plain(p->at, in_flow))
        p->at++;
    end = p->at;
    while (end > start && is_blank(end[-1]))
        end--;
    n->text = gs_arena_strndup(p->arena, start, (size_t)(end - start));
    n->len = (uint32_t)(end - start);
    return n;
}

static struct gs_ynode *text_read(struct plain *p, bool in_flow)
{
    struct gs_ynode *n = *p->at == '\'' || *p->at == '"'
                             ? quoted_read(p)
                             : plain_read(p, in_flow);

    if (n && n->len > GS_YAML_SCALAR_MAX)
        return refuse(p, p->at, "a text is too long");
    return n;
}

/* The null value of a missing value. */
static struct gs_ynode *nothing(const struct plain *p)
{
    struct gs_ynode *n = node_make(p, GS_YSCALAR, p->at);

    n->text = "";
    return n;
}

/* --- maps and lists ------------------------------------------------------- */

static int key_check(const struct plain *p, const struct gs_ynode *map,
                     const struct gs_ynode *key)
{
    const struct gs_mark at = { p->name, key->line, key->column };

    if (!key->quoted && strcmp(key->text, "<<") == 0)
        return gs_fail(p->err, GS_INPUT, at,
                       "merge keys ('<<') are not supported");
    for (const struct gs_ynode *v = map->child; v; v = v->next) {
        if (strcmp(v->key->text, key->text) == 0)
            return gs_fail(p->err, GS_INPUT, at,
                           "duplicate key '%s' (first at line %d)", key->text,
                           v->key->line);
    }
    return 0;
}

static void append(struct gs_ynode *to, const struct gs_ynode ***end,
                   struct gs_ynode *n)
{
    if (!*end)
        *end = &to->child;
    **end = n;
    *end = &n->next;
    to->len++;
}

/* Skip the colon after a key; false when there is none. */
static bool colon_take(struct plain *p, bool in_flow)
{
    const char *at = p->at;

    while (is_blank(*at))
        at++;
    if (*at != ':'
        || !(ends_word(at[1]) || (in_flow && strchr(",[]{}", at[1]))))
        return false;
    p->at = at + 1;
    return true;
}

static struct gs_ynode *flow_read(struct plain *p, int depth);

/* Read the value of a key in a flow map, which may be missing. */
static struct gs_ynode *flow_value(struct plain *p, int depth)
{
    if (!colon_take(p, true))
        return nothing(p);
    skip_lines(p);
    return *p->at == ',' || *p->at == '}' ? nothing(p) : flow_read(p, depth);
}

/* Read a list in brackets, a map in braces, or a scalar. */
static struct gs_ynode *flow_read(struct plain *p, int depth)
{
    const bool is_map = *p->at == '{';
    const char close = is_map ? '}' : ']';
    const struct gs_ynode **end = NULL;
    struct gs_ynode *n;

    if (*p->at != '{' && *p->at != '[')
        return text_read(p, true);
    if (depth > GS_YAML_DEPTH_MAX)
        return refuse(p, p->at, "nested too deep");
    n = node_make(p, is_map ? GS_YMAP : GS_YSEQ, p->at++);
    for (skip_lines(p); *p->at != close; skip_lines(p)) {
        struct gs_ynode *item = is_map ? text_read(p, true)
                                       : flow_read(p, depth + 1);

        if (item && is_map) {
            const struct gs_ynode *key = item;

            item = key_check(p, n, key) < 0 ? NULL : flow_value(p, depth + 1);
            if (item)
                item->key = key;
        }
        if (!item)
            return NULL;
        append(n, &end, item);
        skip_lines(p);
        if (*p->at == ',')
            p->at++;
        else if (*p->at != close)
            return refuse(p, p->at,
                          is_map ? "did not find expected ',' or '}'"
                                 : "did not find expected ',' or ']'");
    }
    p->at++;
    return n;
}

static struct gs_ynode *inline_read(struct plain *p, int depth)
{
    return *p->at == '{' || *p->at == '[' ? flow_read(p, depth)
                                          : text_read(p, false);
}

static struct gs_ynode *block_read(struct plain *p, int depth);

/* Read the node after a key or a dash: on its line, or indented below it. */
static struct gs_ynode *below(struct plain *p, size_t indent, bool may_nest,
                              bool is_value, int depth)
{
    struct gs_ynode *n;

    skip_blanks(p);
    if (*p->at && *p->at != '\n') {
        if (may_nest)
            return block_read(p, depth);
        n = inline_read(p, depth);
        skip_blanks(p);
        if (n && *p->at && *p->at != '\n')
            return refuse(p, p->at,
                          "mapping values are not allowed in this "
                          "context");
        return n;
    }
    n = nothing(p);
    skip_lines(p);
    if (*p->at
        && (indent_of(p, p->at) > indent
            /* a list may be below its key without indentation */
            || (is_value && indent_of(p, p->at) == indent && *p->at == '-'
                && ends_word(p->at[1]))))
        return block_read(p, depth);
    return n;
}

static struct gs_ynode *list_read(struct plain *p, int depth)
{
    const size_t indent = indent_of(p, p->at);
    const struct gs_ynode **end = NULL;
    struct gs_ynode *n = node_make(p, GS_YSEQ, p->at);

    while (*p->at == '-' && ends_word(p->at[1])
           && indent_of(p, p->at) == indent) {
        struct gs_ynode *item;

        p->at++;
        item = below(p, indent, true, false, depth + 1);
        if (!item)
            return NULL;
        append(n, &end, item);
        skip_lines(p);
    }
    return n;
}

/* Read a map whose first key is `key`, with the colon skipped. */
static struct gs_ynode *map_read(struct plain *p, struct gs_ynode *key,
                                 size_t indent, const char *at, int depth)
{
    const struct gs_ynode **end = NULL;
    struct gs_ynode *n = node_make(p, GS_YMAP, at);

    for (;;) {
        struct gs_ynode *value;

        if (key_check(p, n, key) < 0)
            return NULL;
        value = below(p, indent, false, true, depth + 1);
        if (!value)
            return NULL;
        value->key = key;
        append(n, &end, value);
        skip_lines(p);
        if (!*p->at || indent_of(p, p->at) != indent)
            return n;
        key = text_read(p, false);
        if (!key)
            return NULL;
        if (!colon_take(p, false))
            return refuse(p, p->at, "could not find expected ':'");
    }
}

/* Read the block node that begins here. */
static struct gs_ynode *block_read(struct plain *p, int depth)
{
    const char *const start = p->at;
    const size_t indent = indent_of(p, start);
    struct gs_ynode *n;

    if (depth > GS_YAML_DEPTH_MAX)
        return refuse(p, start, "nested too deep");
    if (memchr(start - indent, '\t', indent))
        return refuse(p, start, "a tab where blanks are needed");
    if (*start == '-' && ends_word(start[1]))
        return list_read(p, depth);
    n = inline_read(p, depth);
    if (n && colon_take(p, false))
        return n->kind == GS_YSCALAR
                   ? map_read(p, n, indent, start, depth)
                   : refuse(p, start, "a key must be a plain text");
    return n;
}

const struct gs_ynode *gs_yaml_plain(const char *name, const char *text,
                                     struct gs_arena *arena, struct gs_err *err)
{
    struct plain p = { name, text, text, arena, err };
    const struct gs_ynode *root;

    assert(name && text && arena);
    for (const char *line = text; *line;) {
        const size_t len = strcspn(line, "\n\t");

        if (!gs_text_is_clean(line, len))
            return refuse(&p, line, "a character that cannot be seen");
        line += len + (line[len] != '\0');
    }
    skip_lines(&p);
    if (!*p.at)
        return refuse(&p, text, "the text is empty");
    root = block_read(&p, 0);
    skip_lines(&p);
    if (root && *p.at)
        return refuse(&p, p.at,
                      "something stands here that belongs to "
                      "nothing before it");
    return root;
}
