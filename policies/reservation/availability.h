/* policies/reservation/availability.h - what will be free on one place, from now on.
 *
 * A step function of time over a vector of amounts, as estimates have it.
 * Amounts may go below zero while what stands there is exchanged.
 */
#ifndef POLICIES_RESERVATION_AVAILABILITY_H
#define POLICIES_RESERVATION_AVAILABILITY_H

#include <stdint.h>

struct availability {
    int64_t *at;   /* [count] us, rising; the first is in the past, or now */
    int64_t *free; /* [count][dims] from then to the next */
    uint32_t count, at_cap, free_cap;
    uint32_t many; /* with so many, look for steps that say the same */
};

void availability_open(struct availability *t, uint32_t dims,
                       const int64_t *capacity);
void availability_close(struct availability *t);
void availability_copy(struct availability *to, const struct availability *from,
                       uint32_t dims);

/* `times` x `amount` more from `from` (not before the first step) to `to`;
 * GSCHED_NEVER: for ever.
 */
void availability_add(struct availability *t, uint32_t dims, int64_t from,
                      int64_t to, const int64_t *amount, int64_t times);

/* Forget what was before `now`. */
void availability_trim(struct availability *t, uint32_t dims, int64_t now);

/* The step that holds at `at`. */
uint32_t timeline_step(const struct availability *t, int64_t at);

/* low[dims]: the least that is free from step `i` until `to`; returns the
 * first step that begins then or later (count: none does).
 */
uint32_t availability_low(const struct availability *t, uint32_t dims,
                          uint32_t i, int64_t to, int64_t *low);

#endif /* POLICIES_RESERVATION_AVAILABILITY_H */
