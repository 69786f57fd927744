/* policies/reservation/availability.c - what will be free on one place, from now on. */
#include "policies/reservation/availability.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "policies/scheduler.h"

#define MANY 32u /* steps, of which some may say the same */

static size_t row(uint32_t dims)
{
    return dims * sizeof(int64_t);
}

static int64_t *free_at(const struct availability *t, uint32_t dims, uint32_t i)
{
    return t->free + (size_t)i * dims;
}

static void grow(struct availability *t, uint32_t dims, uint32_t count)
{
    t->at = gs_array_grow(t->at, &t->at_cap, count, sizeof(*t->at));
    t->free = gs_array_grow(t->free, &t->free_cap, count, row(dims));
}

void availability_open(struct availability *t, uint32_t dims,
                       const int64_t *capacity)
{
    assert(dims > 0 && dims <= TOPO_DIMS_MAX && capacity);
    *t = (struct availability){ .count = 1, .many = MANY };
    grow(t, dims, 1);
    t->at[0] = 0;
    memcpy(t->free, capacity, row(dims));
}

void availability_close(struct availability *t)
{
    gs_array_free(t->at);
    gs_array_free(t->free);
}

void availability_copy(struct availability *to, const struct availability *from,
                       uint32_t dims)
{
    assert(from->count > 0 && to != from);
    grow(to, dims, from->count);
    to->count = from->count;
    memcpy(to->at, from->at, from->count * sizeof(*to->at));
    memcpy(to->free, from->free, from->count * row(dims));
}

uint32_t timeline_step(const struct availability *t, int64_t at)
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

/* The step that begins at `at`, made if need be. */
static uint32_t step_make(struct availability *t, uint32_t dims, int64_t at)
{
    const uint32_t i = timeline_step(t, at);

    assert(at >= t->at[0]);
    if (t->at[i] == at)
        return i;
    grow(t, dims, t->count + 1);
    memmove(t->at + i + 2, t->at + i + 1, (t->count - i - 1) * sizeof(*t->at));
    memmove(free_at(t, dims, i + 1), free_at(t, dims, i),
            (t->count - i) * row(dims));
    assert(t->at[i] < at && (i + 1 == t->count || t->at[i + 2] > at));
    t->at[i + 1] = at;
    t->count++;
    return i + 1;
}

void availability_add(struct availability *t, uint32_t dims, int64_t from,
                      int64_t to, const int64_t *amount, int64_t times)
{
    uint32_t first, end;

    assert(from >= t->at[0] || from >= to);
    assert(amount);
    if (from >= to)
        return;
    first = step_make(t, dims, from);
    end = to == GSCHED_NEVER ? t->count : step_make(t, dims, to);
    for (uint32_t i = first; i < end; i++) {
        for (uint32_t d = 0; d < dims; d++)
            free_at(t, dims, i)[d] += times * amount[d];
    }
}

/* Steps that say what the one before says are dropped. */
static void merge(struct availability *t, uint32_t dims)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < t->count; i++) {
        if (memcmp(free_at(t, dims, i), free_at(t, dims, kept), row(dims)) == 0)
            continue;
        kept++;
        t->at[kept] = t->at[i];
        memmove(free_at(t, dims, kept), free_at(t, dims, i), row(dims));
    }
    t->count = kept + 1;
    t->many = t->count < MANY ? MANY : 2 * t->count;
}

void availability_trim(struct availability *t, uint32_t dims, int64_t now)
{
    const uint32_t past = t->count > 1 && t->at[1] <= now
                              ? timeline_step(t, now)
                              : 0;

    assert(t->count > 0);
    if (past) {
        t->count -= past;
        memmove(t->at, t->at + past, t->count * sizeof(*t->at));
        memmove(t->free, free_at(t, dims, past), t->count * row(dims));
    }
    if (t->at[0] < now)
        t->at[0] = now;
    if (t->count > t->many)
        merge(t, dims);
}

uint32_t availability_low(const struct availability *t, uint32_t dims,
                          uint32_t i, int64_t to, int64_t *low)
{
    assert(i < t->count && low);
    memcpy(low, free_at(t, dims, i), row(dims));
    for (i++; i < t->count && t->at[i] < to; i++) {
        for (uint32_t d = 0; d < dims; d++) {
            const int64_t n = free_at(t, dims, i)[d];

            low[d] = n < low[d] ? n : low[d];
        }
    }
    return i;
}
