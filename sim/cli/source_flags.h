/* sim/cli/source_flags.h - options of all commands that read objects of
 * Kubernetes.
 */
#ifndef CLI_SOURCE_FLAGS_H
#define CLI_SOURCE_FLAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/cli/cmd.h"

struct cmd_source_flags {
    const char *at;
    int64_t duration, span;
    bool history;
    struct cmd_texts tier;
};

/* The flags of a command line without any. */
#define CMD_SOURCE_NONE            \
    {                              \
        .duration = -1, .span = -1 \
    }

#define CMD_SOURCE_FLAG(base, field) \
    ((base) + offsetof(struct cmd_source_flags, field))

/* Options for flags at offset `base`. */
#define CMD_SOURCE_TAKES(base)                                         \
    { .id = OPT_AT, CMD_SOURCE_FLAG(base, at) },                       \
        { .id = OPT_DURATION, CMD_SOURCE_FLAG(base, duration), "1h" }, \
        { .id = OPT_HISTORY, CMD_SOURCE_FLAG(base, history) },         \
        { .id = OPT_SPAN, CMD_SOURCE_FLAG(base, span), "1d" },         \
    {                                                                  \
        .id = OPT_TIER, CMD_SOURCE_FLAG(base, tier), .repeats = true   \
    }

/* Let `in` read sources so.  -1 for a mistake. */
int cmd_source_take(const struct cmd_source_flags *f, struct inputs *in,
                    struct gs_err *err);

#endif /* CLI_SOURCE_FLAGS_H */
