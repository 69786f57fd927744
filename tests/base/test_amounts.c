/* tests/base/test_amounts.c - durations, dates and quantities as users write
 * them.
 */
#include <stdio.h>
#include <string.h>

#include "base/duration.h"
#include "base/quantity.h"
#include "tests/lib/suite.h"

#define S INT64_C(1000000)
#define NO INT64_C(-1) /* must be refused */

struct amount {
    const char *text;
    int64_t value;
};

typedef int (*parse_fn)(const char *s, size_t len, int64_t *out);

static void check(parse_fn parse, const struct amount *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t v = NO;
        const int rc = parse(a[i].text, strlen(a[i].text), &v);

        if (rc != (a[i].value == NO ? -1 : 0) || v != a[i].value)
            printf("\n'%s' gives %d, %lld\n", a[i].text, rc, (long long)v);
        CU_ASSERT_EQUAL(rc, a[i].value == NO ? -1 : 0);
        CU_ASSERT_EQUAL(v, a[i].value);
    }
}

static void test_durations(void)
{
    static const struct amount a[] = {
        { "0", 0 },
        { "90", 90 * S },
        { "90s", 90 * S },
        { "1.5h", 5400 * S },
        { "15m", 900 * S },
        { "1h30m", 5400 * S },
        { "2d", 172800 * S },
        { "1d2h3m4s5ms6us", 93784005006 },
        { "250ms", 250000 },
        { "0.000001", 1 },
        { "0.0000019", 1 },
        { "66.0", 66 * S },
        { "1.5us", 1 },
        { "", NO },
        { "s", NO },
        { "-5", NO },
        { "+5", NO },
        { "5x", NO },
        { "5 s", NO },
        { "1s1m", NO },
        { "1h1h", NO },
        { ".5", NO },
        { "5.", NO },
        { "1e3", NO },
        { "99999999999999999999", NO },
        { "99999999999999d", NO },
        { "forever", NO },
        { "5\n", NO },
    };

    check(gs_duration_parse, a, N_ELEMENTS(a));
}

static void test_dates(void)
{
    static const struct amount a[] = {
        { "1970-01-01", 0 },
        { "1970-01-01 00:00:01", S },
        { "2017-10-09 07:01:55", INT64_C(1507532515) * S },
        { "2017-10-09T07:01:55Z", INT64_C(1507532515) * S },
        { "2017-10-09T07:01:55.25", INT64_C(1507532515) * S + 250000 },
        { "2017-10-09T09:01:55+02:00", INT64_C(1507532515) * S },
        { "2017-10-09T05:01:55-0200", INT64_C(1507532515) * S },
        { "2000-02-29", INT64_C(951782400) * S },
        { "2016-12-31 23:59", INT64_C(1483228740) * S },
        { "1969-12-31", -86400 * S },
        { "2001-02-29", NO },
        { "1900-02-29", NO },
        { "2017-13-01", NO },
        { "2017-00-01", NO },
        { "2017-04-31", NO },
        { "2017-10-09 24:00:00", NO },
        { "2017-10-09 07:60:00", NO },
        { "2017-10-09x07:01", NO },
        { "2017-10-09 07:01:55.", NO },
        { "2017-10-09 07:01:55 ", NO },
        { "2017-1-09", NO },
        { "17-10-09", NO },
        { "", NO },
    };

    check(gs_date_parse, a, N_ELEMENTS(a));
}

static void test_quantities(void)
{
    static const struct amount milli[] = {
        { "0", 0 },       { "4", 4000 },  { "1.5", 1500 },
        { "500m", 500 },  { "0.001", 1 }, { "0.0010", 1 },
        { "0.0001", NO }, { "1.5m", NO }, { "m", NO },
        { "", NO },       { "-1", NO },   { "1e3", NO },
        { "4k", NO },     { "1,5", NO },  { "9999999999999999", NO },
    };
    static const struct amount bytes[] = {
        { "1073741824", INT64_C(1) << 30 },
        { "80GiB", INT64_C(80) << 30 },
        { "80Gi", INT64_C(80) << 30 },
        { "25GB", INT64_C(25000000000) },
        { "1.5TB", INT64_C(1500000000000) },
        { "0.5KiB", 512 },
        { "512MiB", INT64_C(512) << 20 },
        { "7k", 7000 },
        { "1Ei", INT64_C(1) << 60 },
        { "2Ei", NO },
        { "0.3", NO },
        { "1.0000001KiB", NO },
        { "GiB", NO },
        { "8 GiB", NO },
        { "8gib", NO },
        { "-8GiB", NO },
        { "8GiBB", NO },
        { "", NO },
    };
    static const struct amount rates[] = {
        { "25GB/s", INT64_C(25000000000) },
        { "200Gbit/s", INT64_C(25000000000) },
        { "200Gb/s", INT64_C(25000000000) },
        { "1GiB/s", INT64_C(1) << 30 },
        { "12.5GB/s", INT64_C(12500000000) },
        { "25GB", NO },
        { "25G/s", NO },
        { "/s", NO },
        { "b/s", NO },
        { "GB/s", NO },
        { "", NO },
    };

    check(gs_quantity_parse_milli, milli, N_ELEMENTS(milli));
    check(gs_quantity_parse_bytes, bytes, N_ELEMENTS(bytes));
    check(gs_quantity_parse_rate, rates, N_ELEMENTS(rates));
}

static void test_numbers(void)
{
    static const struct {
        const char *text;
        int rc;
        double value;
    } doubles[] = {
        { "0.5", 0, 0.5 },  { "-3", 0, -3 },  { "1e6", 0, 1e6 },
        { "nan", -1, 0 },   { "inf", -1, 0 }, { "0x10", -1, 0 },
        { "1e999", -1, 0 }, { "", -1, 0 },    { "1 ", -1, 0 },
        { "--1", -1, 0 },
    };
    uint64_t n = 7;

    for (size_t i = 0; i < N_ELEMENTS(doubles); i++) {
        double v = 0;

        CU_ASSERT_EQUAL(gs_quantity_parse_double(doubles[i].text,
                                                 strlen(doubles[i].text), &v),
                        doubles[i].rc);
        CU_ASSERT_EQUAL(v, doubles[i].value);
    }
    CU_ASSERT_EQUAL(gs_quantity_parse_u64("18446744073709551615", 20, &n), 0);
    CU_ASSERT_EQUAL(n, UINT64_MAX);
    CU_ASSERT_EQUAL(gs_quantity_parse_u64("18446744073709551616", 20, &n), -1);
    CU_ASSERT_EQUAL(gs_quantity_parse_u64("", 0, &n), -1);
    CU_ASSERT_EQUAL(gs_quantity_parse_u64("1a", 2, &n), -1);
}

/* Formatted values parse to the same value. */
static void test_formats(void)
{
    static const struct {
        int64_t us;
        const char *exact, *human;
    } spans[] = {
        { 0, "0s", "0.0s" },
        { 250, "250us", "0.0s" },
        { 1500000, "1s500ms", "1.5s" },
        { 59 * S, "59s", "59s" },
        { 90 * S, "1m30s", "1m30s" },
        { 5400 * S, "1h30m", "1h30m" },
        { 86400 * S, "1d", "1d" },
        { 270000 * S, "3d3h", "3d3h" },
        { 86399 * S, "23h59m59s", "24h" },
    };
    char buf[64];

    for (size_t i = 0; i < N_ELEMENTS(spans); i++) {
        int64_t back = -1;

        CU_ASSERT_STRING_EQUAL(
            gs_duration_format(spans[i].us, buf, sizeof(buf)), spans[i].exact);
        CU_ASSERT_EQUAL(gs_duration_parse(buf, strlen(buf), &back), 0);
        CU_ASSERT_EQUAL(back, spans[i].us);
        CU_ASSERT_STRING_EQUAL(gs_duration_human(spans[i].us, buf, sizeof(buf)),
                               spans[i].human);
    }
    /* values from a database may be out of range */
    CU_ASSERT_STRING_EQUAL(gs_duration_human(INT64_MAX, buf, sizeof(buf)),
                           "106751991d4h");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_milli(500, buf, 64), "500m");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_milli(1500, buf, 64), "1.5");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_milli(1001, buf, 64), "1.001");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_milli(4000, buf, 64), "4");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_bytes(INT64_C(80) << 30, buf, 64),
                           "80GiB");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_bytes(1000, buf, 64), "1000B");
    CU_ASSERT_STRING_EQUAL(gs_quantity_format_bytes(0, buf, 64), "0B");
}

/* Times of a trace: dates where they can only be Unix times. */
static void test_instants(void)
{
    static const struct {
        int64_t us;
        const char *exact, *human;
    } cases[] = {
        { 90 * S, "1m30s", "1m30s" },
        { 3649 * 86400 * S, "3649d", "3649d" },
        { 3650 * 86400 * S, "1979-12-30 00:00:00", "1979-12-30 00:00:00" },
        { 951782400 * S, "2000-02-29 00:00:00", "2000-02-29 00:00:00" },
        { 1763684400 * S, "2025-11-21 00:20:00", "2025-11-21 00:20:00" },
        { 1763684400 * S + 5, "2025-11-21 00:20:00.000005",
          "2025-11-21 00:20:00.000005" },
    };
    char buf[64];

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        CU_ASSERT_STRING_EQUAL(gs_instant_format(cases[i].us, buf, 64),
                               cases[i].exact);
        CU_ASSERT_STRING_EQUAL(gs_instant_human(cases[i].us, buf, 64),
                               cases[i].human);
    }
    for (int64_t day = 3650; day < 2932897; day += 97) {
        const int64_t us = day * 86400 * S + day % 86400 * S;
        int64_t back = -1;

        gs_instant_format(us, buf, sizeof(buf));
        CU_ASSERT_EQUAL(gs_date_parse(buf, strlen(buf), &back), 0);
        CU_ASSERT_EQUAL(back, us);
    }
    /* years have at most four digits */
    CU_ASSERT_STRING_EQUAL(gs_instant_human(INT64_MAX, buf, sizeof(buf)),
                           "106751991d4h");
}

int main(void)
{
    static const struct suite_case cases[] = {
        { "durations are read and printed", test_durations },
        { "dates are read", test_dates },
        { "quantities are read with their units", test_quantities },
        { "numbers are read in full or refused", test_numbers },
        { "amounts are printed in their units", test_formats },
        { "instants are read and printed", test_instants },
    };

    return suite_run("base/amounts", cases, N_ELEMENTS(cases));
}
