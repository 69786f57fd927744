/* import/kubernetes/pod/budget.h - PodDisruptionBudgets. */
#ifndef KUBE_BUDGET_H
#define KUBE_BUDGET_H

#include "import/kubernetes/object/condition.h"

struct kube_selectors;
struct trace_workload;

struct kube_budget {
    uint32_t name; /* "namespace/name" */
    uint32_t space;
    struct kube_conditions pods;
    bool is_least, is_part; /* minAvailable; "25%" */
    uint32_t amount;
    uint32_t label; /* of its jobs, once kube_budgets_select was called */
    uint32_t source;
    int line, column;
};

struct kube_budgets {
    struct kube_budget *at;
    uint32_t count, cap;
};

/* Number the selectors of all budgets, before any job is matched. */
void kube_budgets_select(struct kube *k, struct kube_selectors *s);

/* The budgets of the jobs in `w`. */
void kube_budgets_make(struct kube *k, struct trace_workload *w);

#endif /* KUBE_BUDGET_H */
