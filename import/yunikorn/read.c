/* import/yunikorn/read.c - the document, key by key. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/yunikorn/values.h"
#include "import/yunikorn/yunikorn.h"

#define FAIL(r, n, ...)                                              \
    gs_fail((r)->err, GS_INPUT,                                      \
            (struct gs_mark){ (r)->source, (n)->line, (n)->column }, \
            __VA_ARGS__)

/* --- queues --------------------------------------------------------------- */

static void resources_read(const struct yunikorn_reader *r,
                           const struct gs_ynode *map,
                           struct yunikorn_amounts *guaranteed,
                           struct yunikorn_amounts *max)
{
    static const char *const known[] = { "guaranteed", "max", NULL };
    const struct gs_ynode *n = yunikorn_map_of(
        r, yunikorn_value(map, "resources"), "resources", known);

    *guaranteed = yunikorn_amounts_of(r, n, "guaranteed");
    *max = yunikorn_amounts_of(r, n, "max");
}

static struct yunikorn_limit *limits_read(const struct yunikorn_reader *r,
                                          const struct gs_ynode *map,
                                          uint32_t *count)
{
    static const char *const known[] = { "limit",           "users",
                                         "groups",          "maxresources",
                                         "maxapplications", NULL };
    const struct gs_ynode *v = yunikorn_list_of(r, map, "limits", count);
    struct yunikorn_limit *l = gs_arena_alloc(r->arena, *count + 1, sizeof(*l));

    *count = 0;
    for (; v; v = v->next) {
        if (!yunikorn_map_of(r, v, "a limit", known))
            continue;
        l[(*count)++] = (struct yunikorn_limit){
            .at = v,
            .name = yunikorn_text_of(r, v, "limit"),
            .users = yunikorn_words_of(r, v, "users"),
            .groups = yunikorn_words_of(r, v, "groups"),
            .max = yunikorn_amounts_of(r, v, "maxresources"),
            .jobs = yunikorn_number_of(r, v, "maxapplications"),
        };
    }
    return l;
}

static void template_read(const struct yunikorn_reader *r,
                          const struct gs_ynode *map, struct yunikorn_queue *q)
{
    static const char *const known[] = { "maxapplications", "properties",
                                         "resources", NULL };
    const struct gs_ynode *n = yunikorn_map_of(
        r, yunikorn_value(map, "childtemplate"), "childtemplate", known);

    q->template.is_set = n != NULL;
    if (!n)
        return;
    q->template.jobs = yunikorn_number_of(r, n, "maxapplications");
    q->template.properties = yunikorn_properties_of(r, n);
    resources_read(r, n, &q->template.guaranteed, &q->template.max);
}

static int name_compare(const void *a, const void *b)
{
    const struct yunikorn_queue *x = *(const struct yunikorn_queue *const *)a;
    const struct yunikorn_queue *y = *(const struct yunikorn_queue *const *)b;
    const int names = strcmp(x->name, y->name);

    return names ? names : (x > y) - (x < y);
}

static void by_name_set(const struct yunikorn_reader *r,
                        struct yunikorn_queue *q)
{
    q->by_name = gs_arena_alloc(r->arena, q->queues + 1, sizeof(*q->by_name));
    for (uint32_t i = 0; i < q->queues; i++)
        q->by_name[i] = &q->queue[i];
    qsort(q->by_name, q->queues, sizeof(*q->by_name), name_compare);
}

static struct yunikorn_queue *queues_read(const struct yunikorn_reader *r,
                                          const struct gs_ynode *map,
                                          uint32_t *count, int depth);

static void queue_read(const struct yunikorn_reader *r,
                       const struct gs_ynode *n, struct yunikorn_queue *q,
                       int depth)
{
    static const char *const known[] = { "name",
                                         "parent",
                                         "resources",
                                         "maxapplications",
                                         "adminacl",
                                         "submitacl",
                                         "childtemplate",
                                         "properties",
                                         "queues",
                                         "limits",
                                         NULL };

    *q = (struct yunikorn_queue){ .at = n, .name = "" };
    if (!yunikorn_map_of(r, n, "a queue", known))
        return;
    q->name = yunikorn_lower_of(r, yunikorn_text_of(r, n, "name"));
    q->says_parent = yunikorn_flag_of(r, n, "parent", false);
    resources_read(r, n, &q->guaranteed, &q->max);
    q->jobs = yunikorn_number_of(r, n, "maxapplications");
    q->properties = yunikorn_properties_of(r, n);
    q->admin = *yunikorn_text_of(r, n, "adminacl")
                   ? yunikorn_value(n, "adminacl")
                   : NULL;
    q->submit = *yunikorn_text_of(r, n, "submitacl")
                    ? yunikorn_value(n, "submitacl")
                    : NULL;
    template_read(r, n, q);
    q->limit = limits_read(r, n, &q->limits);
    q->queue = queues_read(r, n, &q->queues, depth);
    q->is_parent = q->says_parent || q->queues > 0;
    by_name_set(r, q);
}

static struct yunikorn_queue *queues_read(const struct yunikorn_reader *r,
                                          const struct gs_ynode *map,
                                          uint32_t *count, int depth)
{
    const struct gs_ynode *v = yunikorn_list_of(r, map, "queues", count);
    struct yunikorn_queue *q = gs_arena_alloc(r->arena, *count + 1, sizeof(*q));

    *count = 0;
    if (v && depth >= YUNIKORN_DEPTH_MAX) {
        FAIL(r, v, "queues stand below each other at most %d deep",
             YUNIKORN_DEPTH_MAX);
        return q;
    }
    for (; v; v = v->next)
        queue_read(r, v, &q[(*count)++], depth + 1);
    return q;
}

static bool words_equal(const struct yunikorn_words *a,
                        const struct yunikorn_words *b)
{
    bool same = a->count == b->count;

    for (uint32_t i = 0; same && i < a->count; i++)
        same = strcmp(a->at[i], b->at[i]) == 0;
    return same;
}

static bool amounts_equal(const struct yunikorn_amounts *a,
                          const struct yunikorn_amounts *b)
{
    uint32_t same = 0;

    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++)
            same += strcmp(a->at[i].name, b->at[k].name) == 0
                    && a->at[i].value == b->at[k].value;
    }
    return a->count == b->count && same == a->count;
}

static bool limits_equal(const struct yunikorn_limit *l, uint32_t count,
                         const struct yunikorn_queue *root)
{
    bool same = count == root->limits;

    for (uint32_t i = 0; same && i < count; i++) {
        const struct yunikorn_limit *own = &root->limit[i];

        same = strcmp(l[i].name, own->name) == 0 && l[i].jobs == own->jobs
               && words_equal(&l[i].users, &own->users)
               && words_equal(&l[i].groups, &own->groups)
               && amounts_equal(&l[i].max, &own->max);
    }
    return same;
}

/* A queue called root, and no other, is the root; else it is put on top. */
static void root_read(const struct yunikorn_reader *r, const struct gs_ynode *n,
                      struct yunikorn_partition *p)
{
    uint32_t count, limits;
    struct yunikorn_queue *q = queues_read(r, n, &count, 0);
    struct yunikorn_limit *l = limits_read(r, n, &limits);

    if (!yunikorn_value(n, "queues"))
        FAIL(r, n, "a partition has 'queues'");
    if (count == 1 && strcmp(q[0].name, "root") == 0)
        p->root = q[0];
    else
        p->root = (struct yunikorn_queue){
            .at = n, .name = "root", .queue = q, .queues = count
        };
    by_name_set(r, &p->root);
    p->root.is_parent = p->root.says_parent = true;
    if (limits && p->root.limits && !limits_equal(l, limits, &p->root))
        FAIL(r, l->at, "limits of the partition are those of its root");
    if (limits && !p->root.limits) {
        p->root.limit = l;
        p->root.limits = limits;
    }
}

/* --- the rest of a partition ---------------------------------------------- */

static struct yunikorn_rule *rule_read(const struct yunikorn_reader *r,
                                       const struct gs_ynode *n, int depth)
{
    static const char *const known[] = { "name",  "create", "filter",
                                         "value", "parent", NULL };
    static const char *const of_filter[] = { "type", "users", "groups", NULL };
    static const char *const kinds[] = { "provided", "user", "fixed", "tag" };
    struct yunikorn_rule *rule = gs_arena_alloc(r->arena, 1, sizeof(*rule));
    const struct gs_ynode *f, *parent;
    const char *name, *type;
    uint32_t kind = 0;

    rule->at = n;
    rule->value = "";
    if (!yunikorn_map_of(r, n, "a placement rule", known))
        return rule;
    name = yunikorn_lower_of(r, yunikorn_text_of(r, n, "name"));
    while (kind < 4 && strcmp(kinds[kind], name) != 0)
        kind++;
    if (kind == 4)
        FAIL(r, n,
             "a placement rule is provided, user, fixed or tag, not "
             "'%.40s'",
             name);
    rule->kind = (enum yunikorn_rule_kind)kind;
    rule->create = yunikorn_flag_of(r, n, "create", false);
    rule->value = yunikorn_lower_of(r, yunikorn_text_of(r, n, "value"));
    if ((kind == YUNIKORN_FIXED || kind == YUNIKORN_TAG) && !*rule->value)
        FAIL(r, n, "a placement rule %s has a 'value'", name);
    f = yunikorn_map_of(r, yunikorn_value(n, "filter"), "filter", of_filter);
    type = yunikorn_lower_of(r, yunikorn_text_of(r, f, "type"));
    if (*type && strcmp(type, "allow") != 0 && strcmp(type, "deny") != 0)
        FAIL(r, yunikorn_value(f, "type"),
             "the type of a filter is allow or deny, not '%.40s'", type);
    /* in another case the word is known, but does not deny */
    rule->denies = strcmp(yunikorn_text_of(r, f, "type"), "deny") == 0;
    rule->users = yunikorn_words_of(r, f, "users");
    rule->groups = yunikorn_words_of(r, f, "groups");
    parent = yunikorn_value(n, "parent");
    if (parent && !gs_ynode_is_null(parent) && depth < YUNIKORN_DEPTH_MAX)
        rule->parent = rule_read(r, parent, depth + 1);
    return rule;
}

static void rules_read(const struct yunikorn_reader *r,
                       const struct gs_ynode *n, struct yunikorn_partition *p)
{
    const struct gs_ynode *v = yunikorn_list_of(r, n, "placementrules",
                                                &p->rules);

    p->rule = gs_arena_alloc(r->arena, p->rules + 1, sizeof(*p->rule));
    for (uint32_t i = 0; v; v = v->next)
        p->rule[i++] = *rule_read(r, v, 0);
}

static void node_sort_read(const struct yunikorn_reader *r,
                           const struct gs_ynode *n,
                           struct yunikorn_partition *p)
{
    static const char *const known[] = { "type", "resourceweights", NULL };
    const struct gs_ynode *s = yunikorn_map_of(
        r, yunikorn_value(n, "nodesortpolicy"), "nodesortpolicy", known);
    const struct gs_ynode *w = yunikorn_map_of(
        r, yunikorn_value(s, "resourceweights"), "resourceweights", NULL);
    const char *type = yunikorn_text_of(r, s, "type");

    p->binpacks = strcmp(type, "binpacking") == 0;
    if (*type && !p->binpacks && strcmp(type, "fair") != 0)
        FAIL(r, yunikorn_value(s, "type"),
             "the type of nodesortpolicy is fair or binpacking, not '%.40s'",
             type);
    if (!w)
        return;
    p->weight = gs_arena_alloc(r->arena, w->len + 1, sizeof(*p->weight));
    for (const struct gs_ynode *v = w->child; v; v = v->next) {
        char *end = NULL;
        const double x = v->kind == GS_YSCALAR && v->len ? strtod(v->text, &end)
                                                         : -1;

        if (!(x >= 0 && x <= 1e6) || *end)
            FAIL(r, v, "the weight of '%.80s' is a number from 0 to 1000000",
                 v->key->text);
        else
            p->weight[p->weights++] = (struct yunikorn_weights){ v->key->text,
                                                                 x, v };
    }
}

static void partition_read(const struct yunikorn_reader *r,
                           const struct gs_ynode *n,
                           struct yunikorn_partition *p)
{
    static const char *const known[] = {
        "name",       "queues",         "placementrules",    "limits",
        "preemption", "nodesortpolicy", "usergroupresolver", NULL
    };
    static const char *const of_preemption[] = { "enabled",
                                                 "quotapreemptionenabled",
                                                 NULL };
    static const char *const of_resolver[] = { "type", NULL };
    const struct gs_ynode *preemption;

    *p = (struct yunikorn_partition){ .at = n, .name = "default" };
    if (!yunikorn_map_of(r, n, "a partition", known))
        return;
    if (*yunikorn_text_of(r, n, "name"))
        p->name = yunikorn_lower_of(r, yunikorn_text_of(r, n, "name"));
    root_read(r, n, p);
    rules_read(r, n, p);
    node_sort_read(r, n, p);
    preemption = yunikorn_map_of(r, yunikorn_value(n, "preemption"),
                                 "preemption", of_preemption);
    p->preempts = yunikorn_flag_of(r, preemption, "enabled", true);
    p->quota_preempts = yunikorn_flag_of(r, preemption,
                                         "quotapreemptionenabled", false);
    (void)yunikorn_map_of(r, yunikorn_value(n, "usergroupresolver"),
                          "usergroupresolver", of_resolver);
}

bool yunikorn_is(const struct gs_ynode *root)
{
    const struct gs_ynode *p = yunikorn_value(root, "partitions");

    return p && p->kind == GS_YSEQ && !yunikorn_value(root, "jobs");
}

const struct yunikorn_conf *yunikorn_read(const struct gs_ynode *root,
                                          const char *source,
                                          struct gs_arena *arena,
                                          struct gs_err *unknown,
                                          struct gs_err *err)
{
    /* the last two are of an answer of its web service */
    static const char *const known[] = { "partitions", "checksum", "extra",
                                         NULL };
    const struct yunikorn_reader r = {
        arena, source, err, unknown ? unknown : err,
        gs_arena_alloc(arena, 1, sizeof(struct yunikorn_names))
    };
    struct yunikorn_conf *c = gs_arena_alloc(arena, 1, sizeof(*c));
    const unsigned before = err->count;
    const struct gs_ynode *v;
    uint32_t count;

    (void)yunikorn_map_of(&r, root, "queues.yaml", known);
    v = yunikorn_list_of(&r, root, "partitions", &count);
    if (count == 0)
        FAIL(&r, root, "there is no partition");
    c->partition = gs_arena_alloc(arena, count + 1, sizeof(*c->partition));
    for (; v; v = v->next) {
        struct yunikorn_partition *p = &c->partition[c->partitions];

        if (v->kind != GS_YMAP) {
            FAIL(&r, v, "a partition is a mapping");
            continue;
        }
        partition_read(&r, v, p);
        for (uint32_t i = 0; i < c->partitions; i++) {
            if (strcmp(c->partition[i].name, p->name) == 0)
                FAIL(&r, v, "there are two partitions '%.80s'", p->name);
        }
        c->partitions++;
        if (err->count == before)
            yunikorn_check(p, source, arena, err);
    }
    return err->count > before ? NULL : c;
}
