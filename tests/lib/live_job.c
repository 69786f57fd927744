/* tests/lib/live_job.c - jobs of the live host: reports their events to
 * libgsched.a and carries out its decisions.
 */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "tests/lib/live_host.h"

/* --- jobs ----------------------------------------------------------------- */

struct live_job *live_find(const struct live *l, const char *name)
{
    for (uint32_t i = 0; i < l->job_count; i++) {
        if (strcmp(l->job[i]->name, name) == 0)
            return l->job[i];
    }
    return NULL;
}

bool live_is_over(const struct live_job *j)
{
    return j->phase != LIVE_PENDING && j->phase != LIVE_RUNNING;
}

uint32_t live_over(const struct live *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->job_count; i++)
        n += live_is_over(l->job[i]);
    return n;
}

/* The first pod of the group. */
static uint32_t first_pod(const struct live_job *j, uint32_t group)
{
    uint32_t first = 0;

    for (uint32_t g = 0; g < group; g++)
        first += j->group[g].replicas;
    return first;
}

/* Add it to the workload; its number. */
static uint32_t job_list(struct live *l, const struct live_job *j)
{
    struct trace_group group[LIVE_GROUPS_MAX];

    for (uint32_t g = 0; g < j->spec.group_count; g++)
        group[g] = (struct trace_group){
            .shape = trace_workload_shape(l->work, &j->group[g].asks),
            .replicas = j->group[g].replicas,
            .name = j->group[g].name,
            .min = j->group[g].min,
        };
    return trace_workload_add(l->work, &j->spec, group);
}

/* The scheduler gets the job, by its number. */
static void make_known(struct live *l, struct live_job *j, uint32_t id)
{
    j->id = id;
    l->known = gs_array_grow(l->known, &l->known_cap, j->id + 1,
                             sizeof(struct live_job *));
    l->known[j->id] = j;
    live_accepted(l, gsched_submit(l->sched, j->id, j->created, j->spec.submit),
                  j->name);
}

static void happens(struct live *l, int64_t now)
{
    if (now < l->now)
        live_fault(l, "time goes back", "host");
    l->now = now;
    l->is_dirty = true;
}

/* A job that the scheduler does not know yet. */
static struct live_job *job_make(struct live *l, const char *name,
                                 const struct trace_job *spec,
                                 const struct live_group *group)
{
    struct live_job *j = gs_array_new(1, sizeof(*j));

    (void)snprintf(j->name, sizeof(j->name), "%s", name);
    j->spec = *spec;
    if (spec->aside)
        j->aside = *spec->aside;
    j->spec.aside = &j->aside;
    for (uint32_t g = 0; g < spec->group_count; g++) {
        j->group[g] = group[g];
        j->pods += group[g].replicas;
    }
    if (j->spec.gang == 0)
        j->spec.gang = j->pods;
    j->pod = gs_array_new(j->pods, sizeof(*j->pod));
    l->job = gs_array_grow(l->job, &l->job_cap, l->job_count + 1,
                           sizeof(struct live_job *));
    l->job[l->job_count++] = j;
    return j;
}

struct live_job *live_submit(struct live *l, const char *name,
                             const struct trace_job *spec,
                             const struct live_group *group, uint32_t created,
                             int64_t now)
{
    struct live_job *j = job_make(l, name, spec, group);

    happens(l, now);
    j->spec.submit = now;
    j->spec.name = gs_strtab_put(l->names, name, strlen(name));
    j->created = created;
    make_known(l, j, job_list(l, j));
    return j;
}

struct live_job *live_submit_listed(struct live *l, uint32_t job, int64_t now)
{
    const struct trace_workload *w = l->work;
    const struct trace_job *spec = &w->job[job];
    struct live_group group[LIVE_GROUPS_MAX];
    struct live_job *j;

    assert(l->is_lent && spec->group_count <= LIVE_GROUPS_MAX);
    for (uint32_t g = 0; g < spec->group_count; g++) {
        const struct trace_group *from = trace_group_at(w,
                                                        spec->first_group + g);

        group[g] = (struct live_group){ .name = from->name,
                                        .replicas = from->replicas,
                                        .min = from->min,
                                        .asks = w->shape[from->shape] };
    }
    happens(l, now);
    j = job_make(l, gs_strtab_str(w->names, spec->name), spec, group);
    j->created = j->pods;
    make_known(l, j, job);
    return j;
}

void live_created(struct live *l, struct live_job *j, uint32_t created,
                  int64_t now)
{
    happens(l, now);
    if (created <= j->created || created > j->pods)
        live_fault(l, "pods do not come in order", j->name);
    j->created = created;
    live_accepted(l, gsched_tasks_created(l->sched, j->id, created, now),
                  j->name);
}

/* Unbind all its pods; the job is over. */
static void finish(struct live *l, struct live_job *j, enum live_phase how)
{
    for (uint32_t g = 0, p = 0; g < j->spec.group_count; g++) {
        for (uint32_t i = 0; i < j->group[g].replicas; i++, p++) {
            if (j->pod[p].node)
                live_unbind(l, j->pod[p].node, &j->group[g].asks, &j->pod[p], 1,
                            j->pod[p].devices);
        }
    }
    j->bound = 0;
    j->phase = how;
}

void live_ended(struct live *l, struct live_job *j, int64_t now)
{
    happens(l, now);
    if (j->phase != LIVE_RUNNING)
        live_fault(l, "it ends but does not run", j->name);
    finish(l, j, LIVE_SUCCEEDED);
    live_accepted(l, gsched_end(l->sched, j->id, now), j->name);
}

void live_forget(struct live *l, struct live_job *j)
{
    if (j->id == UINT32_MAX)
        return;
    switch (gsched_forget(l->sched, j->id)) {
    case 0:
        trace_workload_remove(l->work, j->id);
        l->known[j->id] = NULL;
        break;
    case 1:
        break;
    default:
        live_accepted(l, -1, j->name);
    }
    j->id = UINT32_MAX;
}

/* --- decisions ------------------------------------------------------------ */

/* The pods that the decision is about; NULL when there are no such pods. */
static struct live_pod *pods_of(struct live *l, struct live_job *j,
                                const struct gsched_decision *d)
{
    const uint32_t first = d->group < j->spec.group_count
                               ? first_pod(j, d->group) + d->first_task
                               : UINT32_MAX;

    if (first == UINT32_MAX || d->grant.node >= l->node_count
        || d->first_task + d->grant.tasks > j->group[d->group].replicas
        || first + d->grant.tasks > j->created) {
        live_fault(l, "a decision about pods that are not there", j->name);
        return NULL;
    }
    return &j->pod[first];
}

static void place(struct live *l, struct live_job *j,
                  const struct gsched_decision *d)
{
    struct live_pod *pod = pods_of(l, j, d);

    if (!pod)
        return;
    live_bind(l, &l->node[d->grant.node], &j->group[d->group].asks, pod,
              d->grant.tasks, d->grant.devices);
    j->bound += d->grant.tasks;
    if (j->phase == LIVE_PENDING && j->bound >= j->spec.gang) {
        j->phase = LIVE_RUNNING;
        j->run_start = l->now;
    }
}

static void give_back(struct live *l, struct live_job *j,
                      const struct gsched_decision *d)
{
    struct live_pod *pod = pods_of(l, j, d);

    if (!pod)
        return;
    live_unbind(l, &l->node[d->grant.node], &j->group[d->group].asks, pod,
                d->grant.tasks, d->grant.devices);
    j->bound -= d->grant.tasks;
    if (d->kind == GSCHED_SHRINK && j->phase == LIVE_RUNNING
        && j->bound < j->spec.gang)
        live_fault(l, "it shrank below its gang", j->name);
}

/* Saved work of a job that has run until now. */
static int64_t saved_work(const struct live *l, const struct live_job *j)
{
    const int64_t done = j->saved + (l->now - j->run_start);

    if (j->spec.aside->resumes)
        return done;
    return j->spec.aside->checkpoint ? done - done % j->spec.aside->checkpoint
                                     : 0;
}

static void requeue(struct live *l, struct live_job *j)
{
    if (j->bound)
        live_fault(l, "it was returned with pods bound", j->name);
    if (j->phase == LIVE_RUNNING) {
        j->preempted++;
        j->saved = saved_work(l, j);
        if (j->spec.estimate > j->saved)
            live_accepted(
                l,
                gsched_estimate(l->sched, j->id, j->spec.estimate - j->saved),
                j->name);
    }
    j->phase = LIVE_PENDING;
}

static void carry_out(struct live *l, const struct gsched_decision *d)
{
    struct live_job *j = l->known[d->job];

    if (live_is_over(j)) {
        live_fault(l, "a decision about a job that is over", j->name);
        return;
    }
    switch (d->kind) {
    case GSCHED_PLACE:
        place(l, j, d);
        break;
    case GSCHED_EVICT:
    case GSCHED_SHRINK:
        give_back(l, j, d);
        break;
    case GSCHED_RETURN:
        requeue(l, j);
        break;
    case GSCHED_REJECT:
        if (j->bound)
            live_fault(l, "it was rejected with pods bound", j->name);
        j->phase = LIVE_REJECTED;
        break;
    case GSCHED_WARN: /* it goes on */
        break;
    }
}

/* Its pods as the scheduler tells them. */
static void bind_again(struct live *l, struct live_job *j)
{
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;

    while (gsched_next_allocation(l->sched, j->id, &at, &d)) {
        struct live_pod *pod = pods_of(l, j, &d);

        if (pod)
            live_bind(l, &l->node[d.grant.node], &j->group[d.group].asks, pod,
                      d.grant.tasks, d.grant.devices);
        j->bound += d.grant.tasks;
    }
}

void live_refuse(struct live *l, const struct gsched_decision *d, int64_t now)
{
    struct live_job *j = l->known[d->job];
    const uint32_t bound = j->bound;

    happens(l, now);
    finish(l, j, j->phase);
    live_accepted(l, gsched_give_back(l->sched, d, now), j->name);
    bind_again(l, j);
    if (j->bound >= bound
        || (j->bound && j->bound < j->spec.gang && j->phase == LIVE_RUNNING))
        live_fault(l, "it keeps what is given back", j->name);
    if (j->bound < j->spec.gang)
        j->phase = LIVE_PENDING;
    if (gsched_give_back(l->sched, d, now) == 0 && j->bound == 0)
        live_fault(l, "it is given back twice", j->name);
}

static bool gives_up(const struct live_job *j)
{
    return !live_is_over(j) && j->spec.retries != TRACE_NONE
           && j->preempted > j->spec.retries;
}

int64_t live_due(const struct live *l)
{
    const int64_t period = l->profile->period;
    /* ticks are counted from the first submission */
    const int64_t phase = period && l->job_count
                              ? l->job[0]->spec.submit % period
                              : 0;
    int64_t at = l->is_dirty ? l->now : gsched_next_wake(l->sched);

    if (at == GSCHED_NEVER)
        return at;
    at = at > l->now ? at : l->now;
    if (!period || at <= phase)
        return period ? phase : at;
    return phase + (at - phase + period - 1) / period * period;
}

const struct gsched_decision *live_cycle(struct live *l, int64_t now,
                                         uint32_t *count)
{
    const struct gsched_decision *d;

    l->now = now;
    d = gsched_cycle(l->sched, now, count);
    for (uint32_t i = 0; i < *count; i++) {
        if (l->decided)
            l->decided(l->listener, &d[i]);
        carry_out(l, &d[i]);
    }
    l->is_dirty = false;
    for (uint32_t i = 0; i < *count; i++) {
        struct live_job *j = l->known[d[i].job];

        if (d[i].kind != GSCHED_RETURN || !gives_up(j))
            continue;
        finish(l, j, LIVE_FAILED);
        live_accepted(l, gsched_end(l->sched, j->id, now), j->name);
        l->is_dirty = true;
    }
    return d;
}

/* --- after a restart ------------------------------------------------------ */

/* Adopt pod by pod, as an API server lists them. */
static void adopt(struct live *l, struct live_job *j, int64_t now)
{
    for (uint32_t g = 0, p = 0; g < j->spec.group_count; g++) {
        for (uint32_t i = 0; i < j->group[g].replicas; i++, p++) {
            const struct live_pod *pod = &j->pod[p];
            struct topo_grant grant = { .tasks = 1, .devices = pod->devices };

            if (!pod->node)
                continue;
            grant.node = (uint32_t)(pod->node - l->node);
            live_accepted(
                l,
                gsched_adopt(l->sched, j->id, g, i, &grant,
                             j->phase == LIVE_RUNNING ? j->run_start : now,
                             now),
                j->name);
        }
    }
}

static int64_t work_left(const struct live_job *j, int64_t now)
{
    const int64_t left = j->spec.estimate - j->saved
                         - (j->phase == LIVE_RUNNING ? now - j->run_start : 0);

    return left > 0 ? left : 0;
}

void live_job_again(struct live *l, struct live_job *j)
{
    j->id = UINT32_MAX;
    if (!live_is_over(j))
        make_known(l, j, job_list(l, j));
}

void live_job_adopt(struct live *l, struct live_job *j, int64_t now)
{
    if (live_is_over(j))
        return;
    adopt(l, j, now);
    if (j->spec.estimate != TRACE_FOREVER)
        live_accepted(l, gsched_estimate(l->sched, j->id, work_left(j, now)),
                      j->name);
    if (gsched_placed(l->sched, j->id) != j->bound)
        live_fault(l, "adopted more or less than is bound", j->name);
}
