/* traces/workload/quotas.c - quotas, and the sets of them that jobs count
 * against.
 */
#include <assert.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "traces/workload/by_name.h"
#include "traces/workload/workload.h"

uint32_t trace_quota_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->quota_by, w->quota_by_cap, name);
}

uint32_t trace_quota_put(struct trace_workload *w, uint32_t name)
{
    const uint32_t found = trace_quota_find(w, name);
    struct trace_quota *q;

    assert(name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    w->quota = gs_array_grow(w->quota, &w->quota_cap, w->quota_count + 1,
                             sizeof(*w->quota));
    q = &w->quota[w->quota_count];
    *q = (struct trace_quota){ .name = name, .jobs = -1 };
    for (int d = 0; d < TOPO_DIMS_MAX; d++)
        q->limit[d] = -1;
    trace_by_name_put(&w->quota_by, &w->quota_by_cap, name, w->quota_count);
    return w->quota_count++;
}

struct sought_set {
    const struct trace_workload *w;
    const uint32_t *quota;
    uint32_t count;
};

static bool is_same(const void *of, uint32_t set)
{
    const struct sought_set *k = of;
    const struct trace_quota_set *s = &k->w->quota_set[set];

    return s->count == k->count
           && gs_array_same(k->w->quota_of + s->first, k->quota, k->count,
                            sizeof(*k->quota));
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
    const struct sought_set k = { w, quota, tidy(quota, count) };
    uint64_t hash = k.count;
    uint32_t found;

    assert(count <= TRACE_QUOTAS_MAX);
    if (count == 0)
        return 0;
    for (uint32_t i = 0; i < k.count; i++)
        hash = gs_hash_mix(hash, quota[i]);
    if (!w->quota_index)
        w->quota_index = gs_array_new(1, sizeof(*w->quota_index));
    found = gs_hash_find(w->quota_index, hash, is_same, &k);
    if (found != GS_HASH_NONE)
        return found + 1;
    w->quota_of = gs_array_grow(w->quota_of, &w->quota_of_cap,
                                w->quota_of_count + k.count,
                                sizeof(*w->quota_of));
    for (uint32_t i = 0; i < k.count; i++)
        w->quota_of[w->quota_of_count + i] = quota[i];
    w->quota_set = gs_array_grow(w->quota_set, &w->quota_set_cap,
                                 w->quota_set_count + 1, sizeof(*w->quota_set));
    w->quota_set[w->quota_set_count] =
        (struct trace_quota_set){ w->quota_of_count, k.count };
    w->quota_of_count += k.count;
    gs_hash_put(w->quota_index, hash, w->quota_set_count);
    return ++w->quota_set_count;
}

void trace_quotas_free(struct trace_workload *w)
{
    gs_array_free(w->quota);
    gs_array_free(w->quota_set);
    gs_array_free(w->quota_of);
    gs_array_free(w->quota_by);
    if (w->quota_index)
        gs_hash_free(w->quota_index);
    gs_array_free(w->quota_index);
}
