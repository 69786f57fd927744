/* traces/workload/pools.c - see pools.h. */
#include "traces/workload/pools.h"
#include "traces/workload/by_name.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/strtab.h"
#include "traces/workload/workload.h"

uint32_t trace_pool_find(const struct trace_workload *w, uint32_t name)
{
    return trace_by_name(w->pools->pool_by, w->pools->pool_by_cap, name);
}

uint32_t trace_pool_put(struct trace_workload *w, uint32_t name)
{
    struct trace_pools *all = w->pools;
    const uint32_t found = trace_pool_find(w, name);

    assert(name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    all->pool = gs_array_grow(all->pool, &all->pool_cap, all->pool_count + 1,
                              sizeof(*all->pool));
    all->pool[all->pool_count] = (struct trace_pool){ .name = name };
    trace_by_name_put(&all->pool_by, &all->pool_by_cap, name, all->pool_count);
    return all->pool_count++;
}

struct sought_set {
    const struct trace_workload *w;
    const struct trace_tokens *tokens;
    uint32_t count;
};

static bool is_same(const void *of, uint32_t set)
{
    const struct sought_set *k = of;
    const struct trace_pool_set *s = &k->w->pools->pool_set[set];

    return s->count == k->count
           && gs_array_same(k->w->pools->tokens + s->first, k->tokens, k->count,
                            sizeof(*k->tokens));
}

static uint32_t sum_of(uint32_t a, uint32_t b)
{
    return a > TRACE_TOKENS_MAX - b ? TRACE_TOKENS_MAX : a + b;
}

/* Sort by insertion; the number that is left. */
static uint32_t tidy(struct trace_tokens *tokens, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct trace_tokens t = tokens[i];
        uint32_t at = n;

        while (at > 0 && tokens[at - 1].pool > t.pool)
            at--;
        if (at > 0 && tokens[at - 1].pool == t.pool) {
            tokens[at - 1].count = sum_of(tokens[at - 1].count, t.count);
            continue;
        }
        for (uint32_t k = n++; k > at; k--)
            tokens[k] = tokens[k - 1];
        tokens[at] = t;
    }
    return n;
}

uint32_t trace_pool_set_put(struct trace_workload *w,
                            struct trace_tokens *tokens, uint32_t count)
{
    struct trace_pools *all = w->pools;
    struct sought_set k = { w, tokens, 0 };
    uint64_t hash;
    uint32_t found;

    assert(count <= TRACE_POOLS_MAX);
    k.count = tidy(tokens, count);
    if (k.count == 0)
        return 0;
    hash = k.count;
    for (uint32_t i = 0; i < k.count; i++)
        hash = gs_hash_mix(gs_hash_mix(hash, tokens[i].pool), tokens[i].count);
    if (!all->pool_index)
        all->pool_index = gs_array_new(1, sizeof(*all->pool_index));
    found = gs_hash_find(all->pool_index, hash, is_same, &k);
    if (found != GS_HASH_NONE)
        return found + 1;
    all->tokens = gs_array_grow(all->tokens, &all->tokens_cap,
                                all->tokens_count + k.count,
                                sizeof(*all->tokens));
    memcpy(all->tokens + all->tokens_count, tokens, k.count * sizeof(*tokens));
    all->pool_set = gs_array_grow(all->pool_set, &all->pool_set_cap,
                                  all->pool_set_count + 1,
                                  sizeof(*all->pool_set));
    all->pool_set[all->pool_set_count] =
        (struct trace_pool_set){ all->tokens_count, k.count };
    all->tokens_count += k.count;
    gs_hash_put(all->pool_index, hash, all->pool_set_count);
    return ++all->pool_set_count;
}

const struct trace_tokens *trace_pool_tokens(const struct trace_workload *w,
                                             uint32_t pools, uint32_t *count)
{
    const struct trace_pools *all = w->pools;

    assert(pools <= all->pool_set_count);
    *count = pools ? all->pool_set[pools - 1].count : 0;
    return pools ? all->tokens + all->pool_set[pools - 1].first : NULL;
}

void trace_pools_free(struct trace_workload *w)
{
    struct trace_pools *all = w->pools;

    gs_array_free(all->pool);
    gs_array_free(all->pool_set);
    gs_array_free(all->tokens);
    gs_array_free(all->pool_by);
    if (all->pool_index)
        gs_hash_free(all->pool_index);
    gs_array_free(all->pool_index);
}
