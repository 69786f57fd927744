/* sim/cli/outputs.c - checks that a file that the command writes is named only
 * once on the command line. /
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

/* The value of option `other` that names the file `path`, or NULL. */
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

/* Another operand or option value that names the file that option `t` writes,
 * or NULL. /
 */
static const char *same_file(const struct cmd_call *call,
                             const struct cmd_take *t)
{
    const char *path = *(
        const char *const *)(const void *)((const char *)call->options
                                           + t->offset);
    const char *same = NULL;

    for (size_t i = 0; path && i < call->count; i++) {
        if (gs_output_is_same(path, call->operand[i]))
            return call->operand[i];
    }
    for (size_t i = 0; path && !same && i < call->cmd->takes; i++) {
        if (&call->cmd->take[i] != t)
            same = same_value(&call->cmd->take[i], call->options, path);
    }
    return same;
}

int cmd_outputs_check(const struct cmd_call *call)
{
    for (size_t i = 0; i < call->cmd->takes; i++) {
        const struct cmd_take *t = &call->cmd->take[i];
        const struct cmd_option *o = cmd_option(t->id);
        const char *same = o->is_written ? same_file(call, t) : NULL;

        if (same)
            return cmd_usage(
                call->cmd,
                "'--%s' would overwrite '%s', which the command uses", o->name,
                same);
    }
    return CMD_OK;
}
