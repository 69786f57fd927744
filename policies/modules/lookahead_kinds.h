/* policies/modules/lookahead_kinds.h - which kinds of tasks fit, as sets: a bit
 * for each kind, of which a limit leaves fewer as less is free.
 */
#ifndef GSP_LOOKAHEAD_KINDS_H
#define GSP_LOOKAHEAD_KINDS_H

#include <stdint.h>
#include <string.h>

#include "policies/policy.h"

/* The kinds that ask for no more of something than is free. */
struct kind_steps {
    uint32_t count;
    int64_t *amount; /* ascending; the first is 0 */
    uint64_t *set;   /* [step][word] kinds that ask for at most this */
};

static inline uint32_t kind_words(uint32_t kinds)
{
    return kinds / 64 + 1;
}

static inline void kind_set_add(uint64_t *set, uint32_t kind)
{
    set[kind / 64] |= UINT64_C(1) << kind % 64;
}

/* Let the amount at `i` sink in a heap of `count`, the largest on top. */
static inline void kind_amount_sink(int64_t *amount, uint32_t count, uint32_t i)
{
    for (uint32_t k = 2 * i + 1; k < count; k = 2 * i + 1) {
        const int64_t it = amount[i];

        k += k + 1 < count && amount[k + 1] > amount[k];
        if (amount[k] <= it)
            return;
        amount[i] = amount[k];
        amount[k] = it;
        i = k;
    }
}

static inline void kind_amounts_sort(int64_t *amount, uint32_t count)
{
    for (uint32_t i = count / 2; i-- > 0;)
        kind_amount_sink(amount, count, i);
    while (count > 1) {
        const int64_t most = amount[0];

        amount[0] = amount[--count];
        amount[count] = most;
        kind_amount_sink(amount, count, 0);
    }
}

/* The last step up to `high` that is at most `free`, at least 0. */
static inline uint32_t kind_step_of(const struct kind_steps *s, uint32_t high,
                                    int64_t free)
{
    uint32_t low = 0;

    if (s->amount[high] <= free)
        return high;
    while (high - low > 1) {
        const uint32_t mid = (low + high) / 2;

        if (s->amount[mid] <= free)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* `amount`: of each kind, at least 0. */
static inline void kind_steps_make(struct kind_steps *s, const int64_t *amount,
                                   uint32_t kinds, const struct gsp_host *host,
                                   void *ctx)
{
    const uint32_t words = kind_words(kinds);
    uint32_t n = 0;

    s->amount = host->keep(ctx, (kinds + 1) * sizeof(*amount));
    memcpy(s->amount + 1, amount, kinds * sizeof(*amount));
    kind_amounts_sort(s->amount, kinds + 1);
    for (uint32_t i = 0; i <= kinds; i++) {
        if (n == 0 || s->amount[i] > s->amount[n - 1])
            s->amount[n++] = s->amount[i];
    }
    s->count = n;
    s->set = host->keep(ctx, (size_t)n * words * sizeof(*s->set));
    for (uint32_t i = 0; i < kinds; i++)
        kind_set_add(s->set + (size_t)kind_step_of(s, n - 1, amount[i]) * words,
                     i);
    for (uint32_t i = words; i < n * words; i++)
        s->set[i] |= s->set[i - words];
}

/* Take the kinds out of the set that ask for more than what is free, at least 0;
 * *step: the last one that was free, and then that is.
 */
static inline void kind_steps_follow(const struct kind_steps *s, uint32_t words,
                                     int64_t free, uint32_t *step,
                                     uint64_t *set)
{
    const uint64_t *left;

    if (s->amount[*step] <= free)
        return;
    *step = kind_step_of(s, *step, free);
    left = s->set + (size_t)*step * words;
    for (uint32_t w = 0; w < words; w++)
        set[w] &= left[w];
}

#endif /* GSP_LOOKAHEAD_KINDS_H */
