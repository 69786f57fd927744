/* import/kubernetes/native/standing.c - see standing.h. */
#include "import/kubernetes/native/standing.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/yamldoc.h"
#include "import/account.h"
#include "import/kubernetes/native/request.h"
#include "import/kubernetes/node/node.h"
#include "import/kubernetes/object/kube.h"
#include "import/kubernetes/pod/pod_template.h"
#include "import/kubernetes/queue/kueue.h"
#include "import/kubernetes/workload/kube_workload.h"
#include "import/kubernetes/workload/pod.h"
#include "traces/workload/workload.h"

static void tell(struct kube *k, enum import_note note,
                 const struct kube_template *t, const char *text)
{
    const struct gs_ynode at = { .line = t->line, .column = t->column };

    import_account_tell(k->account, note, kube_str(k, t->source), &at, "%s",
                        text);
}

bool kube_standing_has_ended(const struct kube_standing *s,
                             const struct kube_pod *p)
{
    return p->is_past
               ? p->end <= s->now
               : p->phase == KUBE_ENDED
                     || (p->leaves != KUBE_UNKNOWN && p->leaves <= s->now);
}

static bool is_bound(const struct kube_standing *s, const struct kube_pod *p)
{
    const bool has_begun = !p->is_past
                           || (p->start != KUBE_UNKNOWN && p->start <= s->now);

    return p->pods->node && has_begun && !kube_standing_has_ended(s, p)
           && !p->is_daemon && !p->is_left;
}

/* --- the source ----------------------------------------------------------- */

int64_t kube_epoch(const struct kube *k)
{
    int64_t first = INT64_MAX;

    for (uint32_t i = 0; i < k->workloads->count; i++) {
        const struct kube_workload *w = &k->workloads->at[i];

        if (!w->is_part && w->life != KUBE_DAEMON && w->submit != KUBE_UNKNOWN
            && w->submit < first)
            first = w->submit;
    }
    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];

        if (!p->workload && !p->is_daemon && !p->is_left
            && p->submit != KUBE_UNKNOWN && p->submit < first)
            first = p->submit;
    }
    return first == INT64_MAX || first < 0 ? 0 : first;
}

static int64_t latest_of(const struct kube *k)
{
    int64_t last = k->seen;

    for (uint32_t i = 0; i < k->pods->count; i++) {
        const struct kube_pod *p = &k->pods->at[i];

        last = p->submit > last ? p->submit : last;
        last = p->start > last ? p->start : last;
        last = p->end > last ? p->end : last;
    }
    return last;
}

static void pods_link(struct kube_standing *s, const struct kube *k)
{
    const struct kube_pods *all = k->pods;

    s->first = gs_array_new(k->workloads->count + 1, sizeof(*s->first));
    s->alive = gs_array_new(k->workloads->count + 1, sizeof(*s->alive));
    s->next = gs_array_new(all->count + 1, sizeof(*s->next));
    for (uint32_t i = all->count; i-- > 0;) {
        const uint32_t w = all->at[i].workload;

        if (!w)
            continue;
        s->next[i] = s->first[w - 1];
        s->first[w - 1] = i + 1;
        s->alive[w - 1] += !kube_standing_has_ended(s, &all->at[i]);
    }
}

static void nodes_index(struct kube_standing *s, const struct kube *k)
{
    for (uint32_t i = 0; i < k->nodes->count; i++)
        kube_index_put(&s->node, k->nodes->at[i].name, i);
    kube_nodes_index_hosts(k, &s->host);
}

void kube_standing_open(struct kube_standing *s, struct kube *k, bool history,
                        int64_t at, int64_t epoch)
{
    const bool is_past = k->begin != KUBE_UNKNOWN;
    bool any = at != KUBE_UNKNOWN;

    *s = (struct kube_standing){ .now = at };
    for (uint32_t i = 0; i < k->pods->count && !any && !is_past; i++)
        any = k->pods->at[i].phase == KUBE_RUNNING
              && is_bound(s, &k->pods->at[i]);
    for (uint32_t i = 0; i < k->workloads->count && !any && !is_past; i++)
        any = k->workloads->at[i].holds_quota;
    s->is_on = (is_past || (any && k->nodes->count > 0)) && !history;
    if (!s->is_on)
        return;
    if (s->now == KUBE_UNKNOWN)
        s->now = is_past ? k->begin : latest_of(k);
    if (s->now == KUBE_UNKNOWN || s->now < epoch)
        s->now = epoch;
    s->shift = s->now - epoch;
    nodes_index(s, k);
    pods_link(s, k);
    import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                        is_past && at == KUBE_UNKNOWN
                            ? "time 0 is the first sample (--at states "
                              "another, --history begins with the first "
                              "submission)"
                        : at == KUBE_UNKNOWN
                            ? "time 0 is the latest time that an object states "
                              "(--at states another, --history begins with the "
                              "first submission)"
                            : "time 0 is that of --at");
}

void kube_standing_close(struct kube_standing *s)
{
    gs_array_free(s->node.at);
    gs_array_free(s->host.at);
    gs_array_free(s->first);
    gs_array_free(s->next);
    gs_array_free(s->alive);
    gs_array_free(s->stand);
}

bool kube_standing_is_over(const struct kube_standing *s, struct kube *k,
                           uint32_t workload)
{
    const struct kube_workload *w = &k->workloads->at[workload];
    const struct gs_ynode at = { .line = w->line, .column = w->column };
    bool is_over;

    if (!s->is_on || w->life != KUBE_BATCH || w->schedule)
        return false;
    is_over = (w->end != KUBE_UNKNOWN && w->end <= s->now)
              || (w->end == KUBE_UNKNOWN && w->is_over)
              || (w->completions && w->succeeded >= w->completions)
              || (w->has_pods && !w->completions && !s->alive[workload]);
    if (is_over)
        import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source),
                            &at,
                            "workloads that were over at time 0 (--history "
                            "keeps them)");
    return is_over;
}

/* --- a job ---------------------------------------------------------------- */

void kube_standing_begin(struct kube_standing *s)
{
    s->stands = 0;
    s->earliest = INT64_MAX;
    s->latest = INT64_MIN;
}

static void stand_add(struct kube_standing *s, uint32_t node, uint32_t group,
                      uint32_t tasks, int64_t start)
{
    start = start == KUBE_UNKNOWN || start > s->now ? s->now : start;
    s->stand = gs_array_grow(s->stand, &s->cap, s->stands + 1,
                             sizeof(*s->stand));
    s->stand[s->stands++] =
        (struct trace_stand){ .node = node, .group = group, .tasks = tasks };
    s->earliest = start < s->earliest ? start : s->earliest;
    s->latest = start > s->latest ? start : s->latest;
}

void kube_standing_put(struct kube_standing *s, struct kube *k,
                       const struct kube_pod *p, uint32_t group)
{
    if (!s->is_on || !is_bound(s, p))
        return;
    if (!kube_index_get(&s->node, p->pods->node)) {
        tell(k, IMPORT_LEFT, p->pods,
             "where pods run whose node the source does not hold: they wait");
        return;
    }
    stand_add(s, p->pods->node, group, 1, p->start);
}

static bool is_alike(const struct topo_request *a, const struct topo_request *b)
{
    return memcmp(a->amount, b->amount, sizeof(a->amount)) == 0
           && a->gpus == b->gpus && a->share == b->share && a->mig == b->mig
           && a->share_memory == b->share_memory;
}

/* Does a label of the pod name the kind of task? */
static bool is_called(const struct kube *k, const struct kube_template *t,
                      uint32_t name)
{
    for (uint32_t i = 0; name && i < t->labels.count; i++) {
        if (strcasecmp(kube_str(k, t->labels.at[i].value), kube_str(k, name))
            == 0)
            return true;
    }
    return false;
}

/* The group that the pod is a task of, among those with tasks left: the one it
 * names, which asks for the same; else one of these; UINT32_MAX.
 */
static uint32_t group_of(struct kube *k, const struct trace_workload *w,
                         const struct kube_pod *p,
                         const struct trace_group *group, uint32_t groups,
                         const uint32_t *left)
{
    uint32_t best = UINT32_MAX, most = 0;
    struct topo_request r;

    kube_request_make(k, p->pods, &r);
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t value = 2u * is_called(k, p->pods, group[g].name)
                               + is_alike(&w->shape[group[g].shape], &r)
                               + (uint32_t)(groups == 1);

        if (left[g] && value > most) {
            best = g;
            most = value;
        }
    }
    return best;
}

void kube_standing_take(struct kube_standing *s, struct kube *k,
                        const struct trace_workload *w, uint32_t workload,
                        const struct trace_group *group, uint32_t groups,
                        uint32_t most, bool is_last)
{
    uint32_t *left;

    kube_standing_begin(s);
    if (!s->is_on || !s->first[workload])
        return;
    left = gs_array_new(groups, sizeof(*left));
    for (uint32_t g = 0; g < groups; g++)
        left[g] = group[g].replicas < most ? group[g].replicas : most;
    for (uint32_t p; (p = s->first[workload]);
         s->first[workload] = s->next[p - 1]) {
        const struct kube_pod *pod = &k->pods->at[p - 1];
        uint32_t g;

        if (!is_bound(s, pod))
            continue;
        g = group_of(k, w, pod, group, groups, left);
        if (g == UINT32_MAX && !is_last)
            break;
        if (g == UINT32_MAX) {
            tell(k, IMPORT_LEFT, pod->pods,
                 "running pods that their workload does not ask for");
            continue;
        }
        left[g]--;
        kube_standing_put(s, k, pod, g);
    }
    gs_array_free(left);
}

/* Pods of the member, as far as `left` of its group are still asked for. */
static void assigned_take(struct kube_standing *s, struct kube *k,
                          const struct kube_workload *w,
                          const struct kube_member *m, uint32_t group,
                          uint32_t *left)
{
    const struct gs_ynode at = { .line = w->line, .column = w->column };

    for (uint32_t i = 0; i < m->assigneds; i++) {
        const struct kube_assigned *a = &m->assigned[i];
        const uint32_t node = kube_index_get(&s->host, a->host);
        const uint32_t tasks = a->tasks < *left ? a->tasks : *left;

        if (!node) {
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source),
                                &at,
                                "nodes of a topologyAssignment that the source "
                                "does not hold: their pods wait");
            continue;
        }
        if (tasks < a->tasks)
            import_account_tell(k->account, IMPORT_LEFT, kube_str(k, w->source),
                                &at,
                                "pods of a topologyAssignment that their "
                                "workload does not ask for");
        if (tasks == 0)
            continue;
        *left -= tasks;
        stand_add(s, k->nodes->at[node - 1].name, group, tasks,
                  w->start != KUBE_UNKNOWN ? w->start : w->admitted);
    }
}

void kube_standing_assign(struct kube_standing *s, struct kube *k,
                          const struct kube_workload *w,
                          const uint32_t *group_of,
                          const struct trace_group *group, uint32_t groups,
                          uint32_t most)
{
    uint32_t *left;

    if (!s->is_on || !w->holds_quota || s->stands)
        return;
    left = gs_array_new(groups, sizeof(*left));
    for (uint32_t g = 0; g < groups; g++)
        left[g] = group[g].replicas < most ? group[g].replicas : most;
    for (uint32_t i = 0; i < w->members; i++)
        assigned_take(s, k, w, &w->member[i], group_of[i], &left[group_of[i]]);
    gs_array_free(left);
    if (s->stands)
        import_account_tell(
            k->account, IMPORT_ASSUMED, kube_str(k, w->source),
            &(struct gs_ynode){ .line = w->line, .column = w->column },
            "a Workload of which no pods run, and whose "
            "topologyAssignment names nodes, runs there since "
            "its admission");
}

/* --- times ---------------------------------------------------------------- */

static int by_group(const void *a, const void *b)
{
    const struct trace_stand *x = a, *y = b;

    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Tasks of a group on one node are one stand. */
static void stands_unite(struct kube_standing *s)
{
    uint32_t n = 0;

    qsort(s->stand, s->stands, sizeof(*s->stand), by_group);
    for (uint32_t i = 0; i < s->stands; i++) {
        if (n && by_group(&s->stand[n - 1], &s->stand[i]) == 0)
            s->stand[n - 1].tasks += s->stand[i].tasks;
        else
            s->stand[n++] = s->stand[i];
    }
    s->stands = n;
}

void kube_standing_finish(struct kube_standing *s, struct kube *k,
                          struct trace_workload *w, struct trace_job *j,
                          int64_t stated, int64_t left)
{
    uint64_t tasks = 0;
    int64_t before;

    assert(j->gang > 0);
    j->aside->stand_count = 0;
    j->aside->since = 0;
    if (s->stands == 0)
        return;
    for (uint32_t i = 0; i < s->stands; i++)
        tasks += s->stand[i].tasks;
    /* each task of a job with completions runs for itself */
    before = s->now - (j->aside->completions ? s->latest : s->earliest);
    stands_unite(s);
    j->aside->first_stand = trace_workload_stands(w, s->stand, s->stands);
    j->aside->stand_count = s->stands;
    j->aside->since = -before;
    if (j->duration == TRACE_FOREVER || tasks < j->gang)
        return;
    if (stated == KUBE_UNKNOWN)
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "jobs that run at time 0 and state no run time run "
                            "for --duration more");
    else if (stated <= before)
        import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                            "jobs that have run for longer than they state run "
                            "for --duration more");
    j->duration = stated != KUBE_UNKNOWN && stated > before ? stated
                                                            : before + left;
}

void kube_standing_cut(const struct kube_standing *s, struct trace_job *j,
                       int64_t start, int64_t end)
{
    if (s->is_on && j->aside->stand_count == 0 && start < s->now
        && end > s->now)
        j->duration = end - s->now;
}

/* Kueue compares when a job came with when others came that hold quota. */
static void queued_set(struct trace_workload *w, uint32_t job, int64_t since)
{
    struct trace_job_aside aside = *w->job[job].aside;

    aside.queued_since = since;
    trace_job_aside_set(w, job, &aside);
}

void kube_standing_shift(const struct kube_standing *s, struct kube *k,
                         struct trace_workload *w)
{
    for (uint32_t i = 0; s->is_on && i < w->job_count; i++) {
        struct trace_job *j = &w->job[i];

        if (j->submit < s->shift && k->kueue->flavors
            && s->now > s->shift - j->submit) /* else it states no date */
            queued_set(w, i, j->submit - s->shift);
        if (j->submit < s->shift && !j->aside->stand_count)
            import_account_tell(k->account, IMPORT_ASSUMED, NULL, NULL,
                                "what waits at time 0 is submitted then, in "
                                "the order of its submission");
        j->submit = j->submit > s->shift && !j->aside->stand_count
                        ? j->submit - s->shift
                        : 0;
    }
}
