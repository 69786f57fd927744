/* base/duration.c - spans of time and civil dates, see duration.h. */
#include "base/duration.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define DAY (INT64_C(86400) * GS_SECOND)

static const struct unit {
    const char *name;
    int64_t us;
} units[] = {
    { "d", DAY },
    { "h", 3600 * GS_SECOND },
    { "m", 60 * GS_SECOND },
    { "s", GS_SECOND },
    { "ms", 1000 },
    { "us", 1 },
};

#define N_UNITS (sizeof(units) / sizeof(units[0]))

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A decimal number times `unit` microseconds, what is below them cut off.
 * The bytes read, or 0.
 */
static size_t number(const char *s, size_t len, int64_t unit, int64_t *us)
{
    int64_t whole = 0, part = 0, scale = unit;
    size_t i = 0;

    assert(unit > 0);
    for (; i < len && is_digit(s[i]); i++) {
        if (whole > GS_TIME_MAX / 10)
            return 0;
        whole = whole * 10 + (s[i] - '0');
    }
    if (i == 0)
        return 0;
    if (i < len && s[i] == '.') {
        size_t k = ++i;

        for (; i < len && is_digit(s[i]); i++) {
            scale /= 10; /* exact: units are multiples of 10^n or 6 */
            part += (s[i] - '0') * scale;
        }
        if (i == k)
            return 0;
    }
    if (whole > GS_TIME_MAX / unit)
        return 0;
    *us = whole * unit + part;
    return i;
}

/* Length of the number at the start of `s`. */
static size_t number_len(const char *s, size_t len)
{
    size_t i = 0;

    while (i < len && (is_digit(s[i]) || s[i] == '.'))
        i++;
    return i;
}

int gs_duration_parse(const char *s, size_t len, int64_t *us)
{
    int64_t sum = 0, one = 0;
    size_t next = 0; /* units from here on may follow */
    size_t seconds;

    assert(s && us);
    if (len == 0)
        return -1;
    seconds = number(s, len, GS_SECOND, &one);
    if (seconds == len || (seconds + 1 == len && s[seconds] == 's')) {
        if (seconds == 0 || one > GS_TIME_MAX)
            return -1;
        *us = one;
        return 0;
    }
    while (len) {
        const size_t n = number_len(s, len);
        size_t u = next, k = 0;

        while (n + k < len && s[n + k] >= 'a' && s[n + k] <= 'z')
            k++;
        while (u < N_UNITS
               && (strlen(units[u].name) != k
                   || memcmp(units[u].name, s + n, k) != 0))
            u++;
        if (u == N_UNITS || n == 0 || number(s, n, units[u].us, &one) != n)
            return -1;
        sum += one;
        if (sum > GS_TIME_MAX)
            return -1;
        next = u + 1;
        s += n + k;
        len -= n + k;
    }
    assert(sum >= 0 && sum <= GS_TIME_MAX);
    *us = sum;
    return 0;
}

/* --- dates ------------------------------------------------------------------ */

/* `n` digits as a number from `min` to `max`. */
static bool digits(const char **s, const char *end, int n, int min, int max,
                   int *out)
{
    int v = 0;

    for (int i = 0; i < n; i++, (*s)++) {
        if (*s == end || !is_digit(**s))
            return false;
        v = v * 10 + (**s - '0');
    }
    *out = v;
    return v >= min && v <= max;
}

static bool skip(const char **s, const char *end, char c)
{
    if (*s == end || **s != c)
        return false;
    (*s)++;
    return true;
}

static int month_days(int y, int m)
{
    static const int days[] = {
        31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31
    };
    const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

    assert(m >= 1 && m <= 12);
    return days[m - 1] + (m == 2 && leap);
}

/* Days since 1970-01-01 of the proleptic Gregorian calendar. */
static int64_t days_from_civil(int y, int m, int d)
{
    const int64_t year = y - (m <= 2);
    const int64_t era = year / 400;
    const int64_t yoe = year - era * 400;
    const int64_t doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;

    assert(y >= 1 && m >= 1 && m <= 12 && d >= 1 && d <= 31);
    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static bool clock_parse(const char **s, const char *end, int64_t *us)
{
    int h, m, sec = 0;

    if (!digits(s, end, 2, 0, 23, &h) || !skip(s, end, ':')
        || !digits(s, end, 2, 0, 59, &m))
        return false;
    if (skip(s, end, ':') && !digits(s, end, 2, 0, 60, &sec))
        return false;
    *us = ((int64_t)h * 3600 + m * 60 + sec) * GS_SECOND;
    if (skip(s, end, '.')) {
        int64_t scale = GS_SECOND;

        if (*s == end || !is_digit(**s))
            return false;
        for (; *s < end && is_digit(**s); (*s)++) {
            scale /= 10;
            *us += (**s - '0') * scale;
        }
    }
    return true;
}

/* Z, +hh:mm, -hhmm or nothing. */
static bool zone_parse(const char **s, const char *end, int64_t *us)
{
    int h, m = 0, sign;

    *us = 0;
    if (*s == end || skip(s, end, 'Z') || skip(s, end, 'z'))
        return true;
    sign = **s == '-' ? -1 : 1;
    if (!skip(s, end, '+') && !skip(s, end, '-'))
        return false;
    if (!digits(s, end, 2, 0, 23, &h))
        return false;
    (void)skip(s, end, ':'); /* the colon may be left out */
    if (*s < end && !digits(s, end, 2, 0, 59, &m))
        return false;
    *us = sign * ((int64_t)h * 3600 + m * 60) * GS_SECOND;
    return true;
}

int gs_date_parse(const char *s, size_t len, int64_t *us)
{
    const char *end = s + len;
    int64_t clock = 0, zone = 0;
    int y, m, d;

    assert(s && us);
    if (!digits(&s, end, 4, 1, 9999, &y) || !skip(&s, end, '-')
        || !digits(&s, end, 2, 1, 12, &m) || !skip(&s, end, '-')
        || !digits(&s, end, 2, 1, month_days(y, m), &d))
        return -1;
    if (s < end) {
        if (!skip(&s, end, 'T') && !skip(&s, end, 't') && !skip(&s, end, ' '))
            return -1;
        if (!clock_parse(&s, end, &clock) || !zone_parse(&s, end, &zone)
            || s != end)
            return -1;
    }
    *us = days_from_civil(y, m, d) * DAY + clock - zone;
    return 0;
}

/* --- writing ---------------------------------------------------------------- */

const char *gs_duration_format(int64_t us, char *buf, size_t size)
{
    size_t at = 0;

    assert(buf && size > 0 && us > INT64_MIN);
    if (us == 0) {
        snprintf(buf, size, "0s");
        return buf;
    }
    buf[0] = '\0';
    if (us < 0) {
        at += (size_t)snprintf(buf, size, "-");
        us = -us;
    }
    for (size_t u = 0; u < N_UNITS && us && at < size; u++) {
        const int64_t n = us / units[u].us;

        if (n == 0)
            continue;
        at += (size_t)snprintf(buf + at, size - at, "%lld%s", (long long)n,
                               units[u].name);
        us -= n * units[u].us;
    }
    return buf;
}

const char *gs_duration_human(int64_t us, char *buf, size_t size)
{
    const char *sign = us < 0 ? "-" : "";
    const int64_t abs = us < 0 ? -us : us;
    size_t u = 0;

    assert(buf && size > 0 && us > INT64_MIN);
    if (abs < 10 * GS_SECOND) {
        snprintf(buf, size, "%s%lld.%llds", sign,
                 (long long)((abs + 50000) / GS_SECOND),
                 (long long)((abs + 50000) % GS_SECOND / 100000));
        return buf;
    }
    while (u < 3 && abs < units[u].us)
        u++;
    if (u >= 3) {
        snprintf(buf, size, "%s%llds", sign,
                 (long long)((abs + GS_SECOND / 2) / GS_SECOND));
    } else {
        const int64_t low = units[u + 1].us;
        const int64_t n = abs / low + (abs % low >= low / 2);
        const int64_t per = units[u].us / low;

        snprintf(buf, size, n % per ? "%s%lld%s%lld%s" : "%s%lld%s", sign,
                 (long long)(n / per), units[u].name, (long long)(n % per),
                 units[u + 1].name);
    }
    return buf;
}

/* The civil date of a day since 1970-01-01, by the years from March on. */
static void civil_from_days(int64_t days, int *y, int *m, int *d)
{
    const int64_t z = days + 719468;
    const int64_t era = z / 146097, doe = z % 146097;
    const int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    const int64_t month = (5 * doy + 2) / 153;

    *d = (int)(doy - (153 * month + 2) / 5 + 1);
    *m = (int)(month < 10 ? month + 3 : month - 9);
    *y = (int)(yoe + era * 400 + (*m <= 2));
}

static bool is_date(int64_t us)
{
    return us >= 3650 * DAY && us < INT64_C(2932897) * DAY; /* to 9999-12-31 */
}

const char *gs_instant_human(int64_t us, char *buf, size_t size)
{
    return is_date(us) ? gs_instant_format(us, buf, size)
                       : gs_duration_human(us, buf, size);
}

const char *gs_instant_format(int64_t us, char *buf, size_t size)
{
    const int64_t clock = us % DAY / GS_SECOND;
    const int64_t rest = us % GS_SECOND;
    int y, m, d, n;

    if (!is_date(us))
        return gs_duration_format(us, buf, size);
    civil_from_days(us / DAY, &y, &m, &d);
    n = snprintf(buf, size, "%04d-%02d-%02d %02d:%02d:%02d", y, m, d,
                 (int)(clock / 3600), (int)(clock / 60 % 60),
                 (int)(clock % 60));
    if (rest && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, ".%06d", (int)rest);
    return buf;
}
