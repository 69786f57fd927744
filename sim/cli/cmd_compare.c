/* sim/cli/cmd_compare.c - gsim compare: runs side by side. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/compare/compare.h"
#include "reports/compare/pivot.h"
#include "reports/glossary/glossary.h"
#include "reports/store/store.h"
#include "sim/cli/cmd.h"
#include "sim/cli/terminal.h"

#define DATABASES_MAX 64

struct options {
    struct cmd_texts run, metric, rows, cols, where;
    const char *format, *by;
    bool explain;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_take take[] = {
    { .id = OPT_RUN,
      AT(run),
      "all; DB:NAME is that of one database",
      .repeats = true },
    { .id = OPT_METRIC, AT(metric), .repeats = true },
    { .id = OPT_BY, AT(by), "seed" },
    { .id = OPT_ROWS, AT(rows), .repeats = true },
    { .id = OPT_COLS, AT(cols), .repeats = true },
    { .id = OPT_WHERE, AT(where), .repeats = true },
    { .id = OPT_EXPLAIN, AT(explain) },
    { .id = OPT_FORMAT, AT(format), "table", "table json csv markdown" },
};

static int files_open(struct report_store **store, const char **path,
                      size_t count, struct gs_err *err)
{
    for (size_t i = 0; i < count; i++) {
        store[i] = report_store_open_readonly(path[i], err);
        if (!store[i])
            return -1;
    }
    return 0;
}

static void files_close(struct report_store **store, size_t count)
{
    for (size_t i = 0; i < count; i++)
        report_store_close(store[i]);
}

static int compare_files(struct report_comparison *c, const char **path,
                         size_t count, const struct cmd_texts *run,
                         struct gs_err *err)
{
    struct report_store *store[DATABASES_MAX] = { NULL };
    int rc = files_open(store, path, count, err);

    if (rc == 0)
        rc = report_compare_take(c, store, count, run->text, run->count, err);
    files_close(store, count);
    return rc;
}

/* "--cols policy,load" is two axes. */
static bool lists_split(const struct cmd_texts *lists, struct cmd_texts *out,
                        struct gs_arena *arena)
{
    const size_t max = sizeof(out->text) / sizeof(out->text[0]);

    out->count = 0;
    for (size_t i = 0; i < lists->count; i++) {
        const char *at = lists->text[i];

        for (size_t n = strcspn(at, ",");; n = strcspn(at, ",")) {
            if (out->count == max)
                return false;
            out->text[out->count++] = gs_arena_strndup(arena, at, n);
            if (at[n] == '\0')
                break;
            at += n + 1;
        }
    }
    return true;
}

/* Runs by axes, instead of one beside the other. */
static enum cmd_status pivot(const struct options *o,
                             const struct report_layout *layout,
                             const char **path, size_t count)
{
    struct gs_arena *arena = gs_arena_create(1 << 16);
    struct cmd_texts rows, cols;
    const bool are_few = lists_split(&o->rows, &rows, arena)
                         && lists_split(&o->cols, &cols, arena);
    const struct report_pivot_axes axes = {
        .rows = rows.text,
        .row_count = rows.count,
        .cols = cols.text,
        .col_count = cols.count,
        .where = o->where.text,
        .where_count = o->where.count,
    };
    struct report_store *store[DATABASES_MAX] = { NULL };
    struct gs_err err = { 0 };
    const struct report_pivot *p = NULL;

    if (!are_few)
        gs_fail(&err, GS_USAGE, (struct gs_mark){ 0 },
                "too many axes in '--rows' or '--cols'");
    else if (files_open(store, path, count, &err) == 0)
        p = report_pivot_create(store, count, o->run.text, o->run.count, &axes,
                                o->metric.text, o->metric.count, arena, &err);
    if (p)
        report_pivot_print(p, layout, stdout);
    files_close(store, count);
    gs_arena_destroy(arena);
    return p ? CMD_OK : cmd_fail(&err);
}

static enum cmd_status compare_print(const struct cmd *c,
                                     struct report_comparison *cmp,
                                     const struct options *o,
                                     const struct report_layout *layout)
{
    const char *none;

    if (report_compare_runs(cmp) == 0)
        return cmd_usage(c, "the database holds no runs");
    none = report_compare_select_all(cmp, o->metric.text, o->metric.count);
    if (none)
        return cmd_usage(c, "no metric matches '%s' (see --metric '*')", none);
    report_compare_print(cmp, layout, stdout);
    return CMD_OK;
}

static enum cmd_status explain(const struct cmd *c, const char *const *glob,
                               size_t count)
{
    if (count == 0)
        report_glossary_print(NULL, stdout);
    for (size_t i = 0; i < count; i++) {
        if (report_glossary_print(glob[i], stdout) == 0)
            return cmd_usage(c, "no metric is called '%s' (see --explain)",
                             glob[i]);
    }
    return CMD_OK;
}

static enum cmd_status compare_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .format = "table", .by = "seed" };
    const char *path[DATABASES_MAX];
    struct report_layout layout;
    struct gs_arena *arena;
    struct report_comparison *cmp;
    struct gs_err err = { 0 };
    size_t count;
    int done;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, DATABASES_MAX,
                                       &count, &done);

    if (status != CMD_OK || done)
        return status;
    if (o.explain)
        return explain(c, path, count);
    if (count == 0)
        return cmd_usage(c, "a database is needed");
    layout = (struct report_layout){ report_format_find(o.format),
                                     terminal_width(), terminal_has_colour(),
                                     terminal_has_utf8() };
    if (o.rows.count == 0 && (o.cols.count || o.where.count))
        return cmd_usage(c, "'--cols' and '--where' need '--rows'");
    if (o.rows.count)
        return pivot(&o, &layout, path, count);
    arena = gs_arena_create(1 << 16);
    cmp = report_compare_create(arena);
    if (compare_files(cmp, path, count, &o.run, &err) < 0
        || report_compare_group(cmp, report_by_find(o.by), &err) < 0)
        status = cmd_fail(&err);
    else
        status = compare_print(c, cmp, &o, &layout);
    gs_arena_destroy(arena);
    return status;
}

const struct cmd cmd_compare = {
    .name = "compare",
    .args = "DB... [--run NAME]... [--metric GLOB]... [OPTION]...\n"
            "       gsim compare --explain [GLOB]...",
    .summary = "show runs side by side: what is better, what is worse",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help = "Examples:\n"
            "  gsim compare gsim.db\n"
            "  gsim compare gsim.db --run spread --run binpack --metric "
            "'wait.*'\n"
            "  gsim compare gsim.db --metric wait.mean --metric 'frag.*'\n"
            "  gsim compare old.db new.db --run old.db:easy --run "
            "new.db:easy\n"
            "  gsim compare old.db new.db --format markdown\n"
            "  gsim compare days.db --by policy\n"
            "  gsim compare sweep.db --rows load --cols policy --metric "
            "wait.mean\n"
            "  gsim compare --explain 'frag.*'\n",
    .run = compare_run,
};
