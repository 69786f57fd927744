/* traces/workload/job_aside.c - what few jobs state: kept once for all jobs
 * that state the same.
 */
#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "traces/workload/workload.h"

struct sought_aside {
    const struct trace_workload *w;
    const struct trace_job_aside *a;
};

static bool is_same_aside(const void *of, uint32_t aside)
{
    const struct sought_aside *k = of;

    return memcmp(k->w->aside[aside], k->a, sizeof(*k->a)) == 0;
}

static uint64_t aside_hash(const struct trace_job_aside *a)
{
    uint64_t word[sizeof(*a) / sizeof(uint64_t)], hash = 1;

    memcpy(word, a, sizeof(word));
    for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++)
        hash = gs_hash_mix(hash, word[i]);
    return hash;
}

static uint32_t aside_find(const struct trace_workload *w,
                           const struct trace_job_aside *a)
{
    const struct sought_aside k = { w, a };

    return gs_hash_find(w->aside_index, aside_hash(a), is_same_aside, &k);
}

/* What is stated aside, kept once. */
static struct trace_job_aside *aside_of(struct trace_workload *w,
                                        const struct trace_job_aside *a)
{
    uint32_t found;

    if (!a || a == w->plain || memcmp(a, w->plain, sizeof(*a)) == 0)
        return w->plain;
    found = aside_find(w, a);
    if (found == GS_HASH_NONE) {
        w->aside = gs_array_grow(w->aside, &w->aside_cap, w->aside_count + 1,
                                 sizeof(struct trace_job_aside *));
        w->aside[w->aside_count] = gs_arena_memdup(w->arena, a, sizeof(*a));
        found = w->aside_count++;
        gs_hash_put(w->aside_index, aside_hash(a), found);
    }
    return w->aside[found];
}

void trace_job_aside_set(struct trace_workload *w, uint32_t job,
                         const struct trace_job_aside *aside)
{
    assert(job < w->job_count);
    w->job[job].aside = aside_of(w, aside);
}

bool trace_job_asides_hold(const struct trace_workload *w)
{
    const struct trace_job_aside none = { .since = 0 };
    uint32_t i = 0;

    while (i < w->aside_count && aside_find(w, w->aside[i]) == i)
        i++;
    return i == w->aside_count && memcmp(w->plain, &none, sizeof(none)) == 0;
}

void trace_job_asides_free(struct trace_workload *w)
{
    assert(trace_job_asides_hold(w));
    gs_array_free(w->aside);
    gs_hash_free(w->aside_index);
    gs_array_free(w->aside_index);
}
