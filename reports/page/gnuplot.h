/* reports/page/gnuplot.h - calls of gnuplot: the script is its standard input,
 * the picture its standard output.  No shell is used, and texts are written to
 * scripts only by the functions below.
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

/* Run gnuplot on `script`, from its beginning, and append the picture to `out`.
 * Returns -1 (GS_IO, naming `what`) and leaves `out` unchanged when there is no
 * gnuplot, it fails, or the picture is incomplete: gnuplot does not notice a
 * full disk.
 */
int report_gnuplot_draw(FILE *script, enum report_picture_format format,
                        FILE *out, const char *what, struct gs_err *err);

/* --- what scripts begin with ---------------------------------------------- */

/* Set the size of the picture in pixels (PDF: hundredths of an inch). */
void report_gnuplot_terminal(enum report_picture_format format, int width,
                             int height, FILE *out);
/* Write the settings of all pictures: colours that colour-blind readers can
 * distinguish (array colour[8], dash[8], and blue, red ... by name), borders,
 * grid.
 */
void report_gnuplot_settings(FILE *out);

/* Write a quoted string: ASCII letters and blanks literally, every other byte
 * as an octal escape.
 */
void report_gnuplot_string(const char *s, FILE *out);
/* The same for the label of a tic, which gnuplot treats as a format. */
void report_gnuplot_tic(const char *s, FILE *out);

#endif /* REPORTS_PAGE_GNUPLOT_H */
