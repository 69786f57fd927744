/* sim/cli/terminal.c - what standard output is. */
#include "sim/cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/quantity.h"

uint32_t terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    uint64_t n;

    if (columns && gs_quantity_parse_u64(columns, strlen(columns), &n) == 0
        && n >= 40 && n <= 1000)
        return (uint32_t)n;
    return 80;
}

bool terminal_has_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]);
}
