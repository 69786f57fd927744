/* policies/reservation/availability.h - availability profile of one place: the
 * free amount of each resource from now on, by estimates.
 *
 * A step function of time with a vector of amounts.  An amount may be below
 * zero while reservations are exchanged.
 */
#ifndef POLICIES_RESERVATION_AVAILABILITY_H
#define POLICIES_RESERVATION_AVAILABILITY_H

#include <stdint.h>

struct availability {
    int64_t *at;   /* [count] us, ascending; the first is not after now */
    int64_t *free; /* [count][dims] free from this step to the next */
    uint32_t count, at_cap, free_cap, dims;
    uint32_t many; /* above this number of steps, equal neighbours are merged */
};

void availability_open(struct availability *t, uint32_t dims,
                       const int64_t *capacity);
void availability_close(struct availability *t);

/* Add `times` x `amount` from `from` to `to` (GSCHED_NEVER: without end).
 * Steps before `now` are removed, and nothing is added there.
 */
void availability_add(struct availability *t, int64_t now, int64_t from,
                      int64_t to, const int64_t *amount, int64_t times);

/* The step at time `at`, or the first step if that is later. */
uint32_t availability_step(const struct availability *t, int64_t at);
/* The free amounts in step `i`. */
const int64_t *availability_free(const struct availability *t, uint32_t i);

/* Set low[dims] to the minimum of the free amounts from step `i` until `to`.
 * Returns the first step at or after `to` (count: none).
 */
uint32_t availability_low(const struct availability *t, uint32_t i, int64_t to,
                          int64_t *low);

#endif /* POLICIES_RESERVATION_AVAILABILITY_H */
