/* sim/cli/cmd_gate.c - gsim gate: metrics against rules and a baseline. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "reports/gate.h"
#include "sim/cli/cmd.h"
#include "sim/cli/gate_suite.h"
#include "sim/cli/terminal.h"

#define SUITE "tests/gate" /* from where the sources are */
#define MESSAGES_MAX 20u   /* on standard error */

struct options {
    const char *baseline, *rules, *run, *format, *junit, *summary;
    bool update, suite;
};

#define AT(field) offsetof(struct options, field)

static const struct cmd_take take[] = {
    { .id = OPT_BASELINE, AT(baseline) },
    { .id = OPT_RULES, AT(rules) },
    { .id = OPT_RUN, AT(run), "all, each with the one of its name" },
    { .id = OPT_FORMAT, AT(format), "table", "table markdown github" },
    { .id = OPT_JUNIT, AT(junit) },
    { .id = OPT_SUMMARY, AT(summary) },
    { .id = OPT_UPDATE, AT(update) },
    { .id = OPT_SUITE, AT(suite) },
};

/* What is judged, from a database or a suite. */
struct subject {
    struct gs_arena *arena;
    struct report_figure_set now;
    const struct report_rules *rules; /* one for each run */
    const char *baseline;             /* path, or NULL */
};

/* --- gathering -------------------------------------------------------------------- */

static int database_take(const struct options *o, const char *path,
                         struct subject *s, struct gs_err *err)
{
    struct report_rules rules, *each;

    if (report_rules_read(o->rules, s->arena, &rules, err) < 0
        || report_figures_read(path, o->run, s->arena, &s->now, err) < 0)
        return -1;
    if (s->now.runs == 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                       "holds no runs");
    each = gs_arena_alloc(s->arena, s->now.runs, sizeof(*each));
    for (uint32_t i = 0; i < s->now.runs; i++)
        each[i] = rules;
    s->rules = each;
    s->baseline = o->baseline;
    return 0;
}

static int suite_take(const char *dir, struct subject *s, struct gs_err *err)
{
    struct gate_suite suite;

    if (gate_suite_replay(dir, s->arena, &suite, err) < 0)
        return -1;
    s->now = suite.now;
    s->rules = suite.rules;
    s->baseline = suite.baseline;
    return 0;
}

/* --- judging ---------------------------------------------------------------------- */

static struct report_gate judge(const struct subject *s,
                                const struct report_figure_set *base)
{
    struct report_gate g = { .arena = s->arena };

    for (uint32_t i = 0; i < s->now.runs; i++) {
        const struct report_figures *now = &s->now.run[i];
        const struct report_figures *b = report_figure_set_find(base, now->run);

        if (!b && s->now.runs == 1 && base->runs == 1)
            b = &base->run[0]; /* whatever they are called */
        report_gate_judge(&g, &s->rules[i], now, b);
    }
    return g;
}

/* What stands at the baseline's path.  With --update it may be anything, unless
 * some of it is to stay.
 */
static int baseline_read(const struct options *o, const struct subject *s,
                         struct report_figure_set *base, struct gs_err *err)
{
    const bool is_there = s->baseline && access(s->baseline, F_OK) == 0;
    const bool may_fail = o->update && (!o->run || !is_there);

    if (s->baseline && !is_there && !o->update)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = s->baseline },
                       "there is no such baseline: make it with --update");
    if (!s->baseline
        || report_figures_read(s->baseline, NULL, s->arena, base,
                               may_fail ? NULL : err)
               == 0
        || may_fail)
        return 0;
    return -1;
}

/* Accept what is now; `base` becomes what the baseline then holds. */
static int accept(const struct options *o, const struct subject *s,
                  const struct report_gate *g, struct report_figure_set *base,
                  struct gs_err *err)
{
    struct report_figure_set accepted;
    uint32_t figures = 0;

    report_gate_accept(g, &s->now, o->run ? base : NULL, &accepted);
    if (report_figures_save(&accepted, s->baseline, err) < 0)
        return -1;
    for (uint32_t i = 0; i < accepted.runs; i++)
        figures += accepted.run[i].count;
    fprintf(stderr, "gsim: %s: holds %u figures of %u runs now\n", s->baseline,
            figures, accepted.runs);
    *base = accepted;
    return 0;
}

/* --- telling ---------------------------------------------------------------------- */

typedef void (*print_fn)(const struct report_gate *g, FILE *out);

static int file_print(const char *path, const char *mode, print_fn print,
                      const struct report_gate *g, struct gs_err *err)
{
    FILE *out = fopen(path, mode);
    bool failed = !out;

    if (out) {
        print(g, out);
        failed = ferror(out) != 0;
        failed = fclose(out) != 0 || failed;
    }
    if (failed)
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = path },
                       "cannot write: %s", strerror(errno));
    return 0;
}

static int gate_print(const struct options *o, enum report_gate_format format,
                      const struct report_gate *g, struct gs_err *err)
{
    switch (format) {
    case REPORT_GATE_TABLE:
        report_gate_table(g, terminal_width(), terminal_has_colour(), stdout);
        break;
    case REPORT_GATE_MARKDOWN:
        report_gate_markdown(g, stdout);
        break;
    case REPORT_GATE_GITHUB:
        report_gate_github(g, stdout);
        break;
    case REPORT_GATE_FORMATS:
        break;
    }
    if (o->junit && file_print(o->junit, "w", report_gate_junit, g, err) < 0)
        return -1;
    if (o->summary
        && file_print(o->summary, "a", report_gate_markdown, g, err) < 0)
        return -1;
    return 0;
}

static void broken_tell(const struct report_gate *g)
{
    char message[REPORT_MESSAGE];
    uint32_t told = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        const struct report_finding *f = &g->finding[i];

        if (f->verdict == REPORT_HOLDS || told++ >= MESSAGES_MAX)
            continue;
        fprintf(stderr, "gsim: %s:%d:%d: run '%s': %s\n", f->source,
                f->rule->line, f->rule->column, f->run,
                report_gate_message(f, message));
    }
    if (told > MESSAGES_MAX)
        fprintf(stderr, "gsim: ... and %u more\n", told - MESSAGES_MAX);
}

/* --- the command ------------------------------------------------------------------ */

static int gate(const struct options *o, enum report_gate_format format,
                const struct subject *s, uint32_t *broken, struct gs_err *err)
{
    struct report_figure_set base = { 0 };
    struct report_gate g;

    if (baseline_read(o, s, &base, err) < 0)
        return -1;
    g = judge(s, &base);
    if (gate_print(o, format, &g, err) < 0)
        return -1;
    if (o->update) {
        if (accept(o, s, &g, &base, err) < 0)
            return -1;
        g = judge(s, &base); /* --update mends no limit */
    }
    if (format != REPORT_GATE_GITHUB) /* it has told them */
        broken_tell(&g);
    *broken = g.broken;
    return 0;
}

static enum cmd_status check_usage(const struct cmd *c, const struct options *o,
                                   size_t count)
{
    if (o->suite && (o->baseline || o->rules || o->run))
        return cmd_usage(c, "a suite has its own baseline, rules and runs");
    if (o->suite)
        return CMD_OK;
    if (count == 0)
        return cmd_usage(c, "a database is needed");
    if (!o->rules)
        return cmd_usage(c, "rules are needed: --rules FILE");
    if (o->update && !o->baseline)
        return cmd_usage(c, "'--update' needs '--baseline'");
    return CMD_OK;
}

static enum cmd_status gate_run(const struct cmd *c, int argc, char **argv)
{
    struct options o = { .format = "table" };
    const char *path[1] = { SUITE };
    enum report_gate_format format;
    struct gs_err err = { 0 };
    struct subject s = { 0 };
    uint32_t broken = 0;
    size_t count;
    int done, rc;
    enum cmd_status status = cmd_parse(c, argc, argv, &o, path, 1, &count,
                                       &done);

    if (status != CMD_OK || done)
        return status;
    status = check_usage(c, &o, count);
    if (status != CMD_OK)
        return status;
    format = report_gate_format_find(o.format);
    if (format == REPORT_GATE_FORMATS)
        return cmd_usage(c,
                         "'--format' must be table, markdown or github "
                         "(got '%s')",
                         o.format);
    s.arena = gs_arena_create(1 << 16);
    rc = o.suite ? suite_take(path[0], &s, &err)
                 : database_take(&o, path[0], &s, &err);
    if (rc == 0)
        rc = gate(&o, format, &s, &broken, &err);
    gs_arena_destroy(s.arena);
    if (rc < 0)
        return cmd_fail(&err);
    return broken ? CMD_MISSED : CMD_OK;
}

const struct cmd cmd_gate = {
    .name = "gate",
    .args = "DB --rules FILE [--baseline FILE] [OPTION]... | --suite [DIR]",
    .summary = "for CI: fail when metrics break rules or leave their baseline",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .help =
        "Rules are YAML, metrics and what they may do:\n"
        "  wait.p95: {max: 30m, max_rise: 2%}      # of the baseline\n"
        "  frag.capacity_share: {max_rise: 2pt}    # points of a share\n"
        "  'wait.mean[queue=research]': {max_rise: 5m}\n"
        "  gpu.busy: {min: 40%, max_fall: 1%}\n"
        "  jobs.done: {equal: baseline}\n\n"
        "Examples:\n"
        "  gsim gate new.db --baseline old.db --rules rules.yaml\n"
        "  gsim gate new.db --baseline base.json --rules rules.yaml --update\n"
        "  gsim gate new.db --baseline base.json --rules rules.yaml \\\n"
        "      --junit gate.xml --format github\n"
        "  gsim gate --suite\n",
    .run = gate_run,
};
