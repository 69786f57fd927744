/* reports/measure/quantiles.c - radix sort, nearest ranks, see quantiles.h. */
#include "reports/measure/quantiles.h"

#include <assert.h>
#include <string.h>

#include "base/array.h"

#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

/* One stable pass by the digit at `shift`. */
static void pass(const struct report_value *from, struct report_value *to,
                 uint32_t count, uint32_t shift)
{
    uint32_t at[DIGITS] = { 0 };
    uint32_t sum = 0;

    for (uint32_t i = 0; i < count; i++)
        at[from[i].value >> shift & (DIGITS - 1)]++;
    for (uint32_t d = 0; d < DIGITS; d++) {
        const uint32_t n = at[d];

        at[d] = sum;
        sum += n;
    }
    for (uint32_t i = 0; i < count; i++)
        to[at[from[i].value >> shift & (DIGITS - 1)]++] = from[i];
}

void report_values_sort(struct report_value *v, uint32_t count)
{
    struct report_value *other = gs_array_new(count, sizeof(*other));
    struct report_value *from = v, *to = other;
    uint64_t used = 0;

    assert(v || count == 0);
    for (uint32_t i = 0; i < count; i++)
        used |= v[i].value;
    for (uint32_t shift = 0; shift < 64 && used >> shift; shift += DIGIT_BITS) {
        struct report_value *swap = from;

        if ((used >> shift & (DIGITS - 1)) == 0)
            continue;
        pass(from, to, count, shift);
        from = to;
        to = swap;
    }
    if (from != v)
        memcpy(v, from, count * sizeof(*v));
    gs_array_free(other);
}

uint64_t report_values_percentile(const struct report_value *v, uint32_t count,
                                  uint32_t percent)
{
    const uint64_t rank = ((uint64_t)count * percent + 99) / 100;

    assert(percent <= 100 && (count == 0 || percent > 0));
    return count ? v[rank - 1].value : 0;
}

double report_values_mean(const struct report_value *v, uint32_t count)
{
    uint64_t whole = 0, rest = 0; /* sum = whole x count + rest */

    assert(v || count == 0);
    for (uint32_t i = 0; i < count; i++) {
        whole += v[i].value / count;
        rest += v[i].value % count;
        if (rest >= count) {
            whole++;
            rest -= count;
        }
    }
    return count ? (double)whole + (double)rest / (double)count : 0;
}
