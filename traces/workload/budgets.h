/* traces/workload/budgets.h - disruption budgets. */
#ifndef TRACES_WORKLOAD_BUDGETS_H
#define TRACES_WORKLOAD_BUDGETS_H

#include <stdbool.h>
#include <stdint.h>

#include "traces/workload/workload.h"

#pragma GCC visibility push(default)

/* A disruption budget: how many of the tasks with all of its labels should run
 * on when others are evicted.
 */
enum trace_budget_kind { TRACE_MIN_AVAILABLE, TRACE_MAX_UNAVAILABLE };

struct trace_budget {
    uint32_t name;                     /* string id */
    uint32_t first_label, label_count; /* into label[]; at least 1 */
    enum trace_budget_kind kind;
    uint32_t amount; /* tasks, or with is_part hundredths of those of jobs
                        that are not over, rounded up */
    bool is_part;
    uint32_t line; /* as of a queue */
};

/* All of a workload. */
struct trace_budgets {
    struct trace_budget *budget;
    uint32_t budget_count, budget_cap;
};

/* Append a budget, whose labels are appended already. */
void trace_workload_budget(struct trace_workload *w,
                           const struct trace_budget *budget);

#pragma GCC visibility pop

#endif /* TRACES_WORKLOAD_BUDGETS_H */
