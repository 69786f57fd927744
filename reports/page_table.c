/* reports/page_table.c - runs and metrics as tables that can be sorted. */
#include <math.h>
#include <string.h>

#include "reports/page_private.h"

#define ROWS_MAX 2000u /* of the table of all metrics */

/* The columns of the table of runs. */
static const struct {
    const char *name, *head;
} headline[] = {
    { "wait.mean", "Mean wait" },
    { "wait.p95", "Wait, 95th percentile" },
    { "jct.mean", "Mean completion" },
    { "gpu.allocated", "GPUs held" },
    { "gpu.hoarded", "Hoarded" },
    { "frag.capacity_share", "Scattered" },
    { "goodput", "Goodput" },
    { "fair.drf_max_gap", "Largest queue gap" },
    { "deadlock.jobs", "Deadlocked jobs" },
    { "jobs.unfinished", "Unfinished jobs" },
};

#define N_HEADLINE (sizeof(headline) / sizeof(headline[0]))

/* Is run the best of those that have the metric, and not all are? */
static bool is_best(const struct report_page *p, const struct compare_row *r,
                    uint32_t run)
{
    const double v = r->cell[run].value;
    bool is_beaten_by_none = true, beats_one = false;

    if (!page_is_ranked(p, r, run))
        return false;
    for (uint32_t i = 0; i < p->compare->runs; i++) {
        const double w = r->cell[i].value;

        if (!page_is_ranked(p, r, i) || v == w)
            continue;
        if ((v < w) == (r->info->better == REPORT_LOWER))
            beats_one = true;
        else
            is_beaten_by_none = false;
    }
    return is_beaten_by_none && beats_one;
}

static void value_put(const struct report_page *p, const struct compare_row *r,
                      uint32_t run, FILE *out)
{
    char value[COMPARE_TEXT];

    if (is_best(p, r, run))
        fprintf(out,
                "<span class=\"best\">%s<span class=\"vh\"> (best)</span>"
                "</span>",
                compare_value(r, run, value));
    else
        fputs(compare_value(r, run, value), out);
}

/* --- runs as rows ------------------------------------------------------------ */

static void run_row_put(const struct report_page *p, uint32_t run, FILE *out)
{
    fputs("<tr><th scope=\"row\">", out);
    page_html(p->compare->run[run].title, out);
    fputs("</th>", out);
    for (size_t k = 0; k < N_HEADLINE; k++) {
        const struct compare_row *r = page_row(p, headline[k].name);

        if (!r)
            continue;
        if (!r->cell[run].is_there) {
            fputs("<td data-v=\"\">-</td>", out);
            continue;
        }
        fprintf(out, "<td data-v=\"%.9g\">", r->cell[run].value);
        value_put(p, r, run, out);
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
    for (size_t k = 0; k < N_HEADLINE; k++) {
        if (page_row(p, headline[k].name))
            fprintf(out, "<th scope=\"col\">%s</th>", headline[k].head);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t run = 0; run < p->compare->runs; run++)
        run_row_put(p, run, out);
    fputs("</tbody></table></div>\n", out);
}

/* --- metrics as rows ------------------------------------------------------------ */

/* What the column is sorted by: the first run's value, the others' part of
 * it.
 */
static void key_put(const struct compare_row *r, uint32_t run, FILE *out)
{
    const double a = r->cell[0].value, b = r->cell[run].value;

    if (!r->cell[run].is_there || (run && !r->cell[0].is_there))
        return;
    if (run == 0)
        fprintf(out, "%.9g", a);
    else if (a == b)
        fputc('1', out);
    else if (a != 0 && isfinite(b / a))
        fprintf(out, "%.9g", b / a);
}

static void metric_cell_put(const struct report_page *p,
                            const struct compare_row *r, uint32_t run,
                            FILE *out)
{
    static const char *const class[] = { "good", "bad", "" };
    static const char *const word[] = { "better", "worse", "the same" };
    static const char marks[] = "+-=";
    const char mark = compare_mark(r, run);
    char text[COMPARE_TEXT];
    size_t k;

    fputs("<td data-v=\"", out);
    key_put(r, run, out);
    fputs("\">", out);
    if (r->cell[run].is_there)
        value_put(p, r, run, out);
    else
        fputc('-', out);
    k = mark == ' ' ? 3 : (size_t)(strchr(marks, mark) - marks);
    compare_difference(r, run, text);
    if (text[0] || k < 3)
        fprintf(out, " <span class=\"%s\">", k < 3 ? class[k] : "");
    if (text[0]) {
        page_html(text, out);
        fputc(' ', out);
    }
    if (k < 3)
        fprintf(out,
                "<span aria-hidden=\"true\">%c</span>"
                "<span class=\"vh\">%s</span>",
                mark, word[k]);
    if (text[0] || k < 3)
        fputs("</span>", out);
    fputs("</td>", out);
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
    for (uint32_t run = 0; run < c->runs; run++) {
        fputs("<th scope=\"col\">", out);
        page_html(c->run[run].title, out);
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
        page_html(compare_row_name(r, name, sizeof(name)), out);
        fputs("</th>", out);
        for (uint32_t run = 0; run < c->runs; run++)
            metric_cell_put(p, r, run, out);
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
    report_compare_select(p->compare, NULL);
    metrics_put(p,
                p->compare->runs > 1
                    ? "Metrics; percentages compare with the first run: + "
                      "better, - worse, = the same. Other columns sort by "
                      "their part of the first."
                    : "Metrics.",
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
    static const char *const sense[] = { [REPORT_NEITHER] = "",
                                         [REPORT_LOWER] = "; lower is better",
                                         [REPORT_HIGHER] =
                                             "; higher is better" };
    const struct report_metric_info *m;

    fputs("<section id=\"glossary\">\n<h2>What the metrics mean</h2>\n<dl>\n",
          out);
    for (size_t i = 0; (m = report_glossary_at(i)); i++) {
        fputs("<dt>", out);
        page_html(m->name, out);
        fprintf(out, " <span class=\"soft\">(%s%s)</span></dt><dd>",
                report_unit_name(m->unit), sense[m->better]);
        page_html(m->definition, out);
        fputs("</dd>\n", out);
    }
    fputs("</dl>\n</section>\n", out);
}
