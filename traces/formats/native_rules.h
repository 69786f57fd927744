/* traces/formats/native_rules.h - labels, affinities and spreads of native
 * YAML. Private to traces/.  In all functions below c->user is the workload.
 */
#ifndef TRACES_FORMATS_NATIVE_RULES_H
#define TRACES_FORMATS_NATIVE_RULES_H

#include "base/yamldoc.h"
#include "traces/workload/workload.h"

/* Rules for all groups of a job, with room for the spreads of one group. */
struct trace_rules {
    uint32_t count;
    struct trace_rule rule[TRACE_RULES_MAX + TRACE_SPREADS_MAX];
};

/* Read the labels {key: value, ...} of a job; NULL: none. */
int trace_read_labels(const struct gs_yctx *c, const struct gs_ynode *map,
                      struct trace_job *job, struct gs_err *err);

/* Add [{jobs: {key: value}, within: tier, weight: N}, ...] to `rules`; NULL:
 * none.  Without a weight it is required.
 */
int trace_read_affinity(const struct gs_yctx *c, const struct gs_ynode *list,
                        enum trace_rule_kind kind, struct trace_rules *rules,
                        struct gs_err *err);

/* Read `required` or `preferred` as enum trace_within. */
int trace_yread_mode(const struct gs_yctx *c, const struct gs_ynode *v,
                     void *dest, struct gs_err *err);

/* Set the rules of `g`, which the file has at `at`: those of the job and its
 * own spread {over: tier, max_skew: N, mode: required}, or a list of them;
 * `spread` NULL: none.
 */
int trace_read_spread(const struct gs_yctx *c, const struct gs_ynode *spread,
                      const struct gs_ynode *at, struct trace_rules *rules,
                      struct trace_group *g, struct gs_err *err);

#endif /* TRACES_FORMATS_NATIVE_RULES_H */
