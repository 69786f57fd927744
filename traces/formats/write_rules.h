/* traces/formats/write_rules.h - labels, affinities and spreads in native YAML.
 * Private to traces/.  Each key is written behind ", "; one without a value is
 * left out.
 */
#ifndef TRACES_FORMATS_WRITE_RULES_H
#define TRACES_FORMATS_WRITE_RULES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "traces/workload/workload.h"

void trace_put_spreads(FILE *out, const struct trace_workload *w,
                       const struct trace_group *g);

/* "key=value" as `key: value`. */
void trace_put_label(FILE *out, const struct trace_workload *w, uint32_t label);

/* `count` labels of a job, then those of the group (NULL: none). */
void trace_put_labels(FILE *out, const struct trace_workload *w,
                      const uint32_t *label, uint32_t count,
                      const struct trace_group *g);

void trace_put_affinities(FILE *out, const struct trace_workload *w,
                          const struct trace_group *g);

/* True when groups of the job differ in their affinities: each then has its
 * own.
 */
bool trace_has_own_affinities(const struct trace_workload *w,
                              const struct trace_job *j);

#endif /* TRACES_FORMATS_WRITE_RULES_H */
