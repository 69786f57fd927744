/* import/kubernetes/series/past_pod.c - what series tell of pods. */
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/series_rows.h"
#include "import/source.h"

#define PARTS_MAX 256 /* containers, tolerations of a pod */

static const struct past_seen unseen = {
    .first = KUBE_UNKNOWN,
    .last = KUBE_UNKNOWN,
    .bound = KUBE_UNKNOWN,
    .run_first = KUBE_UNKNOWN,
    .run_last = KUBE_UNKNOWN,
    .ended = KUBE_UNKNOWN,
};

static struct past_seen *seen_of(struct past_pod *p, const struct series *s)
{
    return s->samples.is_instant ? &p->at_once : &p->seen;
}

/* The pod that the series is of: by its uid, else by its name; NULL when it has
 * none of these.
 */
static struct past_pod *pod_of(struct kube *k, const struct series *s)
{
    struct kube_series *all = k->series;
    const uint32_t space = kube_series_label(k, s, "namespace");
    const uint32_t name = kube_series_label(k, s, "pod");
    const uint32_t uid = kube_series_label(k, s, "uid");
    uint32_t key = uid, at;
    struct past_seen *seen;
    struct past_pod *p;

    if (!name)
        return NULL;
    if (!uid)
        key = past_full_name(k, space, name);
    at = kube_index_get(&all->pod_at, key);
    if (!at) {
        kube_index_put(&all->pod_at, key, all->pods);
        all->pod = gs_array_grow(all->pod, &all->pod_cap, all->pods + 1,
                                 sizeof(*all->pod));
        all->pod[all->pods++] = (struct past_pod){
            .uid = uid,
            .space = space,
            .name = name,
            .source = kube_put(k, s->o->source),
            .line = s->o->root->line,
            .is_cluster = all->only_nodes,
            .created = KUBE_UNKNOWN,
            .started = KUBE_UNKNOWN,
            .scheduled = KUBE_UNKNOWN,
            .completed = KUBE_UNKNOWN,
            .deleted = KUBE_UNKNOWN,
            .seen = unseen,
            .at_once = unseen,
        };
        at = all->pods;
    }
    p = &all->pod[at - 1];
    seen = seen_of(p, s);
    seen->first = kube_series_earlier(seen->first, s->samples.first);
    seen->last = kube_series_later(seen->last, s->samples.last);
    return p;
}

/* --- facts ---------------------------------------------------------------- */

static void bound_note(struct past_pod *p, const struct series *s)
{
    struct past_seen *seen = seen_of(p, s);

    seen->bound = kube_series_earlier(seen->bound, s->samples.on_first);
}

void past_pod_take_info(struct kube *k, const struct series *s,
                        const char *what)
{
    const uint32_t node = kube_series_label(k, s, "node");
    const uint32_t klass = kube_series_label(k, s, "priority_class");
    const uint32_t kind = kube_series_label(k, s, "created_by_kind");
    struct past_pod *p = pod_of(k, s);

    (void)what;
    if (!p)
        return;
    p->priority_class = klass ? klass : p->priority_class;
    if (kind && !p->owner_kind) {
        p->owner_kind = kind;
        p->owner_name = kube_series_label(k, s, "created_by_name");
    }
    if (node) {
        p->node = node;
        bound_note(p, s);
    }
}

void past_pod_take_owner(struct kube *k, const struct series *s,
                         const char *what)
{
    const uint32_t kind = kube_series_label(k, s, "owner_kind");
    const char *is = kube_text(s->labels, "owner_is_controller");
    const bool is_controller = is && strcmp(is, "true") == 0;
    struct past_pod *p = pod_of(k, s);

    (void)what;
    if (!p || !kind || (p->is_controlled && !is_controller))
        return;
    p->is_controlled = is_controller;
    p->owner_kind = kind;
    p->owner_name = kube_series_label(k, s, "owner_name");
}

void past_pod_take_time(struct kube *k, const struct series *s,
                        const char *what)
{
    struct past_pod *p = pod_of(k, s);
    const int64_t time = kube_series_time(s);
    int64_t *to;

    if (!p || time == 0)
        return;
    to = strcmp(what, "created") == 0      ? &p->created
         : strcmp(what, "start") == 0      ? &p->started
         : strcmp(what, "completion") == 0 ? &p->completed
         : strcmp(what, "deletion") == 0   ? &p->deleted
                                           : &p->scheduled;
    if (to == &p->created && !p->uid && *to != KUBE_UNKNOWN && *to != time)
        import_account_tell(k->account, IMPORT_ASSUMED, s->o->source,
                            s->o->root,
                            "pods that came again under their name are one: "
                            "without their label uid they look alike");
    *to = to == &p->completed ? kube_series_later(*to, time)
                              : kube_series_earlier(*to, time);
}

void past_pod_take_phase(struct kube *k, const struct series *s,
                         const char *what)
{
    const char *phase = kube_text(s->labels, "phase");
    struct past_pod *p = pod_of(k, s);
    struct past_seen *x;

    (void)what;
    if (!p || !phase || s->samples.on == 0)
        return;
    x = seen_of(p, s);
    if (strcmp(phase, "Running") == 0) {
        x->run_first = kube_series_earlier(x->run_first, s->samples.on_first);
        x->run_last = kube_series_later(x->run_last, s->samples.on_last);
    } else if (strcmp(phase, "Succeeded") == 0
               || strcmp(phase, "Failed") == 0) {
        x->ended = kube_series_earlier(x->ended, s->samples.on_first);
    }
}

void past_pod_take_bound(struct kube *k, const struct series *s,
                         const char *what)
{
    const char *is = kube_text(s->labels, "condition");
    struct past_pod *p = pod_of(k, s);

    (void)what;
    if (p && is && strcmp(is, "true") == 0)
        bound_note(p, s);
}

void past_pod_take_labels(struct kube *k, const struct series *s,
                          const char *what)
{
    struct past_pod *p = pod_of(k, s);

    if (p)
        kube_series_labels_add(k,
                               *what == 'l'   ? &p->labels
                               : *what == 'a' ? &p->annotations
                                              : &p->selectors,
                               s, what);
}

void past_pod_take_toleration(struct kube *k, const struct series *s,
                              const char *what)
{
    const struct past_toleration x = {
        .key = kube_series_label(k, s, "key"),
        .op = kube_series_label(k, s, "operator"),
        .value = kube_series_label(k, s, "value"),
        .effect = kube_series_label(k, s, "effect"),
    };
    struct past_pod *p = pod_of(k, s);
    struct past_toleration *at;

    (void)what;
    if (!p || p->tolerations == PARTS_MAX)
        return;
    for (uint32_t i = 0; i < p->tolerations; i++) {
        if (memcmp(&p->toleration[i], &x, sizeof(x)) == 0)
            return;
    }
    at = gs_arena_alloc(k->arena, p->tolerations + 1, sizeof(*at));
    if (p->tolerations)
        memcpy(at, p->toleration, p->tolerations * sizeof(*at));
    at[p->tolerations++] = x;
    p->toleration = at;
}

void past_pod_take_scheduler(struct kube *k, const struct series *s,
                             const char *what)
{
    struct past_pod *p = pod_of(k, s);

    (void)what;
    if (p)
        p->scheduler = kube_series_label(k, s, "name");
}

/* --- amounts -------------------------------------------------------------- */

static struct past_container *container_of(struct kube *k, struct past_pod *p,
                                           const struct series *s, bool is_init)
{
    const uint32_t name = kube_series_label(k, s, "container");
    struct past_container *at;

    for (uint32_t i = 0; i < p->containers; i++) {
        if (p->container[i].name == name && p->container[i].is_init == is_init)
            return &p->container[i];
    }
    if (p->containers == PARTS_MAX)
        return NULL;
    at = gs_arena_alloc(k->arena, p->containers + 1, sizeof(*at));
    if (p->containers)
        memcpy(at, p->container, p->containers * sizeof(*at));
    p->container = at;
    at[p->containers] = (struct past_container){ .name = name,
                                                 .is_init = is_init };
    return &at[p->containers++];
}

/* `resource` NULL: as the label says. */
static void amount_take(struct kube *k, const struct series *s,
                        const char *resource, bool is_init, bool is_limit)
{
    struct past_pod *p = pod_of(k, s);
    struct past_container *c = p ? container_of(k, p, s, is_init) : NULL;
    const uint32_t name = resource ? kube_put(k, resource)
                                   : kube_series_label(k, s, "resource");

    if (c && name)
        kube_amount_raise(k, is_limit ? &c->limit : &c->request, name,
                          s->samples.milli);
}

void past_pod_take_request(struct kube *k, const struct series *s,
                           const char *what)
{
    amount_take(k, s, what, false, false);
}

void past_pod_take_limit(struct kube *k, const struct series *s,
                         const char *what)
{
    amount_take(k, s, what, false, true);
}

void past_pod_take_init_request(struct kube *k, const struct series *s,
                                const char *what)
{
    amount_take(k, s, what, true, false);
}

void past_pod_take_init_limit(struct kube *k, const struct series *s,
                              const char *what)
{
    amount_take(k, s, what, true, true);
}

void past_pod_take_init(struct kube *k, const struct series *s,
                        const char *what)
{
    const char *restart = kube_text(s->labels, "restart_policy");
    struct past_pod *p = pod_of(k, s);
    struct past_container *c = p ? container_of(k, p, s, true) : NULL;

    (void)what;
    if (c && restart && strcmp(restart, "Always") == 0)
        c->is_sidecar = true;
}

void past_pod_take_overhead(struct kube *k, const struct series *s,
                            const char *what)
{
    struct past_pod *p = pod_of(k, s);

    if (p)
        kube_amount_raise(k, &p->overhead, kube_put(k, what), s->samples.milli);
}
