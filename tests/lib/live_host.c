/* tests/lib/live_host.c - the nodes and users of a live host, and the scheduler
 * that it makes of them, once and again.
 */
#include "tests/lib/live_host.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/strtab.h"
#include "policies/profile/profile.h"
#include "topology/cluster.h"

#define SEED 42 /* as tests/lib/world.c */

/* --- the cluster ---------------------------------------------------------- */

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
    (void)snprintf(n->name, sizeof(n->name), "%s", name);
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

/* --- the scheduler -------------------------------------------------------- */

static int topology_make(struct live *l)
{
    struct topo *t = topo_create(l->arena, l->names, &l->dims);

    l->topo = t;
    for (uint32_t i = 0; i < l->tier_count; i++) {
        const struct topo_tier tier = { .name = l->tier[i] };

        if (topo_add_tier(t, &tier, &l->err) < 0)
            return -1;
    }
    for (uint32_t i = 0; i < l->node_count; i++) {
        const struct live_node *n = &l->node[i];

        if (topo_add_node(t, gs_strtab_put(l->names, n->name, strlen(n->name)),
                          topo_add_class(t, &l->klass[n->klass]),
                          l->tier_count ? n->path : NULL, &l->err)
            < 0)
            return -1;
    }
    return topo_finish(t, &l->err);
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
    for (uint32_t i = 0; i < l->prio_count; i++) {
        const uint32_t klass = trace_class_put(l->work, l->prio[i].name);

        l->work->klass[klass] = l->prio[i];
    }
}

static int scheduler_make(struct live *l)
{
    if (!l->is_lent) {
        workload_make(l);
        if (topology_make(l) < 0)
            return -1;
    }
    l->cluster = topo_cluster_create(l->topo);
    l->sched = gsched_create(l->cluster, l->work, l->profile, SEED, &l->err);
    if (l->sched && l->limit)
        live_accepted(l, gsched_limit_decisions(l->sched, l->limit), "limit");
    return l->sched ? 0 : -1;
}

static void scheduler_drop(struct live *l)
{
    gsched_destroy(l->sched);
    topo_cluster_destroy(l->cluster);
    if (!l->is_lent)
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

struct live *live_of(const struct topo *topo, struct trace_workload *work,
                     struct gsched_profile *p)
{
    struct live *l = live_create();

    l->is_lent = true;
    l->topo = topo;
    l->work = work;
    l->profile = p;
    l->dims.count = topo->dims->count;
    l->klass = topo->klass;
    for (uint32_t i = 0; i < topo->node_count; i++)
        live_node(l, gs_strtab_str(topo->names, topo->node_name[i]),
                  topo->node_class[i], NULL);
    if (scheduler_make(l) == 0)
        return l;
    live_destroy(l);
    return NULL;
}

int live_restart(struct live *l, int64_t now)
{
    scheduler_drop(l);
    if (scheduler_make(l) < 0)
        return -1;
    for (uint32_t i = 0; i < l->job_count; i++)
        live_job_again(l, l->job[i]);
    for (uint32_t i = 0; i < l->job_count; i++)
        live_job_adopt(l, l->job[i], now);
    l->now = now;
    l->is_dirty = true;
    return 0;
}

int live_take_over(struct live *l, int64_t now)
{
    struct gsched *from = l->sched;
    struct topo_cluster *cluster = l->cluster;

    if (topology_make(l) < 0)
        return -1;
    l->cluster = topo_cluster_create(l->topo);
    l->sched = gsched_create(l->cluster, l->work, l->profile, SEED, &l->err);
    if (l->sched)
        live_accepted(l, gsched_take_over(l->sched, from, NULL, now), "all");
    gsched_destroy(from);
    topo_cluster_destroy(cluster);
    l->now = now;
    l->is_dirty = true;
    return l->sched ? 0 : -1;
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
