/* base/rng.c - PCG32, see rng.h. */
#include "base/rng.h"

#include <assert.h>

uint32_t gs_rng_u32(struct gs_rng *r)
{
    const uint64_t old = r->state;
    const uint32_t x = (uint32_t)(((old >> 18) ^ old) >> 27);
    const uint32_t rot = (uint32_t)(old >> 59);

    assert(r->inc & 1); /* it is initialised */
    r->state = old * UINT64_C(6364136223846793005) + r->inc;
    return (x >> rot) | (x << (-rot & 31u));
}

void gs_rng_init(struct gs_rng *r, uint64_t seed, const char *stream)
{
    uint64_t name = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

    assert(r && stream && *stream);
    for (; *stream; stream++)
        name = (name ^ (unsigned char)*stream) * UINT64_C(0x100000001b3);
    r->state = 0;
    r->inc = name << 1 | 1;
    (void)gs_rng_u32(r);
    r->state += seed;
    (void)gs_rng_u32(r);
}

uint64_t gs_rng_below(struct gs_rng *r, uint64_t n)
{
    uint64_t x, least;

    if (n < 2)
        return 0;
    least = (0 - n) % n; /* below it some values would occur once more */
    do
        x = (uint64_t)gs_rng_u32(r) << 32 | gs_rng_u32(r);
    while (x < least);
    assert(x % n < n);
    return x % n;
}

double gs_rng_double(struct gs_rng *r)
{
    const uint64_t high = gs_rng_u32(r) >> 5, low = gs_rng_u32(r) >> 6;

    return (double)(high << 26 | low) / 9007199254740992.0;
}
