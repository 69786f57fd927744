/* sim/cli/options.h - the options of all commands: one table.
 *
 * An option has one name, one form of its argument, one help text and one
 * parser, whatever command takes it (option_table.c).  A command lists the
 * options that it takes: where the value goes in its struct of options, the
 * words allowed there, and the default to show.  Help, completion, the check of
 * the manual and the parser use these tables only.
 */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cmd_option_id {
    OPT_ANONYMIZE,
    OPT_ARRIVALS_ONLY,
    OPT_AT,
    OPT_AT_LEAST,
    OPT_BALANCED,
    OPT_BASELINE,
    OPT_BY,
    OPT_CHUNK,
    OPT_COLS,
    OPT_COLUMNS,
    OPT_COST,
    OPT_COUNT,
    OPT_DB,
    OPT_DURATION,
    OPT_DURATIONS,
    OPT_ENGINE,
    OPT_ESTIMATES,
    OPT_EVENTS,
    OPT_EXPLAIN,
    OPT_FIT,
    OPT_FOR,
    OPT_FORMAT,
    OPT_FRACTION,
    OPT_FROM,
    OPT_FROM_FORMAT,
    OPT_FULL,
    OPT_GPUS,
    OPT_HELP,
    OPT_HISTORY,
    OPT_JOBS,
    OPT_JUNIT,
    OPT_KIND,
    OPT_LARGE,
    OPT_LATENCY,
    OPT_LIMIT,
    OPT_LIST,
    OPT_LOAD,
    OPT_METRIC,
    OPT_METRICS_ONLY,
    OPT_MIX,
    OPT_NO_DB,
    OPT_NODE_POOL,
    OPT_OUT,
    OPT_OUT_DIR,
    OPT_PLOT,
    OPT_PLOT_FORMAT,
    OPT_PLOTS,
    OPT_POLICY,
    OPT_PREFIX,
    OPT_PROCESSORS,
    OPT_PROFILE,
    OPT_PROGRESS,
    OPT_QUEUE,
    OPT_QUIET,
    OPT_RATE,
    OPT_REFERENCE,
    OPT_REPLACE,
    OPT_REPLAY,
    OPT_RETRY,
    OPT_ROWS,
    OPT_RULES,
    OPT_RUN,
    OPT_SCENARIO,
    OPT_SCRATCH,
    OPT_SEED,
    OPT_SEEDS,
    OPT_SET,
    OPT_SLURM_OPTION,
    OPT_SPAN,
    OPT_SPEED,
    OPT_STATS,
    OPT_STRETCH,
    OPT_STRICT,
    OPT_SUITE,
    OPT_SUMMARY,
    OPT_TARGET,
    OPT_TASK,
    OPT_TASK_SIZE,
    OPT_TIER,
    OPT_TIMEZONE,
    OPT_TO,
    OPT_TOLERANCE,
    OPT_TOPOLOGY,
    OPT_UNTIL,
    OPT_UPDATE,
    OPT_VARY,
    OPT_VERSION,
    OPT_WARMUP,
    OPT_WHAT,
    OPT_WHERE,
    OPT_NONE, /* number of options */
};

enum cmd_form {
    CMD_FLAG,   /* bool */
    CMD_TEXT,   /* const char *; struct cmd_texts where it may be repeated */
    CMD_WORDS,  /* const char *: words joined by commas */
    CMD_COUNT,  /* uint64_t */
    CMD_SPAN,   /* int64_t, microseconds */
    CMD_SEEDS,  /* struct cmd_seeds */
    CMD_FACTOR, /* double: 1.5 or 150% */
    CMD_LOAD,   /* uint32_t, thousandths: 0.9 or 90% */
};

#define CMD_LOAD_MAX 10u
#define CMD_TEXTS_MAX 64u

struct cmd_texts {
    const char *text[CMD_TEXTS_MAX];
    size_t count;
};

/* N: that many seeds from --seed on.  A..B: these seeds.  Without --seeds the
 * count is the default, at least 1.
 */
struct cmd_seeds {
    uint64_t first, count;
    bool is_given, is_range; /* is_range: as A..B */
};

/* An option, the same for all commands. */
struct cmd_option {
    const char *name; /* without the dashes */
    enum cmd_form form;
    const char *value; /* name of its argument in --help; NULL: flag */
    const char *summary;
    const char *words;    /* allowed values, joined by blanks; NULL: any, or
                          those of the take */
    const char *fallback; /* default, as shown; NULL: that of the take, if
                             any */
    char letter;          /* short form, or 0 */
    bool takes_file;      /* the argument names a file */
    bool is_written;      /* the command writes that file */
    bool is_old;          /* deprecated: accepted, not shown */
};

/* An option that a command takes. */
struct cmd_take {
    enum cmd_option_id id;
    size_t offset;        /* in the command's struct of options */
    const char *fallback; /* default, as shown; NULL: none to show */
    const char *words;    /* values allowed here; NULL: those of the table */
    const char *alias;    /* old name, still accepted here; NULL: none */
    bool repeats;         /* the value at `offset` is a struct cmd_texts */
    uint64_t max;         /* largest CMD_COUNT; 0: any */
};

/* Offset of an option that is accepted without effect. */
#define CMD_NOWHERE SIZE_MAX

/* The options of every command, sorted by name; `id` is below OPT_NONE. */
const struct cmd_option *cmd_option(enum cmd_option_id id);

/* The allowed values of the argument, joined by blanks; NULL: any text. */
const char *cmd_take_words(const struct cmd_take *t);

/* "a, b or c" of the words "a b c", in `buf`. */
const char *cmd_words_text(const char *words, char *buf, size_t size);

struct cmd;

/* The options of a command, then those of every command; NULL past the end.
 * Deprecated ones (is_old) are left out.
 */
const struct cmd_take *cmd_own_take_at(const struct cmd *c, size_t i);
/* The same of a command and its verbs, each option once. */
const struct cmd_take *cmd_take_at(const struct cmd *c, size_t i);

#endif /* CLI_OPTIONS_H */
