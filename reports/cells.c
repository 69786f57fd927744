/* reports/cells.c - texts as cells of tables. */
#include "reports/cells.h"

#include <string.h>

#include "base/text.h"

void report_cell_text(const char *s, uint32_t width, bool is_left, FILE *out)
{
    const size_t length = gs_text_length(s);
    const bool is_cut = length > width - 1;
    const size_t kept = is_cut ? width - 2 : length;
    const int blanks = (int)(width - kept - is_cut);

    if (!is_left)
        fprintf(out, "%*s", blanks, "");
    fwrite(s, 1, gs_text_bytes(s, kept), out);
    if (is_cut)
        fputc('~', out);
    if (is_left)
        fprintf(out, "%*s", blanks, "");
}

void report_cell_csv(const char *s, FILE *out)
{
    if (!strpbrk(s, ",\"")) {
        fputs(s, out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        if (*s == '"')
            fputc('"', out);
        fputc(*s, out);
    }
    fputc('"', out);
}
