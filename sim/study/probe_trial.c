/* sim/study/probe_trial.c - what the scheduler does with the job of a probe,
 * now or later.  Called in a copy of the process, which ends then.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "base/strtab.h"
#include "policies/policy.h"
#include "policies/profile/reads.h"
#include "sim/study/inputs.h"
#include "sim/study/probe_private.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define CYCLES_AT_ONCE 64  /* at one instant */
#define CYCLES_MOST 100000 /* of a forecast */

/* --- decisions ------------------------------------------------------------ */

static struct study_probe_victim *victim_put(struct study_probe_answer *a,
                                             uint32_t job)
{
    const uint32_t n = a->victims < PROBE_VICTIMS ? a->victims : PROBE_VICTIMS;

    for (uint32_t i = 0; i < n; i++) {
        if (a->victim[i].job == job)
            return &a->victim[i];
    }
    if (a->victims++ >= PROBE_VICTIMS)
        return NULL;
    a->victim[n] = (struct study_probe_victim){ .job = job };
    return &a->victim[n];
}

static void evicted(const struct probe_state *p,
                    const struct gsched_decision *d)
{
    struct study_probe_victim *v = victim_put(p->answer, d->job);

    if (!v)
        return;
    v->reason = d->reason;
    v->is_whole |= d->kind == GSCHED_RETURN || d->kind == GSCHED_WARN;
    v->moves |= d->reason == GSCHED_MOVED || d->reason == GSCHED_RELOCATED;
    if (d->kind != GSCHED_RETURN)
        v->tasks += d->grant.tasks;
}

static void placed(const struct probe_state *p, const struct gsched_decision *d)
{
    struct study_probe_answer *a = p->answer;

    if (a->spots < PROBE_SPOTS)
        a->spot[a->spots] = (struct study_probe_spot){ d->grant.node, d->group,
                                                       d->grant.tasks,
                                                       d->grant.devices };
    a->spots++;
}

/* Follow the decisions of a cycle; true: the job was rejected. */
static bool decisions_take(const struct probe_state *p,
                           const struct gsched_decision *d, uint32_t count)
{
    bool is_rejected = false;

    for (uint32_t i = 0; i < count; i++) {
        if (d[i].job == p->job && d[i].kind == GSCHED_REJECT)
            is_rejected = true;
        else if (d[i].job == p->job && d[i].kind == GSCHED_PLACE)
            placed(p, &d[i]);
        else if (d[i].by == p->job
                 && (d[i].kind == GSCHED_EVICT || d[i].kind == GSCHED_RETURN
                     || d[i].kind == GSCHED_SHRINK || d[i].kind == GSCHED_WARN))
            evicted(p, &d[i]);
    }
    return is_rejected;
}

static bool runs(const struct probe_state *p)
{
    return gsched_placed(p->s, p->job) >= p->in->work->job[p->job].gang;
}

/* Run the cycles that are due now; true: the job was rejected. */
static bool cycles_run(const struct probe_state *p, int64_t now)
{
    bool is_rejected = false;

    for (int i = 0; i < CYCLES_AT_ONCE && !is_rejected; i++) {
        const struct gsched_decision *d;
        uint32_t count;

        d = gsched_cycle(p->s, now, &count);
        is_rejected = decisions_take(p, d, count);
        if (runs(p) || gsched_next_wake(p->s) > now)
            break;
    }
    return is_rejected;
}

/* --- why not -------------------------------------------------------------- */

static void hardware_count(const struct probe_state *p)
{
    const struct trace_workload *w = p->in->work;
    const struct trace_job *j = &w->job[p->job];
    const struct topo_request *r =
        &w->shape[trace_group_at(w, j->first_group)->shape];
    const struct topo_cluster *c = gsched_cluster(p->s);
    const struct topo_groups *g = topo_cluster_groups(c);
    struct study_probe_answer *a = p->answer;
    uint64_t room = 0;

    for (uint32_t node = 0; node < p->in->topo->node_count; node++) {
        const uint32_t group = topo_cluster_group_of(c, node);

        if (topo_class_misfit(p->in->topo, p->in->topo->node_class[node], r)
                != TOPO_FITS
            || topo_cluster_is_cordoned(c, node))
            continue;
        a->suitable++;
        room += topo_group_fit(c, group, r);
        for (uint32_t d = 0; d < p->in->dims.count; d++)
            a->free[d] += g->free[d][group];
    }
    a->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
}

/* By the gang: of each group its minimum, then the rest in their order. */
static void asked_sum(const struct probe_state *p)
{
    const struct trace_workload *w = p->in->work;
    const struct trace_job *j = &w->job[p->job];
    uint32_t left = j->gang;

    for (uint32_t k = 0; k < j->group_count; k++)
        left -= trace_group_at(w, j->first_group + k)->min < left
                    ? trace_group_at(w, j->first_group + k)->min
                    : left;
    for (uint32_t k = 0; k < j->group_count; k++) {
        const struct trace_group *g = trace_group_at(w, j->first_group + k);
        const uint32_t more = left < g->replicas - g->min
                                  ? left
                                  : g->replicas - g->min;

        left -= more;
        for (uint32_t d = 0; d < p->in->dims.count; d++)
            p->answer->asked[d] += (int64_t)(g->min + more)
                                   * w->shape[g->shape].amount[d];
    }
}

const char *const study_probe_amount_names[PROBE_AMOUNTS] = { "limit",
                                                              "guarantee",
                                                              "deserved" };

static const int64_t *amount_of(const struct trace_queue *q,
                                enum study_probe_amount which)
{
    const struct trace_queue_amounts *a = trace_queue_amounts(q);

    return which == PROBE_LIMIT       ? a->limit
           : which == PROBE_GUARANTEE ? a->guarantee
                                      : a->deserved;
}

bool probe_reads(struct inputs *in, const struct gsched_profile *profile,
                 uint64_t inputs)
{
    uint64_t all = 0;

    return gsched_profile_reads(profile, &in->dims, in->names, in->arena, &all,
                                NULL)
               == 0
           && (all & inputs);
}

/* Find amounts of one sort, of the job's queue and of those above it, that are
 * less than they would hold with the job.
 */
static void excesses_find(const struct probe_state *p,
                          enum study_probe_amount which)
{
    const struct trace_workload *w = p->in->work;
    struct study_probe_answer *a = p->answer;

    for (uint32_t q = w->job[p->job].queue; q != TRACE_NONE;
         q = w->queue[q].parent) {
        const int64_t *used = gsched_queue_used(p->s, q);
        const int64_t *is = amount_of(&w->queue[q], which);
        const int64_t none = which == PROBE_LIMIT ? -1 : 0;

        for (uint32_t d = 0; used && d < p->in->dims.count; d++) {
            if (is[d] > none && a->asked[d] > 0 && used[d] + a->asked[d] > is[d]
                && a->excesses < PROBE_EXCESSES)
                a->excess[a->excesses++] =
                    (struct study_probe_excess){ which, q, d, is[d], used[d] };
        }
    }
}

void probe_queues_compare(const struct probe_state *p)
{
    asked_sum(p);
    if (probe_reads(p->in, p->profile, GSP_READS_QUEUE_LIMIT))
        excesses_find(p, PROBE_LIMIT);
    if (p->answer->excesses > 0)
        return;
    if (probe_reads(p->in, p->profile, GSP_READS_QUEUE_GUARANTEE))
        excesses_find(p, PROBE_GUARANTEE);
    if (probe_reads(p->in, p->profile, GSP_READS_QUEUE_DESERVED))
        excesses_find(p, PROBE_DESERVED);
}

static void refuser_count(struct study_probe_answer *a, const char *name)
{
    for (uint32_t i = 0; i < a->refusers; i++) {
        if (strcmp(a->refuser_of[i].name, name) == 0) {
            a->refuser_of[i].nodes++;
            return;
        }
    }
    if (a->refusers == PROBE_REFUSERS)
        return;
    snprintf(a->refuser_of[a->refusers].name, PROBE_NAME, "%s", name);
    a->refuser_of[a->refusers++].nodes = 1;
}

static void nodes_judge(const struct probe_state *p)
{
    const uint32_t nodes = p->in->topo->node_count;
    struct gsched_judged *node = gs_array_new(nodes, sizeof(*node));
    int64_t *points = gs_array_new(
        (size_t)nodes * gsched_module_count(p->s) + 1, sizeof(*points));

    if (gsched_judge(p->s, p->job, 0, node, points) == 0) {
        for (uint32_t i = 0; i < nodes; i++) {
            if (node[i].refused)
                refuser_count(p->answer, node[i].refused);
            else
                p->answer->nodes++;
        }
    }
    gs_array_free(node);
    gs_array_free(points);
}

/* Count the waiting jobs that are served before it. */
static void ahead_count(const struct probe_state *p)
{
    for (uint32_t i = 0; i < p->job; i++) {
        const char *module;

        p->answer->ahead += gsched_wait_cause(p->s, i) != GSCHED_NO_CAUSE
                            && gsched_placed(p->s, i) == 0
                            && gsched_order_of(p->s, i, p->job, &module) < 0;
    }
}

static void wait_explain(const struct probe_state *p)
{
    const char *refuser = gsched_wait_refuser(p->s, p->job);

    p->answer->cause = gsched_wait_cause(p->s, p->job);
    if (refuser)
        snprintf(p->answer->refuser, PROBE_NAME, "%s", refuser);
    nodes_judge(p);
    ahead_count(p);
}

/* --- now ------------------------------------------------------------------ */

/* False: it is inconsistent, or could never run. */
static bool job_submit(const struct probe_state *p)
{
    struct trace_job *j = &p->in->work->job[p->job];

    j->submit = p->now;
    if (gsched_submit(p->s, p->job, j->tasks, p->now) < 0)
        return false;
    p->answer->cause = gsched_never(p->s, p->job);
    return p->answer->cause == GSCHED_NO_CAUSE;
}

void probe_trial_now(struct probe_state *p)
{
    struct study_probe_answer *a = p->answer;

    probe_queues_compare(p);
    hardware_count(p);
    a->at = GSCHED_NEVER;
    a->outcome = PROBE_REJECTED;
    if (!job_submit(p))
        return;
    (void)gsched_passes_hurry(p->s);
    if (cycles_run(p, p->now))
        return;
    if (runs(p)) {
        a->outcome = a->victims ? PROBE_EVICTS : PROBE_STARTS;
        a->at = p->now;
        return;
    }
    a->outcome = a->victims ? PROBE_WARNS : PROBE_WAITS;
    wait_explain(p);
}

/* --- later ---------------------------------------------------------------- */

/* Ends of running jobs, by their estimates. */
struct job_end {
    int64_t at;
    uint32_t job;
};

struct forecast {
    struct job_end *end;
    uint32_t count, cap;
};

static bool end_before(const void *heap, uint32_t a, uint32_t b)
{
    const struct job_end *e = heap;

    return e[a].at != e[b].at ? e[a].at < e[b].at : e[a].job < e[b].job;
}

static void end_swap(void *heap, uint32_t a, uint32_t b)
{
    struct job_end *e = heap;
    const struct job_end it = e[a];

    e[a] = e[b];
    e[b] = it;
}

static const struct gs_heap by_end = { end_before, end_swap };

static void end_push(const struct probe_state *p, struct forecast *f,
                     uint32_t job, int64_t now)
{
    int64_t at = gsched_expected_end(p->s, job);

    if (at == GSCHED_NEVER)
        return;
    at = at > now ? at : now;
    f->end = gs_array_grow(f->end, &f->cap, f->count + 1, sizeof(*f->end));
    f->end[f->count] = (struct job_end){ at, job };
    (void)gs_heap_rise(&by_end, f->end, f->count++);
}

/* End the jobs that are due. */
static void ends_take(const struct probe_state *p, struct forecast *f,
                      int64_t now)
{
    while (f->count && f->end[0].at <= now) {
        const uint32_t job = f->end[0].job;

        f->end[0] = f->end[--f->count];
        (void)gs_heap_sink(&by_end, f->end, f->count, 0);
        if (gsched_expected_end(p->s, job) <= now) /* else it began anew */
            (void)gsched_end(p->s, job, now);
    }
}

void probe_trial_later(struct probe_state *p)
{
    struct study_probe_answer *a = p->answer;
    struct forecast f = { 0 };
    int64_t now = p->now;
    bool is_rejected = false;

    a->at = GSCHED_NEVER;
    a->outcome = PROBE_WAITS;
    for (uint32_t i = 0; i < p->job; i++) {
        a->overdue += gsched_expected_end(p->s, i) <= now;
        end_push(p, &f, i, now);
    }
    is_rejected = !job_submit(p);
    for (uint32_t n = 0; n < CYCLES_MOST && !is_rejected; n++) {
        const struct gsched_decision *d;
        int64_t wake;
        uint32_t count;

        ends_take(p, &f, now);
        d = gsched_cycle(p->s, now, &count);
        is_rejected = decisions_take(p, d, count);
        if (runs(p)) {
            a->outcome = a->victims ? PROBE_EVICTS : PROBE_STARTS;
            a->at = now;
            break;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (d[i].kind == GSCHED_PLACE)
                end_push(p, &f, d[i].job, now);
        }
        wake = gsched_next_wake(p->s);
        if (f.count && f.end[0].at < wake)
            wake = f.end[0].at;
        if (wake == GSCHED_NEVER)
            break;
        now = wake > now ? wake : now;
    }
    gs_array_free(f.end);
}
