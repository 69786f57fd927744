/* import/slurm/conf_lines.c - see conf_lines.h. */
#include "import/slurm/conf_lines.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"

#define LINE_MAX_BYTES (4u << 20) /* of a logical line */
#define JOINTS_MAX 4096           /* lines that make one */

struct lines {
    struct gs_input *in;
    const struct slurm_line_taker *taker;
    char *text; /* the logical line */
    uint32_t cap, len;
    struct joint {
        uint32_t at; /* first byte of a line of the file */
        int line;
    } joint[JOINTS_MAX];
    uint32_t joints;
    struct slurm_pair pair[SLURM_PAIRS_MAX];
};

/* --- logical lines -------------------------------------------------------- */

/* Cut the comment; a backslash before '#' keeps it, and goes. */
static size_t comment_strip(char *line, size_t len)
{
    size_t to = 0;

    for (size_t i = 0; i < len; i++) {
        if (line[i] == '\\' && i + 1 < len && line[i + 1] == '#')
            line[to++] = line[++i];
        else if (line[i] == '#')
            break;
        else
            line[to++] = line[i];
    }
    while (to > 0 && isspace((unsigned char)line[to - 1]))
        to--;
    return to;
}

static struct gs_mark mark_at(const struct lines *l, const char *at)
{
    const uint32_t offset = (uint32_t)(at - l->text);
    uint32_t i = l->joints;

    while (i > 1 && l->joint[i - 1].at > offset)
        i--;
    return (struct gs_mark){ gs_input_name(l->in), l->joint[i - 1].line,
                             (int)(offset - l->joint[i - 1].at) + 1 };
}

/* 1 with a line in l->text, 0 at the end, -1 on failure. */
static int line_join(struct lines *l, struct gs_err *err)
{
    bool goes_on = true;
    size_t len;
    char *line;

    l->len = l->joints = 0;
    while (goes_on) {
        const int rc = gs_input_line(l->in, &line, &len, err);

        if (rc <= 0)
            return rc < 0 ? -1 : l->joints > 0;
        len = comment_strip(line, len);
        goes_on = len > 0 && line[len - 1] == '\\';
        len -= goes_on;
        if (l->len + len + 1 > LINE_MAX_BYTES || l->joints == JOINTS_MAX)
            return gs_fail(err, GS_LIMIT,
                           (struct gs_mark){ gs_input_name(l->in),
                                             gs_input_line_number(l->in), 0 },
                           "a line with its continuations is too long");
        l->joint[l->joints++] = (struct joint){ l->len,
                                                gs_input_line_number(l->in) };
        l->text = gs_array_grow(l->text, &l->cap, l->len + (uint32_t)len + 1,
                                1);
        memcpy(l->text + l->len, line, len);
        l->len += (uint32_t)len;
        l->text[l->len] = '\0';
    }
    return 1;
}

/* --- pairs ---------------------------------------------------------------- */

static char *blanks_skip(char *p)
{
    while (*p && isspace((unsigned char)*p))
        p++;
    return p;
}

static bool is_key(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '/';
}

static int refuse(const struct lines *l, const char *at, struct gs_err *err)
{
    const bool is_template = strstr(at, "{{") || strstr(at, "{%")
                             || strstr(at, "<%");

    return gs_fail(err, GS_INPUT, mark_at(l, at),
                   is_template
                       ? "is a template: gsim reads the file that is made of "
                         "it (got '%.60s')"
                       : "a line of Slurm's configuration consists of pairs "
                         "Key=Value (got '%.60s')",
                   at);
}

/* The value at p, NUL-terminated; *end is behind it. */
static char *value_take(char *p, char **end)
{
    char *from = p, *close;

    if (*p == '"' && (close = strchr(p + 1, '"')) != NULL) {
        from = p + 1;
        *close = '\0';
        *end = close + 1;
        return from;
    }
    while (*p && !isspace((unsigned char)*p))
        p++;
    *end = *p ? p + 1 : p;
    *p = '\0';
    return from;
}

/* "Key = value": its key is cut out at once, so `at` is its place before. */
static int pair_take(struct lines *l, char **at, struct slurm_pair *out,
                     struct gs_err *err)
{
    char *key = *at, *end = key, *p;
    struct gs_mark mark;

    while (is_key(*end))
        end++;
    p = blanks_skip(end);
    if ((*p == '+' || *p == '-') && p[1] == '=') /* Key+=Value: as Key=Value */
        p++;
    if (end == key || *p != '=')
        return refuse(l, key, err);
    mark = mark_at(l, key);
    p = blanks_skip(p + 1);
    if (*p == '=')
        p++; /* "Key==Value" */
    *end = '\0';
    out->value = value_take(p, at);
    out->key = key;
    out->line = mark.line;
    out->column = mark.column;
    return strstr(out->value, "{{") || strstr(out->value, "{%")
               ? refuse(l, out->value, err)
               : 0;
}

static int line_take(struct lines *l, struct gs_err *err)
{
    char *p = blanks_skip(l->text);
    uint32_t n = 0;

    if (!*p)
        return 0;
    if (strncasecmp(p, "include", 7) == 0 && isspace((unsigned char)p[7])) {
        const struct gs_mark at = mark_at(l, p);
        char *end;

        p = value_take(blanks_skip(p + 7), &end);
        return l->taker->include
                   ? l->taker->include(l->taker->ctx, p, at.line, err)
                   : 0;
    }
    for (; *p; p = blanks_skip(p), n++) {
        if (n == SLURM_PAIRS_MAX)
            return gs_fail(err, GS_LIMIT, mark_at(l, p),
                           "a line has more than %d pairs", SLURM_PAIRS_MAX);
        if (pair_take(l, &p, &l->pair[n], err) < 0)
            return -1;
    }
    return l->taker->pairs(l->taker->ctx, l->pair, n, err);
}

int slurm_conf_lines(struct gs_input *in, const struct slurm_line_taker *t,
                     struct gs_err *err)
{
    struct lines *l = gs_array_new(1, sizeof(*l));
    int more, rc = 0;

    assert(in && t && t->pairs);
    l->in = in;
    l->taker = t;
    while ((more = line_join(l, err)) > 0) {
        if (line_take(l, err) < 0) {
            rc = -1;
            if (!gs_err_wants_more(err))
                break;
        }
    }
    gs_array_free(l->text);
    gs_array_free(l);
    return more < 0 ? -1 : rc;
}
