/* base/duration.c - spans of time and civil dates, see duration.h. */
#include "base/duration.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/quantity.h"
#include "base/text.h"

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

int gs_duration_parse(const char *s, size_t len, int64_t *us)
{
    int64_t sum = 0, one = 0;
    size_t next = 0; /* index of the largest unit that may follow */
    size_t seconds;

    assert(s && us);
    if (len == 0)
        return -1;
    seconds = gs_decimal_parse(s, len, GS_SECOND, &one, NULL);
    if (seconds == len || (seconds + 1 == len && s[seconds] == 's')) {
        if (seconds == 0)
            return -1;
        *us = one;
        return 0;
    }
    while (len) {
        size_t u = next, n = 0, k = 0;

        while (n < len && (is_digit(s[n]) || s[n] == '.'))
            n++;
        while (n + k < len && s[n + k] >= 'a' && s[n + k] <= 'z')
            k++;
        while (u < N_UNITS
               && (strlen(units[u].name) != k
                   || memcmp(units[u].name, s + n, k) != 0))
            u++;
        if (u == N_UNITS || n == 0
            || gs_decimal_parse(s, n, units[u].us, &one, NULL) != n)
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

/* --- dates ---------------------------------------------------------------- */

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

/* Parse Z, +hh:mm, -hhmm or nothing. */
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
    (void)skip(s, end, ':'); /* the colon is optional */
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

/* --- writing -------------------------------------------------------------- */

const char *gs_duration_format(int64_t us, char *buf, size_t size)
{
    assert(buf && size > 0 && us > INT64_MIN);
    snprintf(buf, size, "%s", us < 0 ? "-" : us == 0 ? "0s" : "");
    us = us < 0 ? -us : us;
    for (size_t u = 0; u < N_UNITS && us; u++) {
        const int64_t n = us / units[u].us;

        if (n == 0)
            continue;
        gs_text_add(buf, size, "%lld%s", (long long)n, units[u].name);
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

/* The civil date of a day since 1970-01-01.  Years are counted from March, so
 * that leap days come last: the algorithm is
 * http://howardhinnant.github.io/date_algorithms.html, civil_from_days.
 */
void gs_date_civil(int64_t days, int *y, int *m, int *d)
{
    const int64_t z = days + 719468;
    const int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    const int64_t doe = z - era * 146097;
    const int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    const int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    const int64_t month = (5 * doy + 2) / 153;

    *d = (int)(doy - (153 * month + 2) / 5 + 1);
    *m = (int)(month < 10 ? month + 3 : month - 9);
    *y = (int)(yoe + era * 400 + (*m <= 2));
}

const char *gs_date_format(int64_t us, char *buf, size_t size)
{
    const int64_t days = (us >= 0 ? us : us - DAY + 1) / DAY;
    const int64_t clock = us - days * DAY, s = clock / GS_SECOND;
    int y, m, d;

    assert(buf && size > 0);
    gs_date_civil(days, &y, &m, &d);
    snprintf(buf, size, "%04d-%02d-%02d %02d:%02d:%02d.%06d", y, m, d,
             (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60),
             (int)(clock % GS_SECOND));
    return buf;
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
    if (!is_date(us))
        return gs_duration_format(us, buf, size);
    gs_date_format(us, buf, size);
    if (us % GS_SECOND == 0)
        buf[strcspn(buf, ".")] = '\0';
    return buf;
}
