/* reports/page/page_gnuplot.c - a picture of the page, drawn. */
#include "base/output.h"
#include "reports/page/page_private.h"

int page_gnuplot_draw(const struct report_page *p, const struct page_plot *plot,
                      enum report_picture_format format, FILE *out,
                      const char *what, struct gs_err *err)
{
    FILE *script = gs_output_scratch(err);
    int rc;

    if (!script)
        return -1;
    page_script(p, plot, format, script);
    rc = report_gnuplot_draw(script, format, out, what, err);
    fclose(script);
    return rc;
}
