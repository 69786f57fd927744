/* import/slurm/slurm_values.c - see slurm_values.h. */
#include "import/slurm/slurm_values.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/duration.h"
#include "base/quantity.h"

bool slurm_is_word(const char *text, size_t len, const char *word)
{
    if (len == 0 || ((text[0] ^ word[0]) & ~0x20)) /* one case is the other */
        return len == 0 && !word[0];
    return strlen(word) == len && strncasecmp(text, word, len) == 0;
}

bool slurm_text_has(const char *text, size_t size, const char *word)
{
    const size_t len = strlen(word);
    const char *end = text + size;

    while ((size_t)(end - text) >= len) {
        if (memcmp(text, word, len) == 0)
            return true;
        text = memchr(text + 1, word[0], (size_t)(end - text) - 1);
        if (!text)
            return false;
    }
    return false;
}

bool slurm_is_none(const char *text, size_t len)
{
    static const char *const none[] = { "None",         "Unknown", "N/A",
                                        "(null)",       "NONE",    "INVALID",
                                        "None assigned" };

    if (len == 0)
        return true;
    switch (text[0]) { /* most cells are something */
    case 'N':
    case 'n':
    case 'U':
    case 'u':
    case 'I':
    case 'i':
    case '(':
        break;
    default:
        return false;
    }
    for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
        if (slurm_is_word(text, len, none[i]))
            return true;
    }
    return false;
}

/* Numbers with colons between, at most 3 of at most 10 digits. */
static int clock_read(const char *p, const char *end, int64_t *part, int *parts)
{
    *parts = 0;
    while (*parts < 3) {
        const char *from = p;
        int64_t v = 0;

        while (p < end && *p >= '0' && *p <= '9' && p - from < 10)
            v = v * 10 + (*p++ - '0');
        if (p == from)
            return -1;
        part[(*parts)++] = v;
        if (p == end)
            return 0;
        if (*p++ != ':')
            return -1;
    }
    return -1;
}

/* Days before a '-'. */
static int days_read(const char **p, const char *end, int64_t *days)
{
    const char *dash = memchr(*p, '-', (size_t)(end - *p));
    int64_t part[3];
    int parts;

    *days = -1;
    if (!dash)
        return 0;
    if (dash - *p > 10 || clock_read(*p, dash, part, &parts) < 0 || parts != 1)
        return -1;
    *days = part[0];
    *p = dash + 1;
    return 0;
}

static int64_t seconds_of(int64_t d, int64_t h, int64_t m, int64_t s)
{
    const int64_t most = INT64_C(10000000000); /* ten digits, 300 years */
    const int64_t sum = d * 86400 + h * 3600 + m * 60 + s;

    return sum > most ? -1 : sum * GS_SECOND;
}

int slurm_span_read(const char *text, size_t len, int64_t *us)
{
    const char *p = text, *const end = text + len;
    int64_t part[3] = { 0 }, days;
    int parts;

    if (slurm_is_word(text, len, "INFINITE")
        || slurm_is_word(text, len, "UNLIMITED")
        || slurm_is_word(text, len, "-1")) {
        *us = SLURM_INFINITE;
        return 0;
    }
    if (len == 0 || len > 40 || days_read(&p, end, &days) < 0
        || clock_read(p, end, part, &parts) < 0)
        return -1;
    if (days >= 0)
        *us = seconds_of(days, part[0], part[1], part[2]);
    else if (parts == 3)
        *us = seconds_of(0, part[0], part[1], part[2]);
    else
        *us = seconds_of(0, 0, part[0], part[1]);
    return *us < 0 ? -1 : 0;
}

int slurm_elapsed_read(const char *text, size_t len, int64_t *us)
{
    const char *dot = memchr(text, '.', len);

    if (dot)
        len = (size_t)(dot - text);
    return memchr(text, ':', len) ? slurm_span_read(text, len, us) : -1;
}

static int power_of(char c)
{
    static const char units[] = "KMGTPE";
    const char *at = c ? strchr(units, c >= 'a' ? c - 'a' + 'A' : c) : NULL;

    return at ? (int)(at - units) + 1 : 0;
}

int slurm_count_read(const char *text, size_t len, int64_t base, int64_t unit,
                     int64_t *out, size_t *used)
{
    bool is_exact = true;
    size_t digits = 0;
    int power;

    while (digits < len
           && ((text[digits] >= '0' && text[digits] <= '9')
               || text[digits] == '.'))
        digits++;
    power = digits < len ? power_of(text[digits]) : 0;
    for (int i = 0; i < power; i++) {
        if (unit > GS_QUANTITY_MAX / base)
            return -1;
        unit *= base;
    }
    if (digits == 0
        || gs_decimal_parse(text, digits, unit, out, &is_exact) != digits)
        return -1;
    *out += !is_exact;
    *used = digits + (power > 0);
    return 0;
}

int slurm_memory_read(const char *text, size_t len, int64_t *bytes, char *of)
{
    const int64_t mib = INT64_C(1) << 20;
    size_t used = 0;
    bool has_unit = false;

    *of = '\0';
    if (len && (text[len - 1] == 'n' || text[len - 1] == 'c'))
        *of = text[--len];
    for (size_t i = 0; i < len; i++)
        has_unit = has_unit || power_of(text[i]);
    if (slurm_count_read(text, len, 1024, has_unit ? 1 : mib, bytes, &used) < 0)
        return -1;
    if (used < len && (text[used] == 'B' || text[used] == '?'))
        used++;
    return used == len ? 0 : -1;
}

const char *slurm_part_next(const char **p, const char *end, char by,
                            size_t *len)
{
    while (*p < end) {
        const char *from = *p;
        const char *stop = memchr(from, by, (size_t)(end - from));

        if (!stop)
            stop = end;
        *p = stop < end ? stop + 1 : end;
        while (from < stop && (*from == ' ' || *from == '\t'))
            from++;
        while (stop > from && (stop[-1] == ' ' || stop[-1] == '\t'))
            stop--;
        *len = (size_t)(stop - from);
        if (*len)
            return from;
    }
    return NULL;
}
