/* reports/page/page_script.c - what gnuplot reads: settings, data, a template.
 *
 * Numbers are written by printf, texts by report_gnuplot_string; nothing else of
 * a database gets there.
 */
#include <math.h>

#include "base/text.h"
#include "reports/page/page_private.h"

#define WIDTH 900
#define KEY_LINE 19 /* pixels */

/* How the names of runs share the lines of a legend. */
struct legend {
    int columns, rows;
};

static struct legend legend_of(const struct report_page *p)
{
    const int runs = (int)page_drawn(p);
    size_t longest = 0;
    int columns;

    for (int i = 0; i < runs; i++) {
        const char *name = page_short(p, p->compare->run[i].title);

        if (gs_text_length(name) > longest)
            longest = gs_text_length(name);
    }
    columns = (WIDTH - 40) / (70 + 9 * (int)longest);
    return (struct legend){ columns, (runs + columns - 1) / columns };
}

static int height_of(const struct report_page *p, const struct page_plot *plot)
{
    const struct page_picture *pic = plot->picture;
    const uint32_t labels = plot->data ? plot->data->labels : 0;

    return pic->height + pic->per_run * (int)page_drawn(p)
           + pic->per_label * (int)labels
           + (pic->has_names ? KEY_LINE * legend_of(p).rows : 0);
}

/* The unit in which `span` seconds are best told. */
static void time_unit(double span, FILE *out)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = { { 86400, "days" }, { 3600, "hours" }, { 60, "minutes" } };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (span >= 2.5 * units[i].seconds) {
            fprintf(out, "unit = %.1f\nunitname = '%s since the start'\n",
                    units[i].seconds, units[i].name);
            return;
        }
    }
    fputs("unit = 1.0\nunitname = 'seconds since the start'\n", out);
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
    for (uint32_t k = 0; k < s->rows; k++) {
        for (int i = 0; i < d->columns; i++)
            number(s->row[k][i], i + 1 < d->columns ? ' ' : '\n', out);
    }
    if (s->rows == 0) { /* or gnuplot has nothing to count columns by */
        for (int i = 0; i < d->columns; i++)
            number((double)NAN, i + 1 < d->columns ? ' ' : '\n', out);
    }
    fputs("EOD\n", out);
}

/* ARRAY[number] = text, and ARRAYtic[number] as the label of a tic. */
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
    /* no array is empty */
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

static void map_write(const struct page_map *m, FILE *out)
{
    fputs("$map << EOD\n", out);
    for (uint32_t k = 0; k < m->nodes; k++)
        map_row(&m->node[k], out);
    if (m->nodes == 1) /* no image has a single row */
        map_row(&m->node[0], out);
    fprintf(out, "EOD\nnodes = %u\ninstants = %d\ngpus = %d\n",
            (unsigned)m->nodes, PAGE_INSTANTS, m->gpus);
    time_unit((double)(m->to - m->start) / 1e6, out);
    fprintf(out, "from = %.9g / unit\nto = %.9g / unit\n",
            (double)(m->from - m->start) / 1e6,
            (double)(m->to - m->start) / 1e6);
}

void page_script(const struct report_page *p, const struct page_plot *plot,
                 enum report_picture_format format, FILE *out)
{
    const int height = height_of(p, plot);

    report_gnuplot_terminal(format, WIDTH, height, out);
    report_gnuplot_settings(out);
    fprintf(out, "height = %d.0\nkeyline = %d.0\n", height, KEY_LINE);
    fprintf(out, "keycolumns = %d\nkeyrows = %d\n", legend_of(p).columns,
            legend_of(p).rows);
    if (plot->data)
        data_write(p, plot->data, out);
    else
        map_write(plot->map, out);
    fputs(plot->picture->script, out);
}
