/* traces/formats/decimal.c - no strtod: it knows locales, rounds, and is slow. */
#include <assert.h>
#include <stdbool.h>

#include "traces/formats/decimal.h"

#define LIMIT (INT64_C(1) << 60)
#define SAFE INT64_C(1000000000000) /* times any scale it is below LIMIT */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int trace_decimal_parse(const char **p, int64_t scale, int64_t *out)
{
    const char *s = *p;
    const bool negative = *s == '-';
    int64_t v = 0;

    assert(p && *p && out && scale > 0);
    s += negative || *s == '+';
    if (!is_digit(*s))
        return -1;
    for (; is_digit(*s); s++) {
        if (v > LIMIT / 10)
            return -1;
        v = v * 10 + (*s - '0');
    }
    if (v > SAFE && v > LIMIT / scale)
        return -1;
    v *= scale;
    if (*s == '.') {
        for (s++; is_digit(*s); s++) {
            scale /= 10;
            v += scale * (*s - '0');
        }
    }
    *p = s;
    *out = negative ? -v : v;
    return 0;
}
