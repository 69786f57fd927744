/* policies/reservation/job_ends.c - running jobs by their estimated ends: heaps
 * in which each job knows its place.
 */
#include <assert.h>

#include "base/array.h"
#include "base/heap.h"
#include "policies/reservation/reservation.h"
#include "policies/state/jobs.h"

int64_t gsched_estimated_end(const struct gsched *s, uint32_t job)
{
    const struct job_state *j = gsched_job(s, job);

    return gsched_later(j->allocated_since, j->estimate);
}

struct ends_of {
    const struct gsched *s;
    struct ends *e;
};

static bool ends_before(const void *of, uint32_t i, uint32_t k)
{
    const struct ends_of *o = of;
    const uint32_t a = o->e->job[i], b = o->e->job[k];
    const int64_t x = gsched_estimated_end(o->s, a),
                  y = gsched_estimated_end(o->s, b);

    if (x != y)
        return (x < y) != o->e->is_max;
    return a < b;
}

static void ends_put(const struct gsched *s, struct ends *e, uint32_t i,
                     uint32_t job)
{
    e->job[i] = job;
    gsched_job(s, job)->end_at = i;
}

static void ends_swap(void *of, uint32_t i, uint32_t k)
{
    const struct ends_of *o = of;
    const uint32_t job = o->e->job[i];

    ends_put(o->s, o->e, i, o->e->job[k]);
    ends_put(o->s, o->e, k, job);
}

static void ends_settle(struct gsched *s, struct ends *e, uint32_t i)
{
    static const struct gs_heap by_end = { ends_before, ends_swap };
    struct ends_of of = { s, e };

    (void)gs_heap_settle(&by_end, &of, e->count, i);
}

void gsched_ends_add(struct gsched *s, struct ends *e, uint32_t job)
{
    assert(gsched_job(s, job)->end_at == NONE);
    e->job = gs_array_grow(e->job, &e->cap, e->count + 1, sizeof(*e->job));
    ends_put(s, e, e->count++, job);
    ends_settle(s, e, e->count - 1);
}

void gsched_ends_drop(struct gsched *s, struct ends *e, uint32_t job)
{
    const uint32_t i = gsched_job(s, job)->end_at, last = e->job[--e->count];

    assert(i < e->count + 1 && e->job[i] == job);
    if (i < e->count) {
        ends_put(s, e, i, last);
        ends_settle(s, e, i);
    }
    gsched_job(s, job)->end_at = NONE;
}

int64_t gsched_ends_first(const struct gsched *s, const struct ends *e)
{
    return e->count ? gsched_estimated_end(s, e->job[0]) : GSCHED_NEVER;
}
