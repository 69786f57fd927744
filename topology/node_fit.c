/* topology/node_fit.c - which tasks a node can hold. */
#include "base/strtab.h"

#include <assert.h>

#include "topology/cluster.h"
#include "topology/groups_private.h"
#include "topology/mig.h"
#include "topology/topology.h"

#define FITS_MAX 1000000u /* tasks that ask for nothing */

static bool model_matches(const struct topo_class *k,
                          const struct topo_request *r)
{
    return k->model_count ? topo_class_devices(k, r) != 0
                          : topo_request_takes(r, k->model);
}

static const struct topo_label *label_find(const struct topo_class *k,
                                           uint32_t key)
{
    for (uint32_t i = 0; i < k->label_count; i++) {
        if (k->label[i].key == key)
            return &k->label[i];
    }
    return NULL;
}

static bool is_in(const struct topo_condition *c, const struct topo_label *l)
{
    for (uint32_t i = 0; l && i < c->value_count; i++) {
        if (c->value[i] == l->value)
            return true;
    }
    return false;
}

static bool has_number(const struct topo *t, const struct topo_label *l,
                       int64_t *n)
{
    return l && topo_label_number(gs_strtab_str(t->names, l->value), n);
}

static bool holds(const struct topo *t, const struct topo_class *k,
                  const struct topo_condition *c)
{
    const struct topo_label *l = label_find(k, c->key);
    int64_t n = 0;

    switch (c->op) {
    case TOPO_IN:
        return is_in(c, l);
    case TOPO_NOT_IN:
        return !is_in(c, l);
    case TOPO_EXISTS:
        return l;
    case TOPO_ABSENT:
        return !l;
    case TOPO_GT:
        return has_number(t, l, &n) && n > c->number;
    case TOPO_LT:
        return has_number(t, l, &n) && n < c->number;
    }
    return false;
}

static bool tolerates(const struct topo_taint *toleration, uint32_t count,
                      const struct topo_taint *taint)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct topo_taint *t = &toleration[i];

        if ((t->key == 0 || t->key == taint->key)
            && (t->value == 0 || t->value == taint->value
                || (t->value == TOPO_NO_VALUE && taint->value == 0))
            && (t->effect == TOPO_ANY_EFFECT || t->effect == taint->effect))
            return true;
    }
    return false;
}

/* Devices of an empty node that the task may use. */
static uint32_t models_gpus(const struct topo_class *k,
                            const struct topo_request *r)
{
    return k->model_count
               ? (uint32_t)__builtin_popcountll(topo_class_devices(k, r))
               : k->gpus;
}

static bool is_large_enough(const struct topo *t, const struct topo_class *k,
                            const struct topo_request *r)
{
    for (uint32_t d = 0; d < t->dims->count; d++) {
        if (d != TOPO_GPU && r->amount[d] > k->capacity[d])
            return false;
    }
    if (r->device_memory && r->device_memory != k->gpu_memory)
        return false;
    if (r->mig)
        return k->gpus > 0 && k->mig && topo_mig_profile(k->mig, r->mig);
    return r->gpus <= models_gpus(k, r) && (r->share == 0 || k->gpus > 0)
           && !(k->mig_only && (r->gpus || r->share));
}

/* The smallest share of `size` bytes that has `asked` of them. */
static uint32_t thousandths(int64_t asked, int64_t size)
{
    const int64_t step = size / TOPO_SHARE_ONE, rest = size % TOPO_SHARE_ONE;
    uint32_t low = 1, high = TOPO_SHARE_ONE;

    while (low < high) { /* n thousandths are step x n + rest x n / 1000
                            bytes */
        const uint32_t n = (low + high) / 2;

        if (step * n + rest * n / TOPO_SHARE_ONE >= asked)
            high = n;
        else
            low = n + 1;
    }
    return low;
}

int topo_request_resolve(const struct topo *t, struct topo_request *r,
                         int64_t *other)
{
    const int64_t asked = r->share_memory;
    int64_t size = 0;

    assert(t && r && other);
    assert(r->share_memory >= 0);
    topo_models_ask(t, r);
    if (asked == 0)
        return 0;
    for (uint32_t i = 0; i < t->class_count; i++) {
        const struct topo_class *k = &t->klass[i];

        if (k->gpus == 0 || k->gpu_memory < asked || k->mig_only
            || topo_class_misfit(t, i, r) != TOPO_FITS)
            continue;
        if (size && k->gpu_memory != size) {
            *other = k->gpu_memory;
            r->device_memory = size;
            return -1;
        }
        size = k->gpu_memory;
    }
    if (size == 0) { /* no node suits it */
        r->device_memory = INT64_MAX;
        r->share = TOPO_SHARE_ONE - 1;
    } else {
        r->device_memory = size;
        r->share = thousandths(asked, size);
    }
    r->amount[TOPO_GPU] = r->share;
    if (r->share == TOPO_SHARE_ONE) {
        r->gpus = 1;
        r->share = 0;
        r->share_memory = 0;
    }
    return 0;
}

/* Number of instances that fit on a device whose slices `taken` are taken; 0
 * when it cannot be cut so.
 */
static uint32_t instances_fit(const struct topo_class *k,
                              const struct topo_request *r, uint8_t taken)
{
    const struct topo_mig_profile *p = k->mig ? topo_mig_profile(k->mig, r->mig)
                                              : NULL;

    assert(r->mig > 0);
    return p ? (uint32_t)__builtin_popcount(topo_mig_starts(p, taken)) : 0;
}

bool topo_class_is_tolerated(const struct topo *t, uint32_t klass,
                             const struct topo_request *r)
{
    const struct topo_class *k = &t->klass[klass];

    for (uint32_t i = 0; i < k->taint_count; i++) {
        if (k->taint[i].effect != TOPO_PREFER_NO_SCHEDULE
            && !tolerates(r->toleration, r->toleration_count, &k->taint[i]))
            return false;
    }
    return true;
}

bool topo_class_has_label(const struct topo *t, uint32_t klass,
                          const struct topo_label *label)
{
    const struct topo_label *l = label_find(&t->klass[klass], label->key);

    return l && l->value == label->value;
}

bool topo_request_allows(const struct topo *t, const struct topo_request *r,
                         const struct topo_label *label, uint32_t labels)
{
    const struct topo_class k = { .label = label, .label_count = labels };

    for (uint32_t i = 0; i < r->selector_count; i++) {
        if (label_find(&k, r->selector[i].key)
            && !holds(t, &k, &r->selector[i]))
            return false;
    }
    return true;
}

bool topo_request_tolerates(const struct topo_request *r,
                            const struct topo_taint *taint, uint32_t taints,
                            const struct topo_taint *toleration,
                            uint32_t tolerations)
{
    const uint32_t own = r->toleration_count - r->lent_tolerations;

    for (uint32_t i = 0; i < taints; i++) {
        if (taint[i].effect != TOPO_PREFER_NO_SCHEDULE
            && !tolerates(r->toleration, own, &taint[i])
            && !tolerates(toleration, tolerations, &taint[i]))
            return false;
    }
    return true;
}

enum topo_misfit topo_class_misfit(const struct topo *t, uint32_t klass,
                                   const struct topo_request *r)
{
    const struct topo_class *k = &t->klass[klass];

    assert(klass < t->class_count && r);
    if (!model_matches(k, r))
        return TOPO_NO_MODEL;
    for (uint32_t i = 0; i < r->selector_count; i++) {
        if (!holds(t, k, &r->selector[i]))
            return TOPO_NO_LABEL;
    }
    if (!topo_class_is_tolerated(t, klass, r))
        return TOPO_TAINTED;
    return is_large_enough(t, k, r) ? TOPO_FITS : TOPO_TOO_SMALL;
}

uint32_t topo_class_taints(const struct topo *t, uint32_t klass,
                           const struct topo_request *r)
{
    const struct topo_class *k = &t->klass[klass];
    uint32_t n = 0;

    assert(klass < t->class_count && r);
    for (uint32_t i = 0; i < k->taint_count; i++)
        n += k->taint[i].effect == TOPO_PREFER_NO_SCHEDULE
             && !tolerates(r->toleration, r->toleration_count, &k->taint[i]);
    return n;
}

uint32_t topo_class_points(const struct topo *t, uint32_t klass,
                           const struct topo_request *r)
{
    const struct topo_class *k = &t->klass[klass];
    uint32_t points = 0;

    assert(klass < t->class_count && r);
    for (uint32_t i = 0; i < r->preference_count; i++) {
        const struct topo_preference *p = &r->preference[i];
        bool all = p->condition_count > 0;

        for (uint32_t c = 0; c < p->condition_count && all; c++)
            all = holds(t, k, &p->condition[c]);
        points += all ? p->weight : 0;
    }
    return points;
}

/* How many fit by all amounts except GPUs, at most `n`. */
static uint32_t amounts_fit(const struct topo_dims *dims,
                            const int64_t *const *column, uint32_t at,
                            const struct topo_request *r, uint64_t n)
{
    for (uint32_t d = 0; n && d < dims->count; d++) {
        if (d != TOPO_GPU && r->amount[d] > 0) {
            const uint64_t m = (uint64_t)column[d][at] / (uint64_t)r->amount[d];

            n = m < n ? m : n;
        }
    }
    return (uint32_t)n;
}

/* Number of shares that fit on a wholly free device. */
static uint32_t device_fits(const struct topo_class *k, uint32_t share)
{
    const uint32_t n = TOPO_SHARE_ONE / share;

    assert(share > 0 && share < TOPO_SHARE_ONE);
    return k->gpu_tasks && k->gpu_tasks < n ? k->gpu_tasks : n;
}

uint32_t topo_class_fit(const struct topo *t, uint32_t klass,
                        const struct topo_request *r)
{
    const struct topo_class *k = &t->klass[klass];
    const int64_t *column[TOPO_DIMS_MAX];
    uint64_t n = FITS_MAX;

    assert(klass < t->class_count);
    if (topo_class_misfit(t, klass, r) != TOPO_FITS)
        return 0;
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++)
        column[d] = &k->capacity[d];
    if (r->gpus)
        n = models_gpus(k, r) / r->gpus;
    else if (r->share)
        n = (uint64_t)k->gpus * device_fits(k, r->share);
    else if (r->mig)
        n = (uint64_t)k->gpus * instances_fit(k, r, 0);
    return amounts_fit(t->dims, column, 0, r, n);
}

/* Wholly free devices that the task may use. */
static uint32_t models_free(const struct topo_group_table *t, uint32_t group,
                            const struct topo_request *r)
{
    const struct topo_class *k = &t->topo->klass[t->klass[group]];
    int64_t milli = 0;

    if (r->model_count == 0 || k->model_count == 0)
        return t->gpus_free[group];
    for (uint32_t i = 0; i < k->model_count; i++) {
        if (topo_request_takes(r, k->models[i].name))
            milli += t->free[k->models[i].dim][group];
    }
    return (uint32_t)(milli / TOPO_SHARE_ONE);
}

static uint64_t shares_fit(const struct topo_group_table *t, uint32_t group,
                           uint32_t share)
{
    const struct topo_class *k = &t->topo->klass[t->klass[group]];
    const uint16_t *part = t->part + t->part_at[group];
    const uint8_t *room = t->room + t->part_at[group];
    uint64_t n = (uint64_t)t->gpus_free[group] * device_fits(k, share);

    for (uint32_t i = topo_groups_shares(t, group); i-- > 0;) {
        const uint32_t fit = part[i] / share;

        n += k->gpu_tasks && room[i] < fit ? room[i] : fit;
    }
    return n;
}

static uint64_t cuts_fit(const struct topo_group_table *t, uint32_t group,
                         const struct topo_request *r)
{
    const struct topo_class *k = &t->topo->klass[t->klass[group]];
    const uint16_t *part = t->part + t->part_at[group];
    uint64_t n = (uint64_t)t->gpus_free[group] * instances_fit(k, r, 0);

    for (uint32_t i = t->part_count[group]; i-- && part[i] > TOPO_PART_CUT;)
        n += instances_fit(k, r, (uint8_t)(part[i] - TOPO_PART_CUT));
    return n;
}

uint32_t topo_groups_fit(const struct topo_group_table *t, uint32_t group,
                         const struct topo_request *r)
{
    uint64_t n = FITS_MAX;

    assert(group < t->view.count);
    if (t->kinds[group] & TOPO_CLOSED)
        return 0;
    if (r->gpus)
        n = models_free(t, group, r) / r->gpus;
    else if (r->share)
        n = shares_fit(t, group, r->share);
    else if (r->mig)
        n = cuts_fit(t, group, r);
    return amounts_fit(t->topo->dims, t->view.free, group, r, n);
}
