/* reports/cells.h - texts as cells of tables. */
#ifndef REPORT_CELLS_H
#define REPORT_CELLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* In a field of `width` columns, one of them kept free; what is too long ends
 * in '~'.
 */
void report_cell_text(const char *s, uint32_t width, bool is_left, FILE *out);

/* A cell of CSV, in quotes where it needs them. */
void report_cell_csv(const char *s, FILE *out);

#endif /* REPORT_CELLS_H */
