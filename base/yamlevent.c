/* base/yamlevent.c - libyaml's events of an input, see yamlevent.h. */
#include "base/yamlevent.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"

static int bytes_read(void *data, unsigned char *buffer, size_t size,
                      size_t *got)
{
    struct gs_yevents *s = data;

    if (s->read(s->source, buffer, size, got, s->err) < 0) {
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
    return gs_yevents_open_part(s, in, 0, input_read, in, err);
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

void gs_yevents_close(struct gs_yevents *s)
{
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

int gs_yevents_next(struct gs_yevents *s, yaml_event_t *e)
{
    const yaml_parser_t *p = &s->parser;
    struct gs_mark at = { gs_input_name(s->in), 0, 0 };

    assert(s->in && e);
    s->taken++;
    if (yaml_parser_parse(&s->parser, e))
        return 0;
    if (s->read_failed)
        return -1;
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
