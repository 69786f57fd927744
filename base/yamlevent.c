/* base/yamlevent.c - libyaml's events of an input, see yamlevent.h. */
#include "base/yamlevent.h"

#include <assert.h>
#include <string.h>

#include "base/ahead.h"
#include "base/array.h"
#include "base/err.h"
#include "base/input.h"

#define AHEAD_AFTER 16384u /* events: a smaller file needs no thread */
#define BLOCK_EVENTS 2048u
#define BLOCK_BYTES (1u << 18) /* of texts: a block with more ends */

struct yblock {
    yaml_event_t event[BLOCK_EVENTS];
    uint32_t count;
};

struct gs_yahead {
    struct gs_ahead *thread;
    struct yblock block[GS_AHEAD_BLOCKS];
    const struct yblock *now; /* NULL: none was taken */
    uint32_t next;            /* event in it */
    struct gs_err err;        /* why bytes could not be read */
};

static int bytes_read(void *data, unsigned char *buffer, size_t size,
                      size_t *got)
{
    struct gs_yevents *s = data;

    if (s->read(s->source, buffer, size, got,
                s->ahead ? &s->ahead->err : s->err)
        < 0) {
        s->read_failed = true;
        return 0;
    }
    for (size_t i = 0; i < *got; i++)
        s->lines += buffer[i] == '\n';
    return 1;
}

static int input_read(void *source, void *buf, size_t size, size_t *got,
                      struct gs_err *err)
{
    return gs_input_read(source, buf, size, got, err);
}

int gs_yevents_open(struct gs_yevents *s, struct gs_input *in,
                    struct gs_err *err)
{
    const int rc = gs_yevents_open_part(s, in, 0, input_read, in, err);

    s->is_whole = true;
    return rc;
}

int gs_yevents_open_part(struct gs_yevents *s, struct gs_input *in,
                         uint64_t lines, gs_yread_bytes_fn read, void *source,
                         struct gs_err *err)
{
    assert(s && in && read);
    *s = (struct gs_yevents){
        .in = in, .read = read, .source = source, .err = err, .lines = lines
    };
    if (!yaml_parser_initialize(&s->parser))
        return gs_fail(err, GS_IO, (struct gs_mark){ gs_input_name(in), 0, 0 },
                       "out of memory");
    yaml_parser_set_encoding(&s->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input(&s->parser, bytes_read, s);
    s->parser.mark.line = (size_t)lines;
    return 0;
}

/* --- in a thread ---------------------------------------------------------- */

static void block_empty(struct yblock *b)
{
    while (b->count)
        yaml_event_delete(&b->event[--b->count]);
}

/* False: the last event of the block is the last of all, or it cannot be read.
 */
static bool block_fill(void *ctx, void *block)
{
    struct gs_yevents *s = ctx;
    struct yblock *b = block;
    size_t bytes = 0;

    block_empty(b);
    while (b->count < BLOCK_EVENTS && bytes < BLOCK_BYTES) {
        yaml_event_t *e = &b->event[b->count];

        if (!yaml_parser_parse(&s->parser, e))
            return false;
        b->count++;
        if (e->type == YAML_STREAM_END_EVENT)
            return false;
        if (e->type == YAML_SCALAR_EVENT)
            bytes += e->data.scalar.length;
    }
    return true;
}

static void ahead_close(struct gs_yevents *s)
{
    if (!s->ahead)
        return;
    gs_ahead_finish(s->ahead->thread);
    for (uint32_t i = 0; i < GS_AHEAD_BLOCKS; i++)
        block_empty(&s->ahead->block[i]);
    gs_array_free(s->ahead);
    s->ahead = NULL;
}

static void ahead_open(struct gs_yevents *s)
{
    void *block[GS_AHEAD_BLOCKS];

    s->ahead = gs_array_new(1, sizeof(*s->ahead));
    for (uint32_t i = 0; i < GS_AHEAD_BLOCKS; i++)
        block[i] = &s->ahead->block[i];
    s->ahead->thread = gs_ahead_start(block, block_fill, s);
    if (!s->ahead->thread)
        ahead_close(s);
}

/* The next event; NULL: there is none, or it cannot be read. */
static const yaml_event_t *ahead_next(struct gs_yahead *a)
{
    while (!a->now || a->next == a->now->count) {
        a->now = gs_ahead_next(a->thread);
        a->next = 0;
        if (!a->now)
            return NULL;
    }
    return &a->now->event[a->next++];
}

/* --- one by one ----------------------------------------------------------- */

void gs_yevents_close(struct gs_yevents *s)
{
    ahead_close(s);
    yaml_event_delete(&s->event);
    yaml_parser_delete(&s->parser);
}

/* True at a tab: libyaml reports only that it begins no token. */
static bool stands_at_tab(const yaml_parser_t *p)
{
    return p->error == YAML_SCANNER_ERROR && p->buffer.pointer
           && p->buffer.pointer < p->buffer.last && *p->buffer.pointer == '\t';
}

/* The place of bytes that are not text: the marks of the parser are behind its
 * reader.
 */
static struct gs_mark mark_of_bytes(const struct gs_yevents *s)
{
    const yaml_parser_t *p = &s->parser;
    const unsigned char *at = p->raw_buffer.pointer, *from = at;
    struct gs_mark mark = { gs_input_name(s->in), (int)s->lines + 1, 0 };

    for (const unsigned char *c = at; c < p->raw_buffer.last; c++)
        mark.line -= *c == '\n';
    while (from > p->raw_buffer.start && from[-1] != '\n')
        from--;
    if (from > p->raw_buffer.start || p->offset == (size_t)(at - from))
        mark.column = (int)(at - from) + 1;
    return mark;
}

static int next_fail(struct gs_yevents *s)
{
    const yaml_parser_t *p = &s->parser;
    struct gs_mark at = { gs_input_name(s->in), 0, 0 };

    if (s->read_failed) {
        if (s->ahead)
            gs_err_append(s->err, &s->ahead->err);
        return -1;
    }
    if (p->error == YAML_MEMORY_ERROR)
        gs_no_memory();
    at.line = (int)p->problem_mark.line + 1;
    at.column = (int)p->problem_mark.column + 1;
    if (p->error == YAML_READER_ERROR)
        at = mark_of_bytes(s);
    return gs_fail(s->err, GS_INPUT, at, "not valid YAML: %s",
                   stands_at_tab(p) ? "a tab where blanks are needed"
                   : p->problem     ? p->problem
                                    : "unreadable");
}

int gs_yevents_next(struct gs_yevents *s, const yaml_event_t **e)
{
    assert(s->in && e);
    if (s->taken++ == AHEAD_AFTER && s->is_whole)
        ahead_open(s);
    if (s->ahead) {
        *e = ahead_next(s->ahead);
        return *e ? 0 : next_fail(s);
    }
    *e = &s->event;
    yaml_event_delete(&s->event);
    return yaml_parser_parse(&s->parser, &s->event) ? 0 : next_fail(s);
}
