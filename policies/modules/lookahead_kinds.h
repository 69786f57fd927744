/* policies/modules/lookahead_kinds.h - which kinds of tasks fit, and where the
 * tape holds one of them: a bit for each kind and for each place, of which a
 * limit leaves fewer as less is free.
 */
#ifndef GSP_LOOKAHEAD_KINDS_H
#define GSP_LOOKAHEAD_KINDS_H

#include <stdint.h>
#include <string.h>

#include "policies/modules/lookahead_tape.h"
#include "policies/policy.h"

#define PLACES (TAPE / 64) /* words of a set of places of the tape */
#define STEPS 256u         /* most rows of a limit */
#define BUCKETS 1024u

/* A row is a set of places of the tape and, behind it, the set of their kinds.
 * Amounts in ascending order have rows: that of amount i holds at least the
 * kinds that ask for no more than is free while less than amount i + 1 is.
 */
struct kind_steps {
    uint32_t count;
    bool is_exact;   /* rows hold no other kind */
    int64_t *amount; /* the first is 0 */
    uint64_t *row;
    uint32_t shift;
    uint16_t first[BUCKETS]; /* [free >> shift] the amount at its begin */
};

/* Words of a row. */
static inline size_t kind_row_size(uint32_t kinds)
{
    return PLACES + kinds / 64 + 1;
}

static inline void kind_set_add(uint64_t *set, uint32_t it)
{
    set[it / 64] |= UINT64_C(1) << it % 64;
}

static inline bool kind_set_has(const uint64_t *set, uint32_t it)
{
    return set[it / 64] >> it % 64 & 1;
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

/* The last amount that is at most `free`, at least 0. */
static inline uint32_t kind_step_of(const struct kind_steps *s, int64_t free)
{
    uint32_t i = s->count - 1;

    if (free >= s->amount[i])
        return i;
    i = s->first[free >> s->shift];
    i += s->amount[i + 1] <= free; /* mostly the only one of its bucket */
    while (s->amount[i + 1] <= free)
        i++;
    return i;
}

/* Keep each amount once, and of too many every so manyth. */
static inline void kind_steps_choose(struct kind_steps *s, uint32_t count)
{
    uint32_t n = 0, every;

    for (uint32_t i = 0; i < count; i++) {
        if (n == 0 || s->amount[i] > s->amount[n - 1])
            s->amount[n++] = s->amount[i];
    }
    every = (n + STEPS - 1) / STEPS;
    s->is_exact = every == 1;
    for (uint32_t i = 0; i < n; i += every)
        s->amount[s->count++] = s->amount[i];
    while (s->amount[s->count - 1] >> s->shift >= BUCKETS)
        s->shift++;
    for (uint32_t b = 0, i = 0; b < BUCKETS; b++) {
        while (i + 1 < s->count && s->amount[i + 1] <= (int64_t)b << s->shift)
            i++;
        s->first[b] = (uint16_t)i;
    }
}

/* `amount`: of each kind, at least 0. */
static inline void kind_steps_make(struct kind_steps *s, const int64_t *amount,
                                   uint32_t kinds, const uint16_t *tape,
                                   const struct gsp_host *host, void *ctx)
{
    const size_t size = kind_row_size(kinds);
    uint32_t *step = host->keep(ctx, (kinds + 1) * sizeof(*step));

    s->amount = host->keep(ctx, (kinds + 1) * sizeof(*amount));
    memcpy(s->amount + 1, amount, kinds * sizeof(*amount));
    kind_amounts_sort(s->amount, kinds + 1);
    kind_steps_choose(s, kinds + 1);
    s->row = host->keep(ctx, s->count * size * sizeof(*s->row));
    for (uint32_t i = 0; i < kinds; i++) {
        step[i] = kind_step_of(s, amount[i]);
        kind_set_add(s->row + step[i] * size + PLACES, i);
    }
    for (uint32_t i = 0; i < TAPE && kinds; i++)
        kind_set_add(s->row + step[tape[i]] * size, i);
    for (size_t w = size; w < s->count * size; w++)
        s->row[w] |= s->row[w - size];
}

#endif /* GSP_LOOKAHEAD_KINDS_H */
