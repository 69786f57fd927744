/* sim/cli/cmd_export.c - gsim export: a database for other programs. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "reports/export/export.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"

struct export_options {
    const char *what, *format, *run, *out;
};

#define AT(field) offsetof(struct export_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_WHAT,
      AT(what),
      "metrics; perfetto shows a run as a whole",
      "runs jobs samples metrics placements evictions waits outages legs "
      "deadlocks columns" },
    { .id = OPT_FORMAT, AT(format), "csv", "csv json prometheus perfetto" },
    { .id = OPT_RUN, AT(run), "all" },
    { .id = OPT_OUT, AT(out), "standard output" },
};

static const struct export_options defaults = { .format = "csv" };

static int rows_write(struct report_store *s, const struct export_options *o,
                      FILE *out, struct gs_err *err)
{
    const bool is_json = strcmp(o->format, "json") == 0;
    const char *name = o->what ? o->what : "metrics";
    size_t what = 0;

    if (strcmp(o->format, "prometheus") == 0)
        return report_export_prometheus(s, o->run, out, err);
    if (strcmp(o->format, "perfetto") == 0)
        return report_export_perfetto(s, o->run, out, err);
    /* --what allows the names of the export only, so one matches */
    while (strcmp(report_export_name(what), name) != 0)
        what++;
    return report_export_rows(s, what, o->run,
                              is_json ? REPORT_ROWS_JSON : REPORT_ROWS_CSV, out,
                              err);
}

static int export_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct export_options *o = call->options;
    struct gs_output *out = NULL;
    struct report_store *s;
    int rc = -1;

    if (o->what && strcmp(o->format, "prometheus") == 0
        && strcmp(o->what, "metrics") != 0)
        return cmd_usage(call->cmd, "prometheus is a format of metrics only");
    if (o->what && strcmp(o->format, "perfetto") == 0)
        return cmd_usage(call->cmd, "perfetto shows a run: leave out '--what'");
    if (o->run && o->what && strcmp(o->what, "columns") == 0)
        return cmd_usage(call->cmd, "'--what columns' goes without '--run'");
    s = report_store_open_readonly(call->operand[0], err);
    if (s)
        out = gs_output_open(o->out, err);
    if (out)
        rc = gs_output_close(out, rows_write(s, o, gs_output_stream(out), err),
                             err);
    report_store_close(s);
    return rc;
}

const struct cmd cmd_export = {
    .name = "export",
    .args = "DB [--what W] [--format F] [--run NAME] [-o FILE]",
    .summary = "write runs, jobs, metrics and the like for other programs",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = 1,
    .needs = "a database is needed",
    .help = "Examples:\n"
            "  gsim export gsim.db --what jobs --run binpack -o jobs.csv\n"
            "  gsim export gsim.db --what samples --format json\n"
            "  gsim export gsim.db --format prometheus -o gsim.prom\n"
            "  gsim export gsim.db --format perfetto --run binpack -o "
            "run.json\n",
    .run = export_run,
};
