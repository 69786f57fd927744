/* sim/cli/cmd_explain.c - gsim explain: one job of one run. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/explain/explain.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/terminal.h"

struct options {
    const char *format;
};

static const struct cmd_take take[] = {
    { .id = OPT_FORMAT, offsetof(struct options, format), "text", "text json" },
};

static int explain(const char *const *operand,
                   const struct report_layout *layout, struct gs_err *err)
{
    struct report_store *s = report_store_open_readonly(operand[0], err);
    struct gs_arena *arena;
    struct report_explained e;
    int rc;

    if (!s)
        return -1;
    arena = gs_arena_create(1 << 14);
    rc = report_explain(s, operand[1], operand[2], arena, &e, err);
    if (rc == 0)
        report_explain_print(&e, layout, stdout);
    report_store_close(s);
    gs_arena_destroy(arena);
    return rc;
}

static enum cmd_status explain_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .format = "text" };
    const char *operand[3];
    struct report_layout layout;
    struct gs_err err = { 0 };
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, operand, 3, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count < 3)
        return cmd_usage(c, "a database, a run and a job are needed");
    layout = (struct report_layout){ o.format[0] == 'j' ? REPORT_JSON
                                                        : REPORT_TABLE,
                                     terminal_width(), terminal_has_colour(),
                                     terminal_has_utf8() };
    return explain(operand, &layout, &err) < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_explain = {
    .name = "explain",
    .args = "DB RUN JOB [--format F]",
    .summary = "tell why a job waited, where it ran, which jobs evicted it",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help = "JOB is a name or, where no job is called that, a number; '#7' "
            "is always\na number.\n\n"
            "Examples:\n"
            "  gsim explain gsim.db binpack llm\n"
            "  gsim explain gsim.db spread '#812' --format json\n",
    .run = explain_run,
};
