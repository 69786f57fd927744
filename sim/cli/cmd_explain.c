/* sim/cli/cmd_explain.c - gsim explain: one job of one run. */
#include <stdio.h>
#include <string.h>

#include "reports/explain/explain.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/examine_print.h"
#include "sim/cli/instant.h"
#include "sim/cli/stored_run.h"
#include "sim/cli/terminal.h"
#include "sim/study/again.h"
#include "sim/study/examine.h"
#include "sim/study/inputs.h"
#include "sim/study/scheduler_set.h"

struct explain_options {
    const char *format, *at;
};

static const struct cmd_take take[] = {
    { .id = OPT_AT, offsetof(struct explain_options, at) },
    { .id = OPT_FORMAT,
      offsetof(struct explain_options, format),
      "text",
      "text json" },
};

static const struct explain_options defaults = { .format = "text" };

/* Replay the run up to --at, and show the decision about the job. */
static int instant_explain(const struct cmd_call *call,
                           const struct report_stored_run *run, uint32_t job,
                           struct gs_err *err)
{
    const struct explain_options *o = call->options;
    struct study_examined e;
    struct study_again again;
    int64_t at;

    if (study_again(call->in, run, &again, err) < 0
        || scheduler_set_refuse(again.profile, "explain --at", err) < 0
        || cmd_instant_parse(o->at, call->in, &at, err) < 0
        || study_examine(call->in, &again, at, job, &e, err) < 0)
        return -1;
    if (strcmp(o->format, "json") == 0)
        examine_print_json(&e, run->name, stdout);
    else
        examine_print(&e, run->name, stdout);
    return 0;
}

static int explain_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct explain_options *o = call->options;
    const struct report_layout layout = terminal_layout(o->format);
    struct report_store *s = report_store_open_readonly(call->operand[0], err);
    struct report_stored_run run;
    struct report_explained e;
    int rc;

    if (!s)
        return -1;
    rc = report_explain(s, call->operand[1], call->operand[2], call->in->arena,
                        &e, err);
    if (rc == 0 && o->at)
        rc = cmd_run_find(s, call->operand[1], call->in->arena, &run, err);
    else if (rc == 0)
        report_explain_print(&e, &layout, stdout);
    report_store_close(s);
    return rc == 0 && o->at ? instant_explain(call, &run, (uint32_t)e.job, err)
                            : rc;
}

const struct cmd cmd_explain = {
    .name = "explain",
    .args = "DB RUN JOB [--at T] [--format F]",
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
        "'#7' is\nalways a number.  With --at the run is replayed up to that "
        "time, and the table\nof filters and scores is shown: which module "
        "and setting refuse which nodes, and\nthe points of each module for "
        "the others, before the cycle of that time.\n\n"
        "Examples:\n"
        "  gsim explain gsim.db binpack llm\n"
        "  gsim explain gsim.db spread '#812' --format json\n"
        "  gsim explain gsim.db binpack llm --at 2h\n",
    .run = explain_run,
};
