/* sim/cli/trace_flags.c - how a trace is to be read, see trace_flags.h. */
#include "sim/cli/trace_flags.h"

#include <string.h>

#include "base/err.h"
#include "traces/formats/reader.h"

int cmd_trace_flags_read(const struct cmd_trace_flags *f,
                         struct trace_options *out, struct gs_err *err)
{
    const struct gs_mark nowhere = { 0 };
    const bool gpus = f->processors && strcmp(f->processors, "gpu") == 0;

    *out = (struct trace_options){
        .format = f->format ? trace_format_find(f->format) : TRACE_AUTO,
        .processors_are_gpus = gpus,
        .task_size = (uint32_t)f->task_size,
        .arrivals_only = f->arrivals_only,
        .limit = (uint32_t)f->limit,
    };
    if (out->format == TRACE_FORMATS)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--from-format' must be one of: yaml, csv, swf, openb, "
                       "philly, itp, muri (got '%s')",
                       f->format);
    if (f->processors && !gpus && strcmp(f->processors, "cpu") != 0)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--processors' must be cpu or gpu (got '%s')",
                       f->processors);
    if (f->task_size > UINT32_MAX || f->limit > UINT32_MAX)
        return gs_fail(err, GS_USAGE, nowhere,
                       "'--task-size' and '--limit' must be below 4294967296");
    return 0;
}
