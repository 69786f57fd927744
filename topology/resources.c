/* topology/resources.c - dimensions, requests, see resources.h. */
#include "topology/resources.h"

#include <string.h>

#include "base/strtab.h"

void topo_dims_init(struct topo_dims *d, struct gs_strtab *names)
{
    static const char *const fixed[TOPO_DIMS_FIXED] = {
        [TOPO_CPU] = "cpu",   [TOPO_MEMORY] = "memory", [TOPO_RDMA] = "rdma",
        [TOPO_PODS] = "pods", [TOPO_GPU] = "gpu",
    };

    d->count = TOPO_DIMS_FIXED;
    for (uint32_t i = 0; i < TOPO_DIMS_FIXED; i++)
        d->name[i] = gs_strtab_put(names, fixed[i], strlen(fixed[i]));
}

int topo_dims_find(const struct topo_dims *d, uint32_t name)
{
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->name[i] == name)
            return (int)i;
    }
    return -1;
}

int topo_dims_put(struct topo_dims *d, uint32_t name)
{
    const int i = topo_dims_find(d, name);

    if (i >= 0)
        return i;
    if (d->count == TOPO_DIMS_MAX)
        return -1;
    d->name[d->count] = name;
    return (int)d->count++;
}

static bool same_labels(const struct topo_request *a,
                        const struct topo_request *b)
{
    for (uint32_t i = 0; i < a->selector_count; i++) {
        if (a->selector[i].key != b->selector[i].key
            || a->selector[i].value != b->selector[i].value)
            return false;
    }
    return true;
}

static bool same_tolerations(const struct topo_request *a,
                             const struct topo_request *b)
{
    for (uint32_t i = 0; i < a->toleration_count; i++) {
        if (a->toleration[i].key != b->toleration[i].key
            || a->toleration[i].value != b->toleration[i].value
            || a->toleration[i].effect != b->toleration[i].effect)
            return false;
    }
    return true;
}

static bool same_models(const struct topo_request *a,
                        const struct topo_request *b)
{
    for (uint32_t i = 0; i < a->model_count; i++) {
        if (a->model[i] != b->model[i])
            return false;
    }
    return true;
}

bool topo_request_equal(const struct topo_request *a,
                        const struct topo_request *b)
{
    return a->gpus == b->gpus && a->share == b->share
           && a->model_count == b->model_count
           && a->selector_count == b->selector_count
           && a->toleration_count == b->toleration_count
           && memcmp(a->amount, b->amount, sizeof(a->amount)) == 0
           && same_models(a, b) && same_labels(a, b) && same_tolerations(a, b);
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 29);
}

uint64_t topo_request_hash(const struct topo_request *r)
{
    uint64_t h = mix(r->gpus, r->share);

    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        h = mix(h, (uint64_t)r->amount[d]);
    for (uint32_t i = 0; i < r->model_count; i++)
        h = mix(h, r->model[i]);
    for (uint32_t i = 0; i < r->selector_count; i++)
        h = mix(mix(h, r->selector[i].key), r->selector[i].value);
    for (uint32_t i = 0; i < r->toleration_count; i++)
        h = mix(mix(h, r->toleration[i].key), r->toleration[i].value);
    return h;
}
