/* sim/cli/terminal.h - what standard output and error are. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "reports/compare/compare.h"

/* $COLUMNS, else those of the terminal, else 80; from 40 to 1000. */
uint32_t terminal_width(void);
/* The same of standard error. */
uint32_t terminal_error_width(void);
/* A terminal, and NO_COLOR is not set. */
bool terminal_has_colour(void);
/* A table on standard output, in the format of that name ("text" is a table).
 */
struct report_layout terminal_layout(const char *format);

#endif /* CLI_TERMINAL_H */
