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
#include "sim/study/inputs.h"

#define DATABASES_MAX 64

struct compare_options {
    struct cmd_texts run, metric, rows, cols, where;
    const char *format, *by;
    bool explain;
};

#define AT(field) offsetof(struct compare_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_RUN,
      AT(run),
      "all; DB:NAME is the run NAME of database DB",
      .repeats = true },
    { .id = OPT_METRIC, AT(metric), .repeats = true },
    { .id = OPT_BY, AT(by), "seed" },
    { .id = OPT_ROWS, AT(rows), .repeats = true },
    { .id = OPT_COLS, AT(cols), .repeats = true },
    { .id = OPT_WHERE, AT(where), .repeats = true },
    { .id = OPT_EXPLAIN, AT(explain) },
    { .id = OPT_FORMAT, AT(format), "table", "table json csv markdown" },
};

static const struct compare_options defaults = { .format = "table",
                                                 .by = "seed" };

static int files_open(struct report_store **store, const char *const *path,
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

/* Print tables of the runs by axes. */
static int pivot_print(const struct cmd_call *call, struct report_store **store,
                       const struct report_layout *layout, struct gs_err *err)
{
    const struct compare_options *o = call->options;
    struct cmd_texts rows, cols;
    const struct report_pivot *p;

    if (!lists_split(&o->rows, &rows, call->in->arena)
        || !lists_split(&o->cols, &cols, call->in->arena))
        return gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
                       "too many axes in '--rows' or '--cols'");
    p = report_pivot_create(
        store, call->count, o->run.text, o->run.count,
        &(struct report_pivot_axes){ .rows = rows.text,
                                     .row_count = rows.count,
                                     .cols = cols.text,
                                     .col_count = cols.count,
                                     .where = o->where.text,
                                     .where_count = o->where.count },
        o->metric.text, o->metric.count, call->in->arena, err);
    if (!p)
        return -1;
    report_pivot_print(p, layout, stdout);
    return CMD_OK;
}

static int compare_print(const struct cmd_call *call,
                         struct report_store **store,
                         const struct report_layout *layout, struct gs_err *err)
{
    const struct compare_options *o = call->options;
    struct report_comparison *c = report_compare_create(call->in->arena);
    const char *none;

    if (report_compare_take(c, store, call->count, o->run.text, o->run.count,
                            err)
            < 0
        || report_compare_group(c, report_by_find(o->by), err) < 0)
        return -1;
    if (report_compare_runs(c) == 0)
        return cmd_usage(call->cmd, "the database holds no runs");
    none = report_compare_select_all(c, o->metric.text, o->metric.count);
    if (none)
        return cmd_usage(call->cmd, "no metric matches '%s' (see --metric '*')",
                         none);
    report_compare_print(c, layout, stdout);
    return CMD_OK;
}

static int explain(const struct cmd_call *call)
{
    if (call->count == 0)
        report_glossary_print(NULL, stdout);
    for (size_t i = 0; i < call->count; i++) {
        if (report_glossary_print(call->operand[i], stdout) == 0)
            return cmd_usage(call->cmd,
                             "no metric is called '%s' (see --explain)",
                             call->operand[i]);
    }
    return CMD_OK;
}

static int compare_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct compare_options *o = call->options;
    const struct report_layout layout = terminal_layout(o->format);
    struct report_store *store[DATABASES_MAX] = { NULL };
    int rc;

    if (o->explain)
        return explain(call);
    if (call->count == 0)
        return cmd_usage(call->cmd, "a database is needed");
    if (o->rows.count == 0 && (o->cols.count || o->where.count))
        return cmd_usage(call->cmd, "'--cols' and '--where' need '--rows'");
    rc = files_open(store, call->operand, call->count, err);
    if (rc == 0)
        rc = (o->rows.count ? pivot_print : compare_print)(call, store, &layout,
                                                           err);
    files_close(store, call->count);
    return rc;
}

const struct cmd cmd_compare = {
    .name = "compare",
    .args = "DB... [--run NAME]... [--metric GLOB]... [OPTION]...\n"
            "       gsim compare --explain [GLOB]...",
    .summary = "show runs side by side: better and worse metrics",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .most = DATABASES_MAX,
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
