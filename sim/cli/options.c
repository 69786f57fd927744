/* sim/cli/options.c - the parser of all options, see options.h; errors. */
#include "sim/cli/options.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "sim/cli/cmd.h"

/* What every command takes.  A command that has notices or progress takes
 * --quiet itself.
 */
static const struct cmd_take common[] = {
    { .id = OPT_QUIET, CMD_NOWHERE },
    { .id = OPT_HELP, CMD_NOWHERE },
    { .id = OPT_VERSION, CMD_NOWHERE },
};

#define N_COMMON (sizeof(common) / sizeof(common[0]))

/* One command line being read. */
struct parse {
    const struct cmd *c;
    int argc;
    char **argv;
    int at; /* the argument looked at */
    void *out;
    bool seen[OPT_NONE];
};

enum cmd_status cmd_fail(const struct gs_err *err)
{
    static const enum cmd_status statuses[] = {
        [GS_OK] = CMD_FAILED, [GS_USAGE] = CMD_USAGE, [GS_INPUT] = CMD_INPUT,
        [GS_IO] = CMD_FAILED, [GS_LIMIT] = CMD_INPUT,
    };
    char text[1024];

    for (unsigned i = 0; i < err->count; i++)
        fprintf(stderr, "gsim: %s\n",
                gs_err_format(err, i, text, sizeof(text)));
    return statuses[err->code];
}

/* --- which options a command takes -------------------------------------------- */

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
    for (size_t k = 0; k < c->takes; k++) {
        if (!cmd_option(c->take[k].id)->is_old && i-- == 0)
            return &c->take[k];
    }
    for (size_t k = 0; k < N_COMMON; k++) {
        if (!take_of(c, common[k].id) && i-- == 0)
            return &common[k];
    }
    return NULL;
}

/* Does a verb before verb `v`, or the command itself, take the option? */
static bool is_taken_before(const struct cmd *c, size_t v,
                            enum cmd_option_id id)
{
    if (take_of(c, id))
        return true;
    for (size_t k = 0; k < v; k++) {
        if (take_of(c->verb[k], id))
            return true;
    }
    return false;
}

const struct cmd_take *cmd_take_at(const struct cmd *c, size_t i)
{
    if (!c->verb)
        return cmd_own_take_at(c, i);
    for (size_t v = 0; c->verb[v]; v++) {
        for (size_t k = 0; k < c->verb[v]->takes; k++) {
            const struct cmd_take *t = &c->verb[v]->take[k];

            if (!cmd_option(t->id)->is_old && !is_taken_before(c, v, t->id)
                && i-- == 0)
                return t;
        }
    }
    for (size_t k = 0; k < N_COMMON; k++) {
        bool met = false;

        for (size_t v = 0; c->verb[v]; v++)
            met = met || take_of(c->verb[v], common[k].id);
        if (!met && i-- == 0)
            return &common[k];
    }
    return NULL;
}

static bool is_name(const char *name, const char *text, size_t len)
{
    return name && strlen(name) == len && memcmp(name, text, len) == 0;
}

/* The option of the long name at `text`, or of that old name, or NULL. */
static const struct cmd_take *take_named(const struct cmd *c, const char *text,
                                         size_t len)
{
    for (size_t i = 0; i < c->takes; i++) {
        if (is_name(cmd_option(c->take[i].id)->name, text, len))
            return &c->take[i];
    }
    for (size_t i = 0; i < N_COMMON; i++) {
        if (is_name(cmd_option(common[i].id)->name, text, len))
            return &common[i];
    }
    for (size_t i = 0; i < c->takes; i++) {
        if (is_name(c->take[i].alias, text, len))
            return &c->take[i];
    }
    return NULL;
}

static const struct cmd_take *take_lettered(const struct cmd *c, char letter)
{
    for (size_t i = 0; i < c->takes; i++) {
        if (cmd_option(c->take[i].id)->letter == letter)
            return &c->take[i];
    }
    for (size_t i = 0; i < N_COMMON; i++) {
        if (cmd_option(common[i].id)->letter == letter)
            return &common[i];
    }
    return NULL;
}

enum cmd_status cmd_run_verb(const struct cmd *c, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    char known[160] = "";

    if (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
        cmd_help(c);
        return CMD_OK;
    }
    if (word && (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)) {
        puts("gsim " GSIM_VERSION);
        return CMD_OK;
    }
    for (size_t i = 0; c->verb[i]; i++) {
        const char *name = strrchr(c->verb[i]->name, ' ') + 1;
        const size_t at = strlen(known);

        if (word && strcmp(word, name) == 0)
            return c->verb[i]->run(c->verb[i], argc - 1, argv + 1);
        snprintf(known + at, sizeof(known) - at, "%s%s",
                 !i               ? ""
                 : c->verb[i + 1] ? ", "
                                  : " or ",
                 name);
    }
    if (!word)
        return cmd_usage(c, "what to do must be %s", known);
    return cmd_usage(c, "what to do must be %s (got '%s')", known, word);
}

/* --- arguments ------------------------------------------------------------------- */

static enum cmd_status unknown(const struct cmd *c, const char *arg, size_t len)
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

/* Of an option that took over the name of another: the other, where the value
 * is one of that one's words only ("--format swf", which is --from-format now).
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
    const char *dots = strstr(text, "..");
    const size_t len = dots ? (size_t)(dots - text) : strlen(text);
    uint64_t first, last;

    if (gs_quantity_parse_u64(text, len, &first) < 0)
        return -1;
    if (!dots) {
        *out = (struct cmd_seeds){ .count = first };
        return first ? 0 : -1;
    }
    if (gs_quantity_parse_u64(dots + 2, strlen(dots + 2), &last) < 0
        || last < first || last - first == UINT64_MAX)
        return -1;
    *out = (struct cmd_seeds){ first, last - first + 1, true };
    return 0;
}

void cmd_seeds_default(struct cmd_seeds *s, uint64_t seed)
{
    if (!s->is_range)
        s->first = seed;
    if (s->count == 0)
        s->count = 1;
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

/* "0.9", "90%", or, as it was read once, "90": thousandths. */
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

static enum cmd_status text_set(const struct parse *p, const struct cmd_take *t,
                                const char *value)
{
    void *at = (char *)p->out + t->offset;
    const char *name = cmd_option(t->id)->name;
    struct cmd_texts *texts = at;
    char list[256];

    if (!is_allowed(t, value))
        return cmd_usage(p->c, "'--%s' must be %s (got '%s')", name,
                         cmd_words_text(cmd_take_words(t), list, sizeof(list)),
                         value);
    if (!t->repeats) {
        *(const char **)at = value;
        return CMD_OK;
    }
    if (texts->count == CMD_TEXTS_MAX)
        return cmd_usage(p->c, "too many options '--%s'", name);
    texts->text[texts->count++] = value;
    return CMD_OK;
}

/* Store `value` where the command wants it. */
static enum cmd_status take_set(struct parse *p, const struct cmd_take *t,
                                const char *value)
{
    const struct cmd_option *o = cmd_option(t->id);
    const char *must;
    void *at = (char *)p->out + t->offset;
    int rc = -1;

    if (t->offset == CMD_NOWHERE)
        return CMD_OK;
    switch (o->form) {
    case CMD_FLAG:
        *(bool *)at = true;
        return CMD_OK;
    case CMD_TEXT:
    case CMD_WORDS:
        return text_set(p, t, value);
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
    if (rc == 0)
        return CMD_OK;
    return cmd_usage(p->c, "'--%s' must be %s (got '%s')", o->name, must,
                     value);
}

/* --help and --version end the command line. */
static bool is_answered(const struct parse *p, const struct cmd_take *t)
{
    if (t->id == OPT_HELP)
        cmd_help(p->c);
    else if (t->id == OPT_VERSION)
        puts("gsim " GSIM_VERSION);
    return t->id == OPT_HELP || t->id == OPT_VERSION;
}

/* Take option `t`, called `shown` on the command line, with its value: the text
 * behind '=', or else the next argument.
 */
static enum cmd_status option_take(struct parse *p, const struct cmd_take *t,
                                   const char *shown, const char *value,
                                   int *done)
{
    const struct cmd_option *o = cmd_option(t->id);

    if (o->form == CMD_FLAG) {
        if (value)
            return cmd_usage(p->c, "'%s' takes no value", shown);
        *done = is_answered(p, t);
        return *done ? CMD_OK : take_set(p, t, NULL);
    }
    if (!value) {
        if (p->at + 1 >= p->argc)
            return cmd_usage(p->c, "'%s' needs a value: %s", shown, o->value);
        value = p->argv[++p->at];
    }
    t = take_meant(p->c, t, value);
    if (p->seen[t->id] && !t->repeats)
        return cmd_usage(p->c, "'--%s' is given twice",
                         cmd_option(t->id)->name);
    p->seen[t->id] = true;
    return take_set(p, t, value);
}

static enum cmd_status argument_take(struct parse *p, int *done)
{
    const char *arg = p->argv[p->at];
    const struct cmd_take *t;
    char shown[80];
    size_t len;

    if (arg[1] != '-') {
        t = arg[2] ? NULL : take_lettered(p->c, arg[1]);
        return t ? option_take(p, t, arg, NULL, done)
                 : cmd_usage(p->c, "no option is called '%s'", arg);
    }
    len = strcspn(arg, "=");
    t = take_named(p->c, arg + 2, len - 2);
    if (!t)
        return unknown(p->c, arg + 2, len - 2);
    snprintf(shown, sizeof(shown), "%.*s", (int)len, arg);
    return option_take(p, t, shown, arg[len] ? arg + len + 1 : NULL, done);
}

/* The first of A..B is one seed, that of --seed another. */
static enum cmd_status seeds_check(const struct parse *p)
{
    const struct cmd_take *t = take_of(p->c, OPT_SEEDS);
    const struct cmd_seeds *s;

    if (!t || !p->seen[OPT_SEEDS] || !p->seen[OPT_SEED])
        return CMD_OK;
    s = (const void *)((const char *)p->out + t->offset);
    return s->is_range ? cmd_usage(p->c, "'--seeds A..B' leaves no place for "
                                         "'--seed'")
                       : CMD_OK;
}

enum cmd_status cmd_parse(const struct cmd *c, int argc, char **argv, void *out,
                          const char **operand, size_t max, size_t *count,
                          int *done)
{
    struct parse p = { .c = c, .argc = argc, .argv = argv, .out = out };
    bool options = true;

    *count = 0;
    *done = 0;
    for (p.at = 1; p.at < argc; p.at++) {
        const char *arg = argv[p.at];
        enum cmd_status status;

        if (options && strcmp(arg, "--") == 0) {
            options = false;
        } else if (options && arg[0] == '-' && arg[1]) {
            status = argument_take(&p, done);
            if (status != CMD_OK || *done)
                return status;
        } else {
            if (*count == max)
                return cmd_usage(c, "one operand too many: '%s'", arg);
            operand[(*count)++] = arg;
        }
    }
    if (seeds_check(&p) != CMD_OK)
        return CMD_USAGE;
    return cmd_outputs_check(c, out, operand, *count);
}
