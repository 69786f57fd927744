/* sim/cli/trace_flags.h - the options of every command that reads a trace. */
#ifndef CLI_TRACE_FLAGS_H
#define CLI_TRACE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cli/cmd.h"
#include "traces/formats/reader.h"

struct cmd_trace_flags {
    const char *format, *processors;
    uint64_t task_size, limit;
    bool arrivals_only;
};

#define CMD_TRACE_FLAG(base, field) \
    ((base) + offsetof(struct cmd_trace_flags, field))

/* The options taken, for flags that stand at offset `base`; `format` is the old
 * name of --from-format there.
 */
#define CMD_TRACE_TAKES(base)                                             \
    { .id = OPT_FROM_FORMAT,                                              \
      CMD_TRACE_FLAG(base, format),                                       \
      .alias = "format" },                                                \
        { .id = OPT_TASK_SIZE,                                            \
          CMD_TRACE_FLAG(base, task_size),                                \
          .max = UINT32_MAX },                                            \
        { .id = OPT_PROCESSORS, CMD_TRACE_FLAG(base, processors) },       \
        { .id = OPT_ARRIVALS_ONLY, CMD_TRACE_FLAG(base, arrivals_only) }, \
    {                                                                     \
        .id = OPT_LIMIT, CMD_TRACE_FLAG(base, limit), .max = UINT32_MAX   \
    }

struct trace_options cmd_trace_options(const struct cmd_trace_flags *f);

#endif /* CLI_TRACE_FLAGS_H */
