/* import/kubernetes/workload/within.c - where the pods of a workload stand
 * together, see within.h: from what is said of them to the trace.
 */
#include "import/kubernetes/workload/within.h"

#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/node/hyper_node.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/sub_group.h"
#include "traces/workload/slices.h"
#include "traces/workload/workload.h"

static void tell(struct kube *k, enum import_note note, uint32_t source,
                 const struct kube_within *x, const char *text)
{
    const struct gs_ynode at = { .line = x->line, .column = x->column };

    import_account_tell(k->account, note, kube_str(k, source), &at, "%s", text);
}

/* What the pod group of the pods says. */
static struct kube_within of_group(struct kube *k,
                                   const struct kube_template *t)
{
    const struct kube_pod_group *g = kube_pod_group_find(
        k, kube_pod_group_of(k, t));

    return g ? g->within : (struct kube_within){ 0 };
}

/* Does the name of `x` join two members that say the same of their domain, one
 * of which is a single pod?
 */
static bool joins_two(struct kube *k, const struct kube_workload *w,
                      const struct kube_within *x)
{
    uint32_t joined = 0, single = 0;

    for (uint32_t i = 0; i < w->members && x->group; i++) {
        const struct kube_within y = kube_within_of_member(k, &w->member[i]);
        const bool is_of = y.group == x->group && y.label == x->label
                           && y.prefers == x->prefers
                           && y.is_preferred == x->is_preferred;

        joined += is_of;
        single += is_of && w->member[i].replicas == 1;
    }
    return joined == 2 && single;
}

/* Does the pod group, or a group in it, ask for a topology? */
static bool group_asks(const struct kube_pod_group *g)
{
    bool asks = g && kube_within_says(&g->within);

    for (uint32_t i = 0; g && i < g->subs && !asks; i++)
        asks = kube_within_says(&g->sub[i].within);
    return asks;
}

bool kube_within_asks(struct kube *k, const struct kube_workload *w)
{
    bool asks = kube_within_says(&w->within)
                || group_asks(kube_pod_group_find(
                    k, kube_pod_group_of(k, w->member[0].pods)));

    for (uint32_t i = 0; i < w->members && !asks; i++) {
        const struct kube_within x = kube_within_of_member(k, &w->member[i]);

        asks = kube_within_says(&x);
    }
    return asks;
}

bool kube_within_are_own(struct kube *k, const struct kube_workload *w)
{
    const struct kube_within group = of_group(k, w->member[0].pods);
    bool are_own = false;

    if (w->members < 2 || kube_within_says(&w->within)
        || kube_within_says(&group))
        return false;
    for (uint32_t i = 0; i < w->members && !are_own; i++) {
        const struct kube_within m = kube_within_of_member(k, &w->member[i]);

        are_own = m.is_kueue && kube_within_says(&m);
    }
    return are_own;
}

/* What the members say, each for its own pods: one domain for all. */
static struct kube_within of_members(struct kube *k,
                                     const struct kube_workload *w)
{
    struct kube_within x = { 0 };
    uint32_t told = 0;

    if (kube_within_are_own(k, w))
        return x;
    for (uint32_t i = 0; i < w->members; i++) {
        const struct kube_within m = kube_within_of_member(k, &w->member[i]);

        if (w->member[i].is_inside)
            continue;
        told += kube_within_says(&m);
        if (kube_within_says(&m)
            && (!kube_within_says(&x) || (x.is_preferred && !m.is_preferred)))
            x = m;
    }
    if (told && w->members > 1)
        tell(k, IMPORT_ASSUMED, w->source, &x,
             "a topology of one kind of pods is one of all pods of their job");
    return x;
}

/* The tier of HyperNodes up to `level`, else the one so many steps from the
 * node; 0.
 */
static uint32_t tier_at(const struct kube *k, uint32_t level)
{
    const struct kube_tiers *t = k->tiers;
    const uint32_t hyper = kube_hyper_tier_of(k, level);

    if (hyper || kube_hyper_nodes_are(k))
        return hyper;
    return level > 0 && level <= t->count ? t->at[t->count - level].name : 0;
}

static uint32_t tier_of(const struct kube *k, const struct kube_within *x)
{
    uint32_t tier = x->label ? kube_tier_of(k, x->label) : tier_at(k, x->level);

    for (uint32_t i = 0; i < k->tiers->count && x->label && !tier; i++)
        tier = k->tiers->at[i].name == x->label ? x->label : 0;
    return tier;
}

/* Layers whose labels are tiers, each inside the one before. */
static void slices_make(struct kube *k, const struct kube_within *x,
                        uint32_t source, struct trace_workload *w,
                        struct trace_topology *to)
{
    struct trace_slices slices = { 0 };

    for (uint32_t i = 0; i < x->slices; i++) {
        const struct kube_within of = { .label = x->slice[i].label };
        const uint32_t tier = tier_of(k, &of), n = slices.layers;

        if (tier
            && (n == 0 || slices.layer[n - 1].size % x->slice[i].size == 0))
            slices.layer[slices.layers++] =
                (struct trace_slice){ .size = x->slice[i].size, .tier = tier };
        else
            tell(k, IMPORT_LEFT, source, x,
                 "slices of pods whose level is no tier of the nodes, or whose "
                 "size does not divide that of the layer before");
    }
    if (slices.layers)
        to->slices = trace_workload_slices(w, &slices);
}

/* The place of a tier from the outermost in; the number of tiers: none. */
static uint32_t tier_place(const struct kube *k, uint32_t tier)
{
    uint32_t i = 0;

    while (i < k->tiers->count && k->tiers->at[i].name != tier)
        i++;
    return i;
}

/* The tier that is preferred inside that of `to`. */
static void prefers_make(struct kube *k, const struct kube_within *x,
                         uint32_t source, struct trace_topology *to)
{
    const struct kube_within of = { .label = x->prefers };
    const uint32_t tier = x->prefers && to->within == TRACE_REQUIRED
                              ? tier_of(k, &of)
                              : 0;

    if (tier && tier_place(k, tier) > tier_place(k, to->tier))
        to->prefers = tier;
    else if (x->prefers && x->prefers != x->label)
        tell(k, IMPORT_LEFT, source, x,
             "a preferred level that is no tier inside the one that is "
             "required");
}

static void make(struct kube *k, const struct kube_within *x, uint32_t source,
                 struct trace_workload *w, struct trace_topology *to)
{
    if (x->label || x->level) {
        to->tier = tier_of(k, x);
        if (to->tier)
            to->within = x->is_preferred ? TRACE_PREFERRED : TRACE_REQUIRED;
        else
            tell(k, IMPORT_LEFT, source, x,
                 "a topology of jobs that is no tier of the nodes (--tier "
                 "makes it one)");
        prefers_make(k, x, source, to);
    } else if (x->is_unconstrained) {
        to->within = TRACE_UNCONSTRAINED;
    }
    slices_make(k, x, source, w, to);
}

static void job_set(struct trace_job *j, const struct trace_topology *of)
{
    j->aside->within_tier = of->tier;
    j->aside->within = (uint8_t)of->within;
    j->aside->slices = of->slices;
    j->aside->prefers = of->prefers;
}

/* Kinds of pods that are no whole number of slices have none. */
static void slices_check(struct kube *k, const struct kube_workload *w,
                         struct kube_within *x)
{
    const uint32_t size = x->slices ? x->slice[0].size : 1;

    for (uint32_t i = 0; i < w->members && x->slices; i++) {
        if (w->member[i].replicas >= size
            && (w->member[i].replicas % size || w->member[i].min % size)) {
            tell(k, IMPORT_LEFT, w->source, x,
                 "slices of which the pods are no whole number");
            x->slices = 0;
        }
    }
}

void kube_within_make(struct kube *k, const struct kube_workload *w,
                      struct trace_workload *trace, struct trace_job *j)
{
    struct kube_within x = w->within;
    struct trace_topology t = { 0 };

    if (!kube_within_says(&x))
        x = of_group(k, w->member[0].pods);
    if (!kube_within_says(&x))
        x = of_members(k, w);
    slices_check(k, w, &x);
    make(k, &x, w->source, trace, &t);
    job_set(j, &t);
}

/* The group of a member that stands inside what the workload says. */
static void place_inside(struct kube *k, const struct kube_workload *w,
                         const struct kube_member *m,
                         struct trace_workload *trace, struct trace_group *g)
{
    struct trace_topology t = { 0 };
    uint32_t joined = 0;

    for (uint32_t i = 0; i < w->members; i++)
        joined += w->member[i].is_inside
                  && w->member[i].within->group == m->within->group;
    make(k, m->within, w->source, trace, &t);
    t.together = t.tier && m->within->group && joined > 1 ? m->within->group
                                                          : 0;
    if (t.tier)
        g->topology = trace_workload_topology(trace, &t);
}

void kube_within_group(struct kube *k, const struct kube_workload *w,
                       uint32_t member, bool are_own,
                       struct trace_workload *trace, struct trace_group *g)
{
    const struct kube_member *m = &w->member[member];
    struct kube_within x = { 0 };
    struct trace_topology t = { 0 };

    if (m->is_inside) {
        place_inside(k, w, m, trace, g);
        return;
    }
    if (!are_own)
        return;
    x = kube_within_of_member(k, m);
    if (x.slices
        && (m->replicas % x.slice[0].size || m->min % x.slice[0].size)) {
        tell(k, IMPORT_LEFT, w->source, &x,
             "slices of which the pods are no whole number");
        x.slices = 0;
    }
    make(k, &x, w->source, trace, &t);
    if (t.tier && joins_two(k, w, &x))
        t.together = x.group;
    else if (x.group)
        tell(
            k, IMPORT_LEFT, w->source, &x,
            "a podSetGroupName that does not join two podSets with a topology, "
            "one of a single pod");
    if (t.within != TRACE_ANYWHERE || t.slices)
        g->topology = trace_workload_topology(trace, &t);
}

void kube_within_sub(struct kube *k, const struct kube_within *x, bool joins,
                     const struct kube_template *t,
                     struct trace_workload *trace, struct trace_group *g)
{
    struct trace_topology to = { 0 };

    make(k, x, t->source, trace, &to);
    to.together = to.tier && joins ? x->group : 0;
    if (to.tier)
        g->topology = trace_workload_topology(trace, &to);
}

void kube_within_pods(struct kube *k, const struct kube_template *t,
                      uint32_t pods, struct trace_workload *trace,
                      struct trace_job *j)
{
    struct kube_within x = of_group(k, t);
    struct trace_topology to = { 0 };

    if (!kube_within_says(&x))
        x = kube_within_annotated(k, t);
    if (x.slices && pods % x.slice[0].size)
        x.slices = 0;
    make(k, &x, t->source, trace, &to);
    job_set(j, &to);
}
