/* traces/workload/groups.c - what groups of tasks are: kept once for all groups
 * that are the same.
 */
#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/far.h"
#include "base/hash.h"
#include "traces/workload/workload.h"

struct sought_group {
    const struct trace_workload *w;
    const struct trace_group *g;
};

static bool is_same_group(const void *of, uint32_t kind)
{
    const struct sought_group *k = of;

    return memcmp(&k->w->group_kind[kind], k->g, sizeof(*k->g)) == 0;
}

static uint64_t group_hash(const struct trace_group *g)
{
    uint32_t word[sizeof(*g) / sizeof(uint32_t)];
    uint64_t hash = 1;

    static_assert(sizeof(*g) == sizeof(word), "no padding");
    memcpy(word, g, sizeof(word));
    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
        hash = gs_hash_mix(hash, word[i]);
    return hash;
}

static uint32_t kind_find(const struct trace_workload *w,
                          const struct trace_group *g)
{
    const struct sought_group k = { w, g };

    return gs_hash_find(w->group_index, group_hash(g), is_same_group, &k);
}

static uint32_t kind_of(struct trace_workload *w, const struct trace_group *g)
{
    uint32_t found = kind_find(w, g);

    if (found != GS_HASH_NONE)
        return found;
    w->group_kind = gs_array_grow(w->group_kind, &w->group_kind_cap,
                                  w->group_kind_count + 1,
                                  sizeof(*w->group_kind));
    w->group_kind[w->group_kind_count] = *g;
    found = w->group_kind_count++;
    gs_hash_put(w->group_index, group_hash(g), found);
    return found;
}

void trace_group_set(struct trace_workload *w, uint32_t group,
                     const struct trace_group *g)
{
    const struct trace_group copy = *g; /* `g` may be one of them */

    assert(group < w->group_count);
    w->group[group] = kind_of(w, &copy);
}

bool trace_groups_hold(const struct trace_workload *w)
{
    uint32_t i = 0;

    while (i < w->group_kind_count && kind_find(w, &w->group_kind[i]) == i)
        i++;
    return i == w->group_kind_count;
}

void trace_groups_free(struct trace_workload *w)
{
    assert(trace_groups_hold(w));
    gs_far_free(w->far, w->group);
    gs_array_free(w->group_kind);
    gs_hash_free(w->group_index);
    gs_array_free(w->group_index);
}
