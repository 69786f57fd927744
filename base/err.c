/* base/err.c - problems with their places; no function allocates. */
#include "base/err.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static bool is_same(const struct gs_problem *a, const struct gs_problem *b)
{
    return a->line == b->line && a->column == b->column
           && strcmp(a->source, b->source) == 0
           && strcmp(a->text, b->text) == 0;
}

int gs_fail(struct gs_err *err, enum gs_code code, struct gs_mark at,
            const char *fmt, ...)
{
    struct gs_problem *p;
    va_list ap;

    assert(code != GS_OK);
    assert(at.line >= 0 && at.column >= 0);
    assert(at.line > 0 || at.column == 0);
    if (!err || err->count >= GS_ERR_MAX
        || err->count >= (err->limit ? err->limit : 1))
        return -1;
    if (err->count == 0)
        err->code = code;
    p = &err->problem[err->count++];
    p->line = at.line;
    p->column = at.column;
    p->source[0] = '\0';
    if (at.source) {
        const size_t len = strlen(at.source);
        const size_t max = sizeof(p->source) - 1;

        snprintf(p->source, sizeof(p->source), "%s",
                 len > max ? at.source + (len - max) : at.source);
    }
    va_start(ap, fmt);
    if ((size_t)vsnprintf(p->text, sizeof(p->text), fmt, ap) >= sizeof(p->text))
        strcpy(p->text + sizeof(p->text) - 4, "...");
    va_end(ap);
    gs_text_clean(p->source);
    gs_text_clean(p->text);
    for (const struct gs_problem *q = err->problem; q < p; q++)
        err->count -= is_same(p, q);
    return -1;
}

void gs_err_append(struct gs_err *err, const struct gs_err *from)
{
    assert(from && from != err && from->count <= GS_ERR_MAX);
    for (unsigned i = 0; i < from->count; i++) {
        const struct gs_problem *p = &from->problem[i];

        gs_fail(err, from->code,
                (struct gs_mark){ p->source, p->line, p->column }, "%s",
                p->text);
    }
}

/* The first problem of the same file. */
static unsigned first_of(const struct gs_err *err, const struct gs_problem *p)
{
    unsigned i = 0;

    while (i < err->count && strcmp(err->problem[i].source, p->source) != 0)
        i++;
    return i;
}

static bool is_before(const struct gs_problem *a, const struct gs_problem *b)
{
    return a->line != b->line ? a->line < b->line : a->column < b->column;
}

void gs_err_sort(struct gs_err *err)
{
    unsigned file[GS_ERR_MAX];

    assert(err && err->count <= GS_ERR_MAX);
    for (unsigned i = 0; i < err->count; i++)
        file[i] = first_of(err, &err->problem[i]);
    for (unsigned i = 1; i < err->count; i++) {
        const struct gs_problem p = err->problem[i];
        const unsigned f = file[i];
        unsigned k = i;

        for (;
             k > 0
             && (f < file[k - 1]
                 || (f == file[k - 1] && is_before(&p, &err->problem[k - 1])));
             k--) {
            err->problem[k] = err->problem[k - 1];
            file[k] = file[k - 1];
        }
        err->problem[k] = p;
        file[k] = f;
    }
}

bool gs_err_wants_more(const struct gs_err *err)
{
    return err && err->count < err->limit && err->count < GS_ERR_MAX;
}

const char *gs_err_format(const struct gs_err *err, unsigned i, char *buf,
                          size_t size)
{
    const struct gs_problem *p = &err->problem[i];

    assert(err && i < err->count && size > 0);
    if (p->source[0] == '\0')
        snprintf(buf, size, "%s", p->text);
    else if (p->line == 0)
        snprintf(buf, size, "%s: %s", p->source, p->text);
    else if (p->column == 0)
        snprintf(buf, size, "%s:%d: %s", p->source, p->line, p->text);
    else
        snprintf(buf, size, "%s:%d:%d: %s", p->source, p->line, p->column,
                 p->text);
    return buf;
}

#define NEAR_LENGTH 64u

/* Edits (insert, delete, replace, swap) that turn `a` into `b`. */
static unsigned distance(const char *a, size_t n, const char *b, size_t m)
{
    unsigned row[3][NEAR_LENGTH + 1];

    assert(n <= NEAR_LENGTH && m <= NEAR_LENGTH);
    for (size_t k = 0; k <= m; k++)
        row[0][k] = (unsigned)k;
    for (size_t i = 1; i <= n; i++) {
        unsigned *now = row[i % 3];
        const unsigned *up = row[(i + 2) % 3], *two = row[(i + 1) % 3];

        now[0] = (unsigned)i;
        for (size_t k = 1; k <= m; k++) {
            unsigned d = up[k - 1] + (a[i - 1] != b[k - 1]);

            d = up[k] + 1 < d ? up[k] + 1 : d;
            d = now[k - 1] + 1 < d ? now[k - 1] + 1 : d;
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]
                && two[k - 2] + 1 < d)
                d = two[k - 2] + 1;
            now[k] = d;
        }
    }
    return row[n % 3][m];
}

const char *gs_nearest(const char *word, const char *const *known, size_t count)
{
    const size_t n = strlen(word);
    const char *best = NULL;
    size_t begins = 0; /* length of the common prefix with the best entry */
    unsigned least = 3;

    assert(word && (known || count == 0));
    for (size_t i = 0; n <= NEAR_LENGTH && i < count; i++) {
        const size_t m = strlen(known[i]);
        size_t same = 0;
        unsigned d;

        if (m > NEAR_LENGTH)
            continue;
        while (same < n && word[same] == known[i][same])
            same++;
        d = distance(word, n, known[i], m);
        if ((d < least || (best && d == least && same > begins))
            && d * 2 < (n > m ? n : m) + 1) {
            least = d;
            begins = same;
            best = known[i];
        }
    }
    return best;
}

const char *gs_names_join(char *buf, size_t size, const char *const *name,
                          size_t count)
{
    static const char more[] = "...";
    size_t at = 0;

    assert(size >= 2 * sizeof(more));
    buf[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const size_t comma = i ? 2 : 0, len = strlen(name[i]);
        /* room for ", ..." behind it, unless it is the last */
        const size_t tail = i + 1 < count ? 2 + sizeof(more) : 1;

        if (at + comma + len + tail > size) {
            strcpy(buf + at, i ? ", ..." : more);
            break;
        }
        if (comma)
            memcpy(buf + at, ", ", comma);
        memcpy(buf + at + comma, name[i], len + 1);
        at += comma + len;
    }
    return buf;
}
