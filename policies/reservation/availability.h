/* policies/reservation/availability.h - availability profile of one place: how
 * much of each resource is free from now on, by estimates.
 *
 * A step function of time over a vector of amounts.  An amount may be below
 * zero while reservations are exchanged.
 */
#ifndef POLICIES_RESERVATION_AVAILABILITY_H
#define POLICIES_RESERVATION_AVAILABILITY_H

#include <stdint.h>

struct availability {
    int64_t *at;   /* [count] us, rising; the first is in the past, or now */
    int64_t *free; /* [count][dims] from then to the next */
    uint32_t count, at_cap, free_cap, dims;
    uint32_t many; /* at more steps, equal neighbours are merged */
};

void availability_open(struct availability *t, uint32_t dims,
                       const int64_t *capacity);
void availability_close(struct availability *t);

/* `times` x `amount` more from `from` to `to` (GSCHED_NEVER: for ever); steps
 * before `now` are forgotten, and nothing is added there.
 */
void availability_add(struct availability *t, int64_t now, int64_t from,
                      int64_t to, const int64_t *amount, int64_t times);

/* The step that holds at `at`, or the first. */
uint32_t availability_step(const struct availability *t, int64_t at);
/* What is free in step `i`. */
const int64_t *availability_free(const struct availability *t, uint32_t i);

/* low[dims]: the least that is free from step `i` until `to`; returns the
 * first step that begins then or later (count: none does).
 */
uint32_t availability_low(const struct availability *t, uint32_t i, int64_t to,
                          int64_t *low);

#endif /* POLICIES_RESERVATION_AVAILABILITY_H */
