/* tests/reports/test_gate.c - rules, verdicts, and their output. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "reports/gate/gate.h"
#include "reports/measure/metrics.h"
#include "tests/lib/suite.h"

static int parse(const char *text, struct gs_arena *arena,
                 struct report_rules *out, struct gs_err *err)
{
    const struct gs_ynode *root = gs_yaml_parse("r.yaml", text, arena, err);

    return root ? report_rules_parse("r.yaml", root, arena, out, err) : -1;
}

/* --- rules ---------------------------------------------------------------- */

static void test_rules(void)
{
    static const struct {
        const char *yaml, *error;
    } cases[] = {
        { "wait.p95: {max: 30m}", NULL },
        { "wait.p95: {max_rise: 2%, max_fall: 5m, min: 1s, equal: 1m}", NULL },
        { "gpu.busy: {min: 40%, max: 0.9, max_fall: 2pt}", NULL },
        { "jobs.done: {equal: baseline}", NULL },
        { "'wait.mean[queue=a]b]': {max: 1h}", NULL },
        { "'node.hours_paid[type=spot]': {max: 500}", NULL },
        { "placement.tier_share.rack: {min: 0.1}", NULL },
        { "wait.p59: {max: 1}",
          "r.yaml:1:1: no metric is called 'wait.p59' (did you mean "
          "'wait.p50'?)" },
        { "'wait.*': {max: 1}",
          "r.yaml:1:1: no metric is called 'wait.*' (see gsim compare DB "
          "--metric '*')" },
        { "nonsense: {max: 1}",
          "r.yaml:1:1: no metric is called 'nonsense' (see gsim compare DB "
          "--metric '*')" },
        { "jobs.done: {mxa: 1}",
          "r.yaml:1:13: no rule is called 'mxa' (did you mean 'max'? there "
          "are: max, min, max_rise, max_fall, equal)" },
        { "jobs.done: {below: 1}",
          "r.yaml:1:13: no rule is called 'below' (there are: max, min, "
          "max_rise, max_fall, equal)" },
        { "jobs.done: {max: -1}",
          "r.yaml:1:18: 'max' of jobs.done must be a number such as 3 (got "
          "'-1')" },
        { "jobs.done: {max: 5%}",
          "r.yaml:1:18: 'max' of jobs.done must be a number such as 3 (got "
          "'5%')" },
        { "wait.max: {max: soon}",
          "r.yaml:1:17: 'max' of wait.max must be a time such as 90s or 1h30m "
          "(got 'soon')" },
        { "gpu.busy: {max_rise: 0.02}",
          "r.yaml:1:22: 'max_rise' of gpu.busy must be points of the share "
          "such as 2pt, or a percentage of the baseline such as 2% (got "
          "'0.02')" },
        { "jobs.done: {equal: [1]}",
          "r.yaml:1:20: 'equal' of jobs.done must be a number such as 3, or "
          "baseline (got a list or mapping)" },
        { "jobs.done: 3",
          "r.yaml:1:12: a metric's rules are a mapping such as {max_rise: 2%} "
          "(there are: max, min, max_rise, max_fall, equal)" },
        { "[1]", "r.yaml:1:1: rules are a mapping of metrics, such as "
                 "'wait.p95: {max_rise: 2%}'" },
        { "'wait.mean[user=x]': {max: 1}",
          "r.yaml:1:1: a scope is [queue=NAME], [size=CLASS], [type=NAME], [scheduler=NAME] or [qos=NAME] "
          "(got '[user=x]')" },
        { "'gpu.busy[type=h100]': {max: 1}",
          "r.yaml:1:1: gpu.busy is not told by type (its scopes: cluster)" },
        { "'wait.max[type=h100]': {max: 1h}",
          "r.yaml:1:1: wait.max is not told by type (its scopes: cluster, queue, "
          "size, scheduler, qos)" },
        { "'node.hours_paid[queue=a]': {max: 1}",
          "r.yaml:1:1: node.hours_paid is not told by queue (its scopes: "
          "cluster, type)" },
        { "'wait.max[=a]': {max: 1h}",
          "r.yaml:1:1: a scope is [queue=NAME], [size=CLASS], [type=NAME], [scheduler=NAME] or [qos=NAME] "
          "(got '[=a]')" },
        { "'wait.max[]': {max: 1h}",
          "r.yaml:1:1: a scope is [queue=NAME], [size=CLASS], [type=NAME], [scheduler=NAME] or [qos=NAME] "
          "(got '[]')" },
        { "'wait.mean[queue=x': {max: 1}",
          "r.yaml:1:1: a scope is [queue=NAME], [size=CLASS], [type=NAME], [scheduler=NAME] or [qos=NAME] "
          "(got '[queue=x')" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        struct report_rules rules;
        struct gs_err err = { 0 };
        char buf[400];
        const int rc = parse(cases[i].yaml, arena, &rules, &err);

        CU_ASSERT_EQUAL(rc, cases[i].error ? -1 : 0);
        if (cases[i].error)
            CU_ASSERT_STRING_EQUAL(gs_err_format(&err, 0, buf, sizeof(buf)),
                                   cases[i].error);
        gs_arena_destroy(arena);
    }
}

/* --- verdicts ------------------------------------------------------------- */

/* Figures of one metric, in the cluster or, with a label, in a queue. */
static void figures(struct report_figures *f, struct gs_arena *arena,
                    const char *run, const char *name, const char *label,
                    double value)
{
    const struct report_metric m = { name, label[0] ? "queue" : "cluster",
                                     label, REPORT_COUNT, value };

    report_figures_take(run, &m, 1, arena, f);
}

static void test_verdicts(void)
{
    static const struct {
        const char *metric, *rule;
        double base, now;
        enum report_verdict verdict;
    } cases[] = {
        { "wait.max", "max: 1m", 0, 60, REPORT_HOLDS },
        { "wait.max", "max: 1m", 0, 60.001, REPORT_BROKEN },
        { "wait.max", "min: 1m", 0, 59.9, REPORT_BROKEN },
        { "wait.max", "max_rise: 2%", 100, 102, REPORT_HOLDS },
        { "wait.max", "max_rise: 2%", 100, 102.1, REPORT_BROKEN },
        { "wait.max", "max_rise: 2%", 100, 5, REPORT_HOLDS },
        { "wait.max", "max_rise: 2%", 0, 0, REPORT_HOLDS },
        { "wait.max", "max_rise: 2%", 0, 1e-6, REPORT_BROKEN },
        { "wait.max", "max_fall: 10s", 100, 90, REPORT_HOLDS },
        { "wait.max", "max_fall: 10s", 100, 89, REPORT_BROKEN },
        { "gpu.busy", "max_fall: 2pt", 0.5, 0.48, REPORT_HOLDS },
        { "gpu.busy", "max_fall: 2pt", 0.5, 0.479, REPORT_BROKEN },
        { "gpu.busy", "max_fall: 2%", 0.5, 0.479, REPORT_BROKEN },
        { "gpu.busy", "min: 40%", 0.5, 0.39, REPORT_BROKEN },
        { "jobs.done", "equal: baseline", 7, 7, REPORT_HOLDS },
        { "jobs.done", "equal: baseline", 7, 8, REPORT_BROKEN },
        { "jobs.done", "equal: 8", 7, 8, REPORT_HOLDS },
        /* 0.1 * 3 adds up to something else than 0.3 */
        { "fair.jain", "max: 0.3", 0, 0.30000000000000004, REPORT_HOLDS },
        { "wait.max", "max: 1m", 0, HUGE_VAL, REPORT_BROKEN },
        { "wait.max", "max_rise: 1%", HUGE_VAL, -HUGE_VAL, REPORT_HOLDS },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        struct report_gate g = { .arena = arena };
        struct report_figures now, base;
        struct report_rules rules;
        char yaml[80];

        snprintf(yaml, sizeof(yaml), "%s: {%s}", cases[i].metric,
                 cases[i].rule);
        CU_ASSERT_EQUAL_FATAL(parse(yaml, arena, &rules, NULL), 0);
        figures(&base, arena, "r", cases[i].metric, "", cases[i].base);
        figures(&now, arena, "r", cases[i].metric, "", cases[i].now);
        report_gate_judge(&g, &rules, &now, &base);
        CU_ASSERT_EQUAL(g.finding[0].verdict, cases[i].verdict);
        CU_ASSERT_EQUAL(g.broken, cases[i].verdict != REPORT_HOLDS);
        CU_ASSERT_STRING_EQUAL(g.finding[0].rule->text, cases[i].rule);
        gs_arena_destroy(arena);
    }
}

static void test_what_is_missing(void)
{
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct report_gate g = { .arena = arena };
    struct report_figures now, base;
    struct report_rules rules;
    char text[REPORT_MESSAGE];

    CU_ASSERT_EQUAL_FATAL(
        parse("deadlock.first_at: {equal: baseline, max: 1h}\n"
              "'wait.mean[queue=resaerch]': {max: 1h}\n"
              "'wait.mean[queue=research]': {max: 1h, max_rise: 1%}",
              arena, &rules, NULL),
        0);
    figures(&base, arena, "r", "jobs.done", "", 1);
    figures(&now, arena, "r", "wait.mean", "research", 60);
    report_gate_judge(&g, &rules, &now, &base);
    CU_ASSERT_EQUAL(g.finding[0].verdict, REPORT_HOLDS); /* in neither */
    CU_ASSERT_EQUAL(g.finding[1].verdict, REPORT_ABSENT);
    CU_ASSERT_EQUAL(g.finding[2].verdict, REPORT_ABSENT);
    CU_ASSERT_EQUAL(g.finding[3].verdict, REPORT_HOLDS);
    CU_ASSERT_EQUAL(g.finding[4].verdict, REPORT_NO_BASELINE);
    CU_ASSERT_EQUAL(g.broken, 3);
    CU_ASSERT_STRING_EQUAL(
        report_gate_message(&g.finding[2], text),
        "the run has no wait.mean[queue=resaerch] for rule 'max: 1h' (did you "
        "mean 'wait.mean[queue=research]'?)");
    CU_ASSERT_STRING_EQUAL(
        report_gate_message(&g.finding[4], text),
        "the baseline has no wait.mean[queue=research] of this run, which "
        "rule 'max_rise: 1%' needs; give --baseline, or add it with --update");
    gs_arena_destroy(arena);
}

static void test_messages(void)
{
    static const struct {
        const char *yaml;
        double base, now;
        const char *message;
    } cases[] = {
        { "gpu.hoarded: {max_rise: 2%}", 0.2, 0.25,
          "gpu.hoarded is 25.00 %, 4.60 points above the 20.40 % that rule "
          "'max_rise: 2%' allows, the baseline being 20.00 %; if that is "
          "meant, accept it with --update" },
        { "gpu.hoarded: {min: 30%}", 0.2, 0.25,
          "gpu.hoarded is 25.00 %, 5.00 points below the 30.00 % that rule "
          "'min: 30%' allows; mend it or change the rule" },
        { "gpu.hoarded: {max: 25%}", 0.2, 0.25000001,
          "gpu.hoarded is 0.25000001, 1e-08 above the 0.25 that rule 'max: "
          "25%' allows; mend it or change the rule" },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_arena *arena = gs_arena_create(1 << 12);
        struct report_gate g = { .arena = arena };
        struct report_figures now, base;
        struct report_rules rules;
        char text[REPORT_MESSAGE];

        CU_ASSERT_EQUAL_FATAL(parse(cases[i].yaml, arena, &rules, NULL), 0);
        figures(&base, arena, "r", "gpu.hoarded", "", cases[i].base);
        figures(&now, arena, "r", "gpu.hoarded", "", cases[i].now);
        report_gate_judge(&g, &rules, &now, &base);
        CU_ASSERT_STRING_EQUAL(report_gate_message(&g.finding[0], text),
                               cases[i].message);
        gs_arena_destroy(arena);
    }
}

/* --- hostile names -------------------------------------------------------- */

typedef void (*print_fn)(const struct report_gate *g, FILE *out);

static char *printed(const struct report_gate *g, print_fn print)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        abort();
    print(g, out);
    fclose(out);
    return text;
}

static void test_hostile_names(void)
{
    static const struct {
        print_fn print;
        const char *holds, *lacks;
    } cases[] = {
        { report_gate_junit,
          "classname=\"&lt;b a=&apos;&quot;&apos;&gt;|????%0A,:\"", "<b" },
        { report_gate_markdown, "| &lt;b a='\"'>\\|???\xef\xbf\xbe%0A,: |",
          "<b" },
        { report_gate_github,
          "::error title=gsim gate%3A run <b a='\"'>|???\xef\xbf\xbe%250A%2C%3A"
          "%3A jobs.done,file=r.yaml,line=1,col=13::jobs.done is 1, 1 above",
          "%0A" },
    };
    struct gs_arena *arena = gs_arena_create(1 << 12);
    struct report_gate g = { .arena = arena };
    struct report_figures now;
    struct report_rules rules;

    CU_ASSERT_EQUAL_FATAL(parse("jobs.done: {max: 0}", arena, &rules, NULL), 0);
    figures(&now, arena, "<b a='\"'>|\n\033\xff\xef\xbf\xbe%0A,:", "jobs.done",
            "", 1);
    report_gate_judge(&g, &rules, &now, NULL);
    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        char *text = printed(&g, cases[i].print);

        CU_ASSERT_PTR_NOT_NULL(strstr(text, cases[i].holds));
        CU_ASSERT_PTR_NULL(strstr(text, cases[i].lacks));
        CU_ASSERT_PTR_NULL(strchr(text, '\033'));
        free(text);
    }
    gs_arena_destroy(arena);
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "rules are read or refused", test_rules },
        { "each rule holds up to its bound", test_verdicts },
        { "a missing metric is told", test_what_is_missing },
        { "a message tells value, bound and baseline", test_messages },
        { "hostile names are harmless in every output", test_hostile_names },
    };

    return suite_run("reports/gate", cases, N_ELEMENTS(cases));
}
