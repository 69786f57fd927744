/* traces/workload/budgets.c - disruption budgets, see budgets.h. */
#include "traces/workload/budgets.h"

#include <assert.h>

#include "base/array.h"

void trace_workload_budget(struct trace_workload *w,
                           const struct trace_budget *budget)
{
    struct trace_budgets *all = w->budgets;

    assert(budget->label_count > 0
           && budget->label_count <= w->label_count - budget->first_label);
    all->budget = gs_array_grow(all->budget, &all->budget_cap,
                                all->budget_count + 1, sizeof(*all->budget));
    all->budget[all->budget_count++] = *budget;
}
