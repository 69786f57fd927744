/* sim/cli/trace_flags.c - how a trace is to be read, see trace_flags.h. */
#include "sim/cli/trace_flags.h"

#include <string.h>

struct trace_options cmd_trace_options(const struct cmd_trace_flags *f)
{
    return (struct trace_options){
        .format = f->format ? trace_format_find(f->format) : TRACE_AUTO,
        .processors_are_gpus = f->processors
                               && strcmp(f->processors, "gpu") == 0,
        .task_size = (uint32_t)f->task_size,
        .arrivals_only = f->arrivals_only,
        .limit = (uint32_t)f->limit,
    };
}
