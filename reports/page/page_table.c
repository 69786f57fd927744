/* reports/page/page_table.c - runs and metrics as tables that can be sorted. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"

#define ROWS_MAX 2000u /* of the table of all metrics */

/* The columns of the table of runs. */
static const struct {
    const char *name, *head;
} headline[] = {
    { METRIC_WAIT "mean", "Mean wait" },
    { METRIC_WAIT "p95", "Wait, 95th percentile" },
    { METRIC_JCT "mean", "Mean completion" },
    { METRIC_GPU_BUSY, "GPUs busy" },
    { METRIC_GPU_HOARDED, "Hoarded" },
    { METRIC_FRAG_CAPACITY_SHARE, "Scattered" },
    { METRIC_GOODPUT, "Goodput" },
    { METRIC_FAIR_DRF_MAX_GAP, "Largest queue gap" },
    { METRIC_DEADLOCK_JOBS, "Deadlocked jobs" },
    { METRIC_JOBS_UNFINISHED, "Unfinished jobs" },
};

#define N_HEADLINE (sizeof(headline) / sizeof(headline[0]))

/* --- parts of tables --------------------------------------------------------- */

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

static void value_put(const struct report_page *p, const struct compare_row *r,
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

/* --- runs as rows ------------------------------------------------------------ */

/* Write the values of the axes on which runs differ, as cells. */
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
        page_print(out, ">%s</td>", page_axis_text(a->name, value));
    }
}

static void run_row_put(const struct report_page *p, uint32_t group, FILE *out)
{
    page_print(out, "<tr><th scope=\"row\">%s</th>", page_title(p, group));
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
    page_table_begin("runs", "sort",
                     "The runs by their headline metrics; the best in bold. "
                     "Press a heading to sort.",
                     out);
    page_head_put("Run", "", out);
    for (uint32_t i = 0; i < p->axes; i++) {
        if (p->axis[i].values > 1)
            page_head_put(p->axis[i].name, "text", out);
    }
    for (size_t k = 0; k < N_HEADLINE; k++) {
        if (page_row(p, headline[k].name))
            page_head_put(headline[k].head, "", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t g = 0; g < p->compare->groups; g++)
        run_row_put(p, g, out);
    fputs("</tbody></table></div>\n", out);
}

/* --- metrics as rows ------------------------------------------------------------ */

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
        value_put(p, r, group, out);
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
        metric_name(compare_row_name(r, name, sizeof(name)), out);
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

/* --- inputs of runs --------------------------------------------------------- */

static void origins_put(const struct report_page *p, FILE *out)
{
    static const char *const heads[][2] = {
        { "Run", "" },          { "Policy", "text" }, { "Trace", "text" },
        { "Topology", "text" }, { "GPUs", "" },       { "Seed", "" },
        { "Status", "text" },   { "gsim", "text" },
    };

    page_table_begin("inputs", "", "What the runs were made from.", out);
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        page_head_put(heads[i][0], heads[i][1], out);
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t run = 0; run < p->compare->runs; run++) {
        const struct page_run *r = &p->run[run];

        page_print(out,
                   "<tr><th scope=\"row\">%s</th><td class=\"text\">%s</td>"
                   "<td class=\"text\">%s</td><td class=\"text\">%s</td>",
                   p->compare->run[run].title, r->policy, r->trace,
                   r->topology);
        fprintf(out, "<td>%.0f</td><td>%" PRIu64 "</td>", r->gpus,
                (uint64_t)r->seed);
        page_print(out,
                   "<td class=\"text\">%s</td><td class=\"text\">%s</td>"
                   "</tr>\n",
                   r->status, r->version);
    }
    fputs("</tbody></table></div>\n", out);
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
    fputs("<section id=\"tables\">\n<h2>Comparison</h2>\n", out);
    runs_put(p, out);
    (void)report_compare_select_all(p->compare, p->metric, p->metrics);
    metrics_put(p, metrics_caption(p->compare), out);
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
