/* import/kubernetes/conf/yunikorn_conf.c - see yunikorn_conf.h.
 *
 * Of several partitions Kubernetes uses the one that is called default.
 */
#include "import/kubernetes/conf/yunikorn_conf.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/object/kube.h"
#include "import/yunikorn/yunikorn.h"

#define PARTITION "default"

/* --- the profile ---------------------------------------------------------- */

static void node_sort_take(struct kube *k, struct kube_conf *c,
                           const struct yunikorn_partition *p)
{
    struct kube_conf_use *u = kube_conf_use(c, "node-usage", 0);

    if (p->binpacks)
        kube_conf_param(k, u, "first", "most");
    if (p->weights)
        kube_conf_no_weights(u, "resources");
    for (uint32_t i = 0; i < p->weights; i++) {
        const char *name = p->weight[i].name;

        /* whole numbers here: thousandths of all */
        kube_conf_weight(
            k, u, "resources", strcmp(name, "vcore") == 0 ? "cpu" : name,
            (int64_t)(p->weight[i].weight * 1000 + 0.5), p->weight[i].at);
    }
}

static int profile_make(struct kube *k, const struct yunikorn_partition *p)
{
    static const char *const uses[] = { "enabled", "disabled", NULL };
    struct kube_conf *c = kube_conf_add(k, KUBE_YUNIKORN);
    struct kube_conf_use *u;

    if (!c)
        return -1;
    c->by_pod = true;
    c->keeps_place = true;
    kube_conf_action(c, "allocate");
    if (p->preempts)
        kube_conf_action(c, "preempt");
    if (p->quota_preempts)
        kube_conf_action(c, "shuffle");
    u = kube_conf_use(c, "fair-queues", 0);
    if (kube_yunikorn_word(
            k,
            yunikorn_property(&p->root.properties, "application.sort.priority"),
            uses)
        == 1)
        kube_conf_param(k, u, "priority", "no");
    (void)kube_conf_use(c, "queue-jobs", 0);
    (void)kube_conf_use(c, "queue-limits", 0);
    u = kube_conf_use(c, "gang", 0);
    kube_conf_param(k, u, "timeout", "15m");
    kube_conf_param(k, u, "again", "no");
    (void)kube_conf_use(c, "fit", 0);
    (void)kube_conf_use(c, "constraints", 0);
    node_sort_take(k, c, p);
    if (p->preempts)
        (void)kube_conf_use(c, "guarantee-victims", 0);
    if (p->quota_preempts)
        (void)kube_conf_use(c, "limit-victims", 0);
    kube_conf_becomes(k, p->at,
                      "queues of YuniKorn: modules fair-queues, "
                      "queue-jobs, queue-limits");
    kube_conf_becomes(k, p->at, "nodesortpolicy %s: module node-usage",
                      p->binpacks ? "binpacking" : "fair");
    if (p->preempts)
        kube_conf_becomes(k, p->at, "preemption: module guarantee-victims");
    if (p->quota_preempts)
        kube_conf_becomes(k, p->at,
                          "quotapreemptionenabled: module limit-victims");
    return 0;
}

/* --- documents ------------------------------------------------------------ */

/* The partition that Kubernetes uses; the others are told.  NULL, which is
 * told, when none of several is it.
 */
static const struct yunikorn_partition *partition_of(
    struct kube *k, const struct yunikorn_conf *c)
{
    uint32_t used = 0;

    while (used < c->partitions
           && strcmp(c->partition[used].name, PARTITION) != 0)
        used++;
    if (used == c->partitions && c->partitions > 1) {
        import_account_tell(k->account, IMPORT_LEFT, k->source,
                            c->partition[0].at,
                            "none of %u partitions is called '" PARTITION
                            "', the one that Kubernetes uses",
                            c->partitions);
        return NULL;
    }
    if (used == c->partitions) {
        used = 0;
        import_account_tell(k->account, IMPORT_ASSUMED, k->source,
                            c->partition[0].at,
                            "partition '%.80s' is '" PARTITION
                            "', the one that Kubernetes uses",
                            c->partition[0].name);
    }
    for (uint32_t i = 0; i < c->partitions; i++) {
        if (i != used)
            import_account_tell(k->account, IMPORT_LEFT, k->source,
                                c->partition[i].at,
                                "partition '%.80s': Kubernetes uses one, "
                                "'" PARTITION "'",
                                c->partition[i].name);
    }
    return &c->partition[used];
}

/* All mistakes, each at its place. */
static void mistakes_tell(struct kube *k, const struct gs_err *err)
{
    for (unsigned i = 0; i < err->count; i++) {
        const struct gs_ynode at = { .line = err->problem[i].line,
                                     .column = err->problem[i].column };

        import_account_tell(k->account, IMPORT_LEFT, k->source, &at, "%s",
                            err->problem[i].text);
    }
}

static struct gs_ynode *copy_of(struct gs_arena *arena,
                                const struct gs_ynode *n)
{
    struct gs_ynode *copy = gs_arena_memdup(arena, n, sizeof(*n));
    const struct gs_ynode **end = &copy->child;

    copy->next = NULL;
    if (n->kind == GS_YSCALAR)
        copy->text = gs_arena_strndup(arena, n->text, n->len);
    for (const struct gs_ynode *c = n->child; c; c = c->next) {
        struct gs_ynode *own = copy_of(arena, c);

        if (c->key)
            own->key = copy_of(arena, c->key);
        *end = own;
        end = &own->next;
    }
    return copy;
}

const struct gs_ynode *kube_yunikorn_copy(struct kube *k,
                                          const struct gs_ynode *n)
{
    return copy_of(k->arena, n);
}

bool kube_yunikorn_conf_is(const struct gs_ynode *root)
{
    return yunikorn_is(root);
}

int kube_yunikorn_conf_take(struct kube *k, const struct gs_ynode *root)
{
    struct gs_err err = { .limit = GS_ERR_MAX }, unknown = err;
    const struct yunikorn_conf *c;

    if (k->yunikorn) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, root,
                            "a second configuration of YuniKorn");
        return -1;
    }
    root = copy_of(k->arena, root);
    c = yunikorn_read(root, k->source, k->arena, &unknown, &err);
    mistakes_tell(k, c ? &unknown : &err);
    if (!c)
        return -1;
    k->yunikorn = partition_of(k, c);
    if (!k->yunikorn)
        return -1;
    kube_yunikorn_queues_take(k);
    return profile_make(k, k->yunikorn);
}
