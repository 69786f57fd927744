/* traces/workload/quotas.c - quotas, and the sets of them that jobs count
 * against.
 */
#include <assert.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "traces/workload/by_name.h"
#include "traces/workload/quotas.h"
#include "traces/workload/workload.h"

uint32_t trace_quota_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->quotas->quota_by, w->quotas->quota_by_cap, name);
}

uint32_t trace_quota_put(struct trace_workload *w, uint32_t name)
{
    struct trace_quotas *all = w->quotas;
    const uint32_t found = trace_quota_find(w, name);
    struct trace_quota *q;

    assert(name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    all->quota = gs_array_grow(all->quota, &all->quota_cap,
                               all->quota_count + 1, sizeof(*all->quota));
    q = &all->quota[all->quota_count];
    *q = (struct trace_quota){ .name = name, .jobs = -1 };
    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        q->limit[d] = -1;
    trace_by_name_put(&all->quota_by, &all->quota_by_cap, name,
                      all->quota_count);
    return all->quota_count++;
}

struct sought_set {
    const struct trace_workload *w;
    const uint32_t *quota;
    uint32_t count;
};

static bool is_same(const void *of, uint32_t set)
{
    const struct sought_set *k = of;
    const struct trace_quota_set *s = &k->w->quotas->quota_set[set];

    return s->count == k->count
           && gs_array_same(k->w->quotas->quota_of + s->first, k->quota,
                            k->count, sizeof(*k->quota));
}

/* Sort by insertion; the number that is left. */
static uint32_t tidy(uint32_t *quota, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t q = quota[i];
        uint32_t at = n;

        while (at > 0 && quota[at - 1] > q)
            at--;
        if (at > 0 && quota[at - 1] == q)
            continue;
        for (uint32_t k = n++; k > at; k--)
            quota[k] = quota[k - 1];
        quota[at] = q;
    }
    return n;
}

uint32_t trace_quota_set_put(struct trace_workload *w, uint32_t *quota,
                             uint32_t count)
{
    struct trace_quotas *all = w->quotas;
    const struct sought_set k = { w, quota, tidy(quota, count) };
    uint64_t hash = k.count;
    uint32_t found;

    assert(count <= TRACE_QUOTAS_MAX);
    if (count == 0)
        return 0;
    for (uint32_t i = 0; i < k.count; i++)
        hash = gs_hash_mix(hash, quota[i]);
    if (!all->quota_index)
        all->quota_index = gs_array_new(1, sizeof(*all->quota_index));
    found = gs_hash_find(all->quota_index, hash, is_same, &k);
    if (found != GS_HASH_NONE)
        return found + 1;
    all->quota_of = gs_array_grow(all->quota_of, &all->quota_of_cap,
                                  all->quota_of_count + k.count,
                                  sizeof(*all->quota_of));
    for (uint32_t i = 0; i < k.count; i++)
        all->quota_of[all->quota_of_count + i] = quota[i];
    all->quota_set = gs_array_grow(all->quota_set, &all->quota_set_cap,
                                   all->quota_set_count + 1,
                                   sizeof(*all->quota_set));
    all->quota_set[all->quota_set_count] =
        (struct trace_quota_set){ all->quota_of_count, k.count };
    all->quota_of_count += k.count;
    gs_hash_put(all->quota_index, hash, all->quota_set_count);
    return ++all->quota_set_count;
}

void trace_quotas_free(struct trace_workload *w)
{
    struct trace_quotas *all = w->quotas;

    gs_array_free(all->quota);
    gs_array_free(all->quota_set);
    gs_array_free(all->quota_of);
    gs_array_free(all->quota_by);
    if (all->quota_index)
        gs_hash_free(all->quota_index);
    gs_array_free(all->quota_index);
}
