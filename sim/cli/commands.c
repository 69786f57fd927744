/* sim/cli/commands.c - the table of commands. */
#include <string.h>

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

const struct cmd *cmd_find(int count, char *const *word, int *used)
{
    const struct cmd *c = NULL;

    for (size_t i = 0; count > 0 && !c && i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, word[0]) == 0)
            c = commands[i];
    }
    *used = c != NULL;
    for (size_t i = 0; c && c->verb && count > 1 && c->verb[i]; i++) {
        if (strcmp(strrchr(c->verb[i]->name, ' ') + 1, word[1]) == 0) {
            *used = 2;
            return c->verb[i];
        }
    }
    return c;
}
