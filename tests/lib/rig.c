#include "tests/lib/rig.h"

uint32_t rig_name(struct rig *r, const char *s)
{
    return gs_strtab_put(r->names, s, strlen(s));
}

static void rig_topology(struct rig *r)
{
    static const char *const node[] = { "n1", "n2", "n3", "n4" };
    static const char *const rack[] = { "r1", "r1", "r2", "r2" };
    const struct topo_tier tier = { .name = rig_name(r, "rack") };
    struct topo_class k = { .type = rig_name(r, "h100"), .gpus = 8 };
    uint32_t klass;

    r->topo = topo_create(r->arena, r->names, &r->dims);
    r->topo->node_tier.name = rig_name(r, "node");
    topo_add_tier(r->topo, &tier, NULL);
    k.capacity[TOPO_GPU] = 8 * TOPO_SHARE_ONE;
    klass = topo_add_class(r->topo, &k);
    for (int i = 0; i < 4; i++) {
        const uint32_t path = rig_name(r, rack[i]);

        topo_add_node(r->topo, rig_name(r, node[i]), klass, &path, NULL);
    }
    topo_finish(r->topo, NULL);
}

void rig_job(struct rig *r, const char *queue, int64_t submit, int64_t seconds,
             uint32_t replicas, uint32_t gpus)
{
    const struct topo_request request = { .gpus = gpus };
    const struct trace_group group = {
        .shape = trace_workload_shape(r->work, &request),
        .replicas = replicas,
    };
    const struct trace_job job = {
        .submit = submit * RIG_SECOND,
        .duration = seconds < 0 ? TRACE_FOREVER : seconds * RIG_SECOND,
        .name = trace_number_name(r->names, "job-", r->work->job_count),
        .queue = trace_queue_put(r->work, rig_name(r, queue)),
        .group_count = 1,
    };

    trace_workload_add(r->work, &job, &group);
}

void rig_init(struct rig *r)
{
    memset(r, 0, sizeof(*r));
    r->arena = gs_arena_create(1 << 14);
    r->names = gs_strtab_create();
    topo_dims_init(&r->dims, r->names);
    rig_topology(r);
    r->work = trace_workload_create(r->arena, r->names, &r->dims);
}

void rig_begin(struct rig *r, bool keeps_events)
{
    trace_workload_finish(r->work, 0);
    r->cluster = topo_cluster_create(r->topo);
    r->now.cluster = r->cluster;
    r->log = report_log_create(r->work, keeps_events);
    r->metrics = report_metrics_create(r->topo, r->work, NULL);
}

void rig_fini(struct rig *r)
{
    report_metrics_destroy(r->metrics);
    report_log_destroy(r->log);
    topo_cluster_destroy(r->cluster);
    trace_workload_destroy(r->work);
    gs_strtab_destroy(r->names);
    gs_arena_destroy(r->arena);
}

/* --- telling -------------------------------------------------------------- */

static const struct topo_request *rig_request(const struct rig *r, uint32_t job)
{
    return &r->work->shape
                [trace_group_at(r->work, r->work->job[job].first_group)->shape];
}

struct report_allocation rig_place(struct rig *r, int64_t at, uint32_t job,
                                   uint32_t node, uint32_t task)
{
    const struct report_observer *o = report_metrics_observer(r->metrics);
    const struct topo_request *q = rig_request(r, job);
    const struct topo_grant g = topo_cluster_allocate(r->cluster, node, q, 1,
                                                      UINT32_MAX);
    const struct report_allocation s = {
        .job = job,
        .node = node,
        .first_task = task,
        .tasks = 1,
        .devices = g.devices,
        .placed_at = at * RIG_SECOND,
    };

    r->now.busy_milli += q->amount[TOPO_GPU];
    if (r->log->observer.placed)
        r->log->observer.placed(r->log, s.placed_at, &s);
    if (o->placed)
        o->placed(o->self, s.placed_at, &s);
    return s;
}

static void rig_release(struct rig *r, int64_t at,
                        const struct report_allocation *s)
{
    const struct report_observer *o = report_metrics_observer(r->metrics);
    const struct topo_request *q = rig_request(r, s->job);
    const struct topo_grant g = { .node = s->node,
                                  .tasks = s->tasks,
                                  .devices = s->devices,
                                  .slice = s->slice };

    topo_cluster_release(r->cluster, q, &g);
    r->now.busy_milli -= q->amount[TOPO_GPU];
    r->log->observer.released(r->log, at * RIG_SECOND, s);
    if (o->released)
        o->released(o->self, at * RIG_SECOND, s);
}

void rig_ended(struct rig *r, int64_t now, struct report_job j)
{
    j.start = j.start < 0 ? -1 : j.start * RIG_SECOND;
    j.end = j.end < 0 ? -1 : j.end * RIG_SECOND;
    r->log->observer.ended(r->log, now * RIG_SECOND, &j);
}

/* Times in seconds. */
static void rig_evicted(struct rig *r, int64_t at, struct report_eviction e)
{
    e.lost_us *= RIG_SECOND;
    e.lost_gpu_us *= RIG_SECOND;
    r->log->observer.evicted(r->log, at * RIG_SECOND, &e);
}

void rig_instant(struct rig *r, int64_t at)
{
    const struct report_observer *o = report_metrics_observer(r->metrics);

    o->instant(o->self, at * RIG_SECOND, &r->now);
}

void rig_finished(struct rig *r, int64_t at)
{
    const struct report_observer *o = report_metrics_observer(r->metrics);

    o->finished(o->self, at * RIG_SECOND);
    r->log->observer.finished(r->log, at * RIG_SECOND);
}

void rig_run(struct rig *r)
{
    static const int64_t waited[2][REPORT_CAUSES] = {
        { [REPORT_CAPACITY] = 2 * RIG_SECOND, [REPORT_ORDER] = 3 * RIG_SECOND },
        { [REPORT_QUOTA] = 10 * RIG_SECOND,
          [REPORT_HOARDING] = 20 * RIG_SECOND },
    };
    const uint32_t stuck = 3;
    struct report_allocation s[4];

    rig_init(r);
    rig_job(r, "a", 0, 10, 1, 8);
    rig_job(r, "b", 0, 20, 2, 4);
    rig_job(r, "b", 10, 40, 8, 8);
    rig_job(r, "a", 10, 5, 1, 1);
    rig_job(r, "a", 20, -1, 1, 1);
    rig_begin(r, false);
    s[0] = rig_place(r, 0, 0, 0, 0);
    r->now.running = r->now.waiting = 1;
    rig_instant(r, 0);
    s[1] = rig_place(r, 5, 1, 1, 0);
    s[2] = rig_place(r, 5, 1, 2, 1);
    r->now.running = 2;
    r->now.waiting = 0;
    rig_instant(r, 5);
    rig_evicted(r, 8,
                (struct report_eviction){ .job = 1,
                                          .by = 0,
                                          .kind = REPORT_PREEMPT,
                                          .tasks = 2,
                                          .is_whole = true,
                                          .lost_us = 3,
                                          .lost_gpu_us = 24 });
    rig_evicted(r, 9,
                (struct report_eviction){ .job = 1,
                                          .by = UINT32_MAX,
                                          .kind = REPORT_TIMEOUT,
                                          .tasks = 1,
                                          .is_whole = true });
    rig_release(r, 10, &s[0]);
    rig_ended(r, 10,
              (struct report_job){ .job = 0,
                                   .state = REPORT_DONE,
                                   .level = 2,
                                   .start = 0,
                                   .end = 10,
                                   .ran = 10 * RIG_SECOND,
                                   .work = 10 * RIG_SECOND });
    rig_ended(r, 10,
              (struct report_job){
                  .job = 2,
                  .state = REPORT_REJECTED,
                  .cause = REPORT_CAPACITY,
                  .level = UINT32_MAX,
                  .start = -1,
                  .end = 10,
                  .reason = "it asks for more than the cluster has" });
    r->now.running = r->now.waiting = 1;
    rig_instant(r, 10);
    s[3] = rig_place(r, 20, 4, 3, 0);
    r->now.running = 2;
    rig_instant(r, 20);
    rig_release(r, 25, &s[2]);
    rig_release(r, 25, &s[1]);
    rig_ended(r, 25,
              (struct report_job){ .job = 1,
                                   .state = REPORT_DONE,
                                   .cause = REPORT_ORDER,
                                   .evictions = 2,
                                   .preemptions = 1,
                                   .level = 0,
                                   .start = 5,
                                   .end = 25,
                                   .waits = waited[0],
                                   .ran = 20 * RIG_SECOND,
                                   .work = 17 * RIG_SECOND,
                                   .lost_gpu_us = 24 * RIG_SECOND });
    r->now.running = 1;
    rig_instant(r, 25);
    r->log->observer.deadlocked(r->log, 30 * RIG_SECOND, &stuck, 1);
    r->now.hoarded_milli = r->now.deadlocked_milli = 1000;
    r->now.busy_milli -= 1000;
    rig_instant(r, 30);
    r->log->observer.held(r->log, 40 * RIG_SECOND, &s[3]);
    rig_ended(r, 40,
              (struct report_job){ .job = 3,
                                   .state = REPORT_PARTLY,
                                   .cause = REPORT_HOARDING,
                                   .level = UINT32_MAX,
                                   .start = -1,
                                   .end = -1,
                                   .waits = waited[1] });
    rig_ended(r, 40,
              (struct report_job){ .job = 4,
                                   .state = REPORT_RUNNING,
                                   .level = 2,
                                   .start = 20,
                                   .end = -1,
                                   .ran = 20 * RIG_SECOND,
                                   .work = 20 * RIG_SECOND });
    r->log->observer.deadlock_endless(r->log, 40 * RIG_SECOND);
    rig_finished(r, 40);
}
