/* reports/page/page_table.c - runs and metrics as tables that can be sorted. */
#include <math.h>
#include <string.h>

#include "reports/page/page_private.h"

#define ROWS_MAX 2000u /* of the table of all metrics */

/* The columns of the table of runs. */
static const struct {
    const char *name, *head;
} headline[] = {
    { "wait.mean", "Mean wait" },
    { "wait.p95", "Wait, 95th percentile" },
    { "jct.mean", "Mean completion" },
    { "gpu.busy", "GPUs busy" },
    { "gpu.hoarded", "Hoarded" },
    { "frag.capacity_share", "Scattered" },
    { "goodput", "Goodput" },
    { "fair.drf_max_gap", "Largest queue gap" },
    { "deadlock.jobs", "Deadlocked jobs" },
    { "jobs.unfinished", "Unfinished jobs" },
};

#define N_HEADLINE (sizeof(headline) / sizeof(headline[0]))

/* Is the group the best of those that have the metric, and not all are? */
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

static void value_put(const struct report_page *p, const struct compare_row *r,
                      uint32_t group, FILE *out)
{
    const struct compare_figure *f = page_figure(p, r, group);
    char text[COMPARE_TEXT];

    if (is_best(p, r, group))
        fprintf(out,
                "<span class=\"best\">%s<span class=\"vh\"> (best)</span>"
                "</span>",
                compare_value(r, f, text));
    else
        fputs(compare_value(r, f, text), out);
    if (compare_spread(r, f, text)[0])
        fprintf(out, " <span class=\"soft\">%s</span>", text);
}

/* --- runs as rows ------------------------------------------------------------ */

/* The values of the axes on which runs differ, as cells. */
static void axes_put(const struct report_page *p, uint32_t group, FILE *out)
{
    for (uint32_t i = 0; i < p->axes; i++) {
        const struct page_axis *a = &p->axis[i];
        const char *value = page_group_value(p, group, a);
        const uint32_t k = page_axis_find(a, value);

        if (a->values < 2)
            continue;
        fputs("<td class=\"text\"", out);
        if (a->is_numeric && k < a->values)
            fprintf(out, " data-v=\"%.9g\"", a->number[k]);
        fputc('>', out);
        page_axis_value(a, value, out);
        fputs("</td>", out);
    }
}

static void run_row_put(const struct report_page *p, uint32_t group, FILE *out)
{
    fputs("<tr><th scope=\"row\">", out);
    page_html(p->compare->group[group].title, out);
    fputs("</th>", out);
    axes_put(p, group, out);
    for (size_t k = 0; k < N_HEADLINE; k++) {
        const struct compare_row *r = page_row(p, headline[k].name);

        if (!r)
            continue;
        if (page_figure(p, r, group)->n == 0) {
            fputs("<td data-v=\"\">-</td>", out);
            continue;
        }
        fprintf(out, "<td data-v=\"%.9g\">", page_figure(p, r, group)->mean);
        value_put(p, r, group, out);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void runs_put(const struct report_page *p, FILE *out)
{
    fputs("<div class=\"wide\" tabindex=\"0\" role=\"group\""
          " aria-label=\"table of runs\">\n<table class=\"sort\">\n"
          "<caption>The runs by their headline metrics; the best in bold. "
          "Press a heading to sort.</caption>\n"
          "<thead><tr><th scope=\"col\">Run</th>",
          out);
    for (uint32_t i = 0; i < p->axes; i++) {
        if (p->axis[i].values < 2)
            continue;
        fputs("<th scope=\"col\" class=\"text\">", out);
        page_html(p->axis[i].name, out);
        fputs("</th>", out);
    }
    for (size_t k = 0; k < N_HEADLINE; k++) {
        if (page_row(p, headline[k].name))
            fprintf(out, "<th scope=\"col\">%s</th>", headline[k].head);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t g = 0; g < p->compare->groups; g++)
        run_row_put(p, g, out);
    fputs("</tbody></table></div>\n", out);
}

/* --- metrics as rows ------------------------------------------------------------ */

/* What the column is sorted by: the first one's value, the others' part of
 * it.
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
    static const char *const class[] = { "good", "bad", "", "soft", "" };
    static const char *const word[] = { "better", "worse", "the same",
                                        "no significant difference" };
    static const char marks[] = "+-=~ ";
    const size_t none = sizeof(marks) - 2;
    const struct compare_figure *f = page_figure(p, r, group);
    const char mark = compare_mark(r, f);
    const size_t k = (size_t)(strchr(marks, mark) - marks);
    char text[COMPARE_TEXT];

    fputs("<td data-v=\"", out);
    key_put(p, r, group, out);
    fputs("\">", out);
    if (f->n)
        value_put(p, r, group, out);
    else
        fputc('-', out);
    compare_difference(r, f, text);
    if (text[0] || k < none)
        fprintf(out, " <span class=\"%s\">", class[k]);
    if (text[0]) {
        page_html(text, out);
        fputc(' ', out);
    }
    if (k < none)
        fprintf(out,
                "<span aria-hidden=\"true\">%c</span>"
                "<span class=\"vh\">%s</span>",
                mark, word[k]);
    if (text[0] || k < none)
        fputs("</span>", out);
    fputs("</td>", out);
}

/* With places where a narrow column may break it. */
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

    fprintf(out,
            "<div class=\"wide\" tabindex=\"0\" role=\"group\""
            " aria-label=\"table of metrics\">\n"
            "<table class=\"sort metrics\">\n"
            "<caption>%s</caption>\n<thead><tr>"
            "<th scope=\"col\">Metric</th>",
            caption);
    for (uint32_t g = 0; g < c->groups; g++) {
        fputs("<th scope=\"col\">", out);
        page_html(c->group[g].title, out);
        fputs("</th>", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t i = 0; i < c->selected_count && i < ROWS_MAX; i++) {
        const struct compare_row *r = c->selected[i];

        fputs("<tr><th scope=\"row\"", out);
        if (r->info) {
            fputs(" title=\"", out);
            page_html(r->info->definition, out);
            fputc('"', out);
        }
        fputc('>', out);
        metric_name(compare_row_name(r, name, sizeof(name)), out);
        fputs("</th>", out);
        for (uint32_t g = 0; g < c->groups; g++)
            metric_cell_put(p, r, g, out);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    if (c->selected_count > ROWS_MAX)
        fprintf(out, "<p class=\"note\">%u more are left out.</p>\n",
                (unsigned)(c->selected_count - ROWS_MAX));
}

/* --- where runs come from --------------------------------------------------------- */

static void origins_put(const struct report_page *p, FILE *out)
{
    fputs(
        "<div class=\"wide\" tabindex=\"0\" role=\"group\""
        " aria-label=\"table of inputs\">\n<table>\n"
        "<caption>What the runs were made from.</caption>\n<thead><tr>"
        "<th scope=\"col\">Run</th><th scope=\"col\" class=\"text\">Policy</th>"
        "<th scope=\"col\" class=\"text\">Trace</th><th scope=\"col\" class=\"text\">Topology</th>"
        "<th scope=\"col\">GPUs</th><th scope=\"col\">Seed</th>"
        "<th scope=\"col\" class=\"text\">Status</th><th scope=\"col\" class=\"text\">gsim</th>"
        "</tr></thead>\n<tbody>\n",
        out);
    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const struct page_run *r = &p->run[run];
        const char *const text[] = { r->policy, r->trace, r->topology };

        fputs("<tr><th scope=\"row\">", out);
        page_html(p->compare->run[run].title, out);
        fputs("</th>", out);
        for (size_t k = 0; k < 3; k++) {
            fputs("<td class=\"text\">", out);
            page_html(text[k], out);
            fputs("</td>", out);
        }
        fprintf(out, "<td>%.0f</td><td>%llu</td><td class=\"text\">", r->gpus,
                (unsigned long long)r->seed);
        page_html(r->status, out);
        fputs("</td><td class=\"text\">", out);
        page_html(r->version, out);
        fputs("</td></tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
}

void page_tables(struct report_page *p, FILE *out)
{
    fputs("<section id=\"tables\">\n<h2>Comparison</h2>\n", out);
    runs_put(p, out);
    (void)report_compare_select_all(p->compare, p->metric, p->metrics);
    metrics_put(
        p,
        p->compare->groups == 1 ? "Metrics."
        : p->compare->is_grouped
            ? "Metrics; differences are to the first column, of "
              "shares in points (pt): + better, - worse, = the same, ~ no significant "
              "difference. Other columns sort by their part of the "
              "first."
            : "Metrics; differences are to the first run, of shares "
              "in points (pt): + better, - worse, = the same. Other columns sort by "
              "their part of the first.",
        out);
    fputs("<details><summary>All metrics, by queue and by size too</summary>\n",
          out);
    report_compare_select(p->compare, "*");
    metrics_put(p, "All metrics.", out);
    fputs("</details>\n", out);
    origins_put(p, out);
    fputs("</section>\n", out);
}

void page_glossary(FILE *out)
{
    const struct report_metric_info *m;
    const struct report_term *t;

    fputs("<section id=\"glossary\">\n<h2>What the metrics mean</h2>\n<dl>\n",
          out);
    for (size_t i = 0; (m = report_glossary_at(i)); i++) {
        const char *better = report_better_name(m->better);

        fputs("<dt>", out);
        page_html(m->name, out);
        fprintf(out, " <span class=\"soft\">(%s%s%s)</span></dt><dd>",
                report_unit_name(m->unit), *better ? "; " : "", better);
        page_html(m->definition, out);
        fputs("</dd>\n", out);
    }
    for (size_t i = 0; (t = report_glossary_term(i)); i++) {
        fputs("<dt>", out);
        page_html(t->term, out);
        fputs("</dt><dd>", out);
        page_html(t->definition, out);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n</section>\n", out);
}
