/* reports/gate/gate_rules.h - rules on metrics:
 *
 *     frag.capacity_share: {max_rise: 2%}       # of the baseline
 *     gpu.allocated: {max_fall: 1pt}            # points of a share
 *     wait.p95: {max: 30m, max_rise: 2m}
 *     'wait.mean[queue=research]': {max_rise: 10%}
 *     'node.hours_paid[type=spot]': {max: 500}
 *     deadlock.episodes: {max: 0}
 *     jobs.done: {equal: baseline}
 */
#ifndef REPORTS_GATE_GATE_RULES_H
#define REPORTS_GATE_GATE_RULES_H

#include <stdbool.h>
#include <stdint.h>

struct gs_arena;
struct gs_err;
struct gs_ynode;
struct report_figure;
struct report_metric_info;

enum report_rule_kind {
    REPORT_RULE_MAX,
    REPORT_RULE_MIN,
    REPORT_RULE_MAX_RISE,
    REPORT_RULE_MAX_FALL,
    REPORT_RULE_EQUAL,
    REPORT_RULE_KINDS
};

struct report_rule {
    const char *key; /* as in figures.h */
    const struct report_metric_info *info;
    enum report_rule_kind kind;
    bool needs_baseline;
    bool is_relative; /* `amount` is a fraction of the value in the baseline */
    double amount;
    double tolerance; /* of equal: allowed deviation as a fraction of the
                         value */
    const char *text; /* "max_rise: 2%" */
    int line, column; /* 0: not from a file */
};

struct report_rules {
    const char *source; /* file */
    struct report_rule *rule;
    uint32_t count;
    const char *unread; /* keys of a rangespec that are no rules; NULL */
};

/* Is it a rangespec of Kueue's scalability tests?  Its rules. */
bool report_range_is(const struct gs_ynode *root);
int report_range_read(const char *source, const struct gs_ynode *root,
                      struct gs_arena *arena, struct report_rules *out,
                      struct gs_err *err);

/* Read the rules of a file, or a rangespec; at least one is required.  In
 * `arena`.
 */
int report_rules_read(const char *path, struct gs_arena *arena,
                      struct report_rules *out, struct gs_err *err);

/* Read the rules of a mapping; `source` is for messages. */
int report_rules_parse(const char *source, const struct gs_ynode *map,
                       struct gs_arena *arena, struct report_rules *out,
                       struct gs_err *err);

/* Make a rule for each of the `count` figures: it must equal the baseline, or
 * deviate by at most the fraction `tolerance`.  `source` is for messages.
 */
void report_rules_equal(const char *source, const struct report_figure *figure,
                        uint32_t count, double tolerance,
                        struct gs_arena *arena, struct report_rules *out);

/* Parse a target, "wait.p95<=10m" or "gpu.allocated>=80%", as a rule of the
 * kind max or min; GS_USAGE when it is not a target.
 */
int report_target_parse(const char *text, struct gs_arena *arena,
                        struct report_rule *out, struct gs_err *err);

#endif /* REPORTS_GATE_GATE_RULES_H */
