/* import/kubernetes/series/past_pods.c - the pods and Jobs that series tell of,
 * as objects.
 *
 * past_pods_make() makes a pod of each, once past_names_join() has joined those
 * that are told by their names, and finds when it ran (times_set()).  A pod
 * that the source holds as an object only learns its times.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/object/readers.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/series/kube_series.h"
#include "import/kubernetes/series/past_objects.h"
#include "import/kubernetes/series/series_rows.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "import/source.h"

static void tell(struct kube *k, enum import_note note,
                 const struct past_pod *p, const char *text)
{
    const struct gs_ynode at = { .line = p->line, .column = p->line > 0 };

    import_account_tell(k->account, note, kube_str(k, p->source), &at, "%s",
                        text);
}

/* "KIND namespace/name" */
static uint32_t called(const struct kube *k, const char *kind, uint32_t space,
                       uint32_t name)
{
    char text[680];

    (void)snprintf(text, sizeof(text), "%.64s %.253s/%.253s", kind,
                   kube_str(k, space), kube_str(k, name));
    return kube_put(k, text);
}

/* --- times ---------------------------------------------------------------- */

/* When it was bound: as stated, else the first sample that shows it. */
static int64_t start_of(const struct kube_range *r, const struct past_pod *p)
{
    const int64_t seen = kube_series_earlier(p->seen.bound, p->seen.run_first);

    if (p->scheduled != KUBE_UNKNOWN)
        return p->scheduled;
    if (p->started != KUBE_UNKNOWN)
        return p->started;
    /* it ran before the first sample */
    return seen == r->first && p->created != KUBE_UNKNOWN ? p->created : seen;
}

static bool is_gone(const struct kube_range *r, const struct past_pod *p)
{
    return r->step && p->seen.last < r->last - 2 * r->step;
}

/* When it ended: as stated, else the first sample that does not show it run.
 * INT64_MAX: it runs on.
 */
static int64_t end_of(const struct kube_range *r, const struct past_pod *p)
{
    int64_t end;

    if (p->completed != KUBE_UNKNOWN)
        return p->completed;
    if (p->seen.ended != KUBE_UNKNOWN)
        return p->seen.ended;
    if (!is_gone(r, p))
        return INT64_MAX;
    end = p->seen.last + r->step;
    return p->deleted != KUBE_UNKNOWN && p->deleted < end
                   && p->deleted >= p->seen.last
               ? p->deleted
               : end;
}

static void times_set(struct kube *k, struct kube_pod *to,
                      const struct past_pod *p)
{
    const struct kube_range *r = &k->series->of_pods;
    const int64_t start = start_of(r, p), end = end_of(r, p);

    to->is_past = true;
    if (p->created != KUBE_UNKNOWN)
        to->submit = p->created;
    if (to->submit == KUBE_UNKNOWN)
        to->submit = p->seen.first;
    if (to->is_daemon) {
        to->phase = KUBE_RUNNING;
        return;
    }
    to->start = start;
    to->end = end;
    if (start == KUBE_UNKNOWN) {
        to->phase = KUBE_PENDING;
        to->is_left = end != INT64_MAX;
        if (to->is_left)
            tell(k, IMPORT_LEFT, p, "pods that were gone before they ran");
        return;
    }
    to->phase = end == INT64_MAX ? KUBE_RUNNING : KUBE_ENDED;
    to->submit = to->submit < start ? to->submit : start;
    to->end = end > start ? end : start;
}

/* --- objects -------------------------------------------------------------- */

struct maker {
    struct past_made made;
    struct kube_index object;  /* [uid] pod of the source */
    struct kube_index owner;   /* ["KIND namespace/name"] its uid */
    struct kube_index daemon;  /* ["DaemonSet namespace/name" and node] the
                                  last of its pods there */
    struct kube_index job_pod; /* ["namespace/name" of a Job] a pod of it */
};

static uint32_t owner_uid(const struct maker *m, const char *kind,
                          uint32_t space, uint32_t name)
{
    const uint32_t text = called(m->made.k, kind, space, name);
    const uint32_t uid = kube_index_get(&m->owner, text);

    return uid ? uid - 1 : text;
}

static void owner_put(struct maker *m, struct gs_ynode *meta,
                      const struct past_pod *p)
{
    const struct kube *k = m->made.k;
    struct gs_ynode *owner;

    if (!p->owner_kind || !p->owner_name)
        return;
    owner = past_item(&m->made, past_list(&m->made, meta, "ownerReferences"));
    past_text(&m->made, owner, "kind", p->owner_kind);
    past_text(&m->made, owner, "name", p->owner_name);
    past_text(
        &m->made, owner, "uid",
        owner_uid(m, kube_str(k, p->owner_kind), p->space, p->owner_name));
    past_word(&m->made, owner, "controller", "true");
}

static void container_put(struct maker *m, struct gs_ynode *list,
                          const struct past_container *c)
{
    struct gs_ynode *item = past_item(&m->made, list);
    struct gs_ynode *resources = past_map(&m->made, item, "resources");

    past_text(&m->made, item, "name", c->name);
    if (c->is_sidecar)
        past_word(&m->made, item, "restartPolicy", "Always");
    past_amounts_put(&m->made, past_map(&m->made, resources, "requests"),
                     &c->request);
    past_amounts_put(&m->made, past_map(&m->made, resources, "limits"),
                     &c->limit);
}

static void containers_put(struct maker *m, struct gs_ynode *spec,
                           const struct past_pod *p)
{
    struct gs_ynode *init = past_list(&m->made, spec, "initContainers");
    struct gs_ynode *main = past_list(&m->made, spec, "containers");

    for (uint32_t i = p->containers; i-- > 0;)
        container_put(m, p->container[i].is_init ? init : main,
                      &p->container[i]);
    if (main->len == 0)
        (void)past_item(&m->made, main); /* it asks for nothing */
}

static void spec_put(struct maker *m, struct gs_ynode *root,
                     const struct past_pod *p, bool is_bound)
{
    struct gs_ynode *spec = past_map(&m->made, root, "spec");
    struct gs_ynode *list = past_list(&m->made, spec, "tolerations");

    containers_put(m, spec, p);
    past_amounts_put(&m->made, past_map(&m->made, spec, "overhead"),
                     &p->overhead);
    past_labels_put(&m->made, past_map(&m->made, spec, "nodeSelector"),
                    &p->selectors);
    for (uint32_t i = 0; i < p->tolerations; i++) {
        struct gs_ynode *t = past_item(&m->made, list);

        past_text(&m->made, t, "key", p->toleration[i].key);
        past_text(&m->made, t, "operator", p->toleration[i].op);
        past_text(&m->made, t, "value", p->toleration[i].value);
        past_text(&m->made, t, "effect", p->toleration[i].effect);
    }
    past_text(&m->made, spec, "priorityClassName", p->priority_class);
    past_text(&m->made, spec, "schedulerName", p->scheduler);
    if (is_bound)
        past_text(&m->made, spec, "nodeName", p->node);
}

static struct gs_ynode *meta_put(struct maker *m, struct gs_ynode *root,
                                 const struct past_pod *p)
{
    struct gs_ynode *meta = past_map(&m->made, root, "metadata");

    past_labels_put(&m->made, past_map(&m->made, meta, "labels"), &p->labels);
    past_labels_put(&m->made, past_map(&m->made, meta, "annotations"),
                    &p->annotations);
    return meta;
}

static void pod_make(struct maker *m, const struct past_pod *p)
{
    struct kube *k = m->made.k;
    struct gs_ynode *root = past_begin(&m->made, p->source, p->line);
    struct gs_ynode *meta = meta_put(m, root, p);

    past_text(&m->made, meta, "namespace", p->space);
    past_text(&m->made, meta, "name", p->name);
    past_text(&m->made, meta, "uid",
              p->uid ? p->uid : called(k, "Pod", p->space, p->name));
    past_date(&m->made, meta, "creationTimestamp", p->created);
    owner_put(m, meta, p);
    spec_put(m, root, p, true);
    if (past_read(&m->made, "v1", "Pod", root, kube_pod_read) == 0)
        times_set(k, &k->pods->at[k->pods->count - 1], p);
}

/* --- all of them ---------------------------------------------------------- */

static bool is_kind(const struct kube *k, uint32_t kind, const char *name)
{
    return strcmp(kube_str(k, kind), name) == 0;
}

/* The uids that objects of the source have. */
static void objects_see(struct maker *m)
{
    const struct kube *k = m->made.k;

    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];

        kube_index_put(&m->object, p->uid, i);
        if (p->owner)
            kube_index_put(&m->owner,
                           called(k, kube_str(k, p->owner_kind), p->pods->space,
                                  p->owner_name),
                           p->owner);
    }
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        const struct kube_workload *w = &k->workloads->at[i];
        char text[680];

        if (!w->uid)
            continue;
        (void)snprintf(text, sizeof(text), "%.64s %.600s", kube_str(k, w->kind),
                       kube_str(k, w->name));
        kube_index_put(&m->owner, kube_put(k, text), w->uid);
    }
}

/* A daemon's last pod on a node stands for those before it. */
static uint32_t daemon_key(const struct kube *k, const struct past_pod *p)
{
    char text[1000];

    if (!is_kind(k, p->owner_kind, "DaemonSet")
        && !is_kind(k, p->owner_kind, "Node"))
        return 0;
    (void)snprintf(
        text, sizeof(text), "%.600s@%.300s",
        kube_str(k, called(k, kube_str(k, p->owner_kind), p->space,
                           is_kind(k, p->owner_kind, "Node") ? p->name
                                                             : p->owner_name)),
        kube_str(k, p->node));
    return kube_put(k, text);
}

static void daemons_see(struct maker *m, const uint8_t *is_joined)
{
    const struct kube_series *all = m->made.k->series;

    for (uint32_t i = 0; i < all->pods; i++) {
        const uint32_t key = is_joined[i] ? 0
                                          : daemon_key(m->made.k, &all->pod[i]);
        const uint32_t at = kube_index_get(&m->daemon, key);

        if (key && (!at || all->pod[at - 1].seen.last <= all->pod[i].seen.last))
            kube_index_put(&m->daemon, key, i);
    }
}

static void pod_take(struct maker *m, uint32_t i)
{
    struct kube *k = m->made.k;
    const struct past_pod *p = &k->series->pod[i];
    const uint32_t daemon = daemon_key(k, p);
    const uint32_t object = kube_index_get(&m->object, p->uid);

    if (daemon ? kube_index_get(&m->daemon, daemon) != i + 1 : p->is_cluster)
        return;
    if (p->owner_name && is_kind(k, p->owner_kind, "Job"))
        kube_index_put(&m->job_pod, past_full_name(k, p->space, p->owner_name),
                       i);
    if (object)
        times_set(k, &k->pods->at[object - 1], p);
    else
        pod_make(m, p);
}

static void number_put(struct maker *m, struct gs_ynode *map, const char *key,
                       int64_t number)
{
    char text[32];

    (void)snprintf(text, sizeof(text), "%lld", (long long)number);
    past_word(&m->made, map, key, number == KUBE_UNKNOWN ? NULL : text);
}

/* The Job with the pods that it had: those are all alike. */
static void job_make(struct maker *m, const struct past_job *j)
{
    struct kube *k = m->made.k;
    const uint32_t at = kube_index_get(&m->job_pod,
                                       past_full_name(k, j->space, j->name));
    const struct past_pod *pod = at ? &k->series->pod[at - 1] : NULL;
    const struct gs_ynode place = { .line = j->line, .column = 1 };
    struct gs_ynode *root, *meta, *spec, *status, *template;

    if (kube_index_get(&m->owner, called(k, "Job", j->space, j->name)))
        return; /* it is an object of the source */
    if (j->parallelism == KUBE_UNKNOWN && j->completions == KUBE_UNKNOWN)
        return;
    if (!pod) {
        import_account_tell(k->account, IMPORT_LEFT, kube_str(k, j->source),
                            &place, "Jobs of which no series of pods is there");
        return;
    }
    root = past_begin(&m->made, j->source, j->line);
    meta = past_map(&m->made, root, "metadata");
    spec = past_map(&m->made, root, "spec");
    status = past_map(&m->made, root, "status");
    template = past_map(&m->made, spec, "template");
    past_text(&m->made, meta, "namespace", j->space);
    past_text(&m->made, meta, "name", j->name);
    past_text(&m->made, meta, "uid", owner_uid(m, "Job", j->space, j->name));
    past_date(&m->made, meta, "creationTimestamp", j->created);
    past_labels_put(&m->made, past_map(&m->made, meta, "labels"), &j->labels);
    number_put(m, spec, "parallelism", j->parallelism);
    number_put(m, spec, "completions", j->completions);
    number_put(m, spec, "activeDeadlineSeconds", j->deadline);
    past_date(&m->made, status, "startTime", j->started);
    past_date(&m->made, status, "completionTime", j->completed);
    (void)meta_put(m, template, pod);
    spec_put(m, template, pod, false);
    past_read(&m->made, "batch/v1", "Job", root, kube_job_read);
}

void past_pods_make(struct kube *k)
{
    struct kube_series *all = k->series;
    uint8_t *is_joined = gs_array_new(all->pods, sizeof(*is_joined));
    struct past_order *order = gs_array_new(
        all->pods > all->jobs ? all->pods : all->jobs, sizeof(*order));
    bool any_request = all->pods == 0;
    struct maker m = { .daemon = { 0 } };

    past_open(&m.made, k);
    past_names_join(k, is_joined);
    for (uint32_t i = 0; i < all->pods; i++) {
        if (all->is_instant || all->pod[i].seen.first == KUBE_UNKNOWN)
            all->pod[i].seen = all->pod[i].at_once;
    }
    objects_see(&m);
    daemons_see(&m, is_joined);
    for (uint32_t i = 0; i < all->pods; i++) {
        const struct past_pod *p = &all->pod[i];

        any_request = any_request || p->containers;
        order[i] = (struct past_order){ p->created, kube_str(k, p->space),
                                        kube_str(k, p->name),
                                        kube_str(k, p->uid), i };
    }
    past_order_sort(order, all->pods);
    for (uint32_t i = 0; i < all->pods; i++) {
        if (!is_joined[order[i].at])
            pod_take(&m, order[i].at);
    }
    if (!any_request)
        tell(k, IMPORT_ASSUMED, &all->pod[0],
             "pods ask for nothing: no series of "
             "kube_pod_container_resource_requests is there");
    for (uint32_t i = 0; i < all->jobs; i++) {
        const struct past_job *j = &all->job[i];

        order[i] = (struct past_order){ j->created, kube_str(k, j->space),
                                        kube_str(k, j->name), "", i };
    }
    past_order_sort(order, all->jobs);
    for (uint32_t i = 0; i < all->jobs; i++)
        job_make(&m, &all->job[order[i].at]);
    past_close(&m.made);
    gs_array_free(order);
    gs_array_free(m.object.at);
    gs_array_free(m.owner.at);
    gs_array_free(m.daemon.at);
    gs_array_free(m.job_pod.at);
    gs_array_free(is_joined);
}
