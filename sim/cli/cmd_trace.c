/* sim/cli/cmd_trace.c - gsim trace: the table of its verbs. */
#include "sim/cli/trace_verbs.h"

static const struct cmd *const verbs[] = {
    &cmd_trace_info,   &cmd_trace_convert,
    &cmd_trace_fit,    &cmd_trace_generate,
    &cmd_trace_sample, &cmd_trace_merge,
    &cmd_trace_scale,  NULL,
};

const struct cmd cmd_trace = {
    .name = "trace",
    .args = "VERB ...",
    .summary =
        "describe, convert, fit, generate, sample, merge or scale traces",
    .help = "Each has its own --help.\n\n"
            "Examples:\n"
            "  gsim trace info traces/samples/philly.csv.gz\n"
            "  gsim trace fit --help\n",
    .verb = verbs,
};
