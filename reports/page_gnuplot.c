/* reports/page_gnuplot.c - a picture of the page, drawn. */
#include "reports/page_private.h"

enum report_gnuplot page_gnuplot_draw(const struct report_page *p,
                                      const struct page_plot *plot,
                                      enum report_picture_format format,
                                      FILE *out)
{
    FILE *script = tmpfile();
    enum report_gnuplot done;

    if (!script)
        return REPORT_NOT_DRAWN;
    page_script(p, plot, format, script);
    done = report_gnuplot_draw(script, out);
    fclose(script);
    return done;
}
