/* reports/measure/quantiles.c - radix sort, nearest ranks, see quantiles.h. */
#include "reports/measure/quantiles.h"

#include <assert.h>
#include <string.h>

#include "base/far.h"

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)
#define FEW 64u /* values, to which a pass would be dear */

/* A stable pass by the digit at `shift`. */
static void pass(const uint64_t *from, uint64_t *to, uint32_t count,
                 uint32_t shift)
{
    uint32_t at[DIGITS] = { 0 };
    uint32_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        at[from[i] >> shift & (DIGITS - 1)]++;
    for (uint32_t d = 0; d < DIGITS; d++) {
        const uint32_t n = at[d];

        at[d] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < count; i++)
        to[at[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_few(uint64_t *v, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint64_t x = v[i];
        uint32_t at = i;

        for (; at > 0 && v[at - 1] > x; at--)
            v[at] = v[at - 1];
        v[at] = x;
    }
}

static void sort_many(uint64_t *v, uint32_t count, struct gs_far *far)
{
    uint64_t *other = gs_far_new(far, count, sizeof(*other));
    uint64_t *from = v, *to = other;
    uint64_t used = 0;

    for (uint32_t i = 0; i < count; i++)
        used |= v[i];
    for (uint32_t shift = 0; shift < 64 && used >> shift; shift += DIGIT_BITS) {
        uint64_t *swap = from;

        if ((used >> shift & (DIGITS - 1)) == 0)
            continue;
        pass(from, to, count, shift);
        from = to;
        to = swap;
    }
    if (from != v)
        memcpy(v, from, count * sizeof(*v));
    gs_far_free(far, other);
}

void report_values_sort(uint64_t *v, uint32_t count, struct gs_far *far)
{
    assert(v || count == 0);
    if (count < FEW)
        sort_few(v, count);
    else
        sort_many(v, count, far);
}

uint64_t report_values_percentile(const uint64_t *v, uint32_t count,
                                  uint32_t percent)
{
    const uint64_t rank = ((uint64_t)count * percent + 99) / 100;

    assert(percent <= 100 && (count == 0 || percent > 0));
    return count ? v[rank - 1] : 0;
}

double report_values_mean(const uint64_t *v, uint32_t count)
{
    uint64_t whole = 0, rest = 0; /* sum = whole x count + rest */

    assert(v || count == 0);
    for (uint32_t i = 0; i < count; i++) {
        whole += v[i] / count;
        rest += v[i] % count;
        if (rest >= count) {
            whole++;
            rest -= count;
        }
    }
    return count ? (double)whole + (double)rest / (double)count : 0;
}
