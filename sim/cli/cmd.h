/* sim/cli/cmd.h - commands of the program and their options. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/cli/options.h"

struct gs_err;
struct inputs;

/* Exit statuses.  Functions below that return int return one of these. */
enum cmd_status {
    CMD_OK = 0,
    CMD_MISSED = 1, /* a gate or target was missed */
    CMD_USAGE = 2,
    CMD_INPUT = 3,  /* an input file is wrong; the message says where */
    CMD_FAILED = 4, /* the operating system failed: I/O, memory, a process */
};

/* A parsed command line. */
struct cmd_call {
    const struct cmd *cmd;
    void *options;        /* the command's struct of options */
    const char **operand; /* [count] */
    size_t count;
    bool is_quiet;     /* --quiet: no progress, notices or summary */
    bool is_answered;  /* --help or --version was printed: the command does
                         not run */
    struct inputs *in; /* empty; its arena lives as long as the command */
};

struct cmd {
    const char *name;
    const char *args; /* for the usage line */
    const char *summary;
    const struct cmd_take *take; /* options that it takes, or NULL */
    size_t takes;
    const void *defaults; /* its struct of options without any; NULL: zeroes */
    size_t size;          /* of that struct, may be 0 */
    size_t least, most;   /* operands */
    const char *needs;    /* message when there are fewer */
    const char *help;     /* examples and the like, or NULL */
    const char *words;    /* values of the first operand for completion,
                             joined by blanks; or NULL */
    bool takes_preset;    /* the first operand may also be a preset */
    const struct cmd *const *verb; /* subcommands, NULL past the end; or NULL */
    /* The exit status, or -1: `err` says why. */
    int (*run)(const struct cmd_call *call, struct gs_err *err);
};

extern const struct cmd cmd_replay, cmd_audit, cmd_compare, cmd_diff,
    cmd_report, cmd_explain, cmd_export, cmd_gate, cmd_whatif, cmd_sweep,
    cmd_fill, cmd_trace, cmd_topology, cmd_import, cmd_validate, cmd_policies,
    cmd_completion, cmd_probe;

/* Find a command, or a verb such as "trace fit", by the words of the command
 * line; *used is the number of words in its name.  NULL: no such command.
 */
const struct cmd *cmd_find(int count, char *const *word, int *used);
/* All commands in the order of --help; NULL past the end. */
const struct cmd *cmd_at(size_t i);

/* Run the command, or its verb that argv[1] names.  argv[0] is its name. */
int cmd_run(const struct cmd *c, int argc, char **argv);

/* --- options -------------------------------------------------------------- */

/* Read options, long ones ("--seed 7", "--seed=7") and letters ("-o FILE")
 * anywhere among the operands.  "--" ends them, "-" is an operand.  An option
 * with a value is refused when it occurs twice, unless it may be repeated; then
 * its values replace the default.  An output file must not be another file of
 * the command line.  The caller sets `call` to the defaults of the options and
 * gives room for argc operands.
 */
int cmd_parse(struct cmd_call *call, int argc, char **argv);

void cmd_help(const struct cmd *c);
/* "gsim: text" on standard error, then the command's usage line.  Returns
 * CMD_USAGE.
 */
int cmd_usage(const struct cmd *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Check that no output file is another file of the command line (cmd_parse). */
int cmd_outputs_check(const struct cmd_call *call);
/* Print all problems of `err` to standard error.  Returns the matching exit
 * status.
 */
int cmd_fail(const struct gs_err *err);

#endif /* CLI_CMD_H */
