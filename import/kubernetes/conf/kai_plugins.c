/* import/kubernetes/conf/kai_plugins.c - plugins and actions of KAI Scheduler
 * as modules and actions of a profile.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/duration.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/kai_conf.h"
#include "import/kubernetes/object/kube.h"
#include "policies/profile/profile.h"

#define WEEK "168h"
#define PERIOD "schedule-period" /* flag: time from cycle to cycle */
#define ANY_PRICE "36500d"       /* of moves: KAI has none */

/* One configuration on its way. */
struct making {
    struct kube *k;
    const struct kai_conf *from;
    struct kube_conf *to;
    uint32_t first; /* use that the present plugin begins with */
};

/* --- values --------------------------------------------------------------- */

/* A number from `low` up, where KAI takes `else_what` for what is none or less.
 */
static const char *number_text(const struct making *m, const struct gs_ynode *v,
                               double low, double high, const char *fallback,
                               const char *else_what)
{
    char *end = NULL;
    double x = 0;

    if (!v)
        return fallback;
    if (v->kind == GS_YSCALAR && v->len)
        x = strtod(v->text, &end);
    if (end && !*end && x >= low && x <= high)
        return gs_arena_printf(m->k->arena, "%.9g", x);
    import_account_tell(m->k->account, IMPORT_ASSUMED, m->k->source, v,
                        "'%.60s' that is no number from %.0f to %.0f is %s",
                        v->key->text, low, high, else_what);
    return else_what;
}

/* A time as Go writes it, or with `days` Prometheus; "0s" for what is none. */
static const char *time_read(const struct making *m, const struct gs_ynode *v,
                             const char *fallback, bool days)
{
    char text[64];
    int64_t us;

    if (!v)
        return fallback;
    us = v->kind != GS_YSCALAR ? KUBE_UNKNOWN
         : days                ? kube_prometheus_time(v->text)
                               : kube_go_time(v->text);
    if (us == KUBE_UNKNOWN || us < 0) {
        import_account_tell(m->k->account, IMPORT_ASSUMED, m->k->source, v,
                            "'%.60s' that is no time is %s", v->key->text,
                            "0s");
        return "0s";
    }
    return gs_arena_printf(m->k->arena, "%s",
                           gs_duration_format(us, text, sizeof(text)));
}

static const char *time_text(const struct making *m, const struct gs_ynode *v,
                             const char *fallback)
{
    return time_read(m, v, fallback, false);
}

static struct kube_conf_use *use(const struct making *m, const char *module)
{
    struct kube_conf_use *u = kube_conf_use(m->to, module, 0);

    return u ? u : kube_conf_find(m->to, module);
}

static void set(const struct making *m, struct kube_conf_use *u,
                const char *name, const char *value)
{
    if (u)
        kube_conf_param(m->k, u, name, "%s", value);
}

/* Tell the arguments beside `known`. */
static void arguments_check(const struct making *m, const struct kai_plugin *p,
                            const char *const *known)
{
    for (const struct gs_ynode *v = p->argument && p->argument->kind == GS_YMAP
                                        ? p->argument->child
                                        : NULL;
         v; v = v->next) {
        size_t i = 0;

        while (known[i] && strcmp(known[i], v->key->text) != 0)
            i++;
        if (!known[i])
            kube_conf_ignore(m->k, v, "argument '%.80s' of plugin '%.60s'",
                             v->key->text, p->name);
    }
}

/* --- plugins -------------------------------------------------------------- */

static void predicates_add(const struct making *m, const struct kai_plugin *p)
{
    (void)p;
    (void)use(m, "fit");
    (void)use(m, "constraints");
}

/* A time-based fair share has the window of a week unless it says another. */
static void history_set(const struct making *m, struct kube_conf_use *u)
{
    const struct gs_ynode *usage = m->from->usage;
    const char *type = kube_text(usage, "windowType");

    set(m, u, "window", time_read(m, kube_at(usage, "windowSize"), WEEK, true));
    set(m, u, "half_life",
        time_text(m, kube_at(usage, "halfLifePeriod"), "0s"));
    set(m, u, "period", time_text(m, kube_at(usage, "fetchInterval"), "1m"));
    if (type && strcmp(type, "sliding") != 0)
        set(m, u, "windows", "tumbling");
    if (type && strcmp(type, "cron") == 0)
        kube_conf_ignore(m->k, kube_at(usage, "windowType"),
                         "windows by a cron expression: they have the length "
                         "'windowSize'");
}

static void proportion_add(const struct making *m, const struct kai_plugin *p)
{
    static const char *const known[] = { "kValue",
                                         "relcaimerSaturationMultiplier",
                                         NULL };
    const struct gs_ynode *k = kube_at(p->argument, "kValue");
    const struct gs_ynode *saturation = kube_at(
        p->argument, "relcaimerSaturationMultiplier");
    struct kube_conf_use *u = use(m, "over-quota");

    arguments_check(m, p, known);
    if (u)
        u->slices = "as_gpus";
    if (saturation)
        set(m, u, "saturation", number_text(m, saturation, 1, 1000, "1", "1"));
    if (!m->from->has_usage)
        return;
    if (k || m->from->k)
        set(m, u, "k", number_text(m, k ? k : m->from->k, 0, 1000, "1", "0"));
    history_set(m, u);
}

static void priority_add(const struct making *m, const struct kai_plugin *p)
{
    (void)p;
    (void)use(m, "priority");
}

static void elastic_add(const struct making *m, const struct kai_plugin *p)
{
    (void)p;
    (void)use(m, "elastic");
}

static void resourcetype_add(const struct making *m, const struct kai_plugin *p)
{
    (void)p;
    (void)use(m, "scarce");
}

static void podaffinity_add(const struct making *m, const struct kai_plugin *p)
{
    (void)p;
    set(m, use(m, "pod-affinity"), "weight", "1000");
}

static void topology_add(const struct making *m, const struct kai_plugin *p)
{
    (void)p;
    set(m, use(m, "topology"), "smallest", "no");
    (void)use(m, "full-domains");
}

/* Whether nodes with a used device come first; it goes with either choice of
 * devices.
 */
static void sharing_add(const struct making *m, const struct kai_plugin *p)
{
    struct kube_conf_use *u = use(m, "gpu-sharing");

    if (strcmp(p->name, "gpuspread") == 0) {
        set(m, u, "mode", "spread");
        set(m, u, "weight", "0");
    } else if (strcmp(p->name, "gpusharingorder") == 0) {
        set(m, u, "mode", "used");
        set(m, u, "weight", "10");
    } else if (u && !u->params) {
        set(m, u, "mode", "used");
        set(m, u, "weight", "0");
    }
}

static void placement_set(const struct making *m, const struct kai_plugin *p,
                          const char *key, const char *strategy)
{
    const char *stated = kube_text(p->argument, key);
    const char *way = stated ? stated : p->argument ? NULL : strategy;

    if (way && strcmp(way, "spread") == 0)
        set(m, kube_conf_find(m->to, "remaining"), key, "spread");
}

static void nodeplacement_add(const struct making *m,
                              const struct kai_plugin *p)
{
    static const char *const known[] = { "gpu", "cpu", NULL };

    (void)use(m, "remaining");
    arguments_check(m, p, known);
    placement_set(m, p, "gpu", m->from->gpu);
    placement_set(m, p, "cpu", m->from->cpu);
}

static void nodeavailability_add(const struct making *m,
                                 const struct kai_plugin *p)
{
    (void)p;
    set(m, use(m, "preemption"), "idle_first", "yes");
}

/* Arguments of a shard's own list take the place of its minRuntime. */
static void minruntime_add(const struct making *m, const struct kai_plugin *p)
{
    static const char *const known[] = { "defaultPreemptMinRuntime",
                                         "defaultReclaimMinRuntime",
                                         "reclaimResolveMethod", NULL };
    const char *method = kube_text(p->argument, known[2]);
    struct kube_conf_use *u = use(m, "min-runtime");

    arguments_check(m, p, known);
    set(m, u, "preempt",
        time_text(
            m, p->argument ? kube_at(p->argument, known[0]) : m->from->preempt,
            "0s"));
    set(m, u, "reclaim",
        time_text(
            m, p->argument ? kube_at(p->argument, known[1]) : m->from->reclaim,
            "0s"));
    if (method && strcmp(method, "queue") == 0)
        set(m, u, "resolve", "queue");
    set(m, u, "surplus", "no");
}

static const struct {
    const char *name;
    void (*add)(const struct making *m, const struct kai_plugin *p);
    const char
        *why; /* without `add`: it has no effect, or NULL: is on already */
} plugins[] = {
    { "predicates", predicates_add, NULL },
    { "proportion", proportion_add, NULL },
    { "priority", priority_add, NULL },
    { "elastic", elastic_add, NULL },
    { "resourcetype", resourcetype_add, NULL },
    { "podaffinity", podaffinity_add, NULL },
    { "minruntime", minruntime_add, NULL },
    { "topology", topology_add, NULL },
    { "gpupack", sharing_add, NULL },
    { "gpuspread", sharing_add, NULL },
    { "gpusharingorder", sharing_add, NULL },
    { "nodeplacement", nodeplacement_add, NULL },
    { "nodeavailability", nodeavailability_add, NULL },
    { "nominatednode", NULL, NULL },
    { "dynamicresources", NULL, NULL },
    { "subgrouporder", NULL, NULL },
    { "taskorder", NULL, NULL },
    { "snapshot", NULL, NULL },
    { "kubeflow", NULL, "masters are placed in the order of the trace" },
    { "ray", NULL, "heads are placed in the order of the trace" },
};

static void became(const struct making *m, const struct kai_plugin *p)
{
    const char *list = "";

    for (uint32_t u = m->first; u < m->to->uses; u++)
        list = gs_arena_printf(m->k->arena, "%s%s%s", list,
                               u > m->first ? ", " : "", m->to->use[u].module);
    if (*list)
        kube_conf_becomes(m->k, p->at, "plugin '%s': module%s %s", p->name,
                          m->first + 1 < m->to->uses ? "s" : "", list);
}

static void plugin_take(struct making *m, const struct kai_plugin *p)
{
    for (size_t i = 0; i < sizeof(plugins) / sizeof(plugins[0]); i++) {
        if (strcmp(plugins[i].name, p->name) != 0)
            continue;
        m->first = m->to->uses;
        if (plugins[i].add)
            plugins[i].add(m, p);
        else if (plugins[i].why)
            kube_conf_ignore(m->k, p->at, "plugin '%s': %s", p->name,
                             plugins[i].why);
        became(m, p);
        return;
    }
    kube_conf_ignore(m->k, p->at, "plugin '%.80s': gsim does not know it",
                     p->name);
}

/* --- actions -------------------------------------------------------------- */

/* The flag among `args` of a shard; NULL. */
static const struct gs_ynode *flag(const struct making *m, const char *name)
{
    return m->from->args ? kube_key(m->from->args, name) : NULL;
}

/* How many jobs consolidation considers: false when it does nothing. */
static bool consolidation_add(const struct making *m)
{
    const struct gs_ynode *v = flag(m, "max-consolidation-preemptees");
    const int64_t most = kube_conf_number(
        m->k, v, "max-consolidation-preemptees", 16, -1, UINT32_MAX);
    struct kube_conf_use *u = most == 0 ? NULL : use(m, "moves");

    if (u) {
        kube_conf_param(m->k, u, "price", "%s", ANY_PRICE);
        kube_conf_param(m->k, u, "for", "preemptible");
        kube_conf_param(m->k, u, "jobs", "%" PRId64, most < 0 ? 0 : most);
        kube_conf_param(m->k, u, "keep_off", "no");
        kube_conf_param(m->k, u, "tasks", "turn");
    }
    return most != 0;
}

/* The name here of an action of KAI; NULL: none. */
static const char *action_name(const char *theirs)
{
    static const char *const known[][2] = {
        { "allocate", "allocate" },
        { "consolidation", "consolidate" },
        { "reclaim", "reclaim" },
        { "preempt", "preempt" },
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (strcmp(known[i][0], theirs) == 0)
            return known[i][1];
    }
    return NULL;
}

/* How many jobs of a queue the action tries in a cycle; false: none. */
static bool depth_add(const struct making *m, const char *theirs,
                      const char *ours)
{
    const struct gs_ynode *v = m->from->depth ? kube_key(m->from->depth, theirs)
                                              : NULL;
    const int64_t most = kube_conf_number(m->k, v, theirs, -1, -1, INT32_MAX);

    if (most > 0)
        m->to->depth = gs_arena_printf(m->k->arena, "%s%s%s: %" PRId64,
                                       m->to->depth ? m->to->depth : "",
                                       m->to->depth ? ", " : "", ours, most);
    else if (most == 0)
        kube_conf_becomes(m->k, v, "queueDepthPerAction 0: no action '%s'",
                          ours);
    return most != 0;
}

/* Jobs beyond a depth are tried in the next cycle: that is when KAI's is. */
static void depths_end(const struct making *m)
{
    const struct gs_ynode *v = m->from->depth ? m->from->depth->child : NULL;

    for (; v; v = v->next) {
        if (!action_name(v->key->text))
            kube_conf_ignore(m->k, v, "'queueDepthPerAction' of '%.80s'",
                             v->key->text);
    }
    if (m->to->depth)
        m->to->period = time_text(m, flag(m, PERIOD), "1s");
}

static void action_take(const struct making *m, const struct kai_action *a)
{
    const char *ours = action_name(a->name);

    if (strcmp(a->name, "stalegangeviction") == 0)
        return; /* of module gang */
    if (!ours) {
        kube_conf_ignore(m->k, a->at, "action '%.80s': gsim does not know it",
                         a->name);
        return;
    }
    if (!depth_add(m, a->name, ours)
        || (strcmp(ours, "consolidate") == 0 && !consolidation_add(m)))
        return;
    kube_conf_action(m->to, ours);
}

static void args_check(const struct making *m)
{
    for (const struct gs_ynode *v = m->from->args ? m->from->args->child : NULL;
         v; v = v->next) {
        if (!kube_kai_follows(v)
            && !(m->to->period && strcmp(v->key->text, PERIOD) == 0))
            kube_conf_ignore(m->k, v, "flag '%.80s' of a shard", v->key->text);
    }
}

/* How long gangs may lack tasks before they are evicted, 60 s by KAI's default;
 * NULL: they are not.
 */
static const char *staleness_text(const struct making *m)
{
    const struct gs_ynode *v = flag(m, "default-staleness-grace-period");
    const char *text;

    if (v && v->kind == GS_YSCALAR && v->text[0] == '-')
        return NULL;
    text = time_text(m, v, "60s");
    return strcmp(text, "0s") == 0 ? "1us" : text; /* 0s would be never */
}

static void gang_add(const struct making *m)
{
    struct kube_conf_use *u = use(m, "gang");
    const char *timeout = staleness_text(m);

    for (uint32_t i = 0; u && i < m->from->actions; i++) {
        const struct kai_action *a = &m->from->action[i];

        if (timeout && !a->is_off && strcmp(a->name, "stalegangeviction") == 0)
            kube_conf_param(m->k, u, "timeout", "%s", timeout);
    }
}

int kube_kai_profile_make(struct kube *k, const struct kai_conf *from,
                          struct kube_conf *to)
{
    struct making m = { k, from, to, 0 };

    to->keeps_place = true;
    for (uint32_t i = 0; i < from->actions; i++) {
        if (!from->action[i].is_off)
            action_take(&m, &from->action[i]);
    }
    depths_end(&m);
    if (!to->actions) {
        import_account_tell(k->account, IMPORT_LEFT, k->source,
                            from->actions ? from->action[0].at : NULL,
                            "the configuration of KAI: it names no action "
                            "that gsim knows");
        return -1;
    }
    gang_add(&m);
    for (uint32_t i = 0; i < from->plugins; i++) {
        if (!from->plugin[i].is_off)
            plugin_take(&m, &from->plugin[i]);
    }
    (void)use(&m, "fit");
    set(&m, use(&m, "preemption"), "search", "trials");
    set(&m, use(&m, "preemption"), "onto", "gpus");
    if (from->args && !kube_flag(from->args, "use-scheduling-signatures", true))
        set(&m, use(&m, "preemption"), "alike", "yes");
    args_check(&m);
    return 0;
}
