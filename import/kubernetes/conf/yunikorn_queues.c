/* import/kubernetes/conf/yunikorn_queues.c - queues of YuniKorn as those of the
 * trace, and the queue of each pod, see yunikorn_conf.h.
 *
 * Queues keep their paths: root.research.a is root/research/a.
 */
#include "import/kubernetes/conf/yunikorn_conf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/condition.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/name_space.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/yunikorn/yunikorn.h"
#include "traces/workload/queue_terms.h"

/* --- amounts -------------------------------------------------------------- */

struct kube_amounts kube_yunikorn_amounts(struct kube *k,
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

/* --- properties ----------------------------------------------------------- */

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

int64_t kube_yunikorn_word(struct kube *k, const struct yunikorn_property *p,
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

static int64_t word_in_any_case(struct kube *k,
                                const struct yunikorn_property *p,
                                const char *const *words)
{
    for (int64_t i = 0; p && words[i]; i++) {
        if (strcasecmp(p->value, words[i]) == 0)
            return i;
    }
    return kube_yunikorn_word(k, p, words);
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
    const struct yunikorn_property *at = inherited(w, "preemption.policy");
    const bool is_own = at && at == yunikorn_property(w->own, at->name);
    int64_t policy = word_in_any_case(k, at, preemptions);

    /* of those above only this one is taken over */
    policy = is_own || policy == 2 ? policy : 0;
    if (kube_yunikorn_word(k, inherited(w, "application.sort.policy"), sorts)
        == 1)
        term_put(q, TRACE_TERM_ORDER, 1);
    if (word_in_any_case(k, inherited(w, "application.sort.priority"), uses)
        == 1)
        term_put(q, TRACE_TERM_ORDER_PRIORITY, 0);
    if (word_in_any_case(k, yunikorn_property(w->own, "priority.policy"),
                         priorities))
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

/* --- queues --------------------------------------------------------------- */

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
    out.guarantee = kube_yunikorn_amounts(k, &q->guaranteed);
    out.limit = kube_yunikorn_amounts(k, &q->max);
    terms_make(k, &out, &own, q->jobs);
    kube_yunikorn_limits(k, q, &out);
    properties_check(k, &q->properties);
    properties_check(k, &q->template.properties);
    (void)kube_queue_add(k, &out);
    for (uint32_t i = 0; i < q->queues; i++)
        queue_take(k, &q->queue[i], &own, path);
    path[len] = '\0';
}

void kube_yunikorn_queues_take(struct kube *k)
{
    char path[YUNIKORN_PATH_MAX + 1] = "";

    queue_take(k, &k->yunikorn->root, NULL, path);
}

/* --- placement ------------------------------------------------------------ */

bool kube_yunikorn_serves(const struct kube *k, const struct kube_template *t)
{
    const char *name = t->scheduler ? kube_str(k, t->scheduler) : "";

    return strcmp(name, KUBE_YUNIKORN) == 0
           || (k->yunikorn
               && (!*name || strcmp(name, "default-scheduler") == 0));
}

const char *kube_yunikorn_tag(void *ctx, const char *name)
{
    const struct kube_yunikorn_space *s = ctx;
    const struct kube_space_terms *terms = kube_space_terms_of(s->k, s->name);

    if (strcmp(name, "namespace") == 0)
        return s->name ? kube_str(s->k, s->name) : "default";
    return strcmp(name, "namespace.parentqueue") == 0 && terms && terms->parent
               ? kube_str(s->k, terms->parent)
               : NULL;
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

static bool any_stated(const struct yunikorn_queue *q)
{
    bool any = q->template.jobs || q->template.guaranteed.count
               || q->template.max.count;

    for (uint32_t i = 0; i < q->template.properties.count && !any; i++)
        any = *q->template.properties.at[i].value != '\0';
    return any;
}

/* The queue whose template holds below `last`, which is on the path: the last
 * one of those down to it whose template states anything; NULL.
 */
static const struct yunikorn_queue *templating(
    const struct yunikorn_queue *root, const char *dotted,
    const struct yunikorn_queue *last)
{
    const struct yunikorn_queue *found = NULL;
    const char *rest = dotted + strcspn(dotted, ".");

    for (const struct yunikorn_queue *q = root; q;) {
        const size_t len = *rest ? strcspn(rest + 1, ".") : 0;

        found = any_stated(q) ? q : found;
        if (q == last || !len)
            break;
        q = yunikorn_below(q, rest + 1, len);
        rest += len + 1;
    }
    return found;
}

/* Amounts of a template that are all 0 are none. */
static struct kube_amounts template_amounts(struct kube *k,
                                            const struct yunikorn_amounts *a)
{
    bool any = false;

    for (uint32_t i = 0; i < a->count && !any; i++)
        any = a->at[i].value > 0;
    return any ? kube_yunikorn_amounts(k, a) : (struct kube_amounts){ 0 };
}

/* Of amounts that a namespace states none of the template's stay. */
static void made_put(struct kube *k, const char *dotted, uint32_t path,
                     const struct kube_space_terms *own)
{
    static const struct yunikorn_queue none = { .name = "" };
    const struct yunikorn_queue *last, *of;
    struct kube_queue out = { .name = path, .weight = 1 };
    uint32_t made;

    if (yunikorn_find(k->yunikorn, dotted, &last, &made)
        || kube_queue_find(k, path))
        return;
    of = templating(&k->yunikorn->root, dotted, last);
    of = of ? of : &none;
    out.guarantee = template_amounts(k, &of->template.guaranteed);
    out.limit = template_amounts(k, &of->template.max);
    if (own && (own->guaranteed.count || own->quota.count)) {
        out.guarantee = own->guaranteed;
        out.limit = own->quota;
    }
    /* it takes over nothing from the queues above */
    terms_make(k, &out, &(struct way){ &of->template.properties, NULL },
               own && own->jobs ? own->jobs : of->template.jobs);
    (void)kube_queue_add(k, &out);
}

uint32_t kube_yunikorn_place(struct kube *k,
                             const struct yunikorn_application *a,
                             uint32_t space)
{
    char path[YUNIKORN_PATH_MAX + 1];
    uint32_t id;

    if (!yunikorn_place(k->yunikorn, a, path))
        return 0;
    id = path_put(k, path);
    made_put(k, path, id, kube_space_terms_of(k, space));
    return id;
}

uint32_t kube_yunikorn_queue(struct kube *k, uint32_t queue,
                             const struct kube_template *t)
{
    const char *names[KUBE_YUNIKORN_GROUPS];
    struct yunikorn_words groups = { names, 0 };
    struct kube_yunikorn_space space = { k, t->space };
    struct yunikorn_application a = {
        .queue = queue ? kube_str(k, queue) : "",
        .groups = &groups,
        .tag = kube_yunikorn_tag,
        .ctx = &space,
    };
    const struct gs_ynode at = { .line = t->line, .column = t->column };
    uint32_t id;

    if (!k->yunikorn)
        return path_put(k, a.queue);
    (void)kube_yunikorn_user_read(k, t, &a, &groups);
    id = kube_yunikorn_place(k, &a, t->space);
    if (id)
        return id;
    import_account_tell(k->account, IMPORT_IGNORED, kube_str(k, t->source), &at,
                        "pods that the placement rules of YuniKorn reject: "
                        "they are in queue '" KUBE_YUNIKORN_REJECTED "' here");
    return kube_put(k, KUBE_YUNIKORN_REJECTED);
}
