/* traces/formats/native_rules.h - labels, affinities and spreads of native
 * YAML. Private to traces/.  In all functions below c->user is the workload.
 */
#ifndef TRACES_FORMATS_NATIVE_RULES_H
#define TRACES_FORMATS_NATIVE_RULES_H

#include "base/yamldoc.h"
#include "traces/formats/native_task.h"
#include "traces/workload/workload.h"

/* Rules of a job for all its groups, or of one of them, with room for its
 * spreads.
 */
struct trace_rules {
    uint32_t count;
    struct trace_rule rule[TRACE_RULES_MAX + TRACE_SPREADS_MAX];
};

/* What a job states for all its tasks. */
struct trace_job_rules {
    struct trace_rules rules;
    const struct gs_ynode *labels; /* NULL: none */
};

/* Append the labels {key: value, ...} to the workload's; NULL: none, *first and
 * *count stay.  Keys of the mapping `others` (may be NULL) are refused.
 */
int trace_read_labels(const struct gs_yctx *c, const struct gs_ynode *map,
                      const struct gs_ynode *others, uint32_t *first,
                      uint32_t *count, struct gs_err *err);

/* Add [{jobs: {key: value}, within: tier, weight: N}, ...] to `rules`; NULL:
 * none.  Without a weight it is required.
 */
int trace_read_affinity(const struct gs_yctx *c, const struct gs_ynode *list,
                        enum trace_rule_kind kind, struct trace_rules *rules,
                        struct gs_err *err);

/* Read `required` or `preferred` as enum trace_within. */
int trace_yread_mode(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err);

/* Set the rules and the labels of `g`, which the file has at `at` as `t`: those
 * of its job, and its own.
 */
int trace_read_group_rules(const struct gs_yctx *c, const struct trace_task *t,
                           const struct trace_job_rules *of,
                           const struct gs_ynode *at, struct trace_group *g,
                           struct gs_err *err);

#endif /* TRACES_FORMATS_NATIVE_RULES_H */
