/* tests/sim/test_options.c - the table of options, and what commands take. */
#include <stdbool.h>
#include <string.h>

#include "sim/cli/cmd.h"
#include "tests/lib/suite.h"

/* Commands and verbs in one row; NULL past the end. */
static const struct cmd *command_at(size_t i)
{
    for (size_t c = 0; cmd_at(c); c++) {
        if (i-- == 0)
            return cmd_at(c);
        for (size_t v = 0; cmd_at(c)->verb && cmd_at(c)->verb[v]; v++) {
            if (i-- == 0)
                return cmd_at(c)->verb[v];
        }
    }
    return NULL;
}

static void rows_are_complete_and_sorted(void)
{
    for (int i = 0; i < OPT_NONE; i++) {
        const struct cmd_option *o = cmd_option((enum cmd_option_id)i);

        CU_ASSERT_PTR_NOT_NULL_FATAL(o->name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(o->summary);
        CU_ASSERT_EQUAL((o->form == CMD_FLAG), (o->value == NULL));
        CU_ASSERT_NOT_EQUAL(o->summary[strlen(o->summary) - 1], '.');
        if (i > 0)
            CU_ASSERT(
                strcmp(cmd_option((enum cmd_option_id)(i - 1))->name, o->name)
                < 0);
    }
}

static void letters_of_a_command_are_unique(void)
{
    for (size_t c = 0; command_at(c); c++) {
        bool taken[128] = { false };
        const struct cmd_take *t;

        for (size_t i = 0; (t = cmd_own_take_at(command_at(c), i)); i++) {
            const char letter = cmd_option(t->id)->letter;

            CU_ASSERT(!letter || !taken[(int)letter]);
            taken[(int)letter] = true;
        }
    }
}

static void every_option_is_taken(void)
{
    bool taken[OPT_NONE] = { false };

    taken[OPT_PROGRESS] = true; /* old ones are not listed */
    for (size_t c = 0; command_at(c); c++) {
        for (size_t i = 0; cmd_take_at(command_at(c), i); i++)
            taken[cmd_take_at(command_at(c), i)->id] = true;
    }
    for (int i = 0; i < OPT_NONE; i++)
        CU_ASSERT(taken[i]);
}

/* No option twice, no two in one place, none called as another is. */
static void takes_are_distinct(const struct cmd *c)
{
    for (size_t i = 0; i < c->takes; i++) {
        const struct cmd_take *a = &c->take[i];

        for (size_t k = 0; k < i; k++) {
            const struct cmd_take *b = &c->take[k];

            CU_ASSERT_NOT_EQUAL(a->id, b->id);
            CU_ASSERT(a->offset == CMD_NOWHERE || a->offset != b->offset);
            CU_ASSERT(!a->alias || !b->alias || strcmp(a->alias, b->alias));
        }
        CU_ASSERT(!a->repeats || cmd_option(a->id)->form == CMD_TEXT);
        CU_ASSERT(!a->alias || strcmp(a->alias, cmd_option(a->id)->name));
    }
}

static void commands_take_options_once(void)
{
    for (size_t c = 0; command_at(c); c++)
        takes_are_distinct(command_at(c));
}

/* A default that is a word is one of the words. */
static void defaults_are_allowed(void)
{
    for (size_t c = 0; command_at(c); c++) {
        const struct cmd_take *t;

        for (size_t i = 0; (t = cmd_own_take_at(command_at(c), i)); i++) {
            const char *words = cmd_take_words(t);

            if (words && t->fallback && !strchr(t->fallback, ' '))
                CU_ASSERT_PTR_NOT_NULL(strstr(words, t->fallback));
        }
    }
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "rows are complete and sorted", rows_are_complete_and_sorted },
        { "letters are unique", letters_of_a_command_are_unique },
        { "every option belongs to a command", every_option_is_taken },
        { "commands take options once", commands_take_options_once },
        { "defaults are values that are allowed", defaults_are_allowed },
    };

    return suite_run("options", cases, sizeof(cases) / sizeof(cases[0]));
}
