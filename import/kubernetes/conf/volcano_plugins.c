/* import/kubernetes/conf/volcano_plugins.c - Volcano's plugins as modules.
 *
 * Source: the plugins' own argument names (pkg/scheduler/plugins).
 */
#include "import/kubernetes/conf/volcano_plugins.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/object/kube.h"

/* --- arguments ------------------------------------------------------------ */

const struct gs_ynode *volcano_argument(const struct volcano_plugin *p,
                                        const char *key)
{
    return kube_key(kube_at(p->at, "arguments"), key);
}

int64_t volcano_weight(const struct volcano_plugin *p, const char *key,
                       int64_t fallback)
{
    return kube_conf_number(p->k, volcano_argument(p, key), key, fallback, 0,
                            1000);
}

int64_t volcano_resource_weight(const struct volcano_plugin *p, const char *key)
{
    const struct gs_ynode *v = volcano_argument(p, key);
    const bool is_below = v && v->kind == GS_YSCALAR && v->text[0] == '-';

    if (is_below)
        import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, v,
                            "'%.120s' below 0 is taken as 1", key);
    return is_below ? 1 : volcano_weight(p, key, 1);
}

bool volcano_is_on(const struct gs_ynode *plugin, const char *what,
                   bool fallback, const struct gs_ynode **at)
{
    static const char *const begin[] = { "enable", "enabled", "disable",
                                         "disabled" };

    *at = NULL;
    for (size_t i = 0; i < 4; i++) {
        char key[64];

        strcpy(key, begin[i]);
        strncat(key, what, sizeof(key) - 12);
        *at = kube_key(plugin, key);
        if (*at)
            return kube_flag(plugin, key, fallback) == (i < 2);
    }
    return fallback;
}

/* Is what argument `key` switches on? */
static bool is_true(const struct volcano_plugin *p, const char *key,
                    bool fallback)
{
    const struct gs_ynode *v = volcano_argument(p, key);

    return !v || v->kind != GS_YSCALAR ? fallback
                                       : strcmp(v->text, "true") == 0;
}

void volcano_resources_put(const struct volcano_plugin *p,
                           struct kube_conf_use *u, const struct gs_ynode *list,
                           const char *prefix)
{
    const char *s = list && list->kind == GS_YSCALAR ? list->text : "";

    while (*s) {
        const size_t len = strcspn(s, ",");
        char name[256], key[320];
        size_t n = len < sizeof(name) - 1 ? len : sizeof(name) - 1;

        memcpy(name, s, n);
        name[n] = '\0';
        while (n > 0 && isspace((unsigned char)name[n - 1]))
            name[--n] = '\0';
        if (name[strspn(name, " \t\r\n")]) {
            const char *resource = name + strspn(name, " \t\r\n");

            strcpy(key, prefix);
            strncat(key, resource, sizeof(key) - strlen(prefix) - 1);
            kube_conf_weight(p->k, u, "resources", resource,
                             volcano_resource_weight(p, key), list);
        }
        s += len + (s[len] == ',');
    }
}

/* --- plugins -------------------------------------------------------------- */

struct kube_conf_use *volcano_use(const struct volcano_plugin *p,
                                  const char *module)
{
    return kube_conf_use(p->conf, module, p->tier);
}

static void priority_add(const struct volcano_plugin *p)
{
    volcano_use(p, "priority");
}

static void gang_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *at;
    struct kube_conf_use *u = volcano_use(p, "gang");

    if (u)
        kube_conf_param(p->k, u, "victims", "surplus");
    if (!volcano_is_on(p->at, "JobReady", true, &at))
        p->conf->by_pod = true;
    else
        p->conf->by_pod = false;
}

static void drf_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *at;
    const bool is_tree = volcano_is_on(p->at, "Hierarchy", false, &at);
    struct kube_conf_use *u = volcano_use(p, "drf");

    if (!u)
        return;
    kube_conf_param(p->k, u, "queues", is_tree ? "yes" : "no");
    if (is_tree)
        import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, at,
                            "the hierarchy of plugin 'drf' is that of the "
                            "queues' parents and weights, not of their "
                            "annotations");
}

static void predicates_add(const struct volcano_plugin *p)
{
    static const char *const filters[] = {
        "predicate.NodeAffinityEnable", "predicate.TaintTolerationEnable",
        "predicate.NodePortsEnable",    "predicate.NodeVolumeLimitsEnable",
        "predicate.VolumeZoneEnable",   "predicate.VolumeBindingEnable",
    };
    const bool near = is_true(p, "predicate.PodAffinityEnable", true);
    const bool spread = is_true(p, "predicate.PodTopologySpreadEnable", true);

    volcano_use(p, "fit");
    for (size_t i = 0; i < 2; i++) {
        if (!is_true(p, filters[i], true))
            kube_conf_ignore(p->k, volcano_argument(p, filters[i]),
                             "'%s: false': module fit always heeds it",
                             filters[i]);
    }
    if (near || spread)
        volcano_use(p, "constraints");
    if (near != spread)
        kube_conf_ignore(
            p->k,
            volcano_argument(p, near ? "predicate.PodTopologySpreadEnable"
                                     : "predicate.PodAffinityEnable"),
            "one of affinity and spread is off: module "
            "constraints heeds both");
}

static void shares_add(const struct volcano_plugin *p, const char *mode,
                       const char *asks)
{
    struct kube_conf_use *u = volcano_use(p, "queue");

    if (!u)
        return;
    kube_conf_param(p->k, u, "mode", "%s", mode);
    kube_conf_param(p->k, u, "enqueue_asks", "%s", asks);
}

static void proportion_add(const struct volcano_plugin *p)
{
    shares_add(p, "proportion", "ancestors");
}

/* In a hierarchy Volcano asks its queue root too, which is the cluster. */
static void capacity_add(const struct volcano_plugin *p)
{
    const struct gs_ynode *at;
    const bool is_tree = volcano_is_on(p->at, "Hierarchy", false, &at);

    shares_add(p, "capacity", is_tree ? "cluster" : "ancestors");
    if (is_tree && kube_conf_find(p->conf, "queue"))
        kube_conf_param(p->k, kube_conf_find(p->conf, "queue"), "jobs_in",
                        "leaves");
    if (!is_tree)
        import_account_tell(p->k->account, IMPORT_ASSUMED, p->k->source, p->at,
                            "parents of queues count, though plugin "
                            "'capacity' has no enableHierarchy");
}

/* A weight of a score whose module may be here or not. */
static void score_add(const struct volcano_plugin *p, const char *module,
                      const char *key, int64_t fallback)
{
    const int64_t weight = volcano_weight(p, key, fallback);
    struct kube_conf_use *u = weight ? volcano_use(p, module) : NULL;

    if (u)
        kube_conf_param(p->k, u, "weight", "%lld", (long long)weight);
    else if (weight && volcano_argument(p, key))
        kube_conf_ignore(p->k, volcano_argument(p, key), "'%s'", key);
}

static void allocated_add(const struct volcano_plugin *p, const char *module,
                          const char *key, int64_t fallback)
{
    struct kube_conf_use *u;

    score_add(p, module, key, fallback);
    u = kube_conf_find(p->conf, module);
    if (!u)
        return;
    kube_conf_weight(p->k, u, "resources", "cpu", 1, NULL);
    kube_conf_weight(p->k, u, "resources", "memory", 1, NULL);
}

static void nodeorder_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u;

    allocated_add(p, "least-allocated", "leastrequested.weight", 1);
    allocated_add(p, "most-allocated", "mostrequested.weight", 0);
    score_add(p, "balanced", "balancedresource.weight", 1);
    u = kube_conf_find(p->conf, "balanced");
    if (u) {
        kube_conf_weight(p->k, u, "resources", "cpu", 1, NULL);
        kube_conf_weight(p->k, u, "resources", "memory", 1, NULL);
        kube_conf_weight(p->k, u, "resources", "nvidia.com/gpu", 1, NULL);
    }
    score_add(p, "node-affinity", "nodeaffinity.weight", 2);
    u = kube_conf_find(p->conf, "node-affinity");
    if (u) /* Volcano sums the weights as they are */
        kube_conf_param(p->k, u, "normalize", "no");
    score_add(p, "pod-affinity", "podaffinity.weight", 2);
    score_add(p, "taint-toleration", "tainttoleration.weight", 3);
    score_add(p, "topology-spread", "podtopologyspread.weight", 2);
    score_add(p, "image-locality", "imagelocality.weight", 1);
}

static void binpack_add(const struct volcano_plugin *p)
{
    const int64_t weight = volcano_weight(p, "binpack.weight", 1);
    struct kube_conf_use *u = weight ? volcano_use(p, "binpack") : NULL;

    if (!u)
        return;
    kube_conf_param(p->k, u, "weight", "%lld", (long long)weight);
    kube_conf_weight(p->k, u, "resources", "cpu",
                     volcano_resource_weight(p, "binpack.cpu"), NULL);
    kube_conf_weight(p->k, u, "resources", "memory",
                     volcano_resource_weight(p, "binpack.memory"), NULL);
    volcano_resources_put(p, u, volcano_argument(p, "binpack.resources"),
                          "binpack.resources.");
}

/* A number as a profile holds it: a scalar that is one. */
void volcano_factor_put(struct kube *k, struct kube_conf_use *u,
                        const struct gs_ynode *v)
{
    char *end = NULL;
    const double x = v && v->kind == GS_YSCALAR ? strtod(v->text, &end) : 0;

    if (!v || !u)
        return;
    if (!end || *end || end == v->text || !(x >= 0 && x <= 100))
        import_account_tell(k->account, IMPORT_LEFT, k->source, v,
                            "'overcommit-factor' that is no number from 0 to "
                            "100");
    else
        kube_conf_param(k, u, "factor", "%g", x);
}

static void overcommit_add(const struct volcano_plugin *p)
{
    volcano_factor_put(p->k, volcano_use(p, "overcommit"),
                       volcano_argument(p, "overcommit-factor"));
}

static void quota_add(const struct volcano_plugin *p)
{
    (void)volcano_use(p, "gang-quota");
}

static void conformance_add(const struct volcano_plugin *p)
{
    (void)volcano_use(p, "exempt");
}

/* What is no time counts as none, as Volcano has it. */
static void sla_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u = volcano_use(p, "max-wait");
    const struct gs_ynode *v = volcano_argument(p, "sla-waiting-time");
    const int64_t us = v && v->kind == GS_YSCALAR ? kube_go_time(v->text)
                                                  : KUBE_UNKNOWN;

    if (v && us <= 0)
        import_account_tell(p->k->account, IMPORT_LEFT, p->k->source, v,
                            "'sla-waiting-time' that is no time above 0, such "
                            "as 1h30m");
    else if (u && v)
        kube_conf_param(p->k, u, "time", "%lldus", (long long)us);
    kube_conf_ignore(p->k, p->at,
                     "plugin 'sla': nothing is kept free for a job whose "
                     "waiting time is over");
}

static void task_topology_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u = volcano_use(p, "task-affinity");

    if (u)
        kube_conf_param(
            p->k, u, "weight", "%lld",
            (long long)volcano_weight(p, "task-topology.weight", 1));
}

static void pdb_add(const struct volcano_plugin *p)
{
    struct kube_conf_use *u = volcano_use(p, "budgets");

    if (u)
        kube_conf_param(p->k, u, "mode", "forbid");
}

static const struct volcano_row rows[] = {
    { "priority", priority_add, NULL, { NULL } },
    { "gang", gang_add, NULL, { NULL } },
    { "drf", drf_add, NULL, { NULL } },
    { "predicates",
      predicates_add,
      NULL,
      { "predicate.NodeAffinityEnable", "predicate.TaintTolerationEnable",
        "predicate.PodAffinityEnable", "predicate.PodTopologySpreadEnable",
        "predicate.CacheEnable", "predicate.DynamicResourceAllocationEnable",
        NULL } },
    { "proportion", proportion_add, NULL, { NULL } },
    { "capacity", capacity_add, NULL, { NULL } },
    { "nodeorder",
      nodeorder_add,
      NULL,
      { "leastrequested.weight", "mostrequested.weight",
        "balancedresource.weight", "nodeaffinity.weight", "podaffinity.weight",
        "tainttoleration.weight", "podtopologyspread.weight",
        "imagelocality.weight", NULL } },
    { "binpack",
      binpack_add,
      NULL,
      { "binpack.weight", "binpack.cpu", "binpack.memory", "binpack.resources*",
        NULL } },
    { "overcommit", overcommit_add, NULL, { "overcommit-factor", NULL } },
    { "network-topology-aware",
      volcano_topology_add,
      NULL,
      { "weight", "hypernode.binpack.*",
        "hypernode.gradient.evict.max-hypernodes", NULL } },
    { "resource-strategy-fit",
      volcano_strategy_add,
      NULL,
      { "resourceStrategyFitWeight", "resources", "sra", "proportional",
        NULL } },
    { "conformance", conformance_add, NULL, { NULL } },
    { "sla", sla_add, NULL, { "sla-waiting-time", NULL } },
    { "tdm",
      volcano_windows_add,
      NULL,
      { "tdm.revocable-zone.*", "tdm.evict.period", NULL } },
    { "numa-aware", NULL, "nodes are not divided by NUMA", { NULL } },
    { "task-topology",
      task_topology_add,
      NULL,
      { "task-topology.weight", NULL } },
    { "usage",
      volcano_usage_add,
      NULL,
      { "usage.weight", "cpu.weight", "memory.weight", "thresholds",
        "estimator", NULL } },
    { "deviceshare",
      volcano_sharing_add,
      NULL,
      { "deviceshare.SchedulePolicy", "deviceshare.ScheduleWeight",
        "deviceshare.VGPUEnable", "deviceshare.GPUSharingEnable",
        "deviceshare.GPUNumberEnable", "deviceshare.NodeLockEnable",
        "deviceshare.KnownGeometriesCM*", NULL } },
    { "cdp", NULL, "module min-runtime does so for all jobs", { NULL } },
    { "pdb", pdb_add, NULL, { NULL } },
    { "resourcequota", quota_add, NULL, { NULL } },
    { "nodegroup",
      volcano_groups_add,
      "conditions of the jobs of the same sources, by their queues",
      { "strict", "enablePreferredOrder", NULL } },
    { "rescheduling",
      volcano_rebalance_add,
      NULL,
      { "interval", "strategies", "metricsPeriod", NULL } },
    { "extender", NULL, "what it answers is not known", { NULL } },
    { "reservation", NULL, "Volcano has it no more", { NULL } },
};

const struct volcano_row *volcano_row_find(const char *name)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}
