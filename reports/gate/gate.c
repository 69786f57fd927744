/* reports/gate/gate.c - findings of rules, and their messages. */
#include "reports/gate/gate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/text.h"
#include "reports/glossary/glossary.h"
#include "reports/glossary/metric_names.h"
#include "reports/store/run_inputs.h"
#include "reports/table/cell_text.h"

/* Fraction of a value by which a limit may be missed: sums in another order
 * differ in the last digits.
 */
#define SLACK 1e-9

#define NEAR_MAX 20u /* findings that get a "did you mean" */

static double limit_of(const struct report_rule *r, double base)
{
    const double by = r->is_relative ? fabs(base) * r->amount : r->amount;

    if (!r->needs_baseline)
        return r->amount;
    if (r->kind == REPORT_RULE_EQUAL)
        return base;
    return r->kind == REPORT_RULE_MAX_RISE ? base + by : base - by;
}

static bool keeps(const struct report_rule *r, double now, double limit)
{
    const double slack = fabs(limit) * fmax(SLACK, r->tolerance);

    switch (r->kind) {
    case REPORT_RULE_MAX:
    case REPORT_RULE_MAX_RISE:
        return now <= limit + slack;
    case REPORT_RULE_MIN:
    case REPORT_RULE_MAX_FALL:
        return now >= limit - slack;
    case REPORT_RULE_EQUAL:
        return fabs(now - limit) <= slack;
    case REPORT_RULE_KINDS:
        break;
    }
    return false;
}

static struct report_finding *finding_add(struct report_gate *g)
{
    g->finding = gs_arena_grow(g->arena, g->finding, &g->cap, g->count,
                               sizeof(*g->finding));
    return &g->finding[g->count++];
}

static const char *nearest(struct gs_arena *arena, const char *key,
                           const struct report_figures *now)
{
    const char **known = gs_arena_alloc(arena, now->count + 1, sizeof(*known));

    for (uint32_t i = 0; i < now->count; i++)
        known[i] = now->figure[i].key;
    return gs_nearest(key, known, now->count);
}

static double endless_of(const struct report_figures *of)
{
    const struct report_figure *f =
        of ? report_figures_find(of, METRIC_DEADLOCK_ENDLESS) : NULL;

    return f ? f->value : 0;
}

/* Endless deadlocks that break a rule on their length. */
static double endless_beyond(const struct report_rule *r,
                             const struct report_figures *now,
                             const struct report_figures *base)
{
    double beyond = endless_of(now);

    if (!report_glossary_is_deadlock_length(r->key)
        || r->kind == REPORT_RULE_MIN || r->kind == REPORT_RULE_MAX_FALL)
        return 0;
    if (r->needs_baseline)
        beyond -= endless_of(base);
    return beyond > 0 ? beyond : 0;
}

static void rule_judge(struct report_gate *g, const struct report_rules *rules,
                       const struct report_rule *r,
                       const struct report_figures *now,
                       const struct report_figures *base)
{
    const struct report_figure *a = base ? report_figures_find(base, r->key)
                                         : NULL;
    const struct report_figure *b = report_figures_find(now, r->key);
    struct report_finding *f = finding_add(g);

    *f = (struct report_finding){ .run = now->run,
                                  .source = rules->source,
                                  .rule = r,
                                  .has_base = a,
                                  .has_now = b,
                                  .inputs = base && base->inputs && now->inputs
                                                ? report_inputs_differ(
                                                    base->inputs, now->inputs)
                                                : 0,
                                  .base = a ? a->value : 0,
                                  .now = b ? b->value : 0 };
    if (!b && !a && base && r->kind == REPORT_RULE_EQUAL && r->needs_baseline)
        f->verdict = REPORT_HOLDS; /* only some runs have the metric */
    else if (!b)
        f->verdict = REPORT_ABSENT;
    else if (!a && r->needs_baseline)
        f->verdict = REPORT_NO_BASELINE;
    else {
        f->limit = limit_of(r, f->base);
        f->endless_now = report_glossary_is_deadlock_length(r->key)
                             ? endless_of(now)
                             : 0;
        f->endless = endless_beyond(r, now, base);
        f->verdict = keeps(r, f->now, f->limit) && f->endless == 0
                         ? REPORT_HOLDS
                         : REPORT_BROKEN;
    }
    if (f->verdict == REPORT_ABSENT && g->broken < NEAR_MAX)
        f->near = nearest(g->arena, r->key, now);
    g->broken += f->verdict != REPORT_HOLDS;
}

void report_gate_judge(struct report_gate *g, const struct report_rules *rules,
                       const struct report_figures *now,
                       const struct report_figures *base)
{
    assert(g && rules);
    for (uint32_t i = 0; i < rules->count; i++)
        rule_judge(g, rules, &rules->rule[i], now, base);
}

void report_gate_missing(struct report_gate *g, const struct report_rules *rule,
                         const char *run)
{
    struct report_finding *f = finding_add(g);

    assert(rule->count > 0);
    *f = (struct report_finding){ .run = run,
                                  .source = rule->source,
                                  .rule = &rule->rule[0],
                                  .verdict = REPORT_NO_RUN };
    g->broken++;
}

/* --- accepting ------------------------------------------------------------ */

/* Collect the figures that the findings from `i` on, of one run, name.  Returns
 * the first finding of the next run.
 */
static uint32_t run_accept(const struct report_gate *g, uint32_t i,
                           struct report_figures *out)
{
    uint32_t end = i;
    double endless = 0;
    bool is_named = false;

    out->run = g->finding[i].run;
    while (end < g->count && strcmp(g->finding[end].run, out->run) == 0)
        end++;
    out->figure = gs_arena_alloc(g->arena, end - i + 1, sizeof(*out->figure));
    for (; i < end; i++) {
        const struct report_finding *f = &g->finding[i];
        const uint32_t n = out->count;

        endless = f->endless_now > 0 ? f->endless_now : endless;
        is_named |= strcmp(f->rule->key, METRIC_DEADLOCK_ENDLESS) == 0;

        /* rules of a metric are consecutive */
        if (f->has_now
            && (n == 0 || strcmp(out->figure[n - 1].key, f->rule->key) != 0))
            out->figure[out->count++] = (struct report_figure){ f->rule->key,
                                                                f->now };
    }
    if (endless > 0 && !is_named) /* rules on the length of deadlocks compare
                                     it */
        out->figure[out->count++] =
            (struct report_figure){ METRIC_DEADLOCK_ENDLESS, endless };
    report_figures_sort(out);
    return end;
}

void report_gate_accept(const struct report_gate *g,
                        const struct report_figure_set *now,
                        const struct report_figure_set *old,
                        struct report_figure_set *out)
{
    const uint32_t kept = old ? old->runs : 0;

    assert(g);
    *out = (struct report_figure_set){
        .run = gs_arena_alloc(g->arena, g->count + kept + 1, sizeof(*out->run))
    };
    for (uint32_t i = 0; i < g->count; out->runs++) {
        struct report_figures *run = &out->run[out->runs];

        i = run_accept(g, i, run);
        run->inputs = report_figure_set_find(now, run->run)->inputs;
        run->decisions = report_figure_set_find(now, run->run)->decisions;
    }
    for (uint32_t i = 0; i < kept; i++) {
        if (!report_figure_set_find(out, old->run[i].run))
            out->run[out->runs++] = old->run[i];
    }
}

/* --- messages ------------------------------------------------------------- */

/* A difference in the unit of the metric; of two shares in points. */
static const char *difference(const struct report_finding *f, char *buf)
{
    const double d = fabs(f->now - f->limit);

    if (f->rule->info->unit != REPORT_SHARE)
        return report_format_value(f->rule->info->unit, d, buf);
    snprintf(buf, REPORT_VALUE_TEXT, "%.2f points", d * 100);
    return buf;
}

static const char *remedy(const struct report_rule *r)
{
    return r->needs_baseline ? "if that is meant, accept it with --update"
                             : "mend it or change the rule";
}

static void endless_message(const struct report_finding *f, char *buf)
{
    const struct report_rule *r = f->rule;
    char now[REPORT_VALUE_TEXT];

    snprintf(buf, REPORT_MESSAGE,
             "%.200s is %s to the end of the window, but deadlocks are endless "
             "(%.0f%s), which rule '%.60s' does not allow; %s",
             r->key, report_format_value(r->info->unit, f->now, now),
             f->endless, r->needs_baseline ? " more than in the baseline" : "",
             r->text, remedy(r));
}

static void broken_message(const struct report_finding *f, char *buf)
{
    const struct report_rule *r = f->rule;
    char now[REPORT_VALUE_TEXT], limit[REPORT_VALUE_TEXT];
    char base[REPORT_VALUE_TEXT], by[REPORT_VALUE_TEXT], was[128] = "";

    report_format_value(r->info->unit, f->now, now);
    report_format_value(r->info->unit, f->limit, limit);
    difference(f, by);
    if (strcmp(now, limit) == 0) { /* the values differ in later digits */
        snprintf(now, sizeof(now), "%.12g", f->now);
        snprintf(limit, sizeof(limit), "%.12g", f->limit);
        snprintf(by, sizeof(by), "%.3g", fabs(f->now - f->limit));
    }
    if (r->needs_baseline)
        snprintf(was, sizeof(was), ", the baseline being %s",
                 report_format_value(r->info->unit, f->base, base));
    snprintf(buf, REPORT_MESSAGE,
             "%.200s is %s, %s %s the %s that rule '%.60s' allows%s; %s",
             r->key, now, by, f->now < f->limit ? "below" : "above", limit,
             r->text, was, remedy(r));
}

const char *report_gate_message(const struct report_finding *f, char *buf)
{
    const struct report_rule *r = f->rule;

    buf[0] = '\0';
    switch (f->verdict) {
    case REPORT_BROKEN:
        if (f->endless > 0)
            endless_message(f, buf);
        else
            broken_message(f, buf);
        break;
    case REPORT_NO_BASELINE:
        snprintf(buf, REPORT_MESSAGE,
                 "the baseline has no %.200s of this run, which rule '%.60s' "
                 "needs; give --baseline, or add it with --update",
                 r->key, r->text);
        break;
    case REPORT_ABSENT:
        snprintf(buf, REPORT_MESSAGE,
                 "the run has no %.200s for rule '%.60s'%s%.200s%s", r->key,
                 r->text, f->near ? " (did you mean '" : "",
                 f->near ? f->near : "", f->near ? "'?)" : "");
        break;
    case REPORT_NO_RUN:
        snprintf(buf, REPORT_MESSAGE,
                 "the baseline has this run, the database has not; take it out "
                 "with --update");
        break;
    case REPORT_HOLDS:
    case REPORT_VERDICTS:
        break;
    }
    gs_text_clean(buf); /* a character may have been cut */
    return buf;
}
