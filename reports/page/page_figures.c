/* reports/page/page_figures.c - the pictures of the page, each with its data.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/duration.h"
#include "base/err.h"
#include "base/output.h"
#include "reports/page/page_private.h"

/* --- on the page ---------------------------------------------------------- */

int page_plot_put(const struct report_page *p, const struct page_plot *plot,
                  const char *label, FILE *out, struct gs_err *err)
{
    FILE *svg;
    char prefix[64];
    int rc;

    if (!p->has_gnuplot)
        return 0; /* the page says so */
    svg = gs_output_scratch(err);
    if (!svg)
        return -1;
    rc = page_gnuplot_draw(p, plot, REPORT_SVG, svg, plot->picture->name, err);
    if (rc == 0) {
        snprintf(prefix, sizeof(prefix), "%s%u-", plot->picture->name,
                 (unsigned)plot->run);
        fprintf(out, "<div class=\"plot\" tabindex=\"0\" role=\"group\""
                     " aria-label=\"picture, may be scrolled sideways\">\n");
        page_svg_copy(svg, prefix, label, out);
        fputs("</div>\n", out);
    }
    fclose(svg);
    return rc;
}

int page_csv_put(const struct report_page *p, const struct page_plot *plot,
                 FILE *out, struct gs_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *csv = open_memstream(&text, &size);
    int rc = 0;

    if (csv && plot->map)
        page_map_csv(plot->map, csv);
    else if (csv && plot->curves)
        page_curves_csv(plot->curves, csv);
    else if (csv)
        page_data_csv(p, plot->picture, plot->data, csv);
    if (!csv || ferror(csv) | (fclose(csv) != 0))
        rc = gs_fail(err, GS_IO, (struct gs_mark){ 0 },
                     "cannot make the data of a picture: %s", strerror(errno));
    if (rc == 0) {
        fprintf(out, " <a download=\"%s", plot->picture->name);
        if (!plot->data)
            fprintf(out, "-%u", (unsigned)plot->run + 1);
        fputs(".csv\" href=\"data:text/csv;charset=utf-8,", out);
        page_uri(text, size, out);
        fputs("\">Data (CSV)</a>", out);
    }
    free(text);
    return rc;
}

static int figure_put(struct report_page *p, const struct page_plot *plot,
                      const char *label, FILE *out, struct gs_err *err)
{
    fputs("<figure>\n", out);
    if (page_plot_put(p, plot, label, out, err) < 0)
        return -1;
    page_print(out, "<figcaption>%s", plot->picture->caption);
    if (page_csv_put(p, plot, out, err) < 0)
        return -1;
    fputs("</figcaption>\n</figure>\n", out);
    return 0;
}

/* Put the picture; one that is folded shows its title only. */
static int section_put(struct report_page *p, const struct page_plot *plot,
                       FILE *out, struct gs_err *err)
{
    const struct page_picture *pic = plot->picture;
    const char *label = gs_arena_printf(p->arena, "%s. %s", pic->title,
                                        pic->caption);

    fprintf(out, "<section id=\"%s\"", pic->name);
    if (pic->is_over_time)
        fprintf(out, " class=\"time\" data-end=\"%.9g\"", p->end_s);
    fprintf(out,
            pic->is_folded ? ">\n<details><summary>%s</summary>\n"
                           : ">\n<h3>%s</h3>\n",
            pic->title);
    if (figure_put(p, plot, label, out, err) < 0)
        return -1;
    fputs(pic->is_folded ? "</details>\n</section>\n" : "</section>\n", out);
    return 0;
}

/* --- maps ----------------------------------------------------------------- */

static int map_put(struct report_page *p, uint32_t run, FILE *out,
                   struct gs_err *err)
{
    struct page_map m;
    const struct page_plot plot = { .picture = &page_map_picture,
                                    .map = &m,
                                    .run = run };
    static const char *const why[] = {
        [PAGE_ALL] = "all of the run",
        [PAGE_FRAGMENTED] = "where most GPUs were free on partly used nodes",
        [PAGE_WAITED] = ("where most GPUs were free on partly used nodes while "
                         "jobs waited"),
        [PAGE_HOARDED] = "where most GPUs were hoarded",
    };
    const char *title = p->compare->run[run].title;
    char from[32], to[32];

    if (page_map_read(p, run, &m, err) < 0)
        return -1;
    page_print(out, "<h4>%s</h4>\n", title);
    if (m.nodes == 0 || m.to <= m.from) {
        fputs("<p>No node has GPUs, or nothing happened.</p>\n", out);
        return 0;
    }
    gs_duration_human(m.from - m.start, from, sizeof(from));
    gs_duration_human(m.to - m.start, to, sizeof(to));
    page_print(out, "<p>From %s to %s: %s", from, to,
               m.chosen_by == run ? why[m.why] : "the same time as above");
    if (m.nodes < m.of)
        page_print(out, "; %u nodes of %u", m.nodes, m.of);
    fputs(".</p>\n", out);
    return figure_put(p, &plot,
                      gs_arena_printf(p->arena, "%s of run %s. %s",
                                      page_map_picture.title, title,
                                      page_map_picture.caption),
                      out, err);
}

int page_figures(struct report_page *p, FILE *out, struct gs_err *err)
{
    const struct page_picture *pic;
    const char *none[PAGE_PICTURES];
    struct page_data d;
    size_t nones = 0;

    for (size_t i = 0; (pic = page_picture_at(i)); i++) {
        const struct page_plot plot = { .picture = pic, .data = &d };

        if (page_data_read(p, pic, &d, err) < 0)
            return -1;
        if (page_data_is_empty(&d))
            none[nones++] = pic->none;
        else if (section_put(p, &plot, out, err) < 0)
            return -1;
    }
    if (nones) {
        fputs("<p class=\"soft\">", out);
        for (size_t i = 0; i < nones; i++) {
            if (i == 0 || strcmp(none[i], none[i - 1]) != 0)
                page_print(out, "%s ", none[i]);
        }
        fputs("</p>\n", out);
    }
    fprintf(out, "<section id=\"%s\">\n<h3>%s</h3>\n", page_map_picture.name,
            page_map_picture.title);
    for (uint32_t run = 0; run < page_drawn(p); run++) {
        if (map_put(p, run, out, err) < 0)
            return -1;
    }
    fputs("</section>\n", out);
    return 0;
}

/* --- as files ------------------------------------------------------------- */

/* Picture files that are drawn first and then all get their names. */
struct files {
    const char *dir;
    const enum report_picture_format *format;
    size_t formats;
    struct gs_output **drawn;
    uint32_t count, cap;
};

/* DIR/NAME.FORMAT, or DIR/NAME-NUMBER.FORMAT of maps and curves. */
static int file_draw(const struct report_page *p, const struct page_plot *plot,
                     struct files *f, enum report_picture_format format,
                     struct gs_err *err)
{
    char number[16] = "";
    const char *path;
    struct gs_output *out;

    if (!plot->data)
        snprintf(number, sizeof(number), "-%u", (unsigned)plot->run + 1);
    path = gs_arena_printf(p->arena, "%s/%s%s.%s", f->dir, plot->picture->name,
                           number, report_picture_format_name(format));
    out = gs_output_open(path, err);
    if (!out)
        return -1;
    f->drawn = gs_array_grow(f->drawn, &f->cap, f->count + 1,
                             sizeof(struct gs_output *));
    f->drawn[f->count++] = out;
    return page_gnuplot_draw(p, plot, format, gs_output_stream(out), path, err);
}

static int files_draw(const struct report_page *p, const struct page_plot *plot,
                      struct files *f, struct gs_err *err)
{
    for (size_t i = 0; i < f->formats; i++) {
        if (file_draw(p, plot, f, f->format[i], err) < 0)
            return -1;
    }
    return 0;
}

static int curves_draw(struct report_page *p, struct files *f,
                       struct gs_err *err)
{
    const struct page_axis *axis;

    for (uint32_t i = 0; (axis = page_curve_axis(p, i)); i++) {
        struct page_curves c;
        const struct page_plot plot = { .picture = &page_curves_picture,
                                        .curves = &c,
                                        .run = i };

        page_curves_read(p, axis, &c);
        if (c.combinations && c.metrics && files_draw(p, &plot, f, err) < 0)
            return -1;
    }
    return 0;
}

static int all_draw(struct report_page *p, struct files *f, struct gs_err *err)
{
    const struct page_picture *pic;

    for (size_t i = 0; (pic = page_picture_at(i)); i++) {
        struct page_data d;
        const struct page_plot plot = { .picture = pic, .data = &d };

        if (page_data_read(p, pic, &d, err) < 0)
            return -1;
        if (!page_data_is_empty(&d) && files_draw(p, &plot, f, err) < 0)
            return -1;
    }
    for (uint32_t run = 0; run < page_drawn(p); run++) {
        struct page_map m;
        const struct page_plot plot = { .picture = &page_map_picture,
                                        .map = &m,
                                        .run = run };

        if (page_map_read(p, run, &m, err) < 0)
            return -1;
        if (m.nodes && m.to > m.from && files_draw(p, &plot, f, err) < 0)
            return -1;
    }
    return curves_draw(p, f, err);
}

int report_page_plots(struct report_page *p, const char *dir,
                      const enum report_picture_format *format, size_t count,
                      struct gs_err *err)
{
    struct files f = { .dir = dir, .format = format, .formats = count };
    const bool is_new = mkdir(dir, 0777) == 0;
    int rc;

    if (!is_new && errno != EEXIST)
        return gs_fail(err, GS_IO, (struct gs_mark){ .source = dir },
                       "cannot be made: %s", strerror(errno));
    rc = all_draw(p, &f, err);
    for (uint32_t i = 0; i < f.count; i++)
        rc = gs_output_close(f.drawn[i], rc, err);
    gs_array_free(f.drawn);
    if (rc < 0 && is_new)
        (void)rmdir(dir); /* fails when the folder is not empty */
    return rc;
}
