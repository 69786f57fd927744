/* import/kubernetes/conf/yunikorn_conf.c - see yunikorn_conf.h.
 *
 * Queues keep their paths: root.research.a is root/research/a.  Of several
 * partitions Kubernetes uses the one that is called default.
 */
#include "import/kubernetes/conf/yunikorn_conf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/conf/conf.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/yunikorn/yunikorn.h"
#include "traces/workload/queue_terms.h"

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
                        is_cpu                      ? value
                        : value <= INT64_MAX / 1000 ? value * 1000
                                                    : INT64_MAX);
    }
    return to;
}

/* --- properties -------------------------------------------------------------- */

static const char *const properties[] = {
    "application.sort.policy", "application.sort.priority",
    "priority.policy",         "priority.offset",
    "preemption.policy",       "preemption.delay",
    "quota.preemption.delay",  NULL,
};

static void properties_check(struct kube *k,
                             const struct yunikorn_properties *p)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t known = 0;

        while (properties[known]
               && strcmp(properties[known], p->at[i].name) != 0)
            known++;
        if (strncmp(p->at[i].name, "application.unschedasks", 23) == 0)
            import_account_tell(
                k->account, IMPORT_IGNORED, k->source, p->at[i].at,
                "property '%.80s': applications never pause", p->at[i].name);
        else if (!properties[known])
            import_account_tell(k->account, IMPORT_LEFT, k->source, p->at[i].at,
                                "property '%.80s': YuniKorn knows no such one",
                                p->at[i].name);
    }
}

/* The properties of a queue, and of those above it. */
struct way {
    const struct yunikorn_properties *own;
    const struct way *above;
};

/* The value of a property that queues below take over; NULL. */
static const struct yunikorn_property *inherited(const struct way *w,
                                                 const char *name)
{
    const struct yunikorn_property *p = NULL;

    for (; w && !p; w = w->above)
        p = yunikorn_property(w->own, name);
    return p;
}

static void refused(struct kube *k, const struct yunikorn_property *p)
{
    import_account_tell(k->account, IMPORT_LEFT, k->source, p->at,
                        "'%.80s' of property '%s': YuniKorn knows no such "
                        "value, its default holds",
                        p->value, p->name);
}

/* The index of the property's value among `words`; 0 when there is none, or
 * another, which it tells.
 */
static int64_t word_of(struct kube *k, const struct yunikorn_property *p,
                       const char *const *words)
{
    for (int64_t i = 0; p && words[i]; i++) {
        if (strcmp(p->value, words[i]) == 0)
            return i;
    }
    if (p)
        refused(k, p);
    return 0;
}

static void term_put(struct kube_queue *q, enum trace_queue_term term,
                     int64_t value)
{
    assert(q->terms < KUBE_QUEUE_TERMS);
    q->term[q->terms++] = (struct kube_queue_term){
        .key = trace_term_info[term].key, .number = value
    };
}

static void delay_put(struct kube *k, struct kube_queue *q,
                      enum trace_queue_term term,
                      const struct yunikorn_property *p)
{
    const int64_t us = p ? kube_go_time(p->value) : 0;

    if (us > 0)
        term_put(q, term, us);
    else if (p)
        refused(k, p);
}

static void offset_put(struct kube *k, struct kube_queue *q,
                       const struct yunikorn_property *p)
{
    char *end = NULL;
    const long n = p ? strtol(p->value, &end, 10) : 0;

    if (p && (*end || !*p->value || n < INT32_MIN || n > INT32_MAX))
        refused(k, p);
    else if (n)
        term_put(q, TRACE_TERM_PRIORITY_OFFSET, n);
}

static void terms_make(struct kube *k, struct kube_queue *q,
                       const struct way *w, uint64_t jobs)
{
    static const char *const sorts[] = { "fifo", "fair", "stateaware", NULL };
    static const char *const uses[] = { "enabled", "disabled", NULL };
    static const char *const priorities[] = { "default", "fence", NULL };
    static const char *const preemptions[] = { "default", "fence", "disabled",
                                               NULL };
    const struct yunikorn_property *off = NULL;
    int64_t policy = word_of(k, yunikorn_property(w->own, "preemption.policy"),
                             preemptions);

    for (const struct way *up = w->above; up && !off; up = up->above) {
        off = yunikorn_property(up->own, "preemption.policy");
        if (off && strcmp(off->value, "disabled") != 0)
            off = NULL;
    }
    if (off)
        policy = 2;
    if (word_of(k, inherited(w, "application.sort.policy"), sorts) == 1)
        term_put(q, TRACE_TERM_ORDER, 1);
    if (word_of(k, inherited(w, "application.sort.priority"), uses) == 1)
        term_put(q, TRACE_TERM_ORDER_PRIORITY, 0);
    if (word_of(k, yunikorn_property(w->own, "priority.policy"), priorities))
        term_put(q, TRACE_TERM_PRIORITY_FENCE, 1);
    offset_put(k, q, yunikorn_property(w->own, "priority.offset"));
    if (policy)
        term_put(q, TRACE_TERM_PREEMPTION, policy);
    delay_put(k, q, TRACE_TERM_PREEMPTION_DELAY,
              inherited(w, "preemption.delay"));
    if (k->yunikorn->quota_preempts)
        delay_put(k, q, TRACE_TERM_LIMIT_DELAY,
                  inherited(w, "quota.preemption.delay"));
    if (jobs)
        term_put(q, TRACE_TERM_MAX_JOBS,
                 jobs < INT32_MAX ? (int64_t)jobs : INT32_MAX);
}

/* --- queues ----------------------------------------------------------------- */

/* What the account tells of one queue. */
static void queue_tell(struct kube *k, const struct yunikorn_queue *q)
{
    properties_check(k, &q->properties);
    properties_check(k, &q->template.properties);
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
                       const struct way *above, char *path)
{
    const size_t len = strlen(path);
    const struct way own = { &q->properties, above };
    struct kube_queue out = { .weight = 1 };

    name_add(path, q->name);
    out.name = kube_put(k, path);
    out.guarantee = amounts_of(k, &q->guaranteed);
    out.limit = amounts_of(k, &q->max);
    terms_make(k, &out, &own, q->jobs);
    queue_tell(k, q);
    (void)kube_queue_add(k, &out);
    for (uint32_t i = 0; i < q->queues; i++)
        queue_take(k, &q->queue[i], &own, path);
    path[len] = '\0';
}

/* --- the profile ------------------------------------------------------------ */

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
    u = kube_conf_use(c, "fair-queues", 0);
    if (word_of(
            k,
            yunikorn_property(&p->root.properties, "application.sort.priority"),
            uses)
        == 1)
        kube_conf_param(k, u, "priority", "no");
    (void)kube_conf_use(c, "queue-jobs", 0);
    (void)kube_conf_use(c, "queue-limits", 0);
    u = kube_conf_use(c, "gang", 0);
    kube_conf_param(k, u, "timeout", "15m");
    (void)kube_conf_use(c, "fit", 0);
    (void)kube_conf_use(c, "constraints", 0);
    node_sort_take(k, c, p);
    if (p->preempts)
        (void)kube_conf_use(c, "guarantee-victims", 0);
    kube_conf_becomes(k, p->at,
                      "queues of YuniKorn: modules fair-queues, "
                      "queue-jobs, queue-limits");
    kube_conf_becomes(k, p->at, "nodesortpolicy %s: module node-usage",
                      p->binpacks ? "binpacking" : "fair");
    if (p->preempts)
        kube_conf_becomes(k, p->at, "preemption: module guarantee-victims");
    return 0;
}

/* --- documents -------------------------------------------------------------- */

/* The partition that Kubernetes uses; the others are told. */
static const struct yunikorn_partition *partition_of(
    struct kube *k, const struct yunikorn_conf *c)
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
    queue_take(k, &k->yunikorn->root, NULL, path);
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

/* The user and the groups that annotation yunikorn.apache.org/user.info states;
 * without it the one that is not known.
 */
static void user_read(struct kube *k, const struct kube_template *t,
                      struct yunikorn_application *a,
                      struct yunikorn_words *groups)
{
    const uint32_t info = kube_label_value(
        &t->annotations, kube_put(k, "yunikorn.apache.org/user.info"));
    struct gs_err why = { 0 };
    const struct gs_ynode *root =
        info ? gs_yaml_parse("user.info", kube_str(k, info), k->arena, &why)
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

/* The properties above the queue `last` on the path, and what a queue that a rule
 * makes has from its template.
 */
static void made_terms(struct kube *k, const struct yunikorn_queue *q,
                       const char *rest, const struct yunikorn_queue *last,
                       const struct way *above, struct kube_queue *out)
{
    const struct way own = { &q->properties, above };
    const struct way made = { &last->template.properties, &own };
    const size_t len = strcspn(rest, ".");

    if (q == last) {
        terms_make(k, out, &made, last->template.jobs);
        return;
    }
    for (uint32_t i = 0; i < q->queues; i++) {
        if (strncmp(q->queue[i].name, rest, len) == 0
            && q->queue[i].name[len] == '\0')
            made_terms(k, &q->queue[i], rest + len + (rest[len] == '.'), last,
                       &own, out);
    }
}

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
    made_terms(k, &k->yunikorn->root, dotted + strcspn(dotted, ".") + 1, last,
               NULL, &out);
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
