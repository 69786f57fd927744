/* import/kubernetes/conf/scheduler_conf.c - KubeSchedulerConfiguration as
 * profiles.
 *
 * Of each profile the plugins in force are worked out, point by point, as
 * kube-scheduler does: its default plugins, without those that multiPoint or
 * the point disables, with those that they enable.  Then scheduler_modules.c
 * makes modules of them.
 *
 * Source: kube-scheduler's config API v1alpha1 to v1, and its default plugins
 * (pkg/scheduler/apis/config).
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/scheduler_plugins.h"
#include "import/kubernetes/object/kube.h"

#define DEFAULT_NAME "default-scheduler"

/* --- plugins in force ----------------------------------------------------- */

static const char *const points[KUBE_POINTS] = {
    [KUBE_QUEUE_SORT] = "queueSort", [KUBE_FILTER] = "filter",
    [KUBE_SCORE] = "score",          [KUBE_POST_FILTER] = "postFilter",
    [KUBE_PERMIT] = "permit",
};

/* Lists of plugins that decide nothing here; before v1beta1 there were
 * others.
 */
static const char *const other_points[] = {
    "preEnqueue", "preFilter", "preScore", "reserve",
    "preBind",    "bind",      "postBind", "unreserve",
};

static void plugin_off(struct kube_plugins *p, size_t i, uint32_t mask)
{
    p->at[i].on &= ~mask;
}

static void disabled_take(struct kube_plugins *p, const struct gs_ynode *list,
                          uint32_t mask)
{
    for (; list; list = list->next) {
        const char *name = kube_text(list, "name");

        for (size_t i = 0; name && i < kube_plugin_count; i++) {
            if (strcmp(name, "*") == 0
                || strcmp(name, kube_plugin_rows[i].name) == 0)
                plugin_off(p, i, mask);
        }
    }
}

/* A plugin that gsim does not know is told once, wherever it is enabled. */
static void enabled_take(struct kube *k, struct kube_plugins *p,
                         const struct gs_ynode *list, uint32_t mask)
{
    for (; list; list = list->next) {
        const char *name = kube_text(list, "name");
        const size_t i = name ? kube_plugin_find(name) : kube_plugin_count;
        struct kube_plugin *at;

        if (name && i == kube_plugin_count)
            kube_conf_ignore(k, list, "plugin '%.80s': gsim does not know it",
                             name);
        if (i == kube_plugin_count)
            continue;
        at = &p->at[i];
        at->on |= kube_plugin_rows[i].points & mask;
        at->named = list;
        if (mask & 1u << KUBE_SCORE)
            at->weight = kube_conf_number(k, kube_at(list, "weight"), "weight",
                                          1, 0, 1000000);
        if (at->weight == 0)
            at->weight = 1; /* kube-scheduler's way to say none */
    }
}

/* `plugins` of a profile; multiPoint first, as points are more special. */
static void plugins_take(struct kube *k, struct kube_plugins *p,
                         const struct gs_ynode *plugins)
{
    const struct gs_ynode *multi = kube_at(plugins, "multiPoint");
    const uint32_t all = (1u << KUBE_POINTS) - 1;

    disabled_take(p, kube_list(multi, "disabled"), all);
    enabled_take(k, p, kube_list(multi, "enabled"), all);
    for (int i = 0; i < KUBE_POINTS; i++) {
        const struct gs_ynode *at = kube_at(plugins, points[i]);

        disabled_take(p, kube_list(at, "disabled"), 1u << i);
        enabled_take(k, p, kube_list(at, "enabled"), 1u << i);
    }
    for (size_t i = 0; i < sizeof(other_points) / sizeof(other_points[0]); i++)
        enabled_take(
            k, p, kube_list(kube_at(plugins, other_points[i]), "enabled"), 0);
}

/* A plugin that gsim does not know is told where it is enabled. */
static void args_take(struct kube_plugins *p, const struct gs_ynode *list)
{
    for (; list; list = list->next) {
        const char *name = kube_text(list, "name");
        const size_t i = name ? kube_plugin_find(name) : kube_plugin_count;

        if (i < kube_plugin_count)
            p->at[i].args = kube_at(list, "args");
    }
}

/* --- what stands outside of profiles -------------------------------------- */

/* The nodes that are searched for a pod: the profile's word holds before that
 * of all; without a score the first node that fits will do.
 */
static void sample_take(struct kube *k, struct kube_conf *c,
                        const struct gs_ynode *root,
                        const struct gs_ynode *profile,
                        const struct kube_plugins *p)
{
    static const char key[] = "percentageOfNodesToScore";
    const struct gs_ynode *own = kube_at(profile, key);
    const struct gs_ynode *v = own ? own : kube_at(root, key);
    const int64_t percentage = kube_conf_number(k, v, key, 0, 0, 100);
    bool scores = false;

    for (size_t i = 0; i < kube_plugin_count; i++)
        scores |= (p->at[i].on & 1u << KUBE_SCORE) > 0;
    if (!scores)
        c->sample = "{percentage: 0, minimum: 1}";
    else if (percentage)
        c->sample = gs_arena_printf(k->arena, "{percentage: %d, minimum: 100}",
                                    (int)percentage);
    else
        c->sample = "{percentage: adaptive, minimum: 100}";
    if (v)
        kube_conf_becomes(k, v, "%s: sample", key);
}

/* The version of the API, "v1"; "" where none is stated. */
static const char *version_of(const struct gs_ynode *root)
{
    const char *version = kube_text(root, "apiVersion");

    return version && strchr(version, '/') ? strchr(version, '/') + 1 : "";
}

/* The API's age: earlier ones have other defaults. */
static enum kube_scheduler_age age_of(const struct gs_ynode *root)
{
    const char *version = version_of(root);

    if (!strcmp(version, "v1beta2"))
        return KUBE_V1BETA2;
    return !strncmp(version, "v1alpha", 7) || !strcmp(version, "v1beta1")
               ? KUBE_V1BETA1
               : KUBE_V1;
}

/* The pauses of its backoff queue.  Since 1.33 a pod leaves that queue as soon
 * as no other is to be tried, so that the defaults decide nothing; the API of
 * the file tells only that it is 1.25 or later.
 */
static void retry_take(struct kube *k, struct kube_conf *c,
                       const struct gs_ynode *root)
{
    static const char *const keys[] = { "podInitialBackoffSeconds",
                                        "podMaxBackoffSeconds" };
    const bool is_old = strcmp(version_of(root), "v1") != 0;
    int64_t value[2] = { 1, 10 };
    struct kube_conf_use *u;
    bool is_stated = false;

    for (size_t i = 0; i < 2; i++) {
        const struct gs_ynode *v = kube_at(root, keys[i]);

        value[i] = kube_conf_number(k, v, keys[i], value[i], 1, 31536000);
        is_stated |= v != NULL;
        if (v)
            kube_conf_becomes(k, v, "%s: module retry", keys[i]);
    }
    if (!is_stated)
        import_account_tell(
            k->account, IMPORT_ASSUMED, k->source, root,
            is_old ? "podInitialBackoffSeconds 1, podMaxBackoffSeconds 10"
                   : "kube-scheduler 1.33 or later: no pauses between attempts "
                     "unless podInitialBackoffSeconds states them");
    if (!is_stated && !is_old)
        return;
    u = kube_conf_use(c, "retry", 0);
    kube_conf_param(k, u, "first", "%llds", (long long)value[0]);
    kube_conf_param(k, u, "most", "%llds", (long long)value[1]);
}

static void extenders_check(struct kube *k, const struct gs_ynode *root)
{
    for (const struct gs_ynode *e = kube_list(root, "extenders"); e;
         e = e->next)
        kube_conf_ignore(k, e, "an extender: what it answers is not known");
}

static void rest_check(struct kube *k, const struct gs_ynode *root)
{
    extenders_check(k, root);
    if (kube_conf_number(k, kube_at(root, "hardPodAffinitySymmetricWeight"),
                         "hardPodAffinitySymmetricWeight", 1, 0, 100)
        != 1)
        kube_conf_ignore(k, kube_at(root, "hardPodAffinitySymmetricWeight"),
                         "hardPodAffinitySymmetricWeight");
    if (kube_at(root, "algorithmSource.policy"))
        kube_conf_ignore(k, kube_at(root, "algorithmSource.policy"),
                         "algorithmSource.policy: import the policy itself");
}

/* --- all ------------------------------------------------------------------ */

static void profile_take(struct kube *k, const struct gs_ynode *root,
                         const struct gs_ynode *profile, const char *name,
                         uint32_t process)
{
    const char *provider = kube_text(root, "algorithmSource.provider");
    struct kube_conf *c = kube_conf_add(k, name);
    struct kube_plugins p;

    if (!c)
        return;
    c->process = process;
    kube_plugins_init(
        &p, age_of(root),
        provider && strcmp(provider, "ClusterAutoscalerProvider") == 0);
    if (kube_flag(root, "disablePreemption", false))
        plugin_off(&p, kube_plugin_find("DefaultPreemption"), UINT32_MAX);
    plugins_take(k, &p, kube_at(profile, "plugins"));
    args_take(&p, kube_list(profile, "pluginConfig"));
    sample_take(k, c, root, profile, &p);
    retry_take(k, c, root);
    kube_plugins_use(k, c, &p);
}

int kube_scheduler_conf_take(struct kube *k, const struct gs_ynode *root)
{
    const struct gs_ynode *list = kube_list(root, "profiles");
    const char *name = kube_text(root, "schedulerName");
    const uint32_t process = list && list->next ? ++k->confs->processes : 0;

    rest_check(k, root);
    if (!list) /* before v1alpha2 the file itself is the profile */
        profile_take(k, root, root, name ? name : DEFAULT_NAME, 0);
    for (; list; list = list->next) {
        name = kube_text(list, "schedulerName");
        profile_take(k, root, list, name ? name : DEFAULT_NAME, process);
    }
    return 0;
}

/* --- the old policy ------------------------------------------------------- */

bool kube_policy_is(const struct gs_ynode *root)
{
    return kube_list(root, "priorities") || kube_list(root, "predicates")
           || kube_list(root, "extenders");
}

/* Names of priorities in a Policy, and the plugins that took their places. */
static const struct {
    const char *priority, *plugin;
} priorities[] = {
    { "LeastRequestedPriority", "NodeResourcesLeastAllocated" },
    { "MostRequestedPriority", "NodeResourcesMostAllocated" },
    { "BalancedResourceAllocation", "NodeResourcesBalancedAllocation" },
    { "RequestedToCapacityRatioPriority", "RequestedToCapacityRatio" },
    { "NodeAffinityPriority", "NodeAffinity" },
    { "TaintTolerationPriority", "TaintToleration" },
    { "InterPodAffinityPriority", "InterPodAffinity" },
    { "EvenPodsSpreadPriority", "PodTopologySpread" },
    { "ImageLocalityPriority", "ImageLocality" },
};

static void priority_take(struct kube *k, struct kube_plugins *p,
                          const struct gs_ynode *at)
{
    const char *name = kube_text(at, "name");

    for (size_t i = 0; name && i < sizeof(priorities) / sizeof(priorities[0]);
         i++) {
        const size_t n = kube_plugin_find(priorities[i].plugin);

        if (strcmp(priorities[i].priority, name) != 0)
            continue;
        p->at[n].on |= 1u << KUBE_SCORE;
        p->at[n].named = at;
        p->at[n].weight = kube_conf_number(k, kube_at(at, "weight"), "weight",
                                           1, 1, 1000000);
        p->at[n].args = kube_at(at,
                                "argument.requestedToCapacityRatioArguments");
        return;
    }
    if (name)
        kube_conf_ignore(k, at, "priority '%.80s': gsim does not know it",
                         name);
}

int kube_policy_take(struct kube *k, const struct gs_ynode *root)
{
    const struct gs_ynode *list = kube_at(root, "priorities");
    struct kube_conf *c = kube_conf_add(k, DEFAULT_NAME);
    struct kube_plugins p;

    if (!c)
        return -1;
    rest_check(k, root);
    kube_plugins_init(&p, KUBE_V1BETA1, false);
    for (size_t i = 0; list && i < kube_plugin_count; i++)
        plugin_off(&p, i, 1u << KUBE_SCORE);
    for (const struct gs_ynode *v = kube_list(root, "priorities"); v;
         v = v->next)
        priority_take(k, &p, v);
    if (kube_at(root, "predicates"))
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            kube_at(root, "predicates"),
                            "all predicates hold, whichever the policy lists");
    sample_take(k, c, root, root, &p);
    retry_take(k, c, root);
    kube_plugins_use(k, c, &p);
    return 0;
}
