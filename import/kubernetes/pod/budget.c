/* import/kubernetes/pod/budget.c - kind PodDisruptionBudget. */
#include "import/kubernetes/pod/budget.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/pod/selector.h"
#include "import/source.h"
#include "traces/workload/budgets.h"
#include "traces/workload/workload.h"

/* --- reading -------------------------------------------------------------- */

/* "3" or "25%"; false when it is neither. */
static bool amount_read(const char *text, struct kube_budget *b)
{
    unsigned long n;
    char *end;

    if (text[0] < '0' || text[0] > '9' || strlen(text) > 9)
        return false;
    n = strtoul(text, &end, 10);
    b->is_part = *end == '%';
    b->amount = (uint32_t)n;
    return end[b->is_part] == '\0' && (!b->is_part || n <= 100);
}

static int refuse(struct kube *k, const struct import_object *o,
                  const char *text)
{
    import_account_tell(k->account, IMPORT_LEFT, o->source, o->root, "%s",
                        text);
    return -1;
}

int kube_budget_read(struct kube *k, const struct import_object *o)
{
    const char *least = kube_text(o->root, "spec.minAvailable");
    const char *most = kube_text(o->root, "spec.maxUnavailable");
    const struct gs_ynode *selector = kube_at(o->root, "spec.selector");
    const char *policy = kube_text(o->root, "spec.unhealthyPodEvictionPolicy");
    struct kube_budgets *all = k->budgets;
    struct kube_budget b = { .name = kube_full_name(k, o->root),
                             .source = kube_put(k, o->source),
                             .line = o->root->line,
                             .column = o->root->column };

    if (!selector)
        return refuse(k, o, "budgets without a selector: of no pods");
    if ((!least && !most) || !amount_read(least ? least : most, &b))
        return refuse(k, o,
                      "budgets without a number or part of pods in "
                      "minAvailable or maxUnavailable");
    if (policy && strcmp(policy, "AlwaysAllow") == 0)
        import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                            "unhealthyPodEvictionPolicy: all pods that run are "
                            "healthy");
    b.is_least = least != NULL;
    b.space = kube_name(k, o->root, "metadata.namespace");
    b.space = b.space ? b.space : kube_put(k, "default");
    kube_conditions_add(k, &b.pods, kube_at(selector, "matchLabels"),
                        kube_at(selector, "matchExpressions"));
    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = b;
    return 0;
}

/* --- which jobs ----------------------------------------------------------- */

void kube_budgets_select(struct kube *k, struct kube_selectors *s)
{
    for (uint32_t i = 0; i < k->budgets->count; i++) {
        struct kube_budget *b = &k->budgets->at[i];
        const struct kube_template any = { .space = b->space };
        const struct kube_selection of = { .pods = b->pods };

        b->label = kube_selector_put(k, s, &any, &of);
    }
}

/* --- making --------------------------------------------------------------- */

void kube_budgets_make(struct kube *k, struct trace_workload *w)
{
    uint8_t *is_used = gs_array_new(gs_strtab_count(k->names), 1);

    for (uint32_t i = 0; i < w->label_count; i++)
        is_used[w->label[i]] = 1;
    for (uint32_t i = 0; i < k->budgets->count; i++) {
        const struct kube_budget *b = &k->budgets->at[i];
        struct trace_budget budget = {
            .name = b->name,
            .kind = b->is_least ? TRACE_MIN_AVAILABLE : TRACE_MAX_UNAVAILABLE,
            .amount = b->amount,
            .is_part = b->is_part,
            .label_count = 1,
        };
        const struct gs_ynode at = { .line = b->line, .column = b->column };

        if (is_used[b->label]) {
            budget.first_label = trace_workload_labels(w, &b->label, 1);
            trace_workload_budget(w, &budget);
        } else
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, b->source),
                                &at, "budgets that select no pod of a job");
    }
    gs_array_free(is_used);
}
