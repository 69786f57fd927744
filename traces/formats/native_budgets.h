/* traces/formats/native_budgets.h - disruption budgets in native YAML.  Private
 * to traces/.
 */
#ifndef TRACES_FORMATS_NATIVE_BUDGETS_H
#define TRACES_FORMATS_NATIVE_BUDGETS_H

#include <stdio.h>

#include "base/yamldoc.h"
#include "traces/workload/workload.h"

/* Read [{name: N, jobs: {key: value}, min_available: 2}, ...], with
 * max_unavailable or 25% instead, into c->user, the workload; NULL: none.
 */
int trace_read_budgets(const struct gs_yctx *c, const struct gs_ynode *list,
                       struct gs_err *err);

/* Write `budgets:`, unless there are none. */
void trace_put_budgets(FILE *out, const struct trace_workload *w);

#endif /* TRACES_FORMATS_NATIVE_BUDGETS_H */
