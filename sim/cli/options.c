/* sim/cli/options.c - long options from a table, usage, help, errors. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/quantity.h"
#include "sim/cli/cmd.h"

static void usage_line(const struct cmd *c, FILE *out)
{
    fprintf(out, "usage: gsim %s %s\n", c->name, c->args);
}

/* Print `text` from column `left` on, in lines of 80, breaking at blanks. */
static void wrap(const char *text, size_t left)
{
    size_t at = left;

    while (*text) {
        const size_t n = strcspn(text, " ");

        if (at + n > 80 && at > left) {
            printf("\n%*s", (int)left, "");
            at = left;
        }
        printf("%s%.*s", at > left ? " " : "", (int)n, text);
        at += n + 1;
        text += n;
        text += *text == ' ';
    }
    putchar('\n');
}

static void option_show(const struct cmd_option *o)
{
    char left[64];

    snprintf(left, sizeof(left), "--%s%s%s", o->name, o->value ? " " : "",
             o->value ? o->value : "");
    printf("  %-22s  ", left);
    wrap(o->summary, 26);
}

void cmd_help(const struct cmd *c)
{
    usage_line(c, stdout);
    printf("\n%s\n", c->summary);
    if (c->verb)
        putchar('\n');
    for (size_t i = 0; c->verb && c->verb[i]; i++) {
        printf("  %-10s  ", strrchr(c->verb[i]->name, ' ') + 1);
        wrap(c->verb[i]->summary, 14);
    }
    if (c->option_count)
        printf("\nOptions:\n");
    for (size_t i = 0; i < c->option_count; i++)
        option_show(&c->option[i]);
    if (c->help)
        printf("\n%s", c->help);
}

enum cmd_status cmd_usage(const struct cmd *c, const char *fmt, ...)
{
    va_list ap;

    fputs("gsim: ", stderr);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
    usage_line(c, stderr);
    return CMD_USAGE;
}

enum cmd_status cmd_fail(const struct gs_err *err)
{
    static const enum cmd_status statuses[] = {
        [GS_OK] = CMD_FAILED, [GS_USAGE] = CMD_USAGE, [GS_INPUT] = CMD_INPUT,
        [GS_IO] = CMD_FAILED, [GS_LIMIT] = CMD_INPUT,
    };
    char text[512];

    for (unsigned i = 0; i < err->count; i++)
        fprintf(stderr, "gsim: %s\n",
                gs_err_format(err, i, text, sizeof(text)));
    return statuses[err->code];
}

static const struct cmd_option *option_find(const struct cmd *c,
                                            const char *name, size_t len)
{
    for (size_t i = 0; i < c->option_count; i++) {
        if (strlen(c->option[i].name) == len
            && memcmp(c->option[i].name, name, len) == 0)
            return &c->option[i];
    }
    return NULL;
}

static bool has_option(const struct cmd *c, const char *name)
{
    return option_find(c, name, strlen(name)) != NULL;
}

const struct cmd_option *cmd_option_at(const struct cmd *c, size_t i)
{
    if (i < c->option_count)
        return &c->option[i];
    i -= c->option_count;
    for (size_t v = 0; c->verb && c->verb[v]; v++) {
        for (size_t k = 0; k < c->verb[v]->option_count; k++) {
            const struct cmd_option *o = &c->verb[v]->option[k];
            bool met = has_option(c, o->name);

            for (size_t before = 0; before < v && !met; before++)
                met = has_option(c->verb[before], o->name);
            if (!met && i-- == 0)
                return o;
        }
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

static enum cmd_status unknown(const struct cmd *c, const char *arg, size_t len)
{
    const char *known[64];
    char name[64];
    const char *near;

    for (size_t i = 0; i < c->option_count; i++)
        known[i] = c->option[i].name;
    snprintf(name, sizeof(name), "%.*s", (int)len, arg);
    near = gs_nearest(name, known, c->option_count);
    if (near)
        return cmd_usage(c, "no option is called '--%s' (did you mean '--%s'?)",
                         name, near);
    return cmd_usage(c, "no option is called '--%s'", name);
}

/* Store `value` where option `o` wants it. */
static enum cmd_status option_set(const struct cmd *c,
                                  const struct cmd_option *o, const char *value,
                                  void *out)
{
    void *at = (char *)out + o->offset;
    struct cmd_texts *texts = at;

    switch (o->type) {
    case CMD_FLAG:
        *(bool *)at = true;
        return CMD_OK;
    case CMD_TEXT:
        *(const char **)at = value;
        return CMD_OK;
    case CMD_TEXTS:
        if (texts->count == sizeof(texts->text) / sizeof(texts->text[0]))
            return cmd_usage(c, "too many options '--%s'", o->name);
        texts->text[texts->count++] = value;
        return CMD_OK;
    case CMD_COUNT:
        if (gs_quantity_parse_u64(value, strlen(value), at) < 0)
            return cmd_usage(c, "'--%s' must be a whole number (got '%s')",
                             o->name, value);
        return CMD_OK;
    case CMD_SPAN:
        if (gs_duration_parse(value, strlen(value), at) < 0)
            return cmd_usage(c,
                             "'--%s' must be a time such as 90s or 2d "
                             "(got '%s')",
                             o->name, value);
        return CMD_OK;
    }
    return CMD_FAILED;
}

/* Take the option at argv[*i], and its value. */
static enum cmd_status option_take(const struct cmd *c, int argc, char **argv,
                                   int *i, void *out)
{
    const char *name = argv[*i] + 2;
    const size_t len = strcspn(name, "=");
    const struct cmd_option *o = option_find(c, name, len);
    const char *value = name[len] ? name + len + 1 : NULL;

    if (!o)
        return unknown(c, name, len);
    if (o->type == CMD_FLAG && value)
        return cmd_usage(c, "'--%s' takes no value", o->name);
    if (o->type != CMD_FLAG && !value) {
        if (*i + 1 >= argc)
            return cmd_usage(c, "'--%s' needs a value: %s", o->name, o->value);
        value = argv[++*i];
    }
    return option_set(c, o, value, out);
}

enum cmd_status cmd_parse(const struct cmd *c, int argc, char **argv, void *out,
                          const char **operand, size_t max, size_t *count,
                          int *done)
{
    bool options = true;

    *count = 0;
    *done = 0;
    for (int i = 1; i < argc; i++) {
        enum cmd_status status;

        if (options
            && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            cmd_help(c);
            *done = 1;
            return CMD_OK;
        }
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
            continue;
        }
        if (options && strcmp(argv[i], "-o") == 0 && option_find(c, "out", 3)) {
            if (i + 1 >= argc)
                return cmd_usage(c, "'-o' needs a value: FILE");
            status = option_set(c, option_find(c, "out", 3), argv[++i], out);
        } else if (options && strncmp(argv[i], "--", 2) == 0) {
            status = option_take(c, argc, argv, &i, out);
        } else if (options && argv[i][0] == '-' && argv[i][1]) {
            status = cmd_usage(c, "no option is called '%s'", argv[i]);
        } else {
            if (*count == max)
                return cmd_usage(c, "one operand too many: '%s'", argv[i]);
            operand[(*count)++] = argv[i];
            status = CMD_OK;
        }
        if (status != CMD_OK)
            return status;
    }
    return CMD_OK;
}

bool cmd_is_same_file(const char *a, const char *b)
{
    struct stat x, y;

    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev
           && x.st_ino == y.st_ino;
}

void cmd_leftover_remove(const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0 && S_ISREG(st.st_mode))
        (void)remove(path); /* the first failure is the one to tell */
}
