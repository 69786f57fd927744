/* reports/page/page_board.c - one row a run, with the figures that decide. */
#include <math.h>

#include "reports/glossary/metric_names.h"
#include "reports/page/page_private.h"

static const struct {
    const char *name, *head;
} columns[] = {
    { METRIC_WAIT "mean", "Mean wait" },
    { METRIC_WAIT "p95", "95 % wait no longer than" },
    { METRIC_LARGE_START_DELAY "mean", "Large jobs start after" },
    { METRIC_GPU_TIME_USEFUL, "Useful GPU time" },
    { METRIC_GPU_TIME_FRAGMENTED, "Fragmented" },
    { METRIC_DEADLOCK_JOBS, "Deadlocked jobs" },
    { METRIC_JOBS_UNFINISHED, "Unfinished jobs" },
};

#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

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

/* The largest figure of the column: the full length of its bars. */
static double most_of(const struct report_page *p, const struct compare_row *r)
{
    double most = 0;

    for (uint32_t g = 0; g < p->compare->groups; g++)
        most = fmax(most, page_figure(p, r, g)->mean);
    return most;
}

static void cell_put(const struct report_page *p, const struct compare_row *r,
                     uint32_t group, FILE *out)
{
    const struct compare_figure *f = page_figure(p, r, group);
    const double most = most_of(p, r);

    if (f->n == 0) {
        fputs("<td data-v=\"\">-</td>", out);
        return;
    }
    fprintf(out, "<td data-v=\"%.9g\">", f->mean);
    page_value_put(p, r, group, out);
    fprintf(out, "<i class=\"gauge\" style=\"width:%.1f%%\"></i></td>",
            most > 0 && f->mean > 0 ? 100 * f->mean / most : 0);
}

static void row_put(const struct report_page *p, uint32_t group, FILE *out)
{
    page_print(out, "<tr data-run=\"%s\"><th scope=\"row\">",
               page_short(p, page_title(p, group)));
    if (group < page_drawn(p))
        page_print(out, "<i class=\"run%u\"></i>", group);
    page_print(out, "%s</th>", page_title(p, group));
    axes_put(p, group, out);
    for (size_t k = 0; k < N_COLUMNS; k++) {
        const struct compare_row *r = page_row(p, columns[k].name);

        if (r)
            cell_put(p, r, group, out);
    }
    fputs("</tr>\n", out);
}

void page_board(const struct report_page *p, FILE *out)
{
    fputs("<section id=\"board\">\n", out);
    page_table_begin("runs", "sort board",
                     "The best in bold; a bar is as long as the figure of its "
                     "column. A heading sorts, a run's name hides it.",
                     out);
    page_head_put("Run", "", out);
    for (uint32_t i = 0; i < p->axes; i++) {
        if (p->axis[i].values > 1)
            page_head_put(p->axis[i].name, "text", out);
    }
    for (size_t k = 0; k < N_COLUMNS; k++) {
        if (page_row(p, columns[k].name))
            page_head_put(columns[k].head, "", out);
    }
    fputs("</tr></thead>\n<tbody>\n", out);
    for (uint32_t g = 0; g < p->compare->groups; g++)
        row_put(p, g, out);
    fputs("</tbody></table></div>\n</section>\n", out);
}
