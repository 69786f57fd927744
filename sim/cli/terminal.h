/* sim/cli/terminal.h - properties of the terminal. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "reports/compare/compare.h"

/* Width of standard output: $COLUMNS, else that of the terminal, else 80;
 * limited to 40 to 1000.
 */
uint32_t terminal_width(void);
/* The same for standard error. */
uint32_t terminal_error_width(void);
/* A file whose text terminal_wrap_end() writes to standard output, where lines
 * that are wider than a terminal go on below, indented; otherwise as they are.
 */
struct terminal_wrap {
    FILE *out;
    char *text;
    size_t size;
};
void terminal_wrap_begin(struct terminal_wrap *w);
void terminal_wrap_end(struct terminal_wrap *w);
/* True when standard output is a terminal and NO_COLOR is not set. */
bool terminal_has_colour(void);
/* The layout of a table on standard output, in the named format ("text" is a
 * table).
 */
struct report_layout terminal_layout(const char *format);

#endif /* CLI_TERMINAL_H */
