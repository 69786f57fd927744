/* import/kubernetes/conf/yunikorn_conf.c - see yunikorn_conf.h.
 *
 * Queues keep their paths: root.research.a is root/research/a.  Of several
 * partitions Kubernetes uses the one that is called default.
 */
#include "import/kubernetes/conf/yunikorn_conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/yunikorn/yunikorn.h"

#define LINES_MAX 200000

/* --- amounts ---------------------------------------------------------------- */

/* Thousandths of what Kubernetes calls the resource. */
static struct kube_amounts amounts_of(struct kube *k,
                                      const struct yunikorn_amounts *from)
{
    struct kube_amounts to = { 0 };

    for (uint32_t i = 0; i < from->count; i++) {
        const char *name = from->at[i].name;
        const int64_t value = from->at[i].value;
        const bool is_cpu = strcmp(name, "vcore") == 0;

        kube_amount_add(k, &to, kube_put(k, is_cpu ? "cpu" : name),
                        is_cpu                       ? value
                        : value <= INT64_MAX / 1000 ? value * 1000
                                                    : INT64_MAX);
    }
    return to;
}

/* --- queues ----------------------------------------------------------------- */

static const char *const properties[] = {
    "application.sort.policy",
    "application.sort.priority",
    "priority.policy",
    "priority.offset",
    "preemption.policy",
    "preemption.delay",
    "quota.preemption.delay",
    NULL,
};

static void properties_check(struct kube *k, const struct yunikorn_properties *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t known = 0;

        while (properties[known] && strcmp(properties[known], p->at[i].name))
            known++;
        if (strncmp(p->at[i].name, "application.unschedasks", 23) == 0)
            import_account_tell(k->account, IMPORT_IGNORED, k->source,
                                p->at[i].at,
                                "property '%.80s': applications never pause",
                                p->at[i].name);
        else if (!properties[known])
            import_account_tell(k->account, IMPORT_LEFT, k->source, p->at[i].at,
                                "property '%.80s': YuniKorn knows no such one",
                                p->at[i].name);
    }
}

/* What the account tells of one queue. */
static void queue_tell(struct kube *k, const struct yunikorn_queue *q)
{
    properties_check(k, &q->properties);
    properties_check(k, &q->template.properties);
    if (q->admin)
        import_account_tell(k->account, IMPORT_LEFT, k->source, q->admin,
                            "adminacl: the rules of placement read it");
    if (q->limits)
        import_account_tell(k->account, IMPORT_IGNORED, k->source,
                            q->limit[0].at,
                            "limits of users and groups in a queue");
}

/* Paths are of names with '/' between them. */
static void name_add(char *path, const char *name)
{
    const size_t len = strlen(path);

    (void)snprintf(path + len, YUNIKORN_PATH_MAX + 1 - len, "%s%s",
                   len ? "/" : "", name);
    for (char *c = path + len + (len > 0); *c; c++)
        *c = *c == '/' ? ':' : *c;
}

static void queue_take(struct kube *k, const struct yunikorn_queue *q,
                       char *path)
{
    const size_t len = strlen(path);
    struct kube_queue out = { .weight = 1 };

    name_add(path, q->name);
    out.name = kube_put(k, path);
    out.guarantee = amounts_of(k, &q->guaranteed);
    out.limit = amounts_of(k, &q->max);
    queue_tell(k, q);
    (void)kube_queue_add(k, &out);
    for (uint32_t i = 0; i < q->queues; i++)
        queue_take(k, &q->queue[i], path);
    path[len] = '\0';
}

/* --- the profile ------------------------------------------------------------ */

static void node_sort_take(struct kube *k, struct kube_conf *c,
                           const struct yunikorn_partition *p)
{
    struct kube_conf_use *u = kube_conf_use(
        c, p->binpacks ? "most-allocated" : "least-allocated", 0);

    (void)k;
    (void)u;
}

static int profile_make(struct kube *k, const struct yunikorn_partition *p)
{
    struct kube_conf *c = kube_conf_add(k, KUBE_YUNIKORN);

    if (!c)
        return -1;
    c->by_pod = true;
    c->keeps_place = true;
    kube_conf_action(c, "allocate");
    node_sort_take(k, c, p);
    return 0;
}

/* --- documents -------------------------------------------------------------- */

/* The partition that Kubernetes uses; the others are told. */
static const struct yunikorn_partition *
partition_of(struct kube *k, const struct yunikorn_conf *c)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < c->partitions; i++) {
        if (strcmp(c->partition[i].name, "default") == 0)
            used = i;
    }
    for (uint32_t i = 0; i < c->partitions; i++) {
        if (i != used)
            import_account_tell(k->account, IMPORT_LEFT, k->source,
                                c->partition[i].at,
                                "partition '%.80s': Kubernetes uses one, '%s'",
                                c->partition[i].name, c->partition[used].name);
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

static int document_take(struct kube *k, const struct gs_ynode *root)
{
    struct gs_err err = { .limit = GS_ERR_MAX };
    const struct yunikorn_conf *c;
    char path[YUNIKORN_PATH_MAX + 1] = "";

    if (k->yunikorn) {
        import_account_tell(k->account, IMPORT_LEFT, k->source, root,
                            "a second configuration of YuniKorn");
        return -1;
    }
    root = copy_of(k->arena, root);
    c = yunikorn_read(root, k->source, k->arena, &err);
    if (!c) {
        mistakes_tell(k, &err);
        return -1;
    }
    k->yunikorn = partition_of(k, c);
    queue_take(k, &k->yunikorn->root, path);
    return profile_make(k, k->yunikorn);
}

/* --- texts in documents ------------------------------------------------------ */

/* The text of a configuration somewhere below `n`; NULL. */
static const struct gs_ynode *text_find(const struct gs_ynode *n)
{
    const struct gs_ynode *found = NULL;

    for (const struct gs_ynode *v = n->kind == GS_YSCALAR ? NULL : n->child;
         v && !found; v = v->next) {
        const bool is_named = v->key
                              && (strcmp(v->key->text, "queues.yaml") == 0
                                  || strcmp(v->key->text, "configuration")
                                         == 0);

        if (v->kind != GS_YSCALAR)
            found = text_find(v);
        else if (is_named && strstr(v->text, "partitions:"))
            found = v;
    }
    return found;
}

bool kube_yunikorn_conf_is(const struct gs_ynode *root)
{
    return yunikorn_is(root) || text_find(root);
}

int kube_yunikorn_conf_take(struct kube *k, const struct gs_ynode *root)
{
    const struct gs_ynode *text = yunikorn_is(root) ? NULL : text_find(root);
    struct gs_err why = { 0 };
    const struct gs_ynode *inner;
    size_t before;
    char *copy;

    if (yunikorn_is(root))
        return document_take(k, root);
    if (!text)
        return 1;
    /* its lines are those of the file, if it is written line by line there */
    before = text->line < LINES_MAX ? (size_t)text->line : 0;
    copy = gs_arena_alloc(k->arena, before + text->len + 1, 1);
    memset(copy, '\n', before);
    memcpy(copy + before, text->text, text->len + 1);
    inner = gs_yaml_parse(k->source, copy, k->arena, &why);
    if (!inner) {
        mistakes_tell(k, &why);
        return -1;
    }
    return yunikorn_is(inner) ? document_take(k, inner) : 1;
}

/* --- placement -------------------------------------------------------------- */

bool kube_yunikorn_serves(const struct kube *k, const struct kube_template *t)
{
    const char *name = t->scheduler ? kube_str(k, t->scheduler) : "";

    return strcmp(name, KUBE_YUNIKORN) == 0
           || (k->yunikorn
               && (!*name || strcmp(name, "default-scheduler") == 0));
}

struct pods {
    struct kube *k;
    const struct kube_template *t;
};

static const char *tag_of(void *ctx, const char *name)
{
    const struct pods *p = ctx;

    if (strcmp(name, "namespace") != 0)
        return NULL;
    return p->t->space ? kube_str(p->k, p->t->space) : "default";
}

/* The user and the groups that annotation yunikorn.apache.org/user.info states,
 * else nobody.
 */
static void user_read(struct kube *k, const struct kube_template *t,
                      struct yunikorn_application *a,
                      struct yunikorn_words *groups)
{
    const uint32_t info = kube_label_value(
        &t->annotations, kube_put(k, "yunikorn.apache.org/user.info"));
    struct gs_err why = { 0 };
    const struct gs_ynode *root = info ? gs_yaml_parse("user.info",
                                                       kube_str(k, info),
                                                       k->arena, &why)
                                       : NULL;
    const char *user = root ? kube_text(root, "user") : NULL;

    a->user = user && *user ? user : YUNIKORN_NOBODY;
    for (const struct gs_ynode *g = root ? kube_list(root, "groups") : NULL; g;
         g = g->next) {
        if (g->kind == GS_YSCALAR && groups->count < 64)
            groups->at[groups->count++] = g->text;
    }
}

/* "root.a.b" as a path of the trace. */
static uint32_t path_put(struct kube *k, const char *dotted)
{
    char path[YUNIKORN_PATH_MAX + 1] = "", name[YUNIKORN_PATH_MAX + 1];

    while (*dotted && strlen(dotted) <= YUNIKORN_PATH_MAX) {
        const size_t len = strcspn(dotted, ".");

        memcpy(name, dotted, len);
        name[len] = '\0';
        name_add(path, name);
        dotted += len + (dotted[len] == '.');
    }
    return *path ? kube_put(k, path) : 0;
}

/* What a queue that a rule makes has from the template of the one above it. */
static void made_put(struct kube *k, const char *dotted, uint32_t path)
{
    const struct yunikorn_queue *last;
    struct kube_queue out = { .name = path, .weight = 1 };
    uint32_t made;

    if (yunikorn_find(k->yunikorn, dotted, &last, &made)
        || kube_queue_find(k, path))
        return;
    if (last->template.is_set) {
        out.guarantee = amounts_of(k, &last->template.guaranteed);
        out.limit = amounts_of(k, &last->template.max);
    }
    (void)kube_queue_add(k, &out);
}

uint32_t kube_yunikorn_queue(struct kube *k, uint32_t queue,
                             const struct kube_template *t)
{
    char path[YUNIKORN_PATH_MAX + 1];
    const char *names[64];
    struct yunikorn_words groups = { names, 0 };
    struct pods pods = { k, t };
    struct yunikorn_application a = {
        .queue = queue ? kube_str(k, queue) : "",
        .groups = &groups,
        .tag = tag_of,
        .ctx = &pods,
    };
    const struct gs_ynode at = { .line = t->line, .column = t->column };
    uint32_t id;

    if (!k->yunikorn)
        return path_put(k, a.queue);
    user_read(k, t, &a, &groups);
    if (!yunikorn_place(k->yunikorn, &a, path)) {
        import_account_tell(k->account, IMPORT_IGNORED, kube_str(k, t->source),
                            &at,
                            "pods that the placement rules of YuniKorn reject: "
                            "they are in queue 'rejected' here");
        return kube_put(k, "rejected");
    }
    id = path_put(k, path);
    made_put(k, path, id);
    return id;
}
