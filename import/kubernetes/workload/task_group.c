/* import/kubernetes/workload/task_group.c - see task_group.h. */
#include "import/kubernetes/workload/task_group.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/kube_quantity.h"
#include "import/kubernetes/pod/pod_template.h"

#define YUNIKORN "yunikorn.apache.org/"

static uint32_t annotation(struct kube *k, const struct kube_template *t,
                           const char *key)
{
    return kube_label_value(&t->annotations, kube_put(k, key));
}

static void tell(struct kube *k, const struct kube_template *t,
                 const char *name, const char *what)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    import_account_tell(k->account, IMPORT_IGNORED, kube_str(k, t->source), &at,
                        YUNIKORN "task-groups: '%.60s' %s", name, what);
}

/* --- what YuniKorn takes -------------------------------------------------- */

/* Whole, from 1 on; 0: it is none. */
static uint32_t members_of(const struct gs_ynode *group)
{
    const struct gs_ynode *n = kube_at(group, "minMember");
    char *end = NULL;
    const long long all = n && n->kind == GS_YSCALAR && !n->quoted
                              ? strtoll(n->text, &end, 10)
                              : 0;

    return end && !*end && all > 0 && all <= INT32_MAX ? (uint32_t)all : 0;
}

static bool is_taken(const struct gs_ynode *group)
{
    const struct gs_ynode *least = kube_at(group, "minResource");
    const char *name = kube_text(group, "name");
    int64_t milli;
    bool takes = name && *name && members_of(group) && least
                 && least->kind == GS_YMAP;

    for (const struct gs_ynode *v = takes ? least->child : NULL; v && takes;
         v = v->next)
        takes = v->kind == GS_YSCALAR
                && kube_quantity_parse(v->text, &milli) == 0;
    return takes;
}

/* The list of task groups that the pods state; NULL. */
static const struct gs_ynode *groups_of(struct kube *k,
                                        const struct kube_template *t)
{
    const uint32_t text = annotation(k, t, YUNIKORN "task-groups");
    struct gs_err why = { 0 };
    const struct gs_ynode *root =
        text ? gs_yaml_parse("task-groups", kube_str(k, text), k->arena, &why)
             : NULL;
    bool takes = root && root->kind == GS_YSEQ;

    if (!text)
        return NULL;
    for (const struct gs_ynode *g = takes ? root->child : NULL; g && takes;
         g = g->next)
        takes = is_taken(g);
    if (!takes)
        tell(k, t, kube_str(k, text), "are none that YuniKorn takes");
    return takes ? root->child : NULL;
}

/* --- what a group asks for beside its pods -------------------------------- */

/* Placeholders are as large as minResource there. */
static bool is_as_large(struct kube *k, const struct gs_ynode *group,
                        const struct kube_template *t)
{
    const struct kube_amounts pod = kube_template_request(k, t, NULL);
    const struct kube_amounts least = kube_amounts_read(
        k, kube_at(group, "minResource"));
    bool same = true;

    for (uint32_t i = 0; i < pod.count && same; i++)
        same = kube_amount_of(&least, pod.at[i].name) == pod.at[i].milli;
    for (uint32_t i = 0; i < least.count && same; i++)
        same = kube_amount_of(&pod, least.at[i].name) == least.at[i].milli;
    return same;
}

static void terms_tell(struct kube *k, const struct gs_ynode *group,
                       const struct kube_template *t)
{
    const struct {
        const char *key;
        bool states; /* the pods state such themselves */
    } all[] = {
        { "nodeSelector", t->nodes.count > 0 },
        { "affinity", t->terms > 0 || t->prefers > 0 || t->nears > 0 },
        { "tolerations", t->tolerations > 0 },
        { "topologySpreadConstraints", t->spreads > 0 },
    };
    char text[96];

    if (!is_as_large(k, group, t))
        tell(k, t, kube_text(group, "name"),
             "has a minResource that is not what its pods ask for: "
             "placeholders are as large as these");
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        const struct gs_ynode *n = kube_at(group, all[i].key);

        if (!n || !n->child || all[i].states)
            continue;
        (void)snprintf(text, sizeof(text), "has %s that its pods lack",
                       all[i].key);
        tell(k, t, kube_text(group, "name"), text);
    }
}

/* --- members -------------------------------------------------------------- */

struct group {
    uint32_t name;
    const struct gs_ynode *said;
    const struct kube_template *pods; /* the first that name it; NULL */
};

static int by_name(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    return x->name < y->name ? -1 : x->name > y->name;
}

uint32_t kube_task_groups_members(struct kube *k,
                                  const struct kube_template *const *pods,
                                  uint32_t count)
{
    const struct gs_ynode *said = NULL;
    int64_t named = 0, all = 0;
    struct group *group, *found;
    uint32_t groups = 0;

    assert(pods || !count);
    for (uint32_t i = 0; i < count && !said; i++)
        said = groups_of(k, pods[i]);
    for (const struct gs_ynode *g = said; g; g = g->next)
        groups++;
    group = gs_arena_alloc(k->arena, groups, sizeof(*group));
    groups = 0;
    for (const struct gs_ynode *g = said; g; g = g->next)
        group[groups++] = (struct group){ kube_name(k, g, "name"), g, NULL };
    if (groups)
        qsort(group, groups, sizeof(*group), by_name);
    for (uint32_t i = 0; i < count && groups; i++) {
        const struct group want = {
            .name = annotation(k, pods[i], YUNIKORN "task-group-name")
        };

        found = bsearch(&want, group, groups, sizeof(*group), by_name);
        if (found && !found->pods)
            found->pods = pods[i];
    }
    for (uint32_t i = 0; i < groups; i++) {
        all += members_of(group[i].said);
        if (!group[i].pods)
            continue;
        named += members_of(group[i].said);
        terms_tell(k, group[i].said, group[i].pods);
    }
    if (named == 0)
        named = all;
    return named < INT32_MAX ? (uint32_t)named : INT32_MAX;
}

uint32_t kube_task_group_application(struct kube *k,
                                     const struct kube_template *t)
{
    static const char *const labels[] = { YUNIKORN "app-id",
                                          "spark-app-selector",
                                          "applicationId" };
    const char *scheduler = kube_str(k, t->scheduler);
    uint32_t name = 0;
    char full[600];

    if ((*scheduler && strcmp(scheduler, "yunikorn") != 0)
        || (!annotation(k, t, YUNIKORN "task-group-name")
            && !annotation(k, t, YUNIKORN "task-groups")))
        return 0;
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]) && !name; i++)
        name = kube_label_value(&t->labels, kube_put(k, labels[i]));
    if (!name)
        name = annotation(k, t, YUNIKORN "app-id");
    if (!name)
        return 0;
    (void)snprintf(full, sizeof(full), "%.253s/%.253s", kube_str(k, t->space),
                   kube_str(k, name));
    return kube_put(k, full);
}

bool kube_task_group_is_placeholder(struct kube *k,
                                    const struct kube_template *t)
{
    static const char *const keys[] = { "internal." YUNIKORN "placeholder",
                                        YUNIKORN "placeholder" };
    bool holds = false;

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !holds; i++)
        holds = kube_go_true(kube_str(k, annotation(k, t, keys[i])));
    return holds;
}
