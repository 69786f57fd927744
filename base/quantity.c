/* base/quantity.c - amounts into integers, see quantity.h. */
#include "base/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int gs_quantity_parse_u64(const char *s, size_t len, uint64_t *out)
{
    uint64_t v = 0;

    assert(s && out);
    if (len == 0)
        return -1;
    for (size_t i = 0; i < len; i++) {
        const uint64_t d = (uint64_t)(s[i] - '0');

        if (!is_digit(s[i]) || v > (UINT64_MAX - d) / 10)
            return -1;
        v = v * 10 + d;
    }
    *out = v;
    return 0;
}

#define DECIMALS_MAX INT64_C(1000000000000) /* at most 12 decimals are read */

/* Two factors of 60 bits. */
__extension__ typedef unsigned __int128 wide;

size_t gs_decimal_parse(const char *s, size_t len, int64_t unit, int64_t *out,
                        bool *is_exact)
{
    int64_t whole = 0, part = 0, scale = 1;
    bool exact = true;
    size_t i = 0, dot;
    wide sum;

    assert(s && out && unit > 0 && unit <= GS_QUANTITY_MAX);
    for (; i < len && is_digit(s[i]); i++) {
        if (whole > GS_QUANTITY_MAX / 10)
            return 0;
        whole = whole * 10 + (s[i] - '0');
    }
    if (i == 0)
        return 0;
    sum = (wide)(uint64_t)whole * (uint64_t)unit;
    if (i < len && s[i] == '.') {
        for (dot = i++; i < len && is_digit(s[i]); i++) {
            exact &= scale < DECIMALS_MAX || s[i] == '0';
            if (scale < DECIMALS_MAX) {
                part = part * 10 + (s[i] - '0');
                scale *= 10;
            }
        }
        if (i == dot + 1)
            return 0;
        exact &= (wide)(uint64_t)part * (uint64_t)unit % (uint64_t)scale == 0;
        sum += (wide)(uint64_t)part * (uint64_t)unit / (uint64_t)scale;
    }
    if (sum > GS_QUANTITY_MAX)
        return 0;
    *out = (int64_t)sum;
    if (is_exact)
        *is_exact = exact;
    return i;
}

/* Parse the whole text as such a number, without rounding. */
static int exact_parse(const char *s, size_t len, int64_t unit, int64_t *out)
{
    bool is_exact = false;
    int64_t v;

    if (len == 0 || gs_decimal_parse(s, len, unit, &v, &is_exact) != len
        || !is_exact)
        return -1;
    *out = v;
    return 0;
}

int gs_quantity_parse_milli(const char *s, size_t len, int64_t *out)
{
    const bool is_milli = len > 0 && s[len - 1] == 'm';

    assert(s && out);
    return exact_parse(s, len - is_milli, is_milli ? 1 : 1000, out);
}

static const struct suffix {
    const char *name;
    int64_t factor;
} suffixes[] = {
    { "", 1 },
    { "k", INT64_C(1000) },
    { "K", INT64_C(1000) },
    { "M", INT64_C(1000000) },
    { "G", INT64_C(1000000000) },
    { "T", INT64_C(1000000000000) },
    { "P", INT64_C(1000000000000000) },
    { "E", INT64_C(1000000000000000000) },
    { "Ki", INT64_C(1) << 10 },
    { "Mi", INT64_C(1) << 20 },
    { "Gi", INT64_C(1) << 30 },
    { "Ti", INT64_C(1) << 40 },
    { "Pi", INT64_C(1) << 50 },
    { "Ei", INT64_C(1) << 60 },
};

#define N_SUFFIXES (sizeof(suffixes) / sizeof(suffixes[0]))

/* The factor of a suffix without its unit letter; 0 when unknown. */
static int64_t factor_of(const char *s, size_t len)
{
    for (size_t i = 0; i < N_SUFFIXES; i++) {
        if (strlen(suffixes[i].name) == len
            && memcmp(suffixes[i].name, s, len) == 0)
            return suffixes[i].factor;
    }
    return 0;
}

static size_t number_len(const char *s, size_t len)
{
    size_t i = 0;

    while (i < len && (is_digit(s[i]) || s[i] == '.'))
        i++;
    return i;
}

int gs_quantity_parse_bytes(const char *s, size_t len, int64_t *out)
{
    const size_t n = number_len(s, len);
    size_t k = len - n;
    int64_t factor;

    assert(s && out);
    if (k && s[len - 1] == 'B')
        k--;
    factor = factor_of(s + n, k);
    return factor ? exact_parse(s, n, factor, out) : -1;
}

static bool ends(const char *s, size_t *len, const char *tail)
{
    const size_t n = strlen(tail);

    if (*len < n || memcmp(s + *len - n, tail, n) != 0)
        return false;
    *len -= n;
    return true;
}

int gs_quantity_parse_rate(const char *s, size_t len, int64_t *out)
{
    const size_t n = number_len(s, len);
    int64_t factor, v;
    bool bits;

    assert(s && out);
    if (!ends(s, &len, "/s") || len < n)
        return -1;
    bits = ends(s, &len, "bit") || ends(s, &len, "b");
    if (!bits && !ends(s, &len, "B"))
        return -1;
    factor = len < n ? 0 : factor_of(s + n, len - n);
    if (factor == 0 || exact_parse(s, n, factor, &v) < 0)
        return -1;
    *out = bits ? v / 8 : v;
    return 0;
}

int gs_quantity_parse_double(const char *s, size_t len, double *out)
{
    char text[64], *end;
    double v;

    assert(s && out);
    if (len == 0 || len >= sizeof(text))
        return -1;
    memcpy(text, s, len);
    text[len] = '\0';
    if (strspn(text, "0123456789+-.eE") != len)
        return -1;
    v = strtod(text, &end);
    if (*end || end == text || !isfinite(v))
        return -1;
    *out = v;
    return 0;
}

const char *gs_quantity_format_milli(int64_t milli, char *buf, size_t size)
{
    assert(buf && size > 0 && milli >= 0);
    if (milli % 1000 == 0)
        snprintf(buf, size, "%lld", (long long)(milli / 1000));
    else if (milli < 1000)
        snprintf(buf, size, "%lldm", (long long)milli);
    else if (milli % 100 == 0)
        snprintf(buf, size, "%lld.%lld", (long long)(milli / 1000),
                 (long long)(milli % 1000 / 100));
    else
        snprintf(buf, size, "%lld.%03lld", (long long)(milli / 1000),
                 (long long)(milli % 1000));
    return buf;
}

const char *gs_quantity_format_bytes(int64_t bytes, char *buf, size_t size)
{
    static const char *const names[] = { "B",   "KiB", "MiB", "GiB",
                                         "TiB", "PiB", "EiB" };
    size_t i = 0;

    assert(buf && size > 0 && bytes >= 0);
    while (i < 6 && bytes && bytes % 1024 == 0) {
        bytes /= 1024;
        i++;
    }
    snprintf(buf, size, "%lld%s", (long long)bytes, names[i]);
    return buf;
}
