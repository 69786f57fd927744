/* sim/cli/options.c - the parser of all options, see options.h. */
#include "sim/cli/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "sim/cli/cmd.h"
#include "sim/study/vary.h"

/* The options of every command. */
static const struct cmd_take common[] = {
    { .id = OPT_QUIET, CMD_NOWHERE },
    { .id = OPT_HELP, CMD_NOWHERE },
    { .id = OPT_VERSION, CMD_NOWHERE },
};

#define N_COMMON (sizeof(common) / sizeof(common[0]))

/* One command line being read. */
struct parse {
    struct cmd_call *call;
    int argc;
    char **argv;
    int at; /* the argument looked at */
    bool seen[OPT_NONE];
};

/* --- which options a command takes ---------------------------------------- */

/* Option `i` of the command: its own, old ones too, then those of every
 * command; NULL past the end.
 */
static const struct cmd_take *take_at(const struct cmd *c, size_t i)
{
    if (i < c->takes)
        return &c->take[i];
    return i - c->takes < N_COMMON ? &common[i - c->takes] : NULL;
}

static const struct cmd_take *take_of(const struct cmd *c,
                                      enum cmd_option_id id)
{
    for (size_t i = 0; i < c->takes; i++) {
        if (c->take[i].id == id)
            return &c->take[i];
    }
    return NULL;
}

const struct cmd_take *cmd_own_take_at(const struct cmd *c, size_t i)
{
    const struct cmd_take *t;

    for (size_t k = 0; (t = take_at(c, k)); k++) {
        if (!cmd_option(t->id)->is_old && i-- == 0)
            return t;
    }
    return NULL;
}

/* Does a verb before verb `v` take the option? */
static bool is_taken_before(const struct cmd *c, size_t v,
                            enum cmd_option_id id)
{
    for (size_t k = 0; k < v; k++) {
        if (take_of(c->verb[k], id))
            return true;
    }
    return false;
}

const struct cmd_take *cmd_take_at(const struct cmd *c, size_t i)
{
    for (size_t v = 0; c->verb && c->verb[v]; v++) {
        for (size_t k = 0; k < c->verb[v]->takes; k++) {
            const struct cmd_take *t = &c->verb[v]->take[k];

            if (!cmd_option(t->id)->is_old && !is_taken_before(c, v, t->id)
                && i-- == 0)
                return t;
        }
    }
    return cmd_own_take_at(c, i);
}

static bool is_name(const char *name, const char *text, size_t len)
{
    return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

/* The option of the long name at `text`, or of that old name, or NULL. */
static const struct cmd_take *take_named(const struct cmd *c, const char *text,
                                         size_t len)
{
    const struct cmd_take *t;

    for (size_t i = 0; (t = take_at(c, i)); i++) {
        if (is_name(cmd_option(t->id)->name, text, len))
            return t;
    }
    for (size_t i = 0; i < c->takes; i++) {
        if (is_name(c->take[i].alias, text, len))
            return &c->take[i];
    }
    return NULL;
}

static const struct cmd_take *take_lettered(const struct cmd *c, char letter)
{
    const struct cmd_take *t;

    for (size_t i = 0; (t = take_at(c, i)); i++) {
        if (cmd_option(t->id)->letter == letter)
            return t;
    }
    return NULL;
}

/* --- arguments ------------------------------------------------------------ */

static int unknown(const struct cmd *c, const char *arg, size_t len)
{
    const char *known[OPT_NONE + N_COMMON];
    const struct cmd_take *t;
    char name[64];
    const char *near;
    size_t n = 0;

    for (; (t = cmd_own_take_at(c, n)); n++)
        known[n] = cmd_option(t->id)->name;
    snprintf(name, sizeof(name), "%.*s", (int)len, arg);
    near = gs_nearest(name, known, n);
    if (near)
        return cmd_usage(c, "no option is called '--%s' (did you mean '--%s'?)",
                         name, near);
    return cmd_usage(c, "no option is called '--%s'", name);
}

/* The place of the value in the options of the command. */
static void *take_place(const struct cmd_call *call, const struct cmd_take *t)
{
    return (char *)call->options + t->offset;
}

/* Is the text one of the words? */
static bool is_word(const char *words, const char *text, size_t len)
{
    while (*words) {
        const size_t n = strcspn(words, " ");

        if (n == len && memcmp(words, text, n) == 0)
            return true;
        words += n + (words[n] != '\0');
    }
    return false;
}

/* Is `value` allowed: a word, or words joined by commas? */
static bool is_allowed(const struct cmd_take *t, const char *value)
{
    const char *words = cmd_take_words(t);
    size_t len;

    if (!words)
        return true;
    if (cmd_option(t->id)->form != CMD_WORDS)
        return is_word(words, value, strlen(value));
    for (;; value += len + 1) {
        len = strcspn(value, ",");
        if (!is_word(words, value, len))
            return false;
        if (value[len] == '\0')
            return true;
    }
}

/* `t`, or the option whose old name is the name of `t` when only that one
 * allows the value: "--format swf" means --from-format.
 */
static const struct cmd_take *take_meant(const struct cmd *c,
                                         const struct cmd_take *t,
                                         const char *value)
{
    const char *name = cmd_option(t->id)->name;

    if (is_allowed(t, value))
        return t;
    for (size_t i = 0; i < c->takes; i++) {
        const char *alias = c->take[i].alias;

        if (alias && strcmp(alias, name) == 0 && is_allowed(&c->take[i], value))
            return &c->take[i];
    }
    return t;
}

/* "N" or "A..B" */
static int seeds_parse(const char *text, struct cmd_seeds *out)
{
    const bool is_range = strstr(text, "..");
    uint64_t first, last;

    if (study_range_parse(text, &first, &last) < 0 || last - first == UINT64_MAX
        || (!is_range && first == 0))
        return -1;
    *out = (struct cmd_seeds){ is_range ? first : 0,
                               is_range ? last - first + 1 : first, true,
                               is_range };
    return 0;
}

/* "1.5" or "150%": a finite number of at least 0. */
static int factor_parse(const char *text, double *out)
{
    const size_t len = strlen(text);
    const bool is_percent = len && text[len - 1] == '%';

    if (gs_quantity_parse_double(text, len - is_percent, out) < 0 || *out < 0)
        return -1;
    if (is_percent)
        *out /= 100;
    return 0;
}

/* "0.9", "90%", or "90", which older versions wrote: thousandths. */
static int load_parse(const char *text, uint32_t *out)
{
    const size_t len = strlen(text);
    const bool is_percent = len && text[len - 1] == '%';
    int64_t milli;

    if (gs_quantity_parse_milli(text, len - is_percent, &milli) < 0)
        return -1;
    if (is_percent || milli > CMD_LOAD_MAX * 1000)
        milli /= 100;
    if (milli < 10 || milli > CMD_LOAD_MAX * 1000)
        return -1;
    *out = (uint32_t)milli;
    return 0;
}

static int text_set(const struct cmd_call *call, const struct cmd_take *t,
                    const char *value)
{
    void *at = take_place(call, t);
    const char *name = cmd_option(t->id)->name;
    struct cmd_texts *texts = at;
    char list[256];

    if (!is_allowed(t, value))
        return cmd_usage(call->cmd, "'--%s' must be %s (got '%s')", name,
                         cmd_words_text(cmd_take_words(t), list, sizeof(list)),
                         value);
    if (!t->repeats) {
        *(const char **)at = value;
        return CMD_OK;
    }
    if (texts->count == CMD_TEXTS_MAX)
        return cmd_usage(call->cmd, "too many options '--%s'", name);
    texts->text[texts->count++] = value;
    return CMD_OK;
}

/* Parse `value` and store it. */
static int take_set(const struct cmd_call *call, const struct cmd_take *t,
                    const char *value)
{
    const struct cmd_option *o = cmd_option(t->id);
    const char *must;
    void *at = take_place(call, t);
    int rc = -1;

    if (t->offset == CMD_NOWHERE)
        return CMD_OK;
    switch (o->form) {
    case CMD_FLAG:
        *(bool *)at = true;
        return CMD_OK;
    case CMD_TEXT:
    case CMD_WORDS:
        return text_set(call, t, value);
    case CMD_COUNT:
        must = "a whole number";
        rc = gs_quantity_parse_u64(value, strlen(value), at);
        break;
    case CMD_SPAN:
        must = "a time such as 90s or 2d";
        rc = gs_duration_parse(value, strlen(value), at);
        break;
    case CMD_SEEDS:
        must = "a number of seeds, at least 1, or a range such as 42..51";
        rc = seeds_parse(value, at);
        break;
    case CMD_FACTOR:
        must = "a number such as 0.5 or 50%";
        rc = factor_parse(value, at);
        break;
    case CMD_LOAD:
        must = "from 0.01 to 10, such as 0.9 or 90%";
        rc = load_parse(value, at);
        break;
    default:
        assert(false); /* every form has its reader */
        must = "";
    }
    if (rc < 0)
        return cmd_usage(call->cmd, "'--%s' must be %s (got '%s')", o->name,
                         must, value);
    if (t->max && *(const uint64_t *)at > t->max)
        return cmd_usage(call->cmd, "'--%s' must be at most %" PRIu64, o->name,
                         t->max);
    return CMD_OK;
}

/* A flag; --help and --version end the command line. */
static int flag_take(struct cmd_call *call, const struct cmd_take *t)
{
    call->is_answered = t->id == OPT_HELP || t->id == OPT_VERSION;
    call->is_quiet = call->is_quiet || t->id == OPT_QUIET;
    if (t->id == OPT_HELP)
        cmd_help(call->cmd);
    else if (t->id == OPT_VERSION)
        puts("gsim " GSIM_VERSION);
    return take_set(call, t, NULL);
}

/* Take option `t`, called `shown` on the command line, with its value: the text
 * behind '=', or else the next argument.
 */
static int option_take(struct parse *p, const struct cmd_take *t,
                       const char *shown, const char *value)
{
    const struct cmd_option *o = cmd_option(t->id);

    if (o->form == CMD_FLAG) {
        if (value)
            return cmd_usage(p->call->cmd, "'%s' takes no value", shown);
        return flag_take(p->call, t);
    }
    if (!value) {
        if (p->at + 1 >= p->argc)
            return cmd_usage(p->call->cmd, "'%s' needs a value: %s", shown,
                             o->value);
        value = p->argv[++p->at];
    }
    t = take_meant(p->call->cmd, t, value);
    if (p->seen[t->id] && !t->repeats)
        return cmd_usage(p->call->cmd, "'--%s' is given twice",
                         cmd_option(t->id)->name);
    if (t->repeats && !p->seen[t->id])
        *(struct cmd_texts *)take_place(p->call, t) = (struct cmd_texts){ 0 };
    p->seen[t->id] = true;
    return take_set(p->call, t, value);
}

static int argument_take(struct parse *p)
{
    const char *arg = p->argv[p->at];
    const struct cmd_take *t;
    char shown[80];
    size_t len;

    if (arg[1] != '-') {
        t = arg[2] ? NULL : take_lettered(p->call->cmd, arg[1]);
        return t ? option_take(p, t, arg, NULL)
                 : cmd_usage(p->call->cmd, "no option is called '%s'", arg);
    }
    len = strcspn(arg, "=");
    t = take_named(p->call->cmd, arg + 2, len - 2);
    if (!t)
        return unknown(p->call->cmd, arg + 2, len - 2);
    snprintf(shown, sizeof(shown), "%.*s", (int)len, arg);
    return option_take(p, t, shown, arg[len] ? arg + len + 1 : NULL);
}

/* The first seed is that of A..B, else that of --seed. */
static int seeds_finish(const struct parse *p)
{
    const struct cmd_call *call = p->call;
    const struct cmd_take *t = take_of(call->cmd, OPT_SEEDS);
    struct cmd_seeds *s = t ? take_place(call, t) : NULL;

    if (!s)
        return CMD_OK;
    if (s->is_range && p->seen[OPT_SEED])
        return cmd_usage(call->cmd,
                         "'--seeds A..B' leaves no place for '--seed'");
    if (!s->is_range)
        s->first = *(const uint64_t *)take_place(call,
                                                 take_of(call->cmd, OPT_SEED));
    return CMD_OK;
}

int cmd_parse(struct cmd_call *call, int argc, char **argv)
{
    struct parse p = { .call = call, .argc = argc, .argv = argv };
    bool options = true;

    for (p.at = 1; p.at < argc; p.at++) {
        const char *arg = argv[p.at];
        int status;

        if (options && strcmp(arg, "--") == 0) {
            options = false;
        } else if (options && arg[0] == '-' && arg[1]) {
            status = argument_take(&p);
            if (status != CMD_OK || call->is_answered)
                return status;
        } else {
            if (call->count == call->cmd->most)
                return cmd_usage(call->cmd, "one operand too many: '%s'", arg);
            call->operand[call->count++] = arg;
        }
    }
    if (seeds_finish(&p) != CMD_OK || cmd_outputs_check(call) != CMD_OK)
        return CMD_USAGE;
    return call->count < call->cmd->least
               ? cmd_usage(call->cmd, "%s", call->cmd->needs)
               : CMD_OK;
}
