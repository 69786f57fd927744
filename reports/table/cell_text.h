/* reports/table/cell_text.h - texts as cells of tables. */
#ifndef REPORTS_TABLE_CELL_TEXT_H
#define REPORTS_TABLE_CELL_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/glossary/glossary.h"

/* Print a text in a field of `width` columns, one of them a blank; a text that
 * is too long ends in '~'.
 */
void report_format_text(const char *s, uint32_t width, bool is_left, FILE *out);

#define REPORT_VALUE_TEXT 64u /* bytes of a value */

/* "2h14m", "12.50 %", "7"; in buf of REPORT_VALUE_TEXT bytes. */
const char *report_format_value(enum report_unit unit, double value, char *buf);

/* A change in `unit`, "%" or "pt" (points: hundredths of a share), in at most 6
 * bytes below 1000: "+12%", "+4.4pt", "-.03pt", "+~0pt" (above 0, but not by
 * .005), "-99.6%"; "0pt" of 0 alone, "-100%" of -100 alone.  As above.
 */
const char *report_format_change(double change, const char *unit, char *buf);

/* Format a set of devices as "0-3,7" in buf of `size` bytes; a text that does
 * not fit ends with "...".
 */
const char *report_format_devices(uint64_t devices, char *buf, size_t size);

/* Print a text, escaped for Markdown. */
void report_format_markdown(const char *s, FILE *out);

/* The entity of a character in XML and HTML, "&lt;"; NULL: it has none.  The
 * two write an apostrophe differently, so the caller does that.
 */
const char *report_entity(char c);

#endif /* REPORTS_TABLE_CELL_TEXT_H */
