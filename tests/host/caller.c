#include "tests/host/caller.h"

#include <string.h>

#include "base/arena.h"
#include "policies/profile/profile.h"
#include "topology/topology.h"

const char *const caller_presets[CALLER_PRESETS] = {
    "fifo", "kube-default", "drf", "easy", "conservative", "volcano", "hybrid"
};
const uint32_t caller_gpus[CALLER_NODES] = { 4, 4, 2 };

uint32_t caller_name(struct caller *h, const char *text)
{
    return gs_strtab_put(h->names, text, strlen(text));
}

void caller_init(struct caller *h, const char *preset, uint64_t seed)
{
    struct gs_err err = { 0 };

    memset(h, 0, sizeof(*h));
    h->arena = gs_arena_create(1 << 14);
    h->names = gs_strtab_create();
    gs_rng_init(&h->rng, seed, preset);
    topo_dims_init(&h->dims, h->names);
    h->topo = topo_create(h->arena, h->names, &h->dims);
    for (uint32_t n = 0; n < CALLER_NODES; n++) {
        const char text[] = { 'n', (char)('0' + n), '\0' };
        struct topo_class k = { .type = caller_name(h, text),
                                .gpus = caller_gpus[n] };

        k.capacity[TOPO_GPU] = caller_gpus[n] * (int64_t)TOPO_SHARE_ONE;
        k.capacity[TOPO_PODS] = TOPO_PODS_UNLIMITED;
        CU_ASSERT_EQUAL(topo_add_node(h->topo, caller_name(h, text),
                                      topo_add_class(h->topo, &k), NULL, &err),
                        0);
    }
    CU_ASSERT_EQUAL(topo_finish(h->topo, &err), 0);
    h->work = trace_workload_create(h->arena, h->names, &h->dims);
    (void)trace_queue_put(h->work, caller_name(h, "root/a"));
    (void)trace_class_value(h->work, 7);
    h->late_queue = h->work->queue_count;
    h->late_class = h->work->class_count;
    h->profile = gsched_profile_named(preset, h->arena, &err);
    h->cluster = topo_cluster_create(h->topo);
    h->sched = gsched_create(h->cluster, h->work, h->profile, 1, &err);
    CU_ASSERT_PTR_NOT_NULL_FATAL(h->sched);
}

void caller_fini(struct caller *h)
{
    gsched_destroy(h->sched);
    topo_cluster_destroy(h->cluster);
    trace_workload_destroy(h->work);
    gs_strtab_destroy(h->names);
    gs_arena_destroy(h->arena);
}

uint32_t caller_add(struct caller *h, uint32_t groups, uint32_t replicas,
                    uint32_t gang, uint32_t gpus)
{
    const struct trace_job j = { .duration = 1000000,
                                 .estimate = 1000000,
                                 .gang = gang,
                                 .retries = TRACE_NONE,
                                 .group_count = groups };
    struct topo_request r = { .gpus = gpus, .share = gpus ? 0 : 300 };
    struct trace_group g[2] = { { .replicas = replicas },
                                { .replicas = replicas } };

    r.amount[TOPO_PODS] = 1;
    g[0].shape = g[1].shape = trace_workload_shape(h->work, &r);
    return trace_workload_add(h->work, &j, g);
}

/* --- what is true --------------------------------------------------------- */

void caller_span_add(struct caller *h, uint32_t job,
                     const struct caller_holding *at)
{
    struct caller_job *k = &h->job[job];

    CU_ASSERT_FATAL(k->count < CALLER_SPANS_MAX);
    k->span[k->count++] = *at;
    k->placed += at->tasks;
    k->is_running |= k->placed >= h->work->job[job].gang;
}

bool caller_span_drop(struct caller_job *k, const struct caller_holding *at)
{
    for (uint32_t i = 0; i < k->count; i++) {
        if (k->span[i].group != at->group || k->span[i].node != at->node
            || k->span[i].devices != at->devices
            || k->span[i].tasks != at->tasks)
            continue;
        k->span[i] = k->span[--k->count];
        k->placed -= at->tasks;
        return true;
    }
    return false;
}

struct caller_holding caller_holding_of(const struct gsched_decision *d)
{
    return (struct caller_holding){ .group = d->group,
                                    .node = d->grant.node,
                                    .tasks = d->grant.tasks,
                                    .devices = d->grant.devices };
}

bool caller_is_live(const struct caller *h, uint32_t job)
{
    return job < CALLER_JOBS_MAX && h->job[job].is_there
           && !h->job[job].is_over;
}

bool caller_runs(const struct caller *h, uint32_t job)
{
    return caller_is_live(h, job) && h->job[job].is_running;
}

int64_t caller_share_held(const struct caller *h, uint32_t node,
                          uint32_t device)
{
    int64_t milli = 0;

    for (uint32_t j = 0; j < h->work->job_count; j++) {
        const struct caller_job *k = &h->job[j];

        for (uint32_t i = 0; i < k->count; i++) {
            const struct trace_group *g = trace_group_at(
                h->work, h->work->job[j].first_group + k->span[i].group);
            const struct topo_request *r = &h->work->shape[g->shape];

            if (k->span[i].node == node && (k->span[i].devices >> device & 1))
                milli += r->gpus ? TOPO_SHARE_ONE : (int64_t)r->share;
        }
    }
    return milli;
}

bool caller_agrees(struct caller *h)
{
    uint32_t waiting = 0;

    for (uint32_t j = 0; j < h->work->job_count; j++) {
        struct caller_job left = h->job[j];
        uint32_t at = GSCHED_FIRST;
        struct gsched_decision d;

        if (gsched_placed(h->sched, j) != left.placed)
            return false;
        while (gsched_next_allocation(h->sched, j, &at, &d)) {
            const struct caller_holding held = caller_holding_of(&d);

            if (!caller_span_drop(&left, &held))
                return false;
        }
        if (left.count)
            return false;
        waiting += caller_is_live(h, j) && !caller_runs(h, j);
    }
    return gsched_waiting(h->sched) == waiting && cluster_is_right(h->cluster);
}

static void carry_out(struct caller *h, const struct gsched_decision *d)
{
    struct caller_job *k = &h->job[d->job];
    const struct caller_holding at = caller_holding_of(d);

    CU_ASSERT(caller_is_live(h, d->job));
    switch (d->kind) {
    case GSCHED_PLACE:
        CU_ASSERT(!h->is_closed[at.node]);
        CU_ASSERT((at.devices & h->broken[at.node]) == 0);
        caller_span_add(h, d->job, &at);
        break;
    case GSCHED_EVICT:
    case GSCHED_SHRINK:
        CU_ASSERT(caller_span_drop(k, &at));
        break;
    case GSCHED_RETURN:
        CU_ASSERT_EQUAL(k->placed, 0);
        k->is_running = false;
        break;
    case GSCHED_REJECT:
        k->is_over = true;
        break;
    case GSCHED_WARN:
        CU_ASSERT(k->placed > 0 && d->leaves_at > 0);
        break;
    }
}

int caller_took(struct caller *h, int status, int64_t now)
{
    if (status == 0)
        h->told = now;
    return status;
}

uint32_t caller_cycle(struct caller *h)
{
    uint32_t count = 99;
    const struct gsched_decision *d = gsched_cycle(h->sched, h->now, &count);

    CU_ASSERT_PTR_NOT_NULL_FATAL(d);
    h->told = h->now;
    for (uint32_t i = 0; i < count; i++)
        carry_out(h, &d[i]);
    return count;
}

int caller_submit(struct caller *h, uint32_t job, uint32_t created, int64_t now)
{
    const int status = caller_took(
        h, gsched_submit(h->sched, job, created, now), now);

    if (status == 0) {
        h->job[job].is_there = true;
        h->job[job].created = created;
    }
    return status;
}

int caller_end(struct caller *h, uint32_t job, int64_t now)
{
    const int status = caller_took(h, gsched_end(h->sched, job, now), now);

    if (status == 0) {
        h->job[job].is_over = true;
        h->job[job].placed = h->job[job].count = 0;
    }
    return status;
}
