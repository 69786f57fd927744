/* sim/cli/cmd_explain.c - gsim explain: one job of one run. */
#include <stdio.h>

#include "reports/explain/explain.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/terminal.h"
#include "sim/study/inputs.h"

struct explain_options {
    const char *format;
};

static const struct cmd_take take[] = {
    { .id = OPT_FORMAT,
      offsetof(struct explain_options, format),
      "text",
      "text json" },
};

static const struct explain_options defaults = { .format = "text" };

static int explain_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct explain_options *o = call->options;
    const struct report_layout layout = terminal_layout(o->format);
    struct report_store *s = report_store_open_readonly(call->operand[0], err);
    struct report_explained e;
    int rc;

    if (!s)
        return -1;
    rc = report_explain(s, call->operand[1], call->operand[2], call->in->arena,
                        &e, err);
    if (rc == 0)
        report_explain_print(&e, &layout, stdout);
    report_store_close(s);
    return rc;
}

const struct cmd cmd_explain = {
    .name = "explain",
    .args = "DB RUN JOB [--format F]",
    .summary = "show why a job waited, where it ran, which jobs evicted it",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 3,
    .most = 3,
    .needs = "a database, a run and a job are needed",
    .help =
        "JOB is the name of a job or, where no job has that name, its number; "
        "'#7' is\nalways a number.\n\n"
        "Examples:\n"
        "  gsim explain gsim.db binpack llm\n"
        "  gsim explain gsim.db spread '#812' --format json\n",
    .run = explain_run,
};
