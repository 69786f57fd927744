/* sim/cli/main.c - the table of commands. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"

static const struct cmd *const commands[] = {
    &cmd_replay, &cmd_compare,  &cmd_report,   &cmd_explain,  &cmd_fill,
    &cmd_trace,  &cmd_topology, &cmd_validate, &cmd_policies,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *out)
{
    fputs("usage: gsim COMMAND [ARGUMENTS]\n\n"
          "An offline scheduling simulator and trace-replay tool for GPU "
          "clusters.\n\n",
          out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\nTry 'gsim COMMAND --help', or:\n"
          "  gsim replay traces/samples/fragmentation.yaml "
          "--policy binpack --policy spread\n",
          out);
}

static int unknown(const char *name)
{
    const char *known[N_COMMANDS];
    const char *near;

    for (size_t i = 0; i < N_COMMANDS; i++)
        known[i] = commands[i]->name;
    near = gs_nearest(name, known, N_COMMANDS);
    fprintf(stderr, "gsim: no command is called '%s'", name);
    if (near)
        fprintf(stderr, " (did you mean '%s'?)", near);
    fputs("\nTry 'gsim --help'.\n", stderr);
    return CMD_USAGE;
}

int main(int argc, char **argv)
{
    int status;

    if (argc < 2) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0
        || strcmp(argv[1], "help") == 0) {
        usage(stdout);
        return CMD_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts("gsim " GSIM_VERSION);
        return CMD_OK;
    }
    for (size_t i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, argv[1]) != 0)
            continue;
        status = (int)commands[i]->run(commands[i], argc - 1, argv + 1);
        if (status == CMD_OK && (fflush(stdout) != 0 || ferror(stdout))) {
            fputs("gsim: cannot write to standard output\n", stderr);
            return CMD_FAILED;
        }
        return status;
    }
    return unknown(argv[1]);
}
