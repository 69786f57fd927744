/* base/yamlevent.h - libyaml's events of an input, for the readers in base. */
#ifndef GS_YAMLEVENT_H
#define GS_YAMLEVENT_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

struct gs_err;
struct gs_input;

struct gs_yevents {
    yaml_parser_t parser;
    struct gs_input *in;
    struct gs_err *err;
    uint64_t lines;   /* ends of lines given to the parser */
    bool read_failed; /* err says why already */
};

/* The struct stays where it is while open: the parser points at it. */
int gs_yevents_open(struct gs_yevents *s, struct gs_input *in,
                    struct gs_err *err);
void gs_yevents_close(struct gs_yevents *s);

/* The next event, which is the caller's to delete; -1 with a problem at its
 * place.
 */
int gs_yevents_next(struct gs_yevents *s, yaml_event_t *e);

#endif /* GS_YAMLEVENT_H */
