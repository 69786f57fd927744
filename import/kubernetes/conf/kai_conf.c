/* import/kubernetes/conf/kai_conf.c - kind SchedulingShard of KAI Scheduler,
 * and the configuration of its scheduler, as a profile.
 *
 *   actions: "allocate, consolidation, reclaim, preempt, stalegangeviction"
 *   tiers:
 *   - plugins:
 *     - name: proportion
 *       arguments: {kValue: 1}
 *
 * A part that is missing comes from the built-in file.  A shard states changes
 * of a list of its own, in which plugins and actions have priorities.
 *
 * Source: KAI-Scheduler's pkg/apis/kai/v1, pkg/scheduler/conf.
 */
#include "import/kubernetes/conf/kai_conf.h"

#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/kai_pool.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/source.h"

#define NAME "kai-scheduler"

static const char *const own_plugins[] = {
    "elastic",          "kubeflow",  "ray",        "nodeavailability",
    "gpusharingorder",  "gpupack",   "gpuspread",  "resourcetype",
    "subgrouporder",    "taskorder", "minruntime", "nominatednode",
    "nodeplacement",    "topology",  "snapshot",   "podaffinity",
    "dynamicresources",
};

/* --- lists of plugins and actions ----------------------------------------- */

static struct kai_plugin *plugin_put(struct kai_conf *c, const char *name)
{
    for (uint32_t i = 0; i < c->plugins; i++) {
        if (strcmp(c->plugin[i].name, name) == 0)
            return &c->plugin[i];
    }
    if (c->plugins == KAI_PLUGINS_MAX)
        return NULL;
    c->plugin[c->plugins] = (struct kai_plugin){ .name = name };
    return &c->plugin[c->plugins++];
}

static struct kai_action *action_put(struct kai_conf *c, const char *name)
{
    for (uint32_t i = 0; i < c->actions; i++) {
        if (strcmp(c->action[i].name, name) == 0)
            return &c->action[i];
    }
    if (c->actions == KAI_ACTIONS_MAX)
        return NULL;
    c->action[c->actions] = (struct kai_action){ .name = name };
    return &c->action[c->actions++];
}

static void too_many(struct kube *k, const struct gs_ynode *at)
{
    import_account_tell(k->account, IMPORT_LEFT, k->source, at,
                        "plugins and actions of KAI beyond %d and %d",
                        KAI_PLUGINS_MAX, KAI_ACTIONS_MAX);
}

/* The names in `list`, separated by commas. */
static void actions_put(struct kube *k, struct kai_conf *c, const char *list,
                        const struct gs_ynode *at)
{
    int64_t priority = 0;

    while (*list) {
        const size_t len = strcspn(list, ", \t\r\n");
        struct kai_action *a =
            len ? action_put(c, gs_arena_strndup(k->arena, list, len)) : NULL;

        if (a)
            *a = (struct kai_action){ a->name, priority--, false, at };
        else if (len)
            too_many(k, at);
        list += len + (list[len] != '\0');
    }
}

#define ACTIONS "allocate, consolidation, reclaim, preempt, stalegangeviction"

/* --- a file --------------------------------------------------------------- */

static bool is_word_in(const char *text, const char *word)
{
    return text && strstr(text, word) != NULL;
}

bool kube_kai_conf_is(const struct gs_ynode *root)
{
    const struct gs_ynode *actions = gs_ynode_find(root, "actions");

    if (gs_ynode_find(root, "modules"))
        return false; /* a profile of ours */
    if (actions && actions->kind == GS_YSCALAR
        && (is_word_in(actions->text, "consolidation")
            || is_word_in(actions->text, "stalegangeviction")))
        return true;
    for (const struct gs_ynode *t = kube_list(root, "tiers"); t; t = t->next) {
        for (const struct gs_ynode *p = kube_list(t, "plugins"); p;
             p = p->next) {
            const char *name = kube_text(p, "name");

            for (size_t i = 0;
                 name && i < sizeof(own_plugins) / sizeof(own_plugins[0]);
                 i++) {
                if (strcmp(name, own_plugins[i]) == 0)
                    return true;
            }
        }
    }
    return false;
}

/* Switches of extension points: all plugins of a kind are one module here. */
static void switches_tell(struct kube *k, const char *name,
                          const struct gs_ynode *plugin)
{
    for (const struct gs_ynode *v = plugin->child; v; v = v->next) {
        if (strcmp(v->key->text, "name") != 0
            && strcmp(v->key->text, "arguments") != 0)
            kube_conf_ignore(k, v, "'%.60s' of plugin '%.60s'", v->key->text,
                             name);
    }
}

static void file_plugins_take(struct kube *k, struct kai_conf *c,
                              const struct gs_ynode *root)
{
    for (const struct gs_ynode *t = kube_list(root, "tiers"); t; t = t->next) {
        for (const struct gs_ynode *p = kube_list(t, "plugins"); p;
             p = p->next) {
            const char *name = kube_text(p, "name");
            struct kai_plugin *to = name ? plugin_put(c, name) : NULL;

            if (!name) {
                import_account_tell(k->account, IMPORT_LEFT, k->source, p,
                                    "a plugin without a name");
                continue;
            }
            if (!to) {
                too_many(k, p);
                return;
            }
            to->at = p;
            to->argument = kube_at(p, "arguments");
            switches_tell(k, name, p);
        }
    }
}

static void file_defaults_put(struct kai_conf *c)
{
    static const char *const names[] = {
        "predicates",       "proportion",       "priority",
        "elastic",          "kubeflow",         "ray",
        "nodeavailability", "gpusharingorder",  "gpupack",
        "resourcetype",     "subgrouporder",    "taskorder",
        "nominatednode",    "dynamicresources", "nodeplacement",
        "minruntime",       "topology",         "snapshot",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        (void)plugin_put(c, names[i]);
}

int kube_kai_conf_take(struct kube *k, const struct gs_ynode *root)
{
    const struct gs_ynode *actions = kube_at(root, "actions");
    const struct gs_ynode *usage = kube_at(root, "usageDBConfig");
    struct kube_conf *to = kube_conf_add(k, NAME);
    struct kai_conf c = { .usage = kube_at(usage, "usageParams"),
                          .has_usage = usage != NULL,
                          .depth = kube_at(root, "queueDepthPerAction") };
    int rc;

    if (!to)
        return -1;
    actions_put(
        k, &c, actions && actions->kind == GS_YSCALAR ? actions->text : ACTIONS,
        actions);
    file_plugins_take(k, &c, root);
    if (!kube_list(root, "tiers"))
        file_defaults_put(&c);
    rc = kube_kai_profile_make(k, &c, to);
    k->confs->count -= rc < 0;
    return rc;
}

/* --- flags ---------------------------------------------------------------- */

bool kube_kai_follows(const struct gs_ynode *v)
{
    static const struct {
        const char *name, *value; /* that it has here; NULL: any */
    } flags[] = {
        { "max-consolidation-preemptees", NULL },
        { "default-staleness-grace-period", NULL },
        { "use-scheduling-signatures", NULL },
        { "full-hierarchy-fairness", "true" },
        { "allow-consolidating-reclaim", "true" },
        { "restrict-node-scheduling", "false" },
        { "schedule-csi-storage", "false" },
        { "burst", NULL },
        { "detailed-fit-errors", NULL },
        { "enable-profiler", NULL },
        { "leader-elect", NULL },
        { "listen-address", NULL },
        { "log-json", NULL },
        { "metrics-namespace", NULL },
        { "namespace", NULL },
        { "num-of-status-recording-workers", NULL },
        { "plugin-server-port", NULL },
        { "profiler-port", NULL },
        { "pyroscope-address", NULL },
        { "pyroscope-block-profiler-rate", NULL },
        { "pyroscope-mutex-profiler-rate", NULL },
        { "qps", NULL },
        { "update-pod-eviction-condition", NULL },
        { "v", NULL },
        { "version", NULL },
    };

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(flags[i].name, v->key->text) == 0)
            return !flags[i].value
                   || (v->kind == GS_YSCALAR
                       && strcmp(flags[i].value, v->text) == 0);
    }
    return false;
}

/* --- a shard -------------------------------------------------------------- */

static void shard_defaults_put(struct kube *k, struct kai_conf *c)
{
    static const struct {
        const char *name;
        int64_t priority;
    } plugins[] = {
        { "predicates", 1900 },
        { "proportion", 1800 },
        { "priority", 1700 },
        { "nodeavailability", 1600 },
        { "resourcetype", 1500 },
        { "podaffinity", 1400 },
        { "elastic", 1300 },
        { "kubeflow", 1200 },
        { "ray", 1100 },
        { "subgrouporder", 1000 },
        { "taskorder", 900 },
        { "nominatednode", 800 },
        { "dynamicresources", 700 },
        { "minruntime", 600 },
        { "topology", 500 },
        { "snapshot", 400 },
        { "gpupack", 300 },
        { "nodeplacement", 200 },
        { "gpusharingorder", 100 },
    };
    const bool spreads = c->gpu && strcmp(c->gpu, "spread") == 0;

    for (size_t i = 0; i < sizeof(plugins) / sizeof(plugins[0]); i++) {
        const char *name = plugins[i].name;

        if (spreads && strcmp(name, "gpupack") == 0)
            name = "gpuspread";
        plugin_put(c, name)->priority = plugins[i].priority;
    }
    actions_put(k, c, ACTIONS, NULL);
    for (uint32_t i = 0; i < c->actions; i++)
        c->action[i].priority = 500 - 100 * (int64_t)i;
    if (spreads)
        plugin_put(c, "gpusharingorder")->is_off = true;
    if (spreads || (c->cpu && strcmp(c->cpu, "spread") == 0))
        action_put(c, "consolidation")->is_off = true;
}

static void shard_changes_take(struct kube *k, struct kai_conf *c,
                               const struct gs_ynode *spec)
{
    for (const struct gs_ynode *v = kube_map(spec, "plugins"); v; v = v->next) {
        struct kai_plugin *p = plugin_put(c, v->key->text);

        if (!p) {
            too_many(k, v);
            continue;
        }
        p->at = v;
        p->argument = kube_at(v, "arguments");
        p->is_off = !kube_flag(v, "enabled", !p->is_off);
        p->priority = kube_number(k, v, "priority", p->priority, INT32_MIN,
                                  INT32_MAX);
    }
    for (const struct gs_ynode *v = kube_map(spec, "actions"); v; v = v->next) {
        struct kai_action *a = action_put(c, v->key->text);

        if (!a) {
            too_many(k, v);
            continue;
        }
        a->at = v;
        a->is_off = !kube_flag(v, "enabled", !a->is_off);
        a->priority = kube_number(k, v, "priority", a->priority, INT32_MIN,
                                  INT32_MAX);
    }
}

/* The highest priority first; those of one priority stay in order. */
static void shard_sort(struct kai_conf *c)
{
    for (uint32_t i = 1; i < c->plugins; i++) {
        const struct kai_plugin p = c->plugin[i];
        uint32_t at = i;

        for (; at > 0 && c->plugin[at - 1].priority < p.priority; at--)
            c->plugin[at] = c->plugin[at - 1];
        c->plugin[at] = p;
    }
    for (uint32_t i = 1; i < c->actions; i++) {
        const struct kai_action a = c->action[i];
        uint32_t at = i;

        for (; at > 0 && c->action[at - 1].priority < a.priority; at--)
            c->action[at] = c->action[at - 1];
        c->action[at] = a;
    }
}

/* Is there a shard of the pool, or a configuration of the scheduler's own? */
static bool has_shard(const struct kube *k, const char *pool)
{
    for (uint32_t i = 0; i < k->confs->count; i++) {
        const struct kube_conf *c = k->confs->at[i];

        if (strcmp(c->name, NAME) == 0
            && (!c->pool || strcmp(c->pool, pool) == 0))
            return true;
    }
    return false;
}

/* The shard of the pool in `c`, without its defaults. */
static int shard_make(struct kube *k, struct kai_conf *c, const char *pool,
                      const struct gs_ynode *spec)
{
    struct kube_conf *to = kube_conf_add(k, NAME);
    int rc;

    if (!to)
        return -1;
    to->pool = gs_arena_strndup(k->arena, pool, strlen(pool));
    shard_defaults_put(k, c);
    shard_changes_take(k, c, spec);
    shard_sort(c);
    rc = kube_kai_profile_make(k, c, to);
    k->confs->count -= rc < 0;
    return rc;
}

void kube_kai_shard_assume(struct kube *k, const char *pool)
{
    struct kai_conf c = { 0 };

    (void)shard_make(k, &c, pool, NULL);
}

/* `at` states the shard; values of Helm have one placementStrategy for both. */
static int shard_take(struct kube *k, const struct gs_ynode *at,
                      const struct gs_ynode *spec)
{
    const struct gs_ynode *usage = kube_at(spec, "usageDBConfig");
    const struct gs_ynode *pool = kube_at(spec, "partitionLabelValue");
    const char *partition = kube_text(spec, "partitionLabelValue");
    const char *both = kube_text(spec, "placementStrategy"); /* of Helm */
    struct kai_conf c = {
        .gpu = both ? both : kube_text(spec, "placementStrategy.gpu"),
        .cpu = both ? both : kube_text(spec, "placementStrategy.cpu"),
        .k = kube_at(spec, "kValue"),
        .usage = kube_at(usage, "usageParams"),
        .has_usage = usage != NULL,
        .preempt = kube_at(spec, "minRuntime.preemptMinRuntime"),
        .reclaim = kube_at(spec, "minRuntime.reclaimMinRuntime"),
        .args = kube_at(spec, "args"),
        .depth = kube_at(spec, "queueDepthPerAction"),
    };

    partition = partition ? partition : "";
    if (has_shard(k, partition)) {
        import_account_tell(k->account, IMPORT_IGNORED, k->source, at,
                            "SchedulingShards beside the first of the same "
                            "node pool");
        return 0;
    }
    kube_pool_note(k, pool ? pool : at, partition);
    return shard_make(k, &c, partition, spec);
}

int kube_kai_shard_read(struct kube *k, const struct import_object *o)
{
    return shard_take(k, o->root, kube_at(o->root, "spec"));
}

bool kube_kai_values_are(const struct gs_ynode *root)
{
    const struct gs_ynode *scheduler = kube_at(root, "scheduler");
    const char *where = kube_text(scheduler, "placementStrategy");

    return (where
            && (strcmp(where, "binpack") == 0 || strcmp(where, "spread") == 0))
           || kube_at(root, "defaultQueue.parentResources")
           || kube_at(scheduler, "plugins.proportion")
           || kube_at(scheduler, "actions.consolidation");
}

int kube_kai_values_take(struct kube *k, const struct gs_ynode *root)
{
    kube_kai_default_queues_take(k, kube_at(root, "defaultQueue"));
    return shard_take(k, root, kube_at(root, "scheduler"));
}
