#include "tests/lib/watch.h"

#include "tests/lib/cluster_check.h"

#define WATCH_INSTANTS 100000u

static void watch_mix(struct watch *v, uint64_t x)
{
    v->rows = (v->rows ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    v->rows ^= v->rows >> 29;
}

static const struct topo_request *watch_request(
    const struct watch *v, const struct report_allocation *s)
{
    const struct trace_workload *t = v->w->work;

    return &t->shape[trace_group_at(t, t->job[s->job].first_group + s->group)
                         ->shape];
}

/* Check an instance that is placed or released: its model allows the place, its
 * slices are free, and its device is not used as a whole or shared.
 */
static void watch_instance(struct watch *v, const struct report_allocation *s,
                           const struct topo_class *k, uint32_t device, int by)
{
    const uint32_t at = s->node * TOPO_DEVICES_MAX + device;
    const struct topo_mig_profile *p =
        k->mig ? topo_mig_profile(k->mig, watch_request(v, s)->mig) : NULL;
    unsigned slices;

    FAULT(v, !p || s->tasks != 1 || s->devices != UINT64_C(1) << device
                 || v->share[at] != 0);
    if (!p)
        return;
    slices = ((1u << p->memory) - 1) << s->slice;
    FAULT(v, slices > UINT8_MAX || !(p->starts >> s->slice & 1)
                 || (v->slices[at] & slices) != (by > 0 ? 0 : slices));
    v->slices[at] ^= (uint8_t)slices;
}

static void watch_span_count(struct watch *v, const struct report_allocation *s,
                             int by)
{
    const struct topo_request *r = watch_request(v, s);
    const struct topo *t = v->w->topo;
    const struct topo_class *k = &t->klass[t->node_class[s->node]];

    for (uint32_t i = 0; i < TOPO_DEVICES_MAX; i++) {
        int64_t *share = &v->share[s->node * TOPO_DEVICES_MAX + i];

        if (!(s->devices >> i & 1))
            continue;
        if (r->mig) {
            watch_instance(v, s, k, i, by);
            continue;
        }
        FAULT(v, v->slices[s->node * TOPO_DEVICES_MAX + i] != 0
                     || (k->mig_only && (r->gpus || r->share)));
        *share += by * (int64_t)(r->share ? r->share : TOPO_SHARE_ONE);
        FAULT(v, i >= k->gpus || *share < 0 || *share > TOPO_SHARE_ONE);
        v->sharing[s->node * TOPO_DEVICES_MAX + i] += by * (r->share > 0);
        FAULT(v,
              k->gpu_tasks
                  && v->sharing[s->node * TOPO_DEVICES_MAX + i] > k->gpu_tasks);
    }
    if (r->gpus)
        FAULT(v,
              (uint32_t)__builtin_popcountll(s->devices) != r->gpus * s->tasks);
    for (uint32_t d = 0; d < t->dims->count; d++) {
        v->used[s->node][d] += by * r->amount[d] * s->tasks;
        FAULT(v, v->used[s->node][d] > k->capacity[d]);
    }
    v->placed[s->job] += (uint32_t)by * s->tasks;
    FAULT(v, v->placed[s->job] > v->w->work->job[s->job].tasks);
}

static void watch_placed(void *self, int64_t now,
                         const struct report_allocation *s)
{
    struct watch *v = self;

    FAULT(v, v->state[s->node] != REPORT_NODE_OPEN
                 || (s->devices & v->broken[s->node]));
    watch_span_count(v, s, 1);
    watch_mix(v, (uint64_t)now);
    watch_mix(v, (uint64_t)s->job << 32 | s->node);
    watch_mix(v, s->devices);
}

static void watch_released(void *self, int64_t now,
                           const struct report_allocation *s)
{
    watch_span_count(self, s, -1);
    watch_mix(self, (uint64_t)now);
}

void watch_node(void *self, int64_t now, const struct report_node *n)
{
    struct watch *v = self;

    watch_mix(v, (uint64_t)now);
    watch_mix(v, (uint64_t)n->node << 32 | n->device << 4 | n->state);
    if (n->device != UINT32_MAX) {
        const uint32_t at = n->node * TOPO_DEVICES_MAX + n->device;

        v->broken[n->node] ^= UINT64_C(1) << n->device;
        FAULT(v, v->share[at] || v->slices[at]);
        FAULT(v, (v->broken[n->node] >> n->device & 1)
                     != (n->state == REPORT_NODE_FAILED));
        return;
    }
    FAULT(v, v->state[n->node] == n->state);
    v->state[n->node] = n->state;
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        FAULT(v, n->state >= REPORT_NODE_FAILED && v->used[n->node][d] != 0);
}

static void watch_started(void *self, int64_t now, uint32_t job)
{
    ((struct watch *)self)->began[job] = now;
}

void watch_evicted(void *self, int64_t now, const struct report_eviction *e)
{
    struct watch *v = self;

    FAULT(v, e->lost_us < 0);
    if (!e->is_whole || v->began[e->job] < 0)
        return;
    v->ran[e->job] += now - v->began[e->job];
    v->done[e->job] += now - v->began[e->job] - e->lost_us;
    v->began[e->job] = -1;
    FAULT(v, !v->paced && v->done[e->job] < 0
                 && !v->w->work->job[e->job].aside->completions);
}

/* The waits of the job add up to the time in which it did not run. */
static void watch_waits_check(struct watch *v, int64_t now,
                              const struct report_job *j)
{
    const int64_t last = v->began[j->job] < 0 ? 0 : now - v->began[j->job];
    const int64_t ran = v->ran[j->job] + last;
    int64_t left = now - v->w->work->job[j->job].submit - j->held - ran;

    if (j->held == INT64_MAX) { /* it was never submitted */
        FAULT(v, j->waits || j->start >= 0 || j->ran);
        return;
    }
    FAULT(v, j->ran != ran || j->work < 0 || j->work > ran);
    FAULT(v, !v->paced && j->work != v->done[j->job] + last
                 && !v->w->work->job[j->job].aside->completions);
    FAULT(v, j->waits == NULL);
    for (uint32_t c = 0; j->waits && c < REPORT_CAUSES; c++) {
        left -= j->waits[c];
        FAULT(v, j->waits[c] < 0);
    }
    FAULT(v, left != 0);
}

void watch_ended(void *self, int64_t now, const struct report_job *j)
{
    struct watch *v = self;

    v->ends[j->job]++;
    watch_mix(v, (uint64_t)now);
    watch_mix(v, (uint64_t)j->job << 32 | j->state);
    if (v->w->work->job[j->job]
            .aside->withdraws) /* when it came to that, or before */
        FAULT(v, j->end >= 0 && j->state != REPORT_REJECTED
                     && j->end - v->w->work->job[j->job].submit - j->held
                            > v->w->work->job[j->job].duration);
    else if (j->state == REPORT_DONE
             && !v->w->work->job[j->job].aside->completions)
        FAULT(
            v,
            (!v->paced && j->end - j->start < v->w->work->job[j->job].duration)
                || (j->preemptions == 0 && !v->paced
                    && j->end - j->start != v->w->work->job[j->job].duration)
                || j->start < v->w->work->job[j->job].submit + j->held
                || (!v->paced
                    && v->done[j->job] + now - v->began[j->job]
                           != v->w->work->job[j->job].duration));
    watch_waits_check(v, now, j);
}

static void watch_instant(void *self, int64_t now,
                          const struct report_instant *i)
{
    struct watch *v = self;
    const struct topo_groups *g = topo_cluster_groups(i->cluster);
    const struct trace_workload *w = v->w->work;

    (void)now; /* it holds at any time */
    FAULT(v, !cluster_is_right(i->cluster));
    for (uint32_t n = 0; n < v->w->topo->node_count; n++) {
        const uint32_t group = topo_cluster_group_of(i->cluster, n);

        for (uint32_t d = 0; d < v->w->topo->dims->count; d++) {
            const int64_t out = d == TOPO_GPU
                                    ? TOPO_SHARE_ONE
                                          * __builtin_popcountll(v->broken[n])
                                    : 0;

            if (v->w->topo->model_dims >> d & 1)
                continue; /* cluster_is_right knows them */
            FAULT(v, v->state[n] == REPORT_NODE_OPEN
                         ? g->free[d][group] + v->used[n][d] + out
                               != g->capacity[d][group]
                         : g->free[d][group] != 0);
        }
    }
    for (uint32_t j = 0; v->gangs && j < w->job_count; j++)
        FAULT(v, v->placed[j] > 0 && v->placed[j] < w->job[j].gang);
    FAULT(v, v->gangs && i->partly > 0);
    if (++v->instants > WATCH_INSTANTS && v->stuck)
        v->stuck();
}

void watch_open(struct watch *v, const struct world *w,
                const struct gsched_profile *p)
{
    *v = (struct watch){ .w = w, .gangs = p->unit == GSCHED_UNIT_GANG };
    v->observer = (struct report_observer){ .self = v,
                                            .placed = watch_placed,
                                            .started = watch_started,
                                            .evicted = watch_evicted,
                                            .node = watch_node,
                                            .released = watch_released,
                                            .ended = watch_ended,
                                            .instant = watch_instant };
    v->placed = gs_array_new(w->work->job_count, sizeof(*v->placed));
    v->done = gs_arena_alloc(w->arena, w->work->job_count, sizeof(*v->done));
    v->ran = gs_arena_alloc(w->arena, w->work->job_count, sizeof(*v->ran));
    v->began = gs_arena_alloc(w->arena, w->work->job_count, sizeof(*v->began));
    for (uint32_t j = 0; j < w->work->job_count; j++)
        v->began[j] = -1;
    v->ends = gs_array_new(w->work->job_count, sizeof(*v->ends));
}

int watch_close(struct watch *v)
{
    for (uint32_t j = 0; j < v->w->work->job_count; j++)
        FAULT(v, v->ends[j] != (v->w->work->job[j].submit <= v->w->log->end));
    gs_array_free(v->placed);
    gs_array_free(v->ends);
    return v->faults;
}
