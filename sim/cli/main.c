/* sim/cli/main.c - finds the command and runs it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/text.h"
#include "sim/cli/cmd.h"
#include "sim/cli/process.h"

#define COMMANDS_MAX 64

static void usage(FILE *out)
{
    fputs("usage: gsim COMMAND [ARGUMENTS]\n\n"
          "An offline scheduling simulator and trace-replay tool for GPU "
          "clusters.\n\n",
          out);
    for (size_t i = 0; cmd_at(i); i++)
        fprintf(out, "  %-10s %s\n", cmd_at(i)->name, cmd_at(i)->summary);
    fputs(
        "\nEvery command takes -h (--help), -V (--version) and -q (--quiet).\n"
        "Try 'gsim help COMMAND', or:\n"
        "  gsim replay traces/samples/fragmentation.yaml "
        "--policy binpack --policy spread\n",
        out);
}

static int unknown(const char *name)
{
    const char *known[COMMANDS_MAX];
    const char *near;
    char text[128];
    size_t n = 0;

    for (; n < COMMANDS_MAX && cmd_at(n); n++)
        known[n] = cmd_at(n)->name;
    near = gs_nearest(name, known, n);
    fprintf(stderr, "gsim: no command is called '%s'",
            gs_text_shown(name, text, sizeof(text)));
    if (near)
        fprintf(stderr, " (did you mean '%s'?)", near);
    fputs("\nTry 'gsim --help'.\n", stderr);
    return CMD_USAGE;
}

/* gsim help [COMMAND [VERB]] */
static int help(int count, char *const *word)
{
    const struct cmd *c;
    int used;

    if (count == 0) {
        usage(stdout);
        return CMD_OK;
    }
    c = cmd_find(count, word, &used);
    if (!c)
        return unknown(word[0]);
    if (used < count)
        return cmd_usage(c, "no help is called '%s'", word[used]);
    cmd_help(c);
    return CMD_OK;
}

static bool is_one_of(const char *arg, const char *name, const char *letter)
{
    return strcmp(arg, name) == 0 || strcmp(arg, letter) == 0;
}

static int command(int argc, char **argv)
{
    if (argc < 2) {
        usage(stderr);
        return CMD_USAGE;
    }
    if (is_one_of(argv[1], "--help", "-h")) {
        usage(stdout);
        return CMD_OK;
    }
    if (strcmp(argv[1], "help") == 0)
        return help(argc - 2, argv + 2);
    if (is_one_of(argv[1], "--version", "-V")) {
        puts("gsim " GSIM_VERSION);
        return CMD_OK;
    }
    for (size_t i = 0; cmd_at(i); i++)
        if (strcmp(cmd_at(i)->name, argv[1]) == 0)
            return cmd_run(cmd_at(i), argc - 1, argv + 1);
    return unknown(argv[1]);
}

int main(int argc, char **argv)
{
    int status;

    process_prepare();
    status = command(argc, argv);
    if (status == CMD_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        fputs("gsim: cannot write to standard output\n", stderr);
        return CMD_FAILED;
    }
    return status;
}
