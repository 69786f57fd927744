/* reports/table/cell_text.c - texts as cells of tables. */
#include "reports/table/cell_text.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/duration.h"
#include "base/text.h"

void report_format_text(const char *s, uint32_t width, bool is_left, FILE *out)
{
    const size_t length = gs_text_length(s);
    const bool is_cut = length > width - 1;
    const size_t kept = is_cut ? width - 2 : length;
    const int blanks = (int)(width - kept - is_cut);

    assert(s && out);
    if (!is_left)
        fprintf(out, "%*s", blanks, "");
    fwrite(s, 1, gs_text_bytes(s, kept), out);
    if (is_cut)
        fputc('~', out);
    if (is_left)
        fprintf(out, "%*s", blanks, "");
}

const char *report_format_value(enum report_unit unit, double value, char *buf)
{
    assert(buf);
    switch (unit) {
    case REPORT_SECONDS:
        if (fabs(value) * 1e6 < (double)GS_TIME_MAX) /* otherwise not a time
                                                        of gsim */
            return gs_duration_human((int64_t)floor(value * 1e6 + 0.5), buf,
                                     REPORT_VALUE_TEXT);
        break;
    case REPORT_SHARE:
        snprintf(buf, REPORT_VALUE_TEXT, "%.2f %%", value * 100);
        return buf;
    case REPORT_COUNT:
        snprintf(buf, REPORT_VALUE_TEXT, "%.0f", value);
        return buf;
    case REPORT_RATIO:
    case REPORT_GPU_HOURS:
    case REPORT_HOURS:
    case REPORT_JOBS_PER_HOUR:
        break;
    }
    snprintf(buf, REPORT_VALUE_TEXT, value < 100 ? "%.2f" : "%.0f", value);
    return buf;
}

const char *report_format_change(double change, const char *unit, char *buf)
{
    const double size = fabs(change);
    const char sign = change < 0 ? '-' : '+';
    const bool has_digit = size < 9.95 || (size >= 99.5 && size < 99.95);

    assert(unit && buf);
    if (size == 0)
        snprintf(buf, REPORT_VALUE_TEXT, "0%s", unit);
    else if (size < 0.005)
        snprintf(buf, REPORT_VALUE_TEXT, "%c~0%s", sign, unit);
    else if (size < 0.095) /* "+.03": one more digit in the same width */
        snprintf(buf, REPORT_VALUE_TEXT, "%c.%02.0f%s", sign, size * 100, unit);
    else if (size >= 99.95 && size < 100)
        snprintf(buf, REPORT_VALUE_TEXT, "%c~100%s", sign, unit);
    else
        snprintf(buf, REPORT_VALUE_TEXT, "%c%.*f%s", sign, has_digit, size,
                 unit);
    return buf;
}

void report_format_markdown(const char *s, FILE *out)
{
    assert(s && out);
    for (; *s; s++) {
        if (*s == '<')
            fputs("&lt;", out);
        else if (*s == '&')
            fputs("&amp;", out);
        else {
            if (strchr("|\\`*_[]", *s))
                fputc('\\', out);
            fputc(*s, out);
        }
    }
}

const char *report_entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

const char *report_format_devices(uint64_t devices, char *buf, size_t size)
{
    buf[0] = '\0';
    for (unsigned from = 0; from < 64; from++) {
        unsigned to = from;

        if (!(devices >> from & 1))
            continue;
        while (to < 63 && devices >> (to + 1) & 1)
            to++;
        if (strlen(buf) + sizeof(",63-63,...") > size)
            return gs_text_add(buf, size, ",...");
        gs_text_add(buf, size, "%s%u", buf[0] ? "," : "", from);
        if (to > from)
            gs_text_add(buf, size, "-%u", to);
        from = to;
    }
    return buf;
}
