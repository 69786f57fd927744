/* sim/cli/outputs.c - no file is written that the command line also names to be
 * read, or to be written by another option.
 */
#include <string.h>

#include "base/output.h"
#include "sim/cli/cmd.h"
#include "sim/cli/options.h"

/* May `value` of option `o` be the path of a file? */
static bool names_file(const struct cmd_option *o, const char *value)
{
    if (o->form != CMD_TEXT)
        return false;
    return o->takes_file
           || (o == cmd_option(OPT_POLICY) && strpbrk(value, "/."));
}

/* The value of option `other` that leads to the file `path`, or NULL. */
static const char *same_value(const struct cmd_take *other, const void *out,
                              const char *path)
{
    const void *at = (const char *)out + other->offset;
    const char *const *one = at;
    const struct cmd_texts *texts = at;
    const struct cmd_option *o = cmd_option(other->id);
    size_t count = 1;

    if (o->form != CMD_TEXT || other->offset == CMD_NOWHERE)
        return NULL;
    if (other->repeats) {
        one = texts->text;
        count = texts->count;
    }
    for (size_t i = 0; i < count; i++) {
        if (one[i] && names_file(o, one[i]) && gs_output_is_same(path, one[i]))
            return one[i];
    }
    return NULL;
}

/* What else on the command line leads to the file that option `t` writes. */
static const char *same_file(const struct cmd *c, const struct cmd_take *t,
                             const void *out, const char *const *operand,
                             size_t count)
{
    const char *path = *(const char *const *)(const void *)((const char *)out
                                                            + t->offset);
    const char *same = NULL;

    for (size_t i = 0; path && i < count; i++) {
        if (gs_output_is_same(path, operand[i]))
            return operand[i];
    }
    for (size_t i = 0; path && !same && i < c->takes; i++) {
        if (&c->take[i] != t)
            same = same_value(&c->take[i], out, path);
    }
    return same;
}

enum cmd_status cmd_outputs_check(const struct cmd *c, const void *out,
                                  const char *const *operand, size_t count)
{
    for (size_t i = 0; i < c->takes; i++) {
        const struct cmd_option *o = cmd_option(c->take[i].id);
        const char *same = o->is_written
                               ? same_file(c, &c->take[i], out, operand, count)
                               : NULL;

        if (same)
            return cmd_usage(
                c, "'--%s' would overwrite '%s', which the command uses",
                o->name, same);
    }
    return CMD_OK;
}
