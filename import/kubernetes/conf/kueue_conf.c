/* import/kubernetes/conf/kueue_conf.c - the Configuration of Kueue
 * (config.kueue.x-k8s.io), as a profile: jobs get quota before kube-scheduler
 * places their pods.
 */
#include <stdlib.h>
#include <string.h>

#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/scheduler_plugins.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/source.h"

#define KUEUE "kueue"

/* --- modules -------------------------------------------------------------- */

/* Quota, then kube-scheduler with its defaults; NULL, told, when this program
 * has no module that gives quota.
 */
static struct kube_conf *conf_add(struct kube *k, const struct gs_ynode *at)
{
    struct kube_conf *c = kube_conf_add(k, KUEUE);
    struct kube_conf_use *quota;
    struct kube_plugins p;

    if (!c)
        return NULL;
    kube_conf_action(c, "admit");
    quota = kube_conf_use(c, "quota", 0);
    if (!quota) {
        kube_conf_ignore(k, at, "Configuration of Kueue");
        k->confs->count--;
        return NULL;
    }
    kube_conf_param(k, quota, "unfit", "wait");
    kube_plugins_init(&p, KUBE_V1, false);
    kube_plugins_use(k, c, &p);
    c->keeps_place = true;
    kube_conf_becomes(k, at, "quotas of queues: action admit, module quota");
    return c;
}

/* Jobs that ask for what no flavor of their queue has wait. */
static void uncovered_refuse(struct kube *k, struct kube_conf_use *quota)
{
    kube_conf_param(k, quota, "uncovered", "refuse");
}

/* Flavors with a topology: nodes are chosen for a whole job. */
void kube_kueue_conf_finish(struct kube *k)
{
    struct kube_conf *c = NULL;
    struct kube_conf_use *u;

    if (!kube_kueue_has_topologies(k))
        return;
    k->source = NULL; /* none is read now */
    for (uint32_t i = 0; i < k->confs->count && !c; i++) {
        if (strcmp(k->confs->at[i]->name, KUEUE) == 0)
            c = k->confs->at[i];
    }
    if (!c) {
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "Kueue has its default configuration");
        c = conf_add(k, NULL);
        if (c)
            uncovered_refuse(k, kube_conf_find(c, "quota"));
    }
    if (!c)
        return;
    c->by_pod = false;
    kube_conf_param(k, kube_conf_find(c, "quota"), "with_room", "yes");
    (void)kube_conf_use(c, "gang", 0);
    u = kube_conf_use(c, "topology", 0);
    if (u) {
        kube_conf_param(k, u, "smallest", "no");
        kube_conf_becomes(k, NULL,
                          "topologyName of flavors: module "
                          "node-choice, by: domains");
    }
    u = kube_conf_use(c, "node-choice", 0);
    if (u)
        kube_conf_param(k, u, "by", "domains");
    if (u && kube_gate_is_open(k, KUBE_GATE_BALANCED)) {
        kube_conf_param(k, u, "balanced", "yes");
        kube_conf_becomes(k, NULL,
                          "featureGates, TASBalancedPlacement: module "
                          "node-choice, balanced: yes");
    }
}

/* --- what the file states ------------------------------------------------- */

static bool lists(const struct gs_ynode *list, const char *word)
{
    for (; list; list = list->next) {
        if (list->kind == GS_YSCALAR && strcmp(list->text, word) == 0)
            return true;
    }
    return false;
}

static void shares_take(struct kube *k, struct kube_conf_use *quota,
                        const struct gs_ynode *root, bool is_old)
{
    const struct gs_ynode *fair = kube_at(root, "fairSharing");
    const struct gs_ynode *list = kube_list(fair, "preemptionStrategies");
    const bool final = lists(list, "LessThanOrEqualToFinalShare");
    const bool initial = lists(list, "LessThanInitialShare");

    if (!fair || !kube_flag(fair, "enable", !is_old))
        return;
    kube_conf_param(k, quota, "shares", "yes");
    if (list && final != initial)
        kube_conf_param(k, quota, "strategies", final ? "final" : "initial");
    kube_conf_becomes(k, fair, "fairSharing: module quota, shares");
}

/* A duration of Go as a profile writes it. */
static void time_take(struct kube *k, struct kube_conf_use *u,
                      const struct gs_ynode *n, const char *path,
                      const char *param, const char *fallback)
{
    const struct gs_ynode *v = kube_at(n, path);
    const int64_t us = v && v->kind == GS_YSCALAR ? kube_go_time(v->text)
                                                  : KUBE_UNKNOWN;

    if (us != KUBE_UNKNOWN && us >= 0)
        kube_conf_param(k, u, param, "%lldms", (long long)(us / 1000));
    else if (v)
        kube_conf_ignore(k, v, "%s that is no time, such as 5m", path);
    if (us == KUBE_UNKNOWN && fallback)
        kube_conf_param(k, u, param, "%s", fallback);
}

/* Weights of resources, whose amounts are in CPUs, bytes and pieces there. */
static void weights_take(struct kube *k, struct kube_conf_use *u,
                         const struct gs_ynode *fair)
{
    static const double gib = 1073741824;
    const struct gs_ynode *weights = kube_map(fair, "resourceWeights");
    bool has_memory = false;

    for (const struct gs_ynode *n = weights; n; n = n->next) {
        const bool is_memory = strcmp(n->key->text, "memory") == 0;
        char *end = NULL;
        const double w = n->kind == GS_YSCALAR ? strtod(n->text, &end) : -1;

        has_memory |= is_memory;
        if (w >= 0 && w < 1e5 && end != n->text && *end == '\0')
            kube_conf_real_weight(k, u, "weights", n->key->text,
                                  is_memory ? w * gib : w, n);
        else
            kube_conf_ignore(k, n,
                             "resourceWeights that are no numbers from 0 "
                             "to 100000");
    }
    if (!has_memory)
        kube_conf_real_weight(k, u, "weights", "memory", gib, NULL);
}

/* Of queues that say so jobs are in order of what their LocalQueues used. */
static void usage_take(struct kube *k, struct kube_conf *c,
                       const struct gs_ynode *root)
{
    const struct gs_ynode *fair = kube_at(root, "admissionFairSharing");
    struct kube_conf_use *u;

    if (!fair || !kube_gate_is_open(k, KUBE_GATE_FAIR_ORDER))
        return;
    u = kube_conf_use(c, "account-usage", 0);
    if (!u)
        return;
    kube_conf_param(k, u, "order", "fifo");
    time_take(k, u, fair, "usageHalfLifeTime", "half_life", "0s");
    time_take(k, u, fair, "usageSamplingInterval", "interval", "5m");
    weights_take(k, u, fair);
    kube_conf_becomes(k, fair,
                      "admissionFairSharing: module account-usage, for "
                      "queues with order: fair");
}

/* Before v1beta2 it was off unless the file said otherwise. */
static void ready_take(struct kube *k, struct kube_conf_use *quota,
                       const struct gs_ynode *root, bool is_old)
{
    const struct gs_ynode *ready = kube_at(root, "waitForPodsReady");
    const struct gs_ynode *requeue = kube_at(ready, "requeuingStrategy");
    const char *timestamp = kube_text(requeue, "timestamp");
    const char *timeout = is_old ? "5m" : "30m";

    if (kube_gate_is_open(k, KUBE_GATE_READY_OFF)
        || (is_old && !kube_flag(ready, "enable", false)))
        return;
    time_take(k, quota, ready, "timeout", "ready", timeout);
    if (kube_flag(ready, "blockAdmission", is_old))
        kube_conf_param(k, quota, "one_by_one", "yes");
    if (timestamp && strcmp(timestamp, "Creation") == 0)
        kube_conf_param(k, quota, "requeue", "submitted");
    else if (timestamp && strcmp(timestamp, "Eviction") != 0)
        kube_conf_ignore(k, kube_at(requeue, "timestamp"),
                         "timestamp that is not Eviction or Creation");
    if (kube_at(requeue, "backoffBaseSeconds"))
        kube_conf_param(k, quota, "pause", "%llds",
                        (long long)kube_number(k, requeue, "backoffBaseSeconds",
                                               60, 0, 100000000));
    if (kube_at(requeue, "backoffMaxSeconds"))
        kube_conf_param(k, quota, "pause_most", "%llds",
                        (long long)kube_number(k, requeue, "backoffMaxSeconds",
                                               3600, 0, 100000000));
    if (kube_at(requeue, "backoffLimitCount")) /* puts back, then one more */
        kube_conf_param(k, quota, "attempts", "%lld",
                        1
                            + (long long)kube_number(k, requeue,
                                                     "backoffLimitCount", 0, 0,
                                                     INT32_MAX));
    time_take(k, quota, ready,
              kube_at(ready, "recoveryTimeout") ? "recoveryTimeout" : "timeout",
              "recovery", timeout);
    kube_conf_becomes(k, ready ? ready : root,
                      "waitForPodsReady: module quota, ready");
}

static void resources_take(struct kube *k, struct kube_conf_use *quota,
                           const struct gs_ynode *root)
{
    const struct gs_ynode *left = kube_at(root,
                                          "resources.excludeResourcePrefixes");
    const char *check = kube_gate_is_open(k, KUBE_GATE_QUOTA_CHECK)
                            ? kube_text(root, "resources.quotaCheckStrategy")
                            : NULL;

    if (!left && !(check && strcmp(check, "IgnoreUndeclared") == 0))
        uncovered_refuse(k, quota);
    if (left)
        kube_conf_ignore(k, left,
                         "excludeResourcePrefixes: what a queue has no quota "
                         "of is not counted, all else is");
    if (kube_at(root, "resources.transformations"))
        kube_conf_ignore(k, kube_at(root, "resources.transformations"),
                         "transformations of resources");
    if (kube_at(root, "resources.deviceClassMappings"))
        kube_conf_ignore(k, kube_at(root, "resources.deviceClassMappings"),
                         "deviceClassMappings of resources");
}

/* Gates that are not as Kueue has them. */
static void gates_take(struct kube *k, struct kube_conf_use *quota,
                       const struct gs_ynode *root)
{
    static const struct {
        enum kube_gate gate;
        const char *param, *value, *becomes;
    } rows[] = {
        { KUBE_GATE_PRIORITY, "between", "time",
          "featureGates, PrioritySortingWithinCohort: module quota, between" },
        { KUBE_GATE_OWN_FIRST, "own_first", "no",
          "featureGates, FairSharingPrioritizeNonBorrowing: module quota, "
          "own_first" },
        { KUBE_GATE_OWN_EVICTS, "own_evicts", "no",
          "featureGates, FairSharingPreemptWithinNominal: module quota, "
          "own_evicts" },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (kube_gate_is_open(k, rows[i].gate))
            continue;
        kube_conf_param(k, quota, rows[i].param, "%s", rows[i].value);
        kube_conf_becomes(k, kube_at(root, "featureGates"), "%s",
                          rows[i].becomes);
    }
    if (!kube_gate_is_open(k, KUBE_GATE_PRIORITY))
        kube_conf_ignore(
            k, kube_at(root, "featureGates"),
            "featureGates, PrioritySortingWithinCohort: a job that "
            "is evicted for one that borrows keeps its place");
}

/* Does the selector choose more than to leave some namespaces out? */
static bool chooses(const struct gs_ynode *selector)
{
    const struct gs_ynode *e = kube_list(selector, "matchExpressions");
    bool any = kube_map(selector, "matchLabels") != NULL;

    for (; e && !any; e = e->next) {
        const char *is = kube_text(e, "operator");

        any = !is || strcmp(is, "NotIn") != 0;
    }
    return any;
}

static void rest_check(struct kube *k, const struct gs_ynode *root)
{
    static const char *const known[] = {
        "apiVersion", "kind", "metadata", "namespace", "fairSharing",
        "admissionFairSharing", "waitForPodsReady", "resources", "featureGates",
        /* these decide nothing */
        "health", "metrics", "webhook", "leaderElection", "controller",
        "clientConnection", "internalCertManagement", "integrations",
        "managedJobsNamespaceSelector", "manageJobsWithoutQueueName",
        "objectRetentionPolicies", "queueVisibility", "visibility",
        "visibilityServer", "syncPeriod", "gracefulShutDown", "cacheNamespace",
        "pprofBindAddress", "tls", NULL
    };

    if (kube_flag(root, "manageJobsWithoutQueueName", false))
        kube_conf_ignore(k, kube_at(root, "manageJobsWithoutQueueName"),
                         "manageJobsWithoutQueueName: jobs without a queue are "
                         "in queue default");
    if (chooses(kube_at(root, "managedJobsNamespaceSelector")))
        kube_conf_ignore(k, kube_at(root, "managedJobsNamespaceSelector"),
                         "managedJobsNamespaceSelector: jobs of all namespaces "
                         "are those of Kueue");
    kube_keys_check(k, root, "Kueue's Configuration", known);
}

int kube_kueue_conf_read(struct kube *k, const struct import_object *o)
{
    struct kube_conf *c;
    const bool is_old = strstr(o->api_version, "v1beta2") == NULL;
    struct kube_conf_use *quota;

    if (strcmp(o->kind, "Configuration") != 0)
        return 1;
    c = conf_add(k, o->root);
    quota = c ? kube_conf_find(c, "quota") : NULL;
    if (!quota)
        return 0;
    kube_gates_read(k, o->root);
    shares_take(k, quota, o->root, is_old);
    usage_take(k, c, o->root);
    ready_take(k, quota, o->root, is_old);
    resources_take(k, quota, o->root);
    gates_take(k, quota, o->root);
    rest_check(k, o->root);
    return 0;
}
