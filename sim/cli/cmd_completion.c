/* sim/cli/cmd_completion.c - gsim completion: scripts for shells.
 *
 * A script of share/completion/ with lines from the tables of commands, options
 * and presets.  Scripts read no file of the user, such as a database or a
 * trace; the shell itself completes names of files. /
 */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "policies/policy.h"
#include "policies/profile/registry.h"
#include "share/share.h"
#include "sim/cli/cmd.h"

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

/* "fifo binpack ..." */
static void presets_print(void)
{
    for (size_t i = 0; gsched_preset_at(i); i++)
        printf("%s%s", i ? " " : "", gsched_preset_at(i)->name);
}

/* The words that the first operand may be: "info convert ..." */
static void verbs_print(const struct cmd *c)
{
    if (c->words)
        fputs(c->words, stdout);
    for (size_t i = 0; c->verb && c->verb[i]; i++)
        printf("%s%s", i ? " " : "", strrchr(c->verb[i]->name, ' ') + 1);
    if (c->takes_preset)
        presets_print();
}

static bool takes_preset(const struct cmd_take *t)
{
    return t->id == OPT_POLICY;
}

/* The words that the option's argument may be; nothing for other arguments. */
static void values_print(const struct cmd_take *t)
{
    if (cmd_take_words(t))
        fputs(cmd_take_words(t), stdout);
    else if (takes_preset(t))
        presets_print();
}

/* Lines that replace the line "@name@" of a script. */
struct part {
    const char *name;
    void (*print)(void);
    void (*each)(const struct cmd *c); /* for every command */
};

static void part_print(const struct part *part, const char *name, size_t len)
{
    while (part->name
           && (strlen(part->name) != len || memcmp(part->name, name, len) != 0))
        part++;
    assert(part->name);
    if (part->print)
        part->print();
    for (size_t i = 0; part->each && cmd_at(i); i++)
        part->each(cmd_at(i));
}

static void script_print(const char *script, const struct part *part)
{
    for (const char *next; *script; script = next) {
        const size_t len = strcspn(script, "\n");

        next = script + len + (script[len] == '\n');
        if (len > 2 && script[0] == '@' && script[len - 1] == '@')
            part_print(part, script + 1, len - 2);
        else
            fwrite(script, 1, (size_t)(next - script), stdout);
    }
}

/* --- bash ----------------------------------------------------------------- */

static void bash_values(const struct cmd *c)
{
    const struct cmd_take *t;

    for (size_t i = 0; (t = cmd_take_at(c, i)); i++) {
        if (!cmd_take_words(t) && !takes_preset(t))
            continue;
        printf("    '%s --%s') words='", c->name, cmd_option(t->id)->name);
        values_print(t);
        printf("' ;;\n");
    }
}

static void bash_command(const struct cmd *c)
{
    const struct cmd_take *t;

    printf("    %s)\n        options='", c->name);
    for (size_t i = 0; (t = cmd_take_at(c, i)); i++)
        printf(" --%s", cmd_option(t->id)->name);
    printf("'\n        verbs='");
    verbs_print(c);
    printf("' ;;\n");
}

static void bash_words(void)
{
    printf("        words='--help --version help");
    for (size_t i = 0; cmd_at(i); i++)
        printf(" %s", cmd_at(i)->name);
    puts("'");
}

static const struct part bash[] = { { "words", bash_words, NULL },
                                    { "values", NULL, bash_values },
                                    { "options", NULL, bash_command },
                                    { NULL, NULL, NULL } };

/* --- zsh ------------------------------------------------------------------ */

/* Print text within single quotes: a quote becomes '\''. */
static void zsh_text(const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            fputs("'\\''", stdout);
        else {
            if (strchr("[]:\\", *s))
                putchar('\\');
            putchar(*s);
        }
    }
}

static void zsh_option(const struct cmd_take *t)
{
    const struct cmd_option *o = cmd_option(t->id);

    if (o->letter)
        printf("                '-%c[the same as --%s]%s' \\\n", o->letter,
               o->name, o->takes_file ? ":FILE:_files" : "");
    printf("                '%s--%s%s[", t->repeats ? "*" : "", o->name,
           o->value ? "=" : "");
    zsh_text(o->summary);
    printf("]");
    if (o->value)
        printf(":%s:", o->value);
    if (cmd_take_words(t))
        printf("(%s)", cmd_take_words(t));
    else if (takes_preset(t)) {
        printf("{compadd -- ");
        presets_print();
        printf("; _files}");
    } else if (o->takes_file)
        printf("_files");
    else if (o->value)
        printf(" ");
    printf("' \\\n");
}

static void zsh_command(const struct cmd *c)
{
    printf("        %s)\n            _arguments \\\n", c->name);
    for (size_t i = 0; cmd_take_at(c, i); i++)
        zsh_option(cmd_take_at(c, i));
    if (c->takes_preset) {
        printf("                '1:preset:{compadd -- ");
        presets_print();
        printf("; _files}' \\\n");
    } else if (c->words || c->verb) {
        printf("                '1:what:(");
        verbs_print(c);
        printf(")' \\\n");
    }
    printf("                '*:file:_files' ;;\n");
}

static void zsh_summary(const struct cmd *c)
{
    printf("        '%s:", c->name);
    zsh_text(c->summary);
    puts("'");
}

static const struct part zsh[] = { { "commands", NULL, zsh_summary },
                                   { "options", NULL, zsh_command },
                                   { NULL, NULL, NULL } };

/* --- fish ----------------------------------------------------------------- */

/* Within single quotes. */
static void fish_text(const char *s)
{
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\')
            putchar('\\');
        putchar(*s);
    }
}

static void fish_option(const struct cmd *c, const struct cmd_take *t)
{
    const struct cmd_option *o = cmd_option(t->id);
    printf("complete -c gsim -n '__gsim_is %s' -l %s", c->name, o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (cmd_take_words(t) || takes_preset(t)) {
        printf(takes_preset(t) ? " -r -F -a '" : " -x -a '");
        values_print(t);
        printf("'");
    } else if (o->takes_file)
        printf(" -r -F");
    else if (o->value)
        printf(" -x");
    printf(" -d '");
    fish_text(o->summary);
    puts("'");
}

static void fish_command(const struct cmd *c)
{
    printf("complete -c gsim -n __gsim_is -f -a %s -d '", c->name);
    fish_text(c->summary);
    puts("'");
    if (c->words || c->verb || c->takes_preset) {
        printf("complete -c gsim -n '__gsim_is %s 2'%s -a '", c->name,
               c->takes_preset ? "" : " -f");
        verbs_print(c);
        puts("'");
    }
    for (size_t i = 0; cmd_take_at(c, i); i++)
        fish_option(c, cmd_take_at(c, i));
}

static const struct part fish[] = { { "commands", NULL, fish_command },
                                    { NULL, NULL, NULL } };

/* --- the command ---------------------------------------------------------- */

static int completion_run(const struct cmd_call *call, struct gs_err *err)
{
    static const struct {
        const char *name, *script;
        const struct part *part;
    } shells[] = {
        { "bash", share_completion_gsim_bash, bash },
        { "zsh", share_completion_gsim_zsh, zsh },
        { "fish", share_completion_gsim_fish, fish },
    };
    const char *shell = call->count ? call->operand[0] : NULL;

    (void)err; /* nothing else can fail */
    for (size_t i = 0; shell && i < N_ELEMENTS(shells); i++) {
        if (strcmp(shells[i].name, shell) == 0) {
            script_print(shells[i].script, shells[i].part);
            return CMD_OK;
        }
    }
    return cmd_usage(call->cmd, "a shell is needed: bash, zsh or fish%s%s%s",
                     shell ? " (got '" : "", shell ? shell : "",
                     shell ? "')" : "");
}

const struct cmd cmd_completion = {
    .name = "completion",
    .words = "bash zsh fish",
    .args = "bash | zsh | fish",
    .summary = "print a script with which a shell completes commands and "
               "options",
    .help = "Examples:\n"
            "  source <(gsim completion bash)\n"
            "  gsim completion zsh > ~/.zsh/completions/_gsim\n"
            "  gsim completion fish > ~/.config/fish/completions/gsim.fish\n",
    .most = 1,
    .run = completion_run,
};
