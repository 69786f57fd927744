/* traces/workload/workload_mix.c - the task mix of a workload. */
#include "traces/workload/workload_mix.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "topology/task_mix.h"
#include "traces/workload/workload.h"

#define COVERED 95     /* percent of the tasks */
#define KINDS_MAX 2048 /* above it amounts are rounded */
#define EXACT 64       /* bits of an amount that are kept */

struct kind {
    struct topo_request request;
    int64_t tasks;
    uint32_t came; /* order of first appearance */
};

/* Jobs [first, end). */
struct jobs {
    uint32_t first, end;
};

static void published(struct topo_request *r)
{
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++) {
        if (d != TOPO_CPU && d != TOPO_GPU)
            r->amount[d] = 0;
    }
    r->selector_count = r->preference_count = 0;
    r->toleration_count = r->lent_tolerations = 0;
    r->selector = NULL;
    r->toleration = NULL;
    r->preference = NULL;
}

/* Round amounts down to their first `bits` bits: a task that fits a node still
 * does.
 */
static void coarsen(struct topo_request *r, int bits)
{
    assert(bits > 0);
    for (uint32_t d = 0; d < TOPO_DIMS_MAX && bits < EXACT; d++) {
        int64_t rest = d == TOPO_GPU ? 0 : r->amount[d];
        int shift = 0;

        for (; rest >> bits; rest >>= 1)
            shift++;
        r->amount[d] = r->amount[d] >> shift << shift;
    }
}

/* Are there amounts that coarsen() would change?  Else labels and models alone
 * are many.
 */
static bool may_coarsen(const struct kind *kind, uint32_t count)
{
    bool may = false;

    for (uint32_t i = 0; i < count && !may; i++) {
        struct topo_request r = kind[i].request;

        coarsen(&r, 1);
        may = memcmp(r.amount, kind[i].request.amount, sizeof(r.amount)) != 0;
    }
    return may;
}

struct sought_kind {
    const struct kind *kind;
    const struct topo_request *r;
};

static bool is_same(const void *of, uint32_t i)
{
    const struct sought_kind *k = of;

    return topo_request_equal(&k->kind[i].request, k->r);
}

/* The index of the kind, created when new. */
static uint32_t kind_of(struct kind *kind, struct gs_hash *kinds,
                        const struct topo_request *r)
{
    const struct sought_kind k = { kind, r };
    const uint64_t hash = topo_request_hash(r);
    uint32_t i = gs_hash_find(kinds, hash, is_same, &k);

    if (i == GS_HASH_NONE) {
        i = kinds->count;
        kind[i] = (struct kind){ *r, 0, i };
        gs_hash_put(kinds, hash, i);
    }
    return i;
}

static int compare(const void *x, const void *y)
{
    const struct kind *a = x, *b = y;

    if (a->tasks != b->tasks)
        return a->tasks > b->tasks ? -1 : 1;
    return a->came < b->came ? -1 : 1;
}

/* Count tasks by kind, in order of first appearance; without `jobs` those of
 * all groups.
 */
static struct kind *count_kinds(const struct trace_workload *w,
                                const struct jobs *jobs, enum trace_mix_kind by,
                                int bits, uint32_t *count)
{
    struct kind *kind = gs_array_new(w->shape_count + 1, sizeof(*kind));
    uint32_t *of = gs_array_new(w->shape_count + 1, sizeof(*of));
    struct gs_hash kinds = { 0 };

    for (uint32_t i = 0; i < w->shape_count; i++) {
        struct topo_request r = w->shape[i];

        if (by == TRACE_MIX_PUBLISHED)
            published(&r);
        coarsen(&r, bits);
        of[i] = kind_of(kind, &kinds, &r);
    }
    for (uint32_t i = 0; !jobs && i < w->group_count; i++)
        kind[of[trace_group_at(w, i)->shape]].tasks +=
            trace_group_at(w, i)->replicas;
    for (uint32_t j = jobs ? jobs->first : 0; jobs && j < jobs->end; j++) {
        const uint32_t first = w->job[j].first_group;

        for (uint32_t i = first; i < first + w->job[j].group_count; i++)
            kind[of[trace_group_at(w, i)->shape]].tasks +=
                trace_group_at(w, i)->replicas;
    }
    *count = kinds.count;
    gs_hash_free(&kinds);
    gs_array_free(of);
    return kind;
}

/* Sort by frequency and drop the rarest.  Returns how many are left. */
static uint32_t cut(struct kind *kind, uint32_t count, enum trace_mix_kind by)
{
    const int64_t covered = by == TRACE_MIX_WHOLE ? 100 : COVERED;
    int64_t all = 0, sum = 0;
    uint32_t kept = 0;

    qsort(kind, count, sizeof(*kind), compare);
    for (uint32_t i = 0; i < count; i++)
        all += kind[i].tasks;
    while (sum * 100 < all * covered)
        sum += kind[kept++].tasks;
    return kept;
}

static struct topo_mix *mix_create(const struct trace_workload *w,
                                   const struct jobs *jobs,
                                   const struct topo *t, enum trace_mix_kind by)
{
    uint32_t count, kept;
    struct kind *kind = count_kinds(w, jobs, by, EXACT, &count);
    const int bits_from = may_coarsen(kind, count) ? 4 : 0;
    struct topo_mix_kind *mix;
    struct topo_mix *made;

    kept = cut(kind, count, by);
    for (int bits = bits_from; kept > KINDS_MAX && bits > 0; bits--) {
        gs_array_free(kind);
        kind = count_kinds(w, jobs, by, bits, &count);
        kept = cut(kind, count, by);
    }
    mix = gs_array_new(kept + 1, sizeof(*mix));
    for (uint32_t i = 0; i < kept; i++)
        mix[i] = (struct topo_mix_kind){ kind[i].request, kind[i].tasks };
    made = topo_mix_create(t, mix, kept);
    gs_array_free(mix);
    gs_array_free(kind);
    return made;
}

struct topo_mix *trace_mix_create(const struct trace_workload *w,
                                  const struct topo *t, enum trace_mix_kind by)
{
    assert(w && t);
    return mix_create(w, NULL, t, by);
}

struct topo_mix *trace_workload_mix(const struct trace_workload *w,
                                    const struct topo *t,
                                    enum trace_mix_kind by, uint32_t first,
                                    uint32_t end)
{
    const struct jobs jobs = { first, end };

    assert(first <= end && end <= w->job_count);
    return mix_create(w, &jobs, t, by);
}
