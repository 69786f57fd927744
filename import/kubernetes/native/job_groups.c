/* import/kubernetes/native/job_groups.c - the groups of a job, with their rules
 * and labels.
 */
#include "base/array.h"
#include "import/kubernetes/native/class_terms.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/native/maker.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/pod/selector.h"
#include "import/kubernetes/queue/node_group.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/sub_group.h"
#include "import/kubernetes/workload/within.h"
#include "topology/resources.h"
#include "traces/workload/workload.h"

static uint32_t tier_of(const struct kube_maker *m,
                        const struct kube_template *t, uint32_t topology_key)
{
    const uint32_t tier = kube_tier_of(m->k, topology_key);

    if (!tier)
        kube_maker_tell_pods(
            m, IMPORT_LEFT, t,
            "affinity or spread over a label that is no tier (--tier "
            "makes it one)");
    return tier;
}

static void rules_make(const struct kube_maker *m,
                       const struct kube_template *t, struct trace_group *g)
{
    struct trace_rule rule[TRACE_RULES_MAX + TRACE_SPREADS_MAX];
    const uint32_t host = kube_put(m->k, "kubernetes.io/hostname");
    uint32_t count = 0, spreads = 0;

    if (t->nears + t->ports > TRACE_RULES_MAX || t->spreads > TRACE_SPREADS_MAX)
        kube_maker_tell_pods(
            m, IMPORT_LEFT, t,
            "terms of affinity beyond 32, or of spread beyond 8");
    for (uint32_t i = 0; i < t->nears && count < TRACE_RULES_MAX; i++) {
        const uint32_t tier = tier_of(m, t, t->near[i].topology_key);

        if (tier)
            rule[count++] = (struct trace_rule){
                .kind = t->near[i].is_anti ? TRACE_APART : TRACE_NEAR,
                .label = kube_selector_put(m->k, m->selectors, t,
                                           &t->near[i].of),
                .tier = tier,
                .weight = t->near[i].weight,
            };
    }
    for (uint32_t i = 0; i < t->ports && count < TRACE_RULES_MAX; i++)
        rule[count++] = (struct trace_rule){
            .kind = TRACE_APART,
            .label = t->port[i],
            .tier = kube_tier_of(m->k, host),
        };
    for (uint32_t i = 0; i < t->spreads && spreads < TRACE_SPREADS_MAX; i++) {
        const uint32_t key = t->spread[i].topology_key;
        const uint32_t tier = t->spread[i].is_default ? kube_tier_of(m->k, key)
                                                      : tier_of(m, t, key);
        const uint32_t min = t->spread[i].min_domains;

        spreads += tier != 0;
        if (tier)
            rule[count++] = (struct trace_rule){
                .kind = TRACE_SPREAD,
                .label = t->spread[i].is_own
                             ? 0
                             : kube_selector_label(m->k, m->selectors, t,
                                                   &t->spread[i].of),
                .tier = tier,
                .max_skew = t->spread[i].max_skew,
                .min_domains = min > 1 ? min : 0,
                .counts = t->spread[i].counts,
                .weight = t->spread[i].weight,
            };
    }
    trace_group_rules(m->w, g, rule, count);
}

/* The selectors that select its pods are labels of the group. */
static void labels_make(const struct kube_maker *m,
                        const struct kube_template *t, struct trace_group *g)
{
    uint32_t label[TRACE_LABELS_MAX];

    for (uint32_t i = 0; i < t->ports && i < TRACE_LABELS_MAX; i++)
        label[g->label_count++] = t->port[i];
    if (!kube_selectors_match(m->k, m->selectors, t, label, &g->label_count,
                              TRACE_LABELS_MAX))
        kube_maker_tell_pods(
            m, IMPORT_LEFT, t,
            "pods that more than 32 selectors of affinity or budgets "
            "select");
    g->first_label = trace_workload_labels(m->w, label, g->label_count);
}

void kube_maker_share_labels(const struct kube_maker *m, struct trace_job *j,
                             uint32_t groups)
{
    for (uint32_t i = 1; i < groups; i++) {
        if (!trace_group_same_labels(m->w, &m->group[0], &m->group[i]))
            return;
    }
    j->aside->first_label = m->group[0].first_label;
    j->aside->label_count = m->group[0].label_count;
    for (uint32_t i = 0; i < groups; i++)
        m->group[i].label_count = 0;
}

void kube_maker_share_fixed(const struct kube_maker *m, struct trace_job *j,
                            enum kube_yield stated, uint32_t groups)
{
    bool all = true;

    for (uint32_t i = 0; i < groups; i++) {
        m->group[i].fixed &= stated == KUBE_YIELD_UNSTATED;
        all &= m->group[i].fixed;
    }
    j->fixed |= all;
    for (uint32_t i = 0; i < groups && j->fixed; i++)
        m->group[i].fixed = false;
}

void kube_maker_share_class(const struct kube_maker *m,
                            const struct trace_job *j, uint32_t groups)
{
    for (uint32_t i = 0; i < groups; i++) {
        if (m->group[i].klass == j->klass + 1)
            m->group[i].klass = 0;
    }
}

void kube_maker_limit_min(const struct kube_maker *m, uint32_t groups,
                          uint32_t gang)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < groups; i++)
        sum += m->group[i].min;
    for (uint32_t i = 0; i < groups && sum > gang; i++)
        m->group[i].min = 0;
}

void kube_maker_begin_subs(struct kube_maker *m, const struct kube_pod_group *g)
{
    const uint32_t subs = g ? g->subs : 0;

    m->sub_left = gs_array_grow(m->sub_left, &m->sub_cap, subs + 1,
                                sizeof(*m->sub_left));
    for (uint32_t i = 0; i < subs; i++)
        m->sub_left[i] = g->sub[i].least;
}

uint32_t kube_maker_take_sub(struct kube_maker *m,
                             const struct kube_pod_group *g,
                             const struct kube_template *t, uint32_t count,
                             uint32_t least, uint32_t *name)
{
    const uint32_t i = kube_sub_group_of(m->k, g, t, *name);

    m->sub_taken = i == UINT32_MAX ? 0 : i + 1;
    if (i == UINT32_MAX)
        return least;
    *name = *name ? *name : g->sub[i].name;
    least = count < m->sub_left[i] ? count : m->sub_left[i];
    m->sub_left[i] -= least;
    return least;
}

uint32_t kube_maker_add_group(struct kube_maker *m, uint32_t *count,
                              uint32_t name, uint32_t replicas, uint32_t min,
                              const struct kube_template *t)
{
    struct trace_group g = { .name = name };
    struct topo_request r;

    if (t->is_gated)
        kube_maker_tell_pods(m, IMPORT_IGNORED, t,
                             "scheduling gates: taken as lifted");
    kube_request_make(m->k, t, &r);
    g.shape = trace_workload_shape(m->w, &r);
    rules_make(m, t, &g);
    labels_make(m, t, &g);
    g.fixed = kube_pods_yield(m->k, t) == KUBE_FIXED;
    if (!kube_is_kai(kube_str(m->k, t->scheduler)) /* it knows jobs only */
        && (t->priority_class || t->priority != KUBE_UNKNOWN))
        g.klass = kube_class_of(m->k, m->w, 0, t) + 1;
    for (uint32_t i = 0; i < *count; i++) {
        struct trace_group *same = &m->group[i];

        if (same->shape == g.shape && same->name == g.name
            && same->fixed == g.fixed && same->klass == g.klass
            && trace_group_same_rules(m->w, same, &g)
            && trace_group_same_labels(m->w, same, &g)) {
            same->replicas += replicas;
            same->min += min;
            return i;
        }
    }
    g.replicas = replicas;
    g.min = min;
    m->group = gs_array_grow(m->group, &m->group_cap, *count + 1,
                             sizeof(*m->group));
    m->sub_of = gs_array_grow(m->sub_of, &m->sub_of_cap, *count + 1,
                              sizeof(*m->sub_of));
    m->group[*count] = g;
    m->sub_of[*count] = m->sub_taken;
    return (*count)++;
}

/* Beside groups with a domain of their own those without one have that of the
 * job: one of them, or two of which one is a single pod.
 */
static bool others_share(const struct kube_maker *m,
                         const struct kube_pod_group *g, uint32_t groups)
{
    uint32_t others = 0, single = 0;

    for (uint32_t i = 0; i < groups; i++) {
        const uint32_t sub = m->sub_of[i];

        if (sub && kube_within_says(&g->sub[sub - 1].within))
            continue;
        others++;
        single += m->group[i].replicas == 1;
    }
    return others < 2 || (others == 2 && single)
           || !kube_within_says(&g->within);
}

/* Does no other kind of pods share the domain of its sub-groups? */
static bool is_alone(const struct kube_maker *m, const struct kube_pod_group *g,
                     uint32_t name, uint32_t groups)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < groups; i++)
        same += m->sub_of[i] && g->sub[m->sub_of[i] - 1].within.group == name;
    return same == 1;
}

void kube_maker_place_subs(const struct kube_maker *m,
                           const struct kube_pod_group *g, uint32_t groups,
                           const struct kube_template *t)
{
    const bool share = !g || others_share(m, g, groups);

    for (uint32_t i = 0; g && i < groups; i++) {
        const struct kube_sub_group *sub = m->sub_of[i]
                                               ? &g->sub[m->sub_of[i] - 1]
                                               : NULL;

        if (!sub || !kube_within_says(&sub->within))
            continue;
        if (share)
            kube_within_sub(m->k, &sub->within,
                            !is_alone(m, g, sub->within.group, groups), t, m->w,
                            &m->group[i]);
        else
            kube_maker_tell(m, IMPORT_LEFT, t->source, sub->within.line,
                            sub->within.column,
                            "topology of a group beside several groups that "
                            "have that of their pod group");
    }
}

void kube_maker_take_node_groups(struct kube_maker *m, uint32_t queue,
                                 const struct kube_template *t, uint32_t groups)
{
    for (uint32_t i = 0; i < groups; i++) {
        struct topo_request r = m->w->shape[m->group[i].shape];

        if (kube_node_groups_apply(m->k, queue, t->scheduler, &r))
            m->group[i].shape = trace_workload_shape(m->w, &r);
    }
}
