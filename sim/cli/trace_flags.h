/* sim/cli/trace_flags.h - the options of every command that reads a trace. */
#ifndef CLI_TRACE_FLAGS_H
#define CLI_TRACE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cli/cmd.h"

struct gs_err;
struct trace_options;

struct cmd_trace_flags {
    const char *format, *processors;
    uint64_t task_size, limit;
    bool arrivals_only;
};

#define CMD_TRACE_FLAG(base, field) \
    ((base) + offsetof(struct cmd_trace_flags, field))

/* Rows of a table of options, for flags that stand at offset `base`. */
#define CMD_TRACE_FLAGS(base)                                                \
    { "format", CMD_TEXT, "F",                                               \
      "force the trace's format: yaml, csv, swf, openb, philly, itp, muri",  \
      CMD_TRACE_FLAG(base, format) },                                        \
        { "task-size", CMD_COUNT, "N",                                       \
          "GPUs (SWF: processors) in one task, for formats that do not say " \
          "(8, SWF 1)",                                                      \
          CMD_TRACE_FLAG(base, task_size) },                                 \
        { "processors", CMD_TEXT, "KIND",                                    \
          "SWF: a processor is a cpu or a gpu (cpu)",                        \
          CMD_TRACE_FLAG(base, processors) },                                \
        { "arrivals-only", CMD_FLAG, NULL, "openb: nobody leaves",           \
          CMD_TRACE_FLAG(base, arrivals_only) },                             \
    {                                                                        \
        "limit", CMD_COUNT, "N", "only the first N jobs",                    \
            CMD_TRACE_FLAG(base, limit)                                      \
    }

/* What they say; GS_USAGE with what is allowed. */
int cmd_trace_flags_read(const struct cmd_trace_flags *f,
                         struct trace_options *out, struct gs_err *err);

#endif /* CLI_TRACE_FLAGS_H */
