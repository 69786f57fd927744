/* tests/host/live.c - changes into libgsched.a, decisions out of it. */
#include "tests/host/live.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/profile.h"
#include "topology/cluster.h"

#define SEED 42 /* as tests/sim/world.h */
#define FAULTS_TOLD 10

void live_fault(struct live *l, const char *what, const char *name)
{
    if (l->faults++ < FAULTS_TOLD)
        printf("  at %" PRId64 " us: %s (%s)\n", l->now, what, name);
}

static void copy_name(char to[LIVE_NAME], const char *from)
{
    (void)snprintf(to, LIVE_NAME, "%s", from);
}

/* --- the cluster ----------------------------------------------------------- */

struct live *live_create(void)
{
    struct live *l = gs_array_new(1, sizeof(*l));

    l->arena = gs_arena_create(1 << 14);
    l->names = gs_strtab_create();
    topo_dims_init(&l->dims, l->names);
    return l;
}

/* One more element at the end of a list that stays small. */
static void *append(struct live *l, void *list, uint32_t count, size_t size)
{
    char *to = gs_arena_alloc(l->arena, count + 1, size);

    if (count)
        memcpy(to, list, count * size);
    return to;
}

void live_tier(struct live *l, const char *name)
{
    l->tier[l->tier_count++] = gs_strtab_put(l->names, name, strlen(name));
}

void live_class(struct live *l, const struct topo_class *k)
{
    l->klass = append(l, l->klass, l->class_count, sizeof(*l->klass));
    l->klass[l->class_count++] = *k;
}

void live_node(struct live *l, const char *name, uint32_t klass,
               const uint32_t *path)
{
    struct live_node *n;

    l->node = append(l, l->node, l->node_count, sizeof(*l->node));
    n = &l->node[l->node_count++];
    copy_name(n->name, name);
    n->klass = klass;
    n->gpus = l->klass[klass].gpus;
    memcpy(n->capacity, l->klass[klass].capacity, sizeof(n->capacity));
    if (l->tier_count)
        memcpy(n->path, path, l->tier_count * sizeof(*path));
}

void live_queue(struct live *l, const struct trace_queue *q)
{
    l->queue = append(l, l->queue, l->queue_count, sizeof(*l->queue));
    l->queue[l->queue_count++] = *q;
}

void live_priority(struct live *l, const struct trace_class *c)
{
    l->prio = append(l, l->prio, l->prio_count, sizeof(*l->prio));
    l->prio[l->prio_count++] = *c;
}

/* --- the scheduler ----------------------------------------------------------- */

static int topology_make(struct live *l)
{
    l->topo = topo_create(l->arena, l->names, &l->dims);
    for (uint32_t i = 0; i < l->tier_count; i++) {
        const struct topo_tier t = { .name = l->tier[i] };

        if (topo_add_tier(l->topo, &t, &l->err) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < l->node_count; i++) {
        const struct live_node *n = &l->node[i];

        if (topo_add_node(l->topo,
                          gs_strtab_put(l->names, n->name, strlen(n->name)),
                          topo_add_class(l->topo, &l->klass[n->klass]),
                          l->tier_count ? n->path : NULL, &l->err)
            < 0)
            return -1;
    }
    return topo_finish(l->topo, &l->err);
}

/* Queues and classes; jobs come as they are submitted. */
static void workload_make(struct live *l)
{
    l->work = trace_workload_create(l->arena, l->names, &l->dims);
    for (uint32_t i = 0; i < l->queue_count; i++) {
        const uint32_t q = trace_queue_put(l->work, l->queue[i].name);
        const uint32_t parent = l->work->queue[q].parent;

        l->work->queue[q] = l->queue[i];
        l->work->queue[q].parent = parent;
    }
    for (uint32_t i = 0; i < l->prio_count; i++)
        l->work->klass[trace_class_put(l->work, l->prio[i].name)] = l->prio[i];
}

static int scheduler_make(struct live *l)
{
    workload_make(l);
    if (topology_make(l) < 0)
        return -1;
    l->cluster = topo_cluster_create(l->topo);
    l->sched = gsched_create(l->cluster, l->work, l->profile, SEED, &l->err);
    return l->sched ? 0 : -1;
}

static void scheduler_drop(struct live *l)
{
    gsched_destroy(l->sched);
    topo_cluster_destroy(l->cluster);
    trace_workload_destroy(l->work);
    l->sched = NULL;
    l->cluster = NULL;
    l->work = NULL;
}

int live_start(struct live *l, const char *preset, const char *setting)
{
    l->profile = gsched_profile_named(preset, l->arena, &l->err);
    if (!l->profile
        || (setting
            && gsched_profile_set(l->profile, setting, l->arena, &l->err) < 0))
        return -1;
    return scheduler_make(l);
}

void live_destroy(struct live *l)
{
    if (!l)
        return;
    scheduler_drop(l);
    for (uint32_t i = 0; i < l->job_count; i++) {
        gs_array_free(l->job[i]->pod);
        gs_array_free(l->job[i]);
    }
    gs_array_free(l->job);
    gs_array_free(l->known);
    gs_strtab_destroy(l->names);
    gs_arena_destroy(l->arena);
    gs_array_free(l);
}

/* --- jobs ---------------------------------------------------------------------- */

struct live_job *live_find(const struct live *l, const char *name)
{
    for (uint32_t i = 0; i < l->job_count; i++) {
        if (strcmp(l->job[i]->name, name) == 0)
            return l->job[i];
    }
    return NULL;
}

static bool is_over(const struct live_job *j)
{
    return j->phase != LIVE_PENDING && j->phase != LIVE_RUNNING;
}

uint32_t live_over(const struct live *l)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < l->job_count; i++)
        n += is_over(l->job[i]);
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

/* The workload learns of the job, and the scheduler gets it. */
static void make_known(struct live *l, struct live_job *j)
{
    struct trace_group group[LIVE_GROUPS_MAX];

    for (uint32_t g = 0; g < j->spec.group_count; g++)
        group[g] = (struct trace_group){
            .shape = trace_workload_shape(l->work, &j->group[g].asks),
            .replicas = j->group[g].replicas,
            .name = j->group[g].name,
            .min = j->group[g].min,
        };
    j->id = trace_workload_add(l->work, &j->spec, group);
    l->known = gs_array_grow(l->known, &l->known_cap, j->id + 1,
                             sizeof(struct live_job *));
    l->known[j->id] = j;
    gsched_submit(l->sched, j->id, j->created, j->spec.submit);
}

static void happens(struct live *l, int64_t now)
{
    if (now < l->now)
        live_fault(l, "time goes back", "host");
    l->now = now;
    l->is_dirty = true;
}

struct live_job *live_submit(struct live *l, const char *name,
                             const struct trace_job *spec,
                             const struct live_group *group, uint32_t created,
                             int64_t now)
{
    struct live_job *j = gs_array_new(1, sizeof(*j));

    happens(l, now);
    copy_name(j->name, name);
    j->spec = *spec;
    j->spec.submit = now;
    j->spec.name = gs_strtab_put(l->names, name, strlen(name));
    for (uint32_t g = 0; g < spec->group_count; g++) {
        j->group[g] = group[g];
        j->pods += group[g].replicas;
    }
    if (j->spec.gang == 0)
        j->spec.gang = j->pods;
    j->created = created;
    j->pod = gs_array_new(j->pods, sizeof(*j->pod));
    l->job = gs_array_grow(l->job, &l->job_cap, l->job_count + 1,
                           sizeof(struct live_job *));
    l->job[l->job_count++] = j;
    make_known(l, j);
    return j;
}

void live_created(struct live *l, struct live_job *j, uint32_t created,
                  int64_t now)
{
    happens(l, now);
    if (created <= j->created || created > j->pods)
        live_fault(l, "pods do not come in order", j->name);
    j->created = created;
    gsched_tasks_created(l->sched, j->id, created, now);
}

/* All its pods let go; it is over. */
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
    gsched_end(l->sched, j->id, now);
}

/* --- decisions ------------------------------------------------------------------- */

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
    if (d->kind == GSCHED_SHRINK && j->bound < j->spec.gang)
        live_fault(l, "it shrank below its gang", j->name);
}

/* Work that it need not repeat, having run until now. */
static int64_t saved_work(const struct live *l, const struct live_job *j)
{
    const int64_t done = j->saved + (l->now - j->run_start);

    if (j->spec.resumes)
        return done;
    return j->spec.checkpoint ? done - done % j->spec.checkpoint : 0;
}

static void requeue(struct live *l, struct live_job *j)
{
    if (j->bound)
        live_fault(l, "it was returned with pods bound", j->name);
    if (j->phase == LIVE_RUNNING) {
        j->preempted++;
        j->saved = saved_work(l, j);
        if (j->spec.estimate > j->saved)
            gsched_estimate(l->sched, j->id, j->spec.estimate - j->saved);
    }
    j->phase = LIVE_PENDING;
}

static void carry_out(struct live *l, const struct gsched_decision *d)
{
    struct live_job *j = l->known[d->job];

    if (is_over(j)) {
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
    }
}

static bool gives_up(const struct live_job *j)
{
    return !is_over(j) && j->spec.retries != TRACE_NONE
           && j->preempted > j->spec.retries;
}

int64_t live_due(const struct live *l)
{
    const int64_t period = l->profile->period;
    int64_t at = l->is_dirty ? l->now : gsched_next_wake(l->sched);

    if (at == GSCHED_NEVER)
        return at;
    at = at > l->now ? at : l->now;
    return period ? (at + period - 1) / period * period : at;
}

const struct gsched_decision *live_cycle(struct live *l, int64_t now,
                                         uint32_t *count)
{
    const struct gsched_decision *d;

    l->now = now;
    d = gsched_cycle(l->sched, now, count);
    for (uint32_t i = 0; i < *count; i++)
        carry_out(l, &d[i]);
    l->is_dirty = false;
    for (uint32_t i = 0; i < *count; i++) {
        struct live_job *j = l->known[d[i].job];

        if (d[i].kind != GSCHED_RETURN || !gives_up(j))
            continue;
        finish(l, j, LIVE_FAILED);
        gsched_end(l->sched, j->id, now);
        l->is_dirty = true;
    }
    return d;
}

/* --- after a restart -------------------------------------------------------------- */

/* Pod by pod: that is what an API server tells. */
static void adopt(struct live *l, struct live_job *j, int64_t now)
{
    for (uint32_t g = 0, p = 0; g < j->spec.group_count; g++) {
        for (uint32_t i = 0; i < j->group[g].replicas; i++, p++) {
            const struct live_pod *pod = &j->pod[p];
            struct topo_grant grant = { .tasks = 1, .devices = pod->devices };

            if (!pod->node)
                continue;
            grant.node = (uint32_t)(pod->node - l->node);
            gsched_adopt(l->sched, j->id, g, i, &grant, now);
        }
    }
}

static int64_t work_left(const struct live_job *j, int64_t now)
{
    const int64_t left = j->spec.estimate - j->saved
                         - (j->phase == LIVE_RUNNING ? now - j->run_start : 0);

    return left > 0 ? left : 0;
}

int live_restart(struct live *l, int64_t now)
{
    scheduler_drop(l);
    if (scheduler_make(l) < 0)
        return -1;
    for (uint32_t i = 0; i < l->job_count; i++) {
        l->job[i]->id = UINT32_MAX;
        if (!is_over(l->job[i]))
            make_known(l, l->job[i]);
    }
    for (uint32_t i = 0; i < l->job_count; i++) {
        struct live_job *j = l->job[i];

        if (is_over(j))
            continue;
        if (j->spec.estimate != TRACE_FOREVER)
            gsched_estimate(l->sched, j->id, work_left(j, now));
        adopt(l, j, now);
        if (gsched_placed(l->sched, j->id) != j->bound)
            live_fault(l, "adopted more or less than is bound", j->name);
    }
    happens(l, now);
    return 0;
}

/* --- telling ------------------------------------------------------------------------ */

static const char *by_of(const struct live *l, const struct gsched_decision *d)
{
    return d->by == UINT32_MAX ? "-" : l->known[d->by]->name;
}

const char *live_tell(const struct live *l, const struct gsched_decision *d,
                      char line[LIVE_LINE])
{
    static const char *const kind[] = { "place", "evict", "return", "shrink",
                                        "reject" };
    static const char *const reason[] = { "timeout", "preempted", "reclaimed" };
    const char *job = l->known[d->job]->name;
    const bool is_given_back = d->kind == GSCHED_EVICT
                               || d->kind == GSCHED_SHRINK;
    int n = snprintf(line, LIVE_LINE, " %s %s", kind[d->kind], job);

    if (d->kind == GSCHED_PLACE || is_given_back)
        n += snprintf(line + n, LIVE_LINE - (size_t)n,
                      " %" PRIu32 " %" PRIu32 "+%" PRIu32 " %s %" PRIx64,
                      d->group, d->first_task, d->grant.tasks,
                      l->node[d->grant.node].name, d->grant.devices);
    if (d->kind == GSCHED_RETURN || is_given_back)
        (void)snprintf(line + n, LIVE_LINE - (size_t)n, " %s %s",
                       reason[d->reason], by_of(l, d));
    return line;
}

bool live_consistent(const struct live *l)
{
    int64_t pods = 0, devices = 0;

    for (uint32_t i = 0; i < l->job_count; i++) {
        for (uint32_t p = 0; p < l->job[i]->pods; p++) {
            pods += l->job[i]->pod[p].node != NULL;
            devices += __builtin_popcountll(l->job[i]->pod[p].devices) > 0;
        }
        pods -= l->job[i]->bound;
        if (!is_over(l->job[i])
            && gsched_placed(l->sched, l->job[i]->id) != l->job[i]->bound)
            return false;
    }
    for (uint32_t n = 0; n < l->node_count; n++) {
        int64_t milli = 0;

        for (uint32_t i = 0; i < l->node[n].gpus; i++)
            milli += l->node[n].taken[i];
        devices = milli;
        if (devices != l->node[n].used[TOPO_GPU])
            return false;
    }
    return pods == 0 && topo_cluster_check(l->cluster);
}
