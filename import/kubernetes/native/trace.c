/* import/kubernetes/native/trace.c - workloads and pods as jobs.
 *
 * A workload is a job of as many groups as it has members; pods of which the
 * source holds no workload are jobs by their pod group, else by their owner,
 * else one each.
 */
#include "import/kubernetes/native/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/strtab.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/after.h"
#include "import/kubernetes/native/kube_terms.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/native/standing.h"
#include "import/kubernetes/node/tiers.h"
#include "import/kubernetes/object/index.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/budget.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/pod/selector.h"
#include "import/kubernetes/queue/kube_queue.h"
#include "import/kubernetes/queue/node_group.h"
#include "import/kubernetes/queue/quota.h"
#include "import/kubernetes/workload/cron.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/within.h"
#include "traces/workload/workload.h"

#define KUBE_COPIES_MAX 1000000

struct maker {
    struct kube *k;
    const struct kube_trace_options *options;
    struct trace_workload *w;
    struct kube_selectors *selectors;
    struct gs_strtab *taken;   /* names of jobs */
    struct kube_index numbers; /* [name of a workload] its next job's */
    uint32_t copies;           /* jobs of CronJobs and of several gangs */
    int64_t epoch;
    struct kube_standing standing;
    struct kube_after after;
    struct trace_group *group; /* of the job that is made now */
    uint32_t group_cap;
};

static void tell(const struct maker *m, enum import_note note, uint32_t source,
                 int line, int column, const char *text)
{
    const struct gs_ynode at = { .line = line, .column = column };

    import_account_tell(m->k->account, note, kube_str(m->k, source), &at, "%s",
                        text);
}

static void tell_pods(const struct maker *m, enum import_note note,
                      const struct kube_template *t, const char *text)
{
    tell(m, note, t->source, t->line, t->column, text);
}

/* --- rules among jobs ----------------------------------------------------- */

static uint32_t tier_of(const struct maker *m, const struct kube_template *t,
                        uint32_t topology_key)
{
    const uint32_t tier = kube_tier_of(m->k, topology_key);

    if (!tier)
        tell_pods(m, IMPORT_LEFT, t,
                  "affinity or spread over a label that is no tier (--tier "
                  "makes it one)");
    return tier;
}

static void rules_make(const struct maker *m, const struct kube_template *t,
                       struct trace_group *g)
{
    struct trace_rule rule[TRACE_RULES_MAX + TRACE_SPREADS_MAX];
    uint32_t count = 0, spreads = 0;

    if (t->nears > TRACE_RULES_MAX || t->spreads > TRACE_SPREADS_MAX)
        tell_pods(m, IMPORT_LEFT, t,
                  "terms of affinity beyond 32, or of spread beyond 8");
    for (uint32_t i = 0; i < t->nears && count < TRACE_RULES_MAX; i++) {
        const uint32_t tier = tier_of(m, t, t->near[i].topology_key);

        if (tier)
            rule[count++] = (struct trace_rule){
                .kind = t->near[i].is_anti ? TRACE_APART : TRACE_NEAR,
                .label = kube_selector_put(m->k, m->selectors, t, &t->near[i]),
                .tier = tier,
                .weight = t->near[i].weight,
            };
    }
    for (uint32_t i = 0; i < t->spreads && spreads < TRACE_SPREADS_MAX; i++) {
        const uint32_t tier = tier_of(m, t, t->spread[i].topology_key);

        spreads += tier != 0;
        if (tier)
            rule[count++] = (struct trace_rule){
                .kind = TRACE_SPREAD,
                .tier = tier,
                .max_skew = t->spread[i].max_skew,
                .weight = t->spread[i].weight,
            };
    }
    trace_group_rules(m->w, g, rule, count);
}

/* Number the selectors of all pods before any job is matched against them. */
static void selectors_put(const struct maker *m, const struct kube_template *t)
{
    for (uint32_t i = 0; i < t->nears; i++) {
        if (kube_tier_of(m->k, t->near[i].topology_key))
            (void)kube_selector_put(m->k, m->selectors, t, &t->near[i]);
    }
}

/* The selectors that select its pods are labels of the group. */
static void labels_make(const struct maker *m, const struct kube_template *t,
                        struct trace_group *g)
{
    uint32_t label[TRACE_LABELS_MAX];

    if (!kube_selectors_match(m->k, m->selectors, t, label, &g->label_count,
                              TRACE_LABELS_MAX))
        tell_pods(m, IMPORT_LEFT, t,
                  "pods that more than 32 selectors of affinity or budgets "
                  "select");
    g->first_label = trace_workload_labels(m->w, label, g->label_count);
}

/* Labels that all groups have are those of the job. */
static void labels_share(const struct maker *m, struct trace_job *j,
                         uint32_t groups)
{
    for (uint32_t i = 1; i < groups; i++) {
        if (!trace_group_same_labels(m->w, &m->group[0], &m->group[i]))
            return;
    }
    j->first_label = m->group[0].first_label;
    j->label_count = m->group[0].label_count;
    for (uint32_t i = 0; i < groups; i++)
        m->group[i].label_count = 0;
}

/* What the job says holds for all its groups; what all groups say is the job's.
 */
static void fixed_share(const struct maker *m, struct trace_job *j,
                        enum kube_yield stated, uint32_t groups)
{
    bool all = true;

    for (uint32_t i = 0; i < groups; i++) {
        m->group[i].fixed &= stated == KUBE_YIELD_UNSTATED;
        all &= m->group[i].fixed;
    }
    j->fixed |= all;
    for (uint32_t i = 0; i < groups && j->fixed; i++)
        m->group[i].fixed = false;
}

/* --- groups --------------------------------------------------------------- */

/* Append a group to those of the job that is made now, or add to an equal one:
 * which.
 */
static uint32_t group_add(struct maker *m, uint32_t *count, uint32_t name,
                          uint32_t replicas, uint32_t min,
                          const struct kube_template *t)
{
    struct trace_group g = { .name = name };
    struct topo_request r;

    if (t->is_gated)
        tell_pods(m, IMPORT_IGNORED, t, "scheduling gates: taken as lifted");
    kube_request_make(m->k, t, &r);
    g.shape = trace_workload_shape(m->w, &r);
    rules_make(m, t, &g);
    labels_make(m, t, &g);
    g.fixed = kube_pods_yield(m->k, t) == KUBE_FIXED;
    for (uint32_t i = 0; i < *count; i++) {
        struct trace_group *same = &m->group[i];

        if (same->shape == g.shape && same->name == g.name
            && same->fixed == g.fixed && trace_group_same_rules(m->w, same, &g)
            && trace_group_same_labels(m->w, same, &g)) {
            same->replicas += replicas;
            same->min += min;
            return i;
        }
    }
    g.replicas = replicas;
    g.min = min;
    m->group = gs_array_grow(m->group, &m->group_cap, *count + 1,
                             sizeof(*m->group));
    m->group[*count] = g;
    return (*count)++;
}

/* What their queue says of groups of nodes is a condition of its tasks. */
static void node_groups_take(struct maker *m, uint32_t queue,
                             const struct kube_template *t, uint32_t groups)
{
    for (uint32_t i = 0; i < groups; i++) {
        struct topo_request r = m->w->shape[m->group[i].shape];

        if (kube_node_groups_apply(m->k, queue, t->scheduler, &r))
            m->group[i].shape = trace_workload_shape(m->w, &r);
    }
}

/* --- names, times --------------------------------------------------------- */

/* "team/train", or with a number when that is taken, or there are several. */
static uint32_t name_make(struct maker *m, uint32_t name, bool is_one)
{
    const char *base = kube_str(m->k, name);
    uint32_t number = kube_index_get(&m->numbers, name);
    uint32_t before;
    char text[600];

    do {
        (void)snprintf(text, sizeof(text),
                       is_one && number == 0 ? "%.560s" : "%.560s-%u", base,
                       number);
        before = gs_strtab_count(m->taken);
        number++;
    } while (gs_strtab_put(m->taken, text, strlen(text)) != before);
    kube_index_put(&m->numbers, name, number - 1);
    return kube_put(m->k, text);
}

static int64_t submit_of(const struct maker *m, int64_t submit)
{
    return submit == KUBE_UNKNOWN ? 0 : submit - m->epoch;
}

static int64_t annotated(const struct maker *m, const struct kube_template *t)
{
    const uint32_t v = kube_label_value(&t->annotations,
                                        kube_put(m->k, "gsim/duration"));
    const char *s = kube_str(m->k, v);
    int64_t us;

    return v && gs_duration_parse(s, strlen(s), &us) == 0 ? us : KUBE_UNKNOWN;
}

/* How long it runs, of pods `t`. */
static int64_t duration_of(struct maker *m, const struct kube_template *t,
                           int64_t start, int64_t end, int64_t deadline)
{
    const int64_t said = annotated(m, t);

    if (start != KUBE_UNKNOWN && end != KUBE_UNKNOWN && end >= start)
        return end - start;
    if (m->standing.stands && said == KUBE_UNKNOWN && deadline == KUBE_UNKNOWN)
        return m->options->duration; /* told by standing.c */
    if (said != KUBE_UNKNOWN)
        return said;
    if (deadline != KUBE_UNKNOWN) {
        tell_pods(m, IMPORT_ASSUMED, t,
                  "jobs run until their activeDeadlineSeconds");
        return deadline;
    }
    tell_pods(m, IMPORT_ASSUMED, t,
              "jobs that state no run time run for --duration");
    return m->options->duration;
}

/* --- jobs ----------------------------------------------------------------- */

static void job_add(struct maker *m, struct trace_job *j,
                    const struct kube_template *t, uint32_t groups)
{
    j->group_count = groups;
    j->user = t->space;
    j->retries = TRACE_NONE;
    j->estimate = j->estimate > j->duration ? j->estimate : j->duration;
    (void)trace_workload_add(m->w, j, m->group);
}

/* The size of the gang that the workload asks for, of `all` pods. */
static uint32_t gang_of(const struct maker *m, const struct kube_workload *w,
                        uint32_t all, uint32_t least)
{
    const struct kube_pod_group *g = kube_pod_group_find(
        m->k, kube_pod_group_of(m->k, w->member[0].pods));
    const uint32_t gang = g && g->least ? g->least : w->gang ? w->gang : least;

    return gang == 0 || gang > all ? all : gang;
}

/* May there be another job of a workload that makes several? */
static bool may_copy(struct maker *m, const struct kube_workload *w)
{
    if (m->copies++ < KUBE_COPIES_MAX)
        return true;
    tell(m, IMPORT_LEFT, w->source, w->line, w->column,
         "jobs of CronJobs and LeaderWorkerSets beyond a million");
    return false;
}

static int64_t deadline_of(const struct kube_workload *w)
{
    return w->deadline != KUBE_UNKNOWN ? w->deadline
                                       : w->member[0].pods->deadline;
}

/* Its pods that run stand as those of the job, and its times are set. */
static void workload_stand(struct maker *m, const struct kube_workload *w,
                           struct trace_job *j, uint32_t groups, bool is_last)
{
    const struct kube_template *t = w->member[0].pods;
    const int64_t said = annotated(m, t);
    const bool ran = m->k->begin != KUBE_UNKNOWN && w->life == KUBE_BATCH
                     && w->start != KUBE_UNKNOWN && w->end != KUBE_UNKNOWN;

    kube_standing_take(&m->standing, m->k, m->w,
                       (uint32_t)(w - m->k->workloads->at), m->group, groups,
                       j->completions ? j->completions : UINT32_MAX, is_last);
    j->duration = w->life == KUBE_SERVICE ? TRACE_FOREVER
                  : w->task_time
                      ? w->task_time
                      : duration_of(m, t, w->start, w->end, deadline_of(w));
    kube_standing_finish(&m->standing, m->k, m->w, j,
                         ran                    ? j->duration
                         : said != KUBE_UNKNOWN ? said
                                                : deadline_of(w),
                         m->options->duration);
    if (ran && !w->task_time)
        kube_standing_cut(&m->standing, j, w->start, w->end);
}

static void copies_add(struct maker *m, const struct kube_workload *w,
                       struct trace_job *j, uint32_t groups)
{
    for (uint32_t i = 0; i < w->copies; i++) {
        if (w->copies > 1 && !may_copy(m, w))
            return;
        if (i > 0)
            workload_stand(m, w, j, groups, i + 1 == w->copies);
        j->name = name_make(m, w->name, w->copies == 1);
        job_add(m, j, w->member[0].pods, groups);
        kube_after_add(&m->after, m->k, w, m->w->job_count - 1);
    }
}

/* A job each time the schedule says, from time 0 on. */
static void runs_add(struct maker *m, const struct kube_workload *w,
                     struct trace_job *j, uint32_t groups)
{
    const int64_t begin = m->epoch + m->standing.shift;
    const int64_t end = begin < INT64_MAX - m->options->span
                            ? begin + m->options->span
                            : INT64_MAX;
    int64_t at = kube_schedule_next(w->schedule,
                                    w->schedule->every ? begin : begin - 1);
    bool any = false;

    tell(m, IMPORT_ASSUMED, w->source, w->line, w->column,
         "CronJobs make the jobs of --span, from time 0 on");
    if (j->stand_count) { /* a run that has begun */
        j->name = name_make(m, w->name, false);
        job_add(m, j, w->member[0].pods, groups);
        workload_stand(m, w, j, groups, true);
    }
    for (; at < end && may_copy(m, w); any = true) {
        j->submit = at - m->epoch;
        j->name = name_make(m, w->name, false);
        job_add(m, j, w->member[0].pods, groups);
        at = kube_schedule_next(w->schedule, at);
    }
    if (!any && at >= end)
        tell(m, IMPORT_LEFT, w->source, w->line, w->column,
             "CronJobs that make no job within --span");
}

/* Completions of a Job, of `all` pods at a time.  A gang that holds all of them
 * is a job whose pods start and end together.
 */
static void completions_take(struct maker *m, const struct kube_workload *w,
                             struct trace_job *j, uint32_t all)
{
    const bool has_begun = w->succeeded > 0 && m->standing.is_on;

    if (w->completions == 0
        || (j->gang > 1 && w->completions <= all && !has_begun))
        return;
    if (j->gang > 1)
        tell(m, IMPORT_IGNORED, w->source, w->line, w->column,
             "pod group of a Job with more completions than pods at a time: "
             "they start one by one");
    j->gang = 1;
    j->completions = w->completions;
    if (m->standing.is_on && w->succeeded < w->completions)
        j->completions -= w->succeeded;
}

/* The quotas of its first pods. */
static uint32_t quotas_of(struct maker *m, const struct kube_workload *w,
                          uint32_t klass)
{
    const uint32_t first = kube_terms_quotas(m->k, m->w, w->member[0].pods,
                                             klass, w->is_batch_job);

    for (uint32_t i = 1; first && i < w->members; i++) {
        if (kube_terms_quotas(m->k, m->w, w->member[i].pods, klass,
                              w->is_batch_job)
            != first)
            tell(m, IMPORT_ASSUMED, w->source, w->line, w->column,
                 "the quotas of a workload's first pods hold for all of them");
    }
    return first;
}

/* Of a job, or else of its pods; 0: the default scheduler. */
static uint32_t scheduler_of(const struct maker *m, uint32_t stated,
                             const struct kube_template *t)
{
    const uint32_t name = stated ? stated : t->scheduler;
    const char *text = kube_str(m->k, name);

    return *text && strcmp(text, TRACE_DEFAULT_SCHEDULER) != 0 ? name : 0;
}

static void workload_make(struct maker *m, const struct kube_workload *w)
{
    const struct kube_template *t = w->member[0].pods;
    const struct kube_pod_group *g = kube_pod_group_find(
        m->k, kube_pod_group_of(m->k, t));
    uint32_t groups = 0, all = 0, least = 0;
    struct trace_job j = { 0 };

    for (uint32_t i = 0; i < w->members; i++) {
        all += w->member[i].replicas;
        least += w->member[i].min;
    }
    for (uint32_t i = 0; i < w->members; i++) {
        const struct kube_member *x = &w->member[i];

        group_add(m, &groups, w->members > 1 ? x->name : 0, x->replicas,
                  least < all ? x->min : 0, x->pods);
    }
    labels_share(m, &j, groups);
    j.submit = submit_of(m, w->submit);
    j.estimate = w->deadline != KUBE_UNKNOWN ? w->deadline : 0;
    j.gang = gang_of(m, w, all, least);
    completions_take(m, w, &j, all);
    workload_stand(m, w, &j, groups, w->copies == 1);
    j.klass = kube_terms_class(m->k, m->w, w->priority_class, t);
    j.queue = kube_terms_queue(m->k, m->w, w->queue, kube_pod_group_of(m->k, t),
                               t->space);
    j.quotas = quotas_of(m, w, j.klass);
    j.scheduler = scheduler_of(m, w->scheduler, t);
    node_groups_take(
        m, kube_terms_queue_name(m->k, w->queue, kube_pod_group_of(m->k, t)), t,
        groups);
    kube_within_make(m->k, w, &j);
    j.max_wait = w->max_wait;
    if (!j.max_wait && g)
        j.max_wait = g->max_wait;
    j.fixed = kube_is_fixed(m->k, w->yield, t, m->w->klass[j.klass].value);
    fixed_share(m, &j, w->yield, groups);
    if (w->schedule)
        runs_add(m, w, &j, groups);
    else
        copies_add(m, w, &j, groups);
}

/* Does a LimitRange keep some of its pods from being created? */
static bool is_refused(struct kube *k, const struct kube_workload *w)
{
    for (uint32_t i = 0; i < w->members && !w->has_pods; i++) {
        if (kube_limits_refuse(k, w->member[i].pods))
            return true;
    }
    return false;
}

static void workloads_make(struct maker *m)
{
    for (uint32_t i = 0; i < m->k->workloads->count; i++) {
        const struct kube_workload *w = &m->k->workloads->at[i];

        if (w->is_part || w->life == KUBE_DAEMON)
            continue;
        if (w->is_suspended && w->start == KUBE_UNKNOWN)
            tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                 "suspended workloads");
        else if (is_refused(m->k, w))
            tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                 "workloads whose pods a LimitRange refuses");
        else if (!kube_standing_is_over(&m->standing, m->k, i))
            workload_make(m, w);
    }
}

/* --- pods without a workload ---------------------------------------------- */

/* What keeps pods together: their group, else their owner; 0: each alone. */
static uint32_t key_of(const struct kube_pod *p)
{
    return p->group ? p->group : p->owner;
}

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
static bool has_ended(const struct maker *m, const struct kube_pod *p,
                      bool serves)
{
    return m->standing.is_on ? kube_standing_has_ended(&m->standing, p)
                             : serves && !p->is_past && p->phase == KUBE_ENDED;
}

/* The job of `count` pods, pods[at[i]], one after the other. */
static void pods_make(struct maker *m, const uint32_t *at, uint32_t count)
{
    const struct kube_pod *all = m->k->pods->at, *p = &all[at[0]];
    const struct kube_pod_group *g = kube_pod_group_find(m->k, p->group);
    const bool serves = kube_pod_serves(m->k, p);
    struct trace_job j = { 0 };
    int64_t submit = KUBE_UNKNOWN, start = KUBE_UNKNOWN, end = KUBE_UNKNOWN;
    int64_t said;
    uint32_t groups = 0, tasks = 0, ended = 0;
    bool ran; /* samples tell from when to when */

    kube_standing_begin(&m->standing);
    for (uint32_t i = 0; i < count; i++) {
        const struct kube_pod *x = &all[at[i]];

        if (has_ended(m, x, serves)) {
            ended++;
            continue;
        }
        kube_standing_put(&m->standing, m->k, x,
                          group_add(m, &groups, 0, 1, 0, x->pods));
        tasks++;
        if (submit == KUBE_UNKNOWN || x->submit < submit)
            submit = x->submit;
        if (start == KUBE_UNKNOWN
            || (x->start != KUBE_UNKNOWN && x->start < start))
            start = x->start;
        end = x->end > end ? x->end : end;
        if (!x->is_past && x->phase != KUBE_ENDED)
            end = INT64_MAX;
    }
    if (ended && !serves)
        tell_pods(m, IMPORT_LEFT, p->pods,
                  "pods that were over at time 0 (--history keeps them)");
    if (tasks == 0)
        return;
    labels_share(m, &j, groups);
    j.submit = submit_of(m, submit);
    end = end == INT64_MAX ? KUBE_UNKNOWN : end;
    ran = p->is_past && start != KUBE_UNKNOWN && end != KUBE_UNKNOWN;
    j.duration = serves && !ran
                     ? TRACE_FOREVER
                     : duration_of(m, p->pods, start, end, p->pods->deadline);
    j.gang = serves ? 1 : g && g->least && g->least < tasks ? g->least : tasks;
    j.klass = kube_terms_class(m->k, m->w, g ? g->priority_class : 0, p->pods);
    j.queue = kube_terms_queue(m->k, m->w, p->queue, p->group, p->pods->space);
    j.quotas = kube_terms_quotas(m->k, m->w, p->pods, j.klass, false);
    j.scheduler = scheduler_of(m, 0, p->pods);
    node_groups_take(m, kube_terms_queue_name(m->k, p->queue, p->group),
                     p->pods, groups);
    kube_within_pods(m->k, p->pods, &j);
    j.max_wait = g ? g->max_wait : 0;
    j.fixed = kube_is_fixed(m->k, KUBE_YIELD_UNSTATED, p->pods,
                            m->w->klass[j.klass].value);
    fixed_share(m, &j, KUBE_YIELD_UNSTATED, groups);
    said = annotated(m, p->pods);
    kube_standing_finish(&m->standing, m->k, m->w, &j,
                         ran                    ? end - start
                         : said != KUBE_UNKNOWN ? said
                                                : p->pods->deadline,
                         m->options->duration);
    if (ran)
        kube_standing_cut(&m->standing, &j, start, end);
    j.name = name_make(m, name_of(m->k, p), true);
    job_add(m, &j, p->pods, groups);
}

/* Pods of one key, in the order of the first of each. */
static void pods_all_make(struct maker *m)
{
    const struct kube_pods *all = m->k->pods;
    uint32_t *next = gs_array_new(all->count, sizeof(*next));
    uint32_t *last = gs_array_new(gs_strtab_count(m->k->names), sizeof(*last));
    uint32_t *at = gs_array_new(all->count, sizeof(*at));
    uint8_t *is_first = gs_array_new(all->count, 1);

    for (uint32_t i = 0; i < all->count; i++) {
        const struct kube_pod *p = &all->at[i];
        const uint32_t key = key_of(p);

        if (p->workload || p->is_daemon || p->is_left)
            continue;
        if (kube_limits_refuse(m->k, p->pods)) {
            tell_pods(m, IMPORT_LEFT, p->pods,
                      "pods that a LimitRange refuses");
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
        if (count)
            pods_make(m, at, count);
    }
    gs_array_free(next);
    gs_array_free(last);
    gs_array_free(at);
    gs_array_free(is_first);
}

/* --- all of it ------------------------------------------------------------ */

int kube_trace_make(struct kube *k, const struct kube_trace_options *o,
                    struct trace_workload *w, int64_t *epoch,
                    struct gs_err *err)
{
    struct maker m = { .k = k,
                       .options = o,
                       .w = w,
                       .selectors = kube_selectors_create(),
                       .taken = gs_strtab_create(),
                       .epoch = kube_epoch(k) };

    (void)err;
    kube_standing_open(&m.standing, k, o->history, o->at, m.epoch);
    kube_terms_make(k, w);
    kube_node_groups_tell(k);
    for (uint32_t i = 0; i < k->workloads->count; i++) {
        for (uint32_t x = 0; x < k->workloads->at[i].members; x++)
            selectors_put(&m, k->workloads->at[i].member[x].pods);
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        if (!k->pods->at[i].is_daemon)
            selectors_put(&m, k->pods->at[i].pods);
    }
    kube_budgets_select(k, m.selectors);
    workloads_make(&m);
    pods_all_make(&m);
    kube_after_finish(&m.after, k, w);
    kube_budgets_make(k, w);
    trace_workload_finish(w, 0);
    kube_standing_shift(&m.standing, k, w);
    *epoch = m.epoch + m.standing.shift;
    kube_standing_close(&m.standing);
    kube_selectors_destroy(m.selectors);
    gs_strtab_destroy(m.taken);
    gs_array_free(m.numbers.at);
    gs_array_free(m.group);
    return 0;
}
