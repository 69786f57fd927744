/* sim/cli/terminal.c - properties of standard output and error. */
#include "sim/cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/quantity.h"

static uint32_t width_of(int file)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t n;

    if (columns && gs_quantity_parse_u64(columns, strlen(columns), &n) == 0
        && n >= 40 && n <= 1000)
        return (uint32_t)n;
    if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col < 40 ? 40 : size.ws_col > 1000 ? 1000 : size.ws_col;
    return 80;
}

uint32_t terminal_width(void)
{
    return width_of(STDOUT_FILENO);
}

uint32_t terminal_error_width(void)
{
    return width_of(STDERR_FILENO);
}

/* --- wide lines ----------------------------------------------------------- */

void terminal_wrap_begin(struct terminal_wrap *w)
{
    w->text = NULL;
    w->out = open_memstream(&w->text, &w->size);
    if (!w->out)
        w->out = stdout;
}

/* Where to break the line after `width` bytes: its last blank up to there, but
 * for those that indent it; else `len`.
 */
static size_t break_of(const char *line, size_t len, size_t width)
{
    size_t at = width < len ? width : len, least = strspn(line, " ");

    if (len <= width)
        return len;
    while (at > least && line[at] != ' ')
        at--;
    return at > least ? at : len;
}

static void line_put(const char *line, size_t len, size_t width)
{
    const int indent = (int)strspn(line, " ") + 4;
    size_t at = break_of(line, len, width);

    fwrite(line, 1, at, stdout);
    while (at < len) {
        line += at + 1; /* behind the blank */
        len -= at + 1;
        at = break_of(line, len, width - (size_t)indent);
        printf("\n%*s%.*s", indent, "", (int)at, line);
    }
    putchar('\n');
}

void terminal_wrap_end(struct terminal_wrap *w)
{
    const size_t width = isatty(STDOUT_FILENO) ? terminal_width() : SIZE_MAX;

    if (w->out == stdout)
        return;
    fclose(w->out);
    for (const char *line = w->text; *line;) {
        const size_t len = strcspn(line, "\n");

        line_put(line, len, width);
        line += len + (line[len] == '\n');
    }
    free(w->text);
}

/* --- the layout of tables ------------------------------------------------- */

/* Does the locale of the environment name UTF-8? */
static bool has_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    const char *set = NULL;

    for (size_t i = 0; i < 3 && !(set && set[0]); i++)
        set = getenv(names[i]);
    for (; set && *set; set++) {
        if (strncasecmp(set, "UTF-8", 5) == 0
            || strncasecmp(set, "utf8", 4) == 0)
            return true;
    }
    return false;
}

bool terminal_has_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");

    return isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]);
}

struct report_layout terminal_layout(const char *format)
{
    const bool is_text = strcmp(format, "text") == 0;

    return (struct report_layout){ is_text ? REPORT_TABLE
                                           : report_format_find(format),
                                   terminal_width(), terminal_has_colour(),
                                   has_utf8() };
}
