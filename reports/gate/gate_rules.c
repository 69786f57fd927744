/* reports/gate/gate_rules.c - parses rules; amounts are in the units of the
 * glossary.
 */
#include "reports/gate/gate_rules.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/input.h"
#include "base/quantity.h"
#include "base/text.h"
#include "base/yamldoc.h"
#include "reports/glossary/glossary.h"
#include "reports/store/figures.h"

#define RULES_MAX 10000u

static const char *const kinds[REPORT_RULE_KINDS] = {
    [REPORT_RULE_MAX] = "max",           [REPORT_RULE_MIN] = "min",
    [REPORT_RULE_MAX_RISE] = "max_rise", [REPORT_RULE_MAX_FALL] = "max_fall",
    [REPORT_RULE_EQUAL] = "equal",
};

/* The metrics of families such as "wait.*" in the glossary. */
static const char *const parts[] = {
    "mean", "p50", "p90", "p95", "p99", "max"
};
static const char *const spread_over[] = { "wait", "jct", "slowdown",
                                           "large.start_delay" };

#define N_PARTS (sizeof(parts) / sizeof(parts[0]))
#define N_SPREAD (sizeof(spread_over) / sizeof(spread_over[0]))

struct reading {
    const char *source;
    struct gs_arena *arena;
    struct report_rules *out;
    struct gs_err *err;
};

static int refuse(const struct reading *r, const struct gs_ynode *at,
                  const char *text)
{
    const struct gs_mark mark = { r->source, at->line, at->column };

    return gs_fail(r->err, GS_INPUT, mark, "%s", text);
}

/* --- metrics -------------------------------------------------------------- */

/* List all full names of metrics, for "did you mean". */
static size_t names_list(struct gs_arena *arena, const char **name, size_t max)
{
    const struct report_metric_info *info;
    size_t n = 0;

    for (size_t i = 0; (info = report_glossary_at(i)) && n < max; i++) {
        if (!strchr(info->name, '*'))
            name[n++] = info->name;
    }
    for (size_t i = 0; i < N_SPREAD * N_PARTS && n < max; i++)
        name[n++] = gs_arena_printf(arena, "%s.%s", spread_over[i / N_PARTS],
                                    parts[i % N_PARTS]);
    return n;
}

/* True for the name of a metric.  "wait.p59" matches "wait.*" and is not one.
 */
static bool is_known(const char *name)
{
    const struct report_metric_info *info = report_glossary_find(name);

    if (!info || strchr(name, '*'))
        return false;
    for (size_t i = 0; i < N_SPREAD; i++) {
        const size_t len = strlen(spread_over[i]);

        if (strncmp(info->name, spread_over[i], len) == 0
            && strcmp(info->name + len, ".*") == 0)
            return gs_text_find(name + len + 1, parts, N_PARTS) < N_PARTS;
    }
    return true;
}

/* Check "[scope=label]" of a metric. */
static int scope_read(const struct reading *r, const struct gs_ynode *key,
                      const char *scope, const struct report_metric_info *info)
{
    enum { SCOPES = 5 };
    static const char *const scopes[SCOPES] = { "queue", "size", "type",
                                                "scheduler", "qos" };
    const size_t len = strcspn(scope + 1, "=");
    const char *name = gs_arena_strndup(r->arena, scope + 1, len);

    if (key->text[key->len - 1] != ']' || scope[1 + len] != '='
        || gs_text_find(name, scopes, SCOPES) == SCOPES)
        return refuse(
            r, key,
            gs_arena_printf(r->arena,
                            "a scope is [queue=NAME], [size=CLASS], "
                            "[type=NAME], [scheduler=NAME] or [qos=NAME] "
                            "(got '%.60s')",
                            scope));
    if (report_glossary_has_scope(info, name, len))
        return 0;
    return refuse(r, key,
                  gs_arena_printf(r->arena,
                                  "%.*s is not told by %s (its scopes: %s)",
                                  (int)(scope - key->text), key->text, name,
                                  report_glossary_scopes(info)));
}

/* Check "name" or "name[scope=label]". */
static int key_read(const struct reading *r, const struct gs_ynode *key,
                    const struct report_metric_info **info)
{
    const size_t len = strcspn(key->text, "[");
    const char *name = gs_arena_strndup(r->arena, key->text, len);
    const char *scope = key->text + len, *known[160], *near;

    if (!gs_text_is_clean(key->text, key->len))
        return refuse(r, key, "a metric has no control characters");
    if (!is_known(name)) {
        near = gs_nearest(
            name, known,
            names_list(r->arena, known, sizeof(known) / sizeof(known[0])));
        return refuse(
            r, key,
            gs_arena_printf(r->arena, "no metric is called '%.60s'%s%s%s", name,
                            near ? " (did you mean '" : "", near ? near : "",
                            near ? "'?)"
                                 : " (see gsim compare DB --metric '*')"));
    }
    *info = report_glossary_find(name);
    return *scope ? scope_read(r, key, scope, *info) : 0;
}

/* --- amounts -------------------------------------------------------------- */

static bool ends(const struct gs_ynode *v, const char *unit)
{
    const size_t n = strlen(unit);

    return v->len > n && strcmp(v->text + v->len - n, unit) == 0;
}

static int number(const struct gs_ynode *v, size_t unit, double scale,
                  double *out)
{
    double d;

    if (gs_quantity_parse_double(v->text, v->len - unit, &d) < 0 || d < 0)
        return -1;
    *out = d * scale;
    return 0;
}

/* True for a rule on the change from the baseline. */
static bool is_change(const struct report_rule *rule)
{
    return rule->kind == REPORT_RULE_MAX_RISE
           || rule->kind == REPORT_RULE_MAX_FALL;
}

/* Parse an amount in the unit of the metric. */
static int amount_parse(const struct gs_ynode *v, struct report_rule *rule)
{
    int64_t us;

    if (is_change(rule) && ends(v, "%")) {
        rule->is_relative = true;
        return number(v, 1, 0.01, &rule->amount);
    }
    if (rule->info->unit == REPORT_SECONDS) {
        if (gs_duration_parse(v->text, v->len, &us) < 0)
            return -1;
        rule->amount = (double)us / 1e6;
        return 0;
    }
    if (rule->info->unit != REPORT_SHARE)
        return number(v, 0, 1, &rule->amount);
    if (is_change(rule))
        return ends(v, "pt") ? number(v, 2, 0.01, &rule->amount) : -1;
    if ((ends(v, "%") ? number(v, 1, 0.01, &rule->amount)
                      : number(v, 0, 1, &rule->amount))
        < 0)
        return -1;
    return rule->amount <= 1 ? 0 : -1; /* 80 is probably meant as 80% */
}

/* The amounts that the rule takes, for messages. */
static const char *allowed(const struct report_rule *rule)
{
    const enum report_unit unit = rule->info->unit;

    if (!is_change(rule))
        return unit == REPORT_SECONDS ? "a time such as 90s or 1h30m"
               : unit == REPORT_SHARE
                   ? "a share such as 20% or 0.2, at most 100%"
                   : "a number such as 3";
    return unit == REPORT_SECONDS ? "a time such as 5m, or a percentage of the "
                                    "baseline such as 2%"
           : unit == REPORT_SHARE ? "points of the share such as 2pt, or a "
                                    "percentage of the baseline such as 2%"
                                  : "a number such as 3, or a percentage of "
                                    "the baseline such as 2%";
}

static int amount_read(const struct reading *r, const struct gs_ynode *v,
                       struct report_rule *rule)
{
    const bool may_be_baseline = rule->kind == REPORT_RULE_EQUAL;
    const bool is_text = v->kind == GS_YSCALAR;
    const char *quote = is_text ? "'" : "";

    rule->needs_baseline = is_change(rule)
                           || (is_text && may_be_baseline
                               && strcmp(v->text, "baseline") == 0);
    if ((rule->needs_baseline && may_be_baseline)
        || (is_text && amount_parse(v, rule) == 0))
        return 0;
    return refuse(
        r, v,
        gs_arena_printf(r->arena, "'%s' of %.60s must be %s%s (got %s%.40s%s)",
                        kinds[rule->kind], rule->key, allowed(rule),
                        may_be_baseline ? ", or baseline" : "", quote,
                        is_text ? v->text : "a list or mapping", quote));
}

/* --- rules ---------------------------------------------------------------- */

static int kind_find(const struct reading *r, const struct gs_ynode *key,
                     enum report_rule_kind *kind)
{
    const char *near = gs_nearest(key->text, kinds, REPORT_RULE_KINDS);
    const size_t k = gs_text_find(key->text, kinds, REPORT_RULE_KINDS);

    *kind = (enum report_rule_kind)k;
    if (k < REPORT_RULE_KINDS)
        return 0;
    return refuse(r, key,
                  gs_arena_printf(r->arena,
                                  "no rule is called '%.40s' (%s%s%sthere are: "
                                  "max, min, max_rise, max_fall, equal)",
                                  key->text, near ? "did you mean '" : "",
                                  near ? near : "", near ? "'? " : ""));
}

static int rule_read(const struct reading *r, const struct gs_ynode *metric,
                     const struct report_metric_info *info,
                     const struct gs_ynode *v)
{
    struct report_rule *rule = &r->out->rule[r->out->count];

    *rule = (struct report_rule){ .key = metric->key->text,
                                  .info = info,
                                  .line = v->key->line,
                                  .column = v->key->column };
    if (kind_find(r, v->key, &rule->kind) < 0 || amount_read(r, v, rule) < 0)
        return -1;
    rule->text = gs_arena_printf(r->arena, "%s: %s", kinds[rule->kind],
                                 v->text);
    r->out->count++;
    return 0;
}

static int metric_read(const struct reading *r, const struct gs_ynode *metric)
{
    const struct report_metric_info *info;
    int rc = 0;

    if (key_read(r, metric->key, &info) < 0)
        return -1;
    if (metric->kind != GS_YMAP || !metric->child)
        return refuse(r, metric,
                      "a metric's rules are a mapping such as {max_rise: 2%} "
                      "(there are: max, min, max_rise, max_fall, equal)");
    for (const struct gs_ynode *v = metric->child; v; v = v->next) {
        if (rule_read(r, metric, info, v) < 0) {
            rc = -1;
            if (!gs_err_wants_more(r->err))
                return -1;
        }
    }
    return rc;
}

static uint32_t rules_count(const struct gs_ynode *map)
{
    uint32_t n = 0;

    for (const struct gs_ynode *m = map->child; m; m = m->next)
        n += m->kind == GS_YMAP ? m->len : 0;
    return n;
}

int report_rules_parse(const char *source, const struct gs_ynode *map,
                       struct gs_arena *arena, struct report_rules *out,
                       struct gs_err *err)
{
    struct report_rules rules = { .source = gs_text_copy(arena, source) };
    const struct reading r = { source, arena, &rules, err };
    int rc = 0;

    assert(source && map && arena);
    if (map->kind != GS_YMAP || !map->child)
        return refuse(&r, map,
                      "rules are a mapping of metrics, such as "
                      "'wait.p95: {max_rise: 2%}'");
    if (rules_count(map) > RULES_MAX)
        return refuse(&r, map, "there are more than 10000 rules");
    /* one more element, for a refused rule */
    rules.rule = gs_arena_alloc(arena, rules_count(map) + 1,
                                sizeof(*rules.rule));
    for (const struct gs_ynode *m = map->child; m; m = m->next) {
        if (metric_read(&r, m) < 0) {
            rc = -1;
            if (!gs_err_wants_more(err))
                return -1;
        }
    }
    if (rc == 0)
        *out = rules;
    return rc;
}

int report_rules_read(const char *path, struct gs_arena *arena,
                      struct report_rules *out, struct gs_err *err)
{
    struct gs_input *in = gs_input_open(path, err);
    const struct gs_ynode *root;
    int rc = -1;

    assert(path && arena);
    if (!in)
        return -1;
    root = gs_yaml_read(in, arena, NULL, err);
    if (root)
        rc = (report_range_is(root) ? report_range_read : report_rules_parse)(
            gs_input_name(in), root, arena, out, err);
    gs_input_close(in);
    return rc;
}

/* --- targets -------------------------------------------------------------- */

/* `'METRIC': {max: AMOUNT}`, as a rules file has it. */
static const char *target_yaml(const char *metric, size_t len, const char *kind,
                               const char *amount, struct gs_arena *arena)
{
    char *text = gs_arena_alloc(arena, 2 * len + strlen(amount) + 32, 1);
    char *to = text;

    *to++ = '\'';
    for (size_t i = 0; i < len; i++) {
        if (metric[i] == '\'')
            *to++ = '\'';
        *to++ = metric[i];
    }
    sprintf(to, "': {%s: %s}", kind, amount);
    return text;
}

/* Change the error to one of the command line: no file, no line. */
static void target_error(struct gs_err *err)
{
    struct gs_problem *p = err ? &err->problem[0] : NULL;

    if (!p)
        return;
    err->code = GS_USAGE;
    p->line = p->column = 0;
    if (strncmp(p->text, "'max' of ", 9) == 0
        || strncmp(p->text, "'min' of ", 9) == 0)
        memmove(p->text, p->text + 9, strlen(p->text + 9) + 1);
}

void report_rules_equal(const char *source, const struct report_figure *figure,
                        uint32_t count, double tolerance,
                        struct gs_arena *arena, struct report_rules *out)
{
    /* a metric of another version: a number */
    static const struct report_metric_info unknown = { .name = "" };
    const char *text = tolerance > 0
                           ? gs_arena_printf(arena,
                                             "equal: baseline within %.4g%%",
                                             tolerance * 100)
                           : "equal: baseline";

    *out = (struct report_rules){
        .source = source,
        .rule = gs_arena_alloc(arena, count + 1, sizeof(*out->rule)),
        .count = count,
    };
    for (uint32_t i = 0; i < count; i++) {
        const char *key = figure[i].key;
        const char *name = gs_arena_strndup(arena, key, strcspn(key, "["));
        const struct report_metric_info *info = report_glossary_find(name);

        out->rule[i] = (struct report_rule){
            .key = key,
            .info = info ? info : &unknown,
            .kind = REPORT_RULE_EQUAL,
            .needs_baseline = true,
            .tolerance = tolerance,
            .text = text,
        };
    }
}

int report_target_parse(const char *text, struct gs_arena *arena,
                        struct report_rule *out, struct gs_err *err)
{
    assert(text && arena);
    /* of amounts; others could end the mapping */
    static const char amounts[] = " %+-.0123456789"
                                  "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const struct gs_mark at = { .source = "--target" };
    const char *sign = strpbrk(text, "<>");
    const struct gs_ynode *root;
    struct report_rules rules;
    size_t len;

    if (!sign || sign[1] != '=' || sign[2 + strspn(sign + 2, amounts)])
        return gs_fail(err, GS_USAGE, at,
                       "must be METRIC<=AMOUNT or METRIC>=AMOUNT, as in "
                       "wait.p95<=10m (got '%s')",
                       text);
    for (len = (size_t)(sign - text); len && text[len - 1] == ' ';)
        len--;
    root = gs_yaml_parse(
        "--target",
        target_yaml(text, len, *sign == '<' ? "max" : "min", sign + 2, arena),
        arena, err);
    if (!root || report_rules_parse("--target", root, arena, &rules, err) < 0) {
        target_error(err);
        return -1;
    }
    *out = rules.rule[0];
    return 0;
}
