/* topology/devices.c - devices of a node: whole, shared or cut into instances.
 *
 * A device that is cut into instances has no share left, and one that is shared
 * cannot be cut; a wholly free device serves any kind of task.
 */
#include "topology/cluster_private.h"

#include <assert.h>

#include "topology/mig.h"

uint64_t topo_lowest_bits(uint64_t set, uint32_t n)
{
    uint64_t out = 0;

    assert(n <= TOPO_DEVICES_MAX);
    while (n--) {
        out |= set & (~set + 1);
        set &= set - 1;
    }
    return out;
}

static uint32_t bit_index(uint64_t one)
{
    assert(one != 0);
    return (uint32_t)__builtin_ctzll(one);
}

/* --- what is left --------------------------------------------------------- */

/* Thousandths of a device that shares may still take. */
static uint16_t left_of(const struct topo_cluster *c,
                        const struct topo_class *k, uint32_t device)
{
    assert(!k->gpu_tasks || c->tasks[device] <= k->gpu_tasks);
    assert(c->share[device] <= TOPO_SHARE_ONE);
    return k->gpu_tasks && c->tasks[device] == k->gpu_tasks ? 0
                                                            : c->share[device];
}

void topo_node_shares(const struct topo_cluster *c, uint32_t node,
                      uint16_t *left)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[node]];

    assert(node < c->topo->node_count && left);
    for (uint32_t i = 0; i < k->gpus; i++)
        left[i] = left_of(c, k, c->first_device[node] + i);
}

/* The entry of a device in part[] of the state; 0: none, the device is free or
 * full.
 */
static uint16_t part_of(const struct topo_cluster *c,
                        const struct topo_class *k, uint32_t device)
{
    const uint16_t share = left_of(c, k, device);
    const uint8_t taken = k->mig ? c->cut[device].taken : 0;

    if (taken && topo_mig_choices(k->mig, taken))
        return (uint16_t)(TOPO_PART_CUT + taken);
    return share == TOPO_SHARE_ONE ? 0 : share;
}

void topo_devices_state(const struct topo_cluster *c, uint32_t node,
                        struct topo_state *s)
{
    const struct topo_class *k = &c->topo->klass[s->klass];

    assert(s->klass == c->topo->node_class[node]);
    s->part_count = 0;
    for (uint32_t i = 0; i < k->gpus; i++) {
        const uint32_t device = c->first_device[node] + i;
        const uint16_t part = part_of(c, k, device);
        const uint8_t room = k->gpu_tasks
                                 ? (uint8_t)(k->gpu_tasks - c->tasks[device])
                                 : 0;
        uint32_t at = s->part_count;

        if (part == 0)
            continue;
        for (; at > 0
               && (s->part[at - 1] > part
                   || (s->part[at - 1] == part && s->room[at - 1] > room));
             at--) {
            s->part[at] = s->part[at - 1];
            s->room[at] = s->room[at - 1];
        }
        s->part[at] = part;
        s->room[at] = room;
        s->part_count++;
        assert(s->part_count <= k->gpus);
    }
}

/* --- changing ------------------------------------------------------------- */

/* Take whole devices, or give them back. */
static void whole_move(struct topo_cluster *c, uint32_t node, uint64_t devices,
                       bool take)
{
    uint16_t *share = c->share + c->first_device[node];

    assert(take ? (devices & ~c->gpus_free[node]) == 0
                : (devices & c->gpus_free[node]) == 0);
    c->gpus_free[node] ^= devices;
    for (; devices; devices &= devices - 1)
        share[bit_index(devices)] = take ? 0 : TOPO_SHARE_ONE;
}

static void share_move(struct topo_cluster *c, uint32_t node, uint64_t device,
                       uint32_t amount, bool take)
{
    const uint32_t at = c->first_device[node] + bit_index(device);
    uint16_t *share = c->share + at;

    assert((device & (device - 1)) == 0); /* a single device */
    assert(amount > 0 && amount < TOPO_SHARE_ONE);
    assert(take ? *share >= amount : *share + amount <= TOPO_SHARE_ONE);
    assert(take || !c->tasks || c->tasks[at] > 0
           || !c->topo->klass[c->topo->node_class[node]].gpu_tasks);
    *share = (uint16_t)(take ? *share - amount : *share + amount);
    if (c->topo->klass[c->topo->node_class[node]].gpu_tasks)
        c->tasks[at] = (uint8_t)(take ? c->tasks[at] + 1 : c->tasks[at] - 1);
    if (*share == TOPO_SHARE_ONE)
        c->gpus_free[node] |= device;
    else
        c->gpus_free[node] &= ~device;
}

static const struct topo_mig_profile *profile_of(const struct topo_cluster *c,
                                                 uint32_t node,
                                                 const struct topo_request *r)
{
    return topo_mig_profile(c->topo->klass[c->topo->node_class[node]].mig,
                            r->mig);
}

static void instance_move(struct topo_cluster *c, const struct topo_grant *g,
                          const struct topo_request *r, bool take)
{
    const uint32_t device = c->first_device[g->node] + bit_index(g->devices);
    const uint8_t slices = topo_mig_slices(profile_of(c, g->node, r), g->slice);
    const uint32_t milli = topo_mig_kind_milli(r->mig);
    struct topo_cut *cut = &c->cut[device];

    assert(slices
           && (take ? (cut->taken & slices) == 0
                    : (cut->taken & slices) == slices));
    assert(take ? cut->milli + milli <= TOPO_SHARE_ONE : cut->milli >= milli);
    cut->taken ^= slices;
    cut->milli = (uint16_t)(take ? cut->milli + milli : cut->milli - milli);
    assert((cut->taken == 0) == (cut->milli == 0));
    c->share[device] = cut->taken ? 0 : TOPO_SHARE_ONE;
    if (cut->taken)
        c->gpus_free[g->node] &= ~g->devices;
    else
        c->gpus_free[g->node] |= g->devices;
}

void topo_devices_move(struct topo_cluster *c, const struct topo_grant *g,
                       const struct topo_request *r, bool take)
{
    assert(g->node < c->topo->node_count);
    assert((r->gpus > 0) + (r->share > 0) + (r->mig > 0) <= 1);
    assert(!r->gpus
           || (uint64_t)__builtin_popcountll(g->devices)
                  == (uint64_t)r->gpus * g->tasks);
    if (r->gpus)
        whole_move(c, g->node, g->devices, take);
    else if (r->share)
        share_move(c, g->node, g->devices, r->share, take);
    else if (r->mig)
        instance_move(c, g, r, take);
}

/* --- asking --------------------------------------------------------------- */

bool topo_device_is_free(const struct topo_cluster *c, uint32_t node,
                         uint32_t device)
{
    assert(node < c->topo->node_count);
    assert(device < TOPO_DEVICES_MAX);
    return c->gpus_free[node] >> device & 1;
}

static bool whole_are_free(const struct topo_cluster *c,
                           const struct topo_request *r,
                           const struct topo_grant *g)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[g->node]];

    return (uint64_t)__builtin_popcountll(g->devices)
               == (uint64_t)r->gpus * g->tasks
           && (g->devices & ~(c->gpus_free[g->node] & topo_class_devices(k, r)))
                  == 0;
}

static bool instance_is_free(const struct topo_cluster *c, uint32_t at,
                             const struct topo_request *r,
                             const struct topo_grant *g)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[g->node]];
    const struct topo_mig_profile *p = k->mig ? topo_mig_profile(k->mig, r->mig)
                                              : NULL;
    const uint8_t taken = k->mig ? c->cut[at].taken : 0;

    return p && g->slice < TOPO_MIG_MEMORY
           && (topo_mig_starts(p, taken) >> g->slice & 1)
           && (taken || c->share[at] == TOPO_SHARE_ONE);
}

static bool devices_are_free(const struct topo_cluster *c,
                             const struct topo_request *r,
                             const struct topo_grant *g)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[g->node]];
    uint32_t at;

    if (k->gpus < TOPO_DEVICES_MAX && g->devices >> k->gpus)
        return false;
    if (!topo_request_is_part(r))
        return whole_are_free(c, r, g);
    if (g->tasks != 1 || __builtin_popcountll(g->devices) != 1)
        return false;
    at = c->first_device[g->node] + bit_index(g->devices);
    return r->share ? left_of(c, k, at) >= r->share
                    : instance_is_free(c, at, r, g);
}

bool topo_cluster_could_take(const struct topo_cluster *c,
                             const struct topo_request *r,
                             const struct topo_grant *g)
{
    const bool is_closed = topo_cluster_is_cordoned(c, g->node);

    assert(g->node < c->topo->node_count);
    for (uint32_t d = 0; d < c->topo->dims->count; d++) {
        const int64_t free = is_closed
                                 ? c->kept[(size_t)g->node * TOPO_DIMS_MAX + d]
                                 : c->groups.free[d][c->node_group[g->node]];
        int64_t asked;

        if (__builtin_mul_overflow(r->amount[d], g->tasks, &asked)
            || asked > free)
            return false;
    }
    return devices_are_free(c, r, g);
}

/* --- choosing ------------------------------------------------------------- */

/* The fullest device with room for `share`, the lowest of equals. */
static uint32_t tightest_device(const struct topo_cluster *c, uint32_t node,
                                uint32_t share)
{
    const uint32_t gpus = c->topo->klass[c->topo->node_class[node]].gpus;
    uint16_t left[TOPO_DEVICES_MAX];
    uint32_t best = 0;

    assert(share > 0 && share < TOPO_SHARE_ONE && gpus > 0);
    topo_node_shares(c, node, left);
    for (uint32_t i = 1; i < gpus; i++) {
        if (left[i] >= share && (left[best] < share || left[i] < left[best]))
            best = i;
    }
    assert(left[best] >= share);
    return best;
}

/* Choose the place of an instance on `device`, or with UINT32_MAX on the best
 * device.
 */
static void instance_seat(const struct topo_cluster *c, struct topo_grant *g,
                          const struct topo_request *r, uint32_t device)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[g->node]];
    const struct topo_mig_profile *p = topo_mig_profile(k->mig, r->mig);
    const struct topo_cut *cut = c->cut + c->first_device[g->node];
    uint8_t taken[TOPO_DEVICES_MAX];

    assert(k->mig && p && c->cut);
    for (uint32_t i = 0; i < k->gpus; i++) /* all other devices are taken */
        taken[i] = cut[i].taken ? cut[i].taken : UINT8_MAX;
    if (device == UINT32_MAX)
        device = topo_mig_tightest(k->mig, p, taken, k->gpus);
    if (device == k->gpus)
        device = bit_index(c->gpus_free[g->node]);
    assert(device < k->gpus && topo_mig_starts(p, cut[device].taken));
    g->opens = cut[device].taken == 0;
    g->devices = UINT64_C(1) << device;
    g->slice = (uint8_t)topo_mig_start(k->mig, p, cut[device].taken);
}

void topo_devices_choose(const struct topo_cluster *c, struct topo_grant *g,
                         const struct topo_request *r, uint32_t device)
{
    const struct topo_class *k = &c->topo->klass[c->topo->node_class[g->node]];

    assert((uint64_t)g->tasks * r->gpus <= TOPO_DEVICES_MAX);
    assert(g->devices == 0);
    if (r->gpus)
        g->devices = topo_lowest_bits(c->gpus_free[g->node]
                                          & topo_class_devices(k, r),
                                      g->tasks * r->gpus);
    else if (r->share)
        g->devices = UINT64_C(1) << (device == UINT32_MAX
                                         ? tightest_device(c, g->node, r->share)
                                         : device);
    else if (r->mig)
        instance_seat(c, g, r, device);
}
