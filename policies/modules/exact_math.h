/* policies/modules/exact_math.h - powers and logarithms that are equal bit for
 * bit on all compilers: sums and products of doubles only, as the functions of
 * libm are not.
 */
#ifndef GSP_EXACT_MATH_H
#define GSP_EXACT_MATH_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define EXACT_LN2 0x1.62e42fefa39efp-1

/* 2 to the power of n, from -1022 to 1023. */
static inline double exact_power_of_two(int n)
{
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;

    assert(n >= -1022 && n <= 1023);
    memcpy(&x, &bits, sizeof(x));
    return x;
}

/* 2 to the power of x; 0 below 2^-1022, and 2^1023 above that. */
static inline double exact_exp2(double x)
{
    double sum = 1, term = 1;
    int n;

    if (x < -1022)
        return 0;
    if (x > 1023)
        return exact_power_of_two(1023);
    n = (int)x - (x < (double)(int)x); /* the floor */
    for (int k = 1; k <= 22; k++) {
        term *= (x - (double)n) * EXACT_LN2 / (double)k;
        sum += term;
    }
    return sum * exact_power_of_two(n);
}

/* The logarithm to base 2 of x, above 0; -1022 for less than 2^-1022. */
static inline double exact_log2(double x)
{
    uint64_t bits;
    double y, square, power, sum = 0;
    int n;

    assert(x > 0);
    memcpy(&bits, &x, sizeof(bits));
    n = (int)(bits >> 52) - 1023;
    if (n < -1022)
        return -1022;
    bits = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1023) << 52;
    memcpy(&x, &bits, sizeof(x)); /* from 1 to 2 */
    /* ln x = 2 (y + y^3 / 3 + y^5 / 5 ...) with y = (x - 1) / (x + 1) */
    y = power = (x - 1) / (x + 1);
    square = y * y;
    for (int k = 1; k < 40; k += 2) {
        sum += power / (double)k;
        power *= square;
    }
    return (double)n + 2 * sum / EXACT_LN2;
}

/* x to the whole power n. */
static inline double exact_power(double x, uint64_t n)
{
    double power = 1;

    for (; n; n >>= 1) {
        if (n & 1)
            power *= x;
        x *= x;
    }
    return power;
}

/* x + x^2 + ... + x^n. */
static inline double exact_power_sum(double x, uint64_t n)
{
    double sum = 0, power = 1; /* of the first bits of n */

    for (int bit = 63; bit >= 0; bit--) {
        sum += power * sum;
        power *= power;
        if (n >> bit & 1) {
            power *= x;
            sum += power;
        }
    }
    return sum;
}

#endif /* GSP_EXACT_MATH_H */
