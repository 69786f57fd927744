/* import/slurm/hostlist.c - see hostlist.h. */
#include "import/slurm/hostlist.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct expansion {
    slurm_host_fn take;
    void *ctx;
    const char **why;
    char name[SLURM_HOST_MAX];
};

static int refuse(struct expansion *x, const char *why)
{
    *x->why = why;
    return -2;
}

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* "007": its value and its width. */
static int number_read(const char **p, const char *end, uint64_t *value,
                       int *width)
{
    const char *from = *p;

    *value = 0;
    while (*p < end && **p >= '0' && **p <= '9' && *p - from < 18)
        *value = *value * 10 + (uint64_t)(*(*p)++ - '0');
    *width = (int)(*p - from);
    return *width ? 0 : -1;
}

static int token_expand(struct expansion *x, size_t at, const char *text,
                        const char *end);

/* The names of one range, "3" or "08-11", in front of `rest`. */
static int range_expand(struct expansion *x, size_t at, const char *from,
                        const char *to, const char *rest, const char *end)
{
    uint64_t low, high;
    int width, ignored, rc = 0;

    if (number_read(&from, to, &low, &width) < 0)
        return refuse(x, "a range in brackets is a number, or two with '-' "
                         "between");
    high = low;
    if (from < to
        && (*from++ != '-' || number_read(&from, to, &high, &ignored) < 0))
        return refuse(x, "a range in brackets is a number, or two with '-' "
                         "between");
    if (from != to)
        return refuse(x, "a range in brackets is a number, or two with '-' "
                         "between");
    if (low > high)
        return refuse(x, "the low bound of a range is above the high one");
    if (high - low >= SLURM_RANGE_MAX)
        return refuse(x, "a range has more than 65536 names");
    for (uint64_t n = low; rc == 0 && n <= high; n++) {
        const int len = snprintf(x->name + at, sizeof(x->name) - at,
                                 "%0*" PRIu64, width, n);

        if ((size_t)len >= sizeof(x->name) - at)
            return refuse(x, "a name is too long");
        rc = token_expand(x, at + (size_t)len, rest, end);
    }
    return rc;
}

/* The names that begin with the first `at` bytes of x->name and go on with the
 * text.
 */
static int token_expand(struct expansion *x, size_t at, const char *text,
                        const char *end)
{
    const char *open = memchr(text, '[', (size_t)(end - text));
    const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
    const char *stop = close ? open : end;
    const size_t len = (size_t)(stop - text);

    if (len >= sizeof(x->name) - at)
        return refuse(x, "a name is too long");
    memcpy(x->name + at, text, len);
    at += len;
    x->name[at] = '\0';
    if (!close)
        return at ? x->take(x->ctx, x->name, at) : 0;
    if (close + 1 < end && !memchr(close, '[', (size_t)(end - close)))
        return refuse(x, "text follows the last bracket");
    for (const char *p = open + 1; p <= close; p++) {
        const char *comma = memchr(p, ',', (size_t)(close - p));
        const char *to = comma ? comma : close;
        const int rc = range_expand(x, at, p, to, close + 1, end);

        if (rc < 0)
            return rc;
        p = to;
    }
    return 0;
}

/* The end of the token: commas in brackets are part of it. */
static const char *token_end(const char *text, const char *end)
{
    while (text < end && !is_separator(*text)) {
        const char *close = *text == '['
                                ? memchr(text, ']', (size_t)(end - text))
                                : NULL;

        text = close ? close + 1 : text + 1;
    }
    return text;
}

int slurm_hostlist_read(const char *text, size_t len, slurm_host_fn take,
                        void *ctx, const char **why)
{
    struct expansion x = { .take = take, .ctx = ctx, .why = why };
    const char *end = text + len;
    int rc = 0;

    assert(text && take && why);
    while (rc == 0 && text < end) {
        const char *stop = token_end(text, end);

        if (stop > text)
            rc = token_expand(&x, 0, text, stop);
        text = stop < end ? stop + 1 : end;
    }
    return rc;
}
