/* sim/cli/source_flags.c - see source_flags.h. */
#include "sim/cli/source_flags.h"

#include "sim/study/source_options.h"

int cmd_source_take(const struct cmd_source_flags *f, struct inputs *in,
                    struct gs_err *err)
{
    struct source_options o = { .duration = f->duration,
                                .span = f->span,
                                .at = f->at,
                                .history = f->history,
                                .tiers = f->tier.count };

    _Static_assert(SOURCE_TIERS_MAX >= CMD_TEXTS_MAX, "tiers");
    for (size_t i = 0; i < f->tier.count; i++)
        o.tier[i] = f->tier.text[i];
    return source_options_take(&o, in, err);
}
