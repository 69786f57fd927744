/* sim/cli/cmd.h - what a command is. */
#ifndef CLI_CMD_H
#define CLI_CMD_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/cli/options.h"

struct gs_err;

/* What a command returns becomes the exit status. */
enum cmd_status {
    CMD_OK = 0,
    CMD_MISSED = 1, /* a gate or target was missed */
    CMD_USAGE = 2,
    CMD_INPUT = 3,  /* a file is wrong; the message says where */
    CMD_FAILED = 4, /* the machine let us down */
};

struct cmd {
    const char *name;
    const char *args; /* for the usage line */
    const char *summary;
    const struct cmd_take *take; /* options that it takes, or NULL */
    size_t takes;
    const char *help;              /* examples and the like, or NULL */
    const struct cmd *const *verb; /* commands of its own, NULL past the end;
                                      or NULL */
    enum cmd_status (*run)(const struct cmd *c, int argc, char **argv);
};

extern const struct cmd cmd_replay, cmd_compare, cmd_report, cmd_explain,
    cmd_export, cmd_gate, cmd_whatif, cmd_sweep, cmd_fill, cmd_trace,
    cmd_topology, cmd_validate, cmd_policies, cmd_completion;

/* A command, or "trace fit", by the words of the command line; `*used` is how
 * many were its name.  NULL: no command is called that.
 */
const struct cmd *cmd_find(int count, char *const *word, int *used);
/* All commands in the order of --help; NULL past the end. */
const struct cmd *cmd_at(size_t i);

/* Run the verb that argv[1] names. */
enum cmd_status cmd_run_verb(const struct cmd *c, int argc, char **argv);

/* --- options ---------------------------------------------------------------- */

/* Read options, long ones ("--seed 7", "--seed=7") and letters ("-o FILE")
 * anywhere among the operands, which are gathered at operand[0..*count), at
 * most `max`.  "--" ends them, "-" is an operand.  An option with a value that
 * may not be repeated is refused when it comes twice.  Returns CMD_OK, or the
 * status to leave with: `*done` is set when --help or --version was shown.  A
 * file that is written may be none of the others that the command line names.
 */
enum cmd_status cmd_parse(const struct cmd *c, int argc, char **argv, void *out,
                          const char **operand, size_t max, size_t *count,
                          int *done);

void cmd_help(const struct cmd *c);
/* "gsim: text" on standard error, then the command's usage line. */
enum cmd_status cmd_usage(const struct cmd *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* The last check of cmd_parse. */
enum cmd_status cmd_outputs_check(const struct cmd *c, const void *out,
                                  const char *const *operand, size_t count);
/* Every problem of `err` on standard error; the status that fits it. */
enum cmd_status cmd_fail(const struct gs_err *err);

#endif /* CLI_CMD_H */
