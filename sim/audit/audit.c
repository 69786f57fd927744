/* sim/audit/audit.c - goes through the record, see audit.h. */
#include "sim/audit/audit.h"

#include <assert.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/err.h"
#include "policies/profile/profile.h"
#include "sim/audit/audit_private.h"
#include "topology/topology.h"

#define PROGRESS_POINTS 1024u

static uint32_t impose_kind(struct auditing *a, uint32_t from, uint32_t to,
                            uint32_t kinds)
{
    uint32_t count = 0;

    for (uint32_t i = from; i < to; i++) {
        if (!(kinds >> a->event[i].kind & 1))
            continue;
        audit_judge(a, &a->event[i]);
        audit_impose(a, &a->event[i]);
        count++;
    }
    return count;
}

/* The events [from, to) of one instant. */
static void instant(struct auditing *a, uint32_t from, uint32_t to)
{
    a->now = a->event[from].at;
    a->time[++a->point] = a->now;
    (void)impose_kind(a, from, to, 1u << AUDIT_END | 1u << AUDIT_SUBMIT);
    audit_ask(a);
    if (impose_kind(a, from, to, 1u << AUDIT_EVICT)
            + impose_kind(a, from, to, 1u << AUDIT_BRIEF)
        > 0)
        audit_ask(a);
    if (impose_kind(a, from, to, 1u << AUDIT_START))
        audit_ask(a); /* does it still want what was not started? */
    audit_wants_over(a, false);
}

/* Count the points without a difference. */
static void points_count(struct auditing *a)
{
    int64_t unequal = 0;

    for (uint32_t i = 1; i <= a->point; i++) {
        unequal += a->unequal[i];
        a->out->equal += unequal == 0;
    }
    a->out->points = a->point;
}

static int by_time(const void *x, const void *y)
{
    const struct audit_difference *a = x, *b = y;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->job != b->job)
        return a->job < b->job ? -1 : 1;
    return (a->kind > b->kind) - (a->kind < b->kind);
}

static void run(struct auditing *a)
{
    const struct audit_options *o = a->options;

    audit_warm(a);
    for (uint32_t i = 0, next; i < a->events; i = next) {
        for (next = i + 1;
             next < a->events && a->event[next].at == a->event[i].at;)
            next++;
        instant(a, i, next);
        if (o->progress && a->point % PROGRESS_POINTS == 0)
            o->progress(o->progress_ctx, i, a->events);
    }
    audit_wants_over(a, true);
    points_count(a);
    if (a->out->count)
        qsort(a->out->difference, a->out->count, sizeof(*a->out->difference),
              by_time);
}

static int open(struct auditing *a, const struct gsched_profile *p,
                struct gs_err *err)
{
    const struct trace_workload *w = a->work;
    const struct gs_mark nowhere = { 0 };

    if (p->is_recorded)
        return gs_fail(err, GS_USAGE, nowhere,
                       "policy '%s' decides nothing: it is the record itself",
                       p->name);
    if (p->beside || p->scheduler)
        return gs_fail(err, GS_USAGE, nowhere,
                       "an audit asks one scheduler, and policy '%s' has "
                       "several",
                       p->name);
    if (audit_events_make(a, err) < 0
        || sim_warm_find(a->topo, w, a->options->source, &a->warm, err) < 0)
        return -1;
    a->cluster = topo_cluster_create(a->topo);
    a->sched = gsched_create(a->cluster, w, p, a->options->seed, err);
    if (!a->sched)
        return -1;
    sim_recorded_open(&a->recorded, a->topo, w);
    a->out->apart = a->tolerance = a->options->tolerance + p->period
                                   + gsched_passes_interval(a->sched);
    a->job = gs_array_new(w->job_count, sizeof(*a->job));
    for (int kind = 0; kind < WANTS; kind++)
        a->want[kind] = gs_array_new(w->job_count, sizeof(*a->want[kind]));
    a->time = gs_array_new(a->events + 2, sizeof(*a->time));
    a->unequal = gs_array_new(a->events + 2, sizeof(*a->unequal));
    return 0;
}

int audit_run(const struct topo *t, const struct trace_workload *w,
              const struct gsched_profile *p, const struct audit_options *o,
              struct audit *out, struct gs_err *err)
{
    struct auditing a = { .topo = t, .work = w, .options = o, .out = out };
    int rc;

    assert(t && w && p && o && out && o->tolerance >= 0);
    *out = (struct audit){ 0 };
    rc = open(&a, p, err);
    if (rc == 0)
        run(&a);
    gsched_destroy(a.sched);
    topo_cluster_destroy(a.cluster);
    sim_recorded_free(&a.recorded);
    sim_warm_free(&a.warm);
    gs_array_free(a.event);
    gs_array_free(a.job);
    for (int kind = 0; kind < WANTS; kind++) {
        gs_array_free(a.want[kind]);
        gs_array_free(a.wanted[kind]);
    }
    gs_array_free(a.held);
    gs_array_free(a.decision);
    gs_array_free(a.time);
    gs_array_free(a.unequal);
    return rc;
}

void audit_free(struct audit *a)
{
    gs_array_free(a->difference);
    *a = (struct audit){ 0 };
}
