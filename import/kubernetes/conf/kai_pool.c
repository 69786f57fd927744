/* import/kubernetes/conf/kai_pool.c - see kai_pool.h. */
#include "import/kubernetes/conf/kai_pool.h"

#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/conf/kai_conf.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/source.h"

#define LABEL KUBE_POOL_LABEL
#define QUEUE "kai.scheduler/queue"
#define SCHEDULER "kai-scheduler"

/* Where the pods of workloads are described. */
static const char *const templates[] = { NULL, "spec.template",
                                         "spec.jobTemplate.spec.template" };

#define TEMPLATES (sizeof(templates) / sizeof(templates[0]))

static const struct gs_ynode *at_template(const struct gs_ynode *root, size_t i,
                                          const char *path)
{
    return kube_at(templates[i] ? kube_at(root, templates[i]) : root, path);
}

/* The label of the object, or of its pods; NULL. */
static const char *label_of(const struct gs_ynode *root, const char *label)
{
    const struct gs_ynode *v = NULL;

    for (size_t i = 0; i < TEMPLATES && !v; i++)
        v = kube_key(at_template(root, i, "metadata.labels"), label);
    return v && v->kind == GS_YSCALAR ? v->text : NULL;
}

/* Does KAI schedule the pods of the workload? */
static bool is_scheduled(const struct gs_ynode *root)
{
    bool is = label_of(root, QUEUE) || label_of(root, LABEL);

    for (size_t i = 0; i < TEMPLATES && !is; i++) {
        const struct gs_ynode *v = at_template(root, i, "spec.schedulerName");

        is = v && v->kind == GS_YSCALAR && strcmp(v->text, SCHEDULER) == 0;
    }
    return is;
}

static bool is_of(const struct import_object *o, const char *group)
{
    const size_t len = strlen(group);

    return strncmp(o->api_version, group, len) == 0
           && o->api_version[len] == '/';
}

/* The pool of the object; NULL: it is of all. */
static const char *pool_of(const struct import_object *o)
{
    const char *pool;

    if (is_of(o, "kai.scheduler") && strcmp(o->kind, "SchedulingShard") == 0) {
        pool = kube_text(o->root, "spec.partitionLabelValue");
    } else {
        if (strcmp(o->kind, "Node") != 0 && !is_of(o, "scheduling.run.ai")
            && !is_scheduled(o->root))
            return NULL;
        pool = label_of(o->root, LABEL);
    }
    return pool ? pool : "";
}

bool kube_pool_is_other(struct kube *k, const struct import_object *o)
{
    const char *pool = k->pool ? pool_of(o) : NULL;

    k->object_pool = label_of(o->root, LABEL);
    if (!pool || strcmp(pool, k->pool) == 0)
        return false;
    import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                        "%.60s: it is of another node pool", o->kind);
    return true;
}

/* --- kind Config ---------------------------------------------------------- */

/* How KAI is deployed: told is only what renames labels, or the scheduler. */
int kube_kai_config_read(struct kube *k, const struct import_object *o)
{
    static const struct {
        const char *path, *value, *text;
    } rows[] = {
        { "spec.global.schedulerName", SCHEDULER,
          "schedulerName of KAI's Config: '" SCHEDULER "' is KAI here" },
        { "spec.global.queueLabelKey", "kai.scheduler/queue",
          "queueLabelKey of KAI's Config: queues are named by "
          "kai.scheduler/queue" },
        { "spec.global.nodePoolLabelKey", "kai.scheduler/node-pool",
          "nodePoolLabelKey of KAI's Config: pools are named by "
          "kai.scheduler/node-pool" },
    };
    int rc = 1;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *value = kube_text(o->root, rows[i].path);

        if (!value || strcmp(value, rows[i].value) == 0)
            continue;
        kube_conf_ignore(k, kube_at(o->root, rows[i].path), "%s", rows[i].text);
        rc = 0;
    }
    return rc;
}

/* --- shards --------------------------------------------------------------- */

static bool has_pool(const struct kube_pools *all, const char *name)
{
    uint32_t i = 0;

    while (i < all->count && strcmp(all->at[i].name, name) != 0)
        i++;
    return i < all->count;
}

static void pool_add(struct kube *k, const char *name, const char *source,
                     const struct gs_ynode *at)
{
    struct kube_pools *all = &k->pools;

    all->at = gs_array_grow(all->at, &all->cap, all->count + 1,
                            sizeof(*all->at));
    all->at[all->count++] = (struct kube_pool){
        .name = gs_arena_strndup(k->arena, name, strlen(name)),
        .source = gs_arena_strndup(k->arena, source, strlen(source)),
        .line = at ? at->line : 0,
        .column = at ? at->column : 0,
    };
}

void kube_pool_note(struct kube *k, const struct gs_ynode *at, const char *pool)
{
    if (!has_pool(&k->pools, pool))
        pool_add(k, pool, k->source, at);
}

static const char *scheduler_name(struct kube *k, const char *pool)
{
    return *pool ? gs_arena_printf(k->arena, SCHEDULER "-%s", pool) : SCHEDULER;
}

/* The shards of the pool among several. */
static void shards_name(struct kube *k, const char *pool)
{
    for (uint32_t i = 0; i < k->confs->count; i++) {
        struct kube_conf *c = k->confs->at[i];

        if (!c->pool || strcmp(c->pool, pool) != 0)
            continue;
        c->name = scheduler_name(k, pool);
        c->shares_of = *pool ? gs_arena_printf(k->arena, LABEL "=%s", pool)
                             : "!" LABEL;
    }
}

void kube_pools_finish(struct kube *k)
{
    const struct kube_pools *all = &k->pools;

    for (uint32_t i = 0; i < all->count && all->count > 1; i++)
        shards_name(k, all->at[i].name);
    if (all->count == 1 && *all->at[0].name && !k->pool)
        import_account_tell(k->account, IMPORT_IGNORED, all->at[0].source,
                            &(struct gs_ynode){ .line = all->at[0].line,
                                                .column = all->at[0].column },
                            "'partitionLabelValue' of a shard: without "
                            "--node-pool it has all nodes, queues and jobs");
}

/* --- pods ----------------------------------------------------------------- */

uint32_t kube_pool_scheduler(struct kube *k, const struct kube_template *t,
                             uint32_t kai)
{
    const char *pool = kube_str(k, t->pool);

    if (k->pools.count < 2)
        return kai;
    if (!has_pool(&k->pools, pool)) {
        import_account_tell(
            k->account, IMPORT_ASSUMED, kube_str(k, t->source),
            &(struct gs_ynode){ .line = t->line, .column = t->column },
            "pods of node pool '%.60s', of which there is no SchedulingShard, "
            "have one with its defaults",
            pool);
        pool_add(k, pool, kube_str(k, t->source), NULL);
        kube_kai_shard_assume(k, pool);
        shards_name(k, pool);
    }
    return kube_put(k, scheduler_name(k, pool));
}

void kube_pool_require(struct kube *k, const struct kube_template *t,
                       struct kube_conditions *c)
{
    const uint32_t label = kube_put(k, LABEL);

    if (k->pools.count < 2 || !kube_is_kai(kube_str(k, t->scheduler)))
        return;
    if (t->pool)
        kube_conditions_require(k, c, label, t->pool);
    else
        kube_conditions_append(
            k, c, &(struct topo_condition){ .key = label, .op = TOPO_ABSENT },
            1);
}
