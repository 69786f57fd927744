/* import/kubernetes/conf/kai_pool.c - see kai_pool.h. */
#include "import/kubernetes/conf/kai_pool.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/source.h"

#define LABEL "kai.scheduler/node-pool"
#define QUEUE "kai.scheduler/queue"
#define SCHEDULER "kai-scheduler"

/* Where the pods of workloads are described. */
static const char *const templates[] = { "", "spec.template.",
                                         "spec.jobTemplate.spec.template." };

#define TEMPLATES (sizeof(templates) / sizeof(templates[0]))

static const struct gs_ynode *at_template(struct kube *k,
                                          const struct gs_ynode *root, size_t i,
                                          const char *path)
{
    return kube_at(root, gs_arena_printf(k->arena, "%s%s", templates[i], path));
}

/* The label of the object, or of its pods; NULL. */
static const char *label_of(struct kube *k, const struct gs_ynode *root,
                            const char *label)
{
    const struct gs_ynode *v = NULL;

    for (size_t i = 0; i < TEMPLATES && !v; i++)
        v = kube_key(at_template(k, root, i, "metadata.labels"), label);
    return v && v->kind == GS_YSCALAR ? v->text : NULL;
}

/* Does KAI schedule the pods of the workload? */
static bool is_scheduled(struct kube *k, const struct gs_ynode *root)
{
    bool is = label_of(k, root, QUEUE) || label_of(k, root, LABEL);

    for (size_t i = 0; i < TEMPLATES && !is; i++) {
        const struct gs_ynode *v = at_template(k, root, i,
                                               "spec.schedulerName");

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
static const char *pool_of(struct kube *k, const struct import_object *o)
{
    const char *pool;

    if (is_of(o, "kai.scheduler") && strcmp(o->kind, "SchedulingShard") == 0) {
        pool = kube_text(o->root, "spec.partitionLabelValue");
    } else {
        if (strcmp(o->kind, "Node") != 0 && !is_of(o, "scheduling.run.ai")
            && !is_scheduled(k, o->root))
            return NULL;
        pool = label_of(k, o->root, LABEL);
    }
    return pool ? pool : "";
}

bool kube_pool_is_other(struct kube *k, const struct import_object *o)
{
    const char *pool = k->pool ? pool_of(k, o) : NULL;

    if (!pool || strcmp(pool, k->pool) == 0)
        return false;
    import_account_tell(k->account, IMPORT_LEFT, o->source, o->root,
                        "%.60s: it is of another node pool", o->kind);
    return true;
}

void kube_pool_note(struct kube *k, const struct gs_ynode *at,
                    const char *value)
{
    struct kube_shards *all = &k->shards;

    value = value ? value : "";
    if (!all->first)
        all->first = gs_arena_strndup(k->arena, value, strlen(value));
    else if (!all->other && strcmp(all->first, value) != 0) {
        all->other = gs_arena_strndup(k->arena, value, strlen(value));
        all->source = gs_arena_strndup(k->arena, k->source, strlen(k->source));
        all->line = at->line;
        all->column = at->column;
    }
}

int kube_pools_check(const struct kube *k, struct gs_err *err)
{
    const struct kube_shards *all = &k->shards;

    if (!all->other)
        return 0;
    return gs_fail(err, GS_INPUT,
                   (struct gs_mark){ all->source, all->line, all->column },
                   "a SchedulingShard of node pool '%.60s' beside one of "
                   "'%.60s': each is a scheduler with nodes, queues and jobs "
                   "of its own ('gsim import kubernetes --node-pool VALUE' "
                   "reads those of one)",
                   all->other, all->first);
}
