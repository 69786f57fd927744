/* base/timezone.c - time zones, see timezone.h.
 *
 * A zone is a list of spans of one offset, each from a moment on.  Those of a
 * file of the database (TZif, RFC 8536) are in its second block; its last line
 * is the rule of POSIX for all years after them.
 */
#include "base/timezone.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/err.h"
#include "base/input.h"

#define DAY 86400
#define SPANS_MAX 100000
#define FILE_SIZE_MAX (1u << 20)
#define RULE_FIRST_YEAR 1970
#define RULE_LAST_YEAR 2110

struct span {
    int64_t at; /* UTC; of the first: INT64_MIN */
    int32_t offset;
};

struct gs_zone {
    struct span *span;
    uint32_t count, cap;
};

static void span_add(struct gs_zone *z, int64_t at, int32_t offset)
{
    z->span = gs_array_grow(z->span, &z->cap, z->count + 1, sizeof(*z->span));
    z->span[z->count++] = (struct span){ at, offset };
}

/* --- rules of POSIX ------------------------------------------------------- */

/* "M3.5.0/2": day `day` of week `week` of the month, seconds after midnight. */
struct change {
    int month, week, day;
    int32_t time;
};

struct rule {
    int32_t standard, summer; /* offsets */
    bool has_summer;
    struct change begin, end;
};

static int number_take(const char **p, int least, int most, int *out)
{
    int v = 0, digits = 0;

    while (isdigit((unsigned char)**p) && digits++ < 4)
        v = v * 10 + *(*p)++ - '0';
    *out = v;
    return digits && v >= least && v <= most ? 0 : -1;
}

/* "5", "-1", "05:30": *out in seconds. */
static int time_take(const char **p, int32_t *out)
{
    const int sign = **p == '-' ? -1 : 1;
    int part[3] = { 0, 0, 0 };

    *p += **p == '-' || **p == '+';
    for (int i = 0; i < 3; i++) {
        if (i && **p != ':')
            break;
        *p += i > 0;
        if (number_take(p, 0, i ? 59 : 167, &part[i]) < 0)
            return -1;
    }
    *out = sign * (part[0] * 3600 + part[1] * 60 + part[2]);
    return 0;
}

/* "CET" or "<+03>". */
static bool name_take(const char **p)
{
    const char *from = *p;

    if (*from == '<') {
        const char *end = strchr(from, '>');

        *p = end ? end + 1 : from;
        return end != NULL;
    }
    while (isalpha((unsigned char)**p))
        (*p)++;
    return *p - from >= 3;
}

static int change_take(const char **p, struct change *c)
{
    *c = (struct change){ .time = 7200 };
    if (strncmp(*p, ",M", 2) != 0)
        return -1;
    *p += 2;
    if (number_take(p, 1, 12, &c->month) < 0 || *(*p)++ != '.'
        || number_take(p, 1, 5, &c->week) < 0 || *(*p)++ != '.'
        || number_take(p, 0, 6, &c->day) < 0)
        return -1;
    if (**p != '/')
        return 0;
    (*p)++;
    return time_take(p, &c->time);
}

static int rule_parse(const char *p, struct rule *r)
{
    *r = (struct rule){ 0 };
    if (!name_take(&p) || time_take(&p, &r->standard) < 0)
        return -1;
    r->standard = -r->standard;
    r->summer = r->standard + 3600;
    if (!*p)
        return 0;
    if (!name_take(&p))
        return -1;
    if (*p != ',') {
        if (time_take(&p, &r->summer) < 0)
            return -1;
        r->summer = -r->summer;
    }
    r->has_summer = true;
    return change_take(&p, &r->begin) < 0 || change_take(&p, &r->end) < 0 || *p
               ? -1
               : 0;
}

/* Days from 1970-01-01 to the first of the month. */
static int64_t month_days(int year, int month)
{
    const int64_t y = month <= 2 ? year - 1 : year;
    const int64_t era = y / 400, yoe = y % 400;
    const int64_t doy = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5;

    return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

/* The local time of a change, as if it were UTC. */
static int64_t change_time(const struct change *c, int year)
{
    const int64_t first = month_days(year, c->month);
    const int64_t next = c->month == 12 ? month_days(year + 1, 1)
                                        : month_days(year, c->month + 1);
    const int weekday = (int)((first + 4) % 7); /* 1970-01-01: Thursday */
    int64_t day = first + (c->day - weekday + 7) % 7 + 7 * (c->week - 1);

    while (day >= next)
        day -= 7;
    return day * DAY + c->time;
}

/* Add what the rule says after the last span. */
static void rule_add(struct gs_zone *z, const struct rule *r)
{
    const int64_t after = z->count ? z->span[z->count - 1].at : INT64_MIN;

    if (!z->count)
        span_add(z, INT64_MIN, r->standard);
    else if (!r->has_summer && z->span[z->count - 1].offset != r->standard)
        return; /* the file knows better */
    for (int y = RULE_FIRST_YEAR; r->has_summer && y < RULE_LAST_YEAR; y++) {
        const int64_t begin = change_time(&r->begin, y) - r->standard;
        const int64_t end = change_time(&r->end, y) - r->summer;
        const bool is_north = begin < end;

        for (int i = 0; i < 2; i++) {
            const bool is_begin = (i == 0) == is_north;
            const int64_t at = is_begin ? begin : end;

            if (at > after)
                span_add(z, at, is_begin ? r->summer : r->standard);
        }
    }
}

/* --- files of the database ------------------------------------------------ */

static int64_t big_endian(const unsigned char *p, int bytes)
{
    uint64_t v = p[0] & 0x80 ? UINT64_MAX : 0;

    while (bytes-- > 0)
        v = v << 8 | *p++;
    return (int64_t)v;
}

struct block {
    const unsigned char *at;
    size_t left;
    uint32_t is_utc, is_standard, leaps, times, types, letters;
};

/* The header at the begin of a block. */
static bool header_take(struct block *b)
{
    const unsigned char *p = b->at;

    if (b->left < 44 || memcmp(p, "TZif", 4) != 0)
        return false;
    b->is_utc = (uint32_t)big_endian(p + 20, 4);
    b->is_standard = (uint32_t)big_endian(p + 24, 4);
    b->leaps = (uint32_t)big_endian(p + 28, 4);
    b->times = (uint32_t)big_endian(p + 32, 4);
    b->types = (uint32_t)big_endian(p + 36, 4);
    b->letters = (uint32_t)big_endian(p + 40, 4);
    b->at += 44;
    b->left -= 44;
    return b->times <= SPANS_MAX && b->types >= 1 && b->types <= 256
           && b->leaps <= 1000 && b->letters <= 10000 && b->is_utc <= 256
           && b->is_standard <= 256;
}

static size_t block_size(const struct block *b, size_t time_size)
{
    return b->times * (time_size + 1) + b->types * 6 + b->letters
           + b->leaps * (time_size + 4) + b->is_standard + b->is_utc;
}

static int32_t offset_of(const struct block *b, uint32_t type)
{
    const unsigned char *p = b->at + b->times * 9 + type * 6;

    return (int32_t)big_endian(p, 4);
}

static bool file_take(struct gs_zone *z, const unsigned char *data, size_t size)
{
    struct block b = { .at = data, .left = size };
    struct rule rule;
    char line[128];
    size_t len;

    if (!header_take(&b) || data[4] < '2' || b.left < block_size(&b, 4))
        return false;
    b.left -= block_size(&b, 4);
    b.at += block_size(&b, 4);
    if (!header_take(&b) || b.left < block_size(&b, 8))
        return false;
    span_add(z, INT64_MIN, offset_of(&b, 0));
    for (uint32_t i = 0; i < b.times; i++) {
        const int64_t at = big_endian(b.at + 8 * (size_t)i, 8);
        const uint32_t type = b.at[b.times * (size_t)8 + i];

        if (type >= b.types || at <= z->span[z->count - 1].at)
            return false;
        span_add(z, at, offset_of(&b, type));
    }
    b.left -= block_size(&b, 8);
    b.at += block_size(&b, 8);
    if (b.left < 3 || b.at[0] != '\n')
        return true;
    len = b.left - 1 < sizeof(line) - 1 ? b.left - 1 : sizeof(line) - 1;
    memcpy(line, b.at + 1, len);
    line[len] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (rule_parse(line, &rule) == 0)
        rule_add(z, &rule);
    return true;
}

static bool file_read(struct gs_zone *z, const char *name)
{
    struct gs_err why = { 0 };
    char path[160];
    struct gs_input *in;
    unsigned char *data;
    size_t size = 0, got = 1;
    bool ok = false;

    if (strlen(name) > 100 || strstr(name, "..") || name[0] == '/'
        || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV"
                             "WXYZ0123456789_+-/")])
        return false;
    (void)snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", name);
    in = gs_input_open(path, &why);
    if (!in)
        return false;
    data = gs_array_new(FILE_SIZE_MAX, 1);
    while (got && size < FILE_SIZE_MAX
           && gs_input_read(in, data + size, FILE_SIZE_MAX - size, &got, &why)
                  == 0)
        size += got;
    if (why.count == 0)
        ok = file_take(z, data, size);
    gs_array_free(data);
    gs_input_close(in);
    return ok;
}

/* --- the door ------------------------------------------------------------- */

static bool offset_take(struct gs_zone *z, const char *spec)
{
    const char *p = spec;
    int32_t offset;

    if ((*p != '+' && *p != '-') || time_take(&p, &offset) < 0 || *p)
        return false;
    span_add(z, INT64_MIN, offset);
    return true;
}

struct gs_zone *gs_zone_open(const char *spec, struct gs_err *err)
{
    struct gs_zone *z = gs_array_new(1, sizeof(*z));
    struct rule rule;

    assert(spec);
    if (strcmp(spec, "UTC") == 0 || strcmp(spec, "Z") == 0) {
        span_add(z, INT64_MIN, 0);
        return z;
    }
    if (offset_take(z, spec))
        return z;
    if (rule_parse(spec, &rule) == 0) {
        rule_add(z, &rule);
        return z;
    }
    if (*spec && file_read(z, spec))
        return z;
    gs_zone_close(z);
    gs_fail(err, GS_USAGE, (struct gs_mark){ 0 },
            "a time zone is an offset such as +01:00, or a name such as "
            "Europe/Berlin that the system knows (got '%.60s')",
            spec);
    return NULL;
}

void gs_zone_close(struct gs_zone *z)
{
    if (!z)
        return;
    gs_array_free(z->span);
    gs_array_free(z);
}

/* The last span that may begin before local time `local`. */
static uint32_t span_find(const struct gs_zone *z, int64_t local)
{
    uint32_t low = 0, high = z->count;

    while (high - low > 1) {
        const uint32_t mid = low + (high - low) / 2;

        if (z->span[mid].at + z->span[mid].offset <= local)
            low = mid;
        else
            high = mid;
    }
    return low;
}

/* Does the span end before the local time? */
static bool has_ended(const struct gs_zone *z, uint32_t i, int64_t local)
{
    return i + 1 < z->count && local - z->span[i].offset >= z->span[i + 1].at;
}

int64_t gs_zone_utc(const struct gs_zone *z, int64_t local,
                    enum gs_zone_hour *hour)
{
    const uint32_t i = span_find(z, local);
    enum gs_zone_hour how = GS_ZONE_PLAIN;
    int64_t utc = local - z->span[i].offset;

    if (i > 0 && !has_ended(z, i - 1, local)) {
        how = GS_ZONE_TWICE;
        utc = local - z->span[i - 1].offset;
    } else if (has_ended(z, i, local)) {
        how = GS_ZONE_SKIPPED;
    }
    if (hour)
        *hour = how;
    return utc;
}
