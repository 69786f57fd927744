/* reports/page/page_script.c - gnuplot scripts: settings, data, a template.
 *
 * Numbers are written by printf, texts by report_gnuplot_string; nothing else
 * of a database gets there.
 */
#include <math.h>

#include "base/output.h"
#include "base/text.h"
#include "reports/glossary/cause_info.h"
#include "reports/page/page_private.h"

#define WIDTH 900
#define KEY_LINE 19 /* pixels */
#define PANEL 262   /* of curves, with its axis */
#define TICS_MAX 10u

/* Columns and lines of a legend. */
struct legend {
    int columns, rows;
};

static struct legend legend_of(const struct report_page *p,
                               const struct page_plot *plot)
{
    const uint32_t names = plot->curves ? plot->curves->lines : page_drawn(p);
    size_t longest = 0;
    int columns;

    if (plot->picture->legend_columns)
        return (struct legend){ plot->picture->legend_columns,
                                plot->picture->legend_rows };
    for (uint32_t i = 0; i < names; i++) {
        const size_t length = gs_text_length(
            page_short(p, plot->curves ? plot->curves->line[i]
                                       : p->compare->run[i].title));

        longest = length > longest ? length : longest;
    }
    columns = (WIDTH - 40) / (70 + 9 * (int)longest);
    return (struct legend){ columns, ((int)names + columns - 1) / columns };
}

static int height_of(const struct report_page *p, const struct page_plot *plot,
                     int legend_rows)
{
    const struct page_picture *pic = plot->picture;

    if (plot->curves)
        return pic->height + KEY_LINE * legend_rows
               + PANEL * (int)((plot->curves->metrics + 1) / 2);
    return pic->height + pic->per_run * (int)page_drawn(p)
           + pic->per_label * (int)(plot->data ? plot->data->labels : 0)
           + (pic->has_names ? KEY_LINE * legend_rows : 0);
}

struct unit {
    double size; /* in units of the stored value */
    const char *name;
};

/* The unit for a span of `span` seconds. */
static struct unit unit_of_span(double span)
{
    static const struct unit units[] = { { 86400, "days" },
                                         { 3600, "hours" },
                                         { 60, "minutes" } };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (span >= 2.5 * units[i].size)
            return units[i];
    }
    return (struct unit){ 1, "seconds" };
}

static void time_unit(double span, FILE *out)
{
    const struct unit u = unit_of_span(span);

    fprintf(out, "unit = %.1f\nunitname = '%s since the start'\n", u.size,
            u.name);
}

static void number(double v, char end, FILE *out)
{
    if (isfinite(v))
        fprintf(out, "%.7g%c", v, end);
    else
        fprintf(out, "NaN%c", end);
}

static void series(const struct page_data *d, uint32_t run, FILE *out)
{
    const struct page_series *s = &d->run[run];

    fprintf(out, "$d%u << EOD\n", (unsigned)run + 1);
    /* without rows gnuplot cannot count the columns */
    for (uint32_t k = 0; k < s->rows || k == 0; k++) {
        for (int i = 0; i < d->columns; i++)
            number(s->rows ? s->row[k][i] : (double)NAN,
                   i + 1 < d->columns ? ' ' : '\n', out);
    }
    fputs("EOD\n", out);
}

/* Write ARRAY[number] = text, and ARRAYtic[number] for the label of a tic. */
static void text_write(const struct report_page *p, const char *array,
                       unsigned number, const char *text, FILE *out)
{
    text = page_short(p, text);
    fprintf(out, "%s[%u] = ", array, number);
    report_gnuplot_string(text, out);
    fprintf(out, "\n%stic[%u] = ", array, number);
    report_gnuplot_tic(text, out);
    fputc('\n', out);
}

/* Does any run have time of the cause, from its third to its fourth column? */
static bool is_waited_for(const struct page_data *d, uint32_t runs, int cause)
{
    for (uint32_t i = 0; i < runs; i++) {
        for (uint32_t k = 0; k < d->run[i].rows; k++) {
            const double *row = d->run[i].row[k];

            if ((int)row[1] == cause && row[3] > row[2])
                return true;
        }
    }
    return false;
}

static void data_write(const struct report_page *p, const struct page_data *d,
                       FILE *out)
{
    const unsigned runs = page_drawn(p);

    fprintf(out,
            "runs = %u\narray name[%u]\narray nametic[%u]\narray gpus[%u]\n",
            runs, runs, runs, runs);
    for (uint32_t i = 0; i < runs; i++) {
        text_write(p, "name", i + 1, p->compare->run[i].title, out);
        fprintf(out, "gpus[%u] = %.1f\n", (unsigned)i + 1,
                p->run[i].gpus > 0 ? p->run[i].gpus : 1);
        series(d, i, out);
    }
    /* a cause without a name is not in the legend */
    fprintf(out, "array causes[%d]\n", REPORT_CAUSES - 1);
    for (int c = 1; c < REPORT_CAUSES; c++)
        fprintf(out, "causes[%d] = '%s'\n", c,
                d->columns == 4 && is_waited_for(d, runs, c - 1)
                    ? report_cause_info((enum report_cause)c)->name
                    : "");
    /* arrays must not be empty */
    fprintf(out, "labels = %u\narray label[%u]\narray labeltic[%u]\n",
            (unsigned)d->labels, (unsigned)d->labels + 1,
            (unsigned)d->labels + 1);
    for (uint32_t i = 0; i < d->labels; i++)
        text_write(p, "label", i + 1, d->label[i], out);
    for (int i = 0; i < PAGE_COLUMNS; i++)
        fprintf(out, "m%d = %.7g\n", i + 1, d->max[i]);
    time_unit(p->end_s, out);
    fprintf(out, "end = %.7g / unit\n", p->end_s > 0 ? p->end_s : 1);
}

static void map_row(const struct page_node *n, FILE *out)
{
    for (int i = 0; i < PAGE_INSTANTS; i++)
        fprintf(out, "%d%c", n->hoarded[i] ? -1 : page_map_free(n, i),
                i + 1 < PAGE_INSTANTS ? ' ' : '\n');
}

/* Names of nodes on the vertical axis, of some where there are many. */
static void nodes_write(const struct report_page *p, const struct page_map *m,
                        FILE *out)
{
    const uint32_t step = (m->nodes + TICS_MAX) / (TICS_MAX + 1);

    fputs("set ytics ()\n", out);
    for (uint32_t k = 0; k < m->nodes; k += step) {
        fputs("set ytics add (", out);
        report_gnuplot_tic(page_short(p, m->node[k].name), out);
        fprintf(out, " %u)\n", (unsigned)k);
    }
}

static void map_write(const struct report_page *p, const struct page_map *m,
                      FILE *out)
{
    fputs("$map << EOD\n", out);
    for (uint32_t k = 0; k < m->nodes; k++)
        map_row(&m->node[k], out);
    if (m->nodes == 1) /* gnuplot needs at least two rows of an image */
        map_row(&m->node[0], out);
    fprintf(out, "EOD\nnodes = %u\ninstants = %d\ngpus = %d\n",
            (unsigned)m->nodes, PAGE_INSTANTS, m->gpus);
    time_unit((double)(m->to - m->start) / 1e6, out);
    fprintf(out, "from = %.9g / unit\nto = %.9g / unit\n",
            (double)(m->from - m->start) / 1e6,
            (double)(m->to - m->start) / 1e6);
    nodes_write(p, m, out);
}

/* --- curves --------------------------------------------------------------- */

static void axis_write(const struct report_page *p, const struct page_axis *a,
                       double unit, const char *unit_name, FILE *out)
{
    const double first = a->number[0] / unit;
    const double last = a->number[a->values - 1] / unit;
    bool has_room = a->values <= TICS_MAX;
    char name[256];

    snprintf(name, sizeof(name), "%.200s%s%s", a->name, *unit_name ? ", " : "",
             unit_name);
    fputs("axisname = ", out);
    report_gnuplot_string(page_short(p, name), out);
    if (last > first)
        fprintf(out, "\nset xrange [%.9g:%.9g]\n",
                first - (last - first) * 0.04, last + (last - first) * 0.04);
    else
        fprintf(out, "\nset xrange [%.9g:%.9g]\n", first - 1, last + 1);
    for (uint32_t i = 1; i < a->values; i++)
        has_room &= (a->number[i] - a->number[i - 1]) / unit
                    > (last - first) / (TICS_MAX + 1);
    for (uint32_t i = 0; has_room && i < a->values; i++)
        fprintf(out, "set xtics %s('%.6g' %.9g)\n", i ? "add " : "",
                a->number[i] / unit, a->number[i] / unit);
}

static struct unit unit_of_metric(const struct compare_row *r, double most)
{
    const enum report_unit unit = r->info ? r->info->unit : REPORT_RATIO;

    if (unit == REPORT_SECONDS)
        return unit_of_span(most);
    if (unit == REPORT_SHARE)
        return (struct unit){ 0.01, "%" };
    return (struct unit){ 1, unit == REPORT_RATIO || unit == REPORT_COUNT
                                 ? ""
                                 : report_unit_name(unit) };
}

static void panel_write(const struct page_curves *c, uint32_t m, double scale,
                        FILE *out)
{
    const struct compare_row *r = c->metric[m];
    const char *better = r->info ? report_better_name(r->info->better) : "";
    double least = 0, most = 0;
    struct unit u;
    char name[400], title[512];

    for (uint32_t i = 0; i < c->lines * c->axis->values; i++) {
        least = fmin(least, c->mean[m * c->lines * c->axis->values + i]);
        most = fmax(most, c->mean[m * c->lines * c->axis->values + i]);
    }
    u = unit_of_metric(r, fmax(most, -least));
    for (uint32_t l = 0; l < c->lines; l++) {
        fprintf(out, "$c%u_%u << EOD\n", (unsigned)m + 1, (unsigned)l + 1);
        for (uint32_t v = 0; v < c->axis->values; v++) {
            number(c->axis->number[v] / scale, ' ', out);
            number(page_curve_point(c, m, l, v) / u.size, '\n', out);
        }
        fputs("EOD\n", out);
    }
    snprintf(title, sizeof(title), "%s%s%s%s%s%s",
             compare_row_name(r, name, sizeof(name)), *u.name ? ", " : "",
             u.name, *better ? " (" : "", better, *better ? ")" : "");
    fprintf(out,
            "least[%u] = %.7g\nmost[%u] = %.7g\npanel[%u] = ", (unsigned)m + 1,
            least / u.size, (unsigned)m + 1, most / u.size, (unsigned)m + 1);
    report_gnuplot_string(title, out);
    fputc('\n', out);
}

static void curves_write(const struct report_page *p,
                         const struct page_curves *c, FILE *out)
{
    const struct page_axis *a = c->axis;
    const struct unit u = a->is_duration
                              ? unit_of_span(a->number[a->values - 1])
                              : (struct unit){ 1, "" };
    const unsigned metrics = c->metrics;

    fprintf(out, "lines = %u\narray name[%u]\narray nametic[%u]\n",
            (unsigned)c->lines, (unsigned)c->lines, (unsigned)c->lines);
    for (uint32_t l = 0; l < c->lines; l++)
        text_write(p, "name", l + 1, c->line[l], out);
    axis_write(p, a, u.size, u.name, out);
    fprintf(out,
            "metrics = %u\narray least[%u]\narray most[%u]\n"
            "array panel[%u]\n",
            metrics, metrics, metrics, metrics);
    for (uint32_t m = 0; m < metrics; m++)
        panel_write(c, m, u.size, out);
}

static void script_write(const struct report_page *p,
                         const struct page_plot *plot,
                         enum report_picture_format format, FILE *out)
{
    const struct legend legend = legend_of(p, plot);
    const int height = height_of(p, plot, legend.rows);

    report_gnuplot_terminal(format, WIDTH, height, out);
    report_gnuplot_settings(out);
    fprintf(out, "height = %d.0\nkeyline = %d.0\n", height, KEY_LINE);
    fprintf(out, "keycolumns = %d\nkeyrows = %d\n", legend.columns,
            legend.rows);
    if (plot->data)
        data_write(p, plot->data, out);
    else if (plot->curves)
        curves_write(p, plot->curves, out);
    else
        map_write(p, plot->map, out);
    if (plot->picture->axis)
        fprintf(out, "set ylabel '%s'\n", plot->picture->axis);
    for (size_t i = 0; i < PAGE_PARTS && plot->picture->parts[i]; i++)
        fputs(plot->picture->parts[i], out);
    fputs(plot->picture->script, out);
}

int page_gnuplot_draw(const struct report_page *p, const struct page_plot *plot,
                      enum report_picture_format format, FILE *out,
                      const char *what, struct gs_err *err)
{
    FILE *script = gs_output_scratch(err);
    int rc;

    if (!script)
        return -1;
    script_write(p, plot, format, script);
    rc = report_gnuplot_draw(script, format, out, what, err);
    fclose(script);
    return rc;
}
