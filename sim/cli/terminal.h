/* sim/cli/terminal.h - what standard output is. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

/* Columns of the terminal; 80 when it is none. */
uint32_t terminal_width(void);
/* A terminal, and NO_COLOR is not set. */
bool terminal_has_colour(void);

#endif /* CLI_TERMINAL_H */
