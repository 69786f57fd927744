/* sim/cli/cmd_report.c - gsim report: runs as a page, and as pictures. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/output.h"
#include "reports/page/page.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"

#define DATABASES_MAX 64

struct options {
    struct cmd_texts run, metric;
    const char *out, *plots, *format, *by;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_take take[] = {
    { .id = OPT_OUT, AT(out) },
    { .id = OPT_RUN,
      AT(run),
      "all; DB:NAME is that of one database",
      .repeats = true },
    { .id = OPT_BY, AT(by), "seed" },
    { .id = OPT_METRIC,
      AT(metric),
      "by axis: wait.mean and gpu.allocated",
      .repeats = true },
    { .id = OPT_PLOTS, AT(plots) },
    { .id = OPT_PLOT_FORMAT, AT(format), "png", .alias = "format" },
};

struct formats {
    enum report_picture_format f[REPORT_PICTURE_FORMATS];
    size_t count;
};

/* "png,svg": each once. */
static int formats_parse(const char *text, struct formats *out)
{
    bool seen[REPORT_PICTURE_FORMATS] = { false };

    out->count = 0;
    for (;; text++) {
        const size_t len = strcspn(text, ",");
        const enum report_picture_format f = report_picture_format_find(text,
                                                                        len);

        if (f == REPORT_PICTURE_FORMATS)
            return -1;
        if (!seen[f])
            out->f[out->count++] = f;
        seen[f] = true;
        text += len;
        if (*text == '\0')
            return 0;
    }
}

/* Write the page and the pictures: each of them whole, or none. */
static int report_put(struct report_page *p, const struct options *o,
                      const struct formats *formats, struct gs_err *err)
{
    struct gs_output *page = NULL;
    int rc = 0;

    if (o->out) {
        page = gs_output_open(o->out, err);
        rc = page ? report_page_write(p, gs_output_stream(page), err) : -1;
    }
    if (rc == 0 && o->plots)
        rc = report_page_plots(p, o->plots, formats->f, formats->count, err);
    return gs_output_close(page, rc, err);
}

static int databases_open(struct report_page *p, struct report_store **store,
                          const char *const *path, size_t count,
                          const struct options *o, struct gs_err *err)
{
    for (size_t i = 0; i < count; i++) {
        store[i] = report_store_open_readonly(path[i], err);
        if (!store[i])
            return -1;
    }
    if (report_page_take(p, store, count, o->run.text, o->run.count, err) < 0)
        return -1;
    if (report_page_group(p, report_by_find(o->by), err) < 0)
        return -1;
    return report_page_runs(p) == 0
               ? 0
               : report_page_metrics(p, o->metric.text, o->metric.count, err);
}

static enum cmd_status report_make(const struct cmd *c, const struct options *o,
                                   const struct formats *formats,
                                   const char *const *path, size_t count)
{
    struct gs_arena *arena = gs_arena_create(1 << 16);
    struct report_page *p = report_page_create(arena);
    struct report_store *store[DATABASES_MAX] = { NULL };
    enum cmd_status status = CMD_OK;
    struct gs_err err = { 0 };

    if (databases_open(p, store, path, count, o, &err) < 0)
        status = cmd_fail(&err);
    else if (report_page_runs(p) == 0)
        status = cmd_usage(c, "the database holds no runs");
    else if (report_put(p, o, formats, &err) < 0)
        status = cmd_fail(&err);
    for (size_t i = 0; i < count; i++)
        report_store_close(store[i]);
    gs_arena_destroy(arena);
    return status;
}

static enum cmd_status report_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .by = "seed" };
    const char *path[DATABASES_MAX];
    struct formats formats;
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, DATABASES_MAX,
                                       &count, &done);

    if (status != CMD_OK || done)
        return status;
    if (count == 0)
        return cmd_usage(c, "a database is needed");
    if (!o.out && !o.plots)
        return cmd_usage(c, "'-o FILE' is needed, or '--plots DIR'");
    if (o.format && !o.plots)
        return cmd_usage(c, "'--plot-format' needs '--plots DIR'");
    if (formats_parse(o.format ? o.format : "png", &formats) < 0)
        return cmd_usage(
            c, "'--plot-format' must be of png, svg and pdf (got '%s')",
            o.format);
    return report_make(c, &o, &formats, path, count);
}

const struct cmd cmd_report = {
    .name = "report",
    .args = "DB... -o FILE [--run NAME]... [--by WHAT] [OPTION]...",
    .summary = "make one web page of runs: verdict, tables, pictures",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help = "The page needs no network and no other file. Pictures need "
            "gnuplot; without it\nthe page has tables only.\n\nExamples:\n"
            "  gsim report gsim.db -o report.html\n"
            "  gsim report gsim.db --run spread --run binpack -o report.html\n"
            "  gsim report gsim.db --plots pictures --plot-format png,pdf\n",
    .run = report_run,
};
