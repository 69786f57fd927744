/* reports/compare_value.c - one value of a comparison, as it is shown. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reports/cells.h"
#include "reports/compare_private.h"

const char *compare_value(const struct compare_row *r, uint32_t run, char *buf)
{
    return report_cell_value(r->info ? r->info->unit : REPORT_RATIO,
                             r->cell[run].value, buf);
}

static bool is_pair(const struct compare_row *r, uint32_t run)
{
    return run > 0 && r->cell[0].is_there && r->cell[run].is_there;
}

char compare_mark(const struct compare_row *r, uint32_t run)
{
    const double a = r->cell[0].value, b = r->cell[run].value;

    if (!is_pair(r, run) || !r->info || r->info->better == REPORT_NEITHER)
        return ' ';
    if (a == b)
        return '=';
    return (b < a) == (r->info->better == REPORT_LOWER) ? '+' : '-';
}

const char *compare_difference(const struct compare_row *r, uint32_t run,
                               char *buf)
{
    const double a = r->cell[0].value, b = r->cell[run].value;
    const double percent = (b - a) / a * 100;

    buf[0] = '\0';
    if (!is_pair(r, run) || a == 0 || a == b)
        return buf;
    if (fabs(b / a) >= 99999.5)
        return strcpy(buf, ">x9999");
    if (fabs(b / a) >= 10)
        snprintf(buf, COMPARE_TEXT, "x%.0f", b / a);
    else
        snprintf(buf, COMPARE_TEXT,
                 fabs(percent) < 9.95 ? "%+.1f%%" : "%+.0f%%", percent);
    return buf;
}

const char *compare_row_name(const struct compare_row *r, char *buf,
                             size_t size)
{
    const char *scope = strcmp(r->scope, "size") == 0 ? "size " : "";

    if (r->label[0])
        snprintf(buf, size, "%s [%s%s]", r->name, scope, r->label);
    else
        snprintf(buf, size, "%s", r->name);
    return buf;
}
