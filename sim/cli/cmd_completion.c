/* sim/cli/cmd_completion.c - gsim completion: what a shell can complete.
 *
 * Scripts are made from the tables of commands, options and presets, and from
 * nothing that a user can name: they never ask a database or a trace.  Files
 * are completed by the shell itself.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "policies/policy.h"
#include "policies/profile/registry.h"
#include "sim/cli/cmd.h"

/* First operands that are words. */
static const struct {
    const char *command, *words;
} verbs[] = {
    { "topology", "show" },
    { "completion", "bash zsh fish" },
};

#define N_ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))

static const char *verbs_of(const struct cmd *c)
{
    for (size_t i = 0; i < N_ELEMENTS(verbs); i++) {
        if (strcmp(verbs[i].command, c->name) == 0)
            return verbs[i].words;
    }
    return NULL;
}

static bool has_verbs(const struct cmd *c)
{
    return c->verb || verbs_of(c);
}

/* "info convert ..." */
static void verbs_print(const struct cmd *c)
{
    if (verbs_of(c))
        fputs(verbs_of(c), stdout);
    for (size_t i = 0; c->verb && c->verb[i]; i++)
        printf("%s%s", i ? " " : "", strrchr(c->verb[i]->name, ' ') + 1);
}

static bool takes_policy(const struct cmd_take *t)
{
    return t->id == OPT_POLICY;
}

/* "fifo binpack ..." */
static void presets_print(void)
{
    for (size_t i = 0; gsched_preset_at(i); i++)
        printf("%s%s", i ? " " : "", gsched_preset_at(i)->name);
}

/* --- bash ------------------------------------------------------------------------- */

static void bash_values(const struct cmd *c)
{
    const struct cmd_take *t;

    for (size_t i = 0; (t = cmd_take_at(c, i)); i++) {
        const char *words = cmd_take_words(t);

        if (!words && !takes_policy(t))
            continue;
        printf("    '%s --%s') words='", c->name, cmd_option(t->id)->name);
        if (words)
            fputs(words, stdout);
        else
            presets_print();
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
    if (strcmp(c->name, "policies") == 0)
        presets_print();
    printf("' ;;\n");
}

static void bash_print(void)
{
    puts(
        "# bash completion for gsim, made by `gsim completion bash`.\n"
        "# Where it has no word to offer, bash completes files.\n"
        "_gsim() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} words='' options='' verbs=''\n"
        "    local prev=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command=${COMP_WORDS[1]}\n"
        "    COMPREPLY=()\n"
        "    # --format=json comes as three words\n"
        "    if [[ $cur == = ]]; then\n"
        "        cur=''\n"
        "    elif [[ $prev == = ]]; then\n"
        "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n"
        "    if ((COMP_CWORD == 1)); then");
    printf("        words='--help --version help");
    for (size_t i = 0; cmd_at(i); i++)
        printf(" %s", cmd_at(i)->name);
    puts("'\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "        return\n"
         "    fi\n"
         "    case \"$command $prev\" in");
    for (size_t i = 0; cmd_at(i); i++)
        bash_values(cmd_at(i));
    puts("    esac\n"
         "    case $command in");
    for (size_t i = 0; cmd_at(i); i++)
        bash_command(cmd_at(i));
    puts("    esac\n"
         "    if [[ -z $words && $cur == -* ]]; then\n"
         "        words=$options\n"
         "    elif [[ -z $words ]] && ((COMP_CWORD == 2)); then\n"
         "        words=$verbs\n"
         "    fi\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -o bashdefault -o default -F _gsim gsim");
}

/* --- zsh -------------------------------------------------------------------------- */

/* In single quotes a quote ends them, stands alone, and begins them again. */
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
    const char *words = cmd_take_words(t);

    if (o->letter)
        printf("                '-%c[the same as --%s]%s' \\\n", o->letter,
               o->name, o->takes_file ? ":FILE:_files" : "");
    printf("                '%s--%s%s[", t->repeats ? "*" : "", o->name,
           o->value ? "=" : "");
    zsh_text(o->summary);
    printf("]");
    if (o->value)
        printf(":%s:", o->value);
    if (words)
        printf("(%s)", words);
    else if (takes_policy(t)) {
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
    if (has_verbs(c)) {
        printf("                '1:what:(");
        verbs_print(c);
        printf(")' \\\n");
    }
    if (strcmp(c->name, "policies") == 0) {
        printf("                '1:preset:{compadd -- ");
        presets_print();
        printf("; _files}' \\\n");
    }
    printf("                '*:file:_files' ;;\n");
}

static void zsh_print(void)
{
    puts("#compdef gsim\n"
         "# zsh completion for gsim, made by `gsim completion zsh`.\n"
         "_gsim() {\n"
         "    local curcontext=$curcontext state line\n"
         "    typeset -A opt_args\n"
         "    local -a commands\n"
         "    commands=(");
    for (size_t i = 0; cmd_at(i); i++) {
        printf("        '%s:", cmd_at(i)->name);
        zsh_text(cmd_at(i)->summary);
        puts("'");
    }
    puts("    )\n"
         "    _arguments -C '(-)--help[the commands]' "
         "'(-)--version[the version]' \\\n"
         "        '1: :->command' '*:: :->rest'\n"
         "    case $state in\n"
         "    command) _describe -t commands command commands ;;\n"
         "    rest)\n"
         "        case $words[1] in");
    for (size_t i = 0; cmd_at(i); i++)
        zsh_command(cmd_at(i));
    puts("        esac ;;\n"
         "    esac\n"
         "}\n"
         "if [[ $funcstack[1] == _gsim ]]; then\n"
         "    _gsim \"$@\"\n"
         "else\n"
         "    compdef _gsim gsim\n"
         "fi");
}

/* --- fish ------------------------------------------------------------------------- */

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
    const char *words = cmd_take_words(t);

    printf("complete -c gsim -n '__gsim_is %s' -l %s", c->name, o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (words)
        printf(" -x -a '%s'", words);
    else if (takes_policy(t)) {
        printf(" -r -F -a '");
        presets_print();
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
    if (has_verbs(c)) {
        printf("complete -c gsim -n '__gsim_is %s 2' -f -a '", c->name);
        verbs_print(c);
        puts("'");
    }
    if (strcmp(c->name, "policies") == 0) {
        printf("complete -c gsim -n '__gsim_is policies 2' -a '");
        presets_print();
        puts("'");
    }
    for (size_t i = 0; cmd_take_at(c, i); i++)
        fish_option(c, cmd_take_at(c, i));
}

static void fish_print(void)
{
    puts("# fish completion for gsim, made by `gsim completion fish`.\n"
         "# __gsim_is: no command stands before the cursor\n"
         "# __gsim_is COMMAND [WORDS]: this one does, in so many words\n"
         "function __gsim_is\n"
         "    set -l words (commandline -opc)\n"
         "    if not set -q argv[1]\n"
         "        test (count $words) -eq 1\n"
         "        return\n"
         "    end\n"
         "    set -q words[2]; and test \"$words[2]\" = $argv[1]; or return 1\n"
         "    not set -q argv[2]; or test (count $words) -eq $argv[2]\n"
         "end\n"
         "complete -c gsim -n __gsim_is -l help -s h -d 'the commands'\n"
         "complete -c gsim -n __gsim_is -l version -s V -d 'the version'");
    for (size_t i = 0; cmd_at(i); i++)
        fish_command(cmd_at(i));
}

/* --- the command ------------------------------------------------------------------ */

static enum cmd_status completion_run(const struct cmd *c, int argc,
                                      char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {
        { "bash", bash_print },
        { "zsh", zsh_print },
        { "fish", fish_print },
    };
    const char *shell[1];
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, NULL, shell, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    for (size_t i = 0; count && i < N_ELEMENTS(shells); i++) {
        if (strcmp(shells[i].name, shell[0]) == 0) {
            shells[i].print();
            return CMD_OK;
        }
    }
    return cmd_usage(c, "a shell is needed: bash, zsh or fish%s%s%s",
                     count ? " (got '" : "", count ? shell[0] : "",
                     count ? "')" : "");
}

const struct cmd cmd_completion = {
    .name = "completion",
    .args = "bash | zsh | fish",
    .summary = "print a script with which a shell completes commands and "
               "options",
    .help = "Examples:\n"
            "  source <(gsim completion bash)\n"
            "  gsim completion zsh > ~/.zsh/completions/_gsim\n"
            "  gsim completion fish > ~/.config/fish/completions/gsim.fish\n",
    .run = completion_run,
};
