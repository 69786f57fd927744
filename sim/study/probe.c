/* sim/study/probe.c - asks about a job at a time of a replay, see probe.h. */
#include "sim/study/probe.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "policies/policy.h"
#include "policies/profile/profile.h"
#include "sim/study/inputs.h"
#include "sim/study/pool.h"
#include "sim/study/probe_private.h"
#include "topology/cluster.h"
#include "topology/topology.h"
#include "traces/workload/workload.h"

#define QUEUES_TRIED 16u
#define CLASSES_TRIED 8u

/* The state in question, and what is tried in copies of it. */
struct asking {
    struct study_probe *probe;
    struct probe_state state;
    const struct study_probe_change *change; /* [pool's count] */
    struct study_probe_answer *answer;       /* likewise */
    bool is_forecast; /* the first one is no change, but the forecast */
    struct gs_err *err;
    int rc;
};

/* --- changes -------------------------------------------------------------- */

static uint32_t fewer(uint32_t n, uint32_t less)
{
    return n > less ? n - less : 0;
}

static void replicas_change(struct trace_workload *w, struct trace_job *j,
                            const struct study_probe_change *c)
{
    struct trace_group g = *trace_group_at(w, j->first_group + c->group);
    const uint32_t less = g.replicas - c->value;

    g.replicas = c->value;
    g.min = g.min < c->value ? g.min : c->value;
    trace_group_set(w, j->first_group + c->group, &g);
    j->gang = j->gang == j->tasks         ? j->tasks - less
              : j->gang < j->tasks - less ? j->gang
                                          : j->tasks - less;
    j->tasks = fewer(j->tasks, less);
}

static int64_t *amount_at(struct trace_workload *w,
                          const struct study_probe_excess *e)
{
    struct trace_queue_amounts *a = trace_queue_amounts_put(
        w, &w->queue[e->queue]);
    int64_t *all = e->which == PROBE_LIMIT       ? a->limit
                   : e->which == PROBE_GUARANTEE ? a->guarantee
                                                 : a->deserved;

    return &all[e->dim];
}

/* Close the nodes and GPUs of `to` that are closed in the cluster of `from`. */
static void nodes_close(const struct topo *t, struct gsched *to,
                        const struct gsched *from, int64_t now)
{
    const struct topo_cluster *c = gsched_cluster(from);

    for (uint32_t node = 0; node < t->node_count; node++) {
        const uint64_t failed = topo_cluster_failed(c, node);

        for (uint32_t i = 0; i < 64 && failed >> i; i++) {
            if (failed >> i & 1)
                (void)gsched_gpu_failed(to, node, i, now);
        }
        if (topo_cluster_is_cordoned(c, node))
            (void)gsched_node_cordoned(to, node, now);
    }
}

/* A scheduler for the changed queues takes over. */
static int take_over(struct asking *a, struct gs_err *err)
{
    struct topo_cluster *c = topo_cluster_create(a->probe->in->topo);
    struct gsched *to = gsched_create(c, a->probe->in->work, a->probe->profile,
                                      a->probe->sim.seed, err);

    if (!to)
        return -1;
    nodes_close(a->probe->in->topo, to, a->state.s, a->state.now);
    if (gsched_take_over(to, a->state.s, NULL, a->state.now) < 0)
        return gs_fail(err, GS_INPUT, (struct gs_mark){ 0 }, "%s",
                       gsched_refusal(to));
    a->state.s = to;
    return 0;
}

static int change_apply(struct asking *a, const struct study_probe_change *c,
                        struct gs_err *err)
{
    struct trace_workload *w = a->probe->in->work;
    struct trace_job *j = &w->job[a->probe->job];
    struct trace_job_aside aside = *j->aside;

    switch (c->kind) {
    case PROBE_REPLICAS:
        replicas_change(w, j, c);
        return 0;
    case PROBE_WITHIN:
        aside.within_tier = c->value
                                ? a->probe->in->topo->tier[c->value - 1].name
                                : 0;
        aside.within = c->value ? TRACE_REQUIRED : TRACE_ANYWHERE;
        trace_job_aside_set(w, a->probe->job, &aside);
        return 0;
    case PROBE_QUEUE:
        j->queue = c->value;
        return 0;
    case PROBE_CLASS:
        j->klass = c->value;
        for (uint32_t k = 0; k < j->group_count; k++) {
            struct trace_group g = *trace_group_at(w, j->first_group + k);

            g.klass = 0;
            trace_group_set(w, j->first_group + k, &g);
        }
        return 0;
    case PROBE_AMOUNT:
        *amount_at(w, &c->excess) = c->amount;
        return take_over(a, err);
    }
    return 0;
}

/* --- trials --------------------------------------------------------------- */

static int trial(void *ctx, uint32_t i, void *answer, struct gs_err *err)
{
    struct asking *a = ctx;

    a->state.answer = answer;
    if (a->is_forecast && i == 0) {
        probe_trial_later(&a->state);
        return 0;
    }
    if (a->change && change_apply(a, &a->change[i], err) < 0)
        return -1;
    probe_trial_now(&a->state);
    return 0;
}

static int trial_over(void *ctx, uint32_t i, const void *answer,
                      const struct gs_err *failure, struct gs_err *err)
{
    struct asking *a = ctx;

    (void)err;
    (void)failure; /* with needs_all a failed one ends all */
    memcpy(&a->answer[i], answer, sizeof(*a->answer));
    return 0;
}

static int trials_run(struct asking *a, uint32_t count)
{
    struct study_pool pool = {
        .jobs = study_pool_cores(),
        .count = count,
        .answer = sizeof(struct study_probe_answer),
        .point = trial,
        .over = trial_over,
        .ctx = a,
        .needs_all = true,
    };

    return count ? study_pool_run(&pool, a->err) : 0;
}

/* --- what to try ---------------------------------------------------------- */

struct changes {
    struct study_probe_change at[1 + PROBE_CHANGES]; /* the first: none */
    struct study_probe_answer answer[1 + PROBE_CHANGES];
    uint32_t count;
};

static void put(struct changes *c, enum study_probe_kind kind, uint32_t value)
{
    if (c->count <= PROBE_CHANGES)
        c->at[c->count++] = (struct study_probe_change){ .kind = kind,
                                                         .value = value };
}

/* Wider tiers, the narrowest of them first; at last anywhere. */
static void tiers_put(const struct study_probe *p, struct changes *c)
{
    const struct trace_job *j = &p->in->work->job[p->job];
    const int level = j->aside->within == TRACE_REQUIRED
                          ? topo_level_find(p->in->topo, j->aside->within_tier)
                          : 0;

    for (int l = level - 1; l >= 0; l--)
        put(c, PROBE_WITHIN, (uint32_t)l);
}

static bool is_leaf(const struct trace_workload *w, uint32_t queue)
{
    for (uint32_t i = 0; i < w->queue_count; i++) {
        if (w->queue[i].parent == queue)
            return false;
    }
    return true;
}

#define OF_QUEUES                                                            \
    (GSP_READS_QUEUE_WEIGHT | GSP_READS_QUEUE_PRIORITY                       \
     | GSP_READS_QUEUE_GUARANTEE | GSP_READS_QUEUE_DESERVED                  \
     | GSP_READS_QUEUE_LIMIT | GSP_READS_USER_LIMIT | GSP_READS_QUEUE_BORROW \
     | GSP_READS_FLAVORS)

/* Other queues that take jobs, where queues matter. */
static void queues_put(const struct study_probe *p, struct changes *c)
{
    const struct trace_workload *w = p->in->work;
    uint32_t n = 0;

    if (!probe_reads(p->in, p->profile, OF_QUEUES))
        return;
    for (uint32_t i = 0; i < w->queue_count && n < QUEUES_TRIED; i++) {
        if (i == w->job[p->job].queue || w->queue[i].closed
            || (i == 0 && w->queue_count > 1) || !is_leaf(w, i))
            continue;
        put(c, PROBE_QUEUE, i);
        n++;
    }
}

/* Higher priority classes, the lowest of them first. */
static void classes_put(const struct study_probe *p, struct changes *c)
{
    const struct trace_workload *w = p->in->work;
    int32_t value = w->klass[w->job[p->job].klass].value;

    if (!probe_reads(p->in, p->profile, GSP_READS_PRIORITY))
        return;
    for (uint32_t n = 0; n < CLASSES_TRIED; n++) {
        uint32_t next = TRACE_NONE;

        for (uint32_t k = 0; k < w->class_count; k++) {
            if (w->klass[k].value > value
                && (next == TRACE_NONE
                    || w->klass[k].value < w->klass[next].value))
                next = k;
        }
        if (next == TRACE_NONE)
            return;
        value = w->klass[next].value;
        put(c, PROBE_CLASS, next);
    }
}

static void amounts_put(const struct study_probe *p, struct changes *c)
{
    const struct study_probe_answer *a = &p->answer;

    for (uint32_t i = 0; i < a->excesses && a->cause == GSCHED_QUOTA; i++) {
        const struct study_probe_excess *e = &a->excess[i];

        put(c, PROBE_AMOUNT, i);
        c->at[c->count - 1].excess = *e;
        c->at[c->count - 1].amount = e->used + a->asked[e->dim];
    }
}

/* --- the search ----------------------------------------------------------- */

/* Better than without a change? */
static bool helps(const struct study_probe *p,
                  const struct study_probe_answer *a)
{
    return a->outcome == PROBE_STARTS
           || (a->outcome == PROBE_EVICTS && p->answer.outcome != PROBE_EVICTS);
}

/* Keep it, unless a smaller one of its kind was kept. */
static void keep(struct study_probe *p, const struct study_probe_change *c,
                 const struct study_probe_answer *a)
{
    for (uint32_t i = 0; i < p->changes; i++) {
        if (p->change[i].kind == c->kind && c->kind != PROBE_AMOUNT
            && c->kind != PROBE_QUEUE)
            return;
    }
    p->change[p->changes] = *c;
    p->change[p->changes++].victims = a->victims;
}

/* The group with the most tasks. */
static uint32_t largest_group(const struct trace_workload *w,
                              const struct trace_job *j)
{
    uint32_t most = 0;

    for (uint32_t k = 1; k < j->group_count; k++) {
        if (trace_group_at(w, j->first_group + k)->replicas
            > trace_group_at(w, j->first_group + most)->replicas)
            most = k;
    }
    return most;
}

static bool evicts(const struct gsched_profile *p)
{
    bool any = false;

    for (uint32_t i = 0; i < p->action_count; i++)
        any |= p->action[i] != GSCHED_ENQUEUE && p->action[i] != GSCHED_ALLOCATE
               && p->action[i] != GSCHED_BACKFILL;
    return any;
}

/* The largest number of tasks with which it starts, by bisection. */
static int replicas_search(struct asking *a)
{
    struct study_probe *p = a->probe;
    const struct trace_workload *w = p->in->work;
    const struct trace_job *j = &w->job[p->job];
    struct study_probe_change c = { .kind = PROBE_REPLICAS,
                                    .group = largest_group(w, j) };
    struct study_probe_answer answer, best;
    const struct trace_group *g = trace_group_at(w, j->first_group + c.group);
    uint32_t low = 0, high = g->replicas; /* starts with low, not with high */

    /* without evictions no more tasks start than have room */
    if (j->group_count == 1 && !evicts(p->profile) && p->answer.room < high - 1)
        high = p->answer.room + 1;
    a->change = &c;
    a->answer = &answer;
    a->is_forecast = false;
    while (high - low > 1) {
        c.value = low + (high - low) / 2;
        if (trials_run(a, 1) < 0)
            return -1;
        if (helps(p, &answer)) {
            low = c.value;
            best = answer;
        } else {
            high = c.value;
        }
    }
    c.value = low;
    if (low)
        keep(p, &c, &best);
    return 0;
}

static int search(struct asking *a)
{
    struct study_probe *p = a->probe;
    struct changes *c;
    int rc;

    a->answer = &p->answer;
    if (trials_run(a, 1) < 0)
        return -1;
    if (p->answer.outcome == PROBE_STARTS)
        return 0;
    c = gs_array_new(1, sizeof(*c));
    c->count = 1; /* the forecast */
    tiers_put(p, c);
    queues_put(p, c);
    classes_put(p, c);
    amounts_put(p, c);
    a->change = c->at;
    a->answer = c->answer;
    a->is_forecast = true;
    rc = trials_run(a, c->count);
    p->later = c->answer[0];
    if (rc == 0)
        rc = replicas_search(a);
    for (uint32_t i = 1; rc == 0 && i < c->count; i++) {
        if (helps(p, &c->answer[i]))
            keep(p, &c->at[i], &c->answer[i]);
    }
    gs_array_free(c);
    return rc;
}

/* The replay has come to the time in question. */
static void ask(void *self, int64_t now, struct gsched *s)
{
    struct asking *a = self;

    a->probe->now = now;
    a->state = (struct probe_state){ .in = a->probe->in,
                                     .profile = a->probe->profile,
                                     .job = a->probe->job,
                                     .now = now,
                                     .s = s };
    a->rc = search(a);
}

int study_probe_run(struct study_probe *p, struct gs_err *err)
{
    struct asking a = { .probe = p, .err = err };
    const struct sim_watch watch = { .self = &a, .at = -1, .ended = ask };
    struct sim_options sim = p->sim;
    struct sim_stats stats;

    assert(p->in->work->job_count > p->job);
    p->changes = 0;
    sim.watch = &watch;
    if (sim_replay(p->in->topo, p->in->work, p->profile, &sim, NULL, 0, &stats,
                   err)
        < 0)
        return -1;
    return a.rc;
}
