/* sim/cli/instant.h - the time of a run that an option names. */
#ifndef CLI_INSTANT_H
#define CLI_INSTANT_H

#include <stdint.h>

struct gs_err;
struct inputs;

/* "2h", or a date where the trace that was read states its epoch; us. */
int cmd_instant_parse(const char *text, const struct inputs *in, int64_t *us,
                      struct gs_err *err);

#endif /* CLI_INSTANT_H */
