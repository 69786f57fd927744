/* sim/cli/cmd_export.c - gsim export: a database for other programs. */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/output.h"
#include "reports/export/export.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"

struct options {
    const char *what, *format, *run, *out;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_take take[] = {
    { .id = OPT_WHAT,
      AT(what),
      "metrics",
      "runs jobs samples metrics placements evictions waits outages legs "
      "deadlocks columns" },
    { .id = OPT_FORMAT, AT(format), "csv", "csv json prometheus" },
    { .id = OPT_RUN, AT(run), "all" },
    { .id = OPT_OUT, AT(out), "standard output" },
};

enum format { CSV, JSON, PROMETHEUS, FORMATS };

static enum format format_find(const char *name)
{
    static const char *const names[FORMATS] = { "csv", "json", "prometheus" };
    int f = 0;

    while (f < FORMATS && strcmp(names[f], name) != 0)
        f++;
    return (enum format)f;
}

/* The place of `name`, or -1. */
static int what_find(const char *name)
{
    for (size_t i = 0; report_export_name(i); i++) {
        if (strcmp(report_export_name(i), name) == 0)
            return (int)i;
    }
    return -1;
}

static int rows_write(struct report_store *s, const struct options *o,
                      enum format format, size_t what, FILE *out,
                      struct gs_err *err)
{
    if (format == PROMETHEUS)
        return report_export_prometheus(s, o->run, out, err);
    return report_export_rows(
        s, what, o->run, format == JSON ? REPORT_ROWS_JSON : REPORT_ROWS_CSV,
        out, err);
}

static int export_to(struct report_store *s, const struct options *o,
                     enum format format, size_t what, struct gs_err *err)
{
    struct gs_output *out = gs_output_open(o->out, err);

    if (!out)
        return -1;
    return gs_output_close(
        out, rows_write(s, o, format, what, gs_output_stream(out), err), err);
}

static enum cmd_status export_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .what = "metrics", .format = "csv" };
    struct report_store *s;
    struct gs_err err = { 0 };
    const char *path[1];
    enum format format;
    size_t count;
    int done, what, rc = -1;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a database is needed");
    what = what_find(o.what);
    assert(what >= 0); /* the words of --what are those of the export */
    format = format_find(o.format);
    if (format == PROMETHEUS && strcmp(o.what, "metrics") != 0)
        return cmd_usage(c, "prometheus is a format of metrics only");
    if (o.run && strcmp(o.what, "columns") == 0)
        return cmd_usage(c, "columns are of no run");
    s = report_store_open_readonly(path[0], &err);
    if (s)
        rc = export_to(s, &o, format, (size_t)what, &err);
    report_store_close(s);
    return rc < 0 ? cmd_fail(&err) : CMD_OK;
}

const struct cmd cmd_export = {
    .name = "export",
    .args = "DB [--what W] [--format F] [--run NAME] [-o FILE]",
    .summary = "write runs, jobs, metrics and the like for other programs",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help = "Examples:\n"
            "  gsim export gsim.db --what jobs --run binpack -o jobs.csv\n"
            "  gsim export gsim.db --what samples --format json\n"
            "  gsim export gsim.db --format prometheus -o gsim.prom\n",
    .run = export_run,
};
