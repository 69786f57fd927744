/* tests/host/test_random_caller.c - random valid and invalid calls: the
 * scheduler accepts and refuses what a simple model does, and serves all jobs
 * in the end.
 */
#include <stdio.h>
#include <string.h>

#include "tests/host/caller.h"

static uint32_t below(struct caller *h, uint32_t n)
{
    return (uint32_t)gs_rng_below(&h->rng, n);
}

static uint32_t any_job(struct caller *h)
{
    return below(h, h->work->job_count + 1);
}

/* Most calls have the present time, some an earlier one. */
static int64_t any_time(struct caller *h)
{
    if (below(h, 16) == 0)
        return h->told - 1;
    h->now += below(h, 3) == 0 ? below(h, 100) : 0;
    return h->now;
}

static void play_submit(struct caller *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const struct trace_job *j = job < h->work->job_count ? &h->work->job[job]
                                                         : NULL;
    const uint32_t created = j ? below(h, j->tasks + 2) : 1;
    const bool is_right = j && now >= h->told && !h->job[job].is_there
                          && created <= j->tasks && j->queue < h->late_queue
                          && j->klass < h->late_class;

    CU_ASSERT_EQUAL(caller_submit(h, job, created, now), is_right ? 0 : -1);
}

static void play_created(struct caller *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const uint32_t created = below(h, 6);
    const bool is_right = now >= h->told && caller_is_live(h, job)
                          && created > h->job[job].created
                          && created <= h->work->job[job].tasks;

    CU_ASSERT_EQUAL(
        caller_took(h, gsched_tasks_created(h->sched, job, created, now), now),
        is_right ? 0 : -1);
    if (is_right)
        h->job[job].created = created;
}

static void play_end(struct caller *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && caller_is_live(h, job);

    CU_ASSERT_EQUAL(caller_end(h, job, now), is_right ? 0 : -1);
}

/* Tasks of the group that are placed, and that exist. */
static uint32_t placed_of(const struct caller *h, uint32_t job, uint32_t group)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < h->job[job].count; i++)
        n += h->job[job].span[i].group == group ? h->job[job].span[i].tasks : 0;
    return n;
}

static uint32_t created_of(const struct caller *h, uint32_t job, uint32_t group)
{
    const struct trace_job *j = &h->work->job[job];
    const uint32_t each = trace_group_at(h->work, j->first_group)->replicas;
    const uint32_t before = group * each, created = h->job[job].created;

    return created < before          ? 0
           : created - before < each ? created - before
                                     : each;
}

/* Is one of the tasks placed? */
static bool any_placed(const struct caller *h, uint32_t job, uint32_t group,
                       uint32_t first, uint32_t tasks)
{
    uint32_t at = GSCHED_FIRST;
    struct gsched_decision d;

    while (gsched_next_allocation(h->sched, job, &at, &d)) {
        if (d.group == group && d.first_task < first + tasks
            && first < d.first_task + d.grant.tasks)
            return true;
    }
    return false;
}

static bool may_adopt(const struct caller *h, uint32_t job, uint32_t group,
                      uint32_t first, const struct topo_grant *g)
{
    const struct trace_job *j = &h->work->job[job];
    const struct topo_request *r;
    uint32_t devices = 0;

    if (!caller_is_live(h, job) || group >= j->group_count || g->tasks == 0
        || any_placed(h, job, group, first, g->tasks)
        || first + g->tasks > created_of(h, job, group)
        || g->node >= CALLER_NODES || g->devices >> caller_gpus[g->node])
        return false;
    r = &h->work->shape[trace_group_at(h->work, j->first_group + group)->shape];
    for (uint32_t d = 0; d < caller_gpus[g->node]; d++) {
        if (!(g->devices >> d & 1))
            continue;
        devices++;
        if ((h->broken[g->node] >> d & 1)
            || caller_share_held(h, g->node, d)
                   > TOPO_SHARE_ONE
                         - (r->gpus ? TOPO_SHARE_ONE : (int64_t)r->share))
            return false;
    }
    return r->gpus ? devices == r->gpus * g->tasks
                   : devices == 1 && g->tasks == 1;
}

static void play_adopt(struct caller *h)
{
    const uint32_t job = any_job(h);
    const uint32_t group = below(h, 8) ? 0 : below(h, 3);
    const int64_t now = any_time(h);
    const bool is_known = job < h->work->job_count;
    const uint32_t first = is_known && below(h, 4) ? placed_of(h, job, group)
                                                   : below(h, 4);
    const struct topo_grant g = { .node = below(h, CALLER_NODES + 1),
                                  .tasks = below(h, 8) ? 1 : below(h, 3),
                                  .devices = UINT64_C(1) << below(h, 4)
                                             | (UINT64_C(1) << below(h, 5)) };
    const bool is_right = now >= h->told && is_known
                          && may_adopt(h, job, group, first, &g);

    CU_ASSERT_EQUAL(
        caller_took(h, gsched_adopt(h->sched, job, group, first, &g, now, now),
                    now),
        is_right ? 0 : -1);
    if (is_right) {
        const struct caller_holding at = { group, g.node, g.tasks, g.devices };

        caller_span_add(h, job, &at);
    }
}

static void play_lost(struct caller *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && caller_is_live(h, job)
                          && h->job[job].placed;

    CU_ASSERT_EQUAL(caller_took(h, gsched_lost(h->sched, job, now), now),
                    is_right ? 0 : -1);
    if (is_right) {
        h->job[job].placed = h->job[job].count = 0;
        h->job[job].is_running = false;
    }
}

static void play_task(struct caller *h)
{
    const uint32_t job = any_job(h);
    const int64_t now = any_time(h);
    const uint32_t created = below(h, 6);
    struct gsched_decision d;
    uint32_t at = GSCHED_FIRST;
    struct caller_holding held;
    bool is_right;

    if (!gsched_next_allocation(h->sched, job, &at, &d))
        at = below(h, 100);
    held = caller_holding_of(&d);
    is_right = now >= h->told && caller_is_live(h, job) && caller_runs(h, job)
               && h->job[job].placed && h->work->job[job].group_count == 1
               && h->work->job[job].gang == 1 && created <= h->job[job].created
               && created + held.tasks >= h->job[job].created;
    CU_ASSERT_EQUAL(
        caller_took(h, gsched_task_ended(h->sched, job, at, created, now), now),
        is_right ? 0 : -1);
    if (is_right) {
        h->job[job].created = created;
        CU_ASSERT(caller_span_drop(&h->job[job], &held));
    }
}

static bool is_hit(const struct caller_holding *at, uint32_t node,
                   uint64_t devices)
{
    return at->node == node && (devices == 0 || (at->devices & devices));
}

static void play_lost_part(struct caller *h)
{
    const uint32_t job = any_job(h), node = below(h, CALLER_NODES + 1);
    const uint64_t devices = below(h, 2) ? 0 : UINT64_C(1) << below(h, 4);
    const int64_t now = any_time(h);
    struct caller_job *k = caller_is_live(h, job) ? &h->job[job] : NULL;
    uint32_t lost = 0;
    bool is_right;

    for (uint32_t i = 0; k && i < k->count; i++)
        lost += is_hit(&k->span[i], node, devices) ? k->span[i].tasks : 0;
    is_right = k && k->is_running && now >= h->told && lost
               && k->placed >= h->work->job[job].gang + lost;
    CU_ASSERT_EQUAL(
        caller_took(h, gsched_lost_part(h->sched, job, node, devices, now),
                    now),
        is_right ? 0 : -1);
    for (uint32_t i = 0; is_right && i < k->count;) {
        const struct caller_holding at = k->span[i];

        if (is_hit(&at, node, devices))
            CU_ASSERT(caller_span_drop(k, &at));
        i += !is_hit(&at, node, devices);
    }
}

static void play_node(struct caller *h)
{
    const uint32_t node = below(h, CALLER_NODES + 1);
    const bool closes = below(h, 3) == 0;
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && node < CALLER_NODES;

    CU_ASSERT_EQUAL(
        caller_took(h,
                    closes ? gsched_node_cordoned(h->sched, node, now)
                           : gsched_node_uncordoned(h->sched, node, now),
                    now),
        is_right ? 0 : -1);
    if (is_right)
        h->is_closed[node] = closes;
}

static void play_gpu(struct caller *h)
{
    const uint32_t node = below(h, CALLER_NODES + 1), device = below(h, 5);
    const bool breaks = below(h, 3) == 0;
    const int64_t now = any_time(h);
    const bool is_right = now >= h->told && node < CALLER_NODES
                          && device < caller_gpus[node]
                          && (!breaks
                              || caller_share_held(h, node, device) == 0);

    CU_ASSERT_EQUAL(
        caller_took(h,
                    breaks ? gsched_gpu_failed(h->sched, node, device, now)
                           : gsched_gpu_repaired(h->sched, node, device, now),
                    now),
        is_right ? 0 : -1);
    if (is_right && breaks)
        h->broken[node] |= UINT64_C(1) << device;
    else if (is_right)
        h->broken[node] &= ~(UINT64_C(1) << device);
}

static void play_estimate(struct caller *h)
{
    const uint32_t job = any_job(h);
    const int64_t us = (int64_t)below(h, 2000) - 100;

    CU_ASSERT_EQUAL(gsched_estimate(h->sched, job, us),
                    us >= 0 && caller_is_live(h, job) ? 0 : -1);
}

static void play_cycle(struct caller *h)
{
    const int64_t now = any_time(h);
    uint32_t count = 5;

    if (now >= h->told) {
        h->now = now;
        (void)caller_cycle(h);
        return;
    }
    CU_ASSERT_PTR_NULL(gsched_cycle(h->sched, now, &count));
    CU_ASSERT_EQUAL(count, 0);
}

static void play_add(struct caller *h)
{
    const uint32_t groups = 1 + below(h, 2), replicas = 1 + below(h, 3);
    uint32_t job;

    if (h->work->job_count == CALLER_JOBS_MAX)
        return;
    job = caller_add(h, groups, replicas, below(h, groups * replicas + 1),
                     below(h, 3));
    h->work->job[job].queue = below(h, h->late_queue);
    h->work->job[job].klass = below(h, h->late_class);
    if (below(h, 8) == 0) {
        const char text[] = { (char)('a' + below(h, 26)), '\0' };

        h->work->job[job].queue = trace_queue_put(h->work,
                                                  caller_name(h, text));
        h->work->job[job].klass = trace_class_value(h->work,
                                                    (int32_t)below(h, 9));
    }
}

static void (*const plays[])(struct caller *h) = {
    play_submit, play_submit,   play_created,   play_end,  play_adopt,
    play_adopt,  play_lost,     play_lost_part, play_node, play_gpu,
    play_cycle,  play_estimate, play_cycle,     play_add,  play_task,
};

/* All resources return, and all pending jobs are served in the end. */
static bool is_drained(struct caller *h)
{
    for (uint32_t n = 0; n < CALLER_NODES; n++) {
        CU_ASSERT_EQUAL(gsched_node_uncordoned(h->sched, n, h->now), 0);
        h->is_closed[n] = false;
        for (uint32_t d = 0; d < caller_gpus[n]; d++)
            CU_ASSERT_EQUAL(gsched_gpu_repaired(h->sched, n, d, h->now), 0);
        h->broken[n] = 0;
    }
    for (uint32_t j = 0; j < h->work->job_count; j++) {
        const uint32_t tasks = h->work->job[j].tasks;

        if (caller_is_live(h, j) && h->job[j].created < tasks) {
            CU_ASSERT_EQUAL(gsched_tasks_created(h->sched, j, tasks, h->now),
                            0);
            h->job[j].created = tasks;
        }
    }
    for (uint32_t round = 0; round < 4 * CALLER_JOBS_MAX; round++) {
        uint32_t live = 0, held_back = h->work->job_count;
        bool is_idle;

        h->now += 1000000;
        is_idle = caller_cycle(h) == 0;
        for (uint32_t j = 0; j < h->work->job_count; j++) {
            live += caller_is_live(h, j);
            if (caller_is_live(h, j)
                && gsched_wait_cause(h->sched, j) == GSCHED_QUOTA)
                held_back = j; /* as two queues may do to each other */
            if (caller_is_live(h, j) && (h->job[j].placed || caller_runs(h, j)))
                CU_ASSERT_EQUAL(caller_end(h, j, h->now), 0);
        }
        if (is_idle && caller_is_live(h, held_back))
            CU_ASSERT_EQUAL(caller_end(h, held_back, h->now), 0);
        if (!caller_agrees(h))
            return false;
        if (live == 0)
            return true;
    }
    return false;
}

static void test_random_caller(void)
{
    const uint64_t seeds = suite_rounds(12);

    for (size_t i = 0; i < CALLER_PRESETS; i++) {
        for (uint64_t seed = 0; seed < seeds; seed++) {
            struct caller h;
            bool good = true;

            caller_init(&h, caller_presets[i], seed);
            for (uint32_t n = 0; n < 400 && good; n++) {
                plays[below(&h, N_ELEMENTS(plays))](&h);
                good = caller_agrees(&h);
            }
            if (seed % 4) /* others are destroyed in the middle */
                good = good && is_drained(&h);
            if (!good)
                printf("  %s, seed %u\n", caller_presets[i], (unsigned)seed);
            CU_ASSERT(good);
            caller_fini(&h);
        }
    }
}

int main(void)
{
    static const struct suite_case suite[] = {
        { "right calls are taken and wrong ones refused, by chance",
          test_random_caller },
    };

    return suite_run("random caller", suite, N_ELEMENTS(suite));
}
