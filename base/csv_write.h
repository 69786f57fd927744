/* base/csv_write.h - fields of comma-separated lines, as base/csv.h reads them.
 */
#ifndef GS_CSV_WRITE_H
#define GS_CSV_WRITE_H

#include <stdio.h>

/* Write `s` in quotes, each quote in it twice. */
void gs_csv_put_quoted(const char *s, FILE *out);

/* Write a text for a spreadsheet, quoted where necessary.  A text that a
 * spreadsheet would calculate as a formula gets a leading apostrophe.
 */
void gs_csv_put_cell(const char *s, FILE *out);

#endif /* GS_CSV_WRITE_H */
