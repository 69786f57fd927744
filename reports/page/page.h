/* reports/page/page.h - runs as one self-contained HTML page, with pictures
 * that gnuplot draws.
 *
 * The page needs no network and no other file.  Texts of databases are not
 * trusted: they are written to it and to gnuplot only by the functions of
 * page_html.c and gnuplot.c.
 */
#ifndef REPORTS_PAGE_PAGE_H
#define REPORTS_PAGE_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"
#include "reports/page/gnuplot.h"

struct gs_arena;
struct gs_err;
struct report_page; /* opaque; lives in its arena */
struct report_store;

struct report_page *report_page_create(struct gs_arena *arena);

/* Add runs of the stores, as report_compare_take does; the stores must stay
 * open as long as the page is used.
 */
int report_page_take(struct report_page *p, struct report_store *const *store,
                     size_t stores, const char *const *name, size_t names,
                     struct gs_err *err);

/* Group the runs into columns, as report_compare_group does. */
int report_page_group(struct report_page *p, enum report_by by,
                      struct gs_err *err);

/* Set the metrics of the table and of the curves by axis: those whose name, or
 * name.label, matches any of the shell patterns, which must outlive the page;
 * 0: the default ones.  Call it after the grouping.  Returns -1 (GS_USAGE) for
 * a pattern that matches no metric.
 */
int report_page_metrics(struct report_page *p, const char *const *glob,
                        size_t count, struct gs_err *err);

uint32_t report_page_runs(const struct report_page *p);

/* Write the page.  Without gnuplot it has tables only and says so. */
int report_page_write(struct report_page *p, FILE *out, struct gs_err *err);

/* Write each picture as DIR/NAME.FORMAT, for the `count` formats; the folder is
 * created.  Fails (GS_IO) without gnuplot, naming what is missing.
 */
int report_page_plots(struct report_page *p, const char *dir,
                      const enum report_picture_format *format, size_t count,
                      struct gs_err *err);

#endif /* REPORTS_PAGE_PAGE_H */
