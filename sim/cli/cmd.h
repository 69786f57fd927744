/* sim/cli/cmd.h - what a command is. */
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
    CMD_INPUT = 3,  /* a file is wrong; the message says where */
    CMD_FAILED = 4, /* the machine let us down */
};

/* A command line as it was read. */
struct cmd_call {
    const struct cmd *cmd;
    void *options;        /* the command's struct of options */
    const char **operand; /* [count] */
    size_t count;
    bool is_quiet;    /* --quiet: no progress, notices or summary */
    bool is_answered; /* --help or --version was shown: nothing is left to do */
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
    const char *needs;    /* told when there are fewer */
    const char *help;     /* examples and the like, or NULL */
    const char *words;    /* what the first operand may be, joined by blanks; or
                             NULL: for completion */
    bool takes_preset;    /* ... or a preset */
    const struct cmd *const *verb; /* commands of its own, NULL past the end;
                                      or NULL */
    /* The exit status, or -1: `err` says why. */
    int (*run)(const struct cmd_call *call, struct gs_err *err);
};

extern const struct cmd cmd_replay, cmd_compare, cmd_report, cmd_explain,
    cmd_export, cmd_gate, cmd_whatif, cmd_sweep, cmd_fill, cmd_trace,
    cmd_topology, cmd_import, cmd_validate, cmd_policies, cmd_completion;

/* A command, or "trace fit", by the words of the command line; `*used` is how
 * many were its name.  NULL: no command is called that.
 */
const struct cmd *cmd_find(int count, char *const *word, int *used);
/* All commands in the order of --help; NULL past the end. */
const struct cmd *cmd_at(size_t i);

/* Run the command, or its verb that argv[1] names.  argv[0] is its name. */
int cmd_run(const struct cmd *c, int argc, char **argv);

/* --- options ---------------------------------------------------------------- */

/* Read options, long ones ("--seed 7", "--seed=7") and letters ("-o FILE")
 * anywhere among the operands.  "--" ends them, "-" is an operand.  An option
 * with a value that may not be repeated is refused when it comes twice; one
 * that may replaces its default.  A file that is written may be none of the
 * others that the command line names.  `call` has its options' defaults and
 * room for argc operands.
 */
int cmd_parse(struct cmd_call *call, int argc, char **argv);

void cmd_help(const struct cmd *c);
/* "gsim: text" on standard error, then the command's usage line.  Returns
 * CMD_USAGE.
 */
int cmd_usage(const struct cmd *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The last check of cmd_parse. */
int cmd_outputs_check(const struct cmd_call *call);
/* Every problem of `err` on standard error; the status that fits it. */
int cmd_fail(const struct gs_err *err);

#endif /* CLI_CMD_H */
