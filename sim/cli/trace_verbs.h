/* sim/cli/trace_verbs.h - options of all commands that read a trace, and the
 * verbs of gsim trace.
 */
#ifndef CLI_TRACE_VERBS_H
#define CLI_TRACE_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cli/cmd.h"
#include "sim/cli/source_flags.h"
#include "traces/formats/reader.h"

struct cmd_trace_flags {
    const char *format, *processors, *timezone, *columns;
    uint64_t task_size, limit;
    bool arrivals_only;
    struct cmd_source_flags source;
};

/* The flags of a command line without any. */
#define CMD_TRACE_NONE            \
    {                             \
        .source = CMD_SOURCE_NONE \
    }

#define CMD_TRACE_FLAG(base, field) \
    ((base) + offsetof(struct cmd_trace_flags, field))

/* Options for flags at offset `base`; `format` is the old name of
 * --from-format.
 */
#define CMD_TRACE_TAKES(base)                                                \
    { .id = OPT_FROM_FORMAT,                                                 \
      CMD_TRACE_FLAG(base, format),                                          \
      .alias = "format" },                                                   \
        { .id = OPT_TASK_SIZE,                                               \
          CMD_TRACE_FLAG(base, task_size),                                   \
          .max = UINT32_MAX },                                               \
        { .id = OPT_PROCESSORS, CMD_TRACE_FLAG(base, processors) },          \
        { .id = OPT_ARRIVALS_ONLY, CMD_TRACE_FLAG(base, arrivals_only) },    \
        { .id = OPT_COLUMNS, CMD_TRACE_FLAG(base, columns) },                \
        { .id = OPT_TIMEZONE, CMD_TRACE_FLAG(base, timezone) },              \
        { .id = OPT_LIMIT, CMD_TRACE_FLAG(base, limit), .max = UINT32_MAX }, \
        CMD_SOURCE_TAKES(CMD_TRACE_FLAG(base, source))

struct trace_options cmd_trace_options(const struct cmd_trace_flags *f);

extern const struct cmd cmd_trace_info, cmd_trace_convert, cmd_trace_generate,
    cmd_trace_fit, cmd_trace_sample, cmd_trace_merge, cmd_trace_scale;

/* How to read a trace, and where to write one: the first members of the options
 * of every verb.
 */
struct trace_verb {
    struct cmd_trace_flags read;
    const char *out, *to;
};

/* The options without any. */
#define TRACE_VERB_NONE        \
    {                          \
        .read = CMD_TRACE_NONE \
    }

#define TRACE_VERB_AT(field) offsetof(struct trace_verb, field)
/* The options; --to is the old name of --format. */
#define TRACE_VERB_READS CMD_TRACE_TAKES(TRACE_VERB_AT(read))
#define TRACE_VERB_WRITES                                            \
    { .id = OPT_OUT, TRACE_VERB_AT(out), "standard output" },        \
    {                                                                \
        .id = OPT_FORMAT, TRACE_VERB_AT(to), "by the name of --out", \
        "yaml csv", "to"                                             \
    }

/* Read the trace at `path` into `in`. */
int trace_verb_read(struct inputs *in, const struct trace_verb *o,
                    const char *path, struct gs_err *err);
/* Write the workload of call->in; the options of the command begin with a
 * struct trace_verb.  On failure no file is left.
 */
int trace_verb_write(const struct cmd_call *call, struct gs_err *err);

#endif /* CLI_TRACE_VERBS_H */
