/* sim/cli/trace_verbs.h - the verbs of gsim trace, and what they share. */
#ifndef CLI_TRACE_VERBS_H
#define CLI_TRACE_VERBS_H

#include <stdbool.h>

#include "sim/cli/trace_flags.h"

struct inputs;

extern const struct cmd cmd_trace_info, cmd_trace_convert, cmd_trace_generate,
    cmd_trace_fit, cmd_trace_sample, cmd_trace_merge, cmd_trace_scale;

/* How a trace is read, and where one is written.  The first members of every
 * verb's options.
 */
struct trace_verb {
    struct cmd_trace_flags read;
    const char *out, *to;
};

#define TRACE_VERB_AT(field) offsetof(struct trace_verb, field)
/* Rows of a table of options. */
#define TRACE_VERB_READS CMD_TRACE_FLAGS(TRACE_VERB_AT(read))
#define TRACE_VERB_WRITES                                                     \
    { "out", CMD_TEXT, "FILE", "where to (-o; standard output)",              \
      TRACE_VERB_AT(out) },                                                   \
    {                                                                         \
        "to", CMD_TEXT, "F", "yaml or csv (told by --out)", TRACE_VERB_AT(to) \
    }

/* Read the trace at `path` into `in`. */
int trace_verb_read(struct inputs *in, const struct trace_verb *o,
                    const char *path, struct gs_err *err);
/* Write the workload of `in`; what cannot be written leaves no file. */
int trace_verb_write(const struct inputs *in, const struct trace_verb *o,
                     struct gs_err *err);
/* Is '--to' one of yaml and csv, if it is there at all? */
bool trace_verb_target_ok(const struct trace_verb *o);

/* The decimal number `text` of option `name`. */
int trace_verb_number(const char *name, const char *text, double *out,
                      struct gs_err *err);

#endif /* CLI_TRACE_VERBS_H */
