/* reports/compare/compare_value.c - formats values of a comparison. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "reports/table/cell_text.h"

static enum report_unit unit_of(const struct compare_row *r)
{
    return r->info ? r->info->unit : REPORT_RATIO;
}

enum report_unit compare_unit(const struct report_metric_info *info,
                              double mean)
{
    const enum report_unit unit = info ? info->unit : REPORT_RATIO;

    return unit == REPORT_COUNT && mean != floor(mean) ? REPORT_RATIO : unit;
}

const char *compare_value(const struct compare_row *r,
                          const struct compare_figure *f, char *buf)
{
    if (f->is_endless)
        return strcpy(buf, "endless");
    return report_format_value(compare_unit(r->info, f->mean), f->mean, buf);
}

const char *compare_spread(const struct compare_row *r,
                           const struct compare_figure *f, char *buf)
{
    static const char sign[] = "\xc2\xb1"; /* plus-minus */
    const double reach = (f->high - f->low) / 2;
    const enum report_unit unit = unit_of(r);
    char text[COMPARE_TEXT];

    buf[0] = '\0';
    if (!f->has_interval || f->is_endless)
        return buf;
    if (reach == 0)
        strcpy(text, "0");
    else if (unit == REPORT_SHARE)
        snprintf(text, sizeof(text), "%.2fpt", reach * 100);
    else
        report_format_value(unit == REPORT_COUNT ? REPORT_RATIO : unit, reach,
                            text);
    text[COMPARE_TEXT - sizeof(sign)] = '\0';
    strcpy(buf, sign);
    return gs_text_add(buf, COMPARE_TEXT, "%s", text);
}

char compare_mark(const struct compare_row *r, const struct compare_figure *f)
{
    const struct compare_against *a = &f->first;
    const bool has_sense = r->info && r->info->better != REPORT_NEITHER;

    if (f->endless && strchr("+-~", f->endless))
        return f->endless;
    if (a->test == COMPARE_NONE || !a->is_fair)
        return ' ';
    if (a->test == COMPARE_EXACT ? a->from == a->to
                                 : a->low == 0 && a->high == 0)
        return has_sense ? '=' : ' ';
    if (!compare_is_clear(a))
        return '~';
    if (!has_sense)
        return ' ';
    return (a->to < a->from) == (r->info->better == REPORT_LOWER) ? '+' : '-';
}

const char *compare_difference(const struct compare_row *r,
                               const struct compare_figure *f, char *buf)
{
    const double a = f->first.from, b = f->first.to;
    const double percent = (b - a) / a * 100;

    buf[0] = '\0';
    if (!f->first.is_there || a == b || f->first.is_endless)
        return buf;
    if (unit_of(r) == REPORT_SHARE)
        return report_format_change((b - a) * 100, "pt", buf);
    if (a == 0)
        return buf;
    if (fabs(b / a) >= 99999.5)
        return strcpy(buf, ">x9999");
    if (fabs(b / a) >= 10)
        snprintf(buf, COMPARE_TEXT, "x%.0f", b / a);
    else
        report_format_change(percent, "%", buf);
    return buf;
}

const char *compare_row_name(const struct compare_row *r, char *buf,
                             size_t size)
{
    const char *scope = strcmp(r->scope, "size") == 0  ? "size "
                        : strcmp(r->scope, "qos") == 0 ? "qos "
                                                       : "";

    if (r->label[0])
        snprintf(buf, size, "%s [%s%s]", r->name, scope, r->label);
    else
        snprintf(buf, size, "%s", r->name);
    return buf;
}
