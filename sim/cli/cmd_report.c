/* sim/cli/cmd_report.c - gsim report: runs as a page, and as pictures. */
#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "reports/page/page.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/study/inputs.h"

#define DATABASES_MAX 64

struct page_options {
    struct cmd_texts run, metric;
    const char *out, *plots, *format, *by;
};

#define AT(field) offsetof(struct page_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_OUT, AT(out) },
    { .id = OPT_RUN,
      AT(run),
      "all; DB:NAME is the run NAME of database DB",
      .repeats = true },
    { .id = OPT_BY, AT(by), "seed" },
    { .id = OPT_METRIC,
      AT(metric),
      "all; in curves by axis wait.mean and gpu.allocated",
      .repeats = true },
    { .id = OPT_PLOTS, AT(plots) },
    { .id = OPT_PLOT_FORMAT, AT(format), "png", .alias = "format" },
};

struct formats {
    enum report_picture_format f[REPORT_PICTURE_FORMATS];
    size_t count;
};

/* "png,svg"; a format that is named twice counts once. */
static void formats_parse(const char *text, struct formats *out)
{
    bool seen[REPORT_PICTURE_FORMATS] = { false };

    out->count = 0;
    for (size_t len = 0; *text; text += len + (text[len] == ',')) {
        enum report_picture_format f;

        len = strcspn(text, ",");
        f = report_picture_format_find(text, len);
        assert(f < REPORT_PICTURE_FORMATS); /* the option's words */
        if (!seen[f])
            out->f[out->count++] = f;
        seen[f] = true;
    }
}

/* Write the page and the pictures; a failure leaves no page. */
static int report_put(struct report_page *p, const struct page_options *o,
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
                          const struct page_options *o, struct gs_err *err)
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

static int report_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct page_options *o = call->options;
    struct report_page *p = report_page_create(call->in->arena);
    struct report_store *store[DATABASES_MAX] = { NULL };
    struct formats formats;
    int rc;

    if (!o->out && !o->plots)
        return cmd_usage(call->cmd, "'-o FILE' is needed, or '--plots DIR'");
    if (o->format && !o->plots)
        return cmd_usage(call->cmd, "'--plot-format' needs '--plots DIR'");
    formats_parse(o->format ? o->format : "png", &formats);
    rc = databases_open(p, store, call->operand, call->count, o, err);
    if (rc == 0)
        rc = report_page_runs(p) == 0
                 ? cmd_usage(call->cmd, "the database holds no runs")
                 : report_put(p, o, &formats, err);
    for (size_t i = 0; i < call->count; i++)
        report_store_close(store[i]);
    return rc;
}

static const struct page_options defaults = { .by = "seed" };

const struct cmd cmd_report = {
    .name = "report",
    .args = "DB... -o FILE [--run NAME]... [--by WHAT] [OPTION]...",
    .summary = "make one web page of runs: verdict, tables, pictures",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .least = 1,
    .most = DATABASES_MAX,
    .needs = "a database is needed",
    .help = "The page needs no network and no other file. Pictures need "
            "gnuplot; without it\nthe page has tables and data only.\n\n"
            "Examples:\n"
            "  gsim report gsim.db -o report.html\n"
            "  gsim report gsim.db --run spread --run binpack -o report.html\n"
            "  gsim report gsim.db --plots pictures --plot-format png,pdf\n",
    .run = report_run,
};
