/* base/yamlevent.h - libyaml's events of an input, one after the other.
 *
 * A thread reads the events of a large file ahead of those that were asked for.
 */
#ifndef GS_YAMLEVENT_H
#define GS_YAMLEVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

struct gs_err;
struct gs_input;

/* Reads up to `size` bytes into `buf`; *got is 0 at the end. */
typedef int (*gs_yread_bytes_fn)(void *source, void *buf, size_t size,
                                 size_t *got, struct gs_err *err);

struct gs_yahead;

struct gs_yevents {
    yaml_parser_t parser; /* the thread's, if there is one */
    struct gs_input *in;  /* names the file */
    gs_yread_bytes_fn read;
    void *source;
    struct gs_err *err;
    uint64_t taken;          /* events */
    uint64_t lines;          /* line ends passed to the parser so far */
    bool read_failed;        /* the reason is known already */
    bool is_whole;           /* a file of its own: a thread may read it */
    struct gs_yahead *ahead; /* what the thread read; NULL: there is none */
    yaml_event_t event;      /* the last one, without a thread */
};

/* `s` must not be moved while it is open: the parser points at it. */
int gs_yevents_open(struct gs_yevents *s, struct gs_input *in,
                    struct gs_err *err);
/* The same for a part of `in` that begins after `lines` lines and is read by
 * `read`.
 */
int gs_yevents_open_part(struct gs_yevents *s, struct gs_input *in,
                         uint64_t lines, gs_yread_bytes_fn read, void *source,
                         struct gs_err *err);
void gs_yevents_close(struct gs_yevents *s);

/* Read the next event, which is valid until the next call.  -1 with a problem
 * at its place.
 */
int gs_yevents_next(struct gs_yevents *s, const yaml_event_t **e);

#endif /* GS_YAMLEVENT_H */
