/* tests/base/test_timezone.c - local times as UTC. */
#include <string.h>

#include "base/duration.h"
#include "base/err.h"
#include "base/timezone.h"
#include "tests/lib/suite.h"

static int64_t seconds_of(const char *date)
{
    int64_t us = 0;

    CU_ASSERT_EQUAL(gs_date_parse(date, strlen(date), &us), 0);
    return us / GS_SECOND;
}

static void test_local_times(void)
{
    static const struct {
        const char *zone, *local, *utc;
        enum gs_zone_hour hour;
    } cases[] = {
        { "UTC", "2026-03-29 02:30:00", "2026-03-29 02:30:00", GS_ZONE_PLAIN },
        { "+01:00", "2026-03-29 02:30:00", "2026-03-29 01:30:00",
          GS_ZONE_PLAIN },
        { "-5", "2026-03-29 02:30:00", "2026-03-29 07:30:00", GS_ZONE_PLAIN },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-01-15 12:00:00",
          "2026-01-15 11:00:00", GS_ZONE_PLAIN },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-15 12:00:00",
          "2026-07-15 10:00:00", GS_ZONE_PLAIN },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 01:59:59",
          "2026-03-29 00:59:59", GS_ZONE_PLAIN },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 02:30:00",
          "2026-03-29 01:30:00", GS_ZONE_SKIPPED },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29 03:00:00",
          "2026-03-29 01:00:00", GS_ZONE_PLAIN },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 01:59:59",
          "2026-10-24 23:59:59", GS_ZONE_PLAIN },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 02:30:00",
          "2026-10-25 00:30:00", GS_ZONE_TWICE },
        { "CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25 03:00:00",
          "2026-10-25 02:00:00", GS_ZONE_PLAIN },
        { "EST5EDT,M3.2.0,M11.1.0", "2026-03-08 02:30:00",
          "2026-03-08 07:30:00", GS_ZONE_SKIPPED },
        { "<+0330>-3:30", "2026-03-08 02:30:00", "2026-03-07 23:00:00",
          GS_ZONE_PLAIN },
        /* south: summer over the turn of the year */
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-15 12:00:00",
          "2026-01-15 01:00:00", GS_ZONE_PLAIN },
        { "AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-15 12:00:00",
          "2026-07-15 02:00:00", GS_ZONE_PLAIN },
    };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_err err = { 0 };
        struct gs_zone *z = gs_zone_open(cases[i].zone, &err);
        enum gs_zone_hour hour;

        CU_ASSERT_PTR_NOT_NULL_FATAL(z);
        CU_ASSERT_EQUAL(gs_zone_utc(z, seconds_of(cases[i].local), &hour),
                        seconds_of(cases[i].utc));
        CU_ASSERT_EQUAL(hour, cases[i].hour);
        gs_zone_close(z);
    }
}

/* The database and the rule agree, where the system has the database. */
static void test_names_of_the_database(void)
{
    struct gs_err err = { 0 };
    struct gs_zone *rule = gs_zone_open("CET-1CEST,M3.5.0,M10.5.0/3", &err);
    struct gs_zone *name = gs_zone_open("Europe/Berlin", NULL);
    const int64_t from = seconds_of("2024-01-01");

    for (int64_t h = 0; name && h < 3 * 366 * 24; h++) {
        enum gs_zone_hour a, b;
        const int64_t t = from + h * 3600 + 1;

        if (gs_zone_utc(rule, t, &a) != gs_zone_utc(name, t, &b) || a != b) {
            CU_FAIL("the zone and its rule differ");
            break;
        }
    }
    gs_zone_close(rule);
    gs_zone_close(name);
}

static void test_what_is_no_zone(void)
{
    static const char *const cases[] = { "",
                                         "Mars/Olympus",
                                         "../passwd",
                                         "/etc/passwd",
                                         "+1:99",
                                         "+",
                                         "CET-1CEST,M13.5.0,M10.5.0",
                                         "CE1",
                                         "tzdata.zi" };

    for (size_t i = 0; i < N_ELEMENTS(cases); i++) {
        struct gs_err err = { 0 };

        CU_ASSERT_PTR_NULL(gs_zone_open(cases[i], &err));
        CU_ASSERT_EQUAL(err.code, GS_USAGE);
    }
}

int main(void)
{
    static const struct suite_case list[] = {
        { "local times", test_local_times },
        { "names of the database", test_names_of_the_database },
        { "what is no zone", test_what_is_no_zone },
    };

    return suite_run("base/timezone", list, N_ELEMENTS(list));
}
