/* policies/fragment.c - what modules are told of devices and fragmentation. */
#include "policies/fragment.h"

#include "base/array.h"
#include "topology/cluster.h"
#include "topology/mix.h"
#include "traces/mix.h"

#define UNKNOWN (-1)

void gsched_mix_set(struct gsched *s, struct topo_mix *mix)
{
    topo_mix_destroy(s->own_mix);
    s->own_mix = NULL;
    s->mix = mix;
    s->fragment_count = 0;
}

void gsched_fragment_free(struct gsched *s)
{
    topo_mix_destroy(s->own_mix);
    gs_array_free(s->fragment);
}

void gsched_fragment_forget(struct gsched *s)
{
    s->fragment_count = 0; /* groups have other numbers now */
}

/* The workload's own unless another was set. */
static struct topo_mix *mix_of(struct gsched *s)
{
    if (!s->mix)
        s->mix = s->own_mix = trace_mix_create(s->work, s->topo,
                                               TRACE_MIX_FULL);
    return s->mix;
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

/* A state is looked at by every kind of task: what came of it is kept. */
int64_t gsched_host_fragment(void *ctx, const struct gsp_view *v, uint32_t i)
{
    struct gsched *s = sched_of(ctx);
    const uint32_t group = v->first + i;

    if (group >= s->fragment_count) {
        const uint32_t n = v->groups->count;

        s->fragment = gs_array_grow(s->fragment, &s->fragment_cap, n,
                                    sizeof(*s->fragment));
        for (uint32_t k = s->fragment_count; k < n; k++)
            s->fragment[k] = UNKNOWN;
        s->fragment_count = n;
    }
    if (s->fragment[group] == UNKNOWN) {
        struct topo_free f;

        topo_free_of(v->cluster, group, &f);
        s->fragment[group] = topo_mix_fragment(mix_of(s), &f);
    }
    return s->fragment[group];
}

int64_t gsched_host_fragment_with(void *ctx, const struct gsp_view *v,
                                  uint32_t i, const struct gsp_task *t,
                                  uint32_t left)
{
    struct topo_free f;

    topo_free_of(v->cluster, v->first + i, &f);
    return topo_mix_fragment_with(mix_of(sched_of(ctx)), &f, &t->request, left);
}
