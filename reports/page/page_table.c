/* reports/page/page_table.c - runs and metrics as tables that can be sorted. */
#include <math.h>
#include <string.h>

#include "reports/page/page_private.h"

#define ROWS_MAX 2000u /* of the table of all metrics */

/* --- parts of tables ------------------------------------------------------ */

void page_table_begin(const char *label, const char *class, const char *caption,
                      FILE *out)
{
    page_print(out,
               "<div class=\"wide\" tabindex=\"0\" role=\"group\""
               " aria-label=\"table of %s\">\n<table",
               label);
    if (class[0])
        page_print(out, " class=\"%s\"", class);
    page_print(out, ">\n<caption>%s</caption>\n<thead><tr>", caption);
}

void page_head_put(const char *text, const char *class, FILE *out)
{
    fputs("<th scope=\"col\"", out);
    if (class[0])
        page_print(out, " class=\"%s\"", class);
    page_print(out, ">%s</th>", text);
}

/* True when no group is significantly better, and one is significantly worse.
 */
static bool is_best(const struct report_page *p, const struct compare_row *r,
                    uint32_t group)
{
    bool is_beaten_by_none = true, beats_one = false;

    if (!page_is_ranked(p, r, group))
        return false;
    for (uint32_t i = 0; i < p->compare->groups; i++) {
        struct compare_against a;

        if (!page_is_ranked(p, r, i))
            continue;
        a = compare_between(p->compare, r, i, group);
        if (!compare_is_clear(&a))
            continue;
        if ((a.to < a.from) == (r->info->better == REPORT_LOWER))
            beats_one = true;
        else
            is_beaten_by_none = false;
    }
    return is_beaten_by_none && beats_one;
}

void page_value_put(const struct report_page *p, const struct compare_row *r,
                    uint32_t group, FILE *out)
{
    const struct compare_figure *f = page_figure(p, r, group);
    char text[COMPARE_TEXT];

    page_print(out,
               is_best(p, r, group)
                   ? "<span class=\"best\">%s<span class=\"vh\">"
                     " (best)</span></span>"
                   : "%s",
               compare_value(r, f, text));
    if (compare_spread(r, f, text)[0])
        page_print(out, " <span class=\"soft\">%s</span>", text);
}

/* --- metrics as rows ------------------------------------------------------ */

/* Write the sort key of the column: the value of the first group; for others
 * their ratio to it.
 */
static void key_put(const struct report_page *p, const struct compare_row *r,
                    uint32_t group, FILE *out)
{
    const struct compare_figure *f = page_figure(p, r, group);
    const double a = group ? f->first.from : f->mean, b = f->first.to;

    if (f->n == 0 || (group && !f->first.is_there))
        return;
    if (group == 0)
        fprintf(out, "%.9g", a);
    else if (a == b)
        fputc('1', out);
    else if (a != 0 && isfinite(b / a))
        fprintf(out, "%.9g", b / a);
}

static void metric_cell_put(const struct report_page *p,
                            const struct compare_row *r, uint32_t group,
                            FILE *out)
{
    static const struct {
        char mark;
        const char *class, *word;
    } marks[] = {
        { '+', "good", "better" }, { '-', "bad", "worse" },
        { '=', "", "the same" },   { '~', "soft", "no significant difference" },
        { ' ', "", "" },
    };
    const struct compare_figure *f = page_figure(p, r, group);
    const char mark = compare_mark(r, f);
    char change[COMPARE_TEXT];
    size_t k = 0;

    while (marks[k].mark != mark)
        k++;
    fputs("<td data-v=\"", out);
    key_put(p, r, group, out);
    fputs("\">", out);
    if (f->n)
        page_value_put(p, r, group, out);
    else
        fputc('-', out);
    compare_difference(r, f, change);
    if (change[0] || mark != ' ')
        page_print(out, " <span class=\"%s\">%s%s", marks[k].class, change,
                   change[0] ? " " : "");
    if (mark != ' ')
        fprintf(out,
                "<span aria-hidden=\"true\">%c</span>"
                "<span class=\"vh\">%s</span>",
                mark, marks[k].word);
    fputs(change[0] || mark != ' ' ? "</span></td>" : "</td>", out);
}

/* A name with places where a line may break. */
static void metric_name(const char *name, FILE *out)
{
    for (; *name; name++) {
        char part[2] = { *name, '\0' };

        page_html(part, out);
        if (*name == '.' || *name == '_')
            fputs("<wbr/>", out);
    }
}

static void metrics_put(const struct report_page *p, const char *caption,
                        FILE *out)
{
    const struct report_comparison *c = p->compare;
    char name[512];

    page_table_begin("metrics", "sort metrics", caption, out);
    page_head_put("Metric", "", out);
    for (uint32_t g = 0; g < c->groups; g++)
        page_head_put(page_title(p, g), "", out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < c->selected_count && i < ROWS_MAX; i++) {
        const struct compare_row *r = c->selected[i];

        fputs("<tr><th scope=\"row\"", out);
        if (r->info)
            page_print(out, " title=\"%s\"", r->info->definition);
        fputc('>', out);
        metric_name(compare_row_title(c, r, name, sizeof(name)), out);
        fputs("</th>", out);
        for (uint32_t g = 0; g < c->groups; g++)
            metric_cell_put(p, r, g, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (c->selected_count > ROWS_MAX)
        page_print(out, "<p class=\"note\">%u more are left out.</p>\n",
                   c->selected_count - ROWS_MAX);
}

static const char *metrics_caption(const struct report_comparison *c)
{
    if (c->groups == 1)
        return "Metrics.";
    return c->is_grouped
               ? "Metrics; differences are to the first column, of shares in "
                 "points (pt): + better, - worse, = the same, ~ no significant "
                 "difference. Other columns sort by their part of the first."
               : "Metrics; differences are to the first run, of shares in "
                 "points (pt): + better, - worse, = the same. Other columns "
                 "sort by their part of the first.";
}

void page_tables(struct report_page *p, FILE *out)
{
    fputs("<section id=\"tables\">\n<h2>All figures</h2>\n", out);
    (void)report_compare_select_all(p->compare, p->metric, p->metrics);
    metrics_put(p, metrics_caption(p->compare), out);
    fputs("<details><summary>All metrics, by queue and by size too</summary>\n",
          out);
    report_compare_select(p->compare, "*");
    metrics_put(p, "All metrics.", out);
    fputs("</details>\n</section>\n", out);
}

void page_glossary(FILE *out)
{
    const struct report_metric_info *m;
    const struct report_term *t;

    fputs("<section id=\"glossary\">\n<h2>What the metrics mean</h2>\n<dl>\n",
          out);
    for (size_t i = 0; (m = report_glossary_at(i)); i++) {
        const char *better = report_better_name(m->better);

        page_print(out,
                   "<dt>%s <span class=\"soft\">(%s%s%s)</span></dt>"
                   "<dd>%s</dd>\n",
                   m->name, report_unit_name(m->unit), *better ? "; " : "",
                   better, m->definition);
    }
    for (size_t i = 0; (t = report_glossary_term(i)); i++)
        page_print(out, "<dt>%s</dt><dd>%s</dd>\n", t->term, t->definition);
    fputs("</dl>\n</section>\n", out);
}
