/* reports/page/gnuplot.h - calls of gnuplot: a script goes to its standard
 * input, a picture comes from its standard output.  No shell is involved, and
 * texts reach a script only through the writers below.
 */
#ifndef REPORTS_PAGE_GNUPLOT_H
#define REPORTS_PAGE_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum report_picture_format {
    REPORT_PNG,
    REPORT_SVG,
    REPORT_PDF,
    REPORT_PICTURE_FORMATS
};

/* "png", "svg", "pdf" of `len` bytes; REPORT_PICTURE_FORMATS when unknown. */
enum report_picture_format report_picture_format_find(const char *name,
                                                      size_t len);

const char *report_picture_format_name(enum report_picture_format format);

struct gs_err;

bool report_gnuplot_is_there(void);

/* Let gnuplot read `script`, from its beginning, and append the picture to
 * `out`.  Returns -1 (GS_IO, naming `what`) and leaves `out` alone when there
 * is no gnuplot, it fails, or its picture does not end as one of this format
 * must: gnuplot does not notice a full disk.
 */
int report_gnuplot_draw(FILE *script, enum report_picture_format format,
                        FILE *out, const char *what, struct gs_err *err);

/* --- what scripts begin with -------------------------------------------------- */

/* A picture of so many pixels (PDF: hundredths of an inch). */
void report_gnuplot_terminal(enum report_picture_format format, int width,
                             int height, FILE *out);
/* Colours that the colour-blind can tell apart (array colour[8], dash[8], and
 * blue, red ... by name), borders, grid.
 */
void report_gnuplot_settings(FILE *out);

/* As a string, quotes included: ASCII letters and blanks as they are, every
 * other byte as an octal escape.
 */
void report_gnuplot_string(const char *s, FILE *out);
/* The same for the label of a tic, which gnuplot takes for a format. */
void report_gnuplot_tic(const char *s, FILE *out);

#endif /* REPORTS_PAGE_GNUPLOT_H */
