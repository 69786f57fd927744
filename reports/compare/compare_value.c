/* reports/compare/compare_value.c - formats values of a comparison. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "reports/compare/compare_private.h"
#include "reports/glossary/metric_names.h"
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

bool compare_bound(const struct report_comparison *c,
                   const struct compare_row *r, double *least)
{
    const size_t prefix = strlen(METRIC_BOUND);
    const struct compare_row *bound = NULL;

    for (uint32_t i = 0; i < c->rows && !bound && r->label[0] == '\0'; i++) {
        const char *name = c->row[i].name;

        if (strncmp(name, METRIC_BOUND, prefix) == 0
            && strcmp(name + prefix, r->name) == 0)
            bound = &c->row[i];
    }
    *least = (double)INFINITY;
    for (uint32_t run = 0; bound && run < c->runs; run++) {
        if (!r->cell[run].is_there)
            continue;
        if (!bound->cell[run].is_there)
            return false;
        *least = fmin(*least, bound->cell[run].value);
    }
    return *least > 0 && isfinite(*least);
}

const char *compare_row_title(const struct report_comparison *c,
                              const struct compare_row *r, char *buf,
                              size_t size)
{
    struct compare_figure f = { .n = 1 };
    char value[COMPARE_TEXT];

    compare_row_name(r, buf, size);
    if (compare_bound(c, r, &f.mean))
        snprintf(buf + strlen(buf), size - strlen(buf), " (bound %s)",
                 compare_value(r, &f, value));
    return buf;
}
