/* base/yamldocs.c - several documents in one input, see gs_yaml_documents.
 *
 * A line "---" ends a document whatever stands before it, so the input is cut
 * there and each part gets a parser of its own: documents_read() opens it on
 * part_read(), part_read() gives bytes up to the next such line, and
 * part_skip() goes there after a mistake.
 */
#include "base/yamldoc.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/input.h"
#include "base/yamlreader.h"

#define BUFFER_SIZE (1u << 16)

static const struct gs_ylimits foreign_limits = {
    .depth = 128,
    .nodes = 1u << 20,
    .scalar = 1u << 24,
    .aliases = 100000,
    .bytes = 1u << 26,
};

/* --- parts of the input --------------------------------------------------- */

struct parts {
    struct gs_input *in;
    char *buf;
    size_t from, to; /* range of `buf` not yet passed on */
    uint64_t lines;  /* lines passed on */
    bool is_input_end;
    bool is_in_line;  /* part of the line at `from` was passed on */
    bool is_begun;    /* a "---" or anything except comments was passed on */
    bool is_part_end; /* the line at `from` begins the next part */
    struct gs_err *err;
    bool has_failed;
    const struct gs_yevents *events; /* the active parser; NULL: none */
    uint64_t taken, bytes;           /* bytes passed on since event number
                                        `taken` */
};

static int fill(struct parts *p)
{
    while (p->to - p->from < BUFFER_SIZE / 2 && !p->is_input_end) {
        size_t got;

        memmove(p->buf, p->buf + p->from, p->to - p->from);
        p->to -= p->from;
        p->from = 0;
        if (gs_input_read(p->in, p->buf + p->to, BUFFER_SIZE - p->to, &got,
                          p->err)
            < 0) {
            p->has_failed = true;
            return -1;
        }
        p->to += got;
        p->is_input_end = got == 0;
    }
    return 0;
}

/* True when the line is a marker: three characters `c`, then a blank or the
 * end.
 */
static bool is_marker(const char *line, size_t len, char c)
{
    return len >= 3 && line[0] == c && line[1] == c && line[2] == c
           && (len == 3 || strchr(" \t\r\n", line[3]));
}

/* Clear a line of tabs and blanks only: libyaml does not treat it as empty. */
static void blank_line(char *line, size_t len)
{
    size_t n = 0;

    while (n < len && (line[n] == ' ' || line[n] == '\t' || line[n] == '\r'))
        n++;
    if (n == len || line[n] != '\n')
        return;
    for (size_t i = 0; i < n; i++)
        line[i] = line[i] == '\t' ? ' ' : line[i];
}

/* At the start of a line: true when it belongs to this part. */
static bool line_begins(struct parts *p)
{
    char *line = p->buf + p->from;
    const size_t len = p->to - p->from;

    if (is_marker(line, len, '-')) {
        p->is_part_end = p->is_begun;
        p->is_begun = true;
    } else if (is_marker(line, len, '.')) {
        p->is_begun = false;
    } else if (!strchr("#%\r\n", *line)) {
        p->is_begun = true;
    }
    blank_line(line, len);
    return !p->is_part_end;
}

/* Fail when one event takes too many bytes: the parser keeps them until it is
 * complete.
 */
static int event_bound(struct parts *p, struct gs_err *err)
{
    if (!p->events || p->events->taken != p->taken) {
        p->taken = p->events ? p->events->taken : 0;
        p->bytes = 0;
    }
    if (p->bytes <= foreign_limits.scalar + BUFFER_SIZE)
        return 0;
    return gs_fail(
        err, GS_LIMIT,
        (struct gs_mark){ gs_input_name(p->in), (int)p->lines + 1, 0 },
        "a text may hold at most %u bytes", foreign_limits.scalar);
}

/* A gs_yread_bytes_fn: the bytes of one part. */
static int part_read(void *source, void *buf, size_t size, size_t *got,
                     struct gs_err *err)
{
    struct parts *p = source;
    char *to = buf;

    *got = 0;
    if (event_bound(p, err) < 0)
        return -1;
    while (*got < size && !p->is_part_end) {
        const char *end;
        size_t len;

        if (fill(p) < 0) /* p->err has the reason */
            return -1;
        if (p->from == p->to || (!p->is_in_line && !line_begins(p)))
            break;
        len = p->to - p->from < size - *got ? p->to - p->from : size - *got;
        end = memchr(p->buf + p->from, '\n', len);
        if (end)
            len = (size_t)(end + 1 - (p->buf + p->from));
        memcpy(to + *got, p->buf + p->from, len);
        *got += len;
        p->from += len;
        p->lines += end != NULL;
        p->is_in_line = end == NULL;
    }
    p->bytes += *got;
    return 0;
}

static int part_skip(struct parts *p)
{
    char buf[4096];
    size_t got;

    p->events = NULL;

    do {
        if (part_read(p, buf, sizeof(buf), &got, NULL) < 0)
            return -1;
    } while (got > 0);
    return 0;
}

/* Begin the next part; false when there is none. */
static bool part_next(struct parts *p)
{
    const bool is_more = p->is_part_end;

    p->is_part_end = p->is_begun = false;
    return is_more;
}

/* --- documents ------------------------------------------------------------ */

/* Read the documents of one part: one, or more after lines "...".  -1 at a
 * mistake, or without a problem when a callback stops the reading.
 */
static int documents_read(struct gs_yreader *r,
                          const struct gs_ydocuments *docs)
{
    for (;;) {
        const struct gs_ynode *root;
        const yaml_event_t *e;
        int rc = 0;

        if (gs_yevents_next(&r->events, &e) < 0)
            return -1;
        if (e->type == YAML_STREAM_END_EVENT)
            return 0;
        if (e->type != YAML_STREAM_START_EVENT
            && e->type != YAML_DOCUMENT_START_EVENT
            && e->type != YAML_DOCUMENT_END_EVENT) {
            root = gs_yreader_node(r, e, 0);
            rc = root ? 0 : -1;
            if (root && !gs_ynode_is_null(root))
                rc = docs->document(docs->ctx, root);
            gs_yreader_forget(r);
        }
        if (rc < 0)
            return -1;
    }
}

/* Read one part.  -1: stop reading. */
static int part_take(struct parts *p, struct gs_yreader *r,
                     const struct gs_ydocuments *docs)
{
    struct gs_err why = { 0 };
    int rc;

    r->err = &why;
    if (gs_yevents_open_part(&r->events, p->in, p->lines, part_read, p, &why)
        < 0) {
        gs_err_append(p->err, &why);
        return -1;
    }
    p->events = &r->events;
    rc = documents_read(r, docs);
    gs_yevents_close(&r->events);
    gs_yreader_forget(r);
    if (p->has_failed || (rc < 0 && why.count == 0))
        return -1;
    if (rc < 0 && docs->refused(docs->ctx, &why) < 0)
        return -1;
    return part_skip(p);
}

int gs_yaml_documents(struct gs_input *in, const struct gs_ydocuments *docs,
                      struct gs_err *err)
{
    struct parts p = { .in = in, .err = err };
    struct gs_yreader r = {
        .in = in,
        .stream = docs->stream,
        .wants = docs->wants,
        .replaced = docs->replaced,
        .docs_ctx = docs->ctx,
        .limits = &foreign_limits,
        .unread = docs->unread,
        .unread_count = docs->unread_count,
        .is_foreign = true,
        .path_from = 1,
    };
    int rc;

    assert(in && docs->document && docs->refused);
    p.buf = gs_array_new(BUFFER_SIZE, 1);
    r.doc = r.arena = gs_arena_create(1 << 16);
    r.item = gs_arena_create(1 << 16);
    do
        rc = part_take(&p, &r, docs);
    while (rc == 0 && part_next(&p));
    gs_arena_destroy(r.doc);
    gs_arena_destroy(r.item);
    gs_array_free(r.anchor);
    gs_array_free(p.buf);
    return rc;
}
