/* policies/state/fragmentation.c - what modules are told of devices and fragmentation. */
#include "policies/state/fragmentation.h"

#include "base/arena.h"
#include "base/array.h"
#include "policies/state/check.h"
#include "policies/state/module_calls.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"
#include "traces/workload/workload_mix.h"

#define UNKNOWN (-1)

/* The task mix, and the fragmentation of states under it. */
struct gsched_fragments {
    struct topo_mix *mix, *own_mix; /* own_mix: to be destroyed */
    int64_t *fragment;              /* [group] under the mix; -1: not known */
    uint32_t fragment_count, fragment_cap;
};

int gsched_mix_set(struct gsched *s, struct topo_mix *mix)
{
    if (!s)
        return -1;
    if (s->cycle)
        return gsched_refuse(s, "the task mix is set before the first cycle");
    topo_mix_destroy(s->fragments->own_mix);
    s->fragments->own_mix = NULL;
    s->fragments->mix = mix;
    s->fragments->fragment_count = 0;
    return 0;
}

void gsched_fragment_free(struct gsched *s)
{
    topo_mix_destroy(s->fragments->own_mix);
    gs_array_free(s->fragments->fragment);
}

void gsched_fragment_forget(struct gsched *s)
{
    s->fragments->fragment_count = 0; /* groups have other numbers now */
}

bool gsched_wants_whole_mix(const struct gsched *s)
{
    for (uint32_t i = 0; s && i < s->modules->module_count; i++) {
        if (s->modules->module[i].module->promises & GSP_WHOLE_MIX)
            return true;
    }
    return false;
}

/* The workload's own unless another was set. */
static struct topo_mix *mix_of(struct gsched *s)
{
    if (!s->fragments->mix)
        s->fragments->mix = s->fragments->own_mix = trace_mix_create(
            s->work, s->topo,
            gsched_wants_whole_mix(s) ? TRACE_MIX_WHOLE : TRACE_MIX_FULL);
    return s->fragments->mix;
}

static struct gsched *sched_of(void *ctx)
{
    return ((struct gsched_module *)ctx)->s;
}

uint32_t gsched_host_parts(const struct gsp_view *v, uint32_t i,
                           const uint16_t **left)
{
    struct topo_free f;

    topo_free_of(v->cluster, v->first + i, &f);
    *left = f.part;
    return f.part_count;
}

const uint8_t *gsched_host_kinds(const struct gsp_view *v)
{
    return v->groups->kinds + v->first;
}

int64_t gsched_host_mix_weight(void *ctx)
{
    return topo_mix_weight(mix_of(sched_of(ctx)));
}

uint32_t gsched_host_mix_kinds(void *ctx)
{
    return topo_mix_kinds(mix_of(sched_of(ctx)));
}

const struct gsp_task *gsched_host_mix_kind(void *ctx, uint32_t kind,
                                            int64_t *weight)
{
    const struct topo_mix_kind *k = topo_mix_kind_at(mix_of(sched_of(ctx)),
                                                     kind);

    *weight = k->weight;
    return (const struct gsp_task *)(const void *)&k->request;
}

bool gsched_host_mix_suits(void *ctx, uint32_t kind, uint32_t klass)
{
    struct gsched *s = sched_of(ctx);

    return topo_class_misfit(s->topo, klass,
                             &topo_mix_kind_at(mix_of(s), kind)->request)
           == TOPO_FITS;
}

uint32_t gsched_host_classes(void *ctx)
{
    return sched_of(ctx)->topo->class_count;
}

int64_t gsched_host_class_gpus(void *ctx, uint32_t klass)
{
    const struct topo *t = sched_of(ctx)->topo;
    int64_t nodes = 0;

    for (uint32_t n = 0; n < t->node_count; n++)
        nodes += t->node_class[n] == klass;
    return nodes * t->klass[klass].capacity[TOPO_GPU];
}

const uint32_t *gsched_host_klass(const struct gsp_view *v)
{
    return v->groups->klass + v->first;
}

/* A state is looked at by every kind of task: what came of it is kept. */
int64_t gsched_host_fragment(void *ctx, const struct gsp_view *v, uint32_t i)
{
    struct gsched *s = sched_of(ctx);
    const uint32_t group = v->first + i;

    if (group >= s->fragments->fragment_count) {
        const uint32_t n = v->groups->count;

        s->fragments->fragment = gs_array_grow(s->fragments->fragment,
                                               &s->fragments->fragment_cap, n,
                                               sizeof(*s->fragments->fragment));
        for (uint32_t k = s->fragments->fragment_count; k < n; k++)
            s->fragments->fragment[k] = UNKNOWN;
        s->fragments->fragment_count = n;
    }
    if (s->fragments->fragment[group] == UNKNOWN) {
        struct topo_free f;

        topo_free_of(v->cluster, group, &f);
        s->fragments->fragment[group] = topo_mix_fragment(mix_of(s), &f);
    }
    return s->fragments->fragment[group];
}

int64_t gsched_host_fragment_with(void *ctx, const struct gsp_view *v,
                                  uint32_t i, const struct gsp_task *t,
                                  uint32_t left)
{
    struct topo_free f;

    topo_free_of(v->cluster, v->first + i, &f);
    return topo_mix_fragment_with(mix_of(sched_of(ctx)), &f, &t->request, left);
}

void gsched_fragment_open(struct gsched *s)
{
    s->fragments = gs_arena_alloc(s->arena, 1, sizeof(*s->fragments));
}
