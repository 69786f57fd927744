/* import/kubernetes/native/workload_jobs.c - workloads as jobs: each is a job
 * of as many groups as it has members, or several.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
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
#include "import/kubernetes/workload/cron.h"
#include "import/kubernetes/workload/pod_group.h"
#include "import/kubernetes/workload/within.h"
#include "traces/workload/accounts.h"
#include "traces/workload/queue_terms.h"
#include "traces/workload/workload.h"

#define KUBE_COPIES_MAX 1000000

/* The size of the gang that the workload asks for, of `all` pods. */
static uint32_t gang_of(const struct kube_maker *m,
                        const struct kube_workload *w, uint32_t all,
                        uint32_t least)
{
    const struct kube_pod_group *g = kube_pod_group_find(
        m->k, kube_pod_group_of(m->k, w->member[0].pods));
    const struct kube_template **pods = gs_arena_alloc(m->k->arena, w->members,
                                                       sizeof(*pods));
    uint32_t gang, members;

    for (uint32_t i = 0; i < w->members; i++)
        pods[i] = w->member[i].pods;
    members = kube_yunikorn_gang(m->k, pods, w->members);
    gang = g && g->least ? g->least
           : members     ? members
           : w->gang     ? w->gang
                         : least;
    return gang == 0 || gang > all ? all : gang;
}

/* May there be another job of a workload that makes several? */
static bool may_copy(struct kube_maker *m, const struct kube_workload *w)
{
    if (m->copies++ < KUBE_COPIES_MAX)
        return true;
    kube_maker_tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                    "jobs of CronJobs and LeaderWorkerSets beyond a million");
    return false;
}

/* Of one pod: a Job has its deadline for all its rounds of pods. */
static int64_t deadline_of(const struct kube_workload *w)
{
    const int64_t at_once = w->member[0].replicas;
    const int64_t rounds = w->completions > at_once
                               ? (w->completions + at_once - 1) / at_once
                               : 1;

    return w->deadline != KUBE_UNKNOWN ? w->deadline / rounds
                                       : w->member[0].pods->deadline;
}

/* Its pods that run stand as those of the job, and its times are set. */
static void workload_stand(struct kube_maker *m, const struct kube_workload *w,
                           struct trace_job *j, uint32_t groups, bool is_last)
{
    const struct kube_template *t = w->member[0].pods;
    const int64_t said = kube_maker_read_duration(m, t);
    const int64_t deadline = deadline_of(w);
    const uint32_t most = j->aside->completions ? j->aside->completions
                                                : UINT32_MAX;
    const bool ran = m->k->begin != KUBE_UNKNOWN && w->life == KUBE_BATCH
                     && w->start != KUBE_UNKNOWN && w->end != KUBE_UNKNOWN;

    kube_standing_take(&m->standing, m->k, m->w,
                       (uint32_t)(w - m->k->workloads->at), m->group, groups,
                       most, is_last);
    kube_standing_assign(&m->standing, m->k, w, m->group_of, m->group, groups,
                         most);
    j->duration = w->life == KUBE_SERVICE ? TRACE_FOREVER
                  : w->task_time          ? w->task_time
                                 : kube_maker_find_duration(m, t, w->start,
                                                            w->end, deadline);
    kube_standing_finish(&m->standing, m->k, m->w, j,
                         ran                    ? j->duration
                         : said != KUBE_UNKNOWN ? said
                                                : deadline,
                         m->options->duration);
    if (ran && !w->task_time)
        kube_standing_cut(&m->standing, j, w->start, w->end);
}

static void copies_add(struct kube_maker *m, const struct kube_workload *w,
                       struct trace_job *j, uint32_t groups)
{
    for (uint32_t i = 0; i < w->copies; i++) {
        if (w->copies > 1 && !may_copy(m, w))
            return;
        if (i > 0)
            workload_stand(m, w, j, groups, i + 1 == w->copies);
        j->name = kube_maker_make_name(m, w->name, w->copies == 1);
        kube_maker_add_job(m, j, w->member[0].pods, groups);
        kube_after_add(&m->after, m->k, w, m->w->job_count - 1);
    }
}

/* How long a run takes, if its pods never wait. */
static int64_t run_length(const struct trace_job *j, uint32_t at_once)
{
    const int64_t rounds = j->aside->completions > at_once
                               ? (j->aside->completions + at_once - 1) / at_once
                               : 1;

    return j->duration < INT64_MAX / 2 / rounds ? j->duration * rounds
                                                : INT64_MAX / 2;
}

/* A job each time the schedule says, from time 0 on. */
static void runs_add(struct kube_maker *m, const struct kube_workload *w,
                     struct trace_job *j, uint32_t groups)
{
    const int64_t begin = m->epoch + m->standing.shift;
    const int64_t end = begin < INT64_MAX - m->options->span
                            ? begin + m->options->span
                            : INT64_MAX;
    int64_t at = kube_schedule_next(w->schedule,
                                    w->schedule->every ? begin : begin - 1);
    const int64_t length = run_length(j, w->member[0].replicas);
    const int64_t duration = j->duration;
    int64_t busy = INT64_MIN; /* until the last run ends */
    bool any = false;

    kube_maker_tell(m, IMPORT_ASSUMED, w->source, w->line, w->column,
                    "CronJobs make the jobs of --span, from time 0 on");
    if (j->aside->stand_count) { /* a run that has begun */
        j->name = kube_maker_make_name(m, w->name, false);
        kube_maker_add_job(m, j, w->member[0].pods, groups);
        workload_stand(m, w, j, groups, true);
        busy = begin + length;
    }
    for (int64_t next; at < end; at = next) {
        next = kube_schedule_next(w->schedule, at);
        if (w->overlap == KUBE_FORBIDDEN && at < busy)
            continue;
        if (!may_copy(m, w))
            break;
        any = true;
        busy = at + length;
        j->submit = at - m->epoch;
        j->name = kube_maker_make_name(m, w->name, false);
        j->duration = w->overlap == KUBE_REPLACES && !j->aside->completions
                              && next - at < duration
                          ? next - at
                          : duration;
        kube_maker_add_job(m, j, w->member[0].pods, groups);
    }
    if (!any && at >= end)
        kube_maker_tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                        "CronJobs that make no job within --span");
}

/* Completions of a Job, of `all` pods at a time.  A gang that holds all of them
 * is a job whose pods start and end together.
 */
static void completions_take(struct kube_maker *m,
                             const struct kube_workload *w, struct trace_job *j,
                             uint32_t all)
{
    const bool has_begun = w->succeeded > 0 && m->standing.is_on;

    if (w->completions == 0
        || (j->gang > 1 && w->completions <= all && !has_begun))
        return;
    if (j->gang > 1)
        kube_maker_tell(
            m, IMPORT_IGNORED, w->source, w->line, w->column,
            "pod group of a Job with more completions than pods at a time: "
            "they start one by one");
    j->gang = 1;
    j->aside->completions = w->completions;
    if (m->standing.is_on && w->succeeded < w->completions)
        j->aside->completions -= w->succeeded;
}

/* The quotas of its first pods. */
static uint32_t quotas_of(struct kube_maker *m, const struct kube_workload *w,
                          uint32_t klass)
{
    const uint32_t first = kube_quotas_of(m->k, m->w, w->member[0].pods, klass,
                                          w->is_batch_job);

    for (uint32_t i = 1; first && i < w->members; i++) {
        if (kube_quotas_of(m->k, m->w, w->member[i].pods, klass,
                           w->is_batch_job)
            != first)
            kube_maker_tell(
                m, IMPORT_ASSUMED, w->source, w->line, w->column,
                "the quotas of a workload's first pods hold for all of them");
    }
    return first;
}

/* The priority class that the workload states beside its pods; 0. */
static uint32_t class_of(struct kube *k, const struct kube_workload *w,
                         const struct kube_pod_group *g)
{
    if (w->priority_class || (g && g->priority_class))
        return w->priority_class ? w->priority_class : g->priority_class;
    return kube_workload_is_kai(k, w)
               ? kube_kai_class(k, w->kai_class, w->kind, w->member[0].pods)
               : 0;
}

/* Has the queue that flavor now?  It had when Kueue admitted the workload. */
static bool queue_has(const struct trace_workload *w, uint32_t queue,
                      uint32_t flavor)
{
    const struct trace_queue_extra *extra = trace_queue_extra(w,
                                                              &w->queue[queue]);

    for (uint32_t i = 0; i < extra->flavor_count; i++) {
        if (w->terms->queue_flavor[extra->first_flavor + i].flavor == flavor)
            return true;
    }
    return false;
}

/* Pods of the member hold quota of flavors, those that its queue has. */
static void held_take(struct kube_maker *m, const struct kube_workload *w,
                      const struct kube_member *x, uint32_t queue,
                      struct trace_group *g)
{
    const struct gs_ynode at = { .line = w->line, .column = w->column };
    uint32_t held[TRACE_HELD_MAX], n = 0;

    for (uint32_t i = 0; i < x->helds; i++) {
        const uint32_t flavor = trace_flavor_find(m->w, x->held[i]);

        if (flavor != TRACE_NONE && queue_has(m->w, queue, flavor))
            held[n++] = x->held[i];
        else
            import_account_tell(
                m->k->account, IMPORT_LEFT, kube_str(m->k, w->source), &at,
                flavor == TRACE_NONE
                    ? "flavor '%s' of a Workload: the source does not hold it, "
                      "so the Workload gets another"
                    : "flavor '%s' of a Workload: its queue no longer has it, "
                      "so the Workload gets another",
                kube_str(m->k, x->held[i]));
    }
    g->first_held = trace_workload_held(m->w, held, n);
    g->held_count = (uint8_t)n;
}

/* Does Kueue say on which nodes pods of it are? */
static bool is_assigned(const struct kube_workload *w)
{
    for (uint32_t i = 0; i < w->members; i++) {
        if (w->member[i].assigneds)
            return true;
    }
    return false;
}

/* Does it hold quota at time 0?  Told, where it holds no more than that. */
static bool holds_quota(const struct kube_maker *m,
                        const struct kube_workload *w)
{
    if (!w->holds_quota || !m->standing.is_on)
        return false;
    if (!w->has_pods && !is_assigned(w))
        kube_maker_tell(m, IMPORT_ASSUMED, w->source, w->line, w->column,
                        "a Workload that is admitted, of which the source "
                        "holds no pods, has its quota, and starts, at time 0");
    return true;
}

static void workload_make(struct kube_maker *m, const struct kube_workload *w)
{
    const struct kube_template *t = w->member[0].pods;
    const struct kube_pod_group *g = kube_pod_group_find(
        m->k, kube_pod_group_of(m->k, t));
    const bool subs = g && g->subs && !w->gang;
    const struct kube_task_rules *rules =
        g && !kube_has_task_rules(&w->task_rules) ? &g->task_rules
                                                  : &w->task_rules;
    const bool holds = holds_quota(m, w);
    const bool are_own = kube_within_are_own(m->k, w);
    uint32_t groups = 0, all = 0, least = 0;
    struct trace_job_aside aside = { 0 };
    struct trace_job j = { .aside = &aside };
    struct kube_template served = *t; /* by the workload's scheduler */
    const struct kube_queue_named named = { w->queue, w->project,
                                            kube_pod_group_of(m->k, t) };

    for (uint32_t i = 0; i < w->members; i++) {
        all += w->member[i].replicas;
        least += w->member[i].min;
    }
    kube_maker_begin_subs(m, g);
    m->group_of = gs_array_grow(m->group_of, &m->group_of_cap, w->members,
                                sizeof(*m->group_of));
    for (uint32_t i = 0; i < w->members; i++) {
        const struct kube_member *x = &w->member[i];
        uint32_t name = w->members > 1 || kube_has_task_rules(rules) ? x->name
                                                                     : 0;
        const uint32_t min = kube_maker_take_sub(
            m, subs ? g : NULL, x->pods, x->replicas,
            least < all && !subs ? x->min : 0, &name);

        const uint32_t at = kube_maker_add_group(m, &groups, name, x->replicas,
                                                 min, x->pods);

        m->group_of[i] = at;
        kube_within_group(m->k, w, i, are_own, m->w, &m->group[at]);
    }
    kube_maker_place_subs(m, subs ? g : NULL, groups, t);
    kube_maker_share_labels(m, &j, groups);
    kube_task_rules_make(m->k, m->w, rules, m->group, groups, &j);
    j.submit = kube_maker_find_submit(m, w->submit);
    j.estimate = w->deadline != KUBE_UNKNOWN ? deadline_of(w) : 0;
    j.gang = gang_of(m, w, all, least);
    kube_maker_limit_min(m, groups, j.gang);
    completions_take(m, w, &j, all);
    workload_stand(m, w, &j, groups, w->copies == 1);
    served.scheduler = w->scheduler ? w->scheduler : t->scheduler;
    j.klass = kube_class_of(m->k, m->w, class_of(m->k, w, g), &served);
    if (w->boost)
        j.klass = kube_class_boost(m->w, j.klass, w->boost);
    aside.account = w->local;
    aside.qos = w->qos;
    if (w->qos)
        (void)trace_qos_put(m->w, w->qos);
    j.queue = kube_terms_queue(m->k, m->w, &named, &served);
    for (uint32_t i = 0; holds && i < w->members; i++)
        held_take(m, w, &w->member[i], j.queue, &m->group[m->group_of[i]]);
    aside.quotas = quotas_of(m, w, j.klass);
    aside.scheduler = kube_maker_find_scheduler(m, w->scheduler, t);
    for (uint32_t i = 1; i < w->members && !w->scheduler; i++)
        kube_maker_join_scheduler(m, &aside.scheduler, w->member[i].pods);
    kube_maker_take_node_groups(m, kube_terms_queue_name(m->k, &named, &served),
                                t, groups);
    kube_within_make(m->k, w, m->w, &j);
    j.retries = w->retries;
    kube_terms_admission(m->k, m->w, g, &j);
    j.aside->admitted |= holds;
    if (holds && w->reserved != KUBE_UNKNOWN && w->reserved < m->standing.now)
        j.aside->admitted_since = w->reserved - m->standing.now;
    j.aside->max_wait = w->max_wait;
    if (!j.aside->max_wait && g)
        j.aside->max_wait = g->max_wait;
    j.aside->gang_timeout = g && g->gang_timeout ? g->gang_timeout
                                                 : w->staleness;
    j.fixed = kube_is_fixed(m->k, w->yield, &served, m->w->klass[j.klass].value)
              || kube_class_keeps(m->k, t);
    kube_maker_share_fixed(m, &j, w->yield, groups);
    kube_maker_share_class(m, &j, groups);
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

void kube_maker_add_workloads(struct kube_maker *m)
{
    for (uint32_t i = 0; i < m->k->workloads->count; i++) {
        const struct kube_workload *w = &m->k->workloads->at[i];

        if (w->is_part || w->life == KUBE_DAEMON)
            continue;
        if (w->is_suspended && w->start == KUBE_UNKNOWN)
            kube_maker_tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                            "suspended workloads");
        else if (is_refused(m->k, w))
            kube_maker_tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                            "workloads whose pods a LimitRange refuses, or ask "
                            "for more than their limits");
        else if (!w->has_pods && !w->holds_quota
                 && kube_within_is_refused(m->k, w))
            kube_maker_tell(m, IMPORT_LEFT, w->source, w->line, w->column,
                            "workloads with a topology that Kueue refuses: of "
                            "a level that no Topology lists, or of slices "
                            "without a size, or above the level");
        else if (!kube_standing_is_over(&m->standing, m->k, i))
            workload_make(m, w);
    }
}
