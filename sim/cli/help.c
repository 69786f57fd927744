/* sim/cli/help.c - usage lines, --help, lists of words. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
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

const char *cmd_words_text(const char *words, char *buf, size_t size)
{
    buf[0] = '\0';
    while (*words) {
        const size_t len = strcspn(words, " ");
        const bool is_last = words[len] == '\0';
        const bool is_next_last = !is_last && !strchr(words + len + 1, ' ');

        gs_text_add(buf, size, "%.*s%s", (int)len, words,
                    is_last        ? ""
                    : is_next_last ? " or "
                                   : ", ");
        words += len + !is_last;
    }
    return buf;
}

/* Print name, meaning, allowed words and default of an option. */
static void take_show(const struct cmd_take *t)
{
    const struct cmd_option *o = cmd_option(t->id);
    const char *words = cmd_take_words(t);
    const char *fallback = t->fallback ? t->fallback : o->fallback;
    char left[64], text[1024], list[256], first[32];

    snprintf(left, sizeof(left), "%s%c%s--%s%s%s", o->letter ? "-" : "",
             o->letter ? o->letter : ' ', o->letter ? ", " : "", o->name,
             o->value ? " " : "", o->value ? o->value : "");
    if (words) {
        snprintf(first, sizeof(first), "%.*s", (int)strcspn(words, " "), words);
        cmd_words_text(words, list, sizeof(list));
    }
    snprintf(text, sizeof(text), "%s%s%s%s%s%s%s", o->summary,
             words && !strstr(o->summary, first) ? ": " : "",
             words && !strstr(o->summary, first) ? list : "",
             t->repeats ? "; may be repeated" : "", fallback ? " (" : "",
             fallback ? fallback : "", fallback ? ")" : "");
    printf("  %-22s  ", left + !o->letter);
    if (strlen(left + !o->letter) > 22)
        printf("\n%26s", "");
    wrap(text, 26);
}

void cmd_help(const struct cmd *c)
{
    const struct cmd_take *t;

    usage_line(c, stdout);
    printf("\n%s\n", c->summary);
    if (c->verb)
        putchar('\n');
    for (size_t i = 0; c->verb && c->verb[i]; i++) {
        printf("  %-10s  ", strrchr(c->verb[i]->name, ' ') + 1);
        wrap(c->verb[i]->summary, 14);
    }
    printf("\nOptions:\n");
    for (size_t i = 0; (t = cmd_own_take_at(c, i)); i++)
        take_show(t);
    if (c->help)
        printf("\n%s", c->help);
}

int cmd_usage(const struct cmd *c, const char *fmt, ...)
{
    char text[1024];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof(text), fmt, ap);
    va_end(ap);
    gs_text_clean(text); /* the command line may contain any bytes */
    fprintf(stderr, "gsim: %s\n", text);
    usage_line(c, stderr);
    return CMD_USAGE;
}
