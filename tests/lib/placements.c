#include "tests/lib/placements.h"

/* An amount of the object `key` is allocated (by > 0) or released. */
struct held_change {
    uint64_t key;
    int64_t at, by;
};

struct held_changes {
    struct held_change *v;
    uint32_t count, cap;
};

/* At one instant, releases come before allocations. */
static int held_compare(const void *pa, const void *pb)
{
    const struct held_change *a = pa, *b = pb;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->by > b->by) - (a->by < b->by);
}

static void held_add(struct held_changes *c, uint64_t key, int64_t from,
                     int64_t to, int64_t by)
{
    if (from == to)
        return; /* placed and given back at one instant: others may come, too */
    c->v = gs_array_grow(c->v, &c->cap, c->count + 2, sizeof(*c->v));
    c->v[c->count++] = (struct held_change){ key, from, by };
    c->v[c->count++] = (struct held_change){ key, to, -by };
}

/* The number of instants at which more than `most` of any object is held. */
static int held_faults(struct held_changes *c, int64_t most)
{
    int64_t held = 0;
    int faults = 0;

    if (c->count)
        qsort(c->v, c->count, sizeof(*c->v), held_compare);
    for (uint32_t i = 0; i < c->count; i++) {
        held = i && c->v[i].key == c->v[i - 1].key ? held + c->v[i].by
                                                   : c->v[i].by;
        faults += held > most;
    }
    gs_array_free(c->v);
    *c = (struct held_changes){ 0 };
    return faults;
}

/* INT64_MAX: held when the run ended. */
static int64_t placement_end(const struct report_placement *p)
{
    return p->end < 0 ? INT64_MAX : p->end;
}

static const struct topo_request *placement_request(
    const struct world *w, const struct report_placement *p)
{
    const struct trace_workload *t = w->work;

    return &t->shape[trace_group_at(t, t->job[p->job].first_group + p->group)
                         ->shape];
}

/* A task is in one place at a time. */
static int placements_tasks(const struct world *w)
{
    struct held_changes c = { 0 };
    int faults = 0;

    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        const struct report_placement *p = &w->log->placement[i];
        const struct trace_job *j = &w->work->job[p->job];
        const struct trace_group *g = trace_group_at(w->work,
                                                     j->first_group + p->group);

        faults += p->group >= j->group_count || p->tasks == 0
                  || p->first_task + p->tasks > g->replicas;
        for (uint32_t k = 0; k < p->tasks; k++)
            held_add(&c,
                     (uint64_t)(j->first_group + p->group) << 24
                         | (p->first_task + k),
                     p->start, placement_end(p), 1);
    }
    return faults + held_faults(&c, 1);
}

/* Thousandths of each device; of instances, their memory slices. */
static int placements_devices(const struct world *w)
{
    struct held_changes whole = { 0 }, slices = { 0 };

    for (uint32_t i = 0; i < w->log->placement_count; i++) {
        const struct report_placement *p = &w->log->placement[i];
        const struct topo_request *r = placement_request(w, p);
        const struct topo_class *k =
            &w->topo->klass[w->topo->node_class[p->node]];
        const struct topo_mig_profile *m =
            r->mig && k->mig ? topo_mig_profile(k->mig, r->mig) : NULL;

        for (unsigned d = 0; d < TOPO_DEVICES_MAX; d++) {
            const uint64_t key = (uint64_t)p->node << 8 | d;

            if (!(p->devices >> d & 1))
                continue;
            if (m)
                held_add(&slices, key, p->start, placement_end(p), m->memory);
            else
                held_add(&whole, key, p->start, placement_end(p),
                         r->share ? r->share : TOPO_SHARE_ONE);
        }
    }
    return held_faults(&whole, TOPO_SHARE_ONE) + held_faults(&slices, 8);
}

/* No task is on a failed or absent node or GPU. */
static int placements_outages(const struct world *w)
{
    const struct report_log *l = w->log;
    int faults = 0;

    for (uint32_t i = 0; i < l->outage_count; i++) {
        const struct report_node *n = &l->outage[i].what;
        const int64_t from = l->outage[i].at;
        int64_t to = INT64_MAX;

        if (n->state < REPORT_NODE_FAILED)
            continue;
        for (uint32_t k = i + 1; k < l->outage_count && to == INT64_MAX; k++) {
            if (l->outage[k].what.node == n->node
                && l->outage[k].what.device == n->device
                && l->outage[k].what.state < REPORT_NODE_FAILED)
                to = l->outage[k].at;
        }
        for (uint32_t k = 0; k < l->placement_count; k++) {
            const struct report_placement *p = &l->placement[k];

            faults += p->node == n->node
                      && (n->device == UINT32_MAX
                          || (p->devices >> n->device & 1))
                      && p->start < to && from < placement_end(p)
                      && p->start < placement_end(p);
        }
    }
    return faults;
}

/* Placements are within the run and the times of their job; a job that is done
 * released everything.
 */
static int placements_times(const struct world *w)
{
    const struct report_log *l = w->log;
    const uint32_t n = w->work->job_count;
    int64_t *last = gs_array_new(n + 1, sizeof(*last));
    uint32_t *held = gs_array_new(n + 1, sizeof(*held));
    uint32_t *at_start = gs_array_new(n + 1, sizeof(*at_start));
    int faults = 0;

    for (uint32_t i = 0; i < l->placement_count; i++) {
        const struct report_placement *p = &l->placement[i];
        const struct report_job j = report_log_job(l, p->job);

        faults += p->start < w->work->job[p->job].submit
                  || placement_end(p) < p->start || p->start > l->end
                  || p->end > l->end;
        if (placement_end(p) > last[p->job])
            last[p->job] = placement_end(p);
        held[p->job] += p->end < 0;
        if (j.start >= 0 && p->start <= j.start && placement_end(p) >= j.start)
            at_start[p->job] += p->tasks;
    }
    for (uint32_t j = 0; j < n; j++) {
        const struct report_job r = report_log_job(l, j);

        faults += r.state >= REPORT_DONE && held[j] > 0;
        faults += r.state == REPORT_DONE && !w->work->job[j].aside->withdraws
                  && last[j] != r.end;
        faults += r.state == REPORT_REJECTED && last[j] != 0;
        faults += r.state == REPORT_RUNNING && held[j] == 0;
        faults += r.start >= 0 && at_start[j] < w->work->job[j].gang;
    }
    gs_array_free(last);
    gs_array_free(held);
    gs_array_free(at_start);
    return faults;
}

int placements_faults(const struct world *w)
{
    const int tasks = placements_tasks(w), devices = placements_devices(w);
    const int outages = placements_outages(w), times = placements_times(w);

    if (tasks + devices + outages + times)
        printf("placements: %d of tasks, %d of devices, %d on nodes that are "
               "out, %d of times\n",
               tasks, devices, outages, times);
    return tasks + devices + outages + times;
}
