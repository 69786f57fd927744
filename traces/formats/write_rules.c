/* traces/formats/write_rules.c - labels, affinities and spreads in native YAML.
 */
#include "traces/formats/write_rules.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/strtab.h"
#include "base/yamltext.h"
#include "traces/formats/writing.h"

static void put_text(FILE *out, const char *s)
{
    gs_yaml_put_text(out, s, strlen(s));
}

static uint32_t rules_of(const struct trace_group *g)
{
    return g->rule_count + g->soft_count;
}

static void put_spread(FILE *out, const struct trace_workload *w,
                       const struct trace_rule *rule)
{
    fputs("{over: ", out);
    trace_put_id(out, w, rule->tier);
    fprintf(out, ", max_skew: %" PRIu32 "%s", rule->max_skew,
            rule->weight ? ", mode: preferred" : "");
    if (rule->label) {
        fputs(", jobs: {", out);
        trace_put_label(out, w, rule->label);
        putc('}', out);
    }
    if (rule->min_domains)
        fprintf(out, ", min_domains: %" PRIu32, rule->min_domains);
    if (rule->counts & TRACE_SPREAD_ANY)
        fputs(", node_affinity: ignore", out);
    if (rule->counts & TRACE_SPREAD_TOLERATED)
        fputs(", node_taints: honor", out);
    putc('}', out);
}

void trace_put_spreads(FILE *out, const struct trace_workload *w,
                       const struct trace_group *g)
{
    const struct trace_rule *rule = rules_of(g) ? &w->rule[g->first_rule]
                                                : NULL;
    uint32_t all = 0, n = 0;

    for (uint32_t i = 0; i < rules_of(g); i++)
        all += rule[i].kind == TRACE_SPREAD;
    for (uint32_t i = 0; i < rules_of(g); i++) {
        if (rule[i].kind != TRACE_SPREAD)
            continue;
        fputs(n++ ? ", " : all > 1 ? ", spread: [" : ", spread: ", out);
        put_spread(out, w, &rule[i]);
    }
    if (all > 1)
        putc(']', out);
}

void trace_put_label(FILE *out, const struct trace_workload *w, uint32_t label)
{
    const char *text = gs_strtab_str(w->names, label);
    const char *equals = strchr(text, '=');

    assert(equals);
    gs_yaml_put_text(out, text, (size_t)(equals - text));
    fputs(": ", out);
    put_text(out, equals + 1);
}

void trace_put_labels(FILE *out, const struct trace_workload *w,
                      const uint32_t *label, uint32_t count,
                      const struct trace_group *g)
{
    const uint32_t all = count + (g ? g->label_count : 0);

    for (uint32_t i = 0; i < all; i++) {
        fputs(i ? ", " : ", labels: {", out);
        trace_put_label(out, w,
                        i < count ? label[i]
                                  : w->label[g->first_label + i - count]);
    }
    if (all)
        putc('}', out);
}

/* Write the rules of this kind of the group. */
static void put_affinity(FILE *out, const struct trace_workload *w,
                         const struct trace_group *g, enum trace_rule_kind kind,
                         const char *key)
{
    bool any = false;

    for (uint32_t i = 0; i < rules_of(g); i++) {
        const struct trace_rule *rule = &w->rule[g->first_rule + i];

        if (rule->kind != kind)
            continue;
        if (!any)
            fprintf(out, ", %s: ", key);
        fputs(any ? ", {jobs: {" : "[{jobs: {", out);
        trace_put_label(out, w, rule->label);
        fputs("}, within: ", out);
        trace_put_id(out, w, rule->tier);
        if (rule->weight)
            fprintf(out, ", weight: %" PRIu32, rule->weight);
        putc('}', out);
        any = true;
    }
    if (any)
        putc(']', out);
}

void trace_put_affinities(FILE *out, const struct trace_workload *w,
                          const struct trace_group *g)
{
    put_affinity(out, w, g, TRACE_NEAR, "affinity");
    put_affinity(out, w, g, TRACE_APART, "anti_affinity");
}

/* The next affinity of the group from rule *at on; NULL. */
static const struct trace_rule *affinity_next(const struct trace_workload *w,
                                              const struct trace_group *g,
                                              uint32_t *at)
{
    while (*at < rules_of(g)) {
        const struct trace_rule *rule = &w->rule[g->first_rule + (*at)++];

        if (rule->kind != TRACE_SPREAD)
            return rule;
    }
    return NULL;
}

static bool same_affinities(const struct trace_workload *w,
                            const struct trace_group *a,
                            const struct trace_group *b)
{
    const struct trace_rule *x, *y;
    uint32_t i = 0, k = 0;

    do {
        x = affinity_next(w, a, &i);
        y = affinity_next(w, b, &k);
    } while (x && y && memcmp(x, y, sizeof(*x)) == 0);
    return !x && !y;
}

bool trace_has_own_affinities(const struct trace_workload *w,
                              const struct trace_job *j)
{
    const uint32_t first = j->first_group;

    for (uint32_t i = 1; i < j->group_count; i++) {
        if (!same_affinities(w, trace_group_at(w, first),
                             trace_group_at(w, first + i)))
            return true;
    }
    return false;
}
