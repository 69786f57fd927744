/* sim/cli/cmd_gate.c - gsim gate: metrics against rules and a baseline. */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/output.h"
#include "reports/gate/gate.h"
#include "reports/store/decisions.h"
#include "sim/cli/cmd.h"
#include "sim/cli/gate_moved.h"
#include "sim/cli/gate_suite.h"
#include "sim/cli/terminal.h"
#include "sim/study/inputs.h"

#define SUITE "tests/gate" /* from where the sources are */
#define MESSAGES_MAX 20u   /* on standard error */

struct gate_options {
    const char *baseline, *rules, *run, *format, *junit, *summary;
    double tolerance; /* NAN: not given */
    bool update, suite;
};

#define AT(field) offsetof(struct gate_options, field)

static const struct cmd_take take[] = {
    { .id = OPT_BASELINE, AT(baseline) },
    { .id = OPT_RULES, AT(rules), "every metric of the baseline equals it" },
    { .id = OPT_TOLERANCE, AT(tolerance), "0%" },
    { .id = OPT_RUN, AT(run), "all, each compared with its namesake" },
    { .id = OPT_FORMAT, AT(format), "table", "table markdown github" },
    { .id = OPT_JUNIT, AT(junit) },
    { .id = OPT_SUMMARY, AT(summary) },
    { .id = OPT_UPDATE, AT(update) },
    { .id = OPT_SUITE, AT(suite) },
};

static const struct gate_options defaults = { .format = "table",
                                              .tolerance = (double)NAN };

/* The runs that are judged, from a database or a suite. */
struct subject {
    struct gs_arena *arena;
    struct report_figure_set now;
    const struct report_rules *rules; /* one for each run; NULL: all equal */
    const char *baseline;             /* path, or NULL */
    double tolerance;                 /* of all equal */
};

/* --- gathering ------------------------------------------------------------ */

static int database_take(const struct gate_options *o, const char *path,
                         struct subject *s, struct gs_err *err)
{
    struct report_rules rules, *each;

    if ((o->rules && report_rules_read(o->rules, s->arena, &rules, err) < 0)
        || report_figures_read(path, o->run, s->arena, &s->now, err) < 0)
        return -1;
    if (s->now.runs == 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = path },
                       "holds no runs");
    s->baseline = o->baseline;
    if (!o->rules)
        return 0;
    if (rules.unread)
        fprintf(stderr,
                "gsim: note: %s: no metric of a run is compared with %s\n",
                o->rules, rules.unread);
    each = gs_arena_alloc(s->arena, s->now.runs, sizeof(*each));
    for (uint32_t i = 0; i < s->now.runs; i++)
        each[i] = rules;
    s->rules = each;
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

/* --- judging -------------------------------------------------------------- */

static const struct report_figures *baseline_of(
    const struct subject *s, const struct report_figure_set *base, uint32_t run)
{
    const struct report_figures *b = report_figure_set_find(
        base, s->now.run[run].run);

    if (!b && s->now.runs == 1 && base->runs == 1)
        b = &base->run[0]; /* whatever they are called */
    return b;
}

/* The rules of a run.  Without rules every metric of the baseline must stay
 * equal; for a run that the baseline lacks one such rule reports that.
 */
static struct report_rules rules_of(const struct subject *s,
                                    const struct report_figures *base,
                                    uint32_t run)
{
    const struct report_figures *now = &s->now.run[run];
    struct report_rules made;

    if (s->rules)
        return s->rules[run];
    report_rules_equal(s->baseline, base ? base->figure : now->figure,
                       base             ? base->count
                       : now->count > 0 ? 1
                                        : 0,
                       s->tolerance, s->arena, &made);
    return made;
}

/* Runs of the baseline that the database lacks. */
static void missing_judge(const struct subject *s, const struct gate_options *o,
                          const struct report_figure_set *base,
                          struct report_gate *g)
{
    if (s->rules || o->run || (s->now.runs == 1 && base->runs == 1))
        return;
    for (uint32_t i = 0; i < base->runs; i++) {
        struct report_rules rules;

        if (report_figure_set_find(&s->now, base->run[i].run)
            || base->run[i].count == 0)
            continue;
        report_rules_equal(s->baseline, base->run[i].figure, 1, s->tolerance,
                           s->arena, &rules);
        report_gate_missing(g, &rules, base->run[i].run);
    }
}

static struct report_gate judge(const struct subject *s,
                                const struct gate_options *o,
                                const struct report_figure_set *base)
{
    struct report_gate g = { .arena = s->arena, .is_short = !s->rules };

    for (uint32_t i = 0; i < s->now.runs; i++) {
        const struct report_figures *b = baseline_of(s, base, i);
        const struct report_rules rules = rules_of(s, b, i);

        report_gate_judge(&g, &rules, &s->now.run[i], b);
    }
    missing_judge(s, o, base, &g);
    return g;
}

/* Read the baseline.  With --update it may be missing or malformed, unless runs
 * of it are to stay (--run). /
 */
static int baseline_read(const struct gate_options *o, const struct subject *s,
                         struct report_figure_set *base, struct gs_err *err)
{
    const bool is_there = s->baseline && access(s->baseline, F_OK) == 0;
    const bool may_fail = o->update && (!o->run || !is_there);

    if (s->baseline && !is_there && !o->update)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ .source = s->baseline },
                       "there is no such baseline: create it with --update");
    if (!s->baseline
        || report_figures_read(s->baseline, NULL, s->arena, base,
                               may_fail ? NULL : err)
               == 0
        || may_fail)
        return 0;
    return -1;
}

/* The runs that were not gated stay in the baseline. */
static void runs_keep(const struct subject *s,
                      const struct report_figure_set *base,
                      struct report_figure_set *out)
{
    out->run = gs_arena_alloc(s->arena, s->now.runs + base->runs + 1,
                              sizeof(*out->run));
    for (uint32_t i = 0; i < s->now.runs; i++)
        out->run[i] = s->now.run[i];
    for (uint32_t i = 0; i < base->runs; i++) {
        if (!report_figure_set_find(&s->now, base->run[i].run))
            out->run[out->runs++] = base->run[i];
    }
}

/* The number of figures of `now` that `was` lacks or that differ there. */
static uint32_t changes_count(const struct report_figure_set *now,
                              const struct report_figure_set *was)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < now->runs; i++) {
        const struct report_figures *r = &now->run[i];
        const struct report_figures *old = report_figure_set_find(was, r->run);

        for (uint32_t k = 0; k < r->count; k++) {
            const struct report_figure *f =
                old ? report_figures_find(old, r->figure[k].key) : NULL;

            count += !f || f->value != r->figure[k].value;
        }
    }
    return count;
}

/* Make the digests of the decisions of runs in a database. */
static int digests_read(const struct subject *s, const char *path,
                        struct gs_err *err)
{
    for (uint32_t i = 0; i < s->now.runs; i++) {
        struct report_figures *run = &s->now.run[i];
        struct report_decisions *d = gs_arena_alloc(s->arena, 1, sizeof(*d));

        if (report_decisions_read(path, run->run, s->arena, d, err) < 0)
            return -1;
        run->decided = d;
        run->decisions = report_decisions_digest(d, s->arena);
    }
    return 0;
}

/* Store the runs as the baseline; `base` becomes its new content. */
static int accept(const struct gate_options *o, const struct subject *s,
                  struct report_figure_set *base, struct gs_err *err)
{
    struct report_figure_set accepted = s->now; /* all, without rules */
    const struct report_gate g = judge(s, o, base);
    uint32_t figures = 0, changed;

    if (s->rules)
        report_gate_accept(&g, &s->now, o->run ? base : NULL, &accepted);
    else if (o->run)
        runs_keep(s, base, &accepted);
    changed = changes_count(&accepted, base);
    if (report_figures_save(&accepted, s->baseline, err) < 0)
        return -1;
    for (uint32_t i = 0; i < accepted.runs; i++)
        figures += accepted.run[i].count;
    fprintf(stderr,
            "gsim: %s: holds %u figures of %u runs now; %u are new or "
            "changed\n",
            s->baseline, figures, accepted.runs, changed);
    *base = accepted;
    return 0;
}

/* --- telling -------------------------------------------------------------- */

static int file_print(struct gs_output *out,
                      void (*print)(const struct report_gate *g, FILE *out),
                      const struct report_gate *g, struct gs_err *err)
{
    if (!out)
        return -1;
    print(g, gs_output_stream(out));
    return gs_output_close(out, 0, err);
}

static int gate_print(const struct gate_options *o, const struct report_gate *g,
                      struct gs_err *err)
{
    switch (report_gate_format_find(o->format)) {
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
        assert(false); /* the option's words */
    }
    if (o->junit
        && file_print(gs_output_open(o->junit, err), report_gate_junit, g, err)
               < 0)
        return -1;
    if (o->summary
        && file_print(gs_output_open_append(o->summary, err),
                      report_gate_markdown, g, err)
               < 0)
        return -1;
    return 0;
}

static void failures_tell(const struct report_gate *g)
{
    char message[REPORT_MESSAGE];
    uint32_t told = 0;

    for (uint32_t i = 0; i < g->count; i++) {
        const struct report_finding *f = &g->finding[i];

        if (f->verdict == REPORT_HOLDS
            || (g->is_short && f->verdict == REPORT_BROKEN)
            || told++ >= MESSAGES_MAX)
            continue;
        fprintf(stderr, "gsim: %s", f->source);
        if (f->rule->line)
            fprintf(stderr, ":%d:%d", f->rule->line, f->rule->column);
        fprintf(stderr, ": run '%s': %s\n", f->run,
                report_gate_message(f, message));
    }
    if (g->is_short && told < g->broken) /* the table has them all */
        fprintf(stderr,
                "gsim: %u metrics are not as in the baseline; if that is "
                "meant, accept it with --update\n",
                g->broken - told);
    else if (told > MESSAGES_MAX)
        fprintf(stderr, "gsim: ... and %u more\n", told - MESSAGES_MAX);
}

/* --- the command ---------------------------------------------------------- */

/* Judge the runs of the database `path`; NULL: of a suite. */
static int gate(const struct gate_options *o, const struct subject *s,
                const char *path, struct gs_err *err)
{
    struct report_figure_set base = { 0 };
    struct report_gate g;

    if (baseline_read(o, s, &base, err) < 0)
        return -1;
    if (o->update
        && ((path && digests_read(s, path, err) < 0)
            || accept(o, s, &base, err) < 0))
        return -1;
    g = judge(s, o, &base); /* absolute limits may fail after --update too */
    if (gate_print(o, &g, err) < 0)
        return -1;
    if (strcmp(o->format, "github") != 0) /* that output has them already */
        failures_tell(&g);
    if (g.broken && s->baseline && !o->update)
        gate_moved_tell(&g, &s->now, path, &base, s->baseline, s->arena);
    return g.broken ? CMD_MISSED : CMD_OK;
}

/* A mistake of the command line; NULL: there is none. */
static const char *fault_of(const struct gate_options *o, bool has_database)
{
    const bool has_tolerance = !isnan(o->tolerance);

    if ((o->junit && strcmp(o->junit, "-") == 0)
        || (o->summary && strcmp(o->summary, "-") == 0))
        return "'--junit' and '--summary' need a FILE: the table goes to "
               "standard output";
    if (o->suite)
        return o->baseline || o->rules || o->run || has_tolerance
                   ? "a suite has its own baseline, rules and runs"
                   : NULL;
    if (!has_database)
        return "a database is needed";
    if (!o->rules && !o->baseline)
        return "rules are needed, --rules FILE, or a baseline to equal, "
               "--baseline FILE";
    if (has_tolerance && o->rules)
        return "'--tolerance' goes without '--rules': rules state their own "
               "amounts";
    if (o->tolerance > 1)
        return "'--tolerance' must be at most 100%";
    if (o->update && !o->baseline)
        return "'--update' needs '--baseline'";
    return NULL;
}

static int gate_run(const struct cmd_call *call, struct gs_err *err)
{
    const struct gate_options *o = call->options;
    const char *path = call->count ? call->operand[0] : NULL;
    const char *fault = fault_of(o, path);
    struct subject s = { .arena = call->in->arena,
                         .tolerance = isnan(o->tolerance) ? 0 : o->tolerance };

    if (o->update && o->baseline
        && ((path && gs_output_is_same(o->baseline, path))
            || (o->rules && gs_output_is_same(o->baseline, o->rules))))
        return cmd_usage(call->cmd,
                         "'--update' would overwrite '%s', which is read",
                         o->baseline);
    if (fault)
        return cmd_usage(call->cmd, "%s", fault);
    if ((o->suite ? suite_take(path ? path : SUITE, &s, err)
                  : database_take(o, path, &s, err))
        < 0)
        return -1;
    return gate(o, &s, o->suite ? NULL : path, err);
}

const struct cmd cmd_gate = {
    .name = "gate",
    .args = "DB [--rules FILE] [--baseline FILE] [OPTION]... | --suite [DIR]",
    .summary =
        "for CI: fail when metrics break rules or differ from a baseline",
    .take = take,
    .takes = sizeof(take) / sizeof(take[0]),
    .defaults = &defaults,
    .size = sizeof(defaults),
    .most = 1,
    .help =
        "Rules are a YAML file of metrics and their bounds:\n"
        "  wait.p95: {max: 30m, max_rise: 2%}      # of the baseline\n"
        "  frag.capacity_share: {max_rise: 2pt}    # points of a share\n"
        "  'wait.mean[queue=research]': {max_rise: 5m}\n"
        "  gpu.busy: {min: 40%, max_fall: 1%}\n"
        "  jobs.done: {equal: baseline}\n\n"
        "Without --rules every metric of the baseline must equal it.\n\n"
        "Examples:\n"
        "  gsim gate new.db --baseline old.db\n"
        "  gsim gate new.db --baseline old.db --rules rules.yaml\n"
        "  gsim gate new.db --baseline base.json --rules rules.yaml --update\n"
        "  gsim gate new.db --baseline base.json --rules rules.yaml \\\n"
        "      --junit gate.xml --format github\n"
        "  gsim gate --suite\n",
    .run = gate_run,
};
