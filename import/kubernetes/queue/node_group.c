/* import/kubernetes/queue/node_group.c - see node_group.h.
 *
 * Volcano's plugin nodegroup: a node is of the group that its label names.  A
 * queue may use the groups that it requires or prefers, but for those that it
 * must not use, and those that it had better not use.
 */
#include "import/kubernetes/queue/node_group.h"

#include <string.h>

#include "base/arena.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "topology/resources.h"

#define LABEL "volcano.sh/nodegroup-name"
#define NAMES_MAX 50 /* of a list */
#define DEPTH_MAX 64 /* queues above a queue */

/* Points are 100 and 50 there; module node-affinity has weight 2. */
#define REQUIRED_POINTS 50
#define PREFERRED_POINTS 25

enum group_list { REQUIRED, PREFERRED, MUST_NOT, HAD_BETTER_NOT, LISTS };

struct kube_node_groups {
    uint32_t count[LISTS];
    const uint32_t *name[LISTS]; /* string ids */
};

/* --- reading -------------------------------------------------------------- */

static void list_read(struct kube *k, const struct gs_ynode *of,
                      const char *path, struct kube_node_groups *g,
                      enum group_list which)
{
    uint32_t *name = gs_arena_alloc(k->arena, NAMES_MAX, sizeof(*name));

    g->name[which] = name;
    for (const struct gs_ynode *n = kube_list(of, path); n; n = n->next) {
        if (n->kind != GS_YSCALAR || !n->len)
            continue;
        if (g->count[which] == NAMES_MAX) {
            import_account_tell(k->account, IMPORT_LEFT, k->source, n,
                                "groups of nodes of a queue beyond %d",
                                NAMES_MAX);
            return;
        }
        name[g->count[which]++] = kube_put(k, n->text);
    }
}

const struct kube_node_groups *kube_node_groups_read(
    struct kube *k, const struct gs_ynode *spec)
{
    static const char *const path[LISTS] = {
        [REQUIRED] = "nodeGroupAffinity."
                     "requiredDuringSchedulingIgnoredDuringExecution",
        [PREFERRED] = "nodeGroupAffinity."
                      "preferredDuringSchedulingIgnoredDuringExecution",
        [MUST_NOT] = "nodeGroupAntiAffinity."
                     "requiredDuringSchedulingIgnoredDuringExecution",
        [HAD_BETTER_NOT] = "nodeGroupAntiAffinity."
                           "preferredDuringSchedulingIgnoredDuringExecution",
    };
    const struct gs_ynode *affinity = kube_at(spec, "affinity");
    struct kube_node_groups *g;

    if (!affinity)
        return NULL;
    g = gs_arena_alloc(k->arena, 1, sizeof(*g));
    for (int i = 0; i < LISTS; i++)
        list_read(k, affinity, path[i], g, (enum group_list)i);
    return g;
}

/* --- applying ------------------------------------------------------------- */

void kube_node_groups_tell(struct kube *k)
{
    for (uint32_t i = 0; i < k->queues->count && !k->node_groups.scheduler;
         i++) {
        if (k->queues->at[i].groups)
            import_account_tell(k->account, IMPORT_IGNORED, NULL, NULL,
                                "'affinity' of queue '%s': no configuration of "
                                "the sources has plugin nodegroup",
                                kube_str(k, k->queues->at[i].name));
    }
}

/* The groups of the queue, or of the nearest above that has some; NULL. */
static const struct kube_node_groups *groups_of(const struct kube *k,
                                                uint32_t queue, bool inherits)
{
    const struct kube_queue *q = kube_queue_find(
        k, queue ? queue : kube_put(k, "default"));

    for (uint32_t depth = 0; inherits && q && !q->groups && depth < DEPTH_MAX;
         depth++)
        q = q->parent ? kube_queue_find(k, q->parent) : NULL;
    return q ? q->groups : NULL;
}

static bool has(const struct kube_node_groups *g, enum group_list which,
                uint32_t name)
{
    for (uint32_t i = 0; i < g->count[which]; i++) {
        if (g->name[which][i] == name)
            return true;
    }
    return false;
}

static bool is_allowed(const struct kube_node_groups *g, uint32_t name)
{
    return has(g, HAD_BETTER_NOT, name)
           || ((has(g, REQUIRED, name) || has(g, PREFERRED, name))
               && !has(g, MUST_NOT, name));
}

/* The groups that may be used, each once; their number. */
static uint32_t allowed(const struct kube_node_groups *g, uint32_t *out)
{
    static const enum group_list lists[] = { REQUIRED, PREFERRED,
                                             HAD_BETTER_NOT };
    uint32_t n = 0;

    for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); l++) {
        for (uint32_t i = 0; i < g->count[lists[l]]; i++) {
            const uint32_t name = g->name[lists[l]][i];
            uint32_t k = 0;

            while (k < n && out[k] != name)
                k++;
            if (k == n && is_allowed(g, name))
                out[n++] = name;
        }
    }
    return n;
}

static uint32_t points_of(const struct kube_node_groups *g, uint32_t name,
                          bool ordered)
{
    uint32_t points = has(g, REQUIRED, name) ? REQUIRED_POINTS : 0;
    uint32_t i = 0;

    if (has(g, HAD_BETTER_NOT, name))
        return 0;
    while (i < g->count[PREFERRED] && g->name[PREFERRED][i] != name)
        i++;
    if (i == g->count[PREFERRED])
        return points;
    if (!ordered)
        i = 0;
    points += PREFERRED_POINTS * (g->count[PREFERRED] - i)
              / g->count[PREFERRED];
    return points ? points : 1;
}

static void conditions_add(struct kube *k, struct topo_request *r,
                           const struct topo_condition *more, uint32_t count)
{
    struct topo_condition *c = gs_arena_alloc(
        k->arena, r->selector_count + count, sizeof(*c));

    if (r->selector_count)
        memcpy(c, r->selector, r->selector_count * sizeof(*c));
    memcpy(c + r->selector_count, more, count * sizeof(*c));
    r->selector = c;
    r->selector_count += count;
}

static void preferences_add(struct kube *k, struct topo_request *r,
                            const struct kube_node_groups *g,
                            const uint32_t *name, uint32_t count, bool ordered)
{
    struct topo_preference *p = gs_arena_alloc(
        k->arena, r->preference_count + count, sizeof(*p));
    struct topo_condition *c = gs_arena_alloc(k->arena, count, sizeof(*c));

    if (r->preference_count)
        memcpy(p, r->preference, r->preference_count * sizeof(*p));
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t points = points_of(g, name[i], ordered);

        c[i] = (struct topo_condition){ .key = kube_put(k, LABEL),
                                        .op = TOPO_IN,
                                        .value_count = 1,
                                        .value = &name[i] };
        if (points)
            p[r->preference_count++] = (struct topo_preference){ points, 1,
                                                                 &c[i] };
    }
    r->preference = p;
}

bool kube_node_groups_apply(struct kube *k, uint32_t queue, uint32_t scheduler,
                            struct topo_request *r)
{
    const struct kube_node_groups_use *use = &k->node_groups;
    const struct kube_node_groups *g;
    struct topo_condition c[2] = {
        { .key = kube_put(k, LABEL), .op = TOPO_EXISTS },
        { .key = kube_put(k, LABEL), .op = TOPO_ABSENT }
    };
    uint32_t *name;

    if (!use->scheduler
        || (scheduler && strcmp(kube_str(k, scheduler), use->scheduler) != 0))
        return false;
    g = groups_of(k, queue, use->inherits);
    if (!g || !(g->count[0] + g->count[1] + g->count[2] + g->count[3])) {
        if (use->lax)
            conditions_add(k, r, &c[1], 1);
        else
            conditions_add(k, r, c, 2); /* as there: on no node at all */
        return true;
    }
    name = gs_arena_alloc(k->arena, LISTS * NAMES_MAX, sizeof(*name));
    c[0].value_count = allowed(g, name);
    if (c[0].value_count == 0) {
        conditions_add(k, r, c, 2);
        return true;
    }
    c[0].op = TOPO_IN;
    c[0].value = name;
    conditions_add(k, r, c, 1);
    preferences_add(k, r, g, name, c[0].value_count, use->ordered);
    return true;
}
