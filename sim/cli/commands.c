/* sim/cli/commands.c - the table of commands; running one. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"

static const struct cmd *const commands[] = {
    &cmd_replay,   &cmd_audit,    &cmd_compare,    &cmd_diff,     &cmd_report,
    &cmd_explain,  &cmd_probe,    &cmd_export,     &cmd_gate,     &cmd_whatif,
    &cmd_sweep,    &cmd_fill,     &cmd_trace,      &cmd_topology, &cmd_import,
    &cmd_validate, &cmd_policies, &cmd_completion,
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

const struct cmd *cmd_at(size_t i)
{
    return i < N_COMMANDS ? commands[i] : NULL;
}

const struct cmd *cmd_find(int count, char *const *word, int *used)
{
    const struct cmd *c = NULL;

    for (size_t i = 0; count > 0 && !c && i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, word[0]) == 0)
            c = commands[i];
    }
    *used = c != NULL;
    for (size_t i = 0; c && c->verb && count > 1 && c->verb[i]; i++) {
        if (strcmp(strrchr(c->verb[i]->name, ' ') + 1, word[1]) == 0) {
            *used = 2;
            return c->verb[i];
        }
    }
    return c;
}

int cmd_fail(const struct gs_err *err)
{
    static const int statuses[] = {
        [GS_OK] = CMD_FAILED, [GS_USAGE] = CMD_USAGE, [GS_INPUT] = CMD_INPUT,
        [GS_IO] = CMD_FAILED, [GS_LIMIT] = CMD_INPUT,
    };
    char text[1024];

    for (unsigned i = 0; i < err->count; i++)
        fprintf(stderr, "gsim: %s\n",
                gs_err_format(err, i, text, sizeof(text)));
    return statuses[err->code];
}

static int verb_run(const struct cmd *c, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : NULL;
    char names[160] = "", known[200];

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

        if (word && strcmp(word, name) == 0)
            return cmd_run(c->verb[i], argc - 1, argv + 1);
        gs_text_add(names, sizeof(names), "%s%s", i ? " " : "", name);
    }
    cmd_words_text(names, known, sizeof(known));
    if (!word)
        return cmd_usage(c, "what to do must be %s", known);
    return cmd_usage(c, "what to do must be %s (got '%s')", known, word);
}

int cmd_run(const struct cmd *c, int argc, char **argv)
{
    struct gs_err err = { 0 };
    struct inputs in;
    struct cmd_call call = { .cmd = c, .in = &in };
    int status;

    if (c->verb)
        return verb_run(c, argc, argv);
    inputs_init(&in);
    call.operand = gs_arena_alloc(in.arena, (size_t)argc,
                                  sizeof(*call.operand));
    call.options = gs_arena_alloc(in.arena, 1, c->size + 1);
    if (c->defaults)
        memcpy(call.options, c->defaults, c->size);
    status = cmd_parse(&call, argc, argv);
    if (status == CMD_OK && !call.is_answered)
        status = c->run(&call, &err);
    if (status < 0)
        status = cmd_fail(&err);
    inputs_fini(&in);
    return status;
}
