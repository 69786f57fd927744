#include "tests/lib/live_host.h"

#define LIVE_INSTANTS 3000 /* then it is a livelock, which others look for */

const struct trace_job *live_spec(const struct live *l, uint32_t job)
{
    return &l->w->work->job[job];
}

const struct trace_group *live_group(const struct live *l, uint32_t job,
                                     uint32_t group)
{
    return &l->w->work->group[live_spec(l, job)->first_group + group];
}

const struct topo_request *live_request(const struct live *l,
                                        const struct gsched_decision *d)
{
    return &l->w->work->shape[live_group(l, d->job, d->group)->shape];
}

int32_t live_value(const struct live *l, uint32_t job)
{
    return l->w->work->klass[live_spec(l, job)->klass].value;
}

bool live_waits(const struct live *l, uint32_t job)
{
    return l->job[job].is_there && !l->job[job].is_over
           && l->job[job].start == LIVE_NEVER;
}

/* Count what a decision gives (sign 1) or takes. */
static void live_count(struct live *l, const struct gsched_decision *d,
                       int sign)
{
    const struct topo_request *r = live_request(l, d);
    const uint32_t tasks = (uint32_t)sign * d->grant.tasks;
    uint32_t q = live_spec(l, d->job)->queue;

    l->job[d->job].placed += tasks;
    l->placed[live_spec(l, d->job)->first_group + d->group] += tasks;
    for (; q != TRACE_NONE; q = l->w->work->queue[q].parent) {
        for (uint32_t k = 0; k < l->w->topo->dims->count; k++)
            l->used[q][k] += sign * r->amount[k] * d->grant.tasks;
    }
}

static void live_carry_out(struct live *l, const struct gsched_decision *d)
{
    struct live_job *j = &l->job[d->job];
    const int64_t duration = live_spec(l, d->job)->duration;

    switch (d->kind) {
    case GSCHED_PLACE:
        live_count(l, d, 1);
        if (j->start == LIVE_NEVER && j->placed >= live_spec(l, d->job)->gang) {
            j->start = l->now;
            j->end = duration == TRACE_FOREVER ? LIVE_NEVER : l->now + duration;
            j->cycle = l->cycle;
        }
        break;
    case GSCHED_EVICT:
    case GSCHED_SHRINK:
        live_count(l, d, -1);
        break;
    case GSCHED_RETURN:
        j->start = j->end = LIVE_NEVER;
        break;
    case GSCHED_REJECT:
        j->is_over = true;
        break;
    }
}

/* It gives back what it holds: the scheduler knows what that is. */
static void live_end(struct live *l, uint32_t job)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    while (gsched_next_allocation(l->sched, job, &at, &d)) {
        if (l->ended)
            l->ended(l, &d);
        live_count(l, &d, -1);
    }
    LIVE_FAULT(l, l->job[job].placed != 0);
    gsched_end(l->sched, job, l->now);
    l->job[job].is_over = true;
    l->job[job].end = LIVE_NEVER;
}

static int64_t live_next(const struct live *l)
{
    int64_t at = gsched_next_wake(l->sched);

    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        const int64_t mine = l->job[j].is_there ? l->job[j].end
                                                : live_spec(l, j)->submit;

        at = mine < at ? mine : at;
    }
    if (l->next_turn < l->turns && l->turn[l->next_turn].at < at)
        at = l->turn[l->next_turn].at;
    return at;
}

static void live_turns(struct live *l)
{
    for (; l->next_turn < l->turns && l->turn[l->next_turn].at <= l->now;
         l->next_turn++) {
        const struct live_turn *t = &l->turn[l->next_turn];

        if (t->opens)
            gsched_node_uncordoned(l->sched, t->node, l->now);
        else
            gsched_node_cordoned(l->sched, t->node, l->now);
        if (!t->opens && l->closed)
            l->closed(l);
    }
}

static void live_instant(struct live *l)
{
    const struct gsched_decision *d;
    uint32_t count;

    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        if (l->job[j].end == l->now)
            live_end(l, j);
    }
    live_turns(l);
    for (uint32_t j = 0; j < l->w->work->job_count; j++) {
        if (!l->job[j].is_there && live_spec(l, j)->submit == l->now) {
            l->job[j].is_there = true;
            gsched_submit(l->sched, j, live_spec(l, j)->tasks, l->now);
        }
    }
    l->cycle++;
    d = gsched_cycle(l->sched, l->now, &count);
    for (uint32_t i = 0; i < count; i++) {
        if (l->decided)
            l->decided(l, &d[i]);
        live_carry_out(l, &d[i]);
    }
    if (l->cycled)
        l->cycled(l);
}

bool live_run(struct live *l, const struct gsched_profile *p)
{
    const struct trace_workload *w = l->w->work;
    int64_t at;

    l->cluster = topo_cluster_create(l->w->topo);
    l->sched = gsched_create(l->cluster, w, p, 42, NULL);
    if (!l->sched) {
        topo_cluster_destroy(l->cluster);
        return false;
    }
    if (l->opened)
        l->opened(l);
    l->job = gs_array_new(w->job_count, sizeof(*l->job));
    l->placed = gs_array_new(w->group_count, sizeof(*l->placed));
    l->used = gs_array_new(w->queue_count, sizeof(*l->used));
    for (uint32_t j = 0; j < w->job_count; j++)
        l->job[j].start = l->job[j].end = LIVE_NEVER;
    for (int i = 0; i < LIVE_INSTANTS; i++) {
        at = live_next(l);
        if (at == LIVE_NEVER)
            break;
        l->now = at;
        live_instant(l);
    }
    gsched_destroy(l->sched);
    topo_cluster_destroy(l->cluster);
    gs_array_free(l->job);
    gs_array_free(l->placed);
    gs_array_free(l->used);
    return true;
}
