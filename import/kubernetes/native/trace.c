/* import/kubernetes/native/trace.c - workloads and pods as jobs. */
#include "import/kubernetes/native/trace.h"

#include "base/array.h"
#include "base/strtab.h"
#include "import/kubernetes/native/class_terms.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/native/maker.h"
#include "import/kubernetes/native/quota_terms.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/budget.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/pod/selector.h"
#include "import/kubernetes/queue/node_group.h"
#include "import/kubernetes/workload/pod.h"
#include "traces/workload/workload.h"

/* Number the selectors of pods `t`. */
static void selectors_put(const struct kube_maker *m,
                          const struct kube_template *t)
{
    for (uint32_t i = 0; i < t->nears; i++) {
        if (kube_tier_of(m->k, t->near[i].topology_key))
            (void)kube_selector_put(m->k, m->selectors, t, &t->near[i].of);
    }
    for (uint32_t i = 0; i < t->spreads; i++) {
        if (!t->spread[i].is_own)
            kube_selector_add(m->selectors, t, &t->spread[i].of);
    }
}

static void spreads_label(const struct kube_maker *m,
                          const struct kube_template *t)
{
    for (uint32_t i = 0; i < t->spreads; i++) {
        if (!t->spread[i].is_own)
            (void)kube_selector_label(m->k, m->selectors, t, &t->spread[i].of);
    }
}

static void templates_each(const struct kube_maker *m,
                           void (*call)(const struct kube_maker *m,
                                        const struct kube_template *t))
{
    const struct kube *k = m->k;

    for (uint32_t i = 0; i < k->workloads->count; i++) {
        for (uint32_t x = 0; x < k->workloads->at[i].members; x++)
            call(m, k->workloads->at[i].member[x].pods);
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        if (!k->pods->at[i].is_daemon)
            call(m, k->pods->at[i].pods);
    }
}

/* Which selectors of spreads select pods of several groups of tasks?  A
 * workload of which there are several jobs has several groups of each template.
 */
static void groups_note(const struct kube_maker *m)
{
    struct kube *k = m->k;
    uint32_t group = 0;

    for (uint32_t i = 0; i < k->workloads->count; i++) {
        const struct kube_workload *w = &k->workloads->at[i];
        const bool is_one = w->copies == 1 && !w->schedule;

        for (uint32_t x = 0; x < w->members && !w->is_part; x++) {
            kube_selectors_note(k, m->selectors, w->member[x].pods, ++group);
            if (!is_one)
                kube_selectors_note(k, m->selectors, w->member[x].pods,
                                    ++group);
        }
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];

        if (!p->workload && !p->is_daemon && !p->is_left)
            kube_selectors_note(
                k, m->selectors, p->pods,
                UINT32_MAX - (kube_pod_key(p) ? kube_pod_key(p) : p->name));
    }
}

/* Give labels to the selectors of all pods before any job is matched against
 * them.
 */
static void selectors_make(const struct kube_maker *m)
{
    templates_each(m, selectors_put);
    kube_budgets_select(m->k, m->selectors);
    if (kube_selectors_has_added(m->selectors)) {
        groups_note(m);
        templates_each(m, spreads_label);
    }
}

int kube_trace_make(struct kube *k, const struct kube_trace_options *o,
                    struct trace_workload *w, int64_t *epoch,
                    struct gs_err *err)
{
    struct kube_maker m = { .k = k,
                            .options = o,
                            .w = w,
                            .selectors = kube_selectors_create(),
                            .taken = gs_strtab_create(),
                            .epoch = kube_epoch(k) };

    (void)err;
    kube_standing_open(&m.standing, k, o->history, o->at, m.epoch);
    kube_terms_make(k, w);
    kube_quotas_make(k, w);
    kube_classes_make(k, w);
    kube_node_groups_tell(k);
    selectors_make(&m);
    kube_maker_add_workloads(&m);
    kube_maker_add_pods(&m);
    kube_after_finish(&m.after, k, w);
    kube_budgets_make(k, w);
    trace_workload_finish(w, 0);
    kube_standing_shift(&m.standing, k, w);
    *epoch = m.epoch + m.standing.shift;
    kube_standing_close(&m.standing);
    kube_selectors_destroy(m.selectors);
    gs_strtab_destroy(m.taken);
    gs_array_free(m.numbers.at);
    gs_array_free(m.group);
    gs_array_free(m.group_of);
    gs_array_free(m.sub_left);
    gs_array_free(m.sub_of);
    return 0;
}
