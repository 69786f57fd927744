/* policies/reservation/availability.c - availability profile of one place */
#include "policies/reservation/availability.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "policies/scheduler.h"

#define MANY 32u

static size_t row(const struct availability *t)
{
    return t->dims * sizeof(int64_t);
}

static int64_t *free_at(const struct availability *t, uint32_t i)
{
    return t->free + (size_t)i * t->dims;
}

const int64_t *availability_free(const struct availability *t, uint32_t i)
{
    assert(i < t->count);
    return free_at(t, i);
}

static void grow(struct availability *t, uint32_t count)
{
    t->at = gs_array_grow(t->at, &t->at_cap, count, sizeof(*t->at));
    t->free = gs_array_grow(t->free, &t->free_cap, count, row(t));
}

void availability_open(struct availability *t, uint32_t dims,
                       const int64_t *capacity)
{
    assert(dims > 0 && dims <= TOPO_DIMS_MAX && capacity);
    *t = (struct availability){ .count = 1, .dims = dims, .many = MANY };
    grow(t, 1);
    t->at[0] = 0;
    memcpy(t->free, capacity, row(t));
}

void availability_close(struct availability *t)
{
    gs_array_free(t->at);
    gs_array_free(t->free);
}

uint32_t availability_step(const struct availability *t, int64_t at)
{
    uint32_t low = 0, high = t->count;

    assert(t->count > 0);
    while (high - low > 1) {
        const uint32_t mid = low + (high - low) / 2;

        if (t->at[mid] <= at)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* The step that begins at `at`, inserted if there is none. */
static uint32_t step_make(struct availability *t, int64_t at)
{
    const uint32_t i = availability_step(t, at);

    assert(at >= t->at[0]);
    if (t->at[i] == at)
        return i;
    grow(t, t->count + 1);
    memmove(t->at + i + 2, t->at + i + 1, (t->count - i - 1) * sizeof(*t->at));
    memmove(free_at(t, i + 1), free_at(t, i), (t->count - i) * row(t));
    assert(t->at[i] < at && (i + 1 == t->count || t->at[i + 2] > at));
    t->at[i + 1] = at;
    t->count++;
    return i + 1;
}

/* Remove steps with the same free amounts as the step before. */
static void merge(struct availability *t)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < t->count; i++) {
        if (memcmp(free_at(t, i), free_at(t, kept), row(t)) == 0)
            continue;
        kept++;
        t->at[kept] = t->at[i];
        memmove(free_at(t, kept), free_at(t, i), row(t));
    }
    t->count = kept + 1;
    t->many = t->count < MANY ? MANY : 2 * t->count;
}

/* Remove the steps before `now`. */
static void trim(struct availability *t, int64_t now)
{
    const uint32_t past = availability_step(t, now);

    if (past) {
        t->count -= past;
        memmove(t->at, t->at + past, t->count * sizeof(*t->at));
        memmove(t->free, free_at(t, past), t->count * row(t));
    }
    if (t->at[0] < now)
        t->at[0] = now;
    if (t->count > t->many)
        merge(t);
}

void availability_add(struct availability *t, int64_t now, int64_t from,
                      int64_t to, const int64_t *amount, int64_t times)
{
    uint32_t first, end;

    assert(amount);
    trim(t, now);
    from = from > now ? from : now;
    if (from >= to)
        return;
    first = step_make(t, from);
    end = to == GSCHED_NEVER ? t->count : step_make(t, to);
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t d = 0; d < t->dims; d++)
            free_at(t, i)[d] += times * amount[d];
    }
}

uint32_t availability_low(const struct availability *t, uint32_t i, int64_t to,
                          int64_t *low)
{
    assert(i < t->count && low);
    memcpy(low, free_at(t, i), row(t));
    for (i++; i < t->count && t->at[i] < to; i++) {
        for (uint32_t d = 0; d < t->dims; d++) {
            const int64_t n = free_at(t, i)[d];

            low[d] = n < low[d] ? n : low[d];
        }
    }
    return i;
}
