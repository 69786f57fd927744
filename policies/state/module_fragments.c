/* policies/state/module_fragments.c - the services about devices and
 * fragmentation.
 */
#include "policies/state/fragmentation.h"
#include "policies/state/module_calls.h"
#include "policies/state/module_services.h"
#include "topology/cluster.h"
#include "topology/task_mix.h"

uint32_t gsched_host_parts(const struct gsp_view *v, uint32_t i,
                           const uint16_t **left)
{
    struct topo_free f;

    topo_free_of(v->of->cluster, v->first + i, &f);
    *left = f.part;
    return f.part_count;
}

int64_t gsched_host_mix_weight(void *ctx)
{
    return topo_mix_weight(gsched_mix_of(gsched_of_module(ctx)));
}

uint32_t gsched_host_mix_kinds(void *ctx)
{
    return topo_mix_kinds(gsched_mix_of(gsched_of_module(ctx)));
}

const struct gsp_task *gsched_host_mix_kind(void *ctx, uint32_t kind,
                                            int64_t *weight)
{
    const struct topo_mix_kind *k = topo_mix_kind_at(
        gsched_mix_of(gsched_of_module(ctx)), kind);

    *weight = k->weight;
    return (const struct gsp_task *)(const void *)&k->request;
}

bool gsched_host_mix_suits(void *ctx, uint32_t kind, uint32_t klass)
{
    struct gsched *s = gsched_of_module(ctx);

    return topo_class_misfit(s->topo, klass,
                             &topo_mix_kind_at(gsched_mix_of(s), kind)->request)
           == TOPO_FITS;
}

uint32_t gsched_host_classes(void *ctx)
{
    return gsched_of_module(ctx)->topo->class_count;
}

int64_t gsched_host_class_gpus(void *ctx, uint32_t klass)
{
    const struct topo *t = gsched_of_module(ctx)->topo;
    int64_t nodes = 0;

    for (uint32_t n = 0; n < t->node_count; n++)
        nodes += t->node_class[n] == klass;
    return nodes * t->klass[klass].capacity[TOPO_GPU];
}

int64_t gsched_host_fragment(void *ctx, const struct gsp_view *v, uint32_t i)
{
    return gsched_fragment_of(gsched_of_module(ctx), v->first + i);
}

int64_t gsched_host_fragment_with(void *ctx, const struct gsp_view *v,
                                  uint32_t i, const struct gsp_task *t,
                                  uint32_t left)
{
    struct topo_free f;

    topo_free_of(v->of->cluster, v->first + i, &f);
    return topo_mix_fragment_with(gsched_mix_of(gsched_of_module(ctx)), &f,
                                  &t->request, left);
}
