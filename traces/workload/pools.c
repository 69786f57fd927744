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
    return trace_by_name(w->pool_by, w->pool_by_cap, name);
}

uint32_t trace_pool_put(struct trace_workload *w, uint32_t name)
{
    const uint32_t found = trace_pool_find(w, name);

    assert(name < gs_strtab_count(w->names));
    if (found != TRACE_NONE)
        return found;
    w->pool = gs_array_grow(w->pool, &w->pool_cap, w->pool_count + 1,
                            sizeof(*w->pool));
    w->pool[w->pool_count] = (struct trace_pool){ .name = name };
    trace_by_name_put(&w->pool_by, &w->pool_by_cap, name, w->pool_count);
    return w->pool_count++;
}

struct sought_set {
    const struct trace_workload *w;
    const struct trace_tokens *tokens;
    uint32_t count;
};

static bool is_same(const void *of, uint32_t set)
{
    const struct sought_set *k = of;
    const struct trace_pool_set *s = &k->w->pool_set[set];

    return s->count == k->count
           && gs_array_same(k->w->tokens + s->first, k->tokens, k->count,
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
    if (!w->pool_index)
        w->pool_index = gs_array_new(1, sizeof(*w->pool_index));
    found = gs_hash_find(w->pool_index, hash, is_same, &k);
    if (found != GS_HASH_NONE)
        return found + 1;
    w->tokens = gs_array_grow(w->tokens, &w->tokens_cap,
                              w->tokens_count + k.count, sizeof(*w->tokens));
    memcpy(w->tokens + w->tokens_count, tokens, k.count * sizeof(*tokens));
    w->pool_set = gs_array_grow(w->pool_set, &w->pool_set_cap,
                                w->pool_set_count + 1, sizeof(*w->pool_set));
    w->pool_set[w->pool_set_count] = (struct trace_pool_set){ w->tokens_count,
                                                              k.count };
    w->tokens_count += k.count;
    gs_hash_put(w->pool_index, hash, w->pool_set_count);
    return ++w->pool_set_count;
}

const struct trace_tokens *trace_pool_tokens(const struct trace_workload *w,
                                             uint32_t pools, uint32_t *count)
{
    assert(pools <= w->pool_set_count);
    *count = pools ? w->pool_set[pools - 1].count : 0;
    return pools ? w->tokens + w->pool_set[pools - 1].first : NULL;
}

void trace_pools_free(struct trace_workload *w)
{
    gs_array_free(w->pool);
    gs_array_free(w->pool_set);
    gs_array_free(w->tokens);
    gs_array_free(w->pool_by);
    if (w->pool_index)
        gs_hash_free(w->pool_index);
    gs_array_free(w->pool_index);
}
