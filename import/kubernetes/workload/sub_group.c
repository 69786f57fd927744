/* import/kubernetes/workload/sub_group.c - see sub_group.h. */
#include "import/kubernetes/workload/sub_group.h"

#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/within.h"

#define SUB_GROUPS_MAX 256u /* each pod is compared with all of them */

static void ignored(struct kube *k, const struct gs_ynode *at, const char *text)
{
    if (at)
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at, "%s",
                            text);
}

static struct kube_sub_group *sub_add(struct kube *k, struct kube_pod_group *g,
                                      const struct gs_ynode *at)
{
    if (!g->sub)
        g->sub = gs_arena_alloc(k->arena, SUB_GROUPS_MAX, sizeof(*g->sub));
    if (g->subs < SUB_GROUPS_MAX)
        return &g->sub[g->subs++];
    ignored(k, at, "groups of a pod group beyond 256");
    return NULL;
}

static uint32_t sum_of(struct kube *k, const struct kube_pod_group *g)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < g->subs; i++)
        sum += g->sub[i].least;
    return kube_clip(k, sum);
}

/* {role: N}: where the sum is above minMember, Volcano does not look at them.
 */
static void roles_read(struct kube *k, struct kube_pod_group *g,
                       const struct gs_ynode *spec)
{
    for (const struct gs_ynode *n = kube_map(spec, "minTaskMember"); n;
         n = n->next) {
        struct kube_sub_group *s = sub_add(k, g, n);

        if (!s)
            return;
        s->name = kube_put(k, n->key->text);
        s->key = kube_put(k, "volcano.sh/task-spec");
        s->least = kube_count(k, n, "", 0);
    }
}

/* Does another sub-group name it as its parent? */
static bool is_parent(const struct gs_ynode *all, const char *name)
{
    for (; all; all = all->next) {
        const char *parent = kube_text(all, "parent");

        if (parent && strcmp(parent, name) == 0)
            return true;
    }
    return false;
}

/* The sub-group called `name`; NULL. */
static const struct gs_ynode *called(const struct gs_ynode *all,
                                     const char *name)
{
    for (; all && name; all = all->next) {
        const char *own = kube_text(all, "name");

        if (own && strcmp(own, name) == 0)
            return all;
    }
    return NULL;
}

/* What is said of where the sub-group's pods stand: the outermost group that
 * says it, of which all pods share a domain; what groups within it say is told.
 */
static struct kube_within kai_within(struct kube *k, const struct gs_ynode *all,
                                     const struct gs_ynode *leaf)
{
    const struct gs_ynode *at = leaf, *of = NULL;
    struct kube_within x = { 0 };

    for (uint32_t depth = 0; at && depth < SUB_GROUPS_MAX; depth++) {
        const struct kube_within own = kube_within_kai(
            k, kube_at(at, "topologyConstraint"));

        if (kube_within_says(&own)) {
            ignored(k, kube_at(of, "topologyConstraint"),
                    "topology of groups within groups that have one");
            of = at;
            x = own;
        }
        at = called(all, kube_text(at, "parent"));
    }
    x.group = of ? kube_name(k, of, "name") : 0;
    return x;
}

/* KAI: of a tree of sub-groups the leaves have pods. */
static void kai_read(struct kube *k, struct kube_pod_group *g,
                     const struct gs_ynode *spec)
{
    const struct gs_ynode *all = kube_list(spec, "subGroups");
    uint32_t n = 0;

    ignored(k, kube_at(spec, "minSubGroup"),
            "minSubGroup of pod groups: all of their groups start together");
    for (const struct gs_ynode *at = all; at; at = at->next) {
        const char *name = kube_text(at, "name");
        struct kube_sub_group *s;

        ignored(k, kube_at(at, "minSubGroup"),
                "minSubGroup of pod groups: all of their groups start "
                "together");
        if (n++ >= SUB_GROUPS_MAX || !name)
            continue;
        if (is_parent(all, name))
            continue;
        s = sub_add(k, g, at);
        if (!s)
            return;
        s->name = kube_put(k, name);
        s->key = kube_put(k, "kai.scheduler/subgroup-name");
        s->least = kube_count(k, at, "minMember", 1);
        s->within = kai_within(k, all, at);
    }
}

/* The group of groups of a PodGang that lists the one of that name, if it says
 * where these stand; NULL.
 */
static const struct gs_ynode *grove_above(struct kube *k,
                                          const struct gs_ynode *spec,
                                          const char *name)
{
    const struct gs_ynode *at = kube_list(spec,
                                          "topologyConstraintGroupConfigs");

    for (; at; at = at->next) {
        const struct kube_within x = kube_within_grove(
            k, kube_at(at, "topologyConstraint"));
        const struct gs_ynode *n = kube_list(at, "podGroupNames");

        while (n && (n->kind != GS_YSCALAR || strcmp(n->text, name) != 0))
            n = n->next;
        if (n && kube_within_says(&x))
            return at;
    }
    return NULL;
}

/* Grove: the pods of each clique are a group, and have its name as a label. */
static void grove_read(struct kube *k, struct kube_pod_group *g,
                       const struct gs_ynode *spec)
{
    const struct gs_ynode *at = kube_list(spec, "podgroups");

    for (; at; at = at->next) {
        const char *name = kube_text(at, "name");
        const struct gs_ynode *above, *of = at;
        struct kube_sub_group *s = name ? sub_add(k, g, at) : NULL;

        if (!s)
            continue;
        above = grove_above(k, spec, name);
        if (above) {
            ignored(k, kube_at(at, "topologyConstraint"),
                    "topology of groups within groups that have one");
            of = above;
        }
        s->name = kube_put(k, name);
        s->key = kube_put(k, "grove.io/podclique");
        s->least = kube_count(k, at, "minReplicas", 1);
        s->within = kube_within_grove(k, kube_at(of, "topologyConstraint"));
        if (kube_within_says(&s->within))
            s->within.group = kube_name(k, of, "name");
    }
}

/* Volcano: pods that a selector chooses, in groups of subGroupSize. */
static void policies_read(struct kube *k, struct kube_pod_group *g,
                          const struct gs_ynode *spec)
{
    const struct gs_ynode *at = kube_list(spec, "subGroupPolicy");

    for (; at; at = at->next) {
        const uint32_t each = kube_count(k, at, "subGroupSize", 1);
        struct kube_sub_group *s = sub_add(k, g, at);

        if (!s)
            return;
        s->name = kube_name(k, at, "name");
        s->least = kube_clip(k, (uint64_t)each
                                    * kube_count(k, at, "minSubGroups", 0));
        kube_conditions_add(k, &s->pods,
                            kube_at(at, "labelSelector.matchLabels"),
                            kube_at(at, "labelSelector.matchExpressions"));
        ignored(k, kube_at(at, "networkTopology"),
                "topology of groups within pod groups");
        if (each > 1)
            ignored(k, kube_at(at, "subGroupSize"),
                    "subGroupSize of pod groups: minSubGroups of that size "
                    "start together, other pods one by one");
    }
}

void kube_sub_groups_read(struct kube *k, struct kube_pod_group *g,
                          const struct gs_ynode *spec)
{
    uint32_t sum;

    roles_read(k, g, spec);
    if (g->subs && sum_of(k, g) > g->least) {
        g->subs = 0;
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            kube_at(spec, "minTaskMember"),
                            "minTaskMember of more pods than minMember does "
                            "not hold, as in Volcano");
    }
    kai_read(k, g, spec);
    grove_read(k, g, spec);
    policies_read(k, g, spec);
    sum = sum_of(k, g);
    g->least = g->least > sum ? g->least : sum;
}

uint32_t kube_sub_group_of(const struct kube *k, const struct kube_pod_group *g,
                           const struct kube_template *t, uint32_t member)
{
    for (uint32_t i = 0; g && i < g->subs; i++) {
        const struct kube_sub_group *s = &g->sub[i];

        if (s->key ? kube_label_value(&t->labels, s->key) == s->name
                         || kube_label_value(&t->annotations, s->key) == s->name
                         || (member && member == s->name)
                   : s->pods.count
                         && kube_conditions_hold(k, &s->pods, &t->labels))
            return i;
    }
    return UINT32_MAX;
}
