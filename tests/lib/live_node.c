/* tests/lib/live_node.c - a node: binds pods to its devices, unbinds them, and
 * refuses invalid requests.
 */
#include "tests/lib/live_host.h"

/* The lowest devices of `from`, `n` of them. */
static uint64_t lowest(uint64_t from, uint32_t n)
{
    uint64_t out = 0;

    for (; n && from; n--) {
        out |= from & -from;
        from &= from - 1;
    }
    return out;
}

static uint32_t part(const struct topo_request *r)
{
    return r->share ? r->share : TOPO_SHARE_ONE;
}

static void device_take(struct live *l, struct live_node *n, uint32_t i,
                        uint32_t milli)
{
    if (i >= n->gpus)
        live_fault(l, "no such device", n->name);
    else if (n->taken[i] + milli > TOPO_SHARE_ONE)
        live_fault(l, "a device is given twice", n->name);
    n->taken[i] += milli;
}

static void pod_bind(struct live *l, struct live_node *n,
                     const struct topo_request *r, struct live_pod *p,
                     uint64_t devices)
{
    if (p->node)
        live_fault(l, "a pod is bound twice", n->name);
    p->node = n;
    p->devices = devices;
    for (uint32_t i = 0; i < TOPO_DEVICES_MAX; i++) {
        if (devices >> i & 1)
            device_take(l, n, i, part(r));
    }
    for (uint32_t d = 0; d < l->dims.count; d++) {
        n->used[d] += r->amount[d];
        if (r->amount[d] && n->used[d] > n->capacity[d])
            live_fault(l, "more is taken than there is", n->name);
    }
}

static void pod_unbind(struct live *l, struct live_node *n,
                       const struct topo_request *r, struct live_pod *p)
{
    if (p->node != n) {
        live_fault(l, "a pod is not there", n->name);
        return;
    }
    for (uint32_t i = 0; i < TOPO_DEVICES_MAX; i++) {
        if (p->devices >> i & 1)
            n->taken[i] -= part(r);
    }
    for (uint32_t d = 0; d < l->dims.count; d++)
        n->used[d] -= r->amount[d];
    *p = (struct live_pod){ 0 };
}

void live_bind(struct live *l, struct live_node *n,
               const struct topo_request *r, struct live_pod *pod,
               uint32_t pods, uint64_t devices)
{
    const uint32_t each = r->share ? 1 : r->gpus;

    if ((uint32_t)__builtin_popcountll(devices) != each * pods)
        live_fault(l, "devices more or less than asked for", n->name);
    for (uint32_t i = 0; i < pods; i++) {
        const uint64_t mine = lowest(devices, each);

        devices &= ~mine;
        pod_bind(l, n, r, &pod[i], mine);
    }
}

void live_unbind(struct live *l, struct live_node *n,
                 const struct topo_request *r, struct live_pod *pod,
                 uint32_t pods, uint64_t devices)
{
    uint64_t held = 0;

    for (uint32_t i = 0; i < pods; i++) {
        held |= pod[i].devices;
        pod_unbind(l, n, r, &pod[i]);
    }
    if (held != devices)
        live_fault(l, "devices are given back that were not held", n->name);
}
