/* sim/cli/commands.c - the table of commands. */
#include "sim/cli/cmd.h"

static const struct cmd *const commands[] = {
    &cmd_replay,   &cmd_compare,  &cmd_report,   &cmd_explain,    &cmd_export,
    &cmd_gate,     &cmd_whatif,   &cmd_sweep,    &cmd_fill,       &cmd_trace,
    &cmd_topology, &cmd_validate, &cmd_policies, &cmd_completion,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

const struct cmd *cmd_at(size_t i)
{
    return i < N_COMMANDS ? commands[i] : NULL;
}
