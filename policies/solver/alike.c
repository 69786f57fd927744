/* policies/solver/alike.c - see alike.h. */
#include "policies/solver/alike.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"
#include "policies/preemption/preemption.h"
#include "policies/state/job_labels.h"
#include "policies/state/jobs.h"
#include "policies/state/module_calls.h"

void gsched_alike_begin(struct alike *a, bool by_queue)
{
    if (a->count)
        gs_hash_clear(&a->index);
    a->count = 0;
    a->by_queue = by_queue;
}

void gsched_alike_free(struct alike *a)
{
    gs_hash_free(&a->index);
    gs_array_free(a->failed);
    gs_array_free(a->constraints);
}

static uint32_t pending_of(const struct gsched *s, uint32_t job, uint32_t group)
{
    const uint32_t first = s->work->job[job].first_group;

    return gsched_group(s, job, group)->replicas
           - s->jobs->group_placed[first + group];
}

/* A number for the constraints of the shape, without its amounts. */
static uint64_t constraints_of(const struct gsched *s, struct alike *a,
                               uint32_t shape)
{
    struct topo_request r = s->work->shape[shape];

    memset(r.amount, 0, sizeof(r.amount));
    r.gpus = r.share = 0;
    r.share_memory = 0;
    a->constraints = gs_array_grow(a->constraints, &a->constraints_cap,
                                   s->work->shape_count,
                                   sizeof(*a->constraints));
    a->constraints[shape] = topo_request_hash(&r);
    return a->constraints[shape];
}

static uint64_t signature_of(const struct gsched *s, struct alike *a,
                             uint32_t job)
{
    const struct trace_job *j = &s->work->job[job];
    uint64_t h = gs_hash_mix(a->by_queue ? 1 + gsched_queue_of(s, job) : 0,
                             (uint64_t)j->aside->within << 32
                                 | j->aside->within_tier);

    h = gs_hash_mix(h, (uint64_t)j->fixed << 32 | j->aside->slices);
    if (j->aside->prefers)
        h = gs_hash_mix(h, j->aside->prefers);
    if (gsched_has_own_rules(s, job))
        h = gs_hash_mix(h, job);
    for (uint32_t g = 0; g < j->group_count; g++) {
        const uint32_t n = pending_of(s, job, g);
        const uint32_t shape = gsched_group(s, job, g)->shape;

        if (!n)
            continue;
        h = gs_hash_mix(h, n);
        if (gsched_group(s, job, g)->topology)
            h = gs_hash_mix(h, gsched_group(s, job, g)->topology);
        h = gs_hash_mix(h, (uint32_t)gsched_value_of(s, job, g));
        h = gs_hash_mix(h, shape < a->constraints_cap && a->constraints[shape]
                               ? a->constraints[shape]
                               : constraints_of(s, a, shape));
    }
    return h;
}

static bool is_within(const struct topo_request *a,
                      const struct topo_request *b)
{
    for (uint32_t d = 0; d < TOPO_DIMS_MAX; d++) {
        if (a->amount[d] > b->amount[d])
            return false;
    }
    return a->share_memory <= b->share_memory;
}

/* How tasks of job `a` compare with those of `b`, of the same signature. */
struct comparison {
    bool any_smaller, all_within;
};

static struct comparison compare(const struct gsched *s, uint32_t a, uint32_t b)
{
    struct comparison c = { .all_within = true };
    uint32_t h = 0;

    for (uint32_t g = 0; g < s->work->job[a].group_count; g++) {
        const struct topo_request *x = gsched_request(s, a, g), *y;

        if (!pending_of(s, a, g))
            continue;
        while (h < s->work->job[b].group_count && !pending_of(s, b, h))
            h++;
        if (h == s->work->job[b].group_count)
            break; /* tasks of it were placed since */
        y = gsched_request(s, b, h++);
        c.any_smaller |= is_within(x, y) && !is_within(y, x);
        c.all_within &= is_within(x, y);
    }
    return c;
}

struct lookup {
    const struct alike *a;
    uint64_t signature;
};

static bool is_same(const void *of, uint32_t at)
{
    const struct lookup *l = of;

    return l->a->failed[at].signature == l->signature;
}

static uint32_t find(const struct alike *a, uint64_t signature)
{
    return gs_hash_find(&a->index, signature, is_same,
                        &(struct lookup){ a, signature });
}

bool gsched_alike_failed(const struct gsched *s, struct alike *a, uint32_t job)
{
    const bool any = a->count && !s->modules->preemption.tries_alike;
    const uint32_t at = any ? find(a, signature_of(s, a, job)) : GS_HASH_NONE;

    return at != GS_HASH_NONE
           && !compare(s, job, a->failed[at].job).any_smaller;
}

void gsched_alike_note(const struct gsched *s, struct alike *a, uint32_t job)
{
    const uint64_t signature = signature_of(s, a, job);
    const uint32_t at = find(a, signature);

    if (at != GS_HASH_NONE) {
        if (compare(s, job, a->failed[at].job).all_within)
            a->failed[at].job = job;
        return;
    }
    a->failed = gs_array_grow(a->failed, &a->cap, a->count + 1,
                              sizeof(*a->failed));
    a->failed[a->count] = (struct alike_job){ signature, job };
    gs_hash_put(&a->index, signature, a->count++);
}
