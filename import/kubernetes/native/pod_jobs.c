/* import/kubernetes/native/pod_jobs.c - pods of which the source holds no
 * workload: jobs by their pod group, else by their owner, else one each.
 */
#include <stdio.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "import/kubernetes/conf/yunikorn_conf.h"
#include "import/kubernetes/native/class_terms.h"
#include "import/kubernetes/native/kai_class.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/native/maker.h"
#include "import/kubernetes/native/quota_terms.h"
#include "import/kubernetes/native/trace.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kube_quota.h"
#include "import/kubernetes/workload/pod.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/task_order.h"
#include "import/kubernetes/workload/within.h"
#include "traces/workload/workload.h"

/* "namespace/name" of what keeps the pod together with others. */
static uint32_t name_of(const struct kube *k, const struct kube_pod *p)
{
    char name[600];

    if (p->group || !p->owner)
        return p->group ? p->group : p->name;
    (void)snprintf(name, sizeof(name), "%.253s/%.253s",
                   kube_str(k, p->pods->space), kube_str(k, p->owner_name));
    return kube_put(k, name);
}

/* Was it over at time 0, or is it no task of a service? */
static bool has_ended(const struct kube_maker *m, const struct kube_pod *p,
                      bool serves)
{
    return m->standing.is_on ? kube_standing_has_ended(&m->standing, p)
                             : serves && !p->is_past && p->phase == KUBE_ENDED;
}

/* How many of its `tasks` start together; at[] are all its pods. */
static uint32_t gang_of(const struct kube_maker *m, const uint32_t *at,
                        uint32_t count, uint32_t tasks)
{
    const struct kube_pod *all = m->k->pods->at;
    const struct kube_pod_group *g = kube_pod_group_find(m->k,
                                                         all[at[0]].group);
    const struct kube_template **pods = gs_arena_alloc(m->k->arena, count,
                                                       sizeof(*pods));
    uint32_t gang = g ? g->least : 0;

    for (uint32_t i = 0; i < count; i++)
        pods[i] = all[at[i]].pods;
    if (!gang)
        gang = kube_yunikorn_gang(m->k, pods, count);
    return gang && gang < tasks ? gang : tasks;
}

/* The priority class that stands beside the pods; 0. */
static uint32_t class_of(struct kube *k, const struct kube_pod *p,
                         const struct kube_pod_group *g)
{
    if (g && g->priority_class)
        return g->priority_class;
    return kube_is_kai(kube_str(k, p->pods->scheduler))
               ? kube_kai_class(k, 0, p->owner_kind, p->pods)
               : 0;
}

/* The job of `count` pods, pods[at[i]], one after the other. */
static void pods_make(struct kube_maker *m, const uint32_t *at, uint32_t count)
{
    const struct kube_pod *all = m->k->pods->at, *p = &all[at[0]];
    const struct kube_pod_group *g = kube_pod_group_find(m->k, p->group);
    const uint32_t spec = kube_put(m->k, "volcano.sh/task-spec");
    const struct kube_queue_named named = { .queue = p->queue,
                                            .pod_group = p->group };
    const bool leaves = !p->is_past && p->leaves != KUBE_UNKNOWN;
    const bool serves = !leaves && kube_pod_serves(m->k, p);
    struct trace_job_aside aside = { 0 };
    struct trace_job j = { .aside = &aside, .retries = TRACE_NONE };
    int64_t submit = KUBE_UNKNOWN, start = KUBE_UNKNOWN, end = KUBE_UNKNOWN;
    int64_t said;
    uint32_t groups = 0, tasks = 0, ended = 0;
    bool known; /* from when to when it runs */
    bool ran;   /* ... by samples */

    kube_standing_begin(&m->standing);
    kube_maker_begin_subs(m, g);
    for (uint32_t i = 0; i < count; i++) {
        const struct kube_pod *x = &all[at[i]];
        uint32_t name = g && kube_has_task_rules(&g->task_rules)
                            ? kube_label_value(&x->pods->annotations, spec)
                            : 0;
        uint32_t least;

        if (has_ended(m, x, serves)) {
            ended++;
            continue;
        }
        least = kube_maker_take_sub(m, serves ? NULL : g, x->pods, 1, 0, &name);
        kube_standing_put(
            &m->standing, m->k, x,
            kube_maker_add_group(m, &groups, name, 1, least, x->pods));
        tasks++;
        if (submit == KUBE_UNKNOWN || x->submit < submit)
            submit = x->submit;
        if (start == KUBE_UNKNOWN
            || (x->start != KUBE_UNKNOWN && x->start < start))
            start = x->start;
        end = x->end > end ? x->end : end;
        if (!x->is_past && x->phase != KUBE_ENDED)
            end = leaves ? x->leaves : INT64_MAX;
    }
    if (ended && !serves)
        kube_maker_tell_pods(
            m, IMPORT_LEFT, p->pods,
            "pods that were over at time 0 (--history keeps them)");
    if (tasks == 0)
        return;
    kube_maker_place_subs(m, serves ? NULL : g, groups, p->pods);
    kube_maker_share_labels(m, &j, groups);
    if (g)
        kube_task_rules_make(m->k, m->w, &g->task_rules, m->group, groups, &j);
    j.submit = kube_maker_find_submit(m, submit);
    end = end == INT64_MAX ? KUBE_UNKNOWN : end;
    known = start != KUBE_UNKNOWN && end != KUBE_UNKNOWN && end >= start;
    ran = p->is_past && known;
    j.duration = serves && !ran ? TRACE_FOREVER
                                : kube_maker_find_duration(
                                    m, p->pods, start, end, p->pods->deadline);
    j.gang = serves ? 1 : gang_of(m, at, count, tasks);
    j.klass = kube_class_of(m->k, m->w, class_of(m->k, p, g), p->pods);
    j.queue = kube_terms_queue(m->k, m->w, &named, p->pods);
    aside.account = p->local;
    aside.quotas = kube_quotas_of(m->k, m->w, p->pods, j.klass, false);
    aside.scheduler = kube_maker_find_scheduler(m, 0, p->pods);
    for (uint32_t i = 1; i < count; i++)
        kube_maker_join_scheduler(m, &aside.scheduler, all[at[i]].pods);
    kube_maker_take_node_groups(m, kube_terms_queue_name(m->k, &named, p->pods),
                                p->pods, groups);
    kube_within_pods(m->k, p->pods, tasks, m->w, &j);
    aside.max_wait = g ? g->max_wait : 0;
    aside.gang_timeout = g ? g->gang_timeout : 0;
    kube_terms_admission(m->k, m->w, g, &j);
    j.fixed = kube_is_fixed(m->k, KUBE_YIELD_UNSTATED, p->pods,
                            m->w->klass[j.klass].value);
    j.fixed |= kube_class_keeps(m->k, p->pods);
    j.fixed |= leaves; /* it is evicted already */
    kube_maker_share_fixed(m, &j, KUBE_YIELD_UNSTATED, groups);
    kube_maker_share_class(m, &j, groups);
    said = kube_maker_read_duration(m, p->pods);
    kube_standing_finish(&m->standing, m->k, m->w, &j,
                         ran || (leaves && known) ? end - start
                         : said != KUBE_UNKNOWN   ? said
                                                  : p->pods->deadline,
                         m->options->duration);
    if (leaves)
        kube_maker_tell_pods(
            m, IMPORT_ASSUMED, p->pods,
            "pods that are being deleted hold their node until "
            "their deletionTimestamp");
    if (ran)
        kube_standing_cut(&m->standing, &j, start, end);
    j.name = kube_maker_make_name(m, name_of(m->k, p), true);
    kube_maker_add_job(m, &j, p->pods, groups);
}

/* Pods of one key, in the order of the first of each. */
void kube_maker_add_pods(struct kube_maker *m)
{
    const struct kube_pods *all = m->k->pods;
    uint32_t *next = gs_array_new(all->count, sizeof(*next));
    uint32_t *last = gs_array_new(gs_strtab_count(m->k->names), sizeof(*last));
    uint32_t *at = gs_array_new(all->count, sizeof(*at));
    uint8_t *is_first = gs_array_new(all->count, 1);

    for (uint32_t i = 0; i < all->count; i++) {
        const struct kube_pod *p = &all->at[i];
        const uint32_t key = kube_pod_key(p);

        if (p->workload || p->is_daemon || p->is_left)
            continue;
        if (kube_limits_refuse(m->k, p->pods)) {
            kube_maker_tell_pods(
                m, IMPORT_LEFT, p->pods,
                "pods that a LimitRange refuses, or that ask for "
                "more than their limits");
            continue;
        }
        is_first[i] = !key || !last[key];
        if (key && last[key])
            next[last[key] - 1] = i + 1;
        if (key)
            last[key] = i + 1;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t count = 0;

        for (uint32_t p = is_first[i] ? i + 1 : 0; p; p = next[p - 1])
            at[count++] = p - 1;
        kube_tasks_sort(m->k, all->at, at, count);
        if (count)
            pods_make(m, at, count);
    }
    gs_array_free(next);
    gs_array_free(last);
    gs_array_free(at);
    gs_array_free(is_first);
}
