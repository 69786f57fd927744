/* base/input_lines.c - lines of an input, see input.h; of a large file a thread
 * reads them ahead.
 */
#include <assert.h>
#include <string.h>

#include "base/ahead.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input_private.h"

#define AHEAD_AFTER 16384     /* lines: a smaller file needs no thread */
#define BLOCK_SIZE (1u << 18) /* bytes: a block with more ends */

struct lblock {
    char *text; /* lines, each with a NUL behind it */
    uint32_t text_cap;
    uint32_t *end; /* [count] of a line, where its NUL is */
    uint32_t end_cap, count;
    uint64_t hash; /* of the input, behind the last line */
};

struct gs_lines {
    struct gs_ahead *thread;
    struct lblock block[GS_AHEAD_BLOCKS];
    const struct lblock *now; /* NULL: none was taken */
    uint32_t next;            /* line in it */
    int read;                 /* lines that the thread read */
    uint64_t hash;
    bool failed;
    struct gs_err err; /* why */
};

/* Fill the buffer with a whole line, or the rest of the file.  Sets *end to its
 * end.  `line` is its number.
 */
static int line_fill(struct gs_input *in, int line, char **end,
                     struct gs_err *err)
{
    size_t seen = 0;

    assert(in->from <= in->to);
    for (;;) {
        const size_t left = in->to - in->from;

        *end = left > seen
                   ? memchr(in->out + in->from + seen, '\n', left - seen)
                   : NULL;
        if ((*end ? (size_t)(*end - in->out) - in->from : left)
            > GS_INPUT_LINE_MAX)
            return gs_fail(err, GS_LIMIT, (struct gs_mark){ in->name, line, 1 },
                           "a line may hold at most %u bytes",
                           GS_INPUT_LINE_MAX);
        if (*end || in->unpacked_end)
            return 0;
        seen = left;
        gs_input_shift(in);
        if (gs_input_fill(in, err) < 0)
            return -1;
    }
}

/* Take the next line, with a byte behind it: 1, 0, -1. */
static int line_take(struct gs_input *in, int number, char **line, size_t *len,
                     struct gs_err *err)
{
    char *end;

    if (line_fill(in, number, &end, err) < 0)
        return -1;
    if (!end && in->from == in->to)
        return 0;
    if (!end && in->to == in->out_cap)
        gs_input_shift(in); /* a last line needs its NUL */
    *line = in->out + in->from;
    *len = end ? (size_t)(end - *line) : in->to - in->from;
    in->from += *len + (end != NULL);
    return 1;
}

/* --- in a thread ---------------------------------------------------------- */

static void line_keep(struct lblock *b, const char *line, size_t len)
{
    const uint32_t from = b->count ? b->end[b->count - 1] + 1 : 0;

    b->text = gs_array_grow(b->text, &b->text_cap, from + (uint32_t)len + 1, 1);
    b->end = gs_array_grow(b->end, &b->end_cap, b->count + 1, sizeof(*b->end));
    memcpy(b->text + from, line, len);
    b->end[b->count++] = from + (uint32_t)len;
}

/* False: the file has no more, or cannot be read. */
static bool block_fill(void *ctx, void *block)
{
    struct gs_input *in = ctx;
    struct gs_lines *l = in->lines;
    struct lblock *b = block;
    int rc = 1;

    b->count = 0;
    while (rc > 0 && (b->count == 0 || b->end[b->count - 1] < BLOCK_SIZE)) {
        char *line;
        size_t len;

        rc = line_take(in, l->read + 1, &line, &len, &l->err);
        if (rc > 0)
            line_keep(b, line, len);
        l->read += rc > 0;
    }
    l->failed = rc < 0;
    b->hash = in->hash;
    return rc > 0;
}

void gs_lines_close(struct gs_lines *l)
{
    if (!l)
        return;
    gs_ahead_finish(l->thread);
    for (uint32_t i = 0; i < GS_AHEAD_BLOCKS; i++) {
        gs_array_free(l->block[i].text);
        gs_array_free(l->block[i].end);
    }
    gs_array_free(l);
}

static void lines_open(struct gs_input *in)
{
    void *block[GS_AHEAD_BLOCKS];

    in->lines = gs_array_new(1, sizeof(*in->lines));
    in->lines->read = in->line;
    in->lines->hash = in->hash;
    for (uint32_t i = 0; i < GS_AHEAD_BLOCKS; i++)
        block[i] = &in->lines->block[i];
    in->lines->thread = gs_ahead_start(block, block_fill, in);
    if (in->lines->thread)
        return;
    gs_lines_close(in->lines);
    in->lines = NULL;
}

static int line_next(struct gs_lines *l, char **line, size_t *len,
                     struct gs_err *err)
{
    const struct lblock *b = l->now;
    uint32_t from;

    while (!b || l->next == b->count) {
        b = gs_ahead_next(l->thread);
        if (!b) {
            if (l->failed)
                gs_err_append(err, &l->err);
            return l->failed ? -1 : 0;
        }
        l->now = b;
        l->next = 0;
        l->hash = b->hash;
    }
    from = l->next ? b->end[l->next - 1] + 1 : 0;
    *line = b->text + from;
    *len = b->end[l->next++] - from;
    return 1;
}

uint64_t gs_lines_hash(const struct gs_lines *l)
{
    return l->hash;
}

/* --- one by one ----------------------------------------------------------- */

int gs_input_line(struct gs_input *in, char **line, size_t *len,
                  struct gs_err *err)
{
    int rc;

    assert(line && len);
    if (in->line == AHEAD_AFTER && in->is_regular && !in->lines)
        lines_open(in);
    rc = in->lines ? line_next(in->lines, line, len, err)
                   : line_take(in, in->line + 1, line, len, err);
    if (rc <= 0)
        return rc;
    in->line++;
    if (*len && (*line)[*len - 1] == '\r')
        --*len;
    if (memchr(*line, '\0', *len))
        return gs_fail(err, GS_INPUT, (struct gs_mark){ in->name, in->line, 1 },
                       "a line of text may not hold a NUL byte");
    (*line)[*len] = '\0';
    return 1;
}

int gs_input_line_number(const struct gs_input *in)
{
    return in->line;
}
