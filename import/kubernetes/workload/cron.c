/* import/kubernetes/workload/cron.c - the schedules of CronJobs, see cron.h. */
#include "import/kubernetes/workload/cron.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"

#define MINUTE (60 * GS_SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)
#define DAYS_MAX (8 * 366)

struct field {
    unsigned low, high;
    const char *names; /* of three letters each, from `low` on */
};

static const struct field fields[5] = {
    { 0, 59, NULL },
    { 0, 23, NULL },
    { 1, 31, NULL },
    { 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec" },
    { 0, 6, "sunmontuewedthufrisat" },
};

/* --- reading -------------------------------------------------------------- */

/* The number or name at *s, which moves behind it. */
static int value_read(const struct field *f, const char **s, unsigned *v)
{
    *v = 0;
    for (unsigned i = 0; f->names && i <= f->high - f->low; i++) {
        if (strncasecmp(*s, f->names + 3 * (size_t)i, 3) == 0) {
            *s += 3;
            *v = f->low + i;
            return 0;
        }
    }
    if (**s < '0' || **s > '9')
        return -1;
    for (; **s >= '0' && **s <= '9'; ++*s) {
        if (*v > 1000)
            return -1;
        *v = *v * 10 + (unsigned)(**s - '0');
    }
    return 0;
}

/* One element of a list, which ends at ',' or the end. */
static int range_read(const struct field *f, const char **s, uint64_t *bits,
                      bool *is_any)
{
    unsigned from = f->low, to = f->high, step = 1;
    bool is_all = **s == '*' || **s == '?', is_one = false;

    if (is_all)
        ++*s;
    else if (value_read(f, s, &from) < 0)
        return -1;
    else if (**s != '-')
        is_one = true;
    if (!is_all && **s == '-') {
        ++*s;
        if (value_read(f, s, &to) < 0)
            return -1;
    }
    if (**s == '/') {
        static const struct field number = { 1, 1000, NULL };

        ++*s;
        if (value_read(&number, s, &step) < 0 || step == 0)
            return -1;
    } else if (is_one) {
        to = from;
    }
    if (from < f->low || to > f->high || from > to)
        return -1;
    *is_any = *is_any || (is_all && step == 1);
    for (unsigned v = from; v <= to; v += step)
        *bits |= UINT64_C(1) << v;
    return 0;
}

static int field_read(const struct field *f, const char **s, uint64_t *bits,
                      bool *is_any)
{
    *bits = 0;
    *is_any = false;
    *s += strspn(*s, " \t");
    for (;;) {
        if (range_read(f, s, bits, is_any) < 0)
            return -1;
        if (**s != ',')
            return **s == '\0' || **s == ' ' || **s == '\t' ? 0 : -1;
        ++*s;
    }
}

static int named_parse(const char *s, struct kube_schedule *x)
{
    static const char *const names[][2] = {
        { "@yearly", "0 0 1 1 *" },  { "@annually", "0 0 1 1 *" },
        { "@monthly", "0 0 1 * *" }, { "@weekly", "0 0 * * 0" },
        { "@daily", "0 0 * * *" },   { "@midnight", "0 0 * * *" },
        { "@hourly", "0 * * * *" },
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcasecmp(s, names[i][0]) == 0)
            return kube_schedule_parse(names[i][1], x);
    }
    if (strncmp(s, "@every ", 7) != 0)
        return -1;
    s += 7 + strspn(s + 7, " ");
    if (gs_duration_parse(s, strlen(s), &x->every) < 0)
        return -1;
    x->every -= x->every % GS_SECOND; /* and at least one */
    x->every = x->every ? x->every : GS_SECOND;
    return 0;
}

int kube_schedule_parse(const char *s, struct kube_schedule *x)
{
    uint64_t bits[5];
    bool is_any[5];

    assert(s && x);
    *x = (struct kube_schedule){ 0 };
    s += strspn(s, " \t\n");
    if (*s == '@')
        return named_parse(s, x);
    for (int i = 0; i < 5; i++) {
        if (field_read(&fields[i], &s, &bits[i], &is_any[i]) < 0)
            return -1;
    }
    if (s[strspn(s, " \t\n")])
        return -1;
    x->minute = bits[0];
    x->hour = (uint32_t)bits[1];
    x->day = (uint32_t)bits[2];
    x->month = (uint32_t)bits[3];
    x->weekday = (uint32_t)bits[4];
    x->is_any_day = is_any[2];
    x->is_any_weekday = is_any[4];
    return 0;
}

/* --- runs ----------------------------------------------------------------- */

/* Is the civil day, counted from 1970-01-01, one of the schedule? */
static bool is_day(const struct kube_schedule *x, int64_t day)
{
    int year, month, mday;
    bool by_day, by_weekday;

    gs_date_civil(day, &year, &month, &mday);
    by_day = x->day >> mday & 1;
    by_weekday = x->weekday >> ((day % 7 + 11) % 7) & 1; /* 1970: Thursday */
    if (!(x->month >> month & 1))
        return false;
    return x->is_any_day || x->is_any_weekday ? by_day && by_weekday
                                              : by_day || by_weekday;
}

/* The first minute of the day from `minute` on; -1. */
static int minute_find(const struct kube_schedule *x, int minute)
{
    for (int m = minute; m < 24 * 60; m++) {
        if (!(x->hour >> m / 60 & 1))
            m += 59 - m % 60;
        else if (x->minute >> m % 60 & 1)
            return m;
    }
    return -1;
}

int64_t kube_schedule_next(const struct kube_schedule *x, int64_t us)
{
    const int64_t local = us + x->zone;
    int64_t day = (local >= 0 ? local : local - DAY + 1) / DAY;
    int minute = (int)((local - day * DAY) / MINUTE) + 1;

    if (x->every)
        return us > INT64_MAX - x->every ? INT64_MAX : us + x->every;
    for (int i = 0; i < DAYS_MAX; i++, day++, minute = 0) {
        const int m = is_day(x, day) ? minute_find(x, minute) : -1;

        if (m >= 0)
            return day * DAY + m * MINUTE - x->zone;
    }
    return INT64_MAX;
}
