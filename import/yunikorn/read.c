/* import/yunikorn/read.c - the document with strict keys. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/yunikorn/yunikorn.h"

struct reader {
    struct gs_arena *arena;
    const char *source;
    struct gs_err *err;
};

#define FAIL(r, n, ...)                                              \
    gs_fail((r)->err, GS_INPUT,                                      \
            (struct gs_mark){ (r)->source, (n)->line, (n)->column }, \
            __VA_ARGS__)

/* --- values ----------------------------------------------------------------- */

/* The value under `key`; NULL, also for a mapping that is NULL. */
static const struct gs_ynode *find(const struct gs_ynode *map, const char *key)
{
    return map ? gs_ynode_find(map, key) : NULL;
}

/* The mapping `n`, NULL when it is null or none, which is told; all its keys are
 * among `known`, which NULL ends.
 */
static const struct gs_ynode *map_of(const struct reader *r,
                                     const struct gs_ynode *n, const char *what,
                                     const char *const *known)
{
    if (!n || gs_ynode_is_null(n))
        return NULL;
    if (n->kind != GS_YMAP) {
        FAIL(r, n, "%s is a mapping", what);
        return NULL;
    }
    for (const struct gs_ynode *v = n->child; v && known; v = v->next) {
        uint32_t i = 0;

        while (known[i] && strcmp(known[i], v->key->text) != 0)
            i++;
        if (!known[i])
            FAIL(r, v->key, "'%.80s' is no key of %s (YuniKorn refuses it)",
                 v->key->text, what);
    }
    return n;
}

/* The items of a list; NULL when it is null, empty or none, which is told. */
static const struct gs_ynode *list_of(const struct reader *r,
                                      const struct gs_ynode *map,
                                      const char *key, uint32_t *count)
{
    const struct gs_ynode *v = find(map, key);

    *count = 0;
    if (!v || gs_ynode_is_null(v))
        return NULL;
    if (v->kind != GS_YSEQ) {
        FAIL(r, v, "'%s' is a list", key);
        return NULL;
    }
    *count = v->len;
    return v->child;
}

static const char *text_of(const struct reader *r, const struct gs_ynode *map,
                           const char *key)
{
    const struct gs_ynode *v = find(map, key);

    if (!v || gs_ynode_is_null(v))
        return "";
    if (v->kind == GS_YSCALAR)
        return v->text;
    FAIL(r, v, "'%s' is a text", key);
    return "";
}

static const char *lower_of(const struct reader *r, const char *text)
{
    char *s = gs_arena_strndup(r->arena, text, strlen(text));

    for (char *c = s; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return s;
}

static bool flag_of(const struct reader *r, const struct gs_ynode *map,
                    const char *key, bool fallback)
{
    const char *s = text_of(r, map, key);

    if (strcmp(s, "true") == 0 || strcmp(s, "True") == 0
        || strcmp(s, "TRUE") == 0)
        return true;
    if (*s && strcmp(s, "false") != 0 && strcmp(s, "False") != 0
        && strcmp(s, "FALSE") != 0)
        FAIL(r, find(map, key), "'%s' is true or false, not '%.40s'", key, s);
    return *s ? false : fallback;
}

static uint64_t number_of(const struct reader *r, const struct gs_ynode *map,
                          const char *key)
{
    const char *s = text_of(r, map, key);
    char *end = NULL;
    unsigned long long n;

    if (!*s)
        return 0;
    errno = 0;
    n = strtoull(s, &end, 10);
    if (*end || !isdigit((unsigned char)*s) || errno) {
        FAIL(r, find(map, key),
             "'%s' is a whole number of 0 or more, not '%.40s'", key, s);
        return 0;
    }
    return n;
}

static struct yunikorn_words words_of(const struct reader *r,
                                      const struct gs_ynode *map,
                                      const char *key)
{
    struct yunikorn_words w = { 0 };
    uint32_t count;
    const struct gs_ynode *v = list_of(r, map, key, &count);

    w.at = gs_arena_alloc(r->arena, count + 1, sizeof(*w.at));
    for (; v; v = v->next) {
        if (v->kind == GS_YSCALAR)
            w.at[w.count++] = v->text;
        else
            FAIL(r, v, "'%s' is a list of names", key);
    }
    return w;
}

static struct yunikorn_amounts amounts_of(const struct reader *r,
                                          const struct gs_ynode *map,
                                          const char *key)
{
    const struct gs_ynode *n = map_of(r, find(map, key), key, NULL);
    struct yunikorn_amounts a = { .is_set = n != NULL };

    if (!n)
        return a;
    a.at = gs_arena_alloc(r->arena, n->len + 1, sizeof(*a.at));
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        const char *name = v->key->text;
        struct yunikorn_amount *to = &a.at[a.count];
        const enum yunikorn_quantity is =
            v->kind == GS_YSCALAR ? yunikorn_quantity(
                v->text, strcmp(name, "vcore") == 0, &to->value)
                                  : YUNIKORN_INVALID;

        to->name = name;
        a.count += is == YUNIKORN_OK;
        if (is == YUNIKORN_OVERFLOW)
            FAIL(r, v, "amount '%.40s' of '%.80s' is too large", v->text, name);
        if (is == YUNIKORN_INVALID)
            FAIL(r, v,
                 "'%.80s' is an amount: digits and k, M, G, T, P, E, Ki to Ei%s"
                 " (got '%.40s')",
                 name, strcmp(name, "vcore") == 0 ? ", m" : "",
                 v->kind == GS_YSCALAR ? v->text : "a mapping or a list");
    }
    return a;
}

static struct yunikorn_properties properties_of(const struct reader *r,
                                                const struct gs_ynode *map)
{
    const struct gs_ynode *n = map_of(r, find(map, "properties"), "properties",
                                      NULL);
    struct yunikorn_properties p = { 0 };

    if (!n)
        return p;
    p.at = gs_arena_alloc(r->arena, n->len + 1, sizeof(*p.at));
    for (const struct gs_ynode *v = n->child; v; v = v->next) {
        if (v->kind == GS_YSCALAR)
            p.at[p.count++] = (struct yunikorn_property){ v->key->text, v->text,
                                                          v };
        else
            FAIL(r, v, "property '%.80s' is a text", v->key->text);
    }
    return p;
}

/* --- queues ----------------------------------------------------------------- */

static void resources_read(const struct reader *r, const struct gs_ynode *map,
                           struct yunikorn_amounts *guaranteed,
                           struct yunikorn_amounts *max)
{
    static const char *const known[] = { "guaranteed", "max", NULL };
    const struct gs_ynode *n = map_of(r, find(map, "resources"), "resources",
                                      known);

    *guaranteed = amounts_of(r, n, "guaranteed");
    *max = amounts_of(r, n, "max");
}

static struct yunikorn_limit *limits_read(const struct reader *r,
                                          const struct gs_ynode *map,
                                          uint32_t *count)
{
    static const char *const known[] = { "limit",           "users",
                                         "groups",          "maxresources",
                                         "maxapplications", NULL };
    const struct gs_ynode *v = list_of(r, map, "limits", count);
    struct yunikorn_limit *l = gs_arena_alloc(r->arena, *count + 1, sizeof(*l));

    *count = 0;
    for (; v; v = v->next) {
        if (!map_of(r, v, "a limit", known))
            continue;
        l[(*count)++] = (struct yunikorn_limit){
            .at = v,
            .name = text_of(r, v, "limit"),
            .users = words_of(r, v, "users"),
            .groups = words_of(r, v, "groups"),
            .max = amounts_of(r, v, "maxresources"),
            .jobs = number_of(r, v, "maxapplications"),
        };
    }
    return l;
}

static void template_read(const struct reader *r, const struct gs_ynode *map,
                          struct yunikorn_queue *q)
{
    static const char *const known[] = { "maxapplications", "properties",
                                         "resources", NULL };
    const struct gs_ynode *n = map_of(r, find(map, "childtemplate"),
                                      "childtemplate", known);

    q->template.is_set = n != NULL;
    if (!n)
        return;
    q->template.jobs = number_of(r, n, "maxapplications");
    q->template.properties = properties_of(r, n);
    resources_read(r, n, &q->template.guaranteed, &q->template.max);
}

static struct yunikorn_queue *queues_read(const struct reader *r,
                                          const struct gs_ynode *map,
                                          uint32_t *count, int depth);

static void queue_read(const struct reader *r, const struct gs_ynode *n,
                       struct yunikorn_queue *q, int depth)
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
    if (!map_of(r, n, "a queue", known))
        return;
    q->name = lower_of(r, text_of(r, n, "name"));
    q->is_parent = flag_of(r, n, "parent", false);
    resources_read(r, n, &q->guaranteed, &q->max);
    q->jobs = number_of(r, n, "maxapplications");
    q->properties = properties_of(r, n);
    q->admin = *text_of(r, n, "adminacl") ? find(n, "adminacl") : NULL;
    q->submit = *text_of(r, n, "submitacl") ? find(n, "submitacl") : NULL;
    template_read(r, n, q);
    q->limit = limits_read(r, n, &q->limits);
    q->queue = queues_read(r, n, &q->queues, depth);
    q->is_parent |= q->queues > 0;
}

static struct yunikorn_queue *queues_read(const struct reader *r,
                                          const struct gs_ynode *map,
                                          uint32_t *count, int depth)
{
    const struct gs_ynode *v = list_of(r, map, "queues", count);
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

/* A queue called root, and no other, is the root; else it is put on top. */
static void root_read(const struct reader *r, const struct gs_ynode *n,
                      struct yunikorn_partition *p)
{
    uint32_t count, limits;
    struct yunikorn_queue *q = queues_read(r, n, &count, 0);
    struct yunikorn_limit *l = limits_read(r, n, &limits);

    if (!find(n, "queues"))
        FAIL(r, n, "a partition has 'queues'");
    if (count == 1 && strcmp(q[0].name, "root") == 0)
        p->root = q[0];
    else
        p->root = (struct yunikorn_queue){
            .at = n, .name = "root", .queue = q, .queues = count
        };
    p->root.is_parent = true;
    if (limits && p->root.limits)
        FAIL(r, l->at, "limits are those of the partition or of its root");
    if (limits && !p->root.limits) {
        p->root.limit = l;
        p->root.limits = limits;
    }
}

/* --- the rest of a partition ------------------------------------------------- */

static struct yunikorn_rule *rule_read(const struct reader *r,
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
    if (!map_of(r, n, "a placement rule", known))
        return rule;
    name = lower_of(r, text_of(r, n, "name"));
    while (kind < 4 && strcmp(kinds[kind], name) != 0)
        kind++;
    if (kind == 4)
        FAIL(r, n,
             "a placement rule is provided, user, fixed or tag, not "
             "'%.40s'",
             name);
    rule->kind = (enum yunikorn_rule_kind)kind;
    rule->create = flag_of(r, n, "create", false);
    rule->value = lower_of(r, text_of(r, n, "value"));
    if ((kind == YUNIKORN_FIXED || kind == YUNIKORN_TAG) && !*rule->value)
        FAIL(r, n, "a placement rule %s has a 'value'", name);
    f = map_of(r, find(n, "filter"), "filter", of_filter);
    type = lower_of(r, text_of(r, f, "type"));
    if (*type && strcmp(type, "allow") != 0 && strcmp(type, "deny") != 0)
        FAIL(r, find(f, "type"),
             "the type of a filter is allow or deny, not '%.40s'", type);
    rule->denies = strcmp(type, "deny") == 0;
    rule->users = words_of(r, f, "users");
    rule->groups = words_of(r, f, "groups");
    parent = find(n, "parent");
    if (parent && !gs_ynode_is_null(parent) && depth < YUNIKORN_DEPTH_MAX)
        rule->parent = rule_read(r, parent, depth + 1);
    return rule;
}

static void rules_read(const struct reader *r, const struct gs_ynode *n,
                       struct yunikorn_partition *p)
{
    const struct gs_ynode *v = list_of(r, n, "placementrules", &p->rules);

    p->rule = gs_arena_alloc(r->arena, p->rules + 1, sizeof(*p->rule));
    for (uint32_t i = 0; v; v = v->next)
        p->rule[i++] = *rule_read(r, v, 0);
}

static void node_sort_read(const struct reader *r, const struct gs_ynode *n,
                           struct yunikorn_partition *p)
{
    static const char *const known[] = { "type", "resourceweights", NULL };
    const struct gs_ynode *s = map_of(r, find(n, "nodesortpolicy"),
                                      "nodesortpolicy", known);
    const struct gs_ynode *w = map_of(r, find(s, "resourceweights"),
                                      "resourceweights", NULL);
    const char *type = lower_of(r, text_of(r, s, "type"));

    p->binpacks = strcmp(type, "binpacking") == 0;
    if (*type && !p->binpacks && strcmp(type, "fair") != 0)
        FAIL(r, find(s, "type"),
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

static void partition_read(const struct reader *r, const struct gs_ynode *n,
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
    if (!map_of(r, n, "a partition", known))
        return;
    if (*text_of(r, n, "name"))
        p->name = lower_of(r, text_of(r, n, "name"));
    root_read(r, n, p);
    rules_read(r, n, p);
    node_sort_read(r, n, p);
    preemption = map_of(r, find(n, "preemption"), "preemption", of_preemption);
    p->preempts = flag_of(r, preemption, "enabled", true);
    p->quota_preempts = flag_of(r, preemption, "quotapreemptionenabled", false);
    (void)map_of(r, find(n, "usergroupresolver"), "usergroupresolver",
                 of_resolver);
}

bool yunikorn_is(const struct gs_ynode *root)
{
    const struct gs_ynode *p = find(root, "partitions");

    return p && p->kind == GS_YSEQ && !find(root, "jobs");
}

const struct yunikorn_conf *yunikorn_read(const struct gs_ynode *root,
                                          const char *source,
                                          struct gs_arena *arena,
                                          struct gs_err *err)
{
    /* the last two are of an answer of its web service */
    static const char *const known[] = { "partitions", "checksum", "extra",
                                         NULL };
    const struct reader r = { arena, source, err };
    struct yunikorn_conf *c = gs_arena_alloc(arena, 1, sizeof(*c));
    const unsigned before = err->count;
    const struct gs_ynode *v;
    uint32_t count;

    (void)map_of(&r, root, "queues.yaml", known);
    v = list_of(&r, root, "partitions", &count);
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
