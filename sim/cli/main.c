/* sim/cli/main.c - which command is meant. */
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "sim/cli/cmd.h"

#define COMMANDS_MAX 64

static void usage(FILE *out)
{
    fputs("usage: gsim COMMAND [ARGUMENTS]\n\n"
          "An offline scheduling simulator and trace-replay tool for GPU "
          "clusters.\n\n",
          out);
    for (size_t i = 0; cmd_at(i); i++)
        fprintf(out, "  %-10s %s\n", cmd_at(i)->name, cmd_at(i)->summary);
    fputs("\nTry 'gsim COMMAND --help', or:\n"
          "  gsim replay traces/samples/fragmentation.yaml "
          "--policy binpack --policy spread\n",
          out);
}

static int unknown(const char *name)
{
    const char *known[COMMANDS_MAX];
    const char *near;
    size_t n = 0;

    for (; n < COMMANDS_MAX && cmd_at(n); n++)
        known[n] = cmd_at(n)->name;
    near = gs_nearest(name, known, n);
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
    for (size_t i = 0; cmd_at(i); i++) {
        if (strcmp(cmd_at(i)->name, argv[1]) != 0)
            continue;
        status = (int)cmd_at(i)->run(cmd_at(i), argc - 1, argv + 1);
        if (status == CMD_OK && (fflush(stdout) != 0 || ferror(stdout))) {
            fputs("gsim: cannot write to standard output\n", stderr);
            return CMD_FAILED;
        }
        return status;
    }
    return unknown(argv[1]);
}
