/* base/rng.h - the seeded generator: PCG32 (O'Neill 2014, XSH-RR variant,
 * https://www.pcg-random.org), one stream for each purpose.
 */
#ifndef GS_RNG_H
#define GS_RNG_H

#include <stdint.h>

struct gs_rng {
    uint64_t state, inc;
};

/* Start the stream called `stream` of `seed`.  Streams of different names are
 * independent, so a new use of randomness does not change the numbers of the
 * others.
 */
void gs_rng_init(struct gs_rng *r, uint64_t seed, const char *stream);

uint32_t gs_rng_u32(struct gs_rng *r);
/* Uniform in [0, n), unbiased; 0 when n is 0. */
uint64_t gs_rng_below(struct gs_rng *r, uint64_t n);
/* Uniform in [0, 1), 53 bits. */
double gs_rng_double(struct gs_rng *r);

#endif /* GS_RNG_H */
