/* import/kubernetes/conf/scheduler_modules.c - what the plugins of a profile of
 * kube-scheduler become: modules and actions.
 */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/scheduler_plugins.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_rules.h"
#include "import/kubernetes/pod/pod_template.h"

#define SORT (1u << KUBE_QUEUE_SORT)
#define FILTER (1u << KUBE_FILTER)
#define SCORE (1u << KUBE_SCORE)
#define POST (1u << KUBE_POST_FILTER)
#define PERMIT (1u << KUBE_PERMIT)

#define WEIGHT_MAX 1000 /* of a module */
#define SHAPE_MAX 32
#define SIZE_WEIGHT_MAX 1000000000 /* of a resource: 1 << 20 is common */

/* A profile that becomes one of gsim. */
struct scheduler_making {
    struct kube *k;
    struct kube_conf *conf;
    const struct kube_plugins *plugins;
};

static const struct kube_plugin *plugin(const struct scheduler_making *m,
                                        const char *name)
{
    const size_t i = kube_plugin_find(name);

    assert(i < kube_plugin_count);
    return &m->plugins->at[i];
}

static bool is_on(const struct scheduler_making *m, const char *name,
                  uint32_t points)
{
    return plugin(m, name)->on & points;
}

/* Tell what has become of a plugin that the file names. */
static void became(const struct scheduler_making *m, const char *name,
                   const char *module)
{
    const struct gs_ynode *at = plugin(m, name)->named;

    if (at)
        kube_conf_becomes(m->k, at, "plugin '%s': module %s", name, module);
}

static int64_t weight_of(const struct scheduler_making *m, const char *name)
{
    const struct kube_plugin *p = plugin(m, name);

    if (p->weight > WEIGHT_MAX)
        import_account_tell(m->k->account, IMPORT_LEFT, m->k->source, p->named,
                            "the weight of plugin '%s' above %d", name,
                            WEIGHT_MAX);
    return p->weight < WEIGHT_MAX ? p->weight : WEIGHT_MAX;
}

/* --- scores by resources -------------------------------------------------- */

/* Resources with their weights, as a list at `path`; cpu and memory without. */
static void resources_put(const struct scheduler_making *m,
                          struct kube_conf_use *u, const struct gs_ynode *args,
                          const char *path)
{
    const struct gs_ynode *r = kube_list(args, path);

    if (!r) {
        kube_conf_weight(m->k, u, "resources", "cpu", 1, NULL);
        kube_conf_weight(m->k, u, "resources", "memory", 1, NULL);
    }
    for (; r; r = r->next) {
        const char *name = kube_text(r, "name");
        const struct gs_ynode *w = kube_at(r, "weight");

        kube_conf_weight(m->k, u, "resources", name ? name : "",
                         kube_conf_number(m->k, w, "weight", 1, 0, 1000000), r);
    }
}

/* "0=0,100=10" of the points at `path`. */
static void shape_put(const struct scheduler_making *m, struct kube_conf_use *u,
                      const struct gs_ynode *args, const char *path)
{
    const char *text = "";
    int64_t last = -1;
    uint32_t count = 0;

    for (const struct gs_ynode *s = kube_list(args, path); s; s = s->next) {
        const int64_t at = kube_conf_number(m->k, kube_at(s, "utilization"),
                                            "utilization", 0, 0, 100);
        const int64_t points = kube_conf_number(m->k, kube_at(s, "score"),
                                                "score", 0, 0, 10);

        if (at <= last || count == SHAPE_MAX) {
            import_account_tell(m->k->account, IMPORT_LEFT, m->k->source, s,
                                "a point of a shape: utilizations must rise, "
                                "and be at most %d",
                                SHAPE_MAX);
            continue;
        }
        text = gs_arena_printf(m->k->arena, "%s%s%lld=%lld", text,
                               count ? "," : "", (long long)at,
                               (long long)points);
        last = at;
        count++;
    }
    if (count)
        kube_conf_param(m->k, u, "shape", "\"%s\"", text);
}

/* The module `module` for the score of plugin `name`; NULL. */
static struct kube_conf_use *score_put(const struct scheduler_making *m,
                                       const char *name, const char *module)
{
    struct kube_conf_use *u;

    if (!is_on(m, name, SCORE))
        return NULL;
    u = kube_conf_use(m->conf, module, 0);
    if (!u)
        return NULL;
    kube_conf_param(m->k, u, "weight", "%lld", (long long)weight_of(m, name));
    became(m, name, module);
    return u;
}

static void fit_put(const struct scheduler_making *m)
{
    const struct gs_ynode *args = plugin(m, "NodeResourcesFit")->args;
    const char *type = kube_text(args, "scoringStrategy.type");
    const bool most = type && strcmp(type, "MostAllocated") == 0;
    const bool ratio = type && strcmp(type, "RequestedToCapacityRatio") == 0;
    struct kube_conf_use *u = score_put(m, "NodeResourcesFit",
                                        ratio  ? "requested-to-capacity-ratio"
                                        : most ? "most-allocated"
                                               : "least-allocated");

    if (type && !most && !ratio && strcmp(type, "LeastAllocated") != 0)
        kube_conf_ignore(m->k, kube_at(args, "scoringStrategy.type"),
                         "scoringStrategy '%.60s': gsim does not know it",
                         type);
    if (!u)
        return;
    resources_put(m, u, args, "scoringStrategy.resources");
    if (ratio)
        shape_put(m, u, args, "scoringStrategy.requestedToCapacityRatio.shape");
    else
        kube_conf_param(m->k, u, "defaults", "yes");
}

/* Plugins of their own before v1beta2. */
static void old_scores_put(const struct scheduler_making *m)
{
    static const char *const name[][2] = {
        { "NodeResourcesLeastAllocated", "least-allocated" },
        { "NodeResourcesMostAllocated", "most-allocated" },
        { "RequestedToCapacityRatio", "requested-to-capacity-ratio" },
    };

    for (size_t i = 0; i < 3; i++) {
        const struct gs_ynode *args = plugin(m, name[i][0])->args;
        struct kube_conf_use *u = score_put(m, name[i][0], name[i][1]);

        if (!u)
            continue;
        resources_put(m, u, args, "resources");
        if (i == 2)
            shape_put(m, u, args, "shape");
        else
            kube_conf_param(m->k, u, "defaults", "yes");
    }
}

static void balanced_put(const struct scheduler_making *m)
{
    static const char name[] = "NodeResourcesBalancedAllocation";
    struct kube_conf_use *u = score_put(m, name, "balanced");

    if (u)
        resources_put(m, u, plugin(m, name)->args, "resources");
}

/* The module's own weights hold without a list. */
static void size_put(const struct scheduler_making *m)
{
    static const char name[] = "NodeResourcesAllocatable";
    struct kube_conf_use *u = score_put(m, name, "node-size");
    const struct gs_ynode *args = plugin(m, name)->args;
    const char *mode = kube_text(args, "mode");

    if (!u)
        return;
    if (mode && strcmp(mode, "Most") == 0)
        kube_conf_param(m->k, u, "mode", "most");
    else if (mode && *mode && strcmp(mode, "Least") != 0)
        kube_conf_ignore(m->k, kube_at(args, "mode"),
                         "mode '%.60s': gsim does not know it", mode);
    for (const struct gs_ynode *r = kube_list(args, "resources"); r;
         r = r->next) {
        const char *resource = kube_text(r, "name");

        kube_conf_weight(m->k, u, "resources", resource ? resource : "",
                         kube_conf_number(m->k, kube_at(r, "weight"), "weight",
                                          1, 1, SIZE_WEIGHT_MAX),
                         r);
    }
}

/* What a required term of the others counts for InterPodAffinity. */
static void hard_put(const struct scheduler_making *m,
                     const struct kube_plugin *p, struct kube_conf_use *u)
{
    static const char key[] = "hardPodAffinityWeight";
    const struct gs_ynode *v = kube_at(p->args, key);

    if (v && strcmp(u->module, "pod-affinity") == 0)
        kube_conf_param(m->k, u, "hard", "%lld",
                        (long long)kube_conf_number(m->k, v, key, 1, 0, 100));
}

/* The spreads of pods of services that state none. */
static void spreads_put(const struct scheduler_making *m)
{
    const struct gs_ynode *args = plugin(m, "PodTopologySpread")->args;
    const struct gs_ynode *list = kube_list(args, "defaultConstraints");
    const char *type = kube_text(args, "defaultingType");
    struct kube_spread *spread;
    uint32_t n = 0;

    if (!type || strcmp(type, "List") != 0)
        return;
    for (const struct gs_ynode *c = list; c; c = c->next)
        n++;
    spread = gs_arena_alloc(m->k->arena, n, sizeof(*spread));
    for (n = 0; list; list = list->next)
        spread[n++] = kube_spread_read(m->k, list);
    m->conf->lists_spreads = true;
    m->conf->spread = spread;
    m->conf->spreads = n;
    kube_conf_becomes(m->k, kube_at(args, "defaultingType"),
                      "defaultConstraints: spreads of services that state "
                      "none, where their pods are read beside it");
}

/* Scores whose module is that of the row. */
static void plain_scores_put(const struct scheduler_making *m)
{
    for (size_t i = 0; i < kube_plugin_count; i++) {
        const struct kube_plugin_row *r = &kube_plugin_rows[i];
        const struct kube_plugin *p = &m->plugins->at[i];
        struct kube_conf_use *u;

        if (!r->module || (!p->on && !(r->module[0] == '\0' && p->named)))
            continue;
        u = (p->on & SCORE) && r->module[0] ? score_put(m, r->name, r->module)
                                            : NULL;
        if (u) {
            hard_put(m, p, u);
            continue;
        }
        if (!r->why || (!(p->on & SCORE) && r->module[0]))
            continue;
        if (r->module[0] && !p->named)
            kube_conf_ignore(m->k, NULL, "default plugin '%s': %s", r->name,
                             r->why);
        else
            kube_conf_ignore(m->k, p->named, "plugin '%s': %s", r->name,
                             r->why);
    }
}

/* --- the rest ------------------------------------------------------------- */

/* How many nodes a dry run of preemption looks for, from a random one on. */
static void candidates_put(const struct scheduler_making *m)
{
    static const char *const keys[] = { "minCandidateNodesPercentage",
                                        "minCandidateNodesAbsolute" };
    int64_t value[2] = { 10, 100 };

    for (size_t i = 0; i < 2; i++) {
        const struct gs_ynode *v = kube_at(plugin(m, "DefaultPreemption")->args,
                                           keys[i]);

        value[i] = kube_conf_number(m->k, v, keys[i], value[i], 0,
                                    i ? INT32_MAX : 100);
        if (v)
            kube_conf_becomes(m->k, v, "%s: candidates", keys[i]);
    }
    m->conf->candidates = gs_arena_printf(
        m->k->arena, "{percentage: %d, minimum: %d, start: random}",
        (int)value[0], (int)value[1]);
}

static void order_put(const struct scheduler_making *m)
{
    const bool sorts = is_on(m, "PrioritySort", SORT)
                       || is_on(m, "Coscheduling", SORT)
                       || is_on(m, "TopologicalSort", SORT)
                       || is_on(m, "QOSSort", SORT); /* after priority */
    const bool preempts = is_on(m, "DefaultPreemption", POST)
                          || is_on(m, "CapacityScheduling", POST)
                          || is_on(m, "PreemptionToleration", POST);
    struct kube_conf_use *u = sorts || preempts
                                  ? kube_conf_use(m->conf, "priority", 0)
                                  : NULL;

    kube_conf_action(m->conf, "allocate");
    if (is_on(m, "CapacityScheduling", UINT32_MAX)) {
        struct kube_conf_use *queue = kube_conf_use(m->conf, "queue", 0);

        kube_conf_param(m->k, queue, "mode", "%s", "capacity");
        if (is_on(m, "CapacityScheduling", POST))
            kube_conf_action(m->conf, "reclaim");
        became(m, "CapacityScheduling",
               "queue in mode capacity, and action reclaim");
    }
    if (preempts) {
        kube_conf_action(m->conf, "preempt");
        (void)kube_conf_use(m->conf, "budgets", 0);
        candidates_put(m);
    }
    if (!u)
        return;
    if (!sorts)
        (void)kube_conf_without(u, "job_order");
    if (!preempts) {
        (void)kube_conf_without(u, "preempt");
        (void)kube_conf_without(u, "reclaim");
    }
    became(m, "PrioritySort", "priority");
    became(m, "DefaultPreemption", "priority and budgets, and action preempt");
}

/* An argument of plugin Coscheduling. */
static int64_t gang_number(const struct scheduler_making *m, const char *name,
                           int64_t fallback, int64_t low, int64_t high)
{
    return kube_conf_number(m->k,
                            kube_at(plugin(m, "Coscheduling")->args, name),
                            name, fallback, low, high);
}

static void gang_put(const struct scheduler_making *m)
{
    struct kube_conf_use *retry = kube_conf_find(m->conf, "retry");
    struct kube_conf_use *u = is_on(m, "Coscheduling", PERMIT)
                                  ? kube_conf_use(m->conf, "gang", 0)
                                  : NULL;

    if (!u) {
        if (is_on(m, "Coscheduling", UINT32_MAX))
            kube_conf_ignore(m->k, plugin(m, "Coscheduling")->named,
                             "plugin 'Coscheduling' without point permit: "
                             "groups do not wait for each other");
        return;
    }
    kube_conf_param(
        m->k, u, "timeout", "%llds",
        (long long)gang_number(m, "permitWaitingTimeSeconds", 60, 1, 31536000));
    if (!retry) {
        retry = kube_conf_use(m->conf, "retry", 0);
        kube_conf_param(m->k, retry, "first", "0s");
    }
    kube_conf_param(
        m->k, retry, "gang", "%llds",
        (long long)gang_number(m, "podGroupBackoffSeconds", 0, 0, 31536000));
    kube_conf_param(
        m->k, retry, "part", "%d",
        100 - (int)gang_number(m, "podGroupRejectPercentage", 10, 0, 100));
    became(m, "Coscheduling", "gang and retry");
}

static void filters_put(const struct scheduler_making *m)
{
    static const char *const fit[] = { "NodeUnschedulable", "NodeName",
                                       "NodeAffinity", "TaintToleration",
                                       "NodeResourcesFit" };
    const bool near = is_on(m, "InterPodAffinity", FILTER);
    const bool spread = is_on(m, "PodTopologySpread", FILTER);

    (void)kube_conf_use(m->conf, "fit", 0);
    for (size_t i = 0; i < sizeof(fit) / sizeof(fit[0]); i++) {
        if (!is_on(m, fit[i], FILTER))
            kube_conf_ignore(m->k, plugin(m, fit[i])->named,
                             "plugin '%s' is off as a filter: module fit "
                             "always heeds it",
                             fit[i]);
        else
            became(m, fit[i], "fit");
    }
    if (!near && !spread)
        return;
    (void)kube_conf_use(m->conf, "constraints", 0);
    became(m, near ? "InterPodAffinity" : "PodTopologySpread", "constraints");
    if (near != spread)
        kube_conf_ignore(m->k, NULL,
                         "plugin '%s' is off as a filter: module constraints "
                         "heeds it with '%s'",
                         near ? "PodTopologySpread" : "InterPodAffinity",
                         near ? "InterPodAffinity" : "PodTopologySpread");
}

/* How a plugin reaches the API server decides nothing. */
static bool is_connection(const char *argument)
{
    return strcasecmp(argument, "kubeConfigPath") == 0
           || strcasecmp(argument, "kubeMaster") == 0;
}

/* Arguments that no function above reads, of plugins that act: one that has no
 * module is told itself.
 */
static void args_check(const struct scheduler_making *m)
{
    static const char *const read[][2] = {
        { "NodeResourcesFit", "scoringStrategy" },
        { "NodeResourcesLeastAllocated", "resources" },
        { "NodeResourcesMostAllocated", "resources" },
        { "RequestedToCapacityRatio", "resources" },
        { "RequestedToCapacityRatio", "shape" },
        { "NodeResourcesBalancedAllocation", "resources" },
        { "NodeResourcesAllocatable", "mode" },
        { "NodeResourcesAllocatable", "resources" },
        { "Coscheduling", "permitWaitingTimeSeconds" },
        { "Coscheduling", "podGroupRejectPercentage" },
        { "Coscheduling", "podGroupBackoffSeconds" },
        { "InterPodAffinity", "hardPodAffinityWeight" },
        { "PodTopologySpread", "defaultingType" },
        { "PodTopologySpread", "defaultConstraints" },
        { "VolumeBinding", "bindTimeoutSeconds" },
        { "DefaultPreemption", "minCandidateNodesPercentage" },
        { "DefaultPreemption", "minCandidateNodesAbsolute" },
    };

    for (size_t i = 0; i < kube_plugin_count; i++) {
        const char *name = kube_plugin_rows[i].name;
        const char *module = kube_plugin_rows[i].module;
        const struct gs_ynode *args = m->plugins->at[i].args;

        if (m->plugins->at[i].on == 0 || (module && !*module))
            continue;
        for (const struct gs_ynode *v = kube_map(args, ""); v; v = v->next) {
            bool known = !strcmp(v->key->text, "apiVersion")
                         || !strcmp(v->key->text, "kind")
                         || is_connection(v->key->text);

            for (size_t r = 0; r < sizeof(read) / sizeof(read[0]); r++)
                known |= !strcmp(read[r][0], name)
                         && !strcmp(read[r][1], v->key->text);
            if (!known && (v->kind == GS_YSCALAR || v->len))
                kube_conf_ignore(m->k, v, "argument '%.80s' of plugin '%s'",
                                 v->key->text, name);
        }
    }
}

void kube_plugins_use(struct kube *k, struct kube_conf *c,
                      const struct kube_plugins *p)
{
    const struct scheduler_making m = { k, c, p };

    c->by_pod = true;
    order_put(&m);
    gang_put(&m);
    filters_put(&m);
    fit_put(&m);
    old_scores_put(&m);
    balanced_put(&m);
    size_put(&m);
    plain_scores_put(&m);
    spreads_put(&m);
    args_check(&m);
}
